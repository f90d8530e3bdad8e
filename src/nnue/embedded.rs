//! The network that is built in: the one place that says which.
//!
//! It is the file named here, unless the build is told another by the environment variable `EVALFILE` (the build script turns
//! that into an absolute path and `cfg(evalfile)`). The compiler checks the whole file, its checksum included: what is
//! embedded loads. Without the cargo feature `network` the program carries [`Network::material`] instead.

use super::Network;
use std::sync::{Arc, OnceLock};

#[cfg(feature = "network")]
mod file {
    use super::super::architecture::{HEAD, MAGIC, VERSION, Width};

    /// The network's file.
    #[cfg(not(evalfile))]
    pub(super) static BYTES: &[u8] = include_bytes!("networks/second.nnue");
    #[cfg(evalfile)]
    pub(super) static BYTES: &[u8] = include_bytes!(env!("CHUHE_EVALFILE"));

    /// The checksum at the end of that file: nobody exchanges the file without saying so here.
    #[cfg(not(evalfile))]
    const CHECKSUM: u32 = 0x53a5_41c8;

    const fn number(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    }

    /// CRC-32 as in [`crc32fast`], four bits at a time: the compiler can run it.
    const fn crc32(bytes: &[u8], length: usize) -> u32 {
        const TABLE: [u32; 256] = {
            let mut table = [0; 256];
            let mut at = 0;
            while at < 256 {
                let mut crc = at as u32;
                let mut bit = 0;
                while bit < 8 {
                    crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
                    bit += 1;
                }
                table[at] = crc;
                at += 1;
            }
            table
        };
        let mut crc = u32::MAX;
        let mut at = 0;
        while at < length {
            crc = (crc >> 8) ^ TABLE[((crc ^ bytes[at] as u32) & 0xff) as usize];
            at += 1;
        }
        !crc
    }

    // The loop over the file is long, but it ends.
    #[allow(long_running_const_eval)]
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
        assert!(BYTES.len() == contents + 4, "the built-in network: the file is not as long as its head says");
        assert!(crc32(BYTES, contents) == number(BYTES, contents), "the built-in network: the file is damaged");
        #[cfg(not(evalfile))]
        assert!(number(BYTES, contents) == CHECKSUM, "the built-in network: the file has another checksum than pinned");
    };
}

/// The network that is built in.
pub fn embedded() -> &'static Arc<Network> {
    static EMBEDDED: OnceLock<Arc<Network>> = OnceLock::new();
    EMBEDDED.get_or_init(|| {
        #[cfg(feature = "network")]
        {
            // The frame was checked when this was compiled. What is left is the range of numbers, which every writer of
            // such files checks, and a test for the pinned one.
            Arc::new(Network::from_bytes(file::BYTES).expect("the built-in network has passed the compiler's checks"))
        }
        #[cfg(not(feature = "network"))]
        Arc::new(Network::material())
    })
}
