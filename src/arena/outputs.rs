//! The files that a match writes: the games, and the state from which an interrupted match is taken up again. They are opened and looked
//! through together, so that a game stands in both or in neither, and once.
//!
//! A game's line in the state is written first and says where the game will stand in the PGN and what its checksum is. An
//! interruption can therefore leave a line that was cut off, or a last line whose game is not there or was cut off; that game is
//! played again. Everything else is damage, which is reported and not written upon.

use super::error::{ArenaError, OutputProblem};
use super::pgn::EVENT;
use super::state::{Finished, StateFile, Stretch};
use super::tournament::Setup;
use crate::system::{Exclusive, is_device, is_same_file};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes at the beginning of a file of games that show whether a match has written it.
const PROOF: u64 = 1 << 16;
/// How a game begins in the file of games.
const HEAD: &str = "[Game \"Chinese Chess\"]\n";

/// The outputs of a match, open and checked, and unchanged until [`Outputs::prepare`].
pub(super) struct Outputs {
    state: Option<StateFile>,
    pgn: Option<PgnFile>,
    /// What [`Outputs::prepare`] will repair, in words.
    pub(super) repairs: Vec<String>,
}

impl Outputs {
    /// Opens the outputs of a match and returns them with the games that an earlier run has played.
    ///
    /// # Errors
    /// When an output is an input or somebody else's file, is written by another run, or is damaged otherwise than by an interruption.
    pub(super) fn open(setup: &Setup) -> Result<(Outputs, Vec<Finished>), ArenaError> {
        check_paths(setup)?;
        let mut done = Vec::new();
        let mut outputs = Outputs { state: None, pgn: None, repairs: Vec::new() };
        if let Some(path) = &setup.state {
            let (state, finished) = StateFile::open(path, &setup.description, setup.force)?;
            done = finished;
            if state.is_torn() {
                let (line, done) =
                    if state.is_empty() { ("first", "the match starts over") } else { ("last", "its game is played again") };
                outputs.repairs.push(format!("{}: the {line} line was cut off, {done}", path.display()));
            }
            outputs.state = Some(state);
        }
        if let Some(path) = &setup.pgn {
            outputs.pgn = Some(PgnFile::open(path, setup.force)?);
            outputs.compare(&mut done)?;
        }
        Ok((outputs, done))
    }

    /// Compares the games of the state with the file of games; the last one is dropped where an interruption has lost it.
    fn compare(&mut self, done: &mut Vec<Finished>) -> Result<(), ArenaError> {
        let Some(pgn) = &mut self.pgn else { return Ok(()) };
        let Place::File(file) = &mut pgn.place else { return Ok(()) };
        let failed = |error: io::Error| ArenaError::file(&pgn.path, error);
        let refuse = |problem| ArenaError::Output { path: pgn.path.clone(), problem };
        let length = if pgn.is_replaced { 0 } else { file.length().map_err(failed)? };
        let mut from = self.state.as_ref().and_then(StateFile::pgn_from).unwrap_or(0).min(length);
        let mut lost = None;
        for (index, finished) in done.iter().enumerate() {
            let Some(stretch) = finished.pgn else { continue };
            if stands(file, &stretch).map_err(failed)? {
                from = from.max(stretch.end());
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
            End::Whole => {}
            End::LineMissing(text) => pgn.missing = text,
            End::Torn => {
                if lost.is_none() {
                    let (path, bytes) = (pgn.path.display(), length - found.whole);
                    self.repairs.push(format!("{path}: the last game was cut off, its {bytes} bytes are removed"));
                }
            }
            End::Unknown => return Err(refuse(OutputProblem::Unknown { byte: found.whole })),
        }
        pgn.whole = found.whole;
        let Some(state) = &self.state else { return Ok(()) };
        if state.is_empty() && state.is_torn() && length > 0 {
            return Err(refuse(OutputProblem::StateLost));
        }
        let known: HashSet<usize> = done.iter().map(|finished| finished.game).collect();
        match found.first {
            // All but its last line end was written.
            Some(round) if lost == Some(round - 1) && found.count == 1 && !pgn.missing.is_empty() => {
                (pgn.whole, pgn.missing) = (from, "");
                Ok(())
            }
            Some(round) if lost == Some(round - 1) => Err(refuse(OutputProblem::Damaged { game: round })),
            // Games after those of the state are another match's, unless they begin with one that this match has still to play.
            Some(round) if state.pgn_from().is_some() && !known.contains(&(round - 1)) => {
                Err(refuse(OutputProblem::Unrecorded { game: round }))
            }
            _ => Ok(()),
        }
    }

    /// Gets the files ready for more games, repaired where that is needed.
    ///
    /// # Errors
    /// When a file can't be written.
    pub(super) fn prepare(&mut self) -> Result<(), ArenaError> {
        if let Some(pgn) = &mut self.pgn {
            pgn.prepare()?;
        }
        let pgn_from = self.pgn.as_ref().and_then(PgnFile::length);
        self.state.as_mut().map_or(Ok(()), |state| state.prepare(pgn_from))
    }

    /// Adds a game; `text` is its record for the file of games, if there is one.
    ///
    /// # Errors
    /// When a file can't be written.
    pub(super) fn add(&mut self, mut finished: Finished, text: Option<&[u8]>) -> Result<(), ArenaError> {
        let text = text.unwrap_or_default();
        finished.pgn = self.pgn.as_ref().and_then(PgnFile::length).map(|at| Stretch {
            at,
            bytes: text.len() as u64,
            crc: crc32fast::hash(text),
        });
        if let Some(state) = &mut self.state {
            state.add(&finished)?;
        }
        self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.add(text))
    }

    /// Whether games go into a file of games.
    pub(super) fn has_pgn(&self) -> bool {
        self.pgn.is_some()
    }
}

/// Makes sure that no output replaces an input.
fn check_paths(setup: &Setup) -> Result<(), ArenaError> {
    let refuse = |path: &Path, problem| Err(ArenaError::Output { path: path.into(), problem });
    for path in [&setup.pgn, &setup.state].into_iter().flatten() {
        let programs = setup.engines.iter().map(|spec| Path::new(&spec.command));
        if setup.inputs.iter().map(PathBuf::as_path).chain(programs).any(|input| is_same_file(path, input)) {
            return refuse(path, OutputProblem::Input);
        }
    }
    if let (Some(pgn), Some(state)) = (&setup.pgn, &setup.state)
        && is_same_file(pgn, state)
    {
        return refuse(pgn, OutputProblem::Twice);
    }
    match [&setup.pgn, &setup.state].into_iter().flatten().find(|path| path.as_os_str() == "-") {
        Some(path) => refuse(path, OutputProblem::Stdout),
        None => Ok(()),
    }
}

/// The file that games are added to.
struct PgnFile {
    path: PathBuf,
    place: Place,
    /// Bytes that stay.
    whole: u64,
    /// What the last game lacks after it.
    missing: &'static str,
    /// Whether all that it holds goes.
    is_replaced: bool,
}

enum Place {
    File(Exclusive),
    /// A device or a pipe, which takes games and gives none back.
    Device(File),
}

impl PgnFile {
    fn open(path: &Path, force: bool) -> Result<PgnFile, ArenaError> {
        let failed = |error: io::Error| ArenaError::file(path, error);
        let place = if is_device(path) {
            Place::Device(File::options().append(true).open(path).map_err(failed)?)
        } else {
            let mut file = Exclusive::open(path).map_err(failed)?;
            let mut start = Vec::new();
            (&mut file).take(PROOF).read_to_end(&mut start).map_err(failed)?;
            let start = String::from_utf8_lossy(&start).replace('\r', "");
            let is_ours = start.contains(&event()) || beginning().starts_with(&start);
            if !is_ours && !force {
                return Err(ArenaError::Output { path: path.into(), problem: OutputProblem::Foreign });
            }
            Place::File(file)
        };
        Ok(PgnFile { path: path.into(), place, whole: 0, missing: "", is_replaced: force })
    }

    /// Bytes in the file; none for a device.
    fn length(&self) -> Option<u64> {
        match &self.place {
            Place::File(file) => file.length().ok(),
            Place::Device(_) => None,
        }
    }

    fn prepare(&mut self) -> Result<(), ArenaError> {
        let Place::File(file) = &mut self.place else { return Ok(()) };
        let prepared = file.cut(self.whole).and_then(|()| file.append(self.missing.as_bytes()));
        prepared.map_err(|error| ArenaError::file(&self.path, error))
    }

    /// Adds a game, whole or not at all.
    fn add(&mut self, game: &[u8]) -> Result<(), ArenaError> {
        let added = match &mut self.place {
            Place::File(file) => file.append(game),
            Place::Device(device) => device.write_all(game),
        };
        added.map_err(|error| ArenaError::file(&self.path, error))
    }
}

/// The tag by which the games of a match are known.
fn event() -> String {
    format!("[Event \"{EVENT}\"]")
}

/// How the games of a match begin, with plain line ends.
fn beginning() -> String {
    format!("{HEAD}{}\n", event())
}

/// Whether a game stands where the state says.
fn stands(file: &mut Exclusive, stretch: &Stretch) -> io::Result<bool> {
    if stretch.end() > file.length()? {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(stretch.at))?;
    let mut sum = crc32fast::Hasher::new();
    let mut rest = BufReader::new(file.take(stretch.bytes));
    loop {
        let block = rest.fill_buf()?;
        if block.is_empty() {
            return Ok(sum.finalize() == stretch.crc);
        }
        sum.update(block);
        let length = block.len();
        rest.consume(length);
    }
}

/// What the rest of a file of games holds.
struct Games {
    /// How many.
    count: usize,
    /// The round of its first game, when that is whole and one of a match.
    first: Option<usize>,
    /// Where the last whole game ends.
    whole: u64,
    /// What follows it.
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Nothing.
    Whole,
    /// Nothing, and not even this part of the end of the last game.
    LineMissing(&'static str),
    /// The beginning of a game of a match.
    Torn,
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

/// Reads the games from a byte on at which one begins. A game is whole when its moves end in a result and an empty line.
fn games(file: &mut Exclusive, from: u64) -> io::Result<Games> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum At {
        Between,
        Tags,
        Moves { has_result: bool },
        Unknown,
    }
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::new(file);
    let (mut games, mut at, mut place) = (Games { count: 0, first: None, whole: from, end: End::Whole }, At::Between, from);
    // What is known of the game that is being read.
    let (mut head, mut is_ours, mut round, mut has_end) = (String::new(), false, None, true);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        has_end = line.ends_with(b"\n");
        place += line.len() as u64;
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
                At::Moves { has_result: ["1-0", "0-1", "1/2-1/2"].contains(&last) }
            }
            at => at,
        };
        if at == At::Between {
            games.whole = place;
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
        At::Between => End::Whole,
        At::Moves { has_result: true } => {
            games.whole = place;
            games.add(round.filter(|_| is_ours));
            End::LineMissing(if has_end { "\n" } else { "\n\n" })
        }
        At::Tags | At::Moves { .. } if is_ours || beginning().starts_with(&head) => End::Torn,
        _ => End::Unknown,
    };
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::super::game::{Adjudication, Ending, GameRecord, Played};
    use super::super::openings::Openings;
    use super::super::pgn::write_pgn;
    use super::super::schedule::Pairing;
    use super::*;
    use crate::board::Position;
    use crate::rules::GameResult;
    use crate::types::{Color, Move};
    use std::time::Duration;

    const GAMES: usize = 3;

    fn setup(folder: &Path, has_state: bool) -> Setup {
        Setup {
            engines: Vec::new(),
            times: Vec::new(),
            pairing: Pairing::RoundRobin,
            games: GAMES,
            concurrency: 1,
            openings: Openings::List(Vec::new()),
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
        write_pgn(&record, ["a", "b"], game + 1, ["1+0".into(), "1+0".into()]).unwrap()
    }

    fn finished(game: usize) -> Finished {
        Finished { game, half_points: 2, ending: Ending::Hang, plies: 2, pgn: None }
    }

    /// Plays all games that are still to be played, and returns what was repaired.
    fn play(setup: &Setup) -> Result<Vec<String>, ArenaError> {
        let (mut outputs, done) = Outputs::open(setup)?;
        outputs.prepare()?;
        for game in (0..GAMES).filter(|game| done.iter().all(|finished| finished.game != *game)) {
            outputs.add(finished(game), Some(&text(game)))?;
        }
        Ok(outputs.repairs)
    }

    fn contents(folder: &Path) -> [Vec<u8>; 2] {
        ["games.pgn", "match.state"].map(|name| std::fs::read(folder.join(name)).unwrap_or_default())
    }

    /// The rounds of the games, all of which must be whole.
    fn rounds(pgn: &[u8]) -> Vec<usize> {
        let (mut rest, mut rounds) = (pgn, Vec::new());
        while !rest.is_empty() {
            let game = (0..GAMES).find(|&game| rest.starts_with(&text(game)));
            let game = game.unwrap_or_else(|| panic!("no whole game: {}", String::from_utf8_lossy(rest)));
            rounds.push(game);
            rest = &rest[text(game).len()..];
        }
        rounds
    }

    /// What a kill leaves: a line of the state up to any byte, or the line and the game up to any byte.
    #[test]
    fn after_a_kill_at_any_byte_every_game_stands_once() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path(), true);
        assert_eq!(play(&setup).unwrap(), [""; 0]);
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
                let repairs = play(&setup).unwrap_or_else(|error| panic!("{pgn_end}, {state_end}: {error}"));
                let is_whole = lines.contains(&state_end) && (pgn_end == end || (pgn_end == at && state_end == lines[game]));
                // A line that lacks its end alone is whole as well, but the game behind it is not there.
                assert_eq!(repairs.is_empty(), is_whole, "{pgn_end}, {state_end}: {repairs:?}");
                assert_eq!(contents(folder.path()), [pgn.clone(), state.clone()], "{pgn_end}, {state_end}");
            }
            at = end;
        }
    }

    /// Any other damage at the end of one of the files: everything is as it should be at the end, or nothing has been touched.
    #[test]
    fn damage_is_repaired_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path(), true);
        play(&setup).unwrap();
        let whole = contents(folder.path());
        let (mut repaired, mut refused) = (0, 0);
        let garbage = [&b""[..], b"\0\0\0\0", b"garbage", b"\n\ngarbage\n\n", b"\xff\n"];
        for (file, name) in ["games.pgn", "match.state"].into_iter().enumerate() {
            for end in 0..=whole[file].len() {
                // All kinds of garbage at some bytes, and nothing at all at every one.
                let tails = if end % 5 == 0 || end == whole[file].len() { &garbage[..] } else { &garbage[..1] };
                for tail in tails {
                    std::fs::write(folder.path().join("games.pgn"), &whole[0]).unwrap();
                    std::fs::write(folder.path().join("match.state"), &whole[1]).unwrap();
                    let damaged = [&whole[file][..end], *tail].concat();
                    std::fs::write(folder.path().join(name), &damaged).unwrap();
                    let before = contents(folder.path());
                    match play(&setup) {
                        Ok(repairs) => {
                            let [pgn, _] = contents(folder.path());
                            let mut found = rounds(&pgn);
                            found.sort_unstable();
                            // A state without a line is that of a new match, whose games are added to those that are there.
                            let expected = if file == 1 && damaged.is_empty() { vec![0, 0, 1, 1, 2, 2] } else { vec![0, 1, 2] };
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
        // A byte of a game that is not the last, and one of the last.
        for game in [0, 2] {
            let at: usize = (0..game).map(|game| text(game).len()).sum();
            let mut pgn = whole[0].clone();
            pgn[at + 8] ^= 1;
            std::fs::write(folder.path().join("games.pgn"), &pgn).unwrap();
            std::fs::write(folder.path().join("match.state"), &whole[1]).unwrap();
            let error = play(&setup).unwrap_err().to_string();
            assert!(error.contains(&format!("game {} was changed", game + 1)), "{error}");
        }
    }

    #[test]
    fn without_a_state_a_game_that_was_cut_off_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (setup, path) = (setup(folder.path(), false), folder.path().join("games.pgn"));
        let first = text(0);
        for end in 0..=text(1).len() {
            std::fs::write(&path, [&first[..], &text(1)[..end]].concat()).unwrap();
            let repairs = play(&setup).unwrap();
            let found = rounds(&contents(folder.path())[0]);
            let is_whole = end + 2 >= text(1).len();
            assert_eq!(found, if is_whole { vec![0, 1, 0, 1, 2] } else { vec![0, 0, 1, 2] }, "{end}");
            assert_eq!(repairs.len(), (end > 0 && !is_whole) as usize, "{end}: {repairs:?}");
        }
        // Games of others at the end, and line ends of Windows.
        let windows = String::from_utf8(text(2)).unwrap().replace('\n', "\r\n");
        let foreign = "[Event \"x\"]\n\n1. H2-E2 *\n\n";
        for (tail, is_taken) in [(windows.as_str(), true), (&windows[..windows.len() - 9], true), (foreign, false), ("x", false)]
        {
            std::fs::write(&path, [&first[..], tail.as_bytes()].concat()).unwrap();
            assert_eq!(play(&setup).is_ok(), is_taken, "{tail}");
        }
    }

    #[test]
    fn other_matches_may_add_their_games_in_between() {
        let folder = tempfile::tempdir().unwrap();
        let first = setup(folder.path(), true);
        let second = Setup { state: Some(folder.path().join("other.state")), ..first.clone() };
        // The first match is interrupted after its first game.
        let (mut outputs, _) = Outputs::open(&first).unwrap();
        outputs.prepare().unwrap();
        outputs.add(finished(0), Some(&text(0))).unwrap();
        // One run at a time.
        assert!(matches!(Outputs::open(&second), Err(ArenaError::File { .. })));
        drop(outputs);
        play(&second).unwrap();
        play(&first).unwrap();
        play(&second).unwrap();
        assert_eq!(rounds(&contents(folder.path())[0]), [0, 0, 1, 2, 1, 2]);
    }
}
