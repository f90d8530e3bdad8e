//! Rulings with their reasons: the result of a position and, for a repetition, what every move of the loop was and what
//! each side is guilty of. Made only when somebody asks; the verdict itself needs none of it, and a test demands that the
//! two agree.

use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::Offence;
use super::registry::Scope;
use super::topics::Topic;
use super::{Fold, GameResult, RuleSet, Rules, Verdict, limits};
use crate::board::{Board, Position};
use crate::types::Color;

/// The result of a position and why.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{GameResult, Language, Rules, Verdict};
/// use xiangqi::types::{Color, Move};
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let ruling = Rules::default().ruling(&game);
/// assert_eq!(ruling.verdict, Verdict::Final(GameResult::Loses(Color::Red)));
/// assert!(ruling.summary(Language::English).starts_with("Red loses: rule: perpetual check loses"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The result.
    pub verdict: Verdict,
    /// The reason.
    pub cause: Cause,
}

/// Why a game has ended, or that it has not.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Rules};
/// use xiangqi::types::Color;
///
/// let mate = Position::from_fen("3k5/3P5/3R5/9/9/9/9/9/9/4K4 b")?;
/// assert_eq!(Rules::default().ruling(&mate).cause, Cause::Checkmate(Color::Black));
/// assert_eq!(Rules::default().ruling(&Position::startpos()).cause, Cause::Ongoing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Nothing has ended it.
    Ongoing,
    /// This side is mated.
    Checkmate(Color),
    /// This side has no legal move without being in check.
    Stalemate(Color),
    /// A position has been repeated.
    Repetition(Box<Repetition>),
    /// This many plies have passed without a capture, void checks and the replies to them not counted.
    NaturalLimit(u16),
    /// Neither side has a piece that can cross the river.
    BareMaterial,
}

/// A repetition and what was done in it.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Fold, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// assert_eq!((repetition.fold, repetition.first_ply, repetition.moves.len()), (Fold::Third, 1, 8));
/// assert_eq!(repetition.topic.english, "perpetual check loses");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The rules it was judged by.
    pub set: RuleSet,
    /// Which occurrence the present position is.
    pub fold: Fold,
    /// Number, from 1, of the game's ply that is the first move of the loop.
    pub first_ply: usize,
    /// FEN's move number of that move.
    pub first_round: usize,
    /// The moves from the earlier occurrence to the present, oldest first.
    pub moves: Vec<MoveReport>,
    /// What each side is guilty of, by colour.
    pub offences: [Offence; 2],
    /// The topic of the manual that it falls under.
    pub topic: &'static Topic,
}

impl Repetition {
    fn of(set: RuleSet, fold: Fold, cycle: Cycle, position: &Position) -> Repetition {
        let (gain, scope) = (set.row().gain, set.row().scope);
        let states = cycle.states();
        let moves: Vec<MoveReport> = states.windows(2).filter_map(|pair| MoveReport::of(&pair[0], &pair[1], gain)).collect();
        let boards: Vec<&Board> = states.iter().map(|state| &state.board).collect();
        let offences = Color::ALL.map(|side| match scope != Scope::Nothing && moves_of(&moves, side).all(MoveReport::is_check) {
            true => Offence::PerpetualCheck,
            false => (set.row().offence)(side, &moves, &boards),
        });
        let topic = Topic::of(set.row().allowed, &offences, &moves, &boards);
        let rounds = moves_of(&moves, Color::Black).count();
        let first_round = (position.fullmove() as usize).saturating_sub(rounds);
        Repetition { set, fold, first_ply: position.plies() + 1 - moves.len(), first_round, moves, offences, topic }
    }

    /// The moves of one side.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Cause, Rules};
    /// use xiangqi::types::{Color, Move};
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
    /// assert!(repetition.moves_of(Color::Red).all(|report| report.is_check()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves_of(&self, side: Color) -> impl Iterator<Item = &MoveReport> {
        moves_of(&self.moves, side)
    }

    /// The result that follows from the offences, whoever may win the draws ([`super::Draws`]): the higher level loses.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Cause, GameResult, Rules};
    /// use xiangqi::types::{Color, Move};
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
    /// assert_eq!(repetition.result(), GameResult::Loses(Color::Red));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn result(&self) -> GameResult {
        GameResult::of_levels(|side| self.offences[side.index()].level())
    }
}

fn moves_of(moves: &[MoveReport], side: Color) -> impl Iterator<Item = &MoveReport> {
    moves.iter().filter(move |report| report.piece.color() == side)
}

impl Rules {
    /// The result of the present position with its reasons: mate and stalemate first, which go before every draw, then what
    /// [`Rules::verdict`] says.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Cause, GameResult, Rules, Verdict};
    ///
    /// let ruling = Rules::default().ruling(&Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w")?);
    /// assert_eq!((ruling.verdict, ruling.cause), (Verdict::Final(GameResult::Draw), Cause::BareMaterial));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ruling(&self, position: &Position) -> Ruling {
        let side = position.side_to_move();
        if position.board().legal_moves().is_empty() {
            let cause = if position.in_check() { Cause::Checkmate(side) } else { Cause::Stalemate(side) };
            return Ruling { verdict: Verdict::Final(GameResult::Loses(side)), cause };
        }
        let verdict = self.verdict(position);
        let cause = match Cycle::of(position) {
            Some((fold, cycle)) if fold == Fold::Third || matches!(verdict, Verdict::Provisional(_)) => {
                Cause::Repetition(Box::new(Repetition::of(self.set, fold, cycle, position)))
            }
            _ if verdict == Verdict::None => Cause::Ongoing,
            _ if limits::is_bare(position.board()) => Cause::BareMaterial,
            _ => Cause::NaturalLimit(position.clock()),
        };
        Ruling { verdict, cause }
    }

    /// The result of the game as the present position ends it, mate and stalemate included; none when the game continues.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{GameResult, Rules};
    /// use xiangqi::types::Color;
    ///
    /// let rules = Rules::default();
    /// assert_eq!(rules.game_result(&Position::startpos()), None);
    /// let mate = Position::from_fen("3k5/3P5/3R5/9/9/9/9/9/9/4K4 b")?;
    /// assert_eq!(rules.game_result(&mate), Some(GameResult::Loses(Color::Black)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game_result(&self, position: &Position) -> Option<GameResult> {
        if position.board().count_legal_moves() == 0 {
            return Some(GameResult::Loses(position.side_to_move()));
        }
        match self.verdict(position) {
            Verdict::Final(result) => Some(result),
            _ => None,
        }
    }
}
