//! What a page can switch between: languages, units of scores, and notations. The notations are letters for English, characters for
//! Chinese, and the requested one if it is neither.
//!
//! Lines in several notations would dominate the size of a page with many games. If the Chinese text of a line can be derived from the
//! letters, which fails only for some moves of pieces on the same file, the page contains only the letters and its script derives the
//! characters.

use crate::board::Board;
use crate::notation::{Notation, System};
use crate::report::result::PositionResult;
use crate::report::view::{View, percent, red_score};
use crate::types::{Color, Move};
use maud::{Markup, PreEscaped, Render, html};
use serde::Serialize;

/// A text in both languages; the page shows the selected one.
pub fn both(english: impl Render, chinese: impl Render) -> Markup {
    html! { (tagged("en", english)) (tagged("zh lang=zh-Hans", chinese)) }
}

/// A score in both units; the page shows the selected one.
pub fn units(pawns: impl Render, expectation: impl Render) -> Markup {
    html! { (tagged("cp", pawns)) (tagged("ev", expectation)) }
}

/// A text with a class, optionally followed by other attributes, in as few bytes as possible: a page of many games has a hundred thousand of
/// these.
fn tagged(class: &str, text: impl Render) -> Markup {
    html! { (PreEscaped(format!("<b class={class}>"))) (text) (PreEscaped("</b>")) }
}

/// The score of a result from Red's view.
pub fn score(result: &PositionResult) -> Markup {
    units(red_score(result), percent(result.red_expectation()))
}

/// Separator between the notations of a line in the page data; it does not occur in any notation.
const SEPARATOR: char = '|';

/// Piece letters, in the order of the characters in [`Characters`].
const LETTERS: &str = "KAEHRCP";

/// The characters that the script needs to write moves in Chinese.
#[derive(Serialize)]
pub struct Characters {
    letters: &'static str,
    red: &'static str,
    black: &'static str,
    /// Forward, backward, sideways.
    ways: &'static str,
    /// Front and rear.
    places: &'static str,
}

const SIMPLIFIED: Characters =
    Characters {
        letters: LETTERS, red: "帅仕相马车炮兵", black: "将士象马车炮卒", ways: "进退平", places: "前后"
    };
const TRADITIONAL: Characters =
    Characters {
        letters: LETTERS, red: "帥仕相馬車炮兵", black: "將士象馬車砲卒", ways: "進退平", places: "前後"
    };

/// The notations of a page.
pub struct Forms {
    /// Letters, characters, and optionally a third.
    all: Vec<Notation>,
    /// Index of the notation shown at first.
    pub shown: usize,
}

impl Forms {
    /// The notations for a view.
    pub fn of(view: &View) -> Forms {
        let asked = view.notation.clone();
        let mut all = vec![Notation::new(System::Wxr), Notation::new(System::ChineseSimplified)];
        let shown = match asked.system {
            System::Wxr | System::Wxf | System::Tandem => 0,
            System::Chinese | System::ChineseSimplified => 1,
            _ => {
                all.push(asked.clone());
                2
            }
        };
        all[shown] = asked;
        Forms { all, shown }
    }

    /// The names of the choices, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().map(|notation| match notation.system {
            System::Wxr | System::Wxf => "WXF",
            System::Chinese | System::ChineseSimplified => "中文",
            other => other.id(),
        })
    }

    /// A move in all notations; the page shows the selected one.
    pub fn mv(&self, board: &Board, mv: Move) -> Markup {
        self.each(|notation| notation.write(board, mv))
    }

    /// A line of moves in all notations.
    pub fn line(&self, board: &Board, pv: &[Move]) -> Markup {
        self.each(|notation| notation.write_line(board, pv).join(" "))
    }

    fn each(&self, write: impl Fn(&Notation) -> String) -> Markup {
        html! { @for (number, notation) in self.all.iter().enumerate() { (tagged(&format!("n{number}"), write(notation))) } }
    }

    /// The characters for the script.
    pub fn characters(&self) -> &'static Characters {
        if self.all[1].system == System::Chinese { &TRADITIONAL } else { &SIMPLIFIED }
    }

    /// A line for the script, separated by [`SEPARATOR`]: the letters, the characters unless they can be derived, the third notation if any.
    pub fn packed(&self, board: &Board, pv: &[Move]) -> String {
        let texts: Vec<Vec<String>> = self.all.iter().map(|notation| notation.write_line(board, pv)).collect();
        let mut side = board.side_to_move();
        let follows = texts[0].iter().zip(&texts[1]).all(|(letters, characters)| {
            let mover = side;
            side = !side;
            self.characters().written(letters, mover).is_some_and(|written| written == *characters)
        });
        let mut packed = texts[0].join(" ");
        if !follows || texts.len() > 2 {
            packed.push(SEPARATOR);
        }
        if !follows {
            packed += &texts[1].join(" ");
        }
        if let Some(third) = texts.get(2) {
            packed.push(SEPARATOR);
            packed += &third.join(" ");
        }
        packed
    }
}

impl Characters {
    /// Converts a move from letters to characters, such as `C2=5` to 炮二平五; `written` in page.js must do the same.
    fn written(&self, letters: &str, side: Color) -> Option<String> {
        let red = side == Color::Red;
        let signs: Vec<char> = letters.chars().collect();
        let &[first, second, way, goal] = signs.as_slice() else { return None };
        let of = |table: &str, at: usize| table.chars().nth(at);
        let piece = |letter: char| of(if red { self.red } else { self.black }, LETTERS.find(letter)?);
        let digit = |sign: char| {
            let number = sign.to_digit(10).filter(|number| (1..=9).contains(number))? as usize - 1;
            of(if red { "一二三四五六七八九" } else { "１２３４５６７８９" }, number)
        };
        let (head, tail) = match "+-".find(first) {
            Some(place) => (of(self.places, place)?, piece(second)?),
            None => (piece(first)?, digit(second)?),
        };
        Some([head, tail, of(self.ways, "+-=".find(way)?)?, digit(goal)?].into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn moves(texts: &[&str]) -> Vec<Move> {
        texts.iter().map(|text| Move::from_uci(text).unwrap()).collect()
    }

    #[test]
    fn characters_are_derived_from_letters() {
        let pv = moves(&["h2e2", "h9g7", "h0g2", "i9h9"]);
        for system in [System::Wxr, System::Chinese, System::ChineseSimplified] {
            let forms = Forms::of(&View { notation: Notation::new(system), ..View::default() });
            assert_eq!(forms.packed(Position::startpos().board(), &pv), "C2=5 H8+7 H2+3 R9=8", "{system:?}");
        }
        assert_eq!(SIMPLIFIED.written("+R-1", Color::Black).as_deref(), Some("前车退１"));
        for odd in ["C2.5", "C+=5", "24=5", "X2=5", "C0=5", "C2=55", ""] {
            assert_eq!(SIMPLIFIED.written(odd, Color::Red), None, "{odd}");
        }
    }

    #[test]
    fn characters_that_cannot_be_derived_are_written() {
        // Five pawns on two files are numbered.
        let board = Board::from_fen("3k5/9/9/2P1P4/2P1P4/4P4/9/9/9/5K3 w - - 0 1").unwrap();
        let pv = moves(&["e6d6"]);
        let forms = Forms::of(&View { notation: Notation::new(System::Uci), ..View::default() });
        let packed = forms.packed(&board, &pv);
        let texts: Vec<&str> = packed.split('|').collect();
        let written = [System::Wxr, System::ChineseSimplified].map(|system| Notation::new(system).write(&board, pv[0]));
        assert_eq!(texts, [written[0].as_str(), written[1].as_str(), "e6d6"]);
        assert_eq!((forms.shown, forms.names().collect::<Vec<_>>()), (2, vec!["WXF", "中文", "uci"]));
        assert!(forms.mv(&board, pv[0]).into_string().ends_with("<b class=n2>e6d6</b>"));
    }
}
