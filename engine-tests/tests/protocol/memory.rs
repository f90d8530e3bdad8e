//! Large tables, many threads, and limited memory.

use engine_tests::chuhe;
use engine_tests::client::{Client, PATIENCE, value};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Resident memory of a process in MiB.
fn resident(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux says so");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") >> 10
}

/// Asks for `readyok`, and asserts that this much memory is allocated then, or that the time for it has passed on a busy machine.
fn assert_ready(client: &mut Client, mib: usize) {
    let begin = Instant::now();
    client.ask("isready", "readyok");
    let (time, memory) = (begin.elapsed(), resident(client.id()));
    assert!(memory >= mib || time >= Duration::from_millis(700), "{memory} of {mib} MiB after {time:?}");
}

#[test]
fn the_table_is_allocated_at_readyok() {
    for size in [16, 300] {
        let mut client = Client::uci();
        client.send(&format!("setoption name Hash value {size}"));
        assert_ready(&mut client, size);
        // After a game the table is cleared, which must not release its memory for long.
        client.go("go nodes 3000");
        client.send("ucinewgame");
        assert_ready(&mut client, size);
        client.finish();
    }
}

#[test]
fn the_first_table_is_allocated_at_readyok() {
    let mut client = Client::start_with(|command| {
        command.env("CHUHE_OPTIONS", "Hash=300");
    });
    assert_ready(&mut client, 300);
    client.finish();
}

#[test]
fn commands_refuse_a_table_larger_than_the_memory() {
    for arguments in [&["bench", "1"][..], &["analyze"], &["puzzles", "x.pgn", "-o", "y.jsonl"], &["serve"]] {
        let output =
            Command::new(chuhe()).args(arguments).args(["--hash", "1048576"]).stdin(Stdio::null()).output().expect("it starts");
        let fault = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), fault.lines().count()), (Some(1), 1), "{fault}");
        assert!(fault.contains("--hash 1048576 takes 1048576 MiB"), "{fault}");
    }
}

#[test]
fn a_search_begins_before_a_large_table_is_ready() {
    let mut client = Client::uci();
    for (size, limit) in [(700, "nodes 2000"), (30, "nodes 2000"), (900, "movetime 20"), (800, "wtime 400 btime 400")] {
        client.send(&format!("setoption name Hash value {size}"));
        let lines = client.go(&format!("go {limit}"));
        assert!(lines.iter().any(|line| value(line, "depth").is_some()), "{lines:?}");
    }
    // The rest of the allocation follows after the search.
    let begin = Instant::now();
    while resident(client.id()) < 800 {
        assert!(begin.elapsed() < PATIENCE, "{}", resident(client.id()));
        std::thread::sleep(Duration::from_millis(5));
    }
    client.finish();
}

#[test]
fn quit_does_not_wait_for_a_large_table() {
    let mut client = Client::uci();
    client.send_bytes(b"setoption name Hash value 2000\nsetoption name Hash value 4000\nisready\nquit\n");
    let (status, lines) = client.wait(PATIENCE);
    assert!(status.success() && lines.iter().any(|line| line == "readyok"), "{lines:?}");
}

/// Runs the program with this input under a limit of the shell, prefixed by the command that changes the user.
fn limited(limit: &str, user: &[&str], input: &str) -> Output {
    let script = format!("ulimit {limit} && exec '{}'", chuhe().display());
    let words: Vec<&str> = user.iter().copied().chain(["bash", "-c", &script]).collect();
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell starts");
    // A program that fails to start reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the shell ends")
}

#[test]
fn with_little_memory_there_are_fewer_threads_and_a_smaller_table() {
    let input = "ucci\nsetoption batch true\nsetoption threads 1024\nsetoption hashsize 2048\nisready\ngo nodes 3000\n";
    let output = limited("-v 1500000", &[], input);
    let (text, fault) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{text}\n{fault}", output.status);
    assert!(text.contains("\ninfo message Threads is "), "{text}");
    assert!(text.contains("\ninfo message Hash is "), "{text}");
    assert!(text.contains("\nbestmove "), "{text}");
}

#[test]
fn nothing_is_sent_before_the_handshake() {
    for (greeting, text) in [("uci", "info string "), ("ucci", "info message ")] {
        // The search makes sure that the threads have been started before the end.
        let input = format!("{greeting}\nisready\ngo nodes 1\n");
        let output = limited("-v 1500000", &["env", "CHUHE_OPTIONS=Hash=1000000;Threads=1024;batch=true"], &input);
        let lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect();
        assert!(output.status.success() && lines[0].starts_with("id name "), "{greeting}: {lines:?}");
        for part in ["Hash is limited to ", "Threads is "] {
            assert!(lines.iter().any(|line| line.starts_with(&format!("{text}{part}"))), "{greeting} {part}: {lines:?}");
        }
    }
}

#[test]
fn without_threads_the_program_says_so_in_one_line() {
    // The limit does not apply to root, so another user runs the program.
    let user = ["setpriv", "--reuid=65534", "--clear-groups"];
    let whoami = Command::new(user[0]).args(&user[1..]).arg(chuhe()).arg("--version").output();
    if !whoami.is_ok_and(|output| output.status.success()) {
        return println!("skipped: the program cannot be run as another user here");
    }
    let output = limited("-u 1", &user, "uci\n");
    let fault = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), fault.lines().count()), (Some(1), 1), "{fault}");
    assert!(fault.starts_with("chuhe: cannot start "), "{fault}");
}
