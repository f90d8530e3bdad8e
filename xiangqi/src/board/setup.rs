//! A setup: pieces on points, side to move and counters as some text or file states them. Whether a game can have it is
//! asked afterwards, in one place: [`Board`] and [`Position`] are made of a setup and prove it valid.

use super::placement::{Board, zone};
use super::position::Position;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, SQUARES, Square};

/// A board as somebody stated it. Files hold empty boards under chapter headings and positions no game can have, which must
/// open all the same; a [`Position`] is made of it where moves are to be played.
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
    /// FEN's move number, from 1.
    pub fullmove: u32,
}

/// Why no game can have a setup. The `Display` is a clause about it: `has no red king, expected exactly one`.
///
/// ```
/// use xiangqi::board::{Setup, SetupError};
/// use xiangqi::types::Color;
///
/// let error = Setup::from_fen("4k4/9/9/9/9/9/9/9/9/9 w")?.board().unwrap_err();
/// assert_eq!(error, SetupError::NoKing(Color::Red));
/// assert_eq!(error.to_string(), "has no red king, expected exactly one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// More pieces of a kind than a side has.
    #[error("{}: too many pieces, {} {} {}s are the most", Place(*at), piece.kind().limit(), piece.color(), piece_name(piece.kind()))]
    TooMany {
        /// The first that is too many, read from Black's back rank and from Red's left.
        at: Square,
        /// The piece.
        piece: Piece,
    },
    /// A side has no king.
    #[error("has no {0} king, expected exactly one")]
    NoKing(Color),
    /// A piece on a point where it can never stand.
    #[error("{}: a {} {} cannot stand here, expected {}", Place(*at), piece.color(), piece_name(piece.kind()), home(piece.kind()))]
    Misplaced {
        /// The point.
        at: Square,
        /// The piece.
        piece: Piece,
    },
    /// The side to move could take the king.
    #[error("{}: the side to move can take the {color} king", Place(*at))]
    KingCapturable {
        /// Where that king stands.
        at: Square,
        /// Its colour.
        color: Color,
    },
}

/// A point as rows and columns of a FEN are counted: from 1 at Black's back rank, and from 1 at Red's left.
struct Place(Square);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "row {} column {}", RANKS - self.0.rank() as usize, self.0.file() + 1)
    }
}

fn piece_name(kind: PieceType) -> &'static str {
    ["king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"][kind.index()]
}

fn home(kind: PieceType) -> &'static str {
    match kind {
        PieceType::King => "a point of its palace",
        PieceType::Advisor => "one of the five advisor points of its palace",
        PieceType::Elephant => "one of the seven elephant points of its side of the river",
        _ => "a point in front of its first rank of pawns, on an own-side file only where pawns start",
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

    /// The present of a position.
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

    /// A board, with the counters of a new game.
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

    /// The board, if a game can have it.
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
    /// Why no game can.
    pub fn board(&self) -> Result<Board, SetupError> {
        self.prove(|piece, square| zone(piece).has(square))
    }

    /// As [`Setup::board`], but pawns may stand anywhere: composed diagrams put them where no game could, as diagram 71 of
    /// the World Xiangqi Rules does. Moves and attacks of such a pawn are those of its half of the board.
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
    /// As [`Setup::board`].
    pub fn diagram_board(&self) -> Result<Board, SetupError> {
        self.prove(|piece, square| piece.kind() == PieceType::Pawn || zone(piece).has(square))
    }

    /// The position of a composed diagram, see [`Setup::diagram_board`]. [`Position::try_from`] takes only what a game can have.
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
    /// As [`Setup::board`].
    pub fn position(&self) -> Result<Position, SetupError> {
        Ok(Position::new(self.diagram_board()?, self.clock, self.fullmove))
    }

    fn prove(&self, can_stand: impl Fn(Piece, Square) -> bool) -> Result<Board, SetupError> {
        let mut board = Board::vacant(self.side);
        // Pieces get their slots in the order of a FEN, on which the order of generated moves depends.
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
            return Err(SetupError::KingCapturable { at: board.king(!self.side), color: !self.side });
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

    /// Puts a piece on a point or clears it, and returns what stood there.
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

    /// All pieces with their points, in the order of a FEN: from Black's back rank, each rank from Red's left.
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

    /// Gives the move to the owner of the piece that moves first. Several formats do not store the side to move, others
    /// store a wrong one.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    /// use xiangqi::types::{Color, Move};
    ///
    /// let mut setup = Setup::standard();
    /// setup.trust_first_move(Some(Move::from_uci("h7e7")?));
    /// assert_eq!(setup.side, Color::Black);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trust_first_move(&mut self, first: Option<Move>) {
        if let Some(piece) = first.filter(|mv| !mv.is_none()).and_then(|mv| self.piece_on(mv.from())) {
            self.side = piece.color();
        }
    }
}

impl TryFrom<&Setup> for Board {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Board, SetupError> {
        setup.board()
    }
}

impl TryFrom<&Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Position, SetupError> {
        Ok(Position::new(setup.board()?, setup.clock, setup.fullmove))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        Setup::from_position(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{FenError, START_FEN};

    #[test]
    fn illegal_boards_are_kept_and_legal_ones_proved() {
        let empty = Setup::from_fen("9/9/9/9/9/9/9/9/9/9 w").unwrap();
        assert_eq!(empty, Setup::empty());
        assert_eq!(empty.to_board_fen(), "9/9/9/9/9/9/9/9/9/9 w");
        assert_eq!(empty.position().unwrap_err(), SetupError::NoKing(Color::Red));
        assert!(Setup::from_fen(START_FEN).unwrap().is_standard());
        assert_eq!(Setup::standard().position().unwrap().board(), Position::startpos().board());
    }

    #[test]
    fn a_pawn_where_no_game_has_it_makes_a_diagram_only() {
        let setup = Setup::from_fen("3k5/9/9/9/9/9/9/9/9/P3K4 w").unwrap();
        let at = "a0".parse().unwrap();
        let piece = Piece::new(Color::Red, PieceType::Pawn);
        assert_eq!(Position::try_from(&setup).unwrap_err(), SetupError::Misplaced { at, piece });
        assert!(setup.position().is_ok());
    }

    #[test]
    fn every_dialect_of_fields_is_read() {
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
    fn a_fen_is_read_as_others_hand_it_out() {
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
        // A pocket with pieces in it, and percent signs that are none of an address.
        for text in
            [format!("{board}[Pp] w"), format!("{board}%2 w"), format!("{board}%é0 w"), format!("{board}// w"), "\"".into()]
        {
            assert!(Setup::from_fen(&text).is_err(), "{text}");
        }
        let error = Setup::from_fen(&format!("{board} 帥")).unwrap_err().to_string();
        assert_eq!(error, "FEN side to move is '帥', expected w, r or b");
        let error = Setup::from_fen("3帥5/9/9/9/9/9/9/9/4R4/3K5 w").unwrap_err().to_string();
        assert!(error.starts_with("FEN row 1 column 4: unknown letter '帥'"), "{error}");
    }

    #[test]
    fn the_strict_reader_takes_what_is_written_and_nothing_else() {
        let fen = "3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 9";
        assert_eq!(Setup::from_fen_strict(fen).unwrap().to_fen(), fen);
        for other in ["3k5/9/9/9/9/9/9/9/9/4K4 b", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 07 9", "3k32/9/9/9/9/9/9/9/9/4K4 b - - 7 9"] {
            assert_eq!(
                Setup::from_fen_strict(other),
                Err(FenError::NotStrict(Setup::from_fen(other).unwrap().to_fen())),
                "{other}"
            );
        }
    }
}
