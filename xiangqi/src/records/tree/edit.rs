//! Editing: removing moves and tags, reordering lines.

use super::{NOBODY, Node, NodeId, Record};
use crate::board::{FenError, Setup};
use crate::records::warning::{two_values, warning};
use crate::types::Move;

impl Record {
    /// Sets the start position to that of a file's FEN. Text after the FEN does not lose the game; it is ignored with a warning.
    ///
    /// # Errors
    /// As for [`Setup::from_fen`], except for text after the FEN.
    pub(in crate::records) fn read_start(&mut self, fen: &str) -> Result<(), FenError> {
        let (setup, _, rest) = Setup::from_fen_with_rest(fen)?;
        if !rest.is_empty() {
            self.warn(warning!("'{0}' after the FEN is ignored", "FEN后的“{0}”被忽略", rest));
        }
        self.start = setup;
        Ok(())
    }

    /// Gives the turn to the owner of the piece that makes the first move, if there is one. Several formats do not store the side to move, and
    /// others store it incorrectly.
    pub(in crate::records) fn trust_first_move(&mut self) {
        let first = self.moves().next().filter(|mv| !mv.is_none());
        if let Some(piece) = first.and_then(|mv| self.start.piece_on(mv.from())) {
            self.start.side = piece.color();
        }
    }

    /// Sets a tag of a format that has each once: of two different values the first counts, with a warning.
    pub(in crate::records) fn set_tag_once(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        let is_new = self.tag(name).is_none_or(|first| first.trim().is_empty());
        if is_new {
            self.set_tag(name, value);
        } else if !value.trim().is_empty() && self.tag(name).map(str::trim) != Some(value.trim()) {
            self.warn(two_values(name));
        }
    }

    /// Whether a node is in the tree; `false` after it was removed.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert!(record.contains(first));
    /// record.remove(first);
    /// assert!(!record.contains(first) && record.contains(record.root()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(&self, id: NodeId) -> bool {
        id == self.root() || self.nodes.get(id.0 as usize).is_some_and(|node| node.parent != NOBODY)
    }

    /// The node for editing, unless it was removed or is out of range.
    pub(super) fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        if self.contains(id) { self.nodes.get_mut(id.0 as usize) } else { None }
    }

    /// Removes a move and everything after it. Returns the number of moves removed, which is 0 for the root and for nodes removed
    /// before. Other nodes keep their identifiers.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.add(first, Move::from_uci("h9g7")?)?;
    /// let other = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!((record.remove(first), record.remove(first)), (2, 0));
    /// assert_eq!(record.main_line().collect::<Vec<_>>(), [other]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: NodeId) -> usize {
        let Some(parent) = self.parent(id) else { return 0 };
        self.main_line_edited(id);
        let kept: Vec<NodeId> = self.children(parent).filter(|&child| child != id).collect();
        // Detach the node from its siblings, so that the traversal below stays inside the subtree.
        self.nodes[id.0 as usize].next_sibling = NOBODY;
        let mut gone = vec![id];
        let mut at = 0;
        while let Some(&next) = gone.get(at) {
            gone.extend(self.children(next).collect::<Vec<_>>());
            at += 1;
        }
        // Removed entries are not reused, so an identifier never refers to another move.
        for &NodeId(index) in &gone {
            self.comment_bytes = self.comment_bytes.saturating_sub(self.nodes[index as usize].comment.len());
            self.nodes[index as usize] = Node::new(Move::NONE, NOBODY);
        }
        self.removed += gone.len();
        self.link(parent, &kept);
        gone.len()
    }

    /// Moves a node one place up among the children of its parent. Returns `false` if it is already the first.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert!(record.promote(second) && !record.promote(second));
    /// assert_eq!(record.children(record.root()).collect::<Vec<_>>(), [second, first]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn promote(&mut self, id: NodeId) -> bool {
        self.place(id, |at, _| at.checked_sub(1))
    }

    /// Moves a node one place down among the children of its parent. Returns `false` if it is already the last.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert!(record.demote(first) && !record.demote(first));
    /// assert_eq!(record.next(record.root()), Some(second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn demote(&mut self, id: NodeId) -> bool {
        self.place(id, |at, last| (at < last).then_some(at + 1))
    }

    /// Makes the line that leads to a node the main line, which continues after the node. The moves it replaces become the first
    /// alternatives.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let other = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// let reply = record.add(other, Move::from_uci("h9g7")?)?;
    /// record.promote_to_main(reply);
    /// assert_eq!(record.main_line().collect::<Vec<_>>(), [other, reply]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn promote_to_main(&mut self, id: NodeId) {
        let mut next = Some(id);
        while let Some(id) = next {
            self.place(id, |at, _| (at > 0).then_some(0));
            next = self.parent(id);
        }
    }

    /// Removes all tags with this name, ignoring case. Returns `false` if there is none.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Red", "Hu Ronghua");
    /// assert!(record.remove_tag("red") && !record.remove_tag("Red"));
    /// assert_eq!(record.tags().count(), 0);
    /// ```
    pub fn remove_tag(&mut self, name: &str) -> bool {
        let before = self.tags.len();
        self.tags.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.tags.len() < before
    }

    /// Puts a node before its siblings.
    pub(in crate::records) fn put_first(&mut self, id: NodeId) {
        self.place(id, |at, _| (at > 0).then_some(0));
    }

    /// Moves a node among its siblings. `to` gets its index and the last index and returns the new index.
    fn place(&mut self, id: NodeId, to: impl Fn(usize, usize) -> Option<usize>) -> bool {
        let Some(parent) = self.parent(id) else { return false };
        let mut order: Vec<NodeId> = self.children(parent).collect();
        let Some(at) = order.iter().position(|&child| child == id) else { return false };
        let Some(to) = to(at, order.len() - 1) else { return false };
        self.main_line_edited(order[at.min(to)]);
        order.remove(at);
        order.insert(to, id);
        self.link(parent, &order);
        true
    }

    /// Sets the children of a node.
    fn link(&mut self, parent: NodeId, children: &[NodeId]) {
        let index = |child: Option<&NodeId>| child.map_or(NOBODY, |child| child.0);
        for (at, child) in children.iter().enumerate() {
            self.nodes[child.0 as usize].next_sibling = index(children.get(at + 1));
        }
        let node = &mut self.nodes[parent.0 as usize];
        (node.first_child, node.last_child) = (index(children.first()), index(children.last()));
    }

    /// Clears the main line fault if the main line is edited at this node, since it no longer is that of the file.
    fn main_line_edited(&mut self, at: NodeId) {
        if self.main_line_fault.is_some() && self.main_line().any(|id| id == at) {
            self.main_line_fault = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Records, Setup};
    use proptest::prelude::*;

    /// The same tree as plain lists.
    #[derive(Clone, Default, Debug)]
    struct Plain {
        mv: Option<Move>,
        comment: String,
        children: Vec<Plain>,
    }

    impl Plain {
        fn at(&mut self, path: &[usize]) -> &mut Plain {
            path.iter().fold(self, |node, &index| &mut node.children[index])
        }

        fn list(&self, depth: usize, into: &mut Vec<(usize, Option<Move>, String)>) {
            into.push((depth, self.mv, self.comment.clone()));
            self.children.iter().for_each(|child| child.list(depth + 1, into));
        }
    }

    /// The child indices that lead from the root to a node.
    fn path(record: &Record, id: NodeId) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(parent) = record.parent(at) {
            path.push(record.children(parent).position(|child| child == at).expect("a child of its parent"));
            at = parent;
        }
        path.reverse();
        path
    }

    proptest! {
        #[test]
        fn edits_match_those_of_plain_lists(edits in proptest::collection::vec((0u8..8, any::<usize>(), 0usize..40), 1..80)) {
            let mut record = Record::new(Setup::standard());
            let mut plain = Plain::default();
            let mut gone: Vec<NodeId> = Vec::new();
            for (edit, which, file) in edits {
                let nodes: Vec<NodeId> = record.walk().map(|(_, id)| id).collect();
                let id = nodes[which % nodes.len()];
                let path = path(&record, id);
                let before = path.split_last().map(|(&last, before)| (before, last));
                match (edit, before) {
                    (0..=3, _) => {
                        let mv = Move::from_uci(&format!("{}2e{}", char::from(b'f' + (file % 4) as u8), file / 4 % 10)).unwrap();
                        record.add(id, mv).unwrap();
                        plain.at(&path).children.push(Plain { mv: Some(mv), ..Plain::default() });
                    }
                    (4, _) => {
                        record.set_comment(id, &file.to_string());
                        plain.at(&path).comment = file.to_string();
                    }
                    (5, Some((before, last))) => {
                        let moved = record.promote(id);
                        prop_assert_eq!(moved, last > 0);
                        if moved {
                            plain.at(before).children.swap(last - 1, last);
                        }
                    }
                    (6, Some((before, last))) => {
                        let siblings = &mut plain.at(before).children;
                        prop_assert_eq!(record.demote(id), last + 1 < siblings.len());
                        if last + 1 < siblings.len() {
                            siblings.swap(last, last + 1);
                        }
                    }
                    (7, Some((before, last))) if file < 10 => {
                        gone.extend(nodes.iter().filter(|&&node| {
                            std::iter::successors(Some(node), |&node| record.parent(node)).any(|above| above == id)
                        }));
                        let size = gone.iter().filter(|&&node| record.contains(node)).count();
                        prop_assert_eq!(record.remove(id), size);
                        plain.at(before).children.remove(last);
                    }
                    (7, Some(_)) => {
                        record.promote_to_main(id);
                        for depth in (0..path.len()).rev() {
                            let siblings = &mut plain.at(&path[..depth]).children;
                            let first = siblings.remove(path[depth]);
                            siblings.insert(0, first);
                        }
                        prop_assert_eq!(record.main_line().nth(path.len() - 1), Some(id));
                    }
                    _ => {
                        // The root can be neither moved nor removed.
                        prop_assert!(!record.promote(id) && !record.demote(id) && record.remove(id) == 0);
                        record.promote_to_main(id);
                    }
                }
                let mut expected = Vec::new();
                plain.list(0, &mut expected);
                let found: Vec<_> =
                    record.walk().map(|(depth, id)| (depth, record.mv(id), record.comment(id).to_string())).collect();
                prop_assert_eq!(&found, &expected);
                prop_assert_eq!(record.moves_in_tree() + 1, expected.len());
                prop_assert_eq!(record.comments(), expected.iter().filter(|(_, _, comment)| !comment.is_empty()).count());
                let forked = record.walk().any(|(_, id)| record.children(id).count() > 1);
                prop_assert_eq!(record.has_variations(), forked);
            }
            // Removed nodes stay removed.
            for id in gone {
                prop_assert!(!record.contains(id) && record.mv(id).is_none() && record.remove(id) == 0);
                prop_assert!(record.add(id, Move::NONE).is_err() && !record.promote(id));
                record.set_comment(id, "nowhere");
                record.add_glyph(id, 1);
            }
            prop_assert_eq!(record.glyph_count(), 0);
        }
    }

    #[test]
    fn an_edited_record_equals_one_built_directly() {
        let game = |text: &str| Records::new(text.as_bytes().to_vec(), Some(Format::Pgn)).unwrap().next().unwrap().unwrap();
        let mut edited = game("1. h2e2 {old} h9g7 (1... b9c7 2. b0c2) 2. h0g2 (2. i0i1 i9i8) 2... i9h9 *\n");
        let first = edited.next(edited.root()).unwrap();
        let other = edited.children(first).nth(1).unwrap();
        edited.set_comment(first, "new\r\nlines");
        edited.set_glyphs(first, &[3]);
        edited.promote_to_main(other);
        let second = edited.children(first).nth(1).and_then(|id| edited.next(id)).unwrap();
        assert_eq!(edited.remove(second), 2);
        let built = game("1. h2e2 $3 {new\nlines} b9c7 (1... h9g7 2. i0i1 i9i8) 2. b0c2 *\n");
        assert!(edited == built);
        assert_eq!(edited.moves_in_tree(), 6);
    }

    #[test]
    fn editing_the_main_line_clears_its_fault() {
        let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
        let file = format!("[FEN \"{fen}\"]\n\n1. D0-D1 E9-A9 2. D1-D0 *\n");
        let mut record = Records::new(file.into_bytes(), None).unwrap().next().unwrap().unwrap();
        let lines: Vec<NodeId> = record.children(record.root()).collect();
        assert!(record.main_line_fault().is_some() && lines.len() == 1);
        record.set_comment(lines[0], "kept");
        assert!(record.main_line_fault().is_some());
        record.remove(lines[0]);
        assert!(record.main_line_fault().is_none() && !record.warnings().is_empty());
    }
}
