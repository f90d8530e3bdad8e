//! Standard output and standard error of the commands; writing to them never panics.
//!
//! If the reader closes the pipe (`chuhe book export | head -1`), the command ends silently with status 141, as shells report for tools
//! terminated by SIGPIPE; a full disk ends it with a one-line message and status 1. The process does not rely on SIGPIPE, which Windows
//! lacks and which would kill a match or an analysis that still has files to write.

use super::failure::{Failure, OutputError};
use crate::records::TextEncoding;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// When buffered output is flushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flush {
    /// After every line.
    Lines,
    /// When the buffer is full and at the end.
    Full,
}

/// Buffered standard output: flushed per line on a terminal, per block for pipes and files. A command must call [`Output::finish`] on
/// success to flush the rest and report write errors.
///
/// `writeln!(output, "…")?` works as for any writer; its error is a [`Failure`].
#[derive(Debug)]
pub struct Output {
    writer: BufWriter<io::Stdout>,
    flush: Flush,
}

impl Output {
    /// For results printed in one go.
    pub fn new() -> Output {
        Output::with(if io::stdout().is_terminal() { Flush::Lines } else { Flush::Full })
    }

    /// For results that arrive over time: every line is flushed at once.
    pub fn streaming() -> Output {
        Output::with(Flush::Lines)
    }

    fn with(flush: Flush) -> Output {
        Output { writer: BufWriter::with_capacity(1 << 16, io::stdout()), flush }
    }

    /// Called by `write!` and `writeln!`.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.writer.write_fmt(text).map_err(OutputError)?;
        match self.flush {
            Flush::Lines => self.flush(),
            Flush::Full => Ok(()),
        }
    }

    /// Writes raw bytes.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(OutputError)?;
        match self.flush {
            Flush::Lines => self.flush(),
            Flush::Full => Ok(()),
        }
    }

    /// Writes one JSON object on a line.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|error| OutputError(error.into()))?;
        writeln!(self, "{text}")
    }

    /// Flushes the buffer.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|error| OutputError(error).into())
    }

    /// Flushes the rest.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

impl Default for Output {
    fn default() -> Output {
        Output::new()
    }
}

/// The encoding to use on standard output: the requested one, except on a Windows console, where Rust's standard library accepts only
/// UTF-8.
pub fn encoding_of_stdout(asked: TextEncoding) -> TextEncoding {
    encoding_of(asked, cfg!(windows) && io::stdout().is_terminal())
}

fn encoding_of(asked: TextEncoding, is_windows_console: bool) -> TextEncoding {
    if is_windows_console { TextEncoding::Utf8 } else { asked }
}

/// Maximum number of failures or warnings that a command prints unless `--all-errors` is given: a large file of the wrong kind has
/// thousands.
pub const MAX_NOTES: usize = 20;

/// Prints a line with the prefix `chuhe:` on standard error; write errors are ignored.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "chuhe: {}", one_line(&text.to_string()));
}

/// Prints the message of an error on standard error, except for a broken pipe, and returns the exit status.
pub fn report(failure: &Failure) -> ExitCode {
    if !matches!(failure, Failure::Output(error) if error.is_broken_pipe()) {
        note(failure);
    }
    ExitCode::from(failure.status())
}

/// Escapes control characters. File names and texts of records can contain them, and they would break the line or control the terminal.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let escaped = |letter: char| if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() };
    text.chars().map(escaped).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_windows_console_forces_utf8() {
        for asked in TextEncoding::ALL {
            assert_eq!(encoding_of(asked, true), TextEncoding::Utf8);
            assert_eq!(encoding_of(asked, false), asked);
        }
    }

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(one_line("对局.pgn: é"), "对局.pgn: é");
        assert_eq!(one_line("a\nb\u{1b}[2J.pgn: é\r"), "a\\nb\\u{1b}[2J.pgn: é\\r");
    }
}
