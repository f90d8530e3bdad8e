//! The state of the nodes on the line that is being searched: the [`Window`] that a node's score has to lie in, what a node knows while
//! it is searched ([`Node`]), and what the nodes around it read ([`Frame`], one a ply, on the [`Stack`]). No field is in both.

use super::correction::{Features, PartKeys};
use super::history::{CONTINUATIONS, Context, NodeMove};
use super::table::TableEntry;
use crate::board::Board;
use crate::types::score::{DRAW, INFINITE, MAX_PLY, UNKNOWN};
use crate::types::{Color, Move};
use arrayvec::ArrayVec;
use std::ops::{Index, IndexMut};

/// Frames before the root, so that looking back needs no check.
const BEFORE_ROOT: usize = 7;

/// The ply of a score that rests on no forbidden repetition, see [`Run::repetition_ply`](super::searcher::Run::repetition_ply).
pub(super) const NO_REPETITION: i32 = i32::MAX;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// What a node leaves to the nodes around it on the line.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move that is being searched.
    pub(super) current: NodeMove,
    /// Corrected static evaluation; [`UNKNOWN`] in check.
    pub(super) evaluation: i32,
    /// Whether the position is or was on a principal variation.
    pub(super) was_pv: bool,
    /// Reduction of the current move in 1024ths of a ply, until its node has read it.
    pub(super) reduction: i32,
    /// Nodes at this ply that failed high since the node two plies before was entered.
    pub(super) cutoffs: i32,
    keys: PartKeys,
}

impl Frame {
    const EMPTY: Frame =
        Frame { current: NodeMove::NONE, evaluation: UNKNOWN, was_pv: false, reduction: 0, cutoffs: 0, keys: PartKeys::NONE };
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
    }

    /// The frame `back` plies before `ply`, at most 7; empty before the root.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + ply - back]
    }

    /// What selects the history of the moves at this ply.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        let earlier = CONTINUATIONS.map(|(back, _)| self.before(ply, back).current.piece_to);
        Context { earlier, pawn_key: self[ply].keys.pawns, ply }
    }

    /// What selects the corrections of the evaluation at this ply, for the side to move there.
    #[inline]
    pub(super) fn features(&self, ply: usize, side: Color) -> Features {
        let piece_to = |back: usize| self.before(ply, back).current.piece_to;
        Features { side, keys: self[ply].keys, last: piece_to(1), earlier: [piece_to(2), piece_to(4)] }
    }

    /// Enters the next ply by a legal move on this board.
    #[inline(always)]
    pub(super) fn push(&mut self, ply: usize, board: &Board, current: NodeMove) {
        let mut keys = self[ply].keys;
        if let Some(piece) = board.piece_on(current.mv.from()) {
            keys.shift(piece, current.mv);
        }
        if let Some(victim) = board.piece_on(current.mv.to()) {
            keys.toggle(victim, current.mv.to());
        }
        self[ply].current = current;
        self[ply + 1].keys = keys;
    }

    /// Enters the next ply by a null move.
    pub(super) fn push_null(&mut self, ply: usize) {
        self[ply].current = NodeMove::NONE;
        self[ply + 1].keys = self[ply].keys;
    }

    /// The principal variation from this ply on.
    #[inline(always)]
    pub(super) fn line(&mut self, ply: usize) -> &mut Line {
        &mut self.lines[ply]
    }

    /// Puts a move before the line of the next ply: the line of this ply.
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

/// The window of a node, and what the rules of repetition allow its score to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// The least score: a side that can hold a draw by repeating loses nothing.
    least: i32,
    /// The greatest score: a side that is about to lose by repeating gains nothing.
    most: i32,
}

impl Window {
    /// A window that no rule has narrowed yet.
    #[inline(always)]
    pub(super) fn new(alpha: i32, beta: i32) -> Window {
        Window { alpha, beta, least: -INFINITE, most: INFINITE }
    }

    /// Narrows the window to scores of at least a draw. No score is left when beta is less.
    #[inline(always)]
    pub(super) fn at_least_draw(&mut self) {
        self.least = DRAW;
        self.alpha = self.alpha.max(DRAW);
    }

    /// Narrows the window to scores of at most a draw. No score is left when alpha is greater.
    #[inline(always)]
    pub(super) fn at_most_draw(&mut self) {
        self.most = DRAW;
        self.beta = self.beta.min(DRAW);
    }

    /// Whether the rules of repetition narrowed it, so that the score holds only on this path.
    #[inline(always)]
    pub(super) fn is_path_dependent(&self) -> bool {
        self.least == DRAW || self.most == DRAW
    }

    /// The score as the rules allow it. A fail-soft score beyond them must not reach the parent, which would store it.
    #[inline(always)]
    pub(super) fn allowed(&self, score: i32) -> i32 {
        score.clamp(self.least, self.most)
    }
}

/// What is known about a node while it is searched, in quiescence too.
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Plies to search; the steps change it.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether a cutoff is expected.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// Whether the score holds only on this path.
    pub(super) path_dependent: bool,
    /// Key in the table.
    pub(super) key: u64,
    /// What the table knows.
    pub(super) entry: TableEntry,
    /// Whether it knows anything.
    pub(super) is_known: bool,
    pub(super) hash_move_is_capture: bool,
    /// Correction of the evaluation, centipawns.
    pub(super) correction: i32,
    /// Evaluation without correction; [`UNKNOWN`] in check.
    pub(super) raw: i32,
    /// The best estimate of the score: the evaluation, or the table's score where that says more.
    pub(super) estimate: i32,
    /// Whether the side to move stands better than at its last turn.
    pub(super) improving: bool,
    /// Moves searched or pruned so far.
    pub(super) move_count: i32,
    /// The best score so far.
    pub(super) best: i32,
    /// The move that raised alpha last.
    pub(super) best_move: Move,
    /// Of the best score, see [`Run::repetition_ply`](super::searcher::Run::repetition_ply).
    pub(super) repetition_ply: i32,
}

impl Node {
    /// A node of which no more is known than the table knows.
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
