//! Display settings, and the words and number formats shared by all output formats.

use super::diagram::PieceStyle;
use super::result::PositionResult;
use crate::notation::{Notation, System};
use crate::records::RecordResult;
use crate::rules::{GameResult, Language, Verdict};
use crate::search::Score;
use crate::types::Color;

/// The unit of scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreUnit {
    /// Pawns with two decimals, such as `+0.31`.
    #[default]
    Centipawns,
    /// Red's expected score in percent.
    Expectation,
}

xiangqi::named_values! { ScoreUnit, "unit": Centipawns "cp", Expectation "expectation" }

/// Display settings.
#[derive(Clone, Debug)]
pub struct View {
    /// The notation of all moves; a page also contains letters and characters and shows this one first.
    pub notation: Notation,
    /// The language of all words; a page contains both and shows this one first.
    pub language: Language,
    /// The unit of scores; a page contains both and shows this one first.
    pub unit: ScoreUnit,
    /// Symbols on the pieces; a page contains every style and shows this one first.
    pub style: PieceStyle,
    /// The command-line options for the search limit, such as `--nodes 100000`, shown so that a reader can repeat the analysis; may be empty.
    pub limit: String,
}

impl View {
    /// The default notation for a language: letters for English, characters for Chinese.
    pub fn usual_notation(language: Language) -> System {
        match language {
            Language::English => System::Wxr,
            Language::Chinese => System::ChineseSimplified,
        }
    }
}

impl Default for View {
    fn default() -> View {
        View {
            notation: Notation::new(View::usual_notation(Language::English)),
            language: Language::English,
            unit: ScoreUnit::default(),
            style: PieceStyle::default(),
            limit: String::new(),
        }
    }
}

/// A score from Red's view in pawns, such as `+0.31` or `-M3` for a mate in three by Black; if the rules end the game, its result such as
/// `1-0`.
pub(super) fn red_score(result: &PositionResult) -> String {
    match result.ended {
        Some(ended) => RecordResult::from(ended).token().into(),
        None => red_view(result.score(), result.board.side_to_move()),
    }
}

/// As [`red_score`], for a score from the view of `side`.
pub(super) fn red_view(score: Score, side: Color) -> String {
    let sign = if side == Color::Red { 1 } else { -1 };
    match score {
        // The side to move is mated.
        Score::Mate(0) => if side == Color::Red { "-M0" } else { "+M0" }.into(),
        Score::Mate(moves) => format!("{}M{}", if moves * sign > 0 { '+' } else { '-' }, moves.abs()),
        Score::Centipawns(score) => format!("{:+.2}", (score * sign) as f64 / 100.0),
    }
}

/// Red's expected score in whole percent, such as `52%`.
pub(super) fn percent(expectation: f64) -> String {
    format!("{expectation:.0}%")
}

/// The verdict of the rules in words: `Red loses`, `draw`, …
pub(super) fn verdict(verdict: Verdict, language: Language) -> &'static str {
    let (english, chinese) = match verdict {
        Verdict::Final(GameResult::Loses(Color::Red)) => ("Red loses", "红方负"),
        Verdict::Final(GameResult::Loses(Color::Black)) => ("Black loses", "黑方负"),
        Verdict::Final(GameResult::Draw) => ("draw", "和棋"),
        Verdict::None | Verdict::Provisional(_) => ("undecided", "未分胜负"),
    };
    if language == Language::English { english } else { chinese }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_shown_from_reds_view() {
        assert_eq!(red_view(Score::Centipawns(31), Color::Red), "+0.31");
        assert_eq!(red_view(Score::Centipawns(31), Color::Black), "-0.31");
        assert_eq!([3, -3].map(|moves| red_view(Score::Mate(moves), Color::Black)), ["-M3", "+M3"]);
        assert_eq!(red_view(Score::Mate(0), Color::Red), "-M0");
    }
}
