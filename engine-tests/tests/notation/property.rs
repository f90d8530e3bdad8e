//! Every legal move of at least 20 000 positions, written and read back in every notation.
//!
//! Half of the positions are from random play, half are constructed so that like pieces share files, which is rare in
//! games: every kind in tandem, two to five pawns on a file, two files of tandem pawns, for both colours. The test counts the
//! patterns and fails if one is missing.

use chuhe::board::{Board, Position};
use chuhe::notation::{Notation, ReadError, System, read_line_auto, write_line};
use chuhe::types::{Color, Move, Piece, PieceType, RANKS, Square};
use std::collections::{BTreeMap, HashMap};
use xiangqi::board::test_positions::Random;

const POSITIONS: usize = 20_000;

/// A game of at most `plies` random moves.
fn random_game(random: &mut Random, plies: usize) -> Vec<Move> {
    let mut board = *Position::startpos().board();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let Some(mv) = random.pick(&board.legal_moves()) else { break };
        moves.push(mv);
        board = board.after(mv);
    }
    moves
}

/// A position with many tandems. None if the random pieces are not a legal position, for example with the enemy king in check.
pub(super) fn tandem_position(random: &mut Random) -> Option<Board> {
    let mut pieces: HashMap<usize, Piece> = HashMap::new();
    for color in Color::ALL {
        place(random, &mut pieces, Piece::new(color, PieceType::King), None)?;
        for kind in &PieceType::ALL[1..6] {
            let piece = Piece::new(color, *kind);
            match random.below(4) {
                0 => {}
                1 => {
                    place(random, &mut pieces, piece, None)?;
                    place(random, &mut pieces, piece, None)?;
                }
                _ => {
                    let first = place(random, &mut pieces, piece, None)?;
                    place(random, &mut pieces, piece, Some(first.file()));
                }
            }
        }
        // Numbers of pawns on consecutively chosen files.
        let shapes: [&[usize]; 11] =
            [&[2], &[3], &[4], &[5], &[2, 2], &[3, 2], &[2, 3], &[2, 2, 1], &[2, 1, 1], &[3, 1, 1], &[1, 1, 1, 1, 1]];
        for &count in shapes[random.below(shapes.len())] {
            let file = random.below(9) as u8;
            for _ in 0..count {
                place(random, &mut pieces, Piece::new(color, PieceType::Pawn), Some(file));
            }
        }
    }
    let mut fen = String::new();
    for rank in (0..RANKS).rev() {
        for file in 0..9 {
            fen.push(pieces.get(&(rank * 9 + file)).map_or('1', |piece| piece.fen_letter()));
        }
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    fen.push(if random.below(2) == 0 { 'w' } else { 'b' });
    Board::from_fen(&fen).ok()
}

/// Puts a piece on a free point of its zone, on the given file if any.
fn place(random: &mut Random, pieces: &mut HashMap<usize, Piece>, piece: Piece, file: Option<u8>) -> Option<Square> {
    let count = pieces.values().filter(|&&other| other == piece).count();
    if count >= piece.kind().limit() {
        return None;
    }
    let free: Vec<Square> = chuhe::board::zone(piece)
        .into_iter()
        .filter(|square| !pieces.contains_key(&square.index()) && file.is_none_or(|file| square.file() == file))
        .collect();
    let square = random.pick(&free)?;
    pieces.insert(square.index(), piece);
    Some(square)
}

/// The patterns that occurred: colour, kind and the numbers of pieces on their fullest files.
#[derive(Default)]
struct Seen {
    patterns: BTreeMap<(usize, usize, Vec<usize>), usize>,
    moves: usize,
    ambiguous_words: usize,
    lost_lines: usize,
}

impl Seen {
    fn look(&mut self, board: &Board) {
        for kind in PieceType::ALL {
            let color = board.side_to_move();
            let mut files = [0; 9];
            board.squares_of(Piece::new(color, kind)).for_each(|square| files[square.file() as usize] += 1);
            let mut tandems: Vec<usize> = files.into_iter().filter(|&count| count >= 2).collect();
            tandems.sort_unstable_by(|a, b| b.cmp(a));
            if !tandems.is_empty() {
                *self.patterns.entry((color.index(), kind.index(), tandems)).or_default() += 1;
            }
        }
    }
}

fn check(board: &Board, seen: &mut Seen) {
    seen.look(board);
    let moves = board.legal_moves();
    seen.moves += moves.len();
    for system in System::ALL {
        let notation = Notation::new(system);
        let texts: Vec<String> = moves.iter().map(|&mv| notation.write(board, mv)).collect();
        let mut owners: HashMap<&str, Vec<Move>> = HashMap::new();
        for (text, &mv) in texts.iter().zip(&moves) {
            owners.entry(text).or_default().push(mv);
        }
        for (text, &mv) in texts.iter().zip(&moves) {
            let owners = &owners[text.as_str()];
            let read = notation.read(board, text);
            let place = || format!("{system} '{text}' for {mv} in {}", board.to_fen());
            if owners.len() == 1 {
                assert_eq!(read, Ok(mv), "{}", place());
                continue;
            }
            assert_eq!(system, System::Descriptive, "{} is also {owners:?}", place());
            seen.ambiguous_words += 1;
            let Err(ReadError::Ambiguous { mut candidates, .. }) = read else { panic!("{}: {read:?}", place()) };
            let mut expected = owners.clone();
            candidates.sort_unstable();
            expected.sort_unstable();
            assert_eq!(candidates, expected, "{}", place());
        }
    }
    let full = Notation { unambiguous: true, ..Notation::new(System::Descriptive) };
    for &mv in &moves {
        assert_eq!(full.read(board, &full.write(board, mv)), Ok(mv), "{mv} in {}", board.to_fen());
    }
    check_lost_lines(board, &moves, seen);
}

/// Shorthand without its under- and overlines must be read as a move that is written with these digits, and an
/// ambiguity must list all such moves.
fn check_lost_lines(board: &Board, moves: &[Move], seen: &mut Seen) {
    let notation = Notation::new(System::Shorthand);
    let bare: Vec<String> = moves.iter().map(|&mv| notation.write(board, mv).replace(['\u{332}', '\u{305}'], "")).collect();
    for (text, &mv) in bare.iter().zip(moves) {
        let owners: Vec<Move> = bare.iter().zip(moves).filter(|(other, _)| *other == text).map(|(_, &mv)| mv).collect();
        let place = || format!("'{text}' for {mv} in {}", board.to_fen());
        let goes_sideways = |mv: &&Move| mv.from().rank() == mv.to().rank();
        match (notation.read(board, text), owners.iter().find(goes_sideways)) {
            (Ok(read), Some(&sideways)) => assert_eq!(read, sideways, "{}", place()),
            (Ok(read), None) => assert_eq!([read], owners.as_slice(), "{}", place()),
            (Err(ReadError::Ambiguous { mut candidates, .. }), None) => {
                seen.lost_lines += 1;
                candidates.sort_unstable();
                let mut owners = owners;
                owners.sort_unstable();
                assert_eq!(candidates, owners, "{}", place());
            }
            // The sideways move exists but exposes the king, which is reported.
            (Err(ReadError::LeavesKingInCheck { mv, .. }), None) => assert_eq!(mv.from().rank(), mv.to().rank()),
            (other, _) => panic!("{}: {other:?}", place()),
        }
    }
}

/// Checks the positions of one worker.
fn check_share(seed: u64, positions: usize) -> Seen {
    let mut random = Random(seed);
    let mut seen = Seen::default();
    let mut checked = 0;
    while checked < positions / 2 {
        let mut board = *Position::startpos().board();
        for mv in random_game(&mut random, 200) {
            if checked < positions / 2 {
                check(&board, &mut seen);
                checked += 1;
            }
            board = board.after(mv);
        }
    }
    while checked < positions {
        if let Some(board) = tandem_position(&mut random) {
            check(&board, &mut seen);
            checked += 1;
        }
    }
    seen
}

#[test]
fn every_move_is_read_back_in_every_system() {
    let seen = std::thread::scope(|scope| {
        let shares: Vec<_> = (0..2).map(|seed| scope.spawn(move || check_share(seed + 1, POSITIONS / 2))).collect();
        let mut all = Seen::default();
        for share in shares {
            let part = share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            part.patterns.into_iter().for_each(|(pattern, count)| *all.patterns.entry(pattern).or_default() += count);
            all.moves += part.moves;
            all.ambiguous_words += part.ambiguous_words;
            all.lost_lines += part.lost_lines;
        }
        all
    });
    println!("{} moves in {POSITIONS} positions; tandems seen: {:?}", seen.moves, seen.patterns);
    println!("{} ambiguous descriptions, {} shorthand texts ambiguous without lines", seen.ambiguous_words, seen.lost_lines);
    for color in 0..2 {
        for kind in 1..6 {
            assert!(seen.patterns.get(&(color, kind, vec![2])).is_some_and(|&count| count >= 100), "{color} {kind}");
        }
        for pawns in [vec![2], vec![3], vec![4], vec![5], vec![2, 2], vec![3, 2]] {
            let count = seen.patterns.get(&(color, 6, pawns.clone())).copied().unwrap_or(0);
            assert!(count >= 100, "only {count} positions with pawns {pawns:?}");
        }
    }
    assert!(seen.moves > 20 * POSITIONS && seen.ambiguous_words > 1000 && seen.lost_lines > 1000);
}

/// Detection never gives a different line: it finds the one that was written or names the notations that disagree.
#[test]
fn detection_finds_the_line_or_reports_the_ambiguity() {
    let mut random = Random(7);
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    const GAMES: usize = 100;
    for _ in 0..GAMES {
        let moves = random_game(&mut random, 60);
        let start = Position::startpos();
        for system in System::ALL {
            match read_line_auto(start.board(), &write_line(system, start.board(), &moves)) {
                // A line in a historical notation can be a different line in a current one.
                Ok(detected) if detected.moves != moves => {
                    assert!(system.is_historical() && detected.others.iter().any(|other| other.system == system), "{system}");
                }
                Ok(detected) => {
                    assert!(detected.systems.contains(&system), "{system} not in {:?}", detected.systems);
                    *found.entry(system.id()).or_default() += 1;
                }
                Err(line_error) => assert!(
                    matches!(line_error.error, ReadError::SystemsDisagree { .. })
                        || system == System::Descriptive && matches!(line_error.error, ReadError::Ambiguous { .. }),
                    "{system}: {line_error}"
                ),
            }
        }
    }
    println!("of {GAMES} lines found: {found:?}");
    for system in System::ALL.into_iter().filter(|&system| system != System::Descriptive) {
        assert!(found.get(system.id()).is_some_and(|&count| count >= GAMES * 9 / 10), "{system} is hardly ever found: {found:?}");
    }
}
