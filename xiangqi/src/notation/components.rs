//! The four components that most systems share: which piece (two components), which way, how far or where to. Finding
//! them for a move, and finding the move for them.

use super::error::Unread;
use super::numbering::Numbering;
use super::tandem::{Standing, Tandems};
use crate::board::Board;
use crate::types::{Color, Move, Piece, PieceType, Square};
use arrayvec::ArrayVec;

/// The third component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// 進, `+`
    Advance,
    /// 退, `-`
    Retreat,
    /// 平, `=` or `.`
    Traverse,
}

/// A place in a tandem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// 前
    Front,
    /// 後
    Rear,
    /// 中
    Middle,
    /// Counted from the front, from 1.
    Number(u8),
    /// `++` of the beginner's system: in front of `P+`.
    Foremost,
    /// `--` of the beginner's system: behind `P-`.
    Rearmost,
    /// `a` to `e` of XiangQi Wizard: counted from 1 over all tandem pawns, from the mover's right to the left and on each file from
    /// the front.
    OverFiles(u8),
}

/// What the first two components say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// A kind and a file number: `C2`.
    OnFile(PieceType, u8),
    /// A kind and a place in a tandem: `+C`.
    Placed(PieceType, Place),
    /// A pawn by its place in the tandem of a file: `13`, `3+`.
    PawnOnFile(Place, u8),
}

/// How places in a tandem are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scheme {
    /// Front and rear are the ends.
    Ends,
    /// The beginner's system: with four or five pawns front and rear are the second from each end; piece and file name
    /// the middle one of three or five.
    Beginner,
}

/// A move text taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Components {
    pub(super) who: Who,
    pub(super) direction: Direction,
    /// Points moved along a file, or the number of the goal's file.
    pub(super) number: u8,
}

/// A move taken apart for writing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) piece: Piece,
    /// Number of the origin's file.
    pub(super) file: u8,
    pub(super) standing: Standing,
    pub(super) direction: Direction,
    /// As in [`Components`].
    pub(super) number: u8,
}

/// Whether the kind moves along lines, so that advances are counted in points.
#[inline]
fn is_linear(kind: PieceType) -> bool {
    matches!(kind, PieceType::King | PieceType::Rook | PieceType::Cannon | PieceType::Pawn)
}

/// Takes a move apart. None when there is no piece on its origin.
#[inline]
pub(super) fn parts(board: &Board, mv: Move, numbering: Numbering) -> Option<Parts> {
    let (from, to) = (mv.from(), mv.to());
    let piece = board.piece_on(from)?;
    let color = piece.color();
    let (direction, points) = way(color, from, to);
    let along_file = direction != Direction::Traverse && is_linear(piece.kind());
    Some(Parts {
        piece,
        file: numbering.number(color, from),
        standing: Tandems::of(board, piece, numbering).standing(from),
        direction,
        number: if along_file { points } else { numbering.number(color, to) },
    })
}

/// Which way a move goes, seen by the mover, and over how many ranks.
#[inline]
pub(super) fn way(color: Color, from: Square, to: Square) -> (Direction, u8) {
    let points = to.rank().abs_diff(from.rank());
    let direction = match (to.rank() > from.rank()) == (color == Color::Red) {
        _ if points == 0 => Direction::Traverse,
        true => Direction::Advance,
        false => Direction::Retreat,
    };
    (direction, points)
}

/// Finds the move that the components name.
#[inline]
pub(super) fn resolve(board: &Board, text: Components, numbering: Numbering, scheme: Scheme) -> Result<Move, Unread> {
    resolve_any(board, text.who, &[(text.direction, text.number)], numbering, scheme)
}

/// As [`resolve`], where several directions could be meant.
pub(super) fn resolve_any(
    board: &Board,
    who: Who,
    ways: &[(Direction, u8)],
    numbering: Numbering,
    scheme: Scheme,
) -> Result<Move, Unread> {
    let color = board.side_to_move();
    let kind = match who {
        Who::OnFile(kind, _) | Who::Placed(kind, _) => kind,
        Who::PawnOnFile(..) => PieceType::Pawn,
    };
    let piece = Piece::new(color, kind);
    let tandems = Tandems::of(board, piece, numbering);
    let origins = select(&tandems, color, who, numbering, scheme);
    if origins.is_empty() {
        return Err(Unread::NoSuchPiece(sought(color, who)));
    }
    let mut goals: ArrayVec<Move, 15> = ArrayVec::new();
    for &from in &origins {
        for &(direction, number) in ways {
            if let Some(to) = goal(piece, from, direction, number, numbering) {
                // Five pieces and three ways are the most.
                let _ = goals.try_push(Move::new(from, to));
            }
        }
    }
    match settle(board, &goals) {
        Err(Unread::CannotMoveSo(_)) => Err(Unread::CannotMoveSo(standing_on(piece, &origins))),
        Err(Unread::Ambiguous(moves)) => counted_over_files(&tandems, who, &moves).ok_or(Unread::Ambiguous(moves)),
        settled => settled,
    }
}

/// The move of the pawn that a number means when it continues from file to file, where counting on each file leaves several.
fn counted_over_files(tandems: &Tandems, who: Who, moves: &[Move]) -> Option<Move> {
    let Who::Placed(PieceType::Pawn, Place::Number(number)) = who else { return None };
    let on_files = moves.iter().filter(|mv| tandems.standing(mv.from()).index + 1 == number).count();
    let mut counted = moves.iter().filter(|mv| tandems.over_files(number) == Some(mv.from()));
    counted.next().copied().filter(|_| on_files > 1 && counted.next().is_none())
}

/// The one legal move among several; which must all be of pieces of the side to move.
pub(super) fn settle(board: &Board, candidates: &[Move]) -> Result<Move, Unread> {
    let mut legal = candidates.iter().copied().filter(|&mv| board.is_legal(mv));
    match (legal.next(), legal.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(first), Some(second)) => Err(Unread::Ambiguous([first, second].into_iter().chain(legal).collect())),
        (None, _) => match candidates.iter().find(|&&mv| can_go(board, mv)) {
            Some(&mv) => Err(Unread::LeavesKingInCheck(mv)),
            None => Err(Unread::CannotMoveSo(String::new())),
        },
    }
}

/// Whether the piece on the origin can go to the goal, its king's safety not asked.
pub(super) fn can_go(board: &Board, mv: Move) -> bool {
    let own = board.color(board.side_to_move());
    own.has(mv.from()) && !own.has(mv.to()) && board.moves_from(mv.from(), board.occupied()).has(mv.to())
}

/// The pieces that the first two components can mean. What the system itself writes so comes first and alone; only where
/// that is nothing do looser readings count.
#[inline]
fn select(tandems: &Tandems, color: Color, who: Who, numbering: Numbering, scheme: Scheme) -> ArrayVec<Square, 5> {
    let on_file = |file: u8| move |square: &Square| numbering.number(color, *square) == file;
    match who {
        Who::OnFile(_, file) => {
            let named = |square: &Square| {
                let standing = tandems.standing(*square);
                let beginners_middle = scheme == Scheme::Beginner && standing.sets == 1 && standing.count % 2 == 1;
                standing.is_alone() || beginners_middle && standing.index == standing.count / 2
            };
            let strict: ArrayVec<Square, 5> = tandems.all().filter(on_file(file)).filter(named).collect();
            if strict.is_empty() { tandems.all().filter(on_file(file)).collect() } else { strict }
        }
        // Where two files have tandems, some count on each file and some continue from the mover's right to the left. Each pawn that
        // can be meant counts: two legal moves are ambiguous.
        Who::Placed(PieceType::Pawn, place @ Place::Number(number)) if tandems.sets() >= 2 => {
            let counted = tandems.over_files(number);
            let is_meant = |square| counted == Some(square) || has_place(tandems.standing(square), place, scheme);
            tandems.all().filter(|&square| is_meant(square)).collect()
        }
        Who::Placed(_, Place::OverFiles(number)) => tandems.over_files(number).into_iter().collect(),
        Who::Placed(_, place) => tandems.all().filter(|&square| has_place(tandems.standing(square), place, scheme)).collect(),
        Who::PawnOnFile(place, file) => tandems
            .all()
            .filter(on_file(file))
            .filter(|&square| {
                let standing = tandems.standing(square);
                let scheme = if standing.sets == 1 { scheme } else { Scheme::Ends };
                has_place(standing, place, scheme)
            })
            .collect(),
    }
}

/// Whether a piece has a place in its tandem.
#[inline]
fn has_place(standing: Standing, place: Place, scheme: Scheme) -> bool {
    let (index, last) = (standing.index, standing.count - 1);
    // Front and rear leave room for `++` and `--` outside of them.
    let inset = (scheme == Scheme::Beginner && standing.count >= 4) as u8;
    standing.count >= 2
        && match place {
            Place::Front => index == inset,
            Place::Rear => index + inset == last,
            Place::Middle => index * 2 == last,
            Place::Number(number) | Place::OverFiles(number) => index + 1 == number,
            Place::Foremost => index == 0,
            Place::Rearmost => index == last,
        }
}

/// Where a piece would come by going so, whether or not it can.
#[inline]
fn goal(piece: Piece, from: Square, direction: Direction, number: u8, numbering: Numbering) -> Option<Square> {
    let color = piece.color();
    let forward = match (direction, color) {
        (Direction::Traverse, _) => 0,
        (Direction::Advance, Color::Red) | (Direction::Retreat, Color::Black) => 1,
        _ => -1,
    };
    let rank = from.rank() as i32;
    if is_linear(piece.kind()) {
        let to = match direction {
            Direction::Traverse => numbering.point(color, number, rank),
            _ => from.offset(0, forward * number as i32),
        };
        return to.filter(|&to| to != from);
    }
    if forward == 0 {
        return None;
    }
    // Ranks and files crossed. In the old manual the rank decides how the goal's file is numbered, so both ways of a horse
    // are tried; their numbers never coincide, since one is even where the other is odd.
    let steps: &[(i32, u8)] = match piece.kind() {
        PieceType::Advisor => &[(1, 1)],
        PieceType::Elephant => &[(2, 2)],
        _ => &[(1, 2), (2, 1)],
    };
    steps.iter().find_map(|&(ranks, files)| {
        let to_rank = rank + forward * ranks;
        if !(0..crate::types::RANKS as i32).contains(&to_rank) {
            return None;
        }
        numbering.point(color, number, to_rank).filter(|to| to.file().abs_diff(from.file()) == files)
    })
}

/// The names of the kinds in sentences.
pub(super) const KIND_NAMES: [&str; PieceType::COUNT] = ["king", "advisor", "elephant", "horse", "chariot", "cannon", "pawn"];

fn sought(color: Color, who: Who) -> String {
    let name = |kind: PieceType| format!("{color} {}", KIND_NAMES[kind.index()]);
    match who {
        Who::OnFile(kind, file) => format!("no {} on file {file}", name(kind)),
        Who::Placed(kind, _) => format!("no {} at that place of a tandem", name(kind)),
        Who::PawnOnFile(_, file) => format!("no {} at that place of a tandem on file {file}", name(PieceType::Pawn)),
    }
}

fn standing_on(piece: Piece, origins: &[Square]) -> String {
    let points: Vec<String> = origins.iter().map(Square::to_string).collect();
    format!("the {} {} on {}", piece.color(), KIND_NAMES[piece.kind().index()], points.join(" or "))
}
