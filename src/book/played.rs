//! Statistics of the games that played a move, as explorers of a library or of opened games show them.

use serde::Serialize;

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
    pub players: Vec<PlayerGames>,
}

/// A player with a number of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerGames {
    /// The name.
    pub name: String,
    /// Number of games.
    pub games: u32,
}
