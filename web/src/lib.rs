//! The WebAssembly module of the npm package `chuhe` and of the page without a server.
//!
//! It speaks the messages of `chuhe serve` (docs/src/developers/serve.md), one JSON text in and one or several out, so that the JavaScript
//! around it needs no second vocabulary. Questions are answered by [`answer`]; searches by [`Searcher`], in a worker of their own.
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
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// Makes a panic an exception with its message. The module must not be used after one.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Takes the network file of the engine; false when there is one already.
///
/// # Errors
/// When the file is damaged.
#[wasm_bindgen]
pub fn provide_network(bytes: &[u8]) -> Result<bool, JsError> {
    Ok(provide(Network::from_bytes(bytes)?))
}

/// Takes the opening book; false when there is one already.
///
/// # Errors
/// When it is damaged.
#[wasm_bindgen]
pub fn provide_book(bytes: Vec<u8>) -> Result<bool, JsError> {
    Ok(book::provide(bytes)?)
}

/// Takes the endgame tables; false when there are some already.
///
/// # Errors
/// When they are damaged.
#[wasm_bindgen]
pub fn provide_endgames(bytes: Vec<u8>) -> Result<bool, JsError> {
    Ok(Tables::provide(bytes)?)
}

/// The first message to a page: what is offered.
#[wasm_bindgen]
#[must_use]
pub fn greeting() -> String {
    board_page::greeting()
}

/// Answers a question that needs no search. What is no request has an answer too: `error`.
#[wasm_bindgen]
#[must_use]
pub fn answer(request: &str) -> String {
    board_page::answer(request)
}

/// The levels of play as JSON, the weakest first: `level` from 1, `description`, and `elo`, null for full strength.
#[wasm_bindgen]
#[must_use]
pub fn levels() -> String {
    let level =
        |(number, level): (usize, &PlayLevel)| json!({"level": number, "description": level.description, "elo": level.elo});
    Value::from_iter((1..).zip(&LEVELS).map(level)).to_string()
}

/// Searches the positions of `chuhe bench`, to its depth by default: `nodes`, `ms` and `instructions` as JSON.
#[wasm_bindgen]
#[must_use]
pub fn run_bench(depth: Option<i32>) -> String {
    let found = bench::run(depth.unwrap_or(bench::DEFAULT_DEPTH), 1, bench::DEFAULT_HASH, |_, _, _| {});
    let instructions = format!("{:?}", Simd::best());
    json!({"nodes": found.nodes, "ms": found.time.as_millis() as u64, "instructions": instructions}).to_string()
}
