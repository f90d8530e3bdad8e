//! The bodies of the library fuzz targets, shared with bounded random tests on stable Rust.

use super::headers::Prepared;
use super::line::Line;
use super::replay::Replay;
use super::{AddOptions, Dates, ExactPosition, Library, Material, Pattern, Query, Range, details};
use crate::board::Setup;
use crate::records::{Format, RecordResult, Records};
use std::path::PathBuf;
use std::sync::LazyLock;
use tempfile::TempDir;

/// The games of the test library.
const GAMES: &str = r#"[Event "New Year Cup"]
[Site "广州"]
[Date "1981.01.05"]
[Red "胡荣华"]
[Black "Yang Guanlin"]

1. h2e2 {a sharp opening} h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0

[Event "League"]
[Date "2006-07-14"]
[Red "Lü Qin"]
[Black "胡荣华"]
[Opening "The Elephants"]

1. g0e2 h7e7 (1... b7e7 {Elsewhere}) 2. h0g2 h9g7 1/2-1/2

[Event "Study"]
[FEN "5k3/9/9/9/9/9/9/9/4r4/3RK4 w - - 0 1"]

1. e0e1 f9f8 2. d0d8 *
"#;

/// A library in a temporary folder.
struct TestLibrary {
    folder: TempDir,
    library: Library,
}

impl TestLibrary {
    fn new() -> Option<TestLibrary> {
        let folder = tempfile::tempdir().ok()?;
        let games = folder.path().join("games.pgn");
        std::fs::write(&games, GAMES).ok()?;
        let mut library = Library::create_or_open(&folder.path().join("library.chuhe")).ok()?;
        library.add(&[games], AddOptions::default(), &mut |_| {}).ok()?;
        Some(TestLibrary { folder, library })
    }
}

thread_local! {
    static LIBRARY: Option<TestLibrary> = TestLibrary::new();
}

/// The bytes of the test library.
static INTACT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let bytes = TestLibrary::new().map(|test| std::fs::read(test.folder.path().join("library.chuhe")).unwrap_or_default());
    bytes.unwrap_or_default()
});

/// Parses a query with one criterion per line, each prefixed by the letter of its kind as in [`SEARCHES`]; invalid lines are ignored.
fn query(text: &str) -> Query {
    let mut query = Query::default();
    for line in text.lines().take(20) {
        let Some((kind, value)) = line.split_once(' ') else { continue };
        let owned = || Some(value.to_string());
        match kind {
            "f" => query.position = ExactPosition::from_fen(value, true).ok(),
            "F" => query.position = ExactPosition::from_fen(value, false).ok(),
            "p" => query.pattern = Pattern::new(value, true).ok(),
            "P" => query.pattern = Pattern::new(value, false).ok(),
            "m" => query.material = value.parse::<Material>().ok(),
            "d" => query.dates = value.parse::<Dates>().ok(),
            "n" => query.plies = value.parse::<Range>().ok(),
            "u" => query.results.extend(RecordResult::from_token(value)),
            "y" => query.players.push(value.into()),
            "r" => query.red = owned(),
            "b" => query.black = owned(),
            "e" => query.event = owned(),
            "s" => query.site = owned(),
            "o" => query.opening = owned(),
            "c" => query.comment = owned(),
            _ => {}
        }
    }
    query
}

/// Parses arbitrary bytes as a query, searches a small library, and compares the hits with those found by replaying all games. Returns the
/// number of hits.
///
/// # Panics
/// If the hits differ or a search fails.
pub fn search(bytes: &[u8]) -> usize {
    let query = query(&String::from_utf8_lossy(bytes));
    LIBRARY.with(|test| {
        let Some(TestLibrary { library, .. }) = test else { return 0 };
        let Ok(hits) = library.search(&query) else { panic!("an intact library can be searched") };
        if query.position.is_none() && query.pattern.is_none() && query.material.is_none() {
            return hits.len();
        }
        let headers = Query { position: None, pattern: None, material: None, ..query.clone() };
        let Ok(chosen) = library.search(&headers) else { panic!("an intact library can be searched") };
        let mut expected = Vec::new();
        for hit in chosen {
            let Ok(record) = library.record(hit.game) else { panic!("an intact library has its records") };
            let Ok(end) = record.final_position() else { panic!("stored moves are legal") };
            let boards = end.states().iter().map(|state| Replay::new(&Setup::from_board(&state.board)));
            let found = boards.enumerate().find_map(|(ply, board)| Some((ply as u32, query.matches(&board?)?)));
            expected.extend(found.map(|(ply, mirrored)| super::Hit { game: hit.game, ply: Some(ply), mirrored }));
        }
        assert_eq!(hits, expected, "{query:?}");
        hits.len()
    })
}

/// Parses arbitrary bytes as a file, in the format given by the first byte, and checks that every storable record survives a round trip.
/// Returns the number of records stored.
///
/// # Panics
/// If a record changes in a round trip.
pub fn records(bytes: &[u8]) -> usize {
    let Some((&format, bytes)) = bytes.split_first() else { return 0 };
    let format = Format::ALL[format as usize % Format::ALL.len()];
    let Ok(records) = Records::new(bytes.to_vec(), Some(format)) else { return 0 };
    let mut stored = 0;
    for record in records.take(20).flatten() {
        let Ok(prepared) = Prepared::new(&record) else { continue };
        let line = Line::new(&prepared.line);
        let copy = line.and_then(|line| {
            let (start, moves) = line.moves()?;
            let (values, mut copy) = details::decode(prepared.details.as_deref(), start, &moves)?;
            prepared.columns.restore(values, &mut copy)?;
            copy.result = line.result();
            Some(copy)
        });
        assert!(copy.as_ref() == Some(&record), "{record:?}\n{copy:?}");
        stored += 1;
    }
    stored
}

/// Uses a damaged copy of the test library. Each four bytes of `changes` overwrite one byte: three for the offset, one for the value; three
/// remaining bytes are the length to truncate to. Returns whether `check` finds no fault.
pub fn damaged(changes: &[u8]) -> bool {
    let mut file = INTACT.clone();
    for change in changes.chunks_exact(4) {
        let offset = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % file.len().max(1);
        if let Some(byte) = file.get_mut(offset) {
            *byte = change[3];
        }
    }
    if let [low, middle, high] = changes.chunks_exact(4).remainder() {
        file.truncate(u32::from_le_bytes([*low, *middle, *high, 0]) as usize % file.len().max(1));
    }
    let Ok(folder) = tempfile::tempdir() else { return false };
    let path = folder.path().join("library.chuhe");
    if std::fs::write(&path, file).is_err() {
        return false;
    }
    read_all(path)
}

/// Runs all library operations, ignoring their results. Returns whether `check` finds no fault.
fn read_all(path: PathBuf) -> bool {
    let Ok(mut library) = Library::open(&path) else { return false };
    let _ = library.search(&Query::default());
    let _ = library.search(&query("f rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR\nc open"));
    let _ = library.search(&query("p Rd8\ny 胡"));
    let _ = library.explore(crate::board::Position::startpos().board(), 3);
    let _ = library.stats(3);
    for game in 0..=library.len().unwrap_or(0).min(5) {
        let _ = (library.summary(game), library.record(game), library.sources(game));
    }
    let is_intact = library.check(&mut |_| {}).is_ok_and(|checked| checked.faults.is_empty());
    if let Some(Ok(record)) =
        Records::new(b"1. c3c4 g6g5 *".to_vec(), Some(Format::Pgn)).ok().and_then(|mut records| records.next())
    {
        let _ = library.add_record(&record);
    }
    is_intact
}

/// Builds the input of [`records`] for a file of a format.
pub fn record(format: Format, file: &[u8]) -> Vec<u8> {
    let number = Format::ALL.iter().position(|&known| known == format).unwrap_or(0);
    [&[number as u8], file].concat()
}

/// Seed queries.
pub const SEARCHES: [&str; 6] = [
    "f rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w\n",
    "F rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\nd 1980..2006-07-14\nn 4..7\nu 1/2-1/2\n",
    "p */*/*/*/*/*/*/?C2C*/*/*\ny 胡\n",
    "P Rd8 kf8 b\nm R-\n",
    "m -R\np Rd8 -e5 Xe1\n",
    "r lü\nb 胡荣华\ne league\no elephants\nc elsewhere\n",
];

/// Seed changes.
pub const CHANGES: [&[u8]; 3] = [&[], &[0, 2, 0, 7, 100, 32, 0, 255], &[0, 0x30, 0]];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seeds_are_effective() {
        assert_eq!(SEARCHES.map(|text| search(text.as_bytes())), [1; 6]);
        assert_eq!(records(&record(Format::Pgn, GAMES.as_bytes())), 3);
        assert!(damaged(CHANGES[0]) && !damaged(CHANGES[2]));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn search_agrees_with_replaying_all_games(
            lines in proptest::collection::vec((
                prop::sample::select(&["f", "F", "p", "P", "m", "d", "n", "u", "y", "r", "c"][..]),
                prop_oneof![
                    "[KABNRCPkabnrcpXx-][a-i][0-9]( [RCNrcn][a-i][0-9])?( [wb])?",
                    "[RNCP]{0,2}-[RNCPD]{0,2}",
                    "[0-9]{0,4}(\\.\\.)?[0-9]{0,4}",
                    ".{0,12}",
                ],
            ), 0..4),
        ) {
            let text: Vec<String> = lines.into_iter().map(|(kind, value)| format!("{kind} {value}")).collect();
            search(text.join("\n").as_bytes());
        }

        #[test]
        fn damaged_libraries_do_not_panic(changes in proptest::collection::vec(any::<u8>(), 0..40)) {
            damaged(&changes);
        }

        #[test]
        fn records_of_arbitrary_bytes_survive_a_round_trip(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            records(&bytes);
        }
    }
}
