//! Output of `chuhe match`: games as they finish, and the result.

use super::super::Failure;
use super::super::output::{Output, note};
use super::super::progress;
use crate::arena::{Ending, Fixture, GameRecord, Sprt, SprtStatus, Standing, Summary, Watcher};
use crate::records::RecordResult;
use crate::types::counted;
use indicatif::ProgressBar;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Output on stdout, as text or as JSON.
pub(super) struct Report {
    json: bool,
    verbose: bool,
    sprt: Option<Sprt>,
    /// Whether the games go to a file, so that the match continues even if stdout is closed.
    has_files: bool,
    output: Output,
    /// The first error of writing to stdout.
    failure: Option<Failure>,
    /// Whether the output goes to standard error instead.
    is_on_stderr: bool,
}

impl Report {
    pub(super) fn new(json: bool, verbose: bool, sprt: Option<Sprt>, has_files: bool) -> Report {
        Report { json, verbose, sprt, has_files, output: Output::streaming(), failure: None, is_on_stderr: false }
    }

    /// The first error of writing to stdout, if any.
    pub(super) fn failure(self) -> Option<Failure> {
        self.failure
    }

    fn print(&mut self, line: impl Display) {
        if self.is_on_stderr {
            let _ = writeln!(io::stderr(), "{line}");
        } else if self.failure.is_none() {
            self.failure = writeln!(self.output, "{line}").err();
        }
    }

    fn json(&mut self, value: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            self.print(text);
        }
    }

    /// Prints the result; for two engines the last line has a fixed form that other programs rely on.
    pub(super) fn result(&mut self, standing: &Standing) {
        self.print_result(standing);
        // Ctrl-C ends the reader of the output too, as in `chuhe match … | tee log`; the result must not be lost with it.
        let is_closed = matches!(&self.failure, Some(Failure::Output(error)) if error.is_broken_pipe());
        if is_closed && standing.is_interrupted {
            (self.failure, self.is_on_stderr) = (None, true);
            self.print_result(standing);
        }
    }

    fn print_result(&mut self, standing: &Standing) {
        let is_duel = standing.names.len() == 2;
        match (self.json, is_duel) {
            (true, true) => self.json(&Total::new(standing, self.sprt.as_ref())),
            (true, false) => self.json(&Table::new(standing)),
            (false, true) => {
                self.duel(standing);
                self.print(standing.summary());
            }
            (false, false) => self.table(standing),
        }
    }

    fn duel(&mut self, standing: &Standing) {
        let summary = standing.summary();
        let [first, second] = [&standing.names[0], &standing.names[1]];
        let (games, share) = (summary.games(), summary.share() * 100.0);
        self.print(format_args!("{first} vs {second}: {}, {share:.1}% of the points", counted(games, "game")));
        let (pairs, normalised) = (summary.pairs.0, summary.normalised_elo());
        self.print(format_args!("pairs with 0 1/2 1 3/2 2 points: {pairs:?}, normalised elo {normalised:.1}"));
        self.endings(standing);
        let faults = [list(&standing.faults[0]), list(&standing.faults[1])];
        self.print(format_args!("faults of {first}: {}; of {second}: {}", faults[0], faults[1]));
        if let Some(sprt) = self.sprt {
            let status = match sprt.status(&summary.pairs) {
                SprtStatus::Undecided => "undecided",
                SprtStatus::AcceptsZero => "elo0 accepted",
                SprtStatus::AcceptsOne => "elo1 accepted",
            };
            let (ratio, elo0, elo1) = (ratio(&sprt, &summary), sprt.elo0, sprt.elo1);
            self.print(format_args!("sprt elo0 {elo0} elo1 {elo1}: {ratio}, {status}"));
        }
    }

    fn endings(&mut self, standing: &Standing) {
        let plies = standing.plies as f64 / standing.played().max(1) as f64;
        self.print(format_args!("endings: {}; {plies:.1} plies per game", list(&standing.endings)));
    }

    /// The results of more than two engines: every pairing, and a table, best first.
    fn table(&mut self, standing: &Standing) {
        for ([first, second], summary) in standing.pairings.iter().zip(&standing.results) {
            self.print(format_args!("{} vs {}: {summary}", standing.names[*first], standing.names[*second]));
        }
        self.endings(standing);
        for (name, faults) in standing.names.iter().zip(&standing.faults).filter(|(_, faults)| !faults.is_empty()) {
            self.print(format_args!("faults of {name}: {}", list(faults)));
        }
        let width = standing.names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(6);
        self.print(format_args!(
            "{:>3} {:width$} {:>6} {:>7} {:>6} {:>7} {:>6} {:>5}",
            "#", "engine", "games", "points", "%", "elo", "+/-", "los"
        ));
        for (rank, engine) in ranking(standing).into_iter().enumerate() {
            let (summary, name) = (standing.of_engine(engine), &standing.names[engine]);
            let (elo, bar) = summary.elo();
            let points = summary.wins as f64 + summary.draws as f64 / 2.0;
            let (games, share, los) = (summary.games(), summary.share() * 100.0, summary.superiority());
            self.print(format_args!(
                "{:>3} {name:width$} {games:>6} {points:>7.1} {share:>6.1} {elo:>7.1} {bar:>6.1} {los:>5.3}",
                rank + 1
            ));
        }
    }
}

/// The log-likelihood ratio of a test and its bounds.
fn ratio(sprt: &Sprt, summary: &Summary) -> String {
    let (low, high) = sprt.bounds();
    format!("llr {:.2} of {low:.2} to {high:.2}", sprt.ratio(&summary.pairs))
}

/// The engines by their share of the points, best first.
fn ranking(standing: &Standing) -> Vec<usize> {
    let mut engines: Vec<usize> = (0..standing.names.len()).collect();
    engines.sort_by(|&a, &b| standing.of_engine(b).share().total_cmp(&standing.of_engine(a).share()));
    engines
}

fn list(counts: &BTreeMap<Ending, u64>) -> String {
    let items: Vec<String> = counts.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
    if items.is_empty() { "none".to_string() } else { items.join(", ") }
}

/// Shows the progress of the match on standard error: a bar on a terminal, otherwise an occasional line. Games are printed on request.
pub(super) struct Progress {
    bar: ProgressBar,
    report: Report,
    /// Games between two progress lines, 0 for none.
    interval: u64,
}

impl Progress {
    /// `games` is the number of games in the match.
    pub(super) fn new(report: Report, games: usize, interval: u64) -> Progress {
        let interval = if progress::is_shown() { 0 } else { interval };
        Progress { bar: progress::bar(games as u64, "games"), report, interval }
    }

    pub(super) fn finish(self) -> Report {
        self.bar.finish_and_clear();
        self.report
    }

    /// The interim result in one line.
    fn standing(&self, standing: &Standing) -> String {
        let summary = standing.summary();
        match (&self.report.sprt, ranking(standing).first()) {
            (Some(sprt), _) => format!("{summary}, {}", ratio(sprt, &summary)),
            (None, Some(&best)) if standing.names.len() > 2 => {
                format!("{} leads: {}", standing.names[best], standing.of_engine(best))
            }
            _ => summary.to_string(),
        }
    }
}

impl Watcher for Progress {
    fn repaired(&mut self, repair: &str) {
        self.bar.suspend(|| note(repair));
    }

    fn finished(&mut self, game: usize, fixture: Fixture, record: Option<&GameRecord>, standing: &Standing) -> ControlFlow<()> {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            self.bar.set_message(format!(", {}", self.standing(standing)));
        }
        let Some(record) = record else { return ControlFlow::Continue(()) };
        let [red, black] = fixture.players.map(|player| standing.names[player].as_str());
        let detail = record.detail.as_deref();
        let result = RecordResult::from(record.result).token();
        let (ending, plies) = (record.ending, record.moves.len());
        let report = &mut self.report;
        self.bar.suspend(|| {
            if let Some(detail) = detail.filter(|_| Ending::FAULTS.contains(&ending)) {
                note(format_args!("game {game}: {detail}"));
            }
            if report.json {
                report.json(&Game { game, red, black, result, ending, detail, plies });
            } else if report.verbose {
                let more = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
                report
                    .print(format_args!("game {game}: {red} - {black} {result}, {ending} after {}{more}", counted(plies, "ply")));
            }
        });
        let (played, games) = (standing.played(), standing.games as u64);
        // Not after the last game, which is followed by the result.
        if self.interval > 0 && played.is_multiple_of(self.interval) && played < games {
            note(format_args!("{played} of {games} games: {}", self.standing(standing)));
        }
        // Without readable output or files there is no point in playing on.
        if self.report.failure.is_some() && !self.report.has_files { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[derive(Serialize)]
struct Game<'a> {
    game: usize,
    red: &'a str,
    black: &'a str,
    result: &'a str,
    ending: Ending,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    plies: usize,
}

/// Game counts and derived statistics; an infinite Elo is `null` in JSON.
#[derive(Serialize)]
struct Score {
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    elo: f64,
    elo_error: f64,
    normalised_elo: f64,
    los: f64,
}

impl Score {
    fn new(summary: Summary) -> Score {
        let (elo, elo_error) = summary.elo();
        Score {
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            pairs: summary.pairs.0,
            elo,
            elo_error,
            normalised_elo: summary.normalised_elo(),
            los: summary.superiority(),
        }
    }
}

/// The result of a match between two engines.
#[derive(Serialize)]
struct Total<'a> {
    engines: &'a [String],
    #[serde(flatten)]
    score: Score,
    llr: Option<f64>,
    faults: &'a [BTreeMap<Ending, u64>],
    endings: &'a BTreeMap<Ending, u64>,
}

impl<'a> Total<'a> {
    fn new(standing: &'a Standing, sprt: Option<&Sprt>) -> Total<'a> {
        let summary = standing.summary();
        Total {
            engines: &standing.names,
            score: Score::new(summary),
            llr: sprt.map(|sprt| sprt.ratio(&summary.pairs)),
            faults: &standing.faults,
            endings: &standing.endings,
        }
    }
}

/// The result of a match between more than two engines.
#[derive(Serialize)]
struct Table<'a> {
    engines: &'a [String],
    table: Vec<Row<'a>>,
    pairings: Vec<Meeting<'a>>,
    endings: &'a BTreeMap<Ending, u64>,
}

/// An engine's total against all its opponents.
#[derive(Serialize)]
struct Row<'a> {
    engine: &'a str,
    #[serde(flatten)]
    score: Score,
    faults: &'a BTreeMap<Ending, u64>,
}

/// The result of one pairing.
#[derive(Serialize)]
struct Meeting<'a> {
    engines: [&'a str; 2],
    #[serde(flatten)]
    score: Score,
}

impl<'a> Table<'a> {
    fn new(standing: &'a Standing) -> Table<'a> {
        let row = |engine: usize| Row {
            engine: &standing.names[engine],
            score: Score::new(standing.of_engine(engine)),
            faults: &standing.faults[engine],
        };
        let meeting = |(pairing, summary): (&[usize; 2], &Summary)| Meeting {
            engines: pairing.map(|engine| standing.names[engine].as_str()),
            score: Score::new(*summary),
        };
        Table {
            engines: &standing.names,
            table: ranking(standing).into_iter().map(row).collect(),
            pairings: standing.pairings.iter().zip(&standing.results).map(meeting).collect(),
            endings: &standing.endings,
        }
    }
}
