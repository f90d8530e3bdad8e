//! A complete generation of networks: self-play, training, comparison, report.
//!
//! A [`Generation`] is a TOML file with all settings; [`run`] writes its folder:
//!
//! ```text
//! NAME/games-here          games played here; games-FIRST-END are those of other machines, or of ranges played here
//! NAME/NAME/               the training run: recipe, checkpoint, network.nnue, loss curves
//! NAME/compare-N.tsv       pairs of games against opponent N
//! NAME/state.json          the inputs of each completed step
//! NAME/report.md, *.svg    the report
//! ```
//!
//! Every step resumes after an interruption, and is repeated if its inputs have changed. A file can describe a [`Series`] of generations,
//! each played by the network of the one before it.

mod plots;
mod report;
mod run;

pub use run::{Options, run};

use crate::datasets::DatasetError;
use crate::selfplay::{Adjudication, SelfPlayError, SelfPlayPlan};
use crate::training::{Recipe, RecipeError, TrainingError};
use chuhe::nnue::NetworkFileError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file of the games played here, in the folder of a generation.
const GAMES_HERE: &str = "games-here";

/// Everything that determines the result of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Short name, used for the folder, the training run and the network.
    pub name: String,
    /// A sentence for the description in the network file.
    #[serde(default)]
    pub description: String,
    /// Seed of openings, order and initial weights.
    pub seed: u64,
    /// The network that plays: a file, `embedded` or `material`.
    #[serde(default = "embedded")]
    pub teacher: String,
    /// Record files of earlier generations to train on as well.
    #[serde(default)]
    pub older: Vec<PathBuf>,
    /// Settings of self-play.
    #[serde(default)]
    pub selfplay: SelfPlaySettings,
    /// The training recipe; name, seed, description and data are taken from the generation. `start.network = "teacher"` trains the teacher
    /// further; the material network, which is not a trained one, is replaced by random weights.
    #[serde(default)]
    pub recipe: toml::Table,
    /// A series of generations instead of one.
    #[serde(default)]
    pub series: Series,
    /// The opponents of the new network.
    #[serde(default)]
    pub compare: Comparison,
}

/// An error that ends a run.
#[derive(Debug, thiserror::Error)]
pub enum GenerationError {
    /// The games cannot be played.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// Record files cannot be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The recipe is invalid.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The training has failed.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A network cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// The games of a series cannot be played in parts.
    #[error("--only: the games of a series cannot be shared between machines, since each generation needs the network before it")]
    SharedSeries,
    /// A file of games belongs to another plan.
    #[error("{}: games from another plan: {found}", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// The description in the file's header.
        found: String,
    },
    /// The data or the recipe of a generation of a series have changed after its network has played the games of the next one.
    #[error(
        "{}: the network that played these games is kept, although its data or recipe have changed; to train it again, remove \
         the folder of these games and those of all later generations",
        path.display()
    )]
    Played {
        /// The games.
        path: PathBuf,
    },
    /// The file of completed steps is damaged.
    #[error("{}: {error}; if it is deleted, all steps are repeated", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// The error in it.
        #[source]
        error: serde_json::Error,
    },
}

impl GenerationError {
    fn io(path: &Path) -> impl Fn(std::io::Error) -> GenerationError + Copy {
        move |error| GenerationError::Io { path: path.into(), error }
    }
}

fn embedded() -> String {
    "embedded".into()
}

/// Settings of self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlaySettings {
    /// Total number of games.
    pub games: u64,
    /// Nodes after which a search starts no new iteration.
    pub nodes: u64,
    /// Nodes at which a search is stopped; eight times `nodes` if 0.
    pub hard_nodes: u64,
    /// Nodes of searches that only choose a move; 0 to search every position with `nodes` and label it.
    pub quick_nodes: u64,
    /// With `quick_nodes`, quiet plies per thousand that are searched with `nodes` and labelled.
    pub labels: u16,
    /// Whether the exact scores of quiet positions in the search trees are labels too.
    pub pv_nodes: bool,
    /// Minimum number of random moves at the start of a game.
    pub random_min: u16,
    /// Maximum number of random moves at the start of a game.
    pub random_max: u16,
    /// Random moves after the opening, per thousand plies.
    pub random_later: u16,
    /// Games that begin with a random endgame, per thousand.
    pub endgames: u16,
    /// Largest advantage of a side after the opening in centipawns.
    pub balance: u16,
    /// Centipawns of an adjudicated win.
    pub win_score: u16,
    /// Size of each thread's transposition table in MiB.
    pub hash: usize,
}

/// A series of generations: NAME-1, NAME-2 and so on, each with the next seed and, but for the first one, the previous network as teacher.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Series {
    /// Number of generations; 0 for a single one with the name of the file.
    pub generations: u64,
    /// Number of previous generations of the series on whose games each is trained as well.
    pub replay: u64,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            games: 100_000,
            nodes: 500,
            hard_nodes: 0,
            quick_nodes: 0,
            labels: 400,
            pv_nodes: false,
            random_min: 4,
            random_max: 12,
            random_later: 0,
            endgames: 0,
            balance: 200,
            win_score: 1200,
            hash: 8,
        }
    }
}

/// Opponents of the new network, with the same search and the same nodes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Comparison {
    /// Networks: files, `embedded` or `material`.
    pub against: Vec<String>,
    /// Pairs of games against each.
    pub pairs: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Seed of the openings.
    pub seed: u64,
}

impl Default for Comparison {
    fn default() -> Comparison {
        Comparison { against: vec![embedded()], pairs: 200, nodes: 5_000, seed: 1 }
    }
}

impl Generation {
    /// Reads the file of a generation.
    ///
    /// # Errors
    /// When it cannot be read, is not TOML, has unknown or missing fields, or a value out of range.
    pub fn read(path: &Path) -> Result<Generation, RecipeError> {
        let text = std::fs::read_to_string(path).map_err(|error| RecipeError::Io { path: path.into(), error })?;
        Generation::parse(&text).map_err(|error| RecipeError::File { path: path.into(), error: Box::new(error) })
    }

    /// Reads the text of a generation.
    ///
    /// # Errors
    /// As [`Generation::read`].
    pub fn parse(text: &str) -> Result<Generation, RecipeError> {
        let generation: Generation = RecipeError::parsed(text)?;
        let played = &generation.selfplay;
        let checks = [
            (played.nodes >= 1, "selfplay.nodes: expected at least 1"),
            (played.random_min <= played.random_max, "selfplay.random_min: expected at most selfplay.random_max"),
            (played.labels <= 1000, "selfplay.labels: expected 0 to 1000"),
            (played.random_later <= 1000, "selfplay.random_later: expected 0 to 1000"),
            (played.endgames <= 1000, "selfplay.endgames: expected 0 to 1000"),
            ((1..=4096).contains(&played.hash), "selfplay.hash: expected 1 to 4096"),
            (generation.compare.nodes >= 1, "compare.nodes: expected at least 1"),
            (generation.series.generations <= 1000, "series.generations: expected at most 1000"),
        ];
        if let Some((_, message)) = checks.iter().find(|(good, _)| !good) {
            return Err(RecipeError::Range(message));
        }
        generation.recipe(Vec::new())?;
        Ok(generation)
    }

    /// The generations of the series, or this one if there is no series, for this parent of their folders.
    pub fn members(&self, output: &Path) -> Vec<Generation> {
        let Series { generations, replay } = self.series;
        let name = |number: u64| format!("{}-{number}", self.name);
        let member = |number: u64| Generation {
            name: name(number),
            seed: self.seed.wrapping_add(number - 1),
            teacher: if number == 1 {
                self.teacher.clone()
            } else {
                let previous = name(number - 1);
                output.join(&previous).join(&previous).join("network.nnue").display().to_string()
            },
            older: (number.saturating_sub(replay).max(1)..number)
                .map(|number| output.join(name(number)).join(GAMES_HERE))
                .chain(self.older.iter().cloned())
                .collect(),
            series: Series::default(),
            ..self.clone()
        };
        if generations == 0 { vec![self.clone()] } else { (1..=generations).map(member).collect() }
    }

    /// The training recipe for this data.
    ///
    /// # Errors
    /// When a field is unknown or out of range.
    pub fn recipe(&self, data: Vec<PathBuf>) -> Result<Recipe, RecipeError> {
        let mut table = self.recipe.clone();
        if let Some(toml::Value::Table(start)) = table.get_mut("start")
            && start.get("network").and_then(toml::Value::as_str) == Some("teacher")
        {
            start.remove("network");
            if self.teacher != "material" {
                start.insert("network".into(), self.teacher.clone().into());
            }
        }
        let own = [("name", self.name.clone().into()), ("description", self.description.clone().into())];
        own.into_iter().for_each(|(field, value)| drop(table.insert(field.into(), value)));
        table.entry("seed").or_insert(toml::Value::Integer(self.seed as i64));
        let text = toml::to_string(&table).unwrap_or_default();
        let mut recipe = Recipe::parse(&text).map_err(|error| error.quoted(&text))?;
        recipe.data = data;
        Ok(recipe)
    }

    /// The plan of self-play for this engine and the teacher, identified by its checksum.
    pub fn plan(&self, engine: &str, teacher: u32) -> SelfPlayPlan {
        let played = &self.selfplay;
        let default = SelfPlayPlan::default();
        SelfPlayPlan {
            engine: engine.into(),
            evaluation: format!("network {teacher:08x}"),
            seed: self.seed,
            soft_nodes: played.nodes,
            hard_nodes: if played.hard_nodes == 0 { played.nodes.saturating_mul(8) } else { played.hard_nodes },
            quick_nodes: played.quick_nodes,
            labels: played.labels,
            random_plies_min: played.random_min,
            random_plies_max: played.random_max,
            random_later: played.random_later,
            endgames: played.endgames,
            pv_nodes: played.pv_nodes,
            balance: played.balance,
            adjudication: Adjudication { win_score: played.win_score, ..default.adjudication },
            hash_mib: played.hash,
            ..default
        }
    }
}

#[cfg(test)]
mod tests;
