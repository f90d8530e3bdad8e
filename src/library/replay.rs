//! A minimal board that replays stored lines, and the codes of moves and keys of positions used in the file. All of this is part of the file
//! format and must not change without a new version, so it is independent of the engine's board.

use crate::board::Setup;
use crate::types::{Color, Move, Piece, PieceType, Square, split_mix};

/// Number of squares. A square's index is rank times nine plus file, both from 0.
const SQUARES: usize = 90;
/// Piece types in the order of their numbers.
const KINDS: [PieceType; 7] = [
    PieceType::King,
    PieceType::Advisor,
    PieceType::Elephant,
    PieceType::Horse,
    PieceType::Pawn,
    PieceType::Rook,
    PieceType::Cannon,
];
/// Maximum number of pieces of each type per side.
pub(super) const MAX_PIECES: [usize; 7] = [1, 2, 2, 2, 5, 2, 2];
/// Number of destinations of each piece type, legal or not.
const TARGETS: [usize; 7] = [4, 4, 4, 8, 3, 19, 19];
/// Pieces per side; each has a slot.
const SIDE: usize = 16;
/// Number of an empty square in [`Cells`].
pub(super) const EMPTY: u8 = 14;
/// No slot, or no square.
const NONE: u8 = u8::MAX;

/// The contents of each square: the number of a piece (Red's 0 to 6 in the order of [`KINDS`], Black's 7 to 13) or [`EMPTY`].
pub(super) type Cells = [u8; SQUARES];

/// Zobrist keys of pieces on squares; that of a position is the xor of its pieces' keys, and [`BLACK_TO_MOVE`] if Black is to move.
const KEYS: [[u64; SQUARES]; 14] = {
    let mut keys = [[0; SQUARES]; 14];
    let mut at = 0;
    while at < 14 * SQUARES {
        keys[at / SQUARES][at % SQUARES] = split_mix(at as u64 + 1, 0);
        at += 1;
    }
    keys
};
const BLACK_TO_MOVE: u64 = split_mix(14 * SQUARES as u64 + 1, 0);

/// The piece type of each slot.
const KIND_OF: [u8; SIDE] = {
    let mut kinds = [0; SIDE];
    let (mut kind, mut slot) = (0, 0);
    while kind < 7 {
        let mut piece = 0;
        while piece < MAX_PIECES[kind] {
            kinds[slot] = kind as u8;
            slot += 1;
            piece += 1;
        }
        kind += 1;
    }
    kinds
};

/// The first move code of each slot; codes end at [`MOVES`].
const FIRST: [u8; SIDE] = {
    let mut first = [0; SIDE];
    let (mut slot, mut next) = (0, 0);
    while slot < SIDE {
        first[slot] = next as u8;
        next += TARGETS[KIND_OF[slot] as usize];
        slot += 1;
    }
    first
};

/// The slot of each move code.
const SLOT_OF: [u8; MOVES] = {
    let mut slots = [0; MOVES];
    let mut code = 0;
    while code < MOVES {
        let mut slot = SIDE - 1;
        while FIRST[slot] as usize > code {
            slot -= 1;
        }
        slots[code] = slot as u8;
        code += 1;
    }
    slots
};

/// Number of move codes: 127, which fits in seven bits.
pub(super) const MOVES: usize = 127;

/// Steps of kings, advisors, elephants and horses, as (files, ranks).
const KING: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const ADVISOR: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ELEPHANT: [(i8, i8); 4] = [(2, 2), (2, -2), (-2, 2), (-2, -2)];
const HORSE: [(i8, i8); 8] = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
/// Steps of pawns: forward for Red, and sideways.
const PAWN: [(i8, i8); 3] = [(0, 1), (1, 0), (-1, 0)];

fn steps(kind: u8) -> &'static [(i8, i8)] {
    match kind {
        0 => &KING,
        1 => &ADVISOR,
        2 => &ELEPHANT,
        3 => &HORSE,
        _ => &PAWN,
    }
}

/// The number of a piece.
pub(super) fn number_of(piece: Piece) -> u8 {
    let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or(0) as u8;
    kind + if piece.color() == Color::Red { 0 } else { 7 }
}

fn cell_of(square: Square) -> usize {
    square.rank() as usize * 9 + square.file() as usize
}

/// Mirrors a square left to right.
pub(super) const fn mirrored(cell: usize) -> usize {
    cell / 9 * 9 + 8 - cell % 9
}

/// A board that replays a line.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    /// The slot on each square; Black's start at 16.
    slots: [u8; SQUARES],
    /// The square of each slot.
    places: [u8; 2 * SIDE],
    /// Number of pieces by piece number.
    counts: [u8; 14],
    black_to_move: bool,
    key: u64,
    mirror_key: u64,
}

impl Replay {
    /// Sets up a position; none if a side has more pieces of a type than at the start of a game.
    pub(super) fn new(start: &Setup) -> Option<Replay> {
        let black_to_move = start.side == Color::Black;
        let mut replay =
            Replay { slots: [NONE; SQUARES], places: [NONE; 2 * SIDE], counts: [0; 14], black_to_move, key: 0, mirror_key: 0 };
        if black_to_move {
            (replay.key, replay.mirror_key) = (BLACK_TO_MOVE, BLACK_TO_MOVE);
        }
        let mut pieces: Vec<(usize, u8)> = start.pieces().map(|(piece, square)| (cell_of(square), number_of(piece))).collect();
        pieces.sort_unstable();
        for (cell, number) in pieces {
            let (kind, side) = (number % 7, number as usize / 7 * SIDE);
            let of_kind = (0..SIDE).filter(|&slot| KIND_OF[slot] == kind);
            let slot = of_kind.map(|slot| side + slot).find(|&slot| replay.places[slot] == NONE)?;
            (replay.places[slot], replay.slots[cell]) = (cell as u8, slot as u8);
            replay.counts[number as usize] += 1;
            replay.toggle(number, cell);
        }
        Some(replay)
    }

    fn toggle(&mut self, number: u8, cell: usize) {
        self.key ^= KEYS[number as usize][cell];
        self.mirror_key ^= KEYS[number as usize][mirrored(cell)];
    }

    /// The keys of the position and of its mirror image.
    pub(super) fn keys(&self) -> (u64, u64) {
        (self.key, self.mirror_key)
    }

    /// The key shared by a position and its mirror image: the smaller of the two.
    pub(super) fn shared_key(&self) -> u64 {
        self.key.min(self.mirror_key)
    }

    /// Number of pieces by piece number.
    pub(super) fn counts(&self) -> &[u8; 14] {
        &self.counts
    }

    pub(super) fn is_black_to_move(&self) -> bool {
        self.black_to_move
    }

    /// The contents of a square.
    pub(super) fn cell(&self, cell: usize) -> u8 {
        match self.slots[cell] {
            NONE => EMPTY,
            slot => number_of_slot(slot as usize),
        }
    }

    /// The contents of all squares.
    pub(super) fn cells(&self) -> Cells {
        std::array::from_fn(|cell| self.cell(cell))
    }

    /// The code of a move; none if the piece could not make it even on an empty board.
    pub(super) fn code(&self, mv: Move) -> Option<u8> {
        let (from, to) = (cell_of(mv.from()), cell_of(mv.to()));
        let slot = self.slots[from];
        let own = if self.black_to_move { SIDE } else { 0 };
        let slot = (slot as usize).checked_sub(own).filter(|&slot| slot < SIDE)?;
        let kind = KIND_OF[slot];
        let files = (to % 9) as i8 - (from % 9) as i8;
        let ranks = (to / 9) as i8 - (from / 9) as i8;
        let target = if kind >= 5 {
            match (files, ranks) {
                (0, 0) => return None,
                (_, 0) => to % 9,
                (0, _) => 9 + to / 9,
                _ => return None,
            }
        } else {
            let forward = if kind == 4 && self.black_to_move { -ranks } else { ranks };
            steps(kind).iter().position(|&step| step == (files, forward))?
        };
        Some(FIRST[slot] + target as u8)
    }

    /// Plays the move with this code; none if the code is meaningless here, as in a damaged file. Legality is not checked.
    pub(super) fn play(&mut self, code: u8) -> Option<Move> {
        let own = *SLOT_OF.get(code as usize)? as usize;
        let side = if self.black_to_move { SIDE } else { 0 };
        let slot = side + own;
        let from = self.places[slot];
        if from == NONE {
            return None;
        }
        let from = from as usize;
        let kind = KIND_OF[own];
        let target = (code - FIRST[own]) as usize;
        let to = if kind >= 5 {
            if target < 9 { from / 9 * 9 + target } else { (target - 9) * 9 + from % 9 }
        } else {
            let (files, ranks) = steps(kind)[target];
            let ranks = if kind == 4 && self.black_to_move { -ranks } else { ranks };
            let (file, rank) = ((from % 9) as i8 + files, (from / 9) as i8 + ranks);
            if !(0..9).contains(&file) || !(0..10).contains(&rank) {
                return None;
            }
            rank as usize * 9 + file as usize
        };
        let taken = self.slots[to];
        if taken != NONE {
            if taken as usize / SIDE == side / SIDE {
                return None;
            }
            let number = number_of_slot(taken as usize);
            self.places[taken as usize] = NONE;
            self.counts[number as usize] -= 1;
            self.toggle(number, to);
        }
        let number = number_of_slot(slot);
        self.toggle(number, from);
        self.toggle(number, to);
        self.slots[from] = NONE;
        self.slots[to] = slot as u8;
        self.places[slot] = to as u8;
        self.black_to_move = !self.black_to_move;
        self.key ^= BLACK_TO_MOVE;
        self.mirror_key ^= BLACK_TO_MOVE;
        Some(Move::new(square_of(from)?, square_of(to)?))
    }
}

fn number_of_slot(slot: usize) -> u8 {
    KIND_OF[slot % SIDE] + if slot < SIDE { 0 } else { 7 }
}

/// The square with an index from 0 to 89.
pub(super) fn square_of(cell: usize) -> Option<Square> {
    Square::at((cell % 9) as i32, (cell / 9) as i32)
}

/// The number of a variation move: origin index times 90 plus destination index.
pub(super) fn number_of_move(mv: Move) -> u64 {
    (cell_of(mv.from()) * SQUARES + cell_of(mv.to())) as u64
}

/// Inverse of [`number_of_move`].
pub(super) fn move_of_number(number: u64) -> Option<Move> {
    let number = usize::try_from(number).ok().filter(|&number| number < SQUARES * SQUARES)?;
    Some(Move::new(square_of(number / SQUARES)?, square_of(number % SQUARES)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Position};
    use proptest::prelude::*;

    #[test]
    fn the_codes_and_keys_of_the_format_are_stable() {
        assert_eq!(FIRST, [0, 4, 8, 12, 16, 20, 28, 36, 39, 42, 45, 48, 51, 70, 89, 108]);
        assert_eq!(FIRST[15] as usize + TARGETS[6], MOVES);
        let mut replay = Replay::new(&Setup::standard()).unwrap();
        assert_eq!(replay.keys(), (0x99ff_7835_fbb8_53ee, 0x99ff_7835_fbb8_53ee));
        let codes = ["h2e2", "h9g7", "h0g2", "i9h9"].map(|text| {
            let code = replay.code(Move::from_uci(text).unwrap()).unwrap();
            assert_eq!(replay.play(code).unwrap().to_string(), text);
            code
        });
        assert_eq!(codes, [112, 31, 30, 77]);
        assert_eq!(replay.shared_key(), 0x9d20_f232_1b2b_722e);
    }

    proptest! {
        #[test]
        fn legal_games_replay_as_on_the_engines_board(choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..200)) {
            let mut position = Position::startpos();
            let mut replay = Replay::new(&Setup::standard()).unwrap();
            let mut mirror = replay.clone();
            for choice in choices {
                let moves = position.board().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[choice.index(moves.len())];
                let code = replay.code(mv).unwrap();
                prop_assert!((code as usize) < MOVES);
                prop_assert_eq!(replay.play(code), Some(mv));
                let code = mirror.code(mv.mirrored()).unwrap();
                prop_assert_eq!(mirror.play(code), Some(mv.mirrored()));
                position.make(mv);
                let fresh = Replay::new(&Setup::from_board(position.board())).unwrap();
                prop_assert_eq!(replay.keys(), fresh.keys());
                prop_assert_eq!(replay.cells(), fresh.cells());
                prop_assert_eq!(replay.counts(), fresh.counts());
                prop_assert_eq!((mirror.key, mirror.mirror_key), (replay.mirror_key, replay.key));
                prop_assert_eq!(replay.is_black_to_move(), position.side_to_move() == Color::Black);
            }
        }

        #[test]
        fn arbitrary_codes_keep_the_board_consistent(codes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut replay = Replay::new(&Setup::standard()).unwrap();
            for code in codes {
                replay.play(code);
            }
            prop_assert_eq!(replay.cells().iter().filter(|&&cell| cell != EMPTY).count(), replay.counts().iter().map(|&count| count as usize).sum::<usize>());
        }
    }

    #[test]
    fn variation_moves_survive_a_round_trip() {
        let board = Board::from_fen(crate::board::START_FEN).unwrap();
        for mv in board.legal_moves() {
            assert_eq!(move_of_number(number_of_move(mv)), Some(mv));
        }
        assert_eq!(move_of_number(8100), None);
    }
}
