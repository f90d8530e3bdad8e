//! `chuhe judge` on the command line: the verdict line, the reasons, the exit status, one-line errors.

use engine_tests::chuhe;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const CHECKS: &str = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
const LOOP: [&str; 4] = ["h8h9", "f9f8", "h9h8", "f8f9"];

fn judge(arguments: &[&str]) -> Output {
    // Tests must not depend on the language of the environment.
    Command::new(chuhe()).arg("judge").args(arguments).env("LC_ALL", "C").output().expect("the program starts")
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
    let lines = lines(&twice(&["--lang", "both"]));
    assert_eq!(lines.len(), 14);
    assert!(lines[1].starts_with("1. h8h9 red rook: check"), "{}", lines[1]);
    assert!(lines[1].contains("红车：将"), "{}", lines[1]);
    assert!(lines[9].starts_with("Red: gives check on every move: perpetual check"), "{}", lines[9]);
    assert!(lines[11].contains("diagrams D1-D3"), "{}", lines[11]);
    assert_eq!(lines[12..], ["裁定：红方负", "verdict: red-loses"]);
}

/// All text for users is in the requested language; the last line is for scripts.
#[test]
fn chinese_reasons_end_with_a_chinese_verdict() {
    let mate = ["--fen", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 90", "a1d1"];
    let quiet = ["h0g2", "h9g7", "g2h0", "g7h9"];
    for (arguments, verdict, word) in [
        (&twice(&[])[..], "裁定：红方负", "red-loses"),
        (&mate, "裁定：黑方负", "black-loses"),
        (&[quiet, quiet].concat(), "裁定：和棋", "draw"),
        (&quiet, "裁定：再重复一次则和棋", "undecided"),
        (&[], "裁定：未分胜负", "undecided"),
    ] {
        let chinese = lines(&[&["--lang", "zh"][..], arguments].concat());
        let [reasons @ .., conclusion, last] = &chinese[..] else { panic!("{chinese:?}") };
        assert_eq!((conclusion.as_str(), last), (verdict, &format!("verdict: {word}")));
        let is_english = |line: &&String| line.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word.len() > 1);
        assert_eq!(reasons.iter().find(is_english), None);
        assert!(!lines(&[&["--lang", "en"][..], arguments].concat()).iter().any(|line| line.contains("裁定")));
    }
    let path = temporary("two.pgn", pgn("") + &pgn(""));
    let chinese = lines(&["--lang", "zh", text(&path)]);
    assert_eq!(chinese.iter().filter(|line| line.ends_with("two.pgn：第2局")).count(), 1, "{chinese:?}");
    // In lists both languages name the line.
    let path = temporary("two.fen", "# two\n3k5/9/9/9/9/9/9/9/4R4/4K4 w\n3k5/9/9/9/9/9/9/9/4R4/4K4 b\n");
    let both = lines(&["--lang", "both", text(&path)]);
    assert!(both[0].contains("two.fen: line 2 | ") && both[0].ends_with("two.fen：第2行"), "{both:?}");
}

/// The message for a second occurrence must not look like a verdict.
#[test]
fn a_second_occurrence_is_reported_as_undecided() {
    for (options, line) in [
        (["--lang", "en"], "not decided yet: draw if the position occurs for the third time after such moves"),
        (["--lang", "zh"], "尚不裁定：如此着法再使局面第三次出现，则和棋"),
    ] {
        let quiet = lines(&[&options[..], &["h0g2", "h9g7", "g2h0", "g7h9"]].concat());
        let rule = quiet.iter().position(|line| line.starts_with("rule: ") || line.starts_with("规则：")).expect("a rule");
        assert_eq!(quiet[rule + 1], line);
        assert_eq!(quiet.last().map(String::as_str), Some("verdict: undecided"));
    }
}

#[test]
fn reasons_use_the_requested_notation() {
    for (options, expected) in [
        (&["--notation", "wxr"][..], "1. R2+1 red rook: check"),
        (&["--notation", "chinese-simplified", "--lang", "zh"], "1. 车二进一 红车：将"),
        (&["--from", "iccs"], "1. H8-H9 red rook: check"),
        (&["--from", "iccs", "--notation", "uci"], "1. h8h9 red rook: check"),
    ] {
        let lines = lines(&twice(options));
        assert!(lines[1].starts_with(expected), "{options:?}: {}", lines[1]);
    }
    assert_eq!(judge(&["--notation", "sanskrit", "h2e2"]).status.code(), Some(2));
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

/// The reasons under the simple rules are correct for a rook that perpetually chases one horse.
#[test]
fn reasons_under_the_simple_rules_say_that_chases_are_allowed() {
    let chase = ["--fen", "3k5/9/9/9/9/9/1n7/9/R8/4K4 w", "a1b1 b3c5 b1c1 c5b3 c1b1 b3c5 b1c1 c5b3 c1b1"];
    let lines = lines(&[&["--rules", "simple"][..], &chase].concat());
    assert_eq!(lines.iter().filter(|line| line.contains("red rook: chase (red rook")).count(), 4, "{lines:?}");
    assert!(lines.iter().any(|line| line == "Red: gives no check, and only perpetual check is forbidden"), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("not one and the same piece")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("verdict: draw"));
    assert_eq!(last(&chase), "verdict: red-loses");
}

#[test]
fn lines_without_a_result_are_undecided() {
    for arguments in [&[][..], &["h2e2"], &["h2e2", "h9g7", "h0g2", "i9h9"], &["h0g2 h9g7 g2h0 g7h9"]] {
        assert_eq!(last(arguments), "verdict: undecided", "{arguments:?}");
    }
    assert_eq!(lines(&["--lang", "both"])[0], "nothing repeats and no limit is reached | 无重复局面，未到限着");
    // One language unless both are requested.
    assert_eq!(lines(&["--lang", "en"])[0], "nothing repeats and no limit is reached");
    assert_eq!(lines(&["--lang", "zh"])[0], "无重复局面，未到限着");
    // A second occurrence is reported, but decides nothing.
    let once = [&["--fen", CHECKS][..], &LOOP].concat();
    assert!(lines(&once).iter().any(|line| line.starts_with("not decided yet: Red loses")));
    assert!(lines(&once)[0].starts_with("the position occurs for the second time"));
    assert_eq!(last(&once), "verdict: undecided");
}

#[test]
fn a_line_that_continues_gets_the_verdict_at_the_end_of_the_game() {
    let note = "note: by these rules the game ended after ply 8; ";
    for (more, moves) in [(&["h8h9"][..], "the move after it is"), (&["h8e8", "c8b8"], "the 2 moves after it are")] {
        let printed = lines(&[twice(&["--language", "english"]), more.to_vec()].concat());
        assert_eq!(printed[0], format!("{note}{moves} not judged"));
        // The rest of the output is as if the line ended there.
        assert_eq!(printed[1..], lines(&twice(&["--language", "english"])));
        let printed = lines(&[twice(&["--lang", "zh"]), more.to_vec()].concat());
        assert_eq!(printed[0], format!("注：按此规则，对局在第8着后已结束，其后{}着不予裁定", more.len()));
    }
    // Ends other than by repetition: bare material at the start, and the natural limit.
    let bare = ["--fen", "3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e0f0", "d9d8"];
    assert_eq!(lines(&bare)[0], "note: by these rules the game ended after ply 0; the 2 moves after it are not judged");
    assert_eq!(last(&bare), "verdict: draw");
    assert_eq!(last(&["--fen", "3k5/9/8R/9/9/9/9/9/9/4K4 w - - 119 90", "i7h7", "d9d8", "h7h8"]), "verdict: draw");
    assert_eq!(last(&["--limit", "0", "--fen", "3k5/9/8R/9/9/9/9/9/9/4K4 w - - 119 90", "i7h7", "d9d8"]), "verdict: undecided");
}

/// A loop that varies its checks: one of <https://github.com/noobpwnftw/chessdb/issues/15>, which continues for 18 plies after the end.
#[test]
fn a_published_line_of_checks_ends_after_eighteen_plies() {
    let line = "g5g9 f5f9 g9g5 f9f5 h8h9 e8f9 h9h6 f9e8 g5g9 f5f9 g9g7 f9f3 g7g9 f3f9 g9g8 f9f1 g8g9 f1f9 g9g2 f9f2 g2g9 f2f9 \
        g9g6 f9f6 h6h9 f6f9 h9h3 f9f6 g6g9 f6f9 g9g8 f9f7 h3h9 f7f9 h9h0 f9f7 g8g9 f7f9 g9g6 f9f6";
    let fen = "3ak3C/4a2R1/9/4p3p/2r1rcR2/4C4/1n2P3P/B3B4/4A4/1c2KA3 w";
    assert_eq!(last(&["--fen", fen, line]), "verdict: red-loses");
    let object: serde_json::Value = serde_json::from_str(&last(&["--json", "--fen", fen, line])).expect("JSON");
    assert_eq!((&object["verdict"], &object["ended_after_ply"]), (&"red-loses".into(), &18.into()));
    for (field, text) in
        [("summary", "Red loses: rule: perpetual check loses"), ("summary_chinese", "红方负：规则：单方长将，作负")]
    {
        assert!(object[field].as_str().is_some_and(|summary| summary.starts_with(text)), "{object}");
    }
    assert!(object["reasons"][0].as_str().is_some_and(|reason| reason.contains("the third time; rounds 6 to 9 are judged")));
    // Before the end nothing is decided.
    let object: serde_json::Value = serde_json::from_str(&last(&["--ply", "17", "--json", "--fen", fen, line])).expect("JSON");
    assert_eq!((&object["verdict"], &object["ended_after_ply"]), (&"undecided".into(), &serde_json::Value::Null));
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
    // Also without --from, with numbers or in one argument; the reasons use the notation of the line.
    let line = ["1. H2+3 H8+7 2. H3-2 H7-8 3. H2+3 H8+7 4. H3-2 H7-8"];
    assert_eq!(last(&line), "verdict: draw");
    let answer = lines(&["马二进三", "马8进7", "马三退二", "马7退8", "马二进三", "马8进7", "马三退二", "马7退8"]);
    assert!(answer[1].starts_with("1. 马二进三 "), "{answer:?}");
    assert!(error(&["--from", "iccs", "H2+3"]).contains("it looks like"));
    let line = ["--from", "auto", "马二进三", "马8进7", "马三退二", "马7退8", "马二进三", "马8进7", "马三退二", "马7退8"];
    assert_eq!(last(&line), "verdict: draw");
}

#[test]
fn json_has_the_verdict_and_both_languages() {
    let lines = lines(&twice(&["--json"]));
    let [object] = &lines[..] else { panic!("{lines:?}") };
    for part in ["\"verdict\":\"red-loses\"", "perpetual check", "长将"] {
        assert!(object.contains(part), "{object}");
    }
}

#[test]
fn errors_name_the_position_in_the_input() {
    assert!(error(&["h2e2", "h2e2"]).contains("move 2 (round 1, black): 'h2e2': there is no black piece on h2"));
    assert!(error(&["h2e2", "x"]).contains("move 2 (round 1, black): 'x' is not a move in any notation, expected one such as"));
    assert!(error(&["--fen", "9/9 w"]).contains("--fen: FEN has 2 rows, expected 10"));
    assert!(error(&["--fen", ""]).contains("--fen: FEN is empty"));
    assert_eq!(judge(&["--from", "klingon", "h2e2"]).status.code(), Some(2));
    // A line has one notation; a move in another one is reported as such.
    assert!(error(&["炮二平五", "H8+7"]).contains("'H8+7' is not chinese notation, expected"));
    assert!(error(&["炮二平五", "H8+7"]).contains("it looks like wxf"));
    assert!(error(&["马三进三"]).contains("move 1 (round 1, red): "));
    assert_eq!(judge(&["--rules", "foo"]).status.code(), Some(2));
}

/// Diagram 1 of the World Rules as a game: the loop twice, then Red varies.
fn pgn(tail: &str) -> String {
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let turn = "H8-H9 F9-F8 H9-H8 (H9-G9 F8-F7) F8-F9 {again} ";
    format!("[Red \"A\"]\n[FEN \"{fen}\"]\n\n{turn}{turn}{tail}*\n\n")
}

fn temporary(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("chuhe-judge-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the temporary folder can be written");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the temporary folder has a plain name")
}

#[test]
fn a_game_file_of_every_format_is_judged() {
    let source = temporary("game.pgn", pgn(""));
    assert_eq!(last(&[text(&source)]), "verdict: red-loses");
    for name in ["game.xqf", "game.ubb", "gbk.pgn"] {
        let copy = temporary(name, "");
        std::fs::remove_file(&copy).expect("the file just written");
        let encoding = if name == "gbk.pgn" { "gbk" } else { "utf-8" };
        let status = Command::new(chuhe()).args(["convert", text(&source), text(&copy), "--encoding", encoding]).output();
        assert!(status.expect("the program starts").status.success());
        assert_eq!(last(&["--file", text(&copy)]), "verdict: red-loses", "{name}");
        assert_eq!(lines(&[text(&copy)]), lines(&twice(&[])), "{name}");
    }
    let cbf = "<?xml version=\"1.0\"?><ChineseChessRecord><Head><FEN>c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1</FEN></Head>\
        <MoveList><Move value=\"00-00\"/>TURNTURN</MoveList></ChineseChessRecord>";
    let turn = ["71-70", "50-51", "70-71", "51-50"].map(|mv| format!("<Move value=\"{mv}\"/>")).concat();
    let cbf = temporary("game.cbf", cbf.replace("TURN", &turn));
    assert_eq!(lines(&[text(&cbf)]), lines(&twice(&[])));
    let list = temporary("game.fen", format!("# a comment\n{CHECKS} moves {} {}\n", LOOP.join(" "), LOOP.join(" ")));
    assert_eq!(lines(&[text(&list)]), lines(&twice(&[])));
}

#[test]
fn a_game_file_can_be_standard_input() {
    let path = temporary("stdin.pgn", pgn(""));
    for arguments in [&["judge", "-"][..], &["judge", "--file", "-"], &["judge"]] {
        let input = std::fs::File::open(&path).expect("the file just written");
        let output = Command::new(chuhe()).args(arguments).stdin(Stdio::from(input)).output().expect("the program starts");
        assert!(String::from_utf8_lossy(&output.stdout).ends_with("verdict: red-loses\n"), "{arguments:?}");
    }
}

#[test]
fn game_and_ply_select_the_position() {
    let path = temporary("games.pgn", pgn("") + &pgn("H8-E8 C8-B8 ") + "[Red \"B\"]\n\n1. C2=5 H8+7 *\n");
    let judged = |arguments: &[&str]| last(&[arguments, &["--file", text(&path)]].concat());
    assert_eq!(judged(&["--game", "1"]), "verdict: red-loses");
    assert_eq!(judged(&["--game", "2"]), "verdict: red-loses");
    assert_eq!(judged(&["--game", "2", "--ply", "8"]), "verdict: red-loses");
    assert_eq!(judged(&["--game", "2", "--ply", "4"]), "verdict: undecided");
    assert_eq!(judged(&["--game", "3"]), "verdict: undecided");
    assert_eq!(judged(&["--game", "1", "--rules", "simple"]), "verdict: red-loses");
    let after = lines(&["--game", "2", "--language", "english", text(&path)]);
    assert_eq!(after[0], "note: by these rules the game ended after ply 8; the 2 moves after it are not judged");
    // A position of a line of moves is selected in the same way.
    assert_eq!(last(&[&["--ply", "4"][..], &twice(&[])].concat()), "verdict: undecided");
    // Without a selection all games are judged, each after its name.
    let all = lines(&[text(&path)]);
    let verdicts: Vec<&String> = all.iter().filter(|line| line.starts_with("verdict: ")).collect();
    assert_eq!(verdicts, ["verdict: red-loses", "verdict: red-loses", "verdict: undecided"]);
    let headings: Vec<&String> = all.iter().filter(|line| line.contains("games.pgn: game ")).collect();
    assert!(headings.len() == 3 && headings[2].ends_with("games.pgn: game 3"), "{headings:?}");
    assert!(error(&["--game", "4", text(&path)]).contains("games.pgn: --game 4: games in the file: 3"));
    assert!(error(&["--game", "3", "--ply", "3", text(&path)]).contains("games.pgn: game 3: --ply 3: plies in the line: 2"));
    assert!(error(&["--ply", "9", "h2e2"]).contains("--ply 9: plies in the line: 1"));
}

#[test]
fn a_game_that_cannot_be_judged_has_an_object() {
    let path = temporary("two.pgn", "[Red \"A\"]\n\n1. h2e2 *\n\n[Red \"B\"]\n\n1. h2e2 a0a9 *\n");
    let bare = temporary("bare.fen", "9/9 w\n");
    for (path, game, line, part) in [(&path, 2, None, "round 1 black, ply 2"), (&bare, 1, Some(1), "FEN has 2 rows")] {
        let output = Command::new(chuhe()).args(["judge", "--json"]).arg(path).output().expect("the program runs");
        let last = String::from_utf8(output.stdout).expect("text").lines().last().expect("a line").to_string();
        let object: serde_json::Value = serde_json::from_str(&last).expect("JSON");
        assert_eq!(
            (output.status.code(), object["game"].as_u64(), object["line"].as_u64()),
            (Some(1), Some(game), line),
            "{last}"
        );
        assert!(object["error"].as_str().is_some_and(|error| error.starts_with(part)), "{last}");
        assert!(object["verdict"].is_null() && object["file"] == text(path), "{last}");
    }
    let missing = Command::new(chuhe()).args(["judge", "--json", "nowhere.xqf"]).output().expect("the program runs");
    let object: serde_json::Value = serde_json::from_slice(&missing.stdout).expect("JSON");
    assert!(object["file"] == "nowhere.xqf" && object["game"].is_null() && object["error"].is_string(), "{object}");
}

#[test]
fn files_that_cannot_be_judged_are_reported() {
    for (name, bytes, part) in [
        ("empty.pgn", "", "empty.pgn: no game in the file"),
        ("comments.fen", "# nothing\n\n", "comments.fen: no game in the file"),
        ("bad.fen", "9/9 w\n", "bad.fen: line 1: FEN has 2 rows, expected 10"),
        (
            "illegal.fen",
            "startpos moves h2e2 h2e2\n",
            "illegal.fen: line 1: move 2 (round 1, black): 'h2e2': there is no black piece on h2",
        ),
        (
            "kingless.pgn",
            "[FEN \"9/9/9/9/9/9/9/9/9/9 w\"]\n\n1. H2-E2 *\n",
            "kingless.pgn: game 1: the start position is invalid: no red king, expected exactly one",
        ),
        ("page.html", "<html></html>", "page.html: no game and no position in it"),
        ("cut.xqf", "XQ\x12", "cut.xqf: "),
    ] {
        let error = error(&[text(&temporary(name, bytes))]);
        assert!(error.contains(part), "{name}: {error}");
    }
    assert!(error(&["nowhere.xqf"]).contains("nowhere.xqf: "));
    // Positions after an unreadable move of the main line cannot be judged, those before it can; a bad variation does not matter.
    let path = temporary("illegal.pgn", pgn("H8-H9 nonsense "));
    assert!(
        error(&[text(&path)])
            .contains("illegal.pgn: game 1: round 5 black, ply 10 (main line): 'nonsense' is not a legal move in")
    );
    assert_eq!(last(&[text(&path), "--ply", "8"]), "verdict: red-loses");
    assert!(error(&[text(&path), "--ply", "10"]).contains("ply 10"));
    let path = temporary("variation.pgn", pgn("(F8-F7 nonsense) "));
    assert_eq!(last(&[text(&path)]), "verdict: red-loses");
    // If there are no moves, only the start position is judged, with a note.
    let path = temporary("bare.pgn", "[FEN \"3k5/9/9/9/9/9/9/9/4A4/4K4 w\"]\n\n*\n");
    let answer = lines(&["--language", "english", text(&path)]);
    assert_eq!(answer[0], "note: the game has no moves; its start position is judged");
    assert_eq!(answer.last().map(String::as_str), Some("verdict: draw"));
    // A file has its own start position and notation.
    for (arguments, part) in [
        (&["--fen", CHECKS, "game.pgn"][..], "--fen: goes with moves"),
        (&["--from", "wxf", "game.pgn"][..], "--from: goes with moves"),
        (&["--game", "1", "h2e2"][..], "--game: "),
        (&["--game", "1", "game.pgn", "other.pgn"][..], "--game: "),
    ] {
        let output = judge(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(part), "{arguments:?}: {error}");
    }
    assert_eq!(judge(&["--file", "game.pgn", "h2e2"]).status.code(), Some(2));
    assert_eq!(judge(&["--game", "0", "game.pgn"]).status.code(), Some(2));
}

/// CBR, CBL and encrypted XQF files, if their folder exists next to the repository.
#[test]
fn files_of_other_programs_are_judged() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/samples"));
    let folder =
        if folder.is_dir() { folder } else { PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples")) };
    if !folder.is_dir() {
        println!("skipped: no shared/samples beside the repository");
        return;
    }
    for (file, game) in
        [("cbr/v2-variations.cbr", "1"), ("cbr/library-1989.cbl", "38"), ("cbr/test.cbf", "1"), ("xqf/v16-game.xqf", "1")]
    {
        assert_eq!(last(&["--game", game, text(&folder.join(file))]), "verdict: undecided", "{file}");
    }
    assert!(error(&[text(&folder.join("xqf/v18-illegal-last-move.xqf"))]).contains("is not legal in"));
    let library = lines(&[text(&folder.join("cbr/library-1989.cbl"))]);
    assert!(library.iter().filter(|line| line.starts_with("verdict: ")).count() > 30, "{library:?}");
}

#[test]
fn files_and_folders_are_judged_one_after_another() {
    let folder = std::env::temp_dir().join(format!("chuhe-judge-folder-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inner")).expect("the temporary folder can be written");
    let write =
        |name: &str, bytes: String| std::fs::write(folder.join(name), bytes).expect("the temporary folder can be written");
    write("a.pgn", pgn(""));
    write("inner/b.pgn", "[Red \"B\"]\n\n1. C2=5 H8+7 *\n".into());
    write("notes.md", "no game".into());
    let verdicts = |lines: &[String]| lines.iter().filter(|line| line.starts_with("verdict: ")).cloned().collect::<Vec<_>>();
    let expected = ["verdict: red-loses", "verdict: undecided"];
    assert_eq!(verdicts(&lines(&[text(&folder)])), expected);
    let (first, second) = (folder.join("a.pgn"), folder.join("inner/b.pgn"));
    assert_eq!(verdicts(&lines(&[text(&first), text(&second)])), expected);
    let objects = lines(&["--json", "--file", text(&first), "--file", text(&second)]);
    let objects: Vec<serde_json::Value> = objects.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((objects.len(), &objects[1]["game"], &objects[1]["verdict"]), (2, &1.into(), &"undecided".into()));
    assert!(objects[1]["file"].as_str().is_some_and(|file| file.ends_with("b.pgn")));
    // A misspelt name beside a game file is no move.
    let output = judge(&[text(&first), text(&folder.join("missing"))]);
    assert_eq!(verdicts(&String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect::<Vec<_>>()), expected[..1]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing: "));
    // A file without a game does not prevent the others from being judged.
    write("inner/c.pgn", "nothing\n".into());
    let output = judge(&[text(&folder)]);
    assert_eq!(output.status.code(), Some(1));
    let judged: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect();
    assert_eq!(verdicts(&judged), expected);
    assert!(String::from_utf8_lossy(&output.stderr).contains("c.pgn"));
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}

/// The results of a list can be joined with its lines.
#[test]
fn results_of_lists_name_their_lines() {
    let list = format!("# two of them\n{CHECKS} ; a title\n\nstartpos moves h2e2\n{CHECKS} bm h8h9; id \"the id\";\n");
    let path = temporary("list.epd", list);
    let objects = lines(&["--json", text(&path)]);
    let objects: Vec<serde_json::Value> = objects.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |name: &str| objects.iter().map(|object| object[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("line"), [2, 4, 5]);
    assert_eq!(of("game"), [1, 2, 3]);
    assert_eq!(of("title"), ["a title".into(), serde_json::Value::Null, "the id".into()]);
}

/// The error for a file whose name shows no format is not that of a move.
#[test]
fn a_file_without_a_known_extension_is_named() {
    let path = temporary("game", format!("{CHECKS} moves {}\n", LOOP.join(" ")));
    assert!(error(&[text(&path)]).ends_with("game: a file without the extension of a game file, which --file reads\n"));
    assert_eq!(last(&["--file", text(&path)]), "verdict: undecided");
}

#[test]
fn a_position_in_place_of_a_move_is_reported() {
    for arguments in [&[CHECKS][..], &[CHECKS, "h2e2"], &["4k4/9/9/9/9/9/9/9/9/3K5", "w", "-", "-", "0", "1"]] {
        let board = arguments[0].split(' ').next().unwrap_or_default();
        let expected = format!("chuhe: '{board}' is a position, which is given with --fen; expected moves\n");
        assert_eq!(error(arguments), expected);
    }
}

#[test]
fn illegal_moves_are_reported_with_round_and_reason() {
    for (arguments, parts) in [
        (&["h2e2", "h2e2"][..], ["move 2 (round 1, black): 'h2e2'", "there is no black piece on h2"]),
        (&["h2e2", "h9g7", "h0h2"], ["move 3 (round 2, red): ", "the red horse on h0 cannot make that move"]),
        (&["--fen", "4k4/4r4/9/9/9/9/9/9/4R4/4K4 w", "e1f1"], ["move 1 (round 1, red): ", "would leave the king in check"]),
        (&["--from", "wxf", "C2.5", "H8+8"], ["move 2 (round 1, black): 'H8+8'", "cannot make that move"]),
    ] {
        let error = error(arguments);
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    let path = temporary("reason.pgn", "[Red \"A\"]\n\n1. H2-E2 H9-G7 2. H0-H2 *\n");
    let error = error(&[text(&path)]);
    assert!(error.contains("round 2 red, ply 3") && error.contains("the red horse on h0 cannot make that move"), "{error}");
}
