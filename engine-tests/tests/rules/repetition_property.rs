//! Random loops, short and of up to 120 plies, with few pieces and many: the verdict must not depend on mirroring, on the
//! colours, on the starting point of the loop, or on whether reasons are computed.

use chuhe::board::{Board, Position};
use chuhe::rules::{Cause, GameResult, Language, NaturalLimit, Outlook, RuleSet, Rules, Verdict};
use chuhe::types::Move;
use engine_tests::loops::{Random, composed, long_window, played, window};

const SETS: [RuleSet; RuleSet::ALL.len()] = RuleSet::ALL;

fn rules(set: RuleSet) -> Rules {
    // The natural limit would end the long loops before their third occurrence.
    Rules { set, natural_limit: NaturalLimit::NONE, ..Rules::default() }
}

fn replay(board: Board, moves: impl Iterator<Item = Move>) -> Position {
    let mut position = Position::new(board, 0, 1);
    for mv in moves {
        assert!(position.board().is_legal(mv), "{mv} in {}", position.to_fen());
        position.make(mv);
    }
    position
}

fn swapped(verdict: Verdict) -> Verdict {
    let swap = |result| if let GameResult::Loses(color) = result { GameResult::Loses(!color) } else { result };
    match verdict {
        Verdict::Final(result) => Verdict::Final(swap(result)),
        Verdict::Provisional(result) => Verdict::Provisional(swap(result)),
        Verdict::None => Verdict::None,
    }
}

fn line(position: &Position) -> String {
    let moves: Vec<String> = position.moves().map(|mv| mv.to_string()).collect();
    format!("{} moves {}", position.initial().to_fen(), moves.join(" "))
}

/// Checks one line under every rule set, and returns whether a side loses by the World Rules.
fn check(position: &Position) -> bool {
    let start = *position.initial().board();
    let mirrored = replay(start.mirrored(), position.moves().map(Move::mirrored));
    let flipped = replay(start.color_flipped(), position.moves().map(Move::flipped));
    let both = replay(start.mirrored().color_flipped(), position.moves().map(|mv| mv.mirrored().flipped()));
    let later = one_ply_later(position);
    for set in SETS {
        let rules = rules(set);
        let verdict = rules.verdict(position);
        assert_eq!(rules.verdict(&mirrored), verdict, "{set:?}, mirrored: {}", line(position));
        assert_eq!(rules.verdict(&flipped), swapped(verdict), "{set:?}, colours exchanged: {}", line(position));
        assert_eq!(rules.verdict(&both), swapped(verdict), "{set:?}, mirrored, colours exchanged: {}", line(position));
        if let Some(later) = &later {
            assert_eq!(rules.verdict(later), verdict, "{set:?}, one ply later: {}", line(position));
        }
        let Verdict::Final(result) = verdict else { panic!("{set:?}: {verdict:?} at {}", line(position)) };
        assert_eq!(rules.outlook(position, 0), Outlook::Over(result));
        let ruling = rules.ruling(position);
        let Cause::Repetition(repetition) = &ruling.cause else { panic!("{set:?}: {:?}", ruling.cause) };
        assert_eq!((ruling.verdict, repetition.result()), (verdict, result), "{set:?}: {}", line(position));
        for language in Language::ALL {
            assert_eq!(ruling.lines(language).len(), repetition.moves.len() + 4, "{set:?}: {}", line(position));
        }
        // If a loop is simply repeated, the second occurrence predicts the verdict.
        if later.is_some() {
            let mut second = position.clone();
            (0..position.plies_to_repetition().unwrap_or(0)).for_each(|_| second.unmake());
            assert_eq!(rules.verdict(&second), Verdict::Provisional(result), "{set:?}: {}", line(position));
        }
    }
    matches!(rules(RuleSet::World).verdict(position), Verdict::Final(GameResult::Loses(_)))
}

/// The line with one more ply of its loop, if the last position and the one after it both have occurred exactly three times:
/// then both windows contain the same moves.
fn one_ply_later(position: &Position) -> Option<Position> {
    let period = position.plies_to_repetition()?;
    let moves: Vec<Move> = position.moves().collect();
    let looped = |moves: &[Move]| {
        moves.len() >= 2 * period && moves[moves.len() - period..] == moves[moves.len() - 2 * period..][..period]
    };
    let mut later = position.clone();
    later.make(moves[moves.len() - period]);
    let more: Vec<Move> = later.moves().collect();
    let is_simple = |position: &Position, moves: &[Move]| {
        position.occurrences() == 3 && position.plies_to_repetition() == Some(period) && looped(moves)
    };
    (is_simple(position, &moves) && is_simple(&later, &more)).then_some(later)
}

fn run(wanted: usize, seed: u64, mut make: impl FnMut(&Board, &mut Random) -> Option<Position>) -> (usize, usize) {
    let mut random = Random::new(seed);
    let (mut lost, mut longest, mut count) = (0, 0, 0);
    while count < wanted {
        let board = match random.below(3) {
            0 => played(&mut random, false),
            1 => played(&mut random, true),
            _ => composed(&mut random),
        };
        let Some(board) = board else { continue };
        // With only kings, advisors and elephants the game is drawn before anything repeats.
        if rules(RuleSet::World).verdict(&Position::new(board, 0, 1)) != Verdict::None {
            continue;
        }
        for position in (0..100).filter_map(|_| make(&board, &mut random)).take(8) {
            lost += check(&position) as usize;
            longest = longest.max(position.plies_to_repetition().unwrap_or(0));
            count += 1;
        }
    }
    (lost, longest)
}

/// CHUHE_LOOPS multiplies the number of loops.
fn more() -> usize {
    std::env::var("CHUHE_LOOPS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

#[test]
fn verdicts_of_short_loops_are_invariant() {
    let (lost, _) = run(3000 * more(), 1, window);
    assert!(lost >= 50, "only {lost} loops lose");
}

#[test]
fn verdicts_of_long_loops_are_invariant() {
    let (_, longest) = run(300 * more(), 2, long_window);
    assert!(longest >= 100, "the longest loop has {longest} plies");
}
