//! Variations with a heading of their own below the main line, which go back to a move number, notes below the lines, and the move numbers
//! that lead to both.

use super::{Beginning, Game, Point, moves, words};
use crate::board::Board;
use crate::notation::{circled, number_in};
use crate::records::NodeId;
use crate::records::pgn::first_side::has_dots;
use crate::records::pgn::game_start::begins_first_round;
use crate::records::pgn::moves::Signs;
use crate::records::pgn::scanner::{
    Braces, Scanner, Token, announced, branch_heading, is_branch, is_end_of_branch, is_footer, note, trim_blank,
};
use crate::records::pgn::words::{begins_with_number, strip_marks, strip_number};
use crate::records::tree::clip;
use crate::records::warning::warning;
use crate::types::Color;
use std::collections::HashMap;

/// Number of the main line in headings.
pub(super) const MAIN: usize = 0;
/// Stands for the number of a variation that has none, and of a line that is not understood; higher than any number in a heading.
const UNNUMBERED: usize = usize::MAX;
const UNKNOWN: usize = usize::MAX - 1;

/// A line that variations can continue: the main line or a variation with a heading.
struct Line {
    /// Number of the line that it continues.
    parent: usize,
    /// The ply after which `passed` begins.
    start: usize,
    /// Nodes and boards of the line, as far as variations needed them.
    passed: Vec<(NodeId, Board)>,
}

/// The lines of a game by the number in their heading.
#[derive(Default)]
pub(super) struct Lines(HashMap<usize, Line>);

/// The move numbers of the main line.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    first: usize,
    last: usize,
    /// Plies before the last number.
    ply: usize,
    /// Whether dots after the last number stand for Red's move.
    has_dots: bool,
}

impl Numbers {
    /// Whether there has been a single number.
    pub(super) fn is_single(&self) -> bool {
        self.first == self.last
    }

    /// Whether every ply has a number of its own.
    fn count_plies(&self, black_first: bool) -> bool {
        self.ply > black_first as usize && self.last.checked_sub(self.first) == Some(self.ply)
    }

    /// The number that a move at `ply` can have at most if no move is missing, as long as the numbers may be those of plies.
    fn highest(&self, ply: usize) -> usize {
        let plies = ply - self.ply;
        let are_rounds = self.last > self.first && self.last - self.first < self.ply;
        self.last + if are_rounds { plies.div_ceil(2) } else { plies }
    }

    /// The plies that are missing from the first round: one if it has only a move of Black.
    fn missing(&self, black_first: bool) -> usize {
        match self.last.checked_sub(self.first) {
            Some(rounds) if black_first && rounds > 0 => (2 * rounds + self.has_dots as usize).saturating_sub(self.ply).min(1),
            _ => black_first as usize,
        }
    }

    /// The number of plies before the move with this number, of Black's if dots stand for Red's.
    fn ply_of(&self, number: usize, has_dots: bool, black_first: bool) -> Option<usize> {
        let passed = number.checked_sub(self.first)?;
        if self.count_plies(black_first) {
            return Some(passed);
        }
        (2 * passed + has_dots as usize).checked_sub(self.missing(black_first))
    }
}

/// The end of a variation with a heading of its own: the next such heading, another heading, note, line of dashes, footer or tag, or below
/// its first line the first round of another game.
fn end_of_branch(scanner: Scanner<'_>) -> usize {
    // A line inside a comment ends nothing: `there` is behind the comments of the lines so far.
    let (mut at, mut there, mut is_begun) = (scanner.at, scanner, false);
    for line in scanner.rest().split_inclusive('\n') {
        let text = trim_blank(line);
        if there.at <= at && (is_end_of_branch(text) || is_begun && begins_first_round(text)) {
            break;
        }
        is_begun |= !text.is_empty();
        at += line.len();
        while there.at < at
            && let Some(open) = scanner.text[there.at..at].find('{')
        {
            let open = there.at + open;
            there.at = open;
            if !there.comment(&scanner.text[open..]).1 {
                there.at = open + 1;
            }
        }
        there.at = there.at.max(at);
    }
    at
}

impl Game<'_> {
    /// Whether a word is a mark of dpxq.com at a move that has a comment (`*`) or variations (`m`, `B`), rather than a result or an error: the
    /// line continues, or notes or variations follow it.
    pub(super) fn is_mark(&self, scanner: Scanner<'_>, word: &str) -> bool {
        let Some(point) = self.point.filter(|point| point.ply > 0) else { return false };
        let has_variations = matches!(word, "m" | "B" | "*m" | "B*");
        if word != "*" && !has_variations {
            return false;
        }
        let (rest, in_main_line) = (scanner.rest(), self.outer.is_empty());
        let text = trim_blank(rest);
        let is_line_end = rest[..rest.len() - text.len()].contains(['\n', '\r']);
        if is_line_end && (is_branch(text) || note(text).is_some() || (has_variations && is_footer(text))) {
            return true;
        }
        let Some((number, has_dots)) = next_number(scanner) else { return has_variations && text.is_empty() && !in_main_line };
        let black_first = self.record.start.side == Color::Black;
        let is_next = match (number, self.numbers) {
            (Some(number), Some(numbers)) => {
                // The second number shows whether every ply has one.
                let is_plys = || number.checked_sub(numbers.last) == point.ply.checked_sub(numbers.ply);
                numbers.ply_of(number, has_dots, black_first) == Some(point.ply) || (in_main_line && !is_line_end && is_plys())
            }
            (Some(_), None) => false,
            // The second move of a round has no number.
            (None, Some(numbers)) if in_main_line => !is_line_end && numbers.ply + 1 == point.ply && !numbers.has_dots,
            (None, numbers) => !is_line_end && (point.ply + numbers.map_or(0, |numbers| numbers.missing(black_first))) % 2 == 1,
        };
        is_next && self.begins_with_move(scanner, &point.board)
    }

    /// Reads a line that starts with this word if it is a footer, a note on a ply or the heading of a variation.
    pub(super) fn special_line(&mut self, scanner: &mut Scanner<'_>, word: &str) -> bool {
        let Some(line) = scanner.line_of(word).filter(|_| self.outer.is_empty()) else { return false };
        let end = scanner.at - word.len() + line.len();
        if is_branch(line) {
            let end = end - line.len() + branch_heading(line);
            return self.branch(line, Scanner { at: end, ..*scanner }).is_some_and(|end| {
                scanner.at = end;
                true
            });
        }
        if let Some((ply, text)) = note(line) {
            scanner.at = self.note(ply, text, Scanner { at: end, ..*scanner });
            return true;
        }
        if !is_footer(line) {
            return false;
        }
        // An address may be the source of the game, while the name of the program is not worth keeping.
        if !line.starts_with(['棋']) {
            self.comment(line);
        }
        scanner.at = end;
        true
    }

    /// Reads a line such as `(二)马2进1` after its parenthesis, above the moves of a variation: `5.…………马2进1`. Returns false for other lines. Above
    /// moves that continue the main line it is skipped, since they repeat its move.
    pub(super) fn announced_line(&mut self, scanner: &mut Scanner<'_>) -> bool {
        let opened = scanner.text[..scanner.at].chars().next_back().map_or(0, char::len_utf8);
        let sign = &scanner.text[scanner.at - opened..scanner.at];
        let Some(line) = scanner.line_of(sign).filter(|_| self.outer.is_empty()) else { return false };
        let (Some(mv), Some(point)) = (announced(line), self.point) else { return false };
        let end = scanner.at - opened + line.len();
        let next = Scanner { at: end, ..*scanner };
        let repeats_move = || trim_blank(next.rest()).lines().next().is_some_and(|line| line.contains(mv));
        let end = match self.ply_of_next_number(next) {
            Some(ply) if ply == point.ply && repeats_move() && self.begins_with_move(next, &point.board) => Some(end),
            Some(ply) if ply < point.ply => self.branch(line, next),
            _ => None,
        };
        scanner.at = end.unwrap_or(scanner.at);
        end.is_some()
    }

    /// The end of a number with the move that was read last, as after a remark. None if the word before the current position, or the next
    /// one, is not that move.
    pub(super) fn repetition(&self, scanner: Scanner<'_>, word: &str) -> Option<usize> {
        const WORDS: usize = 4;
        let point = self.point.filter(|_| self.outer.is_empty() && begins_with_number(word))?;
        let (last, board) = (self.record.mv(point.node)?, point.before?.1);
        let mut here = Scanner { at: scanner.at - word.len(), ..scanner };
        let (mut number, mut is_black) = (None, false);
        for _ in 0..WORDS {
            let Token::Word(word) = here.token() else { return None };
            let text = strip_number(word);
            let found = &word[..word.len() - text.len()];
            number = number_in(found).or(number);
            is_black |= has_dots(found);
            if text.is_empty() {
                continue;
            }
            let ply = self.numbers?.ply_of(number?, is_black, self.record.start.side == Color::Black)?;
            if ply + 1 != point.ply {
                return None;
            }
            let read = |board: &Board, text: &str| moves::read(board, text, &mut self.dialect.clone(), Signs::default);
            let mut length = strip_marks(text).0.len();
            let mv = read(&board, &text[..length]).or_else(|| match words::beginning(&board, text, self.dialect) {
                Some(Beginning::Move(part)) => {
                    length = part;
                    read(&board, &text[..part])
                }
                _ => None,
            });
            // Without dots it may be the reply in the same words, but not with Red's numerals.
            let has_numeral = text[..length].ends_with(|last| "一二三四五六七八九".contains(last));
            let is_red = has_numeral && board.side_to_move() == Color::Red;
            let is_reply = || !is_black && !is_red && read(&point.board, &text[..length]).is_some();
            return (mv == Some(last) && !is_reply()).then(|| here.at - (text.len() - length));
        }
        None
    }

    /// Reads a variation after its heading, which goes back to a move number of the main line or another variation. Returns its end. If its
    /// first move is illegal, it is kept as a comment. `None` if the next move has no number, or one after the main line.
    fn branch(&mut self, heading: &str, scanner: Scanner<'_>) -> Option<usize> {
        let main = self.point?;
        let (own, parent) = branch_numbers(heading);
        let ply = self.ply_of_next_number(scanner).filter(|ply| parent != MAIN || *ply < main.ply)?;
        let end = end_of_branch(scanner);
        let mut part = Scanner { text: &scanner.text[..end], at: scanner.at, braces: &Braces::default() };
        let start = self.after_ply(parent, ply);
        let Some((parent, before, board)) = start.filter(|(.., board)| self.begins_with_move(part, board)) else {
            self.record.warn(match start {
                Some(_) => warning!(
                    "a variation of ply {0} does not begin with a legal move; kept as a comment",
                    "第{0}着的变着不以合法着法开始，作为注释保留",
                    ply + 1
                ),
                None => warning!(
                    "a variation of ply {0} continues a line that is not there; kept as a comment",
                    "第{0}着的变着所接的线不存在，作为注释保留",
                    ply + 1
                ),
            });
            self.record.append_comment(main.node, clip(part.rest().trim(), 0));
            self.latest = UNKNOWN;
            return Some(end);
        };
        self.outer.push(main);
        self.point = Some(Point { node: before, board, before: None, ply, numbers: main.numbers.of_variation(), ..main });
        self.first = None;
        self.in_branch = true;
        self.read_line(&mut part);
        self.in_branch = false;
        self.flush_pending();
        self.outer.clear();
        self.point = Some(main);
        if let Some(first) = self.first {
            self.lines.0.insert(own, Line { parent, start: first.ply, passed: vec![(first.node, first.board)] });
            self.latest = own;
        }
        Some(end)
    }

    /// Adds a note to a ply of the line that was read last. It continues on the next lines, up to an empty line, the next note, heading or
    /// footer, or the next move. A list of the variations that follow is left out. Returns the end of the note.
    fn note(&mut self, ply: usize, text: &str, scanner: Scanner<'_>) -> usize {
        let mut end = scanner.at;
        for (number, line) in scanner.rest().split_inclusive('\n').enumerate() {
            let (rest, here) = (trim_blank(line), Scanner { at: end, ..scanner });
            let is_move = || {
                let point = self.point.filter(|point| self.ply_of_next_number(here) == Some(point.ply));
                point.is_some_and(|point| self.begins_with_move(here, &point.board))
            };
            if number > 0 && (rest.is_empty() || is_end_of_branch(rest) || begins_with_number(rest) && is_move()) {
                break;
            }
            end += line.len();
        }
        if text.starts_with("有[变") || text.starts_with("有[變") {
            return end;
        }
        let from = scanner.at - text.len();
        match self.after_ply(self.latest, ply) {
            Some((_, node, _)) => self.record.append_comment(node, clip(scanner.text[from..end].trim(), 0)),
            None => {
                self.record.warn(warning!(
                    "a note on ply {0}, which its line does not have; kept as a comment on the last move",
                    "注释所指的第{0}着不在该线中，作为最后一着的注释保留",
                    ply
                ));
                let from = scanner.text[..from].rfind('*').unwrap_or(from);
                self.comment(scanner.text[from..end].trim());
            }
        }
        end
    }

    /// The node and board after a ply of a line, and the number of the line to which the ply belongs, which may be one that this line continues.
    fn after_ply(&mut self, mut number: usize, ply: usize) -> Option<(usize, NodeId, Board)> {
        if !self.lines.0.contains_key(&MAIN) {
            let passed = vec![(self.record.root(), *self.record.start.position().ok()?.board())];
            self.lines.0.insert(MAIN, Line { parent: MAIN, start: 0, passed });
        }
        let mut start = usize::MAX;
        let line = loop {
            let line = self.lines.0.get(&number)?;
            // Two variations with the same number can continue each other.
            if line.start >= start {
                return None;
            }
            start = line.start;
            if start <= ply {
                break self.lines.0.get_mut(&number)?;
            }
            number = line.parent;
        };
        while line.passed.len() <= ply - start {
            let (node, board) = line.passed.last()?;
            let next = self.record.next(*node)?;
            line.passed.push((next, board.after(self.record.mv(next)?)));
        }
        line.passed.get(ply - start).map(|(node, board)| (number, *node, *board))
    }

    /// The number of plies before the next move according to its number, and dots after the number if it is Black's.
    pub(super) fn ply_of_next_number(&self, scanner: Scanner<'_>) -> Option<usize> {
        let (number, has_dots) = next_number(scanner)?;
        self.numbers?.ply_of(number?, has_dots, self.record.start.side == Color::Black)
    }

    /// Notes a move number of the main line, and warns if it goes back. Without a valid start position there are no moves to number.
    pub(super) fn number(&mut self, text: &str) {
        let (ply, has_dots) = (self.ply(), has_dots(text));
        if !self.outer.is_empty() || self.point.is_none() {
            return;
        }
        let Some(number) = number_in(text) else {
            // The dots may be separated from the number.
            self.numbers.iter_mut().filter(|numbers| numbers.ply == ply).for_each(|numbers| numbers.has_dots |= has_dots);
            return;
        };
        let before = self.numbers.unwrap_or(Numbers { first: number, last: number, ply, has_dots });
        let last = before.last;
        if number < last || (number == last && ply > before.ply + 1) {
            self.record.warn(warning!(
                "the move number goes back from {0} to {1} after ply {2}, as in a variation or another game",
                "第{2}着之后回合数从{0}退到{1}，像是变着或另一局",
                last,
                number,
                ply
            ));
        }
        if number > before.highest(ply) {
            self.record.warn(warning!(
                "the move number jumps from {0} to {1} after ply {2}; moves may be missing",
                "第{2}着之后回合数从{0}跳到{1}，可能缺少着法",
                last,
                number,
                ply
            ));
        }
        self.numbers = Some(Numbers { first: before.first, last: number, ply, has_dots });
    }
}

/// The number before the next move, and whether dots after it stand for Red's move. `None` if no word follows.
fn next_number(mut scanner: Scanner<'_>) -> Option<(Option<usize>, bool)> {
    let (mut number, mut is_black) = (None, false);
    for _ in 0..8 {
        match scanner.token() {
            Token::Comment(_) => {}
            Token::Word(word) => {
                let text = strip_number(word);
                let found = &word[..word.len() - text.len()];
                number = number_in(found).or(number);
                is_black |= has_dots(found);
                if !text.is_empty() {
                    break;
                }
            }
            _ => return None,
        }
    }
    Some((number, is_black))
}

/// The number of a variation and that of the line that it continues, from a heading such as `【变2-1-3】`, `变②接变①第3回合` or
/// `变②接①变第3着`. The last number is that of a move.
fn branch_numbers(heading: &str) -> (usize, usize) {
    let rest = heading.trim_start_matches(['【', '[']).trim_start_matches(['变', '變', '着', '著', '化', ' ']);
    let (own, rest) = numeral(rest).unwrap_or((UNNUMBERED, ""));
    let parent = match rest.strip_prefix('接').map(|parent| parent.trim_start_matches(['变', '變'])) {
        Some(parent) if parent.starts_with('主') => MAIN,
        Some(parent) => numeral(parent).map_or(UNKNOWN, |(number, _)| number),
        None => {
            rest.strip_prefix('-').and_then(numeral).filter(|(_, rest)| rest.starts_with('-')).map_or(MAIN, |(number, _)| number)
        }
    };
    (if own == MAIN { UNNUMBERED } else { own }, parent)
}

/// The number at the start of a text, in ASCII digits or circled, and the text after it.
fn numeral(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < text.len() {
        return number_in(&text[..text.len() - rest.len()]).map(|number| (number, rest));
    }
    let first = text.chars().next()?;
    Some((circled(first)?, &text[first.len_utf8()..]))
}
