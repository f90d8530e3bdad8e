//! Errors of `chuhe analyze`.

use super::earlier::Mismatch;
use crate::commands::Failure;
use crate::types::counted;
use std::io;
use std::path::PathBuf;

/// The reason an analysis failed or is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// Some lines, games or files could not be analysed; all others were.
    #[error("{faults} of {} failed, the first: {first}", counted(*inputs, "input"))]
    Faults {
        /// Number of failed inputs.
        faults: usize,
        /// Positions, and the lines, games and files that failed.
        inputs: usize,
        /// The first failure, with its place.
        first: String,
    },
    /// Interrupted by the user, with the results in a file.
    #[error("interrupted after {}, which --resume {} will skip{}", counted(*lines, "line"), .path.display(), .report)]
    InterruptedFile {
        /// Lines written.
        lines: usize,
        /// Remark about the report, if one was requested.
        report: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// Interrupted by the user, with text as output.
    #[error("interrupted after {}; without --summary, --resume FILE keeps what is finished", counted(*.0, "result"))]
    InterruptedText(usize),
    /// Interrupted by the user.
    #[error("interrupted after {}; keep them in a file and continue after them with --resume FILE --force", counted(*.0, "line"))]
    Interrupted(usize),
    /// A line of the file to resume does not match its line of the input.
    #[error("--resume {}: line {line}: {mismatch}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        mismatch: Mismatch,
    },
    /// The file to resume has more lines than the input.
    #[error("--resume {}: holds more lines than the {lines} of the input: the input has changed", .path.display())]
    Leftover {
        /// The file.
        path: PathBuf,
        /// Lines of the input.
        lines: usize,
    },
    /// The file to resume is a device or a pipe.
    #[error("--resume {}: is not a regular file, expected one that can be read again", .path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// The path for the settings is occupied by another file.
    #[error("--resume {}: {} is not a settings file and is left unchanged, expected another name for --resume", .path.display(), .settings.display())]
    ForeignSettings {
        /// The file to resume.
        path: PathBuf,
        /// The other file.
        settings: PathBuf,
    },
    /// The file to resume was begun with other settings.
    #[error("--resume {}: was begun with {begun}, expected the same settings or --force", .path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// The settings that differ, with the present values.
        begun: String,
    },
    /// The file to resume was not written by this program.
    #[error("--resume {}: does not contain results, expected a file that --resume began or a new one", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file to resume has no settings file.
    #[error("--resume {}: the settings it was begun with are unknown, expected {} or --force", .path.display(), .settings.display())]
    UnknownSettings {
        /// The file.
        path: PathBuf,
        /// The path expected for the settings.
        settings: PathBuf,
    },
    /// The file to resume cannot be read or written.
    #[error("--resume {}: {source}", .path.display())]
    Resume {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
}

impl From<AnalyzeError> for Failure {
    fn from(error: AnalyzeError) -> Failure {
        Failure::Failed(error.to_string())
    }
}
