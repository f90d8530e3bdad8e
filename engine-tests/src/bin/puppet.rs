//! Misbehaving engines and clients, for tests on every system.
//!
//! | arguments | behaviour |
//! | --- | --- |
//! | `crash` | as an engine: on `go` it exits with status 7 after a message on standard error |
//! | `illegal`, `gibberish`, `resigning` | answers with an illegal move, with an unreadable move, without a move |
//! | `silent` | never answers |
//! | `slow` | answers after a second |
//! | `mover` | moves a rook back and forth |
//! | `chatty` | as `mover`, but answers twice, with a losing score in between |
//! | `league` | the same in UCCI, with only the commands that a tournament requires |
//! | `chess` | never answers, and announces chess and shogi as its games |
//! | `waiter FILE` | plays a move as soon as the file exists |
//! | `learner FILE` | as `mover`, but after `quit` it takes most of a second to write the file |
//! | `parent FILE` | starts `pulse FILE` and never answers |
//! | `pulse FILE` | appends a character to the file twenty times a second |
//! | `client PROGRAM [OPTIONS]` | starts a program on its own input and output, with these `CHUHE_OPTIONS`, prints its process id and waits |
//! | `holder PROGRAM` | starts a program that holds the other end of its own input, greets it, prints its process id and waits |

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
        [behaviour, ref rest @ ..] => engine(behaviour, rest.first().copied()),
        [] => {
            eprintln!("usage: puppet MANNER [ARGUMENT]");
            ExitCode::from(2)
        }
    }
}

/// Runs as an engine until `quit`, with the given behaviour on `go`.
fn engine(behaviour: &str, file: Option<&str>) -> ExitCode {
    let mut plies = 0;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some(greeting @ ("uci" | "ucci")) => {
                say(&format!("id name {behaviour}"));
                if behaviour == "chess" {
                    say("option name UCI_Variant type combo default chess var chess var shogi");
                }
                say(&format!("{greeting}ok"));
            }
            Some("isready") if behaviour != "league" => say("readyok"),
            Some("position") => plies = line.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count()),
            Some("go") => go(behaviour, file, plies),
            Some("quit") => break,
            _ => {}
        }
    }
    if let ("learner", Some(file)) = (behaviour, file) {
        sleep(800);
        std::fs::write(file, "learnt").expect("the file can be written");
    }
    ExitCode::SUCCESS
}

fn go(behaviour: &str, file: Option<&str>, plies: usize) {
    match behaviour {
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
        "chatty" => {
            let best = format!("bestmove {}", ["a0a1", "a9a8", "a1a0", "a8a9"][plies % 4]);
            say(&best);
            say("info depth 99 score cp -2000");
            say(&best);
        }
        "mover" | "league" | "learner" => say(&format!("bestmove {}", ["a0a1", "a9a8", "a1a0", "a8a9"][plies % 4])),
        "waiter" => {
            while !file.is_some_and(|file| std::path::Path::new(file).exists()) {
                sleep(10);
            }
            say("bestmove h2e2");
        }
        "parent" => {
            let own = std::env::current_exe().expect("a running program has a path");
            let child = Command::new(own).arg("pulse").args(file).spawn();
            child.expect("it starts itself").wait().expect("a child can be waited for");
        }
        _ => sleep(60_000),
    }
}

fn pulse(file: &str) -> ExitCode {
    // Not forever: a failing test must leave no process behind.
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

/// Simulates clients on Windows that let their engines inherit every handle: the engine's input never ends, even if the client dies, since
/// the engine holds its other end, here as its standard error.
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
