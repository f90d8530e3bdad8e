//! A search must not walk into a losing repetition while another move holds, and must claim the win when the opponent
//! has to break off.

use chuhe::board::Position;
use chuhe::rules::{GameResult, Rules, Verdict};
use chuhe::search::{Limits, Score, Settings};
use chuhe::threads::Pool;
use chuhe::types::Move;

const DEPTH: i32 = 6;

struct Task {
    id: String,
    position: Position,
    claims: bool,
    mv: Move,
}

fn tasks() -> Vec<Task> {
    let text = include_str!("../data/repetition-searches.tsv");
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
