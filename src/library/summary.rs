//! Access to a game: as a summary for lists, and as a complete record.

use super::Library;
use super::add::BATCH;
use super::details;
use super::error::{LibraryError, LibraryErrorKind};
use super::headers::{Columns, write_date};
use super::line::{Line, result_of_number};
use super::store::{last_game, line_of};
use crate::records::{Record, RecordResult};
use rusqlite::{Connection, OptionalExtension};
use serde::{Serialize, Serializer};
use std::path::PathBuf;

/// A game as shown in lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// Its number, from 1.
    pub game: u32,
    /// The game of which this is a variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant_of: Option<u32>,
    /// The Red player.
    pub red: Option<String>,
    /// The Black player.
    pub black: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// The date, in PGN form.
    pub date: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// The result.
    #[serde(serialize_with = "token")]
    pub result: RecordResult,
    /// Number of plies of the main line.
    pub plies: u32,
    /// The opening, as named by the record or otherwise by the built-in book.
    pub opening: Option<String>,
}

fn token<S: Serializer>(result: &RecordResult, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(result.token())
}

impl Library {
    /// The summary of a game.
    ///
    /// # Errors
    /// If there is no such game, or the file is damaged.
    pub fn summary(&self, game: u32) -> Result<Summary, LibraryError> {
        self.with_path(summary(&self.connection, game))
    }

    /// The record of a game as it was added, without reader warnings.
    ///
    /// # Errors
    /// As [`Library::summary`].
    pub fn record(&self, game: u32) -> Result<Record, LibraryError> {
        self.with_path(record(&self.connection, game))
    }

    /// The files a game came from, as named when they were added, each with the number of the game in it.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn sources(&self, game: u32) -> Result<Vec<(PathBuf, u32)>, LibraryError> {
        self.with_path(sources(&self.connection, game))
    }
}

/// A run never spans transactions, so its length is at most [`BATCH`]; this bounds the index range to search.
const SOURCES: &str = "SELECT path, number + ?1 - game FROM sources JOIN files ON files.id = file
    WHERE game BETWEEN ?1 - ?2 AND ?1 AND game + count > ?1 ORDER BY file, number";

fn sources(connection: &Connection, game: u32) -> Result<Vec<(PathBuf, u32)>, LibraryErrorKind> {
    let mut query = connection.prepare_cached(SOURCES)?;
    let rows = query.query_map([game, BATCH as u32], |row| Ok((PathBuf::from(row.get::<_, String>(0)?), row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Library {
    /// Checks that there is a game with this number.
    ///
    /// # Errors
    /// If there is none, or the file is damaged.
    pub fn check_number(&self, game: u32) -> Result<(), LibraryError> {
        let last = self.len()?;
        let is_game = (1..=last).contains(&game);
        self.with_path(if is_game { Ok(()) } else { Err(LibraryErrorKind::NoGame(game, last)) })
    }
}

/// The error for a missing game.
fn no_game(connection: &Connection, game: u32) -> LibraryErrorKind {
    last_game(connection).map_or_else(|problem| problem, |last| LibraryErrorKind::NoGame(game, last))
}

fn summary(connection: &Connection, game: u32) -> Result<Summary, LibraryErrorKind> {
    let mut query = connection.prepare_cached(
        "SELECT variant_of, (SELECT text FROM texts WHERE id = red), (SELECT text FROM texts WHERE id = black),
            (SELECT text FROM texts WHERE id = event), (SELECT text FROM texts WHERE id = site), date,
            (SELECT text FROM texts WHERE id = round), result, plies, (SELECT text FROM texts WHERE id = opening)
         FROM games WHERE id = ?1",
    )?;
    let found = query.query_row([game], |row| {
        Ok(Summary {
            game,
            variant_of: row.get(0)?,
            red: row.get(1)?,
            black: row.get(2)?,
            event: row.get(3)?,
            site: row.get(4)?,
            date: row.get::<_, Option<u32>>(5)?.map(write_date),
            round: row.get(6)?,
            result: result_of_number(row.get(7)?),
            plies: row.get(8)?,
            opening: row.get(9)?,
        })
    });
    found.optional()?.ok_or_else(|| no_game(connection, game))
}

/// Reads the record of a game.
pub(super) fn record(connection: &Connection, game: u32) -> Result<Record, LibraryErrorKind> {
    let mut query = connection.prepare_cached(
        "SELECT variant_of, (SELECT text FROM texts WHERE id = event), (SELECT text FROM texts WHERE id = site),
            (SELECT text FROM texts WHERE id = round), (SELECT text FROM texts WHERE id = red), (SELECT text FROM texts WHERE id = black),
            date, (SELECT text FROM texts WHERE id = tags), result, details
         FROM games WHERE id = ?1",
    )?;
    let found = query.query_row([game], |row| {
        let texts = [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
        let columns = Columns { texts, date: row.get(6)?, tags: row.get(7)? };
        Ok((row.get::<_, Option<u32>>(0)?, columns, row.get::<_, u8>(8)?, row.get::<_, Option<Vec<u8>>>(9)?))
    });
    let (variant_of, columns, result, blob) = found.optional()?.ok_or_else(|| no_game(connection, game))?;
    let damaged = || LibraryErrorKind::damaged(format!("game {game}"));
    let line = line_of(connection, variant_of.unwrap_or(game))?;
    let line = Line::new(&line).filter(|line| !line.is_variant()).ok_or_else(damaged)?;
    let (start, moves) = line.moves().ok_or_else(damaged)?;
    let (values, mut record) = details::decode(blob.as_deref(), start, &moves).ok_or_else(damaged)?;
    columns.restore(values, &mut record).ok_or_else(damaged)?;
    record.result = result_of_number(result);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_a_game_are_found_by_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::create_or_open(&folder.path().join("library.chuhe")).unwrap();
        let mut plan = library.connection.prepare(&format!("EXPLAIN QUERY PLAN {SOURCES}")).unwrap();
        let steps = plan.query_map([1, BATCH as u32], |row| row.get::<_, String>(3)).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        assert!(steps.iter().any(|step| step.contains("sources_by_game")), "{steps:?}");
    }
}
