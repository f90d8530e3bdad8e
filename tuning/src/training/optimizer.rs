//! AdamW (Loshchilov and Hutter 2019) and the learning rate.

use super::model::{Layout, Model};
use super::step::Gradient;
use super::{Decay, Optimizer, Schedule};

/// Avoids a division by zero in the update.
const EPSILON: f32 = 1e-8;
/// Number of parameters per work item of a thread.
const BLOCK: usize = 1 << 13;

/// The optimizer's state.
#[derive(Clone, PartialEq, Debug)]
pub struct AdamW {
    /// Running mean of the gradient.
    pub mean: Vec<f32>,
    /// Running mean of its square.
    pub square: Vec<f32>,
    /// Running mean of the parameters, from which the network is made.
    pub average: Vec<f32>,
    /// Number of steps.
    pub steps: u64,
}

/// The learning rate of a batch, counted from 0.
pub fn learning_rate(schedule: &Schedule, batch: usize) -> f32 {
    if batch < schedule.warmup {
        return schedule.rate_start * (batch + 1) as f32 / (schedule.warmup + 1) as f32;
    }
    let whole = (schedule.round * schedule.rounds).saturating_sub(schedule.warmup + 1).max(1);
    let progress = ((batch - schedule.warmup) as f64 / whole as f64).min(1.0);
    let (start, end) = (schedule.rate_start as f64, schedule.rate_end as f64);
    let rate = match schedule.decay {
        Decay::Constant => start,
        Decay::Linear => start + (end - start) * progress,
        Decay::Cosine => end + (start - end) * (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0,
        Decay::Exponential => start * (end / start.max(end * 1e-6)).powf(progress),
    };
    rate as f32
}

/// One block of parameters.
struct Block<'a> {
    first: usize,
    parameters: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    average: &'a mut [f32],
}

impl AdamW {
    /// The initial state for a model.
    pub fn new(model: &Model) -> AdamW {
        let count = model.parameters.len();
        AdamW { mean: vec![0.0; count], square: vec![0.0; count], average: model.parameters.clone(), steps: 0 }
    }

    /// Updates the model with the mean gradient of a batch of `positions`, and clips it to the range of quantisation.
    pub fn step(
        &mut self,
        model: &mut Model,
        gradients: &[Gradient],
        positions: usize,
        rate: f32,
        settings: &Optimizer,
        threads: usize,
    ) {
        self.steps += 1;
        let corrections = [settings.beta1, settings.beta2].map(|beta| 1.0 - (beta as f64).powi(self.steps.min(1 << 30) as i32));
        let step = Step {
            share: 1.0 / positions.max(1) as f32,
            rate,
            mean_correction: 1.0 / corrections[0] as f32,
            square_correction: 1.0 / corrections[1] as f32,
            // The decay is smaller in the first steps, otherwise the random initial weights would stay in the average for long.
            average: settings.average.min(self.steps as f32 / (self.steps as f32 + 10.0)),
            settings,
            layout: model.layout(),
        };
        let mut blocks: Vec<Block<'_>> = model
            .parameters
            .chunks_mut(BLOCK)
            .zip(self.mean.chunks_mut(BLOCK).zip(self.square.chunks_mut(BLOCK)))
            .zip(self.average.chunks_mut(BLOCK))
            .enumerate()
            .map(|(number, ((parameters, (mean, square)), average))| Block {
                first: number * BLOCK,
                parameters,
                mean,
                square,
                average,
            })
            .collect();
        let share = blocks.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for blocks in blocks.chunks_mut(share) {
                let step = &step;
                scope.spawn(move || blocks.iter_mut().for_each(|block| step.apply(block, gradients)));
            }
        });
    }
}

/// The constants of one step.
struct Step<'a> {
    share: f32,
    rate: f32,
    mean_correction: f32,
    square_correction: f32,
    average: f32,
    settings: &'a Optimizer,
    layout: Layout,
}

impl Step<'_> {
    fn apply(&self, block: &mut Block<'_>, gradients: &[Gradient]) {
        let mut sums = [0.0f32; BLOCK];
        let sums = &mut sums[..block.parameters.len()];
        // In the order of the shards, so that the sum does not depend on the threads.
        for gradient in gradients {
            for (sum, part) in sums.iter_mut().zip(&gradient.sums[block.first..]) {
                *sum += part;
            }
        }
        let Optimizer { beta1, beta2, weight_decay, feature_limit, .. } = *self.settings;
        let moments = block.mean.iter_mut().zip(block.square.iter_mut());
        for ((parameter, sum), (mean, square)) in block.parameters.iter_mut().zip(sums.iter()).zip(moments) {
            let slope = sum * self.share;
            *mean = beta1 * *mean + (1.0 - beta1) * slope;
            *square = beta2 * *square + (1.0 - beta2) * slope * slope;
            let direction = *mean * self.mean_correction / ((*square * self.square_correction).sqrt() + EPSILON);
            *parameter -= self.rate * (direction + weight_decay * *parameter);
        }
        for (number, parameter) in block.parameters.iter_mut().enumerate() {
            let limit = self.layout.limit(block.first + number, feature_limit);
            *parameter = parameter.clamp(-limit, limit);
        }
        for (average, parameter) in block.average.iter_mut().zip(block.parameters.iter()) {
            *average = self.average * *average + (1.0 - self.average) * parameter;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::nnue::Width;

    #[test]
    fn the_rate_rises_then_decays_to_its_end() {
        for decay in [Decay::Linear, Decay::Cosine, Decay::Exponential] {
            let schedule =
                Schedule { round: 10, rounds: 10, warmup: 5, rate_start: 1e-2, rate_end: 1e-4, decay, ..Schedule::default() };
            let rates: Vec<f32> = (0..100).map(|batch| learning_rate(&schedule, batch)).collect();
            assert!(rates[..6].windows(2).all(|pair| pair[0] < pair[1]), "{decay:?}");
            assert!(rates[6..].windows(2).all(|pair| pair[0] > pair[1]), "{decay:?}");
            assert!((rates[5] - 1e-2).abs() < 1e-6 && (rates[99] - 1e-4).abs() < 1e-6, "{decay:?} {} {}", rates[5], rates[99]);
        }
    }

    #[test]
    fn the_first_step_is_the_rate_against_the_gradients_sign() {
        let mut model = Model::new(Width::W256, 1, 0.1);
        let before = model.clone();
        let mut gradient = Gradient::zero(Width::W256);
        gradient.sums[7] = 3.0;
        gradient.sums[9] = -0.5;
        let settings = Optimizer { weight_decay: 0.0, ..Optimizer::default() };
        let mut optimizer = AdamW::new(&model);
        optimizer.step(&mut model, &[gradient], 10, 0.01, &settings, 3);
        assert!((before.parameters[7] - model.parameters[7] - 0.01).abs() < 1e-5);
        assert!((before.parameters[9] - model.parameters[9] + 0.01).abs() < 1e-5);
        assert_eq!(before.parameters[8], model.parameters[8]);
        assert!(optimizer.average == model.parameters, "no averaging unless the recipe asks for it");
    }

    #[test]
    fn the_average_follows_the_parameters() {
        let mut model = Model::new(Width::W256, 1, 0.1);
        let mut gradient = Gradient::zero(Width::W256);
        gradient.sums[7] = 1.0;
        let settings = Optimizer { weight_decay: 0.0, average: 0.9, ..Optimizer::default() };
        let mut optimizer = AdamW::new(&model);
        let mut expected = model.parameters[7];
        for step in 1..200 {
            optimizer.step(&mut model, std::slice::from_ref(&gradient), 1, 1e-3, &settings, 2);
            let decay = 0.9f32.min(step as f32 / (step as f32 + 10.0));
            expected = decay * expected + (1.0 - decay) * model.parameters[7];
        }
        assert!((optimizer.average[7] - expected).abs() < 1e-5);
        // The average follows a constant decrease of 1e-3 per step with a lag of nine steps.
        assert!((optimizer.average[7] - model.parameters[7] - 9e-3).abs() < 1e-3);
        assert_eq!(optimizer.average[8], model.parameters[8]);
    }
}
