//! The recipe of a training run: a TOML file that a stranger can use.

use chuhe::nnue::{FEATURE_WEIGHT_LIMIT, OUTPUT_BUCKETS, Width};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Everything that decides what a training run gives.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Short name; the run's folder is called so.
    pub name: String,
    /// For the network file: what it is, in a sentence.
    #[serde(default)]
    pub description: String,
    /// Seed of first weights and of the order of positions.
    pub seed: u64,
    /// Record files, relative to the folder the program runs in. The command line can name others.
    #[serde(default)]
    pub data: Vec<PathBuf>,
    /// Hidden units: 256, 512, 768 or 1024.
    #[serde(default = "narrowest")]
    pub hidden: usize,
    /// Output weight sets that are trained: 8 by the phase of the game, or 1 that is used for all phases.
    #[serde(default = "all_buckets")]
    pub output_buckets: usize,
    /// Which positions are used.
    #[serde(default)]
    pub filter: Filter,
    /// What the network shall say of them.
    #[serde(default)]
    pub target: Target,
    /// What it begins with.
    #[serde(default)]
    pub start: Start,
    /// How long and how fast it learns.
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

/// Which positions are used.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Leave out positions in check.
    pub skip_checks: bool,
    /// Leave out positions where a capture was played: their score hangs on the exchange.
    pub skip_captures: bool,
    /// Leave out positions with a score beyond this size in centipawns.
    pub max_score: u16,
    /// Leave out scores of a centipawn or less: draws by repetition, which depend on the way to the position.
    pub skip_draws: bool,
    /// Undo what the natural limit's clock and the want of attackers did to the score: the search does it again.
    pub undo_fading: bool,
    /// Games in a hundred set aside for validation, 1 to 50.
    pub validation_percent: u8,
    /// Most positions of a game, drawn at random; 0 for all. The result of a game is one piece of information however many of its
    /// positions carry it. Not written out when it is 0, so that the names of older recipes stay.
    #[serde(skip_serializing_if = "is_none_drawn")]
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

fn is_none_drawn(per_game: &usize) -> bool {
    *per_game == 0
}

/// What the network shall say.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Target {
    /// Centipawns of a network output of 1.0, and of 1.0 in the logistic curve that turns scores into chances.
    pub scale: u16,
    /// Share of the game's result in the target, 0 to 1; the rest is the score's.
    pub result_share: f32,
    /// Share of what came later in the game in the score of a position, 0 to 0.95: the scores after one, two, three … plies count with
    /// falling weight (Sutton's TD(λ), 1988). Not written out when it is 0, so that the names of older recipes stay.
    #[serde(skip_serializing_if = "is_zero")]
    pub trace: f32,
    /// Where the chance to win changes by more than this from one ply to the next, the trace breaks off: the move was a blunder or a
    /// random one, and what came later says nothing of the position.
    #[serde(skip_serializing_if = "is_default_surprise")]
    pub trace_surprise: f32,
    /// Rounds at the end of the run with another share of the result; 0 for none. Not written out when it is 0.
    #[serde(skip_serializing_if = "is_none_drawn")]
    pub late_rounds: usize,
    /// Share of the result in those rounds, 0 to 1.
    #[serde(skip_serializing_if = "is_zero")]
    pub late_result_share: f32,
}

fn is_zero(number: &f32) -> bool {
    *number == 0.0
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
            late_rounds: 0,
            late_result_share: 0.0,
        }
    }
}

/// What the network begins with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Standard deviation of the first feature weights; 1.0 is the clip. Rows that are seldom seen keep what is left of it.
    pub deviation: f32,
    /// A network to train further, in place of random weights: a file, "embedded" or "material".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

impl Default for Start {
    /// As usual for a layer of this many inputs (He and others 2015): the root of two over their number.
    fn default() -> Start {
        Start { deviation: 0.05, network: None }
    }
}

/// How the learning rate falls after the warm-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decay {
    /// It stays.
    Constant,
    /// In a straight line.
    Linear,
    /// Along half a cosine.
    Cosine,
    /// By the same factor each round.
    Exponential,
}

/// How long and how fast the network learns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// Positions in a batch.
    pub batch: usize,
    /// Batches in a round.
    pub round: usize,
    /// Rounds.
    pub rounds: usize,
    /// Batches over which the learning rate rises from nothing.
    pub warmup: usize,
    /// Learning rate after the warm-up.
    pub rate_start: f32,
    /// Learning rate of the last batch.
    pub rate_end: f32,
    /// The curve between.
    pub decay: Decay,
    /// Positions held in memory to draw from. Data beyond that are read window by window.
    pub window: usize,
    /// Into how many parts a batch is cut: the most threads that can work on it. Part of the recipe, since sums depend on it.
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

/// Numbers of AdamW (Loshchilov and Hutter 2019), and what the weights are cut to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Optimizer {
    /// Memory of the gradient.
    pub beta1: f32,
    /// Memory of its square.
    pub beta2: f32,
    /// Share of a weight taken off, times the learning rate.
    pub weight_decay: f32,
    /// Largest size of feature weights, in units of the network's file, 1 to [`FEATURE_WEIGHT_LIMIT`]; after every step they are
    /// cut to it. 127 makes a network whose feature weights fit into eight bits. Biases are free of it. The default is not
    /// written out, so that the runs and names of recipes older than this field stay what they were.
    #[serde(skip_serializing_if = "is_widest")]
    pub feature_limit: i16,
    /// Memory of the average of the weights from which the network is made, 0 to below 1: 0.999 averages the last thousand batches or so,
    /// 0 takes the weights as they are. Not written out when it is 0.
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

/// Why text is no recipe.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// What is wrong with a file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with its text.
        #[source]
        error: Box<RecipeError>,
    },
    /// The text is no TOML, or has unknown or missing fields.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line of the text, from 1.
        line: usize,
        /// What the TOML library says.
        message: String,
    },
    /// A field is out of range: the field and what was expected.
    #[error("{0}")]
    Range(&'static str),
}

impl RecipeError {
    /// What the text of a TOML file says.
    pub(crate) fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, RecipeError> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            RecipeError::Syntax { line, message: error.message().replace('\n', " ") }
        })
    }
}

impl Recipe {
    /// Reads a recipe file.
    ///
    /// # Errors
    /// When it cannot be read, is no TOML, has unknown or missing fields, or a value out of range.
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
            (unit.contains(&self.target.late_result_share), "target.late_result_share: expected 0 to 1"),
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

    /// Share of the result in the target of a round, counted from 0.
    pub fn result_share(&self, round: usize) -> f32 {
        let is_late = round + self.target.late_rounds >= self.schedule.rounds && self.target.late_rounds > 0;
        if is_late { self.target.late_result_share } else { self.target.result_share }
    }

    /// All batches of the run.
    pub fn batches(&self) -> usize {
        self.schedule.round * self.schedule.rounds
    }

    /// What data, seed and all numbers of the recipe come to: a checkpoint of another recipe is not continued.
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
    fn a_field_that_is_younger_than_runs_leaves_their_names_alone() {
        // The checksum of the text is in checkpoints and in the descriptions of networks.
        let recipe = Recipe::parse("name = \"a\"\nseed = 1\n").expect("a short recipe");
        for field in ["feature_limit", "trace", "per_game", "late", "average"] {
            assert!(!recipe.to_toml().contains(field), "{field}");
        }
        let limited = Recipe { optimizer: Optimizer { feature_limit: 127, ..recipe.optimizer.clone() }, ..recipe.clone() };
        assert_eq!(Recipe::parse(&limited.to_toml()).expect("its own text"), limited);
        assert_ne!(limited.fingerprint(), recipe.fingerprint());
    }

    #[test]
    fn the_last_rounds_have_a_result_share_of_their_own() {
        let text = "name = \"a\"\nseed = 1\n[target]\nlate_rounds = 2\nlate_result_share = 0.2\n[schedule]\nrounds = 10\n";
        let recipe = Recipe::parse(text).expect("a recipe");
        assert_eq!([0, 7, 8, 9].map(|round| recipe.result_share(round)), [0.0, 0.0, 0.2, 0.2]);
        let even = Recipe { target: Target { result_share: 0.1, ..Target::default() }, ..recipe };
        assert_eq!([0, 9].map(|round| even.result_share(round)), [0.1, 0.1]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let error = |text: &str| Recipe::parse(text).expect_err("a mistake").to_string();
        assert!(error("name = \"a\"\nseed = 1\n[schedule]\nbach = 32\n").starts_with("line 4: unknown field `bach`"));
        assert!(error("seed = 1\n").contains("missing field `name`"));
        assert_eq!(error("name = \"a\"\nseed = 1\n[schedule]\nshards = 0\n"), "schedule.shards: expected 1 to 256");
        assert!(error("name = \"../a\"\nseed = 1\n").starts_with("name: expected"));
        let limit = |limit| error(&format!("name = \"a\"\nseed = 1\n[optimizer]\nfeature_limit = {limit}\n"));
        assert_eq!(limit(993), "optimizer.feature_limit: expected 1 to 992");
        assert_eq!(limit(0), "optimizer.feature_limit: expected 1 to 992");
    }
}
