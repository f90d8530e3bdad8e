//! `chuhe genfens`: balanced random openings, with OpenBench's command syntax.

use super::Failure;
use super::inputs::read_openings;
use super::output::Output;
use super::progress;
use crate::arena::{Balance, Openings, RandomOpenings};
use crate::rules::Rules;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe genfens 8 seed 12345 book None
  chuhe \"genfens 8 seed 12345 book openings.epd\" quit     as OpenBench calls it";

/// Arguments of `chuhe genfens`.
#[derive(Args, Debug)]
pub struct GenFens {
    /// COUNT [seed S] [book FILE|None] [plies P] [balance CP] [nodes N] [quit]: print COUNT positions, each P random plies (default: 8; one
    /// more in every second position) after a position of the book (FENs, EPDs or games) or the start. A search of N nodes (5000) must score
    /// them within CP centipawns (80); if 200 attempts fail, the most balanced one is printed. The default seed is 0
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
}

/// A parsed `genfens` command.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Request {
    count: usize,
    seed: u64,
    book: Option<PathBuf>,
    plies: usize,
    balance: Balance,
}

impl Request {
    fn parse(words: &[String]) -> Result<Request, String> {
        let mut words = words.iter().map(String::as_str);
        let first = words.next().unwrap_or_default();
        let mut request = Request {
            count: number("COUNT", first, 1, 10_000_000)? as usize,
            seed: 0,
            book: None,
            plies: 8,
            balance: Balance { centipawns: 80, nodes: 5_000 },
        };
        while let Some(key) = words.next() {
            if key == "quit" {
                break;
            }
            let value = words.next().ok_or_else(|| format!("'{key}': expected a value after it"))?;
            match key {
                "seed" => request.seed = number(key, value, 0, u64::MAX)?,
                "book" => request.book = (!value.eq_ignore_ascii_case("none")).then(|| value.into()),
                "plies" => request.plies = number(key, value, 0, 100)? as usize,
                "balance" => request.balance.centipawns = number(key, value, 0, 100_000)? as i32,
                "nodes" => request.balance.nodes = number(key, value, 1, 1_000_000_000)?,
                _ => return Err(format!("'{key}': expected seed, book, plies, balance, nodes or quit")),
            }
        }
        Ok(request)
    }
}

fn number(key: &str, text: &str, min: u64, max: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("{key} '{text}': expected a whole number from {min} to {max}"))
}

impl GenFens {
    pub(super) fn run(self) -> Result<(), Failure> {
        let request = Request::parse(&self.words).map_err(|error| Failure::Usage(format!("genfens: {error}")))?;
        let starts = match &request.book {
            Some(path) => read_openings(path, None, &Rules::default()).map_err(|error| format!("genfens: {error}"))?,
            None => Vec::new(),
        };
        let random = RandomOpenings { seed: request.seed, plies: request.plies, balance: request.balance, starts: starts.into() };
        let openings = Arc::new(Openings::Random(random));
        // Flushed per line: frameworks give up on an engine that stays silent too long.
        let mut output = Output::streaming();
        let bar = progress::bar(request.count as u64, "positions");
        for number in 0..request.count {
            let fen = openings.get(number).to_fen();
            bar.inc(1);
            bar.suspend(|| writeln!(output, "info string genfens {fen}"))?;
        }
        bar.finish_and_clear();
        output.finish()
    }
}

/// Splits a first argument that contains an entire `genfens` command into its words.
pub fn split_command(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut split = Vec::new();
    for (index, argument) in arguments.enumerate() {
        match argument.to_str() {
            Some(text) if index == 1 && text.trim_start().starts_with("genfens ") => {
                split.extend(text.split_whitespace().map(OsString::from));
            }
            _ => split.push(argument),
        }
    }
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Request, String> {
        Request::parse(&text.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn requests() {
        let request = parse("8 seed 12345 book None quit").unwrap();
        assert_eq!((request.count, request.seed, &request.book), (8, 12345, &None));
        let request = parse("1 seed 18446744073709551615 book Books/x.epd plies 4 balance 50 nodes 100").unwrap();
        assert_eq!((request.seed, request.plies, request.balance.nodes), (u64::MAX, 4, 100));
        assert_eq!(request.book, Some("Books/x.epd".into()));
        for bad in ["", "x", "0", "8 seed", "8 seed -1", "8 sead 1", "8 plies 1000"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn one_argument_becomes_several() {
        let split = |arguments: &[&str]| split_command(arguments.iter().map(OsString::from));
        assert_eq!(
            split(&["chuhe", "genfens 8  seed 1 book None", "quit"]),
            ["chuhe", "genfens", "8", "seed", "1", "book", "None", "quit"]
        );
        assert_eq!(split(&["chuhe", "perft", "genfens 8"]), ["chuhe", "perft", "genfens 8"]);
    }
}
