//! Drop-out expansion (T. R. Lincke, "Strategies for the automatic construction of opening books", 2000), simplified: the
//! position whose path from the start has lost least, with a charge for every ply, is searched next; its best move and those
//! that are nearly as good join the book, and the positions behind them wait for their turn.
//!
//! Every search begins with an empty table on one thread and ends after so many nodes, so its result depends on the position
//! alone. Results are kept in a journal: a run that was interrupted, or that is to grow further, repeats none of them and
//! grows the same book.

use super::{search, start, stored};
use chuhe::board::Board;
use chuhe::book::Contents;
use chuhe::book::referee::place_of;
use chuhe::notation::{self, System};
use chuhe::search::Limits;
use chuhe::threads::Pool;
use chuhe::types::Move;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Positions that are searched between two looks at which come next. Fixed, so that the result does not depend on the number
/// of threads.
const BATCH: usize = 16;
/// Charge for a ply through a move that stands in the sources, in centipawns: lines written by hand are carried on first.
const OWN_PLY: i32 = 3;
/// Charge for a ply through a grown move.
const GROWN_PLY: i32 = 5;
/// Charge for a grown move that is not the best, beside what it loses: lines grow long before they branch.
const ALTERNATIVE: i32 = 30;
/// Weight of a grown move that loses nothing.
const BEST_WEIGHT: f64 = 20.0;
/// Centipawns that halve a weight.
const HALVING: f64 = 12.0;
/// MiB of the table of a search.
const HASH: usize = 8;

/// What decides how a book grows.
#[derive(Clone, PartialEq, Debug)]
pub struct Growth {
    /// Positions with moves that the book shall have.
    pub positions: usize,
    /// Nodes of a search.
    pub nodes: u64,
    /// Plies from the start of the game that lines may have.
    pub max_plies: usize,
    /// Plies from the start of the game from which on only best moves are added.
    pub branch_plies: usize,
    /// Centipawns that an added move may lose.
    pub margin: i32,
    /// Most moves that are considered in a position.
    pub width: usize,
    /// Positions searched at once.
    pub threads: usize,
}

/// Scores of the moves of a position, best first.
type Scores = Vec<(Move, i32)>;

/// The searches that were made.
struct Journal {
    known: HashMap<String, Scores>,
    file: std::fs::File,
}

impl Journal {
    fn open(path: &Path, growth: &Growth) -> Result<Journal, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let head = format!("# nodes {} width {}", growth.nodes, growth.width);
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if text.lines().next().is_some_and(|line| line != head) {
            return Err(format!("{}: line 1: another run's journal, expected '{head}'", path.display()));
        }
        let mut known = HashMap::new();
        // A last line without an end was cut off.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        for line in whole.lines().skip(1) {
            let Some((fen, scores)) = line.split_once('\t') else { continue };
            let scores = scores.split(' ').filter_map(|word| {
                let (mv, score) = word.split_once(':')?;
                Some((Move::from_uci(mv).ok()?, score.parse().ok()?))
            });
            known.insert(fen.to_string(), scores.collect());
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        if text.is_empty() {
            writeln!(file, "{head}").map_err(failed)?;
        } else if whole.len() < text.len() {
            file.set_len(whole.len() as u64).map_err(failed)?;
        }
        Ok(Journal { known, file })
    }

    fn add(&mut self, fen: &str, scores: &Scores) -> Result<(), String> {
        let words: Vec<String> = scores.iter().map(|(mv, score)| format!("{mv}:{score}")).collect();
        writeln!(self.file, "{fen}\t{}", words.join(" ")).map_err(|error| format!("the journal: {error}"))?;
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

/// A book with what grew.
pub struct Grown {
    edges: BTreeMap<u64, Vec<Edge>>,
    /// Positions with moves.
    pub positions: usize,
    /// Moves that were added.
    pub added: usize,
}

/// Grows a book. `progress` is told how many positions have moves.
///
/// # Errors
/// When the journal cannot be read or written.
pub fn grow(contents: &Contents, growth: &Growth, journal: &Path, progress: &dyn Fn(usize)) -> Result<Grown, String> {
    let mut journal = Journal::open(journal, growth)?;
    let mut pools: Vec<Pool> = (0..growth.threads.max(1)).map(|_| Pool::new(1, HASH)).collect();
    let mut grown = Grown { edges: BTreeMap::new(), positions: 0, added: 0 };
    let mut cheapest: HashMap<u64, i32> = HashMap::new();
    let mut waiting = BinaryHeap::new();
    let mut boards: HashMap<u64, Board> = HashMap::new();
    let root = stored(&start());
    waiting.push(Reverse((0, 0usize, root.key())));
    boards.insert(root.key(), root);
    while grown.positions < growth.positions {
        let mut batch: Vec<(i32, usize, Board)> = Vec::new();
        while batch.len() < BATCH.min(growth.positions - grown.positions) {
            let Some(Reverse((cost, ply, key))) = waiting.pop() else { break };
            let is_new = !grown.edges.contains_key(&key) && batch.iter().all(|(_, _, board)| board.key() != key);
            if let Some(board) = boards.get(&key).filter(|_| is_new) {
                batch.push((cost, ply, *board));
            }
        }
        if batch.is_empty() {
            break;
        }
        let missing: Vec<Board> =
            batch.iter().map(|(_, _, board)| *board).filter(|board| !journal.known.contains_key(&board.to_fen())).collect();
        for (board, scores) in search_all(&mut pools, &missing, contents, growth) {
            journal.add(&board.to_fen(), &scores)?;
        }
        for (cost, ply, board) in batch {
            let scores = journal.known.get(&board.to_fen()).cloned().unwrap_or_default();
            let width = if ply < growth.branch_plies { growth.width } else { 1 };
            let edges = edges_of(&board, contents, &scores, growth.margin, width);
            grown.positions += !edges.is_empty() as usize;
            grown.added += edges.iter().filter(|edge| edge.grown.is_some()).count();
            for edge in &edges {
                let child = stored(&board.after(edge.mv));
                let charge = match edge.grown {
                    None => OWN_PLY,
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
            grown.edges.insert(board.key(), edges);
            progress(grown.positions);
        }
    }
    Ok(grown)
}

/// The moves that the sources have in a position of stored form.
fn own_moves(board: &Board, contents: &Contents) -> Vec<Move> {
    let (key, _) = place_of(board);
    contents.of(key).iter().map(|entry| entry.mv).filter(|&mv| board.is_legal(mv)).collect()
}

fn search_all(pools: &mut [Pool], boards: &[Board], contents: &Contents, growth: &Growth) -> Vec<(Board, Scores)> {
    let share = boards.len().div_ceil(pools.len()).max(1);
    std::thread::scope(|scope| {
        let handles: Vec<_> = pools
            .iter_mut()
            .zip(boards.chunks(share))
            .map(|(pool, boards)| {
                let search = move || -> Vec<(Board, Scores)> {
                    boards.iter().map(|board| (*board, scores_of(pool, board, contents, growth))).collect()
                };
                scope.spawn(search)
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    })
}

/// The scores of the best moves, and of all moves that the sources have.
fn scores_of(pool: &mut Pool, board: &Board, contents: &Contents, growth: &Growth) -> Scores {
    pool.clear();
    let limits = Limits { nodes: Some(growth.nodes), ..Limits::none() };
    let (_, turn) = place_of(board);
    let mut scores: Scores = Vec::new();
    let mut take = |found: Scores| {
        for (mv, score) in found {
            let mv = turn.stored(mv);
            let mv = if board.is_legal(mv) { mv } else { turn.played(mv) };
            if scores.iter().all(|(known, _)| *known != mv) {
                scores.push((mv, score));
            }
        }
    };
    take(search(pool, board, &[], growth.width, &limits));
    let own = own_moves(board, contents);
    let missing: Vec<Move> = own.into_iter().filter(|mv| scores.iter().all(|(known, _)| known != mv)).collect();
    if !missing.is_empty() {
        let found = search(pool, board, &missing, missing.len(), &limits);
        scores.extend(found);
    }
    scores.sort_by_key(|&(mv, score)| (Reverse(score), mv));
    scores
}

fn edges_of(board: &Board, contents: &Contents, scores: &Scores, margin: i32, width: usize) -> Vec<Edge> {
    let own = own_moves(board, contents);
    let best = scores.first().map_or(0, |(_, score)| *score);
    let mut edges: Vec<Edge> = Vec::new();
    for (rank, &(mv, score)) in scores.iter().enumerate() {
        let (loss, is_best) = (best - score, rank == 0);
        if own.contains(&mv) {
            edges.push(Edge { mv, grown: None, loss, is_best });
        } else if loss <= margin && edges.len() < width {
            let weight = (BEST_WEIGHT * (-(loss as f64) / HALVING).exp2()).round().max(1.0) as u32;
            edges.push(Edge { mv, grown: Some(weight), loss, is_best });
        }
    }
    edges
}

impl Grown {
    /// The grown moves as a source, with the moves of the other sources only where they lead to one.
    pub fn text(&self) -> String {
        let mut needed = HashMap::new();
        self.is_needed(&stored(&start()), &mut needed);
        let mut text = String::new();
        self.write(&start(), 0, String::new(), &needed, &mut HashSet::new(), &mut text);
        text
    }

    /// Whether a grown move stands in the position or behind it.
    fn is_needed(&self, board: &Board, known: &mut HashMap<u64, bool>) -> bool {
        if let Some(&needed) = known.get(&board.key()) {
            return needed;
        }
        // A circle leads nowhere new.
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
        let (key, turn) = place_of(board);
        let end = |line: &str, text: &mut String| {
            if !line.is_empty() {
                text.push_str(&format!("{:indent$}{line}\n", "", indent = 2 * indent));
            }
        };
        let branches: Vec<(String, Board)> = if seen.insert(key) {
            let edges = self.edges.get(&key).into_iter().flatten();
            let written = edges.filter_map(|edge| {
                let mv = turn.played(edge.mv);
                let next = board.after(mv);
                let leads_on = needed.get(&place_of(&next).0).is_some_and(|&needed| needed);
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
        let mut compiler = Compiler::<Board>::new().unwrap();
        for (index, source) in sources.iter().enumerate() {
            compiler.read(&format!("source {index}"), source).unwrap();
        }
        compiler.finish().unwrap()
    }

    #[test]
    fn a_book_grows_the_same_again_and_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let source = "C2.5*60 \"Central Cannon\" \"中炮\"\n  H8+7 H2+3\nP7+1*30\n";
        let contents = compiled(&[source]);
        let growth = Growth { positions: 40, nodes: 300, max_plies: 8, branch_plies: 5, margin: 30, width: 3, threads: 1 };
        let journal = |name: &str| folder.path().join(name);
        let whole = grow(&contents, &growth, &journal("a"), &|_| {}).unwrap();
        let text = whole.text();
        // In two steps, with two threads, and with a journal whose last line was cut off.
        let half = Growth { positions: 20, threads: 2, ..growth.clone() };
        grow(&contents, &half, &journal("b"), &|_| {}).unwrap();
        let cut = std::fs::read_to_string(journal("b")).unwrap();
        std::fs::write(journal("b"), &cut[..cut.len() - 5]).unwrap();
        assert_eq!(grow(&contents, &growth, &journal("b"), &|_| {}).unwrap().text(), text);
        // What grew compiles beside the source that it grew from, and nothing of that is lost.
        let both = compiled(&[source, &text]);
        assert!(both.entries.len() >= contents.entries.len() + whole.added, "{text}");
        let other = Growth { nodes: 301, ..growth };
        assert!(grow(&contents, &other, &journal("a"), &|_| {}).err().unwrap().contains("another run's journal"));
    }
}
