//! Layer 3: game records. [`Record`] is a tree of moves, with readers and writers for the file formats common among xiangqi players.
//!
//! Readers recover as much as possible: at an illegal move or in a truncated file, the rest of the line is dropped and reported in
//! [`Record::warnings`]. Writers return [`Losses`], which lists everything that the format cannot store.
//!
//! Read the games of a file and print their main lines in any notation:
//!
//! ```
//! use xiangqi::notation::{self, System};
//! use xiangqi::records::{Format, Records};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = b"[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 (1... B9-C7 {the other horse}) 2. H0-G2 1-0\n";
//! for record in Records::new(file.to_vec(), Some(Format::Pgn))? {
//!     let record = record?;
//!     let start = record.start.position()?;
//!     let moves: Vec<_> = record.moves().collect();
//!     let text = notation::write_line(System::Uci, start.board(), &moves);
//!     assert_eq!(text.join(" "), "h2e2 h9g7 h0g2");
//!     assert_eq!(record.moves_in_tree(), 4);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Adding a format
//!
//! Put the reader and, if the format can be written, the writer into a file of their own, and add its `mod` line and a row to the
//! table of [`Format`]. The command line and the tables in the documentation are derived from the rows.

mod cbf;
mod cbr;
#[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), path = "charset_host.rs")]
mod charset;
mod clients;
mod dhtmlxq;
mod encoding;
mod error;
pub mod fen_list;
mod format;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod options;
mod pfc;
mod pgn;
mod result;
mod source;
mod tags;
mod tree;
mod txq;
mod warning;
mod writer;
mod wxf;
mod xqf;

pub use crate::board::Setup;
pub use encoding::{InputEncoding, TextEncoding, UNREADABLE, decode, encode, is_utf16};
pub use error::{Losses, RecordError, RecordProblem};
pub use format::FORMAT_HEAD;
pub use options::{LineEnds, PgnOptions};
pub use result::RecordResult;
pub use source::{MAX_FILE, Records, check_uncompressed};
pub use tags::{player_name, read_date, unpadded};
pub use tree::{LineFault, MAX_COMMENTS, MAX_NODES, MAX_PLIES, NodeId, Record, TreeFull};
pub use warning::Warning;
pub use writer::RecordWriter;

use format::{Mark, text_bytes};
use source::One;

format::formats! {
    /// Portable Game Notation with xiangqi tags and moves.
    Pgn {
        id: "pgn", extensions: &["pgn", "pgns"], title: "portable game notation", holds_many: true,
        mark: Mark::Line(pgn::is_start, pgn::unquoted), open: |file| pgn::open(file.text()),
        write: Some(|record, options| text_bytes(pgn::write(record, options), options)),
    }
    /// XQStudio.
    Xqf {
        id: "xqf", extensions: &["xqf"], title: "XQStudio", holds_many: false,
        mark: Mark::Certain(|head| xqf::has_mark(head.bytes)),
        open: |file| One::source(xqf::read(&file.bytes, file.encoding)), write: Some(|record, _| xqf::write(record)),
    }
    /// CCBridge record.
    Cbr {
        id: "cbr", extensions: &["cbr"], title: "CCBridge record", holds_many: false,
        mark: Mark::Certain(|head| head.bytes.starts_with(cbr::RECORD_MAGIC)),
        open: |file| One::source(cbr::read(&file.bytes)), write: Some(|record, _| cbr::write(record)),
    }
    /// CCBridge library.
    Cbl {
        id: "cbl", extensions: &["cbl"], title: "CCBridge library", holds_many: true,
        mark: Mark::Certain(|head| [cbr::LIBRARY_MAGIC, cbr::PACKED_MAGIC].iter().any(|magic| head.bytes.starts_with(magic))),
        open: cbr::Library::source, write: Some(|record, _| cbr::write_library(record)),
    }
    /// CCBridge record as XML.
    Cbf {
        id: "cbf", extensions: &["cbf"], title: "CCBridge record as XML", holds_many: false,
        mark: Mark::Certain(cbf::is_cbf), open: |file| One::source(cbf::read_file(file)),
        write: Some(|record, _| cbf::write(record)),
    }
    /// DhtmlXQ of dpxq.com, also called UBB.
    DhtmlXq {
        id: "ubb", extensions: &["ubb", "dhtmlxq", "html", "htm"], title: "DhtmlXQ of dpxq.com, also called UBB", holds_many: true,
        mark: Mark::Anywhere(dhtmlxq::find_mark), open: |file| dhtmlxq::open(file.text()),
        write: Some(|record, options| text_bytes(dhtmlxq::write(record, options.encoding), options)),
    }
    /// WXF record, used by XieXie and PlayOK.
    Wxf {
        id: "wxf", extensions: &["wxf"], title: "WXF record of XieXie and PlayOK", holds_many: true,
        mark: Mark::Anywhere(wxf::find_mark), open: |file| Ok(wxf::open(file.text())),
        write: Some(|record, options| text_bytes(wxf::write(record, options), options)),
    }
    /// TCHESS record.
    Txq {
        id: "txq", extensions: &["txq"], title: "record of TCHESS", holds_many: false,
        mark: Mark::Certain(txq::is_txq), open: |file| One::source(txq::read(&file.bytes)), write: Some(|record, _| txq::write(record)),
    }
    /// Record of Pengfei (鹏飞象棋).
    Pfc {
        id: "pfc", extensions: &["pfc"], title: "record of Pengfei", holds_many: false,
        mark: Mark::Certain(pfc::is_pfc), open: |file| One::source(pfc::read_file(file)), write: None,
    }
    /// Record of the QQ clients.
    Che {
        id: "che", extensions: &["che"], title: "record of QQ's clients", holds_many: false,
        mark: Mark::Certain(clients::is_che), open: |file| One::source(clients::read_che(file)), write: None,
    }
    /// Record of the Movesky client.
    Mxq {
        id: "mxq", extensions: &["mxq"], title: "record of Movesky's client", holds_many: false,
        mark: Mark::Certain(clients::is_mxq), open: |file| One::source(clients::read_mxq(file)), write: None,
    }
    /// Record of the Ourgame client.
    Chn {
        id: "chn", extensions: &["chn"], title: "record of Ourgame's client", holds_many: false,
        mark: Mark::Certain(clients::is_chn), open: |file| One::source(clients::read_chn(file)), write: None,
    }
    /// Record of the China Game Center client.
    Ccm {
        id: "ccm", extensions: &["ccm"], title: "record of the China Game Center's client", holds_many: false,
        mark: Mark::Certain(clients::is_ccm), open: |file| One::source(clients::read_ccm(file)), write: None,
    }
    /// Lines of FEN or EPD, with or without moves.
    Fen {
        id: "fen", extensions: &["fen", "epd", "txt"], title: "lines of FEN or EPD, with or without moves", holds_many: true,
        mark: Mark::Line(fen_list::is_start, |text, _| text.to_string()), open: fen_list::open,
        write: Some(|record, options| text_bytes(fen_list::write(record), options)),
    }
}

/// Writes a file with a single record. See [`RecordWriter`] for several records.
///
/// ```
/// use xiangqi::notation::System;
/// use xiangqi::records::{self, Format, PgnOptions, Record, Setup};
/// use xiangqi::types::Move;
///
/// let mut record = Record::new(Setup::standard());
/// record.add(record.root(), Move::from_uci("h2e2")?)?;
/// let options = PgnOptions { notation: System::Wxr, ..PgnOptions::default() };
/// let (pgn, losses) = records::write(&record, Format::Pgn, &options)?;
/// assert!(String::from_utf8(pgn)?.contains("1. C2=5") && losses.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if there is no writer for the format, or the format cannot store the record, for example its start position.
pub fn write(record: &Record, format: Format, options: &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError> {
    format.write(record, options)
}
