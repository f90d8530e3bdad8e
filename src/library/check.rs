//! Integrity check of a library.

use super::add::buckets;
use super::error::{LibraryError, LibraryErrorKind};
use super::index::{BUCKETS, SEGMENT};
use super::line::Line;
use super::store::{LineReader, for_each_line, last_game};
use super::{Library, summary};
use crate::types::counted;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;

/// Maximum number of faults reported.
const MAX_FAULTS: usize = 100;

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Checked {
    /// Number of records, including variants.
    pub games: u32,
    /// Number of segments whose index was compared with their games.
    pub segments: u32,
    /// Files only partially added; adding them again completes them.
    pub incomplete_files: u32,
    /// The faults found, one line each; empty if there are none.
    pub faults: Vec<String>,
}

impl Checked {
    fn fault(&mut self, fault: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault.into());
        }
    }
}

impl Library {
    /// Checks everything: the database pages, every record including the legality of its moves, and the position index. `progress` is called
    /// with the number of each game.
    ///
    /// # Errors
    /// If another process holds the file, or it is too damaged to be checked.
    pub fn check(&self, progress: &mut dyn FnMut(u32)) -> Result<Checked, LibraryError> {
        self.with_path(self.reading(|connection| check(connection, progress)))
    }
}

fn check(connection: &Connection, progress: &mut dyn FnMut(u32)) -> Result<Checked, LibraryErrorKind> {
    let mut checked = Checked::default();
    let mut query = connection.prepare("PRAGMA integrity_check(100)")?;
    for row in query.query_map([], |row| row.get::<_, String>(0))? {
        let row = row?;
        if row != "ok" {
            checked.fault(row.replace('\n', " "));
        }
    }
    if !checked.faults.is_empty() {
        return Ok(checked);
    }
    let last = last_game(connection)?;
    checked.games = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
    if checked.games != last {
        checked.fault(format!("{}, expected {last}", counted(checked.games, "game")));
    }
    checked.incomplete_files = connection.query_row("SELECT count(*) FROM files WHERE complete = 0", [], |row| row.get(0))?;
    let mut next = 1;
    let counted = for_each_line(connection, 1, |game, _| {
        next += (game == next) as u32;
        Ok(())
    });
    match counted {
        Err(problem @ LibraryErrorKind::Damaged(_)) => checked.fault(problem.to_string()),
        Err(problem) => return Err(problem),
        Ok(()) if next != last + 1 => checked.fault(format!("game {next} has no line")),
        Ok(()) => {}
    }
    for game in 1..=last {
        // If the number of the last game is damaged, this limit ends the loop.
        if checked.faults.len() == MAX_FAULTS {
            return Ok(checked);
        }
        progress(game);
        match check_game(connection, game) {
            Ok(()) => {}
            Err(problem @ (LibraryErrorKind::Damaged(_) | LibraryErrorKind::NoGame(..))) => checked.fault(problem.to_string()),
            Err(problem) => return Err(problem),
        }
    }
    let mut lines = LineReader::new(connection);
    for segment in 0..last / SEGMENT {
        checked.segments += 1;
        let games = segment * SEGMENT + 1..=(segment + 1) * SEGMENT;
        let lines: Result<Vec<Vec<u8>>, LibraryErrorKind> = games.map(|game| lines.get(game).map(<[u8]>::to_vec)).collect();
        // Missing lines have been reported above.
        let Ok(lines) = lines else { continue };
        for (number, bucket) in buckets(&lines).into_iter().enumerate() {
            let id = segment * BUCKETS + number as u32;
            let mut query = connection.prepare_cached("SELECT games FROM positions WHERE id = ?1")?;
            let stored: Option<Vec<u8>> = query.query_row([id], |row| row.get(0)).optional()?;
            if stored.as_ref() != Some(&bucket) {
                checked.fault(format!("the positions of segment {segment}, bucket {number}, are not those of its games"));
            }
        }
    }
    Ok(checked)
}

/// Checks that a game can be read, its moves are legal, and its row is consistent.
fn check_game(connection: &Connection, game: u32) -> Result<(), LibraryErrorKind> {
    let record = summary::record(connection, game)?;
    let damaged = |what: String| LibraryErrorKind::damaged(format!("game {game}: {what}"));
    if record.plies() > 0 {
        record.final_position().map_err(|fault| damaged(fault.to_string()))?;
    }
    let mut query = connection.prepare_cached(
        "SELECT line, plies, variant_of, (SELECT count(*) FROM texts WHERE id IN (red, black, event, site, round, opening, tags)),
            (SELECT count(DISTINCT id) FROM (SELECT red AS id UNION SELECT black UNION SELECT event UNION SELECT site UNION SELECT round
                UNION SELECT opening UNION SELECT tags))
         FROM games WHERE id = ?1",
    )?;
    let (hash, plies, variant_of, texts, named): (u32, u32, Option<u32>, u32, u32) =
        query.query_row([game], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    let stored = super::store::line_of(connection, variant_of.unwrap_or(game))?;
    if texts != named {
        return Err(damaged("a name is missing".into()));
    }
    if plies as usize != record.plies() || Line::new(&stored).is_none_or(|line| line.hash() != hash) {
        return Err(damaged("its moves are not those of its row".into()));
    }
    Ok(())
}
