//! Game reviews: the loss of each move, the accuracy of both players, the blunders with the better line.
//!
//! The unit is the expected score in percentage points (a win is 100, a draw 50), computed from the search's win, draw and loss
//! probabilities: a pawn matters in an even game but not in a won one.
//!
//! A review contains moves, boards and numbers; formatting is left to the output formats: JSON Lines, text for a terminal, a page.

use super::exact::Giveaway;
use super::result::{Line, MATE_IN_SIGHT, PositionResult, centipawns};
use crate::board::{Board, Position, SetupError};
use crate::book::{Opening, opening_of_record};
use crate::endgame::Tables;
use crate::notation::Notation;
use crate::records::{NodeId, Record, Setup};
use crate::rules::{Language, NaturalLimit, Rules, Ruling, Verdict, Wording};
use crate::system::file_name;
use crate::types::{Color, Move};
use std::path::Path;

/// Minimum losses in percentage points.
const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 10.0;
const BLUNDER: f64 = 20.0;
/// A move that loses this many percentage points is half as accurate as the best one.
const HALVING: f64 = 10.0;

/// The classification of a move by its loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// A move after the end of the game, which has no loss and does not count in averages.
    Unjudged,
    /// A move of the opening book, which is not judged: it has no loss and does not count in averages.
    Book,
    /// A loss below 5 percentage points.
    Good,
    /// A loss from 5 to below 10.
    Inaccuracy,
    /// A loss from 10 to below 20.
    Mistake,
    /// A loss of 20 or more.
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

    /// The classes that are marked, worst first.
    pub const ERRORS: [Judgement; 3] = [Judgement::Blunder, Judgement::Mistake, Judgement::Inaccuracy];

    /// Whether the move is marked.
    pub fn is_error(self) -> bool {
        self >= Judgement::Inaccuracy
    }

    /// The English word: `unjudged`, `book`, `good`, `inaccuracy`, `mistake` or `blunder`. It is also used in JSON and in the page's CSS.
    pub fn name(self) -> &'static str {
        ["unjudged", "book", "good", "inaccuracy", "mistake", "blunder"][self as usize]
    }

    /// The Chinese word.
    pub fn chinese(self) -> &'static str {
        ["未评", "谱着", "好着", "缓着", "失误", "漏着"][self as usize]
    }

    /// The usual mark after such a move.
    pub fn mark(self) -> &'static str {
        ["", "", "", "?!", "?", "??"][self as usize]
    }
}

/// One move of a game.
#[derive(Clone, Debug)]
pub struct MoveReview {
    /// Ply of the move, from 1.
    pub ply: usize,
    /// The move's node in the record, for its comment and alternatives.
    pub node: NodeId,
    /// The board before the move.
    pub board: Board,
    /// The move.
    pub mv: Move,
    /// Loss of the mover's expected score, in percentage points, 0 to 100.
    pub loss: f64,
    /// Loss in centipawns; `None` if the score before or after is missing, a mate, or another certain win (20 000 centipawns or more).
    pub loss_cp: Option<i32>,
    /// The classification.
    pub judgement: Judgement,
    /// The endgame result it provably gave away; see [`GameReview::mark_endgames`].
    pub giveaway: Option<Giveaway>,
}

impl MoveReview {
    /// The side that moved.
    pub fn side(&self) -> Color {
        self.board.side_to_move()
    }
}

/// Accuracy of both players in percent; none for a player without judged moves.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Accuracy {
    /// Red's.
    pub red: Option<f64>,
    /// Black's.
    pub black: Option<f64>,
}

/// The name of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningName {
    /// From the record.
    Record(String),
    /// From the opening book.
    Book(Opening),
}

impl OpeningName {
    /// The name in a language; a name from a record is not translated.
    pub fn text(&self, language: Language) -> String {
        match (self, language) {
            (OpeningName::Record(name), _) => name.clone(),
            (OpeningName::Book(name), Language::English) => name.english.clone(),
            (OpeningName::Book(name), Language::Chinese) => name.chinese.clone(),
        }
    }
}

impl std::fmt::Display for OpeningName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpeningName::Record(name) => f.write_str(name),
            OpeningName::Book(name) => name.fmt(f),
        }
    }
}

/// The start of a record is not a valid position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the start position is invalid: {0}")]
pub struct ReviewError(#[from] SetupError);

/// The review of a game.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// The file of the game, as named by the user.
    pub file: String,
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// The game with its tags, comments and variations.
    pub record: Record,
    /// The opening named by the record, otherwise by the book.
    pub opening: Option<OpeningName>,
    /// Accuracy: the mean over a player's judged moves of 100, halved for every 10 percentage points lost.
    pub accuracy: Accuracy,
    /// Every move of the main line.
    pub moves: Vec<MoveReview>,
    /// The ruling on the position in which the game ended by the rules, or on the final one.
    pub ruling: Ruling,
    /// The moves after the end of the game.
    pub moves_after_end: usize,
    results: Vec<PositionResult>,
    setups: Vec<Setup>,
}

/// Rounds to tenths; more digits would suggest a precision that a search does not have.
pub(super) fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

impl GameReview {
    /// Reviews the main line of a record. `results` are those of its positions in order, one more than there are moves; a move without a
    /// result before and after it counts as good. From the end of the game by
    /// the rules on, the results are replaced by that of the game, and moves are [`Judgement::Unjudged`].
    ///
    /// # Errors
    /// If the start of the record is not a valid position.
    pub fn new(
        file: impl Into<String>,
        game: usize,
        record: Record,
        mut results: Vec<PositionResult>,
        rules: &Rules,
        opening: Option<Opening>,
    ) -> Result<GameReview, ReviewError> {
        let mut position = record.start.position()?;
        let (end, moves_after_end) = rules.play_to_end(&position, record.moves());
        // Mates have their result without the rules.
        let over = rules.game_result(&end).filter(|_| end.board().has_legal_move());
        let mut end_at = |ply: usize, position: &Position| {
            if let (Some(over), Some(result), true) = (over, results.get_mut(ply), ply >= end.plies()) {
                *result = PositionResult::ended(position, over);
            }
        };
        end_at(0, &position);
        let mut setups = vec![record.start.clone()];
        for (ply, mv) in (1..).zip(record.moves()) {
            position.make(mv);
            end_at(ply, &position);
            setups.push(Setup::from_position(&position));
        }
        let mut board = *record.start.position()?.board();
        let mut moves = Vec::new();
        for (index, node) in record.main_line().enumerate() {
            let Some(mv) = record.mv(node) else { break };
            let mut review = review(index + 1, node, board, mv, results.get(index), results.get(index + 1));
            if index >= end.plies() && moves_after_end > 0 {
                review = MoveReview { loss: 0.0, loss_cp: None, judgement: Judgement::Unjudged, ..review };
            }
            moves.push(review);
            board = board.after(mv);
        }
        Ok(GameReview {
            file: file.into(),
            game,
            opening: opening_of_record(&record).map(OpeningName::Record).or(opening.map(OpeningName::Book)),
            accuracy: Accuracy { red: accuracy(&moves, Color::Red), black: accuracy(&moves, Color::Black) },
            moves,
            ruling: rules.ruling(&end),
            moves_after_end,
            results,
            setups,
            record,
        })
    }

    /// Reclassifies the moves known to an opening book as [`Judgement::Book`].
    ///
    /// # Errors
    /// If the book cannot be probed.
    pub fn mark_book<E>(&mut self, mut knows: impl FnMut(&Board, Move) -> Result<bool, E>) -> Result<(), E> {
        for mv in &mut self.moves {
            if mv.judgement != Judgement::Unjudged && knows(&mv.board, mv.mv)? {
                *mv = MoveReview { loss: 0.0, loss_cp: None, judgement: Judgement::Book, giveaway: None, ..mv.clone() };
            }
        }
        self.rate();
        Ok(())
    }

    /// Marks the moves that provably gave away a won or drawn endgame as blunders, whatever the search found.
    pub fn mark_endgames(&mut self, tables: &Tables, natural_limit: NaturalLimit) {
        let Ok(mut position) = self.record.start.position() else { return };
        // The tables do not know that a repetition or the natural limit has ended the game.
        let is_final = matches!(self.ruling.verdict, Verdict::Final(_));
        let end = if is_final { self.moves.len() - self.moves_after_end } else { usize::MAX };
        for mv in &mut self.moves {
            if mv.judgement != Judgement::Book && mv.ply < end {
                mv.giveaway = Giveaway::find(tables, &position, mv.mv, natural_limit);
                if let Some(giveaway) = &mv.giveaway {
                    mv.judgement = Judgement::Blunder;
                    mv.loss = mv.loss.max(giveaway.lost_points());
                }
            }
            position.make(mv.mv);
        }
        self.rate();
    }

    /// Recomputes the accuracy of both players.
    fn rate(&mut self) {
        self.accuracy = Accuracy { red: accuracy(&self.moves, Color::Red), black: accuracy(&self.moves, Color::Black) };
    }

    /// The judged moves of a side, which excludes book moves and those after the end of the game.
    pub fn judged(&self, side: Color) -> impl Iterator<Item = &MoveReview> {
        judged(&self.moves, side)
    }

    /// Plies of the main line.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The search results of the positions, from the start; may be fewer than positions.
    pub fn results(&self) -> &[PositionResult] {
        &self.results
    }

    /// The search result after this many plies, 0 for the start.
    pub fn result(&self, ply: usize) -> Option<&PositionResult> {
        self.results.get(ply)
    }

    /// The position after this many plies, 0 for the start; the final one if there are fewer plies.
    pub fn setup(&self, ply: usize) -> &Setup {
        self.setups.get(ply).or(self.setups.last()).unwrap_or(&self.record.start)
    }

    /// Red's expected score after this many plies, in percentage points; 50 without a search result.
    pub fn red_expectation(&self, ply: usize) -> f64 {
        tenths(self.result(ply).map_or(50.0, PositionResult::red_expectation))
    }

    /// The reasons of the ruling, after a note if the game went on after its end.
    pub fn reasons(&self, notation: &Notation, language: Language) -> Vec<String> {
        let is_over = self.moves_after_end > 0;
        let note = is_over.then(|| ended_note(self.plies() - self.moves_after_end, self.moves_after_end, language));
        let write = |board: &Board, mv: Move| notation.write(board, mv);
        note.into_iter().chain(self.ruling.lines(Wording { language, write: &write })).collect()
    }

    /// The better line for a move that is an error; it starts with the move that should have been played. None if the search preferred the
    /// move itself, which only the endgame tables refute.
    pub fn better(&self, mv: &MoveReview) -> Option<&Line> {
        let line = self.result(mv.ply - 1)?.lines.first()?;
        (mv.judgement.is_error() && line.pv.first() != Some(&mv.mv)).then_some(line)
    }

    /// The blunders of both sides.
    pub fn blunders(&self) -> impl Iterator<Item = &MoveReview> {
        self.moves.iter().filter(|mv| mv.judgement == Judgement::Blunder)
    }

    /// The number of moves of a side with this classification.
    pub fn count(&self, side: Color, judgement: Judgement) -> usize {
        self.moves.iter().filter(|mv| mv.side() == side && mv.judgement == judgement).count()
    }

    /// The title: the players, otherwise the record's title, otherwise the name of the file, with the number of the game if it is not the
    /// first.
    pub fn title(&self) -> String {
        self.record.title().unwrap_or_else(|| {
            let name = if self.file == "-" { "stdin".into() } else { file_name(Path::new(&self.file)) };
            if self.game > 1 { format!("{name} ({})", self.game) } else { name }
        })
    }

    /// The move number of a ply (from 1): `12.` or, for Black, `12…`. The first is that of the start position.
    pub fn number(&self, ply: usize) -> String {
        let start = &self.record.start;
        let before = 2 * (start.fullmove.max(1) as usize - 1) + (start.side == Color::Black) as usize;
        let half = before + ply.max(1) - 1;
        format!("{}{}", half / 2 + 1, if half.is_multiple_of(2) { "." } else { "…" })
    }
}

/// The note on moves after the end of a game.
pub fn ended_note(ply: usize, moves_after: usize, language: Language) -> String {
    match language {
        Language::English => {
            let moves = if moves_after == 1 { "the move after it is" } else { &format!("the {moves_after} moves after it are") };
            format!("note: by these rules the game ended after ply {ply}; {moves} not judged")
        }
        Language::Chinese => format!("注：按此规则，对局在第{ply}着后已结束，其后{moves_after}着不予裁定"),
    }
}

fn review(
    ply: usize,
    node: NodeId,
    board: Board,
    mv: Move,
    before: Option<&PositionResult>,
    after: Option<&PositionResult>,
) -> MoveReview {
    let mut review = MoveReview { ply, node, board, mv, loss: 0.0, loss_cp: None, judgement: Judgement::Good, giveaway: None };
    let (Some(before), Some(after)) = (before, after) else { return review };
    let is_best = before.best == Some(mv);
    // The search's own best move loses nothing by definition, even if the search after it disagrees.
    if !is_best {
        let loss = (before.expectation() - (1000 - after.expectation())).max(0) as f64 / 10.0;
        review.loss = tenths(loss);
        review.judgement = Judgement::of(loss);
    }
    let (before, after) = (centipawns(before.score()), centipawns(after.score()));
    if before.abs() < MATE_IN_SIGHT && after.abs() < MATE_IN_SIGHT {
        review.loss_cp = Some(if is_best { 0 } else { (before + after).max(0) });
    }
    review
}

fn judged(moves: &[MoveReview], side: Color) -> impl Iterator<Item = &MoveReview> {
    moves.iter().filter(move |mv| mv.side() == side && mv.judgement > Judgement::Book)
}

fn accuracy(moves: &[MoveReview], side: Color) -> Option<f64> {
    let own: Vec<f64> = judged(moves, side).map(|mv| 100.0 * (-mv.loss / HALVING).exp2()).collect();
    (!own.is_empty()).then(|| tenths(own.iter().sum::<f64>() / own.len() as f64))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::notation::System;
    use crate::rules::GameResult;
    use crate::search::Score;

    /// A result with a single line of one move.
    pub fn result(board: &Board, wdl: [u16; 3], cp: i32, best: &str) -> PositionResult {
        let best = Move::from_uci(best).unwrap();
        PositionResult {
            board: *board,
            fen: board.to_fen(),
            depth: 1,
            nodes: 1,
            time_ms: 1,
            lines: vec![Line { multipv: 1, score: Score::Centipawns(cp), wdl, pv: vec![best] }],
            best: Some(best),
            ended: None,
        }
    }

    /// A short game: a good move of Red and a blunder of Black, who could have played `h9g7`.
    pub fn blunder() -> GameReview {
        let mut record = Record::new(Setup::standard());
        let first = record.add(record.root(), Move::from_uci("b2e2").unwrap()).unwrap();
        record.add(first, Move::from_uci("h7h0").unwrap()).unwrap();
        record.set_tag("Opening", "Central Cannon");
        let boards: Vec<Board> =
            [record.root()].into_iter().chain(record.main_line()).map(|node| *record.position(node).unwrap().board()).collect();
        let results = vec![
            result(&boards[0], [100, 800, 100], 20, "b2e2"),
            // Black's best move keeps the balance; the move played leaves Red at 90 %.
            result(&boards[1], [100, 800, 100], -10, "h9g7"),
            result(&boards[2], [850, 100, 50], 400, "i0h0"),
        ];
        GameReview::new("a.pgn", 1, record, results, &Rules::default(), None).unwrap()
    }

    #[test]
    fn losses_are_from_the_movers_view() {
        let review = blunder();
        assert_eq!((review.moves[0].loss, review.moves[0].judgement), (0.0, Judgement::Good));
        assert_eq!((review.moves[1].loss, review.moves[1].judgement), (40.0, Judgement::Blunder));
        let better = review.better(&review.moves[1]).unwrap();
        assert_eq!(Notation::new(System::Wxr).write_line(&review.moves[1].board, &better.pv), ["H8+7"]);
        assert_eq!((review.moves[1].loss_cp, review.red_expectation(2)), (Some(390), 90.0));
        assert_eq!((review.accuracy.red, review.accuracy.black), (Some(100.0), Some(6.3)));
        assert_eq!(review.blunders().map(|mv| mv.ply).collect::<Vec<_>>(), [2]);
        assert_eq!(review.opening, Some(OpeningName::Record("Central Cannon".into())));
        assert_eq!((review.number(1), review.number(2)), ("1.".into(), "1…".into()));
    }

    #[test]
    fn moves_of_the_book_are_not_judged() {
        let mut review = blunder();
        let Ok(()) = review.mark_book(|_, mv| Ok::<_, std::convert::Infallible>(mv.to_string() == "h7h0"));
        let mv = &review.moves[1];
        assert_eq!((mv.judgement, mv.loss, mv.loss_cp), (Judgement::Book, 0.0, None));
        assert_eq!((review.accuracy.red, review.accuracy.black), (Some(100.0), None));
        assert!(review.better(mv).is_none() && review.blunders().count() == 0 && review.judged(Color::Black).count() == 0);
    }

    #[test]
    fn the_ruling_is_on_the_end_of_the_game() {
        let mut record = Record::new(Setup::standard());
        let mut at = record.root();
        for mv in ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(2).into_iter().chain(["h0g2", "h9g7"]) {
            at = record.add(at, Move::from_uci(mv).unwrap()).unwrap();
        }
        let review = GameReview::new("-", 1, record, Vec::new(), &Rules::default(), None).unwrap();
        assert_eq!((review.ruling.verdict, review.moves_after_end), (Verdict::Final(GameResult::Draw), 2));
        let reasons = review.reasons(&Notation::new(System::Wxr), Language::English);
        assert_eq!(reasons[0], "note: by these rules the game ended after ply 8; the 2 moves after it are not judged");
        assert!(reasons.iter().any(|reason| reason.contains("H2+3")), "{reasons:?}");
    }

    #[test]
    fn the_result_of_the_rules_replaces_the_search_from_the_end_on() {
        // The winning side throws the game away by perpetual check; two moves follow the end.
        let mut record = Record::new(Setup::from_fen("5k3/7R1/9/9/9/9/9/9/9/4K4 w").unwrap());
        let moves: Vec<&str> = "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(10).collect();
        let mut at = record.root();
        let mut results = Vec::new();
        for (index, text) in moves.iter().chain(&["h8h7"]).enumerate() {
            let position = record.position(at).unwrap();
            let wdl = if index % 2 == 0 { [1000, 0, 0] } else { [0, 0, 1000] };
            // Not the move played, so that it can lose something.
            results.push(result(position.board(), wdl, 900, "e0e1"));
            if index < moves.len() {
                at = record.add(at, Move::from_uci(text).unwrap()).unwrap();
            }
        }
        let mut review = GameReview::new("-", 1, record, results, &Rules::default(), None).unwrap();
        review.mark_endgames(Tables::builtin(), Rules::default().natural_limit);
        assert_eq!((review.ruling.verdict, review.moves_after_end), (Verdict::Final(GameResult::Loses(Color::Red)), 2));
        assert_eq!([7, 8, 9, 10].map(|ply| review.red_expectation(ply)), [100.0, 0.0, 0.0, 0.0]);
        assert_eq!((review.moves[8].judgement, review.moves[9].judgement), (Judgement::Unjudged, Judgement::Unjudged));
        assert_eq!((review.judged(Color::Red).count(), review.judged(Color::Black).count()), (4, 4));
        let annotated = review.annotated();
        let comment = |ply: usize| annotated.comment(review.moves[ply - 1].node).to_string();
        assert_eq!((comment(7), comment(8), comment(9)), ("[%eval -9.00]".into(), String::new(), String::new()));
    }

    #[test]
    fn the_move_that_loses_by_the_rules_is_a_blunder() {
        let mut record = Record::new(Setup::from_fen("5k3/9/9/9/9/9/9/9/N7R/3K5 w").unwrap());
        let moves = "i1f1 f9e9 f1e1 e9f9 e1f1 f9e9 f1e1 e9f9 e1f1".split(' ').map(|text| Move::from_uci(text).unwrap());
        let mut at = record.root();
        let mut results = vec![result(record.position(at).unwrap().board(), [1000, 0, 0], 900, "a1b3")];
        for (index, mv) in moves.enumerate() {
            at = record.add(at, mv).unwrap();
            let (wdl, best) = if index % 2 == 0 { ([0, 0, 1000], "f9f8") } else { ([1000, 0, 0], "a1b3") };
            results.push(result(record.position(at).unwrap().board(), wdl, 900, best));
        }
        let review = GameReview::new("-", 1, record, results, &Rules::default(), None).unwrap();
        let last = review.moves.last().unwrap();
        assert_eq!((last.judgement, last.loss, last.loss_cp), (Judgement::Blunder, 100.0, None));
        assert_eq!((review.moves_after_end, review.red_expectation(9)), (0, 0.0));
    }

    #[test]
    fn a_game_without_results_still_has_its_moves() {
        let mut record = Record::new(Setup::standard());
        record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        let review = GameReview::new("-", 1, record, Vec::new(), &Rules::default(), None).unwrap();
        assert_eq!((review.plies(), review.red_expectation(1)), (1, 50.0));
        let nowhere = GameReview::new("-", 1, Record::new(Setup::empty()), Vec::new(), &Rules::default(), None);
        assert!(nowhere.unwrap_err().to_string().starts_with("the start position is invalid: "));
    }

    #[cfg(feature = "endgames")]
    mod giveaways {
        use super::*;
        use crate::endgame::EndgameResult;
        use crate::report::view::View;

        /// Reviews moves from a position without search results.
        fn reviewed(fen: &str, moves: &[&str], limit: u16) -> GameReview {
            let mut record = Record::new(Setup::from_position(&Position::from_fen(fen).unwrap()));
            let mut node = record.root();
            for mv in moves {
                node = record.add(node, Move::from_uci(mv).unwrap()).unwrap();
            }
            let mut review = GameReview::new("a.pgn", 1, record, Vec::new(), &Rules::default(), None).unwrap();
            review.mark_endgames(Tables::builtin(), NaturalLimit::of(limit));
            review
        }

        #[test]
        fn a_win_given_away_is_proven() {
            let fen = "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w - - 0 41";
            // The king move gives away the win that e1e7 keeps; Black's reply gives nothing away.
            let review = reviewed(fen, &["d0e0", "a7c5"], 120);
            let given = review.moves[0].giveaway.as_ref().expect("a giveaway");
            assert_eq!((given.before.result, given.after.result), (EndgameResult::Win, EndgameResult::Draw));
            assert_eq!((given.before.plies, given.keeping.len()), (17, 1));
            assert_eq!(given.keeping[0].to_string(), "e1e7");
            let mut line = review.moves[0].board;
            for &mv in &given.proof {
                assert!(line.is_legal(mv));
                line = line.after(mv);
            }
            assert!(given.proof.len() == 17 && !line.has_legal_move());
            assert_eq!((review.moves[0].judgement, review.moves[0].loss), (Judgement::Blunder, 50.0));
            assert!(review.moves[1].giveaway.is_none());
            let view = View { notation: Notation::new(System::Wxr), ..View::default() };
            let [text, proof] = view.giveaway_lines("1.", &review.moves[0].board, given);
            assert!(text.starts_with("drawn since move 1, won before (endgame tables); won: R5+6"), "{text}");
            assert!(proof.starts_with("proof, mate in 17 plies: R5+6 "), "{proof}");
            let chinese = given.text("1.", Language::Chinese);
            assert_eq!(chinese, "第1着起必和，此前必胜");
            // A result-preserving move is not a giveaway.
            assert!(reviewed(fen, &["e1e7"], 120).moves[0].giveaway.is_none());
        }

        #[test]
        fn a_move_that_only_the_tables_refute_is_not_the_better_one() {
            let mut record = Record::new(Setup::from_fen("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w").unwrap());
            record.add(record.root(), Move::from_uci("d0e0").unwrap()).unwrap();
            let results = vec![result(record.position(record.root()).unwrap().board(), [900, 100, 0], 500, "d0e0")];
            let mut review = GameReview::new("-", 1, record, results, &Rules::default(), None).unwrap();
            review.mark_endgames(Tables::builtin(), NaturalLimit::STANDARD);
            assert!(review.moves[0].judgement == Judgement::Blunder && review.better(&review.moves[0]).is_none());
        }

        #[test]
        fn results_uncertain_by_the_natural_limit_are_not_marked() {
            let late = "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w - - 50 90";
            assert!(reviewed(late, &["d0e0"], 60).moves[0].giveaway.is_none());
            assert!(reviewed(late, &["d0e0"], 120).moves[0].giveaway.is_some());
        }

        #[test]
        fn moves_too_slow_for_the_natural_limit_do_not_keep_a_win() {
            let keeping = |clock: u16| {
                let review = reviewed(&format!("3k5/8R/9/9/9/9/9/9/9/4K4 w - - {clock} 80"), &["i8d8"], 120);
                review.moves[0].giveaway.as_ref().expect("a giveaway").keeping.len()
            };
            // Fifteen moves mate in at most three plies, three in five.
            assert_eq!([0, 117].map(keeping), [18, 15]);
        }

        #[test]
        fn a_draw_given_away_shows_the_mate() {
            let review = reviewed("2bak4/4a4/4b4/9/9/9/9/9/4R4/4K4 b", &["c9a7"], 120);
            let given = review.moves[0].giveaway.as_ref().expect("a giveaway");
            assert_eq!((given.before.result, given.after.result), (EndgameResult::Draw, EndgameResult::Loss));
            assert_eq!((given.keeping.len(), given.proof.len(), given.plies()), (7, 16, 16));
            assert_eq!(given.proof[0].to_string(), "c9a7");
        }
    }
}
