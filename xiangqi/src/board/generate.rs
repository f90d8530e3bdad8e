//! Legal move generation.
//!
//! Generation is written once, generic over what happens to the goals (a list or a count), over the side to move and over
//! which goals are wanted. It is compiled once for each instruction level that pays; [`super::dispatch`] chooses at run time.

use super::checks::Checks;
use super::emit::Sink;
use super::occupancy::{LINES, Occupancy};
use super::placement::{Board, FIRST_SLOT};
use super::safety::Safety;
use super::tables::{self, Windows};
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
pub(super) fn generate<S: Sink, const BLACK: bool>(board: &Board, wanted: Wanted, sink: &mut S, safety: &mut Safety) {
    debug_assert_eq!(board.side_to_move() == Color::Black, BLACK);
    let (own, enemy) = (&board.occupancy[BLACK as usize], &board.occupancy[!BLACK as usize]);
    let occupied = own.or(enemy);
    let goals = match wanted {
        Wanted::All => own.complement(),
        Wanted::Captures => *enemy,
        // For checks alone there is `quiet_checks`; these are all quiet moves.
        Wanted::Quiets | Wanted::QuietChecks => occupied.complement(),
    };
    safety.find::<BLACK>(board, occupied.set());
    let scene = Scene { places: board.places_of_side::<BLACK>(), occupied, goals, safety };
    king_moves::<S, BLACK>(board, &scene, sink);
    if scene.safety.is_free() {
        slider_moves::<S, false>(&scene, sink);
        near_moves::<S, BLACK, false>(&scene, sink);
    } else {
        slider_moves::<S, true>(&scene, sink);
        near_moves::<S, BLACK, true>(&scene, sink);
    }
}

/// Sends the goals of the quiet moves that may give check: all that do, few others, in the order of [`generate`].
#[inline(always)]
pub(super) fn quiet_checks<S: Sink, const BLACK: bool>(board: &Board, checks: &Checks, sink: &mut S, safety: &mut Safety) {
    debug_assert_eq!(board.side_to_move() == Color::Black, BLACK);
    let [own, enemy] = [&board.occupancy[BLACK as usize], &board.occupancy[!BLACK as usize]];
    let occupied = own.or(enemy);
    safety.find::<BLACK>(board, occupied.set());
    let search = CheckSearch { checks, safety, empty: !occupied.set(), occupied };
    if (checks.left().bits() & own.set()) | checks.entered().bits() == 0 {
        search.run::<S, BLACK, false>(board, sink);
    } else {
        search.run::<S, BLACK, true>(board, sink);
    }
}

/// What a generation of quiet checks looks at.
struct CheckSearch<'a> {
    checks: &'a Checks,
    safety: &'a Safety,
    empty: u128,
    occupied: Occupancy,
}

impl CheckSearch<'_> {
    /// `OPEN` is whether a piece can open an attack by leaving its place, or any piece make a screen. Otherwise a check comes from the
    /// piece that moves, and most pieces have none, which is seen before their moves are looked at one by one.
    #[inline(always)]
    fn run<S: Sink, const BLACK: bool, const OPEN: bool>(&self, board: &Board, sink: &mut S) {
        let places = board.places_of_side::<BLACK>();
        let place = |slot: usize| places[slot] as usize;
        if OPEN {
            let from = place(0);
            let goals = tables::KING[from] & Windows::of(self.wanted::<OPEN>(PieceType::King, from)).at(from & 127);
            king_goals::<S, BLACK>(board, self.safety, from, goals, sink);
        }
        for slot in SLIDERS {
            let (from, kind) = (place(slot), if slot < FIRST_CANNON { PieceType::Rook } else { PieceType::Cannon });
            let [in_rank, in_file] = slider_reach(slot, from, &self.occupied);
            let (rank, file) = (from / 9, from % 9);
            let goals = tables::cross(rank, file, in_rank, in_file) & self.wanted::<OPEN>(kind, from);
            if goals == 0 {
                continue;
            }
            if self.safety.binds(from) {
                sink.set(from, goals & self.safety.allowed(from));
            } else {
                let in_rank = tables::cross(rank, file, in_rank, 0);
                sink.set(from, goals & in_rank);
                sink.set(from, goals & !in_rank);
            }
        }
        if OPEN {
            for slot in slots(PieceType::Advisor) {
                let (from, steps) = (place(slot), &tables::DIAGONAL_STEPS);
                self.near::<S, _, _, OPEN>(PieceType::Advisor, from, tables::ADVISOR[from], &window::DIAGONAL, steps, sink);
            }
            for slot in slots(PieceType::Elephant) {
                let (from, steps) = (place(slot), &tables::ELEPHANT_STEPS);
                let reach = elephant_reach(from, &self.occupied);
                self.near::<S, _, _, OPEN>(PieceType::Elephant, from, reach, &window::ELEPHANT, steps, sink);
            }
        }
        for slot in slots(PieceType::Horse) {
            let (from, steps) = (place(slot), &tables::HORSE_STEPS);
            let reach = horse_reach(from, &self.occupied);
            self.near::<S, _, _, OPEN>(PieceType::Horse, from, reach, &window::HORSE, steps, sink);
        }
        for slot in slots(PieceType::Pawn) {
            let (from, steps) = (place(slot), &tables::ORTHOGONAL_STEPS);
            let reach = tables::PAWN[BLACK as usize][from];
            self.near::<S, _, _, OPEN>(PieceType::Pawn, from, reach, &window::ORTHOGONAL, steps, sink);
        }
    }

    /// Where a move of a piece may give check.
    #[inline(always)]
    fn wanted<const OPEN: bool>(&self, kind: PieceType, from: usize) -> u128 {
        if !OPEN {
            self.checks.direct(kind).bits() & self.empty
        } else if self.checks.left().bits() >> (from & 127) & 1 != 0 {
            self.empty
        } else {
            (self.checks.direct(kind) | self.checks.entered()).bits() & self.empty
        }
    }

    #[inline(always)]
    fn near<S: Sink, const BITS: u32, const SIZE: usize, const OPEN: bool>(
        &self,
        kind: PieceType,
        from: usize,
        reach: u64,
        index: &window::Index<BITS>,
        steps: &'static [[u16; 8]; SIZE],
        sink: &mut S,
    ) {
        let goals = reach & Windows::of(self.wanted::<OPEN>(kind, from)).at(from & 127);
        if goals != 0 {
            let allowed = if self.safety.binds(from) { self.safety.allowed_window(from) } else { u64::MAX };
            sink.near(from, goals & allowed, index, steps);
        }
    }
}

#[inline(always)]
fn king_moves<S: Sink, const BLACK: bool>(board: &Board, scene: &Scene, sink: &mut S) {
    let from = scene.places[0] as usize;
    let goals = tables::KING[from] & scene.goals.window(from);
    king_goals::<S, BLACK>(board, scene.safety, from, goals, sink);
}

/// Sends those of the king's goals that are safe.
#[inline(always)]
fn king_goals<S: Sink, const BLACK: bool>(board: &Board, safety: &Safety, from: usize, mut goals: u64, sink: &mut S) {
    let mut safe = 0;
    while goals != 0 {
        let lowest = goals & goals.wrapping_neg();
        let goal = (from + lowest.trailing_zeros() as usize).wrapping_sub(window::CENTRE as usize);
        if safety.king_may_enter::<BLACK>(board, goal) {
            safe |= lowest;
        }
        goals ^= lowest;
    }
    sink.near(from, safe, &window::ORTHOGONAL, &tables::ORTHOGONAL_STEPS);
}

const SLIDERS: std::ops::Range<usize> = FIRST_SLOT[PieceType::Rook as usize]..FIRST_SLOT[PieceType::Pawn as usize];
const FIRST_CANNON: usize = FIRST_SLOT[PieceType::Cannon as usize];

/// Where a rook or a cannon can go if all goals were wanted, in its rank and in its file.
#[inline(always)]
fn slider_reach(slot: usize, from: usize, occupied: &Occupancy) -> [u16; 2] {
    let lines = LINES[from];
    let in_rank = (lines.rank_row | occupied.line(lines.rank)) as usize % tables::SLIDER_RANK.len();
    let in_file = (lines.file_row | occupied.line(lines.file)) as usize % tables::SLIDER_FILE.len();
    let kind = (slot >= FIRST_CANNON) as usize;
    [tables::SLIDER_RANK[in_rank][kind], tables::SLIDER_FILE[in_file][kind]]
}

#[inline(always)]
fn elephant_reach(from: usize, occupied: &Occupancy) -> u64 {
    tables::ELEPHANT[from][window::DIAGONAL.of(occupied.window(from))]
}

#[inline(always)]
fn horse_reach(from: usize, occupied: &Occupancy) -> u64 {
    tables::HORSE[from][window::ORTHOGONAL.of(occupied.window(from))]
}

#[inline(always)]
fn slider_moves<S: Sink, const BOUND: bool>(scene: &Scene, sink: &mut S) {
    for slot in SLIDERS {
        let from = scene.places[slot] as usize;
        let lines = LINES[from];
        let [in_rank, in_file] = slider_reach(slot, from, &scene.occupied);
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
        sink.near(from, goals(from, elephant_reach(from, &scene.occupied)), &window::ELEPHANT, &tables::ELEPHANT_STEPS);
    }
    for slot in slots(PieceType::Horse) {
        let from = scene.places[slot] as usize;
        sink.near(from, goals(from, horse_reach(from, &scene.occupied)), &window::HORSE, &tables::HORSE_STEPS);
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
