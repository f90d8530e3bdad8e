//! Errors in the text of a point or a move.

use thiserror::Error;

/// The error for a text that is not a point of the board.
///
/// ```
/// use xiangqi::types::Square;
///
/// let error = "j0".parse::<Square>().unwrap_err();
/// assert_eq!(error.to_string(), "'j0' is not a point of the board, expected a file a to i and a rank 0 to 9");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a point of the board, expected a file a to i and a rank 0 to 9")]
pub struct ParseSquareError(pub(super) String);

/// The error for a text that is not a move in UCI form.
///
/// ```
/// use xiangqi::types::Move;
///
/// let error = Move::from_uci("h2h2").unwrap_err();
/// assert_eq!(error.to_string(), "'h2h2' is not a move, expected four characters such as h2e2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a move, expected four characters such as h2e2")]
pub struct ParseMoveError(pub(super) String);

/// Escapes control characters, so that an error that quotes the text stays on one line.
pub(super) fn in_one_line(text: &str) -> String {
    let of = |char: char| if char.is_control() { char.escape_debug().to_string() } else { char.to_string() };
    text.chars().map(of).collect()
}

#[cfg(test)]
mod tests {
    use crate::types::{Move, Square};

    #[test]
    fn errors_have_one_line() {
        let errors = [Move::from_uci("h2\ne2\u{7}").unwrap_err().to_string(), "a\n0".parse::<Square>().unwrap_err().to_string()];
        for error in errors {
            assert!(error.lines().count() == 1 && error.contains("\\n"), "{error}");
        }
    }
}
