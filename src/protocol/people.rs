//! Commands for people at a terminal.

use super::options::Options;
use super::output::Output;
use crate::board::{Board, Position};
use crate::eval::evaluate;
use crate::rules::Language;
use crate::search::{Score, win_draw_loss};
use crate::types::{Color, FILES, RANKS, Square};

/// `help`: what there is.
pub fn help(output: &Output) {
    for line in [
        "uci, ucci                  choose a protocol and list the options",
        "isready                    answers readyok",
        "setoption name N value V   sets an option; UCCI's 'setoption N V' too",
        "position startpos|fen F [moves M...]",
        "banmoves M...              moves that may not be played (UCCI)",
        "go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]",
        "   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] or [time T] [increment T]",
        "stop, ponderhit, quit",
        "probe startpos|fen F [moves M...]   what the table knows (UCCI)",
        "d, flip, eval, perft N, bench, compiler",
    ] {
        output.line(line);
    }
}

/// `compiler`: which program this is.
pub fn compiler(output: &Output) {
    output.line(&format!(
        "info string chuhe {} for {} {}, {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { "with assertions" } else { "optimised" }
    ));
}

/// `d`: the board and what is known of it.
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

/// `eval`: what the network says of the position. Below each piece what it contributes: the score with it less the score
/// without it, in centipawns from Red's view.
pub fn evaluation(output: &Output, position: &Position, options: &Options) {
    if position.in_check() {
        return output.line("info string the side to move is in check: there is no static evaluation");
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

/// The static score of a position for the side to move.
pub fn static_score(board: &Board, options: &Options) -> Score {
    Score::Centipawns(evaluate(options.network(), board))
}

/// Most MiB that a table may take: half of the memory that is free, so that a careless number can't end the process.
/// Where the system doesn't tell, there is no limit but the option's own.
pub fn memory_limit() -> i64 {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_ascii_whitespace().nth(1)?.parse::<i64>().ok()
    });
    // In a container the group's limit counts as well.
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse::<i64>().ok());
    let free = available.map_or(i64::MAX, |kib| kib / 1024).min(group.map_or(i64::MAX, |bytes| bytes >> 20));
    (free / 2).max(1)
}
