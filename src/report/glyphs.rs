//! Outlines of the symbols in drawings, so that a drawing looks the same everywhere and needs no Chinese font.
//! Origin and licence: `GLYPHS.md`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Units per em of the outlines.
pub(super) const EM: f64 = 500.0;

/// The outline of a symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// Advance width in units.
    pub width: u16,
    /// The SVG path, y downwards, origin at the left end of the baseline.
    pub path: &'static str,
}

/// The outline of a symbol; none if drawings do not use it.
pub(super) fn glyph(sign: char) -> Option<Glyph> {
    static GLYPHS: LazyLock<HashMap<char, Glyph>> =
        LazyLock::new(|| include_str!("glyphs.txt").lines().filter_map(entry).collect());
    GLYPHS.get(&sign).copied()
}

/// Every symbol with its advance width and SVG path, in units of 1/500 em, for pages that draw boards themselves.
pub fn outlines() -> impl Iterator<Item = (char, u16, &'static str)> {
    include_str!("glyphs.txt").lines().filter_map(entry).map(|(sign, glyph)| (sign, glyph.width, glyph.path))
}

/// Parses a line of the file: symbol, width, path.
fn entry(line: &'static str) -> Option<(char, Glyph)> {
    let mut parts = line.splitn(3, ' ');
    let sign = parts.next()?.chars().next()?;
    Some((sign, Glyph { width: parts.next()?.parse().ok()?, path: parts.next()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_outline() {
        for line in include_str!("glyphs.txt").lines() {
            let (sign, glyph) = entry(line).unwrap_or_else(|| panic!("{line}"));
            assert!(glyph.width > 0 && glyph.path.starts_with('M') && glyph.path.ends_with('Z'), "{sign}");
        }
        assert!(glyph('帥').is_some() && glyph('x').is_none());
    }
}
