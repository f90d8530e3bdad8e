//! Tests of the parser with whatever can come down a pipe.

use super::{Command, Options, digest};
use proptest::prelude::*;

/// Words that mean something, so that random lines get beyond the first word.
const WORDS: [&str; 48] = [
    "uci",
    "ucci",
    "isready",
    "setoption",
    "name",
    "value",
    "position",
    "fen",
    "startpos",
    "moves",
    "banmoves",
    "go",
    "ponder",
    "draw",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "time",
    "increment",
    "opptime",
    "perft",
    "searchmoves",
    "infinite",
    "stop",
    "probe",
    "quit",
    "Hash",
    "Threads",
    "MultiPV",
    "usemillisec",
    "true",
    "off",
    "-1",
    "0",
    "5",
    "99999999999999999999",
    "h2e2",
    "h9g7",
    "a0a9",
    "4k4/9/9/9/9/9/9/9/9/3K5",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
    "b",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        digest(&bytes);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop_oneof![4 => prop::sample::select(&WORDS[..]), 1 => Just("\u{0}é馬"), 1 => Just("\n")], 0..40)) {
        digest(words.join(" ").as_bytes());
    }

    #[test]
    fn any_option(name in ".{0,20}", value in prop::option::of(".{0,20}")) {
        let mut options = Options::default();
        let _ = options.set(&name, value.as_deref().map(str::as_bytes));
    }

    #[test]
    fn blanks_make_no_difference(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 1..20), blanks in prop::collection::vec("[ \t]{1,4}", 20)) {
        let plain = words.join(" ");
        let spread: String = words.iter().zip(&blanks).flat_map(|(word, blank)| [blank.as_str(), word]).collect::<String>() + "\r";
        prop_assert_eq!(Command::parse(plain.as_bytes()), Command::parse(spread.as_bytes()));
    }
}
