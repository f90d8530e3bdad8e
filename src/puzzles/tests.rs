//! Positions with and without known solutions, and round trips of the file formats.

use super::prover::Prover;
use super::{Finder, Game, Goal, Margin, Puzzle, Source, Theme, Verifier, builtin, builtin_text, text};
use crate::board::{Board, Position};
use crate::records::{Format, PgnOptions, Records};
use crate::types::Move;
use std::collections::HashSet;

const NODES: u64 = 50_000;
const HASH: usize = 4;

fn board(fen: &str) -> Board {
    *Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).board()
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| Move::from_uci(mv).expect("a move")).collect()
}

/// A game from a position.
fn game(fen: &str, text: &str) -> Game {
    let source = Source { file: "test.pgn".into(), game: 1, ply: 0, red: "A".into(), black: "B \"b\"".into() };
    Game { source, start: board(fen), moves: moves(text) }
}

fn find(game: &Game) -> Vec<Puzzle> {
    Finder::new(NODES, HASH).find(game, &|| false).expect("not stopped")
}

/// The only puzzle of a position.
fn puzzle(fen: &str) -> Puzzle {
    let mut found = find(&game(fen, ""));
    assert_eq!(found.len(), 1, "{fen}");
    found.remove(0)
}

const ROOK_FROM_HORSE: &str = "3akab2/9/4b2r1/1N7/9/1RB6/P3P4/4B4/4A1p2/c3K4 w";
const DOUBLE_CANNONS: &str = "4ka3/n3a1c2/5c3/4p4/1CR5p/p8/4P3P/2N1B3n/4A4/2BAK4 b";
const MANY_DEFENCES: &str = "4ka3/4a4/b3b4/1np6/8P/4C4/4P2N1/4BA3/3K5/1c3AB2 w";
const SACRIFICE: &str = "2baka3/2c6/4b1n2/4p3p/6n2/3r5/p2R4P/6N1C/2C1N4/2BAKAB2 b";

#[test]
fn unique_wins_are_found_with_their_themes() {
    use Theme::*;
    for (fen, goal, line, themes) in [
        (ROOK_FROM_HORSE, Goal::Mate(2), "b6d7 e9e8 b4b8", &[MateIn2, RookMate][..]),
        (DOUBLE_CANNONS, Goal::Mate(2), "i2g1 e0f0 g8f8", &[CannonMate, DoubleCannons]),
        ("2bak3C/4a4/2n1b3n/p3p4/2p3c2/6B1N/P1P1P4/C8/4A4/4KAB2 b", Goal::Mate(1), "g5g0", &[CannonMate, Smothered]),
        ("3ak4/2CR5/4b4/1r7/c1b5p/8P/9/4BA3/4A4/3K5 w", Goal::Mate(2), "c8c9 d9e8 d8d9", &[DoubleCheck, RookMate, CannonMate]),
        (MANY_DEFENCES, Goal::Mate(2), "h3g5 b0a0 g5f7", &[HorseMate, CornerHorse, QuietMove]),
        (
            "2C4R1/2Nck4/3a1P3/9/2b6/p8/3p5/4B4/1nn1A4/3K1AB2 b",
            Goal::Mate(2),
            "c1e2 d0e0 e2g1",
            &[HorseMate, ElbowHorse, DiscoveredCheck],
        ),
        ("2bak1b2/3P5/5P3/9/9/9/3p5/2p6/3p5/2BA1KB2 w", Goal::Mate(2), "f7f8 d9e8 f8e8", &[PawnMate, Endgame]),
        ("4k4/4a4/3a1c3/9/5R3/9/9/5r3/4K4/9 b", Goal::Mate(3), "f2f5 e1e0 f5e5 e0d0 e5e1", &[MateIn3, Stalemate]),
        ("4ka3/4a4/9/9/4R4/2r6/5p3/4C4/2p1A4/3A1K3 w", Goal::Win, "e5c5 f3e3 c5c4", &[DiscoveredCheck]),
        ("2bak4/4a4/4b4/9/6P2/6Br1/9/9/4R4/5K3 b", Goal::Win, "h4h0 f0f1 h0h1", &[WinsRook, Endgame]),
        (SACRIFICE, Goal::Win, "c8c0 e1c0 d4d3", &[Sacrifice, Exchange]),
    ] {
        let puzzle = puzzle(fen);
        assert_eq!((puzzle.goal, puzzle.main_line()), (goal, moves(line)), "{fen}");
        assert!(themes.iter().all(|theme| puzzle.themes.contains(theme)), "{fen}: {:?}", puzzle.themes);
        let mirrored = find(&Game { start: puzzle.board.mirrored(), ..game(fen, "") });
        assert_eq!(mirrored.iter().map(Puzzle::identity).collect::<Vec<_>>(), [puzzle.identity()], "{fen}, mirrored");
        assert_eq!(find(&Game { start: puzzle.board.color_flipped(), ..game(fen, "") }).len(), 1);
    }
}

#[test]
fn endgames_are_exact() {
    let win = puzzle("3a5/4ak3/4b4/9/2b6/9/9/6R2/9/3K5 w");
    assert_eq!((win.goal, win.main_line()[0]), (Goal::Win, moves("g2f2")[0]));
    let draw = puzzle("2ba2R2/9/3abk3/9/9/9/9/3K5/9/9 b");
    assert_eq!((draw.goal, draw.main_line()[0]), (Goal::Draw, moves("e7g9")[0]));
    for exact in [win, draw] {
        assert!(exact.themes.contains(&Theme::Exact) && exact.themes.contains(&Theme::Endgame));
        assert_eq!(Verifier::new(NODES, HASH).check(&exact).fault, None);
    }
}

#[test]
fn trivial_positions_give_no_puzzle() {
    for (fen, line) in [
        // Nothing is won.
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "h2e2 h9g7 h0g2 i9h9"),
        // Everything wins.
        ("3k5/9/9/9/9/9/9/9/R7R/4K4 w", ""),
        // One move mates, and others win more slowly, by the endgame tables.
        ("3k1a3/9/9/9/9/9/7R1/9/9/4K4 w", ""),
        ("4k4/4a4/9/9/9/R8/9/9/9/5K3 w", ""),
        // A rook can be captured for nothing.
        ("2bakab2/9/9/p3p3p/9/4r4/P3P3P/4R4/9/2BAKAB2 w", ""),
        // There is only one legal move.
        ("3k5/4R4/9/9/9/9/9/9/9/4KR3 b", ""),
    ] {
        assert!(find(&game(fen, line)).is_empty(), "{fen}");
    }
}

#[test]
fn a_recapture_is_not_a_puzzle() {
    // Black captures the horse, and only recapturing the rook wins.
    let game = game("2bakab2/9/9/p3p3p/4r4/9/P3N3P/9/9/2BARKB2 b", "e5e3");
    let after = game.start.after(game.moves[0]);
    let choices = Prover::new(HASH).best(&after, 2, NODES);
    assert_eq!(choices.only(Margin::SECOND_SEARCH).map(|choice| choice.mv), Some(moves("e0e3")[0]));
    assert!(find(&game).iter().all(|puzzle| puzzle.source.ply == 0));
}

#[test]
fn each_solution_is_found_once_per_game() {
    // Positions along the solution of the first puzzle are not puzzles again.
    let once = find(&game(DOUBLE_CANNONS, "i2g1 e0f0 g8f8"));
    assert_eq!(once.iter().map(|puzzle| puzzle.source.ply).collect::<Vec<_>>(), [0]);
    let again = find(&game(DOUBLE_CANNONS, "i2g1 e0f0 g8f8"));
    assert_eq!(once[0].to_json(), again[0].to_json());
    assert!(Finder::new(NODES, HASH).find(&game(DOUBLE_CANNONS, "i2g1"), &|| true).is_none());
}

#[test]
fn a_mate_covers_every_defence() {
    let puzzle = puzzle(MANY_DEFENCES);
    let first = puzzle.solution.children(puzzle.solution.root()).next().expect("a solution");
    let defences = puzzle.solution.children(first).count() as u32;
    assert_eq!(defences, puzzle.board.after(puzzle.main_line()[0]).count_legal_moves());
    assert_eq!(Verifier::new(NODES, HASH).check(&puzzle).fault, None);
    // Without one of them the proof is incomplete; without the first move there is no solution.
    let mut cut = puzzle.clone();
    let last = cut.solution.children(first).last().expect("a defence");
    cut.solution.remove(last);
    assert!(Verifier::new(NODES, HASH).check(&cut).fault.is_some_and(|fault| fault.contains("does not answer")));
    let mut other = puzzle;
    other.solution.remove(first);
    assert!(Verifier::new(NODES, HASH).check(&other).fault.is_some());
}

#[test]
fn wrong_solutions_are_rejected() {
    let json = puzzle(SACRIFICE).to_json();
    assert_eq!(Verifier::new(NODES, HASH).check(&Puzzle::from_json(&json).unwrap()).fault, None);
    let fen = Position::new(board(SACRIFICE), 0, 1).to_fen();
    let wrong = format!(r#"{{"fen":"{fen}","goal":"win","solution":["a3a2"]}}"#);
    let fault = Verifier::new(NODES, HASH).check(&Puzzle::from_json(&wrong).unwrap()).fault;
    assert!(fault.is_some_and(|fault| fault.starts_with("a3a2 wins")));
    // Two winning moves.
    let easy = r#"{"fen":"3k5/9/9/9/9/9/9/9/R7R/4K4 w - - 0 1","goal":"mate","solution":["a1a9"]}"#;
    assert!(Verifier::new(NODES, HASH).check(&Puzzle::from_json(easy).unwrap()).fault.is_some());
}

#[test]
fn all_lines_and_the_goal_of_an_endgame_are_verified() {
    let line = r#""fen":"3k5/3n5/1N7/9/9/9/9/4K4/9/9 w","solution":["e2d2","d9e9","b7d8"],"tags":["exact"]"#;
    let fault = |rest: &str| Verifier::new(1000, HASH).check(&Puzzle::from_json(&format!("{{{line},{rest}}}")).unwrap()).fault;
    assert_eq!(fault(r#""goal":"win""#), None);
    let second = fault(r#""goal":"win","variations":[["e2d2","d9e9","b7c5"]]"#);
    assert!(second.is_some_and(|fault| fault.starts_with("2 moves are accepted in")));
    // The endgame is won, but this is no mate.
    assert!(fault(r#""goal":"mate""#).is_some());
}

#[test]
fn a_game_with_unreadable_moves_is_no_shorter_puzzle() {
    let read = |moves: &str| {
        let tags = "[FEN \"3k5/3n5/1N7/9/9/9/9/4K4/9/9 w\"]\n[PuzzleGoal \"win\"]";
        text::read(format!("{tags}\n\n{moves} 1-0\n").into_bytes()).next().expect("a game").map(|puzzle| puzzle.lines())
    };
    assert_eq!(read("1. e2d2 d9e9 2. b7d8"), Ok(vec![moves("e2d2 d9e9 b7d8")]));
    let cut = read("1. e2d2 d9e9 2. b7d8 a0a9 3. d2d1");
    assert!(cut.is_err_and(|fault| fault.starts_with("game 1: ") && fault.contains("a0a9")));
    let variation = read("1. e2d2 d9e9 2. b7d8 (2. b7c5 a0a9 3. d2d1)");
    assert_eq!(variation, Err("game 1: 2 moves of the variations cannot be read, expected legal moves".into()));
}

#[test]
fn puzzles_survive_a_round_trip() {
    for fen in [MANY_DEFENCES, SACRIFICE, ROOK_FROM_HORSE, "2ba2R2/9/3abk3/9/9/9/9/3K5/9/9 b"] {
        let puzzle = puzzle(fen);
        let json = puzzle.to_json();
        assert_eq!(Puzzle::from_json(&json).unwrap().to_json(), json);
        let pgn = puzzle.to_pgn(&PgnOptions::default()).unwrap();
        let record = Records::new(pgn, Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
        assert!(record.warnings().is_empty(), "{:?}", record.warnings());
        assert_eq!(Puzzle::from_record(&record).unwrap().to_json(), json);
    }
}

#[test]
fn invalid_puzzles_are_rejected() {
    let fen = "3akab2/9/4b2r1/1N7/9/1RB6/P3P4/4B4/4A1p2/c3K4 w - - 0 1";
    for (text, part) in [
        ("{}".to_string(), "fen"),
        (r#"{"fen":"x","goal":"win","solution":["a0a1"]}"#.into(), "FEN"),
        (format!(r#"{{"fen":"{fen}","goal":"win","solution":["a0a1"]}}"#), "a0a1"),
        (format!(r#"{{"fen":"{fen}","goal":"win","solution":[]}}"#), "ends before"),
        (format!(r#"{{"fen":"{fen}","goal":"win","solution":["b6d7","e9e8"]}}"#), "ends before"),
        (format!(r#"{{"fen":"{fen}","goal":"best","solution":["b6d7"]}}"#), "goal 'best'"),
    ] {
        let error = Puzzle::from_json(&text).map(|puzzle| puzzle.goal).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn themes_have_unique_identifiers() {
    for theme in Theme::ALL {
        assert_eq!(theme.name().parse(), Ok(theme));
    }
}

#[test]
fn the_built_in_puzzles_are_readable_and_distinct() {
    let puzzles: Vec<Puzzle> = builtin().collect();
    assert_eq!((puzzles.len(), builtin_text().lines().count()), (300, 300));
    let identities: HashSet<u64> = puzzles.iter().map(Puzzle::identity).collect();
    assert_eq!(identities.len(), puzzles.len());
    assert!(puzzles.windows(2).all(|pair| pair[0].rating <= pair[1].rating));
    let themes: HashSet<Theme> = puzzles.iter().flat_map(|puzzle| puzzle.themes.clone()).collect();
    assert!(themes.len() >= 25, "{themes:?}");
    for puzzle in &puzzles {
        assert_eq!(puzzle.solution.children(puzzle.solution.root()).count(), 1, "{}", puzzle.to_json());
    }
}

/// Checks the exact endgames of the set with few nodes. The full verification is `chuhe puzzles --verify`.
#[test]
fn the_proofs_of_the_built_in_puzzles_hold() {
    let mut verifier = Verifier::new(1000, HASH);
    let mut proved = 0;
    for puzzle in builtin().filter(|puzzle| puzzle.themes.contains(&Theme::Exact)) {
        assert_eq!(verifier.check(&puzzle).fault, None, "{}", puzzle.to_json());
        proved += 1;
    }
    assert!(proved >= 30, "{proved}");
}
