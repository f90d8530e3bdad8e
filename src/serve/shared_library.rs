//! The library of games of a server.

use crate::board::Board;
use crate::board_page::Problem;
use crate::board_page::limits::LATEST_GAMES;
use crate::board_page::message::{Explored, ExploredGame, ExploredMove, Move as MoveForm};
use crate::library::{Library, LibraryError};
use crate::notation::Notation;
use crate::records::Record;
use crate::system::file_name;
use parking_lot::Mutex;

/// A library shared by all pages. A lock serializes the queries.
pub struct SharedLibrary(Mutex<Library>);

impl SharedLibrary {
    /// Wraps an open library.
    pub fn new(library: Library) -> SharedLibrary {
        SharedLibrary(Mutex::new(library))
    }

    /// The file name without its directory.
    pub fn name(&self) -> String {
        file_name(self.0.lock().path())
    }

    /// The moves played from a position.
    ///
    /// # Errors
    /// When the file is damaged, or locked by another process.
    pub fn explore(&self, board: &Board, notation: &Notation) -> Result<Explored, Problem> {
        let library = self.0.lock();
        let found = library.explore(board, LATEST_GAMES).map_err(failed)?;
        let moves = found.moves.into_iter();
        let moves =
            moves.map(|known| ExploredMove { mv: MoveForm::named(notation, board, known.mv), stats: known.stats }).collect();
        let latest = found.latest.into_iter().map(|game| {
            let game = library.summary(game).map_err(failed)?;
            Ok(ExploredGame {
                game: game.game,
                red: game.red.unwrap_or_default(),
                black: game.black.unwrap_or_default(),
                date: game.date.unwrap_or_default(),
                event: game.event.unwrap_or_default(),
                result: game.result.token().to_string(),
                plies: game.plies,
            })
        });
        Ok(Explored { games: found.games, moves, latest: latest.collect::<Result<_, Problem>>()? })
    }

    /// A game by its number, from 1.
    ///
    /// # Errors
    /// When there is no such game, or the file is damaged.
    pub fn record(&self, game: u32) -> Result<Record, Problem> {
        self.0.lock().record(game).map_err(failed)
    }
}

/// The error without the path of the file, which pages must not learn.
fn failed(error: LibraryError) -> Problem {
    Problem::Library(error.kind().to_string())
}
