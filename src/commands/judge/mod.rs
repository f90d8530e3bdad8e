//! `chuhe judge`: the verdict of the rules, with reasons, on a line or on the games of files. It applies to the position where the game
//! ended by these rules, otherwise to the final position.

mod input;

use super::Failure;
use super::inputs::Named;
use super::output::Output;
use super::progress::Reading;
use super::values::{language_of_environment, listed, one_of};
use crate::board::{Board, Position};
use crate::notation::{self, System, SystemChoice};
use crate::report::{ended_note, verdict_name};
use crate::rules::{Fold, Language, NaturalLimit, RuleSet, Rules, Ruling, Wording};
use crate::types::Move;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe judge h0g2 h9g7 g2h0 g7h9
  chuhe judge --from auto --language zh 马二进三 马8进7 马三退二 马7退8
  chuhe judge --rules chinese game.xqf --ply 80
  chuhe judge --json tournament.pgn games/";

/// Arguments of `chuhe judge`.
#[derive(Args, Debug)]
pub struct Judge {
    /// Repetition rules
    #[arg(long, default_value_t, value_parser = one_of::<RuleSet>(RuleSet::ids()))]
    rules: RuleSet,
    /// Start position; composed diagrams with pawns on unreachable points are accepted (default: the start of a game)
    #[arg(long)]
    fen: Option<String>,
    /// Notation of the moves, or auto (default: UCI coordinates, otherwise detected)
    #[arg(long, value_name = "SYS", value_parser = one_of::<SystemChoice>(SystemChoice::ids()))]
    from: Option<SystemChoice>,
    /// Game file or folder to judge, - for standard input; may be repeated: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, WXF, TXQ, PFC, CHE, MXQ, CHN,
    /// CCM, FEN or EPD lines
    #[arg(long, conflicts_with_all = ["fen", "from", "moves"])]
    file: Vec<PathBuf>,
    /// Number of the game to judge in a file with several, from 1 (default: all)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Judge the position after N plies, or where the game ended if that is earlier (default: the last)
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Plies without a capture after which the game is drawn, 0 for no limit (default: 120)
    #[arg(long, value_name = "PLIES", alias = "limit")]
    natural_limit: Option<u16>,
    /// Language of reasons and verdict; the last line is always English (default: from the environment; JSON has both)
    #[arg(long, alias = "lang", value_parser = listed::<Languages>(Language::NAMES.into_iter().chain(["both"])))]
    language: Option<Languages>,
    /// Notation of the moves in the reasons (default: that of the moves given as arguments, uci for files)
    #[arg(long, value_name = "SYS", value_parser = one_of::<System>(System::ids()))]
    notation: Option<System>,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
    /// The moves; quote a move that contains spaces. Folders and names with the extension of a game file are judged as files
    #[arg(value_name = "MOVE|FILE")]
    moves: Vec<OsString>,
}

/// The languages of the text. With two, each line contains both.
#[derive(Clone, Copy, Debug)]
struct Languages(&'static [Language]);

/// A line of moves to judge.
struct Line {
    start: Position,
    moves: Vec<Move>,
    /// The notation it was written in, if it was given as arguments.
    system: Option<System>,
    /// The game it comes from, if it was read from a file.
    origin: Option<Origin>,
}

/// A game or file that cannot be judged.
struct Unjudged {
    /// The game, unless the file has none.
    origin: Option<Box<Origin>>,
    failure: Failure,
}

impl From<Failure> for Unjudged {
    fn from(failure: Failure) -> Unjudged {
        Unjudged { origin: None, failure }
    }
}

/// The location of a game.
#[derive(Clone)]
struct Origin {
    file: String,
    game: usize,
    /// Its line number, in lists.
    line: Option<usize>,
    /// Its title, or the id of an EPD.
    title: Option<String>,
}

/// A position to judge.
struct Judged {
    position: Position,
    /// Number of moves after the end of the game, which are not judged.
    moves_after_end: usize,
    /// Whether the line is a game from a file without moves.
    is_bare_file: bool,
}

impl From<Language> for Languages {
    fn from(language: Language) -> Languages {
        match language {
            Language::English => Languages(&[Language::English]),
            Language::Chinese => Languages(&[Language::Chinese]),
        }
    }
}

impl FromStr for Languages {
    type Err = String;

    fn from_str(text: &str) -> Result<Languages, String> {
        if text == "both" {
            return Ok(Languages(&Language::ALL));
        }
        Ok(text.parse::<Language>().map_err(|error| format!("{error}, or both"))?.into())
    }
}

impl Judge {
    pub(super) fn run(self) -> Result<(), Failure> {
        let rules = self.rules();
        let mut output = Output::new();
        let judged = match self.files()? {
            None => self.print(&mut output, &rules, &self.read_arguments()?, false, &Reading::hidden()),
            Some(files) => self.judge_files(&mut output, &rules, &files),
        };
        // The verdicts before an error are still written, and a full disk is the greater problem.
        output.finish()?;
        judged
    }

    /// Judges all games of all files; unreadable ones are reported and skipped.
    fn judge_files(&self, output: &mut Output, rules: &Rules, files: &[Named]) -> Result<(), Failure> {
        let (mut judged, mut failed, mut first_fault) = (0, 0, None);
        let is_single = files.len() == 1;
        let mut reading = Reading::of(files.iter().flatten().map(PathBuf::as_path));
        for file in files {
            if let Ok(path) = file {
                reading.begin(path);
            }
            let path = file.as_ref().unwrap_or_else(|(path, _)| path);
            let mut take = |line: Result<Line, Unjudged>, is_one_of_many: bool| {
                let many = is_one_of_many || !is_single;
                let printed = line.and_then(|line| {
                    let printed = self.print(output, rules, &line, many, &reading);
                    printed.map_err(|failure| Unjudged { origin: line.origin.map(Box::new), failure })
                });
                let unjudged = match printed {
                    Ok(()) => {
                        judged += 1;
                        return Ok(());
                    }
                    Err(Unjudged { failure: failure @ Failure::Output(_), .. }) => return Err(failure),
                    Err(unjudged) => unjudged,
                };
                if self.json {
                    reading.suspend(|| output.json(&unjudged.object(path)))?;
                }
                if !many {
                    return Err(unjudged.failure);
                }
                failed += 1;
                match &first_fault {
                    None => first_fault = Some(unjudged.failure.to_string()),
                    Some(_) => reading.note(unjudged.failure),
                }
                Ok(())
            };
            match file {
                Ok(path) => self.read_file(path, &reading, &mut take)?,
                Err((path, reason)) => take(Err(Failure::at(path.display())(reason.as_str()).into()), false)?,
            }
        }
        reading.finish();
        match first_fault {
            None => Ok(()),
            Some(fault) if failed == 1 => Err(fault.into()),
            Some(fault) => {
                Err(format!("{failed} of {} games or files could not be judged, the first: {fault}", failed + judged).into())
            }
        }
    }

    /// Judges a line and prints reasons and verdict, preceded by the name of the game if there are several.
    fn print(
        &self,
        output: &mut Output,
        rules: &Rules,
        line: &Line,
        is_one_of_many: bool,
        reading: &Reading,
    ) -> Result<(), Failure> {
        let judged = self.play(rules, line)?;
        let ruling = rules.ruling(&judged.position);
        if self.json {
            let object = self.object(&ruling, &judged, line);
            return reading.suspend(|| output.json(&object));
        }
        let reasons = self.reasons(&ruling, &judged, line);
        reading.suspend(|| {
            if let (true, Some(origin)) = (is_one_of_many, &line.origin) {
                writeln!(output, "{}", self.joined(|language| origin.heading(language)))?;
            }
            for reason in reasons {
                writeln!(output, "{reason}")?;
            }
            writeln!(output, "verdict: {}", verdict_name(ruling.verdict))
        })
    }

    fn rules(&self) -> Rules {
        let natural_limit = self.natural_limit.map_or(NaturalLimit::STANDARD, NaturalLimit::of);
        Rules { set: self.rules, natural_limit, search_fold: Fold::Third, ..Rules::default() }
    }

    /// Plays the line up to the ply to judge, or to the end of the game if that comes first.
    fn play(&self, rules: &Rules, line: &Line) -> Result<Judged, Failure> {
        let plies = self.ply.unwrap_or(line.moves.len());
        if plies > line.moves.len() {
            let place = line.origin.as_ref().map(|origin| format!("{origin}: ")).unwrap_or_default();
            return Err(format!("{place}--ply {plies}: plies in the line: {}", line.moves.len()).into());
        }
        let is_bare_file = line.origin.is_some() && line.moves.is_empty();
        let (position, moves_after_end) = rules.play_to_end(&line.start, line.moves.iter().take(plies).copied());
        Ok(Judged { position, moves_after_end, is_bare_file })
    }

    /// The languages of the text.
    fn languages(&self) -> &'static [Language] {
        self.language.unwrap_or_else(|| language_of_environment().into()).0
    }

    /// Joins a line of text in all selected languages.
    fn joined(&self, text: impl Fn(Language) -> String) -> String {
        self.languages().iter().map(|&language| text(language)).collect::<Vec<_>>().join(" | ")
    }

    fn reasons(&self, ruling: &Ruling, judged: &Judged, line: &Line) -> Vec<String> {
        let mut lines = Vec::new();
        if judged.is_bare_file {
            lines.push(self.joined(|language| bare_text(language).to_string()));
        }
        if judged.moves_after_end > 0 {
            lines.push(self.joined(|language| ended_note(judged.position.plies(), judged.moves_after_end, language)));
        }
        let texts: Vec<Vec<String>> = self.languages().iter().map(|&language| self.lines(ruling, line, language)).collect();
        let count = texts.iter().map(Vec::len).max().unwrap_or(0);
        lines.extend((0..count).map(|i| texts.iter().filter_map(|lines| lines.get(i).cloned()).collect::<Vec<_>>().join(" | ")));
        // The last line, with the verdict, is for scripts and always English.
        if self.languages().contains(&Language::Chinese) {
            lines.push(format!("裁定：{}", ruling.conclusion(Language::Chinese)));
        }
        lines
    }

    /// The reasons, with the moves in the selected notation.
    fn lines(&self, ruling: &Ruling, line: &Line, language: Language) -> Vec<String> {
        let system = self.notation.or(line.system).unwrap_or(System::Uci);
        let write = |board: &Board, mv: Move| notation::write(system, board, mv);
        ruling.lines(Wording { language, write: &write })
    }

    fn object(&self, ruling: &Ruling, judged: &Judged, line: &Line) -> serde_json::Value {
        let ended = (judged.moves_after_end > 0).then(|| judged.position.plies());
        let languages = self.language.map_or(&Language::ALL[..], |languages| languages.0);
        let reasons = |language| if languages.contains(&language) { self.lines(ruling, line, language) } else { vec![] };
        let mut object = serde_json::json!({
            "verdict": verdict_name(ruling.verdict),
            "summary": ruling.summary(Language::English),
            "summary_chinese": ruling.summary(Language::Chinese),
            "reasons": reasons(Language::English),
            "reasons_chinese": reasons(Language::Chinese),
            "ended_after_ply": ended,
        });
        if let Some(origin) = &line.origin {
            origin.add_to(&mut object);
        }
        object
    }
}

impl Unjudged {
    /// The JSON object in place of a verdict. The error does not repeat the place.
    fn object(&self, path: &Path) -> serde_json::Value {
        let file = path.display().to_string();
        let text = self.failure.to_string();
        let places = [self.origin.as_ref().map(ToString::to_string), Some(file.clone())];
        let error = places.iter().flatten().find_map(|place| text.strip_prefix(place.as_str())?.strip_prefix(": "));
        let mut object = serde_json::json!({ "error": error.unwrap_or(&text), "file": file });
        if let Some(origin) = &self.origin {
            origin.add_to(&mut object);
        }
        object
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}: line {line}", self.file),
            None => write!(f, "{}: game {}", self.file, self.game),
        }
    }
}

impl Origin {
    /// Adds the fields of the location to an object.
    fn add_to(&self, object: &mut serde_json::Value) {
        object["file"] = self.file.clone().into();
        object["game"] = self.game.into();
        if let Some(line) = self.line {
            object["line"] = line.into();
        }
        if let Some(title) = &self.title {
            object["title"] = title.as_str().into();
        }
    }

    /// The line above the reasons of one game of several.
    fn heading(&self, language: Language) -> String {
        match language {
            Language::English => self.to_string(),
            Language::Chinese => match self.line {
                Some(line) => format!("{}：第{line}行", self.file),
                None => format!("{}：第{}局", self.file, self.game),
            },
        }
    }
}

fn bare_text(language: Language) -> &'static str {
    match language {
        Language::English => "note: the game has no moves; its start position is judged",
        Language::Chinese => "注：对局没有着法，判断的是起始局面",
    }
}
