//! Robustness of the files of `chuhe match`: concurrent runs, kills, damage. Truncation at every byte is tested in the unit
//! tests of `src/arena/outputs.rs`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A match of quick games in this folder with the files `games.pgn` and `match.state`.
fn command(folder: &Path, games: &str, more: &[&str]) -> Command {
    let engine = |name: &str| format!("cmd={},name={name}", engine_tests::chuhe().display());
    let mut command = Command::new(engine_tests::chuhe());
    command
        .args(["match", "--engine", &engine("a"), "--engine", &engine("b"), "--games", games, "--depth", "1", "--max-plies", "2"])
        .args(["--balance-nodes", "300", "--verbose", "--rating-interval", "0", "--pgn", "games.pgn"])
        .args(more)
        .current_dir(folder);
    command
}

const STATE: [&str; 2] = ["--state", "match.state"];

fn run(folder: &Path, games: &str, more: &[&str]) -> Output {
    command(folder, games, more).output().expect("the program starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Starts a match that does not end by itself, and waits until this many of its games are finished.
fn started(folder: &Path, more: &[&str], games: usize) -> Child {
    let mut child =
        command(folder, "100000", more).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("stdout is a pipe")).lines();
    let seen = lines.map_while(Result::ok).filter(|line| line.starts_with("game ")).take(games).count();
    assert_eq!(seen, games);
    child
}

fn killed(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

fn files(folder: &Path) -> [PathBuf; 2] {
    [folder.join("games.pgn"), folder.join("match.state")]
}

/// The rounds of the games in the PGN file, in order; all games must be complete.
fn rounds(folder: &Path) -> Vec<usize> {
    let records = chuhe::records::Records::open(&folder.join("games.pgn"), None).expect("it can be read");
    let mut rounds: Vec<usize> = records
        .map(|record| {
            let record = record.expect("a whole game");
            assert!(record.result != chuhe::records::RecordResult::Unknown && record.plies() > 2);
            record.tag("Round").and_then(|round| round.parse().ok()).expect("a number")
        })
        .collect();
    rounds.sort_unstable();
    rounds
}

#[test]
fn two_runs_never_write_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let first = started(folder, &STATE, 1);
    for (more, file) in [
        (&STATE[..], "match.state"),
        (&["--state", "match.state", "--force"], "match.state"),
        (&["--state", "other.state"], "games.pgn"),
        (&[], "games.pgn"),
        (&["--force"], "games.pgn"),
    ] {
        let second = run(folder, "4", more);
        assert_eq!(second.status.code(), Some(1), "{more:?}");
        assert_eq!(errors(&second), format!("chuhe: {file}: another run of the program is writing it\n"));
        assert!(second.stdout.is_empty());
    }
    assert!(!folder.join("other.state").exists());
    killed(first);
    // The second runs have changed nothing.
    let rounds = rounds(folder);
    assert_eq!(rounds, (1..=rounds.len()).collect::<Vec<_>>());
    // The lock ends with the process.
    assert!(run(folder, "100", &[]).status.success());
}

#[test]
fn a_match_killed_repeatedly_has_every_game_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for games in [1, 3, 2, 5, 1, 4] {
        killed(started(folder, &STATE, games));
    }
    let played = rounds(folder).len();
    let whole = (played + 4).next_multiple_of(2).to_string();
    let last = run(folder, &whole, &STATE);
    assert!(last.status.success(), "{}", errors(&last));
    let whole: usize = whole.parse().unwrap();
    assert_eq!(rounds(folder), (1..=whole).collect::<Vec<_>>());
    assert_eq!(std::fs::read_to_string(folder.join("match.state")).unwrap().lines().count(), 1 + whole);
    let text = String::from_utf8_lossy(&last.stdout).into_owned();
    assert!(text.lines().last().unwrap().starts_with(&format!("score 0-{whole}-0 elo ")), "{text}");
}

#[test]
fn a_finished_match_keeps_the_names_of_its_engines() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd={}", engine_tests::chuhe().display());
    let results = [(); 2].map(|()| {
        let output = Command::new(engine_tests::chuhe())
            .args(["match", "--engine", &engine, "--engine", &engine, "--games", "2", "--depth", "1", "--max-plies", "2"])
            .args(["--balance-nodes", "300", "--state", "match.state"])
            .current_dir(folder.path())
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{}", errors(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn damage_is_repaired_or_rejected_and_always_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(run(folder, "4", &STATE).status.success());
    let whole = files(folder).map(|path| std::fs::read(path).unwrap());
    let [pgn, state] = &whole;
    let third = pgn.windows(6).enumerate().filter(|(_, text)| text == b"[Game ").nth(2).unwrap().0;
    let last_line = state[..state.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let (pgn_without_end, state_without_end) = (&pgn[..pgn.len() - 50], &state[..state.len() - 9]);
    let glued = |bytes: &[u8], tail: &[u8]| [bytes, tail].concat();
    // The files before the run, the expected message, and whether the damage is repaired.
    let cases: [(&[u8], &[u8], &str, bool); 9] = [
        (pgn_without_end, state, "games.pgn: game 4 was not written to its end, it is played again", true),
        (&glued(pgn, b"[Game \"Chinese Ch"), state, "games.pgn: the last game was cut off; removed 17 bytes", true),
        (&glued(pgn, b"\0\0\0\0"), state, "is not a game of a match, remove it", false),
        (&pgn[..third + 100], state, "games.pgn: game 3 was changed or is missing, restore the file", false),
        (b"", state, "games.pgn: game 1 was changed or is missing, restore the file", false),
        (pgn, state_without_end, "games.pgn: holds game 4, which the file of --state does not record", false),
        (pgn, &state[..last_line], "games.pgn: holds game 4, which the file of --state does not record", false),
        (pgn, &state[..20], "games.pgn: holds games, but the file of --state was cut off in its first line", false),
        (pgn, &glued(state, b"\xff\n"), "match.state: line 6: expected a finished game of the match", false),
    ];
    for (before_pgn, before_state, words, is_repaired) in cases {
        let before = [before_pgn, before_state];
        files(folder).iter().zip(before).for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
        let output = run(folder, "6", &STATE);
        let message = errors(&output);
        assert!(message.contains(words) && message.lines().count() == 1, "{words}: {message}");
        assert_eq!(output.status.success(), is_repaired, "{words}: {message}");
        if is_repaired {
            assert_eq!(rounds(folder), [1, 2, 3, 4, 5, 6], "{words}");
        } else {
            assert_eq!(files(folder).map(|path| std::fs::read(path).unwrap()), before, "{words}");
        }
    }
    // Both files are truncated at the same game, as after a kill.
    std::fs::write(folder.join("games.pgn"), &pgn[..third]).unwrap();
    let lines: Vec<&[u8]> = state.split_inclusive(|&byte| byte == b'\n').collect();
    std::fs::write(folder.join("match.state"), glued(&lines[..3].concat(), &lines[3][..25])).unwrap();
    let output = run(folder, "4", &STATE);
    assert!(errors(&output).contains("match.state: the last line was cut off, its game is played again"), "{}", errors(&output));
    assert_eq!(rounds(folder), [1, 2, 3, 4]);
    assert_eq!(std::fs::read_to_string(folder.join("match.state")).unwrap().lines().count(), lines.len());
    // Without a state file, and with an incomplete game of an earlier run at the end.
    std::fs::write(folder.join("games.pgn"), &pgn[..third + 100]).unwrap();
    let output = run(folder, "2", &[]);
    assert!(errors(&output).contains("games.pgn: the last game was cut off; removed 100 bytes"), "{}", errors(&output));
    assert_eq!(rounds(folder), [1, 1, 2, 2]);
}
