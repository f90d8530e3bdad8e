//! `chuhe analyze`, `convert` and `diagram` on the command line.

use serde_json::Value;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const MATE_IN_ONE: &str = "2Pak4/4a4/4N4/9/4n4/6Pcp/4P4/4B4/4A4/2BA1K3 w - - 0 1";
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const MATED: &str = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1";

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(engine_tests::chuhe())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    let feeding = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    output
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("chuhe-analyze-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn lists_are_answered_in_order_with_bad_lines_in_place() {
    let list = format!("{MATE_IN_ONE}\nnonsense\n\n{START} moves h2e2 h9g7\n{MATED}\n");
    for jobs in ["1", "3"] {
        let output = run(&["analyze", "-", "--depth", "4", "--multipv", "2", "--jobs", jobs], &list);
        assert_eq!(output.status.code(), Some(1), "a line failed");
        let lines = lines(&output);
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0]["fen"], MATE_IN_ONE);
        assert_eq!((&lines[3]["file"], &lines[3]["line"], &lines[3]["input"]), (&"-".into(), &5.into(), &MATED.into()));
        assert_eq!(lines[0]["lines"][0]["score"]["mate"], 1);
        let best = lines[0]["bestmove"].as_str().unwrap();
        assert!(["e7c8", "e7g8"].contains(&best), "{best}");
        assert_eq!(lines[1]["line"], 2);
        assert!(lines[1]["error"].as_str().unwrap().contains("expected 10"));
        let game = &lines[2]["lines"];
        assert_eq!(game.as_array().unwrap().len(), 2);
        let line = &game[0];
        assert_eq!(line["pv"].as_array().unwrap().len(), line["pv_wxr"].as_array().unwrap().len());
        assert_eq!(line["wdl"].as_array().unwrap().iter().map(|part| part.as_u64().unwrap()).sum::<u64>(), 1000);
        assert!(lines[2]["fen"].as_str().unwrap().ends_with(" w - - 2 2"));
        assert_eq!(lines[3]["bestmove"], Value::Null);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("1 of 4 inputs failed, the first: standard input: line 2: "), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn titles_of_positions_and_games_are_reported() {
    let output = run(&["analyze", "-", "--nodes", "10"], &format!("{START}; a title\n"));
    let line = &lines(&output)[0];
    assert_eq!((&line["title"], &line["operations"]), (&"a title".into(), &Value::Null));
    // As Windows PowerShell writes a list to a file.
    let wide: Vec<u8> = format!("\u{feff}{START}; 题\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let list = temporary("wide.fen");
    std::fs::write(&list, wide).unwrap();
    let output = run(&["analyze", list.to_str().unwrap(), "--nodes", "10"], "");
    assert_eq!(lines(&output).iter().map(|line| &line["title"]).collect::<Vec<_>>(), ["题"]);
    let output = run(&["convert", list.to_str().unwrap(), "-", "--to-format", "fen"], "");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with(START), "{output:?}");
    let list = temporary("titles.fen");
    std::fs::write(&list, format!("第1局\n红先胜\n{START}\n\n第2局\n{START}; 题\nend\n")).unwrap();
    let output = run(&["analyze", list.to_str().unwrap(), "--nodes", "10"], "");
    let expected = ["第1局 红先胜".into(), "第2局 题".into(), Value::Null];
    assert_eq!(lines(&output).iter().map(|line| line["title"].clone()).collect::<Vec<_>>(), expected);
    assert!(lines(&output)[2]["error"].is_string());
    // The first title alone could be in GBK.
    let titles = ["殺", "馬後炮", "雙炮", "車", "第一局", "第二局", "單車勝士象全", "象棋殘局"];
    let text: String = titles.iter().map(|title| format!("{START}; {title}\r\n")).collect();
    let list = temporary("big5.fen");
    std::fs::write(&list, chuhe::records::encode(&text, chuhe::records::TextEncoding::Big5).0).unwrap();
    let output = run(&["analyze", list.to_str().unwrap(), "--nodes", "10"], "");
    assert_eq!(lines(&output).iter().map(|line| &line["title"]).collect::<Vec<_>>(), titles);
    let output = run(&["analyze", "-", "--nodes", "10"], "[Title \"the title\"]\n\n1. h2e2 *\n");
    assert!(lines(&output).iter().all(|line| line["title"] == "the title"));
}

#[test]
fn the_format_of_a_pipe_is_that_of_its_first_line() {
    let mut child = Command::new(engine_tests::chuhe())
        .args(["analyze", "-", "--depth", "1", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A network or a program without buffers delivers any part of a line.
    for part in ["\n", "[", "Red \"A\"]\n", "\n1. C2=5 *\n"] {
        stdin.write_all(part.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(lines(&output).last().unwrap()["review"]["plies"], 1, "{output:?}");
}

#[test]
fn an_overlong_line_is_an_error_of_its_line() {
    let output = run(&["analyze", "-", "--depth", "1"], &format!("{START} ; {}\n{START}\n", "x".repeat(200_000)));
    let lines = lines(&output);
    assert_eq!(lines[0]["error"], "longer than 131072 bytes, the most that is read of a line");
    assert!(lines.len() == 2 && lines[1]["fen"] == START, "{output:?}");
}

#[test]
fn fresh_results_depend_only_on_their_line() {
    let first = format!("{START}\n{MATE_IN_ONE}\n{START} moves h2e2\n");
    let second = format!("{START} moves h2e2\n{START}\n");
    let nodes = |list: &str, jobs: &str| -> Vec<Value> {
        let output = run(&["analyze", "--depth", "6", "--fresh", "--jobs", jobs], list);
        lines(&output).iter().map(|line| serde_json::json!([line["nodes"], line["lines"]])).collect()
    };
    let (first, second) = (nodes(&first, "1"), nodes(&second, "2"));
    assert_eq!((&first[0], &first[2]), (&second[1], &second[0]));
}

#[test]
fn resuming_completes_a_truncated_output_and_rejects_another_input() {
    let list = temporary("list.fen");
    let out = temporary("out.jsonl");
    std::fs::write(&list, format!("{START}\n{MATE_IN_ONE}\nbad\n{START} moves b2e2\n")).unwrap();
    let (list, path) = (list.to_str().unwrap().to_string(), out.to_str().unwrap().to_string());
    let analyze = |list: &str| run(&["analyze", list, "--nodes", "500", "--resume", &path], "");
    let status = |output: Output| output.status.code();
    let _ = std::fs::remove_file(&out);
    assert_eq!(status(analyze(&list)), Some(1), "a line of the list is bad");
    let whole = std::fs::read_to_string(&out).unwrap();
    assert_eq!(whole.lines().count(), 4);
    // Two lines are kept, the third is incomplete.
    let kept: usize = whole.split_inclusive('\n').take(2).map(str::len).sum();
    std::fs::write(&out, &whole[..kept + 7]).unwrap();
    assert_eq!(status(analyze(&list)), Some(1));
    let again = std::fs::read_to_string(&out).unwrap();
    assert_eq!(again[..kept], whole[..kept]);
    assert_eq!(again.lines().count(), 4);
    assert_eq!(status(analyze(&list)), Some(1));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), again);
    // The same positions in other lines, and with other texts.
    for changed in ["# a remark\n{START}\n", "{START} ; another title\n"] {
        std::fs::write(&list, changed.replace("{START}", START)).unwrap();
        let refused = analyze(&list);
        assert_eq!(refused.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("line 1: is the result of"));
        assert_eq!(std::fs::read_to_string(&out).unwrap(), again);
    }
    let other = temporary("other.fen");
    std::fs::write(&other, format!("{MATE_IN_ONE}\n")).unwrap();
    let refused = analyze(other.to_str().unwrap());
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the input has changed"));
}

#[test]
fn a_game_is_reviewed_and_reported_on_one_page() {
    let report = temporary("report.html");
    let _ = std::fs::remove_file(&report);
    // Black's second move immediately loses the value of a rook.
    let game = "[Red \"A\"]\n[Black \"B\"]\n\n1. h2e2 h9g7 2. h0g2 h7h0 3. i0h0 *\n";
    let output = run(&["analyze", "--depth", "5", "--notation", "wxr", "--report", report.to_str().unwrap()], game);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = lines(&output);
    assert_eq!(lines.len(), 7);
    assert_eq!((&lines[3]["game"], &lines[3]["ply"]), (&Value::from(1), &Value::from(3)));
    let review = &lines[6]["review"];
    assert_eq!((&review["plies"], &review["verdict"]), (&Value::from(5), &Value::from("undecided")));
    assert_eq!(review["moves"][3]["text"], "C8+7");
    assert!(review["moves"][3]["loss"].as_f64().unwrap() > 0.0);
    let page = std::fs::read_to_string(report).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for outside in ["http:", "https:", " src=", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_positions_in_progress_and_explains_how_to_resume() {
    let out = temporary("interrupted.jsonl");
    let _ = std::fs::remove_file(&out);
    let list = temporary("long.fen");
    std::fs::write(&list, format!("{START}\n").repeat(200)).unwrap();
    let child = Command::new(engine_tests::chuhe())
        .args(["analyze", list.to_str().unwrap(), "--movetime", "200", "--resume", out.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while std::fs::read_to_string(&out).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    engine_tests::signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(&out).unwrap();
    let done = text.lines().count();
    assert!((1..150).contains(&done), "{done} lines");
    assert!(error.contains(&format!("interrupted after {done} line")), "{error}");
    assert!(text.ends_with('\n') && text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

/// The results of searches that did not reach their limit must not be taken for complete ones by the next run.
#[cfg(unix)]
#[test]
fn a_second_interrupt_writes_no_result_of_a_search_that_it_cuts_short() {
    let (list, out) = (temporary("endless.fen"), temporary("cut.jsonl"));
    for file in [&out, &temporary("cut.jsonl.settings.json")] {
        let _ = std::fs::remove_file(file);
    }
    std::fs::write(&list, format!("{MATED}\n{START}\n")).unwrap();
    let mut child = Command::new(engine_tests::chuhe())
        .args(["analyze", list.to_str().unwrap(), "--depth", "200", "--resume", out.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let done = || std::fs::read_to_string(&out).map_or(0, |text| text.lines().count());
    while done() < 1 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    engine_tests::signal(&child, "INT");
    let mut errors = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(errors.any(|line| line.unwrap().contains("finishing the current positions")));
    engine_tests::signal(&child, "INT");
    let said: String = errors.map(|line| line.unwrap() + "\n").collect();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
    assert!(done() == 1 && said.contains("interrupted after 1 line, which --resume"), "{said}");
}

/// Under nohup, and as a background job of a script, some signals are ignored; the others still end the run without loss.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_works_while_other_signals_are_ignored() {
    let list = temporary("ignored.fen");
    std::fs::write(&list, format!("{START}\n").repeat(200)).unwrap();
    for (ignored, signal) in [("HUP", "INT"), ("HUP", "TERM"), ("INT", "TERM")] {
        let command = format!("trap '' {ignored}; exec \"$0\" analyze \"$1\" --movetime 100");
        let mut child = Command::new("sh")
            .args(["-c", &command, engine_tests::chuhe().to_str().unwrap(), list.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().expect("a result").unwrap();
        // The ignored signal has no effect.
        engine_tests::signal(&child, ignored);
        lines.next().expect("a result").unwrap();
        engine_tests::signal(&child, signal);
        let rest = lines.map(|line| line.unwrap()).last();
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{ignored} {signal}: {error}");
        assert!(
            error.contains("interrupted after") && rest.is_none_or(|line| line.ends_with('}')),
            "{ignored} {signal}: {error}"
        );
    }
}

#[test]
fn converting_keeps_the_game_and_reports_losses() {
    let game = "[Red \"A\"]\n[Round \"3\"]\n\n1. h2e2 {c} h9g7 (1... b9c7) 2. h0g2 1-0\n";
    let (pgn, xqf, back) = (temporary("a.pgn"), temporary("a.xqf"), temporary("b.pgn"));
    for path in [&xqf, &back] {
        let _ = std::fs::remove_file(path);
    }
    std::fs::write(&pgn, game).unwrap();
    let path = |path: &PathBuf| path.to_str().unwrap().to_string();
    let first = run(&["convert", &path(&pgn), &path(&xqf)], "");
    assert_eq!(String::from_utf8_lossy(&first.stdout), "games 1 plies 3\n");
    assert!(String::from_utf8_lossy(&first.stderr).contains("not carried over"));
    let second = run(&["convert", &path(&xqf), &path(&back), "--notation", "wxr"], "");
    assert!(second.status.success());
    let text = std::fs::read_to_string(&back).unwrap();
    assert!(text.contains("1. C2=5 {c} 1... H8+7 (1... H2+3) 2. H2+3 1-0"), "{text}");
    let missing = run(&["convert", "no such file", &path(&back)], "");
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&missing.stderr).lines().count(), 1);
}
