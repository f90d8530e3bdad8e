//! The report of a generation: games, training and match results.

use super::plots::{Curve, Fault, bars, curves};
use super::{Generation, GenerationError};
use crate::datasets::{Statistics, Tally, for_each_game, total_size};
use crate::selfplay::{Score, SelfPlayPlan};
use crate::training::Round;
use chuhe::eval::WDL_MODEL;
use chuhe::system;
use indicatif::ProgressBar;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A match of the new network against another.
pub(super) struct Match {
    /// Name of the opponent.
    pub(super) opponent: String,
    /// Nodes per move.
    pub(super) nodes: u64,
    /// Half points of the new network in the two games of each pair.
    pub(super) pairs: Vec<[u8; 2]>,
}

/// Width of a score class in the plots in centipawns.
const SCORE_CLASS: i32 = 50;
/// Largest score in the plots.
const MAX_PLOTTED_SCORE: i32 = 1000;

/// Statistics of the data for the report.
struct Data {
    statistics: Statistics,
    tally: Tally,
    /// Labels by score, in classes.
    scores: Vec<u64>,
}

impl Data {
    fn read(files: &[PathBuf]) -> Result<Data, GenerationError> {
        let statistics = Statistics { bytes: total_size(files)?, ..Statistics::default() };
        let mut data =
            Data { statistics, tally: Tally::default(), scores: vec![0; (2 * MAX_PLOTTED_SCORE / SCORE_CLASS) as usize] };
        for_each_game(files, &ProgressBar::hidden(), |game| {
            data.statistics.add(&game);
            data.tally.add(&game);
            for score in game.plies.iter().filter_map(|ply| ply.score) {
                let class = (score as i32 + MAX_PLOTTED_SCORE).div_euclid(SCORE_CLASS);
                if let Some(count) = usize::try_from(class).ok().and_then(|class| data.scores.get_mut(class)) {
                    *count += 1;
                }
            }
            Ok(())
        })?;
        Ok(data)
    }

    /// Points of the side to move by score, and those expected by the logistic curve of the target.
    fn points(&self, scale: f64) -> [Curve; 2] {
        let middle = |from: i32| f64::from(from) + f64::from(SCORE_CLASS) / 2.0;
        let classes = || (-MAX_PLOTTED_SCORE..MAX_PLOTTED_SCORE).step_by(SCORE_CLASS as usize);
        let happened = classes().filter_map(|from| {
            let (_, points, _) = self.tally.points(&WDL_MODEL, [2, 32], [from, from + SCORE_CLASS])?;
            Some((middle(from), points))
        });
        let expected = classes().map(|from| (middle(from), 1.0 / (1.0 + (-middle(from) / scale).exp())));
        [
            Curve { name: "points made".into(), points: happened.collect() },
            Curve { name: format!("logistic curve, scale {scale}"), points: expected.collect() },
        ]
    }
}

/// Elo after each number of pairs.
fn elo_curve(found: &Match) -> Curve {
    let mut score = Score::default();
    let mut points = Vec::new();
    for (number, &pair) in found.pairs.iter().enumerate() {
        score.add(pair);
        let (elo, _) = score.elo();
        if number >= 9 && elo.is_finite() {
            points.push((number as f64 + 1.0, elo));
        }
    }
    Curve { name: format!("against {}", found.opponent), points }
}

/// The plots by file name, or the reasons why they cannot be drawn.
fn pictures(data: &Data, scale: f64, matches: &[Match]) -> Vec<(&'static str, Result<String, Fault>)> {
    let scores: Vec<(f64, u64)> = data
        .scores
        .iter()
        .enumerate()
        .map(|(class, &count)| (f64::from(class as i32 * SCORE_CLASS - MAX_PLOTTED_SCORE), count))
        .collect();
    let pieces: Vec<(f64, u64)> =
        data.statistics.pieces.iter().enumerate().map(|(number, &count)| (number as f64 + 1.5, count)).collect();
    let mut pictures = vec![
        ("scores.svg", bars("labels by score", "centipawns", f64::from(SCORE_CLASS), &scores)),
        ("pieces.svg", bars("labels by pieces on the board", "pieces", 1.0, &pieces)),
        ("points.svg", curves("points by score", ["centipawns", "points of the side to move"], &data.points(scale))),
    ];
    if !matches.is_empty() {
        let elo: Vec<Curve> = matches.iter().map(elo_curve).collect();
        pictures.push(("elo.svg", curves("Elo by pairs of games", ["pairs", "Elo"], &elo)));
    }
    pictures
}

/// Writes `report.md` and its plots into the generation's folder; `games` are the files of its games.
pub(super) fn write_report(
    generation: &Generation,
    folder: &Path,
    games: &[PathBuf],
    plan: &SelfPlayPlan,
    matches: &[Match],
) -> Result<(), GenerationError> {
    let name = &generation.name;
    let replace = |file: &str, text: &str| {
        let path = folder.join(file);
        system::write_atomically(&path, text.as_bytes()).map_err(GenerationError::io(&path))
    };
    let recipe = generation.recipe(Vec::new())?;
    let read = Data::read(games)?;
    let run = folder.join(name);
    let losses = run.join("losses.jsonl");
    let losses = std::fs::read_to_string(&losses).map_err(GenerationError::io(&losses))?;
    let rounds: Vec<Round> = losses.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut text = format!("# {name}\n\n{}\n\n## Games\n\n", generation.description);
    let _ = writeln!(text, "Played by {} with {}; seed {}.\n", plan.engine, plan.evaluation, plan.seed);
    let _ = writeln!(text, "```text\n{}```\n", read.statistics);
    let pictures = pictures(&read, f64::from(recipe.target.scale), matches);
    let mut drawn = Vec::new();
    for (file, picture) in pictures {
        match picture {
            Ok(picture) => {
                replace(file, &picture)?;
                drawn.push(file);
            }
            // A report without a plot is better than none.
            Err(error) => log::warn!("{}: {error}", folder.join(file).display()),
        }
    }
    let image = |text: &mut String, file: &str| {
        if drawn.contains(&file) {
            let _ = writeln!(text, "![]({file})\n");
        }
    };
    ["scores.svg", "pieces.svg", "points.svg"].into_iter().for_each(|file| image(&mut text, file));
    text.push_str("## Training\n\n");
    if let Some(last) = rounds.last() {
        let positions: u64 = rounds.iter().map(|round| round.positions).sum();
        let seconds: f64 = rounds.iter().map(|round| round.seconds).sum();
        let _ = writeln!(
            text,
            "{} hidden units, {} rounds, {:.1} million positions in {:.0} s; loss {:.6}, validation {:.6}.\n",
            recipe.hidden,
            rounds.len(),
            positions as f64 / 1e6,
            seconds,
            last.loss,
            last.validation_loss
        );
    }
    let _ = writeln!(text, "![]({name}/losses.svg)\n\nThe recipe: `{name}/recipe.toml`. The network: `{name}/network.nnue`.\n");
    text.push_str("## Matches\n\n| against | nodes a move | games | result | Elo |\n|---|---|---|---|---|\n");
    for found in matches {
        let score = found.score();
        let ([won, drawn, lost], (elo, error)) = (score.games, score.elo());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {won}-{drawn}-{lost} | {elo:+.1} ± {error:.1} |",
            found.opponent,
            found.nodes,
            found.pairs.len() * 2
        );
    }
    text.push('\n');
    image(&mut text, "elo.svg");
    replace("report.md", &text)
}
