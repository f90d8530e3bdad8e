//! Options of clients that were written for other engines: ranks from 1, the log, draw rules, unknown names, and the behaviour of
//! XiangQi Wizard 3.12.

use super::bad_input::{both, fen};
use engine_tests::client::{Client, PATIENCE, pv, value};
use std::time::Duration;

#[test]
fn ranks_from_one_are_read_in_lists_of_moves() {
    let mut client = Client::uci();
    for (from_one, from_zero) in [
        ("h3e3", "h2e2"),
        ("h3e3 h10g8 h1g3 i10h10", "h2e2 h9g7 h0g2 i9h9"),
        ("c4c5 H8E8", "c3c4 h7e7"),
        ("a1a2 a10a9 a2a1", "a0a1 a9a8 a1a0"),
    ] {
        client.send(&format!("position startpos moves {from_zero}"));
        let expected = fen(&mut client);
        client.pending();
        client.send(&format!("position startpos moves {from_one}"));
        assert_eq!(fen(&mut client), expected, "{from_one}");
        assert!(!client.transcript().contains("not legal"), "{}", client.transcript());
    }
    // A wrong move stays an error: the list is not legal in either numbering.
    let mut client = Client::uci();
    client.send("position startpos moves h2e2 h10g8");
    assert!(client.pending()[0].starts_with("info string move 1 of the list: 'h2e2' is not legal"));
    client.send("position startpos moves h2e2 h8e8");
    assert!(client.pending()[0].starts_with("info string move 2 of the list: 'h8e8' is not legal"));
}

#[test]
fn an_ambiguous_list_is_read_as_a_whole() {
    let mut client = Client::uci();
    // Two rooks on one file: the list is legal in both numberings.
    let start = "position fen 3k5/9/9/9/9/9/9/R8/R8/4K4 w - - 0 1 moves";
    let mut board = |moves: &str| {
        client.send(&format!("{start} {moves}"));
        let line = fen(&mut client);
        line.split(' ').nth(1).unwrap().to_string()
    };
    let (lower, upper) = ("3k5/9/9/9/9/9/9/R8/1R7/4K4", "3k5/9/9/9/9/9/9/1R7/R8/4K4");
    assert_eq!(board("a2b2"), upper);
    assert_eq!(board("a2b2 d10d9 b2a2 d9d10"), "3k5/9/9/9/9/9/9/R8/R8/4K4");
    // A client that has used rank 10 counts from 1.
    assert_eq!(board("a2b2"), lower);
    client.send("setoption name Ranks value 0-9");
    client.send(&format!("{start} a2b2"));
    assert!(fen(&mut client).contains(upper));
    client.send("setoption name Ranks value 1-10");
    client.send(&format!("{start} a2b2"));
    assert!(fen(&mut client).contains(lower));
}

#[test]
fn ranks_from_one_are_read_at_the_root() {
    let mut client = Client::uci();
    assert_eq!(client.best("go depth 2 searchmoves h3e3"), "h2e2");
    let best = client.best("go depth 2 searchmoves h3h10 a1a2 a0a1");
    assert!(["h2h9", "a0a1"].contains(&best.as_str()), "{best}");
    let mut client = Client::ucci();
    client.send("position fen 3k5/9/8R/8r/9/9/4P4/9/9/4K4 w - - 0 1");
    assert_eq!(client.best("go depth 3"), "i7i6");
    client.send("banmoves i8i7");
    assert_ne!(client.best("go depth 3"), "i7i6");
}

#[test]
fn the_numbering_of_earlier_lists_decides_at_the_root() {
    let mut client = Client::uci();
    // The rook stands below the cannon; `h2g2` is legal in both numberings.
    client.send("position startpos moves i1i2 a7a6 i2h2 a6a5");
    assert_eq!(client.best("go depth 2 searchmoves h2g2"), "h1g1");
    client.send("position startpos moves i0i1 a6a5 i1h1 a5a4");
    assert_eq!(client.best("go depth 2 searchmoves h2g2"), "h2g2");
}

#[test]
fn an_option_writes_ranks_from_one() {
    let mut client = Client::uci();
    client.send("setoption name Ranks value 1-10");
    client.send("position startpos moves h3e3");
    let lines = client.go("go depth 5 searchmoves h10g8");
    let answer: Vec<&str> = lines.last().unwrap().split(' ').collect();
    assert_eq!(answer[..2], ["bestmove", "h10g8"]);
    let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
    assert_eq!(pv(line)[0], "h10g8");
    if let Some(reply) = answer.get(3) {
        assert_eq!(pv(line)[1], *reply);
    }
    // The output can be sent back.
    client.send(&format!("position startpos moves h3e3 {}", pv(line).join(" ")));
    client.assert_silent();
    client.send("position startpos");
    let counts = client.ask("go perft 1", "Nodes");
    assert!(counts.contains(&"h3h10: 1".to_string()) && !counts.iter().any(|line| line.starts_with("h2")), "{counts:?}");
    client.go("go depth 6");
    let known = client.ask("probe startpos", "pophash").pop().unwrap();
    assert!(value(&known, "bestmove").is_some_and(|mv| !mv.contains('0') || mv.contains("10")), "{known}");
}

#[test]
fn the_conversation_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("对话.log");
    std::fs::write(&path, "before\n").unwrap();
    let mut client = Client::uci();
    client.send(&format!("setoption name Debug Log File value {}", path.display()));
    client.send("position startpos");
    let last = client.go("go depth 2").pop().unwrap();
    client.send("isready");
    client.until("readyok");
    let text = std::fs::read_to_string(&path).unwrap();
    let expected = ["before", ">> position startpos", ">> go depth 2", &format!("<< {last}"), ">> isready", "<< readyok"];
    let lines: Vec<&str> = text.lines().collect();
    let mut rest = lines.iter();
    assert!(expected.iter().all(|line| rest.any(|own| own == line)), "{text}");
    assert!(text.lines().skip(1).all(|line| line.starts_with("<< ") || line.starts_with(">> ")), "{text}");
    // An empty value ends the log, and so does a file that cannot be written.
    for other in ["<empty>".to_string(), folder.path().join("nowhere/log").display().to_string()] {
        client.send(&format!("setoption name Debug Log File value {}", path.display()));
        client.send(&format!("setoption name Debug Log File value {other}"));
        client.send("position startpos moves h2e2");
        client.pending();
        assert!(!std::fs::read_to_string(&path).unwrap().contains("h2e2"), "{other}");
    }
    client.assert_silent();
}

#[test]
fn a_log_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_path_buf(), folder.path().join("nowhere/log"), "/dev/full".into()] {
        if path.starts_with("/dev") && !path.exists() {
            continue;
        }
        let mut client = Client::uci();
        client.send(&format!("setoption name Debug Log File value {}", path.display()));
        let lines = client.pending();
        assert!(lines.len() == 1 && lines[0].starts_with("info string Debug Log File: "), "{lines:?}");
        client.go("go depth 1");
    }
}

#[test]
fn names_with_blanks_are_understood_without_the_word_name() {
    for (mut client, prefix) in both() {
        client.send("setoption Repetition Rule Simple");
        client.send("setoption multi pv 2");
        client.assert_silent();
        assert!(client.go("go depth 2").iter().any(|line| line.contains(" multipv 2 ")), "{}", client.transcript());
        client.send("setoption repetition rule x");
        assert_eq!(client.pending(), [format!("{prefix}Repetition Rule: 'x' is not known, Simple is in force")]);
    }
}

#[test]
fn options_without_effect_are_answered() {
    for (mut client, prefix) in both() {
        client.send("setoption name NumaPolicy value hardware");
        let lines = client.pending();
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("{prefix}NumaPolicy has no effect")), "{lines:?}");
    }
}

/// With the option `nodestime` a game has the same searches on every machine, and its time runs out by their nodes.
#[test]
fn nodes_count_as_time() {
    let nodes_of_game = || {
        let mut client = Client::uci();
        client.send("setoption name nodestime value 10");
        client.send("setoption name Move Overhead value 0");
        client.send("ucinewgame");
        let moves = ["", " moves h2e2 h9g7", " moves h2e2 h9g7 h0g2 i9h9", " moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"];
        let mut nodes = Vec::new();
        for line in moves.into_iter().cycle().take(40) {
            client.send(&format!("position startpos{line}"));
            let lines = client.go("go wtime 1000 btime 1000 winc 0 binc 0");
            let last = lines.iter().rev().find_map(|line| line.split_once(" nodes ")).expect("a line");
            nodes.push(last.1.split(' ').next().and_then(|word| word.parse::<u64>().ok()).expect("a number"));
        }
        nodes
    };
    let nodes = nodes_of_game();
    assert_eq!(nodes, nodes_of_game());
    assert!(nodes[0] > 100 && nodes[0] < 6_000 && nodes.iter().sum::<u64>() < 12_000, "{nodes:?}");
    assert!(nodes[39] < nodes[0], "{nodes:?}");
}

#[test]
fn unknown_rules_are_answered_with_those_in_force() {
    for (mut client, prefix) in both() {
        for (set, name, kept) in [
            ("", "SkyRule", "World"),
            ("ChineseRule", "YitianRule", "Chinese"),
            ("AllowChase", "ComputerRule", "Simple"),
            ("NoJudgement", "Whatever", "AlwaysDraw"),
            ("AsianRule", "", "World"),
        ] {
            if !set.is_empty() {
                client.send(&format!("setoption name Repetition Rule value {set}"));
            }
            client.assert_silent();
            client.send(&format!("setoption name Repetition Rule value {name}"));
            assert_eq!(client.pending(), [format!("{prefix}Repetition Rule: '{name}' is not known, {kept} is in force")]);
        }
        client.send("setoption name Draw Rule value DrawAsGreenWin");
        assert_eq!(client.pending(), [format!("{prefix}Draw Rule: 'DrawAsGreenWin' is not known, None is in force")]);
    }
}

/// The engine's message about a finished game, if any.
fn verdict(client: &mut Client, position: &str) -> Option<String> {
    client.send(position);
    client.go("go depth 1").into_iter().find_map(|line| Some(line.split_once("the game is over, ")?.1.to_string()))
}

#[test]
fn every_repetition_is_a_draw_with_always_draw() {
    let check = format!("position fen 5k3/7R1/9/9/9/9/9/9/9/4K4 w - - 0 1 moves{}", " h8h9 f9f8 h9h8 f8f9".repeat(2));
    for (line, expected) in [
        ("setoption repetition asianrule", "Red loses: rule: perpetual check loses (World Xiangqi Rules, diagrams D1-D3)"),
        ("setoption repetition chineserule", "Red loses: rule: perpetual check loses"),
        ("setoption repetition checkban", "Red loses: rule: perpetual check loses"),
        ("setoption repetition alwaysdraw", "draw: rule: every repetition is a draw"),
    ] {
        let mut client = Client::ucci();
        client.send(line);
        assert_eq!(verdict(&mut client, &check).as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn a_line_ends_where_the_natural_limit_draws() {
    // In an endgame table Red wins, but the limit comes after two plies.
    let mut client = Client::uci();
    client.send("position fen 9/4a4/5k3/9/9/1R7/9/3K5/9/9 b - - 118 60");
    let lines = client.go("go depth 5");
    let (_, pv) = lines.iter().rfind(|line| line.contains(" pv ")).unwrap().split_once(" pv ").unwrap();
    assert_eq!(pv.split(' ').count(), 2, "{pv}");
}

#[test]
fn other_rules_clear_the_table() {
    let mut client = Client::uci();
    for (option, is_cleared) in [
        ("Repetition Rule value Simple", true),
        ("Repetition Rule value Simple", false),
        ("Draw Rule value DrawAsRedWin", true),
        ("Sixty Move Rule value false", true),
        ("MultiPV value 2", false),
    ] {
        client.go("go depth 5");
        client.send(&format!("setoption name {option}"));
        client.pending();
        assert_eq!(client.ask("probe startpos", "pophash") == ["pophash"], is_cleared, "{option}");
    }
}

#[test]
fn draws_are_counted_by_the_draw_rule() {
    let shuffle = format!("position fen 3k5/9/9/9/2b1p4/2B1P4/9/9/9/5K3 w - - 0 1 moves{}", " f0f1 d9d8 f1f0 d8d9".repeat(2));
    let limit = "position fen 3k5/9/9/9/2b1p4/2B1P4/9/9/9/5K3 w - - 120 90";
    for (rule, repeated, natural) in [
        ("None", "draw", "draw"),
        ("DrawAsBlackWin", "Red loses", "Red loses"),
        ("DrawAsRedWin", "Black loses", "Black loses"),
        ("DrawRepAsBlackWin", "Red loses", "draw"),
        ("DrawRepAsRedWin", "Black loses", "draw"),
    ] {
        let mut client = Client::uci();
        client.send(&format!("setoption name Draw Rule value {rule}"));
        client.assert_silent();
        for (position, expected) in [(&shuffle[..], repeated), (limit, natural)] {
            let ruling = verdict(&mut client, position).unwrap();
            assert!(ruling.starts_with(&format!("{expected}: ")), "{rule}: {ruling}");
        }
        assert_eq!(client.transcript().contains(&format!("draws count by Draw Rule {rule}")), rule != "None");
        // The search applies it too: a dead draw is won for one side and lost for the other.
        client.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
        let lines = client.go("go depth 4");
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        let sign = if line.contains(" score cp ") { value(line, "cp") } else { value(line, "mate") };
        let score: i32 = sign.unwrap().parse().unwrap();
        let expected = match rule {
            "DrawAsBlackWin" => -1,
            "DrawAsRedWin" => 1,
            _ => 0,
        };
        assert_eq!(if line.contains(" cp ") && score.abs() < 1000 { 0 } else { score.signum() }, expected, "{rule}: {line}");
        // So is a draw that only an endgame table knows, where the rule is not about repetitions.
        client.send("position fen 2bak4/4a4/4b4/9/9/9/9/9/R8/4K4 w - - 0 1");
        let lines = client.go("go depth 4");
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        let won = value(line, "cp").unwrap().parse::<i32>().unwrap() / 10_000;
        assert_eq!(won.signum(), expected, "{rule}: {line}");
    }
}

#[test]
fn a_natural_limit_of_two_hundred_plies_is_kept() {
    for (limit, clock, is_over) in [("160", 150, false), ("200", 199, false), ("200", 200, true), ("160", 160, true)] {
        let mut client = Client::ucci();
        client.send(&format!("setoption drawmoves {limit}"));
        let position = format!("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - {clock} 100");
        assert_eq!(verdict(&mut client, &position).is_some(), is_over, "{limit} at {clock}");
    }
}

#[test]
fn large_numbers_of_threads_and_tables_are_announced() {
    let mut client = Client::start();
    let lines = client.ask("uci", "uciok");
    for line in
        ["option name Threads type spin default 1 min 1 max 1024", "option name Hash type spin default 16 min 1 max 1048576"]
    {
        assert!(lines.iter().any(|own| own == line), "{line}: {lines:?}");
    }
}

#[test]
fn debug_reports_unknown_commands() {
    for (on, off) in [("debug on", "debug off"), ("setoption debug true", "setoption debug false")] {
        for (mut client, prefix) in both() {
            client.send(on);
            client.send("xyzzy plugh");
            client.send("setoption guinea pig");
            client.send("setoption name Hash value much");
            let lines = client.pending();
            let expected = [
                "unknown command 'xyzzy'",
                "there is no option 'guinea'",
                "option Hash: expected a number from 1 to 1048576, or 0",
            ];
            assert_eq!(lines, expected.map(|line| format!("{prefix}{line}")));
            client.send("position startpos");
            for (go, expected) in [
                ("depth 1 plugh", "go: 'plugh' is unknown"),
                ("depth 1 nodes 1e4", "go: '1e4' after nodes is not a number"),
                ("depth 1 nodes", "go: nodes needs a number"),
                ("depth 1 searchmoves a0a1 a0a9", "searchmoves: 1 of 2 moves are not legal here and are ignored"),
            ] {
                let lines = client.go(&format!("go {go}"));
                assert!(lines.contains(&format!("{prefix}{expected}")), "{go}: {lines:?}");
            }
            client.send(off);
            assert!(client.go("go depth 1 plugh").iter().all(|line| !line.contains("plugh")));
            client.send("xyzzy");
            client.assert_silent();
        }
    }
    let mut client = Client::start();
    assert!(client.ask("ucci", "ucciok").contains(&"option debug type check default false".to_string()));
}

/// The lines that XiangQi Wizard would show, decoded from its encoding.
fn messages_to_xiangqi_wizard(client: &mut Client, go: &str) -> Vec<String> {
    client.send(go);
    let mut messages = Vec::new();
    loop {
        let line = client.next_bytes(PATIENCE).expect("an answer").1;
        if line.starts_with(b"bestmove") {
            return messages;
        }
        if let Some(message) = line.strip_prefix(b"info message ") {
            let (text, _, is_bad) = encoding_rs::GBK.decode(message);
            assert!(!is_bad, "{}", line.escape_ascii());
            messages.push(text.into_owned());
        }
    }
}

#[test]
fn xiangqi_wizard_is_recognised_by_its_options() {
    if cfg!(windows) {
        return eprintln!("skipped: the code page of Windows may be another one");
    }
    for option in ["pruning large", "knowledge small", "selectivity none", "guiname XQWizard"] {
        let mut client = Client::start();
        client.ask("ucci", "ucciok");
        client.send(&format!("setoption {option}\r"));
        client.send("setoption bookmode best");
        client.send("position startpos");
        // The opening and the move in the single message that it shows.
        assert_eq!(
            messages_to_xiangqi_wizard(&mut client, "go time 1000 movestogo 10"),
            ["开局库：炮二平五（中炮）"],
            "{option}"
        );
        client.send("setoption usebook false");
        assert!(messages_to_xiangqi_wizard(&mut client, "go depth 4").is_empty(), "{option}");
        client.send("position fen 9/9 w");
        let messages = messages_to_xiangqi_wizard(&mut client, "go depth 1");
        assert!(
            messages[0].starts_with("局面无效，保留原局面：") && messages[1].starts_with("上一position指令无效"),
            "{messages:?}"
        );
        client.send("setoption repetition chineserule");
        client.send(&format!("position fen 5k3/7R1/9/9/9/9/9/9/9/4K4 w - - 0 1 moves{}", " h8h9 f9f8 h9h8 f8f9".repeat(2)));
        assert_eq!(messages_to_xiangqi_wizard(&mut client, "go depth 1"), ["对局已结束，红方负：规则：单方长将，作负"]);
    }
    // Clients on other systems, where lines end in LF, send the options that UCCI defines.
    let mut client = Client::ucci();
    client.send("setoption pruning large");
    client.send("setoption knowledge large");
    assert!(client.go("go depth 2").iter().any(|line| line.starts_with("info message move ")));
    // In UCI the same options do not identify a client.
    let mut client = Client::uci();
    client.send("setoption name knowledge value large");
    assert!(client.go("go depth 2").iter().any(|line| line.starts_with("info string move ")));
}

#[test]
fn a_search_with_a_final_result_prints_one_line() {
    // Bare kings; a mate in one; a rook that must be captured, which leaves bare kings.
    for (fen, most) in
        [("3k5/9/9/9/9/9/9/9/9/4K4 w", 1), ("3k5/5R3/9/9/9/9/9/9/9/4K1R2 w", 1), ("4kR3/9/9/9/9/9/9/9/9/3K5 b", 20)]
    {
        let mut client = Client::ucci();
        client.send(&format!("position fen {fen}"));
        client.send("go infinite");
        let mut lines = 0;
        while let Some(line) = client.next_line(Duration::from_millis(400)) {
            lines += line.contains(" pv ") as usize;
        }
        let rest = client.ask("stop", "bestmove");
        lines += rest.iter().filter(|line| line.contains(" pv ")).count();
        assert!((1..=most).contains(&lines), "{fen}: {lines} lines");
    }
}

#[test]
fn repeated_blocks_of_lines_are_not_written_at_once() {
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 3");
    client.send("position fen 4ka3/4a4/9/9/9/2p6/9/9/4p4/3K5 b");
    let lines = client.go("go depth 100");
    let lines: Vec<&String> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    let content =
        |line: &str| [value(line, "mate"), value(line, "cp")].map(|score| (score.map(str::to_string), pv(line).join(" ")));
    let time = |line: &str| value(line, "time").unwrap().parse::<u32>().unwrap();
    let size = lines.iter().map(|line| value(line, "multipv").unwrap().parse::<usize>().unwrap()).max().unwrap();
    let blocks: Vec<&[&String]> = lines.chunks(size).collect();
    assert!(blocks.iter().all(|block| block.len() == size), "{lines:#?}");
    // The last block is written in any case.
    for pair in blocks[..blocks.len() - 1].windows(2) {
        let is_same = pair[0].iter().zip(pair[1]).all(|(first, second)| content(first) == content(second));
        assert!(!is_same || time(pair[1][0]) >= time(pair[0][0]) + 500, "{pair:#?}");
    }
    assert_eq!(value(blocks[blocks.len() - 1][0], "depth"), Some("100"));
}

#[test]
fn the_last_line_is_that_of_the_last_iteration() {
    let mut client = Client::uci();
    // With endgame tables every move has its exact result, and the first iteration is the last.
    client.send("setoption name Use Endgames value false");
    client.send("position fen 4kR3/9/9/9/9/9/9/9/9/3K5 b");
    let lines = client.go("go depth 40");
    let last = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
    assert_eq!(value(last, "depth"), Some("40"), "{lines:?}");
}
