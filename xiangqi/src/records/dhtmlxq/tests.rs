//! Tests of DhtmlXQ with the forms in which pages and pasted texts have it.

use super::*;
use crate::records::Records;

fn read(text: &str) -> Record {
    next(text, 0).unwrap().0.unwrap()
}

const GAME: &str = "page [DhtmlXQ][DhtmlXQ_title]甲\\u4e59[/DhtmlXQ_titel][DhtmlXQ_result]红胜[/DhtmlXQ_result]\
    [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_move_2_3_3]8070[/DhtmlXQ_move_2_3_3]\
    [DhtmlXQ_move_0_2_2]10222767[/DhtmlXQ_move_0_2_2][DhtmlXQ_move_0_2_1]1747[/DhtmlXQ]_bad\
    [DhtmlXQ_comment0]一||二[/DhtmlXQ_comment0][DhtmlXQ_comment2_2]变[/DhtmlXQ_comment2_2][/DhtmlXQ] more";

#[test]
fn lines_in_any_order_and_wrong_end_tags_are_read() {
    let text = GAME.replace("[DhtmlXQ_move_0_2_1]1747[/DhtmlXQ]_bad", "[DhtmlXQ_move_0_2_1]1242[/DhtmlXQ_x]");
    let record = read(&text);
    assert_eq!(record.tag("Title"), Some("甲乙"));
    assert_eq!(record.comment(record.root()), "一\n二");
    assert_eq!(record.result, RecordResult::RedWins);
    let first = record.main_line().next().unwrap();
    let replies: Vec<_> = record.children(first).map(|id| record.mv(id).unwrap().to_string()).collect();
    assert_eq!(replies, ["h9g7", "b7e7", "b9c7"]);
    let third = record.children(first).nth(2).unwrap();
    assert_eq!(record.comment(third), "变");
    // Line 2 continues with an illegal move, and line 3 branches from there with a legal one of Black's rook for Red.
    assert!(record.warnings().len() >= 2, "{:?}", record.warnings());
}

#[test]
fn a_record_round_trips() {
    let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 3 9").unwrap());
    record.set_tag("Red", "甲[1]");
    record.set_tag("DhtmlXQ-owner", "me");
    let mv = |text| Move::from_uci(text).unwrap();
    let a = record.add(record.root(), mv("d9d8")).unwrap();
    let b = record.add(a, mv("e1e5")).unwrap();
    record.add(b, mv("d8d7")).unwrap();
    let c = record.add(a, mv("e1d1")).unwrap();
    record.append_comment(c, "check\nmate?");
    record.add(a, mv("e1e8")).unwrap();
    record.result = RecordResult::Draw;
    let (text, losses) = write(&record, TextEncoding::Utf8);
    assert_eq!(losses.to_string(), "");
    assert_eq!(read(&text), record);
}

#[test]
fn the_position_is_written_as_a_board_too_and_the_fen_counts() {
    let record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 3 9").unwrap());
    let (text, _) = write(&record, TextEncoding::Utf8);
    let absent = |count: usize| "99".repeat(count);
    let board = format!("[DhtmlXQ_binit]48{}49{}30{}[/DhtmlXQ_binit]\n", absent(3), absent(15), absent(11));
    let fen = "[DhtmlXQ_fen]3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 3 9[/DhtmlXQ_fen]\n";
    assert!(text.contains(&format!("{board}{fen}")), "{text}");
    assert_eq!(read(&text).start, record.start);
    // The order of vschess.
    assert_eq!(read(&text.replace(&format!("{board}{fen}"), &format!("{fen}{board}"))).start, record.start);
    assert_eq!(read(&text.replace(fen, "")).start.pieces().count(), 3);
}

#[test]
fn opening_and_category_are_fields() {
    let record = read(
        "[DhtmlXQ][DhtmlXQ_open]A01 x[/DhtmlXQ_open][DhtmlXQ_class]y[/DhtmlXQ_class][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]",
    );
    assert_eq!((record.tag("Opening"), record.tag("Category"), record.tags().count()), (Some("A01 x"), Some("y"), 2));
    let (text, losses) = write(&record, TextEncoding::Utf8);
    assert!(text.contains("[DhtmlXQ_open]A01 x[") && text.contains("[DhtmlXQ_class]y[") && losses.is_empty(), "{losses}\n{text}");
    assert_eq!(read(&text), record);
    let numbered = read("[DHJHtmlXQ][DHJHtmlXQ_36]x[/DHJHtmlXQ_36][DHJHtmlXQ_34]7747[/DHJHtmlXQ_34][/DHJHtmlXQ]");
    assert_eq!(numbered.tag("Opening"), Some("x"));
}

#[test]
fn fields_have_the_meaning_that_dpxq_gives_them() {
    let fields = [
        ("remark", "Annotator"),
        ("other", "Remark"),
        ("group", "Group"),
        ("table", "Table"),
        ("judge", "Judge"),
        ("record", "Recorder"),
        ("endtype", "Termination"),
    ];
    let body: String = fields.iter().map(|(field, _)| format!("[DhtmlXQ_{field}]{field} x[/DhtmlXQ_{field}]")).collect();
    let record = read(&format!("[DhtmlXQ]{body}[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]"));
    for (field, tag) in fields {
        assert_eq!(record.tag(tag), Some(format!("{field} x").as_str()));
    }
    let (text, losses) = write(&record, TextEncoding::Utf8);
    assert!(losses.is_empty() && read(&text) == record, "{losses}\n{text}");
}

#[test]
fn every_text_is_kept() {
    for text in [
        "a||b",
        "|",
        "a|\nb",
        "\n|",
        "|||",
        "x \\u4e00 y",
        "\\\\u4e00",
        "\\u",
        "\\",
        "[a]|[b]",
        "%u4E00",
        "_%u00e9",
        "_u12[",
        "\\u123\n",
    ] {
        assert_eq!(unescape(&escape(text, TextEncoding::Utf8)), text);
    }
    assert_eq!(escape("a | b\\c\nd", TextEncoding::Utf8), "a | b\\c||d");
    // Without four hexadecimal digits, these are no escapes.
    for text in ["C:\\user", "my_user", "50%u", "_u+123", "\\ud800"] {
        assert_eq!((escape(text, TextEncoding::Utf8).as_str(), unescape(text).as_str()), (text, text));
    }
}

#[test]
fn all_forms_of_escapes_are_read_in_all_fields() {
    let game = |result: &str| {
        read(&format!(
            "[DhtmlXQ][DhtmlXQ_result]{result}[/DhtmlXQ_result][DhtmlXQ_red]%u8bb8_u94F6\\u5ddd[/DhtmlXQ_red]\
            [DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]"
        ))
    };
    assert_eq!(game("").tag("Red"), Some("许银川"));
    assert_eq!(unescape("a\\ud83d\\ude00b%uD83D%uDE00"), "a😀b😀");
    assert_eq!(unescape("\\ud83d \\ude00 \\ud83d\\u4e00"), "\\ud83d \\ude00 \\ud83d一");
    for (result, expected) in [
        ("\\u7EA2\\u80DC", RecordResult::RedWins),
        ("%u9ed1%u80dc", RecordResult::BlackWins),
        ("_u548C_u68CB", RecordResult::Draw),
    ] {
        assert_eq!((game(result).result, game(result).tag(RESULT_NOTE)), (expected, None), "{result}");
    }
}

#[test]
fn characters_that_an_encoding_lacks_and_tags_of_pages_are_kept() {
    use crate::records::{Format, PgnOptions};
    let mut record = Record::new(Setup::standard());
    record.set_tag("Title", "馬马🙂");
    let first = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
    record.append_comment(first, "车♞😀ab <div>&amp;<br> a < b");
    for encoding in [TextEncoding::Utf8, TextEncoding::Gbk, TextEncoding::Big5] {
        let options = PgnOptions { encoding, ..PgnOptions::default() };
        let (bytes, losses) = crate::records::write(&record, Format::DhtmlXq, &options).unwrap();
        let back = Records::new(bytes, None).unwrap().next().unwrap().unwrap();
        assert_eq!((&back, losses.to_string().as_str()), (&record, ""), "{encoding:?}");
    }
}

#[test]
fn the_result_is_kept_in_every_encoding() {
    use crate::records::{Format, PgnOptions};
    for result in [RecordResult::RedWins, RecordResult::BlackWins, RecordResult::Draw, RecordResult::Unknown] {
        for encoding in [TextEncoding::Utf8, TextEncoding::Gbk, TextEncoding::Big5] {
            let mut record = Record::new(Setup::standard());
            record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
            record.result = result;
            let options = PgnOptions { encoding, ..PgnOptions::default() };
            let (bytes, losses) = crate::records::write(&record, Format::DhtmlXq, &options).unwrap();
            let back = Records::new(bytes, None).unwrap().next().unwrap().unwrap();
            assert_eq!((&back, losses.to_string().as_str()), (&record, ""), "{encoding:?}");
        }
    }
}

#[test]
fn invalid_fields_are_rejected_or_reported() {
    for (text, part) in [
        ("[DhtmlXQ][DhtmlXQ_binit]0919[/DhtmlXQ_binit]", "64 digits"),
        ("[DhtmlXQ][DhtmlXQ_fen]9/9[/DhtmlXQ_fen]", "expected 10"),
    ] {
        assert!(next(text, 0).unwrap().0.unwrap_err().to_string().contains(part), "{text}");
    }
    let board = format!("00{}49{}00{}30{}", "99".repeat(3), "99".repeat(4), "99".repeat(10), "99".repeat(11));
    let twice = read(&format!("[DhtmlXQ][DhtmlXQ_binit]{board}[/DhtmlXQ_binit][DhtmlXQ_movelist][/DhtmlXQ_movelist][/DhtmlXQ]"));
    assert_eq!(twice.warnings(), ["there are two pieces on a9; the later one is kept"]);
    // Lines that branch from each other are not connected to the main line, and a huge ply does not exist.
    let loops = read(
        "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_x][DhtmlXQ_move_2_2_1]1022[/DhtmlXQ_x][DhtmlXQ_move_1_2_2]1022[/DhtmlXQ_x]\
        [DhtmlXQ_move_0_18446744073709551615_3]1022[/DhtmlXQ_x][DhtmlXQ_comment18446744073709551615]x[/DhtmlXQ_x]",
    );
    assert_eq!((loops.moves_in_tree(), loops.warnings().len()), (1, 3), "{:?}", loops.warnings());
}

const MOVES: &str = "7747706279678070";

#[test]
fn line_breaks_of_pages_are_read() {
    let page = "<div>[DhtmlXQ]<br />\r\n[DhtmlXQ_movelist]7747<BR>\n7062<br/>7967[/DhtmlXQ_movelist]<br>\n\
        [DhtmlXQ_comment1]一<br />\n二 <b 3[/DhtmlXQ_comment1]<br />[/DhtmlXQ]</div>";
    let record = Records::new(page.into(), None).unwrap().next().unwrap().unwrap();
    assert_eq!((record.plies(), record.warnings()), (3, vec![]));
    assert_eq!(record.comment(record.main_line().next().unwrap()), "一\n二 <b 3");
}

#[test]
fn character_references_are_read_in_pages_only() {
    let game = "[DhtmlXQ][DhtmlXQ_title]A &amp;&nbsp;B&[/DhtmlXQ_title][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\
        [DhtmlXQ_comment1]&quot;&#22909;&#x21;&quot; 3&lt;4 &unknown; &#x110000; &#91;x&#93; &amp;amp; &好;[/DhtmlXQ_comment1][/DhtmlXQ]";
    let read = |text: &str| Records::new(text.into(), None).unwrap().next().unwrap().unwrap();
    let comment = |record: &Record| record.comment(record.main_line().next().unwrap()).to_string();
    let in_page = read(&format!("<HTML><body>{game}</body></HTML>"));
    assert_eq!(in_page.tag("Title"), Some("A & B&"));
    assert_eq!(comment(&in_page), "\"好!\" 3<4 &unknown; &#x110000; [x] &amp; &好;");
    let alone = read(game);
    assert_eq!(alone.tag("Title"), Some("A &amp;&nbsp;B&"));
    assert!(comment(&alone).starts_with("&quot;&#22909;"));
}

#[test]
fn moves_are_found_in_all_forms_of_pages() {
    let line = "h2e2 h9g7 h0g2 i9h9";
    let head = "[DhtmlXQ_title]甲[/DhtmlXQ_title]";
    for (text, tree) in [
        (
            format!(
                "<script>var DhtmlXQ_movelist = '[DhtmlXQ_movelist]{MOVES}[/DhtmlXQ_movelist]';</script>[DhtmlXQHTML]{head}[/DhtmlXQHTML]"
            ),
            4,
        ),
        (
            format!(
                "[DhtmlXQHTML]{head}[DhtmlXQ_movelist][/DhtmlXQ_movelist][/DhtmlXQHTML]<script>var DhtmlXQ_movelist=\"{MOVES}\";"
            ),
            4,
        ),
        (
            format!(
                "[DhtmlXQHTML]{head}[/DhtmlXQHTML]<script>var DhtmlXQ_movelist='[0_1_0]{MOVES}[/0_1_0][0_2_1]10221927[/0_2_1]';"
            ),
            6,
        ),
        (
            format!(
                "[DhtmlXQ]{head}[DhtmlXQ_move_0_1_0]{MOVES}[/DhtmlXQ_move_0_1_0][DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1][/DhtmlXQ]"
            ),
            5,
        ),
        (
            format!(
                "[DhtmlXQ]{head}[DhtmlXQ_movelist][DhtmlXQ_move_0_1_0]{MOVES}[/DhtmlXQ_move_0_1_0][/DhtmlXQ_movelist][/DhtmlXQ]"
            ),
            4,
        ),
        (format!("[dhtmlxq]{head}[dhtmlxq_movelist]{MOVES}[/dhtmlxq_movelist][/dhtmlxq]"), 4),
        (format!("{head}[DhtmlXQ_movelist]{MOVES}[/DhtmlXQ_movelist]"), 4),
        (format!("<title>甲</title><script>var DhtmlXQ_movelist='[0_1_0]{MOVES}[/0_1_0]'</script>"), 4),
    ] {
        let games: Vec<Record> = Records::new(text.clone().into_bytes(), None).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!(games.len(), 1, "{text}");
        let moves: Vec<String> = games[0].moves().map(|mv| mv.to_string()).collect();
        assert_eq!((moves.join(" ").as_str(), games[0].moves_in_tree()), (line, tree), "{text}");
        assert_eq!(
            (games[0].warnings(), text.starts_with("<title>") || games[0].tag("Title") == Some("甲")),
            (vec![], true),
            "{text}"
        );
    }
    assert_eq!(read("[DhtmlXQ][DhtmlXQ_title]a[/DhtmlXQ_title][/DhtmlXQ]").warnings(), ["there is no list of moves"]);
    // As games without moves are written.
    assert_eq!(read("[DhtmlXQ][DhtmlXQ_movelist][/DhtmlXQ_movelist][/DhtmlXQ]").warnings(), Vec::<String>::new());
    let old = read("[DhtmlXQ][DhtmlXQ_movelist]774700X0706200Y1[/DhtmlXQ_movelist][/DhtmlXQ]");
    assert!(old.main_line_fault().is_some(), "{:?}", old.warnings());
}

#[test]
fn every_page_of_several_has_its_own_script() {
    let page = |title, moves, is_before| {
        let script = format!("<script>var DhtmlXQ_movelist='[0_1_0]{moves}[/0_1_0]';</script>");
        let text = format!("[DhtmlXQHTML][DhtmlXQ_title]{title}[/DhtmlXQ_title][/DhtmlXQHTML]");
        if is_before { format!("<html>{script}{text}</html>\n") } else { format!("<html>{text}{script}</html>\n") }
    };
    for is_before in [true, false] {
        let pages = page("a", "77477062", is_before) + &page("b", "17477967", is_before) + &page("c", "2625", is_before);
        let games: Vec<Record> = Records::new(pages.into(), None).unwrap().map(|game| game.unwrap()).collect();
        let first = |game: &Record| format!("{} {}", game.tag("Title").unwrap(), game.moves().next().unwrap());
        assert_eq!(games.iter().map(first).collect::<Vec<_>>(), ["a h2e2", "b b2e2", "c c3c4"], "{is_before}");
    }
}

#[test]
fn games_in_any_kind_of_tag_are_separate() {
    let all = |text: &str| -> Vec<Record> { Records::new(text.into(), None).unwrap().map(|game| game.unwrap()).collect() };
    for kind in ["", "HTML", "iFrame", "JAVA", "FLASH"] {
        let game = |title, moves| {
            format!("[DhtmlXQ{kind}][DhtmlXQ_title]{title}[/DhtmlXQ_title][DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]")
        };
        let text = format!("{}[/DhtmlXQ{kind}]{}", game("a", "77477062"), game("b", "17477062"));
        let games = all(&text);
        let found: Vec<_> = games.iter().map(|game| (game.tag("Title").unwrap(), game.plies(), game.warnings().len())).collect();
        assert_eq!(found, [("a", 2, 0), ("b", 2, 1)], "{text}");
    }
    // A bracket that is never closed, and one with other characters, begin no game.
    for text in ["[DhtmlXQ", "[DhtmlXQ好]", "[DhtmlXQ-HTML]", &format!("[DhtmlXQ{}]", "A".repeat(99))] {
        assert_eq!(opening(text), None, "{text}");
    }
}

#[test]
fn names_in_any_case_and_separated_moves_are_read() {
    for (name, moves) in [
        ("Movelist", MOVES),
        ("MOVE_0_1_0", MOVES),
        ("movelist", "7747,7062,7967,8070"),
        ("movelist", "77-47 70-62；79-67、80-70\r\n"),
    ] {
        let record = read(&format!(
            "[DhtmlXQ][DhtmlXQ_{name}]{moves}[/DhtmlXQ_{name}][DhtmlXQ_Red]甲[/DhtmlXQ_Red][DhtmlXQ_RESULT]红胜[/DhtmlXQ_RESULT]\
            [DhtmlXQ_Comment1]一[/DhtmlXQ_Comment1][DhtmlXQ_gameType]x[/DhtmlXQ_gameType][/DhtmlXQ]"
        ));
        let line: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
        assert_eq!((line.join(" ").as_str(), record.warnings()), ("h2e2 h9g7 h0g2 i9h9", vec![]), "{name} {moves}");
        assert_eq!(
            (record.tag("Red"), record.tag("DhtmlXQ-gameType"), record.result),
            (Some("甲"), Some("x"), RecordResult::RedWins)
        );
        assert_eq!(record.comment(record.main_line().next().unwrap()), "一");
    }
    // Other letters are not skipped.
    for moves in ["774770a2", "7747７０６２", "77477062好"] {
        let record = read(&format!("[DhtmlXQ][DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist][/DhtmlXQ]"));
        assert!(!record.warnings().is_empty(), "{moves}");
    }
}

#[test]
fn numbered_fields_of_dhj_are_read() {
    let fields = "[DHJHtmlXQ_10]题[/DHJHtmlXQ_10][DHJHtmlXQ_18]甲[/DHJHtmlXQ_18][DHJHtmlXQ_22]乙[/DHJHtmlXQ_22]\
        [DHJHtmlXQ_28]红胜[/DHJHtmlXQ_28][game_comment_0_1]一[/comment_0_1]";
    let board = "rheakaehr0000000000c00000c0p0p0p0p0p000000000000000000P0P0P0P0P0C00000C0000000000RHEAKAEHR";
    for moves in ["34]7242796770628979", "movelist]7747706279678070"] {
        let name = moves.split(']').next().unwrap();
        let text =
            format!("[DHJHtmlXQ]{fields}[DHJHtmlXQ_31]{board}[/DHJHtmlXQ_31][DHJHtmlXQ_{moves}[/DHJHtmlXQ_{name}][/DHJHtmlXQ]");
        let record = read(&text);
        let line: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
        assert_eq!(line.len(), 4, "{text}: {:?}", record.warnings());
        assert_eq!((line[0].as_str(), record.comment(record.main_line().next().unwrap())), ("h2e2", "一"));
        assert_eq!(["Title", "Red", "Black"].map(|tag| record.tag(tag).unwrap()), ["题", "甲", "乙"]);
        assert_eq!((record.result, record.warnings()), (RecordResult::RedWins, vec![]));
    }
    assert!(next("[DHJHtmlXQ][DHJHtmlXQ_31]rhe[/DHJHtmlXQ_31]", 0).unwrap().0.is_err());
    // Variations count rows like the main line.
    for (moves, variation) in [("72427967", "1927"), ("77477062", "1022")] {
        let record = read(&format!(
            "[DHJHtmlXQ][DHJHtmlXQ_34]{moves}[/DHJHtmlXQ_34][DHJHtmlXQ_move_0_2_1]{variation}[/DHJHtmlXQ_move_0_2_1][/DHJHtmlXQ]"
        ));
        assert_eq!((record.moves_in_tree(), record.warnings()), (3, vec![]), "{moves}");
    }
}

#[test]
fn truncation_is_reported() {
    let whole = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_red]A[/DhtmlXQ_red][/DhtmlXQ]";
    assert_eq!(read(whole).warnings(), [""; 0]);
    let end = whole.rfind("[/DhtmlXQ]").unwrap();
    for (cut, warnings) in [(end, 1), (whole.find("[/DhtmlXQ_movelist]").unwrap(), 2), (whole.find("A[").unwrap(), 2)] {
        let record = read(&whole[..cut]);
        assert_eq!(record.warnings().len(), warnings, "{:?}", record.warnings());
        assert!(record.warnings().iter().all(|warning| warning.contains("cut off")), "{:?}", record.warnings());
    }
    let open = whole.replacen("[/DhtmlXQ_movelist]", "", 1);
    assert_eq!(read(&open).warnings(), ["field 'movelist' has no closing tag; it may be cut off"]);
}

#[test]
fn a_result_that_is_not_understood_is_kept() {
    let record = read("[DhtmlXQ][DhtmlXQ_result]红方超时[/DhtmlXQ_result][/DhtmlXQ]");
    assert_eq!((record.result, record.tag("ResultNote")), (RecordResult::Unknown, Some("红方超时")));
    let (text, losses) = write(&record, TextEncoding::Utf8);
    assert!(text.contains("[DhtmlXQ_result]红方超时[/") && losses.is_empty(), "{text}");
    assert_eq!(read(&text), record);
    let on_time = read("[DhtmlXQ][DhtmlXQ_result]红方超时负[/DhtmlXQ_result][/DhtmlXQ]");
    assert_eq!((on_time.result, on_time.tag("Termination")), (RecordResult::BlackWins, Some("超时")));
    assert_eq!(read("[DhtmlXQ][DhtmlXQ_result]红先胜[/DhtmlXQ_result][/DhtmlXQ]").result, RecordResult::RedWins);
}

#[test]
fn of_a_repeated_field_the_first_counts() {
    let record = read(
        "[DhtmlXQ][DhtmlXQ_event]a[/DhtmlXQ_event][DhtmlXQ_event]b[/DhtmlXQ_event][DhtmlXQ_red]A[/DhtmlXQ_red]\
        [DhtmlXQ_red][/DhtmlXQ_red][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]",
    );
    assert_eq!(record.tags().collect::<Vec<_>>(), [("Event", "a"), ("Red", "A")]);
    assert_eq!(record.warnings(), ["the tag Event has two values; the first one counts"]);
    let mut record = Record::new(Setup::standard());
    for value in ["one", "", "two"] {
        record.add_tag("Remark", value);
    }
    let (text, losses) = write(&record, TextEncoding::Utf8);
    assert_eq!((read(&text).tag("Remark"), losses.to_string().as_str()), (Some("one"), "tag Remark 1"));
}

#[test]
fn of_repeated_moves_results_and_positions_the_first_count() {
    let record = read(
        "[DhtmlXQ][DhtmlXQ_title]\r\nA title\r\n[/DhtmlXQ_title][DhtmlXQ_movelist][/DhtmlXQ_movelist]\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_movelist]1747[/DhtmlXQ_movelist]\
        [DhtmlXQ_result]1-0[/DhtmlXQ_result][DhtmlXQ_result]0-1[/DhtmlXQ_result][/DhtmlXQ]",
    );
    assert_eq!((record.plies(), record.result, record.tag("Title")), (2, RecordResult::RedWins, Some("A title")));
    let warning = |field| format!("the tag {field} has two values; the first one counts");
    assert_eq!(record.warnings(), [warning("movelist"), warning("result")]);
}

#[test]
fn a_pgn_tag_with_a_field_is_not_a_game() {
    let mut record = read("[DhtmlXQ][DhtmlXQ_gametype]x[/DhtmlXQ_gametype][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]");
    record.set_tag("Red", "A");
    let (pgn, _) = crate::records::write(&record, crate::records::Format::Pgn, &Default::default()).unwrap();
    assert!(String::from_utf8_lossy(&pgn).contains("[DhtmlXQ-gametype \"x\"]"));
    let back = Records::new(pgn, None).unwrap().next().unwrap().unwrap();
    assert!(back.same_tree(&record) && back.tag("DhtmlXQ-gametype") == Some("x"));
}

#[test]
fn comments_dropped_with_illegal_moves_are_counted() {
    let record = read(
        "[DhtmlXQ][DhtmlXQ_movelist]774700097967[/DhtmlXQ_movelist][DhtmlXQ_comment1]a[/DhtmlXQ_comment1]\
        [DhtmlXQ_comment2]b[/DhtmlXQ_comment2][DhtmlXQ_comment3]c[/DhtmlXQ_comment3][/DhtmlXQ]",
    );
    assert_eq!(record.warnings().len(), 1);
    assert!(record.warnings()[0].ends_with("left out with the move after it and 2 comments"), "{:?}", record.warnings());
}
