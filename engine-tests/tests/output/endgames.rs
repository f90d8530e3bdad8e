//! `chuhe endgame` with families that cannot be built, and with files and folders that hold no tables.

use engine_tests::chuhe;
use std::path::Path;
use std::process::{Command, Output};

/// Three attackers and all defenders on both sides: terabytes.
const HUGE: &str = "RND-CD";

fn endgame(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split(' ').map(|argument| argument.replace('~', " "));
    Command::new(chuhe()).arg("endgame").args(arguments).current_dir(folder).output().expect("the program starts")
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    assert!(!text.contains("panicked"), "{text}");
    text.lines().map(str::to_string).collect()
}

/// The lines on standard error, without those about memory.
fn errors(output: &Output) -> Vec<String> {
    lines(&output.stderr).into_iter().filter(|line| !line.ends_with(" MiB of memory")).collect()
}

#[test]
fn a_family_that_cannot_be_built_does_not_keep_the_others() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("out/C-C.egt")).unwrap();
    let built = endgame(folder.path(), &format!("build P-P C-C {HUGE} p-p NN- ~n-n~ -o out"));
    let errors = errors(&built);
    assert_eq!(built.status.code(), Some(1), "{errors:?}");
    let starts = ["chuhe: out/C-C.egt: ", "chuhe: C-C: out/C-C.egt: ", "chuhe: RND-CD: ", "chuhe: 2 of 5 families "];
    assert_eq!(errors.len(), starts.len(), "{errors:?}");
    assert!(errors.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{errors:?}");
    assert!(errors[2].contains("MiB of memory, expected at most"), "{errors:?}");
    let written = lines(&built.stdout);
    let families: Vec<&str> = written.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(families, ["P-P", "NN-", "N-N"]);
    // Once more, there is nothing to build but what failed.
    let again = endgame(folder.path(), "build P-P NN- N-N -o out");
    assert!(again.status.success() && lines(&again.stdout).iter().all(|line| line.ends_with("has it already")), "{again:?}");
    // A single family costs a single line.
    let single = endgame(folder.path(), &format!("build {HUGE} -o empty"));
    assert_eq!((single.status.code(), lines(&single.stderr).len()), (Some(1), 1), "{single:?}");
}
