//! The fuzz targets, in one program: the environment variable `FUZZ_TARGET` names the one that runs, see README.md.
#![no_main]

// The targets and the seeds each use part of it.
#[allow(dead_code)]
#[path = "../engine-tests/src/notation_check.rs"]
mod notation_check;

use chuhe::board::Position;
use chuhe::records::{Format, fuzzing::game_file};
use chuhe_tuning::fuzzing::{network_bytes, network_changes, record_bytes};
use std::sync::LazyLock;

type Target = Box<dyn Fn(&[u8]) + Send + Sync>;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    target(&name).unwrap_or_else(|| panic!("FUZZ_TARGET is '{name}', expected a target of README.md"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));

/// What a target does with arbitrary bytes.
fn target(name: &str) -> Option<Target> {
    Some(match name {
        // An opening book of any format is queried, written and read back.
        "book" => calling(chuhe::book::fuzzing::book),
        // The rows of an SQLite book of either format: it is queried, a move changed, and queried again.
        "book_rows" => calling(chuhe::book::fuzzing::rows),
        // An endgame table, and changes to a valid one whose checksums are then corrected, so that the code after the check is reached.
        "endgame" => calling(|bytes| (chuhe::endgame::fuzzing::read(bytes), chuhe::endgame::fuzzing::read_changed(bytes))),
        "fen" => calling(fen),
        // Changes to a library of games, on which every operation is then run.
        "library_damaged" => calling(chuhe::library::fuzzing::damaged),
        // A file of any format, whose records a library returns unchanged.
        "library_records" => calling(chuhe::library::fuzzing::records),
        // Search criteria: the search must find the same games as replaying all of them.
        "library_search" => calling(chuhe::library::fuzzing::search),
        // A network file, and changes to a valid one whose checksum is then corrected.
        "network" => calling(|bytes| (network_bytes(bytes), network_changes(bytes))),
        "notation" => calling(notation_check::check_bytes),
        // The lines of a client of UCI or UCCI.
        "protocol" => calling(chuhe::protocol::digest),
        // A file of puzzles is written in both formats and read back.
        "puzzles" => calling(chuhe::puzzles::fuzzing::file),
        // A record file of self-play, a block of one, a game and a board.
        "records" => calling(record_bytes),
        // A message of the page of `chuhe serve`. A tree is unchanged by a round trip.
        "serve" => calling(chuhe::board_page::fuzzing::message),
        // A game file of one format, such as `game_pgn`, is written in every format and read back.
        _ => {
            let format: Format = name.strip_prefix("game_")?.parse().ok()?;
            calling(move |bytes| game_file(format, bytes))
        }
    })
}

fn calling<T>(run: impl Fn(&[u8]) -> T + Send + Sync + 'static) -> Target {
    Box::new(move |bytes| drop(run(bytes)))
}

/// A position is written and read back as the same one, and its legal moves can be played.
fn fen(bytes: &[u8]) {
    let Ok(mut position) = Position::from_fen(&String::from_utf8_lossy(bytes)) else { return };
    let fen = position.to_fen();
    let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.board(), position.board());
    assert_eq!(again.to_fen(), fen);
    for mv in position.board().legal_moves() {
        position.make(mv);
        assert_eq!(position.board().key(), position.board().recomputed_key());
        position.unmake();
    }
}
