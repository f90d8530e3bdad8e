//! Any bytes as a file of any format: its records come back from a library as they were.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::library::fuzzing::records(bytes);
});
