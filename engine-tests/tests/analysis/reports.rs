//! Reviews of `chuhe analyze`: judgements, pages, totals and annotated records.

use engine_tests::PLAIN_TEXT;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use tempfile::TempDir;

/// Three book moves, then Black trades a cannon for a horse.
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
fn book_moves_are_marked_and_not_judged() {
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
    assert_eq!(page.matches("<button class=\"book\"").count(), 3);
    let summary = |options: &[&str]| run(&folder, &[&["analyze", "g.pgn", "--nodes", "800", "--summary"], options].concat());
    let with_word = |text: &str, word: &str| text.lines().filter(|line| line.ends_with(word)).count();
    assert_eq!(with_word(&summary(&[]), "  book"), 3);
    assert_eq!(with_word(&summary(&["--language", "zh"]), "  谱着"), 3);
    assert_eq!(with_word(&summary(&["--book", "none"]), "  book"), 0);
}

#[test]
fn a_user_book_is_used_and_never_replaced() {
    let folder = folder(&[("g.pgn", GAME), ("drawn.pgn", &GAME.replace("1-0", "1/2-1/2"))]);
    run(&folder, &["book", "build", "drawn.pgn", "-o", "own.book", "--min-plies", "1"]);
    // This book has the moves of the loser with weight 0.
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
    // Results with another book cannot be resumed.
    run(&folder, &["analyze", "g.pgn", "--nodes", "50", "--resume", "out.jsonl"]);
    let output = chuhe(&folder, &["analyze", "g.pgn", "--nodes", "50", "--resume", "out.jsonl", "--book", "own.book"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("book built-in (now own.book)"));
}

/// The text of the cells of a row.
fn cells(row: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for cell in row.split("<td").skip(1) {
        let mut inside = true;
        // The text after the tag, without nested tags.
        let text = cell.chars().filter(|&letter| match letter {
            '<' => {
                inside = true;
                false
            }
            '>' => {
                inside = false;
                false
            }
            _ => !inside,
        });
        texts.push(text.collect());
    }
    texts
}

#[test]
fn totals_by_player_agree_with_the_json() {
    let games = [("A", "B", "1-0"), ("B", "A", "1/2-1/2"), ("A", "?", "0-1"), ("", "", "*")].map(|(red, black, result)| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. h2e2 h9g7 2. h0g2 h7h0 3. i0h0 i9i8 4. a3a4 c6c5 {result}\n\n")
    });
    let folder = folder(&[("many.pgn", &games.concat()), ("sub/many.pgn", &games[3])]);
    let json = run(&folder, &["analyze", "many.pgn", "sub", "--nodes", "400", "--json", "--report", "r.html"]);
    let reviews = reviews(&json);
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    let table = |at: usize| page.split("<table class=\"players\">").nth(at).unwrap().split("</table>").next().unwrap();
    let rows = |table: &str| table.split("<tr>").skip(2).map(cells).collect::<Vec<_>>();
    let found = rows(table(1));
    // Expected counts from the judgements in JSON.
    for (row, (name, played, score)) in found.iter().zip([("A", 3, "1½/3"), ("B", 2, "½/2")]) {
        let (mut loss, mut judged, mut errors) = (0.0, 0, [0; 3]);
        for (review, names) in reviews.iter().zip([["A", "B"], ["B", "A"], ["A", "?"], ["", ""], ["", ""]]) {
            for mv in review["moves"].as_array().unwrap() {
                let side = if mv["side"] == "red" { 0 } else { 1 };
                if names[side] != name || mv["judgement"] == "book" {
                    continue;
                }
                judged += 1;
                loss += mv["loss"].as_f64().unwrap();
                for (count, kind) in errors.iter_mut().zip(["blunder", "mistake", "inaccuracy"]) {
                    *count += (mv["judgement"] == kind) as usize;
                }
            }
        }
        let expected = [name.into(), played.to_string(), score.into(), format!("{:.1}", loss / judged as f64)];
        let errors = errors.map(|count| count.to_string());
        assert_eq!(row, &[&expected[..], &errors].concat(), "{name}");
    }
    assert_eq!(found.len(), 2);
    // The text ends with the same totals.
    let text = run(&folder, &["analyze", "many.pgn", "sub", "--nodes", "400", "--summary"]);
    let behind = text.split("\nPlayer ").nth(1).expect("totals").lines().skip(1);
    let in_text: Vec<Vec<&str>> = behind.map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(in_text.len(), 3, "{text}");
    assert!(found.iter().zip(&in_text).all(|(row, line)| row == line), "{text}");
    assert!(text.trim_end().ends_with("too few for reliable marks."), "{text}");
    // Players without a name are listed separately: one of the third game, two of each other game.
    let nameless = rows(table(2));
    assert_eq!(nameless.len(), 5);
    assert!(nameless.iter().all(|row| row[1] == "1"), "{nameless:?}");
    // Games without names are labelled with their files, also if two files have the same name.
    for title in ["many.pgn (4)", "sub/many.pgn (1)"] {
        assert!(page.replace('\\', "/").contains(title), "{title}");
    }
}

#[test]
fn the_notation_depends_on_the_language_and_the_page_states_its_reliability() {
    let folder = folder(&[("g.pgn", GAME)]);
    let summary = |options: &[&str]| run(&folder, &[&["analyze", "g.pgn", "--nodes", "60", "--summary"], options].concat());
    assert!(summary(&[]).contains("   1. C2=5 "));
    assert!(summary(&["--language", "zh"]).contains("   1. 炮二平五 "));
    assert!(summary(&["--language", "zh", "--notation", "iccs"]).contains("   1. H2-E2 "));
    run(&folder, &["analyze", "g.pgn", "--nodes", "1100", "--report", "r.html"]);
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(page.contains("(--nodes 1100)") && page.contains("% of the blunders stay marked"));
    assert!(page.contains("<b class=n0>C2=5</b><b class=n1>炮二平五</b>") && page.contains("id=\"n0\" checked"));
}

#[test]
fn warnings_of_records_are_in_the_language_of_the_output() {
    let folder = folder(&[("g.pgn", "[Red \"A\"]\n\n1. h2e2 h9g7 2. a0a9 *\n")]);
    let said = |arguments: &[&str]| {
        let output = chuhe(&folder, arguments);
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let english = said(&["analyze", "g.pgn", "--depth", "1", "--summary", "--report", "r.html"]);
    assert!(english.contains("Warning: round 2 red, ply 3 (main line): 'a0a9' is not a legal move in "), "{english}");
    let chinese = said(&["analyze", "g.pgn", "--depth", "1", "--summary", "--language", "zh"]);
    assert!(chinese.contains("警告： 第2回合红方（主变第3着）：“a0a9”在"), "{chinese}");
    assert!(chinese.contains("不是合法着法（'a0a9'：该棋子不能这样走）；该线其余部分作为注释保留"), "{chinese}");
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(page.contains("is not a legal move in") && page.contains("不是合法着法"), "{page}");
    let output = chuhe(&folder, &["analyze", "g.pgn", "--depth", "1", "--json"]);
    let noted = String::from_utf8(output.stderr).unwrap();
    assert!(noted.contains("chuhe: g.pgn: game 1: round 2 red, ply 3 (main line): 'a0a9' is not"), "{noted}");
    let json = String::from_utf8(output.stdout).unwrap();
    let review: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert!(review["review"]["warnings_chinese"][0].as_str().is_some_and(|text| text.starts_with("第2回合红方")), "{review}");
    let judged = said(&["judge", "g.pgn", "--language", "zh"]);
    assert!(judged.contains("g.pgn: game 1: 第2回合红方（主变第3着）") && !judged.contains("legal move"), "{judged}");
}

/// Red wins, but checks perpetually until the rules end the game.
const LOST_BY_RULES: &str =
    "[FEN \"5k3/9/9/9/9/9/9/9/N7R/3K5 w - - 0 1\"]\n\n1. i1f1 f9e9 2. f1e1 e9f9 3. e1f1 f9e9 4. f1e1 e9f9 5. e1f1 0-1\n";

#[test]
fn the_result_of_the_rules_counts_at_the_end_of_a_game() {
    // A win that the natural limit makes a draw.
    let limit = "[FEN \"4k4/9/9/9/9/9/9/9/R8/3K5 w - - 119 100\"]\n\n1. a1a2 1/2-1/2\n";
    let folder =
        folder(&[("p.pgn", LOST_BY_RULES), ("limit.pgn", limit), ("list.fen", "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 120 100\n")]);
    let analyze = |name: &str, option: &str| run(&folder, &["analyze", name, "--depth", "6", "--notation", "uci", option]);
    let text = analyze("p.pgn", "--summary");
    assert!(text.contains(" 5. e1f1     0-1  ?? blunder"), "{text}");
    assert!(!text.contains("Red: accuracy 100.0%") && text.contains("Rules: Red loses"), "{text}");
    let json = analyze("p.pgn", "--json");
    let review = &reviews(&json)[0];
    let last = &review["moves"][8];
    assert_eq!((&last["red_expectation"], &last["judgement"]), (&0.0.into(), &"blunder".into()), "{last}");
    assert!(json.contains("\"lines\":[],\"bestmove\":null,\"ended\":\"red-loses\""), "{json}");
    let text = analyze("limit.pgn", "--summary");
    assert!(text.contains("a1a2 1/2-1/2") && text.contains("Rules: draw"), "{text}");
    let text = analyze("list.fen", "--summary");
    assert!(text.contains("  1/2-1/2  draw"), "{text}");
}

/// A running analysis of `g.pgn` and then of standard input, and the lines that it prints.
fn waiting(folder: &TempDir, arguments: &[&str]) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut command = Command::new(engine_tests::chuhe());
    command.current_dir(folder.path()).args(["analyze", "g.pgn", "-", "--depth", "1", "--json"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, lines)
}

#[test]
fn an_output_that_cannot_be_written_does_not_cost_the_other() {
    let folder = folder(&[("g.pgn", GAME), ("gone/x", "")]);
    let (mut child, mut lines) = waiting(&folder, &["--report", "gone/r.html", "--annotate", "k.pgn"]);
    // The outputs have been checked by now, and the program waits for standard input.
    lines.next().unwrap().unwrap();
    fs::remove_dir_all(folder.path().join("gone")).unwrap();
    writeln!(child.stdin.take().unwrap(), "4k4/9/9/9/9/9/9/9/R8/3K5 w").unwrap();
    lines.for_each(drop);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("gone/r.html: "), "{said}");
    assert!(fs::read_to_string(folder.path().join("k.pgn")).unwrap().contains("[%eval "));
}

/// The files of an earlier run are complete, those of an interrupted one are not.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_replaces_no_file() {
    let folder = folder(&[("g.pgn", GAME), ("r.html", "page"), ("k.pgn", "games")]);
    for (page, record) in [("r.html", "k.pgn"), ("new.html", "new.pgn")] {
        let (mut child, mut lines) = waiting(&folder, &["--force", "--report", page, "--annotate", record]);
        assert!(lines.any(|line| line.unwrap().contains("\"review\"")));
        engine_tests::signal(&child, "INT");
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(errors.any(|line| line.unwrap().contains("finishing the current positions")));
        drop(child.stdin.take());
        lines.for_each(drop);
        let said: String = errors.map(|line| line.unwrap() + "\n").collect();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
        assert_eq!(said.contains("left as it was, since the analysis is incomplete"), page == "r.html", "{said}");
    }
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((text("r.html").as_str(), text("k.pgn").as_str()), ("page", "games"));
    // What is finished is kept where it replaces nothing.
    assert!(text("new.html").ends_with("</html>\n") && text("new.pgn").contains("[%eval "));
}

#[test]
fn names_of_outputs_agree_with_their_contents() {
    let folder = folder(&[("g.pgn", GAME)]);
    for (option, name, part) in [
        ("--annotate", "a.jsonl", "--annotate a.jsonl: the extension names no format of records, expected pgn, xqf"),
        ("--annotate", "a", "--annotate a: the extension names no format of records"),
        ("--annotate", "a.html", "--annotate a.html: the extension names no format of records"),
        ("--report", "r.pgn", "--report r.pgn: the extension is that of a record, expected .html"),
        // The symbols are those of the page.
        ("--pieces", "letters", "--report <HTML>"),
    ] {
        let output = chuhe(&folder, &["analyze", "g.pgn", "--depth", "1", option, name]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty() && said.contains(part), "{said}");
        assert!(!folder.path().join(name).exists());
    }
}

#[test]
fn messages_count_games_and_escape_names() {
    let folder = folder(&[("g.pgn", &[GAME, GAME].join("\n")), ("bad.pgn", "[FEN \"9/9 w\"]\n\n1. h2e2 *\n")]);
    let output =
        chuhe(&folder, &["analyze", "g.pgn", "bad.pgn", "\u{1b}[31m", "--depth", "1", "--summary", "--annotate", "k.pgn"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("2 of 4 inputs failed, the first: bad.pgn: game 1: "), "{said}");
    assert!(said.contains("k.pgn: without 1 game that could not be read"), "{said}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\\u{1b}[31m: ") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn scores_and_marks_are_written_into_records_once() {
    let game = "[Red \"A\"]\n[Black \"B\"]\n\n1. h2e2 {the usual} h9g7 (1... b9c7 {other}) 2. h0g2 h7h0! 3. i0h0 1-0\n";
    let folder = folder(&[("g.pgn", game), ("two.pgn", &[game, game].join("\n"))]);
    let text = |name: &str| String::from_utf8_lossy(&fs::read(folder.path().join(name)).unwrap()).into_owned();
    let annotate = |input: &str, output: &str| {
        let json = run(&folder, &["analyze", input, "--book", "none", "--nodes", "800", "--json", "--annotate", output]);
        json.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let lines = annotate("g.pgn", "once.pgn");
    let once = run(&folder, &[&["convert", "once.pgn", "-", "--notation", "uci"], PLAIN_TEXT].concat());
    // The score after each move from Red's view, at the start of the comment.
    let mut evals = 0;
    for (ply, line) in lines.iter().filter(|line| line.get("review").is_none()).enumerate().skip(1) {
        let Some(score) = line["lines"][0]["score"]["cp"].as_i64() else { continue };
        let score = if ply % 2 == 0 { score } else { -score } as f64 / 100.0;
        assert!(once.contains(&format!("[%eval {score:.2}]")), "{ply}: {score} {once}");
        evals += 1;
    }
    assert_eq!((evals, once.matches("[%eval ").count()), (5, 5), "{once}");
    assert!(once.contains("[%eval ") && once.contains("the usual}") && once.contains("{other}"), "{once}");
    // An existing mark by another annotator is kept instead of ours.
    assert!(once.contains("h7h0 $1 "), "{once}");
    // A second review replaces the first.
    annotate("once.pgn", "twice.pgn");
    assert_eq!(text("once.pgn"), text("twice.pgn"));
    // Without an existing mark ours is written, and removed when the review no longer gives it.
    fs::write(folder.path().join("plain.pgn"), game.replace('!', "")).unwrap();
    annotate("plain.pgn", "marked.pgn");
    let marked = run(&folder, &[&["convert", "marked.pgn", "-", "--notation", "uci"], PLAIN_TEXT].concat());
    assert!(marked.contains("h7h0 $4 "), "{marked}");
    run(&folder, &["analyze", "marked.pgn", "--depth", "1", "--annotate", "again.pgn"]);
    assert_eq!(text("again.pgn").matches("[%eval ").count(), 5);
    // XQF has comments and variations but no marks, which is reported.
    let output = chuhe(&folder, &["analyze", "two.pgn", "--nodes", "100", "--annotate", "x.xqf"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && said.contains("x-002.xqf: game 2") && said.contains("not carried over: move marks"),
        "{said}"
    );
    let text_of_xqf = || run(&folder, &[&["convert", "x.xqf", "-"], PLAIN_TEXT].concat());
    assert!(text_of_xqf().contains("[%eval "));
    // The files of all games are checked before the analysis; of standard input the number of games is not known.
    fs::remove_file(folder.path().join("x.xqf")).unwrap();
    for input in ["two.pgn", "-"] {
        let output = chuhe(&folder, &["analyze", input, "--nodes", "100", "--annotate", "x.xqf"]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("x-002.xqf: exists already"), "{output:?}");
        assert!(!output.status.success() && output.stdout.is_empty() && !folder.path().join("x.xqf").exists());
    }
    run(&folder, &["analyze", "g.pgn", "--nodes", "100", "--annotate", "x.xqf"]);
    assert!(text_of_xqf().contains("[%eval "));
    run(&folder, &["analyze", "two.pgn", "--nodes", "100", "--annotate", "x.xqf", "--force"]);
    // Without a game or position neither file is written, so a mistyped name costs nothing.
    for input in ["missing.pgn", "list.fen"] {
        fs::write(folder.path().join("list.fen"), "4k4/9/9/9/9/9/9/9/R8/3K5 w\n").unwrap();
        fs::write(folder.path().join("kept.html"), "page").unwrap();
        fs::write(folder.path().join("kept.pgn"), game).unwrap();
        let arguments = ["analyze", input, "--nodes", "50", "--annotate", "kept.pgn", "--report", "kept.html", "--force"];
        let said = String::from_utf8_lossy(&chuhe(&folder, &arguments).stderr).into_owned();
        assert!(said.contains("kept.pgn: no game to annotate; not written"), "{said}");
        assert_eq!((text("kept.pgn").as_str(), text("kept.html") == "page"), (game, input == "missing.pgn"));
    }
    // It never replaces an input or the report.
    for arguments in [
        &["analyze", "g.pgn", "--annotate", "g.pgn", "--force"][..],
        &["analyze", "g.pgn", "--annotate", "r.html", "--report", "r.html"],
    ] {
        assert!(!chuhe(&folder, arguments).status.success(), "{arguments:?}");
    }
    assert_eq!(text("g.pgn"), game);
}
