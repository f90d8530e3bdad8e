//! Entry points of the fuzz targets, which bounded random loops in the tests call too. Each function must return for
//! any input, and asserts the invariants of accepted input.

use crate::records::{Ending, Game, Ply, Reader, Won, framed, pack_board, unpack_board};
use chuhe::board::Position;
use chuhe::nnue::{INPUTS, Network, OUTPUT_BUCKETS, Parameters, Width};
use chuhe::types::Move;
use std::sync::LazyLock;

/// Parses bytes as a record file, as the payload of a block after its numbers of games and scores, as one game and as a board. An accepted
/// game is written and read back unchanged. Returns the number of games and boards read in each way.
pub fn record_bytes(bytes: &[u8]) -> [usize; 4] {
    let games = |file: &[u8]| match Reader::new(std::io::Cursor::new(file)) {
        Ok(reader) => reader.filter(Result::is_ok).count(),
        Err(_) => 0,
    };
    let mut read = [games(bytes), 0, 0, 0];
    if let [count, labels, payload @ ..] = bytes {
        read[1] = games(&framed(payload, *count as u32, *labels as u32));
    }
    if let Ok(game) = Game::read(bytes) {
        read[2] = 1;
        let mut again = Vec::new();
        game.write(&mut again);
        match Game::read(&again) {
            Ok(read) => assert_eq!(read, game),
            Err(error) => unreachable!("an accepted game was written as {error}"),
        }
    }
    if let Ok(board) = unpack_board(bytes) {
        assert_eq!(board.key(), board.recomputed_key());
        read[3] = 1;
    }
    read
}

/// Seeds for each way in which [`record_bytes`] parses its input, in the same order.
pub fn record_seeds() -> [Vec<u8>; 4] {
    let plies = ["h2e2", "h9g7", "h0g2"].iter().filter_map(|text| Move::from_uci(text).ok());
    let plies = plies.map(|mv| Ply { mv, score: Some(20) }).collect();
    let game = Game { id: 1, start: Position::startpos(), won: Won::Red, ending: Ending::NoMoves, plies, variations: Vec::new() };
    let (mut bytes, mut board) = (Vec::new(), Vec::new());
    let labels = game.write(&mut bytes);
    pack_board(Position::startpos().board(), &mut board);
    [framed(&bytes, 1, labels), [&[1, labels as u8][..], &bytes].concat(), bytes, board]
}

/// Seeds for [`network_changes`]: no changes, a description, and a few numbers.
pub fn network_seeds() -> [Vec<u8>; 3] {
    let mut described = vec![0; NETWORK_HEAD];
    described[24] = 3;
    described.extend(b"net");
    let mut changed = vec![0; NETWORK_HEAD];
    changed.extend([0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 1, 0]);
    [Vec::new(), described, changed]
}

/// Parses bytes as a network file, unchanged and with a corrected checksum. An accepted network evaluates the start position and is
/// written back unchanged. Returns whether it was accepted.
pub fn network_bytes(bytes: &[u8]) -> bool {
    let mut is_network = false;
    let mut repaired = bytes.to_vec();
    if let Some(end) = bytes.len().checked_sub(4) {
        let crc = crc32fast::hash(&bytes[..end]);
        repaired[end..].copy_from_slice(&crc.to_le_bytes());
    }
    for bytes in [bytes, &repaired] {
        if let Ok(network) = Network::from_bytes(bytes) {
            network.evaluate(Position::startpos().board());
            assert_eq!(network.to_bytes(), bytes);
            is_network = true;
        }
    }
    is_network
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

/// As [`network_bytes`], but the bytes are changes to a valid file, since a fuzzer would never reach its length. The first bytes
/// change the header, then comes the description in the length given by the header; the rest are entries of six bytes
/// each, four for the offset and two for the value.
pub fn network_changes(bytes: &[u8]) -> bool {
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
    network_bytes(&file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_base_file_is_valid() {
        assert!(Network::from_bytes(&EMPTY_NETWORK).is_ok());
        network_changes(&[]);
    }

    /// The seeds are parsed to their end.
    #[test]
    fn seeds_are_accepted() {
        assert_eq!(network_seeds().map(|seed| network_changes(&seed)), [true; 3]);
        for (way, seed) in record_seeds().iter().enumerate() {
            assert_eq!(record_bytes(seed)[way], 1, "{way}");
        }
    }

    proptest! {
        #[test]
        fn changed_networks_do_not_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..100), zeros in 0usize..40) {
            network_changes(&[vec![0; zeros], bytes].concat());
        }
    }
}
