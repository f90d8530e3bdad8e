//! The board as used by the tables: ninety numbered points and the zones of the pieces. The numbering is that of
//! `Square` in `src/types/square.rs`; a test of the board compares the finished tables with the rules.

/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 10;
/// Number of points.
pub const SQUARES: usize = FILES * RANKS;
/// Kinds of pieces of both sides.
pub const PIECES: usize = 14;

/// A side, in the order used by the tables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Color {
    Red,
    Black,
}

impl Color {
    /// Both sides.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];
}

/// A point of the board, numbered `rank * 9 + file` from Red's left corner.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Square(usize);

impl Square {
    pub fn new(index: usize) -> Option<Square> {
        (index < SQUARES).then_some(Square(index))
    }

    pub fn index(self) -> usize {
        self.0
    }

    pub fn file(self) -> i32 {
        (self.0 % FILES) as i32
    }

    pub fn rank(self) -> i32 {
        (self.0 / FILES) as i32
    }

    /// The point this many files to the right and ranks up, if it is on the board.
    pub fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        let (file, rank) = (self.file() + files, self.rank() + ranks);
        let on_board = (0..FILES as i32).contains(&file) && (0..RANKS as i32).contains(&rank);
        on_board.then(|| Square(rank as usize * FILES + file as usize))
    }

    /// All ninety points in order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES).map(Square)
    }
}

pub fn in_palace(square: Square, color: Color) -> bool {
    let rank = if color == Color::Red { square.rank() } else { 9 - square.rank() };
    (3..=5).contains(&square.file()) && rank <= 2
}

pub fn advisor_point(square: Square, color: Color) -> bool {
    in_palace(square, color) && (square.file() + if color == Color::Red { square.rank() } else { 9 - square.rank() }) % 2 == 1
}

pub fn elephant_point(square: Square, color: Color) -> bool {
    let rank = if color == Color::Red { square.rank() } else { 9 - square.rank() };
    matches!((square.file(), rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2))
}

pub fn pawn_point(square: Square, color: Color) -> bool {
    let rank = if color == Color::Red { square.rank() } else { 9 - square.rank() };
    rank >= 5 || (rank >= 3 && square.file() % 2 == 0)
}
