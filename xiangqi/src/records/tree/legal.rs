//! Extraction of the legal part of a tree read from a file.

use super::{MAX_PLIES, NodeId, Record};
use crate::board::Board;
use crate::notation::{self, System};
use crate::records::warning::{Count, Warning, moves_after, warning};
use crate::types::{Color, Move};

impl Record {
    /// Counts moves of the file that are dropped.
    pub(in crate::records) fn leave_out(&mut self, moves: usize) {
        self.left_out += moves;
    }

    /// Whether all moves are legal, and no line is longer than readers accept.
    pub(in crate::records) fn is_legal(&self) -> bool {
        if self.next(self.root()).is_none() {
            return true;
        }
        let Ok(position) = self.start.position() else { return false };
        // The boards of the line to the move at hand.
        let mut line = vec![*position.board()];
        self.walk().skip(1).all(|(depth, id)| {
            line.truncate(depth);
            match (line.last(), self.mv(id)) {
                (Some(board), Some(mv)) if depth <= MAX_PLIES && board.is_legal(mv) => {
                    let next = board.after(mv);
                    line.push(next);
                    true
                }
                _ => false,
            }
        })
    }

    /// A copy without illegal moves. Each is dropped with its subtree and reported in a warning.
    pub(in crate::records) fn legal_part(mut self) -> Record {
        let mut legal = Record::new(self.start.clone());
        legal.tags = std::mem::take(&mut self.tags);
        legal.result = self.result;
        legal.comment_bytes = self.comment_bytes;
        legal.warnings = std::mem::take(&mut self.warnings);
        legal.more_warnings = self.more_warnings;
        legal.main_line_fault = self.main_line_fault.take();
        legal.nodes[0].comment = std::mem::take(&mut self.nodes[0].comment);
        let board = match self.start.position() {
            Ok(position) => *position.board(),
            Err(error) => {
                legal.left_out = self.moves_in_tree();
                if self.moves_in_tree() > 0 {
                    // Without the comment on the game, which is kept.
                    let (moves, notes) = (Count(self.moves_in_tree(), "move"), self.comments());
                    legal.warn(match notes {
                        0 => warning!(
                            "{0} left out, since the start position is invalid: {1}",
                            "略去着法{0}着，因为起始局面无效：{1}",
                            moves,
                            error
                        ),
                        _ => warning!(
                            "{0} left out with {2}, since the start position is invalid: {1}",
                            "略去着法{0}着及注释{2}条，因为起始局面无效：{1}",
                            moves,
                            error,
                            Count(notes, "comment")
                        ),
                    });
                }
                return legal;
            }
        };
        let first = self.start.fullmove as usize * 2 + (self.start.side == Color::Black) as usize;
        let mut path: Vec<(Board, NodeId)> = vec![(board, legal.root())];
        let mut next = self.walk().nth(1);
        // The node after which the main line of the file is broken.
        let mut broken = None;
        while let Some((depth, id)) = next {
            path.truncate(depth);
            let Some(&(board, parent)) = path.last() else { break };
            let mv = self.node(id).mv;
            if mv.is_none() || !board.is_legal(mv) || depth > MAX_PLIES {
                next = self.after_subtree(depth, id);
                let lost = || self.walk_from((depth, id)).take_while(|&at| Some(at) != next);
                let following = lost().count() - 1;
                let comments = lost().filter(|&(_, id)| !self.comment(id).is_empty()).count();
                let refusal = refusal(&board, mv, depth, (first + depth - 1) / 2, following, comments);
                // The walk starts with the main line, so this is its next move if all nodes so far were on it and legal.
                if legal.left_out == 0 && legal.moves_in_tree() + 1 == depth {
                    legal.break_main_line(refusal);
                    broken = Some(parent);
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
        if let Some(mv) = broken.and_then(|parent| legal.next(parent)).and_then(|id| legal.mv(id)) {
            legal.warn(warning!(
                "the variation that begins with {0} takes the place of the main line",
                "以{0}开始的变着代替了主变",
                mv
            ));
        }
        legal
    }
}

fn refusal(board: &Board, mv: Move, ply: usize, round: usize, following: usize, comments: usize) -> Warning {
    let side = board.side_to_move();
    let what = if ply > MAX_PLIES {
        warning!("ply {0}: a line has more than {1} plies", "第{0}着：一条线超过{1}着", ply, MAX_PLIES)
    } else if mv.is_none() {
        warning!(
            "round {0} {1}, ply {2}: the move has a point off the board",
            "第{0}回合{1}（第{2}着）：着法的点在棋盘之外",
            round,
            side,
            ply
        )
    } else {
        let reason = match notation::read(System::Uci, board, &mv.to_string()) {
            Err(error) => warning!(" ({0})", "（{0}）", error),
            Ok(_) => warning!("", ""),
        };
        warning!(
            "round {0} {1}, ply {2}: {3} is not legal in {4}{5}",
            "第{0}回合{1}（第{2}着）：在{4}中{3}不合法{5}",
            round,
            side,
            ply,
            mv,
            board.to_fen(),
            reason
        )
    };
    let (moves, notes) = (moves_after(following), Count(comments, "comment"));
    what.and(match (following, comments) {
        (0, 0) => warning!(", left out", "，已略去"),
        (0, _) => warning!(", left out with {0}", "，连同注释{0}条略去", notes),
        (_, 0) => warning!(", left out with {0}", "，连同{0}略去", moves),
        _ => warning!(", left out with {0} and {1}", "，连同{0}及注释{1}条略去", moves, notes),
    })
}
