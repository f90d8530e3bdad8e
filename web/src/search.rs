//! Searches, one after another, on the thread that asks for them.

use chuhe::board_page::{self, Engine};
use js_sys::{Atomics, Function, Int32Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    /// Shared memory whose first number is not 0 when the search has to stop.
    static FLAG: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
}

/// Whether the flag asks to stop.
fn asks_to_stop() -> bool {
    FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| Atomics::load(flag, 0).is_ok_and(|value| value != 0)))
}

/// The engine: one search after another, each on the thread that calls.
#[wasm_bindgen]
pub struct Searcher {
    engine: Engine,
}

#[wasm_bindgen]
impl Searcher {
    /// An engine with a hash table of so many MiB. `flag`, where there is shared memory, stops the search that runs when its first
    /// number is set; without it a search can only be ended by ending the worker.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(hash_mib: usize, flag: Option<Int32Array>) -> Searcher {
        FLAG.set(flag);
        Searcher { engine: Engine::new(1, hash_mib.clamp(1, 1024)).with_interrupt(asks_to_stop) }
    }

    /// Forgets what earlier searches have found: a new game.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Searches as a request asks, and calls `on_answer` with the JSON text of every answer; the last one has been handed over when this
    /// returns.
    pub fn run(&mut self, request: &str, on_answer: &Function) {
        // An exception of the caller's own function is its own affair: the search goes on.
        let mut hand_over = |text: String| drop(on_answer.call1(&JsValue::NULL, &JsValue::from_str(&text)));
        board_page::search(&mut self.engine, request, &mut hand_over);
    }
}
