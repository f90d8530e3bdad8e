//! `chuhe endgame list` and `chuhe endgame verify`.

use super::{Folder, Threads};
use crate::commands::Failure;
use crate::commands::output::{Output, note};
use crate::commands::progress;
use crate::endgame::{EndgameError, Family, TableInfo, Tables};
use clap::Args;
use serde::Serialize;

/// Examples in the help text of `chuhe endgame list`.
pub(super) const LIST_EXAMPLES: &str = "Examples:
  chuhe endgame list --path tables";

/// Arguments of `chuhe endgame list`.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object per table
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

/// Verifications that need at most this many bytes of memory do not announce it.
const LITTLE: u64 = 32 << 20;

/// Examples in the help text of `chuhe endgame verify`.
pub(super) const VERIFY_EXAMPLES: &str = "Examples:
  chuhe endgame verify R-N N-P --path tables";

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
        let (tables, mut faults) = self.folder.open_all();
        // Without the folder there is nothing that was asked for.
        let is_folder =
            |fault: &EndgameError| matches!(fault, EndgameError::File { path, .. } if Some(path) == self.folder.path.as_ref());
        if let Some(at) = faults.iter().position(is_folder) {
            return Err(faults.swap_remove(at).into());
        }
        faults.iter().for_each(note);
        let chosen = super::chosen(&tables, &self.families)?;
        let chosen: Vec<&Family> = chosen.iter().collect();
        let failed = faults.len() + super::for_each_family(&chosen, |family| self.verify(&tables, family))?;
        match failed {
            0 => Ok(()),
            _ => Err(format!("{failed} of {} tables could not be verified", chosen.len() + faults.len()).into()),
        }
    }

    /// Checks a table; returns a line about it.
    fn verify(&self, tables: &Tables, family: &Family) -> Result<String, Failure> {
        let memory = tables.memory_to_verify(family);
        super::check_memory("verifying", memory)?;
        if memory > LITTLE {
            note(format_args!("{family}: verifying takes {} MiB of memory", memory.div_ceil(1 << 20)));
        }
        let bar = progress::bar(0, "positions");
        let checked = tables.verify(family, self.threads.count(), &|done, all| {
            bar.set_length(all);
            bar.set_position(done);
        });
        bar.finish_and_clear();
        let checked = checked?;
        // A folder was named, but this is not a table of it.
        let is_other = |table: &TableInfo| table.family == *family && table.path.is_none();
        let is_builtin = self.folder.path.is_some() && tables.list().iter().any(is_other);
        let of_builtin = if is_builtin { " of the built-in table" } else { "" };
        let mut line = format!("{} positions{of_builtin} agree with their moves", checked.positions);
        if checked.unknown > 0 {
            line += &format!(", {} could not be checked without the tables after captures", checked.unknown);
        }
        Ok(line)
    }
}
