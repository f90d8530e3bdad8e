//! `chuhe book variety`: measures how varied the openings of games are.

use super::games;
use crate::commands::Failure;
use crate::commands::inputs::games_or_files;
use crate::commands::output::Output;
use crate::commands::progress::Reading;
use crate::records::Record;
use crate::types::Move;
use clap::Args;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe book variety games.pgn --plies 10";

/// Arguments of `chuhe book variety`.
#[derive(Args, Debug)]
pub struct Variety {
    /// Games of any known format, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Plies to compare
    #[arg(long, default_value_t = 10)]
    plies: usize,
}

impl Variety {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (mut count, mut faulty, mut first_fault) = (0u64, 0u64, None);
        let files = games::files(&self.files, &[], &mut |fault| {
            faulty += 1;
            first_fault.get_or_insert(fault);
        });
        let mut cut = games::Cut::default();
        // Games from different positions have different lines, even with the same moves.
        let mut lines: HashMap<(u64, Vec<Move>), u64> = HashMap::new();
        let mut positions = HashSet::new();
        let mut reading = Reading::of(files.iter().map(PathBuf::as_path));
        for path in &files {
            reading.begin(path);
            let mut number = 0;
            let mut take = |game: Result<Record, String>| {
                number += 1;
                let found = game.map_err(|error| format!("{}: {error}", path.display())).and_then(|record| {
                    cut.note(&record, path, number, self.plies);
                    games::start(&record, path, number).map(|board| (record, board))
                });
                let (record, mut board) = match found {
                    Ok(found) => found,
                    Err(fault) => {
                        faulty += 1;
                        first_fault.get_or_insert(fault);
                        return Ok(());
                    }
                };
                let line: Vec<Move> = record.moves().take(self.plies).collect();
                let start = board.key();
                for &mv in &line {
                    board = board.after(mv);
                    positions.insert(board.key().min(board.mirrored_key()));
                }
                count += 1;
                *lines.entry((start, line)).or_default() += 1;
                Ok(())
            };
            let reason = match games::read(path, &mut take, &reading)? {
                None if number == 0 => Some(format!("{}: no game in the file", path.display())),
                reason => reason,
            };
            if let Some(reason) = reason {
                faulty += 1;
                first_fault.get_or_insert(reason);
            }
        }
        cut.message().into_iter().for_each(|line| reading.note(line));
        reading.finish();
        let most = lines.values().max().copied().unwrap_or(0);
        let mut output = Output::new();
        writeln!(output, "games {count} lines {} positions {} most-frequent {most}", lines.len(), positions.len())?;
        output.finish()?;
        match first_fault {
            None => Ok(()),
            Some(fault) => Err(format!("{} could not be read, the first: {fault}", games_or_files(faulty)).into()),
        }
    }
}
