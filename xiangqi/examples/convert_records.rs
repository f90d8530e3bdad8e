//! Reads a game record file in any supported format and prints its games as PGN.
//!
//! `cargo run -p xiangqi --features records --example convert_records -- game.xqf`

use std::error::Error;
use std::path::Path;
use xiangqi::records::{self, Format, PgnOptions, Records};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected a file name")?;
    for record in Records::open(Path::new(&path), None)? {
        let (pgn, losses) = records::write(&record?, Format::Pgn, &PgnOptions::default())?;
        println!("{}", String::from_utf8_lossy(&pgn));
        if !losses.is_empty() {
            eprintln!("not carried over: {losses}");
        }
    }
    Ok(())
}
