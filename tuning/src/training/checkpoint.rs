//! A training run on disk, between two rounds.
//!
//! ```text
//! "chuheckp", u32 version (1), u64 architecture hash, u32 fingerprint of the recipe, u64 data bytes, u64 optimizer steps,
//! u32 length and history (JSON), f32 parameters, means, squares and averages (as many each as a model of that architecture has), u32 CRC-32 of all before
//! ```

use super::model::{Layout, Model};
use super::optimizer::AdamW;
use chuhe::nnue::{Width, architecture_hash};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"chuheckp";
const VERSION: u32 = 2;
const HEAD: usize = 8 + 4 + 8 + 4 + 8 + 8 + 4;

/// Why bytes are no checkpoint that a run can continue from.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// They do not begin like a checkpoint.
    #[error("no checkpoint, expected it to begin with 'chuheckp'")]
    NotCheckpoint,
    /// Another version of the layout.
    #[error("checkpoint version {0}, expected {VERSION}")]
    Version(u32),
    /// Another architecture of the network.
    #[error("checkpoint of architecture {0:016x}, which this program does not know")]
    Architecture(u64),
    /// The length is not what the head says.
    #[error("checkpoint of {found} bytes, expected {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there must be.
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
    /// From 0.
    pub round: usize,
    /// Mean loss over the round's batches, each before the step it led to.
    pub loss: f64,
    /// Mean loss over the positions set aside, after the round.
    pub validation_loss: f64,
    /// Learning rate of the last batch.
    pub rate: f32,
    /// Share of the result in the target.
    pub result_share: f32,
    /// Positions trained on.
    pub positions: u64,
    /// Time of the batches.
    pub seconds: f64,
}

/// All that a run needs to continue.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// [`super::Recipe::fingerprint`] of the recipe.
    pub fingerprint: u32,
    /// Size of the data when the run began.
    pub data_bytes: u64,
    /// The model after the last finished round.
    pub model: Model,
    /// The optimizer's memory.
    pub optimizer: AdamW,
    /// The rounds so far.
    pub history: Vec<Round>,
}

fn number<const BYTES: usize>(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + BYTES].iter().rev().fold(0, |value, &byte| value << 8 | byte as u64)
}

impl Checkpoint {
    /// Bytes of parameters, means, squares and averages for a width.
    fn bytes_of_numbers(width: Width) -> usize {
        4 * 4 * Layout(width).parameters()
    }

    /// The checkpoint as a file.
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
    /// What is wrong with the bytes.
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
