//! Draws other than by repetition: the natural limit (docs/src/rules/world.md#s6) and bare material
//! (docs/src/rules/world.md#s7).
//!
//! The natural limit, also called the 60-move rule, is implemented only here: the board counts plies
//! ([`Position::clock`](crate::board::Position::clock), which excludes void checks), [`NaturalLimit`] interprets the count, and the
//! evaluation uses it to scale scores.

use crate::board::Board;
use crate::types::Color;

/// The natural limit: the number of plies without a capture after which the game is drawn. Void checks (those of a side beyond its
/// tenth) and the replies to them are not counted.
///
/// ```
/// use xiangqi::rules::NaturalLimit;
///
/// let limit = NaturalLimit::STANDARD;
/// assert!(!limit.is_reached(119) && limit.is_reached(120));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NaturalLimit(u16);

impl NaturalLimit {
    /// No limit.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// assert!(!NaturalLimit::NONE.is_reached(u16::MAX));
    /// ```
    pub const NONE: NaturalLimit = NaturalLimit(0);
    /// 120 plies, sixty moves by each side, as in the World Xiangqi Rules.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// assert_eq!(NaturalLimit::STANDARD.plies(), 120);
    /// ```
    pub const STANDARD: NaturalLimit = NaturalLimit(120);

    /// A limit in plies, 0 for none.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// assert!(NaturalLimit::of(80).is_reached(80));
    /// assert_eq!(NaturalLimit::of(0), NaturalLimit::NONE);
    /// ```
    #[inline]
    pub const fn of(plies: u16) -> NaturalLimit {
        NaturalLimit(plies)
    }

    /// The limit in plies, 0 for none.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// assert_eq!(NaturalLimit::of(80).plies(), 80);
    /// ```
    #[inline]
    pub const fn plies(self) -> u16 {
        self.0
    }

    /// Whether the game is drawn at this value of the clock, in plies.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// assert!(NaturalLimit::STANDARD.is_reached(120));
    /// ```
    #[inline]
    pub const fn is_reached(self, clock: u16) -> bool {
        self.0 != 0 && clock >= self.0
    }

    /// Whether the limit can be reached within this many plies from this value of the clock.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// let limit = NaturalLimit::STANDARD;
    /// assert!(!limit.is_within(100, 19) && limit.is_within(100, 20));
    /// assert!(!NaturalLimit::NONE.is_within(u16::MAX, 1));
    /// ```
    #[inline]
    pub const fn is_within(self, clock: u16, plies: u32) -> bool {
        self.0 != 0 && (clock as u32).saturating_add(plies) >= self.0 as u32
    }

    /// How many of the last `plies` plies before the limit have passed at this value of the clock; 0 if the limit is further away.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// let limit = NaturalLimit::STANDARD;
    /// assert_eq!((limit.passed_of_last(40, 80), limit.passed_of_last(40, 90)), (0, 10));
    /// assert_eq!(NaturalLimit::NONE.passed_of_last(40, 90), 0);
    /// ```
    #[inline]
    pub const fn passed_of_last(self, plies: u16, clock: u16) -> u16 {
        if self.0 == 0 { 0 } else { clock.saturating_sub(self.0.saturating_sub(plies)) }
    }

    /// Scales a score linearly from full at clock 0 down to one half at the limit.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// let damped = |clock| NaturalLimit::STANDARD.damped(200, clock);
    /// assert_eq!((damped(0), damped(60), damped(120)), (200, 150, 100));
    /// ```
    #[inline]
    pub fn damped(self, score: i32, clock: u16) -> i32 {
        match self.0 as i32 {
            0 => score,
            limit => score - score * (clock as i32).min(limit) / (2 * limit),
        }
    }

    /// The inverse of [`NaturalLimit::damped`], up to integer rounding.
    ///
    /// ```
    /// use xiangqi::rules::NaturalLimit;
    ///
    /// let undamped = |clock| NaturalLimit::STANDARD.undamped(150, clock);
    /// assert_eq!((undamped(0), undamped(60), undamped(120)), (150, 200, 300));
    /// ```
    #[inline]
    pub fn undamped(self, score: i32, clock: u16) -> i32 {
        match self.0 as i64 {
            0 => score,
            // The product of a long limit and a high score exceeds 32 bits; the quotient is at most twice the score.
            limit => (score as i64 * 2 * limit / (2 * limit - (clock as i64).min(limit))) as i32,
        }
    }
}

/// Whether neither side has a piece that can cross the river.
#[inline(always)]
pub(super) fn is_bare(board: &Board) -> bool {
    !Color::ALL.into_iter().any(|color| board.has_attackers(color))
}

#[cfg(test)]
mod tests {
    use super::NaturalLimit;

    #[test]
    fn the_limit_draws_and_scales_scores() {
        assert_eq!([0, 119, 120, 200].map(|clock| NaturalLimit::STANDARD.is_reached(clock)), [false, false, true, true]);
        assert!(!NaturalLimit::NONE.is_reached(u16::MAX));
        assert_eq!([0, 60, 120, 200].map(|clock| NaturalLimit::STANDARD.damped(400, clock)), [400, 300, 200, 200]);
        assert!(NaturalLimit::STANDARD.is_within(1, u32::MAX));
        assert_eq!(NaturalLimit::NONE.damped(400, 500), 400);
        assert_eq!(NaturalLimit::STANDARD.damped(-400, 120), -200);
        assert_eq!([0, u16::MAX].map(|clock| NaturalLimit::of(u16::MAX).undamped(28_000, clock)), [28_000, 56_000]);
    }

    #[test]
    fn damping_is_invertible() {
        for value in [-2000, -77, 0, 1, 350, 3000] {
            for clock in [0, 17, 60, 119, 120, 300] {
                let again = NaturalLimit::STANDARD.damped(NaturalLimit::STANDARD.undamped(value, clock), clock);
                assert!((again - value).abs() <= 1, "{value} at {clock}: {again}");
            }
            assert_eq!(NaturalLimit::NONE.undamped(value, 90), value);
        }
    }
}
