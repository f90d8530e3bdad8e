//! The file that puzzles are written to, as they are found. How far it is stands beside it, in `OUT.state.json`, until all is done.

use crate::commands::Failure;
use crate::commands::files::{self, Force};
use crate::puzzles::Puzzle;
use crate::puzzles::text::{self, PuzzleError};
use crate::records::{Format, PgnOptions, Records};
use crate::system::{Exclusive, is_device, pgn_of_system, replace};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the state is written at most.
const INTERVAL: Duration = Duration::from_secs(1);

/// The form of a file of puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// JSON Lines.
    Json,
    /// Games in PGN.
    Pgn,
}

impl Form {
    /// The form that the name of a file asks for.
    pub fn of_path(path: &Path) -> Option<Form> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "json" => Some(Form::Json),
            "pgn" => Some(Form::Pgn),
            _ => None,
        }
    }

    /// A puzzle in this form, with what separates it from the next.
    pub fn write(self, puzzle: &Puzzle, options: &PgnOptions) -> Result<Vec<u8>, PuzzleError> {
        match self {
            Form::Json => Ok(format!("{}\n", puzzle.to_json()).into_bytes()),
            Form::Pgn => {
                let mut bytes = puzzle.to_pgn(options)?;
                bytes.extend_from_slice(if bytes.ends_with(b"\r\n") { b"\r\n" } else { b"\n" });
                Ok(bytes)
            }
        }
    }
}

/// What decides the puzzles of a file, and how far it is.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct State {
    /// Nodes of a proof.
    pub nodes: u64,
    /// MiB of the table.
    pub hash: usize,
    /// The network.
    pub network: String,
    /// Games and lines that are done.
    pub games: usize,
    /// Bytes of the file that they have given.
    pub bytes: u64,
}

/// A file of puzzles that is being written.
pub struct PuzzleFile {
    path: PathBuf,
    beside: PathBuf,
    form: Form,
    options: PgnOptions,
    file: Exclusive,
    state: State,
    seen: HashSet<u64>,
    /// Puzzles in the file.
    pub puzzles: usize,
    saved: Option<Instant>,
}

/// Where the state of a file lies.
pub fn state_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".state.json");
    name.into()
}

impl PuzzleFile {
    /// Begins a file, or with `resume` continues in one that was begun with the same settings.
    ///
    /// # Errors
    /// When the file is an input, exists and is neither resumed nor to be replaced, was begun otherwise, or cannot be written.
    pub fn open(path: &Path, new: State, resume: bool, inputs: &[PathBuf], force: Force) -> Result<PuzzleFile, Failure> {
        let form = Form::of_path(path).ok_or_else(|| expected_form(path))?;
        let beside = state_path(path);
        let begun = if resume { read_state(path, &beside)? } else { None };
        let may_exist = Force { force: force.force || begun.is_some() };
        files::check(path, inputs, may_exist)?;
        files::check(&beside, inputs, may_exist)?;
        if is_device(path) {
            return Err(format!("{}: is no ordinary file, expected one that can be read again", path.display()).into());
        }
        let failed = Failure::at(path.display());
        let state = begun.unwrap_or_else(|| new.clone());
        if (state.nodes, state.hash, &state.network) != (new.nodes, new.hash, &new.network) {
            let begun = format!("--nodes {} --hash {} and network {}", state.nodes, state.hash, state.network);
            return Err(format!("{}: was begun with {begun}, expected the same settings", path.display()).into());
        }
        let file = Exclusive::open(path).map_err(&failed)?;
        let length = file.length().map_err(&failed)?;
        if length < state.bytes {
            return Err(format!(
                "{}: is shorter than {} says, expected the file as it was left",
                path.display(),
                beside.display()
            )
            .into());
        }
        let options = pgn_of_system();
        let (path, seen) = (path.to_path_buf(), HashSet::new());
        let mut file = PuzzleFile { path, beside, form, options, file, state, seen, puzzles: 0, saved: None };
        file.file.cut(file.state.bytes).map_err(&failed)?;
        if file.state.bytes > 0 {
            read(&file.path, &mut |puzzle| {
                file.seen.insert(puzzle.map_err(|error| Failure::from(format!("{}: {error}", file.path.display())))?.identity());
                file.puzzles += 1;
                Ok(())
            })?;
        }
        file.save()?;
        Ok(file)
    }

    /// Games and lines that an earlier run has done.
    pub fn done(&self) -> usize {
        self.state.games
    }

    /// Adds the puzzles of the next game, without those whose position is there already, perhaps mirrored.
    ///
    /// # Errors
    /// When the disk is full.
    pub fn add(&mut self, puzzles: &[Puzzle]) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        for puzzle in puzzles {
            if self.seen.insert(puzzle.identity()) {
                bytes.extend(self.form.write(puzzle, &self.options).map_err(Failure::at(self.path.display()))?);
                self.puzzles += 1;
            }
        }
        self.file.append(&bytes).map_err(Failure::at(self.path.display()))?;
        self.state.bytes += bytes.len() as u64;
        self.state.games += 1;
        if self.saved.is_none_or(|saved| saved.elapsed() > INTERVAL) { self.save() } else { Ok(()) }
    }

    /// Writes how far the file is.
    ///
    /// # Errors
    /// When the disk is full.
    pub fn save(&mut self) -> Result<(), Failure> {
        self.saved = Some(Instant::now());
        let text = serde_json::to_string(&self.state).unwrap_or_default() + "\n";
        replace(&self.beside, text.as_bytes()).map_err(Failure::at(self.beside.display()))
    }

    /// Takes the state away: the file is complete.
    pub fn finish(self) {
        let _ = std::fs::remove_file(&self.beside);
        let (path, is_empty) = (self.path, self.state.bytes == 0);
        drop(self.file);
        // What was made and is empty went with its lock; no puzzles are a result too.
        if is_empty {
            let _ = File::create_new(path);
        }
    }
}

/// The error of a name that asks for no form.
pub fn expected_form(path: &Path) -> Failure {
    Failure::Usage(format!("{}: expected a name that ends with .jsonl or .pgn", path.display()))
}

/// The state of a file that was begun; none where nothing was.
fn read_state(path: &Path, beside: &Path) -> Result<Option<State>, Failure> {
    if beside.symlink_metadata().is_err() {
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let text =
            format!("{}: is complete or was not begun by chuhe puzzles, expected {} beside it", path.display(), beside.display());
        return Err(text.into());
    }
    let mut text = Vec::new();
    let read = File::open(beside).and_then(|file| file.take(1 << 16).read_to_end(&mut text));
    let state = read.ok().and_then(|_| serde_json::from_slice(&text).ok());
    state.map(Some).ok_or_else(|| format!("{}: expected the state that chuhe puzzles wrote", beside.display()).into())
}

/// Takes the puzzles of a file one after another, or what is wrong with one of them and where.
pub type Sink<'a> = &'a mut dyn FnMut(Result<Puzzle, String>) -> Result<(), Failure>;

/// Reads a file of puzzles in the form that its name says.
///
/// # Errors
/// When it cannot be read, and those of the sink.
pub fn read(path: &Path, sink: Sink<'_>) -> Result<(), Failure> {
    let failed = Failure::at(path.display());
    match Form::of_path(path).ok_or_else(|| expected_form(path))? {
        Form::Json => {
            for (number, line) in BufReader::new(File::open(path).map_err(&failed)?).lines().enumerate() {
                let line = line.map_err(&failed)?;
                if !line.trim().is_empty() {
                    sink(text::of_line((number + 1, &line)))?;
                }
            }
        }
        Form::Pgn => {
            for numbered in (1..).zip(Records::open(path, Some(Format::Pgn))?) {
                sink(text::of_game(numbered))?;
            }
        }
    }
    Ok(())
}
