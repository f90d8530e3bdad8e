//! One self-contained page for reviewed games: nothing is fetched from elsewhere. Without scripts it still reads: language, unit of
//! scores and signs on the pieces are chosen by style rules alone; scripts only let the reader play through the games.

mod game;
mod moves;

use super::diagram::{ArrowKind, Diagram, PieceStyle, shapes};
use super::json::Origin;
use super::result::PositionResult;
use super::review::GameReview;
use super::view::{ScoreUnit, View, percent, red_view};
use crate::records::Setup;
use crate::rules::Language;
use crate::types::Color;
use maud::{Markup, PreEscaped, Render, html};

/// Most positions of a list that a page shows with a diagram each.
pub const MAX_LISTED_POSITIONS: usize = 200;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page as it grows.
pub struct Page {
    view: View,
    body: String,
    index: String,
    positions: usize,
    games: usize,
}

/// A text in both languages, of which the page shows the one that is chosen.
fn both(english: impl Render, chinese: impl Render) -> Markup {
    html! { span.en lang="en" { (english) } span.zh lang="zh-Hans" { (chinese) } }
}

/// A score in both units, of which the page shows the one that is chosen.
fn units(pawns: impl Render, expectation: impl Render) -> Markup {
    html! { span.cp { (pawns) } span.ev { (expectation) } }
}

/// A score of a result from Red's view.
fn score(result: &PositionResult) -> Markup {
    units(super::view::red_score(result), percent(result.red_expectation()))
}

/// One of several choices; the first group of them is shown by style rules alone.
fn choice(group: &str, id: &str, chosen: bool, label: impl Render) -> Markup {
    html! { input type="radio" name=(group) id=(id) checked[chosen]; label for=(id) { (label) } }
}

impl Page {
    /// An empty page that is first shown in this way.
    pub fn new(view: View) -> Page {
        Page { view, body: String::new(), index: String::new(), positions: 0, games: 0 }
    }

    /// Adds a reviewed game.
    pub fn add_game(&mut self, review: &GameReview) {
        self.games += 1;
        self.index.push_str(&game::index_row(review, self.games).into_string());
        self.body.push_str(&game::article(review, &self.view, self.games).into_string());
    }

    /// Adds a single position; beyond [`MAX_LISTED_POSITIONS`] it is only counted.
    pub fn add_position(&mut self, origin: &Origin, result: &PositionResult) {
        self.positions += 1;
        if self.positions > MAX_LISTED_POSITIONS {
            return;
        }
        let Ok(setup) = Setup::from_fen(&result.fen) else { return };
        let mut diagram = Diagram::new(&setup);
        diagram.arrows.extend(result.best.map(|mv| (mv, ArrowKind::Better)));
        let side = result.board.side_to_move();
        let section = html! {
            section.moment {
                (diagram.svg_in_page())
                div {
                    h2 { (both(format!("Position {}", self.positions), format!("局面{}", self.positions)))
                        @for name in origin.id.iter().chain(&origin.title) { " · " (name) } }
                    p.soft { (origin.to_string()) }
                    p.fen { (result.fen) }
                    @for line in &result.lines {
                        p.line { b { (line_score(line, side)) } " " (self.view.notation.write_line(&result.board, &line.pv).join(" ")) }
                    }
                    @if result.lines.is_empty() { p { (both("No legal move.", "无子可动。")) } }
                }
            }
        };
        self.body.push_str(&section.into_string());
    }

    /// The finished page.
    pub fn finish(self) -> String {
        let left_out = self.positions.saturating_sub(MAX_LISTED_POSITIONS);
        let lang = if self.view.language == Language::English { "en" } else { "zh-Hans" };
        let page = html! {
            (PreEscaped("<!doctype html>"))
            html lang=(lang) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width,initial-scale=1";
                    title { "chuhe: " @if lang == "en" { "game report" } @else { "对局分析" } }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    svg.shapes aria-hidden="true" { defs { (shapes()) } }
                    header {
                        h1 { span lang="zh" { "楚河" } " " small { (both("game report", "对局分析")) } }
                        (self.choices())
                    }
                    main {
                        @if self.games > 1 { (self.contents()) }
                        (PreEscaped(&self.body))
                        @if left_out > 0 {
                            p { (both(format!("{left_out} more positions are not shown."), format!("另有{left_out}个局面未列出。"))) }
                        }
                    }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string() + "\n"
    }

    fn choices(&self) -> Markup {
        let View { language, unit, style, .. } = self.view;
        html! {
            form.choices {
                fieldset { legend { (both("Language", "语言")) }
                    (choice("language", "lang-en", language == Language::English, "English"))
                    (choice("language", "lang-zh", language == Language::Chinese, "中文"))
                }
                fieldset { legend { (both("Scores", "分数")) }
                    (choice("unit", "unit-cp", unit == ScoreUnit::Centipawns, both("pawns", "兵值")))
                    (choice("unit", "unit-ev", unit == ScoreUnit::Expectation, both("expected score", "期望得分")))
                }
                fieldset { legend { (both("Pieces", "棋子")) }
                    (choice("pieces", "pieces-characters", style == PieceStyle::Characters, "帥"))
                    (choice("pieces", "pieces-simplified", style == PieceStyle::Simplified, "帅"))
                    (choice("pieces", "pieces-letters", style == PieceStyle::Letters, "K"))
                }
            }
        }
    }

    fn contents(&self) -> Markup {
        html! {
            nav.index {
                h2 { (both(format!("{} games", self.games), format!("共{}局", self.games))) }
                div.wide {
                    table {
                        thead { tr {
                            th scope="col" { "#" }
                            th scope="col" { (both("Game", "对局")) }
                            th scope="col" { (both("Result", "结果")) }
                            th scope="col" { (both("Red", "红方准确率")) }
                            th scope="col" { (both("Black", "黑方准确率")) }
                            th scope="col" { (both("Blunders", "漏着")) }
                            th scope="col" { (both("From", "来源")) }
                        } }
                        tbody { (PreEscaped(&self.index)) }
                    }
                }
                p.soft { (both("Red and Black: accuracy in percent.", "准确率以百分比计。")) }
            }
        }
    }
}

/// The score of one of several lines from Red's view.
fn line_score(line: &super::result::Line, side: Color) -> Markup {
    let own = line.wdl[0] as f64 / 10.0 + line.wdl[1] as f64 / 20.0;
    units(red_view(line.score, side), percent(if side == Color::Red { own } else { 100.0 - own }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Notation, System};
    use crate::records::Record;
    use crate::report::review::tests::{blunder, result};
    use crate::rules::Rules;
    use crate::types::Move;

    fn page(reviews: &[GameReview], view: View) -> String {
        let mut page = Page::new(view);
        reviews.iter().for_each(|review| page.add_game(review));
        page.finish()
    }

    /// A review without results of a record.
    fn review(record: Record) -> GameReview {
        GameReview::new("a.pgn", 1, record, Vec::new(), &Rules::default(), None).unwrap()
    }

    #[test]
    fn texts_of_a_record_cannot_break_the_page() {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Red", "<script>alert(1)</script>");
        record.set_tag("Event", "a \"quoted\" & <b>");
        let id = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.append_comment(id, "</script><script>alert(2)</script>");
        record.add(id, Move::from_uci("h9g7").unwrap()).unwrap();
        let html = page(&[review(record)], View::default());
        assert!(!html.contains("<script>alert") && html.contains("&lt;script&gt;"));
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("http://") && !html.contains("https://"), "nothing may be fetched");
    }

    #[test]
    fn comments_and_variations_are_shown_in_the_chosen_notation() {
        let mut record = Record::new(Setup::standard());
        let mv = |text| Move::from_uci(text).unwrap();
        let first = record.add(record.root(), mv("h2e2")).unwrap();
        record.add(first, mv("h9g7")).unwrap();
        let other = record.add(first, mv("b9c7")).unwrap();
        let deep = record.add(other, mv("h0g2")).unwrap();
        record.add(other, mv("b0c2")).unwrap();
        record.append_comment(first, "the usual move");
        record.append_comment(deep, "deep & quiet");
        let view = View { notation: Notation::new(System::Wxr), ..View::default() };
        let html = page(&[review(record)], view);
        for part in ["the usual move", "deep &amp; quiet", ">C2=5", ">1… H2+3", ">2. H2+3", ">2. H8+7"] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        assert!(!html.contains("炮二平五"));
    }

    #[test]
    fn a_page_opens_with_the_choices_of_the_view() {
        let view =
            View { language: Language::Chinese, unit: ScoreUnit::Expectation, style: PieceStyle::Letters, ..View::default() };
        let html = page(&[blunder()], view);
        for id in ["lang-zh", "unit-ev", "pieces-letters"] {
            assert!(html.contains(&format!("id=\"{id}\" checked")), "{id}");
        }
        assert_eq!(html.matches(" checked").count(), 3 + STYLE.matches(" checked").count());
        assert!(html.contains("<html lang=\"zh-Hans\">"));
    }

    #[test]
    fn many_games_have_an_index_with_result_and_accuracy() {
        let html = page(&[blunder(), blunder()], View::default());
        let index = html.split("<nav").nth(1).and_then(|rest| rest.split("</nav>").next()).unwrap();
        assert_eq!(index.matches("href=\"#g").count(), 2);
        assert!(index.contains("100.0") && index.contains("6.3") && index.contains("a.pgn"), "{index}");
        assert!(!page(&[blunder()], View::default()).contains("<nav"));
    }

    #[test]
    fn black_to_move_is_numbered_so() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b").unwrap());
        record.add(record.root(), Move::from_uci("d9d8").unwrap()).unwrap();
        let review = review(record);
        assert_eq!(review.number(1), "1…");
        assert!(page(&[review], View::default()).contains("<li class=\"number\">1</li><li>…</li>"));
    }

    #[test]
    fn positions_are_listed_in_the_chosen_notation() {
        let start = crate::board::Position::startpos();
        let mut page = Page::new(View { notation: Notation::new(System::Wxr), ..View::default() });
        let origin = Origin { file: "a.epd".into(), line: Some(2), id: Some("<one>".into()), ..Origin::default() };
        page.add_position(&origin, &result(start.board(), [300, 400, 300], 12, "h2e2"));
        let html = page.finish();
        assert!(html.contains("C2=5") && html.contains("a.epd: line 2") && html.contains("&lt;one&gt;"));
    }
}
