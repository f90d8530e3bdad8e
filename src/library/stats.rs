//! Statistics of a library.

use super::Library;
use super::error::{LibraryError, LibraryErrorKind};
use super::line::result_of_number;
use crate::records::player_name;
use rusqlite::Connection;
use serde::Serialize;
use std::collections::HashMap;

/// Statistics of a library. Except in `variants`, variants are not counted separately from their game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Stats {
    /// Games with different moves.
    pub games: u32,
    /// Further records of games, with other names, comments or result.
    pub variants: u32,
    /// Total plies of the main lines.
    pub plies: u64,
    /// Files added.
    pub files: u32,
    /// Size of the library in bytes.
    pub bytes: u64,
    /// Games won by Red.
    pub red_wins: u32,
    /// Games won by Black.
    pub black_wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games without a result.
    pub unknown: u32,
    /// The first and the last year.
    pub years: Option<(u32, u32)>,
    /// Total number of players.
    pub all_players: usize,
    /// Total number of openings.
    pub all_openings: usize,
    /// The players with most games.
    pub players: Vec<PlayerStats>,
    /// The most frequent openings.
    pub openings: Vec<OpeningStats>,
}

/// Statistics of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerStats {
    /// The name.
    pub name: String,
    /// Games with either colour.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// Statistics of an opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningStats {
    /// The name.
    pub name: String,
    /// Number of games.
    pub games: u32,
    /// Games won by Red.
    pub red_wins: u32,
    /// Games won by Black.
    pub black_wins: u32,
    /// Games drawn.
    pub draws: u32,
}

impl Library {
    /// Computes statistics, listing at most `limit` players and openings.
    ///
    /// # Errors
    /// If the file is damaged, or another process holds it.
    pub fn stats(&self, limit: usize) -> Result<Stats, LibraryError> {
        self.with_path(self.reading(|connection| stats(connection, limit)))
    }
}

fn stats(connection: &Connection, limit: usize) -> Result<Stats, LibraryErrorKind> {
    let number = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0)).map_err(LibraryErrorKind::from);
    let mut stats = Stats {
        files: number("SELECT count(*) FROM files")? as u32,
        bytes: number("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")? as u64,
        ..Stats::default()
    };
    // Counts: games, then wins and losses of the player (for openings: of Red and of Black), then draws.
    let mut players: HashMap<u32, [u32; 4]> = HashMap::new();
    let mut openings: HashMap<u32, [u32; 4]> = HashMap::new();
    let mut query = connection.prepare("SELECT variant_of, red, black, opening, date, result, plies FROM games")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        if row.get::<_, Option<u32>>(0)?.is_some() {
            stats.variants += 1;
            continue;
        }
        stats.games += 1;
        stats.plies += u64::from(row.get::<_, u32>(6)?);
        let year = row.get::<_, Option<u32>>(4)?.unwrap_or(0) / 10_000;
        if year > 0 {
            stats.years = Some(stats.years.map_or((year, year), |(first, last)| (first.min(year), last.max(year))));
        }
        // Index into the counts: 1 for Red, 2 for Black, 3 for a draw.
        let index = result_of_number(row.get(5)?) as usize;
        *[&mut stats.unknown, &mut stats.red_wins, &mut stats.black_wins, &mut stats.draws][index] += 1;
        let count = |counts: &mut HashMap<u32, [u32; 4]>, name: Option<u32>, index: usize| {
            if let Some(name) = name {
                let counts = counts.entry(name).or_default();
                counts[0] += 1;
                if index > 0 {
                    counts[index] += 1;
                }
            }
        };
        count(&mut players, row.get(1)?, index);
        // For the Black player, wins and losses are swapped.
        count(&mut players, row.get(2)?, [0, 2, 1, 3][index]);
        count(&mut openings, row.get(3)?, index);
    }
    let players = named(connection, players, |name| player_name(&name))?;
    let openings = named(connection, openings, Some)?;
    (stats.all_players, stats.all_openings) = (players.len(), openings.len());
    for (name, [games, wins, losses, draws]) in first(players, limit) {
        stats.players.push(PlayerStats { name, games, wins, draws, losses });
    }
    for (name, [games, red_wins, black_wins, draws]) in first(openings, limit) {
        stats.openings.push(OpeningStats { name, games, red_wins, black_wins, draws });
    }
    Ok(stats)
}

/// The counts by name instead of text id; texts with the same name are added up.
fn named(
    connection: &Connection,
    counts: HashMap<u32, [u32; 4]>,
    name_of: impl Fn(String) -> Option<String>,
) -> Result<HashMap<String, [u32; 4]>, LibraryErrorKind> {
    let mut query = connection.prepare_cached("SELECT text FROM texts WHERE id = ?1")?;
    let mut named: HashMap<String, [u32; 4]> = HashMap::new();
    for (id, counts) in counts {
        if let Some(name) = name_of(query.query_row([id], |row| row.get(0))?) {
            named.entry(name).or_default().iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    Ok(named)
}

/// The `limit` names with most games.
fn first(counts: HashMap<String, [u32; 4]>, limit: usize) -> Vec<(String, [u32; 4])> {
    let mut counts: Vec<(String, [u32; 4])> = counts.into_iter().collect();
    counts.sort_unstable_by(|(name, counts), (other, others)| others[0].cmp(&counts[0]).then_with(|| name.cmp(other)));
    counts.truncate(limit);
    counts
}
