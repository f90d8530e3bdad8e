//! Reads lines as bytes: a client's line may contain anything, and may be long.

use std::io::BufRead;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// Longest line kept, in bytes. A longer one cannot be a command of any game; it is dropped, so that a stream
/// without line ends does not fill the memory.
pub const LONGEST_INPUT: usize = 64 << 20;

/// A line that comes in parts.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl Line {
    /// Takes what there is of the line; returns how many bytes it has used, and whether the line is complete.
    fn take(&mut self, available: &[u8]) -> (usize, bool) {
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if self.bytes.len() + part.len() > LONGEST_INPUT {
            *self = Line { bytes: Vec::new(), is_too_long: true };
        }
        if !self.is_too_long {
            self.bytes.extend_from_slice(part);
        }
        (part.len() + end.is_some() as usize, end.is_some())
    }

    /// What there is at the end of input.
    fn last(self) -> Option<Vec<u8>> {
        (!self.bytes.is_empty() || self.is_too_long).then_some(self.bytes)
    }
}

/// Reads the next line without its line end; none at the end of input. A last line without a line end counts. A line
/// longer than `LONGEST_INPUT` comes back empty.
///
/// # Errors
/// When reading fails, which ends the input as well.
pub async fn next_line(reader: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Line::default();
    loop {
        let available = reader.fill_buf().await?;
        if available.is_empty() {
            return Ok(line.last());
        }
        let (used, is_complete) = line.take(available);
        reader.consume(used);
        if is_complete {
            return Ok(Some(line.bytes));
        }
    }
}

/// As [`next_line`], for a thread that can wait.
///
/// # Errors
/// When reading fails, which ends the input as well.
pub fn read_line(reader: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Line::default();
    loop {
        let available = match reader.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Ok(line.last());
        }
        let (used, is_complete) = line.take(available);
        reader.consume(used);
        if is_complete {
            return Ok(Some(line.bytes));
        }
    }
}

/// The words of a line, separated by any run of blanks, tabs and line ends.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(input: &[u8]) -> Vec<Vec<u8>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            // A small buffer, so that lines come in parts.
            let mut reader = tokio::io::BufReader::with_capacity(3, input);
            let mut lines = Vec::new();
            while let Some(line) = next_line(&mut reader).await.unwrap() {
                lines.push(line);
            }
            let mut reader = std::io::BufReader::with_capacity(3, input);
            let waited = std::iter::from_fn(|| read_line(&mut reader).unwrap());
            assert_eq!(waited.collect::<Vec<_>>(), lines);
            lines
        })
    }

    #[test]
    fn lines_end_in_a_line_feed_or_with_the_input() {
        assert_eq!(lines_of(b""), Vec::<Vec<u8>>::new());
        assert_eq!(lines_of(b"uci\r\n\nisready\n"), [b"uci\r".to_vec(), vec![], b"isready".to_vec()]);
        assert_eq!(lines_of(b"quit"), [b"quit".to_vec()]);
        assert_eq!(lines_of(b"\xff\0\n\xfe"), [vec![0xff, 0], vec![0xfe]]);
    }

    #[test]
    fn an_endless_line_is_dropped_and_the_next_one_read() {
        let mut input = vec![b'x'; LONGEST_INPUT + 1];
        input.extend_from_slice(b"\nquit\n");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut reader = tokio::io::BufReader::new(&input[..]);
            assert_eq!(next_line(&mut reader).await.unwrap(), Some(vec![]));
            assert_eq!(next_line(&mut reader).await.unwrap(), Some(b"quit".to_vec()));
            assert_eq!(next_line(&mut reader).await.unwrap(), None);
        });
    }

    #[test]
    fn any_run_of_blanks_separates() {
        assert_eq!(words(" \tgo  depth\t 5 \r").collect::<Vec<_>>(), ["go", "depth", "5"]);
        assert_eq!(words("").count(), 0);
    }
}
