//! Libraries of games.

use crate::board::Board;
use crate::record::Record;
use crate::{error, file_error, word};
use chuhe::library::{self, AddEvent, AddOptions, ExactPosition, ExploredMove, LibraryError, Material, Pattern, Query, Summary};
use chuhe::records::{Format, InputEncoding, RecordResult, Setup};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Interval at which Ctrl-C is noticed while games are added.
const POLL: Duration = Duration::from_millis(100);

/// A library of games in a file, as used by `chuhe library`; created if it does not exist.
#[pyclass(frozen, subclass, module = "chuhe._chuhe")]
pub struct Library {
    library: Mutex<library::Library>,
    path: PathBuf,
}

/// Number, variant of, Red, Black, event, site, date, round, result, plies, opening.
type Row = (
    u32,
    Option<u32>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    &'static str,
    u32,
    Option<String>,
);

/// A move, its games, Red's wins, draws, Black's wins, the last year, players, the latest game.
type Explored = (String, u32, u32, u32, u32, Option<u32>, Vec<(String, u32)>, u32);

impl Library {
    fn lock(&self) -> MutexGuard<'_, library::Library> {
        self.library.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Accesses the library with the GIL released.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut library::Library) -> Result<T, LibraryError> + Send,
    ) -> PyResult<T> {
        py.detach(|| work(&mut self.lock())).map_err(error)
    }
}

/// A number of games or names to list.
fn count(what: &str, number: i64) -> PyResult<usize> {
    usize::try_from(number).map_err(|_| error(format!("{what} {number}: expected 0 or more")))
}

/// The number of a game, which Python may give with any sign and size.
fn number(game: i64) -> PyResult<u32> {
    u32::try_from(game).map_err(|_| error(format!("no game {game}, expected one of 1 to {}", u32::MAX)))
}

/// A search criterion by name; `None` if it is absent or `None`.
fn criterion<'py, T: FromPyObjectOwned<'py>>(criteria: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>> {
    match criteria.get_item(name)? {
        Some(value) if !value.is_none() => value.extract().map(Some).map_err(Into::into),
        _ => Ok(None),
    }
}

fn query(criteria: &Bound<'_, PyDict>) -> PyResult<Query> {
    let text = |name| criterion::<String>(criteria, name);
    let read = |name| text(name);
    let mirror = criterion::<bool>(criteria, "mirror")?.unwrap_or(true);
    let position = match criteria.get_item("position")? {
        Some(value) if !value.is_none() => {
            if let Ok(board) = value.cast::<Board>() {
                let position = board.try_borrow()?.position.clone();
                Some(ExactPosition::new(&Setup::from_position(&position), Some(position.side_to_move()), mirror).map_err(error)?)
            } else {
                Some(ExactPosition::from_fen(&value.extract::<String>()?, mirror).map_err(error)?)
            }
        }
        _ => None,
    };
    let pattern = text("pattern")?.map(|text| Pattern::new(&text, mirror)).transpose().map_err(error)?;
    let material = text("material")?.map(|text| word::<Material>(&text)).transpose()?;
    let result = |token: String| {
        RecordResult::from_token(&token)
            .ok_or_else(|| error(format!("result '{}', expected 1-0, 0-1, 1/2-1/2 or *", token.escape_debug())))
    };
    Ok(Query {
        position,
        pattern,
        material,
        players: text("player")?.into_iter().chain(text("opponent")?).collect(),
        red: read("red")?,
        black: read("black")?,
        event: read("event")?,
        site: read("site")?,
        opening: read("opening")?,
        dates: text("date")?.map(|text| word(&text)).transpose()?,
        results: text("result")?.map(result).transpose()?.into_iter().collect(),
        plies: text("plies")?.map(|text| word(&text)).transpose()?,
        comment: read("comment")?,
    })
}

#[pymethods]
impl Library {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Library> {
        let library = py.detach(|| library::Library::create_or_open(&path)).map_err(|fault| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            // A new library in a folder that cannot be written has its own message.
            let is_new = !path.exists() && folder.is_none_or(|folder| folder.is_dir());
            if is_new { error(fault) } else { file_error(&path, fault) }
        })?;
        Ok(Library { library: Mutex::new(library), path })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |library| library.len().map(|games| games as usize))
    }

    /// Adds files, and returns the output of `chuhe library add --json`, and the warnings and failures.
    fn _add(
        &self,
        py: Python<'_>,
        files: Vec<PathBuf>,
        format: Option<&str>,
        encoding: Option<&str>,
    ) -> PyResult<(String, Vec<String>)> {
        let options = AddOptions {
            format: format.map(word::<Format>).transpose()?,
            encoding: encoding.map(word::<InputEncoding>).transpose()?,
        };
        let (mut notes, mut raised, mut checked) = (Vec::new(), None, Instant::now());
        let mut on_event = |event: AddEvent<'_>| {
            if let AddEvent::Warning(note) | AddEvent::Fault(note) = event {
                notes.push(note);
            }
        };
        // Ctrl-C. Seldom, as another thread of Python may not give up the interpreter at once.
        let mut is_wanted = || {
            if raised.is_none() && checked.elapsed() > POLL {
                raised = Python::attach(|py| py.check_signals()).err();
                checked = Instant::now();
            }
            raised.is_none()
        };
        let added = self.with(py, |library| library.add_while(&files, options, &mut on_event, &mut is_wanted))?;
        if let Some(raised) = raised {
            return Err(raised);
        }
        Ok((serde_json::to_string(&added).map_err(error)?, notes))
    }

    /// Adds a record, and returns its number and whether it is new.
    fn add_record(&self, py: Python<'_>, record: &Bound<'_, Record>) -> PyResult<(u32, bool)> {
        // A copy: other threads may edit the record meanwhile.
        let record = record.try_borrow()?.record.clone();
        self.with(py, |library| library.add_record(&record))
    }

    /// The record of a game.
    fn record(&self, py: Python<'_>, game: i64) -> PyResult<Record> {
        let game = number(game)?;
        self.with(py, |library| library.record(game)).map(|record| Record { record })
    }

    /// The files that contain a game, with its number in each.
    fn sources(&self, py: Python<'_>, game: i64) -> PyResult<Vec<(PathBuf, u32)>> {
        let game = number(game)?;
        self.with(py, |library| library.check_number(game).and_then(|()| library.sources(game)))
    }

    fn _summary(&self, py: Python<'_>, game: i64) -> PyResult<Row> {
        let number = number(game)?;
        let Summary { game, variant_of, red, black, event, site, date, round, result, plies, opening } =
            self.with(py, |library| library.summary(number))?;
        Ok((game, variant_of, red, black, event, site, date, round, result.token(), plies, opening))
    }

    fn _search(&self, py: Python<'_>, criteria: &Bound<'_, PyDict>) -> PyResult<Vec<(u32, Option<u32>, bool)>> {
        let query = query(criteria)?;
        let hits = self.with(py, |library| library.search(&query))?;
        Ok(hits.into_iter().map(|hit| (hit.game, hit.ply, hit.mirrored)).collect())
    }

    fn _explore(&self, py: Python<'_>, board: &Bound<'_, Board>, latest: i64) -> PyResult<(u32, Vec<Explored>, Vec<u32>)> {
        let latest = count("latest", latest)?;
        let board = *board.try_borrow()?.position.board();
        let found = self.with(py, |library| library.explore(&board, latest))?;
        let moves = found.moves.into_iter().map(|ExploredMove { mv, stats, latest }| {
            let players = stats.players.into_iter().map(|player| (player.name, player.games)).collect();
            (mv.to_string(), stats.games, stats.red_wins, stats.draws, stats.black_wins, stats.last_year, players, latest)
        });
        Ok((found.games, moves.collect(), found.latest))
    }

    /// The output of `chuhe library stats --json`.
    fn _stats(&self, py: Python<'_>, top: i64) -> PyResult<String> {
        let top = count("top", top)?;
        let stats = self.with(py, |library| library.stats(top))?;
        serde_json::to_string(&stats).map_err(error)
    }

    /// The errors of the library, one line each; empty if there are none.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |library| library.check(&mut |_| {})).map(|checked| checked.faults)
    }

    fn __repr__(&self) -> String {
        format!("Library('{}')", self.path.display())
    }
}
