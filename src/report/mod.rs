//! Floor 6: what people look at. Results of analysis as data, reviews of whole games, drawings of boards and one-page reports.
//!
//! Search a position and keep the result in every notation:
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
//! assert_eq!(result.lines[0].pv.len(), result.lines[0].pv_chinese.len());
//! println!("{}", serde_json::to_string(&result).unwrap());
//! ```

mod diagram;
mod page;
mod result;
mod review;

pub use diagram::{ArrowKind, Diagram, PieceStyle, character, letter};
pub use page::{MAX_LISTED_POSITIONS, Page};
pub use result::{Line, PositionResult, ScoreValue};
pub use review::{Accuracy, GameReview, Judgement, MoveReview};
