//! `chuhe-tuning clip`: a network whose feature weights fit into fewer bits.

use crate::say;
use anyhow::{Context as _, anyhow};
use chuhe::nnue::{EIGHT_BIT_LIMIT, FEATURE_WEIGHT_LIMIT, Network, NetworkError};
use chuhe::system;
use clap::Args;
use std::path::PathBuf;

/// Writes a network with its feature weights clipped. Weights of at most 127 are stored in eight bits, which makes evaluation
/// faster; to train such a network, clip it first and then train it with `optimizer.feature_limit`.
#[derive(Args, Debug)]
pub struct Clip {
    /// Network file, `embedded` or `material`
    network: String,
    /// Output file
    #[arg(short, long)]
    output: PathBuf,
    /// Largest absolute value of a feature weight, in units of the file
    #[arg(long, default_value_t = EIGHT_BIT_LIMIT, value_parser = clap::value_parser!(i16).range(1..=FEATURE_WEIGHT_LIMIT as i64))]
    limit: i16,
}

/// Statistics of the clipping.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Cut {
    /// Feature weights that were beyond the limit.
    weights: usize,
    /// Total number of feature weights.
    of: usize,
    /// The largest change of a weight.
    largest: i16,
}

/// Clips the feature weights of a network. The description mentions the limit if any weight changed.
fn clip(network: &Network, limit: i16) -> Result<(Network, Cut), NetworkError> {
    let mut parameters = network.parameters();
    let mut cut = Cut { of: parameters.feature_weights.len(), ..Cut::default() };
    for weight in &mut parameters.feature_weights {
        let change = weight.abs() - limit;
        if change > 0 {
            cut.weights += 1;
            cut.largest = cut.largest.max(change);
            *weight = (*weight).clamp(-limit, limit);
        }
    }
    if cut.weights > 0 {
        parameters.description += &format!(" Feature weights cut to {limit}.");
    }
    Ok((Network::new(parameters)?, cut))
}

impl Clip {
    /// Runs and prints `weights N of ALL cut to LIMIT largest change C`.
    ///
    /// # Errors
    /// If the network cannot be read or the file cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        let network = super::read_network(&self.network)?;
        let (network, cut) = clip(&network, self.limit).with_context(|| self.network.clone())?;
        let failed = |error| anyhow!("{}: {error}", self.output.display());
        system::write_atomically(&self.output, &network.to_bytes()).map_err(failed)?;
        say!("weights {} of {} cut to {} largest change {}", cut.weights, cut.of, self.limit, cut.largest);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_weights_beyond_the_limit_are_cut() {
        let mut parameters = Network::material().parameters();
        parameters.feature_weights.fill(3);
        parameters.feature_weights[..4].copy_from_slice(&[128, -300, 127, -127]);
        parameters.hidden_biases[0] = 500;
        let network = Network::new(parameters.clone()).expect("all within the limits");
        let (cut_network, cut) = clip(&network, EIGHT_BIT_LIMIT).expect("all within the limits");
        assert_eq!(cut, Cut { weights: 2, of: parameters.feature_weights.len(), largest: 173 });
        assert_eq!((network.weight_bits(), cut_network.weight_bits()), (16, 8));
        parameters.feature_weights[..2].copy_from_slice(&[127, -127]);
        parameters.description += " Feature weights cut to 127.";
        assert!(cut_network.parameters() == parameters);
        // A second run changes nothing, not even the description.
        let (again, cut) = clip(&cut_network, EIGHT_BIT_LIMIT).expect("all within the limits");
        assert_eq!((cut.weights, cut.largest), (0, 0));
        assert!(again.parameters() == parameters);
    }
}
