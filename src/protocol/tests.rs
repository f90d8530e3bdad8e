//! Tests of the parser with whatever can come down a pipe, and of what a console is told.

use super::{Command, Options, Output, SEEDS, Session, Terminal, digest};
use proptest::prelude::*;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

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

/// What a fuzzer begins with is understood to the last line.
#[test]
fn seeds_are_conversations() {
    assert_eq!(SEEDS.map(|seed| digest(seed.as_bytes())), [[1, 0], [2, 0], [1, 0]]);
}

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
        // Those within the value of an option are part of it.
        let read = |line: &str| match Command::parse(line.as_bytes()) {
            Command::SetOption(name, value) => {
                let value = value.map(|value| super::input::words(&String::from_utf8_lossy(&value)).collect::<Vec<_>>().join(" ").into_bytes());
                Command::SetOption(name, value)
            }
            command => command,
        };
        prop_assert_eq!(read(&plain), read(&spread));
    }
}

/// Passes on what is written, line by line as an [`Output`] writes it.
struct Lines(Sender<Vec<u8>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A console of Windows takes UTF-8 alone from a program written in Rust, and anything else would end the output in the middle of a line.
#[test]
fn a_console_of_windows_gets_utf8_whatever_encoding_is_asked_for() {
    let utf8 = "开局库".as_bytes();
    let gbk: &[u8] = b"\xbf\xaa\xbe\xd6\xbf\xe2";
    for is_terminal in [false, true] {
        let (lines, written) = channel();
        let output =
            Output::start(Lines(lines), || true, |error| panic!("a channel takes everything: {error}")).expect("a thread");
        let mut session = Session::new(output, |_| true, Terminal { input: false, output: is_terminal }).expect("threads");
        for line in [b"ucci", &b"setoption encoding GBK"[..], &[b"setoption evalfile nowhere/", gbk].concat()] {
            session.receive(line);
        }
        let is_error = |line: &Vec<u8>| line.windows(8).any(|part| part == b"EvalFile");
        let error = std::iter::from_fn(|| written.recv_timeout(Duration::from_secs(30)).ok()).find(is_error).expect("an error");
        let name = if is_terminal && cfg!(windows) { utf8 } else { gbk };
        assert!(error.windows(name.len()).any(|part| part == name), "{is_terminal}: {}", error.escape_ascii());
    }
}
