//! `chuhe judge`: the verdict of the rules on the final position of a line or of a game in a file, with the reasons.

use crate::board::Position;
use crate::notation::{self, System};
use crate::records::{Format, Record, Records};
use crate::rules::{Fold, GameResult, Language, RuleSet, Rules, Ruling, Verdict};
use crate::types::Move;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Arguments of `chuhe judge`.
#[derive(Args, Debug)]
pub struct Judge {
    /// Rules of repetition
    #[arg(long, value_enum, default_value_t = RulesName::World)]
    rules: RulesName,
    /// Position to start from, composed diagrams included (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// Notation of the moves, or auto to find it (default: uci)
    #[arg(long, value_name = "SYS")]
    from: Option<String>,
    /// Game file to judge, - for standard input: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, FEN or EPD lines
    #[arg(long, conflicts_with_all = ["fen", "from", "moves"])]
    file: Option<PathBuf>,
    /// Which game of a file that holds several, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Judge the position after so many plies (default: the last)
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Plies without a capture after which the game is drawn, 0 for no limit
    #[arg(long, value_name = "PLIES")]
    limit: Option<u16>,
    /// Language of the reasons
    #[arg(long, value_enum, default_value_t = LanguageName::Both)]
    language: LanguageName,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The moves; one with blanks in it is quoted. A single name with the extension of a game file is that file
    #[arg(value_name = "MOVE|FILE")]
    moves: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RulesName {
    World,
    Chinese,
    Simple,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LanguageName {
    English,
    Chinese,
    Both,
}

/// A position that is to be judged.
struct Judged {
    position: Position,
    /// The ply, before the last, after which the game had ended already.
    ended: Option<usize>,
    /// The file's game has no moves.
    is_bare_file: bool,
}

impl LanguageName {
    fn languages(self) -> &'static [Language] {
        match self {
            LanguageName::English => &[Language::English],
            LanguageName::Chinese => &[Language::Chinese],
            LanguageName::Both => &Language::ALL,
        }
    }
}

impl Judge {
    pub(super) fn run(self) -> Result<(), String> {
        let rules = self.rules();
        let judged = self.read(&rules)?;
        let ruling = rules.ruling(&judged.position);
        if self.json {
            println!("{}", self.object(&ruling, judged.ended));
            return Ok(());
        }
        for line in self.reasons(&ruling, &judged) {
            println!("{line}");
        }
        println!("verdict: {}", word(&ruling));
        Ok(())
    }

    fn rules(&self) -> Rules {
        let set = match self.rules {
            RulesName::World => RuleSet::World,
            RulesName::Chinese => RuleSet::Chinese,
            RulesName::Simple => RuleSet::Simple,
        };
        let default = Rules::default();
        Rules { set, natural_limit: self.limit.unwrap_or(default.natural_limit), search_fold: Fold::Third }
    }

    /// Plays the line up to the ply that is to be judged.
    fn read(&self, rules: &Rules) -> Result<Judged, String> {
        let (mut position, moves, place) = match self.file()? {
            Some(path) => self.read_file(path)?,
            None => {
                let position = match &self.fen {
                    None => Position::startpos(),
                    Some(fen) => Position::from_diagram(fen).map_err(|error| format!("--fen: {error}"))?,
                };
                let moves = self.read_moves(&position)?;
                (position, moves, None)
            }
        };
        let plies = self.ply.unwrap_or(moves.len());
        if plies > moves.len() {
            let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
            return Err(format!("{place}--ply {plies}: plies in the line: {}", moves.len()));
        }
        let is_bare_file = place.is_some() && moves.is_empty();
        let mut ended = None;
        for (ply, mv) in moves.into_iter().take(plies).enumerate() {
            if ended.is_none() && rules.game_result(&position).is_some() {
                ended = Some(ply);
            }
            position.make(mv);
        }
        Ok(Judged { position, ended, is_bare_file })
    }

    /// The game file to read, if the line does not stand in the arguments.
    fn file(&self) -> Result<Option<&Path>, String> {
        // No notation writes a move that ends like a file of games.
        let named = match &self.moves[..] {
            [text] if text == "-" || Format::of_path(Path::new(text)).is_some() => Some(Path::new(text)),
            _ => None,
        };
        let file = self.file.as_deref().or(named);
        match file {
            Some(_) if self.fen.is_some() => Err("--fen: goes with moves, a game file has its own start position".into()),
            Some(_) if self.from.is_some() => Err("--from: goes with moves, the notation of a game file is found".into()),
            None if self.game.is_some() => Err("--game: picks a game of a file, but there is no file".into()),
            file => Ok(file),
        }
    }

    /// The start and the main line of the chosen game, and where it stands.
    fn read_file(&self, path: &Path) -> Result<(Position, Vec<Move>, Option<String>), String> {
        let name = path.display();
        let mut records = Records::open(path, None).map_err(|error| error.to_string())?;
        let number = self.game.unwrap_or(1);
        let before = records.by_ref().take(number as usize - 1).count();
        let record = match records.next() {
            Some(record) => record.map_err(|error| format!("{name}: {error}"))?,
            None if number == 1 => return Err(format!("{name}: no game in the file")),
            None => return Err(format!("{name}: --game {number}: games in the file: {before}")),
        };
        if self.game.is_none() {
            let more = records.count();
            if more > 0 {
                return Err(format!("{name}: {} games in the file, expected --game N to pick one", more + 1));
            }
        }
        let place = format!("{name}: game {number}");
        let (start, moves) = self.main_line(&record).map_err(|error| format!("{place}: {error}"))?;
        let faults = record.warnings().into_iter().filter(|warning| Some(warning.as_str()) != record.main_line_fault());
        faults.for_each(|warning| eprintln!("chuhe: {place}: {warning}"));
        Ok((start, moves, Some(place)))
    }

    /// The start and main line of a record, unless it ends at an unreadable move before the ply that is to be judged.
    fn main_line(&self, record: &Record) -> Result<(Position, Vec<Move>), String> {
        let start = record.start.position().map_err(|error| error.to_string())?;
        match record.main_line_fault() {
            Some(fault) if self.ply.is_none_or(|ply| ply > record.plies()) => Err(fault.to_string()),
            _ => Ok((start, record.moves().collect())),
        }
    }

    fn read_moves(&self, start: &Position) -> Result<Vec<Move>, String> {
        let from = self.from.as_deref().unwrap_or("uci");
        if from == "auto" {
            let detected = notation::read_line_auto(start.board(), &self.moves).map_err(|error| error.to_string())?;
            return Ok(detected.moves);
        }
        let system: System = from.parse().map_err(|error| format!("--from: {error}, auto"))?;
        // In the coordinate form a blank can only stand between moves; other systems have moves with blanks in them.
        let texts: Vec<&str> = match system {
            System::Uci => self.moves.iter().flat_map(|text| text.split_ascii_whitespace()).collect(),
            _ => self.moves.iter().map(String::as_str).collect(),
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(texts.len());
        for (number, text) in texts.into_iter().enumerate() {
            let mv = read_move(system, &position, text).map_err(|error| format!("move {}: {error}", number + 1))?;
            position.make(mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    fn reasons(&self, ruling: &Ruling, judged: &Judged) -> Vec<String> {
        let languages = self.language.languages();
        let joined = |texts: Vec<String>| texts.join(" | ");
        let mut lines = Vec::new();
        if judged.is_bare_file {
            lines.push(joined(languages.iter().map(|&language| bare_text(language).to_string()).collect()));
        }
        if let Some(ply) = judged.ended {
            lines.push(joined(languages.iter().map(|&language| ended_text(ply, language)).collect()));
        }
        let told: Vec<Vec<String>> = languages.iter().map(|&language| ruling.lines(language)).collect();
        let count = told.iter().map(Vec::len).max().unwrap_or(0);
        lines.extend((0..count).map(|i| joined(told.iter().filter_map(|lines| lines.get(i).cloned()).collect())));
        lines
    }

    fn object(&self, ruling: &Ruling, ended: Option<usize>) -> serde_json::Value {
        let reasons = |language| if self.language.languages().contains(&language) { ruling.lines(language) } else { vec![] };
        serde_json::json!({
            "verdict": word(ruling),
            "summary": ruling.summary(Language::English),
            "reasons": reasons(Language::English),
            "reasons_chinese": reasons(Language::Chinese),
            "ended_after_ply": ended,
        })
    }
}

fn bare_text(language: Language) -> &'static str {
    match language {
        Language::English => "note: the game has no moves; its start position is judged",
        Language::Chinese => "注：对局没有着法，判断的是起始局面",
    }
}

fn ended_text(ply: usize, language: Language) -> String {
    match language {
        Language::English => format!("note: by these rules the game had already ended after ply {ply}"),
        Language::Chinese => format!("注：按此规则，对局在第{ply}着后已结束"),
    }
}

fn read_move(system: System, position: &Position, text: &str) -> Result<Move, String> {
    let board = position.board();
    if system == System::Uci {
        let mv = Move::from_uci(text)?;
        return if board.is_legal(mv) { Ok(mv) } else { Err(format!("'{text}' is not legal in {}", position.to_fen())) };
    }
    notation::read(system, board, text).map_err(|error| error.to_string())
}

/// The verdict as the last line names it: a provisional one is none.
fn word(ruling: &Ruling) -> String {
    match ruling.verdict {
        Verdict::Final(GameResult::Draw) => "draw".into(),
        Verdict::Final(GameResult::Loses(color)) => format!("{color}-loses"),
        Verdict::Provisional(_) | Verdict::None => "undecided".into(),
    }
}
