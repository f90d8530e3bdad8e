//! The numbering of the positions of a family, and moves between these numbers.
//!
//! The first side plays Red. Its king is on the left or central file; a position with the king on the right one is mirrored. A number
//! combines, from the slowest to the fastest index: the first side's king group (see
//! `king_groups`), the point of each attacker, the other side's king group.

use super::family::{Family, MAX_ATTACKERS};
use super::king_groups::{KingGroup, KingGroups, NONE};
use crate::board::{Board, Setup, SetupError, between, piece_moves, zone};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};
use arrayvec::ArrayVec;
use std::sync::OnceLock;

/// A position of a family without its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// The group of each side.
    pub(super) groups: [KingGroup; 2],
    /// The square of each attacker of the family; further entries are meaningless.
    pub(super) squares: [u8; MAX_ATTACKERS],
}

/// A legal move and its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// The position after it. If an attacker was captured, the family is another one, and the square of that attacker is meaningless.
    pub(super) placement: Placement,
    /// The index of the captured attacker.
    pub(super) taken: Option<usize>,
    /// The origin of the move.
    pub(super) from: u8,
    /// The destination of the move.
    pub(super) to: u8,
    /// Whether it is a capture.
    pub(super) captures: bool,
}

/// The numbering of a family.
pub(super) struct Layout {
    family: Family,
    groups: &'static KingGroups,
    /// Kind, side and piece of each attacker.
    pub(super) attackers: ArrayVec<(PieceType, usize, Piece), MAX_ATTACKERS>,
    /// The groups that a side can have in the family, and their numbers in it.
    local: [Vec<KingGroup>; 2],
    global: [Vec<KingGroup>; 2],
    /// The numbers of the other side's groups by how many advisors and elephants these have.
    by_defenders: Vec<Vec<KingGroup>>,
    /// The squares of each attacker, and their numbers.
    zone: ArrayVec<Vec<u8>, MAX_ATTACKERS>,
    rank: ArrayVec<[u8; 90], MAX_ATTACKERS>,
    positions: usize,
}

/// Advisors and elephants that a side can have.
const MAX_DEFENDERS: usize = 4;

/// Geometry used by the moves, in addition to that of the board.
struct Geometry {
    /// Points strictly between two points.
    between: Vec<[u128; 90]>,
    /// Origins and legs of horses that can go to a point.
    horse_origins: Vec<ArrayVec<(u8, u8), 8>>,
    /// Origins of pawns, by colour.
    pawn_origins: [Vec<ArrayVec<u8, 3>>; 2],
    /// The points in each direction, the nearest first.
    rays: Vec<[ArrayVec<u8, 9>; 4]>,
}

impl Geometry {
    fn get() -> &'static Geometry {
        static GEOMETRY: OnceLock<Geometry> = OnceLock::new();
        GEOMETRY.get_or_init(|| Geometry {
            between: Square::all().map(|from| std::array::from_fn(|to| between(from, Square::from_index(to)).bits())).collect(),
            horse_origins: Square::all()
                .map(|to| {
                    let steps = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
                    let origin = |(files, ranks): (i32, i32)| {
                        let from = to.offset(-files, -ranks)?;
                        let leg = if files.abs() == 2 { from.offset(files / 2, 0) } else { from.offset(0, ranks / 2) }?;
                        Some((from.index() as u8, leg.index() as u8))
                    };
                    steps.into_iter().filter_map(origin).collect()
                })
                .collect(),
            pawn_origins: Color::ALL.map(|color| {
                let pawn = Piece::new(color, PieceType::Pawn);
                let goes = |from: Square, to| piece_moves(pawn, from, Bitboard::EMPTY).has(to);
                let origins = |to| zone(pawn).into_iter().filter(|&from| goes(from, to)).map(|from| from.index() as u8).collect();
                Square::all().map(origins).collect()
            }),
            rays: Square::all()
                .map(|from| {
                    [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(files, ranks)| {
                        let along = (1..10).map_while(|steps| from.offset(files * steps, ranks * steps));
                        along.map(|square| square.index() as u8).collect()
                    })
                })
                .collect(),
        })
    }
}

fn bit(square: u8) -> u128 {
    1 << square
}

/// The squares of a set.
fn squares(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (lowest < 90).then_some(lowest)
    })
}

impl Layout {
    /// The numbering of a family.
    pub(super) fn new(family: &Family) -> Layout {
        let groups = KingGroups::get();
        let global = [0, 1].map(|side| {
            let end = if side == 0 { groups.half() } else { groups.count() };
            let covers = |&id: &KingGroup| {
                let (advisors, elephants) = groups.defenders(id);
                family.sides()[side].defenders.covers(advisors, elephants)
            };
            (0..end as KingGroup).filter(covers).collect::<Vec<_>>()
        });
        let local = global.each_ref().map(|global| {
            let mut local = vec![NONE; groups.count()];
            for (number, &id) in global.iter().enumerate() {
                local[id as usize] = number as KingGroup;
            }
            local
        });
        let attackers: ArrayVec<_, MAX_ATTACKERS> =
            family.attackers().iter().map(|&(kind, side)| (kind, side, Piece::new(Color::ALL[side], kind))).collect();
        let zones: ArrayVec<Vec<u8>, MAX_ATTACKERS> =
            attackers.iter().map(|&(_, _, piece)| zone(piece).into_iter().map(|square| square.index() as u8).collect()).collect();
        let rank = zones.iter().map(|zone| {
            let mut rank = [u8::MAX; 90];
            zone.iter().enumerate().for_each(|(number, &square)| rank[square as usize] = number as u8);
            rank
        });
        // A number that does not fit into `usize` is more than can be solved.
        let positions = global.iter().map(Vec::len).chain(zones.iter().map(Vec::len)).fold(1, usize::saturating_mul);
        let mut by_defenders = vec![Vec::new(); MAX_DEFENDERS + 1];
        for (number, &id) in global[1].iter().enumerate() {
            by_defenders[groups.defenders_together(id)].push(number as KingGroup);
        }
        let rank = rank.collect();
        Layout { family: family.clone(), groups, attackers, local, global, by_defenders, rank, zone: zones, positions }
    }

    /// The family.
    pub(super) fn family(&self) -> &Family {
        &self.family
    }

    /// Numbers of positions with either side to move.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Numbers that differ only in the other side's group.
    pub(super) fn row(&self) -> usize {
        self.global[1].len()
    }

    /// Number of rows of numbers.
    pub(super) fn rows(&self) -> usize {
        self.positions / self.row()
    }

    /// The maximum number of advisors and elephants of both sides together.
    pub(super) fn max_defenders(&self) -> usize {
        let most = |side: usize| self.global[side].iter().map(|&id| self.groups.defenders_together(id)).max();
        most(0).unwrap_or(0) + most(1).unwrap_or(0)
    }

    /// The numbers of a row with this many advisors and elephants of both sides together.
    pub(super) fn numbers_with(&self, row: usize, defenders: usize) -> impl Iterator<Item = usize> {
        let first = self.global[0][row / (self.rows() / self.global[0].len())];
        let others =
            defenders.checked_sub(self.groups.defenders_together(first)).and_then(|others| self.by_defenders.get(others));
        others.into_iter().flatten().map(move |&other| row * self.row() + other as usize)
    }

    /// The placement with this number; numbers with several pieces on one point exist too.
    pub(super) fn placement(&self, number: usize) -> Placement {
        let row = self.global[1].len();
        let mut rest = number / row;
        let mut squares = [0; MAX_ATTACKERS];
        for at in (0..self.zone.len()).rev() {
            let zone = &self.zone[at];
            squares[at] = zone[rest % zone.len()];
            rest /= zone.len();
        }
        Placement { groups: [self.global[0][rest], self.global[1][number % row]], squares }
    }

    /// The number of a placement, mirrored if necessary. `None` if it does not belong to the family.
    #[inline]
    pub(super) fn number(&self, placement: &Placement) -> Option<usize> {
        let mut placement = *placement;
        if placement.groups[0] as usize >= self.groups.half() {
            placement = self.mirrored(&placement);
        }
        self.sort(&mut placement);
        let first = self.local[0][placement.groups[0] as usize];
        let last = self.local[1][placement.groups[1] as usize];
        if first == NONE || last == NONE {
            return None;
        }
        let mut number = first as usize;
        for at in 0..self.zone.len() {
            let rank = self.rank[at][placement.squares[at] as usize];
            if rank == u8::MAX {
                return None;
            }
            number = number * self.zone[at].len() + rank as usize;
        }
        Some(number * self.global[1].len() + last as usize)
    }

    fn mirrored(&self, placement: &Placement) -> Placement {
        let mut squares = placement.squares;
        squares[..self.zone.len()]
            .iter_mut()
            .for_each(|square| *square = Square::from_index(*square as usize).mirrored().index() as u8);
        Placement { groups: placement.groups.map(|id| self.groups.mirrored(id)), squares }
    }

    /// Sorts equal attackers by their squares, since they are interchangeable.
    #[inline]
    fn sort(&self, placement: &mut Placement) {
        for end in (1..self.attackers.len()).rev() {
            for at in 0..end {
                if self.attackers[at].2 == self.attackers[at + 1].2 && placement.squares[at] > placement.squares[at + 1] {
                    placement.squares.swap(at, at + 1);
                }
            }
        }
    }

    /// All occupied points, or `None` if two pieces share a point or equal attackers are not sorted.
    fn occupied_apart(&self, placement: &Placement) -> Option<u128> {
        let mut occupied = self.groups.occupied(0, placement.groups[0]) | self.groups.occupied(1, placement.groups[1]);
        for at in 0..self.attackers.len() {
            let bit = bit(placement.squares[at]);
            let is_swapped =
                at > 0 && self.attackers[at].2 == self.attackers[at - 1].2 && placement.squares[at - 1] > placement.squares[at];
            if occupied & bit != 0 || is_swapped {
                return None;
            }
            occupied |= bit;
        }
        Some(occupied)
    }

    fn occupied(&self, placement: &Placement) -> u128 {
        let groups = self.groups.occupied(0, placement.groups[0]) | self.groups.occupied(1, placement.groups[1]);
        (0..self.attackers.len()).fold(groups, |occupied, at| occupied | bit(placement.squares[at]))
    }

    /// The attacker on a square.
    fn attacker_on(&self, placement: &Placement, square: u8) -> Option<usize> {
        (0..self.attackers.len()).find(|&at| placement.squares[at] == square)
    }

    /// Whether a side's king is attacked, or faces the other king. One attacker may be excluded.
    #[inline]
    fn is_attacked(&self, placement: &Placement, side: usize, occupied: u128, without: Option<usize>) -> bool {
        let geometry = Geometry::get();
        let king = self.groups.king(side, placement.groups[side]);
        let other = self.groups.king(1 - side, placement.groups[1 - side]);
        let lines = &geometry.between[king];
        if king % 9 == other % 9 && lines[other] & occupied == 0 {
            return true;
        }
        (0..self.attackers.len()).any(|at| {
            let (kind, owner, _) = self.attackers[at];
            if owner == side || without == Some(at) {
                return false;
            }
            let square = placement.squares[at] as usize;
            let is_in_line = square % 9 == king % 9 || square / 9 == king / 9;
            match kind {
                PieceType::Rook => is_in_line && lines[square] & occupied == 0,
                PieceType::Cannon => is_in_line && (lines[square] & occupied).count_ones() == 1,
                PieceType::Horse => {
                    geometry.horse_origins[king].iter().any(|&(from, leg)| from as usize == square && occupied & bit(leg) == 0)
                }
                _ => geometry.pawn_origins[owner][king].contains(&(square as u8)),
            }
        })
    }

    /// Whether a placement is a possible position with this side to move.
    pub(super) fn is_legal(&self, placement: &Placement, side: usize) -> bool {
        self.occupied_apart(placement).is_some_and(|occupied| !self.is_attacked(placement, 1 - side, occupied, None))
    }

    /// Whether a side's king is attacked.
    pub(super) fn is_in_check(&self, placement: &Placement, side: usize) -> bool {
        self.is_attacked(placement, side, self.occupied(placement), None)
    }

    /// Whether a piece of a side, except its king and pawns, could move to a square that an enemy occupies.
    pub(super) fn threatens(&self, placement: &Placement, side: usize, square: u8) -> bool {
        let occupied = self.occupied(placement);
        let king = self.groups.king(side, placement.groups[side]) as u8;
        let mut moves = self.groups.moves(side, placement.groups[side]).iter();
        moves.any(|mv| mv.to == square && mv.from != king && mv.eye & occupied == 0)
            || self.attackers.iter().enumerate().any(|(at, &(kind, owner, piece))| {
                owner == side && kind != PieceType::Pawn && {
                    let from = Square::from_index(placement.squares[at] as usize);
                    piece_moves(piece, from, Bitboard::from_bits(occupied)).has(Square::from_index(square as usize))
                }
            })
    }

    /// Whether advisors or elephants of a side can ever reach a square.
    pub(super) fn is_in_reach(&self, side: usize, square: u8) -> bool {
        self.groups.is_point(side, square as usize)
    }

    /// The board of a placement; an error where it is not legal.
    pub(super) fn board(&self, placement: &Placement, side: usize) -> Result<Board, SetupError> {
        let mut setup = Setup::empty();
        setup.side = Color::ALL[side];
        for (piece, square) in self.pieces(placement) {
            setup.put(square, Some(piece));
        }
        setup.board()
    }

    /// Visits the legal moves of a side, with the captured pieces. Stops when `take` returns true, and returns whether it did.
    #[inline]
    pub(super) fn any_next(&self, placement: &Placement, side: usize, take: impl FnMut(Next) -> bool) -> bool {
        self.any_next_to(placement, side, u128::MAX, take)
    }

    /// As [`Layout::any_next`], restricted to captures of attackers.
    #[inline]
    pub(super) fn any_capture_of_attacker(&self, placement: &Placement, side: usize, take: impl FnMut(Next) -> bool) -> bool {
        let enemies = (0..self.attackers.len()).filter(|&at| self.attackers[at].1 != side);
        let targets = enemies.fold(0, |set, at| set | bit(placement.squares[at]));
        targets != 0 && self.any_next_to(placement, side, targets, take)
    }

    /// As [`Layout::any_next`], restricted to moves that end on one of these squares.
    #[inline]
    fn any_next_to(&self, placement: &Placement, side: usize, wanted: u128, mut take: impl FnMut(Next) -> bool) -> bool {
        let occupied = self.occupied(placement);
        let enemy = self.groups.occupied(1 - side, placement.groups[1 - side]);
        let enemy_king = self.groups.king(1 - side, placement.groups[1 - side]) as u8;
        let own = self.groups.occupied(side, placement.groups[side]);
        let own_attackers = (0..self.attackers.len())
            .filter(|&at| self.attackers[at].1 == side)
            .fold(0, |set, at| set | bit(placement.squares[at]));
        let own = own | own_attackers;
        let before = occupied;
        let mut legal = |next: Placement, from: u8, to: u8, taken: Option<usize>| {
            let occupied = before & !bit(from) | bit(to);
            if self.is_attacked(&next, side, occupied, taken) {
                return false;
            }
            take(Next { placement: next, taken, from, to, captures: before & bit(to) != 0 })
        };
        for mv in self.groups.moves(side, placement.groups[side]) {
            if own_attackers & bit(mv.to) != 0 || mv.eye & occupied != 0 || wanted & bit(mv.to) == 0 {
                continue;
            }
            let mut next = *placement;
            next.groups[side] = mv.next;
            let taken = if occupied & bit(mv.to) != 0 { self.attacker_on(placement, mv.to) } else { None };
            if legal(next, mv.from, mv.to, taken) {
                return true;
            }
        }
        for (at, &(_, owner, piece)) in self.attackers.iter().enumerate() {
            if owner != side {
                continue;
            }
            let from = placement.squares[at];
            let targets =
                piece_moves(piece, Square::from_index(from as usize), Bitboard::from_bits(occupied)).bits() & !own & wanted;
            for to in squares(targets) {
                let mut next = *placement;
                next.squares[at] = to;
                let mut taken = None;
                if enemy & bit(to) != 0 {
                    // In no legal position can the king be captured.
                    if to == enemy_king {
                        continue;
                    }
                    next.groups[1 - side] = self.groups.without(1 - side, placement.groups[1 - side], to as usize);
                } else if occupied & bit(to) != 0 {
                    taken = self.attacker_on(placement, to);
                }
                if legal(next, from, to, taken) {
                    return true;
                }
            }
        }
        false
    }

    /// The placements of the family from which a move of `side` leads to this one, and whether it is a capture. Some of them are not legal.
    pub(super) fn for_each_before(&self, placement: &Placement, side: usize, mut take: impl FnMut(Placement, bool)) {
        let geometry = Geometry::get();
        let occupied = self.occupied(placement);
        for mv in self.groups.moves(side, placement.groups[side]) {
            // Backwards from the piece's square: the same points and the same eye.
            if (bit(mv.to) | mv.eye) & occupied == 0 {
                let mut before = *placement;
                before.groups[side] = mv.next;
                take(before, false);
                // With the first king on the central file a position and its mirror image have different numbers, and both lead here.
                if side == 0 && self.is_central(&before) && !self.is_central(placement) {
                    take(self.mirrored(&before), false);
                }
            }
        }
        let enemy = placement.groups[1 - side];
        for (at, &(kind, owner, _)) in self.attackers.iter().enumerate() {
            if owner != side {
                continue;
            }
            let to = placement.squares[at];
            // The piece that may have been captured here: an advisor or an elephant.
            let taken = self.groups.with(1 - side, enemy, to as usize);
            let taken = (taken != NONE && self.is_in_family(1 - side, taken)).then_some(taken);
            let mut came = |from: u8, as_capture: bool, as_step: bool| {
                let mut before = *placement;
                before.squares[at] = from;
                if as_step {
                    take(before, false);
                }
                if let Some(taken) = taken.filter(|_| as_capture) {
                    before.groups[1 - side] = taken;
                    take(before, true);
                }
            };
            match kind {
                PieceType::Rook | PieceType::Cannon => {
                    let captures_behind = (kind == PieceType::Cannon) as u32;
                    for ray in &geometry.rays[to as usize] {
                        let mut screens = 0;
                        for &from in ray {
                            if occupied & bit(from) != 0 {
                                screens += 1;
                                if screens > captures_behind {
                                    break;
                                }
                            } else {
                                came(from, screens == captures_behind, screens == 0);
                            }
                        }
                    }
                }
                PieceType::Horse => {
                    for &(from, leg) in &geometry.horse_origins[to as usize] {
                        if occupied & (bit(from) | bit(leg)) == 0 {
                            came(from, true, true);
                        }
                    }
                }
                _ => {
                    for &from in &geometry.pawn_origins[side][to as usize] {
                        if occupied & bit(from) == 0 {
                            came(from, true, true);
                        }
                    }
                }
            }
        }
    }

    /// Whether the family contains a group of a side, mirrored if necessary.
    fn is_in_family(&self, side: usize, id: KingGroup) -> bool {
        let mirrored = self.groups.mirrored(id);
        self.local[side][id as usize] != NONE || self.local[side][mirrored as usize] != NONE
    }

    /// The placement in a family with one attacker fewer, and whether the sides are exchanged there.
    pub(super) fn without_attacker(&self, placement: &Placement, taken: usize, smaller: &Layout) -> Option<(Placement, bool)> {
        let rest = (0..self.attackers.len()).filter(|&at| at != taken).map(|at| (self.attackers[at].2, placement.squares[at]));
        smaller.placement_of(placement.groups, rest)
    }

    /// The placement with these groups and attackers, and whether the sides are exchanged.
    fn placement_of(
        &self,
        groups: [KingGroup; 2],
        attackers: impl Iterator<Item = (Piece, u8)> + Clone,
    ) -> Option<(Placement, bool)> {
        for exchanged in [false, true] {
            let mut placement = Placement { groups, squares: [0; MAX_ATTACKERS] };
            if exchanged {
                placement.groups.swap(0, 1);
            }
            let known = |side: usize| self.is_in_family(side, placement.groups[side]);
            if !known(0) || !known(1) {
                continue;
            }
            let mut filled = 0u8;
            let fits = attackers.clone().all(|(piece, square)| {
                let (piece, square) = if exchanged {
                    (piece.recolored(), Square::from_index(square as usize).flipped().index() as u8)
                } else {
                    (piece, square)
                };
                let at = (0..self.attackers.len()).find(|&at| filled >> at & 1 == 0 && self.attackers[at].2 == piece);
                let Some(at) = at else { return false };
                filled |= 1 << at;
                placement.squares[at] = square;
                true
            });
            if fits && filled.count_ones() as usize == self.attackers.len() {
                return Some((placement, exchanged));
            }
        }
        None
    }

    /// The placement of a board, and the side to move: 0 for the family's first side. `None` if the material is different.
    pub(super) fn of_board(&self, board: &Board) -> Option<(Placement, usize)> {
        let is_attacker =
            |piece: Piece| matches!(piece.kind(), PieceType::Rook | PieceType::Horse | PieceType::Cannon | PieceType::Pawn);
        let groups = Color::ALL.map(|color| {
            let defends =
                |&(piece, _): &(Piece, Square)| piece.color() == color && !is_attacker(piece) && piece.kind() != PieceType::King;
            self.groups.find(color.index(), board.king(color), board.pieces().filter(defends).map(|(_, square)| square))
        });
        let [Some(red), Some(black)] = groups else { return None };
        let attackers: ArrayVec<(Piece, u8), MAX_ATTACKERS> = board
            .pieces()
            .filter(|&(piece, _)| is_attacker(piece))
            .map(|(piece, square)| (piece, square.index() as u8))
            .take(MAX_ATTACKERS)
            .collect();
        let (placement, exchanged) = self.placement_of([red, black], attackers.iter().copied())?;
        Some((placement, board.side_to_move().index() ^ exchanged as usize))
    }

    /// The pieces of a placement.
    pub(super) fn pieces(&self, placement: &Placement) -> impl Iterator<Item = (Piece, Square)> {
        let of_side = move |side: usize, id: KingGroup| {
            let color = Color::ALL[side];
            let king = self.groups.king(side, id) as u8;
            squares(self.groups.occupied(side, id)).map(move |square| {
                let at = Square::from_index(square as usize);
                let kind = [PieceType::Advisor, PieceType::Elephant]
                    .into_iter()
                    .find(|&kind| square != king && zone(Piece::new(color, kind)).has(at))
                    .unwrap_or(PieceType::King);
                (Piece::new(color, kind), at)
            })
        };
        let [first, second] = placement.groups;
        let squares = placement.squares;
        let attackers =
            self.attackers.iter().enumerate().map(move |(at, &(_, _, piece))| (piece, Square::from_index(squares[at] as usize)));
        of_side(0, first).chain(of_side(1, second)).chain(attackers)
    }

    /// Advisors and elephants of each side.
    pub(super) fn defenders(&self, placement: &Placement) -> [(u8, u8); 2] {
        placement.groups.map(|id| self.groups.defenders(id))
    }

    /// Whether the first side's king is on the central file.
    fn is_central(&self, placement: &Placement) -> bool {
        self.groups.king(0, placement.groups[0]) % 9 == 4
    }

    /// Number of positions of the board that a number represents: one if the first side's king is on the central file, else two.
    pub(super) fn weight(&self, placement: &Placement) -> u64 {
        if self.is_central(placement) { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    impl Layout {
        /// The legal moves of a side.
        fn nexts(&self, placement: &Placement, side: usize) -> Vec<Next> {
            let mut nexts = Vec::new();
            self.any_next(placement, side, |next| {
                nexts.push(next);
                false
            });
            nexts
        }
    }

    #[test]
    fn moves_are_those_of_the_board_and_can_be_taken_back() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        for name in ["R-D", "N-D", "P-D", "CAABB-D", "RN-D", "CC-D", "R-ND", "C-PD", "RNP-", "CD-"] {
            let layout = Layout::new(&name.parse().unwrap());
            let mut seen = 0;
            while seen < 2000 {
                let number = random.random_range(0..layout.positions());
                let placement = layout.placement(number);
                let side = random.random_range(0..2);
                let mut setup = Setup::empty();
                setup.side = Color::ALL[side];
                for (piece, square) in layout.pieces(&placement) {
                    setup.put(square, Some(piece));
                }
                let board = setup.board();
                let is_apart = layout.occupied_apart(&placement).is_some();
                assert_eq!(layout.is_legal(&placement, side), board.is_ok() && is_apart, "{name} {}", setup.to_board_fen());
                let Ok(board) = board else { continue };
                if !is_apart {
                    continue;
                }
                seen += 1;
                assert_eq!(layout.number(&placement), Some(number));
                let (found, mover) = layout.of_board(&board).unwrap();
                assert_eq!((layout.number(&found), mover), (Some(number), side), "{name} {}", board.to_fen());
                let mut ours = Vec::new();
                for next in layout.nexts(&placement, side) {
                    let next = next.placement;
                    ours.push(
                        layout.groups.occupied(0, next.groups[0])
                            | layout.groups.occupied(1, next.groups[1])
                            | (0..layout.attackers.len()).fold(0, |set, at| set | bit(next.squares[at])),
                    );
                }
                let mut theirs: Vec<u128> = board.legal_moves().iter().map(|&mv| board.after(mv).occupied().bits()).collect();
                ours.sort();
                theirs.sort();
                assert_eq!(ours, theirs, "{name} {}", board.to_fen());
                for next in layout.nexts(&placement, side) {
                    if next.taken.is_some() {
                        continue;
                    }
                    let next = next.placement;
                    let mut is_found = false;
                    let next = layout.placement(layout.number(&next).unwrap());
                    layout.for_each_before(&next, side, |before, _| is_found |= layout.number(&before) == Some(number));
                    assert!(is_found, "{name} {}", board.to_fen());
                }
                layout.for_each_before(&placement, 1 - side, |before, captures| {
                    if layout.number(&before).is_some() && layout.is_legal(&before, 1 - side) {
                        let leads = layout.nexts(&before, 1 - side).iter().any(|next| {
                            next.taken.is_none() && next.captures == captures && layout.number(&next.placement) == Some(number)
                        });
                        assert!(leads, "{name} {}", board.to_fen());
                    }
                });
            }
        }
    }
}
