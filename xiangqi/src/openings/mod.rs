//! Layer 3: opening books as text and as a table. The text is a tree of WXF lines with names and weights; [`compile`] plays
//! every line on a board and makes the table of [`encode`], which programs search by position key.
//!
//! ```
//! use xiangqi::openings::compile::Compiler;
//!
//! let mut compiler = Compiler::new()?;
//! compiler.read("mine.wxf", "C2.5 \"Central Cannon\" \"中炮\"\n  H8+7*30\n  C8.5\n")?;
//! assert_eq!(compiler.finish()?.entries.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compile;
pub mod encode;
pub mod place;
pub mod text;
