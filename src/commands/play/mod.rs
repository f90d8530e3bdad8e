//! `chuhe play`: plays a game on the terminal.

pub(super) mod board;
pub(super) mod input;
mod saving;

use super::Failure;
use super::files::{self, Force};
use super::output::Output;
use super::record_output::check_pgn;
use super::values::{listed, one_of};
use crate::board::{Board, Position};
use crate::endgame::Tables;
use crate::notation::{self, LineReader, System};
use crate::report::PieceStyle;
use crate::rules::{Fold, GameResult, Language, Rules, Wording};
use crate::search::{Limits, Outcome, Settings};
use crate::threads::{DrawReply, LEVELS, PlayLevel, Pool};
use crate::types::{Color, Move, Square};
use board::{Look, draw};
use clap::{Args, ValueEnum};
use input::{Event, Input};
use saving::OwnFile;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe play
  chuhe play --level 3 --side black --pieces letters
  chuhe play --fen '4k4/9/9/9/9/9/9/9/R8/3K5 w' --pgn endgame.pgn

During the game: a move in any notation (h2e2, C2=5, 炮二平五), legal, moves, hint, back, draw, resign, new, save FILE, board, flip,
pieces STYLE, notation SYS, level N, help, quit.";

/// The help text during a game.
const HELP: &str = "A move in any notation (h2e2, C2=5, 炮二平五), or
  legal [POINT]    the legal moves, or those of the piece on a point such as h2
  moves            the moves so far
  hint             the move that the engine would play at full strength
  back             take back your last move and the engine's reply
  draw             offer a draw
  resign           resign the game
  new              begin another game
  save [FILE]      write the game to a file (.pgn, .xqf, .cbr, .cbf, .ubb, .wxf …), by default the last one
  board            draw the board again
  flip             turn the board
  pieces [STYLE]   set the symbols on the pieces: characters, simplified or letters
  notation [SYS]   set the notation of moves, or list all notations
  level [N]        set the level of the engine, or list all levels
  help             show this list
  quit             end the program";

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
    /// Maximum thinking time of the engine per move, in milliseconds (default: 2000)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    movetime: Option<u64>,
    /// Piece style
    #[arg(long, default_value_t, value_parser = one_of::<PieceStyle>(PieceStyle::NAMES))]
    pieces: PieceStyle,
    /// Notation of displayed moves
    #[arg(long, value_name = "SYS", default_value = "wxr", value_parser = listed::<System>(System::ids()))]
    notation: System,
    /// PGN file for all games of the session, each saved when it ends
    #[arg(long)]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Red,
    Black,
    /// Two people play at one board, without the engine
    Both,
}

/// Default thinking time of the engine per move.
const MOVE_TIME: Duration = Duration::from_secs(2);

/// A game in progress.
struct Game<'a> {
    arguments: &'a Play,
    /// Number of the level, from 1.
    level: u8,
    /// The level of the engine's last move in this game, or at its end; none before that.
    played_level: Option<u8>,
    look: Look,
    /// Notation of displayed moves.
    notation: System,
    start: Position,
    position: Position,
    rules: Rules,
    pool: Pool,
    /// Set when the user has interrupted the program.
    interrupted: Arc<AtomicBool>,
    output: Output,
    /// The result, by the rules, by agreement or by resignation.
    result: Option<GameResult>,
    /// The previous games as PGN, for `--pgn`.
    earlier: Vec<u8>,
    /// Whether the file of `--pgn` is out of date.
    is_unsaved: bool,
    /// Whether this run has already written the file of `--pgn`.
    has_written_pgn: bool,
    /// Whether that file contains this game, which a later state of it may replace.
    is_in_pgn: bool,
    /// Files written by `save`, most recent last.
    own_files: Vec<OwnFile>,
    /// Whether `save` has written this game as it is, so that it may end although the file of `--pgn` cannot be written.
    is_saved_elsewhere: bool,
    /// Whether the last command was a `quit` that would have lost the game.
    has_refused_to_quit: bool,
}

impl Play {
    pub(super) fn run(self) -> Result<(), Failure> {
        if let Some(path) = &self.pgn {
            check_pgn(path)?;
            // Report an unwritable file before the game, not after it.
            files::try_out(path, &[], self.force)?;
        }
        let start = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(Failure::at("--fen"))?,
        };
        let look = Look::here(self.pieces, self.side == Side::Black);
        let mut game = Game {
            arguments: &self,
            level: self.level,
            played_level: None,
            look,
            notation: self.notation,
            position: start.clone(),
            start,
            rules: Rules { search_fold: Fold::Third, ..Rules::default() },
            pool: Pool::new(1, 64),
            interrupted: Arc::default(),
            output: Output::streaming(),
            result: None,
            earlier: Vec::new(),
            is_unsaved: false,
            has_written_pgn: false,
            is_in_pgn: false,
            own_files: Vec::new(),
            is_saved_elsewhere: false,
            has_refused_to_quit: false,
        };
        let control = game.pool.control();
        let input = Input::open(Arc::clone(&game.interrupted), move || control.stop());
        game.run(&input)
    }
}

impl Game<'_> {
    fn run(&mut self, input: &Input) -> Result<(), Failure> {
        let ended = self.play_on(input);
        // The game is saved even after an error.
        let saved = self.save_to_pgn();
        ended.and(saved)
    }

    fn play_on(&mut self, input: &Input) -> Result<(), Failure> {
        match self.arguments.side {
            Side::Both => writeln!(self.output, "Both sides. Type help for a list of commands.")?,
            _ => writeln!(self.output, "Level {}: {}. Type help for a list of commands.", self.level, self.now().description)?,
        }
        self.show()?;
        self.settle()?;
        loop {
            self.engine_moves()?;
            let prompt = match self.result {
                None => format!("{} to move> ", name(self.position.side_to_move())),
                Some(_) => "game over> ".to_string(),
            };
            match input.ask(&prompt, &mut self.output)? {
                Event::Line(line) if self.execute(&line)? => {}
                Event::Line(_) => return Ok(()),
                Event::Failed(error) => return Err(Failure::at("standard input")(error)),
                // Ends the line of the prompt.
                Event::End => return writeln!(self.output),
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

    /// Executes a line of input; false to quit.
    fn execute(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let has_refused = std::mem::take(&mut self.has_refused_to_quit);
        match word {
            "" => {}
            "quit" | "exit" => match self.save_to_pgn() {
                Err(failure) if !self.is_saved_elsewhere && !has_refused => {
                    self.has_refused_to_quit = true;
                    writeln!(self.output, "{failure}; save FILE writes the game to another file, quit again loses it")?;
                }
                _ => return Ok(false),
            },
            "help" => writeln!(self.output, "{HELP}")?,
            "board" => self.show()?,
            "flip" => {
                self.look.flipped = !self.look.flipped;
                self.show()?;
            }
            "moves" => {
                let moves: Vec<Move> = self.position.moves().collect();
                let texts = notation::write_line(self.notation, self.start.board(), &moves);
                writeln!(self.output, "{}", texts.join(" "))?;
            }
            "legal" => self.list_legal(rest)?,
            "pieces" => self.change_pieces(rest)?,
            "notation" => self.change_notation(rest)?,
            "back" | "undo" => self.take_back()?,
            "hint" => self.hint()?,
            "new" => self.new_game()?,
            "level" if rest.is_empty() => {
                for (number, level) in (1..).zip(LEVELS) {
                    let mark = if number == self.level { '*' } else { ' ' };
                    writeln!(self.output, "{mark}{number:>3} {}", level.description)?;
                }
            }
            "level" => match rest.parse::<u8>() {
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
            "save" => match self.save(rest) {
                Ok((path, losses)) if losses.is_empty() => writeln!(self.output, "saved {}", path.display())?,
                Ok((path, losses)) => writeln!(self.output, "saved {}, without: {losses}", path.display())?,
                Err(failure) => writeln!(self.output, "{failure}")?,
            },
            _ => self.human_moves(line)?,
        }
        Ok(true)
    }

    /// Lists the legal moves, piece by piece.
    fn list_legal(&mut self, point: &str) -> Result<(), Failure> {
        let board = self.position.board();
        let legal = board.legal_moves();
        let mut from: Vec<Square> = match (point, point.parse::<Square>()) {
            ("", _) => legal.iter().map(|mv| mv.from()).collect(),
            (_, Ok(square)) => vec![square],
            (_, Err(_)) => return writeln!(self.output, "legal: expected a point such as h2, or nothing for all moves"),
        };
        from.sort_unstable();
        from.dedup();
        let lines = from.iter().map(|&square| {
            let moves = legal.iter().filter(|mv| mv.from() == square);
            let texts: Vec<String> = moves.map(|&mv| notation::write(self.notation, board, mv)).collect();
            format!("{square}: {}", if texts.is_empty() { "no legal move".to_string() } else { texts.join(" ") })
        });
        let lines: Vec<String> = lines.collect();
        let none = if lines.is_empty() { "There is no legal move." } else { "" };
        writeln!(self.output, "{none}{}", lines.join("\n"))
    }

    fn change_pieces(&mut self, name: &str) -> Result<(), Failure> {
        match name.parse() {
            Ok(style) => {
                self.look.style = style;
                self.show()
            }
            Err(_) => writeln!(self.output, "pieces: expected characters, simplified or letters"),
        }
    }

    fn change_notation(&mut self, name: &str) -> Result<(), Failure> {
        if name.is_empty() {
            for system in System::ALL {
                let mark = if system == self.notation { '*' } else { ' ' };
                writeln!(self.output, "{mark} {:<20} {}", system.id(), system.example())?;
            }
            return Ok(());
        }
        match name.parse::<System>() {
            Ok(system) => {
                self.notation = system;
                writeln!(self.output, "Moves are shown in {}, such as {}.", system.id(), system.example())
            }
            Err(error) => writeln!(self.output, "notation: {error}"),
        }
    }

    fn human_moves(&mut self, text: &str) -> Result<(), Failure> {
        if self.result.is_some() {
            return writeln!(self.output, "The game is over; new begins another, back takes the last move back.");
        }
        // An ambiguous move is read in the displayed notation first.
        let reader = LineReader::default().with_first(self.notation);
        match reader.read_move(&self.position, text) {
            Ok(mv) => self.play(mv),
            Err(error) => writeln!(self.output, "{error}; help lists the commands"),
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Failure> {
        let text = notation::write(self.notation, self.position.board(), mv);
        let round = self.position.fullmove();
        let mover = name(self.position.side_to_move());
        self.position.make(mv);
        self.set_unsaved();
        self.show()?;
        writeln!(self.output, "{round}. {mover}: {text} ({mv}){}", if self.position.in_check() { ", check" } else { "" })?;
        self.settle()
    }

    /// Ends the game if the rules do, and prints the reasons.
    fn settle(&mut self) -> Result<(), Failure> {
        let Some(result) = self.rules.game_result(&self.position) else { return Ok(()) };
        let write = |board: &Board, mv: Move| notation::write(self.notation, board, mv);
        let ruling = self.rules.ruling(&self.position);
        for line in ruling.lines(Wording { language: Language::English, write: &write }) {
            writeln!(self.output, "{line}")?;
        }
        self.end(result)
    }

    fn end(&mut self, result: GameResult) -> Result<(), Failure> {
        self.result = Some(result);
        self.set_unsaved();
        // A level chosen for the next game is not that of this one.
        self.played_level.get_or_insert(self.level);
        match result {
            GameResult::Draw => writeln!(self.output, "The game is drawn.")?,
            GameResult::Loses(loser) => writeln!(self.output, "{} wins.", name(!loser))?,
        }
        self.save_to_pgn().or_else(|failure| self.tell_unsaved(&failure))
    }

    /// Offers the engine a draw; in a game of two people the draw counts as agreed.
    fn offer_draw(&mut self) -> Result<(), Failure> {
        if self.arguments.side == Side::Both {
            writeln!(self.output, "Both agree.")?;
            return self.end(GameResult::Draw);
        }
        let Some(score) = self.think(&DrawReply::limits(), None).map(|outcome| outcome.score) else { return Ok(()) };
        let reply = DrawReply::new(&self.position, score, Some(Tables::builtin()));
        let engine = name(!self.position.side_to_move());
        let verb = if reply.accepts() { "accepts" } else { "declines" };
        let reason = match reply {
            DrawReply::Worse => format!("{engine} is worse"),
            DrawReply::Drawn => "the position is a draw by the endgame tables".to_string(),
            DrawReply::LittleForce => "the position is level, and few attackers are left".to_string(),
            DrawReply::Quiet(moves) => format!("the position is level, and nothing was captured for {moves} moves"),
            DrawReply::Better => format!("{engine} is better"),
            DrawReply::TooEarly => "the game is still in the opening".to_string(),
            DrawReply::MuchLeft => "the position is level, but there is much left to play for".to_string(),
        };
        writeln!(self.output, "{engine} {verb} the draw: {reason}.")?;
        if reply.accepts() { self.end(GameResult::Draw) } else { Ok(()) }
    }

    /// Whether the engine plays a side.
    fn is_engines(&self, side: Color) -> bool {
        match self.arguments.side {
            Side::Red => side == Color::Black,
            Side::Black => side == Color::Red,
            Side::Both => false,
        }
    }

    /// Whether the engine is to move.
    fn is_engines_turn(&self) -> bool {
        self.result.is_none() && self.is_engines(self.position.side_to_move())
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        if !self.is_engines_turn() {
            return Ok(());
        }
        match self.best_move(self.now().elo) {
            Some(mv) => {
                self.played_level = Some(self.level);
                self.play(mv)
            }
            None => Ok(()),
        }
    }

    fn best_move(&mut self, elo: Option<u32>) -> Option<Move> {
        let movetime = self.arguments.movetime.map_or(MOVE_TIME, Duration::from_millis);
        self.think(&Limits { movetime: Some(movetime), ..Limits::none() }, elo)?.best
    }

    /// Searches the position; `None` if the user has interrupted the program, which ends the game before the next input.
    fn think(&mut self, limits: &Limits, elo: Option<u32>) -> Option<Outcome> {
        let settings = Settings { elo, ..Settings::default() };
        // Arm before checking: a later interrupt stops the search, and an earlier one is seen by the check.
        self.pool.control().arm();
        if self.interrupted.load(Ordering::SeqCst) {
            return None;
        }
        let outcome = self.pool.search(&self.position, limits, &settings, &mut ());
        (!self.interrupted.load(Ordering::SeqCst)).then_some(outcome)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.result.is_some() {
            return writeln!(self.output, "The game is over.");
        }
        match self.best_move(None) {
            Some(mv) => {
                let text = notation::write(self.notation, self.position.board(), mv);
                writeln!(self.output, "hint: {text} ({mv})")
            }
            None => Ok(()),
        }
    }

    /// Takes moves back until it is the player's turn; before the player's first move a resignation or an agreed draw.
    fn take_back(&mut self) -> Result<(), Failure> {
        // A move of the engine before it is no reply, and would only be followed by another.
        let has_moves = self.position.plies() > self.is_engines(self.start.side_to_move()) as usize;
        if !has_moves && (self.result.is_none() || self.rules.game_result(&self.position).is_some()) {
            return writeln!(self.output, "There is nothing to take back.");
        }
        self.result = None;
        if has_moves {
            self.position.unmake();
        }
        if self.is_engines_turn() && self.position.plies() > 0 {
            self.position.unmake();
        }
        self.set_unsaved();
        self.show()
    }

    /// Starts another game from the same position; files that can contain several games keep this one.
    fn new_game(&mut self) -> Result<(), Failure> {
        if let Err(failure) = self.keep() {
            return self.tell_unsaved(&failure);
        }
        self.position = self.start.clone();
        self.result = None;
        (self.is_unsaved, self.is_saved_elsewhere, self.is_in_pgn, self.played_level) = (false, false, false, None);
        self.pool.clear();
        self.show()?;
        self.settle()
    }
}

/// The capitalised name of a side.
pub(super) fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}
