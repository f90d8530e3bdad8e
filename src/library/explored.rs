//! The result of exploring a position.

use crate::types::Move;
use serde::Serialize;

/// The moves played from a position, including games that reached its mirror image.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Explored {
    /// Number of games that reach the position.
    pub games: u32,
    /// The moves, most frequent first. A game counts once, with the move from its first visit.
    pub moves: Vec<ExploredMove>,
    /// The latest games, by date and then by number.
    pub latest: Vec<u32>,
}

/// A move with its statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploredMove {
    /// The move, on the given board.
    pub mv: Move,
    /// Statistics of the games with it.
    pub stats: MoveStats,
    /// The latest game with it.
    pub latest: u32,
}

/// Statistics of the games with a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveStats {
    /// Number of games.
    pub games: u32,
    /// Games won by Red.
    pub red_wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games won by Black.
    pub black_wins: u32,
    /// Year of the latest game.
    pub last_year: Option<u32>,
    /// The players who played it most often.
    pub players: Vec<Player>,
}

/// A player with a number of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Player {
    /// The name.
    pub name: String,
    /// Number of games.
    pub games: u32,
}
