//! Time limits. Each is measured several times and the best one counts, since the machine may be busy, while a
//! program that is too slow never meets the limit.

use engine_tests::client::{Client, PATIENCE};
use std::time::{Duration, Instant};

const ATTEMPTS: usize = 12;

/// The shortest of several times.
fn best_of(mut measure: impl FnMut() -> Duration) -> Duration {
    (0..ATTEMPTS).map(|_| measure()).min().unwrap_or_default()
}

fn assert_within(what: &str, time: Duration, limit: u64) {
    println!("{what}: {time:?} of {limit} ms");
    assert!(time <= Duration::from_millis(limit), "{what}: {time:?}, limit {limit} ms");
}

fn timed(client: &mut Client, line: &str, word: &str) -> Duration {
    let start = Instant::now();
    client.send(line);
    let (_, at) = client.until_within(word, PATIENCE);
    at.saturating_duration_since(start)
}

#[test]
fn handshake() {
    for (greeting, end) in [("uci", "uciok"), ("ucci", "ucciok")] {
        let time = best_of(|| {
            let start = Instant::now();
            let mut client = Client::start();
            client.ask(greeting, end);
            start.elapsed()
        });
        assert_within(greeting, time, 1000);
    }
}

#[test]
fn ready_while_thinking() {
    let mut client = Client::uci();
    client.send("setoption name Threads value 2");
    client.send("go infinite");
    let time = best_of(|| timed(&mut client, "isready", "readyok"));
    client.ask("stop", "bestmove");
    assert_within("readyok while thinking", time, 100);
}

#[test]
fn stop_to_best_move() {
    let mut client = Client::ucci();
    client.send("setoption threads 2");
    let time = best_of(|| {
        client.send("go infinite");
        client.assert_none("bestmove", Duration::from_millis(100));
        timed(&mut client, "stop", "bestmove")
    });
    assert_within("stop to bestmove at two threads", time, 20);
}

#[test]
fn quit_and_end_of_input() {
    for how in ["quit", ""] {
        let time = best_of(|| {
            let mut client = Client::uci();
            client.send("go infinite");
            client.pending();
            let start = Instant::now();
            if how.is_empty() {
                client.close_input()
            } else {
                client.send(how)
            }
            client.wait(PATIENCE);
            start.elapsed()
        });
        assert_within("quit or end of input to the end", time, 1000);
    }
}

#[test]
fn ten_milliseconds_left() {
    let mut client = Client::ucci();
    for line in ["go time 10", "go time 10 increment 0", "go time 0", "go time -5 increment 0", "go wtime 10 btime 10"] {
        let time = best_of(|| timed(&mut client, line, "bestmove"));
        assert_within(line, time, 50);
    }
}

#[test]
fn a_new_table_of_half_a_gibibyte() {
    let mut client = Client::ucci();
    let mut size = 512;
    let time = best_of(|| {
        size = 1023 - size;
        client.send(&format!("setoption hashsize {size}"));
        timed(&mut client, "isready", "readyok")
    });
    assert_within("a new table", time, 1000);
}

#[test]
fn a_clock_is_not_overstepped() {
    // 50 ms left without increment, thirty moves.
    let mut client = Client::uci();
    let time = best_of(|| timed(&mut client, "go wtime 50 btime 50", "bestmove"));
    assert_within("50 ms left", time, 50);
}

#[test]
fn five_hundred_rounds_of_go_and_stop() {
    for mut client in [Client::uci(), Client::ucci()] {
        let mut answers = 0;
        for round in 0..500 {
            client.send_bytes(
                format!("position startpos moves h2e2\ngo infinite\n{}stop\n", "isready\n".repeat(round % 3)).as_bytes(),
            );
            let lines = client.until("bestmove");
            assert!(
                lines.iter().any(|line| line.contains(" pv ")) && !lines.iter().any(|line| line.contains(" mate ")),
                "{lines:?}"
            );
            answers += 1;
        }
        assert_eq!(answers, 500);
        client.assert_silent();
    }
}

#[test]
fn five_hundred_rounds_without_waiting() {
    let mut client = Client::uci();
    client.send("setoption name Notation value off");
    client.send_bytes(b"position startpos\ngo infinite\nstop\n".repeat(500).as_slice());
    for _ in 0..500 {
        client.until("bestmove");
    }
    client.assert_silent();
}
