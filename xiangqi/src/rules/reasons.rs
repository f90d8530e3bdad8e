//! Rulings with their reasons: the result of a position and, for a repetition, the actions of every move of the loop and the
//! offence of each side. They are computed only on request; verdicts are computed independently, and a test checks that both agree.

use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::Offence;
use super::registry::Scope;
use super::topics::Topic;
use super::{Fold, GameResult, RuleSet, Rules, Verdict, limits};
use crate::board::{Board, Position};
use crate::types::{Color, Move};

/// The verdict on a position and its reason. [`Ruling::lines`] and [`Ruling::summary`] put it in words.
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
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub cause: Cause,
}

/// The reason for a verdict.
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
    /// The game has not ended.
    Ongoing,
    /// This side is checkmated and loses.
    Checkmate(Color),
    /// This side is not in check but has no legal move, and loses.
    Stalemate(Color),
    /// The position is a repetition.
    Repetition(Box<Repetition>),
    /// The natural limit has been reached: the clock in plies, see [`Position::clock`].
    NaturalLimit(u16),
    /// Neither side has a piece that can cross the river.
    BareMaterial,
}

/// The analysis of a repetition.
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
    /// The rules applied.
    pub set: RuleSet,
    /// Whether the last two or the last three occurrences of the position are judged.
    pub fold: Fold,
    /// The number of occurrences of the position, including the current one; more than three if the game went on after its end.
    pub occurrences: usize,
    /// Ply number in the game, from 1, of the first move of the loop.
    pub first_ply: usize,
    /// FEN move number of that move.
    pub first_round: usize,
    /// The moves of the loop, oldest first.
    pub moves: Vec<MoveReport>,
    /// The offence of each side, by colour index.
    pub offences: [Offence; 2],
    /// The applicable topic of the rules.
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
        let (occurrences, first_ply) = (position.occurrences(), position.plies() + 1 - moves.len());
        Repetition { set, fold, occurrences, first_ply, first_round, moves, offences, topic }
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

    /// The result that follows from the offences alone, regardless of [`super::Draws`]: the side with the higher level loses.
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
    /// The verdict on the current position with its reasons. Checkmate and stalemate are tested first, as they take precedence over
    /// any draw; otherwise the verdict is that of [`Rules::verdict`].
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

    /// The result of the game if the current position ends it, including checkmate and stalemate; `None` if the game continues.
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
        if !position.board().has_legal_move() {
            return Some(GameResult::Loses(position.side_to_move()));
        }
        match self.verdict(position) {
            Verdict::Final(result) => Some(result),
            _ => None,
        }
    }

    /// Makes moves until the game is over. Returns the position then, and the number of moves that follow it.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::Rules;
    /// use xiangqi::types::Move;
    ///
    /// let start = Position::from_fen("3k5/9/3P5/3R5/9/9/9/9/9/4K4 w")?;
    /// let moves = ["d7d8", "e0e1", "d8d9"].map(|text| Move::from_uci(text).unwrap());
    /// let (end, left) = Rules::default().play_to_end(&start, moves);
    /// assert_eq!((end.plies(), left), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_to_end(&self, start: &Position, moves: impl IntoIterator<Item = Move>) -> (Position, usize) {
        let mut position = start.clone();
        let mut moves = moves.into_iter().peekable();
        while moves.peek().is_some() && self.game_result(&position).is_none() {
            moves.next().into_iter().for_each(|mv| position.make(mv));
        }
        (position, moves.count())
    }
}
