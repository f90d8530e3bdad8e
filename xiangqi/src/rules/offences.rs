//! The offences of a side in a repetition.

use super::actions::MoveReport;
use crate::board::{Board, SLOTS_OF_SIDE};
use crate::types::{Color, Piece, Square};

/// The offence that a side commits with every one of its moves.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Offence, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// assert_eq!(repetition.offences, [Offence::PerpetualCheck, Offence::None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offence {
    /// No offence.
    None,
    /// Every move gives check.
    PerpetualCheck,
    /// Every move newly threatens the same piece.
    PerpetualChase(Chase),
    /// Chinese rules: every move is a check, kill or chase.
    PerpetualAttack,
}

/// A perpetual chase of one piece.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Offence, Rules};
/// use xiangqi::types::{Move, PieceType};
///
/// let mut game = Position::from_fen("2bak4/4a4/4b4/2p5p/6p2/2Pp5/4P4/2N6/2CrA2C1/3AK4 b")?;
/// for text in "d1d3 h1h3 d3d1 h3h1".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// let Offence::PerpetualChase(chase) = &repetition.offences[0] else { panic!("Red chases") };
/// assert_eq!((chase.victim.kind(), chase.at.to_string().as_str()), (PieceType::Rook, "d1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chase {
    /// The chased piece.
    pub victim: Piece,
    /// Its point in the final position.
    pub at: Square,
    /// Its slot, see [`Board::slot_on`].
    pub slot: usize,
}

impl Offence {
    /// The level of the offence: 2 for perpetual check, 1 for other perpetual attacks, 0 for none. The side with the higher level
    /// loses.
    ///
    /// ```
    /// use xiangqi::rules::Offence;
    ///
    /// assert!(Offence::PerpetualCheck.level() > Offence::PerpetualAttack.level());
    /// assert_eq!(Offence::None.level(), 0);
    /// ```
    pub fn level(&self) -> u8 {
        match self {
            Offence::None => 0,
            Offence::PerpetualChase(_) | Offence::PerpetualAttack => 1,
            Offence::PerpetualCheck => 2,
        }
    }
}

impl Chase {
    /// The enemy piece that every move of the side chases, if there is one. `boards` are the positions before and after the moves.
    pub(super) fn of(side: Color, moves: &[MoveReport], boards: &[&Board]) -> Option<Chase> {
        let last = boards.last()?;
        let chases = |slot: usize| {
            moves
                .iter()
                .zip(boards.iter().skip(1))
                .filter(|(report, _)| report.piece.color() == side)
                .all(|(report, after)| report.chases().iter().any(|attack| after.slot_on(attack.at) == Some(slot)))
        };
        let first = (!side).index() * SLOTS_OF_SIDE;
        let slot = (first..first + SLOTS_OF_SIDE).find(|&slot| chases(slot))?;
        let at = last.square_of_slot(slot)?;
        Some(Chase { victim: last.piece_on(at)?, at, slot })
    }
}
