//! `chuhe completions` and `chuhe man`: what a shell and `man` want to know of the command line, made from its definition.

use super::files::{Force, OutputFile};
use super::output::Output;
use super::{Arguments, Failure};
use crate::board::Level;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

/// Examples of the help text without a command.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe analyze games.pgn --depth 16 --report games.html
  chuhe judge game.xqf
  chuhe convert game.xqf game.pgn
  chuhe help analyze";

/// Examples in the help text of `chuhe analyze`.
pub(super) const ANALYZE_EXAMPLES: &str = "Examples:
  chuhe analyze game.xqf --movetime 2000 --report game.html
  chuhe analyze games/ --nodes 200000 --json > results.jsonl
  chuhe analyze positions.fen --nodes 1000000 --jobs 4 --resume results.jsonl
  echo '4k4/9/9/9/9/9/9/9/R8/4K4 w' | chuhe analyze --depth 12 --multipv 3";

/// Examples in the help text of `chuhe diagram`.
pub(super) const DIAGRAM_EXAMPLES: &str = "Examples:
  chuhe diagram -o start.svg
  chuhe diagram --moves 炮二平五 马８进７ --arrow 马二进三 -o opening.svg
  chuhe diagram --file game.xqf --ply 34 -o position.png";

/// Examples in the help text of `chuhe completions`.
pub(super) const COMPLETION_EXAMPLES: &str = "Examples:
  chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe
  chuhe completions zsh > ~/.zfunc/_chuhe
  chuhe completions fish > ~/.config/fish/completions/chuhe.fish
  chuhe completions powershell >> $PROFILE";

/// Examples in the help text of `chuhe man`.
pub(super) const MAN_EXAMPLES: &str = "Examples:
  chuhe man book build | man -l -
  chuhe man --output ~/.local/share/man/man1";

/// What `chuhe --version` says: the version, then what is built in and which code this processor runs.
pub(super) fn long_version() -> String {
    format!(
        "{}\nnetwork {}\nbook {}\ntarget {}\nprocessor level {}",
        env!("CARGO_PKG_VERSION"),
        crate::nnue::embedded_name(),
        env!("CHUHE_BOOK"),
        env!("CHUHE_TARGET"),
        format!("{:?}", Level::best()).to_ascii_lowercase(),
    )
}

/// Arguments of `chuhe completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "chuhe", &mut script);
        let mut output = Output::new();
        output.bytes(&script)?;
        output.finish()
    }
}

/// Arguments of `chuhe man`.
#[derive(Args, Debug)]
pub struct Man {
    /// Command whose page is printed (default: the page of chuhe itself)
    command: Vec<String>,
    /// Folder to write the pages of all commands to
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl Man {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut root = Arguments::command();
        // Gives every command its full name.
        root.build();
        if let Some(folder) = &self.output {
            return self.write_all(folder.clone(), &root, "chuhe");
        }
        let (mut command, mut name) = (&root, "chuhe".to_string());
        for part in &self.command {
            command = command
                .find_subcommand(part)
                .ok_or_else(|| Failure::Usage(format!("'{part}' is no command of {name}, see {name} --help")))?;
            name = format!("{name} {part}");
        }
        let mut output = Output::new();
        output.bytes(&page(command, &name)?)?;
        output.finish()
    }

    /// Writes the page of a command and those of the commands in it.
    fn write_all(&self, folder: PathBuf, command: &clap::Command, name: &str) -> Result<(), Failure> {
        if folder.as_os_str() == "-" {
            return Err("-: standard output, expected a folder".into());
        }
        std::fs::create_dir_all(&folder).map_err(Failure::at(folder.display()))?;
        let mut pending = vec![(command.clone(), name.to_string())];
        while let Some((command, name)) = pending.pop() {
            let path = folder.join(format!("{}.1", name.replace(' ', "-")));
            OutputFile::write_whole(&path, &page(&command, &name)?, &[], self.force)?;
            let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help");
            pending.extend(inner.map(|inner| (inner.clone(), format!("{name} {}", inner.get_name()))));
        }
        Ok(())
    }
}

/// The manual page of a command.
fn page(command: &clap::Command, name: &str) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let title = name.replace(' ', "-");
    let command = command.clone().name(title.clone()).version(env!("CARGO_PKG_VERSION"));
    let page = clap_mangen::Man::new(command).title(title.to_uppercase());
    page.render(&mut text).map_err(Failure::at(name))?;
    Ok(text)
}
