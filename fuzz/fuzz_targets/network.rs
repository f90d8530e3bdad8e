//! Reads arbitrary bytes as a network file, and as changes to a valid one whose checksum is then corrected, so that the code after the check is
//! reached.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe_tuning::fuzzing::network_bytes(bytes);
    chuhe_tuning::fuzzing::network_changes(bytes);
});
