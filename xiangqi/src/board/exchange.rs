//! Static exchange evaluation (SEE): the material result of a sequence of captures on one point.
//!
//! Each side captures with its least valuable piece that can do so legally, or stops. Attackers are searched for outwards from the
//! target, along its lines and among its neighbours, so an exchange without recaptures ends immediately. They are recomputed after
//! every capture, because a capture can add or remove a cannon's screen, unblock a horse's leg or open a line. A piece that may not
//! leave its line, because the kings would face each other or a rook, cannon or horse would give check, does not take part.

use super::occupancy::{Moved, Occupancy, Without, Words};
use super::placement::{Board, KIND_OF_SLOT, SLOTS_OF_SIDE, slots_of_kind};
use super::sight::Sight;
use crate::types::{Color, Move, PieceType};

/// The order in which the pieces of a side capture, as slots: pawns, advisors, elephants, horses, cannons, rooks, king.
const CAPTURE_ORDER: [usize; 16] = [11, 12, 13, 14, 15, 1, 2, 3, 4, 5, 6, 9, 10, 7, 8, 0];

/// The position of each slot in [`CAPTURE_ORDER`].
static TURN_OF_SLOT: [u8; 16] = {
    let mut turns = [0; 16];
    let mut turn = 0;
    while turn < 16 {
        turns[CAPTURE_ORDER[turn]] = turn as u8;
        turn += 1;
    }
    turns
};

/// A sequence of captures on one point.
struct Exchange<'a> {
    board: &'a Board,
    /// The origin of the first move.
    first: &'static Occupancy,
    /// The origins of all captures so far, including the first; `None` while there has been only the first.
    all: Option<Occupancy>,
    target: usize,
}

impl<'a> Exchange<'a> {
    /// The exchange after its first move.
    #[inline(always)]
    fn after(board: &'a Board, mv: Move) -> Exchange<'a> {
        Exchange { board, first: Occupancy::of(mv.from().index()), all: None, target: mv.to().index() }
    }

    /// The slot of the least valuable piece of `side` that can legally capture on the target.
    #[inline(always)]
    fn least_attacker(&self, side: Color) -> Option<usize> {
        let [own, other] = [self.pieces(side), self.pieces(!side)];
        let mut rest = self.attackers(side, &own, &other);
        while rest != 0 {
            let slot = side.index() * SLOTS_OF_SIDE + CAPTURE_ORDER[rest.trailing_zeros() as usize % 16];
            if self.may_capture(slot, side, &own, &other) {
                return Some(slot);
            }
            rest &= rest - 1;
        }
        None
    }

    /// The origins of all captures so far.
    #[inline(always)]
    fn vacated(&self) -> &Occupancy {
        self.all.as_ref().unwrap_or(self.first)
    }

    /// The pieces of a side that have not captured yet.
    #[inline(always)]
    fn pieces(&self, side: Color) -> Without<'_, &Occupancy> {
        Without { side: &self.board.occupancy[side.index()], gone: self.vacated() }
    }

    /// The pieces of `side` that attack the target; bit = position in [`CAPTURE_ORDER`].
    #[inline(always)]
    fn attackers(&self, side: Color, own: &impl Words, other: &impl Words) -> u16 {
        let sight = Sight::of(self.target, own, other);
        let place = |slot: usize| self.board.places[side.index() * SLOTS_OF_SIDE + slot] as usize;
        let mut attackers = 0;
        for slot in slots_of_kind(PieceType::Rook) {
            attackers |= sight.first(place(slot)) << TURN_OF_SLOT[slot];
        }
        for slot in slots_of_kind(PieceType::Cannon) {
            attackers |= sight.second(place(slot)) << TURN_OF_SLOT[slot];
        }
        let near = sight.near_attackers(side);
        sight.any(near.iter().fold(0, |all, window| all | window), |place, bit| {
            let slot = self.board.slot_at(place) % SLOTS_OF_SIDE;
            attackers |= ((near[KIND_OF_SLOT[slot].index()] >> (bit & 63)) as u16 & 1) << TURN_OF_SLOT[slot];
            false
        });
        attackers
    }

    /// Whether the capture does not expose the capturing side's king. `own` and `other` are the pieces before the capture.
    #[inline(always)]
    fn may_capture(&self, slot: usize, side: Color, own: &impl Words, other: &impl Words) -> bool {
        let king_slot = side.index() * SLOTS_OF_SIDE;
        let king = if slot == king_slot { self.target } else { self.board.places[king_slot] as usize };
        let (from, to) = (Occupancy::of(self.board.places[slot % 64] as usize), Occupancy::of(self.target));
        let (own, other) = (Moved { side: own, from, to }, Without { side: other, gone: to });
        !self.board.is_king_attacked(side, king, &other, &own, |place| place, |place| self.board.slot_at(place))
    }

    #[inline(always)]
    fn capture(&mut self, slot: usize) {
        self.all = Some(self.vacated().or(Occupancy::of(self.board.places[slot % 64] as usize)));
    }
}

impl Board {
    /// Whether the static exchange evaluation of a legal move is at least `threshold` for the moving side. `values` holds the piece
    /// values by [`PieceType::index`]; the king's entry is ignored, since a king captures only where it cannot be recaptured.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// let values = [0, 100, 100, 200, 450, 225, 50];
    /// // The cannon takes the horse, the rook recaptures: 200 - 225 = -25.
    /// let capture = Move::from_uci("h2h9")?;
    /// assert!(start.see_ge(capture, -25, &values) && !start.see_ge(capture, 0, &values));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: i32, values: &[i32; PieceType::COUNT]) -> bool {
        let value = |square| self.slot_on(square).map_or(0, |slot| values[KIND_OF_SLOT[slot % SLOTS_OF_SIDE].index()]);
        // The balance from the perspective of the side that has just captured, minus the threshold.
        let mut balance = value(mv.to()) - threshold;
        if balance < 0 {
            return false;
        }
        balance = value(mv.from()) - balance;
        if balance <= 0 || mv.from() == self.king(self.side_to_move()) {
            return true;
        }
        let mut exchange = Exchange::after(self, mv);
        let mut side = self.side_to_move();
        let mut mover_succeeds = true;
        loop {
            side = !side;
            let Some(slot) = exchange.least_attacker(side) else { break };
            mover_succeeds = !mover_succeeds;
            let kind = KIND_OF_SLOT[slot % 16];
            if kind == PieceType::King {
                break;
            }
            balance = values[kind.index()] - balance;
            if balance < mover_succeeds as i32 {
                break;
            }
            exchange.capture(slot);
        }
        mover_succeeds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::random_walk;

    const VALUES: [i32; PieceType::COUNT] = [0, 20, 25, 40, 90, 45, 10];

    /// Reference implementation: plays legal recaptures, least valuable piece first, or stops.
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
    fn see_agrees_with_playing_out_legal_captures() {
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
        // The rook takes a pawn protected only by a cannon, whose screen disappears with the capture.
        assert_eq!(worth("3k5/9/9/9/9/9/c3pR3/9/9/5K3 w", "f3e3"), Some(10));
        // With another screen in between, the cannon recaptures.
        assert_eq!(worth("3k5/9/9/9/9/9/c1p1pR3/9/9/5K3 w", "f3e3"), Some(10 - 90));
        // The horse may not recapture, since the kings would face each other; with an advisor between them it may.
        assert_eq!(worth("4k4/9/9/9/4n4/9/3p1R3/9/9/4K4 w", "f3d3"), Some(10));
        assert_eq!(worth("4k4/4a4/9/9/4n4/9/3p1R3/9/9/4K4 w", "f3d3"), Some(10 - 90));
    }
}
