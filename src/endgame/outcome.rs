//! The result of a position as a type, instead of the numbers of a table.

use super::value::{self, DRAW, RULED, Value};
use crate::rules::NaturalLimit;

/// The result of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndgameResult {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

impl EndgameResult {
    /// `loss`, `draw` or `win`.
    pub fn name(self) -> &'static str {
        match self {
            EndgameResult::Loss => "loss",
            EndgameResult::Draw => "draw",
            EndgameResult::Win => "win",
        }
    }
}

/// The exact result of a position with best play, regardless of its history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The result for the side to move.
    pub result: EndgameResult,
    /// Plies to mate or stalemate with best play of both sides, 0 in a draw. If the result is [`Outcome::by_repetition`], plies to a
    /// position in which the loser can continue only by moves that the rules of repetition forbid.
    pub plies: u16,
    /// Whether the win depends on the rules of repetition: no mate can be forced, but the loser can hold only by perpetual check or perpetual chase.
    pub by_repetition: bool,
    /// Plies to the next capture or mate if the winner hurries to it and the loser delays it; only captures after which the rest of the win
    /// is within the natural limit count. `None` if no such capture can be forced in time, and in tables without these distances, see
    /// [`Solver::captures_from`](super::Solver::captures_from).
    pub to_capture: Option<u16>,
}

impl Outcome {
    /// The rank of a move whose result is in no table.
    pub(super) const UNKNOWN: (u8, i32) = (3, 0);

    pub(super) fn of(value: Value) -> Outcome {
        let by_repetition = value >= RULED;
        let plies = match value {
            DRAW => 0,
            _ if by_repetition => value - RULED,
            _ => value - 1,
        };
        let result = match value {
            DRAW => EndgameResult::Draw,
            _ if value::is_win(value) => EndgameResult::Win,
            _ => EndgameResult::Loss,
        };
        Outcome { result, plies, by_repetition, to_capture: None }
    }

    /// As text, for errors.
    pub(super) fn describe(self) -> String {
        let of_repetition = if self.by_repetition { " by repetition" } else { "" };
        match self.result {
            EndgameResult::Draw => "a draw".into(),
            result => format!("a {}{of_repetition} in {}", result.name(), self.plies),
        }
    }

    /// The outcome for the other side one ply earlier: the value of a quiet move for the side that makes it, if this is the outcome after the
    /// move.
    pub fn before(self) -> Outcome {
        let result = match self.result {
            EndgameResult::Loss => EndgameResult::Win,
            EndgameResult::Draw => return self,
            EndgameResult::Win => EndgameResult::Loss,
        };
        Outcome { result, plies: self.plies.saturating_add(1), to_capture: self.to_capture.map(|plies| plies + 1), ..self }
    }

    /// Plies to the end of the game with best play; none in a draw.
    pub fn distance(self) -> Option<u16> {
        (self.result != EndgameResult::Draw).then_some(self.plies)
    }

    /// The rank of a move by its value for the side that makes it, best first: quick wins, wins beyond the natural limit, draws,
    /// results that no table has ([`Outcome::UNKNOWN`]), losses beyond the limit, late losses; a win by repetition ranks after all mates in
    /// time, a loss by it before them.
    pub(super) fn rank(self) -> (u8, i32) {
        let plies = self.plies as i32 + if self.by_repetition { 1 << 16 } else { 0 };
        match self.result {
            EndgameResult::Win => (if self.is_beyond_limit(0) { 1 } else { 0 }, plies),
            EndgameResult::Draw => (2, 0),
            EndgameResult::Loss => (if self.is_beyond_limit(0) { 4 } else { 5 }, -plies),
        }
    }

    /// Whether the natural limit cannot prevent the win: mate comes before the clock reaches the limit even if nothing is captured until
    /// then, or a capture is known to come in time. Otherwise a win is certain only if a capture resets the clock in time.
    /// `clock` is in plies without a capture. A draw is always certain, a win by repetition is never certain under a limit.
    ///
    /// ```
    /// use chuhe::board::Board;
    /// use chuhe::endgame::Tables;
    /// use chuhe::rules::NaturalLimit;
    ///
    /// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/8R/4K4 w")?;
    /// let outcome = Tables::builtin().probe(&board).expect("rook against bare king");
    /// let limit = NaturalLimit::STANDARD;
    /// assert!(outcome.is_certain(100, limit) && !outcome.is_certain(120, limit));
    /// # Ok::<(), chuhe::board::FenError>(())
    /// ```
    pub fn is_certain(self, clock: u16, limit: NaturalLimit) -> bool {
        self.result == EndgameResult::Draw || self.is_mate_in_time(clock, limit) || {
            // A capture on the very ply that reaches the limit resets the clock. Under a shorter limit than that of the World rules the
            // distance from the capture to the next one could be too long.
            limit.plies() >= NaturalLimit::STANDARD.plies()
                && self.to_capture.is_some_and(|plies| clock as u32 + plies as u32 <= limit.plies() as u32)
        }
    }

    /// Whether the natural limit of 120 plies comes before the mate, and before any capture that keeps the win, from this value of the clock.
    /// Without a limit it is a win; with the limit the game is drawn, unless checks that the limit does not count save the win.
    pub fn is_beyond_limit(self, clock: u16) -> bool {
        !self.by_repetition && !self.is_certain(clock, NaturalLimit::STANDARD)
    }

    /// Whether the shortest mate comes within the natural limit even if nothing is captured before it, so that the mate can be announced.
    pub fn is_mate_in_time(self, clock: u16, limit: NaturalLimit) -> bool {
        // A mate on the very ply that reaches the limit counts, and so does one that is on the board, whatever the clock.
        limit == NaturalLimit::NONE || !self.by_repetition && (self.plies == 0 || !limit.is_within(clock, self.plies as u32 - 1))
    }
}
