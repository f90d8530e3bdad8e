//! `chuhe endgame list` and `chuhe endgame verify`.

use super::{Folder, Threads};
use crate::commands::Failure;
use crate::commands::output::{Output, note};
use crate::commands::progress;
use crate::endgame::Family;
use clap::Args;
use serde::Serialize;

/// Arguments of `chuhe endgame list`.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    folder: Folder,
    /// One JSON object a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    family: String,
    positions: u64,
    bytes: u64,
    file: Option<String>,
}

impl List {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut output = Output::new();
        for table in self.folder.open_lenient().list() {
            let file = table.path.map(|path| path.display().to_string());
            if self.json {
                let listed = Listed { family: table.family.to_string(), positions: table.positions, bytes: table.bytes, file };
                output.json(&listed)?;
            } else {
                let place = file.unwrap_or_else(|| "built-in".into());
                writeln!(output, "{} positions {} bytes {} {place}", table.family, table.positions, table.bytes)?;
            }
        }
        output.finish()
    }
}

/// Memory that is not worth a line.
const LITTLE: u64 = 32 << 20;

/// Arguments of `chuhe endgame verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// Families to check (default: all)
    #[arg(value_name = "FAMILY")]
    families: Vec<Family>,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
}

impl Verify {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tables = self.folder.open()?;
        let mut output = Output::streaming();
        for family in &super::chosen(&tables, &self.families)? {
            let memory = tables.memory_to_verify(family);
            if memory > LITTLE {
                note(format_args!("{family}: verifying takes {} MiB of memory", memory.div_ceil(1 << 20)));
            }
            let bar = progress::bar(0, "positions");
            let checked = tables.verify(family, self.threads.count(), &|done, all| {
                bar.set_length(all);
                bar.set_position(done);
            });
            bar.finish_and_clear();
            let checked = checked.map_err(Failure::at(family))?;
            write!(output, "{family}: {} positions agree with their moves", checked.positions)?;
            if checked.unknown > 0 {
                write!(output, ", {} could not be checked for want of the tables after captures", checked.unknown)?;
            }
            writeln!(output)?;
        }
        output.finish()
    }
}
