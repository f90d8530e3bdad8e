//! Headings of a game without tags: names, event, result, start position.

use super::{Board, Drawing, Game, NodeId, Record, RecordProblem, RecordResult, Signs, drawing, glued, moves, titles};
use crate::board::Position;
use crate::records::pgn::game_start::{Head, begins_first_round, begins_game, begins_with_two_moves, list_item};
use crate::records::pgn::scanner::{Scanner, is_tag_start, trim_blank};
use crate::records::pgn::words::{self, Beginning, strip_number};
use crate::records::warning::warning;

/// The least number of plies that show a line to be a game of its own.
const MIN_PLIES: usize = 3;

/// The legal moves at the beginning of a line.
#[derive(Default)]
struct LineBeginning {
    plies: usize,
    /// Whether the line has nothing else, as far as it is looked at.
    is_whole: bool,
    /// The position after a whole line.
    board: Option<Board>,
}

impl Game<'_> {
    /// Whether a word begins another game without tags, or its heading, after the main line.
    pub(super) fn is_next_game(&self, scanner: Scanner<'_>, word: &str) -> bool {
        !self.will_close()
            && self.ply() > 0
            // A line with the result alone ends this one.
            && scanner.line_of(word).is_some_and(|line| RecordResult::at_end(line.trim()).is_none())
            && Scanner { at: scanner.at - word.len(), ..scanner }.begins_next_game(|text| {
                self.is_after_first_round() && (begins_first_round(text) || self.begins_line_of_list(scanner, text))
            })
    }

    /// Whether the line at the start of this text, which is part of the text of the scanner, is another game of a list with one game a line, whose
    /// moves have no numbers: this game has no moves on other lines than its first one, and the line, or one of the next after it, can be read further
    /// from the start position than as the continuation of this game.
    fn begins_line_of_list(&self, scanner: Scanner<'_>, text: &str) -> bool {
        // Bounds of the work at every line: the bytes of titles above it, and the lines after it.
        const TITLES: usize = 1024;
        const LINES: usize = 16;
        let has_numbers = self.numbers.is_some_and(|numbers| !numbers.is_single());
        let Some(point) = self.point.filter(|_| self.record.start.is_standard() && !has_numbers) else { return false };
        let moves_of = |line| list_item(line).or_else(|| begins_with_two_moves(line).then_some(line));
        if moves_of(text).is_none() {
            return false;
        }
        let here = text.as_ptr() as usize - scanner.text.as_ptr() as usize;
        let own = trim_blank(&scanner.text[self.start.at.min(here)..here]);
        let later = own.split_once('\n').map_or("", |(_, later)| later);
        let has_moves = || later.split_whitespace().any(|word| glued::begins_with_move(strip_number(word)));
        if later.len() > TITLES || has_moves() {
            return false;
        }
        let fresh = *Position::startpos().board();
        let mut board = self.record.main_line_fault().is_none().then_some(point.board);
        for line in text.lines().map(trim_blank).filter(|line| !line.is_empty()).take(LINES) {
            let line = moves_of(line).unwrap_or(line);
            let afresh = self.legal_beginning(line, fresh);
            let further = board.map(|board| self.legal_beginning(line, board)).unwrap_or_default();
            if afresh.plies < MIN_PLIES {
                return false;
            }
            if afresh.plies > further.plies {
                return true;
            }
            if !afresh.is_whole {
                return false;
            }
            board = further.board;
        }
        false
    }

    /// The legal moves at the beginning of a line without numbers.
    fn legal_beginning(&self, line: &str, mut board: Board) -> LineBeginning {
        // Bounds the work at every line.
        const PLIES: usize = 32;
        let (mut dialect, mut rest, mut plies) = (self.dialect, trim_blank(line), 0);
        while let Some(word) = rest.split_whitespace().next().filter(|_| plies < PLIES) {
            let length = match words::beginning(&board, word, dialect) {
                Some(Beginning::Separator(length) | Beginning::Mark(length)) => length,
                Some(Beginning::Move(length)) => {
                    let Some(mv) = moves::read(&board, &word[..length], &mut dialect, Signs::default) else { break };
                    (board, plies) = (board.after(mv), plies + 1);
                    length
                }
                _ if RecordResult::at_end(word).is_some() => break,
                _ => return LineBeginning { plies, is_whole: false, board: None },
            };
            rest = trim_blank(&rest[length..]);
        }
        LineBeginning { plies, is_whole: true, board: Some(board) }
    }

    /// Whether moves numbered from 1 are those of another game: remarks are followed by the number of their own round.
    pub(super) fn is_after_first_round(&self) -> bool {
        self.ply() > 2 || self.record.main_line_fault().is_some()
    }

    /// Reports a comment with the tags of a game, below an empty line: one without a closing brace ends at the next one in the file.
    pub(super) fn warn_of_tags(&mut self, comment: &str) {
        let is_begun = |(before, line): (&str, &str)| before.trim().is_empty() && is_tag_start(line);
        if comment.contains("\n[") && comment.lines().zip(comment.lines().skip(1)).any(is_begun) {
            let start: String = comment.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(20).collect();
            self.record.warn(warning!(
                "the comment '{0}…' after ply {1} contains tags; its closing brace may be missing",
                "第{1}着后的注释“{0}…”含有标签，可能缺少结束的“}}”",
                start,
                self.ply()
            ));
        }
    }

    /// Reads a line of headings. Returns true if it ends this game. Above later moves of this game the line is a remark, and between its tags and
    /// its first move it belongs to it. A line with just a result belongs to this game if the game has moves but neither tags nor a result;
    /// otherwise, headings before moves belong to the next game.
    pub(super) fn headings(&mut self, scanner: &mut Scanner<'_>) -> bool {
        let Some((found, end)) = scanner.headings_here() else { return true };
        let line = scanner.text[scanner.at..end].trim();
        // After an unreadable move the line is kept with the rest of the moves.
        let is_unbroken = self.record.main_line_fault().is_none();
        let is_begun = self.record.moves_in_tree() > 0;
        if is_begun && self.goes_on(Scanner { at: end, ..*scanner }) {
            if is_unbroken {
                self.comment(line);
            }
            scanner.at = end;
            return false;
        }
        let is_lone_result = matches!(&found[..], [(titles::RESULT, _)]) && self.record.tags().next().is_none();
        let is_own = is_lone_result && self.record.result == RecordResult::Unknown && self.record.plies() > 0;
        if !is_own && scanner.head().is_some_and(|head| is_begun || !is_unbroken || !self.owns(&head)) {
            return true;
        }
        let mut is_taken = true;
        for (tag, value) in found {
            match tag {
                titles::RESULT if self.record.result == RecordResult::Unknown => self.record.read_result(value),
                titles::RESULT => is_taken &= RecordResult::understand(value) == Some(self.record.result),
                titles::FEN | titles::RED_NAME | titles::BLACK_NAME => is_taken = false,
                titles::MOVES => read_heading_of_moves(value, self.here(), &mut self.record),
                _ if self.record.tag(tag).is_none() => self.record.set_tag(tag, value),
                _ => is_taken &= value.is_empty() || self.record.tag(tag) == Some(value),
            }
        }
        if !is_taken && is_unbroken {
            self.comment(line);
        }
        if !is_begun {
            self.start.at = end;
        }
        scanner.at = end;
        is_lone_result && is_begun && self.outer.is_empty() && {
            scanner.skip_to_game();
            true
        }
    }

    /// Whether headings above the first move belong to this game, whose tags precede them: they are no position and contradict no tag.
    fn owns(&self, head: &Head<'_>) -> bool {
        let agrees = |&(tag, value): &(&str, &str)| match tag {
            titles::FEN | titles::RED_NAME | titles::BLACK_NAME => false,
            titles::RESULT => RecordResult::understand(value)
                .is_some_and(|result| [RecordResult::Unknown, result].contains(&self.record.result)),
            titles::MOVES => true,
            tag => value.is_empty() || self.record.tag(tag).is_none_or(|known| known.trim() == value),
        };
        head.titles.is_empty() && head.headings.iter().all(agrees)
    }

    /// Whether a line with a move number of this game, and not the next game, follows a line of headings.
    fn goes_on(&self, scanner: Scanner<'_>) -> bool {
        // Bounds the work at every line.
        const LINES: usize = 24;
        let Some(point) = self.point else { return false };
        let mut at = scanner.at;
        for line in scanner.rest().split_inclusive('\n').take(LINES) {
            let text = trim_blank(line);
            let here = Scanner { at: at + line.len() - text.len(), ..scanner };
            at += line.len();
            if is_tag_start(text) {
                return false;
            }
            let first = text.split_whitespace().next().unwrap_or_default();
            if strip_number(first).len() == first.len() {
                continue;
            }
            let is_next = self.outer.is_empty() && self.ply_of_next_number(here) == Some(point.ply);
            if is_next && self.begins_with_move(here, &point.board) {
                return true;
            }
            if begins_game(here.rest()) {
                return false;
            }
            let mut texts = text.split_whitespace().map(strip_number).filter(|text| !text.is_empty());
            if texts.next().is_some_and(glued::begins_with_move) {
                return true;
            }
        }
        false
    }
}

/// Adds the text before the moves of a game without tags: headings become tags, as do the players and the result in the last line that has
/// both; the first title the tag `Title` unless there is a heading for it, and other titles the comment before the game. A drawing is the start
/// position unless there is a FEN.
pub(super) fn read_head(head: &Head<'_>, record: &mut Record, is_drawn: &mut bool) -> Result<(), RecordProblem> {
    let root = record.root();
    let mut titles = head.titles.clone();
    let fen = head.headings.iter().find(|(tag, _)| *tag == titles::FEN).map(|(_, value)| *value);
    match drawing::find(&titles) {
        Some(Drawing::Board(lines, setup)) => {
            titles.drain(lines);
            record.start = setup;
            *is_drawn = fen.is_none_or(str::is_empty);
        }
        Some(Drawing::Unclear) if fen == Some("") => {
            return Err("the start position is drawn in a form that is not understood".into());
        }
        _ => {}
    }
    let is_named = head.headings.iter().any(|(tag, _)| ["Red", "Black"].contains(tag));
    let may_be_paired = !is_named && fen.is_none() && record.start.is_standard();
    let pairing = titles.iter().rposition(|title| may_be_paired && titles::pairing(title).is_some());
    let mut result = None;
    if let Some((at, pairing)) = pairing.and_then(|at| titles::pairing(titles[at]).map(|pairing| (at, pairing))) {
        record.set_tag("Red", pairing.red);
        record.set_tag("Black", pairing.black);
        result = Some(pairing.result);
        titles.splice(at..=at, Some(pairing.note).filter(|note| !note.is_empty()));
    }
    let has_title = head.headings.iter().any(|&(tag, value)| tag == titles::TITLE && !value.is_empty());
    let has_title = has_title || titles.first().is_none_or(|title| titles::has_form_of_heading(title));
    let (title, others) = titles.split_at(!has_title as usize);
    title.iter().for_each(|title| record.set_tag(titles::TITLE, *title));
    others.iter().for_each(|title| record.append_comment(root, title));
    record.result = result.or_else(|| titles.iter().find_map(|title| RecordResult::at_end(title))).unwrap_or_default();
    read_headings(&head.headings, record)
}

fn read_headings(headings: &[(&'static str, &str)], record: &mut Record) -> Result<(), RecordProblem> {
    let mut names = Vec::new();
    for &(tag, value) in headings.iter().filter(|(_, value)| !value.is_empty()) {
        match tag {
            titles::RESULT => record.read_result(value),
            titles::RED_NAME | titles::BLACK_NAME => names.push((tag.trim_end_matches("Name"), value)),
            titles::FEN => record.read_start(value)?,
            titles::MOVES => read_heading_of_moves(value, record.root(), record),
            _ => record.set_tag_once(tag, value),
        }
    }
    for (tag, value) in names {
        if record.tag(tag).is_none() {
            record.set_tag(tag, value);
        }
    }
    Ok(())
}

/// Reads the text of a heading of the moves, which may be the result: `【主变: 红胜】`.
fn read_heading_of_moves(value: &str, node: NodeId, record: &mut Record) {
    match RecordResult::understand(value) {
        Some(result) if record.result == RecordResult::Unknown => record.result = result,
        Some(_) => {}
        None => record.append_comment(node, value),
    }
}
