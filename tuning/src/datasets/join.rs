//! Merging the games of several processes.

use super::{DatasetError, check_output};
use crate::records::{FileHeader, PackedGame, Reader, RecordError, Writer};
use chuhe::system::AtomicFile;
use std::path::{Path, PathBuf};

/// Statistics of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Joined {
    /// Games written.
    pub games: u64,
    /// Games omitted because another file has them too.
    pub repeated: u64,
}

/// Merges the record files of one run into one new file, in the order of the game numbers. The output depends only on the games, not
/// on the number of files or the distribution of the games over files and blocks. All games are held in memory, in about the size of the files.
///
/// # Errors
/// When a file cannot be read or written, is damaged, or is from another run than the first.
pub fn join(files: &[PathBuf], output: &Path) -> Result<Joined, DatasetError> {
    check_output(files, output)?;
    let mut header: Option<FileHeader> = None;
    let mut games: Vec<PackedGame> = Vec::new();
    for file in files {
        let failed = DatasetError::record(file);
        let reader = Reader::open(file).map_err(failed)?;
        let found = reader.header().clone();
        if header.get_or_insert_with(|| found.clone()) != &found {
            return Err(failed(RecordError::OtherDescription { found: found.description }));
        }
        for game in reader {
            games.push(PackedGame::from(&game.map_err(failed)?));
        }
    }
    let read = games.len();
    games.sort_by_key(|game| game.id);
    games.dedup_by_key(|game| game.id);
    let failed = DatasetError::io(output);
    let not_written = DatasetError::record(output);
    let header = header.unwrap_or_else(|| FileHeader { description: String::new() });
    let mut writer = Writer::new(AtomicFile::create(output).map_err(failed)?, &header).map_err(not_written)?;
    games.iter().try_for_each(|game| writer.push_packed(game)).map_err(not_written)?;
    let file = writer.into_output().map_err(not_written)?;
    file.sync().and_then(|()| file.finish(true)).map_err(failed)?;
    Ok(Joined { games: games.len() as u64, repeated: (read - games.len()) as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::{random_file, read};
    use crate::records::Game;

    #[test]
    fn the_output_does_not_depend_on_the_distribution_of_the_games() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let whole = random_file(folder.path(), "whole", 500, 5);
        let games = read(&whole);
        let header = FileHeader { description: "random".into() };
        let write = |name: &str, games: &mut dyn Iterator<Item = &Game>, block: usize| {
            let path = folder.path().join(name);
            let mut writer = Writer::create(&path, &header).expect("a new file");
            for (number, game) in (1..).zip(games) {
                writer.push(game).expect("room on the disk");
                if number % block == 0 {
                    writer.flush().expect("room on the disk");
                }
            }
            writer.finish().expect("room on the disk");
            path
        };
        // Later numbers first, in small blocks, and some games twice.
        let parts = [
            write("c", &mut games[300..].iter(), 7),
            write("a", &mut games[..120].iter().rev(), 40),
            write("b", &mut games[100..300].iter(), 1000),
        ];
        let output = folder.path().join("joined");
        let joined = join(&parts, &output).expect("three good files");
        assert_eq!(joined, Joined { games: 500, repeated: 20 });
        let bytes = |path: &Path| std::fs::read(path).expect("a file just written");
        assert!(bytes(&output) == bytes(&whole));
        // A file from another run, and a damaged one.
        let other = folder.path().join("other");
        Writer::create(&other, &FileHeader { description: "another run".into() }).and_then(Writer::finish).expect("a new file");
        assert!(join(&[whole.clone(), other], &output).is_err_and(|error| error.to_string().contains("another run")));
        let mut damaged = bytes(&whole);
        damaged[1000] ^= 1;
        std::fs::write(&whole, damaged).expect("room on the disk");
        assert!(join(&[whole], &output).is_err());
    }
}
