//! Tables that can be probed: the built-in ones and those of a folder.

mod verify;

pub use verify::{AtlasRow, Verified};

use super::error::EndgameError;
use super::family::{Family, MAX_ATTACKERS};
use super::file::{Block, Head};
use super::layout::{Layout, Placement};
use super::map::Bytes;
use super::outcome::{EndgameResult, Outcome};
use super::value::{self, DRAW, LIMIT, MATED, Value};
use crate::board::{Board, Position};
use crate::system::is_device;
use crate::types::{Color, Move, Piece, PieceType, sort_by};
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Bytes of decompressed blocks of large tables in the cache.
const MAX_CACHE: usize = 128 << 20;

/// The bytes passed to [`Tables::provide`].
static PROVIDED: OnceLock<Arc<Tables>> = OnceLock::new();

/// A table of one family.
struct Table {
    head: Head,
    bytes: Bytes,
    /// Offset of the table in the bytes.
    start: usize,
    path: Option<PathBuf>,
    /// The blocks of a small table, decompressed at first use; `None` for a damaged one.
    blocks: Vec<OnceLock<Option<Block>>>,
}

impl Table {
    fn new(bytes: Bytes, start: usize, path: Option<PathBuf>) -> Result<Table, EndgameError> {
        let head = Head::read(bytes.get(start..).unwrap_or(&[]))?;
        let blocks = if head.parts.is_small(head.layout.positions()) { head.parts.count() * head.blocks } else { 0 };
        Ok(Table { head, bytes, start, path, blocks: (0..blocks).map(|_| OnceLock::new()).collect() })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.head.length]
    }

    fn layout(&self) -> &Layout {
        &self.head.layout
    }

    fn unpack(&self, block: usize) -> Option<Block> {
        let unpacked = self.head.unpack(self.bytes(), block);
        unpacked.inspect_err(|error| log::warn!("{}: {error}", self.name())).ok()
    }

    /// Adds the file to an error of this table.
    fn named(&self, error: EndgameError) -> EndgameError {
        match &self.path {
            Some(path) => error.within(path),
            None => error,
        }
    }

    fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| format!("built-in {}", self.head.family), |path| path.display().to_string())
    }
}

/// A decompressed block of a large table in the cache; `used` orders the blocks by their last access.
struct CachedBlock {
    table: usize,
    block: usize,
    used: u64,
    values: Arc<Block>,
}

/// Endgame tables: the built-in ones, and those of a folder in addition. Cheap to share with [`Arc`]; probing takes a lock only for large
/// tables.
pub struct Tables {
    tables: Vec<Table>,
    /// The maximum number of pieces in a position of any of the families.
    max_pieces: usize,
    /// Every material covered by a table, sorted, with the table.
    by_material: Vec<(Material, usize)>,
    cache: Mutex<(u64, Vec<CachedBlock>)>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.families().map(|family| family.to_string())).finish()
    }
}

/// Description of a table, for lists.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// The family.
    pub family: Family,
    /// The file, `None` for a built-in table.
    pub path: Option<PathBuf>,
    /// Size of the table's index, for either side to move. Mirror images share a number, and many numbers stand for no legal position, so
    /// this is not the number of positions, for which see [`Verified`].
    pub positions: u64,
    /// Bytes of the table.
    pub bytes: u64,
}

/// Orders moves as their coordinates (`a0a1`) do.
fn coordinates(mv: Move) -> [u8; 4] {
    [mv.from().file(), mv.from().rank(), mv.to().file(), mv.to().rank()]
}

impl Tables {
    /// Provides tables loaded at run time as [`Tables::builtin`], for a build without the cargo feature `endgames`, such as on a web page,
    /// whose parts are downloaded and cached separately. The bytes are those of `builtin.egts`, one table after another; they are
    /// never freed. Only the first call has an effect: `Ok(false)` for all others.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn provide(bytes: Vec<u8>) -> Result<bool, EndgameError> {
        if PROVIDED.get().is_some() {
            return Ok(false);
        }
        let tables = concatenated(bytes.leak())?;
        if tables.is_empty() {
            return Err(EndgameError::NotTable);
        }
        // They come over a network, and only the first call counts.
        tables.iter().try_for_each(|table| table.head.check_sums(table.bytes()))?;
        Ok(PROVIDED.set(Arc::new(Tables::new(tables))).is_ok())
    }

    /// The built-in tables, or those that were provided; decompressed when they are first probed.
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
        let max_pieces = tables.iter().map(pieces).max().unwrap_or(0);
        let mut by_material: Vec<(Material, usize)> = Vec::new();
        // Of two tables with the same material, such as N-PD and N-P, one with distances to captures is used, then one that stays
        // decompressed, then the first.
        let worth = |at: usize| (tables[at].head.parts.has_captures, !tables[at].blocks.is_empty());
        for (at, table) in tables.iter().enumerate() {
            for material in materials_of(&table.head.family) {
                match by_material.binary_search_by_key(&material, |&(known, _)| known) {
                    Ok(index) if worth(at) > worth(by_material[index].1) => by_material[index].1 = at,
                    Ok(_) => {}
                    Err(index) => by_material.insert(index, (material, at)),
                }
            }
        }
        Tables { tables, max_pieces, by_material, cache: Mutex::new((0, Vec::new())) }
    }

    /// The built-in tables and those of a folder: its files `*.egt`, as written by `chuhe endgame build`. Every file is read once
    /// and its checksums are verified. A file of a built-in family replaces the built-in table.
    ///
    /// # Errors
    /// The first file that cannot be used, and the reason. See [`Tables::open_lenient`] to continue without it.
    pub fn open(folder: &Path) -> Result<Tables, EndgameError> {
        let (tables, mut errors) = Tables::open_lenient(&[folder.to_path_buf()]);
        // Tables may come later.
        errors.retain(|error| !error.is_empty_folder());
        if errors.is_empty() { Ok(tables) } else { Err(errors.swap_remove(0)) }
    }

    /// As [`Tables::open`] for several folders, but files that cannot be used and folders without a table are ignored and reported. Of two
    /// files of one family the first is used.
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
        list.sort_by_cached_key(|info| info.family.to_string());
        list
    }

    /// The maximum number of pieces, including kings, of a position in any table: positions with more need not be probed.
    #[inline]
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// Whether there are tables of which a probe may have to decompress a block, which takes as long as thousands of nodes.
    pub(crate) fn has_large(&self) -> bool {
        self.tables.iter().any(|table| table.blocks.is_empty())
    }

    /// Whether the table of a position is one of those.
    pub(crate) fn is_large(&self, board: &Board) -> bool {
        self.table_of(board).is_some_and(|at| self.tables[at].blocks.is_empty())
    }

    /// The exact result of a position, regardless of its history; `None` if no table has its material. Either colour may be the attacker.
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
        if board.occupied().len() > self.max_pieces {
            return None;
        }
        self.probe_few(board)
    }

    #[inline(never)]
    fn probe_few(&self, board: &Board) -> Option<Outcome> {
        let at = self.table_of(board)?;
        let (placement, side) = self.tables[at].layout().of_board(board)?;
        let value = self.value(at, side, &placement)?;
        let count = if value::is_mate(value) { self.count(at, side, &placement) } else { None };
        let to_capture = count.filter(|count| (MATED..=LIMIT + 1).contains(count)).map(|count| u16::from(count - MATED));
        Some(Outcome { to_capture, ..Outcome::of(value) })
    }

    /// The table with the material of a board.
    fn table_of(&self, board: &Board) -> Option<usize> {
        let material = material_of(board)?;
        let found = self.by_material.binary_search_by_key(&material, |&(material, _)| material).ok()?;
        Some(self.by_material[found].1)
    }

    /// The results of all legal moves of a position, each for the side that is then to move, the opponent. `None` for moves into positions without a
    /// table; a move after which neither side has a piece that can cross the river draws, unless it ends the game.
    pub fn probe_moves(&self, board: &Board) -> Vec<(Move, Option<Outcome>)> {
        board.legal_moves().into_iter().map(|mv| (mv, self.probe_or_bare(&board.after(mv)))).collect()
    }

    /// The results of all legal moves for the side that makes them, best first. `None` for moves into positions without a table, which rank
    /// between draws and losses.
    pub fn ranked_moves(&self, board: &Board) -> Vec<(Move, Option<Outcome>)> {
        let before = |(mv, after): (Move, Option<Outcome>)| {
            let is_capture = board.piece_on(mv.to()).is_some();
            let before = after.map(|after| {
                let before = after.before();
                // A capture resets the clock: the rest must be in time.
                let is_in_time = after.result != EndgameResult::Draw && !after.by_repetition && !after.is_beyond_limit(0);
                Outcome { to_capture: if is_capture { is_in_time.then_some(1) } else { before.to_capture }, ..before }
            });
            (mv, before)
        };
        let mut moves: Vec<(Move, Option<Outcome>)> = self.probe_moves(board).into_iter().map(before).collect();
        let rank = |&(mv, outcome): &(Move, Option<Outcome>)| (outcome.map_or(Outcome::UNKNOWN, Outcome::rank), coordinates(mv));
        sort_by(&mut moves, |a, b| rank(a).cmp(&rank(b)));
        moves
    }

    /// As [`Tables::probe`], but a draw if neither side has a piece that can cross the river.
    pub fn probe_or_bare(&self, board: &Board) -> Option<Outcome> {
        let is_bare = Color::ALL.into_iter().all(|color| !board.has_attackers(color));
        if is_bare { Some(Outcome::of(if board.has_legal_move() { DRAW } else { value::LOST_NOW })) } else { self.probe(board) }
    }

    /// The moves of best play from a position: the winner plays the shortest win, the loser the longest loss; of equal moves the first in
    /// coordinate order. Empty if the result is a draw or unknown. Ends at mate, or where a win depends on repetition.
    pub fn best_line(&self, position: &Position) -> Vec<Move> {
        let mut board = *position.board();
        let mut line = Vec::new();
        while let Some(outcome) = self.probe(&board).filter(|outcome| outcome.result != EndgameResult::Draw && outcome.plies > 0)
        {
            let wins = outcome.result == EndgameResult::Win;
            let fits = |next: &Outcome| {
                (next.result == if wins { EndgameResult::Loss } else { EndgameResult::Win })
                    && next.by_repetition == outcome.by_repetition
                    && next.plies + 1 == outcome.plies
            };
            let moves = self.probe_moves(&board).into_iter().filter(|(_, next)| next.as_ref().is_some_and(fits));
            let Some(mv) = moves.map(|(mv, _)| mv).min_by_key(|&mv| coordinates(mv)) else { break };
            line.push(mv);
            board = board.after(mv);
        }
        line
    }

    /// The value of a placement with a side to move; `None` if the block is damaged.
    fn value(&self, at: usize, side: usize, placement: &Placement) -> Option<Value> {
        self.look_up(at, side, placement, Block::value)
    }

    /// The distance of a placement to the next capture; `None` if the table has none.
    fn count(&self, at: usize, side: usize, placement: &Placement) -> Option<u8> {
        if self.tables[at].head.parts.has_captures { self.look_up(at, 2 + side, placement, Block::count) } else { None }
    }

    /// The entry of a part of a table for a placement: parts 0 and 1 have the values by the side to move, 2 and 3 the distances to the next capture.
    #[inline]
    fn look_up<T>(&self, at: usize, part: usize, placement: &Placement, read: impl Fn(&Block, usize) -> T) -> Option<T> {
        let table = &self.tables[at];
        let number = table.layout().number(placement)?;
        let (block, within) = table.head.location(part, number);
        if let Some(cell) = table.blocks.get(block) {
            return cell.get_or_init(|| table.unpack(block)).as_ref().map(|values| read(values, within));
        }
        self.block(at, block).map(|values| read(&values, within))
    }

    /// The index of the table of a family.
    fn find(&self, family: &Family) -> Option<usize> {
        self.families().position(|other| other == family)
    }

    /// The bytes of a table.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn bytes_of(&self, family: &Family) -> Option<&[u8]> {
        self.find(family).map(|at| self.tables[at].bytes())
    }

    /// A block of a large table.
    fn block(&self, table: usize, block: usize) -> Option<Arc<Block>> {
        {
            let (clock, cache) = &mut *self.cache.lock();
            *clock += 1;
            if let Some(found) = cache.iter_mut().find(|cached| cached.table == table && cached.block == block) {
                found.used = *clock;
                return Some(found.values.clone());
            }
        }
        // Decompressed without the lock: two threads may do so at the same time, which is slower than waiting, but never blocks the others.
        let values = Arc::new(self.tables[table].unpack(block)?);
        let (clock, cache) = &mut *self.cache.lock();
        // The copies of several threads would push out other blocks.
        if let Some(found) = cache.iter().find(|cached| cached.table == table && cached.block == block) {
            return Some(found.values.clone());
        }
        let mut size: usize = cache.iter().map(|cached| cached.values.size()).sum();
        // One block may take the place of two: those of values with two bytes are twice as large as others.
        while size + values.size() > MAX_CACHE
            && let Some(oldest) = (0..cache.len()).min_by_key(|&at| cache[at].used)
        {
            size -= cache.swap_remove(oldest).values.size();
        }
        cache.push(CachedBlock { table, block, used: *clock, values: values.clone() });
        Some(values)
    }
}

/// The built-in tables.
fn builtin() -> Vec<Table> {
    #[cfg(feature = "endgames")]
    static BYTES: &[u8] = include_bytes!("builtin.egts");
    #[cfg(not(feature = "endgames"))]
    static BYTES: &[u8] = &[];
    // A test reads the pinned file.
    concatenated(BYTES).unwrap_or_default()
}

/// Tables stored one after another.
fn concatenated(bytes: &'static [u8]) -> Result<Vec<Table>, EndgameError> {
    let mut tables = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let table = Table::new(Bytes::Static(bytes), start, None)?;
        start += table.head.length;
        tables.push(table);
    }
    Ok(tables)
}

/// The tables in a folder, at least one, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, EndgameError> {
    if !folder.is_dir() {
        return Err(EndgameError::NoFolder);
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // macOS adds `._R-D.egt` to each file that it copies to other file systems.
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION)) {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(EndgameError::EmptyFolder);
    }
    paths.sort_unstable();
    Ok(paths)
}

/// The extension of tables.
pub const EXTENSION: &str = "egt";

/// Opens a file and verifies its checksums.
fn open(path: &Path) -> Result<Table, EndgameError> {
    if is_device(path) || path.is_dir() {
        return Err(EndgameError::NotFile);
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
        return Err(EndgameError::Damaged("something follows its end"));
    }
    table.head.check_sums(table.bytes())?;
    Ok(table)
}

/// Reads a table from bytes as from a file, and decompresses every block: for fuzzing.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) fn read_bytes(bytes: &[u8]) -> Result<(), EndgameError> {
    let table = check(Table::new(Bytes::Owned(bytes.to_vec()), 0, None)?)?;
    if table.head.parts.is_small(table.layout().positions()) {
        for block in 0..table.head.parts.count() * table.head.blocks {
            table.head.unpack(table.bytes(), block)?;
        }
    }
    Ok(())
}

/// The pieces on the board except the kings: for each colour the numbers of rooks, horses, cannons, pawns, advisors and elephants, in two
/// bits each. Families have at most three of a kind.
type Material = u32;

/// Bits of a number of pieces.
const COUNT_BITS: usize = 2;
/// Kinds that attack, then those that defend.
const KINDS: [PieceType; 6] =
    [PieceType::Rook, PieceType::Horse, PieceType::Cannon, PieceType::Pawn, PieceType::Advisor, PieceType::Elephant];
/// Number of kinds that attack.
const ATTACKING: usize = 4;

/// The lowest bit of the count of a kind.
fn shift(color: usize, kind: usize) -> usize {
    (color * KINDS.len() + kind) * COUNT_BITS
}

/// The material of a board; `None` with more attackers than any family has, or none.
fn material_of(board: &Board) -> Option<Material> {
    let (mut material, mut attackers) = (0, 0);
    for (kind, &of_kind) in KINDS.iter().enumerate() {
        if kind == ATTACKING && attackers == 0 {
            return None;
        }
        for color in Color::ALL {
            let count = board.count(Piece::new(color, of_kind));
            attackers += if kind < ATTACKING { count } else { 0 };
            if attackers > MAX_ATTACKERS {
                return None;
            }
            material |= (count as Material) << shift(color.index(), kind);
        }
    }
    Some(material)
}

/// All materials of a family, with either colour as its first side.
fn materials_of(family: &Family) -> Vec<Material> {
    let of_side = |side: usize, color: usize| {
        let super::Side { attackers, defenders } = &family.sides()[side];
        let attacking = KINDS.iter().enumerate().take(ATTACKING).fold(0, |material, (kind, of_kind)| {
            material | (attackers.iter().filter(|&other| other == of_kind).count() as Material) << shift(color, kind)
        });
        let pairs = (0..3).flat_map(|advisors| (0..3).map(move |elephants| (advisors, elephants)));
        let pairs = pairs.filter(|&(advisors, elephants)| defenders.covers(advisors, elephants));
        pairs
            .map(|(advisors, elephants)| {
                attacking
                    | (advisors as Material) << shift(color, ATTACKING)
                    | (elephants as Material) << shift(color, ATTACKING + 1)
            })
            .collect::<Vec<Material>>()
    };
    let mut all = Vec::new();
    for [red, black] in [[0, 1], [1, 0]] {
        for red in of_side(red, 0) {
            all.extend(of_side(black, 1).into_iter().map(|black| red | black));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::{Solver, file};

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
        // The last block of the last table.
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert!(Tables::provide(bytes.clone()).is_err());
        bytes[last] ^= 1;
        assert!(Tables::provide(Vec::new()).is_err());
        assert!(Tables::provide(bytes.clone()).unwrap());
        let families = |tables: &Tables| tables.families().map(|family| family.to_string()).collect::<Vec<_>>();
        assert_eq!(families(Tables::builtin()), families(&Tables::new(builtin())));
        let first = Arc::as_ptr(Tables::builtin());
        assert!(!Tables::provide(bytes).unwrap());
        assert_eq!(Arc::as_ptr(Tables::builtin()), first);
    }

    #[test]
    fn two_bytes_a_value_are_probed_and_verified_as_one() {
        let family: Family = "R-N".parse().unwrap();
        let solution = Solver::new(2, &|_, _| {}).solve(&family).unwrap();
        // Windows cannot overwrite a mapped file.
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let write = |folder: &tempfile::TempDir| {
            std::fs::write(folder.path().join("R-N.egt"), file::write_in(2, &solution, 2, &|_, _| {}).unwrap()).unwrap();
            Tables::open(folder.path()).unwrap()
        };
        let (wide, narrow) = (write(&folders[0]), Tables::builtin());
        let verify = |tables: &Tables| tables.verify(&family, 2, &|_, _| {}).map(|verified| verified.positions);
        assert_eq!(verify(&wide).unwrap(), verify(narrow).unwrap());
        let atlas = |tables: &Tables| format!("{:?}", tables.atlas(&family, 2).unwrap());
        assert_eq!(atlas(&wide), atlas(narrow));
        let layout = &solution.layout;
        let mut by_repetition = 0;
        for (number, side) in (0..layout.positions()).step_by(97).flat_map(|number| [(number, 0), (number, 1)]) {
            let Ok(board) = layout.board(&layout.placement(number), side) else { continue };
            let outcome = wide.probe(&board);
            assert_eq!(outcome, narrow.probe(&board), "{}", board.to_fen());
            by_repetition += outcome.unwrap().by_repetition as usize;
        }
        assert!(by_repetition > 5);
        // A value that does not follow from the moves is detected, and described in the error.
        let number = (0..layout.positions()).find(|&number| solution.value(0, number) == 6).unwrap();
        solution.set(0, number, 300);
        let error = verify(&write(&folders[1])).unwrap_err().to_string();
        assert!(error.contains("R-N.egt: ") && error.ends_with(": a win in 299, expected a win in 5 from its moves"), "{error}");
    }

    #[test]
    fn of_two_tables_the_one_with_distances_to_captures_is_used() {
        let mut solver = Solver::new(2, &|_, _| {});
        solver.captures_from = 0;
        let counted = file::write(&solver.solve(&"P-".parse().unwrap()).unwrap(), 1, &|_, _| {}).unwrap();
        // It contains the other's positions, and comes first.
        let plain = Tables::builtin().bytes_of(&"P-D".parse().unwrap()).unwrap().to_vec();
        let tables = Tables::new([plain, counted].map(|bytes| Table::new(Bytes::Owned(bytes), 0, None).unwrap()).into());
        let layout = tables.tables[1].layout();
        let boards = (0..layout.positions()).filter_map(|number| layout.board(&layout.placement(number), 0).ok());
        let outcomes = boards.filter_map(|board| tables.probe(&board));
        let wins: Vec<Outcome> = outcomes.filter(|outcome| outcome.result == EndgameResult::Win).collect();
        assert!(wins.len() > 100 && wins.iter().all(|outcome| outcome.to_capture.is_some()));
    }

    #[test]
    fn wins_beyond_the_limit_come_after_those_in_time() {
        let win = |plies, to_capture| Outcome { result: EndgameResult::Win, plies, by_repetition: false, to_capture };
        let [near, far, saved, beyond] = [win(119, None), win(240, None), win(240, Some(119)), win(129, Some(121))];
        assert_eq!([near, far, saved, beyond].map(|outcome| outcome.is_beyond_limit(0)), [false, true, false, true]);
        let lost = |outcome: Outcome| Outcome { result: EndgameResult::Loss, ..outcome };
        let draw = Outcome::of(DRAW);
        let mut ranks = [lost(near), lost(far), draw, beyond, far, saved, near].map(Outcome::rank);
        ranks.sort();
        assert_eq!(ranks, [near, saved, beyond, far, draw, lost(far), lost(near)].map(Outcome::rank));
        assert!(draw.rank() < Outcome::UNKNOWN && Outcome::UNKNOWN < lost(far).rank());
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
        let bytes = Tables::builtin().bytes_of(&"P-D".parse().unwrap()).unwrap().to_vec();
        read_bytes(&bytes).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (_, errors) = Tables::open_lenient(&[folder.path().to_path_buf()]);
        assert!(
            errors[0].to_string().ends_with(": no endgame table (.egt) in the folder") && Tables::open(folder.path()).is_ok()
        );
        let path = folder.path().join("P-D.egt");
        let open = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Tables::open(folder.path()).map(|tables| tables.list().iter().filter(|table| table.path.is_some()).count())
        };
        assert_eq!(open(&bytes).unwrap(), 1);
        let check = |bytes: &[u8]| {
            let error = open(bytes).unwrap_err().to_string();
            assert!(error.contains("P-D.egt: ") && !error.contains('\n'), "{error}");
            // The other tables are still used.
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
