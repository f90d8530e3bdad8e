//! Generates a collection of games for measurements: `cargo run --release -p engine-tests --bin shallow_games GAMES [SEED [NODES [FIRST]]] >
//! games.pgn`.
//!
//! Both players follow the built-in book as long as it has the position. Then they search NODES nodes and play one of the best moves; with 0
//! (the default) they play the move that wins most in one exchange, with a little randomness, so that a hundred thousand games take a
//! minute. Names, events and dates are drawn from lists as large as those of a large collection. The same arguments give the same games, and
//! a game depends only on its number, so several runs with different FIRST give the games of a single run.

use chuhe::board::{Board, Position, START_FEN};
use chuhe::book;
use chuhe::search::{BestLines, Limits, Score, Settings};
use chuhe::threads::Pool;
use chuhe::types::{Color, Move, PieceType};
use rand::distr::weighted::WeightedIndex;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::io::{BufWriter, Write};

/// Number of different players.
const PLAYERS: usize = 3000;
/// Plies after which a game is drawn.
const MAX_PLIES: usize = 160;
/// With a search: score in centipawns at which a player may resign, and below which the players may agree to a draw.
const LOST: i32 = 600;
const EVEN: i32 = 60;

const FAMILIES: &str = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕";
const GIVEN: &str = "伟芳秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂国庆天川银洪智勤文清华亚东卫荣鑫海欣如";
const EVENTS: [&str; 5] = ["全国个人赛", "全国团体赛", "象甲联赛", "五羊杯", "银荔杯"];
const SITES: [&str; 8] = ["北京", "广州", "上海", "成都", "杭州", "哈尔滨", "武汉", "澳门"];

fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::King => 100,
        PieceType::Advisor | PieceType::Elephant => 2,
        PieceType::Horse | PieceType::Cannon => 4,
        PieceType::Rook => 9,
        PieceType::Pawn => 1,
    }
}

/// The material balance from Red's view.
fn material(board: &Board) -> i32 {
    let signed = |color: Color| if color == Color::Red { 1 } else { -1 };
    board.pieces().map(|(piece, _)| signed(piece.color()) * value(piece.kind())).sum()
}

/// A book move, or the one that wins most, in eighths of a pawn plus random noise of up to one.
fn choose(game: &Position, random: &mut Random) -> Option<Move> {
    let board = game.board();
    let known = book::builtin().moves(board);
    if let Ok(weights) = WeightedIndex::new(known.iter().map(|known| known.weight)) {
        return Some(known[random.sample(weights)].mv);
    }
    let side = board.side_to_move();
    let mut best = None;
    for mv in board.legal_moves() {
        let piece = board.piece_on(mv.from())?;
        let taken = board.piece_on(mv.to()).map_or(0, |taken| value(taken.kind()));
        let after = board.after(mv);
        let is_attacked = !after.attackers_of(!side, mv.to(), after.occupied()).is_empty();
        let risk = if is_attacked { value(piece.kind()) } else { 0 };
        let forward = if side == Color::Red { mv.to().rank() as i32 - 4 } else { 5 - mv.to().rank() as i32 };
        let score = 8 * (taken - risk) + forward / 2 + after.in_check() as i32 * 3 + random.random_range(0..8);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

fn play(start: &Position, random: &mut Random) -> (Vec<Move>, &'static str) {
    let mut game = start.clone();
    let mut moves = Vec::new();
    loop {
        let balance = material(game.board());
        let Some(mv) = choose(&game, random) else {
            return (moves, if game.side_to_move() == Color::Red { "0-1" } else { "1-0" });
        };
        if moves.len() > 40 && balance.abs() >= 9 && random.random_range(0..8) == 0 {
            return (moves, if balance > 0 { "1-0" } else { "0-1" });
        }
        if moves.len() >= MAX_PLIES || moves.len() > 60 && random.random_range(0..80) == 0 {
            return (moves, "1/2-1/2");
        }
        game.make(mv);
        moves.push(mv);
    }
}

/// A player that searches.
struct Player {
    pool: Pool,
    settings: Settings,
    nodes: u64,
}

impl Player {
    fn new(nodes: u64) -> Player {
        Player { pool: Pool::new(1, 1), settings: Settings::default(), nodes }
    }

    /// A book move, or one of the best with its score in centipawns.
    fn choose(&mut self, game: &Position, random: &mut Random) -> Option<(Move, i32)> {
        let known = book::builtin().moves(game.board());
        if let Ok(weights) = WeightedIndex::new(known.iter().map(|known| known.weight)) {
            return Some((known[random.sample(weights)].mv, 0));
        }
        // Variety for games of the same opening, more in early moves.
        let is_varied = random.random_range(0..game.plies() + 4) < 4;
        let limits = Limits { multipv: if is_varied { 4 } else { 1 }, nodes: Some(self.nodes), ..Limits::none() };
        let mut lines = BestLines::default();
        self.pool.search(game, &limits, &self.settings, &mut lines);
        let value = |score: Score| match score {
            Score::Centipawns(value) => value,
            Score::Mate(moves) => 10_000 * moves.signum(),
        };
        let best = value(lines.0.first()?.score);
        let near: Vec<_> = lines.0.iter().filter(|line| value(line.score) >= best - 80).collect();
        let chosen = near[random.random_range(0..near.len())];
        Some((*chosen.pv.first()?, value(chosen.score)))
    }

    fn play(&mut self, start: &Position, random: &mut Random) -> (Vec<Move>, &'static str) {
        self.pool.clear();
        let mut game = start.clone();
        let mut moves = Vec::new();
        loop {
            let is_red = game.side_to_move() == Color::Red;
            let lost = if is_red { "0-1" } else { "1-0" };
            let Some((mv, value)) = self.choose(&game, random) else { return (moves, lost) };
            if moves.len() > 30 && value < -LOST && random.random_range(0..4) == 0 {
                return (moves, lost);
            }
            let is_even = moves.len() > 70 && value.abs() < EVEN && random.random_range(0..20) == 0;
            if moves.len() >= MAX_PLIES || is_even || game.occurrences() > 2 {
                return (moves, "1/2-1/2");
            }
            game.make(mv);
            moves.push(mv);
        }
    }
}

fn main() -> Result<(), String> {
    let number = |at: usize, absent: Option<u64>| match std::env::args().nth(at) {
        Some(text) => text.parse().map_err(|_| format!("'{text}', expected a number")),
        None => absent.ok_or_else(|| "expected the number of games".to_string()),
    };
    let (games, seed, nodes, first) = (number(1, None)?, number(2, Some(46))?, number(3, Some(0))?, number(4, Some(1))?);
    let mut player = (nodes > 0).then(|| Player::new(nodes));
    let start = Position::from_fen(START_FEN).map_err(|error| error.to_string())?;
    let mut random = Random::seed_from_u64(seed);
    let (families, given): (Vec<char>, Vec<char>) = (FAMILIES.chars().collect(), GIVEN.chars().collect());
    let players: Vec<String> = (0..PLAYERS)
        .map(|_| {
            let mut name = String::from(families[random.random_range(0..families.len())]);
            (0..random.random_range(1..=2)).for_each(|_| name.push(given[random.random_range(0..given.len())]));
            name
        })
        .collect();
    // A few players play most of the games.
    let frequency = WeightedIndex::new((1..=PLAYERS).map(|rank| 1.0 / (rank + 10) as f64)).map_err(|error| error.to_string())?;
    let mut output = BufWriter::new(std::io::stdout().lock());
    for game in first..first.saturating_add(games) {
        let mut random = Random::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game);
        let (moves, result) = match &mut player {
            Some(player) => player.play(&start, &mut random),
            None => play(&start, &mut random),
        };
        let (year, month, day) = (random.random_range(1956..2026), random.random_range(1..=12), random.random_range(1..=28));
        let mut text = format!("[Event \"{year}年{}\"]\n", EVENTS[random.random_range(0..EVENTS.len())]);
        text += &format!("[Site \"{}\"]\n[Date \"{year}.{month:02}.{day:02}\"]\n", SITES[random.random_range(0..SITES.len())]);
        text += &format!("[Round \"{}\"]\n", random.random_range(1..=13));
        for color in ["Red", "Black"] {
            text += &format!("[{color} \"{}\"]\n", players[random.sample(&frequency)]);
        }
        text += &format!("[Result \"{result}\"]\n\n");
        for (ply, mv) in moves.iter().enumerate() {
            text += &if ply % 2 == 0 { format!("{}. {mv} ", ply / 2 + 1) } else { format!("{mv} ") };
        }
        text += &format!("{result}\n\n");
        output.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    }
    output.flush().map_err(|error| error.to_string())
}
