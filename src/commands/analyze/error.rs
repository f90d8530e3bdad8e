//! Why an analysis did not do all it was asked for.

use super::known::KnownProblem;
use crate::commands::Failure;
use std::io;
use std::path::PathBuf;

/// Why an analysis did not do all it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// Lines, games or files that could not be analysed; all others were.
    #[error("{faults} of {lines} inputs failed, the first: {first}")]
    Faults {
        /// How many.
        faults: usize,
        /// Lines written.
        lines: usize,
        /// The first, with its place.
        first: String,
    },
    /// The user has had enough, and the results are in a file.
    #[error("interrupted; {lines} lines are done, which --resume {} will skip{}", .path.display(), .report)]
    InterruptedFile {
        /// Lines written.
        lines: usize,
        /// What has become of the report, if there is to be one.
        report: &'static str,
        /// Where.
        path: PathBuf,
    },
    /// The user has had enough.
    #[error("interrupted; {0} lines are done; keep them in a file and continue after them with --resume FILE --force")]
    Interrupted(usize),
    /// A line of the file to continue in does not answer its line of the input.
    #[error("--resume {}: line {line}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: KnownProblem,
    },
    /// The file to continue in has lines that the input no longer has.
    #[error("--resume {}: holds more lines than the {lines} of the input: the input has changed", .path.display())]
    Leftover {
        /// The file.
        path: PathBuf,
        /// Those of the input.
        lines: usize,
    },
    /// What to continue in is a device or a pipe.
    #[error("--resume {}: is no ordinary file, expected one that can be read again", .path.display())]
    NoFile {
        /// Where.
        path: PathBuf,
    },
    /// Somebody's file lies where the settings go.
    #[error("--resume {}: {} is no file of settings and stays as it is, expected another name for --resume", .path.display(), .settings.display())]
    ForeignSettings {
        /// The file to continue in.
        path: PathBuf,
        /// What lies beside it.
        settings: PathBuf,
    },
    /// The file to continue in was begun otherwise.
    #[error("--resume {}: was begun with {begun}, expected the same settings or --force", .path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Its settings that differ, with the present ones.
        begun: String,
    },
    /// The file to continue in is none of this program's.
    #[error("--resume {}: holds something else than results, expected a file that --resume began or a new one", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file to continue in has no settings beside it.
    #[error("--resume {}: the settings that it was begun with are unknown, expected {} or --force", .path.display(), .settings.display())]
    UnknownSettings {
        /// The file.
        path: PathBuf,
        /// Where the settings should be.
        settings: PathBuf,
    },
    /// The file to continue in cannot be read or written.
    #[error("--resume {}: {source}", .path.display())]
    Resume {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl From<AnalyzeError> for Failure {
    fn from(error: AnalyzeError) -> Failure {
        Failure::Failed(error.to_string())
    }
}
