//! `chuhe judge`: the verdict of the rules on the final position of a line, with the reasons.

use crate::board::Position;
use crate::notation::{self, System};
use crate::rules::{Fold, GameResult, Language, RuleSet, Rules, Ruling, Verdict};
use crate::types::Move;
use clap::{Args, ValueEnum};

/// Arguments of `chuhe judge`.
#[derive(Args, Debug)]
pub struct Judge {
    /// Rules of repetition
    #[arg(long, value_enum, default_value_t = RulesName::World)]
    rules: RulesName,
    /// Position to start from, composed diagrams included (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// Notation of the moves, or auto to find it
    #[arg(long, default_value = "uci")]
    from: String,
    /// Plies without a capture after which the game is drawn, 0 for no limit
    #[arg(long, value_name = "PLIES")]
    limit: Option<u16>,
    /// Language of the reasons
    #[arg(long, value_enum, default_value_t = LanguageName::Both)]
    language: LanguageName,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The moves; one with blanks in it is quoted
    #[arg(value_name = "MOVE")]
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
        let (position, ended) = self.read(&rules)?;
        let ruling = rules.ruling(&position);
        if self.json {
            println!("{}", self.object(&ruling, ended));
            return Ok(());
        }
        for line in self.reasons(&ruling, ended) {
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

    /// Plays the line, and tells after which ply, before the last, the game had ended already.
    fn read(&self, rules: &Rules) -> Result<(Position, Option<usize>), String> {
        let mut position = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_diagram(fen).map_err(|error| format!("--fen: {error}"))?,
        };
        let moves = self.read_moves(&position)?;
        let mut ended = None;
        for (ply, mv) in moves.into_iter().enumerate() {
            if ended.is_none() && rules.game_result(&position).is_some() {
                ended = Some(ply);
            }
            position.make(mv);
        }
        Ok((position, ended))
    }

    fn read_moves(&self, start: &Position) -> Result<Vec<Move>, String> {
        if self.from == "auto" {
            let detected = notation::read_line_auto(start.board(), &self.moves).map_err(|error| error.to_string())?;
            return Ok(detected.moves);
        }
        let system: System = self.from.parse().map_err(|error| format!("--from: {error}, auto"))?;
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

    fn reasons(&self, ruling: &Ruling, ended: Option<usize>) -> Vec<String> {
        let languages = self.language.languages();
        let joined = |texts: Vec<String>| texts.join(" | ");
        let mut lines = Vec::new();
        if let Some(ply) = ended {
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
