//! Positions and records in messages: a line of moves as [`LineForm`], the main line of a game as [`GameLine`], and an
//! entire record, without loss, as [`TreeForm`].

use super::error::RequestError;
use super::limits::{LARGEST_TREE, LONGEST_LINE};
use crate::board::{Board, Position, Setup};
use crate::notation::{Notation, System};
use crate::records::{NodeId, Record, RecordResult};
use crate::types::{Move, sort_by};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A position, as the moves that lead to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineForm {
    /// FEN of the first position (default: the standard starting position).
    #[serde(default)]
    pub start: Option<String>,
    /// The moves played from it, such as `h2e2`.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A record. Its tree of moves is flattened to a list in which every parent precedes its children, so deep nesting cannot exhaust the
/// stack.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeForm {
    /// FEN of the start position.
    pub start: String,
    /// The result, as in PGN.
    #[serde(default)]
    pub result: String,
    /// Names and values of the tags, in order.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The annotation glyphs before the first move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// The moves. The first child of a node continues its line; the others are variations, in their order.
    #[serde(default)]
    pub nodes: Vec<NodeForm>,
}

/// A move of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeForm {
    /// The preceding move: 0 for the start position, otherwise the number of a move in the list, from 1.
    pub parent: usize,
    /// The move, such as `h2e2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The comment after it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Numeric annotation glyphs of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
}

/// The main line of a game, and the tags that a list of games shows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameLine {
    /// Number of the game in its source, or one assigned by the page.
    pub game: u32,
    /// FEN of the first position (default: the standard starting position).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, separated by spaces.
    pub moves: String,
    /// The Red player; empty if unknown, like the following fields.
    pub red: String,
    /// The Black player.
    pub black: String,
    /// The date, as in PGN.
    pub date: String,
    /// The event.
    pub event: String,
    /// The result, as in PGN.
    pub result: String,
}

/// The position after the moves of a line.
pub fn position_of(line: &LineForm) -> Result<Position, RequestError> {
    if line.moves.len() > LONGEST_LINE {
        return Err(RequestError::LongLine(line.moves.len()));
    }
    let mut position = setup_of(line)?.position()?;
    for (index, text) in line.moves.iter().enumerate() {
        let mv = legal(position.board(), text).ok_or_else(|| fault(index + 1, text))?;
        position.make(mv);
    }
    Ok(position)
}

/// The first position of a line, legal or not.
pub fn setup_of(line: &LineForm) -> Result<Setup, RequestError> {
    Ok(match &line.start {
        None => Setup::standard(),
        Some(fen) => Setup::from_fen(fen)?,
    })
}

/// The move of a text if it is legal.
pub(super) fn legal(board: &Board, text: &str) -> Option<Move> {
    Move::from_uci(text).ok().filter(|&mv| board.is_legal(mv))
}

/// The error for a move that is not legal.
pub(super) fn fault(number: usize, text: &str) -> RequestError {
    RequestError::Move { number, text: text.chars().take(20).collect() }
}

impl TreeForm {
    /// The tree of a record.
    ///
    /// # Errors
    /// When the record has more than [`LARGEST_TREE`] moves.
    pub fn of(record: &Record) -> Result<TreeForm, RequestError> {
        if record.moves_in_tree() > LARGEST_TREE {
            return Err(RequestError::LargeTree(record.moves_in_tree()));
        }
        let mut numbers = HashMap::new();
        let mut nodes = Vec::with_capacity(record.moves_in_tree());
        for (_, id) in record.walk().skip(1) {
            let parent = record.parent(id).and_then(|parent| numbers.get(&parent).copied()).unwrap_or(0);
            nodes.push(NodeForm {
                parent,
                mv: record.mv(id).map(|mv| mv.to_string()).unwrap_or_default(),
                comment: record.comment(id).to_string(),
                glyphs: record.glyphs(id).to_vec(),
            });
            numbers.insert(id, nodes.len());
        }
        Ok(TreeForm {
            start: record.start.to_fen(),
            result: record.result.token().to_string(),
            tags: record.tags().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            comment: record.comment(record.root()).to_string(),
            glyphs: record.glyphs(record.root()).to_vec(),
            nodes,
        })
    }

    /// The record of a tree, after checking that all moves are legal.
    ///
    /// # Errors
    /// The first error in the tree.
    pub fn record(&self) -> Result<Record, RequestError> {
        if self.nodes.len() > LARGEST_TREE {
            return Err(RequestError::LargeTree(self.nodes.len()));
        }
        let mut record = Record::new(Setup::from_fen(&self.start)?);
        record.result = match self.result.as_str() {
            "" => RecordResult::Unknown,
            token => RecordResult::from_token(token).ok_or_else(|| RequestError::Result(token.chars().take(20).collect()))?,
        };
        for (name, value) in &self.tags {
            record.add_tag(name, value);
        }
        let root = record.root();
        annotate(&mut record, root, &self.comment, &self.glyphs);
        let mut ids: Vec<NodeId> = vec![root];
        for (index, node) in self.nodes.iter().enumerate() {
            let parent = ids.get(node.parent).copied().ok_or(RequestError::Parent(index + 1))?;
            let mv = Move::from_uci(&node.mv).map_err(|_| fault(index + 1, &node.mv))?;
            let Ok(id) = record.add(parent, mv) else { return Err(RequestError::LargeTree(self.nodes.len())) };
            annotate(&mut record, id, &node.comment, &node.glyphs);
            ids.push(id);
        }
        let places: HashMap<NodeId, usize> = ids.into_iter().enumerate().map(|(index, id)| (id, index)).collect();
        walk(&record, |id, board, mv| {
            let index = places.get(&id).copied().unwrap_or(0);
            if board.is_legal(mv) { Ok(()) } else { Err(fault(index, &mv.to_string())) }
        })?;
        Ok(record)
    }

    /// The moves in a notation, in the order of the list.
    ///
    /// # Errors
    /// As [`TreeForm::record`].
    pub fn names(&self, system: System) -> Result<Vec<String>, RequestError> {
        let record = self.record()?;
        let mut names: Vec<(NodeId, String)> = Vec::with_capacity(self.nodes.len());
        let notation = Notation::new(system);
        walk(&record, |id, board, mv| {
            names.push((id, notation.write(board, mv)));
            Ok(())
        })?;
        // Nodes were added in the order of the list, so their identifiers are in the same order.
        sort_by(&mut names, |(a, _), (b, _)| a.cmp(b));
        Ok(names.into_iter().map(|(_, name)| name).collect())
    }
}

fn annotate(record: &mut Record, id: NodeId, comment: &str, glyphs: &[u8]) {
    glyphs.iter().for_each(|&glyph| record.add_glyph(id, glyph));
    record.append_comment(id, comment);
}

/// Visits every move with the board on which it is played. The start position of a record without moves need not be legal.
fn walk(record: &Record, mut visit: impl FnMut(NodeId, &Board, Move) -> Result<(), RequestError>) -> Result<(), RequestError> {
    if record.moves_in_tree() == 0 {
        return Ok(());
    }
    let mut boards: Vec<Board> = vec![*record.start.position()?.board()];
    for (depth, id) in record.walk().skip(1) {
        if depth > LONGEST_LINE {
            return Err(RequestError::LongLine(depth));
        }
        boards.truncate(depth);
        let (Some(board), Some(mv)) = (boards.last().copied(), record.mv(id)) else { continue };
        visit(id, &board, mv)?;
        boards.push(board.after(mv));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        let mut record = Record::new(Setup::standard());
        for (name, value) in [("Red", "红"), ("Event", ""), ("Remark", "one"), ("Remark", "two")] {
            record.add_tag(name, value);
        }
        record.result = RecordResult::Draw;
        record.append_comment(record.root(), "before\nthe first");
        let mv = |text: &str| Move::from_uci(text).unwrap();
        let a = record.add(record.root(), mv("h2e2")).unwrap();
        let b = record.add(a, mv("h9g7")).unwrap();
        record.add_glyph(b, 3);
        record.append_comment(b, "good");
        let c = record.add(a, mv("b9c7")).unwrap();
        record.add(c, mv("h0g2")).unwrap();
        record.add(b, mv("h0g2")).unwrap();
        record.add(record.root(), mv("b2e2")).unwrap();
        record
    }

    #[test]
    fn a_tree_survives_the_round_trip() {
        let record = sample();
        let tree = TreeForm::of(&record).unwrap();
        assert_eq!(tree.nodes.iter().map(|node| node.parent).collect::<Vec<_>>(), [0, 1, 2, 1, 4, 0]);
        let text = serde_json::to_string(&tree).unwrap();
        let back: TreeForm = serde_json::from_str(&text).unwrap();
        assert_eq!(back, tree);
        assert_eq!(back.record().unwrap(), record);
        assert_eq!(tree.names(System::Wxr).unwrap(), ["C2=5", "H8+7", "H2+3", "H2+3", "H2+3", "C8=5"]);
    }

    #[test]
    fn invalid_trees_are_reported() {
        let good = TreeForm::of(&sample()).unwrap();
        let change = |change: fn(&mut TreeForm)| {
            let mut tree = good.clone();
            change(&mut tree);
            tree.record().unwrap_err().to_string()
        };
        assert_eq!(change(|tree| tree.nodes[0].mv = "h2h3h4".into()), "move 1: 'h2h3h4' is not legal");
        assert_eq!(change(|tree| tree.nodes[2].mv = "a0a9".into()), "move 3: 'a0a9' is not legal");
        assert_eq!(change(|tree| tree.nodes[1].parent = 2), "move 2: its parent is not before it");
        assert_eq!(change(|tree| tree.result = "2-0".into()), "the result '2-0', expected 1-0, 0-1, 1/2-1/2 or *");
        assert!(change(|tree| tree.start = "x".into()).starts_with("start: FEN has 1 row,"));
        assert!(change(|tree| tree.start = "9/9/9/9/9/9/9/9/9/9 w".into()).contains("no red king"));
    }

    #[test]
    fn lines_are_played_or_rejected() {
        let line = |start: Option<&str>, moves: &[&str]| LineForm {
            start: start.map(str::to_string),
            moves: moves.iter().map(|text| text.to_string()).collect(),
        };
        assert_eq!(position_of(&line(None, &["h2e2", "h9g7"])).unwrap().plies(), 2);
        assert_eq!(position_of(&line(None, &["h2e2", "h2e2"])).unwrap_err().to_string(), "move 2: 'h2e2' is not legal");
        assert!(position_of(&line(Some("4k4/9"), &[])).is_err());
    }
}
