//! `chuhe judge` as a user calls it: the verdict line, the reasons, the exit status, one line of error.

use engine_tests::chuhe;
use std::process::{Command, Output};

const CHECKS: &str = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
const LOOP: [&str; 4] = ["h8h9", "f9f8", "h9h8", "f8f9"];

fn judge(arguments: &[&str]) -> Output {
    Command::new(chuhe()).arg("judge").args(arguments).output().expect("the program starts")
}

fn lines(arguments: &[&str]) -> Vec<String> {
    let output = judge(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

fn last(arguments: &[&str]) -> String {
    lines(arguments).pop().unwrap_or_default()
}

fn error(arguments: &[&str]) -> String {
    let output = judge(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

fn twice<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [options, &["--fen", CHECKS], &LOOP, &LOOP].concat()
}

#[test]
fn reasons_come_before_the_verdict() {
    let lines = lines(&twice(&[]));
    assert_eq!(lines.len(), 13);
    assert!(lines[1].starts_with("1. h8h9 red rook: check"), "{}", lines[1]);
    assert!(lines[1].contains("红车：将"), "{}", lines[1]);
    assert!(lines[9].starts_with("Red: gives check on every move: perpetual check"), "{}", lines[9]);
    assert!(lines[11].contains("diagrams D1-D3"), "{}", lines[11]);
    assert_eq!(lines[12], "verdict: red-loses");
}

#[test]
fn the_rule_set_decides() {
    let horse = ["--fen", "2b2k3/9/4b2P1/3N5/1R6p/6P2/5p2r/8n/4p4/5K3 w - - 0 1"];
    let kills = ["d6c8", "f9f8", "c8d6", "f8f9"];
    for (rules, verdict) in [("world", "draw"), ("chinese", "red-loses"), ("simple", "draw")] {
        let arguments = [&["--rules", rules][..], &horse, &kills, &kills].concat();
        assert_eq!(last(&arguments), format!("verdict: {verdict}"), "{rules}");
    }
}

#[test]
fn lines_without_a_result_are_undecided() {
    for arguments in [&[][..], &["h2e2"], &["h2e2", "h9g7", "h0g2", "i9h9"], &["h0g2 h9g7 g2h0 g7h9"]] {
        assert_eq!(last(arguments), "verdict: undecided", "{arguments:?}");
    }
    assert_eq!(lines(&[])[0], "nothing repeats and no limit is reached | 无重复局面，未到限着");
    // A second occurrence is told, but decides nothing.
    let once = [&["--fen", CHECKS][..], &LOOP].concat();
    assert!(lines(&once)[0].starts_with("the position stands for the second time"));
    assert_eq!(last(&once), "verdict: undecided");
}

#[test]
fn games_that_had_ended_before_say_so() {
    let arguments = [twice(&["--language", "english"]), vec!["h8h9"]].concat();
    let lines = lines(&arguments);
    assert_eq!(lines[0], "note: by these rules the game had already ended after ply 8");
    assert_eq!(lines.last().map(String::as_str), Some("verdict: red-loses"));
}

#[test]
fn other_ends_of_a_game_are_judged_too() {
    assert_eq!(last(&["--fen", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 90", "a1d1"]), "verdict: black-loses");
    assert_eq!(last(&["--fen", "3k5/9/8R/9/9/9/9/9/9/4K4 w", "i7i8"]), "verdict: black-loses");
    assert_eq!(last(&["--fen", "3k5/9/8R/9/9/9/9/9/9/4K4 w - - 119 90", "i7h7"]), "verdict: draw");
    assert_eq!(last(&["--limit", "0", "--fen", "3k5/9/8R/9/9/9/9/9/9/4K4 w - - 119 90", "i7h7"]), "verdict: undecided");
    assert_eq!(last(&["--fen", "3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e0f0"]), "verdict: draw");
}

#[test]
fn other_notations_are_read() {
    let line = ["--from", "wxf", "H2+3", "H8+7", "H3-2", "H7-8", "H2+3", "H8+7", "H3-2", "H7-8"];
    assert_eq!(last(&line), "verdict: draw");
    let line = ["--from", "auto", "马二进三", "马8进7", "马三退二", "马7退8", "马二进三", "马8进7", "马三退二", "马7退8"];
    assert_eq!(last(&line), "verdict: draw");
}

#[test]
fn json_holds_the_verdict_and_both_languages() {
    let lines = lines(&twice(&["--json"]));
    let [object] = &lines[..] else { panic!("{lines:?}") };
    for part in ["\"verdict\":\"red-loses\"", "perpetual check", "长将"] {
        assert!(object.contains(part), "{object}");
    }
}

#[test]
fn wrong_input_names_the_place() {
    assert!(error(&["h2e2", "h2e2"]).contains("move 2: 'h2e2' is not legal in"));
    assert!(error(&["h2e2", "x"]).contains("move 2: 'x' is no move, expected four characters such as h2e2"));
    assert!(error(&["--fen", "9/9 w"]).contains("--fen: FEN has 2 rows, expected 10"));
    assert!(error(&["--fen", ""]).contains("--fen: FEN is empty"));
    assert!(error(&["--from", "klingon", "h2e2"]).contains("--from: "));
    assert!(error(&["马二进三"]).contains("move 1: "));
    assert_eq!(judge(&["--rules", "foo"]).status.code(), Some(2));
}
