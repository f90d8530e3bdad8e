//! chuhe (楚河), a xiangqi engine: the library behind the `chuhe` program.
//!
//! The floors, from the ground up; each imports only from below:
//!
//! | floor | module | what lives there |
//! | --- | --- | --- |
//! | 0 | [`types`] | points, pieces, moves, sets of points |
//! | 1 | [`board`] | positions, FEN, legal moves, keys, exchange evaluation |
//! | 2 | [`rules`] | repetition, natural limit, bare material |
//! | 2 | [`notation`] | moves as people write them |
//! | 2 | [`nnue`] | the evaluation network: features, accumulators, inference, file |
//! | 3 | [`eval`] | how good a position is |
//! | 3 | [`book`] | opening books: source, table, foreign files, choice of a move |
//! | 3 | [`records`] | game records: one tree, many file formats |
//! | 4 | [`search`] | the search |
//! | 5 | [`threads`] | search threads and their shared table |
//! | 6 | [`protocol`] | UCCI and UCI on stdin and stdout |
//! | 6 | [`report`] | results as data, reviews of games, drawings, pages |
//! | 7 | [`arena`] | engine against engine |
//! | 8 | [`commands`] | the command line |

#![deny(missing_docs)]

pub mod arena;
pub mod board;
pub mod book;
pub mod commands;
pub mod eval;
pub mod nnue;
pub mod notation;
pub mod protocol;
pub mod records;
pub mod report;
pub mod rules;
pub mod search;
pub mod threads;
pub mod types;
