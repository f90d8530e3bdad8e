//! The opening explorer: the moves played from a position, in the host's library or, where there is none (as in WebAssembly), in games
//! sent by the page. Such games are replayed one after another; a few thousand take about ten milliseconds.

use super::document::{GameLine, fault, legal, position_of};
use super::error::RequestError;
use super::host::Host;
use super::limits::{LATEST_GAMES, LISTED_GAMES, LISTED_PLAYERS};
#[cfg(doc)]
use super::message::Question;
use super::message::{AskExplore, AskLines, Explored, ExploredGame, ExploredMove, Move as MoveForm};
use super::reader;
use crate::board::{Board, Setup};
use crate::book::{MoveStats, PlayerGames};
use crate::notation::Notation;
use crate::records::{RecordResult, player_name, read_date};
use crate::types::{Color, Move, sort_by};
use std::collections::HashMap;

/// The first [`LISTED_GAMES`] games of a source, in the form expected by [`Question::Explore`]. Unreadable games are skipped.
pub(super) fn lines(ask: &AskLines, host: &dyn Host) -> Result<Vec<GameLine>, RequestError> {
    let found = reader::find(&ask.source, host)?;
    let records = (1..).zip(found.records).filter_map(|(number, record)| Some((number, record.ok()?)));
    let line = |(number, record): (u32, crate::records::Record)| {
        let tag = |name: &str| record.tag(name).unwrap_or_default().to_string();
        GameLine {
            game: number,
            start: (!record.start.is_standard()).then(|| record.start.to_fen()),
            moves: record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "),
            red: tag("Red"),
            black: tag("Black"),
            date: tag("Date"),
            event: tag("Event"),
            result: record.result.token().to_string(),
        }
    };
    Ok(records.map(line).take(LISTED_GAMES).collect())
}

/// Explores the games of the request, or the library if it contains none.
pub(super) fn explore(ask: &AskExplore, host: &dyn Host) -> Result<Explored, RequestError> {
    let position = position_of(&ask.line)?;
    let notation = Notation::new(ask.notation.0);
    match &ask.games {
        Some(games) => explore_lines(position.board(), games, &notation),
        None => host.explore(position.board(), &notation),
    }
}

/// A move and the indices of the games in which it was played.
struct Played {
    mv: Move,
    games: Vec<usize>,
}

/// The moves played from a position or its mirror image in these games. A game counts once, with the move played at the first occurrence of
/// the position.
fn explore_lines(board: &Board, games: &[GameLine], notation: &Notation) -> Result<Explored, RequestError> {
    let mut played: Vec<Played> = Vec::new();
    let mut found = Vec::new();
    for (place, game) in games.iter().enumerate() {
        let fault = |error| RequestError::Game { game: game.game, error: Box::new(error) };
        let Some((mv, plies)) = visit(board, game).map_err(fault)? else { continue };
        found.push((place, plies));
        let Some(mv) = mv else { continue };
        match played.iter_mut().find(|known| known.mv == mv) {
            Some(known) => known.games.push(place),
            None => played.push(Played { mv, games: vec![place] }),
        }
    }
    sort_by(&mut played, |a, b| b.games.len().cmp(&a.games.len()).then(a.mv.cmp(&b.mv)));
    let total = found.len() as u32;
    let date = |&(place, _): &(usize, usize)| (date_of(&games[place]), place);
    sort_by(&mut found, |a, b| date(b).cmp(&date(a)));
    Ok(Explored {
        games: total,
        moves: played.iter().map(|known| summed(board, known, games, notation)).collect(),
        latest: found.into_iter().take(LATEST_GAMES).map(|(place, plies)| entry(&games[place], plies)).collect(),
    })
}

/// The move that a game played at the first occurrence of a position (`None` if the game ends there), and the length of the game in plies.
/// `None` if the game does not reach the position. An illegal move up to there is an error.
fn visit(board: &Board, game: &GameLine) -> Result<Option<(Option<Move>, usize)>, RequestError> {
    let start = game.start.as_deref().map_or_else(|| Ok(Setup::standard()), Setup::from_fen)?;
    // A record can start with a position that is not legal, but no legal one is reached from there.
    let Ok(start) = start.position() else { return Ok(None) };
    let mut at = *start.board();
    let moves: Vec<&str> = game.moves.split_whitespace().collect();
    let (key, image) = (board.key(), board.mirrored_key());
    let mut rest = (1..).zip(&moves);
    loop {
        let is_image = at.key() == image && at.key() != key;
        let next = rest.next().map(|(number, text)| legal(&at, text).ok_or_else(|| fault(number, text))).transpose()?;
        if at.key() == key || is_image {
            return Ok(Some((next.map(|mv| if is_image { mv.mirrored() } else { mv }), moves.len())));
        }
        let Some(next) = next else { return Ok(None) };
        at = at.after(next);
    }
}

fn summed(board: &Board, known: &Played, games: &[GameLine], notation: &Notation) -> ExploredMove {
    let own = || known.games.iter().map(|&place| &games[place]);
    let of = |result: RecordResult| own().filter(|game| game.result == result.token()).count() as u32;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for game in own() {
        let player = if board.side_to_move() == Color::Red { &game.red } else { &game.black };
        if let Some(name) = player_name(player) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut players: Vec<_> = counts.into_iter().map(|(name, games)| PlayerGames { name, games }).collect();
    sort_by(&mut players, |a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
    players.truncate(LISTED_PLAYERS);
    let stats = MoveStats {
        games: known.games.len() as u32,
        red_wins: of(RecordResult::RedWins),
        draws: of(RecordResult::Draw),
        black_wins: of(RecordResult::BlackWins),
        last_year: own().map(|game| date_of(game) / 10_000).max().filter(|&year| year > 0),
        players,
    };
    ExploredMove { mv: MoveForm::named(notation, board, known.mv), stats }
}

/// The date as a number, see [`read_date`]; 0 if the year is unknown.
fn date_of(game: &GameLine) -> u32 {
    read_date(&game.date).unwrap_or(0)
}

fn entry(game: &GameLine, plies: usize) -> ExploredGame {
    ExploredGame {
        game: game.game,
        red: game.red.clone(),
        black: game.black.clone(),
        date: game.date.clone(),
        event: game.event.clone(),
        result: game.result.clone(),
        plies: plies as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::LineForm;
    use super::super::host::EmptyHost;
    use super::super::message::{Named, Source};
    use super::*;
    use crate::notation::System;

    const GAMES: &str = "[Red \"A\"]\n[Black \"B\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n\n\
        [Red \"A\"]\n[Black \"C\"]\n[Date \"????.??.??\"]\n[Result \"0-1\"]\n\n1. B2-E2 B9-C7 2. B0-A2 0-1\n\n\
        [Red \"D\"]\n[Black \"B\"]\n[Date \"1999\"]\n[Result \"1/2-1/2\"]\n\n1. H2-E2 H7-E7 1/2-1/2\n\n[Red \"E\"]\n\n1. C3-C4 *\n";

    fn explored(moves: &str) -> Explored {
        let games = lines(&AskLines { source: Source::Text(GAMES.into()) }, &EmptyHost).unwrap();
        assert_eq!((games.len(), games[0].moves.as_str(), games[0].start.as_deref()), (4, "h2e2 h9g7 h0g2", None));
        let line = LineForm { start: None, moves: moves.split_whitespace().map(str::to_string).collect() };
        explore(&AskExplore { line, notation: Named(System::Wxr), games: Some(games) }, &EmptyHost).unwrap()
    }

    #[test]
    fn sent_games_are_explored_with_their_mirror_images() {
        let found = explored("");
        assert_eq!(found.games, 4);
        let texts: Vec<_> = found.moves.iter().map(|known| (known.mv.text.as_str(), known.stats.games)).collect();
        // The starting position is its own mirror image, so its mirrored moves are counted separately.
        assert_eq!(texts, [("C2=5", 2), ("C8=5", 1), ("P7+1", 1)]);
        let first = &found.moves[0].stats;
        assert_eq!((first.red_wins, first.draws, first.black_wins, first.last_year), (1, 1, 0, Some(2001)));
        assert_eq!(
            first.players.iter().map(|player| (player.name.as_str(), player.games)).collect::<Vec<_>>(),
            [("A", 1), ("D", 1)]
        );
        assert_eq!(found.latest.iter().map(|game| game.game).collect::<Vec<_>>(), [1, 3, 4, 2]);
        let found = explored("h2e2");
        let texts: Vec<_> = found.moves.iter().map(|known| (known.mv.text.as_str(), known.stats.games)).collect();
        assert_eq!((found.games, texts), (3, vec![("H8+7", 2), ("C8=5", 1)]));
        let found = explored("b2e2 b9c7");
        let mut moves: Vec<_> = found.moves.iter().map(|known| (known.mv.mv.as_str(), known.stats.games)).collect();
        moves.sort();
        assert_eq!((found.games, moves), (2, vec![("b0a2", 1), ("b0c2", 1)]));
        // A game that ends in the position is counted, but adds no move.
        assert_eq!((explored("c3c4").games, explored("c3c4").moves.len(), explored("a0a1").games), (1, 0, 0));
    }

    #[test]
    fn games_that_cannot_be_replayed_are_errors() {
        let mut games = lines(&AskLines { source: Source::Text(GAMES.into()) }, &EmptyHost).unwrap();
        let mut problem = |start: Option<&str>, moves: &str| {
            games[1].start = start.map(str::to_string);
            games[1].moves = moves.into();
            let line = LineForm { start: None, moves: vec!["h2e2".into()] };
            let ask = AskExplore { line, notation: Named(System::Wxr), games: Some(games.clone()) };
            explore(&ask, &EmptyHost).unwrap_err().to_string()
        };
        assert_eq!(problem(None, "xx"), "game 2: move 1: 'xx' is not legal");
        assert_eq!(problem(None, "c3c4 h2e3"), "game 2: move 2: 'h2e3' is not legal");
        assert_eq!(problem(Some("9/9 w"), ""), "game 2: start: FEN has 2 rows, expected 10");
    }

    #[test]
    fn exploring_without_a_library_is_an_error() {
        let ask = AskExplore { line: LineForm { start: None, moves: vec![] }, notation: Named(System::Wxr), games: None };
        assert!(explore(&ask, &EmptyHost).unwrap_err().to_string().contains("no library"));
    }
}
