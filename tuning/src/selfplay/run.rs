//! A run of self-play: parallel players, one writer.

use super::{NetworkPlayer, SelfPlayPlan, play};
use crate::records::{Game, RecordError, Repair, Writer};
use chuhe::nnue::Network;
use crossbeam::channel::{RecvTimeoutError, bounded};
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum time until finished games are on disk.
const FLUSH_EVERY: Duration = Duration::from_secs(30);

/// The error that ended a run: the record file cannot be written, or belongs to another run.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct SelfPlayError {
    /// The record file.
    pub path: PathBuf,
    /// The error in it.
    #[source]
    pub error: RecordError,
}

/// The progress of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games in the file.
    pub games: u64,
    /// Positions with a score in the file.
    pub positions: u64,
    /// Positions that were in the file before this run.
    pub positions_before: u64,
    /// Nodes searched by this run.
    pub nodes: u64,
    /// Damage by a kill or a disk error.
    pub repair: Repair,
}

/// Plays the games of a plan in a range of numbers, except those in the file or in `elsewhere`, on `threads` threads. `report` is
/// called after every game.
///
/// # Errors
/// When the file is from another plan or cannot be written.
pub fn run(
    plan: &SelfPlayPlan,
    network: Arc<Network>,
    path: &Path,
    games: Range<u64>,
    elsewhere: &HashSet<u64>,
    threads: usize,
    mut report: impl FnMut(&Progress),
) -> Result<Progress, SelfPlayError> {
    let failed = |error| SelfPlayError { path: path.into(), error };
    let mut done = HashSet::new();
    let mut progress = Progress::default();
    let (mut writer, repair) = Writer::resume(path, &plan.header(), |game| {
        done.insert(game.id);
        progress.games += 1;
        progress.positions += game.labels() as u64;
    })
    .map_err(failed)?;
    progress.positions_before = progress.positions;
    progress.repair = repair;
    report(&progress);
    let next = AtomicU64::new(games.start);
    let stop = AtomicBool::new(false);
    let (sender, played) = bounded::<(Game, u64)>(threads.max(1) * 2);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, network, next, stop, done) = (sender.clone(), network.clone(), &next, &stop, &done);
            let games = games.clone();
            scope.spawn(move || {
                let mut player = NetworkPlayer::new(plan, network);
                loop {
                    let id = next.fetch_add(1, Ordering::Relaxed);
                    if id >= games.end || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if !done.contains(&id) && !elsewhere.contains(&id) {
                        let game = play(&mut player, plan, id);
                        if sender.send((game, player.take_nodes())).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut flushed = Instant::now();
        let mut result = Ok(());
        loop {
            match played.recv_timeout(FLUSH_EVERY) {
                Ok((game, nodes)) => {
                    result = writer.push(&game);
                    progress.nodes += nodes;
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
                // The flag stops the players.
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
        Arc::clone(Network::builtin())
    }

    #[test]
    fn a_run_continues_with_the_missing_games() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let plan = SelfPlayPlan { soft_nodes: 40, hard_nodes: 200, hash_mib: 1, ply_limit: 60, ..SelfPlayPlan::default() };
        let by_id = |path: &Path| {
            let mut games = read(path);
            games.sort_by_key(|game| game.id);
            games
        };
        let whole = folder.path().join("whole");
        run(&plan, network(), &whole, 0..8, &HashSet::new(), 2, |_| ()).expect("a new file");
        let torn = folder.path().join("torn");
        run(&plan, network(), &torn, 0..5, &HashSet::new(), 1, |_| ()).expect("a new file");
        // A kill while a block was written.
        let mut bytes = std::fs::read(&torn).expect("the file just written");
        bytes.extend_from_slice(b"CBLK\x00\x10");
        std::fs::write(&torn, bytes).expect("room on the disk");
        let progress = run(&plan, network(), &torn, 0..8, &HashSet::new(), 2, |_| ()).expect("its own file");
        assert_eq!((progress.games, progress.repair.bytes_cut), (8, 6));
        assert!(progress.nodes > 0);
        assert!(by_id(&torn) == by_id(&whole));
        // Two machines that share the numbers play the same games as one.
        let parts = ["part0", "part1"].map(|name| folder.path().join(name));
        run(&plan, network(), &parts[0], 0..3, &HashSet::new(), 1, |_| ()).expect("a new file");
        run(&plan, network(), &parts[1], 3..8, &HashSet::new(), 1, |_| ()).expect("a new file");
        let mut games = parts.each_ref().map(|path| by_id(path)).concat();
        games.sort_by_key(|game| game.id);
        assert!(games == by_id(&whole));
        let other = SelfPlayPlan { seed: 2, ..plan };
        assert!(run(&other, network(), &torn, 0..8, &HashSet::new(), 1, |_| ()).is_err());
    }
}
