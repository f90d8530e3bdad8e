//! Runtime dispatch of move generation to code compiled for several instruction sets, so that a portable binary uses the
//! population count and vector instructions of the processor. On architectures other than x86-64 the baseline code already uses
//! everything available.

use super::checks::Checks;
use super::emit::{Count, List};
use super::generate::{self, Wanted};
use super::placement::Board;
use super::safety::Safety;
use crate::types::{Color, MoveList};
use std::sync::OnceLock;

/// An instruction set level for which move generation is compiled.
///
/// ```
/// use xiangqi::board::Level;
/// assert!(Level::Baseline <= Level::best());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Level {
    /// The baseline of the build target: SSE2 on x86-64, NEON on 64-bit ARM.
    Baseline,
    /// x86-64-v2: population count and byte shuffles.
    V2,
    /// x86-64-v3: 256-bit vectors and bit manipulation instructions.
    V3,
    /// x86-64-v4: 512-bit vectors.
    V4,
}

crate::named_values! { Level, "instruction set": Baseline "baseline", V2 "v2", V3 "v3", V4 "v4" }

impl Level {
    /// Whether this processor supports the level.
    ///
    /// ```
    /// use xiangqi::board::Level;
    /// assert!(Level::Baseline.is_available());
    /// ```
    #[inline(always)]
    pub fn is_available(self) -> bool {
        self <= Level::highest()
    }

    /// The highest level that this processor supports. All lower levels are supported as well.
    ///
    /// ```
    /// use xiangqi::board::Level;
    /// assert!(Level::best() <= Level::highest());
    /// ```
    #[inline(always)]
    pub fn highest() -> Level {
        // Cached, because feature detection takes longer than generating a few moves.
        static HIGHEST: OnceLock<Level> = OnceLock::new();
        *HIGHEST.get_or_init(|| Level::ALL.into_iter().rev().find(|level| level.is_supported()).unwrap_or(Level::Baseline))
    }

    fn is_supported(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use std::is_x86_feature_detected as has;
            let v2 = || has!("popcnt") && has!("ssse3") && has!("sse4.1") && has!("sse4.2");
            let v3 = || v2() && has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
            match self {
                Level::Baseline => true,
                Level::V2 => v2(),
                Level::V3 => v3(),
                Level::V4 => v3() && has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512dq"),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Level::Baseline
        }
    }

    /// The level used by default: the highest supported one up to [`Level::V3`], which was the fastest on every machine measured.
    /// [`Level::V4`] brings no improvement, see the table in docs/src/developers/benchmarks.md.
    ///
    /// ```
    /// use xiangqi::board::Level;
    /// assert!(Level::best().is_available());
    /// ```
    #[inline(always)]
    pub fn best() -> Level {
        Level::highest().min(Level::V3)
    }
}

/// Lists the moves of the wanted kind. Inlined into the functions compiled for each level.
#[inline(always)]
fn fill(board: &Board, wanted: Wanted, moves: &mut MoveList, safety: &mut Safety) {
    let mut sink = List::new(moves);
    match board.side_to_move() {
        Color::Red => generate::generate::<_, false>(board, wanted, &mut sink, safety),
        Color::Black => generate::generate::<_, true>(board, wanted, &mut sink, safety),
    }
    sink.finish();
}

macro_rules! at_level {
    ($name:ident $(, $features:literal)?) => {
        mod $name {
            use super::*;

            #[inline(never)]
            $(#[target_feature(enable = $features)])?
            pub(super) fn list(board: &Board, wanted: Wanted, moves: &mut MoveList, safety: &mut Safety) {
                fill(board, wanted, moves, safety);
            }

            /// Like `list`, but with temporary constraints, which can stay in registers.
            #[inline(never)]
            $(#[target_feature(enable = $features)])?
            pub(super) fn list_once(board: &Board, wanted: Wanted, moves: &mut MoveList) {
                fill(board, wanted, moves, &mut Safety::unknown());
            }

            #[inline(never)]
            $(#[target_feature(enable = $features)])?
            pub(super) fn list_quiet_checks(board: &Board, checks: &Checks, moves: &mut MoveList, safety: &mut Safety) {
                let mut sink = List::new(moves);
                match board.side_to_move() {
                    Color::Red => generate::quiet_checks::<_, false>(board, checks, &mut sink, safety),
                    Color::Black => generate::quiet_checks::<_, true>(board, checks, &mut sink, safety),
                }
                sink.finish();
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn count(board: &Board) -> u32 {
                let (mut sink, mut safety) = (Count(0), Safety::unknown());
                match board.side_to_move() {
                    Color::Red => generate::generate::<_, false>(board, Wanted::All, &mut sink, &mut safety),
                    Color::Black => generate::generate::<_, true>(board, Wanted::All, &mut sink, &mut safety),
                }
                sink.0
            }

            $(#[target_feature(enable = $features)])?
            fn leaves(board: &Board, every_leaf: bool) -> u64 {
                if !every_leaf {
                    return count(board) as u64;
                }
                let mut moves = MoveList::new_const();
                list_once(board, Wanted::All, &mut moves);
                // The caller wants the cost of listing the moves included: keep the list from being optimised away.
                std::hint::black_box(&moves).len() as u64
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn perft(board: &Board, depth: u32, every_leaf: bool) -> u64 {
                if depth == 1 {
                    return leaves(board, every_leaf);
                }
                let mut moves = MoveList::new_const();
                list_once(board, Wanted::All, &mut moves);
                if depth == 2 {
                    // By far the most boards: avoids a recursive call for each of them.
                    moves.iter().map(|&mv| leaves(&board.after(mv), every_leaf)).sum()
                } else {
                    moves.iter().map(|&mv| perft(&board.after(mv), depth - 1, every_leaf)).sum()
                }
            }
        }
    };
}

at_level!(baseline);
#[cfg(target_arch = "x86_64")]
at_level!(v2, "popcnt,ssse3,sse4.1,sse4.2");
#[cfg(target_arch = "x86_64")]
at_level!(v3, "popcnt,ssse3,sse4.1,sse4.2,avx2,bmi1,bmi2,lzcnt");
#[cfg(target_arch = "x86_64")]
at_level!(v4, "popcnt,ssse3,sse4.1,sse4.2,avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512vl,avx512dq");

/// Calls the version of a function compiled for a level. The level must be available.
macro_rules! call {
    ($level:expr, $function:ident($($argument:expr),*)) => {
        match $level {
            // SAFETY: callers only pass a level for which `is_available` returned true, so the processor has every feature
            // that the module enables; each level includes the features of the lower ones.
            #[cfg(target_arch = "x86_64")]
            Level::V2 => unsafe { v2::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::V3 => unsafe { v3::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::V4 => unsafe { v4::$function($($argument),*) },
            _ => baseline::$function($($argument),*),
        }
    };
}

impl Board {
    /// Fills the list with the legal moves of the wanted kind, replacing its previous contents.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN, Wanted};
    /// use xiangqi::types::MoveList;
    ///
    /// let mut captures = MoveList::new();
    /// Board::from_fen(START_FEN)?.generate(Wanted::Captures, &mut captures);
    /// assert_eq!(captures.len(), 2);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn generate(&self, wanted: Wanted, moves: &mut MoveList) {
        self.generate_with(wanted, moves, &mut Safety::unknown());
    }

    /// Like [`Board::generate`], but reuses the king safety data of an earlier generation on the same board. Data of a different
    /// board is recomputed.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN, Safety, Wanted};
    /// use xiangqi::types::MoveList;
    ///
    /// let (mut safety, mut moves) = (Safety::unknown(), MoveList::new());
    /// for (fen, quiets) in [(START_FEN, 42), ("4k4/9/9/9/9/9/9/9/9/3K5 w", 1)] {
    ///     Board::from_fen(fen)?.generate_with(Wanted::Quiets, &mut moves, &mut safety);
    ///     assert_eq!(moves.len(), quiets);
    /// }
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn generate_with(&self, wanted: Wanted, moves: &mut MoveList, safety: &mut Safety) {
        call!(Level::best(), list(self, wanted, moves, safety));
    }

    /// Like [`Board::generate_with`], for the quiet moves that give check, directly or by discovery; `checks` must be of this board.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks, Safety};
    /// use xiangqi::types::MoveList;
    ///
    /// let board = Board::from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w")?;
    /// let mut moves = MoveList::new();
    /// board.generate_quiet_checks(&Checks::of(&board), &mut moves, &mut Safety::unknown());
    /// assert_eq!(moves.len(), 2);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn generate_quiet_checks(&self, checks: &Checks, moves: &mut MoveList, safety: &mut Safety) {
        call!(Level::best(), list_quiet_checks(self, checks, moves, safety));
        moves.retain(|mv| checks.are_given_by(self, *mv));
    }

    /// All legal moves. The list is empty if the side to move is checkmated or stalemated; both lose the game.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.legal_moves().len(), 44);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new_const();
        self.generate(Wanted::All, &mut moves);
        moves
    }

    /// The number of legal moves, computed without listing them.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.count_legal_moves(), 44);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        call!(Level::best(), count(self))
    }

    /// The number of leaf nodes at `depth` plies; 1 for depth 0. With `every_leaf` the moves of the last ply are listed individually,
    /// otherwise they are only counted (bulk counting). An unsupported level falls back to [`Level::Baseline`].
    ///
    /// ```
    /// use xiangqi::board::{Board, Level, START_FEN};
    ///
    /// assert_eq!(Board::from_fen(START_FEN)?.perft(3, false, Level::best()), 79666);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn perft(&self, depth: u32, every_leaf: bool, level: Level) -> u64 {
        let level = if level.is_available() { level } else { Level::Baseline };
        if depth == 0 { 1 } else { call!(level, perft(self, depth, every_leaf)) }
    }
}
