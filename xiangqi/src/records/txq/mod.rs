//! TXQ, the format of TCHESS (sojourners/public-Xiangqi): a serialized Java object with one game with variations, comments and scores, but
//! without a result.
//!
//! Based on the classes `ChessManual` and `ManualRecord` in copies of that program, and tested in both directions against classes with the
//! same fields under Java 17. The program's own reader recurses for every ply; with a stack of 1 MiB it fails on games of some hundred plies,
//! including its own files.

mod stream;

use self::stream::Objects;
use super::format::Head;
use super::source::with_unreadable_fields;
use super::{Losses, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::board::Board;
use crate::notation::{self, System};
use crate::records::warning::{Count, warning};
use crate::types::Move;
use std::collections::HashSet;

/// Fields of the game and their tags.
const FIELDS: [(&str, &str); 5] = [("name", "Title"), ("date", "Date"), ("city", "Site"), ("red", "Red"), ("black", "Black")];
/// Class name of a game; the package differs between copies of the program.
const GAME_CLASS: &str = "ChessManual";

/// Whether a file starts like an object stream and contains the class name of a game.
pub(super) fn is_txq(head: &Head) -> bool {
    let first = &head.bytes[..head.bytes.len().min(256)];
    first.starts_with(&stream::MAGIC) && first.windows(GAME_CLASS.len()).any(|window| window == GAME_CLASS.as_bytes())
}

/// Reads a game.
///
/// # Errors
/// Returns an error if the stream is not a game of TCHESS or is truncated, the FEN is invalid, or there are too many moves.
pub(super) fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    let objects = Objects::read(bytes)?;
    let root = objects.root().filter(|&game| objects.class(game).ends_with(GAME_CLASS));
    let Some(game) = root else {
        let expected = "a TXQ record, a Java object stream with an object of the class ChessManual";
        return Err(RecordError::new("byte 0", RecordProblem::NotThisFormat(expected)));
    };
    let mut record = Record::new(Setup::standard());
    if let Some(fen) = objects.text(game, "fenCode").filter(|fen| !fen.trim().is_empty()) {
        record.read_start(fen.trim()).map_err(|error| RecordError::new("fenCode", error))?;
    }
    for (name, tag) in FIELDS {
        record.set_tag(tag, objects.text(game, name).unwrap_or_default());
    }
    read_moves(&objects, game, &mut record)?;
    if bytes[objects.end..].starts_with(&stream::MAGIC) {
        record.warn_of_another(objects.end);
    }
    record.trust_first_move();
    Ok(with_unreadable_fields(record.legal_part()))
}

fn read_moves(objects: &Objects, game: usize, record: &mut Record) -> Result<(), RecordError> {
    let Some(head) = objects.object(game, "head") else { return Ok(()) };
    let (mut scores, mut seen) = (0, HashSet::from([head]));
    record.append_comment(record.root(), objects.text(head, "remark").unwrap_or_default());
    // Objects whose children have not been added yet, with their nodes.
    let mut waiting = vec![(head, record.root())];
    while let Some((object, node)) = waiting.pop() {
        let Some(list) = objects.object(object, "list") else { continue };
        let mut moves: Vec<usize> = objects.items(list).collect();
        // The index of the main line among the children.
        if let Some(main) = objects.number(object, "next").and_then(|next| usize::try_from(next).ok())
            && main < moves.len()
        {
            moves[..=main].rotate_right(1);
        }
        for child in moves {
            if !seen.insert(child) {
                record.warn(warning!("a move occurs in two places; the second is skipped", "同一着法出现在两处，略过第二处"));
                continue;
            }
            let mv = objects.text(child, "move").and_then(|text| Move::from_uci(text.trim()).ok()).unwrap_or(Move::NONE);
            let id = record.add(node, mv).map_err(|full| RecordError::new("list", full))?;
            record.append_comment(id, objects.text(child, "remark").unwrap_or_default());
            let score = objects.object(child, "score").and_then(|score| objects.number(score, "value"));
            scores += score.is_some_and(|score| score != 0) as usize;
            waiting.push((child, id));
        }
    }
    if scores > 0 {
        record.warn(warning!("the scores of {0} are left out", "略去{0}着的评分", Count(scores, "move")));
    }
    Ok(())
}

/// Writes a record. Returns the data that the format cannot store.
///
/// # Errors
/// Returns an error if the start position is not valid, because the format also stores moves in Chinese notation.
pub(super) fn write(record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
    let mut losses = Losses::default();
    let board = *record.start.position().map_err(RecordError::of)?.board();
    let mut out = stream::Writer::new();
    let fen = record.start.to_fen();
    let text = |name: &str| record.tag(FIELDS.iter().find(|(field, _)| *field == name).map_or(name, |(_, tag)| tag));
    // Fields of a class are ordered by name, primitive ones first.
    out.game(&["black", "city", "date"].map(text), &fen);
    write_moves(record, board, &mut out);
    for name in ["name", "red"] {
        out.text(text(name));
    }
    let mut seen = HashSet::new();
    for (name, _) in record.tags().filter(|(_, value)| !value.is_empty()) {
        let is_held = FIELDS.iter().any(|(_, tag)| tag.eq_ignore_ascii_case(name)) && seen.insert(name.to_ascii_lowercase());
        if !is_held {
            losses.tag(name);
        }
    }
    losses.add("results", (record.result != RecordResult::Unknown) as usize);
    losses.add("move marks such as ! and ?", record.glyph_count());
    Ok((out.finish(), losses))
}

/// An item on the stack of pending output.
enum Step {
    /// A node, its distance from the root, and the position before its move.
    Node(NodeId, usize, Box<Board>),
    /// The fields of a node that follow its children.
    Rest(NodeId),
}

fn write_moves(record: &Record, start: Board, out: &mut stream::Writer) {
    let mut steps = vec![Step::Node(record.root(), 0, Box::new(start))];
    while let Some(step) = steps.pop() {
        match step {
            Step::Node(id, ply, before) => {
                let (text, after) = match record.mv(id) {
                    Some(mv) if before.is_legal(mv) => {
                        (notation::write(System::ChineseSimplified, &before, mv), Box::new(before.after(mv)))
                    }
                    // An illegal move. Readers reject it, but a record built by a program may contain it.
                    Some(mv) => (mv.to_string(), before),
                    None => ("开始局面".into(), before),
                };
                out.begin_move(&text, ply as i32, record.children(id).count());
                steps.push(Step::Rest(id));
                let children: Vec<NodeId> = record.children(id).collect();
                steps.extend(children.into_iter().rev().map(|child| Step::Node(child, ply + 1, after.clone())));
            }
            Step::Rest(id) => {
                let mv = record.mv(id).map_or(String::new(), |mv| mv.to_string());
                out.end_move(&mv, record.comment(id));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Records};

    /// Written by Java 17 from classes with the same fields as the program's.
    const SAMPLE: &[u8] = include_bytes!("sample.txq");

    #[test]
    fn a_game_written_by_java_is_read() {
        assert_eq!(Format::shown_by(SAMPLE), Some(Format::Txq));
        let record = Records::new(SAMPLE.to_vec(), None).unwrap().next().unwrap().unwrap();
        let walk: Vec<(usize, String)> =
            record.walk().skip(1).map(|(depth, id)| (depth, record.mv(id).unwrap().to_string())).collect();
        let expected = [(1, "h2e2"), (2, "h9g7"), (3, "h0g2"), (2, "b9c7"), (1, "b2e2"), (2, "h7e7")];
        assert_eq!(walk, expected.map(|(depth, mv)| (depth, mv.to_string())));
        let tags = [("Title", "样谱"), ("Date", "2026-11-26"), ("Site", "广州"), ("Red", "甲"), ("Black", "乙")];
        assert_eq!(record.tags().collect::<Vec<_>>(), tags);
        let comments: Vec<&str> = record.walk().map(|(_, id)| record.comment(id)).filter(|text| !text.is_empty()).collect();
        assert_eq!(comments, ["起始评注\n第二行", "中炮", "另一马 😀"]);
        assert_eq!(record.warnings(), ["the scores of 3 moves are left out"]);
        assert_eq!(record.start, Setup::standard());
        let joined = read(&[SAMPLE, SAMPLE].concat()).unwrap();
        let warnings = joined.warnings();
        let another = format!("byte {}: another record begins", SAMPLE.len());
        assert!(joined == record && warnings.last().is_some_and(|warning| warning.starts_with(&another)), "{warnings:?}");
    }

    #[test]
    fn a_record_round_trips() {
        let mut record = read(SAMPLE).unwrap();
        record.append_comment(record.root(), &"长\0".repeat(40_000));
        let (bytes, losses) = write(&record).unwrap();
        assert!(losses.is_empty(), "{losses}");
        let back = read(&bytes).unwrap();
        assert_eq!((&back, back.warnings()), (&record, vec![]));
        record.result = RecordResult::Draw;
        record.set_tag("Round", "1");
        record.add_glyph(record.next(record.root()).unwrap(), 1);
        assert_eq!(write(&record).unwrap().1.to_string(), "move marks such as ! and ? 1, results 1, tag Round 1");
    }

    #[test]
    fn a_long_line_does_not_overflow_the_stack() {
        let mut record = Record::new(Setup::standard());
        let mut tip = record.root();
        for text in ["h0g2", "h9g7", "g2h0", "g7h9"].into_iter().cycle().take(9_000) {
            tip = record.add(tip, Move::from_uci(text).unwrap()).unwrap();
        }
        assert_eq!(read(&write(&record).unwrap().0).unwrap(), record);
    }

    #[test]
    fn truncated_and_damaged_streams_do_not_panic() {
        for length in 0..SAMPLE.len() {
            assert!(read(&SAMPLE[..length]).is_err(), "{length}");
        }
        for at in 0..SAMPLE.len() {
            for byte in [0x00, 0x70, 0x71, 0x73, 0x77, 0x7a, 0x7f, 0xff] {
                let mut bytes = SAMPLE.to_vec();
                bytes[at] = byte;
                let _ = read(&bytes);
            }
        }
        let error = read(b"\xac\xed\x00\x05sr").unwrap_err().to_string();
        assert!(error.contains("byte 6") && error.contains("ends inside"), "{error}");
    }
}
