//! Checks the documents: the commands of README and docs are run or at least parsed, the output shown is
//! compared, links must resolve, and the tables must list exactly the features of the program.
//!
//! The test of a fenced block depends on its info string; see the list in docs/src/developers/testing.md#examples-in-documents.

#![cfg(unix)]

use engine_tests::{chuhe, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Maximum size of the README.
const MAX_README: usize = 8 * 1024;

/// The beginning of a stub that records its arguments.
const LOG: &str = "#!/bin/sh\necho";

/// Two games with comments and a variation, the source of the sample files.
const GAMES: &str = include_str!("../../../docs/examples/games.pgn");

/// The first of them.
fn first_game() -> &'static str {
    &GAMES[..GAMES.find("\n\n[Event").expect("there are two games") + 1]
}

/// Positions for analysis, one per line.
const POSITIONS: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n\
    4k4/4a4/4b4/9/9/9/9/4B4/4A4/2R1K4 w - - 0 1\n";

// ---------------------------------------------------------------------------------------------------------------- pages

/// A document: its path relative to the root, and its text.
struct Page {
    name: String,
    text: String,
}

/// A fenced block of a page.
struct Block<'a> {
    page: &'a str,
    /// Line of the opening fence, from 1.
    line: usize,
    info: &'a str,
    text: String,
}

/// The files below a folder with one of these extensions, except build outputs and hidden folders.
fn files_below(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder of the repository").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "corpus" && name != "node_modules" {
                files_below(&path, extensions, found);
            }
        } else if path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension)) {
            found.push(path);
        }
    }
}

/// All documents of the repository.
fn pages() -> Vec<Page> {
    let root = repository();
    let mut paths = Vec::new();
    files_below(&root, &["md"], &mut paths);
    let page = |path: PathBuf| Page {
        name: path.strip_prefix(&root).expect("below the root").to_string_lossy().into_owned(),
        text: fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    };
    paths.into_iter().map(page).collect()
}

/// The documents whose commands are run.
fn is_manual(page: &Page) -> bool {
    page.name.starts_with("docs/src/") || page.name == "README.md" || page.name == "CONTRIBUTING.md"
}

fn page(name: &str) -> Page {
    pages().into_iter().find(|page| page.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn blocks(page: &Page) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in page.text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push(Block { page: &page.name, line: number + 1, info: info.trim(), text: String::new() });
            }
            None if open => {
                let block = blocks.last_mut().expect("a block is open");
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "{}: the last fenced block has no end", page.name);
    blocks
}

// -------------------------------------------------------------------------------------------------------------- running

/// A folder with sample files in which the commands of one page are run.
pub(super) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub(super) fn new(page: &str) -> Scratch {
        let name: String = page.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
        let _ = fs::remove_dir_all(&folder);
        let put = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the scratch folder is writable");
            fs::write(path, text).expect("the scratch folder is writable");
        };
        put("game.pgn", first_game());
        put("collection/first.pgn", first_game());
        put("collection/below/second.pgn", &GAMES[first_game().len() + 1..]);
        put("positions.fen", POSITIONS);
        put("start.fen", POSITIONS.lines().next().expect("there are positions"));
        // Stubs of programs that must not really run; they record their arguments. `chuhe-tuning` tests its own commands in
        // tuning/tests/documents.rs.
        for tool in ["cargo", "make", "chuhe-tuning"] {
            put(&format!("bin/{tool}"), &format!("{LOG} {tool} \"$@\" >> \"$DOCUMENTS_LOG\"\n"));
        }
        // The documents redirect the games of this one.
        let games = repository().join("docs/examples/games.pgn");
        put(
            "bin/cargo",
            &format!(
                "{LOG} cargo \"$@\" >> \"$DOCUMENTS_LOG\"\ncase \"$*\" in *shallow_games*) cat '{}';; esac\n",
                games.display()
            ),
        );
        put("check/chuhe", &asks_for_help(chuhe()));
        for tool in ["bin/cargo", "bin/make", "bin/chuhe-tuning", "check/chuhe"] {
            fs::set_permissions(folder.join(tool), fs::Permissions::from_mode(0o755)).expect("own files");
        }
        for link in ["bin/chuhe", "chuhe", "target/release/chuhe"] {
            let path = folder.join(link);
            fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the scratch folder is writable");
            symlink(chuhe(), path).expect("links are possible");
        }
        let scratch = Scratch { folder };
        for name in ["game.xqf", "games.pgn"] {
            let example = repository().join("docs/examples").join(name);
            for to in [name.to_string(), format!("docs/examples/{name}")] {
                let to = scratch.folder.join(to);
                fs::create_dir_all(to.parent().expect("a file lies in a folder")).expect("the scratch folder is writable");
                fs::copy(&example, to).expect("the examples of the documents");
            }
        }
        scratch
    }

    /// Its path.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a script. With `only_check`, the programs of this repository only parse their arguments.
    pub(super) fn shell(&self, script: &str, only_check: bool) -> Output {
        let own = if only_check { "check" } else { "bin" };
        let path = format!(
            "{}:{}:{}",
            self.folder.join(own).display(),
            self.folder.join("bin").display(),
            std::env::var("PATH").unwrap_or_default()
        );
        let mut child = Command::new("sh")
            .args(["-eu", "-s"])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("DOCUMENTS_LOG", self.folder.join("asked"))
            .env_remove("RUST_LOG")
            .env_remove("CHUHE_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sh starts");
        // Both streams merged in order, as on a terminal, and empty standard input.
        let script = format!("exec 2>&1\n{{\n{script}\n}} < /dev/null\n");
        child.stdin.take().expect("stdin is a pipe").write_all(script.as_bytes()).expect("sh reads its script");
        child.wait_with_output().expect("sh ends")
    }
}

/// A script that starts a program with the arguments before a `--`, followed by `--help`, so that they are only
/// parsed.
fn asks_for_help(program: &Path) -> String {
    let program = program.display();
    format!(
        "#!/bin/sh\nkept=0\nfor word do [ \"$word\" = -- ] && break; kept=$((kept + 1)); done\n\
         for word do shift; [ $kept -gt 0 ] && set -- \"$@\" \"$word\"; kept=$((kept - 1)); done\n\
         exec '{program}' \"$@\" --help\n"
    )
}

pub(super) fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The end of an output, which contains the error.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

/// The commands of a console block, each with its line number in the block and the lines shown below it.
fn console(text: &str) -> Vec<(usize, String, Vec<&str>)> {
    let mut commands: Vec<(usize, String, Vec<&str>)> = Vec::new();
    let mut goes_on = false;
    for (number, line) in text.lines().enumerate() {
        if goes_on {
            let (_, command, _) = commands.last_mut().expect("a command has begun");
            command.push('\n');
            command.push_str(line);
            goes_on = line.ends_with('\\');
        } else if let Some(command) = line.strip_prefix("$ ") {
            commands.push((number + 1, command.to_string(), Vec::new()));
            goes_on = command.ends_with('\\');
        } else {
            let (_, _, shown) = commands.last_mut().expect("a console block begins with `$ `");
            shown.push(line);
        }
    }
    commands
}

/// Whether a line matches the line shown, where `…` matches any text.
fn line_fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether lines match the lines shown, where `...` matches any lines.
fn lines_fit(shown: &[&str], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| lines_fit(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, others)| line_fits(first, line) && lines_fit(rest, others))
        }
    }
}

/// Runs the commands of a console block and compares their output.
fn run_console(scratch: &Scratch, block: &Block) -> Result<(), String> {
    for (line, command, mut shown) in console(&block.text) {
        let place = format!("{}:{}: {command}", block.page, block.line + line);
        let status = shown.last().and_then(|last| last.strip_prefix("[exit status ")?.strip_suffix(']')?.parse().ok());
        if status.is_some() {
            shown.pop();
        }
        let output = scratch.shell(&command, false);
        let text = text_of(&output);
        if output.status.code() != Some(status.unwrap_or(0)) {
            return Err(format!("{place}\nended with {}\n{text}", output.status));
        }
        if !lines_fit(&shown, &text.lines().collect::<Vec<_>>()) {
            return Err(format!("{place}\nprints\n{text}\nbut the document shows\n{}", shown.join("\n")));
        }
    }
    Ok(())
}

/// Tests one block by its info string.
fn run_block(scratch: &Scratch, block: &Block) -> Result<(), String> {
    let place = format!("{}:{}", block.page, block.line);
    match block.info {
        "sh" | "sh,check" => {
            let output = scratch.shell(&block.text, block.info == "sh,check");
            let failed = || format!("{place}: ended with {}\n{}\n{}", output.status, block.text, last_lines(&text_of(&output)));
            if output.status.success() { Ok(()) } else { Err(failed()) }
        }
        "console" => run_console(scratch, block),
        // Python blocks are tests of the package in python/.
        "sh,ignore" | "rust" | "python" | "toml" | "text" | "json" => Ok(()),
        other => Err(format!("{place}: no test is known for a block of '{other}'")),
    }
}

#[test]
fn commands_do_what_the_documents_show() {
    let mut run = 0;
    let mut faults = Vec::new();
    for page in pages().iter().filter(|page| is_manual(page)) {
        let blocks = blocks(page);
        if blocks.is_empty() {
            continue;
        }
        let scratch = Scratch::new(&page.name);
        for block in &blocks {
            faults.extend(run_block(&scratch, block).err());
            run += 1;
        }
        let asked = fs::read_to_string(scratch.folder.join("asked")).unwrap_or_default();
        faults.extend(
            asked.lines().filter_map(|line| check_build_command(line).err()).map(|fault| format!("{}: {fault}", page.name)),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(run > 30, "only {run} blocks were found");
}

/// Checks that packages, programs, benches, tests and features named by a command of cargo or make exist.
fn check_build_command(line: &str) -> Result<(), String> {
    let root = repository();
    let words: Vec<&str> = line.split(' ').collect();
    let fault = |what: String| Err(format!("{line}: {what}"));
    if words[0] == "chuhe-tuning" {
        return Ok(());
    }
    if words[0] == "make" {
        let makefile = fs::read_to_string(root.join("Makefile")).map_err(|error| format!("Makefile: {error}"))?;
        let unknown = words[1..].iter().find(|word| match word.split_once('=') {
            Some((variable, _)) => !makefile.contains(&format!("{variable} ?=")),
            None => !makefile.lines().any(|line| line.starts_with(&format!("{word}:"))),
        });
        return unknown.map_or(Ok(()), |word| fault(format!("the Makefile has no '{word}'")));
    }
    let known = ["bench", "build", "clippy", "doc", "fmt", "install", "run", "test"];
    if !words.get(1).is_some_and(|command| known.contains(command)) {
        return fault("no command of cargo that the documents should need".into());
    }
    let manifests: Vec<String> = ["", "xiangqi", "engine-tests", "tuning"]
        .iter()
        .filter_map(|member| fs::read_to_string(root.join(member).join("Cargo.toml")).ok())
        .collect();
    let says = |text: String| manifests.iter().any(|manifest| manifest.contains(&text));
    for pair in words.windows(2).take_while(|pair| pair[0] != "--") {
        let exists = match pair[0] {
            "-p" | "--package" => says(format!("name = \"{}\"", pair[1])),
            "--bench" => {
                ["benches", "xiangqi/benches"].iter().any(|folder| root.join(folder).join(format!("{}.rs", pair[1])).exists())
            }
            "--test" => root.join("engine-tests/tests").join(format!("{}.rs", pair[1])).exists(),
            "--bin" => pair[1] == "chuhe" || root.join("engine-tests/src/bin").join(format!("{}.rs", pair[1])).exists(),
            "--features" => says(format!("\n{} = [", pair[1])),
            _ => true,
        };
        if !exists {
            return fault(format!("there is no {} {}", pair[0], pair[1]));
        }
    }
    Ok(())
}

/// The interface for test frameworks: `EXE` sets the path of the program, `EVALFILE` its network. Cargo is replaced by a
/// script that records its arguments.
#[test]
fn make_builds_the_program_at_the_requested_path() {
    let scratch = Scratch::new("make");
    fs::remove_file(scratch.folder.join("bin/make")).expect("own file");
    if !scratch.shell("command -v make", false).status.success() {
        return println!("skipped: there is no make");
    }
    fs::copy(repository().join("Makefile"), scratch.folder.join("Makefile")).expect("there is a Makefile");
    fs::write(scratch.folder.join("bin/cargo"), "#!/bin/sh\necho \"asked $* with ${EVALFILE:-no network}\"\n").expect("own file");
    for (arguments, program, network) in [
        ("", "chuhe", "no network"),
        ("-j EXE=engine", "engine", "no network"),
        ("EXE=engine EVALFILE=/data/other.nnue", "engine", "/data/other.nnue"),
        ("EVALFILE='/my nets/other.nnue'", "chuhe", "/my nets/other.nnue"),
    ] {
        let _ = fs::remove_file(scratch.folder.join(program));
        let output = scratch.shell(&format!("unset CARGO_TARGET_DIR EVALFILE MAKEFLAGS; make {arguments}"), false);
        let text = text_of(&output);
        assert!(output.status.success(), "{text}");
        assert!(text.contains(&format!("asked build --release --locked --bin chuhe with {network}")), "{text}");
        assert!(scratch.folder.join(program).exists(), "make {arguments}: {text}");
    }
}

#[test]
fn shown_output_is_compared() {
    for (shown, lines, fits) in [
        ("a\n...\nz", "a\nb\nc\nz", true),
        ("a\n...\nz", "a\nz", true),
        ("a\n...\nz", "a\nb", false),
        ("nodes … nps …", "nodes 1 nps 2", true),
        ("nodes … nps …", "nodes 1", false),
        ("a", "a\nb", false),
        ("a…", "ba", false),
        ("…b", "ab", true),
    ] {
        let both = [shown, lines].map(|text| text.lines().collect::<Vec<_>>());
        assert_eq!(lines_fit(&both[0], &both[1]), fits, "{shown:?} {lines:?}");
    }
}

// ---------------------------------------------------------------------------------------------------------------- links

/// The text without fenced blocks and code in backticks.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Every second part is between backticks.
            prose.extend(line.split('`').step_by(2));
        }
        prose.push('\n');
    }
    prose
}

/// The anchors of a page: those of its headings, as generated by GitHub and mdBook, and explicit ones.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if !fenced && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
        anchors.extend(line.split("<a id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_string())));
    }
    anchors
}

/// A path without `.` and `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The error of a link from a file below the root to `target`.
fn link_fault(root: &Path, from: &Path, target: &str) -> Option<String> {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { from.to_path_buf() } else { resolved(&from.parent()?.join(path)) };
    if !file.starts_with(root) || !file.exists() {
        return Some(format!("{}: the link to {target} leads nowhere", from.display()));
    }
    let anchor = anchor?;
    let text = fs::read_to_string(&file).unwrap_or_default();
    (!anchors(&text).contains(anchor)).then(|| format!("{}: {} has no anchor #{anchor}", from.display(), file.display()))
}

#[test]
fn links_resolve() {
    let root = repository();
    let mut links = 0;
    let mut faults = Vec::new();
    for page in pages() {
        for part in prose(&page.text).split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            if !target.starts_with("http") {
                links += 1;
                faults.extend(link_fault(&root, &root.join(&page.name), target));
                // The book is also published as a site, which contains no other files.
                let leaves = target.starts_with("../../") || (target.starts_with("../") && page.name.matches('/').count() == 2);
                if page.name.starts_with("docs/src/") && leaves {
                    faults.push(format!("{}: the link to {target} leaves the book", page.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(links > 40, "only {links} links were found");
}

/// Comments cite pages of the book by their path from the root, optionally with an anchor.
#[test]
fn pages_cited_in_comments_exist() {
    let root = repository();
    let mut sources = Vec::new();
    files_below(&root, &["rs", "py", "sh", "toml"], &mut sources);
    let mut faults = Vec::new();
    for source in sources {
        let text = fs::read_to_string(&source).unwrap_or_default();
        for part in text.split("docs/src/").skip(1) {
            let target: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || "._-/#".contains(*c)).collect();
            if target.contains(".md") {
                let target = format!("docs/src/{}", target.trim_end_matches('.'));
                let fault = link_fault(&root, &root.join("x"), &target);
                faults.extend(fault.map(|fault| format!("{}: {fault}", source.display())));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_book_has_all_its_pages() {
    let root = repository();
    let summary = prose(&page("docs/src/SUMMARY.md").text);
    let listed: BTreeSet<String> =
        summary.split("](").skip(1).map(|part| format!("docs/src/{}", part.split(')').next().unwrap_or_default())).collect();
    let there: BTreeSet<String> =
        pages().into_iter().map(|page| page.name).filter(|name| name.starts_with("docs/src/")).collect();
    let without_summary: BTreeSet<String> = there.into_iter().filter(|name| !name.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, without_summary);
    assert!(root.join("docs/book.toml").exists());
}

#[test]
fn the_comparison_includes_widely_used_tools() {
    let compared = page("docs/src/users/compare.md").text;
    let heads: Vec<&str> = compared.lines().filter(|line| line.starts_with("| task |")).collect();
    for tool in ["cutechess-cli", "fastchess", "python-chess", "cchess", "pyffish"] {
        assert!(heads.iter().any(|head| head.contains(tool)), "{tool} is in no table of compare.md");
    }
}

#[test]
fn the_readme_is_short() {
    let length = page("README.md").text.len();
    assert!(length <= MAX_README, "README.md has {length} bytes, more than {MAX_README}: move details to docs/");
}

// --------------------------------------------------------------------------------------------------------------- tables

/// The rows of the table whose header begins with these cells.
fn table(page: &Page, header: &[&str]) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.replace("\\|", "¦").split('|').map(|cell| cell.trim().replace('¦', "|")).collect())
    };
    let mut lines =
        page.text.lines().skip_while(|line| !cells(line).is_some_and(|cells| cells.iter().zip(header).all(|(a, b)| a == b)));
    assert!(lines.next().is_some(), "{} has no table that begins with {header:?}", page.name);
    let rows: Vec<Vec<String>> = lines.skip(1).map_while(cells).collect();
    assert!(!rows.is_empty(), "{}: the table {header:?} is empty", page.name);
    rows
}

fn plain(cell: &str) -> String {
    cell.replace('`', "")
}

/// Standard output and error of the program.
fn ask(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(chuhe())
        .args(arguments)
        .env_remove("CHUHE_OPTIONS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let _ = child.stdin.take().expect("stdin is a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
}

/// An announced option in the form of the table: name, type or values, and default.
fn announced(line: &str, is_uci: bool) -> (String, String, String) {
    let rest = line.strip_prefix(if is_uci { "option name " } else { "option " }).expect("an option line");
    let (name, rest) = rest.split_once(" type ").expect("an option has a type");
    let words: Vec<&str> = rest.split(' ').collect();
    let after =
        |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1)).unwrap_or(&"").to_string();
    let kind = match words[0] {
        "spin" => format!("{} to {}", after("min"), after("max")),
        "combo" => {
            let values: Vec<&str> = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]).collect();
            values.join(", ")
        }
        other => other.to_string(),
    };
    (name.to_string(), kind, after("default"))
}

#[test]
fn the_table_of_options_is_the_programs() {
    let page = page("docs/src/users/options.md");
    let rows = table(&page, &["UCI", "UCCI", "type or values", "default"]);
    for (column, greeting) in [(0, "uci"), (1, "ucci")] {
        let is_uci = column == 0;
        let output = ask(&[], &format!("{greeting}\nquit\n"));
        let mut options: BTreeMap<String, (String, String)> = output
            .lines()
            .filter(|line| line.starts_with("option "))
            .map(|line| announced(line, is_uci))
            .map(|(name, kind, default)| (name, (kind, default)))
            .collect();
        assert!(options.len() > 15, "{output}");
        for row in rows.iter().filter(|row| !row[column].is_empty()) {
            let Some((kind, default)) = options.remove(&row[column]) else {
                panic!("{greeting} has no option '{}'", row[column])
            };
            let kinds = match kind.as_str() {
                "string" => vec!["text".to_string(), "file".into()],
                // 0 means the engine's default if the smallest value is 1.
                _ => kind.strip_prefix("0 to ").map(|rest| format!("1 to {rest}")).into_iter().chain([kind.clone()]).collect(),
            };
            assert!(kinds.contains(&row[2]), "{greeting}: {row:?}, but {kinds:?}");
            let shown = plain(&row[3]);
            let own = shown.split(", ").find_map(|part| part.strip_suffix(if is_uci { " (UCI)" } else { " (UCCI)" }));
            let shown = own.unwrap_or(&shown).replace("empty", "<empty>");
            assert_eq!(shown, default, "{greeting}: default of {row:?}");
        }
        assert!(options.is_empty(), "{greeting} has options that the table lacks: {options:?}");
    }
}

/// The words of a list with commas and optionally an `or`, after the first of these texts that occurs.
fn list_after(text: &str, before: &[&str]) -> Vec<String> {
    let rest = before.iter().find_map(|before| text.split(before).nth(1));
    let rest = rest.unwrap_or_else(|| panic!("none of {before:?} is in\n{text}"));
    let line = rest.split(['\n', ']']).next().unwrap_or_default();
    // Alternative names are in parentheses.
    let own: String = line.split('(').map(|part| part.split_once(')').map_or(part, |(_, behind)| behind)).collect();
    own.replace(" or ", ", ").split(',').map(|word| word.trim().to_string()).filter(|word| !word.is_empty()).collect()
}

/// The ids of all notations, in the program's order.
fn known_notations() -> Vec<String> {
    let output = ask(&["notation", "--from", "none", "--to", "uci", "h2e2"], "");
    list_after(&output, &["possible values: "]).into_iter().filter(|id| id != "auto").collect()
}

#[test]
fn the_table_of_notations_is_the_programs() {
    let page = page("docs/src/users/notations.md");
    let rows = table(&page, &["id", "1.", "1…", "2."]);
    let ids: Vec<String> = rows.iter().map(|row| plain(&row[0])).collect();
    assert_eq!(ids, known_notations());
    for row in &rows {
        let id = plain(&row[0]);
        let output = ask(&["notation", "--from", "uci", "--to", &id, "h2e2", "h9g7", "h0g2"], "");
        let shown = [1, 2, 3].map(|column| plain(&row[column])).join(" ");
        assert_eq!(output.trim_end(), shown, "{id}");
    }
}

/// The formats are those listed in the error for an unknown one; the program itself shows which are writable, and in which notations.
#[test]
fn the_table_of_record_formats_is_the_programs() {
    let page = page("docs/src/users/records.md");
    let rows = table(&page, &["format", "extensions", "read", "written"]);
    let output = ask(&["convert", "--from-format", "none", "-", "-"], "");
    let read = list_after(&output, &["expected one of ", "expected "]);
    assert_eq!(rows.len(), read.len(), "{read:?}");
    let converts = |option: &str, value: &str| {
        let output = ask(&["convert", "-", "-", "--from-format", "pgn", option, value], first_game());
        output.contains("games 1 plies 4")
    };
    for row in &rows {
        let extensions: Vec<String> = plain(&row[1]).split(", ").map(String::from).collect();
        let id = read.iter().find(|id| extensions.contains(id)).unwrap_or_else(|| panic!("{row:?} is none of {read:?}"));
        assert_eq!(row[3] != "–", converts("--to-format", id), "{row:?}: {id}");
    }
    for system in known_notations() {
        let shown = page.text.contains(&format!("`{system}`"));
        assert_eq!(shown, converts("--notation", &system), "{system}");
    }
}

#[test]
fn the_table_of_rule_sets_is_the_programs() {
    let page = page("docs/src/rules/README.md");
    let rows = table(&page, &["rule set", "`--rules`"]);
    let shown: Vec<String> = rows.iter().map(|row| plain(&row[1]).split(' ').next().unwrap_or_default().to_string()).collect();
    for command in ["judge", "match", "analyze"] {
        let output = ask(&[command, "--rules", "none"], "");
        assert_eq!(shown, list_after(&output, &["possible values: ", "expected one of "]), "{command}");
    }
    let output = ask(&[], "uci\nquit\n");
    let line = output.lines().find(|line| line.contains("Repetition Rule")).expect("the option is announced");
    assert_eq!(rows.iter().map(|row| row[2].clone()).collect::<Vec<_>>().join(", "), announced(line, true).1);
}

#[test]
fn the_table_of_commands_is_the_programs() {
    let page = page("docs/src/users/commands.md");
    let rows = table(&page, &["command", "does"]);
    let shown: BTreeSet<String> = rows.iter().filter_map(|row| Some(plain(&row[0]).split_once(' ')?.1.to_string())).collect();
    let help = ask(&["--help"], "");
    let known = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1).take_while(|line| !line.is_empty());
    let known: BTreeSet<String> = known.filter_map(|line| Some(line.split_whitespace().next()?.to_string())).collect();
    assert_eq!(shown, known.into_iter().filter(|command| command != "help").collect());
}

/// The tables of layers in the crate documentations are those of the book.
#[test]
fn the_tables_of_layers_are_those_of_the_crates() {
    let shown: BTreeSet<(String, String)> = page("docs/src/developers/architecture.md")
        .text
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            let layer: u32 = cells.next()?.parse().ok()?;
            Some((layer.to_string(), plain(cells.next()?)))
        })
        .collect();
    let mut known = BTreeSet::new();
    for library in ["xiangqi/src/lib.rs", "src/lib.rs"] {
        let text = fs::read_to_string(repository().join(library)).unwrap_or_else(|error| panic!("{library}: {error}"));
        known.extend(text.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("//! | ")?.split(" | ");
            let layer: u32 = cells.next()?.parse().ok()?;
            Some((layer.to_string(), cells.next()?.trim_matches(['[', ']', '`']).to_string()))
        }));
    }
    assert_eq!(shown, known);
}

/// The long options that a text names.
fn long_options(text: &str) -> BTreeSet<String> {
    let names = text.split("--").skip(1).map(|rest| -> String {
        rest.chars().take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-').collect()
    });
    names.filter(|name| name.len() > 1).collect()
}

/// Every option of a command is documented on its page, and the tables of options there contain no others.
#[test]
fn the_options_of_commands_are_documented() {
    let common = ["help", "version"];
    for (name, commands) in [
        ("users/analysis.md", vec![vec!["analyze"]]),
        (
            "users/books.md",
            ["build", "check", "convert", "edit", "export", "probe", "variety"].map(|command| vec!["book", command]).to_vec(),
        ),
        ("users/commands.md", vec![vec!["perft"], vec!["bench"]]),
        ("users/diagrams.md", vec![vec!["diagram"]]),
        ("users/endgames.md", ["atlas", "build", "list", "probe", "verify"].map(|command| vec!["endgame", command]).to_vec()),
        ("users/library.md", ["add", "explore", "export", "search", "stats"].map(|command| vec!["library", command]).to_vec()),
        ("users/matches.md", vec![vec!["match"]]),
        ("users/notations.md", vec![vec!["notation"]]),
        ("users/play.md", vec![vec!["play"]]),
        ("users/puzzles.md", vec![vec!["puzzles"]]),
        ("users/records.md", vec![vec!["convert"]]),
        ("users/serve.md", vec![vec!["serve"]]),
        ("users/site.md", vec![vec!["site"]]),
        ("rules/README.md", vec![vec!["judge"]]),
    ] {
        let page = page(&format!("docs/src/{name}"));
        let mut known = BTreeSet::new();
        for command in commands {
            let help = ask(&[command.as_slice(), &["--help"]].concat(), "");
            known.extend(long_options(&help));
        }
        let shown = long_options(&page.text);
        let missing: Vec<&String> =
            known.iter().filter(|option| !common.contains(&option.as_str()) && !shown.contains(*option)).collect();
        assert!(missing.is_empty(), "{name} doesn't tell of {missing:?}");
        let first_cells = page.text.lines().filter_map(|line| line.strip_prefix("| `--")?.split('|').next());
        for option in first_cells.flat_map(|cell| long_options(&format!("--{cell}"))) {
            assert!(known.contains(&option), "{name} has --{option}, which no command takes");
        }
    }
}

/// Every fuzz target has seeds.
#[test]
fn every_fuzz_target_has_seeds() {
    let read = |name: &str| fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (targets, seeds) = (read("fuzz/targets.rs"), read("fuzz/seeds.rs"));
    let names = targets.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" => ").map(|(name, _)| name));
    let names: Vec<&str> = names.collect();
    assert!(names.len() >= 13, "{names:?}");
    assert!(names.iter().all(|name| seeds.contains(&format!("save(\"{name}\", "))), "{names:?}");
}
