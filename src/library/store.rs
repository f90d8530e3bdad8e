//! The database file of a library: opening, schema, and access to lines.

use super::error::{LibraryError, LibraryErrorKind};
use super::line::{self, Line, PACK};
use super::{APPLICATION, MAX_GAMES, VERSION};
use crate::system::named_file;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Page size in bytes; several packs of lines fit in a page.
const PAGE: u32 = 8192;
/// Page cache in KiB, so that a batch is seldom written before it is complete.
const CACHE: i64 = 64 << 10;

/// `texts`: interned strings. `games`: one row per record; names are text ids. `tail`: lines not packed yet. `packs`: lines of eight games
/// each. `positions`: index buckets of segments, see `index.rs`. `files`, `sources`: the files read, and which games of a file became which
/// games of the library (runs of `count`).
const SCHEMA: &str = "
    CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE games(id INTEGER PRIMARY KEY, line INTEGER NOT NULL, variant_of INTEGER, red INTEGER, black INTEGER, event INTEGER,
        site INTEGER, date INTEGER, round INTEGER, result INTEGER NOT NULL, plies INTEGER NOT NULL, opening INTEGER, tags INTEGER,
        details BLOB);
    CREATE INDEX games_by_line ON games(line);
    CREATE TABLE tail(id INTEGER PRIMARY KEY, line BLOB NOT NULL);
    CREATE TABLE packs(id INTEGER PRIMARY KEY, lines BLOB NOT NULL);
    CREATE TABLE positions(id INTEGER PRIMARY KEY, games BLOB NOT NULL);
    CREATE TABLE files(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, path TEXT NOT NULL, games INTEGER NOT NULL,
        complete INTEGER NOT NULL);
    CREATE TABLE sources(file INTEGER NOT NULL, number INTEGER NOT NULL, game INTEGER NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY(file, number)) WITHOUT ROWID;
    CREATE INDEX sources_by_game ON sources(game);
";

/// A game library in a file.
///
/// Every change is a transaction: a killed process leaves only complete batches, and several processes may add concurrently.
///
/// ```no_run
/// use chuhe::library::{AddOptions, Library, Query};
/// use std::path::Path;
///
/// let mut library = Library::create_or_open(Path::new("games.chuhe"))?;
/// library.add(&["games.pgn".into()], AddOptions::default(), &mut |_| {})?;
/// for hit in library.search(&Query { players: vec!["胡荣华".into()], ..Query::default() })? {
///     println!("{}", library.summary(hit.game)?.red.unwrap_or_default());
/// }
/// # Ok::<(), chuhe::library::LibraryError>(())
/// ```
#[derive(Debug)]
pub struct Library {
    pub(super) connection: Connection,
    path: PathBuf,
}

impl Library {
    /// Opens an existing library.
    ///
    /// # Errors
    /// If it does not exist, or the file is not a library, is damaged, or of a later version.
    pub fn open(path: &Path) -> Result<Library, LibraryError> {
        // A file in a folder that may not be searched may exist.
        if path.try_exists().is_ok_and(|exists| !exists) {
            return Err(LibraryError::new(path, LibraryErrorKind::Missing));
        }
        Library::open_with(path, OpenFlags::empty())
    }

    /// Opens a library, or creates it if there is no file.
    ///
    /// # Errors
    /// As [`Library::open`], or if the file cannot be created.
    pub fn create_or_open(path: &Path) -> Result<Library, LibraryError> {
        Library::open_with(path, OpenFlags::SQLITE_OPEN_CREATE)
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Library, LibraryError> {
        Library::connect(path, flags).map_err(|problem| LibraryError::new(path, problem))
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Library, LibraryErrorKind> {
        if path.exists() && !path.is_file() {
            return Err(LibraryErrorKind::NoFile);
        }
        let file = &named_file(path);
        let is_new = flags.contains(OpenFlags::SQLITE_OPEN_CREATE);
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        // A library on a read-only medium can still be searched.
        let connection = match Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_READ_WRITE) {
            Err(_) if !is_new => Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_READ_ONLY),
            opened => opened,
        };
        let is_folder_missing = || path.parent().is_some_and(|folder| folder != Path::new("") && !folder.exists());
        let connection = connection.map_err(|error| match error.sqlite_error_code() {
            // A file that may only be read is opened all the same.
            Some(rusqlite::ErrorCode::CannotOpen) if path.try_exists().unwrap_or(true) => LibraryErrorKind::Unreadable,
            Some(rusqlite::ErrorCode::CannotOpen) if is_folder_missing() => LibraryErrorKind::NoFolder,
            Some(rusqlite::ErrorCode::CannotOpen) => LibraryErrorKind::ReadOnly,
            _ => error.into(),
        })?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "cache_size", -CACHE)?;
        let mut library = Library { connection, path: path.to_path_buf() };
        if is_new {
            library.prepare()?;
        }
        match library.pragma("application_id")? {
            APPLICATION => {}
            _ => return Err(LibraryErrorKind::Foreign),
        }
        match library.pragma("user_version")? {
            version if version <= VERSION => Ok(library),
            version => Err(LibraryErrorKind::Version(version)),
        }
    }

    fn pragma(&self, name: &str) -> Result<i64, LibraryErrorKind> {
        Ok(self.connection.pragma_query_value(None, name, |row| row.get(0))?)
    }

    /// Creates the tables if the file is empty.
    fn prepare(&mut self) -> Result<(), LibraryErrorKind> {
        // An existing library is not locked: it may be read-only, or another process may be adding games.
        if count_tables(&self.connection)? > 0 {
            return Ok(());
        }
        self.connection.pragma_update(None, "page_size", PAGE)?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Again, since another process may have created them meanwhile.
        let tables = count_tables(&transaction)?;
        let is_own: i64 = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if tables == 0 && is_own == 0 {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        Ok(transaction.commit()?)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the path to an error.
    pub(super) fn with_path<T>(&self, result: Result<T, LibraryErrorKind>) -> Result<T, LibraryError> {
        result.map_err(|problem| LibraryError::new(&self.path, problem))
    }

    /// The number of games, including variants. They are numbered from 1.
    ///
    /// # Errors
    /// If the file is damaged or another process holds it.
    pub fn len(&self) -> Result<u32, LibraryError> {
        self.with_path(last_game(&self.connection))
    }

    /// Whether there are no games.
    ///
    /// # Errors
    /// As [`Library::len`].
    pub fn is_empty(&self) -> Result<bool, LibraryError> {
        Ok(self.len()? == 0)
    }
}

fn count_tables(connection: &Connection) -> Result<i64, LibraryErrorKind> {
    Ok(connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?)
}

/// The number of the last game; 0 if there is none.
pub(super) fn last_game(connection: &Connection) -> Result<u32, LibraryErrorKind> {
    let last = connection.prepare_cached("SELECT coalesce(max(id), 0) FROM games")?.query_row([], |row| row.get(0))?;
    // Limits the size of lists of all games, whatever a damaged file contains.
    if last > MAX_GAMES { Err(LibraryErrorKind::damaged(format!("game {last}, expected at most {MAX_GAMES}"))) } else { Ok(last) }
}

/// The stored line of a game.
pub(super) fn line_of(connection: &Connection, game: u32) -> Result<Vec<u8>, LibraryErrorKind> {
    let mut lines = LineReader::new(connection);
    lines.get(game).map(<[u8]>::to_vec)
}

/// Reads lines of individual games, caching the pack shared by neighbours.
pub(super) struct LineReader<'a> {
    connection: &'a Connection,
    pack: Option<u32>,
    bytes: Vec<u8>,
    line: Vec<u8>,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(connection: &'a Connection) -> LineReader<'a> {
        LineReader { connection, pack: None, bytes: Vec::new(), line: Vec::new() }
    }

    /// The stored line of a game.
    pub(super) fn get(&mut self, game: u32) -> Result<&[u8], LibraryErrorKind> {
        let missing = || LibraryErrorKind::damaged(format!("game {game} has no line"));
        let pack = game.checked_sub(1).ok_or_else(missing)? / PACK;
        if self.pack != Some(pack) {
            let mut query = self.connection.prepare_cached("SELECT lines FROM packs WHERE id = ?1")?;
            self.bytes.clear();
            let mut rows = query.query([pack])?;
            match rows.next()? {
                Some(row) => {
                    self.bytes.extend_from_slice(row.get_ref(0)?.as_blob().map_err(|_| missing())?);
                    self.pack = Some(pack);
                }
                None => {
                    self.pack = None;
                    let mut query = self.connection.prepare_cached("SELECT line FROM tail WHERE id = ?1")?;
                    self.line = query.query_row([game], |row| row.get(0)).optional()?.ok_or_else(missing)?;
                    return Line::new(&self.line).map(|_| self.line.as_slice()).ok_or_else(missing);
                }
            }
        }
        let line = line::unpack(&self.bytes).nth(((game - 1) % PACK) as usize).ok_or_else(missing)?;
        Ok(line.bytes())
    }
}

/// Calls `visit` with every game and its line, in order, starting at game `first`.
pub(super) fn for_each_line(
    connection: &Connection,
    first: u32,
    mut visit: impl FnMut(u32, Line<'_>) -> Result<(), LibraryErrorKind>,
) -> Result<(), LibraryErrorKind> {
    let first = first.max(1);
    let mut query = connection.prepare_cached("SELECT id, lines FROM packs WHERE id >= ?1 ORDER BY id")?;
    let mut rows = query.query([(first - 1) / PACK])?;
    while let Some(row) = rows.next()? {
        let id: u32 = row.get(0)?;
        let before = u64::from(id) * u64::from(PACK);
        let damaged = || LibraryErrorKind::damaged(format!("the lines of games {} to {}", before + 1, before + u64::from(PACK)));
        let bytes = row.get_ref(1)?.as_blob().map_err(|_| damaged())?;
        let mut count = 0;
        for line in line::unpack(bytes) {
            count += 1;
            let game = id.checked_mul(PACK).and_then(|before| before.checked_add(count)).ok_or_else(damaged)?;
            if game >= first {
                visit(game, line)?;
            }
        }
        if count != PACK {
            return Err(damaged());
        }
    }
    let mut query = connection.prepare_cached("SELECT id, line FROM tail WHERE id >= ?1 ORDER BY id")?;
    let mut rows = query.query([first])?;
    while let Some(row) = rows.next()? {
        let game = row.get(0)?;
        let damaged = || LibraryErrorKind::damaged(format!("the line of game {game}"));
        visit(game, row.get_ref(1)?.as_blob().ok().and_then(Line::new).ok_or_else(damaged)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_an_existing_library_does_not_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.chuhe");
        Library::create_or_open(&path).unwrap();
        let writer = Connection::open(&path).unwrap();
        // No other process can write now, as if the file were read-only.
        writer.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(Library::create_or_open(&path).unwrap().is_empty().unwrap());
    }
}
