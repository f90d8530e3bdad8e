//! What the two kinds of book in SQLite files share: opening, lenient numbers, and weights from scores.

use super::{Book, BookError, Obk, Xqb};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, ToSql};
use std::path::Path;

/// An open file that is only read.
#[derive(Debug)]
pub struct Database(Connection);

/// A move of a position as such a file tells of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The move in the form of the file.
    pub mv: i64,
    /// Centipawns or a weight: producers differ.
    pub score: i64,
    /// Games that the mover won.
    pub win: i64,
    /// Games drawn.
    pub draw: i64,
    /// Games lost.
    pub lost: i64,
}

/// Opens a book, told by its tables.
pub fn open(path: &Path) -> Result<Book, BookError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Database(Connection::open_with_flags(path, flags)?);
    let tables = database.tables()?;
    let has = |name: &str| tables.iter().any(|table| table.eq_ignore_ascii_case(name));
    if let Some(table) = ["bhobk", "pfBook"].into_iter().find(|&name| has(name)) {
        Ok(Book::Obk(Obk::new(database, table)))
    } else if has("book") {
        Ok(Book::Xqb(Xqb::new(database)))
    } else {
        Err(BookError::Tables(tables.join(", ")))
    }
}

impl Database {
    fn tables(&self) -> Result<Vec<String>, BookError> {
        let mut statement = self.0.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?;
        let names = statement.query_map([], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// The largest number of a row of a table, which is about how many there are; 0 where rows have no numbers.
    pub fn last_row(&self, table: &str) -> u64 {
        let last = self.0.query_row(&format!("SELECT max(rowid) FROM {table}"), [], |row| row.get::<_, Option<i64>>(0));
        last.ok().flatten().and_then(|last| u64::try_from(last).ok()).unwrap_or(0)
    }

    /// The rows of a query that asks for move, score, wins, draws and losses.
    pub fn rows(&self, query: &str, key: &dyn ToSql) -> Result<Vec<Row>, BookError> {
        let mut statement = self.0.prepare_cached(query)?;
        let rows = statement.query_map([key], |row| {
            // Producers store numbers as text and leave them out.
            let number = |index| {
                Ok::<i64, rusqlite::Error>(match row.get(index)? {
                    Value::Integer(number) => number,
                    Value::Real(number) => number as i64,
                    Value::Text(text) => text.trim().parse().unwrap_or(0),
                    _ => 0,
                })
            };
            Ok(Row { mv: number(0)?, score: number(1)?, win: number(2)?, draw: number(3)?, lost: number(4)? })
        });
        Ok(rows?.collect::<Result<_, _>>()?)
    }

    /// A book made by a script, with these keys for its first rows.
    #[cfg(test)]
    pub fn in_memory(script: &str, keys: &[f64]) -> Database {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(script).unwrap();
        for (index, key) in keys.iter().enumerate() {
            connection.execute("UPDATE bhobk SET vkey = ?1 WHERE id = ?2", (key, index as i64 + 1)).unwrap();
        }
        Database(connection)
    }
}

/// Centipawns that halve the weight of a move.
const HALVING: f64 = 20.0;
/// Weight of the best move where scores are centipawns.
const BEST: f64 = 1000.0;

/// Weights for the moves of a position. Scores that are all positive are taken as weights; where one is negative they are
/// centipawns. Without scores, wins and draws count.
pub fn weights(rows: &[Row]) -> Vec<u32> {
    let best = rows.iter().map(|row| row.score).max().unwrap_or(0);
    let clamped = |number: i64| number.clamp(0, u32::MAX as i64) as u32;
    if rows.iter().any(|row| row.score < 0) {
        let weight = |row: &Row| BEST * (-(best.saturating_sub(row.score) as f64) / HALVING).exp2();
        return rows.iter().map(|row| weight(row) as u32).collect();
    }
    if best > 0 {
        return rows.iter().map(|row| clamped(row.score)).collect();
    }
    let points = |row: &Row| row.win.max(0).saturating_mul(2).saturating_add(row.draw.max(0));
    let is_played = rows.iter().any(|row| points(row) > 0);
    rows.iter().map(|row| if is_played { clamped(points(row)) } else { 1 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_from_what_there_is() {
        let row = |score, win, draw| Row { mv: 0, score, win, draw, lost: 3 };
        assert_eq!(weights(&[row(1473, 1, 0), row(0, 5, 5)]), [1473, 0]);
        assert_eq!(weights(&[row(10, 0, 0), row(-10, 0, 0), row(i64::MIN, 0, 0)]), [1000, 500, 0]);
        assert_eq!(weights(&[row(0, 3, 1), row(0, 0, 2)]), [7, 2]);
        assert_eq!(weights(&[row(0, 0, 0), row(0, 0, 0)]), [1, 1]);
        assert_eq!(weights(&[]), [0u32; 0]);
    }
}
