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
    // The end of input leaves the prompt on a line of its own.
    assert!(play(&["--side", "both"], "h2e2\n").ends_with("Black to move> \n"));
    assert!(text.contains(" 9  r   n   b   a   k ") && text.contains(" 0  R   N   B "), "{text}");
}

#[test]
fn the_engine_answers_at_every_level_and_gives_hints() {
    for level in ["1", "3", "5", "12"] {
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
    let nowhere = Command::new(chuhe()).args(["play", "--pgn", "nowhere/x.pgn"]).stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&nowhere.stderr);
    assert!(nowhere.status.code() == Some(1) && nowhere.stdout.is_empty(), "{error}");
    assert!(error.starts_with("chuhe: nowhere/x.pgn: ") && !error.contains(".part"), "{error}");
}

#[test]
fn levels_are_listed_and_changed_during_a_game() {
    let text = play(&["--side", "both", "--level", "2"], "level\nlevel 12\nlevel 13\nquit\n");
    for (number, level) in (1..).zip(chuhe::threads::LEVELS) {
        let mark = if number == 2 { '*' } else { ' ' };
        assert!(text.contains(&format!("{mark}{number:>3} {}\n", level.description)), "{text}");
    }
    assert!(text.contains("Level 12: full strength.") && text.contains("expected a number from 1 to 12"), "{text}");
}

#[test]
fn a_draw_is_offered_and_answered_with_the_reason() {
    let early = play(&["--movetime", "50"], "draw\nquit\n");
    assert!(early.contains("Black declines the draw: the game has only begun."), "{early}");
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("game.pgn");
    let pgn = pgn.to_str().unwrap();
    // A chariot more is no reason to agree, a chariot less is.
    let (better, worse) = ("3k5/9/9/9/9/9/9/9/r8/4KA3 w - - 0 40", "3k5/9/9/9/9/9/9/9/R8/4KA3 w - - 0 40");
    assert!(play(&["--fen", better], "draw\nquit\n").contains("Black declines the draw: Black stands better."));
    let accepted = play(&["--fen", worse, "--pgn", pgn, "--force"], "draw\nquit\n");
    assert!(accepted.contains("Black accepts the draw: Black stands worse."), "{accepted}");
    assert!(accepted.contains("The game is drawn."), "{accepted}");
    assert!(std::fs::read_to_string(pgn).unwrap().contains("1/2-1/2"));
    let quiet = play(&["--fen", "3k5/9/4b4/p7p/9/9/P7P/4B4/9/4K4 w - - 30 60"], "draw\nquit\n");
    assert!(quiet.contains("Black accepts the draw: the position is level, and little is left to win with."), "{quiet}");
    assert!(play(&["--side", "both"], "h2e2\ndraw\nh9g7\n").contains("Both agree.\nThe game is drawn."));
}

#[test]
fn nothing_of_a_session_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (pgn, copy) = (file("all.pgn"), file("copy.pgn"));
    // Two games and a copy that is written twice.
    let typed = format!("h2e2\nsave {copy}\nh9g7\nsave {copy}\nresign\nnew\nb2e2\nh7e7\nh0g2\n");
    play(&["--side", "both", "--pgn", &pgn], &typed);
    let read = |path: &str| -> Vec<(usize, String)> {
        let games = chuhe::records::Records::open(std::path::Path::new(path), None).unwrap();
        games.map(|game| game.unwrap()).map(|game| (game.plies(), format!("{:?}", game.result))).collect()
    };
    assert_eq!(read(&pgn), [(2, "BlackWins".into()), (3, "Unknown".into())]);
    assert_eq!(read(&copy), [(2, "Unknown".into())]);
    // Somebody's file stays.
    let again = play(&["--side", "both"], &format!("h2e2\nsave {copy}\nsave\n"));
    assert!(again.contains("exists already") && again.contains("expected the name of a file"), "{again}");
    assert_eq!(read(&copy).len(), 1);
    // So does the game before in the same session, and a file of another program where only --pgn may be replaced.
    let (mine, whole) = (file("mine.pgn"), file("whole.pgn"));
    let typed = format!("h2e2\nsave {mine}\nnew\nb2e2\nh7e7\nsave {mine}\nsave {copy}\n");
    let again = play(&["--side", "both", "--pgn", &whole, "--force"], &typed);
    assert_eq!(again.matches("exists already").count(), 2, "{again}");
    assert_eq!((read(&mine), read(&copy)), (vec![(1, "Unknown".into())], vec![(2, "Unknown".into())]));
    assert_eq!(read(&whole).len(), 2);
    // The extension says how a game is written.
    let (xqf, list) = (file("game.xqf"), file("game.fen"));
    let again = play(&["--side", "both"], &format!("h2e2\nh9g7\nsave {xqf}\nsave {list}\n"));
    assert_eq!(read(&xqf), [(2, "Unknown".into())]);
    assert!(again.contains("expected .pgn, .xqf, .ubb or .wxf") && !std::path::Path::new(&list).exists(), "{again}");
    let other = file("game.foo");
    let again = play(&["--side", "both"], &format!("h2e2\nsave {other}\n"));
    assert!(again.contains("an unknown extension, expected .pgn") && !std::path::Path::new(&other).exists(), "{again}");
    // A console that speaks GBK.
    let mut child = Command::new(chuhe())
        .args(["play", "--side", "both"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let typed = chuhe::records::encode("炮二平五\n", chuhe::records::TextEncoding::Gbk).0;
    child.stdin.take().unwrap().write_all(&typed).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1. Red: C2=5 (h2e2)"));
}

/// Ctrl-C keeps the game.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_saved() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("game.pgn");
    let mut child = Command::new(chuhe())
        .args(["play", "--side", "both", "--pgn"])
        .arg(&pgn)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"h2e2\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("1. Red: C2=5")));
    assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
    lines.for_each(drop);
    assert!(child.wait().unwrap().success());
    assert!(std::fs::read_to_string(pgn).unwrap().contains("H2-E2"));
}
