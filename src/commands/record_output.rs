//! Files that commands write game records to.

use super::failure::{Failure, FileError};
use super::files::{self, Force, OutputFile, Sink};
use super::output::{Output, encoding_of_stdout};
use super::progress::Reading;
use crate::notation::System;
use crate::records::{self, Format, LineEnds, Losses, PgnOptions, Record, RecordError, RecordWriter, TextEncoding};
use crate::system::pgn_of_system;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The format of an output: the one asked for, else by extension, else PGN for standard output (`-`).
///
/// # Errors
/// When the extension names no format, or the path is a folder.
pub(super) fn format_of(path: &Path, asked: Option<Format>) -> Result<Format, Failure> {
    if !files::is_standard_stream(path) && path.is_dir() {
        return Err(FileError::IsFolder(path.to_path_buf()).into());
    }
    match asked.or_else(|| Format::of_path(path)) {
        Some(format) => Ok(format),
        None if files::is_standard_stream(path) => Ok(Format::Pgn),
        None => {
            let expected = format!("the extension names no format, expected {}, or --to-format", Format::written_ids());
            Err(Failure::at(path.display())(expected))
        }
    }
}

/// Checks that the name of a file for PGN is not that of another format, whose programs could not read it.
///
/// # Errors
/// If it is; wrong usage.
pub(super) fn check_pgn(path: &Path) -> Result<(), Failure> {
    match Format::of_path(path) {
        // A list of positions may have the extension .txt.
        None | Some(Format::Pgn | Format::Fen) => Ok(()),
        Some(format) => {
            Err(Failure::Usage(format!("--pgn {}: the extension is that of {format}, expected .pgn", path.display())))
        }
    }
}

/// The options of an output (`-` is standard output): those asked for, the others as usual on this system.
pub(super) fn options_of(
    path: &Path,
    notation: Option<System>,
    encoding: Option<TextEncoding>,
    line_ends: Option<LineEnds>,
) -> PgnOptions {
    let asked = encoding.unwrap_or_else(|| pgn_of_system().encoding);
    let usual = pgn_of_system().in_encoding(asked);
    PgnOptions {
        notation: notation.unwrap_or(usual.notation),
        encoding: if files::is_standard_stream(path) { encoding_of_stdout(asked) } else { asked },
        line_ends: line_ends.unwrap_or(usual.line_ends),
    }
}

/// The options for texts that are given but have no effect in a format, as a note: `given` stands for the notation, the encoding and the line ends.
pub(super) fn without_effect(format: Format, given: [bool; 3]) -> Option<String> {
    let has_notation = matches!(format, Format::Pgn | Format::Wxf);
    let is_text = has_notation || matches!(format, Format::DhtmlXq | Format::Fen);
    let options = [("--notation", has_notation), ("--encoding", is_text), ("--line-ends", is_text)];
    let idle = options.into_iter().zip(given).filter(|((_, has_effect), is_given)| *is_given && !has_effect);
    let names: Vec<&str> = idle.map(|((name, _), _)| name).collect();
    (!names.is_empty()).then(|| format!("{}: without effect in {format}", names.join(", ")))
}

/// Prints the last line of a command that has written records to `path`: on standard error if the records are on standard output.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn print_summary(path: &Path, games: usize, plies: usize) -> Result<(), Failure> {
    let summary = format!("games {games} plies {plies}");
    if files::is_standard_stream(path) {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{summary}\n").as_bytes());
        return Ok(());
    }
    let mut output = Output::new();
    writeln!(output, "{summary}")?;
    output.finish()
}

/// The path of a further game of a format with one game per file, `name-002.xqf`; the number is repeated as long as the path is taken.
fn numbered(path: &Path, number: usize, format: Format, taken: &HashSet<PathBuf>) -> PathBuf {
    let mut stem = path.file_stem().unwrap_or_default().to_os_string();
    loop {
        stem.push(format!("-{number:03}"));
        let mut name = stem.clone();
        name.push(format!(".{format}"));
        let numbered = path.with_file_name(name);
        if !taken.contains(&numbered) {
            return numbered;
        }
    }
}

/// Checks that the files of all games after the first may be written, for a format with one game per file.
///
/// # Errors
/// As [`files::check`], for the first file that may not.
pub(super) fn check_further(
    path: &Path,
    format: Format,
    games: usize,
    inputs: &[PathBuf],
    force: Force,
) -> Result<(), FileError> {
    let taken = HashSet::new();
    (2..=games).try_for_each(|number| files::check(&numbered(path, number, format, &taken), inputs, force))
}

/// The files of a conversion of a folder, none of which may be overwritten by another.
#[derive(Default)]
pub(super) struct RunFiles {
    /// Canonical paths of the inputs.
    pub(super) inputs: HashSet<PathBuf>,
    /// The first outputs of all inputs, unless the results are beside the inputs.
    pub(super) outputs: HashSet<PathBuf>,
}

/// The records written to one path. A file appears under its name only when it is complete.
pub(super) struct RecordOutput<'a> {
    inputs: &'a [PathBuf],
    files: &'a RunFiles,
    path: &'a Path,
    format: Format,
    options: PgnOptions,
    force: Force,
    /// Used for formats with several games per file.
    writer: RecordWriter,
    sink: Option<Sink>,
    games: usize,
}

impl<'a> RecordOutput<'a> {
    /// Nothing is written before the first game. No other file of the run is replaced.
    pub(super) fn new(
        inputs: &'a [PathBuf],
        files: &'a RunFiles,
        path: &'a Path,
        format: Format,
        options: PgnOptions,
        force: Force,
    ) -> RecordOutput<'a> {
        let writer = RecordWriter::new(format, options.clone());
        RecordOutput { inputs, files, path, format, options, force, writer, sink: None, games: 0 }
    }

    /// Writes the next game and returns what the format cannot represent, or the reason why this game alone cannot be written.
    ///
    /// # Errors
    /// When no game can be written.
    pub(super) fn add(&mut self, record: &Record, reading: &Reading) -> Result<Result<Losses, String>, Failure> {
        let (bytes, lost) = match self.encode(record) {
            Ok(encoded) => encoded,
            Err(error) => return Ok(Err(error.to_string())),
        };
        self.games += 1;
        let has_own_file = self.games > 1 && !self.format.holds_many();
        if !has_own_file {
            if self.sink.is_none() {
                self.sink = Some(Sink::open(self.path, self.inputs, self.force)?);
            }
            self.sink.as_mut().map_or(Ok(()), |sink| sink.bytes(&bytes))?;
            return Ok(Ok(lost));
        }
        if files::is_standard_stream(self.path) {
            return Err(format!("standard output: a file of {} holds one game, and there are more", self.format).into());
        }
        match self.write_own_file(&bytes, reading) {
            Err(failure @ Failure::Output(_)) => Err(failure),
            written => Ok(written.map(|()| lost).map_err(|failure| failure.to_string())),
        }
    }

    fn encode(&mut self, record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
        match self.format.holds_many() {
            true => self.writer.add(record),
            false => records::write(record, self.format, &self.options),
        }
    }

    /// Writes a further game of a format with one game per file to its own file: `name-002.xqf`.
    fn write_own_file(&self, bytes: &[u8], reading: &Reading) -> Result<(), Failure> {
        let path = numbered(self.path, self.games, self.format, &self.files.outputs);
        if path.canonicalize().is_ok_and(|path| self.files.inputs.contains(&path)) {
            return Err(FileError::IsInput(path).into());
        }
        OutputFile::write_whole(&path, bytes, self.inputs, self.force)?;
        reading.note(format_args!("{}: game {}; a file of {} holds one", path.display(), self.games, self.format));
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Some(mut sink) = self.sink else { return Ok(()) };
        sink.bytes(&self.writer.finish()?)?;
        sink.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_without_effect_are_named() {
        assert_eq!(without_effect(Format::Pgn, [true; 3]), None);
        assert_eq!(without_effect(Format::Xqf, [false; 3]), None);
        assert_eq!(without_effect(Format::DhtmlXq, [true; 3]).as_deref(), Some("--notation: without effect in ubb"));
        let all = "--notation, --encoding, --line-ends: without effect in xqf";
        assert_eq!(without_effect(Format::Xqf, [true; 3]).as_deref(), Some(all));
    }
}
