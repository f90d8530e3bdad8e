//! Training of networks on the CPU.
//!
//! A run follows a [`Recipe`]: it reads games, holds a window of positions in memory, draws batches in an order determined by the
//! seed, and after every *round* (a fixed number of batches) measures the validation loss and writes a checkpoint, a
//! quantised network and the loss curves. An interrupted run continues from its last checkpoint and gives bit-identical
//! results, on any number of threads and any instruction set: a batch is split into a fixed number
//! of shards whose sums are added in order, and no operation depends on the width of vectors.

mod checkpoint;
mod curves;
mod loader;
mod model;
mod optimizer;
mod quantise;
mod recipe;
mod run;
mod samples;
mod step;

pub use checkpoint::{Checkpoint, CheckpointError, Round};
pub use curves::{DrawingError, draw_losses};
pub use loader::{Loader, Validation};
pub use model::{Layout, Model};
pub use optimizer::{AdamW, learning_rate};
pub use quantise::{QuantisationError, measure_quantisation, quantise};
pub use recipe::{Decay, Filter, Optimizer, Recipe, RecipeError, Schedule, Start, Target};
pub use run::{Options, Trainer, TrainingError, check_start, train};
pub use samples::Sample;
pub use step::{Blend, Gradient, batch_gradient, validation_loss};

#[cfg(test)]
mod tests;
