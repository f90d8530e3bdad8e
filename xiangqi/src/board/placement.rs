//! The board: piece placement, side to move and position key.

use super::occupancy::Occupancy;
use super::tables::{self, CAPTURED, Windows};
use super::window;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, SQUARES, Square};
use std::hash::{Hash, Hasher};

include!(concat!(env!("OUT_DIR"), "/feature_keys.rs"));

/// Every physical piece has a fixed slot, because pieces never change their kind: sixteen for Red, then sixteen for Black.
pub(super) const SLOTS: usize = 32;
/// First slot of each kind, relative to the side's first slot; the last entry is the end of the last kind.
pub(super) const FIRST_SLOT: [usize; 8] = [0, 1, 3, 5, 7, 9, 11, 16];
/// Number of piece slots per side. Red's are 0 to 15, Black's 16 to 31; see [`Board::slot_on`].
pub(crate) const SLOTS_OF_SIDE: usize = SLOTS / 2;

/// The slots of a kind, relative to the first slot of its side; see [`Board::slot_on`].
#[inline(always)]
pub(crate) const fn slots_of_kind(kind: PieceType) -> std::ops::Range<usize> {
    FIRST_SLOT[kind as usize]..FIRST_SLOT[kind as usize + 1]
}

/// The kind of piece in each slot of a side.
pub(super) static KIND_OF_SLOT: [PieceType; SLOTS_OF_SIDE] = {
    let mut kinds = [PieceType::King; SLOTS_OF_SIDE];
    let mut kind = 0;
    while kind < PieceType::COUNT {
        let mut slot = FIRST_SLOT[kind];
        while slot < FIRST_SLOT[kind + 1] {
            kinds[slot] = PieceType::ALL[kind];
            slot += 1;
        }
        kind += 1;
    }
    kinds
};

/// Mailbox entry of an empty point.
const VACANT: u8 = SLOTS as u8;

/// The piece in each slot; `None` for [`VACANT`].
static PIECE_OF_SLOT: [Option<Piece>; SLOTS + 1] = {
    let mut table = [None; SLOTS + 1];
    let mut slot = 0;
    while slot < SLOTS {
        let mut kind = 0;
        while FIRST_SLOT[kind + 1] <= slot % 16 {
            kind += 1;
        }
        let color = if slot < 16 { Color::Red } else { Color::Black };
        table[slot] = Some(Piece::new(color, PieceType::ALL[kind]));
        slot += 1;
    }
    table
};

/// A position without history: the pieces, the side to move and the position key.
///
/// A `Board` is a plain `Copy` value of 320 bytes. Moves are applied by copy-make ([`Board::after`]), which is faster here than
/// making and unmaking moves in place. [`Position`](super::Position) adds the history of a game.
///
/// Invariants: each side has exactly one king, in its palace; no side has more pieces of a kind than at the start of a game;
/// every piece is on a point it can legally occupy; and the side not to move is not in check. [`Board::from_fen`] and legal moves
/// preserve these invariants, and all methods rely on them. Only pawns may be anywhere: [`Board::from_diagram`] and
/// [`Setup::diagram_board`](super::Setup::diagram_board) accept them on unreachable points.
///
/// ```
/// use xiangqi::board::{Board, START_FEN};
/// use xiangqi::types::Move;
///
/// let start = Board::from_fen(START_FEN)?;
/// let next = start.after(Move::from_uci("h2e2")?);
/// assert_eq!(next.to_fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Board {
    /// Occupied points by colour.
    pub(super) occupancy: [Occupancy; 2],
    /// Place of the piece in each slot: a point index, or 90 when captured. Entries from [`VACANT`] on are meaningless.
    pub(super) places: [u8; 64],
    /// Mailbox: slot of the piece on each point, [`VACANT`] when empty.
    slots: [u8; 96],
    key: u64,
    side: Color,
}

/// Row of [`FEATURE_KEYS`] for the piece in a slot; the empty row for [`VACANT`].
#[inline(always)]
fn feature_row(slot: usize) -> usize {
    static ROWS: [u8; 64] = {
        let mut rows = [Piece::COUNT as u8; 64];
        let mut slot = 0;
        while slot < SLOTS {
            rows[slot] = match PIECE_OF_SLOT[slot] {
                Some(piece) => piece.index() as u8,
                None => Piece::COUNT as u8,
            };
            slot += 1;
        }
        rows
    };
    ROWS[slot & 63] as usize
}

impl PartialEq for Board {
    /// Compares the pieces on all points and the side to move. The slots of identical pieces may differ.
    fn eq(&self, other: &Board) -> bool {
        self.side == other.side && Square::all().all(|square| self.piece_on(square) == other.piece_on(square))
    }
}

impl Eq for Board {}

impl Hash for Board {
    /// Hashes the key, which is the same for equal boards.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Board {
    /// An empty board to be filled with [`Board::put`]; the invariants do not hold yet.
    pub(super) fn vacant(side: Color) -> Board {
        Board {
            occupancy: [Occupancy::EMPTY; 2],
            places: [CAPTURED; 64],
            slots: [VACANT; 96],
            key: if side == Color::Black { BLACK_TO_MOVE } else { 0 },
            side,
        }
    }

    /// Puts a piece on an empty point. Returns false if all slots of that kind are in use.
    pub(super) fn put(&mut self, piece: Piece, square: Square) -> bool {
        let base = piece.color().index() * 16;
        let kind = piece.kind().index();
        let Some(slot) = (base + FIRST_SLOT[kind]..base + FIRST_SLOT[kind + 1]).find(|&s| self.places[s] == CAPTURED) else {
            return false;
        };
        self.places[slot] = square.index() as u8;
        self.slots[square.index()] = slot as u8;
        let side = &mut self.occupancy[piece.color().index()];
        *side = side.or(Occupancy::of(square.index()));
        self.key ^= FEATURE_KEYS[piece.index()][square.index()];
        true
    }

    /// The side to move.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.side_to_move(), Color::Red);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The 64-bit position key: a Zobrist-style hash of the pieces and the side to move, built from aHash values (see
    /// `build/keys.rs`). It is identical on every run and every machine, and does not depend on history.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let play = |texts: [&str; 4]| -> Result<Board, xiangqi::types::ParseMoveError> {
    ///     texts.iter().try_fold(start, |board, text| Ok(board.after(Move::from_uci(text)?)))
    /// };
    /// // Transpositions have the same key.
    /// let (one, other) = (["h0g2", "h9g7", "b0c2", "b9c7"], ["b0c2", "b9c7", "h0g2", "h9g7"]);
    /// assert_eq!(play(one)?.key(), play(other)?.key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key computed from scratch, for verifying the incrementally updated [`Board::key`].
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.recomputed_key(), start.key());
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn recomputed_key(&self) -> u64 {
        let side = if self.side == Color::Black { BLACK_TO_MOVE } else { 0 };
        self.pieces().fold(side, |key, (piece, square)| key ^ FEATURE_KEYS[piece.index()][square.index()])
    }

    /// The key of the mirrored board (left and right exchanged), without constructing that board.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.mirrored_key(), start.mirrored().key());
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn mirrored_key(&self) -> u64 {
        let side = if self.side == Color::Black { BLACK_TO_MOVE } else { 0 };
        self.pieces().fold(side, |key, (piece, square)| key ^ FEATURE_KEYS[piece.index()][square.mirrored().index()])
    }

    /// The key after a legal move, without playing it; useful for prefetching a transposition table entry.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let mv = Move::from_uci("h2e2")?;
    /// assert_eq!(start.key_after(mv), start.after(mv).key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let [slot, captured] = [mv.from(), mv.to()].map(|square| self.slots[square.index()] as usize);
        self.key_after_slots(mv, slot, captured)
    }

    /// The key after a move of the piece in `slot` that takes the piece in `captured`, [`VACANT`] for none.
    #[inline(always)]
    fn key_after_slots(&self, mv: Move, slot: usize, captured: usize) -> u64 {
        let (from, to) = (mv.from().index(), mv.to().index());
        let keys = &FEATURE_KEYS[feature_row(slot)];
        self.key ^ keys[from] ^ keys[to] ^ FEATURE_KEYS[feature_row(captured)][to] ^ BLACK_TO_MOVE
    }

    /// The key after a null move.
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let mut game = Position::startpos();
    /// let key = game.board().key_after_null();
    /// game.make_null();
    /// assert_eq!(game.board().key(), key);
    /// ```
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.key ^ BLACK_TO_MOVE
    }

    /// The piece on a point, if any.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.piece_on("e0".parse()?), Some(Piece::new(Color::Red, PieceType::King)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        PIECE_OF_SLOT[self.slots[square.index()] as usize]
    }

    /// The slot, 0 to 31, of the physical piece on a point. A piece keeps its slot for the entire game, so rules about "the same
    /// piece" can track it.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let slot = start.slot_on("h2".parse()?);
    /// assert_eq!(start.after(Move::from_uci("h2e2")?).slot_on("e2".parse()?), slot);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn slot_on(&self, square: Square) -> Option<usize> {
        let slot = self.slots[square.index()];
        (slot != VACANT).then_some(slot as usize)
    }

    /// The slot of the piece at a place on the board, [`VACANT`] when it is empty.
    #[inline(always)]
    pub(super) fn slot_at(&self, place: usize) -> usize {
        self.slots[place % self.slots.len()] as usize
    }

    /// The point of the physical piece in a slot, 0 to 31; `None` if it has been captured or was never on the board, and for larger
    /// numbers.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let slot = start.slot_on("h2".parse()?).expect("a cannon");
    /// assert_eq!(start.square_of_slot(slot), Some("h2".parse()?));
    /// assert_eq!(start.square_of_slot(usize::MAX), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn square_of_slot(&self, slot: usize) -> Option<Square> {
        Square::new(*self.places[..SLOTS].get(slot)? as usize)
    }

    /// The piece assigned to a slot, 0 to 31; `None` for larger numbers.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let slot = start.slot_on("h2".parse()?).expect("a cannon");
    /// assert_eq!(Board::piece_of_slot(slot), start.piece_on("h2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn piece_of_slot(slot: usize) -> Option<Piece> {
        PIECE_OF_SLOT[slot.min(SLOTS)]
    }

    /// The point of a side's king.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.king(Color::Black), "e9".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.places[color.index() * 16] as usize)
    }

    /// The points occupied by one side.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.color(Color::Red).len(), 16);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        Bitboard::from_bits(self.occupancy[color.index()].set())
    }

    /// All occupied points.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.occupied().len(), 32);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.color(Color::Red) | self.color(Color::Black)
    }

    /// Iterates over the points of all pieces of one kind and colour.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let rooks: Vec<String> = start.squares_of(Piece::new(Color::Red, PieceType::Rook)).map(|point| point.to_string()).collect();
    /// assert_eq!(rooks, ["a0", "i0"]);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        self.places_of(piece.color(), piece.kind()).iter().filter_map(|&place| Square::new(place as usize))
    }

    /// The places of all pieces of one kind and colour, including captured ones.
    #[inline(always)]
    pub(super) fn places_of(&self, color: Color, kind: PieceType) -> &[u8] {
        let (base, kind) = (color.index() * SLOTS_OF_SIDE, kind.index());
        &self.places[base + FIRST_SLOT[kind]..base + FIRST_SLOT[kind + 1]]
    }

    /// The number of pieces of one kind and colour on the board.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.count(Piece::new(Color::Black, PieceType::Cannon)), 2);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn count(&self, piece: Piece) -> usize {
        self.squares_of(piece).count()
    }

    /// Iterates over all pieces and their points, in the order of point indices.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.pieces().count(), 32);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Square::all().filter_map(|square| self.piece_on(square).map(|piece| (piece, square)))
    }

    /// The board after a move (copy-make). The move must take a piece of the side to move to a point that its own side does not
    /// occupy; this is only checked by debug assertions.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Move};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.after(Move::from_uci("h2e2")?).side_to_move(), Color::Black);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Board {
        match self.side {
            Color::Red => self.after_move_of::<false>(mv),
            Color::Black => self.after_move_of::<true>(mv),
        }
    }

    /// Builds the new board field by field; copying the board and then modifying the copy would write the occupancies twice.
    #[inline(always)]
    fn after_move_of<const BLACK: bool>(&self, mv: Move) -> Board {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (slot, captured) = self.slots_of_move::<BLACK>(mv);
        let mut next = Board {
            occupancy: self.occupancy_after::<BLACK>(mv),
            places: self.places,
            slots: self.slots,
            key: self.key,
            side: if BLACK { Color::Red } else { Color::Black },
        };
        // Duplicates `play_move_of`: passing the board to a function would build it elsewhere and copy it here.
        next.key = self.key_after_slots(mv, slot, captured);
        next.places[captured % 64] = CAPTURED;
        next.places[slot % 64] = to as u8;
        next.slots[from] = VACANT;
        next.slots[to] = slot as u8;
        next
    }

    /// Applies a move in place; the in-place version of [`Board::after`].
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move) {
        match self.side {
            Color::Red => self.play_move_of::<false>(mv),
            Color::Black => self.play_move_of::<true>(mv),
        }
    }

    #[inline(always)]
    fn play_move_of<const BLACK: bool>(&mut self, mv: Move) {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (slot, captured) = self.slots_of_move::<BLACK>(mv);
        self.occupancy = self.occupancy_after::<BLACK>(mv);
        self.key = self.key_after_slots(mv, slot, captured);
        self.side = if BLACK { Color::Red } else { Color::Black };
        self.places[captured % 64] = CAPTURED;
        self.places[slot % 64] = to as u8;
        self.slots[from] = VACANT;
        self.slots[to] = slot as u8;
    }

    /// The occupancies of both sides after a move.
    #[inline(always)]
    fn occupancy_after<const BLACK: bool>(&self, mv: Move) -> [Occupancy; 2] {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (own, enemy) = (&self.occupancy[BLACK as usize], &self.occupancy[!BLACK as usize]);
        let (own, enemy) = (own.moved(from, to), enemy.without(to));
        if BLACK { [enemy, own] } else { [own, enemy] }
    }

    /// The slots of the moved and the captured piece. Without a capture the latter is [`VACANT`]; writing its meaningless entry in
    /// `places` is cheaper than an unpredictable branch.
    #[inline(always)]
    fn slots_of_move<const BLACK: bool>(&self, mv: Move) -> (usize, usize) {
        let (slot, captured) = (self.slots[mv.from().index()] as usize, self.slots[mv.to().index()] as usize);
        debug_assert!(slot / 16 == BLACK as usize && captured / 16 != BLACK as usize, "{mv} is not a move on this board");
        (slot, captured)
    }

    /// The places of one side's sixteen slots.
    #[inline(always)]
    pub(super) fn places_of_side<const BLACK: bool>(&self) -> &[u8; 16] {
        let side: &[u8] = if BLACK { &self.places[16..32] } else { &self.places[..16] };
        side.try_into().unwrap_or(&[CAPTURED; 16])
    }

    /// The board with the given side to move, for null moves and for computing threats. The side not to move may then be in check,
    /// which violates an invariant of [`Board`]: in that case only attack queries such as [`Board::attacks_from`] are valid.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, Piece, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.with_side(Color::Black).side_to_move(), Color::Black);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn with_side(&self, side: Color) -> Board {
        let mut next = *self;
        if side != self.side {
            next.key ^= BLACK_TO_MOVE;
            next.side = side;
        }
        next
    }

    /// Whether the side to move is in check.
    ///
    /// ```
    /// use xiangqi::board::Board;
    ///
    /// assert!(Board::from_fen("4k4/9/9/9/9/9/9/9/4R4/3K5 b")?.in_check());
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.side)
    }

    /// The pseudo-legal destinations of the piece on `square`, given the occupied points. Points occupied by its own side are
    /// included. For a cannon these are both its quiet moves and its captures. Empty for an empty point.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// // The elephant's eyes on b1 and d1 are empty.
    /// assert_eq!(start.moves_from("c0".parse()?, start.occupied()).len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn moves_from(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.piece_on(square).map_or(Bitboard::EMPTY, |piece| piece_moves(piece, square, occupied))
    }

    /// The points attacked by the piece on `square`, that is, where it could capture: for a cannon the first piece behind a screen
    /// on each line; for all other pieces their destinations. Points of its own side are included, so these are also the points
    /// that it protects.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.attacks_from("b2".parse()?).len(), 1, "the horse on b9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let occupied = self.occupied();
        match self.piece_on(square) {
            Some(piece) if piece.kind() == PieceType::Cannon => piece_moves(piece, square, occupied) & occupied,
            Some(piece) => piece_moves(piece, square, occupied),
            None => Bitboard::EMPTY,
        }
    }

    /// The pieces of a side that attack `target`, given the occupied points; pieces on points outside `occupied` are ignored.
    /// The contents of `target` itself make no difference. Kings attack only within their palace; facing kings are not
    /// considered.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Color;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.attackers_of(Color::Red, "h9".parse()?, start.occupied()).len(), 1, "the cannon on h2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attackers_of(&self, color: Color, target: Square, occupied: Bitboard) -> Bitboard {
        let at = target.index();
        let mut set = 0u128;
        let of = |kind| self.squares_of(Piece::new(color, kind)).collect::<Bitboard>().bits();
        let occ = occupied.bits();
        let windows = Windows::of(occ);
        let place = |window: u64| tables::window_to_set(at, window);
        set |= of(PieceType::Horse) & place(tables::HORSE_REVERSE[at][window::DIAGONAL.of(windows.at(at))]);
        set |= of(PieceType::Elephant) & place(tables::ELEPHANT[at][window::DIAGONAL.of(windows.at(at))]);
        set |= of(PieceType::Advisor) & place(tables::ADVISOR[at]);
        set |= of(PieceType::King) & place(tables::KING[at]);
        for from in self.squares_of(Piece::new(color, PieceType::Pawn)) {
            if piece_moves(Piece::new(color, PieceType::Pawn), from, occupied).has(target) {
                set |= 1 << from.index();
            }
        }
        for (kind, screens) in [(PieceType::Rook, 0), (PieceType::Cannon, 1)] {
            for from in self.squares_of(Piece::new(color, kind)) {
                if from != target
                    && (from.file() == target.file() || from.rank() == target.rank())
                    && (tables::BETWEEN[from.index()][at] & occ).count_ones() == screens
                {
                    set |= 1 << from.index();
                }
            }
        }
        Bitboard::from_bits(set & occ)
    }

    /// The board mirrored left to right.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.mirrored(), start);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn mirrored(&self) -> Board {
        self.transformed(self.side, |piece, square| (piece, square.mirrored()))
    }

    /// The board with colours exchanged: every piece is recoloured and flipped top to bottom, and the other side is to move.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.color_flipped().to_fen().split(' ').nth(1), Some("b"));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn color_flipped(&self) -> Board {
        self.transformed(!self.side, |piece, square| (piece.recolored(), square.flipped()))
    }

    fn transformed(&self, side: Color, map: impl Fn(Piece, Square) -> (Piece, Square)) -> Board {
        let mut board = Board::vacant(side);
        for (piece, square) in self.pieces() {
            let (piece, square) = map(piece, square);
            board.put(piece, square);
        }
        board
    }
}

/// The pseudo-legal destinations of a piece on a point, given the occupied points; see [`Board::moves_from`].
///
/// ```
/// use xiangqi::board::piece_moves;
/// use xiangqi::types::{Bitboard, Color, Piece, PieceType};
///
/// let horse = Piece::new(Color::Red, PieceType::Horse);
/// assert_eq!(piece_moves(horse, "e5".parse()?, Bitboard::EMPTY).len(), 8);
/// assert_eq!(piece_moves(horse, "e5".parse()?, Bitboard::of("e6".parse()?)).len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn piece_moves(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    let at = square.index();
    let occ = occupied.bits();
    let blockers = Windows::of(occ).at(at);
    let near = |window: u64| Bitboard::from_bits(tables::window_to_set(at, window));
    match piece.kind() {
        PieceType::King => near(tables::KING[at]),
        PieceType::Advisor => near(tables::ADVISOR[at]),
        PieceType::Elephant => near(tables::ELEPHANT[at][window::DIAGONAL.of(blockers)]),
        PieceType::Horse => near(tables::HORSE[at][window::ORTHOGONAL.of(blockers)]),
        PieceType::Pawn => near(tables::PAWN[piece.color().index()][at]),
        PieceType::Rook | PieceType::Cannon => {
            let (file, rank) = (square.file() as usize, square.rank() as usize);
            let rank_word = (occ >> (rank * 9)) as usize & 0x1ff;
            let column = occ >> file;
            let file_word = (0..10).fold(0, |word, r| word | ((column >> (r * 9)) as usize & 1) << r);
            let kind = (piece.kind() == PieceType::Cannon) as usize;
            let in_rank = tables::SLIDER_RANK[file << 9 | rank_word][kind];
            let in_file = tables::SLIDER_FILE[rank << 10 | file_word][kind];
            Bitboard::from_bits(tables::cross(rank, file, in_rank, in_file))
        }
    }
}

/// All points that a piece of this kind and colour can legally occupy.
///
/// ```
/// use xiangqi::board::zone;
/// use xiangqi::types::{Color, Piece, PieceType};
///
/// assert_eq!(zone(Piece::new(Color::Red, PieceType::Elephant)).len(), 7);
/// assert_eq!(zone(Piece::new(Color::Red, PieceType::Pawn)).len(), 55);
/// ```
pub const fn zone(piece: Piece) -> Bitboard {
    Bitboard::from_bits(tables::ZONES[piece.color().index()][piece.kind().index()])
}

const _: () = assert!(SQUARES < CAPTURED as usize + 1 && size_of::<Board>() <= 320);
