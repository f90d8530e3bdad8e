//! Parses arbitrary bytes as the lines of a client, and creates the requested position, options and limits.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::protocol::digest(bytes);
});
