//! What the engine says to an offer of a draw.

use crate::board::{Board, Position};
use crate::search::Score;
use crate::types::{Color, PieceType};
use std::fmt;

/// Centipawns by which a side has to stand better before anybody would say so.
const ADVANTAGE: i32 = 60;
/// Rounds in which a game that began with all pieces has hardly begun.
const OPENING_ROUNDS: u32 = 15;
/// Pieces, of 32, that stand as long as it is an opening.
const OPENING_PIECES: usize = 28;
/// Plies without a capture after which nothing more is expected.
const QUIET_PLIES: u16 = 40;
/// The force of both sides together from which on little is left to win with: a chariot is 4, a horse or cannon 2, a pawn 1, of
/// 42 at the start.
const LITTLE_FORCE: u32 = 12;

/// The engine's answer, with its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Accepts, since it stands worse.
    Worse,
    /// Accepts a level position with little force left.
    LittleForce,
    /// Accepts a level position in which nothing has been taken for this many rounds.
    Quiet(u16),
    /// Declines, since it stands better.
    Better,
    /// Declines a level position in the opening.
    TooEarly,
    /// Declines a level position with much to play for.
    MuchLeft,
}

impl Answer {
    /// Weighs an offer; the score is from the engine's view.
    pub fn new(position: &Position, score: Score) -> Answer {
        let board = position.board();
        let centipawns = match score {
            Score::Centipawns(value) => value,
            Score::Mate(moves) if moves > 0 => i32::MAX,
            Score::Mate(_) => i32::MIN,
        };
        let is_opening = position.fullmove() <= OPENING_ROUNDS && board.occupied().len() >= OPENING_PIECES;
        match centipawns {
            cp if cp <= -ADVANTAGE => Answer::Worse,
            cp if cp >= ADVANTAGE => Answer::Better,
            _ if is_opening => Answer::TooEarly,
            _ if force(board) <= LITTLE_FORCE => Answer::LittleForce,
            _ if position.clock() >= QUIET_PLIES => Answer::Quiet(position.clock() / 2),
            _ => Answer::MuchLeft,
        }
    }

    /// Whether the game is drawn.
    pub fn accepts(self) -> bool {
        matches!(self, Answer::Worse | Answer::LittleForce | Answer::Quiet(_))
    }

    /// The answer as a sentence about the engine's side.
    pub fn text(self, engine: Color) -> impl fmt::Display {
        let side = super::name(engine);
        let reason = match self {
            Answer::Worse => format!("{side} stands worse"),
            Answer::LittleForce => "the position is level, and little is left to win with".to_string(),
            Answer::Quiet(rounds) => format!("the position is level, and nothing was taken in {rounds} rounds"),
            Answer::Better => format!("{side} stands better"),
            Answer::TooEarly => "the game has only begun".to_string(),
            Answer::MuchLeft => "the position is level, but much is left to play for".to_string(),
        };
        format!("{side} {} the draw: {reason}.", if self.accepts() { "accepts" } else { "declines" })
    }
}

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
        for (position, score, answer) in [
            (&start, Score::Centipawns(0), Answer::TooEarly),
            (&start, Score::Centipawns(-200), Answer::Worse),
            (&end, Score::Centipawns(10), Answer::LittleForce),
            (&end, Score::Centipawns(70), Answer::Better),
            (&end, Score::Mate(3), Answer::Better),
            (&end, Score::Mate(-3), Answer::Worse),
            (&middle("0 16"), Score::Centipawns(-20), Answer::MuchLeft),
            (&middle("50 40"), Score::Centipawns(-20), Answer::Quiet(25)),
        ] {
            assert_eq!(Answer::new(position, score), answer, "{} {score:?}", position.to_fen());
        }
        assert_eq!(Answer::Better.text(Color::Black).to_string(), "Black declines the draw: Black stands better.");
        assert!(Answer::Quiet(25).text(Color::Red).to_string().starts_with("Red accepts the draw: the position is level"));
    }
}
