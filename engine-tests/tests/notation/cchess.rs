//! Independent comparison with the Python package cchess 1.25.5: its Chinese notation and coordinates of all legal moves
//! of 442 positions, from random play and with many tandems (data by `scripts/cchess_notation.py`).
//!
//! The systematic differences, each allowed only under its condition, and each occurring in the data:
//!
//! 1. *Two files of tandem pawns.* cchess treats each file separately and writes 前兵平六 for either, which can be two moves. We include
//!    the file: 前七平六. The text of cchess is read if it is one move, and reported as ambiguous if it is two.
//! 2. *Four or five black pawns on a file.* cchess numbers the inner ones with Black's full-width digits (２卒平３); since the number is the
//!    rank in the tandem and not a file, we write it as for Red: 二卒平３. Both are read.
//!
//! Everything else is identical, and every text of cchess is read as its move.

use chuhe::board::Board;
use chuhe::notation::{self, ReadError, System};
use chuhe::types::{Color, Move, Piece, PieceType};

const DATA: &str = include_str!("../../data/cchess-notation.tsv");

#[derive(Default, Debug)]
struct Counts {
    moves: usize,
    equal: usize,
    two_pawn_files: usize,
    black_inner_pawns: usize,
    ambiguous_there: usize,
}

/// Number of the mover's pieces of this kind on each file.
fn files(board: &Board, piece: Piece) -> [usize; 9] {
    let mut files = [0; 9];
    board.squares_of(piece).for_each(|square| files[square.file() as usize] += 1);
    files
}

fn compare(board: &Board, mv: Move, theirs: &str, counts: &mut Counts) {
    let place = || format!("{mv} in {}", board.to_fen());
    let ours = notation::write(System::ChineseSimplified, board, mv);
    let read = notation::read(System::ChineseSimplified, board, theirs);
    let piece = board.piece_on(mv.from()).unwrap_or_else(|| panic!("{}: no piece", place()));
    let files = files(board, piece);
    let on_file = files[mv.from().file() as usize];
    counts.moves += 1;
    if ours == theirs {
        counts.equal += 1;
        assert_eq!(read, Ok(mv), "{}", place());
    } else if piece.kind() == PieceType::Pawn && files.iter().filter(|&&count| count >= 2).count() == 2 {
        counts.two_pawn_files += 1;
        assert!(on_file >= 2, "{}: {ours} {theirs}", place());
        // Only the second component differs: cchess writes the piece, we write its file.
        let without_second = |text: &str| text.chars().enumerate().filter(|(at, _)| *at != 1).map(|(_, c)| c).collect::<String>();
        assert_eq!(without_second(&ours), without_second(theirs), "{}", place());
        match read {
            Err(ReadError::Ambiguous { candidates, .. }) => {
                counts.ambiguous_there += 1;
                assert!(candidates.contains(&mv), "{}", place());
            }
            read => assert_eq!(read, Ok(mv), "{}: {theirs}", place()),
        }
    } else {
        counts.black_inner_pawns += 1;
        assert!(piece.color() == Color::Black && piece.kind() == PieceType::Pawn && on_file >= 4, "{}: {ours} {theirs}", place());
        let numeral = theirs.replacen('２', "二", 1).replacen('３', "三", 1).replacen('４', "四", 1);
        assert_eq!(ours.chars().next(), numeral.chars().next(), "{}: {theirs}", place());
        assert_eq!(ours.chars().skip(1).collect::<String>(), theirs.chars().skip(1).collect::<String>(), "{}", place());
        assert_eq!(read, Ok(mv), "{}: {theirs}", place());
    }
}

#[test]
fn cchess_agrees_except_for_two_differences() {
    let mut counts = Counts::default();
    for line in DATA.lines() {
        let (fen, names) = line.split_once('\t').unwrap_or_else(|| panic!("no moves in {line}"));
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mut moves = Vec::new();
        for name in names.split('\t') {
            let (coordinates, text) = name.split_once(' ').unwrap_or_else(|| panic!("no text in {name}"));
            let mv = notation::read(System::Iccs, &board, coordinates).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(notation::write(System::Uci, &board, mv), coordinates);
            compare(&board, mv, text, &mut counts);
            moves.push(mv);
        }
        let mut legal = board.legal_moves().to_vec();
        legal.sort_unstable();
        moves.sort_unstable();
        assert_eq!(moves, legal, "legal moves in {fen}");
    }
    println!("{counts:?}");
    // Each difference occurs, and most moves are equal.
    assert!(counts.moves > 10_000 && counts.equal * 10 > counts.moves * 9);
    let habits = [counts.two_pawn_files, counts.black_inner_pawns, counts.ambiguous_there];
    assert!(habits.iter().all(|&count| count > 0), "{habits:?}");
}
