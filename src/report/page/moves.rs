//! The moves of a game on a page: the list with comments and variations, the table of best lines, and the data for the script.

use super::forms::{Characters, Forms, both, score};
use crate::board::Board;
use crate::records::NodeId;
use crate::report::annotate::{other_glyphs, remark};
use crate::report::result::PositionResult;
use crate::report::review::{GameReview, Judgement, MoveReview};
use crate::report::view::{percent, red_score};
use crate::types::{Color, Move};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use std::borrow::Cow;

/// Maximum number of variation moves shown per game; records of opening libraries have hundreds of thousands.
const MAX_VARIATION_MOVES: usize = 2000;

/// Moves of each best line included in the script data.
const LINE_MOVES: usize = 8;

/// An element of a variation.
enum Token<'a> {
    Open,
    Close,
    Move(Markup),
    Comment(Cow<'a, str>),
}

/// A variation move in the script data: index of its parent node, and the move.
type Step = (usize, String);

/// The displayed part of the game tree. Main line nodes are numbered by ply, variation nodes after them.
struct Tree<'a> {
    review: &'a GameReview,
    forms: &'a Forms,
    /// Variation moves; their numbers follow those of the main line.
    steps: Vec<Step>,
    /// Whether some were omitted.
    is_truncated: bool,
}

/// An entry of the traversal stack.
enum Task {
    /// A move and its continuation.
    Move(Visit, Follow),
    /// This node and its later siblings, each in parentheses.
    Alternatives(Visit),
    Close,
}

/// A node with its context.
#[derive(Clone, Copy)]
struct Visit {
    node: NodeId,
    /// The board before the move.
    board: Board,
    ply: usize,
    /// Index of the parent node.
    from: usize,
}

/// How a move connects to the text before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// The first move in parentheses; its siblings are written elsewhere.
    First,
    /// After a comment or parentheses, so its number is repeated.
    Interrupted,
    /// Directly after the previous move.
    Directly,
}

/// The move marks (`!`, `?` …) for PGN's numeric annotation glyphs 1 to 6.
fn glyph_marks(glyphs: &[u8]) -> String {
    let mark = |glyph: &u8| ["", "!", "?", "!!", "??", "!?", "?!"].get(*glyph as usize).copied().unwrap_or_default();
    glyphs.iter().map(mark).collect()
}

impl<'a> Tree<'a> {
    fn new(review: &'a GameReview, forms: &'a Forms) -> Tree<'a> {
        Tree { review, forms, steps: Vec::new(), is_truncated: false }
    }

    /// The alternatives to a main line move, in PGN order: a move, its comment, its alternatives, its continuation.
    fn variations(&mut self, mv: &MoveReview) -> Vec<Token<'a>> {
        let record = &self.review.record;
        let Some(node) = record.next_sibling(mv.node) else { return Vec::new() };
        let mut tokens = Vec::new();
        let mut tasks = vec![Task::Alternatives(Visit { node, board: mv.board, ply: mv.ply, from: mv.ply - 1 })];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => tokens.push(Token::Close),
                Task::Alternatives(_) | Task::Move(..) if self.steps.len() >= MAX_VARIATION_MOVES => self.is_truncated = true,
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
                        let is_interrupted = alternatives.is_some() || !remark(record, visit.node).is_empty();
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

    /// Writes a variation move with its comment, and assigns its index.
    fn step(&mut self, visit: Visit, follow: Follow, tokens: &mut Vec<Token<'a>>) -> Option<(Move, usize)> {
        let record = &self.review.record;
        let mv = record.mv(visit.node)?;
        let index = self.review.plies() + 1 + self.steps.len();
        let number =
            (follow != Follow::Directly || visit.board.side_to_move() == Color::Red).then(|| self.review.number(visit.ply));
        let text = html! {
            @if let Some(number) = number { (number) " " }
            (self.forms.mv(&visit.board, mv)) (glyph_marks(record.glyphs(visit.node)))
        };
        let comment = remark(record, visit.node);
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
                Token::Comment(text) => { span.comment { (&**text) } }
            }
        }
    }
}

/// The moves with judgements, scores, comments and variations: one row per pair of moves, followed by a row for comments and variations. The
/// script identifies moves by the order of their buttons.
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
    let before = remark(record, record.root());
    if !before.is_empty() {
        rows.push(aside(&before, 0, &[]));
    }
    // A row with Red's move that waits for Black's.
    let mut open: Option<Markup> = None;
    for mv in &review.moves {
        let text = html! {
            button class=[(mv.judgement != Judgement::Good).then(|| mv.judgement.name())] {
                (forms.mv(&mv.board, mv.mv)) (glyph_marks(&other_glyphs(record, mv.node)))
                @if mv.judgement.is_error() { i { (mv.judgement.mark()) } }
                small { @if let Some(result) = review.result(mv.ply) { (score(result)) } }
            }
        };
        let number = review.number(mv.ply);
        let number = number.trim_end_matches(['.', '…']);
        let row = match (mv.side(), open.take()) {
            (Color::Red, _) => html! { span { (number) } (text) },
            (Color::Black, None) => html! { span { (number) } b { "…" } (text) },
            (Color::Black, Some(red)) => html! { (red) (text) },
        };
        let comment = remark(record, mv.node);
        let tokens = tree.variations(mv);
        let has_aside = !comment.is_empty() || !tokens.is_empty();
        if mv.side() == Color::Red && !has_aside {
            open = Some(row);
            continue;
        }
        rows.push(html! { li { (row) } });
        if has_aside {
            rows.push(aside(&comment, mv.ply, &tokens));
        }
    }
    rows.extend(open.map(|row| html! { li { (row) } }));
    if tree.is_truncated {
        rows.push(html! { li.aside { p.soft { (both("Longer variations are not shown.", "较长的变着未列出。")) } } });
    }
    html! { ol.moves { @for row in rows { (row) } } }
}

/// An empty table of the best line of every position; the script fills it when it is opened.
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

/// The script's data of a game. It takes scores, move texts and comments from the list of moves.
#[derive(Serialize)]
struct Data {
    /// The board and side to move at the start, unless it is the standard start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// The number of the first move, unless it is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u32>,
    /// The moves of the main line in UCI form, four characters each.
    moves: String,
    /// The moves of variations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Step>,
    /// The score at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<[String; 2]>,
    /// The best move in every position of the main line, four characters each; spaces where there is none.
    best: String,
    /// The lines starting with these moves, encoded by [`Forms::packed`].
    lines: Vec<String>,
}

/// JSON in a script element. `<` occurs only inside strings and is escaped, so that no text of a record can close the element.
fn json(class: &str, data: &impl Serialize) -> Markup {
    let text = serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c");
    html! { script class=(class) type="application/json" { (PreEscaped(text)) } }
}

/// The characters the script needs to write moves, as a script element.
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
            first: Some(review.record.start.fullmove).filter(|&number| number > 1),
            moves: review.moves.iter().map(|mv| mv.mv.to_string()).collect(),
            variations: tree.steps,
            score: review.result(0).map(|result| [red_score(result), percent(result.red_expectation())]),
            best: results().map(best).collect(),
            lines: results().map(line).collect(),
        },
    )
}
