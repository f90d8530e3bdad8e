//! The floor plan of the crate documentation holds: no module imports from its own floor or a higher one, no file of code is
//! too long to read, and `unsafe` stays where the plan allows it.

use engine_tests::repository;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules that may contain `unsafe`: vector stores, runtime dispatch to instruction levels, the table, the vectors of the
/// network, and the mapping of book files into memory.
const UNSAFE_ALLOWED: [&str; 5] =
    ["src/board/emit.rs", "src/board/dispatch.rs", "src/book/map.rs", "src/search/table.rs", "src/nnue/simd/"];
/// Lines of a file, tests and tables apart.
const LONGEST_FILE: usize = 800;

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

/// Path below the root with `/`, and the text up to the tests at its end.
fn code() -> Vec<(String, String)> {
    let root = repository();
    let mut paths = Vec::new();
    sources(&root.join("src"), &mut paths);
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("source is UTF-8");
            let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
            (name, text)
        })
        .filter(|(name, _)| !name.contains("test"))
        .map(|(name, text)| (name, text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_string()))
        .collect()
}

/// Floors by module, from the table in `src/lib.rs`.
fn floors() -> BTreeMap<String, u32> {
    let library = std::fs::read_to_string(repository().join("src/lib.rs")).expect("src/lib.rs");
    library
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("//! | ")?.split(" | ");
            let floor = cells.next()?.parse().ok()?;
            Some((cells.next()?.trim_matches(['[', '`', ']']).to_string(), floor))
        })
        .collect()
}

#[test]
fn every_module_has_a_floor() {
    let floors = floors();
    let library = std::fs::read_to_string(repository().join("src/lib.rs")).expect("src/lib.rs");
    let modules: Vec<&str> = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(modules.len() > 5);
    for module in modules {
        assert!(floors.contains_key(module), "{module} is missing in the table of floors of src/lib.rs");
    }
}

#[test]
fn imports_go_down() {
    let floors = floors();
    let mut imports = 0;
    for (name, text) in code() {
        let module = name["src/".len()..].split(['/', '.']).next().unwrap_or_default().to_string();
        let Some(own) = floors.get(&module) else { continue };
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for part in line.split("crate::").skip(1) {
                let other: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(floor) = floors.get(&other).filter(|_| other != module) else { continue };
                assert!(floor < own, "{name}:{}: {module} (floor {own}) uses {other} (floor {floor})", number + 1);
                imports += 1;
            }
        }
    }
    assert!(imports > 50, "only {imports} imports were seen");
}

#[test]
fn unsafe_code_stays_in_its_rooms() {
    for (name, text) in code() {
        let has_unsafe = text.lines().any(|line| {
            let code = line.split("//").next().unwrap_or_default();
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        });
        assert!(!has_unsafe || UNSAFE_ALLOWED.iter().any(|allowed| name.starts_with(allowed)), "unsafe in {name}");
    }
}

#[test]
fn files_are_short_enough_to_read() {
    for (name, text) in code() {
        let lines = text.lines().count();
        assert!(lines <= LONGEST_FILE, "{name} has {lines} lines");
    }
}
