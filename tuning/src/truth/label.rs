//! Labelling candidates with the scores of two networks.

use super::set::{Entry, Header, Set, Source};
use crate::{at, at_line};
use chuhe::board::{Board, Position};
use chuhe::nnue::Network;
use chuhe::search::{Limits, Score, Settings};
use chuhe::threads::Pool;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Size of the transposition table of a search in MiB; a million entries would suffice for the longest search in use.
const HASH_MIB: usize = 8;
/// Scores beyond this are decided and contain little information about an evaluation.
const MAX_LABEL_SCORE: i32 = 3000;

/// The settings of a labelling run.
pub struct Labelling {
    /// The header of the file.
    pub header: Header,
    /// The sources of the positions.
    pub sources: Vec<Source>,
    /// The networks of the searches.
    pub teachers: [Arc<Network>; 2],
    /// Searches in parallel.
    pub threads: usize,
}

/// A searcher with the network of a teacher.
struct Teacher {
    pool: Pool,
    settings: Settings,
}

impl Teacher {
    /// The score of a position in centipawns; none if the best move is a capture or the game is decided according to the score.
    fn score(&mut self, board: &Board, nodes: u64) -> Option<i16> {
        let limits = Limits { nodes: Some(nodes), ..Limits::none() };
        self.pool.clear();
        let outcome = self.pool.search(&Position::new(*board, 0, 1), &limits, &self.settings, &mut ());
        match outcome.score {
            Score::Centipawns(score) if score.abs() <= MAX_LABEL_SCORE && !board.is_capture(outcome.best?) => Some(score as i16),
            _ => None,
        }
    }
}

/// Labels the candidates of one source after the other until each has its number of positions, and appends them to the file. An existing
/// file is continued. `report` is called with the number of positions in the file.
///
/// # Errors
/// When a source cannot be read, the file cannot be written, or it has another header.
pub fn label(plan: &Labelling, path: &Path, mut report: impl FnMut(usize)) -> anyhow::Result<()> {
    let failed = at(path);
    let mut known = Vec::new();
    // A kill may also have left a file without a whole header.
    let is_begun = |bytes: &[u8]| !plan.header.line().as_bytes().starts_with(bytes) || bytes.ends_with(b"\n");
    if path.exists() && is_begun(&std::fs::read(path).map_err(failed)?) {
        let set = Set::read(path)?;
        if set.header != plan.header {
            return Err(at_line(path, 1, "the header of the same command"));
        }
        known = set.entries;
        // Removes an incomplete line left by a kill.
        let text = std::fs::read(path).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole as u64)).map_err(failed)?;
    } else {
        std::fs::write(path, plan.header.line()).map_err(failed)?;
    }
    let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
    let mut total = known.len();
    report(total);
    let mut teams: Vec<[Teacher; 2]> = (0..plan.threads.max(1)).map(|_| team(plan)).collect();
    for source in &plan.sources {
        let of_source = |entry: &&Entry| entry.source == source.name;
        let mut count = known.iter().filter(of_source).count();
        let begin = known.iter().filter(of_source).map(|entry| entry.candidate + 1).max().unwrap_or(0);
        let candidates = if count < source.count { source.candidates(plan.header.seed)? } else { Vec::new() };
        let numbered: Vec<(usize, Board)> = candidates.into_iter().enumerate().skip(begin).collect();
        for chunk in numbered.chunks(teams.len()) {
            if count >= source.count {
                break;
            }
            for entry in search(chunk, source, plan.header.nodes, &mut teams).into_iter().take(source.count - count) {
                file.write_all(entry.line().as_bytes()).map_err(failed)?;
                (count, total) = (count + 1, total + 1);
            }
            report(total);
        }
    }
    Ok(())
}

fn team(plan: &Labelling) -> [Teacher; 2] {
    plan.teachers.each_ref().map(|network| Teacher {
        pool: Pool::new(1, HASH_MIB),
        settings: Settings { network: Arc::clone(network), ..Settings::default() },
    })
}

/// The entries of some candidates, in their order, each searched by its own team.
fn search(chunk: &[(usize, Board)], source: &Source, nodes: u64, teams: &mut [[Teacher; 2]]) -> Vec<Entry> {
    std::thread::scope(|scope| {
        let searches: Vec<_> = chunk
            .iter()
            .zip(teams)
            .map(|(&(candidate, board), [first, second])| {
                scope.spawn(move || {
                    let scores = [first.score(&board, nodes)?, second.score(&board, nodes)?];
                    Some(Entry { source: source.name.clone(), candidate, board, scores })
                })
            })
            .collect();
        searches.into_iter().filter_map(|search| search.join().ok().flatten()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::random_file;

    #[test]
    fn a_truncated_set_is_continued_to_the_same_file() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let games = random_file(folder.path(), "games", 40, 3);
        let sources: Vec<Source> =
            ["a=", "b="].map(|name| format!("{name}{},count=4", games.display()).parse().expect("a source")).to_vec();
        let header = Header {
            engine: "e".into(),
            teachers: ["embedded".into(), "material".into()],
            nodes: 60,
            seed: 1,
            sources: sources.iter().map(|source| source.text.clone()).collect(),
        };
        let teachers = [Arc::clone(Network::builtin()), Arc::new(Network::material())];
        let plan = |threads| Labelling { header: header.clone(), sources: sources.clone(), teachers: teachers.clone(), threads };
        let path = folder.path().join("truth.tsv");
        label(&plan(1), &path, |_| ()).expect("room on the disk");
        let whole = std::fs::read(&path).expect("the file just written");
        let set = Set::read(&path).expect("the file just written");
        assert_eq!(set.entries.iter().filter(|entry| entry.source == "a").count(), 4);
        assert_eq!(set.entries.len(), 8);
        for end in [0, 9, whole.len() / 3, whole.len() * 2 / 3, whole.len() - 1] {
            std::fs::write(&path, &whole[..end]).expect("room on the disk");
            label(&plan(2), &path, |_| ()).expect("room on the disk");
            assert_eq!(std::fs::read(&path).expect("the file just written"), whole, "cut at {end}");
        }
        // A complete set with the line ends of Windows keeps all its lines.
        let windows = String::from_utf8(whole).expect("a text").replace('\n', "\r\n");
        std::fs::write(&path, &windows).expect("room on the disk");
        label(&plan(1), &path, |_| ()).expect("room on the disk");
        assert_eq!(std::fs::read(&path).expect("the file just written"), windows.as_bytes());
        let other = Labelling { header: Header { nodes: 61, ..header.clone() }, ..plan(1) };
        assert!(label(&other, &path, |_| ()).is_err_and(|error| error.to_string().contains("the header of the same command")));
    }
}
