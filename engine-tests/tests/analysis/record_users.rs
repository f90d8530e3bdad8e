//! Records of the kinds that people really have, through `chuhe convert` and the other commands, with what is right for each.

use std::process::{Command, Output};
use tempfile::TempDir;

/// The program in a folder with these files.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        Desk { folder }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(engine_tests::chuhe());
        command.args(arguments).current_dir(self.folder.path()).env("LC_ALL", "C").output().unwrap()
    }
}

/// What `chuhe convert NAME -` says on standard output and on standard error.
fn convert(name: &str, bytes: impl AsRef<[u8]>, arguments: &[&str]) -> (String, String) {
    let output = Desk::new(&[(name, bytes)]).run(&[&["convert", name, "-"], arguments].concat());
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A line with an illegal move keeps what stands before it, and every line that fails is named.
#[test]
fn a_list_keeps_what_stands_before_an_illegal_move() {
    let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7 h0g2 i9h9 a0a9 b9c7";
    let (pgn, told) = convert("lines.fen", format!("{line}\n{line}\n"), &["--notation", "uci"]);
    assert_eq!(pgn.matches("1. h2e2 h9g7 2. h0g2 i9h9 *").count(), 2, "{pgn}");
    for number in [1, 2] {
        let part = format!("lines.fen: line {number}: move 5 (round 3, red): 'a0a9': the red chariot on a0 cannot move so");
        assert!(told.contains(&part), "{told}");
    }
    assert!(told.ends_with("games 2 plies 8\n"), "{told}");
}

/// The one reader of FEN serves lists, commands and the protocol.
#[test]
fn fens_are_read_as_others_hand_them_out_everywhere() {
    let board = "3k5/9/9/9/9/9/9/9/4R4/4K4";
    let list = format!("{board}[]_w_-_-_0_1\n{board}[-] w - - 0 1\n{board}%20w\n\"{board} red - - 0 1\"\n{board}/ w\n");
    let (fens, told) = convert("handed-out.fen", &list, &["--to-format", "fen"]);
    assert_eq!(fens, format!("{board} w - - 0 1\n").repeat(5), "{told}");
    for line in list.lines() {
        let output = Desk::new::<&str>(&[]).run(&["perft", "1", "--fen", line]);
        assert!(output.status.success(), "{line}: {output:?}");
    }
    // Kings that face each other: a list keeps what others wrote, and says so.
    let (fens, told) = convert("facing.fen", "3k5/9/9/9/9/9/9/9/4R4/3K5[] w\n", &["--to-format", "fen"]);
    assert_eq!(fens, "3k5/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1\n");
    assert!(told.contains("no game can have this position: FEN row 1 column 4: the side to move can take"), "{told}");
    let (_, told) = convert("chinese.fen", "3帥5/9/9/9/9/9/9/9/4R4/3K5 w\n", &[]);
    assert!(told.contains("line 1: FEN row 1 column 4: unknown letter '帥'"), "{told}");
}
