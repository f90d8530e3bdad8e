//! `chuhe notation` on the command line: output forms, exit status, one-line errors.

use chuhe::notation::Legend;
use chuhe::records::{TextEncoding, encode};
use engine_tests::chuhe;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn notation(arguments: &[&str]) -> Output {
    Command::new(chuhe()).arg("notation").args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The output of a run that must succeed.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = notation(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_string).collect()
}

/// The output of a run that must succeed, with this standard input.
fn piped(arguments: &[&str], input: &[u8]) -> String {
    let mut child = Command::new(chuhe())
        .arg("notation")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    stdin.write_all(input).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{arguments:?}");
    text(&output.stdout)
}

/// The error line of a run that must fail with status 1.
fn error(arguments: &[&str]) -> String {
    let output = notation(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty());
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn one_line_for_every_system() {
    let systems =
        "iccs,uci,uci10,wxf,wxr,tandem,chinese,chinese-simplified,vietnamese,shorthand,old-manual,poem,descriptive,meng,hodges";
    assert_eq!(
        lines(&["--from", "uci", "--to", systems, "h2e2", "h9g7", "h0g2"]),
        [
            "H2-E2 H9-G7 H0-G2",
            "h2e2 h9g7 h0g2",
            "h3e3 h10g8 h1g3",
            "C2.5 H8+7 H2+3",
            "C2=5 H8+7 H2+3",
            "C2.5 H8+7 H2+3",
            "炮二平五 馬８進７ 馬二進三",
            "炮二平五 马８进７ 马二进三",
            "P2-5 M8.7 M2.3",
            "C25 H87\u{332} H23\u{332}",
            "C8=5 H2+3 H8+7",
            "羽-淡 荒-閏 推-潛",
            "Cannon traverses Horse advances Horse advances",
            "C82-52 H89-77 H80-72",
            "C2h-5h H-3c H-3h",
        ]
    );
}

#[test]
fn moves_that_begin_with_signs_are_not_options() {
    let five = "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w";
    assert_eq!(lines(&["--from", "tandem", "--to", "uci", "--fen", five, "--.4"]), ["g5f5"]);
    let horses = "4k4/9/4H4/9/4H4/9/9/9/9/3K5 w";
    assert_eq!(lines(&["--from", "wxr", "--to", "uci", "--fen", horses, "-h-4"]), ["e5f3"]);
    assert!(error(&["--to", "uci", "h2e2", "--from", "uci"]).contains("'--from' follows a move"));
    assert!(error(&["h2e2", "--to", "wxr"]).contains("'--to' follows a move: options come first"));
    assert!(error(&["--to", "wxr", " ", ""]).contains("no moves, expected at least one"));
    let bare = Command::new(chuhe()).args(["notation", "h2e2"]).output().unwrap();
    assert_eq!(bare.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bare.stderr).contains("expected --to and the notations to write"));
    let twice = Command::new(chuhe()).args(["notation", "--to", "poem", "--legend", "-", "-"]).output().unwrap();
    assert_eq!(twice.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("- is given twice"));
    // `-h` alone is not a move but the short form of `--help`.
    let help = |flag| Command::new(chuhe()).args(["notation", flag]).output().unwrap();
    let (short, long) = (help("-h"), help("--help"));
    assert!(short.status.success(), "{short:?}");
    assert_eq!(short.stdout, long.stdout);
    assert!(short.stdout.starts_with(b"Converts a line of moves"), "{short:?}");
}

#[test]
fn options_reach_the_writers() {
    let html = lines(&["--to", "shorthand", "--lines", "html", "--script", "traditional", "马二进三"]);
    assert_eq!(html, ["馬2<u>3</u>"]);
    let words = lines(&["--to", "descriptive", "--unambiguous", "--json", "H2-E2"]);
    assert_eq!(words, [r#"{"system":"descriptive","moves":["Cannon traverses (C2=5)"],"from":["iccs","uci"]}"#]);
    let there_and_back = lines(&["--from", "descriptive", "--to", "uci", "Cannon traverses (C2=5)"]);
    assert_eq!(there_and_back, ["h2e2"]);
}

#[test]
fn a_legend_is_read_from_a_file_or_refused_with_the_character() {
    let folder = std::env::temp_dir().join(format!("chuhe-legend-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let write = |name: &str, legend: Vec<u8>| {
        let path = folder.join(name);
        std::fs::write(&path, legend).expect("a file in it");
        path.to_string_lossy().into_owned()
    };
    let characters: Vec<char> = ('\u{4e00}'..).take(90).collect();
    let good = write("good", characters.iter().collect::<String>().into());
    // h2 is the 71st point from the top left, e2 the 68th.
    let expected = format!("{}-{}", characters[70], characters[67]);
    assert_eq!(lines(&["--to", "poem", "--legend", &good, "h2e2"]), [expected.as_str()]);
    assert_eq!(lines(&["--from", "poem", "--to", "uci", "--legend", &good, &expected]), ["h2e2"]);
    // In the encoding of a Chinese Windows; the poem is reversed, so that it is not the default one.
    let backwards: String = Legend::THOUSAND_CHARACTERS.chars().rev().collect();
    let gbk = write("gbk", encode(&backwards, TextEncoding::Gbk).0.into_owned());
    let characters: Vec<char> = backwards.chars().collect();
    let expected = format!("{}-{}", characters[70], characters[67]);
    assert_eq!(lines(&["--to", "poem", "--legend", &gbk, "h2e2"]), [expected.as_str()]);
    let repeated = write("repeated", "天地天".into());
    assert!(error(&["--to", "poem", "--legend", &repeated, "h2e2"]).contains("'天'"));
    let missing = error(&["--to", "poem", "--legend", "/nowhere/legend", "h2e2"]);
    assert!(missing.contains("--legend /nowhere/legend"), "{missing}");
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}

#[test]
fn errors_name_the_move_and_the_reason() {
    assert!(
        error(&["--from", "wxr", "--to", "uci", "C2=5", "H8+8"])
            .contains("move 2 (round 1, black): 'H8+8': the black horse on h9")
    );
    // The current notation is used, without a note about the historical reading.
    let output = notation(&["--from", "auto", "--to", "uci", "C2=5"]);
    assert_eq!((output.status.code(), text(&output.stdout).trim(), text(&output.stderr).trim()), (Some(0), "h2e2", ""));
    assert!(error(&["--to", "uci", "--fen", "junk", "h2e2"]).contains("--fen"));
    assert!(error(&["--from", "wxr", "--to", "uci", "炮二平五"]).contains("it looks like chinese"));
    // A description that matches several moves lists them.
    let several = error(&["--from", "descriptive", "--to", "uci", "Horse advances"]);
    assert!(several.contains("'Horse advances' is ambiguous, it can be") && several.contains("h0g2"), "{several}");
    for wrong_usage in [&["--to", "wxr2020", "h2e2"][..], &["--to", "uci"], &["h2e2"]] {
        assert_eq!(notation(wrong_usage).status.code(), Some(2), "{wrong_usage:?}");
    }
}

/// Equal digits with `=` are read as the current notation if only one file has a tandem.
#[test]
fn a_pawn_by_rank_and_file_is_not_ambiguous() {
    assert_eq!(lines(&["--fen", "3k5/9/9/7rP/7nP/8P/9/9/9/4K4 w", "--to", "uci", "11=2"]), ["i6h6"]);
}

#[test]
fn numbers_are_skipped_and_standard_input_is_read() {
    assert_eq!(lines(&["--from", "wxr", "--to", "uci", "1.", "C2=5", "H8+7", "2.H2+3"]), ["h2e2 h9g7 h0g2"]);
    assert_eq!(lines(&["--from", "wxr", "--to", "uci", "1. C2=5 H8+7 2. H2+3 *"]), ["h2e2 h9g7 h0g2"]);
    let game = "1. 炮二平五 马8进7\n2. 马二进三\n";
    let utf16: Vec<u8> = format!("\u{feff}{game}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    // Big5 has only the traditional characters.
    let traditional = "1. 炮二平五 馬8進7\n2. 馬二進三\n";
    let encoded = |text, encoding| encode(text, encoding).0.into_owned();
    for bytes in [game.into(), encoded(game, TextEncoding::Gbk), encoded(traditional, TextEncoding::Big5), utf16] {
        assert_eq!(piped(&["--from", "chinese", "--to", "uci", "-"], &bytes), "h2e2 h9g7 h0g2\n", "{bytes:?}");
    }
    assert!(error(&["--to", "uci", "1."]).contains("no moves"));
    // A pawn's sideways move is not a move number.
    let pawns = "3k5/9/9/6P2/6P2/6P2/9/9/9/4K4 w";
    let written = lines(&["--from", "uci", "--to", "wxf", "--fen", pawns, "g6f6"]);
    assert_eq!(lines(&["--from", "wxf", "--to", "uci", "--fen", pawns, &written[0]]), ["g6f6"]);
    let pawns = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w";
    for text in ["33.4", "1.33.4"] {
        assert_eq!(lines(&["--from", "wxf", "--to", "uci", "--fen", pawns, text]), ["g6f6"], "{text}");
    }
}

/// Marks between moves, piece letters before points, and the Vietnamese federation's letters are detected automatically.
#[test]
fn pasted_lines_are_read() {
    for line in [
        "炮二平五，马8进7，马二进三",
        "1、炮二平五；马8进7。2、马二进三",
        "１．炮二平五　马８进７　２．马二进三",
        "1)炮二平五 马8进7 2) 马二进三",
        "1:炮二平五 马8进7 2： 马二进三",
        "(1)炮二平五 马8进7 （２） 马二进三",
        "1 炮二平五 马8进7 2 马二进三",
        "1. 炮二平五 马8进7 2. 马二进三 红胜",
        "1. C2=5 H8+7 2. H2+3 （和棋）。 1/2-1/2",
        "C2=5,H8+7,H2+3",
        "Ch2-e2 Hh9-g7 Hh0-g2",
        "P2-5 M8.7 M2.3",
    ] {
        assert_eq!(lines(&["--to", "uci", line]), ["h2e2 h9g7 h0g2"], "{line}");
    }
    // A cannon's advance in Vietnamese notation, a pawn's sideways step in others: the more common one is used and the other reported.
    let output = notation(&["--to", "uci", "--fen", "3k5/9/6P2/9/9/9/9/9/6C2/4K4 w", "P3.4"]);
    assert_eq!(text(&output.stdout), "g7f7\n");
    assert!(text(&output.stderr).contains("in vietnamese it would be g1g5; see --from"), "{}", text(&output.stderr));
    assert_eq!(lines(&["--from", "vietnamese", "--to", "uci", "--fen", "3k5/9/6P2/9/9/9/9/9/6C2/4K4 w", "P3.4"]), ["g1g5"]);
    assert_eq!(lines(&["--to", "uci", "--fen", "4k4/9/4P4/3PP1p2/3P5/6p2/4P1p2/6p2/6p2/4K4 w", "一兵进一"]), ["e7e8"]);
}

#[test]
fn all_systems_at_once() {
    let all = lines(&["--from", "uci", "--to", "all", "h2e2", "h9g7"]);
    assert!(all.len() == 15 && all.contains(&"wxr: C2=5 H8+7".to_string()), "{all:?}");
}

/// The protocols have separate tests.
#[test]
fn every_place_that_takes_a_move_takes_every_notation() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(chuhe())
            .args(arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    // The output of three commands for the position after a line, without times.
    let converted = |line: &[&str]| {
        [&["perft", "1", "--divide"][..], &["book", "probe"], &["diagram", "-o", "-"]].map(|command| {
            let all = run(&[command, &["--moves"], line].concat());
            all.lines().filter(|line| !line.starts_with("nodes ")).map(str::to_string).collect::<Vec<_>>()
        })
    };
    let expected = converted(&["h2e2", "h9g7"]);
    for line in [
        &["H2-E2", "H9-G7"][..],
        &["C2=5", "H8+7"],
        &["C2.5", "H8+7"],
        &["炮二平五", "馬8進7"],
        &["1.炮二平五", "马８进７"],
        &["（１）", "炮二平五", "马８进７"],
        &["羽-淡", "荒-閏"],
        &["C82-52", "H89-77"],
        &["C25", "H87\u{332}"],
        &["C2h-5h", "H-3c"],
    ] {
        assert_eq!(converted(line), expected, "{line:?}");
        for result in [&[][..], &["1-0"], &["(红胜)"]] {
            assert!(run(&[&["judge"], line, result].concat()).ends_with("verdict: undecided\n"), "{line:?} {result:?}");
        }
        // Lists of positions.
        std::fs::write(folder.path().join("list.fen"), format!("startpos moves {}\n", line.join(" "))).unwrap();
        let fen = "\"fen\":\"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2\"";
        assert!(run(&["analyze", "list.fen", "--depth", "1"]).contains(fen), "{line:?}");
    }
}
