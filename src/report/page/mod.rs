//! A self-contained HTML page of reviewed games that fetches nothing. It is readable without scripts: language, notation, score unit and
//! piece symbols are selected by CSS alone. Scripts are needed to play through the games and to filter them.

mod forms;
mod game;
mod index;
mod moves;

use super::diagram::{ArrowKind, Diagram, PieceStyle, shapes};
use super::json::Origin;
use super::result::PositionResult;
use super::review::GameReview;
use super::view::{ScoreUnit, View, percent, red_view, verdict};
use crate::records::Setup;
use crate::rules::{Language, Verdict};
use crate::types::{Color, counted};
use forms::{Forms, both, units};
use index::Index;
use maud::{Markup, PreEscaped, Render, html};

/// Maximum number of positions of a list that a page shows, each with a diagram.
const MAX_LISTED_POSITIONS: usize = 200;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page under construction.
pub struct Page {
    view: View,
    forms: Forms,
    body: String,
    index: Index,
    positions: usize,
}

/// A radio button with its label; CSS reacts to its state.
fn choice(group: &str, id: &str, chosen: bool, label: impl Render) -> Markup {
    html! { input type="radio" name=(group) id=(id) checked[chosen]; label for=(id) { (label) } }
}

impl Page {
    /// Creates an empty page with these initial settings.
    pub fn new(view: View) -> Page {
        let forms = Forms::of(&view);
        Page { view, forms, body: String::new(), index: Index::default(), positions: 0 }
    }

    /// Whether nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.positions == 0 && self.index.games() == 0
    }

    /// Adds a reviewed game.
    pub fn add_game(&mut self, review: &GameReview) {
        self.index.add(review);
        self.body.push_str(&game::article(review, &self.view.notation, &self.forms, self.index.games()).into_string());
    }

    /// Adds a single position; beyond the most that a page shows it is only counted.
    pub fn add_position(&mut self, origin: &Origin, result: &PositionResult) {
        self.positions += 1;
        self.index.totals.effort.add(result);
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
                    p.soft { (both(origin.text(Language::English), origin.text(Language::Chinese))) }
                    p.fen { (result.fen) }
                    @for line in &result.lines {
                        p.line { b { (line_score(line, side)) } " " (self.forms.line(&result.board, &line.pv)) }
                    }
                    @match result.ended {
                        Some(ended) => {
                            @let [english, chinese] =
                                [Language::English, Language::Chinese].map(|language| verdict(Verdict::Final(ended), language));
                            p { (both(format!("Rules: {english}."), format!("规则：{chinese}。"))) }
                        }
                        None => { @if result.lines.is_empty() { p { (both("No legal move.", "无子可动。")) } } }
                    }
                }
            }
        };
        self.body.push_str(&section.into_string());
    }

    /// Renders the page.
    pub fn finish(self) -> String {
        let omitted = self.positions.saturating_sub(MAX_LISTED_POSITIONS);
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
                        (self.origin())
                    }
                    main {
                        @if self.index.games() > 1 { (self.index.markup()) }
                        (PreEscaped(&self.body))
                        @if omitted > 0 {
                            p { (both(format!("Not shown: {}.", counted(omitted, "more position")), format!("另有{omitted}个局面未列出。"))) }
                        }
                    }
                    (moves::characters(self.forms.characters()))
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
                fieldset { legend { (both("Notation", "记谱法")) }
                    @for (number, name) in self.forms.names().enumerate() {
                        (choice("notation", &format!("n{number}"), number == self.forms.shown, name))
                    }
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

    /// The program version, the search effort and the reliability of the marks.
    fn origin(&self) -> Markup {
        let made = concat!("chuhe ", env!("CARGO_PKG_VERSION"));
        let text = |language| self.index.totals.effort.text(&self.view.limit, language).unwrap_or_default();
        html! { p.soft.origin { (made) ". " (both(text(Language::English), text(Language::Chinese))) } }
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

    /// A review of a record without search results.
    fn review(record: Record) -> GameReview {
        GameReview::new("a.pgn", 1, record, Vec::new(), &Rules::default(), None).unwrap()
    }

    #[test]
    fn a_position_that_the_rules_end_shows_their_result() {
        let bare = crate::board::Position::from_fen("3k5/9/9/9/9/9/9/9/9/5K3 w").unwrap();
        let mut page = Page::new(View::default());
        page.add_position(&Origin::default(), &PositionResult::of_rules(&bare, &Rules::default()).unwrap());
        let html = page.finish();
        assert!(html.contains("Rules: draw.") && !html.contains("No legal move"));
    }

    #[test]
    fn texts_of_a_record_are_escaped() {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Red", "<script>alert(1)</script>");
        record.set_tag("Event", "a \"quoted\" & <b>");
        let id = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.append_comment(id, "</script><script>alert(2)</script>");
        record.add(id, Move::from_uci("h9g7").unwrap()).unwrap();
        let html = page(&[review(record)], View::default());
        assert!(!html.contains("<script>alert") && html.contains("&lt;script&gt;"));
        assert_eq!(html.matches("</script>").count(), 3);
        assert!(!html.contains("http://") && !html.contains("https://"), "nothing may be fetched");
    }

    #[test]
    fn comments_and_variations_are_shown_in_every_notation() {
        let mut record = Record::new(Setup::standard());
        let mv = |text| Move::from_uci(text).unwrap();
        let first = record.add(record.root(), mv("h2e2")).unwrap();
        record.add(first, mv("h9g7")).unwrap();
        let other = record.add(first, mv("b9c7")).unwrap();
        let deep = record.add(other, mv("h0g2")).unwrap();
        record.add(other, mv("b0c2")).unwrap();
        record.append_comment(first, "the usual move");
        record.append_comment(deep, "deep & quiet");
        let moves = |html: &str, system: &str| -> Vec<String> {
            html.split(&format!("<b class={system}>")).skip(1).map(|part| part.split('<').next().unwrap().into()).collect()
        };
        let html = page(&[review(record.clone())], View::default());
        assert!(html.contains("the usual move") && html.contains("deep &amp; quiet") && html.contains(">1… <b class=n0>H2+3"));
        assert_eq!(moves(&html, "n0"), ["C2=5", "H8+7", "H2+3", "H2+3", "H8+7"]);
        assert_eq!(moves(&html, "n1"), ["炮二平五", "马８进７", "马２进３", "马二进三", "马八进七"]);
        assert!(html.contains("id=\"n0\" checked") && !html.contains("class=n2"));
        let html = page(&[review(record)], View { notation: Notation::new(System::Uci), ..View::default() });
        assert_eq!(moves(&html, "n2"), ["h2e2", "h9g7", "b9c7", "h0g2", "b0c2"]);
        assert!(html.contains("id=\"n2\" checked"));
    }

    #[test]
    fn marks_and_scores_of_an_earlier_review_are_not_shown() {
        let mut record = Record::new(Setup::standard());
        let node = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.set_glyphs(node, &[4]);
        record.set_comment(node, "[%eval -3.10] as usual");
        let html = page(&[review(record.clone())], View::default());
        assert!(html.contains("as usual") && !html.contains("%eval") && !html.contains("</b>??"), "{html}");
        // Those of the record are.
        record.set_comment(node, "as usual");
        assert!(page(&[review(record)], View::default()).contains("</b>??"));
    }

    #[test]
    fn a_page_starts_with_the_settings_of_the_view() {
        let view =
            View { language: Language::Chinese, unit: ScoreUnit::Expectation, style: PieceStyle::Letters, ..View::default() };
        let html = page(&[blunder()], view);
        for id in ["lang-zh", "unit-ev", "pieces-letters"] {
            assert!(html.contains(&format!("id=\"{id}\" checked")), "{id}");
        }
        let of_rules = [STYLE, SCRIPT].map(|text| text.matches(" checked").count()).iter().sum::<usize>();
        assert_eq!(html.matches(" checked").count(), 4 + of_rules);
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
    fn a_game_that_starts_with_black_is_numbered_correctly() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b").unwrap());
        record.add(record.root(), Move::from_uci("d9d8").unwrap()).unwrap();
        let review = review(record);
        assert_eq!(review.number(1), "1…");
        assert!(page(&[review], View::default()).contains("<li><span>1</span><b>…</b>"));
    }

    #[test]
    fn moves_are_numbered_from_the_number_of_the_start_position() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 41").unwrap());
        let first = record.add(record.root(), Move::from_uci("d9d8").unwrap()).unwrap();
        record.add(first, Move::from_uci("e1e5").unwrap()).unwrap();
        let review = review(record);
        assert_eq!((review.number(1), review.number(2)), ("41…".into(), "42.".into()));
        let html = page(&[review], View::default());
        assert!(html.contains("<li><span>41</span><b>…</b>") && html.contains("\"first\":41"), "{html}");
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
