//! Removal of duplicate positions.
//!
//! A duplicate position loses its label but stays in its game, since later moves need it. Memory holds one bit per label
//! and one part of the keys at a time: the keys are partitioned into temporary files by their top bits, so equal keys are in the same file.

use super::scratch::{Scratch, parts};
use super::{DatasetError, byte_bar, check_output, for_each_game, total_size};
use crate::records::{FileHeader, Writer};
use chuhe::board::Board;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Statistics of a deduplication.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Deduplicated {
    /// Labels read.
    pub labels: u64,
    /// Labels kept.
    pub kept: u64,
    /// Games read.
    pub games: u64,
    /// Games kept; the others had no label left.
    pub games_kept: u64,
}

/// Size of a key with its label's number in bytes.
const ENTRY: usize = 16;

/// The common key of a position and its mirror image, which the network cannot distinguish.
fn canonical_key(board: &Board) -> u64 {
    board.key().min(board.mirrored().key())
}

/// Reads all files, keeps one label of every position and writes the games to one new file: that of the first game, and in the game that of
/// the deepest search.
/// `memory` bounds the size in bytes of the keys in memory.
///
/// # Errors
/// When a file cannot be read or written, or is damaged.
pub fn deduplicate(files: &[PathBuf], output: &Path, memory: u64) -> Result<Deduplicated, DatasetError> {
    check_output(files, output)?;
    let size = total_size(files)?;
    let scratch = Scratch::beside(output)?;
    let bar = byte_bar(size * 2, "deduplicating");
    // A label takes at least two bytes on disk, and sixteen here. The smaller of two keys is twice as often in the first part as in an average one.
    let parts = parts(size.saturating_mul(ENTRY as u64), memory);
    let (mut result, counts) = spread_keys(files, &scratch, parts, &bar)?;
    let mut repeated = vec![0u64; (result.labels / 64 + 1) as usize];
    for part in 0..parts {
        mark_repeated(&scratch.file(part), &mut repeated)?;
    }
    let description = format!("{{\"made\":\"dedup\",\"files\":{},\"labels\":{}}}", files.len(), result.labels);
    let at_output = DatasetError::record(output);
    let mut writer = Writer::create(&scratch.output(), &FileHeader { description }).map_err(at_output)?;
    let mut number = 0;
    for (file, count) in files.iter().zip(counts) {
        let end = number + count;
        for_each_game(std::slice::from_ref(file), &bar, |mut game| {
            // A file to which self-play has appended since the first pass has more labels, whose keys are not known.
            let is_kept = |number: u64| number < end && repeated[(number / 64) as usize] >> (number % 64) & 1 == 0;
            let mut kept = 0;
            for ply in &mut game.plies {
                ply.score = ply.score.filter(|_| {
                    number += 1;
                    is_kept(number - 1)
                });
                kept += u64::from(ply.score.is_some());
            }
            number += game.variations.len() as u64;
            let mut variation = number;
            game.variations.retain(|_| {
                variation -= 1;
                is_kept(variation)
            });
            kept += game.variations.len() as u64;
            if kept > 0 {
                result.kept += kept;
                result.games_kept += 1;
                writer.push(&game).map_err(at_output)?;
            }
            Ok(())
        })?;
        number = end;
    }
    writer.finish().map_err(at_output)?;
    scratch.publish()?;
    bar.finish_and_clear();
    Ok(result)
}

/// Writes the key and number of every label to the file of its partition. Returns the number of labels of each file too.
///
/// The labels of a game are numbered so that the first of equal positions has the score of the deepest search: first its plies, the roots of
/// the searches, then its variations from the last search to the first, since later searches have the position nearer to their roots.
fn spread_keys(
    files: &[PathBuf],
    scratch: &Scratch,
    parts: usize,
    bar: &indicatif::ProgressBar,
) -> Result<(Deduplicated, Vec<u64>), DatasetError> {
    let mut result = Deduplicated::default();
    let mut counts = Vec::with_capacity(files.len());
    let mut outputs = Vec::with_capacity(parts);
    for part in 0..parts {
        let path = scratch.file(part);
        outputs.push(BufWriter::new(File::create(&path).map_err(DatasetError::io(&path))?));
    }
    let first = scratch.file(0);
    let failed = DatasetError::io(&first);
    for file in files {
        let before = result.labels;
        for_each_game(std::slice::from_ref(file), bar, |game| {
            result.games += 1;
            let mut written = Ok(());
            let mut write = |board: &Board, number: u64| {
                if written.is_ok() {
                    let key = canonical_key(board);
                    let part = ((key as u128 * parts as u128) >> 64) as usize;
                    let mut entry = [0; ENTRY];
                    entry[..8].copy_from_slice(&key.to_le_bytes());
                    entry[8..].copy_from_slice(&number.to_le_bytes());
                    written = outputs[part].write_all(&entry);
                }
            };
            game.replay(|position, ply| {
                if ply.score.is_some() {
                    write(position.board(), result.labels);
                    result.labels += 1;
                }
            });
            result.labels += game.variations.len() as u64;
            let mut number = result.labels;
            game.replay_variations(|position, _| {
                number -= 1;
                write(position.board(), number);
            });
            written.map_err(failed)
        })?;
        counts.push(result.labels - before);
    }
    outputs.iter_mut().try_for_each(BufWriter::flush).map_err(failed)?;
    Ok((result, counts))
}

/// Sets the bit of every label except the first of each key in one partition.
fn mark_repeated(path: &Path, repeated: &mut [u64]) -> Result<(), DatasetError> {
    let failed = DatasetError::io(path);
    let file = File::open(path).map_err(failed)?;
    let count = file.metadata().map_err(failed)?.len() as usize / ENTRY;
    let mut input = BufReader::new(file);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | byte as u64);
    let mut entries: Vec<(u64, u64)> = Vec::with_capacity(count);
    let mut entry = [0; ENTRY];
    for _ in 0..count {
        input.read_exact(&mut entry).map_err(failed)?;
        entries.push((number(&entry[..8]), number(&entry[8..])));
    }
    entries.sort_unstable();
    for pair in entries.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        repeated[(pair[1].1 / 64) as usize] |= 1 << (pair[1].1 % 64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::{random_file, read};
    use crate::records::{Ending, Game, Ply, Variation, Won};
    use chuhe::board::Position;
    use chuhe::types::Move;
    use std::collections::HashSet;

    #[test]
    fn a_position_of_the_game_is_kept_rather_than_the_same_one_of_a_variation() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = folder.path().join("games");
        let moves = ["b2e2", "b9c7", "h2h4"].map(|text| Move::from_uci(text).expect("a move"));
        let plies = moves.iter().map(|&mv| Ply { mv, score: Some(9) }).collect();
        let variation = |ply, moves: &[Move]| Variation { ply, moves: moves.to_vec(), score: -4 };
        let variations =
            vec![variation(0, &moves[..1]), variation(0, &moves[2..]), variation(1, &moves[1..]), variation(2, &moves[2..])];
        let game = Game { id: 0, start: Position::startpos(), won: Won::Red, ending: Ending::PlyLimit, plies, variations };
        let mut writer = Writer::create(&file, &FileHeader { description: "variations".into() }).expect("a new file");
        writer.push(&game).expect("room on the disk");
        writer.finish().expect("room on the disk");
        let output = folder.path().join("out");
        let result = deduplicate(&[file], &output, 1 << 20).expect("a good file");
        assert_eq!((result.labels, result.kept), (7, 5));
        // The first is the position after the first move; the last two are one position, which the later search saw more deeply.
        let expected = Game { variations: [1, 3].map(|n| game.variations[n].clone()).to_vec(), ..game };
        assert!(read(&output) == [expected]);
    }

    #[test]
    fn the_first_of_equal_positions_is_kept_whatever_the_memory() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        // Two files with the same games: nothing of the second may remain.
        let files: Vec<PathBuf> = (0..2).map(|n| random_file(folder.path(), &format!("in{n}"), 30, 7)).collect();
        let mut seen = HashSet::new();
        let mut expected = 0;
        for game in read(&files[0]) {
            game.replay(|position, ply| {
                expected += (ply.score.is_some() && seen.insert(canonical_key(position.board()))) as u64;
            });
        }
        for memory in [1 << 10, 1 << 30] {
            let output = folder.path().join(format!("out{memory}"));
            let result = deduplicate(&files, &output, memory).expect("two good files");
            let games = read(&output);
            assert_eq!(result.games, 60);
            assert_eq!((result.kept, result.games_kept), (expected, games.len() as u64));
            assert_eq!(games.iter().map(|game| game.labels() as u64).sum::<u64>(), expected);
            assert!(result.kept * 2 <= result.labels);
            let left = std::fs::read_dir(folder.path()).expect("the folder for the test").flatten();
            assert!(left.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')));
        }
    }
}
