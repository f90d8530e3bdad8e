//! Readable text for a terminal.

use super::json::Origin;
use super::result::PositionResult;
use super::review::{GameReview, Judgement};
use super::table::{NUMBERS, Table, plain};
use super::totals::{Player, Totals};
use super::view::{ScoreUnit, View, percent, red_score, red_view, verdict};
use crate::rules::{Language, Verdict};
use crate::types::{Color, counted};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Moves shown of a line; later ones are too speculative.
const SHOWN_MOVES: usize = 9;

/// Pads a text with spaces to a width in terminal columns; Chinese characters take two.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

impl View {
    fn word(&self, english: &'static str, chinese: &'static str) -> &'static str {
        if self.language == Language::English { english } else { chinese }
    }

    fn score(&self, result: &PositionResult) -> String {
        match self.unit {
            ScoreUnit::Centipawns => red_score(result),
            ScoreUnit::Expectation => percent(result.red_expectation()),
        }
    }

    /// Writes the review of a game: one line per move, then accuracy, blunders with the better line, and the verdict.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_game(&self, review: &GameReview, out: &mut dyn Write) -> io::Result<()> {
        self.write_head(review, out)?;
        let texts: Vec<String> = review.moves.iter().map(|mv| self.notation.write(&mv.board, mv.mv)).collect();
        let width = texts.iter().map(|text| text.width()).max().unwrap_or(0);
        for (mv, text) in review.moves.iter().zip(&texts) {
            let number = if mv.side() == Color::Red || mv.ply == 1 { review.number(mv.ply) } else { String::new() };
            let score = review.result(mv.ply).map_or("–".into(), |result| self.score(result));
            let judgement = match mv.judgement {
                Judgement::Good | Judgement::Unjudged => String::new(),
                Judgement::Book => format!("  {}", self.word("book", "谱着")),
                named => format!("  {:<2} {}", named.mark(), self.word(named.name(), named.chinese())),
            };
            writeln!(out, "{number:>5} {} {score:>7}{judgement}", padded(text, width))?;
        }
        self.write_judgement(review, out)
    }

    fn write_head(&self, review: &GameReview, out: &mut dyn Write) -> io::Result<()> {
        let file = if review.file == "-" { self.word("standard input", "标准输入") } else { &review.file };
        match self.language {
            Language::English => writeln!(out, "{}, game {}", plain(file), review.game)?,
            Language::Chinese => writeln!(out, "{}，第{}局", plain(file), review.game)?,
        }
        writeln!(out, "{}  {}", plain(&review.title()), review.record.result.token())?;
        let tags = ["Event", "Site", "Date", "Round"].into_iter().filter_map(|name| review.record.tag(name));
        let tags: Vec<String> = tags.map(plain).collect();
        if !tags.is_empty() {
            writeln!(out, "{}", tags.join(", "))?;
        }
        if let Some(opening) = &review.opening {
            writeln!(out, "{} {}", self.word("Opening:", "开局："), plain(&opening.text(self.language)))?;
        }
        for warning in review.record.warnings_in(self.language) {
            writeln!(out, "{} {}", self.word("Warning:", "警告："), plain(&warning))?;
        }
        let unit = match self.unit {
            ScoreUnit::Centipawns => self.word("Scores: pawns, from Red's view", "分数：以兵为单位，红方视角"),
            ScoreUnit::Expectation => self.word("Scores: Red's expected score", "分数：红方期望得分"),
        };
        writeln!(out, "{unit}")
    }

    fn write_judgement(&self, review: &GameReview, out: &mut dyn Write) -> io::Result<()> {
        for (side, name, accuracy) in [
            (Color::Red, self.word("Red", "红方"), review.accuracy.red),
            (Color::Black, self.word("Black", "黑方"), review.accuracy.black),
        ] {
            let Some(accuracy) = accuracy else { continue };
            let counts = Judgement::ERRORS.map(|judgement| {
                let count = review.count(side, judgement);
                match self.language {
                    Language::English => counted(count, judgement.name()),
                    Language::Chinese => format!("{}{count}次", judgement.chinese()),
                }
            });
            match self.language {
                Language::English => writeln!(out, "{name}: accuracy {accuracy:.1}%, {}", counts.join(", "))?,
                Language::Chinese => writeln!(out, "{name}：准确率{accuracy:.1}%，{}", counts.join("，"))?,
            }
        }
        for mv in review.blunders() {
            let Some(better) = review.better(mv) else { continue };
            let line = self.notation.write_line(&mv.board, &better.pv[..better.pv.len().min(SHOWN_MOVES)]);
            let played = self.notation.write(&mv.board, mv.mv);
            writeln!(
                out,
                "{} {played}{}  {} {}",
                review.number(mv.ply),
                mv.judgement.mark(),
                self.word("better:", "应走："),
                line.join(" ")
            )?;
        }
        for mv in &review.moves {
            let Some(giveaway) = &mv.giveaway else { continue };
            let [text, proof] = self.giveaway_lines(&review.number(mv.ply), &mv.board, giveaway);
            let played = self.notation.write(&mv.board, mv.mv);
            writeln!(out, "{} {played}{}  {text}\n      {proof}", review.number(mv.ply), mv.judgement.mark())?;
        }
        let reasons = review.reasons(&self.notation, self.language);
        writeln!(out, "{} {}", self.word("Rules:", "规则："), verdict(review.ruling.verdict, self.language))?;
        for reason in reasons {
            writeln!(out, "  {reason}")?;
        }
        writeln!(out)
    }

    /// Writes the summary after all games: totals of the named players (nameless ones have one game each and are omitted), and the
    /// reliability of the marks.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_totals(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        let named = totals.named();
        if !named.is_empty() {
            let heads = [("Player", "棋手"), (" games", " 局数"), (" score", " 得分"), (" loss", " 损失")];
            let heads = heads.map(|(english, chinese)| self.word(english, chinese).to_string());
            let marks = Judgement::ERRORS.map(|kind| format!("{NUMBERS}{}", kind.mark()));
            let mut table = Table::new(heads.into_iter().chain(marks));
            for total in named {
                let (Player::Named(name) | Player::Nameless { game: name, .. }) = &total.player;
                let loss = total.loss().map_or("–".into(), |loss| format!("{loss:.1}"));
                let cells = vec![name.clone(), total.games.to_string(), total.score(), loss];
                table.row(cells.into_iter().chain(total.errors.map(|count| count.to_string())).collect());
            }
            write!(out, "{table}")?;
        }
        match totals.effort.text(&self.limit, self.language) {
            Some(text) => writeln!(out, "{text}"),
            None => Ok(()),
        }
    }

    /// Writes the result of a position: its origin, and its lines with scores.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_position(&self, origin: &Origin, result: &PositionResult, out: &mut dyn Write) -> io::Result<()> {
        let name = origin.id.iter().chain(&origin.title).next().map(|name| format!(" ({})", plain(name))).unwrap_or_default();
        writeln!(out, "{}{name}", plain(&origin.text(self.language)))?;
        writeln!(out, "{}", result.fen)?;
        match result.ended {
            Some(ended) => writeln!(out, "  {:>7}  {}", self.score(result), verdict(Verdict::Final(ended), self.language))?,
            None if result.lines.is_empty() => writeln!(out, "  {}", self.word("no legal move", "无子可动"))?,
            None => {}
        }
        for line in &result.lines {
            let side = result.board.side_to_move();
            let score = match self.unit {
                ScoreUnit::Centipawns => red_view(line.score, side),
                ScoreUnit::Expectation => {
                    let own = line.wdl[0] as f64 / 10.0 + line.wdl[1] as f64 / 20.0;
                    percent(if side == Color::Red { own } else { 100.0 - own })
                }
            };
            let moves = self.notation.write_line(&result.board, &line.pv);
            writeln!(out, "  {score:>7}  {}", moves.join(" "))?;
        }
        writeln!(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Notation, System};
    use crate::report::review::tests::blunder;

    #[test]
    fn a_game_has_one_line_per_move() {
        let mut out = Vec::new();
        let view = View { notation: Notation::new(System::Wxr), ..View::default() };
        view.write_game(&blunder(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines[0], "a.pgn, game 1");
        assert!(lines.contains(&"   1. C8=5   +0.10"), "{text}");
        assert!(lines.contains(&"      C8+7   +4.00  ?? blunder"), "{text}");
        assert!(lines.contains(&"Black: accuracy 6.3%, 1 blunder, 0 mistakes, 0 inaccuracies"), "{text}");
        assert!(lines.contains(&"1… C8+7??  better: H8+7"), "{text}");
        assert!(lines.contains(&"Rules: undecided"), "{text}");
    }

    #[test]
    fn the_other_unit_and_language() {
        let mut out = Vec::new();
        let notation = Notation::new(View::usual_notation(Language::Chinese));
        let view = View { notation, unit: ScoreUnit::Expectation, language: Language::Chinese, ..View::default() };
        view.write_game(&blunder(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("炮８进７     90%  ?? 漏着") && text.contains("黑方：准确率6.3%，漏着1次"), "{text}");
    }
}
