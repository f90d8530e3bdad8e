//! Any bytes as the rows of an SQLite book of both forms: asked, a move changed, asked again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::book::fuzzing::rows(bytes);
});
