//! Any bytes as criteria: what is found is what playing all games through finds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::library::fuzzing::search(bytes);
});
