//! Libraries of games: every criterion, duplicates, kills, concurrent processes, damage, and position search compared with a search without an index.

use chuhe::board::{Position, Setup};
use chuhe::library::{AddOptions, ExactPosition, ExploredMove, Library, Query};
use chuhe::records::{Record, Records};
use chuhe::types::Move;
use engine_tests::{chuhe, repository};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A folder with a library in it.
struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("own file");
        path
    }

    fn library(&self) -> PathBuf {
        self.path("library.chuhe")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(chuhe());
        command.arg("library").args(arguments).current_dir(self.folder.path()).env_remove("CHUHE_LIBRARY");
        command
    }

    /// The output, or the error.
    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.command(arguments).output().expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// The numbers of the games that a search lists.
    fn games(&self, criteria: &[&str]) -> Vec<u64> {
        let printed = self.run(&[&["search", "--json"], criteria].concat()).expect("a search");
        let game = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["game"].as_u64().expect("a number");
        printed.lines().map(game).collect()
    }

    /// The counts that adding prints: games, variants, duplicates.
    fn add(&self, files: &[&str]) -> [u64; 3] {
        let printed = self.run(&[&["add", "--json"], files].concat()).expect("games");
        let counts: Value = serde_json::from_str(&printed).expect("JSON");
        ["games", "variants", "duplicates"].map(|name| counts[name].as_u64().expect("a count"))
    }
}

const GAMES: &str = r#"[Event "New Year Cup"]
[Site "广州"]
[Date "1981.01.05"]
[Round "3"]
[Red "胡荣华"]
[Black "Yang Guanlin"]
[Result "1-0"]

1. h2e2 {a sharp Opening} h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0

[Event "League"]
[Date "2006-07-14"]
[Red "Lü Qin"]
[Black "胡荣华"]
[Result "1/2-1/2"]

1. b2e2 b9c7 2. b0c2 a9b9 3. a0b0 h9g7 4. c3c4 1/2-1/2

[Event "League"]
[Site "Chengdu"]
[Date "2007.??.??"]
[Red "Xu"]
[Black "Zhao"]
[Opening "The Elephants"]
[Result "0-1"]

1. g0e2 h7e7 (1... b7e7 {Elsewhere}) 2. h0g2 h9g7 0-1

[Event "Study"]
[FEN "5k3/9/9/9/9/9/9/9/4r4/3RK4 w - - 0 1"]

1. e0e1 f9f8 2. d0d8 *
"#;

#[test]
fn every_criterion_finds_its_games() {
    let scratch = TestFolder::new();
    scratch.write("games.pgn", GAMES);
    assert_eq!(scratch.add(&["games.pgn"]), [4, 0, 0]);
    let finds = |criteria: &[&str], expected: &[u64]| assert_eq!(scratch.games(criteria), expected, "{criteria:?}");
    finds(&[], &[1, 2, 3, 4]);
    finds(&["--player", "胡荣华"], &[1, 2]);
    finds(&["--player", "胡荣华", "--player", "lü qin"], &[2]);
    finds(&["--red", "胡"], &[1]);
    finds(&["--black", "胡"], &[2]);
    finds(&["--event", "league"], &[2, 3]);
    finds(&["--site", "chengdu"], &[3]);
    finds(&["--date", "1981"], &[1]);
    finds(&["--date", "2006-07"], &[2]);
    finds(&["--date", "2006-07-15.."], &[3]);
    finds(&["--date", "..2006-07-14"], &[1, 2]);
    finds(&["--date", "2007"], &[3]);
    finds(&["--opening", "elephants"], &[3]);
    finds(&["--opening", "中炮"], &[1, 2]);
    finds(&["--result", "1-0", "--result", "0-1"], &[1, 3]);
    finds(&["--result", "*"], &[4]);
    finds(&["--plies", "..4"], &[3, 4]);
    finds(&["--plies", "7"], &[2]);
    finds(&["--comment", "opening"], &[1]);
    finds(&["--comment", "elsewhere"], &[3]);
    finds(&["--comment", "nothing of the kind"], &[]);
    // The second game is the mirror image of the first for six plies.
    finds(&["--moves", "h2e2", "h9g7", "h0g2"], &[1, 2]);
    finds(&["--moves", "h2e2", "h9g7", "h0g2", "--no-mirror"], &[1]);
    finds(&["--moves", "炮二平五", "马８进７", "--player", "Lü"], &[2]);
    finds(&["--fen", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"], &[1, 2]);
    finds(&["--fen", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"], &[]);
    finds(&["--pattern", "Ce2 nc7 ng7"], &[1, 2]);
    finds(&["--pattern", "ce7 Be2"], &[3]);
    finds(&["--pattern", "*/*/*/*/*/*/*/?C2B*/*/*"], &[3]);
    finds(&["--pattern", "Rd8"], &[4]);
    finds(&["--pattern", "Rd8", "--no-mirror"], &[4]);
    finds(&["--pattern", "Rf8"], &[4]);
    finds(&["--pattern", "Rf8", "--no-mirror"], &[]);
    finds(&["--pattern", "Rd8 w"], &[]);
    finds(&["--material", "R-"], &[4]);
    finds(&["--material", "R-R"], &[4]);
    finds(&["--material", "-R"], &[4]);
    finds(&["--material", "RR-"], &[]);
    finds(&["--material", "R-", "--pattern", "Rd0 kf9"], &[4]);
    finds(&["--game", "3", "1"], &[3, 1]);
    // An error in a criterion is reported in one line.
    for (criteria, said) in [
        (["--pattern", "Qe2"], "--pattern: 'Qe2', expected a piece and a square"),
        (["--pattern", "*/*"], "--pattern: 2 ranks, expected 10"),
        (["--fen", "x"], "--fen: "),
        (["--game", "9"], "no game 9, expected 1 to 4"),
    ] {
        let error = scratch.run(&[&["search"], &criteria[..]].concat()).unwrap_err();
        assert!(error.contains(said) && error.lines().count() == 1, "{error}");
    }
    let explored = scratch.run(&["explore", "--moves", "h2e2", "--json"]).unwrap();
    let explored: Value = serde_json::from_str(&explored).unwrap();
    assert_eq!(explored["games"], 2);
    assert_eq!(explored["moves"][0]["move"], "h9g7");
    assert_eq!((&explored["moves"][0]["red_wins"], &explored["moves"][0]["draws"]), (&1.into(), &1.into()));
    assert_eq!(explored["latest"], serde_json::json!([2, 1]));
    let stats: Value = serde_json::from_str(&scratch.run(&["stats", "--json"]).unwrap()).unwrap();
    assert_eq!((&stats["games"], &stats["plies"], &stats["years"]), (&4.into(), &20.into(), &serde_json::json!([1981, 2007])));
    assert_eq!(stats["players"][0], serde_json::json!({"name": "胡荣华", "games": 2, "wins": 1, "draws": 1, "losses": 0}));
    assert!(scratch.run(&["check"]).unwrap().ends_with("no faults"));
}

#[test]
fn exported_games_are_those_that_were_added() {
    let scratch = TestFolder::new();
    scratch.write("games.pgn", GAMES);
    scratch.add(&["games.pgn"]);
    scratch.run(&["export", "-o", "out.pgn", "--result", "0-1"]).unwrap();
    let read =
        |name: &str| -> Vec<Record> { Records::open(&scratch.path(name), None).unwrap().map(|record| record.unwrap()).collect() };
    let (all, out) = (read("games.pgn"), read("out.pgn"));
    assert!(out.len() == 1 && out[0].same_tree(&all[2]) && out[0].tag("Opening") == Some("The Elephants"));
    // Formats with one game per file write a file for each; the library and existing files are kept.
    assert_eq!(scratch.run(&["export", "-o", "out.xqf", "--event", "League"]).unwrap(), "games 2 plies 11");
    assert!(scratch.path("out.xqf").exists() && scratch.path("out-002.xqf").exists());
    assert!(scratch.run(&["export", "-o", "out.pgn"]).unwrap_err().contains("exists already"));
    let error = scratch.run(&["export", "-o", "none.pgn", "--red", "nobody"]).unwrap_err();
    assert!(error.contains("none.pgn: no game of the library matches") && !scratch.path("none.pgn").exists(), "{error}");
    let error = scratch.run(&["export", "-o", "library.chuhe", "--to-format", "pgn", "--force"]).unwrap_err();
    assert!(error.contains("library.chuhe") && error.lines().count() == 1, "{error}");
    assert!(scratch.run(&["check"]).unwrap().ends_with("no faults"));
}

#[test]
fn nothing_is_stored_twice() {
    let scratch = TestFolder::new();
    let moves = "1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. g3g4 c6c5 5. b0c2 c9e7 6. h0h6 h7i7 7. h6g6 d9e8 8. a0a1 i7i8 9. a1f1 a9c9 10. i3i4 b7a7";
    let game = |red: &str, moves: &str| format!("[Red \"{red}\"]\n[Black \"B\"]\n\n{moves} *\n\n");
    scratch.write("one.pgn", game("Hu Ronghua", moves) + &game("A", "1. h2e2"));
    assert_eq!(scratch.add(&["one.pgn"]), [2, 0, 0]);
    assert_eq!(scratch.add(&["one.pgn"]), [0, 0, 0]);
    // The same bytes under another name; the same records with other bytes.
    fs::copy(scratch.path("one.pgn"), scratch.path("copy.pgn")).unwrap();
    scratch.write("spaced.pgn", game("Hu Ronghua", &moves.replace(' ', "  ")));
    assert_eq!(scratch.add(&["copy.pgn", "spaced.pgn"]), [0, 0, 1]);
    // With another spelling of a name, a long game is a variant, and a short game a different one.
    scratch.write("two.pgn", game("胡荣华", moves) + &game("C", "1. h2e2"));
    assert_eq!(scratch.add(&["two.pgn"]), [1, 1, 0]);
    assert_eq!(scratch.games(&["--pattern", "Rf1"]), [1]);
    assert_eq!(scratch.games(&["--player", "胡荣华"]), [3]);
    assert_eq!(scratch.games(&["--player", "Hu Ronghua"]), [1]);
    assert_eq!(scratch.games(&["--player", "胡荣华", "--pattern", "Rf1"]), [3]);
    let printed = scratch.run(&["search", "--json", "--player", "胡荣华"]).unwrap();
    let found: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&found["variant_of"], &found["sources"][0]["number"]), (&1.into(), &1.into()));
    let sources = scratch.run(&["search", "--json", "--game", "1"]).unwrap();
    let sources: Value = serde_json::from_str(&sources).unwrap();
    assert_eq!(sources["sources"].as_array().unwrap().len(), 2, "{sources}");
    let stats: Value = serde_json::from_str(&scratch.run(&["stats", "--json"]).unwrap()).unwrap();
    assert_eq!((&stats["games"], &stats["variants"]), (&3.into(), &1.into()));
    assert!(scratch.run(&["check"]).unwrap().ends_with("no faults"));
}

#[test]
fn names_are_compared_as_players_have_them() {
    let scratch = TestFolder::new();
    let game = |red: &str, black: &str, moves: &str| format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. {moves} *\n\n");
    let games = [
        game(" Xu ", "Lü", "h2e2"),
        game("Xu", "Lü", "h2e2"),
        game("?", "NN", "b2e2"),
        game("?", "NN", "b2e2 h9g7"),
        game("Xu Lü", "Zhao", "c3c4"),
    ];
    scratch.write("games.pgn", games.concat());
    // The second game is the first one again, the fourth may be another game of strangers.
    assert_eq!(scratch.add(&["games.pgn"]), [4, 1, 0]);
    let stats: Value = serde_json::from_str(&scratch.run(&["stats", "--json"]).unwrap()).unwrap();
    let names: Vec<&str> = stats["players"].as_array().unwrap().iter().filter_map(|player| player["name"].as_str()).collect();
    assert_eq!(names, ["Lü", "Xu", "Xu Lü", "Zhao"]);
    let explored = scratch.run(&["explore"]).unwrap();
    assert!(explored.contains("\ngame 1: Xu * Lü\n") && explored.contains("\ngame 3: ? * ?\n"), "{explored}");
    // One player who matches both names is not two.
    assert_eq!(scratch.games(&["--player", "Xu", "--player", "Lü", "--moves", "c3c4"]), [0u64; 0]);
    assert_eq!(scratch.games(&["--player", "Lü", "--player", "Xu"])[..1], [1]);
}

/// Names with a meaning of their own to SQLite are names of files, and an empty variable is none.
#[cfg(unix)]
#[test]
fn a_library_is_the_file_of_its_name() {
    let scratch = TestFolder::new();
    scratch.write("one.pgn", "1. h2e2 *\n");
    for name in [":memory:", "file:games.lib", "file::memory:", "-x"] {
        let library = format!("--library={name}");
        assert!(scratch.run(&["add", "one.pgn", &library]).unwrap().contains("games 1"), "{name}");
        assert!(scratch.path(name).is_file() && scratch.run(&["stats", &library]).is_ok(), "{name}");
    }
    let mut command = scratch.command(&["add", "one.pgn"]);
    assert!(command.env("CHUHE_LIBRARY", "").output().unwrap().status.success());
    assert!(scratch.path("library.chuhe").is_file());
    let mut command = scratch.command(&["add", "one.pgn"]);
    assert!(command.env("CHUHE_LIBRARY", "other.chuhe").output().unwrap().status.success());
    assert!(scratch.path("other.chuhe").is_file());
}

#[test]
fn short_games_with_the_same_moves_differ_by_their_players() {
    let scratch = TestFolder::new();
    let game = |number: usize, round: &str| format!("[Red \"R{number}\"]\n[Black \"B\"]\n[Round \"{round}\"]\n\n1. h2e2 *\n\n");
    let games = |count, round| (0..count).map(|number| game(number, round)).collect::<String>();
    // More than a batch. The second round repeats the first lines of the same players.
    scratch.write("first.pgn", games(5000, "1"));
    scratch.write("second.pgn", games(100, "2") + &games(100, "1") + &game(7, "2") + &game(5000, "2"));
    assert_eq!(scratch.add(&["first.pgn", "second.pgn"]), [5001, 100, 101]);
    assert_eq!(scratch.games(&["--player", "R4999"]), [5000]);
    // R99 with both records, and R990 to R999.
    let numbers: Vec<u64> = std::iter::once(100).chain(991..=1000).collect();
    assert_eq!(scratch.games(&["--player", "R99"]), numbers);
    assert!(scratch.run(&["check"]).unwrap().ends_with("no faults"));
}

/// Random games, each of this many plies.
fn chance_games(count: usize, plies: usize, seed: u64) -> Vec<Vec<Move>> {
    let mut random = Random::seed_from_u64(seed);
    let game = |_| {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for ply in 0..plies {
            let legal = position.board().legal_moves();
            // A small choice of first moves, so that many games share positions.
            let bound = if ply < 4 { legal.len().min(3) } else { legal.len() };
            if bound == 0 {
                break;
            }
            moves.push(legal[random.random_range(0..bound)]);
            position.make(moves[ply]);
        }
        moves
    };
    (0..count).map(game).collect()
}

fn pgn(games: &[Vec<Move>]) -> String {
    let result = |number: usize| ["1-0", "0-1", "1/2-1/2", "*"][number % 4];
    let game = |(number, moves): (usize, &Vec<Move>)| {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        format!("[Red \"R{}\"]\n[Round \"{number}\"]\n\n1. {} {}\n\n", number % 7, moves.join(" "), result(number))
    };
    games.iter().enumerate().map(game).collect()
}

/// Enough games for two segments and a rest.
const MANY: usize = 2 * 4096 + 300;

fn add(library: &mut Library, path: &Path) -> chuhe::library::Added {
    library.add(&[path.to_path_buf()], AddOptions::default(), &mut |_| {}).expect("games")
}

#[test]
fn positions_are_those_of_a_search_without_an_index() {
    let scratch = TestFolder::new();
    let games = chance_games(MANY, 24, 1);
    let path = scratch.write("many.pgn", pgn(&games));
    let mut library = Library::create_or_open(&scratch.library()).unwrap();
    let added = add(&mut library, &path);
    assert_eq!(added.games + added.variants + added.duplicates, MANY as u64);
    assert_eq!(library.len().unwrap() as u64, added.games + added.variants);
    // Every position of every game that the library shows, and its mirror image, by its FEN without counters.
    let text = |position: &Position| position.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut reached: HashMap<String, BTreeSet<u32>> = HashMap::new();
    let mut fens = Vec::new();
    let mut originals = 0;
    for game in 1..=library.len().unwrap() {
        if library.summary(game).unwrap().variant_of.is_some() {
            continue;
        }
        originals += 1;
        let record = library.record(game).unwrap();
        let end = record.final_position().unwrap();
        for state in end.states() {
            for board in [state.board, state.board.mirrored()] {
                let fen = text(&Position::new(board, 0, 1));
                if game % 97 == 0 {
                    fens.push(fen.clone());
                }
                reached.entry(fen).or_default().insert(game);
            }
        }
    }
    assert_eq!(originals, added.games);
    assert!(originals > 8192 + 100, "two full segments and a rest");
    // Some positions that no game has reached.
    fens.extend(chance_games(50, 40, 2).iter().map(|moves| {
        let mut position = Position::startpos();
        moves.iter().for_each(|&mv| position.make(mv));
        text(&position)
    }));
    assert!(fens.len() > 3000);
    for fen in fens.iter().step_by(7) {
        let query = Query { position: Some(ExactPosition::from_fen(fen, true).unwrap()), ..Query::default() };
        let found: BTreeSet<u32> = library.search(&query).unwrap().into_iter().map(|hit| hit.game).collect();
        assert_eq!(&found, reached.get(fen).unwrap_or(&BTreeSet::new()), "{fen}");
    }
    // The moves played from the start position, with mirror images combined.
    let explored = library.explore(Position::startpos().board(), 3).unwrap();
    assert_eq!(u64::from(explored.games), originals);
    let total: u32 = explored.moves.iter().map(|found| found.stats.games).sum();
    assert_eq!(u64::from(total), originals);
    assert!(
        explored.moves.iter().all(|ExploredMove { stats, .. }| stats.games >= stats.red_wins + stats.black_wins + stats.draws)
    );
    assert_eq!(explored.latest.len(), 3);
    assert!(library.check(&mut |_| {}).unwrap().faults.is_empty());
}

/// The folder with collections for tests next to the repository, if it exists.
fn samples() -> Option<PathBuf> {
    let found =
        ["../shared/samples", "../../shared/samples"].map(|path| repository().join(path)).into_iter().find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no ../shared/samples beside the repository");
    }
    found
}

#[test]
fn records_of_all_formats_are_exported_unchanged() {
    let scratch = TestFolder::new();
    let mut paths = vec![repository().join("docs/examples/games.pgn"), scratch.write("games.pgn", GAMES)];
    let mut folders: Vec<PathBuf> = samples().into_iter().collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            if entry.is_dir() { folders.push(entry) } else { paths.push(entry) }
        }
    }
    let mut library = Library::create_or_open(&scratch.library()).unwrap();
    let mut compared = 0;
    for path in &paths {
        let Ok(records) = Records::open(path, None) else { continue };
        for record in records.flatten() {
            let (game, _) = library.add_record(&record).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let copy = library.record(game).unwrap();
            assert!(copy == record, "{}: game {game}", path.display());
            assert_eq!(copy.comments(), record.comments());
            assert_eq!(library.add_record(&record).unwrap(), (game, false));
            compared += 1;
        }
    }
    assert!(compared >= 6, "{compared}");
    assert!(library.check(&mut |_| {}).unwrap().faults.is_empty());
}

#[test]
fn an_unreachable_diagram_is_kept_too() {
    let scratch = TestFolder::new();
    let mut library = Library::create_or_open(&scratch.library()).unwrap();
    let setup = Setup::from_fen("RRRRRRRRR/9/9/9/9/9/9/9/9/9 b - - 7 9").unwrap();
    let mut record = Record::new(setup);
    record.append_comment(record.root(), "nine rooks");
    let (game, is_new) = library.add_record(&record).unwrap();
    assert!(is_new && library.record(game).unwrap() == record);
    let query = Query { position: Some(ExactPosition::from_fen(chuhe::board::START_FEN, true).unwrap()), ..Query::default() };
    assert_eq!(library.search(&query).unwrap(), []);
    // An illegal move is rejected.
    let mut record = Record::new(Setup::standard());
    record.add(record.root(), Move::from_uci("a0a9").unwrap()).unwrap();
    let error = library.add_record(&record).unwrap_err().to_string();
    assert!(error.contains("a0a9 is not legal"), "{error}");
    assert!(library.check(&mut |_| {}).unwrap().faults.is_empty());
}

/// Starts adding without waiting.
fn begin(scratch: &TestFolder, files: &[&str]) -> Child {
    let mut command = scratch.command(&[&["add"], files].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs")
}

#[test]
fn a_killed_add_is_completed_by_the_next_one() {
    let text = pgn(&chance_games(3 * 4096, 8, 3));
    // The kill may come too late on a busy machine.
    for attempt in 0..20 {
        let scratch = TestFolder::new();
        scratch.write("many.pgn", &text);
        let mut child = begin(&scratch, &["many.pgn"]);
        let stored = || Library::open(&scratch.library()).and_then(|library| library.len()).unwrap_or(0);
        while stored() == 0 && child.try_wait().expect("own child").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("own child");
        child.wait().expect("own child");
        let checked: Value = serde_json::from_str(&scratch.run(&["check", "--json"]).unwrap()).unwrap();
        assert_eq!(checked["faults"], serde_json::json!([]));
        if checked["incomplete_files"] == 0 {
            println!("attempt {attempt}: done before the kill");
            continue;
        }
        let before = stored();
        assert!(before > 0);
        let [games, variants, duplicates] = scratch.add(&["many.pgn"]);
        assert!(games < 3 * 4096, "what was stored is not read again");
        // The result is the same as without the kill.
        let other = TestFolder::new();
        other.write("many.pgn", &text);
        let all = other.add(&["many.pgn"]);
        assert_eq!(stored() as u64, all[0] + all[1]);
        assert_eq!(u64::from(before) + games + variants, all[0] + all[1]);
        assert!(duplicates <= all[2]);
        let library = |scratch: &TestFolder| Library::open(&scratch.library()).unwrap();
        let (one, two) = (library(&scratch), library(&other));
        for game in (1..=stored()).step_by(41) {
            assert!(one.record(game).unwrap() == two.record(game).unwrap());
            assert_eq!(one.sources(game).unwrap(), two.sources(game).unwrap());
        }
        assert_eq!(scratch.add(&["many.pgn"]), [0, 0, 0]);
        let checked: Value = serde_json::from_str(&scratch.run(&["check", "--json"]).unwrap()).unwrap();
        assert_eq!((&checked["faults"], &checked["incomplete_files"]), (&serde_json::json!([]), &0.into()));
        return;
    }
    panic!("no add was killed before its end");
}

#[test]
fn two_concurrent_processes_lose_nothing() {
    let scratch = TestFolder::new();
    let (one, two) = (chance_games(5000, 10, 4), chance_games(5000, 12, 5));
    scratch.write("one.pgn", pgn(&one));
    scratch.write("two.pgn", pgn(&two));
    // Both read both files.
    let mut children = [begin(&scratch, &["one.pgn", "two.pgn"]), begin(&scratch, &["two.pgn", "one.pgn"])];
    for child in &mut children {
        assert!(child.wait().expect("own child").success());
    }
    let library = Library::open(&scratch.library()).unwrap();
    let distinct = |games: &[Vec<Move>]| games.iter().cloned().collect::<std::collections::HashSet<_>>();
    // Every game of both files is stored under its number.
    let mut seen = HashMap::new();
    for game in 1..=library.len().unwrap() {
        for source in library.sources(game).unwrap() {
            assert_eq!(seen.insert(source, library.record(game).unwrap().moves().collect::<Vec<_>>()), None);
        }
    }
    assert_eq!(seen.len(), 10_000);
    for (name, games) in [("one.pgn", &one), ("two.pgn", &two)] {
        for (number, moves) in games.iter().enumerate() {
            assert_eq!(&seen[&(PathBuf::from(name), number as u32 + 1)], moves);
        }
    }
    assert!(library.len().unwrap() as usize >= distinct(&one).len() + distinct(&two).len());
    assert!(library.check(&mut |_| {}).unwrap().faults.is_empty());
}

#[test]
fn damage_is_reported_in_one_line() {
    let scratch = TestFolder::new();
    scratch.write("games.pgn", GAMES);
    let error = scratch.run(&["add", "games.pgn", "--library", "none/games.chuhe"]).unwrap_err();
    assert!(error.contains("the folder of the library is missing"), "{error}");
    let commands: [&[&str]; 6] =
        [&["search"], &["search", "--pattern", "Ce2"], &["stats"], &["check"], &["explore"], &["export", "-o", "-"]];
    // No library, something else, a folder.
    for (make, said) in [("", "no such library"), ("text", "not a library of games"), ("folder", "not a file")] {
        match make {
            "text" => drop(scratch.write("library.chuhe", "these are notes on games, not a library of them")),
            "folder" => {
                fs::remove_file(scratch.library()).unwrap();
                fs::create_dir(scratch.library()).unwrap();
            }
            _ => {}
        }
        for command in commands {
            let error = scratch.run(command).unwrap_err();
            assert!(error.starts_with("chuhe: library.chuhe: ") && error.contains(said) && error.lines().count() == 1, "{error}");
        }
    }
    assert!(scratch.run(&["add", "games.pgn"]).unwrap_err().contains("not a file"));
    fs::remove_dir(scratch.library()).unwrap();
    scratch.write("library.chuhe", "notes");
    assert!(scratch.run(&["add", "games.pgn"]).unwrap_err().contains("not a library of games"));
    assert_eq!(fs::read(scratch.library()).unwrap(), b"notes");
    fs::remove_file(scratch.library()).unwrap();
    // A library with truncated or overwritten pages gives an answer or a one-line error, and `check` never reports it as intact.
    scratch.write("many.pgn", pgn(&chance_games(4200, 6, 6)));
    scratch.add(&["games.pgn", "many.pgn"]);
    let whole = fs::read(scratch.library()).unwrap();
    let exported = |said: &mut bool| {
        let output = scratch.command(&["export", "-o", "-"]).output().unwrap();
        *said = output.status.success();
        output.stdout
    };
    let mut is_fine = false;
    let original = exported(&mut is_fine);
    let mut random = Random::seed_from_u64(7);
    let mut caught = 0;
    for round in 0..12 {
        let mut bytes = whole.clone();
        if round % 3 == 0 {
            bytes.truncate(random.random_range(100..whole.len() - 8192));
        } else {
            let at = random.random_range(100..whole.len() - 600);
            bytes[at..at + 600].iter_mut().for_each(|byte| *byte = random.random());
        }
        scratch.write("library.chuhe", &bytes);
        for command in commands {
            let output = scratch.command(command).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {} {said}", output.status);
            if output.status.code() == Some(1) && command != ["check"] {
                let line = said.lines().find(|line| line.contains("library.chuhe: "));
                assert!(line.is_some_and(|line| line.len() < 200) && !said.contains("panicked"), "{command:?}: {said}");
            }
            if command == ["check"] {
                // Unused bytes may have any value.
                let is_whole = output.status.success();
                assert!(!is_whole || exported(&mut is_fine) == original && is_fine, "round {round}");
                caught += !is_whole as usize;
            }
        }
    }
    assert!(caught >= 6, "{caught} of 12");
}

#[test]
fn a_file_without_a_readable_game_is_reported_every_time() {
    let folder = TestFolder::new();
    folder.write("short.xqf", "XQ\x12");
    folder.write("mixed.fen", "9/9 w\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves h2e2\n");
    for _ in 0..2 {
        let error = folder.run(&["add", "short.xqf"]).expect_err("no game");
        assert!(error.contains("short.xqf: "), "{error}");
    }
    // Equal files are reported under each of their names.
    folder.write("copy.xqf", "XQ\x12");
    let error = folder.run(&["add", "short.xqf", "copy.xqf"]).expect_err("no games");
    assert!(error.contains("short.xqf: ") && error.contains("copy.xqf: "), "{error}");
    // The games of a file with others are stored once.
    folder.run(&["add", "mixed.fen"]).expect_err("one line is no position");
    assert_eq!(folder.run(&["add", "mixed.fen"]).expect("a known file").lines().next(), Some("files 0 known before 1"));
}
