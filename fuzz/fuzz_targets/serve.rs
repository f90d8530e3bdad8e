//! Any bytes as a message of a page to `chuhe serve`: answered, up to what would be searched. A tree comes back as it was.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chuhe::board_page::fuzzing::message(bytes));
