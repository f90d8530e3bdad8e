//! What the command line says of an engine and of its time.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// UCI, also Fairy-Stockfish's.
    #[default]
    Uci,
    /// UCCI 3.0.
    Ucci,
}

/// How an engine counts ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// By its options: an engine whose default variant is another game counts from 1, all others from 0.
    #[default]
    Auto,
    /// 0 to 9, as ICCS does.
    FromZero,
    /// 1 to 10, as Fairy-Stockfish does.
    FromOne,
}

/// How long an engine may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A clock: time for the game or for a number of moves, and what each move adds.
    Clock {
        /// Time at the start, and added after `moves` moves.
        base: Duration,
        /// Added after each move.
        increment: Duration,
        /// Moves to a time control, none when the time is for the game.
        moves: Option<u32>,
    },
    /// Time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Plies.
    Depth(u32),
}

impl FromStr for TimeControl {
    type Err = String;

    /// `10+0.1`, `40/60+0.5` (seconds), `movetime:100` (ms), `nodes:10000`, `depth:8`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong =
            || format!("'{text}' is no time control, expected such as 10+0.1, 40/60, movetime:100, nodes:10000 or depth:8");
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
    /// The form that is read.
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

/// An engine as the command line names it: `cmd=fairy-stockfish,proto=uci,name=fairy,option.Threads=1`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Folder to start it in.
    pub folder: Option<PathBuf>,
    /// Name in the report; the engine's own when empty.
    pub name: String,
    /// Its protocol.
    pub protocol: Protocol,
    /// How it counts ranks.
    pub ranks: Ranks,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Its own time, where it differs from the other engine's.
    pub time: Option<TimeControl>,
}

impl FromStr for EngineSpec {
    type Err = String;

    /// Reads `key=value` pairs between commas; a comma or backslash within a value is written `\,` or `\\`. Blanks separate
    /// the program from its arguments.
    fn from_str(text: &str) -> Result<EngineSpec, String> {
        let mut spec = EngineSpec::default();
        for part in split_escaped(text) {
            let at = |error: String| format!("--engine: '{part}': {error}");
            let (key, value) = part.split_once('=').ok_or_else(|| at("expected key=value".into()))?;
            match key {
                "cmd" => {
                    let mut words = value.split_whitespace().map(str::to_string);
                    spec.command = words.next().unwrap_or_default();
                    spec.arguments = words.collect();
                }
                "dir" => spec.folder = Some(value.into()),
                "name" => spec.name = value.into(),
                "proto" => {
                    spec.protocol = match value {
                        "uci" => Protocol::Uci,
                        "ucci" => Protocol::Ucci,
                        _ => return Err(at("expected uci or ucci".into())),
                    }
                }
                "ranks" => {
                    spec.ranks = match value {
                        "auto" => Ranks::Auto,
                        "0" => Ranks::FromZero,
                        "1" => Ranks::FromOne,
                        _ => return Err(at("expected auto, 0 or 1, the number of Red's back rank".into())),
                    }
                }
                "tc" => spec.time = Some(value.parse().map_err(at)?),
                _ => match key.strip_prefix("option.") {
                    Some(name) if !name.is_empty() => spec.options.push((name.into(), value.into())),
                    _ => return Err(at("unknown key, expected cmd, dir, name, proto, ranks, tc or option.NAME".into())),
                },
            }
        }
        if spec.command.is_empty() {
            return Err(format!("--engine: '{text}' names no program, expected cmd=PROGRAM"));
        }
        Ok(spec)
    }
}

fn split_escaped(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = if letter == '\\' { letters.next_if(|&next| next == ',' || next == '\\') } else { None };
        match (letter, escaped, parts.last_mut()) {
            (',', None, _) => parts.push(String::new()),
            (letter, escaped, Some(part)) => part.push(escaped.unwrap_or(letter)),
            (_, _, None) => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
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
        assert_eq!((spec.protocol, spec.ranks, spec.name.as_str()), (Protocol::Ucci, Ranks::FromOne, "A,B"));
        let options: Vec<(&str, &str)> = spec.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("Move Overhead", "5"), ("f", "C:\\x")]);
        for bad in ["", "name=x", "cmd=x,proto=cecp", "cmd=x,foo", "cmd=x,foo=1", "cmd=x,tc=0"] {
            assert!(bad.parse::<EngineSpec>().unwrap_err().starts_with("--engine: "), "{bad}");
        }
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
