//! The verdicts of published repetition lines, as they stand and under every symmetry that must not matter.

use chuhe::board::{Board, Position};
use chuhe::rules::{GameResult, Rules, Verdict};
use chuhe::types::Move;

/// A line of the suite.
struct Case {
    id: String,
    board: Board,
    moves: Vec<Move>,
    verdict: String,
}

fn cases(text: &str) -> Vec<Case> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [id, fen, moves, verdict, _topic] = fields[..] else { panic!("five columns expected: {line}") };
            Case {
                id: id.into(),
                board: Board::from_diagram(fen).unwrap(),
                moves: moves.split_ascii_whitespace().map(|text| Move::from_uci(text).unwrap()).collect(),
                verdict: verdict.into(),
            }
        })
        .collect()
}

fn world_cases() -> Vec<Case> {
    cases(include_str!("../data/repetitions.tsv"))
}

fn play(id: &str, board: Board, moves: &[Move]) -> Position {
    let mut position = Position::new(board, 0, 1);
    for &mv in moves {
        assert!(position.board().is_legal(mv), "{id}: {mv} in {}", position.to_fen());
        position.make(mv);
    }
    position
}

fn word(verdict: Verdict) -> String {
    match verdict {
        Verdict::Final(GameResult::Loses(color)) => format!("{color}-loses"),
        Verdict::Final(GameResult::Draw) => "draw".into(),
        _ => "undecided".into(),
    }
}

fn swapped(verdict: &str) -> String {
    match verdict {
        "red-loses" => "black-loses".into(),
        "black-loses" => "red-loses".into(),
        other => other.into(),
    }
}

/// Judges every case after `map` and lists those whose verdict is not `expected`.
fn disagreements(cases: &[Case], map: impl Fn(&Case) -> (Board, Vec<Move>), expected: impl Fn(&Case) -> String) -> Vec<String> {
    let rules = Rules::default();
    let judged = cases.iter().map(|case| {
        let (board, moves) = map(case);
        (case, word(rules.verdict(&play(&case.id, board, &moves))))
    });
    judged
        .filter(|(case, verdict)| *verdict != expected(case))
        .map(|(case, verdict)| format!("{}: {verdict}, expected {}", case.id, expected(case)))
        .collect()
}

#[test]
fn published_lines_get_their_verdict() {
    let cases = world_cases();
    assert_eq!(cases.len(), 111);
    let wrong = disagreements(&cases, |case| (case.board, case.moves.clone()), |case| case.verdict.clone());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn left_and_right_make_no_difference() {
    let map = |case: &Case| (case.board.mirrored(), case.moves.iter().map(|mv| mv.mirrored()).collect());
    let wrong = disagreements(&world_cases(), map, |case| case.verdict.clone());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn colours_make_no_difference() {
    let map = |case: &Case| (case.board.color_flipped(), case.moves.iter().map(|mv| mv.flipped()).collect());
    let wrong = disagreements(&world_cases(), map, |case| swapped(&case.verdict));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn both_symmetries_together_make_no_difference() {
    let map =
        |case: &Case| (case.board.mirrored().color_flipped(), case.moves.iter().map(|mv| mv.mirrored().flipped()).collect());
    let wrong = disagreements(&world_cases(), map, |case| swapped(&case.verdict));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reading_the_loop_one_ply_later_makes_no_difference() {
    let decided: Vec<Case> = world_cases().into_iter().filter(|case| case.verdict != "undecided").collect();
    let map = |case: &Case| {
        let position = play(&case.id, case.board, &case.moves);
        let period = position.plies_to_repetition().unwrap();
        let mut moves = case.moves.clone();
        moves.push(case.moves[case.moves.len() - period]);
        (case.board, moves)
    };
    let wrong = disagreements(&decided, map, |case| case.verdict.clone());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
