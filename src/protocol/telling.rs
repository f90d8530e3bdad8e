//! Moves told in Chinese notation, in the encoding the client reads.

use crate::board::Board;
use crate::notation::{self, System};
use crate::types::Move;

/// An encoding of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Everywhere but on old Windows programs.
    Utf8,
    /// Simplified Chinese Windows; XiangQi Wizard reads it.
    Gbk,
    /// Traditional Chinese Windows.
    Big5,
}

impl Encoding {
    /// The text in this encoding, none when it has a character that the encoding lacks.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        let encoding = match self {
            Encoding::Utf8 => return Some(text.as_bytes().to_vec()),
            Encoding::Gbk => encoding_rs::GBK,
            Encoding::Big5 => encoding_rs::BIG5,
        };
        let (bytes, _, unmappable) = encoding.encode(text);
        (!unmappable).then(|| bytes.into_owned())
    }
}

/// How moves are told besides coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Telling {
    /// The notation, none for silence.
    pub system: Option<System>,
    /// The encoding of its characters.
    pub encoding: Encoding,
}

impl Telling {
    /// A line that begins with `head` and goes on with the moves, as many as fit into `room` bytes; none when nothing is to
    /// be told. A line that the encoding can't hold is told in the official notation's Latin letters.
    pub fn line(&self, head: &str, board: &Board, moves: &[Move], room: usize) -> Option<Vec<u8>> {
        let system = self.system?;
        let write = |system| -> Option<Vec<u8>> {
            let mut line = head.as_bytes().to_vec();
            for text in notation::write_line(system, board, moves) {
                let encoded = self.encoding.encode(&text)?;
                if line.len() + 1 + encoded.len() > room {
                    break;
                }
                line.push(b' ');
                line.extend_from_slice(&encoded);
            }
            Some(line)
        };
        write(system).or_else(|| write(System::Wxr))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(Encoding::Gbk.encode("炮二平五"), Some(b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5".to_vec()));
        assert_eq!(Encoding::Big5.encode("炮二平五"), Some(b"\xac\xb6\xa4\x47\xa5\xad\xa4\xad".to_vec()));
        assert_eq!(Encoding::Big5.encode("马"), None);
        assert_eq!(Encoding::Utf8.encode("砲２平５"), Some("砲２平５".as_bytes().to_vec()));
    }

    #[test]
    fn a_line_stays_in_its_room() {
        let board = *crate::board::Position::startpos().board();
        let moves: Vec<Move> = ["h2e2", "h9g7", "h0g2"].iter().map(|text| Move::from_uci(text).unwrap()).collect();
        let telling = Telling { system: Some(System::Uci), encoding: Encoding::Utf8 };
        assert_eq!(telling.line("x", &board, &moves, 11), Some(b"x h2e2 h9g7".to_vec()));
        assert_eq!(telling.line("x", &board, &moves, 99), Some(b"x h2e2 h9g7 h0g2".to_vec()));
        assert_eq!(Telling { system: None, ..telling }.line("x", &board, &moves, 99), None);
    }
}
