//! Outlines of the signs in drawings, so that a drawing looks the same wherever it is opened: no viewer needs a Chinese font.
//! Origin and licence: `GLYPHS.md`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Units to the em in which outlines are stored.
pub(super) const EM: f64 = 500.0;

/// The outline of one sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// Advance width in units.
    pub width: f64,
    /// The path as SVG writes it, y downwards, the origin on the baseline at the left.
    pub path: &'static str,
}

/// The outline of a sign; none for one that drawings do not use.
pub(super) fn glyph(sign: char) -> Option<Glyph> {
    static GLYPHS: LazyLock<HashMap<char, Glyph>> =
        LazyLock::new(|| include_str!("glyphs.txt").lines().filter_map(entry).collect());
    GLYPHS.get(&sign).copied()
}

/// Every sign with its advance width and its path, in units of which 500 are an em: for pages that draw boards by themselves.
pub fn outlines() -> impl Iterator<Item = (char, f64, &'static str)> {
    include_str!("glyphs.txt").lines().filter_map(entry).map(|(sign, glyph)| (sign, glyph.width, glyph.path))
}

/// A line of the file: sign, width, path.
fn entry(line: &'static str) -> Option<(char, Glyph)> {
    let mut parts = line.splitn(3, ' ');
    let sign = parts.next()?.chars().next()?;
    Some((sign, Glyph { width: parts.next()?.parse().ok()?, path: parts.next()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_holds_an_outline() {
        for line in include_str!("glyphs.txt").lines() {
            let (sign, glyph) = entry(line).unwrap_or_else(|| panic!("{line}"));
            assert!(glyph.width > 0.0 && glyph.path.starts_with('M') && glyph.path.ends_with('Z'), "{sign}");
        }
        assert!(glyph('帥').is_some() && glyph('x').is_none());
    }
}
