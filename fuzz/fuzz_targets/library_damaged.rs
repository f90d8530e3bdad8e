//! Applies arbitrary bytes as changes to a library of games, and runs every operation of the library on the result.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::library::fuzzing::damaged(bytes);
});
