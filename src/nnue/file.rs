//! The network file. All numbers are little-endian; WIDTH is the number of hidden units, which the architecture hash identifies.
//!
//! ```text
//! "chuhenet", u32 version (1), u64 architecture hash, i32 scale, u32 length and description (UTF-8),
//! i16 hidden biases [WIDTH], i16 feature weights [INPUTS][WIDTH],
//! i16 output weights [OUTPUT_BUCKETS][2][WIDTH], i32 output biases [OUTPUT_BUCKETS],
//! u32 CRC-32 of everything before it
//! ```

use super::architecture::{HEAD, INPUTS, MAGIC, MAX_DESCRIPTION, OUTPUT_BUCKETS, VERSION, architecture_hash};
use super::{Network, NetworkError, Parameters, Width};
use crate::types::crc32;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Upper bound of the size of a network file in bytes.
const MAX_FILE: u64 = (HEAD + Width::W1024.bytes() + MAX_DESCRIPTION + 5) as u64;

/// An error from reading a network file.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// The file could not be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: std::io::Error,
    },
    /// The contents are not a usable network.
    #[error("{}: {error}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The error in the contents.
        #[source]
        error: NetworkError,
    },
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    bytes[at..at + 4].iter().rev().fold(0, |value, &byte| value << 8 | byte as u32) as i32
}

fn numbers(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read or its contents are not a usable network.
    pub fn read(path: &Path) -> Result<Network, NetworkFileError> {
        let refused = |error| NetworkFileError::Io { path: path.into(), error };
        let mut bytes = Vec::new();
        // Opening a pipe would block until something writes to it.
        if path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir()) {
            let text = "a device or a pipe, expected a file with a network";
            return Err(refused(std::io::Error::new(std::io::ErrorKind::InvalidInput, text)));
        }
        let file = File::open(path).map_err(refused)?;
        // A file that is not a network may have any size.
        file.take(MAX_FILE).read_to_end(&mut bytes).map_err(refused)?;
        Network::from_bytes(&bytes).map_err(|error| NetworkFileError::Network { path: path.into(), error })
    }

    /// Parses the contents of a network file.
    ///
    /// # Errors
    /// If they are not a network that this program supports, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotNetwork);
        }
        if bytes.len() < HEAD {
            return Err(NetworkError::Length(bytes.len(), HEAD + Width::W256.bytes() + 4));
        }
        let version = i32_at(bytes, 8) as u32;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let architecture = i32_at(bytes, 12) as u32 as u64 | (i32_at(bytes, 16) as u32 as u64) << 32;
        let width = Width::of_architecture(architecture).ok_or(NetworkError::Architecture(architecture))?;
        let scale = i32_at(bytes, 20);
        let description_length = i32_at(bytes, 24) as u32 as usize;
        if description_length > MAX_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        let expected = HEAD + description_length + width.bytes() + 4;
        if bytes.len() != expected {
            return Err(NetworkError::Length(bytes.len(), expected));
        }
        if crc32(0, &bytes[..expected - 4]) != i32_at(bytes, expected - 4) as u32 {
            return Err(NetworkError::Checksum);
        }
        let (description, tables) = bytes[HEAD..expected - 4].split_at(description_length);
        let description = String::from_utf8(description.to_vec()).map_err(|_| NetworkError::Description)?;
        let row = 2 * width.units();
        let (hidden_biases, tables) = tables.split_at(row);
        let (feature_weights, tables) = tables.split_at(INPUTS * row);
        let (output_weights, output_biases) = tables.split_at(OUTPUT_BUCKETS * 2 * row);
        Network::new(Parameters {
            description,
            scale,
            width,
            hidden_biases: numbers(hidden_biases),
            feature_weights: numbers(feature_weights),
            output_weights: numbers(output_weights),
            output_biases: (0..OUTPUT_BUCKETS).map(|bucket| i32_at(output_biases, bucket * 4)).collect(),
        })
    }

    /// The contents of the network's file. A description longer than 64 KiB is truncated.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parameters = self.parameters();
        let mut length = parameters.description.len().min(MAX_DESCRIPTION);
        while !parameters.description.is_char_boundary(length) {
            length -= 1;
        }
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&architecture_hash(parameters.width).to_le_bytes());
        out.extend_from_slice(&parameters.scale.to_le_bytes());
        out.extend_from_slice(&(length as u32).to_le_bytes());
        out.extend_from_slice(&parameters.description.as_bytes()[..length]);
        for table in [&parameters.hidden_biases, &parameters.feature_weights, &parameters.output_weights] {
            table.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
        parameters.output_biases.iter().for_each(|bias| out.extend_from_slice(&bias.to_le_bytes()));
        out.extend_from_slice(&crc32(0, &out).to_le_bytes());
        out
    }

    /// The checksum at the end of the network's file, which identifies it in test plans and reports.
    pub fn checksum(&self) -> u32 {
        let file = self.to_bytes();
        i32_at(&file, file.len() - 4) as u32
    }
}
