//! Networks by name.

use chuhe::nnue::{Network, NetworkFileError};
use std::path::Path;
use std::sync::Arc;

/// The network in a file, for `embedded` the one that the engine carries, or for `material` the one that counts pieces.
///
/// # Errors
/// When the file is no network that this program can use.
pub fn read_network(name: &str) -> Result<Arc<Network>, NetworkFileError> {
    match name {
        "embedded" => Ok(Arc::clone(chuhe::eval::embedded())),
        "material" => Ok(Arc::new(Network::material())),
        path => Network::read(Path::new(path)).map(Arc::new),
    }
}
