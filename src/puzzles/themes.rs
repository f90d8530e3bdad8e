//! Themes of solutions. Every theme has a strict definition; its identifier is used in files and in the page.

use super::Goal;
use super::solution::Solution;
use crate::board::{Board, between};
use crate::types::{Color, Move, PieceType, Square};

/// A theme of a solution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theme {
    /// Mate in one.
    MateIn1,
    /// Mate in two.
    MateIn2,
    /// Mate in three.
    MateIn3,
    /// Mate in four.
    MateIn4,
    /// Mate in five.
    MateIn5,
    /// The only winning move at each turn, without a mate within five moves.
    Win,
    /// The only move that holds the draw at each turn, by the endgame tables.
    Draw,
    /// The last move mates with check by a rook.
    RookMate,
    /// The last move mates with check by a cannon.
    CannonMate,
    /// The last move mates with check by a horse.
    HorseMate,
    /// The last move mates with check by a pawn.
    PawnMate,
    /// The last move mates with check by the king, along an open file.
    KingMate,
    /// The last move leaves no legal move, without check.
    Stalemate,
    /// A move of the solver gives check with two pieces or more at once.
    DoubleCheck,
    /// A move of the solver gives check by a piece that stayed, and the moved piece does not stand between it and the king.
    DiscoveredCheck,
    /// A move of the solver, except the last, loses a pawn's worth or more in exchanges on its destination.
    Sacrifice,
    /// The first move neither captures nor gives check.
    QuietMove,
    /// The solver starts in check.
    Evasion,
    /// At the end the other side has lost a rook for a horse or a cannon, and the rooks, horses and cannons are otherwise balanced.
    Exchange,
    /// At the end the other side has lost a rook for less than a horse.
    WinsRook,
    /// At the end the other side has lost a cannon for less than a horse.
    WinsCannon,
    /// At the end the other side has lost a horse for less than a horse.
    WinsHorse,
    /// At most four rooks, horses and cannons are on the board.
    Endgame,
    /// The endgame tables give the result of every move.
    Exact,
    /// Mate by a cannon whose screen is another cannon of the solver (重炮).
    DoubleCannons,
    /// Mate by a cannon whose screen is a horse of the solver, with one point between it and the king (马后炮).
    HorseCannon,
    /// Mate by a cannon alone whose screen is an advisor of the mated side (闷宫).
    Smothered,
    /// Mate by a horse on the second rank of the mated side, next to the palace's file: c or g (卧槽马).
    ElbowHorse,
    /// Mate by a horse on a forward corner of the palace: d or f, third rank of the mated side (挂角马).
    CornerHorse,
    /// A rook captures the advisor in the centre of the palace where it can be recaptured (大刀剜心).
    PalaceHeart,
}

xiangqi::named_values! {
    Theme, "tag":
    MateIn1 "mate-in-1", MateIn2 "mate-in-2", MateIn3 "mate-in-3", MateIn4 "mate-in-4", MateIn5 "mate-in-5", Win "win",
    Draw "draw", RookMate "rook-mate", CannonMate "cannon-mate", HorseMate "horse-mate", PawnMate "pawn-mate",
    KingMate "king-mate", Stalemate "stalemate", DoubleCheck "double-check", DiscoveredCheck "discovered-check",
    Sacrifice "sacrifice", QuietMove "quiet-move", Evasion "evasion", Exchange "exchange", WinsRook "wins-rook",
    WinsCannon "wins-cannon", WinsHorse "wins-horse", Endgame "endgame", Exact "exact", DoubleCannons "double-cannons",
    HorseCannon "horse-cannon", Smothered "smothered", ElbowHorse "elbow-horse", CornerHorse "corner-horse",
    PalaceHeart "palace-heart",
}

impl Theme {
    /// The goal of the puzzles with this theme, if all have the same.
    pub fn goal(self) -> Option<Goal> {
        match self {
            Theme::MateIn1 => Some(Goal::Mate(1)),
            Theme::MateIn2 => Some(Goal::Mate(2)),
            Theme::MateIn3 => Some(Goal::Mate(3)),
            Theme::MateIn4 => Some(Goal::Mate(4)),
            Theme::MateIn5 => Some(Goal::Mate(5)),
            Theme::Win => Some(Goal::Win),
            Theme::Draw => Some(Goal::Draw),
            _ => None,
        }
    }
}

/// Traditional piece values for exchanges, in hundredths of a pawn beyond the river, indexed by [`PieceType::index`].
const VALUES: [i32; PieceType::COUNT] = [0, 200, 200, 400, 900, 450, 100];
/// Maximum number of rooks, horses and cannons in an endgame.
const ENDGAME_PIECES: usize = 4;
/// The pieces whose gain has a theme.
const MAJORS: [PieceType; 3] = [PieceType::Rook, PieceType::Cannon, PieceType::Horse];

/// Whether the exchange started by a move wins at least `threshold`, in hundredths of a pawn by traditional piece values.
pub fn wins_by_exchange(board: &Board, mv: Move, threshold: i32) -> bool {
    board.see_ge(mv, threshold, &VALUES)
}

/// The themes of a solution, in order.
pub fn of(board: &Board, solution: &Solution, is_exact: bool) -> Vec<Theme> {
    let line: Vec<Move> = solution.tree.moves().collect();
    let mut found = vec![match solution.goal {
        Goal::Mate(1) => Theme::MateIn1,
        Goal::Mate(2) => Theme::MateIn2,
        Goal::Mate(3) => Theme::MateIn3,
        Goal::Mate(4) => Theme::MateIn4,
        Goal::Mate(_) => Theme::MateIn5,
        Goal::Win => Theme::Win,
        Goal::Draw => Theme::Draw,
    }];
    let mut at = *board;
    for (ply, &mv) in line.iter().enumerate() {
        let next = at.after(mv);
        if ply % 2 == 0 {
            of_move(&at, mv, &next, ply + 1 == line.len(), &mut found);
        }
        at = next;
    }
    if !at.has_legal_move() {
        of_mate(&at, &mut found);
    } else if solution.goal == Goal::Win {
        found.extend(of_gain(board, &after_forced_moves(at, &solution.tail)));
    }
    let first = line.first().copied();
    if first.is_some_and(|mv| !board.is_capture(mv) && !board.gives_check(mv)) {
        found.push(Theme::QuietMove);
    }
    if board.in_check() {
        found.push(Theme::Evasion);
    }
    if board.majors(Color::Red) + board.majors(Color::Black) <= ENDGAME_PIECES {
        found.push(Theme::Endgame);
    }
    if is_exact {
        found.push(Theme::Exact);
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn of_move(board: &Board, mv: Move, next: &Board, is_last: bool, found: &mut Vec<Theme>) {
    let checkers = next.checkers();
    if checkers.len() > 1 {
        found.push(Theme::DoubleCheck);
    }
    let king = next.king(next.side_to_move());
    if checkers.into_iter().any(|checker| checker != mv.to() && !between(checker, king).has(mv.to())) {
        found.push(Theme::DiscoveredCheck);
    }
    let loses = !wins_by_exchange(board, mv, 1 - VALUES[PieceType::Pawn.index()]);
    if loses && !is_last {
        found.push(Theme::Sacrifice);
    }
    let taken = board.piece_on(mv.to()).map(|piece| piece.kind());
    let moved = board.piece_on(mv.from()).map(|piece| piece.kind());
    let is_heart = mv.to().file() == 4 && depth(mv.to(), !board.side_to_move()) == 1;
    if loses && is_heart && taken == Some(PieceType::Advisor) && moved == Some(PieceType::Rook) {
        found.push(Theme::PalaceHeart);
    }
}

/// Distance in ranks of a point from the back rank of a side.
fn depth(square: Square, side: Color) -> u8 {
    if side == Color::Red { square.rank() } else { 9 - square.rank() }
}

/// The themes of a position without a legal move.
fn of_mate(board: &Board, found: &mut Vec<Theme>) {
    let checkers = board.checkers();
    let king = board.king(board.side_to_move());
    if checkers.is_empty() {
        found.push(Theme::Stalemate);
    }
    for checker in checkers {
        let Some(kind) = board.piece_on(checker).map(|piece| piece.kind()) else { continue };
        match kind {
            PieceType::Rook => found.push(Theme::RookMate),
            PieceType::Cannon => {
                found.push(Theme::CannonMate);
                found.extend(of_cannon(board, checker, king, checkers.len() == 1));
            }
            PieceType::Horse => {
                found.push(Theme::HorseMate);
                match (checker.file(), depth(checker, board.side_to_move())) {
                    (2 | 6, 1) => found.push(Theme::ElbowHorse),
                    (3 | 5, 2) => found.push(Theme::CornerHorse),
                    _ => {}
                }
            }
            PieceType::Pawn => found.push(Theme::PawnMate),
            PieceType::King => found.push(Theme::KingMate),
            PieceType::Advisor | PieceType::Elephant => {}
        }
    }
}

/// The mating pattern of a cannon, by its screen.
fn of_cannon(board: &Board, cannon: Square, king: Square, is_alone: bool) -> Option<Theme> {
    let screen = (between(cannon, king) & board.occupied()).into_iter().next()?;
    let piece = board.piece_on(screen)?;
    let is_own = piece.color() != board.side_to_move();
    match piece.kind() {
        PieceType::Cannon if is_own => Some(Theme::DoubleCannons),
        PieceType::Horse if is_own && between(screen, king).len() == 1 => Some(Theme::HorseCannon),
        PieceType::Advisor if !is_own && is_alone => Some(Theme::Smothered),
        _ => None,
    }
}

/// Plays the captures and check evasions at the start of `tail`.
fn after_forced_moves(mut board: Board, tail: &[Move]) -> Board {
    for &mv in tail {
        if !board.is_legal(mv) || !(board.is_capture(mv) || board.in_check()) {
            break;
        }
        board = board.after(mv);
    }
    board
}

/// The material theme of what the side to move on the first board has won on the second.
fn of_gain(first: &Board, last: &Board) -> Option<Theme> {
    let solver = first.side_to_move();
    let lost = |side: Color, kind: PieceType| {
        let piece = crate::types::Piece::new(side, kind);
        first.count(piece) as i32 - last.count(piece) as i32
    };
    // Net number of pieces won of each kind.
    let won = MAJORS.map(|kind| lost(!solver, kind) - lost(solver, kind));
    let small: i32 = [PieceType::Advisor, PieceType::Elephant, PieceType::Pawn]
        .into_iter()
        .map(|kind| VALUES[kind.index()] * (lost(!solver, kind) - lost(solver, kind)))
        .sum();
    let pays_little = -small < VALUES[PieceType::Horse.index()];
    match won {
        [1, 0, -1] | [1, -1, 0] => Some(Theme::Exchange),
        [1, 0, 0] if pays_little => Some(Theme::WinsRook),
        [0, 1, 0] if pays_little => Some(Theme::WinsCannon),
        [0, 0, 1] if pays_little => Some(Theme::WinsHorse),
        _ => None,
    }
}
