//! Reads arbitrary bytes as an endgame table, and as changes to a valid one whose checksums are then corrected, so that the code after the check
//! is reached.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = chuhe::endgame::fuzzing::read(bytes);
    chuhe::endgame::fuzzing::read_changed(bytes);
});
