//! Any bytes as a network file, and as changes to a network file that is right; with the checksum made right, so that what lies
//! after it is reached.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe_tuning::fuzzing::network_bytes(bytes);
    chuhe_tuning::fuzzing::network_changes(bytes);
});
