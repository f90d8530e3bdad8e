//! `chuhe genfens` for test frameworks.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(engine_tests::chuhe()).args(arguments).output().expect("the program starts")
}

fn fens(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("FENs are ASCII");
    text.lines().map(|line| line.strip_prefix("info string genfens ").expect(line).to_string()).collect()
}

#[test]
fn one_argument_or_several() {
    let several = fens(&["genfens", "4", "seed", "12345", "book", "None"]);
    assert_eq!(several.len(), 4);
    for fen in &several {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let position = chuhe::board::Position::from_fen(fen).expect(fen);
        assert!(!position.in_check() && !position.board().legal_moves().is_empty(), "{fen}");
    }
    assert_eq!(fens(&["genfens 4 seed 12345 book None", "quit"]), several);
    let other = fens(&["genfens 4 seed 12346 book None", "quit"]);
    assert!(several.iter().all(|fen| !other.contains(fen)));
}

#[test]
fn openings_begin_at_the_positions_of_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    // A book without horses, so no opening may have any.
    let (fen, epd) = ("r1bakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R w - - 0 1", "id \"no horses\";");
    std::fs::write(&book, format!("{fen}\n{fen} {epd}\n{fen} moves h2e2\n")).unwrap();
    let found = fens(&["genfens", "5", "seed", "7", "book", book.to_str().unwrap(), "plies", "2", "balance", "5000"]);
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|fen| !fen.split(' ').next().unwrap().contains(['n', 'N'])), "{found:?}");
}

/// `genfens` cannot take the beginning of a game, so its error names no option for that.
#[test]
fn games_that_are_over_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "3k1R3/5R3/9/9/9/9/9/9/9/4K4 b\n").unwrap();
    let output = run(&["genfens", "1", "book", book.to_str().unwrap()]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("line 1: the game is over here (") && !error.contains("--"), "{error}");
}

#[test]
fn invalid_requests_are_reported_in_one_line() {
    for (arguments, status) in [
        (&["genfens"][..], 2),
        (&["genfens", "x"], 2),
        (&["genfens", "4", "seed", "x"], 2),
        (&["genfens 4 sead 5 book None", "quit"], 2),
        (&["genfens", "4", "book", "/nowhere/book.epd"], 1),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}
