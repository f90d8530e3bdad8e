//! The body of the fuzz target for messages, shared with a bounded random test that runs on stable Rust.

use super::document::TreeForm;
use super::host::EmptyHost;
use super::message::{Answer, Ask, Question, Request};
use super::questions::answer;

/// Interprets arbitrary bytes as a message and answers it unless it is a search. A tree must survive the round trip through a record.
///
/// # Panics
/// When an answer is inconsistent.
pub fn message(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(Request { ask: Ask::Question(question), .. }) = Request::read(text) else { return };
    if let Question::Names(ask) = &question
        && let Ok(record) = ask.tree.record()
    {
        let Ok(tree) = TreeForm::of(&record) else { panic!("a record read from a tree cannot be written as one") };
        let Ok(again) = tree.record() else { panic!("the tree of a record cannot be read back: {tree:?}") };
        assert!(again == record, "{tree:?}");
    }
    if let Ok(Answer::Opened(opened)) = answer(question, &EmptyHost) {
        assert_eq!(opened.names.len(), opened.tree.nodes.len());
        assert!(opened.tree.record().is_ok(), "{:?}", opened.tree);
    }
}

/// One message of every kind that needs no search: the seed corpus.
pub const SEEDS: [&str; 12] = [
    r#"{"id":1,"ask":{"position":{"line":{"start":null,"moves":["h2e2","h9g7"]},"notation":"wxf","language":"zh","rules":"chinese"}}}"#,
    r#"{"id":2,"ask":{"read":{"line":{"moves":[]},"text":"炮二平五 马8进7"}}}"#,
    r#"{"id":3,"ask":{"open":{"source":{"text":"[Red \"A\"]\n\n1. H2-E2 {x} (1. B0-C2) H9-G7 1-0"},"game":1}}}"#,
    r#"{"id":4,"ask":{"open":{"source":{"file":{"name":"a.xqf","bytes":"WFEK"}}}}}"#,
    r#"{"id":5,"ask":{"names":{"tree":{"start":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","result":"*","tags":[["Red","x"]],"comment":"c","nodes":[{"parent":0,"move":"h2e2","glyphs":[1]},{"parent":1,"move":"h9g7","comment":"y"},{"parent":1,"move":"b9c7"}]}}}}"#,
    r#"{"id":6,"ask":{"save":{"tree":{"start":"4k4/9/9/9/9/9/9/9/9/3K5 w","nodes":[{"parent":0,"move":"d0d1"}]},"format":"xqf"}}}"#,
    r#"{"id":7,"ask":{"setup":{"fen":"3kk4/9/9/9/9/9/9/9/9/A2K5 w"}}}"#,
    r#"{"id":8,"ask":{"draw":{"line":{"moves":["h2e2"]},"format":"svg","arrows":["h9g7"]}}}"#,
    r#"{"id":9,"ask":{"stop":{}}}"#,
    r#"{"id":10,"ask":{"lines":{"source":{"text":"1. H2-E2 H9-G7 *"}}}}"#,
    r#"{"id":11,"ask":{"explore":{"line":{"moves":["h2e2"]},"games":[{"game":1,"moves":"b2e2 b9c7","red":"A","date":"2001.02.03","result":"1-0"}]}}}"#,
    r#"{"id":12,"ask":{"puzzles":{"source":{"text":"{\"fen\":\"3k5/9/9/9/9/9/9/9/R8/4K4 w\",\"goal\":\"win\",\"solution\":[\"a1a9\"]}"}}}}"#,
];

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn messages_with_faults_are_answered() {
        for seed in SEEDS {
            match Request::read(seed) {
                // One seed contains a file that is not a valid record.
                Ok(Request { ask: Ask::Question(question), .. }) => {
                    assert_eq!(answer(question, &EmptyHost).is_ok(), !seed.contains("WFEK"), "{seed}");
                }
                Ok(Request { ask, .. }) => assert!(matches!(ask, Ask::Stop), "{seed}"),
                Err((_, problem)) => panic!("{seed}: {problem}"),
            }
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
        for round in 0..3000 {
            let mut bytes = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
            for _ in 0..random.random_range(0..4) {
                let at = random.random_range(0..bytes.len());
                match random.random_range(0..4) {
                    0 => bytes[at] = random.random(),
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, b"0129/\"[]{},w "[random.random_range(0..13)]),
                    _ => {
                        let end = (at + random.random_range(1..20)).min(bytes.len());
                        let part = bytes[at..end].to_vec();
                        bytes.splice(at..at, part);
                    }
                }
                if bytes.is_empty() {
                    break;
                }
            }
            message(&bytes);
        }
    }
}
