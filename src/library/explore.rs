//! Statistics of the moves played from a position.

use super::Library;
use super::error::{LibraryError, LibraryErrorKind};
use super::line::Line;
use super::pattern::ExactPosition;
use super::query::for_each_candidate;
use super::replay::Replay;
use super::store::last_game;
use crate::board::{Board, Setup};
use crate::book::{MoveStats, PlayerGames};
use crate::records::{RecordResult, player_name};
use crate::types::{Color, Move};
use rusqlite::Connection;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The moves played from a position, including games that reached its mirror image.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Explored {
    /// Number of games that reach the position.
    pub games: u32,
    /// The moves, most frequent first. A game counts once, with the move from its first visit.
    pub moves: Vec<ExploredMove>,
    /// The latest games, by date and then by number.
    pub latest: Vec<u32>,
}

/// A move with its statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploredMove {
    /// The move, on the given board.
    pub mv: Move,
    /// Statistics of the games with it.
    pub stats: MoveStats,
    /// The latest game with it.
    pub latest: u32,
}

/// Number of players listed per move.
const PLAYERS: usize = 3;

/// The games collected for a move.
struct Gathered {
    mv: Move,
    results: [u32; 4],
    games: Vec<u32>,
}

impl Library {
    /// The moves played from a position, and the latest games; `latest` is the maximum number of games listed.
    ///
    /// # Errors
    /// If the file is damaged, or another process holds it.
    pub fn explore(&self, board: &Board, latest: usize) -> Result<Explored, LibraryError> {
        let setup = Setup::from_board(board);
        let position = ExactPosition::new(&setup, Some(board.side_to_move()), true)
            .map_err(|error| LibraryErrorKind::Record(error.to_string()));
        let position = self.with_path(position)?;
        self.with_path(self.reading(|connection| explore(connection, &position, board.side_to_move(), latest)))
    }
}

fn explore(connection: &Connection, position: &ExactPosition, side: Color, latest: usize) -> Result<Explored, LibraryErrorKind> {
    let last = last_game(connection)?;
    let start = Replay::new(&Setup::standard()).ok_or_else(|| LibraryErrorKind::damaged("the start of the game"))?;
    let mut gathered: Vec<Gathered> = Vec::new();
    let mut by_move: HashMap<Move, usize> = HashMap::new();
    let mut ended = Vec::new();
    for_each_candidate(connection, position, last, &mut |game, line: Line<'_>| {
        if line.is_variant() {
            return Ok(());
        }
        let mut fault = false;
        let is_valid = line.replay(&start, |_, board, next| {
            let Some(mirrored) = position.matches(board) else { return ControlFlow::Continue(()) };
            match next.map(|code| board.clone().play(code)) {
                None => ended.push(game),
                Some(None) => fault = true,
                Some(Some(mv)) => {
                    let mv = if mirrored { mv.mirrored() } else { mv };
                    let index = *by_move.entry(mv).or_insert_with(|| {
                        gathered.push(Gathered { mv, results: [0; 4], games: Vec::new() });
                        gathered.len() - 1
                    });
                    gathered[index].results[line.result() as usize] += 1;
                    gathered[index].games.push(game);
                }
            }
            ControlFlow::Break(())
        });
        if is_valid && !fault { Ok(()) } else { Err(LibraryErrorKind::damaged(format!("the moves of game {game}"))) }
    })?;
    let info =
        GameInfo::new(connection, side, last, gathered.iter().map(|found| found.games.len()).sum::<usize>() + ended.len())?;
    let mut all = Vec::new();
    let mut moves = Vec::new();
    for found in gathered {
        moves.push(info.summed(connection, &found)?);
        for game in found.games {
            all.push((info.of(connection, game)?.0, game));
        }
    }
    for game in ended {
        all.push((info.of(connection, game)?.0, game));
    }
    moves.sort_by_key(|found| (std::cmp::Reverse(found.stats.games), found.mv));
    let games = all.len() as u32;
    let cut = latest.min(all.len());
    if cut > 0 {
        all.select_nth_unstable_by_key(cut - 1, |&entry| std::cmp::Reverse(entry));
    }
    all.truncate(cut);
    all.sort_unstable_by_key(|&entry| std::cmp::Reverse(entry));
    Ok(Explored { games, moves, latest: all.into_iter().map(|(_, game)| game).collect() })
}

/// Access to date and player of games: all read at once, or individually.
struct GameInfo {
    side: Color,
    all: Option<Vec<DateAndPlayer>>,
}

/// Date, and the text id of the player's name.
type DateAndPlayer = (u32, Option<u32>);

impl GameInfo {
    fn new(connection: &Connection, side: Color, last: u32, wanted: usize) -> Result<GameInfo, LibraryErrorKind> {
        let mut info = GameInfo { side, all: None };
        // A pass over all rows costs about as much as looking up a tenth of them individually.
        if wanted > last as usize / 10 {
            let mut all = vec![(0, None); last as usize + 1];
            let mut query = connection.prepare_cached("SELECT id, date, red, black FROM games")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(position) = all.get_mut(row.get::<_, u32>(0)? as usize) {
                    *position = info.read(row)?;
                }
            }
            info.all = Some(all);
        }
        Ok(info)
    }

    fn read(&self, row: &rusqlite::Row<'_>) -> rusqlite::Result<DateAndPlayer> {
        Ok((row.get::<_, Option<u32>>(1)?.unwrap_or(0), row.get(if self.side == Color::Red { 2 } else { 3 })?))
    }

    fn of(&self, connection: &Connection, game: u32) -> Result<DateAndPlayer, LibraryErrorKind> {
        if let Some(all) = &self.all {
            return Ok(all.get(game as usize).copied().unwrap_or_default());
        }
        let mut query = connection.prepare_cached("SELECT id, date, red, black FROM games WHERE id = ?1")?;
        Ok(query.query_row([game], |row| self.read(row))?)
    }

    fn summed(&self, connection: &Connection, found: &Gathered) -> Result<ExploredMove, LibraryErrorKind> {
        let mut players: HashMap<u32, u32> = HashMap::new();
        let mut latest = (0, 0);
        for &game in &found.games {
            let (date, player) = self.of(connection, game)?;
            latest = latest.max((date, game));
            if let Some(player) = player {
                *players.entry(player).or_default() += 1;
            }
        }
        // Several texts may be one name.
        let mut query = connection.prepare_cached("SELECT text FROM texts WHERE id = ?1")?;
        let mut named: HashMap<String, u32> = HashMap::new();
        for (id, games) in players {
            let text: String = query.query_row([id], |row| row.get(0))?;
            if let Some(name) = player_name(&text) {
                *named.entry(name).or_default() += games;
            }
        }
        let mut players: Vec<PlayerGames> = named.into_iter().map(|(name, games)| PlayerGames { name, games }).collect();
        players.sort_unstable_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        players.truncate(PLAYERS);
        let of = |result: RecordResult| found.results[result as usize];
        let stats = MoveStats {
            games: found.games.len() as u32,
            red_wins: of(RecordResult::RedWins),
            draws: of(RecordResult::Draw),
            black_wins: of(RecordResult::BlackWins),
            last_year: Some(latest.0 / 10_000).filter(|&year| year > 0),
            players,
        };
        Ok(ExploredMove { mv: found.mv, stats, latest: latest.1 })
    }
}
