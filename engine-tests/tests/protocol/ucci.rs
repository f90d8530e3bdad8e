//! UCCI 3.0: states, commands, replies, time, bans, pondering, draw offers, probe and batch mode.

use chuhe::board::Position;
use chuhe::types::Move;
use engine_tests::client::{Client, PATIENCE, pv, value};
use std::time::{Duration, Instant};

/// Red lacks a rook.
const WORSE: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1";
/// Black lacks a rook.
const BETTER: &str = "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// Red mates by g0g9.
const MATE_IN_ONE: &str = "3k5/5R3/9/9/9/9/9/9/9/4K1R2 w - - 0 1";
const MATED: &str = "3k2R2/5R3/9/9/9/9/9/9/9/4K4 b - - 0 1";
const STALEMATED: &str = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";

fn start_moves() -> Vec<String> {
    Position::startpos().board().legal_moves().iter().map(Move::to_string).collect()
}

#[test]
fn handshake() {
    let mut client = Client::start();
    let lines = client.ask("ucci", "ucciok");
    assert!(lines.iter().any(|line| line.starts_with("id name chuhe")));
    // XiangQi Wizard shows 'N/A' for missing fields.
    let tells = |word: &str| lines.iter().any(|line| line.starts_with(&format!("id {word} ")));
    assert!(tells("copyright") && tells("author") && tells("user"), "{lines:?}");
    assert!(lines.contains(&"option usemillisec type check default true".to_string()));
    for line in &lines[..lines.len() - 1] {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "id" => assert!(["name", "version", "copyright", "author", "user"].contains(&words[1]), "{line}"),
            "option" => {
                assert_eq!(words[2], "type", "{line}");
                assert!(["label", "button", "check", "combo", "spin", "string"].contains(&words[3]), "{line}");
                assert_eq!(words[1], words[1].to_lowercase());
            }
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn the_default_of_a_combo_is_its_first_choice() {
    let mut client = Client::start();
    let lines = client.ask("ucci", "ucciok");
    let combos: Vec<&String> = lines.iter().filter(|line| line.contains(" type combo ")).collect();
    assert!(!combos.is_empty());
    for line in combos {
        assert_eq!(value(line, "var"), value(line, "default"), "{line}");
    }
}

#[test]
fn quit_says_bye() {
    for before in ["isready", "go infinite", "go ponder time 1000"] {
        let mut client = Client::ucci();
        client.send(before);
        client.send("quit");
        let (status, lines) = client.wait(PATIENCE);
        assert!(status.success());
        assert_eq!(lines.last().map(String::as_str), Some("bye"), "{lines:?}");
    }
}

#[test]
fn idle_commands_have_no_reply() {
    let mut client = Client::ucci();
    for line in
        ["setoption hashsize 16", "setoption newgame", "position startpos", "banmoves h2e2", "ponderhit", "setoption batch false"]
    {
        client.send(line);
    }
    client.assert_silent();
}

#[test]
fn stop_in_idle_is_answered() {
    let mut client = Client::ucci();
    client.send("stop");
    assert_eq!(client.pending(), ["nobestmove"]);
}

#[test]
fn the_options_of_xiangqi_wizard_are_accepted() {
    let mut client = Client::ucci();
    for line in [
        "setoption guiname XQWizard",
        "setoption usemillisec true",
        "setoption promotion false",
        "setoption usebook true",
        "setoption useegtb true",
        "setoption bookfiles C:\\Program Files\\XQWizard\\BOOK.DAT;D:\\b.dat",
        "setoption egtbpaths",
        "setoption hashsize 0",
        "setoption threads 0",
        "setoption idle none",
        "setoption randomness none",
        "setoption style normal",
        "setoption pruning large",
        "setoption knowledge large",
        "setoption newgame",
        "setoption ponder false",
    ] {
        client.send_bytes(format!("{line}\r\n").as_bytes());
    }
    client.assert_silent();
    // The books in the list do not exist: reported once, and play continues.
    let is_book = |line: &&String| line.starts_with("info message ") && line.to_lowercase().contains(".dat");
    let missing = |lines: Vec<String>| lines.iter().filter(is_book).count();
    assert_eq!(missing(client.go("go nodes 216")), 2);
    assert_eq!(missing(client.go("go nodes 216")), 0);
}

#[test]
fn the_answer_does_not_change_the_board() {
    let mut client = Client::ucci();
    client.send("position startpos moves h2e2");
    let before = client.ask("d", "Fen:").pop();
    client.go("go depth 3");
    assert_eq!(client.ask("d", "Fen:").pop(), before);
}

#[test]
fn depth_and_nodes() {
    let mut client = Client::ucci();
    let lines = client.go("go depth 5");
    assert!(lines.iter().any(|line| value(line, "depth") == Some("5")), "{lines:?}");
    assert!(lines.iter().all(|line| value(line, "depth") != Some("6")));
    client.go("go nodes 216");
    client.go("go draw nodes 46656");
}

#[test]
fn info_lines_have_depth_score_and_pv_in_order() {
    let mut client = Client::ucci();
    let lines = client.go("go depth 6");
    let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    assert!(!infos.is_empty());
    for line in infos {
        let (depth, score, pv_at) = (line.find(" depth "), line.find(" score "), line.find(" pv "));
        assert!(depth < score && score < pv_at && depth.is_some(), "{line}");
        value(line, "score").unwrap().parse::<i32>().unwrap_or_else(|_| panic!("{line}"));
        // One client parses the rest of the line in steps of five characters.
        assert!(pv(line).iter().all(|mv| mv.len() == 4), "{line}");
        assert!(value(line, "nodes").is_some_and(|nodes| nodes.parse::<u64>().is_ok()), "{line}");
    }
}

#[test]
fn the_answer_has_fixed_columns() {
    let mut client = Client::ucci();
    let line = client.go("go depth 6").pop().unwrap();
    assert_eq!(&line[..9], "bestmove ");
    assert!(line.len() == 13 || (line.len() == 25 && &line[13..21] == " ponder "), "{line}");
}

#[test]
fn go_without_a_mode_is_endless() {
    for line in ["go", "go infinite", "go draw", "go depth"] {
        let mut client = Client::ucci();
        client.send(line);
        client.assert_none("bestmove", Duration::from_millis(300));
        client.ask("stop", "bestmove");
        client.assert_silent();
    }
}

#[test]
fn depth_zero_reports_the_static_score() {
    let mut client = Client::ucci();
    let score = |client: &mut Client, fen: &str| -> i32 {
        client.send(&format!("position fen {fen}"));
        let lines = client.ask("go depth 0", "nobestmove");
        assert_eq!((lines.len(), value(&lines[0], "depth")), (2, Some("0")), "{lines:?}");
        value(&lines[0], "score").unwrap().parse().unwrap()
    };
    assert!(score(&mut client, BETTER) > 50);
    assert!(score(&mut client, WORSE) < -50);
}

#[test]
fn mate_scores_are_large_numbers() {
    let mut client = Client::ucci();
    client.send(&format!("position fen {MATE_IN_ONE}"));
    let lines = client.go("go depth 5");
    assert!(lines.last().unwrap().starts_with("bestmove g0g9"), "{lines:?}");
    assert!(lines.iter().any(|line| value(line, "score") == Some("9999")), "{lines:?}");
    // Red could keep giving check until it has lost by that: a forbidden repetition does not delay a mate.
    client.send("position fen 4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1 moves i8i1");
    let lines = client.go("go nodes 300000");
    let scores: Vec<&str> = lines.iter().filter_map(|line| value(line, "score")).collect();
    assert_eq!(scores.last(), Some(&"9987"), "{lines:?}");
}

#[test]
fn a_horse_is_worth_about_a_hundred() {
    let mut client = Client::ucci();
    client.send("position fen r1bakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    let lines = client.go("go depth 6");
    let score: i32 = lines.iter().rev().find_map(|line| value(line, "score")).unwrap().parse().unwrap();
    assert!((40..300).contains(&score), "{score}");
}

#[test]
fn no_move_no_best_move() {
    for fen in [MATED, STALEMATED] {
        let mut client = Client::ucci();
        client.send(&format!("position fen {fen}"));
        client.ask("go depth 5", "nobestmove");
        client.ask("go time 1000 increment 0", "nobestmove");
        client.assert_silent();
    }
}

#[test]
fn clock_parameters_are_read_in_any_order() {
    let mut client = Client::ucci();
    for line in [
        "go time 200 opptime 9000000 oppincrement 0 increment 0",
        "go increment 0 time 200",
        "go time 200 movestogo 10 opptime 9000000 oppmovestogo 10",
        "go opptime 9000000 oppincrement 500000 time 200 increment 0",
        "go time 200",
    ] {
        // With the opponent's clock the answer would not come in time.
        client.go(line);
    }
}

#[test]
fn seconds_are_seconds() {
    let mut client = Client::ucci();
    client.send("setoption usemillisec false");
    let start = Instant::now();
    client.go("go time 1 movestogo 1");
    let time = start.elapsed();
    assert!(time > Duration::from_millis(40), "{time:?}: taken for milliseconds");
    client.send("setoption usemillisec true");
    // As seconds the answer would not come in time.
    client.go("go time 500 movestogo 1");
}

#[test]
fn no_time_left_still_brings_a_move() {
    for line in ["go time 0", "go time 10", "go time -50 increment 0", "go time 0 movestogo 1", "go time 5 increment 1000000"] {
        let mut client = Client::ucci();
        client.go("go depth 1");
        client.go(line);
    }
}

#[test]
fn banned_moves_are_not_played() {
    let moves = start_moves();
    for mode in ["depth 4", "nodes 2000", "time 300 increment 0", "draw depth 3"] {
        let mut client = Client::ucci();
        client.send("position startpos");
        client.send(&format!("banmoves {}", moves[1..].join(" ")));
        assert_eq!(client.best(&format!("go {mode}")), moves[0], "{mode}");
    }
}

#[test]
fn a_ban_lasts_until_the_next_position() {
    let mut client = Client::ucci();
    client.send("position startpos");
    let best = client.best("go depth 5");
    client.send(&format!("banmoves {best}"));
    assert_ne!(client.best("go depth 5"), best);
    assert_ne!(client.best("go depth 5"), best);
    // A request for banned moves only counts as none.
    assert_ne!(client.best(&format!("go depth 3 searchmoves {best}")), best);
    let all = start_moves().join(" ");
    client.send(&format!("banmoves {all}"));
    client.ask("go depth 5", "nobestmove");
    client.send("position startpos");
    client.go("go depth 2");
}

#[test]
fn bans_are_read_in_every_notation() {
    let mut client = Client::ucci();
    let position = "position fen 3k5/9/8R/8r/9/9/4P4/9/9/4K4 w - - 0 1";
    client.send(position);
    assert_eq!(client.best("go depth 3"), "i7i6");
    for text in [
        "I7-I6",
        "i7i6",
        "I7I6",
        "i8i7",
        "R1-1",
        "r1-1",
        "Ｒ１－１",
        "俥一退一",
        "車一退一",
        "车一退一",
        "R11\u{305}",
        "車11\u{305}",
        "成-雨",
        "車吃車",
        "R97-96",
        "Rx1d",
    ] {
        client.send(position);
        client.send(&format!("banmoves rubbish {text}"));
        assert_ne!(client.best("go depth 3"), "i7i6", "{text}");
    }
}

#[test]
fn unknown_bans_are_skipped() {
    let mut client = Client::ucci();
    for line in ["banmoves", "banmoves a0a9 zzzz h2h2 x", "banmoves \u{7}\u{1} e0e9"] {
        client.send(line);
        client.go("go depth 2");
    }
}

#[test]
fn a_ponder_search_waits() {
    let mut client = Client::ucci();
    client.send("position startpos moves h2e2 h9g7");
    client.send("go ponder time 100 increment 0");
    client.assert_none("bestmove", Duration::from_millis(500));
    client.ask("ponderhit", "bestmove");
    client.assert_silent();
}

#[test]
fn a_ponder_search_waits_even_on_a_mate() {
    for line in ["go ponder time 1000", "go ponder depth 2", "go infinite depth 2"] {
        let mut client = Client::ucci();
        client.send(&format!("position fen {MATE_IN_ONE}"));
        client.send(line);
        client.assert_none("bestmove", Duration::from_millis(300));
        assert!(client.ask("stop", "bestmove").last().unwrap().starts_with("bestmove g0g9"));
    }
}

#[test]
fn a_ponder_miss_is_stopped() {
    let mut client = Client::ucci();
    client.send("go ponder time 100000 increment 0");
    client.ask("stop", "bestmove");
    client.send("position startpos moves h2e2");
    client.go("go time 100 increment 0");
    client.assert_silent();
}

#[test]
fn ponderhit_in_idle_is_ignored() {
    let mut client = Client::ucci();
    client.send("ponderhit");
    client.send("ponderhit draw");
    client.assert_silent();
    client.go("go depth 2");
}

#[test]
fn a_draw_is_accepted_when_welcome() {
    let mut client = Client::ucci();
    client.send(&format!("position fen {WORSE}"));
    assert!(client.go("go draw depth 5").last().unwrap().ends_with(" draw"));
    assert!(!client.go("go depth 5").last().unwrap().ends_with(" draw"), "nobody asked");
    client.send(&format!("position fen {BETTER}"));
    assert!(!client.go("go draw depth 5").last().unwrap().ends_with(" draw"));
}

#[test]
fn a_draw_is_declined_in_a_level_opening() {
    let mut client = Client::ucci();
    client.send("setoption usebook false");
    client.send("position startpos moves h2e2");
    assert!(!client.go("go draw depth 8").last().unwrap().ends_with(" draw"));
}

#[test]
fn moves_are_read_in_gbk() {
    let mut client = Client::ucci();
    client.send_bytes(b"position startpos moves \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed8\xbd\xf87\n");
    client.send("d");
    client.send("isready");
    let lines = client.until("readyok");
    assert!(lines.iter().any(|line| line.contains(" w ") && line.contains("1C2C4")), "{lines:?}");
}

#[test]
fn a_search_after_a_decided_repetition_ignores_the_moves_before() {
    let mut client = Client::ucci();
    // Red has lost by perpetual chase; the client plays on.
    let cycles = "d8b7 b6d7 b7d8 d7b6 ".repeat(3);
    client.send(&format!("position fen Cr1akab2/3n4c/4bc3/1N2p2rp/6p2/2P5P/6P2/1C2B1n2/4A4/R1BAK3R b - - 3 28 moves {cycles}"));
    let lines = client.go("go nodes 20000");
    let last = lines.iter().rfind(|line| line.starts_with("info depth ")).unwrap();
    let number = |name| value(last, name).and_then(|number| number.parse::<i32>().ok()).unwrap();
    assert!(number("depth") >= 8 && number("score").abs() < 2000, "{last}");
}

#[test]
fn a_draw_is_accepted_in_a_dead_drawn_position() {
    // The natural limit has been reached: every move draws.
    let mut client = Client::ucci();
    client.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 500 1");
    for nodes in [1, 50, 100, 216, 1000] {
        assert!(client.go(&format!("go draw nodes {nodes}")).last().unwrap().ends_with(" draw"), "{nodes}");
    }
}

#[test]
fn a_draw_can_be_offered_with_ponderhit() {
    let mut client = Client::ucci();
    client.send(&format!("position fen {WORSE}"));
    client.send("go ponder time 200 increment 0");
    assert!(client.ask("ponderhit draw", "bestmove").last().unwrap().ends_with(" draw"));
    // A book move has no score.
    client.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 20");
    client.send("go ponder time 10000");
    assert!(!client.ask("ponderhit draw", "bestmove").last().unwrap().ends_with(" draw"));
}

#[test]
fn the_engine_resigns_only_with_the_option() {
    // Black is mated soon whatever it plays.
    let mut client = Client::ucci();
    client.send("setoption resign true");
    let mut answers = Vec::new();
    for _ in 0..4 {
        client.send("position fen 4k4/3R5/9/9/9/9/9/9/9/3K2R2 b - - 0 1");
        answers.extend(client.go("go depth 8").pop());
    }
    assert!(!answers[0].ends_with(" resign"), "{answers:?}");
    assert!(answers[3].ends_with(" resign"), "{answers:?}");
    client.send("setoption resign false");
    assert!(!client.go("go depth 8").last().unwrap().ends_with(" resign"));
    // Nor after ponder searches of positions that do not arise.
    let mut client = Client::ucci();
    client.send("setoption resign true");
    client.send("position fen 4k4/3R5/9/9/9/9/9/9/9/3K2R2 b - - 0 1");
    for _ in 0..4 {
        client.send("go ponder time 60000 increment 0");
        client.assert_none("bestmove", Duration::from_millis(50));
        assert!(!client.ask("stop", "bestmove").last().unwrap().ends_with(" resign"));
    }
}

#[test]
fn probe_reports_the_table_entry() {
    let mut client = Client::ucci();
    assert_eq!(client.ask("probe startpos", "pophash"), ["pophash"]);
    client.send("position startpos");
    let best = client.best("go depth 7");
    let line = client.ask("probe startpos", "pophash").pop().unwrap();
    assert_eq!(value(&line, "bestmove"), Some(best.as_str()), "{line}");
    let bound = value(&line, "lowerbound").or(value(&line, "upperbound")).unwrap_or_else(|| panic!("{line}"));
    bound.parse::<i32>().unwrap();
    value(&line, "depth").unwrap().parse::<u32>().unwrap();
    assert_eq!(client.ask("probe startpos moves", "pophash").pop().unwrap(), line);
    assert_eq!(client.ask("probe fen 9/9 w", "pophash"), ["pophash"]);
    assert_eq!(client.ask("probe", "pophash"), ["pophash"]);
    assert_eq!(client.ask("probe startpos moves a0a9", "pophash"), ["pophash"]);
    // Near the natural limit the clock is part of the table's keys.
    let late = "fen 3ak4/4a4/9/2p6/9/2P6/9/4B4/4A4/1R2K4 w - - 90 60";
    client.send(&format!("position {late}"));
    client.best("go depth 6");
    assert!(client.ask(&format!("probe {late}"), "pophash").pop().unwrap().starts_with("pophash bestmove"));
    client.send("position startpos");
    // The position is unchanged.
    assert!(client.ask("d", "Fen:").last().unwrap().contains("RNBAKABNR w"));
}

#[test]
fn probe_is_answered_while_thinking() {
    let mut client = Client::ucci();
    client.send("go infinite");
    client.ask("probe startpos", "pophash");
    client.ask("probe fen 3k5/9/9/9/9/9/9/9/9/4K4 w", "pophash");
    client.ask("stop", "bestmove");
}

#[test]
fn a_batch_is_executed_in_order() {
    let mut client = Client::ucci();
    client.send_bytes(b"setoption batch true\nposition startpos\ngo depth 6\nposition startpos moves h2e2\ngo depth 6\nquit\n");
    let (status, lines) = client.wait(PATIENCE);
    assert!(status.success());
    let answers: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(answers.len(), 2, "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bye");
    let side = |line: &str| line.split(' ').nth(1).unwrap()[1..2].parse::<u8>().unwrap();
    assert!(side(answers[0]) <= 4 && side(answers[1]) >= 5, "{answers:?}");
}

#[test]
fn a_batch_is_finished_at_the_end_of_input() {
    let mut client = Client::ucci();
    client.send_bytes(
        b"setoption batch on\nposition startpos\ngo depth 6\ngo depth 5\ngo infinite\nposition startpos\ngo nodes 500",
    );
    client.close_input();
    let (status, lines) = client.wait(PATIENCE);
    assert!(status.success());
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 4, "{lines:?}");
}

#[test]
fn without_batch_stop_and_quit_take_effect_immediately() {
    let mut client = Client::ucci();
    client.send_bytes(b"position startpos\ngo depth 60\nstop\n");
    client.until("bestmove");
    client.send_bytes(b"go depth 60\ngo depth 60\nposition startpos\ngo depth 1\nquit\n");
    let (status, lines) = client.wait(PATIENCE);
    assert!(status.success());
    assert_eq!(lines.last().unwrap(), "bye");
    assert_eq!(lines.iter().filter(|line| line.contains("queued searches not executed: 2;")).count(), 1, "{lines:?}");
}

#[test]
fn commands_during_a_search_do_not_disturb_it() {
    let mut client = Client::ucci();
    client.send("position startpos");
    client.send("go infinite");
    for line in
        ["position startpos moves h2e2", "setoption hashsize 8", "banmoves h0g2", "go depth 1", "go infinite", "ponderhit"]
    {
        client.send(line);
    }
    client.assert_none("bestmove", Duration::from_millis(300));
    let best = client.ask("stop", "bestmove").pop().unwrap();
    assert!(best.as_bytes()[10] <= b'4', "an answer for the running search's board: {best}");
    client.assert_silent();
    client.go("go depth 2");
}

#[test]
fn a_new_go_may_follow_a_stop_without_waiting() {
    let mut client = Client::ucci();
    client.send_bytes(b"go infinite\nstop\nposition startpos moves h2e2\ngo depth 2\n");
    client.until("bestmove");
    let second = client.until("bestmove").pop().unwrap();
    assert!(second.as_bytes()[10] >= b'5', "{second}");
    client.assert_silent();
}

#[test]
fn randomness_varies_the_play() {
    let mut client = Client::ucci();
    client.send("setoption randomness huge");
    let mut seen = std::collections::HashSet::new();
    for _ in 0..30 {
        client.send("setoption newgame");
        client.send("position startpos");
        seen.insert(client.best("go depth 2"));
    }
    assert!(seen.len() > 1, "{seen:?}");
}
