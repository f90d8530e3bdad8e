//! The SPSA update, and the state of a run on disk.

use crate::at;
use anyhow::Context;
use chuhe::search::params::{self, Parameter};
use chuhe::system;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Decay exponent of the gain (Spall's recommendation).
const ALPHA: f64 = 0.602;
/// Decay exponent of the steps (likewise).
const GAMMA: f64 = 0.101;
/// Fraction of the run added to the iteration number in the gain, so that the first updates are not too large.
const STABILITY: f64 = 0.1;

/// The settings of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Total number of iterations.
    pub iterations: u64,
    /// Seed of signs and openings.
    pub seed: u64,
    /// Gain of the last iteration in units of the squared final step (fishtest's `r_end`).
    pub rate: f64,
    /// Final steps in multiples of the table's. A wide step measures a slope with fewer games, as long as the slope is constant over that range.
    #[serde(default = "one")]
    pub scale: f64,
}

/// The scale of runs from before the field existed.
fn one() -> f64 {
    1.0
}

/// A parameter of the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Its name in the search's table.
    pub name: String,
    /// Its current value.
    pub value: f64,
    /// Its initial value.
    pub start: f64,
}

/// The state of a run between two iterations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The settings.
    pub settings: Settings,
    /// Iterations done.
    pub done: u64,
    /// Half points won and lost by the upper sides of the steps, to check that neither is favoured.
    pub points: [u64; 2],
    /// The parameters.
    pub rows: Vec<Row>,
}

/// The perturbation of one iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Sign times step of every parameter.
    shifts: Vec<f64>,
    /// Gain divided by the step, of every parameter.
    gains: Vec<f64>,
    /// Parameters moved along the shifts, rounded and kept in range.
    pub upper: Vec<(String, i32)>,
    /// Parameters moved against them.
    pub lower: Vec<(String, i32)>,
}

fn parameter(name: &str) -> anyhow::Result<&'static Parameter> {
    params::ALL.iter().find(|row| row.name == name).with_context(|| format!("'{name}' is not a parameter of the search"))
}

impl State {
    /// The initial state of a run, with all parameters of the table if `names` is empty.
    ///
    /// # Errors
    /// When a name is not in the search's table.
    pub fn new(settings: Settings, names: &[String]) -> anyhow::Result<State> {
        let all: Vec<String> = params::ALL.iter().map(|row| row.name.to_string()).collect();
        let names = if names.is_empty() { &all } else { names };
        let rows = names.iter().map(|name| {
            let start = parameter(name)?.default as f64;
            Ok(Row { name: name.clone(), value: start, start })
        });
        Ok(State { settings, done: 0, points: [0; 2], rows: rows.collect::<anyhow::Result<_>>()? })
    }

    /// Reads the state of a run.
    ///
    /// # Errors
    /// When the file is not a state file, or names parameters that the search no longer has.
    pub fn read(path: &Path) -> anyhow::Result<State> {
        let text = std::fs::read_to_string(path).map_err(at(path))?;
        let state: State = serde_json::from_str(&text).map_err(at(path))?;
        state.rows.iter().try_for_each(|row| parameter(&row.name).map(drop))?;
        Ok(state)
    }

    /// Writes the state atomically.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(at(path))?;
        system::write_atomically(path, (text + "\n").as_bytes()).map_err(at(path))
    }

    /// The next perturbation, a function of the state.
    ///
    /// # Errors
    /// When a parameter is not in the search's table.
    pub fn trial(&self) -> anyhow::Result<Trial> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed ^ self.done.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let iteration = (self.done + 1) as f64;
        let last = self.settings.iterations.max(1) as f64;
        let delay = STABILITY * last;
        let mut trial = Trial { shifts: vec![], gains: vec![], upper: vec![], lower: vec![] };
        for row in &self.rows {
            let parameter = parameter(&row.name)?;
            let last_step = parameter.step * self.settings.scale;
            let step = last_step * (last / iteration).powf(GAMMA);
            let gain = self.settings.rate * last_step.powi(2) * ((delay + last) / (delay + iteration)).powf(ALPHA);
            let shift = if random.random::<bool>() { step } else { -step };
            // Stochastic rounding, so that a step smaller than one still changes the parameter sometimes.
            let chance = random.random::<u32>() as f64 / (u32::MAX as f64 + 1.0);
            let at = |value: f64| ((value + chance).floor() as i32).clamp(parameter.min, parameter.max);
            trial.upper.push((row.name.clone(), at(row.value + shift)));
            trial.lower.push((row.name.clone(), at(row.value - shift)));
            trial.shifts.push(shift);
            trial.gains.push(gain / step);
        }
        Ok(trial)
    }

    /// Updates the parameters with the games of a trial: won, drawn and lost by its upper side.
    ///
    /// # Errors
    /// When a parameter is not in the search's table.
    pub fn learn(&mut self, trial: &Trial, [won, drawn, lost]: [u64; 3]) -> anyhow::Result<()> {
        let surplus = won as f64 - lost as f64;
        for ((row, shift), gain) in self.rows.iter_mut().zip(&trial.shifts).zip(&trial.gains) {
            let parameter = parameter(&row.name)?;
            row.value = (row.value + gain * surplus * shift.signum()).clamp(parameter.min as f64, parameter.max as f64);
        }
        self.points[0] += 2 * won + drawn;
        self.points[1] += 2 * lost + drawn;
        self.done += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(iterations: u64) -> State {
        State::new(Settings { iterations, seed: 3, rate: 0.002, scale: 1.0 }, &[]).expect("the whole table")
    }

    #[test]
    fn both_sides_stay_in_range_and_differ() {
        let state = state(1000);
        let trial = state.trial().expect("rows of the table");
        assert_eq!(trial, state.trial().expect("rows of the table"));
        assert!(trial.upper != trial.lower);
        for (name, value) in trial.upper.iter().chain(&trial.lower) {
            let row = parameter(name).expect("a row of the table");
            assert!((row.min..=row.max).contains(value), "{name} {value}");
        }
    }

    #[test]
    fn a_scale_widens_the_steps() {
        let shifts = |scale| {
            let settings = Settings { iterations: 1000, seed: 3, rate: 0.002, scale };
            State::new(settings, &[]).and_then(|state| state.trial()).expect("rows of the table").shifts
        };
        assert_eq!(shifts(1.0).iter().map(|shift| shift * 4.0).collect::<Vec<_>>(), shifts(4.0));
    }

    #[test]
    fn parameters_move_towards_the_better_side() {
        // Games are decided by the distance from an optimum that is not the default: the run must approach it.
        let names: Vec<String> = params::ALL[..3].iter().map(|row| row.name.to_string()).collect();
        let mut state = State::new(Settings { iterations: 3000, seed: 1, rate: 0.02, scale: 1.0 }, &names).expect("three rows");
        let goals: Vec<f64> = params::ALL[..3].iter().map(|row| row.default as f64 + 6.0 * row.step).collect();
        let distance = |values: &[(String, i32)]| -> f64 {
            values
                .iter()
                .zip(&goals)
                .zip(params::ALL)
                .map(|(((_, value), goal), row)| ((*value as f64 - goal) / row.step).powi(2))
                .sum()
        };
        let start = distance(&state.rows.iter().map(|row| (row.name.clone(), row.value as i32)).collect::<Vec<_>>());
        while state.done < state.settings.iterations {
            let trial = state.trial().expect("rows of the table");
            let surplus = distance(&trial.lower) - distance(&trial.upper);
            state.learn(&trial, if surplus > 0.0 { [3, 2, 1] } else { [1, 2, 3] }).expect("rows of the table");
        }
        let end = distance(&state.rows.iter().map(|row| (row.name.clone(), row.value as i32)).collect::<Vec<_>>());
        assert!(end < start / 4.0, "{start} {end}");
    }

    #[test]
    fn the_state_round_trips_and_unknown_names_are_rejected() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("spsa.json");
        let mut state = state(10);
        let trial = state.trial().expect("rows of the table");
        state.learn(&trial, [2, 1, 1]).expect("rows of the table");
        state.write(&path).expect("room on the disk");
        assert_eq!(State::read(&path).expect("what was just written"), state);
        assert!(State::new(state.settings.clone(), &["nothing".into()]).is_err());
        std::fs::write(&path, "{}").expect("room on the disk");
        assert!(State::read(&path).is_err());
    }
}
