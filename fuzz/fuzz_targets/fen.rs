//! No text causes a panic in the FEN reader; an accepted one is written and read back as the same position, whose legal
//! moves can be played.

#![no_main]

use chuhe::board::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut position) = Position::from_fen(text) else { return };
    let fen = position.to_fen();
    let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.board(), position.board());
    assert_eq!(again.to_fen(), fen);
    for mv in position.board().legal_moves() {
        position.make(mv);
        assert_eq!(position.board().key(), position.board().recomputed_key());
        position.unmake();
    }
});
