//! The moves of a game on a page: the list with comments and variations, the best line at every move, and what the script needs.

use super::{both, score};
use crate::board::Board;
use crate::records::{NodeId, Record};
use crate::report::review::{GameReview, Judgement, MoveReview};
use crate::report::view::{View, percent, red_score};
use crate::types::{Color, Move};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// Most moves of variations that a game shows; records of opening libraries have hundreds of thousands.
const MAX_VARIATION_MOVES: usize = 2000;

/// What stands in a variation, in order.
enum Token<'a> {
    Open,
    Close,
    Move { index: usize, text: String },
    Comment(&'a str),
}

/// A move that the script can show: the node it is played from and the move itself.
#[derive(Serialize)]
struct Step {
    from: usize,
    #[serde(rename = "move")]
    mv: String,
    text: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: String,
}

/// The tree as far as it is shown. The nodes of the main line have the numbers of their plies, those of variations follow.
struct Tree<'a> {
    review: &'a GameReview,
    view: &'a View,
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

/// How a move goes on from what is written before it.
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
    fn new(review: &'a GameReview, view: &'a View) -> Tree<'a> {
        Tree { review, view, steps: Vec::new(), is_cut: false }
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
        let mut text = self.view.notation.write(&visit.board, mv) + &glyph_marks(record, visit.node);
        if follow != Follow::Directly || visit.board.side_to_move() == Color::Red {
            text = format!("{} {text}", self.review.number(visit.ply));
        }
        let comment = record.comment(visit.node);
        self.steps.push(Step { from: visit.from, mv: mv.to_string(), text: text.clone(), comment: comment.to_string() });
        tokens.push(Token::Move { index, text });
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
                Token::Move { index, text } => { button.move type="button" data-node=(index) { (text) } }
                Token::Comment(text) => { span.comment { (text) } }
            }
        }
    }
}

/// The moves with judgements, scores, comments and variations.
pub fn list(review: &GameReview, view: &View) -> Markup {
    let mut tree = Tree::new(review, view);
    let record = &review.record;
    // Whether the row waits for Black's move.
    let mut row_open = false;
    html! {
        ol.moves {
            @if !record.comment(record.root()).is_empty() { li.aside { p.comment { (record.comment(record.root())) } } }
            @for mv in &review.moves {
                @if !row_open {
                    li.number { (review.number(mv.ply).trim_end_matches(['.', '…'])) }
                    @if mv.side() == Color::Black { li { "…" } }
                }
                li {
                    button class={ "move " (mv.judgement.name()) } type="button" data-node=(mv.ply) {
                        (view.notation.write(&mv.board, mv.mv)) (glyph_marks(record, mv.node))
                        @if mv.judgement == Judgement::Book { " " span.known { (both("book", "谱着")) } }
                        @if mv.judgement.is_error() {
                            i aria-hidden="true" { (mv.judgement.mark()) }
                            span.unseen { (both(mv.judgement.name(), mv.judgement.chinese())) }
                        }
                        " " span.score { (score_after(review, mv.ply)) }
                    }
                }
                @let comment = record.comment(mv.node);
                @let tokens = tree.variations(mv);
                @let has_aside = !comment.is_empty() || !tokens.is_empty();
                @if has_aside {
                    @if mv.side() == Color::Red { li { "…" } }
                    li.aside {
                        @if !comment.is_empty() { p.comment { (comment) } }
                        @if !tokens.is_empty() { p.variation { (variation(&tokens)) } }
                    }
                }
                @let () = row_open = mv.side() == Color::Red && !has_aside;
            }
            @if tree.is_cut {
                li.aside { p.soft { (both("Longer variations are not shown.", "较长的变着未列出。")) } }
            }
        }
    }
}

/// A table with the best line of every position.
pub fn best_lines(review: &GameReview, view: &View) -> Markup {
    html! {
        details.lines {
            summary { (both("Best line at every move", "每着的最佳着法")) }
            table {
                thead { tr {
                    th scope="col" { (both("After", "着法")) }
                    th scope="col" { (both("Score", "分数")) }
                    th scope="col" { (both("Best line", "最佳着法")) }
                } }
                tbody {
                    @for ply in 0..=review.plies() {
                        @if let Some(result) = review.result(ply) {
                            tr {
                                td { (label(review, view, ply)) }
                                td { (score_after(review, ply)) }
                                td.line { (result.best_line(&view.notation).join(" ")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The move that led to a position, with its number.
fn label(review: &GameReview, view: &View, ply: usize) -> Markup {
    match ply.checked_sub(1).and_then(|index| review.moves.get(index)) {
        None => both("Start", "开始局面"),
        Some(mv) => html! { (review.number(ply)) " " (view.notation.write(&mv.board, mv.mv)) (mv.judgement.mark()) },
    }
}

/// What the script needs of a position of the main line.
#[derive(Serialize)]
struct Found {
    cp: String,
    ev: String,
    best: Option<String>,
    line: String,
}

#[derive(Serialize)]
struct Data {
    /// The board and side to move at the start.
    fen: String,
    /// The main line, then the moves of variations.
    steps: Vec<Step>,
    /// For every position of the main line, none where nothing was searched.
    found: Vec<Option<Found>>,
}

/// The data of a game for the script.
pub fn data(review: &GameReview, view: &View) -> Markup {
    let mut tree = Tree::new(review, view);
    let record = &review.record;
    let main = review.moves.iter().map(|mv| Step {
        from: mv.ply - 1,
        mv: mv.mv.to_string(),
        text: format!("{} {}{}", review.number(mv.ply), view.notation.write(&mv.board, mv.mv), mv.judgement.mark()),
        comment: record.comment(mv.node).to_string(),
    });
    let mut steps: Vec<Step> = main.collect();
    review.moves.iter().for_each(|mv| drop(tree.variations(mv)));
    steps.append(&mut tree.steps);
    let found = (0..=review.plies()).map(|ply| {
        review.result(ply).map(|result| Found {
            cp: red_score(result),
            ev: percent(result.red_expectation()),
            best: result.best.map(|mv| mv.to_string()),
            line: result.best_line(&view.notation).join(" "),
        })
    });
    let data = Data { fen: review.setup(0).to_board_fen(), steps, found: found.collect() };
    // JSON writes `<` only inside strings; escaped, no text of a record can end the script element.
    let text = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    html! { script.data type="application/json" { (PreEscaped(text)) } }
}

/// The score after a ply, or nothing where nothing was searched.
fn score_after(review: &GameReview, ply: usize) -> Markup {
    html! { @if let Some(result) = review.result(ply) { (score(result)) } }
}
