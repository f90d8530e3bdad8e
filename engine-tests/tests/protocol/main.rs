//! UCCI and UCI, with valid and invalid input.

mod bad_input;
mod clients;
mod ground;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod queue;
mod ucci;
mod uci;
mod uci2wb;
