//! Lists the legal moves of a position in coordinates, in the official Western notation and in Chinese.
//!
//! `cargo run -p xiangqi --example legal_moves -- 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w'`

use std::error::Error;
use xiangqi::board::Position;
use xiangqi::notation::{self, System};

fn main() -> Result<(), Box<dyn Error>> {
    let position = match std::env::args().nth(1) {
        Some(fen) => Position::from_fen(&fen)?,
        None => Position::startpos(),
    };
    let board = position.board();
    for &mv in &board.legal_moves() {
        let [official, chinese] = [System::Wxr, System::Chinese].map(|system| notation::write(system, board, mv));
        println!("{mv} {official} {chinese}");
    }
    Ok(())
}
