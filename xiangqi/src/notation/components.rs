//! The four components shared by most systems: the piece (two components), the direction, and the distance or destination file.
//! Splits a move into its components and finds the move that components describe.

use super::error::Reason;
use super::numbering::Numbering;
use super::tandem::{Standing, Tandems};
use crate::board::Board;
use crate::types::{Color, Move, Piece, PieceType, Square};
use arrayvec::ArrayVec;

/// The direction, third component of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// 進, `+`
    Advance,
    /// 退, `-`
    Retreat,
    /// 平, `=` or `.`
    Traverse,
}

/// A position within a tandem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// 前
    Front,
    /// 後
    Rear,
    /// 中
    Middle,
    /// Position from the front, counted from 1.
    Number(u8),
    /// `++` of the beginner's system: in front of `P+`.
    Foremost,
    /// `--` of the beginner's system: behind `P-`.
    Rearmost,
    /// `a` to `e` of XiangQi Wizard: numbered from 1 over all tandem pawns, files from the mover's right to left, and each file
    /// from the front.
    OverFiles(u8),
}

/// The piece, as named by the first two components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// A kind and a file number: `C2`.
    OnFile(PieceType, u8),
    /// A kind and its place in a tandem: `+C`.
    Placed(PieceType, Place),
    /// A pawn by its place in the tandem on a file: `13`, `3+`.
    PawnOnFile(Place, u8),
}

/// The two variants of the notation with Latin letters, which differ in tandems. All other systems read tandems as the rules of 2018.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edition {
    /// `C2=5`, `+R=8`, `13=4`: front and rear are the two ends of the tandem.
    Rules2018,
    /// `C2.5`, `R+.8`, `P+.4`, `++.4`, `33.4`: among four or five pawns, front and rear are the second from each end; a kind and a file
    /// name the middle pawn of three or five.
    Standard1999,
}

/// A parsed move text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Components {
    pub(super) who: Who,
    pub(super) direction: Direction,
    /// Distance in points for a move along a file, otherwise the number of the destination file.
    pub(super) number: u8,
}

/// The components of a move to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) piece: Piece,
    /// Number of the origin file.
    pub(super) file: u8,
    pub(super) standing: Standing,
    pub(super) direction: Direction,
    /// As in [`Components`].
    pub(super) number: u8,
}

/// Whether the kind moves in straight lines, so that advances and retreats are given in points.
#[inline]
fn is_linear(kind: PieceType) -> bool {
    matches!(kind, PieceType::King | PieceType::Rook | PieceType::Cannon | PieceType::Pawn)
}

/// Splits a move into components. `None` if its origin is empty.
#[inline]
pub(super) fn parts(board: &Board, mv: Move, numbering: Numbering) -> Option<Parts> {
    let (from, to) = (mv.from(), mv.to());
    let piece = board.piece_on(from)?;
    let color = piece.color();
    let (direction, points) = direction_and_ranks(color, from, to);
    let along_file = direction != Direction::Traverse && is_linear(piece.kind());
    Some(Parts {
        piece,
        file: numbering.number(color, from),
        standing: Tandems::of(board, piece, numbering).standing(from),
        direction,
        number: if along_file { points } else { numbering.number(color, to) },
    })
}

/// Direction of a move from the mover's point of view, and the number of ranks it crosses.
#[inline]
pub(super) fn direction_and_ranks(color: Color, from: Square, to: Square) -> (Direction, u8) {
    let points = to.rank().abs_diff(from.rank());
    let direction = match (to.rank() > from.rank()) == (color == Color::Red) {
        _ if points == 0 => Direction::Traverse,
        true => Direction::Advance,
        false => Direction::Retreat,
    };
    (direction, points)
}

/// Finds the move described by the components.
#[inline]
pub(super) fn resolve(board: &Board, text: Components, numbering: Numbering, edition: Edition) -> Result<Move, Reason> {
    resolve_any(board, text.who, &[(text.direction, text.number)], numbering, edition)
}

/// Like [`resolve`], but with several possible directions.
pub(super) fn resolve_any(
    board: &Board,
    who: Who,
    ways: &[(Direction, u8)],
    numbering: Numbering,
    edition: Edition,
) -> Result<Move, Reason> {
    let color = board.side_to_move();
    let kind = match who {
        Who::OnFile(kind, _) | Who::Placed(kind, _) => kind,
        Who::PawnOnFile(..) => PieceType::Pawn,
    };
    let piece = Piece::new(color, kind);
    let tandems = Tandems::of(board, piece, numbering);
    let origins = select(&tandems, color, who, numbering, edition);
    if origins.is_empty() {
        return Err(Reason::NoSuchPiece(sought(color, who)));
    }
    let mut targets: ArrayVec<Move, 15> = ArrayVec::new();
    for &from in &origins {
        for &(direction, number) in ways {
            if let Some(to) = target(piece, from, direction, number, numbering) {
                // Five pieces and three directions at most.
                let _ = targets.try_push(Move::new(from, to));
            }
        }
    }
    match only_legal(board, &targets) {
        Err(Reason::CannotMoveSo(_)) => Err(Reason::CannotMoveSo(standing_on(piece, &origins))),
        Err(Reason::Ambiguous(moves)) => counted_over_files(&tandems, who, &moves).ok_or(Reason::Ambiguous(moves)),
        settled => settled,
    }
}

/// The move of the pawn with a number that continues from file to file, for texts that are ambiguous when each file is counted
/// separately.
fn counted_over_files(tandems: &Tandems, who: Who, moves: &[Move]) -> Option<Move> {
    let Who::Placed(PieceType::Pawn, Place::Number(number)) = who else { return None };
    let on_files = moves.iter().filter(|mv| tandems.standing(mv.from()).index + 1 == number).count();
    let mut counted = moves.iter().filter(|mv| tandems.over_files(number) == Some(mv.from()));
    counted.next().copied().filter(|_| on_files > 1 && counted.next().is_none())
}

/// The only legal move among the candidates, which must all be moves of the side to move.
pub(super) fn only_legal(board: &Board, candidates: &[Move]) -> Result<Move, Reason> {
    let mut legal = candidates.iter().copied().filter(|&mv| board.is_legal(mv));
    match (legal.next(), legal.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(first), Some(second)) => Err(Reason::Ambiguous([first, second].into_iter().chain(legal).collect())),
        (None, _) => match candidates.iter().find(|&&mv| is_pseudo_legal(board, mv)) {
            Some(&mv) => Err(Reason::LeavesKingInCheck(mv)),
            None => Err(Reason::CannotMoveSo(String::new())),
        },
    }
}

/// Whether the move is pseudo-legal.
pub(super) fn is_pseudo_legal(board: &Board, mv: Move) -> bool {
    let own = board.color(board.side_to_move());
    own.has(mv.from()) && !own.has(mv.to()) && board.moves_from(mv.from(), board.occupied()).has(mv.to())
}

/// The pieces that the first two components can refer to. Looser readings apply only if no piece matches under the system's own
/// rules.
#[inline]
fn select(tandems: &Tandems, color: Color, who: Who, numbering: Numbering, edition: Edition) -> ArrayVec<Square, 5> {
    let on_file = |file: u8| move |square: &Square| numbering.number(color, *square) == file;
    match who {
        Who::OnFile(_, file) => {
            let named = |square: &Square| {
                let standing = tandems.standing(*square);
                let beginners_middle = edition == Edition::Standard1999 && standing.sets == 1 && standing.count % 2 == 1;
                standing.is_alone() || beginners_middle && standing.index == standing.count / 2
            };
            let strict: ArrayVec<Square, 5> = tandems.all().filter(on_file(file)).filter(named).collect();
            if strict.is_empty() { tandems.all().filter(on_file(file)).collect() } else { strict }
        }
        // With tandems on two files, some authors number each file separately and others continue from the mover's right to left.
        // Select the pawns of both readings; two legal moves are then ambiguous.
        Who::Placed(PieceType::Pawn, place @ Place::Number(number)) if tandems.sets() >= 2 => {
            let counted = tandems.over_files(number);
            let is_meant = |square| counted == Some(square) || has_place(tandems.standing(square), place, edition);
            tandems.all().filter(|&square| is_meant(square)).collect()
        }
        Who::Placed(_, Place::OverFiles(number)) => tandems.over_files(number).into_iter().collect(),
        Who::Placed(_, place) => tandems.all().filter(|&square| has_place(tandems.standing(square), place, edition)).collect(),
        Who::PawnOnFile(place, file) => tandems
            .all()
            .filter(on_file(file))
            .filter(|&square| {
                let standing = tandems.standing(square);
                let edition = if standing.sets == 1 { edition } else { Edition::Rules2018 };
                has_place(standing, place, edition)
            })
            .collect(),
    }
}

/// Whether a piece is at this place in its tandem.
#[inline]
fn has_place(standing: Standing, place: Place, edition: Edition) -> bool {
    let (index, last) = (standing.index, standing.count - 1);
    // `++` and `--` are the ends of a long tandem, so front and rear are one step further in.
    let inset = (edition == Edition::Standard1999 && standing.count >= 4) as u8;
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

/// The destination of a piece for a direction and number, whether or not the piece can go there.
#[inline]
fn target(piece: Piece, from: Square, direction: Direction, number: u8, numbering: Numbering) -> Option<Square> {
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
    // Ranks and files crossed. In the old manual the numbering of the destination file depends on its rank, so both kinds of horse
    // move are tried; their numbers never coincide, since one is even and the other odd.
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

fn sought(color: Color, who: Who) -> String {
    let name = |kind: PieceType| format!("{color} {kind}");
    match who {
        Who::OnFile(kind, file) => format!("no {} on file {file}", name(kind)),
        Who::Placed(kind, _) => format!("no {} at that place in a tandem", name(kind)),
        Who::PawnOnFile(_, file) => format!("no {} at that place in a tandem on file {file}", name(PieceType::Pawn)),
    }
}

fn standing_on(piece: Piece, origins: &[Square]) -> String {
    let points: Vec<String> = origins.iter().map(Square::to_string).collect();
    format!("the {} {} on {}", piece.color(), piece.kind(), points.join(" or "))
}
