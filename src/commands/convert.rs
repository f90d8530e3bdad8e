//! `chuhe convert`: converts game records between formats.

use super::failure::{Failure, FileError};
use super::files::{self, Force};
use super::inputs;
use super::output::MAX_NOTES;
use super::progress::Reading;
use super::record_output::{self, RecordOutput, RunFiles};
use super::values::{listed, one_of};
use crate::notation::System;
use crate::records::{Format, InputEncoding, LineEnds, Losses, Records, TextEncoding};
use crate::system::is_same_file;
use crate::types::counted;
use clap::Args;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe convert game.xqf game.pgn
  chuhe convert game.xqf for-windows.pgn --encoding gbk
  chuhe convert game.xqf - --notation wxr
  chuhe convert van-co.xqf game.pgn --input-encoding windows-1258
  chuhe convert old-games/ pgn-games/ --encoding gbk";

/// Arguments of `chuhe convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// File to read, `-` for standard input, or a folder, which is searched recursively
    input: PathBuf,
    /// File to write, `-` for standard output; a folder when the input is one
    output: PathBuf,
    /// Notation of the moves in PGN (default: chinese-simplified; in Big5, which lacks its characters, chinese). With gbk or big5, a
    /// game with a move that XiangQi Wizard would misread is written in coordinates
    #[arg(long, value_parser = one_of::<System>(System::all_of_pgn().map(System::id)))]
    notation: Option<System>,
    /// Encoding of text formats: gbk or big5 for Windows programs, or utf-8 (default: utf-8; on Windows the code page)
    #[arg(long, value_parser = listed::<TextEncoding>(TextEncoding::NAMES))]
    encoding: Option<TextEncoding>,
    /// Line endings of text formats (default: crlf in gbk and big5 and on Windows, else lf)
    #[arg(long, value_parser = one_of::<LineEnds>(LineEnds::NAMES))]
    line_ends: Option<LineEnds>,
    /// Format of the input, by name or extension (default: by the file's content)
    #[arg(long, value_parser = listed::<Format>(Format::ids()))]
    from_format: Option<Format>,
    /// Text encoding of the input, such as windows-1258 for XQF from Vietnam (default: detected; GBK in XQF)
    #[arg(long)]
    input_encoding: Option<InputEncoding>,
    /// Format of the output, by name or extension (default: by extension, pgn for standard output and folders)
    #[arg(long, value_parser = listed::<Format>(Format::ALL.into_iter().filter(|format| format.is_written()).map(Format::id)))]
    to_format: Option<Format>,
    /// Print every failure, not just the first 20
    #[arg(long)]
    all_errors: bool,
    #[command(flatten)]
    force: Force,
}

/// Counts for the summary, and the first error.
struct Totals {
    reading: Reading,
    games: usize,
    plies: usize,
    failed: usize,
    /// The first failure, which becomes the error of the command.
    first_fault: Option<String>,
    /// Maximum number of failures to print.
    shown: usize,
}

impl Totals {
    fn new(reading: Reading, shown: usize) -> Totals {
        Totals { reading, games: 0, plies: 0, failed: 0, first_fault: None, shown }
    }

    fn fail(&mut self, fault: String) {
        self.failed += 1;
        if self.first_fault.is_none() {
            self.first_fault = Some(fault);
        } else if self.failed <= self.shown {
            self.reading.note(fault);
        }
    }
}

impl Convert {
    pub(super) fn run(self) -> Result<(), Failure> {
        // A bar would clash with converted games on standard output.
        let reading = match files::is_standard_stream(&self.output) {
            true => Reading::hidden(),
            false => Reading::of([&*self.input]),
        };
        let mut totals = Totals::new(reading, if self.all_errors { usize::MAX } else { MAX_NOTES });
        if !files::is_standard_stream(&self.input) && self.input.is_dir() {
            self.folder(&mut totals)?;
        } else {
            let to = record_output::format_of(&self.output, self.to_format)?;
            self.note_options(to, &totals);
            totals.reading.begin(&self.input);
            self.file(&self.input, &self.output, to, &RunFiles::default(), &mut totals)?;
        }
        totals.reading.finish();
        if totals.failed > totals.shown {
            totals
                .reading
                .note(format_args!("{}, which --all-errors prints", counted(totals.failed - totals.shown, "more failure")));
        }
        record_output::print_summary(&self.output, totals.games, totals.plies)?;
        match (totals.first_fault, totals.failed) {
            (None, _) => Ok(()),
            (Some(fault), 1) => Err(fault.into()),
            (Some(fault), failed) => Err(format!("{failed} games or files could not be converted, the first: {fault}").into()),
        }
    }

    /// Names the options that have no effect in the format of the output.
    fn note_options(&self, to: Format, totals: &Totals) {
        let given = [self.notation.is_some(), self.encoding.is_some(), self.line_ends.is_some()];
        if let Some(options) = record_output::without_effect(to, given) {
            totals.reading.note(options);
        }
    }

    /// The record files below the input folder, as relative paths.
    fn paths(&self, totals: &mut Totals) -> Vec<PathBuf> {
        let is_inside = !is_same_file(&self.input, &self.output);
        let is_output = |path: &Path| is_inside && is_same_file(path, &self.output);
        let mut paths = Vec::new();
        for file in inputs::records_in(&self.input, self.from_format.is_some(), is_output) {
            match file {
                Ok(path) => paths.extend(path.strip_prefix(&self.input).map(Path::to_path_buf)),
                Err((path, reason)) => totals.fail(format!("{}: {reason}", path.display())),
            }
        }
        paths
    }

    /// Converts every record file below a folder to the same relative path below the output folder. The files are listed before the first
    /// is written, and an output folder inside the input is skipped, so that results are not converted again.
    fn folder(&self, totals: &mut Totals) -> Result<(), Failure> {
        let to = self.to_format.unwrap_or(Format::Pgn);
        if files::is_standard_stream(&self.output) {
            return Err("-: standard output, expected a folder because the input is a folder".into());
        }
        if self.output.exists() && !self.output.is_dir() {
            return Err(Failure::at(self.output.display())("not a folder, expected one because the input is a folder"));
        }
        // `convert FOLDER all.cbl` is meant to write one file; it would create a folder named all.cbl.
        let is_folder = self.output.exists() || self.output.to_string_lossy().ends_with(std::path::is_separator);
        if let Some(format) = Format::of_path(&self.output).filter(|_| !is_folder) {
            let expected = format!(
                "named like a file of {format}, expected a folder because the input is a folder; chuhe library joins games in one file"
            );
            return Err(Failure::at(self.output.display())(expected));
        }
        self.note_options(to, totals);
        let paths = self.paths(totals);
        let all: Vec<PathBuf> = paths.iter().map(|path| self.input.join(path)).collect();
        totals.reading = Reading::of(all.iter().map(PathBuf::as_path));
        let targets: Vec<PathBuf> = self.target_names(&paths, to).into_iter().map(|name| self.output.join(name)).collect();
        let inputs = all.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let outputs = targets.iter().filter(|_| !is_same_file(&self.input, &self.output)).cloned().collect();
        let files = RunFiles { inputs, outputs };
        let mut kept = 0;
        for (target, source) in targets.into_iter().zip(&all) {
            totals.reading.begin(source);
            if let Ok(taken) = target.canonicalize().and_then(|target| Ok((target, source.canonicalize()?)))
                && files.inputs.contains(&taken.0)
            {
                // When a folder is converted into itself, files already in the target format are kept.
                match taken.0 == taken.1 {
                    true => kept += 1,
                    false => totals.fail(FileError::IsInput(target).to_string()),
                }
                continue;
            }
            if let Some(parent) = target.parent()
                && let Err(error) = fs::create_dir_all(parent)
            {
                totals.fail(format!("{}: {error}", parent.display()));
                continue;
            }
            match self.file(source, &target, to, &files, totals) {
                Ok(()) => {}
                Err(failure @ Failure::Output(_)) => return Err(failure),
                Err(failure) => totals.fail(failure.to_string()),
            }
        }
        if kept > 0 {
            totals.reading.note(format_args!("{}: files already in format {to}, left unchanged: {kept}", self.output.display()));
        }
        Ok(())
    }

    /// The target of each file of a folder. Files whose target names would collide get longer names.
    fn target_names(&self, paths: &[PathBuf], to: Format) -> Vec<PathBuf> {
        let sources: HashSet<&PathBuf> = paths.iter().collect();
        // The results of an earlier conversion of a folder into itself are among its files, and are not converted under other names.
        let is_elsewhere = !is_same_file(&self.input, &self.output);
        let mut taken = HashSet::new();
        let target = |path: &PathBuf| {
            let mut name = target_name(path, to);
            if name != *path && (sources.contains(&name) || taken.contains(&name)) {
                name = with_extension(path, to);
            }
            while name != *path && (is_elsewhere && sources.contains(&name) || taken.contains(&name)) {
                name = with_extension(&name, to);
            }
            taken.insert(name.clone());
            name
        };
        paths.iter().map(target).collect()
    }

    /// Converts one of the sources.
    fn file(&self, input: &Path, output: &Path, to: Format, files: &RunFiles, totals: &mut Totals) -> Result<(), Failure> {
        let options = record_output::options_of(output, self.notation, self.encoding, self.line_ends);
        let inputs = [input.to_path_buf()];
        if output.as_os_str() != "-" {
            files::check(output, &inputs, self.force)?;
        }
        let mut games = Records::open_in(input, self.from_format, self.input_encoding)?;
        let mut target = RecordOutput::new(&inputs, files, output, to, options, self.force);
        let mut losses = Losses::default();
        let mut number = 0;
        while let Some(game) = games.next() {
            number += 1;
            let place = match games.line() {
                Some(line) => format!("{}: line {line}", input.display()),
                None => format!("{}: game {number}", input.display()),
            };
            totals.reading.share(games.share_read());
            let record = match game {
                Ok(record) => record,
                Err(error) => {
                    totals.fail(format!("{}: {error}", input.display()));
                    continue;
                }
            };
            record.warnings().iter().for_each(|warning| totals.reading.note(format_args!("{place}: {warning}")));
            match target.add(&record, &totals.reading)? {
                Ok(lost) => {
                    losses.merge(lost);
                    totals.games += 1;
                    totals.plies += record.plies();
                }
                Err(error) => totals.fail(format!("{place}: {error}")),
            }
        }
        if number == 0 {
            totals.fail(format!("{}: no game in the file", input.display()));
        }
        target.finish()?;
        if !losses.is_empty() {
            totals.reading.note(format_args!("{}: not carried over from {}: {losses}", output.display(), input.display()));
        }
        Ok(())
    }
}

/// The target name for a file in a folder. The new extension is appended to the old one, because folders contain the same game in several
/// formats; but a file that has the new extension keeps its name, and `x.xqf.pgn`, itself a conversion, becomes `x.xqf` again.
fn target_name(path: &Path, to: Format) -> PathBuf {
    let has_it = |path: &Path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(to.extension()));
    if has_it(path) {
        return path.to_path_buf();
    }
    let before = path.with_extension("");
    if Format::of_path(path).is_some() && has_it(&before) { before } else { with_extension(path, to) }
}

/// Appends the format's extension to the name.
fn with_extension(path: &Path, to: Format) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(to.extension());
    name.into()
}
