//! Networks by name.

use chuhe::nnue::{Network, NetworkFileError};
use std::path::Path;
use std::sync::Arc;

/// The network in a file, for `embedded` the built-in one of the engine, or for `material` the one that counts material.
///
/// # Errors
/// If the file is not a network that this program can use.
pub fn read_network(name: &str) -> Result<Arc<Network>, NetworkFileError> {
    match name {
        "embedded" => Ok(Arc::clone(Network::builtin())),
        "material" => Ok(Arc::new(Network::material())),
        path => Network::read(Path::new(path)).map(Arc::new),
    }
}
