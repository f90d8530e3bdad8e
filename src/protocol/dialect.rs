//! The two protocols and their differences: client commands, info lines, answers and scores, and additional lines with the moves in a
//! notation chosen by the user.

use super::stdio::MAX_LINE;
use crate::board::Board;
use crate::notation::{self, System};
use crate::records::{TextEncoding, encode};
use crate::search::{Bound, Info, Outcome, Score};
use crate::types::{Move, Square};
use std::fmt::Write as _;

/// The two protocols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// UCI in the form of Pikafish and its clients.
    Uci,
    /// UCCI 3.0.
    Ucci,
}

// A name is also the client's first command; clients try the protocols in this order.
xiangqi::named_values! { Dialect, "protocol": Uci "uci", Ucci "ucci" }

impl Dialect {
    /// The engine's reply that ends the handshake.
    pub const fn acknowledgement(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Ucci => "ucciok",
        }
    }

    /// The client's command that starts a new game.
    pub const fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Ucci => "setoption newgame",
        }
    }

    /// The client's command that sets an option; an empty value presses a button or clears a string.
    ///
    /// ```
    /// use chuhe::protocol::Dialect;
    /// assert_eq!(Dialect::Uci.set_option("Clear Hash", ""), "setoption name Clear Hash");
    /// assert_eq!(Dialect::Ucci.set_option("hashsize", "64"), "setoption hashsize 64");
    /// ```
    pub fn set_option(self, name: &str, value: &str) -> String {
        match self {
            Dialect::Uci if value.is_empty() => format!("setoption name {name}"),
            Dialect::Uci => format!("setoption name {name} value {value}"),
            Dialect::Ucci => format!("setoption {name} {value}").trim_end().to_string(),
        }
    }

    /// A line with human-readable text: `info string` in UCI, `info message` in UCCI.
    pub fn message(self, text: &str) -> String {
        match self {
            Dialect::Uci => format!("info string {text}"),
            Dialect::Ucci => format!("info message {text}"),
        }
    }
}

/// The rank numbering of coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ranks {
    /// From 0 to 9: `h2e2`.
    #[default]
    FromZero,
    /// From 1 to 10: `h3e3`.
    FromOne,
}

impl Ranks {
    /// Formats a move.
    pub fn write(self, mv: Move) -> String {
        let point = |square: Square| format!("{}{}", (b'a' + square.file()) as char, square.rank() + self as u8);
        point(mv.from()) + &point(mv.to())
    }

    /// The other numbering.
    pub(super) fn other(self) -> Ranks {
        match self {
            Ranks::FromZero => Ranks::FromOne,
            Ranks::FromOne => Ranks::FromZero,
        }
    }

    /// Coordinates with this numbering.
    pub(super) fn system(self) -> System {
        [System::Uci, System::Uci10][self as usize]
    }

    /// Whether a system is coordinates with the other rank numbering.
    pub(super) fn excludes(self, system: System) -> bool {
        match self {
            Ranks::FromZero => system == System::Uci10,
            Ranks::FromOne => matches!(system, System::Uci | System::Iccs),
        }
    }
}

/// Value of a horse or cannon in centipawns on our scale; in UCCI it is about 100.
const HORSE: i32 = 220;
/// UCCI reports a mate as this number minus the plies to it, the form known to every client.
const UCCI_MATE: i32 = 10_000;
/// Largest UCCI score that is not a mate.
const UCCI_LARGEST: i32 = 9_000;

/// The word at the end of a UCCI answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The game continues.
    Nothing,
    /// A draw is accepted.
    Draw,
    /// The engine resigns.
    Resign,
}

impl Dialect {
    /// An info line. The PV is the last item and is truncated if the line would get too long.
    pub fn line(self, info: &Info, multipv: usize, show_wdl: bool, ranks: Ranks) -> String {
        let milliseconds = info.time.as_millis();
        let rate = (info.nodes as f64 / info.time.as_secs_f64().max(1e-6)) as u64;
        let mut text = format!("info depth {}", info.depth);
        // Writing to a string can't fail.
        let _ = match self {
            Dialect::Uci => write!(text, " seldepth {} multipv {}", info.selective_depth, info.multipv),
            Dialect::Ucci if multipv > 1 => write!(text, " multipv {}", info.multipv),
            Dialect::Ucci => Ok(()),
        };
        let _ = write!(text, " score {}", self.score(info.score));
        match info.bound {
            Bound::Exact => {}
            Bound::Lower => text.push_str(" lowerbound"),
            Bound::Upper => text.push_str(" upperbound"),
        }
        if show_wdl && self == Dialect::Uci {
            let [win, draw, loss] = info.wdl;
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        let _ = match self {
            Dialect::Uci => {
                write!(
                    text,
                    " nodes {} nps {rate} hashfull {} tbhits {} time {milliseconds} pv",
                    info.nodes, info.hashfull, info.tbhits
                )
            }
            Dialect::Ucci => write!(text, " time {milliseconds} nodes {} nps {rate} pv", info.nodes),
        };
        for &mv in &info.pv {
            let word = ranks.write(mv);
            if text.len() + 1 + word.len() > MAX_LINE {
                break;
            }
            text.push(' ');
            text.push_str(&word);
        }
        text
    }

    /// The text after `score`.
    pub fn score(self, score: Score) -> String {
        match (self, score) {
            (Dialect::Uci, Score::Centipawns(value)) => format!("cp {value}"),
            (Dialect::Uci, Score::Mate(moves)) => format!("mate {moves}"),
            (Dialect::Ucci, score) => ucci_score(score).to_string(),
        }
    }

    /// The info line for the current root move.
    pub fn current_move(self, depth: i32, mv: Move, number: usize, ranks: Ranks) -> String {
        let mv = ranks.write(mv);
        match self {
            Dialect::Uci => format!("info depth {depth} currmove {mv} currmovenumber {number}"),
            Dialect::Ucci => format!("info currmove {mv}"),
        }
    }

    /// The answer to `go`. In UCCI the columns are fixed: clients look for the ponder move at a certain position in the line.
    pub fn best(self, outcome: &Outcome, word: Word, ranks: Ranks) -> String {
        let Some(best) = outcome.best else {
            return match self {
                Dialect::Uci => "bestmove (none)".into(),
                Dialect::Ucci => "nobestmove".into(),
            };
        };
        let mut text = format!("bestmove {}", ranks.write(best));
        if let Some(reply) = outcome.ponder {
            let _ = write!(text, " ponder {}", ranks.write(reply));
        }
        if self == Dialect::Ucci {
            text.push_str(match word {
                Word::Nothing => "",
                Word::Draw => " draw",
                Word::Resign => " resign",
            });
        }
        text
    }
}

/// Converts a score to UCCI's plain number.
pub fn ucci_score(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => (value.clamp(-1_000_000, 1_000_000) * 100 / HORSE).clamp(-UCCI_LARGEST, UCCI_LARGEST),
        Score::Mate(moves) if moves > 0 => UCCI_MATE - (2 * moves.min(500) - 1),
        Score::Mate(moves) => 2 * (-moves.max(-500)) - UCCI_MATE,
    }
}

/// Converts UCCI's plain number to a score; `None` if it exceeds an immediate mate.
pub fn score_from_ucci(number: i32) -> Option<Score> {
    let plies = UCCI_MATE.checked_sub(number.checked_abs()?)?;
    match number {
        _ if plies < 0 => None,
        _ if plies >= UCCI_MATE - UCCI_LARGEST => Some(Score::Centipawns((number as i64 * HORSE as i64 / 100) as i32)),
        1.. => Some(Score::Mate((plies + 1) / 2)),
        _ => Some(Score::Mate(-(plies / 2))),
    }
}

/// The format of additional, human-readable moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// The notation; `None` for no such lines.
    pub system: Option<System>,
    /// The character encoding.
    pub encoding: TextEncoding,
}

impl MoveText {
    /// A line of `head` and as many of the moves as fit into `room` bytes; `None` if no notation is set. If the encoding cannot represent
    /// the notation, the line is written in the official notation in Latin letters.
    pub fn line(&self, head: &str, board: &Board, moves: &[Move], room: usize) -> Option<Vec<u8>> {
        let system = self.system?;
        let write = |system| -> Option<Vec<u8>> {
            let mut line = head.as_bytes().to_vec();
            for text in notation::write_line(system, board, moves) {
                let (encoded, lost) = encode(&text, self.encoding);
                if lost > 0 {
                    return None;
                }
                if line.len() + 1 + encoded.len() > room {
                    break;
                }
                line.push(b' ');
                line.extend_from_slice(&encoded);
            }
            Some(line)
        };
        write(system).or_else(|| write(System::Wxr))
    }

    /// A message followed by its Chinese text, which is omitted if the encoding cannot represent it.
    pub fn message(&self, text: &str, chinese: &str) -> Vec<u8> {
        let mut line = text.as_bytes().to_vec();
        let (encoded, lost) = encode(chinese, self.encoding);
        if lost == 0 {
            line.push(b' ');
            line.extend_from_slice(&encoded);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const ZERO: Ranks = Ranks::FromZero;

    #[test]
    fn both_rank_numberings_are_written() {
        let mv = Move::from_uci("a9i0").unwrap();
        assert_eq!([Ranks::FromZero, Ranks::FromOne].map(|ranks| ranks.write(mv)), ["a9i0", "a10i1"]);
    }

    fn info(pv: usize) -> Info {
        Info {
            depth: 12,
            selective_depth: 18,
            multipv: 1,
            score: Score::Centipawns(31),
            bound: Bound::Exact,
            wdl: [210, 700, 90],
            nodes: 91234,
            time: Duration::from_millis(82),
            hashfull: 25,
            tbhits: 0,
            pv: vec![Move::from_uci("h2e2").unwrap(); pv],
        }
    }

    fn outcome(best: Option<&str>, ponder: Option<&str>) -> Outcome {
        let mv = |text: &str| Move::from_uci(text).unwrap();
        Outcome { best: best.map(mv), ponder: ponder.map(mv), score: Score::Centipawns(0), depth: 1, nodes: 1 }
    }

    #[test]
    fn info_lines() {
        assert_eq!(
            Dialect::Uci.line(&info(1), 1, true, ZERO),
            "info depth 12 seldepth 18 multipv 1 score cp 31 wdl 210 700 90 nodes 91234 nps 1112609 hashfull 25 tbhits 0 time 82 pv h2e2"
        );
        assert_eq!(
            Dialect::Ucci.line(&info(2), 1, true, ZERO),
            "info depth 12 score 14 time 82 nodes 91234 nps 1112609 pv h2e2 h2e2"
        );
        let lower = Info { bound: Bound::Lower, score: Score::Mate(3), multipv: 2, ..info(1) };
        assert!(Dialect::Uci.line(&lower, 2, false, ZERO).contains(" multipv 2 score mate 3 lowerbound nodes "));
        assert!(Dialect::Ucci.line(&lower, 2, false, ZERO).starts_with("info depth 12 multipv 2 score 9995 lowerbound time "));
    }

    #[test]
    fn long_lines_are_cut_at_a_move() {
        for dialect in [Dialect::Uci, Dialect::Ucci] {
            let line = dialect.line(&info(500), 1, true, ZERO);
            assert!((900..=MAX_LINE).contains(&line.len()) && line.ends_with(" h2e2"), "{line}");
        }
    }

    #[test]
    fn answers_have_ucci_columns() {
        let line = Dialect::Ucci.best(&outcome(Some("h2e2"), Some("h9g7")), Word::Draw, ZERO);
        assert_eq!(line, "bestmove h2e2 ponder h9g7 draw");
        assert_eq!((line.find("h2e2"), line.find(" ponder "), line.find("h9g7")), (Some(9), Some(13), Some(21)));
        assert_eq!(Dialect::Ucci.best(&outcome(Some("h2e2"), None), Word::Resign, ZERO), "bestmove h2e2 resign");
        assert_eq!(Dialect::Uci.best(&outcome(Some("h2e2"), Some("h9g7")), Word::Draw, ZERO), "bestmove h2e2 ponder h9g7");
        assert_eq!(Dialect::Ucci.best(&outcome(None, None), Word::Draw, ZERO), "nobestmove");
        assert_eq!(Dialect::Uci.best(&outcome(None, None), Word::Nothing, ZERO), "bestmove (none)");
    }

    #[test]
    fn ranks_from_one() {
        let one = Ranks::FromOne;
        assert!(Dialect::Uci.line(&info(2), 1, false, one).ends_with(" pv h3e3 h3e3"));
        assert_eq!(Dialect::Uci.best(&outcome(Some("h2e2"), Some("h9g7")), Word::Nothing, one), "bestmove h3e3 ponder h10g8");
        let tens = Info { pv: vec![Move::from_uci("a9b9").unwrap(); 500], ..info(0) };
        let line = Dialect::Ucci.line(&tens, 1, false, one);
        assert!((900..=MAX_LINE).contains(&line.len()) && line.ends_with(" a10b10"), "{line}");
    }

    #[test]
    fn the_root_move_being_searched() {
        let mv = Move::from_uci("a0a1").unwrap();
        assert_eq!(Dialect::Uci.current_move(20, mv, 7, ZERO), "info depth 20 currmove a0a1 currmovenumber 7");
        assert_eq!(Dialect::Ucci.current_move(20, mv, 7, ZERO), "info currmove a0a1");
    }

    #[test]
    fn ucci_scores() {
        assert_eq!(ucci_score(Score::Centipawns(HORSE)), 100);
        assert_eq!(ucci_score(Score::Centipawns(i32::MIN)), -UCCI_LARGEST);
        assert_eq!(ucci_score(Score::Mate(1)), 9999);
        assert_eq!(ucci_score(Score::Mate(-1)), -9998);
        assert_eq!(ucci_score(Score::Mate(0)), -10_000);
        assert_eq!(ucci_score(Score::Mate(i32::MIN)), 1000 - 10_000);
        for score in
            [Score::Mate(1), Score::Mate(-1), Score::Mate(0), Score::Mate(40), Score::Centipawns(HORSE), Score::Centipawns(0)]
        {
            assert_eq!(score_from_ucci(ucci_score(score)), Some(score));
        }
        for number in [i32::MIN, i32::MAX, 10_001, -30_000] {
            assert_eq!(score_from_ucci(number), None);
        }
    }
}

#[cfg(test)]
mod move_text_tests {
    use super::*;
    use crate::board::Position;

    fn start_line(system: System, encoding: TextEncoding) -> Option<Vec<u8>> {
        let text = MoveText { system: Some(system), encoding };
        text.line("x", Position::startpos().board(), &[Move::from_uci("h0g2").unwrap()], 99)
    }

    #[test]
    fn characters_in_the_encoding_of_the_client() {
        assert_eq!(start_line(System::Chinese, TextEncoding::Utf8), Some("x 馬二進三".into()));
        assert_eq!(
            start_line(System::ChineseSimplified, TextEncoding::Gbk),
            Some(b"x \xc2\xed\xb6\xfe\xbd\xf8\xc8\xfd".to_vec())
        );
        assert_eq!(start_line(System::Chinese, TextEncoding::Big5), Some(b"x \xb0\xa8\xa4\x47\xb6\x69\xa4\x54".to_vec()));
        // Big5 has no simplified horse.
        assert_eq!(start_line(System::ChineseSimplified, TextEncoding::Big5), Some(b"x H2+3".to_vec()));
    }

    #[test]
    fn chinese_text_is_added_if_the_encoding_has_it() {
        let message = |encoding| MoveText { system: None, encoding }.message("Same-direction Cannons", "顺炮");
        assert_eq!(message(TextEncoding::Utf8), "Same-direction Cannons 顺炮".as_bytes());
        assert_eq!(message(TextEncoding::Gbk), b"Same-direction Cannons \xcb\xb3\xc5\xda");
        assert_eq!(message(TextEncoding::Big5), b"Same-direction Cannons");
    }

    #[test]
    fn a_line_is_limited_to_its_room() {
        let board = *Position::startpos().board();
        let moves: Vec<Move> = ["h2e2", "h9g7", "h0g2"].iter().map(|text| Move::from_uci(text).unwrap()).collect();
        let text = MoveText { system: Some(System::Uci), encoding: TextEncoding::Utf8 };
        assert_eq!(text.line("x", &board, &moves, 11), Some(b"x h2e2 h9g7".to_vec()));
        assert_eq!(text.line("x", &board, &moves, 99), Some(b"x h2e2 h9g7 h0g2".to_vec()));
        assert_eq!(MoveText { system: None, ..text }.line("x", &board, &moves, 99), None);
    }
}
