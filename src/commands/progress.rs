//! How far a long job is, and the time that is left. Bars are drawn on standard error, and only when that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A bar that counts to `total`; `unit` says what.
pub(super) fn bar(total: u64, unit: &str) -> ProgressBar {
    styled(total, &format!("{{wide_bar}} {{pos}} of {{len}} {unit}, {{elapsed_precise}}, {{eta_precise}} left"))
}

/// A bar that counts bytes.
pub(super) fn byte_bar(total: u64) -> ProgressBar {
    styled(total, "{wide_bar} {bytes} of {total_bytes}, {elapsed_precise}, {eta_precise} left")
}

fn styled(total: u64, template: &str) -> ProgressBar {
    if !is_shown() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Whether anybody sees bars.
pub(super) fn is_shown() -> bool {
    std::io::stderr().is_terminal()
}
