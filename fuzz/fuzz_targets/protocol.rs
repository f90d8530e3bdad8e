//! Any bytes as the lines of a client: parsed, and the position, options and limits they ask for made.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::protocol::digest(bytes);
});
