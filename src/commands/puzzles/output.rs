//! The puzzle file, written as puzzles are found. Until it is complete, the progress is stored next to it in `OUT.state.json`.

use crate::commands::Failure;
use crate::commands::files::{self, Force};
use crate::puzzles::Puzzle;
use crate::puzzles::text::{self, PuzzleError};
use crate::records::{Format, PgnOptions, Records};
use crate::system::{LockedFile, is_device, pgn_of_system, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Minimum interval between two writes of the state.
const INTERVAL: Duration = Duration::from_secs(1);

/// The format of a puzzle file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleFormat {
    /// JSON Lines.
    Json,
    /// Games in PGN.
    Pgn,
}

impl PuzzleFormat {
    /// The format given by a file's extension.
    pub fn of_path(path: &Path) -> Option<PuzzleFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "json" => Some(PuzzleFormat::Json),
            "pgn" => Some(PuzzleFormat::Pgn),
            _ => None,
        }
    }

    /// Encodes a puzzle, followed by the separator from the next.
    pub fn write(self, puzzle: &Puzzle, options: &PgnOptions) -> Result<Vec<u8>, PuzzleError> {
        match self {
            PuzzleFormat::Json => Ok(format!("{}\n", puzzle.to_json()).into_bytes()),
            PuzzleFormat::Pgn => {
                let mut bytes = puzzle.to_pgn(options)?;
                bytes.extend_from_slice(if bytes.ends_with(b"\r\n") { b"\r\n" } else { b"\n" });
                Ok(bytes)
            }
        }
    }
}

/// The settings that determine the puzzles of a file, and its progress.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct State {
    /// Node limit of a proof.
    pub nodes: u64,
    /// Hash table size in MiB.
    pub hash: usize,
    /// Name of the network.
    pub network: String,
    /// Games and lines processed.
    pub games: usize,
    /// CRC-32 of these inputs, so that other files are not mistaken for them; none in states of earlier versions.
    #[serde(default)]
    pub inputs: Option<u32>,
    /// Size in bytes of the file after these.
    pub bytes: u64,
    /// Number of inputs among them that could not be read.
    #[serde(default)]
    pub faults: usize,
    /// The first of their errors.
    #[serde(default)]
    pub first_fault: Option<String>,
}

impl State {
    /// The state of a new file.
    pub fn new(nodes: u64, hash: usize, network: String) -> State {
        State { nodes, hash, network, games: 0, inputs: Some(0), bytes: 0, faults: 0, first_fault: None }
    }
}

/// A puzzle file being written.
pub struct PuzzleFile {
    path: PathBuf,
    state_path: PathBuf,
    format: PuzzleFormat,
    options: PgnOptions,
    file: LockedFile,
    state: State,
    seen: HashSet<u64>,
    /// Whether the previous contents of the file are gone.
    pub is_begun: bool,
    /// Number of puzzles in the file.
    pub puzzles: usize,
    saved: Option<Instant>,
    /// Whether a run that is interrupted can be resumed.
    keeps_state: bool,
}

/// The path of the state of a puzzle file.
pub fn state_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".state.json");
    name.into()
}

impl PuzzleFile {
    /// Starts a file, or with `resume` continues one that was begun with the same settings.
    ///
    /// # Errors
    /// If the file is an input, exists and may be neither resumed nor replaced, was begun with other settings, or cannot be written.
    pub fn open(path: &Path, new: State, resume: bool, inputs: &[PathBuf], force: Force) -> Result<PuzzleFile, Failure> {
        let format = PuzzleFormat::of_path(path).ok_or_else(|| expected_format(path))?;
        let state_path = state_path(path);
        let begun = if resume { read_state(path, &state_path)? } else { None };
        let may_exist = Force { force: force.force || begun.is_some() || resume && is_empty(path) };
        files::check(path, inputs, may_exist)?;
        files::check(&state_path, inputs, may_exist)?;
        if is_device(path) {
            return Err(format!("{}: is not a regular file, expected one that can be read again", path.display()).into());
        }
        let failed = Failure::at(path.display());
        let is_resumed = begun.is_some();
        let state = begun.unwrap_or_else(|| new.clone());
        if (state.nodes, state.hash, &state.network) != (new.nodes, new.hash, &new.network) {
            let begun = format!("--nodes {} --hash {} and network {}", state.nodes, state.hash, state.network);
            return Err(format!("{}: was begun with {begun}, expected the same settings", path.display()).into());
        }
        let file = LockedFile::open(path).map_err(&failed)?;
        let length = file.length().map_err(&failed)?;
        if length < state.bytes {
            return Err(format!(
                "{}: is shorter than recorded in {}, expected the unchanged file",
                path.display(),
                state_path.display()
            )
            .into());
        }
        let options = pgn_of_system();
        let (path, seen) = (path.to_path_buf(), HashSet::new());
        let (is_begun, puzzles, saved, keeps_state) = (false, 0, None, true);
        let mut file = PuzzleFile { path, state_path, format, options, file, state, seen, is_begun, puzzles, saved, keeps_state };
        if is_resumed {
            file.begin()?;
        }
        if file.state.bytes > 0 {
            read(&file.path, &mut |puzzle| {
                file.seen.insert(puzzle.map_err(|error| Failure::from(format!("{}: {error}", file.path.display())))?.identity());
                file.puzzles += 1;
                Ok(())
            })?;
        }
        Ok(file)
    }

    /// The same for a file that is never resumed: a process that is killed must not leave a state that says otherwise.
    pub fn without_state(self) -> PuzzleFile {
        PuzzleFile { keeps_state: false, ..self }
    }

    /// Removes what the file contained before, once there is something to replace it: a mistyped input must not cost the puzzles of an
    /// earlier run.
    fn begin(&mut self) -> Result<(), Failure> {
        if !self.is_begun {
            self.file.truncate(self.state.bytes).map_err(Failure::at(self.path.display()))?;
            self.is_begun = true;
            self.save()?;
        }
        Ok(())
    }

    /// Games and lines processed so far, earlier runs included.
    pub fn done(&self) -> usize {
        self.state.games
    }

    /// Of the inputs of an earlier run, their combined CRC-32, see [`combined`]; none if that run did not store it.
    pub fn inputs(&self) -> Option<u32> {
        self.state.inputs
    }

    fn count(&mut self, input: u32) {
        self.state.games += 1;
        self.state.inputs = self.state.inputs.map(|before| combined(before, input));
    }

    /// Counts an input that could not be read, with its CRC-32.
    pub fn skip(&mut self, input: u32, fault: String) {
        self.count(input);
        self.state.faults += 1;
        self.state.first_fault.get_or_insert(fault);
    }

    /// The number of inputs that could not be read, earlier runs included, and the first error.
    pub fn faults(&self) -> (usize, Option<String>) {
        (self.state.faults, self.state.first_fault.clone())
    }

    /// Adds the puzzles of the next game, which has this CRC-32, except those whose position, or its mirror image, is already in the file.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn add(&mut self, input: u32, puzzles: &[Puzzle]) -> Result<(), Failure> {
        self.begin()?;
        let mut bytes = Vec::new();
        for puzzle in puzzles {
            if self.seen.insert(puzzle.identity()) {
                bytes.extend(self.format.write(puzzle, &self.options).map_err(Failure::at(self.path.display()))?);
                self.puzzles += 1;
            }
        }
        self.file.append(&bytes).map_err(Failure::at(self.path.display()))?;
        self.state.bytes += bytes.len() as u64;
        self.count(input);
        if self.saved.is_none_or(|saved| saved.elapsed() > INTERVAL) { self.save() } else { Ok(()) }
    }

    /// Writes the state of a file that has been begun.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn save(&mut self) -> Result<(), Failure> {
        if !self.is_begun {
            return Ok(());
        }
        self.saved = Some(Instant::now());
        if !self.keeps_state {
            // That of an earlier run, whose puzzles are gone.
            let _ = std::fs::remove_file(&self.state_path);
            return Ok(());
        }
        let text = serde_json::to_string(&self.state).unwrap_or_default() + "\n";
        write_atomically(&self.state_path, text.as_bytes()).map_err(Failure::at(self.state_path.display()))
    }

    /// Removes the state: the file is complete. With only inputs that could not be read it is as before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self, read_any: bool) -> Result<(), Failure> {
        if !self.is_begun && !read_any {
            return Ok(());
        }
        self.begin()?;
        let _ = std::fs::remove_file(&self.state_path);
        let (path, is_empty) = (self.path, self.state.bytes == 0);
        drop(self.file);
        // Dropping the lock removes a new empty file, but no puzzles is a valid result: create it again.
        if is_empty {
            let _ = File::create_new(path);
        }
        Ok(())
    }
}

/// The CRC-32 of inputs followed by another one.
pub fn combined(before: u32, input: u32) -> u32 {
    let mut crc = crc32fast::Hasher::new_with_initial(before);
    crc.update(&input.to_le_bytes());
    crc.finalize()
}

/// The error for an unknown extension.
pub fn expected_format(path: &Path) -> Failure {
    Failure::Usage(format!("{}: expected a name that ends with .jsonl or .pgn", path.display()))
}

/// Whether a file is empty. A run that is killed before its first result leaves it so, without a state.
fn is_empty(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.len() == 0)
}

/// The number of puzzles in a complete puzzle file; none if the file does not exist, is empty, has a state, or contains
/// anything else.
///
/// # Errors
/// If it cannot be read.
pub fn complete(path: &Path) -> Result<Option<usize>, Failure> {
    if state_path(path).symlink_metadata().is_ok() || !path.is_file() || is_empty(path) {
        return Ok(None);
    }
    let (mut puzzles, mut faults) = (0, 0);
    read(path, &mut |puzzle| {
        *if puzzle.is_ok() { &mut puzzles } else { &mut faults } += 1;
        Ok(())
    })?;
    Ok((faults == 0).then_some(puzzles))
}

/// The state of an earlier run; none if there is no state, and the output does not exist or is empty.
fn read_state(path: &Path, state_path: &Path) -> Result<Option<State>, Failure> {
    if state_path.symlink_metadata().is_err() {
        if path.symlink_metadata().is_err() || is_empty(path) {
            return Ok(None);
        }
        let state = state_path.display();
        return Err(format!("{}: was not begun by chuhe puzzles, expected {state} next to it", path.display()).into());
    }
    let mut text = Vec::new();
    let read = File::open(state_path).and_then(|file| file.take(1 << 16).read_to_end(&mut text));
    let state = read.ok().and_then(|_| serde_json::from_slice(&text).ok());
    state.map(Some).ok_or_else(|| format!("{}: expected a state file written by chuhe puzzles", state_path.display()).into())
}

/// Receives the puzzles of a file one by one, or an error message with the place.
pub type Sink<'a> = &'a mut dyn FnMut(Result<Puzzle, String>) -> Result<(), Failure>;

/// Reads a puzzle file in the format given by its extension.
///
/// # Errors
/// If it cannot be read, and those of the sink.
pub fn read(path: &Path, sink: Sink<'_>) -> Result<(), Failure> {
    let failed = Failure::at(path.display());
    match PuzzleFormat::of_path(path).ok_or_else(|| expected_format(path))? {
        PuzzleFormat::Json => {
            for puzzle in text::read_json(std::fs::read(path).map_err(&failed)?) {
                sink(puzzle)?;
            }
        }
        PuzzleFormat::Pgn => {
            for numbered in (1..).zip(Records::open(path, Some(Format::Pgn))?) {
                sink(text::of_game(numbered))?;
            }
        }
    }
    Ok(())
}
