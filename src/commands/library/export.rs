//! `chuhe library export`: writes games as records of any format.

use super::criteria::Criteria;
use crate::commands::Failure;
use crate::commands::files::{self, Force};
use crate::commands::output::note;
use crate::commands::progress::{self, Reading};
use crate::commands::record_output::{self, RecordOutput, RunFiles};
use crate::commands::values::{listed, one_of};
use crate::library::LibraryErrorKind;
use crate::notation::System;
use crate::records::{Format, Losses, TextEncoding};
use crate::types::counted;
use clap::Args;
use indicatif::ProgressBar;
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe library export -o all.pgn
  chuhe library export --red 'Hu Ronghua' --result 1-0 -o won.pgn --notation wxr";

/// Arguments of `chuhe library export`.
#[derive(Args, Debug)]
pub struct Export {
    #[command(flatten)]
    criteria: Criteria,
    /// File to write, - for standard output; a format with one game per file gives several files
    #[arg(short, long)]
    output: PathBuf,
    /// Format of the output, by name or extension (default: by extension, pgn for standard output)
    #[arg(long, value_parser = listed::<Format>(Format::ALL.into_iter().filter(|format| format.is_written()).map(Format::id)))]
    to_format: Option<Format>,
    /// Notation of the moves in PGN (default: chinese-simplified; in big5 chinese)
    #[arg(long, value_parser = one_of::<System>(System::all_of_pgn().map(System::id)))]
    notation: Option<System>,
    /// Encoding of text formats (default: utf-8; on Windows the code page)
    #[arg(long, value_parser = listed::<TextEncoding>(TextEncoding::NAMES))]
    encoding: Option<TextEncoding>,
    #[command(flatten)]
    force: Force,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        let is_stdout = files::is_standard_stream(&self.output);
        let format = record_output::format_of(&self.output, self.to_format)?;
        let options = record_output::options_of(&self.output, self.notation, self.encoding, None);
        if let Some(options) = record_output::without_effect(format, [self.notation.is_some(), self.encoding.is_some(), false]) {
            note(options);
        }
        let own = [self.criteria.library.path()?];
        if !is_stdout {
            files::check(&self.output, &own, self.force)?;
        }
        let (library, records) = self.criteria.records()?;
        if records.is_empty() {
            return Err(format!("{}: no game of the library matches, nothing is written", self.output.display()).into());
        }
        let files = RunFiles { inputs: own[0].canonicalize().into_iter().collect(), ..RunFiles::default() };
        let mut target = RecordOutput::new(&own, &files, &self.output, format, options, self.force);
        let mut losses = Losses::default();
        // A bar would clash with games on standard output.
        let bar = if is_stdout { ProgressBar::hidden() } else { progress::bar(records.len() as u64, "games") };
        let mut plies = 0;
        let mut failed = 0;
        let quiet = Reading::hidden();
        for &game in &records {
            let record = match library.record(game) {
                Ok(record) => record,
                // One damaged record must not keep the others from being saved.
                Err(error) if matches!(error.kind(), LibraryErrorKind::Damaged(_)) => {
                    failed += 1;
                    bar.suspend(|| note(&error));
                    bar.inc(1);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            // In a format with one game per file, each file after the first is named in a line.
            let mut add = || target.add(&record, &quiet);
            let added = if format.holds_many() { add() } else { bar.suspend(add) };
            match added? {
                Ok(lost) => {
                    losses.merge(lost);
                    plies += record.plies();
                }
                Err(error) => {
                    failed += 1;
                    bar.suspend(|| note(format_args!("game {game}: {error}")));
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        target.finish()?;
        if !losses.is_empty() {
            note(format_args!("{}: not carried over from the library: {losses}", self.output.display()));
        }
        record_output::print_summary(&self.output, records.len() - failed, plies)?;
        if failed > 0 { Err(format!("{} could not be written", counted(failed, "game")).into()) } else { Ok(()) }
    }
}
