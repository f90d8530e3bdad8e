//! The verdicts of published repetition lines, unchanged and under every symmetry of the rules.

use chuhe::board::{Board, Position};
use chuhe::rules::{Cause, GameResult, Language, RuleSet, Rules, Verdict};
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
    cases(include_str!("../../data/repetitions.tsv"))
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
    assert_eq!(cases.len(), 117);
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

/// The lines of Fairy-Stockfish's own tests, if their folder exists next to the repository.
#[test]
fn lines_of_another_referee_agree() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/samples/rules/axf-chase-lines.tsv");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: no {path}");
        return;
    };
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [fen, moves, winner, topic] = fields[..] else { panic!("four columns expected: {line}") };
        let moves: Vec<Move> = moves.split_ascii_whitespace().map(|text| Move::from_uci(text).unwrap()).collect();
        let position = play(topic, Board::from_diagram(fen).unwrap(), &moves);
        let expected = match winner {
            "red" => "black-loses",
            "black" => "red-loses",
            _ => "draw",
        };
        assert_eq!(word(Rules::default().verdict(&position)), expected, "{topic}: {fen}");
    }
}

/// The verdict is computed in two ways, fast and with reasons: both must agree under every rule set, also at the second occurrence.
#[test]
fn reasons_lead_to_the_verdict() {
    let sets = RuleSet::ALL;
    let mut repetitions = 0;
    for case in world_cases() {
        let mut position = Position::new(case.board, 0, 1);
        for &mv in &case.moves {
            position.make(mv);
            for set in sets {
                let ruling = Rules { set, ..Rules::default() }.ruling(&position);
                let Cause::Repetition(repetition) = &ruling.cause else { continue };
                let (Verdict::Final(result) | Verdict::Provisional(result)) = ruling.verdict else { panic!("{}", case.id) };
                assert_eq!(repetition.result(), result, "{} after {mv} under {set:?}", case.id);
                // At a second occurrence the reasons also state that nothing is decided.
                let more = matches!(ruling.verdict, Verdict::Provisional(_)) as usize;
                for language in Language::ALL {
                    assert_eq!(ruling.lines(language).len(), repetition.moves.len() + 4 + more);
                }
                repetitions += 1;
            }
        }
    }
    assert!(repetitions > 1000, "only {repetitions} repetitions looked at");
}

/// At the second occurrence the loops of the suite already get the result of the third.
#[test]
fn the_second_occurrence_predicts_the_third() {
    let rules = Rules::default();
    let mut foretold = 0;
    for case in world_cases() {
        let mut position = play(&case.id, case.board, &case.moves);
        let (Verdict::Final(result), Some(period)) = (rules.verdict(&position), position.plies_to_repetition()) else { continue };
        let looped = case.moves.len() >= 2 * period
            && case.moves[case.moves.len() - period..] == case.moves[case.moves.len() - 2 * period..][..period];
        while position.occurrences() > 2 {
            for _ in 0..period {
                position.unmake();
            }
        }
        if looped {
            assert_eq!(rules.verdict(&position), Verdict::Provisional(result), "{}", case.id);
            foretold += 1;
        }
    }
    assert!(foretold > 80, "only {foretold} loops");
}

/// The classes of differences from an independent referee, each with its smallest window (see the script that made them).
fn explained_differences(text: &str) {
    let mut classes = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [class, _count, fen, moves, ours, theirs, _why] = fields[..] else { panic!("seven columns expected: {line}") };
        let moves: Vec<Move> = moves.split_ascii_whitespace().map(|text| Move::from_uci(text).unwrap()).collect();
        assert_ne!(ours, theirs);
        assert_eq!(word(Rules::default().verdict(&play(class, Board::from_fen(fen).unwrap(), &moves))), ours, "{class}");
        classes += 1;
    }
    assert!(classes >= 5);
}

#[test]
fn explained_differences_on_constructed_loops_hold() {
    explained_differences(include_str!("../../data/repetition-differences.tsv"));
}

#[test]
fn explained_differences_on_loops_of_self_play_hold() {
    explained_differences(include_str!("../../data/repetition-differences-self-play.tsv"));
}
