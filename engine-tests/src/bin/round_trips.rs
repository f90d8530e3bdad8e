//! Writes records in every format, reads them back and compares: `round_trips [-n GAMES] FILE…`. A file is a library of games or contains
//! records. For each format it prints the number of identical records, the number with reported losses, and every fault.

use chuhe::library::Library;
use chuhe::records::{Format, Losses, Record, RecordError, Records};
use engine_tests::round_trip::{compare, formats, written_and_read};
use std::path::Path;

/// The results of a format.
struct Tally {
    format: Format,
    whole: u64,
    with_loss: u64,
    losses: Losses,
    faults: u64,
}

fn records(path: &Path) -> Result<Box<dyn Iterator<Item = Result<Record, String>>>, String> {
    if let Ok(library) = Library::open(path) {
        let games = library.len().map_err(|error| error.to_string())?;
        let record = move |game| library.record(game).map_err(|error| error.to_string());
        return Ok(Box::new((1..=games).map(record)));
    }
    let records = Records::open(path, None).map_err(|error| error.to_string())?;
    Ok(Box::new(records.map(|record| record.map_err(|error: RecordError| error.to_string()))))
}

fn main() -> Result<(), String> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut most = u64::MAX;
    if arguments.first().is_some_and(|first| first == "-n") && arguments.len() > 1 {
        most = arguments[1].parse().map_err(|error| format!("-n {}: {error}", arguments[1]))?;
        arguments.drain(..2);
    }
    if arguments.is_empty() {
        return Err("expected files, as round_trips -n 1000 library.chuhe games.pgn".into());
    }
    let mut tallies: Vec<Tally> =
        formats().map(|format| Tally { format, whole: 0, with_loss: 0, losses: Losses::default(), faults: 0 }).collect();
    let (mut games, mut moves, mut unread) = (0, 0, 0);
    for path in &arguments {
        for (number, record) in (1..).zip(records(Path::new(path))?) {
            if games == most {
                break;
            }
            // A record without a playable position is not a game.
            let Some(record) = record.ok().filter(|record| record.start.position().is_ok()) else {
                unread += 1;
                continue;
            };
            games += 1;
            moves += record.moves_in_tree();
            for tally in &mut tallies {
                let trip = written_and_read(&record, tally.format)
                    .and_then(|(back, losses)| compare(&record, &back, &losses).map(|()| losses));
                match trip {
                    Ok(losses) if losses.is_empty() => tally.whole += 1,
                    Ok(losses) => {
                        tally.with_loss += 1;
                        tally.losses.merge(losses);
                    }
                    Err(fault) => {
                        tally.faults += 1;
                        println!("{path} game {number} as {}: {fault}", tally.format);
                    }
                }
            }
        }
    }
    println!("games {games} moves {moves} unread {unread}");
    for Tally { format, whole, with_loss, losses, faults } in &tallies {
        println!("{format} whole {whole} with-losses {with_loss} faults {faults} {losses}");
    }
    match tallies.iter().all(|tally| tally.faults == 0) {
        true => Ok(()),
        false => Err("records came back with differences that were not named".into()),
    }
}
