//! Any bytes as an endgame table, and as changes to a table that is right; with the checksums made right, so that what follows them is
//! reached.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = chuhe::endgame::fuzzing::read(bytes);
    chuhe::endgame::fuzzing::read_changed(bytes);
});
