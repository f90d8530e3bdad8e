//! Parses a line into a command. Both dialects are read at once: the words of one are understood in the other too.

use super::go::GoRequest;
use super::input::words;
use crate::board::{FenError, Position};
use crate::types::Move;

/// A command of the client; what it means depends on the state of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `ucci`
    Ucci,
    /// `isready`
    IsReady,
    /// `setoption`: the name, and the value when there is one, as bytes: a path may be in any encoding.
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
    /// Reads a line. Never fails: what is not understood is [`Command::Unknown`].
    pub fn parse(line: &[u8]) -> Command {
        let text = String::from_utf8_lossy(line);
        let mut words = words(&text);
        let Some(first) = words.next() else { return Command::Unknown };
        match first {
            "uci" => Command::Uci,
            "ucci" => Command::Ucci,
            "isready" => Command::IsReady,
            "setoption" => set_option(line),
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
    let words: Vec<&[u8]> = line.split(|byte| b" \t\r\n".contains(byte)).filter(|word| !word.is_empty()).skip(1).collect();
    let text = |words: &[&[u8]]| String::from_utf8_lossy(&words.join(&b' ')).into_owned();
    let value = |words: &[&[u8]]| (!words.is_empty()).then(|| words.join(&b' '));
    match &words[..] {
        [] => Command::Unknown,
        [b"name", rest @ ..] if !rest.is_empty() => {
            let at = rest.iter().position(|&word| word == b"value").unwrap_or(rest.len());
            Command::SetOption(text(&rest[..at]), value(rest.get(at + 1..).unwrap_or_default()))
        }
        [name, rest @ ..] => Command::SetOption(text(&[*name]), value(rest)),
    }
}

/// A position as it was typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionText {
    /// The FEN, none for the start position.
    pub fen: Option<String>,
    /// The moves played from it.
    pub moves: Vec<String>,
}

impl PositionText {
    fn parse<'a>(words: impl Iterator<Item = &'a str>) -> PositionText {
        let mut words = words.peekable();
        let startpos = words.next_if_eq(&"startpos").is_some();
        words.next_if_eq(&"fen");
        let mut fen = Vec::new();
        while let Some(word) = words.next_if(|&word| word != "moves") {
            fen.push(word);
        }
        let moves = words.skip(1).map(str::to_string).collect();
        PositionText { fen: (!startpos).then(|| fen.join(" ")), moves }
    }

    /// The position, and what is wrong with the first move that cannot be played, if there is one; it and all moves after
    /// it are dropped.
    ///
    /// # Errors
    /// What is wrong with the FEN.
    pub fn read(&self) -> Result<(Position, Option<PositionError>), PositionError> {
        let mut position = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen)?,
        };
        for (number, text) in self.moves.iter().enumerate() {
            match Move::from_uci(text) {
                Ok(mv) if position.board().is_legal(mv) => position.make(mv),
                _ => {
                    let text = text.chars().take(20).collect();
                    let error = PositionError::Move { number: number + 1, text, fen: position.to_fen() };
                    return Ok((position, Some(error)));
                }
            }
        }
        Ok((position, None))
    }
}

/// What is wrong with a position and its moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The FEN is not valid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is malformed or not legal.
    #[error("move {number} of the list: '{text}' is not legal in {fen}; it and the rest are ignored")]
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// The move as it was typed, cut to twenty characters.
        text: String,
        /// The position in which it was to be played.
        fen: String,
    },
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
        assert_eq!(parse("setoption"), Command::Unknown);
        assert_eq!(parse("setoption name"), set("name", None));
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
        assert_eq!(Command::parse(b"\xff\xfe\x00"), Command::Unknown);
    }

    #[test]
    fn moves_behind_an_illegal_one_are_dropped() {
        let text = PositionText { fen: None, moves: ["h2e2", "h9g7", "a0a9", "h0g2"].map(String::from).to_vec() };
        let (position, note) = text.read().unwrap();
        assert_eq!(position.plies(), 2);
        assert!(note.unwrap().to_string().starts_with("move 3 of the list: 'a0a9'"));
        assert!(PositionText { fen: Some("9/9".into()), moves: vec![] }.read().is_err());
    }
}
