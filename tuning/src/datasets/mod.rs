//! Operations on many record files, none of which is loaded into memory completely.

mod join;
mod stats;
mod wdl;

pub use join::{Joined, join};
pub use stats::Statistics;
pub use wdl::Tally;

use crate::records::{Block, Game, Reader, RecordError};
use chuhe::system::is_same_file;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{File, TryLockError};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// An error of work on data sets.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// A file is not a record file, or another process is writing to it.
    #[error("{}: {error}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The error in it.
        #[source]
        error: RecordError,
    },
    /// The output is one of the inputs and would be emptied before it is read.
    #[error("{}: the output is one of the inputs", .0.display())]
    OutputIsInput(PathBuf),
    /// No position of the files passes the filter.
    #[error("{}: no training positions in this file and the following ones", .0.display())]
    NoPositions(PathBuf),
}

impl DatasetError {
    /// Converts an error of the operating system for this file.
    pub fn io(path: &Path) -> impl Fn(std::io::Error) -> DatasetError + Copy {
        move |error| DatasetError::Io { path: path.into(), error }
    }

    /// Converts an error of this record file.
    pub fn record(path: &Path) -> impl Fn(RecordError) -> DatasetError + Copy {
        move |error| DatasetError::Record { path: path.into(), error }
    }
}

/// Refuses an output that is one of the inputs, is no file, or is being written by another process: it is going to be replaced.
fn check_output(files: &[PathBuf], output: &Path) -> Result<(), DatasetError> {
    if files.iter().any(|file| is_same_file(file, output)) {
        return Err(DatasetError::OutputIsInput(output.into()));
    }
    match output.metadata() {
        Ok(data) if !data.is_file() => {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file, expected one to write to");
            Err(DatasetError::io(output)(error))
        }
        Ok(_) => {
            let is_locked = File::open(output).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)));
            if is_locked { Err(DatasetError::record(output)(RecordError::Locked)) } else { Ok(()) }
        }
        Err(_) => Ok(()),
    }
}

/// Size of all files together in bytes.
///
/// # Errors
/// When the metadata of a file cannot be read.
pub fn total_size(files: &[PathBuf]) -> Result<u64, DatasetError> {
    files.iter().map(|file| Ok(std::fs::metadata(file).map_err(DatasetError::io(file))?.len())).sum()
}

/// Blocks that are decoded at the same time: some 2 MiB, so that a thread takes far longer for its share than to start.
const BLOCKS_AT_ONCE: usize = 64;

/// The games of a file. An incomplete last block (after a kill) and damaged blocks are skipped with a warning.
pub struct Games {
    path: PathBuf,
    reader: Reader<BufReader<File>>,
    size: u64,
}

impl Games {
    /// Opens a record file.
    ///
    /// # Errors
    /// When it cannot be opened or is not a record file.
    pub fn open(path: &Path) -> Result<Games, DatasetError> {
        let reader = Reader::open(path).map_err(DatasetError::record(path))?;
        Ok(Games { path: path.into(), reader, size: total_size(&[path.into()])? })
    }

    /// Bytes read so far.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// The part of the file that has been read, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.offset() as f64 / self.size.max(1) as f64
    }

    /// The description in the file's header.
    pub fn description(&self) -> &str {
        &self.reader.header().description
    }

    /// Decodes the next games on all processors. Returns what `map` makes of each, in their order, and nothing at the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_mapped<T: Send>(&mut self, map: impl Fn(Game) -> T + Sync) -> Result<Vec<T>, DatasetError> {
        loop {
            let (mut blocks, mut is_at_end) = (Vec::new(), false);
            while blocks.len() < BLOCKS_AT_ONCE && !is_at_end {
                match self.reader.next_block() {
                    Ok(Some(block)) => blocks.push(block),
                    Ok(None) => is_at_end = true,
                    Err(error @ RecordError::Io(_)) => return Err(DatasetError::record(&self.path)(error)),
                    Err(error) => self.warn(&error),
                }
            }
            let games = self.decode(&blocks, &map);
            if is_at_end || !games.is_empty() {
                return Ok(games);
            }
        }
    }

    fn decode<T: Send>(&self, blocks: &[Block], map: &(impl Fn(Game) -> T + Sync)) -> Vec<T> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let decoded = |block: &Block| match block.games() {
            Ok(games) => games.into_iter().map(map).collect(),
            Err(error) => {
                self.warn(&error);
                Vec::new()
            }
        };
        let all = |blocks: &[Block]| blocks.iter().flat_map(decoded).collect();
        std::thread::scope(|scope| {
            let mut parts = blocks.chunks(blocks.len().div_ceil(threads).max(1));
            let own = parts.next().unwrap_or_default();
            let others: Vec<_> = parts.map(|part| scope.spawn(|| all(part))).collect();
            let mut games: Vec<T> = all(own);
            for other in others {
                // A panic of another thread is one of this thread too.
                games.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            games
        })
    }

    fn warn(&self, error: &RecordError) {
        log::warn!("{}: {error}; block skipped", self.path.display());
    }
}

/// Calls `visit` with every game of the files in order. Incomplete and damaged blocks are skipped with a warning.
///
/// # Errors
/// When a file cannot be read or is not a record file, or `visit` fails.
pub fn for_each_game(
    files: &[PathBuf],
    bar: &ProgressBar,
    mut visit: impl FnMut(Game) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    for file in files {
        let mut games = Games::open(file)?;
        let mut before = 0;
        loop {
            let next = games.next_mapped(|game| game)?;
            if next.is_empty() {
                break;
            }
            next.into_iter().try_for_each(&mut visit)?;
            bar.inc(games.offset() - before);
            before = games.offset();
        }
    }
    Ok(())
}

/// A progress bar over the bytes of all passes over the data; hidden if stderr is not a terminal.
pub fn byte_bar(bytes: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} [{wide_bar}] {bytes}/{total_bytes} {bytes_per_sec} {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(bytes).with_style(style).with_message(what)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::records::{Ending, FileHeader, Ply, Won, Writer};
    use chuhe::board::Position;
    use rand::{RngExt, SeedableRng};

    /// A file of random games: about 60 plies, the first 6 without labels.
    pub(crate) fn random_file(folder: &Path, name: &str, games: u64, seed: u64) -> PathBuf {
        let path = folder.join(name);
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut writer = Writer::create(&path, &FileHeader { description: "random".into() }).expect("a new file");
        for id in 0..games {
            let start = Position::startpos();
            let mut board = *start.board();
            let mut plies = Vec::new();
            for ply in 0..random.random_range(40..80) {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                plies.push(Ply { mv, score: (ply >= 6).then(|| random.random_range(-300..300)) });
                board = board.after(mv);
            }
            let won = [Won::Red, Won::Nobody, Won::Black][random.random_range(0..3)];
            writer
                .push(&Game { id, start, won, ending: Ending::PlyLimit, plies, variations: Vec::new() })
                .expect("room on the disk");
        }
        writer.finish().expect("room on the disk");
        path
    }

    pub(crate) fn read(path: &Path) -> Vec<Game> {
        Reader::open(path).expect("a record file").map(|game| game.expect("a whole game")).collect()
    }

    #[test]
    fn statistics_match_the_games() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = random_file(folder.path(), "games", 25, 3);
        let mut statistics = Statistics { bytes: total_size(std::slice::from_ref(&file)).expect("a file"), ..Default::default() };
        let bar = ProgressBar::hidden();
        for_each_game(&[file], &bar, |game| {
            statistics.add(&game);
            Ok(())
        })
        .expect("a whole file");
        assert_eq!(statistics.games, 25);
        assert_eq!(statistics.results.iter().sum::<u64>(), 25);
        assert_eq!(statistics.labels + 6 * 25, statistics.plies);
        assert_eq!(statistics.scores.iter().sum::<u64>(), statistics.labels);
        assert_eq!(statistics.pieces.iter().sum::<u64>(), statistics.labels);
        assert!(statistics.bytes_per_position() < 5.0, "{}", statistics.bytes_per_position());
    }

    #[test]
    fn no_input_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = random_file(folder.path(), "games", 25, 3);
        let (files, games) = ([file.clone()], read(&file));
        assert!(matches!(join(&files, &file), Err(DatasetError::OutputIsInput(_))));
        assert!(read(&file) == games);
        // Nor is the file of a running self-play.
        let other = random_file(folder.path(), "other", 25, 4);
        let running = Writer::resume(&other, &FileHeader { description: "random".into() }, |_| ()).expect("its own file");
        let result = join(&files, &other);
        assert!(matches!(result, Err(DatasetError::Record { error: RecordError::Locked, .. })), "{result:?}");
        drop(running);
    }

    #[test]
    fn an_output_is_replaced_only_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let files = [random_file(folder.path(), "games", 25, 3)];
        let output = random_file(folder.path(), "output", 10, 4);
        // A second name of the earlier output keeps its games, since another file takes its place.
        let kept = folder.path().join("kept");
        std::fs::hard_link(&output, &kept).expect("a second name");
        assert_eq!(join(&files, &output).expect("a good file").games, 25);
        assert_eq!([read(&output).len(), read(&kept).len()], [25, 10]);
    }

    #[test]
    fn incomplete_and_damaged_blocks_are_skipped() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = random_file(folder.path(), "games", 600, 3);
        let bytes = std::fs::read(&file).expect("the file just written");
        let count = |bytes: &[u8]| {
            std::fs::write(&file, bytes).expect("room on the disk");
            let mut games = 0;
            let files = [file.clone()];
            for_each_game(&files, &ProgressBar::hidden(), |_| {
                games += 1;
                Ok(())
            })
            .map(|()| games)
        };
        assert!(count(&bytes).is_ok_and(|games| games == 600));
        assert!(count(&bytes[..bytes.len() - 9]).is_ok_and(|games| games > 0 && games < 600));
        let mut damaged = bytes.clone();
        damaged[1000] ^= 1;
        assert!(count(&damaged).is_ok_and(|games| games > 0 && games < 600));
        damaged[3] ^= 1;
        assert!(matches!(count(&damaged), Err(DatasetError::Record { error: RecordError::NotRecords, .. })));
    }
}
