//! Bad input: the program must not crash or hang, and must answer the next `isready`.

use engine_tests::client::{Client, PATIENCE};
use std::time::Duration;

pub(super) fn fen(client: &mut Client) -> String {
    client.ask("d", "Fen:").pop().unwrap()
}

/// Both protocols, with the prefix of message lines.
pub(super) fn both() -> [(Client, &'static str); 2] {
    [(Client::uci(), "info string "), (Client::ucci(), "info message ")]
}

#[test]
fn unknown_commands_and_noise_are_silent() {
    for (mut client, _) in both() {
        for line in ["", "hello", "stopp", "quitt", "STOP", "xboard", "protover 2", "ucix", "go_", "//", "position_ startpos"] {
            client.send(line);
        }
        client.assert_silent();
        client.go("go depth 1");
    }
}

#[test]
fn binary_noise() {
    for (mut client, _) in both() {
        client.send_bytes(b"\0\0\0\n\xff\xfe\xfd\n\xc3\x28 \x80\ngo\0 depth\n\x1b[2J\nuci\0\n");
        client.send_bytes(&(0..=255u8).filter(|&byte| byte != b'\n').collect::<Vec<u8>>());
        client.send_bytes(b"\n");
        client.assert_silent();
        client.go("go depth 1");
    }
}

#[test]
fn bad_options_are_silent_and_change_nothing() {
    for (mut client, _) in both() {
        for line in [
            "setoption",
            "setoption name",
            "setoption name Hash",
            "setoption name Hash value",
            "setoption name Hash value many",
            "setoption name Hash value 1.5",
            "setoption name value 5",
            "setoption name MultiPV value \u{7f}",
            "setoption hashsize",
            "setoption usemillisec perhaps",
            "setoption nonsense nonsense nonsense",
            "setoption name UCI_ShowWDL value 7",
        ] {
            client.send(line);
        }
        client.assert_silent();
        client.go("go depth 2");
    }
}

#[test]
fn numbers_out_of_range_are_clamped() {
    let mut client = Client::uci();
    for line in [
        "setoption name Hash value -1",
        "setoption name MultiPV value 0",
        "setoption name MultiPV value 99999999999999999999999999",
        "setoption name MultiPV value -5",
        "setoption name Move Overhead value 99999999",
        "setoption name Move Overhead value -1",
        "setoption name Threads value 0",
        "setoption name Threads value -3",
        "setoption name UCI_Elo value 1",
    ] {
        client.send(line);
    }
    client.assert_silent();
    client.go("go depth 3");
}

#[test]
fn a_hash_beyond_all_memory_does_not_end_the_process() {
    let mut client = Client::uci();
    client.send("setoption name Hash value 99999999999");
    let lines = client.pending();
    assert!(lines.iter().all(|line| line.starts_with("info string")), "{lines:?}");
    client.go("go depth 4");
    client.send("setoption name Hash value 16");
    client.go("go depth 4");
}

#[test]
fn bad_fens_keep_the_position_and_are_reported() {
    let bad = [
        "",
        "9",
        "9/9/9/9/9/9/9/9/9/9 w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNRR w",
        "xnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x",
        "rnbaaabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBKKABNR w",
        "4k4/9/9/9/4K4/9/9/9/9/9 w",
        "4k4/9/9/9/9/9/9/9/9/A3K4 w",
        "rrr1k4/9/9/9/9/9/9/9/9/4K4 w",
        "4k4/9/9/9/9/9/9/9/9/4K4 w",
        "\u{0}\u{ff}/9/9 w",
    ];
    for (mut client, prefix) in both() {
        client.send("position startpos moves h2e2");
        let before = fen(&mut client);
        client.pending();
        for text in bad {
            client.send(&format!("position fen {text}"));
            let lines = client.pending();
            assert!(lines.len() == 1 && lines[0].starts_with(prefix), "{text}: {lines:?}");
            assert_eq!(fen(&mut client), before, "{text}");
            client.pending();
        }
        // Every answer names its position, until a position is read.
        for _ in 0..2 {
            let lines = client.go("go depth 2");
            let best = lines.last().and_then(|line| line.split(' ').nth(1)).unwrap();
            assert!(best.as_bytes()[1] >= b'5', "an answer for another position: {best}");
            let fen = before.trim_start_matches("Fen: ");
            let said = format!("{prefix}the last position command was rejected or cut short: the answer is for {fen}");
            assert_eq!(lines.iter().filter(|line| **line == said).count(), 1, "{lines:?}");
        }
        client.send("position startpos");
        assert!(client.go("go depth 2").iter().all(|line| !line.contains("the answer is for")));
    }
}

#[test]
fn counters_that_are_no_numbers_count_as_missing() {
    for (mut client, _) in both() {
        for (fields, counters) in
            [("- - -1 -1", "0 1"), ("- - -1 9", "0 1"), ("- - 7 -1", "7 1"), ("- - 0.5 one", "0 1"), ("- - 0/60 3 moves", "0 1")]
        {
            client.send("position startpos");
            client.send(&format!("position fen 4k4/9/9/9/9/9/9/9/4A4/R3K4 b {fields}"));
            assert!(fen(&mut client).ends_with(&format!("R3K4 b - - {counters}")), "{fields}: {}", client.transcript());
        }
        client.pending();
        client.assert_silent();
    }
}

#[test]
fn an_illegal_move_ends_the_list() {
    for (mut client, prefix) in both() {
        for moves in ["h2e2 h9g7 h2h3 h0g2", "h2e2 h9g7 zz", "h2e2 h9g7 0000", "h2e2 h9g7 a0a1a2", "h2e2 h9g7 馬二進三"] {
            client.send(&format!("position startpos moves {moves}"));
            let lines = client.pending();
            assert!(lines.len() == 1 && lines[0].starts_with(prefix), "{moves}: {lines:?}");
            let now = fen(&mut client);
            assert!(now.contains("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w"), "{now}");
            client.pending();
            let said = format!("the answer is for {}", now.trim_start_matches("Fen: "));
            assert!(client.go("go depth 1").iter().any(|line| line.ends_with(&said)), "{moves}: {}", client.transcript());
        }
    }
}

#[test]
fn moves_without_the_word_moves_are_played_and_other_words_reported() {
    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    for (mut client, prefix) in both() {
        for place in ["startpos".to_string(), format!("fen {START} - - 0 1"), format!("fen {START}")] {
            client.send(&format!("position {place} h2e2 h9g7"));
            client.assert_silent();
            assert!(fen(&mut client).contains("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w"), "{place}");
            client.pending();
            for words in ["move h2e2", "- - 0 1 2 moves h2e2"] {
                client.send(&format!("position {place} {words}"));
                let lines = client.pending();
                assert!(lines.len() == 1 && lines[0].starts_with(prefix), "{place} {words}: {lines:?}");
                assert!(fen(&mut client).contains(START), "{place} {words}");
                client.pending();
                let said = |line: &String| line.contains("the answer is for ");
                assert!(client.go("go depth 1").iter().any(said), "{place} {words}");
            }
        }
    }
}

#[test]
fn an_empty_moves_list_is_ignored() {
    for (mut client, _) in both() {
        client.send("position startpos moves");
        client.send("position startpos moves ");
        client.send("banmoves");
        client.assert_silent();
        client.go("go searchmoves depth 1");
    }
}

#[test]
fn bad_numbers_of_go_count_as_absent() {
    for (mut client, _) in both() {
        for line in
            ["go depth x", "go nodes", "go movetime abc", "go wtime", "go time x increment 5", "go depth 1e3", "go mate q"]
        {
            client.send(line);
            client.assert_none("bestmove", Duration::from_millis(120));
            client.ask("stop", "bestmove");
        }
        client.go("go movetime 20.0");
        client.go("go depth x nodes 100");
        client.go("go nodes depth 1");
        client.assert_silent();
    }
}

#[test]
fn huge_and_negative_numbers_of_go() {
    for (mut client, _) in both() {
        for line in [
            "go depth -3",
            "go nodes -1",
            "go nodes 0",
            "go movetime -1",
            "go time -99999999999999999999",
            "go wtime -1 btime -1",
        ] {
            client.go(line);
        }
        for line in [
            "go depth 99999999999999999999",
            "go nodes 99999999999999999999",
            "go time 99999999999999999999",
            "go movetime 9223372036854775807",
        ] {
            client.send(line);
            client.assert_none("bestmove", Duration::from_millis(100));
            client.ask("stop", "bestmove");
        }
    }
}

#[test]
fn a_megabyte_is_just_a_line() {
    for (mut client, _) in both() {
        for start in ["", "go depth 1 ", "position startpos moves ", "setoption name Hash value ", "position fen ", "banmoves "] {
            let mut line = start.as_bytes().to_vec();
            line.resize(1 << 20, b'x');
            line.push(b'\n');
            client.send_bytes(&line);
            client.send("isready");
            let lines = client.until("readyok");
            // The answer may come before or after `readyok`.
            if start.starts_with("go") && !lines.iter().any(|line| line.starts_with("bestmove")) {
                client.until("bestmove");
            }
        }
        client.go("go depth 1");
    }
}

#[test]
fn many_empty_lines() {
    let mut client = Client::uci();
    client.send_bytes(&b"\n".repeat(100_000));
    client.assert_silent();
}

#[test]
fn stop_twice_is_one_answer() {
    for (mut client, _) in both() {
        client.send_bytes(b"go infinite\n");
        client.pending();
        client.send_bytes(b"stop\n");
        client.until("bestmove");
        client.pending();
        let mut client = Client::uci();
        client.send_bytes(b"go infinite\nstop\nstop\nstop\n");
        client.until("bestmove");
        client.assert_silent();
    }
}

#[test]
fn go_while_thinking_is_ignored() {
    for (mut client, _) in both() {
        client.send("go infinite");
        client.send("go depth 1");
        client.send("go infinite");
        client.assert_none("bestmove", Duration::from_millis(200));
        client.ask("stop", "bestmove");
        client.assert_silent();
    }
}

#[test]
fn a_handshake_while_thinking_is_answered() {
    for (greeting, end) in [("uci", "uciok"), ("ucci", "ucciok")] {
        let mut client = Client::start();
        client.ask(greeting, end);
        client.send("go infinite");
        client.ask(greeting, end);
        client.ask("stop", "bestmove");
    }
}

#[test]
fn everything_before_the_handshake() {
    let mut client = Client::start();
    client.send_bytes(b"position fen x\nstop\nponderhit\nsetoption x y\nbanmoves a\nprobe\n");
    client.ask("ucci", "ucciok");
    client.pending();
    client.go("go depth 1");
}

#[test]
fn quit_in_the_middle_of_everything() {
    for before in [
        "go infinite",
        "go perft 9",
        "bench 12",
        "setoption name Hash value 256",
        "go depth 50\nsetoption name Hash value 64\nposition startpos\nstop\ngo infinite",
    ] {
        let mut client = Client::uci();
        client.send(before);
        client.send("quit");
        assert!(client.wait(PATIENCE).0.success(), "{before}");
    }
}

/// Lines of known words in random order and garbage: the program must still answer at the end, and every `bestmove`
/// must belong to a `go`.
#[test]
fn random_conversations() {
    let words: Vec<&str> = "uci ucci isready setoption name value Hash 4 Threads 2 MultiPV 3 on off usemillisec false position startpos \
        fen 3k5/9/9/9/9/9/9/9/9/4K4 w b moves h2e2 h9g7 a0a1 banmoves go depth 2 nodes 100 movetime 5 time 10 increment 0 infinite \
        ponder draw searchmoves mate 1 perft 2 stop ponderhit probe d eval flip ucinewgame debug -1 99999999999999999999 xyzzy"
        .split_whitespace()
        .collect();
    let mut rng = 2026u64;
    let mut roll = |limit: usize| {
        rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (rng >> 33) as usize % limit
    };
    for _ in 0..12 {
        let mut client = Client::start();
        let mut goes = 0;
        for _ in 0..300 {
            let first = ["go", "go", "stop", "position", "setoption", "ponderhit", "probe", words[roll(words.len())]][roll(8)];
            // Except commands that end the process or legitimately take long.
            let line: Vec<&str> = std::iter::once(first).chain((0..roll(8)).map(|_| words[roll(words.len())])).collect();
            goes += line.iter().filter(|&&word| word == "go").count();
            client.send(&line.join(" "));
        }
        for _ in 0..400 {
            client.send("stop");
        }
        let lines = client.pending();
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert!(answers <= goes, "{answers} answers to {goes} questions");
        client.send("quit");
        assert!(client.wait(PATIENCE).0.success());
    }
}
