//! Counts collisions of the position key: `cargo run --release -p engine-tests --bin key_collisions [MILLIONS]`.
//!
//! Plays random games until the given number of millions of distinct positions (default 20) has been reached, and sorts them
//! by key. Positions are distinct if a second, independent 128-bit hash differs: SipHash with two keys over the
//! piece on each point and the side to move. Two neighbours with the same key but different hashes are a collision; for 20
//! million random 64-bit keys the expected number is 0.00001.

use chuhe::board::{Board, START_FEN};
use chuhe::types::Square;
use std::hash::{DefaultHasher, Hash, Hasher};

fn fingerprint(board: &Board) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        Square::all().for_each(|square| hasher.write_u8(board.piece_on(square).map_or(99, |piece| piece.index() as u8)));
        board.side_to_move().hash(&mut hasher);
        hasher.finish() as u128
    };
    half(1) << 64 | half(2)
}

fn main() -> Result<(), String> {
    let millions = match std::env::args().nth(1) {
        None => 20,
        Some(text) => text.parse::<usize>().map_err(|_| format!("'{text}' is not a number of millions"))?,
    };
    let wanted = millions * 1_000_000;
    let start = Board::from_fen(START_FEN).map_err(|error| error.to_string())?;
    let mut seen: Vec<(u64, u128)> = Vec::new();
    let mut random = 0x2026u64;
    let mut next = |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize % bound
    };
    let mut games = 0;
    while seen.len() < wanted {
        // A margin for repeated positions, which are removed below; more games are played if positions are missing then.
        while seen.len() < wanted + wanted / 16 {
            let mut board = start;
            games += 1;
            for ply in 0..200 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board = board.after(moves[next(moves.len())]);
                if ply >= 6 {
                    seen.push((board.key(), fingerprint(&board)));
                }
            }
        }
        seen.sort_unstable();
        seen.dedup();
    }
    let collisions = seen.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
    println!("games {games} distinct positions {} collisions {collisions}", seen.len());
    if collisions == 0 { Ok(()) } else { Err(format!("{collisions} collisions")) }
}
