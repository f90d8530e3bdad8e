//! Writes `engine-tests/data/perft-differential.tsv`: perft counts of an independent move generator, Fairy-Stockfish.
//!
//! `cargo run --release -p engine-tests --bin perft_differential fairy-stockfish > engine-tests/data/perft-differential.tsv`
//!
//! Columns: FEN (board and side), moves, leaves after two plies. The positions are of two kinds: from random games, every
//! third of which prefers captures, and constructed by putting random pieces on points allowed for them, with the
//! kings, rooks, cannons and horses on the same few files more often than at random.

use chuhe::board::{Board, START_FEN, zone};
use chuhe::types::{Color, Piece, PieceType, Square};
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Number of positions of each kind.
const WANTED: usize = 4000;

fn from_games(random: &mut Random) -> Vec<String> {
    let mut fens = Vec::new();
    while fens.len() < WANTED {
        let greedy = random.random_bool(0.33);
        let Ok(mut board) = Board::from_fen(START_FEN) else { return fens };
        for _ in 0..160 {
            let moves = board.legal_moves();
            let captures: Vec<_> = moves.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
            let from: &[_] = if greedy && !captures.is_empty() { &captures } else { &moves };
            let Some(&mv) = from.choose(random) else { break };
            board = board.after(mv);
            if random.random_bool(0.05) {
                fens.push(board.to_fen());
            }
        }
    }
    fens.truncate(WANTED);
    fens
}

fn constructed(random: &mut Random) -> Vec<String> {
    let mut fens = Vec::new();
    while fens.len() < WANTED {
        let mut letters = ['1'; 90];
        let crowded = random.random_bool(0.5);
        for piece in Piece::all() {
            let density = if piece.kind() == PieceType::King { 1.0 } else { random.random_range(0.1..1.0) };
            for _ in 0..piece.kind().limit() {
                let place = |square: &Square| letters[square.index()] == '1' && (!crowded || (2..=6).contains(&square.file()));
                let square = zone(piece).into_iter().filter(place).choose(random);
                if let Some(square) = square.filter(|_| random.random_bool(density)) {
                    letters[square.index()] = piece.fen_letter();
                }
            }
        }
        let rows: Vec<String> = letters.chunks(9).rev().map(|row| row.iter().collect()).collect();
        let side = if random.random() { Color::Red } else { Color::Black };
        let fen = format!("{} {}", rows.join("/"), if side == Color::Red { 'w' } else { 'b' });
        // Fails if the side to move could take the king.
        fens.extend(Board::from_fen(&fen).map(|board| board.to_fen()));
    }
    fens
}

fn main() -> Result<(), String> {
    let program = std::env::args().nth(1).ok_or("usage: perft_differential PATH-OF-FAIRY-STOCKFISH")?;
    let mut engine = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let mut input = engine.stdin.take().ok_or("no input")?;
    let mut output = BufReader::new(engine.stdout.take().ok_or("no output")?).lines();
    let mut ask = |line: String| writeln!(input, "{line}").map_err(|error| error.to_string());
    ask("uci\nsetoption name UCI_Variant value xiangqi".into())?;
    let mut random = Random::seed_from_u64(2026);
    let mut fens = from_games(&mut random);
    fens.extend(constructed(&mut random));
    for fen in fens {
        let mut counts = Vec::new();
        for depth in 1..=2 {
            ask(format!("position fen {fen} - - 0 1\ngo perft {depth}"))?;
            let answer =
                output.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix("Nodes searched: ").map(String::from));
            counts.push(answer.ok_or("the engine gave no count")?);
        }
        println!("{fen}\t{}", counts.join("\t"));
    }
    ask("quit".into())
}
