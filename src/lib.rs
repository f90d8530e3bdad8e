//! chuhe (楚河), a xiangqi engine: the library behind the `chuhe` program.
//!
//! The game itself is in the crate [`xiangqi`], whose layers 0 to 3 (types, board, rules, notation, openings, records) are below
//! the modules here. The layers of the engine, lowest first; each imports only from lower ones:
//!
//! | layer | module | contents |
//! | --- | --- | --- |
//! | 3 | [`memory`] | memory in huge pages, available memory |
//! | 4 | [`nnue`] | the evaluation network: features, accumulators, inference, file |
//! | 4 | [`system`] | operating system: atomic files, code page, parent process |
//! | 5 | [`eval`] | evaluation of positions |
//! | 5 | [`book`] | opening books: the built-in one, foreign formats, move selection |
//! | 5 | [`endgame`] | endgame tables: built-in ones, files, generator |
//! | 6 | `library` | game libraries, searchable by position |
//! | 6 | [`search`] | the search |
//! | 7 | [`threads`] | search threads and their shared transposition table |
//! | 8 | `protocol` | UCCI and UCI on stdin and stdout |
//! | 8 | [`puzzles`] | puzzles from games |
//! | 8 | [`report`] | analysis results, game reviews, diagrams, HTML pages |
//! | 9 | `arena` | engine matches |
//! | 9 | `board_page` | the board page: its files, messages and their handlers |
//! | 10 | `serve` | HTTP server of the board page |
//! | 11 | `commands` | the command line |
//!
//! Features: `program` enables protocol, arena and commands, `board-page` the board page, `serve` the server, and `sqlite`
//! the game library. Without `network`, `opening-book` and `endgames` that data is not built in but supplied at run time
//! (`provide` of each module).

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
#[cfg(feature = "sqlite")]
pub mod library;
pub mod memory;
pub mod nnue;
#[cfg(feature = "program")]
pub mod protocol;
pub mod puzzles;
pub mod report;
pub mod search;
#[cfg(feature = "serve")]
mod serve;
pub mod system;
pub mod threads;

pub use xiangqi;
pub use xiangqi::{board, notation, records, rules, types};
