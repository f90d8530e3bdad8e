//! Comments and annotation glyphs.

use super::{NodeId, Record};
use crate::records::warning::warning;
use arrayvec::ArrayVec;

/// Maximum total size of all comments of a record in bytes; any excess is dropped with a warning. Without this limit, a file of
/// many megabytes that is a single comment would be held in memory several times.
///
/// ```
/// use xiangqi::records::{MAX_COMMENTS, Record, Setup};
///
/// let mut record = Record::new(Setup::standard());
/// record.append_comment(record.root(), &"x".repeat(MAX_COMMENTS + 1));
/// assert_eq!(record.comment(record.root()).len(), MAX_COMMENTS);
/// assert!(record.warnings()[0].starts_with("the comment after ply 0 is truncated"));
/// ```
pub const MAX_COMMENTS: usize = 16 << 20;

/// Shortens a comment that exceeds [`MAX_COMMENTS`] to just over the limit, so that callers need not copy all of it. `used` is the
/// size of the preceding comments.
pub(in crate::records) fn clip(text: &str, used: usize) -> &str {
    let most = (MAX_COMMENTS + 1).saturating_sub(used);
    if text.len() <= most {
        text
    } else {
        &text[..(most..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())]
    }
}

impl Record {
    /// The comment after the move of a node; for the root, before the first move. Lines end in `\n`.
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

    /// Adds a comment to a node, on a new line if there already is one. It is truncated if the limit of [`MAX_COMMENTS`] is reached.
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
        if text.is_empty() {
            return;
        }
        let room = MAX_COMMENTS.saturating_sub(self.comment_bytes);
        let kept = &text[..(0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)];
        let Some(node) = self.node_mut(id) else { return };
        let before = node.comment.len();
        if before > 0 && !kept.is_empty() {
            node.comment.push('\n');
        }
        if kept.contains('\r') {
            node.comment.push_str(&kept.replace("\r\n", "\n").replace('\r', "\n"));
        } else {
            node.comment.push_str(kept);
        }
        self.comment_bytes += node.comment.len() - before;
        if kept.len() < text.len() {
            let which = match room {
                0 => warning!("another comment", "另一条注释"),
                _ => warning!("the comment after ply {0}", "第{0}着后的注释", self.ply(id)),
            };
            self.warn(warning!(
                "{0} is truncated, the comments of a game have at most {1} MiB",
                "{0}被截断，一局的注释最多{1} MiB",
                which,
                MAX_COMMENTS >> 20
            ));
        }
    }

    /// The number of moves from the root to a node.
    fn ply(&self, id: NodeId) -> usize {
        std::iter::successors(self.parent(id), |&parent| self.parent(parent)).count()
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
            let before = std::mem::take(&mut node.comment).len();
            self.comment_bytes = self.comment_bytes.saturating_sub(before);
            self.append_comment(id, text);
        }
    }

    /// The number of nodes with a comment.
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

    /// The PGN numeric annotation glyphs of a node's move: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, …
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

    /// Adds a glyph. A node has at most four; further ones are added to the comment.
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

    /// Replaces the glyphs of a node, like [`Record::add_glyph`] for each.
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

    /// The number of glyphs in the record.
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
