//! Opening books of other programs.

use chuhe::board_page::document::{LineForm, position_of};
use chuhe::board_page::message::Move;
use chuhe::book::Book;
use chuhe::notation::{Notation, System};
use serde_json::json;
use wasm_bindgen::prelude::*;

/// An opening book.
#[wasm_bindgen]
pub struct OpeningBook {
    book: Book,
}

#[wasm_bindgen]
impl OpeningBook {
    /// The built-in book.
    #[must_use]
    pub fn builtin() -> OpeningBook {
        OpeningBook { book: Book::Builtin }
    }

    /// Opens a book from the contents of a file: a compiled book or source (`.wxf`) of chuhe, or a `BOOK.DAT` of XQWizard.
    ///
    /// # Errors
    /// When the contents are invalid; the message gives the location.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<OpeningBook, JsError> {
        Ok(OpeningBook { book: Book::from_bytes(name, bytes)? })
    }

    /// Approximate number of moves.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.book.size() as f64
    }

    /// The book moves after a line (a `line` of the message protocol, as JSON), as JSON: `move`, `text`, `weight`.
    ///
    /// # Errors
    /// When the line or the notation is invalid.
    pub fn moves(&self, line: &str, notation: &str) -> Result<String, JsError> {
        let position = position_of(&serde_json::from_str::<LineForm>(line)?)?;
        let notation = Notation::new(notation.parse::<System>()?);
        let board = position.board();
        let known = self.book.moves(board)?.into_iter().map(|found| {
            let mv = Move::named(&notation, board, found.mv);
            json!({"move": mv.mv, "text": mv.text, "weight": found.weight})
        });
        Ok(serde_json::Value::from_iter(known).to_string())
    }
}
