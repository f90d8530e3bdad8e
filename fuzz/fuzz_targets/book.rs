//! Reads arbitrary bytes as an opening book of every format and queries it; an accepted one is written and read back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::book::fuzzing::book(bytes);
});
