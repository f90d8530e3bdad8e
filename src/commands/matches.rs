//! `chuhe match`: engine against engine.

use super::Failure;
use crate::arena::{
    Adjudication, Balance, Ending, EngineSpec, GameRecord, Openings, Random, Setup, Sprt, SprtStatus, Standing, TimeControl,
    Watcher, run,
};
use crate::rules::{GameResult, RuleSet, Rules};
use crate::types::Color;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A line on stdout. A reader that has gone doesn't end the match: the games are still worth their files.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($part)*);
    }};
}

/// Arguments of `chuhe match`.
#[derive(Args, Debug)]
pub struct Match {
    /// An engine, given twice: cmd=PROGRAM ARGS[,name=N][,proto=uci|ucci][,dir=D][,tc=TC][,ranks=0|1][,option.NAME=V]…
    #[arg(long = "engine", required = true, value_name = "SPEC")]
    engines: Vec<String>,
    /// Games to play; every opening is played twice with colours reversed
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Time in seconds: BASE+INCREMENT or MOVES/BASE+INCREMENT
    #[arg(long, default_value = "1+0.01", conflicts_with_all = ["movetime", "nodes", "depth"])]
    tc: TimeControl,
    /// Milliseconds for each move, instead of a clock
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move, instead of a clock
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies of each search, instead of a clock
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// File of openings, a FEN or EPD a line, perhaps with 'moves …' behind; random openings when absent
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random plies of an opening; every second one has one more
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    plies: u16,
    /// Largest score, in centipawns, that counts as balanced
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    balance: i32,
    /// Nodes of the search that looks whether a random opening is balanced
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    balance_nodes: u64,
    /// Sequential test that may end the match early: elo0=0,elo1=5[,alpha=0.05][,beta=0.05][,model=normalized|logistic]
    #[arg(long)]
    sprt: Option<Sprt>,
    /// Add the games to this PGN file
    #[arg(long)]
    pgn: Option<PathBuf>,
    /// Keep here what is needed to go on after an interruption; an existing file is gone on from
    #[arg(long)]
    state: Option<PathBuf>,
    /// How repetitions are judged
    #[arg(long, value_enum, default_value_t = RulesName::World)]
    rules: RulesName,
    /// Plies without a capture that are a draw, 0 for none
    #[arg(long, default_value_t = 120)]
    natural_limit: u16,
    /// Plies after which a game is drawn
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// A game is lost when both engines see one CP centipawns down for MOVES moves each: MOVES,CP
    #[arg(long, value_parser = numbers::<2>)]
    resign: Option<[u32; 2]>,
    /// A game is drawn when from PLY on both engines are within CP centipawns for MOVES moves each: PLY,MOVES,CP
    #[arg(long, value_parser = numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// Milliseconds by which a time may be overstepped [default: 10 for clocks, 500 for a time for each move]
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    time_margin: Option<u64>,
    /// Seconds that an engine without a clock may think
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
    /// Print every game
    #[arg(long, short)]
    verbose: bool,
    /// Print JSON, one object a line: every game and at the end the result
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RulesName {
    World,
    Chinese,
    Simple,
}

/// Reads so many numbers between commas.
fn numbers<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|part| part.parse().ok().filter(|&n| n <= 1_000_000)).collect();
    numbers.and_then(|list| list.try_into().ok()).ok_or_else(|| format!("expected {N} numbers with commas between them"))
}

impl Match {
    pub(super) fn run(self) -> Result<(), Failure> {
        let setup = self.setup()?;
        let mut progress = Progress::new(&self, setup.games);
        let standing = run(&setup, &mut progress)?;
        progress.bar.finish_and_clear();
        if self.json {
            print_json(&Total::new(&standing, setup.sprt.as_ref()));
        } else {
            print_details(&standing, setup.sprt.as_ref());
        }
        if !self.json {
            say!("{}", standing.summary);
        }
        Ok(())
    }

    fn setup(&self) -> Result<Setup, String> {
        let specs: Vec<EngineSpec> = self.engines.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let count = specs.len();
        let engines: [EngineSpec; 2] = specs.try_into().map_err(|_| format!("--engine: given {count} times, expected two"))?;
        let time = match (self.movetime, self.nodes, self.depth) {
            (Some(ms), _, _) => TimeControl::MoveTime(Duration::from_millis(ms)),
            (_, Some(nodes), _) => TimeControl::Nodes(nodes),
            (_, _, Some(depth)) => TimeControl::Depth(depth),
            _ => self.tc,
        };
        let openings = match &self.openings {
            Some(path) => Openings::read(path)?,
            None => Openings::Random(Random {
                seed: self.seed,
                plies: self.plies as usize,
                balance: Balance { centipawns: self.balance, nodes: self.balance_nodes },
            }),
        };
        let set = match self.rules {
            RulesName::World => RuleSet::World,
            RulesName::Chinese => RuleSet::Chinese,
            RulesName::Simple => RuleSet::Simple,
        };
        let default = Adjudication::default();
        let margin = self.time_margin.map(Duration::from_millis);
        let adjudication = Adjudication {
            rules: Rules { set, natural_limit: self.natural_limit, ..Rules::default() },
            max_plies: self.max_plies as usize,
            resign: self.resign.map(|[moves, score]| (moves.max(1), score as i32)),
            draw: self.draw.map(|[ply, moves, score]| (ply as usize, moves.max(1), score as i32)),
            time_margin: margin.unwrap_or(default.time_margin),
            move_margin: margin.unwrap_or(default.move_margin),
            patience: Duration::from_secs(self.patience),
        };
        let source = match &self.openings {
            Some(path) => path.display().to_string(),
            None => format!("random seed {} plies {} balance {}/{}", self.seed, self.plies, self.balance, self.balance_nodes),
        };
        let description = format!("{} vs {}, {time}, openings {source}", self.engines[0], self.engines[1]);
        let times = engines.each_ref().map(|spec| spec.time.unwrap_or(time));
        Ok(Setup {
            engines,
            times,
            games: self.games as usize,
            concurrency: self.concurrency as usize,
            openings,
            adjudication,
            sprt: self.sprt,
            pgn: self.pgn.clone(),
            state: self.state.clone(),
            description,
        })
    }
}

/// Shows how far the match is: a bar on a terminal, and the games on request.
struct Progress {
    bar: ProgressBar,
    verbose: bool,
    json: bool,
}

impl Progress {
    fn new(arguments: &Match, games: usize) -> Progress {
        // The bar is drawn on stderr, and only when that is a terminal.
        let bar = ProgressBar::new(games.next_multiple_of(2) as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} eta {eta} {msg}") {
            bar.set_style(style);
        }
        Progress { bar, verbose: arguments.verbose, json: arguments.json }
    }
}

#[derive(Serialize)]
struct Game<'a> {
    game: usize,
    red: &'a str,
    black: &'a str,
    result: &'a str,
    ending: Ending,
    plies: usize,
}

#[derive(Serialize)]
struct Total<'a> {
    engines: &'a [String; 2],
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    elo: f64,
    elo_error: f64,
    normalised_elo: f64,
    los: f64,
    llr: Option<f64>,
    faults: &'a [BTreeMap<Ending, u64>; 2],
    endings: &'a BTreeMap<Ending, u64>,
}

impl<'a> Total<'a> {
    fn new(standing: &'a Standing, sprt: Option<&Sprt>) -> Total<'a> {
        let summary = &standing.summary;
        let (elo, elo_error) = summary.elo();
        Total {
            engines: &standing.names,
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            pairs: summary.pairs.0,
            elo,
            elo_error,
            normalised_elo: summary.normalised_elo(),
            los: summary.superiority(),
            llr: sprt.map(|sprt| sprt.ratio(&summary.pairs)),
            faults: &standing.faults,
            endings: &standing.endings,
        }
    }
}

fn print_json(value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        say!("{text}");
    }
}

impl Watcher for Progress {
    fn finished(&mut self, game: usize, record: Option<&GameRecord>, standing: &Standing) {
        self.bar.inc(1);
        self.bar.set_message(standing.summary.to_string());
        let Some(record) = record.filter(|_| self.verbose || self.json) else { return };
        let [first, second] = standing.names.each_ref().map(String::as_str);
        let (red, black) = if game % 2 == 1 { (first, second) } else { (second, first) };
        let result = match record.result {
            GameResult::Loses(Color::Black) => "1-0",
            GameResult::Loses(Color::Red) => "0-1",
            GameResult::Draw => "1/2-1/2",
        };
        let plies = record.moves.len();
        self.bar.suspend(|| {
            if self.json {
                print_json(&Game { game, red, black, result, ending: record.ending, plies });
            } else {
                say!("game {game}: {red} - {black} {result}, {} after {plies} plies", record.ending);
            }
        });
    }
}

fn print_details(standing: &Standing, sprt: Option<&Sprt>) {
    let summary = &standing.summary;
    let [first, second] = &standing.names;
    say!("{first} vs {second}: {} games, {:.1}% of the points", summary.games(), summary.share() * 100.0);
    say!("pairs with 0 1/2 1 3/2 2 points: {:?}, normalised elo {:.1}", summary.pairs.0, summary.normalised_elo());
    let list = |counts: &BTreeMap<Ending, u64>| {
        let items: Vec<String> = counts.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
        if items.is_empty() { "none".to_string() } else { items.join(", ") }
    };
    let plies = standing.plies as f64 / summary.games().max(1) as f64;
    say!("endings: {}; {plies:.0} plies a game", list(&standing.endings));
    say!("faults of {first}: {}; of {second}: {}", list(&standing.faults[0]), list(&standing.faults[1]));
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let status = match sprt.status(&summary.pairs) {
            SprtStatus::Undecided => "undecided",
            SprtStatus::AcceptsZero => "elo0 accepted",
            SprtStatus::AcceptsOne => "elo1 accepted",
        };
        let ratio = sprt.ratio(&summary.pairs);
        say!("sprt elo0 {} elo1 {}: llr {ratio:.2} of {low:.2} to {high:.2}, {status}", sprt.elo0, sprt.elo1);
    }
}
