//! JSON Lines output for other programs. `docs/src/users/analysis.md` documents the members; tests keep them stable.

use super::exact::GiveawayForm;
use super::result::{Line, PositionResult};
use super::review::{Accuracy, GameReview, MoveReview, tenths};
use crate::board::Position;
use crate::notation::{self, Notation, System};
use crate::rules::{GameResult, Language, Verdict};
use crate::search::Score;
use crate::types::{Color, Move};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::HashMap;

/// The source of a result, so that outputs can be matched to inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Origin {
    /// The file as the user named it, `-` for standard input.
    pub file: String,
    /// Number of the game in its file, from 1; none in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// Plies played in the game before the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Number of the line in its file, from 1; none for games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The input line, unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The operand of EPD's `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The title after a position, or that of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The operations of an EPD line with their operands, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    pub operations: Vec<(String, String)>,
    /// What was ignored or corrected in the line; those of games are with the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Writes pairs as an object. An object has each name once, so the values of a repeated one are joined.
fn as_map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut map: Vec<(&str, String)> = Vec::new();
    for (name, value) in pairs {
        match places.get(name.as_str()) {
            Some(&place) => {
                map[place].1.push(' ');
                map[place].1.push_str(value);
            }
            None => {
                places.insert(name.as_str(), map.len());
                map.push((name.as_str(), value.clone()));
            }
        }
    }
    serializer.collect_map(map)
}

impl Origin {
    /// The origin in a language, such as `list.epd: line 7` or `games.pgn: game 3`.
    pub fn text(&self, language: Language) -> String {
        let is_english = language == Language::English;
        let mut text = match (self.file.as_str(), is_english) {
            ("-", true) => "standard input".to_string(),
            ("-", false) => "标准输入".to_string(),
            (file, _) => file.to_string(),
        };
        if let Some(game) = self.game {
            text += &if is_english { format!(": game {game}") } else { format!("：第{game}局") };
        }
        if let Some(line) = self.line {
            text += &if is_english { format!(": line {line}") } else { format!("：第{line}行") };
        }
        text
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

/// A value with its origin, as one object.
#[derive(Serialize)]
pub struct Located<'a, T> {
    /// The origin.
    #[serde(flatten)]
    pub origin: &'a Origin,
    /// The value.
    #[serde(flatten)]
    pub value: T,
}

/// An error of a line, game or file.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    /// What is wrong and what was expected, in one sentence.
    pub error: String,
}

#[derive(Serialize, Deserialize)]
struct LineForm {
    multipv: usize,
    score: Score,
    wdl: [u16; 3],
    pv: Vec<String>,
    pv_wxr: Vec<String>,
    pv_chinese: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct ResultForm {
    fen: String,
    depth: i32,
    nodes: u64,
    time_ms: u64,
    lines: Vec<LineForm>,
    bestmove: Option<String>,
    /// A name of [`verdict_name`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

impl ResultForm {
    fn of(result: &PositionResult) -> ResultForm {
        let write = |system, line: &Line| notation::write_line(system, &result.board, &line.pv);
        let line = |line: &Line| LineForm {
            multipv: line.multipv,
            score: line.score,
            wdl: line.wdl,
            pv: write(System::Uci, line),
            pv_wxr: write(System::Wxr, line),
            pv_chinese: write(System::Chinese, line),
        };
        let mated = GameResult::Loses(result.board.side_to_move());
        ResultForm {
            fen: result.fen.clone(),
            depth: result.depth,
            nodes: result.nodes,
            time_ms: result.time_ms,
            lines: result.lines.iter().map(line).collect(),
            bestmove: result.best.map(|mv| mv.to_string()),
            ended: result
                .ended
                .or_else(|| result.is_mate().then_some(mated))
                .map(|ended| verdict_name(Verdict::Final(ended)).to_string()),
        }
    }
}

impl Serialize for PositionResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ResultForm::of(self).serialize(serializer)
    }
}

/// The reason a line of an earlier run is not the result of a position.
#[derive(Debug, thiserror::Error)]
pub enum ReadBackError {
    /// It is not a result.
    #[error("not a result of this program ({0})")]
    Form(#[from] serde_json::Error),
    /// It is for another position.
    #[error("is for {found}, expected {expected}: the input has changed")]
    OtherPosition {
        /// FEN of the line.
        found: String,
        /// FEN of the position.
        expected: String,
    },
    /// It contains an illegal move.
    #[error("'{0}' is not a legal move in its position")]
    Move(String),
    /// It contains an unknown result of the game.
    #[error("'{0}' is not a result, expected red-loses, black-loses or draw")]
    Ended(String),
}

impl PositionResult {
    /// Parses the result line of a position written by an earlier run.
    ///
    /// # Errors
    /// If it is not a result, is for another position, or contains an illegal move.
    pub fn read_back(line: &str, position: &Position) -> Result<PositionResult, ReadBackError> {
        let form: ResultForm = serde_json::from_str(line)?;
        let expected = position.to_fen();
        if form.fen != expected {
            return Err(ReadBackError::OtherPosition { found: form.fen, expected });
        }
        let board = *position.board();
        let mut lines = Vec::with_capacity(form.lines.len());
        for line in form.lines {
            let mut at = board;
            let mut pv = Vec::with_capacity(line.pv.len());
            for text in line.pv {
                let mv = Move::from_uci(&text).ok().filter(|&mv| at.is_legal(mv)).ok_or(ReadBackError::Move(text))?;
                at = at.after(mv);
                pv.push(mv);
            }
            lines.push(Line { multipv: line.multipv, score: line.score, wdl: line.wdl, pv });
        }
        let best = match form.bestmove {
            None => None,
            Some(text) => Some(Move::from_uci(&text).ok().filter(|&mv| board.is_legal(mv)).ok_or(ReadBackError::Move(text))?),
        };
        let (depth, nodes, time_ms) = (form.depth, form.nodes, form.time_ms);
        let results = [GameResult::Loses(Color::Red), GameResult::Loses(Color::Black), GameResult::Draw];
        let named = |text: &str| results.into_iter().find(|&result| verdict_name(Verdict::Final(result)) == text);
        let ended = form.ended.map(|text| named(&text).ok_or(ReadBackError::Ended(text))).transpose()?;
        let ended = ended.filter(|_| board.has_legal_move());
        Ok(PositionResult { board, fen: expected, depth, nodes, time_ms, lines, best, ended })
    }
}

#[derive(Debug, Serialize)]
struct MoveForm {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    mv: String,
    text: String,
    red_expectation: f64,
    loss: f64,
    loss_cp: Option<i32>,
    judgement: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    better: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    better_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endgame: Option<GiveawayForm>,
}

/// A review as JSON, with moves in a chosen notation.
#[derive(Debug, Serialize)]
pub struct ReviewForm {
    game: usize,
    plies: usize,
    tags: Vec<(String, String)>,
    result: &'static str,
    opening: Option<String>,
    accuracy: Accuracy,
    moves: Vec<MoveForm>,
    blunders: Vec<usize>,
    verdict: &'static str,
    reasons: Vec<String>,
    reasons_chinese: Vec<String>,
    ended_after_ply: Option<usize>,
    start_expectation: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings_chinese: Vec<String>,
}

/// The name of a verdict on the command line: `red-loses`, `black-loses`, `draw` or `undecided`.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Final(GameResult::Loses(Color::Red)) => "red-loses",
        Verdict::Final(GameResult::Loses(Color::Black)) => "black-loses",
        Verdict::Final(GameResult::Draw) => "draw",
        Verdict::None | Verdict::Provisional(_) => "undecided",
    }
}

impl GameReview {
    /// The member `review` of a JSON line.
    pub fn form(&self, notation: &Notation) -> ReviewForm {
        let tags = self.record.tags().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        ReviewForm {
            game: self.game,
            plies: self.plies(),
            tags,
            result: self.record.result.token(),
            opening: self.opening.as_ref().map(ToString::to_string),
            accuracy: self.accuracy,
            moves: self.moves.iter().map(|mv| self.move_form(mv, notation)).collect(),
            blunders: self.blunders().map(|mv| mv.ply).collect(),
            verdict: verdict_name(self.ruling.verdict),
            reasons: self.reasons(notation, Language::English),
            reasons_chinese: self.reasons(notation, Language::Chinese),
            ended_after_ply: (self.moves_after_end > 0).then(|| self.plies() - self.moves_after_end),
            start_expectation: tenths(self.red_expectation(0)),
            warnings: self.record.warnings(),
            warnings_chinese: self.record.warnings_in(Language::Chinese),
        }
    }

    fn move_form(&self, mv: &MoveReview, notation: &Notation) -> MoveForm {
        let better = self.better(mv);
        MoveForm {
            ply: mv.ply,
            side: mv.side().to_string(),
            mv: mv.mv.to_string(),
            text: notation.write(&mv.board, mv.mv),
            red_expectation: self.red_expectation(mv.ply),
            loss: mv.loss,
            loss_cp: mv.loss_cp,
            judgement: mv.judgement.name(),
            better: better.map(|line| notation.write_line(&mv.board, &line.pv)).unwrap_or_default(),
            better_move: better.and_then(|line| line.pv.first()).map(ToString::to_string),
            endgame: mv
                .giveaway
                .as_ref()
                .map(|giveaway| giveaway.form(giveaway.text(&self.number(mv.ply), Language::English), &mv.board, notation)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::review::tests::{blunder, result};

    #[test]
    fn the_json_form_is_stable() {
        let start = Position::startpos();
        let mut result = result(start.board(), [0, 0, 1000], 0, "h2e2");
        result.lines[0].score = Score::Mate(-2);
        result.fen = start.to_fen();
        let form = format!(
            "\"fen\":\"{}\",\"depth\":1,\"nodes\":1,\"time_ms\":1,\"lines\":[{{\"multipv\":1,\"score\":{{\"mate\":-2}},\
             \"wdl\":[0,0,1000],\"pv\":[\"h2e2\"],\"pv_wxr\":[\"C2=5\"],\"pv_chinese\":[\"炮二平五\"]}}],\"bestmove\":\"h2e2\"}}",
            start.to_fen()
        );
        assert_eq!(serde_json::to_string(&result).unwrap(), format!("{{{form}"));
        let origin = Origin { file: "a.epd".into(), line: Some(3), id: Some("x".into()), ..Origin::default() };
        let located = serde_json::to_string(&Located { origin: &origin, value: &result }).unwrap();
        assert_eq!(located, format!("{{\"file\":\"a.epd\",\"line\":3,\"id\":\"x\",{form}"));
        let operations = [("bm", "h2e2"), ("id", "x"), ("bm", "b2e2")];
        let operations = operations.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
        let repeated = serde_json::to_string(&Origin { operations, ..Origin::default() }).unwrap();
        assert!(repeated.ends_with("\"operations\":{\"bm\":\"h2e2 b2e2\",\"id\":\"x\"}}"), "{repeated}");
        let texts = [Language::English, Language::Chinese].map(|language| origin.text(language));
        assert_eq!(texts, ["a.epd: line 3", "a.epd：第3行"]);
        let again = PositionResult::read_back(&located, &start).unwrap();
        assert_eq!((again.lines, again.best), (result.lines, result.best));
        let ended = PositionResult::ended(&start, GameResult::Loses(Color::Black));
        let line = serde_json::to_string(&ended).unwrap();
        assert!(line.ends_with("\"lines\":[],\"bestmove\":null,\"ended\":\"black-loses\"}"), "{line}");
        let again = PositionResult::read_back(&line, &start).unwrap();
        assert_eq!((again.ended, again.score(), again.red_expectation()), (ended.ended, Score::Mate(1), 100.0));
        assert!(PositionResult::read_back(&line.replace("black-loses", "lost"), &start).is_err());
    }

    #[test]
    fn lines_of_other_positions_are_rejected() {
        let start = Position::startpos();
        let line = serde_json::to_string(&result(start.board(), [0, 0, 1000], 0, "h2e2")).unwrap();
        let mut other = start.clone();
        other.make(Move::from_uci("h2e2").unwrap());
        assert!(matches!(PositionResult::read_back("{}", &start), Err(ReadBackError::Form(_))));
        assert!(matches!(PositionResult::read_back(&line, &other), Err(ReadBackError::OtherPosition { .. })));
        let line = line.replace(&start.board().to_fen(), &start.to_fen());
        assert!(PositionResult::read_back(&line, &start).is_ok());
        assert!(matches!(PositionResult::read_back(&line.replace("h2e2", "h2e9"), &start), Err(ReadBackError::Move(_))));
    }

    #[test]
    fn review_members_are_stable() {
        let value = serde_json::to_value(blunder().form(&Notation::new(System::Wxr))).unwrap();
        let mv = &value["moves"][1];
        assert_eq!((&mv["side"], &mv["move"], &mv["text"]), (&"black".into(), &"h7h0".into(), &"C8+7".into()));
        assert_eq!((&mv["judgement"], &mv["better_move"]), (&"blunder".into(), &"h9g7".into()));
        assert_eq!((&mv["better"][0], &value["blunders"][0]), (&"H8+7".into(), &2.into()));
        assert_eq!((&value["verdict"], &value["accuracy"]["black"]), (&"undecided".into(), &6.3.into()));
    }
}
