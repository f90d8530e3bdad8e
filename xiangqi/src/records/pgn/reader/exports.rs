//! Tests of the PGN reader with the texts that the viewer of dpxq.com exports.

use super::tests::{all, line, read};
use crate::records::{NodeId, Record, RecordProblem, RecordResult};

/// The node after these moves from the root.
fn node(record: &Record, moves: &str) -> Option<NodeId> {
    moves.split_whitespace().try_fold(record.root(), |node, text| {
        record.children(node).find(|child| record.mv(*child).is_some_and(|mv| mv.to_string() == text))
    })
}

#[test]
fn marks_of_comments_and_variations_after_a_move_are_skipped() {
    for text in [
        "1. 炮二平五* 马８进７\n2. 马二进三 车９平８\n",
        "  1.炮二平五*m    马８进７ m\n  2.马二进三 m    车９平８* \n \n棋谱由 http://www.dpxq.com/ 生成",
        "  1.炮二平五 m    马８进７*m  2.马二进三*     车９平８ m\n \n棋谱由 http://www.dpxq.com/ 生成",
        "    1.  炮二平五 B* 马８进７  *\n    2.  马二进三 B! 车９平８\n",
        "  1.炮二平五B    马８进７B*\n  2.马二进三m    车９平８B\n棋谱由 http://www.dpxq.com/ 生成",
        "    1.  炮二平五 B  2.  马８进７  *\n    3.  马二进三  * 4.  车９平８\n",
        "炮二平五* 马８进７ 马二进三* 车９平８\n",
        "1. h2e2 * h9g7 *\n2. h0g2 * 2... i9h9\n",
    ] {
        let games = all(text);
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9"], "{text}: {:?}", games[0].warnings());
        assert_eq!((games[0].warnings(), games[0].result), (vec![], RecordResult::Unknown), "{text}");
        assert_eq!(games[0].glyph_count(), text.matches('!').count(), "{text}");
    }
    // A star at the end of a game is its result, and a letter that no move follows is not a mark.
    assert_eq!(all("h2e2 h9g7 *\nh0g2 b9c7 *\n").len(), 2);
    assert_eq!(all("1. 炮二平五 *\n1. 炮八平五 *\n").len(), 2);
    for text in ["1. h2e2 m", "1. h2e2 B xyz", "1. h2e2 m 2. h2e2 *", "1. h2e2 B 4. h9g7", "1. 炮二平五B"] {
        let record = read(text);
        assert!(record.main_line_fault().is_some(), "{text}: {}", line(&record));
    }
}

#[test]
fn notes_below_a_line_belong_to_their_plies() {
    let record = read(
        "【主变: 红胜】\n    1.  炮二平五  * 马８进７ B \n    2.  马二进三    车９平８ B*\n\n    *第  1  回合红: 甲\n乙 (丙\n\
         \x20   *第  1  回合黑: 有[变1-0-1]\n    *第  2  回合黑: 丁\n \n\
         【变1-0-1】\n    1.  …………    马２进３ B*\n    2.  马八进七  *\n\n    *第  1  回合黑: 有[变2-1-1]\n    *第  1  回合黑: 戊\n\
         \x20   *第  2  回合红: 己\n \n【变2-1-1】\n    1.  …………    卒７进１  *\n\n    *第  1  回合黑: 庚\n    *第  9  回合黑: 辛\n \n\
         棋谱由 http://www.dpxq.com/ 生成",
    );
    for (moves, comment) in [
        ("h2e2", "甲\n乙 (丙"),
        ("h2e2 h9g7", ""),
        ("h2e2 h9g7 h0g2", ""),
        ("h2e2 h9g7 h0g2 i9h9", "丁\n*第  9  回合黑: 辛"),
        ("h2e2 b9c7", "戊"),
        ("h2e2 b9c7 b0c2", "己"),
        ("h2e2 g6g5", "庚"),
    ] {
        let node = node(&record, moves).unwrap_or_else(|| panic!("{moves}: {:?}", record.warnings()));
        assert_eq!(record.comment(node), comment, "{moves}");
    }
    assert_eq!(
        (line(&record).as_str(), record.moves_in_tree(), record.result),
        ("h2e2 h9g7 h0g2 i9h9", 7, RecordResult::RedWins)
    );
    let warnings = record.warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("ply 18"), "{warnings:?}");
    // Numbers of plies.
    let record = read("1.  炮二平五  2.  马８进７ *\n3. 马二进三\n\n    *第  2  着: 甲\n");
    assert_eq!(record.comment(node(&record, "h2e2 h9g7").unwrap()), "甲");
}

#[test]
fn variations_continue_the_line_that_their_heading_names() {
    let main = "【主变】\n1. 炮二平五 马８进７\n2. 马二进三 车９平８\n\n";
    for (first, second) in [("【变1-0-1】", "【变2-1-2】"), ("变①接主变第1回合", "变②接变①第2回合")] {
        let record = read(&format!(
            "{main}{first}\n1. 炮八平五 马８进７\n2. 马二进一 车９平８\n3. 车一平二\n\n{second}\n2. 兵七进一 卒７进１\n"
        ));
        assert_eq!(record.warnings(), [""; 0], "{first}");
        assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2 i9h9", 11), "{first}");
        for moves in ["b2e2 h9g7 h0i2 i9h9 i0h0", "b2e2 h9g7 c3c4 g6g5"] {
            assert!(node(&record, moves).is_some(), "{first}: {moves}");
        }
    }
    // A variation may continue one that is longer than the main line, and replace the first move of another.
    let record = read(&format!(
        "{main}【变1-0-2】\n2. …………   马２进３\n3. 兵七进一 卒７进１\n【变2-1-3】\n3. …………   卒３进１\n【变3-1-2】\n2. …………   卒７进１\n"
    ));
    for moves in ["h2e2 h9g7 h0g2 b9c7 c3c4 c6c5", "h2e2 h9g7 h0g2 g6g5"] {
        assert!(node(&record, moves).is_some(), "{moves}: {:?}", record.warnings());
    }
    // One whose line is missing or too short is kept as a comment.
    for heading in ["【变1-4-1】", "变①接变④第1回合", "【变2-1-9】\n9. 兵七进一\n【变1-2-1】"] {
        let record = read(&format!("{main}{heading}\n1. 炮八平五 马８进７\n"));
        assert_eq!(record.moves_in_tree(), 4, "{heading}");
        assert!(record.comment(node(&record, &line(&record)).unwrap()).contains("炮八平五"), "{heading}");
        assert!(!record.warnings().is_empty(), "{heading}");
    }
}

#[test]
fn headings_of_variations_may_have_letters_and_moves_on_their_line() {
    let main = "1. 炮二平五 马８进７\n2. 马二进三 车９平８\n3. 车一平二 马２进３\n\n";
    for (first, second) in [
        ("变1：", "变2："),
        ("【变1】", "【变2】："),
        ("变化一：", "变化二："),
        ("第一变：", "第二变："),
        ("A变：", "B变："),
        ("变例甲 [甲]", "变例乙 [乙]"),
    ] {
        for behind in ["", "\n"] {
            let record = read(&format!(
                "{main}{first}{behind}2. …… 马２进３\n3. 车一进一 卒７进１\n{second}{behind}3. 马八进七 马２进３\n"
            ));
            assert_eq!(record.warnings(), [""; 0], "{first}{behind:?}");
            assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", 11), "{first}");
            for moves in ["h2e2 h9g7 h0g2 b9c7 i0i1 g6g5", "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7"] {
                assert!(node(&record, moves).is_some(), "{first}{behind:?}: {moves}");
            }
        }
    }
    // A remark about a variation is none.
    let record = read(&format!("{main}变化一向复杂\n4. 兵七进一 卒７进１\n"));
    assert_eq!((record.plies(), record.comments()), (8, 1), "{:?}", record.warnings());
}

#[test]
fn variations_are_found_by_ply_where_every_ply_has_a_number() {
    let main = "【主变】\n1. 炮二平五  2. 马８进７\n3. 马二进三  4. 车９平８\n5. 车一平二  6. 马２进３\n\n";
    for (first, second) in [("变①接主变第3着", "变②接①变第4着"), ("【变1-0-3】", "【变2-1-4】")] {
        let record = read(&format!("{main}{first}\n3. 马八进七  4. 马２进３\n{second}\n3.  …………    4.  车９平８\n"));
        assert_eq!(record.warnings(), [""; 0], "{first}");
        assert_eq!((line(&record).as_str(), record.moves_in_tree()), ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", 9), "{first}");
        for moves in ["h2e2 h9g7 b0c2 b9c7", "h2e2 h9g7 b0c2 i9h9"] {
            assert!(node(&record, moves).is_some(), "{first}: {moves}");
        }
    }
}

#[test]
fn digits_show_that_black_moves_first() {
    for text in [
        "1.炮８平５      炮二平五  \n2.马８进７      马二进三  \n",
        "1.炮8平5 {a} 炮二平五 2.马8进7 马二进三\n",
        "1.炮8平5炮二平五2.马8进7马二进三\n",
        "炮8平5，炮二平五，马8进7，马二进三\n",
    ] {
        let record = read(text);
        assert_eq!(line(&record), "h7e7 h2e2 h9g7 h0g2", "{text}");
        assert!(record.start.to_fen().ends_with(" b - - 0 1"), "{text}");
        assert_eq!(record.warnings().len(), 1, "{text}: {:?}", record.warnings());
    }
    // A variation, and a remark before the next number.
    let record = read(
        "1.炮８平５ 炮二平五\n2.马８进７ 马二进三\n这里红方稍好。\n3.车９平８ 车一平二\n【变1】\n2.马２进３ 兵七进一\n【变2】\n2.………… 马八进七\n",
    );
    for moves in ["h7e7 h2e2 h9g7 h0g2 i9h9 i0h0", "h7e7 h2e2 b9c7 c3c4", "h7e7 h2e2 h9g7 b0c2"] {
        assert!(node(&record, moves).is_some(), "{moves}: {:?}", record.warnings());
    }
    // Both sides with the same digits, the reverse, and a FEN of another position.
    for text in ["1.炮8平5 马8进7", "1.炮八平五 马二进三", "1.炮二平五 马8进7", "1.炮8平5"] {
        assert_eq!(read(text).start.side, crate::types::Color::Red, "{text}");
    }
    let fen = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p2/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n";
    assert_eq!(line(&read(&format!("{fen}1.炮8平5 马二进三"))), "b2e2 b9c7");
}

/// The board as dpxq.com draws it: the four pieces of an endgame.
const DRAWING: &str = "　　　　　　　　 黑方

  ┌─┬─┬-[将]-┬─┬─┬─┬─┐
　│　│　│　│＼│／│　│　│　│
  ├─┼─┼─┼─┼─┼─┼─┼─┤
　│　│　│　│／│＼│　│　│　│
  ├─※─┼─┼─┼─┼─┼─※─┤
　│　│　│　│　│　│　│　│　│
 (车)-┼─┼─┼─┼─┼─┼─┼─┤
　│　│　│　│　│　│　│　│　│
  ├─┴─┴─┴─┴─┴─┴─┴─┤

  ├─┬─┬─┬─┬─┬─┬─┬─┤
　│　│　│　│　│　│　│　│　│
  ├─┼─┼─┼─┼─┼─┼─┼─┤
　│　│　│　│　│　│　│　│　│
  ├─※─┼─┼─┼─┼─┼-(炮)-┤
　│　│　│　│＼│／│　│　│　│
  ├─┼─┼─┼─┼─┼─┼─┼─┤
　│　│　│　│／│＼│　│　│　│
  └─┴─┴─┴-(帅)-┴─┴─┴─┘

　　　　　　　　 红方
";

#[test]
fn the_start_position_may_be_drawn() {
    let game =
        |head: &str, moves: &str| super::next(&format!("{head}{DRAWING} \n{moves}\n"), 0, &super::Braces::default()).unwrap().0;
    let placement = "3k5/9/9/R8/9/9/9/7C1/9/4K4";
    for head in ["标题: 残局\n结果: 红方胜\n\n初始局面:\n", "残局\n", "残局\n红方: 甲\n"] {
        for (moves, expected, side) in [
            ("1.炮二平五  将４进１\n2.车九进二 将４退１", "h2e2 d9d8 a6a8 d8d9", "w"),
            ("1.将４进１  炮二平五\n2.将４退１ 车九进二", "d9d8 h2e2 d8d9 a6a8", "b"),
        ] {
            let record = game(head, moves).unwrap();
            assert_eq!(line(&record), expected, "{head}: {:?}", record.warnings());
            assert_eq!(record.start.to_fen(), format!("{placement} {side} - - 0 1"), "{head}{moves}");
            assert_eq!((record.tag("Title"), record.comments()), (Some("残局"), 0), "{head}");
        }
    }
    // A FEN decides, and text before and after the drawing is kept.
    let record = game("FEN: 3k5/9/9/9/9/9/9/7C1/9/R3K4 w\n前\n", "后\n1.炮二平五 将４进１").unwrap();
    assert_eq!((line(&record).as_str(), record.tag("Title")), ("h2e2 d9d8", Some("前")));
    assert_eq!(record.comment(record.root()), "后");
    for (from, to) in [("[将]", "[王]"), ("-(炮)", "(炮)(炮)"), ("　│　│　│　│　│　│　│　│　│\n  ├─┼─┼─┼─┼─┼─┼─┼─┤\n", "")]
    {
        let text = format!("初始局面:\n{}\n1.炮二平五 将４进１\n", DRAWING.replacen(from, to, 1));
        let error = super::next(&text, 0, &super::Braces::default()).unwrap().0.unwrap_err();
        assert!(matches!(error.problem(), RecordProblem::Damaged(text) if text.contains("drawn")), "{error}");
    }
    // Without a drawing an empty heading means nothing.
    assert_eq!(line(&read("初始局面:\n\n1.炮二平五 马8进7")), "h2e2 h9g7");
}
