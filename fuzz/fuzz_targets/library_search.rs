//! Reads arbitrary bytes as search criteria: the search must find the same games as replaying all of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::library::fuzzing::search(bytes);
});
