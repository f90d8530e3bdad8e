//! Moves repeated for people in a notation of their choice, in the encoding that the client reads.

use crate::board::Board;
use crate::notation::{self, System};
use crate::records::{TextEncoding, encode};
use crate::types::Move;

/// How moves are repeated for people besides coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Telling {
    /// The notation, none for silence.
    pub system: Option<System>,
    /// The encoding of its characters.
    pub encoding: TextEncoding,
}

impl Telling {
    /// A line that begins with `head` and continues with the moves, as many as fit into `room` bytes; none when no notation is
    /// set. A line that the encoding cannot represent is written in the Latin letters of the official notation.
    pub fn line(&self, head: &str, board: &Board, moves: &[Move], room: usize) -> Option<Vec<u8>> {
        let system = self.system?;
        let write = |system| -> Option<Vec<u8>> {
            let mut line = head.as_bytes().to_vec();
            for text in notation::write_line(system, board, moves) {
                let (encoded, lost) = encode(&text, self.encoding);
                if lost > 0 {
                    return None;
                }
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

    /// A line for people with Chinese words at its end, which are left out when the encoding lacks one of their characters.
    pub fn message(&self, text: &str, chinese: &str) -> Vec<u8> {
        let mut line = text.as_bytes().to_vec();
        let (encoded, lost) = encode(chinese, self.encoding);
        if lost == 0 {
            line.push(b' ');
            line.extend_from_slice(&encoded);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn start_line(system: System, encoding: TextEncoding) -> Option<Vec<u8>> {
        let telling = Telling { system: Some(system), encoding };
        telling.line("x", Position::startpos().board(), &[Move::from_uci("h0g2").unwrap()], 99)
    }

    #[test]
    fn characters_in_the_encoding_of_the_client() {
        assert_eq!(start_line(System::Chinese, TextEncoding::Utf8), Some("x 馬二進三".into()));
        assert_eq!(
            start_line(System::ChineseSimplified, TextEncoding::Gbk),
            Some(b"x \xc2\xed\xb6\xfe\xbd\xf8\xc8\xfd".to_vec())
        );
        assert_eq!(start_line(System::Chinese, TextEncoding::Big5), Some(b"x \xb0\xa8\xa4\x47\xb6\x69\xa4\x54".to_vec()));
        // Big5 has no simplified horse.
        assert_eq!(start_line(System::ChineseSimplified, TextEncoding::Big5), Some(b"x H2+3".to_vec()));
    }

    #[test]
    fn chinese_words_where_the_encoding_has_them() {
        let message = |encoding| Telling { system: None, encoding }.message("Same-direction Cannons", "顺炮");
        assert_eq!(message(TextEncoding::Utf8), "Same-direction Cannons 顺炮".as_bytes());
        assert_eq!(message(TextEncoding::Gbk), b"Same-direction Cannons \xcb\xb3\xc5\xda");
        assert_eq!(message(TextEncoding::Big5), b"Same-direction Cannons");
    }

    #[test]
    fn a_line_stays_in_its_room() {
        let board = *Position::startpos().board();
        let moves: Vec<Move> = ["h2e2", "h9g7", "h0g2"].iter().map(|text| Move::from_uci(text).unwrap()).collect();
        let telling = Telling { system: Some(System::Uci), encoding: TextEncoding::Utf8 };
        assert_eq!(telling.line("x", &board, &moves, 11), Some(b"x h2e2 h9g7".to_vec()));
        assert_eq!(telling.line("x", &board, &moves, 99), Some(b"x h2e2 h9g7 h0g2".to_vec()));
        assert_eq!(Telling { system: None, ..telling }.line("x", &board, &moves, 99), None);
    }
}
