//! One game on a page.

use super::forms::{Forms, both, units};
use super::index::accuracy;
use super::moves;
use crate::notation::Notation;
use crate::report::diagram::{ArrowKind, Diagram, Edges, view_box};
use crate::report::review::{GameReview, Judgement, MoveReview};
use crate::report::view::{percent, verdict};
use crate::rules::{Cause, Language};
use crate::types::{Color, counted, sort_by};
use maud::{Markup, html};
use std::fmt::Write;

/// Maximum number of key moments shown per game.
const MAX_MOMENTS: usize = 3;
/// Moves shown of a better line.
const SHOWN_MOVES: usize = 9;

/// The article of a game.
pub fn article(review: &GameReview, notation: &Notation, forms: &Forms, number: usize) -> Markup {
    // The standard start position is left to the script; any other is included so that it is printed too.
    let is_standard = review.setup(0).is_standard();
    html! {
        article.game id={ "g" (number) } {
            h2 { (review.title()) }
            (facts(review, notation))
            div.play {
                div.left {
                    div.viewer.standard[is_standard] {
                        @if is_standard { svg.diagram viewBox=(view_box()) {} } @else { (Diagram::new(review.setup(0)).svg_in_page()) }
                    }
                    div.controls hidden {
                        (control("first", "|◀", "First position", "起始局面"))
                        (control("back", "◀", "Back", "后退"))
                        span.at {}
                        (control("next", "▶", "Forward", "前进"))
                        (control("last", "▶|", "Last position", "最后局面"))
                        (control("flip", "⇅", "Turn the board", "翻转棋盘"))
                    }
                    div.note aria-live="polite" hidden {
                        p { (both("Red’s view: ", "红方视角：")) b.score {} }
                        p.best { (both("Best: ", "最佳：")) span.line {} }
                        p.comment {}
                    }
                }
                div.right { (cards(review)) (graph(review)) (moves::list(review, forms)) }
            }
            (moments(review, forms))
            (moves::best_lines())
            (moves::data(review, forms))
        }
    }
}

fn control(name: &str, sign: &str, english: &str, chinese: &str) -> Markup {
    html! {
        button type="button" data-go=(name) { span aria-hidden="true" { (sign) } span.unseen { (both(english, chinese)) } }
    }
}

fn facts(review: &GameReview, notation: &Notation) -> Markup {
    let record = &review.record;
    let ruling = &review.ruling;
    let rounds = review.plies().div_ceil(2);
    html! {
        p.soft {
            @for name in ["Event", "Site", "Date"] { @if let Some(value) = record.tag(name) { (value) " · " } }
            @if let Some(round) = record.tag("Round") { (both("Round ", "轮次 ")) (round) " · " }
            @if let Some(opening) = &review.opening {
                (both(opening.text(Language::English), opening.text(Language::Chinese))) " · "
            }
            (both(counted(rounds, "move"), format!("{rounds}回合"))) " · "
            (both("result ", "结果 ")) (record.result.token()) " · "
            (review.file) ", " (review.game)
        }
        @if ruling.cause != Cause::Ongoing {
            p.soft {
                @for language in Language::ALL {
                    @let (class, lang, [word, stop, semicolon]) = match language {
                        Language::English => ("en", "en", ["Rules: ", ". ", "; "]),
                        Language::Chinese => ("zh", "zh-Hans", ["规则：", "。", "；"]),
                    };
                    span class=(class) lang=(lang) { (word) (verdict(ruling.verdict, language)) (stop) (review.reasons(notation, language).join(semicolon)) }
                }
            }
        }
        @for (english, chinese) in record.warnings().iter().zip(record.warnings_in(Language::Chinese)) {
            p.warning { (both(english, chinese)) }
        }
    }
}

fn cards(review: &GameReview) -> Markup {
    let card = |side: Color, class: &str, names: (&str, &str), value: Option<f64>| {
        let count = |judgement: Judgement| {
            let count = review.count(side, judgement);
            both(counted(count, judgement.name()), format!("{}{count}次", judgement.chinese()))
        };
        html! {
            div class={ "card " (class) } {
                h3 { (both(names.0, names.1)) " " (review.record.player(side).unwrap_or_default()) }
                p { b.big { (accuracy(value)) @if value.is_some() { "%" } } " " (both("accuracy", "准确率")) }
                p { (count(Judgement::Blunder)) " · " (count(Judgement::Mistake)) " · " (count(Judgement::Inaccuracy)) }
            }
        }
    };
    html! {
        div.cards {
            (card(Color::Red, "red", ("Red", "红方"), review.accuracy.red))
            (card(Color::Black, "black", ("Black", "黑方"), review.accuracy.black))
        }
    }
}

/// The worst moves, each with a diagram of the move played and the better one.
fn moments(review: &GameReview, forms: &Forms) -> Markup {
    let mut worst: Vec<&MoveReview> = review.moves.iter().filter(|mv| mv.judgement >= Judgement::Mistake).collect();
    sort_by(&mut worst, |a, b| b.loss.total_cmp(&a.loss).then(a.ply.cmp(&b.ply)));
    worst.truncate(MAX_MOMENTS);
    sort_by(&mut worst, |a, b| a.ply.cmp(&b.ply));
    html! {
        @if !worst.is_empty() {
            h3 { (both("Key moments", "关键局面")) }
            p.soft {
                span.played { "┅▶ " (both("played", "实战")) } " " span.better { "━▶ " (both("better", "更好")) }
            }
            div.moments { @for mv in worst { (moment(review, mv, forms)) } }
        }
    }
}

fn moment(review: &GameReview, mv: &MoveReview, forms: &Forms) -> Markup {
    let mut diagram = Diagram { edges: Edges::None, ..Diagram::new(review.setup(mv.ply - 1)) };
    diagram.arrows.push((mv.mv, ArrowKind::Played));
    let better = review.better(mv);
    diagram.arrows.extend(better.and_then(|line| line.pv.first()).map(|&best| (best, ArrowKind::Better)));
    let line = better.map(|line| &line.pv[..line.pv.len().min(SHOWN_MOVES)]).unwrap_or_default();
    let loss = format!("{:.0}", mv.loss);
    let points = mv.loss_cp.map_or("–".to_string(), |loss| format!("{:.2}", loss as f64 / 100.0));
    html! {
        section.moment {
            (diagram.svg_in_page())
            div {
                h4 { (review.number(mv.ply)) " " (forms.mv(&mv.board, mv.mv)) (mv.judgement.mark()) " "
                    span.judgement { (both(mv.judgement.name(), mv.judgement.chinese())) } }
                p { (both("loses ", "损失")) (units(both(format!("{points} pawns"), format!("{points}兵")),
                    both(format!("{loss} {} of expected score", if loss == "1" { "point" } else { "points" }), format!("{loss}%期望得分")))) }
                @if let Some(giveaway) = &mv.giveaway {
                    @let number = review.number(mv.ply);
                    p.line { (both(giveaway.text(&number, Language::English), giveaway.text(&number, Language::Chinese)))
                        (both(" (endgame tables, proof: ", "（残局库，证明：")) (forms.line(&mv.board, &giveaway.proof)) (both(")", "）")) }
                }
                @if !line.is_empty() { p.line { (both("Better: ", "应走：")) (forms.line(&mv.board, line)) } }
                button.jump type="button" data-node=(mv.ply) hidden { (both("Show on the board", "在棋盘上显示")) }
            }
        }
    }
}

const GRAPH_WIDTH: f64 = 600.0;
const GRAPH_HEIGHT: f64 = 170.0;

/// Red's expected score over the game.
fn graph(review: &GameReview) -> Markup {
    let count = review.plies().max(1) as f64;
    let at = |ply: usize| (ply as f64 / count * GRAPH_WIDTH, (100.0 - review.red_expectation(ply)) / 100.0 * GRAPH_HEIGHT);
    let mut points = String::new();
    for ply in 0..=review.plies() {
        let (x, y) = at(ply);
        let _ = write!(points, "{x:.0},{y:.0} ");
    }
    let points = points.trim_end();
    html! {
        figure.graph {
            svg viewBox={ "-2 -6 " (GRAPH_WIDTH + 4.0) " " (GRAPH_HEIGHT + 12.0) } aria-hidden="true" {
                rect.sky width=(GRAPH_WIDTH) height=(GRAPH_HEIGHT) {}
                polygon points={ "0," (GRAPH_HEIGHT) " " (points) " " (GRAPH_WIDTH) "," (GRAPH_HEIGHT) } {}
                path.middle d={ "M0 " (GRAPH_HEIGHT / 2.0) "H" (GRAPH_WIDTH) } {}
                polyline points=(points) {}
                @for mv in review.moves.iter().filter(|mv| mv.judgement >= Judgement::Mistake) {
                    @let (x, y) = at(mv.ply);
                    @let class = if mv.side() == Color::Red { "red" } else { "black" };
                    // Blunders are squares and mistakes are discs, so that they differ in shape as well as size.
                    @if mv.judgement == Judgement::Blunder {
                        rect class=(class) x=(format!("{:.1}", x - 5.0)) y=(format!("{:.1}", y - 5.0)) width="10" height="10" {}
                    } @else {
                        circle class=(class) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" {}
                    }
                }
                path.cursor d={ "M0 0V" (GRAPH_HEIGHT) } {}
            }
            figcaption { (both("Red’s expected score: ", "红方期望得分：")) (percent(review.red_expectation(0))) " → "
                (percent(review.red_expectation(review.plies())))
                (both(". ■ blunder, ● mistake", "。■ 漏着，● 失误")) }
        }
    }
}
