//! How far a long job is, and the time that is left. Bars are drawn on standard error, and only when that is a terminal.

use super::output::note;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// A bar that counts to `total`; `unit` says what. A message stands after it.
pub(super) fn bar(total: u64, unit: &str) -> ProgressBar {
    shown(ProgressBar::new(total), &counting(unit))
}

/// A count without a total, until [`set_total`] gives it one.
pub(super) fn count(unit: &str) -> ProgressBar {
    shown(ProgressBar::new_spinner(), &format!("{{spinner}} {{human_pos}} {unit}, {{elapsed_precise}}{{msg}}"))
}

/// Gives a [`count`] its total, and with it the time that is left.
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

/// The bar, drawn at once and alive, or an invisible one where nobody sees it.
fn shown(bar: ProgressBar, template: &str) -> ProgressBar {
    if !is_shown() {
        return ProgressBar::hidden();
    }
    set_style(&bar, template);
    bar.tick();
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Whether anybody sees bars.
pub(super) fn is_shown() -> bool {
    std::io::stderr().is_terminal()
}

/// How far the reading of files is, in bytes.
pub(super) struct Reading {
    bar: ProgressBar,
    /// Bytes of the files before the one that is read.
    before: u64,
    /// Bytes of the one that is read.
    size: u64,
}

impl Reading {
    /// A single file that is smaller is read before anybody has seen a bar.
    const QUICK: u64 = 1 << 20;

    /// A bar over these files, none of them begun.
    pub(super) fn of<'a>(files: impl IntoIterator<Item = &'a Path>) -> Reading {
        let sizes: Vec<u64> = files.into_iter().map(size).collect();
        let total = sizes.iter().sum();
        if sizes.len() < 2 && total < Reading::QUICK {
            return Reading::hidden();
        }
        let form = "{wide_bar} {bytes} of {total_bytes}, {elapsed_precise}, {eta_precise} left{msg}";
        Reading { bar: shown(ProgressBar::new(total), form), before: 0, size: 0 }
    }

    /// For jobs without files, and those whose output would stand in the way.
    pub(super) fn hidden() -> Reading {
        Reading { bar: ProgressBar::hidden(), before: 0, size: 0 }
    }

    /// A file is begun, and the one before it done.
    pub(super) fn begin(&mut self, file: &Path) {
        self.before += self.size;
        self.size = size(file);
        self.bar.set_position(self.before);
    }

    /// So much of the file has been read, from 0 to 1.
    pub(super) fn share(&self, share: f64) {
        self.bar.set_position(self.before + (self.size as f64 * share) as u64);
    }

    /// So many bytes of the file have been read.
    pub(super) fn bytes(&self, bytes: u64) {
        self.bar.set_position(self.before + bytes);
    }

    /// All files are read, and something else continues.
    pub(super) fn then(&self, what: &str) {
        self.bar.set_message(format!(", {what}"));
    }

    /// Does what writes to a terminal, without the bar in its way.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Prints a line beside the bar.
    pub(super) fn note(&self, line: impl Display) {
        self.suspend(|| note(line));
    }

    #[cfg(test)]
    pub(super) fn position(&self) -> u64 {
        self.bar.position()
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |data| data.len())
}
