//! Floor 2: moves as people write them.

use crate::board::Board;
use crate::types::Move;
use std::str::FromStr;

/// A notation system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum System {
    /// ICCS coordinates: `H2-E2`.
    Iccs,
    /// Compact ICCS: `h2e2`.
    Uci,
    /// Ranks 1 to 10: `h3e3`.
    Uci10,
    /// WXF 1999: `C2.5`.
    Wxf,
    /// World Xiangqi Rules 2018: `C2=5`.
    Wxr,
    /// The beginner's system with its own rules for tandem pawns.
    Tandem,
    /// Traditional characters: 炮二平五.
    Chinese,
    /// Simplified characters.
    ChineseSimplified,
    /// The former official shorthand.
    Shorthand,
    /// An Old Xiangqi Manual.
    OldManual,
    /// The ninety-character poem.
    Poem,
    /// One Hundred Variations: words.
    Descriptive,
    /// Meng Baolin's coordinates.
    Meng,
    /// Hodges' notation.
    Hodges,
}

impl FromStr for System {
    type Err = String;

    /// Reads the identifier, such as `wxr`.
    fn from_str(text: &str) -> Result<System, String> {
        match text {
            "uci" => Ok(System::Uci),
            _ => Err(format!("unknown notation '{text}'")),
        }
    }
}

/// Writes a legal move of this board.
pub fn write(system: System, board: &Board, mv: Move) -> String {
    let _ = (system, board);
    mv.to_string()
}

/// Reads a move against a board.
///
/// # Errors
/// When the text is not the notation of exactly one legal move.
pub fn read(system: System, board: &Board, text: &str) -> Result<Move, String> {
    let _ = system;
    Move::from_uci(text).and_then(|mv| if board.is_legal(mv) { Ok(mv) } else { Err(format!("{mv} is not legal")) })
}

/// Writes a line of legal moves played from this board.
pub fn write_line(system: System, board: &Board, moves: &[Move]) -> Vec<String> {
    let mut board = *board;
    moves
        .iter()
        .map(|&mv| {
            let text = write(system, &board, mv);
            board = board.after(mv);
            text
        })
        .collect()
}
