//! Detection of the notation system: every system is tried, and one of them must be able to read all moves.

use super::convert::looks_like;
use super::error::Reason;
use super::system::Usage;
use super::{LineError, Notation, ReadError, System};
use crate::board::Board;
use crate::types::Move;

/// A line of moves and the systems that read it this way.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, System};
///
/// let start = Position::startpos();
/// let detected = notation::read_line_auto(start.board(), &["C2=5"])?;
/// assert!(detected.systems.contains(&System::Wxr));
/// assert_eq!(detected.moves[0].to_string(), "h2e2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detected {
    /// All systems that read the entire line as these moves.
    pub systems: Vec<System>,
    /// The moves.
    pub moves: Vec<Move>,
    /// Systems that read the entire line as other moves. Regional systems are listed here if a system in general use reads the
    /// line, historical ones if any system in current use does.
    pub others: Vec<OtherReading>,
}

/// The first difference between the chosen reading of a line and that of another system.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, System};
///
/// let start = Position::startpos();
/// let detected = notation::read_line_auto(start.board(), &["C2=5"])?;
/// // An Old Xiangqi Manual numbers the files from the other side.
/// let other = detected.others[0];
/// assert_eq!((other.system, other.mv.to_string().as_str()), (System::OldManual, "b2e2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherReading {
    /// The system.
    pub system: System,
    /// Number of the first move that it reads differently, counted from 1.
    pub number: usize,
    /// The move that it reads instead.
    pub mv: Move,
}

impl Detected {
    /// A one-line note on which reading was chosen, or `None` if no other system in current use reads the line differently.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation;
    ///
    /// // A pawn moving sideways, or in the Vietnamese notation a cannon advancing.
    /// let position = Position::from_fen("3k5/9/6P2/9/9/9/9/9/6C2/4K4 w")?;
    /// let detected = notation::read_line_auto(position.board(), &["P3.4"])?;
    /// assert!(detected.note().is_some_and(|note| note.contains("in vietnamese it would be g1g5")));
    /// // The right cannon in current systems, the left one only in the historical An Old Xiangqi Manual.
    /// assert_eq!(notation::read_line_auto(Position::startpos().board(), &["C2=5"])?.note(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn note(&self) -> Option<String> {
        let other = self.others.iter().find(|other| !other.system.is_historical())?;
        let taken: Vec<&str> = self.systems.iter().map(|system| system.id()).collect();
        let taken = taken.join(", ");
        let mv = self.moves.get(other.number - 1)?;
        let (number, system, instead) = (other.number, other.system, other.mv);
        Some(format!("move {number} is read as {taken}: {mv}; in {system} it would be {instead}"))
    }
}

/// Reads a move in any system, which is detected.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, ReadError}};
///
/// let start = Position::startpos();
/// assert_eq!(notation::read_auto(start.board(), "炮二平五")?.to_string(), "h2e2");
/// // Current systems number the files from the right, An Old Xiangqi Manual from the left; current systems take precedence.
/// assert_eq!(notation::read_auto(start.board(), "C2=5")?.to_string(), "h2e2");
/// # Ok::<(), ReadError>(())
/// ```
///
/// # Errors
/// Returns a [`ReadError`] if no system can read the text as exactly one legal move, or if systems of equal precedence read different
/// legal moves ([`ReadError::SystemsDisagree`]).
pub fn read_auto(board: &Board, text: &str) -> Result<Move, ReadError> {
    match read_line_auto(board, &[text]) {
        Ok(detected) => detected.moves.first().copied().ok_or_else(|| no_notation(text)),
        Err(line_error) => Err(line_error.error),
    }
}

/// Reads a line or a complete game in any system, which is detected. A single system must be able to read all moves.
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
/// Returns a [`LineError`] if no system can read the entire line, for the first unreadable move of the system that got furthest; and
/// if several systems of equal precedence can read it, for the first move on which they differ. Systems in general use take
/// precedence over regional ones, and those over historical ones.
pub fn read_line_auto<T: AsRef<str>>(board: &Board, texts: &[T]) -> Result<Detected, LineError> {
    read_line_among(&System::ALL.map(Notation::new), board, texts)
}

/// Like [`read_line_auto`], but tries only the given notations, with their options.
pub(super) fn read_line_among<T: AsRef<str>>(notations: &[Notation], board: &Board, texts: &[T]) -> Result<Detected, LineError> {
    let mut readings: Vec<(System, Vec<Move>)> = Vec::new();
    let mut failures: Vec<(usize, System, Reason)> = Vec::new();
    for notation in notations {
        match read_whole(notation, board, texts) {
            // Systems in general use first, otherwise in the order given.
            Ok(moves) => {
                let usage = notation.system.usage();
                let place = readings.iter().position(|(system, _)| system.usage() > usage).unwrap_or(readings.len());
                readings.insert(place, (notation.system, moves));
            }
            Err((index, reason)) => failures.push((index, notation.system, reason)),
        }
    }
    let Some((first, moves)) = readings.first().cloned() else {
        return Err(best_failure(failures, notations, board, texts));
    };
    let contenders = || readings.iter().filter(|(system, _)| system.usage() == first.usage());
    let differs = |index: &usize| contenders().any(|reading| reading.1.get(*index) != moves.get(*index));
    if let Some(index) = (0..moves.len()).find(differs) {
        let at = |(system, moves): &(System, Vec<Move>)| moves.get(index).map(|&mv| (*system, mv));
        let text = texts.get(index).map_or("", AsRef::as_ref).into();
        let error = ReadError::SystemsDisagree { text, readings: contenders().filter_map(at).collect() };
        return Err(LineError::new(board, index, error));
    }
    let other = |(system, read): &(System, Vec<Move>)| {
        let (index, (mv, _)) = read.iter().zip(&moves).enumerate().find(|(_, (read, taken))| read != taken)?;
        Some(OtherReading { system: *system, number: index + 1, mv: *mv })
    };
    let others = readings.iter().filter_map(other).collect();
    let systems = readings.iter().filter(|(_, read)| *read == moves).map(|(system, _)| *system).collect();
    Ok(Detected { moves, systems, others })
}

fn read_whole<T: AsRef<str>>(notation: &Notation, board: &Board, texts: &[T]) -> Result<Vec<Move>, (usize, Reason)> {
    let mut board = *board;
    let mut moves = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let mv = notation.read_bare(&board, text.as_ref()).map_err(|reason| (index, reason))?;
        board = board.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The most informative failure: of the systems that read the most moves, the one that came closest to a legal move.
fn best_failure<T: AsRef<str>>(
    failures: Vec<(usize, System, Reason)>,
    notations: &[Notation],
    board: &Board,
    texts: &[T],
) -> LineError {
    let rank = |reason: &Reason| match reason {
        Reason::Form => 0,
        Reason::OtherGame(_) => 1,
        Reason::NoSuchPiece(_) => 2,
        Reason::CannotMoveSo(_) => 3,
        Reason::Ambiguous(_) => 4,
        Reason::LeavesKingInCheck(_) => 5,
    };
    // `max_by_key` returns the last maximum; reversing makes that the first in table order.
    let is_general = |system: &System| system.usage() != Usage::Regional;
    let best = failures
        .into_iter()
        .rev()
        .max_by_key(|(index, system, reason)| (*index, *reason != Reason::Form, is_general(system), rank(reason)));
    let (index, reason) = best.map_or((0, None), |(index, system, reason)| (index, Some((system, reason))));
    let text = texts.get(index).map_or("", AsRef::as_ref);
    let error = match reason {
        // The notation changes in the middle of the line.
        Some((system, Reason::Form)) if index > 0 => {
            let notation = notations.iter().find(|notation| notation.system == system);
            let here = notation.and_then(|notation| played(*board, notation, texts, index));
            match here.and_then(|board| looks_like(system, &board, text)) {
                Some(other) => ReadError::new(Reason::Form, text, system, || Some(other)),
                None => no_notation(text),
            }
        }
        None | Some((_, Reason::Form)) => no_notation(text),
        Some((system, reason)) => ReadError::new(reason, text, system, || None),
    };
    LineError::new(board, index, error)
}

/// The board after the first `count` moves of a line.
fn played<T: AsRef<str>>(board: Board, notation: &Notation, texts: &[T], count: usize) -> Option<Board> {
    texts.iter().take(count).try_fold(board, |board, text| Some(board.after(notation.read_bare(&board, text.as_ref()).ok()?)))
}

fn no_notation(text: &str) -> ReadError {
    ReadError::NotThisNotation { text: text.into(), system: None, looks_like: None }
}
