//! Garbage gives a clear error: the check of the fuzz target, run by a bounded loop and by proptest.

use chuhe::board::Board;
use chuhe::notation::{System, write};
use engine_tests::notation_check::{FENS, check_bytes, check_text, seeds};
use proptest::prelude::*;
use xiangqi::board::test_positions::Random;

/// Characters of moves, and some others.
const ALPHABET: &str = "0123456789abcdefghijklmnKAEHRCPNBMGxX+-=.!<u>/()[] \t\r\n一二三四五六七八九十前中後后進进退平\
    帥帅將将仕士相象馬马車车炮砲兵卒吃至河沿照死０９Ａ＋－＝。·–—−\u{332}\u{305}\u{1b}\u{feff}\u{3000}天地玄黃推位é\u{0}";

#[test]
fn mutated_moves_are_read_or_rejected() {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut random = Random(1);
    for fen in FENS {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for mv in board.legal_moves() {
            for system in System::ALL {
                let mut text: Vec<char> = write(system, &board, mv).chars().collect();
                for _ in 0..=random.below(3) {
                    let letter = alphabet[random.below(alphabet.len())];
                    let place = random.below(text.len() + 1);
                    match random.below(3) {
                        0 => text.insert(place, letter),
                        1 if place < text.len() => text[place] = letter,
                        _ if place < text.len() => drop(text.remove(place)),
                        _ => {}
                    }
                }
                check_text(&board, &text.iter().collect::<String>());
            }
        }
    }
}

#[test]
fn random_texts_are_read_or_rejected() {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut random = Random(2);
    for round in 0..20_000 {
        let mut data = vec![round as u8, random.below(256) as u8];
        let length = random.below(24);
        data.extend((0..length).flat_map(|_| alphabet[random.below(alphabet.len())].to_string().into_bytes()));
        check_bytes(&data);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(data in proptest::collection::vec(any::<u8>(), 0..64)) {
        check_bytes(&data);
    }

    #[test]
    fn any_text_is_read_or_rejected(text in "\\PC{0,40}", fen in proptest::sample::select(&FENS[..])) {
        if let Ok(board) = Board::from_fen(fen) {
            check_text(&board, &text);
        }
    }
}

/// The seeds of the fuzzer are valid.
#[test]
fn seeds_are_moves() {
    let seeds = seeds();
    assert!(seeds.len() > 400, "{}", seeds.len());
    let unread = seeds.iter().filter(|seed| check_bytes(seed) == 0).map(|seed| String::from_utf8_lossy(seed)).collect::<Vec<_>>();
    assert!(unread.is_empty(), "{unread:?}");
}
