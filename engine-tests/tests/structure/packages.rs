//! Packages: a single version everywhere, and a program that names its components.

use engine_tests::{chuhe, repository};
use std::process::Command;

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The version in the first line that begins with `before`.
fn version_of(path: &str, before: &str) -> String {
    let text = read(path);
    let line = text.lines().find_map(|line| line.strip_prefix(before)).unwrap_or_else(|| panic!("{path} has no '{before}'"));
    line.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect()
}

#[test]
fn the_newest_version_of_the_changelog_is_the_version_of_all() {
    let changelog = read("CHANGELOG.md");
    let newest = changelog.lines().filter_map(|line| line.strip_prefix("## [")).find(|rest| !rest.starts_with("Unreleased"));
    let newest = newest.and_then(|rest| rest.split(']').next()).expect("CHANGELOG.md names a version");
    assert_eq!(newest, env!("CARGO_PKG_VERSION"));
    assert_eq!(newest, version_of("Cargo.toml", "version = \""));
    assert_eq!(newest, version_of("python/Cargo.toml", "version = \""));
    for dependent in ["Cargo.toml", "tuning/Cargo.toml"] {
        let manifest = read(dependent);
        let stated = manifest.lines().filter(|line| line.starts_with("xiangqi = ") && line.contains("version = "));
        stated.for_each(|line| assert!(line.contains(&format!("version = \"{newest}\"")), "{dependent}: {line}"));
    }
}

#[test]
fn the_program_names_version_network_book_target_and_level() {
    let output = Command::new(chuhe()).arg("--version").output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    let words: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["chuhe", "network", "book", "target", "processor"], "{text}");
    assert!(text.starts_with(&format!("chuhe {}\n", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(text.lines().all(|line| line.split(' ').count() > 1), "{text}");
    let short = Command::new(chuhe()).arg("-V").output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&short.stdout).trim_end(), format!("chuhe {}", env!("CARGO_PKG_VERSION")));
}

/// Every file that the Debian package takes from the repository exists, except those made by `.ci/packages`.
#[test]
fn the_files_of_the_debian_package_exist() {
    let manifest = read("Cargo.toml");
    let assets = manifest.split("assets = [").nth(1).and_then(|rest| rest.split("\n]").next()).expect("assets");
    let script = read(".ci/packages");
    let mut files = 0;
    for line in assets.lines().filter(|line| line.contains('[')) {
        let path = line.split('"').nth(1).expect("a path");
        let made = path.strip_prefix("target/packages/");
        let name = made.and_then(|made| made.split('/').next_back()).unwrap_or(path);
        let is_known = match made {
            Some(_) => name == "*.1" || name == "licences" || script.contains(&format!("$extras/completions/{name}")),
            None => path == "target/release/chuhe" || repository().join(path).exists(),
        };
        assert!(is_known, "{path}");
        files += 1;
    }
    assert!(files >= 5);
}

/// Every package contains the texts of the licences: in the archives and crates as files next to the manifest, which are copies
/// for the two packages with their own folder.
#[test]
fn every_package_has_the_texts_of_its_licences() {
    for folder in ["xiangqi", "python"] {
        let names: &[&str] = if folder == "xiangqi" { &["MIT", "APACHE"] } else { &["MIT", "APACHE", "OFL"] };
        for name in names {
            assert_eq!(read(&format!("{folder}/LICENSE-{name}")), read(&format!("LICENSE-{name}")), "{folder}: {name}");
        }
    }
    assert!(read("LICENSE-OFL").contains("Noto Serif CJK") && read("LICENSE-OFL").contains("PERMISSION & CONDITIONS"));
    assert!(read("README.md").contains("(LICENSE-OFL)"));
    assert!(read("Cargo.toml").contains("include = [\"/src\"") && read("Cargo.toml").contains("\"/LICENSE-*\"]"));
    for manifest in ["Cargo.toml", "python/Cargo.toml", "python/pyproject.toml"] {
        assert!(read(manifest).contains("license = \"(MIT OR Apache-2.0) AND OFL-1.1\""), "{manifest}");
    }
    assert!(read("python/pyproject.toml").contains("license-files = [\"LICENSE-*\"]"));
}

/// The Python package is not a member of the workspace, so no other check detects an outdated lock file, with which `--locked`
/// fails.
#[test]
fn the_lock_file_of_the_python_package_knows_all_dependencies() {
    let manifest = read("Cargo.toml");
    let section = manifest.split("\n[dependencies]\n").nth(1).and_then(|rest| rest.split("\n[").next()).expect("dependencies");
    let names: Vec<&str> = section.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    assert!(names.contains(&"axum") && names.contains(&"xiangqi"), "{names:?}");
    let lock = read("python/Cargo.lock");
    let own = lock.split("\n[[package]]\n").find(|package| package.starts_with("name = \"chuhe\"\n")).expect("the engine");
    for name in names.into_iter().filter(|name| !name.starts_with('#')) {
        let is_known = own.contains(&format!("\n \"{name}\",")) || own.contains(&format!("\n \"{name} "));
        assert!(is_known, "{name}: run 'cargo metadata' in python/");
    }
}
