//! Unvalidated setups: pieces, side to move and counters as given by a text or file. Validation is a separate step, when a
//! [`Board`] or [`Position`] is created from a setup.

use super::placement::{Board, zone};
use super::position::Position;
use super::tables::between;
use crate::types::{Color, FILES, Piece, PieceType, RANKS, SQUARES, Square};

/// A board that has not been validated. Files contain empty boards under chapter headings and positions that cannot occur in a
/// game; these must still load. [`Setup::board`] and [`Setup::position`] validate it.
///
/// ```
/// use xiangqi::board::{Position, Setup, SetupError};
/// use xiangqi::types::Color;
///
/// let setup = Setup::from_fen("4k4/9/9/9/9/9/9/9/9/9 w")?;
/// assert_eq!(setup.pieces().count(), 1);
/// assert_eq!(Position::try_from(&setup).unwrap_err(), SetupError::NoKing(Color::Red));
/// # Ok::<(), xiangqi::board::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub(super) pieces: [Option<Piece>; SQUARES],
    /// The side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub clock: u16,
    /// FEN move number, starting at 1.
    pub fullmove: u32,
}

/// The reason a [`Setup`] is not a valid position. The `Display` form gives the place, the fault and what was expected: `row 10
/// column 4: a red pawn cannot stand here, expected …`.
///
/// ```
/// use xiangqi::board::{Setup, SetupError};
/// use xiangqi::types::Color;
///
/// let error = Setup::from_fen("4k4/9/9/9/9/9/9/9/9/9 w")?.board().unwrap_err();
/// assert_eq!(error, SetupError::NoKing(Color::Red));
/// assert_eq!(error.to_string(), "no red king, expected exactly one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// More pieces of a kind than a side starts with.
    #[error("{}: too many {} {}s, expected at most {}", RowAndColumn(*at), piece.color(), piece.kind(), piece.kind().limit())]
    TooMany {
        /// The first excess piece in FEN order.
        at: Square,
        /// The piece.
        piece: Piece,
    },
    /// A side has no king.
    #[error("no {0} king, expected exactly one")]
    NoKing(Color),
    /// A piece on a point that it can never reach.
    #[error("{}: a {} {} cannot stand here, expected {}", RowAndColumn(*at), piece.color(), piece.kind(), zone_name(piece.kind()))]
    Misplaced {
        /// The point.
        at: Square,
        /// The piece.
        piece: Piece,
    },
    /// The kings face each other on a file without a piece between them.
    #[error("{}: the kings face each other, with no piece between them", RowAndColumn(*at))]
    KingsFacing {
        /// The point of the king that can be captured.
        at: Square,
        /// The colour of that king.
        color: Color,
    },
    /// The side not to move is in check.
    #[error("{}: the side to move can take the {color} king", RowAndColumn(*at))]
    KingCapturable {
        /// The point of the king that can be captured.
        at: Square,
        /// The colour of that king.
        color: Color,
    },
}

/// A point in FEN rows and columns: rows from 1 at Black's back rank, columns from 1 at Red's left.
struct RowAndColumn(Square);

impl std::fmt::Display for RowAndColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "row {} column {}", RANKS - self.0.rank() as usize, self.0.file() + 1)
    }
}

/// Description of the points that a piece can occupy, for error messages.
fn zone_name(kind: PieceType) -> &'static str {
    match kind {
        PieceType::King => "a point of its palace",
        PieceType::Advisor => "one of the five advisor points of its palace",
        PieceType::Elephant => "one of the seven elephant points of its side of the river",
        _ => "a point on or beyond its starting rank and, before the river, on a file where pawns start",
    }
}

impl Setup {
    /// A board without pieces, Red to move.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert_eq!(Setup::empty().to_fen(), "9/9/9/9/9/9/9/9/9/9 w - - 0 1");
    /// ```
    pub fn empty() -> Setup {
        Setup { pieces: [None; SQUARES], side: Color::Red, clock: 0, fullmove: 1 }
    }

    /// The start position.
    ///
    /// ```
    /// use xiangqi::board::{START_FEN, Setup};
    ///
    /// assert_eq!(Setup::standard().to_fen(), START_FEN);
    /// ```
    pub fn standard() -> Setup {
        Setup::from_position(&Position::startpos())
    }

    /// The setup of the current position, with its counters.
    ///
    /// ```
    /// use xiangqi::board::{Position, Setup};
    ///
    /// let game = Position::from_fen("4k4/9/9/9/9/9/9/9/8R/3K5 b - - 7 31")?;
    /// let setup = Setup::from_position(&game);
    /// assert_eq!((setup.clock, setup.fullmove), (7, 31));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_position(position: &Position) -> Setup {
        let mut setup = Setup::from_board(position.board());
        setup.clock = position.clock();
        setup.fullmove = position.fullmove();
        setup
    }

    /// The setup of a board, with the counters of a new game.
    ///
    /// ```
    /// use xiangqi::board::{Position, Setup};
    ///
    /// assert!(Setup::from_board(Position::startpos().board()).is_standard());
    /// ```
    pub fn from_board(board: &Board) -> Setup {
        let mut setup = Setup { side: board.side_to_move(), ..Setup::empty() };
        for (piece, square) in board.pieces() {
            setup.pieces[square.index()] = Some(piece);
        }
        setup
    }

    /// Validates the setup as a board.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// let mut setup = Setup::standard();
    /// assert_eq!(setup.board()?.count_legal_moves(), 44);
    /// setup.put("e0".parse()?, None);
    /// assert!(setup.board().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first violated condition, see [`SetupError`].
    pub fn board(&self) -> Result<Board, SetupError> {
        self.validate(|piece, square| zone(piece).has(square))
    }

    /// Like [`Setup::board`], but allows pawns on any point. Composed diagrams contain pawns on points that they cannot reach in a
    /// game, for example diagram 71 of the World Xiangqi Rules. Such a pawn moves and attacks according to the half of the board it
    /// is in.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// let setup = Setup::from_fen("3k5/9/9/9/9/9/9/9/9/P3K4 w")?;
    /// assert!(setup.board().is_err() && setup.diagram_board().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Setup::board`].
    pub fn diagram_board(&self) -> Result<Board, SetupError> {
        self.validate(|piece, square| piece.kind() == PieceType::Pawn || zone(piece).has(square))
    }

    /// Validates the setup as the position of a composed diagram, see [`Setup::diagram_board`]. [`Position::try_from`] is the strict
    /// version, which accepts only positions that can occur in a game.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// let setup = Setup::from_fen("3k5/9/9/9/9/9/9/9/9/P3K4 w - - 3 9")?;
    /// assert_eq!(setup.position()?.fullmove(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Setup::board`].
    pub fn position(&self) -> Result<Position, SetupError> {
        Ok(Position::new(self.diagram_board()?, self.clock, self.fullmove))
    }

    fn validate(&self, can_stand: impl Fn(Piece, Square) -> bool) -> Result<Board, SetupError> {
        let mut board = Board::vacant(self.side);
        // Slots are assigned in FEN order; the order of generated moves depends on it.
        for (piece, at) in self.pieces() {
            if !can_stand(piece, at) {
                return Err(SetupError::Misplaced { at, piece });
            }
            if !board.put(piece, at) {
                return Err(SetupError::TooMany { at, piece });
            }
        }
        for color in Color::ALL {
            if board.count(Piece::new(color, PieceType::King)) != 1 {
                return Err(SetupError::NoKing(color));
            }
        }
        if board.is_attacked(!self.side) {
            let (at, other, color) = (board.king(!self.side), board.king(self.side), !self.side);
            let are_facing = at.file() == other.file() && (between(at, other) & board.occupied()).is_empty();
            return Err(if are_facing {
                SetupError::KingsFacing { at, color }
            } else {
                SetupError::KingCapturable { at, color }
            });
        }
        Ok(board)
    }

    /// The piece on a point.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// assert_eq!(Setup::standard().piece_on("a0".parse()?), Some(Piece::new(Color::Red, PieceType::Rook)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Puts a piece on a point, or clears the point, and returns the previous piece.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let mut setup = Setup::empty();
    /// setup.put("e0".parse()?, Some(Piece::new(Color::Red, PieceType::King)));
    /// assert_eq!(setup.to_board_fen(), "9/9/9/9/9/9/9/9/9/4K4 w");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn put(&mut self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        std::mem::replace(&mut self.pieces[square.index()], piece)
    }

    /// Iterates over all pieces and their points in FEN order: ranks from Black's back rank down, each from Red's left.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// let first = Setup::standard().pieces().next().expect("32 pieces");
    /// assert_eq!((first.0.fen_letter(), first.1.to_string().as_str()), ('r', "a9"));
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let squares = (0..RANKS).rev().flat_map(|rank| (0..FILES).map(move |file| Square::from_index(rank * FILES + file)));
        squares.filter_map(|square| self.piece_on(square).map(|piece| (piece, square)))
    }
}

impl TryFrom<&Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Position, SetupError> {
        Ok(Position::new(setup.board()?, setup.clock, setup.fullmove))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;

    #[test]
    fn illegal_setups_are_preserved_and_legal_ones_validated() {
        let empty = Setup::from_fen("9/9/9/9/9/9/9/9/9/9 w").unwrap();
        assert_eq!(empty, Setup::empty());
        assert_eq!(empty.to_board_fen(), "9/9/9/9/9/9/9/9/9/9 w");
        assert_eq!(empty.position().unwrap_err(), SetupError::NoKing(Color::Red));
        assert!(Setup::from_fen(START_FEN).unwrap().is_standard());
        assert_eq!(Setup::standard().position().unwrap().board(), Position::startpos().board());
    }

    #[test]
    fn an_unreachable_pawn_is_allowed_only_in_diagrams() {
        let setup = Setup::from_fen("3k5/9/9/9/9/9/9/9/9/P3K4 w").unwrap();
        let at = "a0".parse().unwrap();
        let piece = Piece::new(Color::Red, PieceType::Pawn);
        assert_eq!(Position::try_from(&setup).unwrap_err(), SetupError::Misplaced { at, piece });
        assert!(setup.position().is_ok());
    }

    #[test]
    fn all_dialects_of_fields_are_read() {
        let board = "3k5/9/9/9/9/9/9/9/9/4K4";
        for (rest, side, clock, fullmove) in [
            ("", Color::Red, 0, 1),
            (" w", Color::Red, 0, 1),
            (" r", Color::Red, 0, 1),
            (" B - - 7 9", Color::Black, 7, 9),
            (" b 7 9", Color::Black, 7, 9),
            (" - - 7 9", Color::Red, 7, 9),
            (" 7 9", Color::Red, 7, 9),
        ] {
            let setup = Setup::from_fen(&format!("{board}{rest}")).unwrap();
            assert_eq!((setup.side, setup.clock, setup.fullmove), (side, clock, fullmove), "{rest}");
        }
        for bad in ["", "9/9", "9/9/9/9/9/9/9/9/9/8", "9/9/9/9/9/9/9/9/9/x8", "9/9/9/9/9/9/9/9/9/9 z", "99999999999999999999"] {
            assert!(Setup::from_fen(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn quoted_escaped_and_tagged_fens_are_read() {
        let board = "3k5/9/9/9/9/9/9/9/4R4/3K5";
        for text in [
            format!("{board}[] b - - 3 9"),
            format!("{board}[-] b - - 3 9"),
            format!("{board}/ b - - 3 9"),
            format!("{board}[]_b_-_-_3_9"),
            format!("{board}%20b%20-%20-%203%209"),
            format!("{}%5b%5d+b+-+-+3+9", board.replace('/', "%2F")),
            format!("{} b - - 3 9", board.replace('/', "\\/")),
            format!("\"{board} b - - 3 9\""),
            format!("'{board} black - - 3 9';"),
            format!("“{board}\u{3000}黑 - - 3 9”"),
            format!("[FEN \"{board} b - - 3 9\"]"),
            format!("FEN: {board} Black - - 3 9,"),
            format!("fen {board} b - - 3 9"),
            format!("https://example.org/analysis?variant=xiangqi&fen={board}_b_-_-_3_9&ply=0"),
            format!("{}\u{a0}b - - 3 9", board.replace('9', "９")),
        ] {
            assert_eq!(Setup::from_fen(&text).map(|setup| setup.to_fen()), Ok(format!("{board} b - - 3 9")), "{text}");
        }
        for text in
            [format!("{board} red"), format!("{board} Red"), format!("{board} 红"), format!("{board}[]"), format!("\"{board}\"")]
        {
            assert_eq!(Setup::from_fen(&text).map(|setup| setup.to_board_fen()), Ok(format!("{board} w")), "{text}");
        }
        // A pocket that contains pieces, and percent signs that are not URL escapes.
        for text in
            [format!("{board}[Pp] w"), format!("{board}%2 w"), format!("{board}%é0 w"), format!("{board}// w"), "\"".into()]
        {
            assert!(Setup::from_fen(&text).is_err(), "{text}");
        }
        let error = Setup::from_fen(&format!("{board} 帥")).unwrap_err().to_string();
        assert_eq!(error, "FEN side to move is '帥', expected w, r or b");
        let error = Setup::from_fen("startpos moves h2e2").unwrap_err().to_string();
        assert_eq!(error, "FEN has 1 row, expected 10");
        let error = Setup::from_fen("3帥5/9/9/9/9/9/9/9/4R4/3K5 w").unwrap_err().to_string();
        assert!(error.starts_with("FEN row 1 column 4: unknown letter '帥'"), "{error}");
    }
}
