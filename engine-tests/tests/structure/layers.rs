//! Checks the layers of the crate documentation: no module imports from its own layer or a higher one, not even in tests, and no two files of a
//! folder import from each other; limits the length of source files, and the files that may contain `unsafe`.

use engine_tests::repository;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The source folders of the crates with layers, the lower crate first.
const CRATES: [&str; 2] = ["xiangqi/src", "src"];
/// Modules that may contain `unsafe`: vector stores, runtime dispatch to instruction sets, memory of large tables, mapped files, the SIMD code of the
/// network, and calls of Windows.
const UNSAFE_ALLOWED: [&str; 7] = [
    "xiangqi/src/board/emit.rs",
    "xiangqi/src/board/dispatch.rs",
    "src/endgame/map.rs",
    "src/memory/",
    "src/search/memory.rs",
    "src/system/windows.rs",
    "src/nnue/simd/",
];
/// Maximum number of lines of a file, without tests and tables.
const MAX_FILE_LINES: usize = 800;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A file of one of the crates.
struct Source {
    /// Path relative to the root, with `/`.
    name: String,
    /// The module of the crate's root that the file belongs to.
    module: String,
    /// The entire text.
    text: String,
}

impl Source {
    /// The text up to the tests at its end; empty if the entire file is tests.
    fn code(&self) -> &str {
        if self.name.contains("test") { "" } else { self.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default() }
    }
}

fn files() -> Vec<Source> {
    let root = repository();
    let mut found = Vec::new();
    for folder in CRATES {
        let mut paths = Vec::new();
        sources(&root.join(folder), &mut paths);
        assert!(paths.len() > 5, "{folder} holds {} files", paths.len());
        found.extend(paths.into_iter().map(|path| {
            let text = std::fs::read_to_string(&path).expect("source is UTF-8");
            let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
            let module = name[folder.len() + 1..].split(['/', '.']).next().unwrap_or_default().to_string();
            Source { name, module, text }
        }));
    }
    found
}

/// Layers by module, from the tables in the documentation of both crates.
fn layers() -> BTreeMap<String, u32> {
    let mut layers = BTreeMap::new();
    for folder in CRATES {
        let library = std::fs::read_to_string(repository().join(folder).join("lib.rs")).expect("lib.rs");
        layers.extend(library.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("//! | ")?.split(" | ");
            let layer = cells.next()?.parse::<u32>().ok()?;
            Some((cells.next()?.trim_matches(['[', '`', ']']).to_string(), layer))
        }));
    }
    layers
}

#[test]
fn every_module_has_a_layer() {
    let layers = layers();
    for folder in CRATES {
        let library = std::fs::read_to_string(repository().join(folder).join("lib.rs")).expect("lib.rs");
        let modules: Vec<&str> =
            library.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')).collect();
        assert!(modules.len() > 5);
        for module in modules {
            assert!(layers.contains_key(module), "{module} is missing in the table of layers of {folder}/lib.rs");
        }
    }
}

#[test]
fn modules_import_only_from_lower_layers() {
    let layers = layers();
    let mut imports = 0;
    for file in files() {
        let Some(own) = layers.get(&file.module) else { continue };
        for (number, line) in file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for part in line.split("crate::").skip(1).chain(line.split("xiangqi::").skip(1)) {
                let other: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(layer) = layers.get(&other).filter(|_| other != file.module) else { continue };
                let (name, module) = (&file.name, &file.module);
                assert!(layer < own, "{name}:{}: {module} (layer {own}) uses {other} (layer {layer})", number + 1);
                imports += 1;
            }
        }
    }
    assert!(imports > 50, "only {imports} imports were seen");
}

#[test]
fn unsafe_code_stays_where_it_is_allowed() {
    for file in files() {
        let has_unsafe = file.code().lines().any(|line| {
            let code = line.split("//").next().unwrap_or_default();
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        });
        assert!(!has_unsafe || UNSAFE_ALLOWED.iter().any(|allowed| file.name.starts_with(allowed)), "unsafe in {}", file.name);
    }
}

#[test]
fn files_are_not_too_long() {
    for file in files() {
        let lines = file.code().lines().count();
        assert!(lines <= MAX_FILE_LINES, "{} has {lines} lines", file.name);
    }
}

/// The modules next to a file that its code imports from.
fn imported_siblings<'a>(file: &'a Source, siblings: &BTreeMap<&str, &Source>) -> Vec<&'a str> {
    let lines = file.code().lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = lines.flat_map(|line| line.split("super::").skip(1).filter(|_| !line.contains("super::super::")));
    let names = paths.map(|path| &path[..path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len())]);
    names.filter(|name| siblings.contains_key(name)).collect()
}

#[test]
fn the_files_of_a_folder_import_one_way() {
    let (files, mut folders, mut imports) = (files(), BTreeMap::<&str, BTreeMap<&str, &Source>>::new(), 0);
    for file in &files {
        let (folder, name) = file.name.rsplit_once('/').expect("a folder");
        folders.entry(folder).or_default().insert(name.trim_end_matches(".rs"), file);
    }
    for (folder, mut siblings) in folders {
        // Takes away the files that import from none of those left, until none is left; `mod` dispatches to its children and has their base types.
        siblings.remove("mod");
        while !siblings.is_empty() {
            let of: BTreeMap<&str, Vec<&str>> =
                siblings.iter().map(|(name, file)| (*name, imported_siblings(file, &siblings))).collect();
            imports += of.values().map(Vec::len).sum::<usize>();
            let before = siblings.len();
            siblings.retain(|name, _| of[name].iter().any(|other| other != name));
            assert!(siblings.len() < before, "{folder}: {:?} import from each other", siblings.keys());
        }
    }
    assert!(imports > 50, "only {imports} imports were seen");
}
