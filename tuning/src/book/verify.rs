//! Searching every move of the book for its loss against the best move.
//!
//! The traversal is depth first, so that the transposition table has useful entries from the previous position. Results therefore
//! depend slightly on the order and the number of threads; losses are compared with a margin anyway.

use super::{open_cut, search, start, stored, text_so_far};
use crate::{at, at_line};
use chuhe::board::Board;
use chuhe::book::Contents;
use chuhe::book::key::book_key;
use chuhe::search::Limits;
use chuhe::system;
use chuhe::threads::Pool;
use chuhe::types::Move;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// First line of the table.
const HEAD: &str = "# position\tmove\tloss in centipawns\tdepth in plies";

/// The results of a verification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// Loss in centipawns and depth in plies, by position and move in the book's form.
    pub rows: HashMap<(String, Move), (i32, i32)>,
}

impl Losses {
    /// Reads the text of a table; `path` is for the error.
    ///
    /// # Errors
    /// The first line that does not belong to a table.
    pub fn read(path: &Path, text: &str) -> anyhow::Result<Losses> {
        let mut losses = Losses::default();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
        for (index, line) in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let row = match fields.as_slice() {
                [fen, mv, loss, depth] => Move::from_uci(mv)
                    .ok()
                    .zip(loss.parse().ok())
                    .zip(depth.parse().ok())
                    .map(|((mv, loss), depth)| ((fen.to_string(), mv), (loss, depth))),
                _ => None,
            };
            let (key, value) = row.ok_or_else(|| at_line(path, index + 1, "position, move, loss and depth"))?;
            losses.rows.insert(key, value);
        }
        Ok(losses)
    }
}

/// The positions of the book with their moves, in depth-first order from the start of the game. Moves are in
/// the book's form.
pub fn positions(contents: &Contents) -> Vec<(Board, Vec<Move>)> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let starts = contents.starts.iter().filter_map(|fen| Board::from_fen(fen).ok());
    let mut stack: Vec<Board> = starts.chain([start()]).map(|board| stored(&board)).collect();
    while let Some(board) = stack.pop() {
        let (key, _) = book_key(&board);
        let moves: Vec<Move> = contents.of(key).iter().map(|entry| entry.mv).filter(|&mv| board.is_legal(mv)).collect();
        if moves.is_empty() || !seen.insert(key) {
            continue;
        }
        stack.extend(moves.iter().rev().map(|&mv| stored(&board.after(mv))));
        found.push((board, moves));
    }
    found
}

/// Settings of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    /// Depth of a search in plies.
    pub depth: i32,
    /// Size of each thread's transposition table in MiB.
    pub hash_mib: usize,
    /// Threads; each processes chunks of the traversal.
    pub threads: usize,
}

/// Number of consecutive positions of the traversal that one thread searches.
const CHUNK: usize = 32;

/// State shared by the threads: the file, the rows, and the number of finished positions.
struct Shared {
    file: File,
    losses: Losses,
    done: usize,
    fault: Option<std::io::Error>,
}

/// Searches all moves that the table does not contain at this depth, adds them, and removes those that are no longer in the
/// book. `progress` is called for every position.
///
/// # Errors
/// When the table cannot be read or written.
pub fn verify(
    contents: &Contents,
    depths: Depths,
    table: &Path,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> anyhow::Result<Losses> {
    let failed = at(table);
    let text = text_so_far(table)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let losses = Losses::read(table, whole)?;
    let all = positions(contents);
    let file = open_cut(table, whole.len())?;
    let shared = Mutex::new(Shared { file, losses, done: 0, fault: None });
    let chunks = Mutex::new(all.chunks(CHUNK));
    std::thread::scope(|scope| {
        for _ in 0..depths.threads.max(1) {
            scope.spawn(|| {
                let mut pool = Pool::new(1, depths.hash_mib);
                loop {
                    // Not `while let`: the lock would be held for the entire chunk, and only one thread would work at a time.
                    let chunk = lock(&chunks).next();
                    let Some(chunk) = chunk else { break };
                    for (board, moves) in chunk {
                        work(&mut pool, board, moves, depths.depth, &shared);
                        let mut shared = lock(&shared);
                        shared.done += 1;
                        progress(shared.done, all.len());
                        if shared.fault.is_some() {
                            return;
                        }
                    }
                }
            });
        }
    });
    let Shared { losses, fault, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(fault) = fault {
        return Err(failed(fault));
    }
    // The finished table: in the order of the book, one line per move.
    let mut text = format!("{HEAD}\n");
    let mut kept = Losses::default();
    for (board, moves) in &all {
        for &mv in moves {
            let key = (board.to_fen(), mv);
            if let Some(&(loss, depth)) = losses.rows.get(&key) {
                text.push_str(&format!("{}\t{mv}\t{loss}\t{depth}\n", key.0));
                kept.rows.insert(key, (loss, depth));
            }
        }
    }
    system::write_atomically(table, text.as_bytes()).map_err(failed)?;
    Ok(kept)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Searches a position unless all its moves are already in the table.
fn work(pool: &mut Pool, board: &Board, moves: &[Move], depth: i32, shared: &Mutex<Shared>) {
    let fen = board.to_fen();
    let is_known = |losses: &Losses, mv: Move| losses.rows.get(&(fen.clone(), mv)).is_some_and(|(_, known)| *known >= depth);
    if moves.iter().all(|&mv| is_known(&lock(shared).losses, mv)) {
        return;
    }
    let found = losses_of(pool, board, moves, depth);
    let mut shared = lock(shared);
    for (mv, loss) in found {
        if let Err(error) = writeln!(shared.file, "{fen}\t{mv}\t{loss}\t{depth}") {
            shared.fault = Some(error);
        }
        shared.losses.rows.insert((fen.clone(), mv), (loss, depth));
    }
}

/// The loss of each book move against the best of all moves. Most positions have one book move, which is the best.
fn losses_of(pool: &mut Pool, board: &Board, moves: &[Move], depth: i32) -> Vec<(Move, i32)> {
    let limits = Limits { depth: Some(depth), ..Limits::none() };
    let (_, orientation) = book_key(board);
    // In a symmetric position the book has only one of a move and its mirror image.
    let own = |mv: Move| [mv, orientation.stored(mv)].into_iter().find(|mv| moves.contains(mv)).unwrap_or(mv);
    let mut scores: Vec<(Move, i32)> =
        search(pool, board, &[], 1, &limits).into_iter().map(|(mv, score)| (own(mv), score)).collect();
    let others: Vec<Move> = moves.iter().copied().filter(|&mv| scores.iter().all(|(known, _)| *known != mv)).collect();
    if !others.is_empty() {
        scores.extend(search(pool, board, &others, others.len(), &limits));
    }
    let best = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
    let loss = |mv: Move| scores.iter().find(|(known, _)| *known == mv).map_or(0, |(_, score)| best - score);
    moves.iter().map(|&mv| (mv, loss(mv))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::compile::Compiler;

    const DEPTHS: Depths = Depths { depth: 6, hash_mib: 4, threads: 2 };

    fn contents(source: &str) -> Contents {
        let mut compiler = Compiler::new().unwrap();
        compiler.read("test", source).unwrap();
        compiler.finish().unwrap()
    }

    #[test]
    fn a_blunder_is_found_and_nothing_is_searched_twice() {
        // Trading a cannon for a protected horse loses material.
        let contents = contents("C2.5 H8+7\n  H2+3\nC2+7\n");
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("check.tsv");
        let losses = verify(&contents, DEPTHS, &table, &|_, _| {}).unwrap();
        assert_eq!(losses.rows.len(), 4);
        let start_fen = stored(&start()).to_fen();
        let loss = |mv: &str| losses.rows[&(start_fen.clone(), Move::from_uci(mv).unwrap())].0;
        assert!(loss("h2h9") > 100 && loss("h2e2") < 60, "{losses:?}");
        let text = std::fs::read_to_string(&table).unwrap();
        std::fs::write(&table, text.replace("h2h9\t", "h2h9\t1")).unwrap();
        let again = verify(&contents, DEPTHS, &table, &|_, _| {}).unwrap();
        assert_eq!(again.rows[&(start_fen.clone(), Move::from_uci("h2h9").unwrap())].0.to_string(), format!("1{}", loss("h2h9")));
        assert_eq!(Losses::read(&table, &std::fs::read_to_string(&table).unwrap()).unwrap(), again);
    }

    #[test]
    fn a_file_that_is_no_text_is_kept() {
        let contents = contents("C2.5\n");
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("check.tsv");
        std::fs::write(&table, b"\xff\xfe\n").unwrap();
        assert!(verify(&contents, DEPTHS, &table, &|_, _| {}).is_err());
        assert_eq!(std::fs::read(&table).unwrap(), b"\xff\xfe\n");
    }
}
