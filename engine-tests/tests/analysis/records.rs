//! Real record files compared with a table of their contents. The files belong to their authors and are not part of this
//! repository: if they are not found, the tests are skipped with a message.

use chuhe::records::{Records, Setup};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of sample files, next to the repository.
fn samples() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let found = [root.join("../shared/samples"), root.join("../../shared/samples")].into_iter().find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no ../shared/samples beside the repository");
    }
    found
}

struct Expected {
    plies: usize,
    start: String,
    end: String,
    moves_in_tree: usize,
}

fn table(folder: &Path) -> BTreeMap<String, Vec<Expected>> {
    let text = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut table: BTreeMap<String, Vec<Expected>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |index: usize| cells[index].parse::<usize>().unwrap();
        let games = table.entry(cells[0].to_string()).or_default();
        assert_eq!(number(1), games.len() + 1, "{line}");
        games.push(Expected {
            plies: number(2),
            start: cells[3].to_string(),
            end: cells[4].to_string(),
            moves_in_tree: number(5),
        });
    }
    table
}

/// Sizes of trees for which the table counts less: a file with variations in parentheses, which the
/// reader that made the table treats as comments.
const OWN_COUNT: [(&str, usize); 1] = [("pgn/variations-utf8.pgn", 11)];

#[test]
fn every_sample_agrees_with_the_table() {
    let Some(folder) = samples() else { return };
    let mut games = 0;
    for (file, expected) in table(&folder) {
        let records: Vec<_> = Records::open(&folder.join(&file), None).unwrap_or_else(|error| panic!("{error}")).collect();
        assert_eq!(records.len(), expected.len(), "{file}");
        for (number, (record, expected)) in records.into_iter().zip(expected).enumerate() {
            let place = format!("{file} game {}", number + 1);
            let record = record.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(record.plies(), expected.plies, "{place}: {:?}", record.warnings());
            assert_eq!(record.start.to_board_fen(), expected.start, "{place}");
            let end = match record.final_position() {
                Ok(position) => Setup::from_position(&position).to_board_fen(),
                // A heading of a library has no position and no moves.
                Err(_) => record.start.to_board_fen(),
            };
            assert_eq!(end, expected.end, "{place}");
            let moves = OWN_COUNT.iter().find(|(name, _)| *name == file).map_or(expected.moves_in_tree, |(_, moves)| *moves);
            // The table counts all moves of the file, two of which are illegal.
            assert_eq!(record.moves_in_tree() + record.left_out(), moves, "{place}: {:?}", record.warnings());
            games += 1;
        }
    }
    assert!(games > 100, "only {games} games found");
}

/// An invalid byte must not change the detected encoding of all games of a file; only the affected game is reported.
#[test]
fn a_damaged_byte_loses_only_its_own_character() {
    let game = |remark: &str| format!("[Red \"许银川\"]\n[Black \"吕钦\"]\n\n1. 炮二平五 {{{remark}}} 马8进7 2. 马二进三 *\n\n");
    let text = [game("当头炮"), game("正着"), game("屏风马")].concat();
    let mut bytes = text.clone().into_bytes();
    bytes[text.find('正').unwrap() + 1] = b' ';
    let games: Vec<_> = Records::new(bytes, None).unwrap().map(|record| record.unwrap()).collect();
    assert_eq!(games.iter().map(|game| game.plies()).collect::<Vec<_>>(), [3, 3, 3]);
    let warnings: Vec<Vec<String>> = games.iter().map(|game| game.warnings()).collect();
    assert!(warnings[0].is_empty() && warnings[2].is_empty(), "{warnings:?}");
    assert!(warnings[1].len() == 1 && warnings[1][0].contains("unreadable"), "{warnings:?}");
    let first = games[1].main_line().next().unwrap();
    assert!(games[1].comment(first).ends_with('着'), "{}", games[1].comment(first));

    // A damaged move is kept as a comment with the moves after it.
    let mut bytes = text.clone().into_bytes();
    bytes[text.rfind('马').unwrap()] = 0xff;
    let games: Vec<_> = Records::new(bytes, None).unwrap().map(|record| record.unwrap()).collect();
    assert_eq!(games.iter().map(|game| game.plies()).collect::<Vec<_>>(), [3, 3, 2]);
    assert_eq!(games[2].warnings().len(), 2, "{:?}", games[2].warnings());
}
