//! The text of one move in whatever notation a file has it.

use crate::board::{Board, kind_of_letter};
use crate::notation::{self, System};
use crate::types::{Move, PieceType, Square};

/// How a file writes its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// One of the notations of the game.
    System(System),
    /// Letters as in chess, `Che2`, with the number of the lowest rank: 0 in WinBoard, 1 in pychess.
    Chesslike(i32),
}

/// What a text that is not in Chinese characters is tried as, the more certain first.
const WESTERN: [Dialect; 7] = [
    Dialect::System(System::Iccs),
    Dialect::System(System::Wxf),
    Dialect::System(System::Wxr),
    Dialect::System(System::Tandem),
    Dialect::System(System::Uci10),
    Dialect::Chesslike(0),
    Dialect::Chesslike(1),
];

/// Reads a move. The dialect of the moves before is tried first, and becomes that of this one, since single moves can be
/// read in two ways.
pub(super) fn read(board: &Board, text: &str, dialect: &mut Option<Dialect>) -> Option<Move> {
    let is_chinese = text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter));
    if is_chinese {
        // Characters are unmistakable, so they leave the dialect of the other moves alone.
        return notation::read(System::Chinese, board, text).ok();
    }
    // A sign of check or mate belongs to the letters of chess, but some programs put it behind coordinates too.
    let bare = text.trim_end_matches(['+', '#']);
    let attempt = |dialect: Dialect| match dialect {
        Dialect::System(system @ (System::Iccs | System::Uci10)) => notation::read(system, board, bare).ok(),
        Dialect::System(system) => notation::read(system, board, text).ok(),
        Dialect::Chesslike(lowest) => read_chesslike(board, bare, lowest),
    };
    let candidates = dialect.iter().copied().chain(WESTERN);
    let (found, mv) = candidates.into_iter().find_map(|dialect| attempt(dialect).map(|mv| (dialect, mv)))?;
    *dialect = Some(found);
    Some(mv)
}

/// Reads `Che2`, `Cxe6`, `Ege7`, `axa3`: piece, what tells it from others, `x`, goal.
fn read_chesslike(board: &Board, text: &str, lowest: i32) -> Option<Move> {
    if !text.is_ascii() || text.len() > 8 {
        return None;
    }
    let first = text.chars().next()?;
    let (kind, rest) = if first.is_ascii_uppercase() { (kind_of_letter(first)?, &text[1..]) } else { (PieceType::Pawn, text) };
    let rest = rest.replacen('x', "", 1);
    let goal_at = rest.rfind(|letter: char| letter.is_ascii_lowercase())?;
    let (origin, goal) = rest.split_at(goal_at);
    let file = |letter: char| ('a'..='i').contains(&letter).then(|| (letter as u8 - b'a') as i32);
    let rank = |digits: &str| digits.parse::<u8>().ok().map(|rank| rank as i32 - lowest);
    let to = Square::at(file(goal.chars().next()?)?, rank(&goal[1..])?)?;
    let origin_file = match origin.chars().next().filter(char::is_ascii_lowercase) {
        Some(letter) => Some(file(letter)?),
        None => None,
    };
    let digits = origin.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let origin_rank = if digits.is_empty() { None } else { Some(rank(digits)?) };
    let moves = board.legal_moves();
    let mut fitting = moves.iter().copied().filter(|mv| {
        mv.to() == to
            && board.piece_on(mv.from()).is_some_and(|piece| piece.kind() == kind)
            && origin_file.is_none_or(|file| mv.from().file() as i32 == file)
            && origin_rank.is_none_or(|rank| mv.from().rank() as i32 == rank)
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn every_dialect_reads_the_same_move() {
        let start = Position::startpos();
        for text in ["炮二平五", "C2.5", "C2=5", "Ｃ２＝５", "H2-E2", "h2e2", "h3e3", "Che2", "Che3", "h2e2+"] {
            let mv = read(start.board(), text, &mut None);
            assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Some("h2e2"), "{text}");
        }
        for text in ["Ce2", "1-0", "", "x", "Cxxe2", "Che99", "Che", "炮二平六七", "Zhe2", "é2"] {
            assert_eq!(read(start.board(), text, &mut None), None, "{text}");
        }
    }

    #[test]
    fn a_dialect_once_seen_is_kept() {
        let mut position = Position::startpos();
        let mut dialect = None;
        for text in ["h3e3", "h10g8", "b3b4"] {
            let mv = read(position.board(), text, &mut dialect).unwrap();
            position.make(mv);
        }
        // b3b4 would also be a move in the commoner squares, were there a piece.
        assert_eq!(dialect, Some(Dialect::System(System::Uci10)));
        assert_eq!(position.moves().last().map(|mv| mv.to_string()).as_deref(), Some("b2b3"));
    }
}
