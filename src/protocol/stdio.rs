//! Line input and output. Lines are read as bytes, since they may contain anything and may be long. Output never waits for a client that
//! does not read, as that would block the input or the search: a line is written directly if the system reports that there is space for
//! it, and otherwise passed to a thread that waits. Waking that thread for every line would cost time on a busy machine, especially for
//! the answer.

use crate::records::{TextEncoding, encode};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::Mutex;
use std::fs::File;
use std::io::BufRead;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// Maximum length of an input line in bytes. Longer lines, which cannot belong to any game, are dropped, so that a stream without line
/// ends does not fill the memory.
const MAX_INPUT: usize = 64 << 20;

/// A line received in parts.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl Line {
    /// Consumes the available part of the line; returns the number of bytes used, and whether the line is complete.
    fn take(&mut self, available: &[u8]) -> (usize, bool) {
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if self.bytes.len() + part.len() > MAX_INPUT {
            *self = Line { bytes: Vec::new(), is_too_long: true };
        }
        if !self.is_too_long {
            self.bytes.extend_from_slice(part);
        }
        (part.len() + end.is_some() as usize, end.is_some())
    }

    /// The incomplete line at the end of input, if any.
    fn last(self) -> Option<Vec<u8>> {
        (!self.bytes.is_empty() || self.is_too_long).then_some(self.bytes)
    }
}

/// Reads the next line without its line end; `None` at the end of input. The last line need not have a line end. A line longer than
/// `MAX_INPUT` is returned empty.
///
/// # Errors
/// If reading fails, which also ends the input.
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

/// Blocking version of [`next_line`]; `arrived` is called when input has arrived, before anything is allocated for it.
///
/// # Errors
/// If reading fails, which also ends the input.
pub fn read_line(reader: &mut impl BufRead, arrived: impl Fn()) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Line::default();
    loop {
        let available = match reader.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        arrived();
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

/// Maximum length of an output line in bytes, without the line end. Known clients read lines into 1024 bytes without a bounds check.
pub const MAX_LINE: usize = 990;

/// Time for the last lines to reach the client at the end of the process.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(300);

/// A task of the thread that writes.
enum OutputTask {
    /// Write this line.
    Line(Vec<u8>),
    /// A line from the client, for the log.
    Received(Vec<u8>),
    /// Log to this file from now on, or stop logging.
    Log(Option<File>),
    /// Writing has failed.
    Failed(std::io::Error),
    /// The last line, and a channel to confirm that it is written.
    End(Vec<u8>, Sender<()>),
}

/// The destination of the output.
struct Client {
    writer: Mutex<Box<dyn Write + Send>>,
    /// Whether the writer accepts a line without blocking.
    has_room: Box<dyn Fn() -> bool + Send + Sync>,
    /// Number of tasks that the thread has not finished. Never 0 again after [`OutputTask::End`].
    waiting: AtomicUsize,
}

/// Whether standard output accepts a line without blocking; false if unknown.
#[cfg(unix)]
pub fn has_room() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    let mut files = [PollFd::new(&stdout, PollFlags::OUT)];
    // A pipe is ready when it has a free page, which is longer than any line. Writing to a closed one fails at once.
    poll(&mut files, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
}

/// Whether standard output accepts a line without blocking; false if unknown.
#[cfg(not(unix))]
pub fn has_room() -> bool {
    false
}

/// Output that never blocks on the client. Cheap to clone.
#[derive(Clone)]
pub struct Output {
    sender: Sender<OutputTask>,
    client: Arc<Client>,
    encoding: Arc<Mutex<TextEncoding>>,
    is_logging: Arc<AtomicBool>,
}

impl Output {
    /// Starts the thread for lines that cannot be written directly. `has_room` returns whether the writer accepts a line of `MAX_LINE`
    /// bytes without blocking; `failed` is called once if writing fails, for example because the client has exited.
    ///
    /// # Errors
    /// If the system does not provide a thread.
    pub fn start(
        writer: impl Write + Send + 'static,
        has_room: impl Fn() -> bool + Send + Sync + 'static,
        failed: impl FnOnce(std::io::Error) + Send + 'static,
    ) -> std::io::Result<Output> {
        let (sender, receiver) = unbounded();
        let (writer, waiting) = (Mutex::new(Box::new(writer) as Box<dyn Write + Send>), AtomicUsize::new(0));
        let client = Arc::new(Client { writer, has_room: Box::new(has_room), waiting });
        let own = Arc::clone(&client);
        let work = move || {
            if let Err(error) = write_all(&own, &receiver) {
                failed(error);
            }
        };
        std::thread::Builder::new().name("output".into()).spawn(work)?;
        Ok(Output { sender, client, encoding: Arc::default(), is_logging: Arc::default() })
    }

    /// Passes a task to the thread.
    fn send(&self, task: OutputTask) {
        self.client.waiting.fetch_add(1, Ordering::SeqCst);
        // Sending fails only after the writer has ended, and then the process is ending.
        let _ = self.sender.send(task);
    }

    /// Logs input and output to a file from now on; `None` stops logging.
    pub fn log_into(&self, file: Option<File>) {
        self.is_logging.store(file.is_some(), Ordering::Relaxed);
        self.send(OutputTask::Log(file));
    }

    /// Logs a line from the client.
    pub fn received(&self, line: &[u8]) {
        if self.is_logging.load(Ordering::Relaxed) {
            self.send(OutputTask::Received(line.to_vec()));
        }
    }

    /// Sets the encoding of lines of text from now on; initially UTF-8.
    pub fn set_encoding(&self, encoding: TextEncoding) {
        *self.encoding.lock() = encoding;
    }

    /// Writes a line of text in the client's encoding. Control characters and characters that the encoding lacks are replaced by `?`,
    /// trailing blanks are removed, and the text is truncated to `MAX_LINE` bytes of UTF-8, which is never shorter than the other
    /// encodings.
    pub fn line(&self, text: &str) {
        let mut end = text.len().min(MAX_LINE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let clean: String = text[..end].chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        self.raw(encode(clean.trim_end(), *self.encoding.lock()).0.into_owned());
    }

    /// Writes a line that is already encoded and known to be short enough.
    pub fn raw(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        if self.is_logging.load(Ordering::Relaxed) || !self.write_at_once(&line) {
            self.send(OutputTask::Line(line));
        }
    }

    /// Writes a line if no earlier one is pending and the client accepts it at once; otherwise returns false.
    fn write_at_once(&self, line: &[u8]) -> bool {
        let is_free = || self.client.waiting.load(Ordering::SeqCst) == 0;
        if !is_free() {
            return false;
        }
        let Some(mut writer) = self.client.writer.try_lock() else { return false };
        if !is_free() || !(self.client.has_room)() {
            return false;
        }
        if let Err(error) = writer.write_all(line).and_then(|()| writer.flush()) {
            self.send(OutputTask::Failed(error));
        }
        true
    }

    /// Writes an optional last line and waits until everything is written, at most for a moment if the client does not read. Lines that a
    /// search reports after this are not written.
    pub fn end(&self, last: Option<&str>) {
        let _ = self.send_end(last).recv_timeout(FLUSH_TIMEOUT);
    }

    /// Like [`Output::end`], but waits until the client has read everything or has closed its end.
    pub fn end_when_read(&self, last: Option<&str>) {
        let _ = self.send_end(last).recv();
    }

    /// Sends the last line; the channel reports that everything is written.
    fn send_end(&self, last: Option<&str>) -> Receiver<()> {
        let (done, written) = bounded(1);
        let line = last.map(|text| format!("{text}\n").into_bytes()).unwrap_or_default();
        self.send(OutputTask::End(line, done));
        written
    }
}

/// The optional log file of input and output, with the same markers as Stockfish's log.
#[derive(Default)]
struct Log(Option<BufWriter<File>>);

impl Log {
    /// Runs `work` on the file. If writing fails, the error is reported once and logging stops.
    fn with(
        &mut self,
        writer: &mut impl Write,
        work: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        match self.0.as_mut().map_or(Ok(()), work) {
            Ok(()) => Ok(()),
            Err(error) => {
                // The contents of its buffer are lost too.
                self.0.take().map(BufWriter::into_parts);
                writeln!(writer, "info string Debug Log File: {error}; nothing more is logged")
            }
        }
    }

    fn add(&mut self, writer: &mut impl Write, mark: &str, line: &[u8]) -> std::io::Result<()> {
        let line = line.trim_ascii_end();
        self.with(writer, |file| {
            [mark.as_bytes(), line, b"\n"].iter().try_for_each(|part| file.write_all(part))?;
            file.flush()
        })
    }
}

/// Performs tasks until [`OutputTask::End`] or until all senders are dropped. Pending lines are flushed together.
fn write_all(client: &Client, receiver: &Receiver<OutputTask>) -> std::io::Result<()> {
    let mut log = Log::default();
    while let Ok(first) = receiver.recv() {
        let writer = &mut *client.writer.lock();
        let (mut next, mut done) = (Some(first), 0);
        while let Some(task) = next {
            match task {
                OutputTask::Line(line) => {
                    // Logged first, so that a line that a client has read is in the log.
                    log.add(writer, "<< ", &line)?;
                    writer.write_all(&line)?;
                }
                OutputTask::Received(line) => log.add(writer, ">> ", &line)?,
                OutputTask::Log(file) => {
                    log = Log(file.map(BufWriter::new));
                }
                OutputTask::Failed(error) => return Err(error),
                OutputTask::End(line, done) => {
                    if !line.is_empty() {
                        log.add(writer, "<< ", &line)?;
                    }
                    writer.write_all(&line)?;
                    writer.flush()?;
                    let _ = done.send(());
                    return Ok(());
                }
            }
            done += 1;
            next = receiver.try_recv().ok();
        }
        writer.flush()?;
        client.waiting.fetch_sub(done, Ordering::SeqCst);
    }
    Ok(())
}

#[cfg(test)]
mod input_tests {
    use super::*;

    fn lines_of(input: &[u8]) -> Vec<Vec<u8>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            // A small buffer, so that lines arrive in parts.
            let mut reader = tokio::io::BufReader::with_capacity(3, input);
            let mut lines = Vec::new();
            while let Some(line) = next_line(&mut reader).await.unwrap() {
                lines.push(line);
            }
            let mut reader = std::io::BufReader::with_capacity(3, input);
            let waited = std::iter::from_fn(|| read_line(&mut reader, || ()).unwrap());
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
        let mut input = vec![b'x'; MAX_INPUT + 1];
        input.extend_from_slice(b"\nquit\n");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut reader = tokio::io::BufReader::new(&input[..]);
            assert_eq!(next_line(&mut reader).await.unwrap(), Some(vec![]));
            assert_eq!(next_line(&mut reader).await.unwrap(), Some(b"quit".to_vec()));
            assert_eq!(next_line(&mut reader).await.unwrap(), None);
        });
    }
}

#[cfg(test)]
pub(super) mod output_tests {
    use super::*;

    #[derive(Clone, Default)]
    pub(crate) struct Shared(pub(crate) Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// An output into a vector; `has_room` decides by the number of the call whether there is room.
    fn output_into(sink: &Shared, has_room: impl Fn(usize) -> bool + Send + Sync + 'static) -> Output {
        let calls = AtomicUsize::new(0);
        let has_room = move || has_room(calls.fetch_add(1, Ordering::Relaxed));
        Output::start(sink.clone(), has_room, |_| panic!("a vector takes everything")).unwrap()
    }

    #[test]
    fn lines_keep_their_order_whether_there_is_room_or_not() {
        let sink = Shared::default();
        let output = output_into(&sink, |call| call % 3 > 0);
        let lines: Vec<String> = (0..3000).map(|number| number.to_string()).collect();
        lines.iter().for_each(|line| output.line(line));
        output.end(None);
        output.line("too late");
        assert!(String::from_utf8(sink.0.lock().clone()).unwrap().lines().eq(lines));
    }

    #[test]
    fn a_slow_reader_gets_everything() {
        #[derive(Clone, Default)]
        struct Slow(Shared);
        impl Write for Slow {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                std::thread::sleep(FLUSH_TIMEOUT / 4);
                self.0.write(bytes)
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let sink = Slow::default();
        let output = Output::start(sink.clone(), || false, |_| panic!("a vector takes everything")).unwrap();
        (0..8).for_each(|_| output.line("a line"));
        output.end_when_read(Some("bye"));
        assert!(String::from_utf8(sink.0.0.lock().clone()).unwrap().ends_with("a line\nbye\n"));
    }

    #[test]
    fn a_line_is_written_at_once_where_there_is_room() {
        let sink = Shared::default();
        let output = output_into(&sink, |_| true);
        output.line("one");
        assert_eq!(*sink.0.lock(), b"one\n");
        output.log_into(None);
        output.end(None);
    }

    #[test]
    fn lines_are_cut_cleaned_and_in_order() {
        let sink = Shared::default();
        let output = output_into(&sink, |_| false);
        output.line("first \t");
        output.line("tab\u{0}\rnul");
        output.line(&"馬".repeat(1000));
        output.end(Some("bye"));
        output.line("too late");
        let text = String::from_utf8(sink.0.lock().clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["first ?", "tab??nul"]);
        assert_eq!(lines[2].len(), MAX_LINE);
        assert!(lines[2].chars().all(|c| c == '馬'));
        assert_eq!(lines[3..], ["bye"]);
    }

    #[test]
    fn lines_are_in_the_encoding_of_the_client() {
        let sink = Shared::default();
        let output = output_into(&sink, |_| true);
        output.line("库");
        output.set_encoding(TextEncoding::Gbk);
        output.line("库☃");
        output.end(None);
        assert_eq!(*sink.0.lock(), [b"\xe5\xba\x93\n".to_vec(), b"\xbf\xe2?\n".to_vec()].concat());
    }

    #[test]
    fn a_failed_write_is_reported_once() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        for has_room in [false, true] {
            let (sender, receiver) = bounded(1);
            let output = Output::start(Closed, move || has_room, move |error| sender.send(error.kind()).unwrap()).unwrap();
            output.line("anybody there?");
            assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(std::io::ErrorKind::BrokenPipe));
            output.line("still no panic");
            output.end(None);
        }
    }
}
