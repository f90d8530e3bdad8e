//! Every format that is written, and back: the same tree, comments, result and start, or the loss is named.

use chuhe::board::Position;
use chuhe::records::{Format, Losses, PgnOptions, Record, RecordResult, RecordWriter, Records, Setup, write};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::path::Path;

const GAMES: u64 = 1_000;

/// A game of random legal moves with some variations, comments and a result.
fn game(seed: u64) -> Record {
    let mut random = StdRng::seed_from_u64(seed);
    let mut position = Position::startpos();
    if seed.is_multiple_of(4) {
        // From a position of its own, with either side to move.
        for _ in 0..random.random_range(1..12) {
            let moves = position.board().legal_moves();
            position.make(moves[random.random_range(0..moves.len())]);
        }
    }
    let mut start = Setup::from_position(&position);
    // What few formats hold is asked for elsewhere.
    (start.clock, start.fullmove) = (0, 1);
    let mut record = Record::new(start.clone());
    let mut ends = vec![(record.root(), start.position().expect("it was played"))];
    for line in 0..random.random_range(1..5) {
        // The first line from the start, others from any node of the lines before.
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

fn names(losses: &Losses, what: &[&str]) -> bool {
    let told = losses.to_string();
    what.iter().any(|what| told.contains(what))
}

/// What a game was written as is the game, unless the loss is named.
fn compare(record: &Record, back: &Record, losses: &Losses, place: &str) {
    // Text that was damaged in the original is damaged still, and the reader of DhtmlXQ warns of a game without moves.
    let is_known =
        |warning: &str| warning.contains("unreadable") || (record.moves_in_tree() == 0 && warning.contains("list of moves"));
    let is_new = |warning: &String| record.warnings().is_empty() && !is_known(warning);
    assert!(!back.warnings().iter().any(is_new), "{place}: {:?}", back.warnings());
    let of_moves = |record: &Record| -> Vec<_> { record.walk().map(|(depth, id)| (depth, record.mv(id))).collect() };
    // Text formats keep no blanks at the ends of lines.
    let of_comments = |record: &Record| -> Vec<String> {
        record.walk().map(|(_, id)| record.comment(id).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let has_variations = !names(losses, &["moves of variations"]);
    if has_variations {
        assert_eq!(of_moves(back), of_moves(record), "{place}");
    } else {
        assert!(back.moves().eq(record.moves()), "{place}");
    }
    if has_variations && !names(losses, &["comment", "characters", "braces"]) {
        assert_eq!(of_comments(back), of_comments(record), "{place}");
    }
    if !names(losses, &["move counters"]) {
        assert_eq!(back.start, record.start, "{place}");
    } else {
        assert_eq!(back.start.to_board_fen(), record.start.to_board_fen(), "{place}");
    }
    if !names(losses, &["result"]) {
        assert_eq!(back.result, record.result, "{place}");
    }
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        if !names(losses, &[&format!("tag {name} "), "shortened", "characters", "braces", "marks", "brackets", "line breaks"]) {
            assert_eq!(back.tag(name).map(str::trim), Some(value.trim()), "{place}: {name}, {losses}");
        }
    }
}

/// The formats whose files hold a game rather than positions.
fn written() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| format.is_written() && *format != Format::Fen)
}

fn written_and_read(record: &Record, format: Format, place: &str) -> (Record, Losses) {
    let (bytes, losses) = write(record, format, &PgnOptions::default()).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(Format::shown_by(&bytes), Some(format), "{place}");
    let mut records = Records::new(bytes, None).unwrap_or_else(|error| panic!("{place}: {error}"));
    let back = records.next().expect("one game").unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(records.next().is_none(), "{place}");
    (back, losses)
}

#[test]
fn a_thousand_games_go_through_every_format() {
    let mut variations = 0;
    for seed in 0..GAMES {
        let record = game(seed);
        variations += record.has_variations() as u64;
        for format in written() {
            let place = format!("game {seed} as {format}");
            let (back, losses) = written_and_read(&record, format, &place);
            compare(&record, &back, &losses, &place);
        }
    }
    assert!(variations > GAMES / 2, "{variations}");
}

#[test]
fn games_go_through_all_formats_of_trees_one_after_another() {
    let formats = [Format::Xqf, Format::Cbr, Format::Txq, Format::Cbf, Format::DhtmlXq, Format::Cbl, Format::Pgn];
    for seed in 0..GAMES / 10 {
        let record = game(seed);
        let last = formats
            .iter()
            .fold(record.clone(), |record, &format| written_and_read(&record, format, &format!("game {seed} as {format}")).0);
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
        compare(&game(seed), &back.expect("a record"), &Losses::default(), &format!("game {seed} of the library"));
        games += 1;
    }
    assert_eq!(games, GAMES);
}

/// Real files, where they are found: every game of the samples through every format.
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
                for format in written() {
                    let place = format!("{} game {number} as {format}", file.display());
                    let (back, losses) = written_and_read(&record, format, &place);
                    compare(&record, &back, &losses, &place);
                }
                games += 1;
            }
        }
    }
    assert!(games > 50, "{games}");
}
