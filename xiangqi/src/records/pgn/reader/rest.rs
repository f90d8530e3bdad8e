//! The rest of a line after a word that cannot be read.

use super::super::scanner::{Braces, Scanner, Token, trim_blank};
use super::super::words::{is_move, strip_marks, strip_number};
use super::{Game, Point, Signs, clip, glued, moves};
use crate::notation::{is_digit, number};
use crate::records::warning::warning;
use crate::records::{MAX_NODES, MAX_PLIES, RecordResult};
use crate::types::Color;

/// A result that can also be an evaluation.
pub(super) const DRAW_OR_VALUE: &str = "0.5";

impl Game<'_> {
    /// Whether a word is an evaluation or a time behind a move (`0.35`, `00:12`): the line continues or ends behind it.
    pub(super) fn is_value(&self, mut scanner: Scanner<'_>, word: &str) -> bool {
        let digits = word.trim_start_matches(['+', '-']);
        let has_form = digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.contains(['.', ':'])
            && digits.bytes().all(|byte| byte.is_ascii_digit() || b".:".contains(&byte));
        let Some(point) = self.point.filter(|point| has_form && point.ply > 0) else { return false };
        let rest = scanner.rest();
        let is_line_end = rest[..rest.len() - trim_blank(rest).len()].contains('\n');
        let is_next = !is_line_end || self.ply_of_next_number(scanner) == Some(point.ply);
        (is_next && self.begins_with_move(scanner, &point.board))
            || match scanner.token() {
                Token::End => word != DRAW_OR_VALUE,
                Token::Word(next) => RecordResult::at_end(next).is_some(),
                _ => false,
            }
    }

    /// The text and the end of a move in Chinese characters with blanks inside it, of which this word is the first part: `马 8 进 7`. In other
    /// notations the parts could be moves of their own.
    pub(super) fn pieces(&self, mut scanner: Scanner<'_>, word: &str) -> Option<(String, usize)> {
        // Characters of a move.
        const LENGTH: usize = 4;
        let bare = strip_number(word);
        let (number, mut text) = (&word[..word.len() - bare.len()], bare.to_string());
        let mut count = text.chars().count();
        if count >= LENGTH || !moves::is_chinese(&text) {
            return None;
        }
        while count < LENGTH {
            let Token::Word(next) = scanner.token() else { return None };
            let end = next.char_indices().nth(LENGTH - count).map_or(next.len(), |(at, _)| at);
            // Punctuation may follow the move, but no other letter.
            if next[end..].starts_with(char::is_alphanumeric) {
                return None;
            }
            text.push_str(&next[..end]);
            count += next[..end].chars().count();
            scanner.at -= next.len() - end;
        }
        let is_legal = |point: Point| moves::read(&point.board, &text, &mut self.dialect.clone(), Signs::default).is_some();
        // The side of the first move may still be corrected.
        let is_move = glued::begins_with_move(&text) && (self.record.moves_in_tree() == 0 || self.point.is_some_and(is_legal));
        is_move.then(|| (format!("{number}{text}"), scanner.at))
    }

    /// Ends a line at an unreadable word, or at a move that is not the next one. The rest, up to the end of the variation or the next game, is kept as a comment.
    pub(super) fn end_line(&mut self, scanner: &mut Scanner<'_>, word: &str, is_gap: bool) {
        let Some(point) = self.point else { return };
        let unread = clip(word, 0);
        let word: String = word.chars().take(20).collect();
        let line = if self.outer.is_empty() { warning!("main line", "主变") } else { warning!("variation", "变着") };
        let ply = point.ply + 1;
        let black_first = self.record.start.side == Color::Black;
        let round = self.record.start.fullmove as usize + (point.ply + black_first as usize) / 2;
        let (side, fen) = (point.board.side_to_move(), point.board.to_fen());
        let reason = moves::why_not(&point.board, strip_marks(strip_number(&word)).0, self.dialect.style);
        self.has_failed_move |= reason.is_some() && self.outer.is_empty();
        let what = match reason {
            _ if is_gap => warning!(
                "'{0}' is not the next move by its number: a move of {1} is missing before it",
                "按回合数，“{0}”不是下一着：其前缺少{1}的一着",
                word,
                side
            ),
            _ if point.ply >= MAX_PLIES => {
                warning!("'{0}' is left out, a line has at most {1} plies", "略去“{0}”，一条线最多{1}着", word, MAX_PLIES)
            }
            _ if self.record.moves_in_tree() >= MAX_NODES => {
                warning!("'{0}' is left out, a record has at most {1} moves", "略去“{0}”，一局棋谱最多{1}着", word, MAX_NODES)
            }
            Some(reason) => {
                warning!("'{0}' is not a legal move in {1} ({2})", "“{0}”在{1}中不是合法着法（{2}）", word, fen, reason)
            }
            None => warning!("'{0}' is not a legal move in {1}", "“{0}”在{1}中不是合法着法", word, fen),
        };
        let fault = warning!(
            "round {0} {1}, ply {2} ({3}): {4}; the rest of the line is kept as a comment",
            "第{0}回合{1}（{3}第{2}着）：{4}；该线其余部分作为注释保留",
            round,
            side,
            ply,
            line,
            what
        );
        if self.outer.is_empty() {
            self.record.break_main_line(fault)
        } else {
            self.record.warn(fault)
        }
        self.record.leave_out(1);
        let rest = if self.will_close() { self.rest_of_variation(scanner) } else { self.rest_of_main_line(scanner) };
        let here = self.here();
        self.record.append_comment(here, format!("{unread}{}", clip(rest, 0)).trim());
    }

    /// The text of the main line, or of a variation that is not closed, up to the result or the next game. Its moves are counted as dropped.
    fn rest_of_main_line<'t>(&mut self, scanner: &mut Scanner<'t>) -> &'t str {
        let start = scanner.at;
        let mut end = start;
        loop {
            match scanner.token() {
                Token::End => break,
                Token::Headings => {
                    if self.headings(scanner) {
                        break;
                    }
                    end = scanner.at;
                }
                Token::Word(word) if self.is_next_game(*scanner, word) => {
                    scanner.at -= word.len();
                    break;
                }
                Token::Word(word) => {
                    end = scanner.at;
                    let spaced = scanner.spaced_result(word);
                    // An evaluation (`0.5`) is not a result, nor is a part of a move (`车 9 平 8`).
                    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
                    let is_numeral = |next: char| is_digit(next) || number(next).is_some();
                    let is_other = is_number || (word == "平" && trim_blank(scanner.rest()).starts_with(is_numeral));
                    let result = RecordResult::at_end(word).filter(|_| !is_other);
                    if let Some(result) = spaced.map(|(result, _)| result).or(result) {
                        scanner.at = spaced.map_or(scanner.at, |(_, end)| end);
                        self.take_result(result);
                        self.is_over = true;
                        end -= word.len();
                        break;
                    }
                    self.record.leave_out(is_move(word) as usize);
                }
                _ => end = scanner.at,
            }
        }
        &scanner.text[start..end]
    }

    /// The text of a variation without its closing parenthesis. Its moves are counted as dropped.
    fn rest_of_variation<'t>(&mut self, scanner: &mut Scanner<'t>) -> &'t str {
        let inside = scanner.parenthesis();
        let inside = inside.strip_suffix([')', '）']).unwrap_or(inside);
        let mut scanner = Scanner { text: inside, at: 0, braces: &Braces::default() };
        loop {
            match scanner.token() {
                Token::End | Token::Headings => return inside,
                Token::Word(word) => self.record.leave_out(is_move(word) as usize),
                _ => {}
            }
        }
    }
}
