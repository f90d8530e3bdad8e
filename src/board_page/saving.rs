//! Files for download: records and reports.

use super::error::RequestError;
use super::host::Host;
use super::message::{AskReport, AskSave, Saved};
use super::reader;
use crate::book::{self, Book};
use crate::endgame::Tables;
use crate::notation::{Notation, System};
use crate::records::{Format, Losses, PgnOptions, Record, RecordWriter};
use crate::report::{GameReview, Page, PositionResult, View};
use crate::rules::{RuleSet, Rules};
use crate::types::Color;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A file with these contents.
pub fn file(name: &str, mime: &'static str, bytes: &[u8], losses: Option<String>) -> Saved {
    Saved { name: name.to_string(), mime, bytes: STANDARD.encode(bytes), losses }
}

/// A file name without extension, derived from the players or the title.
fn stem(record: &Record) -> String {
    let title = match [Color::Red, Color::Black].map(|side| record.player(side)) {
        [Some(red), Some(black)] => format!("{red}-{black}"),
        [Some(player), None] | [None, Some(player)] => player,
        [None, None] => record.title().unwrap_or_default(),
    };
    let plain = |letter: char| if letter.is_alphanumeric() || "-_ .()".contains(letter) { letter } else { '_' };
    let stem: String = title.chars().map(plain).take(60).collect();
    let stem = stem.trim_matches([' ', '.']);
    if stem.is_empty() { "game".into() } else { stem.into() }
}

/// Writes a record, alone or together with the other games of its file.
pub fn save(ask: &AskSave, host: &dyn Host) -> Result<Saved, RequestError> {
    let mut record = ask.tree.record()?;
    if let Some(results) = &ask.results {
        record = reviewed(record, results, ask.rules.0)?.annotated();
    }
    let format = ask.format.0;
    // Fall back to the notation that every program reads if the requested one is not used in files.
    let notation = if ask.notation.0.pgn().is_some() { ask.notation.0 } else { System::ChineseSimplified };
    let options = PgnOptions { notation, ..PgnOptions::default() }.in_encoding(ask.encoding.0);
    let (mut bytes, mut losses) = (Vec::new(), Losses::default());
    let mut writer = RecordWriter::new(format, options);
    let mut add = |record: &Record| -> Result<(), RequestError> {
        let (own, lost) = writer.add(record)?;
        bytes.extend(own);
        losses.merge(lost);
        Ok(())
    };
    let (mut left_out, mut others, mut moves) = (0, 0, 0);
    match &ask.among {
        Some(among) => {
            let mut games = 0;
            for (number, other) in (1..).zip(reader::find(&among.source, host)?.records) {
                games = number;
                match other {
                    _ if number == among.game => add(&record)?,
                    _ if !format.holds_many() => others += 1,
                    Ok(other) => {
                        moves += other.left_out();
                        add(&other)?;
                    }
                    Err(_) => left_out += 1,
                }
            }
            if !(1..=games).contains(&among.game) {
                return Err(RequestError::NoGame { asked: among.game, games });
            }
        }
        None => add(&record)?,
    }
    bytes.extend(writer.finish()?);
    let mut lost = losses.to_string();
    for (count, what) in
        [(left_out, "games that cannot be read"), (moves, "moves of other games that cannot be read"), (others, "other games")]
    {
        if count > 0 {
            lost = format!("{lost}{}{what} {count}", if lost.is_empty() { "" } else { ", " });
        }
    }
    let mime = match format {
        Format::Pgn => "application/vnd.chess-pgn",
        Format::Cbf | Format::DhtmlXq | Format::Wxf | Format::Pfc | Format::Che | Format::Fen => "text/plain",
        Format::Xqf | Format::Cbr | Format::Cbl | Format::Txq | Format::Mxq | Format::Chn | Format::Ccm => {
            "application/octet-stream"
        }
    };
    let name = format!("{}.{}", stem(&record), format.extension());
    Ok(file(&name, mime, &bytes, (!lost.is_empty()).then_some(lost)))
}

/// Builds the review of a game from the results of its positions.
fn reviewed(record: Record, results: &[serde_json::Value], rules: RuleSet) -> Result<GameReview, RequestError> {
    let rules = Rules { set: rules, ..Rules::default() };
    let expected = record.plies() + 1;
    if results.len() != expected {
        return Err(RequestError::ResultCount { found: results.len(), expected });
    }
    let mut position = record.start.position()?;
    let mut moves = record.moves();
    let mut read = Vec::with_capacity(expected);
    for result in results {
        read.push(PositionResult::read_back(&result.to_string(), &position)?);
        if let Some(mv) = moves.next() {
            position.make(mv);
        }
    }
    drop(moves);
    let opening = book::opening_of(&position).cloned();
    let review = GameReview::new(record.tag("Title").unwrap_or("chuhe").to_string(), 1, record, read, &rules, opening);
    let mut review = review.map_err(|error| RequestError::Review(error.to_string()))?;
    review.mark_book(|board, mv| Book::Builtin.knows(board, mv)).map_err(|error| RequestError::Review(error.to_string()))?;
    review.mark_endgames(Tables::builtin(), rules.natural_limit);
    Ok(review)
}

/// Writes the HTML page of a reviewed game.
pub fn report(ask: &AskReport) -> Result<Saved, RequestError> {
    let record = ask.tree.record()?;
    let name = format!("{}.html", stem(&record));
    let review = reviewed(record, &ask.results, ask.rules.0)?;
    let view = View { notation: Notation::new(ask.notation.0), language: ask.language.0, style: ask.pieces.0, ..View::default() };
    let mut page = Page::new(view);
    page.add_game(&review);
    Ok(file(&name, "text/html", page.finish().as_bytes(), None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_page::document::TreeForm;
    use crate::board_page::host::EmptyHost;
    use crate::board_page::message::{Answer, Ask};
    use crate::board_page::questions::answer;
    use crate::records::{Records, Setup};
    use crate::types::Move;
    use serde_json::json;

    fn tree() -> TreeForm {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Red", "红/方");
        record.set_tag("Black", "黑");
        let first = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.append_comment(first, "中炮");
        record.add(first, Move::from_uci("h9g7").unwrap()).unwrap();
        record.add(first, Move::from_uci("b9c7").unwrap()).unwrap();
        TreeForm::of(&record).unwrap()
    }

    fn saved(ask: serde_json::Value) -> Saved {
        let Ask::Question(question) = serde_json::from_value(ask).unwrap() else { panic!("no question") };
        match answer(question, &EmptyHost) {
            Ok(Answer::Saved(saved)) => saved,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_written_format_keeps_the_tree() {
        let tree = tree();
        for format in ["pgn", "xqf", "ubb", "cbr", "cbl", "cbf", "txq"] {
            let saved = saved(json!({"save": {"tree": tree, "format": format}}));
            assert_eq!(saved.name.split('.').next(), Some("红_方-黑"));
            let bytes = STANDARD.decode(&saved.bytes).unwrap();
            let back = Records::new(bytes, None).unwrap().next().unwrap().unwrap();
            assert!(back.same_tree(&tree.record().unwrap()), "{format}");
        }
        assert!(saved(json!({"save": {"tree": tree, "format": "fen"}})).losses.is_some());
    }

    #[test]
    fn the_other_games_of_a_file_are_kept() {
        let text = "[Red \"A\"]\n\n1. H2-E2 *\n\n[Red \"B\"]\n\n1. H2-E2 H9-G7 *\n\n[Red \"C\"]\n\n1. B0-C2 *\n";
        let saved = saved(json!({"save": {"tree": tree(), "format": "pgn", "among": {"source": {"text": text}, "game": 2}}}));
        let bytes = STANDARD.decode(&saved.bytes).unwrap();
        let names: Vec<String> =
            Records::new(bytes, None).unwrap().map(|record| record.unwrap().tag("Red").unwrap().to_string()).collect();
        assert_eq!(names, ["A", "红/方", "C"]);
        // A format of one game per file: the others are lost, and named.
        let alone = json!({"save": {"tree": tree(), "format": "xqf", "among": {"source": {"text": text}, "game": 2}}});
        assert_eq!(self::saved(alone).losses.as_deref(), Some("other games 2"));
        for (format, game) in [("pgn", 0), ("pgn", 4), ("xqf", 4)] {
            let ask = json!({"save": {"tree": tree(), "format": format, "among": {"source": {"text": text}, "game": game}}});
            let Ask::Question(question) = serde_json::from_value(ask).unwrap() else { panic!("no question") };
            let problem = answer(question, &EmptyHost).unwrap_err();
            assert_eq!(problem.to_string(), format!("there is no game {game}, the file has 3"));
        }
    }

    #[test]
    fn file_names_contain_the_known_players() {
        let mut record = Record::new(Setup::standard());
        assert_eq!(stem(&record), "game");
        record.set_tag("Black", "chuhe 0.1.0 (level 3)");
        assert_eq!(stem(&record), "chuhe 0.1.0 (level 3)");
        record.set_tag("Red", "../A?");
        assert_eq!(stem(&record), "_A_-chuhe 0.1.0 (level 3)");
    }
}
