//! One self-contained page for reviewed games: nothing is fetched from elsewhere, and without scripts it still reads.

use super::diagram::{ArrowKind, Diagram, PieceStyle, shapes};
use super::result::{PositionResult, ScoreValue};
use super::review::{GameReview, Judgement};
use crate::records::Setup;
use crate::types::{Color, Move};
use std::fmt::Write;

/// Most positions of a list that a page shows with a diagram each.
pub const MAX_LISTED_POSITIONS: usize = 200;
/// Most diagrams of key moments of one game.
const MAX_MOMENTS: usize = 12;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page as it grows.
pub struct Page {
    body: String,
    contents: String,
    positions: usize,
    games: usize,
    style: PieceStyle,
}

/// Text as HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The word in the number that the count asks for.
fn noun(count: usize, word: &str) -> String {
    match (count, word.strip_suffix('y')) {
        (1, _) => word.to_string(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) => format!("{word}s"),
    }
}

impl Page {
    /// An empty page that shows pieces in this style at first.
    pub fn new(style: PieceStyle) -> Page {
        Page { body: String::new(), contents: String::new(), positions: 0, games: 0, style }
    }

    /// Adds a reviewed game.
    pub fn add_game(&mut self, review: &GameReview) {
        self.games += 1;
        let id = self.games;
        let title = title(review);
        let _ = write!(self.contents, "<li><a href=\"#g{id}\">{}</a></li>", escape(&title));
        let _ = write!(self.body, "<article class=\"game\" id=\"g{id}\"><h2>{}</h2>", escape(&title));
        self.facts(review);
        self.scores(review);
        let _ = write!(
            self.body,
            "<div class=\"play\"><div class=\"left\"><div class=\"viewer\">{}</div>\
             <div class=\"controls\"><button data-go=\"first\" aria-label=\"first\">|◀</button>\
             <button data-go=\"back\" aria-label=\"back\">◀</button><span class=\"at\"></span>\
             <button data-go=\"next\" aria-label=\"next\">▶</button><button data-go=\"last\" aria-label=\"last\">▶|</button>\
             <button data-go=\"flip\" aria-label=\"turn the board\">⇅</button></div><p class=\"note\"></p></div>",
            self.final_diagram(review)
        );
        let _ = write!(self.body, "<div class=\"right\">{}{}</div></div>", graph(review), moves(review));
        self.moments(review);
        let _ = write!(self.body, "<script type=\"application/json\" class=\"data\">{}</script></article>", data(review));
    }

    /// Adds a single position; beyond [`MAX_LISTED_POSITIONS`] it is only counted.
    pub fn add_position(&mut self, result: &PositionResult) {
        self.positions += 1;
        if self.positions > MAX_LISTED_POSITIONS {
            return;
        }
        let Ok(setup) = Setup::from_fen(&result.fen) else { return };
        let mut diagram = Diagram { style: self.style, ..Diagram::new(&setup) };
        diagram.arrows.extend(best(result).map(|mv| (mv, ArrowKind::Better)));
        let _ = write!(
            self.body,
            "<section class=\"moment\">{}<div><h3>Position {}</h3><p class=\"fen\">{}</p>",
            diagram.svg_in_page(),
            self.positions,
            escape(&result.fen)
        );
        for line in &result.lines {
            let score = match line.score {
                ScoreValue::Cp(score) => format!("{:+.2}", score as f64 / 100.0),
                ScoreValue::Mate(moves) => format!("mate {moves}"),
            };
            let _ = write!(self.body, "<p><b>{score}</b> {}</p>", escape(&line.pv_chinese.join(" ")));
        }
        if result.lines.is_empty() {
            self.body.push_str("<p>No legal move.</p>");
        }
        self.body.push_str("</div></section>");
    }

    /// The finished page.
    pub fn finish(self) -> String {
        let left_out = self.positions.saturating_sub(MAX_LISTED_POSITIONS);
        let note = if left_out > 0 { format!("<p>{left_out} more positions are not shown.</p>") } else { String::new() };
        let contents = if self.games > 1 { format!("<ol class=\"contents\">{}</ol>", self.contents) } else { String::new() };
        let class = if self.style == PieceStyle::Letters { "letters" } else { "characters" };
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>chuhe: game report</title>\
             <style>{STYLE}</style></head><body class=\"{class}\"><svg class=\"shapes\" aria-hidden=\"true\"><defs>{}</defs></svg>\
             <header><h1>楚河 <span>game report</span></h1><button id=\"style\">帥 / K</button></header><main>{contents}{}{note}\
             </main><script>{SCRIPT}</script></body></html>\n",
            shapes(None),
            self.body
        )
    }

    fn facts(&mut self, review: &GameReview) {
        let mut facts: Vec<String> = Vec::new();
        facts.extend(["Event", "Site", "Date"].into_iter().filter_map(|name| review.tag(name)).map(escape));
        facts.extend(review.tag("Round").map(|round| format!("Round {}", escape(round))));
        facts.extend(review.opening.as_deref().map(|name| format!("Opening: {}", escape(name))));
        let result = if review.result == "*" { "unfinished".into() } else { format!("result {}", escape(&review.result)) };
        let moves = review.plies.div_ceil(2);
        facts.push(format!("{moves} {}, {result}", noun(moves, "move")));
        if review.verdict != "undecided" || review.reasons.len() > 1 {
            facts.push(format!("Rules: {} – {}", review.verdict.replace('-', " "), escape(&review.reasons.join("; "))));
        }
        let _ = write!(self.body, "<p class=\"facts\">{}</p>", facts.join(" · "));
        if !review.warnings.is_empty() {
            let _ = write!(self.body, "<p class=\"warning\">{}</p>", escape(&review.warnings.join(" · ")));
        }
    }

    fn scores(&mut self, review: &GameReview) {
        self.body.push_str("<div class=\"cards\">");
        for (side, name, accuracy) in [(Color::Red, "Red", review.accuracy.red), (Color::Black, "Black", review.accuracy.black)] {
            let accuracy = accuracy.map_or("–".to_string(), |accuracy| format!("{accuracy:.1} %"));
            let count = |judgement, name| {
                let count = review.count(side, judgement);
                format!("<b>{count}</b> {}", noun(count, name))
            };
            let _ = write!(
                self.body,
                "<div class=\"card {}\"><h3>{name} {}</h3><p class=\"big\">{accuracy}</p><p>accuracy</p>\
                 <p>{} · {} · {}</p></div>",
                name.to_lowercase(),
                escape(review.tag(name).unwrap_or_default()),
                count(Judgement::Blunder, "blunder"),
                count(Judgement::Mistake, "mistake"),
                count(Judgement::Inaccuracy, "inaccuracy"),
            );
        }
        self.body.push_str("</div>");
    }

    /// The final position, which the script replaces by the one that is looked at.
    fn final_diagram(&self, review: &GameReview) -> String {
        let Some(setup) = review.positions.last() else { return String::new() };
        let last_move = review.moves.last().and_then(|mv| Move::from_uci(&mv.mv).ok());
        Diagram { last_move, style: self.style, ..Diagram::new(setup) }.svg_in_page()
    }

    /// The worst moves with diagrams: what was played and what was better.
    fn moments(&mut self, review: &GameReview) {
        let mut worst: Vec<_> = review.moves.iter().filter(|mv| mv.judgement >= Judgement::Mistake).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        worst.truncate(MAX_MOMENTS);
        worst.sort_by_key(|mv| mv.ply);
        if worst.is_empty() {
            return;
        }
        self.body.push_str(
            "<h3>Key moments</h3><p class=\"legend\"><span class=\"played\">┅▶ played</span> \
            <span class=\"better\">━▶ better</span></p><div class=\"moments\">",
        );
        for mv in worst {
            let Some(setup) = review.positions.get(mv.ply - 1) else { continue };
            let mut diagram = Diagram { style: self.style, coordinates: false, ..Diagram::new(setup) };
            diagram.arrows.extend(Move::from_uci(&mv.mv).ok().map(|mv| (mv, ArrowKind::Played)));
            let better = mv.better_move.as_deref().and_then(|text| Move::from_uci(text).ok());
            diagram.arrows.extend(better.map(|mv| (mv, ArrowKind::Better)));
            let _ = write!(
                self.body,
                "<section class=\"moment\">{}<div><h4><a data-ply=\"{}\">{} {}{}</a></h4>\
                 <p>loses {:.0} points of expected score</p><p class=\"line\">Better: {}</p></div></section>",
                diagram.svg_in_page(),
                mv.ply,
                number(review, mv.ply),
                escape(&mv.text),
                mv.judgement.mark(),
                mv.loss,
                escape(&mv.better.iter().take(9).cloned().collect::<Vec<_>>().join(" ")),
            );
        }
        self.body.push_str("</div>");
    }
}

fn best(result: &PositionResult) -> Option<Move> {
    result.bestmove.as_deref().and_then(|text| Move::from_uci(text).ok())
}

fn title(review: &GameReview) -> String {
    match (review.tag("Red"), review.tag("Black")) {
        (None, None) => review.tag("Title").map_or(format!("Game {}", review.game), str::to_string),
        (red, black) => format!("{} – {}", red.unwrap_or("?"), black.unwrap_or("?")),
    }
}

/// The number in front of a move: `12.` or, for Black, `12…`.
fn number(review: &GameReview, ply: usize) -> String {
    let black_first = review.positions.first().is_some_and(|setup| setup.side == Color::Black);
    let half = ply - 1 + black_first as usize;
    format!("{}{}", half / 2 + 1, if half.is_multiple_of(2) { "." } else { "…" })
}

const GRAPH_WIDTH: f64 = 600.0;
const GRAPH_HEIGHT: f64 = 170.0;

/// Red's expected score over the game.
fn graph(review: &GameReview) -> String {
    let count = review.moves.len().max(1) as f64;
    let x = |ply: usize| ply as f64 / count * GRAPH_WIDTH;
    let y = |expectation: f64| (100.0 - expectation) / 100.0 * GRAPH_HEIGHT;
    let mut points = format!("0,{:.1}", y(review.start_expectation));
    let mut dots = String::new();
    for mv in &review.moves {
        let (x, y) = (x(mv.ply), y(mv.red_expectation));
        let _ = write!(points, " {x:.1},{y:.1}");
        if mv.judgement >= Judgement::Mistake {
            // Blunders are squares and mistakes discs, so that shape tells what size alone would not.
            let class = if mv.side == Color::Red { "red" } else { "black" };
            let _ = match mv.judgement {
                Judgement::Blunder => {
                    write!(dots, "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\"/>", x - 5.0, y - 5.0)
                }
                _ => write!(dots, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
            };
        }
    }
    format!(
        "<figure class=\"graph\"><svg viewBox=\"-2 -6 {} {}\" role=\"img\" aria-label=\"Red's expected score over the game\">\
         <rect class=\"sky\" width=\"{GRAPH_WIDTH}\" height=\"{GRAPH_HEIGHT}\"/>\
         <polygon points=\"0,{GRAPH_HEIGHT} {points} {GRAPH_WIDTH},{GRAPH_HEIGHT}\"/>\
         <path d=\"M0 {half}H{GRAPH_WIDTH}\" class=\"middle\"/><polyline points=\"{points}\"/>{dots}\
         <path class=\"cursor\" d=\"M0 0V{GRAPH_HEIGHT}\"/></svg>\
         <figcaption>Red’s expected score. ■ blunder, ● mistake</figcaption></figure>",
        GRAPH_WIDTH + 4.0,
        GRAPH_HEIGHT + 12.0,
        half = GRAPH_HEIGHT / 2.0,
    )
}

fn moves(review: &GameReview) -> String {
    let mut out = String::from("<ol class=\"moves\">");
    for mv in &review.moves {
        if mv.side == Color::Red || mv.ply == 1 {
            let _ = write!(out, "<li class=\"number\">{}</li>", number(review, mv.ply).trim_end_matches('…'));
            if mv.side == Color::Black {
                out.push_str("<li>…</li>");
            }
        }
        let class = format!("{:?}", mv.judgement).to_lowercase();
        let _ = write!(
            out,
            "<li><a class=\"{class}\" data-ply=\"{}\">{}<i>{}</i></a></li>",
            mv.ply,
            escape(&mv.text),
            mv.judgement.mark()
        );
    }
    out.push_str("</ol>");
    out
}

/// What the script needs: every board as text, and of every move its points, expectation and better line.
fn data(review: &GameReview) -> String {
    let boards: Vec<String> =
        review.positions.iter().map(|setup| setup.to_board_fen().split(' ').next().unwrap_or_default().to_string()).collect();
    let moves: Vec<_> = review
        .moves
        .iter()
        .map(|mv| {
            serde_json::json!([
                mv.mv,
                format!("{} {}{}", number(review, mv.ply), mv.text, mv.judgement.mark()),
                mv.red_expectation,
                mv.better_move,
                mv.better.join(" "),
            ])
        })
        .collect();
    // A closing tag inside the text would end the script element.
    serde_json::json!({ "start": review.start_expectation, "boards": boards, "moves": moves }).to_string().replace("</", "<\\/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::System;
    use crate::records::Record;
    use crate::rules::Rules;

    #[test]
    fn texts_of_a_record_cannot_break_the_page() {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Red", "<script>alert(1)</script>");
        record.set_tag("Event", "a \"quoted\" & <b>");
        let id = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.add(id, Move::from_uci("h9g7").unwrap()).unwrap();
        let review = GameReview::new(1, &record, &[], System::Chinese, &Rules::default(), None).unwrap();
        let mut page = Page::new(PieceStyle::Characters);
        page.add_game(&review);
        let html = page.finish();
        assert!(!html.contains("<script>alert") && html.contains("&lt;script&gt;"));
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("http://") && !html.contains("https://"), "nothing may be fetched");
    }

    #[test]
    fn one_is_not_written_as_many() {
        let words = [(0, "blunder"), (1, "blunder"), (2, "blunder"), (1, "inaccuracy"), (3, "inaccuracy")];
        assert_eq!(
            words.map(|(count, word)| noun(count, word)),
            ["blunders", "blunder", "blunders", "inaccuracy", "inaccuracies"]
        );
    }

    #[test]
    fn black_to_move_is_numbered_so() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b").unwrap());
        record.add(record.root(), Move::from_uci("d9d8").unwrap()).unwrap();
        let review = GameReview::new(1, &record, &[], System::Uci, &Rules::default(), None).unwrap();
        assert_eq!(number(&review, 1), "1…");
        assert!(moves(&review).contains("<li class=\"number\">1</li><li>…</li>"));
    }
}
