//! Layer 3: opening books, as text source and in compiled form.
//!
//! The source ([`text`]) is a tree of lines in WXF notation with weights and opening names. [`compile`] plays every line on a board
//! and produces the binary format of [`encode`], a sorted table of moves by position key.
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
pub mod key;
pub mod text;
