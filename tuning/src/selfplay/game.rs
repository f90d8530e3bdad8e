//! Playing a game.

use super::{Adjudicator, SelfPlayPlan, random_endgame, random_move, random_opening};
use crate::records::{Ending, Game, MATE_SCORE, MAX_SCORE, Ply, Variation, Won};
use chuhe::board::Position;
use chuhe::nnue::Network;
use chuhe::rules::{GameResult, Verdict};
use chuhe::search::{Bound, Info, Limits, Outcome, PvNode, Report, Score, Settings};
use chuhe::threads::{Control, Pool};
use chuhe::types::{Color, Move};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::sync::Arc;

/// Number of openings tried before an unbalanced one is accepted: far more than ever needed.
const OPENING_TRIES: usize = 200;

/// Stops the search after the first iteration that reaches the soft limit, and keeps the result of the last completed iteration.
struct SoftLimit {
    nodes: u64,
    control: Control,
    /// Depth of the last completed iteration.
    depth: i32,
    /// Its score and line.
    proven: Option<(Score, Vec<Move>)>,
    /// The nodes with an exact score, if they are wanted.
    pv_nodes: Option<Vec<PvNode>>,
}

impl Report for SoftLimit {
    fn line(&mut self, info: &Info) {
        // A search that ends within an iteration reports a better move of it with the depth of the previous one.
        if info.bound == Bound::Exact && info.depth > self.depth {
            self.depth = info.depth;
            self.proven = Some((info.score, info.pv.clone()));
            if info.nodes >= self.nodes {
                self.control.stop();
            }
        }
    }

    fn pv_nodes(&mut self) -> Option<&mut Vec<PvNode>> {
        self.pv_nodes.as_mut()
    }
}

/// The result of a self-play search.
struct Found {
    outcome: Outcome,
    /// The label of the position, if there is a score that depends only on the position: that of the last completed
    /// iteration, not a bound of an aborted one, and not a score that depends on a repetition.
    label: Option<i16>,
    /// The nodes with an exact score, if they are wanted.
    pv_nodes: Vec<PvNode>,
}

/// Searches a position: no new iteration begins after `soft` nodes, and the search ends at `hard`. The position is unchanged afterwards.
fn search(pool: &mut Pool, (soft, hard): (u64, u64), pv_nodes: bool, position: &mut Position, settings: &Settings) -> Found {
    let limits = Limits { nodes: Some(hard), ..Limits::none() };
    let pv_nodes = pv_nodes.then(Vec::new);
    let mut soft = SoftLimit { nodes: soft, control: pool.control(), depth: 0, proven: None, pv_nodes };
    let outcome = pool.search(position, &limits, settings, &mut soft);
    let proven = soft.proven.filter(|(_, line)| !repeats(position, line));
    Found { outcome, label: proven.map(|(score, _)| label(score)), pv_nodes: soft.pv_nodes.unwrap_or_default() }
}

/// Whether a position repeats on a line from this one, or the line ends in an earlier position of the game.
fn repeats(position: &mut Position, line: &[Move]) -> bool {
    let mut made = 0;
    let mut repeated = false;
    for &mv in line.iter().take_while(|mv| !mv.is_none()) {
        if repeated || !position.board().is_legal(mv) {
            break;
        }
        position.make(mv);
        made += 1;
        repeated = position.occurrences() >= 2;
    }
    (0..made).for_each(|_| position.unmake());
    repeated
}

/// A score as a label.
fn label(score: Score) -> i16 {
    match score {
        Score::Centipawns(score) => score.clamp(1 - MATE_SCORE as i32, MATE_SCORE as i32 - 1) as i16,
        Score::Mate(moves) => {
            let size = MAX_SCORE as i32 - moves.abs().min((MAX_SCORE - MATE_SCORE) as i32);
            (if moves > 0 { size } else { -size }) as i16
        }
    }
}

/// The result of the game by the rules, with its cause.
fn ruled(position: &Position, settings: &Settings) -> Option<(Won, Ending)> {
    if position.board().legal_moves().is_empty() {
        // Mated or without a move: lost either way.
        return Some((Won::by(!position.side_to_move()), Ending::NoMoves));
    }
    let Verdict::Final(result) = settings.rules.verdict(position) else { return None };
    let ending = if position.occurrences() >= 3 {
        Ending::Repetition
    } else if settings.rules.natural_limit.is_reached(position.clock()) {
        Ending::NaturalLimit
    } else {
        Ending::BareMaterial
    };
    match result {
        GameResult::Loses(color) => Some((Won::by(!color), ending)),
        GameResult::Draw => Some((Won::Nobody, ending)),
    }
}

/// A player: a search pool of one thread with its table, and the evaluation.
pub struct NetworkPlayer {
    pool: Pool,
    settings: Settings,
    nodes: u64,
}

impl NetworkPlayer {
    /// A player of a plan with a network.
    pub fn new(plan: &SelfPlayPlan, network: Arc<Network>) -> NetworkPlayer {
        NetworkPlayer { pool: Pool::new(1, plan.hash_mib), settings: Settings { network, ..Settings::default() }, nodes: 0 }
    }

    /// Nodes searched since the last call.
    pub fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

    /// Searches a position to choose a move and to label it, if `is_labelled`. In a plan with quick searches other moves are only chosen.
    fn search(&mut self, plan: &SelfPlayPlan, position: &mut Position, is_labelled: bool) -> Found {
        let NetworkPlayer { pool, settings, nodes } = self;
        let full = (plan.soft_nodes, plan.hard_nodes);
        if plan.quick_nodes > 0 {
            let quick = search(pool, (plan.quick_nodes, plan.quick_nodes.saturating_mul(8)), false, position, settings);
            *nodes += quick.outcome.nodes;
            let is_quiet = quick.outcome.best.is_some_and(|mv| !position.board().is_capture(mv));
            let is_mate = matches!(quick.outcome.score, Score::Mate(_));
            if !is_labelled || !is_quiet || is_mate || position.in_check() {
                return Found { label: None, ..quick };
            }
        }
        let found = search(pool, full, plan.pv_nodes && is_labelled, position, settings);
        *nodes += found.outcome.nodes;
        Found { label: found.label.filter(|_| is_labelled), ..found }
    }
}

/// Plays game number `id` of a plan against itself. The player's table and histories are cleared first.
pub fn play(player: &mut NetworkPlayer, plan: &SelfPlayPlan, id: u64) -> Game {
    let position = opening(player, plan, id);
    player.pool.clear();
    finish(&mut [player], plan, id, position)
}

/// Plays a pair of games from the same opening, each player having Red once. The opening is that of game `id` of the plan,
/// balanced from the view of the first player. Returns the first player's half points of each game, 0 to 2.
pub fn play_pair(first: &mut NetworkPlayer, second: &mut NetworkPlayer, plan: &SelfPlayPlan, id: u64) -> [u8; 2] {
    let position = opening(first, plan, id);
    [false, true].map(|exchanged| {
        first.pool.clear();
        second.pool.clear();
        let (red, black) = if exchanged { (&mut *second, &mut *first) } else { (&mut *first, &mut *second) };
        let game = finish(&mut [red, black], plan, id, position.clone());
        game.won.half_points(if exchanged { Color::Black } else { Color::Red })
    })
}

/// The random seed of a game.
fn game_seed(plan: &SelfPlayPlan, id: u64) -> u64 {
    plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ id
}

/// Whether the next move is a random one.
fn is_random(plan: &SelfPlayPlan, random: &mut Xoshiro256PlusPlus) -> bool {
    random.random_range(0..1000) < plan.random_later
}

/// Whether a position is labelled.
fn is_labelled(plan: &SelfPlayPlan, random: &mut Xoshiro256PlusPlus) -> bool {
    plan.quick_nodes == 0 || random.random_range(0..1000) < plan.labels
}

/// Whether a game begins with a random endgame.
fn is_endgame(plan: &SelfPlayPlan, random: &mut Xoshiro256PlusPlus) -> bool {
    plan.endgames > 0 && random.random_range(0..1000) < plan.endgames
}

/// The opening of a game: random moves to a balanced position, or a balanced random endgame.
fn opening(player: &mut NetworkPlayer, plan: &SelfPlayPlan, id: u64) -> Position {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(game_seed(plan, id));
    player.pool.clear();
    balanced_opening(player, plan, &mut random)
}

/// Plays a game to its end, with one player for both sides, or with Red's and Black's.
fn finish(players: &mut [&mut NetworkPlayer], plan: &SelfPlayPlan, id: u64, mut position: Position) -> Game {
    let rules = Settings::default();
    // Different random numbers from those of the opening.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(!game_seed(plan, id));
    let mut plies: Vec<Ply> = position.moves().map(|mv| Ply { mv, score: None }).collect();
    let mut pv_nodes = Vec::new();
    // The positions of the game that have a label.
    let mut labelled = HashSet::new();
    let start = position.initial();
    let mut adjudicator = Adjudicator::new(&plan.adjudication);
    let (won, ending) = loop {
        if let Some(result) = ruled(&position, &rules) {
            break result;
        }
        if plies.len() >= plan.ply_limit as usize {
            break (Won::Nobody, Ending::PlyLimit);
        }
        let player = position.side_to_move().index() % players.len();
        // A position in which a random move is played has no label: training selects quiet positions by the move played, and uses the
        // scores of later plies.
        let is_random = is_random(plan, &mut random);
        let is_labelled = is_labelled(plan, &mut random) && !is_random;
        let found = players[player].search(plan, &mut position, is_labelled);
        // There is a legal move, so the search has one too.
        let Some(mv) = found.outcome.best else { break (Won::Nobody, Ending::PlyLimit) };
        let ply = plies.len();
        pv_nodes.extend(found.pv_nodes.into_iter().map(|node| (ply, node)));
        labelled.extend(found.label.map(|_| position.board().key()));
        let mv = if is_random { random_move(&mut random, position.board()).unwrap_or(mv) } else { mv };
        plies.push(Ply { mv, score: found.label });
        let result = adjudicator.observe(position.side_to_move(), label(found.outcome.score), plies.len());
        position.make(mv);
        // A mate or a verdict on the board takes precedence over an adjudication.
        if let Some(result) = result {
            break ruled(&position, &rules).unwrap_or(result);
        }
    };
    Game { id, start, won, ending, plies, variations: variations(pv_nodes, labelled) }
}

/// The PV nodes of a game as labels. A position has one label only: that of the game, or else that of the last search, which has it nearest to
/// its root.
fn variations(pv_nodes: Vec<(usize, PvNode)>, mut labelled: HashSet<u64>) -> Vec<Variation> {
    let mut kept: Vec<Variation> = Vec::with_capacity(pv_nodes.len());
    for (ply, node) in pv_nodes.into_iter().rev() {
        if labelled.insert(node.key) {
            kept.push(Variation { ply, moves: node.line, score: label(node.score) });
        }
    }
    kept.reverse();
    kept
}

/// An opening that is balanced according to a search.
fn balanced_opening(player: &mut NetworkPlayer, plan: &SelfPlayPlan, random: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = Position::startpos();
    let is_endgame = is_endgame(plan, random);
    for _ in 0..OPENING_TRIES {
        if is_endgame {
            let Some(endgame) = random_endgame(random) else { continue };
            position = endgame;
        } else {
            let plies = random.random_range(plan.random_plies_min..=plan.random_plies_max.max(plan.random_plies_min));
            position = random_opening(random, plies as usize);
        }
        if ruled(&position, &player.settings).is_some() {
            continue;
        }
        let outcome = player.search(plan, &mut position, false).outcome;
        if label(outcome.score).unsigned_abs() <= plan.balance {
            break;
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> SelfPlayPlan {
        SelfPlayPlan { soft_nodes: 150, hard_nodes: 600, hash_mib: 1, ..SelfPlayPlan::default() }
    }

    fn player(plan: &SelfPlayPlan) -> NetworkPlayer {
        NetworkPlayer::new(plan, Arc::clone(Network::builtin()))
    }

    #[test]
    fn a_game_does_not_depend_on_earlier_games() {
        let plan = quick();
        let mut pool = player(&plan);
        let games: Vec<Game> = (0..3).map(|id| play(&mut pool, &plan, id)).collect();
        let mut other = player(&plan);
        assert!(play(&mut other, &plan, 2) == games[2]);
        assert!(games[0].plies != games[1].plies);
        assert!(play(&mut other, &SelfPlayPlan { seed: 2, ..plan }, 2).plies != games[2].plies);
    }

    #[test]
    fn games_are_legal_scored_after_the_opening_and_can_be_stored() {
        let plan = quick();
        let mut pool = player(&plan);
        let (mut labels, mut scored) = (0, 0);
        for id in 10..14 {
            let game = play(&mut pool, &plan, id);
            let opening = game.plies.iter().take_while(|ply| ply.score.is_none()).count();
            assert!(opening >= plan.random_plies_min as usize && opening < 40, "{opening}");
            labels += game.labels();
            scored += game.plies.len() - opening;
            game.replay(|position, ply| assert!(position.board().is_legal(ply.mv)));
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            assert!(Game::read(&bytes).is_ok_and(|read| read == game));
        }
        // All except those whose score depends on a repetition: many in a long game that ends in one, few in the others.
        assert!(labels * 10 >= scored * 6, "{labels} of {scored}");
    }

    #[test]
    fn random_moves_after_the_opening_have_the_frequency_of_the_plan() {
        let plan = SelfPlayPlan { random_later: 100, ..quick() };
        let mut player = player(&plan);
        let games: Vec<Game> = (0..6).map(|id| play(&mut player, &plan, id)).collect();
        assert!(play(&mut player, &plan, 1) == games[1], "the same numbers every time");
        assert!(play(&mut player, &quick(), 1).plies != games[1].plies);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let drawn = (0..10_000).filter(|_| is_random(&plan, &mut random)).count();
        assert!((800..1200).contains(&drawn), "{drawn}");
        let wild = play(&mut player, &SelfPlayPlan { random_later: 1000, ..quick() }, 1);
        assert_eq!(wild.labels(), 0, "no label where the move is random");
        games.iter().for_each(|game| game.replay(|position, ply| assert!(position.board().is_legal(ply.mv))));
    }

    #[test]
    fn games_begin_with_random_endgames_as_often_as_planned() {
        let plan = SelfPlayPlan { endgames: 500, ..quick() };
        let mut player = player(&plan);
        let games: Vec<Game> = (0..12).map(|id| play(&mut player, &plan, id)).collect();
        let pieces: Vec<usize> = games.iter().map(|game| game.start.board().occupied().len()).collect();
        assert!((2..=10).contains(&pieces.iter().filter(|count| **count < 32).count()), "{pieces:?}");
        assert!(pieces.iter().all(|count| (3..=24).contains(count) || *count == 32), "{pieces:?}");
        for game in &games {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            assert!(Game::read(&bytes).is_ok_and(|read| read == *game));
        }
        assert!(play(&mut player, &plan, 3) == games[3], "the same numbers every time");
    }

    #[test]
    fn with_quick_searches_few_quiet_positions_are_labelled() {
        let plan = SelfPlayPlan { quick_nodes: 40, labels: 400, ..quick() };
        let mut player = player(&plan);
        let games: Vec<Game> = (0..6).map(|id| play(&mut player, &plan, id)).collect();
        assert!(play(&mut player, &plan, 1) == games[1], "the same numbers every time");
        let (plies, labels) =
            games.iter().fold((0, 0), |(plies, labels), game| (plies + game.plies.len(), labels + game.labels()));
        assert!((10..45).contains(&(labels * 100 / plies)), "{labels} of {plies}");
        for game in &games {
            game.replay(|position, ply| assert!(ply.score.is_none() || !position.in_check()));
        }
        let none = play(&mut player, &SelfPlayPlan { labels: 0, ..plan.clone() }, 1);
        assert_eq!(none.labels(), 0);
        let all = play(&mut player, &SelfPlayPlan { labels: 1000, ..plan }, 1);
        assert!(all.labels() > all.plies.len() / 4, "{} of {}", all.labels(), all.plies.len());
    }

    #[test]
    fn the_scores_of_pv_nodes_are_stored_beside_the_same_game() {
        let plan = SelfPlayPlan { pv_nodes: true, ..quick() };
        let mut player = player(&plan);
        let game = play(&mut player, &plan, 3);
        assert!(game.variations.len() > game.plies.len(), "{} in {}", game.variations.len(), game.plies.len());
        game.replay_variations(|position, variation| {
            assert!(!position.in_check() && variation.score.abs() < MATE_SCORE && position.board().has_legal_move());
        });
        let mut labelled = HashSet::new();
        game.replay(|position, ply| {
            assert!(ply.score.is_none() || labelled.insert(position.board().key()) || position.occurrences() > 1)
        });
        game.replay_variations(|position, _| assert!(labelled.insert(position.board().key()), "a second label"));
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        assert!(Game::read(&bytes).is_ok_and(|read| read == game));
        assert!(play(&mut player, &plan, 3) == game, "the same nodes every time");
        assert!(play(&mut player, &quick(), 3) == Game { variations: Vec::new(), ..game });
    }

    #[test]
    fn equal_players_share_the_points_of_a_pair() {
        let plan = quick();
        let (mut first, mut second) = (player(&plan), player(&plan));
        for id in 0..3 {
            assert_eq!(play_pair(&mut first, &mut second, &plan, id).iter().sum::<u8>(), 2);
        }
    }

    #[test]
    fn repetitions_on_a_line_are_detected() {
        let line = |text: &str| -> Vec<Move> { text.split(' ').map(|mv| Move::from_uci(mv).expect("a move")).collect() };
        let mut position = Position::startpos();
        assert!(!repeats(&mut position, &line("a0a1 a9a8 a1a0 i9i8")));
        assert!(repeats(&mut position, &line("a0a1 a9a8 a1a0 a8a9 h2e2")));
        line("a0a1 a9a8").into_iter().for_each(|mv| position.make(mv));
        assert!(repeats(&mut position, &line("a1a0 a8a9")));
        assert!(!repeats(&mut position, &line("h2e2 h7e7")));
        assert!(!repeats(&mut position, &[]));
        assert_eq!(position.plies(), 2);
    }

    #[test]
    fn labels_distinguish_mates_from_evaluations() {
        assert_eq!(label(Score::Centipawns(-35)), -35);
        assert_eq!(label(Score::Centipawns(29_500)), MATE_SCORE - 1);
        assert_eq!(label(Score::Mate(3)), MAX_SCORE - 3);
        assert_eq!(label(Score::Mate(-1)), 1 - MAX_SCORE);
        assert!(label(Score::Mate(0)) <= -MATE_SCORE);
    }
}
