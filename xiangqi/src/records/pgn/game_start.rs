//! Where a game starts in a text: at tags, titles, headings, a position or first moves.

use super::first_side::has_leaders;
use super::moves::{self, Dialect, Signs};
use super::scanner::{Braces, Scanner, Token, is_branch, is_footer, is_rule, is_tag_start, trim_blank};
use super::titles::{FEN, MOVES, heading, headings, is_heading, is_title, numbers_game, pairing, value};
use super::words::{self, Beginning, strip_marks, strip_number};
use crate::board::{Position, Setup};
use crate::notation::{glued, number_in, round};
use crate::records::RecordResult;
use crate::records::fen_list::labelled_position;

/// Limits on the text before the moves of a game.
const LINES: usize = 64;
const BYTES: usize = 8192;

/// The text before the moves of a game.
#[derive(Default)]
pub(super) struct Head<'a> {
    /// Lines without a heading.
    pub(super) titles: Vec<&'a str>,
    /// Tags and their values.
    pub(super) headings: Vec<(&'static str, &'a str)>,
    /// Whether the moves directly follow a line of dashes, as in text copied from XQStudio.
    pub(super) is_framed: bool,
    /// Offset of the moves.
    pub(super) moves: usize,
}

impl<'a> Scanner<'a> {
    /// The text from here to the first move of a game. `None` if there is no text, or no game follows.
    pub(super) fn head(&self) -> Option<Head<'a>> {
        let mut head = Head::default();
        let mut at = self.at;
        let mut is_any = false;
        let mut position = None;
        for line in self.rest().split_inclusive('\n').take(LINES) {
            let text = trim_blank(line).trim_end();
            let start = at + (line.len() - trim_blank(line).len());
            at += line.len();
            let begins = |setup: &Setup| begins_with_moves_of(setup, &self.text[start..]);
            if begins_game(&self.text[start..]) || position.as_ref().is_some_and(begins) {
                head.moves = start;
                return is_any.then_some(head);
            }
            let is_comment = text.starts_with('{') || (!is_any && Scanner { at: start, ..*self }.is_comment());
            if at - self.at > BYTES || is_comment || is_tag_start(text) {
                return None;
            }
            if text.is_empty() {
                continue;
            }
            is_any = true;
            head.is_framed = is_rule(text);
            if head.is_framed {
                continue;
            }
            let before = position.take();
            match headings(text) {
                found if found.is_empty() => match labelled_position(text) {
                    Some((label, fen, setup)) => {
                        head.titles.extend(Some(label).filter(|label| !label.is_empty()));
                        head.headings.push((FEN, fen));
                        position = Some(setup);
                    }
                    None => head.titles.push(text),
                },
                found => {
                    // The moves may start on the line of their heading.
                    let begins = |moves: &str| {
                        begins_game(moves) || before.as_ref().is_some_and(|setup| begins_with_moves_of(setup, moves))
                    };
                    if let Some((_, moves)) = found.iter().find(|(tag, moves)| *tag == MOVES && begins(moves)) {
                        head.moves = start + (moves.as_ptr() as usize - text.as_ptr() as usize);
                        return Some(head);
                    }
                    head.headings.extend(found);
                }
            }
        }
        None
    }

    /// Whether the line that starts here, or one of the next titles, is the heading of another game without tags: players with a result, or a
    /// position, and then its first moves. `begins` tells whether moves without a heading are another game.
    pub(super) fn begins_next_game(&self, begins: impl Fn(&str) -> bool) -> bool {
        const LINES: usize = 8;
        const TITLES: usize = 2;
        let mut here = *self;
        let mut titles = 0;
        for line in self.rest().split_inclusive('\n').take(LINES) {
            if here.is_named_game() || begins(trim_blank(here.rest())) {
                return true;
            }
            titles += !line.trim().is_empty() as usize;
            if titles > TITLES || !is_title(line.trim()) || is_branch(line.trim()) || is_footer(line.trim()) {
                return false;
            }
            here.at += line.len();
        }
        false
    }

    /// Whether a line with the players and the result, the number of a game or puzzle, or a position starts here, and the first moves of a game
    /// or a position follow.
    fn is_named_game(&self) -> bool {
        const LINES: usize = 8;
        let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
        if pairing(line).is_none() && !numbers_game(line) {
            return begins_with_position(self.rest());
        }
        let mut at = self.at + line.len();
        self.text[at..].split_inclusive('\n').take(LINES).any(|line| {
            let text = trim_blank(&self.text[at..]);
            at += line.len();
            begins_game(text) || begins_with_position(text) || heading(text).is_some_and(|(tag, _)| tag == FEN)
        })
    }

    /// The headings of the current line, and the offset of its end.
    pub(super) fn headings_here(&self) -> Option<(Vec<(&'static str, &'a str)>, usize)> {
        let line = self.rest().split_inclusive('\n').next()?;
        let found = headings(line.trim());
        (!found.is_empty()).then_some((found, self.at + line.len()))
    }

    /// Whether a comment or a parenthesis follows on the same line or at the start of the next one, or the last comment of the file. A comment
    /// before the first move of the next game does not count.
    pub(super) fn is_annotated(&self) -> bool {
        let mut there = *self;
        let text = trim_blank(self.rest());
        there.at = self.text.len() - text.len();
        let breaks = self.text[self.at..there.at].matches('\n').count();
        match text.chars().next() {
            Some('{') if breaks == 0 => true,
            Some('{') => {
                let is_closed = there.comment(text).1;
                let behind = trim_blank(there.rest());
                is_closed && (behind.is_empty() || breaks == 1 && !begins_game(behind))
            }
            Some(';') if breaks == 0 => true,
            Some(';') => {
                there.up_to(&['\n', '\r']);
                let behind = trim_blank(there.rest());
                behind.is_empty() || breaks == 1 && !begins_game(behind)
            }
            Some('(' | '（') => breaks <= 1 && !begins_game(text),
            _ => false,
        }
    }

    /// Skips to the next game if a line of `=` follows: XQWizard writes an advertisement after the result.
    pub(super) fn skip_advertisement(&mut self) {
        let rest = self.rest().trim_start();
        if rest.starts_with("=====") {
            self.skip_to_game();
        }
    }

    /// Skips to the tags of a game if the text before them contains no moves.
    pub(super) fn skip_prose(&mut self) {
        let rest = trim_blank(self.rest());
        if rest.starts_with(['[', '{', '(', ';', '%', '$', '*']) || self.head().is_some() {
            return;
        }
        let mut there = *self;
        there.skip_to_game();
        let tags = there.leading_comments().1;
        let is_of_game = |word: &str| glued::begins_with_move(strip_number(word)) || RecordResult::at_end(word).is_some();
        if is_tag_start(tags.rest()) && !self.text[self.at..there.at].split_whitespace().any(is_of_game) {
            *self = there;
        }
    }

    /// Skips to the first tag at the start of a line, or to the first move of a game without tags, or to the comments, headings or title before
    /// them.
    pub(super) fn skip_to_game(&mut self) {
        // The first line can be the title of the next game, unless it begins an advertisement.
        let mut may_be_title = true;
        loop {
            let rest = trim_blank(self.rest());
            self.at = self.text.len() - rest.len();
            let is_line_start = self.at_line_start();
            let is_head = || is_line_start && (is_heading(rest) && self.head().is_some() || self.is_named_game());
            if (is_tag_start(rest) && is_line_start) || begins_game(rest) || is_head() {
                return;
            }
            if is_line_start && self.is_comment() {
                let (comments, there) = self.leading_comments();
                if !comments.is_empty() {
                    if is_tag_start(there.rest()) || begins_game(there.rest()) {
                        return;
                    }
                    self.at = there.at;
                    continue;
                }
            }
            if rest.starts_with('{') {
                let at = self.at;
                if !self.comment(rest).1 {
                    // An unclosed brace must not hide the next game.
                    self.at = at + 1;
                }
                continue;
            }
            let line = rest.split('\n').next().unwrap_or_default();
            if is_line_start && may_be_title && !is_footer(line) && !is_rule(line.trim_end()) {
                if !line.starts_with("=====") && self.head().is_some() {
                    return;
                }
                may_be_title = false;
            }
            if line.len() == rest.len() {
                self.at = self.text.len();
                return;
            }
            self.at += line.len() + 1;
        }
    }
}

/// Whether a text starts with the first move of a game: the number 1 and a word with the form of a move, two consecutive legal moves
/// without numbers or after a number without a sign, or an item of a list of games.
pub(super) fn begins_game(text: &str) -> bool {
    if let Some(rest) = after_first_number(text) {
        let start = Position::startpos();
        // Dots stand for Red's move.
        let rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || ".．…".contains(letter));
        let word = rest.split_whitespace().next().unwrap_or_default();
        let (first, _) = strip_marks(glued::split(word).first().copied().unwrap_or(word));
        return moves::read(start.board(), first, &mut Dialect::default(), Signs::default).is_some()
            || matches!(words::beginning(start.board(), word, Dialect::default()), Some(Beginning::Move(_)))
            || (glued::begins_with_move(first) && moves::why_not(start.board(), first, None).is_some());
    }
    let number = text.strip_prefix(['1', '１']).filter(|rest| rest.starts_with(char::is_whitespace));
    begins_with_two_moves(number.map_or(text, trim_blank)) || list_item(text).is_some()
}

/// The moves of a line that begins with the number of a game in a list, from 2 on: three moves without another number follow, which are legal at
/// the start of a game.
pub(super) fn list_item(text: &str) -> Option<&str> {
    let line = text.lines().next()?;
    let word = line.split_whitespace().next()?;
    let number = &word[..word.len() - strip_number(word).len()];
    number_in(number).filter(|number| *number > 1)?;
    let moves = trim_blank(&line[number.len()..]);
    let beginning = beginning_of_moves(moves);
    let words = glued::numbered_words(&with_whole_moves(&beginning));
    let has_numbers = words.iter().take(3).any(|word| !glued::begins_with_move(word));
    (!has_numbers && are_legal_from_start(&words, 3)).then(|| trim_blank(&text[number.len()..]))
}

/// Whether a text starts with the first round of a game: the number 1 with a sign, and two legal moves.
pub(super) fn begins_first_round(text: &str) -> bool {
    after_first_number(text).is_some_and(|moves| begins_with_two_moves(trim_blank(moves)))
}

/// Whether a text starts with two consecutive legal moves of a game.
pub(super) fn begins_with_two_moves(text: &str) -> bool {
    if !glued::begins_with_move(text) {
        return false;
    }
    // The second move may be on the next line.
    let beginning = beginning_of_moves(text);
    let moves = glued::words(&with_whole_moves(&beginning));
    // The second move is in the first or second round.
    let mut numbers = beginning.split_whitespace().scan(0, |passed, word| {
        let is_open = *passed < 2;
        *passed += glued::words(word).len();
        is_open.then_some(word)
    });
    if numbers.any(is_later_number) {
        return false;
    }
    are_legal_from_start(&moves, 2)
}

/// Whether the first `count` words are legal moves from the start position. Unlike `legal_beginning` in `reader/headings.rs` it gets words
/// that are already split, and knows no dialect of the file.
fn are_legal_from_start(words: &[String], count: usize) -> bool {
    let mut board = *Position::startpos().board();
    let mut dialect = Dialect::default();
    let legal = words.iter().take(count).take_while(|text| match moves::read(&board, text, &mut dialect, Signs::default) {
        Some(mv) => {
            board = board.after(mv);
            true
        }
        None => false,
    });
    legal.count() == count
}

/// Whether a text begins with a move without a number, possibly after comments, marks and punctuation.
pub(super) fn begins_with_move(text: &str) -> bool {
    let text = beginning_of_moves(text);
    glued::begins_with_move(
        text.trim_start_matches(|letter: char| letter.is_whitespace() || "!?！？+#,，;；。、".contains(letter)),
    )
}

/// The length in characters of the beginning of a line of moves.
const LENGTH: usize = 40;

/// The beginning of a line of moves without what is no move at the end of words that have moves without spaces between them: the part of one that
/// is cut off, or a result.
fn with_whole_moves(beginning: &str) -> String {
    // Characters of a move or a result.
    const LONGEST: usize = 8;
    let is_full = beginning.chars().count() == LENGTH;
    let mut whole = String::new();
    for piece in beginning.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let is_cut = is_full && word.len() == piece.len();
        let is_result = |text: &str| RecordResult::at_end(text.trim_end_matches(words::is_separator)).is_some();
        let is_end = |at: &usize| (is_cut || is_result(&word[*at..])) && !glued::split(&word[..*at]).is_empty();
        let ends = || word.char_indices().rev().take(LONGEST).map(|(at, _)| at);
        let end = if glued::split(word).is_empty() { ends().find(is_end) } else { None };
        whole.extend([&word[..end.unwrap_or(word.len())], " "]);
    }
    whole
}

/// The beginning of a line of moves, without comments in brackets.
fn beginning_of_moves(text: &str) -> String {
    // Bounds the work at every line.
    const WINDOW: usize = 2048;
    let mut depth = 0usize;
    let outside = text.chars().take(WINDOW).filter_map(|letter| match letter {
        '{' | '(' | '（' => {
            depth += 1;
            None
        }
        '}' | ')' | '）' if depth > 0 => {
            depth -= 1;
            Some(' ').filter(|_| depth == 0)
        }
        letter => Some(letter).filter(|_| depth == 0),
    });
    let beginning: String = outside.take(LENGTH).collect();
    // Text after a bracket that is not closed is not a comment.
    if beginning.chars().count() < LENGTH && depth > 0 { text.chars().take(LENGTH).collect() } else { beginning }
}

/// Whether a word begins with the number of a move after the second one.
fn is_later_number(word: &str) -> bool {
    number_in(&word[..word.len() - strip_number(word).len()]).is_some_and(|number| number > 2)
}

/// The text after the number 1 with a sign: `1.`, `１．`, `01.`, `1)`, `（1）`, `①`, `第1回合`, or `1…` if the dots are
/// leaders.
fn after_first_number(text: &str) -> Option<&str> {
    if let Some((number, rest)) = round(text) {
        return Some(rest).filter(|_| number == 1);
    }
    if let Some(rest) = text.strip_prefix('①') {
        return Some(rest.trim_start_matches(['.', '、', '．']));
    }
    let inside = text.strip_prefix(['(', '（']);
    let number = inside.unwrap_or(text).trim_start_matches(['0', '０']).strip_prefix(['1', '１'])?;
    let signs: &[char] = if inside.is_some() { &[')', '）'] } else { &['.', '、', '．', ')', '）', ':', '：'] };
    // Bounds the work at every line.
    const WINDOW: usize = 256;
    let window = text.char_indices().nth(WINDOW).map_or(text, |(end, _)| &text[..end]);
    let is_leader = || has_leaders(Scanner { text: window, at: 0, braces: &Braces::default() });
    // Before a move of Black it is more likely the beginning of a variation.
    number.strip_prefix(signs).or_else(|| number.strip_prefix('…').filter(|_| is_leader()))
}

/// Whether a line is a heading for moves, directly followed by the moves.
pub(super) fn is_heading_of_moves(line: &str) -> bool {
    heading(line).is_some_and(|(tag, moves)| tag == MOVES && begins_game(value(moves)))
}

/// Whether a text starts with a line that is a position, possibly after its number or name, followed by moves from it.
pub(super) fn begins_with_position(text: &str) -> bool {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    labelled_position(line).is_some_and(|(.., setup)| {
        let rest = trim_blank(rest);
        let moves = heading(rest).filter(|(tag, _)| *tag == MOVES).map_or(rest, |(_, moves)| trim_blank(moves));
        begins_with_moves_of(&setup, moves)
    })
}

/// Whether a text starts with a legal move of one side from a position, possibly after a number and dots.
fn begins_with_moves_of(setup: &Setup, text: &str) -> bool {
    const TOKENS: usize = 4;
    let braces = Braces::default();
    let mut scanner = Scanner { text: text.split('\n').next().unwrap_or_default(), at: 0, braces: &braces };
    for _ in 0..TOKENS {
        let Token::Word(word) = scanner.token() else { return false };
        let text = strip_marks(strip_number(word)).0.trim_start_matches(['.', '…']);
        if text.is_empty() {
            continue;
        }
        let mut other = setup.clone();
        other.side = !other.side;
        return [setup, &other].into_iter().filter_map(|setup| setup.position().ok()).any(|position| {
            let board = position.board();
            moves::read(board, text, &mut Dialect::default(), Signs::default).is_some()
                || matches!(words::beginning(board, text, Dialect::default()), Some(Beginning::Move(_)))
        });
    }
    false
}
