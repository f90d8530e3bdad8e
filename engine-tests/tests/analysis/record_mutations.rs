//! Records of every kind with typical variations and damage: all plies are read, or the loss is reported.

use chuhe::records::{Format, PgnOptions, Records, TextEncoding, encode, write};
use std::path::Path;
use xiangqi::board::test_positions::Random;

/// A sample record: file name, text, numbers of games and plies.
const KINDS: [(&str, &str, usize, usize); 14] = [
    ("wxf.pgn", "[Event \"e\"]\n[Red \"r\"]\n[Result \"*\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8\n3. R1=2 H2+3 *\n", 1, 6),
    (
        "chinese.pgn",
        "[Event \"赛\"]\n[Red \"甲\"]\n\n1. 炮二平五 马８进７ {当头炮}\n2. 马二进三 车９平８ (2... 卒７进１ 3. 车一平二) 3. 车一平二 *\n",
        1,
        5,
    ),
    ("coordinates.pgn", "[Red \"A\"]\n\n1. H2-E2 H9-G7 1-0\n\n[Red \"B\"]\n\n1. H0-G2 B9-C7 2. I0-H0 0-1\n", 2, 5),
    ("endgame.pgn", "[Event \"s\"]\n[FEN \"3k5/9/9/9/9/9/9/9/1r7/4K4 w - - 0 1\"]\n\n1. ... R2+1 2. K5+1 *\n", 1, 2),
    ("lines.pgn", "[Event \"a name that\ngoes on\"]\n[Red \"r\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 *\n", 1, 4),
    ("headings.txt", "标题: 杯赛\n结果: 红胜\n红方: 甲\n黑方: 乙\n\n1. 炮二平五 马8进7\n2. 马二进三 车9平8\n", 1, 4),
    ("framed.txt", "甲 - 乙\n红胜\n----------\n  1. 炮二平五  马８进７    2. 马二进三  车９平８\n----------\n", 1, 4),
    ("loose.txt", "1. 炮二平五，马8进7 2. 马二进三，车9平8\n", 1, 4),
    (
        "xiexie.wxf",
        "FORMAT\tWXF\nGAME\tClub\nRED\tA ; 2100 ;;\nBLACK\tB ; 2050 ;;\nRESULT\t1-0\nSTART{\n 1. C2.5 h8+7   2. H2+3 r9.8\n 3. R1.2 c8+4   4. P3+1 p3+1 }END\n",
        1,
        8,
    ),
    (
        "two.wxf",
        "FORMAT\tWXF\nRED\tA;;;\nFEN\t3k5/9/9/9/9/9/9/9/4R4/3AK4 r\n\nSTART{\n1. R5+8\n# comment\n\n1. ... k4+1\n}END\n\nFORMAT\tWXF\nRED\tB;;;\nSTART{\n1. C2.5\n}END\n",
        2,
        3,
    ),
    (
        "game.ubb",
        "[DhtmlXQ]\n[DhtmlXQ_title]甲[/DhtmlXQ_title]\n[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n",
        1,
        4,
    ),
    (
        "page.html",
        "<html><script>var DhtmlXQ_movelist = '[0_1_0]7747706279678070[/0_1_0]';</script>\n[DhtmlXQHTML]\n[DhtmlXQ_title]p[/DhtmlXQ_title]\n[/DhtmlXQHTML]</html>\n",
        1,
        4,
    ),
    (
        "dhj.ubb",
        "[DHJHtmlXQ]\n[DHJHtmlXQ_10]t[/DHJHtmlXQ_10]\n[DHJHtmlXQ_34]7242796770628979[/DHJHtmlXQ_34]\n[/DHJHtmlXQ]\n",
        1,
        4,
    ),
    (
        "list.fen",
        "# positions\n\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7\n3k5/9/9/9/9/9/9/9/4R4/4K4 w moves e1e2 ; title\n",
        2,
        3,
    ),
];

/// The numbers of games and plies read from a file, and whether there are messages.
fn read(name: &str, bytes: Vec<u8>) -> (usize, usize, bool) {
    let format = Format::detect(Path::new(name), &bytes);
    let Ok(records) = Records::new(bytes, Some(format)) else { return (0, 0, true) };
    records.fold((0, 0, false), |(games, plies, is_reported), record| match record {
        Ok(record) => (games + 1, plies + record.plies(), is_reported || !record.warnings().is_empty()),
        Err(_) => (games, plies, true),
    })
}

/// A text in the variants written by other systems and programs.
fn forms(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        let units = text.encode_utf16();
        if little { units.flat_map(u16::to_le_bytes).collect() } else { units.flat_map(u16::to_be_bytes).collect() }
    };
    let wide: String = text.chars().map(|letter| if letter == ' ' { '\u{3000}' } else { letter }).collect();
    let mut forms = vec![
        ("as it is", text.as_bytes().to_vec()),
        ("CR LF", text.replace('\n', "\r\n").into_bytes()),
        ("BOM", format!("\u{feff}{text}").into_bytes()),
        ("BOM and CR LF", format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes()),
        ("UTF-16 LE", utf16(&format!("\u{feff}{text}"), true)),
        ("UTF-16 BE", utf16(&format!("\u{feff}{text}"), false)),
        ("GBK", encode(text, TextEncoding::Gbk).0.into_owned()),
        ("empty lines before", format!("\n\n{text}").into_bytes()),
        ("empty lines after", format!("{text}\n\n \n").into_bytes()),
        ("no line break at the end", text.trim_end().as_bytes().to_vec()),
        ("blanks at the ends of lines", text.replace('\n', "  \n").into_bytes()),
        ("blanks before lines", text.replace('\n', "\n ").into_bytes()),
        ("tabs before lines", format!("\t{}", text.replace('\n', "\n\t")).into_bytes()),
        ("full-width blanks before lines", format!("\u{3000}{}", text.replace('\n', "\n\u{3000}")).into_bytes()),
        ("two blanks for one", text.replace(' ', "  ").into_bytes()),
    ];
    // In a FEN and a script blanks are significant; those of a list are read too.
    if !text.contains("FEN") && !text.contains("script") {
        forms.push(("full-width blanks", wide.into_bytes()));
    }
    forms
}

#[test]
fn every_form_of_a_record_keeps_every_ply() {
    let (mut count, mut faults) = (0, Vec::new());
    for (name, text, games, plies) in KINDS {
        for (form, bytes) in forms(text) {
            // Lists are read as bytes.
            if name.ends_with(".fen") && form.starts_with("UTF-16") {
                continue;
            }
            // The extension doesn't matter.
            for name in [name, "file.txt", "file.dat", "file"] {
                let (found_games, found, is_reported) = read(name, bytes.clone());
                let may_tell = text.contains("1. ... R2+1");
                if (found_games, found) != (games, plies) || (is_reported && !may_tell) {
                    faults.push(format!("{name}: {form}: {found_games} games {found} plies, reported {is_reported}"));
                }
                count += 1;
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 800, "only {count}");
}

#[test]
fn losses_by_damage_are_reported() {
    const LETTERS: [&str; 12] = ["(", ")", "{", "}", "[", "]", "x", "9", " ", "\n", "\"", "。"];
    let mut random = Random(1);
    let (mut count, mut faults) = (0, Vec::new());
    for (name, text, _, plies) in KINDS {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for _ in 0..120 {
            let at = places[random.below(places.len())];
            let end = at + text[at..].chars().next().unwrap().len_utf8();
            let letter = LETTERS[random.below(LETTERS.len())];
            let damaged = match random.below(3) {
                0 => [&text[..at], letter, &text[end..]].concat(),
                1 => [&text[..at], letter, &text[at..]].concat(),
                _ => [&text[..at], &text[end..]].concat(),
            };
            let (_, found, is_reported) = read(name, damaged.clone().into_bytes());
            if found < plies && !is_reported {
                faults.push(format!("{name}: {found} of {plies} plies, and not a word:\n{damaged}"));
            }
            count += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 1000, "only {count}");
}

#[test]
fn truncation_is_reported_for_formats_with_an_end_marker() {
    for (name, text, _, plies) in KINDS.iter().filter(|(name, ..)| ["xiexie.wxf", "game.ubb", "dhj.ubb"].contains(name)) {
        for end in text.char_indices().map(|(at, _)| at).filter(|at| text[..*at].trim().len() > 12) {
            let (_, found, is_reported) = read(name, text.as_bytes()[..end].to_vec());
            assert!(found >= *plies || is_reported, "{name}: {found} of {plies} plies, and not a word:\n{}", &text[..end]);
        }
    }
    let game = Records::new(KINDS[0].1.as_bytes().to_vec(), None).unwrap().next().unwrap().unwrap();
    let (bytes, _) = write(&game, Format::Xqf, &PgnOptions::default()).unwrap();
    for end in 4..bytes.len() {
        let (_, found, is_reported) = read("game.xqf", bytes[..end].to_vec());
        assert!(found >= 6 || is_reported, "{found} plies of {end} bytes, and not a word");
    }
}
