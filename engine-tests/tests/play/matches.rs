//! `chuhe match` on the command line: engines of both protocols, misbehaving engines, interruption.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A separate folder for each test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("chuhe-match-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the temporary folder can be written");
    path
}

fn run(engines: [&str; 2], arguments: &[&str]) -> Output {
    let engine = |spec: &str| spec.replace("CHUHE", &engine_tests::chuhe().display().to_string());
    Command::new(engine_tests::chuhe())
        .args(["match", "--engine", &engine(engines[0]), "--engine", &engine(engines[1])])
        .args(if arguments.contains(&"--openings") { &[][..] } else { &["--balance-nodes", "300"][..] })
        .args(if arguments.contains(&"--max-plies") { &[][..] } else { &["--max-plies", "24"][..] })
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Wins, draws and losses in the last line, which has a stable format.
fn score(output: &Output) -> (u32, u32, u32) {
    let all = text(output);
    assert!(output.status.success(), "{all}{}", String::from_utf8_lossy(&output.stderr));
    let line = all.lines().last().unwrap_or_default().to_string();
    let words: Vec<&str> = line.split(' ').collect();
    let [score, points, elo, value, sign, error, los, chance] = words[..] else { panic!("{line}") };
    assert_eq!((score, elo, sign, los), ("score", "elo", "+/-", "los"), "{line}");
    assert!([value, error, chance].iter().all(|number| number.parse::<f64>().is_ok()), "{line}");
    let numbers: Vec<u32> = points.split('-').map(|number| number.parse().expect(&line)).collect();
    (numbers[0], numbers[1], numbers[2])
}

#[test]
fn equal_engines_of_both_protocols() {
    let output = run(
        ["cmd=CHUHE,name=one,option.Hash=2", "cmd=CHUHE,name=two,proto=ucci,option.hashsize=2"],
        &["--games", "4", "--nodes", "300", "--concurrency", "2", "--verbose"],
    );
    let (wins, draws, losses) = score(&output);
    assert_eq!(wins + draws + losses, 4);
    assert!(text(&output).contains("faults of one: none; of two: none"), "{}", text(&output));
    assert!(text(&output).contains("game 4: "));
    assert!(output.stderr.is_empty());
}

#[test]
fn clocks_movetimes_and_depths() {
    for limit in [&["--tc", "5+0.05"][..], &["--movetime", "10"], &["--depth", "3"]] {
        let mut arguments = vec!["--games", "2", "--max-plies", "6", "--time-margin", "2000"];
        arguments.extend(limit);
        let output = run(["cmd=CHUHE,name=a", "cmd=CHUHE,proto=ucci,name=b"], &arguments);
        assert_eq!(score(&output), (0, 2, 0), "{}", text(&output));
    }
}

#[test]
fn an_odd_number_of_games_is_made_even() {
    let (wins, draws, losses) = score(&run(["cmd=CHUHE", "cmd=CHUHE"], &["--games", "1", "--depth", "1", "--max-plies", "2"]));
    assert_eq!(wins + draws + losses, 2);
}

/// An engine with this misbehaviour, see `src/bin/puppet.rs`.
fn puppet(behaviour: &str) -> String {
    format!("cmd='{}' {behaviour}", env!("CARGO_BIN_EXE_puppet"))
}

/// Starts a command with pipes for its output.
#[cfg(unix)]
fn piped(command: &mut Command) -> std::process::Child {
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
}

/// The system's description of exit status 7.
const SEVEN: &str = if cfg!(windows) { "exit code: 7" } else { "exit status: 7" };

#[test]
fn misbehaving_engines_lose_and_are_restarted() {
    for (behaviour, fault) in [
        ("crash", "crash 2"),
        ("illegal", "illegal move 2"),
        ("gibberish", "illegal move 2"),
        ("silent", "hang 2"),
        ("resigning", "resignation 2"),
    ] {
        let output = run(
            [&format!("{},name=bad", puppet(behaviour)), "cmd=CHUHE,name=good"],
            &["--games", "2", "--nodes", "100", "--patience", "2", "--verbose"],
        );
        assert_eq!(score(&output), (0, 0, 2), "{behaviour}: {}", text(&output));
        assert!(text(&output).contains(fault), "{behaviour}: {}", text(&output));
        // Every such end is explained, also that of an engine that gives no move.
        assert_eq!(text(&output).matches("(bad: ").count(), 2, "{behaviour}: {}", text(&output));
        assert!(text(&output).contains("of good: none"), "{behaviour}: {}", text(&output));
    }
}

#[test]
fn a_slow_engine_forfeits_on_time() {
    let output = run([&format!("{},name=slow,tc=0.3+0", puppet("slow")), "cmd=CHUHE,name=good,tc=nodes:100"], &["--games", "2"]);
    assert_eq!(score(&output), (0, 0, 2), "{}", text(&output));
    assert!(text(&output).contains("faults of slow: time forfeit 2"), "{}", text(&output));
}

/// The definition of UCCI for tournaments does not include `isready`.
#[test]
fn an_engine_of_ucci_need_not_answer_isready() {
    let folder = folder("league");
    let openings = folder.join("openings.fen");
    std::fs::write(&openings, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n").unwrap();
    let arguments = ["--games", "2", "--nodes", "100", "--max-plies", "2", "--openings", openings.to_str().unwrap()];
    let output = run([&format!("{},proto=ucci", puppet("league")), "cmd=CHUHE,name=good"], &arguments);
    assert_eq!(score(&output), (0, 2, 0), "{}", errors(&output));
    assert!(text(&output).contains("faults of league: none; of good: none"), "{}", text(&output));
    std::fs::remove_dir_all(folder).unwrap();
}

/// What an engine writes during its opponent's turn answers nothing.
#[test]
fn lines_outside_of_the_turn_are_ignored() {
    let folder = folder("chatty");
    let (openings, pgn) = (folder.join("openings.fen"), folder.join("games.pgn"));
    std::fs::write(&openings, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n").unwrap();
    let files = ["--games", "2", "--openings", openings.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()];
    let output = run([&puppet("chatty"), &puppet("mover")], &[&files[..], &["--nodes", "1"]].concat());
    assert_eq!(score(&output), (0, 2, 0), "{}", errors(&output));
    assert!(text(&output).contains("endings: repetition 2"), "{}", text(&output));
    let games = String::from_utf8_lossy(&std::fs::read(&pgn).unwrap()).into_owned();
    assert!(!games.contains("-20.00") && !games.contains("/99"), "{games}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_that_does_not_start_is_an_error() {
    for spec in ["cmd=/nowhere/engine", "cmd=true"] {
        let output = run([spec, "cmd=CHUHE"], &["--games", "2", "--depth", "1"]);
        assert_eq!(output.status.code(), Some(1), "{spec}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.lines().count() == 1 && message.contains(&spec[4..]), "{message}");
    }
    let output = run(["cmd=CHUHE,dir=/nowhere", "cmd=CHUHE"], &["--games", "2", "--depth", "1"]);
    assert!(errors(&output).contains("there is no folder /nowhere"), "{}", errors(&output));
}

#[test]
fn faults_are_those_of_an_engine_with_a_unique_name() {
    let engines = ["resigning", "crash"].map(|behaviour| format!("{},name=x", puppet(behaviour)));
    let output = run([&engines[0], &engines[1]], &["--games", "4", "--nodes", "1"]);
    assert_eq!(score(&output), (2, 0, 2), "{}", errors(&output));
    // The second time after a restart.
    for game in [2, 3] {
        assert!(errors(&output).contains(&format!("game {game}: x (2): the process ended")), "{}", errors(&output));
    }
}

#[test]
fn engines_have_time_to_save_what_they_have_learnt() {
    let folder = folder("learnt");
    let (openings, learnt) = (folder.join("openings.fen"), folder.join("learnt"));
    std::fs::write(&openings, format!("{}\n", chuhe::board::START_FEN)).unwrap();
    let learner = puppet(&format!("learner '{}'", learnt.display()));
    let arguments = ["--games", "2", "--nodes", "1", "--max-plies", "2", "--openings", openings.to_str().unwrap()];
    assert_eq!(score(&run([&learner, &puppet("mover")], &arguments)), (0, 2, 0));
    assert!(learnt.exists());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Ctrl-C ends `tee` in `chuhe match … | tee log` too.
#[cfg(unix)]
#[test]
fn an_interrupted_match_prints_its_result_even_if_the_reader_has_ended() {
    use std::io::{BufRead, BufReader};
    let engine = puppet("resigning");
    let mut child = piped(
        Command::new(engine_tests::chuhe())
            .args(["match", "--engine", &engine, "--engine", &engine, "--games", "100000", "--depth", "1"])
            .args(["--balance-nodes", "300", "--rating-interval", "1"]),
    );
    drop(child.stdout.take());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains("1 of 100000 games"));
    engine_tests::signal(&child, "INT");
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("score ")), "{rest:?}");
    assert!(rest.last().unwrap().contains("interrupted after "), "{rest:?}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// A background job of a script ignores SIGINT, and a program under `nohup` SIGHUP; other signals still end it.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_does_not_end_a_match() {
    use std::io::{BufRead, BufReader};
    let engine = puppet("resigning");
    for (ignored, signal) in [("INT", "TERM"), ("HUP", "INT")] {
        let command = format!("trap '' {ignored}; exec \"$0\" match \"$@\"");
        let mut child = piped(
            Command::new("sh")
                .args(["-c", &command, engine_tests::chuhe().to_str().unwrap()])
                .args(["--engine", &engine, "--engine", &engine, "--games", "100000", "--depth", "1"])
                .args(["--balance-nodes", "300", "--verbose"]),
        );
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().starts_with("game 1: "));
        engine_tests::signal(&child, ignored);
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(child.try_wait().unwrap(), None, "{ignored}");
        engine_tests::signal(&child, signal);
        let last = lines.map(Result::unwrap).last().unwrap();
        assert!(last.starts_with("score "), "{last}");
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

/// The clocks run on while the match is stopped by Ctrl-Z, since its engines are not.
#[cfg(unix)]
#[test]
fn a_game_during_which_the_match_was_stopped_is_played_again() {
    const MOVETIME: u64 = 4000;
    let wait = |milliseconds: u64| std::thread::sleep(std::time::Duration::from_millis(milliseconds));
    let folder = folder("stopped");
    let (openings, logs, signal) = (folder.join("openings.fen"), folder.join("logs"), folder.join("signal"));
    let waiter = format!("{},name=waiter", puppet(&format!("waiter '{}'", signal.display())));
    std::fs::write(&openings, format!("{}\n", chuhe::board::START_FEN)).unwrap();
    let child = piped(
        Command::new(engine_tests::chuhe())
            .args(["match", "--engine", &waiter, "--engine", &puppet("mover")])
            .args(["--games", "2", "--movetime", &MOVETIME.to_string(), "--max-plies", "1"])
            .args(["--openings", openings.to_str().unwrap(), "--log", logs.to_str().unwrap()]),
    );
    while !std::fs::read_to_string(logs.join("waiter-1.log")).is_ok_and(|log| log.contains("< go ")) {
        wait(20);
    }
    engine_tests::signal(&child, "STOP");
    wait(MOVETIME + 1000);
    // The engine plays while the match is stopped.
    std::fs::write(&signal, "").unwrap();
    wait(100);
    engine_tests::signal(&child, "CONT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(score(&output), (0, 2, 0), "{}", errors(&output));
    assert!(errors(&output).contains("game 1: the match was stopped during it, it is played again"), "{}", errors(&output));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Twenty boards under a limit of 64 open files are as a hundred and fifty under the usual one of 1024.
#[cfg(unix)]
#[test]
fn many_boards_raise_the_limit_of_open_files() {
    let engine = puppet("resigning");
    let output = Command::new("sh")
        .args(["-c", "ulimit -Sn 64; exec \"$0\" match \"$@\"", engine_tests::chuhe().to_str().unwrap()])
        .args(["--engine", &engine, "--engine", &engine, "--games", "40", "--concurrency", "20", "--depth", "1"])
        .args(["--balance-nodes", "300"])
        .output()
        .unwrap();
    let (wins, draws, losses) = score(&output);
    assert_eq!((wins + losses, draws), (40, 0), "{}", errors(&output));
}

#[test]
fn invalid_arguments_are_reported_in_one_line() {
    for (engines, arguments) in [
        (["name=x", "cmd=CHUHE"], &[][..]),
        (["cmd=CHUHE,proto=cecp", "cmd=CHUHE"], &[]),
        (["cmd=CHUHE", "cmd=CHUHE"], &["--openings", "/nowhere/openings.epd"]),
        (["cmd=CHUHE", "cmd=CHUHE"], &["--engine", "cmd=x", "--sprt", "elo0=0,elo1=5"]),
    ] {
        let output = run(engines, arguments);
        assert_eq!(output.status.code(), Some(1), "{engines:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

#[test]
fn contradictory_options_are_wrong_usage() {
    for arguments in [
        &["--movetime", "10", "--nodes", "5"][..],
        &["--movetime", "10", "--depth", "1"],
        &["--nodes", "5", "--depth", "1"],
        &["--openings", "x.pgn", "--seed", "2"],
    ] {
        let output = run(["cmd=CHUHE", "cmd=CHUHE"], arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors(&output).contains("cannot be used with"), "{}", errors(&output));
    }
}

#[test]
fn openings_of_a_file_are_played_from_both_sides() {
    let folder = folder("openings");
    let (file, pgn) = (folder.join("openings.epd"), folder.join("games.pgn"));
    // Red is a rook up in one opening, Black in the other.
    std::fs::write(
        &file,
        "# two\n1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n\
         rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1 moves h2e2 ; id \"second\"\n",
    )
    .unwrap();
    let output = run(
        ["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"],
        &[
            "--games",
            "4",
            "--depth",
            "3",
            "--openings",
            file.to_str().unwrap(),
            "--pgn",
            pgn.to_str().unwrap(),
            "--resign",
            "2,300",
            "--max-plies",
            "60",
        ],
    );
    score(&output);
    let games = std::fs::read(&pgn).unwrap();
    let records: Vec<_> =
        chuhe::records::Records::new(games, Some(chuhe::records::Format::Pgn)).unwrap().map(Result::unwrap).collect();
    assert_eq!(records.len(), 4);
    let players: Vec<_> = records.iter().map(|record| record.tag("Red").unwrap_or_default().to_string()).collect();
    assert_eq!(players, ["a", "b", "a", "b"]);
    let starts: Vec<String> = records.iter().map(|record| record.start.position().unwrap().board().to_fen()).collect();
    assert!(starts[0] == starts[1] && starts[2] == starts[3] && starts[0] != starts[2], "{starts:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_interrupted_match_is_resumed() {
    let folder = folder("resume");
    let state = folder.join("match.state");
    let arguments = ["--games", "6", "--depth", "2", "--max-plies", "8", "--state", state.to_str().unwrap()];
    let whole = score(&run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &arguments));
    let lines: Vec<String> = std::fs::read_to_string(&state).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), 7);
    // Simulates an interruption within the fourth game's line.
    std::fs::write(&state, lines[..4].join("\n") + "\n" + &lines[4][..10]).unwrap();
    let output = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &[&arguments[..], &["--verbose"]].concat());
    assert_eq!(score(&output), whole);
    assert_eq!(text(&output).matches("\ngame ").count() + text(&output).starts_with("game ") as usize, 3, "{}", text(&output));
    let other = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=c"], &arguments);
    assert_eq!(other.status.code(), Some(1));
    // Settings that affect the results identify the match.
    for option in [["--rules", "simple"], ["--natural-limit", "60"], ["--resign", "3,400"], ["--draw", "40,5,10"]] {
        let other = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &[&arguments[..], &option].concat());
        assert!(errors(&other).contains("belongs to another match"), "{option:?}: {}", errors(&other));
    }
    let zero = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &["--games", "2", "--depth", "1", "--resign", "0,0"]);
    assert_eq!(zero.status.code(), Some(2), "{}", errors(&zero));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sequential_test_ends_early() {
    // The first engine searches almost nothing and loses quickly.
    let output = run(
        ["cmd=CHUHE,name=weak,tc=nodes:1,option.UCI_LimitStrength=true", "cmd=CHUHE,name=strong,tc=nodes:3000"],
        &[
            "--games",
            "400",
            "--sprt",
            "elo0=0,elo1=200,model=logistic",
            "--max-plies",
            "300",
            "--resign",
            "2,400",
            "--concurrency",
            "2",
        ],
    );
    let (wins, draws, losses) = score(&output);
    assert!(wins + draws + losses < 400, "{}", text(&output));
    assert!(text(&output).contains("elo0 accepted"), "{}", text(&output));
}

/// One side wins every game: the values are the same as in the unit test, computed with scipy and mpmath.
#[test]
fn one_sided_matches_are_decided() {
    let resigning = puppet("resigning");
    let with = |sprt: &str, games: &str| {
        let output = run(["cmd=CHUHE,name=a", &resigning], &["--games", games, "--depth", "1", "--sprt", sprt]);
        (score(&output), text(&output))
    };
    let (points, text) = with("elo0=0,elo1=5", "40");
    assert_eq!(points, (40, 0, 0));
    assert!(text.contains("llr 0.40 of -2.94 to 2.94, undecided"), "{text}");
    let (_, text) = with("elo0=0,elo1=5,model=logistic", "2");
    assert!(text.contains("llr 0.01 of"), "{text}");
    // 17 pairs of 0.18 each.
    let (points, text) = with("elo0=0,elo1=50", "1000");
    assert_eq!(points, (34, 0, 0), "{text}");
    assert!(text.contains(", elo1 accepted"), "{text}");
}

#[test]
fn without_a_terminal_the_interim_result_is_printed_periodically() {
    let resigning = puppet("resigning");
    let with = |arguments: &[&str]| {
        let output = run(["cmd=CHUHE,name=a", &resigning], &[&["--games", "6", "--depth", "1"], arguments].concat());
        assert_eq!(score(&output), (6, 0, 0));
        errors(&output)
    };
    let lines = with(&["--rating-interval", "2", "--sprt", "elo0=0,elo1=5"]);
    let expected = [("2 of 6", "2-0-0", "llr 0.02 of -2.94 to 2.94"), ("4 of 6", "4-0-0", "llr 0.04 of -2.94 to 2.94")];
    assert_eq!(lines.lines().count(), expected.len(), "{lines}");
    for (line, (games, points, ratio)) in lines.lines().zip(expected) {
        let start = format!("chuhe: {games} games: score {points} elo inf +/- inf los 0.");
        assert!(line.starts_with(&start) && line.ends_with(&format!(", {ratio}")), "{line}");
    }
    assert_eq!(with(&["--rating-interval", "0"]), "");
    assert!(!with(&["--rating-interval", "4"]).contains("llr"));
    // Every twentieth game by default.
    assert_eq!(with(&[]), "");
    let long = run(["cmd=CHUHE,name=a", &resigning], &["--games", "22", "--depth", "1"]);
    assert!(errors(&long).starts_with("chuhe: 20 of 22 games: score 20-0-0 elo inf"), "{}", errors(&long));
}

#[test]
fn json() {
    let output = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &["--games", "2", "--depth", "1", "--max-plies", "4", "--json"]);
    assert!(output.status.success());
    let all = text(&output);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines.len(), 3, "{all}");
    assert!(lines.iter().all(|line| line.starts_with('{') && line.ends_with('}')));
    assert!(lines[0].contains("\"red\":\"a\"") && lines[2].contains("\"pairs\":[") && lines[2].contains("\"elo\":"));
}

/// The standard error of a run.
fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn wrong_engine_options_are_errors_before_the_first_game() {
    let folder = folder("options");
    let (pgn, state) = (folder.join("games.pgn"), folder.join("match.state"));
    let files = ["--games", "2", "--depth", "1", "--pgn", pgn.to_str().unwrap(), "--state", state.to_str().unwrap()];
    for (spec, expected) in [
        ("cmd=CHUHE,option.Hsh=2", "has no option 'Hsh'"),
        ("cmd=CHUHE,option.Hash=two", "'two' is not accepted"),
        ("cmd=CHUHE,option.Hash=-1", "a whole number from"),
        ("cmd=CHUHE,option.Ponder=yes", "expected true or false"),
        ("cmd=CHUHE,option.Hash", "expected key=value"),
        ("cmd=CHUHE,proto=ucci,option.Hash=2", "has no option 'Hash'"),
        ("cmd=CHUHE,name=\"x", "quotation mark"),
    ] {
        let output = run(["cmd=CHUHE", spec], &files);
        assert_eq!(output.status.code(), Some(1), "{spec}");
        let message = errors(&output);
        assert!(message.lines().count() == 1 && message.contains(expected), "{message}");
        assert!(output.stdout.is_empty() && !pgn.exists() && !state.exists(), "{spec}");
    }
    let output = run(["cmd=CHUHE", "cmd=CHUHE"], &[&files[..], &["--each", "option.Hsh=2"]].concat());
    assert!(errors(&output).contains("has no option 'Hsh'"), "{}", errors(&output));
    // An engine for many games that was built without this one would play another.
    let output = run(["cmd=CHUHE", &puppet("chess")], &files);
    assert_eq!((output.status.code(), pgn.exists(), state.exists()), (Some(1), false, false), "{}", text(&output));
    assert!(errors(&output).contains("'xiangqi' is not accepted, expected one of chess, shogi"), "{}", errors(&output));
    std::fs::remove_dir_all(folder).unwrap();
}

/// UCCI without `usemillisec`.
#[test]
fn an_engine_with_times_in_seconds_gets_only_whole_seconds() {
    let folder = folder("seconds");
    let openings = folder.join("openings.fen");
    std::fs::write(&openings, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n").unwrap();
    let league = format!("{},proto=ucci", puppet("league"));
    let with = |engine: &str, time: &str| {
        let arguments = ["--games", "2", "--max-plies", "2", "--openings", openings.to_str().unwrap()];
        run([&format!("{engine},tc={time}"), "cmd=CHUHE,name=good,tc=nodes:100"], &arguments)
    };
    for (engine, time) in
        [(&league[..], "1+0.01"), (&league, "movetime:500"), ("cmd=CHUHE,proto=ucci,option.usemillisec=false", "movetime:1500")]
    {
        let output = with(engine, time);
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{time}: {}", text(&output));
        let message = errors(&output);
        assert!(message.lines().count() == 1 && message.contains("whole seconds") && message.contains(time), "{message}");
    }
    assert_eq!(score(&with(&league, "60+1")), (0, 2, 0));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn few_games_give_no_finite_elo() {
    let output = run(["cmd=CHUHE", &puppet("resigning")], &["--games", "2", "--depth", "1"]);
    assert_eq!(score(&output), (2, 0, 0));
    let last = text(&output).lines().last().unwrap().to_string();
    let chance: f64 = last.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(last.starts_with("score 2-0-0 elo inf +/- inf los 0.") && (0.6..0.95).contains(&chance), "{last}");
    // One game of a single move, one of none.
    assert!(text(&output).contains("endings: resignation 2; 0.5 plies per game"), "{}", text(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_prints_its_result() {
    use std::io::{BufRead, BufReader, Read};
    let engine = format!("cmd={}", engine_tests::chuhe().display());
    let mut child = piped(
        Command::new(engine_tests::chuhe())
            .args(["match", "--engine", &engine, "--engine", &engine, "--games", "100000", "--depth", "1", "--max-plies", "10"])
            .args(["--balance-nodes", "300", "--verbose"]),
    );
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("game 1: "));
    engine_tests::signal(&child, "INT");
    let last = lines.map(Result::unwrap).last().unwrap();
    assert!(last.starts_with("score ") && last.contains(" los "), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(message.contains("interrupted after ") && message.contains(" of 100000 games"), "{message}");
}

#[test]
fn quotes_commas_and_blanks_in_engines() {
    let folder = folder("quotes");
    let place = folder.join("my, engines");
    std::fs::create_dir(&place).unwrap();
    let program = place.join("an engine");
    std::fs::copy(engine_tests::chuhe(), &program).unwrap();
    let pgn = folder.join("games.pgn");
    let quoted = format!("cmd=\"{}\",name=\"A, \\\"B\\\"\"", program.display());
    let unquoted = format!("cmd={},name=C", program.display().to_string().replace(',', "\\,"));
    let output = run([&quoted, &unquoted], &["--games", "2", "--depth", "1", "--max-plies", "2", "--pgn", pgn.to_str().unwrap()]);
    assert_eq!(score(&output), (0, 2, 0));
    assert!(text(&output).contains("A, \"B\" vs C: "), "{}", text(&output));
    // Quotation marks in tags are escaped, and there is a date.
    let games = std::fs::read_to_string(&pgn).unwrap();
    assert!(games.contains("[Red \"A, \\\"B\\\"\"]") && games.contains("[Date \"20"), "{games}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn openings_of_games() {
    let folder = folder("games");
    let (first, second) = (folder.join("first.pgn"), folder.join("second.pgn"));
    let engines = ["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"];
    let arguments = ["--games", "2", "--depth", "1", "--max-plies", "8"];
    let random = ["--plies", "0", "--balance", "10000", "--pgn", first.to_str().unwrap()];
    score(&run(engines, &[&arguments[..], &random].concat()));
    let output = run(
        engines,
        &[&arguments[..], &["--openings", first.to_str().unwrap(), "--opening-plies", "5", "--pgn", second.to_str().unwrap()]]
            .concat(),
    );
    score(&output);
    let read = |path: &std::path::Path| -> Vec<Vec<String>> {
        chuhe::records::Records::open(path, None)
            .unwrap()
            .map(|record| record.unwrap().moves().map(|mv| mv.to_string()).collect())
            .collect()
    };
    let (before, after) = (read(&first), read(&second));
    assert_eq!(after[0][..5], before[0][..5]);
    assert_eq!((before[0].len(), after[0].len()), (8, 13));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_match_may_begin_with_any_opening_of_its_file() {
    let folder = folder("first-opening");
    let (openings, pgn) = (folder.join("openings.epd"), folder.join("games.pgn"));
    let start = chuhe::board::START_FEN;
    std::fs::write(&openings, format!("{start} moves h2e2\n{start} moves b2e2\n{start} moves c3c4\n")).unwrap();
    let arguments = ["--games", "4", "--depth", "1", "--max-plies", "2", "--first-opening", "6"];
    let files = ["--openings", openings.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()];
    score(&run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &[&arguments[..], &files].concat()));
    let games: Vec<Vec<String>> = chuhe::records::Records::open(&pgn, None)
        .unwrap()
        .map(|record| record.unwrap().moves().map(|mv| mv.to_string()).collect())
        .collect();
    let first: Vec<&str> = games.iter().map(|moves| moves[0].as_str()).collect();
    assert_eq!(first, ["c3c4", "c3c4", "h2e2", "h2e2"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn common_settings_and_logs() {
    let folder = folder("each");
    let logs = folder.join("logs");
    let output = run(
        ["cmd=CHUHE,name=a", "cmd=CHUHE,name=b,option.Hash=3"],
        &["--games", "2", "--max-plies", "4", "--each", "tc=depth:2,option.hash=2", "--log", logs.to_str().unwrap()],
    );
    assert_eq!(score(&output), (0, 2, 0));
    for (name, hash) in [("a-1.log", "< setoption name Hash value 2\n"), ("b-1.log", "< setoption name Hash value 3\n")] {
        let log = std::fs::read_to_string(logs.join(name)).unwrap();
        assert!(log.contains(hash) && log.contains("< go depth 2\n") && log.contains("> bestmove "), "{log}");
        assert!(log.contains(&format!("# the process ended with {}", SEVEN.replace('7', "0"))), "{log}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn more_than_two_engines() {
    let engines = ["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"];
    for (tournament, pairings) in
        [("round-robin", &["a vs b: ", "a vs c: ", "b vs c: "][..]), ("gauntlet", &["a vs b: ", "a vs c: "])]
    {
        let arguments = ["--engine", "cmd=CHUHE", "--games", "2", "--depth", "1", "--max-plies", "2", "--tournament", tournament];
        let arguments: Vec<String> =
            arguments.iter().map(|text| text.replace("CHUHE", &format!("{},name=c", engine_tests::chuhe().display()))).collect();
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = run(engines, &arguments);
        let all = text(&output);
        assert!(output.status.success(), "{all}{}", errors(&output));
        for pairing in pairings {
            assert!(all.contains(&format!("{pairing}score 0-2-0 elo 0.0 +/- ")), "{all}");
        }
        assert_eq!(all.matches(" vs ").count(), pairings.len(), "{all}");
        let table: Vec<Vec<&str>> = all.lines().rev().take(4).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(table[3], ["#", "engine", "games", "points", "%", "elo", "+/-", "los"], "{all}");
        assert!(table[..3].iter().all(|row| row.len() == 8 && row[4] == "50.0" && row[5] == "0.0"), "{all}");
        arguments.push("--json");
        let all = text(&run(engines, &arguments));
        let total: serde_json::Value = serde_json::from_str(all.lines().last().unwrap()).unwrap();
        assert_eq!(total["table"].as_array().unwrap().len(), 3);
        assert_eq!(total["pairings"].as_array().unwrap().len(), pairings.len());
    }
}

#[test]
fn stderr_and_exit_status_of_a_crash_are_reported() {
    let folder = folder("status");
    let (logs, pgn) = (folder.join("logs"), folder.join("games.pgn"));
    let output = run(
        ["cmd=CHUHE,name=good", &format!("{},name=crasher", puppet("crash"))],
        &["--games", "2", "--depth", "1", "--log", logs.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()],
    );
    assert_eq!(score(&output), (2, 0, 0));
    let message = errors(&output);
    assert!(
        message.contains(&format!("game 1: crasher: the process ended with {SEVEN}")) && message.contains("out of luck"),
        "{message}"
    );
    let log = std::fs::read_to_string(logs.join("crasher-1.log")).unwrap();
    assert!(log.contains("! out of luck\n") && log.contains(&format!("# the process ended with {SEVEN}")), "{log}");
    assert!(logs.join("crasher-2.log").exists());
    assert!(std::fs::read_to_string(&pgn).unwrap().contains(SEVEN));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_hanging_engine_is_killed_with_its_children() {
    let folder = folder("children");
    let pulse = folder.join("pulse");
    let hanger = puppet(&format!("parent '{}'", pulse.display()));
    let output = run(["cmd=CHUHE", &hanger], &["--games", "2", "--depth", "1", "--patience", "1"]);
    assert_eq!(score(&output), (2, 0, 0));
    let beats = || std::fs::metadata(&pulse).unwrap().len();
    let before = beats();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(beats(), before, "a child of the engine is still alive");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_pgn_gives_the_illegal_move_and_the_reason_of_a_repetition() {
    let folder = folder("reasons");
    let (openings, pgn) = (folder.join("openings.fen"), folder.join("games.pgn"));
    std::fs::write(&openings, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n").unwrap();
    let files = [
        "--games",
        "2",
        "--depth",
        "1",
        "--max-plies",
        "40",
        "--openings",
        openings.to_str().unwrap(),
        "--pgn",
        pgn.to_str().unwrap(),
    ];
    assert_eq!(score(&run(["cmd=CHUHE", &puppet("illegal")], &files)), (2, 0, 0));
    let games = String::from_utf8_lossy(&std::fs::read(&pgn).unwrap()).into_owned();
    let flat = games.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("illegal: 'a0a9' is not legal in rnb") && flat.contains("[Termination \"illegal move\"]"), "{games}");
    let other_ranks = ["cmd=CHUHE,name=one,option.Ranks=1-10", "cmd=CHUHE,name=other"];
    let output = run(other_ranks, &[&files[..], &["--verbose"]].concat());
    assert!(text(&output).contains(" w - - 0 1; it would be with ranks=1)"), "{}", text(&output));
    // Both move a rook back and forth.
    let mover = puppet("mover");
    let output = run([&mover, &mover], &files);
    assert_eq!(score(&output), (0, 2, 0), "{}", errors(&output));
    assert!(text(&output).contains("endings: repetition 2"), "{}", text(&output));
    let games = String::from_utf8_lossy(&std::fs::read(&pgn).unwrap()).into_owned();
    let flat = games.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("[Termination \"repetition\"]") && flat.contains("draw: "), "{games}");
    // The names of two equal engines differ.
    assert!(games.contains("[Black \"mover (2)\"]"), "{games}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_odd_number_of_games_is_explained() {
    let output = run(["cmd=CHUHE", "cmd=CHUHE"], &["--games", "3", "--depth", "1", "--max-plies", "2"]);
    assert_eq!(score(&output), (0, 4, 0));
    assert!(errors(&output).contains("--games 3 is rounded up to 4"), "{}", errors(&output));
}

#[test]
fn repeated_openings_are_reported() {
    let folder = folder("repeated");
    let openings = folder.join("openings.fen");
    std::fs::write(&openings, format!("{}\n", chuhe::board::START_FEN)).unwrap();
    let mover = puppet("mover");
    let arguments = ["--max-plies", "2", "--nodes", "1", "--openings", openings.to_str().unwrap(), "--games"];
    let with = |games: &str| errors(&run([&mover, &mover], &[&arguments[..], &[games]].concat()));
    assert_eq!(with("2"), "");
    assert!(with("4").contains("--openings: 1 opening for 2 pairs of games are repeated"), "{}", with("4"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn outputs_never_replace_inputs_or_foreign_files() {
    let folder = folder("safety");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n";
    let (openings, notes, pgn) = (file("openings.fen"), file("notes.txt"), file("games.pgn"));
    std::fs::write(&openings, fen).unwrap();
    std::fs::write(&notes, "my notes").unwrap();
    let with = |arguments: &[&str]| {
        let fixed = ["--games", "2", "--depth", "1", "--max-plies", "2", "--openings", &openings];
        run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &[&fixed[..], arguments].concat())
    };
    for arguments in [
        &["--pgn", &openings][..],
        &["--state", &openings],
        &["--pgn", &openings, "--force"],
        &["--state", &openings, "--force"],
        &["--pgn", &notes],
        &["--state", &notes],
        &["--pgn", &pgn, "--state", &pgn],
    ] {
        let output = with(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(errors(&output).lines().count(), 1, "{}", errors(&output));
        assert_eq!(std::fs::read_to_string(&openings).unwrap(), fen);
        assert_eq!(std::fs::read_to_string(&notes).unwrap(), "my notes");
    }
    // Games are appended to those of a match; with --force they replace the file.
    let count = || std::fs::read_to_string(&pgn).unwrap().matches("[Event ").count();
    score(&with(&["--pgn", &pgn]));
    score(&with(&["--pgn", &pgn]));
    assert_eq!(count(), 4);
    score(&with(&["--pgn", &pgn, "--force"]));
    assert_eq!(count(), 2);
    score(&with(&["--pgn", &notes, "--force"]));
    assert!(std::fs::read_to_string(&notes).unwrap().starts_with("[Game "));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_closed_output_ends_the_match() {
    use std::io::{BufRead, BufReader, Read};
    let engine = format!("cmd={}", engine_tests::chuhe().display());
    let mut child = piped(
        Command::new(engine_tests::chuhe())
            .args(["match", "--engine", &engine, "--engine", &engine, "--games", "1000000", "--depth", "1", "--max-plies", "2"])
            .args(["--balance-nodes", "300", "--verbose"]),
    );
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!((child.wait().unwrap().code(), message.as_str()), (Some(141), ""));
}

/// On a full disk, simulated by a limit on the size of files, the finished games still count.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_result() {
    let folder = folder("disk");
    let engine = format!("cmd={}", engine_tests::chuhe().display());
    for (option, file, games) in [("--pgn", "games.pgn", 1), ("--log", "logs", 2)] {
        let output = Command::new("sh")
            .args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(engine_tests::chuhe())
            .args(["match", "--engine", &engine, "--engine", &engine, "--games", "2", "--depth", "1", "--max-plies", "2"])
            .args(["--balance-nodes", "300", option, file])
            .current_dir(&folder)
            .output()
            .unwrap();
        let last = text(&output).lines().last().unwrap_or_default().to_string();
        assert!(last.starts_with(&format!("score 0-{games}-0 elo ")), "{option}: {last}");
        let message = errors(&output);
        assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{option}: {message}");
        assert!(message.contains(file), "{option}: {message}");
    }
    assert!(!folder.join("games.pgn").exists());
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_is_an_error_and_the_games_are_kept() {
    let folder = folder("full");
    let pgn = folder.join("games.pgn");
    let engine = format!("cmd={}", engine_tests::chuhe().display());
    let output = Command::new(engine_tests::chuhe())
        .args(["match", "--engine", &engine, "--engine", &engine, "--games", "2", "--depth", "1", "--max-plies", "2"])
        .args(["--balance-nodes", "300", "--verbose", "--pgn", pgn.to_str().unwrap()])
        .stdout(std::fs::File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).starts_with("chuhe: standard output: "), "{}", errors(&output));
    assert_eq!(errors(&output).lines().count(), 1);
    assert_eq!(std::fs::read_to_string(&pgn).unwrap().matches("[Event ").count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}
