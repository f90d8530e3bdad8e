//! The moves of a game on a page: the list with comments and variations, the best line at every move, and what the script needs.

use super::forms::{Characters, Forms};
use super::{both, score};
use crate::board::Board;
use crate::records::{NodeId, Record};
use crate::report::result::PositionResult;
use crate::report::review::{GameReview, Judgement, MoveReview};
use crate::report::view::{percent, red_score};
use crate::types::{Color, Move};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// Most moves of variations that a game shows; records of opening libraries have hundreds of thousands.
const MAX_VARIATION_MOVES: usize = 2000;

/// Moves of a best line that the script can show.
const LINE_MOVES: usize = 8;

/// What stands in a variation, in order.
enum Token<'a> {
    Open,
    Close,
    Move(Markup),
    Comment(&'a str),
}

/// A move of a variation that the script can show: the node it is played from and the move itself.
type Step = (usize, String);

/// The tree as far as it is shown. The nodes of the main line have the numbers of their plies, those of variations follow.
struct Tree<'a> {
    review: &'a GameReview,
    forms: &'a Forms,
    /// Moves of variations, numbered from the length of the main line on.
    steps: Vec<Step>,
    /// Whether some are left out.
    is_cut: bool,
}

/// What is still to be visited, the last first.
enum Task {
    /// A move with this ply, played from the node with this index, then what follows it.
    Move(Visit, Follow),
    /// The alternatives from this node on, each in parentheses.
    Alternatives(Visit),
    Close,
}

/// A node and where it stands.
#[derive(Clone, Copy)]
struct Visit {
    node: NodeId,
    /// Before the move.
    board: Board,
    ply: usize,
    /// Index of the node that it is played from.
    from: usize,
}

/// How a move continues from what is written before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// As the first move in parentheses; its alternatives are written elsewhere.
    First,
    /// Behind a comment or parentheses, so that its number is repeated.
    Interrupted,
    /// Directly.
    Directly,
}

/// The marks of PGN's numeric glyphs.
fn glyph_marks(record: &Record, node: NodeId) -> String {
    let mark = |glyph: &u8| ["", "!", "?", "!!", "??", "!?", "?!"].get(*glyph as usize).copied().unwrap_or_default();
    record.glyphs(node).iter().map(mark).collect()
}

impl<'a> Tree<'a> {
    fn new(review: &'a GameReview, forms: &'a Forms) -> Tree<'a> {
        Tree { review, forms, steps: Vec::new(), is_cut: false }
    }

    /// The alternatives to a move of the main line, in the order of PGN: a move, its comment, its alternatives, what follows.
    fn variations(&mut self, mv: &MoveReview) -> Vec<Token<'a>> {
        let record = &self.review.record;
        let Some(node) = record.next_sibling(mv.node) else { return Vec::new() };
        let mut tokens = Vec::new();
        let mut tasks = vec![Task::Alternatives(Visit { node, board: mv.board, ply: mv.ply, from: mv.ply - 1 })];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => tokens.push(Token::Close),
                Task::Alternatives(_) | Task::Move(..) if self.steps.len() >= MAX_VARIATION_MOVES => self.is_cut = true,
                Task::Alternatives(visit) => {
                    if let Some(node) = record.next_sibling(visit.node) {
                        tasks.push(Task::Alternatives(Visit { node, ..visit }));
                    }
                    tasks.push(Task::Close);
                    tasks.push(Task::Move(visit, Follow::First));
                    tokens.push(Token::Open);
                }
                Task::Move(visit, follow) => {
                    let Some((mv, index)) = self.step(visit, follow, &mut tokens) else { continue };
                    let alternatives = record.next_sibling(visit.node).filter(|_| follow != Follow::First);
                    if let Some(next) = record.next(visit.node) {
                        let is_interrupted = alternatives.is_some() || !record.comment(visit.node).is_empty();
                        let follow = if is_interrupted { Follow::Interrupted } else { Follow::Directly };
                        let next = Visit { node: next, board: visit.board.after(mv), ply: visit.ply + 1, from: index };
                        tasks.push(Task::Move(next, follow));
                    }
                    tasks.extend(alternatives.map(|node| Task::Alternatives(Visit { node, ..visit })));
                }
            }
        }
        tokens
    }

    /// Writes one move of a variation with its comment, and gives it an index.
    fn step(&mut self, visit: Visit, follow: Follow, tokens: &mut Vec<Token<'a>>) -> Option<(Move, usize)> {
        let record = &self.review.record;
        let mv = record.mv(visit.node)?;
        let index = self.review.plies() + 1 + self.steps.len();
        let number =
            (follow != Follow::Directly || visit.board.side_to_move() == Color::Red).then(|| self.review.number(visit.ply));
        let text = html! {
            @if let Some(number) = number { (number) " " }
            (self.forms.mv(&visit.board, mv)) (glyph_marks(record, visit.node))
        };
        let comment = record.comment(visit.node);
        self.steps.push((visit.from, mv.to_string()));
        tokens.push(Token::Move(text));
        if !comment.is_empty() {
            tokens.push(Token::Comment(comment));
        }
        Some((mv, index))
    }
}

fn variation(tokens: &[Token<'_>]) -> Markup {
    html! {
        @for (at, token) in tokens.iter().enumerate() {
            @let is_first = at == 0 || matches!(tokens[at - 1], Token::Open);
            @if !is_first && !matches!(token, Token::Close) { " " }
            @match token {
                Token::Open => { "(" }
                Token::Close => { ")" }
                Token::Move(text) => { button { (text) } }
                Token::Comment(text) => { span.comment { (text) } }
            }
        }
    }
}

/// The moves with judgements, scores, comments and variations: a row for every pair of moves, and one for what is said of them. The
/// script knows the moves by the order of their buttons.
pub fn list(review: &GameReview, forms: &Forms) -> Markup {
    let mut tree = Tree::new(review, forms);
    let record = &review.record;
    let mut rows: Vec<Markup> = Vec::new();
    let aside = |comment: &str, node: usize, tokens: &[Token<'_>]| {
        html! {
            li.aside {
                @if !comment.is_empty() { p.comment data-node=(node) { (comment) } }
                @if !tokens.is_empty() { p.variation { (variation(tokens)) } }
            }
        }
    };
    if !record.comment(record.root()).is_empty() {
        rows.push(aside(record.comment(record.root()), 0, &[]));
    }
    // The row that waits for Black's move.
    let mut open: Option<Markup> = None;
    for mv in &review.moves {
        let text = html! {
            button class=[(mv.judgement != Judgement::Good).then(|| mv.judgement.name())] {
                (forms.mv(&mv.board, mv.mv)) (glyph_marks(record, mv.node))
                @if mv.judgement.is_error() { i { (mv.judgement.mark()) } }
                small { (score_after(review, mv.ply)) }
            }
        };
        let number = review.number(mv.ply);
        let number = number.trim_end_matches(['.', '…']);
        let row = match (mv.side(), open.take()) {
            (Color::Red, _) => html! { span { (number) } (text) },
            (Color::Black, None) => html! { span { (number) } b { "…" } (text) },
            (Color::Black, Some(red)) => html! { (red) (text) },
        };
        let comment = record.comment(mv.node);
        let tokens = tree.variations(mv);
        let has_aside = !comment.is_empty() || !tokens.is_empty();
        if mv.side() == Color::Red && !has_aside {
            open = Some(row);
            continue;
        }
        rows.push(html! { li { (row) } });
        if has_aside {
            rows.push(aside(comment, mv.ply, &tokens));
        }
    }
    rows.extend(open.map(|row| html! { li { (row) } }));
    if tree.is_cut {
        rows.push(html! { li.aside { p.soft { (both("Longer variations are not shown.", "较长的变着未列出。")) } } });
    }
    html! { ol.moves { @for row in rows { (row) } } }
}

/// A table with the best line of every position, which the script fills when it is opened.
pub fn best_lines() -> Markup {
    html! {
        details.lines hidden {
            summary { (both("Best line at every move", "每着的最佳着法")) }
            table {
                thead { tr {
                    th scope="col" { (both("After", "着法")) }
                    th scope="col" { (both("Score", "分数")) }
                    th scope="col" { (both("Best line", "最佳着法")) }
                } }
                tbody {}
            }
        }
    }
}

/// What the script needs of a game. Scores, texts and comments it finds in the list of moves.
#[derive(Serialize)]
struct Data {
    /// The board and side to move at the start; none at the start of a usual game.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// The moves of the main line, four letters each.
    moves: String,
    /// The moves of variations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Step>,
    /// The score at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<[String; 2]>,
    /// The best move at every position of the main line, four letters each, blanks where there is none.
    best: String,
    /// The line that begins with it, as [`Forms::packed`] writes it.
    lines: Vec<String>,
}

/// JSON in a script element. It writes `<` only inside strings; escaped, no text of a record can end the element.
fn json(class: &str, data: &impl Serialize) -> Markup {
    let text = serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c");
    html! { script class=(class) type="application/json" { (PreEscaped(text)) } }
}

/// The characters with which the script of a page writes moves.
pub fn characters(characters: &Characters) -> Markup {
    json("characters", characters)
}

/// The data of a game for the script.
pub fn data(review: &GameReview, forms: &Forms) -> Markup {
    let mut tree = Tree::new(review, forms);
    review.moves.iter().for_each(|mv| drop(tree.variations(mv)));
    let results = || (0..=review.plies()).map(|ply| review.result(ply));
    let best = |result: Option<&PositionResult>| result.and_then(|result| result.best).map_or("    ".into(), |mv| mv.to_string());
    let line = |result: Option<&PositionResult>| {
        result
            .and_then(|result| Some((result.board, result.lines.first()?)))
            .map_or_else(String::new, |(board, line)| forms.packed(&board, &line.pv[..line.pv.len().min(LINE_MOVES)]))
    };
    json(
        "data",
        &Data {
            fen: (!review.setup(0).is_standard()).then(|| review.setup(0).to_board_fen()),
            moves: review.moves.iter().map(|mv| mv.mv.to_string()).collect(),
            variations: tree.steps,
            score: review.result(0).map(|result| [red_score(result), percent(result.red_expectation())]),
            best: results().map(best).collect(),
            lines: results().map(line).collect(),
        },
    )
}

/// The score after a ply, or nothing where nothing was searched.
fn score_after(review: &GameReview, ply: usize) -> Markup {
    html! { @if let Some(result) = review.result(ply) { (score(result)) } }
}
