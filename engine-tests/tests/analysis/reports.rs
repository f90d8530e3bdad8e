//! What coaches rely on in the reviews of `chuhe analyze`: judgements, pages, totals and annotated records.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Three moves of the book, then Black gives a cannon for a horse.
const GAME: &str = "[Red \"A\"]\n[Black \"B\"]\n\n1. h2e2 {the usual} h9g7 (1... b9c7) 2. h0g2 h7h0 3. i0h0 1-0\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn chuhe(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(engine_tests::chuhe());
    command.current_dir(folder.path()).args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// Standard output of a command that succeeds.
fn run(folder: &TempDir, arguments: &[&str]) -> String {
    let output = chuhe(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The reviews in JSON Lines.
fn reviews(lines: &str) -> Vec<Value> {
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{line}: {error}")));
    lines.filter_map(|line| line.get("review").cloned()).collect()
}

fn judgements(review: &Value) -> Vec<&str> {
    review["moves"].as_array().unwrap().iter().map(|mv| mv["judgement"].as_str().unwrap()).collect()
}

#[test]
fn moves_of_the_book_are_marked_and_not_judged() {
    let folder = folder(&[("g.pgn", GAME)]);
    let json = run(&folder, &["analyze", "g.pgn", "--nodes", "800", "--json", "--report", "g.html"]);
    let review = &reviews(&json)[0];
    assert_eq!(judgements(review), ["book", "book", "book", "blunder", "good"]);
    for mv in &review["moves"].as_array().unwrap()[..3] {
        assert_eq!((&mv["loss"], &mv["loss_cp"]), (&0.0.into(), &Value::Null));
    }
    // Of Black's two moves only the blunder counts.
    let loss = review["moves"][3]["loss"].as_f64().unwrap();
    let expected = 100.0 * (-loss / 10.0).exp2();
    assert!((review["accuracy"]["black"].as_f64().unwrap() - expected).abs() < 0.2, "{review}");
    let page = fs::read_to_string(folder.path().join("g.html")).unwrap();
    assert_eq!(page.matches("class=\"move book\"").count(), 3);
    let summary = |options: &[&str]| run(&folder, &[&["analyze", "g.pgn", "--nodes", "800", "--summary"], options].concat());
    let with_word = |text: &str, word: &str| text.lines().filter(|line| line.ends_with(word)).count();
    assert_eq!(with_word(&summary(&[]), "  book"), 3);
    assert_eq!(with_word(&summary(&["--language", "zh"]), "  谱着"), 3);
    assert_eq!(with_word(&summary(&["--book", "none"]), "  book"), 0);
}

#[test]
fn the_book_of_the_user_decides_and_is_never_replaced() {
    let folder = folder(&[("g.pgn", GAME), ("drawn.pgn", &GAME.replace("1-0", "1/2-1/2"))]);
    run(&folder, &["book", "build", "drawn.pgn", "-o", "own.book", "--min-plies", "1"]);
    // In this one the moves of the loser are known, but not to be played.
    run(&folder, &["book", "build", "g.pgn", "-o", "won.book", "--min-plies", "1"]);
    fn analyze<'a>(options: &[&'a str]) -> Vec<&'a str> {
        [&["analyze", "g.pgn", "--nodes", "800", "--json"], options].concat()
    }
    let judged = |options: &[&str]| {
        let review = reviews(&run(&folder, &analyze(options))).remove(0);
        judgements(&review).into_iter().map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(judged(&["--book", "own.book"]), ["book"; 5]);
    assert_eq!(judged(&["--book", "won.book"])[3..], ["blunder", "book"]);
    assert!(!judged(&["--book", "none"]).contains(&"book".into()));
    for refused in [["--book", "missing.book"], ["--book", "."]] {
        let output = chuhe(&folder, &analyze(&refused));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    }
    let before = fs::read(folder.path().join("own.book")).unwrap();
    let output = chuhe(&folder, &analyze(&["--book", "own.book", "--report", "own.book", "--force"]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("own.book: is also an input"));
    assert_eq!(fs::read(folder.path().join("own.book")).unwrap(), before);
    // Results of another book are not gone on with.
    run(&folder, &["analyze", "g.pgn", "--nodes", "50", "--resume", "out.jsonl"]);
    let output = chuhe(&folder, &["analyze", "g.pgn", "--nodes", "50", "--resume", "out.jsonl", "--book", "own.book"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("book built-in (now own.book)"));
}
