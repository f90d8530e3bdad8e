//! What the fuzz targets call, so that bounded random loops in the tests can call it too. Each function must return for
//! any bytes, and asserts what must hold for those that are accepted.

use crate::records::{Game, Reader, unpack_board};
use chuhe::board::Position;
use chuhe::nnue::Network;

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
