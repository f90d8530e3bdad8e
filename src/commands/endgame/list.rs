//! `chuhe endgame list` and `chuhe endgame verify`.

use super::Folder;
use crate::commands::Failure;
use crate::commands::output::Output;
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
        for table in self.folder.open()?.list() {
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

/// Arguments of `chuhe endgame verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// Families to check (default: all)
    #[arg(value_name = "FAMILY")]
    families: Vec<Family>,
    #[command(flatten)]
    folder: Folder,
}

impl Verify {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tables = self.folder.open()?;
        let known: Vec<Family> = tables.list().into_iter().map(|table| table.family).collect();
        if let Some(unknown) = self.families.iter().find(|family| !known.contains(family)) {
            return Err(format!("{unknown}: no such table, see chuhe endgame list").into());
        }
        let mut output = Output::streaming();
        for family in known.iter().filter(|family| self.families.is_empty() || self.families.contains(family)) {
            let bar = progress::bar(0, "positions");
            let checked = tables.verify(family, &|done, all| {
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
