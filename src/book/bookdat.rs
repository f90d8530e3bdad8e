//! `BOOK.DAT` of XQWizard and ElephantEye: entries of eight bytes (key, move, weight, little-endian), sorted by key. The keys
//! are the third of three numbers that RC4 draws for every piece on every point.

use super::Bytes;
use super::{BookError, BookMove};
use crate::board::Board;
use crate::types::{Color, Move, Piece, RANKS, Square};
use std::sync::LazyLock;

/// Bytes of an entry.
pub(super) const ENTRY: usize = 8;
/// Points of the board that the format numbers, a frame of three around ours included.
const PLACES: usize = 256;

/// A book that can be asked.
#[derive(Debug)]
pub struct BookDat {
    bytes: Bytes,
}

/// The number of a point: rows of sixteen from Black's back rank, with the frame around.
pub(super) fn place(square: Square) -> u8 {
    ((RANKS as u8 - 1 - square.rank() + 3) << 4) + square.file() + 3
}

/// The point with this number, if it lies on the board.
pub(super) fn square(place: u8) -> Option<Square> {
    Square::at((place & 15) as i32 - 3, RANKS as i32 - 1 - ((place >> 4) as i32 - 3))
}

/// The stream cipher, here a source of numbers.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    fn new(key: [u8; 4]) -> Rc4 {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut swap = 0u8;
        for index in 0..256 {
            swap = swap.wrapping_add(state[index]).wrapping_add(key[index % key.len()]);
            state.swap(index, swap as usize);
        }
        Rc4 { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[self.x as usize]);
        self.state.swap(self.x as usize, self.y as usize);
        let sum = self.state[self.x as usize].wrapping_add(self.state[self.y as usize]);
        self.state[sum as usize]
    }

    /// The last of the three numbers that the scheme draws at a time.
    fn third(&mut self) -> u32 {
        let mut draw = || u32::from_le_bytes(std::array::from_fn(|_| self.byte()));
        let _ = (draw(), draw());
        draw()
    }
}

/// For Black to move, and for each piece on each point.
static KEYS: LazyLock<(u32, Vec<u32>)> = LazyLock::new(|| {
    let mut source = Rc4::new([0; 4]);
    let side = source.third();
    (side, (0..Piece::COUNT * PLACES).map(|_| source.third()).collect())
});

/// The key of a position.
pub(super) fn key(board: &Board) -> u32 {
    let (side, pieces) = &*KEYS;
    let start = if board.side_to_move() == Color::Black { *side } else { 0 };
    // The format numbers the pieces as we do.
    let numbers = board.pieces().map(|(piece, square)| pieces[piece.index() * PLACES + place(square) as usize]);
    numbers.fold(start, |key, number| key ^ number)
}

/// The bytes of an entry.
pub(super) fn entry(key: u32, mv: Move, weight: u16) -> [u8; ENTRY] {
    let ([a, b, c, d], [low, high]) = (key.to_le_bytes(), weight.to_le_bytes());
    [a, b, c, d, place(mv.from()), place(mv.to()), low, high]
}

/// What the bytes of an entry say of its position; none where they are no move.
pub(super) fn read_entry(entry: &[u8]) -> Option<BookMove> {
    let &[_, _, _, _, from, to, low, high] = entry else { return None };
    let mv = Move::new(square(from)?, square(to)?);
    Some(BookMove { mv, weight: u16::from_le_bytes([low, high]) as u32 })
}

impl BookDat {
    /// Takes the bytes of a book.
    ///
    /// # Errors
    /// The place in the bytes, and what was expected there: the format has neither mark nor checksum, but its keys rise.
    pub fn new(bytes: Bytes) -> Result<BookDat, BookError> {
        if bytes.is_empty() || !bytes.len().is_multiple_of(ENTRY) {
            let problem = format!("not a chuhe book, and for BOOK.DAT expected entries of {ENTRY} bytes");
            return Err(BookError::at(bytes.len(), problem));
        }
        let book = BookDat { bytes };
        let count = book.bytes.len() / ENTRY;
        let falls = (1..count).find(|&index| book.stored_key(index) < book.stored_key(index - 1));
        match falls {
            Some(index) => Err(BookError::at(index * ENTRY, "not a chuhe book, and for BOOK.DAT expected rising keys")),
            None => Ok(book),
        }
    }

    fn entry(&self, index: usize) -> [u8; ENTRY] {
        let at = index * ENTRY;
        self.bytes.get(at..at + ENTRY).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0xff; ENTRY])
    }

    fn stored_key(&self, index: usize) -> u32 {
        let [a, b, c, d, ..] = self.entry(index);
        u32::from_le_bytes([a, b, c, d])
    }

    /// The bytes of a book of one position with these moves, for tests and fuzzing.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn sample(board: &Board, moves: &[(Move, u16)]) -> Vec<u8> {
        moves.iter().flat_map(|&(mv, weight)| entry(key(board), mv, weight)).collect()
    }

    /// How many entries the book has.
    pub fn len(&self) -> usize {
        self.bytes.len() / ENTRY
    }

    /// Whether the book has no entry.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The moves stored under a key.
    fn find(&self, key: u32) -> impl Iterator<Item = BookMove> + '_ {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.stored_key(middle) < key { low = middle + 1 } else { high = middle }
        }
        let entries = (low..self.len()).map(|index| self.entry(index));
        let own = entries.take_while(move |entry| entry[..4] == key.to_le_bytes());
        own.filter_map(|entry| read_entry(&entry))
    }

    /// The legal moves that the book knows. A position or its mirror image is stored, the latter only asked for where the
    /// former is missing.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let legal = |found: &BookMove| board.is_legal(found.mv);
        let direct: Vec<BookMove> = self.find(key(board)).filter(legal).collect();
        if !direct.is_empty() {
            return direct;
        }
        let mirrored = self.find(key(&board.mirrored())).map(|found| BookMove { mv: found.mv.mirrored(), ..found });
        mirrored.filter(legal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn keys_are_those_of_the_format() {
        let mut position = Position::startpos();
        assert_eq!(key(position.board()), 0x0526_56d5);
        position.make(Move::from_uci("b2e2").unwrap());
        assert_eq!(key(position.board()), 0x5396_644f);
        position.unmake();
        position.make(Move::from_uci("h2e2").unwrap());
        assert_eq!(key(position.board()), 0xeb50_5d7d);
    }

    #[test]
    fn points_have_the_numbers_of_the_format() {
        assert_eq!((square(0x33), square(0xcb)), ("a9".parse().ok(), "i0".parse().ok()));
        assert!(Square::all().all(|point| square(place(point)) == Some(point)));
        assert_eq!((0..=255).filter(|&number| square(number).is_some()).count(), 90);
    }
}
