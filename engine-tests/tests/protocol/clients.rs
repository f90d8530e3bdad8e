//! Behaviour of clients on other systems: paths and text in a code page, options of older UCCI versions, sudden death; and interactive use on
//! a terminal.

use engine_tests::client::{Client, PATIENCE};
use engine_tests::{chuhe, repository};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// 开局库 in GBK.
const BOOK_IN_GBK: &[u8] = b"\xbf\xaa\xbe\xd6\xbf\xe2";

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

/// All lines up to the answer, as bytes.
fn bytes_to_answer(client: &mut Client, go: &str) -> Vec<Vec<u8>> {
    client.send(go);
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &Vec<u8>| line.starts_with(b"bestmove")) {
        lines.push(client.next_bytes(PATIENCE).expect("an answer").1);
    }
    lines
}

#[test]
fn paths_come_in_utf8_or_in_a_code_page() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("开局库.wxf"), "").unwrap();
    for (name, encoding) in [
        ("开局库".as_bytes(), ""),
        ("开局库".as_bytes(), "setoption encoding GBK\n"),
        (BOOK_IN_GBK, ""),
        (BOOK_IN_GBK, "setoption encoding GBK\n"),
        (BOOK_IN_GBK, "setoption guiname XQWizard\r\n"),
    ] {
        let mut client = Client::ucci();
        client.send("setoption usebook true");
        let path = [folder.path().to_str().unwrap().as_bytes(), b"/", name, b".wxf"].concat();
        client.send_bytes(&[encoding.as_bytes(), b"setoption bookfiles ", &path, b"\n"].concat());
        let lines = bytes_to_answer(&mut client, "go nodes 100");
        // The file is empty, which is reported for this file only.
        let reports: Vec<_> = lines.iter().filter(|line| line.starts_with(b"info message book ")).collect();
        assert!(reports.iter().all(|line| !contains(line, b"os error")), "{name:?} {encoding}: {}", client.transcript());
    }
}

#[test]
fn networks_come_from_such_paths_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("开局库.nnue"), chuhe::nnue::Network::builtin().to_bytes()).unwrap();
    for name in ["开局库".as_bytes(), BOOK_IN_GBK] {
        let mut client = Client::ucci();
        let path = [folder.path().to_str().unwrap().as_bytes(), b"/", name, b".nnue"].concat();
        for quote in ["", "\""] {
            client.send_bytes(&[b"setoption evalfile ", quote.as_bytes(), &path, quote.as_bytes(), b"\n"].concat());
            let line = client.next_line(PATIENCE).unwrap_or_default();
            assert!(line.contains("network: ") && !line.contains("is kept"), "{name:?}: {line}");
        }
    }
}

/// Clients start the engine in a folder of their own, but users put a network into the folder of the program.
#[test]
fn a_relative_path_is_also_looked_for_next_to_the_program() {
    let (installed, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let program = installed.path().join(chuhe().file_name().unwrap());
    std::fs::hard_link(chuhe(), &program).or_else(|_| std::fs::copy(chuhe(), &program).map(drop)).unwrap();
    std::fs::create_dir(installed.path().join("nets")).unwrap();
    std::fs::write(installed.path().join("nets/own.nnue"), chuhe::nnue::Network::builtin().to_bytes()).unwrap();
    let answer = |commands: &str| {
        let pipes = Command::new(&program).current_dir(&elsewhere).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = pipes.expect("the program starts");
        child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let load = "setoption name EvalFile value nets/own.nnue\n";
    assert!(answer(load).starts_with("info string network: "), "{}", answer(load));
    let missing = answer("setoption name EvalFile value nets/other.nnue\n");
    assert!(missing.starts_with("info string EvalFile: nets/other.nnue: "), "{missing}");
    // The working directory takes precedence.
    std::fs::create_dir(elsewhere.path().join("nets")).unwrap();
    std::fs::write(elsewhere.path().join("nets/own.nnue"), "not a network").unwrap();
    assert!(answer(load).starts_with("info string EvalFile: nets/own.nnue: "), "{}", answer(load));
}

#[test]
fn errors_are_in_the_encoding_of_the_client() {
    let network = |setup: &str, greeting: &str, word: &str| {
        let mut client = Client::start();
        client.ask(greeting, word);
        client.send_bytes(&[setup.as_bytes(), b"setoption evalfile nowhere/", BOOK_IN_GBK, b".nnue\n"].concat());
        client.next_bytes(PATIENCE).expect("a report").1
    };
    let utf8 = network("", "uci", "uciok");
    assert!(contains(&utf8, "nowhere/开局库.nnue".as_bytes()), "{}", String::from_utf8_lossy(&utf8));
    for setup in ["setoption encoding GBK\n", "setoption guiname XQWizard\n"] {
        let gbk = network(setup, "ucci", "ucciok");
        assert!(contains(&gbk, &[b"nowhere/", BOOK_IN_GBK, b".nnue"].concat()), "{}", String::from_utf8_lossy(&gbk));
    }
}

#[test]
fn a_folder_is_no_book() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start();
    client.ask("ucci", "ucciok");
    client.send(&format!("setoption bookfiles {}", folder.path().display()));
    let lines = client.go("go nodes 100");
    assert!(lines.iter().any(|line| line.ends_with(": a folder, expected a book")), "{lines:?}");
}

#[test]
fn words_of_the_older_ucci_are_understood() {
    // Ten plies without a capture, by a counter in the FEN.
    let position = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 10 6";
    for (limit, is_over) in [("10", true), ("100", false)] {
        let mut client = Client::ucci();
        client.send(&format!("setoption drawmoves {limit}"));
        client.send("setoption repetition chineserule");
        client.send(position);
        let lines = client.go("go depth 1");
        assert_eq!(lines.iter().any(|line| line.contains("the game is over")), is_over, "{limit}: {lines:?}");
    }
}

/// VinXiangQi sends both greetings at once, and reads info lines as pairs of different words up to `pv` or `string`.
#[test]
fn a_client_that_greets_in_both_protocols_gets_no_message_of_ucci() {
    let mut client = Client::start();
    client.send_bytes(b"uci\nucci\nsetoption usebook false\n");
    client.until("ucciok");
    client.send("position fen 4k4/9/9/9/9/9/9/9/9/4K4 w");
    client.send("setoption repetition x");
    client.send("position startpos moves h2e2 h2e2");
    let lines = client.go("go movetime 50");
    let texts = lines.iter().filter(|line| line.starts_with("info string ")).count();
    assert!(texts >= 6, "{lines:?}");
    for line in lines.iter().filter(|line| line.starts_with("info ")) {
        let words = line.split(' ').skip(1).take_while(|&word| word != "pv" && word != "string");
        let names: Vec<&str> = words.step_by(2).collect();
        let is_repeated = |name| names.iter().filter(|&other| other == name).count() > 1;
        assert!(!names.contains(&"message") && !names.iter().any(is_repeated), "{line}");
    }
    // The second greeting has selected the protocol.
    assert!(lines.iter().any(|line| line.starts_with("info depth 1 score ")) && !lines.iter().any(|line| line.contains(" cp ")));
}

#[test]
fn xiangqi_wizard_gets_no_line_twice() {
    let mut client = Client::ucci();
    client.send("setoption guiname XQWizard");
    let lines = client.go("go depth 4");
    assert!(lines.iter().all(|line| !line.starts_with("info message")), "{lines:?}");
}

#[test]
fn the_documentation_shows_the_table_of_options() {
    let page = repository().join("docs/src/users/options.md");
    let Ok(text) = std::fs::read_to_string(&page) else {
        return eprintln!("skipped: there is no {}", page.display());
    };
    let table = chuhe::protocol::options_table();
    assert!(text.contains(&table), "{} does not hold the table of options, which is\n{table}", page.display());
}

/// Maximum time until an engine exits after its client was killed; Wine can be slow.
const SOON: Duration = if cfg!(windows) { PATIENCE } else { Duration::from_secs(4) };
/// Observation time of an engine that must stay alive: longer than an exit takes.
const A_WHILE: Duration = Duration::from_secs(4);

/// Kills a client that has started the engine on its own input and output, and returns whether the engine exits within
/// this time while its input stays open.
fn ends_with_its_parent(client: &mut Command, go: &str, time: Duration) -> bool {
    let mut parent =
        client.env_remove("CHUHE_OPTIONS").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the client starts");
    let mut output = BufReader::new(parent.stdout.take().unwrap());
    let mut number = String::new();
    output.read_line(&mut number).unwrap();
    assert!(number.trim().parse::<u32>().is_ok(), "{number}");
    let mut input = parent.stdin.take().unwrap();
    input.write_all(b"uci\n").unwrap();
    // Once it answers, the engine has identified its client and watches it.
    let mut line = String::new();
    while line.trim() != "uciok" {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "no greeting");
    }
    input.write_all(go.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    parent.kill().unwrap();
    parent.wait().unwrap();
    // On Windows an open handle keeps a process object alive.
    drop(parent);
    let (sender, ended) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let _ = output.read_to_end(&mut Vec::new());
        let _ = sender.send(());
    });
    let has_ended = ended.recv_timeout(time).is_ok();
    drop(input);
    reader.join().unwrap();
    has_ended
}

/// Whether the tests were started by `nohup` or similar. Their child processes inherit this, and then outlive their client.
fn outlives_its_client() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let lives_on = ignored.is_some_and(|signals| signals & 1 != 0);
    if lives_on {
        eprintln!("skipped: the tests were started with hangups ignored");
    }
    lives_on
}

fn puppet() -> Command {
    Command::new(env!("CARGO_BIN_EXE_puppet"))
}

#[test]
fn the_engine_ends_with_its_client() {
    if outlives_its_client() {
        return;
    }
    for go in ["", "go infinite\n"] {
        assert!(ends_with_its_parent(puppet().arg("client").arg(chuhe()), go, SOON));
    }
}

/// Verifies on every system that the engine of the test above is ended only by its watch on the client.
#[test]
fn an_engine_that_does_not_watch_outlives_its_client() {
    for go in ["", "go infinite\n"] {
        assert!(!ends_with_its_parent(puppet().arg("client").arg(chuhe()).arg("watchparent=false"), go, A_WHILE));
    }
}

#[test]
fn the_engine_ends_though_it_holds_its_own_input_open() {
    if outlives_its_client() {
        return;
    }
    let mut client = puppet();
    client.arg("holder").arg(chuhe()).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut client = client.spawn().expect("the client starts");
    let mut output = BufReader::new(client.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let number = line.trim().to_string();
    while line.trim() != "uciok" {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "no greeting");
    }
    client.kill().unwrap();
    client.wait().unwrap();
    drop(client);
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let _ = output.read_to_end(&mut Vec::new());
        let _ = sender.send(());
    });
    let has_ended = ended.recv_timeout(SOON).is_ok();
    if !has_ended {
        // It would wait forever.
        let mut kill = Command::new(if cfg!(windows) { "taskkill" } else { "kill" });
        let _ = kill.args(if cfg!(windows) { &["/F", "/PID"][..] } else { &["-KILL"] }).arg(number).status();
    }
    assert!(has_ended);
}

/// Uses a shell as the client.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_was_detached_lives_on() {
    for before in ["trap '' HUP;", "CHUHE_OPTIONS=watchparent=false; export CHUHE_OPTIONS;"] {
        let script = format!("{before} exec 3<&0; '{}' <&3 & echo $!; wait", chuhe().display());
        assert!(!ends_with_its_parent(Command::new("sh").args(["-c", &script]), "", A_WHILE));
    }
    let script = format!("exec 3<&0; '{}' <&3 & echo $!; wait", chuhe().display());
    assert!(!ends_with_its_parent(Command::new("sh").args(["-c", &script]), "setoption name watchparent value false\n", A_WHILE));
}

#[test]
fn a_full_disk_is_reported_in_one_line() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return eprintln!("skipped: this system has no /dev/full");
    };
    let mut child =
        Command::new(chuhe()).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"uci\n").unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(errors.starts_with("chuhe: standard output: ") && errors.lines().count() == 1, "{errors}");
}

/// The output on a terminal when these lines are typed; none if no terminal can be created.
#[cfg(target_os = "linux")]
fn typed(lines: &str) -> Option<String> {
    // util-linux's script runs a command on a new terminal.
    let mut child = Command::new("script")
        .args(["-qec", chuhe().to_str()?, "/dev/null"])
        .env_remove("CHUHE_OPTIONS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    input.write_all(lines.as_bytes()).ok()?;
    let mut text = String::new();
    child.stdout.take()?.read_to_string(&mut text).ok()?;
    child.wait().ok()?;
    Some(text)
}

#[cfg(target_os = "linux")]
#[test]
fn hints_are_shown_on_a_terminal() {
    let Some(text) = typed("xyzzy plugh\n\nsetoption name Hash value much\nquit\n") else {
        return eprintln!("skipped: the command script is missing");
    };
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("chuhe is a xiangqi engine"), 1, "{text}");
    assert_eq!(count("'help' for the commands"), 1, "{text}");
    assert_eq!(count("unknown command 'xyzzy'"), 1, "{text}");
    assert_eq!(count("unknown command"), 1, "{text}");
    assert_eq!(count("option Hash: expected a number from 1 to 1048576"), 1, "{text}");
}

#[test]
fn hints_are_not_shown_to_programs() {
    let mut client = Client::start();
    client.send("xyzzy");
    client.send("setoption name Hash value much");
    client.assert_silent();
}
