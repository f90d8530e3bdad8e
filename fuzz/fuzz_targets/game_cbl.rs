//! Reads arbitrary bytes, without the zeros of its header, as a library of records; an accepted one is written in every format and read back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::records::fuzzing::library(bytes);
});
