//! Reads arbitrary bytes as a file of puzzles; an accepted one is written in both formats and read back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::puzzles::fuzzing::file(bytes);
});
