//! The board as text.

use crate::board::Board;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, Square};

/// How a board is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Letters in the place of characters.
    pub letters: bool,
    /// Colours, by escape sequences.
    pub colors: bool,
    /// Black's side at the bottom.
    pub flipped: bool,
}

const RED: &str = "\x1b[1;31m";
const BLACK: &str = "\x1b[1;36m";
const MARKED: &str = "\x1b[7m";
const PLAIN: &str = "\x1b[0m";

/// The character of a piece.
fn character(piece: Piece) -> char {
    let [red, black] = match piece.kind() {
        PieceType::King => ['帅', '将'],
        PieceType::Advisor => ['仕', '士'],
        PieceType::Elephant => ['相', '象'],
        PieceType::Horse => ['马', '馬'],
        PieceType::Rook => ['车', '車'],
        PieceType::Cannon => ['炮', '砲'],
        PieceType::Pawn => ['兵', '卒'],
    };
    if piece.color() == Color::Red { red } else { black }
}

/// The board, line by line, with the files as people count them at the edges. The points of the last move are marked: in colours
/// turned round, without them in brackets.
pub fn draw(board: &Board, last: Option<Move>, look: Look) -> String {
    let ranks: Vec<usize> = if look.flipped { (0..RANKS).collect() } else { (0..RANKS).rev().collect() };
    let files: Vec<usize> = if look.flipped { (0..FILES).rev().collect() } else { (0..FILES).collect() };
    let letters = |line: &mut String| {
        line.push_str("   ");
        files.iter().for_each(|&file| line.push_str(&format!(" {}  ", (b'a' + file as u8) as char)));
        line.push('\n');
    };
    let mut text = String::new();
    letters(&mut text);
    for (row, &rank) in ranks.iter().enumerate() {
        text.push_str(&format!("{rank:>2} "));
        for &file in &files {
            let Some(square) = Square::at(file as i32, rank as i32) else { continue };
            let is_marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
            text.push_str(&point(board.piece_on(square), is_marked, look));
            text.push(' ');
        }
        text.push_str(&format!("{rank}\n"));
        // The river.
        if row == RANKS / 2 - 1 {
            text.push_str(&format!("   {}\n", "~".repeat(4 * FILES - 1)));
        }
    }
    letters(&mut text);
    text
}

/// A point, three columns wide.
fn point(piece: Option<Piece>, is_marked: bool, look: Look) -> String {
    let inner = match piece {
        None if look.letters => "·".to_string(),
        None => "· ".to_string(),
        Some(piece) if look.letters => piece.fen_letter().to_string(),
        Some(piece) => character(piece).to_string(),
    };
    let [open, close] = match (is_marked && !look.colors, look.letters) {
        (true, true) => ["[", "]"],
        (true, false) => ["[", ""],
        (false, true) => [" ", " "],
        (false, false) => [" ", ""],
    };
    if !look.colors {
        return format!("{open}{inner}{close}");
    }
    let color = match piece.map(Piece::color) {
        Some(Color::Red) => RED,
        Some(Color::Black) => BLACK,
        None => "",
    };
    let mark = if is_marked { MARKED } else { "" };
    format!("{open}{color}{mark}{inner}{PLAIN}{close}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn both_sides_and_the_last_move() {
        let mut position = Position::startpos();
        let mv = Move::from_uci("h2e2").unwrap();
        position.make(mv);
        let mut look = Look { letters: true, colors: false, flipped: false };
        let text = draw(position.board(), Some(mv), look);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with(" 9  r   n   b ")), "{text}");
        assert!(text.contains("[C]") && text.contains("[·]"), "{text}");
        look.flipped = true;
        assert!(draw(position.board(), None, look).lines().nth(1).is_some_and(|line| line.starts_with(" 0  R   N ")));
        look = Look { letters: false, colors: true, flipped: false };
        assert!(draw(position.board(), Some(mv), look).contains(&format!("{RED}{MARKED}炮{PLAIN}")));
    }
}
