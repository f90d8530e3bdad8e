//! `chuhe match`: runs matches between engines.

mod report;

use super::Failure;
use super::files;
use super::inputs::read_openings;
use super::output::note;
use super::record_output::check_pgn;
use crate::arena::{
    Adjudication, Balance, EngineSpec, MatchSettings, Openings, OpeningsError, Pairing, RandomOpenings, Sprt, TimeControl, run,
};
use crate::rules::{NaturalLimit, RuleSet, Rules};
use crate::types::counted;
use clap::Args;
use report::{Progress, Report};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe match --engine cmd=./new --engine cmd=./old --games 400 --concurrency 4 --pgn games.pgn
  chuhe match --engine cmd=./new --engine cmd=./old --sprt elo0=0,elo1=5 --games 40000 --state match.state
  chuhe match --engine 'cmd=\"/opt/my engines/x\" --uci,name=\"X, new\",option.Hash=64' --engine cmd=chuhe,proto=ucci
  chuhe match --engine cmd=a --engine cmd=b --engine cmd=c --each tc=10+0.1,option.Threads=1 --openings book.pgn";

/// Default number of plies after which a game is drawn.
const MAX_PLIES: u32 = 600;

/// Arguments of `chuhe match`.
#[derive(Args, Debug)]
pub struct Match {
    /// An engine, given at least twice: cmd=PROGRAM ARGS[,name=N][,proto=uci|ucci][,dir=D][,tc=TC][,ranks=0|1][,option.NAME=V]…
    ///
    /// Quote a value, or a word of cmd, that contains commas or spaces. An option that the engine doesn't announce, or a value
    /// out of its range, is an error before the first game.
    #[arg(long = "engine", required = true, value_name = "SPEC")]
    engines: Vec<String>,
    /// Settings for all engines, as for --engine but without cmd and name; an engine's own settings take precedence
    #[arg(long, value_name = "SPEC")]
    each: Option<String>,
    /// Pairings when there are more than two engines
    #[arg(long, value_enum, default_value_t = Pairing::RoundRobin)]
    tournament: Pairing,
    /// Games per pairing of two engines; every opening is played twice with colours reversed, so an odd number is rounded up
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Time in seconds: BASE+INCREMENT or MOVES/BASE+INCREMENT
    #[arg(long, default_value = "1+0.01", conflicts_with_all = ["movetime", "nodes", "depth"])]
    tc: TimeControl,
    /// Milliseconds for each move, instead of a clock
    #[arg(long, conflicts_with_all = ["nodes", "depth"], value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move, instead of a clock
    #[arg(long, conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth in plies for each move, instead of a clock
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Opening file: FENs or EPDs, one per line, optionally followed by 'moves …', or games (PGN or any other readable
    /// format) (default: random openings)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Play only this many plies of each game in the opening file
    #[arg(long, value_name = "PLIES", requires = "openings", value_parser = clap::value_parser!(u16).range(1..=1000))]
    opening_plies: Option<u16>,
    /// Begin with this opening of the file, counted from 1; after its last one the first follows
    #[arg(long, value_name = "NUMBER", requires = "openings", value_parser = clap::value_parser!(u64).range(1..))]
    first_opening: Option<u64>,
    /// Seed of the random openings
    #[arg(long, conflicts_with = "openings", default_value_t = 1)]
    seed: u64,
    /// Random plies of an opening; every second opening has one more
    #[arg(long, conflicts_with = "openings", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    plies: u16,
    /// Maximum score, in centipawns, that counts as balanced
    #[arg(long, conflicts_with = "openings", default_value_t = 80, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    balance: i32,
    /// Nodes of the search that decides whether a random opening is balanced
    #[arg(long, conflicts_with = "openings", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    balance_nodes: u64,
    /// Sequential probability ratio test (SPRT), which may end the match early: elo0=0,elo1=5[,alpha=0.05][,beta=0.05][,model=normalized|logistic]
    #[arg(long)]
    sprt: Option<Sprt>,
    /// Append the games to this PGN file; an existing file must be from a match
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// State file; if it exists, the interrupted match continues from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Start over: replace the files of --pgn and --state
    #[arg(long)]
    force: bool,
    /// Log the traffic of each engine process to its own file in this folder, with stderr and exit status
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Rules for adjudicating repetitions
    #[arg(long, default_value_t, value_parser = super::values::one_of::<RuleSet>(RuleSet::ids()))]
    rules: RuleSet,
    /// Plies without a capture after which a game is drawn, 0 for no limit
    #[arg(long, default_value_t = NaturalLimit::STANDARD.plies())]
    natural_limit: u16,
    /// Plies played by the engines after which a game is drawn
    #[arg(long, default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// A game is lost when both engines score one side at least CP centipawns down for MOVES moves each: MOVES,CP
    #[arg(long, value_parser = positive::<2>)]
    resign: Option<[u32; 2]>,
    /// A game is drawn when, from PLY of the engines on, both score it within CP centipawns for MOVES moves each: PLY,MOVES,CP
    #[arg(long, value_parser = numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// Tolerance in milliseconds before a time overrun loses (default: 10 with a clock, 500 with --movetime)
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    time_margin: Option<u64>,
    /// Maximum seconds per move for an engine without a clock
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
    /// Number of games between interim results on standard error, unless that is a terminal, where a bar shows them; 0 for
    /// none
    #[arg(long, value_name = "GAMES", default_value_t = 20)]
    rating_interval: u64,
    /// Print every game
    #[arg(long, short)]
    verbose: bool,
    /// Print JSON, one object per line: every game, and the result at the end
    #[arg(long)]
    json: bool,
}

/// Parses `N` comma-separated numbers.
fn numbers<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|part| part.parse().ok().filter(|&n| n <= 1_000_000)).collect();
    numbers.and_then(|list| list.try_into().ok()).ok_or_else(|| format!("expected {N} numbers with commas between them"))
}

/// Parses `N` comma-separated positive numbers; with zero, games would be resigned at once or at an equal score.
fn positive<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let list = numbers::<N>(text)?;
    if list.contains(&0) { Err(format!("expected {N} numbers from 1 on")) } else { Ok(list) }
}

impl Match {
    pub(super) fn run(self) -> Result<(), Failure> {
        self.log.as_deref().map_or(Ok(()), |log| files::check_folder("--log", log))?;
        self.pgn.as_deref().map_or(Ok(()), check_pgn)?;
        let settings = self.settings()?;
        if self.games % 2 == 1 {
            let (asked, played) = (self.games, self.games + 1);
            note(format_args!("--games {asked} is rounded up to {played}, because every opening is played from both sides"));
        }
        let pairs = self.games.div_ceil(2);
        if let Openings::List(list) = &settings.openings
            && list.len() < pairs as usize
        {
            let openings = counted(list.len(), "opening");
            note(format_args!(
                "--openings: {openings} for {pairs} pairs of games are repeated; equal games make the error bars too small"
            ));
        }
        let report = Report::new(self.json, self.verbose, settings.sprt, self.pgn.is_some() || self.state.is_some());
        let mut progress = Progress::new(report, settings.schedule().games(), self.rating_interval);
        let standing = run(&settings, &mut progress)?;
        let mut report = progress.finish();
        report.result(&standing);
        match (report.failure(), &standing.failure) {
            (Some(failure), _) => Err(failure),
            (None, Some(failure)) => Err(failure.to_string().into()),
            _ if standing.is_interrupted => {
                Err(format!("interrupted after {} of {} games", standing.played(), standing.games).into())
            }
            _ => Ok(()),
        }
    }

    fn engines(&self) -> Result<Vec<EngineSpec>, String> {
        let common = match &self.each {
            Some(text) => EngineSpec::common(text).map_err(|error| format!("--each: {error}"))?,
            None => EngineSpec::default(),
        };
        let own = |text: &String| common.clone().with(text).map_err(|error| format!("--engine: {error}"));
        let engines: Vec<EngineSpec> = self.engines.iter().map(own).collect::<Result<_, _>>()?;
        match engines.len() {
            0 | 1 => Err("--engine: given once, expected at least two engines".into()),
            3.. if self.sprt.is_some() => Err("--sprt: there are more than two engines, expected two".into()),
            _ => Ok(engines),
        }
    }

    fn settings(&self) -> Result<MatchSettings, String> {
        let engines = self.engines()?;
        let time = match (self.movetime, self.nodes, self.depth) {
            (Some(ms), _, _) => TimeControl::MoveTime(Duration::from_millis(ms)),
            (_, Some(nodes), _) => TimeControl::Nodes(nodes),
            (_, _, Some(depth)) => TimeControl::Depth(depth),
            _ => self.tc,
        };
        let rules = Rules { set: self.rules, natural_limit: NaturalLimit::of(self.natural_limit), ..Rules::default() };
        let openings = match &self.openings {
            Some(path) => {
                let plies = self.opening_plies.map(usize::from);
                let list = read_openings(path, plies, &rules);
                let hint = |error: &OpeningsError| match error {
                    OpeningsError::Over { .. } => "; --opening-plies takes the beginning of a game",
                    _ => "",
                };
                let mut list = list.map_err(|error| format!("--openings: {error}{}", hint(&error)))?;
                let before = (self.first_opening.unwrap_or(1) - 1) % list.len() as u64;
                list.rotate_left(before as usize);
                Openings::List(list.into())
            }
            None => Openings::Random(RandomOpenings {
                seed: self.seed,
                plies: self.plies as usize,
                balance: Balance { centipawns: self.balance, nodes: self.balance_nodes },
                starts: Arc::default(),
            }),
        };
        let default = Adjudication::default();
        let margin = self.time_margin.map(Duration::from_millis);
        let adjudication = Adjudication {
            rules,
            max_plies: self.max_plies as usize,
            resign: self.resign.map(|[moves, score]| (moves, score as i32)),
            draw: self.draw.map(|[ply, moves, score]| (ply as usize, moves.max(1), score as i32)),
            time_margin: margin.unwrap_or(default.time_margin),
            move_margin: margin.unwrap_or(default.move_margin),
            patience: Duration::from_secs(self.patience),
        };
        Ok(MatchSettings {
            times: engines.iter().map(|spec| spec.time.unwrap_or(time)).collect(),
            description: self.description(time, &openings),
            engines,
            pairing: self.tournament,
            games: self.games as usize,
            concurrency: self.concurrency as usize,
            openings,
            adjudication,
            sprt: self.sprt,
            pgn: self.pgn.clone(),
            state: self.state.clone(),
            logs: self.log.clone(),
            force: self.force,
            inputs: self.openings.iter().cloned().collect(),
        })
    }

    /// Identifies this match in the state file: all settings that affect results, where they differ from the defaults.
    fn description(&self, time: TimeControl, openings: &Openings) -> String {
        let mut source = match &self.openings {
            Some(path) => format!("{} {:08x}", path.display(), openings.checksum()),
            None => format!("random seed {} plies {} balance {}/{}", self.seed, self.plies, self.balance, self.balance_nodes),
        };
        if let Some(plies) = self.opening_plies {
            source.push_str(&format!(" plies {plies}"));
        }
        let each = self.each.as_ref().map(|text| format!(", each {text}")).unwrap_or_default();
        let gauntlet = if self.tournament == Pairing::Gauntlet && self.engines.len() > 2 { ", gauntlet" } else { "" };
        let mut own = String::new();
        let mut add = |name: &str, value: Option<String>| {
            own.extend(value.map(|value| format!(", {name} {value}")));
        };
        let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        add("rules", (self.rules != RuleSet::default()).then(|| self.rules.to_string()));
        add("natural limit", (self.natural_limit != NaturalLimit::STANDARD.plies()).then(|| self.natural_limit.to_string()));
        add("plies", (self.max_plies != MAX_PLIES).then(|| self.max_plies.to_string()));
        add("resign", self.resign.map(|numbers| list(&numbers)));
        add("draw", self.draw.map(|numbers| list(&numbers)));
        add("time margin", self.time_margin.map(|margin| margin.to_string()));
        format!("{}{each}{gauntlet}, {time}, openings {source}{own}", self.engines.join(" vs "))
    }
}
