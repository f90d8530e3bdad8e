//! Batches of positions in random order, from files of any size.
//!
//! Positions of games not set aside are gathered into a window; the window is drawn from in random order. Data that fit into
//! one window are read once. The order depends on the seed, the files and the window alone.

use super::{Recipe, Sample};
use crate::datasets::{DatasetError, for_each_game};
use crate::records::{Game, Reader, RecordError};
use chuhe::board::Board;
use indicatif::ProgressBar;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Whether a game is set aside. By its number alone, so that more data of the same run move no game across.
fn is_validation(game: &Game, percent: u8) -> bool {
    crc32fast::hash(&game.id.to_le_bytes()) % 100 < percent as u32
}

/// Reads files game by game, again and again.
struct Games {
    files: Vec<PathBuf>,
    next: usize,
    reader: Option<Reader<BufReader<File>>>,
}

impl Games {
    /// The next game; none at the end of the last file, after which it begins anew.
    fn next(&mut self) -> Result<Option<Game>, DatasetError> {
        loop {
            if self.reader.is_none() {
                let Some(file) = self.files.get(self.next) else {
                    self.next = 0;
                    return Ok(None);
                };
                self.reader = Some(Reader::open(file).map_err(|error| DatasetError::at(file, error))?);
                self.next += 1;
            }
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(Ok(game)) => return Ok(Some(game)),
                // What a kill tore off is no part of the data.
                None | Some(Err(RecordError::Torn(_))) => self.reader = None,
                Some(Err(error)) => return Err(DatasetError::at(&self.files[self.next - 1], error)),
            }
        }
    }
}

/// Draws batches without end.
pub struct Loader {
    recipe: Recipe,
    games: Games,
    window: Vec<Sample>,
    /// Numbers of the window's positions in the order of drawing, and how many are drawn.
    order: Vec<u32>,
    drawn: usize,
    /// Whether the window holds all there is.
    is_whole: bool,
    /// Windows drawn from so far: each has an order of its own.
    windows: u64,
}

impl Loader {
    /// A loader of the recipe's data.
    pub fn new(recipe: &Recipe) -> Loader {
        Loader {
            recipe: recipe.clone(),
            games: Games { files: recipe.data.clone(), next: 0, reader: None },
            window: Vec::new(),
            order: Vec::new(),
            drawn: 0,
            is_whole: false,
            windows: 0,
        }
    }

    /// The next batch, in place of what `batch` held.
    ///
    /// # Errors
    /// When a file cannot be read, is damaged, or when there is no position at all.
    pub fn next_batch(&mut self, batch: &mut Vec<Sample>) -> Result<(), DatasetError> {
        batch.clear();
        while batch.len() < self.recipe.schedule.batch {
            if self.drawn == self.order.len() {
                self.refill()?;
            }
            let count = (self.recipe.schedule.batch - batch.len()).min(self.order.len() - self.drawn);
            let numbers = &self.order[self.drawn..self.drawn + count];
            batch.extend(numbers.iter().map(|&number| self.window[number as usize]));
            self.drawn += count;
        }
        Ok(())
    }

    fn refill(&mut self) -> Result<(), DatasetError> {
        if !self.is_whole {
            self.fill_window()?;
        }
        self.order.clear();
        self.order.extend(0..self.window.len() as u32);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.recipe.seed);
        for _ in 0..self.windows {
            random.long_jump();
        }
        self.order.shuffle(&mut random);
        self.windows += 1;
        self.drawn = 0;
        Ok(())
    }

    /// Reads on until the window is full or the data end.
    fn fill_window(&mut self) -> Result<(), DatasetError> {
        let began_at_start = self.games.next == 0 && self.games.reader.is_none();
        self.window.clear();
        loop {
            match self.games.next()? {
                Some(game) if is_validation(&game, self.recipe.filter.validation_percent) => {}
                Some(game) => extend(&game, &self.recipe, &mut self.window),
                None if self.window.is_empty() && began_at_start => {
                    let files = self.recipe.data.first().cloned().unwrap_or_default();
                    return Err(DatasetError::at(&files, "no position to train on in this file and those after it"));
                }
                None if self.window.is_empty() => {}
                None => {
                    self.is_whole = began_at_start;
                    return Ok(());
                }
            }
            if self.window.len() >= self.recipe.schedule.window {
                return Ok(());
            }
        }
    }
}

fn extend(game: &Game, recipe: &Recipe, out: &mut Vec<Sample>) {
    let before = out.len();
    Sample::extend(game, &recipe.filter, out);
    if recipe.output_buckets == 1 {
        out[before..].iter_mut().for_each(|sample| *sample = sample.in_first_bucket());
    }
}

/// The positions of the games set aside, `limit` at most, and as many of their boards as there is room for in `boards`.
///
/// # Errors
/// When a file cannot be read or is damaged.
pub fn validation_samples(recipe: &Recipe, limit: usize, boards: &mut Vec<Board>) -> Result<Vec<Sample>, DatasetError> {
    let mut samples = Vec::new();
    for_each_game(&recipe.data, &ProgressBar::hidden(), |game| {
        if samples.len() < limit && is_validation(&game, recipe.filter.validation_percent) {
            extend(&game, recipe, &mut samples);
            game.replay(|position, ply| {
                if boards.len() < boards.capacity() && ply.score.is_some() && !position.in_check() {
                    boards.push(*position.board());
                }
            });
        }
        Ok(())
    })?;
    samples.truncate(limit);
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::random_file;

    fn recipe(data: Vec<PathBuf>, window: usize) -> Recipe {
        let text = format!("name = 'a'\nseed = 3\n[schedule]\nbatch = 50\nwindow = {window}\n");
        Recipe { data, ..Recipe::parse(&text).expect("a short recipe") }
    }

    /// Batches that cover the data a few times.
    fn batches(recipe: &Recipe, count: usize) -> Vec<Vec<Sample>> {
        let mut loader = Loader::new(recipe);
        (0..count)
            .map(|_| {
                let mut batch = Vec::new();
                loader.next_batch(&mut batch).expect("good files");
                batch
            })
            .collect()
    }

    #[test]
    fn every_position_is_drawn_once_before_any_is_drawn_again() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let files: Vec<PathBuf> = (0..2).map(|n| random_file(folder.path(), &format!("{n}"), 30, n)).collect();
        let mut all = Vec::new();
        for_each_game(&files, &ProgressBar::hidden(), |game| {
            if !is_validation(&game, 4) {
                Sample::extend(&game, &recipe(vec![], 50).filter, &mut all);
            }
            Ok(())
        })
        .expect("good files");
        let key = |sample: &Sample| format!("{sample:?}");
        let mut expected: Vec<String> = all.iter().map(key).collect();
        expected.sort();
        for window in [500, 100_000] {
            let recipe = recipe(files.clone(), window);
            let drawn: Vec<Sample> = batches(&recipe, 3 * all.len() / 50).concat();
            for epoch in drawn.chunks_exact(all.len()) {
                let mut keys: Vec<String> = epoch.iter().map(key).collect();
                keys.sort();
                assert_eq!(keys, expected);
            }
            assert_ne!(drawn[..all.len()], drawn[all.len()..2 * all.len()], "another order each time");
            assert_eq!(batches(&recipe, 30), batches(&recipe, 30));
        }
    }

    #[test]
    fn no_position_is_an_error_and_not_an_endless_loop() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = random_file(folder.path(), "empty", 0, 1);
        assert!(Loader::new(&recipe(vec![file], 100)).next_batch(&mut Vec::new()).is_err());
        assert!(Loader::new(&recipe(vec![], 100)).next_batch(&mut Vec::new()).is_err());
    }
}
