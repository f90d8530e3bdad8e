//! Reads PGN as it is found: many dialects of moves, tags in any order and case, comments anywhere, games that end without a
//! word.

use super::moves::{self, Dialect};
use super::scanner::{
    Braces, Scanner, Token, begins_game, is_move, is_only_signs, is_rule, is_tag_start, sideways_sign, strip_marks, strip_number,
    tag_name, trim_blank,
};
use super::titles;
use crate::board::Board;
use crate::records::result::RESULT_NOTE;
use crate::records::source::{Source, advance};
use crate::records::tree::clip;
use crate::records::{MAX_NODES, MAX_PLIES, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup, glued};
use crate::types::Color;

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

/// Whether a text begins with a tag, the first move of a game, or the name of what stands before it on its line.
pub(in crate::records) fn is_start(text: &str) -> bool {
    let text = trim_blank(text);
    let line = text.lines().next().unwrap_or_default();
    let begins_head = || {
        let braces = Braces::default();
        titles::is_heading(line) && Scanner { text, at: 0, braces: &braces }.head().is_some()
    };
    // Sections of configuration files look like tags: `[remote "origin"]`.
    const IN_SMALL_LETTERS: [&str; 9] = ["game", "event", "site", "date", "round", "red", "black", "result", "fen"];
    let is_tag = tag_name(text)
        .is_some_and(|name| name.starts_with(|first: char| !first.is_ascii_lowercase()) || IN_SMALL_LETTERS.contains(&name));
    is_tag || begins_game(line) || titles::begins_game(line) || begins_head()
}

/// Opens a file.
///
/// # Errors
/// When there is something in it, but no game: neither a tag, nor a legal move, nor a result.
pub(in crate::records) fn open(text: String) -> Result<Box<dyn Source>, RecordError> {
    let games = Games { text, at: 0, braces: Braces::default() };
    if games.is_something_else() {
        let expected = "tags such as [Red \"name\"], or moves from the start position";
        return Err(RecordError::new("byte 0", RecordProblem::NoGame(expected)));
    }
    Ok(Box::new(games))
}

/// Adds the moves of a text without tags to a record that has none yet. `format` is what a tag `Format` would say.
pub(in crate::records) fn read_moves(record: Record, text: &str, format: &str) -> Record {
    let braces = Braces::default();
    let mut scanner = Scanner { text, at: 0, braces: &braces };
    let mut game = Game::new(record, Dialect::of_format(format), scanner);
    game.read(&mut scanner);
    game.record
}

impl Games {
    fn is_something_else(&self) -> bool {
        if self.text.match_indices('[').any(|(at, _)| is_tag_start(&self.text[at..])) {
            return false;
        }
        match next(&self.text, 0, &Braces::default()) {
            Some((Err(error), _)) => matches!(error.problem(), RecordProblem::NoGame(_)),
            _ => false,
        }
    }
}

/// The next game of a text at or after `at`, and where to go on. `braces` belongs to the text and begins as any value.
fn next(text: &str, at: usize, braces: &Braces) -> Option<(Result<Record, RecordError>, usize)> {
    let mut scanner = Scanner { text, at, braces };
    scanner.skip_advertisement();
    if scanner.rest().trim_start_matches('\u{feff}').trim().is_empty() {
        return None;
    }
    scanner.skip_prose();
    let mut record = Record::new(Setup::standard());
    let mut dialect = Dialect::default();
    let (fault, is_framed) = match scanner.head() {
        Some(head) => {
            scanner.at = head.moves;
            (read_head(&head, &mut record).err(), head.is_framed)
        }
        None => (read_tags(&mut scanner, &mut record, &mut dialect).err(), false),
    };
    let mut game = Game::new(record, dialect, scanner);
    game.is_framed = is_framed;
    game.read(&mut scanner);
    let result = match fault {
        Some(fault) => Err(RecordError::new(format!("byte {at}"), fault)),
        // Any bytes are words; without a tag, a move or a result they are no game.
        None if is_nothing(&game.record) => {
            Err(RecordError::new(format!("byte {at}"), RecordProblem::NoGame("a tag or a legal move of PGN")))
        }
        None => Ok(game.record),
    };
    Some((result, scanner.at))
}

/// Whether only words were found that mean nothing.
fn is_nothing(record: &Record) -> bool {
    let is_bare = record.tags().next().is_none() && record.result == RecordResult::Unknown && record.start.is_standard();
    let is_empty = record.plies() == 0 && is_bare;
    is_empty && (record.main_line_fault().is_some() || !record.warnings().is_empty())
}

/// Takes what stands above the moves of a game without tags: headings as tags, the first title as such, the others as the comment before
/// the game.
fn read_head(head: &titles::Head<'_>, record: &mut Record) -> Result<(), RecordProblem> {
    let root = record.root();
    record.set_tag("Title", head.titles.first().copied().unwrap_or_default());
    head.titles.iter().skip(1).for_each(|title| record.append_comment(root, title));
    record.result = head.titles.iter().find_map(|title| RecordResult::at_end(title)).unwrap_or_default();
    read_headings(&head.headings, record)
}

fn read_headings(headings: &[(&'static str, &str)], record: &mut Record) -> Result<(), RecordProblem> {
    for &(tag, value) in headings.iter().filter(|(_, value)| !value.is_empty()) {
        match tag {
            titles::RESULT => read_result(value, record),
            titles::FEN => record.start = Setup::from_fen(value)?,
            _ => record.set_tag(tag, value),
        }
    }
    Ok(())
}

fn read_result(value: &str, record: &mut Record) {
    match RecordResult::understand(value) {
        Some(result) => record.result = result,
        // Under its own name it would contradict the result that is written.
        None => record.add_tag(RESULT_NOTE, value),
    }
}

fn read_tags(scanner: &mut Scanner<'_>, record: &mut Record, dialect: &mut Dialect) -> Result<(), RecordProblem> {
    let mut fault = Ok(());
    while let Some(tag) = scanner.tag() {
        let Some((name, value)) = tag else {
            record.warn("a line that begins with '[' is no tag; left out");
            continue;
        };
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        match name.to_ascii_lowercase().as_str() {
            "result" => read_result(&value, record),
            "fen" if !value.trim().is_empty() => match Setup::from_fen(&value) {
                Ok(setup) => record.start = setup,
                Err(error) => fault = Err(error.into()),
            },
            "format" => *dialect = Dialect::of_format(&value),
            // What these say is said by the moves and by the writer.
            "fen" | "setup" => {}
            "game" if value.eq_ignore_ascii_case("Chinese Chess") => {}
            "white" => record.set_tag("Red", value),
            "white elo" | "whiteelo" => record.set_tag("RedElo", value),
            _ => record.add_tag(name, &value),
        }
    }
    fault
}

/// A point of a line: the node, the board there, and the board before its move for alternatives to it.
#[derive(Clone, Copy)]
struct Point {
    node: NodeId,
    board: Board,
    before: Option<(NodeId, Board)>,
    ply: usize,
}

struct Game<'a> {
    record: Record,
    /// Where its moves begin.
    start: Scanner<'a>,
    /// Whether its moves stand between lines of dashes.
    is_framed: bool,
    /// None when the start position is illegal: no move can be read then.
    point: Option<Point>,
    /// Where lines go on when the variation that is being read is closed.
    outer: Vec<Point>,
    dialect: Dialect,
    /// A comment that stands before the first move of a variation.
    pending: String,
    /// Whether dots stand before the first move, in the place of Red's.
    has_dots: bool,
    /// Parentheses that nothing closes.
    lone_parentheses: usize,
}

/// Most parentheses of a game whose end is looked for in vain.
const LONE_PARENTHESES: usize = 32;

impl<'a> Game<'a> {
    fn new(mut record: Record, dialect: Dialect, start: Scanner<'a>) -> Game<'a> {
        let node = record.root();
        let point = match record.start.position() {
            Ok(position) => Some(Point { node, board: *position.board(), before: None, ply: 0 }),
            Err(error) => {
                record.warn(format!("the moves are left out, for the start position {error}"));
                None
            }
        };
        Game {
            record,
            start,
            is_framed: false,
            point,
            outer: Vec::new(),
            dialect,
            pending: String::new(),
            has_dots: false,
            lone_parentheses: 0,
        }
    }

    fn read(&mut self, scanner: &mut Scanner<'_>) {
        loop {
            match scanner.token() {
                Token::End => break,
                Token::Comment(text) => self.comment(text),
                Token::OpenComment(text) => {
                    let start: String = text.chars().take(20).collect();
                    self.record.warn(format!("the comment '{start}…' behind ply {} is not closed", self.ply()));
                    self.comment(text);
                }
                Token::Glyph(glyph) => self.glyph(glyph),
                Token::NoGlyph(text) => self.skip(text),
                Token::Open => self.open(scanner),
                Token::Close => self.close(),
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
                Token::Word(word) => {
                    if let Some(result) = RecordResult::at_end(word) {
                        if self.outer.is_empty() {
                            if self.record.result == RecordResult::Unknown {
                                self.record.result = result;
                            }
                            scanner.skip_to_game();
                            break;
                        }
                    } else if let Err(rest) = self.words(word) {
                        self.give_up(scanner, rest);
                        if self.outer.is_empty() {
                            break;
                        }
                        self.close();
                    }
                }
            }
        }
        self.flush_pending();
        if !self.outer.is_empty() {
            self.record.warn(format!("a variation is not closed; it ends at ply {}", self.ply()));
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

    /// Gives a comment that waited for a move that never came to where the variation would have begun.
    fn flush_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.record.append_comment(self.here(), &pending);
    }

    fn glyph(&mut self, glyph: u8) {
        let here = self.here();
        // Some programs write `!` and `$1` behind one move.
        if !self.record.glyphs(here).contains(&glyph) {
            self.record.add_glyph(here, glyph);
        }
    }

    /// Leaves out a word that says something about a move which is not understood.
    fn skip(&mut self, text: &str) {
        let text: String = text.chars().take(20).collect();
        let ply = self.ply();
        self.record.warn(format!("'{text}' behind ply {ply} is no move and no mark that is known; left out"));
    }

    /// A parenthesis is a variation if it begins with a move that is legal before the last one, and else a comment.
    fn open(&mut self, scanner: &mut Scanner<'_>) {
        let before = self.point.and_then(|point| point.before.map(|before| (point, before)));
        match before.filter(|(_, (_, board))| self.begins_with_move(*scanner, board)) {
            Some((point, (node, board))) if self.outer.len() < MAX_PLIES => {
                self.outer.push(point);
                self.point = Some(Point { node, board, before: None, ply: point.ply - 1 });
            }
            _ => {
                let behind = *scanner;
                match scanner.parenthesis() {
                    Ok(text) => self.comment(&format!("({})", clip(text, 0))),
                    // One that nothing closes costs only itself, unless there are so many that each would be looked for to the end.
                    Err(_) if self.lone_parentheses < LONE_PARENTHESES => {
                        self.lone_parentheses += 1;
                        self.skip("(");
                        *scanner = behind;
                    }
                    Err(text) => {
                        self.record
                            .warn(format!("a parenthesis behind ply {} is not closed; what follows is a comment", self.ply()));
                        self.comment(&format!("({}", clip(text, 0)));
                    }
                }
            }
        }
    }

    fn begins_with_move(&self, mut scanner: Scanner<'_>, board: &Board) -> bool {
        // Only so far is looked ahead that nested parentheses cannot make the work quadratic.
        for _ in 0..8 {
            match scanner.token() {
                Token::Comment(_) => {}
                Token::Word(word) => match strip_number(word) {
                    "" => {}
                    text => return moves::read(board, strip_marks(text).0, &mut self.dialect.clone(), || None).is_some(),
                },
                _ => return false,
            }
        }
        false
    }

    fn close(&mut self) {
        self.flush_pending();
        if let Some(point) = self.outer.pop() {
            self.point = Some(point);
        }
    }

    /// Passes a line of headings. True when it stands above the next game: a result alone that this game lacks may as well be its own, if
    /// it has none above its moves either.
    fn headings(&mut self, scanner: &mut Scanner<'_>) -> bool {
        let Some((found, end)) = scanner.headings_here() else { return true };
        let is_lone_result = matches!(&found[..], [(titles::RESULT, _)]) && self.record.tags().next().is_none();
        let is_own = is_lone_result && self.record.result == RecordResult::Unknown && self.record.plies() > 0;
        if !is_own && scanner.head().is_some() {
            return true;
        }
        for (tag, value) in found {
            match tag {
                titles::RESULT if self.record.result == RecordResult::Unknown => read_result(value, &mut self.record),
                titles::RESULT | titles::FEN => {}
                _ if self.record.tag(tag).is_none() => self.record.set_tag(tag, value),
                _ => {}
            }
        }
        scanner.at = end;
        is_lone_result && self.outer.is_empty() && {
            scanner.skip_to_game();
            true
        }
    }

    /// Reads a move number or a move, or several moves without blanks between them. Fails with what is none of these.
    fn words<'t>(&mut self, word: &'t str) -> Result<(), &'t str> {
        if self.word(word) {
            return Ok(());
        }
        let parts = glued::split(word);
        let rest = |part: &str| &word[part.as_ptr() as usize - word.as_ptr() as usize..];
        match parts.iter().find(|part| !self.word(part)) {
            Some(part) => Err(rest(part)),
            None if parts.is_empty() => Err(word),
            None => Ok(()),
        }
    }

    /// Reads a move number or a move. False when it is neither.
    fn word(&mut self, word: &str) -> bool {
        let (text, glyphs) = strip_marks(strip_number(word));
        if self.record.moves_in_tree() == 0 {
            let number = &word[..word.len() - strip_number(word).len()];
            self.has_dots |= number.contains("..") || number.contains('…');
        }
        if text.is_empty() {
            glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
            return true;
        }
        if self.point.is_none() {
            self.record.leave_out(1);
            return true;
        }
        if is_only_signs(text) {
            self.skip(word);
            return true;
        }
        if self.record.moves_in_tree() == 0 {
            self.settle_side(text);
        }
        let Some(point) = self.point else { return true };
        let start = self.start;
        let Some(mv) = moves::read(&point.board, text, &mut self.dialect, || sideways_sign(start)) else { return false };
        if point.ply >= MAX_PLIES {
            return false;
        }
        let Ok(node) = self.record.add(point.node, mv) else { return false };
        let before = Some((point.node, point.board));
        self.point = Some(Point { node, board: point.board.after(mv), before, ply: point.ply + 1 });
        glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
        self.flush_pending();
        true
    }

    /// Gives the first move to the side that can make it, where the FEN or the lack of one says the other: dots before the move show that
    /// it is Black's.
    fn settle_side(&mut self, text: &str) {
        let Some(point) = self.point else { return };
        let mut other = self.record.start.clone();
        other.side = !other.side;
        let Ok(position) = other.position() else { return };
        let start = self.start;
        let can_make = |board: &Board| moves::read(board, text, &mut self.dialect.clone(), || sideways_sign(start)).is_some();
        let is_blacks = self.has_dots && other.side == Color::Black;
        if (is_blacks || (!self.record.start.is_standard() && !can_make(&point.board))) && can_make(position.board()) {
            let why = if self.record.start.is_standard() {
                "dots stand before the first move"
            } else {
                "the FEN has the other side to move"
            };
            self.record.warn(format!("{why}; the first move is taken for {}'s", other.side));
            self.record.start = other;
            self.point = Some(Point { board: *position.board(), ..point });
        }
    }

    /// Leaves out the rest of a line behind something unreadable: of a variation to its end, of the main line to the next game.
    fn give_up(&mut self, scanner: &mut Scanner<'_>, word: &str) {
        let Some(point) = self.point else { return };
        let word: String = word.chars().take(20).collect();
        let line = if self.outer.is_empty() { "main line" } else { "variation" };
        let ply = point.ply + 1;
        let black_first = self.record.start.side == Color::Black;
        let round = self.record.start.fullmove as usize + (point.ply + black_first as usize) / 2;
        let (side, fen) = (point.board.side_to_move(), point.board.to_fen());
        let reason = moves::why_not(&point.board, strip_marks(strip_number(&word)).0, self.dialect.style);
        let what = match reason {
            _ if point.ply >= MAX_PLIES => format!("'{word}' is left out, for a line has at most {MAX_PLIES} plies"),
            _ if self.record.moves_in_tree() >= MAX_NODES => {
                format!("'{word}' is left out, for a record has at most {MAX_NODES} moves")
            }
            Some(reason) => format!("'{word}' is no legal move in {fen} ({reason})"),
            None => format!("'{word}' is no legal move in {fen}"),
        };
        let fault = format!("round {round} {side}, ply {ply} ({line}): {what}; the rest of the line is kept as a comment");
        if self.outer.is_empty() {
            self.record.break_main_line(fault)
        } else {
            self.record.warn(fault)
        }
        let mut rest = word;
        self.record.leave_out(1);
        if self.outer.is_empty() {
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
                    Token::Word(word) => {
                        end = scanner.at;
                        if let Some(result) = RecordResult::at_end(word) {
                            if self.record.result == RecordResult::Unknown {
                                self.record.result = result;
                            }
                            end -= word.len();
                            scanner.skip_to_game();
                            break;
                        }
                        self.record.leave_out(is_move(word) as usize);
                    }
                    _ => end = scanner.at,
                }
            }
            rest.push_str(clip(&scanner.text[start..end], 0));
        } else {
            let (Ok(inside) | Err(inside)) = scanner.parenthesis();
            rest.push_str(clip(inside, 0));
            let mut scanner = Scanner { text: inside, at: 0, braces: &Braces::default() };
            loop {
                match scanner.token() {
                    Token::End | Token::Headings => break,
                    Token::Word(word) => self.record.leave_out(is_move(word) as usize),
                    _ => {}
                }
            }
        }
        let here = self.here();
        self.record.append_comment(here, rest.trim());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::decode;

    fn read(text: &str) -> Record {
        next(text, 0, &Braces::default()).unwrap().0.unwrap()
    }

    fn line(record: &Record) -> String {
        record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_that_are_not_in_the_tree_are_counted() {
        let illegal = "[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n1. E0-E1 E9-E8 *\n";
        for (text, plies, left_out) in [
            ("1. h2e2 h9g7 2. a0a9 a9a8 {a remark} 3. h0g2 (3. b0c2 b9c7) h9g7 *", 2, 6),
            ("1. h2e2 h9g7 (1... b9c7 2. a0a9 $1 {a remark} a9a8!) 2. h0g2 *", 3, 2),
            ("1. h2e2 h9g7 (a remark, and no line) 2. h0g2 1-0", 3, 0),
            (illegal, 0, 2),
        ] {
            let record = read(text);
            assert_eq!((record.plies(), record.left_out()), (plies, left_out), "{text}: {:?}", record.warnings());
        }
    }

    #[test]
    fn variations_are_told_from_remarks_in_parentheses() {
        let record = read(
            "[Red \"红\"]\n1. 炮二平五 {start} 马８进７! (1... 炮８平５ 2. 马二进三 (2. 炮五进四 士４进５) 马８进７) \
             (1... 马2进3 $14) (sic! 1-0) 2. 马二进三 1-0",
        );
        assert_eq!(line(&record), "h2e2 h9g7 h0g2");
        assert_eq!(record.moves_in_tree(), 9);
        let second = record.main_line().nth(1).unwrap();
        assert_eq!(record.comment(second), "(sic! 1-0)");
        assert_eq!(record.glyphs(second), [1]);
        assert_eq!((record.result, record.glyph_count()), (RecordResult::RedWins, 2));
        assert_eq!(record.warnings(), [""; 0]);
    }

    #[test]
    fn a_comment_before_the_first_move_of_a_variation_stays_with_it() {
        let record = read("1. h2e2 ({a} 1. b2e2 {b}) ({nothing follows}) h9g7");
        let other = record.children(record.root()).nth(1).unwrap();
        assert_eq!(record.comment(other), "b\na".split('\n').rev().collect::<Vec<_>>().join("\n"));
        let first = record.main_line().next().unwrap();
        assert_eq!(record.comment(first), "({nothing follows})");
    }

    #[test]
    fn games_follow_each_other_with_and_without_results() {
        let text = "[Red \"A\"]\n1. h2e2 h9g7\n\n[Red \"B \"quoted\" \"]\n[FEN \"\"]\n1. C2.5 *\n=====\nadvertisement 1. b2e2\n\
            [Red \"C\"]\n[White \"D\"]\n\n  1. Che2 {[not a tag]} Cbg7 0-1";
        let mut at = 0;
        let mut games = Vec::new();
        let braces = Braces::default();
        while let Some((record, next_at)) = next(text, at, &braces) {
            games.push(record.unwrap());
            at = next_at;
        }
        let lines: Vec<String> = games.iter().map(line).collect();
        assert_eq!(lines, ["h2e2 h9g7", "h2e2", "h2e2 b7g7"]);
        assert_eq!(games[1].tag("Red"), Some("B \"quoted\" "));
        assert_eq!(games[2].tag("Red"), Some("D"));
    }

    #[test]
    fn what_cannot_be_read_is_kept_as_a_comment_and_told() {
        let record = read("1. h2e2 (1. b2e2 xyz 2. h0g2 {c}) h9g7 2. nonsense h9g7 {tail} 0-1\n\n");
        assert_eq!(line(&record), "h2e2 h9g7");
        assert_eq!((record.warnings().len(), record.result), (2, RecordResult::BlackWins));
        assert!(record.warnings()[1].contains("ply 3 (main line): 'nonsense'"), "{:?}", record.warnings());
        let last = record.main_line().last().unwrap();
        assert_eq!(record.comment(last), "nonsense h9g7 {tail}");
        assert!(next("[FEN \"9/9\"]\n1. h2e2", 0, &Braces::default()).unwrap().0.is_err());
        assert_eq!(read("[FEN \"9/9/9/9/9/9/9/9/9/9 w\"]\n1. h2e2").warnings().len(), 1);
    }

    #[test]
    fn hostile_texts_take_no_more_than_linear_time() {
        for part in ["{\n[", "(", "(1. h2e2 ", "[A \"x\"]", "[FEN \"x\"]\n1.\n", "({", "[\n", "1. h2e2 {", ") ", "\u{feff}["] {
            let text = part.repeat(300_000 / part.len());
            let start = std::time::Instant::now();
            let (braces, mut at) = (Braces::default(), 0);
            while let Some((_, next_at)) = next(&text, at, &braces) {
                at = next_at.max(at + 1);
            }
            println!("{part:?}: {:?}", start.elapsed());
            assert!(start.elapsed() < std::time::Duration::from_secs(20), "{part:?}: {:?}", start.elapsed());
        }
    }

    #[test]
    fn what_is_no_game_is_refused_as_a_file() {
        let noise: Vec<u8> = (0u32..4000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for bytes in [&noise[..], b"hello", b"1. nonsense", b"\0\0\0\0"] {
            let error = open(decode(bytes).into_owned()).err().map(|error| error.problem().clone());
            assert!(matches!(error, Some(RecordProblem::NoGame(_))), "{error:?}");
        }
        for bytes in [&b""[..], b"  \n", b"[Red \"A\"]\n", b"1. h2e2 nonsense", b"1-0\n", b"{a comment}"] {
            assert!(open(decode(bytes).into_owned()).is_ok(), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn an_illegal_move_is_told_with_round_and_reason() {
        let record = read("1. C2=5 H8+7 2. R1=2 H2+3 *\n\n");
        let warning = &record.warnings()[0];
        assert!(warning.starts_with("round 2 red, ply 3 (main line): 'R1=2' is no legal move in "), "{warning}");
        assert!(warning.contains("('R1=2': the red chariot on i0 cannot move so)"), "{warning}");
    }

    fn all(text: &str) -> Vec<Record> {
        let (braces, mut at, mut games) = (Braces::default(), 0, Vec::new());
        while let Some((record, next_at)) = next(text, at, &braces) {
            games.push(record.unwrap());
            at = next_at;
        }
        games
    }

    #[test]
    fn pawns_by_rank_and_file_are_those_of_2018() {
        let one = "4k4/9/6P2/6P2/6P2/9/9/9/9/3K5 w - - 0 1";
        let two = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1";
        let edge = "3k5/9/9/7rP/7nP/8P/9/9/9/4K4 w - - 0 1";
        for (fen, moves, expected) in [
            (one, "1. K6+1 K5+1 2. 33=4 *", "d0d1 e9e8 g5f5"),
            (one, "1. K6+1 K5+1 2. 33.4 *", "d0d1 e9e8 g6f6"),
            (edge, "1. K5+1 K4+1 2. 11=2 *", "e0e1 d9d8 i6h6"),
            (edge, "1. K5+1 K4+1 2. １１＝２ *", "e0e1 d9d8 i6h6"),
            // With two tandems the beginner's system has such texts too: the sign tells, where it must that of other moves.
            (two, "1. K5+1 K4+1 2. 33=4 *", "e0e1 d9d8 g5f5"),
            (two, "1. K5+1 K4+1 2. 33.4 *", "e0e1 d9d8 g6f6"),
            (two, "1. 13=4 K4+1 2. K5+1 K4-1 *", "g7f7 d9d8 e0e1 d8d9"),
            ("3k5/9/6P2/9/2P3P2/2P6/6P2/9/9/4K4 w - - 0 1", "1. 33+1 K4+1 2. 3+.4 *", "g5g6 d9d8 g7f7"),
            ("3k5/9/6P2/9/2P3P2/2P6/6P2/9/9/4K4 w - - 0 1", "1. 33+1 K4+1 2. 13=4 *", "g3g4 d9d8 g7f7"),
        ] {
            for format in ["", "[Format \"WXF\"]\n"] {
                let record = read(&format!("[FEN \"{fen}\"]\n{format}\n{moves}"));
                assert_eq!(line(&record), expected, "{moves}");
                assert_eq!(record.warnings(), [""; 0], "{moves}");
            }
        }
    }

    #[test]
    fn the_format_decides_where_coordinates_fit_twice() {
        let fen = "3k5/9/9/9/4R4/4R4/9/9/9/4K4 w - - 0 1";
        let game = |format: &str| read(&format!("[FEN \"{fen}\"]\n{format}\n1. e5f5 *"));
        for (format, expected) in [("[Format \"UCI10\"]\n", "e4f4"), ("[Format \"ICCS\"]\n", "e5f5"), ("", "e5f5")] {
            assert_eq!(line(&game(format)), expected, "{format}");
        }
        // A tag that is wrong does no harm.
        assert_eq!(line(&read("[Format \"UCI10\"]\n\n1. 炮二平五 h9g7 *")), "h2e2 h9g7");
    }

    #[test]
    fn a_comment_left_open_ends_before_the_next_game() {
        let games = all("[Red \"A\"]\n1. h2e2 {left open h9g7\n\n[Red \"B\"]\n1. h2e2 {closed} *\n");
        assert_eq!(games.iter().map(|game| game.tag("Red").unwrap()).collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(games[0].comment(games[0].main_line().next().unwrap()), "left open h9g7");
        assert_eq!(games[1].comment(games[1].main_line().next().unwrap()), "closed");
        // A comment may quote tags.
        let games = all("[Red \"A\"]\n1. h2e2 {as in\n[Red \"B\"]\nhere} h9g7 {x} *\n");
        assert_eq!((games.len(), line(&games[0])), (1, "h2e2 h9g7".into()));
    }

    #[test]
    fn braces_in_comments_go_in_pairs() {
        for (text, comment) in [
            ("1. h2e2 {a {b} c} h9g7 {x} *", "a {b} c"),
            ("1. h2e2 {a { b} h9g7 {x} *", "a { b"),
            ("1. h2e2 {a {b {c} d} e} h9g7 *", "a {b {c} d} e"),
        ] {
            let record = read(text);
            assert_eq!(line(&record), "h2e2 h9g7", "{text}");
            assert_eq!(record.comment(record.main_line().next().unwrap()), comment);
        }
    }

    #[test]
    fn parentheses_in_comments_close_nothing() {
        let record = read("1. h2e2 h9g7 (remark {:)} with ; a ) here\n and more) 2. h0g2 *");
        assert_eq!(line(&record), "h2e2 h9g7 h0g2");
        let record = read("1. h2e2 h9g7 (1... a0a9 {:)} b9c7) 2. h0g2 *");
        assert_eq!(line(&record), "h2e2 h9g7 h0g2");
        assert_eq!(line(&read("1. h2e2 h9g7 (a remark; no more) 2. h0g2 *")), "h2e2 h9g7 h0g2");
    }

    #[test]
    fn games_without_tags_follow_each_other() {
        let lines = |text| all(text).iter().map(line).collect::<Vec<_>>();
        assert_eq!(lines("1. C2=5 H8+7 1-0\n\n1. P7+1 P7+1 0-1"), ["h2e2 h9g7", "c3c4 g6g5"]);
        assert_eq!(lines("1. C2=5 * 1. 炮二平五 *\n  1. H2-E2 *\n1. C2=6 a0a5"), ["h2e2", "h2e2", "h2e2", "h2d2"]);
        assert_eq!(lines("1. C2=5 1-0 {after it\n1. C2=5}\n=====\nvisit 1. C2=5\n1. the best page\n"), ["h2e2"]);
        // An illegal first move is a fault of a game and no advertisement.
        let text = "1. C2=5 *\n1. C1=5 *";
        let (_, at) = next(text, 0, &Braces::default()).unwrap();
        assert!(next(text, at, &Braces::default()).unwrap().0.is_err());
    }

    #[test]
    fn a_text_framed_by_dashes_is_read() {
        let text = "许银川 - 吕钦\n2001年\n红胜\n----------------\n  1. 炮二平五  马８进７    2. 马二进三  车９平８\n  3. 车一平二\n\
            ----------------\n象棋演播室\n";
        for text in [text.to_string(), format!("------\n{text}"), text.replace('\n', "\r\n")] {
            let games = all(&text);
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9 i0h0"], "{text}");
            assert_eq!((games[0].tag("Title"), games[0].result), (Some("许银川 - 吕钦"), RecordResult::RedWins));
            assert_eq!((games[0].comment(games[0].root()), games[0].warnings().len()), ("2001年\n红胜", 0));
            let encoded = crate::records::encode(&text, crate::records::TextEncoding::Gbk).0.into_owned();
            for bytes in [text.into_bytes(), encoded] {
                assert!(crate::records::Records::new(bytes, None).unwrap().next().unwrap().is_ok_and(|game| game.plies() == 5));
            }
        }
        assert_eq!(all(&text.repeat(2)).len(), 2);
    }

    #[test]
    fn marks_that_mean_nothing_cost_only_themselves() {
        for mark in ["$999", "$", "+=", "±", ", ", "=", "+/-", "，"] {
            let record = read(&format!("1. h2e2 {mark} h9g7 2. h0g2 *"));
            assert_eq!(line(&record), "h2e2 h9g7 h0g2", "{mark}");
            assert_eq!(record.warnings().len(), 1, "{mark}");
            assert!(record.warnings()[0].contains(mark.trim()) && record.main_line_fault().is_none(), "{mark}");
        }
        let record = read("1. h2e2! $1 h9g7 $2 $2 *");
        assert_eq!(record.main_line().map(|id| record.glyphs(id).to_vec()).collect::<Vec<_>>(), [[1], [2]]);
    }

    #[test]
    fn a_line_that_is_too_long_is_said_to_be_so() {
        let record = read(&"h0g2 h9g7 g2h0 g7h9 ".repeat(MAX_PLIES / 4 + 1));
        let warning = &record.warnings()[0];
        assert!(warning.contains("at most 10000 plies") && !warning.contains("illegal"), "{warning}");
        assert_eq!(record.plies(), MAX_PLIES);
    }

    #[test]
    fn results_in_words_and_full_width_are_understood() {
        use RecordResult::{BlackWins, Draw, RedWins, Unknown};
        for (text, result) in
            [("红胜", RedWins), ("和", Draw), ("1：0", RedWins), ("１－０", RedWins), ("0.5-0.5", Draw), ("黑方胜", BlackWins)]
        {
            let record = read(&format!("[Result \"{text}\"]\n\n1. h2e2 *"));
            assert_eq!((record.result, record.tags().count()), (result, 0), "{text}");
            assert_eq!(read(&format!("1. h2e2 {text}")).result, result, "{text}");
        }
        let record = read("[Result \"adjourned\"]\n\n1. h2e2 *");
        assert_eq!((record.result, record.tag("ResultNote"), record.tag("Result")), (Unknown, Some("adjourned"), None));
    }

    #[test]
    fn numbers_in_all_shapes_are_skipped() {
        let record = read("1 h2e2 1... h9g7 2.h0g2 2… b9c7 3. ... 3、 b0c2?");
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 b9c7 b0c2");
        assert_eq!(strip_number("33.4"), "33.4");
    }
}
