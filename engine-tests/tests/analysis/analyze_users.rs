//! Guarantees of `chuhe analyze` and `chuhe diagram`: nothing is lost, and results can be joined with their inputs.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const KINGS: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4";
const GAME: &str =
    "[Event \"Cup\"]\n[Red \"A\"]\n[Black \"B\"]\n\n1. h2e2 {the usual} h9g7 (1... b9c7) 2. h0g2 h7h0 3. i0h0 1-0\n";

fn chuhe(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(engine_tests::chuhe());
    command.current_dir(folder.path()).args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lines(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// The command must have failed with one line that contains the text.
fn assert_refused(output: &Output, part: &str) {
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains(part), "{error}");
}

#[test]
fn a_page_with_much_before_its_game_is_read() {
    let text = "<p>a text</p>\n".repeat(6000);
    let page = format!("<html>\n{text}[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]");
    let folder = folder(&[("page", page.as_bytes())]);
    assert_eq!(lines(&chuhe(&folder, &["analyze", "page", "--json", "--depth", "1"])).len(), 3);
}

#[test]
fn a_game_reads_as_a_summary() {
    let folder = folder(&[("g.pgn", GAME.as_bytes())]);
    let output = chuhe(&folder, &["analyze", "g.pgn", "--depth", "5", "--summary", "--notation", "wxr"]);
    let summary = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(summary.starts_with("g.pgn, game 1\nA – B  1-0\nCup\n"), "{summary}");
    for part in
        ["1. C2=5 ", " C8+7 ", "Red: accuracy ", "Black: accuracy ", "1 blunder", "2… C8+7??  better: ", "Rules: undecided"]
    {
        assert!(summary.contains(part), "{part}\n{summary}");
    }
    let chinese =
        chuhe(&folder, &["analyze", "g.pgn", "--depth", "2", "--summary", "--language", "zh", "--score", "expectation"]);
    let summary = text(&chinese.stdout);
    assert!(summary.contains("准确率") && summary.contains("炮二平五") && summary.contains('%'), "{summary}");
    // A pipe gets JSON Lines.
    assert!(text(&chuhe(&folder, &["analyze", "g.pgn", "--depth", "2"]).stdout).starts_with('{'));
    assert_eq!(chuhe(&folder, &["analyze", "g.pgn", "--json", "--summary"]).status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_the_summary_and_json_when_asked() {
    let folder = folder(&[("g.pgn", GAME.as_bytes())]);
    let on_terminal = |options: &str| {
        let command = format!("'{}' analyze g.pgn --depth 2 {options}", engine_tests::chuhe().display());
        let output =
            Command::new("script").args(["-qec", &command, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null()).output();
        output.ok().map(|output| text(&output.stdout))
    };
    let Some(summary) = on_terminal("2>/dev/null") else {
        eprintln!("skipped: there is no program script to make a terminal");
        return;
    };
    assert!(summary.contains("g.pgn, game 1"), "{summary}");
    assert!(on_terminal("--json 2>/dev/null").is_some_and(|text| text.starts_with("{\"file\":\"g.pgn\"")));
}

#[test]
fn results_join_their_inputs() {
    let list = format!("{KINGS} w - - bm e1e5; id \"a; b\";\n\n{KINGS} w - - 3 9 ; my title\nnonsense\n");
    let folder = folder(&[("l.epd", list.as_bytes()), ("sub/g.pgn", GAME.as_bytes()), ("sub/notes.txt", b"about them")]);
    let output = chuhe(&folder, &["analyze", "l.epd", "sub", "--depth", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    assert_eq!(lines.len(), 3 + 7);
    let first = list.lines().next().unwrap();
    assert_eq!((&lines[0]["file"], &lines[0]["line"], &lines[0]["input"]), (&"l.epd".into(), &1.into(), &first.into()));
    assert_eq!((&lines[0]["id"], &lines[0]["operations"]["bm"]), (&"a; b".into(), &"e1e5".into()));
    assert_eq!((&lines[1]["line"], &lines[1]["title"]), (&3.into(), &"my title".into()));
    assert_eq!((&lines[2]["line"], &lines[2]["input"]), (&4.into(), &"nonsense".into()));
    assert!(lines[2]["error"].is_string());
    let file = Path::new("sub").join("g.pgn");
    for (ply, line) in lines[3..9].iter().enumerate() {
        assert_eq!((&line["file"], &line["game"], &line["ply"]), (&file.to_str().unwrap().into(), &1.into(), &ply.into()));
    }
    assert_eq!((&lines[9]["game"], &lines[9]["review"]["plies"]), (&1.into(), &5.into()));
}

#[test]
fn lists_of_numbered_lines_and_of_tags_are_read() {
    let tags = format!("[FEN \"{KINGS} w\"]\n\n*\n\n[FEN \"{KINGS} b\"]\n\n*\n");
    let folder = folder(&[
        ("a.txt", format!("1. {KINGS} w\n第2题：{KINGS} b\n").as_bytes()),
        ("b.pgn", tags.as_bytes()),
        ("c.pgn", tags.replace("\n\n*\n\n", "\n").as_bytes()),
    ]);
    let output = chuhe(&folder, &["analyze", ".", "--depth", "1"]);
    let lines = lines(&output);
    let found: Vec<_> = lines.iter().filter_map(|line| Some((line["title"].as_str(), line["fen"].as_str()?))).collect();
    let [red, black] = ["w", "b"].map(|side| format!("{KINGS} {side} - - 0 1"));
    let expected = [(Some("1"), &*red), (Some("第2题"), &black), (None, &red), (None, &black), (None, &red), (None, &black)];
    assert_eq!((found, output.status.code()), (expected.to_vec(), Some(0)), "{lines:?}");
}

#[test]
fn what_is_corrected_in_a_list_is_reported() {
    let (red, black) = (format!("{KINGS} w"), format!("{KINGS} b"));
    let list = format!("{red} moves d9d8\r{red} - - 0 1 e1e2 d9d8\r\n{black} moves d9d8\r");
    let folder = folder(&[("list.fen", list.as_bytes())]);
    let output = chuhe(&folder, &["analyze", "list.fen", "--depth", "1"]);
    let (errors, lines) = (text(&output.stderr), lines(&output));
    assert_eq!(lines.iter().map(|line| line["line"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)], "{errors}");
    for (line, part) in [(0, "the side to move of the FEN differs"), (1, "is not a known operation")] {
        assert!(lines[line]["warnings"][0].as_str().is_some_and(|warning| warning.contains(part)), "{}", lines[line]);
        assert!(errors.contains(&format!("list.fen: line {}: ", line + 1)) && errors.contains(part), "{errors}");
    }
    assert!(lines[2]["warnings"].is_null() && errors.lines().count() == 2, "{errors}");
}

#[test]
fn a_position_without_a_move_is_the_end_of_the_game() {
    let folder = folder(&[("list.fen", b"5k3/4R4/9/9/9/9/9/9/9/3K5 b\n4k4/4R4/3R5/9/9/9/9/9/9/3K5 b\n")]);
    let lines = lines(&chuhe(&folder, &["analyze", "list.fen", "--depth", "3"]));
    assert_eq!(lines[1]["ended"].as_str(), None, "{}", lines[1]);
    assert_eq!(lines[0]["ended"].as_str(), Some("black-loses"), "{}", lines[0]);
    assert!(lines[0]["bestmove"].is_null());
}

#[test]
fn a_file_without_a_game_is_an_error_and_the_rest_continues() {
    let noise: Vec<u8> = (0..4000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let letters: Vec<u8> = noise.iter().map(|byte| byte | 1).collect();
    let folder = folder(&[("a.pgn", &noise), ("b.pgn", &letters), ("c.xqf", &noise), ("g.pgn", GAME.as_bytes())]);
    let output = chuhe(&folder, &["analyze", "a.pgn", "b.pgn", "c.xqf", "missing.pgn", "g.pgn", "--depth", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    for (line, file) in lines.iter().zip(["a.pgn", "b.pgn", "c.xqf", "missing.pgn"]) {
        assert_eq!(line["file"], file);
        assert!(line["error"].is_string(), "{line}");
    }
    assert_eq!(lines.last().unwrap()["review"]["plies"], 5);
}

#[test]
fn a_report_replaces_files_only_with_force_and_never_an_input() {
    let folder = folder(&[("g.pgn", GAME.as_bytes()), ("old.html", b"mine")]);
    let analyze = |rest: &[&str]| chuhe(&folder, &[&["analyze", "g.pgn", "--depth", "1"], rest].concat());
    assert_refused(&analyze(&["--report", "g.pgn"]), "g.pgn: is also an input");
    assert_refused(&analyze(&["--report", "g.pgn", "--force"]), "g.pgn: is also an input");
    assert_refused(&analyze(&["--resume", "g.pgn", "--force"]), "g.pgn: is also an input");
    assert_refused(&analyze(&["--report", "old.html"]), "old.html: exists already");
    assert_eq!(analyze(&["--report", "r", "--resume", "r"]).status.code(), Some(2));
    assert_eq!(fs::read(folder.path().join("g.pgn")).unwrap(), GAME.as_bytes());
    assert_eq!(fs::read(folder.path().join("old.html")).unwrap(), b"mine");
    assert!(analyze(&["--report", "old.html", "--force"]).status.success());
    assert!(text(&fs::read(folder.path().join("old.html")).unwrap()).contains("the usual"));
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn resuming_with_other_settings_is_rejected() {
    let folder = folder(&[("l.fen", format!("{KINGS} w\n").as_bytes()), ("own.txt", b"no results\n")]);
    let resume = |out: &str, options: &[&str]| chuhe(&folder, &[&["analyze", "l.fen", "--resume", out], options].concat());
    assert!(resume("out.jsonl", &["--depth", "2"]).status.success());
    assert_eq!(fs::read_to_string(folder.path().join("out.jsonl")).unwrap().lines().count(), 1);
    assert!(resume("out.jsonl", &["--depth", "2", "--jobs", "2"]).status.success());
    assert_refused(&resume("out.jsonl", &["--depth", "3"]), "was begun with depth 2 (now 3)");
    assert_refused(&resume("out.jsonl", &["--depth", "2", "--rules", "chinese"]), "rules world (now chinese)");
    assert_refused(&resume("own.txt", &["--depth", "2"]), "does not contain results");
    assert_refused(&resume("own.txt", &["--depth", "2", "--force"]), "does not contain results");
    assert_eq!(fs::read(folder.path().join("own.txt")).unwrap(), b"no results\n");
    assert!(resume("out.jsonl", &["--depth", "3", "--force"]).status.success());
    fs::remove_file(folder.path().join("out.jsonl.settings.json")).unwrap();
    assert_refused(&resume("out.jsonl", &["--depth", "3"]), "the settings it was begun with are unknown");
}

#[test]
fn resuming_loses_no_results() {
    let folder = folder(&[
        ("l.fen", format!("{KINGS} w\n").as_bytes()),
        ("none.fen", b""),
        ("bad.fen", b"x\ny\n"),
        ("own.jsonl.settings.json", b"precious"),
        ("cut.jsonl", b"{\"a\":1}\nprecious tail"),
    ]);
    let analyze = |input: &str, rest: &[&str]| chuhe(&folder, &[&["analyze", input, "--depth", "1", "--resume"], rest].concat());
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| error.to_string());
    for input in ["l.fen", "none.fen"] {
        assert_refused(&analyze(input, &["own.jsonl"]), "is not a settings file and is left unchanged");
        assert_eq!(read("own.jsonl.settings.json"), "precious");
    }
    assert_refused(&analyze("own.jsonl.settings.json", &["own.jsonl"]), "is also an input");
    assert_eq!(read("own.jsonl.settings.json"), "precious");
    assert_refused(&analyze("l.fen", &["cut.jsonl", "--force"]), "--resume cut.jsonl: ");
    assert_eq!(read("cut.jsonl"), "{\"a\":1}\nprecious tail");
    assert!(!folder.path().join("cut.jsonl.settings.json").exists());
    // An incomplete line is rewritten.
    assert!(analyze("l.fen", &["torn.jsonl"]).status.success());
    let whole = read("torn.jsonl");
    fs::write(folder.path().join("torn.jsonl"), &whole[..whole.len() / 2]).unwrap();
    let again = analyze("l.fen", &["torn.jsonl"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(read("torn.jsonl").lines().count(), 1);
    fs::write(folder.path().join("torn.jsonl"), format!("{whole}{}", &whole[..20])).unwrap();
    assert_refused(&analyze("l.fen", &["torn.jsonl"]), "holds more lines than the 1 of the input");
    // Lines of another input are rejected, whatever their kind.
    assert_eq!(analyze("bad.fen", &["bad.jsonl"]).status.code(), Some(1));
    let before = read("bad.jsonl");
    assert_eq!(before.lines().count(), 2);
    assert_refused(&analyze("l.fen", &["bad.jsonl"]), "--resume bad.jsonl: ");
    assert!(analyze("l.fen", &["good.jsonl"]).status.success());
    assert_refused(&analyze("bad.fen", &["good.jsonl"]), "--resume good.jsonl: line 1: is the result of");
    fs::write(folder.path().join("bad.fen"), "x\n").unwrap();
    assert_refused(&analyze("bad.fen", &["bad.jsonl"]), "holds more lines than the 1 of the input");
    assert_eq!(read("bad.jsonl"), before);
}

#[test]
fn a_dash_is_not_a_folder() {
    let folder = folder(&[("g.pgn", GAME.as_bytes())]);
    fs::create_dir(folder.path().join("games")).unwrap();
    fs::copy(folder.path().join("g.pgn"), folder.path().join("games/g.pgn")).unwrap();
    assert_refused(&chuhe(&folder, &["convert", "games", "-"]), "expected a folder");
    for arguments in [
        &["man", "-o", "-"][..],
        &["site", "--package", "games", "-o", "-"],
        &["endgame", "build", "R-N", "-o", "-"],
        &["match", "--engine", "cmd=a", "--engine", "cmd=b", "--log", "-"],
    ] {
        let (output, option) = (chuhe(&folder, arguments), if arguments[0] == "match" { "--log" } else { "--output" });
        let expected = format!("chuhe: {option} -: standard output cannot be used here, expected a folder\n");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), expected), "{arguments:?}");
    }
    assert!(!folder.path().join("-").exists());
    // The empty standard input is read, not the folder.
    fs::rename(folder.path().join("games"), folder.path().join("-")).unwrap();
    let output = chuhe(&folder, &["analyze", "-", "--depth", "1"]);
    assert!(!text(&output.stdout).contains("g.pgn"), "{}", text(&output.stdout));
}

#[test]
fn a_resumed_report_replaces_only_the_page_of_an_earlier_run() {
    let own = "<!doctype html><html><head><title>My club</title></head></html>\n";
    let folder = folder(&[("g.pgn", GAME.as_bytes()), ("index.html", own.as_bytes())]);
    let analyze = |page: &str| chuhe(&folder, &["analyze", "g.pgn", "--depth", "1", "--resume", "r.jsonl", "--report", page]);
    assert_refused(&analyze("index.html"), "index.html: exists already");
    assert_eq!(fs::read_to_string(folder.path().join("index.html")).unwrap(), own);
    assert!(analyze("r.html").status.success());
    assert!(analyze("r.html").status.success());
}

#[test]
fn a_report_replaces_no_record_of_the_folder() {
    let folder = folder(&[("g.pgn", GAME.as_bytes()), ("list.fen", format!("{KINGS} w\n").as_bytes())]);
    let analyze = |report: &str| chuhe(&folder, &["analyze", ".", "--depth", "1", "--report", report, "--force"]);
    assert_refused(&analyze("list.fen"), "is also an input");
    assert_eq!(fs::read_to_string(folder.path().join("list.fen")).unwrap(), format!("{KINGS} w\n"));
    // It replaces an existing page.
    assert!(analyze("page.html").status.success());
    assert!(analyze("page.html").status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn closed_and_full_outputs_never_panic() {
    let folder = folder(&[("g.pgn", GAME.as_bytes())]);
    for command in ["analyze g.pgn --depth 1", "analyze g.pgn --depth 1 --summary", "diagram -o -"] {
        let shell = |redirection: &str| {
            let line = format!("'{}' {command} {redirection}", engine_tests::chuhe().display());
            Command::new("bash")
                .args(["-c", &line])
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .output()
                .expect("bash starts")
        };
        assert_refused(&shell("> /dev/full"), "standard output: ");
        let closed = shell("| true; exit ${PIPESTATUS[0]}");
        assert_eq!(text(&closed.stderr), "", "{command}");
        assert!(!matches!(closed.status.code(), Some(1 | 101 | 134)), "{command}: {}", closed.status);
    }
}

#[test]
fn the_page_has_the_contents_of_the_record_in_the_chosen_notation() {
    let second = GAME.replace("\"A\"", "\"C\"");
    let folder = folder(&[("g.pgn", format!("{GAME}\n{second}").as_bytes())]);
    let options = ["analyze", "g.pgn", "--depth", "4", "--notation", "wxr", "--report", "r.html", "--language", "zh"];
    assert!(chuhe(&folder, &options).status.success());
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    for part in
        ["the usual", ">1… <b class=n0>H2+3", "C2=5", "<html lang=\"zh-Hans\">", "<nav", "A – B", "C – B", "class=cp", "class=ev"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        page.contains("id=\"n0\" checked") && page.contains("<b class=n1>炮二平五"),
        "the other notation is there to be chosen"
    );
    // An index with result and accuracy, the best line at every move of both games, a board at the first move, a print style.
    let index = page.split("<nav").nth(1).and_then(|rest| rest.split("</nav>").next()).expect("an index");
    assert!(index.matches("<td>1-0</td>").count() == 2 && index.contains("accuracy in percent"), "{index}");
    assert_eq!(page.matches("class=\"lines\"").count(), 2);
    assert!(page.contains("@media print") && page.contains("First position"));
    for outside in ["http:", "https:", " src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn diagrams_are_drawn_of_files_plies_and_any_notation() {
    let folder = folder(&[("g.pgn", GAME.as_bytes()), ("bad.pgn", b"[Red \"A\"]\n\n1. h2e2 h9g7 2. a0a9 h7e7 *\n")]);
    let draw = |arguments: &[&str]| chuhe(&folder, &[&["diagram"], arguments].concat());
    let svg = |arguments: &[&str]| {
        let output = draw(&[arguments, &["-o", "-"]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let after_three = svg(&["--moves", "h2e2", "h9g7", "h0g2"]);
    assert_eq!(svg(&["--file", "g.pgn", "--ply", "3"]), after_three);
    assert_eq!(svg(&["--moves", "炮二平五", "馬8進7", "马二进三"]), after_three);
    assert_eq!(svg(&["--from", "wxr", "--moves", "C2=5", "H8+7", "H2+3"]), after_three);
    assert_eq!(svg(&["--arrow", "炮二平五"]), svg(&["--arrow", "h2e2"]));
    assert!(after_three.starts_with("<svg ") && !after_three.contains("<text"));
    assert_refused(&draw(&["--file", "g.pgn", "--ply", "6", "-o", "-"]), "has 5 plies, expected --ply 0 to 5");
    // The game is longer than its readable part.
    let cut = "has 2 plies, expected --ply 0 to 2; round 2 red, ply 3 (main line): 'a0a9'";
    assert_refused(&draw(&["--file", "bad.pgn", "--ply", "4", "-o", "-"]), cut);
    assert_refused(&draw(&["--file", "g.pgn", "--game", "2", "-o", "-"]), "has 1 game, expected --game 1 to 1");
    assert_refused(&draw(&["--fen", "9/9 w", "-o", "-"]), "--fen: ");
    assert_refused(&draw(&["--moves", "炮二平十", "-o", "-"]), "--moves: move 1 (round 1, red): ");
    // The last move needs the board before it.
    let after = ["--fen", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b", "--last-move"];
    let marked = svg(&[&after[..], &["h2e2"]].concat());
    assert_eq!(marked, svg(&["--moves", "h2e2"]));
    for mv in ["C2=5", "炮二平五", "H2-E2", "C2.5"] {
        assert_eq!(svg(&[&after[..], &[mv]].concat()), marked, "{mv}");
    }
    assert_eq!(svg(&[&["--from", "uci10"][..], &after, &["h3e3"]].concat()), marked);
    assert_eq!(svg(&["--last-move", "C2=5"]), svg(&["--last-move", "h2e2"]));
    // A cannon captures over a screen.
    let after = ["--fen", "rnbakabCr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b", "--last-move"];
    for mv in ["C2+7", "炮二进七"] {
        assert_eq!(svg(&[&after[..], &[mv]].concat()), svg(&[&after[..], &["h2h9"]].concat()), "{mv}");
    }
    assert_refused(&draw(&["--last-move", "C3=5", "-o", "-"]), "--last-move: 'C3=5': there is no red cannon on file 3");
}

#[test]
fn drawings_are_written_by_type_and_replace_files_only_with_force() {
    let folder = folder(&[("g.pgn", GAME.as_bytes())]);
    let draw = |arguments: &[&str]| chuhe(&folder, &[&["diagram"], arguments].concat());
    for name in ["a.jpg", "a", "a.html"] {
        assert_refused(&draw(&["-o", name]), "drawings of this type are not written");
        assert!(!folder.path().join(name).exists());
    }
    assert!(draw(&["-o", "a.svg"]).status.success());
    assert_refused(&draw(&["-o", "a.svg"]), "a.svg: exists already");
    assert!(draw(&["-o", "a.svg", "--flip", "--force"]).status.success());
    assert!(draw(&["-o", "a.png", "--width", "300"]).status.success());
    let png = fs::read(folder.path().join("a.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(u32::from_be_bytes(png[16..20].try_into().unwrap()), 300);
    // Options without a meaning for the drawing.
    let start = chuhe::board::START_FEN;
    for arguments in [
        &["-o", "-", "--width", "300"][..],
        &["--fen", start, "--ply", "3", "-o", "-"],
        &["--fen", start, "--game", "3", "-o", "-"],
    ] {
        let refused = draw(arguments);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
    fs::copy(folder.path().join("g.pgn"), folder.path().join("g.svg")).unwrap();
    assert_refused(&draw(&["--file", "g.svg", "-o", "g.svg", "--force"]), "g.svg: is also an input");
}

#[test]
fn two_runs_never_write_to_the_same_file() {
    let folder = folder(&[("list.fen", format!("{}\n", chuhe::board::START_FEN).as_bytes())]);
    let command = |movetime: &str| {
        let mut command = Command::new(engine_tests::chuhe());
        command.args(["analyze", "list.fen", "--resume", "out.jsonl", "--movetime", movetime]).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let mut first = command("1000000");
    while !folder.path().join("out.jsonl").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(first.try_wait().unwrap().is_none(), "the first run has ended");
    }
    // The file is locked immediately after its creation.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let second = command("1000000").wait_with_output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    let message = "chuhe: --resume out.jsonl: another run of the program is writing it\n";
    assert_eq!((second.status.code(), text(&second.stderr).as_str()), (Some(1), message));
    // The lock ends with the process.
    assert!(command("10").wait().unwrap().success());
}
