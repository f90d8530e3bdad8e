//! Engines that misbehave and a client that is killed, for tests on every system.
//!
//! | arguments | what it does |
//! | --- | --- |
//! | `crash` | as an engine: on `go` it ends with status 7 after a word on standard error |
//! | `illegal`, `gibberish`, `resigning` | answers with a move that is not legal, with none that can be read, with none |
//! | `silent` | never answers |
//! | `slow` | answers after a second |
//! | `mover` | moves a rook to and fro |
//! | `parent FILE` | starts `pulse FILE` and never answers |
//! | `pulse FILE` | adds a letter to the file twenty times a second |
//! | `client PROGRAM [OPTIONS]` | starts a program on its own input and output, with these `CHUHE_OPTIONS`, prints its number and waits |
//! | `holder PROGRAM` | starts a program that holds the other end of its own input, greets it, prints its number and waits |

use std::io::{BufRead, Write};
use std::process::{Command, ExitCode, exit};
use std::time::Duration;

fn sleep(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        exit(0);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["pulse", file] => pulse(file),
        ["client", program, ref options @ ..] => client(program, options.first().copied()),
        ["holder", program] => holder(program),
        [manner, ref rest @ ..] => engine(manner, rest.first().copied()),
        [] => {
            eprintln!("usage: puppet MANNER [ARGUMENT]");
            ExitCode::from(2)
        }
    }
}

/// Serves a match until `quit`, and does on `go` what its manner is.
fn engine(manner: &str, file: Option<&str>) -> ExitCode {
    let mut plies = 0;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("uci") => {
                say(&format!("id name {manner}"));
                say("uciok");
            }
            Some("isready") => say("readyok"),
            Some("position") => plies = line.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count()),
            Some("go") => go(manner, file, plies),
            Some("quit") => break,
            _ => {}
        }
    }
    ExitCode::SUCCESS
}

fn go(manner: &str, file: Option<&str>, plies: usize) {
    match manner {
        "crash" => {
            eprintln!("out of luck");
            exit(7);
        }
        "illegal" => say("bestmove a0a9"),
        "gibberish" => say("bestmove xyz"),
        "resigning" => say("bestmove (none)"),
        "slow" => {
            sleep(1000);
            say("bestmove h2e2");
        }
        "mover" => say(&format!("bestmove {}", ["a0a1", "a9a8", "a1a0", "a8a9"][plies % 4])),
        "parent" => {
            let own = std::env::current_exe().expect("a running program has a path");
            let child = Command::new(own).arg("pulse").args(file).spawn();
            child.expect("it starts itself").wait().expect("a child can be waited for");
        }
        _ => sleep(60_000),
    }
}

fn pulse(file: &str) -> ExitCode {
    // Not for ever: a test that fails must leave nothing behind.
    for _ in 0..1200 {
        let mut file = std::fs::File::options().append(true).create(true).open(file).expect("the file can be written");
        file.write_all(b".").expect("the file can be written");
        sleep(50);
    }
    ExitCode::SUCCESS
}

fn client(program: &str, options: Option<&str>) -> ExitCode {
    let mut command = Command::new(program);
    command.env_remove("CHUHE_OPTIONS").envs(options.map(|options| ("CHUHE_OPTIONS", options)));
    let mut child = command.spawn().expect("the program starts");
    say(&child.id().to_string());
    let _ = child.wait();
    ExitCode::SUCCESS
}

/// As clients on Windows do that let their engines inherit every handle: the end of the input never comes, whoever dies. The engine has
/// it as its standard error.
fn holder(program: &str) -> ExitCode {
    let (input, mut other_end) = std::io::pipe().expect("a pipe");
    let mut command = Command::new(program);
    command.env_remove("CHUHE_OPTIONS").stdin(input).stderr(other_end.try_clone().expect("a second handle"));
    let mut child = command.spawn().expect("the program starts");
    say(&child.id().to_string());
    other_end.write_all(b"uci\n").expect("the program reads");
    let _ = child.wait();
    ExitCode::SUCCESS
}
