//! Games between the two parameter sets of a trial, played by `chuhe match`.

use crate::at;
use anyhow::anyhow;
use std::path::PathBuf;
use std::process::Command;

/// Plays the games of a trial.
pub trait Runner {
    /// Plays between two sets of parameters from openings of this seed, which grows by one with every trial, and returns the games won, drawn and lost by the first.
    ///
    /// # Errors
    /// One line that describes the failure.
    fn play(&self, upper: &[(String, i32)], lower: &[(String, i32)], seed: u64) -> anyhow::Result<[u64; 3]>;
}

/// Runs `chuhe match`.
#[derive(Clone, Debug)]
pub struct MatchRunner {
    /// The program with the `match` command.
    pub program: PathBuf,
    /// The engine, built with the feature `tuning`.
    pub engine: PathBuf,
    /// Games of a trial, an even number.
    pub games: u32,
    /// Games played in parallel.
    pub concurrency: u16,
    /// More arguments for the match: time control, adjudication.
    pub arguments: Vec<String>,
}

/// An engine with its options in the syntax of `chuhe match`; commas in the path are escaped.
fn specification(engine: &str, name: &str, values: &[(String, i32)]) -> String {
    let mut text = format!("cmd={},name={name}", engine.replace('\\', "\\\\").replace(',', "\\,"));
    values.iter().for_each(|(name, value)| text.push_str(&format!(",option.{name}={value}")));
    text
}

/// The games in the last line of a match: `score W-D-L elo ...`.
fn games(output: &str) -> Option<[u64; 3]> {
    let line = output.lines().rev().find(|line| !line.trim().is_empty())?;
    let mut numbers = line.strip_prefix("score ")?.split(' ').next()?.split('-').map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    Some([next()?, next()?, next()?])
}

/// The line of an error output that says what is wrong: with wrong arguments the first one, after which come usage and hints, otherwise the last.
fn fault(errors: &str) -> &str {
    let mut lines = errors.lines().filter(|line| !line.trim().is_empty());
    lines.clone().find(|line| line.starts_with("error: ")).or_else(|| lines.next_back()).unwrap_or("no message")
}

impl Runner for MatchRunner {
    fn play(&self, upper: &[(String, i32)], lower: &[(String, i32)], seed: u64) -> anyhow::Result<[u64; 3]> {
        let engine = self.engine.to_string_lossy();
        // A seed is only for random openings. Without the other option every trial would be played from the first openings of the file.
        let is_random = !self.arguments.iter().any(|argument| argument.split('=').next() == Some("--openings"));
        let first = seed.wrapping_mul(u64::from(self.games / 2)).saturating_add(1);
        let openings =
            if is_random { ["--seed".to_string(), seed.to_string()] } else { ["--first-opening".to_string(), first.to_string()] };
        let output = Command::new(&self.program)
            .arg("match")
            .args(["--engine", &specification(&engine, "upper", upper)])
            .args(["--engine", &specification(&engine, "lower", lower)])
            .args(["--games", &self.games.to_string()])
            .args(["--concurrency", &self.concurrency.to_string()])
            .args(&openings)
            .args(&self.arguments)
            .output()
            .map_err(at(&self.program))?;
        let failed = |message: String| anyhow!("{} match: {message}", self.program.display());
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(failed(fault(&errors).into()));
        }
        games(&text)
            .ok_or_else(|| failed(format!("last line '{}', expected 'score W-D-L ...'", text.lines().last().unwrap_or(""))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_match_is_read() {
        assert_eq!(games("game 1\nscore 80-60-61 elo 34.9 +/- 20.1 los 0.983\n\n"), Some([80, 60, 61]));
        assert_eq!(games("score 80-60\n"), None);
        assert_eq!(games(""), None);
    }

    #[test]
    fn the_line_that_says_what_is_wrong_is_found() {
        let wrong = "error: unexpected argument '--node' found\n\nUsage: chuhe match\n\nFor more information, try '--help'.\n";
        assert_eq!(fault(wrong), "error: unexpected argument '--node' found");
        assert_eq!(fault("a warning\nchuhe: engine 'upper': no option 'x'\n\n"), "chuhe: engine 'upper': no option 'x'");
        assert_eq!(fault(""), "no message");
    }

    #[test]
    fn engines_are_named_with_their_options() {
        let values = [("a".to_string(), 3), ("b".to_string(), -1)];
        assert_eq!(specification("/x,y/chuhe", "upper", &values), "cmd=/x\\,y/chuhe,name=upper,option.a=3,option.b=-1");
    }
}
