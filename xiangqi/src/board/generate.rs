//! Legal move generation.
//!
//! Generation is written once, generic over what happens to the goals (a list or a count), over the side to move and over
//! which goals are wanted. It is compiled once for each instruction level that pays; [`super::dispatch`] chooses at run time.

use super::emit::Sink;
use super::occupancy::{LINES, Occupancy};
use super::placement::{Board, FIRST_SLOT};
use super::safety::Safety;
use super::tables;
use super::window;
use crate::types::{Color, PieceType};

/// Which legal moves to generate.
///
/// ```
/// use xiangqi::board::{Board, START_FEN, Wanted};
/// use xiangqi::types::MoveList;
///
/// let mut quiets = MoveList::new();
/// Board::from_fen(START_FEN)?.generate(Wanted::Quiets, &mut quiets);
/// assert_eq!(quiets.len(), 42);
/// # Ok::<(), xiangqi::board::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All of them. In check these are the evasions.
    All,
    /// Captures only.
    Captures,
    /// All but captures.
    Quiets,
    /// Quiet moves that give check, by whichever piece.
    QuietChecks,
}

/// What one generation looks at.
struct Scene<'a> {
    /// Places of the own pieces by slot.
    places: &'a [u8; 16],
    occupied: Occupancy,
    /// Goals wanted, in the forms of an occupancy; bits off the board are of no meaning.
    goals: Occupancy,
    safety: &'a Safety,
}

/// Sends the goals of every legal move of the wanted kind to the sink, piece by piece. `BLACK` is the side to move.
#[inline(always)]
pub(super) fn generate<S: Sink, const BLACK: bool>(board: &Board, wanted: Wanted, sink: &mut S) {
    debug_assert_eq!(board.side_to_move() == Color::Black, BLACK);
    let (own, enemy) = (&board.occupancy[BLACK as usize], &board.occupancy[!BLACK as usize]);
    let occupied = own.or(enemy);
    let goals = match wanted {
        Wanted::All => own.complement(),
        Wanted::Captures => *enemy,
        Wanted::Quiets | Wanted::QuietChecks => occupied.complement(),
    };
    let mut safety = Safety::new(occupied.set());
    safety.constrain::<BLACK>(board);
    let scene = Scene { places: board.places_of_side::<BLACK>(), occupied, goals, safety: &safety };
    king_moves::<S, BLACK>(board, &scene, sink);
    if scene.safety.is_free() {
        slider_moves::<S, false>(&scene, sink);
        near_moves::<S, BLACK, false>(&scene, sink);
    } else {
        slider_moves::<S, true>(&scene, sink);
        near_moves::<S, BLACK, true>(&scene, sink);
    }
}

#[inline(always)]
fn king_moves<S: Sink, const BLACK: bool>(board: &Board, scene: &Scene, sink: &mut S) {
    let from = scene.places[0] as usize;
    let mut goals = tables::KING[from] & scene.goals.window(from);
    let mut safe = 0;
    while goals != 0 {
        let lowest = goals & goals.wrapping_neg();
        let goal = (from + lowest.trailing_zeros() as usize).wrapping_sub(window::CENTRE as usize);
        if scene.safety.king_may_enter::<BLACK>(board, goal) {
            safe |= lowest;
        }
        goals ^= lowest;
    }
    sink.near(from, safe, &window::ORTHOGONAL, &tables::ORTHOGONAL_STEPS);
}

const SLIDERS: std::ops::Range<usize> = FIRST_SLOT[PieceType::Rook as usize]..FIRST_SLOT[PieceType::Pawn as usize];
const FIRST_CANNON: usize = FIRST_SLOT[PieceType::Cannon as usize];

#[inline(always)]
fn slider_moves<S: Sink, const BOUND: bool>(scene: &Scene, sink: &mut S) {
    for slot in SLIDERS {
        let from = scene.places[slot] as usize;
        let lines = LINES[from];
        let in_rank = (lines.rank_row | scene.occupied.line(lines.rank)) as usize % tables::ROOK_RANK.len();
        let in_file = (lines.file_row | scene.occupied.line(lines.file)) as usize % tables::ROOK_FILE.len();
        let (in_rank, in_file) = if slot < FIRST_CANNON {
            (tables::ROOK_RANK[in_rank], tables::ROOK_FILE[in_file])
        } else {
            (tables::CANNON_RANK[in_rank], tables::CANNON_FILE[in_file])
        };
        let (in_rank, in_file) = (in_rank & scene.goals.line(lines.rank), in_file & scene.goals.line(lines.file));
        if BOUND && scene.safety.binds(from) {
            let goals = tables::cross(from / 9, from % 9, in_rank, in_file);
            sink.set(from, goals & scene.safety.allowed(from));
        } else {
            sink.cross(from, in_rank, in_file);
        }
    }
}

#[inline(always)]
fn near_moves<S: Sink, const BLACK: bool, const BOUND: bool>(scene: &Scene, sink: &mut S) {
    let goals = |from: usize, reach: u64| {
        let goals = reach & scene.goals.window(from);
        if BOUND && scene.safety.binds(from) { goals & scene.safety.allowed_window(from) } else { goals }
    };
    for slot in slots(PieceType::Advisor) {
        let from = scene.places[slot] as usize;
        sink.near(from, goals(from, tables::ADVISOR[from]), &window::DIAGONAL, &tables::DIAGONAL_STEPS);
    }
    for slot in slots(PieceType::Elephant) {
        let from = scene.places[slot] as usize;
        let reach = tables::ELEPHANT[from][window::DIAGONAL.of(scene.occupied.window(from))];
        sink.near(from, goals(from, reach), &window::ELEPHANT, &tables::ELEPHANT_STEPS);
    }
    for slot in slots(PieceType::Horse) {
        let from = scene.places[slot] as usize;
        let reach = tables::HORSE[from][window::ORTHOGONAL.of(scene.occupied.window(from))];
        sink.near(from, goals(from, reach), &window::HORSE, &tables::HORSE_STEPS);
    }
    for slot in slots(PieceType::Pawn) {
        let from = scene.places[slot] as usize;
        let reach = tables::PAWN[BLACK as usize][from];
        sink.near(from, goals(from, reach), &window::ORTHOGONAL, &tables::ORTHOGONAL_STEPS);
    }
}

/// The slots of a kind, relative to the side's first slot.
#[inline(always)]
fn slots(kind: PieceType) -> std::ops::Range<usize> {
    FIRST_SLOT[kind as usize]..FIRST_SLOT[kind as usize + 1]
}
