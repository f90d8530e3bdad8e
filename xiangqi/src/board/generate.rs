//! Legal move generation.
//!
//! The generator is written once, generic over the [`Sink`] that receives the destinations (a list or a counter), the side to move
//! and the kind of moves wanted. It is compiled once per instruction level; [`super::dispatch`] selects the level at run time.

use super::checks::Checks;
use super::emit::Sink;
use super::occupancy::{LINES, Occupancy};
use super::placement::{Board, FIRST_SLOT, slots_of_kind};
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
    /// All legal moves; in check these are the evasions.
    All,
    /// Captures only.
    Captures,
    /// Moves that are not captures.
    Quiets,
}

/// The inputs of one move generation.
struct Context<'a> {
    /// Places of the moving side's pieces by slot.
    places: &'a [u8; 16],
    occupied: Occupancy,
    /// Wanted destinations; bits off the board are meaningless.
    targets: Occupancy,
    safety: &'a Safety,
}

/// Sends the destinations of all legal moves of the wanted kind to the sink, piece by piece. `BLACK` is the side to move.
#[inline(always)]
pub(super) fn generate<S: Sink, const BLACK: bool>(board: &Board, wanted: Wanted, sink: &mut S, safety: &mut Safety) {
    debug_assert_eq!(board.side_to_move() == Color::Black, BLACK);
    let (own, enemy) = (&board.occupancy[BLACK as usize], &board.occupancy[!BLACK as usize]);
    let occupied = own.or(enemy);
    let targets = match wanted {
        Wanted::All => own.complement(),
        Wanted::Captures => *enemy,
        Wanted::Quiets => occupied.complement(),
    };
    safety.find::<BLACK>(board, occupied.set());
    let context = Context { places: board.places_of_side::<BLACK>(), occupied, targets, safety };
    king_moves::<S, BLACK>(board, &context, sink);
    if context.safety.is_free() {
        slider_moves::<S, false>(&context, sink);
        near_moves::<S, BLACK, false>(&context, sink);
    } else {
        slider_moves::<S, true>(&context, sink);
        near_moves::<S, BLACK, true>(&context, sink);
    }
}

/// Sends the destinations of the quiet moves that may give check: all that do and few others, in the order of [`generate`].
#[inline(always)]
pub(super) fn quiet_checks<S: Sink, const BLACK: bool>(board: &Board, checks: &Checks, sink: &mut S, safety: &mut Safety) {
    debug_assert_eq!(board.side_to_move() == Color::Black, BLACK);
    let [own, enemy] = [&board.occupancy[BLACK as usize], &board.occupancy[!BLACK as usize]];
    let occupied = own.or(enemy);
    safety.find::<BLACK>(board, occupied.set());
    let search = CheckSearch { checks, safety, empty: !occupied.set(), occupied };
    if (checks.discovering.bits() & own.set()) | checks.screening.bits() == 0 {
        search.run::<S, BLACK, false>(board, sink);
    } else {
        search.run::<S, BLACK, true>(board, sink);
    }
}

/// The inputs of one generation of quiet checks.
struct CheckSearch<'a> {
    checks: &'a Checks,
    safety: &'a Safety,
    empty: u128,
    occupied: Occupancy,
}

impl CheckSearch<'_> {
    /// `OPEN`: whether any piece can discover a check or become a screen. Otherwise only direct checks are possible, and most pieces
    /// have none, which is detected before their moves are processed individually.
    #[inline(always)]
    fn run<S: Sink, const BLACK: bool, const OPEN: bool>(&self, board: &Board, sink: &mut S) {
        let places = board.places_of_side::<BLACK>();
        let place = |slot: usize| places[slot] as usize;
        if OPEN {
            let from = place(0);
            let targets = tables::KING[from] & Windows::of(self.wanted::<OPEN>(PieceType::King, from)).at(from & 127);
            king_targets::<S, BLACK>(board, self.safety, from, targets, sink);
        }
        for slot in SLIDERS {
            let (from, kind) = (place(slot), if slot < FIRST_CANNON { PieceType::Rook } else { PieceType::Cannon });
            let [in_rank, in_file] = slider_reach(slot, from, &self.occupied);
            let (rank, file) = (from / 9, from % 9);
            let targets = tables::cross(rank, file, in_rank, in_file) & self.wanted::<OPEN>(kind, from);
            if targets == 0 {
                continue;
            }
            if self.safety.binds(from) {
                sink.set(from, targets & self.safety.allowed(from));
            } else {
                let in_rank = tables::cross(rank, file, in_rank, 0);
                sink.set(from, targets & in_rank);
                sink.set(from, targets & !in_rank);
            }
        }
        if OPEN {
            for slot in slots_of_kind(PieceType::Advisor) {
                let (from, steps) = (place(slot), &tables::DIAGONAL_STEPS);
                self.near::<S, _, _, OPEN>(PieceType::Advisor, from, tables::ADVISOR[from], &window::DIAGONAL, steps, sink);
            }
            for slot in slots_of_kind(PieceType::Elephant) {
                let (from, steps) = (place(slot), &tables::ELEPHANT_STEPS);
                let reach = elephant_reach(from, &self.occupied);
                self.near::<S, _, _, OPEN>(PieceType::Elephant, from, reach, &window::ELEPHANT, steps, sink);
            }
        }
        for slot in slots_of_kind(PieceType::Horse) {
            let (from, steps) = (place(slot), &tables::HORSE_STEPS);
            let reach = horse_reach(from, &self.occupied);
            self.near::<S, _, _, OPEN>(PieceType::Horse, from, reach, &window::HORSE, steps, sink);
        }
        for slot in slots_of_kind(PieceType::Pawn) {
            let (from, steps) = (place(slot), &tables::ORTHOGONAL_STEPS);
            let reach = tables::PAWN[BLACK as usize][from];
            self.near::<S, _, _, OPEN>(PieceType::Pawn, from, reach, &window::ORTHOGONAL, steps, sink);
        }
    }

    /// The empty points on which a move of a piece may give check.
    #[inline(always)]
    fn wanted<const OPEN: bool>(&self, kind: PieceType, from: usize) -> u128 {
        if !OPEN {
            self.checks.direct(kind).bits() & self.empty
        } else if self.checks.discovering.bits() >> (from & 127) & 1 != 0 {
            self.empty
        } else {
            (self.checks.direct(kind) | self.checks.screening).bits() & self.empty
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
        let targets = reach & Windows::of(self.wanted::<OPEN>(kind, from)).at(from & 127);
        if targets != 0 {
            let allowed = if self.safety.binds(from) { self.safety.allowed_window(from) } else { u64::MAX };
            sink.near(from, targets & allowed, index, steps);
        }
    }
}

#[inline(always)]
fn king_moves<S: Sink, const BLACK: bool>(board: &Board, context: &Context, sink: &mut S) {
    let from = context.places[0] as usize;
    let targets = tables::KING[from] & context.targets.window(from);
    king_targets::<S, BLACK>(board, context.safety, from, targets, sink);
}

/// Sends the safe destinations of the king.
#[inline(always)]
fn king_targets<S: Sink, const BLACK: bool>(board: &Board, safety: &Safety, from: usize, mut targets: u64, sink: &mut S) {
    let mut safe = 0;
    while targets != 0 {
        let lowest = targets & targets.wrapping_neg();
        let target = (from + lowest.trailing_zeros() as usize).wrapping_sub(window::CENTRE as usize);
        if safety.king_may_enter::<BLACK>(board, target) {
            safe |= lowest;
        }
        targets ^= lowest;
    }
    sink.near(from, safe, &window::ORTHOGONAL, &tables::ORTHOGONAL_STEPS);
}

const SLIDERS: std::ops::Range<usize> = FIRST_SLOT[PieceType::Rook as usize]..FIRST_SLOT[PieceType::Pawn as usize];
const FIRST_CANNON: usize = FIRST_SLOT[PieceType::Cannon as usize];

/// All pseudo-legal destinations of a rook or cannon: a rank word and a file word.
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
fn slider_moves<S: Sink, const BOUND: bool>(context: &Context, sink: &mut S) {
    for slot in SLIDERS {
        let from = context.places[slot] as usize;
        let lines = LINES[from];
        let [in_rank, in_file] = slider_reach(slot, from, &context.occupied);
        let (in_rank, in_file) = (in_rank & context.targets.line(lines.rank), in_file & context.targets.line(lines.file));
        if BOUND && context.safety.binds(from) {
            let targets = tables::cross(from / 9, from % 9, in_rank, in_file);
            sink.set(from, targets & context.safety.allowed(from));
        } else {
            sink.cross(from, in_rank, in_file);
        }
    }
}

#[inline(always)]
fn near_moves<S: Sink, const BLACK: bool, const BOUND: bool>(context: &Context, sink: &mut S) {
    let targets = |from: usize, reach: u64| {
        let targets = reach & context.targets.window(from);
        if BOUND && context.safety.binds(from) { targets & context.safety.allowed_window(from) } else { targets }
    };
    for slot in slots_of_kind(PieceType::Advisor) {
        let from = context.places[slot] as usize;
        sink.near(from, targets(from, tables::ADVISOR[from]), &window::DIAGONAL, &tables::DIAGONAL_STEPS);
    }
    for slot in slots_of_kind(PieceType::Elephant) {
        let from = context.places[slot] as usize;
        sink.near(from, targets(from, elephant_reach(from, &context.occupied)), &window::ELEPHANT, &tables::ELEPHANT_STEPS);
    }
    for slot in slots_of_kind(PieceType::Horse) {
        let from = context.places[slot] as usize;
        sink.near(from, targets(from, horse_reach(from, &context.occupied)), &window::HORSE, &tables::HORSE_STEPS);
    }
    for slot in slots_of_kind(PieceType::Pawn) {
        let from = context.places[slot] as usize;
        let reach = tables::PAWN[BLACK as usize][from];
        sink.near(from, targets(from, reach), &window::ORTHOGONAL, &tables::ORTHOGONAL_STEPS);
    }
}
