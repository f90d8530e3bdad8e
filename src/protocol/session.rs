//! The state of a protocol session: executes commands and decides when to answer.

use super::books::Books;
use super::command::{Command, GoRequest, ranks_of_list, read_moves, read_position, words};
use super::dialect::{Dialect, MoveText, Ranks, Word, ucci_score};
use super::kinds::shortened;
use super::messages::{self, Message};
use super::options::{Effect, OptionError, Options, announcements, pairs};
use super::queue::{LastSearch, Queue};
use super::stdio::{MAX_LINE, Output};
use super::worker::{Event, LineStyle, Running, SearchTask, Worker};
use crate::board::Position;
use crate::book::Chosen;
use crate::notation::{self, PositionText, System};
use crate::records::{TextEncoding, encode};
use crate::rules::{GameResult, Language, Verdict};
use crate::search::{Bound, Outcome, Score};
use crate::threads::{Control, DrawReply};
use crate::types::Move;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Consecutive answers with a mate against the engine before it may resign.
const HOPELESS_ANSWERS: u32 = 3;

/// Time after the last `go` for which the end of the session waits for answers, so that a script of short searches receives all of them.
const GRACE: Duration = Duration::from_millis(500);

/// Environment variable with options, for clients that cannot set them: `name=value` pairs separated by `;`.
const OPTIONS_VARIABLE: &str = "CHUHE_OPTIONS";

/// When the session ends after `quit` or the end of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// When all commands are done (batch mode).
    WhenDone,
    /// When all commands are done, but no later than this.
    By(Instant),
    /// As soon as no answer is due immediately.
    Now,
}

/// Whether input and output are terminals: a user at a terminal gets more messages than a program.
#[derive(Clone, Copy, Default, Debug)]
pub struct Terminal {
    /// The input is a terminal.
    pub input: bool,
    /// The output is a terminal.
    pub output: bool,
}

/// A session with one client.
pub struct Session {
    dialect: Dialect,
    /// Whether the client has greeted in UCI, now or before a greeting in UCCI.
    has_greeted_in_uci: bool,
    /// Whether the client's last line ended in CR LF.
    has_cr: bool,
    /// Messages about the start, sent after the client's first command; `None` after it.
    held: Option<Vec<Message<'static>>>,
    terminal: Terminal,
    options: Options,
    position: Position,
    /// The client's rank numbering, as inferred from its move lists.
    ranks: Ranks,
    banned: Vec<Move>,
    running: Option<Running>,
    /// Commands received while the worker is busy.
    queue: Queue,
    /// Whether the client has been notified that the queue is full and commands are lost.
    has_reported_overflow: bool,
    /// When the command that is being executed arrived, or was taken from the queue.
    arrived: Instant,
    /// Time of the last request for a search, perft or bench.
    last_request: Option<Instant>,
    /// Set by `quit` and the end of input; later commands are ignored.
    end: Option<End>,
    /// Whether the input has ended. A script expects the answer to its last `go`.
    has_input_ended: bool,
    /// Whether the last `position` was rejected or truncated, so that the current position is not the one the client intended.
    is_position_kept: bool,
    /// Number of running tasks other than searches.
    background_tasks: usize,
    /// Number of `readyok`s to send when these tasks are done.
    pending_ready: usize,
    /// Consecutive answers in which the engine is being mated.
    hopeless: u32,
    books: Books,
    worker: Worker,
    output: Output,
}

impl Session {
    /// A session whose worker calls `listener`, which must pass all events to [`Session::handle`] and return whether the session
    /// continues.
    ///
    /// # Errors
    /// If the system does not provide a thread.
    pub fn new(
        output: Output,
        listener: impl FnMut(Event) -> bool + Send + 'static,
        terminal: Terminal,
    ) -> std::io::Result<Session> {
        let (mut options, mut held) = (Options::default(), Vec::new());
        let variable = std::env::var_os(OPTIONS_VARIABLE).unwrap_or_default().into_encoded_bytes();
        for (name, value) in pairs(&variable) {
            match options.set(&name, value.as_deref()) {
                Ok(row) if row.effect == Effect::Ignored => held.push(Message::NoEffect { option: row.name(), why: row.help }),
                Ok(_) => {}
                Err(error) => held.push(Message::BadVariable(error.to_string())),
            }
        }
        held.extend(options.load_network().err().map(|error| Message::BadNetwork(error.to_string())));
        held.extend(options.load_endgames().into_iter().map(Message::BadEndgame));
        let (threads, hash) = (options.values.threads as usize, options.values.hash);
        let limit = messages::hash_limit(hash, 0);
        held.extend(limit.map(Message::HashLimit));
        let log_file = options.open_log().unwrap_or_else(|error| {
            held.push(Message::BadLog(error.to_string()));
            None
        });
        let session = Session {
            dialect: Dialect::Uci,
            has_greeted_in_uci: false,
            has_cr: false,
            held: Some(held),
            terminal,
            position: Position::startpos(),
            ranks: Ranks::default(),
            banned: Vec::new(),
            running: None,
            queue: Queue::default(),
            has_reported_overflow: false,
            arrived: Instant::now(),
            last_request: None,
            end: None,
            has_input_ended: false,
            is_position_kept: false,
            // The worker is creating its pool.
            background_tasks: 1,
            pending_ready: 0,
            hopeless: 0,
            books: Books::default(),
            worker: Worker::start(threads, limit.unwrap_or(hash) as usize, output.clone(), listener)?,
            options,
            output,
        };
        session.update_encoding();
        session.output.log_into(log_file);
        Ok(session)
    }

    /// The control of the search threads.
    pub fn control(&self) -> &Control {
        self.worker.control()
    }

    /// Handles a line of input. Commands allowed at any time are executed at once; the others are queued during a search. Breaks when the
    /// process must end, like all functions that handle an event.
    pub fn receive(&mut self, line: &[u8]) -> ControlFlow<()> {
        if self.end.is_some() {
            return ControlFlow::Continue(());
        }
        self.arrived = Instant::now();
        self.output.received(line);
        log::debug!("< {}", String::from_utf8_lossy(&line[..line.len().min(200)]).trim_end());
        self.has_cr = line.ends_with(b"\r");
        let command = Command::parse(line);
        if command.starts_search_or_count() {
            self.last_request = Some(self.arrived);
        }
        match command {
            Command::Unknown => self.report_unknown(line),
            Command::IsReady => self.ready(),
            Command::Uci => self.handshake(Dialect::Uci),
            Command::Ucci => self.handshake(Dialect::Ucci),
            Command::Probe(text) => self.probe(&text),
            Command::Help => messages::help(&self.output),
            Command::Compiler => messages::compiler(&self.output),
            Command::Stop => self.take_stop(),
            Command::PonderHit { draw } => self.take_ponderhit(draw, line.len()),
            Command::Quit => return self.finish_input(),
            command if self.running.is_some() => self.wait(command, line.len()),
            command => self.execute(command),
        }
        for message in self.held.take().into_iter().flatten() {
            self.say(&message);
        }
        self.advance()
    }

    /// Whether [`Session::receive`] may be called: not while the queue is full and the search ends by itself.
    pub fn has_room(&self) -> bool {
        self.queue.has_room() || self.is_endless()
    }

    /// Handles the end of input like `quit`, except that the running search is stopped and answered.
    pub fn end_of_input(&mut self) -> ControlFlow<()> {
        self.has_input_ended = true;
        if self.end.is_none() { self.finish_input() } else { ControlFlow::Continue(()) }
    }

    /// The time at which [`Session::time_is_up`] must be called.
    pub fn deadline(&self) -> Option<Instant> {
        match self.end {
            Some(End::By(deadline)) => Some(deadline),
            // A batch does not wait for a mate that may not exist.
            Some(End::WhenDone) => self.running.as_ref().and_then(Running::seeks_mate_since).map(|start| start + GRACE),
            Some(End::Now) | None => None,
        }
    }

    /// Ends the session, even if a task is still running: a search is stopped, anything else is abandoned. In batch mode it only stops the
    /// search for a mate.
    pub fn time_is_up(&mut self) -> ControlFlow<()> {
        if self.end != Some(End::WhenDone) {
            self.end = Some(End::Now);
        } else if self.deadline().is_some_and(|deadline| deadline <= Instant::now()) {
            self.stop();
        }
        self.advance()
    }

    /// Handles an event.
    pub fn handle(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::ClientGone if !self.options.values.watch_parent => return ControlFlow::Continue(()),
            Event::ClientGone => {
                self.end = Some(End::Now);
                return self.quit();
            }
            Event::Finished(outcome) => self.finished(outcome),
            Event::Counted => self.running = None,
            Event::Done(message) => {
                if let Some(message) = message {
                    match &mut self.held {
                        Some(held) => held.push(message),
                        None => self.say(&message),
                    }
                }
                self.background_tasks = self.background_tasks.saturating_sub(1);
                self.answer_ready();
            }
        }
        self.advance()
    }

    /// Handles `stop`, which ends all searches requested before it. In batch mode, where searches that end by themselves are not stopped,
    /// it ends the first of the others.
    fn take_stop(&mut self) {
        let is_batch = self.options.values.batch;
        match &self.running {
            None if self.dialect == Dialect::Ucci => self.output.line("nobestmove"),
            None => {}
            Some(_) if !is_batch => {
                self.stop();
                self.queue.stop_all();
            }
            Some(running) if running.is_endless() => self.stop(),
            Some(_) => self.queue.stop_first_open(),
        }
    }

    /// Handles `ponderhit`, which belongs to the last search requested.
    fn take_ponderhit(&mut self, draw: bool, length: usize) {
        match self.queue.last_search() {
            None => self.ponderhit(draw),
            Some(LastSearch::Pondering) => self.queue.push(Command::PonderHit { draw }, length),
            Some(_) => {}
        }
    }

    /// Queues a command until the end of the search. A `go` after a search that only a stop ends would never be answered and is ignored.
    fn wait(&mut self, command: Command, length: usize) {
        let is_open = || self.running.as_ref().is_some_and(|running| running.held_back && !running.stopping);
        // Not for every command: the queue may be long.
        let may_never_end = || self.queue.last_search().map_or_else(is_open, |last| last != LastSearch::Closed);
        if command.starts_search() && !self.options.values.batch && may_never_end() {
            return self.say(&Message::IgnoredGo);
        }
        if self.queue.has_room() {
            self.queue.push(command, length);
        } else if !std::mem::replace(&mut self.has_reported_overflow, true) {
            self.say(&Message::Overflow);
        }
    }

    /// Executes queued commands as far as possible, and ends the session if its time has come.
    fn advance(&mut self) -> ControlFlow<()> {
        if self.end == Some(End::Now) {
            let dropped = self.queue.clear();
            if dropped > 0 {
                self.say(&Message::Dropped(dropped));
            }
            if self.has_input_ended {
                self.stop();
            }
        }
        while let Some((command, is_stopped)) = self.queue.next(self.running.is_some()) {
            // An `isready` after a stop waits for the options that were set before it, but not for the next search.
            if command.starts_search_or_count() {
                self.answer_ready();
            }
            self.has_reported_overflow = false;
            self.arrived = Instant::now();
            self.execute(command);
            if is_stopped {
                self.stop();
            }
        }
        self.answer_ready();
        // Scripts pipe in `isready` or `stop` together with `quit`; these answers take only a moment.
        let is_due = self.pending_ready > 0 || self.is_stopping();
        let is_done = self.running.is_none() && self.queue.is_empty();
        let is_over = match self.end {
            None => false,
            Some(End::WhenDone) => is_done,
            Some(End::By(_)) => is_done || self.never_ends(),
            Some(End::Now) => true,
        };
        if is_over && !is_due { self.quit() } else { ControlFlow::Continue(()) }
    }

    /// Handles `quit` and the end of input. In batch mode all commands are finished first. Otherwise answers that are due immediately are
    /// given, and searches requested within the last [`GRACE`] period may finish within it.
    fn finish_input(&mut self) -> ControlFlow<()> {
        self.end = Some(match self.last_request.map(|request| request + GRACE) {
            _ if self.options.values.batch => End::WhenDone,
            Some(deadline) if deadline > Instant::now() => End::By(deadline),
            _ => End::Now,
        });
        self.stop_if_abandoned();
        self.worker.hurry();
        self.advance()
    }

    /// Executes a command.
    fn execute(&mut self, command: Command) {
        match command {
            Command::SetOption(name, value) => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::BanMoves(moves) => {
                let banned = read_moves(&self.position, &moves, self.ranks_of_client());
                self.report_ignored(messages::illegal_moves("banmoves", moves.len(), banned.len()));
                // A list without legal moves does not lift a ban.
                if !banned.is_empty() {
                    self.banned = banned;
                }
            }
            Command::Go(request) => self.go(&request),
            Command::PonderHit { draw } => self.ponderhit(draw),
            Command::Display => messages::display(&self.output, &self.position, &self.options),
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
            Command::Eval => {
                self.report_kept_position();
                messages::evaluation(&self.output, &self.position, &self.options);
            }
            _ => {}
        }
    }

    /// Sends a message in the client's language if its encoding has the characters, otherwise in English.
    fn say(&self, message: &Message) {
        let move_text = self.move_text();
        let text = message.text(self.options.language());
        let text = if encode(&text, move_text.encoding).1 == 0 { text } else { message.text(Language::English) };
        self.output.line(&self.message(&text));
    }

    /// The dialect of lines of text. A client that greets in both protocols may read all lines in the same way, and one that expects pairs
    /// of words breaks on `info message`.
    fn text_dialect(&self) -> Dialect {
        if self.has_greeted_in_uci { Dialect::Uci } else { self.dialect }
    }

    /// A line of text for the client.
    fn message(&self, text: &str) -> String {
        self.text_dialect().message(text)
    }

    /// The rank numbering for moves of the client that are legal with both.
    fn ranks_of_client(&self) -> Ranks {
        self.options.values.ranks.unwrap_or(self.ranks)
    }

    fn handshake(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        self.has_greeted_in_uci |= dialect == Dialect::Uci;
        self.ranks = Ranks::default();
        self.update_encoding();
        let version = env!("CARGO_PKG_VERSION");
        match dialect {
            Dialect::Uci => self.output.line(&format!("id name chuhe {version}")),
            // Clients append the version to the name themselves.
            Dialect::Ucci => {
                self.output.line("id name chuhe");
                self.output.line(&format!("id version {version}"));
                self.output.line("id copyright the chuhe developers");
                self.output.line("id user everyone, under MIT or Apache-2.0");
            }
        }
        self.output.line("id author the chuhe developers");
        for line in announcements(dialect) {
            self.output.line(&line);
        }
        self.output.line(dialect.acknowledgement());
    }

    /// Answers `isready`: at once during a search, otherwise after reading the books and the running tasks, such as allocating a table.
    fn ready(&mut self) {
        if self.running.is_none() {
            self.books.open(self.dialect, &self.options);
        }
        if !self.is_stopping() && (self.running.is_some() || self.background_tasks == 0) {
            self.output.line("readyok");
        } else {
            self.pending_ready += 1;
        }
    }

    /// Whether the answer of a stopped search is due. Clients take everything before the next `readyok` for that answer.
    fn is_stopping(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.is_search && running.stopping)
    }

    /// Answers each `isready` that waited, when no task is left but a search that goes on.
    fn answer_ready(&mut self) {
        if self.background_tasks == 0 && !self.is_stopping() {
            for _ in 0..std::mem::take(&mut self.pending_ready) {
                self.output.line("readyok");
            }
        }
    }

    /// The format of human-readable moves.
    fn move_text(&self) -> MoveText {
        let move_text = self.options.move_text(self.dialect);
        // Rust accepts only UTF-8 for a Windows console.
        if cfg!(windows) && self.terminal.output { MoveText { encoding: TextEncoding::Utf8, ..move_text } } else { move_text }
    }

    fn update_encoding(&self) {
        self.output.set_encoding(self.move_text().encoding);
    }

    fn set_option(&mut self, name: &str, value: Option<&[u8]>) {
        let before = (self.options.values.threads, self.options.values.hash, self.options.values.use_endgames);
        let rules = self.options.rules();
        if self.dialect == Dialect::Ucci && self.options.recognize_client(name, value, self.has_cr) {
            return self.update_encoding();
        }
        #[cfg(feature = "tuning")]
        if let Some(number) = value.and_then(|value| std::str::from_utf8(value).ok()?.parse().ok())
            && crate::search::params::set(name, number).is_ok()
        {
            return;
        }
        let row = match self.options.set(name, value) {
            Ok(row) => row,
            Err(error) if self.terminal.input => return self.output.line(&error.to_string()),
            Err(error) => return self.answer_bad_option(&error, value),
        };
        let (threads, hash) = (self.options.values.threads, self.options.values.hash);
        match row.effect {
            // The scores in the table are those under the former rules.
            _ if self.options.rules() != rules => self.worker.clear(),
            Effect::Threads if threads != before.0 => self.worker.set_threads(threads as usize),
            Effect::Hash if hash != before.1 => {
                let limit = messages::hash_limit(hash, self.control().occupied_mib() as i64);
                if let Some(limit) = limit {
                    self.say(&Message::HashLimit(limit));
                }
                self.worker.set_hash(limit.unwrap_or(hash) as usize);
            }
            // As with other tables: the results of searches contradict each other.
            Effect::UseEndgames if self.options.values.use_endgames != before.2 => self.worker.clear(),
            Effect::None | Effect::Rules | Effect::Threads | Effect::Hash | Effect::UseEndgames => return,
            Effect::ClearHash => self.worker.clear(),
            Effect::NewGame => return self.new_game(),
            Effect::Network => return self.load_network(),
            Effect::Endgames => return self.load_endgames(),
            Effect::Encoding => {
                self.books = Books::default();
                return self.update_encoding();
            }
            Effect::Books => return self.books = Books::default(),
            Effect::Log => {
                let file = self.options.open_log().map_err(|error| self.say(&Message::BadLog(error.to_string())));
                return self.output.log_into(file.unwrap_or_default());
            }
            Effect::Ignored => return self.say(&Message::NoEffect { option: row.name(), why: row.help }),
        }
        self.background_tasks += 1;
    }

    /// Clients send options that were never announced and do not expect an answer, so errors are reported in debug mode only. But a client
    /// that requests unknown rules must not believe that they are in force.
    fn answer_bad_option(&self, error: &OptionError, value: Option<&[u8]>) {
        if let &OptionError::Value { name: option, effect: Effect::Rules, kept, .. } = error {
            let value = shortened(&String::from_utf8_lossy(value.unwrap_or_default()));
            self.say(&Message::UnknownRule { option, value, kept });
        } else if self.options.values.debug {
            self.output.line(&self.message(&error.to_string()));
        }
    }

    fn load_network(&mut self) {
        match self.options.load_network() {
            Ok(()) => {
                self.say(&Message::Network(&self.options.network().parameters().description.replace(['\n', '\r'], " ")));
                // Scores of different networks are not comparable.
                self.worker.clear();
                self.background_tasks += 1;
            }
            Err(error) => self.say(&Message::BadNetwork(error.to_string())),
        }
    }

    fn load_endgames(&mut self) {
        for problem in self.options.load_endgames() {
            self.say(&Message::BadEndgame(problem));
        }
        // Results of searches without the tables may contradict them.
        self.worker.clear();
        self.background_tasks += 1;
    }

    fn new_game(&mut self) {
        self.hopeless = 0;
        self.worker.clear();
        self.background_tasks += 1;
    }

    fn set_position(&mut self, text: &PositionText) {
        match read_position(text, self.ranks_of_client()) {
            Ok((position, note)) => {
                self.position = position;
                self.banned.clear();
                self.is_position_kept = note.is_some();
                match note {
                    Some(note) => self.say(&Message::BadPosition(note)),
                    None => self.ranks = ranks_of_list(&self.position, &text.moves, self.ranks),
                }
            }
            Err(error) => {
                self.is_position_kept = true;
                self.say(&Message::BadPosition(error));
            }
        }
    }

    /// Whether mistakes of the client are reported: on a terminal and in debug mode.
    fn reports_mistakes(&self) -> bool {
        self.terminal.input || self.options.values.debug
    }

    /// Reports what a command ignored.
    fn report_ignored(&self, ignored: Option<String>) {
        if let Some(text) = ignored.filter(|_| self.reports_mistakes()) {
            self.output.line(&self.message(&text));
        }
    }

    /// Reports a line that is not a command.
    fn report_unknown(&self, line: &[u8]) {
        if !self.reports_mistakes() {
            return;
        }
        if let Some(word) = words(&String::from_utf8_lossy(line)).next() {
            let text = format!("unknown command '{}'", shortened(word));
            let help = || format!("{text}; 'help' lists the commands");
            self.output.line(&if self.terminal.input { help() } else { self.message(&text) });
        }
    }

    /// If the last `position` was rejected or truncated, reports the position that will be used.
    fn report_kept_position(&self) {
        if self.is_position_kept {
            self.say(&Message::KeptPosition(self.position.to_fen()));
        }
    }

    fn probe(&self, text: &PositionText) {
        let found = read_position(text, self.ranks_of_client()).ok().and_then(|(position, fault)| {
            let probe = self.worker.control().probe(&position, self.options.rules().natural_limit).filter(|_| fault.is_none())?;
            let mut line = String::from("pophash");
            if let Some(mv) = probe.best.filter(|&mv| position.board().is_legal(mv)) {
                line.push_str(&format!(" bestmove {}", self.options.ranks().write(mv)));
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
        self.report_kept_position();
        self.report_ignored(request.ignored.clone());
        let board = *self.position.board();
        if let Some(depth) = request.perft {
            self.running = Some(Running::count(board));
            return self.worker.perft(self.position.clone(), depth.clamp(0, 30) as u32, self.options.ranks());
        }
        if self.dialect == Dialect::Ucci && request.depth == Some(0) {
            self.output.line(&format!("info depth 0 score {}", ucci_score(messages::static_score(&board, &self.options))));
            return self.output.line("nobestmove");
        }
        let settings = self.options.settings();
        let ruling = settings.rules.ruling(&self.position);
        if matches!(ruling.verdict, Verdict::Final(_)) {
            self.say(&Message::GameOver(&ruling));
            if let Some(rule) = self.options.draw_rule() {
                self.say(&Message::DrawRule(rule));
            }
        }
        let unit = if self.options.values.milliseconds { 1 } else { 1000 };
        let mut limits = request.limits(&self.position, self.arrived, unit, self.ranks_of_client());
        self.report_ignored(messages::illegal_moves("searchmoves", request.search_moves.len(), limits.search_moves.len()));
        limits.banned_moves = self.banned.clone();
        // If all requested moves are banned, the request counts as none.
        limits.search_moves.retain(|mv| !self.banned.contains(mv));
        limits.multipv = self.options.values.multipv as usize;
        self.running = Some(Running {
            is_search: true,
            board,
            pondering: request.ponder && !request.infinite,
            held_back: limits.wait_for_stop,
            unlimited: !request.is_limited() || request.is_for_mate_alone(),
            mate_since: (request.is_limited() && request.is_for_mate_alone()).then_some(self.arrived),
            answer: None,
            stopping: false,
            draw_offered: request.draw,
        });
        if let Some(chosen) = self.book_move(request) {
            self.play_from_book(&chosen);
        } else if let Some(outcome) = limits.outcome_without_moves(&board) {
            self.finished(outcome);
        } else {
            let (ranks, show_wdl) = (self.options.ranks(), self.options.values.show_wdl);
            let text_dialect = self.text_dialect();
            let style = LineStyle { dialect: self.dialect, text_dialect, ranks, move_text: self.move_text(), show_wdl };
            self.worker.search(SearchTask { position: self.position.clone(), limits, settings, style });
        }
        self.stop_if_abandoned();
    }

    /// Whether the game is already drawn, regardless of the search result.
    fn is_drawn(&self) -> bool {
        matches!(self.options.settings().rules.verdict(&self.position), Verdict::Final(GameResult::Draw))
    }

    /// The move from the opening books. A book that cannot be read is reported once, and play continues without it; book moves rejected
    /// because of the rules are reported.
    fn book_move(&mut self, request: &GoRequest) -> Option<Chosen> {
        if request.is_analysis() {
            return None;
        }
        let (choice, problems) = self.books.choose(self.dialect, &self.options, &self.position, &self.banned);
        let problems = problems.into_iter().chain(choice.problems.iter().map(ToString::to_string));
        problems.for_each(|problem| self.say(&Message::BadBook(&problem)));
        for (mv, objection) in choice.unplayed {
            let text = format!("book move {} not played: {}", self.options.ranks().write(mv), objection.text());
            self.output.line(&self.message(&text));
        }
        choice.chosen
    }

    /// Answers with a book move; while pondering not before a search would answer.
    fn play_from_book(&mut self, chosen: &Chosen) {
        let mut game = self.position.clone();
        game.make(chosen.mv);
        let move_text = self.options.ranks().write(chosen.mv);
        let text = format!("book move {move_text} weight {} of {}", chosen.weight, chosen.total);
        let opening = self.books.opening(&game);
        if self.options.is_xiangqi_wizard() {
            // This client shows only the last message.
            let chinese = notation::write(System::ChineseSimplified, self.position.board(), chosen.mv);
            let opening = opening.map(|opening| (&opening.english[..], &opening.chinese[..]));
            self.say(&Message::BookMove { english: text, chinese, opening });
        } else {
            self.output.line(&self.message(&text));
            if let Some(opening) = opening {
                let text = self.message(&format!("opening {}", opening.english));
                self.output.raw(self.move_text().message(&text, &opening.chinese));
            }
        }
        let outcome = Outcome { best: Some(chosen.mv), ponder: chosen.reply, score: Score::Centipawns(0), depth: 0, nodes: 0 };
        if let Some(running) = &mut self.running {
            // Without a score it is unknown whether a draw is acceptable.
            running.draw_offered = false;
            running.held_back |= running.pondering;
        }
        self.finished(outcome);
    }

    /// Whether only a stop can end the running search, and none was requested.
    fn is_endless(&self) -> bool {
        self.running.as_ref().is_some_and(Running::is_endless)
    }

    /// Whether the running search surely ends only by a stop.
    fn never_ends(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.is_endless() && running.seeks_mate_since().is_none())
    }

    /// Stops an endless search for which no `stop` or `ponderhit` can come any more, although its answer is expected.
    fn stop_if_abandoned(&mut self) {
        let is_last = self.has_input_ended || self.end == Some(End::WhenDone);
        if is_last && self.never_ends() && !self.queue.has_ponderhit() {
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
        // A move from a book has no score to judge the offer by.
        running.draw_offered |= draw && running.answer.as_ref().is_none_or(|answer| answer.depth > 0);
        match running.answer.take() {
            Some(outcome) => self.answer(outcome),
            None => self.worker.ponderhit(),
        }
        self.stop_if_abandoned();
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
            // After a book move it would replace the message about that move.
            let is_reported = self.options.is_xiangqi_wizard() && outcome.depth == 0;
            if !is_reported && let Some(line) = self.move_text().line(&self.message("move"), &board, &moves, MAX_LINE) {
                self.output.raw(line);
            }
        }
        let is_mated = matches!(outcome.score, Score::Mate(moves) if moves < 0);
        // A ponder search that was stopped is about a position that did not arise.
        self.hopeless = if running.pondering { self.hopeless } else { (self.hopeless + 1) * is_mated as u32 };
        let word = if self.options.values.resign && self.hopeless >= HOPELESS_ANSWERS && !running.pondering {
            Word::Resign
        } else if running.draw_offered && (self.is_drawn() || DrawReply::is_welcome(&self.position, outcome.score)) {
            Word::Draw
        } else {
            Word::Nothing
        };
        self.output.line(&self.dialect.best(&outcome, word, self.options.ranks()));
    }

    fn quit(&mut self) -> ControlFlow<()> {
        let last = (self.dialect == Dialect::Ucci).then_some("bye");
        match self.end {
            // A batch gets all answers, however slowly they are read.
            Some(End::WhenDone) => self.output.end_when_read(last),
            _ => self.output.end(last),
        }
        ControlFlow::Break(())
    }
}
