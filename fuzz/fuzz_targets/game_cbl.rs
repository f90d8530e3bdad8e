//! Any bytes as a library of records, less the zeros in its header: read, written in every format, and read back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::records::fuzzing::library(bytes);
});
