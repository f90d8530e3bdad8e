//! Attacks on a king, and what they forbid the other pieces: legality as masks, found once for a position, so that no
//! generated move has to be tried. The idea of classifying every enemy piece against the king's place by table is ours;
//! the masks generalise the check and pin masks that chess generators use to cannons, horse legs and facing kings.

use super::placement::{Board, FIRST_SLOT, SLOTS};
use super::tables::{self, CAPTURED};
use crate::types::{Bitboard, Color, PieceType, Square};
use arrayvec::ArrayVec;

/// Number 0 to 8 of a palace point in the reach tables.
static PALACE_NUMBER: [u8; 91] = {
    let mut table = [0; 91];
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

/// The attackers of one palace: where the other side's pieces stand.
#[derive(Clone, Copy)]
pub(super) struct Attackers<'a> {
    places: &'a [u8; 16],
    /// Index of the colour whose palace it is.
    palace: usize,
}

impl<'a> Attackers<'a> {
    #[inline(always)]
    fn of(board: &'a Board, defender: Color) -> Attackers<'a> {
        Attackers::among(&board.places, defender)
    }

    /// The attackers of `defender`'s palace among pieces at these places.
    #[inline(always)]
    pub(super) fn among(places: &'a [u8; SLOTS], defender: Color) -> Attackers<'a> {
        let (red, black) = places.split_at(16);
        let places = if defender == Color::Red { black } else { red };
        Attackers { places: places.try_into().unwrap_or(&[CAPTURED; 16]), palace: defender.index() }
    }

    #[inline(always)]
    fn place(&self, slot: usize) -> usize {
        self.places[slot] as usize
    }

    #[inline(always)]
    fn reach(&self, table: &[[u16; 91]; 2], slot: usize) -> u16 {
        table[self.palace][self.place(slot)]
    }

    /// The palace points that pawns attack.
    #[inline(always)]
    fn pawn_reach(&self) -> u16 {
        (PAWNS..PAWNS + 5).fold(0, |mask, slot| mask | self.reach(&tables::PAWN_REACH, slot))
    }

    /// The palace points that some piece could attack if nothing stood between.
    #[inline(always)]
    fn total_reach(&self) -> u16 {
        let lines = (ROOKS..ROOKS + 4).fold(0, |mask, slot| mask | self.reach(&tables::LINE_REACH, slot));
        let horses = self.reach(&tables::HORSE_REACH, HORSES) | self.reach(&tables::HORSE_REACH, HORSES + 1);
        lines | horses | self.pawn_reach() | self.reach(&tables::FILE_REACH, 0)
    }

    /// Whether a palace point is attacked on a board occupied as given.
    #[inline(always)]
    pub(super) fn attack(&self, target: usize, occupied: u128) -> bool {
        let bit = 1u16 << PALACE_NUMBER[target];
        let between = |slot: usize| (tables::BETWEEN[target][self.place(slot)] & occupied).count_ones();
        let mut attacked = self.pawn_reach() & bit != 0;
        attacked |= self.reach(&tables::FILE_REACH, 0) & bit != 0 && between(0) == 0;
        for slot in [ROOKS, ROOKS + 1] {
            attacked |= self.reach(&tables::LINE_REACH, slot) & bit != 0 && between(slot) == 0;
        }
        for slot in [CANNONS, CANNONS + 1] {
            attacked |= self.reach(&tables::LINE_REACH, slot) & bit != 0 && between(slot) == 1;
        }
        for slot in [HORSES, HORSES + 1] {
            let leg = tables::HORSE_LEG[target][self.place(slot)];
            attacked |= leg != CAPTURED && occupied >> leg & 1 == 0;
        }
        attacked
    }
}

/// Whether the king of `color` is attacked.
#[inline(always)]
pub(super) fn king_attacked(board: &Board, color: Color) -> bool {
    Attackers::of(board, color).attack(board.king(color).index(), board.occupied().bits())
}

/// The enemy pieces that give check to the king of `color`, facing king included.
pub(super) fn checkers(board: &Board, color: Color) -> Bitboard {
    let attackers = Attackers::of(board, color);
    let (king, occupied) = (board.king(color).index(), board.occupied().bits());
    let alone = |slot: usize| {
        let mut places = [CAPTURED; 16];
        places[slot] = attackers.places[slot];
        Attackers { places: &places, palace: attackers.palace }.attack(king, occupied)
    };
    (0..16).filter(|&slot| alone(slot)).filter_map(|slot| Square::new(attackers.place(slot))).collect()
}

/// One attack or possible attack on the king, and where pieces may go without letting it happen.
struct Constraint {
    /// Goals allowed to every piece but those in `special`.
    general: u128,
    /// Pieces for which another mask holds: those that stand in the way.
    special: u128,
    /// Goals allowed to the pieces in `special`.
    special_goals: u128,
}

/// What the safety of the own king demands of all moves in one position.
pub(super) struct Safety {
    constraints: ArrayVec<Constraint, 16>,
    /// Goals allowed to every piece without a mask of its own.
    general: u128,
    /// Pieces with a mask of their own.
    special: u128,
    reach: u16,
}

impl Safety {
    /// Finds all constraints on the side to move.
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Safety {
        let attackers = Attackers::of(board, board.side_to_move());
        let mut safety = Safety { constraints: ArrayVec::new(), general: u128::MAX, special: 0, reach: attackers.total_reach() };
        let king = board.king(board.side_to_move()).index();
        if safety.reach >> PALACE_NUMBER[king] & 1 != 0 {
            safety.constrain(board, attackers, king);
        }
        safety
    }

    /// Whether no piece is bound and all goals are allowed.
    #[inline(always)]
    pub(super) fn is_free(&self) -> bool {
        self.constraints.is_empty()
    }

    #[inline(always)]
    fn add(&mut self, general: u128, special: u128, special_goals: u128) {
        self.general &= general;
        self.special |= special;
        // Sixteen enemy pieces give at most one constraint each.
        let _ = self.constraints.try_push(Constraint { general, special, special_goals });
    }

    #[inline(always)]
    fn constrain(&mut self, board: &Board, attackers: Attackers, king: usize) {
        let bit = 1u16 << PALACE_NUMBER[king];
        let occupied = board.occupied().bits();
        let own = board.color(board.side_to_move()).bits();
        for slot in [0, ROOKS, ROOKS + 1] {
            let table = if slot == 0 { &tables::FILE_REACH } else { &tables::LINE_REACH };
            if attackers.reach(table, slot) & bit != 0 {
                let place = attackers.place(slot);
                let between = tables::BETWEEN[king][place];
                let screens = between & occupied;
                match screens.count_ones() {
                    0 => self.add(between | 1 << place, 0, 0),
                    1 if screens & own != 0 => self.add(u128::MAX, screens, between | 1 << place),
                    _ => {}
                }
            }
        }
        for slot in [CANNONS, CANNONS + 1] {
            if attackers.reach(&tables::LINE_REACH, slot) & bit != 0 {
                let place = attackers.place(slot);
                let between = tables::BETWEEN[king][place];
                let screens = between & occupied;
                match screens.count_ones() {
                    // Nothing may become the screen.
                    0 if between != 0 => self.add(!between, 0, 0),
                    // Check: take the cannon, put in a second screen, or take the only one away.
                    1 => self.add((between & !screens) | 1 << place, screens & own, !between),
                    // Two screens: neither may leave the line nor take the other.
                    2 if screens & own != 0 => self.add(u128::MAX, screens & own, (between & !screens) | 1 << place),
                    _ => {}
                }
            }
        }
        for slot in [HORSES, HORSES + 1] {
            let place = attackers.place(slot);
            let leg = tables::HORSE_LEG[king][place];
            if leg != CAPTURED {
                let leg = 1u128 << leg;
                if leg & occupied == 0 {
                    self.add(leg | 1 << place, 0, 0);
                } else if leg & own != 0 {
                    self.add(u128::MAX, leg, 1 << place);
                }
            }
        }
        if attackers.pawn_reach() & bit != 0 {
            for slot in PAWNS..PAWNS + 5 {
                if attackers.reach(&tables::PAWN_REACH, slot) & bit != 0 {
                    self.add(1 << attackers.place(slot), 0, 0);
                }
            }
        }
    }

    /// Goals allowed to the piece at this place, which is not the king.
    #[inline(always)]
    pub(super) fn allowed(&self, place: usize) -> u128 {
        if self.special >> place & 1 == 0 { self.general } else { self.allowed_special(place) }
    }

    fn allowed_special(&self, place: usize) -> u128 {
        self.constraints.iter().fold(u128::MAX, |goals, constraint| {
            goals & if constraint.special >> place & 1 == 0 { constraint.general } else { constraint.special_goals }
        })
    }

    /// Whether the own king may go to a palace point next to it.
    #[inline(always)]
    pub(super) fn king_may_enter(&self, board: &Board, goal: usize) -> bool {
        if self.reach >> PALACE_NUMBER[goal] & 1 == 0 {
            return true;
        }
        let side = board.side_to_move();
        let without_king = board.occupied().without(board.king(side)).bits();
        !Attackers::of(board, side).attack(goal, without_king)
    }
}
