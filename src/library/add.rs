//! Adding records: one thread reads files and prepares their games, the caller's thread stores them, some thousands per transaction.

use super::error::{LibraryError, LibraryErrorKind};
use super::headers::{Columns, Prepared};
use super::index::{BUCKETS, Builder, SEGMENT};
use super::line::{self, Line, PACK};
use super::replay::Replay;
use super::store::{LineReader, last_game};
use super::{Library, MAX_GAMES};
use crate::board::Setup;
use crate::records::{Format, InputEncoding, MAX_FILE, Record, Records, player_name};
use crate::system::is_device;
use crate::types::counted;
use crossbeam::channel::{Sender, bounded};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Maximum number of games per transaction.
pub(super) const BATCH: usize = SEGMENT as usize;
/// Approximate maximum size in bytes of the games of a transaction.
const BATCH_BYTES: usize = 32 << 20;
/// Capacity of the queue of prepared games.
const WAITING: usize = 512;
/// Number of lines in the cache from which it is emptied.
const MAX_CACHED_LINES: usize = 1 << 15;
/// Records with the same moves count as one game from this length on, whatever the names of the players; shorter ones only if the names agree.
const DISTINCT_PLIES: u32 = 20;

/// Options for reading files.
#[derive(Clone, Copy, Default, Debug)]
pub struct AddOptions {
    /// The format of all files; detected for each file if not given.
    pub format: Option<Format>,
    /// Their text encoding; detected if not given.
    pub encoding: Option<InputEncoding>,
}

/// Counts of an `add`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Added {
    /// Files read.
    pub files: u64,
    /// Files whose contents were already in the library.
    pub known_files: u64,
    /// Files that could not be read.
    pub failed_files: u64,
    /// New games.
    pub games: u64,
    /// Records of an existing game with other names, comments or result.
    pub variants: u64,
    /// Records that were already in the library.
    pub duplicates: u64,
    /// Games that could not be read.
    pub failed_games: u64,
}

/// Progress events of an `add`.
#[derive(Debug)]
pub enum AddEvent<'a> {
    /// The next file is being read.
    File(&'a Path),
    /// The fraction of the file that has been read, from 0 to 1.
    Share(f64),
    /// Part of a game was ignored; the text names the place.
    Warning(String),
    /// A file or a game cannot be read; the text names it.
    Fault(String),
}

/// Identity of a file: a digest of its contents and of the options for reading it.
type FileHash = [u8; 16];

/// A message from the reading thread.
enum Message {
    File(PathBuf),
    Known,
    Unreadable(String),
    Begun(FileHash, String),
    Game { number: u32, game: Result<Box<Prepared>, String>, warnings: Vec<String>, share: f64 },
    Complete,
}

/// A change to be stored.
enum Change {
    Begun(FileHash, String),
    Game(u32, Option<Box<Prepared>>),
    Complete,
}

impl Library {
    /// Adds the games of files; `-` is standard input. A file whose contents have been added before is skipped; a partially added one is
    /// resumed. `on_event` receives the progress.
    ///
    /// # Errors
    /// If the library cannot be written. Unreadable files and games are counted and passed to `on_event`.
    pub fn add(
        &mut self,
        files: &[PathBuf],
        options: AddOptions,
        on_event: &mut dyn FnMut(AddEvent<'_>),
    ) -> Result<Added, LibraryError> {
        self.add_while(files, options, on_event, &mut || true)
    }

    /// Like [`Library::add`], but ends early when `is_wanted`, which is called for every game, returns false. The games so far are stored, and
    /// adding the same files again continues after them.
    ///
    /// # Errors
    /// As [`Library::add`].
    pub fn add_while(
        &mut self,
        files: &[PathBuf],
        options: AddOptions,
        on_event: &mut dyn FnMut(AddEvent<'_>),
        is_wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Added, LibraryError> {
        let known = self.known_files();
        let known = self.with_path(known)?;
        let path = self.path().to_path_buf();
        let named = |problem| LibraryError::new(&path, problem);
        std::thread::scope(|scope| {
            let (sender, receiver) = bounded(WAITING);
            let read = move || read_files(files, options, &known, &sender);
            std::thread::Builder::new().spawn_scoped(scope, read).map_err(LibraryErrorKind::Thread).map_err(named)?;
            let mut writer = Writer::new(&mut self.connection);
            let mut added = Added::default();
            let mut batch = Batch::default();
            for message in receiver {
                if !is_wanted() {
                    break;
                }
                match message {
                    Message::File(path) => on_event(AddEvent::File(&path)),
                    Message::Known => added.known_files += 1,
                    Message::Unreadable(fault) => {
                        added.failed_files += 1;
                        on_event(AddEvent::Fault(fault));
                    }
                    Message::Begun(hash, name) => {
                        added.files += 1;
                        batch.push(Change::Begun(hash, name));
                    }
                    Message::Game { number, game, warnings, share } => {
                        warnings.into_iter().for_each(|warning| on_event(AddEvent::Warning(warning)));
                        on_event(AddEvent::Share(share));
                        let game = game.map_err(|fault| {
                            added.failed_games += 1;
                            on_event(AddEvent::Fault(fault));
                        });
                        batch.push(Change::Game(number, game.ok()));
                    }
                    Message::Complete => batch.push(Change::Complete),
                }
                if batch.is_full() {
                    writer.store(&mut batch, &mut added).map_err(named)?;
                }
            }
            writer.store(&mut batch, &mut added).map_err(named)?;
            Ok(added)
        })
    }

    /// Adds a single record. Returns the number of its game and whether it is new.
    ///
    /// # Errors
    /// If the record has an illegal move, or the library cannot be written.
    pub fn add_record(&mut self, record: &Record) -> Result<(u32, bool), LibraryError> {
        let prepared = Prepared::new(record).map_err(|fault| LibraryErrorKind::Record(fault.to_string()));
        let prepared = self.with_path(prepared)?;
        let mut added = Added::default();
        let stored = Writer::new(&mut self.connection).store_one(&prepared, &mut added);
        Ok((self.with_path(stored)?, added.duplicates == 0))
    }

    /// The known files: `None` for complete ones, otherwise the number of games already read.
    fn known_files(&self) -> Result<HashMap<FileHash, Option<u32>>, LibraryErrorKind> {
        let mut query = self.connection.prepare("SELECT hash, games, complete FROM files")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, u32>(1)?, row.get::<_, bool>(2)?)))?;
        rows.map(|row| row.map(|(hash, games, complete)| (hash, (!complete).then_some(games))).map_err(LibraryErrorKind::from))
            .collect()
    }
}

/// Reads files one by one until the receiver is dropped.
fn read_files(files: &[PathBuf], options: AddOptions, known: &HashMap<FileHash, Option<u32>>, sender: &Sender<Message>) {
    let mut seen = HashSet::new();
    for path in files {
        if sender.send(Message::File(path.clone())).is_err() || read_file(path, options, known, &mut seen, sender).is_none() {
            return;
        }
    }
}

/// Reads a file; `None` if the receiver was dropped.
fn read_file(
    path: &Path,
    options: AddOptions,
    known: &HashMap<FileHash, Option<u32>>,
    seen: &mut HashSet<FileHash>,
    sender: &Sender<Message>,
) -> Option<()> {
    let shown = path.display().to_string();
    let send = |message| sender.send(message).ok();
    let (hash, input) = match digest(path, options) {
        Ok(read) => read,
        Err(error) => return send(Message::Unreadable(format!("{shown}: {error}"))),
    };
    let stored = known.get(&hash);
    if stored == Some(&None) || seen.contains(&hash) {
        return send(Message::Known);
    }
    let stored = stored.copied().flatten().unwrap_or(0);
    let opened = match input {
        Some(bytes) => Records::new_in(bytes, options.format, options.encoding).map_err(|error| format!("{shown}: {error}")),
        None => Records::open_in(path, options.format, options.encoding).map_err(|error| error.to_string()),
    };
    let mut records = match opened {
        Ok(records) => records,
        Err(error) => return send(Message::Unreadable(error)),
    };
    // A file without a readable game is not stored, so that it is reported again the next time.
    let mut is_begun = stored > 0;
    if is_begun {
        send(Message::Begun(hash, shown.clone()))?;
    }
    let mut number = 0;
    while let Some(record) = records.next() {
        number += 1;
        if number <= stored {
            continue;
        }
        let at = match records.line() {
            Some(line) => format!("{shown}: line {line}"),
            None => format!("{shown}: game {number}"),
        };
        let mut warnings = Vec::new();
        let game = record.map_err(|error| format!("{shown}: {error}")).and_then(|record| {
            warnings.extend(record.warnings().iter().map(|warning| format!("{at}: {warning}")));
            Prepared::new(&record).map(Box::new).map_err(|fault| format!("{at}: {fault}"))
        });
        if game.is_ok() && !std::mem::replace(&mut is_begun, true) {
            send(Message::Begun(hash, shown.clone()))?;
        }
        send(Message::Game { number, game, warnings, share: records.share_read() })?;
    }
    match (is_begun, number) {
        (true, _) => {
            // One without a game is not known, so that it is reported under each of its names.
            seen.insert(hash);
            send(Message::Complete)
        }
        (false, 0) => send(Message::Unreadable(format!("{shown}: no game in the file"))),
        (false, _) => Some(()),
    }
}

/// The identity of a file, and its bytes if it is standard input, a device or a pipe, which can be read only once.
fn digest(path: &Path, options: AddOptions) -> std::io::Result<(FileHash, Option<Vec<u8>>)> {
    let mut digest = Sha256::new();
    let is_stdin = path.as_os_str() == "-";
    let input = if is_stdin || is_device(path) {
        let mut bytes = Vec::new();
        let input: Box<dyn Read> =
            if is_stdin { Box::new(std::io::stdin().lock()) } else { Box::new(std::fs::File::open(path)?) };
        input.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(std::io::Error::other(format!("more than {} MiB", MAX_FILE >> 20)));
        }
        digest.update(&bytes);
        Some(bytes)
    } else {
        let mut file = std::fs::File::open(path)?.take(MAX_FILE + 1);
        let mut bytes = vec![0; 1 << 16];
        loop {
            match file.read(&mut bytes)? {
                0 => break,
                count => digest.update(&bytes[..count]),
            }
        }
        None
    };
    let name = |name: Option<String>| name.unwrap_or_default();
    digest.update(name(options.format.map(|format| format.to_string())));
    digest.update([0]);
    digest.update(name(options.encoding.map(|encoding| encoding.to_string())));
    let mut hash = FileHash::default();
    hash.copy_from_slice(&digest.finalize()[..16]);
    Ok((hash, input))
}

/// The changes of the next transaction.
#[derive(Default)]
struct Batch {
    changes: Vec<Change>,
    bytes: usize,
    /// The file to which the first changes belong, if it was begun in an earlier transaction.
    open: Option<(FileHash, String)>,
}

impl Batch {
    fn push(&mut self, change: Change) {
        if let Change::Game(_, Some(game)) = &change {
            self.bytes += game.line.len() + game.details.as_ref().map_or(0, Vec::len) + 200;
        }
        self.changes.push(change);
    }

    fn is_full(&self) -> bool {
        self.changes.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
}

/// Stores batches in transactions.
struct Writer<'a> {
    connection: &'a mut Connection,
    cache: Cache,
}

/// What is kept in memory across transactions.
#[derive(Default)]
struct Cache {
    /// Ids of interned texts, which never change.
    texts: HashMap<String, i64>,
    /// The records of recent lines, by the line without its result. Without it, adding thousands of short games with the same moves
    /// would be quadratic.
    lines: HashMap<(u8, Vec<u8>), Known>,
    /// The version of the file for which `lines` is valid: another process may add games between transactions.
    version: i64,
}

/// The stored records of one line.
#[derive(Default)]
struct Known {
    /// The first game with the line.
    first: Option<u32>,
    /// The numbers of the records, by their columns.
    numbers: HashMap<Row, u32>,
    /// The first game between two players.
    players: HashMap<[Option<String>; 2], u32>,
}

impl Known {
    fn add(&mut self, number: u32, original: u32, row: Row, players: [Option<String>; 2]) {
        self.first.get_or_insert(original);
        self.numbers.entry(row).or_insert(number);
        self.players.entry(players).or_insert(original);
    }
}

/// A run of consecutive games of a file that got consecutive numbers in the library.
struct Run {
    file: i64,
    number: u32,
    game: u32,
    count: u32,
}

impl Writer<'_> {
    fn new(connection: &mut Connection) -> Writer<'_> {
        Writer { connection, cache: Cache::default() }
    }

    /// Stores the batch in one transaction.
    fn store(&mut self, batch: &mut Batch, added: &mut Added) -> Result<(), LibraryErrorKind> {
        let changes = std::mem::take(&mut batch.changes);
        batch.bytes = 0;
        if changes.is_empty() {
            return Ok(());
        }
        let mut counted = *added;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut step = Step::begin(&transaction, &mut self.cache)?;
        let mut file = match &batch.open {
            Some((hash, name)) => Some(step.open_file(*hash, name)?),
            None => None,
        };
        for change in changes {
            match change {
                Change::Begun(hash, name) => {
                    file = Some(step.open_file(hash, &name)?);
                    batch.open = Some((hash, name));
                }
                Change::Game(number, game) => {
                    let Some(file) = &mut file else { continue };
                    // Another process may have stored it in the meantime.
                    if number <= file.games {
                        continue;
                    }
                    file.games = number;
                    if let Some(game) = game {
                        let stored = step.insert(&game, &mut counted)?;
                        step.add_source(file.id, number, stored)?;
                    }
                }
                Change::Complete => {
                    if let Some(file) = &mut file {
                        file.complete = true;
                        step.close_file(file)?;
                    }
                    batch.open = None;
                    file = None;
                }
            }
        }
        if let Some(file) = &file {
            step.close_file(file)?;
        }
        step.finish()?;
        transaction.commit()?;
        *added = counted;
        Ok(())
    }

    fn store_one(&mut self, game: &Prepared, added: &mut Added) -> Result<u32, LibraryErrorKind> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut step = Step::begin(&transaction, &mut self.cache)?;
        let stored = step.insert(game, added)?;
        step.finish()?;
        transaction.commit()?;
        Ok(stored)
    }
}

/// The row of a file whose games are being stored.
struct OpenFile {
    id: i64,
    games: u32,
    complete: bool,
}

/// Operations inside an open transaction.
struct Step<'a> {
    connection: &'a Connection,
    cache: &'a mut Cache,
    last: u32,
    run: Option<Run>,
}

/// A row of `games` with the same line hash.
struct Stored {
    id: u32,
    variant_of: Option<u32>,
    row: Row,
}

/// The columns that distinguish records of the same game.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Row {
    texts: [Option<i64>; 5],
    date: Option<u32>,
    tags: Option<i64>,
    result: u8,
    details: Option<Vec<u8>>,
}

impl<'a> Step<'a> {
    fn begin(connection: &'a Connection, cache: &'a mut Cache) -> Result<Step<'a>, LibraryErrorKind> {
        let version = connection.query_row("PRAGMA data_version", (), |row| row.get(0))?;
        if std::mem::replace(&mut cache.version, version) != version {
            cache.lines.clear();
        }
        Ok(Step { connection, cache, last: last_game(connection)?, run: None })
    }

    /// Finds or inserts the row of a file.
    fn open_file(&mut self, hash: FileHash, name: &str) -> Result<OpenFile, LibraryErrorKind> {
        let known = self
            .connection
            .prepare_cached("SELECT id, games, complete FROM files WHERE hash = ?1")?
            .query_row([hash], |row| Ok(OpenFile { id: row.get(0)?, games: row.get(1)?, complete: row.get(2)? }));
        if let Some(file) = known.optional()? {
            return Ok(file);
        }
        self.connection
            .prepare_cached("INSERT INTO files(hash, path, games, complete) VALUES(?1, ?2, 0, 0)")?
            .execute((hash, name))?;
        Ok(OpenFile { id: self.connection.last_insert_rowid(), games: 0, complete: false })
    }

    fn close_file(&mut self, file: &OpenFile) -> Result<(), LibraryErrorKind> {
        // Keep the progress of another process that has got further.
        self.connection
            .prepare_cached("UPDATE files SET games = max(games, ?2), complete = max(complete, ?3) WHERE id = ?1")?
            .execute((file.id, file.games, file.complete))?;
        Ok(())
    }

    /// The id of an interned text; inserts it if it is new.
    fn text(&mut self, text: &str) -> Result<i64, LibraryErrorKind> {
        if let Some(&id) = self.cache.texts.get(text) {
            return Ok(id);
        }
        let known = self.connection.prepare_cached("SELECT id FROM texts WHERE text = ?1")?.query_row([text], |row| row.get(0));
        let id = match known.optional()? {
            Some(id) => id,
            None => {
                self.connection.prepare_cached("INSERT INTO texts(text) VALUES(?1)")?.execute([text])?;
                self.connection.last_insert_rowid()
            }
        };
        self.cache.texts.insert(text.to_string(), id);
        Ok(id)
    }

    fn text_of(&mut self, text: Option<&str>) -> Result<Option<i64>, LibraryErrorKind> {
        text.map(|text| self.text(text)).transpose()
    }

    fn row(&mut self, game: &Prepared) -> Result<Row, LibraryErrorKind> {
        let Columns { texts, date, tags } = &game.columns;
        let mut ids = [None; 5];
        for (id, text) in ids.iter_mut().zip(texts) {
            *id = self.text_of(text.as_deref())?;
        }
        Ok(Row {
            texts: ids,
            date: *date,
            tags: self.text_of(tags.as_deref())?,
            result: game.result as u8,
            details: game.details.clone(),
        })
    }

    /// The names of Red and Black in a stored record.
    fn names(&self, row: &Row) -> Result<[Option<String>; 2], LibraryErrorKind> {
        let mut query = self.connection.prepare_cached("SELECT text FROM texts WHERE id = ?1")?;
        let mut name = |id: Option<i64>| -> Result<Option<String>, LibraryErrorKind> {
            let Some(id) = id else { return Ok(None) };
            let text: String = query.query_row([id], |row| row.get(0))?;
            Ok(player_name(&text))
        };
        let [_, _, _, red, black] = row.texts;
        Ok([name(red)?, name(black)?])
    }

    /// Stores a game unless an identical record exists. Returns its number.
    fn insert(&mut self, game: &Prepared, added: &mut Added) -> Result<u32, LibraryErrorKind> {
        let line = Line::new(&game.line).ok_or_else(|| LibraryErrorKind::damaged("an empty line"))?;
        let hash = line.hash();
        let row = self.row(game)?;
        let [.., red, black] = &game.columns.texts;
        let names = [red, black].map(|text| text.as_deref().and_then(player_name));
        let (flags, moves) = line.without_result();
        let key = (flags, moves.to_vec());
        if !self.cache.lines.contains_key(&key) {
            let records = self.records(line, hash)?;
            if self.cache.lines.len() >= MAX_CACHED_LINES {
                self.cache.lines.clear();
            }
            self.cache.lines.insert(key.clone(), records);
        }
        let records = &self.cache.lines[&key];
        if let Some(&known) = records.numbers.get(&row) {
            added.duplicates += 1;
            return Ok(known);
        }
        // Without names nothing shows that short games are the same.
        let is_named = names.iter().any(Option::is_some);
        let original = match game.plies >= DISTINCT_PLIES {
            true => records.first,
            false => records.players.get(&names).copied().filter(|_| is_named),
        };
        if self.last >= MAX_GAMES {
            return Err(LibraryErrorKind::TooMany);
        }
        self.last += 1;
        let own;
        let line = match original {
            Some(_) => {
                added.variants += 1;
                own = line::variant(game.result);
                &own
            }
            None => {
                added.games += 1;
                &game.line
            }
        };
        let opening = self.text_of(game.opening.as_deref())?;
        let [event, site, round, red, black] = row.texts;
        self.connection
            .prepare_cached(
                "INSERT INTO games(id, line, variant_of, red, black, event, site, date, round, result, plies, opening, tags, details)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )?
            .execute((
                self.last, hash, original, red, black, event, site, row.date, round, row.result, game.plies, opening, row.tags, &row.details,
            ))?;
        self.connection.prepare_cached("INSERT INTO tail(id, line) VALUES(?1, ?2)")?.execute((self.last, line))?;
        if self.last.is_multiple_of(SEGMENT) {
            self.seal(self.last / SEGMENT - 1)?;
        }
        if let Some(records) = self.cache.lines.get_mut(&key) {
            records.add(self.last, original.unwrap_or(self.last), row, names);
        }
        Ok(self.last)
    }

    /// Reads the records of a line.
    fn records(&self, line: Line<'_>, hash: u32) -> Result<Known, LibraryErrorKind> {
        let stored = self.stored(hash)?;
        let mut lines = LineReader::new(self.connection);
        let mut records = Known::default();
        let mut by_original: HashMap<u32, Vec<&Stored>> = HashMap::new();
        for record in &stored {
            by_original.entry(record.variant_of.unwrap_or(record.id)).or_default().push(record);
        }
        for original in stored.iter().filter(|record| record.variant_of.is_none()) {
            let is_same = Line::new(lines.get(original.id)?).is_some_and(|known| known.without_result() == line.without_result());
            for record in by_original.get(&original.id).into_iter().flatten().filter(|_| is_same) {
                records.add(record.id, original.id, record.row.clone(), self.names(&record.row)?);
            }
        }
        Ok(records)
    }

    fn stored(&self, hash: u32) -> Result<Vec<Stored>, LibraryErrorKind> {
        let mut query = self.connection.prepare_cached(
            "SELECT id, variant_of, event, site, round, red, black, date, tags, result, details FROM games WHERE line = ?1 ORDER BY id",
        )?;
        let rows = query.query_map([hash], |row| {
            let texts = [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
            let columns = Row { texts, date: row.get(7)?, tags: row.get(8)?, result: row.get(9)?, details: row.get(10)? };
            Ok(Stored { id: row.get(0)?, variant_of: row.get(1)?, row: columns })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records which game of a file became which game of the library.
    fn add_source(&mut self, file: i64, number: u32, game: u32) -> Result<(), LibraryErrorKind> {
        match &mut self.run {
            Some(run)
                if run.file == file && run.number + run.count == number && run.game.checked_add(run.count) == Some(game) =>
            {
                run.count += 1;
                Ok(())
            }
            run => {
                let before = run.replace(Run { file, number, game, count: 1 });
                self.store_run(before)
            }
        }
    }

    fn store_run(&mut self, run: Option<Run>) -> Result<(), LibraryErrorKind> {
        if let Some(Run { file, number, game, count }) = run {
            self.connection
                .prepare_cached("INSERT INTO sources(file, number, game, count) VALUES(?1, ?2, ?3, ?4)")?
                .execute((file, number, game, count))?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), LibraryErrorKind> {
        let run = self.run.take();
        self.store_run(run)
    }

    /// Packs the lines of a full segment and builds its index.
    fn seal(&mut self, segment: u32) -> Result<(), LibraryErrorKind> {
        let first = segment * SEGMENT + 1;
        let lines: Vec<Vec<u8>> = {
            let mut query = self.connection.prepare_cached("SELECT line FROM tail WHERE id >= ?1 ORDER BY id")?;
            query.query_map([first], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        if lines.len() != SEGMENT as usize {
            return Err(LibraryErrorKind::damaged(format!(
                "games {first} to {} have {}",
                self.last,
                counted(lines.len(), "line")
            )));
        }
        for (number, pack) in lines.chunks(PACK as usize).enumerate() {
            let id = (first - 1) / PACK + number as u32;
            let bytes = line::pack(pack.iter().map(Vec::as_slice));
            self.connection.prepare_cached("INSERT INTO packs(id, lines) VALUES(?1, ?2)")?.execute((id, bytes))?;
        }
        for (number, bucket) in buckets(&lines).into_iter().enumerate() {
            let id = segment * BUCKETS + number as u32;
            self.connection.prepare_cached("INSERT INTO positions(id, games) VALUES(?1, ?2)")?.execute((id, bucket))?;
        }
        self.connection.prepare_cached("DELETE FROM tail WHERE id >= ?1")?.execute([first])?;
        Ok(())
    }
}

/// Builds the index buckets of a segment from its lines.
pub(super) fn buckets(lines: &[impl AsRef<[u8]>]) -> Vec<Vec<u8>> {
    let mut builder = Builder::new();
    let start = Replay::new(&Setup::standard());
    for (game, line) in lines.iter().enumerate() {
        let line = Line::new(line.as_ref()).filter(|line| !line.is_variant());
        if let (Some(line), Some(start)) = (line, &start) {
            line.replay(start, |_, board, _| {
                builder.add(board.shared_key(), game as u16);
                ControlFlow::Continue(())
            });
        }
    }
    builder.finish()
}
