//! How the engine answers a draw offer.

use crate::board::{Board, Position};
use crate::endgame::{EndgameResult, Tables};
use crate::search::{Limits, Score};
use crate::types::PieceType;

/// Nodes of the search whose score decides.
const NODES: u64 = 50_000;

/// Full moves after which a game counts as out of the opening.
const OPENING_MOVES: u32 = 15;
/// Pieces, of 32, from which it is still in the opening before that.
const OPENING_PIECES: usize = 28;
/// Plies without a capture after which no progress is expected.
const QUIET_PLIES: u16 = 40;
/// Maximum centipawns at which the engine is not better; the search varies the score of a dead draw by one.
const EQUAL: i32 = 5;
/// Weight of both sides' attackers, see [`force`], up to which a level position is given up as drawn.
const LITTLE_FORCE: u32 = 12;

/// The engine's answer to a draw offer, with its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReply {
    /// Accepts, since the engine is worse.
    Worse,
    /// Accepts a position that the endgame tables know to be drawn.
    Drawn,
    /// Accepts a level position with few attackers.
    LittleForce,
    /// Accepts a level position without a capture for this many full moves.
    Quiet(u16),
    /// Declines, since the engine is better.
    Better,
    /// Declines a level position in the opening.
    TooEarly,
    /// Declines a level position with much left to play for.
    MuchLeft,
}

impl DrawReply {
    /// Advantage, in centipawns, from which a side is better rather than level.
    const ADVANTAGE: i32 = 60;

    /// Whether to accept an offer during a search of the side to move with this score: if it is worse, or not better after the opening, or
    /// has no pieces left to win with.
    pub fn is_welcome(position: &Position, score: Score) -> bool {
        let is_better = match score {
            Score::Centipawns(value) => value > EQUAL,
            Score::Mate(moves) => moves > 0,
        };
        let can_win = position.board().has_attackers(position.side_to_move());
        let is_level = matches!(score, Score::Centipawns(value) if value > -DrawReply::ADVANTAGE);
        let is_too_early = is_level && DrawReply::is_opening(position);
        !can_win || !(is_better || is_too_early)
    }

    /// Whether a level position is too early in the game for a draw.
    fn is_opening(position: &Position) -> bool {
        position.fullmove() <= OPENING_MOVES && position.board().occupied().len() >= OPENING_PIECES
    }

    /// The limits of the search whose score decides.
    pub fn limits() -> Limits {
        Limits { nodes: Some(NODES), ..Limits::none() }
    }

    /// The answer to an offer of the side to move. `score` is that of a search with [`DrawReply::limits`] and these tables, from its view; unlike a
    /// win in a table, it takes the natural limit into account.
    pub fn new(position: &Position, score: Score, tables: Option<&Tables>) -> DrawReply {
        let board = position.board();
        if tables.and_then(|tables| tables.probe(board)).is_some_and(|outcome| outcome.result == EndgameResult::Draw) {
            return DrawReply::Drawn;
        }
        let advantage = match score {
            Score::Centipawns(value) => value.saturating_neg(),
            Score::Mate(moves) if moves > 0 => i32::MIN,
            Score::Mate(_) => i32::MAX,
        };
        match advantage {
            cp if cp <= -DrawReply::ADVANTAGE => DrawReply::Worse,
            cp if cp >= DrawReply::ADVANTAGE => DrawReply::Better,
            _ if DrawReply::is_opening(position) => DrawReply::TooEarly,
            _ if force(board) <= LITTLE_FORCE => DrawReply::LittleForce,
            _ if position.clock() >= QUIET_PLIES => DrawReply::Quiet(position.clock() / 2),
            _ => DrawReply::MuchLeft,
        }
    }

    /// Whether the game ends in a draw.
    pub fn accepts(self) -> bool {
        matches!(self, DrawReply::Worse | DrawReply::Drawn | DrawReply::LittleForce | DrawReply::Quiet(_))
    }

    /// The name of the reason in messages.
    pub fn name(self) -> &'static str {
        match self {
            DrawReply::Worse => "worse",
            DrawReply::Drawn => "drawn",
            DrawReply::LittleForce => "little-force",
            DrawReply::Quiet(_) => "quiet",
            DrawReply::Better => "better",
            DrawReply::TooEarly => "too-early",
            DrawReply::MuchLeft => "much-left",
        }
    }
}

/// The attackers of both sides: a rook counts 4, a horse or cannon 2, a pawn 1; 42 at the start of the game.
fn force(board: &Board) -> u32 {
    let weight = |kind| match kind {
        PieceType::Rook => 4,
        PieceType::Horse | PieceType::Cannon => 2,
        PieceType::Pawn => 1,
        PieceType::King | PieceType::Advisor | PieceType::Elephant => 0,
    };
    board.pieces().map(|(piece, _)| weight(piece.kind())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_phase_decide() {
        let start = Position::startpos();
        let end = Position::from_fen("3k5/9/9/9/9/4p4/9/9/4A4/4K4 w - - 0 50").unwrap();
        let middle = "r1bakabr1/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - ";
        let middle = |clocks: &str| Position::from_fen(&format!("{middle}{clocks}")).unwrap();
        for (position, score, reply) in [
            (&start, Score::Centipawns(0), DrawReply::TooEarly),
            (&start, Score::Centipawns(200), DrawReply::Worse),
            (&end, Score::Centipawns(-10), DrawReply::LittleForce),
            (&end, Score::Centipawns(-70), DrawReply::Better),
            (&end, Score::Mate(-3), DrawReply::Better),
            (&end, Score::Mate(3), DrawReply::Worse),
            (&middle("0 16"), Score::Centipawns(20), DrawReply::MuchLeft),
            (&middle("50 40"), Score::Centipawns(20), DrawReply::Quiet(25)),
        ] {
            assert_eq!(DrawReply::new(position, score, None), reply, "{} {score:?}", position.to_fen());
        }
        assert!(DrawReply::Quiet(25).accepts() && !DrawReply::MuchLeft.accepts());
    }

    #[test]
    fn a_draw_in_the_tables_decides_but_a_win_counts_by_its_score() {
        // The rook draws against full defence. It wins against one advisor less, but only as far as the search sees the win before the natural limit.
        for (fen, score, reply) in [
            ("2bak4/4a4/4b4/9/9/9/9/9/R8/4K4 w - - 0 1", 200, DrawReply::Drawn),
            ("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w - - 0 1", 28_900, DrawReply::Worse),
            ("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w - - 118 90", 0, DrawReply::LittleForce),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(DrawReply::new(&position, Score::Centipawns(score), Some(Tables::builtin())), reply, "{fen}");
        }
    }
}
