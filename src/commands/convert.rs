//! `chuhe convert`: game records from one format into another.

use crate::notation::System;
use crate::records::{self, Format, Losses, PgnOptions, Records, TextEncoding};
use clap::Args;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Notations that the reader of PGN knows, so that what is written can be read again.
const NOTATIONS: [System; 8] = [
    System::Iccs,
    System::Uci,
    System::Uci10,
    System::Wxf,
    System::Wxr,
    System::Tandem,
    System::Chinese,
    System::ChineseSimplified,
];

/// Arguments of `chuhe convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// File to read, `-` for standard input, or a folder, which is searched with its subfolders
    input: PathBuf,
    /// File to write, `-` for standard output; a folder when the input is one
    output: PathBuf,
    /// Notation of the moves in PGN: iccs, uci, uci10, wxf, wxr, tandem, chinese or chinese-simplified
    #[arg(long, default_value = "chinese-simplified")]
    notation: System,
    /// Encoding of text formats: utf-8, gbk or big5
    #[arg(long, default_value = "utf-8")]
    encoding: TextEncoding,
    /// Format of the input: pgn, xqf, cbr, cbl, cbf, ubb or fen (default: by the file's mark or extension)
    #[arg(long)]
    from_format: Option<Format>,
    /// Format of the output: pgn, xqf, ubb or fen (default: by extension, pgn for standard output and folders)
    #[arg(long)]
    to_format: Option<Format>,
}

/// What has been done so far.
#[derive(Default)]
struct Totals {
    games: usize,
    plies: usize,
    failed: usize,
    /// The first failure, told last.
    first_fault: Option<String>,
}

/// Failures that are printed; a large file of the wrong kind has thousands.
const FAULTS_SHOWN: usize = 20;

impl Totals {
    fn fail(&mut self, fault: String) {
        self.failed += 1;
        if self.first_fault.is_none() {
            self.first_fault = Some(fault);
        } else if self.failed <= FAULTS_SHOWN {
            eprintln!("chuhe: {fault}");
        }
    }
}

impl Convert {
    pub(super) fn run(self) -> Result<(), String> {
        if !NOTATIONS.contains(&self.notation) {
            let names: Vec<String> = NOTATIONS.iter().map(|system| system.to_string()).collect();
            return Err(format!("--notation {}: cannot be read back from PGN, expected {}", self.notation, names.join(", ")));
        }
        let mut totals = Totals::default();
        if self.input.is_dir() {
            self.folder(&mut totals)?;
        } else {
            let to = self.to_format.or_else(|| Format::of_path(&self.output));
            let to = match to {
                Some(format) => format,
                None if self.output.as_os_str() == "-" => Format::Pgn,
                None => {
                    return Err(format!(
                        "{}: the extension names no format, expected pgn, xqf, ubb or fen, or --to-format",
                        self.output.display()
                    ));
                }
            };
            self.file(&self.input, &self.output, to, &mut totals)?;
        }
        let summary = format!("games {} plies {}", totals.games, totals.plies);
        // Standard output may be the converted games themselves.
        if self.output.as_os_str() == "-" {
            eprintln!("{summary}")
        } else {
            println!("{summary}")
        }
        match (totals.first_fault, totals.failed) {
            (None, _) => Ok(()),
            (Some(fault), 1) => Err(fault),
            (Some(fault), failed) => Err(format!("{failed} games or files could not be converted, the first: {fault}")),
        }
    }

    /// Converts every record file below a folder into the same place below the output folder.
    fn folder(&self, totals: &mut Totals) -> Result<(), String> {
        let to = self.to_format.unwrap_or(Format::Pgn);
        let mut folders = vec![PathBuf::new()];
        while let Some(inner) = folders.pop() {
            let folder = self.input.join(&inner);
            let at = |error: io::Error| format!("{}: {error}", folder.display());
            let mut entries: Vec<_> = fs::read_dir(&folder).map_err(at)?.collect::<Result<_, _>>().map_err(at)?;
            entries.sort_by_key(|entry| entry.file_name());
            for entry in entries {
                let path = inner.join(entry.file_name());
                // Links are not followed: they can lead in circles.
                let kind = entry.file_type().map_err(at)?;
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() && (self.from_format.is_some() || Format::of_path(&path).is_some()) {
                    // The old extension stays in the name: folders hold the same game in several formats.
                    let target = self.output.join(format!("{}.{}", path.display(), to.extension()));
                    if let Some(parent) = target.parent() {
                        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
                    }
                    if let Err(error) = self.file(&self.input.join(&path), &target, to, totals) {
                        totals.fail(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// Converts one file.
    fn file(&self, input: &Path, output: &Path, to: Format, totals: &mut Totals) -> Result<(), String> {
        let options = PgnOptions { notation: self.notation, encoding: self.encoding };
        let games = Records::open(input, self.from_format).map_err(|error| error.to_string())?;
        let mut target = Target::new(output, to);
        let mut losses = Losses::default();
        for (index, game) in games.enumerate() {
            let place = format!("{}: game {}", input.display(), index + 1);
            let written = game.map_err(|error| format!("{}: {error}", input.display())).and_then(|record| {
                record.warnings().iter().for_each(|warning| eprintln!("chuhe: {place}: {warning}"));
                let written = records::write(&record, to, &options).map_err(|error| format!("{place}: {error}"))?;
                Ok((record.plies(), written))
            });
            match written {
                Ok((plies, (bytes, lost))) => {
                    target.put(&bytes)?;
                    losses.merge(lost);
                    totals.games += 1;
                    totals.plies += plies;
                }
                Err(error) => totals.fail(error),
            }
        }
        target.finish()?;
        if !losses.is_empty() {
            eprintln!("chuhe: {}: not carried over from {}: {losses}", output.display(), input.display());
        }
        Ok(())
    }
}

/// Where converted games go. A file appears under its name only when it is whole.
struct Target<'a> {
    path: &'a Path,
    format: Format,
    writer: Option<BufWriter<Box<dyn Write>>>,
    games: usize,
}

impl Target<'_> {
    fn new(path: &Path, format: Format) -> Target<'_> {
        Target { path, format, writer: None, games: 0 }
    }

    fn is_stdout(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn fault(&self) -> impl Fn(io::Error) -> String + use<> {
        let path = self.path.display().to_string();
        move |error| format!("{path}: {error}")
    }

    fn partial(&self) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(".part");
        name.into()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.games += 1;
        if self.games > 1 && !self.format.holds_many() {
            return self.put_beside(bytes);
        }
        if self.writer.is_none() {
            let sink: Box<dyn Write> = if self.is_stdout() {
                Box::new(io::stdout().lock())
            } else {
                Box::new(fs::File::create(self.partial()).map_err(self.fault())?)
            };
            self.writer = Some(BufWriter::new(sink));
        }
        let fault = self.fault();
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.games > 1 && self.format == Format::Pgn {
            writer.write_all(b"\n").map_err(&fault)?;
        }
        writer.write_all(bytes).map_err(&fault)
    }

    /// A further game of a format that holds one a file: `name-002.xqf`.
    fn put_beside(&self, bytes: &[u8]) -> Result<(), String> {
        if self.is_stdout() {
            return Err(format!("standard output: a file of {} holds one game, and there are more", self.format));
        }
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let path = self.path.with_file_name(format!("{stem}-{:03}.{}", self.games, self.format));
        eprintln!("chuhe: {}: a file of {} holds one game; game {} is written here", path.display(), self.format, self.games);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn finish(self) -> Result<(), String> {
        let (fault, partial, is_stdout) = (self.fault(), self.partial(), self.is_stdout());
        let Some(mut writer) = self.writer else { return Ok(()) };
        writer.flush().map_err(&fault)?;
        drop(writer);
        if is_stdout { Ok(()) } else { fs::rename(partial, self.path).map_err(fault) }
    }
}
