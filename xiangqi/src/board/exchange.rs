//! Static exchange evaluation: what a move wins or loses when both sides go on capturing on its goal.
//!
//! Each side captures with its least valuable piece that legally can, or stops. Attacks are found anew after every capture,
//! since each one can give a cannon its screen or take it away, free a horse's leg or open a line; and a piece that may not leave
//! its line, because kings would face each other or a rook, cannon or horse would check, does not take part.

use super::placement::{Board, FIRST_SLOT};
use super::safety::{Attackers, is_in_danger};
use super::tables::{self, CAPTURED, Windows};
use super::window::{self, CENTRE};
use crate::types::{Color, Move, PieceType, Square};

/// In which order a side's pieces capture, as slots: pawns, advisors, elephants, horses, cannons, rooks, king.
const CAPTURE_ORDER: [usize; 16] = [11, 12, 13, 14, 15, 1, 2, 3, 4, 5, 6, 9, 10, 7, 8, 0];

/// The place of each slot of a side in that order.
static TURN_OF_SLOT: [u8; 16] = {
    let mut turns = [0; 16];
    let mut turn = 0;
    while turn < 16 {
        turns[CAPTURE_ORDER[turn]] = turn as u8;
        turn += 1;
    }
    turns
};

/// The kind in each slot of a side.
static KIND_OF_SLOT: [PieceType; 16] = {
    let mut kinds = [PieceType::King; 16];
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

/// The kinds, as bits by index, that attack a point from a place when nothing is in the way, by the distance of the two.
const fn kinds_in_reach(target: usize, place: usize) -> u8 {
    let files = (target % 9).abs_diff(place % 9);
    let ranks = (target / 9).abs_diff(place / 9);
    let mut kinds = match (files, ranks) {
        (0, 1) | (1, 0) => 1 << PieceType::King as u8 | 1 << PieceType::Pawn as u8,
        (1, 1) => 1 << PieceType::Advisor as u8,
        (2, 2) => 1 << PieceType::Elephant as u8,
        (1, 2) | (2, 1) => 1 << PieceType::Horse as u8,
        _ => 0,
    };
    if (files == 0) != (ranks == 0) {
        kinds |= 1 << PieceType::Rook as u8 | 1 << PieceType::Cannon as u8;
    }
    kinds
}

/// The places from which some kind can attack a point, and which kinds.
struct Reach {
    places: u128,
    kinds: [u8; 90],
}

static REACH: [Reach; 90] = {
    let mut table = [const { Reach { places: 0, kinds: [0; 90] } }; 90];
    let mut target = 0;
    while target < 90 {
        let mut place = 0;
        while place < 90 {
            let kinds = kinds_in_reach(target, place);
            table[target].kinds[place] = kinds;
            if kinds != 0 {
                table[target].places |= 1 << place;
            }
            place += 1;
        }
        target += 1;
    }
    table
};

/// A board on which only the captures on one point are played.
struct Exchange {
    places: [u8; 64],
    occupied: u128,
    target: usize,
    /// Slot of the piece on the target.
    standing: usize,
    /// The pieces of each side that stand where they may come to attack the target, as bits by their turn to capture.
    candidates: [u16; 2],
    /// For each side the palace points on which its king may be attacked now or later.
    danger: [u16; 2],
}

impl Exchange {
    /// The exchange after its first move.
    fn after(board: &Board, mv: Move) -> Option<Exchange> {
        let (from, target) = (mv.from().index(), mv.to().index());
        let mut places = board.places;
        if let Some(captured) = board.slot_on(mv.to()) {
            places[captured] = CAPTURED;
        }
        let standing = board.slot_on(mv.from())?;
        let reach = &REACH[target];
        let mut candidates = [0; 2];
        let mut rest = board.occupied().bits() & reach.places & !(1 << from);
        while rest != 0 {
            let square = Square::from_index(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            if let Some(slot) = board.slot_on(square)
                && reach.kinds[square.index()] >> KIND_OF_SLOT[slot % 16].index() & 1 != 0
            {
                candidates[slot / 16 % 2] |= 1 << TURN_OF_SLOT[slot % 16];
            }
        }
        places[standing] = target as u8;
        let occupied = board.occupied().without(mv.from()).with(mv.to()).bits();
        Some(Exchange { places, occupied, target, standing, candidates, danger: [u16::MAX; 2] })
    }

    /// The slot of the least valuable piece of `side` that can legally capture on the target.
    fn least_attacker(&mut self, side: Color) -> Option<usize> {
        let mut rest = self.candidates[side.index()];
        while rest != 0 {
            let slot = side.index() * 16 + CAPTURE_ORDER[rest.trailing_zeros() as usize % 16];
            if self.attacks(slot, side) && self.may_capture(slot, side) {
                return Some(slot);
            }
            rest &= rest - 1;
        }
        None
    }

    #[inline(always)]
    fn attacks(&self, slot: usize, side: Color) -> bool {
        let place = self.places[slot] as usize;
        let near = |window: u64| {
            let bit = (self.target + CENTRE as usize).wrapping_sub(place);
            bit < 64 && window >> bit & 1 != 0
        };
        let screens = || tables::BETWEEN[self.target][place] & self.occupied;
        match KIND_OF_SLOT[slot % 16] {
            PieceType::King => near(tables::KING[place]),
            PieceType::Advisor => near(tables::ADVISOR[place]),
            PieceType::Elephant => near(tables::ELEPHANT[place][window::DIAGONAL.of(Windows::of(self.occupied).at(place))]),
            PieceType::Horse => {
                let leg = tables::HORSE_LEG[self.target][place];
                leg != CAPTURED && self.occupied >> leg & 1 == 0
            }
            PieceType::Rook => screens() == 0,
            PieceType::Cannon => {
                let screens = screens();
                screens != 0 && screens & (screens - 1) == 0
            }
            PieceType::Pawn => near(tables::PAWN[side.index()][place]),
        }
    }

    /// Whether the capture leaves the own king safe.
    fn may_capture(&mut self, slot: usize, side: Color) -> bool {
        let king_slot = side.index() * 16;
        let king = if slot == king_slot { self.target } else { self.places[king_slot] as usize };
        if self.danger[side.index()] == u16::MAX {
            self.danger[side.index()] = Attackers::among(&self.places, side).danger();
        }
        // Pieces only vanish from the places that they had, so that a king out of their reach stays so.
        if !is_in_danger(self.danger[side.index()], king) {
            return true;
        }
        let mut places = self.places;
        places[self.standing] = CAPTURED;
        let occupied = self.occupied & !(1 << self.places[slot]);
        !Attackers::among(&places, side).attack(king, occupied)
    }

    fn capture(&mut self, slot: usize) {
        self.occupied &= !(1 << self.places[slot]);
        self.places[self.standing] = CAPTURED;
        self.places[slot] = self.target as u8;
        self.candidates[slot / 16 % 2] &= !(1 << TURN_OF_SLOT[slot % 16]);
        self.standing = slot;
    }
}

impl Board {
    /// Whether the exchange that a legal move begins is worth at least `threshold` to the mover, with the pieces worth `values`
    /// by [`PieceType::index`] (the king's entry is not used: a king captures only where it can't be taken back).
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let values = [0, 100, 100, 200, 450, 225, 50];
    /// // Cannon takes horse, rook takes cannon.
    /// let capture = Move::from_uci("h2h9")?;
    /// assert!(start.see_ge(capture, -25, &values) && !start.see_ge(capture, 0, &values));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: i32, values: &[i32; PieceType::COUNT]) -> bool {
        let value = |square| self.piece_on(square).map_or(0, |piece| values[piece.kind().index()]);
        // The balance from the view of the side that has just captured, less what it needs.
        let mut balance = value(mv.to()) - threshold;
        if balance < 0 {
            return false;
        }
        balance = value(mv.from()) - balance;
        if balance <= 0 || self.piece_on(mv.from()).is_some_and(|piece| piece.kind() == PieceType::King) {
            return true;
        }
        let Some(mut exchange) = Exchange::after(self, mv) else { return false };
        let mut side = self.side_to_move();
        let mut mover_stands_well = true;
        loop {
            side = !side;
            let Some(slot) = exchange.least_attacker(side) else { break };
            mover_stands_well = !mover_stands_well;
            let kind = KIND_OF_SLOT[slot % 16];
            if kind == PieceType::King {
                break;
            }
            balance = values[kind.index()] - balance;
            if balance < mover_stands_well as i32 {
                break;
            }
            exchange.capture(slot);
        }
        mover_stands_well
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::random_walk;

    const VALUES: [i32; PieceType::COUNT] = [0, 20, 25, 40, 90, 45, 10];

    /// The exchange value by playing legal moves: the least valuable capture, or none.
    fn value_by_moves(board: &Board, mv: Move) -> i32 {
        let value = |board: &Board, square| board.piece_on(square).map_or(0, |piece| VALUES[piece.kind().index()]);
        let gain = value(board, mv.to());
        let next = board.after(mv);
        let order =
            |mv: &Move| CAPTURE_ORDER.iter().position(|&slot| next.slot_on(mv.from()).is_some_and(|own| own % 16 == slot));
        let recapture = next.legal_moves().into_iter().filter(|reply| reply.to() == mv.to()).min_by_key(order);
        gain - recapture.map_or(0, |reply| value_by_moves(&next, reply).max(0))
    }

    #[test]
    fn exchange_equals_legal_captures_played_out() {
        let mut checked = 0;
        for seed in 0..60 {
            random_walk(seed, 120, |board| {
                for mv in board.legal_moves() {
                    let exact = value_by_moves(board, mv);
                    for threshold in [exact - 1, exact, exact + 1, 0, 1] {
                        assert_eq!(
                            board.see_ge(mv, threshold, &VALUES),
                            exact >= threshold,
                            "{} {mv} worth {exact} against {threshold}",
                            board.to_fen()
                        );
                    }
                    checked += 1;
                }
            });
        }
        assert!(checked > 100_000, "only {checked} exchanges compared");
    }

    #[test]
    fn cannons_lose_and_gain_screens_during_the_exchange() {
        let worth = |fen: &str, mv: &str| {
            let board = Board::from_fen(fen).expect("a legal position");
            let mv = Move::from_uci(mv).expect("a move");
            assert!(board.is_legal(mv), "{mv} in {fen}");
            (-200..200).rev().find(|&threshold| board.see_ge(mv, threshold, &VALUES))
        };
        // The rook takes a pawn whose only guard is a cannon that loses its screen with that pawn's capturer standing next to it.
        assert_eq!(worth("3k5/9/9/9/9/9/c3pR3/9/9/5K3 w", "f3e3"), Some(10));
        // With a screen in between the cannon takes back.
        assert_eq!(worth("3k5/9/9/9/9/9/c1p1pR3/9/9/5K3 w", "f3e3"), Some(10 - 90));
        // The horse may not take back, since the kings would face each other; with an advisor between them it may.
        assert_eq!(worth("4k4/9/9/9/4n4/9/3p1R3/9/9/4K4 w", "f3d3"), Some(10));
        assert_eq!(worth("4k4/4a4/9/9/4n4/9/3p1R3/9/9/4K4 w", "f3d3"), Some(10 - 90));
    }
}
