//! Games as PGN in ICCS coordinates, the form in which xiangqi programs exchange them.

use super::game::GameRecord;
use crate::board::START_FEN;
use crate::rules::GameResult;
use crate::search::Score;
use crate::types::Color;
use std::fmt::Write as _;

/// Columns of the move text.
const WIDTH: usize = 100;

/// The game as a PGN text that ends in a blank line. `players` are Red and Black, `round` counts games from 1.
pub fn write_pgn(record: &GameRecord, players: [&str; 2], round: usize, time_controls: [String; 2]) -> String {
    let result = match record.result {
        GameResult::Loses(Color::Black) => "1-0",
        GameResult::Loses(Color::Red) => "0-1",
        GameResult::Draw => "1/2-1/2",
    };
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string can't fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", "Chinese Chess");
    tag("Event", "chuhe match");
    tag("Round", &round.to_string());
    tag("Red", players[0]);
    tag("Black", players[1]);
    tag("Result", result);
    let initial = record.opening.initial().to_fen();
    if initial != START_FEN {
        tag("FEN", &initial);
    }
    tag("Format", "ICCS");
    tag("RedTimeControl", &time_controls[0]);
    tag("BlackTimeControl", &time_controls[1]);
    tag("Termination", &record.ending.to_string());
    text.push('\n');
    let comments = record.moves.iter().map(|played| {
        let score = match played.score {
            Some(Score::Centipawns(value)) => format!("{:+.2}", value as f64 / 100.0),
            Some(Score::Mate(moves)) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs()),
            None => "?".into(),
        };
        let depth = played.depth.unwrap_or(0);
        Some(format!("{{{score}/{depth} {:.3}s}}", played.time.as_secs_f64()))
    });
    let opening = record.opening.moves().map(|mv| (mv, None));
    let moves = opening.chain(record.moves.iter().map(|played| played.mv).zip(comments));
    let mut words = Vec::new();
    let black_begins = record.opening.initial().side_to_move() == Color::Black;
    for (ply, (mv, comment)) in moves.enumerate() {
        let ply = ply + black_begins as usize;
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        } else if ply == 1 && black_begins {
            words.push("1. ...".into());
        }
        words.push(format!("{}-{}", mv.from(), mv.to()).to_uppercase());
        words.extend(comment);
    }
    words.push(result.into());
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
    text
}

#[cfg(test)]
mod tests {
    use super::super::game::{Ending, Played};
    use super::*;
    use crate::board::Position;
    use crate::types::Move;
    use std::time::Duration;

    #[test]
    fn a_game() {
        let mv = |text: &str| Move::from_uci(text).unwrap();
        let mut opening = Position::startpos();
        opening.make(mv("h2e2"));
        let played =
            Played { mv: mv("h9g7"), score: Some(Score::Centipawns(-25)), depth: Some(9), time: Duration::from_millis(100) };
        let record = GameRecord { opening, moves: vec![played], result: GameResult::Draw, ending: Ending::MaxPlies };
        let text = write_pgn(&record, ["A \"1\"", "B"], 3, ["1+0.01".into(), "depth:3".into()]);
        assert!(text.contains("[Red \"A \\\"1\\\"\"]\n") && text.contains("[Round \"3\"]\n") && !text.contains("[FEN"));
        assert!(text.ends_with("\n\n1. H2-E2 H9-G7 {-0.25/9 0.100s} 1/2-1/2\n\n"), "{text}");
    }

    #[test]
    fn black_begins() {
        let mut opening = Position::from_fen("4k4/9/9/9/9/9/9/9/4r4/3K5 b").unwrap();
        opening.make(Move::from_uci("e9e8").unwrap());
        let record = GameRecord { opening, moves: vec![], result: GameResult::Loses(Color::Red), ending: Ending::Crash };
        let text = write_pgn(&record, ["A", "B"], 1, ["".into(), "".into()]);
        assert!(text.contains("[FEN \"4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 0 1\"]"));
        assert!(text.ends_with("1. ... E9-E8 0-1\n\n"), "{text}");
    }
}
