//! The details blob of a record: everything except the main line and the columns of its row, that is other tags, comments, annotations and
//! variations.
//!
//! The blob starts with 0, or with 1 if the rest is deflated. Then follow the values of the tags without a column, in order; and, unless the
//! tree is a bare line, its nodes depth first. Each node has a number whose lowest bits flag a comment and annotations and whose other bits
//! are the number of children; for nodes off the main line, the move; then the comment and the annotations.

use super::bytes::{put_number, put_text, take, take_byte, take_number, take_text};
use super::replay::{move_of_number, number_of_move};
use super::script::folded;
use crate::board::Setup;
use crate::records::{NodeId, Record};
use crate::types::Move;
use std::collections::HashSet;

const COMMENT: u64 = 1;
const GLYPHS: u64 = 2;
const CHILDREN: u32 = 2;

/// Size limit for inflating a blob, in bytes; larger than any record can need.
const MAX_INFLATED: usize = 1 << 28;
/// Deflate level; higher ones are slow and gain nothing on texts of this size.
const LEVEL: u8 = 8;

/// Encodes a record; `values` are those of the tags without a column. None if there is nothing to store.
pub(super) fn encode(record: &Record, values: &[&str]) -> Option<Vec<u8>> {
    let is_bare = !record.has_variations() && record.comments() == 0 && record.glyph_count() == 0;
    if values.is_empty() && is_bare {
        return None;
    }
    let mut bytes = vec![0];
    put_number(&mut bytes, values.len() as u64);
    values.iter().for_each(|value| put_text(&mut bytes, value));
    if !is_bare {
        let main: HashSet<NodeId> = record.main_line().collect();
        for (_, id) in record.walk() {
            let (comment, glyphs) = (record.comment(id), record.glyphs(id));
            let mut head = (record.children(id).count() as u64) << CHILDREN;
            head |= if comment.is_empty() { 0 } else { COMMENT };
            head |= if glyphs.is_empty() { 0 } else { GLYPHS };
            put_number(&mut bytes, head);
            if let Some(mv) = record.mv(id).filter(|_| !main.contains(&id)) {
                put_number(&mut bytes, number_of_move(mv));
            }
            if !comment.is_empty() {
                put_text(&mut bytes, comment);
            }
            if !glyphs.is_empty() {
                bytes.push(glyphs.len() as u8);
                bytes.extend_from_slice(glyphs);
            }
        }
    }
    let deflated = miniz_oxide::deflate::compress_to_vec(&bytes[1..], LEVEL);
    if deflated.len() + 1 < bytes.len() {
        bytes.truncate(1);
        bytes[0] = 1;
        bytes.extend_from_slice(&deflated);
    }
    Some(bytes)
}

/// Decodes the values of the tags without a column, and the record without tags; none if the blob is damaged.
pub(super) fn decode(blob: Option<&[u8]>, start: Setup, main: &[Move]) -> Option<(Vec<String>, Record)> {
    let mut record = Record::new(start);
    let unpacked = blob.map_or(Some(Vec::new()), unpacked)?;
    let mut bytes = unpacked.as_slice();
    let mut values = Vec::new();
    if !bytes.is_empty() {
        let count = take_number(&mut bytes)?;
        for _ in 0..count {
            values.push(take_text(&mut bytes)?.to_string());
        }
    }
    if bytes.is_empty() {
        let mut at = record.root();
        for &mv in main {
            at = record.add(at, mv).ok()?;
        }
        return Some((values, record));
    }
    let mut path: Vec<NodeId> = Vec::new();
    let mut played = 0;
    for_each_node(&mut bytes, &mut |node| {
        path.truncate(node.depth);
        let id = match (path.last(), node.mv) {
            (None, _) => record.root(),
            (Some(&parent), Some(mv)) => record.add(parent, mv).ok()?,
            (Some(&parent), None) => {
                played += 1;
                record.add(parent, *main.get(played - 1)?).ok()?
            }
        };
        record.append_comment(id, node.comment);
        record.set_glyphs(id, node.glyphs);
        path.push(id);
        Some(())
    })?;
    (played == main.len() && bytes.is_empty()).then_some((values, record))
}

/// Whether any comment contains the text, which must be [`folded`]; none if the blob is damaged.
pub(super) fn comments_have(blob: &[u8], part: &str) -> Option<bool> {
    let unpacked = unpacked(blob)?;
    let mut bytes = unpacked.as_slice();
    for _ in 0..take_number(&mut bytes)? {
        take_text(&mut bytes)?;
    }
    let mut is_found = false;
    if !bytes.is_empty() {
        for_each_node(&mut bytes, &mut |node| {
            is_found |= folded(node.comment).contains(part);
            Some(())
        })?;
    }
    Some(is_found)
}

/// A node of a stored tree.
struct StoredNode<'a> {
    depth: usize,
    /// None for the root and on the main line.
    mv: Option<Move>,
    comment: &'a str,
    glyphs: &'a [u8],
}

/// Reads the nodes of a tree; none if they are damaged or `visit` returns `None`.
fn for_each_node<'a>(bytes: &mut &'a [u8], visit: &mut dyn FnMut(StoredNode<'a>) -> Option<()>) -> Option<()> {
    // The ancestors: number of children still to come, whether on the main line, whether the first child has been read.
    let mut above: Vec<(u64, bool, bool)> = Vec::new();
    loop {
        let head = take_number(bytes)?;
        let depth = above.len();
        let is_main = match above.last_mut() {
            None => true,
            Some((left, is_main, has_child)) => {
                *left -= 1;
                *is_main && !std::mem::replace(has_child, true)
            }
        };
        let mv = if is_main { None } else { Some(move_of_number(take_number(bytes)?)?) };
        let comment = if head & COMMENT != 0 { take_text(bytes)? } else { "" };
        let glyphs = if head & GLYPHS != 0 {
            let count = take_byte(bytes)?;
            take(bytes, count.into())?
        } else {
            &[]
        };
        visit(StoredNode { depth, mv, comment, glyphs })?;
        above.push((head >> CHILDREN, is_main, false));
        while above.last().is_some_and(|&(left, ..)| left == 0) {
            above.pop();
        }
        if above.is_empty() {
            return Some(());
        }
    }
}

fn unpacked(blob: &[u8]) -> Option<Vec<u8>> {
    let (&form, rest) = blob.split_first()?;
    match form {
        0 => Some(rest.to_vec()),
        1 => miniz_oxide::inflate::decompress_to_vec_with_limit(rest, MAX_INFLATED).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::line;
    use crate::records::{Format, Records};

    fn round_trip(record: &Record) -> Record {
        let line = line::encode(record).unwrap();
        let (start, moves) = line::Line::new(&line).unwrap().moves().unwrap();
        let blob = encode(record, &["value"]);
        let (values, mut copy) = decode(blob.as_deref(), start, &moves).unwrap();
        assert_eq!(values, ["value"]);
        copy.result = line::Line::new(&line).unwrap().result();
        copy
    }

    #[test]
    fn trees_survive_a_round_trip() {
        let file = "1. h2e2 {one\ntwo} h9g7 $3 $14 (1... b9c7 {other} 2. b0c2 (2. i0i1)) (1... h7e7) 2. h0g2 {end} 1-0\n\n\
            {before} 1. b2e2 (1. h2e2 h9g7 2. h0g2) *\n\n[FEN \"3ak4/9/9/9/9/9/9/4B4/9/3K1A3 b - - 3 20\"]\n\n{nothing} *\n\n1. c3c4 *\n";
        let mut count = 0;
        for record in Records::new(file.as_bytes().to_vec(), Some(Format::Pgn)).unwrap() {
            let record = record.unwrap();
            let copy = round_trip(&record);
            assert!(copy.same_tree(&record) && copy.start == record.start && copy.result == record.result);
            count += 1;
        }
        assert_eq!(count, 4);
    }

    #[test]
    fn truncation_is_detected_and_damage_does_not_panic() {
        let file = "1. h2e2 {a comment of some length, so that it is deflated: a comment of some length} h9g7 (1... b9c7) *\n";
        let record = Records::new(file.as_bytes().to_vec(), Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
        let moves: Vec<Move> = record.moves().collect();
        let blob = encode(&record, &[]).unwrap();
        assert_eq!(blob[0], 1);
        let read = |blob: &[u8]| decode(Some(blob), Setup::standard(), &moves);
        assert!(read(&blob).is_some());
        for length in 0..blob.len() {
            assert!(read(&blob[..length]).is_none(), "{length}");
        }
        assert!(decode(Some(&blob), Setup::standard(), &moves[..1]).is_none());
        for at in 0..blob.len() {
            let mut damaged = blob.clone();
            damaged[at] ^= 0x55;
            let _ = read(&damaged);
        }
    }
}
