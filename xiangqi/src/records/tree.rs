//! A record: tags, start position, and a tree of moves with comments. Nodes are indices into a list, so deeply nested variations
//! cannot overflow the stack.

mod annotations;
mod edit;
mod legal;
mod warnings;

pub use annotations::MAX_COMMENTS;
pub(super) use annotations::clip;

use super::{RecordResult, Setup, player_name};
use crate::board::{Position, SetupError};
use crate::records::warning::{Warning, warning};
use crate::types::{Color, Move};
use arrayvec::ArrayVec;

/// Maximum number of moves in a record. The largest known real one has 226,211.
///
/// ```
/// use xiangqi::records::MAX_NODES;
///
/// assert!(MAX_NODES > 1_000_000);
/// ```
pub const MAX_NODES: usize = 1 << 21;
/// Maximum number of plies in a line. Bounds the memory of code that walks the tree with a board per ply.
///
/// ```
/// use xiangqi::records::MAX_PLIES;
///
/// assert_eq!(MAX_PLIES, 10_000);
/// ```
pub const MAX_PLIES: usize = 10_000;
/// Maximum number of tags; further tags are dropped with a warning.
const MAX_TAGS: usize = 1000;

/// A node in the move tree of a [`Record`]. The root is the start position; every other node is the position after a move.
///
/// ```
/// use xiangqi::records::{Record, Setup};
/// use xiangqi::types::Move;
///
/// let mut record = Record::new(Setup::standard());
/// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
/// assert_eq!(record.parent(first), Some(record.root()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// A game record: tags, start position, result, and a tree of moves with comments and annotation glyphs.
///
/// Tags use PGN names (`Event`, `Site`, `Date`, `Round`, `Red`, `Black`, …) in all formats and keep the order of the file. Fields that
/// are specific to a format keep their own names. The result is not stored as a tag.
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
    warnings: Vec<Warning>,
    /// Number of warnings that are not kept as text.
    more_warnings: usize,
    left_out: usize,
    /// Reason that the main line ends earlier than in the file.
    main_line_fault: Option<Warning>,
    /// Total size of all comments in bytes.
    comment_bytes: usize,
    nodes: Vec<Node>,
    /// Number of entries of `nodes` that were removed.
    removed: usize,
}

/// Error when a move cannot be added: the record has [`MAX_NODES`] moves, or the parent node is not in it.
///
/// ```
/// use xiangqi::records::TreeFull;
///
/// assert_eq!(TreeFull.to_string(), "the record has more than 2097152 moves");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the record has more than {MAX_NODES} moves")]
pub struct TreeFull;

/// Error when a node has no position.
///
/// ```
/// use xiangqi::records::{LineFault, Record, Setup};
/// use xiangqi::types::Move;
///
/// let mut record = Record::new(Setup::standard());
/// let jump = record.add(record.root(), Move::from_uci("a0a9")?)?;
/// assert!(matches!(record.position(jump), Err(LineFault::Illegal { ply: 1, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// The start position is not valid, see [`Setup::position`].
    #[error("the start position is invalid: {0}")]
    Start(#[from] SetupError),
    /// A move is not legal.
    #[error("round {round}, ply {ply}: {mv} is not legal in {fen}")]
    Illegal {
        /// Number of the move in its line, counted from 1.
        ply: usize,
        /// The fullmove number before the move.
        round: u32,
        /// The move.
        mv: Move,
        /// The position before the move, as FEN.
        fen: String,
    },
}

impl Record {
    /// Creates a record without moves.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let record = Record::new(Setup::standard());
    /// assert_eq!((record.plies(), record.tags().count()), (0, 0));
    /// ```
    pub fn new(start: Setup) -> Record {
        let nodes = vec![Node::new(Move::NONE, NOBODY)];
        Record {
            tags: Vec::new(),
            start,
            result: RecordResult::Unknown,
            warnings: Vec::new(),
            more_warnings: 0,
            comment_bytes: 0,
            left_out: 0,
            main_line_fault: None,
            nodes,
            removed: 0,
        }
    }

    /// Creates a record with the start position and moves of a game in progress.
    ///
    /// # Errors
    /// Returns an error if the game has more than [`MAX_NODES`] moves.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::records::Record;
    /// use xiangqi::types::Move;
    ///
    /// let mut game = Position::startpos();
    /// game.make(Move::from_uci("h2e2")?);
    /// assert_eq!(Record::of_position(&game)?.moves().next(), game.moves().next());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_position(game: &Position) -> Result<Record, TreeFull> {
        let mut record = Record::new(Setup::from_position(&game.initial()));
        let mut tip = record.root();
        for mv in game.moves() {
            tip = record.add(tip, mv)?;
        }
        Ok(record)
    }

    /// All tags as names and values, in order.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Red", "Hu Ronghua");
    /// assert_eq!(record.tags().next(), Some(("Red", "Hu Ronghua")));
    /// ```
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag, or `None` if it is absent or empty. The name is case-insensitive.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Red", "Hu Ronghua");
    /// assert_eq!((record.tag("red"), record.tag("Black")), (Some("Hu Ronghua"), None));
    /// ```
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|(known, value)| known.eq_ignore_ascii_case(name) && !value.is_empty()).map(|(_, value)| value)
    }

    /// The name of a player as by [`player_name`], or `None` if it is absent or a placeholder such as `?` or `NN`.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Color;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Red", "Hu Ronghua");
    /// record.set_tag("Black", "?");
    /// assert_eq!((record.player(Color::Red).as_deref(), record.player(Color::Black)), (Some("Hu Ronghua"), None));
    /// ```
    pub fn player(&self, side: Color) -> Option<String> {
        player_name(self.tag(if side == Color::Red { "Red" } else { "Black" })?)
    }

    /// A title for lists of games: the players, with `?` for an unknown one. If both are unknown, the tag `Title`.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Title", "The game of the year");
    /// assert_eq!(record.title().as_deref(), Some("The game of the year"));
    /// record.set_tag("Red", "Hu Ronghua");
    /// assert_eq!(record.title().as_deref(), Some("Hu Ronghua – ?"));
    /// ```
    pub fn title(&self) -> Option<String> {
        match [Color::Red, Color::Black].map(|side| self.player(side)) {
            [None, None] => self.tag("Title").map(str::to_string),
            players => Some(players.map(|player| player.unwrap_or_else(|| "?".into())).join(" – ")),
        }
    }

    /// Sets a tag. An existing tag keeps its position; a new one is added at the end, unless the value is empty.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Round", "1");
    /// record.set_tag("Round", "2");
    /// assert_eq!(record.tags().collect::<Vec<_>>(), [("Round", "2")]);
    /// ```
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None if value.is_empty() => {}
            None => self.add_tag(name, &value),
        }
    }

    /// Adds a tag at the end, even if it is empty or the name already exists, to preserve such tags of files. Use
    /// [`Record::set_tag`] for editing.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add_tag("Remark", "one");
    /// record.add_tag("Remark", "two");
    /// assert_eq!(record.tags().count(), 2);
    /// ```
    pub fn add_tag(&mut self, name: &str, value: &str) {
        if self.tags.len() < MAX_TAGS {
            self.tags.push((name.to_string(), value.to_string()));
        } else {
            self.warn(warning!("more than {0} tags; some were left out", "标签超过{0}个，部分已略去", MAX_TAGS));
        }
    }

    /// The root of the tree: the start position.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    ///
    /// let record = Record::new(Setup::standard());
    /// assert!(record.parent(record.root()).is_none() && record.mv(record.root()).is_none());
    /// ```
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    fn node(&self, id: NodeId) -> &Node {
        // Only this type creates identifiers; an identifier of another record may be out of range.
        self.nodes.get(id.0 as usize).unwrap_or(&self.nodes[0])
    }

    fn wrap(id: u32) -> Option<NodeId> {
        (id != NOBODY).then_some(NodeId(id))
    }

    /// Adds a move after a node: the first becomes the continuation, any other a variation. The move is not checked for legality: the
    /// readers check all moves, and the writers of PGN, WXF and FEN leave illegal ones out and report them.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!(record.children(record.root()).collect::<Vec<_>>(), [first, second]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the record is full, or does not contain the parent node.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeFull> {
        if self.nodes.len() > MAX_NODES || !self.contains(parent) {
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

    /// The move that leads to a node, or `None` for the root.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert_eq!(record.mv(first), Some(Move::from_uci("h2e2")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        Some(self.node(id).mv).filter(|mv| !mv.is_none())
    }

    /// The parent of a node, or `None` for the root.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert_eq!(record.parent(first), Some(record.root()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Record::wrap(self.node(id).parent)
    }

    /// The continuation of the line: the first child of a node.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_ne!(first, second);
    /// assert_eq!(record.next(record.root()), Some(first));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        Record::wrap(self.node(id).first_child)
    }

    /// The next alternative to the move of a node.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!((record.next_sibling(first), record.next_sibling(second)), (Some(second), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        Record::wrap(self.node(id).next_sibling)
    }

    /// All children of a node: first the continuation, then its alternatives.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!(record.children(record.root()).collect::<Vec<_>>(), [first, second]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// The nodes of the main line, without the root.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert_eq!(record.main_line().collect::<Vec<_>>(), [first]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(self.root()), |&id| self.next(id))
    }

    /// The moves of the main line.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert_eq!(record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().map(|id| self.node(id).mv)
    }

    /// The number of plies of the main line.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!((record.plies(), record.moves_in_tree()), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plies(&self) -> usize {
        self.main_line().count()
    }

    /// The number of moves in the entire tree.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!(record.moves_in_tree(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves_in_tree(&self) -> usize {
        self.nodes.len() - 1 - self.removed
    }

    /// Whether any move has an alternative.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert!(!record.has_variations());
    /// record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert!(record.has_variations());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.next_sibling != NOBODY)
    }

    /// All nodes with their distance from the root, in depth-first order (pre-order), the continuation before its alternatives. Formats
    /// that store a tree as a list use this order.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let second = record.add(record.root(), Move::from_uci("b2e2")?)?;
    /// assert_eq!(record.walk().collect::<Vec<_>>(), [(0, record.root()), (1, first), (1, second)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// The next node in [`Record::walk`] that is not a descendant of this one.
    fn after_subtree(&self, mut depth: usize, mut id: NodeId) -> Option<(usize, NodeId)> {
        loop {
            if let Some(sibling) = self.next_sibling(id) {
                return Some((depth, sibling));
            }
            id = self.parent(id)?;
            depth -= 1;
        }
    }

    /// The position of a node, including the history of moves.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// let first = record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert_eq!(record.position(first)?.plies(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the start position is not valid ([`Setup::position`]), or a move of the line is illegal.
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
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// assert!(record.final_position()?.to_fen().ends_with(" b - - 1 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Record::position`].
    pub fn final_position(&self) -> Result<Position, LineFault> {
        self.position(self.main_line().last().unwrap_or(self.root()))
    }
}

impl PartialEq for Record {
    /// Compares tags, start position, result, and the tree with comments and glyphs. Warnings and node identifiers are ignored.
    fn eq(&self, other: &Record) -> bool {
        self.tags == other.tags && self.start == other.start && self.result == other.result && self.same_tree(other)
    }
}

impl Eq for Record {}

impl Record {
    /// Whether two records have the same moves, order of variations, comments and glyphs.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup};
    /// use xiangqi::types::Move;
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.add(record.root(), Move::from_uci("h2e2")?)?;
    /// let mut other = record.clone();
    /// other.set_tag("Red", "Hu Ronghua");
    /// assert!(other != record && other.same_tree(&record));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn same_tree(&self, other: &Record) -> bool {
        self.moves_in_tree() == other.moves_in_tree()
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
    fn illegal_moves_are_dropped_with_their_subtrees_and_reported() {
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
        assert_eq!(legal.warnings().len(), 2);
        assert_eq!(legal.warnings()[1], "the variation that begins with b9c7 takes the place of the main line");
        assert!(
            legal.warnings()[0].contains("ply 2: h2e2 is not legal") && legal.warnings()[0].contains("the 3 moves after it"),
            "{:?}",
            legal.warnings()
        );
    }

    #[test]
    fn comments_that_an_invalid_start_position_leaves_out_are_counted() {
        let mut record = Record::new(Setup::empty());
        let a = record.add(record.root(), mv("h2e2")).unwrap();
        record.append_comment(a, "lost");
        record.append_comment(record.root(), "kept");
        let warnings = record.legal_part().warnings();
        assert!(warnings[0].starts_with("1 move left out with 1 comment, since the start position is invalid"), "{warnings:?}");
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
    fn a_node_of_another_record_is_handled() {
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
