//! Common rules of both protocols: lines, switching protocols, the end of input, positions.

use chuhe::board::Position;
use chuhe::types::Move;
use engine_tests::client::{Client, PATIENCE, value};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn assert_legal(fen: &str, text: &str) {
    let position = Position::from_fen(fen).expect("the test's FEN is good");
    let mv = Move::from_uci(text).expect("the answer is a move");
    assert!(position.board().is_legal(mv), "{text} in {fen}");
}

#[test]
fn there_is_no_output_before_the_handshake() {
    let mut client = Client::start();
    assert_eq!(client.next_line(Duration::from_millis(200)), None);
}

#[test]
fn carriage_returns_and_any_blanks_are_accepted() {
    let mut client = Client::start();
    client.send_bytes(b"  \tuci\r\n");
    client.until("uciok");
    client.send_bytes(b"\r\n\n   \n \t isready \t \r\n");
    client.until("readyok");
    client.send_bytes(b"position\tstartpos   moves  h2e2\t h9g7 \r\ngo   depth\t1\r\n");
    let answer = client.until("bestmove").pop().unwrap();
    assert_legal("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w", answer.split(' ').nth(1).unwrap());
}

#[test]
fn the_last_line_needs_no_line_feed() {
    let mut client = Client::start();
    client.send_bytes(b"ucci");
    client.close_input();
    let (status, lines) = client.wait(PATIENCE);
    assert!(status.success());
    assert!(lines.contains(&"ucciok".to_string()));
}

#[test]
fn nothing_goes_to_stderr_without_being_asked() {
    let mut client = Client::uci();
    client.send("position fen nonsense");
    client.send("setoption name Hash value nonsense");
    client.go("go depth 3");
    assert_eq!(client.finish(), "");
}

#[test]
fn a_log_goes_to_stderr_when_asked_for() {
    let mut client = Client::start_with(|command| {
        command.env("RUST_LOG", "debug");
    });
    let lines = client.ask("uci", "uciok");
    assert!(lines.iter().all(|line| ["id", "option", "uciok"].contains(&line.split(' ').next().unwrap())), "{lines:?}");
    assert!(client.finish().contains("uci"));
}

#[test]
fn a_later_handshake_switches_the_dialect() {
    let mut client = Client::ucci();
    client.ask("uci", "uciok");
    assert!(client.go("go depth 2").iter().any(|line| line.contains(" score cp ")));
    client.ask("ucci", "ucciok");
    let lines = client.go("go depth 2");
    assert!(lines.iter().all(|line| !line.contains(" cp ")), "{lines:?}");
}

#[test]
fn a_second_handshake_is_repeated_in_full() {
    for (greeting, end) in [("uci", "uciok"), ("ucci", "ucciok")] {
        let mut client = Client::start();
        let first = client.ask(greeting, end);
        assert_eq!(client.ask(greeting, end), first);
    }
}

#[test]
fn ucci_mode_understands_uci_words() {
    let mut client = Client::ucci();
    client.send("setoption name Hash value 8");
    client.send("setoption name Threads value 2");
    client.send("setoption name MultiPV value 2");
    client.send("ucinewgame");
    client.assert_silent();
    assert!(client.go("go movetime 50").iter().any(|line| line.contains(" multipv 2 ")));
    client.go("go wtime 500 btime 500 winc 0 binc 0");
}

#[test]
fn uci_mode_understands_ucci_words() {
    let mut client = Client::uci();
    client.send("setoption hashsize 8");
    client.send("setoption newgame");
    client.assert_silent();
    client.go("go time 100 increment 0 opptime 5");
    let moves: Vec<String> = Position::startpos().board().legal_moves().iter().map(Move::to_string).collect();
    client.send("position startpos");
    client.send(&format!("banmoves {}", moves[1..].join(" ")));
    assert_eq!(client.best("go depth 3"), moves[0]);
}

#[test]
fn end_of_input_ends_the_process_in_every_state() {
    for before in [&[][..], &["uci"], &["ucci"], &["uci", "go infinite"], &["ucci", "go time 100000"], &["uci", "go perft 9"]] {
        let mut client = Client::start();
        before.iter().for_each(|line| client.send(line));
        client.pending();
        client.close_input();
        assert!(client.wait(5 * SECOND).0.success(), "{before:?}");
    }
}

#[test]
fn a_client_that_stops_reading_and_goes_ends_the_process() {
    let mut child = std::process::Command::new(engine_tests::chuhe())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"uci\ngo infinite\n").unwrap();
    // The client reads a line and closes the output; the input stays open.
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    let end = std::time::Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(std::time::Instant::now() < end, "still running");
        // Causes output, so that the closed pipe is noticed.
        let _ = stdin.write_all(b"isready\n");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_conversation_of_xiangqi_tui() {
    // UCI's commands in both protocols, a stop before every position, and waiting only for the answer.
    for (mut client, dialect) in [(Client::uci(), "uci"), (Client::ucci(), "ucci")] {
        for option in [
            "Threads value 4",
            "Hash value 128",
            "Repetition Rule value AsianRule",
            "Draw Rule value None",
            "Skill Level value 20",
        ] {
            client.send(&format!("setoption name {option}"));
        }
        client.ask("isready", "readyok");
        for fen in
            ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "3k5/5R3/9/9/9/9/9/9/9/4K1R2 w - - 0 1"]
        {
            client.send("stop");
            client.send("setoption name MultiPV value 1");
            client.send(&format!("position fen {fen}"));
            let lines = client.go("go movetime 50");
            assert_eq!(
                lines.iter().filter(|line| line.starts_with("nobestmove")).count(),
                (dialect == "ucci") as usize,
                "{lines:?}"
            );
            assert_legal(fen, value(lines.last().unwrap(), "bestmove").unwrap());
            let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
            assert_eq!(value(line, "pv"), value(lines.last().unwrap(), "bestmove"));
        }
        client.assert_silent();
    }
}

#[test]
fn moves_are_read_in_either_case_and_written_in_lower_case() {
    let mut client = Client::uci();
    client.send("position startpos moves H2E2 h9G7");
    client.assert_silent();
    let best = client.best("go searchmoves H0G2 depth 2");
    assert_eq!(best, "h0g2");
}

#[test]
fn fen_letters_sides_and_missing_fields() {
    let expected = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for fen in [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w x y z q",
    ] {
        let mut client = Client::uci();
        client.send(&format!("position fen {fen}"));
        let lines = client.ask("d", "Fen:");
        assert_eq!(lines.last().unwrap(), &format!("Fen: {expected}"), "{fen}");
    }
}

#[test]
fn a_move_is_given_in_positions_that_are_over_by_the_rules() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -";
    let cases = [
        // Repeated four times.
        format!("{start} 0 1 moves a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9"),
        // Far beyond the natural limit.
        format!("{start} 240 130"),
        format!("{start} 99999999999999999999 1"),
        // Nothing can cross the river.
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1".to_string(),
    ];
    for case in cases {
        for mut client in [Client::ucci(), Client::uci()] {
            client.send(&format!("position fen {case}"));
            let lines = client.go("go depth 4");
            let is_reported = lines.iter().any(|line| line.contains("the game is over"));
            assert!(is_reported || case.contains("999"), "{lines:?}");
            assert_eq!(lines.iter().filter(|line| line.contains("bestmove")).count(), 1);
            assert_legal(case.split(" moves").next().unwrap(), lines.last().unwrap().split(' ').nth(1).unwrap());
        }
    }
}

#[test]
fn five_thousand_moves_are_just_a_line() {
    let mut client = Client::ucci();
    let moves = ["a0a1", "a9a8", "a1a0", "a8a9"].iter().cycle().take(5000).copied().collect::<Vec<_>>().join(" ");
    client.send(&format!("position startpos moves {moves}"));
    let (_, at) = {
        let before = std::time::Instant::now();
        client.send("isready");
        let (lines, at) = client.until_within("readyok", PATIENCE);
        (lines, at - before)
    };
    assert!(at < 5 * SECOND, "{at:?}");
    assert_legal("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", &client.best("go depth 3"));
}

#[test]
fn lines_are_never_too_long_nor_end_in_blanks() {
    // The client checks every line; these are the longest ones.
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 5");
    client.send("setoption name UCI_ShowWDL value true");
    client.send("setoption name Notation value chinese");
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    client.go("go depth 60 movetime 500");
    client.send(&format!("position fen {}", "x".repeat(5000)));
    client.send(&format!("position startpos moves {}", "y".repeat(5000)));
    assert!(!client.pending().is_empty());
}

#[test]
fn best_moves_and_lines_are_written_in_chinese_notation() {
    for (greeting, end, prefix) in [("uci", "uciok", "info string"), ("ucci", "ucciok", "info message")] {
        for (system, answer, letters) in
            [("wxr", "H2+3", true), ("wxf", "H2+3", true), ("chinese", "馬二進三", false), ("simplified", "马二进三", false)]
        {
            let mut client = Client::start();
            client.ask(greeting, end);
            client.send(&format!(
                "setoption {}notation{} {system}",
                ["", "name "][(greeting == "uci") as usize],
                ["", " value"][(greeting == "uci") as usize]
            ));
            if greeting == "ucci" {
                // The default on Windows would be the code page.
                client.send("setoption encoding UTF-8");
            }
            client.send("position startpos");
            let lines = client.go("go depth 3 searchmoves h0g2");
            assert!(
                lines.contains(&format!("{prefix} line 1 {answer}"))
                    || lines.iter().any(|line| line.starts_with(&format!("{prefix} line 1 {answer} "))),
                "{lines:?}"
            );
            assert!(lines.iter().any(|line| line.starts_with(&format!("{prefix} move {answer}"))), "{lines:?}");
            assert!(!letters || lines.iter().all(|line| line.is_ascii()));
        }
    }
}

#[test]
fn notation_can_be_silenced() {
    let mut client = Client::uci();
    client.send("setoption name Notation value off");
    let lines = client.go("go depth 3");
    assert!(lines.iter().all(|line| !line.starts_with("info string")), "{lines:?}");
}

#[test]
fn characters_come_in_the_encoding_of_the_client() {
    let cases: [(&str, &str, &[u8]); 3] = [
        ("UTF-8", "simplified", "马二进三".as_bytes()),
        ("GBK", "simplified", b"\xc2\xed\xb6\xfe\xbd\xf8\xc8\xfd"),
        ("Big5", "chinese", b"\xb0\xa8\xa4\x47\xb6\x69\xa4\x54"),
    ];
    for (encoding, notation, bytes) in cases {
        let mut client = Client::ucci();
        client.send(&format!("setoption notation {notation}"));
        client.send(&format!("setoption encoding {encoding}"));
        client.send("go depth 1 searchmoves h0g2");
        let mut found = false;
        while let Some((_, line)) = client.next_bytes(PATIENCE) {
            found |= line.windows(bytes.len()).any(|part| part == bytes);
            if line.starts_with(b"bestmove") {
                break;
            }
        }
        assert!(found, "{encoding}");
    }
}

#[test]
fn the_environment_can_hold_a_list_of_files() {
    let mut client = Client::start_with(|command| {
        command.env("CHUHE_OPTIONS", "Book File=nowhere/a.dat; nowhere/b.dat;Hash=8;nonsense;OwnBook=true");
    });
    client.ask("uci", "uciok");
    let mut lines = client.ask("isready", "readyok");
    lines.extend(client.go("go nodes 1"));
    for (part, count) in [("CHUHE_OPTIONS", 1), ("there is no option 'nonsense'", 1), ("nowhere/a.dat", 1), ("nowhere/b.dat", 1)]
    {
        assert_eq!(lines.iter().filter(|line| line.contains(part)).count(), count, "{part}: {lines:?}");
    }
}

#[test]
fn options_can_be_given_by_the_environment() {
    let mut client = Client::start_with(|command| {
        command.env("CHUHE_OPTIONS", "notation=simplified; Hash=8;nonsense;x=y;MultiPV=2");
    });
    client.ask("ucci", "ucciok");
    let lines = client.ask("isready", "readyok");
    assert!(lines.iter().any(|line| line.contains("CHUHE_OPTIONS: there is no option 'nonsense'")), "{lines:?}");
    // This client reads the code page of Windows.
    client.send("setoption guiname XQWizard");
    client.send("go depth 1 searchmoves h0g2 a0a1");
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &Vec<u8>| line.starts_with(b"bestmove")) {
        lines.push(client.next_bytes(PATIENCE).expect("an answer").1);
    }
    let horse = b"\xc2\xed\xb6\xfe\xbd\xf8\xc8\xfd";
    assert!(lines.iter().any(|line| line.windows(horse.len()).any(|part| part == horse)));
    assert!(lines.iter().any(|line| String::from_utf8_lossy(line).contains(" multipv 2 ")));
}

#[test]
fn idle_uses_no_processor_time() {
    let mut client = Client::uci();
    client.go("go depth 5");
    let ticks = |id: u32| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    let Some(before) = ticks(client.id()) else {
        return eprintln!("skipped: this system has no /proc");
    };
    std::thread::sleep(2 * SECOND);
    // A tick is 10 ms: below 1% of two seconds is two ticks.
    assert!(ticks(client.id()).unwrap() - before <= 2);
}
