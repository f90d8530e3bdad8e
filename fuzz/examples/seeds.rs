//! Writes the seeds of every fuzz target to `corpus/TARGET/`, where cargo-fuzz looks for them. Tests of the
//! crates check that each seed is parsed to its end.

// The targets and the seeds each use part of it.
#[allow(dead_code)]
#[path = "../../engine-tests/src/notation_check.rs"]
mod notation_check;

use chuhe::records::Format;
use chuhe_tuning::fuzzing::{network_seeds, record_seeds};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut inputs: Vec<(&str, Vec<u8>)> = chuhe::records::fuzzing::inputs()?;
    inputs.extend(chuhe::book::fuzzing::seeds().map(|input| ("book", input)));
    inputs.extend(chuhe::book::fuzzing::row_seeds().map(|input| ("book_rows", input)));
    inputs.extend(chuhe::library::fuzzing::CHANGES.map(|input| ("library_damaged", input.to_vec())));
    inputs.extend(chuhe::library::fuzzing::SEARCHES.map(|input| ("library_search", input.as_bytes().to_vec())));
    let files = chuhe::records::fuzzing::seeds()?.into_iter().filter(|(format, _)| *format != Format::Cbl);
    inputs.extend(files.map(|(format, file)| ("library_records", chuhe::library::fuzzing::record(format, &file))));
    inputs.extend(chuhe::puzzles::fuzzing::seeds().into_iter().map(|input| ("puzzles", input)));
    inputs.extend(chuhe::endgame::fuzzing::seeds().into_iter().map(|input| ("endgame", input)));
    inputs.extend(notation_check::FENS.map(|fen| ("fen", fen.as_bytes().to_vec())));
    inputs.extend(network_seeds().map(|input| ("network", input)));
    inputs.extend(notation_check::seeds().into_iter().map(|input| ("notation", input)));
    inputs.extend(chuhe::protocol::SEEDS.map(|input| ("protocol", input.as_bytes().to_vec())));
    inputs.extend(record_seeds().map(|input| ("records", input)));
    inputs.extend(chuhe::board_page::fuzzing::SEEDS.map(|input| ("serve", input.as_bytes().to_vec())));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (number, (target, input)) in inputs.iter().enumerate() {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("seed-{number}")), input)?;
    }
    println!("{} inputs in {}", inputs.len(), corpus.display());
    Ok(())
}
