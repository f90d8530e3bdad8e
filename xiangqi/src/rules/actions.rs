//! Classification of the moves of a loop in the terms of the rules (check, chase, kill, exchange, block, offer, idle), and the
//! attacks that are not a chase, with the reason.

use super::kill;
use super::threats::{self, Attack, Gain, Harmless};
use crate::board::{Board, State, between};
use crate::types::{Move, Piece, PieceType, Square};

/// An action in the terms of the rules, the most forcing first. A move can be several actions at once.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Action, Cause, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// assert_eq!(repetition.moves[0].actions, [Action::Check]);
/// assert_eq!(repetition.moves[1].actions, [Action::Idle]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Gives check.
    Check,
    /// Newly threatens to win these pieces.
    Chase(Vec<Attack>),
    /// Threatens mate by consecutive checks.
    Kill,
    /// Offers to trade equal pieces that can take each other.
    Exchange(Vec<Attack>),
    /// Blocks a line of the enemy piece on this point.
    Block(Square),
    /// Puts the moved piece where it can be captured.
    Offer,
    /// None of these.
    Idle,
}

/// A move of a loop with its actions.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// let report = &repetition.moves[0];
/// assert_eq!(report.mv.to_string(), "h8h9");
/// assert!(report.is_check() && report.harmless.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveReport {
    /// The position before the move.
    pub before: Board,
    /// The move.
    pub mv: Move,
    /// The piece that moved.
    pub piece: Piece,
    /// The actions, most forcing first; never empty.
    pub actions: Vec<Action>,
    /// New attacks that are not a chase, with the reason.
    pub harmless: Vec<(Attack, Harmless)>,
}

impl MoveReport {
    /// Classifies the move between the two positions; `None` for a null move.
    pub(super) fn of(before: &State, after: &State, gain: Gain) -> Option<MoveReport> {
        let mv = after.last_move;
        let piece = before.board.piece_on(mv.from())?;
        let (old, new) = (&before.board, &after.board);
        let mut actions = Vec::new();
        if after.in_check {
            actions.push(Action::Check);
        }
        let chases = threats::new_threats(old, new, gain);
        if !chases.is_empty() {
            actions.push(Action::Chase(chases));
        }
        if kill::threatens_mate(new) {
            actions.push(Action::Kill);
        }
        let (exchanges, harmless): (Vec<_>, Vec<_>) =
            threats::harmless_attacks(old, new, gain).into_iter().partition(|(_, why)| *why == Harmless::EvenTrade);
        if !exchanges.is_empty() {
            actions.push(Action::Exchange(exchanges.into_iter().map(|(attack, _)| attack).collect()));
        }
        if let Some(enemy) = blocked_enemy(old, new, mv) {
            actions.push(Action::Block(enemy));
        }
        if new.legal_moves().iter().any(|reply| reply.to() == mv.to()) {
            actions.push(Action::Offer);
        }
        if actions.is_empty() {
            actions.push(Action::Idle);
        }
        Some(MoveReport { before: before.board, mv, piece, actions, harmless })
    }

    /// Whether any of the move's actions satisfies a predicate.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Action, Cause, Rules};
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::from_fen("2bak4/4a4/4b4/2p5p/6p2/2Pp5/4P4/2N6/2CrA2C1/3AK4 b")?;
    /// for text in "d1d3 h1h3 d3d1 h3h1".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
    /// assert!(repetition.moves[1].is(|action| matches!(action, Action::Chase(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is(&self, action: impl Fn(&Action) -> bool) -> bool {
        self.actions.iter().any(action)
    }

    /// Whether the move gives check.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Cause, Rules};
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
    /// assert!(repetition.moves[0].is_check() && !repetition.moves[1].is_check());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_check(&self) -> bool {
        self.is(|action| *action == Action::Check)
    }

    /// Whether the Chinese rules count the move as an attack.
    pub(super) fn is_attack(&self) -> bool {
        self.is(|action| matches!(action, Action::Check | Action::Chase(_) | Action::Kill))
    }

    /// The attacks of the move that are chases.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Cause, Rules};
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::from_fen("2bak4/4a4/4b4/2p5p/6p2/2Pp5/4P4/2N6/2CrA2C1/3AK4 b")?;
    /// for text in "d1d3 h1h3 d3d1 h3h1".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
    /// // The cannon follows the rook.
    /// assert_eq!(repetition.moves[1].chases()[0].at.to_string(), "d3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chases(&self) -> &[Attack] {
        let chases = self.actions.iter().find_map(|action| match action {
            Action::Chase(attacks) => Some(attacks.as_slice()),
            _ => None,
        });
        chases.unwrap_or(&[])
    }
}

/// The enemy piece that the move blocks: one whose attack on an unmoved piece it has cut off or, if it has averted a threat of mate,
/// a rook or cannon on whose line the moved piece now is.
fn blocked_enemy(old: &Board, new: &Board, mv: Move) -> Option<Square> {
    let mover = old.side_to_move();
    let unmoved = old.color(mover) & new.color(mover);
    let cut_off = |&enemy: &Square| {
        let lost = old.attacks_from(enemy) & !new.attacks_from(enemy) & unmoved;
        let without_blocker = new.moves_from(enemy, new.occupied().without(mv.to()));
        !(lost & without_blocker).is_empty()
    };
    let enemies = || new.color(!mover).into_iter();
    let blocks_mate = || {
        // A king cannot block a line to itself.
        let is_king = new.king(mover) == mv.to();
        let threatened = !old.in_check() && kill::mates_by_checks(&old.with_side(!mover));
        !is_king && threatened && !kill::mates_by_checks(new)
    };
    let on_line = |&enemy: &Square| {
        let slides = matches!(new.piece_on(enemy).map(Piece::kind), Some(PieceType::Rook | PieceType::Cannon));
        slides && old.moves_from(enemy, old.occupied()).has(mv.to()) && reaches_beyond(old, enemy, mv.to())
    };
    enemies().find(cut_off).or_else(|| enemies().find(on_line).filter(|_| blocks_mate()))
}

/// Whether a slider's line continues beyond a point on it.
fn reaches_beyond(board: &Board, slider: Square, point: Square) -> bool {
    let targets = board.moves_from(slider, board.occupied());
    targets.into_iter().any(|target| between(slider, target).has(point))
}
