//! The state of a training run on disk, between two rounds.
//!
//! ```text
//! "chuheckp", u32 version (1), u64 architecture hash, u32 fingerprint of the recipe, u64 data bytes, u64 optimizer steps,
//! u32 length and history (JSON), f32 parameters, means, squares and averages (one of each per parameter of the architecture), u32 CRC-32 of all before
//! ```

use super::model::{Layout, Model};
use super::optimizer::AdamW;
use chuhe::nnue::{Width, architecture_hash};
use chuhe::types::counted;
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"chuheckp";
const VERSION: u32 = 2;
const HEAD: usize = 8 + 4 + 8 + 4 + 8 + 8 + 4;

/// An error of a checkpoint file.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// They do not begin like a checkpoint.
    #[error("not a checkpoint, expected it to begin with 'chuheckp'")]
    NotCheckpoint,
    /// Another version of the layout.
    #[error("checkpoint version {0}, expected {VERSION}")]
    Version(u32),
    /// Another architecture of the network.
    #[error("checkpoint of unknown architecture {0:016x}")]
    Architecture(u64),
    /// The length contradicts the header.
    #[error("checkpoint of {}, expected {expected}", counted(*found, "byte"))]
    Length {
        /// Actual size in bytes.
        found: usize,
        /// Expected size in bytes.
        expected: usize,
    },
    /// The checksum does not match.
    #[error("checkpoint is damaged: its checksum does not match")]
    Checksum,
    /// The history of rounds cannot be read.
    #[error("checkpoint history: {0}")]
    History(#[source] serde_json::Error),
}

/// One finished round.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Number of the round, from 0.
    pub round: usize,
    /// Mean loss over the round's batches, each computed before its optimizer step.
    pub loss: f64,
    /// Mean validation loss after the round.
    pub validation_loss: f64,
    /// Learning rate of the last batch.
    pub rate: f32,
    /// Weight of the result in the target.
    pub result_share: f32,
    /// Number of training positions.
    pub positions: u64,
    /// Time spent on the batches.
    pub seconds: f64,
}

/// Everything needed to continue a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// [`super::Recipe::fingerprint`] of the recipe.
    pub fingerprint: u32,
    /// Size of the data at the start of the run.
    pub data_bytes: u64,
    /// The model after the last finished round.
    pub model: Model,
    /// The optimizer's state.
    pub optimizer: AdamW,
    /// The finished rounds.
    pub history: Vec<Round>,
}

fn number<const BYTES: usize>(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + BYTES].iter().rev().fold(0, |value, &byte| value << 8 | byte as u64)
}

impl Checkpoint {
    /// Size of parameters, means, squares and averages for a width in bytes.
    fn bytes_of_numbers(width: Width) -> usize {
        4 * 4 * Layout(width).parameters()
    }

    /// Serialises the checkpoint.
    pub fn to_bytes(&self) -> Vec<u8> {
        let history = serde_json::to_vec(&self.history).unwrap_or_default();
        let mut out = Vec::with_capacity(HEAD + history.len() + Checkpoint::bytes_of_numbers(self.model.width) + 4);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&architecture_hash(self.model.width).to_le_bytes());
        out.extend_from_slice(&self.fingerprint.to_le_bytes());
        out.extend_from_slice(&self.data_bytes.to_le_bytes());
        out.extend_from_slice(&self.optimizer.steps.to_le_bytes());
        out.extend_from_slice(&(history.len() as u32).to_le_bytes());
        out.extend_from_slice(&history);
        for numbers in [&self.model.parameters, &self.optimizer.mean, &self.optimizer.square, &self.optimizer.average] {
            numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// When the bytes are not a valid checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        if !bytes.starts_with(MAGIC) || bytes.len() < HEAD {
            return Err(CheckpointError::NotCheckpoint);
        }
        let version = number::<4>(bytes, 8) as u32;
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        let found = number::<8>(bytes, 12);
        let Some(width) = Width::ALL.into_iter().find(|&width| architecture_hash(width) == found) else {
            return Err(CheckpointError::Architecture(found));
        };
        let history_length = number::<4>(bytes, 40) as usize;
        let expected = HEAD + history_length + Checkpoint::bytes_of_numbers(width) + 4;
        if bytes.len() != expected {
            return Err(CheckpointError::Length { found: bytes.len(), expected });
        }
        if crc32fast::hash(&bytes[..expected - 4]) as u64 != number::<4>(bytes, expected - 4) {
            return Err(CheckpointError::Checksum);
        }
        let (history, numbers) = bytes[HEAD..expected - 4].split_at(history_length);
        let mut tables = numbers
            .chunks_exact(4 * Layout(width).parameters())
            .map(|table| table.chunks_exact(4).map(|four| f32::from_bits(number::<4>(four, 0) as u32)).collect::<Vec<f32>>());
        let mut table = || tables.next().unwrap_or_default();
        Ok(Checkpoint {
            fingerprint: number::<4>(bytes, 20) as u32,
            data_bytes: number::<8>(bytes, 24),
            model: Model { width, parameters: table() },
            optimizer: AdamW { mean: table(), square: table(), average: table(), steps: number::<8>(bytes, 32) },
            history: serde_json::from_slice(history).map_err(CheckpointError::History)?,
        })
    }
}
