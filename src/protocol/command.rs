//! Parses a line into a command. Both dialects are read at once: the words of one are understood in the other too.

use super::go::GoRequest;
use super::input::words;
use crate::notation::PositionText;

/// A command of the client; what it means depends on the state of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `ucci`
    Ucci,
    /// `isready`
    IsReady,
    /// `setoption`, and UCI's `debug`: the name, and the value when there is one, as bytes: a path may be in any encoding.
    SetOption(String, Option<Vec<u8>>),
    /// `ucinewgame`
    NewGame,
    /// `position`, or Cyclone's bare `fen` and `startpos`.
    Position(PositionText),
    /// `banmoves`
    BanMoves(Vec<String>),
    /// `go`
    Go(GoRequest),
    /// `ponderhit`, with or without UCCI's `draw`.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`
    Stop,
    /// UCCI's `probe`
    Probe(PositionText),
    /// `quit`
    Quit,
    /// `d`
    Display,
    /// `eval`
    Eval,
    /// `flip`
    Flip,
    /// `bench` with its arguments: depth, threads, MiB of hash.
    Bench(Vec<String>),
    /// `compiler`
    Compiler,
    /// `help`
    Help,
    /// No known command; an empty line too.
    Unknown,
}

impl Command {
    /// Whether it begins a search or a count.
    pub fn is_question(&self) -> bool {
        matches!(self, Command::Go(_) | Command::Bench(_))
    }

    /// Reads a line. Never fails: what is not understood is [`Command::Unknown`].
    pub fn parse(line: &[u8]) -> Command {
        // Writers of .NET begin a stream in UTF-8 with a byte order mark.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let text = String::from_utf8_lossy(line);
        let mut words = words(&text);
        let Some(first) = words.next() else { return Command::Unknown };
        match first {
            "uci" => Command::Uci,
            "ucci" => Command::Ucci,
            "isready" => Command::IsReady,
            "setoption" => set_option(line),
            "debug" => Command::SetOption(first.into(), words.next().map(|word| word.as_bytes().to_vec())),
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(PositionText::parse(words)),
            "fen" | "startpos" => Command::Position(PositionText::parse(std::iter::once(first).chain(words))),
            "banmoves" => Command::BanMoves(words.map(str::to_string).collect()),
            "go" => Command::Go(GoRequest::parse(words)),
            "perft" => {
                let mut request = GoRequest::parse(std::iter::once(first).chain(words));
                request.perft.get_or_insert(1);
                Command::Go(request)
            }
            "ponderhit" => Command::PonderHit { draw: words.any(|word| word == "draw") },
            "stop" => Command::Stop,
            "probe" => Command::Probe(PositionText::parse(words)),
            "quit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "flip" => Command::Flip,
            "bench" => Command::Bench(words.map(str::to_string).collect()),
            "compiler" => Command::Compiler,
            "help" => Command::Help,
            _ => Command::Unknown,
        }
    }
}

/// `setoption name N value V`, and UCCI's `setoption N V`.
fn set_option(line: &[u8]) -> Command {
    let is_blank = |byte: &u8| b" \t\r\n".contains(byte);
    let words: Vec<&[u8]> = line.split(is_blank).filter(|word| !word.is_empty()).skip(1).collect();
    let text = |words: &[&[u8]]| String::from_utf8_lossy(&words.join(&b' ')).into_owned();
    // As it stands in the line: a path may have several blanks in a row.
    let value_behind = |word: &[u8]| {
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        let value = line[end..].trim_ascii();
        (!value.is_empty()).then(|| value.to_vec())
    };
    match &words[..] {
        [] => Command::Unknown,
        [b"name", rest @ ..] if !rest.is_empty() => {
            let at = rest.iter().position(|&word| word == b"value").unwrap_or(rest.len());
            Command::SetOption(text(&rest[..at]), rest.get(at).and_then(|word| value_behind(word)))
        }
        [name, ..] => Command::SetOption(text(&[*name]), value_behind(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line.as_bytes())
    }

    #[test]
    fn both_forms_of_setoption() {
        let set = |name: &str, value: Option<&str>| Command::SetOption(name.into(), value.map(|value| value.as_bytes().to_vec()));
        assert_eq!(parse("setoption name Move Overhead value 20"), set("Move Overhead", Some("20")));
        assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(parse("setoption name Hash value"), set("Hash", None));
        assert_eq!(parse("setoption hashsize 64"), set("hashsize", Some("64")));
        assert_eq!(parse("setoption newgame"), set("newgame", None));
        assert_eq!(parse("setoption bookfiles C:\\my books\\a.dat"), set("bookfiles", Some("C:\\my books\\a.dat")));
        let bytes = Command::parse(b"setoption  bookfiles\td:\\\xbf\xe2 \xbf\xe2.dat \r");
        assert_eq!(bytes, Command::SetOption("bookfiles".into(), Some(b"d:\\\xbf\xe2 \xbf\xe2.dat".to_vec())));
        assert_eq!(parse("setoption name EvalFile value  /a  b/c\td.nnue \r"), set("EvalFile", Some("/a  b/c\td.nnue")));
        assert_eq!(parse("setoption"), Command::Unknown);
        assert_eq!(parse("setoption name"), set("name", None));
        assert_eq!(parse("debug on"), set("debug", Some("on")));
    }

    #[test]
    fn positions_of_all_three_dialects() {
        let text = |fen: Option<&str>, moves: &[&str]| {
            Command::Position(PositionText { fen: fen.map(Into::into), moves: moves.iter().map(|m| m.to_string()).collect() })
        };
        assert_eq!(parse("position startpos"), text(None, &[]));
        assert_eq!(parse("position startpos moves"), text(None, &[]));
        assert_eq!(parse("startpos moves h2e2 h9g7"), text(None, &["h2e2", "h9g7"]));
        assert_eq!(parse("fen 4k4/9 r moves a0a1"), text(Some("4k4/9 r"), &["a0a1"]));
        assert_eq!(parse("position fen 4k4/9 w - - 0 1 moves"), text(Some("4k4/9 w - - 0 1"), &[]));
        assert_eq!(parse("position 4k4/9 w"), text(Some("4k4/9 w"), &[]));
        assert_eq!(parse("position"), text(Some(""), &[]));
    }

    #[test]
    fn only_whole_words_count() {
        for line in ["stopp", "quitt", "STOP", "", "   ", "\u{0}uci", "positions startpos", "ponderhits"] {
            assert_eq!(parse(line), Command::Unknown, "{line:?}");
        }
        assert_eq!(Command::parse(b" \t stop \r"), Command::Stop);
        assert_eq!(Command::parse(b"\xef\xbb\xbfuci\r"), Command::Uci);
        assert_eq!(Command::parse(b"\xff\xfe\x00"), Command::Unknown);
    }
}
