//! `chuhe notation`: converts a line of moves from one notation into others.

use super::Failure;
use super::output::{Output, note};
use super::values::{listed, one_of};
use crate::notation::{Legend, LineReader, LineStyle, Notation, Script, System, SystemChoice};
use crate::records;
use crate::types::UnknownName;
use clap::{ArgAction, Args};
use serde::Serialize;
use std::io::Read;
use std::str::FromStr;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe notation --to chinese,wxr h2e2 h9g7 h0g2
  chuhe notation --to all --json 炮二平五
  echo '1. C2=5 H8+7 2. H2+3' | chuhe notation --from wxr --to uci -";

/// Arguments of `chuhe notation`.
#[derive(Args, Debug)]
// `-h` must be free: `-h-7` is a horse that retreats.
#[command(disable_help_flag = true)]
pub struct Convert {
    /// Notation of the moves, or auto to detect it
    #[arg(long, value_name = "SYS", default_value_t, value_parser = one_of::<SystemChoice>(SystemChoice::ids()))]
    from: SystemChoice,
    /// Notations to write (required), one line each, or all, which prefixes each line with the name of the notation
    #[arg(long, value_name = "SYS", value_delimiter = ',', value_parser = listed::<Target>(System::ids().chain(["all"])))]
    to: Vec<Target>,
    /// Position that the line starts from (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// File with the ninety characters of the poem, top left to bottom right as Red sees the board
    #[arg(long, value_name = "FILE")]
    legend: Option<String>,
    /// Script of shorthand and descriptive
    #[arg(long, default_value_t, value_parser = one_of::<Script>(Script::NAMES))]
    script: Script,
    /// How shorthand shows its lines
    #[arg(long, default_value_t, value_parser = one_of::<LineStyle>(LineStyle::NAMES))]
    lines: LineStyle,
    /// Add the wxr form in brackets to descriptive moves
    #[arg(long)]
    unambiguous: bool,
    /// Print one JSON object per notation
    #[arg(long)]
    json: bool,
    /// The moves; quote a move that contains spaces. Move numbers are skipped. - reads them from standard input
    #[arg(value_name = "MOVE", required = true, allow_hyphen_values = true)]
    moves: Vec<String>,
    /// Print help
    #[arg(long, action = ArgAction::Help)]
    help: Option<bool>,
}

/// A value of `--to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    All,
    System(System),
}

impl FromStr for Target {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Target, UnknownName> {
        if text == "all" {
            return Ok(Target::All);
        }
        text.parse().map(Target::System).map_err(|_| UnknownName::new("notation", text, System::ids().chain(["all"])))
    }
}

/// A line in one notation, as `--json` prints it.
#[derive(Serialize)]
struct Written<'a> {
    system: &'a str,
    moves: Vec<String>,
    /// The notations in which the input can be read as these moves.
    from: &'a [&'static str],
}

impl Convert {
    pub(super) fn run(self) -> Result<(), Failure> {
        // `-h` as the only argument asks for help; it is not a move.
        if self.moves == ["-h"] {
            let mut output = Output::new();
            write!(output, "{}", super::help_of("notation"))?;
            return output.finish();
        }
        // A move may begin with two dashes (`--.4`), so the argument parser cannot recognise an option here; no move continues with a letter.
        let is_option =
            |text: &&String| text.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        if let Some(option) = self.moves.iter().find(is_option) {
            let text = option.escape_debug();
            return Err(format!("'{text}' follows a move: options come first, since a move may begin with a dash").into());
        }
        if self.to.is_empty() {
            return Err(Failure::Usage("expected --to and the notations to write, such as --to wxr,chinese or --to all".into()));
        }
        let readers = self.moves.iter().chain(&self.legend).filter(|text| *text == "-").count();
        if readers > 1 {
            return Err(Failure::Usage("- is given twice, expected it once: standard input can be read only once".into()));
        }
        let position = super::start_position(self.fen.as_deref())?;
        let legend = self.legend.as_deref().map(read_legend).transpose()?;
        let notation = |system: System| Notation {
            system,
            legend: legend.clone().map(Box::new),
            script: self.script,
            lines: self.lines,
            unambiguous: self.unambiguous,
        };
        let texts = self.texts()?;
        super::check_moves(&texts)?;
        let notations = match self.from {
            SystemChoice::Auto => System::ALL.into_iter().map(notation).collect(),
            SystemChoice::Only(system) => vec![notation(system)],
        };
        let line = LineReader { first: Vec::new(), notations, diagrams: false }
            .read(position.clone(), &texts)
            .map_err(|error| error.to_string())?;
        line.note().into_iter().for_each(|reading| note(format_args!("{reading}; see --from")));
        let moves: Vec<_> = line.position.moves().collect();
        if moves.is_empty() {
            return Err("no moves, expected at least one".into());
        }
        let systems = &line.systems;
        let from: Vec<&str> = systems.iter().map(|system| system.id()).collect();
        let is_all = self.to.contains(&Target::All);
        let targets: Vec<System> = match is_all {
            true => System::ALL.to_vec(),
            false => self
                .to
                .iter()
                .filter_map(|target| if let Target::System(system) = target { Some(*system) } else { None })
                .collect(),
        };
        let has_target = |systems: &[System]| targets.iter().any(|target| systems.contains(target));
        let may_read_poem = matches!(self.from, SystemChoice::Auto | SystemChoice::Only(System::Poem));
        for (option, is_given, has_effect) in [
            ("--script", self.script != Script::default(), has_target(&[System::Shorthand, System::Descriptive])),
            ("--lines", self.lines != LineStyle::default(), has_target(&[System::Shorthand])),
            ("--unambiguous", self.unambiguous, has_target(&[System::Descriptive])),
            ("--legend", self.legend.is_some(), may_read_poem || has_target(&[System::Poem])),
        ] {
            if is_given && !has_effect {
                note(format_args!("{option}: without effect in these notations"));
            }
        }
        let mut output = Output::new();
        for system in targets {
            let moves = notation(system).write_line(position.board(), &moves);
            if self.json {
                output.json(&Written { system: system.id(), moves, from: &from })?;
            } else if is_all {
                writeln!(output, "{system}: {}", moves.join(" "))?;
            } else {
                writeln!(output, "{}", moves.join(" "))?;
            }
        }
        output.finish()
    }

    /// The moves with their numbers, which show whether one is missing, but without a result.
    fn texts(&self) -> Result<Vec<String>, Failure> {
        let mut texts: Vec<String> = Vec::new();
        for argument in &self.moves {
            if argument == "-" {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes).map_err(Failure::at("standard input"))?;
                // A line may be one move with spaces, which descriptive moves contain.
                texts.extend(records::decode(&bytes).lines().map(str::to_string));
            } else {
                texts.push(argument.clone());
            }
        }
        Ok(super::without_result(&texts))
    }
}

/// Maximum size of a legend file in bytes.
const MAX_LEGEND: u64 = 1 << 20;

/// Reads a legend from a file, or from standard input for `-`.
fn read_legend(file: &str) -> Result<Legend, Failure> {
    let place = format!("--legend {file}");
    let mut bytes = Vec::new();
    let source: Box<dyn Read> = match file {
        "-" => Box::new(std::io::stdin()),
        _ => Box::new(std::fs::File::open(file).map_err(Failure::at(&place))?),
    };
    source.take(MAX_LEGEND + 1).read_to_end(&mut bytes).map_err(Failure::at(&place))?;
    if bytes.len() as u64 > MAX_LEGEND {
        return Err(format!("{place}: longer than {} KiB, expected ninety characters", MAX_LEGEND >> 10).into());
    }
    records::decode(&bytes).parse().map_err(Failure::at::<crate::notation::LegendError>(&place))
}
