//! A search must not walk into a losing repetition while another move holds, and must claim the win when the opponent
//! has to break off.

use chuhe::board::Position;
use chuhe::rules::{GameResult, Rules, Verdict};
use chuhe::search::{Limits, Score, Settings};
use chuhe::threads::Pool;
use chuhe::types::{Color, Move};

const DEPTH: i32 = 6;

struct Task {
    id: String,
    position: Position,
    claims: bool,
    mv: Move,
}

fn tasks() -> Vec<Task> {
    let text = include_str!("../../data/repetition-searches.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [id, fen, moves, task, mv] = fields[..] else { panic!("five columns expected: {line}") };
            let mut position = Position::from_diagram(fen).unwrap();
            moves.split_ascii_whitespace().for_each(|text| position.make(Move::from_uci(text).unwrap()));
            Task { id: id.into(), position, claims: task == "claim", mv: Move::from_uci(mv).unwrap() }
        })
        .collect()
}

/// The tasks are what they say: the move ends the game, for or against the side that plays it.
#[test]
fn the_move_of_every_task_ends_the_game() {
    let tasks = tasks();
    assert!(tasks.iter().filter(|task| task.claims).count() >= 20);
    assert!(tasks.iter().filter(|task| !task.claims).count() >= 20);
    for task in tasks {
        let mut after = task.position.clone();
        let mover = after.side_to_move();
        assert!(after.board().is_legal(task.mv), "{}", task.id);
        assert!(!matches!(Rules::default().verdict(&after), Verdict::Final(_)), "{} has ended before", task.id);
        after.make(task.mv);
        let loser = if task.claims { !mover } else { mover };
        assert_eq!(Rules::default().verdict(&after), Verdict::Final(GameResult::Loses(loser)), "{}", task.id);
        if !task.claims {
            assert!(task.position.board().legal_moves().len() > 1, "{} has no other move", task.id);
        }
    }
}

#[test]
fn a_search_avoids_losing_repetitions_and_claims_won_ones() {
    let mut wrong = Vec::new();
    for task in tasks() {
        let mut pool = Pool::new(1, 8);
        let limits = Limits { depth: Some(DEPTH), ..Limits::none() };
        let outcome = pool.search(&task.position, &limits, &Settings::default(), &mut ());
        let plays_it = outcome.best == Some(task.mv);
        let is_right = match outcome.score {
            // Another way to win is as good.
            Score::Mate(moves) if task.claims => moves > 0,
            _ => plays_it == task.claims,
        };
        if !is_right {
            wrong.push(format!("{}: best {:?}, score {:?}", task.id, outcome.best, outcome.score));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Diagram 35 is no task for the search: from the start the forbidden loop is all that puts off mate in one, so no move holds.
#[test]
fn where_only_the_forbidden_loop_puts_off_mate_the_search_knows_that_it_is_lost() {
    let mut start = Position::from_diagram("4k4/4a4/4b4/6c2/9/3R5/4c4/4C4/4N4/3AKA3 w - - 0 1").unwrap();
    let line = "d4g4 g6c6 g4c4 c6g6 c4g4 g6c6 g4c4 c6g6 c4g4".split(' ').map(|text| Move::from_uci(text).unwrap());
    for mv in line {
        for other in start.board().legal_moves().into_iter().filter(|&other| start.side_to_move() == Color::Red && other != mv) {
            let after = start.board().after(other);
            let mates = after.legal_moves().into_iter().filter(|&reply| after.after(reply).count_legal_moves() == 0).count();
            assert!(mates > 0, "{other} holds in {}", start.to_fen());
        }
        // From the first position on the whole loop lies in the tree, which takes 31 000 nodes to see.
        let limits = Limits { nodes: Some(300_000), ..Limits::none() };
        let outcome = Pool::new(1, 8).search(&start, &limits, &Settings::default(), &mut ());
        let Score::Centipawns(score) = outcome.score else { panic!("{:?} in {}", outcome.score, start.to_fen()) };
        let for_red = if start.side_to_move() == Color::Red { score } else { -score };
        assert!(for_red < -28_000, "{for_red} in {}", start.to_fen());
        start.make(mv);
    }
    assert_eq!(Rules::default().verdict(&start), Verdict::Final(GameResult::Loses(Color::Red)));
}
