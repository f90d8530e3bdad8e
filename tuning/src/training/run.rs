//! A training run from beginning to end.

use super::checkpoint::{Checkpoint, replace};
use super::loader::{Loader, validation_samples};
use super::model::Model;
use super::optimizer::{AdamW, learning_rate};
use super::quantise::{QuantisationError, measure_quantisation, quantise};
use super::step::{Blend, Gradient, batch_gradient, validation_loss};
use super::{Recipe, Sample, draw_losses};
use crate::datasets::{DatasetError, total_size};
use chuhe::board::Board;
use crossbeam::channel::{Receiver, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Most positions set aside that are used.
const VALIDATION_LIMIT: usize = 200_000;
/// Boards on which the quantised network is compared with the model.
const COMPARED_BOARDS: usize = 10_000;
/// Batches made ahead by the loader.
const BATCHES_AHEAD: usize = 4;

/// One finished round.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// From 0.
    pub round: usize,
    /// Mean loss over the round's batches, each before the step it led to.
    pub loss: f64,
    /// Mean loss over the positions set aside, after the round.
    pub validation_loss: f64,
    /// Learning rate of the last batch.
    pub rate: f32,
    /// Share of the result in the target.
    pub result_share: f32,
    /// Positions trained on.
    pub positions: u64,
    /// Time of the batches.
    pub seconds: f64,
}

/// How a run is made; nothing here changes what it gives.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder in which the run's folder lies.
    pub output: PathBuf,
    /// Threads at work.
    pub threads: usize,
    /// Stop after this many rounds though the recipe has more; the run can go on later.
    pub stop_after: Option<usize>,
    /// Begin anew though there is a checkpoint.
    pub restart: bool,
}

/// Why a run ended early: one line.
#[derive(Debug)]
pub struct TrainingError(String);

impl fmt::Display for TrainingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TrainingError {}

impl From<String> for TrainingError {
    fn from(error: String) -> TrainingError {
        TrainingError(error)
    }
}

impl From<DatasetError> for TrainingError {
    fn from(error: DatasetError) -> TrainingError {
        TrainingError(error.to_string())
    }
}

/// A run in progress.
pub struct Trainer {
    recipe: Recipe,
    threads: usize,
    checkpoint: Checkpoint,
    gradients: Vec<Gradient>,
    validation: Vec<Sample>,
    boards: Vec<Board>,
}

impl Trainer {
    /// A run that begins with this checkpoint, or anew without one.
    ///
    /// # Errors
    /// When the data cannot be read or the checkpoint is of another recipe.
    pub fn new(recipe: &Recipe, threads: usize, checkpoint: Option<Checkpoint>) -> Result<Trainer, TrainingError> {
        let fingerprint = recipe.fingerprint();
        let data_bytes = total_size(&recipe.data)?;
        let checkpoint = match checkpoint {
            Some(checkpoint) if checkpoint.fingerprint != fingerprint => {
                return Err("the checkpoint is of another recipe or other data files; --restart begins anew".to_string().into());
            }
            Some(checkpoint) => checkpoint,
            None => Checkpoint {
                fingerprint,
                data_bytes,
                model: Model::new(recipe.width(), recipe.seed),
                optimizer: AdamW::new(recipe.width()),
                history: Vec::new(),
            },
        };
        if checkpoint.data_bytes != data_bytes {
            log::warn!("the data have changed since the run began: it will not be the same as one without a stop");
        }
        let mut boards = Vec::with_capacity(COMPARED_BOARDS);
        let validation = validation_samples(recipe, VALIDATION_LIMIT, &mut boards)?;
        Ok(Trainer {
            recipe: recipe.clone(),
            threads: threads.max(1),
            checkpoint,
            gradients: vec![Gradient::zero(recipe.width()); recipe.schedule.shards],
            validation,
            boards,
        })
    }

    /// What a stop would keep.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Trains one round with batches from the loader's thread.
    fn round(
        &mut self,
        batches: &Receiver<Result<Vec<Sample>, DatasetError>>,
        bar: &ProgressBar,
    ) -> Result<Round, TrainingError> {
        let round = self.checkpoint.history.len();
        let schedule = &self.recipe.schedule;
        let blend = Blend { share: self.recipe.result_share(round), scale: self.recipe.target.scale as f32 };
        let began = Instant::now();
        let (mut loss, mut positions, mut rate) = (0.0, 0, 0.0);
        for number in round * schedule.round..(round + 1) * schedule.round {
            let batch = batches.recv().map_err(|_| "the loader has stopped".to_string())??;
            batch_gradient(&self.checkpoint.model, &batch, blend, self.threads, &mut self.gradients);
            rate = learning_rate(schedule, number);
            self.checkpoint.optimizer.step(
                &mut self.checkpoint.model,
                &self.gradients,
                batch.len(),
                rate,
                &self.recipe.optimizer,
                self.threads,
            );
            loss += self.gradients.iter().map(|gradient| gradient.loss).sum::<f64>();
            positions += batch.len() as u64;
            bar.inc(1);
            let speed = positions as f64 / began.elapsed().as_secs_f64();
            bar.set_message(format!("loss {:.6}, {speed:.0} positions/s", loss / positions as f64));
        }
        let seconds = began.elapsed().as_secs_f64();
        let model = &self.checkpoint.model;
        let validation_loss = validation_loss(model, &self.validation, blend, schedule.shards, self.threads);
        let loss = loss / positions.max(1) as f64;
        let finished = Round { round, loss, validation_loss, rate, result_share: blend.share, positions, seconds };
        self.checkpoint.history.push(finished);
        Ok(finished)
    }

    /// Trains until `rounds` rounds are done in all; `finished` is called after each.
    ///
    /// # Errors
    /// When the data cannot be read or `finished` fails.
    pub fn run(
        &mut self,
        rounds: usize,
        bar: &ProgressBar,
        mut finished: impl FnMut(&Trainer, &Round) -> Result<(), TrainingError>,
    ) -> Result<(), TrainingError> {
        let done = self.checkpoint.history.len();
        let rounds = rounds.min(self.recipe.schedule.rounds);
        if done >= rounds {
            return Ok(());
        }
        let (sender, batches) = bounded(BATCHES_AHEAD);
        let recipe = self.recipe.clone();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut loader = Loader::new(&recipe);
                let skipped = done * recipe.schedule.round;
                for number in 0..rounds * recipe.schedule.round {
                    let mut batch = Vec::with_capacity(recipe.schedule.batch);
                    let result = loader.next_batch(&mut batch).map(|()| batch);
                    // The order of what was trained on before the stop is gone through again, so that it goes on unchanged.
                    let failed = result.is_err();
                    if number < skipped && !failed {
                        continue;
                    }
                    if sender.send(result).is_err() || failed {
                        return;
                    }
                }
            });
            // The receiver must go before the scope ends, or a loader that waits for room would never stop.
            let batches = batches;
            for _ in done..rounds {
                let round = self.round(&batches, bar)?;
                finished(self, &round)?;
            }
            Ok(())
        })
    }

    /// How well the quantised network follows the model, and the network's file.
    fn export(&self) -> Result<(Vec<u8>, QuantisationError), TrainingError> {
        let (recipe, history) = (&self.recipe, &self.checkpoint.history);
        let last = history.last().map_or(0.0, |round| round.validation_loss);
        let description = format!(
            "{}: {} Recipe {:08x}, seed {}, round {} of {}, validation loss {last:.6}.",
            recipe.name,
            recipe.description,
            recipe.fingerprint(),
            recipe.seed,
            history.len(),
            recipe.schedule.rounds
        );
        let network = quantise(&self.checkpoint.model, recipe, description).map_err(|error| error.to_string())?;
        let error = measure_quantisation(&self.checkpoint.model, &network, recipe, &self.boards);
        Ok((network.to_bytes(), error))
    }

    fn save(&self, folder: &Path) -> Result<QuantisationError, TrainingError> {
        self.checkpoint.write(&folder.join("checkpoint"))?;
        let (network, error) = self.export()?;
        replace(&folder.join("network.nnue"), &network)?;
        let rounds: Vec<String> = self.checkpoint.history.iter().filter_map(|round| serde_json::to_string(round).ok()).collect();
        replace(&folder.join("losses.jsonl"), format!("{}\n", rounds.join("\n")).as_bytes())?;
        replace(&folder.join("losses.svg"), draw_losses(&self.recipe.name, &self.checkpoint.history)?.as_bytes())?;
        Ok(error)
    }
}

/// Trains as the recipe says, in the folder named after it: `recipe.toml` with every default, `checkpoint`, `network.nnue`,
/// `losses.jsonl` and `losses.svg`, all replaced after each round. Goes on from the checkpoint where there is one.
///
/// # Errors
/// One line that names the file.
pub fn train(recipe: &Recipe, options: &Options) -> Result<(), TrainingError> {
    let folder = options.output.join(&recipe.name);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let saved = folder.join("checkpoint");
    let checkpoint = if saved.exists() && !options.restart { Some(Checkpoint::read(&saved)?) } else { None };
    let mut trainer = Trainer::new(recipe, options.threads, checkpoint)?;
    replace(&folder.join("recipe.toml"), recipe.to_toml().as_bytes())?;
    if trainer.validation.is_empty() {
        return Err("no position set aside for validation: the data are too few".to_string().into());
    }
    let style = ProgressStyle::with_template("[{wide_bar}] batch {pos}/{len} {eta} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(recipe.batches() as u64).with_style(style);
    bar.set_position((trainer.checkpoint.history.len() * recipe.schedule.round) as u64);
    println!("positions set aside {}", trainer.validation.len());
    trainer.run(options.stop_after.unwrap_or(usize::MAX), &bar, |trainer, round| {
        let quantisation = trainer.save(&folder)?;
        bar.suspend(|| {
            println!(
                "round {} loss {:.6} validation {:.6} rate {:.2e} positions-per-second {:.0} quantisation mean {:.2} largest {:.1} of {:.0} cp",
                round.round + 1,
                round.loss,
                round.validation_loss,
                round.rate,
                round.positions as f64 / round.seconds.max(1e-9),
                quantisation.mean,
                quantisation.largest,
                quantisation.evaluation
            );
        });
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}
