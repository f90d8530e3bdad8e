//! The state of a conversation: what a command means now, and when an answer is due.

use super::command::{Command, PositionText};
use super::dialect::Dialect;
use super::format::{Word, ucci_score};
use super::go::GoRequest;
use super::library::Library;
use super::options::{Id, Options, announcements};
use super::output::{LONGEST_LINE, Output};
use super::worker::{Manner, SearchTask, Worker};
use super::{Event, people};
use crate::board::{Board, Position};
use crate::book::Chosen;
use crate::rules::{Language, Verdict};
use crate::search::{Bound, Limits, Outcome, Score};
use crate::types::Move;
use std::collections::VecDeque;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

/// Answers in a row in which the engine is being mated before it may resign.
const HOPELESS_ANSWERS: u32 = 3;

/// Centipawns up to which the engine is not better: the search varies the score of a dead draw by a point.
const EQUAL: i32 = 5;

/// XiangQi Wizard's name for itself. It shows messages in the Windows code page, and offers no way to set our options.
const CODE_PAGE_CLIENT: &str = "XQWizard";

/// Options for clients that offer no way to set them: `name=value` pairs with `;` between.
const OPTIONS_VARIABLE: &str = "CHUHE_OPTIONS";

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It does.
    Continue,
    /// The process ends.
    End,
}

/// What the worker is busy with, from `go` to the answer.
struct Running {
    /// Whether an answer is due at the end; a count of positions prints its own.
    is_search: bool,
    /// Where the search began.
    board: Board,
    /// `go ponder`, before `ponderhit`.
    pondering: bool,
    /// The answer must wait for `stop` (or `ponderhit`).
    held_back: bool,
    /// Only a stop (or `ponderhit`, or a mate that may not exist) ends it.
    endless: bool,
    /// The answer that waits.
    answer: Option<Outcome>,
    /// A stop was asked for.
    stopping: bool,
    /// UCCI: the opponent has offered a draw.
    draw_offered: bool,
}

/// A conversation with one client.
pub struct Session {
    dialect: Dialect,
    options: Options,
    position: Position,
    banned: Vec<Move>,
    running: Option<Running>,
    /// What came while the worker was busy and has to wait.
    queue: VecDeque<Command>,
    /// Tasks under way that are no search.
    chores: usize,
    /// `readyok`s owed when the chores are done.
    owed: usize,
    input_ended: bool,
    hopeless: u32,
    library: Library,
    worker: Worker,
    output: Output,
}

impl Session {
    /// A conversation whose worker reports to `events`, all of which must be given to [`Session::hear`].
    pub fn new(output: Output, events: UnboundedSender<Event>) -> Session {
        let mut options = Options::default();
        for pair in std::env::var(OPTIONS_VARIABLE).unwrap_or_default().split(';') {
            if let Some((name, value)) = pair.split_once('=') {
                options.set(name.trim(), Some(value.trim()));
            }
        }
        let network = options.load_network();
        let (threads, hash) = (options.number(Id::Threads) as usize, options.number(Id::Hash) as usize);
        if let Err(error) = network {
            log::error!("{OPTIONS_VARIABLE}: {error}");
        }
        Session {
            dialect: Dialect::Uci,
            position: Position::startpos(),
            banned: Vec::new(),
            running: None,
            queue: VecDeque::new(),
            chores: 0,
            owed: 0,
            input_ended: false,
            hopeless: 0,
            library: Library::default(),
            worker: Worker::start(threads, hash, output.clone(), events),
            options,
            output,
        }
    }

    /// Takes a line of input.
    pub fn receive(&mut self, line: &[u8]) -> Flow {
        log::debug!("< {}", String::from_utf8_lossy(&line[..line.len().min(200)]).trim_end());
        self.take(Command::parse(line))
    }

    /// Takes the end of input: as `quit`, but a batch is finished first.
    pub fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        if !self.options.is_on(Id::Batch) {
            return self.quit();
        }
        self.stop_if_endless();
        self.end_if_all_is_done()
    }

    /// Takes an event of the worker.
    pub fn hear(&mut self, event: Event) -> Flow {
        match event {
            Event::Finished(outcome) => self.finished(outcome),
            Event::Counted => self.running = None,
            Event::Done => {
                self.chores = self.chores.saturating_sub(1);
                if self.chores == 0 {
                    for _ in 0..std::mem::take(&mut self.owed) {
                        self.output.line("readyok");
                    }
                }
            }
        }
        self.take_queued()
    }

    /// Whether a stop is under way.
    fn is_stopping(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.stopping)
    }

    /// A command in the present state: what may come at any time is done, the rest waits or is dropped while thinking.
    fn take(&mut self, command: Command) -> Flow {
        match command {
            Command::Unknown => {}
            Command::IsReady => self.ready(),
            Command::Uci => self.handshake(Dialect::Uci),
            Command::Ucci => self.handshake(Dialect::Ucci),
            Command::Probe(text) => self.probe(&text),
            Command::Help => people::help(&self.output),
            Command::Compiler => people::compiler(&self.output),
            command if self.running.is_some() => return self.take_while_thinking(command),
            command => return self.execute(command),
        }
        Flow::Continue
    }

    fn take_while_thinking(&mut self, command: Command) -> Flow {
        let batch = self.options.is_on(Id::Batch);
        // What follows a queued `go` is meant for that one.
        let go_is_queued = self.queue.iter().any(|command| matches!(command, Command::Go(_)));
        match command {
            Command::Quit if batch => {
                self.queue.push_back(Command::Quit);
                self.stop_if_endless();
            }
            Command::Quit => return self.quit(),
            Command::Stop | Command::PonderHit { .. } if go_is_queued => self.queue.push_back(command),
            Command::Stop if batch && !self.is_endless() => {}
            Command::Stop => self.stop(),
            Command::PonderHit { draw } => self.ponderhit(draw),
            Command::Go(_) if !batch && !self.is_stopping() => {}
            command => self.queue.push_back(command),
        }
        Flow::Continue
    }

    /// Takes up what had to wait. Each command meets the state that the one before it has left.
    fn take_queued(&mut self) -> Flow {
        if self.running.is_none() {
            for command in std::mem::take(&mut self.queue) {
                // In a batch a stop belongs to a search that has ended by itself.
                if command == Command::Stop && self.running.is_none() {
                    continue;
                }
                if self.take(command) == Flow::End {
                    return Flow::End;
                }
            }
        }
        self.end_if_all_is_done()
    }

    fn end_if_all_is_done(&mut self) -> Flow {
        if self.input_ended && self.running.is_none() && self.queue.is_empty() { self.quit() } else { Flow::Continue }
    }

    /// A command in idle.
    fn execute(&mut self, command: Command) -> Flow {
        match command {
            Command::SetOption(name, value) => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::BanMoves(moves) => {
                let board = self.position.board();
                let moves = moves.iter().filter_map(|text| Move::from_uci(text).ok());
                self.banned = moves.filter(|&mv| board.is_legal(mv)).collect();
            }
            Command::Go(request) => self.go(&request),
            Command::Stop if self.dialect == Dialect::Ucci => self.output.line("nobestmove"),
            Command::Quit => return self.quit(),
            Command::Display => people::display(&self.output, &self.position, &self.options),
            Command::Flip => {
                let flipped = self.position.board().color_flipped();
                self.position = Position::new(flipped, self.position.clock(), self.position.fullmove());
                self.banned.clear();
            }
            Command::Bench(words) => {
                let number = |index: usize| words.get(index).and_then(|word| word.parse().ok());
                self.running = Some(Running::count(*self.position.board()));
                self.worker.bench([0, 1, 2].map(number));
            }
            Command::Eval => people::evaluation(&self.output, &self.position, &self.options),
            _ => {}
        }
        Flow::Continue
    }

    fn say(&self, text: &str) {
        self.output.line(&self.dialect.message(text));
    }

    fn handshake(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let version = env!("CARGO_PKG_VERSION");
        match dialect {
            Dialect::Uci => self.output.line(&format!("id name chuhe {version}")),
            // Clients put the version behind the name themselves.
            Dialect::Ucci => {
                self.output.line("id name chuhe");
                self.output.line(&format!("id version {version}"));
                self.output.line("id copyright the chuhe developers");
            }
        }
        self.output.line("id author the chuhe developers");
        for line in announcements(dialect) {
            self.output.line(&line);
        }
        self.output.line(dialect.acknowledgement());
    }

    /// At once while thinking; otherwise after what is still to be done, such as a new table.
    fn ready(&mut self) {
        if self.running.is_some() || self.chores == 0 {
            self.output.line("readyok");
        } else {
            self.owed += 1;
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = (self.options.number(Id::Threads), self.options.number(Id::Hash));
        if name == "guiname" && value == Some(CODE_PAGE_CLIENT) {
            if self.options.choice(Id::Encoding) == 0 {
                self.options.set("encoding", Some("GBK"));
            }
            return;
        }
        #[cfg(feature = "tuning")]
        if let Some(number) = value.and_then(|value| value.parse().ok())
            && crate::search::params::set(name, number).is_ok()
        {
            return;
        }
        let Some(id) = self.options.set(name, value) else { return };
        let (threads, hash) = (self.options.number(Id::Threads), self.options.number(Id::Hash));
        match id {
            Id::Threads if threads != before.0 => self.worker.set_threads(threads as usize),
            Id::Hash if hash != before.1 => {
                let most = people::memory_limit();
                if hash > most {
                    self.say(&format!("Hash is held at {most} MiB, half of the memory that is free"));
                }
                self.worker.set_hash(hash.min(most) as usize);
            }
            Id::ClearHash => self.worker.clear(),
            Id::NewGame => return self.new_game(),
            Id::EvalFile => return self.load_network(),
            _ => return,
        }
        self.chores += 1;
    }

    fn load_network(&mut self) {
        match self.options.load_network() {
            Ok(()) => {
                self.say(&format!("network: {}", self.options.network().parameters().description.replace(['\n', '\r'], " ")));
                // Scores of one network say nothing to another.
                self.worker.clear();
                self.chores += 1;
            }
            Err(error) => self.say(&format!("EvalFile: {error}; the network in use stays")),
        }
    }

    fn new_game(&mut self) {
        self.hopeless = 0;
        self.worker.clear();
        self.chores += 1;
    }

    fn set_position(&mut self, text: &PositionText) {
        match text.read() {
            Ok((position, note)) => {
                self.position = position;
                self.banned.clear();
                if let Some(note) = note {
                    self.say(&note);
                }
            }
            Err(error) => self.say(&format!("{error}; the former position stays")),
        }
    }

    fn probe(&self, text: &PositionText) {
        let found = text.read().ok().and_then(|(position, _)| {
            let probe = self.worker.control().probe(&position)?;
            let mut line = String::from("pophash");
            if let Some(mv) = probe.best.filter(|&mv| position.board().is_legal(mv)) {
                line.push_str(&format!(" bestmove {mv}"));
            }
            let score = ucci_score(probe.score);
            if probe.bound != Bound::Upper {
                line.push_str(&format!(" lowerbound {score} depth {}", probe.depth));
            }
            if probe.bound != Bound::Lower {
                line.push_str(&format!(" upperbound {score} depth {}", probe.depth));
            }
            Some(line)
        });
        self.output.line(found.as_deref().unwrap_or("pophash"));
    }

    fn go(&mut self, request: &GoRequest) {
        let board = *self.position.board();
        if let Some(depth) = request.perft {
            self.running = Some(Running::count(board));
            return self.worker.perft(self.position.clone(), depth.clamp(1, 30) as u32);
        }
        if self.dialect == Dialect::Ucci && request.depth == Some(0) {
            self.output.line(&format!("info depth 0 score {}", ucci_score(people::static_score(&board, &self.options))));
            return self.output.line("nobestmove");
        }
        let settings = self.options.settings();
        let ruling = settings.rules.ruling(&self.position);
        if matches!(ruling.verdict, Verdict::Final(_)) {
            self.say(&format!("the game is over, {}", ruling.summary(Language::English)));
        }
        let unit = if self.options.is_on(Id::Milliseconds) { 1 } else { 1000 };
        let mut limits = request.limits(&self.position, Instant::now(), unit);
        limits.banned_moves = self.banned.clone();
        limits.multipv = self.options.number(Id::MultiPv).max(1) as usize;
        self.running = Some(Running {
            is_search: true,
            board,
            pondering: request.ponder && !request.infinite,
            held_back: limits.wait_for_stop,
            endless: limits.wait_for_stop || request.is_for_mate_alone(),
            answer: None,
            stopping: false,
            draw_offered: request.draw,
        });
        if let Some(chosen) = self.book_move(request) {
            self.play_from_book(&chosen);
        } else if allowed_moves(&board, &limits).next().is_none() {
            let score = if board.legal_moves().is_empty() { Score::Mate(0) } else { Score::Centipawns(0) };
            self.finished(Outcome { best: None, ponder: None, score, depth: 0, nodes: 0 });
        } else {
            let manner =
                Manner { dialect: self.dialect, telling: self.options.telling(), show_wdl: self.options.is_on(Id::ShowWdl) };
            self.worker.search(SearchTask { position: self.position.clone(), limits, settings, manner });
        }
        if self.input_ended || self.queue.contains(&Command::Quit) {
            self.stop_if_endless();
        }
    }

    /// The move that the opening books give. A book that can't be read is told of once, and play goes on without it.
    fn book_move(&mut self, request: &GoRequest) -> Option<Chosen> {
        let (chosen, problems) = self.library.choose(self.dialect, &self.options, request, &self.position, &self.banned);
        problems.iter().for_each(|problem| self.say(&format!("book {problem}")));
        chosen
    }

    /// Answers with a move out of a book; while pondering only when the search would.
    fn play_from_book(&mut self, chosen: &Chosen) {
        let mut game = self.position.clone();
        game.make(chosen.mv);
        let text = self.dialect.message(&format!("book move {} weight {} of {}", chosen.mv, chosen.weight, chosen.total));
        self.output.line(&text);
        if let Some(opening) = self.library.opening(&game) {
            let text = self.dialect.message(&format!("opening {}", opening.english));
            self.output.raw(self.options.telling().message(&text, &opening.chinese));
        }
        let outcome = Outcome { best: Some(chosen.mv), ponder: chosen.reply, score: Score::Centipawns(0), depth: 0, nodes: 0 };
        if let Some(running) = &mut self.running {
            // Nobody knows whether a draw is welcome.
            running.draw_offered = false;
            running.held_back |= running.pondering;
        }
        self.finished(outcome);
    }

    /// Whether only a stop can end the running search.
    fn is_endless(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.endless)
    }

    fn stop_if_endless(&mut self) {
        if self.is_endless() {
            self.stop();
        }
    }

    fn stop(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.stopping = true;
        running.held_back = false;
        match running.answer.take() {
            Some(outcome) => self.answer(outcome),
            None => self.worker.stop(),
        }
    }

    fn ponderhit(&mut self, draw: bool) {
        let Some(running) = self.running.as_mut().filter(|running| running.pondering) else { return };
        running.pondering = false;
        running.held_back = false;
        running.endless = false;
        running.draw_offered |= draw;
        match running.answer.take() {
            Some(outcome) => self.answer(outcome),
            None => self.worker.ponderhit(),
        }
    }

    fn finished(&mut self, outcome: Outcome) {
        match &mut self.running {
            Some(running) if running.held_back => running.answer = Some(outcome),
            _ => self.answer(outcome),
        }
    }

    /// Prints the answer to `go`, once.
    fn answer(&mut self, mut outcome: Outcome) {
        let Some(running) = self.running.take().filter(|running| running.is_search) else { return };
        let board = running.board;
        if outcome.best.is_none() && outcome.score == Score::Mate(0) && self.dialect == Dialect::Uci {
            self.output.line("info depth 0 score mate 0");
        }
        if let Some(best) = outcome.best {
            outcome.ponder = outcome.ponder.filter(|&reply| board.after(best).is_legal(reply));
            let moves: Vec<Move> = [Some(best), outcome.ponder].into_iter().flatten().collect();
            if let Some(line) = self.options.telling().line(&self.dialect.message("move"), &board, &moves, LONGEST_LINE) {
                self.output.raw(line);
            }
        }
        let is_mated = matches!(outcome.score, Score::Mate(moves) if moves < 0);
        self.hopeless = if is_mated { self.hopeless + 1 } else { 0 };
        let word = if self.options.is_on(Id::Resign) && self.hopeless >= HOPELESS_ANSWERS {
            Word::Resign
        } else if running.draw_offered && is_draw_welcome(&board, outcome.score) {
            Word::Draw
        } else {
            Word::Nothing
        };
        self.output.line(&self.dialect.best(&outcome, word));
    }

    fn quit(&mut self) -> Flow {
        self.output.end((self.dialect == Dialect::Ucci).then_some("bye"));
        Flow::End
    }
}

impl Running {
    /// A count of positions: no search, and no answer of ours.
    fn count(board: Board) -> Running {
        Running {
            is_search: false,
            board,
            pondering: false,
            held_back: false,
            endless: false,
            answer: None,
            stopping: false,
            draw_offered: false,
        }
    }
}

fn allowed_moves<'a>(board: &Board, limits: &'a Limits) -> impl Iterator<Item = Move> + use<'a> {
    let is_allowed =
        |mv: &Move| !limits.banned_moves.contains(mv) && (limits.search_moves.is_empty() || limits.search_moves.contains(mv));
    board.legal_moves().into_iter().filter(is_allowed)
}

/// A draw is welcome when the engine is not better, or has nothing left to win with.
fn is_draw_welcome(board: &Board, score: Score) -> bool {
    let is_not_better = match score {
        Score::Centipawns(value) => value <= EQUAL,
        Score::Mate(moves) => moves <= 0,
    };
    is_not_better || !board.has_attackers(board.side_to_move())
}
