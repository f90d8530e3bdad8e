//! File safety: every command that writes is run with each of its inputs as the output, on a full disk, and is
//! killed while running; inputs and finished outputs must be unchanged.

use engine_tests::chuhe;
#[cfg(unix)]
use engine_tests::client::Client;
use engine_tests::client::PATIENCE;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const GAME: &str = "[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0\n\n";
const LIST: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n";

/// A command that writes: its arguments, with `OUT` for the output, and the names of its inputs.
struct Case {
    arguments: &'static str,
    inputs: &'static [&'static str],
    /// Whether it continues its own existing output.
    continues: bool,
}

const CASES: [Case; 4] = [
    Case { arguments: "convert games.pgn OUT --to-format pgn", inputs: &["games.pgn"], continues: false },
    Case { arguments: "convert games.pgn OUT --to-format ubb", inputs: &["games.pgn"], continues: false },
    Case {
        arguments: "book build games.pgn lines.wxf -o OUT --min-plies 1",
        inputs: &["games.pgn", "lines.wxf"],
        continues: false,
    },
    Case { arguments: "book export lines.wxf -o OUT", inputs: &["lines.wxf"], continues: false },
];

/// Outputs of analyses and matches.
const ANALYSES: [Case; 6] = [
    Case { arguments: "diagram -o OUT", inputs: &[], continues: false },
    Case { arguments: "analyze games.pgn list.fen --depth 1 --report OUT", inputs: &["games.pgn", "list.fen"], continues: false },
    Case { arguments: "analyze games.pgn list.fen --depth 1 --resume OUT", inputs: &["games.pgn", "list.fen"], continues: true },
    Case { arguments: "analyze list.fen --depth 1 --resume OUT --report page.html", inputs: &["list.fen"], continues: true },
    Case {
        arguments: "match --engine cmd=CHUHE --engine cmd=CHUHE --depth 1 --games 2 --openings list.fen --pgn OUT",
        inputs: &["list.fen"],
        continues: true,
    },
    Case {
        arguments: "match --engine cmd=CHUHE --engine cmd=CHUHE,name=second --depth 1 --games 2 \
                    --openings games.pgn --opening-plies 2 --pgn page.pgn --state OUT",
        inputs: &["games.pgn"],
        continues: true,
    },
];

/// An existing output and a new one, with an extension that every case can write.
const OLD: &str = "old.svg";
const NEW: &str = "new.svg";
/// The settings file of a resumable analysis, next to its results.
const SETTINGS: &str = "new.svg.settings.json";

/// A folder with the inputs of all cases.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let many = GAME.repeat(400);
    for (name, text) in [("games.pgn", many.as_str()), ("lines.wxf", "C2.5 H8+7\nP7+1\n"), ("list.fen", &LIST.repeat(3))] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Every file below a folder with its contents.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), std::fs::read(path).unwrap());
        }
    }
    found
}

fn arguments(case: &Case, output: &str) -> Vec<String> {
    let program = chuhe().to_str().expect("the program has a plain name");
    case.arguments.split(' ').map(|argument| argument.replace("OUT", output).replace("CHUHE", program)).collect()
}

/// Runs the program with a timeout, after which it must be blocked.
fn run(folder: &Path, arguments: &[String]) -> Output {
    let mut command = Command::new(chuhe());
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let id = child.id().to_string();
    let (ended, end) = std::sync::mpsc::channel();
    let waiting = std::thread::spawn(move || ended.send(child.wait_with_output()));
    let output = end.recv_timeout(4 * PATIENCE).unwrap_or_else(|_| {
        let _ = Command::new("kill").args(["-KILL", &id]).status();
        panic!("{arguments:?}: still running after {:?}", 4 * PATIENCE)
    });
    waiting.join().unwrap().unwrap();
    output.expect("the output can be read")
}

/// Starts the program with empty input and discarded output.
fn start_unheard(folder: &Path, arguments: &[String]) -> Child {
    let mut command = Command::new(chuhe());
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// One line on standard error that names the file, and status 1.
fn assert_refused(output: &Output, file: &str, arguments: &[String]) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(error.contains(file), "{arguments:?}: {error}");
    // The temporary name of a file is meaningless to a user.
    assert!(!error.contains("panicked") && !error.contains(".part"), "{arguments:?}: {error}");
}

fn no_command_overwrites_one_of_its_inputs(cases: &[Case]) {
    for case in cases {
        for input in case.inputs {
            for extra in [&[][..], &["--force".to_string()][..]] {
                let folder = folder();
                let before = contents(folder.path());
                let arguments = [&arguments(case, input)[..], extra].concat();
                assert_refused(&run(folder.path(), &arguments), input, &arguments);
                assert!(contents(folder.path()) == before, "{arguments:?} changed a file");
            }
        }
    }
}

#[test]
fn games_and_books_are_safe() {
    no_command_overwrites_one_of_its_inputs(&CASES);
    existing_outputs_are_replaced_only_with_force(&CASES);
    killed_in_the_middle(&CASES);
    if cfg!(unix) {
        a_full_disk_leaves_nothing_behind(&CASES);
    }
}

#[test]
fn analyses_and_matches_are_safe() {
    no_command_overwrites_one_of_its_inputs(&ANALYSES);
    existing_outputs_are_replaced_only_with_force(&ANALYSES);
    killed_in_the_middle(&ANALYSES);
    if cfg!(unix) {
        a_full_disk_leaves_nothing_behind(&ANALYSES);
    }
}

#[test]
fn inputs_are_recognised_under_every_name() {
    let folder = folder();
    std::fs::hard_link(folder.path().join("games.pgn"), folder.path().join("twin.pgn")).unwrap();
    let before = contents(folder.path());
    for name in ["./games.pgn", "twin.pgn"] {
        let arguments = ["convert", "games.pgn", name, "--force"].map(String::from);
        assert_refused(&run(folder.path(), &arguments), name, &arguments);
    }
    assert!(contents(folder.path()) == before);
}

fn existing_outputs_are_replaced_only_with_force(cases: &[Case]) {
    for case in cases.iter().filter(|case| !case.continues) {
        let folder = folder();
        std::fs::write(folder.path().join(OLD), "precious").unwrap();
        let before = contents(folder.path());
        let mut arguments = arguments(case, OLD);
        assert_refused(&run(folder.path(), &arguments), OLD, &arguments);
        assert!(contents(folder.path()) == before, "{arguments:?} changed a file");
        arguments.push("--force".into());
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_ne!(std::fs::read(folder.path().join(OLD)).unwrap(), b"precious", "{arguments:?}");
    }
}

/// A limit on the size of files simulates a full disk: writing fails in the same way on every machine.
fn a_full_disk_leaves_nothing_behind(cases: &[Case]) {
    for case in cases {
        let folder = folder();
        let before = contents(folder.path());
        let arguments = arguments(case, NEW);
        let output = Command::new("sh")
            // In blocks of 512 bytes.
            .args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(chuhe())
            .args(&arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        assert_refused(&output, NEW, &arguments);
        let after = contents(folder.path());
        assert!(after == before, "{arguments:?} left {:?}", after.keys());
    }
}

/// A command killed at any time has not changed its inputs or an earlier output; its own output is missing or complete.
fn killed_in_the_middle(cases: &[Case]) {
    for case in cases {
        let whole = {
            let folder = folder();
            let arguments = arguments(case, NEW);
            assert!(run(folder.path(), &arguments).status.success(), "{arguments:?}");
            std::fs::read(folder.path().join(NEW)).unwrap()
        };
        for wait in [0u64, 3, 10, 30] {
            let folder = folder();
            std::fs::write(folder.path().join("other"), "an earlier result").unwrap();
            let before = contents(folder.path());
            let mut child = start_unheard(folder.path(), &arguments(case, NEW));
            std::thread::sleep(Duration::from_millis(wait));
            child.kill().unwrap();
            child.wait().unwrap();
            let mut after = contents(folder.path());
            // The unfinished output is next to it under a temporary name, which only a kill leaves behind.
            after.retain(|path, _| !is_part(path));
            if case.continues {
                after.remove(&folder.path().join(SETTINGS));
            }
            let page = after.remove(&folder.path().join("page.html"));
            assert!(page.is_none_or(|page| page.ends_with(b"\n") || page.ends_with(b">")), "a page that is cut");
            // A match appends complete games.
            let games = after.remove(&folder.path().join("page.pgn"));
            assert!(games.is_none_or(|games| games.is_empty() || games.ends_with(b"\n\n")), "a game that is cut");
            if let Some(new) = after.remove(&folder.path().join(NEW)) {
                assert!(case.continues || new.len() == whole.len(), "{:?}: a part of the result", case.arguments);
            }
            assert!(after == before, "{:?} changed a file", case.arguments);
            // The next run removes what a kill has left, and its output is complete.
            std::fs::write(folder.path().join(format!(".chuhe-{NEW}-abc123.part")), "left by a kill").unwrap();
            let mut arguments = arguments(case, NEW);
            if !case.continues || arguments.iter().any(|argument| argument == "--report") {
                arguments.push("--force".into());
            }
            let again = run(folder.path(), &arguments);
            assert!(again.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&again.stderr));
            let parts: Vec<PathBuf> = contents(folder.path()).into_keys().filter(|path| is_part(path)).collect();
            assert!(parts.is_empty() || case.continues, "{arguments:?} left {parts:?}");
            let new = std::fs::read(folder.path().join(NEW)).unwrap();
            assert!(case.continues || new.len() == whole.len(), "{arguments:?}");
        }
    }
}

/// Whether a file is a temporary output file.
fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    name.starts_with(".chuhe-") && name.ends_with(".part")
}

/// The programs of both engines are inputs of a match.
#[cfg(unix)]
#[test]
fn an_engine_is_never_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let engine = folder.path().join("engine.sh");
    std::fs::write(&engine, format!("#!/bin/sh\nexec '{}'\n", chuhe().display())).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let before = contents(folder.path());
    let first = format!("cmd={}", chuhe().display());
    for [first, second] in [[first.as_str(), "cmd=./engine.sh"], ["cmd=./engine.sh", first.as_str()]] {
        for option in ["--pgn", "--state"] {
            let arguments = ["match", "--engine", first, "--engine", second, "--depth", "1", "--force", option, "engine.sh"];
            let arguments = arguments.map(String::from);
            assert_refused(&run(folder.path(), &arguments), "engine.sh", &arguments);
            assert!(contents(folder.path()) == before, "{arguments:?} changed a file");
        }
    }
}

/// If all files of a folder are read as records, a record is never replaced whatever its extension; a page of an earlier run may be.
#[test]
fn a_record_of_any_extension_is_never_replaced_by_a_page() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.dat"), GAME).unwrap();
    let report = |name: &str| {
        let arguments = ["analyze", ".", "--from-format", "pgn", "--depth", "1", "--report", name, "--force"].map(String::from);
        (run(folder.path(), &arguments), arguments)
    };
    let (output, arguments) = report("game.dat");
    assert_refused(&output, "game.dat", &arguments);
    assert_eq!(std::fs::read_to_string(folder.path().join("game.dat")).unwrap(), GAME);
    for _ in 0..2 {
        let (output, arguments) = report("page.htm");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A named pipe without readers or writers.
#[cfg(unix)]
fn pipe(folder: &Path) -> PathBuf {
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
    pipe
}

/// Reading devices and pipes might never end, or block.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_rejected_as_input_files() {
    let folder = folder();
    let engine = format!("cmd={}", chuhe().display());
    let pipe = pipe(folder.path());
    for file in ["/dev/zero", "pipe"] {
        let arguments = ["match", "--engine", &engine, "--engine", &engine, "--depth", "1", "--games", "2", "--state", file]
            .map(String::from);
        assert_refused(&run(folder.path(), &arguments), file, &arguments);
        let arguments = ["book", "probe", "--book", file].map(String::from);
        assert_refused(&run(folder.path(), &arguments), file, &arguments);
    }
    let arguments = ["notation", "--to", "poem", "--legend", "/dev/zero", "h2e2"].map(String::from);
    assert_refused(&run(folder.path(), &arguments), "/dev/zero", &arguments);
    let mut client = Client::uci();
    client.send(&format!("setoption name EvalFile value {}", pipe.display()));
    let answer = client.ask("isready", "readyok");
    assert!(answer.iter().any(|line| line.contains("a device or a pipe")), "{answer:?}");
}

/// Output to a pipe arrives at its reader. The comparison with the inputs must not open the pipe.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_to() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("records")).unwrap();
    std::fs::write(folder.path().join("records/game.dat"), GAME).unwrap();
    let pipe = pipe(folder.path());
    let records = Case {
        arguments: "analyze records --from-format pgn --depth 1 --report OUT",
        inputs: &["records/game.dat"],
        continues: false,
    };
    let report = Case { arguments: "analyze list.fen --depth 1 --report OUT", inputs: &["list.fen"], continues: false };
    let page = "<!doctype html>";
    for (case, start) in [(&CASES[0], "[Game"), (&report, page), (&records, page), (&ANALYSES[4], "[Game")] {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe)
        });
        let arguments = arguments(case, "pipe");
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = reader.join().unwrap().unwrap();
        assert!(text.starts_with(start), "{arguments:?}: {text}");
    }
}

/// Runs the program and interrupts it after this many milliseconds, unless it has ended by then.
#[cfg(unix)]
fn run_interrupted(folder: &Path, arguments: &[String], wait: u64) {
    let mut child = start_unheard(folder, arguments);
    std::thread::sleep(Duration::from_millis(wait));
    let _ = Command::new("kill").arg("-INT").arg(child.id().to_string()).stderr(Stdio::null()).status();
    child.wait().unwrap();
    let parts: Vec<PathBuf> = contents(folder).into_keys().filter(|path| is_part(path)).collect();
    assert!(parts.is_empty(), "{arguments:?} interrupted after {wait} ms left {parts:?}");
}

/// Ctrl-C leaves no unfinished output.
#[cfg(unix)]
#[test]
fn an_interruption_leaves_nothing_behind() {
    for case in CASES.iter().chain(&ANALYSES[..1]) {
        for wait in [5, 20, 60] {
            let folder = folder();
            run_interrupted(folder.path(), &arguments(case, NEW), wait);
        }
    }
}

/// With a folder of many small games, one of them is being created or renamed at almost every moment.
#[cfg(unix)]
#[test]
fn an_interruption_between_two_files_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = folder.path().join("shelf");
    std::fs::create_dir(&shelf).unwrap();
    for game in 0..1000 {
        std::fs::write(shelf.join(format!("{game}.pgn")), GAME).unwrap();
    }
    for wait in 20..60 {
        let copies = tempfile::tempdir_in(folder.path()).unwrap();
        let arguments = ["convert".into(), "shelf".into(), copies.path().display().to_string(), "--to-format=ubb".into()];
        run_interrupted(folder.path(), &arguments, wait);
    }
}

#[test]
fn a_folder_converted_into_itself_or_inside_itself_is_converted_once() {
    let folder = tempfile::tempdir().unwrap();
    let names = |folder: &Path| -> Vec<String> {
        let text = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
        contents(folder).keys().map(|path| text(path)).collect()
    };
    std::fs::write(folder.path().join("a.pgn"), GAME).unwrap();
    let convert = |from: &str, to: &str| run(folder.path(), &["convert", from, to].map(String::from));
    assert!(convert("a.pgn", "b.xqf").status.success());
    let before = contents(folder.path());
    // A file that already has the format is kept; no extension is doubled.
    assert!(convert(".", ".").status.success());
    assert_eq!(names(folder.path()), ["a.pgn", "b.xqf", "b.xqf.pgn"]);
    // The second time all outputs exist already.
    assert_refused(&convert(".", "."), "b.xqf.pgn", &[]);
    assert_eq!(names(folder.path()), ["a.pgn", "b.xqf", "b.xqf.pgn"]);
    std::fs::remove_file(folder.path().join("b.xqf.pgn")).unwrap();
    for _ in 0..2 {
        convert(".", "out");
        assert_eq!(names(folder.path()), ["a.pgn", "b.xqf", "out/a.pgn", "out/b.xqf.pgn"]);
    }
    assert!(before.iter().all(|(path, bytes)| std::fs::read(path).unwrap() == *bytes));
}

#[test]
fn bytes_without_a_game_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let noise: Vec<u8> = (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(folder.path().join("noise.pgn"), noise).unwrap();
    std::fs::write(folder.path().join("prose.pgn"), "This is a letter, and no game at all.\n").unwrap();
    for name in ["noise.pgn", "prose.pgn"] {
        for command in [&["convert", name, "out.pgn"][..], &["judge", name]] {
            let arguments: Vec<String> = command.iter().map(ToString::to_string).collect();
            let output = run(folder.path(), &arguments);
            assert_refused(&output, name, &arguments);
            assert!(!folder.path().join("out.pgn").exists(), "{name}");
        }
    }
}

#[test]
fn an_empty_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.pgn"), "").unwrap();
    for command in [
        &["convert", "empty.pgn", "out.ubb"][..],
        &["judge", "empty.pgn"],
        &["analyze", "empty.pgn"],
        &["diagram", "--file", "empty.pgn", "-o", "out.svg"],
        &["book", "build", "empty.pgn", "-o", "out.book"],
    ] {
        let arguments: Vec<String> = command.iter().map(ToString::to_string).collect();
        let output = run(folder.path(), &arguments);
        assert_refused(&output, "empty.pgn", &arguments);
        assert!(String::from_utf8_lossy(&output.stderr).contains("no game in the file"), "{arguments:?}");
    }
    for name in ["empty.fen", "empty.txt", "empty.wxf", "empty.jsonl"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    for command in [
        "library add empty.txt --library games.lib",
        "analyze empty.fen",
        "analyze empty.txt",
        "puzzles empty.fen -o found.jsonl",
        "book build empty.wxf -o out.book --force",
    ] {
        let arguments: Vec<String> = command.split(' ').map(String::from).collect();
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains("empty."), "{command}: {error}");
    }
    // A search for puzzles that finds none writes an empty file.
    let output = run(folder.path(), &["puzzles", "--verify", "empty.jsonl"].map(String::from));
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("empty.jsonl: no puzzle"), "{output:?}");
    // A message that names no game still names the file.
    std::fs::write(folder.path().join("cut.xqf"), "XQ").unwrap();
    let arguments = ["diagram", "--file", "cut.xqf", "-o", "out.svg"].map(String::from);
    assert_refused(&run(folder.path(), &arguments), "cut.xqf", &arguments);
}

#[test]
fn a_folder_is_not_converted_into_one_named_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("games")).unwrap();
    std::fs::write(folder.path().join("games/a.pgn"), GAME).unwrap();
    let convert = |to: &str| run(folder.path(), &["convert", "games", to].map(String::from));
    assert_refused(&convert("all.cbl"), "expected a folder", &[]);
    assert!(!folder.path().join("all.cbl").exists());
    // The slash requests a folder.
    assert!(convert("all.pgn/").status.success() && folder.path().join("all.pgn/a.pgn").exists());
}

#[test]
fn a_folder_without_records_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("notes")).unwrap();
    std::fs::write(folder.path().join("notes/README.txt"), "about these games\n").unwrap();
    for command in [&["convert", "notes", "out"][..], &["judge", "notes"]] {
        let arguments: Vec<String> = command.iter().map(ToString::to_string).collect();
        assert_refused(&run(folder.path(), &arguments), "a folder without game records", &arguments);
    }
    // Records under other names.
    std::fs::write(folder.path().join("notes/page"), "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]").unwrap();
    std::fs::write(folder.path().join("notes/game.bak"), GAME).unwrap();
    let output = run(folder.path(), &["convert", "notes", "out"].map(String::from));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("games 2 "), "{output:?}");
}

#[test]
fn other_files_in_folders_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = folder.path().join("my 棋谱");
    std::fs::create_dir_all(shelf.join("inner shelf")).unwrap();
    for (name, text) in [
        ("a game.pgn", GAME),
        ("README.txt", "about these games\n"),
        ("page.html", "<!doctype html><p>about these games"),
        ("list.txt", LIST),
        ("inner shelf/b.pgn", GAME),
    ] {
        std::fs::write(shelf.join(name), text).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&shelf, shelf.join("inner shelf/loop")).unwrap();
    for command in [&["convert", "my 棋谱", "out"][..], &["judge", "my 棋谱"], &["analyze", "my 棋谱", "--depth", "1"]] {
        let arguments: Vec<String> = command.iter().map(ToString::to_string).collect();
        let output = run(folder.path(), &arguments);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(contents(&folder.path().join("out")).len(), 3);
}

/// A warning quotes the file, where the quoted text may contain a line end.
#[test]
fn a_warning_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let game = [b"[Red \"A\"]\n\n1. h2e2 {one\n\n two \xff three} *\n".as_slice(), GAME.as_bytes()].concat();
    std::fs::write(folder.path().join("game.pgn"), game).unwrap();
    let output = run(folder.path(), &["convert", "game.pgn", "out.ubb"].map(String::from));
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && messages.contains("unreadable"), "{messages}");
    assert!(messages.lines().all(|line| line.starts_with("chuhe: ")), "{messages}");
}

/// `-` is standard output only for commands that support it; it is never the name of a file.
#[test]
fn no_file_is_named_dash() {
    let folder = folder();
    let before = contents(folder.path());
    let cases = CASES.iter().chain(&ANALYSES).filter(|case| {
        // These write to standard output.
        !["convert", "diagram", "book export"].iter().any(|command| case.arguments.starts_with(command))
    });
    for case in cases {
        for force in [false, true] {
            let mut arguments = arguments(case, "-");
            arguments.extend(force.then(|| "--force".to_string()));
            let output = run(folder.path(), &arguments);
            assert_refused(&output, "expected the name of a file", &arguments);
            assert!(output.stdout.is_empty() && contents(folder.path()) == before, "{arguments:?}");
        }
    }
}

/// An unwritable output is reported before the work, not after it.
#[test]
fn outputs_are_checked_before_the_work() {
    let folder = folder();
    for case in CASES.iter().chain(&ANALYSES) {
        let arguments = arguments(case, "nowhere/new.svg");
        let output = run(folder.path(), &arguments);
        assert_refused(&output, "nowhere", &arguments);
        assert!(output.stdout.is_empty() || case.arguments.starts_with("convert"), "{arguments:?}");
    }
}

/// A format with a single game per file writes further games next to the first, but never over another file of the folder.
#[test]
fn further_games_replace_no_file_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.pgn"), GAME.repeat(2)).unwrap();
    std::fs::write(folder.path().join("one.pgn"), GAME).unwrap();
    let convert =
        |from: &str, to: &str| run(folder.path(), &["convert", from, to, "--to-format", "xqf", "--force"].map(String::from));
    assert!(convert("one.pgn", "a.pgn-002.xqf").status.success());
    let before = contents(folder.path());
    assert_refused(&convert(".", "."), "a.pgn-002.xqf: is also an input", &[]);
    assert!(before.iter().all(|(path, bytes)| std::fs::read(path).unwrap() == *bytes));
    std::fs::remove_file(folder.path().join("a.pgn.xqf")).unwrap();
    assert!(convert(".", "out").status.success());
    let own = std::fs::read(folder.path().join("a.pgn-002.xqf")).unwrap();
    assert_eq!(std::fs::read(folder.path().join("out/a.pgn-002.xqf")).unwrap(), own);
    assert!(folder.path().join("out/a.pgn-002-002.xqf").exists());
}

/// A further file that cannot be written costs its game, not the others.
#[test]
fn a_further_file_that_exists_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("three.pgn"), GAME.repeat(3)).unwrap();
    std::fs::write(folder.path().join("o-002.xqf"), "mine").unwrap();
    let output = run(folder.path(), &["convert", "three.pgn", "o.xqf"].map(String::from));
    assert_refused(&output, "game 2: o-002.xqf: exists already", &[]);
    assert!(["o.xqf", "o-003.xqf"].iter().all(|name| folder.path().join(name).exists()));
    assert_eq!(std::fs::read(folder.path().join("o-002.xqf")).unwrap(), b"mine");
}

/// Two outputs under different spellings of one name would replace each other.
#[test]
fn outputs_with_one_name_are_rejected() {
    let folder = folder();
    let before = contents(folder.path());
    for other in ["./r.html", "games/../r.html"] {
        std::fs::create_dir_all(folder.path().join("games")).unwrap();
        let line = format!("analyze games.pgn --depth 1 --json --report r.html --annotate {other} --force");
        let arguments: Vec<String> = line.split(' ').map(String::from).collect();
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains("name the same file"), "{error}");
        assert!(output.stdout.is_empty() && contents(folder.path()) == before, "{other}");
    }
}

#[test]
fn files_whose_targets_would_have_one_name_get_two() {
    let folder = tempfile::tempdir().unwrap();
    let other = GAME.replace("h2e2", "b2e2");
    std::fs::write(folder.path().join("one.pgn"), GAME).unwrap();
    std::fs::create_dir(folder.path().join("games")).unwrap();
    std::fs::write(folder.path().join("games/a.xqf.pgn"), &other).unwrap();
    let convert = |from: &str, to: &str| run(folder.path(), &["convert", from, to, "--force"].map(String::from));
    assert!(convert("one.pgn", "games/a.xqf").status.success());
    assert!(convert("games", "out").status.success());
    let moves = |name: &str| {
        let text =
            run(folder.path(), &["convert", name, "-", "--notation", "uci", "--encoding", "utf-8"].map(String::from)).stdout;
        String::from_utf8_lossy(&text).lines().last().unwrap_or_default().split(' ').nth(1).map(String::from)
    };
    assert_eq!(["out/a.xqf.pgn", "out/a.xqf.pgn.pgn"].map(moves), [Some("b2e2".into()), Some("h2e2".into())]);
}

/// Names in another encoding are kept byte by byte.
#[cfg(target_os = "linux")]
#[test]
fn further_games_keep_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("games")).unwrap();
    for name in [b"games/\xc6\xe5.pgn", b"games/\xc6\xd7.pgn"] {
        std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), GAME.repeat(2)).unwrap();
    }
    let converted = run(folder.path(), &["convert", "games", "out", "--to-format", "xqf"].map(String::from));
    assert!(converted.status.success(), "{converted:?}");
    assert_eq!(contents(&folder.path().join("out")).len(), 4);
}

#[test]
fn export_reports_what_it_omits() {
    let folder = tempfile::tempdir().unwrap();
    let game = |first: &str, rest: &str| format!("[Result \"*\"]\n\n1. {first} {rest} *\n\n");
    // Two first moves, each played in one game, lead to a position that both games share.
    let games = game("h2e2", "h9g7 2. b0c2 i9h9 3. a0a1") + &game("b0c2", "h9g7 2. h2e2 i9h9 3. a0a1");
    std::fs::write(folder.path().join("games.pgn"), games).unwrap();
    let build = ["book", "build", "games.pgn", "-o", "b.book", "--min-plies", "1", "--min-games", "2"].map(String::from);
    let built = run(folder.path(), &build);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = run(folder.path(), &["book", "export", "b.book"].map(String::from));
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && messages.contains("b.book: not carried over: 2 of 2 positions, to which no line leads"),
        "{messages}"
    );
    // If everything is written, nothing is reported.
    let output = run(folder.path(), &["book", "export"].map(String::from));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
