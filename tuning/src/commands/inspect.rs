//! `chuhe-tuning inspect`: shows the contents of a network file.

use crate::say;
use anyhow::anyhow;
use chuhe::board::Position;
use chuhe::nnue::{INPUTS, OUTPUT_BUCKETS, architecture_hash};
use chuhe::types::FILES;
use clap::Args;

/// Checks a network file and shows its parameters and its evaluation of a position, piece by piece.
#[derive(Args, Debug)]
pub struct Inspect {
    /// Network file, `embedded` for the built-in one, or `material` for the one that counts material
    network: String,
    /// The position to evaluate (default: the start position)
    #[arg(long)]
    fen: Option<String>,
}

fn largest(numbers: &[i16]) -> i16 {
    numbers.iter().copied().map(i16::saturating_abs).max().unwrap_or(0)
}

impl Inspect {
    /// Runs and prints the description, sizes, the board with each piece's contribution, and last `value N`.
    ///
    /// # Errors
    /// If the file is not a network of this program, or the FEN is not a position.
    pub fn run(self) -> anyhow::Result<()> {
        let network = super::read_network(&self.network)?;
        let position = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(|error| anyhow!("--fen: {error}"))?,
        };
        let parameters = network.parameters();
        say!("description {}", parameters.description.escape_debug());
        let (width, hash) = (network.width(), architecture_hash(network.width()));
        say!("architecture {hash:016x} {INPUTS} inputs {} hidden {OUTPUT_BUCKETS} buckets", width.units());
        say!("scale {} bytes {} simd {:?}", parameters.scale, network.to_bytes().len(), network.simd());
        say!("largest feature-weight {} bits {}", largest(&parameters.feature_weights), network.weight_bits());
        say!("largest output-weight {}", largest(&parameters.output_weights));
        let board = position.board();
        let squares: Vec<_> = chuhe::types::Square::all().collect();
        for rank in squares.chunks(FILES).rev() {
            let cells = rank.iter().map(|&square| {
                let letter = board.piece_on(square).map_or('.', |piece| piece.fen_letter());
                let part = network.contribution(board, square).map_or(String::new(), |part| part.to_string());
                format!("{letter}{part:<6}")
            });
            say!("{}", cells.collect::<String>().trim_end());
        }
        say!("value {}", network.evaluate(board));
        Ok(())
    }
}
