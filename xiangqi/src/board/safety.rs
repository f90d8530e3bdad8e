//! Attacks on a king and the resulting restrictions on the other pieces. Legality is expressed as masks computed once per
//! position, so that generated moves need not be made and tested. The masks generalise the check and pin masks of chess move
//! generators to cannons, horse legs and facing kings; classifying every enemy piece against the king's point by table lookup
//! is our own idea.

use super::occupancy::{Moved, Occupancy, Without, Words};
use super::placement::{Board, FIRST_SLOT, KIND_OF_SLOT, SLOTS_OF_SIDE};
use super::sight::Sight;
use super::tables::{self, CAPTURED, Windows};
use crate::types::{Bitboard, Color, Move, PieceType, Square};
use arrayvec::ArrayVec;

/// Number of a palace point, 0 to 8: its bit in the reach tables.
static PALACE_NUMBER: [u8; 256] = {
    let mut table = [0; 256];
    let mut place = 0usize;
    while place < 90 {
        let (file, rank) = (place % 9, place / 9);
        let row = if rank <= 2 { rank } else { rank.wrapping_sub(7) };
        if row <= 2 && file >= 3 && file <= 5 {
            table[place] = (row * 3 + file - 3) as u8;
        }
        place += 1;
    }
    table
};

/// Slots of the pieces that can attack a king, relative to the side's first slot.
const HORSES: usize = FIRST_SLOT[PieceType::Horse as usize];
const ROOKS: usize = FIRST_SLOT[PieceType::Rook as usize];
const CANNONS: usize = FIRST_SLOT[PieceType::Cannon as usize];
const PAWNS: usize = FIRST_SLOT[PieceType::Pawn as usize];

/// The potential attackers of one palace: the places of the other side's pieces.
#[derive(Clone, Copy)]
pub(super) struct Attackers<'a> {
    places: &'a [u8; 16],
    /// Colour index of the palace's owner.
    palace: usize,
}

/// The palace points that could be attacked if the points between did not matter, by kind of attack; bit = palace number.
#[derive(Clone, Copy)]
struct Reach {
    /// By rooks and cannons.
    lines: u16,
    horses: u16,
    /// By pawns. These are actual attacks, since nothing can block them.
    pawns: u16,
    /// By the enemy king along a file.
    king: u16,
}

impl<'a> Attackers<'a> {
    /// The potential attackers of `defender`'s palace, given the places of all pieces.
    #[inline(always)]
    pub(super) fn among(places: &'a [u8; 64], defender: Color) -> Attackers<'a> {
        let side = if defender == Color::Red { &places[16..32] } else { &places[..16] };
        Attackers { places: side.try_into().unwrap_or(&[CAPTURED; 16]), palace: defender.index() }
    }

    #[inline(always)]
    fn place(&self, slot: usize) -> usize {
        self.places[slot] as usize
    }

    #[inline(always)]
    fn reach_of(&self, table: &[[u16; 256]; 2], slot: usize) -> u16 {
        table[self.palace][self.place(slot)]
    }

    #[inline(always)]
    fn reach(&self) -> Reach {
        let any = |table, slots: std::ops::Range<usize>| slots.fold(0, |mask, slot| mask | self.reach_of(table, slot));
        Reach {
            lines: any(&tables::LINE_REACH, ROOKS..ROOKS + 4),
            horses: any(&tables::HORSE_REACH, HORSES..HORSES + 2),
            pawns: any(&tables::PAWN_REACH, PAWNS..PAWNS + 5),
            king: self.reach_of(&tables::FILE_REACH, 0),
        }
    }

    /// The palace points that could be attacked if the points between did not matter, as a mask for [`is_in_danger`].
    #[inline(always)]
    pub(super) fn danger(&self) -> u16 {
        let reach = self.reach();
        reach.lines | reach.horses | reach.pawns | reach.king
    }

    /// Whether a palace point is attacked, given the occupied points.
    #[inline(always)]
    pub(super) fn attack(&self, target: usize, occupied: u128) -> bool {
        self.attack_within(&self.reach(), target, occupied)
    }

    #[inline(always)]
    fn attack_within(&self, reach: &Reach, target: usize, occupied: u128) -> bool {
        let bit = 1u16 << PALACE_NUMBER[target & 0xff];
        let row = &tables::BETWEEN[target];
        let between = |slot: usize| row[self.place(slot)] & occupied;
        if reach.pawns & bit != 0 || (reach.king & bit != 0 && between(0) == 0) {
            return true;
        }
        if reach.lines & bit != 0 {
            for slot in ROOKS..ROOKS + 4 {
                if self.reach_of(&tables::LINE_REACH, slot) & bit == 0 {
                    continue;
                }
                let screens = between(slot);
                // Avoids a population count, which the baseline instruction set lacks.
                let attacks = if slot < CANNONS { screens == 0 } else { screens != 0 && screens & (screens - 1) == 0 };
                if attacks {
                    return true;
                }
            }
        }
        if reach.horses & bit != 0 {
            for slot in [HORSES, HORSES + 1] {
                let leg = tables::HORSE_LEG[target][self.place(slot)];
                if leg != CAPTURED && occupied >> leg & 1 == 0 {
                    return true;
                }
            }
        }
        false
    }
}

/// Whether a palace point is in the mask returned by [`Attackers::danger`].
#[inline(always)]
pub(super) fn is_in_danger(danger: u16, target: usize) -> bool {
    danger >> PALACE_NUMBER[target & 0xff] & 1 != 0
}

impl Board {
    /// Whether the king of a side is attacked, facing kings included.
    ///
    /// ```
    /// use xiangqi::board::Board;
    /// use xiangqi::types::Color;
    ///
    /// let board = Board::from_fen("4k4/9/9/9/9/9/9/9/4R4/3K5 b")?;
    /// assert!(board.is_attacked(Color::Black) && !board.is_attacked(Color::Red));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn is_attacked(&self, color: Color) -> bool {
        let (own, enemy) = (&self.occupancy[color.index()], &self.occupancy[(!color).index()]);
        self.is_king_attacked(color, self.king(color).index(), enemy, own, |place| place, |place| self.slot_at(place))
    }

    /// Whether the king of a side is attacked after a move. The move must take a piece of the side to move to a point that its own
    /// side does not occupy.
    #[inline]
    pub(super) fn is_attacked_after(&self, color: Color, mv: Move) -> bool {
        let (from, to) = (mv.from().index(), mv.to().index());
        let mover = self.side_to_move();
        let (moving, other) = (&self.occupancy[mover.index()], &self.occupancy[(!mover).index()]);
        let moving = Moved { side: moving, from: Occupancy::of(from), to: Occupancy::of(to) };
        let other = Without { side: other, gone: Occupancy::of(to) };
        let slot_at = |place| self.slot_at(if place == to { from } else { place });
        let king = self.king(color);
        if color == mover {
            let king = if king == mv.from() { to } else { king.index() };
            self.is_king_attacked(color, king, &other, &moving, |place| place, slot_at)
        } else {
            let now_at = |place| if place == from { to } else { place };
            self.is_king_attacked(color, king.index(), &moving, &other, now_at, slot_at)
        }
    }

    /// Whether the king of a side would be attacked at a place with the given occupancies. `now_at` maps the place of an enemy piece
    /// on this board to its place in that position, `slot_at` returns the slot at a place in that position.
    #[inline(always)]
    pub(super) fn is_king_attacked(
        &self,
        color: Color,
        king: usize,
        enemy: &impl Words,
        own: &impl Words,
        now_at: impl Fn(usize) -> usize,
        slot_at: impl Fn(usize) -> usize,
    ) -> bool {
        let sight = Sight::of(king, enemy, own);
        let place = |slot: usize| now_at(self.places[(!color).index() * SLOTS_OF_SIDE + slot] as usize);
        // Slot 0 is the enemy king, which attacks along the file.
        let on_lines = sight.first(place(0))
            | sight.first(place(ROOKS))
            | sight.first(place(ROOKS + 1))
            | sight.second(place(CANNONS))
            | sight.second(place(CANNONS + 1));
        let is_any =
            |window: u64, kind: PieceType| sight.any(window, |place, _| KIND_OF_SLOT[slot_at(place) % SLOTS_OF_SIDE] == kind);
        on_lines != 0 || is_any(sight.horses(), PieceType::Horse) || is_any(sight.pawns(!color), PieceType::Pawn)
    }
}

/// The enemy pieces that give check to the king of `color`, including a facing king.
pub(super) fn checkers(board: &Board, color: Color) -> Bitboard {
    let attackers = Attackers::among(&board.places, color);
    let (king, occupied) = (board.king(color).index(), board.occupied().bits());
    let alone = |slot: usize| {
        let mut places = [CAPTURED; 16];
        places[slot] = attackers.places[slot];
        Attackers { places: &places, palace: attackers.palace }.attack(king, occupied)
    };
    (0..16).filter(|&slot| alone(slot)).filter_map(|slot| Square::new(attackers.place(slot))).collect()
}

/// An actual or potential attack on the king, and the destinations that do not allow it.
struct Constraint {
    /// Allowed destinations of every piece not in `special`.
    general: u128,
    /// Pieces with a different mask: the blockers and screens of this attack.
    special: u128,
    /// Allowed destinations of the pieces in `special`.
    special_targets: u128,
}

/// The restrictions that the safety of its own king places on the side to move, cached between calls of
/// [`Board::generate_with`].
///
/// The first generation of moves on a board computes them; later generations on the same board reuse them, as staged move
/// generation does.
///
/// ```
/// use xiangqi::board::{Board, Safety, START_FEN, Wanted};
/// use xiangqi::types::MoveList;
///
/// let start = Board::from_fen(START_FEN)?;
/// let (mut safety, mut moves) = (Safety::unknown(), MoveList::new());
/// start.generate_with(Wanted::Captures, &mut moves, &mut safety);
/// assert_eq!(moves.len(), 2);
/// start.generate_with(Wanted::Quiets, &mut moves, &mut safety);
/// assert_eq!(moves.len(), 42);
/// # Ok::<(), xiangqi::board::FenError>(())
/// ```
pub struct Safety {
    /// Key of the board it was computed for.
    of: Option<u64>,
    constraints: ArrayVec<Constraint, 16>,
    /// Allowed destinations of every piece not in `special`.
    general: u128,
    /// Pieces with their own mask.
    special: u128,
    occupied: u128,
    reach: Reach,
}

impl Safety {
    /// An empty cache, not yet computed for any board.
    ///
    /// ```
    /// use xiangqi::board::Safety;
    ///
    /// let safety = Safety::unknown();
    /// ```
    #[inline(always)]
    pub const fn unknown() -> Safety {
        let reach = Reach { lines: 0, horses: 0, pawns: 0, king: 0 };
        Safety { of: None, constraints: ArrayVec::new_const(), general: u128::MAX, special: 0, occupied: 0, reach }
    }

    /// Computes the constraints on the side to move, unless they have already been computed for this board.
    #[inline(always)]
    pub(super) fn find<const BLACK: bool>(&mut self, board: &Board, occupied: u128) {
        if self.of != Some(board.key()) {
            self.of = Some(board.key());
            self.constraints.clear();
            (self.general, self.special, self.occupied) = (u128::MAX, 0, occupied);
            self.constrain::<BLACK>(board);
        }
    }

    #[inline(always)]
    fn constrain<const BLACK: bool>(&mut self, board: &Board) {
        let side = if BLACK { Color::Black } else { Color::Red };
        let attackers = Attackers::among(&board.places, side);
        self.reach = attackers.reach();
        let king = board.king(side).index();
        let bit = 1u16 << PALACE_NUMBER[king & 0xff];
        let own = board.occupancy[BLACK as usize].set();
        if self.reach.king & bit != 0 {
            self.constrain_rook_line(king, attackers.place(0), own);
        }
        if (self.reach.lines | self.reach.horses | self.reach.pawns) & bit != 0 {
            self.constrain_by_pieces(attackers, king, own);
        }
    }

    /// Whether there are no restrictions at all.
    #[inline(always)]
    pub(super) fn is_free(&self) -> bool {
        self.constraints.is_empty()
    }

    #[inline(always)]
    fn add(&mut self, general: u128, special: u128, special_targets: u128) {
        self.general &= general;
        self.special |= special;
        // Never full: each of the sixteen enemy pieces adds at most one constraint.
        let _ = self.constraints.try_push(Constraint { general, special, special_targets });
    }

    #[inline(always)]
    fn constrain_by_pieces(&mut self, attackers: Attackers, king: usize, own: u128) {
        let bit = 1u16 << PALACE_NUMBER[king & 0xff];
        if self.reach.lines & bit != 0 {
            for slot in [ROOKS, ROOKS + 1] {
                if attackers.reach_of(&tables::LINE_REACH, slot) & bit != 0 {
                    self.constrain_rook_line(king, attackers.place(slot), own);
                }
            }
            for slot in [CANNONS, CANNONS + 1] {
                if attackers.reach_of(&tables::LINE_REACH, slot) & bit != 0 {
                    self.constrain_cannon_line(king, attackers.place(slot), own);
                }
            }
        }
        if self.reach.horses & bit != 0 {
            for slot in [HORSES, HORSES + 1] {
                self.constrain_horse(king, attackers.place(slot), own);
            }
        }
        if self.reach.pawns & bit != 0 {
            for slot in PAWNS..PAWNS + 5 {
                if attackers.reach_of(&tables::PAWN_REACH, slot) & bit != 0 {
                    self.add(1 << attackers.place(slot), 0, 0);
                }
            }
        }
    }

    /// A rook, or the facing king, on a line with the king.
    #[inline(always)]
    fn constrain_rook_line(&mut self, king: usize, place: usize, own: u128) {
        let between = tables::BETWEEN[king][place];
        let screens = between & self.occupied;
        match screens.count_ones() {
            0 => self.add(between | 1 << place, 0, 0),
            1 if screens & own != 0 => self.add(u128::MAX, screens, between | 1 << place),
            _ => {}
        }
    }

    #[inline(always)]
    fn constrain_cannon_line(&mut self, king: usize, place: usize, own: u128) {
        let between = tables::BETWEEN[king][place];
        let screens = between & self.occupied;
        match screens.count_ones() {
            // No piece may become the screen.
            0 if between != 0 => self.add(!between, 0, 0),
            // Check: capture the cannon, interpose a second screen, or move the only screen away.
            1 => self.add((between & !screens) | 1 << place, screens & own, !between),
            // Two screens: neither may leave the line or capture the other.
            2 if screens & own != 0 => self.add(u128::MAX, screens & own, (between & !screens) | 1 << place),
            _ => {}
        }
    }

    #[inline(always)]
    fn constrain_horse(&mut self, king: usize, place: usize, own: u128) {
        let leg = tables::HORSE_LEG[king][place];
        if leg == CAPTURED {
            return;
        }
        let leg = 1u128 << leg;
        if leg & self.occupied == 0 {
            self.add(leg | 1 << place, 0, 0);
        } else if leg & own != 0 {
            self.add(u128::MAX, leg, 1 << place);
        }
    }

    /// Whether the destinations of the piece at this place are restricted.
    #[inline(always)]
    pub(super) fn binds(&self, place: usize) -> bool {
        self.general != u128::MAX || self.special >> (place & 127) & 1 != 0
    }

    /// Allowed destinations of the piece at this place, which must not be the king.
    #[inline(always)]
    pub(super) fn allowed(&self, place: usize) -> u128 {
        if self.special >> (place & 127) & 1 == 0 { self.general } else { self.allowed_special(place) }
    }

    /// [`Safety::allowed`] as a window around the place.
    #[inline(always)]
    pub(super) fn allowed_window(&self, place: usize) -> u64 {
        Windows::of(self.allowed(place)).at(place & 127)
    }

    fn allowed_special(&self, place: usize) -> u128 {
        self.constraints.iter().fold(u128::MAX, |targets, constraint| {
            targets & if constraint.special >> (place & 127) & 1 == 0 { constraint.general } else { constraint.special_targets }
        })
    }

    /// Whether the king of the side to move may go to an adjacent palace point.
    #[inline(always)]
    pub(super) fn king_may_enter<const BLACK: bool>(&self, board: &Board, target: usize) -> bool {
        let bit = 1u16 << PALACE_NUMBER[target & 0xff];
        let reach = &self.reach;
        if (reach.lines | reach.horses | reach.pawns | reach.king) & bit == 0 {
            return true;
        }
        let side = if BLACK { Color::Black } else { Color::Red };
        let without_king = self.occupied & !(1 << board.king(side).index());
        !Attackers::among(&board.places, side).attack_within(reach, target, without_king)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::random_walk;

    #[test]
    fn king_attacks_agree_with_checkers_and_legal_moves() {
        let (mut checks, mut exposed) = (0, 0);
        for seed in 300..340 {
            random_walk(seed, 120, |board| {
                let side = board.side_to_move();
                for color in Color::ALL {
                    assert_eq!(board.is_attacked(color), !checkers(board, color).is_empty(), "{}", board.to_fen());
                }
                checks += board.in_check() as u32;
                let legal = board.legal_moves();
                for from in board.color(side) {
                    for to in board.moves_from(from, board.occupied()) & !board.color(side) {
                        let mv = Move::new(from, to);
                        assert_eq!(board.is_attacked_after(side, mv), !legal.contains(&mv), "{} {mv}", board.to_fen());
                        assert_eq!(board.is_attacked_after(!side, mv), board.after(mv).is_attacked(!side), "{mv}");
                        exposed += !legal.contains(&mv) as u32;
                    }
                }
            });
        }
        assert!(checks > 80 && exposed > 2_000, "only {checks} checks and {exposed} moves that expose a king");
    }
}
