//! The output files of a match: the games, and the state from which an interrupted match can be resumed. They are opened and checked
//! together, so that each game is in both or in neither, and only once.
//!
//! A game's line in the state is written first; it contains the position of the game in the PGN and its checksum. An interruption can
//! therefore leave a truncated line, or a last line whose game is missing or truncated; that game is played again. Anything else is
//! damage, which is reported; such files are not written to.

use super::error::{ArenaError, OutputProblem};
use super::pgn::EVENT;
use super::settings::MatchSettings;
use super::state::{Finished, Span, StateFile};
use crate::system::{LockedFile, is_device, is_same_file};
use crate::types::counted;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Number of bytes at the beginning of a PGN file that are checked for whether a match has written it.
const PROBE_LENGTH: u64 = 1 << 16;
/// The first line of a game in the PGN file.
const HEAD: &str = "[Game \"Chinese Chess\"]\n";

/// The outputs of a match, opened and checked, and not modified before [`Outputs::prepare`].
pub(super) struct Outputs {
    state: Option<StateFile>,
    pgn: Option<PgnFile>,
    /// Descriptions of the repairs that [`Outputs::prepare`] will make.
    pub(super) repairs: Vec<String>,
}

impl Outputs {
    /// Opens the outputs of a match and returns them with the games played by earlier runs.
    ///
    /// # Errors
    /// If an output is an input or a foreign file, is being written by another process, or has damage not caused by an interruption.
    pub(super) fn open(settings: &MatchSettings) -> Result<(Outputs, Vec<Finished>), ArenaError> {
        check_paths(settings)?;
        let mut done = Vec::new();
        let mut outputs = Outputs { state: None, pgn: None, repairs: Vec::new() };
        if let Some(path) = &settings.state {
            let (state, finished) = StateFile::open(path, &settings.description, settings.force)?;
            done = finished;
            if state.is_truncated() {
                let (line, done) =
                    if state.is_empty() { ("first", "the match starts over") } else { ("last", "its game is played again") };
                outputs.repairs.push(format!("{}: the {line} line was cut off, {done}", path.display()));
            }
            outputs.state = Some(state);
        }
        if let Some(path) = &settings.pgn {
            outputs.pgn = Some(PgnFile::open(path, settings.force)?);
            outputs.compare(&mut done)?;
        }
        Ok((outputs, done))
    }

    /// Compares the games of the state with the PGN file; the last one is dropped if an interruption has lost it.
    fn compare(&mut self, done: &mut Vec<Finished>) -> Result<(), ArenaError> {
        let Some(pgn) = &mut self.pgn else { return Ok(()) };
        let Destination::File(file) = &mut pgn.destination else { return Ok(()) };
        let failed = |error: io::Error| ArenaError::file(&pgn.path, error);
        let refuse = |problem| ArenaError::Output { path: pgn.path.clone(), problem };
        let length = if pgn.is_replaced { 0 } else { file.length().map_err(failed)? };
        let mut from = self.state.as_ref().and_then(StateFile::pgn_from).unwrap_or(0).min(length);
        let mut lost = None;
        for (index, finished) in done.iter().enumerate() {
            let Some(span) = finished.pgn else { continue };
            if is_intact(file, &span).map_err(failed)? {
                from = from.max(span.end());
            } else if index + 1 == done.len() {
                lost = Some(finished.game);
            } else {
                return Err(refuse(OutputProblem::Damaged { game: finished.game + 1 }));
            }
        }
        if let (Some(game), Some(state)) = (lost, &mut self.state) {
            done.pop();
            state.drop_last();
            let path = pgn.path.display();
            self.repairs.push(format!("{path}: game {} was not written to its end, it is played again", game + 1));
        }
        if pgn.is_replaced {
            return Ok(());
        }
        let found = games(file, from).map_err(failed)?;
        match found.end {
            End::Complete => {}
            End::LineMissing(text) => pgn.missing = text,
            End::Truncated => {
                if lost.is_none() {
                    let (path, bytes) = (pgn.path.display(), length - found.complete);
                    self.repairs.push(format!("{path}: the last game was cut off; removed {}", counted(bytes, "byte")));
                }
            }
            End::Unknown => return Err(refuse(OutputProblem::Unknown { byte: found.complete })),
        }
        pgn.complete = found.complete;
        let Some(state) = &self.state else { return Ok(()) };
        if state.is_empty() && state.is_truncated() && length > 0 {
            return Err(refuse(OutputProblem::StateLost));
        }
        let known: HashSet<usize> = done.iter().map(|finished| finished.game).collect();
        match found.first {
            // The game is complete except for its last line end.
            Some(round) if lost == Some(round - 1) && found.count == 1 && !pgn.missing.is_empty() => {
                (pgn.complete, pgn.missing) = (from, "");
                Ok(())
            }
            Some(round) if lost == Some(round - 1) => Err(refuse(OutputProblem::Damaged { game: round })),
            // Further games belong to another match, unless the first one is a game that this match has yet to play.
            Some(round) if state.pgn_from().is_some() && !known.contains(&(round - 1)) => {
                Err(refuse(OutputProblem::Unrecorded { game: round }))
            }
            _ => Ok(()),
        }
    }

    /// The names of the engines in the run that began the match; empty if unknown.
    pub(super) fn names(&self) -> &[String] {
        self.state.as_ref().map_or(&[][..], StateFile::names)
    }

    /// Sets the names to keep for later runs.
    pub(super) fn set_names(&mut self, names: &[String]) {
        if let Some(state) = &mut self.state {
            state.set_names(names);
        }
    }

    /// Prepares the files for more games, with repairs if necessary.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn prepare(&mut self) -> Result<(), ArenaError> {
        if let Some(pgn) = &mut self.pgn {
            pgn.prepare()?;
        }
        let pgn_from = self.pgn.as_ref().and_then(PgnFile::length);
        self.state.as_mut().map_or(Ok(()), |state| state.prepare(pgn_from))
    }

    /// Adds a game; `text` is its record for the PGN file, if there is one.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn add(&mut self, mut finished: Finished, text: Option<&[u8]>) -> Result<(), ArenaError> {
        let text = text.unwrap_or_default();
        finished.pgn = self.pgn.as_ref().and_then(PgnFile::length).map(|at| Span {
            at,
            bytes: text.len() as u64,
            crc: crc32fast::hash(text),
        });
        if let Some(state) = &mut self.state {
            state.add(&finished)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.add(text))
    }

    /// Whether games are written to a PGN file.
    pub(super) fn has_pgn(&self) -> bool {
        self.pgn.is_some()
    }
}

/// Checks that no output is also an input.
fn check_paths(settings: &MatchSettings) -> Result<(), ArenaError> {
    let refuse = |path: &Path, problem| Err(ArenaError::Output { path: path.into(), problem });
    for path in [&settings.pgn, &settings.state].into_iter().flatten() {
        let programs = settings.engines.iter().map(|spec| Path::new(&spec.command));
        if settings.inputs.iter().map(PathBuf::as_path).chain(programs).any(|input| is_same_file(path, input)) {
            return refuse(path, OutputProblem::Input);
        }
    }
    if let (Some(pgn), Some(state)) = (&settings.pgn, &settings.state)
        && is_same_file(pgn, state)
    {
        return refuse(pgn, OutputProblem::Twice);
    }
    match [&settings.pgn, &settings.state].into_iter().flatten().find(|path| path.as_os_str() == "-") {
        Some(path) => refuse(path, OutputProblem::Stdout),
        None => Ok(()),
    }
}

/// The PGN file to which games are appended.
struct PgnFile {
    path: PathBuf,
    destination: Destination,
    /// Number of bytes to keep.
    complete: u64,
    /// Line ends missing after the last game.
    missing: &'static str,
    /// Whether the contents are discarded.
    is_replaced: bool,
}

enum Destination {
    File(LockedFile),
    /// A device or a pipe, which can only be written.
    Device(File),
}

impl PgnFile {
    fn open(path: &Path, force: bool) -> Result<PgnFile, ArenaError> {
        let failed = |error: io::Error| ArenaError::file(path, error);
        let destination = if is_device(path) {
            Destination::Device(File::options().append(true).open(path).map_err(failed)?)
        } else {
            let mut file = LockedFile::open(path).map_err(failed)?;
            let mut start = Vec::new();
            (&mut file).take(PROBE_LENGTH).read_to_end(&mut start).map_err(failed)?;
            let start = String::from_utf8_lossy(&start).replace('\r', "");
            let is_ours = start.contains(&event()) || beginning().starts_with(&start);
            if !is_ours && !force {
                return Err(ArenaError::Output { path: path.into(), problem: OutputProblem::Foreign });
            }
            Destination::File(file)
        };
        Ok(PgnFile { path: path.into(), destination, complete: 0, missing: "", is_replaced: force })
    }

    /// Size of the file in bytes; `None` for a device.
    fn length(&self) -> Option<u64> {
        match &self.destination {
            Destination::File(file) => file.length().ok(),
            Destination::Device(_) => None,
        }
    }

    fn prepare(&mut self) -> Result<(), ArenaError> {
        let Destination::File(file) = &mut self.destination else { return Ok(()) };
        let prepared = file.truncate(self.complete).and_then(|()| file.append(self.missing.as_bytes()));
        prepared.map_err(|error| ArenaError::file(&self.path, error))
    }

    /// Appends a game, completely or not at all.
    fn add(&mut self, game: &[u8]) -> Result<(), ArenaError> {
        let added = match &mut self.destination {
            Destination::File(file) => file.append(game),
            Destination::Device(device) => device.write_all(game),
        };
        added.map_err(|error| ArenaError::file(&self.path, error))
    }
}

/// The tag that identifies the games of a match.
fn event() -> String {
    format!("[Event \"{EVENT}\"]")
}

/// The first two lines of a game of a match, with LF line ends.
fn beginning() -> String {
    format!("{HEAD}{}\n", event())
}

/// Whether a game is unchanged where the state has recorded it.
fn is_intact(file: &mut LockedFile, span: &Span) -> io::Result<bool> {
    if span.end() > file.length()? {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(span.at))?;
    let mut sum = crc32fast::Hasher::new();
    let mut rest = BufReader::new(file.take(span.bytes));
    loop {
        let block = rest.fill_buf()?;
        if block.is_empty() {
            return Ok(sum.finalize() == span.crc);
        }
        sum.update(block);
        let length = block.len();
        rest.consume(length);
    }
}

/// The games in the rest of a PGN file.
struct Games {
    /// Number of complete games.
    count: usize,
    /// The round of the first game, if it is complete and from a match.
    first: Option<usize>,
    /// End of the last complete game.
    complete: u64,
    /// What follows the last complete game.
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Nothing.
    Complete,
    /// Nothing, and these line ends of the last game are missing.
    LineMissing(&'static str),
    /// The beginning of a game of a match.
    Truncated,
    /// Something else.
    Unknown,
}

impl Games {
    fn add(&mut self, round: Option<usize>) {
        if self.count == 0 {
            self.first = round;
        }
        self.count += 1;
    }
}

/// Scans the games from the byte offset `from`, at which a game begins. A game is complete if its moves end in a result and an empty
/// line.
fn games(file: &mut LockedFile, from: u64) -> io::Result<Games> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum At {
        Between,
        Tags,
        Moves { has_result: bool },
        Unknown,
    }
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::new(file);
    let (mut games, mut at, mut offset) =
        (Games { count: 0, first: None, complete: from, end: End::Complete }, At::Between, from);
    // State of the game being read.
    let (mut head, mut is_ours, mut round, mut has_end) = (String::new(), false, None, true);
    let (mut line, mut line_end, mut is_cut_in_line_end) = (Vec::new(), "\n", false);
    while reader.read_until(b'\n', &mut line)? > 0 {
        offset += line.len() as u64;
        if line == b"\r" {
            // An empty line without its LF.
            is_cut_in_line_end = true;
            break;
        }
        has_end = line.ends_with(b"\n");
        is_cut_in_line_end = line.ends_with(b"\r");
        if has_end {
            line_end = if line.ends_with(b"\r\n") { "\r\n" } else { "\n" };
        }
        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        at = match at {
            At::Between | At::Unknown if text.starts_with('[') => {
                (head, is_ours, round) = (String::new(), false, None);
                At::Tags
            }
            At::Tags if text.is_empty() => At::Moves { has_result: false },
            At::Between if !text.is_empty() => At::Unknown,
            At::Moves { has_result: true } if text.is_empty() => {
                games.add(round.filter(|_| is_ours));
                At::Between
            }
            At::Moves { has_result } if text.is_empty() => At::Moves { has_result },
            At::Moves { .. } => {
                let last = text.rsplit(' ').next().unwrap_or_default();
                // A user may have annulled a game of the match.
                At::Moves { has_result: ["1-0", "0-1", "1/2-1/2"].contains(&last) || is_ours && last == "*" }
            }
            at => at,
        };
        if at == At::Between {
            games.complete = offset;
        }
        if at == At::Tags {
            is_ours |= text == event();
            let tag = text.strip_prefix("[Round \"").and_then(|text| text.strip_suffix("\"]"));
            round = tag.and_then(|tag| tag.parse().ok()).filter(|&round| round > 0).or(round);
        }
        if head.len() < beginning().len() {
            head.push_str(&text);
            head.extend(has_end.then_some('\n'));
        }
        line.clear();
    }
    games.end = match at {
        At::Between => End::Complete,
        At::Moves { has_result: true } => {
            games.complete = offset;
            games.add(round.filter(|_| is_ours));
            End::LineMissing(match (has_end, is_cut_in_line_end) {
                (true, true) => "\n",
                (false, true) => "\n\r\n",
                (true, false) => line_end,
                (false, false) if line_end == "\n" => "\n\n",
                (false, false) => "\r\n\r\n",
            })
        }
        At::Tags | At::Moves { .. } if is_ours || beginning().starts_with(&head) => End::Truncated,
        _ => End::Unknown,
    };
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::super::game::{Adjudication, Ending, GameRecord, Played};
    use super::super::openings::Openings;
    use super::super::pgn::write_pgn;
    use super::super::settings::Pairing;
    use super::*;
    use crate::board::Position;
    use crate::rules::GameResult;
    use crate::types::{Color, Move};
    use std::cell::Cell;
    use std::time::Duration;

    const GAMES: usize = 3;

    fn settings(folder: &Path, has_state: bool) -> MatchSettings {
        MatchSettings {
            engines: Vec::new(),
            times: Vec::new(),
            pairing: Pairing::RoundRobin,
            games: GAMES,
            concurrency: 1,
            openings: Openings::List(Vec::new().into()),
            adjudication: Adjudication::default(),
            sprt: None,
            pgn: Some(folder.join("games.pgn")),
            state: has_state.then(|| folder.join("match.state")),
            logs: None,
            force: false,
            inputs: Vec::new(),
            description: "a vs b".into(),
        }
    }

    thread_local! {
        /// The line ends of [`text`].
        static LINE_END: Cell<&'static str> = const { Cell::new("\n") };
    }

    /// Runs a test with the line ends of every system.
    fn with_every_line_end(test: impl Fn()) {
        for line_end in ["\n", "\r\n"] {
            LINE_END.set(line_end);
            test();
        }
    }

    fn text(game: usize) -> Vec<u8> {
        let moves = ["h2e2", "h9g7"].map(|text| Move::from_uci(text).unwrap());
        let played = |mv| Played { mv, score: None, depth: Some(1), time: Duration::ZERO };
        let record = GameRecord {
            opening: Position::startpos(),
            moves: moves.map(played).to_vec(),
            result: if game == 1 { GameResult::Draw } else { GameResult::Loses(Color::Black) },
            ending: Ending::Hang,
            detail: (game == 2).then(|| "b: no answer [Event] (1-0".into()),
        };
        // In the encoding of the system.
        let text = write_pgn(&record, ["a", "b"], game + 1, ["1+0".into(), "1+0".into()]).unwrap();
        let lines = text.split_inclusive(|&byte| byte == b'\n').map(|line| line.trim_ascii_end());
        lines.flat_map(|line| [line, LINE_END.get().as_bytes()].concat()).collect()
    }

    fn finished(game: usize) -> Finished {
        Finished { game, half_points: 2, ending: Ending::Hang, plies: 2, pgn: None }
    }

    /// Plays all remaining games and returns the repairs.
    fn play(settings: &MatchSettings) -> Result<Vec<String>, ArenaError> {
        let (mut outputs, done) = Outputs::open(settings)?;
        outputs.prepare()?;
        for game in (0..GAMES).filter(|game| done.iter().all(|finished| finished.game != *game)) {
            outputs.add(finished(game), Some(&text(game)))?;
        }
        Ok(outputs.repairs)
    }

    fn contents(folder: &Path) -> [Vec<u8>; 2] {
        ["games.pgn", "match.state"].map(|name| std::fs::read(folder.join(name)).unwrap_or_default())
    }

    /// The rounds of the games, all of which must be complete.
    fn rounds(pgn: &[u8]) -> Vec<usize> {
        let (mut rest, mut rounds) = (pgn, Vec::new());
        while !rest.is_empty() {
            let game = (0..GAMES).find(|&game| rest.starts_with(&text(game)));
            let game = game.unwrap_or_else(|| panic!("not a complete game: {}", String::from_utf8_lossy(rest)));
            rounds.push(game);
            rest = &rest[text(game).len()..];
        }
        rounds
    }

    /// The possible states after a kill: a line of the state up to any byte, or the line and the game up to any byte.
    #[test]
    fn after_a_kill_at_any_byte_every_game_is_recorded_once() {
        with_every_line_end(|| {
            let folder = tempfile::tempdir().unwrap();
            let settings = settings(folder.path(), true);
            assert_eq!(play(&settings).unwrap(), [""; 0]);
            let [pgn, state] = contents(folder.path());
            assert_eq!(rounds(&pgn), [0, 1, 2]);
            let lines: Vec<usize> = (0..state.len()).filter(|&at| state[at] == b'\n').map(|at| at + 1).collect();
            assert_eq!(lines.len(), 1 + GAMES);
            let mut at = 0;
            for game in 0..GAMES {
                let end = at + text(game).len();
                let in_state = (lines[game]..lines[game + 1]).map(|cut| (at, cut));
                let in_pgn = (at..=end).map(|cut| (cut, lines[game + 1]));
                for (pgn_end, state_end) in in_state.chain(in_pgn) {
                    std::fs::write(folder.path().join("games.pgn"), &pgn[..pgn_end]).unwrap();
                    std::fs::write(folder.path().join("match.state"), &state[..state_end]).unwrap();
                    let repairs = play(&settings).unwrap_or_else(|error| panic!("{pgn_end}, {state_end}: {error}"));
                    let is_whole = lines.contains(&state_end) && (pgn_end == end || (pgn_end == at && state_end == lines[game]));
                    // A line that only lacks its line end is complete too, but its game is missing.
                    assert_eq!(repairs.is_empty(), is_whole, "{pgn_end}, {state_end}: {repairs:?}");
                    assert_eq!(contents(folder.path()), [pgn.clone(), state.clone()], "{pgn_end}, {state_end}");
                }
                at = end;
            }
        });
    }

    /// With any other damage at the end of one of the files, either the result is correct or nothing has been modified.
    #[test]
    fn damage_is_repaired_or_rejected() {
        with_every_line_end(|| {
            let folder = tempfile::tempdir().unwrap();
            let settings = settings(folder.path(), true);
            play(&settings).unwrap();
            let complete = contents(folder.path());
            let (mut repaired, mut refused) = (0, 0);
            let garbage = [&b""[..], b"\0\0\0\0", b"garbage", b"\n\ngarbage\n\n", b"\xff\n"];
            for (file, name) in ["games.pgn", "match.state"].into_iter().enumerate() {
                for end in 0..=complete[file].len() {
                    // All kinds of garbage at some offsets, and plain truncation at every offset.
                    let tails = if end % 5 == 0 || end == complete[file].len() { &garbage[..] } else { &garbage[..1] };
                    for tail in tails {
                        std::fs::write(folder.path().join("games.pgn"), &complete[0]).unwrap();
                        std::fs::write(folder.path().join("match.state"), &complete[1]).unwrap();
                        let damaged = [&complete[file][..end], *tail].concat();
                        std::fs::write(folder.path().join(name), &damaged).unwrap();
                        let before = contents(folder.path());
                        match play(&settings) {
                            Ok(repairs) => {
                                let [pgn, _] = contents(folder.path());
                                let mut found = rounds(&pgn);
                                found.sort_unstable();
                                // An empty state is that of a new match, whose games are appended to the existing ones.
                                let expected =
                                    if file == 1 && damaged.is_empty() { vec![0, 0, 1, 1, 2, 2] } else { vec![0, 1, 2] };
                                assert_eq!(found, expected, "{name} {end} {tail:?}: {repairs:?}");
                                repaired += !repairs.is_empty() as usize;
                            }
                            Err(error) => {
                                assert_eq!(contents(folder.path()), before, "{name} {end} {tail:?}: {error}");
                                assert!(
                                    error.to_string().contains("games.pgn") || error.to_string().contains("match.state"),
                                    "{error}"
                                );
                                refused += 1;
                            }
                        }
                    }
                }
            }
            assert!(repaired > 200 && refused > 500, "{repaired} repaired, {refused} refused");
            // A changed byte in an earlier game, and in the last one.
            for game in [0, 2] {
                let at: usize = (0..game).map(|game| text(game).len()).sum();
                let mut pgn = complete[0].clone();
                pgn[at + 8] ^= 1;
                std::fs::write(folder.path().join("games.pgn"), &pgn).unwrap();
                std::fs::write(folder.path().join("match.state"), &complete[1]).unwrap();
                let error = play(&settings).unwrap_err().to_string();
                assert!(error.contains(&format!("game {} was changed", game + 1)), "{error}");
            }
        });
    }

    #[test]
    fn without_a_state_a_truncated_game_is_removed() {
        with_every_line_end(|| {
            let folder = tempfile::tempdir().unwrap();
            let (settings, path) = (settings(folder.path(), false), folder.path().join("games.pgn"));
            let first = text(0);
            for end in 0..=text(1).len() {
                std::fs::write(&path, [&first[..], &text(1)[..end]].concat()).unwrap();
                let repairs = play(&settings).unwrap();
                let found = rounds(&contents(folder.path())[0]);
                let is_whole = end + 2 * LINE_END.get().len() >= text(1).len();
                assert_eq!(found, if is_whole { vec![0, 1, 0, 1, 2] } else { vec![0, 0, 1, 2] }, "{end}");
                assert_eq!(repairs.len(), (end > 0 && !is_whole) as usize, "{end}: {repairs:?}");
            }
            // Foreign games at the end, and CRLF line ends.
            LINE_END.set("\r\n");
            let windows = text(2);
            let foreign = b"[Event \"x\"]\n\n1. H2-E2 *\n\n";
            for (tail, is_taken) in
                [(&windows[..], true), (&windows[..windows.len() - 9], true), (&foreign[..], false), (b"x", false)]
            {
                std::fs::write(&path, [&first[..], tail].concat()).unwrap();
                assert_eq!(play(&settings).is_ok(), is_taken, "{}", String::from_utf8_lossy(tail));
            }
            let annulled = String::from_utf8(text(1)).unwrap().replace("1/2-1/2", "*");
            std::fs::write(&path, [&text(0)[..], annulled.as_bytes()].concat()).unwrap();
            play(&settings).unwrap();
            assert!(std::fs::read_to_string(&path).unwrap().contains(&annulled));
        });
    }

    #[test]
    fn other_matches_may_append_games_in_between() {
        with_every_line_end(|| {
            let folder = tempfile::tempdir().unwrap();
            let first = settings(folder.path(), true);
            let second = MatchSettings { state: Some(folder.path().join("other.state")), ..first.clone() };
            // The first match is interrupted after its first game.
            let (mut outputs, _) = Outputs::open(&first).unwrap();
            outputs.prepare().unwrap();
            outputs.add(finished(0), Some(&text(0))).unwrap();
            // Only one process at a time.
            assert!(matches!(Outputs::open(&second), Err(ArenaError::File { .. })));
            drop(outputs);
            play(&second).unwrap();
            play(&first).unwrap();
            play(&second).unwrap();
            assert_eq!(rounds(&contents(folder.path())[0]), [0, 0, 1, 2, 1, 2]);
        });
    }
}
