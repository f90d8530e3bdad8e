//! The recipe of a training run: a self-contained TOML file.

use chuhe::nnue::{FEATURE_WEIGHT_LIMIT, OUTPUT_BUCKETS, Width};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Everything that determines the result of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Short name, also of the run's folder.
    pub name: String,
    /// A sentence for the description in the network file.
    #[serde(default)]
    pub description: String,
    /// Seed of the initial weights and of the order of positions.
    pub seed: u64,
    /// Record files, relative to the current folder. The command line can override them.
    #[serde(default)]
    pub data: Vec<PathBuf>,
    /// Hidden units: 256, 512, 768 or 1024.
    #[serde(default = "narrowest")]
    pub hidden: usize,
    /// Number of trained output weight sets: 8 by the phase of the game, or 1 for all phases.
    #[serde(default = "all_buckets")]
    pub output_buckets: usize,
    /// Selection of positions.
    #[serde(default)]
    pub filter: Filter,
    /// The training target.
    #[serde(default)]
    pub target: Target,
    /// The initial weights.
    #[serde(default)]
    pub start: Start,
    /// Length and learning rate of the training.
    #[serde(default)]
    pub schedule: Schedule,
    /// The optimizer.
    #[serde(default)]
    pub optimizer: Optimizer,
}

fn narrowest() -> usize {
    Width::W256.units()
}

fn all_buckets() -> usize {
    OUTPUT_BUCKETS
}

/// Selection of positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Exclude positions in check.
    pub skip_checks: bool,
    /// Exclude positions in which a capture was played: their score depends on the exchange.
    pub skip_captures: bool,
    /// Exclude positions with an absolute score beyond this, in centipawns.
    pub max_score: u16,
    /// Exclude scores of a centipawn or less: draws by repetition, which depend on the path to the position.
    pub skip_draws: bool,
    /// Undo the scaling of the score by the natural limit's clock and a lack of attackers, which the search applies itself.
    pub undo_fading: bool,
    /// Percentage of games for validation, 1 to 50.
    pub validation_percent: u8,
    /// Maximum number of positions of a game, chosen at random; 0 for all. The result of a game is a single observation however many of its
    /// positions are used. Omitted from the output if 0, so that the fingerprints of older recipes don't change.
    #[serde(skip_serializing_if = "is_zero")]
    pub per_game: usize,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            skip_checks: true,
            skip_captures: true,
            max_score: 3000,
            skip_draws: true,
            undo_fading: true,
            validation_percent: 4,
            per_game: 0,
        }
    }
}

/// The training target.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Target {
    /// Centipawns of a network output of 1.0, and of 1.0 in the logistic curve from scores to winning probabilities.
    pub scale: u16,
    /// Weight of the game's result in the target, 0 to 1; the rest is the score.
    pub result_share: f32,
    /// Weight of later scores of the game in the score of a position, 0 to 0.95: the scores after one, two, three … plies count with
    /// decreasing weight (Sutton's TD(λ), 1988). Omitted from the output if 0, so that the fingerprints of older recipes don't change.
    #[serde(skip_serializing_if = "is_zero")]
    pub trace: f32,
    /// The trace ends where the winning probability changes by more than this from one ply to the next: the move was a blunder or a
    /// random one, and later scores contain no information about the position.
    #[serde(skip_serializing_if = "is_default_surprise")]
    pub trace_surprise: f32,
    /// The part, 0 to 1, of the change of a position's score by the trace that the scores of the variations from there change by. Omitted from
    /// the output if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub variation_trace: f32,
    /// Number of final rounds with another weight of the result; 0 for none. Omitted from the output if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub late_rounds: usize,
    /// Weight of the result in those rounds, 0 to 1.
    #[serde(skip_serializing_if = "is_zero")]
    pub late_result_share: f32,
    /// Multiply the evaluation of the finished network by the factor with which the scores predict the results of the validation games best.
    /// Scores of self-play have the scale of the network that plays, and training on them hardly corrects it. Omitted from the output if false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub calibrate: bool,
    /// Mean absolute evaluation of the validation positions in centipawns that the finished network is scaled to; 0 for none. The scores of
    /// searches are larger than the evaluations that they are made of, so without it the scale grows from one generation of a series to the
    /// next, and the margins of the search no longer fit. Omitted from the output if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub mean: u16,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

const DEFAULT_SURPRISE: f32 = 0.15;

fn is_default_surprise(surprise: &f32) -> bool {
    *surprise == DEFAULT_SURPRISE
}

impl Default for Target {
    fn default() -> Target {
        Target {
            scale: 400,
            result_share: 0.0,
            trace: 0.0,
            trace_surprise: DEFAULT_SURPRISE,
            variation_trace: 0.0,
            late_rounds: 0,
            late_result_share: 0.0,
            calibrate: false,
            mean: 0,
        }
    }
}

/// The initial weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Standard deviation of the initial feature weights; 1.0 is the clipping bound. Rows of rare features keep part of it.
    pub deviation: f32,
    /// A network to train further instead of random weights: a file, "embedded" or "material".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

impl Default for Start {
    /// As usual for a layer of this many inputs (He et al. 2015): the square root of two divided by their number.
    fn default() -> Start {
        Start { deviation: 0.05, network: None }
    }
}

/// Decay of the learning rate after the warm-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decay {
    /// Constant.
    Constant,
    /// Linear.
    Linear,
    /// Half a cosine.
    Cosine,
    /// Exponential.
    Exponential,
}

/// Length and learning rate of the training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// Positions per batch.
    pub batch: usize,
    /// Batches per round.
    pub round: usize,
    /// Number of rounds.
    pub rounds: usize,
    /// Batches over which the learning rate rises from 0.
    pub warmup: usize,
    /// Learning rate after the warm-up.
    pub rate_start: f32,
    /// Learning rate of the last batch.
    pub rate_end: f32,
    /// The decay between the two.
    pub decay: Decay,
    /// Positions in the shuffle buffer in memory, of 37 bytes each. Larger data are decoded window by window, in every pass again.
    pub window: usize,
    /// Number of parts of a batch, and the maximum number of threads working on it. Part of the recipe, since sums depend on it.
    pub shards: usize,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            batch: 16_384,
            round: 256,
            rounds: 40,
            warmup: 100,
            rate_start: 1e-3,
            rate_end: 1e-5,
            decay: Decay::Cosine,
            window: 16_000_000,
            shards: 8,
        }
    }
}

/// Parameters of AdamW (Loshchilov and Hutter 2019), and the limit of the weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Optimizer {
    /// Decay rate of the mean gradient.
    pub beta1: f32,
    /// Decay rate of the mean squared gradient.
    pub beta2: f32,
    /// Weight decay, multiplied by the learning rate.
    pub weight_decay: f32,
    /// Largest absolute value of feature weights, in units of the network file, 1 to [`FEATURE_WEIGHT_LIMIT`]; they are clipped
    /// after every step. With 127 the feature weights fit into eight bits. Biases are not limited. The default is omitted
    /// from the output, so that the fingerprints of recipes older than this field don't change.
    #[serde(skip_serializing_if = "is_widest")]
    pub feature_limit: i16,
    /// Decay rate of the moving average of the weights from which the network is made, 0 to below 1: 0.999 averages about the last thousand batches,
    /// 0 disables averaging. Omitted from the output if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub average: f32,
}

fn is_widest(limit: &i16) -> bool {
    *limit == FEATURE_WEIGHT_LIMIT
}

impl Default for Optimizer {
    fn default() -> Optimizer {
        Optimizer { beta1: 0.9, beta2: 0.999, weight_decay: 0.01, feature_limit: FEATURE_WEIGHT_LIMIT, average: 0.0 }
    }
}

/// An error of a recipe file.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// An error in the text of a file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error in its text.
        #[source]
        error: Box<RecipeError>,
    },
    /// The text is not TOML, or has unknown or missing fields.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line of the text, from 1.
        line: usize,
        /// The error of the TOML library.
        message: String,
    },
    /// The recipe in the file of a generation has unknown fields, or values of another type.
    #[error("recipe, '{line}': {message}")]
    Quoted {
        /// The line of the recipe.
        line: String,
        /// The error of the TOML library.
        message: String,
    },
    /// A field is out of range: the field and what was expected.
    #[error("{0}")]
    Range(&'static str),
}

impl RecipeError {
    /// Parses the text of a TOML file.
    pub(crate) fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, RecipeError> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            RecipeError::Syntax { line, message: error.message().replace('\n', " ") }
        })
    }

    /// The error with the line itself instead of its number, for a text that the user has not written.
    pub(crate) fn quoted(self, text: &str) -> RecipeError {
        match self {
            RecipeError::Syntax { line, message } => {
                RecipeError::Quoted { line: text.lines().nth(line.saturating_sub(1)).unwrap_or_default().into(), message }
            }
            other => other,
        }
    }
}

impl Recipe {
    /// Reads a recipe file.
    ///
    /// # Errors
    /// When it cannot be read, is not TOML, has unknown or missing fields, or a value out of range.
    pub fn read(path: &Path) -> Result<Recipe, RecipeError> {
        let text = std::fs::read_to_string(path).map_err(|error| RecipeError::Io { path: path.into(), error })?;
        Recipe::parse(&text).map_err(|error| RecipeError::File { path: path.into(), error: Box::new(error) })
    }

    /// Reads the text of a recipe.
    ///
    /// # Errors
    /// As [`Recipe::read`].
    pub fn parse(text: &str) -> Result<Recipe, RecipeError> {
        let recipe: Recipe = RecipeError::parsed(text)?;
        recipe.check()?;
        Ok(recipe)
    }

    fn check(&self) -> Result<(), RecipeError> {
        let schedule = &self.schedule;
        let unit = 0.0..=1.0;
        let rate = |rate: f32| rate.is_finite() && (0.0..=1.0).contains(&rate);
        let good_name = !self.name.is_empty() && self.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let checks = [
            (good_name && !self.name.starts_with('.'), "name: expected letters, digits, '-', '_' and '.'"),
            (Width::of(self.hidden).is_some(), "hidden: expected 256, 512, 768 or 1024"),
            ([1, OUTPUT_BUCKETS].contains(&self.output_buckets), "output_buckets: expected 1 or 8"),
            ((1..=50).contains(&self.filter.validation_percent), "filter.validation_percent: expected 1 to 50"),
            ((1..=4096).contains(&self.target.scale), "target.scale: expected 1 to 4096"),
            (unit.contains(&self.target.result_share), "target.result_share: expected 0 to 1"),
            ((0.0..=0.95).contains(&self.target.trace), "target.trace: expected 0 to 0.95"),
            (unit.contains(&self.target.trace_surprise), "target.trace_surprise: expected 0 to 1"),
            (unit.contains(&self.target.variation_trace), "target.variation_trace: expected 0 to 1"),
            (unit.contains(&self.target.late_result_share), "target.late_result_share: expected 0 to 1"),
            (self.target.mean == 0 || !self.target.calibrate, "target.mean: expected 0 with target.calibrate"),
            (self.target.mean <= 2000, "target.mean: expected 0 to 2000"),
            ((0.0..1.0).contains(&self.optimizer.average), "optimizer.average: expected 0 to below 1"),
            (self.start.deviation > 0.0 && self.start.deviation <= 1.0, "start.deviation: expected more than 0, at most 1"),
            ((1..=1 << 22).contains(&schedule.batch), "schedule.batch: expected 1 to 4194304"),
            (schedule.round >= 1, "schedule.round: expected at least 1"),
            (schedule.rounds >= 1, "schedule.rounds: expected at least 1"),
            (schedule.window >= schedule.batch, "schedule.window: expected at least schedule.batch"),
            (schedule.window <= u32::MAX as usize, "schedule.window: expected at most 4294967295"),
            ((1..=256).contains(&schedule.shards), "schedule.shards: expected 1 to 256"),
            (rate(schedule.rate_start), "schedule.rate_start: expected 0 to 1"),
            (rate(schedule.rate_end) && schedule.rate_end > 0.0, "schedule.rate_end: expected more than 0, at most 1"),
            ((0.0..1.0).contains(&self.optimizer.beta1), "optimizer.beta1: expected 0 to below 1"),
            ((0.0..1.0).contains(&self.optimizer.beta2), "optimizer.beta2: expected 0 to below 1"),
            (unit.contains(&self.optimizer.weight_decay), "optimizer.weight_decay: expected 0 to 1"),
            ((1..=FEATURE_WEIGHT_LIMIT).contains(&self.optimizer.feature_limit), "optimizer.feature_limit: expected 1 to 992"),
        ];
        match checks.iter().find(|(good, _)| !good) {
            None => Ok(()),
            Some((_, message)) => Err(RecipeError::Range(message)),
        }
    }

    /// The recipe as a file with every default written out.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Width of the hidden layer.
    pub fn width(&self) -> Width {
        Width::of(self.hidden).unwrap_or(Width::W256)
    }

    /// Weight of the result in the target of a round, counted from 0.
    pub fn result_share(&self, round: usize) -> f32 {
        let is_late = round + self.target.late_rounds >= self.schedule.rounds && self.target.late_rounds > 0;
        if is_late { self.target.late_result_share } else { self.target.result_share }
    }

    /// Total number of batches of the run.
    pub fn batches(&self) -> usize {
        self.schedule.round * self.schedule.rounds
    }

    /// Checksum of data, seed and all parameters of the recipe: a checkpoint of another recipe is not continued.
    pub fn fingerprint(&self) -> u32 {
        crc32fast::hash(self.to_toml().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_filled_in_and_written_out() {
        let recipe = Recipe::parse("name = \"a\"\nseed = 1\n[schedule]\nbatch = 32\n").expect("a short recipe");
        assert_eq!(recipe.schedule.batch, 32);
        assert_eq!(recipe.filter, Filter::default());
        assert_eq!(Recipe::parse(&recipe.to_toml()).expect("its own text"), recipe);
    }

    #[test]
    fn new_fields_do_not_change_the_fingerprints_of_older_recipes() {
        // The checksum of the text is in checkpoints and in the descriptions of networks.
        let recipe = Recipe::parse("name = \"a\"\nseed = 1\n").expect("a short recipe");
        for field in ["feature_limit", "trace", "per_game", "late", "average", "calibrate", "mean", "variation"] {
            assert!(!recipe.to_toml().contains(field), "{field}");
        }
        let limited = Recipe { optimizer: Optimizer { feature_limit: 127, ..recipe.optimizer.clone() }, ..recipe.clone() };
        assert_eq!(Recipe::parse(&limited.to_toml()).expect("its own text"), limited);
        assert_ne!(limited.fingerprint(), recipe.fingerprint());
    }

    #[test]
    fn the_last_rounds_have_their_own_result_share() {
        let text = "name = \"a\"\nseed = 1\n[target]\nlate_rounds = 2\nlate_result_share = 0.2\n[schedule]\nrounds = 10\n";
        let recipe = Recipe::parse(text).expect("a recipe");
        assert_eq!([0, 7, 8, 9].map(|round| recipe.result_share(round)), [0.0, 0.0, 0.2, 0.2]);
        let even = Recipe { target: Target { result_share: 0.1, ..Target::default() }, ..recipe };
        assert_eq!([0, 9].map(|round| even.result_share(round)), [0.1, 0.1]);
    }

    #[test]
    fn errors_name_the_mistake_and_its_line() {
        let error = |text: &str| Recipe::parse(text).expect_err("a mistake").to_string();
        assert!(error("name = \"a\"\nseed = 1\n[schedule]\nbach = 32\n").starts_with("line 4: unknown field `bach`"));
        assert!(error("seed = 1\n").contains("missing field `name`"));
        assert_eq!(error("name = \"a\"\nseed = 1\n[schedule]\nshards = 0\n"), "schedule.shards: expected 1 to 256");
        assert!(error("name = \"../a\"\nseed = 1\n").starts_with("name: expected"));
        let limit = |limit| error(&format!("name = \"a\"\nseed = 1\n[optimizer]\nfeature_limit = {limit}\n"));
        assert_eq!(limit(993), "optimizer.feature_limit: expected 1 to 992");
        assert_eq!(limit(0), "optimizer.feature_limit: expected 1 to 992");
        let both = error("name = \"a\"\nseed = 1\n[target]\ncalibrate = true\nmean = 365\n");
        assert_eq!(both, "target.mean: expected 0 with target.calibrate");
    }
}
