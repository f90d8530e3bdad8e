//! Commands for people at a terminal.

use super::options::Options;
use super::output::Output;
use crate::board::{Board, Position};
use crate::eval::evaluate;
use crate::eval::win_draw_loss;
use crate::rules::Language;
use crate::search::Score;
use crate::system::available_memory;
use crate::types::{Color, FILES, RANKS, Square};

/// What a person who has started the program without a command on a terminal needs to know: what it is and what to type.
pub const GREETING: [&str; 2] = [
    "chuhe is a xiangqi engine; graphical programs talk to it here in UCI or UCCI.",
    "Type 'help' for the commands, 'quit' to leave; 'chuhe --help' lists what else the program does.",
];

/// The answer to a line that is no command, on a terminal.
pub fn unknown(output: &Output, word: &str) {
    output.line(&format!("{}; 'help' lists the commands", unknown_command(word)));
}

/// What is wrong with a line that begins with this word.
pub fn unknown_command(word: &str) -> String {
    format!("unknown command '{}'", word.chars().take(40).collect::<String>())
}

/// `help`: the commands.
pub fn help(output: &Output) {
    for line in [
        "uci, ucci                  choose the protocol and list the options",
        "isready                    answer readyok when everything before is done",
        "debug on|off               say what is not understood",
        "setoption name N value V   set an option; UCCI's form 'setoption N V' works too",
        "ucinewgame                 forget what was learnt in the last game",
        "position startpos|fen F [moves M...]   set the position",
        "banmoves M...              moves that must not be played (UCCI)",
        "go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]",
        "   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] or [time T] [increment T]",
        "                           search the position; without a limit until 'stop'",
        "stop, ponderhit            end the search; the move expected while pondering was played",
        "probe startpos|fen F [moves M...]   what the transposition table knows (UCCI)",
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

/// `d`: the board, its FEN and key, checks, and what the rules say.
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

/// `eval`: the network's evaluation. Below each piece stands its contribution: the score with it minus the score without it, in
/// centipawns from Red's view.
pub fn evaluation(output: &Output, position: &Position, options: &Options) {
    if position.in_check() {
        return output.line("info string the side to move is in check: there is no static evaluation");
    }
    if position.board().count_legal_moves() == 0 {
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
    let [win, draw, loss] = win_draw_loss(value, board.occupied().len());
    output.line(&format!(
        "info string evaluation {value} centipawns for the side to move, {} for Red, wdl {win} {draw} {loss}",
        sign * value
    ));
}

/// The static score of a position for the side to move; a lost game where it has no move.
pub fn static_score(board: &Board, options: &Options) -> Score {
    if board.count_legal_moves() == 0 { Score::Mate(0) } else { Score::Centipawns(evaluate(options.network(), board)) }
}

/// Largest size of the table in MiB: half of the free memory, so that a careless number cannot end the process. Where the
/// system does not report its memory there is no limit but the option's own.
pub fn memory_limit() -> i64 {
    ((available_memory() >> 20) as i64 / 2).max(1)
}
