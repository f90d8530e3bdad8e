//! Reads arbitrary bytes as a file of any format: a library returns its records unchanged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::library::fuzzing::records(bytes);
});
