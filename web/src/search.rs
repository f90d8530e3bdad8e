//! Searches, which run one at a time on the calling thread.

use chuhe::board_page::{self, Engine};
use js_sys::{Atomics, Function, Int32Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    /// Shared memory whose first element is nonzero when the search must stop.
    static FLAG: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
}

/// Whether the flag is set.
fn is_stop_requested() -> bool {
    FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| Atomics::load(flag, 0).is_ok_and(|value| value != 0)))
}

/// The engine. It runs one search at a time, on the calling thread.
#[wasm_bindgen]
pub struct Searcher {
    engine: Engine,
}

#[wasm_bindgen]
impl Searcher {
    /// An engine with a hash table of `hash_mib` MiB. `flag` is shared memory, if available: setting its first element stops the running
    /// search. Without it a search can be stopped only by terminating the worker.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(hash_mib: usize, flag: Option<Int32Array>) -> Searcher {
        FLAG.set(flag);
        Searcher { engine: Engine::new(1, hash_mib.clamp(1, 1024)).with_interrupt(is_stop_requested) }
    }

    /// Clears the hash table and all search history, for a new game.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Runs the search of a request, and calls `on_answer` with the JSON text of every answer, including the final one, before it returns.
    pub fn run(&mut self, request: &str, on_answer: &Function) {
        // Exceptions of the callback are ignored, and the search continues.
        let mut reply = |text: String| drop(on_answer.call1(&JsValue::NULL, &JsValue::from_str(&text)));
        board_page::search(&mut self.engine, request, &mut reply);
    }
}
