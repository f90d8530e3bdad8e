//! Layer 2: adjudication of repetitions, the natural limit and bare material.
//!
//! [`Rules::verdict`] returns the result of a position with its history, [`Rules::ruling`] the same result with an explanation, and
//! [`Rules::outlook`] the result for use inside a search. The rules are defined in docs/src/rules/world.md.
//!
//! ```
//! use xiangqi::board::Position;
//! use xiangqi::rules::{GameResult, Language, Rules, Verdict};
//! use xiangqi::types::{Color, Move};
//!
//! // The rook gives check on every move.
//! let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
//! for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
//!     game.make(Move::from_uci(text)?);
//! }
//! let ruling = Rules::default().ruling(&game);
//! assert_eq!(ruling.verdict, Verdict::Final(GameResult::Loses(Color::Red)));
//! assert_eq!(ruling.conclusion(Language::English), "Red loses");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Adding a rule set
//!
//! Add a file with the functions `judge` and `offence`, and here its `mod` line and a row in the table of [`RuleSet`]. The command
//! line, the protocol option and the tables of the documentation are derived from the rows.

mod actions;
mod chinese;
mod cycle;
mod kill;
mod limits;
mod offences;
mod reasons;
mod registry;
mod text;
mod threats;
mod topics;
mod world;

pub use actions::{Action, MoveReport};
pub use limits::NaturalLimit;
pub use offences::{Chase, Offence};
pub use reasons::{Cause, Repetition, Ruling};
pub use text::{Language, Wording};
#[cfg(feature = "records")]
pub(crate) use text::{chinese_name, chinese_side};
pub use threats::{Attack, Harmless};
pub use topics::Topic;

use crate::board::{Board, Position};
use crate::types::{Bitboard, Color, Move};
use cycle::Cycle;
use registry::Scope;
use threats::Gain;

registry::rule_sets! {
    /// World Xiangqi Rules 2018: perpetual check and perpetual chase lose.
    #[default]
    World {
        id: "world", names: &["World", "AsianRule", "WorldRule"],
        title: "World Xiangqi Rules of 2018: perpetual check and perpetual chase lose",
        judge: world::judge, offence: world::offence, gain: Gain::ByRoots, scope: Scope::ChecksAndChases, allowed: None,
    }
    /// Chinese national rules.
    Chinese {
        id: "chinese", names: &["Chinese", "ChineseRule"],
        title: "Chinese national rules: an unbroken series of checks, kills and chases must be varied",
        judge: chinese::judge, offence: chinese::offence, gain: Gain::ByExchange, scope: Scope::Attacks, allowed: None,
    }
    /// Perpetual check loses, every other repetition is a draw, as in much match software.
    Simple {
        id: "simple", names: &["Simple", "AllowChase", "CheckBan"],
        title: "perpetual check loses, every other repetition is a draw",
        judge: |cycle| GameResult::of_levels(|side| cycle.checks_always(side) as u8), offence: |_, _, _| Offence::None,
        gain: Gain::ByRoots, scope: Scope::Checks, allowed: Some(&topics::NO_CHECK),
    }
    /// Every repetition is a draw, as in older UCCI versions and programs without adjudication.
    AlwaysDraw {
        id: "always-draw", names: &["AlwaysDraw", "NoJudgement"],
        title: "every repetition is a draw",
        judge: |_| GameResult::Draw, offence: |_, _, _| Offence::None,
        gain: Gain::ByRoots, scope: Scope::Nothing, allowed: Some(&topics::NOTHING_FORBIDDEN),
    }
}

/// The points of the enemy pieces that a move newly threatens, by the definition of a chase in the World Xiangqi Rules
/// (docs/src/rules/world.md#s4-2).
///
/// ```
/// use xiangqi::board::Board;
/// use xiangqi::types::Move;
///
/// // The rook moves to the file of the unprotected horse.
/// let board = Board::from_fen("3k5/9/9/9/2n6/9/9/9/R8/4K4 w")?;
/// let chased = xiangqi::rules::chased(&board, Move::from_uci("a1c1")?);
/// assert_eq!(chased.into_iter().map(|point| point.to_string()).collect::<Vec<_>>(), ["c5"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn chased(board: &Board, mv: Move) -> Bitboard {
    let after = board.after(mv);
    threats::new_threats(board, &after, Gain::ByRoots).into_iter().map(|attack| attack.at).collect()
}

/// The result of a game.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{GameResult, Rules};
/// use xiangqi::types::{Color, Move};
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// assert_eq!(Rules::default().game_result(&game), Some(GameResult::Loses(Color::Red)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// This side loses.
    Loses(Color),
    /// The game is drawn.
    Draw,
}

impl GameResult {
    /// The side with the higher level of offence loses; equal levels draw.
    fn of_levels(level: impl Fn(Color) -> u8) -> GameResult {
        let (red, black) = (level(Color::Red), level(Color::Black));
        match red.cmp(&black) {
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Greater => GameResult::Loses(Color::Red),
            std::cmp::Ordering::Less => GameResult::Loses(Color::Black),
        }
    }
}

/// The verdict of the rules on a position with its history.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{GameResult, Rules, Verdict};
/// use xiangqi::types::{Color, Move};
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(4) {
///     game.make(Move::from_uci(text)?);
/// }
/// // The second occurrence does not decide the game yet.
/// assert_eq!(Rules::default().verdict(&game), Verdict::Provisional(GameResult::Loses(Color::Red)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The game continues.
    None,
    /// The position has occurred for the second time. If the same loop is repeated, the third occurrence gives this result.
    Provisional(GameResult),
    /// The game is over.
    Final(GameResult),
}

/// Maximum distance in plies from the natural limit at which repeating may be a way to reach it.
const MAX_LIMIT_DISTANCE: u32 = 40;

/// The verdict of the rules on a position inside a search.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{GameResult, Outlook, Rules};
/// use xiangqi::types::{Color, Move};
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(4) {
///     game.make(Move::from_uci(text)?);
/// }
/// // Five plies below the root, of which the last four are the loop.
/// assert_eq!(Rules::default().outlook(&game, 5), Outlook::Over(GameResult::Loses(Color::Red)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outlook {
    /// No verdict: the search continues.
    Open,
    /// The line ends with this result.
    Over(GameResult),
    /// A bound: the repetition is forbidden for this side, so it can expect a draw at most, and the other side a draw at least.
    GainsNothing(Color),
}

/// The occurrence of a position, counting the current one, at which a repetition is judged.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Fold, Outlook, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
/// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(4) {
///     game.make(Move::from_uci(text)?);
/// }
/// let patient = Rules { search_fold: Fold::Third, ..Rules::default() };
/// assert_eq!(patient.outlook(&game, 5), Outlook::Open);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// The second occurrence; in a search only if the first one is strictly after the root.
    Second,
    /// The third occurrence, as in a game.
    Third,
}

/// Who wins a game that the rules draw, for matches without draws (Pikafish's option `Draw Rule`).
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Draws, GameResult, Rules, Verdict};
/// use xiangqi::types::Color;
///
/// let bare = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w")?;
/// let rules = Rules { draws: Draws::All(Color::Black), ..Rules::default() };
/// assert_eq!(rules.verdict(&bare), Verdict::Final(GameResult::Loses(Color::Red)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Draws {
    /// Nobody: a draw remains a draw.
    #[default]
    Nobody,
    /// This side wins every draw: by repetition, by the natural limit and by bare material.
    All(Color),
    /// This side wins every draw by repetition.
    ByRepetition(Color),
}

impl Draws {
    fn by_repetition(self) -> GameResult {
        match self {
            Draws::Nobody => GameResult::Draw,
            Draws::All(winner) | Draws::ByRepetition(winner) => GameResult::Loses(!winner),
        }
    }

    #[inline]
    fn without_repetition(self) -> GameResult {
        match self {
            Draws::Nobody | Draws::ByRepetition(_) => GameResult::Draw,
            Draws::All(winner) => GameResult::Loses(!winner),
        }
    }
}

/// A rule set with its parameters. The default is the World Xiangqi Rules with a natural limit of 120 plies.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{GameResult, NaturalLimit, RuleSet, Rules, Verdict};
///
/// let rules = Rules { set: RuleSet::Simple, natural_limit: NaturalLimit::of(80), ..Rules::default() };
/// let game = Position::from_fen("4k4/9/9/9/9/9/9/9/8R/3K5 w - - 80 60")?;
/// assert_eq!(rules.verdict(&game), Verdict::Final(GameResult::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The rules by which repetitions are judged.
    pub set: RuleSet,
    /// The number of plies without a capture after which the game is drawn.
    pub natural_limit: NaturalLimit,
    /// Who wins drawn games.
    pub draws: Draws,
    /// The occurrence at which [`Rules::outlook`] judges a repetition within the search tree.
    pub search_fold: Fold,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { set: RuleSet::World, natural_limit: NaturalLimit::STANDARD, draws: Draws::Nobody, search_fold: Fold::Second }
    }
}

impl Rules {
    /// The verdict on the current position. Checkmate and stalemate are not tested; they take precedence over the natural limit, so
    /// the caller must test them first, or use [`Rules::game_result`]. Fast if the position is not a repetition.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{GameResult, Rules, Verdict};
    /// use xiangqi::types::{Color, Move};
    ///
    /// let mut game = Position::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8) {
    ///     game.make(Move::from_uci(text)?);
    /// }
    /// assert_eq!(Rules::default().verdict(&game), Verdict::Final(GameResult::Loses(Color::Red)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn verdict(&self, position: &Position) -> Verdict {
        let repetition = Cycle::of(position);
        match repetition {
            Some((Fold::Third, cycle)) => Verdict::Final(self.judge(cycle)),
            _ if self.is_drawn_without_repetition(position) => Verdict::Final(self.draws.without_repetition()),
            Some((Fold::Second, cycle)) => Verdict::Provisional(self.judge(cycle)),
            None => Verdict::None,
        }
    }

    /// The verdict on a position `ply` plies below the root of a search.
    ///
    /// Final verdicts are those of [`Rules::verdict`]. In addition, with [`Fold::Second`], a second occurrence is judged if the first
    /// one is *strictly after the root*:
    ///
    /// - A repetition that would be a draw is a draw: a side that can repeat once can repeat again, and a side that would rather
    ///   avoid it had all its other moves available at the first occurrence.
    /// - A perpetual check is a loss: the checking side had all its other moves available, and whatever loop of checks it plays next,
    ///   both loops together consist of checks only. Not within 40 plies of the natural limit, which another loop may reach.
    /// - Any other losing repetition is only a bound, [`Outlook::GainsNothing`]: the side may still vary, since chases of different
    ///   pieces in turn are not a perpetual chase.
    ///
    /// A repetition of the root or of an earlier position of the game is judged at the third occurrence, as in a game. The argument
    /// above does not apply there: the search did not choose the moves before the root, and an opponent who has allowed a position
    /// once may allow it again without ending the game.
    ///
    /// The result depends on the path, so it must not be stored in the transposition table as a property of the position.
    /// [`Position::repeats`] tests for the positions concerned.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::rules::{Outlook, Rules};
    ///
    /// assert_eq!(Rules::default().outlook(&Position::startpos(), 3), Outlook::Open);
    /// ```
    #[inline(always)]
    pub fn outlook(&self, position: &Position, ply: usize) -> Outlook {
        if position.may_repeat()
            && let Some(outlook) = self.outlook_of_repetition(position, ply)
        {
            return outlook;
        }
        if self.is_drawn_without_repetition(position) { Outlook::Over(self.draws.without_repetition()) } else { Outlook::Open }
    }

    /// The verdict on a repetition; `None` if the current position is not one, or if the repetition is not judged at this ply.
    #[inline(never)]
    fn outlook_of_repetition(&self, position: &Position, ply: usize) -> Option<Outlook> {
        let (fold, cycle) = Cycle::of(position)?;
        if fold == Fold::Third {
            return Some(Outlook::Over(self.judge(cycle)));
        }
        if self.search_fold != Fold::Second || cycle.len() >= ply || self.is_drawn_without_repetition(position) {
            return None;
        }
        Some(match self.judge(cycle) {
            GameResult::Draw => Outlook::Over(GameResult::Draw),
            GameResult::Loses(color) if self.is_sure_to_lose(position, color, cycle) => Outlook::Over(GameResult::Loses(color)),
            GameResult::Loses(color) => Outlook::GainsNothing(color),
        })
    }

    /// Whether a side that would lose by repeating the cycle also loses by any other loop, see [`Rules::outlook`].
    fn is_sure_to_lose(&self, position: &Position, side: Color, cycle: Cycle) -> bool {
        cycle.checks_always(side) && !self.natural_limit.is_within(position.clock(), MAX_LIMIT_DISTANCE)
    }

    #[inline(always)]
    fn is_drawn_without_repetition(&self, position: &Position) -> bool {
        self.natural_limit.is_reached(position.clock()) || limits::is_bare(position.board())
    }

    /// The result of a repetition under the rule set, with draws awarded as [`Rules::draws`] specifies.
    fn judge(&self, cycle: Cycle) -> GameResult {
        match (self.set.row().judge)(cycle) {
            GameResult::Draw => self.draws.by_repetition(),
            result => result,
        }
    }
}

#[cfg(test)]
mod tests;
