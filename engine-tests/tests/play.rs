//! `chuhe play` with a script for the person at the board.

use engine_tests::chuhe;
use std::io::Write;
use std::process::{Command, Stdio};

/// What the program prints when these lines are typed.
fn play(arguments: &[&str], typed: &str) -> String {
    let mut child = Command::new(chuhe())
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("stdin is a pipe").write_all(typed.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn moves_in_any_notation_and_taking_back() {
    let text = play(&["--side", "both", "--pieces", "letters"], "C2=5\n马8进7\nh0g2\nback\nback\nmoves\nnonsense\nflip\nquit\n");
    assert!(text.contains("1. Red: C2=5 (h2e2)") && text.contains("1. Black: H8+7 (h9g7)"), "{text}");
    assert!(text.contains("> C2=5\n") && text.contains("'nonsense'"), "{text}");
    assert!(text.contains(" 9  r   n   b   a   k ") && text.contains(" 0  R   N   B "), "{text}");
}

#[test]
fn the_engine_answers_at_every_level_and_gives_hints() {
    for level in ["1", "5", "12"] {
        let text = play(&["--level", level, "--movetime", "50"], "h2e2\nhint\nback\nquit\n");
        assert!(text.contains("1. Black: ") && text.contains("hint: "), "{text}");
    }
    assert!(play(&["--side", "black", "--movetime", "50"], "quit\n").contains("1. Red: "));
}

#[test]
fn the_rules_end_the_game_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let pgn = path.to_str().unwrap();
    let mate = "3k5/9/8R/9/9/9/9/9/9/4K4 w";
    let text = play(&["--side", "both", "--fen", mate, "--pgn", pgn], "i7i9\nd9d8\ni9i8\nd8d7\n");
    assert!(text.contains("check"), "{text}");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("FEN") && saved.contains("I7-I9"), "{saved}");
    let bare = play(&["--side", "both", "--fen", "3k5/9/9/9/9/9/9/9/4A4/4K4 w"], "e1d2\n");
    assert!(bare.contains("The game is drawn."), "{bare}");
    let resigned = play(&["--side", "both"], "resign\nh2e2\n");
    assert!(resigned.contains("Red resigns.") && resigned.contains("The game is over"), "{resigned}");
    // An earlier game is not lost.
    let again = Command::new(chuhe()).args(["play", "--pgn", pgn]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
}
