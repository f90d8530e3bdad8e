//! What was played from a position.

use crate::types::Move;
use serde::Serialize;

/// What was played from a position, games with the mirror image counted too.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Explored {
    /// Games that reach the position.
    pub games: u32,
    /// The moves, the most frequent first. A game counts once, with the move from its first visit.
    pub moves: Vec<ExploredMove>,
    /// The latest games, by date and then by number.
    pub latest: Vec<u32>,
}

/// A move and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploredMove {
    /// The move, as on the board that was asked about.
    pub mv: Move,
    /// The games with it.
    pub stats: MoveStats,
    /// The latest game with it.
    pub latest: u32,
}

/// The games with a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveStats {
    /// How many there are.
    pub games: u32,
    /// Of these: won by Red.
    pub red_wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by Black.
    pub black_wins: u32,
    /// The year of the latest one.
    pub last_year: Option<u32>,
    /// Who played it most often.
    pub players: Vec<Player>,
}

/// A player, and how often.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Player {
    /// The name.
    pub name: String,
    /// Games.
    pub games: u32,
}
