//! Legal move generation.
//!
//! Generation is written once, generic over what happens to the goals (a list or a count) and over which goals are
//! wanted. It is compiled once for each instruction level that pays; [`super::dispatch`] chooses at run time.

use super::emit::Sink;
use super::occupancy::{FILE_OF, Occupancy, RANK_OF};
use super::placement::{Board, FIRST_SLOT};
use super::safety::Safety;
use super::tables::{self, Windows};
use crate::types::{Color, PieceType};

/// Which legal moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All of them. In check these are the evasions.
    All,
    /// Captures only.
    Captures,
    /// All but captures.
    Quiets,
}

/// What one generation looks at.
struct Scene {
    /// Places of the own pieces by slot.
    places: [u8; 16],
    side: Color,
    occupied: Occupancy,
    /// Windows of all pieces.
    blockers: Windows,
    /// Goals wanted, in the forms of an occupancy; bits off the board are of no meaning.
    goals: Occupancy,
    near_goals: Windows,
}

/// Sends the goals of every legal move of the wanted kind to the sink, piece by piece.
#[inline(always)]
pub(super) fn generate<S: Sink>(board: &Board, wanted: Wanted, sink: &mut S) {
    let side = board.side_to_move();
    let (own, enemy) = (&board.occupancy[side.index()], &board.occupancy[(!side).index()]);
    let occupied = own.or(enemy);
    let goals = match wanted {
        Wanted::All => own.complement(),
        Wanted::Captures => *enemy,
        Wanted::Quiets => occupied.complement(),
    };
    let (red, black) = board.places.split_at(16);
    let places = if side == Color::Red { red } else { black };
    let scene = Scene {
        places: places.try_into().unwrap_or([tables::CAPTURED; 16]),
        side,
        blockers: Windows::of(occupied.set),
        near_goals: Windows::of(goals.set),
        occupied,
        goals,
    };
    let safety = Safety::of(board);
    king_moves(board, &scene, &safety, sink);
    if safety.is_free() {
        slider_moves(&scene, sink);
        near_moves::<S, false>(&scene, &safety, sink);
    } else {
        bound_slider_moves(&scene, &safety, sink);
        near_moves::<S, true>(&scene, &safety, sink);
    }
}

#[inline(always)]
fn king_moves<S: Sink>(board: &Board, scene: &Scene, safety: &Safety, sink: &mut S) {
    let from = scene.places[0] as usize;
    let mut goals = tables::KING[from] & scene.near_goals.at(from);
    let mut safe = 0;
    while goals != 0 {
        let lowest = goals & goals.wrapping_neg();
        let goal = from + lowest.trailing_zeros() as usize - tables::CENTRE as usize;
        if safety.king_may_enter(board, goal) {
            safe |= lowest;
        }
        goals ^= lowest;
    }
    sink.near::<4>(from, safe);
}

#[inline(always)]
fn slider_goals(scene: &Scene, from: usize, is_rook: bool) -> (u16, u16) {
    let (file, rank) = (FILE_OF[from] as usize, RANK_OF[from] as usize);
    let in_rank = scene.occupied.rank(rank) as usize & 0x1ff;
    let in_file = scene.occupied.file(file) as usize & 0x3ff;
    if is_rook {
        (tables::ROOK_RANK[file][in_rank], tables::ROOK_FILE[rank][in_file])
    } else {
        (tables::CANNON_RANK[file][in_rank], tables::CANNON_FILE[rank][in_file])
    }
}

const SLIDERS: std::ops::Range<usize> = FIRST_SLOT[PieceType::Rook as usize]..FIRST_SLOT[PieceType::Pawn as usize];
const FIRST_CANNON: usize = FIRST_SLOT[PieceType::Cannon as usize];

#[inline(always)]
fn slider_moves<S: Sink>(scene: &Scene, sink: &mut S) {
    for slot in SLIDERS {
        let from = scene.places[slot] as usize;
        let (file, rank) = (FILE_OF[from] as usize, RANK_OF[from] as usize);
        let (in_rank, in_file) = slider_goals(scene, from, slot < FIRST_CANNON);
        sink.rank(from, rank, in_rank & scene.goals.rank(rank));
        sink.file(from, file, in_file & scene.goals.file(file));
    }
}

#[inline(always)]
fn bound_slider_moves<S: Sink>(scene: &Scene, safety: &Safety, sink: &mut S) {
    for slot in SLIDERS {
        let from = scene.places[slot] as usize;
        if from == tables::CAPTURED as usize {
            continue;
        }
        let (file, rank) = (FILE_OF[from] as usize, RANK_OF[from] as usize);
        let (in_rank, in_file) = slider_goals(scene, from, slot < FIRST_CANNON);
        let set = (in_rank as u128) << (rank * 9) | tables::FILE_SPREAD[in_file as usize] << file;
        sink.set(from, set & scene.goals.set & safety.allowed(from));
    }
}

#[inline(always)]
fn near_moves<S: Sink, const BOUND: bool>(scene: &Scene, safety: &Safety, sink: &mut S) {
    let emit4 = |slot: usize, reach: u64, sink: &mut S| {
        let from = scene.places[slot] as usize;
        sink.near::<4>(from, reach & scene.near_goals.at(from) & allowed::<BOUND>(safety, from));
    };
    for slot in [1, 2] {
        emit4(slot, tables::ADVISOR[scene.places[slot] as usize], sink);
    }
    for slot in [3, 4] {
        let from = scene.places[slot] as usize;
        emit4(slot, tables::ELEPHANT[from][tables::diagonal_index(scene.blockers.at(from))], sink);
    }
    for slot in [5, 6] {
        let from = scene.places[slot] as usize;
        let reach = tables::HORSE[from][tables::orthogonal_index(scene.blockers.at(from))];
        sink.near::<8>(from, reach & scene.near_goals.at(from) & allowed::<BOUND>(safety, from));
    }
    let pawns = &tables::PAWN[scene.side.index()];
    for slot in 11..16 {
        let from = scene.places[slot] as usize;
        sink.near::<3>(from, pawns[from] & scene.near_goals.at(from) & allowed::<BOUND>(safety, from));
    }
}

/// The window of the goals that king safety allows the piece at this place.
#[inline(always)]
fn allowed<const BOUND: bool>(safety: &Safety, place: usize) -> u64 {
    if BOUND && place != tables::CAPTURED as usize { Windows::of(safety.allowed(place)).at(place) } else { u64::MAX }
}
