//! Loss and gradient of a batch, multi-threaded and vectorised.
//!
//! The inner loops are plain code over small arrays that the compiler vectorises; the code is compiled once for each
//! instruction set and selected at run time. No sum runs across an array in an order that depends on the vector width, so all
//! instruction sets give bit-identical results.

use super::model::{Layout, Model};
use super::samples::{Features, Sample};
use chuhe::board::Level;
use chuhe::nnue::{INPUTS, Width};

/// Size of the blocks that are summed together: as many numbers as fit in registers.
const TILE: usize = 128;
/// Number of partial sums across a row: at least as many as the widest vector has lanes.
const LANES: usize = 16;
/// Number of rows of a model before the output weights; the output biases come after all rows.
const FIRST_OUTPUT_ROW: usize = INPUTS + 1;
const _: () = assert!(TILE.is_multiple_of(LANES));
const _: () = {
    let mut at = 0;
    while at < Width::ALL.len() {
        let layout = Layout(Width::ALL[at]);
        let units = Width::ALL[at].units();
        assert!(units.is_multiple_of(TILE));
        assert!(layout.output_weights() == FIRST_OUTPUT_ROW * units && layout.output_biases().is_multiple_of(units));
        at += 1;
    }
};

/// Sum of gradients and losses over some positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Gradient {
    /// In the order of [`Model::parameters`].
    pub sums: Vec<f32>,
    /// Sum of losses.
    pub loss: f64,
}

impl Gradient {
    /// The gradient of no positions.
    pub fn zero(width: Width) -> Gradient {
        Gradient { sums: vec![0.0; Layout(width).parameters()], loss: 0.0 }
    }
}

/// Parameters of the target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blend {
    /// Weight of the result.
    pub share: f32,
    /// Centipawns of 1.0.
    pub scale: f32,
}

/// The accumulators of both views.
#[repr(align(64))]
struct Views<const W: usize>([[f32; W]; 2]);

/// Sums the rows of the features of one view.
#[inline(always)]
fn sum_rows<const W: usize>(rows: &[[f32; W]], features: &[u16], out: &mut [f32; W]) {
    let (tiles, _) = out.as_chunks_mut::<TILE>();
    for (number, out) in tiles.iter_mut().enumerate() {
        let mut tile = rows[INPUTS].as_chunks::<TILE>().0[number];
        for &feature in features {
            let row = &rows[feature as usize].as_chunks::<TILE>().0[number];
            for unit in 0..TILE {
                tile[unit] += row[unit];
            }
        }
        *out = tile;
    }
}

/// Dot product of squared clipped numbers with weights.
#[inline(always)]
fn squared_dot<const W: usize>(numbers: &[f32; W], weights: &[f32; W]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    for (numbers, weights) in numbers.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            let clipped = numbers[lane].clamp(0.0, 1.0);
            lanes[lane] += clipped * clipped * weights[lane];
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The winning probability of a position according to the model; the accumulators of both views are left in `views`.
#[inline(always)]
fn forward<const W: usize>(
    rows: &[[f32; W]],
    output_biases: &[f32],
    bucket: usize,
    features: &Features,
    views: &mut Views<W>,
) -> f32 {
    let mut output = output_biases[bucket];
    for view in 0..2 {
        sum_rows(rows, features.view(view), &mut views.0[view]);
        output += squared_dot(&views.0[view], &rows[FIRST_OUTPUT_ROW + bucket * 2 + view]);
    }
    1.0 / (1.0 + (-output).exp())
}

/// Adds a row to another.
#[inline(always)]
fn add_row<const W: usize>(sum: &mut [f32; W], part: &[f32; W]) {
    for unit in 0..W {
        sum[unit] += part[unit];
    }
}

/// Loss and gradient of some positions, added to `gradient`.
#[inline(always)]
fn shard<const W: usize>(model: &[f32], samples: &[Sample], blend: Blend, gradient: &mut Gradient) {
    let mut features = Features::NONE;
    let mut views = Views([[0.0; W]; 2]);
    let (rows, output_biases) = model.as_chunks::<W>();
    let (sums, output_bias_sums) = gradient.sums.as_chunks_mut::<W>();
    for sample in samples {
        sample.features(&mut features);
        let bucket = sample.bucket();
        let chance = forward(rows, output_biases, bucket, &features, &mut views);
        let error = chance - sample.target(blend.share, blend.scale);
        gradient.loss += (error * error) as f64;
        let slope = 2.0 * error * chance * (1.0 - chance);
        output_bias_sums[bucket] += slope;
        for view in 0..2 {
            let numbers = &mut views.0[view];
            let output_row = FIRST_OUTPUT_ROW + bucket * 2 + view;
            let (weights, weight_sums) = (&rows[output_row], &mut sums[output_row]);
            for unit in 0..W {
                let clipped = numbers[unit].clamp(0.0, 1.0);
                weight_sums[unit] += slope * clipped * clipped;
                let inside = if numbers[unit] > 0.0 && numbers[unit] < 1.0 { 2.0 * clipped } else { 0.0 };
                numbers[unit] = slope * weights[unit] * inside;
            }
            add_row(&mut sums[INPUTS], numbers);
            for &feature in features.view(view) {
                add_row(&mut sums[feature as usize], numbers);
            }
        }
    }
}

/// Sum of the losses of some positions.
#[inline(always)]
fn loss<const W: usize>(model: &[f32], samples: &[Sample], blend: Blend) -> f64 {
    let mut features = Features::NONE;
    let mut views = Views([[0.0; W]; 2]);
    let (rows, output_biases) = model.as_chunks::<W>();
    let mut total = 0.0;
    for sample in samples {
        sample.features(&mut features);
        let chance = forward(rows, output_biases, sample.bucket(), &features, &mut views);
        let error = chance - sample.target(blend.share, blend.scale);
        total += (error * error) as f64;
    }
    total
}

macro_rules! at_level {
    ($name:ident $(, $features:literal)?) => {
        mod $name {
            use super::{Blend, Gradient, Sample};

            $(#[target_feature(enable = $features)])?
            pub(super) fn shard<const W: usize>(model: &[f32], samples: &[Sample], blend: Blend, gradient: &mut Gradient) {
                super::shard::<W>(model, samples, blend, gradient);
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn loss<const W: usize>(model: &[f32], samples: &[Sample], blend: Blend) -> f64 {
                super::loss::<W>(model, samples, blend)
            }
        }
    };
}

at_level!(baseline);
#[cfg(target_arch = "x86_64")]
at_level!(v3, "avx2");
#[cfg(target_arch = "x86_64")]
at_level!(v4, "avx2,avx512f,avx512bw,avx512vl,avx512dq");

/// Calls a function for an instruction set, or the portable one if the processor lacks it, for a width of the hidden layer.
macro_rules! call {
    ($level:expr, $width:expr, $function:ident($($argument:expr),*)) => {
        match $width {
            Width::W256 => call!($level, $function::<256>($($argument),*)),
            Width::W512 => call!($level, $function::<512>($($argument),*)),
            Width::W768 => call!($level, $function::<768>($($argument),*)),
            Width::W1024 => call!($level, $function::<1024>($($argument),*)),
        }
    };
    ($level:expr, $function:ident::<$units:literal>($($argument:expr),*)) => {
        match $level {
            // SAFETY: each arm is taken only when the processor has every feature that its module enables.
            #[cfg(target_arch = "x86_64")]
            Level::V3 if Level::V3.is_available() => unsafe { v3::$function::<$units>($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::V4 if Level::V4.is_available() => unsafe { v4::$function::<$units>($($argument),*) },
            _ => baseline::$function::<$units>($($argument),*),
        }
    };
}

/// Splits positions into one part per shard, all but the last of equal length.
fn cut(samples: &[Sample], shards: usize) -> impl Iterator<Item = &[Sample]> {
    samples.chunks(samples.len().div_ceil(shards.max(1)).max(1))
}

/// Overwrites `gradients`, one for each shard, with the loss and gradient of a batch.
pub fn batch_gradient(model: &Model, batch: &[Sample], blend: Blend, threads: usize, gradients: &mut [Gradient]) {
    let level = Level::highest();
    let mut work: Vec<(&mut Gradient, &[Sample])> = Vec::with_capacity(gradients.len());
    let mut parts = cut(batch, gradients.len());
    for gradient in gradients {
        work.push((gradient, parts.next().unwrap_or(&[])));
    }
    let share = work.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for chunk in work.chunks_mut(share) {
            scope.spawn(move || {
                for (gradient, samples) in chunk {
                    gradient.sums.fill(0.0);
                    gradient.loss = 0.0;
                    call!(level, model.width, shard(&model.parameters, samples, blend, gradient));
                }
            });
        }
    });
}

/// Mean loss over positions.
pub fn validation_loss(model: &Model, samples: &[Sample], blend: Blend, shards: usize, threads: usize) -> f64 {
    let level = Level::highest();
    let parts: Vec<&[Sample]> = cut(samples, shards).collect();
    let mut losses = vec![0.0; parts.len()];
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for (parts, losses) in parts.chunks(share).zip(losses.chunks_mut(share)) {
            scope.spawn(move || {
                for (part, out) in parts.iter().zip(losses) {
                    *out = call!(level, model.width, loss(&model.parameters, part, blend));
                }
            });
        }
    });
    losses.iter().sum::<f64>() / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::tests::random_samples;

    const BLEND: Blend = Blend { share: 0.4, scale: 400.0 };

    #[test]
    fn all_instruction_sets_give_the_same_bits() {
        for width in Width::ALL {
            let (model, samples) = (Model::new(width, 5, 0.1), random_samples(100, 1));
            let mut reference = Gradient::zero(width);
            call!(Level::Baseline, width, shard(&model.parameters, &samples, BLEND, &mut reference));
            assert!(reference.loss > 0.0);
            for level in [Level::V3, Level::V4].into_iter().filter(|level| level.is_available()) {
                let mut gradient = Gradient::zero(width);
                call!(level, width, shard(&model.parameters, &samples, BLEND, &mut gradient));
                assert!(gradient == reference, "{width:?} {level:?}");
                assert_eq!(call!(level, width, loss(&model.parameters, &samples, BLEND)), reference.loss, "{width:?} {level:?}");
            }
        }
    }

    #[test]
    fn the_gradient_does_not_depend_on_the_number_of_threads() {
        let (model, samples) = (Model::new(Width::W256, 6, 0.1), random_samples(500, 2));
        let run = |threads| {
            let mut gradients = vec![Gradient::zero(Width::W256); 6];
            batch_gradient(&model, &samples, BLEND, threads, &mut gradients);
            gradients
        };
        assert!(run(1) == run(4));
        assert_eq!(validation_loss(&model, &samples, BLEND, 6, 1), validation_loss(&model, &samples, BLEND, 6, 5));
    }

    /// Whether a step of a parameter takes a hidden unit of any position across a clipping bound, where the loss has a kink
    /// and a finite difference does not approximate the slope.
    fn crosses_a_clip(model: &Model, samples: &[Sample], parameter: usize, step: f32) -> bool {
        let (layout, units) = (model.layout(), model.width.units());
        if parameter >= layout.output_weights() {
            return false;
        }
        let (row, unit) = (parameter / units, parameter % units);
        let mut features = Features::NONE;
        samples.iter().any(|sample| {
            sample.features(&mut features);
            (0..2).any(|view| {
                let rows = features.view(view);
                // A bias is part of every sum.
                let is_part = row == INPUTS || rows.iter().any(|&feature| feature as usize == row);
                let sum: f32 = rows.iter().map(|&row| model.parameters[row as usize * units + unit]).sum::<f32>()
                    + model.parameters[layout.hidden_biases() + unit];
                is_part && [0.0, 1.0].iter().any(|edge: &f32| (sum - edge).abs() <= step)
            })
        })
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        for width in Width::ALL {
            let (mut model, samples) = (Model::new(width, 7, 0.1), random_samples(40, 3));
            let mut gradient = Gradient::zero(width);
            call!(Level::highest(), width, shard(&model.parameters, &samples, BLEND, &mut gradient));
            let error = |sample: &Sample| {
                let chance = 1.0 / (1.0 + (-model.output(sample)).exp());
                (chance - sample.target(BLEND.share, BLEND.scale)).powi(2) as f64
            };
            let plain: f64 = samples.iter().map(error).sum();
            assert!((plain - gradient.loss).abs() < 1e-4 * plain, "{plain} {}", gradient.loss);
            // The steepest parameters of each kind, by central differences.
            let layout = model.layout();
            let ends = [0, layout.hidden_biases(), layout.output_weights(), layout.output_biases(), layout.parameters()];
            for kind in ends.windows(2) {
                let mut order: Vec<usize> = (kind[0]..kind[1]).collect();
                order.sort_by(|&a, &b| gradient.sums[b].abs().total_cmp(&gradient.sums[a].abs()));
                let step = 2e-3;
                let smooth: Vec<usize> =
                    order.into_iter().filter(|&parameter| !crosses_a_clip(&model, &samples, parameter, step)).take(3).collect();
                assert_eq!(smooth.len(), 3, "{width:?} {kind:?}");
                for parameter in smooth {
                    let value = model.parameters[parameter];
                    let mut at = |value| {
                        model.parameters[parameter] = value;
                        call!(Level::highest(), width, loss(&model.parameters, &samples, BLEND))
                    };
                    let slope = (at(value + step) - at(value - step)) / (2.0 * step as f64);
                    at(value);
                    let expected = gradient.sums[parameter] as f64;
                    assert!((slope - expected).abs() < 0.03 * expected.abs() + 1e-4, "{width:?} {parameter}: {slope} {expected}");
                }
            }
        }
    }
}
