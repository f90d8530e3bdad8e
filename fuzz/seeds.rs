//! Writes the seeds of every fuzz target to `corpus/TARGET/`. Tests of the crates check that each seed is parsed to its end.

// The targets and the seeds each use part of it.
#[allow(dead_code)]
#[path = "../engine-tests/src/notation_check.rs"]
mod notation_check;

use chuhe::records::Format;
use chuhe_tuning::fuzzing::{network_seeds, record_seeds};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = chuhe::records::fuzzing::seeds()?;
    for format in Format::ALL {
        let files = files.iter().filter(|(of, _)| *of == format);
        save(&format!("game_{format}"), files.map(|(_, file)| file.clone()))?;
    }
    save("book", chuhe::book::fuzzing::seeds())?;
    save("book_rows", chuhe::book::fuzzing::row_seeds())?;
    save("endgame", chuhe::endgame::fuzzing::seeds())?;
    save("fen", notation_check::FENS)?;
    save("library_damaged", chuhe::library::fuzzing::CHANGES)?;
    let files = files.iter().filter(|(format, _)| *format != Format::Cbl);
    save("library_records", files.map(|(format, file)| chuhe::library::fuzzing::record(*format, file)))?;
    save("library_search", chuhe::library::fuzzing::SEARCHES)?;
    save("network", network_seeds())?;
    save("notation", notation_check::seeds())?;
    save("protocol", chuhe::protocol::SEEDS)?;
    save("puzzles", chuhe::puzzles::fuzzing::seeds())?;
    save("records", record_seeds())?;
    save("serve", chuhe::board_page::fuzzing::SEEDS)?;
    Ok(())
}

fn save(target: &str, seeds: impl IntoIterator<Item: AsRef<[u8]>>) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    std::fs::create_dir_all(&folder)?;
    for (number, seed) in seeds.into_iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number}")), seed)?;
    }
    Ok(())
}
