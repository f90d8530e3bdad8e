//! `chuhe-tuning inspect`: what is in a network file.

use chuhe::board::Position;
use chuhe::nnue::{HIDDEN, INPUTS, Network, OUTPUT_BUCKETS, Row, architecture_hash};
use chuhe::types::FILES;
use clap::Args;
use std::path::PathBuf;

/// Checks a network file and shows its numbers and what it says of a position, piece by piece.
#[derive(Args, Debug)]
pub struct Inspect {
    /// The network file
    network: PathBuf,
    /// The position to evaluate; the start position when absent
    #[arg(long)]
    fen: Option<String>,
}

fn largest<'a>(rows: impl Iterator<Item = &'a Row>) -> i16 {
    rows.flat_map(|row| row.0).map(i16::saturating_abs).max().unwrap_or(0)
}

impl Inspect {
    /// Runs and prints the description, sizes, the board with each piece's contribution, and last `value N`.
    ///
    /// # Errors
    /// When the file is no network of this program, or the position is none.
    pub fn run(self) -> Result<(), String> {
        let at = |error: String| format!("{}: {error}", self.network.display());
        let bytes = std::fs::read(&self.network).map_err(|error| at(error.to_string()))?;
        let network = Network::from_bytes(&bytes).map_err(|error| at(error.to_string()))?;
        let position = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(|error| format!("--fen: {error}"))?,
        };
        let parameters = network.parameters();
        println!("description {}", parameters.description.escape_debug());
        println!("architecture {:016x} {INPUTS} inputs {HIDDEN} hidden {OUTPUT_BUCKETS} buckets", architecture_hash());
        println!("scale {} bytes {} simd {:?}", parameters.scale, bytes.len(), network.simd());
        println!("largest feature-weight {}", largest(parameters.feature_weights.iter()));
        println!("largest output-weight {}", largest(parameters.output_weights.iter().flatten()));
        let board = position.board();
        let squares: Vec<_> = chuhe::types::Square::all().collect();
        for rank in squares.chunks(FILES).rev() {
            let cells = rank.iter().map(|&square| {
                let letter = board.piece_on(square).map_or('.', |piece| piece.fen_letter());
                let part = network.contribution(board, square).map_or(String::new(), |part| part.to_string());
                format!("{letter}{part:<6}")
            });
            println!("{}", cells.collect::<String>().trim_end());
        }
        println!("value {}", network.evaluate(board));
        Ok(())
    }
}
