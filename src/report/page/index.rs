//! The start of a page with several games: totals of the players, and a table of the games.

use super::forms::both;
use crate::report::review::{GameReview, Judgement};
use crate::report::totals::{Player, Total, Totals};
use crate::types::{Color, counted};
use maud::{Markup, html};

/// Table data of one side of a game.
struct Side {
    name: Option<String>,
    accuracy: Option<f64>,
    errors: [usize; 3],
}

/// A row of the table of games.
struct Row {
    title: String,
    /// Event, round, date, opening and file.
    about: Vec<String>,
    result: &'static str,
    sides: [Side; 2],
}

/// The index under construction.
#[derive(Default)]
pub struct Index {
    rows: Vec<Row>,
    /// The totals shown above the table.
    pub totals: Totals,
}

/// Formats an accuracy in percent with one decimal.
pub fn accuracy(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.1}"))
}

impl Index {
    /// Adds a game.
    pub fn add(&mut self, review: &GameReview) {
        let side = |side: Color| Side {
            name: review.record.player(side),
            accuracy: if side == Color::Red { review.accuracy.red } else { review.accuracy.black },
            errors: Judgement::ERRORS.map(|kind| review.count(side, kind)),
        };
        let tags = ["Event", "Round", "Date"].into_iter().filter_map(|name| review.record.tag(name));
        let mut about: Vec<String> = tags.map(str::to_string).collect();
        about.extend(review.opening.as_ref().map(ToString::to_string));
        about.push(format!("{} ({})", review.file, review.game));
        self.totals.add(review);
        self.rows.push(Row { title: review.title(), about, result: review.record.result.token(), sides: Color::ALL.map(side) });
    }

    /// Number of games so far.
    pub fn games(&self) -> usize {
        self.rows.len()
    }

    /// Renders both tables.
    pub fn markup(&self) -> Markup {
        let named = self.totals.named();
        let nameless: Vec<&Total> = self.totals.nameless().collect();
        let games = self.rows.len();
        html! {
            nav.index {
                p.filter hidden {
                    label { (both("Show only ", "只显示 ")) input type="search" autocomplete="off"; }
                    " " span.matches aria-live="polite" {}
                }
                @if !named.is_empty() {
                    h2 { (both("Players", "棋手")) }
                    (players(&named))
                }
                @if !nameless.is_empty() {
                    details {
                        summary { (both(format!("Players without a name ({})", nameless.len()), format!("无名棋手（{}）", nameless.len()))) }
                        (players(&nameless))
                    }
                }
                p.soft { (both("Totals cover all games. Loss: mean expected score lost per move, in percentage points, excluding moves of the \
                    opening book. ?? blunders, ? mistakes, ?! inaccuracies.",
                    "合计包括全部对局。损失：平均每着损失的期望得分（百分点），开局库着法不计。??为漏着，?为失误，?!为缓着。")) }
                h2 { (both(counted(games, "game"), format!("共{games}局"))) }
                table.games {
                    thead { tr {
                        th scope="col" { (both("Game", "对局")) }
                        th scope="col" { (both("Result", "结果")) }
                        th scope="col" { (both("Red", "红方")) }
                        th scope="col" { (both("Black", "黑方")) }
                    } }
                    tbody { @for (at, row) in self.rows.iter().enumerate() { (row.markup(at + 1)) } }
                }
                p.soft { (both("Red and Black: accuracy in percent; blunders, mistakes and inaccuracies.",
                    "红方与黑方：准确率（%）；漏着、失误、缓着次数。")) }
            }
        }
    }
}

impl Row {
    fn markup(&self, number: usize) -> Markup {
        let names: Vec<&str> = self.sides.iter().filter_map(|side| side.name.as_deref()).collect();
        html! {
            tr data-players=[(!names.is_empty()).then(|| names.join("\n"))] {
                td { a href={ "#g" (number) } { (number) ". " (self.title) } span.soft { (self.about.join(" · ")) } }
                td { (self.result) }
                @for side in &self.sides {
                    td { (accuracy(side.accuracy)) span.soft { (side.errors.map(|count| count.to_string()).join(" ")) } }
                }
            }
        }
    }
}

fn players(totals: &[&Total]) -> Markup {
    html! {
        table.players {
            thead { tr {
                th scope="col" { (both("Player", "棋手")) }
                th scope="col" { (both("Games", "局数")) }
                th scope="col" { (both("Score", "得分")) }
                th scope="col" { (both("Loss", "损失")) }
                @for kind in Judgement::ERRORS {
                    th scope="col" { span aria-hidden="true" { (kind.mark()) } span.unseen { (both(kind.name(), kind.chinese())) } }
                }
            } }
            tbody { @for total in totals { tr {
                td { @match &total.player {
                    Player::Named(name) => { button.name { (name) } }
                    Player::Nameless { game, file, number, side } => {
                        (game) ", " @match side { Color::Red => (both("Red", "红方")), Color::Black => (both("Black", "黑方")) }
                        span.soft { (file) " (" (number) ")" }
                    }
                } }
                td { (total.games) }
                td { (total.score()) }
                td { (total.loss().map_or("–".into(), |loss| format!("{loss:.1}"))) }
                @for count in total.errors { td { (count) } }
            } } }
        }
    }
}
