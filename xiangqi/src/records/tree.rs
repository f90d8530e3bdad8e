//! One record: tags, the start position, and a tree of moves with comments. Built of numbered nodes in one list, so that no
//! depth of nesting in a file can exhaust the stack.

use super::Setup;
use crate::board::{Board, Position, SetupError};
use crate::notation::{self, System};
use crate::types::{Color, Move};
use arrayvec::ArrayVec;

/// Most moves that one record may hold. The largest real file known has 107,001.
pub const MAX_NODES: usize = 1 << 21;
/// Most plies of one line. It bounds the memory of everything that walks a tree with a board for every ply.
pub const MAX_PLIES: usize = 10_000;
/// Most tags of a record; more are left out with a warning.
const MAX_TAGS: usize = 1000;
/// Warnings kept as text; more are counted.
const MAX_WARNINGS: usize = 100;

/// The result as the record states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RecordResult {
    /// Not stated, or not finished.
    #[default]
    Unknown,
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Drawn.
    Draw,
}

impl RecordResult {
    /// The token of PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn token(self) -> &'static str {
        match self {
            RecordResult::Unknown => "*",
            RecordResult::RedWins => "1-0",
            RecordResult::BlackWins => "0-1",
            RecordResult::Draw => "1/2-1/2",
        }
    }

    /// Reads a token of PGN.
    pub fn from_token(token: &str) -> Option<RecordResult> {
        Some(match token {
            "*" => RecordResult::Unknown,
            "1-0" => RecordResult::RedWins,
            "0-1" => RecordResult::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" => RecordResult::Draw,
            _ => return None,
        })
    }
}

/// A node of a record's move tree: the root is the start position, every other node the position after one move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

const NOBODY: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    mv: Move,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    glyphs: ArrayVec<u8, 4>,
    comment: String,
}

impl Node {
    fn new(mv: Move, parent: u32) -> Node {
        Node {
            mv,
            parent,
            first_child: NOBODY,
            last_child: NOBODY,
            next_sibling: NOBODY,
            glyphs: ArrayVec::new(),
            comment: String::new(),
        }
    }
}

/// A game record.
///
/// Tags have the names of PGN (`Event`, `Site`, `Date`, `Round`, `Red`, `Black`, …) whatever format they came from, in the
/// order of the file; a format's own fields keep their own names. The result is not among them.
///
/// ```
/// use xiangqi::notation::{self, System};
/// use xiangqi::records::{Record, Setup};
/// use xiangqi::types::Move;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut record = Record::new(Setup::standard());
/// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
/// let main = record.add(first, Move::from_uci("h9g7")?)?;
/// let other = record.add(first, Move::from_uci("b9c7")?)?;
/// record.append_comment(other, "the other horse");
///
/// assert_eq!(record.plies(), 2);
/// assert_eq!(record.moves_in_tree(), 3);
/// assert_eq!(record.children(first).collect::<Vec<_>>(), [main, other]);
/// let position = record.position(other)?;
/// assert!(position.to_fen().starts_with("r1bakabnr/9/1cn4c1/"));
/// // Any node's move in any notation:
/// let before = record.position(first)?;
/// let text = notation::write(System::Uci, before.board(), record.mv(other).unwrap());
/// assert_eq!(text, "b9c7");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Setup,
    /// The result.
    pub result: RecordResult,
    warnings: Vec<String>,
    /// Warnings beyond [`MAX_WARNINGS`].
    more_warnings: usize,
    left_out: usize,
    /// Why the main line ends before the file's does.
    main_line_fault: Option<String>,
    nodes: Vec<Node>,
}

/// A record cannot grow further: [`MAX_NODES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the record has more than {MAX_NODES} moves")]
pub struct TreeFull;

/// Why a node of a record has no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// No game can have the start position.
    #[error("the start position {0}")]
    Start(#[from] SetupError),
    /// A move is not legal.
    #[error("round {round}, ply {ply}: {mv} is not legal in {fen}")]
    Illegal {
        /// Number of the move in its line, from 1.
        ply: usize,
        /// FEN's move number before it.
        round: u32,
        /// The move.
        mv: Move,
        /// The position before it.
        fen: String,
    },
}

impl Record {
    /// A record without moves.
    pub fn new(start: Setup) -> Record {
        let nodes = vec![Node::new(Move::NONE, NOBODY)];
        Record {
            tags: Vec::new(),
            start,
            result: RecordResult::Unknown,
            warnings: Vec::new(),
            more_warnings: 0,
            left_out: 0,
            main_line_fault: None,
            nodes,
        }
    }

    /// All tags in order.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag, whatever its case; none when it is absent or empty.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|(known, value)| known.eq_ignore_ascii_case(name) && !value.is_empty()).map(|(_, value)| value)
    }

    /// Sets a tag, in its old place if it is known. An empty value for an unknown tag is not stored.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None if value.is_empty() => {}
            None => self.push_tag(name, &value),
        }
    }

    /// Adds a tag at the end, even if it is empty or there is one of that name.
    pub(super) fn push_tag(&mut self, name: &str, value: &str) {
        if self.tags.len() < MAX_TAGS {
            self.tags.push((name.to_string(), value.to_string()));
        } else {
            self.warn(format!("more than {MAX_TAGS} tags; some left out"));
        }
    }

    /// What the reader could not make sense of, one sentence each, in the order of the file.
    pub fn warnings(&self) -> Vec<String> {
        let more = (self.more_warnings > 0).then(|| format!("{} more of this kind", self.more_warnings));
        self.warnings.iter().cloned().chain(more).collect()
    }

    /// How many moves of the file are not in the tree, because they are illegal or follow an illegal one.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// What was wrong with the move of the main line behind which everything was left out, if there is one. Who needs the
    /// end of the game, and not just what can be read, asks for this.
    pub fn main_line_fault(&self) -> Option<&str> {
        self.main_line_fault.as_deref()
    }

    /// Notes what was wrong with the next move of the main line, which ends here.
    pub(super) fn break_main_line(&mut self, fault: String) {
        self.main_line_fault = Some(fault.clone());
        self.warn(fault);
    }

    /// Notes something the reader could not make sense of.
    pub(super) fn warn(&mut self, warning: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning.into());
        } else {
            self.more_warnings += 1;
        }
    }

    /// The start position.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    fn node(&self, id: NodeId) -> &Node {
        // Identifiers are only made by this type; one of another record falls back to the root.
        self.nodes.get(id.0 as usize).unwrap_or(&self.nodes[0])
    }

    fn wrap(id: u32) -> Option<NodeId> {
        (id != NOBODY).then_some(NodeId(id))
    }

    /// Adds a move to a node: the continuation if it is the first, else a variation. Whether it is legal is the caller's
    /// affair; all readers check.
    ///
    /// # Errors
    /// When the record is full.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeFull> {
        if self.nodes.len() > MAX_NODES || parent.0 as usize >= self.nodes.len() {
            return Err(TreeFull);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::new(mv, parent.0));
        let last = std::mem::replace(&mut self.nodes[parent.0 as usize].last_child, id);
        if last == NOBODY {
            self.nodes[parent.0 as usize].first_child = id;
        } else {
            self.nodes[last as usize].next_sibling = id;
        }
        Ok(NodeId(id))
    }

    /// The move that led to a node; none for the root.
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        Some(self.node(id).mv).filter(|mv| !mv.is_none())
    }

    /// The node before.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Record::wrap(self.node(id).parent)
    }

    /// The continuation: the first of the moves from here.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        Record::wrap(self.node(id).first_child)
    }

    /// The next alternative to this node's move.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        Record::wrap(self.node(id).next_sibling)
    }

    /// All moves from a node, the continuation first, then its alternatives.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(self.root()), |&id| self.next(id))
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().map(|id| self.node(id).mv)
    }

    /// Plies of the main line.
    pub fn plies(&self) -> usize {
        self.main_line().count()
    }

    /// Moves of the whole tree.
    pub fn moves_in_tree(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether some move has an alternative.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.next_sibling != NOBODY)
    }

    /// All nodes depth first with their distance from the root: a node, its continuation to the end, then the alternatives
    /// to the latest move that has some. Formats that store a tree as a list use this order.
    pub fn walk(&self) -> impl Iterator<Item = (usize, NodeId)> + '_ {
        self.walk_from((0, self.root()))
    }

    fn walk_from(&self, start: (usize, NodeId)) -> impl Iterator<Item = (usize, NodeId)> + '_ {
        std::iter::successors(Some(start), |&at| self.step(at))
    }

    fn step(&self, (depth, id): (usize, NodeId)) -> Option<(usize, NodeId)> {
        match self.next(id) {
            Some(child) => Some((depth + 1, child)),
            None => self.after_subtree(depth, id),
        }
    }

    /// The node that follows in [`Record::walk`] when everything below this one is left out.
    fn after_subtree(&self, mut depth: usize, mut id: NodeId) -> Option<(usize, NodeId)> {
        loop {
            if let Some(sibling) = self.next_sibling(id) {
                return Some((depth, sibling));
            }
            id = self.parent(id)?;
            depth -= 1;
        }
    }

    /// The comment on the position of a node (after its move; for the root, before the first one). Lines end in `\n`.
    pub fn comment(&self, id: NodeId) -> &str {
        &self.node(id).comment
    }

    /// Adds a comment to a node, on a new line if it has one.
    pub fn append_comment(&mut self, id: NodeId, text: &str) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize).filter(|_| !text.is_empty()) {
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

    /// How many nodes carry a comment.
    pub fn comments(&self) -> usize {
        self.nodes.iter().filter(|node| !node.comment.is_empty()).count()
    }

    /// The numeric annotation glyphs of PGN on a node's move: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, …
    pub fn glyphs(&self, id: NodeId) -> &[u8] {
        &self.node(id).glyphs
    }

    /// Adds a glyph; beyond the fourth it becomes part of the comment.
    pub fn add_glyph(&mut self, id: NodeId, glyph: u8) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize)
            && node.glyphs.try_push(glyph).is_err()
        {
            self.append_comment(id, &format!("${glyph}"));
        }
    }

    /// How many glyphs the record has.
    pub fn glyph_count(&self) -> usize {
        self.nodes.iter().map(|node| node.glyphs.len()).sum()
    }

    /// The position of a node with the moves that led to it.
    ///
    /// # Errors
    /// Why the start is no position of a game, or which move of the line is illegal.
    pub fn position(&self, id: NodeId) -> Result<Position, LineFault> {
        let mut line: Vec<Move> = std::iter::successors(Some(id), |&id| self.parent(id)).filter_map(|id| self.mv(id)).collect();
        line.reverse();
        let mut position = self.start.position()?;
        for (ply, mv) in line.into_iter().enumerate() {
            if !position.board().is_legal(mv) {
                let (round, fen) = (position.fullmove(), position.to_fen());
                return Err(LineFault::Illegal { ply: ply + 1, round, mv, fen });
            }
            position.make(mv);
        }
        Ok(position)
    }

    /// The position at the end of the main line.
    ///
    /// # Errors
    /// As [`Record::position`].
    pub fn final_position(&self) -> Result<Position, LineFault> {
        self.position(self.main_line().last().unwrap_or(self.root()))
    }

    /// A copy whose moves are all legal: illegal ones are left out with all that follows them, and a warning says so.
    pub(super) fn legal_part(mut self) -> Record {
        let mut legal = Record::new(self.start.clone());
        legal.tags = std::mem::take(&mut self.tags);
        legal.result = self.result;
        legal.warnings = std::mem::take(&mut self.warnings);
        legal.more_warnings = self.more_warnings;
        legal.main_line_fault = self.main_line_fault.take();
        legal.nodes[0].comment = std::mem::take(&mut self.nodes[0].comment);
        let board = match self.start.position() {
            Ok(position) => *position.board(),
            Err(error) => {
                legal.left_out = self.moves_in_tree();
                if self.moves_in_tree() > 0 {
                    legal.warn(format!("{} moves left out, for the start position {error}", self.moves_in_tree()));
                }
                return legal;
            }
        };
        let first = self.start.fullmove as usize * 2 + (self.start.side == Color::Black) as usize;
        let mut path: Vec<(Board, NodeId)> = vec![(board, legal.root())];
        let mut next = self.walk().nth(1);
        while let Some((depth, id)) = next {
            path.truncate(depth);
            let Some(&(board, parent)) = path.last() else { break };
            let mv = self.node(id).mv;
            if mv.is_none() || !board.is_legal(mv) || depth > MAX_PLIES {
                next = self.after_subtree(depth, id);
                let following = self.walk_from((depth, id)).take_while(|&at| Some(at) != next).count() - 1;
                let refusal = refusal(&board, mv, depth, (first + depth - 1) / 2, following);
                // The walk begins with the main line: this is its next move if nothing else has been visited.
                if legal.left_out == 0 && legal.moves_in_tree() + 1 == depth {
                    legal.break_main_line(refusal);
                } else {
                    legal.warn(refusal);
                }
                legal.left_out += following + 1;
                continue;
            }
            next = self.step((depth, id));
            if let Ok(copy) = legal.add(parent, mv) {
                let node = &mut self.nodes[id.0 as usize];
                legal.nodes[copy.0 as usize].comment = std::mem::take(&mut node.comment);
                legal.nodes[copy.0 as usize].glyphs = std::mem::take(&mut node.glyphs);
                path.push((board.after(mv), copy));
            }
        }
        legal
    }
}

fn refusal(board: &Board, mv: Move, ply: usize, round: usize, following: usize) -> String {
    let rest = if following > 0 { format!(", left out with the {following} moves after it") } else { ", left out".into() };
    let side = board.side_to_move();
    if ply > MAX_PLIES {
        format!("ply {ply}: a line has more than {MAX_PLIES} plies{rest}")
    } else if mv.is_none() {
        format!("round {round} {side}, ply {ply}: the move has a point off the board{rest}")
    } else {
        let reason =
            notation::read(System::Uci, board, &mv.to_string()).err().map(|error| format!(" ({error})")).unwrap_or_default();
        format!("round {round} {side}, ply {ply}: {mv} is not legal in {}{reason}{rest}", board.to_fen())
    }
}

impl PartialEq for Record {
    /// Same tags, start, result and tree with comments and glyphs; warnings and the order of storage make no difference.
    fn eq(&self, other: &Record) -> bool {
        self.tags == other.tags && self.start == other.start && self.result == other.result && self.same_tree(other)
    }
}

impl Record {
    /// Whether two records have the same moves, variations in the same order, comments and glyphs.
    pub fn same_tree(&self, other: &Record) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.walk().zip(other.walk()).all(|((depth, id), (other_depth, other_id))| {
                let (node, twin) = (self.node(id), other.node(other_id));
                depth == other_depth && node.mv == twin.mv && node.comment == twin.comment && node.glyphs == twin.glyphs
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        Move::from_uci(text).unwrap()
    }

    #[test]
    fn walking_visits_lines_depth_first() {
        let mut record = Record::new(Setup::standard());
        let a = record.add(record.root(), mv("h2e2")).unwrap();
        let b = record.add(a, mv("h9g7")).unwrap();
        let d = record.add(a, mv("b9c7")).unwrap();
        let c = record.add(b, mv("h0g2")).unwrap();
        let e = record.add(record.root(), mv("b2e2")).unwrap();
        let walk: Vec<_> = record.walk().collect();
        assert_eq!(walk, [(0, record.root()), (1, a), (2, b), (3, c), (2, d), (1, e)]);
        assert_eq!(record.moves().collect::<Vec<_>>(), [mv("h2e2"), mv("h9g7"), mv("h0g2")]);
        assert!(record.has_variations());
    }

    #[test]
    fn illegal_moves_go_with_what_follows_them_and_are_told() {
        let mut record = Record::new(Setup::standard());
        let a = record.add(record.root(), mv("h2e2")).unwrap();
        let bad = record.add(a, mv("h2e2")).unwrap();
        let lost = record.add(bad, mv("h9g7")).unwrap();
        record.add(lost, mv("h0g2")).unwrap();
        record.add(bad, mv("b9c7")).unwrap();
        let good = record.add(a, mv("b9c7")).unwrap();
        record.append_comment(good, "kept");
        let legal = record.legal_part();
        assert_eq!(legal.moves_in_tree(), 2);
        assert_eq!(legal.comments(), 1);
        assert_eq!(legal.warnings().len(), 1);
        assert!(
            legal.warnings()[0].contains("ply 2: h2e2 is not legal") && legal.warnings()[0].contains("the 3 moves after it"),
            "{:?}",
            legal.warnings()
        );
    }

    #[test]
    fn a_line_longer_than_any_game_is_cut() {
        let mut record = Record::new(Setup::standard());
        let mut at = record.root();
        for cycle in [mv("h0g2"), mv("h9g7"), mv("g2h0"), mv("g7h9")].into_iter().cycle().take(MAX_PLIES + 50) {
            at = record.add(at, cycle).unwrap();
        }
        let legal = record.legal_part();
        assert_eq!(legal.plies(), MAX_PLIES);
        assert!(legal.warnings()[0].contains("the 49 moves after it"), "{:?}", legal.warnings());
    }

    #[test]
    fn a_foreign_node_does_no_harm() {
        let mut large = Record::new(Setup::standard());
        let id = large.add(large.root(), mv("h2e2")).unwrap();
        let mut small = Record::new(Setup::standard());
        assert_eq!(small.mv(id), None);
        assert!(small.add(id, mv("h2e2")).is_err());
        small.append_comment(id, "nowhere");
        small.add_glyph(id, 1);
        assert_eq!(small.comments() + small.glyph_count(), 0);
    }
}
