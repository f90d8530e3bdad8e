//! UCI for xiangqi, and the Cyclone dialect.

use chuhe::board::Position;
use chuhe::types::Move;
use engine_tests::client::{Client, PATIENCE, pv, value};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Red mates by g0g9.
const MATE_IN_ONE: &str = "3k5/5R3/9/9/9/9/9/9/9/4K1R2 w - - 0 1";
/// One rook controls a rank, the other mates.
const MATE_IN_TWO: &str = "4k4/9/9/9/9/9/9/R8/1R7/5K3 w - - 0 1";
const MATED: &str = "3k2R2/5R3/9/9/9/9/9/9/9/4K4 b - - 0 1";
const STALEMATED: &str = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";

fn infos(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.contains(" pv ")).collect()
}

#[test]
fn handshake() {
    let mut client = Client::start();
    let lines = client.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name chuhe"));
    assert!(lines[1].starts_with("id author "));
    for line in &lines[2..lines.len() - 1] {
        assert!(line.starts_with("option name ") && line.contains(" type "), "{line}");
    }
}

#[test]
fn announced_options() {
    let mut client = Client::start();
    let lines = client.ask("uci", "uciok");
    for start in [
        "option name Threads type spin default 1 min 1 ",
        "option name Hash type spin default 16 min 1 ",
        "option name MultiPV type spin default 1 min 1 ",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin ",
        "option name UCI_ShowWDL type check default false",
        "option name Repetition Rule type combo ",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {lines:?}");
    }
    assert!(lines.iter().all(|line| !line.contains("UCI_Chess960")));
    let variant = lines.iter().find(|line| line.contains("UCI_Variant"));
    assert!(variant.is_none_or(|line| line.contains(" var xiangqi")));
}

#[test]
fn options_of_all_clients_are_accepted() {
    let mut client = Client::uci();
    for line in [
        "setoption name Threads value 2",
        "setoption name hash value 8",
        "setoption name CLEAR HASH",
        "setoption name Move Overhead value 5",
        "setoption name nodestime value 0",
        "setoption name Slow Mover value 100",
        "setoption name Debug Log File value",
        "setoption name NumaPolicy value auto",
        "setoption name EvalFile value /nowhere/pikafish.nnue",
        "setoption name Skill Level value 20",
        "setoption name UCI_WDLCentipawn value true",
        "setoption name LU_Output value true",
        "setoption name ScoreType value Elo",
        "setoption name Sixty Move Rule value true",
        "setoption name Rule60MaxPly value 120",
        "setoption name Repetition Rule value AsianRule",
        "setoption name Draw Rule value None",
        "setoption name Mate Threat Depth value 0",
        "setoption name MaxCheckCount value 0",
        "setoption name Strict Three Fold value false",
        "setoption name UCI_Variant value xiangqi",
    ] {
        client.send(line);
    }
    let lines = client.pending();
    assert!(lines.iter().all(|line| line.starts_with("info string")), "{lines:?}");
    client.go("go depth 3");
}

#[test]
fn info_lines_follow_the_order_of_pikafish() {
    let mut client = Client::uci();
    let lines = client.go("go depth 6");
    assert!(!infos(&lines).is_empty());
    for line in infos(&lines) {
        let names = ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"];
        let places: Vec<Option<usize>> = names.iter().map(|name| line.find(&format!(" {name} "))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{line}");
        assert!(["cp", "mate"].contains(&value(line, "score").unwrap()), "{line}");
    }
}

#[test]
fn principal_variations_are_legal() {
    let mut client = Client::uci();
    client.send("position startpos moves b2e2 b9c7 b0c2 a9b9");
    let lines = client.go("go depth 8");
    for line in infos(&lines) {
        let mut position = Position::startpos();
        let start = ["b2e2", "b9c7", "b0c2", "a9b9"];
        for text in start.iter().copied().chain(pv(line)) {
            let mv = Move::from_uci(text).unwrap();
            assert!(position.board().is_legal(mv), "{text} in {line}");
            position.make(mv);
        }
    }
}

#[test]
fn the_answer_is_the_first_move_of_the_last_line() {
    let mut client = Client::uci();
    let lines = client.go("go depth 7");
    let last = infos(&lines).pop().unwrap();
    let mut answer = lines.last().unwrap().split(' ').skip(1);
    assert_eq!(answer.next(), pv(last).first().copied());
    if answer.next() == Some("ponder") {
        assert_eq!(answer.next(), pv(last).get(1).copied());
    }
}

/// The move and the reply to ponder on are those of the last line, wherever the limit interrupts the iteration.
#[test]
fn the_answer_is_the_start_of_the_last_line_of_an_unfinished_iteration() {
    for threads in [1, 2] {
        let mut client = Client::uci();
        client.send(&format!("setoption name Threads value {threads}"));
        for position in ["startpos", "startpos moves c3c4 b7e7 h2h3 e7d7 g0e2 h7f7"] {
            for nodes in (250..5000).step_by(250) {
                client.send("ucinewgame");
                client.send(&format!("position {position}"));
                let lines = client.go(&format!("go nodes {nodes}"));
                let line = pv(infos(&lines).pop().unwrap());
                let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
                assert_eq!((words[1], words.get(3)), (line[0], line.get(1)), "{threads} {position} {nodes}: {lines:#?}");
            }
        }
    }
}

#[test]
fn every_limit_ends_a_search() {
    let mut client = Client::uci();
    for line in [
        "go depth 3",
        "go nodes 1000",
        "go movetime 50",
        "go wtime 300 btime 300",
        "go btime 5000 wtime 100",
        "go wtime 100 btime 100 winc 10 binc 10 movestogo 5",
        "go btime 100",
        "go depth 60 movetime 50",
        "go depth 2 wtime 100000 btime 100000",
        "go nodes 100 infinite_ depth",
    ] {
        client.go(line);
    }
    client.assert_silent();
}

#[test]
fn the_depth_limit_is_exact() {
    let mut client = Client::uci();
    let lines = client.go("go depth 4");
    let depths: HashSet<&str> = infos(&lines).iter().filter_map(|line| value(line, "depth")).collect();
    assert!(depths.contains("4") && !depths.contains("5"), "{depths:?}");
}

#[test]
fn the_node_limit_is_approximate() {
    let mut client = Client::uci();
    let lines = client.go("go nodes 20000");
    let nodes: u64 = value(infos(&lines).last().unwrap(), "nodes").unwrap().parse().unwrap();
    assert!(nodes <= 30000, "{nodes}");
}

#[test]
fn movetime_zero_moves_at_once() {
    let mut client = Client::uci();
    for line in ["go movetime 0", "go movetime -5", "go wtime 0 btime 0", "go wtime -100 btime -100"] {
        client.go(line);
    }
}

#[test]
fn searchmoves_restricts() {
    let mut client = Client::uci();
    assert_eq!(client.best("go searchmoves a0a1 depth 4"), "a0a1");
    assert_eq!(client.best("go depth 4 searchmoves i0i1"), "i0i1");
    let best = client.best("go searchmoves a0a1 i0i1 a0a9 junk depth 4");
    assert!(["a0a1", "i0i1"].contains(&best.as_str()));
}

#[test]
fn searchmoves_takes_every_notation() {
    let mut client = Client::uci();
    // A rook can be captured for free, so the pawn move e3e4 (given in all notations) is only played with searchmoves.
    client.send("position fen 3k5/9/8R/8r/9/9/4P4/9/9/4K4 w - - 0 1");
    assert_eq!(client.best("go depth 3"), "i7i6");
    for text in [
        "E3-E4",
        "e3e4",
        "E3E4",
        "e4e5",
        "P5+1",
        "p5+1",
        "Ｐ５＋１",
        "兵五進一",
        "兵五进一",
        "P51\u{332}",
        "兵51\u{332}",
        "李-號",
        "兵進",
        "P53-54",
        "P-5f",
    ] {
        assert_eq!(client.best(&format!("go searchmoves {text} depth 3")), "e3e4", "{text}");
        assert_eq!(client.best(&format!("go depth 3 searchmoves {text} rubbish")), "e3e4", "{text}");
    }
    // Several moves, each in another notation.
    let best = client.best("go searchmoves 兵五進一 K5+1 depth 3");
    assert!(["e3e4", "e0e1"].contains(&best.as_str()), "{best}");
}

#[test]
fn an_empty_searchmoves_is_no_restriction() {
    let mut client = Client::uci();
    for line in ["go depth 2 searchmoves", "go searchmoves depth 2", "go searchmoves a0a9 xyz depth 2"] {
        client.go(line);
    }
}

#[test]
fn mate_scores_count_moves() {
    let mut client = Client::uci();
    client.send(&format!("position fen {MATE_IN_ONE}"));
    let lines = client.go("go depth 4");
    assert!(lines.last().unwrap().starts_with("bestmove g0g9"));
    assert!(infos(&lines).last().unwrap().contains(" score mate 1 "), "{lines:?}");
}

#[test]
fn go_mate_finds_the_mate() {
    let mut client = Client::uci();
    client.send(&format!("position fen {MATE_IN_ONE}"));
    assert!(client.go("go mate 1").iter().any(|line| line.contains(" score mate 1 ")));
}

/// Red could keep giving check until it has lost by that, but a forbidden repetition does not delay a mate.
#[test]
fn a_forbidden_repetition_does_not_delay_a_mate() {
    let mut client = Client::uci();
    client.send("position fen 4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1 moves i8i1");
    for go in ["go nodes 300000", "go mate 7"] {
        let lines = client.go(go);
        let last = infos(&lines).pop().unwrap();
        let mate: usize = value(last, "mate").unwrap().parse().unwrap();
        assert!(mate == 7 && pv(last).len() == 13, "{go}: {lines:?}");
        client.send("ucinewgame");
    }
}

/// A client that requests a move at or beyond the limit plays without it, or has miscounted.
#[test]
fn a_natural_limit_already_reached_is_ignored() {
    let middle_game = "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b";
    let mut client = Client::uci();
    let mut answer = |options: &str, counter: u32| {
        client.send(&format!("ucinewgame\n{options}"));
        client.send(&format!("position fen {middle_game} - - {counter} 80"));
        let lines = client.go("go nodes 20000");
        let last = infos(&lines).pop().unwrap();
        let result = ["cp", "mate", "depth", "nodes"].map(|name| value(last, name).map(str::to_string));
        (result, lines.last().unwrap().clone())
    };
    let within = answer("setoption name Sixty Move Rule value true", 100);
    let without = answer("setoption name Sixty Move Rule value false", 0);
    assert_ne!(within, without);
    for counter in [120, 121, 125, 300] {
        assert_eq!(answer("setoption name Sixty Move Rule value true", counter), without, "{counter}");
    }
    let low = "setoption name Rule60MaxPly value 40\nsetoption name Sixty Move Rule value true";
    assert_eq!(answer(low, 40), without);
    assert_ne!(answer(low, 39), without, "one ply is left");
}

/// On the last ply before the limit a mate counts, and all other moves draw.
#[test]
fn a_mate_takes_precedence_over_the_natural_limit() {
    let mut client = Client::uci();
    for (position, counter, score) in [
        (MATE_IN_ONE, 119, "mate 1"),
        (MATE_IN_ONE, 120, "mate 1"),
        (MATE_IN_TWO, 117, "mate 2"),
        (MATE_IN_TWO, 118, "cp"),
        (MATE_IN_TWO, 119, "cp"),
        (MATE_IN_TWO, 120, "mate 2"),
    ] {
        let fen = position.split(' ').take(2).collect::<Vec<_>>().join(" ");
        client.send(&format!("position fen {fen} - - {counter} 80"));
        let lines = client.go("go depth 8");
        assert!(infos(&lines).pop().unwrap().contains(&format!(" score {score} ")), "{counter}: {lines:?}");
    }
}

#[test]
fn infinite_waits_even_on_a_mate_or_without_a_move() {
    for fen in [MATE_IN_ONE, MATED] {
        let mut client = Client::uci();
        client.send(&format!("position fen {fen}"));
        client.send("go infinite");
        client.assert_none("bestmove", Duration::from_millis(300));
        client.ask("stop", "bestmove");
        client.assert_silent();
    }
}

#[test]
fn no_move_is_reported_as_none() {
    for fen in [MATED, STALEMATED] {
        let mut client = Client::uci();
        client.send(&format!("position fen {fen}"));
        let lines = client.go("go depth 3");
        let plain: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info string")).collect();
        assert_eq!(plain, ["info depth 0 score mate 0", "bestmove (none)"]);
    }
}

#[test]
fn perft() {
    let mut client = Client::uci();
    for (command, total) in [("go perft 1", 44), ("go perft 2", 1920), ("perft 3", 79666), ("go perft 4", 3290240)] {
        client.send("position startpos");
        let lines = client.ask(command, "Nodes");
        assert_eq!(lines.last().unwrap(), &format!("Nodes searched: {total}"));
        let counts: Vec<u64> = lines.iter().filter_map(|line| line.split_once(": ")?.1.parse().ok()).collect();
        // The moves and the total itself.
        assert_eq!(counts.len(), 45);
        assert_eq!(counts.iter().sum::<u64>(), 2 * total);
    }
    // Without a number both forms count one ply.
    for (command, total) in [("go perft", 44), ("perft", 44), ("go perft x", 44), ("go perft 0", 1), ("perft -1", 1)] {
        let lines = client.ask(command, "Nodes");
        assert_eq!(lines.last().unwrap(), &format!("Nodes searched: {total}"), "{command}");
    }
}

#[test]
fn perft_can_be_stopped() {
    // Before it starts, and while it runs.
    for time in [0, 300] {
        let mut client = Client::uci();
        client.send("go perft 30");
        std::thread::sleep(Duration::from_millis(time));
        client.send("stop");
        client.send("position startpos");
        let start = Instant::now();
        let mut has_ended = false;
        while !has_ended && start.elapsed() < PATIENCE {
            client.send("go depth 1");
            has_ended = client.next_line(Duration::from_millis(500)).is_some_and(|line| line.starts_with("info"));
        }
        assert!(has_ended, "the count continues\n{}", client.transcript());
    }
}

#[test]
fn stop_in_idle_is_silent() {
    let mut client = Client::uci();
    client.send("stop");
    client.send("stop");
    client.assert_silent();
    client.go("go depth 1");
    client.send("stop");
    client.assert_silent();
}

#[test]
fn multipv_reports_different_first_moves_best_first() {
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 4");
    let lines = client.go("go depth 5");
    let last: Vec<&String> = infos(&lines).into_iter().filter(|line| value(line, "depth") == Some("5")).collect();
    let last = &last[last.len() - 4..];
    let numbers: Vec<&str> = last.iter().filter_map(|line| value(line, "multipv")).collect();
    assert_eq!(numbers, ["1", "2", "3", "4"], "{lines:?}");
    let first: HashSet<&str> = last.iter().map(|line| pv(line)[0]).collect();
    assert_eq!(first.len(), 4);
    let scores: Vec<i32> = last.iter().map(|line| value(line, "cp").unwrap().parse().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(lines.last().unwrap().split(' ').nth(1), Some(pv(last[0])[0]));
}

#[test]
fn multipv_is_best_first_below_full_strength_too() {
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 4");
    client.send("setoption name Skill Level value 10");
    for _ in 0..10 {
        client.send("ucinewgame");
        let lines = client.go("go depth 3");
        let scores: Vec<i32> = infos(&lines).iter().map(|line| value(line, "cp").unwrap().parse().unwrap()).collect();
        assert!(scores.len() >= 4 && scores.chunks(4).all(|block| block.is_sorted_by(|a, b| a >= b)), "{lines:#?}");
        let first = lines.iter().rfind(|line| value(line, "multipv") == Some("1")).unwrap();
        assert_eq!(lines.last().unwrap().split(' ').nth(1), Some(pv(first)[0]), "{lines:#?}");
    }
}

#[test]
fn multipv_has_no_more_lines_than_moves() {
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 500");
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    let lines = client.go("go depth 3");
    let most = infos(&lines).iter().filter_map(|line| value(line, "multipv")?.parse::<usize>().ok()).max();
    let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w").unwrap();
    assert_eq!(most, Some(position.board().legal_moves().len()));
}

#[test]
fn chances_add_to_a_thousand() {
    let mut client = Client::uci();
    client.send("setoption name UCI_ShowWDL value true");
    let lines = client.go("go depth 5");
    for line in infos(&lines) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").unwrap_or_else(|| panic!("{line}"));
        let sum: u32 = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{line}");
    }
    client.send("setoption name UCI_ShowWDL value false");
    assert!(client.go("go depth 3").iter().all(|line| !line.contains(" wdl ")));
}

#[test]
fn limited_strength_plays_legal_moves() {
    for options in [
        &["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1280"][..],
        &["setoption name Skill Level value 0"],
    ] {
        let mut client = Client::uci();
        options.iter().for_each(|line| client.send(line));
        let mut position = Position::startpos();
        let mut moves = String::new();
        for _ in 0..6 {
            client.send(&format!("position startpos moves{moves}"));
            let best = client.best("go movetime 20");
            let mv = Move::from_uci(&best).unwrap();
            assert!(position.board().is_legal(mv), "{best}");
            position.make(mv);
            moves.push_str(&format!(" {best}"));
        }
    }
}

/// Noise must not affect mates: announced mates are real, and a weaker level still mates.
#[test]
fn limited_strength_announces_true_mates_only() {
    let mut client = Client::uci();
    client.send("setoption name UCI_LimitStrength value true");
    client.send("setoption name UCI_Elo value 2520");
    // Two rooks mate in a few moves, but there is no mate in one.
    for fen in ["4k4/9/9/R8/1R7/9/9/9/9/3K5 w - - 0 1", "3k5/4a4/4b4/9/9/2N6/9/9/1R7/R3K4 w - - 0 1"] {
        for _ in 0..8 {
            client.send("ucinewgame");
            client.send(&format!("position fen {fen}"));
            let lines = client.go("go depth 12");
            assert!(!lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
        }
    }
}

#[test]
fn pondering() {
    let mut client = Client::uci();
    client.send("setoption name Ponder value true");
    client.send("position startpos moves h2e2 h9g7");
    client.send("go ponder wtime 300 btime 300");
    client.assert_none("bestmove", Duration::from_millis(600));
    client.ask("ponderhit", "bestmove");
    client.send("go ponder wtime 300 btime 300");
    client.ask("stop", "bestmove");
    client.assert_silent();
}

#[test]
fn display_flip_eval_compiler() {
    let mut client = Client::uci();
    client.send("position startpos moves h2e2");
    let lines = client.ask("d", "Fen:");
    assert!(lines.last().unwrap().contains("1C2C4/9/RNBAKABNR b"));
    client.send("flip");
    let lines = client.ask("d", "Fen:");
    assert!(lines.last().unwrap().contains("rnbakabnr/9/1c2c4/") && lines.last().unwrap().contains(" w "), "{lines:?}");
    client.pending();
    client.send("eval");
    assert!(client.pending().last().is_some_and(|line| line.starts_with("info string evaluation ")));
    client.send("compiler");
    assert!(client.pending()[0].starts_with("info string chuhe "));
}

#[test]
fn bench_in_the_loop_ends_in_its_line() {
    let mut client = Client::uci();
    client.send("bench 4");
    let last = loop {
        let line = client.next_line(PATIENCE).expect("the benchmark ends");
        if line.ends_with(" nps") {
            break line;
        }
    };
    let words: Vec<&str> = last.split(' ').collect();
    assert!(words.len() == 4 && words[1] == "nodes" && words[0].parse::<u64>().is_ok_and(|nodes| nodes > 1000), "{last}");
}

#[test]
fn a_new_game_forgets() {
    let mut client = Client::uci();
    client.go("go depth 6");
    client.send("ucinewgame");
    assert_eq!(client.ask("probe startpos", "pophash").len(), 1);
    client.pending();
    assert_eq!(client.ask("probe startpos", "pophash"), ["pophash"]);
}

#[test]
fn a_fixed_search_is_reproducible() {
    let run = || {
        let mut client = Client::uci();
        client.send("position startpos moves h2e2");
        let lines = client.go("go nodes 30000");
        (lines.last().cloned(), value(infos(&lines).last().unwrap(), "nodes").map(str::to_string))
    };
    assert_eq!(run(), run());
}

#[test]
fn cyclone_positions_come_without_the_word() {
    let mut client = Client::uci();
    client.send("fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r moves g3g4 c6c5");
    let lines = client.ask("d", "Fen:");
    let board = "rnbakabnr/9/1c5c1/p3p1p1p/2p6/6P2/P1P1P3P/1C5C1/9/RNBAKABNR w";
    assert!(lines.last().unwrap().contains(board), "{lines:?}");
    client.go("go btime 300 wtime 300");
    client.send("startpos moves");
    let lines = client.ask("d", "Fen:");
    assert!(lines.last().unwrap().contains("/RNBAKABNR w - - 0 1"));
}

#[test]
fn repetitions_are_judged_by_the_chosen_rule() {
    // Perpetual check by a rook loses by every rule.
    let moves = "e0e1 d9d8 e1e0 d8d9";
    let mut client = Client::uci();
    client.send(&format!("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves {moves} {moves} {moves}"));
    let lines = client.go("go depth 2");
    assert!(lines.iter().any(|line| line.starts_with("info string the game is over")), "{lines:?}");
}

#[test]
fn a_hash_of_any_size() {
    let mut client = Client::uci();
    for size in ["1", "3", "68", "200", "16"] {
        client.send(&format!("setoption name Hash value {size}"));
        client.pending();
        client.go("go depth 4");
    }
}

#[test]
fn threads_change_between_searches() {
    let mut client = Client::uci();
    for threads in ["2", "4", "1", "3"] {
        client.send(&format!("setoption name Threads value {threads}"));
        client.go("go depth 6");
    }
    client.assert_silent();
}

#[test]
fn only_long_searches_report_the_current_move() {
    let mut client = Client::uci();
    let start = Instant::now();
    client.send("go infinite");
    let first = loop {
        let line = client.next_line(PATIENCE).expect("the search continues");
        if line.contains(" currmove ") {
            break line;
        }
    };
    assert!(start.elapsed() >= Duration::from_secs(3), "{first}");
    let words: Vec<&str> = first.split(' ').collect();
    assert!(words.len() == 7 && words[1] == "depth" && words[3] == "currmove" && words[5] == "currmovenumber", "{first}");
    assert!(Move::from_uci(words[4]).is_ok_and(|mv| Position::startpos().board().is_legal(mv)), "{first}");
    assert!(words[6].parse().is_ok_and(|number: usize| (1..=44).contains(&number)), "{first}");
    client.ask("stop", "bestmove");
}

#[test]
fn several_lines_are_those_of_one_iteration() {
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 5");
    for nodes in (300..3000).step_by(150) {
        client.send("ucinewgame");
        client.send("position startpos moves h2e2");
        let answer = client.ask(&format!("go nodes {nodes}"), "bestmove");
        let lines: Vec<&String> = answer.iter().filter(|line| line.contains(" multipv ")).collect();
        let field = |line: &str, name: &str| -> i32 {
            let mut words = line.split_whitespace().skip_while(|&word| word != name).skip(1);
            words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name} of {line}"))
        };
        for block in lines.chunks(5) {
            assert!(block.windows(2).all(|pair| field(pair[0], "cp") >= field(pair[1], "cp")), "{nodes}: {block:#?}");
        }
        let last = lines.last().map_or(0, |line| field(line, "depth"));
        assert_eq!(lines.len() as i32, 5 * last, "{nodes}: an iteration was reported twice");
    }
}

#[test]
fn quit_does_not_wait_for_running_searches() {
    for start in ["ucinewgame\nisready\ngo infinite\n", "setoption name Hash value 64\nisready\ngo movetime 60000\n"] {
        let mut client = Client::start();
        // The input stays open, as with a graphical program.
        client.send_bytes(format!("uci\n{start}quit\nisready\n").as_bytes());
        let (status, lines) = client.wait(Duration::from_secs(10));
        let count = |word: &str| lines.iter().filter(|line| line.split(' ').next() == Some(word)).count();
        assert!(status.success() && count("readyok") == 1 && count("bestmove") == 0, "{start:?}: {status} {lines:?}");
    }
}

#[test]
fn pending_answers_are_sent_before_the_exit() {
    for (input, expected) in [
        ("uci\nsetoption name Hash value 64\nisready\nquit\n", "readyok"),
        ("uci\nucinewgame\nisready\nquit\ngo infinite\n", "readyok"),
        ("uci\nsetoption name Threads value 2\nisready\n", "readyok"),
        ("uci\ngo infinite\nstop\nquit\nisready\n", "bestmove"),
        ("ucci\nsetoption batch true\nsetoption newgame\nisready\nquit\n", "readyok"),
    ] {
        let mut client = Client::start();
        client.send_bytes(input.as_bytes());
        client.close_input();
        let (status, lines) = client.wait(Duration::from_secs(20));
        let found = lines.iter().filter(|line| line.split(' ').next() == Some(expected)).count();
        assert!(status.success() && found == 1, "{input:?}: {status} {lines:?}");
    }
}
