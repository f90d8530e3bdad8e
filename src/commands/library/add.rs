//! `chuhe library add`: adds the games of files and folders to the library.

use super::LibraryFile;
use crate::commands::Failure;
use crate::commands::files::is_standard_stream;
use crate::commands::inputs::{self, games_or_files};
use crate::commands::output::{MAX_NOTES, Output};
use crate::commands::progress::Reading;
use crate::commands::values::listed;
use crate::library::{AddEvent, AddOptions, Library};
use crate::records::{Format, InputEncoding};
use crate::types::counted;
use clap::Args;
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe library add games/ tournament.pgn
  chuhe library add games.pgn --library my.chuhe";

/// Arguments of `chuhe library add`.
#[derive(Args, Debug)]
pub struct Add {
    /// Files of any known format, folders, which are searched recursively, or - for standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    library: LibraryFile,
    /// Format of the files, by name or extension (default: by their content)
    #[arg(long, value_parser = listed::<Format>(Format::ids()))]
    from_format: Option<Format>,
    /// Text encoding, such as windows-1258 for XQF from Vietnam (default: detected; GBK in XQF)
    #[arg(long)]
    input_encoding: Option<InputEncoding>,
    /// Print every failure and warning, not just the first 20
    #[arg(long)]
    all_errors: bool,
    /// Print the counts as a JSON object
    #[arg(long)]
    json: bool,
}

impl Add {
    pub(super) fn run(self) -> Result<(), Failure> {
        let path = self.library.path()?;
        let mut files = Vec::new();
        let mut faults = Vec::new();
        for input in inputs::expand(&self.inputs, self.from_format.is_some(), &[&path]) {
            match input {
                Ok(path) => files.push(path),
                Err((path, reason)) => faults.push(format!("{}: {reason}", path.display())),
            }
        }
        let missing = faults.len() as u64;
        // A mistyped name creates no library.
        if !path.exists() && !files.iter().any(|path| is_standard_stream(path) || path.exists()) {
            faults.extend(files.iter().map(|path| format!("{}: no such file", path.display())));
            return Err(format!("{}; {} was not created", faults.join("; "), path.display()).into());
        }
        let mut library = Library::create_or_open(&path)?;
        let mut reading = Reading::of(files.iter().map(PathBuf::as_path));
        let shown = if self.all_errors { usize::MAX } else { MAX_NOTES };
        let (mut warnings, mut failed) = (0, faults.len());
        faults.iter().take(shown).for_each(|fault| reading.note(fault));
        let options = AddOptions { format: self.from_format, encoding: self.input_encoding };
        let mut added = library.add(&files, options, &mut |event| match event {
            AddEvent::File(path) => reading.begin(path),
            AddEvent::Share(share) => reading.share(share),
            AddEvent::Warning(text) => {
                warnings += 1;
                if warnings <= shown {
                    reading.note(text);
                }
            }
            AddEvent::Fault(text) => {
                failed += 1;
                if failed <= shown {
                    reading.note(text);
                }
            }
        })?;
        reading.finish();
        added.failed_files += missing;
        for (count, what) in [(warnings, "more warning"), (failed, "more failure")] {
            if count > shown {
                reading.note(format_args!("{}, which --all-errors prints", counted(count - shown, what)));
            }
        }
        let mut output = Output::new();
        if self.json {
            output.json(&added)?;
        } else {
            writeln!(output, "files {} known before {}", added.files, added.known_files)?;
            writeln!(output, "games {} variants {} duplicates {}", added.games, added.variants, added.duplicates)?;
        }
        output.finish()?;
        match added.failed_files + added.failed_games {
            0 => Ok(()),
            failed => Err(format!("{} could not be added", games_or_files(failed)).into()),
        }
    }
}
