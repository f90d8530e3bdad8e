//! Searching for games that meet all criteria.

use super::Library;
use super::details;
use super::error::{LibraryError, LibraryErrorKind};
use super::index::{self, BUCKETS, SEGMENT};
use super::line::{Line, result_of_number};
use super::pattern::{ExactPosition, Material, Mirrored, Pattern};
use super::replay::Replay;
use super::script::folded;
use super::store::{LineReader, for_each_line, last_game};
use crate::board::Setup;
use crate::records::{RecordResult, read_date, unpadded};
use rusqlite::Connection;
use std::ops::ControlFlow;
use std::str::FromStr;
use thiserror::Error;

/// Search criteria. Texts match as parts of names, regardless of case and of simplified or traditional characters.
#[derive(Clone, Default, Debug)]
pub struct Query {
    /// A position of the main line. Position, pattern and material must be met by the same position.
    pub position: Option<ExactPosition>,
    /// A pattern of a position.
    pub pattern: Option<Pattern>,
    /// The material of a position.
    pub material: Option<Material>,
    /// Players of either colour; all must match.
    pub players: Vec<String>,
    /// The Red player.
    pub red: Option<String>,
    /// The Black player.
    pub black: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// The opening.
    pub opening: Option<String>,
    /// The date.
    pub dates: Option<Dates>,
    /// The allowed results; any if empty.
    pub results: Vec<RecordResult>,
    /// Number of plies of the main line.
    pub plies: Option<Range>,
    /// Part of a comment.
    pub comment: Option<String>,
}

/// A search hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The game; of several variants, the first one that meets the criteria other than position.
    pub game: u32,
    /// Ply of the matching position, if the query has one.
    pub ply: Option<u32>,
    /// Whether the position matches as a mirror image.
    pub mirrored: bool,
}

/// A range of dates, as decimal numbers such as 19890714; unknown parts are 0, so 19890000 is the start of 1989.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dates {
    first: u32,
    last: u32,
}

/// An inclusive range of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The minimum.
    pub min: u32,
    /// The maximum.
    pub max: u32,
}

/// An invalid range.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{}', expected {expected}", text.escape_debug())]
pub struct RangeError {
    text: String,
    expected: &'static str,
}

impl RangeError {
    fn new(text: &str, expected: &'static str) -> RangeError {
        RangeError { text: text.chars().take(40).collect(), expected }
    }
}

impl FromStr for Range {
    type Err = RangeError;

    /// Parses `30`, `30..`, `..80` and `30..80`.
    fn from_str(text: &str) -> Result<Range, RangeError> {
        let wrong = || RangeError::new(text, "a number or a range such as 30..80, 30.. or ..80");
        let number =
            |part: &str, absent: u32| if part.is_empty() { Ok(absent) } else { part.trim().parse().map_err(|_| wrong()) };
        match text.split_once("..") {
            Some((min, max)) => {
                let range = Range { min: number(min, 0)?, max: number(max, u32::MAX)? };
                if range.min > range.max { Err(RangeError::new(text, "the smaller number first")) } else { Ok(range) }
            }
            None => text.trim().parse().map(|number| Range { min: number, max: number }).map_err(|_| wrong()),
        }
    }
}

impl FromStr for Dates {
    type Err = RangeError;

    /// Parses a year, a month or a day (`1989`, `1989-07`, `1989-07-14`), and ranges of them (`1980..1989`, `1989-07..`).
    fn from_str(text: &str) -> Result<Dates, RangeError> {
        let wrong = || RangeError::new(text, "a date or a range such as 1989, 1989-07..1990 or ..2006-01-13");
        // Of a range in another form, such as 1980-1989, `read_date` takes the beginning.
        let is_single = |part: &str| {
            let numbers = part.split(|letter: char| !letter.is_numeric()).map(|number| number.chars().count());
            let (years, others): (Vec<usize>, Vec<usize>) = numbers.filter(|length| *length > 0).partition(|length| *length >= 4);
            years.len() <= 1 && years.len() + others.len() <= 3
        };
        let day = |part: &str| read_date(part).filter(|&date| date > 0 && is_single(part)).ok_or_else(wrong);
        let last = |date: u32| {
            if date.is_multiple_of(10_000) {
                date + 1299
            } else if date.is_multiple_of(100) {
                date + 99
            } else {
                date
            }
        };
        match text.split_once("..") {
            None => day(text).map(|date| Dates { first: date, last: last(date) }),
            Some((from, to)) => {
                let first = if from.is_empty() { 1 } else { day(from)? };
                let last = if to.is_empty() { u32::MAX } else { last(day(to)?) };
                if first > last { Err(RangeError::new(text, "the earlier date first")) } else { Ok(Dates { first, last }) }
            }
        }
    }
}

impl Query {
    fn has_headers(&self) -> bool {
        let texts = [&self.red, &self.black, &self.event, &self.site, &self.opening, &self.comment];
        let has_text = !self.players.is_empty() || texts.iter().any(|text| text.is_some());
        has_text || self.dates.is_some() || !self.results.is_empty() || self.plies.is_some()
    }

    fn has_board(&self) -> bool {
        self.position.is_some() || self.pattern.is_some() || self.material.is_some()
    }

    /// Whether a board meets the position criteria, and whether mirrored.
    pub(super) fn matches(&self, board: &Replay) -> Option<Mirrored> {
        let mut mirrored = false;
        if let Some(position) = &self.position {
            mirrored = position.matches(board)?;
        }
        if self.material.as_ref().is_some_and(|material| !material.matches(board)) {
            return None;
        }
        if let Some(pattern) = &self.pattern {
            let is_mirrored = pattern.matches(board)?;
            mirrored |= is_mirrored;
        }
        Some(mirrored)
    }
}

impl Library {
    /// The games that meet all criteria, by number. Records with the same moves are one game.
    ///
    /// # Errors
    /// If the file is damaged, or another process holds it.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>, LibraryError> {
        let hits =
            self.reading(|connection| search(connection, query, &Chosen::new(connection, query, last_game(connection)?, false)?));
        self.with_path(hits)
    }

    /// The numbers of all records that meet all criteria, each game followed by its variants: all contents of the library if there are no
    /// criteria.
    ///
    /// # Errors
    /// As [`Library::search`].
    pub fn records(&self, query: &Query) -> Result<Vec<u32>, LibraryError> {
        let records = self.reading(|connection| {
            let chosen = Chosen::new(connection, query, last_game(connection)?, true)?;
            let hits = search(connection, query, &chosen)?;
            Ok(hits.iter().flat_map(|hit| std::iter::once(hit.game).chain(chosen.others_of(hit.game))).collect())
        });
        self.with_path(records)
    }

    /// Runs `read` in a transaction, which isolates it from concurrent additions.
    pub(super) fn reading<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, LibraryErrorKind>,
    ) -> Result<T, LibraryErrorKind> {
        let transaction = self.connection.unchecked_transaction()?;
        let found = read(&self.connection)?;
        transaction.finish()?;
        Ok(found)
    }
}

fn search(connection: &Connection, query: &Query, chosen: &Chosen) -> Result<Vec<Hit>, LibraryErrorKind> {
    let last = last_game(connection)?;
    if !query.has_board() {
        let hit = |game| Hit { game, ply: None, mirrored: false };
        return Ok((1..=last).filter_map(|game| chosen.of(game)).map(hit).collect());
    }
    let start = Replay::new(&Setup::standard()).ok_or_else(|| LibraryErrorKind::damaged("the start of the game"))?;
    let mut hits = Vec::new();
    let mut visit = |game: u32, line: Line<'_>| {
        let Some(shown) = chosen.of(game).filter(|_| !line.is_variant()) else { return Ok(()) };
        let is_valid = line.replay(&start, |ply, board, _| match query.matches(board) {
            Some(mirrored) => {
                hits.push(Hit { game: shown, ply: Some(ply as u32), mirrored });
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        });
        if is_valid { Ok(()) } else { Err(LibraryErrorKind::damaged(format!("the moves of game {game}"))) }
    };
    match &query.position {
        Some(position) => for_each_candidate(connection, position, last, &mut visit)?,
        None if chosen.is_few(last) => {
            let mut lines = LineReader::new(connection);
            for game in (1..=last).filter(|&game| chosen.of(game).is_some()) {
                let line = lines.get(game)?;
                visit(game, Line::new(line).ok_or_else(|| LibraryErrorKind::damaged(format!("the line of game {game}")))?)?;
            }
        }
        None => for_each_line(connection, 1, &mut visit)?,
    }
    Ok(hits)
}

/// Calls `visit` with the lines of the games that may reach a position, by number.
pub(super) fn for_each_candidate(
    connection: &Connection,
    position: &ExactPosition,
    last: u32,
    visit: &mut dyn FnMut(u32, Line<'_>) -> Result<(), LibraryErrorKind>,
) -> Result<(), LibraryErrorKind> {
    let keys = position.shared_keys();
    let segments = last / SEGMENT;
    let mut lines = LineReader::new(connection);
    for segment in 0..segments {
        let mut indices = Vec::new();
        for &key in &keys {
            let id = segment * BUCKETS + index::bucket_of(key);
            let mut query = connection.prepare_cached("SELECT games FROM positions WHERE id = ?1")?;
            let damaged = || LibraryErrorKind::damaged(format!("the positions of segment {segment}"));
            let mut rows = query.query([id])?;
            let row = rows.next()?.ok_or_else(damaged)?;
            let bucket = row.get_ref(0)?.as_blob().map_err(|_| damaged())?;
            indices.extend(index::lookup(bucket, key).ok_or_else(damaged)?);
        }
        indices.sort_unstable();
        indices.dedup();
        for index in indices {
            let game = segment * SEGMENT + u32::from(index) + 1;
            let line = lines.get(game)?;
            visit(game, Line::new(line).ok_or_else(|| LibraryErrorKind::damaged(format!("the line of game {game}")))?)?;
        }
    }
    for_each_line(connection, segments * SEGMENT + 1, visit)
}

/// The games that meet the criteria other than position.
enum Chosen {
    All,
    Some {
        /// For each game, by number, the first variant that meets them; 0 for none.
        first: Vec<u32>,
        /// The numbers of the first variants with those of their further ones, if these were asked for.
        others: Vec<(u32, u32)>,
    },
}

impl Chosen {
    /// The games, and if `with_others` all variants that meet the criteria.
    fn new(connection: &Connection, query: &Query, last: u32, with_others: bool) -> Result<Chosen, LibraryErrorKind> {
        let mut select = connection.prepare_cached(
            "SELECT id, variant_of, red, black, event, site, opening, date, result, plies FROM games ORDER BY id",
        )?;
        // Variants have no line of their own; they are skipped when lines are read.
        if query.has_board() && !query.has_headers() && !with_others {
            return Ok(Chosen::All);
        }
        let (mut chosen, mut others) = (vec![0; last as usize + 1], Vec::new());
        let wanted = Wanted::new(connection, query)?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let id: u32 = row.get(0)?;
            let original: u32 = row.get::<_, Option<u32>>(1)?.unwrap_or(id);
            let texts = [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
            let is_chosen = wanted.has_texts(texts)
                && query.dates.is_none_or(|dates| {
                    row.get::<_, Option<u32>>(7)
                        .is_ok_and(|date| date.is_some_and(|date| (dates.first..=dates.last).contains(&date)))
                })
                && (query.results.is_empty() || query.results.contains(&result_of_number(row.get(8)?)))
                && query.plies.is_none_or(|plies| row.get(9).is_ok_and(|count: u32| (plies.min..=plies.max).contains(&count)))
                && has_comment(connection, id, wanted.comment.as_deref())?;
            match chosen.get_mut(original as usize).filter(|_| is_chosen) {
                Some(first) if *first == 0 => *first = id,
                Some(first) if with_others => others.push((*first, id)),
                _ => {}
            }
        }
        others.sort_unstable();
        Ok(Chosen::Some { first: chosen, others })
    }

    /// The further variants of the game whose first variant has this number.
    fn others_of(&self, shown: u32) -> impl Iterator<Item = u32> + '_ {
        let others: &[(u32, u32)] = match self {
            Chosen::All => &[],
            Chosen::Some { others, .. } => others,
        };
        let from = others.partition_point(|(first, _)| *first < shown);
        others[from..].iter().take_while(move |(first, _)| *first == shown).map(|(_, other)| *other)
    }

    fn of(&self, game: u32) -> Option<u32> {
        match self {
            Chosen::All => Some(game),
            Chosen::Some { first, .. } => first.get(game as usize).copied().filter(|&variant| variant != 0),
        }
    }

    fn is_few(&self, last: u32) -> bool {
        match self {
            Chosen::All => false,
            Chosen::Some { first, .. } => first.iter().filter(|&&variant| variant != 0).count() < last as usize / 16,
        }
    }
}

/// Whether any comment of a record contains the text.
fn has_comment(connection: &Connection, game: u32, part: Option<&str>) -> Result<bool, LibraryErrorKind> {
    let Some(part) = part else { return Ok(true) };
    let mut query = connection.prepare_cached("SELECT details FROM games WHERE id = ?1")?;
    let blob: Option<Vec<u8>> = query.query_row([game], |row| row.get(0))?;
    let Some(blob) = blob else { return Ok(false) };
    details::comments_have(&blob, part).ok_or_else(|| LibraryErrorKind::damaged(format!("the comments of game {game}")))
}

/// The text criteria, as ascending lists of the ids of matching texts.
struct Wanted {
    players: Vec<Vec<u32>>,
    /// For Red, Black, event, site and opening.
    columns: [Option<Vec<u32>>; 5],
    comment: Option<String>,
}

impl Wanted {
    fn new(connection: &Connection, query: &Query) -> Result<Wanted, LibraryErrorKind> {
        let texts = [&query.red, &query.black, &query.event, &query.site, &query.opening];
        let form = |text: &String| unpadded(&folded(text));
        let players: Vec<String> = query.players.iter().map(form).collect();
        let columns = texts.map(|text| text.as_ref().map(form));
        let mut wanted = Wanted {
            players: vec![Vec::new(); players.len()],
            columns: columns.clone().map(|text| text.map(|_| Vec::new())),
            comment: query.comment.as_ref().map(|text| folded(text)),
        };
        if players.is_empty() && columns.iter().all(Option::is_none) {
            return Ok(wanted);
        }
        let mut select = connection.prepare_cached("SELECT id, text FROM texts ORDER BY id")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let id: u32 = row.get(0)?;
            let text = row.get_ref(1)?.as_str().map_err(|_| LibraryErrorKind::damaged(format!("text {id}")))?;
            let text = unpadded(&folded(text));
            let mark = |set: &mut Vec<u32>, part: &str| {
                if text.contains(part) {
                    set.push(id);
                }
            };
            wanted.players.iter_mut().zip(&players).for_each(|(set, part)| mark(set, part));
            for (set, part) in wanted.columns.iter_mut().zip(&columns) {
                if let (Some(set), Some(part)) = (set, part) {
                    mark(set, part);
                }
            }
        }
        Ok(wanted)
    }

    /// Whether a row matches; `row` contains the text ids of Red, Black, event, site and opening.
    fn has_texts(&self, row: [Option<u32>; 5]) -> bool {
        let is_in = |set: &[u32], text: Option<u32>| text.is_some_and(|id| set.binary_search(&id).is_ok());
        let [red, black] = [row[0], row[1]];
        let plays = match &self.players[..] {
            // Two different players, even if one name matches both criteria.
            [one, other] => (is_in(one, red) && is_in(other, black)) || (is_in(one, black) && is_in(other, red)),
            players => players.iter().all(|set| is_in(set, red) || is_in(set, black)),
        };
        plays && self.columns.iter().zip(row).all(|(set, text)| set.as_ref().is_none_or(|set| is_in(set, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!("30..80".parse(), Ok(Range { min: 30, max: 80 }));
        assert_eq!("..80".parse(), Ok(Range { min: 0, max: 80 }));
        assert_eq!("30".parse(), Ok(Range { min: 30, max: 30 }));
        assert!("x".parse::<Range>().is_err() && "10..5".parse::<Range>().is_err() && "5..5".parse::<Range>().is_ok());
        assert_eq!("1989".parse(), Ok(Dates { first: 19890000, last: 19891299 }));
        assert_eq!("1989-07..1990".parse(), Ok(Dates { first: 19890700, last: 19901299 }));
        assert_eq!("..2006-01-13".parse(), Ok(Dates { first: 1, last: 20060113 }));
        assert!("last year".parse::<Dates>().is_err() && "..x".parse::<Dates>().is_err());
        assert!("1990..1980".parse::<Dates>().is_err() && "1990-07..1990".parse::<Dates>().is_ok());
        for range in ["1980-1989", "1980/1989", "1989.10-2000.1", "2006-01-13-15", "20060113-20060115", "1980-1989..1990"] {
            assert!(range.parse::<Dates>().is_err(), "{range}");
        }
        assert_eq!("2006年1月13日".parse(), Ok(Dates { first: 20060113, last: 20060113 }));
    }

    #[test]
    fn a_game_number_beyond_the_maximum_is_reported_as_damage() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::create_or_open(&folder.path().join("library.chuhe")).unwrap();
        let insert = "INSERT INTO games(id, line, result, plies) VALUES(4000000000, 0, 0, 0)";
        library.connection.execute(insert, []).unwrap();
        let error = library.search(&Query::default()).unwrap_err();
        assert!(matches!(error.kind(), LibraryErrorKind::Damaged(_)), "{error}");
    }

    #[test]
    fn names_and_comments_match_in_both_scripts() {
        let folder = tempfile::tempdir().unwrap();
        let mut library = Library::create_or_open(&folder.path().join("library.chuhe")).unwrap();
        for text in ["[Red \"胡榮華\"]\n\n1. h2e2 {對局} *\n", "[Red \"吕　钦\"]\n\n1. b2e2 {对局} *\n"] {
            let record = crate::records::Records::new(text.as_bytes().to_vec(), None).unwrap().next().unwrap().unwrap();
            library.add_record(&record).unwrap();
        }
        for (name, comment, game) in [("胡荣华", "对局", 1), ("胡榮華", "對局", 1), ("呂欽", "對", 2), ("吕钦", "对", 2)]
        {
            let query = Query { red: Some(name.into()), comment: Some(comment.into()), ..Query::default() };
            assert_eq!(library.search(&query).unwrap().iter().map(|hit| hit.game).collect::<Vec<_>>(), [game], "{name}");
        }
    }

    #[test]
    fn all_records_of_a_game_are_listed_and_unnamed_short_games_are_different() {
        let folder = tempfile::tempdir().unwrap();
        let mut library = Library::create_or_open(&folder.path().join("library.chuhe")).unwrap();
        let mut add = |head: &str, moves: &str| {
            let text = format!("{head}\n1. h2e2 h9g7 2. {moves} *\n");
            let record = crate::records::Records::new(text.into_bytes(), None).unwrap().next().unwrap().unwrap();
            library.add_record(&record).unwrap().0
        };
        let names = "[Red \"Lin\"]\n[Black \"Mo\"]\n";
        assert_eq!(add(names, "h0g2"), 1);
        assert_eq!(add("[Event \"one\"]\n", "b0c2"), 2);
        assert_eq!(add(names, "h0g2 {the main opening}"), 3);
        assert_eq!(add(&format!("[Event \"e\"]\n{names}"), "h0g2 {another comment}"), 4);
        assert_eq!(add("[Event \"two\"]\n", "b0c2"), 5);
        let hits = |query: &Query| library.search(query).unwrap().iter().map(|hit| hit.game).collect::<Vec<_>>();
        assert_eq!(hits(&Query::default()), [1, 2, 5]);
        assert_eq!(library.records(&Query::default()).unwrap(), [1, 3, 4, 2, 5]);
        let commented = Query { comment: Some("comment".into()), ..Query::default() };
        assert_eq!((hits(&commented), library.records(&commented).unwrap()), (vec![4], vec![4]));
        let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b";
        let reached = Query { position: Some(ExactPosition::from_fen(fen, true).unwrap()), ..Query::default() };
        assert_eq!((hits(&reached), library.records(&reached).unwrap()), (vec![1], vec![1, 3, 4]));
    }
}
