//! Tests of the PGN reader with texts in forms that occur in practice.

use super::*;
use crate::records::{Format, Records, decode};

pub(super) fn read(text: &str) -> Record {
    next(text, 0, &Braces::default()).unwrap().0.unwrap()
}

pub(super) fn line(record: &Record) -> String {
    record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_invalid_start_position_is_reported_with_its_moves_only() {
    // The heading of a chapter in a library, and a diagram with the king of the side not to move in check.
    for fen in ["9/9/9/9/9/9/9/9/9/9 w - - 0 1", "4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1"] {
        let record = read(&format!("[Title \"1\"]\n[FEN \"{fen}\"]\n\n{{a comment}} *\n"));
        assert_eq!((record.comments(), record.warnings()), (1, vec![]), "{fen}");
    }
    let warnings = read("[FEN \"9/9/9/9/9/9/9/9/9/9 w\"]\n\n{a comment} 1. E0-E1 E9-E8 2. E1-E0 E8-E9 *\n").warnings();
    assert!(warnings.len() == 1 && warnings[0].starts_with("the moves are left out"), "{warnings:?}");
}

#[test]
fn moves_that_are_not_in_the_tree_are_counted() {
    let illegal = "[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n1. E0-E1 E9-E8 *\n";
    for (text, plies, left_out) in [
        ("1. h2e2 h9g7 2. a0a9 a9a8 {a remark} 3. h0g2 (3. b0c2 b9c7) h9g7 *", 2, 6),
        ("1. h2e2 h9g7 (1... b9c7 2. a0a9 $1 {a remark} a9a8!) 2. h0g2 *", 3, 2),
        ("1. h2e2 h9g7 (a remark, and no line) 2. h0g2 1-0", 3, 0),
        (illegal, 0, 2),
    ] {
        let record = read(text);
        assert_eq!((record.plies(), record.left_out()), (plies, left_out), "{text}: {:?}", record.warnings());
    }
}

#[test]
fn variations_are_distinguished_from_remarks_in_parentheses() {
    let record = read(
        "[Red \"红\"]\n1. 炮二平五 {start} 马８进７! (1... 炮８平５ 2. 马二进三 (2. 炮五进四 士４进５) 马８进７) \
         (1... 马2进3 $14) (sic! 1-0) 2. 马二进三 1-0",
    );
    assert_eq!(line(&record), "h2e2 h9g7 h0g2");
    assert_eq!(record.moves_in_tree(), 9);
    let second = record.main_line().nth(1).unwrap();
    assert_eq!(record.comment(second), "(sic! 1-0)");
    assert_eq!(record.glyphs(second), [1]);
    assert_eq!((record.result, record.glyph_count()), (RecordResult::RedWins, 2));
    assert_eq!(record.warnings(), [""; 0]);
}

#[test]
fn a_move_repeated_in_another_script_is_no_variation() {
    for text in [
        "1. C2=5 (炮二平五) H8+7 (马8进7) 2. H2+3 *",
        "1. 炮二平五（C2=5）马8进7（1... H8+7!） 2. 马二进三 *",
        "1.炮二平五(C2=5) 马8进7(H8+7) 2.马二进三(H2+3)",
    ] {
        let record = read(text);
        assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2", 3), "{text}");
        assert_eq!((record.comments(), record.warnings().len()), (0, 0), "{text}: {:?}", record.warnings());
    }
    // Another move, the same script, and a line that goes on are variations.
    for (text, moves) in [("1. C2=5 (炮八平五) H8+7", 3), ("1. C2=5 (C2=5) H8+7", 3), ("1. C2=5 (炮二平五 马2进3) H8+7", 4)]
    {
        assert_eq!(read(text).moves_in_tree(), moves, "{text}");
    }
}

#[test]
fn a_comment_before_the_first_move_of_a_variation_stays_with_it() {
    let record = read("1. h2e2 ({a} 1. b2e2 {b}) ({nothing follows}) h9g7");
    let other = record.children(record.root()).nth(1).unwrap();
    assert_eq!(record.comment(other), "b\na".split('\n').rev().collect::<Vec<_>>().join("\n"));
    let first = record.main_line().next().unwrap();
    assert_eq!(record.comment(first), "({nothing follows})");
}

#[test]
fn games_follow_each_other_with_and_without_results() {
    let text = "[Red \"A\"]\n1. h2e2 h9g7\n\n[Red \"B \"quoted\" \"]\n[FEN \"\"]\n1. C2.5 *\n=====\nadvertisement 1. b2e2\n\
        [Red \"C\"]\n[White \"D\"]\n\n  1. Che2 {[not a tag]} Cbg7 0-1";
    let mut at = 0;
    let mut games = Vec::new();
    let braces = Braces::default();
    while let Some((record, next_at)) = next(text, at, &braces) {
        games.push(record.unwrap());
        at = next_at;
    }
    let lines: Vec<String> = games.iter().map(line).collect();
    assert_eq!(lines, ["h2e2 h9g7", "h2e2", "h2e2 b7g7"]);
    assert_eq!(games[1].tag("Red"), Some("B \"quoted\" "));
    assert_eq!(games[2].tag("Red"), Some("D"));
}

#[test]
fn a_player_in_both_red_and_white_is_reported() {
    for (tags, red, warnings) in [
        ("[Red \"C\"]\n[White \"D\"]", "D", 1),
        ("[White \"D\"]\n[Red \"C\"]", "C", 1),
        ("[Red \"C\"]\n[White \"C\"]", "C", 0),
        ("[White \"\"]\n[Red \"C\"]", "C", 0),
        ("[Red \"C\"]\n[White \"\"]", "C", 0),
        ("[Red \"C\"]\n[Red \"D\"]", "C", 1),
        ("[White \"C\"]\n[White \"D\"]", "C", 1),
        ("[Red \"C\"]\n[Red \"C\"]", "C", 0),
    ] {
        let record = read(&format!("{tags}\n\n1. h2e2 *"));
        assert_eq!((record.tag("Red"), record.warnings().len()), (Some(red), warnings), "{tags}");
        assert_eq!(record.tags().count(), 1, "{tags}");
    }
    let record = read("[WhiteTeam \"a\"]\n[RedTeam \"b\"]\n\n1. h2e2 *");
    assert_eq!((record.tags().collect::<Vec<_>>(), record.warnings().len()), (vec![("RedTeam", "a")], 1));
}

#[test]
fn unreadable_text_is_kept_as_a_comment_and_reported() {
    let record = read("1. h2e2 (1. b2e2 xyz 2. h0g2 {c}) h9g7 2. nonsense h9g7 {tail} 0-1\n\n");
    assert_eq!(line(&record), "h2e2 h9g7");
    assert_eq!((record.warnings().len(), record.result), (2, RecordResult::BlackWins));
    assert!(record.warnings()[1].contains("ply 3 (main line): 'nonsense'"), "{:?}", record.warnings());
    let last = record.main_line().last().unwrap();
    assert_eq!(record.comment(last), "nonsense h9g7 {tail}");
    assert!(next("[FEN \"9/9\"]\n1. h2e2", 0, &Braces::default()).unwrap().0.is_err());
    assert_eq!(read("[FEN \"9/9/9/9/9/9/9/9/9/9 w\"]\n1. h2e2").warnings().len(), 1);
    let noted = read("[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 5 9 Black to move and lose\"]\n\n1... d9d8 *");
    assert_eq!((line(&noted), noted.start.fullmove, noted.warnings().len()), ("d9d8".to_string(), 9, 1));
    assert!(noted.warnings()[0].contains("'Black to move and lose' after the FEN"), "{:?}", noted.warnings());
}

#[test]
fn what_follows_the_result_of_a_broken_line_is_kept() {
    let games = all("[Red \"A\"]\n\n1. h2e2 xyz 0.5 2. h0g2 1-0 {Black resigns}\n\n[Red \"B\"]\n\n1. h2e2 xyz * (1. b2e2)\n");
    let first = |game: &Record| game.comment(game.next(game.root()).unwrap()).to_string();
    assert_eq!((games[0].result, first(&games[0]).as_str()), (RecordResult::RedWins, "xyz 0.5 2. h0g2\nBlack resigns"));
    assert_eq!((games[1].plies(), games[1].moves_in_tree(), first(&games[1]).as_str()), (1, 2, "xyz"));
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    for part in [
        "{\n[",
        "(",
        "(1. h2e2 ",
        "[A \"x\"]",
        "[FEN \"x\"]\n1.\n",
        "({",
        "[\n",
        "1. h2e2 {",
        ") ",
        "\u{feff}[",
        "1. h2e2 h9g7\n【变1】\n1. b2e2\n",
        "1. h2e2 h9g7\n【变2-1-1】\n1. b2e2\n【变1-2-1】\n1. b2e2\n",
        "1. 炮二平五* 马８进７ m\n*第 1 回合红: a\n",
        "1. h2e2 *\n",
        "1. h2e2 *\na title\n",
        ";\n",
        "\n%",
        "1. h2e2 ({\n[A \"x\"]} ",
        "[A \"x\" \" ",
        "(炮) ┬ ",
        "甲 红先胜 乙\n",
        "甲\n乙 红先胜 丙\n",
        "h2e2 h9g7\n甲 红先胜 乙\n",
        "甲 红先胜 乙\n1. h2e2\n",
        "[A \"x\"]\n\n[A \"y\"]\n",
        "[A \"x\"]\n\n{a}\n\n",
        "1. h2e2 h9g7\n(一)马二进三\n1. b2e2\n",
        "(一)\n1. h2e2 h9g7\n",
        "1. h2e2 1. h2e2 ",
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w\n",
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w\n1. R5+1\n",
        "1 h2e2 (\n",
        "h2e2 {x\n",
        "1-0\nh2e2\n",
        "h2e2\n\n\n\n\n\n\n\n\n",
        "h2e2 h9g7\n说明：\n3. x\n",
        "h2e2 h9g7 h0g2\n",
        "2. h2e2 h9g7 h0g2\n\na title\n",
    ] {
        let text = part.repeat(300_000 / part.len());
        // Processor time, which other work on the machine does not change.
        let start = cpu_time::ThreadTime::now();
        let (braces, mut at) = (Braces::default(), 0);
        while let Some((_, next_at)) = next(&text, at, &braces) {
            at = next_at.max(at + 1);
        }
        let time = start.elapsed();
        println!("{part:?}: {time:?}");
        assert!(time < std::time::Duration::from_secs(20), "{part:?}: {time:?}");
    }
}

#[test]
fn a_file_without_games_is_rejected() {
    let noise: Vec<u8> = (0u32..4000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for bytes in [&noise[..], b"hello", b"1. nonsense", b"\0\0\0\0", b"{a comment}", b"{\"moves\":[\"h2e2\"]}\n"] {
        let error = open(decode(bytes).into_owned()).err().map(|error| error.problem().clone());
        assert!(matches!(error, Some(RecordProblem::NoGame(_))), "{error:?}");
    }
    for bytes in [&b""[..], b"  \n", b"[Red \"A\"]\n", b"1. h2e2 nonsense", b"1-0\n", b"{a comment} 1. h2e2"] {
        assert!(open(decode(bytes).into_owned()).is_ok(), "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn an_illegal_move_is_reported_with_round_and_reason() {
    let record = read("1. C2=5 H8+7 2. R1=2 H2+3 *\n\n");
    let warning = &record.warnings()[0];
    assert!(warning.starts_with("round 2 red, ply 3 (main line): 'R1=2' is not a legal move in "), "{warning}");
    assert!(warning.contains("('R1=2': the red rook on i0 cannot make that move)"), "{warning}");
}

pub(super) fn all(text: &str) -> Vec<Record> {
    let (braces, mut at, mut games) = (Braces::default(), 0, Vec::new());
    while let Some((record, next_at)) = next(text, at, &braces) {
        games.push(record.unwrap());
        at = next_at;
    }
    games
}

#[test]
fn pawns_by_place_and_file_follow_the_2018_rules() {
    let one = "4k4/9/6P2/6P2/6P2/9/9/9/9/3K5 w - - 0 1";
    let two = "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1";
    let edge = "3k5/9/9/7rP/7nP/8P/9/9/9/4K4 w - - 0 1";
    for (fen, moves, expected) in [
        (one, "1. K6+1 K5+1 2. 33=4 *", "d0d1 e9e8 g5f5"),
        (one, "1. K6+1 K5+1 2. 33.4 *", "d0d1 e9e8 g6f6"),
        (edge, "1. K5+1 K4+1 2. 11=2 *", "e0e1 d9d8 i6h6"),
        (edge, "1. K5+1 K4+1 2. １１＝２ *", "e0e1 d9d8 i6h6"),
        // With two tandems the beginner's system uses such texts too: the sign decides, if necessary that of other moves.
        (two, "1. K5+1 K4+1 2. 33=4 *", "e0e1 d9d8 g5f5"),
        (two, "1. K5+1 K4+1 2. 33.4 *", "e0e1 d9d8 g6f6"),
        (two, "1. 13=4 K4+1 2. K5+1 K4-1 *", "g7f7 d9d8 e0e1 d8d9"),
        ("3k5/9/6P2/9/2P3P2/2P6/6P2/9/9/4K4 w - - 0 1", "1. 33+1 K4+1 2. 3+.4 *", "g5g6 d9d8 g7f7"),
        ("3k5/9/6P2/9/2P3P2/2P6/6P2/9/9/4K4 w - - 0 1", "1. 33+1 K4+1 2. 13=4 *", "g3g4 d9d8 g7f7"),
    ] {
        for format in ["", "[Format \"WXF\"]\n"] {
            let record = read(&format!("[FEN \"{fen}\"]\n{format}\n{moves}"));
            assert_eq!(line(&record), expected, "{moves}");
            assert_eq!(record.warnings(), [""; 0], "{moves}");
        }
    }
}

#[test]
fn the_format_decides_between_ambiguous_coordinates() {
    let fen = "3k5/9/9/9/4R4/4R4/9/9/9/4K4 w - - 0 1";
    let game = |format: &str| read(&format!("[FEN \"{fen}\"]\n{format}\n1. e5f5 *"));
    for (format, expected) in [("[Format \"UCI10\"]\n", "e4f4"), ("[Format \"ICCS\"]\n", "e5f5"), ("", "e5f5")] {
        assert_eq!(line(&game(format)), expected, "{format}");
    }
    // A wrong tag has no effect.
    assert_eq!(line(&read("[Format \"UCI10\"]\n\n1. 炮二平五 h9g7 *")), "h2e2 h9g7");
}

#[test]
fn an_unclosed_comment_ends_before_the_next_game() {
    let games = all("[Red \"A\"]\n1. h2e2 {left open h9g7\n\n[Red \"B\"]\n1. h2e2 {closed} *\n");
    assert_eq!(games.iter().map(|game| game.tag("Red").unwrap()).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!(games[0].comment(games[0].main_line().next().unwrap()), "left open h9g7");
    assert_eq!(games[1].comment(games[1].main_line().next().unwrap()), "closed");
    // A comment may quote tags.
    let games = all("[Red \"A\"]\n1. h2e2 {as in\n[Red \"B\"]\nhere} h9g7 {x} *\n");
    assert_eq!((games.len(), line(&games[0])), (1, "h2e2 h9g7".into()));
}

#[test]
fn braces_in_comments_are_paired() {
    for (text, comment) in [
        ("1. h2e2 {a {b} c} h9g7 {x} *", "a {b} c"),
        ("1. h2e2 {a { b} h9g7 {x} *", "a { b"),
        ("1. h2e2 {a {b {c} d} e} h9g7 *", "a {b {c} d} e"),
    ] {
        let record = read(text);
        assert_eq!(line(&record), "h2e2 h9g7", "{text}");
        assert_eq!(record.comment(record.main_line().next().unwrap()), comment);
    }
}

#[test]
fn full_width_blanks_around_a_comment_belong_to_it() {
    let record = read("1. h2e2 { \u{3000}\u{3000}a\u{3000}\n} h9g7 *");
    assert_eq!(record.comment(record.main_line().next().unwrap()), "\u{3000}\u{3000}a\u{3000}");
}

#[test]
fn parentheses_in_comments_are_ignored() {
    let record = read("1. h2e2 h9g7 (remark {:)} with ; a ) here\n and more) 2. h0g2 *");
    assert_eq!(line(&record), "h2e2 h9g7 h0g2");
    let record = read("1. h2e2 h9g7 (1... a0a9 {:)} b9c7) 2. h0g2 *");
    assert_eq!(line(&record), "h2e2 h9g7 h0g2");
    assert_eq!(line(&read("1. h2e2 h9g7 (a remark; no more) 2. h0g2 *")), "h2e2 h9g7 h0g2");
}

#[test]
fn games_without_tags_follow_each_other() {
    let lines = |text| all(text).iter().map(line).collect::<Vec<_>>();
    assert_eq!(lines("1. C2=5 H8+7 1-0\n\n1. P7+1 P7+1 0-1"), ["h2e2 h9g7", "c3c4 g6g5"]);
    assert_eq!(lines("1. C2=5 * 1. 炮二平五 *\n  1. H2-E2 *\n1. C2=6 a0a5"), ["h2e2", "h2e2", "h2e2", "h2d2"]);
    assert_eq!(lines("1. C2=5 1-0 {after it\n1. C2=5}\n=====\nvisit 1. C2=5\n1. the best page\n"), ["h2e2"]);
    // An illegal first move is an error in a game, not an advertisement.
    let text = "1. C2=5 *\n1. C1=5 *";
    let (_, at) = next(text, 0, &Braces::default()).unwrap();
    assert!(next(text, at, &Braces::default()).unwrap().0.is_err());
}

#[test]
fn a_text_framed_by_dashes_is_read() {
    let text = "许银川 - 吕钦\n2001年\n红胜\n----------------\n  1. 炮二平五  马８进７    2. 马二进三  车９平８\n  3. 车一平二\n\
        ----------------\n象棋演播室\n";
    for text in [text.to_string(), format!("------\n{text}"), text.replace('\n', "\r\n")] {
        let games = all(&text);
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9 i0h0"], "{text}");
        assert_eq!((games[0].tag("Title"), games[0].result), (Some("许银川 - 吕钦"), RecordResult::RedWins));
        assert_eq!((games[0].comment(games[0].root()), games[0].warnings().len()), ("2001年\n红胜", 0));
        let encoded = crate::records::encode(&text, crate::records::TextEncoding::Gbk).0.into_owned();
        for bytes in [text.into_bytes(), encoded] {
            assert!(Records::new(bytes, None).unwrap().next().unwrap().is_ok_and(|game| game.plies() == 5));
        }
    }
    assert_eq!(all(&text.repeat(2)).len(), 2);
}

#[test]
fn unknown_marks_are_skipped() {
    for mark in ["$999", "$", "+=", "±", ", ", "=", "+/-", "，"] {
        let record = read(&format!("1. h2e2 {mark} h9g7 2. h0g2 *"));
        assert_eq!(line(&record), "h2e2 h9g7 h0g2", "{mark}");
        // Skipping a comma loses nothing.
        let warnings = !mark.contains([',', '，']) as usize;
        assert_eq!(record.warnings().len(), warnings, "{mark}");
        assert!(record.warnings().iter().all(|warning| warning.contains(mark)), "{mark}");
        assert!(record.main_line_fault().is_none(), "{mark}");
    }
    let record = read("1. h2e2! $1 h9g7 $2 $2 *");
    assert_eq!(record.main_line().map(|id| record.glyphs(id).to_vec()).collect::<Vec<_>>(), [[1], [2]]);
}

#[test]
fn a_line_that_is_too_long_is_reported() {
    let record = read(&"h0g2 h9g7 g2h0 g7h9 ".repeat(MAX_PLIES / 4 + 1));
    let warning = &record.warnings()[0];
    assert!(warning.contains("at most 10000 plies") && !warning.contains("illegal"), "{warning}");
    assert_eq!(record.plies(), MAX_PLIES);
}

#[test]
fn results_in_words_and_full_width_are_parsed() {
    use RecordResult::{BlackWins, Draw, RedWins, Unknown};
    for (text, result) in
        [("红胜", RedWins), ("和", Draw), ("1：0", RedWins), ("１－０", RedWins), ("0.5-0.5", Draw), ("黑方胜", BlackWins)]
    {
        let record = read(&format!("[Result \"{text}\"]\n\n1. h2e2 *"));
        assert_eq!((record.result, record.tags().count()), (result, 0), "{text}");
        assert_eq!(read(&format!("1. h2e2 {text}")).result, result, "{text}");
    }
    for (text, result, reason) in
        [("1-0 (time)", RedWins, "time"), ("红胜（超时）", RedWins, "超时"), ("和棋 ( 双方不变 )", Draw, "双方不变")]
    {
        let record = read(&format!("[Result \"{text}\"]\n\n1. h2e2 *"));
        assert_eq!((record.result, record.tag("Termination"), record.tags().count()), (result, Some(reason), 1), "{text}");
        let named = read(&format!("[Termination \"normal\"]\n[Result \"{text}\"]\n\n1. h2e2 *"));
        assert_eq!((named.result, named.tag("Termination")), (result, Some("normal")), "{text}");
    }
    for text in ["(time)", "won (time)", "1-0 time"] {
        let record = read(&format!("[Result \"{text}\"]\n\n1. h2e2 *"));
        assert_eq!((record.result, record.tag("ResultNote")), (Unknown, Some(text)), "{text}");
    }
    let record = read("[Result \"adjourned\"]\n\n1. h2e2 *");
    assert_eq!((record.result, record.tag("ResultNote"), record.tag("Result")), (Unknown, Some("adjourned"), None));
}

#[test]
fn a_result_in_brackets_after_the_last_move_is_read() {
    use RecordResult::{BlackWins, Draw, RedWins, Unknown};
    for (end, result, comments) in [
        ("(红胜)", RedWins, 0),
        ("（红胜）", RedWins, 0),
        ("[红胜]", RedWins, 0),
        ("【先负】。", BlackWins, 0),
        ("(和棋)", Draw, 0),
        ("( 1-0 )", RedWins, 0),
        ("[0-1]\n", BlackWins, 0),
        ("（红胜） {good}", RedWins, 1),
        ("（红胜） (2... 马2进3)", RedWins, 0),
        ("红方认输", BlackWins, 0),
        ("（双方同意作和）", Draw, 0),
        ("至此红胜", RedWins, 0),
        // Not a result, or not at the end.
        ("(0.5)", Unknown, 1),
        ("(好棋)", Unknown, 1),
        ("(*)", Unknown, 1),
        ("(和棋) 3. 车一平二", Unknown, 1),
        ("[和棋] 3. 车一平二", Unknown, 1),
        ("(和棋) 3. 车一平二 0-1", BlackWins, 1),
        ("(2... 马2进3 (和棋))", Unknown, 1),
    ] {
        let record = read(&format!("1. 炮二平五 马8进7 2. 马二进三 车9平8 {end}"));
        assert_eq!(
            (record.result, record.comments(), record.warnings().len()),
            (result, comments, 0),
            "{end}: {:?}",
            record.warnings()
        );
    }
    assert_eq!(read("[Result \"1-0\"]\n\n1. 炮二平五 (和棋)").result, RedWins);
    let text = "1. 炮二平五 马8进7 (红胜)\n\n1. 炮二平五 马8进7 [和棋]\n\n1. 炮二平五 马8进7 (0-1)\n";
    let games = Records::new(text.as_bytes().to_vec(), Some(Format::Pgn)).unwrap();
    assert_eq!(games.map(|game| game.unwrap().result).collect::<Vec<_>>(), [RedWins, Draw, BlackWins]);
}

#[test]
fn move_numbers_in_all_forms_are_skipped() {
    let record = read("1 h2e2 1... h9g7 2.h0g2 2… b9c7 3. ... 3、 b0c2?");
    assert_eq!(line(&record), "h2e2 h9g7 h0g2 b9c7 b0c2");
    assert_eq!(strip_number("33.4"), "33.4");
    for text in ["第1回合 炮二平五 马8进7\n第2回合 马二进三", "[Red \"a\"]\n\n第1回合：炮二平五 马8进7\n第2回合：马二进三 *"]
    {
        let record = read(text);
        assert_eq!((line(&record).as_str(), record.warnings()), ("h2e2 h9g7 h0g2", vec![]), "{text}");
        assert_eq!(record.comments(), 0, "{text}");
        assert_eq!(Format::shown_by(text.as_bytes()), Some(Format::Pgn), "{text}");
    }
    assert_eq!(line(&read("第1回合 …… 炮8平5\n第2回合 炮二平五")), "h7e7 h2e2");
    // A move is missing.
    assert_eq!(read("第1回合 炮二平五\n第3回合 马二进三").warnings().len(), 1);
    // Rounds in remarks.
    for remark in ["第8回合 红优", "第8回合后红优"] {
        let record = read(&format!("1. 炮二平五 马8进7 {remark} 2. 马二进三 车9平8 *"));
        assert_eq!((record.plies(), record.comments()), (4, 1), "{remark}: {:?}", record.warnings());
    }
}

#[test]
fn a_footer_is_not_a_move() {
    for footer in [
        "棋谱由 http://www.dpxq.com/ 生成",
        "棋谱由XQStudio生成 (www.qipai.com)",
        "棋谱由象棋桥生成",
        " \n\n棋譜由 http://www.dpxq.com/ 生成\n",
        "http://www.dpxq.com/",
        "www.dpxq.com",
    ] {
        let record = read(&format!("1.炮二平五 马８进７\n{footer}\n"));
        assert_eq!((line(&record).as_str(), record.left_out()), ("h2e2 h9g7", 0), "{footer}");
        assert!(record.warnings().is_empty() && record.main_line_fault().is_none(), "{:?}", record.warnings());
        // Only an address without a program is kept.
        let comment = if footer.contains("生成") { "" } else { footer };
        assert_eq!(record.comment(record.main_line().last().unwrap()), comment);
    }
    let games = all("标题: 甲\n1.炮二平五 马８进７\n棋谱由 http://www.dpxq.com/ 生成\n标题: 乙\n1.炮二平五 马８进７\n");
    assert_eq!(games.iter().map(|game| game.tag("Title").unwrap()).collect::<Vec<_>>(), ["甲", "乙"]);
}

#[test]
fn variations_with_a_heading_are_read() {
    let main = "【主变: 红胜】\n　　1.　炮二平五　　马８进７　\n　　2.　马二进三　　车９平８　\n　　3.　兵七进一　　卒７进１　\n";
    let footer = "棋谱由 http://www.dpxq.com/ 生成\n";
    for head in ["【变1-0-2】", "变①接主变第2回合", "【變1】", "变着1 {a comment}"] {
        let record = read(&format!("{main}\n{head}\n　　2.　马八进七　　马２进３ (2... 卒３进１)\n\n{footer}"));
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9 c3c4 g6g5", "{head}");
        assert_eq!((record.moves_in_tree(), record.result, record.tags().count()), (9, RecordResult::RedWins, 0), "{head}");
        assert_eq!(record.warnings(), [""; 0], "{head}");
        let second = record.main_line().nth(1).unwrap();
        assert_eq!(record.children(second).map(|id| record.mv(id).unwrap().to_string()).collect::<Vec<_>>(), ["h0g2", "b0c2"]);
    }
    // Alternatives of Black, one that starts with an illegal move, and one with an illegal move in it.
    let record = read(&format!(
        "{main}【变1】\n1. …………　马２进３\n【变2】\n2. 车一进九 马８进７\n【变3】\n3. 车一平二 车一平二 (a 3. 兵七进一\n{footer}\n"
    ));
    assert_eq!((record.plies(), record.moves_in_tree()), (6, 8));
    let first = record.main_line().next().unwrap();
    assert_eq!(record.children(first).count(), 2);
    assert_eq!(record.warnings().len(), 2, "{:?}", record.warnings());
    assert_eq!(record.comment(record.main_line().last().unwrap()), "2. 车一进九 马８进７");
    // A heading that is followed by the main line is a remark.
    assert_eq!(line(&read("1. 炮二平五 马8进7\n【变1】\n2. 马二进三 *")), "h2e2 h9g7 h0g2");
}

#[test]
fn a_move_number_that_goes_back_is_reported() {
    for (text, count) in [
        ("1. 炮二平五 马8进7 2. 马二进三 车9平8 2. 马八进七 马2进3 *", 1),
        ("1. 炮二平五 马8进7 2. 马二进三 车9平8 1. 马八进七 马2进3 *", 1),
        ("1. 炮二平五 {a} 1. 马8进7 2. 马二进三 {b} 2... 车9平8 3. 马八进七 *", 0),
        ("1. 炮二平五 2. 马8进7 3. 马二进三 *", 0),
        ("[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 30\"]\n1. 帅六进一 *", 0),
    ] {
        let record = read(text);
        assert_eq!(record.warnings().len(), count, "{text}: {:?}", record.warnings());
    }
}

#[test]
fn every_title_and_heading_is_kept() {
    let record = read("标题: 甲\n乙\n评论: 丙\n棋谱主人: 丁\n\n1.炮二平五 马８进７\n");
    assert_eq!((record.tag("Title"), record.tag("Annotator")), (Some("甲"), Some("丙")));
    assert_eq!(record.comment(record.root()), "乙\n棋谱主人: 丁");
    let record = read("乙\n【主变】\n1.炮二平五 马８进７\n");
    assert_eq!((record.tag("Title"), record.comment(record.root())), (Some("乙"), ""));
}

#[test]
fn comments_and_variations_after_the_result_are_kept() {
    let last = |record: &Record| record.comment(record.main_line().last().unwrap()).to_string();
    for text in ["1. h2e2 h9g7 1-0 {Black resigns}", "1. h2e2 h9g7 1-0\n{Black resigns}\n\n[Red \"A\"]\n"] {
        let record = read(text);
        assert_eq!((last(&record).as_str(), record.result), ("Black resigns", RecordResult::RedWins), "{text}");
    }
    // The last comment of a file is of no other game.
    let record = read("1. h2e2 h9g7 0-1 (1... b9c7 2. h0g2 *) {a} (b)\n\n{c}\n");
    assert_eq!((record.moves_in_tree(), record.result, last(&record).as_str()), (4, RecordResult::BlackWins, "a\n(b)\nc"));
    // The comment before the next game is not one on this game.
    let games = all("1. h2e2 h9g7 1-0\n{the second}\n1. C2=5 *");
    assert_eq!((games.len(), last(&games[0]).as_str()), (2, ""));
}

#[test]
fn the_first_move_is_recognised_with_any_number() {
    for text in [
        "１．炮二平五　马８进７　２．马二进三　车９平８",
        "1 炮二平五 马8进7\n2 马二进三 车9平8",
        "h2e2\nh9g7\nh0g2\ni9h9\n",
        "1) h2e2 h9g7 2) h0g2 i9h9",
        "1: C2=5 H8+7 2: H2+3 R9=8",
        "1：炮二平五 马8进7 2：马二进三 车9平8",
        "（1）炮二平五 马8进7（2）马二进三 车9平8",
        "(1) C2=5 H8+7 (2) H2+3 R9=8",
    ] {
        let record = Records::new(text.as_bytes().to_vec(), None).unwrap().next().unwrap().unwrap();
        assert_eq!(
            (line(&record).as_str(), record.warnings().len()),
            ("h2e2 h9g7 h0g2 i9h9", 0),
            "{text}: {:?}",
            record.warnings()
        );
    }
    for text in ["1 apple\n2 pears", "1) milk", "(1) rice", "1 h2e2 and more", "h2e2\na text", "1: 2"] {
        assert!(!is_start(text), "{text}");
    }
}

#[test]
fn the_position_may_be_in_another_tag() {
    let record = read("[FenStr \"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\"]\n\n1. d0d1 *");
    assert_eq!((line(&record).as_str(), record.tags().count(), record.warnings().len()), ("d0d1", 0, 0));
}

#[test]
fn the_main_line_continues_after_remarks_without_brackets() {
    let record = read(
        "1.炮二平五 马８进７\n\n2.马二进三 车９平８ ①\n　　黑方进车。似不如改走炮2平1，红如车八进三，则马3退2。\n　　3.兵七进一 卒７进１\n\n\
         4.马八进七\n\n红平边炮，不如炮2平1的走法。\n　　4. …………　　马２进３\n\n5.炮八平九 车１平２\n",
    );
    assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9 c3c4 g6g5 b0c2 b9c7 b2a2 a9b9");
    assert_eq!((record.left_out(), record.main_line_fault()), (0, None));
    let remark = record.comment(record.main_line().nth(3).unwrap());
    assert!(remark.contains("改走炮") && remark.ends_with("则马3退2。"), "{remark}");
    assert!(!record.warnings().is_empty());
    // An illegal move, the end of the game, and another number end the line.
    for text in [
        "1. h2e2 h9g7\n2. a0a9\n2. h0g2 *",
        "1. h2e2 h9g7\n1x1 *\n2. h0g2 *",
        "1. h2e2 h9g7\n1x1\n3. h0g2 *",
        "1. h2e2 h9g7\n1x1 2. h0g2 *",
    ] {
        let record = read(text);
        assert_eq!((line(&record).as_str(), record.main_line_fault().is_some()), ("h2e2 h9g7", true), "{text}");
    }
}

#[test]
fn comments_may_stand_before_and_between_tags() {
    for text in [
        "; one\n% two\n{three}\n[Red \"a\"]\n; four\n[Black \"b\"] ; five\n[Event \"e\"]\n\n% 1. h0g2\n1. h2e2 {x} h9g7\n% 2. a0a1\n2. h0g2 *",
        "{one} {two}\r\n; three\r\n[Red \"a\"]\r\n{four\r\n}[Black \"b\"]\r\n% five\r\n[Event \"e\"]\r\n%1. h0g2\r\n1. h2e2 h9g7 2. h0g2 *",
    ] {
        let record = read(text);
        assert_eq!((line(&record).as_str(), record.warnings()), ("h2e2 h9g7 h0g2", vec![]), "{text}");
        assert_eq!(["Red", "Black", "Event"].map(|tag| record.tag(tag)), [Some("a"), Some("b"), Some("e")], "{text}");
        assert_eq!(record.comment(record.root()), "one\ntwo\nthree\nfour\nfive\n1. h0g2", "{text}");
    }
    // In another column a percent sign hides nothing.
    assert_eq!(line(&read("1. h2e2 % h9g7 *")), "h2e2 h9g7");
    assert_eq!(line(&read(" % 1. h2e2 h9g7 *")), "h2e2 h9g7");
}

#[test]
fn blanks_before_the_bracket_that_ends_a_tag_are_skipped() {
    let record = read("[Event \"c\"\t]\n[Result \"1-0\" ]\n[Red \"a\" ][Black \"b\" ]\n\n1. h2e2 *\n");
    assert_eq!(["Event", "Red", "Black"].map(|tag| record.tag(tag)), [Some("c"), Some("a"), Some("b")]);
    assert_eq!((record.tags().count(), record.result, record.warnings().len()), (3, RecordResult::RedWins, 0));
    // A quotation mark that is escaped belongs to the value.
    for value in ["a\" ]b", "a\\", "a\\\" ]", "a \" b"] {
        let mut record = read("1. h2e2 *");
        record.set_tag("Event", value);
        let pgn = crate::records::write(&record, Format::Pgn, &crate::records::PgnOptions::default()).unwrap().0;
        assert_eq!(read(&String::from_utf8(pgn).unwrap()).tag("Event"), Some(value));
    }
    assert_eq!(read("[Site \"a\n b\" ]\n[Event \"C:\\\"]\n\n1. h2e2 *").tag("Site"), Some("a b"));
}

#[test]
fn a_comment_in_a_variation_may_quote_tags_and_brackets() {
    for text in [
        "[Event \"a\"]\n\n1. 炮二平五 (1. 炮八平五 {see\n[Event \"x\"]} 马８进７) 马８进７ 2. 马二进三 *\n",
        "[Event \"a\"]\n\n1. h2e2 (1. b2e2 {see\n[Event \"x\"]\n[Event \"y\"] (} h9g7 {and\n[Event \"z\"]\n}) h9g7 2. h0g2 *",
        "1. h2e2 (1. b2e2\n% a smile :(\nh9g7) h9g7 2. h0g2 *\n",
        "1. h2e2 (1. b2e2\r\n%)\r\nh9g7) h9g7 2. h0g2 *",
    ] {
        let record = read(text);
        assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2", 5), "{text}: {:?}", record.warnings());
        assert_eq!(record.warnings(), [""; 0], "{text}");
    }
    // In another column a percent sign hides nothing.
    let record = read("1. h2e2 (1. b2e2 %) h9g7 2. h0g2 *");
    assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2", 4));
}

#[test]
fn titles_and_comments_before_every_game_are_kept() {
    let second = |text: &str| {
        let mut games = all(text);
        assert_eq!(games.len(), 2, "{text}");
        assert_eq!(games[0].comments(), 0, "{text}");
        games.remove(1)
    };
    for result in ["红胜", "1-0\n", "*\n\n棋谱由 http://www.dpxq.com/ 生成\n", "1/2-1/2\r\n"] {
        let record = second(&format!("一 甲胜乙\n1. 炮二平五 马8进7 {result}\n二 丙和丁\n北京\n1. 炮八平五 马2进3 和\n"));
        assert_eq!((record.tag("Title"), record.comment(record.root())), (Some("二 丙和丁"), "北京"), "{result}");
        assert_eq!((line(&record).as_str(), record.result), ("b2e2 b9c7", RecordResult::Draw), "{result}");
    }
    for comment in ["{about it}", "; about it", "% about it", "{about\n}\n% it"] {
        let record = second(&format!("[Event \"a\"]\n\n1. h2e2 1-0\n\n{comment}\n[Event \"b\"]\n\n1. h2e2 *\n"));
        assert_eq!(record.comment(record.root()).replace('\n', " "), "about it", "{comment}");
        assert_eq!(record.tag("Event"), Some("b"));
    }
    let record = second("1. h2e2 1-0\n\n{about it}\n1. b2e2 *\n");
    assert_eq!((record.comment(record.root()), line(&record).as_str()), ("about it", "b2e2"));
    // Neither an advertisement nor what follows the last game is a title.
    let record = second("1. h2e2 *\n=====\nvisit\n1. b2e2 *\nthe end\n{of it}\n");
    assert_eq!((record.tags().count(), record.comments()), (0, 0));
    let games = all("A story of a game.\n\n; about it\n[Event \"a\"]\n\n1. h2e2 *\n");
    assert_eq!((games.len(), games[0].comment(games[0].root())), (1, "about it"));
}

#[test]
fn a_missing_move_ends_the_line() {
    for (text, plies) in [
        ("1. 炮二平五 …… 2. 马二进三 马8进7 *", 1),
        ("1. 炮二平五 ... 2. 马二进三 马8进7 *", 1),
        ("1. 炮二平五（略）2. 马二进三 马8进7 *", 1),
        ("1. 炮二平五 （略） 2. 马二进三 ...... 3. 车一平二 *", 1),
        ("1. C2=5 {comment} ... 2. H2+3 H8+7 *", 1),
        ("1. C2=5 -- 2. H2+3 H8+7 *", 1),
        ("1. C2=5 2. H2+3 H8+7 *", 1),
        ("1. 炮2平5 2. 马2进3 马8进7 *", 1),
        ("1.C2=5……2.H2+3H8+7 *", 1),
        ("1. C2=5 H8+7 2. H2+3 3. P7+1 R9=8 *", 3),
        ("1. C2=5 H8+7 2. …… P7+1 3. H2+3 *", 2),
        ("1. C2=5 H8+7 ... 7. H2+3 R9=8 *", 2),
    ] {
        for tags in ["", "[Red \"A\"]\n\n"] {
            let record = read(&format!("{tags}{text}"));
            assert_eq!(record.plies(), plies, "{text}: {}", line(&record));
            assert!(record.main_line_fault().is_some_and(|fault| fault.contains("is missing before it")), "{text}");
            assert!(!record.comment(record.main_line().last().unwrap()).is_empty(), "{text}");
        }
    }
    // In a variation only that one ends.
    for text in ["1. C2=5 (1. C8=5 …… 2. H2+3 H8+7) H8+7 *", "1. C2=5 H8+7 2. H2+3 (2... P7+1) R9=8 *"] {
        let record = read(text);
        assert!(record.main_line_fault().is_none() && record.warnings().len() == 1, "{text}: {:?}", record.warnings());
        assert!(record.moves_in_tree() <= record.plies() + 1, "{text}");
    }
    for text in [
        "1. C2=5 2. H8+7 3. H2+3 4. R9=8 *",
        "1.炮二平五 2.马８进７ 3.马二进三 4.车９平８ *",
        "1.炮二平五… 2.马８进７… 3.马二进三 4.车９平８ *",
        "1. C2=5 {comment} ... H8+7 2. H2+3 (2. H8+7 ... R9=8) 2... R9=8 *",
        "1. 炮二平五 {a} 1. …… 马8进7 2. 马二进三 …… 车9平8 *",
        "1. h2e2 …… 2. h9g7 3. h0g2 4. i9h9 *",
        "1…h2e2 h9g7 2…h0g2 i9h9 *",
    ] {
        let record = read(text);
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9", "{text}: {:?}", record.main_line_fault());
        assert_eq!(record.warnings(), [""; 0], "{text}");
    }
    let record = read("1. C2=5 H8+7 4. H2+3 R9=8 *");
    assert!(record.plies() == 4 && record.warnings()[0].contains("jumps from 1 to 4"), "{:?}", record.warnings());
}

#[test]
fn games_in_which_black_moves_first_need_no_tags() {
    let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR";
    for head in ["", "红方：甲\n黑方：乙\n", "红方：甲\n黑方：乙\n【主变: 红胜】\n"] {
        for first in ["1. …… 炮8平5", "1. ... C8=5", "1... 炮8平5", "　　1.　…………　　炮８平５　", "01. …… 炮8平5"]
        {
            let text = format!("{head}{first}\n2. 马二进三 马8进7\n");
            let records = Records::new(text.clone().into_bytes(), None).unwrap_or_else(|error| panic!("{text}: {error}"));
            let games: Vec<Record> = records.map(|game| game.unwrap()).collect();
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h7e7 h0g2 h9g7"], "{text}");
            assert_eq!(games[0].start.side, Color::Black);
        }
    }
    for fen in [format!("FEN: {board} b"), format!("局面：{board} b - - 0 1")] {
        let text = format!("{fen}\n1... 炮8平5 2. 马二进三 马8进7\n");
        let records = Records::new(text.clone().into_bytes(), None).unwrap();
        assert_eq!(records.map(|game| line(&game.unwrap())).collect::<Vec<_>>(), ["h7e7 h0g2 h9g7"], "{text}");
    }
    let games = all("1. 炮二平五 马8进7 1-0\n\n标题: 乙\n1. …… 炮8平5\n2. 马二进三 *\n");
    assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7", "h7e7 h0g2"]);
}

#[test]
fn dots_after_the_number_of_every_round_do_not_stand_for_a_move() {
    for text in [
        "1...... 炮二平五 马8进7\n2...... 马二进三 车9平8\n",
        "1.. 炮二平五 马8进7 2. 马二进三 车9平8",
        "1……炮二平五马8进7\n2……马二进三车9平8\n",
        "1…… 炮二平五 马8进7\n2…… 马二进三 车9平8\n",
        "1.. C2=5 H8+7 2.. H2+3 R9=8",
        "1. ... C2=5 {a} H8+7! 2. ... H2+3 R9=8",
        "1…… C2=5 H8+7\n2…… H2+3 R9=8",
        "1.. h2e2 h9g7 2.. h0g2 i9h9",
    ] {
        for tags in ["", "[Red \"A\"]\n\n", "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\"]\n\n"] {
            let text = format!("{tags}{text}");
            let records = Records::new(text.clone().into_bytes(), None).unwrap_or_else(|error| panic!("{text}: {error}"));
            let games: Vec<Record> = records.map(|game| game.unwrap()).collect();
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9"], "{text}");
            assert_eq!(games[0].warnings(), [""; 0], "{text}");
        }
    }
    // Also if Red's first move could be Black's in a position that isn't the standard one.
    let record = read("[FEN \"3k5/9/4r4/9/9/9/9/4R4/9/5K3 w\"]\n\n1.. R5=4 R5=4 2.. R4+1 *");
    assert_eq!((line(&record).as_str(), record.start.side), ("e2f2 e7d7 f2f3", Color::Red));
    // Two moves of a round without numerals are not enough.
    assert_eq!(read("1... C2=5 H8+7 2. H2+3 *").start.side, Color::Black);
}

#[test]
fn the_side_to_move_is_corrected_if_its_opponent_is_in_check() {
    for fen in ["4k4/9/9/9/9/9/9/9/4R4/3K5", "4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1"] {
        for moves in ["1. e9f9 e1f1", "1... 将5平6 2. 车五平四", "{a} 1. ... K5=6 2. R5=4"] {
            let record = read(&format!("[FEN \"{fen}\"]\n\n{moves} 1-0"));
            assert_eq!((line(&record).as_str(), record.start.side, record.left_out()), ("e9f9 e1f1", Color::Black, 0), "{moves}");
            assert!(record.warnings().len() == 1 && record.warnings()[0].contains("read as black's"), "{:?}", record.warnings());
        }
        let record = read(&format!("[FEN \"{fen}\"]\n\n1. e1e2 *"));
        assert!(record.plies() == 0 && record.warnings()[0].contains("left out"), "{:?}", record.warnings());
    }
}

#[test]
fn numbers_may_be_circled_or_padded() {
    for text in [
        "①炮二平五 马8进7 ②马二进三 车9平8",
        "01. 炮二平五 马8进7 02. 马二进三 车9平8",
        "① 炮二平五 马8进7 ②、马二进三 车9平8",
        "１　炮二平五　马８进７\n２　马二进三　车９平８",
    ] {
        for tags in ["", "[Red \"A\"]\n\n"] {
            let text = format!("{tags}{text}");
            let record = Records::new(text.clone().into_bytes(), None).unwrap().next().unwrap().unwrap();
            assert_eq!((line(&record).as_str(), record.warnings()), ("h2e2 h9g7 h0g2 i9h9", vec![]), "{text}");
        }
    }
}

#[test]
fn headings_of_dpxq_are_tags() {
    let head = "棋谱主人: 丁\n棋局类型: 全局\n记录: 戊\n红方姓名: 甲\n红方: 北京 甲\n黑方姓名: 乙\n\n";
    let record = read(&format!("{head}1.炮二平五 马８进７\n"));
    let tags = ["Title", "Type", "Recorder", "Red", "Black"].map(|tag| record.tag(tag));
    assert_eq!(tags, [None, Some("全局"), Some("戊"), Some("北京 甲"), Some("乙")]);
    assert_eq!((record.comment(record.root()), record.tags().count()), ("棋谱主人: 丁", 4));
}

#[test]
fn the_names_of_ratings_may_have_blanks() {
    let record = read("[White Elo \"2400\"]\n[Black Elo \"2300\"]\n\n1. h2e2 *\n");
    assert_eq!(record.tags().collect::<Vec<_>>(), [("RedElo", "2400"), ("BlackElo", "2300")]);
}
