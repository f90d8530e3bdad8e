//! `chuhe endgame probe`: the exact result of positions and of their moves.

use super::Folder;
use crate::board::{Board, FenError, Position};
use crate::commands::Failure;
use crate::commands::inputs::read_line;
use crate::commands::output::{Output, note};
use crate::commands::values::listed;
use crate::endgame::{Outcome, Tables};
use crate::notation::{self, System};
use crate::records::{Record, RecordError, decode, fen_list, is_utf16};
use crate::rules::NaturalLimit;
use crate::types::counted;
use clap::Args;
use serde::Serialize;
use std::io::{BufRead, Cursor, Read};

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe endgame probe --notation wxr '3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w'
  chuhe endgame probe --json - < positions.fen";

/// Arguments of `chuhe endgame probe`.
#[derive(Args, Debug)]
pub struct Probe {
    /// Positions, each optionally followed by `moves` and moves; - reads them from standard input, one per line
    #[arg(required = true, value_name = "FEN")]
    positions: Vec<String>,
    #[command(flatten)]
    folder: Folder,
    /// Notation of the moves
    #[arg(long, value_name = "SYS", default_value = "uci", value_parser = listed::<System>(System::ids()))]
    notation: System,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

/// A position, in JSON.
#[derive(Serialize)]
struct Probed {
    fen: String,
    #[serde(flatten)]
    outcome: OutcomeForm,
    moves: Vec<ProbedMove>,
}

/// A move: its result for the side that makes it, with the plies from before it.
#[derive(Serialize)]
struct ProbedMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    outcome: OutcomeForm,
}

/// An outcome, in JSON.
#[derive(Serialize)]
struct OutcomeForm {
    result: &'static str,
    plies: Option<u16>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_repetition: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_capture: Option<u16>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    beyond_limit: bool,
}

impl OutcomeForm {
    /// `clock` is that of the natural limit, in plies.
    fn of(outcome: Option<Outcome>, clock: u16) -> OutcomeForm {
        match outcome {
            Some(outcome) => {
                let Outcome { by_repetition, to_capture, .. } = outcome;
                let (result, plies) = (outcome.result.name(), outcome.distance());
                // Repetitions come too late when the limit has been reached.
                let is_late = by_repetition && NaturalLimit::STANDARD.is_reached(clock);
                let beyond_limit = is_late || outcome.is_beyond_limit(clock);
                OutcomeForm { result, plies, by_repetition, to_capture, beyond_limit }
            }
            None => OutcomeForm { result: "unknown", plies: None, by_repetition: false, to_capture: None, beyond_limit: false },
        }
    }

    /// The rank of a move among those of its position, best first. The tables rank moves without the clock, which can prevent the
    /// quickest win.
    fn rank(&self) -> u8 {
        match (self.result, self.beyond_limit) {
            ("win", false) => 0,
            ("win", true) => 1,
            ("draw", _) => 2,
            ("loss", true) => 4,
            ("loss", false) => 5,
            _ => 3,
        }
    }

    fn text(&self) -> String {
        match (self.plies, self.by_repetition) {
            (Some(plies), false) if self.beyond_limit => format!("{} in {plies}, beyond the natural limit", self.result),
            (Some(plies), false) => format!("{} in {plies}", self.result),
            (Some(plies), true) if self.beyond_limit => {
                format!("{} by repetition after {plies}, beyond the natural limit", self.result)
            }
            (Some(plies), true) => format!("{} by repetition after {plies}", self.result),
            (None, _) => self.result.to_string(),
        }
    }
}

/// An input that cannot be read, in JSON.
#[derive(Serialize)]
struct Unread {
    line: usize,
    error: String,
}

impl Probe {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tables = self.folder.open_lenient();
        let mut output = Output::streaming();
        let (mut all, mut faults) = (0, 0);
        for (number, text) in joined(&self.positions).into_iter().enumerate() {
            if text != "-" {
                all += 1;
                let position = match std::path::Path::new(&text).is_file() {
                    true => Err(format!(
                        "'{}' is a file, expected a position; - reads positions from standard input",
                        text.escape_debug()
                    )),
                    false => read(fen_list::read_line(text.as_bytes())),
                };
                faults +=
                    self.position(&tables, position, &format!("position {}", number + 1), number + 1, &mut output)? as usize;
                continue;
            }
            let failed = Failure::at::<std::io::Error>("standard input");
            let mut input: Box<dyn BufRead> = Box::new(std::io::stdin().lock());
            if is_utf16(input.fill_buf().map_err(&failed)?) {
                let mut bytes = Vec::new();
                input.read_to_end(&mut bytes).map_err(&failed)?;
                input = Box::new(Cursor::new(decode(&bytes).into_owned().into_bytes()));
            }
            let mut number = 0;
            while let Some(line) = read_line(&mut input).map_err(&failed)? {
                number += 1;
                // The bytes are decoded with the line, which may be in GBK.
                let record = fen_list::read_line(&line);
                if record.is_some() {
                    all += 1;
                    faults += self.position(&tables, read(record), &format!("line {number}"), number, &mut output)? as usize;
                }
            }
        }
        output.finish()?;
        if faults > 0 { Err(format!("{faults} of {} could not be read", counted(all, "position")).into()) } else { Ok(()) }
    }

    /// Answers for a position; whether it could not be read.
    fn position(
        &self,
        tables: &Tables,
        position: Result<Position, String>,
        place: &str,
        line: usize,
        output: &mut Output,
    ) -> Result<bool, Failure> {
        let position = match position {
            Ok(position) => position,
            Err(error) => {
                note(format_args!("{place}: {error}"));
                if self.json {
                    output.json(&Unread { line, error })?;
                }
                return Ok(true);
            }
        };
        let board = position.board();
        let mut outcome = OutcomeForm::of(tables.probe_or_bare(board), position.clock());
        let probed = tables.ranked_moves(board).into_iter();
        // Then the game is drawn, and a capture comes too late.
        let is_over = NaturalLimit::STANDARD.is_reached(position.clock());
        let mut moves: Vec<ProbedMove> = probed
            .map(|(mv, outcome)| {
                // The plies of a move count from before it, and a capture sets the clock back.
                let clock = if board.is_capture(mv) && !is_over { 0 } else { position.clock() };
                ProbedMove { mv: notation::write(self.notation, board, mv), outcome: OutcomeForm::of(outcome, clock) }
            })
            .collect();
        // Stable: moves of one rank stay in the order of the tables.
        moves.sort_by_key(|mv| mv.outcome.rank());
        // Not every table has the distance to the next capture, but a capture at once is seen in the moves.
        let is_saved =
            |mv: &ProbedMove| mv.outcome.result == outcome.result && !mv.outcome.beyond_limit && !mv.outcome.by_repetition;
        let is_in_time = match outcome.result {
            "win" => moves.iter().any(is_saved),
            _ => !moves.is_empty() && moves.iter().all(is_saved),
        };
        outcome.beyond_limit &= !is_in_time;
        if self.json {
            output.json(&Probed { fen: position.to_fen(), outcome, moves })?;
        } else {
            writeln!(output, "{}: {}", position.to_fen(), outcome.text())?;
            for mv in &moves {
                writeln!(output, "  {} {}", mv.mv, mv.outcome.text())?;
            }
        }
        Ok(false)
    }
}

/// The position of a line: a FEN, with the moves played from it and a title, as in the lists of other commands.
fn read(record: Option<Result<Record, RecordError>>) -> Result<Position, String> {
    let record = record.ok_or_else(|| FenError::Empty.to_string())?;
    let record = record.map_err(|error| error.inner().to_string())?;
    record.start.position().map_err(|error| FenError::from(error).to_string())?;
    // Text that is left out or corrected would give the answer for another position.
    if let Some(warning) = record.warnings().into_iter().next() {
        // The words after the last semicolon say how a record continues, but here nothing does.
        return Err(warning.rsplit_once("; ").map_or(warning.as_str(), |(fault, _)| fault).to_string());
    }
    let position = record.final_position().map_err(|error| error.to_string())?;
    // The pawns of composed diagrams can be on points for which there are no tables.
    Board::from_fen(&position.to_fen()).map_err(|error| error.to_string())?;
    Ok(position)
}

/// The positions among the arguments: the fields of one that was not quoted are put together. `-` is a field unless the position before it
/// was quoted, with a side to move, or has no side yet, and no other field follows.
fn joined(arguments: &[String]) -> Vec<String> {
    let mut positions: Vec<String> = Vec::new();
    let is_whole = |number: usize| {
        let before = &arguments[number - 1];
        before.contains('/') && arguments.get(number + 1).is_none_or(|next| next.contains('/'))
    };
    for (number, argument) in arguments.iter().enumerate() {
        match positions.last_mut() {
            Some(last) if last.contains('/') && !argument.contains('/') && !(argument == "-" && is_whole(number)) => {
                last.push(' ');
                last.push_str(argument);
            }
            _ => positions.push(argument.clone()),
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    #[test]
    fn unquoted_fields_and_standard_input_are_distinguished() {
        let joined = |text: &[&str]| super::joined(&text.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(joined(&["4k4/9", "w", "-", "-", "0", "1"]), ["4k4/9 w - - 0 1"]);
        assert_eq!(joined(&["4k4/9", "w", "-"]), ["4k4/9 w -"]);
        assert_eq!(joined(&["4k4/9 w", "-"]), ["4k4/9 w", "-"]);
        assert_eq!(joined(&["4k4/9 w", "-", "3k5/9 b"]), ["4k4/9 w", "-", "3k5/9 b"]);
        assert_eq!(joined(&["4k4/9 w", "-", "-", "0", "1"]), ["4k4/9 w - - 0 1"]);
        assert_eq!(joined(&["-", "4k4/9 w", "moves", "a0a1"]), ["-", "4k4/9 w moves a0a1"]);
    }
}
