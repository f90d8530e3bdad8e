//! Behaviour if standard output is closed, as in `chuhe perft 4 --divide | head -1`, or full.

use std::io::Read;
use std::process::{Command, Stdio};

const LINE: [&str; 5] = ["judge", "h2e2", "h9g7", "h0g2", "i9h9"];
const COMMANDS: [&[&str]; 17] = [
    &["perft", "4", "--divide"],
    &["bench", "3"],
    &["notation", "--from", "uci", "--to", "wxr", "h2e2"],
    &["notation", "--to", "all", "--json", "h2e2"],
    &LINE,
    &["judge", "--json", "h2e2"],
    &["book", "probe"],
    &["book", "probe", "--json"],
    &["book", "check"],
    &["book", "export"],
    &["endgame", "list"],
    &["completions", "fish"],
    &["man", "match"],
    &["genfens", "2", "nodes", "1"],
    &["--help"],
    &["help", "match"],
    &["--version"],
];

#[test]
fn commands_end_quietly_when_nobody_reads() {
    for arguments in COMMANDS {
        // The reader is closed before the program starts, to avoid a race.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut child = Command::new(engine_tests::chuhe())
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut errors = String::new();
        let stderr = child.stderr.take().expect("stderr is a pipe");
        stderr.take(10_000).read_to_string(&mut errors).expect("stderr is text");
        let status = child.wait().expect("the program ends");
        assert_eq!(errors, "", "{arguments:?}");
        // The exit status that a shell shows for a program ended by SIGPIPE.
        assert_eq!(status.code(), Some(141), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line_and_status_1() {
    for arguments in COMMANDS {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = Command::new(engine_tests::chuhe()).args(arguments).stdout(full).output().expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.starts_with("chuhe: standard output: ") && errors.lines().count() == 1, "{arguments:?}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_changes_nothing() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = Command::new(engine_tests::chuhe()).args(["judge", "h2e3"]).stderr(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
}
