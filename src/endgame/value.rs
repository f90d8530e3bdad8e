//! The value of a position with one side to move: a number, stored in one byte if all numbers of the table fit, else in two.

use crate::rules::NaturalLimit;

/// A value: [`DRAW`], [`ILLEGAL`], or `1 + d` if the game ends by mate or stalemate after `d` plies: odd if the side to move loses,
/// even if it wins. Values from [`RULED`] on, with the same parity, are decided by the rules of repetition: the loss [`RULED`] is a
/// trap (see `repetition`), and each ply before it adds one.
pub(super) type Value = u16;

/// Neither side can win.
pub(super) const DRAW: Value = 0;
/// The side to move has no legal move.
pub(super) const LOST_NOW: Value = 1;
/// The first value that is decided by the rules of repetition.
pub(super) const RULED: Value = 0x8001;
/// The highest distance to mate, in plies.
pub(super) const MAX_DISTANCE: u16 = RULED - 2;
/// Not a position: two pieces on one point, or a king that could be captured.
pub(super) const ILLEGAL: Value = Value::MAX;

/// The natural limit of tables, in plies.
pub(super) const LIMIT: u8 = 120;
const _: () = assert!(NaturalLimit::STANDARD.plies() == LIMIT as u16);
/// The count of a win or loss in which neither a capture nor mate can be forced within the limit. Counts of the plies to the next capture or
/// mate are encoded like values, see `captures`.
pub(super) const TOO_LONG: u8 = u8::MAX;
/// The count of a mate on the board: no plies.
pub(super) const MATED: u8 = 1;

/// The first value decided by the rules of repetition in one byte; mates have lower values.
const RULED_BYTE: u8 = 201;
/// The highest value in one byte. The next number was never assigned to a position.
const LAST_BYTE: u8 = 254;

/// Whether the side to move wins.
pub(super) fn is_win(value: Value) -> bool {
    value != DRAW && value.is_multiple_of(2)
}

/// Whether the side to move loses.
pub(super) fn is_loss(value: Value) -> bool {
    !value.is_multiple_of(2) && value != ILLEGAL
}

/// Whether the side to move wins or loses by mate.
pub(super) fn is_mate(value: Value) -> bool {
    value != DRAW && value < RULED
}

/// Whether a position that is won or lost by mate ends within the limit, with the clock at 0: by the mate itself, or by captures. `count` is
/// its count, if it has one.
pub(super) fn is_in_time(value: Value, count: Option<u8>, limit: u8) -> bool {
    is_mate(value) && (value - 1 <= limit.into() || count.is_some_and(|count| (MATED..=limit + 1).contains(&count)))
}

/// A value as a byte; `None` for one that does not fit: a mate in more than 199 plies, or more than 53 plies to a trap.
pub(super) fn to_byte(value: Value) -> Option<u8> {
    let byte = if value < RULED { value } else { (value - RULED).saturating_add(RULED_BYTE.into()) };
    let is_alike = (value < RULED) == (byte < RULED_BYTE.into());
    u8::try_from(byte).ok().filter(|&byte| is_alike && byte <= LAST_BYTE)
}

/// The value encoded by a byte.
pub(super) fn of_byte(byte: u8) -> Value {
    match byte.checked_sub(RULED_BYTE) {
        None => byte.into(),
        Some(steps) => RULED + Value::from(steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_fit_into_a_byte_come_back() {
        let fitting = |values: std::ops::RangeInclusive<Value>| values.filter(|&value| to_byte(value).is_some()).count();
        assert_eq!((fitting(DRAW..=RULED - 1), fitting(RULED..=ILLEGAL)), (201, 54));
        for byte in 0..=LAST_BYTE {
            let value = of_byte(byte);
            assert_eq!(to_byte(value), Some(byte));
            assert_eq!((is_win(value), is_loss(value)), (byte != 0 && byte.is_multiple_of(2), !byte.is_multiple_of(2)));
        }
        assert!(is_mate(200) && !is_mate(DRAW) && !is_mate(RULED) && to_byte(201).is_none() && to_byte(ILLEGAL).is_none());
    }
}
