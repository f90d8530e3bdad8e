//! Any bytes as an opening book of every form: read, asked, and where they are one, written and read again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    chuhe::book::fuzzing::book(bytes);
});
