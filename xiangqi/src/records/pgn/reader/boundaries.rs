//! Tests of the PGN reader with texts in which the boundaries of games and variations are hard to find.

use super::tests::{all, line, read};
use crate::records::{Format, Record, RecordResult, Records};

fn tags<'a>(games: &'a [Record], name: &str) -> Vec<&'a str> {
    games.iter().map(|game| game.tag(name).unwrap_or_default()).collect()
}

#[test]
fn games_without_moves_are_separated() {
    let fens = ["4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1", "3k5/9/9/9/9/9/9/9/4C4/4K4 w - - 0 1"];
    for (text, events) in [
        ("[Event \"a\"]\n[Red \"x\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Red \"y\"]\n\n1. C2=5 0-1\n", vec!["a", "b"]),
        ("[Event \"a\"]\r\n[Red \"x\"]\r\n\r\n[Event \"b\"]\r\n[Red \"y\"]\r\n\r\n1. C2=5 0-1\r\n", vec!["a", "b"]),
        ("[Game \"Chinese Chess\"]\n[Event \"a\"]\n\n[Game \"Chinese Chess\"]\n[Event \"b\"]\n", vec!["a", "b"]),
        ("[Red \"x\"]\n[Event \"a\"]\n\n\n[Event \"b\"]\n\n[Event \"c\"]\n\n1. C2=5 *", vec!["a", "b", "c"]),
        // One game: empty lines between its tags, and a tag that is repeated.
        ("[Game \"Chinese Chess\"]\n\n[Event \"a\"]\n\n[Red \"x\"]\n\n\n[Date \"y\"]\n\n1. C2=5 *", vec!["a"]),
        ("[Event \"a\"]\n[Result \"*\"]\n[Date \"x\"]\n[Result \"1-0\"]\n\n1. C2=5 *", vec!["a"]),
        ("[Event \"a\"]\n[Event \"a\"]\n\n1. C2=5 *", vec!["a"]),
        ("[Event \"a\"]\n[Result \"*\"]\n\n[Result \"1-0\"]\n\n1. C2=5 *", vec!["a"]),
    ] {
        assert_eq!(tags(&all(text), "Event"), events, "{text}");
    }
    let text =
        format!("{{1}}\n[Event \"a\"]\n[FEN \"{}\"]\n{{2}} ; 3\n\n{{4}}\n[Event \"b\"]\n{{5}}\n[FEN \"{}\"]\n", fens[0], fens[1]);
    let games = all(&text);
    assert_eq!(games.iter().map(|game| game.start.to_fen()).collect::<Vec<_>>(), fens);
    assert_eq!(games.iter().map(|game| game.comment(game.root())).collect::<Vec<_>>(), ["1\n2\n3", "4\n5"]);
    let record = read(&format!("[Event \"a\"]\n[FEN \"{}\"]\n[FEN \"{}\"]\n\n", fens[0], fens[1]));
    assert_eq!((record.start.to_fen().as_str(), record.warnings().len()), (fens[1], 1));
    let repeated = format!("[FEN \"{0}\"]\n\n[FEN \"{0}\"]\n\n1. d0d1 *", fens[0]);
    assert_eq!((all(&repeated).len(), all(&repeated.replacen(fens[0], fens[1], 1)).len()), (1, 2));
}

#[test]
fn a_line_with_players_and_result_is_the_heading_of_the_next_game() {
    let moves = ["1. 炮二平五 马８进７  2. 马二进三 车９平８", "1. 相三进五 卒７进１\n2. 马八进九", "1. 兵七进一 炮２平３"];
    for (top, lines) in [
        ("杯赛\n", ["甲  红先胜  乙", "丙红先负 丁", "戊红先和己"]),
        ("第1轮\n", ["甲 (先胜) 乙", "丙 (先负) 丁", "戊 (先和) 己"]),
        ("", ["甲 胜 乙", "丙 负 丁", "戊 和 己"]),
        ("", ["甲  红先胜  乙", "第2轮\n丙  红先负  丁", "北京\n\n戊  红先和  己"]),
    ] {
        for gap in ["\n\n", "\n", "\n \n\n \n"] {
            let text = format!(
                "{top}{}",
                lines.iter().zip(moves).map(|(line, moves)| format!("{line}{gap}{moves}{gap}")).collect::<String>()
            );
            for text in [text.replace('\n', "\r\n"), text] {
                let games = all(&text);
                assert_eq!(
                    (tags(&games, "Red"), tags(&games, "Black")),
                    (vec!["甲", "丙", "戊"], vec!["乙", "丁", "己"]),
                    "{text}"
                );
                let results: Vec<_> = games.iter().map(|game| game.result).collect();
                assert_eq!(results, [RecordResult::RedWins, RecordResult::BlackWins, RecordResult::Draw], "{text}");
                let found: Vec<_> = games.iter().map(line).collect();
                assert_eq!(found, ["h2e2 h9g7 h0g2 i9h9", "g0e2 g6g5 b0a2", "c3c4 b7c7"], "{text}");
                assert!(games.iter().all(|game| game.warnings().is_empty() && game.comments() == 0), "{text}");
                assert_eq!(games[0].tag("Title").unwrap_or_default(), top.trim(), "{text}");
            }
        }
    }
    // Books number the games, which have no results.
    for [first, second] in [["第一局 顺炮", "第二局 屏风马"], ["【第1局】", "【第 2 局】"], ["第十一局", "第十二局\n甲攻乙守"]]
    {
        for end in ["", "变1：2. 马八进七 车9平8\n"] {
            let games =
                all(&format!("{first}\n1. 炮二平五 炮８平５\n2. 马二进三\n{end}\n{second}\n1. 炮二平五 马8进7 2. 马二进三\n"));
            let found: Vec<_> = games.iter().map(line).collect();
            assert_eq!(found, ["h2e2 h7e7 h0g2", "h2e2 h9g7 h0g2"], "{first} {end}");
            let second = second.lines().next().unwrap();
            assert_eq!(games.iter().map(|game| game.tag("Title").unwrap()).collect::<Vec<_>>(), [first, second], "{end}");
        }
    }
    let games = all("第一局\n1. 炮二平五 马8进7\n第二局面较复杂\n2. 马二进三 *");
    assert_eq!((games.len(), games[0].plies()), (1, 3));
    // A game that ends with an illegal move or a result, and a note.
    let games = all(
        "甲 先胜 乙\n1. 炮二平五 炮二平五 2. 马二进三\n丙 先负 丁 （加1）\n1. 炮二平五 马8进7 红胜\nx\ny\n戊 先和 己\n1. 炮二平五 *",
    );
    assert_eq!((tags(&games, "Red"), tags(&games, "Title")), (vec!["甲", "丙", "戊"], vec!["", "（加1）", "x"]));
    assert_eq!(games[1].result, RecordResult::BlackWins);
    // Names in headings count, and a line that no first moves follow is a remark.
    let games = all("红方: 甲\n丙 先负 丁\n1. 炮二平五 马8进7\n戊 先和 己\n2. 马二进三 *");
    assert_eq!((tags(&games, "Red"), games[0].tag("Title"), games[0].plies()), (vec!["甲"], Some("丙 先负 丁"), 2));
}

#[test]
fn moves_numbered_from_one_again_are_another_game() {
    let moves = [
        "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n",
        "1. 兵七进一 炮2平3\n2. 炮二平五 象3进5\n",
        "1. 相三进五 卒7进1 2. 马八进九\n",
    ];
    let expected = ["h2e2 h9g7 h0g2 i9h9", "c3c4 b7c7 h2e2 c9e7", "g0e2 g6g5 b0a2"];
    for (top, gap) in [("", "\n"), ("", ""), ("[Event \"a\"]\n\n", "\n"), ("", "\n-----\n"), ("", "\nwww.example.com\n")] {
        let games = all(&format!("{top}{}", moves.join(gap)));
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), expected, "{top}{gap}: {:?}", games[0].warnings());
        assert!(games.iter().all(|game| game.warnings().is_empty()), "{top}{gap}");
    }
    // Titles above the moves, a game that ends with an illegal move or a remark, and variations below it.
    let games = all(&format!("甲 乙\n{}\n丙 丁\n{}\n第3局\n\n{}", moves[0], moves[1], moves[2]));
    assert_eq!(games.iter().map(line).collect::<Vec<_>>(), expected);
    assert_eq!(tags(&games, "Title"), ["甲 乙", "丙 丁", "第3局"]);
    for end in ["3. 炮八平九 炮八平九 4. 车一进一\n", "红方稍优，黑方可战\n", "变1：2. 马八进七 车9平8\n"]
    {
        let games = all(&moves.join(end));
        assert_eq!(
            games.iter().map(|game| line(game)[..14].to_string()).collect::<Vec<_>>(),
            expected.map(|line| &line[..14]),
            "{end}"
        );
    }
    // One game: a repeated first round, a variation with a heading, dots for Red's move, a list of remarks.
    for (rest, in_tree) in [
        ("变1：\n1. 炮二平五 炮8平5\n", 6),
        ("A变\n1. 炮二平五 炮8平5\n", 6),
        ("1. …… 马8进7\n", 4),
        ("1. 炮二平五，是当头炮\n2. 马8进7，是屏风马\n", 4),
    ] {
        let games = all(&format!("{}{rest}", moves[0]));
        assert_eq!((games.len(), games[0].moves_in_tree()), (1, in_tree), "{rest}: {:?}", games[0].warnings());
    }
    assert_eq!(all("1. 炮二平五 马8进7 {a}\n1. 炮二平五 马8进7\n2. 马二进三 *").len(), 1);
}

#[test]
fn games_without_numbers_may_stand_on_a_line_each() {
    let games = [
        "炮二平五 马8进7 马二进三 车9平8",
        "炮二平五 炮8平5 马二进三 马8进7 车一进一",
        // Also a continuation of the first two.
        "兵七进一 卒3进1 相三进五 卒9进1",
        "炮八平五 马2进3 马八进七",
    ];
    let lines = ["h2e2 h9g7 h0g2 i9h9", "h2e2 h7e7 h0g2 h9g7 i0i1", "c3c4 c6c5 g0e2 i6i5", "b2e2 b9c7 b0c2"];
    let read_all =
        |text: &str| Records::new(text.as_bytes().to_vec(), None).unwrap().map(Result::unwrap).collect::<Vec<Record>>();
    for (gap, end) in [("\n", ""), ("\n\n", "\n"), ("\r\n", "\r\n")] {
        let found = read_all(&format!("{}{end}", games.join(gap)));
        assert_eq!(found.iter().map(line).collect::<Vec<_>>(), lines, "{gap:?}");
        assert!(found.iter().all(|game| game.warnings().is_empty() && game.comments() == 0), "{gap:?}");
    }
    // Titles above the moves, some results, a line with an illegal move, moves without blanks, coordinates.
    let found = read_all(&format!("甲-乙\n{}\n丙-丁\n{} 红胜\n戊-己\n{}\n", games[0], games[1], games[3]));
    assert_eq!(tags(&found, "Title"), ["甲-乙", "丙-丁", "戊-己"]);
    assert_eq!(found.iter().map(line).collect::<Vec<_>>(), [lines[0], lines[1], lines[3]]);
    let found = read_all(&format!("{} 车1进9\n{}\n", games[3], games[0]));
    assert_eq!(found.iter().map(line).collect::<Vec<_>>(), [lines[3], lines[0]]);
    for list in [games[..2].join("\n").replace(' ', ""), lines[..2].join("\n")] {
        assert_eq!(read_all(&list).iter().map(line).collect::<Vec<_>>(), lines[..2], "{list}");
    }
    // The games are numbered.
    for end in ["", " 红胜", " 1-0\n"] {
        let list: String = games.iter().zip(1..).map(|(moves, number)| format!("{number}. {moves}{end}\n")).collect();
        let found = read_all(&list);
        assert_eq!(found.iter().map(line).collect::<Vec<_>>(), lines, "{end}");
        assert!(found.iter().all(|game| game.warnings().is_empty() && game.comments() == 0), "{end}");
    }
    // One game on several lines, also with an illegal move.
    for (rest, plies) in [
        ("兵七进一 卒7进1 车一平二 炮8进4", 8),
        ("兵七进一 卒7进1\n车一平二 炮8进4\n炮二平五 马8进7", 8),
        ("车一平二 卒7进1\n炮二平五 马8进7 马二进三", 6),
    ] {
        let found = read_all(&format!("{}\n{rest}\n", games[0]));
        assert_eq!((found.len(), found[0].plies()), (1, plies), "{rest}: {:?}", found[0].warnings());
    }
}

#[test]
fn the_first_moves_may_stand_without_blanks() {
    let moves = "马8进7马二进三车9平8车一平二卒7进1车二进六马2进3兵七进一炮8平9车二平三";
    for text in
        [format!("炮二平五{moves}"), format!("炮二平五，{moves}"), format!("炮二平五!{moves}"), format!("炮二平五，，{moves}。")]
    {
        let found = Records::new(text.clone().into_bytes(), None).map(|mut games| games.next().unwrap().unwrap().plies());
        assert_eq!(found.ok(), Some(11), "{text}");
    }
    for (end, result) in
        [("红胜", RecordResult::RedWins), ("1/2-1/2", RecordResult::Draw), ("和棋。\n\n谢谢\n", RecordResult::Draw)]
    {
        let mut games = Records::new(format!("炮二平五马8进7马二进三车9平8{end}").into_bytes(), None).unwrap();
        let game = games.next().unwrap().unwrap();
        assert_eq!((game.plies(), game.result, game.warnings()), (4, result, vec![]));
    }
    assert_eq!(Format::shown_by("炮二平五，马8进7是屏风马".as_bytes()), None);
}

#[test]
fn a_comment_with_the_tags_of_other_games_is_reported() {
    let tags = "[Event \"b\"]\n[Red \"c\"]\n\n1. h2e2 *\n\n[Event \"d\"]\n";
    let games = all(&format!("[Event \"a\"]\n\n1. h2e2 {{not closed h9g7 *\n\n{tags}\n1. h2e2 h9g7}} 1-0\n"));
    let expected = "the comment 'not closed h9g7 * [E…' after ply 1 contains tags; its closing brace may be missing";
    assert_eq!((games.len(), games[0].warnings()), (1, vec![expected.to_string()]));
}

#[test]
fn tags_of_positions_are_a_list() {
    let fens = ["4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1", "3k5/9/9/9/9/9/9/9/4C4/4K4 w - - 0 1"];
    for (text, titles) in [
        (format!("[FEN \"{}\"]\n[FEN \"{}\"]\n", fens[0], fens[1]), ["", ""]),
        (format!("[Title \"a\"]\n[FEN \"{}\"]\n[Title \"b\"]\n[FEN \"{}\"]\n", fens[0], fens[1]), ["a", "b"]),
        (format!("[FEN \"{}\"]\n[Title \"a\"]\n[FEN \"{}\"]\n[Title \"b\"]\n", fens[0], fens[1]), ["a", "b"]),
    ] {
        let games = all(&text);
        assert_eq!(games.iter().map(|game| game.start.to_fen()).collect::<Vec<_>>(), fens, "{text}");
        assert_eq!(tags(&games, "Title"), titles, "{text}");
        assert!(games.iter().all(|game| game.warnings().is_empty()), "{text}");
    }
}

#[test]
fn the_first_move_may_have_a_comment() {
    for text in [
        "1 C2=4 (a comment) C2=5\n2 H2+3 H8+7\n",
        "1 C2=4 {a comment (longer than forty letters, as comments often are)} C2=5\n2 H2+3 H8+7\n",
        "1 炮二平四（评注）炮2平5\n2 马二进三 马8进7\n",
        "炮二平四 （评注） 炮2平5 马二进三 马8进7\n",
    ] {
        let games: Vec<Record> = Records::new(text.as_bytes().to_vec(), None).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2f2 b7e7 h0g2 h9g7"], "{text}: {:?}", games[0].warnings());
        assert_eq!(games[0].comments(), 1, "{text}");
        let games = all(&format!("甲 - 乙\n{text}1-0\n\n丙 - 丁\n{text}0-1\n"));
        assert_eq!(tags(&games, "Title"), ["甲 - 乙", "丙 - 丁"], "{text}");
        assert_eq!((games[0].result, games[1].result), (RecordResult::RedWins, RecordResult::BlackWins), "{text}");
    }
    for text in ["1 h2e2 (h9g7) and more", "1 (h2e2) h9g7"] {
        assert_eq!(Format::shown_by(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn variations_announced_by_a_move_are_read() {
    let main = "1.炮二平五炮8平5 2.马二进三马8进7 3.车一平二车9进1 4.车二进六车9平4 5.车二平三";
    let second = "(二)马2进1\n5…………马2进1 6.马八进七车4进5\n（三）\n3.………… 车9平8 4.车二进九\n";
    for text in [
        format!("{main}车4进7 6.马八进七车4平3\n{second}"),
        format!("{main}车4进7 6.马八进七车4平3\n红胜。\n{second}"),
        format!("{main}\n(一)车4进7\n5.…………车4进7 6.马八进七车4平3\n{second}"),
    ] {
        let games = all(&text);
        assert_eq!((games.len(), games[0].plies(), games[0].moves_in_tree()), (1, 12, 17), "{text}: {:?}", games[0].warnings());
        assert_eq!((games[0].warnings(), games[0].comments()), (vec![], 0), "{text}");
    }
    // Other text in the same form stays a comment.
    let record = read("1.炮二平五 马8进7\n(一)好\n2.马二进三 车9平8 *");
    assert_eq!((line(&record).as_str(), record.comments()), ("h2e2 h9g7 h0g2 i9h9", 1));
}

#[test]
fn a_move_repeated_with_its_number_is_skipped() {
    for text in [
        "1.炮二平五 马8进7 {a}\n1.………… 马8进7 2.马二进三 车9平8",
        "1.炮二平五 马8进7 2.马二进三 {a}\n2. 马二进三 车9平8",
        "1.炮二平五马8进7 {a} 1...马8进7!? 2.马二进三车9平8",
        "1. 炮二平五 马8进7 2. 马二进三 {a} 2. 马二进三 {b} 2. … 车9平8",
    ] {
        let record = read(text);
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9", "{text}");
        assert_eq!(record.warnings(), [""; 0], "{text}");
    }
    // The same words can be the reply, and another move is not skipped.
    assert_eq!(line(&read("1. 马8进7 {a} 1. 马8进7 *")), "b0c2 h9g7");
    let record = read("1.炮二平五 马8进7 2.马二进三 车9平8\n2.马八进七 马2进3 *");
    assert_eq!(record.warnings().len(), 1, "{:?}", record.warnings());
}

#[test]
fn text_with_moves_after_the_result_is_kept() {
    let record = read("1. 炮二平五 马8进7 红胜\n\n如黑方改走\n1…… 炮8平5 则 2.马二进三\n=====\n炮二平五\n");
    let comment = record.comment(record.main_line().last().unwrap()).to_string();
    assert!(comment.starts_with("如黑方") && comment.ends_with("2.马二进三"), "{comment}");
    assert_eq!(record.warnings().len(), 1, "{:?}", record.warnings());
    assert_eq!(read("1. 炮二平五 马8进7 红胜\n\n谢谢\n").comments(), 0);
    // Numbers of later rounds may be near, but moves that begin with one are not another game.
    assert_eq!(all("1 C2=5 C8=5\n2 H2+3 H8+7\n3 R1=2\n1-0\n\na - b\n\n1 C2=5 C8=5\n2 H2+3 H8+7\n3 R1=2\n0-1\n").len(), 2);
    assert_eq!(all("1. h2e2 h9g7 1-0\nb0c2\n5. b9c7 6. a0a1\n").len(), 1);
}

#[test]
fn a_position_may_stand_above_the_moves() {
    let fen = "2bakab2/9/4c4/p1p1p1p1p/9/9/P1P1P1P1P/4C4/9/2BAKAB2 w";
    let games =
        |text: &str| -> Vec<Record> { Records::new(text.as_bytes().to_vec(), None).unwrap().map(|game| game.unwrap()).collect() };
    for moves in ["1. 炮五进四 士4进5\n2. 兵三进一 卒3进1", "\n1. C5+4 A4+5 2. P3+1 P3+1", "e2e6 d9e8 g3g4 c6c5"] {
        let text = format!("{fen}\n{moves}\n");
        for text in [text.clone(), format!("甲\n{text}"), format!("{fen} - - 0 1\n{moves}\n1-0\n\n{text}")] {
            for game in games(&text) {
                assert_eq!(line(&game), "e2e6 d9e8 g3g4 c6c5", "{text}: {:?}", game.warnings());
                assert!(game.start.to_fen().starts_with(fen), "{text}");
            }
            assert_eq!(games(&text).len(), text.matches(fen).count(), "{text}");
        }
    }
    // A number or a name before the position is the title.
    let text = format!("第1题：{fen}\n1. 炮五进四 士4进5\n\n2、3k5/9/9/9/9/9/9/9/4R4/4K4 w\n1. 车五进四 将4进1\n");
    let named = games(&text);
    assert_eq!(named.iter().map(line).collect::<Vec<_>>(), ["e2e6 d9e8", "e1e5 d9d8"]);
    assert_eq!(tags(&named, "Title"), ["第1题", "2"]);
    // Puzzles of a book, with their answers.
    let other = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";
    for [fen_heading, answer] in [["", ""], ["FEN: ", ""], ["", "答案："], ["", "解答：\n"], ["FEN: ", "解答：\n"]] {
        let puzzle = |title: &str, fen: &str, moves: &str| format!("{title}\n{fen_heading}{fen}\n{answer}1. {moves}\n\n");
        let text = [
            puzzle("第1题 海底捞月", fen, "炮五进四 士4进5"),
            puzzle("第2题，双车错", other, "车五进四 将4进1"),
            puzzle("【第三例】", fen, "炮五进四"),
        ];
        let found = games(&text.concat());
        assert_eq!(found.iter().map(line).collect::<Vec<_>>(), ["e2e6 d9e8", "e1e5 d9d8", "e2e6"], "{fen_heading}{answer}");
        assert_eq!(tags(&found, "Title"), ["第1题 海底捞月", "第2题，双车错", "【第三例】"], "{fen_heading}{answer}");
        assert!(found.iter().all(|game| game.warnings().is_empty() && game.comments() == 0), "{fen_heading}{answer}");
    }
    // Black moves first.
    let black = games(&format!("{}b\n1. … 士4进5 2. 炮五进四\n", &fen[..fen.len() - 1]));
    assert_eq!(line(&black[0]), "d9e8 e2e6");
    // Several games without results.
    let text = format!("{fen}\n1. 炮五进四 士4进5\n\n3k5/9/9/9/9/9/9/9/4R4/4K4 w\n1. 车五进四 将4进1\n");
    assert_eq!(games(&text).iter().map(line).collect::<Vec<_>>(), ["e2e6 d9e8", "e1e5 d9d8"]);
    // Lists stay lists.
    for list in [format!("{fen}\n{fen}\n"), format!("{fen}\n# 1. 炮五进四\n{fen}\n"), format!("{fen}\n")] {
        assert_eq!(Format::shown_by(list.as_bytes()), Some(Format::Fen), "{list}");
    }
}

#[test]
fn a_variation_that_is_not_closed_stays_a_variation() {
    for (text, expected, in_tree, result) in [
        ("1. 炮二平五 马8进7 2. 马二进三 (2. 兵七进一 车9进1", "h2e2 h9g7 h0g2", 5, RecordResult::Unknown),
        ("1. C2=5 H8+7 2. H2+3 (2. P7+1 R9+1 3. H2+3 H2+3 1-0", "h2e2 h9g7 h0g2", 7, RecordResult::RedWins),
        ("1. C2=5 H8+7 (1... H2+3 2. H2+3 (2. P7+1) R1=2", "h2e2 h9g7", 6, RecordResult::Unknown),
        ("1. h2e2 h9g7 2. h0g2 (c3c4 (i0i1 i9i8", "h2e2 h9g7 h0g2", 6, RecordResult::Unknown),
        ("1. h2e2 h9g7 2. h0g2 (2. c3c4 i9i8 3. a0a9 b9c7 0-1", "h2e2 h9g7 h0g2", 5, RecordResult::BlackWins),
    ] {
        for next in ["", "\n\n[Red \"b\"]\n\n1. b2e2 *\n", "\n\n1. b2e2 b9c7 *\n"] {
            // Only a result or a tag begins the next game.
            if next.ends_with("b9c7 *\n") && result == RecordResult::Unknown {
                continue;
            }
            let games = all(&format!("[Red \"a\"]\n\n{text}{next}"));
            let game = &games[0];
            assert_eq!((line(game).as_str(), game.moves_in_tree()), (expected, in_tree), "{text}: {:?}", game.warnings());
            assert_eq!((game.result, game.main_line_fault().is_some()), (result, false), "{text}");
            let closing = "a variation is not closed; it ends at ply";
            assert!(game.warnings().last().is_some_and(|last| last.starts_with(closing)), "{text}: {:?}", game.warnings());
            assert_eq!(games.len(), 1 + !next.is_empty() as usize, "{text}");
        }
    }
    // The parenthesis stands before the next move, or before a remark.
    for text in ["1. C2=5 H8+7 2. H2+3 (2... H2+3 3. P7+1 *", "1. C2=5 H8+7 ( 2. H2+3 H2+3 3. P7+1 *"] {
        let record = read(text);
        assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2 b9c7 c3c4", 5), "{text}");
        assert!(record.warnings()[0].contains("left out"), "{text}: {:?}", record.warnings());
    }
}

#[test]
fn a_heading_above_later_moves_is_a_remark() {
    for remark in ["说明：红方稳健", "黑方：马8进7是正着", "结果：红优"] {
        for tags in ["", "[Event \"a\"]\n\n"] {
            let text = format!(
                "{tags}1. 炮二平五\n{remark}\n1. …… 马8进7\n2. 马二进三 车9平8\n{remark}\n\n3. 车一平二 马2进3\n红胜\n\n\
                 丙 红先和 丁\n1. 相三进五 卒7进1\n"
            );
            let games = all(&text);
            let lines: Vec<_> = games.iter().map(line).collect();
            assert_eq!(lines, ["h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "g0e2 g6g5"], "{text}");
            assert_eq!((games[0].result, games[0].comments(), games[0].warnings()), (RecordResult::RedWins, 2, vec![]), "{text}");
            assert_eq!(self::tags(&games, "Black"), ["", "丁"], "{text}");
        }
    }
    // After the last move it is none, but what contradicts a tag is kept.
    let record = read("[Red \"甲\"]\n\n1. h2e2 h9g7\n红方：稍优\n黑方：乙\n");
    assert_eq!((record.tag("Red"), record.tag("Black")), (Some("甲"), Some("乙")));
    assert_eq!(record.comment(record.main_line().last().unwrap()), "红方：稍优");
    // Of repeated headings the first counts.
    let record = read("备注：一\n备注：二\n1. 炮二平五 马8进7\n");
    assert_eq!((record.tag("Remark"), record.warnings().len()), (Some("一"), 1));
}

#[test]
fn headings_between_tags_and_moves_belong_to_the_game() {
    let head = "[Event \"a\"]\n[Red \"甲\"]\n[Result \"1-0\"]\n\n";
    let games = all(&format!("{head}说明：选自月刊\n红方：甲\n结果：红胜\n1. 炮二平五 马8进7 1-0\n"));
    assert_eq!((games.len(), line(&games[0]).as_str(), games[0].result), (1, "h2e2 h9g7", RecordResult::RedWins));
    assert_eq!(games[0].tags().collect::<Vec<_>>(), [("Event", "a"), ("Red", "甲"), ("Remark", "选自月刊")]);
    // Another name or position is that of another game.
    assert_eq!(tags(&all(&format!("{head}红方：丙\n1. 炮二平五 *\n")), "Red"), ["甲", "丙"]);
    assert_eq!(all(&format!("{head}FEN: 3k5/9/9/9/9/9/9/9/4R4/4K4 w\n1. 车五进四 *\n")).len(), 2);
}

#[test]
fn a_result_may_stand_directly_before_the_first_move() {
    for text in ["1-0\n1. 炮二平五 马8进7\n", "红胜 1. 炮二平五 马8进7 1-0\n"] {
        let games = all(&format!("[Event \"a\"]\n\n{text}\n[Event \"b\"]\n\n{text}"));
        assert_eq!(tags(&games, "Event"), ["a", "b"], "{text}");
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7"; 2], "{text}");
        assert!(games.iter().all(|game| game.result == RecordResult::RedWins && game.warnings().is_empty()), "{text}");
    }
    // After an empty line it is that of a game without moves.
    assert_eq!(all("[Event \"a\"]\n\n1-0\n\n1. 炮二平五 马8进7\n").len(), 2);
}

#[test]
fn a_file_may_be_appended_to_one_without_a_line_end() {
    for mark in ["", "\u{feff}"] {
        let text = format!("{mark}[Event \"a\"]\n\n1. 炮二平五 马8进7 1-0{mark}[Event \"b\"]\n[Red \"c\"]\n\n1. 炮八平五 *");
        let games = all(&text);
        assert_eq!((tags(&games, "Event"), tags(&games, "Red")), (vec!["a", "b"], vec!["", "c"]), "{text}");
        assert!(games[0].warnings().is_empty() && games[0].result == RecordResult::RedWins, "{:?}", games[0].warnings());
        // Text in brackets is no tag.
        assert_eq!(line(&read("1. 炮二平五[好棋 \"妙\"] 马8进7 2. 马二进三 车9平8 *")), "h2e2 h9g7 h0g2 i9h9");
        let games = all(&text.replace(" 1-0", ""));
        assert_eq!(tags(&games, "Event"), ["a", "b"]);
        assert!(games[0].warnings().is_empty() && line(&games[0]) == "h2e2 h9g7", "{:?}", games[0].warnings());
    }
}

#[test]
fn invisible_characters_before_a_tag_are_skipped() {
    let first = "\u{200e}[Event \"a\"]\n\u{200e}[Red \"x\"]\n\n1. 炮二平五 马8进7 1-0\n\n";
    let games = all(&format!("{first}\u{200b}[Event \"b\"]\n\n1. 炮八平五 *\n"));
    assert_eq!((tags(&games, "Event"), tags(&games, "Red")), (vec!["a", "b"], vec!["x", ""]));
}

#[test]
fn a_remark_may_stand_between_moves_with_full_width_numbers() {
    let record = read("１．炮二平五 马８进７\n红车a出动\n２．马二进三 车９平８ *");
    assert_eq!((line(&record).as_str(), record.comments()), ("h2e2 h9g7 h0g2 i9h9", 1), "{:?}", record.warnings());
}

#[test]
fn parentheses_of_games_without_tags_are_independent() {
    // The brace behind the first game hides the parenthesis in the second one from a search that begins in the first.
    let games = all("甲 先胜 乙\n1. 炮二平五 马8进7 (好) 1-0\na { b\n\n丙 先负 丁\n1. 炮二平五 (1. 炮八平五) 马8进7 {x} 0-1\n");
    assert_eq!(games.iter().map(|game| game.moves_in_tree()).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(tags(&games, "Red"), ["甲", "丙"]);
}
