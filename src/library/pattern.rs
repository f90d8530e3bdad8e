//! Search criteria for positions: an entire position, a pattern, or material.

use super::replay::{Cells, EMPTY, MAX_PIECES, Replay, mirrored, number_of, square_of};
use crate::board::{FenError, Setup};
use crate::types::{Color, Piece, PieceType, Square, counted};
use std::str::FromStr;
use thiserror::Error;

/// An entire position to search for, optionally with its mirror image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExactPosition {
    pub(super) cells: Cells,
    /// The side to move; none for either.
    pub(super) side: Option<Color>,
    pub(super) mirror: bool,
    /// The keys of the position and its mirror image, with Red and with Black to move.
    keys: [(u64, u64); 2],
}

/// The reason a position cannot be searched for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExactPositionError {
    /// Invalid FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No game can have such a position.
    #[error("more pieces of a kind than a game has")]
    Pieces,
}

impl ExactPosition {
    /// Parses a FEN; if it has no side to move, either side matches. With `mirror`, the mirror image matches too.
    ///
    /// # Errors
    /// If the FEN is invalid or has too many pieces of a kind.
    pub fn from_fen(fen: &str, mirror: bool) -> Result<ExactPosition, ExactPositionError> {
        let (setup, side) = Setup::from_fen_and_side(fen)?;
        ExactPosition::new(&setup, side, mirror)
    }

    /// The position of a setup, with the given side to move or either.
    ///
    /// # Errors
    /// If there are more pieces of a kind than a game has.
    pub fn new(setup: &Setup, side: Option<Color>, mirror: bool) -> Result<ExactPosition, ExactPositionError> {
        let mut setup = setup.clone();
        let mut keys = [(0, 0); 2];
        for (key, side) in keys.iter_mut().zip(Color::ALL) {
            setup.side = side;
            *key = Replay::new(&setup).ok_or(ExactPositionError::Pieces)?.keys();
        }
        let cells = Replay::new(&setup).ok_or(ExactPositionError::Pieces)?.cells();
        Ok(ExactPosition { cells, side, mirror, keys })
    }

    /// The keys of the position in the index.
    pub(super) fn shared_keys(&self) -> Vec<u64> {
        let of = |color: Color| self.keys[color.index()].0.min(self.keys[color.index()].1);
        match self.side {
            Some(side) => vec![of(side)],
            None => Color::ALL.map(of).to_vec(),
        }
    }

    /// Whether a board has the position, unmirrored or otherwise mirrored.
    pub(super) fn matches(&self, board: &Replay) -> Option<Mirrored> {
        let color = if board.is_black_to_move() { Color::Black } else { Color::Red };
        if self.side.is_some_and(|side| side != color) {
            return None;
        }
        let (key, mirror_key) = self.keys[color.index()];
        let (own, _) = board.keys();
        if own == key && self.is_at(board, false) {
            Some(false)
        } else if self.mirror && own == mirror_key && self.is_at(board, true) {
            Some(true)
        } else {
            None
        }
    }

    /// Compares all squares, because keys can collide.
    fn is_at(&self, board: &Replay, is_mirrored: bool) -> bool {
        (0..90).all(|cell| self.cells[cell] == board.cell(if is_mirrored { mirrored(cell) } else { cell }))
    }
}

/// Whether a match is the mirror image.
pub(super) type Mirrored = bool;

/// Part of a position: the allowed contents of some squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Squares, each with a bit mask of allowed pieces; bit [`EMPTY`] allows an empty square. Most selective first.
    cells: Vec<(usize, u16)>,
    side: Option<Color>,
    mirror: bool,
}

/// An error in a pattern or material.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PatternError {
    /// A character that is neither a piece nor a wildcard.
    #[error("'{}' in rank {}, expected a piece, ?, X, x, *, or a number of empty squares", .0.escape_debug(), .1)]
    Letter(char, usize),
    /// A rank of the wrong length.
    #[error("rank {0} has {square}, expected 9, or * at its end", square = counted(*.1, "square"))]
    Rank(usize, usize),
    /// The wrong number of ranks.
    #[error("{}, expected 10", counted(*.0, "rank"))]
    Ranks(usize),
    /// An invalid side to move.
    #[error("'{}' for the side to move, expected w or b", .0.escape_debug())]
    Side(String),
    /// An invalid entry of a list.
    #[error("'{}', expected a piece and a square such as Ce2 or ne7, -e5 for an empty square, or a FEN with wildcards", .0.escape_debug())]
    Entry(String),
    /// Contradictory entries for a square.
    #[error("contradictory entries for {0}, expected each square once")]
    Square(Square),
    /// No restrictions.
    #[error("empty pattern, expected at least one piece or empty square")]
    Nothing,
    /// Invalid material.
    #[error("'{}', expected the pieces of both sides without kings, such as RN-CCA or R-D (D: any advisors and elephants)", .0.escape_debug())]
    Material(String),
}

const ANY: u16 = (1 << (EMPTY + 1)) - 1;
const RED: u16 = 0x7f;
const BLACK: u16 = RED << 7;

impl Pattern {
    /// Parses a pattern: a FEN whose ranks may also contain `?` for any square, `X` and `x` for any piece of Red and of Black, and `*` for any
    /// rest of the rank; or a list of pieces with their squares such as `Ce2 ne7 -e5`, with `-` for an empty square. A final `w` or `b` is
    /// the side to move. With `mirror`, the mirror image matches too.
    ///
    /// # Errors
    /// If the text is invalid.
    pub fn new(text: &str, mirror: bool) -> Result<Pattern, PatternError> {
        let mut words: Vec<&str> = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).collect();
        let mut cells = Vec::new();
        let mut side = None;
        if words.first().is_some_and(|word| word.contains('/')) {
            cells = ranks(words[0])?;
            if let Some(&word) = words.get(1) {
                side = side_of(word).ok_or_else(|| PatternError::Side(word.into())).map(Some)?;
            }
        } else {
            if let Some(last) = words.last().and_then(|word| side_of(word)) {
                side = Some(last);
                words.pop();
            }
            for word in words {
                cells.push(entry(word).ok_or_else(|| PatternError::Entry(word.chars().take(40).collect()))?);
            }
        }
        cells.retain(|&(_, mask)| mask != ANY);
        if cells.is_empty() {
            return Err(PatternError::Nothing);
        }
        // If a square is named twice, both restrictions apply.
        cells.sort_unstable_by_key(|&(cell, _)| cell);
        cells.dedup_by(|(cell, mask), (kept, both)| {
            let is_same = cell == kept;
            *both &= if is_same { *mask } else { ANY };
            is_same
        });
        if let Some(square) = cells.iter().find(|&&(_, mask)| mask == 0).and_then(|&(cell, _)| square_of(cell)) {
            return Err(PatternError::Square(square));
        }
        cells.sort_by_key(|&(_, mask)| (mask & (1 << EMPTY) != 0, mask.count_ones()));
        Ok(Pattern { cells, side, mirror })
    }

    /// Whether a board has the pattern, unmirrored or otherwise mirrored.
    pub(super) fn matches(&self, board: &Replay) -> Option<Mirrored> {
        if self.side.is_some_and(|side| (side == Color::Black) != board.is_black_to_move()) {
            return None;
        }
        let has = |is_mirrored: bool| {
            self.cells.iter().all(|&(cell, mask)| mask & (1 << board.cell(if is_mirrored { mirrored(cell) } else { cell })) != 0)
        };
        if has(false) { Some(false) } else { (self.mirror && has(true)).then_some(true) }
    }
}

fn side_of(word: &str) -> Option<Color> {
    match word {
        "w" | "r" => Some(Color::Red),
        "b" => Some(Color::Black),
        _ => None,
    }
}

fn kind_bit(letter: char) -> Option<u16> {
    let kind: PieceType = crate::board::kind_of_letter(letter)?;
    let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
    Some(1 << number_of(Piece::new(color, kind)))
}

fn ranks(text: &str) -> Result<Vec<(usize, u16)>, PatternError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 10 {
        return Err(PatternError::Ranks(ranks.len()));
    }
    let mut cells = Vec::new();
    for (row, rank) in ranks.iter().enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            let (count, mask) = match letter {
                '1'..='9' => (letter as usize - '0' as usize, 1 << EMPTY),
                '*' => (9usize.saturating_sub(file), ANY),
                '?' => (1, ANY),
                'X' => (1, RED),
                'x' => (1, BLACK),
                letter => (1, kind_bit(letter).ok_or(PatternError::Letter(letter, row + 1))?),
            };
            cells.extend((file..file + count).map(|file| ((9 - row) * 9 + file, mask)));
            file += count;
        }
        if file != 9 {
            return Err(PatternError::Rank(row + 1, file));
        }
    }
    Ok(cells)
}

fn entry(word: &str) -> Option<(usize, u16)> {
    let mut letters = word.chars();
    let mask = match letters.next()? {
        '-' => 1 << EMPTY,
        'X' => RED,
        'x' => BLACK,
        letter => kind_bit(letter)?,
    };
    let square: Square = letters.as_str().parse().ok()?;
    Some((square.rank() as usize * 9 + square.file() as usize, mask))
}

/// The material of a position without kings; either colour may have either part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material {
    /// Minimum and maximum number of pieces of each kind, king to cannon, of both parts.
    sides: [[(u8, u8); 7]; 2],
}

impl FromStr for Material {
    type Err = PatternError;

    /// Parses the pieces of both sides, separated by a hyphen: `RN-CCA`, `R-` (against a bare king), `NP-D` with any advisors and elephants.
    fn from_str(text: &str) -> Result<Material, PatternError> {
        let wrong = || PatternError::Material(text.chars().take(40).collect());
        let (first, second) = text.split_once('-').ok_or_else(wrong)?;
        let mut sides = [[(0, 0); 7]; 2];
        for (side, letters) in sides.iter_mut().zip([first, second]) {
            side[0] = (0, 1);
            for letter in letters.chars() {
                if letter.eq_ignore_ascii_case(&'D') {
                    side[1] = (0, 2);
                    side[2] = (0, 2);
                    continue;
                }
                let bit = kind_bit(letter.to_ascii_uppercase()).ok_or_else(wrong)?;
                let (min, max) = &mut side[bit.trailing_zeros() as usize];
                if bit == 1 || *min as usize == MAX_PIECES[bit.trailing_zeros() as usize] {
                    return Err(wrong());
                }
                (*min, *max) = (*min + 1, *min + 1);
            }
        }
        Ok(Material { sides })
    }
}

impl Material {
    /// Whether a board has the material.
    pub(super) fn matches(&self, board: &Replay) -> bool {
        let has = |side: usize, color: usize| {
            let counts = &board.counts()[color * 7..color * 7 + 7];
            self.sides[side].iter().zip(counts).all(|(&(min, max), &count)| (min..=max).contains(&count))
        };
        (has(0, 0) && has(1, 1)) || (has(0, 1) && has(1, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Replay {
        Replay::new(&Setup::from_fen(fen).unwrap()).unwrap()
    }

    const GAME: &str = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";

    #[test]
    fn positions_are_found_mirrored_too() {
        let found = |fen: &str, mirror| ExactPosition::from_fen(fen, mirror).unwrap().matches(&board(GAME));
        assert_eq!(found(GAME, true), Some(false));
        let mirrored = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR";
        assert_eq!(found(mirrored, true), Some(true));
        assert_eq!(found(mirrored, false), None);
        for side in [" b", "_b_-_-_0_1", "%20b", "+black"] {
            assert_eq!(found(&format!("{mirrored}{side}"), true), None, "{side}");
        }
        let black = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b";
        let without_side =
            |rest: &str| ExactPosition::from_fen(&format!("{mirrored}{rest}"), true).unwrap().matches(&board(black));
        assert_eq!(["", " - - 0 1", "[]_-_-_0_1"].map(without_side), [Some(true); 3]);
        assert_eq!(without_side(" w"), None);
    }

    #[test]
    fn patterns_of_both_forms() {
        let has = |text: &str| Pattern::new(text, true).unwrap().matches(&board(GAME));
        assert_eq!(has("Ce2 nc7"), Some(false));
        assert_eq!(has("Ce2,ng7"), Some(true));
        assert_eq!(has("Ce2 nc7 b"), None);
        assert_eq!(has("Ce2 -h2 -b9 Xb2 w"), Some(false));
        assert_eq!(has("*/*/*/*/*/*/*/?C2C4/*/*"), Some(false));
        assert_eq!(has("*/*/*/*/*/*/*/?C5C?/*/*"), None);
        assert_eq!(has("*/*/?cn*/*/*/*/*/1C2C4/*/RNBAKABNX w"), Some(false));
        assert_eq!(Pattern::new("", true), Err(PatternError::Nothing));
        assert_eq!(Pattern::new("*/*", true), Err(PatternError::Ranks(2)));
        assert_eq!(Pattern::new("8/*/*/*/*/*/*/*/*/*", true), Err(PatternError::Rank(1, 8)));
        assert!(matches!(Pattern::new("Ce2 Qe4", true), Err(PatternError::Entry(_))));
        assert_eq!(has("Ce2 Xe2 Ce2"), Some(false));
        assert_eq!(Pattern::new("Ce2 nc7 -e2", true), Err(PatternError::Square("e2".parse().unwrap())));
    }

    #[test]
    fn material_of_either_colour() {
        let has = |fen: &str, text: &str| text.parse::<Material>().unwrap().matches(&board(fen));
        let rook = "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w";
        assert!(has(rook, "R-AABB") && has(rook, "R-D") && has(rook, "aabb-r"));
        assert!(!has(rook, "R-AAB") && !has(rook, "RD-") && !has(rook, "RR-D"));
        assert!(["R", "K-R", "RRR-", "-PPPPPP", "-CCC"].iter().all(|text| text.parse::<Material>().is_err()));
        assert!("RRNNCCPPPPPAABB-PPPPP".parse::<Material>().is_ok());
    }
}
