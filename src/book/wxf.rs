//! The notation of the book's source: WXF moves, written exactly and read strictly, over any [`Referee`].
//!
//! The notation floor does the same for a board of the program and for careless writers. Here one move has one text, so that
//! a line of the book can be searched for; a test compares the two.

use super::referee::Referee;
use crate::types::{Color, FILES, Move, Piece, PieceType, Square};
use arrayvec::ArrayVec;

/// Letters of the kinds in index order.
const LETTERS: [char; PieceType::COUNT] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

fn is_linear(kind: PieceType) -> bool {
    matches!(kind, PieceType::King | PieceType::Rook | PieceType::Cannon | PieceType::Pawn)
}

/// Number of a file for the side: from 1 at its right hand.
fn file_number(color: Color, file: u8) -> u8 {
    if color == Color::Red { FILES as u8 - file } else { file + 1 }
}

fn digit(number: u8) -> char {
    (b'0' + number) as char
}

/// The pieces like `piece`, from the foremost to the rearmost.
fn like<R: Referee>(board: &R, piece: Piece) -> ArrayVec<Square, 5> {
    // Five is the most a side has of any kind.
    let all = Square::all().filter(|&square| board.piece_on(square) == Some(piece));
    let mut found: ArrayVec<Square, 5> = all.take(5).collect();
    if piece.color() == Color::Red {
        found.reverse();
    }
    found
}

/// The first two characters: the piece and its file, or its place among like pieces on one file.
fn who(piece: Piece, square: Square, like: &[Square]) -> [char; 2] {
    let (letter, file) = (LETTERS[piece.kind().index()], digit(file_number(piece.color(), square.file())));
    let shares = |of: Square| like.iter().filter(|other| other.file() == of.file()).count();
    let count = shares(square);
    let sets = like.iter().filter(|&&of| shares(of) >= 2).map(|of| 1u16 << of.file()).fold(0, |set, bit| set | bit).count_ones();
    let index = like.iter().filter(|other| other.file() == square.file()).position(|&other| other == square).unwrap_or(0);
    let behind = count.saturating_sub(index + 1);
    match (index, behind) {
        _ if count <= 1 => [letter, file],
        (0, _) if sets >= 2 => [file, '+'],
        (_, 0) if sets >= 2 => [file, '-'],
        _ if sets >= 2 => [file, file],
        (before, behind) if before == behind => [letter, file],
        (0, _) if count >= 4 => ['+', '+'],
        (_, 0) if count >= 4 => ['-', '-'],
        (before, behind) => [letter, if before < behind { '+' } else { '-' }],
    }
}

/// Writes a legal move.
pub fn write<R: Referee>(board: &R, mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = board.piece_on(from) else { return String::new() };
    let points = to.rank().abs_diff(from.rank());
    let way = match (to.rank() > from.rank()) == (piece.color() == Color::Red) {
        _ if points == 0 => '.',
        true => '+',
        false => '-',
    };
    let number = if way != '.' && is_linear(piece.kind()) { points } else { file_number(piece.color(), to.file()) };
    who(piece, from, &like(board, piece)).into_iter().chain([way, digit(number)]).collect()
}

/// Reads a move.
///
/// # Errors
/// What is wrong with it, in one sentence, with what such a piece could do instead.
pub fn read<R: Referee>(board: &R, text: &str) -> Result<Move, String> {
    let symbols: ArrayVec<char, 5> = text.chars().take(5).collect();
    let &[first, second, way, number] = symbols.as_slice() else { return Err(not_a_move(text)) };
    if !matches!(way, '+' | '-' | '.') || !matches!(number, '1'..='9') {
        return Err(not_a_move(text));
    }
    let number = number as u8 - b'0';
    let color = board.side_to_move();
    // Pawns of two tandem files are named without a letter, and so are the outer ones of four or five.
    let kind = LETTERS.iter().position(|&letter| letter == first).map_or(PieceType::Pawn, |index| PieceType::ALL[index]);
    let piece = Piece::new(color, kind);
    let like = like(board, piece);
    let named = like.iter().filter(|&&square| who(piece, square, &like) == [first, second]);
    let mut found = named.filter_map(|&from| goal(piece, from, way, number).map(|to| Move::new(from, to)));
    match found.find(|&mv| board.is_legal(mv)) {
        Some(mv) => Ok(mv),
        None => Err(no_such_move(board, text, piece, &like)),
    }
}

fn not_a_move(text: &str) -> String {
    format!("'{text}' is no WXF move, expected four characters such as C2.5, H2+3 or C+.5")
}

fn no_such_move<R: Referee>(board: &R, text: &str, piece: Piece, like: &[Square]) -> String {
    let all = like.iter().flat_map(|&from| Square::all().filter(move |&to| to != from).map(move |to| Move::new(from, to)));
    let legal: Vec<String> = all.filter(|&mv| board.is_legal(mv)).map(|mv| write(board, mv)).collect();
    if legal.is_empty() {
        return format!("{color} has no legal move '{text}'", color = piece.color());
    }
    format!("{color} has no legal move '{text}', expected one such as {}", legal.join(" "), color = piece.color())
}

/// Where a piece would come by going so, whether or not it can.
fn goal(piece: Piece, from: Square, way: char, number: u8) -> Option<Square> {
    let forward = match (way, piece.color()) {
        ('.', _) => 0,
        ('+', Color::Red) | ('-', Color::Black) => 1,
        _ => -1,
    };
    let to_file = if piece.color() == Color::Red { FILES as i32 - number as i32 } else { number as i32 - 1 };
    let across = to_file - from.file() as i32;
    let ranks = match piece.kind() {
        _ if way == '.' => 0,
        kind if is_linear(kind) => return from.offset(0, forward * number as i32),
        PieceType::Horse => 3 - across.abs(),
        _ => across.abs(),
    };
    if !is_linear(piece.kind()) && (ranks == 0 || across == 0) {
        return None;
    }
    from.offset(across, forward * ranks).filter(|&to| to != from)
}
