//! Any bytes as changes to a library of games: everything that a library can do, on what is left of it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::library::fuzzing::damaged(bytes);
});
