//! A board of ninety points, slow and simple: the referee by which `build.rs` compiles the book. The program itself has
//! [`crate::board`]; a test plays the two against each other.

use super::referee::Referee;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, SQUARES, Square};
use std::sync::OnceLock;

/// A position.
#[derive(Clone)]
pub struct Mailbox {
    pieces: [Option<Piece>; SQUARES],
    side: Color,
    key: u64,
}

/// The keys of the features: pieces by points, and the side to move last (see `build.rs`).
fn feature_keys() -> &'static [u64] {
    static KEYS: OnceLock<Vec<u64>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let lines = include_str!("../board/feature_keys.txt").lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| u64::from_str_radix(line.trim(), 16).ok()).collect()
    })
}

fn feature(piece: Piece, square: Square) -> u64 {
    feature_keys()[piece.index() * SQUARES + square.index()]
}

fn side_key(side: Color) -> u64 {
    if side == Color::Black { feature_keys()[Piece::COUNT * SQUARES] } else { 0 }
}

impl Mailbox {
    fn put(&mut self, square: Square, piece: Option<Piece>) {
        for old in [self.pieces[square.index()], piece].into_iter().flatten() {
            self.key ^= feature(old, square);
        }
        self.pieces[square.index()] = piece;
    }

    /// Pieces strictly between two points of one line; none for points that share no line.
    fn between(&self, a: Square, b: Square) -> Option<usize> {
        let (files, ranks) = (b.file() as i32 - a.file() as i32, b.rank() as i32 - a.rank() as i32);
        if (files != 0) == (ranks != 0) {
            return None;
        }
        let steps = 1..files.abs().max(ranks.abs());
        let points = steps.filter_map(|step| a.offset(files.signum() * step, ranks.signum() * step));
        Some(points.filter(|point| self.piece_on(*point).is_some()).count())
    }

    /// Whether the piece on `from` moves or takes so, its king's safety not asked.
    fn can_go(&self, piece: Piece, from: Square, to: Square) -> bool {
        let color = piece.color();
        let (files, ranks) = (to.file() as i32 - from.file() as i32, to.rank() as i32 - from.rank() as i32);
        let home = |square: Square| if color == Color::Red { square.rank() } else { RANKS as u8 - 1 - square.rank() };
        let in_palace = |square: Square| (3..=5).contains(&square.file()) && home(square) <= 2;
        let is_free = |files, ranks| from.offset(files, ranks).is_some_and(|square| self.piece_on(square).is_none());
        match piece.kind() {
            PieceType::King => files.abs() + ranks.abs() == 1 && in_palace(to),
            PieceType::Advisor => files.abs() == 1 && ranks.abs() == 1 && in_palace(to),
            PieceType::Elephant => files.abs() == 2 && ranks.abs() == 2 && home(to) <= 4 && is_free(files / 2, ranks / 2),
            PieceType::Horse => match (files.abs(), ranks.abs()) {
                (1, 2) => is_free(0, ranks / 2),
                (2, 1) => is_free(files / 2, 0),
                _ => false,
            },
            PieceType::Rook => self.between(from, to) == Some(0),
            PieceType::Cannon => self.between(from, to) == Some(self.piece_on(to).is_some() as usize),
            PieceType::Pawn => {
                let ahead = if color == Color::Red { 1 } else { -1 };
                (files == 0 && ranks == ahead) || (ranks == 0 && files.abs() == 1 && home(from) >= 5)
            }
        }
    }

    /// Whether the king of a side can be taken, by a king on an open file too. No king counts as taken.
    fn is_exposed(&self, color: Color) -> bool {
        let king = |color| Square::all().find(|&square| self.piece_on(square) == Some(Piece::new(color, PieceType::King)));
        let (Some(own), Some(other)) = (king(color), king(!color)) else { return true };
        let takes = |from: Square| {
            let enemy = self.piece_on(from).filter(|piece| piece.color() != color);
            enemy.is_some_and(|piece| self.can_go(piece, from, own))
        };
        (own.file() == other.file() && self.between(own, other) == Some(0)) || Square::all().any(takes)
    }
}

impl Referee for Mailbox {
    fn from_fen(fen: &str) -> Result<Mailbox, String> {
        let wrong = || format!("'{fen}' is no position, expected a FEN");
        let mut fields = fen.split_ascii_whitespace();
        let rows: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
        let side = match fields.next() {
            Some("w" | "r") => Color::Red,
            Some("b") => Color::Black,
            _ => return Err(wrong()),
        };
        if rows.len() != RANKS {
            return Err(wrong());
        }
        let mut board = Mailbox { pieces: [None; SQUARES], side, key: side_key(side) };
        for (row, text) in rows.iter().enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(gap) = letter.to_digit(10) {
                    file += gap as i32;
                    continue;
                }
                let kind = PieceType::ALL.into_iter().find(|kind| kind.fen_letter() == letter.to_ascii_uppercase());
                let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
                let square = Square::at(file, (RANKS - 1 - row) as i32);
                board.put(square.ok_or_else(wrong)?, Some(Piece::new(color, kind.ok_or_else(wrong)?)));
                file += 1;
            }
            if file != FILES as i32 {
                return Err(wrong());
            }
        }
        if board.is_exposed(!side) { Err(format!("'{fen}': the side that is not to move is in check")) } else { Ok(board) }
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == self.side) else { return false };
        let is_own = self.piece_on(to).is_some_and(|taken| taken.color() == self.side);
        !is_own && from != to && self.can_go(piece, from, to) && !self.after(mv).is_exposed(self.side)
    }

    fn after(&self, mv: Move) -> Mailbox {
        let mut next = self.clone();
        let piece = next.piece_on(mv.from());
        next.put(mv.from(), None);
        next.put(mv.to(), piece);
        next.side = !self.side;
        next.key ^= side_key(Color::Red) ^ side_key(Color::Black);
        next
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn mirrored_key(&self) -> u64 {
        let pieces = Square::all().filter_map(|square| self.piece_on(square).map(|piece| feature(piece, square.mirrored())));
        pieces.fold(side_key(self.side), |key, feature| key ^ feature)
    }
}
