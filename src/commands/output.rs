//! Standard output and standard error of the commands. Neither ever panics.
//!
//! A reader that has left (`chuhe book export | head -1`) ends the command silently with status 141, which is what a shell
//! shows for tools that SIGPIPE ends; a full disk ends it with one line and status 1. The process does not rely on SIGPIPE, which
//! Windows lacks and which would end a match or an analysis that still has files to write.

use super::Failure;
use crate::records::TextEncoding;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, IsTerminal, Write};
use thiserror::Error;

/// Standard output did not take what was written.
#[derive(Debug, Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[source] pub io::Error);

impl OutputError {
    /// Whether nobody reads on.
    pub fn is_broken_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

/// When lines reach their reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flush {
    /// Each line at once.
    Lines,
    /// When the buffer is full, and at the end.
    Full,
}

/// Standard output: lines on a terminal, blocks for pipes and files. [`Output::finish`] writes the last block and returns whether
/// everything arrived, so a command that succeeds calls it.
///
/// `writeln!(output, "…")?` works as for any writer, and its error is a [`Failure`].
#[derive(Debug)]
pub struct Output {
    writer: BufWriter<io::Stdout>,
    flush: Flush,
}

impl Output {
    /// For results that are read as a whole.
    pub fn new() -> Output {
        Output::with(if io::stdout().is_terminal() { Flush::Lines } else { Flush::Full })
    }

    /// For results that somebody waits for: every line is passed on at once.
    pub fn streaming() -> Output {
        Output::with(Flush::Lines)
    }

    fn with(flush: Flush) -> Output {
        Output { writer: BufWriter::with_capacity(1 << 16, io::stdout()), flush }
    }

    /// Writes formatted text; this is what `write!` and `writeln!` call.
    ///
    /// # Errors
    /// When standard output is closed or full.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.writer.write_fmt(text).map_err(OutputError)?;
        match self.flush {
            Flush::Lines => self.flush(),
            Flush::Full => Ok(()),
        }
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// When standard output is closed or full.
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
    /// When standard output is closed or full.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|error| OutputError(error.into()))?;
        writeln!(self, "{text}")
    }

    /// Passes on what is in the buffer.
    ///
    /// # Errors
    /// When standard output is closed or full.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|error| OutputError(error).into())
    }

    /// Passes on the rest.
    ///
    /// # Errors
    /// When standard output is closed or full.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

impl Default for Output {
    fn default() -> Output {
        Output::new()
    }
}

/// The encoding in which text reaches the reader of standard output: the one that was asked for, but UTF-8 on a console of
/// Windows, which takes nothing else from a program written in Rust.
pub fn encoding_of_stdout(asked: TextEncoding) -> TextEncoding {
    encoding_of(asked, cfg!(windows) && io::stdout().is_terminal())
}

fn encoding_of(asked: TextEncoding, is_windows_console: bool) -> TextEncoding {
    if is_windows_console { TextEncoding::Utf8 } else { asked }
}

/// A line on standard error, marked as ours. That nobody can read it is no reason to fail.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "chuhe: {}", one_line(&text.to_string()));
}

/// A text with its control characters as escapes: names of files and texts of records can have them, and would break the line or drive the
/// terminal.
fn one_line(text: &str) -> Cow<'_, str> {
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
    fn a_console_of_windows_gets_utf8_and_nothing_else_does() {
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
