//! Computes the attack tables of the board and the aHash value of every feature of the position key. Downloads nothing and
//! writes nothing outside Cargo's output folder.

mod geometry;
mod keys;
mod leapers;
mod lines;
mod sliders;
mod window;

use std::fmt::Write as _;
use std::path::Path;

/// Numbers of rows and columns of the tables that are indexed by the place of a piece: the ninety points, the place of captured
/// pieces, whose entries are empty, and padding, so that a byte is always a valid index.
const PLACES: usize = 256;

fn main() {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=src/board/feature_keys.txt");
    let out = std::env::var("OUT_DIR").expect("cargo names the output folder");
    let mut text = String::new();
    sliders::write(&mut text);
    leapers::write(&mut text);
    lines::write(&mut text);
    write(&out, "attack_tables.rs", text);
    let mut text = String::new();
    window::write(&mut text);
    write(&out, "windows.rs", text);
    write(&out, "feature_keys.rs", keys::feature_keys());
}

fn write(folder: &str, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(Path::new(folder).join(name), text).expect("the output folder can be written");
}

/// Writes a static array of any dimension; `values` is its initialiser in Rust syntax.
fn table(text: &mut String, name: &str, kind: &str, values: &impl std::fmt::Debug) {
    writeln!(text, "pub(super) static {name}: {kind} = {values:?};").expect("strings take all text");
}
