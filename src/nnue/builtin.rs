//! The built-in network: the only place that selects it.
//!
//! It is the file named here, unless the environment variable `EVALFILE` names another one (the build script converts that into an
//! absolute path and `cfg(evalfile)`, and verifies its checksum). Header and length of the file, and the pinned checksum of the
//! default one, are checked at compile time; a test loads it. Without the cargo feature `network` the program uses
//! [`Network::material`] until [`provide`] supplies a network.

use super::Network;
use std::sync::{Arc, OnceLock};

#[cfg(feature = "network")]
mod file {
    use super::super::architecture::{HEAD, MAGIC, VERSION, Width};

    /// The contents of the network file.
    #[cfg(not(evalfile))]
    pub(super) static BYTES: &[u8] = include_bytes!("networks/fifteenth.nnue");
    #[cfg(evalfile)]
    pub(super) static BYTES: &[u8] = include_bytes!(env!("CHUHE_EVALFILE"));

    /// Display name.
    #[cfg(not(evalfile))]
    pub(super) const NAME: &str = "fifteenth";
    #[cfg(evalfile)]
    pub(super) const NAME: &str = "EVALFILE";

    /// The checksum at the end of that file, so that the file cannot be replaced without a change here.
    #[cfg(not(evalfile))]
    pub(super) const CHECKSUM: u32 = 0x385c_2cdf;
    #[cfg(evalfile)]
    pub(super) const CHECKSUM: u32 = number(BYTES, BYTES.len() - 4);

    const fn number(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    }

    const _: () = {
        assert!(BYTES.len() > HEAD + 4, "the built-in network: the file is too short");
        let mut at = 0;
        while at < MAGIC.len() {
            assert!(BYTES[at] == MAGIC[at], "the built-in network: the file does not begin with 'chuhenet'");
            at += 1;
        }
        assert!(number(BYTES, 8) == VERSION, "the built-in network: another version of the file's layout");
        let architecture = number(BYTES, 12) as u64 | (number(BYTES, 16) as u64) << 32;
        let Some(width) = Width::of_architecture(architecture) else {
            panic!("the built-in network: another architecture, or a width that this program has no code for")
        };
        let contents = HEAD + number(BYTES, 24) as usize + width.bytes();
        assert!(BYTES.len() == contents + 4, "the built-in network: the length of the file is not that in its header");
        #[cfg(not(evalfile))]
        assert!(number(BYTES, contents) == CHECKSUM, "the built-in network: the file has another checksum than pinned");
    };
}

/// The network set by [`provide`].
static PROVIDED: OnceLock<Arc<Network>> = OnceLock::new();

/// Sets the network that [`Network::builtin`] returns, for a build without the cargo feature `network` whose parts are downloaded and cached
/// separately. Only the first call has an effect; returns false for all others.
pub fn provide(network: Network) -> bool {
    PROVIDED.set(Arc::new(network)).is_ok()
}

impl Network {
    /// The built-in network, or the one set by [`provide`].
    pub fn builtin() -> &'static Arc<Network> {
        if let Some(provided) = PROVIDED.get() {
            return provided;
        }
        static BUILTIN: OnceLock<Arc<Network>> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            #[cfg(feature = "network")]
            {
                // Header and length were checked at compile time. That leaves the ranges of the numbers, which every writer of
                // such files checks, and a test for the pinned file.
                Arc::new(Network::from_bytes(file::BYTES).expect("the built-in network has passed the compiler's checks"))
            }
            #[cfg(not(feature = "network"))]
            Arc::new(Network::material())
        })
    }

    /// The display name of the built-in network and the checksum at the end of its file: `fifteenth 385c2cdf`.
    pub fn builtin_name() -> String {
        #[cfg(feature = "network")]
        {
            format!("{} {:08x}", file::NAME, file::CHECKSUM)
        }
        #[cfg(not(feature = "network"))]
        "material".into()
    }
}
