//! `chuhe completions` and `chuhe man`: shell completions and manual pages, generated from the definition of the command line.

use super::files::{self, Force, OutputFile};
use super::output::Output;
use super::{Arguments, Failure};
use crate::board::Level;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use roff::{Roff, bold, roman};
use std::path::PathBuf;

/// Description of the program without a command, for the help text and the manual page.
pub(super) const ABOUT: &str = "A xiangqi (Chinese chess, 象棋) engine and toolbox.

Without a command, chuhe is the engine: it reads UCCI or UCI commands from standard input and answers on standard output until 'quit' or the \
end of input, as GUIs expect. Type 'uci', then for example 'go depth 12'. Each command below is a separate tool.";

/// Examples of the help text without a command.
pub(super) const EXAMPLES: &str = "Examples:
  echo 'go depth 12' | chuhe
  chuhe analyze games.pgn --depth 16 --report games.html
  chuhe judge game.xqf
  chuhe convert game.xqf game.pgn
  chuhe help analyze";

/// Examples in the help text of `chuhe analyze`.
pub(super) const ANALYZE_EXAMPLES: &str = "Examples:
  chuhe analyze game.xqf --nodes 100000 --report game.html
  chuhe analyze games/ --nodes 200000 --json > games.jsonl
  chuhe analyze positions.fen --nodes 1000000 --jobs 4 --resume results.jsonl
  echo '4k4/9/9/9/9/9/9/9/R8/3K5 w' | chuhe analyze --depth 12 --multipv 3";

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
  chuhe completions elvish >> ~/.config/elvish/rc.elv
  chuhe completions powershell >> $PROFILE";

/// Examples in the help text of `chuhe man`.
pub(super) const MAN_EXAMPLES: &str = "Examples:
  chuhe man book build | man -l -
  chuhe man --output ~/.local/share/man/man1";

/// Output of `chuhe --version`: the version, the built-in data and the instruction set level in use.
pub(super) fn long_version() -> String {
    format!(
        "{}\nnetwork {}\nbook {}\ntarget {}\nprocessor level {}",
        env!("CARGO_PKG_VERSION"),
        crate::nnue::Network::builtin_name(),
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
        // The help commands have no pages.
        let mut root = Arguments::command().disable_help_subcommand(true);
        // Sets the full name of every command.
        root.build();
        if let Some(folder) = &self.output {
            return self.write_all(folder.clone(), &root, "chuhe");
        }
        let (mut command, mut name) = (&root, "chuhe".to_string());
        for part in &self.command {
            command = command
                .find_subcommand(part)
                .ok_or_else(|| Failure::Usage(format!("'{part}' is not a command of {name}, see {name} --help")))?;
            name = format!("{name} {part}");
        }
        let mut output = Output::new();
        output.bytes(&page(command, &name)?)?;
        output.finish()
    }

    /// Writes the pages of a command and all its subcommands.
    fn write_all(&self, folder: PathBuf, command: &clap::Command, name: &str) -> Result<(), Failure> {
        files::check_folder("--output", &folder)?;
        std::fs::create_dir_all(&folder).map_err(Failure::at(folder.display()))?;
        let mut pending = vec![(command.clone(), name.to_string())];
        while let Some((command, name)) = pending.pop() {
            let path = folder.join(format!("{}.1", name.replace(' ', "-")));
            OutputFile::write_whole(&path, &page(&command, &name)?, &[], self.force)?;
            pending.extend(command.get_subcommands().map(|inner| (inner.clone(), format!("{name} {}", inner.get_name()))));
        }
        Ok(())
    }
}

/// The manual page of a command.
fn page(command: &clap::Command, name: &str) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let title = name.replace(' ', "-");
    let command = command.clone().name(title.clone()).version(env!("CARGO_PKG_VERSION"));
    let related = related(&command, name);
    let page = clap_mangen::Man::new(command.clone()).title(title.to_uppercase());
    let sections = [
        clap_mangen::Man::render_title,
        clap_mangen::Man::render_name_section,
        clap_mangen::Man::render_synopsis_section,
        clap_mangen::Man::render_description_section,
        clap_mangen::Man::render_options_section,
    ];
    sections.iter().try_for_each(|section| section(&page, &mut text)).map_err(Failure::at(name))?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text).map_err(Failure::at(name))?;
    }
    let mut rest = Roff::new();
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    if let Some(examples) = examples.strip_prefix("Examples:\n") {
        rest.control("SH", ["EXAMPLES"]).control("nf", []).text([roman(examples)]).control("fi", []);
    }
    rest.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in EXIT_STATUS {
        rest.control("TP", []).text([bold(status)]).text([roman(meaning)]);
    }
    rest.control("SH", ["ENVIRONMENT"]);
    for (variable, meaning) in ENVIRONMENT {
        rest.control("TP", []).text([bold(variable)]).text([roman(meaning)]);
    }
    rest.control("SH", ["SEE ALSO"]).text([roman(related)]);
    rest.to_writer(&mut text).map_err(Failure::at(name))?;
    page.render_version_section(&mut text).map_err(Failure::at(name))?;
    Ok(text)
}

/// The section EXIT STATUS of every page.
const EXIT_STATUS: [(&str, &str); 5] = [
    ("0", "Success."),
    ("1", "An error, reported in one line on standard error that names the input, the place in it and what was expected."),
    ("2", "Wrong usage: an unknown option or a bad value."),
    ("130", "Interrupted by Ctrl-C; 1 if the command reports what it has finished, 0 if that is its usual end."),
    ("141", "Standard output was closed by its reader."),
];

/// The section ENVIRONMENT of every page.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("CHUHE_OPTIONS", "Options of the engine, such as 'Hash=64;Threads=2', set before the first command of the protocol."),
    ("CHUHE_LIBRARY", "The game library of chuhe-library(1) when --library is not given."),
    ("RUST_LOG", "Log level on standard error: error, warn, info, debug or trace. Nothing is logged if it is not set."),
    (
        "LC_ALL, LC_MESSAGES, LANG",
        "The language of rulings and of chuhe-play(1) when no option sets it: Chinese for zh, otherwise English.",
    ),
    (
        "LC_ALL, LC_CTYPE, LANG",
        "The encoding: chuhe-play(1) and chuhe-puzzles(1) edit input lines if it is UTF-8, C or POSIX, or not set.",
    ),
    ("NO_COLOR", "If not empty, chuhe-play(1) and chuhe-puzzles(1) draw the board without colours."),
];

/// The SEE ALSO section: the pages of the parent command and of the subcommands.
fn related(command: &clap::Command, name: &str) -> String {
    let title = name.replace(' ', "-");
    let inner: Vec<String> = command.get_subcommands().map(|inner| format!("{title}-{}(1)", inner.get_name())).collect();
    let parent = title.rsplit_once('-').map(|(parent, _)| format!("{parent}(1)"));
    parent.into_iter().chain(inner).chain(["xboard(6)".to_string()]).collect::<Vec<_>>().join(", ")
}
