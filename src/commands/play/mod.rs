//! `chuhe play`: a game on the terminal.

mod board;
mod offer;

use super::Failure;
use super::files::{self, Force, OutputFile};
use super::output::Output;
use crate::board::Position;
use crate::notation::{self, LineReader, System};
use crate::protocol::pgn_of_system;
use crate::records::{self, Format, PgnOptions, Record, RecordResult, Setup, decode};
use crate::rules::{Fold, GameResult, Language, Rules};
use crate::search::{Limits, Outcome, Score, Settings};
use crate::threads::{LEVELS, PlayLevel, Pool};
use crate::types::{Color, Move};
use board::{Look, draw};
use clap::{Args, ValueEnum};
use offer::Answer;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe play
  chuhe play --level 3 --side black --pieces letters
  chuhe play --fen '4k4/9/9/9/9/9/9/9/R8/3K5 w' --pgn endgame.pgn

During the game: a move in any notation (h2e2, C2=5, 炮二平五), back, hint, flip, board, moves, save FILE, draw, resign, new,
level N, level (a list of all), help, quit.";

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

/// Time for a move of the engine when none is asked for.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// Nodes of the search that weighs an offer of a draw.
const OFFER_NODES: u64 = 50_000;

/// What happens at the board.
enum Event {
    /// A line was typed.
    Line(String),
    /// Standard input has ended, or the user has interrupted the program.
    End,
    /// Standard input cannot be read.
    Failed(io::Error),
}

/// A game in progress.
struct Game<'a> {
    arguments: &'a Play,
    /// Number of the level, from 1.
    level: u8,
    look: Look,
    start: Position,
    position: Position,
    rules: Rules,
    pool: Pool,
    output: Output,
    /// The result, once there is one: by the rules, by agreement, or because a side has resigned.
    result: Option<GameResult>,
    /// The games before this one, as PGN, for `--pgn`.
    earlier: Vec<u8>,
    /// Whether the file of `--pgn` lacks something.
    is_unsaved: bool,
    /// Files that were written, and may be written again.
    own_files: Vec<PathBuf>,
}

impl Play {
    pub(super) fn run(self) -> Result<(), Failure> {
        if let Some(path) = &self.pgn {
            // What cannot be written is known before the game, not after it.
            files::try_out(path, &[], self.force)?;
        }
        let start = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(Failure::at("--fen"))?,
        };
        let colors = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
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
            earlier: Vec::new(),
            is_unsaved: false,
            own_files: Vec::new(),
        };
        game.run(&events())
    }
}

/// What is typed, line by line, from a thread of its own: an interruption has to be heard while it waits.
fn events() -> Receiver<Event> {
    let (sender, receiver) = channel();
    let interrupted = sender.clone();
    // Without a handler an interruption ends the program at once, as before.
    let _ = ctrlc::set_handler(move || {
        let _ = interrupted.send(Event::End);
    });
    std::thread::spawn(move || {
        let mut lines = io::stdin().lock().split(b'\n');
        loop {
            let event = match lines.next() {
                Some(Ok(line)) => Event::Line(decode(&line).trim().to_string()),
                Some(Err(error)) => Event::Failed(error),
                None => Event::End,
            };
            let is_last = !matches!(event, Event::Line(_));
            if sender.send(event).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

impl Game<'_> {
    fn run(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        let ended = self.play_on(events);
        // Whatever has ended it, the game is kept.
        let saved = self.save_to_pgn();
        ended.and(saved)
    }

    fn play_on(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        writeln!(self.output, "Level {}: {}. Type help for what can be typed.", self.level, self.now().description)?;
        self.show()?;
        self.settle()?;
        loop {
            self.engine_moves()?;
            match self.result {
                None => write!(self.output, "{} to move> ", name(self.position.side_to_move()))?,
                Some(_) => write!(self.output, "game over> ")?,
            }
            self.output.flush()?;
            match events.recv() {
                Ok(Event::Line(line)) if self.obey(&line)? => {}
                Ok(Event::Line(_)) => return Ok(()),
                Ok(Event::Failed(error)) => return Err(Failure::at("standard input")(error)),
                // The prompt stands alone on its line.
                _ => return writeln!(self.output),
            }
        }
    }

    fn now(&self) -> &'static PlayLevel {
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
            "new" => self.new_game()?,
            "level" if rest.is_empty() => {
                for (number, level) in (1..).zip(LEVELS) {
                    let mark = if number == self.level { '*' } else { ' ' };
                    writeln!(self.output, "{mark}{number:>3} {}", level.description)?;
                }
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
                writeln!(self.output, "{} resigns.", name(loser))?;
                self.end(GameResult::Loses(loser))?;
            }
            "draw" if self.result.is_none() => self.offer_draw()?,
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
        // What can be a move in several notations is one in the notation that the game is shown in.
        let reader = LineReader::default().with_first(self.arguments.notation);
        match reader.read_move(&self.position, text) {
            Ok(mv) => self.play(mv),
            Err(error) => writeln!(self.output, "{error}; help lists what can be typed"),
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Failure> {
        let text = notation::write(self.arguments.notation, self.position.board(), mv);
        let round = self.position.fullmove();
        let mover = name(self.position.side_to_move());
        self.position.make(mv);
        self.is_unsaved = true;
        self.show()?;
        writeln!(self.output, "{round}. {mover}: {text} ({mv}){}", if self.position.in_check() { ", check" } else { "" })?;
        self.settle()
    }

    /// Ends the game where the rules do, and says why.
    fn settle(&mut self) -> Result<(), Failure> {
        let Some(result) = self.rules.game_result(&self.position) else { return Ok(()) };
        for line in self.rules.ruling(&self.position).lines(Language::English) {
            writeln!(self.output, "{line}")?;
        }
        self.end(result)
    }

    fn end(&mut self, result: GameResult) -> Result<(), Failure> {
        (self.result, self.is_unsaved) = (Some(result), true);
        match result {
            GameResult::Draw => writeln!(self.output, "The game is drawn.")?,
            GameResult::Loses(loser) => writeln!(self.output, "{} wins.", name(!loser))?,
        }
        self.save_to_pgn()
    }

    /// Offers the engine a draw; two people at one board have agreed on it.
    fn offer_draw(&mut self) -> Result<(), Failure> {
        if self.arguments.side == Side::Both {
            writeln!(self.output, "Both agree.")?;
            return self.end(GameResult::Draw);
        }
        let limits = Limits { nodes: Some(OFFER_NODES), ..Limits::none() };
        // The player is to move, so the engine's view is the other one.
        let score = match self.think(&limits, None).score {
            Score::Centipawns(value) => Score::Centipawns(-value),
            Score::Mate(moves) => Score::Mate(-moves),
        };
        let answer = Answer::new(&self.position, score);
        writeln!(self.output, "{}", answer.tell(!self.position.side_to_move()))?;
        if answer.accepts() { self.end(GameResult::Draw) } else { Ok(()) }
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
        match self.best_move(self.now().elo) {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    fn best_move(&mut self, elo: Option<u32>) -> Option<Move> {
        let movetime = self.arguments.movetime.map_or(MOVE_TIME, Duration::from_millis);
        self.think(&Limits { movetime: Some(movetime), ..Limits::none() }, elo).best
    }

    fn think(&mut self, limits: &Limits, elo: Option<u32>) -> Outcome {
        let settings = Settings { elo, ..Settings::default() };
        self.pool.search(&self.position, limits, &settings, &mut ())
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.result.is_some() {
            return writeln!(self.output, "The game is over.");
        }
        match self.best_move(None) {
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
        self.is_unsaved = true;
        self.show()
    }

    /// Begins another game from the same position; this one is kept for `--pgn`.
    fn new_game(&mut self) -> Result<(), Failure> {
        self.save_to_pgn()?;
        if self.position.plies() > 0 {
            let game = self.pgn()?;
            self.earlier.extend(game);
            // An empty line stands between games.
            self.earlier.extend_from_slice(pgn_of_system().line_ends.of("\n").as_bytes());
        }
        // What `save` has written is a game of its own now.
        self.own_files.retain(|own| self.arguments.pgn.as_ref() == Some(own));
        self.position = self.start.clone();
        self.result = None;
        self.is_unsaved = false;
        self.pool.clear();
        self.show()?;
        self.settle()
    }

    /// Writes the file of `--pgn`, with all games since the beginning.
    fn save_to_pgn(&mut self) -> Result<(), Failure> {
        match &self.arguments.pgn {
            Some(path) if self.is_unsaved && (self.position.plies() > 0 || self.result.is_some() || !self.earlier.is_empty()) => {
                let games = [&self.earlier[..], &self.pgn()?].concat();
                self.write(path, &games)?;
                self.is_unsaved = false;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes this game into a file.
    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        if path.as_os_str().is_empty() {
            return Err("save: expected the name of a file behind it".into());
        }
        if self.arguments.pgn.as_deref() == Some(path) {
            self.is_unsaved = true;
            return self.save_to_pgn();
        }
        let format = match Format::of_path(path) {
            Some(Format::Fen) => {
                return Err(format!(
                    "save {}: a list of positions holds no game, expected .pgn, .xqf, .ubb or .wxf",
                    path.display()
                )
                .into());
            }
            Some(format) => format,
            None if path.extension().is_none() => Format::Pgn,
            None => {
                let place = path.display();
                return Err(format!("save {place}: an unknown extension, expected .pgn, .xqf, .ubb, .wxf or none for PGN").into());
            }
        };
        let bytes = self.record().and_then(|record| written(&record, format))?;
        self.write(path, &bytes)
    }

    /// Writes a file, which may replace what this program has written there of the same game. Only the file of `--pgn` replaces what
    /// somebody else has written, where `--force` allows it.
    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let is_own = self.own_files.iter().any(|own| own == path);
        let is_forced = self.arguments.force.force && self.arguments.pgn.as_deref() == Some(path);
        OutputFile::write_whole(path, bytes, &[], Force { force: is_forced || is_own })?;
        if !is_own {
            self.own_files.push(path.to_path_buf());
        }
        Ok(())
    }

    /// The game as PGN.
    fn pgn(&self) -> Result<Vec<u8>, Failure> {
        written(&self.record()?, Format::Pgn)
    }

    /// The game as a record.
    fn record(&self) -> Result<Record, Failure> {
        let mut record = Record::new(Setup::from_position(&self.start));
        let engine = format!("chuhe {} level {}", env!("CARGO_PKG_VERSION"), self.level);
        let [red, black] = match self.arguments.side {
            Side::Red => ["Player", &engine],
            Side::Black => [&engine, "Player"],
            Side::Both => ["Player", "Player"],
        };
        record.set_tag("Date", crate::arena::today());
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
            tip = record.add(tip, mv).map_err(Failure::at("the game"))?;
        }
        Ok(record)
    }
}

/// A game as the bytes of a file.
fn written(record: &Record, format: Format) -> Result<Vec<u8>, Failure> {
    let options = PgnOptions { notation: System::Iccs, ..pgn_of_system() };
    Ok(records::write(record, format, &options)?.0)
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}
