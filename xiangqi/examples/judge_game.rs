//! Plays the moves of a line from the start position and says what the rules of repetition make of it, and why.
//!
//! `cargo run -p xiangqi --example judge_game -- b2e2 b9c7 e2e6 d9e8`

use std::error::Error;
use xiangqi::board::Position;
use xiangqi::notation::LineReader;
use xiangqi::rules::{Language, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let moves: Vec<String> = std::env::args().skip(1).collect();
    // Any notation is read: h2e2, C2=5, 炮二平五.
    let line = LineReader::default().read(Position::startpos(), &moves)?;
    for reason in Rules::default().ruling(&line.position).lines(Language::English) {
        println!("{reason}");
    }
    Ok(())
}
