//! `chuhe puzzles`: reproducible results, resuming without loss, and verification that detects faults.

use chuhe::board::Position;
use chuhe::puzzles::{Goal, Margin, Theme, builtin};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Positions with a puzzle among some without; the fifth is the mirror image of the fourth.
const POSITIONS: &str = "\
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w
4kab1C/1N2a4/4b1c2/9/6n1c/P1Bp1p1N1/6P2/9/4C4/2BAKA3 b
3k5/9/9/9/9/9/9/9/R7R/4K4 w
3akab2/9/4b2r1/1N7/9/1RB6/P3P4/4B4/4A1p2/c3K4 w
2baka3/9/1r2b4/7N1/9/6BR1/4P3P/4B4/2p1A4/4K3c w
3a5/4ak3/4b4/9/2b6/9/9/6R2/9/3K5 w
2ba2R2/9/3abk3/9/9/9/9/3K5/9/9 b
2baka3/2c6/4b1n2/4p3p/6n2/3r5/p2R4P/6N1C/2C1N4/2BAKAB2 b
";
/// A game that ends with the fourth position and its mate.
const GAME: &str =
    "[FEN \"3akab2/9/4b3r/1N7/9/1RB6/P3P4/4B4/4A1p2/c3K4 b - - 0 1\"]\n[Red \"A\"]\n\n1... i7h7 2. b6d7 e9e8 3. b4b8 1-0\n";

fn chuhe(folder: &TempDir, arguments: &str) -> Output {
    let mut command = Command::new(engine_tests::chuhe());
    command.current_dir(folder.path()).args(arguments.split(' ')).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("list.fen"), POSITIONS).expect("own file");
    fs::write(folder.path().join("game.pgn"), GAME).expect("own file");
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    // PGN is in the encoding of the system.
    text(&fs::read(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The last line of a command that succeeds.
fn done(folder: &TempDir, arguments: &str) -> String {
    let output = chuhe(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout).lines().last().unwrap_or_default().to_string()
}

fn assert_refused(output: &Output, status: i32, part: &str) {
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(status), 1), "{error}");
    assert!(error.contains(part), "{error}");
}

#[test]
fn an_illegal_move_of_a_game_is_reported() {
    let folder = folder();
    fs::write(folder.path().join("bad.pgn"), GAME.replace("1-0", "a0a9 1-0")).expect("own file");
    let output = chuhe(&folder, "puzzles bad.pgn -o bad.jsonl --nodes 2000");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("bad.pgn: game 1: round 3 black, ply 5 (main line): 'a0a9'"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn puzzles_are_the_same_for_any_number_of_jobs() {
    let folder = folder();
    // The position of the game is also in the list and is used only once.
    let ending = done(&folder, "puzzles game.pgn list.fen -o one.jsonl --nodes 30000");
    assert_eq!(ending, "games 9 puzzles 5");
    assert_eq!(done(&folder, "puzzles game.pgn list.fen -o three.jsonl --nodes 30000 --jobs 3"), ending);
    assert_eq!(read(&folder, "one.jsonl"), read(&folder, "three.jsonl"));
    let puzzles: Vec<Value> =
        read(&folder, "one.jsonl").lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    let source = &puzzles[0]["source"];
    assert_eq!((source["file"].as_str(), source["ply"].as_u64(), source["red"].as_str()), (Some("game.pgn"), Some(1), Some("A")));
    let goals: Vec<&str> = puzzles.iter().filter_map(|puzzle| puzzle["goal"].as_str()).collect();
    assert_eq!(goals, ["mate", "mate", "win", "draw", "win"]);
    for puzzle in &puzzles {
        let rating = puzzle["rating"].as_u64().expect("a number");
        assert!((600..=2800).contains(&rating) && puzzle["accepted"][0][0] == puzzle["solution"][0], "{puzzle}");
    }
}

#[test]
fn an_interrupted_run_is_resumed() {
    let folder = folder();
    done(&folder, "puzzles list.fen -o whole.pgn --nodes 20000");
    // Bytes, since the encoding and the line ends are those of the system.
    let bytes = |name: &str| fs::read(folder.path().join(name)).expect("a written file");
    let whole = bytes("whole.pgn");
    assert!(!folder.path().join("whole.pgn.state.json").exists());
    // The state after a kill: the first puzzle is recorded, the second is incomplete.
    let first = (1..whole.len()).find(|&at| whole[at..].starts_with(b"[Game")).expect("two games");
    fs::write(folder.path().join("part.pgn"), &whole[..first + 40]).expect("own file");
    let network = text(&chuhe(&folder, "--version").stdout);
    let network = network.lines().find_map(|line| line.strip_prefix("network ")).expect("a network");
    let state = format!(r#"{{"nodes":20000,"hash":16,"network":"{network}","games":2,"bytes":{first}}}"#);
    fs::write(folder.path().join("part.pgn.state.json"), &state).expect("own file");
    assert_refused(&chuhe(&folder, "puzzles list.fen -o part.pgn --nodes 30000 --resume"), 1, "--nodes 20000");
    assert_refused(&chuhe(&folder, "puzzles list.fen -o part.pgn --nodes 20000"), 1, "exists already");
    // A state that names its inputs does not fit to others.
    let named = format!(r#"{{"nodes":20000,"hash":16,"network":"{network}","games":2,"inputs":1,"bytes":{first}}}"#);
    fs::write(folder.path().join("part.pgn.state.json"), named).expect("own file");
    assert_refused(&chuhe(&folder, "puzzles list.fen -o part.pgn --nodes 20000 --resume"), 1, "was begun with other games");
    fs::write(folder.path().join("part.pgn.state.json"), state).expect("own file");
    done(&folder, "puzzles list.fen -o part.pgn --nodes 20000 --resume");
    assert_eq!(bytes("part.pgn"), whole);
    assert!(!folder.path().join("part.pgn.state.json").exists());
    // A complete file is left as it is.
    done(&folder, "puzzles list.fen -o part.pgn --nodes 20000 --resume");
    assert_eq!(bytes("part.pgn"), whole);
    fs::write(folder.path().join("other.pgn"), "[Event \"a game\"]\n\n1. C2=5 *\n").expect("own file");
    assert_refused(&chuhe(&folder, "puzzles list.fen -o other.pgn --nodes 20000 --resume"), 1, "was not begun by chuhe puzzles");
}

/// Nothing but an empty file is left of such a run.
#[test]
fn a_run_killed_before_its_first_result_is_resumed() {
    let folder = folder();
    for name in ["out.jsonl", "out.pgn"] {
        fs::write(folder.path().join(name), "").expect("own file");
        assert_refused(&chuhe(&folder, &format!("puzzles game.pgn -o {name} --nodes 2000")), 1, "exists already");
        let last = done(&folder, &format!("puzzles game.pgn -o {name} --nodes 2000 --resume"));
        assert!(last.starts_with("games 1 puzzles "), "{last}");
    }
}

/// The file is complete even if the summary cannot be printed.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_leaves_no_state() {
    let folder = folder();
    let mut command = Command::new(engine_tests::chuhe());
    command.current_dir(folder.path()).args(["puzzles", "game.pgn", "-o", "x.jsonl", "--nodes", "2000"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device of Linux");
    assert!(!command.stdout(full).stderr(Stdio::null()).status().expect("the program starts").success());
    assert!(folder.path().join("x.jsonl").exists() && !folder.path().join("x.jsonl.state.json").exists());
}

#[test]
fn options_of_training_need_it() {
    let folder = folder();
    for arguments in [
        "puzzles list.fen -o x.jsonl --tag win",
        "puzzles list.fen -o x.jsonl --pieces letters",
        "puzzles --builtin --min-rating 1500 -o x.jsonl",
        "puzzles --verify --max-rating 1500 list.fen",
        "puzzles --builtin --json -o x.jsonl",
    ] {
        let output = chuhe(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", text(&output.stderr));
        assert!(!folder.path().join("x.jsonl").exists(), "{arguments}");
    }
}

#[test]
fn a_resumed_run_counts_the_unreadable_inputs_before() {
    let folder = folder();
    let network = text(&chuhe(&folder, "--version").stdout);
    let network = network.lines().find_map(|line| line.strip_prefix("network ")).expect("a network");
    let state = format!(
        r#"{{"nodes":2000,"hash":16,"network":"{network}","games":1,"bytes":0,"faults":1,"first_fault":"none.pgn: missing"}}"#
    );
    fs::write(folder.path().join("part.pgn.state.json"), state).expect("own file");
    fs::write(folder.path().join("part.pgn"), "").expect("own file");
    let output = chuhe(&folder, "puzzles none.pgn game.pgn -o part.pgn --nodes 2000 --resume");
    assert_refused(&output, 1, "none.pgn: missing");
    assert!(text(&output.stdout).starts_with("games 1 "), "{}", text(&output.stdout));
}

#[test]
fn both_formats_are_verified_and_faults_are_found() {
    let folder = folder();
    done(&folder, "puzzles list.fen -o found.jsonl --nodes 30000");
    done(&folder, "puzzles list.fen -o found.pgn --nodes 30000");
    for name in ["found.jsonl", "found.pgn"] {
        let last = done(&folder, &format!("puzzles --verify {name} --nodes 50000 --jobs 2"));
        assert!(last.starts_with("puzzles 5 hold 5 fail 0 "), "{name}: {last}");
    }
    let mut lines: Vec<String> = read(&folder, "found.jsonl").lines().map(str::to_string).collect();
    let good = lines.clone();
    // Another first move, a duplicate puzzle, and a line that is not a puzzle.
    lines[0] = lines[0].replace("\"i5i0\"", "\"i5i4\"");
    lines.push(lines[1].clone());
    lines.push("{}".into());
    fs::write(folder.path().join("bad.jsonl"), lines.join("\n")).expect("own file");
    let output = chuhe(&folder, "puzzles --verify bad.jsonl --nodes 20000 -o kept.jsonl");
    assert_refused(&output, 1, "3 of 7 puzzles failed");
    let messages = text(&output.stdout);
    for part in ["puzzle 1: ", "puzzle 6: the position is that of an earlier puzzle", "puzzle 7: line 7: missing field `fen`"] {
        assert!(messages.contains(part), "{messages}");
    }
    assert_eq!(read(&folder, "kept.jsonl").lines().collect::<Vec<_>>(), good[1..]);
    // Of one position the puzzle that holds is kept, also behind one that fails.
    fs::write(folder.path().join("again.jsonl"), [&*lines[0], &*good[0]].join("\n")).expect("own file");
    let output = chuhe(&folder, "puzzles --verify again.jsonl --nodes 50000 -o again-kept.jsonl");
    assert_refused(&output, 1, "1 of 2 puzzles failed");
    assert_eq!(read(&folder, "again-kept.jsonl").lines().collect::<Vec<_>>(), good[..1]);
    // An output without puzzles replaces none, and there are no scores of them.
    let output = chuhe(&folder, "puzzles --verify game.pgn --nodes 1000 -o kept.jsonl --force");
    assert!(text(&output.stdout).ends_with("\npuzzles 1 hold 0 fail 1\n"), "{}", text(&output.stdout));
    assert_eq!(read(&folder, "kept.jsonl").lines().collect::<Vec<_>>(), good[1..]);
}

/// A verification of `all.jsonl` that has written at least one puzzle to `kept.jsonl`, and the rest of its output.
#[cfg(unix)]
fn verifying(folder: &TempDir, errors: Stdio) -> (std::process::Child, impl Iterator<Item = std::io::Result<String>>) {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(engine_tests::chuhe())
        .args("puzzles --verify all.jsonl -o kept.jsonl --force --json --nodes 20000".split(' '))
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    // A puzzle is written before the line of the next one is printed.
    assert!(lines.any(|line| line.expect("text").contains("\"holds\":true")));
    lines.next();
    (child, lines)
}

#[cfg(unix)]
#[test]
fn an_interrupted_verification_keeps_what_it_has_verified() {
    let folder = folder();
    done(&folder, "puzzles --builtin -o all.jsonl");
    let (child, lines) = verifying(&folder, Stdio::piped());
    engine_tests::signal(&child, "INT");
    lines.for_each(drop);
    let output = child.wait_with_output().expect("it ends");
    let kept = read(&folder, "kept.jsonl").lines().count();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains(&format!("; kept.jsonl has the {kept} that hold")), "{errors}");
    assert!((1..300).contains(&kept) && !folder.path().join("kept.jsonl.state.json").exists());
}

/// A verification is never resumed.
#[cfg(unix)]
#[test]
fn a_verification_that_is_ended_at_once_leaves_no_state() {
    for signals in [&["INT", "INT"][..], &["KILL"]] {
        let folder = folder();
        done(&folder, "puzzles --builtin -o all.jsonl");
        // That of an earlier run, whose puzzles are replaced.
        fs::write(folder.path().join("kept.jsonl"), "").expect("own file");
        fs::write(folder.path().join("kept.jsonl.state.json"), "{}").expect("own file");
        let (mut child, lines) = verifying(&folder, Stdio::null());
        signals.iter().for_each(|signal| engine_tests::signal(&child, signal));
        lines.for_each(drop);
        assert!(!child.wait().expect("it ends").success());
        let kept = read(&folder, "kept.jsonl").lines().count();
        assert!((1..300).contains(&kept) && !folder.path().join("kept.jsonl.state.json").exists(), "{signals:?}: {kept}");
    }
}

#[test]
fn lines_in_another_encoding_do_not_end_the_file() {
    let folder = folder();
    done(&folder, "puzzles list.fen -o found.jsonl --nodes 30000");
    let found = read(&folder, "found.jsonl");
    let mut lines: Vec<Vec<u8>> = found.lines().take(3).map(|line| line.as_bytes().to_vec()).collect();
    // A mark of UTF-8, as Notepad writes it; GBK in a name; and a line that is not a puzzle.
    lines[0].splice(0..0, *b"\xef\xbb\xbf");
    let red = String::from_utf8(lines[1].clone()).unwrap().replacen("\"file\":\"", "\"file\":\"@", 1);
    lines[1] = red.into_bytes().into_iter().flat_map(|byte| if byte == b'@' { vec![0xba, 0xfa] } else { vec![byte] }).collect();
    assert!(lines[1].contains(&0xba));
    lines.insert(2, b"\xba\xfa".to_vec());
    fs::write(folder.path().join("mix.jsonl"), lines.join(&b"\n"[..])).expect("own file");
    let output = chuhe(&folder, "puzzles --verify mix.jsonl --nodes 20000 -o kept.jsonl");
    assert_refused(&output, 1, "1 of 4 puzzles failed");
    assert!(text(&output.stdout).contains("puzzle 3: line 3: "), "{}", text(&output.stdout));
    assert_eq!(read(&folder, "kept.jsonl").lines().count(), 3);
}

#[test]
fn errors_name_faulty_inputs_and_outputs() {
    let folder = folder();
    assert_refused(&chuhe(&folder, "puzzles list.fen -o out.txt"), 2, "expected a name that ends with .jsonl or .pgn");
    assert_refused(&chuhe(&folder, "puzzles game.pgn -o game.pgn --force"), 1, "is also an input");
    fs::write(folder.path().join("bad.fen"), "nonsense w\n").expect("own file");
    let output = chuhe(&folder, "puzzles bad.fen missing.pgn -o out.jsonl --nodes 1000");
    let error = text(&output.stderr);
    assert!(
        output.status.code() == Some(1) && error.contains("bad.fen: line 1: ") && error.contains("2 inputs failed"),
        "{error}"
    );
    assert!(!folder.path().join("out.jsonl").exists());
    // Nor does it cost the puzzles of an earlier run.
    assert_eq!(done(&folder, "puzzles game.pgn -o out.jsonl --nodes 1000").split(' ').next(), Some("games"));
    let before = read(&folder, "out.jsonl");
    assert_eq!(chuhe(&folder, "puzzles bad.fen -o out.jsonl --nodes 1000 --force").status.code(), Some(1));
    assert_eq!(read(&folder, "out.jsonl"), before);
    assert!(!before.is_empty() && !folder.path().join("out.jsonl.state.json").exists());
    // A list without puzzles is a valid result.
    fs::write(folder.path().join("start.fen"), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n")
        .expect("own file");
    done(&folder, "puzzles start.fen -o out.jsonl --nodes 1000 --force");
    assert_eq!(read(&folder, "out.jsonl"), "");
}

#[test]
fn puzzles_are_solved_on_the_terminal() {
    let folder = folder();
    let puzzle = r#"{"fen":"3akab2/9/4b2r1/1N7/9/1RB6/P3P4/4B4/4A1p2/c3K4 w - - 0 1","goal":"mate","solution":["b6d7","e9e8","b4b8"],"rating":700,"tags":["mate-in-2"]}"#;
    fs::write(folder.path().join("own.jsonl"), format!("{puzzle}\n{{}}\n")).expect("own file");
    let train = |arguments: &str, typed: &str| {
        let mut command = Command::new(engine_tests::chuhe());
        command.current_dir(folder.path()).args(["puzzles", "--train"]).args(arguments.split_whitespace());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), typed.as_bytes()).expect("it listens");
        child.wait_with_output().expect("it ends")
    };
    // A wrong move and a hint: the puzzle is repeated, and then solved.
    let output = train("own.jsonl --pieces letters", "b4b5\nnonsense\nhint\nb6d7\nR8+4\nN8+6\nb4b8\n");
    let told = text(&output.stdout);
    for part in [
        "1 puzzle.",
        "Red: Mate in 2. Rating 700.",
        "R8+1 is not the solution; try again.",
        "hint: the piece on b6",
        "Right. Black: K5+1 (e9e8)",
        "Solved; the puzzle will be repeated. mate-in-2",
        "Solved. mate-in-2",
        "solved 1 failed 1",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(output.status.success() && text(&output.stderr).contains("own.jsonl: line 2: "), "{}", text(&output.stderr));
    assert!(text(&train("", "solution\nquit\n").stdout).starts_with("300 puzzles"));
    assert_refused(&train("--min-rating 9000", ""), 1, "no puzzle");
    fs::write(folder.path().join("good.jsonl"), puzzle).expect("own file");
    assert_refused(&train("good.jsonl --tag mate-in-3", ""), 1, "no puzzle");
}

/// The results of `puzzles --verify` for each built-in puzzle: position, goal, lowest chance of the solution, highest of another first move, nodes.
const LOG: &str = include_str!("../../data/puzzles-verified.tsv");

#[test]
fn the_log_matches_the_built_in_puzzles() {
    let mut lines = LOG.lines().filter(|line| !line.starts_with('#'));
    for (number, puzzle) in (1..).zip(builtin()) {
        let fields: Vec<&str> = lines.next().expect("a line for each puzzle").split('\t').collect();
        let [fen, goal, solution, other, nodes] = fields[..] else { panic!("puzzle {number}: {fields:?}") };
        let count = |text: &str| text.parse::<u64>().expect("a number");
        assert_eq!((fen, goal), (Position::new(puzzle.board, 0, 1).to_fen().as_str(), puzzle.goal.id()), "puzzle {number}");
        let margin = Margin::CHECK;
        assert!(count(solution) >= margin.solution.into() && count(other) <= margin.other.into(), "puzzle {number}");
        let is_exact = puzzle.themes.contains(&Theme::Exact) || puzzle.goal == Goal::Draw;
        assert_eq!(count(nodes), if is_exact { 0 } else { 500_000 }, "puzzle {number}");
    }
    assert_eq!(lines.next(), None);
}

/// Regenerates the log and checks that all puzzles pass.
#[test]
#[ignore = "takes ten minutes in a release build"]
fn the_built_in_puzzles_hold() {
    let folder = folder();
    done(&folder, "puzzles --builtin -o builtin.jsonl");
    let output = chuhe(&folder, "puzzles --verify --json builtin.jsonl");
    let mut log = String::from("# fen, goal, lowest solution, highest other, nodes\n");
    let mut held = 0;
    for (line, puzzle) in text(&output.stdout).lines().zip(builtin()) {
        let found: Value = serde_json::from_str(line).expect("JSON");
        held += found["holds"].as_bool().is_some_and(|holds| holds) as usize;
        let fen = Position::new(puzzle.board, 0, 1).to_fen();
        log += &format!("{fen}\t{}\t{}\t{}\t{}\n", puzzle.goal.id(), found["solution"], found["other"], found["nodes"]);
    }
    print!("{log}");
    assert_eq!(held, 300, "{}", text(&output.stderr));
}
