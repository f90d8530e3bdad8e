//! Tables that can be probed: those of the program and those of a folder.

use super::error::EndgameError;
use super::family::{Family, MAX_ATTACKERS};
use super::file::Head;
use super::layout::{Layout, Next, Place};
use super::map::Bytes;
use super::value::{self, DRAW, RULED, Value};
use crate::board::{Board, Position};
use crate::system::is_device;
use crate::types::{Color, Move, Piece, PieceType};
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How a position ends, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndgameResult {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

impl EndgameResult {
    /// `loss`, `draw` or `win`.
    pub fn name(self) -> &'static str {
        match self {
            EndgameResult::Loss => "loss",
            EndgameResult::Draw => "draw",
            EndgameResult::Win => "win",
        }
    }
}

/// The exact result of a position with best play, whatever its past.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The result for the side to move.
    pub result: EndgameResult,
    /// Plies to mate or stalemate with best play of both sides, 0 in a draw. Where the result is [`Outcome::by_repetition`], plies to a
    /// position from which the loser can only go on by what the rules of repetition forbid.
    pub plies: u16,
    /// Whether the win needs the rules of repetition: no mate can be forced, but the loser holds out only by perpetual check or perpetual chase.
    pub by_repetition: bool,
}

impl Outcome {
    fn of(value: Value) -> Outcome {
        let by_repetition = value >= RULED;
        let plies = match value {
            DRAW => 0,
            _ if by_repetition => (value - RULED) as u16,
            _ => value as u16 - 1,
        };
        let result = match value {
            DRAW => EndgameResult::Draw,
            _ if value::is_win(value) => EndgameResult::Win,
            _ => EndgameResult::Loss,
        };
        Outcome { result, plies, by_repetition }
    }

    /// The outcome for the other side one ply before: what a move is worth to the side that makes it, where this is the outcome after it.
    pub fn before(self) -> Outcome {
        let result = match self.result {
            EndgameResult::Loss => EndgameResult::Win,
            EndgameResult::Draw => return self,
            EndgameResult::Win => EndgameResult::Loss,
        };
        Outcome { result, plies: self.plies + 1, ..self }
    }

    /// Plies to the end of the game with best play; none in a draw.
    pub fn distance(self) -> Option<u16> {
        (self.result != EndgameResult::Draw).then_some(self.plies)
    }

    /// The order of moves by what they are worth to the side that makes them, the best first: quick wins, draws, late losses; a win by
    /// repetition comes after all mates, a loss by it before them.
    fn rank(self) -> (u8, i32) {
        let plies = self.plies as i32 + if self.by_repetition { 1000 } else { 0 };
        match self.result {
            EndgameResult::Win => (0, plies),
            EndgameResult::Draw => (1, 0),
            EndgameResult::Loss => (3, -plies),
        }
    }

    /// Whether the natural limit cannot take the win away: mate comes before the clock reaches the limit, even if nothing is captured until
    /// then. Where this is false a win is one only if a capture sets the clock back in time. `clock` and `limit` are plies without a
    /// capture, a limit of 0 is none. A draw is certain always, a win by repetition never counts as certain under a limit.
    ///
    /// ```
    /// use chuhe::board::Board;
    /// use chuhe::endgame::Tables;
    ///
    /// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/8R/4K4 w")?;
    /// let outcome = Tables::builtin().probe(&board).expect("rook against bare king");
    /// assert!(outcome.is_certain(100, 120) && !outcome.is_certain(120, 120));
    /// # Ok::<(), chuhe::board::FenError>(())
    /// ```
    pub fn is_certain(self, clock: u16, limit: u16) -> bool {
        // A mate on the very ply that reaches the limit counts as mate.
        self.result == EndgameResult::Draw
            || limit == 0
            || !self.by_repetition && clock as u32 + self.plies as u32 <= limit as u32
    }
}

/// Bytes of unpacked blocks of large tables that are kept.
const CACHE: usize = 128 << 20;
/// Tables whose values take no more bytes are kept unpacked as a whole.
const SMALL: usize = 32 << 20;

/// What [`Tables::provide`] has brought.
static PROVIDED: OnceLock<Arc<Tables>> = OnceLock::new();

/// A table of one family.
struct Table {
    head: Head,
    bytes: Bytes,
    /// Where the table begins among the bytes.
    start: usize,
    path: Option<PathBuf>,
    /// The blocks of a small table, unpacked at first use; `None` for a damaged one.
    blocks: Vec<OnceLock<Option<Box<[Value]>>>>,
}

impl Table {
    fn new(bytes: Bytes, start: usize, path: Option<PathBuf>) -> Result<Table, EndgameError> {
        let head = Head::read(bytes.get(start..).unwrap_or(&[]))?;
        let blocks = if 2 * head.layout.positions() <= SMALL { 2 * head.blocks } else { 0 };
        Ok(Table { head, bytes, start, path, blocks: (0..blocks).map(|_| OnceLock::new()).collect() })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.head.length]
    }

    fn layout(&self) -> &Layout {
        &self.head.layout
    }

    fn unpack(&self, block: usize) -> Option<Box<[Value]>> {
        let unpacked = self.head.unpack(self.bytes(), block);
        unpacked.inspect_err(|error| log::warn!("{}: {error}", self.name())).ok()
    }

    fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| format!("built-in {}", self.head.family), |path| path.display().to_string())
    }
}

/// A block of a large table, by table and block, when it was last asked for.
struct Kept {
    table: usize,
    block: usize,
    used: u64,
    values: Arc<[Value]>,
}

/// Endgame tables: those of the program, and those of a folder beside them. Cheap to share with [`Arc`]; probing locks nothing but for large
/// tables.
pub struct Tables {
    tables: Vec<Table>,
    /// The most pieces on the board in a position of any of the families.
    most_pieces: usize,
    kept: Mutex<(u64, Vec<Kept>)>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.families().map(|family| family.to_string())).finish()
    }
}

/// A table, for lists.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// The family.
    pub family: Family,
    /// The file, `None` for a built-in table.
    pub path: Option<PathBuf>,
    /// Positions with either side to move; mirror images count once.
    pub positions: u64,
    /// Bytes of the table.
    pub bytes: u64,
}

impl Tables {
    /// Makes tables that come after the program those of [`Tables::builtin`]: for a build without the cargo feature `endgames` that is loaded
    /// over a line on which its parts travel and are kept apart. The bytes are those of `builtin.egts`, one table behind the other; they are
    /// kept for ever. Only the first ones count: `Ok(false)` for all others.
    ///
    /// # Errors
    /// When the bytes are damaged.
    pub fn provide(bytes: Vec<u8>) -> Result<bool, EndgameError> {
        if PROVIDED.get().is_some() {
            return Ok(false);
        }
        let tables = Tables::new(in_a_row(bytes.leak())?);
        Ok(PROVIDED.set(Arc::new(tables)).is_ok())
    }

    /// The tables of the program, or those that were provided; unpacked when they are first probed.
    pub fn builtin() -> &'static Arc<Tables> {
        if let Some(provided) = PROVIDED.get() {
            return provided;
        }
        static TABLES: OnceLock<Arc<Tables>> = OnceLock::new();
        TABLES.get_or_init(|| Arc::new(Tables::new(builtin())))
    }

    fn new(tables: Vec<Table>) -> Tables {
        let pieces = |table: &Table| {
            let defenders = |side: usize| {
                let side = &table.head.family.sides()[side];
                side.attackers.len()
                    + match side.defenders {
                        super::Defenders::Any => 4,
                        super::Defenders::Exactly { advisors, elephants } => (advisors + elephants) as usize,
                    }
            };
            2 + defenders(0) + defenders(1)
        };
        let most_pieces = tables.iter().map(pieces).max().unwrap_or(0);
        Tables { tables, most_pieces, kept: Mutex::new((0, Vec::new())) }
    }

    /// The tables of the program and those of a folder: its files `*.egt`, as `chuhe endgame build` writes them. Every file is read once
    /// and its checksums compared. A file of a built-in family is used in its place.
    ///
    /// # Errors
    /// The first file that cannot be used, and why. See [`Tables::open_lenient`] to go on without it.
    pub fn open(folder: &Path) -> Result<Tables, EndgameError> {
        let (tables, mut errors) = Tables::open_lenient(&[folder.to_path_buf()]);
        if errors.is_empty() { Ok(tables) } else { Err(errors.swap_remove(0)) }
    }

    /// As [`Tables::open`] for several folders, but files that cannot be used are ignored and reported. Of two files of one family the
    /// first is used.
    pub fn open_lenient(folders: &[PathBuf]) -> (Tables, Vec<EndgameError>) {
        let mut errors = Vec::new();
        let mut found: Vec<Table> = Vec::new();
        for folder in folders {
            let paths = match files(folder) {
                Ok(paths) => paths,
                Err(error) => {
                    errors.push(error.within(folder));
                    continue;
                }
            };
            for path in paths {
                match open(&path) {
                    Ok(table) if found.iter().any(|other| other.head.family == table.head.family) => {}
                    Ok(table) => found.push(table),
                    Err(error) => errors.push(error.within(&path)),
                }
            }
        }
        for table in builtin() {
            if found.iter().all(|other| other.head.family != table.head.family) {
                found.push(table);
            }
        }
        (Tables::new(found), errors)
    }

    /// The families, in no particular order.
    pub fn families(&self) -> impl Iterator<Item = &Family> {
        self.tables.iter().map(|table| &table.head.family)
    }

    /// The tables by name of the family.
    pub fn list(&self) -> Vec<TableInfo> {
        let info = |table: &Table| TableInfo {
            family: table.head.family.clone(),
            path: table.path.clone(),
            positions: 2 * table.layout().positions() as u64,
            bytes: table.head.length as u64,
        };
        let mut list: Vec<TableInfo> = self.tables.iter().map(info).collect();
        list.sort_by_key(|info| info.family.to_string());
        list
    }

    /// The most pieces, kings included, of a position that any table has: with more there is nothing to probe.
    #[inline]
    pub fn most_pieces(&self) -> usize {
        self.most_pieces
    }

    /// The exact result of a position, whatever its past; `None` where no table has its material. Either colour may be the attacker.
    ///
    /// ```
    /// use chuhe::board::Board;
    /// use chuhe::endgame::{EndgameResult, Tables};
    ///
    /// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w")?;
    /// let outcome = Tables::builtin().probe(&board).expect("rook against bare king");
    /// assert_eq!((outcome.result, outcome.plies), (EndgameResult::Win, 1));
    /// # Ok::<(), chuhe::board::FenError>(())
    /// ```
    #[inline]
    pub fn probe(&self, board: &Board) -> Option<Outcome> {
        if board.occupied().len() > self.most_pieces {
            return None;
        }
        self.probe_few(board)
    }

    #[inline(never)]
    fn probe_few(&self, board: &Board) -> Option<Outcome> {
        let material = Material::of(board)?;
        let (at, table) = self.tables.iter().enumerate().find(|(_, table)| material.is_in(&table.head.family))?;
        let (place, side) = table.layout().of_board(board)?;
        self.value(at, side, &place).map(Outcome::of)
    }

    /// The results of all legal moves of a position, each for the side that is then to move: the opponent's. `None` for moves that leave
    /// the tables; a move after which neither side has a piece that can cross the river draws, unless it ends the game.
    pub fn probe_moves(&self, board: &Board) -> Vec<(Move, Option<Outcome>)> {
        board.legal_moves().into_iter().map(|mv| (mv, self.probe_or_bare(&board.after(mv)))).collect()
    }

    /// The results of all legal moves for the side that makes them, the best first. `None` for moves that leave the tables: they stand
    /// between draws and losses.
    pub fn ranked_moves(&self, board: &Board) -> Vec<(Move, Option<Outcome>)> {
        let moves = self.probe_moves(board).into_iter();
        let mut moves: Vec<(Move, Option<Outcome>)> = moves.map(|(mv, after)| (mv, after.map(Outcome::before))).collect();
        moves.sort_by_key(|(mv, outcome)| (outcome.map_or((2, 0), Outcome::rank), mv.to_string()));
        moves
    }

    /// As [`Tables::probe`], and a draw where neither side has a piece that can cross the river.
    pub fn probe_or_bare(&self, board: &Board) -> Option<Outcome> {
        let is_bare = Color::ALL.into_iter().all(|color| !board.has_attackers(color));
        if is_bare { Some(Outcome::of(if board.has_legal_move() { DRAW } else { value::LOST_NOW })) } else { self.probe(board) }
    }

    /// The moves of best play from a position: the winner takes the shortest way, the loser the longest, of equal moves the first in
    /// coordinates. Empty where the result is a draw or not known. Ends at mate, or where a win rests on repetition.
    pub fn best_line(&self, position: &Position) -> Vec<Move> {
        let mut board = *position.board();
        let mut line = Vec::new();
        while let Some(outcome) = self.probe(&board).filter(|outcome| outcome.result != EndgameResult::Draw && outcome.plies > 0)
        {
            let wins = outcome.result == EndgameResult::Win;
            let mut moves = self.probe_moves(&board);
            moves.sort_by_key(|(mv, _)| mv.to_string());
            let fits = |next: &Outcome| {
                (next.result == if wins { EndgameResult::Loss } else { EndgameResult::Win })
                    && next.by_repetition == outcome.by_repetition
                    && next.plies + 1 == outcome.plies
            };
            let Some((mv, _)) = moves.into_iter().find(|(_, next)| next.as_ref().is_some_and(fits)) else { break };
            line.push(mv);
            board = board.after(mv);
        }
        line
    }

    fn value(&self, at: usize, side: usize, place: &Place) -> Option<Value> {
        let table = &self.tables[at];
        let number = table.layout().number(place)?;
        let (block, within) = table.head.place(side, number);
        if let Some(cell) = table.blocks.get(block) {
            return cell.get_or_init(|| table.unpack(block)).as_ref().map(|values| values[within]);
        }
        self.block(at, block).map(|values| values[within])
    }

    /// The bytes of a table.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn bytes_of(&self, family: &Family) -> Option<&[u8]> {
        self.tables.iter().find(|table| table.head.family == *family).map(Table::bytes)
    }

    /// A block of a large table.
    fn block(&self, table: usize, block: usize) -> Option<Arc<[Value]>> {
        {
            let (clock, kept) = &mut *self.kept.lock();
            *clock += 1;
            if let Some(found) = kept.iter_mut().find(|kept| kept.table == table && kept.block == block) {
                found.used = *clock;
                return Some(found.values.clone());
            }
        }
        // Unpacked without the lock: two threads may do so at once, which is slower than to wait, but never stops the others.
        let values: Arc<[Value]> = self.tables[table].unpack(block)?.into();
        let (clock, kept) = &mut *self.kept.lock();
        let size: usize = kept.iter().map(|kept| kept.values.len()).sum();
        if size + values.len() > CACHE
            && let Some(oldest) = (0..kept.len()).min_by_key(|&at| kept[at].used)
        {
            kept.swap_remove(oldest);
        }
        kept.push(Kept { table, block, used: *clock, values: values.clone() });
        Some(values)
    }

    /// Checks a table as a whole: all checksums, and that every value follows from those of the moves, by the moves of the table's own
    /// layout. Families into which captures lead must be among the tables. Calls `progress` with the positions done and all.
    ///
    /// # Errors
    /// The file, and what is wrong with it.
    pub fn verify(&self, family: &Family, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Verified, EndgameError> {
        let Some((at, table)) = self.tables.iter().enumerate().find(|(_, table)| table.head.family == *family) else {
            return Err(EndgameError::Damaged("there is no such table"));
        };
        let within = |error: EndgameError| match &table.path {
            Some(path) => error.within(path),
            None => error,
        };
        table.head.check_sums(table.bytes()).map_err(within)?;
        let layout = table.layout();
        let mut verified = Verified::default();
        let all = layout.positions();
        for side in 0..2 {
            for number in 0..all {
                if number % (1 << 14) == 0 {
                    progress((side * all + number) as u64, 2 * all as u64);
                }
                let place = layout.place(number);
                if !layout.is_legal(&place, side) {
                    continue;
                }
                let stated =
                    self.value(at, side, &place).ok_or(EndgameError::Damaged("a block cannot be unpacked")).map_err(within)?;
                let nexts = layout.nexts(&place, side);
                let found = nexts.iter().map(|next| self.next_value(at, 1 - side, next));
                let Some(values) = found.collect::<Option<Vec<Value>>>() else {
                    verified.unknown += 1;
                    continue;
                };
                let win = values.iter().filter(|&&value| value::is_loss(value)).min();
                let expected = match win {
                    Some(&win) => win + 1,
                    None if values.contains(&DRAW) => DRAW,
                    None => values.iter().max().map_or(value::LOST_NOW, |&longest| longest + 1),
                };
                verified.positions += layout.weight(&place);
                // Who moves in a trap loses by what all its moves repeat: they lead one ply away from it, and that one ply back.
                let is_trap = stated >= RULED && value::is_loss(stated) && expected == stated.saturating_add(2);
                if stated != expected && !is_trap {
                    return Err(within(EndgameError::Wrong { fen: board_of(layout, &place, side).to_fen(), stated, expected }));
                }
            }
        }
        Ok(verified)
    }

    fn next_value(&self, at: usize, side: usize, next: &Next) -> Option<Value> {
        let Some(taken) = next.taken else { return self.value(at, side, &next.place) };
        let layout = self.tables[at].layout();
        if layout.family().without(taken).is_none() {
            let bare = Layout::new(&Family::bare());
            let (place, exchanged) = layout.without_attacker(&next.place, taken, &bare)?;
            let has_move = bare.any_next(&place, side ^ exchanged as usize, |_| true);
            return Some(if has_move { DRAW } else { value::LOST_NOW });
        }
        // Any table that has the material: R-N leads to R-, which is a part of R-D.
        let mut others = self.tables.iter().enumerate();
        let (smaller, (place, exchanged)) =
            others.find_map(|(at, table)| Some((at, layout.without_attacker(&next.place, taken, table.layout())?)))?;
        self.value(smaller, side ^ exchanged as usize, &place)
    }
}

/// What [`Tables::verify`] has looked at.
#[derive(Clone, Copy, Default, Debug)]
pub struct Verified {
    /// Positions of the whole board whose value follows from those of their moves.
    pub positions: u64,
    /// Numbers that could not be checked since a capture leads to a family without a table.
    pub unknown: u64,
}

/// The board of a place.
fn board_of(layout: &Layout, place: &Place, side: usize) -> crate::board::Setup {
    let mut setup = crate::board::Setup::empty();
    setup.side = Color::ALL[side];
    for (piece, square) in layout.pieces(place) {
        setup.put(square, Some(piece));
    }
    setup
}

/// The tables that the program carries.
fn builtin() -> Vec<Table> {
    #[cfg(feature = "endgames")]
    static BYTES: &[u8] = include_bytes!("builtin.egts");
    #[cfg(not(feature = "endgames"))]
    static BYTES: &[u8] = &[];
    // A test reads the pinned file.
    in_a_row(BYTES).unwrap_or_default()
}

/// Tables that lie one behind the other.
fn in_a_row(bytes: &'static [u8]) -> Result<Vec<Table>, EndgameError> {
    let mut tables = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let table = Table::new(Bytes::Static(bytes), start, None)?;
        start += table.head.length;
        tables.push(table);
    }
    Ok(tables)
}

/// The tables in a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, EndgameError> {
    if !folder.is_dir() {
        return Err(EndgameError::NoFolder);
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION)) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// How the names of tables end.
pub const EXTENSION: &str = "egt";

/// Opens a file and compares its checksums.
fn open(path: &Path) -> Result<Table, EndgameError> {
    if is_device(path) || path.is_dir() {
        return Err(EndgameError::NotTable);
    }
    let bytes = Bytes::map(path)?;
    let table = check(Table::new(bytes, 0, Some(path.to_path_buf()))?)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if name.parse() != Ok(table.head.family.clone()) {
        return Err(EndgameError::Misnamed(table.head.family));
    }
    Ok(table)
}

fn check(table: Table) -> Result<Table, EndgameError> {
    if table.bytes.len() != table.head.length {
        return Err(EndgameError::Damaged("something stands behind its end"));
    }
    table.head.check_sums(table.bytes())?;
    Ok(table)
}

/// Reads the table that these bytes are as far as a file is read, and unpacks every block: for fuzzing.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) fn read_bytes(bytes: &[u8]) -> Result<(), EndgameError> {
    let table = check(Table::new(Bytes::Owned(bytes.to_vec()), 0, None)?)?;
    if 2 * table.layout().positions() <= SMALL {
        for block in 0..2 * table.head.blocks {
            table.head.unpack(table.bytes(), block)?;
        }
    }
    Ok(())
}

/// Attackers and defenders of each side.
struct Material {
    /// Rooks, horses, cannons and pawns by colour.
    attackers: [[u8; PieceType::COUNT]; 2],
    defenders: [(u8, u8); 2],
}

impl Material {
    /// `None` with more attackers than any family has.
    fn of(board: &Board) -> Option<Material> {
        let mut attackers = [[0; PieceType::COUNT]; 2];
        let mut all = 0;
        let mut defenders = [(0, 0); 2];
        for color in Color::ALL {
            let count = |kind| board.count(Piece::new(color, kind)) as u8;
            for kind in [PieceType::Rook, PieceType::Horse, PieceType::Cannon, PieceType::Pawn] {
                attackers[color.index()][kind.index()] = count(kind);
                all += count(kind) as usize;
            }
            defenders[color.index()] = (count(PieceType::Advisor), count(PieceType::Elephant));
        }
        (all > 0 && all <= MAX_ATTACKERS).then_some(Material { attackers, defenders })
    }

    fn is_in(&self, family: &Family) -> bool {
        let fits = |side: usize, color: usize| {
            let side = &family.sides()[side];
            let (advisors, elephants) = self.defenders[color];
            let mut kinds = [0; PieceType::COUNT];
            side.attackers.iter().for_each(|kind| kinds[kind.index()] += 1);
            kinds == self.attackers[color] && side.defenders.covers(advisors, elephants)
        };
        fits(0, 0) && fits(1, 1) || fits(0, 1) && fits(1, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(fen: &str) -> Option<(EndgameResult, u16)> {
        let board = Board::from_fen(fen).unwrap();
        let outcome = Tables::builtin().probe(&board).map(|outcome| (outcome.result, outcome.plies));
        for other in [board.mirrored(), board.color_flipped(), board.color_flipped().mirrored()] {
            let other = Tables::builtin().probe(&other).map(|outcome| (outcome.result, outcome.plies));
            assert_eq!(other, outcome, "{fen}");
        }
        outcome
    }

    #[test]
    fn the_built_in_tables_answer() {
        assert!(Tables::builtin().families().any(|family| family.to_string() == "R-D"));
        assert_eq!(probe("3k5/9/9/9/9/9/9/9/R8/4K4 w"), Some((EndgameResult::Win, 1)));
        assert_eq!(probe("3k5/9/9/9/9/9/9/9/3R5/4K4 b"), Some((EndgameResult::Loss, 0)));
        assert_eq!(probe("2bak4/4a4/4b4/9/9/9/9/9/4R4/4K4 w"), Some((EndgameResult::Draw, 0)));
        assert_eq!(probe("4k4/9/9/9/9/9/9/9/RNC6/3K5 w"), None);
        assert_eq!(probe(crate::board::START_FEN), None);
        let bare = Board::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w").unwrap();
        assert_eq!(Tables::builtin().probe(&bare), None);
        assert_eq!(Tables::builtin().probe_or_bare(&bare).map(|outcome| outcome.result), Some(EndgameResult::Draw));
    }

    #[cfg(feature = "endgames")]
    #[test]
    fn tables_that_come_later_are_the_built_in_ones() {
        let mut bytes = include_bytes!("builtin.egts").to_vec();
        bytes[30] ^= 1;
        assert!(Tables::provide(bytes.clone()).is_err());
        bytes[30] ^= 1;
        assert!(Tables::provide(bytes.clone()).unwrap());
        let families = |tables: &Tables| tables.families().map(|family| family.to_string()).collect::<Vec<_>>();
        assert_eq!(families(Tables::builtin()), families(&Tables::new(builtin())));
        let first = Arc::as_ptr(Tables::builtin());
        assert!(!Tables::provide(bytes).unwrap());
        assert_eq!(Arc::as_ptr(Tables::builtin()), first);
    }

    #[test]
    fn a_line_of_best_play_is_as_long_as_its_distance() {
        let position = Position::from_fen("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w").unwrap();
        let tables = Tables::builtin();
        let line = tables.best_line(&position);
        assert_eq!(tables.probe(position.board()).map(|outcome| outcome.plies as usize), Some(line.len()));
        let end = line.iter().fold(*position.board(), |board, &mv| board.after(mv));
        assert!(!end.has_legal_move());
    }

    #[test]
    fn files_are_read_and_damaged_ones_named() {
        let table = &Tables::builtin().tables.iter().find(|table| table.head.family.to_string() == "P-D").unwrap();
        let bytes = table.bytes().to_vec();
        read_bytes(&bytes).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("P-D.egt");
        let open = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Tables::open(folder.path()).map(|tables| tables.list().iter().filter(|table| table.path.is_some()).count())
        };
        assert_eq!(open(&bytes).unwrap(), 1);
        let check = |bytes: &[u8]| {
            let error = open(bytes).unwrap_err().to_string();
            assert!(error.contains("P-D.egt: ") && !error.contains('\n'), "{error}");
            // The rest is used all the same.
            let (tables, errors) = Tables::open_lenient(&[folder.path().to_path_buf()]);
            assert_eq!((tables.tables.len(), errors.len()), (Tables::builtin().tables.len(), 1));
        };
        for length in (0..100).chain((100..bytes.len()).step_by(97)) {
            check(&bytes[..length]);
        }
        for at in (0..120).chain((120..bytes.len()).step_by(41)) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            check(&changed);
        }
        check(&[&bytes[..], b"x"].concat());
        std::fs::rename(&path, folder.path().join("R-D.egt")).unwrap();
        std::fs::write(folder.path().join("R-D.egt"), &bytes).unwrap();
        let error = Tables::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("R-D.egt: holds the family P-D"), "{error}");
        assert!(Tables::open(&folder.path().join("none")).is_err());
    }
}
