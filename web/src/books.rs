//! Opening books of other programs.

use chuhe::board_page::document::position_of;
use chuhe::board_page::message::LineForm;
use chuhe::board_page::questions::named;
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
    /// The book that the program carries.
    #[must_use]
    pub fn builtin() -> OpeningBook {
        OpeningBook { book: Book::Embedded }
    }

    /// A book out of the bytes of a file: a compiled book or a source (`.wxf`) of chuhe, or a `BOOK.DAT` of XQWizard.
    ///
    /// # Errors
    /// What is wrong with the bytes, and where.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<OpeningBook, JsError> {
        Ok(OpeningBook { book: Book::from_bytes(name, bytes)? })
    }

    /// About how many moves it holds.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.book.size() as f64
    }

    /// The moves that it knows after a line (the `line` of the messages, as JSON), as JSON: `move`, `text`, `weight`.
    ///
    /// # Errors
    /// What is wrong with line or notation.
    pub fn moves(&self, line: &str, notation: &str) -> Result<String, JsError> {
        let position = position_of(&serde_json::from_str::<LineForm>(line)?)?;
        let notation = Notation::new(notation.parse::<System>()?);
        let board = position.board();
        let known = self.book.moves(board)?.into_iter().map(|found| {
            let mv = named(&notation, board, found.mv);
            json!({"move": mv.mv, "text": mv.text, "weight": found.weight})
        });
        Ok(serde_json::Value::from_iter(known).to_string())
    }
}
