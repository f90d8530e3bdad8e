//! A lenient PGN reader: many dialects of moves, tags in any order and case, comments anywhere, and games without a result.

mod ambiguous;
mod branches;
mod headings;
mod parentheses;
mod rest;
mod tags;

use self::branches::{Lines, Numbers};
use self::headings::read_head;
use self::rest::DRAW_OR_VALUE;
use self::tags::{Tags, typographic_quotes, with_plain_quotes};
use super::drawing::{self, Drawing};
use super::first_side::{first_by_numerals, has_dots, has_leaders};
use super::game_start::{begins_first_round, begins_game, begins_with_move, begins_with_position, is_heading_of_moves};
use super::markup::without_marks;
use super::moves::{self, Dialect, Signs};
use super::scanner::{Braces, Scanner, Token, is_branch, is_footer, is_rule, is_tag_start, signs, tag_name, trim_blank};
use super::titles;
use super::words::{self, Beginning, begins_with_number, is_only_signs, strip_marks, strip_number};
use crate::board::Board;
use crate::notation::{MoveNumbers, glued, round, without_check};
use crate::records::source::{Source, advance};
use crate::records::tree::clip;
use crate::records::warning::warning;
use crate::records::{MAX_PLIES, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup, Warning};
use crate::types::{Color, Move};

/// The games of a file.
struct Games {
    text: String,
    at: usize,
    braces: Braces,
}

impl Source for Games {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        advance(&self.text, &mut self.at, |text, at| next(text, at, &self.braces))
    }

    fn progress(&self) -> (usize, usize) {
        (self.at, self.text.len())
    }
}

/// Whether a text starts with a tag, the first move of a game, a heading, or a position above its moves.
pub(in crate::records) fn is_start(text: &str) -> bool {
    let text = trim_blank(text);
    let line = text.lines().next().unwrap_or_default();
    let begins_head = || {
        let braces = Braces::default();
        titles::is_heading(line) && Scanner { text, at: 0, braces: &braces }.head().is_some()
    };
    // Sections of configuration files look like tags with a name in lower case: `[remote "origin"]`.
    const IN_SMALL_LETTERS: [&str; 9] = ["game", "event", "site", "date", "round", "red", "black", "result", "fen"];
    let is_tag = tag_name(text)
        .is_some_and(|name| name.starts_with(|first: char| !first.is_ascii_lowercase()) || IN_SMALL_LETTERS.contains(&name));
    is_tag
        || typographic_quotes(line).is_some()
        || begins_game(text)
        || is_heading_of_moves(line)
        || begins_head()
        || begins_with_position(text)
}

/// The text without what belongs to PGN: the values of tags and the contents of comments, from the line at `at` and the comments above it on. A file
/// that starts with a tag is PGN altogether.
pub(in crate::records) fn unquoted(text: &str, at: usize) -> String {
    let braces = Braces::default();
    let (comments, there) = Scanner { text, at: 0, braces: &braces }.leading_comments();
    let begins_game = is_start(there.rest());
    // A forum's `[QUOTE="name"]` is no tag.
    if begins_game && tag_name(there.rest()).is_some_and(|name| !name.ends_with('=')) {
        return String::new();
    }
    let is_commented = begins_game && !comments.is_empty();
    Scanner { text, at: if is_commented { 0 } else { at }, braces: &braces }.without_quotes()
}

/// Opens a file.
///
/// # Errors
/// Returns an error if the file is not empty but contains no game: no tag, legal move or result.
pub(in crate::records) fn open(text: String) -> Result<Box<dyn Source>, RecordError> {
    let text = without_marks(&text).unwrap_or(text);
    let games = Games { text: with_plain_quotes(text), at: 0, braces: Braces::default() };
    if games.is_not_pgn() {
        let expected = "tags such as [Red \"name\"], or moves from the start position";
        return Err(RecordError::new("byte 0", RecordProblem::NoGame(expected)));
    }
    Ok(Box::new(games))
}

/// Adds the moves of a text without tags to a record without moves. `format` is the value of a `Format` tag.
pub(in crate::records) fn read_moves(record: Record, text: &str, format: &str) -> Record {
    let braces = Braces::default();
    let mut scanner = Scanner { text, at: 0, braces: &braces };
    let mut game = Game::new(record, Dialect::of_format(format), scanner, false);
    game.read(&mut scanner);
    game.record
}

impl Games {
    fn is_not_pgn(&self) -> bool {
        if self.text.match_indices('[').any(|(at, _)| is_tag_start(&self.text[at..])) {
            return false;
        }
        match next(&self.text, 0, &Braces::default()) {
            Some((Err(error), _)) => matches!(error.problem(), RecordProblem::NoGame(_)),
            _ => false,
        }
    }
}

/// The next game of a text at or after `at`, and the offset at which to continue. `braces` is a cache for the text, initially empty.
fn next(text: &str, at: usize, braces: &Braces) -> Option<(Result<Record, RecordError>, usize)> {
    let mut scanner = Scanner { text, at, braces };
    scanner.skip_advertisement();
    if scanner.rest().trim_start_matches('\u{feff}').trim().is_empty() {
        return None;
    }
    scanner.skip_prose();
    let mut record = Record::new(Setup::standard());
    let mut dialect = Dialect::default();
    let mut is_drawn = false;
    let mut has_moves = true;
    let (fault, is_framed) = match scanner.head() {
        Some(head) => {
            scanner.at = head.moves;
            (read_head(&head, &mut record, &mut is_drawn).err(), head.is_framed)
        }
        None => {
            let mut tags = Tags::default();
            let fault = tags.read(&mut scanner, &mut record, &mut dialect).err();
            has_moves = !tags.is_ended;
            (fault, false)
        }
    };
    dialect.set_variant(record.tag("Variant"));
    let mut game = Game::new(record, dialect, scanner, is_drawn);
    game.is_framed = is_framed;
    if has_moves {
        game.read(&mut scanner);
    }
    let result = match fault {
        Some(fault) => Err(RecordError::new(format!("byte {at}"), fault)),
        // Arbitrary bytes are read as words; without a tag, move or result they are not a game.
        None if is_nothing(&game.record) && game.has_failed_move => {
            let fault = game.record.main_line_fault().unwrap_or_default().to_string();
            Err(RecordError::new(format!("byte {at}"), fault))
        }
        None if is_nothing(&game.record) => {
            Err(RecordError::new(format!("byte {at}"), RecordProblem::NoGame("a tag or a legal move of PGN")))
        }
        None => Ok(game.record),
    };
    Some((result, scanner.at))
}

/// The length of the part of a word that begins a tag directly behind other text.
fn appended_tag(scanner: Scanner<'_>, word: &str) -> Option<usize> {
    let at = word.find(['\u{feff}', '['])?;
    let start = scanner.at - word.len() + at;
    let name = tag_name(trim_blank(&scanner.text[start..]))?;
    let is_behind_text = !scanner.text[..start].ends_with(char::is_whitespace);
    (is_behind_text && name.starts_with(|first: char| first.is_ascii_uppercase())).then_some(word.len() - at)
}

/// Whether nothing but unknown words or text in braces, as JSON has it, was found.
fn is_nothing(record: &Record) -> bool {
    let is_bare = record.tags().next().is_none() && record.result == RecordResult::Unknown && record.start.is_standard();
    let has_text = || !record.warnings().is_empty() || !record.comment(record.root()).is_empty();
    record.plies() == 0 && is_bare && (record.main_line_fault().is_some() || has_text())
}

/// A position in a line: the node, its board, and the node and board before its move, for alternatives.
#[derive(Clone, Copy)]
struct Point {
    node: NodeId,
    board: Board,
    before: Option<(NodeId, Board)>,
    ply: usize,
    /// Whether the last move is written in Chinese characters.
    in_chinese: bool,
    /// What the move numbers of the line show.
    numbers: MoveNumbers,
}

struct Game<'a> {
    record: Record,
    /// Start of the moves.
    start: Scanner<'a>,
    /// Whether the moves are enclosed in lines of dashes.
    is_framed: bool,
    /// Whether the start position is drawn, so that the side to move is not known.
    is_drawn: bool,
    /// The current position. `None` if the start position is illegal, in which case no moves can be read.
    point: Option<Point>,
    /// Positions at which the enclosing lines continue after the current variation.
    outer: Vec<Point>,
    dialect: Dialect,
    /// A comment before the first move of a variation.
    pending: String,
    /// Whether the first move is preceded by dots in place of a red move.
    has_dots: bool,
    /// Number of enclosing variations that are not closed, which therefore end with the game.
    unclosed: usize,
    /// Whether a variation with a heading of its own is read.
    in_branch: bool,
    /// The node at which the last warning about words that are not moves was given.
    remarked: Option<NodeId>,
    /// Whether the word that ended the main line has the form of a move.
    has_failed_move: bool,
    /// Whether the result has been read, so that only comments and variations follow.
    is_over: bool,
    /// The move numbers of the main line.
    numbers: Option<Numbers>,
    /// The lines that variations with a heading continue.
    lines: Lines,
    /// Number of the line that was read last, to which notes refer.
    latest: usize,
    /// The position after the first move of the variation with a heading that was read last.
    first: Option<Point>,
}

impl<'a> Game<'a> {
    fn new(record: Record, dialect: Dialect, start: Scanner<'a>, is_drawn: bool) -> Game<'a> {
        let mut game = Game {
            record,
            start,
            is_framed: false,
            is_drawn,
            point: None,
            outer: Vec::new(),
            dialect,
            pending: String::new(),
            has_dots: false,
            unclosed: 0,
            in_branch: false,
            remarked: None,
            has_failed_move: false,
            is_over: false,
            numbers: None,
            lines: Lines::default(),
            latest: branches::MAIN,
            first: None,
        };
        match game.record.start.position() {
            Ok(position) => game.start_from(position.board()),
            Err(_) => game.settle_check(),
        }
        game
    }

    fn start_from(&mut self, board: &Board) {
        let node = self.record.root();
        let numbers = MoveNumbers::default();
        self.point = Some(Point { node, board: *board, before: None, ply: 0, in_chinese: false, numbers });
    }

    /// Corrects the side to move of a start position that is illegal with the side it has, as with its king in check, if the other side can make
    /// the first move. Otherwise the moves are left out, which is reported with the first of them: diagrams and headings of chapters have none.
    fn settle_check(&mut self) {
        let mut other = self.record.start.clone();
        other.side = !other.side;
        if let Ok(position) = other.position()
            && self.begins_with_move(self.start, position.board())
        {
            self.warn_of_side(warning!("the FEN has the other side to move", "FEN的走棋方与此不符"), other.side);
            self.record.start = other;
            self.start_from(position.board());
        }
    }

    /// Reports that the side to move is corrected. A drawing doesn't have one.
    fn warn_of_side(&mut self, why: Warning, side: Color) {
        if !self.is_drawn {
            self.record.warn(warning!("{0}; the first move is read as {1}'s", "{0}；第一着按{1}的着法读取", why, side));
        }
    }

    fn read(&mut self, scanner: &mut Scanner<'_>) {
        self.read_line(scanner);
        self.flush_pending();
        if !self.outer.is_empty() {
            self.record.warn(warning!(
                "a variation is not closed; it ends at ply {0}",
                "变着没有结束标记，到第{0}着为止",
                self.ply()
            ));
        }
    }

    /// Reads the main line, or a variation with a heading of its own, with all variations in it.
    fn read_line(&mut self, scanner: &mut Scanner<'_>) {
        loop {
            if self.is_over && !self.will_close() && !scanner.is_annotated() {
                self.skip_to_game(scanner);
                break;
            }
            match scanner.token() {
                Token::End => break,
                Token::Comment(text) => {
                    self.warn_of_tags(text);
                    self.comment(text);
                }
                Token::OpenComment(text) => {
                    let start: String = text.chars().take(20).collect();
                    self.record.warn(warning!(
                        "the comment '{0}…' after ply {1} is not closed",
                        "第{1}着后的注释“{0}…”没有结束标记",
                        start,
                        self.ply()
                    ));
                    self.comment(text);
                }
                Token::Glyph(glyph) => self.glyph(glyph),
                Token::NoGlyph(text) => self.skip(text),
                Token::Open if self.announced_line(scanner) => {}
                Token::Open if self.result_in_parenthesis(scanner) => {}
                Token::Open => self.open(scanner),
                Token::Close => self.close(),
                Token::Semicolon => {
                    if !self.is_followed_by_moves(*scanner) {
                        // In a variation, a closing parenthesis ends the comment and the variation.
                        let text = scanner.up_to(if self.outer.is_empty() { &['\n'] } else { &['\n', ')', '）'] });
                        self.comment(text);
                    }
                }
                Token::Headings => {
                    if self.headings(scanner) {
                        break;
                    }
                }
                Token::Word(word) if self.is_framed && is_rule(word) => {
                    if scanner.head().is_none() {
                        scanner.skip_to_game();
                    }
                    break;
                }
                Token::Word(word) if word.starts_with(['*', 'm', 'B']) && self.is_mark(*scanner, strip_marks(word).0) => {
                    strip_marks(word).1.into_iter().for_each(|glyph| self.glyph(glyph));
                }
                Token::Word(word) if self.is_next_game(*scanner, word) => {
                    scanner.at -= word.len();
                    break;
                }
                Token::Word(word) if self.read_word(scanner, word) => {}
                Token::Word(_) => break,
            }
        }
    }

    /// Reads a word that is neither a mark nor the start of the next game. Returns whether the line goes on.
    fn read_word(&mut self, scanner: &mut Scanner<'_>, word: &str) -> bool {
        // Another file may have been appended to one without a line end.
        let tail = appended_tag(*scanner, word).filter(|_| !self.will_close());
        let word = &word[..word.len() - tail.unwrap_or(0)];
        if let Some(tail) = tail {
            scanner.at -= tail;
            let result = RecordResult::at_end(word);
            result.into_iter().for_each(|result| self.take_result(result));
            if word.is_empty() || result.is_some() {
                return false;
            }
        }
        if let Some(end) = self.repetition(*scanner, word) {
            scanner.at = end;
            return true;
        }
        if self.result(scanner, word) || self.special_line(scanner, word) {
            return true;
        }
        if self.names_round(*scanner, word) {
            self.remark_word(word);
            return true;
        }
        if let Some(length) = scanner.remark_in_brackets(word) {
            let start = scanner.at - word.len();
            scanner.at = start + length;
            self.remark_word(&scanner.text[start..scanner.at]);
            return true;
        }
        let is_gap = self.is_gap(*scanner, word);
        if !is_gap {
            if let Some((text, end)) = self.pieces(*scanner, word)
                && self.word(&text)
            {
                scanner.at = end;
                return true;
            }
            if self.word(word) {
                return true;
            }
            if let Some(length) = self.part(word) {
                scanner.at -= word.len() - length;
                return true;
            }
            if self.settle_ambiguity(*scanner, word) {
                return true;
            }
            if self.is_value(*scanner, word) {
                self.remark_word(word);
                return true;
            }
            if self.remark(scanner, word) {
                return true;
            }
        }
        self.end_line(scanner, word, is_gap);
        // Comments and variations behind the result belong to this game too.
        if self.will_close() {
            self.close();
            return true;
        }
        self.is_over
    }

    /// Reads a result that begins with this word.
    fn result(&mut self, scanner: &mut Scanner<'_>, word: &str) -> bool {
        let bare = word.trim_end_matches(words::is_separator);
        if words::inside(bare).is_some_and(|text| self.closing_result(text, *scanner)) {
            return true;
        }
        let spaced = scanner.spaced_result(word);
        let single = || RecordResult::at_end(bare).filter(|_| bare != DRAW_OR_VALUE || !self.is_value(*scanner, bare));
        let Some(result) = spaced.map(|(result, _)| result).or_else(single) else { return false };
        scanner.at = spaced.map_or(scanner.at, |(_, end)| end);
        if !self.will_close() {
            self.take_result(result);
            self.is_over = result == RecordResult::Unknown || !self.precedes_moves(*scanner);
        } else if result != RecordResult::Unknown {
            // Books end a variation with the result that it leads to.
            self.comment(spaced.map_or(bare, |_| result.token()));
        }
        true
    }

    /// Whether a word is a move that cannot be the next one by its number, since a move before it is missing.
    fn is_gap(&self, scanner: Scanner<'_>, word: &str) -> bool {
        let Some(mut point) = self.point.filter(|point| point.ply > 0 || !self.outer.is_empty()) else { return false };
        let (text, side) = (strip_number(word), point.board.side_to_move());
        point.numbers.number(&word[..word.len() - text.len()]);
        let bare = strip_marks(text).0;
        let is_move = |text| moves::read(&point.board, text, &mut self.dialect.clone(), Signs::default).is_some();
        let length = || match words::beginning(&point.board, text, self.dialect) {
            _ if is_move(bare) => Some(bare.len()),
            Some(Beginning::Move(length)) => Some(length),
            _ => None,
        };
        let is_by_number = |length: usize| {
            let behind = scanner.at - text.len() + length;
            point.numbers.is_gap(side, &text[..length], || begins_with_move(&scanner.text[behind..]))
        };
        !text.is_empty() && point.numbers.is_later(side) && length().is_some_and(is_by_number)
    }

    /// Whether the first move of this game follows on the same line as the current position or on the next one.
    fn precedes_moves(&self, scanner: Scanner<'_>) -> bool {
        let rest = scanner.rest();
        let blanks = &rest[..rest.len() - trim_blank(rest).len()];
        let is_begun = self.record.moves_in_tree() > 0 || self.record.main_line_fault().is_some();
        let board = self.point.filter(|_| !is_begun && blanks.matches('\n').count() <= 1).map(|point| point.board);
        board.is_some_and(|board| self.begins_with_move(scanner, &board))
    }

    /// Skips the text after the result. Text with moves, or on the line of the result, is kept as a comment, unless it is an advertisement.
    fn skip_to_game(&mut self, scanner: &mut Scanner<'_>) {
        let from = scanner.at;
        scanner.skip_to_game();
        let text = scanner.text[from..scanner.at].split("\n=====").next().unwrap_or_default().trim();
        let is_move = |word: &str| glued::begins_with_move(strip_number(word));
        if !text.starts_with("=====") && text.split_whitespace().any(is_move) {
            let start: String = text.chars().take(20).collect();
            self.record.warn(warning!(
                "'{0}…' after the result has moves; kept as a comment on the last move",
                "结果之后的“{0}…”含有着法，作为最后一着的注释保留",
                start
            ));
            self.comment(clip(text, 0));
        } else {
            let behind = scanner.text[from..scanner.at].lines().next().unwrap_or_default().trim();
            if behind.contains(char::is_alphanumeric) && !behind.contains("=====") && !is_footer(behind) {
                self.comment(clip(behind, 0));
            }
        }
    }

    fn ply(&self) -> usize {
        self.point.map_or(0, |point| point.ply)
    }

    fn here(&self) -> NodeId {
        self.point.map_or(self.record.root(), |point| point.node)
    }

    fn comment(&mut self, text: &str) {
        let opened =
            self.outer.last().is_some_and(|outer| outer.before.map(|(node, _)| node) == self.point.map(|point| point.node));
        if opened {
            if !self.pending.is_empty() {
                self.pending.push('\n');
            }
            self.pending.push_str(clip(text, self.pending.len()));
        } else {
            self.record.append_comment(self.here(), text);
        }
    }

    /// Adds the pending comment of a variation to the current node.
    fn flush_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.record.append_comment(self.here(), &pending);
    }

    /// Takes the result after the moves. It does not replace another one from before, which is reported.
    fn take_result(&mut self, result: RecordResult) {
        let known = self.record.result;
        if known == RecordResult::Unknown {
            self.record.result = result;
        } else if result != RecordResult::Unknown && result != known {
            self.record.warn(warning!(
                "the result {1} after the moves differs from {0} before them; the first one counts",
                "着法之后的结果{1}与之前的{0}不同，以前者为准",
                known.token(),
                result.token()
            ));
        }
    }

    fn glyph(&mut self, glyph: u8) {
        let here = self.here();
        // Some programs write both `!` and `$1` after a move.
        if !self.record.glyphs(here).contains(&glyph) {
            self.record.add_glyph(here, glyph);
        }
    }

    /// Skips an unknown annotation of a move, with a warning. The sign of a check, such as `+` in WXF, may be a word of its own.
    fn skip(&mut self, text: &str) {
        if text.chars().all(|letter| "+＋#".contains(letter)) && self.point.is_some_and(|point| point.board.in_check()) {
            return;
        }
        let text: String = text.chars().take(20).collect();
        let ply = self.ply();
        self.record.warn(warning!(
            "'{0}' after ply {1} is neither a move nor a known mark; left out",
            "第{1}着后的“{0}”既不是着法也不是已知的标记，已略去",
            text,
            ply
        ));
    }

    /// Whether the text from a semicolon to the end of its line consists of moves rather than a comment.
    fn is_followed_by_moves(&self, scanner: Scanner<'_>) -> bool {
        let Some(point) = self.point else { return false };
        // More than the words that are checked: a limit on the work for each of many semicolons.
        const WINDOW: usize = 4096;
        let rest = scanner.rest();
        let rest = &rest[..rest.floor_char_boundary(WINDOW)];
        let end = scanner.at + rest.find('\n').unwrap_or(rest.len());
        // The cache of braces of a part of the text would be wrong for the whole.
        let braces = Braces::default();
        let mut scanner = Scanner { text: &scanner.text[..end], at: scanner.at, braces: &braces };
        let (mut board, mut dialect) = (point.board, self.dialect);
        // Check several words, since a comment can start with a move.
        for _ in 0..6 {
            let word = match scanner.token() {
                Token::Word(word) if RecordResult::at_end(word).is_some() => return true,
                Token::Word(word) => strip_marks(strip_number(word.trim_start_matches(words::is_separator))).0,
                Token::Semicolon => continue,
                _ => return true,
            };
            if word.is_empty() || is_only_signs(word) {
                continue;
            }
            let mut word = word;
            while let Some(Beginning::Separator(length)) = words::beginning(&board, word, dialect) {
                word = &word[length..];
            }
            if word.is_empty() {
                continue;
            }
            match moves::read(&board, word, &mut dialect, Signs::default) {
                Some(mv) => board = board.after(mv),
                None => return matches!(words::beginning(&board, word, dialect), Some(Beginning::Move(_))),
            }
        }
        true
    }

    fn begins_with_move(&self, mut scanner: Scanner<'_>, board: &Board) -> bool {
        // The lookahead is limited so that nested parentheses cannot make the work quadratic.
        for _ in 0..8 {
            match scanner.token() {
                Token::Comment(_) => {}
                Token::Word(word) => match strip_number(word) {
                    "" => {}
                    text => {
                        let text = strip_marks(text).0;
                        return moves::read(board, text, &mut self.dialect.clone(), Signs::default).is_some()
                            || matches!(words::beginning(board, text, self.dialect), Some(Beginning::Move(_)))
                            || self.only_fitting(board, text, scanner).is_some();
                    }
                },
                _ => return false,
            }
        }
        false
    }

    /// Reads a move number, a move or punctuation. Returns false if the word is none of these.
    fn word(&mut self, word: &str) -> bool {
        let text = strip_number(word);
        let number = &word[..word.len() - text.len()];
        let (text, glyphs) = strip_marks(text);
        if self.record.moves_in_tree() == 0 {
            self.has_dots |= has_dots(number);
        }
        self.number(number);
        self.point.iter_mut().for_each(|point| point.numbers.number(number));
        if text.is_empty() {
            glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
            return true;
        }
        if self.point.is_none() {
            if self.record.left_out() == 0
                && let Err(error) = self.record.start.position()
            {
                self.record.warn(warning!(
                    "the moves are left out, since the start position is invalid: {0}",
                    "略去着法，因为起始局面无效：{0}",
                    error
                ));
            }
            self.record.leave_out(1);
            return true;
        }
        if is_only_signs(text) {
            // A null move.
            if ["--", "——", "—"].contains(&text) {
                self.point.iter_mut().for_each(|point| point.numbers.omission());
            }
            if !text.chars().all(words::is_separator) {
                self.skip(word);
            }
            glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
            return true;
        }
        // A word for check repeats what the position shows.
        if self.ply() > 0 && without_check(text).is_empty() {
            glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
            return true;
        }
        if self.record.moves_in_tree() == 0 {
            self.settle_side(text);
        }
        let Some(point) = self.point else { return true };
        let start = self.start;
        moves::read(&point.board, text, &mut self.dialect, || signs(start)).is_some_and(|mv| self.play(mv, text, glyphs))
    }

    /// Plays a move. Returns false if the line or the record is full.
    fn play(&mut self, mv: Move, text: &str, glyphs: Option<u8>) -> bool {
        let Some(point) = self.point.filter(|point| point.ply < MAX_PLIES) else { return false };
        let Ok(node) = self.record.add(point.node, mv) else { return false };
        let before = Some((point.node, point.board));
        let mut numbers = point.numbers;
        numbers.played(point.board.side_to_move(), text);
        let in_chinese = moves::is_chinese(text);
        let point = Point { node, board: point.board.after(mv), before, ply: point.ply + 1, in_chinese, numbers };
        self.point = Some(point);
        self.first.get_or_insert(point);
        glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
        self.flush_pending();
        true
    }

    /// Reads the first part of a word without spaces between moves. Returns its length in bytes; `None` if it is not recognised.
    fn part(&mut self, word: &str) -> Option<usize> {
        let point = self.point?;
        match words::beginning(&point.board, word, self.dialect)? {
            Beginning::Move(length) => self.word(&word[..length]).then_some(length),
            Beginning::Separator(length) => Some(length),
            Beginning::Mark(length) => {
                match strip_marks(&word[..length]) {
                    ("", Some(glyph)) => self.glyph(glyph),
                    _ => self.skip(&word[..length]),
                }
                Some(length)
            }
            Beginning::Remark(length) => {
                self.remark_word(&word[..length]);
                Some(length)
            }
        }
    }

    /// Keeps a text between moves as a comment.
    fn remark_word(&mut self, text: &str) {
        self.point.iter_mut().for_each(|point| point.numbers.forget());
        // Warn once per node, and not for text in brackets, which is clearly a comment.
        if text.starts_with(char::is_alphanumeric) && self.remarked != Some(self.here()) {
            self.record.warn(warning!(
                "'{0}' after ply {1} is not a move; kept as a comment",
                "第{1}着后的“{0}”不是着法，作为注释保留",
                text,
                self.ply()
            ));
            self.remarked = Some(self.here());
        }
        self.comment(text);
    }

    /// Whether a word is the number of a round that a remark mentions (`第8回合`): no move follows.
    fn names_round(&self, scanner: Scanner<'_>, word: &str) -> bool {
        let Some(point) = self.point.filter(|_| round(word).is_some_and(|(_, rest)| rest.is_empty())) else { return false };
        !self.begins_with_move(scanner, &point.board)
    }

    /// Corrects the side to move if only the other side can make the first move, or if dots or numerals show that it is Black's.
    fn settle_side(&mut self, text: &str) {
        let Some(point) = self.point else { return };
        let mut other = self.record.start.clone();
        other.side = !other.side;
        let Ok(position) = other.position() else { return };
        let start = self.start;
        let can_make = |board: &Board| moves::read(board, text, &mut self.dialect.clone(), || signs(start)).is_some();
        let (is_standard, is_black) = (self.record.start.is_standard(), other.side == Color::Black);
        let has_numerals = || is_black && (is_standard || self.is_drawn) && first_by_numerals(start) == Some(Color::Black);
        let has_dots = is_black && self.has_dots && !has_leaders(start);
        let is_ambiguous = || ambiguous::candidates(&point.board, text, self.dialect).is_some();
        let why = if !is_standard && (has_dots || !can_make(&point.board) && !is_ambiguous()) {
            warning!("the FEN has the other side to move", "FEN的走棋方与此不符")
        } else if is_standard && has_dots {
            warning!("there are dots before the first move", "第一着之前有省略号")
        } else if has_numerals() {
            warning!(
                "the first move has the numerals of Black and the second those of Red",
                "第一着用黑方的数字，第二着用红方的数字"
            )
        } else {
            return;
        };
        if can_make(position.board()) {
            self.warn_of_side(why, other.side);
            self.record.start = other;
            self.point = Some(Point { board: *position.board(), ..point });
        }
    }

    /// Keeps text from a word that has not the form of a move as a comment, if the main line continues after it: at a line with the next move
    /// number and a legal move. Returns false otherwise.
    fn remark(&mut self, scanner: &mut Scanner<'_>, word: &str) -> bool {
        // Bounds the work at every word.
        const LINES: usize = 64;
        let Some(point) = self.point.filter(|point| self.outer.is_empty() && point.ply > 0) else { return false };
        let is_move = |word: &str| moves::why_not(&point.board, strip_marks(word).0, self.dialect.style).is_some();
        if point.ply >= MAX_PLIES || is_move(strip_number(word)) {
            return false;
        }
        let start = scanner.at - word.len();
        let mut at = start;
        for (number, line) in scanner.text[start..].split_inclusive('\n').take(LINES).enumerate() {
            let text = trim_blank(line);
            let here = Scanner { at, ..*scanner };
            let is_next = || self.ply_of_next_number(here) == Some(point.ply) && self.begins_with_move(here, &point.board);
            if number > 0 && begins_with_number(text) && is_next() {
                let text = scanner.text[start..at].trim();
                let start: String = text.chars().take(20).collect();
                self.record.warn(warning!(
                    "'{0}…' after ply {1} is not a move; kept as a comment",
                    "第{1}着后的“{0}…”不是着法，作为注释保留",
                    start,
                    point.ply
                ));
                self.comment(text);
                scanner.at = at;
                return true;
            }
            let is_other = number > 0
                && (is_branch(text)
                    || is_footer(text)
                    || titles::is_heading(text)
                    || titles::pairing(text).is_some()
                    || (self.is_after_first_round() && begins_first_round(text))
                    || is_tag_start(text));
            if is_other || text.contains('{') || text.split_whitespace().any(|word| RecordResult::at_end(word).is_some()) {
                return false;
            }
            at += line.len();
        }
        false
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod exports;

#[cfg(test)]
mod boundaries;
