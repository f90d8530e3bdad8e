//! What is said of the moves of a tree: comments and annotation glyphs.

use super::{NodeId, Record};
use arrayvec::ArrayVec;

impl Record {
    /// The comment on the position of a node (after its move; for the root, before the first one). Lines end in `\n`.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.append_comment(first, "the central cannon");
    /// assert_eq!(record.comment(first), "the central cannon");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn comment(&self, id: NodeId) -> &str {
        &self.node(id).comment
    }

    /// Adds a comment to a node, on a new line if it has one.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let root = record.root();
    /// record.append_comment(root, "one");
    /// record.append_comment(root, "two");
    /// assert_eq!(record.comment(root), "one\ntwo");
    /// ```
    pub fn append_comment(&mut self, id: NodeId, text: &str) {
        if let Some(node) = self.node_mut(id).filter(|_| !text.is_empty()) {
            if !node.comment.is_empty() {
                node.comment.push('\n');
            }
            if text.contains('\r') {
                node.comment.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
            } else {
                node.comment.push_str(text);
            }
        }
    }

    /// Replaces the comment of a node; an empty text removes it.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let root = record.root();
    /// record.append_comment(root, "one");
    /// record.set_comment(root, "two");
    /// assert_eq!(record.comment(root), "two");
    /// ```
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        if let Some(node) = self.node_mut(id) {
            node.comment.clear();
            self.append_comment(id, text);
        }
    }

    /// How many nodes carry a comment.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.append_comment(first, "the central cannon");
    /// assert_eq!(record.comments(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn comments(&self) -> usize {
        self.nodes.iter().filter(|node| !node.comment.is_empty()).count()
    }

    /// The numeric annotation glyphs of PGN on a node's move: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, …
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.add_glyph(first, 1);
    /// assert_eq!(record.glyphs(first), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn glyphs(&self, id: NodeId) -> &[u8] {
        &self.node(id).glyphs
    }

    /// Adds a glyph; beyond the fourth it becomes part of the comment.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// (1..=5).for_each(|glyph| record.add_glyph(first, glyph));
    /// assert_eq!((record.glyphs(first), record.comment(first)), ([1, 2, 3, 4].as_slice(), "$5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_glyph(&mut self, id: NodeId, glyph: u8) {
        if let Some(node) = self.node_mut(id)
            && node.glyphs.try_push(glyph).is_err()
        {
            self.append_comment(id, &format!("${glyph}"));
        }
    }

    /// Replaces the glyphs of a node; beyond the fourth they become part of the comment, as [`Record::add_glyph`] has it.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.add_glyph(first, 1);
    /// record.set_glyphs(first, &[2, 18]);
    /// assert_eq!(record.glyphs(first), [2, 18]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_glyphs(&mut self, id: NodeId, glyphs: &[u8]) {
        if let Some(node) = self.node_mut(id) {
            node.glyphs = ArrayVec::new();
            glyphs.iter().for_each(|&glyph| self.add_glyph(id, glyph));
        }
    }

    /// How many glyphs the record has.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.add_glyph(first, 3);
    /// assert_eq!(record.glyph_count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn glyph_count(&self) -> usize {
        self.nodes.iter().map(|node| node.glyphs.len()).sum()
    }
}
