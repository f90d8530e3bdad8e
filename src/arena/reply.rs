//! Lenient parsing of engine answers.

use crate::protocol::Dialect;
use crate::search::Score;

/// What engines write after `bestmove` if they have no move.
const NO_MOVE: [&str; 3] = ["(none)", "null", "0000"];

/// The decision of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// To play this move, given in the engine's own coordinates and not validated.
    Plays(String),
    /// To resign, in UCCI's words.
    Resigns,
    /// An answer without a move, as given. It counts as resignation, but may be an error of the engine: it is not asked without a legal move.
    NoMove(&'static str),
}

/// An engine's answer with the last values that it reported while thinking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The decision.
    pub answer: Answer,
    /// UCCI: whether it offers or accepts a draw.
    pub draw: bool,
    /// Last score, from its own view.
    pub score: Option<Score>,
    /// Last depth.
    pub depth: Option<u32>,
}

/// Collects the values of info lines until the answer.
#[derive(Clone, Default, Debug)]
pub struct Listener {
    score: Option<Score>,
    depth: Option<u32>,
}

impl Listener {
    /// Parses a line; returns the reply if the line is the answer.
    pub fn take(&mut self, line: &str, protocol: Dialect) -> Option<Reply> {
        let mut words = line.split_ascii_whitespace();
        let answer = match words.next()? {
            "info" => {
                self.info(words, protocol);
                return None;
            }
            "nobestmove" => Answer::NoMove("nobestmove"),
            "bestmove" => {
                let text = words.next().unwrap_or("");
                match NO_MOVE.into_iter().find(|&none| none == text) {
                    Some(none) => Answer::NoMove(none),
                    // `bestmove` without a move yields an empty text, which is not a legal move.
                    None => Answer::Plays(text.chars().take(20).collect()),
                }
            }
            _ => return None,
        };
        let last = words.last();
        let resigns = protocol == Dialect::Ucci && last == Some("resign");
        Some(Reply {
            answer: if resigns { Answer::Resigns } else { answer },
            draw: protocol == Dialect::Ucci && last == Some("draw"),
            score: self.score,
            depth: self.depth,
        })
    }

    fn info<'a>(&mut self, mut words: impl Iterator<Item = &'a str>, protocol: Dialect) {
        let mut seen = self.clone();
        while let Some(word) = words.next() {
            match word {
                "string" | "message" | "pv" => break,
                "depth" => seen.depth = words.next().and_then(|text| text.parse().ok()).or(seen.depth),
                // Only the best line is used, and no bounds.
                "multipv" if words.next() != Some("1") => return,
                "lowerbound" | "upperbound" => seen.score = self.score,
                "score" => seen.score = read_score(&mut words, protocol).or(seen.score),
                _ => {}
            }
        }
        *self = seen;
    }
}

fn read_score<'a>(words: &mut impl Iterator<Item = &'a str>, protocol: Dialect) -> Option<Score> {
    match words.next()? {
        "cp" => Some(Score::Centipawns(words.next()?.parse().ok()?)),
        "mate" => Some(Score::Mate(words.next()?.parse().ok()?)),
        number if protocol == Dialect::Ucci => crate::protocol::score_from_ucci(number.parse().ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let reply = |line: &str, protocol| Listener::default().take(line, protocol).map(|reply| (reply.answer, reply.draw));
        let mv = Answer::Plays("h2e2".into());
        assert_eq!(reply("bestmove h2e2 ponder h9g7 draw", Dialect::Ucci), Some((mv.clone(), true)));
        assert_eq!(reply("bestmove h2e2", Dialect::Uci), Some((mv, false)));
        assert_eq!(reply("bestmove h2e2 resign", Dialect::Ucci), Some((Answer::Resigns, false)));
        assert_eq!(reply("bestmove (none)", Dialect::Uci), Some((Answer::NoMove("(none)"), false)));
        assert_eq!(reply("bestmove 0000", Dialect::Uci), Some((Answer::NoMove("0000"), false)));
        assert_eq!(reply("bestmove null resign", Dialect::Ucci), Some((Answer::Resigns, false)));
        assert_eq!(reply("bestmove", Dialect::Uci), Some((Answer::Plays(String::new()), false)));
        assert_eq!(reply("nobestmove", Dialect::Ucci), Some((Answer::NoMove("nobestmove"), false)));
        assert_eq!(reply("bestmove xx", Dialect::Uci), Some((Answer::Plays("xx".into()), false)));
        assert_eq!(reply("readyok", Dialect::Uci), None);
        assert_eq!(reply("", Dialect::Uci), None);
    }

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut listener = Listener::default();
        for line in [
            "info depth 3 seldepth 4 multipv 1 score cp 31 nodes 500 nps 1 pv h2e2",
            "info depth 4 multipv 1 score cp 99 lowerbound nodes 600 pv h2e2",
            "info depth 4 multipv 2 score cp -700 nodes 700 pv h2e2",
            "info string score cp 5 depth 99",
        ] {
            assert_eq!(listener.take(line, Dialect::Uci), None);
        }
        let reply = listener.take("bestmove h2e2", Dialect::Uci).unwrap();
        assert_eq!((reply.score, reply.depth), (Some(Score::Centipawns(31)), Some(4)));
        let mut listener = Listener::default();
        listener.take("info depth 8 score 9997 pv h2e2", Dialect::Ucci);
        assert_eq!(listener.take("bestmove h2e2", Dialect::Ucci).unwrap().score, Some(Score::Mate(2)));
    }
}
