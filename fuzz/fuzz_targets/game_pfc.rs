//! Reads arbitrary bytes as a game file of this format; an accepted file is written in every format and read back.
#![no_main]

use chuhe::records::{Format, fuzzing};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::game_file(Format::Pfc, bytes);
});
