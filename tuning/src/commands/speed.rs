//! `chuhe-tuning speed`: measures the speed of training and of the network on this machine.

use crate::records::{Ending, Game, Ply, Won};
use crate::say;
use crate::training::{AdamW, Blend, Gradient, Model, Optimizer, Recipe, Sample, batch_gradient, quantise};
use chuhe::board::{Board, Position};
use chuhe::nnue::{Accumulators, Simd};
use clap::Args;
use cpu_time::ProcessTime;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// Measures training, reading of records, and evaluation on positions of random games.
#[derive(Args, Debug)]
pub struct Speed {
    /// Threads of the training measurement
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Processor time of each measurement in milliseconds
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..60_000))]
    time: u64,
    /// Hidden units of the network: 256, 512, 768 or 1024
    #[arg(long, default_value_t = 512)]
    hidden: usize,
}

/// Positions in the training batch.
const BATCH: usize = 16_384;
/// Number of random games used for the measurements.
const GAMES: u64 = 400;

impl Speed {
    /// Runs and prints lines of the form `what N unit`.
    ///
    /// # Errors
    /// Currently none.
    pub fn run(self) -> anyhow::Result<()> {
        let games = random_games();
        let time = Duration::from_millis(self.time);
        let recipe = Recipe::parse(&format!("name = 'speed'\nseed = 1\nhidden = {}\n", self.hidden))?;
        training(&games, &recipe, self.threads as usize, time);
        reading(&games, time)?;
        evaluation(&games, &recipe, time)
    }
}

/// Games of random moves, each with a score.
fn random_games() -> Vec<Game> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    (0..GAMES)
        .map(|id| {
            let start = Position::startpos();
            let mut board = *start.board();
            let mut plies = Vec::new();
            for _ in 0..random.random_range(20..140) {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                plies.push(Ply { mv, score: Some(random.random_range(-500..500)) });
                board = board.after(mv);
            }
            Game { id, start, won: Won::Nobody, ending: Ending::PlyLimit, plies, variations: Vec::new() }
        })
        .collect()
}

/// Calls `work` until the time is over and returns its count per second. Time is processor time over all threads, so the load of
/// other programs is not included.
fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let began = ProcessTime::now();
    let mut count = 0;
    while began.elapsed() < time {
        count += work();
    }
    count as f64 / began.elapsed().as_secs_f64()
}

fn training(games: &[Game], recipe: &Recipe, threads: usize, time: Duration) {
    let mut samples = Vec::new();
    for game in games {
        Sample::extend(game, &recipe.filter, &recipe.target, &mut samples);
    }
    let batch: Vec<Sample> = samples.iter().cycle().step_by(7).take(BATCH).copied().collect();
    let mut model = Model::new(recipe.width(), 1, recipe.start.deviation);
    let mut optimizer = AdamW::new(&model);
    let mut gradients = vec![Gradient::zero(recipe.width()); recipe.schedule.shards];
    let blend = Blend { share: 0.3, scale: 400.0 };
    let positions = rate(time, || {
        batch_gradient(&model, &batch, blend, threads, &mut gradients);
        optimizer.step(&mut model, &gradients, batch.len(), 1e-3, &Optimizer::default(), threads);
        batch.len() as u64
    });
    say!("training {:.0} positions/s a core on {threads} threads", positions);
}

fn reading(games: &[Game], time: Duration) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    let mut ends = vec![0];
    for game in games {
        game.write(&mut bytes);
        ends.push(bytes.len());
    }
    let positions = rate(time, || {
        let games = ends.windows(2).map(|ends| Game::read(&bytes[ends[0]..ends[1]]));
        games.filter_map(Result::ok).map(|game| game.labels() as u64).sum()
    });
    say!("reading {positions:.0} positions/s a core");
    Ok(())
}

fn evaluation(games: &[Game], recipe: &Recipe, time: Duration) -> anyhow::Result<()> {
    let network = quantise(&Model::new(recipe.width(), 1, recipe.start.deviation), recipe, recipe.target.scale, String::new())?;
    // Initial weights are small and fit into eight bits.
    let kinds = [network.clone().with_sixteen_bits(), network];
    let sets = Simd::ALL.into_iter().filter(|simd| simd.is_available());
    for (simd, network) in sets.flat_map(|simd| kinds.clone().map(|network| (simd, network))) {
        let network = Arc::new(network.with_simd(simd));
        let bits = network.weight_bits();
        let mut accumulators = Accumulators::new(network.clone(), Position::startpos().board());
        let tree = rate(time, || {
            let positions = games.iter().step_by(20).flat_map(|game| game.plies.get(30).map(|_| &game.plies[..30]));
            positions.map(|line| walk(&mut accumulators, line, 2)).sum()
        });
        let (refreshes, updates) = accumulators.work();
        say!(
            "evaluation {simd:?} {bits} bits {tree:.0} nodes/s each made, evaluated and unmade; {:.1}% of views refreshed",
            100.0 * refreshes as f64 / (refreshes + updates).max(1) as f64
        );
        let boards: Vec<Board> = games.iter().map(|game| *game.start.board()).collect();
        let fresh = rate(time / 4, || boards.iter().map(|board| (black_box(network.evaluate(board)), 1).1).sum());
        say!("evaluation {simd:?} {bits} bits {fresh:.0} positions/s from scratch");
    }
    Ok(())
}

/// Evaluates every node of the tree below a position in the order of a search.
fn walk(accumulators: &mut Accumulators, line: &[Ply], depth: u32) -> u64 {
    let mut position = Position::startpos();
    line.iter().for_each(|ply| position.make(ply.mv));
    accumulators.reset(position.board());
    descend(accumulators, &mut position, depth)
}

fn descend(accumulators: &mut Accumulators, position: &mut Position, depth: u32) -> u64 {
    black_box(accumulators.evaluate(position.board()));
    let mut nodes = 1;
    if depth > 0 {
        for mv in position.board().legal_moves() {
            position.make(mv);
            accumulators.push(position.state());
            nodes += descend(accumulators, position, depth - 1);
            accumulators.pop();
            position.unmake();
        }
    }
    nodes
}
