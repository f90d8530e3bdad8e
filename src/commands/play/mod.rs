//! `chuhe play`: a game on the terminal.

mod board;
mod level;

use super::Failure;
use super::files::{self, Force, OutputFile};
use super::output::Output;
use crate::board::Position;
use crate::notation::{self, System};
use crate::records::{self, Format, PgnOptions, Record, RecordResult, Setup};
use crate::rules::{Fold, GameResult, Language, Rules};
use crate::search::{Limits, Settings};
use crate::threads::Pool;
use crate::types::{Color, Move};
use board::{Look, draw};
use clap::{Args, ValueEnum};
use level::LEVELS;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe play
  chuhe play --level 3 --side black --pieces letters
  chuhe play --fen '4k4/9/9/9/9/9/9/9/R8/4K4 w' --pgn endgame.pgn

During the game: a move in any notation (h2e2, C2=5, 炮二平五), back, hint, flip, board, moves, save FILE, resign, new, level N, quit.";

/// Arguments of `chuhe play`.
#[derive(Args, Debug)]
pub struct Play {
    /// Strength, from 1 (a child's first games) to 12 (full strength)
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=LEVELS.len() as i64))]
    level: u8,
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::Red)]
    side: Side,
    /// Position to start from (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// Milliseconds that the engine thinks about a move at most (default: 2000)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    movetime: Option<u64>,
    /// What is drawn on the pieces
    #[arg(long, value_enum, default_value_t = Pieces::Characters)]
    pieces: Pieces,
    /// Notation in which moves are shown
    #[arg(long, default_value = "wxr")]
    notation: System,
    /// File to save the game to when it ends
    #[arg(long)]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Red,
    Black,
    /// The engine does not play: two people at one board
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Pieces {
    Characters,
    Letters,
}

/// A game in progress.
struct Game<'a> {
    arguments: &'a Play,
    level: u8,
    look: Look,
    start: Position,
    position: Position,
    rules: Rules,
    pool: Pool,
    output: Output,
    /// The result, once there is one: by the rules, or because a side has resigned.
    result: Option<GameResult>,
    is_saved: bool,
}

impl Play {
    pub(super) fn run(self) -> Result<(), Failure> {
        if let Some(path) = &self.pgn {
            files::check(path, &[], self.force)?;
        }
        let start = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(Failure::at("--fen"))?,
        };
        let colors = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let look = Look { letters: self.pieces == Pieces::Letters, colors, flipped: self.side == Side::Black };
        let mut game = Game {
            arguments: &self,
            level: self.level,
            look,
            position: start.clone(),
            start,
            rules: Rules { search_fold: Fold::Third, ..Rules::default() },
            pool: Pool::new(1, 64),
            output: Output::streaming(),
            result: None,
            is_saved: false,
        };
        game.run()
    }
}

impl Game<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        writeln!(self.output, "Level {}: {}. Type help for what can be typed.", self.level, self.now().description)?;
        self.show()?;
        self.settle()?;
        let mut lines = std::io::stdin().lock().lines();
        loop {
            self.engine_moves()?;
            write!(self.output, "{} to move> ", name(self.position.side_to_move()))?;
            self.output.flush()?;
            let Some(line) = lines.next() else { break };
            let line = line.map_err(Failure::at("standard input"))?;
            if !self.obey(line.trim())? {
                break;
            }
        }
        if let (Some(path), false) = (&self.arguments.pgn, self.is_saved) {
            self.save(path)?;
        }
        Ok(())
    }

    fn now(&self) -> &'static level::Level {
        &LEVELS[(self.level as usize).clamp(1, LEVELS.len()) - 1]
    }

    fn show(&mut self) -> Result<(), Failure> {
        let text = draw(self.position.board(), self.position.moves().last(), self.look);
        write!(self.output, "\n{text}")
    }

    /// Does what a line asks; false at the end of the game.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "quit" | "exit" => return Ok(false),
            "help" => writeln!(self.output, "{EXAMPLES}")?,
            "board" => self.show()?,
            "flip" => {
                self.look.flipped = !self.look.flipped;
                self.show()?;
            }
            "moves" => {
                let moves: Vec<Move> = self.position.moves().collect();
                let texts = notation::write_line(self.arguments.notation, self.start.board(), &moves);
                writeln!(self.output, "{}", texts.join(" "))?;
            }
            "back" | "undo" => self.take_back()?,
            "hint" => self.hint()?,
            "new" => {
                self.position = self.start.clone();
                (self.result, self.is_saved) = (None, false);
                self.show()?;
            }
            "level" => match rest.trim().parse::<u8>() {
                Ok(level) if (1..=LEVELS.len()).contains(&(level as usize)) => {
                    self.level = level;
                    writeln!(self.output, "Level {level}: {}.", self.now().description)?;
                }
                _ => writeln!(self.output, "level: expected a number from 1 to {}", LEVELS.len())?,
            },
            "resign" if self.result.is_none() => {
                let loser = self.position.side_to_move();
                self.result = Some(GameResult::Loses(loser));
                writeln!(self.output, "{} resigns.", name(loser))?;
            }
            "save" => match self.save(Path::new(rest.trim())) {
                Ok(()) => writeln!(self.output, "saved {}", rest.trim())?,
                Err(failure) => writeln!(self.output, "{failure}")?,
            },
            _ => self.human_moves(line)?,
        }
        Ok(true)
    }

    fn human_moves(&mut self, text: &str) -> Result<(), Failure> {
        if self.result.is_some() {
            return writeln!(self.output, "The game is over; new begins another, back takes the last move back.");
        }
        // Of the systems in which the text is a legal move, the first counts; they are listed from the usual to the historical.
        let board = self.position.board();
        let read = System::ALL.into_iter().find_map(|system| notation::read(system, board, text).ok());
        match read {
            Some(mv) => self.play(mv),
            None => {
                let error = match notation::read_auto(board, text) {
                    Ok(_) => "not understood".to_string(),
                    Err(error) => error.to_string(),
                };
                writeln!(self.output, "{error}; help lists what can be typed")
            }
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Failure> {
        let text = notation::write(self.arguments.notation, self.position.board(), mv);
        let round = self.position.fullmove();
        let mover = name(self.position.side_to_move());
        self.position.make(mv);
        self.show()?;
        writeln!(self.output, "{round}. {mover}: {text} ({mv}){}", if self.position.in_check() { ", check" } else { "" })?;
        self.settle()
    }

    /// Ends the game where the rules do, and says why.
    fn settle(&mut self) -> Result<(), Failure> {
        self.result = self.rules.game_result(&self.position);
        let Some(result) = self.result else { return Ok(()) };
        for line in self.rules.ruling(&self.position).lines(Language::English) {
            writeln!(self.output, "{line}")?;
        }
        match result {
            GameResult::Draw => writeln!(self.output, "The game is drawn."),
            GameResult::Loses(loser) => writeln!(self.output, "{} wins.", name(!loser)),
        }
    }

    /// Whether the engine is to move.
    fn is_engines_turn(&self) -> bool {
        let human = match self.arguments.side {
            Side::Red => Color::Red,
            Side::Black => Color::Black,
            Side::Both => return false,
        };
        self.result.is_none() && self.position.side_to_move() != human
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        if !self.is_engines_turn() {
            return Ok(());
        }
        let level = self.now();
        let moves = self.position.board().legal_moves();
        // The standard hasher is seeded by the system: another draw for each move.
        let draw = RandomState::new().hash_one(self.position.plies());
        let any = moves.iter().copied().nth((draw / 100) as usize % moves.len().max(1));
        let best = if draw % 100 < level.random { any } else { self.search(level.elo, level.noise) };
        match best.or(any) {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    fn search(&mut self, elo: Option<u32>, noise: i32) -> Option<Move> {
        let movetime = self.arguments.movetime.map_or(level::MOVE_TIME, Duration::from_millis);
        let limits = Limits { movetime: Some(movetime), ..Limits::none() };
        let settings = Settings { rules: Rules::default(), elo, randomness: noise, ..Settings::default() };
        self.pool.search(&self.position, &limits, &settings, &mut ()).best
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.result.is_some() {
            return writeln!(self.output, "The game is over.");
        }
        match self.search(None, 0) {
            Some(mv) => {
                let text = notation::write(self.arguments.notation, self.position.board(), mv);
                writeln!(self.output, "hint: {text} ({mv})")
            }
            None => Ok(()),
        }
    }

    /// Takes back to the last time that it was the player's turn.
    fn take_back(&mut self) -> Result<(), Failure> {
        if self.position.plies() == 0 {
            return writeln!(self.output, "There is nothing to take back.");
        }
        self.result = None;
        self.position.unmake();
        if self.is_engines_turn() && self.position.plies() > 0 {
            self.position.unmake();
        }
        self.is_saved = false;
        self.show()
    }

    /// Writes the game as PGN.
    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        if path.as_os_str().is_empty() {
            return Err("save: expected the name of a file behind it".into());
        }
        let mut record = Record::new(Setup::from_position(&self.start));
        let engine = format!("chuhe {} level {}", env!("CARGO_PKG_VERSION"), self.level);
        let [red, black] = match self.arguments.side {
            Side::Red => ["Player", &engine],
            Side::Black => [&engine, "Player"],
            Side::Both => ["Player", "Player"],
        };
        record.set_tag("Red", red);
        record.set_tag("Black", black);
        record.result = match self.result {
            None => RecordResult::Unknown,
            Some(GameResult::Draw) => RecordResult::Draw,
            Some(GameResult::Loses(Color::Red)) => RecordResult::BlackWins,
            Some(GameResult::Loses(Color::Black)) => RecordResult::RedWins,
        };
        let mut tip = record.root();
        for mv in self.position.moves() {
            tip = record.add(tip, mv).map_err(Failure::at(path.display()))?;
        }
        let options = PgnOptions { notation: System::Iccs, ..PgnOptions::default() };
        let (bytes, _) = records::write(&record, Format::Pgn, &options)?;
        OutputFile::write_whole(path, &bytes, &[], self.arguments.force)?;
        self.is_saved = true;
        Ok(())
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}
