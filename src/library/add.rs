//! Adding records: a thread reads files and prepares their games, the caller's thread stores them, some thousands in a transaction.

use super::error::{LibraryError, Problem};
use super::headers::{Columns, Prepared};
use super::index::{BUCKETS, Builder, SEGMENT};
use super::line::{self, Line, PACK, number_of_result};
use super::replay::Replay;
use super::store::{LineReader, last_game};
use super::{Library, MOST_GAMES};
use crate::board::Setup;
use crate::records::{Format, InputEncoding, MAX_FILE, Record, Records};
use crossbeam::channel::{Sender, bounded};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Games of a transaction.
pub(super) const STEP: usize = SEGMENT as usize;
/// Bytes of games of a transaction.
const STEP_BYTES: usize = 32 << 20;
/// Prepared games that wait to be stored.
const WAITING: usize = 512;
/// Records of the same moves are one game, whatever the names in them, from this length on; shorter ones only where the names agree.
const DISTINCT_PLIES: u32 = 20;

/// How files are read.
#[derive(Clone, Copy, Default, Debug)]
pub struct AddOptions {
    /// The format of all files, where it is not to be detected for each.
    pub format: Option<Format>,
    /// The encoding of their texts, where it is known.
    pub encoding: Option<InputEncoding>,
}

/// What adding has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Added {
    /// Files that were read.
    pub files: u64,
    /// Files that the library knew already by their contents.
    pub known_files: u64,
    /// Files that could not be read.
    pub failed_files: u64,
    /// Games that are new.
    pub games: u64,
    /// Records of a game that was there, with other names, comments or result.
    pub variants: u64,
    /// Records that were there already.
    pub duplicates: u64,
    /// Games that could not be read.
    pub failed_games: u64,
}

/// What happens while files are added.
#[derive(Debug)]
pub enum AddEvent<'a> {
    /// A file is begun.
    File(&'a Path),
    /// So much of the file has been read, from 0 to 1.
    Share(f64),
    /// Something in a game was left out; the text names the place.
    Warning(String),
    /// A file or a game cannot be read; the text names it.
    Fault(String),
}

/// What a file is known by: a digest of its contents and of the way in which they are read.
type FileHash = [u8; 16];

/// From the thread that reads.
enum Message {
    File(PathBuf),
    Known,
    Unreadable(String),
    Begun(FileHash, String),
    Game { number: u32, game: Result<Box<Prepared>, String>, warnings: Vec<String>, share: f64 },
    Complete,
}

/// What a transaction stores.
enum Change {
    Begun(FileHash, String),
    Game(u32, Option<Box<Prepared>>),
    Complete,
}

impl Library {
    /// Adds the games of files; `-` is standard input. A file whose contents have been added before is left alone, one that was begun
    /// is resumed. `see` gets the progress.
    ///
    /// # Errors
    /// When the library cannot be written. Files and games that cannot be read are counted and passed to `see`.
    pub fn add(
        &mut self,
        files: &[PathBuf],
        options: AddOptions,
        see: &mut dyn FnMut(AddEvent<'_>),
    ) -> Result<Added, LibraryError> {
        let known = self.known_files();
        let known = self.named(known)?;
        let path = self.path().to_path_buf();
        let named = |problem| LibraryError::new(&path, problem);
        std::thread::scope(|scope| {
            let (sender, receiver) = bounded(WAITING);
            scope.spawn(move || read_files(files, options, &known, &sender));
            let mut writer = Writer::new(&mut self.connection);
            let mut added = Added::default();
            let mut steps = Steps::default();
            for message in receiver {
                match message {
                    Message::File(path) => see(AddEvent::File(&path)),
                    Message::Known => added.known_files += 1,
                    Message::Unreadable(fault) => {
                        added.failed_files += 1;
                        see(AddEvent::Fault(fault));
                    }
                    Message::Begun(hash, name) => {
                        added.files += 1;
                        steps.push(Change::Begun(hash, name));
                    }
                    Message::Game { number, game, warnings, share } => {
                        warnings.into_iter().for_each(|warning| see(AddEvent::Warning(warning)));
                        see(AddEvent::Share(share));
                        let game = game.map_err(|fault| {
                            added.failed_games += 1;
                            see(AddEvent::Fault(fault));
                        });
                        steps.push(Change::Game(number, game.ok()));
                    }
                    Message::Complete => steps.push(Change::Complete),
                }
                if steps.is_full() {
                    writer.store(&mut steps, &mut added).map_err(named)?;
                }
            }
            writer.store(&mut steps, &mut added).map_err(named)?;
            Ok(added)
        })
    }

    /// Adds a record that comes from no file, and gives the number of its game; whether it is new.
    ///
    /// # Errors
    /// When the record has a move that is not legal, or the library cannot be written.
    pub fn add_record(&mut self, record: &Record) -> Result<(u32, bool), LibraryError> {
        let prepared = Prepared::new(record).map_err(|fault| Problem::Record(fault.to_string()));
        let prepared = self.named(prepared)?;
        let mut added = Added::default();
        let stored = Writer::new(&mut self.connection).store_one(&prepared, &mut added);
        Ok((self.named(stored)?, added.duplicates == 0))
    }

    /// Files that are complete, and how many games of the others are stored.
    fn known_files(&self) -> Result<HashMap<FileHash, Option<u32>>, Problem> {
        let mut query = self.connection.prepare("SELECT hash, games, complete FROM files")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, u32>(1)?, row.get::<_, bool>(2)?)))?;
        rows.map(|row| row.map(|(hash, games, complete)| (hash, (!complete).then_some(games))).map_err(Problem::from)).collect()
    }
}

/// Reads files one after another until nobody takes the games any more.
fn read_files(files: &[PathBuf], options: AddOptions, known: &HashMap<FileHash, Option<u32>>, sender: &Sender<Message>) {
    let mut seen = HashSet::new();
    for path in files {
        if sender.send(Message::File(path.clone())).is_err() || read_file(path, options, known, &mut seen, sender).is_none() {
            return;
        }
    }
}

/// Reads a file; none when nobody takes the games any more.
fn read_file(
    path: &Path,
    options: AddOptions,
    known: &HashMap<FileHash, Option<u32>>,
    seen: &mut HashSet<FileHash>,
    sender: &Sender<Message>,
) -> Option<()> {
    let place = path.display().to_string();
    let send = |message| sender.send(message).ok();
    let (hash, input) = match digest(path, options) {
        Ok(read) => read,
        Err(error) => return send(Message::Unreadable(format!("{place}: {error}"))),
    };
    let stored = known.get(&hash);
    if stored == Some(&None) || !seen.insert(hash) {
        return send(Message::Known);
    }
    let stored = stored.copied().flatten().unwrap_or(0);
    let opened = match input {
        Some(bytes) => Records::new_in(bytes, options.format, options.encoding).map_err(|error| format!("{place}: {error}")),
        None => Records::open_in(path, options.format, options.encoding).map_err(|error| error.to_string()),
    };
    let mut records = match opened {
        Ok(records) => records,
        Err(error) => return send(Message::Unreadable(error)),
    };
    send(Message::Begun(hash, place.clone()))?;
    let mut number = 0;
    while let Some(record) = records.next() {
        number += 1;
        if number <= stored {
            continue;
        }
        let at = match records.line() {
            Some(line) => format!("{place}: line {line}"),
            None => format!("{place}: game {number}"),
        };
        let mut warnings = Vec::new();
        let game = record.map_err(|error| format!("{place}: {error}")).and_then(|record| {
            warnings.extend(record.warnings().iter().map(|warning| format!("{at}: {warning}")));
            Prepared::new(&record).map(Box::new).map_err(|fault| format!("{at}: {fault}"))
        });
        send(Message::Game { number, game, warnings, share: records.share_read() })?;
    }
    send(Message::Complete)
}

/// What a file is known by, and its bytes where they can be read only once.
fn digest(path: &Path, options: AddOptions) -> std::io::Result<(FileHash, Option<Vec<u8>>)> {
    let mut digest = Sha256::new();
    let input = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes)?;
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

/// What the next transaction stores.
#[derive(Default)]
struct Steps {
    changes: Vec<Change>,
    bytes: usize,
    /// The file that the first change belongs to, if it was begun in a transaction before.
    open: Option<(FileHash, String)>,
}

impl Steps {
    fn push(&mut self, change: Change) {
        if let Change::Game(_, Some(game)) = &change {
            self.bytes += game.line.len() + game.details.as_ref().map_or(0, Vec::len) + 200;
        }
        self.changes.push(change);
    }

    fn is_full(&self) -> bool {
        self.changes.len() >= STEP || self.bytes >= STEP_BYTES
    }
}

/// Stores games.
struct Writer<'a> {
    connection: &'a mut Connection,
    /// Numbers of texts. They never change, so they hold for later transactions too.
    texts: HashMap<String, i64>,
}

/// A run of games of a file that became games in the same order.
struct Run {
    file: i64,
    number: u32,
    game: u32,
    count: u32,
}

impl Writer<'_> {
    fn new(connection: &mut Connection) -> Writer<'_> {
        Writer { connection, texts: HashMap::new() }
    }

    /// Stores what there is, all or nothing.
    fn store(&mut self, steps: &mut Steps, added: &mut Added) -> Result<(), Problem> {
        let changes = std::mem::take(&mut steps.changes);
        steps.bytes = 0;
        if changes.is_empty() {
            return Ok(());
        }
        let mut counted = *added;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut step = Step::begin(&transaction, &mut self.texts)?;
        let mut file = match &steps.open {
            Some((hash, name)) => Some(step.open_file(*hash, name)?),
            None => None,
        };
        for change in changes {
            match change {
                Change::Begun(hash, name) => {
                    file = Some(step.open_file(hash, &name)?);
                    steps.open = Some((hash, name));
                }
                Change::Game(number, game) => {
                    let Some(file) = &mut file else { continue };
                    // Another process may have stored it meanwhile.
                    if number <= file.games {
                        continue;
                    }
                    file.games = number;
                    if let Some(game) = game {
                        let stored = step.insert(&game, &mut counted)?;
                        step.note_source(file.id, number, stored)?;
                    }
                }
                Change::Complete => {
                    if let Some(file) = &mut file {
                        file.complete = true;
                        step.close_file(file)?;
                    }
                    steps.open = None;
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

    fn store_one(&mut self, game: &Prepared, added: &mut Added) -> Result<u32, Problem> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut step = Step::begin(&transaction, &mut self.texts)?;
        let stored = step.insert(game, added)?;
        step.finish()?;
        transaction.commit()?;
        Ok(stored)
    }
}

/// A file of which games are stored.
struct OpenFile {
    id: i64,
    games: u32,
    complete: bool,
}

/// An open transaction.
struct Step<'a> {
    connection: &'a Connection,
    texts: &'a mut HashMap<String, i64>,
    last: u32,
    run: Option<Run>,
}

/// A row of `games` that has the hash of a line.
struct Stored {
    id: u32,
    variant_of: Option<u32>,
    row: Row,
}

/// The columns that distinguish records of one game.
#[derive(PartialEq, Eq)]
struct Row {
    texts: [Option<i64>; 5],
    date: Option<u32>,
    tags: Option<i64>,
    result: u8,
    details: Option<Vec<u8>>,
}

impl<'a> Step<'a> {
    fn begin(connection: &'a Connection, texts: &'a mut HashMap<String, i64>) -> Result<Step<'a>, Problem> {
        Ok(Step { connection, texts, last: last_game(connection)?, run: None })
    }

    /// Finds or begins the row of a file.
    fn open_file(&mut self, hash: FileHash, name: &str) -> Result<OpenFile, Problem> {
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

    fn close_file(&mut self, file: &OpenFile) -> Result<(), Problem> {
        // What another process has stored further on stays.
        self.connection
            .prepare_cached("UPDATE files SET games = max(games, ?2), complete = max(complete, ?3) WHERE id = ?1")?
            .execute((file.id, file.games, file.complete))?;
        Ok(())
    }

    /// The number of a text.
    fn text(&mut self, text: &str) -> Result<i64, Problem> {
        if let Some(&id) = self.texts.get(text) {
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
        self.texts.insert(text.to_string(), id);
        Ok(id)
    }

    fn text_of(&mut self, text: Option<&str>) -> Result<Option<i64>, Problem> {
        text.map(|text| self.text(text)).transpose()
    }

    fn row(&mut self, game: &Prepared) -> Result<Row, Problem> {
        let Columns { texts, date, tags } = &game.columns;
        let mut ids = [None; 5];
        for (id, text) in ids.iter_mut().zip(texts) {
            *id = self.text_of(text.as_deref())?;
        }
        Ok(Row {
            texts: ids,
            date: *date,
            tags: self.text_of(tags.as_deref())?,
            result: number_of_result(game.result),
            details: game.details.clone(),
        })
    }

    /// Stores a game unless it is there, and gives its number.
    fn insert(&mut self, game: &Prepared, added: &mut Added) -> Result<u32, Problem> {
        let line = Line::new(&game.line).ok_or_else(|| Problem::damaged("an empty line"))?;
        let hash = line.hash();
        let row = self.row(game)?;
        let stored = self.stored(hash)?;
        let mut original = None;
        let mut lines = LineReader::new(self.connection);
        for candidate in stored.iter().filter(|candidate| candidate.variant_of.is_none()) {
            let same = Line::new(lines.get(candidate.id)?).is_some_and(|known| known.without_result() == line.without_result());
            if !same {
                continue;
            }
            let records = || stored.iter().filter(|other| other.id == candidate.id || other.variant_of == Some(candidate.id));
            if let Some(known) = records().find(|known| known.row == row) {
                added.duplicates += 1;
                return Ok(known.id);
            }
            let same_players = |known: &Stored| known.row.texts[3..] == row.texts[3..];
            if game.plies >= DISTINCT_PLIES || records().any(same_players) {
                original.get_or_insert(candidate.id);
            }
        }
        if self.last >= MOST_GAMES {
            return Err(Problem::TooMany);
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
                self.last, hash, original, red, black, event, site, row.date, round, row.result, game.plies, opening, row.tags, row.details,
            ))?;
        self.connection.prepare_cached("INSERT INTO tail(id, line) VALUES(?1, ?2)")?.execute((self.last, line))?;
        if self.last.is_multiple_of(SEGMENT) {
            self.seal(self.last / SEGMENT - 1)?;
        }
        Ok(self.last)
    }

    fn stored(&self, hash: u32) -> Result<Vec<Stored>, Problem> {
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

    /// Remembers which game of a file became which game here.
    fn note_source(&mut self, file: i64, number: u32, game: u32) -> Result<(), Problem> {
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

    fn store_run(&mut self, run: Option<Run>) -> Result<(), Problem> {
        if let Some(Run { file, number, game, count }) = run {
            self.connection
                .prepare_cached("INSERT INTO sources(file, number, game, count) VALUES(?1, ?2, ?3, ?4)")?
                .execute((file, number, game, count))?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Problem> {
        let run = self.run.take();
        self.store_run(run)
    }

    /// Packs the lines of a full segment and makes its buckets.
    fn seal(&mut self, segment: u32) -> Result<(), Problem> {
        let first = segment * SEGMENT + 1;
        let lines: Vec<Vec<u8>> = {
            let mut query = self.connection.prepare_cached("SELECT line FROM tail WHERE id >= ?1 ORDER BY id")?;
            query.query_map([first], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        if lines.len() != SEGMENT as usize {
            return Err(Problem::damaged(format!("games {first} to {} have {} lines", self.last, lines.len())));
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

/// The buckets of a segment with these lines.
pub(super) fn buckets(lines: &[impl AsRef<[u8]>]) -> Vec<Vec<u8>> {
    let mut builder = Builder::new();
    let start = Replay::new(&Setup::standard());
    for (place, line) in lines.iter().enumerate() {
        let line = Line::new(line.as_ref()).filter(|line| !line.is_variant());
        if let (Some(line), Some(start)) = (line, &start) {
            line.replay(start, |_, board, _| {
                builder.add(board.shared_key(), place as u16);
                ControlFlow::Continue(())
            });
        }
    }
    builder.finish()
}
