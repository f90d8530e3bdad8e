//! The PGN writer: tags, then moves in one notation with comments in braces and variations in parentheses.

use super::moves::format_tag;
use super::scanner::MAX_TAG_LINE;
use crate::board::Board;
use crate::notation::{self, System};
use crate::records::result::RESULT_NOTE;
use crate::records::{Losses, NodeId, PgnOptions, Record, RecordResult, TextEncoding};
use crate::types::Color;
use std::fmt::Write;

/// The tags that are always written, in this order, before all others.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];

/// Maximum length of a tag value in bytes, such that the tag with its name does not exceed the reader's limit.
const MAX_TAG_VALUE: usize = MAX_TAG_LINE / 2;

/// Writes a record. Returns the data that PGN cannot store.
pub fn write(record: &Record, options: &PgnOptions) -> (String, Losses) {
    let mut out = String::new();
    let mut losses = Losses::default();
    let mut tag = |name: &str, value: &str| {
        let mut value = value.replace(['\n', '\r'], " ");
        // Readers interpret a quotation mark before a bracket as the end of the tag.
        losses.add("quotation marks before brackets in tags, written as ”", value.matches("\"]").count());
        value = value.replace("\"]", "”]").replace('\\', "\\\\").replace('"', "\\\"");
        if value.len() > MAX_TAG_VALUE {
            losses.add("tags shortened", 1);
            let end = (0..=MAX_TAG_VALUE).rev().find(|&at| value.is_char_boundary(at)).unwrap_or(0);
            value.truncate(end);
        }
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("Game", "Chinese Chess");
    for name in ROSTER {
        tag(name, record.tag(name).unwrap_or_default());
    }
    let (mut nameless, mut renamed) = (Vec::new(), 0);
    for known in ROSTER {
        // Of a repeated tag the first value counts.
        let values = record.tags().filter(|(name, value)| known.eq_ignore_ascii_case(name) && !value.is_empty());
        nameless.extend(values.skip(1).map(|(name, _)| name));
    }
    for (name, value) in record.tags().filter(|(name, _)| !ROSTER.iter().any(|known| known.eq_ignore_ascii_case(name))) {
        let clean: String = name.chars().filter(|letter| letter.is_alphanumeric() || "_-".contains(*letter)).collect();
        let is_result = clean.eq_ignore_ascii_case("result");
        match () {
            () if clean.is_empty() || is_understood(&clean, value) => nameless.push(name),
            // A second `Result` tag would contradict the one below.
            () if is_result && record.tag(RESULT_NOTE).is_none() => tag(RESULT_NOTE, value),
            () if is_result => nameless.push(name),
            () => {
                renamed += (clean != name) as usize;
                tag(&clean, value);
            }
        }
    }
    tag("Result", record.result.token());
    if !record.start.is_standard() {
        tag("FEN", &record.start.to_fen());
    }
    let for_windows = options.encoding != TextEncoding::Utf8;
    // Big5 lacks simplified characters; their moves would be lost.
    let notation = options.clone().in_encoding(options.encoding).notation;
    let notation = if for_windows { read_by_wizard(record, notation) } else { notation };
    if let Some(format) = format_tag(notation) {
        tag("Format", format);
    }
    nameless.into_iter().for_each(|name| losses.tag(name));
    losses.add("blanks and signs in names of tags, left out", renamed);
    let mut moves = Moves { record, notation, for_windows, out: String::new(), column: 0, losses };
    moves.write();
    out.push('\n');
    out.push_str(&moves.out);
    if record.tags().any(|(_, value)| value.contains('\n')) {
        moves.losses.add("line breaks in tags", 1);
    }
    (out, moves.losses)
}

/// Whether readers would interpret a tag. A record from another format can have any value under such a name, which must not become its
/// start position or result.
fn is_understood(name: &str, value: &str) -> bool {
    match name.to_ascii_lowercase().as_str() {
        "fen" | "fenstr" | "setup" | "format" | "white" | "whiteelo" | "whiteteam" => true,
        "result" => value.trim().is_empty() || RecordResult::understand(value).is_some(),
        _ => false,
    }
}

/// Lines are wrapped after this many characters.
const WIDTH: usize = 80;

/// An item on the stack of pending output.
enum Task {
    /// A move with its comment, then its alternatives, then its continuation. The flag forces a move number.
    Move(NodeId, Board, bool),
    /// A variation, then its next sibling.
    Variation(NodeId, Board),
    /// The closing parenthesis of a variation.
    Close,
}

/// The notation for programs that read GBK and Big5: the requested one if XiangQi Wizard can read the entire main line in it, otherwise
/// coordinates. Variations don't matter, since XiangQi Wizard reads them as comments.
fn read_by_wizard(record: &Record, notation: System) -> System {
    let Ok(position) = record.start.position() else { return notation };
    let mut board = *position.board();
    let is_read = record.moves().all(|mv| {
        let is_read = notation::is_read_by_wizard(notation, &board, mv);
        board = board.after(mv);
        is_read
    });
    if is_read { notation } else { System::Iccs }
}

struct Moves<'a> {
    record: &'a Record,
    notation: System,
    /// Whether comments must be readable by XiangQi Wizard.
    for_windows: bool,
    out: String,
    column: usize,
    losses: Losses,
}

impl Moves<'_> {
    fn write(&mut self) {
        let root = self.record.root();
        self.comment(root);
        self.glyphs(root);
        let first = self.record.next(root);
        let mut tasks: Vec<Task> = Vec::new();
        if let (Some(first), Ok(position)) = (first, self.record.start.position()) {
            tasks.push(Task::Move(first, *position.board(), true));
        }
        let mut numbers = Numbers::of(self.record);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => {
                    self.out.push(')');
                    self.column += 1;
                    numbers.ply = numbers.saved.pop().unwrap_or(0);
                }
                Task::Variation(node, board) => {
                    if let Some(next) = self.record.next_sibling(node) {
                        tasks.push(Task::Variation(next, board));
                    }
                    numbers.saved.push(numbers.ply);
                    numbers.ply -= 1;
                    tasks.push(Task::Close);
                    self.space();
                    self.out.push('(');
                    self.column += 1;
                    tasks.push(Task::Move(node, board, true));
                }
                Task::Move(node, board, show_number) => self.step(node, board, show_number, &mut numbers, &mut tasks),
            }
        }
        let token = self.record.result.token();
        if self.record.result != RecordResult::Unknown || !self.out.is_empty() {
            self.word(token);
        } else {
            self.out.push_str(token);
        }
        self.out.push('\n');
    }

    fn step(&mut self, node: NodeId, board: Board, show_number: bool, numbers: &mut Numbers, tasks: &mut Vec<Task>) {
        let Some(mv) = self.record.mv(node) else { return };
        let text = notation::write(self.notation, &board, mv);
        // A notation with spaces would be read as several moves.
        let text = if text.contains(' ') { mv.to_string() } else { text };
        match (numbers.fullmove(), board.side_to_move()) {
            (number, Color::Red) => self.word(&format!("{number}.")),
            (number, Color::Black) if show_number => self.word(&format!("{number}...")),
            _ => {}
        }
        numbers.ply += 1;
        self.word(&text);
        self.glyphs(node);
        self.comment(node);
        let is_first = self.record.parent(node).and_then(|parent| self.record.next(parent)) == Some(node);
        let alternative = if is_first { self.record.next_sibling(node) } else { None };
        let repeat = alternative.is_some() || !self.record.comment(node).is_empty();
        if let Some(next) = self.record.next(node) {
            tasks.push(Task::Move(next, board.after(mv), repeat));
        }
        if let Some(alternative) = alternative {
            tasks.push(Task::Variation(alternative, board));
        }
    }

    fn space(&mut self) {
        if self.out.is_empty() || self.out.ends_with(['(', '\n']) {
            return;
        }
        if self.column >= WIDTH {
            self.out.push('\n');
            self.column = 0;
        } else {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn word(&mut self, word: &str) {
        self.space();
        self.out.push_str(word);
        self.column += word.chars().count();
    }

    fn glyphs(&mut self, node: NodeId) {
        for glyph in self.record.glyphs(node) {
            self.word(&format!("${glyph}"));
        }
    }

    fn comment(&mut self, node: NodeId) {
        let text = self.record.comment(node);
        if text.is_empty() {
            return;
        }
        if text.contains(['{', '}']) {
            self.losses.add("braces in comments, written as full-width ones", text.matches(['{', '}']).count());
        }
        // Some programs accept pairs of braces in a comment, others don't, and none can read a single one.
        let mut text = text.replace('{', "｛").replace('}', "｝");
        // XiangQi Wizard treats parentheses like braces, even within braces.
        if self.for_windows && text.contains(['(', ')']) {
            self.losses.add("parentheses in comments, written as full-width ones", text.matches(['(', ')']).count());
            text = text.replace('(', "（").replace(')', "）");
        }
        self.word(&format!("{{{text}}}"));
        if let Some((_, last)) = text.rsplit_once('\n') {
            self.column = last.chars().count() + 1;
        }
    }
}

/// Counts plies for numbering the moves, including those in variations.
struct Numbers {
    /// Number of the first round, as in the start position.
    first: usize,
    black_first: bool,
    ply: usize,
    saved: Vec<usize>,
}

impl Numbers {
    fn of(record: &Record) -> Numbers {
        let first = record.start.fullmove.max(1) as usize;
        Numbers { first, black_first: record.start.side == Color::Black, ply: 0, saved: Vec::new() }
    }

    fn fullmove(&self) -> usize {
        self.first + (self.ply + self.black_first as usize) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, LineEnds, Records, Setup, TextEncoding};
    use crate::types::Move;

    fn sample(start: &str, first: [&str; 5]) -> Record {
        let mut record = Record::new(Setup::from_fen(start).unwrap());
        record.set_tag("Red", "红");
        record.set_tag("Annotator", "\"me\"");
        record.append_comment(record.root(), "before\nthe first");
        let mv = |text: &str| Move::from_uci(text).unwrap();
        let a = record.add(record.root(), mv(first[0])).unwrap();
        let b = record.add(a, mv(first[1])).unwrap();
        record.add_glyph(b, 3);
        record.append_comment(b, "quoting 1-0 and 马8进7");
        record.add(b, mv(first[2])).unwrap();
        record.add(a, mv(first[3])).unwrap();
        let c = record.add(record.root(), mv(first[4])).unwrap();
        record.add(c, mv(first[1])).unwrap();
        record.result = RecordResult::Draw;
        record
    }

    #[test]
    fn moves_in_big5_are_in_traditional_characters() {
        let mut record = Record::new(Setup::standard());
        record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        let options = PgnOptions { encoding: TextEncoding::Big5, notation: System::ChineseSimplified, ..PgnOptions::default() };
        let (text, losses) = write(&record, &options);
        assert!(text.contains("1. 炮二平五") && losses.is_empty(), "{text}");
        assert_eq!(crate::records::encode(&text, TextEncoding::Big5).1, 0);
    }

    #[test]
    fn a_tag_of_another_format_does_not_become_the_start_position_or_result() {
        let mut record = Record::new(Setup::standard());
        for (name, value) in [("FEN\0", "rnbakabnr/9"), ("Res.ult", "1-0"), ("White", "x"), ("Result", "adjourned")] {
            record.set_tag(name, value);
        }
        let (text, losses) = write(&record, &PgnOptions::default());
        assert_eq!(losses.to_string(), "tag FEN 1, tag Res.ult 1, tag White 1");
        let back = Records::new(text.clone().into_bytes(), Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
        assert_eq!((back.result, back.tag("Red"), back.tag("Result")), (RecordResult::Unknown, None, None));
        assert_eq!((back.tag("ResultNote"), text.matches("[Result ").count()), (Some("adjourned"), 1));
        assert!(back.start.is_standard());
        for (name, value) in [("red", "one"), ("Red", ""), ("Red", "two"), ("WhiteTeam", "three"), ("FenStr", "x")] {
            record.add_tag(name, value);
        }
        let (text, losses) = write(&record, &PgnOptions::default());
        assert!(text.contains("[Red \"one\"]") && !text.contains("two") && !text.contains("three"), "{text}");
        for lost in ["tag Red 1", "tag WhiteTeam 1", "tag FenStr 1"] {
            assert!(losses.to_string().contains(lost), "{losses}");
        }
    }

    #[test]
    fn tags_that_are_written_under_another_name_are_reported() {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Red Club", "x");
        let (text, losses) = write(&record, &PgnOptions::default());
        assert!(text.contains("[RedClub \"x\"]"), "{text}");
        assert_eq!(losses.to_string(), "blanks and signs in names of tags, left out 1");
    }

    #[test]
    fn the_format_tag_identifies_the_notation() {
        // Positions in which coordinates are legal in both numberings, or pawns are named differently.
        for (fen, moves) in [
            ("3k5/9/9/9/4R4/4R4/9/9/9/4K4 w - - 0 1", ["e4f4", "d9d8"]),
            ("3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1", ["g5f5", "d9d8"]),
            ("3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1", ["g5f5", "d9d8"]),
        ] {
            let mut record = Record::new(Setup::from_fen(fen).unwrap());
            let first = record.add(record.root(), Move::from_uci(moves[0]).unwrap()).unwrap();
            record.add(first, Move::from_uci(moves[1]).unwrap()).unwrap();
            for notation in System::all_of_pgn() {
                let (text, _) = write(&record, &PgnOptions { notation, ..PgnOptions::default() });
                let back = Records::new(text.clone().into_bytes(), Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
                assert!(back.same_tree(&record), "{text}");
                assert_eq!(text.contains("[Format \"WXF\"]"), matches!(notation, System::Wxf | System::Wxr | System::Tandem));
            }
        }
    }

    #[test]
    fn comments_with_braces_and_tags_round_trip() {
        let mut record = sample(crate::board::START_FEN, ["h2e2", "h9g7", "h0g2", "b9c7", "b2e2"]);
        record.append_comment(record.root(), "{ as in\n[Red \"B\"]\n{here} } }");
        let (text, losses) = write(&record, &PgnOptions::default());
        assert_eq!(losses.to_string(), "braces in comments, written as full-width ones 5");
        let back: Vec<_> = Records::new(text.into_bytes(), Some(Format::Pgn)).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!((back.len(), back[0].moves_in_tree()), (1, record.moves_in_tree()));
        assert!(
            back[0]
                .comment(back[0].root())
                .ends_with("{ as in\n[Red \"B\"]\n{here} } }".replace('{', "｛").replace('}', "｝").as_str())
        );
    }

    #[test]
    fn all_notations_and_encodings_round_trip() {
        let red = sample(crate::board::START_FEN, ["h2e2", "h9g7", "h0g2", "b9c7", "b2e2"]);
        let black = sample(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1",
            ["h7e7", "h0g2", "h9g7", "b0c2", "b7e7"],
        );
        for record in [red, black] {
            for notation in System::all_of_pgn() {
                for encoding in [TextEncoding::Utf8, TextEncoding::Gbk] {
                    let line_ends = if encoding == TextEncoding::Gbk { LineEnds::CrLf } else { LineEnds::Lf };
                    let options = PgnOptions { notation, encoding, line_ends };
                    let (bytes, losses) = crate::records::write(&record, Format::Pgn, &options).unwrap();
                    assert!(losses.is_empty(), "{losses}");
                    let ends = bytes.windows(2).filter(|pair| pair[1] == b'\n' && pair[0] == b'\r').count();
                    assert_eq!(ends > 0, line_ends == LineEnds::CrLf);
                    assert!(ends == 0 || ends == bytes.iter().filter(|byte| **byte == b'\n').count());
                    let back = Records::new(bytes, Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
                    assert!(back.same_tree(&record) && back.start == record.start, "{notation:?} {}", write(&record, &options).0);
                    assert_eq!((back.tag("Annotator"), back.result), (Some("\"me\""), RecordResult::Draw));
                }
            }
        }
    }

    #[test]
    fn variations_equal_to_the_main_move_round_trip() {
        let mut record = Record::new(Setup::standard());
        let mv = |text: &str| Move::from_uci(text).unwrap();
        let first = record.add(record.root(), mv("h2e2")).unwrap();
        for text in ["h9g7", "h9g7", "b9c7", "b9c7", "h9g7"] {
            let node = record.add(first, mv(text)).unwrap();
            record.append_comment(node, if text == "h9g7" { "马八进七 H8+7" } else { "" });
        }
        for notation in System::all_of_pgn() {
            let (text, _) = write(&record, &PgnOptions { notation, ..PgnOptions::default() });
            let back = Records::new(text.clone().into_bytes(), Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
            assert!(back.same_tree(&record), "{text}");
        }
    }

    #[test]
    fn unusual_tag_values_do_not_end_the_tags() {
        let mut record = sample(crate::board::START_FEN, ["h2e2", "h9g7", "h0g2", "b9c7", "b2e2"]);
        record.set_tag("Event", "a \"b\"] [c \"d\"");
        record.set_tag("Site", "]");
        record.set_tag("DhtmlXQ-long", "长".repeat(20_000));
        let (bytes, losses) = crate::records::write(&record, Format::Pgn, &PgnOptions::default()).unwrap();
        let back = Records::new(bytes, Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
        assert!(back.same_tree(&record) && back.start == record.start);
        assert_eq!(back.tag("Site"), Some("]"));
        assert_eq!(back.tag("Event"), Some("a \"b”] [c \"d\""));
        assert!(losses.to_string().contains("tags shortened 1") && losses.to_string().contains("quotation marks"));
    }

    #[test]
    fn moves_have_the_numbers_of_the_start_position() {
        for (side, moves, expected) in
            [("w", ["e1e2", "d9d8"], "30. C5+1 K4+1 *\n"), ("b", ["d9d8", "e1e2"], "30... K4+1 31. C5+1 *\n")]
        {
            let mut record = Record::new(Setup::from_fen(&format!("3k5/9/9/9/9/9/9/9/4C4/4K4 {side} - - 3 30")).unwrap());
            let first = record.add(record.root(), Move::from_uci(moves[0]).unwrap()).unwrap();
            record.add(first, Move::from_uci(moves[1]).unwrap()).unwrap();
            let (text, _) = write(&record, &PgnOptions { notation: System::Wxr, ..PgnOptions::default() });
            assert_eq!(text.split_once("\n\n").unwrap().1, expected);
            let back = Records::new(text.into_bytes(), Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
            assert!(back.same_tree(&record) && back.start == record.start && back.warnings().is_empty(), "{:?}", back.warnings());
        }
    }

    #[test]
    fn output_has_the_usual_form() {
        let record = sample(crate::board::START_FEN, ["h2e2", "h9g7", "h0g2", "b9c7", "b2e2"]);
        let (text, _) = write(&record, &PgnOptions { notation: System::Wxr, ..PgnOptions::default() });
        let (_, moves) = text.split_once("\n\n").unwrap();
        assert_eq!(
            moves,
            "{before\nthe first} 1. C2=5 (1. C8=5 H8+7) 1... H8+7 $3 {quoting 1-0 and 马8进7} (1... H2+3)\n2. H2+3 1/2-1/2\n"
        );
    }
}
