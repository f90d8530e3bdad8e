//! Tests of the PGN reader with the texts that the viewer of dpxq.com exports.

use super::tests::{all, line, read};
use crate::records::{NodeId, Record};

/// The node after these moves from the root.
fn node(record: &Record, moves: &str) -> Option<NodeId> {
    moves.split_whitespace().try_fold(record.root(), |node, text| {
        record.children(node).find(|child| record.mv(*child).is_some_and(|mv| mv.to_string() == text))
    })
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
