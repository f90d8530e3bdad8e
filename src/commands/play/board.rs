//! Draws the board as text.

use crate::board::Board;
use crate::report::PieceStyle;
use crate::system::interprets_escapes;
use crate::types::{Color, FILES, Move, Piece, RANKS, Square};
use std::io::IsTerminal;

/// Drawing options.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Symbols on the pieces.
    pub style: PieceStyle,
    /// Whether to use colours (escape sequences).
    pub colors: bool,
    /// Whether Black's side is at the bottom.
    pub flipped: bool,
}

impl Look {
    /// The look on standard output: in colours on a terminal, unless the variable NO_COLOR is set (no-color.org).
    pub fn here(style: PieceStyle, flipped: bool) -> Look {
        let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colors = is_wanted && std::io::stdout().is_terminal() && interprets_escapes();
        Look { style, colors, flipped }
    }
}

const RED: &str = "\x1b[1;31m";
const BLACK: &str = "\x1b[1;36m";
const MARKED: &str = "\x1b[7m";
const PLAIN: &str = "\x1b[0m";

/// The board with files and ranks at the edges. The two points of the last move are shown in reverse video, or in brackets without colours.
/// Without colours a `v` precedes Black's characters, as it precedes the second player's pieces in shogi diagrams.
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

/// A point, four columns wide.
fn point(piece: Option<Piece>, is_marked: bool, look: Look) -> String {
    let is_letter = look.style == PieceStyle::Letters;
    let inner = match (piece, look.style) {
        (None, _) => '·',
        (Some(piece), PieceStyle::Characters) => piece.character(),
        (Some(piece), PieceStyle::Simplified) => piece.simplified(),
        // Red's letters are capitals.
        (Some(piece), PieceStyle::Letters) => piece.fen_letter(),
    };
    // A character is two columns wide.
    let filling = if is_letter || piece.is_some() { "" } else { " " };
    if !look.colors {
        let is_black = piece.is_some_and(|piece| piece.color() == Color::Black);
        let open = match is_marked {
            _ if is_black && !is_letter => 'v',
            true => '[',
            false => ' ',
        };
        let close = if is_marked { ']' } else { ' ' };
        return format!("{open}{inner}{filling}{close}{}", if is_letter { " " } else { "" });
    }
    let color = match piece.map(Piece::color) {
        Some(Color::Red) => RED,
        Some(Color::Black) => BLACK,
        None => "",
    };
    let mark = if is_marked { MARKED } else { "" };
    format!(" {color}{mark}{inner}{PLAIN}{filling}{} ", if is_letter { " " } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// Both sides use the same script, can be distinguished without colours, and all points have the same width.
    #[test]
    fn both_sides_use_the_same_script() {
        use unicode_width::UnicodeWidthStr;
        let board = *Position::startpos().board();
        let mv = Move::from_uci("h7e7").ok();
        for (style, first, second) in [
            (PieceStyle::Characters, "v車 v馬 v象 v士 v將 v士 v象 v馬 v車 ", " 車  馬  相  仕  帥  仕  相  馬  車 "),
            (PieceStyle::Simplified, "v车 v马 v象 v士 v将 v士 v象 v马 v车 ", " 车  马  相  仕  帅  仕  相  马  车 "),
        ] {
            let text = draw(&board, mv, Look { style, colors: false, flipped: false });
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!((lines[1], lines[11]), (&*format!(" 9 {first}9"), &*format!(" 0 {second}0")));
            assert!(lines[3].contains("[· ]") && (lines[3].contains("v砲]") || lines[3].contains("v炮]")), "{}", lines[3]);
            let ranks = lines.iter().filter(|line| line.ends_with(|c: char| c.is_ascii_digit()));
            assert_eq!(ranks.map(|line| line.width()).collect::<Vec<_>>(), [40; 10]);
            let colored = draw(&board, None, Look { style, colors: true, flipped: false });
            assert!(!colored.contains('v'), "{colored}");
        }
    }

    #[test]
    fn letters_flipping_and_the_last_move() {
        let mut position = Position::startpos();
        let mv = Move::from_uci("h2e2").unwrap();
        position.make(mv);
        let mut look = Look { style: PieceStyle::Letters, colors: false, flipped: false };
        let text = draw(position.board(), Some(mv), look);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with(" 9  r   n   b ")), "{text}");
        assert!(text.contains("[C]") && text.contains("[·]"), "{text}");
        look.flipped = true;
        assert!(draw(position.board(), None, look).lines().nth(1).is_some_and(|line| line.starts_with(" 0  R   N ")));
        look = Look { style: PieceStyle::Simplified, colors: true, flipped: false };
        assert!(draw(position.board(), Some(mv), look).contains(&format!("{RED}{MARKED}炮{PLAIN}")));
    }
}
