//! What a game's moves were worth: the loss of each, the accuracy of both players, the blunders with the better line.
//!
//! The unit is the expected score in percentage points (a win is 100, a draw 50), as the search's chances to win, draw and
//! lose give it: a pawn matters in an even game and not in a won one.

use super::result::PositionResult;
use crate::board::Position;
use crate::notation::{self, System};
use crate::records::{Record, Setup};
use crate::rules::{GameResult, Language, Rules, Verdict};
use crate::types::{Color, Move};
use serde::Serialize;

/// From how many percentage points on a move has a name.
const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 10.0;
const BLUNDER: f64 = 20.0;
/// A move that loses so many percentage points is half as accurate as the best one.
const HALVING: f64 = 10.0;

/// What a move is called for its loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// A loss below 5 percentage points.
    Good,
    /// From 5 on.
    Inaccuracy,
    /// From 10 on.
    Mistake,
    /// From 20 on.
    Blunder,
}

impl Judgement {
    fn of(loss: f64) -> Judgement {
        match loss {
            _ if loss >= BLUNDER => Judgement::Blunder,
            _ if loss >= MISTAKE => Judgement::Mistake,
            _ if loss >= INACCURACY => Judgement::Inaccuracy,
            _ => Judgement::Good,
        }
    }

    /// The mark that players put behind such a move.
    pub fn mark(self) -> &'static str {
        ["", "?!", "?", "??"][self as usize]
    }
}

/// One move of a game.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReview {
    /// Plies played with this move, from 1.
    pub ply: usize,
    /// Who moved.
    #[serde(serialize_with = "color_name")]
    pub side: Color,
    /// The move in the form `h2e2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move in the chosen notation.
    pub text: String,
    /// Red's expected score after the move, in percentage points.
    pub red_expectation: f64,
    /// What the move lost of the mover's expected score, in percentage points, 0 to 100.
    pub loss: f64,
    /// What it lost in centipawns; none where a mate is in sight before or after.
    pub loss_cp: Option<i32>,
    /// What such a move is called.
    pub judgement: Judgement,
    /// The better line in the chosen notation, for moves with a name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub better: Vec<String>,
    /// Its first move in the form `h2e2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better_move: Option<String>,
}

fn color_name<S: serde::Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&color.to_string())
}

/// Accuracy of both players in percent; none for one without moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Accuracy {
    /// Red's.
    pub red: Option<f64>,
    /// Black's.
    pub black: Option<f64>,
}

/// A whole game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReview {
    /// Number of the game in the input, from 1.
    pub game: usize,
    /// Plies of the main line.
    pub plies: usize,
    /// Tags of the record: event, date, players and what else it had.
    pub tags: Vec<(String, String)>,
    /// The result that the record states, in the form of PGN.
    pub result: String,
    /// The opening's name: the record's own, or what the caller found.
    pub opening: Option<String>,
    /// Accuracy: the mean over a player's moves of 100 halved for every 10 percentage points lost.
    pub accuracy: Accuracy,
    /// Every move.
    pub moves: Vec<MoveReview>,
    /// Numbers of the plies that were blunders.
    pub blunders: Vec<usize>,
    /// What the rules say of the final position: `red-loses`, `black-loses`, `draw` or `undecided`.
    pub verdict: &'static str,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
    /// Red's expected score before the first move.
    pub start_expectation: f64,
    /// What the reader of the record complained about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The positions from the start on, for drawing.
    #[serde(skip)]
    pub positions: Vec<Setup>,
}

/// Rounds to tenths: more digits would pretend to know what a search cannot.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

impl GameReview {
    /// Reviews the main line of a record from the results of its positions, one more than moves, in order. Without a result
    /// for a position its moves count as good.
    ///
    /// # Errors
    /// Why the start of the record is no position.
    pub fn new(
        game: usize,
        record: &Record,
        results: &[PositionResult],
        notation: System,
        rules: &Rules,
        opening: Option<String>,
    ) -> Result<GameReview, String> {
        let mut position = record.start.position().map_err(|error| error.to_string())?;
        let mut positions = vec![record.start.clone()];
        let mut moves = Vec::new();
        let start_expectation = results.first().map_or(50.0, |result| red_view(&position, result));
        for (index, mv) in record.moves().enumerate() {
            moves.push(review(index + 1, &mut position, mv, results.get(index), results.get(index + 1), notation));
            positions.push(Setup::from_position(&position));
        }
        let ruling = rules.ruling(&position);
        let own = [record.tag("ECCO"), record.tag("Opening"), record.tag("Variation")];
        let own: Vec<&str> = own.into_iter().flatten().collect();
        Ok(GameReview {
            game,
            plies: moves.len(),
            tags: record.tags().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            result: record.result.token().to_string(),
            opening: if own.is_empty() { opening } else { Some(own.join(" ")) },
            accuracy: Accuracy { red: accuracy(&moves, Color::Red), black: accuracy(&moves, Color::Black) },
            blunders: moves.iter().filter(|mv| mv.judgement == Judgement::Blunder).map(|mv| mv.ply).collect(),
            moves,
            verdict: match ruling.verdict {
                Verdict::Final(GameResult::Loses(Color::Red)) => "red-loses",
                Verdict::Final(GameResult::Loses(Color::Black)) => "black-loses",
                Verdict::Final(GameResult::Draw) => "draw",
                _ => "undecided",
            },
            reasons: ruling.lines(Language::English),
            start_expectation: tenths(start_expectation),
            warnings: record.warnings(),
            positions,
        })
    }

    /// The value of a tag, none when absent or empty.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, value)| known.eq_ignore_ascii_case(name) && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// How many moves of a side were called so.
    pub fn count(&self, side: Color, judgement: Judgement) -> usize {
        self.moves.iter().filter(|mv| mv.side == side && mv.judgement == judgement).count()
    }
}

/// Red's expected score in percentage points.
fn red_view(position: &Position, result: &PositionResult) -> f64 {
    let own = result.expectation() as f64 / 10.0;
    if position.side_to_move() == Color::Red { own } else { 100.0 - own }
}

fn review(
    ply: usize,
    position: &mut Position,
    mv: Move,
    before: Option<&PositionResult>,
    after: Option<&PositionResult>,
    notation: System,
) -> MoveReview {
    let board = *position.board();
    let side = board.side_to_move();
    position.make(mv);
    let text = notation::write(notation, &board, mv);
    let uci = mv.to_string();
    let mut review = MoveReview {
        ply,
        side,
        mv: uci.clone(),
        text,
        red_expectation: tenths(after.map_or(50.0, |after| red_view(position, after))),
        loss: 0.0,
        loss_cp: None,
        judgement: Judgement::Good,
        better: Vec::new(),
        better_move: None,
    };
    let (Some(before), Some(after)) = (before, after) else { return review };
    let is_best = before.bestmove.as_ref() == Some(&uci);
    // The move the search itself would play loses nothing, however the deeper look one ply on differs.
    if !is_best {
        let loss = (before.expectation() - (1000 - after.expectation())).max(0) as f64 / 10.0;
        review.loss = tenths(loss);
        review.judgement = Judgement::of(loss);
    }
    let in_sight = |result: &PositionResult| result.centipawns().abs() >= 20_000;
    if !in_sight(before) && !in_sight(after) {
        review.loss_cp = Some(if is_best { 0 } else { (before.centipawns() + after.centipawns()).max(0) });
    }
    if review.judgement > Judgement::Good
        && let Some(line) = before.lines.first()
    {
        let moves: Vec<Move> = line.pv.iter().map_while(|text| Move::from_uci(text).ok()).collect();
        review.better = notation::write_line(notation, &board, &legal_prefix(board, &moves));
        review.better_move = line.pv.first().cloned();
    }
    review
}

/// The moves of a line up to the first illegal one: the line may come from a file of earlier results.
fn legal_prefix(mut board: crate::board::Board, moves: &[Move]) -> Vec<Move> {
    let mut legal = Vec::new();
    for &mv in moves {
        if !board.is_legal(mv) {
            break;
        }
        board = board.after(mv);
        legal.push(mv);
    }
    legal
}

fn accuracy(moves: &[MoveReview], side: Color) -> Option<f64> {
    let own: Vec<f64> = moves.iter().filter(|mv| mv.side == side).map(|mv| 100.0 * (-mv.loss / HALVING).exp2()).collect();
    (!own.is_empty()).then(|| tenths(own.iter().sum::<f64>() / own.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Line, ScoreValue};

    fn result(wdl: [u16; 3], cp: i32, best: &str) -> PositionResult {
        let line = Line {
            multipv: 1,
            score: ScoreValue::Cp(cp),
            wdl,
            pv: vec![best.into(), "a9a9".into()],
            pv_wxr: Vec::new(),
            pv_chinese: Vec::new(),
        };
        PositionResult {
            game: Some(1),
            ply: Some(0),
            fen: String::new(),
            depth: 1,
            nodes: 1,
            time_ms: 1,
            lines: vec![line],
            bestmove: Some(best.into()),
        }
    }

    #[test]
    fn losses_are_counted_from_the_movers_view() {
        let mut record = Record::new(Setup::standard());
        let first = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.add(first, Move::from_uci("h7h0").unwrap()).unwrap();
        record.set_tag("Opening", "Central Cannon");
        let results = [
            result([100, 800, 100], 20, "h2e2"),
            // Black's best keeps the balance; what he plays leaves Red at 90 %.
            result([100, 800, 100], -10, "h9g7"),
            result([850, 100, 50], 400, "i0h0"),
        ];
        let review = GameReview::new(1, &record, &results, System::Wxr, &Rules::default(), Some("unused".into())).unwrap();
        assert_eq!((review.moves[0].loss, review.moves[0].judgement), (0.0, Judgement::Good));
        assert_eq!((review.moves[1].loss, review.moves[1].judgement), (40.0, Judgement::Blunder));
        assert_eq!(review.moves[1].better, ["H8+7"]);
        assert_eq!((review.moves[1].loss_cp, review.moves[1].red_expectation), (Some(390), 90.0));
        assert_eq!((review.accuracy.red, review.accuracy.black), (Some(100.0), Some(6.3)));
        assert_eq!((review.blunders.as_slice(), review.verdict), ([2].as_slice(), "undecided"));
        assert_eq!(review.opening.as_deref(), Some("Central Cannon"));
        assert_eq!(review.positions.len(), 3);
    }

    #[test]
    fn a_game_without_results_still_has_its_moves() {
        let mut record = Record::new(Setup::standard());
        record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        let review = GameReview::new(1, &record, &[], System::Chinese, &Rules::default(), None).unwrap();
        assert_eq!((review.plies, review.moves[0].text.as_str()), (1, "炮二平五"));
        assert!(GameReview::new(1, &Record::new(Setup::empty()), &[], System::Uci, &Rules::default(), None).is_err());
    }
}
