//! A game, and its serialisation.

use super::bytes::{Cursor, put_varint, unzigzag, zigzag};
use super::packed::{pack_board, read_board};
use super::{MAX_PLIES, MAX_SCORE, RecordError};
use chuhe::board::{Board, Position};
use chuhe::types::{Color, Move};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Won {
    /// Red won.
    Red,
    /// A draw.
    Nobody,
    /// Black won.
    Black,
}

impl Won {
    /// Half points of this side: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, color: Color) -> u8 {
        match (self, color) {
            (Won::Nobody, _) => 1,
            (Won::Red, Color::Red) | (Won::Black, Color::Black) => 2,
            _ => 0,
        }
    }

    /// The result if this side has won.
    pub fn by(color: Color) -> Won {
        if color == Color::Red { Won::Red } else { Won::Black }
    }
}

/// The cause of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A side had no legal move.
    NoMoves,
    /// The rules of repetition.
    Repetition,
    /// The natural limit: too many plies without a capture.
    NaturalLimit,
    /// Neither side had a piece left that could win.
    BareMaterial,
    /// Adjudicated: both players agreed for several moves that one side wins.
    AdjudicatedWin,
    /// Adjudicated: both players agreed for several moves that the game is drawn.
    AdjudicatedDraw,
    /// The game reached the ply limit of the run.
    PlyLimit,
}

impl Ending {
    /// All endings, in the order of their numbers on disk.
    pub const ALL: [Ending; 7] = [
        Ending::NoMoves,
        Ending::Repetition,
        Ending::NaturalLimit,
        Ending::BareMaterial,
        Ending::AdjudicatedWin,
        Ending::AdjudicatedDraw,
        Ending::PlyLimit,
    ];
}

/// One move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// Score of the position before the move in centipawns from the view of the side to move; none for moves that were not
    /// searched (random openings) and for those whose score depends on a repetition.
    pub score: Option<i16>,
}

/// A position off the game with the score of a search: a node of a principal variation ([`chuhe::search::PvNode`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The ply of the game, from 0, in whose position it begins.
    pub ply: usize,
    /// The moves from there to the position, at least one and at most 255.
    pub moves: Vec<Move>,
    /// Score of the position that they lead to, in centipawns from the view of its side to move.
    pub score: i16,
}

/// One game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number of the game within its run: the same id in two files of one run is the same game.
    pub id: u64,
    /// The start position.
    pub start: Position,
    /// The result.
    pub won: Won,
    /// The cause of the end.
    pub ending: Ending,
    /// The moves, at most [`MAX_PLIES`].
    pub plies: Vec<Ply>,
    /// Scored positions off the game, in the order of their plies.
    pub variations: Vec<Variation>,
}

/// A game as its bytes in a file, to keep many in memory: the position of a [`Game`] has a table of 8 KiB, which detects repetitions.
#[derive(Clone, Debug)]
pub struct PackedGame {
    /// Number of the game within its run.
    pub id: u64,
    /// As [`Game::write`] writes it.
    pub(super) bytes: Box<[u8]>,
    /// Number of labels.
    pub(super) labels: u32,
}

impl From<&Game> for PackedGame {
    fn from(game: &Game) -> PackedGame {
        let mut bytes = Vec::new();
        let labels = game.write(&mut bytes);
        PackedGame { id: game.id, bytes: bytes.into(), labels }
    }
}

/// What is expected where a move is stored.
const LEGAL_INDEX: &str = "an index below the number of legal moves";

/// The stored index of a legal move: its place among the legal moves in the order of [`Move::bits`], independent of the generator.
fn index_of(board: &Board, mv: Move) -> Option<u8> {
    let moves = board.legal_moves();
    moves.contains(&mv).then(|| moves.iter().filter(|other| **other < mv).count() as u8)
}

/// The legal move with a stored index.
fn move_at(board: &Board, index: u8) -> Option<Move> {
    let mut moves = board.legal_moves();
    ((index as usize) < moves.len()).then(|| *moves.select_nth_unstable(index as usize).1)
}

/// Whether it is the standard start position, which is not stored. Counter and side are compared too.
fn is_standard(start: &Position) -> bool {
    start.clock() == 0 && start.board() == Position::startpos().board()
}

impl Game {
    /// Number of labels: plies with a score, and variations.
    pub fn labels(&self) -> usize {
        self.plies.iter().filter(|ply| ply.score.is_some()).count() + self.variations.len()
    }

    /// Calls `visit` with each ply and the position before it.
    pub fn replay(&self, mut visit: impl FnMut(&Position, &Ply)) {
        let mut position = self.start.clone();
        for ply in &self.plies {
            visit(&position, ply);
            position.make(ply.mv);
        }
    }

    /// Calls `visit` with each variation and the position that it leads to.
    pub fn replay_variations(&self, mut visit: impl FnMut(&Position, &Variation)) {
        let mut position = self.start.clone();
        let mut plies = self.plies.iter();
        let mut made = 0;
        // The moves made from the ply on. The variations of a ply mostly begin with the same moves.
        let mut line: &[Move] = &[];
        for variation in &self.variations {
            let is_same_ply = variation.ply == made;
            let common = line.iter().zip(&variation.moves).take_while(|(mv, other)| is_same_ply && mv == other).count();
            line[common..].iter().for_each(|_| position.unmake());
            for ply in plies.by_ref().take(variation.ply.saturating_sub(made)) {
                position.make(ply.mv);
            }
            made = variation.ply;
            line = &variation.moves;
            line[common..].iter().for_each(|&mv| position.make(mv));
            visit(&position, variation);
        }
    }

    /// Appends the game to `out` and returns the number of labels written. An illegal move and all moves after it are
    /// omitted; scores are clamped to ±[`MAX_SCORE`]. Neither happens with games that were played or read.
    pub fn write(&self, out: &mut Vec<u8>) -> u32 {
        let standard = is_standard(&self.start);
        let kind = self.won as u8 | (!standard as u8) << 2 | (self.ending as u8) << 3 | (!self.variations.is_empty() as u8) << 6;
        put_varint(out, self.id);
        out.push(kind);
        if !standard {
            pack_board(self.start.board(), out);
            put_varint(out, self.start.clock() as u64);
        }
        let mut board = *self.start.board();
        let mut plies = Vec::with_capacity(self.plies.len() * 3);
        let (mut count, mut labels, mut expected) = (0, 0, 0);
        let (mut variations, mut next, mut written, mut before) = (Vec::new(), self.variations.iter().peekable(), 0, 0);
        for (number, ply) in self.plies.iter().take(MAX_PLIES).enumerate() {
            while let Some(variation) = next.next_if(|variation| variation.ply == number) {
                let start = variations.len();
                put_varint(&mut variations, (number - before) as u64);
                if variation.write(&board, &mut variations) {
                    (before, written) = (number, written + 1);
                } else {
                    variations.truncate(start);
                }
            }
            let Some(index) = index_of(&board, ply.mv) else { break };
            plies.push(index);
            match ply.score.map(|score| score.clamp(-MAX_SCORE, MAX_SCORE) as i32) {
                None => plies.push(0),
                Some(score) => {
                    put_varint(&mut plies, 1 + zigzag(score - expected));
                    expected = score;
                    labels += 1;
                }
            }
            expected = -expected;
            board = board.after(ply.mv);
            count += 1;
        }
        put_varint(out, count);
        out.extend_from_slice(&plies);
        if !self.variations.is_empty() {
            put_varint(out, written);
            out.extend_from_slice(&variations);
        }
        labels + written as u32
    }

    /// Reads one game at the beginning of the bytes.
    ///
    /// # Errors
    /// The offset of the first invalid byte.
    pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
        Game::take(&mut Cursor::new(bytes, 0))
    }

    pub(super) fn take(cursor: &mut Cursor<'_>) -> Result<Game, RecordError> {
        let id = cursor.varint("a game id")?;
        let kind = cursor.byte("the kind of a game")?;
        let won = match kind & 3 {
            0 => Won::Red,
            1 => Won::Nobody,
            2 => Won::Black,
            _ => return Err(cursor.malformed("a result of 0, 1 or 2")),
        };
        let ending = Ending::ALL.get((kind >> 3 & 7) as usize).filter(|_| kind < 1 << 7);
        let Some(&ending) = ending else {
            return Err(cursor.malformed("an ending of 0 to 6 and a zero bit at the top"));
        };
        let start = if kind & 4 == 0 {
            Position::startpos()
        } else {
            let board = read_board(cursor)?;
            let clock = cursor.varint("a natural-limit counter")?;
            let clock = u16::try_from(clock).map_err(|_| cursor.malformed("a natural-limit counter of 16 bits"))?;
            Position::new(board, clock, 1)
        };
        let count = cursor.varint("a number of plies")?;
        if count > MAX_PLIES as u64 {
            return Err(cursor.malformed("at most 4096 plies"));
        }
        let mut board = *start.board();
        let mut plies = Vec::with_capacity(count as usize);
        let mut expected = 0;
        for _ in 0..count {
            let index = cursor.byte("the index of a move")?;
            let mv = move_at(&board, index).ok_or_else(|| cursor.malformed(LEGAL_INDEX))?;
            let label = cursor.varint("a label")?;
            let score = match label.checked_sub(1) {
                None => None,
                Some(difference) => {
                    let score = unzigzag(difference)
                        .and_then(|difference| difference.checked_add(expected))
                        .filter(|score| (-(MAX_SCORE as i32)..=MAX_SCORE as i32).contains(score))
                        .ok_or_else(|| cursor.malformed("a label that gives a score of at most 30000"))?;
                    expected = score;
                    Some(score as i16)
                }
            };
            expected = -expected;
            plies.push(Ply { mv, score });
            board = board.after(mv);
        }
        let mut variations = Vec::new();
        if kind & 1 << 6 != 0 {
            let (mut board, mut ply, mut line) = (*start.board(), 0, Vec::new());
            for _ in 0..cursor.varint("a number of variations")? {
                let difference = cursor.varint("the ply of a variation")?;
                if difference >= (plies.len() - ply) as u64 {
                    return Err(cursor.malformed("a ply of the game"));
                }
                let next = ply + difference as usize;
                if next > ply {
                    line.clear();
                }
                board = plies[ply..next].iter().fold(board, |board, ply: &Ply| board.after(ply.mv));
                ply = next;
                variations.push(Variation::take(cursor, ply, &board, &mut line)?);
            }
        }
        Ok(Game { id, start, won, ending, plies, variations })
    }
}

impl Variation {
    /// Appends the variation after its ply. Returns whether it could be written: it is not without moves or with an illegal one, which no
    /// variation of a search has.
    fn write(&self, board: &Board, out: &mut Vec<u8>) -> bool {
        let mut board = *board;
        let Ok(count @ 1..) = u8::try_from(self.moves.len()) else { return false };
        out.push(count);
        for &mv in &self.moves {
            let Some(index) = index_of(&board, mv) else { return false };
            out.push(index);
            board = board.after(mv);
        }
        put_varint(out, zigzag(self.score.clamp(-MAX_SCORE, MAX_SCORE) as i32));
        true
    }

    /// Reads what [`Variation::write`] has written. `line` has the moves of the variation before, if it begins at the same ply, with their
    /// indices and the boards after them: the moves at the beginning of both need not be generated again.
    fn take(
        cursor: &mut Cursor<'_>,
        ply: usize,
        board: &Board,
        line: &mut Vec<(u8, Move, Board)>,
    ) -> Result<Variation, RecordError> {
        let count = cursor.byte("a number of moves")?;
        if count == 0 {
            return Err(cursor.malformed("at least one move"));
        }
        let mut moves = Vec::with_capacity(count as usize);
        for number in 0..count as usize {
            let index = cursor.byte("the index of a move")?;
            if line.get(number).is_none_or(|(other, ..)| *other != index) {
                line.truncate(number);
                let board = line.last().map_or(board, |(.., board)| board);
                let mv = move_at(board, index).ok_or_else(|| cursor.malformed(LEGAL_INDEX))?;
                line.push((index, mv, board.after(mv)));
            }
            moves.push(line[number].1);
        }
        let score = unzigzag(cursor.varint("a score")?).and_then(|score| i16::try_from(score).ok());
        let score = score.filter(|score| (-MAX_SCORE..=MAX_SCORE).contains(score));
        let score = score.ok_or_else(|| cursor.malformed("a score of at most 30000"))?;
        Ok(Variation { ply, moves, score })
    }
}

impl PartialEq for Game {
    /// Compares everything that is stored.
    fn eq(&self, other: &Game) -> bool {
        (self.id, self.won, self.ending, self.start.clock()) == (other.id, other.won, other.ending, other.start.clock())
            && self.start.board() == other.start.board()
            && self.plies == other.plies
            && self.variations == other.variations
    }
}
