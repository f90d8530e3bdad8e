//! chuhe (楚河), a xiangqi engine: the library behind the `chuhe` program.
//!
//! The game itself is the crate [`xiangqi`]: its layers 0 to 3 (types, board, rules, notation, openings, records) lie below all
//! modules here. The layers of the engine, lowest first; each imports only from lower ones:
//!
//! | layer | module | contents |
//! | --- | --- | --- |
//! | 4 | [`nnue`] | the evaluation network: features, accumulators, inference, file |
//! | 4 | [`system`] | what depends on the operating system: atomic files, code page, huge pages, parent process |
//! | 5 | [`eval`] | how good a position is |
//! | 5 | [`book`] | opening books: the built-in one, foreign files, choice of a move |
//! | 5 | [`endgame`] | exact results of positions with few pieces: built-in tables, files, solver |
//! | 6 | `library` | libraries of games, which find them by position |
//! | 6 | [`search`] | the search |
//! | 7 | [`threads`] | search threads and their shared table |
//! | 8 | `protocol` | UCCI and UCI on stdin and stdout |
//! | 8 | [`puzzles`] | puzzles from games |
//! | 8 | [`report`] | results as data, reviews of games, drawings, pages |
//! | 9 | `arena` | engine against engine |
//! | 9 | `board_page` | the page of the board: its messages, what answers them, its files |
//! | 10 | `serve` | a board in the browser |
//! | 11 | `commands` | the command line |
//!
//! Protocol, arena and commands are left out without the feature `program`, the page of the board without `board-page`, the
//! board in the browser without `serve`, and libraries of games without `sqlite`. Without `network`, `opening-book` and `endgames` these
//! parts come as files (`provide` of each module).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]

#[cfg(feature = "program")]
pub mod arena;
#[cfg(feature = "board-page")]
pub mod board_page;
pub mod book;
#[cfg(feature = "program")]
pub mod commands;
pub mod endgame;
pub mod eval;
#[cfg(any(feature = "sqlite", feature = "board-page"))]
pub mod library;
pub mod nnue;
#[cfg(feature = "program")]
pub mod protocol;
pub mod puzzles;
pub mod report;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod system;
pub mod threads;

pub use xiangqi;
pub use xiangqi::{board, notation, records, rules, types};
