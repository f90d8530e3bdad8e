//! No text causes a panic in a notation reader; an accepted move is legal and round-trips, and an error is one line.

#![no_main]

// The target and the seeds each use part of it.
#[allow(dead_code)]
#[path = "../../engine-tests/src/notation_check.rs"]
mod notation_check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    notation_check::check_bytes(data);
});
