//! Drop-out expansion (T. R. Lincke, "Strategies for the automatic construction of opening books", 2000), simplified: the next
//! position to be searched is the one whose path from the start has the smallest loss, with a penalty for every ply; its best move
//! and those that are nearly as good are added to the book, and the positions after them are queued.
//!
//! Every search starts with an empty table on one thread and has a node limit, so its result depends on the position
//! alone. Results are kept in a journal: a run that resumes after an interruption, or extends the book further, repeats no search and
//! gives the same book.

use super::{open_cut, search, start, stored, text_so_far};
use crate::{at, at_line};
use chuhe::board::Board;
use chuhe::book::Contents;
use chuhe::book::key::book_key;
use chuhe::notation::{self, System};
use chuhe::search::Limits;
use chuhe::threads::Pool;
use chuhe::types::Move;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Positions that are searched before the queue is evaluated again. Fixed, so that the result does not depend on the number
/// of threads.
const BATCH: usize = 16;
/// Penalty for a ply with a move of the sources, in centipawns: hand-written lines are extended first.
const OWN_PLY: i32 = 3;
/// Penalty for a ply with a grown move, from the minimum length of lines on; up to there a line is extended immediately.
const GROWN_PLY: i32 = 5;
/// Penalty for a grown move that is not the best, in addition to its loss: lines are extended before they branch.
const ALTERNATIVE: i32 = 30;
/// Weight of a grown move that loses nothing.
const BEST_WEIGHT: f64 = 20.0;
/// Centipawns that halve a weight.
const HALVING: f64 = 12.0;
/// Size of the transposition table of a search in MiB.
const HASH: usize = 8;

/// The settings of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Growth {
    /// Target number of positions with moves.
    pub positions: usize,
    /// Nodes per search.
    pub nodes: u64,
    /// Maximum length of a line in plies from the start of the game.
    pub max_plies: usize,
    /// Minimum length of a line in plies from the start of the game: shorter lines are extended with best moves.
    pub min_plies: usize,
    /// From this ply on only best moves are added.
    pub branch_plies: usize,
    /// Maximum loss of an added move in centipawns.
    pub margin: i32,
    /// Maximum number of moves considered in a position.
    pub width: usize,
    /// Positions searched in parallel.
    pub threads: usize,
    /// Moves, in the book's form, that lose too much according to a deeper search. They are recorded in the journal.
    pub refused: HashSet<(String, Move)>,
}

/// Scores of the moves of a position, best first.
type Scores = Vec<(Move, i32)>;

/// Marks a rejected move in the journal.
const REFUSED: char = '!';

/// The results of the searches, and the rejected moves.
struct Journal {
    path: PathBuf,
    known: HashMap<String, Scores>,
    refused: HashSet<(String, Move)>,
    file: std::fs::File,
}

impl Journal {
    fn open(path: &Path, growth: &Growth) -> anyhow::Result<Journal> {
        let failed = at(path);
        let head = format!("# nodes {} width {}", growth.nodes, growth.width);
        let text = text_so_far(path)?;
        if text.lines().next().is_some_and(|line| line != head) {
            return Err(at_line(path, 1, format!("'{head}': this is another run's journal")));
        }
        let (mut known, mut refused) = (HashMap::new(), HashSet::new());
        // A last line without a line end is incomplete.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        for line in whole.lines().skip(1) {
            let Some((fen, scores)) = line.split_once('\t') else { continue };
            if let Some(mv) = scores.strip_prefix(REFUSED).and_then(|mv| Move::from_uci(mv).ok()) {
                refused.insert((fen.to_string(), mv));
                continue;
            }
            let scores = scores.split(' ').filter_map(|word| {
                let (mv, score) = word.split_once(':')?;
                Some((Move::from_uci(mv).ok()?, score.parse().ok()?))
            });
            known.insert(fen.to_string(), scores.collect());
        }
        let mut file = open_cut(path, whole.len())?;
        if whole.is_empty() {
            writeln!(file, "{head}").map_err(failed)?;
        }
        let mut journal = Journal { path: path.into(), known, refused, file };
        let mut new: Vec<&(String, Move)> = growth.refused.iter().filter(|place| !journal.refused.contains(place)).collect();
        new.sort();
        for (fen, mv) in new {
            writeln!(journal.file, "{fen}\t{REFUSED}{mv}").map_err(failed)?;
        }
        journal.refused.extend(growth.refused.iter().cloned());
        Ok(journal)
    }

    fn add(&mut self, fen: &str, scores: &Scores) -> anyhow::Result<()> {
        let words: Vec<String> = scores.iter().map(|(mv, score)| format!("{mv}:{score}")).collect();
        writeln!(self.file, "{fen}\t{}", words.join(" ")).map_err(at(&self.path))?;
        self.known.insert(fen.to_string(), scores.clone());
        Ok(())
    }
}

/// A move of the growing book.
#[derive(Clone, Copy, Debug)]
struct Edge {
    mv: Move,
    /// None for a move of the sources.
    grown: Option<u32>,
    loss: i32,
    is_best: bool,
}

/// A book with the added moves.
pub struct Grown {
    edges: BTreeMap<u64, Vec<Edge>>,
    /// Positions with moves.
    pub positions: usize,
    /// Moves that were added.
    pub added: usize,
}

/// Extends a book. `progress` gets the number of positions that have moves.
///
/// # Errors
/// When the journal cannot be read or written.
pub fn grow(contents: &Contents, growth: &Growth, journal: &Path, progress: &dyn Fn(usize)) -> anyhow::Result<Grown> {
    let mut grower = Grower {
        contents,
        growth,
        journal: Journal::open(journal, growth)?,
        pools: (0..growth.threads.max(1)).map(|_| Pool::new(1, HASH)).collect(),
        grown: Grown { edges: BTreeMap::new(), positions: 0, added: 0 },
        progress,
    };
    grower.expand_best_first()?;
    grower.grown.drop_unextended(growth.min_plies);
    grower.extend_short_lines()?;
    let mut grown = grower.grown;
    grown.positions = grown.edges.values().filter(|edges| !edges.is_empty()).count();
    grown.added = grown.edges.values().flatten().filter(|edge| edge.grown.is_some()).count();
    Ok(grown)
}

/// The state of a run.
struct Grower<'a> {
    contents: &'a Contents,
    growth: &'a Growth,
    journal: Journal,
    pools: Vec<Pool>,
    grown: Grown,
    progress: &'a dyn Fn(usize),
}

impl Grower<'_> {
    /// The drop-out expansion.
    fn expand_best_first(&mut self) -> anyhow::Result<()> {
        let growth = self.growth;
        let mut cheapest: HashMap<u64, i32> = HashMap::new();
        let mut waiting = BinaryHeap::new();
        let mut boards: HashMap<u64, Board> = HashMap::new();
        let root = stored(&start());
        waiting.push(Reverse((0, 0usize, root.key())));
        boards.insert(root.key(), root);
        while self.grown.positions < growth.positions {
            let mut batch: Vec<(i32, usize, Board)> = Vec::new();
            while batch.len() < BATCH.min(growth.positions - self.grown.positions) {
                let Some(Reverse((cost, ply, key))) = waiting.pop() else { break };
                let is_new = !self.grown.edges.contains_key(&key) && batch.iter().all(|(_, _, board)| board.key() != key);
                if let Some(board) = boards.get(&key).filter(|_| is_new) {
                    batch.push((cost, ply, *board));
                }
            }
            if batch.is_empty() {
                break;
            }
            let to_search: Vec<Board> = batch.iter().map(|(_, _, board)| *board).collect();
            self.search_missing(&to_search)?;
            for (cost, ply, board) in batch {
                let width = if ply < growth.branch_plies { growth.width } else { 1 };
                for edge in self.expand(&board, width) {
                    let child = stored(&board.after(edge.mv));
                    let charge = match edge.grown {
                        None => OWN_PLY,
                        Some(_) if edge.is_best && ply + 1 < growth.min_plies => 0,
                        Some(_) if edge.is_best => GROWN_PLY,
                        Some(_) => GROWN_PLY + ALTERNATIVE,
                    };
                    let cost = cost + charge + edge.loss.clamp(0, 1000);
                    let is_better = cheapest.get(&child.key()).is_none_or(|&known| cost < known);
                    if is_better && ply + 1 < growth.max_plies {
                        cheapest.insert(child.key(), cost);
                        boards.insert(child.key(), child);
                        waiting.push(Reverse((cost, ply + 1, child.key())));
                    }
                }
            }
        }
        Ok(())
    }

    /// Extends lines that end too early with best moves.
    fn extend_short_lines(&mut self) -> anyhow::Result<()> {
        loop {
            let mut ends: Vec<Board> = Vec::new();
            self.grown.walk(|grown, ply, board| {
                if ply < self.growth.min_plies && !grown.edges.contains_key(&board.key()) {
                    ends.push(*board);
                }
            });
            if ends.is_empty() {
                return Ok(());
            }
            for ends in ends.chunks(BATCH) {
                self.search_missing(ends)?;
                for board in ends {
                    self.expand(board, 1);
                }
            }
        }
    }

    /// Searches positions that are not in the journal, or for which it has only rejected moves.
    fn search_missing(&mut self, boards: &[Board]) -> anyhow::Result<()> {
        let journal = &self.journal;
        let missing: Vec<(Board, Scores)> = boards
            .iter()
            .filter_map(|board| {
                let fen = board.to_fen();
                let Some(known) = journal.known.get(&fen) else { return Some((*board, Scores::new())) };
                let all_refused = known.iter().all(|(mv, _)| journal.refused.contains(&(fen.clone(), *mv)));
                (all_refused && known.len() < board.legal_moves().len()).then(|| (*board, known.clone()))
            })
            .collect();
        for (board, scores) in search_all(&mut self.pools, &missing, self.contents, self.growth) {
            self.journal.add(&board.to_fen(), &scores)?;
        }
        Ok(())
    }

    /// Adds the moves of a position and returns them.
    fn expand(&mut self, board: &Board, width: usize) -> Vec<Edge> {
        let scores = self.journal.known.get(&board.to_fen()).cloned().unwrap_or_default();
        let grown = &self.grown;
        let (fen, refused) = (board.to_fen(), &self.journal.refused);
        // Best moves that only wait lead to cycles, which are not allowed in a source.
        let is_wanted =
            |mv: Move| !refused.contains(&(fen.clone(), mv)) && !grown.reaches(&stored(&board.after(mv)), board.key());
        let edges = edges_of(board, self.contents, &scores, self.growth.margin, width, &is_wanted);
        self.grown.positions += !edges.is_empty() as usize;
        self.grown.edges.insert(board.key(), edges.clone());
        (self.progress)(self.grown.positions);
        edges
    }
}

/// The moves of the sources in a position in stored form.
fn own_moves(board: &Board, contents: &Contents) -> Vec<Move> {
    let (key, _) = book_key(board);
    contents.of(key).iter().map(|entry| entry.mv).filter(|&mv| board.is_legal(mv)).collect()
}

fn search_all(pools: &mut [Pool], boards: &[(Board, Scores)], contents: &Contents, growth: &Growth) -> Vec<(Board, Scores)> {
    let share = boards.len().div_ceil(pools.len()).max(1);
    std::thread::scope(|scope| {
        let handles: Vec<_> = pools
            .iter_mut()
            .zip(boards.chunks(share))
            .map(|(pool, boards)| {
                let search = move || -> Vec<(Board, Scores)> {
                    boards.iter().map(|(board, known)| (*board, scores_of(pool, board, known, contents, growth))).collect()
                };
                scope.spawn(search)
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    })
}

/// The scores of the best moves and of all moves of the sources; already known scores come first.
fn scores_of(pool: &mut Pool, board: &Board, known: &Scores, contents: &Contents, growth: &Growth) -> Scores {
    pool.clear();
    let limits = Limits { nodes: Some(growth.nodes), ..Limits::none() };
    let (_, orientation) = book_key(board);
    let mut scores = known.clone();
    let mut take = |found: Scores| {
        for (mv, score) in found {
            let mv = orientation.stored(mv);
            let mv = if board.is_legal(mv) { mv } else { orientation.played(mv) };
            if scores.iter().all(|(known, _)| *known != mv) {
                scores.push((mv, score));
            }
        }
    };
    let forms = |mv: Move| [mv, orientation.stored(mv)];
    let is_new = |mv: &Move| known.iter().all(|(known, _)| !forms(*mv).contains(known));
    let wanted: Vec<Move> = board.legal_moves().iter().copied().filter(is_new).collect();
    take(search(pool, board, if known.is_empty() { &[] } else { &wanted }, growth.width, &limits));
    let own = own_moves(board, contents);
    let missing: Vec<Move> = own.into_iter().filter(|mv| scores.iter().all(|(known, _)| known != mv)).collect();
    if !missing.is_empty() {
        let found = search(pool, board, &missing, missing.len(), &limits);
        scores.extend(found);
    }
    scores.sort_by_key(|&(mv, score)| (Reverse(score), mv));
    scores
}

/// The moves of a position: those of the sources, and the best of the other allowed ones.
fn edges_of(
    board: &Board,
    contents: &Contents,
    scores: &Scores,
    margin: i32,
    width: usize,
    is_wanted: &dyn Fn(Move) -> bool,
) -> Vec<Edge> {
    let own = own_moves(board, contents);
    let best = scores.first().map_or(0, |(_, score)| *score);
    let mut edges: Vec<Edge> = Vec::new();
    for &(mv, score) in scores {
        let (loss, is_best) = (best - score, edges.is_empty());
        if own.contains(&mv) {
            edges.push(Edge { mv, grown: None, loss, is_best });
        } else if (loss <= margin || edges.is_empty()) && edges.len() < width && is_wanted(mv) {
            let weight = (BEST_WEIGHT * (-(loss as f64) / HALVING).exp2()).round().max(1.0) as u32;
            edges.push(Edge { mv, grown: Some(weight), loss, is_best });
        }
    }
    edges
}

impl Grown {
    /// Visits every reachable position once, in breadth-first order from the start of the game.
    fn walk(&self, mut visit: impl FnMut(&Grown, usize, &Board)) {
        let root = stored(&start());
        let mut seen = HashSet::from([root.key()]);
        let mut waiting = VecDeque::from([(0, root)]);
        while let Some((ply, board)) = waiting.pop_front() {
            visit(self, ply, &board);
            for edge in self.edges.get(&board.key()).into_iter().flatten() {
                let child = stored(&board.after(edge.mv));
                if seen.insert(child.key()) {
                    waiting.push_back((ply + 1, child));
                }
            }
        }
    }

    /// Whether a position is reachable from another or equal to it.
    fn reaches(&self, from: &Board, goal: u64) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![*from];
        while let Some(board) = waiting.pop() {
            if board.key() == goal {
                return true;
            }
            if seen.insert(board.key()) {
                let edges = self.edges.get(&board.key()).into_iter().flatten();
                waiting.extend(edges.map(|edge| stored(&board.after(edge.mv))));
            }
        }
        false
    }

    /// Removes the grown alternatives of the first plies that were not extended.
    fn drop_unextended(&mut self, min_plies: usize) {
        let mut stumps: Vec<(u64, Move)> = Vec::new();
        self.walk(|grown, ply, board| {
            for edge in grown.edges.get(&board.key()).into_iter().flatten() {
                let is_end = !grown.edges.contains_key(&stored(&board.after(edge.mv)).key());
                if is_end && ply + 1 < min_plies && edge.grown.is_some() && !edge.is_best {
                    stumps.push((board.key(), edge.mv));
                }
            }
        });
        for (key, mv) in stumps {
            self.edges.entry(key).and_modify(|edges| edges.retain(|edge| edge.mv != mv));
        }
    }

    /// The grown moves as a source file, with moves of the other sources only where they lead to a grown move.
    pub fn text(&self) -> String {
        let mut needed = HashMap::new();
        self.is_needed(&stored(&start()), &mut needed);
        let mut text = String::new();
        self.write(&start(), 0, String::new(), &needed, &mut HashSet::new(), &mut text);
        text
    }

    /// Whether there is a grown move in the position or below it.
    fn is_needed(&self, board: &Board, known: &mut HashMap<u64, bool>) -> bool {
        if let Some(&needed) = known.get(&board.key()) {
            return needed;
        }
        // A cycle leads to no new position.
        known.insert(board.key(), false);
        let mut needed = false;
        for edge in self.edges.get(&board.key()).into_iter().flatten() {
            needed |= self.is_needed(&stored(&board.after(edge.mv)), known) || edge.grown.is_some();
        }
        known.insert(board.key(), needed);
        needed
    }

    fn write(
        &self,
        board: &Board,
        indent: usize,
        mut line: String,
        needed: &HashMap<u64, bool>,
        seen: &mut HashSet<u64>,
        text: &mut String,
    ) {
        let (key, orientation) = book_key(board);
        let end = |line: &str, text: &mut String| {
            if !line.is_empty() {
                text.push_str(&format!("{:indent$}{line}\n", "", indent = 2 * indent));
            }
        };
        let branches: Vec<(String, Board)> = if seen.insert(key) {
            let edges = self.edges.get(&key).into_iter().flatten();
            let written = edges.filter_map(|edge| {
                let mv = orientation.played(edge.mv);
                let next = board.after(mv);
                let leads_on = needed.get(&book_key(&next).0).is_some_and(|&needed| needed);
                let word = notation::write(System::Wxf, board, mv);
                match edge.grown {
                    Some(weight) => Some((format!("{word}*{weight}"), next)),
                    None => leads_on.then_some((word, next)),
                }
            });
            written.collect()
        } else {
            Vec::new()
        };
        match branches.as_slice() {
            [] => end(&line, text),
            [(word, next)] if line.len() < 100 => {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
                self.write(next, indent, line, needed, seen, text);
            }
            branches => {
                end(&line, text);
                let deeper = indent + !line.is_empty() as usize;
                for (word, next) in branches {
                    self.write(next, deeper, word.clone(), needed, seen, text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::compile::Compiler;

    fn compiled(sources: &[&str]) -> Contents {
        let mut compiler = Compiler::new().unwrap();
        for (index, source) in sources.iter().enumerate() {
            compiler.read(&format!("source {index}"), source).unwrap();
        }
        compiler.finish().unwrap()
    }

    #[test]
    fn growing_is_reproducible_and_can_be_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let source = "C2.5*60 \"Central Cannon\" \"中炮\"\n  H8+7 H2+3\nP7+1*30\n";
        let contents = compiled(&[source]);
        let growth = Growth {
            positions: 40,
            nodes: 300,
            max_plies: 8,
            min_plies: 6,
            branch_plies: 5,
            margin: 30,
            width: 3,
            threads: 1,
            refused: HashSet::new(),
        };
        let journal = |name: &str| folder.path().join(name);
        let whole = grow(&contents, &growth, &journal("a"), &|_| {}).unwrap();
        let text = whole.text();
        // In two steps, with two threads, and with a journal whose last line is incomplete.
        let half = Growth { positions: 20, threads: 2, ..growth.clone() };
        grow(&contents, &half, &journal("b"), &|_| {}).unwrap();
        let cut = std::fs::read_to_string(journal("b")).unwrap();
        std::fs::write(journal("b"), &cut[..cut.len() - 5]).unwrap();
        assert_eq!(grow(&contents, &growth, &journal("b"), &|_| {}).unwrap().text(), text);
        // Lines have the required length, and there are no cycles.
        let mut shortest = usize::MAX;
        whole.walk(|grown, ply, board| {
            let edges = grown.edges.get(&board.key()).map_or(&[][..], Vec::as_slice);
            if edges.is_empty() {
                shortest = shortest.min(ply);
            }
            assert!(edges.iter().all(|edge| !grown.reaches(&stored(&board.after(edge.mv)), board.key())));
        });
        assert!((6..=8).contains(&shortest), "{shortest}");
        // A rejected move is not added in later runs either, and is replaced by the next best one. In a position without
        // source moves the best move is added whatever its score; next to source moves it depends on the evaluation
        // whether any is within the margin.
        let mut first = None;
        whole.walk(|grown, _, board| {
            let edges = grown.edges.get(&board.key()).map_or(&[][..], Vec::as_slice);
            let all_grown = edges.iter().all(|edge| edge.grown.is_some());
            first = first.or_else(|| edges.first().filter(|_| all_grown).map(|edge| (*board, edge.mv)));
        });
        let (place, bad) = first.unwrap();
        let grown_moves = |grown: &Grown| -> Vec<Move> {
            grown.edges[&place.key()].iter().filter(|edge| edge.grown.is_some()).map(|edge| edge.mv).collect()
        };
        let refusing = Growth { refused: HashSet::from([(place.to_fen(), bad)]), ..growth.clone() };
        let without = grow(&contents, &refusing, &journal("b"), &|_| {}).unwrap();
        assert!(!grown_moves(&without).contains(&bad));
        assert_eq!(grow(&contents, &growth, &journal("b"), &|_| {}).unwrap().text(), without.text());
        // If all found moves are rejected, the remaining ones are searched.
        let known = Journal::open(&journal("b"), &growth).unwrap().known[&place.to_fen()].clone();
        let all = known.iter().map(|(mv, _)| (place.to_fen(), *mv)).collect();
        let rest = grow(&contents, &Growth { refused: all, ..growth.clone() }, &journal("b"), &|_| {}).unwrap();
        let new = grown_moves(&rest);
        assert!(!new.is_empty() && new.iter().all(|mv| known.iter().all(|(known, _)| known != mv)), "{new:?} {known:?}");
        // The grown source compiles together with the original one, and nothing of the original is lost.
        let both = compiled(&[source, &text]);
        assert!(both.entries.len() >= contents.entries.len() + whole.added, "{text}");
        let other = Growth { nodes: 301, ..growth };
        assert!(grow(&contents, &other, &journal("a"), &|_| {}).err().unwrap().to_string().contains("another run's journal"));
    }
}
