//! Attacks and destinations on the board's own occupancy, looked up by its line words and windows. This is faster than
//! [`piece_moves`](super::piece_moves), which accepts an arbitrary set of occupied points.

use super::occupancy::{LINES, Words};
use super::placement::{Board, KIND_OF_SLOT, SLOTS_OF_SIDE, slots_of_kind};
use super::tables::{self, window_to_set};
use super::window;
use crate::types::{Bitboard, Color, PieceType, Square};

/// A rank word (bit = file) and a file word (bit = rank).
#[derive(Clone, Copy)]
struct Cross {
    rank: u16,
    file: u16,
}

impl Board {
    /// The occupied points of the rank and file of a place.
    #[inline(always)]
    fn lines(&self, place: usize) -> Cross {
        let lines = LINES[place & 0xff];
        let [red, black] = &self.occupancy;
        Cross { rank: red.line(lines.rank) | black.line(lines.rank), file: red.line(lines.file) | black.line(lines.file) }
    }

    /// The occupied points in the window around a place.
    #[inline(always)]
    pub(super) fn window(&self, place: usize) -> u64 {
        let [red, black] = &self.occupancy;
        red.window(place) | black.window(place)
    }

    /// The pseudo-legal destinations of a rook on `square`, points of its own side included. Like [`Board::moves_from`], but faster,
    /// and the square need not contain a rook.
    #[inline]
    fn rook_targets(&self, square: Square) -> Bitboard {
        spread(square, rook_targets(square, self.lines(square.index())))
    }

    /// Like [`Board::rook_targets`], for a cannon: its quiet moves and its captures.
    #[inline]
    fn cannon_targets(&self, square: Square) -> Bitboard {
        let (lines, occupied) = (LINES[square.index()], self.lines(square.index()));
        let [_, rank] = tables::SLIDER_RANK[(lines.rank_row | occupied.rank) as usize % tables::SLIDER_RANK.len()];
        let [_, file] = tables::SLIDER_FILE[(lines.file_row | occupied.file) as usize % tables::SLIDER_FILE.len()];
        spread(square, Cross { rank, file })
    }

    /// The lines of sight of a point as two sets: the points up to and including the first piece on each line, which a rook there
    /// would attack, and the points beyond it up to and including the second piece, which a cannon there would attack.
    ///
    /// ```
    /// use xiangqi::board::Board;
    ///
    /// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/9/2R1KR3 w")?;
    /// let [near, behind] = board.lines_of_sight("a0".parse()?);
    /// assert_eq!((near.len(), behind.len()), (2 + 9, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn lines_of_sight(&self, square: Square) -> [Bitboard; 2] {
        let occupied = self.lines(square.index());
        let near = rook_targets(square, occupied);
        // X-ray: the same lookup without the first pieces.
        let through = rook_targets(square, Cross { rank: occupied.rank & !near.rank, file: occupied.file & !near.file });
        let behind = Cross { rank: through.rank & !near.rank, file: through.file & !near.file };
        [spread(square, near), spread(square, behind)]
    }

    /// The union of the pseudo-legal destinations of all pieces of one kind and colour, points of their own side included. For
    /// cannons these are their quiet moves and their captures.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::{Color, PieceType};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.targets_of(Color::Red, PieceType::Elephant).len(), 3);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn targets_of(&self, color: Color, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Rook => self.line_targets(color, kind, |at| self.rook_targets(at)),
            PieceType::Cannon => self.line_targets(color, kind, |at| self.cannon_targets(at)),
            _ => {
                let places = self.places_of(color, kind).iter().map(|&place| place as usize);
                Bitboard::from_bits(places.fold(0, |set, at| set | window_to_set(at, self.steps(color, kind, at))))
            }
        }
    }

    /// Whether a piece of one side attacks a point, empty or occupied by either side. Like [`Board::attackers_of`] on the pieces of the
    /// board, but faster.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Color;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert!(start.is_attacked_by(Color::Red, "h9".parse()?) && !start.is_attacked_by(Color::Red, "e9".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_attacked_by(&self, color: Color, target: Square) -> bool {
        let [own, other] = [&self.occupancy[color.index()], &self.occupancy[(!color).index()]];
        let sight = Sight::of(target.index(), own, other);
        let place = |slot: usize| self.places[color.index() * SLOTS_OF_SIDE + slot] as usize;
        let mut on_lines = 0;
        for slot in slots_of_kind(PieceType::Rook) {
            on_lines |= sight.first(place(slot));
        }
        for slot in slots_of_kind(PieceType::Cannon) {
            on_lines |= sight.second(place(slot));
        }
        let near = sight.near_attackers(color);
        on_lines != 0
            || sight.any(near.iter().fold(0, |all, window| all | window), |place, bit| {
                near[KIND_OF_SLOT[self.slot_at(place) % SLOTS_OF_SIDE].index()] >> (bit & 63) & 1 != 0
            })
    }

    /// The destinations of a king, advisor, elephant, horse or pawn as a window around its place; empty for captured pieces and for
    /// rooks and cannons.
    #[inline(always)]
    fn steps(&self, color: Color, kind: PieceType, at: usize) -> u64 {
        match kind {
            PieceType::King => tables::KING[at],
            PieceType::Advisor => tables::ADVISOR[at],
            PieceType::Elephant => tables::ELEPHANT[at][window::DIAGONAL.of(self.window(at))],
            PieceType::Horse => tables::HORSE[at][window::ORTHOGONAL.of(self.window(at))],
            PieceType::Pawn => tables::PAWN[color.index()][at],
            PieceType::Rook | PieceType::Cannon => 0,
        }
    }

    #[inline(always)]
    fn line_targets(&self, color: Color, kind: PieceType, targets: impl Fn(Square) -> Bitboard) -> Bitboard {
        let squares = self.places_of(color, kind).iter().filter_map(|&place| Square::new(place as usize));
        squares.fold(Bitboard::EMPTY, |set, at| set | targets(at))
    }

    /// Whether a piece of this kind and colour on `from` could move to `to` or capture there. `to` must be a different point that its
    /// own side does not occupy.
    #[inline]
    pub(super) fn reaches(&self, color: Color, kind: PieceType, from: Square, to: Square) -> bool {
        let at = from.index();
        let between = || tables::BETWEEN[at][to.index()] & self.occupied().bits();
        let is_line = || from.file() == to.file() || from.rank() == to.rank();
        match kind {
            PieceType::Rook => is_line() && between() == 0,
            PieceType::Cannon => {
                is_line() && {
                    let screens = between();
                    if self.slot_on(to).is_none() { screens == 0 } else { screens != 0 && screens & (screens - 1) == 0 }
                }
            }
            _ => window::has(self.steps(color, kind, at), at, to.index()),
        }
    }
}

/// The destinations of a rook on its rank and file, given the occupied points.
#[inline(always)]
fn rook_targets(square: Square, occupied: Cross) -> Cross {
    let lines = LINES[square.index()];
    Cross {
        rank: tables::SLIDER_RANK[(lines.rank_row | occupied.rank) as usize % tables::SLIDER_RANK.len()][0],
        file: tables::SLIDER_FILE[(lines.file_row | occupied.file) as usize % tables::SLIDER_FILE.len()][0],
    }
}

/// Destinations on the rank and file of a point as a bitboard.
#[inline(always)]
fn spread(square: Square, targets: Cross) -> Bitboard {
    Bitboard::from_bits(tables::cross(square.rank() as usize, square.file() as usize, targets.rank, targets.file))
}

/// The pieces of one side visible from a point. Whether they attack it depends on their kinds: rooks and cannons are tested by
/// place, since there are few of them and each test reads one bit; for the other kinds, the pieces around the point are found first
/// and then tested for their kind.
pub(super) struct Sight {
    target: usize,
    /// The first pieces on its lines: the rank word in the lower half, the file word in the upper half.
    near: u32,
    /// The pieces behind exactly one screen of either side, in the same layout.
    behind: u32,
    /// The pieces around the point, as a window.
    around: u64,
    /// Table index of the combination of occupied diagonal neighbours.
    diagonals: usize,
}

impl Sight {
    /// The pieces of `side` visible from a point, given the occupancies of both sides. The contents of the point itself make no
    /// difference.
    #[inline(always)]
    pub(super) fn of(target: usize, side: &impl Words, other: &impl Words) -> Sight {
        let lines = LINES[target & 0xff];
        let (rank, file) = (side.line(lines.rank), side.line(lines.file));
        let rank_entry = (lines.rank_row | rank | other.line(lines.rank)) as usize % tables::SLIDER_RANK.len();
        let file_entry = (lines.file_row | file | other.line(lines.file)) as usize % tables::SLIDER_FILE.len();
        let [rook_rank, cannon_rank] = tables::SLIDER_RANK[rank_entry];
        let [rook_file, cannon_file] = tables::SLIDER_FILE[file_entry];
        let around = side.window(target);
        let both = |rank: u16, file: u16| rank as u32 | (file as u32) << 16;
        let own = both(rank, file);
        Sight {
            target,
            near: both(rook_rank, rook_file) & own,
            behind: both(cannon_rank, cannon_file) & own,
            around,
            diagonals: window::DIAGONAL.of(around | other.window(target)),
        }
    }

    /// 1 if the piece at a place is the first on a line from the point, otherwise 0; 0 for captured pieces.
    #[inline(always)]
    pub(super) fn first(&self, place: usize) -> u16 {
        self.bit(self.near, place)
    }

    /// 1 if the piece at a place is behind exactly one screen on a line from the point, otherwise 0.
    #[inline(always)]
    pub(super) fn second(&self, place: usize) -> u16 {
        self.bit(self.behind, place)
    }

    #[inline(always)]
    fn bit(&self, word: u32, place: usize) -> u16 {
        (word >> (tables::LINE_BIT[self.target][place & 0x7f] & 31)) as u16 & 1
    }

    /// The pieces that attack the point if they are horses, as a window.
    #[inline(always)]
    pub(super) fn horses(&self) -> u64 {
        tables::HORSE_REVERSE[self.target & 0xff][self.diagonals] & self.around
    }

    /// The pieces that attack the point if they are pawns of a side, as a window.
    #[inline(always)]
    pub(super) fn pawns(&self, side: Color) -> u64 {
        tables::PAWN_REVERSE[side.index()][self.target & 0xff] & self.around
    }

    /// The pieces that attack the point if they are of a given kind, as windows by kind index; empty for rooks and cannons.
    #[inline(always)]
    pub(super) fn near_attackers(&self, side: Color) -> [u64; PieceType::COUNT] {
        let mut windows = [0; PieceType::COUNT];
        windows[PieceType::King.index()] = tables::KING[self.target & 0xff] & self.around;
        windows[PieceType::Advisor.index()] = tables::ADVISOR[self.target & 0xff] & self.around;
        windows[PieceType::Elephant.index()] = tables::ELEPHANT[self.target & 0xff][self.diagonals] & self.around;
        windows[PieceType::Horse.index()] = self.horses();
        windows[PieceType::Pawn.index()] = self.pawns(side);
        windows
    }

    /// Whether `is_wanted` holds for any piece in a window around the point. It receives the place and the bit number in the window.
    #[inline(always)]
    pub(super) fn any(&self, window: u64, mut is_wanted: impl FnMut(usize, usize) -> bool) -> bool {
        any_bit(window, |bit| is_wanted((self.target + bit).wrapping_sub(window::CENTRE as usize), bit))
    }
}

/// Whether `is_wanted` holds for the number of any bit that is set.
#[inline(always)]
fn any_bit(mut bits: u64, mut is_wanted: impl FnMut(usize) -> bool) -> bool {
    while bits != 0 {
        if is_wanted(bits.trailing_zeros() as usize) {
            return true;
        }
        bits &= bits - 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::piece_moves;
    use crate::board::test_positions::random_walk;
    use crate::types::Piece;

    #[test]
    fn line_lookups_agree_with_piece_moves() {
        for seed in 200..230 {
            random_walk(seed, 100, |board| {
                let occupied = board.occupied();
                for (piece, square) in board.pieces() {
                    let targets = piece_moves(piece, square, occupied);
                    for to in Square::all().filter(|&to| !board.color(piece.color()).has(to)) {
                        assert_eq!(
                            board.reaches(piece.color(), piece.kind(), square, to),
                            targets.has(to),
                            "{piece:?} {square}{to}"
                        );
                    }
                }
                for piece in Piece::all() {
                    let each = board.squares_of(piece).map(|square| piece_moves(piece, square, occupied));
                    let together = each.fold(Bitboard::EMPTY, |set, targets| set | targets);
                    assert_eq!(board.targets_of(piece.color(), piece.kind()), together, "{piece:?}");
                }
                let rook = Piece::new(Color::Red, PieceType::Rook);
                for square in Square::all() {
                    let near = piece_moves(rook, square, occupied);
                    let behind = piece_moves(rook, square, occupied & !(near & occupied)) & !near;
                    assert_eq!(board.lines_of_sight(square), [near, behind], "{square}");
                }
            });
        }
    }
}
