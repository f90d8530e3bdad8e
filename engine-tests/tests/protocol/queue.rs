//! Commands that arrive during a search: they are executed in order, and each `go` is answered.

use engine_tests::client::{Client, PATIENCE};
use std::time::Duration;

const BLACK_TO_MOVE: &str = "position startpos moves h2e2";

/// The rank of the moving piece of an answer.
fn rank(answer: &str) -> u8 {
    answer.split(' ').nth(1).unwrap().as_bytes()[1] - b'0'
}

fn answers(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("bestmove")).collect()
}

/// All output of a program that gets this input at once, with or without the end of input after it.
fn all_of(greeting: &str, input: &str) -> Vec<String> {
    let mut client = Client::start();
    client.send_bytes(format!("{greeting}\nsetoption name OwnBook value false\n{input}").as_bytes());
    client.close_input();
    let (status, lines) = client.wait(PATIENCE);
    assert!(status.success());
    lines
}

#[test]
fn finite_searches_are_answered_in_order() {
    for mut client in [Client::uci(), Client::ucci()] {
        client.send_bytes(
            format!(
                "position startpos\ngo nodes 20000\n{BLACK_TO_MOVE}\ngo nodes 1\nposition startpos\ngo depth 4\n\
                 {BLACK_TO_MOVE}\ngo movetime 50\nposition startpos\ngo nodes 1\n"
            )
            .as_bytes(),
        );
        let ranks: Vec<u8> = (0..5).map(|_| rank(client.until("bestmove").last().unwrap())).collect();
        let sides: Vec<bool> = ranks.iter().map(|&rank| rank >= 5).collect();
        assert_eq!(sides, [false, true, false, true, false]);
        client.assert_silent();
    }
}

#[test]
fn in_a_batch_stop_ends_a_ponder_search_without_a_limit() {
    for greeting in ["uci", "ucci"] {
        for go in ["go ponder", "go ponder mate 3", "go ponder infinite"] {
            for end in ["stop\n", "stop\nquit\n", "quit\n", ""] {
                let lines = all_of(greeting, &format!("setoption name batch value true\n{go}\nponderhit\n{end}"));
                assert_eq!(answers(&lines).len(), 1, "{greeting} {go} {end:?}: {lines:?}");
            }
        }
    }
}

/// The exit waits half a second for them, which a busy machine may exceed; a program that does not wait always fails.
#[test]
fn a_script_of_short_searches_gets_its_answers_before_the_end() {
    const ATTEMPTS: usize = 10;
    let script = format!("go nodes 1\n{BLACK_TO_MOVE}\ngo nodes 1\nposition startpos\ngo nodes 1\ngo perft 2\n");
    for greeting in ["uci", "ucci"] {
        for end in ["", "quit\n"] {
            let is_complete = |lines: &[String]| {
                let sides: Vec<bool> = answers(lines).iter().map(|line| rank(line) >= 5).collect();
                sides == [false, true, false] && lines.contains(&"Nodes searched: 1920".to_string())
            };
            let found = (0..ATTEMPTS).any(|_| is_complete(&all_of(greeting, &format!("{script}{end}"))));
            assert!(found, "{greeting} {end:?}");
        }
    }
}

/// As above: a search for a mate, which may not exist, has the same half second.
#[test]
fn a_script_gets_mates_before_the_end() {
    const ATTEMPTS: usize = 10;
    let script = "position fen 2bakab2/9/9/9/9/5R3/9/4B4/4A4/1R1A1K2C w\ngo mate 4\n";
    for batch in ["", "setoption name batch value true\n"] {
        for end in ["", "quit\n"] {
            let is_found = |lines: &[String]| answers(lines).len() == 1 && lines.iter().any(|line| line.contains("score mate 3"));
            let found = (0..ATTEMPTS).any(|_| is_found(&all_of("uci", &format!("{batch}{script}{end}"))));
            assert!(found, "{batch:?} {end:?}");
        }
    }
    // Without a mate it is stopped.
    let lines = all_of("uci", "setoption name batch value true\ngo mate 3\nposition startpos\ngo depth 1\n");
    assert_eq!(answers(&lines).len(), 2, "{lines:?}");
}

#[test]
fn long_and_endless_searches_do_not_delay_the_end() {
    for input in [
        "go movetime 600000\nquit\n",
        "go movetime 600000\n",
        "go depth 60\ngo nodes 1\nquit\n",
        "go nodes 1\ngo infinite\ngo nodes 1\n",
        "bench 20\nquit\n",
    ] {
        all_of("uci", input);
    }
    // More than half a second since the last `go`: the exit does not wait.
    let mut client = Client::uci();
    client.send("go movetime 60000");
    client.assert_none("bestmove", Duration::from_millis(600));
    client.send("quit");
    let (_, lines) = client.wait(PATIENCE);
    assert!(answers(&lines).is_empty(), "{lines:?}");
}

/// A program that writes its commands, closes the pipe and reads to the end gets a move for a search that would take longer.
#[test]
fn the_last_search_of_a_script_is_answered() {
    for (greeting, last) in [("uci", "bestmove"), ("ucci", "bye")] {
        for (input, expected) in [
            ("go movetime 60000\n", 1),
            ("go movetime 60000\nquit\n", 1),
            ("go movetime 60000\ngo depth 50\n", 1),
            ("go infinite", 1),
            ("go ponder movetime 60000\n", 1),
            ("go mate 9\n", 1),
            ("go infinite\nposition startpos moves h2e2\n", 1),
            ("go perft 9\n", 0),
        ] {
            let lines = all_of(greeting, input);
            assert_eq!(answers(&lines).len(), expected, "{input:?}: {lines:?}");
            assert!(expected == 0 || lines.last().is_some_and(|line| line.starts_with(last)), "{input:?}: {lines:?}");
        }
    }
    // Also if the input ends long after the last command.
    let mut client = Client::uci();
    client.send("go infinite");
    client.assert_none("bestmove", Duration::from_millis(600));
    client.close_input();
    let (_, lines) = client.wait(PATIENCE);
    assert_eq!(answers(&lines).len(), 1, "{lines:?}");
}

#[test]
fn options_bans_and_displays_are_executed_in_order() {
    let mut client = Client::ucci();
    client.send_bytes(
        b"position startpos\ngo nodes 30000\nsetoption multipv 2\nposition fen 3k5/9/8R/8r/9/9/4P4/9/9/4K4 w\nbanmoves i7i6\ngo depth 3\nd\n",
    );
    let first = client.until("bestmove");
    assert!(first.iter().all(|line| !line.contains(" multipv ")), "{first:?}");
    let second = client.until("bestmove");
    assert!(second.iter().any(|line| line.contains(" multipv 2 ")), "{second:?}");
    assert!(!second.last().unwrap().starts_with("bestmove i7i6"), "{second:?}");
    assert!(client.until("Fen:").last().unwrap().contains("3k5/9/8R/8r/"));
}

#[test]
fn readyok_after_stop_follows_the_answer() {
    let mut client = Client::uci();
    for _ in 0..20 {
        client.send_bytes(b"go infinite\nstop\nisready\n");
        let lines = client.until("readyok");
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
    // During a search it is immediate.
    client.send("go infinite");
    client.ask("isready", "readyok");
    client.send("stop");
    client.until("bestmove");
}

#[test]
fn readyok_after_stop_follows_the_options_before_it() {
    let mut client = Client::uci();
    client.send_bytes(b"go infinite\nstop\nsetoption name EvalFile value nowhere\nisready\n");
    let lines = client.until("readyok");
    assert!(lines.iter().any(|line| line.contains("EvalFile: ")), "{lines:?}");
}

#[test]
fn stop_ends_every_search_before_it() {
    for mut client in [Client::uci(), Client::ucci()] {
        // Two searches that would take longer than the test, and one after the stop.
        client.send_bytes(
            format!(
                "position startpos\ngo movetime 100000\n{BLACK_TO_MOVE}\ngo depth 100\nstop\nposition startpos\ngo depth 2\n"
            )
            .as_bytes(),
        );
        let sides: Vec<bool> = (0..3).map(|_| rank(client.until("bestmove").last().unwrap()) >= 5).collect();
        assert_eq!(sides, [false, true, false]);
        client.assert_silent();
    }
}

#[test]
fn ready_and_probe_do_not_wait() {
    let mut client = Client::ucci();
    client.send_bytes(b"go movetime 100000\nposition startpos moves h2e2\ngo movetime 100000\nisready\nprobe startpos\n");
    let lines = client.until("pophash");
    assert!(lines.contains(&"readyok".to_string()) && answers(&lines).is_empty(), "{lines:?}");
    client.send("stop");
    client.until("bestmove");
    client.until("bestmove");
    client.assert_silent();
}

#[test]
fn a_ponderhit_belongs_to_the_search_before_it() {
    let mut client = Client::uci();
    client.send_bytes(
        format!("go nodes 20000\n{BLACK_TO_MOVE}\ngo ponder depth 3\nponderhit\nposition startpos\ngo depth 2\n").as_bytes(),
    );
    let sides: Vec<bool> = (0..3).map(|_| rank(client.until("bestmove").last().unwrap()) >= 5).collect();
    assert_eq!(sides, [false, true, false]);
    // Without `ponderhit` the ponder search waits, and a `go` after it is ignored.
    client.send_bytes(format!("go nodes 20000\n{BLACK_TO_MOVE}\ngo ponder depth 3\nposition startpos\ngo depth 2\n").as_bytes());
    client.until("bestmove");
    client.assert_none("bestmove", Duration::from_millis(200));
    assert!(rank(client.ask("ponderhit", "bestmove").last().unwrap()) >= 5);
    client.assert_silent();
}

#[test]
fn a_queued_ponderhit_is_not_lost_at_the_end_or_behind_other_commands() {
    for greeting in ["uci", "ucci"] {
        for end in ["", "quit\n"] {
            let script = format!(
                "setoption name batch value true\nposition startpos\ngo depth 8\n{BLACK_TO_MOVE}\ngo ponder depth 6\n\
                 setoption name MultiPV value 1\nponderhit\ngo ponder\nponderhit\n{end}"
            );
            let lines = all_of(greeting, &script);
            assert_eq!(answers(&lines).len(), 3, "{greeting} {end:?}: {lines:?}");
            let second = lines.split(|line| line.starts_with("bestmove")).nth(1).unwrap();
            assert!(second.iter().any(|line| line.starts_with("info depth 6 ")), "{greeting} {end:?}: {lines:?}");
        }
    }
    let mut client = Client::uci();
    client.send_bytes(format!("go nodes 20000\n{BLACK_TO_MOVE}\ngo ponder depth 3\nd\nponderhit\n").as_bytes());
    client.until("bestmove");
    assert!(rank(client.until("bestmove").last().unwrap()) >= 5);
    client.until("Fen:");
}

#[test]
fn a_go_after_an_endless_search_is_ignored_with_a_message() {
    for (mut client, prefix) in [(Client::uci(), "info string "), (Client::ucci(), "info message ")] {
        client.send_bytes(format!("position startpos\ngo infinite\n{BLACK_TO_MOVE}\ngo depth 1\n").as_bytes());
        let lines = client.pending();
        let word = format!("{prefix}this go is ignored");
        assert_eq!(lines.iter().filter(|line| line.starts_with(&word)).count(), 1, "{lines:?}");
        assert!(rank(client.ask("stop", "bestmove").last().unwrap()) <= 4);
        client.assert_silent();
        // The position takes effect.
        assert!(rank(client.go("go depth 1").last().unwrap()) >= 5);
    }
}

/// A count is no search: it waits for the end of an endless one, and a `stop` for that search leaves it.
#[test]
fn a_count_after_an_endless_search_is_executed() {
    for count in ["perft 1", "go perft 1"] {
        let mut client = Client::uci();
        client.send_bytes(format!("position startpos\ngo infinite\n{count}\n").as_bytes());
        assert_eq!(client.pending().iter().find(|line| line.contains("ignored")), None);
        client.ask("stop", "bestmove");
        assert_eq!(client.until("Nodes").last().unwrap(), "Nodes searched: 44");
    }
}

#[test]
fn queued_commands_are_executed_before_commands_after_a_stop() {
    // The answer is found and held back when the stop arrives.
    let mut client = Client::uci();
    client.send("position fen 3k5/5R3/9/9/9/9/9/9/9/4K1R2 w");
    client.send("go infinite depth 1");
    client.assert_none("bestmove", Duration::from_millis(200));
    client.send_bytes(format!("{BLACK_TO_MOVE}\nstop\ngo depth 1\n").as_bytes());
    assert!(client.until("bestmove").last().unwrap().starts_with("bestmove g0g9"));
    assert!(rank(client.until("bestmove").last().unwrap()) >= 5);
}

/// Memory of a process in KiB; none if the system does not report it.
fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn a_flood_of_commands_takes_bounded_memory() {
    let mut client = Client::uci();
    client.send("go infinite");
    client.pending();
    let Some(before) = memory(client.id()) else {
        return eprintln!("skipped: this system has no /proc");
    };
    let line = format!("position startpos moves{}\n", " h2e2 h9g7 h0g2 i9h9".repeat(25));
    let lines = line.repeat(1000);
    // 40 MB.
    for _ in 0..80 {
        client.send_bytes(lines.as_bytes());
    }
    let said = client.pending();
    let warnings = said.iter().filter(|line| line.contains("too many commands wait")).count();
    assert_eq!(warnings, 1, "{said:?}");
    let after = memory(client.id()).unwrap();
    assert!(after < before + (100 << 10), "{before} KiB became {after} KiB");
    client.ask("stop", "bestmove");
    client.pending();
    client.send("position startpos");
    assert!(rank(client.go("go depth 1").last().unwrap()) <= 4);
}

#[test]
fn a_long_queue_of_searches_loses_nothing() {
    // More than the engine queues: the rest waits in the pipe.
    const COUNT: usize = 60_000;
    let mut client = Client::uci();
    client.send("setoption name Notation value off");
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w");
    client.send("go movetime 300");
    client.send_bytes(&b"go depth 1\n".repeat(COUNT));
    for _ in 0..=COUNT {
        client.until("bestmove");
    }
    client.assert_silent();
}
