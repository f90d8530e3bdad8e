//! Engine specifications and time controls of the command line.

use crate::protocol::Dialect;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The rank numbering of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// Detected from its options: ranks count from 1 if the default variant is another game, and otherwise from 0.
    #[default]
    Auto,
    /// 0 to 9, as in ICCS.
    FromZero,
    /// 1 to 10, as in Fairy-Stockfish.
    FromOne,
}

/// The time control of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A clock: time for the game or for a number of moves, with an increment per move.
    Clock {
        /// Time at the start, and added after `moves` moves.
        base: Duration,
        /// Increment per move.
        increment: Duration,
        /// Moves per time control; `None` if the time is for the entire game.
        moves: Option<u32>,
    },
    /// Time per move.
    MoveTime(Duration),
    /// Nodes per move.
    Nodes(u64),
    /// Depth in plies.
    Depth(u32),
}

impl TimeControl {
    /// Whether all of its times are multiples of a second.
    pub fn is_in_whole_seconds(self) -> bool {
        let is_whole = |time: Duration| time.subsec_nanos() == 0;
        match self {
            TimeControl::Clock { base, increment, .. } => is_whole(base) && is_whole(increment),
            TimeControl::MoveTime(time) => is_whole(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => true,
        }
    }
}

/// A text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a time control, expected a form like 10+0.1, 40/60, movetime:100, nodes:10000 or depth:8")]
pub struct TimeControlError(pub String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Parses `10+0.1`, `40/60+0.5` (seconds), `movetime:100` (ms), `nodes:10000` or `depth:8`.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let wrong = || TimeControlError(text.into());
        if let Some((kind, number)) = text.split_once(':') {
            let number: u64 = number.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
            return match kind {
                "movetime" => Ok(TimeControl::MoveTime(Duration::from_millis(number))),
                "nodes" => Ok(TimeControl::Nodes(number)),
                "depth" => Ok(TimeControl::Depth(number.min(1000) as u32)),
                _ => Err(wrong()),
            };
        }
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves: &u32| moves > 0).ok_or_else(wrong)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| -> Option<Duration> {
            let seconds: f64 = text.parse().ok()?;
            (0.0..=1e7).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        };
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() || !increment.is_zero() => {
                Ok(TimeControl::Clock { base, increment, moves })
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for TimeControl {
    /// The form accepted by `from_str`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock { base, increment, moves } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
            TimeControl::MoveTime(time) => write!(f, "movetime:{}", time.as_millis()),
            TimeControl::Nodes(nodes) => write!(f, "nodes:{nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth:{depth}"),
        }
    }
}

/// An engine as specified on the command line: `cmd=fairy-stockfish,proto=uci,name=fairy,option.Threads=1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Working directory.
    pub folder: Option<PathBuf>,
    /// Name in the report; if empty, the engine's own name.
    pub name: String,
    /// Its protocol.
    pub protocol: Dialect,
    /// Rank numbering.
    pub ranks: Ranks,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Time control, if different from that of the match.
    pub time: Option<TimeControl>,
}

impl Default for EngineSpec {
    fn default() -> EngineSpec {
        EngineSpec {
            command: String::new(),
            arguments: Vec::new(),
            folder: None,
            name: String::new(),
            protocol: Dialect::Uci,
            ranks: Ranks::default(),
            options: Vec::new(),
            time: None,
        }
    }
}

/// An error in an `--engine` or `--each` argument, or in another setting of a match.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// A part is not `key=value`.
    #[error("'{0}': expected key=value")]
    NoValue(String),
    /// A quotation mark is not closed, or text follows the closing one.
    #[error("'{0}': a quotation mark is not closed, or text follows the closing one")]
    Quotes(String),
    /// A key is not known.
    #[error("'{0}': unknown key, expected cmd, dir, name, proto, ranks, tc or option.NAME")]
    UnknownKey(String),
    /// A key does not accept this value.
    #[error("'{key}={value}': expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// Description of the valid values.
        expected: &'static str,
    },
    /// An invalid time control.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// No program is given.
    #[error("'{0}' names no program, expected cmd=PROGRAM")]
    NoProgram(String),
    /// A key that only makes sense for a single engine.
    #[error("'{0}' can't be the same for all engines")]
    NotForEach(&'static str),
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    /// Parses comma-separated `key=value` pairs. A value in single or double quotation marks may contain commas; in `cmd`, where blanks
    /// separate the program from its arguments, each word may be quoted. Within double quotes `\"` is a quotation mark; outside of quotes
    /// `\,` is a comma; `\\` is a backslash in both.
    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::default().with(text)
    }
}

impl EngineSpec {
    /// Parses settings common to all engines of a match, in the form of an engine without `cmd` and `name`.
    ///
    /// # Errors
    /// If the text is invalid.
    pub fn common(text: &str) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::default();
        spec.read(text)?;
        match &spec {
            EngineSpec { command, .. } if !command.is_empty() => Err(SpecError::NotForEach("cmd")),
            EngineSpec { name, .. } if !name.is_empty() => Err(SpecError::NotForEach("name")),
            _ => Ok(spec),
        }
    }

    /// Adds the settings of a single engine, which take precedence.
    ///
    /// # Errors
    /// If the text is invalid or no program is given.
    pub fn with(mut self, text: &str) -> Result<EngineSpec, SpecError> {
        self.read(text)?;
        if self.command.is_empty() { Err(SpecError::NoProgram(text.into())) } else { Ok(self) }
    }

    fn read(&mut self, text: &str) -> Result<(), SpecError> {
        for part in split_at_commas(text)? {
            let (key, value) = part.split_once('=').ok_or_else(|| SpecError::NoValue(part.clone()))?;
            let wrong = |key, expected| SpecError::Value { key, value: value.into(), expected };
            match key {
                "cmd" => (self.command, self.arguments) = read_command(value)?,
                "dir" => self.folder = Some(unquoted(value)?.into()),
                "name" => self.name = unquoted(value)?,
                "proto" => {
                    self.protocol = match value {
                        "uci" => Dialect::Uci,
                        "ucci" => Dialect::Ucci,
                        _ => return Err(wrong("proto", "uci or ucci")),
                    }
                }
                "ranks" => {
                    self.ranks = match value {
                        "auto" => Ranks::Auto,
                        "0" => Ranks::FromZero,
                        "1" => Ranks::FromOne,
                        _ => return Err(wrong("ranks", "auto, 0 or 1, the number of Red's back rank")),
                    }
                }
                "tc" => self.time = Some(value.parse()?),
                _ => match key.strip_prefix("option.") {
                    Some(name) if !name.is_empty() => {
                        // An engine's own value replaces the common one.
                        self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                        self.options.push((name.into(), unquoted(value)?));
                    }
                    _ => return Err(SpecError::UnknownKey(part.clone())),
                },
            }
        }
        Ok(())
    }

    /// The name to display until the engine has sent its own.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { &self.command } else { &self.name }
    }
}

/// Iterates over the characters of a text and classifies them by quoting. A quotation mark opens at the beginning of the text or after
/// one of the characters in `openers`.
struct Scan<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
    quote: Option<char>,
    may_open: bool,
    openers: &'static [char],
}

/// An item of [`Scan`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// A quoted or escaped character, and whether it was escaped with a backslash.
    Plain(char, bool),
    /// A character outside of quotation marks.
    Bare(char),
    /// An opening or closing quotation mark.
    Mark(char),
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, openers: &'static [char]) -> Scan<'a> {
        Scan { letters: text.chars().peekable(), quote: None, may_open: true, openers }
    }
}

impl Iterator for Scan<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let letter = self.letters.next()?;
        let may_open = std::mem::replace(&mut self.may_open, false);
        if letter == '\\' && self.quote != Some('\'') {
            let special: &[char] = if self.quote.is_some() { &['"', '\\'] } else { &[',', '\\'] };
            if let Some(next) = self.letters.next_if(|next| special.contains(next)) {
                return Some(Found::Plain(next, true));
            }
        }
        match self.quote {
            Some(quote) if letter == quote => {
                self.quote = None;
                Some(Found::Mark(letter))
            }
            Some(_) => Some(Found::Plain(letter, false)),
            None if may_open && matches!(letter, '"' | '\'') => {
                self.quote = Some(letter);
                Some(Found::Mark(letter))
            }
            None => {
                self.may_open = self.openers.contains(&letter);
                Some(Found::Bare(letter))
            }
        }
    }
}

/// Splits at commas, keeping quotation marks and backslashes except backslashes before commas.
fn split_at_commas(text: &str) -> Result<Vec<String>, SpecError> {
    let mut parts = vec![String::new()];
    let mut scan = Scan::new(text, &['=', ',', ' ', '\t']);
    for found in scan.by_ref() {
        if found == Found::Bare(',') {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            match found {
                Found::Plain(letter @ ('"' | '\\'), true) => part.extend(['\\', letter]),
                Found::Plain(letter, _) | Found::Bare(letter) | Found::Mark(letter) => part.push(letter),
            }
        }
    }
    if scan.quote.is_some() {
        return Err(SpecError::Quotes(text.into()));
    }
    parts.retain(|part| !part.is_empty());
    Ok(parts)
}

/// Removes the quotation marks of a value.
fn unquoted(value: &str) -> Result<String, SpecError> {
    let mut text = String::new();
    let mut closed = false;
    let mut scan = Scan::new(value, &[]);
    while let Some(found) = scan.next() {
        match found {
            _ if closed => return Err(SpecError::Quotes(value.into())),
            Found::Mark(_) => closed = scan.quote.is_none(),
            Found::Plain(letter, _) | Found::Bare(letter) => text.push(letter),
        }
    }
    if scan.quote.is_some() { Err(SpecError::Quotes(value.into())) } else { Ok(text) }
}

/// Parses a program and its arguments. If the entire value is the path of a file, it is the program, even with blanks.
fn read_command(value: &str) -> Result<(String, Vec<String>), SpecError> {
    if value.contains(' ') && Path::new(value).is_file() {
        return Ok((value.into(), Vec::new()));
    }
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    let mut scan = Scan::new(value, &[' ', '\t', '=']);
    for found in scan.by_ref() {
        let letter = match found {
            Found::Bare(' ' | '\t') => {
                in_word = false;
                continue;
            }
            Found::Mark(_) => None,
            Found::Plain(letter, _) | Found::Bare(letter) => Some(letter),
        };
        if !std::mem::replace(&mut in_word, true) {
            words.push(String::new());
        }
        if let (Some(word), Some(letter)) = (words.last_mut(), letter) {
            word.push(letter);
        }
    }
    if scan.quote.is_some() {
        return Err(SpecError::Quotes(value.into()));
    }
    let mut words = words.into_iter();
    Ok((words.next().unwrap_or_default(), words.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine() {
        let spec: EngineSpec =
            "cmd=/usr/games/x -a b,proto=ucci,name=A\\,B,ranks=1,tc=1+0.01,option.Move Overhead=5,option.f=C:\\x"
                .parse()
                .unwrap();
        assert_eq!((spec.command.as_str(), spec.arguments.len()), ("/usr/games/x", 2));
        assert_eq!((spec.protocol, spec.ranks, spec.name.as_str()), (Dialect::Ucci, Ranks::FromOne, "A,B"));
        let options: Vec<(&str, &str)> = spec.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("Move Overhead", "5"), ("f", "C:\\x")]);
        for bad in [
            "",
            "name=x",
            "cmd=x,proto=cecp",
            "cmd=x,foo",
            "cmd=x,foo=1",
            "cmd=x,tc=0",
            "cmd=\"x",
            "cmd=x,name=\"a\"b",
            "cmd=x,option.=1",
            "cmd=",
            "cmd=\"\"",
        ] {
            assert!(bad.parse::<EngineSpec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn quotes_keep_commas_and_blanks() {
        let spec = |text: &str| text.parse::<EngineSpec>().unwrap();
        let engine = spec(r#"cmd="/a path/x, y" -f "one, two" 'say "hi"',name="A, \"B\"",option.Path='C:\a b,c',dir="D:\\x y""#);
        assert_eq!(engine.command, "/a path/x, y");
        assert_eq!(engine.arguments, ["-f", "one, two", "say \"hi\""]);
        assert_eq!((engine.name.as_str(), engine.options[0].1.as_str()), ("A, \"B\"", "C:\\a b,c"));
        assert_eq!(engine.folder, Some(PathBuf::from("D:\\x y")));
        // Quotation marks within a word are ordinary characters.
        assert_eq!(spec("cmd=x,name=O'Brien's").name, "O'Brien's");
        assert_eq!(spec("cmd=x --file=\"a b\" \"\"").arguments, ["--file=a b", ""]);
        assert_eq!(spec("cmd=C:\\dir\\x.exe").command, "C:\\dir\\x.exe");
    }

    #[test]
    fn a_path_with_blanks_is_one_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my engine");
        std::fs::write(&path, "").unwrap();
        let spec: EngineSpec = format!("cmd={}", path.display()).parse().unwrap();
        assert_eq!((Path::new(&spec.command), spec.arguments.len()), (path.as_path(), 0));
    }

    #[test]
    fn common_settings_of_engines() {
        let common = EngineSpec::common("proto=ucci,tc=5+0,option.Hash=16,option.Threads=1").unwrap();
        let spec = common.clone().with("cmd=x,option.hash=32").unwrap();
        assert_eq!((spec.protocol, spec.time), (Dialect::Ucci, Some("5+0".parse().unwrap())));
        let options: Vec<(&str, &str)> = spec.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("Threads", "1"), ("hash", "32")]);
        assert_eq!(EngineSpec::common("cmd=x"), Err(SpecError::NotForEach("cmd")));
        assert_eq!(EngineSpec::common("name=x"), Err(SpecError::NotForEach("name")));
        assert_eq!(common.with("name=y"), Err(SpecError::NoProgram("name=y".into())));
    }

    #[test]
    fn times_in_whole_seconds() {
        let is_whole = |text: &str| text.parse::<TimeControl>().unwrap().is_in_whole_seconds();
        assert!(["60", "40/60+1", "0+1", "movetime:2000", "nodes:1", "depth:1"].into_iter().all(is_whole));
        assert!(!["1+0.01", "0.5", "40/60.5", "movetime:2500", "movetime:1"].into_iter().any(is_whole));
    }

    #[test]
    fn time_controls_round_trip() {
        for text in ["10+0.1", "40/60+0.5", "movetime:100", "nodes:10000", "depth:8", "0+1", "5+0"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("5".parse::<TimeControl>().unwrap().to_string(), "5+0");
        for bad in ["", "x", "0", "-1+1", "0/5", "nodes:0", "nodes:x", "fast:1", "1e300", "nan"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }
}
