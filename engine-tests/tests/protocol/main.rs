//! UCCI and UCI as clients speak them, and as they do not.

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
