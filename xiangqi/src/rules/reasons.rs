//! Rulings with their reasons: the result of a position and, for a repetition, what every move of the loop was and what
//! each side is guilty of. Made only when somebody asks; the verdict itself needs none of it, and a test demands that the
//! two agree.

use super::cycle::Cycle;
use super::deeds::{Deed, MoveReport};
use super::threats::Gain;
use super::topics::Topic;
use super::{Fold, GameResult, RuleSet, Rules, Verdict, limits};
use crate::board::{Board, Position};
use crate::types::{Color, Piece, Square};

/// The result of a position and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The result.
    pub verdict: Verdict,
    /// The reason.
    pub cause: Cause,
}

/// Why a game has ended, or that it has not.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The rules it was judged by.
    pub set: RuleSet,
    /// Which occurrence the present position is.
    pub fold: Fold,
    /// Number, from 1, of the game's ply that is the first move of the loop.
    pub first_ply: usize,
    /// The moves from the earlier occurrence to the present, oldest first.
    pub moves: Vec<MoveReport>,
    /// What each side is guilty of, by colour.
    pub offences: [Offence; 2],
    /// The topic of the manual that it falls under.
    pub topic: &'static Topic,
}

/// What a side does on every one of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offence {
    /// Nothing forbidden.
    None,
    /// It gives check.
    PerpetualCheck,
    /// It newly threatens one and the same piece.
    PerpetualChase(Chase),
    /// Chinese rules: check, kill or chase.
    PerpetualAttack,
}

/// A perpetual chase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chase {
    /// The chased piece.
    pub victim: Piece,
    /// Where it stands at the end.
    pub at: Square,
    /// Slot of the chased piece on the board, as [`Board::slot_on`] numbers them.
    pub slot: usize,
}

impl Repetition {
    fn of(set: RuleSet, fold: Fold, cycle: Cycle, position: &Position) -> Repetition {
        let gain = if set == RuleSet::Chinese { Gain::ByExchange } else { Gain::ByRoots };
        let states = cycle.states();
        let moves: Vec<MoveReport> = states.windows(2).filter_map(|pair| MoveReport::of(&pair[0], &pair[1], gain)).collect();
        let boards: Vec<&Board> = states.iter().map(|state| &state.board).collect();
        let offences = Color::ALL.map(|side| Offence::of(set, side, &moves, &boards));
        let topic = Topic::of(set, &offences, &moves, &boards);
        Repetition { set, fold, first_ply: position.plies() + 1 - moves.len(), moves, offences, topic }
    }

    /// The moves of one side.
    pub fn moves_of(&self, side: Color) -> impl Iterator<Item = &MoveReport> {
        self.moves.iter().filter(move |report| report.piece.color() == side)
    }

    /// The result that follows from the offences: the higher level loses.
    pub fn result(&self) -> GameResult {
        let [red, black] = [Color::Red, Color::Black].map(|side| self.offences[side.index()].level());
        match red.cmp(&black) {
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Greater => GameResult::Loses(Color::Red),
            std::cmp::Ordering::Less => GameResult::Loses(Color::Black),
        }
    }
}

impl Offence {
    /// 2 for checks, 1 for other attacks, 0 for none.
    pub fn level(&self) -> u8 {
        match self {
            Offence::None => 0,
            Offence::PerpetualChase(_) | Offence::PerpetualAttack => 1,
            Offence::PerpetualCheck => 2,
        }
    }

    fn of(set: RuleSet, side: Color, moves: &[MoveReport], boards: &[&Board]) -> Offence {
        let own = || moves.iter().filter(|report| report.piece.color() == side);
        if own().all(|report| report.is(|deed| *deed == Deed::Check)) {
            return Offence::PerpetualCheck;
        }
        match set {
            RuleSet::Simple => Offence::None,
            RuleSet::Chinese if own().all(MoveReport::is_attack) => Offence::PerpetualAttack,
            RuleSet::Chinese => Offence::None,
            RuleSet::World => chased_always(side, moves, boards).map_or(Offence::None, Offence::PerpetualChase),
        }
    }
}

/// The enemy piece that every move of the side chases.
fn chased_always(side: Color, moves: &[MoveReport], boards: &[&Board]) -> Option<Chase> {
    let last = boards.last()?;
    let chases = |slot: usize| {
        moves
            .iter()
            .zip(boards.iter().skip(1))
            .filter(|(report, _)| report.piece.color() == side)
            .all(|(report, after)| report.chases().iter().any(|attack| after.slot_on(attack.at) == Some(slot)))
    };
    let first = (!side).index() * 16;
    let slot = (first..first + 16).find(|&slot| chases(slot))?;
    let at = last.square_of_slot(slot)?;
    Some(Chase { victim: last.piece_on(at)?, at, slot })
}

impl Rules {
    /// The result of the present position with its reasons: mate and stalemate first, which go before every draw, then what
    /// [`Rules::verdict`] says.
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

    /// The result of the game as the present position ends it, mate and stalemate included; none when the game goes on.
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
