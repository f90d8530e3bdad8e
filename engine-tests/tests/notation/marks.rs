//! `chuhe convert` of games whose moves have marks, signs and remarks attached, or no blanks between them: no ply is lost.

use engine_tests::{PLAIN_TEXT, chuhe};
use std::path::Path;
use std::process::Command;

/// The moves of every game of a file as written by `chuhe convert`, without numbers, tags and comments, and its messages.
fn converted(name: &str, text: &str) -> (Vec<Vec<String>>, String) {
    let folder = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let input = folder.join("games.pgn");
    std::fs::write(&input, text).expect("a file in it");
    let output = Command::new(chuhe())
        .args(["convert", "--notation", "uci", "--to-format", "pgn"])
        .args(PLAIN_TEXT)
        .args([input.as_path(), Path::new("-")])
        .output()
        .expect("the program starts");
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
    let written = String::from_utf8(output.stdout).expect("UTF-8");
    let games = written.split("[Game ").skip(1).map(|game| moves_of(game.split_once("\n\n").map_or("", |(_, body)| body)));
    let faults = String::from_utf8_lossy(&output.stderr);
    (games.collect(), faults.lines().filter(|line| line.contains("main line")).collect::<Vec<_>>().join("\n"))
}

fn moves_of(body: &str) -> Vec<String> {
    let mut depth = 0;
    let outside = |letter: &char| {
        depth += (*letter == '{') as i32;
        let is_outside = depth == 0;
        depth -= (*letter == '}') as i32;
        is_outside
    };
    let plain: String = body.chars().filter(outside).collect();
    let is_move = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_lowercase());
    plain.split_whitespace().filter(is_move).map(str::to_string).collect()
}

/// The same eight plies in four notations.
const LINES: [[&str; 8]; 4] = [
    ["炮二平五", "马8进7", "马二进三", "车9平8", "车一平二", "马2进3", "兵七进一", "炮2平1"],
    ["C2=5", "H8+7", "H2+3", "R9=8", "R1=2", "H2+3", "P7+1", "C2=1"],
    ["P2-5", "M8.7", "M2.3", "X9-8", "X1-2", "M2.3", "B7.1", "P2-1"],
    ["H2-E2", "H9-G7", "H0-G2", "I9-H9", "I0-H0", "B9-C7", "C3-C4", "B7-A7"],
];
const MOVES: [&str; 8] = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "c3c4", "b7a7"];

fn check(name: &str, bodies: &[String]) {
    let text: String = bodies.iter().map(|body| format!("[Event \"x\"]\n[Result \"*\"]\n\n{body}\n\n")).collect();
    let (games, messages) = converted(name, &text);
    assert_eq!(games.len(), bodies.len());
    for (moves, body) in games.iter().zip(bodies) {
        assert_eq!(moves, &MOVES, "{body}: {messages}");
    }
}

#[test]
fn a_mark_attached_to_a_move_is_skipped() {
    const MARKS: [&str; 28] = [
        ",",
        "，",
        "；",
        ";",
        "。",
        "、",
        "：",
        "!",
        "？",
        "!!",
        "（好）",
        "(good)",
        "【妙】",
        "“",
        "”",
        "《",
        "》",
        "…",
        "·",
        "~",
        "|",
        "★",
        "①",
        "→",
        "'",
        "\"",
        "`",
        "好棋！",
    ];
    let mut bodies = Vec::new();
    for line in LINES {
        for mark in MARKS {
            let glued = |before: &str, behind: &str| line.join(&format!("{before}{mark}{behind}"));
            bodies.push(format!("{}{mark} *", glued("", " ")));
            bodies.push(format!("{}*", glued("", "")));
            // After a blank a semicolon starts a comment; dots before the first move mean that it is Black's.
            if mark != ";" && mark != "…" {
                bodies.push(format!("{mark}{} *", glued(" ", "")));
            }
        }
    }
    check("marks", &bodies);
}

#[test]
fn a_mark_at_a_number_is_skipped() {
    const SHAPES: [(&str, &str); 12] = [
        ("", "."),
        ("", "、"),
        ("", "．"),
        ("!!", "."),
        ("，", "."),
        ("(", ")"),
        ("（", "）"),
        ("", ":"),
        ("。", "："),
        ("【", "】"),
        ("", ")"),
        ("[", "]"),
    ];
    let mut bodies = Vec::new();
    for line in LINES {
        for (before, behind) in SHAPES {
            let rounds = |blank: &str, between: &str| {
                let pair =
                    |(index, pair): (usize, &[&str])| format!("{before}{}{behind}{blank}{}", index + 1, pair.join(between));
                line.chunks(2).enumerate().map(pair).collect::<Vec<_>>().join(" ")
            };
            // A bracket at the start of a line starts a tag.
            bodies.push(format!(" {} *", rounds(" ", " ")).replacen(" [", "1. [", 1));
            bodies.push(format!(" {} *", rounds("", "，")).replacen(" [", "1. [", 1));
        }
    }
    check("numbers", &bodies);
}

#[test]
fn moves_need_no_blanks_between_them() {
    let mut bodies = Vec::new();
    for line in LINES {
        bodies.push(format!("{}*", line.concat()));
        bodies.push(line.chunks(2).enumerate().map(|(index, pair)| format!("{}.{}", index + 1, pair.concat())).collect());
        bodies.push(line.join(","));
        bodies.push(line.join("；") + "1-0。");
    }
    check("side-by-side", &bodies);
}
