//! Help texts, manual pages, shell completions, and the build information.

use engine_tests::chuhe;
use std::process::Command;

const COMMANDS: [&str; 16] = [
    "analyze",
    "bench",
    "book",
    "completions",
    "convert",
    "diagram",
    "endgame",
    "genfens",
    "judge",
    "man",
    "match",
    "notation",
    "perft",
    "play",
    "serve",
    "site",
];

/// The output of a run that must succeed.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(chuhe()).args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_help_text_has_examples() {
    for command in COMMANDS {
        let help = run(&[command, "--help"]);
        assert!(help.contains("\nExamples:\n") && help.contains(&format!("chuhe {command}")), "{help}");
    }
    assert!(run(&["--help"]).contains("\nExamples:\n"));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
        // Values of notations, formats and encodings.
        for value in ["chinese-simplified", "cbl", "big5", "world"] {
            assert!(shell == "powershell" || script.contains(value), "{shell} does not know {value}");
        }
    }
}

#[test]
fn manual_pages() {
    let page = run(&["man", "book", "build"]);
    assert!(page.contains(".TH") && page.contains("min\\-games") && page.contains("chuhe\\-book\\-build"), "{page}");
    for section in ["EXAMPLES", "\"EXIT STATUS\"", "ENVIRONMENT", "\"SEE ALSO\""] {
        assert!(run(&["man", "judge"]).contains(&format!(".SH {section}\n")), "{section}");
    }
    assert!(run(&["man"]).contains("Without a command, chuhe is the engine") && run(&["man"]).contains("chuhe\\-judge(1)"));
    assert!(run(&["--help"]).contains("Without a command, chuhe is the engine"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    run(&["man", "--output", path]);
    for command in COMMANDS {
        assert!(folder.path().join(format!("chuhe-{command}.1")).exists(), "{command}");
    }
    assert!(folder.path().join("chuhe-book-probe.1").exists() && folder.path().join("chuhe.1").exists());
    for page in [run(&["man"]), run(&["man", "book"])] {
        assert!(!page.contains("help(1)"), "there is no page of a help command: {page}");
    }
    let output = Command::new(chuhe()).args(["man", "nothing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_version_names_the_built_in_parts() {
    let version = run(&["--version"]);
    for part in ["chuhe ", "\nnetwork ", "\nbook ", "\ntarget ", "\nprocessor level "] {
        assert!(version.contains(part), "{version}");
    }
    assert_eq!(run(&["-V"]).lines().count(), 1);
}
