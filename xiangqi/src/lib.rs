//! A library for xiangqi (Chinese chess): board representation, legal move generation, FEN, fifteen move notations, adjudication
//! of repetitions by the World Xiangqi Rules with explanations, and the game record formats of other programs.
//!
//! Start with [`board::Position`], a position together with the moves that led to it, or with [`board::Board`], a position without
//! history. [`notation`] reads and writes moves, and [`rules::Rules`] determines the result of a game and explains it. No
//! initialisation is needed.
//!
//! # Example
//!
//! ```
//! use xiangqi::board::Position;
//! use xiangqi::notation::{self, System};
//! use xiangqi::rules::{Language, Rules};
//!
//! let mut game = Position::startpos();
//! assert_eq!(game.board().legal_moves().len(), 44);
//! for text in ["炮二平五", "馬8進7"] {
//!     game.make(notation::read_auto(game.board(), text)?);
//! }
//! assert_eq!(game.to_fen(), "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
//! let reply = notation::read(System::Iccs, game.board(), "H0-G2")?;
//! assert_eq!(notation::write(System::Wxr, game.board(), reply), "H2+3");
//! let ruling = Rules::default().ruling(&game);
//! assert_eq!(ruling.summary(Language::English), "undecided: nothing repeats and no limit is reached");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! The modules form layers; each imports only from lower layers:
//!
//! | layer | module | contents |
//! | --- | --- | --- |
//! | 0 | [`types`] | points, pieces, moves, sets of points |
//! | 1 | [`board`] | positions, FEN, legal moves, keys, exchange evaluation |
//! | 2 | [`rules`] | repetition, natural limit, bare material |
//! | 2 | [`notation`] | reading and writing moves in fifteen notations |
//! | 3 | `openings` | opening books: text source, compiler and binary format (feature `openings`) |
//! | 3 | `records` | game records: one game tree, many file formats (feature `records`) |
//!
//! The features `testing` and `fuzzing` add `board::test_positions` and `records::fuzzing`, for tests only.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]

pub mod board;
pub mod notation;
#[cfg(feature = "openings")]
pub mod openings;
#[cfg(feature = "records")]
pub mod records;
pub mod rules;
pub mod types;

/// Runs the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
