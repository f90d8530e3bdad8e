//! Any bytes as a file of puzzles: read, written in both forms, and read again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::puzzles::fuzzing::file(bytes);
});
