//! Layer 2: who has won, lost or drawn when nobody is mated: repetition, the natural limit, bare material.
//!
//! # A new rule set
//!
//! Its own file with a judge and an offence, and here one row of the table of [`RuleSet`] (with the `mod` line of the file).
//! Command line, protocol option and the tables of the documentation take their values from the rows.

mod actions;
mod always_draw;
mod chinese;
mod cycle;
mod kill;
mod limits;
mod offences;
mod reasons;
mod registry;
mod simple;
mod text;
mod threats;
mod topics;
mod world;

pub use actions::{Action, MoveReport};
pub use limits::NaturalLimit;
pub use offences::{Chase, Offence};
pub use reasons::{Cause, Repetition, Ruling};
pub use registry::UnknownRules;
pub use text::{Language, Wording};
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
        title: "Chinese national rules: an unbroken row of checks, kills and chases must be changed",
        judge: chinese::judge, offence: chinese::offence, gain: Gain::ByExchange, scope: Scope::Attacks, allowed: None,
    }
    /// Perpetual check loses, every other repetition is a draw.
    Simple {
        id: "simple", names: &["Simple", "AllowChase", "CheckBan"],
        title: "perpetual check loses, every other repetition is a draw",
        judge: simple::judge, offence: simple::offence, gain: Gain::ByRoots, scope: Scope::Checks,
        allowed: Some(&topics::NO_CHECK),
    }
    /// Every repetition is a draw.
    AlwaysDraw {
        id: "always-draw", names: &["AlwaysDraw", "NoJudgement"],
        title: "every repetition is a draw",
        judge: always_draw::judge, offence: always_draw::offence, gain: Gain::ByRoots, scope: Scope::Nothing,
        allowed: Some(&topics::NOTHING_FORBIDDEN),
    }
}

/// The enemy pieces that a move newly threatens, as the World Xiangqi Rules define a chase (docs/src/rules/world.md#s4-2): the points on
/// which they stand.
///
/// ```
/// use xiangqi::board::Board;
/// use xiangqi::types::Move;
///
/// // The rook goes to the file of the bare horse.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// This side has lost.
    Loses(Color),
    /// Nobody has won.
    Draw,
}

impl GameResult {
    /// The result when the side with the higher level of offence loses.
    fn of_levels(level: impl Fn(Color) -> u8) -> GameResult {
        let (red, black) = (level(Color::Red), level(Color::Black));
        match red.cmp(&black) {
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Greater => GameResult::Loses(Color::Red),
            std::cmp::Ordering::Less => GameResult::Loses(Color::Black),
        }
    }
}

/// What the rules say of a position with its past.
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
/// // The second time only warns.
/// assert_eq!(Rules::default().verdict(&game), Verdict::Provisional(GameResult::Loses(Color::Red)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game continues.
    None,
    /// The position stands for the second time: a side that keeps on like this gets this result at the third.
    Provisional(GameResult),
    /// The game is over.
    Final(GameResult),
}

/// Plies before the natural limit in which a side may repeat to reach it.
const LOOPS: u32 = 40;

/// What the rules say of a position inside a search.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// Nothing: the search continues.
    Open,
    /// The line is over.
    Over(GameResult),
    /// This side repeats what it may not: it can hope for a draw at most, and the other is sure of one.
    GainsNothing(Color),
}

/// How often a position must have stood, the present occurrence included, for a repetition to be judged.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// At the second occurrence, where it lies strictly after the root of a search.
    Second,
    /// At the third occurrence, as in a game.
    Third,
}

/// Who wins a game that the rules draw, where a match must have a winner (Pikafish's `Draw Rule`).
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Draws {
    /// Nobody.
    #[default]
    Nobody,
    /// This side wins every draw: by repetition, by the natural limit, and without pieces that can cross the river.
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

/// Which rules hold, with their limits.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{GameResult, RuleSet, Rules, Verdict};
///
/// let rules = Rules { set: RuleSet::Simple, natural_limit: 80, ..Rules::default() };
/// let game = Position::from_fen("4k4/9/9/9/9/9/9/9/8R/3K5 w - - 80 60")?;
/// assert_eq!(rules.verdict(&game), Verdict::Final(GameResult::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// How repetitions are judged.
    pub set: RuleSet,
    /// Plies without a capture after which the game is drawn, 0 for no limit.
    pub natural_limit: u16,
    /// Who wins what the rules draw.
    pub draws: Draws,
    /// At which occurrence a search judges a repetition among its own moves, see [`Rules::outlook`].
    pub search_fold: Fold,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            set: RuleSet::World,
            natural_limit: NaturalLimit::STANDARD.plies(),
            draws: Draws::Nobody,
            search_fold: Fold::Second,
        }
    }
}

impl Rules {
    /// What the rules say of the present position; mate and stalemate are not looked at and go before the natural limit.
    /// Fast when nothing repeats.
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

    /// What the rules say of a position `ply` plies below the root of a search. Exact where [`Rules::verdict`] is final; what
    /// it adds is the second occurrence, with [`Fold::Second`], of a position that stood before *strictly after the root*:
    ///
    /// - A repetition that would be drawn is drawn: who can repeat once can repeat again, and whoever would rather not has
    ///   had all other moves to choose from at the first occurrence.
    /// - A perpetual check is lost: its side has had all other moves to choose from, and whatever loop of checks it takes the next
    ///   time, the whole is one of checks alone. Not in the last 40 plies before the natural limit, which one more loop may reach.
    /// - Another repetition that would lose for a side only says that this side gains nothing by it, for it may still vary: a
    ///   bound. Chases of different pieces in turn are no chase.
    ///
    /// A repetition of the root or of a position of the game before it counts at the third occurrence, as in a game. There
    /// the argument fails: the moves before the root are not the search's choice, and the opponent who once allowed a
    /// position may do so again without the game being over.
    ///
    /// A result found so depends on the path. It must not go into the transposition table as a fact about the position;
    /// [`Position::repeats`] says which positions it concerns.
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

    /// What the rules say of a repetition, if the present position is one and they say more than without.
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

    /// Whether a side that would lose by repeating this once more loses whatever loop it takes the next time, see [`Rules::outlook`].
    fn is_sure_to_lose(&self, position: &Position, side: Color, cycle: Cycle) -> bool {
        cycle.checks_always(side) && !NaturalLimit::of(self.natural_limit).is_within(position.clock(), LOOPS)
    }

    #[inline(always)]
    fn is_drawn_without_repetition(&self, position: &Position) -> bool {
        limits::natural_limit_reached(position, self.natural_limit) || limits::is_bare(position.board())
    }

    /// The result of a repetition under the rule set.
    fn judge(&self, cycle: Cycle) -> GameResult {
        match (self.set.row().judge)(cycle) {
            GameResult::Draw => self.draws.by_repetition(),
            result => result,
        }
    }
}

#[cfg(test)]
mod tests;
