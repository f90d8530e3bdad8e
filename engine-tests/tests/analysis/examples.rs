//! Everything public in the crate `xiangqi` has an example in its documentation, which runs as a test of that crate.
//!
//! A scan of the text, not of the compiled crate: it follows the `mod` lines from `lib.rs`, takes the public items of public
//! modules and what private modules have re-exported, and the public methods of the types found so.

use engine_tests::repository;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What begins a public item. `pub mod` and `pub use` name others, `pub(crate)` and the like are not public.
const ITEMS: [&str; 8] =
    ["pub const fn ", "pub fn ", "pub struct ", "pub enum ", "pub trait ", "pub const ", "pub static ", "pub type "];

/// A source file whose items can be reached from outside.
struct File {
    path: PathBuf,
    text: String,
    /// What of it is re-exported, none when its module is public itself.
    exported: Option<BTreeSet<String>>,
}

impl File {
    fn is_reachable(&self, name: &str) -> bool {
        self.exported.as_ref().is_none_or(|names| names.contains(name))
    }
}

/// The name at the start of a text.
fn name_in(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// The name of the public item that a line begins, if it begins one.
fn public_item(line: &str) -> Option<String> {
    ITEMS.iter().find_map(|kind| line.trim_start().strip_prefix(kind)).map(name_in)
}

/// The names that a module re-exports from its child.
fn exported_from(text: &str, child: &str) -> BTreeSet<String> {
    let uses = text.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names = uses.filter_map(|path| path.trim_start_matches("self::").strip_prefix(child)?.strip_prefix("::"));
    names.flat_map(|names| names.trim_matches(['{', '}']).split(',')).map(|name| name.trim().to_string()).collect()
}

/// Reads a file without its tests, and the files of the modules that it declares.
fn read(path: &Path, exported: Option<BTreeSet<String>>, found: &mut Vec<File>) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_string();
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_root = path.ends_with("mod.rs") || path.ends_with("lib.rs");
    let folder = if is_root { folder.to_path_buf() } else { path.with_extension("") };
    for line in text.lines() {
        let (is_public, rest) = line.strip_prefix("pub ").map_or((false, line), |rest| (true, rest));
        let Some(child) = rest.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) else { continue };
        let names = (!is_public || exported.is_some()).then(|| exported_from(&text, child));
        let file = folder.join(format!("{child}.rs"));
        read(&if file.exists() { file } else { folder.join(child).join("mod.rs") }, names, found);
    }
    found.push(File { path: path.to_path_buf(), text, exported });
}

/// Whether the comment above a line holds an example.
fn has_example(lines: &[&str], number: usize) -> bool {
    let above = lines[..number].iter().rev().map(|line| line.trim_start());
    above.take_while(|line| line.starts_with("///") || line.starts_with("#[")).any(|line| line.starts_with("/// ```"))
}

/// The type of an `impl` line.
fn type_of(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl").filter(|rest| rest.starts_with([' ', '<']))?;
    // Behind the parameters: `impl<'a> Name<'a>`.
    let rest = if rest.starts_with('<') { rest.split_once("> ").map_or("", |(_, rest)| rest) } else { rest };
    Some(name_in(rest.rsplit(" for ").next().unwrap_or_default().trim_start()))
}

/// The public items of the files, and which of them have no example.
fn survey(files: &[File]) -> (usize, Vec<String>) {
    // Types of the interface. Those that a macro makes stand indented in it and belong to the module that calls it.
    let of_interface = |file: &File| -> Vec<String> {
        let items = file.text.lines().filter_map(|line| Some((line.starts_with(' '), public_item(line)?)));
        items.filter(|(of_macro, name)| *of_macro || file.is_reachable(name)).map(|(_, name)| name).collect()
    };
    let known: BTreeSet<String> = files.iter().flat_map(of_interface).collect();
    let (mut items, mut missing) = (0, Vec::new());
    for file in files {
        let lines: Vec<&str> = file.text.lines().collect();
        let is_private = |name: &str| {
            let declares = |line: &str| {
                line.split_once("struct ")
                    .or(line.split_once("enum "))
                    .is_some_and(|(before, rest)| (before.is_empty() || before.starts_with("pub(")) && name_in(rest) == name)
            };
            !known.contains(name) || lines.iter().any(|line| declares(line))
        };
        let mut of_private_type = false;
        for (number, line) in lines.iter().enumerate() {
            if let Some(name) = type_of(line) {
                of_private_type = is_private(&name);
            } else if line.starts_with("macro_rules!") {
                of_private_type = false;
            }
            let Some(name) = public_item(line) else { continue };
            let is_public = if line.starts_with(' ') { !of_private_type } else { file.is_reachable(&name) };
            if is_public {
                items += 1;
                if !has_example(&lines, number) {
                    missing.push(format!("{}:{}: {name}", file.path.display(), number + 1));
                }
            }
        }
    }
    (items, missing)
}

#[test]
fn every_public_item_of_xiangqi_has_an_example() {
    let mut files = Vec::new();
    read(&repository().join("xiangqi/src/lib.rs"), None, &mut files);
    let (items, missing) = survey(&files);
    assert!(items > 300, "only {items} public items were seen");
    assert!(missing.is_empty(), "{} of {items} public items have no example:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn the_survey_sees_what_is_public_and_nothing_else() {
    let text = "/// Seen.\n///\n/// ```\n/// ```\n#[derive(Debug)]\npub struct Seen;\n\nimpl Seen {\n    /// Bare.\n    pub fn bare(self) {}\n    pub(super) fn inner(self) {}\n}\n\n\
        struct Hidden;\n\nimpl<'a> From<&'a Seen> for Hidden {\n    pub fn no_item() {}\n}\n\npub fn not_exported() {}\n";
    let exported = exported_from("mod child;\n\npub use child::{Other, Seen};\n", "child");
    assert_eq!(exported, ["Other", "Seen"].map(String::from).into());
    let file = |exported| File { path: "child.rs".into(), text: text.into(), exported };
    assert_eq!(survey(&[file(Some(exported))]), (2, vec!["child.rs:10: bare".to_string()]));
    assert_eq!(survey(&[file(None)]), (3, vec!["child.rs:10: bare".to_string(), "child.rs:20: not_exported".to_string()]));
}
