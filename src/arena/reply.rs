//! The answers of engines, read leniently.

use crate::protocol::Dialect;
use crate::search::Score;

/// What an engine wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// To play this; in the engine's own squares, perhaps no move at all.
    Plays(String),
    /// To resign, or it sees no move.
    Resigns,
}

/// An engine's answer with what it reported while thinking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What it wants.
    pub answer: Answer,
    /// UCCI: it offers or accepts a draw.
    pub draw: bool,
    /// Its last score from its own view.
    pub score: Option<Score>,
    /// Its last depth.
    pub depth: Option<u32>,
    /// Its last node count.
    pub nodes: Option<u64>,
}

/// Collects info lines until the answer comes.
#[derive(Clone, Default, Debug)]
pub struct Listener {
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Listener {
    /// Takes a line; returns the reply when this was the last one.
    pub fn hear(&mut self, line: &str, protocol: Dialect) -> Option<Reply> {
        let mut words = line.split_ascii_whitespace();
        let answer = match words.next()? {
            "info" => {
                self.info(words, protocol);
                return None;
            }
            "nobestmove" => Answer::Resigns,
            "bestmove" => match words.next().unwrap_or("") {
                "(none)" | "null" | "0000" => Answer::Resigns,
                // Without a word an engine says nothing at all: no legal move.
                text => Answer::Plays(text.chars().take(20).collect()),
            },
            _ => return None,
        };
        let last = words.last();
        let resigns = protocol == Dialect::Ucci && last == Some("resign");
        Some(Reply {
            answer: if resigns { Answer::Resigns } else { answer },
            draw: protocol == Dialect::Ucci && last == Some("draw"),
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
        })
    }

    fn info<'a>(&mut self, mut words: impl Iterator<Item = &'a str>, protocol: Dialect) {
        let mut seen = self.clone();
        while let Some(word) = words.next() {
            match word {
                "string" | "message" | "pv" => break,
                "depth" => seen.depth = words.next().and_then(|text| text.parse().ok()).or(seen.depth),
                "nodes" => seen.nodes = words.next().and_then(|text| text.parse().ok()).or(seen.nodes),
                // Only the best line counts, and no bounds.
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
        let hear = |line: &str, protocol| Listener::default().hear(line, protocol).map(|reply| (reply.answer, reply.draw));
        let mv = Answer::Plays("h2e2".into());
        assert_eq!(hear("bestmove h2e2 ponder h9g7 draw", Dialect::Ucci), Some((mv.clone(), true)));
        assert_eq!(hear("bestmove h2e2", Dialect::Uci), Some((mv, false)));
        assert_eq!(hear("bestmove h2e2 resign", Dialect::Ucci), Some((Answer::Resigns, false)));
        assert_eq!(hear("bestmove (none)", Dialect::Uci), Some((Answer::Resigns, false)));
        assert_eq!(hear("bestmove", Dialect::Uci), Some((Answer::Plays(String::new()), false)));
        assert_eq!(hear("nobestmove", Dialect::Ucci), Some((Answer::Resigns, false)));
        assert_eq!(hear("bestmove xx", Dialect::Uci), Some((Answer::Plays("xx".into()), false)));
        assert_eq!(hear("readyok", Dialect::Uci), None);
        assert_eq!(hear("", Dialect::Uci), None);
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
            assert_eq!(listener.hear(line, Dialect::Uci), None);
        }
        let reply = listener.hear("bestmove h2e2", Dialect::Uci).unwrap();
        assert_eq!((reply.score, reply.depth, reply.nodes), (Some(Score::Centipawns(31)), Some(4), Some(600)));
        let mut listener = Listener::default();
        listener.hear("info depth 8 score 9997 pv h2e2", Dialect::Ucci);
        assert_eq!(listener.hear("bestmove h2e2", Dialect::Ucci).unwrap().score, Some(Score::Mate(2)));
    }
}
