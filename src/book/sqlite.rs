//! Common code of the two SQLite book formats: reading, writing and editing tables, lenient numbers, and weights from scores.

use super::BookError;
use crate::system::{TemporaryFile, named_file};
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An open database and its file.
#[derive(Debug)]
pub struct Database(Connection, PathBuf);

/// A row of a book table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The encoded move.
    pub mv: i64,
    /// Centipawns or a weight, depending on the program that wrote it.
    pub score: i64,
    /// Games won by the mover.
    pub win: i64,
    /// Games drawn.
    pub draw: i64,
    /// Games lost by the mover.
    pub lost: i64,
}

/// A new book in a temporary file.
pub(super) struct NewDatabase {
    connection: Connection,
    file: TemporaryFile,
}

impl NewDatabase {
    /// Creates a database with this schema.
    pub(super) fn new(schema: &str) -> Result<NewDatabase, BookError> {
        let file = TemporaryFile::create()?;
        let connection = Connection::open(file.path())?;
        // Safe, because the file is private and discarded on failure.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
        connection.execute_batch(schema)?;
        connection.execute_batch("BEGIN")?;
        Ok(NewDatabase { connection, file })
    }

    /// Adds a row with a statement that takes key, move and score.
    pub(super) fn insert(&mut self, statement: &str, key: &dyn ToSql, mv: i64, score: u32) -> Result<(), BookError> {
        self.connection.prepare_cached(statement)?.execute(params![key, mv, score])?;
        Ok(())
    }

    /// Runs a final statement and returns the contents of the file.
    pub(super) fn finish(self, last: &str) -> Result<Vec<u8>, BookError> {
        self.connection.execute_batch("COMMIT")?;
        self.connection.execute_batch(last)?;
        self.connection.close().map_err(|(_, error)| error)?;
        Ok(std::fs::read(self.file.path())?)
    }
}

/// Empties the log next to a book before another file replaces the book: SQLite would apply the log to that file too, which damages
/// it. The changes in a write-ahead log are moved into the book; those of a program that was killed while it wrote are undone.
pub(super) fn settle(path: &Path) -> Result<(), BookError> {
    // SQLite names a log after the file itself rather than after a link to it.
    let found = path.canonicalize();
    let file = found.as_deref().unwrap_or(path);
    let logs = ["-wal", "-journal"].map(|ending| {
        let mut log = file.as_os_str().to_os_string();
        log.push(ending);
        PathBuf::from(log)
    });
    // A journal that SQLite keeps for the next transaction begins with zeros.
    let has_changes = || {
        logs.iter().any(|log| {
            let mut first = [0];
            File::open(log).and_then(|mut log| log.read_exact(&mut first)).is_ok() && first != [0]
        })
    };
    if !has_changes() {
        return Ok(());
    }
    if found.is_err() {
        return Err(BookError::Compile("the log of a book that is missing lies next to it, expected it to be removed".into()));
    }
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Reading the file undoes unfinished changes, and leaving the mode removes a write-ahead log. It fails while another program has
    // the book open.
    connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)?;
    if has_changes() {
        return Err(BookError::Compile("a log with changes lies next to it, expected no other program to use it".into()));
    }
    Ok(())
}

/// A table of moves, with the names of its columns: key, move, score, wins, draws, losses, and validity.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) name: &'a str,
    pub(super) columns: [&'a str; 7],
}

/// A copy of a book in a temporary file, made by SQLite rather than from the bytes, because a journal may contain further changes.
pub(super) fn copied(path: &Path) -> Result<TemporaryFile, BookError> {
    let copy = TemporaryFile::create()?;
    let Database(connection, _) = Database::open(path)?;
    connection.execute("VACUUM INTO ?1", params![copy.path().to_string_lossy()])?;
    Ok(copy)
}

/// A change of a move in the rows of some keys.
pub(super) struct Edit<'a> {
    pub(super) table: Table<'a>,
    pub(super) keys: Vec<Value>,
    /// The encoded move.
    pub(super) mv: i64,
    /// Its new weight; none to remove it.
    pub(super) weight: Option<u32>,
}

/// A step of an edit in the rows of one key.
type Step = fn(&Database, &Edit<'_>, &Value) -> Result<(), BookError>;

/// Gives moves of a position weights, or removes them. Removed moves remain in the file as invalid rows, as in the programs that edit such
/// books.
pub(super) fn edit(path: &Path, edits: &[Edit<'_>]) -> Result<(), BookError> {
    let database = Database(Connection::open(named_file(path))?, path.to_path_buf());
    // Each step is done for all moves before the next one: one change may take the last move that is played, and another may add one.
    let steps: [Step; 3] = [store_weights, edit_rows, check_played];
    for step in steps {
        for edit in edits {
            edit.keys.iter().try_for_each(|key| step(&database, edit, key))?;
        }
    }
    database.0.close().map_err(|(_, error)| error.into())
}

/// Stores weights that are derived from game results as scores, so that moves that are not changed keep theirs.
fn store_weights(database: &Database, edit: &Edit<'_>, key: &Value) -> Result<(), BookError> {
    let Table { name, columns: [key_name, mv_name, score, win, draw, lost, valid] } = edit.table;
    let of_position = format!("{key_name} = ?1 AND {valid} = 1");
    let query = format!("SELECT {mv_name}, {score}, {win}, {draw}, {lost} FROM {name} WHERE {of_position}");
    let rows = database.rows(&query, key)?;
    if rows.iter().any(|row| row.score < 0) {
        return Err(BookError::Compile("the scores of this position are centipawns, expected weights".into()));
    }
    if rows.iter().all(|row| row.score == 0) {
        for (row, weight) in rows.iter().zip(weights(&rows)) {
            let set = format!("UPDATE {name} SET {score} = ?3 WHERE {of_position} AND {mv_name} = ?2");
            database.0.execute(&set, params![key, row.mv, weight])?;
        }
    }
    Ok(())
}

/// Changes the rows of a key: those with the move get the weight, or are marked invalid.
fn edit_rows(database: &Database, edit: &Edit<'_>, key: &Value) -> Result<(), BookError> {
    let Table { name, columns: [key_name, mv_name, score, win, draw, lost, valid] } = edit.table;
    let (connection, mv) = (&database.0, edit.mv);
    let of_move = format!("{key_name} = ?1 AND {mv_name} = ?2");
    match edit.weight {
        None => {
            connection.execute(&format!("UPDATE {name} SET {valid} = 0 WHERE {of_move}"), params![key, mv])?;
        }
        Some(weight) => {
            let set = format!("UPDATE {name} SET {score} = ?3, {valid} = 1 WHERE {of_move}");
            let changed = connection.execute(&set, params![key, mv, weight])?;
            if changed == 0 {
                // Other programs may not expect results without a value.
                let columns = [key_name, mv_name, score, win, draw, lost, valid].join(", ");
                let insert = format!("INSERT INTO {name} ({columns}) VALUES (?1, ?2, ?3, 0, 0, 0, 1)");
                connection.execute(&insert, params![key, mv, weight])?;
            }
        }
    }
    Ok(())
}

/// Checks that a position without moves that are played has no moves.
fn check_played(database: &Database, edit: &Edit<'_>, key: &Value) -> Result<(), BookError> {
    let Table { name, columns: [key_name, _, score, _, _, _, valid] } = edit.table;
    let highest: i64 = database.0.query_row(
        &format!("SELECT coalesce(max({score}), 1) FROM {name} WHERE {key_name} = ?1 AND {valid} = 1"),
        params![key],
        |row| Ok(number(row.get(0)?)),
    )?;
    match highest {
        0 => Err(BookError::Compile("no move of the position would be played, which this format cannot represent".into())),
        _ => Ok(()),
    }
}

/// Converts a number, which some programs store as text or omit.
fn number(value: Value) -> i64 {
    match value {
        Value::Integer(number) => number,
        Value::Real(number) => number as i64,
        Value::Text(text) => text.trim().parse().unwrap_or(0),
        _ => 0,
    }
}

impl Database {
    /// Opens a file for reading.
    pub(super) fn open(path: &Path) -> Result<Database, BookError> {
        let opened = |flags: OpenFlags| Connection::open_with_flags(named_file(path), flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let read = |connection: &Connection| connection.query_row("PRAGMA schema_version", [], |_| Ok(()));
        let mut connection = opened(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // A program that was killed while it wrote leaves a journal, with which only a connection that may write restores the book.
        if read(&connection).is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::ReadOnly)) {
            read(&opened(OpenFlags::SQLITE_OPEN_READ_WRITE)?)?;
            connection = opened(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        }
        Ok(Database(connection, path.to_path_buf()))
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.1
    }

    /// Limits the time for which a query waits for another program.
    pub(super) fn wait_at_most(&self, time: Duration) -> Result<(), BookError> {
        Ok(self.0.busy_timeout(time)?)
    }

    /// The names of the tables.
    pub(super) fn tables(&self) -> Result<Vec<String>, BookError> {
        let mut statement = self.0.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?;
        let names = statement.query_map([], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// The largest rowid of a table, which approximates the number of rows; 0 if it has no rowids.
    pub fn last_row(&self, table: &str) -> u64 {
        let last = self.0.query_row(&format!("SELECT max(rowid) FROM {table}"), [], |row| row.get::<_, Option<i64>>(0));
        last.ok().flatten().and_then(|last| u64::try_from(last).ok()).unwrap_or(0)
    }

    /// Makes looking up every position quick where the file has no index of its keys, as some old books: without one each lookup reads the
    /// entire table. The copy lies in SQLite's temporary file, and queries by the name of the table find it first.
    pub(super) fn index(&self, table: &str, key: &str) -> Result<(), BookError> {
        let query = "SELECT 1 FROM pragma_index_list(?1, 'main') AS list, pragma_index_info(list.name, 'main') AS info \
            WHERE info.seqno = 0 AND info.name = ?2 COLLATE NOCASE";
        if !self.0.prepare(query)?.exists([table, key])? {
            self.0.execute_batch(&format!(
                "DROP TABLE IF EXISTS temp.{table}; CREATE TEMP TABLE {table} AS SELECT * FROM main.{table}; \
                 CREATE INDEX temp.chuhe_keys ON {table} ({key});"
            ))?;
        }
        Ok(())
    }

    /// Runs a query for keys. `number` converts a key; keys without a number, which no position has, are ignored.
    pub fn keys(&self, query: &str, number: fn(Value) -> Option<u64>) -> Result<HashSet<u64>, BookError> {
        let mut statement = self.0.prepare(query)?;
        let keys = statement.query_map([], |row| Ok(number(row.get(0)?)))?;
        Ok(keys.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }

    /// Runs a query for move, score, wins, draws and losses.
    pub fn rows(&self, query: &str, key: &dyn ToSql) -> Result<Vec<Row>, BookError> {
        let mut statement = self.0.prepare_cached(query)?;
        let rows = statement.query_map([key], |row| {
            let number = |index| Ok::<i64, rusqlite::Error>(number(row.get(index)?));
            Ok(Row { mv: number(0)?, score: number(1)?, win: number(2)?, draw: number(3)?, lost: number(4)? })
        });
        Ok(rows?.collect::<Result<_, _>>()?)
    }

    /// A book created by a script, with these keys for its first rows.
    #[cfg(test)]
    pub fn in_memory(script: &str, keys: &[f64]) -> Database {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(script).unwrap();
        for (index, key) in keys.iter().enumerate() {
            connection.execute("UPDATE bhobk SET vkey = ?1 WHERE id = ?2", (key, index as i64 + 1)).unwrap();
        }
        Database(connection, PathBuf::new())
    }
}

/// Centipawns below the best move that halve the weight.
const HALVING: f64 = 20.0;
/// Weight of the best move if scores are centipawns.
const BEST: f64 = 1000.0;

/// Weights for the moves of a position. If no score is negative, scores are interpreted as weights, otherwise as centipawns. If all scores
/// are 0, weights are computed from wins and draws.
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
    fn weights_from_scores_or_results() {
        let row = |score, win, draw| Row { mv: 0, score, win, draw, lost: 3 };
        assert_eq!(weights(&[row(1473, 1, 0), row(0, 5, 5)]), [1473, 0]);
        assert_eq!(weights(&[row(10, 0, 0), row(-10, 0, 0), row(i64::MIN, 0, 0)]), [1000, 500, 0]);
        assert_eq!(weights(&[row(0, 3, 1), row(0, 0, 2)]), [7, 2]);
        assert_eq!(weights(&[row(0, 0, 0), row(0, 0, 0)]), [1, 1]);
        assert_eq!(weights(&[]), [0u32; 0]);
    }
}
