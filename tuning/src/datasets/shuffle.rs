//! Shuffling the games of many files.
//!
//! Two passes: every game is written to a random temporary file, each small enough for memory; then each file is
//! shuffled in memory and appended to the output. The order depends only on the seed, the order of the input, and the number of files: on
//! `memory`, if the data exceed a quarter of it.

use super::scratch::{Scratch, parts};
use super::{DatasetError, byte_bar, check_output, for_each_game, total_size};
use crate::records::{FileHeader, PackedGame, Writer};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::{Path, PathBuf};

/// Statistics of a shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shuffled {
    /// Games written.
    pub games: u64,
    /// Temporary files used.
    pub parts: usize,
}

/// Bound of the ratio of a game's size in memory to its size on disk: the same bytes, and two allocations' overhead.
const EXPANSION: u64 = 4;

/// Writes the games of all files in random order to one new file. `memory` bounds the memory use in bytes.
///
/// # Errors
/// When a file cannot be read or written, or is damaged.
pub fn shuffle(files: &[PathBuf], output: &Path, memory: u64, seed: u64) -> Result<Shuffled, DatasetError> {
    check_output(files, output)?;
    let size = total_size(files)?;
    let scratch = Scratch::beside(output)?;
    let bar = byte_bar(size * 2, "shuffling");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut result = Shuffled { games: 0, parts: parts(size * EXPANSION, memory) };
    let part_files: Vec<PathBuf> = (0..result.parts).map(|part| scratch.file(part)).collect();
    let header = FileHeader { description: String::new() };
    let mut writers = Vec::with_capacity(result.parts);
    for file in &part_files {
        writers.push(Writer::create(file, &header).map_err(DatasetError::record(file))?);
    }
    for_each_game(files, &bar, |game| {
        let part = random.random_range(0..writers.len());
        writers[part].push(&game).map_err(DatasetError::record(&part_files[part]))
    })?;
    for (writer, file) in writers.into_iter().zip(&part_files) {
        writer.finish().map_err(DatasetError::record(file))?;
    }
    let description = format!("{{\"made\":\"shuffle\",\"files\":{},\"seed\":{seed}}}", files.len());
    let at_output = DatasetError::record(output);
    let mut writer = Writer::create(&scratch.output(), &FileHeader { description }).map_err(at_output)?;
    for file in &part_files {
        let mut games: Vec<PackedGame> = Vec::new();
        for_each_game(std::slice::from_ref(file), &bar, |game| {
            games.push(PackedGame::from(&game));
            Ok(())
        })?;
        games.shuffle(&mut random);
        result.games += games.len() as u64;
        games.iter().try_for_each(|game| writer.push_packed(game)).map_err(at_output)?;
    }
    writer.finish().map_err(at_output)?;
    scratch.publish()?;
    bar.finish_and_clear();
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::{random_file, read};
    use crate::records::Game;

    #[test]
    fn the_order_is_random_and_determined_by_the_seed() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let files: Vec<PathBuf> = (0..3).map(|n| random_file(folder.path(), &format!("in{n}"), 20, n)).collect();
        let original: Vec<Game> = files.iter().flat_map(|file| read(file)).collect();
        let run = |name: &str, memory, seed| {
            let output = folder.path().join(name);
            let result = shuffle(&files, &output, memory, seed).expect("three good files");
            assert_eq!(result.games, 60);
            read(&output)
        };
        let (one, again, other) = (run("a", 4096, 1), run("b", 4096, 1), run("c", 1 << 30, 2));
        assert_eq!(one, again);
        assert_ne!(one, other);
        assert_ne!(one, original);
        for shuffled in [one, other] {
            let key = |game: &Game| (game.id, game.plies.len(), game.plies.first().map(|ply| ply.mv.bits()), game.plies[5].mv);
            let sorted = |games: &[Game]| {
                let mut keys: Vec<_> = games.iter().map(key).collect();
                keys.sort();
                keys
            };
            assert_eq!(sorted(&shuffled), sorted(&original));
        }
    }
}
