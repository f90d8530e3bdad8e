//! A training run.

use super::checkpoint::{Checkpoint, CheckpointError, Round};
use super::curves::{DrawingError, draw_losses};
use super::loader::{Loader, Validation};
use super::model::Model;
use super::optimizer::{AdamW, learning_rate};
use super::quantise::{QuantisationError, measure_quantisation, quantise};
use super::step::{Blend, Gradient, batch_gradient, validation_loss};
use super::{Recipe, Sample};
use crate::datasets::{DatasetError, total_size};
use crate::networks::read_network;
use crate::say;
use chuhe::nnue::{NetworkError, NetworkFileError};
use chuhe::system;
use crossbeam::channel::{Receiver, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Maximum number of validation positions.
const VALIDATION_LIMIT: usize = 200_000;
/// Number of boards on which the quantised network is compared with the model.
const COMPARED_BOARDS: usize = 10_000;
/// Range of the factors by which a network is calibrated.
const CALIBRATION_FACTORS: [f32; 2] = [0.25, 4.0];
/// Largest scale that the engine accepts.
const LARGEST_SCALE: f32 = 4096.0;
/// Steps of the search for the factor: its error is below a thousandth of the range.
const CALIBRATION_STEPS: usize = 18;
/// Number of batches that the loader prepares ahead.
const BATCHES_AHEAD: usize = 4;

/// Options of a run that do not change its result.
#[derive(Clone, Debug)]
pub struct Options {
    /// Parent of the run's folder.
    pub output: PathBuf,
    /// Number of threads.
    pub threads: usize,
    /// Stop after this many rounds, even if the recipe has more; the run can be continued later.
    pub stop_after: Option<usize>,
    /// Start over even if there is a checkpoint.
    pub restart: bool,
}

/// An error that ends a run.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// The data cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A file of the run cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// The checkpoint cannot be read.
    #[error("{}: {error}; if it is deleted, the training starts over", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The error in it.
        #[source]
        error: CheckpointError,
    },
    /// The checkpoint belongs to another recipe.
    #[error("the checkpoint is from another recipe or other data files; --restart starts over")]
    OtherRecipe,
    /// There are no validation positions.
    #[error("no validation positions: too little data")]
    NoValidation,
    /// The loader thread has ended early.
    #[error("the loader has stopped")]
    LoaderStopped,
    /// The initial network cannot be read.
    #[error("start.network: {0}")]
    Start(#[from] NetworkFileError),
    /// The initial network has another width than the recipe.
    #[error("start.network: {name} has {width} hidden units, but the recipe has {hidden}")]
    OtherWidth {
        /// The network's name in the recipe.
        name: String,
        /// Its hidden units.
        width: usize,
        /// Those of the recipe.
        hidden: usize,
    },
    /// The engine rejects the network.
    #[error("the trained network: {0}")]
    Network(#[from] NetworkError),
    /// The loss curves cannot be drawn.
    #[error(transparent)]
    Drawing(#[from] DrawingError),
}

impl TrainingError {
    fn io(path: &Path) -> impl Fn(std::io::Error) -> TrainingError + Copy {
        move |error| TrainingError::Io { path: path.into(), error }
    }
}

/// The model before the first batch.
fn first_model(recipe: &Recipe) -> Result<Model, TrainingError> {
    let Some(name) = &recipe.start.network else {
        return Ok(Model::new(recipe.width(), recipe.seed, recipe.start.deviation));
    };
    let network = read_network(name)?;
    if network.width() != recipe.width() {
        return Err(TrainingError::OtherWidth { name: name.clone(), width: network.width().units(), hidden: recipe.hidden });
    }
    Ok(Model::of_network(&network, recipe.target.scale as i32))
}

/// Checks the initial network of a recipe, without its data.
///
/// # Errors
/// When it cannot be read or has another width than the recipe.
pub fn check_start(recipe: &Recipe) -> Result<(), TrainingError> {
    first_model(recipe).map(drop)
}

/// A run in progress.
pub struct Trainer {
    recipe: Recipe,
    threads: usize,
    checkpoint: Checkpoint,
    gradients: Vec<Gradient>,
    validation: Validation,
}

impl Trainer {
    /// A run that continues from the checkpoint, or starts from scratch without one.
    ///
    /// # Errors
    /// When the data cannot be read or the checkpoint is from another recipe.
    pub fn new(recipe: &Recipe, threads: usize, checkpoint: Option<Checkpoint>) -> Result<Trainer, TrainingError> {
        let fingerprint = recipe.fingerprint();
        let data_bytes = total_size(&recipe.data)?;
        let checkpoint = match checkpoint {
            Some(checkpoint) if checkpoint.fingerprint != fingerprint => {
                return Err(TrainingError::OtherRecipe);
            }
            Some(checkpoint) => checkpoint,
            None => {
                let model = first_model(recipe)?;
                Checkpoint { fingerprint, data_bytes, optimizer: AdamW::new(&model), model, history: Vec::new() }
            }
        };
        if checkpoint.data_bytes != data_bytes {
            let result = if checkpoint.history.len() >= recipe.schedule.rounds {
                "nothing is trained on these, since all rounds are done; --restart starts over"
            } else {
                "the result will differ from that of an uninterrupted run"
            };
            log::warn!("the data have changed since the run began: {result}");
        }
        let validation = Validation::draw(recipe, VALIDATION_LIMIT, COMPARED_BOARDS)?;
        Ok(Trainer {
            recipe: recipe.clone(),
            threads: threads.max(1),
            checkpoint,
            gradients: vec![Gradient::zero(recipe.width()); recipe.schedule.shards],
            validation,
        })
    }

    /// The current checkpoint.
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
            let batch = batches.recv().map_err(|_| TrainingError::LoaderStopped)??;
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
        let validation_loss = validation_loss(&self.averaged(), &self.validation.samples, blend, schedule.shards, self.threads);
        let loss = loss / positions.max(1) as f64;
        let finished = Round { round, loss, validation_loss, rate, result_share: blend.share, positions, seconds };
        self.checkpoint.history.push(finished);
        Ok(finished)
    }

    /// Trains until a total of `rounds` rounds are done; `finished` is called after each.
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
                    // The batches before the interruption are drawn again, so that the order continues unchanged.
                    let failed = result.is_err();
                    if number < skipped && !failed {
                        continue;
                    }
                    if sender.send(result).is_err() || failed {
                        return;
                    }
                }
            });
            // The receiver must be dropped before the scope ends, otherwise a loader that waits for space in the channel would never stop.
            let batches = batches;
            for _ in done..rounds {
                let round = self.round(&batches, bar)?;
                finished(self, &round)?;
            }
            Ok(())
        })
    }

    /// The model from which the network is made: the moving average of the weights as set by the recipe.
    fn averaged(&self) -> Model {
        Model { width: self.checkpoint.model.width, parameters: self.checkpoint.optimizer.average.clone() }
    }

    /// The centipawns of an output of 1.0 with which the scores of the validation positions predict the results of their games best, as winning
    /// probabilities: the mean squared error has a single minimum, which a ternary search finds. Outputs of the network instead of scores would
    /// be too large by the network's own error, and their best factor too small.
    fn calibrated_scale(&self) -> u16 {
        let scale = self.recipe.target.scale as f32;
        let error = |factor: f32| -> f64 {
            let points = |sample: &Sample| (sample.target(0.0, scale / factor) - sample.target(1.0, scale)) as f64;
            self.validation.samples.iter().map(|sample| points(sample).powi(2)).sum()
        };
        let [mut low, mut high] = CALIBRATION_FACTORS;
        for _ in 0..CALIBRATION_STEPS {
            let third = (high - low) / 3.0;
            if error(low + third) < error(high - third) { high -= third } else { low += third }
        }
        (scale * (low + high) / 2.0).round().clamp(1.0, LARGEST_SCALE) as u16
    }

    /// The network file and its quantisation error.
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
        let model = self.averaged();
        let made = |scale: u16| {
            let network = quantise(&model, recipe, scale, description.clone())?;
            let error = measure_quantisation(&model, &network, recipe, &self.validation.boards);
            Ok::<_, TrainingError>((network, error))
        };
        let (mut network, mut error) = made(if recipe.target.calibrate { self.calibrated_scale() } else { recipe.target.scale })?;
        if recipe.target.mean > 0 && error.evaluation > 0.0 {
            let scale = recipe.target.scale as f64 * recipe.target.mean as f64 / error.evaluation;
            (network, error) = made(scale.round().clamp(1.0, LARGEST_SCALE as f64) as u16)?;
        }
        Ok((network.to_bytes(), error))
    }

    fn save(&self, folder: &Path) -> Result<QuantisationError, TrainingError> {
        let replace = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            system::write_atomically(&path, bytes).map_err(TrainingError::io(&path))
        };
        let (network, error) = self.export()?;
        replace("network.nnue", &network)?;
        let rounds: Vec<String> = self.checkpoint.history.iter().filter_map(|round| serde_json::to_string(round).ok()).collect();
        replace("losses.jsonl", format!("{}\n", rounds.join("\n")).as_bytes())?;
        replace("losses.svg", draw_losses(&self.recipe.name, &self.checkpoint.history)?.as_bytes())?;
        // Last: a round that the checkpoint contains is not repeated, so after an interruption the files above would stay those of the round before.
        replace("checkpoint", &self.checkpoint.to_bytes())?;
        Ok(error)
    }
}

/// The checkpoint in a file, if there is one.
fn read_checkpoint(path: &Path) -> Result<Option<Checkpoint>, TrainingError> {
    match std::fs::read(path) {
        Ok(bytes) => {
            Checkpoint::from_bytes(&bytes).map(Some).map_err(|error| TrainingError::Checkpoint { path: path.into(), error })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TrainingError::io(path)(error)),
    }
}

/// Runs a recipe in the folder named after it, which gets `recipe.toml` with every default, `checkpoint`, `network.nnue`,
/// `losses.jsonl` and `losses.svg`, all replaced after each round. Continues from the checkpoint if there is one. Returns the
/// rounds of the run.
///
/// # Errors
/// One line that names the file.
pub fn train(recipe: &Recipe, options: &Options) -> Result<Vec<Round>, TrainingError> {
    let folder = options.output.join(&recipe.name);
    std::fs::create_dir_all(&folder).map_err(TrainingError::io(&folder))?;
    let saved = folder.join("checkpoint");
    let checkpoint = if options.restart { None } else { read_checkpoint(&saved)? };
    let mut trainer = Trainer::new(recipe, options.threads, checkpoint)?;
    let written_out = folder.join("recipe.toml");
    system::write_atomically(&written_out, recipe.to_toml().as_bytes()).map_err(TrainingError::io(&written_out))?;
    if trainer.validation.samples.is_empty() {
        return Err(TrainingError::NoValidation);
    }
    if options.restart {
        // Otherwise a run that is interrupted in its first round would continue the earlier one.
        match std::fs::remove_file(&saved) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(TrainingError::io(&saved)(error)),
            _ => {}
        }
    }
    let style = ProgressStyle::with_template("[{wide_bar}] batch {pos}/{len} {eta} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(recipe.batches() as u64).with_style(style);
    bar.set_position((trainer.checkpoint.history.len() * recipe.schedule.round) as u64);
    say!("positions set aside {}", trainer.validation.samples.len());
    let done = trainer.checkpoint.history.len();
    if done >= recipe.schedule.rounds {
        say!("all {done} rounds were trained before");
    }
    trainer.run(options.stop_after.unwrap_or(usize::MAX), &bar, |trainer, round| {
        let quantisation = trainer.save(&folder)?;
        bar.suspend(|| {
            say!(
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
    Ok(trainer.checkpoint.history)
}
