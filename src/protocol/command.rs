//! Parses lines into commands, including the arguments of `go`, positions and moves. There is one parser for both dialects: commands of
//! one are understood in the other too. Moves have ranks 0 to 9, as in Pikafish and UCCI, or 1 to 10, as in Fairy-Stockfish.

use super::dialect::Ranks;
use super::kinds::{read_number, shortened};
use super::options::is_option;
use crate::board::{FenError, Position};
use crate::notation::{LineReader, Notation, PositionText, ReadError, System, SystemChoice, strip_number};
use crate::records::decode;
use crate::search::{Clock, Limits};
use crate::types::{Color, Move};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// A command from the client; its effect depends on the state of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `ucci`
    Ucci,
    /// `isready`
    IsReady,
    /// `setoption`, and UCI's `debug`: the name and the optional value, in bytes because a path may be in any encoding.
    SetOption(String, Option<Vec<u8>>),
    /// `ucinewgame`, also `uccinewgame` and `newgame`.
    NewGame,
    /// `position`, or Cyclone's bare `fen` and `startpos`.
    Position(PositionText),
    /// `banmoves`
    BanMoves(Vec<String>),
    /// `go`
    Go(GoRequest),
    /// `ponderhit`, with or without UCCI's `draw`.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`
    Stop,
    /// UCCI's `probe`
    Probe(PositionText),
    /// `quit`
    Quit,
    /// `d`
    Display,
    /// `eval`
    Eval,
    /// `flip`
    Flip,
    /// `bench` with its arguments: depth, threads, table size in MiB.
    Bench(Vec<String>),
    /// `compiler`
    Compiler,
    /// `help`
    Help,
    /// Not a known command, including an empty line.
    Unknown,
}

impl Command {
    /// Whether the command starts a search.
    pub fn starts_search(&self) -> bool {
        matches!(self, Command::Go(request) if request.perft.is_none())
    }

    /// Whether the command starts a search, perft or bench.
    pub fn starts_search_or_count(&self) -> bool {
        matches!(self, Command::Go(_) | Command::Bench(_))
    }

    /// Parses a line. Never fails: anything that is not understood becomes [`Command::Unknown`].
    pub fn parse(line: &[u8]) -> Command {
        let line = &*in_utf8(line);
        // Moves in Chinese may be in the encoding of the client's system.
        let text = std::str::from_utf8(line).map_or_else(|_| decode(line), Cow::Borrowed);
        let mut words = words(&text);
        let Some(first) = words.next() else { return Command::Unknown };
        match first {
            "uci" => Command::Uci,
            "ucci" => Command::Ucci,
            "isready" => Command::IsReady,
            "setoption" => set_option(line),
            "debug" => Command::SetOption(first.into(), words.next().map(|word| word.as_bytes().to_vec())),
            // UCCI has `setoption newgame`, but several of its clients send these.
            "ucinewgame" | "uccinewgame" | "newgame" => Command::NewGame,
            "position" => Command::Position(position_text(words)),
            "fen" | "startpos" => Command::Position(position_text(std::iter::once(first).chain(words))),
            "banmoves" => Command::BanMoves(words.map(str::to_string).collect()),
            "go" => Command::Go(GoRequest::parse(words)),
            "perft" => Command::Go(GoRequest::parse(std::iter::once(first).chain(words))),
            "ponderhit" => Command::PonderHit { draw: words.any(|word| word == "draw") },
            "stop" => Command::Stop,
            "probe" => Command::Probe(position_text(words)),
            "quit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "flip" => Command::Flip,
            "bench" => Command::Bench(words.map(str::to_string).collect()),
            "compiler" => Command::Compiler,
            "help" => Command::Help,
            _ => Command::Unknown,
        }
    }
}

/// A line without the byte order mark that .NET writes first, and with one byte for each ASCII character if it is in UTF-16, in which
/// Windows PowerShell writes files. The lines of such a file are split at the byte of the line feed, so a line may begin or end with the
/// other byte.
fn in_utf8(line: &[u8]) -> Cow<'_, [u8]> {
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let line = marks.iter().find_map(|mark| line.strip_prefix(*mark)).unwrap_or(line);
    let is_every_other_zero = |first: usize| line.len() > 1 && line.iter().skip(first).step_by(2).all(|&byte| byte == 0);
    if is_every_other_zero(0) || is_every_other_zero(1) {
        line.iter().copied().filter(|&byte| byte != 0).collect()
    } else {
        line.into()
    }
}

/// Maximum number of words of an option's name.
const MAX_NAME_WORDS: usize = 4;

/// `setoption name N value V`, UCCI's `setoption N V`, and the mixture `setoption N value V`. Without `name`, a name of several words is
/// recognised if there is such an option.
fn set_option(line: &[u8]) -> Command {
    let is_blank = |byte: &u8| b" \t\r\n".contains(byte);
    let all: Vec<&[u8]> = match std::str::from_utf8(line) {
        Ok(text) => words(text).map(str::as_bytes).collect(),
        // A path in another encoding.
        Err(_) => line.split(is_blank).filter(|word| !word.is_empty()).collect(),
    };
    let text = |words: &[&[u8]]| String::from_utf8_lossy(&words.join(&b' ')).into_owned();
    // Taken verbatim from the line: a path may contain several consecutive blanks.
    let value_behind = |word: &[u8]| {
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        let value = std::str::from_utf8(&line[end..]).map_or(line[end..].trim_ascii(), |text| text.trim().as_bytes());
        (!value.is_empty()).then(|| value.to_vec())
    };
    match all.get(1..).unwrap_or_default() {
        [] => Command::Unknown,
        [b"name", rest @ ..] if !rest.is_empty() => {
            let at = rest.iter().position(|&word| word == b"value").unwrap_or(rest.len());
            Command::SetOption(text(&rest[..at]), rest.get(at).and_then(|word| value_behind(word)))
        }
        words => {
            let is_name = |&count: &usize| is_option(&text(&words[..count]));
            let (name, rest) = words.split_at((2..=words.len().min(MAX_NAME_WORDS)).rev().find(is_name).unwrap_or(1));
            let last = rest.first().filter(|&&word| word == b"value").or(name.last());
            Command::SetOption(text(name), last.and_then(|word| value_behind(word)))
        }
    }
}

/// The words of a line, separated by any run of blanks, tabs and line ends. Text copied from a page may contain no-break spaces, and text
/// typed in Chinese wide ones.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// Maximum time in milliseconds, a year; longer times are clamped.
const MAX_MILLISECONDS: i64 = 365 * 24 * 3600 * 1000;

/// The arguments of `go`. Numbers are clamped to 64 bits; malformed numbers count as absent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoRequest {
    /// Ponder on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// UCCI: the opponent offers a draw.
    pub draw: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Moves to mate.
    pub mate: Option<i64>,
    /// Fixed time for this move in milliseconds.
    pub movetime: Option<i64>,
    /// UCI: remaining time of Red and Black in milliseconds.
    pub clocks: [Option<i64>; 2],
    /// UCI: increment of Red and Black in milliseconds.
    pub increments: [Option<i64>; 2],
    /// UCCI: remaining time, in the session's unit.
    pub time: Option<i64>,
    /// UCCI: increment per move, in the session's unit.
    pub increment: Option<i64>,
    /// Moves to the next time control, in both dialects.
    pub moves_to_go: Option<i64>,
    /// Run perft to this depth instead of a search; without a number to depth 1.
    pub perft: Option<i64>,
    /// Search only these root moves, in the client's notation.
    pub search_moves: Vec<String>,
    /// What is ignored: unknown words, and clauses without a number. Only the first, since a line may be garbage.
    pub ignored: Option<String>,
}

/// All words that start a clause of `go`; `searchmoves` takes all words up to the next clause.
pub(super) const CLAUSES: [&str; 19] = [
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
    /// Parses the words after `go`. Clauses may be in any order; unknown words are skipped.
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> GoRequest {
        let mut words = words.peekable();
        let mut request = GoRequest::default();
        let (mut ignored, mut unused) = (None, None);
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
                "perft" => {
                    request.perft.get_or_insert(1);
                    &mut request.perft
                }
                // The opponent's clock is not used.
                "opptime" | "oppmovestogo" | "oppincrement" => &mut unused,
                _ => {
                    ignored.get_or_insert_with(|| format!("go: '{}' is unknown", shortened(word)));
                    continue;
                }
            };
            // A clause with a missing number must not consume the next clause.
            match words.next_if(|word| !CLAUSES.contains(word)).map(|text| (text, read_number(text))) {
                Some((_, Some(number))) => *target = Some(number),
                Some((text, None)) => {
                    ignored.get_or_insert_with(|| format!("go: '{}' after {word} is not a number", shortened(text)));
                }
                None if word == "perft" => {}
                None => {
                    ignored.get_or_insert_with(|| format!("go: {word} needs a number"));
                }
            }
        }
        request.ignored = ignored;
        request
    }

    /// The limits of a search of this position, with a clock that starts at `start`. `unit` is the unit of UCCI's times in milliseconds;
    /// `ranks` resolves moves that are legal with both rank numberings.
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

    /// Whether the search continues until `stop` or `ponderhit`.
    pub fn waits_for_stop(&self) -> bool {
        self.perft.is_none() && (self.ponder || self.infinite || !self.is_limited())
    }

    /// Whether `ponderhit` activates the other limits.
    pub fn is_pondering(&self) -> bool {
        self.ponder && !self.infinite
    }

    /// Whether only a mate, which may not exist, ends the search.
    pub fn is_for_mate_alone(&self) -> bool {
        self.mate.is_some() && !self.has_sure_limit()
    }

    /// Whether it has a limit of any kind.
    pub fn is_limited(&self) -> bool {
        self.has_sure_limit() || self.mate.is_some_and(|mate| mate > 0)
    }

    /// Whether it has a limit that is reached in any case.
    fn has_sure_limit(&self) -> bool {
        let numbers = [self.depth, self.nodes, self.movetime, self.time, self.clocks[0], self.clocks[1]];
        numbers.iter().any(Option::is_some)
    }

    /// Whether it asks for the engine's own view of the position, for which no book is used: a search without an end, for a mate, or of
    /// some moves only.
    pub fn is_analysis(&self) -> bool {
        // A `go` without a limit is one until `stop`, but a `go ponder` without one is not.
        let is_endless = self.infinite || self.waits_for_stop() && !self.ponder;
        is_endless || self.mate.is_some() || !self.search_moves.is_empty()
    }

    fn clock(&self, side: Color, unit: i64) -> Option<Clock> {
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(1000) as u32);
        if let Some(time) = self.time {
            // Without an increment or a number of moves UCCI's time is for this one move. As in UCI, no moves to go mean the rest of the game.
            let one_move = self.moves_to_go.is_none() && self.increment.is_none();
            return Some(Clock {
                remaining: duration(time.saturating_mul(unit)),
                increment: duration(self.increment.unwrap_or(0).saturating_mul(unit)),
                moves_to_go: if one_move { Some(1) } else { moves_to_go },
            });
        }
        let (own, other) = (side.index(), 1 - side.index());
        // A client that sends only the opponent's clock still does not want an infinite search.
        let remaining = self.clocks[own].or(self.clocks[other])?;
        Some(Clock { remaining: duration(remaining), increment: duration(self.increments[own].unwrap_or(0)), moves_to_go })
    }
}

fn duration(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.clamp(0, MAX_MILLISECONDS) as u64)
}

/// Whether a list of moves contains rank 10, which exists in one rank numbering only.
fn names_rank_ten(texts: &[String]) -> bool {
    texts.iter().any(|text| is_move_with_rank_ten(text.as_bytes()))
}

/// The rank numbering in which a list was read, according to its first move in coordinates; `before` if this move does not tell.
pub fn ranks_of_list(position: &Position, texts: &[String], before: Ranks) -> Ranks {
    // Move numbers may precede it.
    let first = texts.iter().find(|text| ranks_of_move(text.as_bytes()).is_some());
    let ranks = position.moves().next().zip(first).and_then(|(mv, text)| {
        [Ranks::FromZero, Ranks::FromOne].into_iter().find(|ranks| ranks.write(mv).eq_ignore_ascii_case(text))
    });
    ranks.unwrap_or(if names_rank_ten(texts) { Ranks::FromOne } else { before })
}

fn is_move_with_rank_ten(text: &[u8]) -> bool {
    ranks_of_move(text).is_some_and(|ranks| ranks.contains(&10) && !ranks.contains(&0))
}

/// The ranks of a text that has the form of a move in coordinates.
fn ranks_of_move(text: &[u8]) -> Option<[u8; 2]> {
    let (mut rest, mut ranks) = (text, [0; 2]);
    for rank in &mut ranks {
        (*rank, rest) = match rest {
            [b'a'..=b'i' | b'A'..=b'I', b'1', b'0', rest @ ..] => (10, rest),
            [b'a'..=b'i' | b'A'..=b'I', digit @ b'0'..=b'9', rest @ ..] => (digit - b'0', rest),
            _ => return None,
        };
    }
    rest.is_empty().then_some(ranks)
}

/// Parses the words after `position`. Several clients omit the word `moves`. After a FEN the moves then begin behind its fields, which need
/// not be numbers but do not look like moves: a word that is neither a field nor a move is reported as an illegal move.
fn position_text<'a>(words: impl Iterator<Item = &'a str>) -> PositionText {
    // Side to move, two unused fields and two counters.
    const FIELDS: usize = 5;
    let mut text = PositionText::parse(words);
    let Some(fen) = &text.fen else { return text };
    let words: Vec<&str> = fen.split(' ').collect();
    // The board may be preceded by a name.
    let side = words.iter().position(|word| word.contains('/')).unwrap_or(0) + 1;
    let pockets = words.iter().filter(|word| word.starts_with('[')).count();
    let is_surplus = |(index, word): &(usize, &&str)| looks_like_move(word) || *index >= side + FIELDS + pockets;
    let Some((mut end, _)) = words.iter().enumerate().skip(side).find(is_surplus) else { return text };
    // Digits, dashes and the like.
    let is_field = |word: &str| !word.contains(char::is_alphabetic);
    while end > side + 1 && !is_field(words[end - 1]) {
        end -= 1;
    }
    let behind = words[end..].iter().map(|word| word.to_string());
    // A later `moves` is kept as a mistake, as the words before it may be one.
    let keyword = (!text.moves.is_empty()).then(|| "moves".to_string());
    text.moves = behind.chain(keyword).chain(std::mem::take(&mut text.moves)).collect();
    text.fen = Some(words[..end].join(" "));
    text
}

/// Whether a word has the form of a move in coordinates, Chinese characters or WXF.
fn looks_like_move(word: &str) -> bool {
    let bare: Vec<u8> = word.bytes().filter(|&byte| byte != b'-').collect();
    let is_named = || (4..=5).contains(&word.chars().count()) && word.contains(['=', '+', '平', '进', '進', '退']);
    ranks_of_move(&bare).is_some() || is_named()
}

/// The start of the game. Fields behind the side to move that are no numbers, such as `-1`, count as missing.
fn start_of(text: &PositionText, reader: &LineReader) -> Result<Position, FenError> {
    let (mut start, mut fen) = (text.start(reader), text.fen.as_deref().unwrap_or_default());
    while matches!(start, Err(FenError::Trailing(_)))
        && let Some((before, _)) = fen.rsplit_once(' ')
    {
        fen = before;
        start = PositionText { fen: Some(fen.to_string()), moves: Vec::new() }.start(reader);
    }
    start
}

/// Sets up a position and plays its moves, which may be in any notation. Also returns the error of the first move that cannot be played;
/// that move and all later ones are dropped.
///
/// All coordinates are read with the same rank numbering: from 1 if the list contains rank 10; otherwise as given by `ranks`, unless the
/// entire list is legal only with the other numbering.
///
/// # Errors
/// If the FEN is invalid.
pub fn read_position(text: &PositionText, ranks: Ranks) -> Result<(Position, Option<PositionError>), PositionError> {
    let has_ten = names_rank_ten(&text.moves);
    let ranks = if has_ten { Ranks::FromOne } else { ranks };
    // Clients send coordinates; other systems are tried only if the moves are not coordinates.
    let coordinates = |ranks: Ranks| LineReader::new(SystemChoice::Only(ranks.system()));
    let start = start_of(text, &coordinates(ranks))?;
    let (line, fault) = coordinates(ranks).read_prefix(start.clone(), &text.moves);
    let position = line.position;
    let Some(fault) = fault else { return Ok((position, None)) };
    // A single wrong move is not taken as the other numbering: all moves must be legal with it.
    let other = || coordinates(ranks.other()).read(start.clone(), &text.moves).ok().filter(|_| !has_ten);
    let is_foreign = matches!(fault.error, ReadError::NotThisNotation { .. });
    if let Some(line) = other() {
        return Ok((line.position, None));
    }
    // A list in another notation is played up to its first wrong move too.
    let (position, fault) = match is_foreign.then(|| LineReader::default().read_prefix(start.clone(), &text.moves)) {
        Some((line, None)) => return Ok((line.position, None)),
        Some((line, Some(later))) if line.position.plies() > position.plies() => (line.position, later),
        _ => (position, fault),
    };
    let mut moves = text.moves.iter().filter(|text| !strip_number(text).is_empty());
    let typed = moves.nth(fault.number - 1).into_iter().flat_map(|text| text.chars().take(20)).collect();
    let fen = position.to_fen();
    Ok((position, Some(PositionError::Move { number: fault.number, text: typed, fen })))
}

/// The legal moves among these texts, which may be in any notation; all coordinates are read with the same rank numbering, as in
/// [`read_position`].
pub fn read_moves(position: &Position, texts: &[String], ranks: Ranks) -> Vec<Move> {
    // More moves than any position has; limits the cost of a garbage line.
    const MAX_TEXTS: usize = 1000;
    let texts = &texts[..texts.len().min(MAX_TEXTS)];
    let is_legal = |ranks: Ranks| {
        let reader = LineReader::new(SystemChoice::Only(ranks.system()));
        texts.iter().any(|text| reader.read_move(position, text).is_ok())
    };
    let ranks = match ranks {
        _ if names_rank_ten(texts) => Ranks::FromOne,
        ranks if !is_legal(ranks) && is_legal(ranks.other()) => ranks.other(),
        ranks => ranks,
    };
    let notations = System::ALL.into_iter().filter(|&system| !ranks.excludes(system)).map(Notation::new).collect();
    let reader = LineReader { first: vec![ranks.system()], notations, diagrams: false };
    texts.iter().filter_map(|text| reader.read_move(position, text).ok()).collect()
}

/// An error in a position or its moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The FEN is not valid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is malformed or not legal.
    #[error("move {number} of the list: '{text}' is not legal in {fen}; it and the rest are ignored")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// The move as received, truncated to twenty characters.
        text: String,
        /// The position before the move.
        fen: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line.as_bytes())
    }

    #[test]
    fn both_forms_of_setoption() {
        let set = |name: &str, value: Option<&str>| Command::SetOption(name.into(), value.map(|value| value.as_bytes().to_vec()));
        assert_eq!(parse("setoption name Move Overhead value 20"), set("Move Overhead", Some("20")));
        assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(parse("setoption name\u{a0}Hash value\u{3000}32"), set("Hash", Some("32")));
        assert_eq!(parse("setoption name Hash value"), set("Hash", None));
        assert_eq!(parse("setoption hashsize 64"), set("hashsize", Some("64")));
        assert_eq!(parse("setoption Hash value 64"), set("Hash", Some("64")));
        assert_eq!(parse("setoption Hash value"), set("Hash", None));
        assert_eq!(parse("setoption newgame"), set("newgame", None));
        assert_eq!(parse("setoption Skill Level 3"), set("Skill Level", Some("3")));
        assert_eq!(parse("setoption repetition rule Simple"), set("repetition rule", Some("Simple")));
        assert_eq!(parse("setoption Repetition Rule value Simple"), set("Repetition Rule", Some("Simple")));
        assert_eq!(parse("setoption Debug Log  File C:\\my  logs\\a"), set("Debug Log File", Some("C:\\my  logs\\a")));
        assert_eq!(parse("setoption rule 60 max ply 100"), set("rule 60 max ply", Some("100")));
        assert_eq!(parse("setoption Clear Hash"), set("Clear Hash", None));
        assert_eq!(parse("setoption repetition chineserule"), set("repetition", Some("chineserule")));
        assert_eq!(parse("setoption guinea pig 3"), set("guinea", Some("pig 3")));
        assert_eq!(parse("setoption bookfiles C:\\my books\\a.dat"), set("bookfiles", Some("C:\\my books\\a.dat")));
        let bytes = Command::parse(b"setoption  bookfiles\td:\\\xbf\xe2 \xbf\xe2.dat \r");
        assert_eq!(bytes, Command::SetOption("bookfiles".into(), Some(b"d:\\\xbf\xe2 \xbf\xe2.dat".to_vec())));
        assert_eq!(parse("setoption name EvalFile value  /a  b/c\td.nnue \r"), set("EvalFile", Some("/a  b/c\td.nnue")));
        assert_eq!(parse("setoption"), Command::Unknown);
        assert_eq!(parse("setoption name"), set("name", None));
        assert_eq!(parse("debug on"), set("debug", Some("on")));
    }

    #[test]
    fn positions_of_all_three_dialects() {
        let text = |fen: Option<&str>, moves: &[&str]| {
            Command::Position(PositionText { fen: fen.map(Into::into), moves: moves.iter().map(|m| m.to_string()).collect() })
        };
        assert_eq!(parse("position startpos"), text(None, &[]));
        assert_eq!(parse("position startpos moves"), text(None, &[]));
        assert_eq!(parse("startpos moves h2e2 h9g7"), text(None, &["h2e2", "h9g7"]));
        assert_eq!(parse("position fen startpos moves h2e2"), text(None, &["h2e2"]));
        assert_eq!(parse("fen 4k4/9 r moves a0a1"), text(Some("4k4/9 r"), &["a0a1"]));
        assert_eq!(parse("position fen 4k4/9 w - - 0 1 moves"), text(Some("4k4/9 w - - 0 1"), &[]));
        assert_eq!(parse("position 4k4/9 w"), text(Some("4k4/9 w"), &[]));
        assert_eq!(parse("position"), text(Some(""), &[]));
    }

    #[test]
    fn the_word_moves_may_be_missing() {
        const ROWS: &str = "3k5/9/9/9/9/9/9/R8/R8/4K4";
        let text = |fen: Option<&str>, moves: &[&str]| {
            Command::Position(PositionText { fen: fen.map(Into::into), moves: moves.iter().map(|m| m.to_string()).collect() })
        };
        assert_eq!(parse("position startpos h2e2 h9g7"), text(None, &["h2e2", "h9g7"]));
        assert_eq!(parse("startpos move h2e2"), text(None, &["move", "h2e2"]));
        assert_eq!(parse("position startpos fen 4k4/9 moves h2e2"), text(None, &["fen", "4k4/9", "moves", "h2e2"]));
        for (words, fields, moves) in [
            ("w - - 0 1 h2e2 h9g7", "w - - 0 1", &["h2e2", "h9g7"][..]),
            ("w h3e3", "w", &["h3e3"]),
            ("h2e2", "", &["h2e2"]),
            ("b – – H2-E2", "b – –", &["H2-E2"]),
            ("w - - 0 1 a10a9", "w - - 0 1", &["a10a9"]),
            ("w - - 0 1 炮二平五", "w - - 0 1", &["炮二平五"]),
            ("w C2=5 H8+7", "w", &["C2=5", "H8+7"]),
            ("w - - 0 1 move h2e2", "w - - 0 1", &["move", "h2e2"]),
            ("w 0 1 move h2e2", "w 0 1", &["move", "h2e2"]),
            ("w h2e2 moves h9g7", "w", &["h2e2", "moves", "h9g7"]),
            ("w - - 0 1 2 moves h2e2", "w - - 0 1", &["2", "moves", "h2e2"]),
            // Not moves: fields that are not numbers.
            ("w - - x y", "w - - x y", &[]),
            ("w KQkq - 0 1 moves h2e2", "w KQkq - 0 1", &["h2e2"]),
            ("[] w - - 0 1", "[] w - - 0 1", &[]),
            ("red - - 0.5 one moves h2e2", "red - - 0.5 one", &["h2e2"]),
        ] {
            let fen = format!("{ROWS} {fields}");
            assert_eq!(parse(&format!("position fen {ROWS} {words}")), text(Some(fen.trim_end()), moves), "{words}");
        }
    }

    #[test]
    fn only_whole_words_count() {
        for line in ["stopp", "quitt", "STOP", "", "   ", "\u{0}uci", "positions startpos", "ponderhits"] {
            assert_eq!(parse(line), Command::Unknown, "{line:?}");
        }
        assert_eq!(Command::parse(b" \t stop \r"), Command::Stop);
        assert_eq!(Command::parse(b"\xef\xbb\xbfuci\r"), Command::Uci);
        assert_eq!(Command::parse(b"\xff\xfe\x00"), Command::Unknown);
    }

    #[test]
    fn a_new_game_has_three_names() {
        for line in ["ucinewgame", "uccinewgame", "newgame\r"] {
            assert_eq!(parse(line), Command::NewGame, "{line:?}");
        }
    }

    #[test]
    fn files_of_powershell_are_in_utf_16() {
        let text = "\u{feff}uci\r\nsetoption name EvalFile value C:\\my nets\\a.nnue\r\n\r\ngo depth 3";
        let plain: Vec<Command> = text.trim_start_matches('\u{feff}').split('\n').map(parse).collect();
        assert!(plain[0] == Command::Uci && matches!(plain[3], Command::Go(_)));
        for encode in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(encode).collect();
            assert_eq!(bytes.split(|&byte| byte == b'\n').map(Command::parse).collect::<Vec<_>>(), plain);
        }
    }

    #[test]
    fn any_run_of_blanks_separates() {
        assert_eq!(words(" \tgo  depth\t 5 \r").collect::<Vec<_>>(), ["go", "depth", "5"]);
        assert_eq!(words("go\u{a0}depth\u{3000}5").collect::<Vec<_>>(), ["go", "depth", "5"]);
        assert_eq!(words("").count(), 0);
    }
}

#[cfg(test)]
mod go_tests {
    use super::*;
    use crate::protocol::command::words;
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
    fn no_moves_to_go_are_the_rest_of_the_game() {
        for text in ["time 100 movestogo 0", "time 100 movestogo -1", "wtime 100 movestogo 0"] {
            assert_eq!(clock(text), (100, 0, None), "{text}");
        }
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
        assert_eq!(parse("depth 5 foo nodes 1e5").ignored.as_deref(), Some("go: 'foo' is unknown"));
        assert_eq!(parse("nodes 1e5").ignored.as_deref(), Some("go: '1e5' after nodes is not a number"));
        assert_eq!(parse("depth nodes 5").ignored.as_deref(), Some("go: depth needs a number"));
        assert_eq!(parse("ponder wtime 5.5 opptime 3 perft").ignored, None);
    }

    #[test]
    fn numbers_are_clamped() {
        assert_eq!(clock("time -5 increment 0"), (0, 0, None));
        assert_eq!(clock("wtime 99999999999999999999999").0, MAX_MILLISECONDS as u128);
        assert_eq!(limits("depth 99999999999999").depth, Some(10_000));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("movetime -1").movetime, Some(Duration::ZERO));
        assert_eq!(clock("wtime 1500.5 btime 900.0 winc 10.0"), (1500, 10, None));
        let seconds = parse("time 9223372036854775807").limits(&Position::startpos(), Instant::now(), 1000, Ranks::FromZero);
        assert_eq!(seconds.clock.unwrap().remaining.as_millis(), MAX_MILLISECONDS as u128);
    }

    #[test]
    fn searchmoves_extends_to_the_next_clause() {
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

    #[test]
    fn perft_never_searches() {
        for (text, depth) in
            [("perft", 1), ("perft x", 1), ("perft 0", 0), ("perft -1", -1), ("perft 3", 3), ("perft depth 5", 1)]
        {
            let request = parse(text);
            assert!(request.perft == Some(depth) && !request.waits_for_stop(), "{text}");
            assert!(matches!(Command::parse(text.as_bytes()), Command::Go(same) if same == request), "{text}");
        }
    }
}

#[cfg(test)]
mod position_tests {
    use super::*;

    fn read(line: &str, ranks: Ranks) -> (String, Option<PositionError>) {
        let (position, error) = read_position(&PositionText::parse_line(line), ranks).unwrap();
        (position.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "), error)
    }

    #[test]
    fn moves_after_an_illegal_one_are_dropped() {
        let (moves, error) = read("startpos moves h2e2 h9g7 a0a9 h0g2", Ranks::FromZero);
        assert_eq!(moves, "h2e2 h9g7");
        assert!(error.unwrap().to_string().starts_with("move 3 of the list: 'a0a9'"));
        for (line, moves, fault) in [
            ("startpos moves C2=5 C8=5 H2+9", "h2e2 h7e7", "move 3 of the list: 'H2+9'"),
            ("startpos moves 1. h2e2 h9g7 2. a0a9", "h2e2 h9g7", "move 3 of the list: 'a0a9'"),
        ] {
            let (kept, error) = read(line, Ranks::FromZero);
            assert_eq!(kept, moves, "{line}");
            assert!(error.as_ref().unwrap().to_string().starts_with(fault), "{error:?}");
        }
        assert!(read_position(&PositionText { fen: Some("9/9".into()), moves: vec![] }, Ranks::FromZero).is_err());
    }

    #[test]
    fn a_list_is_read_with_one_rank_numbering() {
        // Rooks on ranks 1 and 2 (from zero), so that a2b2 is legal with both numberings.
        let rook = "fen 3k5/9/9/9/9/9/9/R8/R8/4K4 w moves";
        for (line, ranks, moves) in [
            ("startpos moves h3e3", Ranks::FromZero, "h2e2"),
            ("startpos moves h3e3 h10g8 h1g3", Ranks::FromZero, "h2e2 h9g7 h0g2"),
            ("startpos moves H3E3 a10a9", Ranks::FromZero, "h2e2 a9a8"),
            ("startpos moves h2e2", Ranks::FromOne, "h2e2"),
            (&format!("{rook} a3b3"), Ranks::FromZero, "a2b2"),
            (&format!("{rook} a2b2"), Ranks::FromZero, "a2b2"),
            (&format!("{rook} a2b2"), Ranks::FromOne, "a1b1"),
            (&format!("{rook} a2b2 d10d9"), Ranks::FromZero, "a1b1 d9d8"),
            (&format!("{rook} a2b2 d9d8"), Ranks::FromOne, "a2b2 d9d8"),
        ] {
            assert_eq!(read(line, ranks), (moves.to_string(), None), "{line} {ranks:?}");
        }
    }

    #[test]
    fn a_wrong_move_is_not_taken_as_the_other_numbering() {
        for (line, moves, number) in [
            ("startpos moves h2e2 h3e3", "h2e2", 2),
            ("startpos moves h3e3 h9g7", "", 1),
            ("startpos moves h3e3 h10g8 h2e2", "h2e2 h9g7", 3),
        ] {
            let (read, error) = read(line, Ranks::FromZero);
            assert_eq!(read, moves, "{line}");
            assert!(matches!(error, Some(PositionError::Move { number: at, .. }) if at == number), "{line}: {error:?}");
        }
    }

    #[test]
    fn moves_of_a_list_share_their_rank_numbering() {
        let read = |texts: &[&str], ranks| {
            let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
            let moves = read_moves(&Position::startpos(), &texts, ranks);
            moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read(&["h2e2", "H0G2", "a0a9", "b0c2"], Ranks::FromZero), "h2e2 h0g2 b0c2");
        assert_eq!(read(&["h3e3", "h1g3", "C2=5"], Ranks::FromZero), "h2e2 h0g2 h2e2");
        assert_eq!(read(&["h3e3", "h2e2"], Ranks::FromZero), "h2e2");
        assert_eq!(read(&["h3h10", "a4a5", "h2e2"], Ranks::FromZero), "h2h9 a3a4");
        assert_eq!(read(&["h2e2"], Ranks::FromOne), "h2e2");
        assert_eq!(read(&["rubbish"], Ranks::FromZero), "");
    }

    #[test]
    fn rank_ten_is_recognised_in_moves_only() {
        let names = |text: &str| names_rank_ten(&[text.to_string()]);
        assert!(names("a10a9") && names("a9a10") && names("I10H10"));
        assert!(!names("a1a0") && !names("10") && !names("a10") && !names("a10a9x") && !names("j10a9") && !names("a1a9"));
    }
}
