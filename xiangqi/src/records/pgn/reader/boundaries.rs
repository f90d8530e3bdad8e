//! Tests of the PGN reader with texts in which the boundaries of games and variations are hard to find.

use super::tests::{all, read};
use crate::records::Record;

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
    let record = read(&format!("[FEN \"{}\"]\n[FEN \"{}\"]\n\n", fens[0], fens[1]));
    assert_eq!((record.start.to_fen().as_str(), record.warnings().len()), (fens[1], 1));
    let repeated = format!("[FEN \"{0}\"]\n\n[FEN \"{0}\"]\n\n1. d0d1 *", fens[0]);
    assert_eq!((all(&repeated).len(), all(&repeated.replacen(fens[0], fens[1], 1)).len()), (1, 2));
}
