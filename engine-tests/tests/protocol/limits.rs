//! Time limits. Each is measured until it is met, since the machine may be busy; a program that is too slow never meets it.

use engine_tests::client::{Client, PATIENCE};
use std::time::{Duration, Instant};

/// Attempts before a limit counts as missed.
const ATTEMPTS: usize = 100;

/// Measures until a time is within the limit, in milliseconds.
fn assert_within(what: &str, limit: u64, mut measure: impl FnMut() -> Duration) {
    let mut best = Duration::MAX;
    for attempt in 1..=ATTEMPTS {
        best = best.min(measure());
        if best <= Duration::from_millis(limit) {
            return println!("{what}: {best:?} of {limit} ms, attempt {attempt}");
        }
    }
    panic!("{what}: {best:?}, limit {limit} ms");
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
        assert_within(greeting, 1000, || {
            let start = Instant::now();
            let mut client = Client::start();
            client.ask(greeting, end);
            start.elapsed()
        });
    }
}

#[test]
fn ready_while_thinking() {
    let mut client = Client::uci();
    client.send("setoption name Threads value 2");
    client.send("go infinite");
    assert_within("readyok while thinking", 100, || timed(&mut client, "isready", "readyok"));
    client.ask("stop", "bestmove");
}

#[test]
fn stop_to_best_move() {
    let mut client = Client::ucci();
    client.send("setoption threads 2");
    assert_within("stop to bestmove at two threads", 20, || {
        client.send("go infinite");
        client.assert_none("bestmove", Duration::from_millis(100));
        timed(&mut client, "stop", "bestmove")
    });
}

#[test]
fn quit_and_end_of_input() {
    for how in ["quit", ""] {
        assert_within("quit or end of input to the end", 1000, || {
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
    }
}

#[test]
fn ten_milliseconds_left() {
    let mut client = Client::ucci();
    for line in ["go time 10", "go time 10 increment 0", "go time 0", "go time -5 increment 0", "go wtime 10 btime 10"] {
        assert_within(line, 50, || timed(&mut client, line, "bestmove"));
    }
}

#[test]
fn a_new_table_of_half_a_gibibyte() {
    let mut client = Client::ucci();
    let mut size = 512;
    assert_within("a new table", 1000, || {
        size = 1023 - size;
        client.send(&format!("setoption hashsize {size}"));
        timed(&mut client, "isready", "readyok")
    });
}

#[test]
fn a_clock_is_not_overstepped() {
    // 50 ms left without increment, thirty moves.
    let mut client = Client::uci();
    assert_within("50 ms left", 50, || timed(&mut client, "go wtime 50 btime 50", "bestmove"));
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

#[test]
fn pondering_counts_towards_the_planned_time() {
    let mut client = Client::uci();
    for line in ["go ponder movetime 200", "go ponder wtime 20000 btime 20000 movestogo 40"] {
        // Without that it would take at least two hundred milliseconds.
        assert_within(line, 150, || {
            client.send("position startpos moves h2e2 h9g7");
            client.send(line);
            client.assert_none("bestmove", Duration::from_millis(2500));
            timed(&mut client, "ponderhit", "bestmove")
        });
    }
}
