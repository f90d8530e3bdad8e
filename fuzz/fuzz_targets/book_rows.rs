//! Reads arbitrary bytes as the rows of an SQLite book of both formats: queries it, changes a move, and queries it again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::book::fuzzing::rows(bytes);
});
