//! Records of old game server clients: CHE of QQ (QQ象棋, 天天象棋), CHN of Ourgame (联众), CCM of the China Game Center (中国游戏中心)
//! and MXQ of Movesky (弈天). All four store the main line of a game, most from the standard start position, and some little else.
//! There are no writers: many of the fields are unknown, and the programs that could read the files no longer exist.
//!
//! Based on che2pgn, chn2pgn, ccm2pgn and mxq2pgn of the ElephantEye project (xqbase/eleeye), on a public converter for CHE with numbers
//! from 1, and on real files of MXQ, of newer CHN, and of CCM of 17pk. These clients allow capturing a king, which is not a legal move; the game then ends before it with
//! a warning.

use super::encoding::{InputEncoding, decode_cut_field, decode_field, decode_file};
use super::format::Head;
use super::source::{File, with_unreadable_fields};
use super::{Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::board::Board;
use crate::records::warning::{Count, warning};
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, SQUARES, Square};

/// Number of moves that must be legal to detect one of these formats, which have no signature.
const PROOF: usize = 4;

/// The number of leading moves that are legal from a position.
fn legal_plies(start: &Setup, moves: impl Iterator<Item = Option<Move>>) -> usize {
    let Ok(mut board) = start.board() else { return 0 };
    let mut plies = 0;
    for mv in moves {
        let Some(mv) = mv.filter(|&mv| Board::is_legal(&board, mv)) else { break };
        board = board.after(mv);
        plies += 1;
    }
    plies
}

/// Whether moves from the standard start position look like a game: there is at least one, and the first [`PROOF`] are legal.
fn is_game(moves: impl Iterator<Item = Option<Move>>) -> bool {
    is_game_from(&Setup::standard(), moves)
}

fn is_game_from(start: &Setup, moves: impl Iterator<Item = Option<Move>>) -> bool {
    let mut seen = 0;
    let legal = legal_plies(start, moves.take(PROOF).inspect(|_| seen += 1));
    legal > 0 && legal == seen
}

/// Builds a record of these moves. `None` becomes an illegal move, at which the line ends later.
fn record_of(start: Setup, moves: impl Iterator<Item = Option<Move>>) -> Result<Record, RecordError> {
    let mut record = Record::new(start);
    let mut tip = record.root();
    for (ply, mv) in (1..).zip(moves) {
        let full = |full| RecordError::new(format!("ply {ply}"), full);
        tip = record.add(tip, mv.unwrap_or(Move::NONE)).map_err(full)?;
    }
    Ok(record)
}

/// The move between two points, given as file and rank from Red's point of view.
fn move_between(from: (i32, i32), to: (i32, i32)) -> Option<Move> {
    let (from, to) = (Square::at(from.0, from.1)?, Square::at(to.0, to.1)?);
    (from != to).then_some(Move::new(from, to))
}

/// Converts moves with rows counted from the top. The board may be turned; it is if the first move does not start in the half of `first`, the
/// side that makes it.
fn moves_from_top(steps: impl Iterator<Item = [i32; 4]>, first: Color) -> impl Iterator<Item = Option<Move>> {
    let mut is_turned = None;
    let (last_file, last_rank) = (FILES as i32 - 1, RANKS as i32 - 1);
    steps.map(move |[from_file, from_row, to_file, to_row]| {
        let is_turned = *is_turned.get_or_insert((from_row < RANKS as i32 / 2) == (first == Color::Red));
        let point = |file, row| if is_turned { (last_file - file, row) } else { (file, last_rank - row) };
        move_between(point(from_file, from_row), point(to_file, to_row))
    })
}

/// Error if a file is shorter than its first part.
fn check_length(bytes: &[u8], part: &str, least: usize) -> Result<(), RecordError> {
    let length = bytes.len();
    let problem = || RecordProblem::Truncated(format!("the {part} of {least} bytes"));
    if length < least { Err(RecordError::new(format!("byte {length}"), problem())) } else { Ok(()) }
}

/// Reads a file of `header` bytes followed by plies of `ply` bytes. The first part must be complete; `part` and `least` are its name and
/// length. `game` is the start position with the moves.
fn read_plies(
    bytes: &[u8],
    (part, least): (&str, usize),
    header: usize,
    ply: usize,
    game: (Setup, impl Iterator<Item = Option<Move>>),
) -> Result<Record, RecordError> {
    check_length(bytes, part, least)?;
    let length = bytes.len();
    let mut record = record_of(game.0, game.1)?;
    let rest = (length - header) % ply;
    if rest > 0 {
        record.warn(warning!("byte {0}: the file ends inside a move", "第{0}字节：文件在着法中间结束", length - rest));
    }
    Ok(record.legal_part())
}

/// Count of numbers before the first move in CHE: the kind and the number of plies.
const CHE_HEAD: usize = 2;
/// Count of numbers per ply, and the index of the first of row and file of origin and destination.
const CHE_PLY: usize = 10;
const CHE_POINTS: usize = 3;
/// The kind in which rows and files are counted from 1.
const CHE_FROM_ONE: i32 = 0;
/// The tag for the text after the numbers.
const CHE_REST: &str = "CHE-Rest";

/// The numbers at the start of a text, at most `most`, and the text after them.
fn che_numbers(text: &[u8], most: usize) -> (Vec<i32>, &[u8]) {
    let (mut numbers, mut at) = (Vec::new(), 0);
    while numbers.len() < most {
        let blanks = text[at..].iter().take_while(|&&byte| byte.is_ascii_whitespace() || b",;|".contains(&byte)).count();
        let sign = (text.get(at + blanks) == Some(&b'-')) as usize;
        let digits = text[at + blanks + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            break;
        }
        let start = at + blanks;
        at = start + sign + digits;
        // A number that overflows is not a point on the board either.
        numbers.push(std::str::from_utf8(&text[start..at]).ok().and_then(|text| text.parse().ok()).unwrap_or(i32::MAX));
    }
    (numbers, &text[at..])
}

/// Converts numbers to moves, with rows and files counted from `first`.
fn che_moves(numbers: &[i32], first: i32) -> impl Iterator<Item = Option<Move>> {
    let stated = numbers.get(1).map_or(0, |&plies| usize::try_from(plies).unwrap_or(0));
    let plies = numbers.get(CHE_HEAD..).unwrap_or_default().chunks(CHE_PLY).take(stated);
    plies.map_while(|ply| ply.get(CHE_POINTS..CHE_POINTS + 4)).map(move |points| {
        let [from_rank, from_file, to_rank, to_file] = [0, 1, 2, 3].map(|index| points[index].saturating_sub(first));
        move_between((from_file, from_rank), (to_file, to_rank))
    })
}

/// Whether a file is CHE: numbers that form a game.
pub(super) fn is_che(head: &Head) -> bool {
    let (numbers, _) = che_numbers(&head.text, CHE_HEAD + PROOF * CHE_PLY);
    [0, 1].into_iter().any(|first| is_game(che_moves(&numbers, first)))
}

/// Reads CHE: numbers in ASCII.
///
/// # Errors
/// Returns an error if the file does not start with numbers, or has too many moves.
pub(super) fn read_che(file: File) -> Result<Record, RecordError> {
    let text = decode_file(file.bytes, file.encoding);
    let text = text.trim_start_matches('\u{feff}');
    let (head, _) = che_numbers(text.as_bytes(), CHE_HEAD);
    let [kind, stated] = head[..] else {
        let expected = "a CHE record, which begins with two numbers";
        return Err(RecordError::new("byte 0", RecordProblem::NotThisFormat(expected)));
    };
    // Numbers behind the stated plies are kept with the rest.
    let most = usize::try_from(stated).unwrap_or(0).saturating_mul(CHE_PLY).saturating_add(CHE_HEAD);
    let (numbers, rest) = che_numbers(text.as_bytes(), most);
    let expected = if kind == CHE_FROM_ONE { [1, 0] } else { [0, 1] };
    let [usual, other] = expected.map(|first| legal_plies(&Setup::standard(), che_moves(&numbers, first)));
    let mut record = record_of(Setup::standard(), che_moves(&numbers, expected[(other > usual) as usize]))?;
    if usize::try_from(stated).ok() != Some(record.plies()) {
        record.warn(warning!(
            "the file ends after ply {0}, expected {1}",
            "文件在第{0}着后结束，应有{1}着",
            record.plies(),
            stated
        ));
    }
    let more = che_numbers(rest, usize::MAX).0.len() / CHE_PLY;
    if more > 0 {
        let held = record.plies() + more;
        record.warn(warning!("the file has {0}, expected {1}", "文件有{0}着，应有{1}着", Count(held, "ply"), stated));
    }
    record.set_tag(CHE_REST, text[text.len() - rest.len()..].trim());
    Ok(with_unreadable_fields(record.legal_part()))
}

/// CHN of older clients: size in bytes of the header and of a ply, which consists of sixteen 2-byte numbers, the third to sixth being its points.
const CHN_HEAD: usize = 188;
const CHN_PLY: usize = 32;
const CHN_POINTS: usize = 4;

fn chn_moves(bytes: &[u8]) -> impl Iterator<Item = Option<Move>> {
    let number = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]) as i32;
    let plies = bytes.get(CHN_HEAD..).unwrap_or_default().chunks_exact(CHN_PLY);
    moves_from_top(plies.map(move |ply| [0, 2, 4, 6].map(|at| number(&ply[CHN_POINTS + at..CHN_POINTS + at + 2]))), Color::Red)
}

/// CHN of newer clients: its first bytes, and the sizes in bytes of the header and of a ply.
const GL_MARK: &[u8] = b"GL";
const GL_HEAD: usize = 520;
const GL_PLY: usize = 36;
/// Offsets in the header of the time at which the game was played, as text, of the board, and of the number of positions.
const GL_TIME_AT: usize = 8;
const GL_TIME: usize = 28;
const GL_BOARD_AT: usize = 180;
const GL_POSITIONS_AT: usize = 364;
/// The texts in the header: offset, tag; and their size.
const GL_FIELDS: [(usize, &str); 4] = [(120, "Red"), (160, "Black"), (100, "RedId"), (140, "BlackId")];
const GL_FIELD: usize = 20;
/// The offset in a ply of the origin, followed by the destination, each with the row in the high nibble and the file in the low one.
const GL_POINTS: usize = 2;
/// Board codes from 1, in the low three bits; the next bit is set for Black.
const GL_KINDS: [PieceType; 7] = [
    PieceType::Rook,
    PieceType::Horse,
    PieceType::Cannon,
    PieceType::King,
    PieceType::Advisor,
    PieceType::Elephant,
    PieceType::Pawn,
];

/// The start position and moves of CHN of newer clients. `None` if the file is in the older form, or ends inside the header.
fn gl_game(bytes: &[u8]) -> Option<(Setup, impl Iterator<Item = Option<Move>>)> {
    let header = bytes.get(..GL_HEAD).filter(|header| header.starts_with(GL_MARK))?;
    // File by file, from the top.
    let board = &header[GL_BOARD_AT..GL_BOARD_AT + SQUARES];
    let piece = |code: u8| {
        let color = if code & 8 == 0 { Color::Red } else { Color::Black };
        Some(Piece::new(color, *GL_KINDS.get((code & 7).checked_sub(1)? as usize)?))
    };
    let red_king = board.iter().position(|&code| piece(code) == Some(Piece::new(Color::Red, PieceType::King)));
    let is_turned = red_king.is_some_and(|at| at % RANKS < RANKS / 2);
    let point = move |file: usize, row: usize| {
        let (file, row) = (file as i32, row as i32);
        if is_turned { Square::at(FILES as i32 - 1 - file, row) } else { Square::at(file, RANKS as i32 - 1 - row) }
    };
    let mut start = Setup::empty();
    for (at, &code) in board.iter().enumerate() {
        if let Some(point) = point(at / RANKS, at % RANKS) {
            start.put(point, piece(code));
        }
    }
    let moves = bytes[GL_HEAD..].chunks_exact(GL_PLY).map(move |ply| {
        let [from, to] = [ply[GL_POINTS], ply[GL_POINTS + 1]].map(|byte| point((byte & 15) as usize, (byte >> 4) as usize));
        from.zip(to).filter(|(from, to)| from != to).map(|(from, to)| Move::new(from, to))
    });
    let first = bytes.get(GL_HEAD + GL_POINTS).and_then(|byte| point((byte & 15) as usize, (byte >> 4) as usize));
    if let Some(piece) = first.and_then(|first| start.piece_on(first)) {
        start.side = piece.color();
    }
    Some((start, moves))
}

fn read_gl(file: &File, start: Setup, moves: impl Iterator<Item = Option<Move>>) -> Result<Record, RecordError> {
    let bytes = &file.bytes;
    let mut record = record_of(start, moves)?;
    for (at, tag) in GL_FIELDS {
        record.set_tag(tag, terminated(&bytes[at..at + GL_FIELD], file.encoding));
    }
    let time = terminated(&bytes[GL_TIME_AT..GL_TIME_AT + GL_TIME], None);
    record.set_tag("Date", date_of_time(time.trim()).unwrap_or_else(|| time.trim().to_string()));
    let rest = (bytes.len() - GL_HEAD) % GL_PLY;
    let positions = bytes[GL_POSITIONS_AT..GL_POSITIONS_AT + 4].try_into().map_or(0, u32::from_le_bytes);
    if positions as usize != record.plies() + 1 {
        record.warn(warning!(
            "byte {0}: the file ends after ply {1}, positions expected: {2}",
            "第{0}字节：文件在第{1}着后结束，应有{2}个局面",
            bytes.len() - rest,
            record.plies(),
            positions
        ));
    }
    Ok(with_unreadable_fields(record.legal_part()))
}

/// A text up to its terminating zero. If that is the last byte of the field, or there is none, the last character may be cut.
fn terminated(field: &[u8], encoding: Option<InputEncoding>) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    decode_cut_field(&field[..end], end + 1 >= field.len(), encoding)
}

/// The date of a time in the form of C's `asctime`: `Tue Dec 27 20:57:56 2016`.
fn date_of_time(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let &[_, month, day, _, year] = words.as_slice() else { return None };
    let month = MONTHS.iter().position(|known| *known == month)? + 1;
    let (day, year) = (day.parse::<u8>().ok()?, year.parse::<u16>().ok()?);
    Some(format!("{year:04}.{month:02}.{day:02}"))
}

/// Whether a file is CHN in one of its forms: the moves after the header form a game.
pub(super) fn is_chn(head: &Head) -> bool {
    is_game(chn_moves(head.bytes)) || gl_game(head.bytes).is_some_and(|(start, moves)| is_game_from(&start, moves))
}

/// Reads CHN: a header, of unknown meaning in its older form, then moves.
///
/// # Errors
/// Returns an error if the header is truncated, or there are too many moves.
pub(super) fn read_chn(file: File) -> Result<Record, RecordError> {
    if let Some((start, moves)) = gl_game(&file.bytes) {
        return read_gl(&file, start, moves);
    }
    if file.bytes.starts_with(GL_MARK) {
        check_length(&file.bytes, "CHN header", GL_HEAD)?;
    }
    read_plies(&file.bytes, ("CHN header", CHN_HEAD), CHN_HEAD, CHN_PLY, (Setup::standard(), chn_moves(&file.bytes)))
}

/// Size of a CCM ply in bytes; the last four are its files and rows.
const CCM_PLY: usize = 7;

fn ccm_moves(bytes: &[u8]) -> impl Iterator<Item = Option<Move>> {
    let plies = bytes.chunks_exact(CCM_PLY);
    moves_from_top(plies.map(|ply| [ply[3], ply[5], ply[4], ply[6]].map(i32::from)), Color::Red)
}

/// CCM of 17pk: size in bytes of the header and of a ply, the number of plies in the header, and the offsets in a ply of the side that moves
/// (1 Red, 2 Black) and of its points.
const CCM_17PK_HEAD: usize = 12;
const CCM_17PK_PLY: usize = 9;
const CCM_17PK_PLIES_AT: usize = 8;
const CCM_17PK_SIDE: usize = 1;
const CCM_17PK_POINTS: usize = 3;

fn ccm_17pk_plies(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.get(CCM_17PK_HEAD..).unwrap_or_default().chunks_exact(CCM_17PK_PLY)
}

/// The standard start position with the side that makes the first move.
fn ccm_17pk_start(bytes: &[u8]) -> Setup {
    let mut start = Setup::standard();
    if ccm_17pk_plies(bytes).next().is_some_and(|ply| ply[CCM_17PK_SIDE] == 2) {
        start.side = Color::Black;
    }
    start
}

fn ccm_17pk_moves(bytes: &[u8]) -> impl Iterator<Item = Option<Move>> {
    let steps = ccm_17pk_plies(bytes).map(|ply| [0, 1, 2, 3].map(|at| ply[CCM_17PK_POINTS + at] as i32));
    moves_from_top(steps, ccm_17pk_start(bytes).side)
}

/// Whether bytes are CCM of 17pk: the sides alternate, and the moves form a game.
fn is_ccm_17pk(bytes: &[u8]) -> bool {
    let sides: Vec<u8> = ccm_17pk_plies(bytes).take(PROOF).map(|ply| ply[CCM_17PK_SIDE]).collect();
    let alternate = [[1, 2, 1, 2], [2, 1, 2, 1]].iter().any(|order| order.starts_with(&sides));
    alternate && is_game_from(&ccm_17pk_start(bytes), ccm_17pk_moves(bytes))
}

/// Whether a file is CCM in one of its forms: its bytes form a game.
pub(super) fn is_ccm(head: &Head) -> bool {
    is_game(ccm_moves(head.bytes)) || is_ccm_17pk(head.bytes)
}

/// Reads CCM, which consists only of moves, in the form of 17pk with a short header.
///
/// # Errors
/// Returns an error if the file is shorter than a move, or has too many moves.
pub(super) fn read_ccm(file: File) -> Result<Record, RecordError> {
    let bytes = &file.bytes;
    if !is_ccm_17pk(bytes) {
        return read_plies(bytes, ("first CCM move", CCM_PLY), 0, CCM_PLY, (Setup::standard(), ccm_moves(bytes)));
    }
    let stated = bytes[CCM_17PK_PLIES_AT..CCM_17PK_HEAD].try_into().map_or(0, u32::from_le_bytes) as usize;
    let held = ccm_17pk_plies(bytes).count();
    let game = (ccm_17pk_start(bytes), ccm_17pk_moves(bytes).take(stated));
    let mut record = read_plies(bytes, ("CCM header", CCM_17PK_HEAD), CCM_17PK_HEAD, CCM_17PK_PLY, game)?;
    if stated != held {
        record.warn(warning!("the file has {0}, expected {1}", "文件有{0}着，应有{1}着", Count(held, "ply"), stated));
    }
    Ok(record)
}

/// The tags for the texts before the first move in MXQ. The comment and the mark before the moves have no tag.
const MXQ_FIELDS: [&str; 12] = [
    "Site",
    "Date",
    MXQ_EVENT,
    "RedElo",
    "BlackElo",
    MXQ_TIME,
    MXQ_TIME,
    MXQ_TIME,
    "RedTimeLeft",
    "BlackTimeLeft",
    MXQ_COMMENT,
    MXQ_MARK,
];
const MXQ_EVENT: &str = "Event";
/// Three texts with the time control.
const MXQ_TIME: &str = "TimeControl";
const MXQ_COMMENT: &str = "Comment";
/// Always the text `Moves`.
const MXQ_MARK: &str = "Moves";
/// The text after the last move, and the one after the comments that may follow.
const MXQ_END: &[u8] = b"Ends";
const MXQ_COMMENTS_END: &[u8] = b"CommentsEnd";
/// Separators between the names of the players, which give the result.
const MXQ_RESULTS: [(&str, RecordResult); 5] = [
    ("-胜-", RecordResult::RedWins),
    ("-勝-", RecordResult::RedWins),
    ("-和-", RecordResult::Draw),
    ("-负-", RecordResult::BlackWins),
    ("-負-", RecordResult::BlackWins),
];

/// The texts of a file, each preceded by a length byte. The last may be truncated.
fn mxq_texts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (&length, behind) = rest.split_first()?;
        let (text, behind) = behind.split_at(behind.len().min(length as usize));
        rest = behind;
        Some(text)
    })
}

/// Parses a move such as `7C-4C`: file from the left and rank as a letter from Red's side.
fn mxq_move(text: &[u8]) -> Option<Move> {
    let &[from_file, from_rank, _, to_file, to_rank] = text else { return None };
    let point = |file: u8, rank: u8| (file as i32 - b'0' as i32, rank.to_ascii_uppercase() as i32 - b'A' as i32);
    move_between(point(from_file, from_rank), point(to_file, to_rank))
}

/// Whether a file is MXQ: twelve texts followed by the moves of a game or the end text.
pub(super) fn is_mxq(head: &Head) -> bool {
    let mut texts = mxq_texts(head.bytes).skip(MXQ_FIELDS.len()).peekable();
    texts.peek() == Some(&MXQ_END) || is_game(texts.take_while(|text| *text != MXQ_END).map(mxq_move))
}

/// Reads MXQ. Texts are in GBK, or in Big5 if only that yields a result between the players' names.
///
/// # Errors
/// Returns an error if the file ends before the first move, or has too many moves.
pub(super) fn read_mxq(file: File) -> Result<Record, RecordError> {
    let texts: Vec<&[u8]> = mxq_texts(&file.bytes).take(MXQ_FIELDS.len()).collect();
    let (Some(event), true) = (texts.get(2), texts.len() == MXQ_FIELDS.len()) else {
        let problem = RecordProblem::Truncated(format!("the {} texts of MXQ before the first move", MXQ_FIELDS.len()));
        return Err(RecordError::new(format!("byte {}", file.bytes.len()), problem));
    };
    let has_result = |text: &str| MXQ_RESULTS.into_iter().find(|(mark, _)| text.contains(mark));
    let big5: Option<InputEncoding> = "big5".parse().ok();
    let is_big5 = has_result(&decode_field(event, None)).is_none() && has_result(&decode_field(event, big5)).is_some();
    let encoding = file.encoding.or(big5.filter(|_| is_big5));
    let mut at_end = mxq_texts(&file.bytes).skip(MXQ_FIELDS.len());
    let mut is_ended = false;
    let moves = at_end.by_ref().take_while(|text| {
        is_ended = *text == MXQ_END;
        !is_ended
    });
    let mut record = record_of(Setup::standard(), moves.map(mxq_move))?;
    let mut time = Vec::new();
    for (tag, text) in MXQ_FIELDS.into_iter().zip(&texts) {
        let text = decode_field(text, encoding);
        match (tag, has_result(&text)) {
            (MXQ_EVENT, Some((mark, result))) => {
                let (red, black) = text.split_once(mark).unwrap_or_default();
                record.set_tag("Red", red);
                record.set_tag("Black", black);
                record.result = result;
            }
            (MXQ_MARK, _) => {}
            (MXQ_TIME, _) => time.push(text),
            (MXQ_COMMENT, _) => record.append_comment(record.root(), text.trim_end_matches('\0')),
            (tag, _) => record.set_tag(tag, text),
        }
    }
    record.set_tag(MXQ_TIME, time.join(" ").trim());
    let behind: Vec<&[u8]> = at_end.collect();
    // Another end of moves is that of a game of another file, which was joined to this one.
    let other = behind.iter().position(|text| *text == MXQ_END);
    let own = &behind[..other.unwrap_or(behind.len())];
    let comments = own.iter().position(|text| *text == MXQ_COMMENTS_END);
    for text in &own[..comments.unwrap_or(0)] {
        record.append_comment(record.root(), decode_field(text, encoding).trim_end_matches('\0'));
    }
    if other.is_some()
        && let Some(next) = own.get(comments.map_or(0, |at| at + 1))
    {
        // A byte with its length is before each text.
        record.warn_of_another(next.as_ptr() as usize - file.bytes.as_ptr() as usize - 1);
    }
    if !is_ended {
        record.warn(warning!(
            "byte {0}: the file ends before the text 'Ends'",
            "第{0}字节：文件在“Ends”之前结束",
            file.bytes.len()
        ));
    }
    Ok(with_unreadable_fields(record.legal_part()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fuzzing::{CHE, CHE_FROM_ONE as CHE_OF_QQ, ccm, ccm_17pk, chn, chn_gl, mxq};
    use crate::records::{Format, Records, TextEncoding, encode};

    const LINE: [&str; 3] = ["h2e2", "h9g7", "h0g2"];

    fn read(bytes: &[u8], format: Format) -> Record {
        assert_eq!(Format::shown_by(bytes), Some(format));
        Records::new(bytes.to_vec(), Some(format)).unwrap().next().unwrap().unwrap()
    }

    fn line(record: &Record) -> Vec<String> {
        record.moves().map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn the_games_of_all_clients_are_read() {
        for (bytes, format) in [
            (CHE.as_bytes().to_vec(), Format::Che),
            (CHE_OF_QQ.as_bytes().to_vec(), Format::Che),
            (chn(false), Format::Chn),
            (chn(true), Format::Chn),
            (chn_gl(false), Format::Chn),
            (chn_gl(true), Format::Chn),
            (ccm(false), Format::Ccm),
            (ccm(true), Format::Ccm),
            (ccm_17pk(), Format::Ccm),
            (mxq(TextEncoding::Gbk), Format::Mxq),
            (mxq(TextEncoding::Big5), Format::Mxq),
        ] {
            let record = read(&bytes, format);
            assert_eq!(line(&record), LINE, "{format}");
            assert_eq!(record.warnings(), [""; 0], "{format}");
        }
    }

    #[test]
    fn other_fields_are_kept() {
        assert_eq!(read(CHE_OF_QQ.as_bytes(), Format::Che).tag(CHE_REST), Some("<info>红</info>"));
        for encoding in [TextEncoding::Gbk, TextEncoding::Big5] {
            let record = read(&mxq(encoding), Format::Mxq);
            assert_eq!((record.tag("Red"), record.tag("Black")), (Some("甲"), Some("乙")), "{encoding}");
            assert_eq!((record.result, record.comment(record.root())), (RecordResult::Draw, "好"), "{encoding}");
            let tags: Vec<_> = record.tags().skip(4).collect();
            let times = [("RedTimeLeft", "296"), ("BlackTimeLeft", "0"), ("TimeControl", "5 1 30")];
            assert_eq!(tags, [[("RedElo", "2000"), ("BlackElo", "1900")].as_slice(), &times].concat());
        }
        let mut bytes = mxq(TextEncoding::Gbk);
        bytes.extend(b"\x04good\0\x0bCommentsEnd");
        let record = read(&bytes, Format::Mxq);
        assert_eq!((record.comment(record.root()), record.warnings()), ("好\ngood", vec![]));
        // Of joined files the texts of the second are no comments on the first.
        for first in [mxq(TextEncoding::Gbk), bytes.clone()] {
            let record = read(&[first.as_slice(), bytes.as_slice()].concat(), Format::Mxq);
            let another = format!("byte {}: another record begins", first.len());
            assert!(!record.comment(record.root()).contains("Moves") && line(&record) == LINE);
            assert!(record.warnings().iter().any(|warning| warning.starts_with(&another)), "{:?}", record.warnings());
        }
        let mut bytes = mxq(TextEncoding::Gbk);
        let name = encode("甲-和-乙", TextEncoding::Gbk).0;
        let at = bytes.windows(name.len()).position(|window| window == &*name).unwrap();
        bytes[at + 2] = b'=';
        assert_eq!(read(&bytes, Format::Mxq).tag("Event"), Some("甲=和-乙"));
    }

    #[test]
    fn a_captured_king_and_a_wrong_number_of_plies_are_reported() {
        let record = read(CHE.replacen(" 3 ", " 900000000 ", 1).as_bytes(), Format::Che);
        assert_eq!((line(&record), record.warnings().len()), (LINE.map(String::from).to_vec(), 1));
        let record = read(CHE.replacen(" 3 ", " 2 ", 1).as_bytes(), Format::Che);
        assert_eq!((record.plies(), record.warnings()), (2, vec!["the file has 3 plies, expected 2".to_string()]));
        assert_eq!(record.tag(CHE_REST), Some("0 0 0 0 7 2 6 0 3 0"));
        let mut bytes = ccm(false);
        // The cannon takes the king.
        bytes.extend([0, 0, 0, 4, 4, 7, 0, 1]);
        let record = Records::new(bytes, Some(Format::Ccm)).unwrap().next().unwrap().unwrap();
        assert_eq!(line(&record), LINE);
        assert_eq!(record.warnings().len(), 2, "{:?}", record.warnings());
    }

    #[test]
    fn the_header_of_newer_chn_is_read() {
        let mut bytes = chn_gl(false);
        let record = read(&bytes, Format::Chn);
        let tags: Vec<_> = record.tags().collect();
        // The name of Red fills its field, with half a character at its end.
        assert_eq!(tags, [("Red", "红红红红红红红红红"), ("Black", "黑"), ("RedId", "r1"), ("Date", "2016.12.27")]);
        assert_eq!(record.start, Setup::standard());
        // Truncated, and damaged.
        let record = read(&bytes[..bytes.len() - 1], Format::Chn);
        assert_eq!((record.plies(), record.warnings().len()), (2, 1));
        for length in 0..GL_HEAD {
            assert!(read_chn(File { bytes: bytes[..length].to_vec(), encoding: None }).is_err(), "{length}");
        }
        bytes[GL_TIME_AT] = 0;
        bytes[GL_BOARD_AT..GL_BOARD_AT + SQUARES].fill(0xff);
        let record = read_chn(File { bytes, encoding: None }).unwrap();
        assert_eq!((record.plies(), record.left_out(), record.tag("Date")), (0, 3, None));
    }

    #[test]
    fn a_position_of_newer_chn_is_read() {
        // Without Red's cannon on h2, Black moves first.
        let mut bytes = chn_gl(false);
        bytes[GL_BOARD_AT + 7 * RANKS + 7] = 0;
        bytes.drain(GL_HEAD..GL_HEAD + GL_PLY);
        bytes[GL_POSITIONS_AT] = 3;
        let record = read(&bytes, Format::Chn);
        assert_eq!((line(&record), record.warnings()), (LINE[1..].iter().map(|mv| mv.to_string()).collect(), vec![]));
        assert!(record.start.to_fen().ends_with("/1C7/9/RNBAKABNR b - - 0 1"), "{}", record.start.to_fen());
    }

    #[test]
    fn the_number_of_plies_of_17pk_is_checked() {
        let mut bytes = ccm_17pk();
        bytes[8] = 2;
        let record = read(&bytes, Format::Ccm);
        assert_eq!((record.plies(), record.warnings()), (2, vec!["the file has 3 plies, expected 2".to_string()]));
        bytes[8] = 200;
        let record = read(&bytes[..bytes.len() - 1], Format::Ccm);
        assert_eq!((record.plies(), record.warnings().len()), (2, 2), "{:?}", record.warnings());
        // Black moves first.
        let plies = [[0, 2, 0, 7, 2, 4, 2, 0, 0], [0, 1, 0, 7, 7, 4, 7, 0, 0]];
        let first: Vec<u8> = [vec![1, 0, 0x12, 0, 0, 0, 0, 0, 2, 0, 0, 0], plies.concat()].concat();
        let record = read(&first, Format::Ccm);
        assert_eq!((line(&record).join(" ").as_str(), record.start.side), ("h7e7 h2e2", Color::Black));
        assert_eq!(record.warnings(), [""; 0]);
        // The sides don't alternate.
        bytes[12 + 9 + 1] = 1;
        assert_eq!(Format::shown_by(&bytes), None);
    }

    #[test]
    fn texts_and_other_binary_files_are_not_detected() {
        for bytes in [
            &b"10 20 30 40 50 60 70 80 90 100 110 120 130\n"[..],
            b"1 2 3\n",
            b"",
            &[0; 4096],
            &[4; 4096],
            b"\x01a\x01b\x01c\x01d\x01e\x01f\x01g\x01h\x01i\x01j\x01k\x01l\x057C-4C",
            b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02",
        ] {
            let is_ours = Format::shown_by(bytes)
                .is_some_and(|format| [Format::Che, Format::Chn, Format::Ccm, Format::Mxq].contains(&format));
            // Only this one is an MXQ record, without its end.
            assert_eq!(is_ours, bytes.ends_with(b"7C-4C"), "{bytes:?}");
        }
        for format in [Format::Chn, Format::Ccm, Format::Mxq, Format::Che] {
            assert!(Records::new(b"x".to_vec(), Some(format)).unwrap().next().unwrap().is_err(), "{format}");
        }
    }
}
