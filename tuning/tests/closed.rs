//! A command whose result is its output ends quietly when nobody reads it.

use chuhe::board::Position;
use chuhe_tuning::records::{Ending, FileHeader, Game, Won, Writer};
use std::process::{Command, Stdio};

#[test]
fn export_ends_when_nobody_reads() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("games");
    let mut writer = Writer::create(&file, &FileHeader { description: String::new() }).expect("a new file");
    // More than fits into a pipe.
    for id in 0..5000 {
        let game = Game {
            id,
            start: Position::startpos(),
            won: Won::Nobody,
            ending: Ending::PlyLimit,
            plies: Vec::new(),
            variations: Vec::new(),
        };
        writer.push(&game).expect("room on the disk");
    }
    writer.finish().expect("room on the disk");
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-tuning"));
    let command = command.arg("export").arg(&file).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(141), ""));
}
