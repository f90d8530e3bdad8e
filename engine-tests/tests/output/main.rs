//! What every command does with files and terminals.

mod closed;
mod endgames;
mod file_safety;
mod help;
#[cfg(target_os = "linux")]
mod progress;
