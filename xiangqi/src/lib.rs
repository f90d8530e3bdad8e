//! Xiangqi (Chinese chess) for programs: positions and legal moves, FEN, moves in fifteen notations, repetitions
//! adjudicated by the World Xiangqi Rules with the reasons, game records of other programs.
//!
//! Start with [`board::Position`], a game as it is played, or [`board::Board`], a position without a past. [`notation`] reads and
//! writes its moves, and [`rules::Rules`] says who has won, lost or drawn, and why. Nothing needs to be initialised.
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
//! The layers, lowest first; each imports only from lower ones:
//!
//! | layer | module | contents |
//! | --- | --- | --- |
//! | 0 | [`types`] | points, pieces, moves, sets of points |
//! | 1 | [`board`] | positions, FEN, legal moves, keys, exchange evaluation |
//! | 2 | [`rules`] | repetition, natural limit, bare material |
//! | 2 | [`notation`] | moves as people write them |
//! | 3 | `openings` | opening books as text, and their compiled form (feature `openings`) |
//! | 3 | `records` | game records: one tree, many file formats (feature `records`) |

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

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
