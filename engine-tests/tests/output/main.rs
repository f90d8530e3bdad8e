//! Handling of files and terminals by all commands.

mod closed;
mod endgames;
mod file_safety;
mod help;
#[cfg(target_os = "linux")]
mod progress;
