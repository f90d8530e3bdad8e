//! Reads arbitrary bytes as a record file of the laboratory, as a block of one, as one game and as a board.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe_tuning::fuzzing::record_bytes(bytes);
});
