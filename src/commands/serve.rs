//! `chuhe serve`: a board in the browser.

use super::output::{Output, note};
use super::{Failure, check_hash};
#[cfg(feature = "sqlite")]
use crate::library::Library;
#[cfg(feature = "sqlite")]
use crate::serve::SharedLibrary;
use crate::serve::{self, EditableBook, GivenFile, Options, PageAddress, Resources, open_browser, qr_code};
use crate::system::{clean_up, is_device};
use clap::Args;
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe serve --open
  chuhe serve game.xqf tournament.pgn
  chuhe serve --library games.chuhe --book my.obk
  chuhe serve --lan     for phones on the same network";

/// Arguments of `chuhe serve`.
#[derive(Args, Debug)]
pub struct Serve {
    /// Game records the page may open; it can read no other file
    files: Vec<PathBuf>,
    /// Game library to explore alongside the board, created by `chuhe library add`
    #[cfg(feature = "sqlite")]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Opening book in any format, replacing the built-in one: the page shows and edits it, the engine plays from it
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Port to listen on, 0 for any free port (default: 8808, or any free port if that is taken)
    #[arg(long)]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Accept connections from the local network; the URL contains a secret token and is also shown as a QR code
    #[arg(long)]
    lan: bool,
    /// Threads per analysis (default: half the number of logical processors, at most 16)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Hash table size in MiB for each page that searches
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        check_hash(self.hash as usize, 1)?;
        for path in &self.files {
            // Report a wrong name now rather than in the page.
            if path.is_dir() {
                return Err(Failure::at(path.display())("is a folder, expected a game record"));
            }
            // Opening a pipe can block, and its contents could be read only once.
            if is_device(path) {
                return Err(Failure::at(path.display())("is not a regular file, expected one that can be read again"));
            }
            std::fs::File::open(path).map_err(Failure::at(path.display()))?;
        }
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        let options = Options {
            port: self.port,
            lan: self.lan,
            resources: Resources {
                files: self.files.iter().map(|path| GivenFile { path: path.clone() }).collect(),
                book: self.book.clone().map(EditableBook::open).transpose()?,
                #[cfg(feature = "sqlite")]
                library: self.library.as_deref().map(Library::open).transpose()?.map(SharedLibrary::new),
            },
            threads: self.threads.map_or((processors / 2).clamp(1, 16), usize::from),
            hash: self.hash as usize,
        };
        let mut printed = Ok(());
        serve::run(options, |page| printed = self.announce(page)).map_err(Failure::at("serve"))?;
        // A change of the book may still be in progress; its thread ends with the process.
        clean_up();
        printed
    }

    /// Prints the address of the page. The first line contains only the address.
    fn announce(&self, page: &PageAddress) -> Result<(), Failure> {
        let mut text = format!("{}\n", page.local_url());
        if !self.lan {
            text.push_str("Ctrl-C ends the server.\n");
        } else if let Some(address) = page.lan_url() {
            let picture = qr_code(&address).unwrap_or_default();
            text.push_str(&format!(
                "{address}\n{picture}\nAnyone who knows this address can use the board. Ctrl-C ends the server.\n"
            ));
        } else {
            note("this machine has no address on a network");
        }
        // The browser stores games by address: they would seem to be lost.
        if self.port.is_none() && page.port != serve::DEFAULT_PORT {
            let usual = serve::DEFAULT_PORT;
            note(format_args!("port {usual} is not free: at another port the page has none of the games stored for it"));
        }
        // Flushed at once: a program may read only the first line and close the pipe.
        let mut output = Output::streaming();
        output.bytes(text.as_bytes())?;
        if self.open
            && let Err(error) = open_browser(&page.local_url())
        {
            note(format_args!("--open: no browser can be started: {error}"));
        }
        Ok(())
    }
}
