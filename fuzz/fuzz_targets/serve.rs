//! Reads arbitrary bytes as a message of a page to `chuhe serve` and answers it, except for searches. A tree is unchanged by a round trip.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chuhe::board_page::fuzzing::message(bytes));
