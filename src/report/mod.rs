//! Layer 8: reports. Results of analysis as data, reviews of entire games, and their output formats: JSON Lines, text for a terminal, board
//! diagrams, pages.
//!
//! Search a position and store the result:
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::report::PositionResult;
//! use chuhe::search::{Limits, Settings};
//! use chuhe::threads::Pool;
//!
//! let position = Position::startpos();
//! let mut pool = Pool::new(1, 1);
//! let limits = Limits { depth: Some(2), ..Limits::none() };
//! let result = PositionResult::search(&mut pool, &position, &limits, &Settings::default());
//! assert_eq!(result.lines[0].pv.first(), result.best.as_ref());
//! println!("{}", serde_json::to_string(&result).unwrap());
//! ```

mod annotate;
mod diagram;
mod effort;
mod exact;
mod glyphs;
mod json;
mod page;
mod result;
mod review;
mod summary;
mod table;
mod totals;
mod view;

#[cfg(feature = "png")]
pub use diagram::PngError;
pub use diagram::{ArrowKind, Diagram, Edges, PieceStyle};
pub use exact::Giveaway;
pub use glyphs::outlines;
pub use json::{Fault, Located, Origin, ReadBackError, ReviewForm, verdict_name};
pub use page::Page;
pub use result::{Line, PositionResult, centipawns};
pub use review::{Accuracy, GameReview, Judgement, MoveReview, OpeningName, ReviewError, ended_note};
pub use table::Table;
pub use totals::Totals;
pub use view::{ScoreUnit, View};
