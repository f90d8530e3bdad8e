//! Parentheses: variations, comments and results in them.

use super::super::moves::{self, Signs, is_chinese};
use super::super::scanner::{Scanner, Token};
use super::super::words::{strip_marks, strip_number};
use super::{Game, Point};
use crate::records::{MAX_PLIES, RecordResult};

impl Game<'_> {
    /// Handles an opening parenthesis: a variation if it starts with a legal alternative to the last move, otherwise a comment. One that is never
    /// closed is skipped if it does not start a variation.
    pub(super) fn open(&mut self, scanner: &mut Scanner<'_>) {
        let opened = scanner.text[..scanner.at].chars().next_back().map_or(0, char::len_utf8);
        let start = scanner.at - opened;
        if let Some(end) = self.restatement(*scanner) {
            scanner.at = end;
            return;
        }
        let is_closed = scanner.is_closed(start, self.start.at);
        let before = self.point.and_then(|point| point.before.map(|before| (point, before)));
        match before.filter(|(_, (_, board))| self.begins_with_move(*scanner, board)) {
            Some((point, (node, board))) if self.outer.len() < MAX_PLIES && (is_closed || self.goes_back(*scanner)) => {
                self.outer.push(point);
                if !is_closed {
                    self.unclosed = self.outer.len();
                }
                self.point =
                    Some(Point { node, board, before: None, ply: point.ply - 1, numbers: point.numbers.of_variation(), ..point });
            }
            _ if !is_closed => self.skip(&scanner.text[start..scanner.at]),
            _ => {
                let inside = scanner.parenthesis();
                // Drop a number in parentheses, such as a move number.
                if !inside.trim_end_matches([')', '）']).chars().all(char::is_numeric) {
                    self.comment(&scanner.text[start..scanner.at]);
                }
                if inside.starts_with('略') {
                    self.point.iter_mut().for_each(|point| point.numbers.omission());
                }
            }
        }
    }

    /// The end of a parenthesis that only repeats the last move in the other script, as bilingual texts do: `C2=5 (炮二平五)`. In the same script
    /// it is a variation.
    fn restatement(&self, scanner: Scanner<'_>) -> Option<usize> {
        // Longer than any move.
        const LONGEST: usize = 16;
        let point = self.point?;
        let (_, board) = point.before?;
        let (length, close) = scanner.rest().char_indices().take(LONGEST).find(|(_, letter)| ")）".contains(*letter))?;
        let inside = strip_marks(strip_number(scanner.rest()[..length].trim())).0;
        let is_same = || moves::read(&board, inside, &mut self.dialect.clone(), Signs::default) == self.record.mv(point.node);
        (point.in_chinese != is_chinese(inside) && is_same()).then_some(scanner.at + length + close.len_utf8())
    }

    /// Whether the next move is not the one after the last move: by its number or, without one, since it would be illegal there. The end of a
    /// variation with a heading hides the parentheses behind it, so one that is not closed there is no variation.
    fn goes_back(&self, scanner: Scanner<'_>) -> bool {
        let Some(point) = self.point.filter(|_| !self.in_branch) else { return false };
        match self.ply_of_next_number(scanner) {
            Some(ply) => ply < point.ply,
            None => !self.begins_with_move(scanner, &point.board),
        }
    }

    pub(super) fn close(&mut self) {
        self.flush_pending();
        if let Some(point) = self.outer.pop() {
            self.point = Some(point);
        }
        self.unclosed = self.unclosed.min(self.outer.len());
    }

    /// Whether a variation that is closed is read.
    pub(super) fn will_close(&self) -> bool {
        self.outer.len() > self.unclosed
    }

    /// Reads a result between parentheses, after the first one. Returns false if they contain something else.
    pub(super) fn result_in_parenthesis(&mut self, scanner: &mut Scanner<'_>) -> bool {
        // Longer than any result.
        const LONGEST: usize = 16;
        let rest = scanner.rest();
        let close = rest.char_indices().take(LONGEST).find(|(_, letter)| ")）".contains(*letter));
        let Some((length, letter)) = close else { return false };
        let behind = Scanner { at: scanner.at + length + letter.len_utf8(), ..*scanner };
        let is_result = self.closing_result(&rest[..length], behind);
        if is_result {
            scanner.at = behind.at;
        }
        is_result
    }

    /// Takes the text of a bracket as the result, if it is one, the game has none yet, and no move follows at `behind`. An evaluation in a
    /// bracket (`0.5`) is not a result.
    pub(super) fn closing_result(&mut self, text: &str, behind: Scanner<'_>) -> bool {
        let is_open = self.outer.is_empty() && self.record.result == RecordResult::Unknown;
        let Some(point) = self.point.filter(|point| is_open && point.ply > 0) else { return false };
        let result = RecordResult::at_end(text).filter(|result| *result != RecordResult::Unknown);
        let is_number = text.trim().trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let Some(result) = result.filter(|_| !is_number) else { return false };
        let is_next_game = || {
            let mut next = behind;
            matches!(next.token(), Token::Word(word) if self.is_next_game(next, word))
        };
        if self.begins_with_move(behind, &point.board) && !is_next_game() {
            return false;
        }
        self.record.result = result;
        self.is_over = true;
        true
    }
}
