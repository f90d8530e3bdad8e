//! `chuhe play`: plays a game on the terminal.

pub(super) mod board;
pub(super) mod input;
mod saving;

use super::Failure;
use super::files::{self, Force};
use super::output::Output;
use super::record_output::check_pgn;
use super::values::{language_of_environment, listed, one_of};
use crate::board::{Board, Position};
use crate::endgame::Tables;
use crate::notation::{self, LineReader, System};
use crate::report::{PieceStyle, View};
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

/// The same in Chinese.
const HELP_CHINESE: &str = "输入任意记谱法的着法（炮二平五、C2=5、h2e2），或
  legal [POINT]    合法着法，或某一点（如 h2）上棋子的着法
  moves            至此的全部着法
  hint             引擎全力思考时的着法
  back             悔棋：取消自己的上一着和引擎的应着
  draw             提和
  resign           认输
  new              新对局
  save [FILE]      将对局存为文件（.pgn、.xqf、.cbr、.cbf、.ubb、.wxf …），默认为上次的文件
  board            重画棋盘
  flip             翻转棋盘
  pieces [STYLE]   棋子样式：characters（繁体）、simplified（简体）或 letters（字母）
  notation [SYS]   设置记谱法，或列出全部记谱法
  level [N]        设置引擎的级别，或列出全部级别
  help             显示此列表
  quit             结束程序";

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
    /// Notation of displayed moves (default: wxr, in a Chinese locale chinese-simplified)
    #[arg(long, value_name = "SYS", value_parser = listed::<System>(System::ids()))]
    notation: Option<System>,
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
    /// Language of the messages.
    language: Language,
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
        let language = language_of_environment();
        let mut game = Game {
            arguments: &self,
            language,
            level: self.level,
            played_level: None,
            look,
            notation: self.notation.unwrap_or(View::usual_notation(language)),
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
        let begun = match self.arguments.side {
            Side::Both => self.either("Both sides.", "同机双人。").to_string(),
            _ => self.level_text(),
        };
        let help = self.either(" Type help for a list of commands.", "输入 help 可列出命令。");
        writeln!(self.output, "{begun}{help}")?;
        self.show()?;
        self.settle()?;
        loop {
            self.engine_moves()?;
            let prompt = match self.result {
                None => {
                    let side = self.name(self.position.side_to_move());
                    self.either(format!("{side} to move> "), format!("轮到{side}走> "))
                }
                Some(_) => self.either("game over> ", "对局已结束> ").to_string(),
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

    /// One of two texts, in the language of the messages.
    fn either<T>(&self, english: T, chinese: T) -> T {
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// The capitalised name of a side.
    fn name(&self, color: Color) -> &'static str {
        let chinese = match color {
            Color::Red => "红方",
            Color::Black => "黑方",
        };
        self.either(name(color), chinese)
    }

    fn level_text(&self) -> String {
        let (number, level) = (self.level, self.now());
        self.either(format!("Level {number}: {}.", level.description), format!("级别{number}：{}。", level.chinese))
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
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => match self.save_to_pgn() {
                Err(failure) if !self.is_saved_elsewhere && !has_refused => {
                    self.has_refused_to_quit = true;
                    let advice = self.either(
                        "; save FILE writes the game to another file, quit again loses it",
                        "；可用 save FILE 将对局存为另一文件，再次 quit 则放弃",
                    );
                    writeln!(self.output, "{}{advice}", self.text_of(&failure))?;
                }
                _ => return Ok(false),
            },
            "help" => writeln!(self.output, "{}", self.either(HELP, HELP_CHINESE))?,
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
                    writeln!(self.output, "{mark}{number:>3} {}", self.either(level.description, level.chinese))?;
                }
            }
            "level" => match rest.parse::<u8>() {
                Ok(level) if (1..=LEVELS.len()).contains(&(level as usize)) => {
                    self.level = level;
                    writeln!(self.output, "{}", self.level_text())?;
                }
                _ => {
                    let most = LEVELS.len();
                    let expected = format!("level: expected a number from 1 to {most}");
                    writeln!(self.output, "{}", self.either(expected, format!("level：级别应为1至{most}")))?;
                }
            },
            "resign" if self.result.is_none() => {
                let loser = self.position.side_to_move();
                let side = self.name(loser);
                writeln!(self.output, "{side}{}", self.either(" resigns.", "认输。"))?;
                self.end(GameResult::Loses(loser))?;
            }
            "draw" if self.result.is_none() => self.offer_draw()?,
            "save" => match self.save(rest) {
                Ok((path, losses)) => {
                    let (saved, without) = self.either(("saved ", ", without: "), ("已保存 ", "，未能保存："));
                    let lost = if losses.is_empty() { String::new() } else { format!("{without}{losses}") };
                    writeln!(self.output, "{saved}{}{lost}", path.display())?;
                }
                Err(failure) => writeln!(self.output, "{}", self.text_of(&failure))?,
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
            (_, Err(_)) => {
                let expected = "legal: expected a point such as h2, or nothing for all moves";
                return writeln!(self.output, "{}", self.either(expected, "legal：应为一点（如 h2），或不写以列出全部着法"));
            }
        };
        from.sort_unstable();
        from.dedup();
        let nothing = self.either("no legal move", "没有合法着法");
        let lines = from.iter().map(|&square| {
            let moves = legal.iter().filter(|mv| mv.from() == square);
            let texts: Vec<String> = moves.map(|&mv| notation::write(self.notation, board, mv)).collect();
            format!("{square}: {}", if texts.is_empty() { nothing.to_string() } else { texts.join(" ") })
        });
        let lines: Vec<String> = lines.collect();
        let none = if lines.is_empty() { self.either("There is no legal move.", "没有合法着法。") } else { "" };
        writeln!(self.output, "{none}{}", lines.join("\n"))
    }

    fn change_pieces(&mut self, name: &str) -> Result<(), Failure> {
        match name.parse() {
            Ok(style) => {
                self.look.style = style;
                self.show()
            }
            Err(_) => {
                let expected = "pieces: expected characters, simplified or letters";
                writeln!(self.output, "{}", self.either(expected, "pieces：应为 characters、simplified 或 letters"))
            }
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
                let (id, example) = (system.id(), system.example());
                let chosen = format!("Moves are shown in {id}, such as {example}.");
                writeln!(self.output, "{}", self.either(chosen, format!("记谱法：{id}，例如 {example}。")))
            }
            Err(error) => {
                let chinese = "notation：没有这种记谱法，notation 可列出全部".to_string();
                writeln!(self.output, "{}", self.either(format!("notation: {error}"), chinese))
            }
        }
    }

    fn human_moves(&mut self, text: &str) -> Result<(), Failure> {
        if self.result.is_some() {
            let english = "The game is over; new begins another, back takes the last move back.";
            return writeln!(self.output, "{}", self.either(english, "对局已结束；new 开始新对局，back 悔棋。"));
        }
        // An ambiguous move is read in the displayed notation first.
        let reader = LineReader::default().with_first(self.notation);
        match reader.read_move(&self.position, text) {
            Ok(mv) => self.play(mv),
            Err(error) => {
                let help = self.either("; help lists the commands", "；help 可列出命令");
                writeln!(self.output, "{}{help}", error.text(self.language))
            }
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Failure> {
        let text = notation::write(self.notation, self.position.board(), mv);
        let round = self.position.fullmove();
        let mover = self.name(self.position.side_to_move());
        self.position.make(mv);
        self.set_unsaved();
        self.show()?;
        let colon = self.either(": ", "：");
        let check = if self.position.in_check() { self.either(", check", "，将军") } else { "" };
        writeln!(self.output, "{round}. {mover}{colon}{text} ({mv}){check}")?;
        self.settle()
    }

    /// Ends the game if the rules do, and prints the reasons.
    fn settle(&mut self) -> Result<(), Failure> {
        let Some(result) = self.rules.game_result(&self.position) else { return Ok(()) };
        let write = |board: &Board, mv: Move| notation::write(self.notation, board, mv);
        let ruling = self.rules.ruling(&self.position);
        for line in ruling.lines(Wording { language: self.language, write: &write }) {
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
            GameResult::Draw => writeln!(self.output, "{}", self.either("The game is drawn.", "和棋。"))?,
            GameResult::Loses(loser) => {
                let winner = self.name(!loser);
                writeln!(self.output, "{winner}{}", self.either(" wins.", "胜。"))?;
            }
        }
        self.save_to_pgn().or_else(|failure| self.tell_unsaved(&failure))
    }

    /// Offers the engine a draw; in a game of two people the draw counts as agreed.
    fn offer_draw(&mut self) -> Result<(), Failure> {
        if self.arguments.side == Side::Both {
            writeln!(self.output, "{}", self.either("Both agree.", "双方同意。"))?;
            return self.end(GameResult::Draw);
        }
        let Some(score) = self.think(&DrawReply::limits(), None).map(|outcome| outcome.score) else { return Ok(()) };
        let reply = DrawReply::new(&self.position, score, Some(Tables::builtin()));
        let engine = self.name(!self.position.side_to_move());
        let (verb, chinese_verb) = if reply.accepts() { ("accepts", "同意") } else { ("declines", "不同意") };
        let (reason, chinese) = match reply {
            DrawReply::Worse => (format!("{engine} is worse"), format!("{engine}处于劣势")),
            DrawReply::Drawn => ("the position is a draw by the endgame tables".into(), "残局库判定为和棋".into()),
            DrawReply::LittleForce => {
                ("the position is level, and few attackers are left".into(), "局面均势，双方子力不多".into())
            }
            DrawReply::Quiet(moves) => (
                format!("the position is level, and nothing was captured for {moves} moves"),
                format!("局面均势，{moves}个回合没有吃子"),
            ),
            DrawReply::Better => (format!("{engine} is better"), format!("{engine}占优")),
            DrawReply::TooEarly => ("the game is still in the opening".into(), "尚在开局阶段".into()),
            DrawReply::MuchLeft => {
                ("the position is level, but there is much left to play for".into(), "局面均势，仍可一战".into())
            }
        };
        let english = format!("{engine} {verb} the draw: {reason}.");
        writeln!(self.output, "{}", self.either(english, format!("{engine}{chinese_verb}和棋：{chinese}。")))?;
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
            return writeln!(self.output, "{}", self.either("The game is over.", "对局已结束。"));
        }
        match self.best_move(None) {
            Some(mv) => {
                let text = notation::write(self.notation, self.position.board(), mv);
                writeln!(self.output, "{}{text} ({mv})", self.either("hint: ", "提示："))
            }
            None => Ok(()),
        }
    }

    /// Takes moves back until it is the player's turn; before the player's first move a resignation or an agreed draw.
    fn take_back(&mut self) -> Result<(), Failure> {
        // A move of the engine before it is no reply, and would only be followed by another.
        let has_moves = self.position.plies() > self.is_engines(self.start.side_to_move()) as usize;
        if !has_moves && (self.result.is_none() || self.rules.game_result(&self.position).is_some()) {
            return writeln!(self.output, "{}", self.either("There is nothing to take back.", "没有可悔的着法。"));
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
