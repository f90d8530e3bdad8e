//! Choosing a book move to play.

use super::{Book, BookError, BookMove};
use crate::board::Position;
use crate::rules::{GameResult, Rules, Verdict};
use crate::types::Move;

/// A request for a book move.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position with its history.
    pub position: &'a Position,
    /// The rules of repetition.
    pub rules: &'a Rules,
    /// Excluded moves.
    pub banned: &'a [Move],
    /// A random number for a weighted random choice; none to choose the move with the highest weight.
    pub draw: Option<u64>,
}

/// A chosen book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The move.
    pub mv: Move,
    /// Its weight.
    pub weight: u32,
    /// The total weight of all playable moves.
    pub total: u64,
    /// The reply with the highest weight in the same book.
    pub reply: Option<Move>,
}

/// The result of probing books.
#[derive(Default, Debug)]
pub struct BookChoice {
    /// The move to play.
    pub chosen: Option<Chosen>,
    /// Moves of the same book, and of the books before it, that are not played because of the rules.
    pub unplayed: Vec<(Move, Objection)>,
    /// Errors of books that could not be read.
    pub problems: Vec<BookError>,
}

/// Chooses a move from the first of several books that has one.
///
/// Moves are not played if they repeat a position or end the game by the rules, or if the opponent can then end the game by the rules without
/// losing: a book knows only positions, and the game may already have repeated this one.
pub fn choose(books: &[Book], question: &Question) -> BookChoice {
    let mut choice = BookChoice::default();
    for book in books {
        match book.moves(question.position.board()) {
            Ok(moves) => {
                choice.chosen = choose_among(book, &moves, question, &mut choice.unplayed);
                if choice.chosen.is_some() {
                    break;
                }
            }
            Err(problem) => choice.problems.push(problem),
        }
    }
    choice
}

fn choose_among(book: &Book, moves: &[BookMove], question: &Question, unplayed: &mut Vec<(Move, Objection)>) -> Option<Chosen> {
    let mut fit = Vec::new();
    for found in moves.iter().filter(|found| found.weight > 0 && !question.banned.contains(&found.mv)) {
        match objection(question.position, question.rules, found.mv) {
            None => fit.push(found),
            Some(objection) => unplayed.push((found.mv, objection)),
        }
    }
    let total: u64 = fit.iter().map(|found| found.weight as u64).sum();
    let mut left = question.draw.unwrap_or(0).checked_rem(total)?;
    let chosen = fit.iter().find(|found| {
        let is_drawn = left < found.weight as u64;
        left = left.saturating_sub(found.weight as u64);
        is_drawn
    })?;
    let replies = book.moves(&question.position.board().after(chosen.mv)).unwrap_or_default();
    let reply = replies.first().filter(|found| found.weight > 0).map(|found| found.mv);
    Some(Chosen { mv: chosen.mv, weight: chosen.weight, total, reply })
}

/// The reason a book move is not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objection {
    /// It ends the game, and the mover loses it by the rules.
    Loses,
    /// It ends the game as a draw by the rules.
    Draws,
    /// It ends the game, and the opponent loses it by the rules.
    Wins,
    /// It repeats a position.
    Repeats,
    /// The opponent can end the game by the rules without losing it.
    LetsEnd,
}

impl Objection {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Objection::Loses => "loses",
            Objection::Draws => "draws",
            Objection::Wins => "wins",
            Objection::Repeats => "repeats",
            Objection::LetsEnd => "lets-end",
        }
    }

    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Objection::Loses => "it loses by the rules of repetition",
            Objection::Draws => "it draws by the rules of repetition",
            Objection::Wins => "it ends the game by the rules of repetition",
            Objection::Repeats => "it repeats a position",
            Objection::LetsEnd => "the opponent could end the game by the rules of repetition",
        }
    }
}

/// The reason, by the rules of repetition, not to play a legal move; none if there is none.
pub fn objection(position: &Position, rules: &Rules, mv: Move) -> Option<Objection> {
    let mut game = position.clone();
    let mover = game.side_to_move();
    game.make(mv);
    match rules.verdict(&game) {
        Verdict::Final(GameResult::Draw) => return Some(Objection::Draws),
        Verdict::Final(GameResult::Loses(side)) => return Some(if side == mover { Objection::Loses } else { Objection::Wins }),
        Verdict::Provisional(_) => return Some(Objection::Repeats),
        Verdict::None => {}
    }
    let replies = game.board().legal_moves();
    let can_end = replies.iter().any(|&reply| {
        game.make(reply);
        let verdict = rules.verdict(&game);
        game.unmake();
        matches!(verdict, Verdict::Final(result) if result != GameResult::Loses(!mover))
    });
    can_end.then_some(Objection::LetsEnd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::from_source;

    fn position(moves: &str) -> Position {
        let mut position = Position::startpos();
        moves.split_whitespace().for_each(|text| position.make(Move::from_uci(text).unwrap()));
        position
    }

    fn book(source: &str) -> [Book; 1] {
        [Book::Compiled(from_source("test", source).unwrap())]
    }

    fn ask(books: &[Book], position: &Position, banned: &[Move], draw: Option<u64>) -> Option<String> {
        let rules = Rules::default();
        let choice = choose(books, &Question { position, rules: &rules, banned, draw });
        assert!(choice.problems.is_empty());
        choice.chosen.map(|chosen| chosen.mv.to_string())
    }

    #[test]
    fn weights_are_chances() {
        let books = book("C2.5*30\nP7+1*10\nE3+5*0\n");
        let start = Position::startpos();
        let drawn: Vec<_> = (0..40).filter_map(|draw| ask(&books, &start, &[], Some(draw))).collect();
        assert_eq!(drawn.iter().filter(|mv| *mv == "h2e2").count(), 30);
        assert_eq!(drawn.iter().filter(|mv| *mv == "g3g4").count(), 10);
        assert_eq!(ask(&books, &start, &[], None).as_deref(), Some("h2e2"));
        assert_eq!(ask(&books, &start, &[Move::from_uci("h2e2").unwrap()], None).as_deref(), Some("g3g4"));
        assert_eq!(ask(&books, &position("a0a1"), &[], None), None);
    }

    #[test]
    fn the_first_book_with_a_move_is_used() {
        let books = [book("C2.5\n"), book("P7+1 P3+1\n")].into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(ask(&books, &Position::startpos(), &[], None).as_deref(), Some("h2e2"));
        assert_eq!(ask(&books, &position("c3c4"), &[], None).as_deref(), Some("c6c5"));
    }

    #[test]
    fn moves_that_repeat_are_not_played() {
        // Red's and Black's rooks shuffle back and forth, and the book contains the move back.
        let books = book(
            "start 1nbakabnr/r8/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/8R/RNBAKABN1 w - - 0 1\nR1-1*50 R1-1 R1+1 R1+2\nR1.4*1\n",
        );
        let once = position("i0i1 a9a8");
        // The start position would be repeated only after Black's reply.
        assert_eq!(ask(&books, &once, &[], None).as_deref(), Some("i1i0"));
        let again = position("i0i1 a9a8 i1i0 a8a9 i0i1 a9a8");
        let rules = Rules::default();
        let why = |mv: &str| objection(&again, &rules, Move::from_uci(mv).unwrap());
        assert_eq!((why("i1i0"), why("i1f1")), (Some(Objection::Repeats), None));
        assert_eq!(ask(&books, &again, &[], None).as_deref(), Some("i1f1"));
    }

    #[test]
    fn a_move_that_loses_by_repetition_is_reported_and_not_played() {
        // Red's rook gives perpetual check.
        let mut game = Position::from_fen("5k3/9/7R1/9/9/9/9/9/9/4K4 w").unwrap();
        let rules = Rules::default();
        let first = ["h7h9", "f9f8", "h9h8", "f8f9"];
        let again = ["h8h9", "f9f8", "h9h8", "f8f9"];
        let mut seen = Vec::new();
        for text in first.into_iter().chain(again.into_iter().cycle()).take(20) {
            let mv = Move::from_uci(text).unwrap();
            let why = objection(&game, &rules, mv);
            seen.push(why.map(Objection::name));
            if why == Some(Objection::Loses) {
                let source = "start 5k3/7R1/9/9/9/9/9/9/9/4K4 w - - 0 1\nR2+1*50 K6+1 R2-1*50\n";
                let choice = choose(&book(source), &Question { position: &game, rules: &rules, banned: &[], draw: None });
                assert_eq!((choice.chosen, choice.unplayed), (None, vec![(mv, Objection::Loses)]));
                break;
            }
            game.make(mv);
        }
        assert!(seen.last() == Some(&Some("loses")), "{seen:?}");
    }
}
