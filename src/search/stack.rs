//! State of the nodes on the current line: the search [`Window`] of a node, its local state ([`Node`]), and the per-ply state that
//! neighbouring nodes read ([`Frame`], on the [`Stack`]). `Node` and `Frame` have no field in common.

use super::correction::{Features, PartKeys};
use super::history::{CONTINUATIONS, Context, NodeMove};
use super::score::{DRAW, INFINITE, MAX_PLY, UNKNOWN};
use super::table::TableEntry;
use crate::board::Board;
use crate::types::{Color, Move};
use arrayvec::ArrayVec;
use std::ops::{Index, IndexMut};

/// Frames before the root, so that looking back needs no bounds check.
const BEFORE_ROOT: usize = 7;

/// The value for a score that depends on no forbidden repetition, see [`Run::repetition_ply`](super::searcher::Run::repetition_ply).
pub(super) const NO_REPETITION: i32 = i32::MAX;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The state of a ply that neighbouring nodes of the line read.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move being searched.
    pub(super) current: NodeMove,
    /// Corrected static evaluation; [`UNKNOWN`] in check.
    pub(super) evaluation: i32,
    /// Whether the position is or was on a principal variation.
    pub(super) was_pv: bool,
    /// Reduction of the current move in 1024ths of a ply; cleared when the child node reads it.
    pub(super) reduction: i32,
    /// Number of nodes at this ply that failed high since the node two plies earlier was entered.
    pub(super) cutoffs: i32,
    /// Number of pieces on the board.
    pub(super) pieces: u8,
    keys: PartKeys,
}

impl Frame {
    const EMPTY: Frame = Frame {
        current: NodeMove::NONE,
        evaluation: UNKNOWN,
        was_pv: false,
        reduction: 0,
        cutoffs: 0,
        pieces: 0,
        keys: PartKeys::NONE,
    };
}

/// The frames by ply, and the principal variation from each ply on.
pub(super) struct Stack {
    frames: Box<[Frame; BEFORE_ROOT + MAX_PLY + 2]>,
    lines: Box<[Line; MAX_PLY + 2]>,
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline(always)]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + ply]
    }
}

impl IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + ply]
    }
}

impl Stack {
    pub(super) fn new() -> Stack {
        Stack {
            frames: Box::new([Frame::EMPTY; BEFORE_ROOT + MAX_PLY + 2]),
            lines: Box::new([const { Line::new_const() }; MAX_PLY + 2]),
        }
    }

    /// Prepares the search of a root.
    pub(super) fn reset(&mut self, root: &Board) {
        self.frames.fill(Frame::EMPTY);
        root.pieces().for_each(|(piece, square)| self[0].keys.toggle(piece, square));
        self[0].pieces = root.occupied().len() as u8;
    }

    /// The frame `back` plies before `ply`, at most 7; frames before the root are empty.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + ply - back]
    }

    /// The context that selects the history of moves at this ply.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        let earlier = CONTINUATIONS.map(|back| self.before(ply, back).current.piece_to);
        Context::new(earlier, self[ply].keys.pawns, ply)
    }

    /// The features that select the corrections of the evaluation at this ply; `side` is to move there.
    #[inline]
    pub(super) fn features(&self, ply: usize, side: Color) -> Features {
        let piece_to = |back: usize| self.before(ply, back).current.piece_to;
        Features { side, keys: self[ply].keys, last: piece_to(1), earlier: [piece_to(2), piece_to(4)] }
    }

    /// Sets up the next ply, reached by a legal move on this board.
    #[inline(always)]
    pub(super) fn push(&mut self, ply: usize, board: &Board, current: NodeMove) {
        let (mut keys, mut pieces) = (self[ply].keys, self[ply].pieces);
        if let Some(piece) = board.piece_on(current.mv.from()) {
            keys.shift(piece, current.mv);
        }
        if let Some(victim) = board.piece_on(current.mv.to()) {
            keys.toggle(victim, current.mv.to());
            pieces -= 1;
        }
        self[ply].current = current;
        (self[ply + 1].keys, self[ply + 1].pieces) = (keys, pieces);
    }

    /// Sets up the next ply, reached by a null move.
    pub(super) fn push_null(&mut self, ply: usize) {
        self[ply].current = NodeMove::NONE;
        (self[ply + 1].keys, self[ply + 1].pieces) = (self[ply].keys, self[ply].pieces);
    }

    /// The principal variation from this ply on.
    #[inline(always)]
    pub(super) fn line(&mut self, ply: usize) -> &mut Line {
        &mut self.lines[ply]
    }

    /// Sets the line of this ply to a move followed by the line of the next ply.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (line, rest) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut line[ply], &rest[0]);
        line.clear();
        line.push(mv);
        let length = line.remaining_capacity().min(rest.len());
        let _ = line.try_extend_from_slice(&rest[..length]);
    }
}

/// The search window of a node, and the range of its score under the repetition rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Minimum score: a draw if the side to move can secure one by repeating.
    min: i32,
    /// Maximum score: a draw if the side to move is about to lose by repeating.
    max: i32,
}

impl Window {
    /// A window not yet narrowed by the rules.
    #[inline(always)]
    pub(super) fn new(alpha: i32, beta: i32) -> Window {
        Window { alpha, beta, min: -INFINITE, max: INFINITE }
    }

    /// Narrows the window to scores of at least a draw. It becomes empty if beta is less.
    #[inline(always)]
    pub(super) fn at_least_draw(&mut self) {
        self.min = DRAW;
        self.alpha = self.alpha.max(DRAW);
    }

    /// Narrows the window to scores of at most a draw. It becomes empty if alpha is greater.
    #[inline(always)]
    pub(super) fn at_most_draw(&mut self) {
        self.max = DRAW;
        self.beta = self.beta.min(DRAW);
    }

    /// Whether the repetition rules have narrowed the window, so that the score holds only on this path.
    #[inline(always)]
    fn is_path_dependent(&self) -> bool {
        self.min == DRAW || self.max == DRAW
    }

    /// The score clamped to the range that the rules allow. A fail-soft score outside it must not reach the parent, which would store it.
    #[inline(always)]
    pub(super) fn allowed(&self, score: i32) -> i32 {
        score.clamp(self.min, self.max)
    }
}

/// The local state of a node, in the main search and in quiescence.
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Remaining depth in plies; several steps adjust it.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether a cutoff is expected (a cut-node).
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// Whether the score holds only on this path.
    pub(super) path_dependent: bool,
    /// Table key.
    pub(super) key: u64,
    /// The table entry.
    pub(super) entry: TableEntry,
    /// Whether the table had an entry.
    pub(super) is_known: bool,
    pub(super) hash_move_is_capture: bool,
    /// Correction of the evaluation in centipawns.
    pub(super) correction: i32,
    /// Uncorrected evaluation; [`UNKNOWN`] in check.
    pub(super) raw: i32,
    /// The best estimate of the score: the evaluation, or the table's score if its bound makes it more precise.
    pub(super) estimate: i32,
    /// Whether the static evaluation has risen since the last turn of the side to move (since the turn before, if it was in check then), or
    /// is at least beta.
    pub(super) improving: bool,
    /// Moves searched or pruned so far.
    pub(super) move_count: i32,
    /// The best score so far.
    pub(super) best: i32,
    /// The move that raised alpha last.
    pub(super) best_move: Move,
    /// [`Run::repetition_ply`](super::searcher::Run::repetition_ply) of the best score.
    pub(super) repetition_ply: i32,
}

impl Node {
    /// A new node with the result of the table probe.
    #[inline(always)]
    pub(super) fn new(window: Window, depth: i32, ply: usize, in_check: bool, key: u64, found: Option<TableEntry>) -> Node {
        Node {
            alpha: window.alpha,
            beta: window.beta,
            depth,
            ply,
            cut_node: false,
            in_check,
            path_dependent: window.is_path_dependent(),
            key,
            entry: found.unwrap_or(TableEntry::NONE),
            is_known: found.is_some(),
            hash_move_is_capture: false,
            correction: 0,
            raw: UNKNOWN,
            estimate: UNKNOWN,
            improving: false,
            move_count: 0,
            best: -INFINITE,
            best_move: Move::NONE,
            repetition_ply: NO_REPETITION,
        }
    }
}
