//! The `go` command of both dialects, and the limits that it sets for the search.

use super::points::{Ranks, read_moves};
use crate::board::Position;
use crate::search::{Clock, Limits};
use crate::types::Color;
use std::time::{Duration, Instant};

/// Longest time in milliseconds that a client can give, a year; longer times are clamped.
const LONGEST: i64 = 365 * 24 * 3600 * 1000;

/// The `go` command as the client sent it. Numbers are clamped to 64 bits; a malformed number counts as absent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoRequest {
    /// Ponder on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// UCCI: the opponent offers a draw.
    pub draw: bool,
    /// Think until `stop`.
    pub infinite: bool,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Moves to mate.
    pub mate: Option<i64>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// UCI: milliseconds left, Red and Black.
    pub clocks: [Option<i64>; 2],
    /// UCI: milliseconds added after each move, Red and Black.
    pub increments: [Option<i64>; 2],
    /// UCCI: time left, in the session's unit.
    pub time: Option<i64>,
    /// UCCI: time added after each move, in the session's unit.
    pub increment: Option<i64>,
    /// Moves to the next time control, both dialects.
    pub moves_to_go: Option<i64>,
    /// Count moves to this depth instead of searching.
    pub perft: Option<i64>,
    /// Only these root moves, as the client wrote them.
    pub search_moves: Vec<String>,
}

/// Every word that starts a clause of `go`; `searchmoves` takes all words up to the next clause.
const CLAUSES: [&str; 19] = [
    "ponder",
    "draw",
    "infinite",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "time",
    "increment",
    "opptime",
    "oppmovestogo",
    "oppincrement",
    "perft",
    "searchmoves",
];

impl GoRequest {
    /// Parses the words after `go`. Clauses come in any order; unknown words are skipped.
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> GoRequest {
        let mut words = words.peekable();
        let mut request = GoRequest::default();
        let mut ignored = None;
        while let Some(word) = words.next() {
            let target = match word {
                "ponder" => {
                    request.ponder = true;
                    continue;
                }
                "draw" => {
                    request.draw = true;
                    continue;
                }
                "infinite" => {
                    request.infinite = true;
                    continue;
                }
                "searchmoves" => {
                    while let Some(word) = words.next_if(|word| !CLAUSES.contains(word)) {
                        request.search_moves.push(word.to_string());
                    }
                    continue;
                }
                "depth" => &mut request.depth,
                "nodes" => &mut request.nodes,
                "mate" => &mut request.mate,
                "movetime" => &mut request.movetime,
                "wtime" => &mut request.clocks[0],
                "btime" => &mut request.clocks[1],
                "winc" => &mut request.increments[0],
                "binc" => &mut request.increments[1],
                "time" => &mut request.time,
                "increment" => &mut request.increment,
                "movestogo" => &mut request.moves_to_go,
                "perft" => &mut request.perft,
                // The opponent's clock is not used.
                "opptime" | "oppmovestogo" | "oppincrement" => &mut ignored,
                _ => continue,
            };
            // A clause without its number must not consume the next clause.
            if let Some(number) = words.next_if(|word| !CLAUSES.contains(word)) {
                *target = read_number(number).or(*target);
            }
        }
        request
    }

    /// The limits of the search in this position, with a clock that starts at `start`. `unit` is the number of milliseconds in
    /// one unit of UCCI's times; `ranks` is how moves are read that can be read in two ways.
    pub fn limits(&self, position: &Position, start: Instant, unit: i64, ranks: Ranks) -> Limits {
        let mut limits = Limits::none();
        limits.start = start;
        limits.depth = self.depth.map(|depth| depth.clamp(1, 10_000) as i32);
        limits.nodes = self.nodes.map(|nodes| nodes.max(1) as u64);
        limits.mate = self.mate.filter(|&mate| mate > 0).map(|mate| mate.min(10_000) as u32);
        limits.movetime = self.movetime.map(duration);
        limits.clock = self.clock(position.side_to_move(), unit);
        limits.search_moves = read_moves(position, &self.search_moves, ranks);
        limits.wait_for_stop = self.waits_for_stop();
        limits
    }

    /// Whether the search goes on until `stop` or `ponderhit`.
    pub fn waits_for_stop(&self) -> bool {
        self.perft.is_none() && (self.ponder || self.infinite || !self.is_limited())
    }

    /// Whether a `ponderhit` gives the search its other limits.
    pub fn is_pondering(&self) -> bool {
        self.ponder && !self.infinite
    }

    /// Whether only a mate ends the search, which may not exist.
    pub fn is_for_mate_alone(&self) -> bool {
        let other = [self.depth, self.nodes, self.movetime, self.time, self.clocks[0], self.clocks[1]];
        self.mate.is_some() && other.iter().all(Option::is_none)
    }

    fn is_limited(&self) -> bool {
        let numbers = [self.depth, self.nodes, self.movetime, self.time, self.clocks[0], self.clocks[1]];
        numbers.iter().any(Option::is_some) || self.mate.is_some_and(|mate| mate > 0)
    }

    fn clock(&self, side: Color, unit: i64) -> Option<Clock> {
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(1000) as u32);
        if let Some(time) = self.time {
            // Without any hint UCCI's time is for this one move.
            let one_move = moves_to_go.is_none() && self.increment.is_none();
            return Some(Clock {
                remaining: duration(time.saturating_mul(unit)),
                increment: duration(self.increment.unwrap_or(0).saturating_mul(unit)),
                moves_to_go: if one_move { Some(1) } else { moves_to_go },
            });
        }
        let (own, other) = (side.index(), 1 - side.index());
        // A client that sends only the other side's clock still does not want an endless search.
        let remaining = self.clocks[own].or(self.clocks[other])?;
        Some(Clock { remaining: duration(remaining), increment: duration(self.increments[own].unwrap_or(0)), moves_to_go })
    }
}

fn duration(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.clamp(0, LONGEST) as u64)
}

/// A whole number with an optional sign, clamped to 64 bits; none when the text is something else.
pub fn read_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::input::words;
    use crate::types::Move;

    fn parse(text: &str) -> GoRequest {
        GoRequest::parse(words(text))
    }

    fn limits(text: &str) -> Limits {
        parse(text).limits(&Position::startpos(), Instant::now(), 1, Ranks::FromZero)
    }

    fn clock(text: &str) -> (u128, u128, Option<u32>) {
        let clock = limits(text).clock.expect("a clock");
        (clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go)
    }

    #[test]
    fn clauses_come_in_any_order_and_only_as_whole_words() {
        assert_eq!(clock("time 10000 opptime 9000 oppincrement 7 increment 5"), (10000, 5, None));
        assert_eq!(clock("btime 5000 wtime 4000"), (4000, 0, None));
        assert_eq!(clock("wtime 1 btime 2 winc 3 binc 4 movestogo 5"), (1, 3, Some(5)));
        assert_eq!(clock("time 100"), (100, 0, Some(1)));
        assert_eq!(clock("time 100 movestogo 3"), (100, 0, Some(3)));
        assert_eq!(clock("time 100 increment 0"), (100, 0, None));
        assert_eq!(clock("btime 700"), (700, 0, None));
    }

    #[test]
    fn seconds() {
        let request = parse("time 3 increment 1 opptime 5");
        let clock = request.limits(&Position::startpos(), Instant::now(), 1000, Ranks::FromZero).clock.unwrap();
        assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis()), (3000, 1000));
    }

    #[test]
    fn bad_numbers_count_as_absent() {
        for text in ["", "depth", "depth x", "nodes 1e5", "depth infinite", "wtime", "mate 0", "mate -3", "time abc"] {
            assert!(limits(text).wait_for_stop, "{text}");
        }
        let both = parse("depth nodes 500");
        assert_eq!((both.depth, both.nodes), (None, Some(500)));
        assert_eq!(parse("depth 5 depth x").depth, Some(5));
    }

    #[test]
    fn numbers_are_clamped() {
        assert_eq!(clock("time -5 increment 0"), (0, 0, None));
        assert_eq!(clock("wtime 99999999999999999999999").0, LONGEST as u128);
        assert_eq!(limits("depth 99999999999999").depth, Some(10_000));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("movetime -1").movetime, Some(Duration::ZERO));
        assert_eq!(read_number("-99999999999999999999"), Some(-i64::MAX));
        let seconds = parse("time 9223372036854775807").limits(&Position::startpos(), Instant::now(), 1000, Ranks::FromZero);
        assert_eq!(seconds.clock.unwrap().remaining.as_millis(), LONGEST as u128);
    }

    #[test]
    fn searchmoves_takes_what_follows_up_to_the_next_clause() {
        let limits = limits("searchmoves h2e2 H0G2 a0a9 rubbish b0c2 depth 3");
        let moves: Vec<String> = limits.search_moves.iter().map(Move::to_string).collect();
        assert_eq!(moves, ["h2e2", "h0g2", "b0c2"]);
        assert_eq!(limits.depth, Some(3));
        let words = self::limits("searchmoves C2=5 馬二進三 depth 3").search_moves;
        assert_eq!(words.iter().map(Move::to_string).collect::<Vec<_>>(), ["h2e2", "h0g2"]);
    }

    #[test]
    fn waiting() {
        assert!(limits("ponder wtime 1000 btime 1000").wait_for_stop);
        assert!(limits("infinite depth 3").wait_for_stop);
        assert!(limits("draw").wait_for_stop);
        assert!(!limits("draw time 1000").wait_for_stop);
        assert!(!limits("nodes 216").wait_for_stop);
    }
}
