//! Opens records that the user drops, pastes, chooses or names on the command line.

use super::document::TreeForm;
use super::error::RequestError;
use super::host::{Host, NamedFile};
use super::limits::{LISTED_GAMES, LONGEST_ERROR};
use super::message::{AskOpen, GameEntry, Opened, Source};
use crate::board::Position;
use crate::notation::LineReader;
use crate::records::{Format, Record, RecordResult, Records, decode, is_utf16};
use crate::rules::Language;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::path::Path;

/// The records of a source, and its format.
pub struct Found {
    /// `None` for a line of moves.
    pub format: Option<Format>,
    /// The records, read lazily.
    pub records: Box<dyn Iterator<Item = Result<Record, RequestError>>>,
}

impl Found {
    fn one(record: Record) -> Found {
        Found { format: None, records: Box::new(std::iter::once(Ok(record))) }
    }

    fn file(bytes: Vec<u8>, format: Format) -> Result<Found, RequestError> {
        let records = Records::new(bytes, Some(format))?;
        let checked = records.map(move |record| record.map_err(RequestError::from).and_then(|record| not_empty(record, format)));
        Ok(Found { format: Some(format), records: Box::new(checked) })
    }
}

/// Rejects a PGN record of which nothing could be parsed.
fn not_empty(record: Record, format: Format) -> Result<Record, RequestError> {
    let is_empty =
        record.moves_in_tree() == 0 && record.result == RecordResult::Unknown && record.tags().all(|(_, value)| value.is_empty());
    if is_empty && format == Format::Pgn && record.start.is_standard() && !record.warnings().is_empty() {
        let first = |language| record.warnings_in(language).swap_remove(0);
        return Err(RequestError::Bilingual { english: first(Language::English), chinese: first(Language::Chinese) });
    }
    Ok(record)
}

/// The bytes of a source that is a text or a file.
pub fn bytes_of(source: &Source, host: &dyn Host) -> Result<Vec<u8>, RequestError> {
    match source {
        Source::Text(text) => Ok(text.clone().into_bytes()),
        Source::File { bytes, .. } => Ok(STANDARD.decode(bytes)?),
        Source::Given(number) => Ok(host.file(*number)?.bytes),
        Source::GivenFile { name, number } => Ok(host.file_named(name, *number)?.bytes),
        Source::Library(_) => Err(RequestError::NotAFile),
    }
}

/// The records of a source.
pub fn find(source: &Source, host: &dyn Host) -> Result<Found, RequestError> {
    match source {
        Source::Text(text) => of_text(text),
        Source::File { name, bytes } => of_bytes(Path::new(name), STANDARD.decode(bytes)?),
        Source::Given(number) => of_file(host.file(*number)?),
        Source::GivenFile { name, number } => of_file(host.file_named(name, *number)?),
        Source::Library(game) => Ok(Found::one(host.record(*game)?)),
    }
}

fn of_file(NamedFile { name, bytes }: NamedFile) -> Result<Found, RequestError> {
    of_bytes(Path::new(&name), bytes)
}

fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Found, RequestError> {
    if bytes.trim_ascii().is_empty() {
        return Err(RequestError::Empty);
    }
    match Format::detect(path, &bytes) {
        // The fallback of the detection: a list of FENs, or any other text.
        // Each line of a list is decoded by itself.
        Format::Fen if (bytes.contains(&0) && !is_utf16(&bytes)) || is_list(&bytes) => Found::file(bytes, Format::Fen),
        Format::Fen => of_text(&decode(&bytes)),
        format => Found::file(bytes, format),
    }
}

fn of_text(text: &str) -> Result<Found, RequestError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(RequestError::Empty);
    }
    if is_list(text.as_bytes()) {
        return Found::file(text.as_bytes().to_vec(), Format::Fen);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = || LineReader::default().read(Position::startpos(), &words);
    match Format::shown_by(text.as_bytes()) {
        None => {}
        Some(format) => {
            // Moves without numbers may be in a notation not used in PGN; then its reader gets less far.
            if format == Format::Pgn
                && !text.starts_with(['[', '1'])
                && let Ok(line) = line()
                && whole_line(text) != Some(line.position.plies())
            {
                return Ok(Found::one(record_of(&line.position)?));
            }
            let found = Found::file(text.as_bytes().to_vec(), format);
            // Numbered moves look like PGN, but may be in a notation not used there.
            if format != Format::Pgn || text.starts_with('[') || found.is_ok() {
                return found;
            }
        }
    }
    let line = line().map_err(|error| RequestError::Text(Box::new(error)))?;
    Ok(Found::one(record_of(&line.position)?))
}

/// Whether a text is a list of positions.
fn is_list(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_fen = first.iter().filter(|&&byte| byte == b'/').count() >= 3;
    is_fen || [&b"position"[..], b"startpos", b"fen"].contains(&first) || Format::shown_by(bytes) == Some(Format::Fen)
}

/// The plies of a text that is a game in PGN without anything unreadable.
fn whole_line(text: &str) -> Option<usize> {
    let mut records = Records::new(text.as_bytes().to_vec(), Some(Format::Pgn)).ok()?;
    let record = records.next()?.ok()?;
    (record.warnings().is_empty() && records.next().is_none()).then(|| record.plies())
}

fn record_of(position: &Position) -> Result<Record, RequestError> {
    Record::of_position(position).map_err(|_| RequestError::LargeTree(position.plies()))
}

/// Opens one game of a source, and lists all of them.
pub fn open(ask: &AskOpen, host: &dyn Host) -> Result<Opened, RequestError> {
    let Found { format, records } = find(&ask.source, host)?;
    let asked = ask.game.max(1);
    let (mut games, mut count, mut chosen, mut fault) = (Vec::new(), 0, None, None);
    for record in records {
        count += 1;
        let entry = match &record {
            Ok(record) => entry(record),
            Err(error) => GameEntry {
                title: String::new(),
                event: String::new(),
                result: RecordResult::Unknown.token(),
                plies: 0,
                error: Some(error.to_string()),
                error_chinese: error.chinese(),
            },
        };
        if games.len() < LISTED_GAMES {
            games.push(entry);
        }
        match record {
            // By default, the first game that can be read.
            Ok(record) if count == asked || (asked == 1 && chosen.is_none()) => chosen = Some((count, record)),
            Err(error) if count == asked => fault = Some(error),
            _ => {}
        }
    }
    let Some((game, record)) = chosen else {
        return Err(fault.unwrap_or(if count == 0 { RequestError::Empty } else { RequestError::NoGame { asked, games: count } }));
    };
    let tree = TreeForm::of(&record)?;
    let names = tree.names(ask.notation.0)?;
    let more_games = count - games.len();
    Ok(Opened {
        format: format.map(Format::id),
        games,
        more_games,
        game,
        tree,
        names,
        warnings: record.warnings(),
        warnings_chinese: record.warnings_in(Language::Chinese),
    })
}

/// Passes every game of a source as JSON to `give`: its tree and its warnings as an array, or an error as a string.
pub fn games(source: &Source, host: &dyn Host, give: &mut dyn FnMut(String)) -> Result<(), RequestError> {
    for record in find(source, host)?.records {
        let game = record.and_then(|record| Ok((TreeForm::of(&record)?, record.warnings())));
        give(match game {
            Ok(game) => serde_json::to_string(&game)?,
            Err(error) => serde_json::to_string(&error.to_string().chars().take(LONGEST_ERROR).collect::<String>())?,
        });
    }
    Ok(())
}

fn entry(record: &Record) -> GameEntry {
    let tag = |name: &str| record.tag(name).unwrap_or_default().to_string();
    let event = [tag("Event"), tag("Date")].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    GameEntry {
        title: record.title().unwrap_or_default(),
        event,
        result: record.result.token(),
        plies: record.plies(),
        error: None,
        error_chinese: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_page::host::EmptyHost;
    use crate::board_page::message::Named;
    use crate::notation::System;

    fn open_text(text: &str) -> Result<Opened, RequestError> {
        let source = Source::Text(text.into());
        open(&AskOpen { source, game: 1, notation: Named(System::Wxr) }, &EmptyHost)
    }

    #[test]
    fn every_kind_of_text_is_opened() {
        let two = "[Red \"A\"]\n\n1. H2-E2 *\n\n[Red \"B\"]\n\n1. H2-E2 H9-G7 *\n";
        for (text, format, names) in [
            ("炮二平五 马8进7", Some("pgn"), &["C2=5", "H8+7"][..]),
            ("h2e2 h9g7", Some("pgn"), &["C2=5", "H8+7"]),
            ("1. C2=5 H8+7", Some("pgn"), &["C2=5", "H8+7"]),
            ("炮二平五，马8进7", Some("pgn"), &["C2=5", "H8+7"]),
            ("红方：甲\n结果：红胜\n1.炮二平五马8进7", Some("pgn"), &["C2=5", "H8+7"]),
            ("FORMAT WXF\nRED a;;;\nSTART{\n1. C2.5 h8+7 }END", Some("wxf"), &["C2=5", "H8+7"]),
            ("position startpos moves h2e2", Some("fen"), &["C2=5"]),
            ("position startpos moves h2e2 a0a9", Some("fen"), &["C2=5"]),
            ("3k5/9/9/9/9/9/9/9/9/4K4 w moves e0e1", Some("fen"), &["K5+1"]),
            (two, Some("pgn"), &["C2=5"]),
            ("[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]", Some("ubb"), &["C2=5"]),
        ] {
            let opened = open_text(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(
                (opened.format, opened.names.as_slice()),
                (format, &names.iter().map(|n| n.to_string()).collect::<Vec<_>>()[..]),
                "{text}"
            );
        }
        let source = Source::Text(two.into());
        let second = open(&AskOpen { source, game: 2, notation: Named(System::Wxr) }, &EmptyHost).unwrap();
        assert_eq!((second.game, second.games.len(), second.names.len()), (2, 2, 2));
        assert_eq!(second.games[1].title, "B – ?");
    }

    #[test]
    fn a_file_is_opened_like_its_text_in_every_encoding() {
        let utf16 = |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        // Moves in notations that PGN has not, and a list of positions.
        for text in ["C82-52 H89-77", "C25 H87\u{332}", "3k5/9/9/9/9/9/9/9/9/4K4 w moves e0e1"] {
            let expected = open_text(text).unwrap();
            for bytes in [text.as_bytes().to_vec(), utf16(text)] {
                let source = Source::File { name: "moves.txt".into(), bytes: STANDARD.encode(bytes) };
                let opened = open(&AskOpen { source, game: 1, notation: Named(System::Wxr) }, &EmptyHost);
                let opened = opened.unwrap_or_else(|problem| panic!("{text}: {problem}"));
                assert_eq!((opened.format, opened.names), (expected.format, expected.names.clone()), "{text}");
            }
        }
    }

    #[test]
    fn invalid_sources_are_reported() {
        for (text, part) in [("", "empty"), ("hello there", "neither a record"), ("9/9/9/9 w", "rows")] {
            let problem = open_text(text).map(|opened| opened.names).unwrap_err().to_string();
            assert!(problem.contains(part), "{text}: {problem}");
        }
        let chinese = |text: &str| open_text(text).map(|opened| opened.names).unwrap_err().chinese().unwrap();
        assert_eq!(chinese("h2e2 a0a5"), "不是棋谱、FEN 或着法：第2着（第1回合，黑方）：'a0a5'：没有这样的棋子");
        assert_eq!(chinese("9/9/9/9 w"), "FEN 有4行，应为10行");
        let source = Source::Given(0);
        assert!(matches!(
            open(&AskOpen { source, game: 1, notation: Named(System::Wxr) }, &EmptyHost),
            Err(RequestError::NoFile(0))
        ));
        let bytes = STANDARD.encode([0u8, 1, 2, 255, 254].repeat(50));
        let source = Source::File { name: "x.xqf".into(), bytes };
        assert!(open(&AskOpen { source, game: 1, notation: Named(System::Wxr) }, &EmptyHost).is_err());
    }
}
