//! The steps of a generation, each repeated only if necessary.

use super::report::{Match, write_report};
use super::{GAMES_HERE, Generation, GenerationError};
use crate::datasets::{Games, for_each_game};
use crate::networks::read_network;
use crate::say;
use crate::selfplay::{Score, SelfPlayPlan, compare, run as play};
use crate::training::{self, check_start, train};
use chuhe::nnue::Network;
use chuhe::system;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options of a run, none of which changes its result.
#[derive(Clone, Debug)]
pub struct Options {
    /// Parent of the generation's folder.
    pub output: PathBuf,
    /// Number of threads.
    pub threads: usize,
    /// If given, only the games with these numbers are played.
    pub only: Option<Range<u64>>,
    /// Name, version and benchmark of the engine that plays: [`SelfPlayPlan::this_engine`].
    pub engine: String,
}

/// The inputs of a step: names and sizes, or checksums.
type Sources = Vec<(String, u64)>;

/// The completed steps.
#[derive(Default, Serialize, Deserialize)]
struct State {
    made: BTreeMap<String, Sources>,
}

/// A run in progress.
struct Work<'a> {
    generation: &'a Generation,
    options: &'a Options,
    folder: PathBuf,
    state: State,
    /// In a series, the games of the next generation, which the network of this one plays.
    played: Option<PathBuf>,
}

/// Runs a generation or a series, or only the games of [`Options::only`]. Prints a line for every step.
///
/// # Errors
/// One line that names the file, or says that the games of a series cannot be shared: each generation's depend on the network before.
pub fn run(generation: &Generation, options: &Options) -> Result<(), GenerationError> {
    if options.only.is_some() && generation.series.generations > 0 {
        return Err(GenerationError::SharedSeries);
    }
    if options.only.is_none() {
        check_inputs(generation)?;
    }
    let members = generation.members(&options.output);
    members.iter().enumerate().try_for_each(|(number, member)| run_one(member, members.get(number + 1), options))
}

/// Checks the inputs of the steps after the games, which take hours. The opponents of a series may be networks that it is to train.
fn check_inputs(generation: &Generation) -> Result<(), GenerationError> {
    for path in &generation.older {
        Games::open(path)?;
    }
    if generation.series.generations == 0 {
        generation.compare.against.iter().try_for_each(|name| read_network(name).map(drop))?;
    }
    Ok(())
}

/// Runs a generation; `next` is the one after it in a series.
fn run_one(generation: &Generation, next: Option<&Generation>, options: &Options) -> Result<(), GenerationError> {
    let folder = options.output.join(&generation.name);
    std::fs::create_dir_all(&folder).map_err(GenerationError::io(&folder))?;
    let saved = folder.join("state.json");
    let state = match std::fs::read(&saved) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| GenerationError::State { path: saved, error })?,
        Err(error) if error.kind() == ErrorKind::NotFound => State::default(),
        Err(error) => return Err(GenerationError::io(&saved)(error)),
    };
    let played = next.map(|next| options.output.join(&next.name).join(GAMES_HERE));
    let mut work = Work { generation, options, folder, state, played };
    let teacher = read_network(&generation.teacher)?;
    let plan = generation.plan(&options.engine, teacher.checksum());
    if let Some(numbers) = options.only.clone() {
        let path = work.path(&format!("games-{}-{}", numbers.start, numbers.end));
        return work.play(&plan, teacher, &path, numbers, &HashSet::new());
    }
    // Before the games, which take hours.
    check_start(&generation.recipe(Vec::new())?)?;
    let elsewhere = work.games_elsewhere(&plan)?;
    let here = work.path(GAMES_HERE);
    work.play(&plan, teacher, &here, 0..generation.selfplay.games, &elsewhere)?;
    let network = work.train()?;
    let matches = work.compare(network)?;
    write_report(generation, &work.folder, &work.game_files()?, &plan, &matches)?;
    say!("report {}", work.path("report.md").display());
    Ok(())
}

impl Work<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The record files of this generation's games.
    fn game_files(&self) -> Result<Vec<PathBuf>, GenerationError> {
        let entries = std::fs::read_dir(&self.folder).map_err(GenerationError::io(&self.folder))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // Not the folder of a training run of this name.
        files.retain(|path| path.is_file() && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("games-")));
        files.sort();
        Ok(files)
    }

    /// Numbers of the games in files of other machines and of ranges.
    fn games_elsewhere(&self, plan: &SelfPlayPlan) -> Result<HashSet<u64>, GenerationError> {
        let mut numbers = HashSet::new();
        for path in self.game_files()?.into_iter().filter(|path| !path.ends_with(GAMES_HERE)) {
            let games = Games::open(&path)?;
            if games.description() != plan.header().description {
                return Err(GenerationError::OtherPlan { path, found: games.description().into() });
            }
            for_each_game(&[path], &ProgressBar::hidden(), |game| {
                numbers.insert(game.id);
                Ok(())
            })?;
        }
        Ok(numbers)
    }

    fn play(
        &self,
        plan: &SelfPlayPlan,
        teacher: Arc<Network>,
        path: &Path,
        numbers: Range<u64>,
        elsewhere: &HashSet<u64>,
    ) -> Result<(), GenerationError> {
        let wanted = numbers.clone().filter(|number| !elsewhere.contains(number)).count() as u64;
        if wanted == 0 {
            say!("self-play: all games are in other files");
            return Ok(());
        }
        let bar = bar(wanted, "games");
        let progress = play(plan, teacher, path, numbers, elsewhere, self.options.threads, |progress| {
            bar.set_position(progress.games);
        })?;
        bar.finish_and_clear();
        progress.repair.warn(path);
        say!("self-play: {} games {} positions {}", path.display(), progress.games, progress.positions);
        Ok(())
    }

    fn note(&mut self, step: &str, sources: Sources) -> Result<(), GenerationError> {
        self.state.made.insert(step.into(), sources);
        let path = self.path("state.json");
        let text = serde_json::to_vec_pretty(&self.state).unwrap_or_default();
        system::write_atomically(&path, &text).map_err(GenerationError::io(&path))
    }

    /// Trains the network on the games of this generation and the older ones; starts over if they have changed since the training began.
    fn train(&mut self) -> Result<Arc<Network>, GenerationError> {
        let mut data = self.game_files()?;
        data.extend(self.generation.older.iter().cloned());
        let mut sources = Sources::new();
        for path in &data {
            let size = std::fs::metadata(path).map_err(GenerationError::io(path))?.len();
            sources.push((path.display().to_string(), size));
        }
        let recipe = self.generation.recipe(data)?;
        sources.push(("recipe".into(), recipe.fingerprint() as u64));
        // The recipe only names the network. The games are those of one teacher in any case.
        if let Some(name) = recipe.start.network.as_ref().filter(|name| **name != self.generation.teacher) {
            sources.push(("start".into(), read_network(name)?.checksum().into()));
        }
        let run = self.path(&self.generation.name);
        let made = self.state.made.get("train");
        let restart = made != Some(&sources);
        // Another network could not continue the games of this one: the series would end there, and this network would be lost.
        if let Some(path) = self.played.iter().find(|path| restart && made.is_some() && path.exists()) {
            return Err(GenerationError::Played { path: path.clone() });
        }
        if restart {
            // Before the note: a run that is interrupted before its first checkpoint would continue from that of the earlier data.
            let checkpoint = run.join("checkpoint");
            match std::fs::remove_file(&checkpoint) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(GenerationError::io(&checkpoint)(error)),
                _ => {}
            }
        }
        self.note("train", sources)?;
        let options = training::Options { output: self.folder.clone(), threads: self.options.threads, stop_after: None, restart };
        train(&recipe, &options)?;
        Ok(read_network(&run.join("network.nnue").display().to_string())?)
    }

    fn compare(&mut self, network: Arc<Network>) -> Result<Vec<Match>, GenerationError> {
        let settings = &self.generation.compare;
        let mut matches = Vec::new();
        for (number, name) in settings.against.iter().enumerate() {
            let opponent = read_network(name)?;
            let head = format!(
                "# {:08x} against {:08x}, {} nodes a move, seed {}",
                network.checksum(),
                opponent.checksum(),
                settings.nodes,
                settings.seed
            );
            let path = self.path(&format!("compare-{number}.tsv"));
            let mut played = read_pairs(&path, &head);
            let mut file = begin_pairs(&path, &head, &played).map_err(GenerationError::io(&path))?;
            let missing: Vec<u64> = (0..settings.pairs).filter(|id| !played.contains_key(id)).collect();
            let bar = bar(settings.pairs, "pairs");
            bar.set_position(played.len() as u64);
            let mut fault = None;
            let plan = SelfPlayPlan::for_comparison(settings.nodes, settings.seed);
            compare(&plan, [network.clone(), opponent], missing, self.options.threads, |id, pair| {
                fault = fault.take().or(writeln!(file, "{id}\t{}\t{}", pair[0], pair[1]).err());
                played.insert(id, pair);
                bar.inc(1);
            });
            bar.finish_and_clear();
            if let Some(error) = fault {
                return Err(GenerationError::Io { path, error });
            }
            let found = Match { opponent: name.clone(), nodes: settings.nodes, pairs: played.into_values().collect() };
            say!("compare: against {name} {}", found.score());
            matches.push(found);
        }
        Ok(matches)
    }
}

/// The pairs of games in a file with this header line; none if the header differs.
fn read_pairs(path: &Path, head: &str) -> BTreeMap<u64, [u8; 2]> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if text.lines().next() != Some(head) {
        return BTreeMap::new();
    }
    // A last line without a line end is incomplete.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let pair = |line: &str| {
        let mut fields = line.split('\t').map(str::parse::<u64>);
        let mut next = || fields.next()?.ok();
        let (id, first, second) = (next()?, next()?, next()?);
        (first <= 2 && second <= 2).then_some((id, [first as u8, second as u8]))
    };
    whole.lines().skip(1).filter_map(pair).collect()
}

/// Rewrites a file of pairs and opens it for appending.
fn begin_pairs(path: &Path, head: &str, pairs: &BTreeMap<u64, [u8; 2]>) -> std::io::Result<std::fs::File> {
    let lines: String = pairs.iter().map(|(id, pair)| format!("{id}\t{}\t{}\n", pair[0], pair[1])).collect();
    system::write_atomically(path, format!("{head}\n{lines}").as_bytes())?;
    OpenOptions::new().append(true).open(path)
}

fn bar(length: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("[{wide_bar}] {pos}/{len} {msg} {eta}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
}

impl Match {
    /// The result of the match.
    pub(super) fn score(&self) -> Score {
        let mut score = Score::default();
        self.pairs.iter().for_each(|&pair| score.add(pair));
        score
    }
}
