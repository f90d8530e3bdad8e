//! The communication with an engine: keeps the last lines of its stderr, and optionally logs everything to a file.

use super::error::EngineError;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Number of stderr lines kept, and characters of each.
const KEPT_LINES: usize = 3;
const KEPT_LETTERS: usize = 200;

/// The source of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speaker {
    /// The match, on the engine's stdin.
    Match,
    /// The engine on stdout.
    Engine,
    /// The engine on stderr.
    Errors,
    /// A remark by the match, for example on the end of the process.
    Remark,
}

struct Inner {
    log: Option<(File, PathBuf)>,
    /// The error that left the log incomplete.
    fault: Option<EngineError>,
    start: Instant,
    errors: VecDeque<String>,
}

/// The communication with one process. Cheap to clone.
#[derive(Clone)]
pub(super) struct Transcript(Arc<Mutex<Inner>>);

impl Transcript {
    /// A transcript for an engine with this name. If a folder is given, everything is logged to a new file in it.
    pub(super) fn open(folder: Option<&Path>, name: &str) -> Result<Transcript, EngineError> {
        let log = folder.map(|folder| new_log(folder, name)).transpose()?;
        Ok(Transcript(Arc::new(Mutex::new(Inner { log, fault: None, start: Instant::now(), errors: VecDeque::new() }))))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, speaker: Speaker, line: &str) {
        let mut inner = self.lock();
        if speaker == Speaker::Errors && !line.trim().is_empty() {
            if inner.errors.len() == KEPT_LINES {
                inner.errors.pop_front();
            }
            let short = line.trim().chars().take(KEPT_LETTERS).map(|letter| if letter.is_control() { ' ' } else { letter });
            inner.errors.push_back(short.collect());
        }
        let time = inner.start.elapsed().as_secs_f64();
        if let Some((log, path)) = &mut inner.log {
            let mark = match speaker {
                Speaker::Match => '<',
                Speaker::Engine => '>',
                Speaker::Errors => '!',
                Speaker::Remark => '#',
            };
            // A log that cannot be written does not end the match.
            if let Err(error) = log.write_all(format!("{time:.3} {mark} {line}\n").as_bytes()) {
                inner.fault = Some(EngineError::Log { path: path.clone(), error });
                inner.log = None;
            }
        }
    }

    /// The error that ended the log early, returned once.
    pub(super) fn take_fault(&self) -> Option<EngineError> {
        self.lock().fault.take()
    }

    /// The last lines on stderr, for appending to a sentence; empty if there were none.
    pub(super) fn last_errors(&self) -> String {
        let errors = &self.lock().errors;
        if errors.is_empty() {
            return String::new();
        }
        format!("; last lines on stderr: {}", errors.iter().cloned().collect::<Vec<_>>().join(" / "))
    }
}

/// Creates a new file: a log never replaces another one.
fn new_log(folder: &Path, name: &str) -> Result<(File, PathBuf), EngineError> {
    let failed = |path: &Path| {
        let path = PathBuf::from(path);
        move |error| EngineError::Log { path, error }
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let name = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let clean: String = name.chars().take(60).map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
    let path_of = |number: u64| folder.join(format!("{clean}-{number}.log"));
    // A match of more than two engines starts thousands of processes, so the first free number is found by bisection.
    let (mut taken, mut number) = (0, 1);
    while path_of(number).exists() {
        (taken, number) = (number, 2 * number);
    }
    while number - taken > 1 {
        let middle = taken + (number - taken) / 2;
        if path_of(middle).exists() { taken = middle } else { number = middle }
    }
    loop {
        let path = path_of(number);
        match File::options().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            result => return result.map_err(failed(&path)).map(|file| (file, path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_new_files_and_the_last_errors_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let first = Transcript::open(Some(folder.path()), "/usr/games/a b").unwrap();
        first.add(Speaker::Match, "uci");
        first.add(Speaker::Engine, "uciok");
        for number in 1..=4 {
            first.add(Speaker::Errors, &format!("error {number}"));
        }
        assert_eq!(first.last_errors(), "; last lines on stderr: error 2 / error 3 / error 4");
        let second = Transcript::open(Some(folder.path()), "a b").unwrap();
        assert_eq!(second.last_errors(), "");
        let text = std::fs::read_to_string(folder.path().join("a_b-1.log")).unwrap();
        let lines: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
        assert_eq!(lines, ["< uci", "> uciok", "! error 1", "! error 2", "! error 3", "! error 4"]);
        assert_eq!(std::fs::read(folder.path().join("a_b-2.log")).unwrap(), b"");
        for number in 3..=7 {
            drop(Transcript::open(Some(folder.path()), "a b").unwrap());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), number);
            assert!(folder.path().join(format!("a_b-{number}.log")).exists());
        }
        assert!(Transcript::open(Some(&folder.path().join("a_b-1.log")), "x").is_err());
    }
}
