//! Progress bars with the estimated time left. They are drawn on standard error, and only if that is a terminal.

use super::output::note;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// A bar that counts `unit`s up to `total`, followed by its message.
pub(super) fn bar(total: u64, unit: &str) -> ProgressBar {
    shown(ProgressBar::new(total), &counting(unit))
}

/// A counter without a total; see [`set_total`].
pub(super) fn count(unit: &str) -> ProgressBar {
    shown(ProgressBar::new_spinner(), &format!("{{spinner}} {{human_pos}} {unit}, {{elapsed_precise}}{{msg}}"))
}

/// Turns a [`count`] into a bar with a total and the time left.
pub(super) fn set_total(bar: &ProgressBar, total: u64, unit: &str) {
    bar.set_length(total);
    set_style(bar, &counting(unit));
}

fn counting(unit: &str) -> String {
    format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{elapsed_precise}}, {{eta_precise}} left{{msg}}")
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

/// Draws the bar at once and keeps it ticking; a hidden bar if standard error is not a terminal.
fn shown(bar: ProgressBar, template: &str) -> ProgressBar {
    if !is_shown() {
        return ProgressBar::hidden();
    }
    set_style(&bar, template);
    bar.tick();
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Whether bars are visible.
pub(super) fn is_shown() -> bool {
    std::io::stderr().is_terminal()
}

/// Progress of reading files, in bytes.
pub(super) struct Reading {
    bar: ProgressBar,
    /// Total size of the files already read.
    before: u64,
    /// Size of the current file.
    size: u64,
}

impl Reading {
    /// A single file smaller than this is read too quickly to need a bar.
    const QUICK: u64 = 1 << 20;

    /// A bar for reading these files.
    pub(super) fn of<'a>(files: impl IntoIterator<Item = &'a Path>) -> Reading {
        let sizes: Vec<u64> = files.into_iter().map(size).collect();
        let total = sizes.iter().sum();
        if sizes.len() < 2 && total < Reading::QUICK {
            return Reading::hidden();
        }
        let form = "{wide_bar} {bytes} of {total_bytes}, {elapsed_precise}, {eta_precise} left{msg}";
        Reading { bar: shown(ProgressBar::new(total), form), before: 0, size: 0 }
    }

    /// For jobs without files, and those whose output on the terminal would clash with a bar.
    pub(super) fn hidden() -> Reading {
        Reading { bar: ProgressBar::hidden(), before: 0, size: 0 }
    }

    /// Moves on to the next file.
    pub(super) fn begin(&mut self, file: &Path) {
        self.before += self.size;
        self.size = size(file);
        self.bar.set_position(self.before);
    }

    /// Sets the fraction of the current file that has been read, from 0 to 1.
    pub(super) fn share(&self, share: f64) {
        self.bar.set_position(self.before + (self.size as f64 * share) as u64);
    }

    /// Sets the number of bytes of the current file that have been read.
    pub(super) fn bytes(&self, bytes: u64) {
        self.bar.set_position(self.before + bytes);
    }

    /// Shows the step that follows reading.
    pub(super) fn then(&self, what: &str) {
        self.bar.set_message(format!(", {what}"));
    }

    /// Hides the bar while `write` prints to the terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Prints a line above the bar.
    pub(super) fn note(&self, line: impl Display) {
        self.suspend(|| note(line));
    }

    #[cfg(test)]
    pub(super) fn position(&self) -> u64 {
        self.bar.position()
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |data| data.len())
}
