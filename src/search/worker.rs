//! What one search thread owns: its position, its stack and its statistics. Floor 4.

use super::correction::{Correction, PartKeys, Place};
use super::history::{CONTINUATIONS, Contexts, History, PieceTo};
use super::limits::Settings;
use super::shared::Shared;
use super::table::Entry;
use crate::board::Position;
use crate::nnue::Accumulators;
use crate::rules::{GameResult, Outlook, Rules};
use crate::types::score::{DRAW, INFINITE, MAX_PLY, RULE_WIN, UNKNOWN, is_decided};
use crate::types::{Color, Move, Piece, PieceType};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Frames before the root, so that looking back needs no test.
const BEFORE_ROOT: usize = 7;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// What the search remembers of one ply of the line it is on.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move made here.
    pub(super) mv: Move,
    pub(super) piece_to: PieceTo,
    /// Whether the move made here is a capture.
    pub(super) is_capture: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Move,
    /// Corrected evaluation, [`UNKNOWN`] in check.
    pub(super) evaluation: i32,
    /// Whether the position is or was on a principal variation.
    pub(super) table_pv: bool,
    /// Reduction in 1024ths with which the move made here is searched.
    pub(super) reduction: i32,
    /// Moves tried here.
    pub(super) move_count: i32,
    /// Moves of the children that failed high.
    pub(super) cutoffs: i32,
    /// History of the move made here.
    pub(super) history: i32,
    keys: PartKeys,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            mv: Move::NONE,
            piece_to: PieceTo::NONE,
            is_capture: false,
            excluded: Move::NONE,
            evaluation: UNKNOWN,
            table_pv: false,
            reduction: 0,
            move_count: 0,
            cutoffs: 0,
            history: 0,
            keys: PartKeys::default(),
        }
    }
}

/// A move of the root and what was found out about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Score in the running iteration; `-INFINITE` when it is not the best.
    pub(crate) score: i32,
    /// Score of the last iteration.
    pub(crate) previous: i32,
    /// Running average of its scores, [`UNKNOWN`] at first.
    pub(crate) average: i32,
    /// Nodes spent on it.
    pub(crate) nodes: u64,
    pub(crate) selective_depth: usize,
    /// Random part of its score.
    pub(crate) noise: i32,
    /// The line that begins with it.
    pub(crate) line: Vec<Move>,
}

impl RootMove {
    /// The score as it is told: the last one known, without its random part.
    pub(crate) fn told_score(&self) -> i32 {
        let score = if self.score == -INFINITE { self.previous } else { self.score };
        if is_decided(score) { score } else { score - self.noise }
    }
}

/// One search thread.
pub(crate) struct Worker {
    /// 0 for the thread that reports.
    pub(crate) id: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) position: Position,
    pub(super) rules: Rules,
    pub(super) history: History,
    pub(super) correction: Correction,
    /// Follows the line for the network.
    accumulators: Accumulators,
    frames: Box<[Frame; BEFORE_ROOT + MAX_PLY + 2]>,
    pub(super) lines: Box<[Line; MAX_PLY + 2]>,
    pub(crate) root_moves: Vec<RootMove>,
    /// The best lines already found in this iteration.
    pub(super) line_index: usize,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    pub(super) root_depth: i32,
    /// No null moves before this ply: set while one is verified.
    pub(super) null_min_ply: usize,
    /// Nodes after which this thread stops all; only the first thread counts.
    pub(super) node_limit: u64,
    /// Nodes that the strength limit allows, also while the search waits for its release.
    pub(super) allowance: u64,
    pub(super) time: Option<super::time::TimeManager>,
    /// Limits of time wait for the release of the search.
    pub(super) is_waiting: bool,
    /// Set once this thread has seen the end of the search.
    pub(super) stopped: bool,
    /// Depth of the last finished iteration.
    pub(crate) completed_depth: i32,
    /// The first move of the best line that was told last.
    pub(crate) told: Option<Move>,
}

impl Worker {
    pub(crate) fn new(id: usize, shared: Arc<Shared>) -> Worker {
        Worker {
            id,
            shared,
            position: Position::startpos(),
            rules: Rules::default(),
            history: History::new(),
            correction: Correction::new(),
            accumulators: Accumulators::new(Arc::clone(crate::eval::embedded()), Position::startpos().board()),
            frames: Box::new([Frame::new(); BEFORE_ROOT + MAX_PLY + 2]),
            lines: Box::new([const { Line::new_const() }; MAX_PLY + 2]),
            root_moves: Vec::new(),
            line_index: 0,
            nodes: 0,
            selective_depth: 0,
            root_depth: 0,
            null_min_ply: 0,
            node_limit: u64::MAX,
            allowance: u64::MAX,
            time: None,
            is_waiting: false,
            stopped: false,
            completed_depth: 0,
            told: None,
        }
    }

    /// Uses another table.
    pub(crate) fn share(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Forgets everything learnt.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
    }

    /// Puts the thread at the root of a search.
    pub(super) fn set_root(&mut self, position: &Position, settings: &Settings, root_moves: &[RootMove]) {
        self.position.clone_from(position);
        self.rules = settings.rules;
        self.root_moves = root_moves.to_vec();
        self.history.new_search();
        self.frames.fill(Frame::new());
        let board = position.board();
        if Arc::ptr_eq(self.accumulators.network(), &settings.network) {
            self.accumulators.reset(board);
        } else {
            self.accumulators = Accumulators::new(Arc::clone(&settings.network), board);
        }
        let root = &mut self.frames[BEFORE_ROOT];
        board.pieces().for_each(|(piece, square)| toggle(&mut root.keys, piece, square.index()));
        self.line_index = 0;
        self.nodes = 0;
        self.selective_depth = 0;
        self.null_min_ply = 0;
        self.node_limit = u64::MAX;
        self.allowance = u64::MAX;
        self.time = None;
        self.is_waiting = false;
        self.stopped = false;
        self.completed_depth = 0;
        self.told = None;
    }

    #[inline(always)]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + ply]
    }

    /// The frame so many plies before `ply`; an empty one before the root.
    #[inline(always)]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + ply - back]
    }

    /// The earlier moves that a move at this ply continues.
    #[inline]
    pub(super) fn contexts(&self, ply: usize) -> Contexts {
        CONTINUATIONS.map(|(back, _)| self.earlier(ply, back).piece_to)
    }

    #[inline]
    pub(super) fn pawn_key(&self, ply: usize) -> u64 {
        self.earlier(ply, 0).keys.pawns
    }

    /// Where the corrections of the evaluation at this ply are found.
    #[inline]
    pub(super) fn place(&self, ply: usize) -> Place {
        Place {
            side: self.position.side_to_move(),
            keys: self.earlier(ply, 0).keys,
            last: self.earlier(ply, 1).piece_to,
            earlier: [self.earlier(ply, 2).piece_to, self.earlier(ply, 4).piece_to],
        }
    }

    /// The evaluation without corrections.
    #[inline]
    pub(super) fn raw_evaluation(&mut self) -> i32 {
        let board = self.position.board();
        crate::eval::scaled(board, self.accumulators.evaluate(board))
    }

    /// The evaluation as the search uses it: it fades as the natural limit comes near, and is corrected by what was learnt.
    #[inline]
    pub(super) fn adjusted(&self, raw: i32, correction: i32) -> i32 {
        super::correction::corrected(crate::eval::faded(raw, self.position.clock(), self.rules.natural_limit), correction)
    }

    /// The key under which the table knows the present position. Near the natural limit positions with different counts are kept
    /// apart, and so are positions that have occurred before: their scores depend on how they were reached.
    #[inline]
    pub(super) fn table_key(&self) -> u64 {
        let key = self.position.board().key();
        let repeated = self.position.repeats() as u64;
        let limit = self.rules.natural_limit;
        let near = limit.saturating_sub(40);
        let bucket = if limit > 0 && self.position.clock() > near { 1 + (self.position.clock() - near) as u64 / 8 } else { 0 };
        key ^ (bucket | repeated << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// What the table knows of the present position, its move checked and its score counted from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let mut entry = self.shared.table.probe(key)?;
        entry.score = crate::types::score::from_table(entry.score, ply);
        if !entry.mv.is_none() && !self.position.board().is_legal(entry.mv) {
            entry.mv = Move::NONE;
        }
        Some(entry)
    }

    /// Makes a legal move at this ply.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, ply: usize) {
        let board = self.position.board();
        self.shared.table.prefetch(board.key_after(mv));
        let frame = &self.frames[BEFORE_ROOT + ply];
        let mut keys = frame.keys;
        let (piece_to, is_capture) = (PieceTo::of(board, mv), board.is_capture(mv));
        if let Some(piece) = board.piece_on(mv.from()) {
            toggle(&mut keys, piece, mv.from().index());
            toggle(&mut keys, piece, mv.to().index());
        }
        if let Some(victim) = board.piece_on(mv.to()) {
            toggle(&mut keys, victim, mv.to().index());
        }
        let frame = self.frame(ply);
        (frame.mv, frame.piece_to, frame.is_capture) = (mv, piece_to, is_capture);
        let next = self.frame(ply + 1);
        next.keys = keys;
        self.position.make(mv);
        self.accumulators.push(self.position.state());
        self.nodes += 1;
    }

    /// Passes.
    pub(super) fn make_null(&mut self, ply: usize) {
        let frame = self.frame(ply);
        (frame.mv, frame.piece_to, frame.is_capture) = (Move::NONE, PieceTo::NONE, false);
        let keys = frame.keys;
        self.frame(ply + 1).keys = keys;
        self.position.make_null();
        self.accumulators.push(self.position.state());
        self.nodes += 1;
    }

    /// Takes back a move or a null move.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.unmake();
        self.accumulators.pop();
    }

    /// What the rules say of the present position: a score that ends the line, or a bound that a side can hold by repeating.
    #[inline]
    pub(super) fn judge(&self, ply: usize) -> Judgement {
        match self.rules.outlook(&self.position, ply) {
            Outlook::Open => Judgement::Open,
            // Mate and stalemate on the board come before a draw by the clock or for want of attackers. Where a position
            // stands again there was a move.
            Outlook::Over(GameResult::Draw) if self.position.board().count_legal_moves() == 0 => Judgement::Open,
            Outlook::Over(GameResult::Draw) => Judgement::Over(self.draw()),
            Outlook::Over(GameResult::Loses(color)) => Judgement::Over(self.lost_by_rules(color, ply)),
            Outlook::GainsNothing(color) if color == self.position.side_to_move() => Judgement::AtMost(DRAW),
            Outlook::GainsNothing(_) => Judgement::AtLeast(DRAW),
        }
    }

    fn lost_by_rules(&self, loser: Color, ply: usize) -> i32 {
        let win = RULE_WIN - ply as i32;
        if loser == self.position.side_to_move() { -win } else { win }
    }

    /// The score of a draw, varied a little so that the search does not go blind among draws of all kinds.
    #[inline]
    pub(super) fn draw(&self) -> i32 {
        DRAW - 1 + (self.nodes & 2) as i32
    }

    /// Whether the search has to end, asked at every node.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        // The first nodes may touch fresh memory at each step and take long.
        let pause = if self.nodes < 4096 { 31 } else { 511 };
        if self.nodes & pause == 0 || self.nodes >= self.node_limit {
            self.shared.publish_nodes(self.id, self.nodes);
            if self.id == 0 {
                self.check_limits();
            }
        }
        // The first iteration is always finished: an answer needs a move and a score that mean something.
        self.stopped |= self.shared.signals.stopped() && (self.completed_depth > 0 || self.id != 0);
        self.stopped
    }

    fn check_limits(&mut self) {
        if self.is_waiting {
            match self.shared.signals.released() {
                Some(moment) => {
                    self.is_waiting = false;
                    self.time = self.time.map(|time| time.restarted(moment));
                }
                None => {
                    // To ponder must not make a weak player strong.
                    self.stopped |= self.completed_depth > 0 && self.shared.nodes() >= self.allowance;
                    return;
                }
            }
        }
        let over = self.time.is_some_and(|time| time.is_over());
        if self.completed_depth > 0 && (over || self.shared.nodes() >= self.node_limit) {
            self.shared.signals.stop();
        }
    }
}

/// What the rules say of a position in the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judgement {
    /// Nothing.
    Open,
    /// The game is over, or as good as over, with this score.
    Over(i32),
    /// The side to move is about to lose by repeating: all it can hope for is this.
    AtMost(i32),
    /// The other side is about to lose by repeating: this is sure.
    AtLeast(i32),
}

/// Adds a piece on a point to the part keys, or takes it out.
#[inline]
fn toggle(keys: &mut PartKeys, piece: Piece, square: usize) {
    // The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
    let mut hash = ((piece.index() * 90 + square + 1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^= hash >> 31;
    match piece.kind() {
        PieceType::Pawn => keys.pawns ^= hash,
        kind => {
            keys.others[piece.color().index()] ^= hash;
            if matches!(kind, PieceType::Horse | PieceType::Cannon | PieceType::King) {
                keys.minors ^= hash;
            }
        }
    }
}
