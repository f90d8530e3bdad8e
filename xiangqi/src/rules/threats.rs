//! Threats to win a piece: pairs of attacker and victim which the World Xiangqi Rules call a chase when a move creates them. The
//! clauses are numbered as in docs/src/rules/world.md#s4-2:
//!
//! 1. the attacker is a rook, cannon, horse, advisor or elephant;
//! 2. the victim is neither a king nor a pawn on its own side of the river;
//! 3. the capture does not open a new attack on the attacker's own king;
//! 4. it is not an even trade, that is, two pieces of one kind that can take each other;
//! 5. the victim is worth more than the attacker, or
//! 6. the victim has no true root: no protector that can recapture without opening a new attack on its own king.
//!
//! Attacks on a king that already exist before the capture are ignored throughout. Otherwise a check given by the judged move itself
//! would pin every piece of the side in check, and all its roots would appear false (diagram 13).

use crate::board::{Board, SLOTS_OF_SIDE, between, piece_moves, slots_of_kind};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};
use arrayvec::ArrayVec;
use std::cell::OnceCell;

/// A set of physical pieces of one side: bit `n` is slot `n` within the side (board slot `n` for Red, `n + 16` for Black).
pub(super) type Pieces = u16;

/// Slots of a side whose pieces can threaten (clause 1): advisors, elephants, horses, rooks and cannons.
const THREATENING: std::ops::Range<usize> = slots_of_kind(PieceType::Advisor).start..slots_of_kind(PieceType::Cannon).end;
/// Slots of a side whose attack on a king can be blocked: king, horses, rooks and cannons.
const LONG_RANGE: [usize; 7] = {
    let (king, horse) = (slots_of_kind(PieceType::King).start, slots_of_kind(PieceType::Horse).start);
    let (rook, cannon) = (slots_of_kind(PieceType::Rook).start, slots_of_kind(PieceType::Cannon).start);
    [king, horse, horse + 1, rook, rook + 1, cannon, cannon + 1]
};
/// Slots of a side's pawns.
const PAWNS: std::ops::Range<usize> = slots_of_kind(PieceType::Pawn);

/// The relative worth of pieces in the chase rules: a rook above cannon and horse, these above advisor, elephant and pawn.
fn worth(kind: PieceType) -> u8 {
    match kind {
        PieceType::Rook => 3,
        PieceType::Cannon | PieceType::Horse => 2,
        PieceType::Advisor | PieceType::Elephant | PieceType::Pawn => 1,
        PieceType::King => 4,
    }
}

/// Whether a piece on a point can be the victim of a chase (clause 2).
fn can_be_victim(piece: Piece, square: Square) -> bool {
    match piece.kind() {
        PieceType::King => false,
        PieceType::Pawn => match piece.color() {
            Color::Red => square.rank() >= 5,
            Color::Black => square.rank() <= 4,
        },
        _ => true,
    }
}

/// The slot of the piece on a point within its side.
fn slot_in_side(board: &Board, square: Square) -> usize {
    board.slot_on(square).map_or(0, |slot| slot % SLOTS_OF_SIDE)
}

/// The board slot of a slot within a side.
fn slot_of(color: Color, slot: usize) -> usize {
    color.index() * SLOTS_OF_SIDE + slot
}

/// A potential attack: the piece on `from` attacks the target when exactly `screens` points of `way` are occupied.
struct Line {
    from: Square,
    way: Bitboard,
    screens: usize,
}

impl Line {
    fn attacks(&self, occupied: Bitboard) -> bool {
        (self.way & occupied).len() == self.screens
    }
}

/// The potential attack of a piece on `target`, if its movement allows one. `None` for pawns, whose attacks cannot be blocked.
fn line_to(piece: Piece, from: Square, target: Square) -> Option<Line> {
    let files = target.file() as i32 - from.file() as i32;
    let ranks = target.rank() as i32 - from.rank() as i32;
    let straight = (files == 0) != (ranks == 0);
    let line = |screens| Line { from, way: between(from, target), screens };
    match piece.kind() {
        PieceType::Rook => straight.then(|| line(0)),
        PieceType::Cannon => straight.then(|| line(1)),
        PieceType::King => (files == 0 && ranks != 0).then(|| line(0)),
        PieceType::Horse if files.abs() + ranks.abs() == 3 && files != 0 && ranks != 0 => {
            let leg = if files.abs() == 2 { from.offset(files / 2, 0) } else { from.offset(0, ranks / 2) };
            leg.map(|leg| Line { from, way: Bitboard::of(leg), screens: 0 })
        }
        _ => None,
    }
}

/// The potential attacks on one king.
struct KingLines(ArrayVec<Line, 7>);

impl KingLines {
    fn of(board: &Board, king: Color) -> KingLines {
        let target = board.king(king);
        let lines = LONG_RANGE.into_iter().filter_map(|slot| {
            let slot = slot_of(!king, slot);
            line_to(Board::piece_of_slot(slot)?, board.square_of_slot(slot)?, target)
        });
        KingLines(lines.collect())
    }

    /// Whether any piece that is still in its place attacks the king with the occupancy `after` but not with `before`. A piece on `point`
    /// has been captured there.
    fn newly_open(&self, before: Bitboard, after: Bitboard, point: Square) -> bool {
        let is_there = |from| from != point && after.has(from);
        self.0.iter().any(|line| is_there(line.from) && line.attacks(after) && !line.attacks(before))
    }
}

/// The slots of a side whose pieces attack `target`, given the occupied points, including a king facing it on a file. A piece whose point
/// is not occupied is gone.
fn attackers(board: &Board, color: Color, target: Square, occupied: Bitboard) -> Pieces {
    let mut found = 0;
    for slot in LONG_RANGE.into_iter().chain(PAWNS) {
        let number = slot_of(color, slot);
        let (Some(piece), Some(from)) = (Board::piece_of_slot(number), board.square_of_slot(number)) else { continue };
        let attacks = match piece.kind() {
            PieceType::Pawn => piece_moves(piece, from, occupied).has(target),
            _ => line_to(piece, from, target).is_some_and(|line| line.attacks(occupied)),
        };
        if attacks && occupied.has(from) {
            found |= 1 << slot;
        }
    }
    found
}

/// The test for whether a capture wins material (clauses 5 and 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gain {
    /// World Xiangqi Rules: the victim is worth more than the attacker or has no true root.
    ByRoots,
    /// Chinese rules: the exchange wins material.
    ByExchange,
}

/// Piece values for exchanges under the Chinese rules, by kind: a rook equals two horses, two cannons or one of each.
const EXCHANGE_VALUES: [i32; PieceType::COUNT] = [0, 1, 1, 2, 4, 2, 1];

/// The threats of one side in a position, regardless of the side to move.
struct Threats<'a> {
    board: &'a Board,
    chaser: Color,
    gain: Gain,
    occupied: Bitboard,
    own_king: OnceCell<KingLines>,
    enemy_king: OnceCell<KingLines>,
}

impl<'a> Threats<'a> {
    fn of(board: &'a Board, chaser: Color, gain: Gain) -> Threats<'a> {
        Threats { board, chaser, gain, occupied: board.occupied(), own_king: OnceCell::new(), enemy_king: OnceCell::new() }
    }

    fn own_king(&self) -> &KingLines {
        self.own_king.get_or_init(|| KingLines::of(self.board, self.chaser))
    }

    fn enemy_king(&self) -> &KingLines {
        self.enemy_king.get_or_init(|| KingLines::of(self.board, !self.chaser))
    }

    /// The point of the chaser's piece in a slot.
    fn piece(&self, slot: usize) -> Option<Square> {
        self.board.square_of_slot(slot_of(self.chaser, slot))
    }

    /// The points of the given enemy pieces that can be victims (clause 2).
    fn victims(&self, wanted: Pieces) -> Bitboard {
        (0..SLOTS_OF_SIDE)
            .filter(|slot| wanted >> slot & 1 != 0)
            .filter_map(|slot| {
                let number = slot_of(!self.chaser, slot);
                let square = self.board.square_of_slot(number)?;
                can_be_victim(Board::piece_of_slot(number)?, square).then_some(square)
            })
            .collect()
    }

    /// Whether the chaser's piece on `from`, which attacks the enemy piece on `target`, threatens to win it.
    fn is_threat(&self, from: Square, target: Square) -> bool {
        self.why_harmless(from, target).is_none()
    }

    /// The reason why an attack is not a threat; `None` if it is one.
    fn why_harmless(&self, from: Square, target: Square) -> Option<Harmless> {
        let (attacker, victim) = (self.board.piece_on(from)?, self.board.piece_on(target)?);
        if matches!(attacker.kind(), PieceType::King | PieceType::Pawn) {
            return Some(Harmless::ByKingOrPawn);
        }
        if !can_be_victim(victim, target) {
            return Some(Harmless::OnHomePawn);
        }
        if self.own_king().newly_open(self.occupied, self.occupied.without(from), target) {
            return Some(Harmless::AttackerTied);
        }
        if self.is_even_trade(from, target) {
            return Some(Harmless::EvenTrade);
        }
        match self.gain {
            Gain::ByRoots if worth(victim.kind()) > worth(attacker.kind()) => None,
            Gain::ByRoots => self.true_root(from, target).map(Harmless::Rooted),
            Gain::ByExchange => (self.exchange(from, target) <= 0).then_some(Harmless::NoGain),
        }
    }

    /// Clause 4: both pieces are of the same kind, and the victim could also take the attacker.
    fn is_even_trade(&self, from: Square, target: Square) -> bool {
        self.board.piece_on(from).map(Piece::kind) == self.board.piece_on(target).map(Piece::kind)
            && self.board.attacks_from(target).has(from)
            && !self.enemy_king().newly_open(self.occupied, self.occupied.without(target), from)
    }

    /// Clause 6: a piece that could actually recapture on `target`.
    fn true_root(&self, from: Square, target: Square) -> Option<Square> {
        let after = self.occupied.without(from);
        let roots = self.board.attackers_of(!self.chaser, target, after);
        roots.into_iter().find(|&root| self.is_true_root(from, target, root))
    }

    fn is_true_root(&self, from: Square, target: Square, root: Square) -> bool {
        let Some(piece) = self.board.piece_on(root) else { return false };
        let taken_back = self.occupied.without(from).without(root);
        match piece.kind() {
            PieceType::King => self.king_may_capture(root, target, taken_back),
            // A rook or cannon that attacks the point only because the capturer has left its line is not a root.
            PieceType::Rook | PieceType::Cannon
                if !line_to(piece, root, target).is_some_and(|line| line.attacks(self.occupied)) =>
            {
                false
            }
            _ => !self.enemy_king().newly_open(self.occupied, taken_back, target),
        }
    }

    /// Whether a king is attacked on `target` by no piece that did not attack it before. It has left its point in `after`.
    fn king_may_capture(&self, king: Square, target: Square, after: Bitboard) -> bool {
        let Some(color) = self.board.piece_on(king).map(Piece::color) else { return false };
        let before = attackers(self.board, !color, king, self.occupied);
        attackers(self.board, !color, target, after) & !before == 0
    }

    /// The material that the capture of `target` from `from` wins in the end, if both sides capture there in the best order or stop.
    fn exchange(&self, from: Square, target: Square) -> i32 {
        let value = self.value(target);
        value - self.best_capture(!self.chaser, target, self.value(from), self.occupied.without(from), value)
    }

    /// The most that `side` wins by capturing the piece of this value on `target`, or nothing if it is better not to; `enough` or more ends
    /// the search. All captures are tried, since it can matter which of two equal pieces captures: the other one may be a screen.
    fn best_capture(&self, side: Color, target: Square, value: i32, occupied: Bitboard, enough: i32) -> i32 {
        let lines = if side == self.chaser { self.own_king() } else { self.enemy_king() };
        let mut best = 0;
        for from in self.board.attackers_of(side, target, occupied) & occupied {
            if best >= enough {
                break;
            }
            let after = occupied.without(from);
            let is_legal = match self.board.piece_on(from).map(Piece::kind) {
                Some(PieceType::King) => self.king_may_capture(from, target, after),
                _ => !lines.newly_open(self.occupied, after, target),
            };
            if is_legal {
                best = best.max(value - self.best_capture(!side, target, self.value(from), after, value - best));
            }
        }
        best
    }

    fn value(&self, square: Square) -> i32 {
        self.board.piece_on(square).map_or(0, |piece| EXCHANGE_VALUES[piece.kind().index()])
    }
}

/// An attack of one piece on another.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Rules};
/// use xiangqi::types::{Move, PieceType};
///
/// let mut game = Position::from_fen("2bak4/4a4/4b4/2p5p/6p2/2Pp5/4P4/2N6/2CrA2C1/3AK4 b")?;
/// for text in "d1d3 h1h3 d3d1 h3h1".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// let attack = repetition.moves[1].chases()[0];
/// assert_eq!((attack.attacker.kind(), attack.victim.kind()), (PieceType::Cannon, PieceType::Rook));
/// assert_eq!((attack.from.to_string(), attack.at.to_string()), ("h3".into(), "d3".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attack {
    /// The attacking piece.
    pub attacker: Piece,
    /// The point of the attacking piece.
    pub from: Square,
    /// The attacked piece.
    pub victim: Piece,
    /// The point of the attacked piece.
    pub at: Square,
}

impl Attack {
    fn on(board: &Board, from: Square, at: Square) -> Option<Attack> {
        Some(Attack { attacker: board.piece_on(from)?, from, victim: board.piece_on(at)?, at })
    }
}

/// The reason why an attack is not a chase. The clauses are those of docs/src/rules/world.md#s4-2.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Cause, Harmless, Rules};
/// use xiangqi::types::Move;
///
/// let mut game = Position::from_fen("3k5/9/9/p8/8R/9/9/9/9/4K4 w")?;
/// for text in "i5i6 d9d8 i6i5 d8d9".split(' ').cycle().take(8) {
///     game.make(Move::from_uci(text)?);
/// }
/// let Cause::Repetition(repetition) = Rules::default().ruling(&game).cause else { panic!("it repeats") };
/// // The rook attacks a pawn that has not crossed the river.
/// assert_eq!(repetition.moves[0].harmless[0].1, Harmless::OnHomePawn);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harmless {
    /// Kings and pawns never chase (clause 1).
    ByKingOrPawn,
    /// A pawn on its own side of the river cannot be chased (clause 2).
    OnHomePawn,
    /// The attacker is pinned: the capture would open an attack on its own king (clause 3).
    AttackerTied,
    /// The pieces are of the same kind and can take each other (clause 4).
    EvenTrade,
    /// The piece on this point could recapture (clauses 5 and 6).
    Rooted(Square),
    /// The exchange would win no material (Chinese rules).
    NoGain,
}

/// Calls `found` with the points of attacker and victim for every threat newly created by the move between the two positions (the
/// difference rule of section 4.2), for the side that moved. Only the `wanted` enemy pieces are considered; `found` returns those
/// still wanted.
fn for_new_threats(
    before: &Board,
    after: &Board,
    gain: Gain,
    mut wanted: Pieces,
    mut found: impl FnMut(Square, Square) -> Pieces,
) {
    let chaser = before.side_to_move();
    let then = Threats::of(before, chaser, gain);
    let now = Threats::of(after, chaser, gain);
    let mut victims = now.victims(wanted);
    for slot in THREATENING {
        let Some(from) = now.piece(slot) else { continue };
        for target in after.attacks_from(from) & victims {
            // Nothing was captured, and the victim belongs to the side that did not move, so it was on the same point before.
            let threatened_before =
                || then.piece(slot).is_some_and(|old| before.attacks_from(old).has(target) && then.is_threat(old, target));
            if now.is_threat(from, target) && !threatened_before() {
                let rest = found(from, target);
                if rest != wanted {
                    wanted = rest;
                    victims = now.victims(wanted);
                }
            }
        }
    }
}

/// Those of the `wanted` enemy pieces that the move between the two positions newly threatens.
pub(super) fn newly_threatened(before: &Board, after: &Board, gain: Gain, wanted: Pieces) -> Pieces {
    let mut victims = 0;
    for_new_threats(before, after, gain, wanted, |_, target| {
        victims |= 1 << slot_in_side(after, target);
        wanted & !victims
    });
    victims
}

/// All threats newly created by the move between the two positions.
pub(super) fn new_threats(before: &Board, after: &Board, gain: Gain) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for_new_threats(before, after, gain, Pieces::MAX, |from, target| {
        attacks.extend(Attack::on(after, from, target));
        Pieces::MAX
    });
    attacks
}

/// All attacks newly created by the move between the two positions that are not threats, except attacks on the king.
pub(super) fn harmless_attacks(before: &Board, after: &Board, gain: Gain) -> Vec<(Attack, Harmless)> {
    let chaser = before.side_to_move();
    let now = Threats::of(after, chaser, gain);
    let then = Threats::of(before, chaser, gain);
    let targets = after.color(!chaser).without(after.king(!chaser));
    let mut attacks = Vec::new();
    for slot in 0..SLOTS_OF_SIDE {
        let (Some(from), Some(old)) = (now.piece(slot), then.piece(slot)) else { continue };
        for target in after.attacks_from(from) & targets & !before.attacks_from(old) {
            let harmless = now.why_harmless(from, target).and_then(|why| Some((Attack::on(after, from, target)?, why)));
            attacks.extend(harmless);
        }
    }
    attacks
}
