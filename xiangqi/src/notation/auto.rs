//! Finding out in which system a text is: all are tried, and one has to explain everything.

use super::error::Fault;
use super::{LineError, Notation, ReadError, System};
use crate::board::Board;
use crate::types::Move;

/// A line and the systems in which it reads so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detected {
    /// Every system that explains the whole line; they read the same moves.
    pub systems: Vec<System>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Reads a move by trying all systems.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, ReadError}};
///
/// let start = Position::startpos();
/// assert_eq!(notation::read_auto(start.board(), "炮二平五")?.to_string(), "h2e2");
/// // From the right hand in the rules of 2018, from the left in An Old Xiangqi Manual: two different cannons.
/// assert!(matches!(notation::read_auto(start.board(), "C2=5"), Err(ReadError::SystemsDisagree { .. })));
/// # Ok::<(), ReadError>(())
/// ```
///
/// # Errors
/// As [`super::read`], and when two systems read different legal moves.
pub fn read_auto(board: &Board, text: &str) -> Result<Move, ReadError> {
    match read_line_auto(board, &[text]) {
        Ok(detected) => detected.moves.first().copied().ok_or_else(|| no_notation(text)),
        Err(line_error) => Err(line_error.error),
    }
}

/// Reads a line or a whole game by trying all systems; one of them has to explain all moves.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, System}};
///
/// let detected = notation::read_line_auto(Position::startpos().board(), &["C2.5", "H8+7", "H2+3", "R9.8"])?;
/// assert_eq!(detected.moves.len(), 4);
/// assert!(detected.systems.contains(&System::Wxf));
/// # Ok::<(), notation::LineError>(())
/// ```
///
/// # Errors
/// The move at which the last system gave up, with its reason; or the first move that two systems, both of which explain
/// the whole line, read differently.
pub fn read_line_auto<T: AsRef<str>>(board: &Board, texts: &[T]) -> Result<Detected, LineError> {
    read_line_among(&System::ALL.map(Notation::new), board, texts)
}

/// As [`read_line_auto`], with only these notations and their options.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, Notation, System};
///
/// // What game files use: without An Old Xiangqi Manual, `C2=5` is one move.
/// let usual = [System::Wxr, System::Wxf, System::Chinese, System::Iccs].map(Notation::new);
/// let start = Position::startpos();
/// let detected = notation::read_line_among(&usual, start.board(), &["C2=5"])?;
/// assert_eq!(detected.moves[0].to_string(), "h2e2");
/// # Ok::<(), notation::LineError>(())
/// ```
///
/// # Errors
/// As [`read_line_auto`].
pub fn read_line_among<T: AsRef<str>>(notations: &[Notation], board: &Board, texts: &[T]) -> Result<Detected, LineError> {
    let mut readings: Vec<(System, Vec<Move>)> = Vec::new();
    let mut failures: Vec<(usize, System, Fault)> = Vec::new();
    for notation in notations {
        match read_whole(notation, board, texts) {
            Ok(moves) => readings.push((notation.system, moves)),
            Err((index, fault)) => failures.push((index, notation.system, fault)),
        }
    }
    let Some((_, moves)) = readings.first() else {
        return Err(best_failure(failures, texts));
    };
    let text = |index: usize| texts.get(index).map_or("", AsRef::as_ref);
    let differs = |index: &usize| readings.iter().any(|reading| reading.1.get(*index) != moves.get(*index));
    if let Some(index) = (0..moves.len()).find(differs) {
        let at = |(system, moves): &(System, Vec<Move>)| moves.get(index).map(|&mv| (*system, mv));
        let error = ReadError::SystemsDisagree { text: text(index).into(), readings: readings.iter().filter_map(at).collect() };
        return Err(LineError { number: index + 1, error });
    }
    Ok(Detected { moves: moves.clone(), systems: readings.into_iter().map(|(system, _)| system).collect() })
}

fn read_whole<T: AsRef<str>>(notation: &Notation, board: &Board, texts: &[T]) -> Result<Vec<Move>, (usize, Fault)> {
    let mut board = *board;
    let mut moves = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let mv = notation.read_bare(&board, text.as_ref()).map_err(|fault| (index, fault))?;
        board = board.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The failure that says most: of the system that came furthest, and there the nearest to a legal move.
fn best_failure<T: AsRef<str>>(failures: Vec<(usize, System, Fault)>, texts: &[T]) -> LineError {
    let rank = |fault: &Fault| match fault {
        Fault::Form => 0,
        Fault::OtherGame(_) => 1,
        Fault::NoSuchPiece(_) => 2,
        Fault::CannotMoveSo(_) => 3,
        Fault::Ambiguous(_) => 4,
        Fault::LeavesKingInCheck(_) => 5,
    };
    // The first of equals, since the systems stand in a fixed order.
    let best = failures.into_iter().rev().max_by_key(|(index, _, fault)| (*index, rank(fault)));
    let (index, fault) = best.map_or((0, None), |(index, system, fault)| (index, Some((system, fault))));
    let text = texts.get(index).map_or("", AsRef::as_ref);
    let error = match fault {
        None | Some((_, Fault::Form)) => no_notation(text),
        Some((system, fault)) => ReadError::new(fault, text, system, || None),
    };
    LineError { number: index + 1, error }
}

fn no_notation(text: &str) -> ReadError {
    ReadError::NotThisNotation { text: text.into(), system: None, looks_like: None }
}

/// A system other than `system` that the text has the form of; one in which it is a legal move if there is such.
pub(super) fn looks_like(system: System, board: &Board, text: &str) -> Option<System> {
    let mut form = None;
    for other in System::ALL.into_iter().filter(|&other| other != system) {
        match Notation::new(other).read_bare(board, text) {
            Ok(_) => return Some(other),
            Err(Fault::Form) => {}
            Err(_) => form = form.or(Some(other)),
        }
    }
    form
}
