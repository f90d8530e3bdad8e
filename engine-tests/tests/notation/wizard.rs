//! PGN in the encodings of Windows programs, read by the rules of XiangQi Wizard. The reader below is our own and independent of that of the
//! program; the rules are those of the Wizard's public sources (`ImportLine` and `ReadFile` of the client, `File2Move` of ElephantEye):
//!
//! - A file consists of lines that end in CR LF. Lines that begin with `[` are tags, each up to the next quotation mark; the first other
//!   non-empty line starts the moves. `Format` is `WXF`, `ICCS` or Chinese.
//! - `(` and `{` open a comment and both `)` and `}` close one, in any pairing; comments nest.
//! - Outside of comments `*`, `1-0`, `0-1` and `1/2-1/2` end the game at any position. In a Chinese game every non-ASCII character
//!   starts a move, else every letter and `+`, `-`, `=`; a move ends at the next blank or at the end of the line.
//! - An illegal or unreadable move is silently skipped.

use super::property::tandem_position;
use chuhe::board::{Board, START_FEN};
use chuhe::notation::System;
use chuhe::records::{self, Format, LineEnds, NodeId, PgnOptions, Record, Records, Setup, TextEncoding};
use chuhe::types::{Color, Move, Piece, PieceType, Square};
use std::path::Path;
use xiangqi::board::test_positions::Random;

/// The result of reading a game: the board at its start, and the moves that were read.
struct Seen {
    start: Board,
    moves: Vec<Move>,
}

/// A piece identified by its place in a tandem (0 to 4 for a number, 5 to 7 for front, middle and rear) or by its file.
enum Who {
    Place(usize),
    File(usize),
}

struct FileMove {
    kind: PieceType,
    who: Who,
    way: char,
    /// From 0, like files and steps in the Wizard's sources.
    number: usize,
}

fn chinese_kind(letter: char) -> Option<PieceType> {
    Some(match letter {
        '帅' | '将' | '帥' | '將' => PieceType::King,
        '仕' | '士' => PieceType::Advisor,
        '相' | '象' => PieceType::Elephant,
        '马' | '馬' => PieceType::Horse,
        '车' | '車' => PieceType::Rook,
        '炮' | '砲' => PieceType::Cannon,
        '兵' | '卒' => PieceType::Pawn,
        _ => return None,
    })
}

fn chinese_number(letter: char) -> Option<usize> {
    let at = |digits: &str| digits.chars().position(|digit| digit == letter);
    at("一二三四五六七八九").or_else(|| at("１２３４５６７８９")).or_else(|| at("123456789"))
}

fn read_chinese(text: &str) -> Option<FileMove> {
    let letters: Vec<char> = text.chars().take(4).collect();
    let &[first, second, way, number] = letters.as_slice() else { return None };
    let place = "一二三四五前中后".chars().position(|place| place == if first == '後' { '后' } else { first });
    let (kind, who) = match place {
        Some(place) => (chinese_kind(second)?, Who::Place(place)),
        None => (chinese_kind(first)?, Who::File(chinese_number(second)?)),
    };
    let way = match way {
        '进' | '進' => '+',
        '退' => '-',
        '平' => '.',
        _ => return None,
    };
    Some(FileMove { kind, who, way, number: chinese_number(number)? })
}

fn read_latin(text: &str) -> Option<FileMove> {
    let letters: Vec<char> = text.chars().take(4).collect();
    let &[first, second, way, number] = letters.as_slice() else { return None };
    let kind = |letter: char| match letter.to_ascii_uppercase() {
        'K' => Some(PieceType::King),
        'A' => Some(PieceType::Advisor),
        'B' | 'E' => Some(PieceType::Elephant),
        'N' | 'H' => Some(PieceType::Horse),
        'R' => Some(PieceType::Rook),
        'C' => Some(PieceType::Cannon),
        'P' => Some(PieceType::Pawn),
        _ => None,
    };
    let sign = |letter: char| match letter {
        '+' => Some(5),
        '.' | '=' => Some(6),
        '-' => Some(7),
        _ => None,
    };
    let digit = |letter: char| letter.to_digit(10).filter(|digit| *digit > 0).map(|digit| digit as usize - 1);
    let (kind, who) = match sign(first) {
        Some(place) => (kind(second)?, Who::Place(place)),
        None => {
            let letter = ('a'..='e').contains(&second).then(|| second as usize - 'a' as usize);
            (kind(first)?, letter.or(sign(second)).map(Who::Place).or(digit(second).map(Who::File))?)
        }
    };
    Some(FileMove { kind, who, way: if way == '=' { '.' } else { way }, number: digit(number)? })
}

/// The move given by the components, legal or not.
fn resolve(board: &Board, text: &FileMove) -> Option<Move> {
    let side = board.side_to_move();
    let piece = Piece::new(side, text.kind);
    // Files from the mover's right and ranks from the enemy's side, both from 0.
    let seen = |square: Square| match side {
        Color::Red => (8 - square.file() as usize, 9 - square.rank() as usize),
        Color::Black => (square.file() as usize, square.rank() as usize),
    };
    let square = |file: usize, rank: usize| {
        let (file, rank) = (file as i32, rank as i32);
        if side == Color::Red { Square::at(8 - file, 9 - rank) } else { Square::at(file, rank) }
    };
    let pieces: Vec<Square> = board.squares_of(piece).collect();
    let (file, number) = match text.who {
        Who::File(file) => (file, text.number),
        Who::Place(_) => (9, text.number),
    };
    // Advisors and elephants have a fixed list of moves, selected by file, direction and destination.
    if matches!(text.kind, PieceType::Advisor | PieceType::Elephant) {
        let (step, files) = if text.kind == PieceType::Advisor { (1, 3..=5) } else { (2, 0..=8) };
        if !files.contains(&file) || !files.contains(&number) || file.abs_diff(number) != step || text.way == '.' {
            return None;
        }
        let middle = if text.kind == PieceType::Advisor { [8, 8] } else { [7, 7] };
        let end = |forward: bool| match (text.kind, forward) {
            (PieceType::Advisor, true) => 9,
            (PieceType::Advisor, false) => 7,
            (_, true) => 9,
            (_, false) => 5,
        };
        // One of the two files has the point in the middle rank, the other those at the ends.
        let is_middle = |file: usize| if text.kind == PieceType::Advisor { file == 4 } else { file.is_multiple_of(4) };
        let forward = text.way == '+';
        let (from, to) = if is_middle(file) { (middle[0], end(!forward)) } else { (end(forward), middle[1]) };
        return Some(Move::new(square(file, from)?, square(number, to)?));
    }
    let from = match text.who {
        Who::File(_) if text.kind == PieceType::King => *pieces.first()?,
        Who::File(file) => *pieces.iter().find(|square| seen(**square).0 == file)?,
        Who::Place(place) => {
            let on_file = |square: &&Square| pieces.iter().filter(|other| other.file() == square.file()).count() > 1;
            let mut tandem: Vec<Square> = pieces.iter().filter(on_file).copied().collect();
            tandem.sort_by_key(|square| seen(*square));
            let index = if tandem.len() == 2 && place == 7 { 1 } else { place % 5 };
            *tandem.get(index)?
        }
    };
    let (file, rank) = seen(from);
    let rank = rank as i32;
    let (file, rank) = match (text.kind, text.way) {
        (PieceType::Horse, way) => {
            let ranks = 3 - number.abs_diff(file) as i32;
            (number, if way == '+' { rank - ranks } else { rank + ranks })
        }
        (_, '+') => (file, rank - number as i32 - 1),
        (_, '-') => (file, rank + number as i32 + 1),
        _ => (number, rank),
    };
    let to = square(file, usize::try_from(rank).ok()?)?;
    (from != to).then(|| Move::new(from, to))
}

fn read_coordinates(text: &str) -> Option<Move> {
    let letters: Vec<char> = text.chars().take(5).collect();
    let &[file, rank, _, to_file, to_rank] = letters.as_slice() else { return None };
    let point = |file: char, rank: char| Square::at(file as i32 - 'A' as i32, rank as i32 - '0' as i32);
    Some(Move::new(point(file, rank)?, point(to_file, to_rank)?))
}

/// Reads a file like the client.
fn read(text: &str) -> Seen {
    let mut board = Board::from_fen(START_FEN).expect("the start");
    let (mut format, mut in_moves, mut depth) = (0, false, 0);
    let mut seen = Seen { start: board, moves: Vec::new() };
    for line in text.split("\r\n") {
        if !in_moves {
            let label = |name: &str| {
                let value = line.strip_prefix(&format!("[{name} \""))?;
                Some(value.split('"').next().unwrap_or(value).to_string())
            };
            if let Some(fen) = label("FEN") {
                board = Board::from_fen(&fen).expect("a position");
                seen.start = board;
            } else if let Some(value) = label("Format") {
                format = ["", "WXF", "ICCS"].iter().position(|name| *name == value.to_uppercase()).unwrap_or(0);
            }
            in_moves = !line.trim_start().is_empty() && !line.starts_with('[');
            if !in_moves {
                continue;
            }
        }
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            let behind = &rest[letter.len_utf8()..];
            let begins_move = match format {
                0 => !letter.is_ascii(),
                _ => letter.is_ascii_alphabetic() || "+-=".contains(letter),
            };
            if "({".contains(letter) {
                depth += 1;
            } else if depth > 0 {
                depth -= ")}".contains(letter) as usize;
            } else if ["*", "1-0", "0-1", "1/2-1/2"].iter().any(|result| rest.starts_with(result)) {
                return seen;
            } else if begins_move {
                let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
                let mv = match format {
                    0 => read_chinese(word).and_then(|text| resolve(&board, &text)),
                    1 => read_latin(word).and_then(|text| resolve(&board, &text)),
                    _ => read_coordinates(word),
                };
                if let Some(mv) = mv.filter(|mv| board.is_legal(*mv)) {
                    board = board.after(mv);
                    seen.moves.push(mv);
                }
                rest = after;
                continue;
            }
            rest = behind;
        }
    }
    seen
}

/// A game of random moves with variations and with comments that contain difficult combinations of brackets.
fn game(random: &mut Random, start: &Board) -> Record {
    const REMARKS: [&str; 8] = ["a) 好", "(1-0)", "{x", "马8进7)", "：） *", "((", "}{", "第二行\n) 炮二平五"];
    let mut record = Record::new(Setup::from_fen(&start.to_fen()).expect("its own FEN"));
    record.set_tag("Red", "红方");
    let mut board = *start;
    let mut node = record.root();
    for _ in 0..random.below(80) {
        let moves = board.legal_moves();
        let Some(mv) = random.pick(&moves) else { break };
        let next = record.add(node, mv).expect("room");
        if random.below(12) == 0 {
            remark(random, &mut record, next, &REMARKS);
        }
        if let Some(other) = random.pick(&moves).filter(|other| *other != mv && random.below(12) == 0) {
            let other = record.add(node, other).expect("room");
            remark(random, &mut record, other, &REMARKS);
        }
        board = board.after(mv);
        node = next;
    }
    record
}

fn remark(random: &mut Random, record: &mut Record, node: NodeId, remarks: &[&str]) {
    let text = random.pick(remarks).expect("some");
    record.append_comment(node, text);
}

fn decoded(bytes: &[u8], encoding: TextEncoding) -> String {
    let encoding = if encoding == TextEncoding::Big5 { encoding_rs::BIG5 } else { encoding_rs::GBK };
    let (text, _, lost) = encoding.decode(bytes);
    assert!(!lost);
    text.into_owned()
}

/// Checks that the client reads the entire main line. Returns whether it is in coordinates.
fn check(record: &Record, notation: System, encoding: TextEncoding, place: &str) -> bool {
    let options = PgnOptions { notation, ..PgnOptions::default() }.in_encoding(encoding);
    let (bytes, _) = records::write(record, Format::Pgn, &options).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(options.line_ends, LineEnds::CrLf);
    let text = decoded(&bytes, encoding);
    let seen = read(&text);
    assert_eq!(seen.start.to_fen(), record.start.position().expect("a position").board().to_fen(), "{place}\n{text}");
    assert_eq!(seen.moves, record.moves().collect::<Vec<_>>(), "{place}\n{text}");
    // Our own reader reads the variations too.
    let back = Records::new(bytes, Some(Format::Pgn)).expect("PGN").next().expect("a game").expect("a good one");
    assert_eq!(back.moves_in_tree(), record.moves_in_tree(), "{place}\n{text}");
    text.contains("[Format \"ICCS\"]\r\n")
}

#[test]
fn the_client_reads_every_game_completely() {
    const GAMES: usize = 1000;
    let mut random = Random(312);
    let start = Board::from_fen(START_FEN).expect("the start");
    let mut in_coordinates = [[0; 2]; 3];
    for number in 0..GAMES {
        let from_start = number % 4 == 0;
        let board = if from_start {
            start
        } else {
            std::iter::repeat_with(|| tandem_position(&mut random)).flatten().next().expect("one")
        };
        let record = game(&mut random, &board);
        let encoding = [TextEncoding::Gbk, TextEncoding::Big5][number % 2];
        for (row, notation) in [System::ChineseSimplified, System::Wxf, System::Wxr].into_iter().enumerate() {
            let place = format!("game {number} in {notation}");
            in_coordinates[row][from_start as usize] += check(&record, notation, encoding, &place) as usize;
        }
        for notation in [System::Iccs, System::Uci, System::Uci10, System::Vietnamese] {
            let in_coordinates = check(&record, notation, encoding, &format!("game {number} in {notation}"));
            assert!(in_coordinates || record.plies() == 0, "game {number} in {notation}");
        }
    }
    println!("in coordinates, of {GAMES} games: {in_coordinates:?}");
    let [chinese, wxf, wxr] = in_coordinates;
    // Both cases occur, and Chinese notation is kept if possible.
    assert!(chinese[1] * 10 < GAMES / 4 && chinese[0] > 50 && chinese[0] < GAMES / 2, "{chinese:?}");
    assert!(wxf[0] > chinese[0] && wxr[0] > chinese[0] && wxr[0] < GAMES * 3 / 4, "{wxf:?} {wxr:?}");
}

/// The form is that of books and programs: with the file, never with front and rear.
#[test]
fn advisors_and_elephants_are_written_with_the_file() {
    for (fen, coordinates, simplified, traditional) in [
        ("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w", "c4a2", "相七退九", "相七退九"),
        ("3k5/9/9/9/9/9/9/5A3/9/4KA3 w", "f0e1", "仕四进五", "仕四進五"),
        ("3k2b2/9/9/9/6b2/9/9/9/9/4K4 b", "g5i7", "象７退９", "象７退９"),
    ] {
        let board = Board::from_fen(fen).expect("a position");
        let mv = Move::from_uci(coordinates).expect("a move");
        for (system, text) in [(System::ChineseSimplified, simplified), (System::Chinese, traditional)] {
            assert_eq!(chuhe::notation::write(system, &board, mv), text);
            let is_rear = (mv.from().rank() < mv.to().rank()) == (board.side_to_move() == Color::Red);
            let sign = if is_rear { "后" } else { "前" };
            let piece = text.chars().next().expect("a name");
            let by_sign: String = sign.chars().chain([piece]).chain(text.chars().skip(2)).collect();
            assert_eq!(chuhe::notation::read(system, &board, &by_sign), Ok(mv), "{by_sign}");
        }
    }
}

/// ElephantEye's reader of XQF, which the client uses: the pieces of the header are used only from type 2 on, and Black moves first
/// if the first moving piece is black.
#[test]
fn the_client_opens_xqf_of_any_position() {
    let mut random = Random(64);
    for number in 0..200 {
        let board = std::iter::repeat_with(|| tandem_position(&mut random)).flatten().next().expect("one");
        let record = game(&mut random, &board);
        let (bytes, _) = records::write(&record, Format::Xqf, &PgnOptions::default()).expect("XQF");
        assert!(bytes[2] <= 10 && bytes[12..16].iter().all(|byte| *byte == 0) && bytes[0x33] <= 3, "game {number}");
        assert!(bytes[0x40] == 2 || bytes[0x40] == 3, "game {number}: type {}", bytes[0x40]);
        assert_eq!(bytes[0x32] == 1, board.side_to_move() == Color::Black, "game {number}");
        const ORDER: &str = "RNBAKABNRCCPPPPPrnbakabnrccppppp";
        for (letter, byte) in ORDER.chars().zip(&bytes[16..48]).filter(|(_, byte)| **byte < 90) {
            let square = Square::at((byte / 10) as i32, (byte % 10) as i32).expect("a point");
            assert_eq!(board.piece_on(square).map(|piece| piece.fen_letter()), Some(letter), "game {number}: {square}");
        }
        // The main line comes first.
        let (mut at, mut moves) = (1024, Vec::new());
        loop {
            let comment = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().expect("four")) as usize;
            if at > 1024 {
                let point = |byte: u8| Square::at((byte / 10) as i32, (byte % 10) as i32).expect("a point");
                moves.push(Move::new(point(bytes[at] - 24), point(bytes[at + 1] - 32)));
            }
            if bytes[at + 2] & 0xf0 == 0 {
                break;
            }
            at += 8 + comment;
        }
        assert_eq!(moves, record.moves().collect::<Vec<_>>(), "game {number}");
    }
}

/// The sample files next to the repository, converted for Windows.
#[test]
fn the_client_reads_the_samples_completely() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(samples) =
        ["../../shared/samples", "../../../shared/samples"].iter().map(|path| root.join(path)).find(|path| path.is_dir())
    else {
        println!("skipped: no sample files beside the repository");
        return;
    };
    let mut games = 0;
    for folder in ["pgn", "xqf", "cbr", "dhtmlxq"] {
        for entry in std::fs::read_dir(samples.join(folder)).expect("a folder").flatten() {
            let records = Records::open(&entry.path(), None).unwrap_or_else(|error| panic!("{error}"));
            for record in records.filter_map(Result::ok).filter(|record| record.start.position().is_ok()) {
                for encoding in [TextEncoding::Gbk, TextEncoding::Big5] {
                    check(&record, System::ChineseSimplified, encoding, &entry.path().display().to_string());
                }
                games += 1;
            }
        }
    }
    assert!(games > 100, "only {games} games");
}
