//! What the fuzz targets call, so that bounded random loops in the tests can call it too. Each function must return for
//! any bytes, and asserts what must hold for those that are accepted.

use crate::records::{Game, Reader, unpack_board};
use chuhe::board::Position;
use chuhe::nnue::{INPUTS, Network, OUTPUT_BUCKETS, Parameters, Width};
use std::sync::LazyLock;

/// Bytes as a record file, as one game and as a board. What is accepted as a game is written and read back unchanged.
pub fn record_bytes(bytes: &[u8]) {
    if let Ok(reader) = Reader::new(std::io::Cursor::new(bytes)) {
        reader.for_each(drop);
    }
    if let Ok(game) = Game::read(bytes) {
        let mut again = Vec::new();
        game.write(&mut again);
        match Game::read(&again) {
            Ok(read) => assert_eq!(read, game),
            Err(error) => unreachable!("an accepted game was written as {error}"),
        }
    }
    if let Ok(board) = unpack_board(bytes) {
        assert_eq!(board.key(), board.recomputed_key());
    }
}

/// Bytes as a network file, as they are and with a right checksum. What is accepted evaluates the start position and is
/// written back unchanged.
pub fn network_bytes(bytes: &[u8]) {
    let mut repaired = bytes.to_vec();
    if let Some(end) = bytes.len().checked_sub(4) {
        let crc = crc32fast::hash(&bytes[..end]);
        repaired[end..].copy_from_slice(&crc.to_le_bytes());
    }
    for bytes in [bytes, &repaired] {
        if let Ok(network) = Network::from_bytes(bytes) {
            network.evaluate(Position::startpos().board());
            assert_eq!(network.to_bytes(), bytes);
        }
    }
}

/// Bytes before the description of a network file.
const NETWORK_HEAD: usize = 28;

/// The file of a network of zeros.
static EMPTY_NETWORK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let units = Width::W256.units();
    let network = Network::new(Parameters {
        description: String::new(),
        scale: 1,
        width: Width::W256,
        hidden_biases: vec![0; units],
        feature_weights: vec![0; INPUTS * units],
        output_weights: vec![0; OUTPUT_BUCKETS * 2 * units],
        output_biases: vec![0; OUTPUT_BUCKETS],
    });
    network.map(|network| network.to_bytes()).unwrap_or_default()
});

/// As [`network_bytes`], the bytes taken as changes to a file that is right: a fuzzer alone never arrives at its length. The first
/// change the head, then comes the description in the length that the head asks for, and the rest are numbers of six bytes
/// each, four for the place and two for the value.
pub fn network_changes(bytes: &[u8]) {
    let mut file = EMPTY_NETWORK.clone();
    let (head, rest) = bytes.split_at(bytes.len().min(NETWORK_HEAD));
    file.iter_mut().zip(head).for_each(|(byte, change)| *byte ^= change);
    let length = file.get(24..28).map_or(0, |length| length.iter().rev().fold(0, |value, &byte| value << 8 | byte as usize));
    let (description, numbers) = rest.split_at(length.min(rest.len()));
    file.splice(NETWORK_HEAD..NETWORK_HEAD, description.iter().copied());
    for change in numbers.chunks_exact(6) {
        let place = change[..4].iter().fold(0, |value, &byte| value << 8 | byte as usize) % (file.len() - 1);
        file[place..place + 2].copy_from_slice(&change[4..]);
    }
    network_bytes(&file);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_file_to_be_changed_is_right() {
        assert!(Network::from_bytes(&EMPTY_NETWORK).is_ok());
        network_changes(&[]);
    }

    proptest! {
        #[test]
        fn changed_networks_are_survived(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..100), zeros in 0usize..40) {
            network_changes(&[vec![0; zeros], bytes].concat());
        }
    }
}
