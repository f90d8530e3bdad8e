//! The commands of `chuhe-tuning` shown in the documents exist and accept the arguments shown. They would run for hours, so each is
//! run with `--help` after its arguments, which are parsed first.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The documents that show commands of `chuhe-tuning`.
const PAGES: [&str; 2] = ["tuning/README.md", "docs/src/developers/training.md"];

/// The commands in the fenced `sh` blocks of a page, each as its arguments.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut script = String::new();
    let mut is_script = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(info) => is_script = !is_script && info.starts_with("sh"),
            None if is_script => script.push_str(&format!("{}\n", line.split(" #").next().unwrap_or_default())),
            None => {}
        }
    }
    let script = script.replace("\\\n", " ");
    let parts = script.lines().flat_map(|line| line.split("&&"));
    parts
        .filter_map(|part| {
            let mut words = part.split_whitespace();
            words.find(|word| *word == "$L" || word.ends_with("chuhe-tuning") && !word.contains('='))?;
            let words: Vec<String> = words.take_while(|word| *word != "--").map(String::from).collect();
            // `cargo build -p chuhe-tuning` names the package, not the program.
            (!words.is_empty()).then_some(words)
        })
        .collect()
}

#[test]
fn commands_that_the_documents_show_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository");
    let mut checked = 0;
    for page in PAGES {
        let text = fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        for words in commands(&text) {
            let output =
                Command::new(env!("CARGO_BIN_EXE_chuhe-tuning")).args(&words).arg("--help").output().expect("the program starts");
            let fault = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{page}: chuhe-tuning {}\n{fault}", words.join(" "));
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} commands were found");
}
