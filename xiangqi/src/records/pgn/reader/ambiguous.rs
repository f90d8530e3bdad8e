//! Moves that fit several pieces: XieXie writes `P5+1` for either of two pawns on a file, elephantchess.io `Ri2` for either rook, and typed records
//! have 兵五进一 without front or rear. The moves after one show which is meant.

use super::super::moves::{self, Dialect, Signs};
use super::super::scanner::{Braces, Scanner, Token};
use super::super::words::{self, Beginning, is_only_signs, strip_marks, strip_number};
use super::Game;
use crate::board::Board;
use crate::notation::{ReadError, without_check};
use crate::records::RecordResult;
use crate::records::warning::warning;
use crate::types::Move;

/// Length in bytes of the text after a move that is compared: some 400 moves.
const WINDOW: usize = 4096;
/// Maximum number of lines that are compared at once, since the moves after an ambiguous one can be ambiguous too.
const LINES: usize = 32;

/// A line that begins with one of the moves that an ambiguous text can be.
struct Line {
    first: Move,
    board: Board,
    dialect: Dialect,
}

impl Line {
    /// The lines with each move that a text can be.
    fn with(&self, text: &str) -> Vec<Line> {
        let mut dialect = self.dialect;
        let read = moves::read(&self.board, text, &mut dialect, Signs::default);
        let all = read.map_or_else(|| candidates(&self.board, text, dialect).map_or(vec![], |(_, all)| all), |mv| vec![mv]);
        all.into_iter().map(|mv| Line { first: self.first, board: self.board.after(mv), dialect }).collect()
    }
}

/// The error of an ambiguous text, and the moves that it can be.
pub(super) fn candidates(board: &Board, text: &str, dialect: Dialect) -> Option<(ReadError, Vec<Move>)> {
    let error = moves::why_not(board, text, dialect.style)?;
    let ReadError::Ambiguous { candidates, .. } = &error else { return None };
    let all = candidates.clone();
    Some((error, all))
}

/// The first move of the only line in which the words that follow are legal moves. `None` if they fit several lines or none.
fn only_fitting(mut lines: Vec<Line>, scanner: Scanner<'_>) -> Option<Move> {
    let end = scanner.text.floor_char_boundary(scanner.at + WINDOW);
    // The cache of braces of a part of the text would be wrong for the whole.
    let braces = Braces::default();
    let mut scanner = Scanner { text: &scanner.text[..end], at: scanner.at, braces: &braces };
    loop {
        let word = match scanner.token() {
            Token::Word(word) if RecordResult::at_end(word).is_none() => word,
            Token::Comment(_) | Token::Glyph(_) => continue,
            Token::Open => {
                scanner.parenthesis();
                continue;
            }
            _ => return None,
        };
        let mut text = strip_marks(strip_number(word)).0;
        while !text.is_empty() && !is_only_signs(text) && !without_check(text).is_empty() {
            let fitting = continued(&lines, text);
            let Some(first) = fitting.first().map(|line| line.first) else {
                // XieXie writes the mark of a move before the number of the next one: `!!12.`.
                let latest = lines.first()?;
                match words::beginning(&latest.board, text, latest.dialect)? {
                    Beginning::Separator(length) | Beginning::Mark(length) => text = strip_marks(strip_number(&text[length..])).0,
                    _ => return None,
                }
                continue;
            };
            if fitting.len() > LINES {
                return None;
            }
            if fitting.iter().all(|line| line.first == first) {
                return Some(first);
            }
            lines = fitting;
            break;
        }
    }
}

/// The lines continued by a move.
fn continued(lines: &[Line], text: &str) -> Vec<Line> {
    let mut fitting: Vec<Line> = Vec::new();
    for line in lines.iter().flat_map(|line| line.with(text)) {
        if !fitting.iter().any(|other| other.first == line.first && other.board.key() == line.board.key()) {
            fitting.push(line);
        }
    }
    fitting
}

impl Game<'_> {
    /// The error of an ambiguous text, and the only one of the moves that it can be in which the moves after it are legal.
    pub(super) fn only_fitting(&self, board: &Board, text: &str, scanner: Scanner<'_>) -> Option<(ReadError, Move)> {
        let (error, all) = candidates(board, text, self.dialect)?;
        let lines = all.into_iter().map(|mv| Line { first: mv, board: board.after(mv), dialect: self.dialect }).collect();
        only_fitting(lines, scanner).map(|mv| (error, mv))
    }

    /// Plays an ambiguous move if the moves after it fit only one of those that it can be, with a warning. Returns false otherwise.
    pub(super) fn settle_ambiguity(&mut self, scanner: Scanner<'_>, word: &str) -> bool {
        let Some(point) = self.point else { return false };
        let (text, glyphs) = strip_marks(strip_number(word));
        let Some((error, mv)) = self.only_fitting(&point.board, text, scanner) else { return false };
        if !self.play(mv, text, glyphs) {
            return false;
        }
        self.record.warn(warning!(
            "ply {0}: {1}; read as {2}, the only one that the moves after it fit",
            "第{0}着：{1}；按其后的着法读作{2}",
            point.ply + 1,
            error,
            mv.to_string()
        ));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line, read};
    use crate::types::Color;

    #[test]
    fn variations_can_begin_with_an_ambiguous_move() {
        let head = "[FEN \"3k5/9/4P4/9/4P4/p8/9/9/9/5K3 w\"]\n\n";
        for text in [
            "1. K4.5 (1. P5+1 K4+1) K4.5",
            "1. K4.5 ({a remark} P5+1 $1 K4+1 2. K4+1) K4.5",
            "1. K4.5 K4.5\n\n【变1-0-1】\n1. P5+1 K4+1\n",
        ] {
            let record = read(&format!("{head}{text}\n"));
            let variation = record.children(record.root()).nth(1).unwrap_or_else(|| panic!("{text}: {:?}", record.warnings()));
            let reply = record.next(variation).and_then(|node| record.mv(node)).map(|mv| mv.to_string());
            assert_eq!((line(&record).as_str(), reply.as_deref()), ("f0e0 d9e9", Some("d9d8")), "{text}");
            assert!(record.mv(variation).is_some_and(|mv| mv.to_string() == "e5e6") && record.warnings().len() == 1, "{text}");
        }
        // Nothing shows which pawn is meant.
        let remark = read(&format!("{head}1. K4.5 (P5+1 is slower) K4.5\n"));
        let comment = remark.next(remark.root()).map(|node| remark.comment(node));
        assert_eq!((remark.moves_in_tree(), comment), (2, Some("(P5+1 is slower)")));
    }

    #[test]
    fn the_moves_after_an_ambiguous_one_show_which_piece_is_meant() {
        let pawns = "[FEN \"3k5/9/4P4/9/4P4/p8/9/9/9/5K3 w\"]\n\n";
        let both = "[FEN \"3k5/9/4P4/9/4P4/3p5/9/3p5/9/4K4 w\"]\n\n";
        let rooks = "[FEN \"4k4/9/9/9/9/9/9/9/R8/3K4R w\"]\n\n";
        for (head, text, moves, notes) in [
            (
                pawns,
                "1. P5+1 K4+1",
                "e5e6 d9d8",
                "ply 1: 'P5+1' is ambiguous, it can be e7e8 or e5e6; read as e5e6, the only one",
            ),
            (pawns, "1. P5+1 P1+1 !!2. K4+1! K4+1", "e5e6 a4a3 f0f1 d9d8", "ply 1: 'P5+1' is ambiguous"),
            (pawns, "1. 兵五进一 将4进1", "e5e6 d9d8", "ply 1: '兵五进一' is ambiguous"),
            (pawns, "1. P5+1 {a} (1. K4+1 K4.5) $1 K4+1! 1-0", "e5e6 d9d8", "ply 1: 'P5+1' is ambiguous"),
            (rooks, "1. Ri1 Ke8 2. Ra9", "i0i1 e9e8 a1a9", "read as i0i1"),
            // The moves in between are ambiguous too.
            (
                both,
                "1. P5+1 P4+1 2. K5+1 K4+1",
                "e5e6 d4d3 e0e1 d9d8",
                "ply 2: 'P4+1' is ambiguous, it can be d2d1 or d4d3; read as d4d3",
            ),
            // In a variation, whose end is no move.
            (pawns, "1. K4.5 (1. P5+1 K4+1) K4.5", "f0e0 d9e9", ""),
        ] {
            let record = read(&format!("{head}{text}\n"));
            let warnings = record.warnings().join("\n");
            assert_eq!((line(&record).as_str(), record.main_line_fault()), (moves, None), "{text}: {warnings}");
            assert!(warnings.contains(notes) && !warnings.contains("legal"), "{text}: {warnings}");
        }
        // Black could make the move too, but the FEN has Red to move.
        let other = read("[FEN \"3k5/9/4P4/9/4P4/4p4/9/9/9/5K3 w\"]\n\n1. P5+1 K4+1\n");
        assert_eq!((line(&other).as_str(), other.start.side), ("e5e6 d9d8", Color::Red), "{:?}", other.warnings());
        // Both pieces fit.
        for text in ["1. P5+1", "1. P5+1 P1+1", "1. P5+1 1-0", "1. P5+1 K4+2"] {
            let record = read(&format!("{pawns}{text}\n"));
            let fault = record.main_line_fault().unwrap_or_default();
            assert!(record.plies() == 0 && fault.contains("it can be e7e8 or e5e6); the rest"), "{text}: {fault}");
        }
    }
}
