//! `chuhe match` as a user runs it: good engines of both protocols, bad engines that must be survived, interruption.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for each test.
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
        .args(["--balance-nodes", "300"])
        .args(if arguments.contains(&"--max-plies") { &[][..] } else { &["--max-plies", "24"][..] })
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Wins, draws and losses of the last line, whose form others rely on.
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

#[cfg(unix)]
#[test]
fn bad_engines_lose_and_are_started_anew() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("bad");
    let greeting = "read line; echo id name bad; echo uciok\n";
    let serve = |on_go: &str| {
        format!(
            "#!/bin/sh\n{greeting}while read first rest; do case \"$first\" in\nisready) echo readyok;;\ngo) {on_go};;\nquit) exit;;\nesac; done\n"
        )
    };
    let cases = [
        ("crash", serve("exit 1"), "crash 2"),
        ("illegal", serve("echo bestmove a0a9"), "illegal move 2"),
        ("gibberish", serve("echo bestmove xyz"), "illegal move 2"),
        ("silent", serve("sleep 60"), "hang 2"),
        ("resigning", serve("echo 'bestmove (none)'"), "resignation 2"),
    ];
    for (name, script, fault) in cases {
        let path = folder.join(name);
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let output = run(
            [&format!("cmd={},name=bad", path.display()), "cmd=CHUHE,name=good"],
            &["--games", "2", "--nodes", "100", "--patience", "2"],
        );
        assert_eq!(score(&output), (0, 0, 2), "{name}: {}", text(&output));
        assert!(text(&output).contains(fault), "{name}: {}", text(&output));
        assert!(text(&output).contains("of good: none"), "{name}: {}", text(&output));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_slow_engine_forfeits_on_time() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("slow");
    let path = folder.join("slow");
    let script = "#!/bin/sh\nread line; echo uciok\nwhile read first rest; do case \"$first\" in\nisready) echo readyok;;\n\
                  go) sleep 1; echo bestmove h2e2;;\nquit) exit;;\nesac; done\n";
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output =
        run([&format!("cmd={},name=slow,tc=0.3+0", path.display()), "cmd=CHUHE,name=good,tc=nodes:100"], &["--games", "2"]);
    assert_eq!(score(&output), (0, 0, 2), "{}", text(&output));
    assert!(text(&output).contains("faults of slow: time forfeit 2"), "{}", text(&output));
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
}

#[test]
fn bad_arguments_are_told_in_a_line() {
    for (engines, arguments) in [
        (["name=x", "cmd=CHUHE"], &[][..]),
        (["cmd=CHUHE,proto=cecp", "cmd=CHUHE"], &[]),
        (["cmd=CHUHE", "cmd=CHUHE"], &["--openings", "/nowhere/openings.epd"]),
        (["cmd=CHUHE", "cmd=CHUHE"], &["--engine", "cmd=CHUHE"]),
    ] {
        let output = run(engines, arguments);
        assert_eq!(output.status.code(), Some(1), "{engines:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
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
fn an_interrupted_match_goes_on() {
    let folder = folder("resume");
    let state = folder.join("match.state");
    let arguments = ["--games", "6", "--depth", "2", "--max-plies", "8", "--state", state.to_str().unwrap()];
    let whole = score(&run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &arguments));
    let lines: Vec<String> = std::fs::read_to_string(&state).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), 7);
    // As if it had been interrupted in the middle of the fourth game's line.
    std::fs::write(&state, lines[..4].join("\n") + "\n" + &lines[4][..10]).unwrap();
    let output = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=b"], &[&arguments[..], &["--verbose"]].concat());
    assert_eq!(score(&output), whole);
    assert_eq!(text(&output).matches("\ngame ").count() + text(&output).starts_with("game ") as usize, 3, "{}", text(&output));
    let other = run(["cmd=CHUHE,name=a", "cmd=CHUHE,name=c"], &arguments);
    assert_eq!(other.status.code(), Some(1));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sequential_test_ends_early() {
    // The first engine sees nothing: it loses its games quickly.
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
