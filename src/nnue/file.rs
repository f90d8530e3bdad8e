//! The network file. All numbers are little-endian.
//!
//! ```text
//! "chuhenet", u32 version (1), u64 architecture hash, i32 scale, u32 length and description (UTF-8),
//! i16 hidden biases [HIDDEN], i16 feature weights [INPUTS][HIDDEN],
//! i16 output weights [OUTPUT_BUCKETS][2][HIDDEN], i32 output biases [OUTPUT_BUCKETS],
//! u32 CRC-32 of all before
//! ```

use super::architecture::{HEAD, HIDDEN, INPUTS, MAGIC, NUMBERS, OUTPUT_BUCKETS, VERSION, architecture_hash};
use super::{Network, Parameters, Row};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Longest description in bytes.
const MAX_DESCRIPTION: usize = 1 << 16;
/// No network file is longer, in bytes.
const LONGEST_FILE: u64 = (HEAD + NUMBERS + MAX_DESCRIPTION + 5) as u64;
/// Why bytes are no network that this program can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The file does not begin like a network of ours.
    NotNetwork,
    /// Another version of the file's layout.
    Version(u32),
    /// Another architecture: other features, sizes or arithmetic.
    Architecture(u64),
    /// The file is not as long as it must be: bytes found, bytes expected.
    Length(usize, usize),
    /// The checksum does not fit the contents.
    Checksum,
    /// The description is too long or not UTF-8.
    Description,
    /// A table has a wrong number of entries.
    Size {
        /// Which table.
        what: &'static str,
        /// Its entries.
        found: usize,
        /// As many as there must be.
        expected: usize,
    },
    /// A number is out of range.
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: i32,
        /// The largest size allowed.
        limit: i32,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotNetwork => write!(f, "no network file, expected it to begin with 'chuhenet'"),
            NetworkError::Version(found) => write!(f, "network file version {found}, expected {VERSION}"),
            NetworkError::Architecture(found) => {
                write!(f, "network architecture {found:016x}, expected {:016x} ({})", architecture_hash(), architecture())
            }
            NetworkError::Length(found, expected) => write!(f, "network file of {found} bytes, expected {expected}"),
            NetworkError::Checksum => write!(f, "network file is damaged: its checksum does not fit"),
            NetworkError::Description => {
                write!(f, "network description, expected at most {MAX_DESCRIPTION} bytes of UTF-8")
            }
            NetworkError::Size { what, found, expected } => write!(f, "network has {found} {what}, expected {expected}"),
            NetworkError::Range { what, found, limit } => {
                write!(f, "network has a {what} of {found}, expected at most {limit} in size")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

/// The architecture in words.
fn architecture() -> String {
    format!("({INPUTS} to {HIDDEN}) x 2 to {OUTPUT_BUCKETS} buckets")
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    bytes[at..at + 4].iter().rev().fold(0, |value, &byte| value << 8 | byte as u32) as i32
}

fn row(bytes: &[u8]) -> Row {
    let mut row = Row([0; HIDDEN]);
    for (number, pair) in row.0.iter_mut().zip(bytes.chunks_exact(2)) {
        *number = i16::from_le_bytes([pair[0], pair[1]]);
    }
    row
}

impl Network {
    /// Reads the network in a file.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub fn read(path: &Path) -> Result<Network, String> {
        let at = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| at(&error))?;
        // A file that is no network may be of any length.
        file.take(LONGEST_FILE).read_to_end(&mut bytes).map_err(|error| at(&error))?;
        Network::from_bytes(&bytes).map_err(|error| at(&error))
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// When anything about it is not as this program needs it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotNetwork);
        }
        let least = HEAD + NUMBERS + 4;
        if bytes.len() < HEAD {
            return Err(NetworkError::Length(bytes.len(), least));
        }
        let version = i32_at(bytes, 8) as u32;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let architecture = i32_at(bytes, 12) as u32 as u64 | (i32_at(bytes, 16) as u32 as u64) << 32;
        if architecture != architecture_hash() {
            return Err(NetworkError::Architecture(architecture));
        }
        let scale = i32_at(bytes, 20);
        let description_length = i32_at(bytes, 24) as u32 as usize;
        if description_length > MAX_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        let expected = least + description_length;
        if bytes.len() != expected {
            return Err(NetworkError::Length(bytes.len(), expected));
        }
        if crc32fast::hash(&bytes[..expected - 4]) != i32_at(bytes, expected - 4) as u32 {
            return Err(NetworkError::Checksum);
        }
        let (description, numbers) = bytes[HEAD..expected - 4].split_at(description_length);
        let description = String::from_utf8(description.to_vec()).map_err(|_| NetworkError::Description)?;
        let (features, outputs) = numbers.split_at(2 * HIDDEN * (1 + INPUTS));
        let (hidden_biases, feature_weights) = features.split_at(2 * HIDDEN);
        let (output_weights, biases) = outputs.split_at(OUTPUT_BUCKETS * 4 * HIDDEN);
        Network::new(Parameters {
            description,
            scale,
            hidden_biases: row(hidden_biases),
            feature_weights: feature_weights.chunks_exact(2 * HIDDEN).map(row).collect(),
            output_weights: output_weights
                .chunks_exact(4 * HIDDEN)
                .map(|pair| [row(&pair[..2 * HIDDEN]), row(&pair[2 * HIDDEN..])])
                .collect(),
            output_biases: (0..OUTPUT_BUCKETS).map(|bucket| i32_at(biases, bucket * 4)).collect(),
        })
    }

    /// The network as a file. A description beyond 64 KiB is cut.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parameters = self.parameters();
        let mut length = parameters.description.len().min(MAX_DESCRIPTION);
        while !parameters.description.is_char_boundary(length) {
            length -= 1;
        }
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&architecture_hash().to_le_bytes());
        out.extend_from_slice(&parameters.scale.to_le_bytes());
        out.extend_from_slice(&(length as u32).to_le_bytes());
        out.extend_from_slice(&parameters.description.as_bytes()[..length]);
        let features = std::iter::once(&parameters.hidden_biases).chain(&parameters.feature_weights);
        for row in features.chain(parameters.output_weights.iter().flatten()) {
            row.0.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
        parameters.output_biases.iter().for_each(|bias| out.extend_from_slice(&bias.to_le_bytes()));
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }
}
