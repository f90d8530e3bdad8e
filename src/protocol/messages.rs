//! Human-readable output besides info lines: messages, in English or, for Chinese clients, in Chinese; and the commands for users at a
//! terminal.

use super::command::PositionError;
use super::options::{DEFAULT_HASH, Options};
use super::stdio::Output;
use crate::board::{Board, Position};
use crate::eval::{evaluate, win_draw_loss};
use crate::memory::available_memory;
use crate::rules::{Language, Ruling};
use crate::search::Score;
use crate::types::{Color, FILES, RANKS, Square};

/// A message to the user.
#[derive(Debug)]
pub enum Message<'a> {
    /// A `go` was ignored because it follows a search that only a stop ends.
    IgnoredGo,
    /// The queue of commands is full.
    Overflow,
    /// The session ends before this many queued searches.
    Dropped(usize),
    /// The table size was limited to this many MiB.
    HashLimit(i64),
    /// Memory was short; the table has only this many MiB.
    SmallerHash(usize),
    /// There are only this many search threads, fewer than requested.
    FewerThreads(usize),
    /// A pair of the environment variable with options is no option, or has no valid value.
    BadVariable(String),
    /// A network was loaded; its description.
    Network(&'a str),
    /// A network cannot be used.
    BadNetwork(String),
    /// An endgame table, or a folder of them, cannot be used.
    BadEndgame(String),
    /// The log cannot be written.
    BadLog(String),
    /// An invalid FEN, or a list of moves with an illegal one.
    BadPosition(PositionError),
    /// The FEN for which the answer is computed after such an error.
    KeptPosition(String),
    /// The game is over; its result and the reason.
    GameOver(&'a Ruling),
    /// The rule that counts draws as wins.
    DrawRule(&'static str),
    /// An error in a book.
    BadBook(&'a str),
    /// A book move: in coordinates, in Chinese characters, and the name of the opening in both languages.
    BookMove {
        /// In coordinates, with its weight.
        english: String,
        /// In Chinese characters.
        chinese: String,
        /// The English and Chinese names of the opening.
        opening: Option<(&'a str, &'a str)>,
    },
    /// An unknown value of an option about the rules.
    UnknownRule {
        /// The option.
        option: &'static str,
        /// The value sent by the client.
        value: String,
        /// The value in force.
        kept: &'static str,
    },
    /// An option that is accepted but has no effect.
    NoEffect {
        /// The option.
        option: &'static str,
        /// The reason, in English.
        why: &'static str,
    },
}

impl Message<'_> {
    /// The text of the message.
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::English => self.english(),
            Language::Chinese => self.chinese(),
        }
    }

    fn english(&self) -> String {
        match self {
            Message::IgnoredGo => "this go is ignored: the search before it ends only by a stop".into(),
            Message::Overflow => "too many commands wait for the end of the search: the rest is ignored until a stop".into(),
            Message::Dropped(searches) => {
                format!("queued searches not executed: {searches}; the option batch waits for all of them")
            }
            Message::HashLimit(mib) => format!("Hash is limited to {mib} MiB, half of the free memory"),
            Message::SmallerHash(mib) => format!("Hash is {mib} MiB: the system has no memory for more"),
            Message::FewerThreads(threads) => format!("Threads is {threads}: the system has no threads or memory for more"),
            Message::BadVariable(error) => format!("CHUHE_OPTIONS: {error}"),
            Message::Network(description) => format!("network: {description}"),
            Message::BadNetwork(error) => format!("EvalFile: {error}; the network in use is kept"),
            Message::BadEndgame(error) => format!("EndgamePath: {error}; ignored"),
            Message::BadLog(error) => format!("Debug Log File: {error}; nothing is logged"),
            Message::BadPosition(error @ PositionError::Fen(_)) => format!("{error}; the previous position is kept"),
            Message::BadPosition(error) => error.to_string(),
            Message::KeptPosition(fen) => {
                format!("the last position command was rejected or cut short: the answer is for {fen}")
            }
            Message::GameOver(ruling) => format!("the game is over, {}", ruling.summary(Language::English)),
            Message::DrawRule(rule) => format!("draws count by Draw Rule {rule}"),
            Message::BadBook(problem) => format!("book {problem}"),
            Message::BookMove { english, opening, .. } => match opening {
                Some((name, _)) => format!("{english}: {name}"),
                None => english.clone(),
            },
            Message::UnknownRule { option, value, kept } => format!("{option}: '{value}' is not known, {kept} is in force"),
            Message::NoEffect { option, why } => format!("{option} has {why}"),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Message::IgnoredGo => "已忽略此go：前一次思考须以stop结束".into(),
            Message::Overflow => "等待思考结束的指令过多，stop之前的其余指令已忽略".into(),
            Message::Dropped(searches) => format!("有{searches}次排队的思考未执行；选项batch可等待全部完成"),
            Message::HashLimit(mib) => format!("置换表限制为{mib} MiB（可用内存的一半）"),
            Message::SmallerHash(mib) => format!("内存不足，置换表为{mib} MiB"),
            Message::FewerThreads(threads) => format!("系统资源不足，搜索线程为{threads}个"),
            Message::BadVariable(error) => format!("环境变量CHUHE_OPTIONS有误：{error}"),
            Message::Network(description) => format!("评估网络：{description}"),
            Message::BadNetwork(error) => format!("评估网络无法使用，保留原网络：{error}"),
            Message::BadEndgame(error) => format!("残局库无法使用，已忽略：{error}"),
            Message::BadLog(error) => format!("日志无法写入：{error}"),
            Message::BadPosition(PositionError::Fen(error)) => format!("局面无效，保留原局面：{error}"),
            Message::BadPosition(PositionError::Move { number, text, fen }) => {
                format!("第{number}着“{text}”不合法，此着及其后各着已忽略，局面：{fen}")
            }
            Message::KeptPosition(fen) => format!("上一position指令无效或不完整，现思考局面：{fen}"),
            Message::GameOver(ruling) => format!("对局已结束，{}", ruling.summary(Language::Chinese)),
            Message::DrawRule(rule) => format!("和棋按 Draw Rule {rule} 计胜负"),
            Message::BadBook(problem) => format!("开局库：{problem}"),
            Message::BookMove { chinese, opening, .. } => match opening {
                Some((_, name)) => format!("开局库：{chinese}（{name}）"),
                None => format!("开局库：{chinese}"),
            },
            Message::UnknownRule { option, value, kept } => format!("{option}：无法识别“{value}”，仍使用{kept}"),
            Message::NoEffect { option, .. } => format!("选项{option}不起作用"),
        }
    }
}

/// Shown to a user who starts the program without a command on a terminal.
pub const GREETING: [&str; 2] = [
    "chuhe is a xiangqi engine; graphical programs talk to it here in UCI or UCCI.",
    "Type 'help' for the commands, 'quit' to leave; 'chuhe --help' lists what else the program does.",
];

/// The error for the moves of a command of which only some are legal; `None` if all are.
pub fn illegal_moves(command: &str, all: usize, legal: usize) -> Option<String> {
    (legal < all).then(|| format!("{command}: {} of {all} moves are not legal here and are ignored", all - legal))
}

/// `help`: lists the commands.
pub fn help(output: &Output) {
    for line in [
        "uci, ucci                  choose the protocol and list the options",
        "isready                    reply readyok when all earlier commands are done",
        "debug on|off               report unknown commands, options and values",
        "setoption name N value V   set an option; UCCI's form 'setoption N V' works too",
        "ucinewgame                 start a new game: clear the table and the search statistics",
        "position startpos|fen F [moves M...]   set the position",
        "banmoves M...              moves that must not be played (UCCI)",
        "go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]",
        "   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] or [time T] [increment T]",
        "                           search the position; without a limit until 'stop'",
        "stop, ponderhit            end the search; the move expected while pondering was played",
        "probe startpos|fen F [moves M...]   show the transposition table entry (UCCI)",
        "d, eval, flip              show the board; show its evaluation; swap the sides",
        "perft N, bench             count positions; measure the speed of the search",
        "compiler, quit             describe this build; end the program",
    ] {
        output.line(line);
    }
}

/// `compiler`: version and target of the build.
pub fn compiler(output: &Output) {
    output.line(&format!(
        "info string chuhe {} for {} {}, {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { "debug build" } else { "release build" }
    ));
}

/// `d`: the board, its FEN and key, checks, and the ruling.
pub fn display(output: &Output, position: &Position, options: &Options) {
    let board = position.board();
    for rank in (0..RANKS).rev() {
        let letter = |file| board.piece_on(Square::from_index(rank * FILES + file)).map_or('.', |piece| piece.fen_letter());
        let row: String = (0..FILES).flat_map(|file| [' ', letter(file)]).collect();
        output.line(&format!("{rank} {row}"));
    }
    output.line("   a b c d e f g h i");
    output.line(&format!("Fen: {}", position.to_fen()));
    output.line(&format!("Key: {:016x}", board.key()));
    let checkers: Vec<String> = board.checkers().into_iter().map(|square| square.to_string()).collect();
    output.line(&format!("Checkers: {}", checkers.join(" ")));
    for line in options.settings().rules.ruling(position).lines(Language::English) {
        output.line(&format!("Rules: {line}"));
    }
}

/// `eval`: the network's evaluation. Below each piece is its contribution: the score with it minus the score without it, in centipawns
/// from Red's view.
pub fn evaluation(output: &Output, position: &Position, options: &Options) {
    // The line of Pikafish's `eval`, for which a client may wait.
    let summary = |text: &str| output.line(&format!("Final evaluation{text}"));
    if position.in_check() {
        summary(": none (in check)");
        return output.line("info string the side to move is in check: there is no static evaluation");
    }
    if !position.board().has_legal_move() {
        summary(": none (no legal move)");
        return output.line("info string the side to move has no legal move and has lost: there is no static evaluation");
    }
    let (board, network) = (position.board(), options.network());
    let sign = if position.side_to_move() == Color::Red { 1 } else { -1 };
    for rank in (0..RANKS).rev() {
        let (mut pieces, mut parts) = (format!("{rank}"), String::from(" "));
        for square in (0..FILES).map(|file| Square::from_index(rank * FILES + file)) {
            let letter = board.piece_on(square).map_or('.', |piece| piece.fen_letter());
            let part = network.contribution(board, square).map_or(String::new(), |part| format!("{:+}", sign * part));
            pieces.push_str(&format!("{letter:>7}"));
            parts.push_str(&format!("{part:>7}"));
        }
        output.line(&pieces);
        output.line(parts.trim_end());
    }
    output.line("       a      b      c      d      e      f      g      h      i");
    output.line(&format!("network: {}", network.parameters().description.escape_debug()));
    let value = evaluate(network, board);
    summary(&format!("       {:+.2} (white side)", f64::from(sign * value) / 100.0));
    let [win, draw, loss] = win_draw_loss(value, board.occupied().len());
    output.line(&format!(
        "info string evaluation {value} centipawns for the side to move, {} for Red, wdl {win} {draw} {loss}",
        sign * value
    ));
}

/// The static score of a position from the side to move's view; a lost game if it has no move.
pub fn static_score(board: &Board, options: &Options) -> Score {
    if !board.has_legal_move() { Score::Mate(0) } else { Score::Centipawns(evaluate(options.network(), board)) }
}

/// The size in MiB to which a table of `hash` MiB is limited: half of the memory that is free without the present one of `own` MiB, so that a
/// careless value cannot abort the process. If the system does not report its memory, only the option's own limit applies. `None` if `hash` is allowed.
pub fn hash_limit(hash: i64, own: i64) -> Option<i64> {
    let limit = || (((available_memory() >> 20) as i64).saturating_add(own) / 2).max(1);
    (hash > DEFAULT_HASH).then(limit).filter(|&limit| limit < hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::records::{TextEncoding, encode};
    use crate::rules::Rules;

    #[test]
    fn chinese_messages_can_be_encoded_in_gbk() {
        let ruling = Rules::default().ruling(&Position::startpos());
        let opening = Some(("Central Cannon", "中炮"));
        for message in [
            Message::IgnoredGo,
            Message::Overflow,
            Message::Dropped(5),
            Message::HashLimit(5),
            Message::SmallerHash(5),
            Message::FewerThreads(5),
            Message::BadVariable("x".into()),
            Message::Network("x"),
            Message::BadNetwork("x".into()),
            Message::BadEndgame("x".into()),
            Message::BadLog("x".into()),
            Message::BadPosition(PositionError::Move { number: 3, text: "x".into(), fen: "x".into() }),
            Message::KeptPosition("x".into()),
            Message::GameOver(&ruling),
            Message::DrawRule("DrawAsRedWin"),
            Message::BadBook("x"),
            Message::BookMove { english: "book move h2e2".into(), chinese: "炮二平五".into(), opening },
            Message::UnknownRule { option: "Repetition Rule", value: "x".into(), kept: "World" },
            Message::NoEffect { option: "NumaPolicy", why: "no effect" },
        ] {
            let text = message.text(Language::Chinese);
            assert!(!text.is_ascii() && encode(&text, TextEncoding::Gbk).1 == 0, "{text}");
            assert!(message.text(Language::English).is_ascii());
        }
    }
}
