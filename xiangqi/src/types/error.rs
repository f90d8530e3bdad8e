//! What is wrong with the text of a point or a move.

use thiserror::Error;

/// A text is no point of the board.
///
/// ```
/// use xiangqi::types::Square;
///
/// let error = "j0".parse::<Square>().unwrap_err();
/// assert_eq!(error.to_string(), "'j0' is no point of the board, expected a file a to i and a rank 0 to 9");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no point of the board, expected a file a to i and a rank 0 to 9")]
pub struct ParseSquareError(pub(super) String);

/// A text is no move in the form of the protocols.
///
/// ```
/// use xiangqi::types::Move;
///
/// let error = Move::from_uci("h2h2").unwrap_err();
/// assert_eq!(error.to_string(), "'h2h2' is no move, expected four characters such as h2e2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no move, expected four characters such as h2e2")]
pub struct ParseMoveError(pub(super) String);
