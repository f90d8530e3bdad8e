//! Differences between operating systems that must not be visible: file names, code pages, line ends, folders.

use engine_tests::chuhe;
use engine_tests::client::{Client, PATIENCE};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAME: &str = "[Red \"甲\"]\n[Black \"乙\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0\n";
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(chuhe()).args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the program starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn files_may_have_chinese_names_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("棋谱");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("对局.pgn"), GAME).unwrap();
    std::fs::write(place.join("局面.fen"), START).unwrap();
    let engine = format!("cmd='{}'", chuhe().display());
    let commands: [&[&str]; 9] = [
        &["convert", "棋谱/对局.pgn", "棋谱/对局.xqf"],
        &["convert", "棋谱", "结果", "--to-format", "ubb"],
        &["judge", "棋谱/对局.pgn"],
        &["analyze", "棋谱/对局.pgn", "--depth", "1", "--report", "棋谱/报告.html", "--json"],
        &["analyze", "棋谱/局面.fen", "--depth", "1", "--resume", "棋谱/分析.jsonl"],
        &["diagram", "--file", "棋谱/对局.pgn", "-o", "棋谱/图.svg"],
        &["book", "build", "棋谱/对局.pgn", "-o", "棋谱/开局.book", "--min-plies", "1"],
        &["book", "probe", "--book", "棋谱/开局.book"],
        &[
            "match",
            "--engine",
            &engine,
            "--engine",
            &engine,
            "--depth",
            "1",
            "--games",
            "2",
            "--max-plies",
            "2",
            "--openings",
            "棋谱/局面.fen",
            "--pgn",
            "棋谱/比赛.pgn",
            "--state",
            "棋谱/比赛.state",
        ],
    ];
    for arguments in commands {
        let output = run(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", errors(&output));
    }
    for name in ["对局.xqf", "报告.html", "分析.jsonl", "图.svg", "开局.book", "比赛.pgn", "比赛.state"] {
        assert!(place.join(name).metadata().is_ok_and(|data| data.len() > 0), "{name}");
    }
    // A missing file is reported with its name as given.
    let output = run(folder.path(), &["judge", "棋谱/没有.pgn"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("棋谱/没有.pgn") && errors(&output).lines().count() == 1, "{}", errors(&output));
}

/// Names in a legacy encoding are bytes that are not valid UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn files_may_have_names_in_other_encodings() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    // 对局 in GBK.
    let name = std::ffi::OsStr::from_bytes(b"\xb6\xd4\xbe\xd6.pgn");
    std::fs::write(folder.path().join(name), GAME).unwrap();
    let commands: [(&[&str], &[&str]); 6] = [
        (&["judge"], &[]),
        (&["judge", "--file"], &[]),
        (&["convert"], &["out.xqf"]),
        (&["analyze", "--depth", "1"], &[]),
        (&["diagram", "-o", "out.svg", "--file"], &[]),
        (&["book", "build", "-o", "out.book", "--min-plies", "1"], &[]),
    ];
    for (before, behind) in commands {
        let output = Command::new(chuhe()).args(before).arg(name).args(behind).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{before:?}: {}", errors(&output));
    }
}

/// The code page of this system, such as 936, given by the environment of the test; none on systems without code pages.
fn code_page() -> Option<u32> {
    let page = std::env::var("CHUHE_TEST_CODE_PAGE").ok().and_then(|page| page.parse().ok());
    if cfg!(windows) { page } else { None }
}

/// The encoding of the moves of a PGN file, and whether all lines end in CR LF, or none.
fn form_of_pgn(bytes: &[u8]) -> (Option<&'static str>, Option<bool>) {
    let contains = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    let forms: [(&str, &[u8]); 3] = [
        ("utf-8", "炮二平五".as_bytes()),
        ("gbk", b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5"),
        ("big5", b"\xac\xb6\xa4\x47\xa5\xad\xa4\xad"),
    ];
    let encoding = forms.into_iter().find(|(_, move_)| contains(move_)).map(|(name, _)| name);
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let both = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    assert!(lines > 4);
    (encoding, if both == lines { Some(true) } else { (!bytes.contains(&b'\r')).then_some(false) })
}

#[test]
fn pgn_is_what_the_programs_of_this_system_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.pgn"), GAME).unwrap();
    assert!(run(folder.path(), &["convert", "game.pgn", "game.xqf"]).status.success());
    let own = match code_page() {
        None if cfg!(windows) => {
            eprintln!("skipped: CHUHE_TEST_CODE_PAGE doesn't tell the code page of this system");
            None
        }
        None => Some("utf-8"),
        Some(950) => Some("big5"),
        Some(65001) => Some("utf-8"),
        // GBK also if the code page has no Chinese characters: programs that read a code page expect that of mainland China.
        Some(_) => Some("gbk"),
    };
    let given: [(&str, &[&str], _); 6] = [
        ("gbk.pgn", &["--encoding", "gbk"], (Some("gbk"), Some(true))),
        ("utf8.pgn", &["--encoding", "utf-8", "--line-ends", "lf"], (Some("utf-8"), Some(false))),
        ("unix.pgn", &["--encoding", "gbk", "--line-ends", "lf"], (Some("gbk"), Some(false))),
        // Big5 has no simplified characters: the moves are in traditional ones.
        ("big5.pgn", &["--encoding", "big5"], (Some("big5"), Some(true))),
        ("traditional.pgn", &["--encoding", "big5", "--notation", "chinese-simplified"], (Some("big5"), Some(true))),
        ("own.pgn", &[], (own, Some(cfg!(windows)))),
    ];
    for (name, options, expected) in given {
        let output = run(folder.path(), &[&["convert", "game.xqf", name][..], options].concat());
        assert!(output.status.success(), "{name}: {}", errors(&output));
        assert!(!errors(&output).contains("characters that the encoding lacks"), "{name}: {}", errors(&output));
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let form = form_of_pgn(&bytes);
        assert!(form == expected || expected.0.is_none(), "{name}: {form:?} {}", String::from_utf8_lossy(&bytes));
        // The output is read back completely.
        let output = run(folder.path(), &["judge", name]);
        assert!(output.status.success(), "{name}: {}", errors(&output));
    }
    // Characters that the encoding lacks are reported.
    std::fs::write(folder.path().join("emoji.pgn"), format!("[Annotator \"😀\"]\n{GAME}")).unwrap();
    let output = run(folder.path(), &["convert", "emoji.pgn", "lost.pgn", "--encoding", "big5"]);
    assert!(output.status.success() && errors(&output).contains("characters that the encoding lacks"), "{}", errors(&output));
}

#[test]
fn games_of_matches_have_this_form_too() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd='{}'", chuhe().display());
    let options = ["--depth", "1", "--games", "2", "--max-plies", "2", "--pgn", "games.pgn"];
    let output = run(folder.path(), &[&["match", "--engine", &engine, "--engine", &engine][..], &options].concat());
    assert!(output.status.success(), "{}", errors(&output));
    let bytes = std::fs::read(folder.path().join("games.pgn")).unwrap();
    assert_eq!(form_of_pgn(&bytes).1, Some(cfg!(windows)), "{}", String::from_utf8_lossy(&bytes));
}

#[test]
fn a_folder_where_a_file_is_expected_is_reported_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("shelf")).unwrap();
    std::fs::write(folder.path().join("list.fen"), START).unwrap();
    let engine = format!("cmd='{}'", chuhe().display());
    let commands: [&[&str]; 6] = [
        &["book", "probe", "--book", "shelf"],
        &["book", "check", "shelf"],
        &["diagram", "-o", "shelf"],
        &["convert", "list.fen", "shelf", "--to-format", "pgn"],
        &["analyze", "list.fen", "--depth", "1", "--report", "shelf"],
        &["match", "--engine", &engine, "--engine", &engine, "--games", "2", "--depth", "1", "--openings", "shelf"],
    ];
    for arguments in commands {
        let output = run(folder.path(), arguments);
        let message = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains("shelf") && message.lines().count() == 1, "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }
    let mut client = Client::uci();
    client.send(&format!("setoption name EvalFile value {}", folder.path().join("shelf").display()));
    let answer = client.pending();
    assert!(answer.len() == 1 && answer[0].contains("the network in use is kept"), "{answer:?}");
}

/// The name of the opening of the first book move, as bytes.
fn name_of_opening(greeting: &str, end: &str, options: [&str; 2]) -> Vec<u8> {
    let mut client = Client::start();
    client.ask(greeting, end);
    options.into_iter().for_each(|option| client.send(option));
    client.send("position startpos moves h2e2");
    client.send("go nodes 100");
    while let Some((_, line)) = client.next_bytes(PATIENCE) {
        assert!(!line.starts_with(b"bestmove"), "the opening has no name");
        if let Some(at) = line.windows(8).position(|window| window == b"opening ") {
            return line[at..].to_vec();
        }
    }
    panic!("the engine has gone");
}

/// Windows programs expect the code page without announcing it.
#[test]
fn ucci_speaks_the_code_page() {
    let page = code_page();
    if cfg!(windows) && page.is_none() {
        return eprintln!("skipped: CHUHE_TEST_CODE_PAGE doesn't tell the code page of this system");
    }
    let uci = name_of_opening("uci", "uciok", ["setoption name OwnBook value true", "setoption name Book Mode value best"]);
    let text = String::from_utf8(uci).expect("UCI is in UTF-8");
    assert!(text.chars().any(|c| ('一'..='龥').contains(&c)), "{text}");
    let ucci = name_of_opening("ucci", "ucciok", ["setoption usebook true", "setoption bookmode best"]);
    // Not decoded: bytes of UTF-8 can be other characters of GBK.
    let expected = if page == Some(936) { encoding_rs::GBK.encode(&text).0.into_owned() } else { text.clone().into_bytes() };
    assert!(ucci == expected, "{text}: {}", ucci.escape_ascii());
}

#[test]
fn stop_and_quit_take_effect_immediately() {
    let mut client = Client::uci();
    client.send("setoption name OwnBook value false");
    client.send("go infinite");
    std::thread::sleep(std::time::Duration::from_millis(200));
    client.ask("stop", "bestmove");
    client.send("go infinite");
    client.send("quit");
    assert!(client.wait(PATIENCE).0.success());
}

/// If no further thread can be started, as in a container at its limit, bench runs without one.
#[cfg(target_os = "linux")]
#[test]
fn bench_needs_no_further_thread() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("chuhe");
    std::fs::copy(chuhe(), &program).unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let limited = |program: &Path, arguments: &[&str]| {
        // Limits don't apply to root, so it is started as another user then.
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0);
        let before = ["setpriv", "--reuid=64738", "--regid=64738", "--clear-groups", "prlimit", "--nproc=1:1"];
        let before = &before[if is_root { 0 } else { 4 }..];
        Command::new(before[0]).args(&before[1..]).arg(program).args(arguments).stdin(Stdio::null()).output()
    };
    if !limited(Path::new("true"), &[]).is_ok_and(|output| output.status.success()) {
        return eprintln!("skipped: setpriv or prlimit is missing, or may not do it");
    }
    let output = limited(&program, &["bench", "2"]).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.trim_end().ends_with(" nps"), "{}: {text}{}", output.status, errors(&output));
}
