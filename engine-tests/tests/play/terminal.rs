//! `chuhe play` with scripted input.

use engine_tests::chuhe;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The output of the program for these lines of input.
fn play(arguments: &[&str], typed: &str) -> String {
    play_in("C.UTF-8", arguments, typed)
}

/// The same in a locale.
fn play_in(locale: &str, arguments: &[&str], typed: &str) -> String {
    let mut child = Command::new(chuhe())
        .arg("play")
        .args(arguments)
        .env("LC_ALL", locale)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("stdin is a pipe").write_all(typed.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn moves_in_any_notation_and_taking_back() {
    let text = play(&["--side", "both", "--pieces", "letters"], "C2=5\n马8进7\nh0g2\nBack\nback\nmoves\nnonsense\nflip\nQUIT\n");
    assert!(text.contains("1. Red: C2=5 (h2e2)") && text.contains("1. Black: H8+7 (h9g7)"), "{text}");
    assert!(text.contains("> C2=5\n") && text.contains("'nonsense'"), "{text}");
    // At the end of input the prompt is on its own line.
    assert!(play(&["--side", "both"], "h2e2\n").ends_with("Black to move> \n"));
    assert!(text.contains(" 9  r   n   b   a   k ") && text.contains(" 0  R   N   B "), "{text}");
}

#[test]
fn messages_are_chinese_in_a_chinese_locale() {
    let text = play_in("zh_CN.UTF-8", &["--side", "both"], "C2=5\nlevel\nnonsense\nresign\nhint\nback\ndraw\nquit\n");
    for part in [
        "同机双人。",
        "轮到红方走> ",
        "1. 红方：炮二平五 (h2e2)",
        "  5 休闲棋手",
        "'nonsense'不是任何记谱法的着法",
        "黑方认输。\n红方胜。",
        "双方同意。\n和棋。",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let words = text.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() > 4);
    assert_eq!(words.collect::<Vec<_>>(), ["nonsense"], "{text}");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let save = format!("save\nsave {}\nsave {}\nsave {}\nquit\n", path("a.doc"), path("a/b.pgn"), folder.path().display());
    let text = play_in("zh_CN.UTF-8", &["--side", "both"], &format!("C2=5\n{save}"));
    for part in ["save：后面应为文件名", "未知的扩展名，应为.pgn、", "无法写入，所在的文件夹不存在", "是文件夹，应为文件"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mate = play_in("zh_CN.UTF-8", &["--side", "both", "--fen", "3k5/5R3/8R/9/9/9/9/9/9/4K4 w"], "i7i9\n");
    assert!(mate.contains("，将军") && mate.contains("红方胜。"), "{mate}");
}

#[test]
fn the_engine_answers_at_every_level_and_gives_hints() {
    for level in ["1", "3", "5", "12"] {
        let text = play(&["--level", level, "--movetime", "50"], "h2e2\nhint\nback\nquit\n");
        assert!(text.contains("1. Black: ") && text.contains("hint: "), "{text}");
    }
    // The engine's first move answers nothing, so it is not taken back.
    let text = play(&["--side", "black", "--movetime", "50"], "back\nquit\n");
    assert!(text.matches("1. Red: ").count() == 1 && text.contains("There is nothing to take back."), "{text}");
}

#[test]
fn the_rules_end_the_game_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let pgn = path.to_str().unwrap();
    let mate = "3k5/9/8R/9/9/9/9/9/9/4K4 w";
    let text = play(&["--side", "both", "--fen", mate, "--pgn", pgn], "i7i9\nd9d8\ni9i8\nd8d7\n");
    assert!(text.contains("check"), "{text}");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("FEN") && saved.contains("I7-I9"), "{saved}");
    let bare = play(&["--side", "both", "--fen", "3k5/9/9/9/9/9/9/9/4A4/4K4 w"], "e1d2\n");
    assert!(bare.contains("The game is drawn."), "{bare}");
    let resigned = play(&["--side", "both"], "resign\nh2e2\n");
    assert!(resigned.contains("Red resigns.") && resigned.contains("The game is over"), "{resigned}");
    // An earlier game is not lost.
    let again = Command::new(chuhe()).args(["play", "--pgn", pgn]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
    let nowhere = Command::new(chuhe()).args(["play", "--pgn", "nowhere/x.pgn"]).stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&nowhere.stderr);
    assert!(nowhere.status.code() == Some(1) && nowhere.stdout.is_empty(), "{error}");
    assert!(error.starts_with("chuhe: nowhere/x.pgn: ") && !error.contains(".part"), "{error}");
}

#[test]
fn levels_are_listed_and_changed_during_a_game() {
    let text = play(&["--side", "both", "--level", "2"], "level\nlevel 12\nlevel 13\nquit\n");
    for (number, level) in (1..).zip(chuhe::threads::LEVELS) {
        let mark = if number == 2 { '*' } else { ' ' };
        assert!(text.contains(&format!("{mark}{number:>3} {}\n", level.description)), "{text}");
    }
    assert!(text.contains("Level 12: full strength.") && text.contains("expected a number from 1 to 12"), "{text}");
    // A finished game keeps its level.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let arguments = ["--level", "2", "--movetime", "50", "--pgn", path.to_str().unwrap()];
    play(&arguments, "h2e2\nresign\nlevel 3\nnew\nresign\nlevel 4\nnew\nresign\n");
    let games = chuhe::records::Records::open(&path, None).unwrap();
    let players: Vec<String> = games.map(|game| game.unwrap().tag("Black").unwrap().to_string()).collect();
    let levels: Vec<&str> = players.iter().filter_map(|name| name.rsplit(' ').next()).collect();
    assert_eq!(levels, ["2", "3", "4"]);
}

#[test]
fn a_draw_is_offered_and_answered_with_the_reason() {
    let early = play(&["--movetime", "50"], "draw\nquit\n");
    assert!(early.contains("Black declines the draw: the game is still in the opening."), "{early}");
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("game.pgn");
    let pgn = pgn.to_str().unwrap();
    // The engine declines when a rook up and accepts when a rook down.
    let (better, worse) = ("3k5/9/9/9/9/9/9/9/r8/4KA3 w - - 0 40", "3k5/9/9/9/9/9/9/9/R8/4KA3 w - - 0 40");
    assert!(play(&["--fen", better], "draw\nquit\n").contains("Black declines the draw: Black is better."));
    let accepted = play(&["--fen", worse, "--pgn", pgn, "--force"], "draw\nquit\n");
    assert!(accepted.contains("Black accepts the draw: Black is worse."), "{accepted}");
    assert!(accepted.contains("The game is drawn."), "{accepted}");
    assert!(std::fs::read_to_string(pgn).unwrap().contains("1/2-1/2"));
    let quiet = play(&["--fen", "3k5/9/4b4/p7p/9/9/P7P/4B4/9/4K4 w - - 30 60"], "draw\nquit\n");
    assert!(quiet.contains("Black accepts the draw: the position is level, and few attackers are left."), "{quiet}");
    assert!(play(&["--side", "both"], "h2e2\ndraw\nh9g7\n").contains("Both agree.\nThe game is drawn."));
}

#[test]
fn nothing_of_a_session_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (pgn, copy) = (file("all.pgn"), file("copy.pgn"));
    // Two games, and a copy that is saved twice.
    let typed = format!("h2e2\nsave {copy}\nh9g7\nsave {copy}\nresign\nnew\nb2e2\nh7e7\nh0g2\n");
    play(&["--side", "both", "--pgn", &pgn], &typed);
    let read = |path: &str| -> Vec<(usize, String)> {
        let games = chuhe::records::Records::open(Path::new(path), None).unwrap();
        games.map(|game| game.unwrap()).map(|game| (game.plies(), format!("{:?}", game.result))).collect()
    };
    assert_eq!(read(&pgn), [(2, "BlackWins".into()), (3, "Unknown".into())]);
    assert_eq!(read(&copy), [(2, "Unknown".into())]);
    // A game that was resigned before its first move counts too.
    let short = file("short.pgn");
    play(&["--side", "both", "--pgn", &short], "resign\nnew\nh2e2\n");
    assert_eq!(read(&short), [(0, "BlackWins".into()), (1, "Unknown".into())]);
    // Taken back, it goes on, in the file too.
    for (typed, plies) in [("resign\nback\nh2e2\n", 1), ("resign\nback\n", 0), ("draw\nback\nnew\n", 0)] {
        let again = file("again.pgn");
        let text = play(&["--side", "both", "--pgn", &again, "--force"], typed);
        assert!(text.contains("Red to move> \n") || plies == 1, "{typed}: {text}");
        assert_eq!(read(&again), [(plies, "Unknown".into())], "{typed}");
    }
    // A new game without moves is none, but an explicit `save` writes it.
    let (none, empty) = (file("none.pgn"), file("empty.pgn"));
    play(&["--side", "both", "--pgn", &none], "h2e2\nresign\nnew\nh2e2\nback\n");
    assert_eq!(read(&none), [(1, "RedWins".into())]);
    let text = play(&["--side", "both", "--pgn", &empty], "save\n");
    assert!(text.contains("saved ") && read(&empty) == [(0, "Unknown".into())], "{text}");
    let over = play(&["--side", "both", "--fen", "3k1R3/5R3/9/9/9/9/9/9/9/4K4 b"], "back\n");
    assert!(over.contains("There is nothing to take back.") && over.contains("game over> \n"), "{over}");
    // Another file is kept.
    let again = play(&["--side", "both"], &format!("h2e2\nsave {copy}\nsave\n"));
    assert!(again.contains("exists already") && again.contains("expected the name of a file"), "{again}");
    assert_eq!(read(&copy).len(), 1);
    // So is the file of another program if only --pgn may be replaced.
    let whole = file("whole.pgn");
    let again = play(&["--side", "both", "--pgn", &whole, "--force"], &format!("h2e2\nnew\nb2e2\nh7e7\nsave {copy}\n"));
    assert_eq!(again.matches("exists already").count(), 1, "{again}");
    assert_eq!((read(&whole).len(), read(&copy)), (2, vec![(2, "Unknown".into())]));
    // The extension determines the format.
    let (xqf, list) = (file("game.xqf"), file("game.fen"));
    let again = play(&["--side", "both"], &format!("h2e2\nh9g7\nsave {xqf}\nsave {list}\n"));
    assert_eq!(read(&xqf), [(2, "Unknown".into())]);
    assert!(again.contains("expected one of .pgn, .xqf, .cbr") && !Path::new(&list).exists(), "{again}");
    // In quotation marks, as it is copied from a file manager.
    let quoted = file("a game.pgn");
    play(&["--side", "both"], &format!("h2e2\nsave \"{quoted}\"\n"));
    assert_eq!(read(&quoted), [(1, "Unknown".into())]);
    let other = file("game.foo");
    let again = play(&["--side", "both"], &format!("h2e2\nsave {other}\n"));
    assert!(again.contains("an unknown extension, expected one of .pgn") && !Path::new(&other).exists(), "{again}");
    // A GBK console.
    let mut child = Command::new(chuhe())
        .args(["play", "--side", "both"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let typed = chuhe::records::encode("炮二平五\n", chuhe::records::TextEncoding::Gbk).0;
    child.stdin.take().unwrap().write_all(&typed).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1. Red: C2=5 (h2e2)"));
}

/// A session of two people whose input is typed step by step.
struct Session {
    child: std::process::Child,
    input: std::process::ChildStdin,
    lines: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
}

impl Session {
    fn begin(arguments: &[&Path]) -> Session {
        let mut command = Command::new(chuhe());
        command.args(["play", "--side", "both"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("the program starts");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Session { child, input, lines: std::io::BufRead::lines(std::io::BufReader::new(output)) }
    }

    /// Types commands, and waits for a line with this text.
    fn say(&mut self, typed: &str, answer: &str) {
        self.input.write_all(typed.as_bytes()).expect("it reads");
        assert!(self.lines.any(|line| line.expect("UTF-8").contains(answer)), "{typed}: no {answer}");
    }

    /// Ends the input; the exit status.
    fn end(self) -> Option<i32> {
        let Session { mut child, input, lines } = self;
        drop(input);
        lines.for_each(drop);
        child.wait().expect("the program ends").code()
    }
}

/// A file of --pgn that cannot be written ends neither the session nor the game.
#[test]
fn a_game_can_be_saved_to_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, other) = (folder.path().join("game.pgn"), folder.path().join("other.pgn"));
    let mut session = Session::begin(&[Path::new("--pgn"), &pgn]);
    session.say("h2e2\n", "1. Red: C2=5");
    // Another session with the same file saves its game first.
    std::fs::write(&pgn, "theirs").unwrap();
    session.say("resign\n", "exists already");
    session.say("new\n", "exists already");
    session.say(&format!("save {}\n", other.display()), "saved ");
    assert_eq!(session.end(), Some(1));
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "theirs");
    let saved = std::fs::read_to_string(&other).unwrap();
    assert!(saved.contains("H2-E2") && saved.contains("1-0"), "{saved}");
}

/// Neither does `quit` lose a game, and one that was saved to another file may be followed by the next.
#[test]
fn quitting_loses_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, other) = (folder.path().join("game.pgn"), folder.path().join("other.pgn"));
    let mut session = Session::begin(&[Path::new("--pgn"), &pgn]);
    session.say("h2e2\n", "1. Red: C2=5");
    std::fs::write(&pgn, "theirs").unwrap();
    session.say("quit\n", "quit again loses it");
    session.say(&format!("save {}\n", other.display()), "saved ");
    session.say("new\nb2e2\n", "1. Red: C8=5");
    session.say("quit\n", "quit again loses it");
    session.say("moves\nquit\n", "quit again loses it");
    session.input.write_all(b"quit\n").unwrap();
    assert_eq!(session.child.wait().unwrap().code(), Some(1));
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "theirs");
    assert!(std::fs::read_to_string(&other).unwrap().contains("H2-E2"));
}

/// A file of this session that could not be written once is still one of it.
#[test]
fn a_failed_save_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let (place, away) = (folder.path().join("place"), folder.path().join("away"));
    std::fs::create_dir(&place).unwrap();
    let path = place.join("game.pgn");
    let mut session = Session::begin(&[]);
    session.say(&format!("h2e2\nsave {}\n", path.display()), "saved ");
    std::fs::rename(&place, &away).unwrap();
    session.say("new\nb2e2\nsave\n", "game.pgn: ");
    std::fs::rename(&away, &place).unwrap();
    session.say("save\n", "saved ");
    assert_eq!(session.end(), Some(0));
    assert_eq!(chuhe::records::Records::open(&path, None).unwrap().count(), 2);
}

/// The game saved by `chuhe play` when it gets a signal after Red's first move.
#[cfg(unix)]
fn interrupted(arguments: &[&str], pgn: &Path, typed: &str, signal: &str) -> String {
    use std::io::{BufRead, BufReader};
    let mut command = Command::new(chuhe());
    command.arg("play").args(arguments).arg("--pgn").arg(pgn).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // Open until the end: a closed standard input would end the game too.
    let mut input = child.stdin.take().unwrap();
    input.write_all(typed.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("1. Red: C2=5")));
    engine_tests::signal(&child, signal);
    lines.for_each(drop);
    assert!(child.wait().unwrap().success());
    std::fs::read_to_string(pgn).unwrap()
}

/// Ctrl-C keeps the game.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("game.pgn");
    assert!(interrupted(&["--side", "both"], &pgn, "h2e2\n", "INT").contains("H2-E2"));
}

/// So does Ctrl-C while the engine thinks, without the move that it has not finished.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_thinking_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    for (side, typed, signal) in [("red", "h2e2\n", "INT"), ("red", "h2e2\n", "HUP"), ("both", "h2e2\nhint\n", "INT")] {
        let pgn = folder.path().join(format!("{side}-{signal}.pgn"));
        let saved = interrupted(&["--side", side, "--level", "12", "--movetime", "1000000"], &pgn, typed, signal);
        assert!(saved.contains("1. H2-E2 *"), "{saved}");
    }
}

/// A game can be saved repeatedly, with a file name or without, and the next game does not overwrite it.
#[test]
fn a_game_is_saved_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let plies = |name: &str| -> Vec<usize> {
        let games = chuhe::records::Records::open(&folder.path().join(name), None).unwrap();
        games.map(|game| game.unwrap().plies()).collect()
    };
    let (pgn, other, xqf) = (path("game.pgn"), path("./other/../game.pgn"), path("game.xqf"));
    std::fs::create_dir(folder.path().join("other")).unwrap();
    let typed = format!("h2e2\nsave {pgn}\nh9g7\nsave\nh0g2\nsave {other}\nsave {xqf}\nback\nsave {pgn}\nsave\n");
    let text = play(&["--side", "both"], &typed);
    assert_eq!((text.matches("saved ").count(), plies("game.pgn"), plies("game.xqf")), (6, vec![2], vec![3]), "{text}");
    // A PGN gets all games of a session, each as last saved; other formats hold one game.
    let (two, one) = (path("two.pgn"), path("one.xqf"));
    let typed = format!(
        "h2e2\nsave {two}\nsave {one}\nnew\nb2e2\nh7e7\nsave {one}\nsave {two}\nsave {two}\nh0g2\nsave\nnew\nnew\nc3c4\nsave {two}\n"
    );
    let text = play(&["--side", "both"], &typed);
    assert_eq!((plies("two.pgn"), plies("one.xqf")), (vec![1, 3, 1], vec![1]), "{text}");
    assert_eq!(text.matches("exists already, expected another name").count(), 1, "{text}");
    // Without a name the file of --pgn is used.
    let all = path("all.pgn");
    let text = play(&["--side", "both", "--pgn", &all], "h2e2\nsave\nh9g7\nsave\n");
    assert_eq!((text.matches("saved ").count(), plies("all.pgn")), (2, vec![2]), "{text}");
}

#[test]
fn legal_moves_are_listed_when_asked_for() {
    let text = play(&["--side", "both"], "legal h2\nlegal e5\nlegal x\nnotation uci\nlegal\nquit\n");
    let cannon = text.lines().find_map(|line| line.strip_prefix("Red to move> h2: ")).unwrap();
    let mut moves: Vec<&str> = cannon.split(' ').collect();
    moves.sort_unstable();
    assert_eq!(moves, ["C2+1", "C2+2", "C2+3", "C2+4", "C2+7", "C2-1", "C2=1", "C2=3", "C2=4", "C2=5", "C2=6", "C2=7"]);
    assert!(text.contains("e5: no legal move\n") && text.contains("legal: expected a point such as h2"), "{text}");
    // All 44 moves of the start position, each once.
    let listed: Vec<&str> = text
        .lines()
        .filter_map(|line| line.rsplit("> ").next()?.split_once(": "))
        .flat_map(|(at, moves)| moves.split(' ').filter(move |mv| mv.len() == 4 && mv.starts_with(at) && at.len() == 2))
        .collect();
    assert_eq!(listed.iter().collect::<std::collections::BTreeSet<_>>().len(), 44, "{text}");
    let over = play(&["--side", "both", "--fen", "3k5/3P5/3R5/9/9/9/9/9/9/4K4 b"], "legal\n");
    assert!(over.contains("There is no legal move."), "{over}");
}

#[test]
fn notation_and_pieces_change_during_a_game() {
    let typed = "h2e2\nnotation chinese\nh9g7\nmoves\nnotation\nnotation klingon\npieces simplified\npieces letters\npieces x\n";
    let text = play(&["--side", "both"], typed);
    assert!(text.contains("1. Red: C2=5 (h2e2)") && text.contains("1. Black: 馬８進７ (h9g7)"), "{text}");
    assert!(text.contains("> 炮二平五 馬８進７\n"), "{text}");
    assert!(text.contains("* chinese ") && text.contains("  wxr ") && text.contains("notation: "), "{text}");
    assert!(text.contains("v车 v马 v象") && text.contains(" 9  r   n   b "), "{text}");
    assert!(text.contains("pieces: expected characters, simplified or letters"), "{text}");
    // Both sides are in one script.
    let board = play(&["--side", "both"], "quit\n");
    assert!(board.contains("v車 v馬 v象") && board.contains(" 車  馬  相") && !board.contains('马'), "{board}");
}

#[test]
fn help_begins_with_the_commands() {
    let text = play(&["--side", "both"], "help\nquit\n");
    let help = text.split("> ").nth(1).unwrap();
    assert!(help.starts_with("A move in any notation (h2e2, C2=5, 炮二平五), or\n  legal [POINT] "), "{help}");
    for word in
        ["moves", "hint", "back", "draw", "resign", "new", "save", "board", "flip", "pieces", "notation", "level", "help", "quit"]
    {
        assert!(help.contains(&format!("\n  {word} ")), "{word}: {help}");
    }
    assert!(!help.contains("chuhe play"), "{help}");
}

/// A terminal with the program on it.
#[cfg(unix)]
mod line_editing {
    use engine_tests::chuhe;
    use nix::pty::openpty;
    use nix::sys::termios::{LocalFlags, tcgetattr};
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::OwnedFd;
    use std::process::{Child, Command};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    struct Terminal {
        child: Child,
        keys: File,
        screen: Receiver<Vec<u8>>,
        shown: String,
        /// Keeps the terminal open, and gives access to its settings.
        end: OwnedFd,
    }

    impl Terminal {
        fn play(arguments: &[&str]) -> Terminal {
            let pty = openpty(None, None).expect("a terminal");
            let end = || pty.slave.try_clone().expect("the terminal");
            let child = Command::new(chuhe())
                .args(["play", "--side", "both", "--pieces", "letters"])
                .args(arguments)
                .env("TERM", "xterm")
                .env("LC_ALL", "C.UTF-8")
                .stdin(end())
                .stdout(end())
                .stderr(end())
                .spawn()
                .expect("the program starts");
            let mut output = File::from(pty.master.try_clone().expect("the terminal"));
            let (sender, screen) = channel();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(length) = output.read(&mut bytes)
                    && length > 0
                    && sender.send(bytes[..length].to_vec()).is_ok()
                {}
            });
            Terminal { child, keys: File::from(pty.master), screen, shown: String::new(), end: pty.slave }
        }

        fn press(&mut self, keys: &str) {
            self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
        }

        /// Waits for a text in the output, and discards the output before it.
        fn wait_for(&mut self, text: &str) {
            let deadline = Instant::now() + Duration::from_secs(120);
            while !self.shown.contains(text) {
                let left = deadline.saturating_duration_since(Instant::now());
                let bytes = self.screen.recv_timeout(left).unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.shown));
                self.shown.push_str(&String::from_utf8_lossy(&bytes));
            }
            let end = self.shown.find(text).unwrap_or(0) + text.len();
            self.shown.drain(..end);
        }

        /// Whether the terminal is in line mode, as outside of the program.
        fn is_as_before(&self) -> bool {
            tcgetattr(&self.end).expect("the terminal").local_flags.contains(LocalFlags::ICANON | LocalFlags::ECHO)
        }
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    #[test]
    fn lines_are_edited_and_recalled() {
        let mut terminal = Terminal::play(&[]);
        terminal.wait_for("Red to move> ");
        // The move without its first letter, which is then inserted at the beginning of the line.
        terminal.press("2e2\x01h\r");
        terminal.wait_for("1. Red: C2=5 (h2e2)");
        terminal.wait_for("Black to move> ");
        // ^K deletes the rest of the line, backspace one letter.
        terminal.press("h9g8xyz\x02\x02\x02\x0b\x7f7\r");
        terminal.wait_for("1. Black: H8+7 (h9g7)");
        terminal.press("moves\r");
        terminal.wait_for("C2=5 H8+7");
        terminal.wait_for("Red to move> ");
        // Up twice: the line before the last.
        terminal.press("back\r");
        terminal.wait_for("Black to move> ");
        terminal.press("\x1b[A\x1b[A\r");
        terminal.wait_for("C2=5\r\n");
        terminal.wait_for("Black to move> ");
        // A move in Chinese characters.
        terminal.press("馬8進7\r");
        terminal.wait_for("1. Black: H8+7 (h9g7)");
        terminal.wait_for("Red to move> ");
        assert!(!terminal.is_as_before());
        // The end of input.
        terminal.press("\x04");
        assert!(terminal.child.wait().expect("the program ends").success());
        assert!(terminal.is_as_before());
    }

    #[test]
    fn a_pasted_game_is_played() {
        let mut terminal = Terminal::play(&[]);
        terminal.wait_for("Red to move> ");
        terminal.press("h2e2\rh9g7\rh0g2\rmoves\r");
        terminal.wait_for("C2=5 H8+7 H2+3");
    }

    /// After Ctrl-C at the prompt or a signal the game is saved and the terminal is restored.
    #[test]
    fn the_terminal_is_restored() {
        let folder = tempfile::tempdir().expect("a folder");
        for (number, is_key) in [true, false].into_iter().enumerate() {
            let pgn = folder.path().join(format!("{number}.pgn"));
            let mut terminal = Terminal::play(&["--pgn", pgn.to_str().expect("a plain name")]);
            terminal.press("h2e2\r");
            terminal.wait_for("1. Red: C2=5");
            terminal.wait_for("Black to move> ");
            if is_key {
                terminal.press("\x03");
            } else {
                let id = terminal.child.id().to_string();
                assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
            }
            assert!(terminal.child.wait().expect("the program ends").success());
            assert!(terminal.is_as_before(), "{is_key}");
            assert!(std::fs::read_to_string(&pgn).expect("the game").contains("H2-E2"));
        }
    }
}
