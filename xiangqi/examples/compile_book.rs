//! Compiles text sources of an opening book into the binary format.
//!
//! `cargo run -p xiangqi --features openings --example compile_book -- mine.book mine.wxf other.wxf`

use std::error::Error;
use xiangqi::openings::compile::Compiler;

fn main() -> Result<(), Box<dyn Error>> {
    let mut names = std::env::args().skip(1);
    let book = names.next().ok_or("expected the output file, then the source files")?;
    let mut compiler = Compiler::new()?;
    for source in names {
        compiler.read(&source, &std::fs::read_to_string(&source)?)?;
    }
    std::fs::write(book, compiler.finish()?.to_bytes())?;
    Ok(())
}
