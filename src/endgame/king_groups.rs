//! King groups: the arrangements of a king with its advisors and elephants. There are at most 4 176, so that each has a number, and moves
//! between them are looked up. Points are Red's here; Black's groups are the same, turned top to bottom.

use crate::board::{piece_moves, zone};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};
use std::sync::OnceLock;

/// The number of a king group, from 0.
pub(super) type KingGroup = u16;

/// No group.
pub(super) const NONE: KingGroup = KingGroup::MAX;

/// Points of advisors and elephants, which no two of these kinds share.
const POINTS: usize = 12;

/// A move of a king, advisor or elephant to a point that its group leaves empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingGroupMove {
    /// The origin.
    pub(super) from: u8,
    /// The destination.
    pub(super) to: u8,
    /// The point that must be empty: an elephant's eye, otherwise none.
    pub(super) eye: u128,
    /// The group after it.
    pub(super) next: KingGroup,
}

/// All king groups, and tables of what follows from them.
pub(super) struct KingGroups {
    /// King's point and the points of the others, as a set of [`POINTS`], by number. Those with the king on the left or central file
    /// come first.
    shapes: Vec<(u8, u16)>,
    /// Number by king, 0 to 89, and set.
    numbers: Vec<KingGroup>,
    /// Groups whose king is not on the right file.
    half: usize,
    mirrored: Vec<KingGroup>,
    /// By colour and number.
    occupied: [Vec<u128>; 2],
    kings: [Vec<u8>; 2],
    /// Moves by colour, each group's from `first` on.
    moves: [Vec<KingGroupMove>; 2],
    first: Vec<u32>,
    /// The group without the piece on a point, by number and point.
    without: Vec<[KingGroup; POINTS]>,
    /// The group with an additional piece on a point.
    with: Vec<[KingGroup; POINTS]>,
    /// The number of a point of advisors and elephants, by colour and square; `POINTS` for others.
    point: [[u8; 90]; 2],
}

/// A square as seen by the other side.
fn turned(color: usize, square: Square) -> Square {
    if color == 0 { square } else { square.flipped() }
}

impl KingGroups {
    /// The table, computed at first use.
    pub(super) fn get() -> &'static KingGroups {
        static GROUPS: OnceLock<KingGroups> = OnceLock::new();
        GROUPS.get_or_init(KingGroups::new)
    }

    fn new() -> KingGroups {
        let piece = |kind| Piece::new(Color::Red, kind);
        let of = |kind| zone(piece(kind)).into_iter();
        let points: Vec<(PieceType, Square)> =
            [PieceType::Advisor, PieceType::Elephant].into_iter().flat_map(|kind| of(kind).map(move |at| (kind, at))).collect();
        debug_assert_eq!(points.len(), POINTS);
        let advisors: u16 = (0..POINTS).filter(|&at| points[at].0 == PieceType::Advisor).fold(0, |set, at| set | 1 << at);
        let is_possible = |king: Square, set: u16| {
            (set & advisors).count_ones() <= 2
                && (set & !advisors).count_ones() <= 2
                && (0..POINTS).all(|at| set >> at & 1 == 0 || points[at].1 != king)
        };
        let mut shapes = Vec::new();
        let mut half = 0;
        // File by file, so that mirroring can put every king on the left or central one.
        for file in [3, 4, 5] {
            for king in of(PieceType::King).filter(|king| king.file() == file) {
                let sets = (0..1 << POINTS).filter(|&set| is_possible(king, set));
                shapes.extend(sets.map(|set| (king.index() as u8, set)));
            }
            if file == 4 {
                half = shapes.len();
            }
        }
        let mut numbers = vec![NONE; 90 << POINTS];
        for (number, &(king, set)) in shapes.iter().enumerate() {
            numbers[(king as usize) << POINTS | set as usize] = number as KingGroup;
        }
        let mut point = [[POINTS as u8; 90]; 2];
        for (number, &(_, square)) in points.iter().enumerate() {
            for color in 0..2 {
                point[color][turned(color, square).index()] = number as u8;
            }
        }
        let mut groups = KingGroups {
            shapes,
            numbers,
            half,
            mirrored: Vec::new(),
            occupied: [Vec::new(), Vec::new()],
            kings: [Vec::new(), Vec::new()],
            moves: [Vec::new(), Vec::new()],
            first: Vec::new(),
            without: Vec::new(),
            with: Vec::new(),
            point,
        };
        groups.fill(&points);
        groups
    }

    /// Computes the tables that follow from the shapes.
    fn fill(&mut self, points: &[(PieceType, Square)]) {
        for &(king, set) in &self.shapes.clone() {
            let king = Square::from_index(king as usize);
            let here = |set: u16| (0..POINTS).filter(move |at| set >> at & 1 != 0);
            let occupied = here(set).fold(Bitboard::of(king), |occupied, at| occupied.with(points[at].1));
            let mirrored = here(set).fold(0, |mirrored, at| mirrored | self.bit(points[at].1.mirrored()));
            self.mirrored.push(self.number(king.mirrored(), mirrored));
            self.first.push(self.moves[0].len() as u32);
            self.without
                .push(std::array::from_fn(|at| if set >> at & 1 != 0 { self.number(king, set & !(1 << at)) } else { NONE }));
            self.with.push(std::array::from_fn(|at| if set >> at & 1 == 0 { self.number(king, set | 1 << at) } else { NONE }));
            let mut moves = Vec::new();
            let targets = |kind, from| piece_moves(Piece::new(Color::Red, kind), from, Bitboard::EMPTY) & !occupied;
            for to in targets(PieceType::King, king) {
                moves.push((king, to, None, self.number(to, set)));
            }
            for at in here(set) {
                let (kind, from) = points[at];
                for to in targets(kind, from) {
                    let middle = (from.index() + to.index()) / 2;
                    let eye = (kind == PieceType::Elephant).then(|| Square::from_index(middle));
                    moves.push((from, to, eye, self.number(king, set & !(1 << at) | self.bit(to))));
                }
            }
            for color in 0..2 {
                let square = |square: Square| turned(color, square).index();
                self.occupied[color].push(occupied.into_iter().fold(0, |set, at| set | 1 << square(at)));
                self.kings[color].push(square(king) as u8);
                self.moves[color].extend(moves.iter().map(|&(from, to, eye, next)| KingGroupMove {
                    from: square(from) as u8,
                    to: square(to) as u8,
                    eye: eye.map_or(0, |eye| 1 << square(eye)),
                    next,
                }));
            }
        }
        self.first.push(self.moves[0].len() as u32);
    }

    fn bit(&self, square: Square) -> u16 {
        1 << self.point[0][square.index()]
    }

    fn number(&self, king: Square, set: u16) -> KingGroup {
        self.numbers[king.index() << POINTS | set as usize]
    }

    /// Number of groups.
    pub(super) fn count(&self) -> usize {
        self.shapes.len()
    }

    /// Number of groups with the king on the left or central file; these come first.
    pub(super) fn half(&self) -> usize {
        self.half
    }

    /// The group of a side, 0 for Red, from the squares of its pieces. `None` if they cannot occur in a game.
    pub(super) fn find(&self, color: usize, king: Square, others: impl Iterator<Item = Square>) -> Option<KingGroup> {
        let mut set = 0;
        for square in others {
            let point = self.point[color][square.index()] as usize;
            if point == POINTS {
                return None;
            }
            set |= 1 << point;
        }
        Some(self.number(turned(color, king), set)).filter(|&number| number != NONE)
    }

    /// Advisors and elephants.
    pub(super) fn defenders(&self, id: KingGroup) -> (u8, u8) {
        let (_, set) = self.shapes[id as usize];
        // Advisors have the first five points.
        ((set & 0x1f).count_ones() as u8, (set >> 5).count_ones() as u8)
    }

    /// Advisors and elephants together.
    pub(super) fn defenders_together(&self, id: KingGroup) -> usize {
        let (advisors, elephants) = self.defenders(id);
        (advisors + elephants).into()
    }

    /// The group with left and right exchanged.
    pub(super) fn mirrored(&self, id: KingGroup) -> KingGroup {
        self.mirrored[id as usize]
    }

    /// The points on which the side's king, advisors and elephants stand.
    pub(super) fn occupied(&self, color: usize, id: KingGroup) -> u128 {
        self.occupied[color][id as usize]
    }

    /// The square of its king.
    pub(super) fn king(&self, color: usize, id: KingGroup) -> usize {
        self.kings[color][id as usize] as usize
    }

    /// The moves of king, advisors and elephants, regardless of whether other pieces occupy their destinations and eyes.
    pub(super) fn moves(&self, color: usize, id: KingGroup) -> &[KingGroupMove] {
        &self.moves[color][self.first[id as usize] as usize..self.first[id as usize + 1] as usize]
    }

    /// Whether an advisor or elephant of a side can stand on a square.
    pub(super) fn is_point(&self, color: usize, square: usize) -> bool {
        (self.point[color][square] as usize) < POINTS
    }

    /// The group without the advisor or elephant on a square; [`NONE`] if there is none.
    pub(super) fn without(&self, color: usize, id: KingGroup, square: usize) -> KingGroup {
        self.without[id as usize].get(self.point[color][square] as usize).copied().unwrap_or(NONE)
    }

    /// The group with an additional advisor or elephant on a square; [`NONE`] if none can be there.
    pub(super) fn with(&self, color: usize, id: KingGroup, square: usize) -> KingGroup {
        self.with[id as usize].get(self.point[color][square] as usize).copied().unwrap_or(NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_counted_and_mirrored() {
        let groups = KingGroups::get();
        // 9 kings, 16 sets of advisors and 29 of elephants, less those in which two pieces share a point.
        let shared_advisor = 5 * (1 + 4);
        let shared_elephant = 1 + 6;
        let kings_apart = (9 - 5 - 1) * 16 * 29 + 5 * (16 - shared_advisor / 5) * 29 + 16 * (29 - shared_elephant);
        assert_eq!(groups.count(), kings_apart);
        for id in 0..groups.count() as KingGroup {
            assert_eq!(groups.mirrored(groups.mirrored(id)), id);
            let (advisors, elephants) = groups.defenders(id);
            assert!(advisors <= 2 && elephants <= 2);
            for color in 0..2 {
                assert_eq!(groups.occupied(color, id).count_ones(), 1 + (advisors + elephants) as u32);
                for mv in groups.moves(color, id) {
                    let back = groups.moves(color, mv.next).iter().any(|back| back.next == id && back.to == mv.from);
                    assert!(back, "every move of these pieces can be taken back");
                }
            }
        }
    }
}
