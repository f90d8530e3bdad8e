//! Batches of positions in random order, from files of any size.
//!
//! Positions of training games (not in the validation set) fill a window, from which batches are drawn in random order. Data that fit into
//! one window are read once. The order depends only on the seed, the files and the window size.

use super::{Recipe, Sample};
use crate::datasets::{DatasetError, Games, for_each_game};
use crate::records::Game;
use chuhe::board::Board;
use indicatif::ProgressBar;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;

/// Whether a game belongs to the validation set. Depends only on its number, so that adding data of the same run moves no game between the sets.
fn is_validation(game: &Game, percent: u8) -> bool {
    crc32fast::hash(&game.id.to_le_bytes()) % 100 < percent as u32
}

/// The samples of all games, in an endless loop. All files are read at the same time, each in proportion to its size, so that the games
/// of all networks are in every window.
struct Cycle {
    /// None before the first game and after the last.
    files: Option<Vec<Games>>,
    /// Samples of the next games.
    decoded: VecDeque<Vec<Sample>>,
}

impl Cycle {
    /// The samples of the next training game; none at the end of the last file, after which it starts over.
    fn next(&mut self, recipe: &Recipe) -> Result<Option<Vec<Sample>>, DatasetError> {
        while self.decoded.is_empty() {
            let files = match &mut self.files {
                Some(files) => files,
                none => none.insert(recipe.data.iter().map(|file| Games::open(file)).collect::<Result<_, _>>()?),
            };
            let Some(number) = (0..files.len()).min_by(|&a, &b| files[a].progress().total_cmp(&files[b].progress())) else {
                self.files = None;
                return Ok(None);
            };
            self.decoded.extend(files[number].next_mapped(|game| training_samples(&game, recipe))?);
            if self.decoded.is_empty() {
                files.swap_remove(number);
            }
        }
        Ok(self.decoded.pop_front())
    }

    /// Whether no game has been read, or the last.
    fn is_at_start(&self) -> bool {
        self.files.is_none()
    }
}

/// The samples of a game; none of a validation game.
fn training_samples(game: &Game, recipe: &Recipe) -> Vec<Sample> {
    let mut samples = Vec::new();
    if !is_validation(game, recipe.filter.validation_percent) {
        let changes = extend(game, recipe, &mut samples);
        extend_by_variations(game, &changes, recipe, &mut samples);
    }
    samples
}

/// An endless source of batches.
pub struct Loader {
    recipe: Recipe,
    games: Cycle,
    window: Vec<Sample>,
    /// Indices of the window's positions in drawing order, and the number already drawn.
    order: Vec<u32>,
    drawn: usize,
    /// Whether the window contains all positions of the data.
    is_whole: bool,
    /// The random numbers of the next window's order; each window has its own.
    random: Xoshiro256PlusPlus,
}

impl Loader {
    /// A loader of the recipe's data.
    pub fn new(recipe: &Recipe) -> Loader {
        Loader {
            recipe: recipe.clone(),
            games: Cycle { files: None, decoded: VecDeque::new() },
            window: Vec::new(),
            order: Vec::new(),
            drawn: 0,
            is_whole: false,
            random: Xoshiro256PlusPlus::seed_from_u64(recipe.seed),
        }
    }

    /// Replaces the contents of `batch` by the next batch.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged, or there are no positions.
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
        self.order.shuffle(&mut self.random.clone());
        // From the seed, each window would cost all jumps of those before it; a few thousand positions fill many windows in every batch.
        self.random.long_jump();
        self.drawn = 0;
        Ok(())
    }

    /// Reads until the window is full or the data end.
    fn fill_window(&mut self) -> Result<(), DatasetError> {
        let began_at_start = self.games.is_at_start();
        self.window.clear();
        loop {
            match self.games.next(&self.recipe)? {
                Some(samples) => self.window.extend(samples),
                None if self.window.is_empty() && began_at_start => {
                    return Err(DatasetError::NoPositions(self.recipe.data.first().cloned().unwrap_or_default()));
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

/// Appends the positions of a game. Returns the changes of winning probabilities by the trace.
fn extend(game: &Game, recipe: &Recipe, out: &mut Vec<Sample>) -> Vec<f64> {
    let before = out.len();
    let changes = Sample::extend(game, &recipe.filter, &recipe.target, out);
    let most = recipe.filter.per_game;
    if most > 0 && out.len() - before > most {
        // Depends only on the game's number, so the same positions are chosen whenever the game is read.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(recipe.seed ^ game.id.rotate_left(32));
        let drawn = out[before..].partial_shuffle(&mut random, most).0.to_vec();
        out.truncate(before);
        out.extend(drawn);
    }
    fit_buckets(recipe, &mut out[before..]);
    changes
}

/// Appends the variations of a game, which are only trained on: the validation loss is that of games.
fn extend_by_variations(game: &Game, changes: &[f64], recipe: &Recipe, out: &mut Vec<Sample>) {
    let before = out.len();
    Sample::extend_by_variations(game, changes, &recipe.filter, &recipe.target, out);
    fit_buckets(recipe, &mut out[before..]);
}

/// For models with a single output bucket.
fn fit_buckets(recipe: &Recipe, samples: &mut [Sample]) {
    if recipe.output_buckets == 1 {
        samples.iter_mut().for_each(|sample| *sample = sample.in_first_bucket());
    }
}

/// The validation data, sampled uniformly from the validation games of all files.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Positions that pass the filter, for the loss.
    pub samples: Vec<Sample>,
    /// Boards not in check, for the quantisation error.
    pub boards: Vec<Board>,
}

/// Reservoir sampling with equal probability (Vitter's algorithm R, 1985).
struct Reservoir<T> {
    drawn: Vec<T>,
    limit: usize,
    seen: usize,
    random: Xoshiro256PlusPlus,
}

impl<T> Reservoir<T> {
    fn new(limit: usize, seed: u64) -> Reservoir<T> {
        Reservoir { drawn: Vec::new(), limit, seen: 0, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    fn show(&mut self, thing: T) {
        self.seen += 1;
        if self.drawn.len() < self.limit {
            self.drawn.push(thing);
        } else {
            let place = self.random.random_range(0..self.seen);
            if place < self.limit {
                self.drawn[place] = thing;
            }
        }
    }
}

impl Validation {
    /// Samples at most this many positions and boards.
    ///
    /// # Errors
    /// When a file cannot be read or is not a record file.
    pub fn draw(recipe: &Recipe, positions: usize, boards: usize) -> Result<Validation, DatasetError> {
        let mut samples = Reservoir::new(positions, recipe.seed);
        let mut seen_boards = Reservoir::new(boards, recipe.seed);
        let mut of_game = Vec::new();
        for_each_game(&recipe.data, &ProgressBar::hidden(), |game| {
            if is_validation(&game, recipe.filter.validation_percent) {
                extend(&game, recipe, &mut of_game);
                of_game.drain(..).for_each(|sample| samples.show(sample));
                game.replay(|position, ply| {
                    if ply.score.is_some() && !position.in_check() {
                        seen_boards.show(*position.board());
                    }
                });
            }
            Ok(())
        })?;
        Ok(Validation { samples: samples.drawn, boards: seen_boards.drawn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::random_file;
    use std::path::PathBuf;

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
                let recipe = recipe(vec![], 50);
                Sample::extend(&game, &recipe.filter, &recipe.target, &mut all);
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
    fn a_limit_per_game_samples_its_positions() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = random_file(folder.path(), "games", 30, 1);
        let samples = |per_game| {
            let mut recipe = recipe(vec![file.clone()], 100_000);
            recipe.filter.per_game = per_game;
            let mut by_game: Vec<Vec<Sample>> = Vec::new();
            for_each_game(&recipe.data, &ProgressBar::hidden(), |game| {
                let mut samples = Vec::new();
                extend(&game, &recipe, &mut samples);
                by_game.push(samples);
                Ok(())
            })
            .expect("a good file");
            by_game
        };
        let (all, some) = (samples(0), samples(7));
        for (all, some) in all.iter().zip(&some) {
            assert_eq!(some.len(), all.len().min(7));
            assert!(some.iter().all(|sample| all.contains(sample)));
        }
        assert!(some.iter().zip(&all).any(|(some, all)| some[..] != all[..7]), "not just the first ones");
        assert_eq!(some, samples(7));
    }

    #[test]
    fn data_without_positions_are_an_error() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = random_file(folder.path(), "empty", 0, 1);
        assert!(Loader::new(&recipe(vec![file], 100)).next_batch(&mut Vec::new()).is_err());
        assert!(Loader::new(&recipe(vec![], 100)).next_batch(&mut Vec::new()).is_err());
    }

    #[test]
    fn validation_is_drawn_from_all_files() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let files: Vec<PathBuf> = (0..3).map(|n| random_file(folder.path(), &format!("{n}"), 60, n)).collect();
        let recipe = |files: Vec<PathBuf>| {
            let mut recipe = recipe(files, 50);
            recipe.filter.validation_percent = 20;
            recipe
        };
        let all = Validation::draw(&recipe(files.clone()), usize::MAX, 0).expect("good files").samples;
        let some = Validation::draw(&recipe(files.clone()), all.len() / 4, 10).expect("good files");
        assert_eq!((some.samples.len(), some.boards.len()), (all.len() / 4, 10));
        for file in files {
            let own = Validation::draw(&recipe(vec![file]), usize::MAX, 0).expect("a good file").samples;
            let drawn = own.iter().filter(|sample| some.samples.contains(sample)).count();
            assert!(drawn * 8 > own.len() && drawn < own.len(), "{drawn} of {}", own.len());
        }
    }
}
