//! The WebAssembly module of the npm package `chuhe` and of the page without a server.
//!
//! It uses the message protocol of `chuhe serve` (docs/src/developers/serve.md), so that clients need only one protocol: JSON text in, one
//! or more JSON texts out. Questions are answered by [`answer`], searches by [`Searcher`], which runs in its own worker.
#![deny(missing_docs)]

mod books;
mod search;

pub use books::OpeningBook;
pub use search::Searcher;

use chuhe::board_page;
use chuhe::book;
use chuhe::endgame::Tables;
use chuhe::nnue::{Network, Simd, provide};
use chuhe::threads::{LEVELS, PlayLevel, bench};
use js_sys::Function;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// Turns a panic into an exception with its message. The module must not be used after a panic.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Provides the engine's network file; returns false if there already is one.
///
/// # Errors
/// When the file is damaged.
#[wasm_bindgen]
pub fn provide_network(bytes: &[u8]) -> Result<bool, JsError> {
    Ok(provide(Network::from_bytes(bytes)?))
}

/// Provides the opening book; returns false if there already is one.
///
/// # Errors
/// When it is damaged.
#[wasm_bindgen]
pub fn provide_book(bytes: Vec<u8>) -> Result<bool, JsError> {
    Ok(book::provide(bytes)?)
}

/// Provides the endgame tables; returns false if there already are some.
///
/// # Errors
/// When they are damaged.
#[wasm_bindgen]
pub fn provide_endgames(bytes: Vec<u8>) -> Result<bool, JsError> {
    Ok(Tables::provide(bytes)?)
}

/// The first message to a page: the features of the program.
#[wasm_bindgen]
#[must_use]
pub fn greeting() -> String {
    board_page::greeting()
}

/// Answers a question that needs no search. An invalid request is answered by `error`.
#[wasm_bindgen]
#[must_use]
pub fn answer(request: &str) -> String {
    board_page::answer(request)
}

/// Reads all games of a source (as in a request, as JSON), and calls `on_game` with the JSON text of each: an array of its tree and its
/// warnings, or a string with the error.
///
/// # Errors
/// When the source cannot be read.
#[wasm_bindgen]
pub fn read_games(source: &str, on_game: &Function) -> Result<(), JsError> {
    let mut give = |text: String| drop(on_game.call1(&JsValue::NULL, &JsValue::from_str(&text)));
    Ok(board_page::games(source, &mut give)?)
}

/// The levels of play as JSON, weakest first: `level` from 1, `description`, and `elo`, null for full strength.
#[wasm_bindgen]
#[must_use]
pub fn levels() -> String {
    let level =
        |(number, level): (usize, &PlayLevel)| json!({"level": number, "description": level.description, "elo": level.elo});
    Value::from_iter((1..).zip(&LEVELS).map(level)).to_string()
}

/// Runs `chuhe bench`, by default to its standard depth: returns `nodes`, `ms` and `instructions` as JSON.
#[wasm_bindgen]
#[must_use]
pub fn run_bench(depth: Option<i32>) -> String {
    let found = bench::run(depth.unwrap_or(bench::DEFAULT_DEPTH), 1, bench::DEFAULT_HASH, |_, _, _| {});
    let instructions = format!("{:?}", Simd::best());
    json!({"nodes": found.nodes, "ms": found.time.as_millis() as u64, "instructions": instructions}).to_string()
}
