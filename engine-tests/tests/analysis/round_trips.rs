//! Round trips through every writable format: the same tree, comments, result and start, or a reported loss.

use chuhe::board::Position;
use chuhe::records::{Format, Losses, PgnOptions, Record, RecordResult, RecordWriter, Records, Setup};
use engine_tests::round_trip::{compare, formats, written_and_read};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::path::Path;

const GAMES: u64 = 1_000;

/// A game of random legal moves with some variations, comments and a result.
fn game(seed: u64) -> Record {
    let mut random = Random::seed_from_u64(seed);
    let mut position = Position::startpos();
    if seed.is_multiple_of(4) {
        // From a set-up position, with either side to move.
        for _ in 0..random.random_range(1..12) {
            let moves = position.board().legal_moves();
            position.make(moves[random.random_range(0..moves.len())]);
        }
    }
    let mut start = Setup::from_position(&position);
    // Features that few formats support are tested elsewhere.
    (start.clock, start.fullmove) = (0, 1);
    let mut record = Record::new(start.clone());
    let mut ends = vec![(record.root(), start.position().expect("it was played"))];
    for line in 0..random.random_range(1..5) {
        // The first line starts at the root, others at any node of the previous lines.
        let (mut node, mut position) = ends[random.random_range(0..ends.len())].clone();
        for _ in 0..random.random_range(1..if line == 0 { 60 } else { 8 }) {
            let known: Vec<_> = record.children(node).filter_map(|child| record.mv(child)).collect();
            let moves: Vec<_> = position.board().legal_moves().iter().copied().filter(|mv| !known.contains(mv)).collect();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.random_range(0..moves.len())];
            node = record.add(node, mv).expect("a small record");
            position.make(mv);
            if random.random_range(0..8) == 0 {
                let texts = ["好棋", "应走 a0a1\n第二行", "1-0 & <b> ]]> 'x'", "炮二平五，马8进7"];
                record.append_comment(node, texts[random.random_range(0..texts.len())]);
            }
            ends.push((node, position.clone()));
        }
    }
    if seed.is_multiple_of(3) {
        record.append_comment(record.root(), "开局评注");
    }
    record.set_tag("Title", format!("第 {seed} 局"));
    record.set_tag("Red", "甲");
    record.set_tag("Black", "乙");
    use RecordResult::{BlackWins, Draw, RedWins, Unknown};
    record.result = [RedWins, BlackWins, Draw, Unknown][random.random_range(0..4)];
    record
}

/// Fails at the first difference that is not reported as a loss.
fn check(record: &Record, format: Format, place: &str) -> Record {
    let trip = written_and_read(record, format).and_then(|(back, losses)| compare(record, &back, &losses).map(|()| back));
    trip.unwrap_or_else(|fault| panic!("{place} as {format}: {fault}"))
}

#[test]
fn a_thousand_games_go_through_every_format() {
    let mut variations = 0;
    for seed in 0..GAMES {
        let record = game(seed);
        variations += record.has_variations() as u64;
        for format in formats() {
            check(&record, format, &format!("game {seed}"));
        }
    }
    assert!(variations > GAMES / 2, "{variations}");
}

#[test]
fn games_go_through_all_tree_formats_in_sequence() {
    let formats = [Format::Xqf, Format::Cbr, Format::Txq, Format::Cbf, Format::DhtmlXq, Format::Cbl, Format::Pgn];
    for seed in 0..GAMES / 10 {
        let record = game(seed);
        let last = formats.into_iter().fold(record.clone(), |record, format| check(&record, format, &format!("game {seed}")));
        assert!(last.same_tree(&record) && last.start == record.start, "game {seed}");
        assert_eq!(last.tag("Red"), record.tag("Red"));
    }
}

#[test]
fn a_thousand_games_fill_one_library() {
    let mut writer = RecordWriter::new(Format::Cbl, PgnOptions::default());
    let mut file = Vec::new();
    for seed in 0..GAMES {
        let (bytes, losses) = writer.add(&game(seed)).expect("a library holds every game");
        assert!(losses.is_empty(), "{losses}");
        file.extend(bytes);
    }
    file.extend(writer.finish().expect("a library of a thousand games"));
    let mut games = 0;
    for (seed, back) in (0..).zip(Records::new(file, None).expect("a library")) {
        let same = compare(&game(seed), &back.expect("a record"), &Losses::default());
        same.unwrap_or_else(|fault| panic!("game {seed} of the library: {fault}"));
        games += 1;
    }
    assert_eq!(games, GAMES);
}

/// Every game of the sample files, if they exist, through every format.
#[test]
fn samples_go_through_every_format() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let folder = [root.join("../shared/samples"), root.join("../../shared/samples")].into_iter().find(|path| path.is_dir());
    let Some(folder) = folder else {
        println!("skipped: no ../shared/samples beside the repository");
        return;
    };
    let mut games = 0;
    for kind in ["cbr", "xqf", "dhtmlxq", "pgn"] {
        let files = std::fs::read_dir(folder.join(kind)).expect("a folder of samples");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        for file in files {
            for (number, record) in (1..).zip(Records::open(&file, None).unwrap_or_else(|error| panic!("{error}"))) {
                let Ok(record) = record else { continue };
                if record.start.position().is_err() {
                    continue;
                }
                for format in formats() {
                    check(&record, format, &format!("{} game {number}", file.display()));
                }
                games += 1;
            }
        }
    }
    assert!(games > 50, "{games}");
}
