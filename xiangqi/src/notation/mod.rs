//! Layer 2: move notations. Each system has one strict writer and one lenient reader.
//!
//! Writing and reading a move both need a [`Board`](crate::board::Board): most systems give the file of a piece and the distance
//! it moves, which is meaningless without the position. Readers accept all common variants (full-width characters, upper or lower
//! case, mixed traditional and simplified characters, stray whitespace) and return either the only matching legal move or a
//! [`ReadError`]. Writers have exactly one output for each move. [`System`] describes the systems.
//!
//! ```
//! use xiangqi::board::Position;
//! use xiangqi::notation::{self, System};
//!
//! let start = Position::startpos();
//! let mv = notation::read(System::Chinese, start.board(), "炮二平五")?;
//! assert_eq!(notation::write(System::Wxr, start.board(), mv), "C2=5");
//! assert_eq!(notation::write(System::Iccs, start.board(), mv), "H2-E2");
//! # Ok::<(), xiangqi::notation::ReadError>(())
//! ```
//!
//! [`Notation`] combines a system with its options (the legend of `poem`, the line style of `shorthand`, the script),
//! [`read_line_auto`] detects the system, and [`PositionText`] is a position followed by moves in any system.
//!
//! # Adding a system
//!
//! Put the writer and the reader into a file of their own, and add its `mod` line and a row to the table below. The command line,
//! the protocol option, PGN and the tables in the documentation are all derived from the rows.

mod auto;
mod chinese;
mod components;
mod convert;
mod coordinates;
mod descriptive;
mod error;
#[cfg(test)]
mod examples;
mod game_line;
pub(crate) mod glued;
mod hodges;
mod meng;
mod move_numbers;
mod numbering;
mod old_manual;
mod poem;
mod shorthand;
mod system;
mod tandem;
mod text;
mod vietnamese;
mod western;
#[cfg(feature = "records")]
mod wizard;

pub use auto::{Detected, OtherReading, read_auto, read_line_auto};
pub use convert::{LineStyle, Notation, Script, read, read_line, write, write_line};
pub use error::{LineError, ReadError};
pub use game_line::{GameLine, LineReader, PositionText, PositionTextError, SystemChoice};
pub use move_numbers::strip_number;
pub use poem::{Legend, LegendError};
pub use system::PgnForm;
#[cfg(feature = "records")]
pub(crate) use {
    chinese::is_no_move,
    game_line::{CHECK_WORDS, without_check},
    move_numbers::{MoveNumbers, circled, is_digit, number_in, round},
    text::{is_invisible, kind_of_name, number},
    vietnamese::is_unmistakable as is_vietnamese,
    wizard::is_read_by_wizard,
};

use chinese::Characters::{Simplified, Traditional};
use components::Edition::{Rules2018, Standard1999};
use system::Usage;

system::systems! {
    /// `iccs`: coordinates of the Internet Chinese Chess Server, `H2-E2`. Files `A` to `I` from Red's left, ranks `0` to
    /// `9` from Red's back rank.
    Iccs {
        id: "iccs", names: &[], title: "Internet Chinese Chess Server coordinates",
        form: "two points such as H2-E2", example: "H2-E2", usage: Usage::General, pgn: Some(PgnForm::Coordinates),
        write: |_, _, mv, out| coordinates::write_iccs(mv, out),
        read: |_, board, text| coordinates::read(board, text),
    }
    /// `uci`: the same coordinates in lower case without a dash, `h2e2`, as in UCCI and most UCI engines.
    Uci {
        id: "uci", names: &["ucci"], title: "coordinates of UCI and UCCI",
        form: "two points such as h2e2", example: "h2e2", usage: Usage::General, pgn: Some(PgnForm::Coordinates),
        write: |_, _, mv, out| coordinates::write_uci(mv, out),
        read: |_, board, text| coordinates::read(board, text),
    }
    /// `uci10`: the coordinates of Fairy-Stockfish, with ranks 1 to 10, `h3e3`.
    Uci10 {
        id: "uci10", names: &[], title: "coordinates with ranks 1 to 10 (Fairy-Stockfish)",
        form: "two points with ranks 1 to 10 such as h3e3", example: "h3e3", usage: Usage::General,
        pgn: Some(PgnForm::CoordinatesFromOne),
        write: |_, _, mv, out| coordinates::write_uci10(mv, out),
        read: |_, board, text| coordinates::read_uci10(board, text),
    }
    /// `wxf`: the World Xiangqi Federation standard of 1999, `C2.5`; for tandem pieces `C+.5`.
    Wxf {
        id: "wxf", names: &[], title: "World Xiangqi Federation standard of 1999",
        form: "four characters such as C2.5 or C+.5", example: "C2.5", usage: Usage::General, pgn: Some(PgnForm::Western),
        write: |_, board, mv, out| western::write(Standard1999, board, mv, out),
        read: |_, board, text| western::read(Standard1999, board, text),
    }
    /// `wxr`: the World Xiangqi Rules of 2018, the current official form, `C2=5`; for tandem pieces `+C=5`.
    Wxr {
        id: "wxr", names: &[], title: "World Xiangqi Rules of 2018, today's official form",
        form: "four characters such as C2=5 or +C=5", example: "C2=5", usage: Usage::General, pgn: Some(PgnForm::Western),
        write: |_, board, mv, out| western::write(Rules2018, board, mv, out),
        read: |_, board, text| western::read(Rules2018, board, text),
    }
    /// `tandem`: the system of Chinese Chess for Beginners, with its own rules for tandem pawns, `C2.5`, `P+.4`, `++.4`, `33.4`.
    Tandem {
        id: "tandem", names: &[], title: "the beginner's system, with its own tandem pawns",
        form: "four characters such as C2.5, P+.4 or 33.4", example: "C2.5", usage: Usage::General, pgn: Some(PgnForm::Western),
        write: |_, board, mv, out| western::write(Standard1999, board, mv, out),
        read: |_, board, text| western::read(Standard1999, board, text),
    }
    /// `chinese`: traditional characters, 炮二平五 for Red and 砲２平５ for Black.
    Chinese {
        id: "chinese", names: &["characters", "traditional"], title: "traditional Chinese characters",
        form: "four characters such as 炮二平五 or 前車進一", example: "炮二平五", usage: Usage::General,
        pgn: Some(PgnForm::Characters),
        write: |_, board, mv, out| chinese::write(Traditional, board, mv, out),
        read: |_, board, text| chinese::read(board, text),
    }
    /// `chinese-simplified`: simplified characters, 炮二平五 and 炮２平５.
    ChineseSimplified {
        id: "chinese-simplified", names: &["simplified"], title: "simplified Chinese characters",
        form: "four characters such as 炮二平五 or 前车进一", example: "炮二平五", usage: Usage::General,
        pgn: Some(PgnForm::Characters),
        write: |_, board, mv, out| chinese::write(Simplified, board, mv, out),
        read: |_, board, text| chinese::read(board, text),
    }
    /// `vietnamese`: the notation of the Vietnamese Xiangqi Federation, `P2-5`, `M8.7`, `P8/1`; for tandem pieces `Xt.1`.
    Vietnamese {
        id: "vietnamese", names: &["vn"], title: "Vietnamese Xiangqi Federation",
        form: "Vietnamese letters such as P2-5, M8.7, P8/1 or Xt.1", example: "P2-5", usage: Usage::Regional,
        pgn: Some(PgnForm::Vietnamese),
        write: |_, board, mv, out| vietnamese::write(board, mv, out),
        read: |_, board, text| vietnamese::read(board, text),
    }
    /// `shorthand`: the former official shorthand, used by the periodical Beifang Qiyi, `C25`. The last digit is underlined for
    /// an advance and overlined for a retreat.
    Shorthand {
        id: "shorthand", names: &[], title: "former official shorthand (Beifang Qiyi)",
        form: "three characters such as C25, with a line under or over the last for an advance or a retreat", example: "C25",
        usage: Usage::Historical, pgn: None,
        write: |notation, board, mv, out| shorthand::write(board, mv, notation.script, notation.lines, out),
        read: |_, board, text| shorthand::read(board, text),
    }
    /// `old-manual`: the notation of An Old Xiangqi Manual, `C8=5`. Like `wxr`, but each half of the board numbers its files from
    /// the left of the side it belongs to.
    OldManual {
        id: "old-manual", names: &[], title: "An Old Xiangqi Manual",
        form: "four characters such as C8=5 or +C=5", example: "C8=5", usage: Usage::Historical, pgn: None,
        write: |_, board, mv, out| old_manual::write(board, mv, out),
        read: |_, board, text| old_manual::read(board, text),
    }
    /// `poem`: the notation of the Plum Flower Manual, in which each point is named by a character of a poem.
    Poem {
        id: "poem", names: &[], title: "Plum Flower Manual, one character for every point",
        form: "two characters of the poem joined by a dash", example: "羽-淡", usage: Usage::Historical, pgn: None,
        write: |notation, _, mv, out| poem::write(mv, notation.poem(), out),
        read: |notation, board, text| poem::read(board, text, notation.poem()),
    }
    /// `descriptive`: the phrases of One Hundred Variations, `Cannon traverses`. One text can match several moves.
    Descriptive {
        id: "descriptive", names: &[], title: "words of One Hundred Variations; not always unambiguous",
        form: "words such as Pawn captures Chariot, Horse to Riverbank or Cannon traverses", example: "Cannon traverses",
        usage: Usage::Historical, pgn: None,
        write: |notation, board, mv, out| descriptive::write(board, mv, notation.script, notation.unambiguous, out),
        read: |_, board, text| descriptive::read(board, text),
    }
    /// `meng`: Meng Baolin's coordinates, `H28-47`. Files 1 to 9 from Red's left and ranks 0 to 9 from Red's back rank, for both
    /// sides. His diagram was not available, so the direction of the axes is inferred from two examples.
    Meng {
        id: "meng", names: &[], title: "Meng Baolin's coordinates",
        form: "a piece and two points in digits such as H28-47", example: "C82-52", usage: Usage::Historical, pgn: None,
        write: |_, board, mv, out| meng::write(board, mv, out),
        read: |_, board, text| meng::read(board, text),
    }
    /// `hodges`: George Hodges' shogi notation, `C-5h`. Files 1 to 9 from Red's right, ranks `a` to `j` from Black's back rank.
    Hodges {
        id: "hodges", names: &[], title: "George Hodges' notation for shogi",
        form: "a piece, - or x and a point such as C-5h", example: "C2h-5h", usage: Usage::Historical, pgn: None,
        write: |_, board, mv, out| hodges::write(board, mv, out),
        read: |_, board, text| hodges::read(board, text),
    }
}
