//! Invariants of boards, checked on positions from random games and from random FENs.

use super::test_positions::{Random, random_walk};
use super::*;
use crate::types::{Bitboard, Color, Move, MoveList, Piece, PieceType, Square};
use proptest::prelude::*;

/// Checks all invariants that do not involve history.
fn check(board: &Board) {
    let fen = board.to_fen();
    assert_eq!(board.key(), board.recomputed_key(), "{fen}");
    let moves = board.legal_moves();
    let mut sorted = moves.to_vec();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), moves.len(), "a move is listed twice in {fen}");
    let by_trial: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| board.is_legal(mv)).collect();
    assert_eq!(sorted, by_trial, "generation and legality differ in {fen}");
    let mut staged = Vec::new();
    for wanted in [Wanted::Captures, Wanted::Quiets] {
        let mut part = MoveList::new();
        board.generate(wanted, &mut part);
        assert!(part.iter().all(|&mv| board.is_capture(mv) == (wanted == Wanted::Captures)), "{fen}");
        staged.extend(part);
    }
    let mut checks = MoveList::new();
    board.generate_quiet_checks(&Checks::of(board), &mut checks, &mut Safety::unknown());
    let quiet_check = |mv: &&Move| !board.is_capture(**mv) && board.after(**mv).in_check();
    assert_eq!(checks.to_vec(), moves.iter().filter(quiet_check).copied().collect::<Vec<_>>(), "{fen}");
    staged.sort();
    assert_eq!(staged, sorted, "the stages together are not all moves in {fen}");
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        assert_eq!(board.perft(1, false, level), moves.len() as u64, "{level:?} counts otherwise in {fen}");
        assert_eq!(board.perft(1, true, level), moves.len() as u64, "{level:?} lists otherwise in {fen}");
    }
    assert_eq!(board.count_legal_moves() as usize, moves.len());
    assert_eq!(board.has_legal_move(), !moves.is_empty());
    assert_eq!(board.checkers().is_empty(), !board.in_check(), "{fen}");
    assert_eq!(Board::from_fen(&fen).as_ref(), Ok(board));
    for mv in moves {
        let next = board.after(mv);
        assert_eq!(next.key(), board.key_after(mv), "{fen} {mv}");
        assert!(!next.is_attacked(board.side_to_move()));
        assert_eq!(board.gives_check(mv), next.in_check());
    }
}

/// Checks that the symmetric images of a board have the same perft and corresponding moves.
fn check_symmetry(board: &Board) {
    type Map = fn(Move) -> Move;
    let images: [(Board, Map); 3] = [
        (board.mirrored(), Move::mirrored),
        (board.color_flipped(), Move::flipped),
        (board.mirrored().color_flipped(), |mv| mv.mirrored().flipped()),
    ];
    let leaves = board.perft(2, false, Level::best());
    for (image, map) in images {
        let mut expected: Vec<Move> = board.legal_moves().into_iter().map(map).collect();
        let mut moves = image.legal_moves().to_vec();
        expected.sort();
        moves.sort();
        assert_eq!(moves, expected, "{}", board.to_fen());
        assert_eq!(image.perft(2, false, Level::best()), leaves);
        assert_eq!(image.key(), image.recomputed_key());
    }
    assert_eq!(board.mirrored().mirrored().key(), board.key());
    assert_eq!(board.color_flipped().color_flipped().key(), board.key());
}

/// Makes and unmakes the moves of a random game, trying a null move after each move that does not give check.
fn check_game(seed: u64, plies: usize) {
    let mut random = Random(seed);
    let mut position = Position::startpos();
    let mut fens = vec![position.to_fen()];
    for _ in 0..plies {
        let moves = position.board().legal_moves();
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.below(moves.len())]);
        let state = *position.state();
        assert_eq!(state.in_check, state.board.in_check());
        if !state.in_check {
            position.make_null();
            assert_eq!(position.board().key(), position.board().recomputed_key());
            assert_eq!(position.occurrences(), 1);
            position.unmake();
        }
        fens.push(position.to_fen());
    }
    let moves: Vec<Move> = position.moves().collect();
    let mut replay = position.initial();
    moves.iter().for_each(|&mv| replay.make(mv));
    assert_eq!(replay.to_fen(), position.to_fen());
    while let Some(fen) = fens.pop() {
        assert_eq!(position.to_fen(), fen);
        assert_eq!(position.board().key(), position.board().recomputed_key());
        position.unmake();
    }
    position.unmake();
    assert_eq!(position.plies(), 0, "the start of the game cannot be taken back");
}

/// Builds a board from random pieces and points, omitting pieces that do not fit.
fn constructed(kings: (u8, u8), pieces: &[(u8, u8)], black: bool) -> Option<Board> {
    let palace = |color: Color, number: u8| {
        zone(Piece::new(color, PieceType::King)).into_iter().nth(number as usize % 9).map(|square| (square, color))
    };
    let mut letters = [None; 90];
    let mut counts = [0; Piece::COUNT];
    for (square, color) in [palace(Color::Red, kings.0)?, palace(Color::Black, kings.1)?] {
        letters[square.index()] = Some(Piece::new(color, PieceType::King));
    }
    for &(piece, place) in pieces {
        let piece = Piece::all().nth(piece as usize % Piece::COUNT)?;
        let squares: Vec<Square> = zone(piece).into_iter().collect();
        let square = squares[place as usize % squares.len()];
        let count: &mut usize = &mut counts[piece.index()];
        if piece.kind() != PieceType::King && *count < piece.kind().limit() && letters[square.index()].is_none() {
            *count += 1;
            letters[square.index()] = Some(piece);
        }
    }
    let rows: Vec<String> = letters
        .chunks(9)
        .rev()
        .map(|row| row.iter().map(|piece| piece.map_or("1".into(), |piece| piece.fen_letter().to_string())).collect())
        .collect();
    Board::from_fen(&format!("{} {}", rows.join("/"), if black { 'b' } else { 'w' })).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn games_keep_every_invariant(seed: u64) {
        let mut ply = 0;
        random_walk(seed, 150, |board| {
            if ply % 5 == 0 {
                check(board);
                check_symmetry(board);
            }
            ply += 1;
        });
    }

    #[test]
    fn constructed_positions_keep_every_invariant(
        kings: (u8, u8),
        pieces in prop::collection::vec(any::<(u8, u8)>(), 0..40),
        black: bool,
    ) {
        if let Some(board) = constructed(kings, &pieces, black) {
            check(&board);
            check_symmetry(&board);
        }
    }

    #[test]
    fn making_and_unmaking_restores_everything(seed: u64) {
        check_game(seed, 200);
    }

    #[test]
    fn fen_parsing_never_panics(text in ".{0,120}") {
        let _ = Position::from_fen(&text);
    }

    #[test]
    fn fen_like_texts_are_valid_or_rejected(text in "[KABNRCPEHMGkabnrcpehmg1-9/x ]{0,100}( [wrbx-])?( [0-9-]{0,3}){0,4}") {
        if let Ok(position) = Position::from_fen(&text) {
            check(position.board());
        }
    }

    #[test]
    fn mutated_fens_are_valid_or_rejected(seed: u64, place: prop::sample::Index, letter in "[ -~]") {
        let mut boards = Vec::new();
        random_walk(seed, 60, |board| boards.push(board.to_fen()));
        let mut fen = boards[boards.len() - 1].clone();
        let place = place.index(fen.len());
        fen.replace_range(place..place + 1, &letter);
        if let Ok(position) = Position::from_fen(&fen) {
            check(position.board());
        }
    }
}

#[test]
fn all_fen_dialects_give_the_start_position() {
    let start = Position::startpos();
    for fen in [
        START_FEN,
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
        "rnmgkgmnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNMGKGMNR W - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\tw 0 1\r\n",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR R - - x y",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w KQkq - 0 1",
        "rnbakabnr/54/1c5c1/p1p1p1p1p/111111111/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "\u{202a}rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\u{200b} w - - 0 1\u{202c}",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1。",
    ] {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.board(), start.board(), "{fen}");
        assert_eq!(position.to_fen(), START_FEN);
    }
    let counters = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 77 41").expect("a legal position");
    assert_eq!((counters.clock(), counters.fullmove()), (77, 41));
    let huge = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 99999999999 0").expect("counters are clamped");
    assert_eq!((huge.clock(), huge.fullmove()), (u16::MAX, 1));
}

#[test]
fn fen_errors_name_the_location() {
    let cases = [
        ("", "FEN is empty, expected ten rows separated by '/'"),
        ("rnbakabnr/9 w", "FEN has 2 rows, expected 10"),
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1",
            "FEN is followed by 'moves d0d1', expected at most two numbers after the side to move",
        ),
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 w xyz 7 8",
            "FEN is followed by 'xyz 7 8', expected at most two numbers after the side to move",
        ),
        ("4k4/9/9/9/9/9/9/9/9/3K5 - 7 8 9", "FEN is followed by '9', expected at most two numbers after the side to move"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR/9 w", "FEN has 11 rows, expected 10"),
        ("rnbakabnr/8/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "FEN row 2 has 8 columns, expected 9"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1R/9/RNBAKABNR w", "FEN row 8 has 10 columns, expected 9"),
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/4q4/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "FEN row 5 column 5: unknown letter 'q', expected one of KABNRCP (or EHMG) in either case or a digit 1 to 9",
        ),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBA1ABNR w", "FEN has no red king, expected exactly one"),
        ("3k1k3/9/9/9/9/9/9/9/9/4K4 w", "FEN row 1 column 6: too many black kings, expected at most 1"),
        ("4k4/9/9/9/9/9/9/9/RRR6/3K5 w", "FEN row 9 column 3: too many red rooks, expected at most 2"),
        (
            "4k4/9/9/9/9/9/9/9/3A5/3K5 w",
            "FEN row 9 column 4: a red advisor cannot stand here, expected one of the five advisor points of its palace",
        ),
        (
            "4k4/9/9/9/2B6/9/9/9/9/3K5 w",
            "FEN row 5 column 3: a red elephant cannot stand here, expected one of the seven elephant points of its side of the river",
        ),
        (
            "4k4/9/9/1p7/9/9/9/9/9/3K5 w",
            "FEN row 4 column 2: a black pawn cannot stand here, expected a point on or beyond its starting rank and, before the \
             river, on a file where pawns start",
        ),
        ("4k4/9/9/9/9/9/9/3K5/9/9 b - - 0 1", ""),
        ("4k4/9/9/9/9/9/3K5/9/9/9 w", "FEN row 7 column 4: a red king cannot stand here, expected a point of its palace"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", "FEN side to move is 'x', expected w, r or b"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "FEN row 1 column 5: the kings face each other, with no piece between them"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 b", "FEN row 10 column 5: the kings face each other, with no piece between them"),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w", "FEN row 1 column 5: the side to move can take the black king"),
    ];
    for (fen, message) in cases {
        let error = Position::from_fen(fen).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, message, "{fen}");
    }
}

#[test]
fn keys_are_the_same_on_every_machine() {
    let key = |fen: &str| Board::from_fen(fen).map(|board| board.key());
    assert_eq!(key(START_FEN), Ok(START_KEY));
    assert_eq!(key("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 b"), Ok(MIDDLE_GAME_KEY));
}

/// Expected keys. Books and records are looked up by key, so these values must never change.
const START_KEY: u64 = 16093904719805747727;
const MIDDLE_GAME_KEY: u64 = 7888414032609401528;

#[test]
fn the_clock_counts_ten_checks_per_side_and_no_replies_to_void_checks() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4K4/R8 w - - 7 30").expect("a legal position");
    let mut play = |text: &str| position.make(Move::from_uci(text).expect("a move"));
    play("a0a9");
    play("d9d8");
    let mut clock = 9;
    for round in 2..=14 {
        let (check, answer) = if round % 2 == 0 { ("a9a8", "d8d9") } else { ("a8a9", "d9d8") };
        play(check);
        play(answer);
        clock += if round <= 10 { 2 } else { 0 };
    }
    assert_eq!(position.clock(), clock);
    assert_eq!(position.state().checks, [14, 0]);
    assert_eq!(position.state().reversible, 28);
    assert_eq!(position.fullmove(), 44);
    // A quiet move is counted again, even after void checks.
    position.make(Move::from_uci("a8a7").expect("a move"));
    assert_eq!(position.clock(), clock + 1);
}

#[test]
fn captures_end_repetition_detection() {
    let mut position = Position::startpos();
    let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"];
    for round in 1..=3 {
        for text in shuffle {
            position.make(Move::from_uci(text).expect("a move"));
        }
        assert_eq!(position.occurrences(), round + 1);
        assert_eq!(position.plies_to_repetition(), Some(4));
    }
    position.make(Move::from_uci("h2h9").expect("a capture"));
    assert_eq!((position.clock(), position.occurrences(), position.plies_to_repetition()), (0, 1, None));
}

#[test]
fn clone_from_replaces_the_entire_history() {
    let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"].map(|text| Move::from_uci(text).expect("a move"));
    let mut source = Position::startpos();
    shuffle.iter().for_each(|&mv| source.make(mv));
    let other = Board::from_fen("3k5/4P4/9/9/9/9/9/9/9/4K4 b").expect("a board");
    let longer = std::iter::successors(Some(source.clone()), |position| {
        let mut next = position.clone();
        shuffle.iter().for_each(|&mv| next.make(mv));
        Some(next)
    });
    for mut copy in longer.take(4).chain([Position::startpos(), Position::new(other, 7, 30)]) {
        copy.clone_from(&source);
        assert_eq!((copy.to_fen(), copy.plies(), copy.occurrences()), (source.to_fen(), 4, 2));
        shuffle.iter().for_each(|&mv| copy.make(mv));
        assert_eq!((copy.occurrences(), copy.repeats(), source.occurrences()), (3, true, 2));
        (0..8).for_each(|_| copy.unmake());
        assert_eq!((copy.to_fen(), copy.occurrences()), (Position::startpos().to_fen(), 1));
        copy.make(Move::from_uci("h2e2").expect("a move"));
        assert_eq!((copy.occurrences(), copy.repeats()), (1, false), "nothing of the other game counts");
    }
}

#[test]
fn attackers_of_agrees_with_piece_moves() {
    for seed in 0..40 {
        random_walk(seed, 100, |board| {
            let occupied = board.occupied();
            for target in Square::all() {
                let [red, black] = Color::ALL.map(|color| board.attackers_of(color, target, occupied));
                for (piece, from) in board.pieces() {
                    // Attacks are computed as if an enemy piece were on the target.
                    let reach = piece_moves(piece, from, occupied.with(target));
                    let attacks = match piece.kind() {
                        PieceType::Cannon => between(from, target) & occupied,
                        _ => Bitboard::EMPTY,
                    };
                    let expected = from != target
                        && match piece.kind() {
                            PieceType::Cannon => {
                                (from.file() == target.file() || from.rank() == target.rank()) && attacks.len() == 1
                            }
                            _ => reach.has(target),
                        };
                    assert_eq!((red | black).has(from), expected, "{} {from} {target}", board.to_fen());
                }
            }
        });
    }
}
