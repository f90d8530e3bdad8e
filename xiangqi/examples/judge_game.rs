//! Plays a line of moves from the start position and prints the verdict of the rules with its reasons.
//!
//! `cargo run -p xiangqi --example judge_game -- b2e2 b9c7 e2e6 d9e8`

use std::error::Error;
use xiangqi::board::Position;
use xiangqi::notation::LineReader;
use xiangqi::rules::{Language, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let moves: Vec<String> = std::env::args().skip(1).collect();
    // Accepts any notation: h2e2, C2=5, 炮二平五.
    let line = LineReader::default().read(Position::startpos(), &moves)?;
    for reason in Rules::default().ruling(&line.position).lines(Language::English) {
        println!("{reason}");
    }
    Ok(())
}
