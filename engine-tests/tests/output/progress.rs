//! On a terminal the program introduces itself, and long jobs show their total and the remaining time. The program `script`
//! provides the terminal.

use engine_tests::chuhe;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const GAME: &str = "[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0\n\n";

/// The terminal output of a command run in a folder, with the given input; none without `script`.
fn on_terminal(folder: &Path, arguments: &str, typed: &str) -> Option<String> {
    let command = format!("'{}' {arguments}", chuhe().display());
    let child = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: there is no program script to make a terminal");
        return None;
    };
    child.stdin.take().expect("stdin is a pipe").write_all(typed.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_engine_introduces_itself_and_answers_unknown_commands() {
    let folder = tempfile::tempdir().unwrap();
    let Some(shown) = on_terminal(folder.path(), "", "hello\nquit\n") else { return };
    // The input is echoed.
    let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| !["", "hello", "quit"].contains(line)).collect();
    assert!(lines.len() == 3 && lines[0].contains("chuhe") && lines[1].contains("help"), "{lines:?}");
    assert!(lines[2].contains("hello"), "{lines:?}");
}

#[test]
fn a_board_on_a_terminal_has_colours_by_default() {
    let folder = tempfile::tempdir().unwrap();
    let Some(shown) = on_terminal(folder.path(), "play --side both", "h2e2\nquit\n") else { return };
    // Red and Black, and the points of the last move in reverse video.
    assert!(shown.contains("\x1b[1;31m車") && shown.contains("\x1b[1;36m車") && shown.contains("\x1b[7m炮"), "{shown}");
    let plain = on_terminal(folder.path(), "play --side both; true", "quit\n").expect("there is script");
    assert!(plain.contains("\x1b[1;31m"), "{plain}");
}

#[test]
fn games_on_the_terminal_are_not_mixed_with_a_bar() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.pgn"), GAME).unwrap();
    let Some(added) = on_terminal(folder.path(), "library add a.pgn --library own.chuhe", "") else { return };
    assert!(added.contains("games 1"), "{added}");
    let shown = on_terminal(folder.path(), "library export --library own.chuhe -o -", "").expect("there is script");
    assert!(shown.contains("[Game ") && !shown.contains(" left"), "{shown}");
}

#[test]
fn long_jobs_show_their_total_and_the_remaining_time() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, games: usize| std::fs::write(folder.path().join(name), GAME.repeat(games)).unwrap();
    std::fs::create_dir(folder.path().join("games")).unwrap();
    write("games/a.pgn", 200);
    write("games/b.pgn", 200);
    write("large.pgn", 14_000);
    std::fs::write(folder.path().join("start.fen"), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n").unwrap();
    let engine = chuhe().display();
    let duel = format!("match --engine cmd={engine} --engine cmd={engine} --depth 1 --games 2 --openings start.fen");
    for (arguments, parts) in [
        ("convert games xqf", [" of ", " left"]),
        ("convert large.pgn large.ubb", [" MiB, ", " left"]),
        ("judge games", [" of ", " left"]),
        ("book build large.pgn -o large.book --min-plies 1", ["MiB", "sorting"]),
        ("book variety large.pgn", [" MiB, ", " left"]),
        ("book export -o own.wxf", ["", ""]),
        ("book check own.wxf", [" moves, ", " left"]),
        ("book export own.wxf -o again.wxf", [" moves, ", " left"]),
        ("genfens 200 nodes 1", [" of 200 positions", " left"]),
        ("bench 1", [" positions", " left"]),
        ("perft 6 --fen 4k4/9/9/9/9/9/9/9/9/3K5", [" lines", " left"]),
        (duel.as_str(), [" of 2 games", " left"]),
    ] {
        let Some(shown) = on_terminal(folder.path(), arguments, "") else { return };
        assert!(parts.iter().all(|part| shown.contains(part)), "{arguments}: {shown}");
    }
}
