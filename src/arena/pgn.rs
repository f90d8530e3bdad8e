//! Games of a match as PGN in ICCS coordinates, the format in which xiangqi programs exchange games.

use super::error::GameNotWritten;
use super::game::GameRecord;
use crate::notation::System;
use crate::records::{Format, PgnOptions, Record, write};
use crate::search::Score;
use crate::system::pgn_of_system;

/// The value of the tag `Event`, which identifies the games of a match.
pub(super) const EVENT: &str = "chuhe match";

/// The current UTC date in PGN format.
pub fn today() -> String {
    let date = time::OffsetDateTime::now_utc().date();
    format!("{:04}.{:02}.{:02}", date.year(), date.month() as u8, date.day())
}

/// The game as PGN, followed by an empty line. `players` are Red and Black, `round` counts games from 1. Each engine move is followed by a
/// comment with score, depth and time; the last comment has details of the end of the game, if any.
///
/// # Errors
/// If the game is too long for a record.
pub fn write_pgn(game: &GameRecord, players: [&str; 2], round: usize, times: [String; 2]) -> Result<Vec<u8>, GameNotWritten> {
    let mut record = Record::of_position(&game.opening)?;
    let [red_time, black_time] = times;
    for (name, value) in [
        ("Event", EVENT.to_string()),
        ("Date", today()),
        ("Round", round.to_string()),
        ("Red", players[0].to_string()),
        ("Black", players[1].to_string()),
        ("RedTimeControl", red_time),
        ("BlackTimeControl", black_time),
        ("Termination", game.ending.to_string()),
    ] {
        record.set_tag(name, value);
    }
    record.result = game.result.into();
    let mut node = record.main_line().last().unwrap_or(record.root());
    for played in &game.moves {
        node = record.add(node, played.mv)?;
        let score = match played.score {
            Some(Score::Centipawns(value)) => format!("{:+.2}", value as f64 / 100.0),
            Some(Score::Mate(moves)) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs()),
            None => "?".into(),
        };
        let comment = format!("{score}/{} {:.3}s", played.depth.unwrap_or(0), played.time.as_secs_f64());
        record.append_comment(node, &comment);
    }
    if let Some(detail) = &game.detail {
        record.append_comment(node, detail);
    }
    let options = PgnOptions { notation: System::Iccs, ..pgn_of_system() };
    let (mut bytes, _) = write(&record, Format::Pgn, &options)?;
    bytes.extend_from_slice(options.line_ends.of("\n").as_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::game::{Ending, Played};
    use super::*;
    use crate::board::Position;
    use crate::records::{RecordResult, Records};
    use crate::rules::GameResult;
    use crate::types::Move;
    use std::time::Duration;

    #[test]
    fn games_round_trip() {
        let mv = |text: &str| Move::from_uci(text).unwrap();
        let mut opening = Position::startpos();
        opening.make(mv("h2e2"));
        let played = Played { mv: mv("h9g7"), score: Some(Score::Mate(-3)), depth: Some(9), time: Duration::from_millis(100) };
        let game = GameRecord {
            opening,
            moves: vec![played],
            result: GameResult::Draw,
            ending: Ending::IllegalMove,
            detail: Some("B: 'a0a9' is not legal".into()),
        };
        let mut bytes = write_pgn(&game, ["A \"1\"", "B"], 3, ["1+0.01".into(), "depth:3".into()]).unwrap();
        bytes.extend(write_pgn(&game, ["B", "A"], 4, ["".into(), "".into()]).unwrap());
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains("H2-E2") && text.contains("-M3/9 0.100s"), "{text}");
        assert!(text.contains("[Red \"A \\\"1\\\"\"]") && text.contains("'a0a9' is not legal"), "{text}");
        assert!(text.contains("[Date \"20") && text.contains("[Event \"chuhe match\"]"), "{text}");
        let records: Vec<Record> = Records::new(bytes, Some(Format::Pgn)).unwrap().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        assert_eq!(
            (records[0].tag("Red"), records[0].tag("Round"), records[0].result),
            (Some("A \"1\""), Some("3"), RecordResult::Draw)
        );
        assert_eq!(records[1].moves().collect::<Vec<_>>(), [mv("h2e2"), mv("h9g7")]);
    }
}
