//! No text makes a notation reader panic; what is read is legal and round-trips, what is not is one line of error.

#![no_main]

// Target and seeds each use a part of it.
#[allow(dead_code)]
#[path = "../../engine-tests/src/notation_check.rs"]
mod notation_check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    notation_check::check_bytes(data);
});
