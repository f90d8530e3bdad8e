//! A run of self-play: players on all cores, one writer.

use super::{Plan, Player, play};
use crate::records::{Game, RecordError, Writer};
use chuhe::nnue::Network;
use crossbeam::channel::{RecvTimeoutError, bounded};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games finished are on disk after this time at the latest.
const FLUSH_EVERY: Duration = Duration::from_secs(30);

/// Why a run ended: one line.
#[derive(Debug)]
pub struct SelfPlayError(String);

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SelfPlayError {}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games in the file.
    pub games: u64,
    /// Positions with a score in the file.
    pub positions: u64,
    /// Positions that were there before this run.
    pub positions_before: u64,
    /// Bytes that a kill had torn and that were cut off.
    pub bytes_cut: u64,
}

/// Plays the games of a plan numbered below `games` that are not yet in the file, on `threads` threads. `report` is called with
/// every game.
///
/// # Errors
/// When the file is of another plan or cannot be written.
pub fn run(
    plan: &Plan,
    network: Arc<Network>,
    path: &Path,
    games: u64,
    threads: usize,
    mut report: impl FnMut(&Progress),
) -> Result<Progress, SelfPlayError> {
    let failed = |error: RecordError| SelfPlayError(format!("{}: {error}", path.display()));
    let mut done = HashSet::new();
    let mut progress = Progress::default();
    let (mut writer, cut) = Writer::resume(path, &plan.header(), |game| {
        done.insert(game.id);
        progress.games += 1;
        progress.positions += game.labels() as u64;
    })
    .map_err(failed)?;
    progress.positions_before = progress.positions;
    progress.bytes_cut = cut;
    report(&progress);
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let (sender, played) = bounded::<Game>(threads.max(1) * 2);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, network, next, stop, done) = (sender.clone(), network.clone(), &next, &stop, &done);
            scope.spawn(move || {
                let mut player = Player::new(plan, network);
                loop {
                    let id = next.fetch_add(1, Ordering::Relaxed);
                    if id >= games || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if !done.contains(&id) && sender.send(play(&mut player, plan, id)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut flushed = Instant::now();
        let mut result = Ok(());
        loop {
            match played.recv_timeout(FLUSH_EVERY) {
                Ok(game) => {
                    result = writer.push(&game);
                    progress.games += 1;
                    progress.positions += game.labels() as u64;
                    report(&progress);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if result.is_ok() && flushed.elapsed() >= FLUSH_EVERY {
                result = writer.flush();
                flushed = Instant::now();
            }
            if result.is_err() {
                // Players notice that nobody listens.
                stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        drop(played);
        result
    })
    .and_then(|()| writer.finish())
    .map_err(failed)?;
    Ok(progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::read;

    fn network() -> Arc<Network> {
        Arc::clone(chuhe::eval::embedded())
    }

    #[test]
    fn a_run_goes_on_with_the_games_that_are_missing() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let plan = Plan { soft_nodes: 40, hard_nodes: 200, hash_mib: 1, ply_limit: 60, ..Plan::default() };
        let by_id = |path: &Path| {
            let mut games = read(path);
            games.sort_by_key(|game| game.id);
            games
        };
        let whole = folder.path().join("whole");
        run(&plan, network(), &whole, 8, 2, |_| ()).expect("a new file");
        let torn = folder.path().join("torn");
        run(&plan, network(), &torn, 5, 1, |_| ()).expect("a new file");
        // A kill in the middle of a block that was being written.
        let mut bytes = std::fs::read(&torn).expect("the file just written");
        bytes.extend_from_slice(b"CBLK\x00\x10");
        std::fs::write(&torn, bytes).expect("room on the disk");
        let progress = run(&plan, network(), &torn, 8, 2, |_| ()).expect("its own file");
        assert_eq!((progress.games, progress.bytes_cut), (8, 6));
        assert!(by_id(&torn) == by_id(&whole));
        let other = Plan { seed: 2, ..plan };
        assert!(run(&other, network(), &torn, 8, 1, |_| ()).is_err());
    }
}
