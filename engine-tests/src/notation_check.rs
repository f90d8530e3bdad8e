//! Invariants of the notation readers for any text. The fuzz target and a bounded test call these functions.

use chuhe::board::Board;
use chuhe::notation::{self, Notation, System};

/// Test positions: the start position, tandems of every kind, a check.
pub const FENS: [&str; 8] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
    "3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 w",
    "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w",
    "4k4/9/9/4r4/2p1r4/2p3p2/2p3p2/9/9/3K5 b",
    "2b1k4/4a4/2R1c4/2R1c4/2H6/2B6/2H6/3A5/9/2BA1K3 w",
    "3k2b2/9/9/9/6b2/9/9/9/9/4K4 b",
    "3a1k3/9/9/9/9/9/9/4C4/4C4/3K5 b",
];

/// Longest error line in bytes: the shortened text, the reason, and for ambiguous texts up to all moves of a position.
const MAX_ERROR: usize = 1200;

/// Reads a text in every notation. An accepted move must be legal and must be read back from its written form; an error
/// must be one line. Returns the number of notations that accept the text.
///
/// # Panics
/// When that doesn't hold.
pub fn check_text(board: &Board, text: &str) -> usize {
    let mut readers = 0;
    for system in System::ALL {
        let notation = Notation { unambiguous: true, ..Notation::new(system) };
        match notation.read(board, text) {
            Ok(mv) => {
                assert!(board.is_legal(mv), "{system} reads {text:?} as {mv}, which is not legal");
                let written = notation.write(board, mv);
                assert_eq!(notation.read(board, &written), Ok(mv), "{system}: {text:?} is {written:?}");
                readers += 1;
            }
            Err(error) => check_line(&error.to_string()),
        }
    }
    match notation::read_auto(board, text) {
        Ok(mv) => assert!(board.is_legal(mv)),
        Err(error) => check_line(&error.to_string()),
    }
    if let Err(error) = text.parse::<notation::Legend>() {
        check_line(&error.to_string());
    }
    if let Err(error) = text.parse::<System>() {
        check_line(&error.to_string());
    }
    readers
}

fn check_line(error: &str) {
    assert!(!error.is_empty() && error.len() <= MAX_ERROR, "{} bytes: {error}", error.len());
    assert!(!error.contains(|letter: char| letter.is_control()), "{error:?}");
}

/// As [`check_text`], with position and text decoded from bytes: the first byte selects the position, the second the number of moves
/// to play in it, each selected by a byte; the rest is the text.
///
/// # Panics
/// When that doesn't hold.
pub fn check_bytes(data: &[u8]) -> usize {
    let [position, plies, rest @ ..] = data else { return 0 };
    let Ok(mut board) = Board::from_fen(FENS[*position as usize % FENS.len()]) else { return 0 };
    let plies = (*plies as usize % 16).min(rest.len());
    let (choices, text) = rest.split_at(plies);
    for &choice in choices {
        let moves = board.legal_moves();
        if let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) {
            board = board.after(mv);
        }
    }
    check_text(&board, &String::from_utf8_lossy(text))
}

/// Seeds for [`check_bytes`]: in each position the moves in every notation, of which the last is the text.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (position, fen) in FENS.iter().enumerate() {
        let Ok(board) = Board::from_fen(fen) else { continue };
        for system in System::ALL {
            let notation = Notation { unambiguous: true, ..Notation::new(system) };
            let moves = board.legal_moves();
            let texts = moves.iter().step_by(7).map(|&mv| notation.write(&board, mv));
            seeds.extend(texts.map(|text| [&[position as u8, 0][..], text.as_bytes()].concat()));
        }
    }
    seeds
}
