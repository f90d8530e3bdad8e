//! Opening books: the commands, play through both protocols, and books of other programs with known contents.

use chuhe::board::Position;
use chuhe::book::{self, Book};
use chuhe::types::Move;
use engine_tests::client::{Client, PATIENCE};
use engine_tests::{chuhe, repository};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The folder with collections for tests next to the repository, if it exists.
fn samples() -> Option<PathBuf> {
    let root = repository();
    let found = ["../shared/samples/book", "../../shared/samples/book"]
        .map(|path| root.join(path))
        .into_iter()
        .find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no ../shared/samples/book beside the repository");
    }
    found
}

/// The output of the program, or its error.
fn run(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(chuhe()).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

#[test]
fn the_built_in_book_answers() {
    let lines = run(&["book", "probe"]).unwrap();
    let first: Vec<&str> = lines.lines().next().unwrap().split(' ').collect();
    assert!(matches!(first.as_slice(), ["h2e2", "weight", _, "C2=5", "炮二平五"]), "{lines}");
    let weights: Vec<u32> = lines.lines().map(|line| line.split(' ').nth(2).unwrap().parse().unwrap()).collect();
    assert!(weights.is_sorted_by(|left, right| left >= right) && weights.len() > 4, "{lines}");
    let json = run(&["book", "probe", "--json", "--moves", "b2e2"]).unwrap();
    assert!(json.lines().any(|line| line.contains("\"Same-direction Cannons\",\"顺炮\"")), "{json}");
    let counts = run(&["book", "check"]).unwrap();
    assert!(counts.starts_with("positions "), "{counts}");
}

#[test]
fn games_and_books_become_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (games, source, table) = (file("games.pgn"), file("extra.wxf"), file("out.book"));
    let game = |first: &str, result: &str| {
        format!("[Result \"{result}\"]\n\n1. {first} h9g7 2. h0g2 i9h9 3. i0h0 g6g5 4. c3c4 b9c7 5. b0c2 h7i7 {result}\n\n")
    };
    let all: String = [("h2e2", "1-0"), ("h2e2", "0-1"), ("b2e2", "1/2-1/2"), ("g0e2", "1-0")]
        .map(|(first, result)| game(first, result))
        .concat();
    std::fs::write(&games, format!("{all}[Result \"1-0\"]\n\n1. a0a1 1-0\n")).unwrap();
    std::fs::write(&source, "H2+1*2 \"Edge Horse\" \"边马局\"\n").unwrap();
    let built = run(&[
        "book",
        "build",
        text(&games),
        text(&source),
        "-o",
        text(&table),
        "--min-games",
        "2",
        "--min-plies",
        "8",
        "--max-plies",
        "6",
    ]);
    // Three games begin with a central cannon; one is the mirror image of the others and deviates afterwards.
    assert!(built.as_ref().unwrap().starts_with("games 4 positions "), "{built:?}");
    let variety = run(&["book", "variety", text(&games), "--plies", "2"]);
    assert_eq!(variety.as_deref(), Ok("games 5 lines 4 positions 6 most-frequent 2"));
    let starts = file("starts.pgn");
    let from = |back_rank: &str| {
        let fen = format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/{back_rank} w - - 0 1");
        format!("[FEN \"{fen}\"]\n\n1. h2e2 h9g7 *\n\n")
    };
    std::fs::write(&starts, from("1NBAKABNR") + &from("RNBAKAB1R")).unwrap();
    let variety = run(&["book", "variety", text(&starts), "--plies", "2"]);
    assert_eq!(variety.as_deref(), Ok("games 2 lines 2 positions 4 most-frequent 1"));
    let probe = run(&["book", "probe", "--book", text(&table)]).unwrap();
    assert_eq!(probe.lines().next(), Some("h2e2 weight 3 C2=5 炮二平五"), "{probe}");
    assert!(probe.contains("h0i2 weight 2 ") && !probe.contains("g0e2") && probe.lines().count() == 2, "{probe}");
    assert!(run(&["book", "export", text(&table), "-o", text(&file("again.obk"))]).unwrap_err().contains("book convert"));
    let exported = file("again.wxf");
    run(&["book", "export", text(&table), "-o", text(&exported)]).unwrap();
    let again = file("again.book");
    run(&["book", "build", text(&exported), "-o", text(&again)]).unwrap();
    assert!(std::fs::read(&again).unwrap() == std::fs::read(&table).unwrap());
    assert_eq!(run(&["book", "check", text(&table)]), run(&["book", "check", text(&again)]));
}

#[test]
fn games_come_from_standard_input_and_a_broken_one_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[Red \"A\"]\n\n1. H2-E2 H9-G7 2. H0-G2 *\n\n";
    let run = |arguments: &[&str], typed: &str| {
        let mut child = Command::new(chuhe())
            .args(arguments)
            .current_dir(folder.path())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let build = ["book", "build", "-", "-o", "a.book", "--min-plies", "1"];
    assert_eq!(run(&build, game), (Some(0), "games 1 positions 3 moves 3\n".into(), String::new()));
    let (status, variety, _) = run(&["book", "variety", "-"], &game.repeat(2));
    assert!(status == Some(0) && variety.starts_with("games 2 lines 1 "), "{variety}");
    // The book is built from the readable games; the exit status shows that there are others.
    let broken = format!("[Red \"B\"]\n[FEN \"9/9 w\"]\n\n1. H2-E2 *\n\n{game}");
    for arguments in [&["book", "build", "-", "-o", "b.book", "--min-plies", "1"][..], &["book", "variety", "-"]] {
        let (status, output, error) = run(arguments, &broken);
        assert!(status == Some(1) && output.starts_with("games 1 "), "{arguments:?}: {output}");
        assert!(
            error.starts_with("chuhe: 1 game or file ") && error.contains("could not be read, the first: -: game 1"),
            "{error}"
        );
    }
    assert_eq!(run(&["book", "check", "b.book"], "").0, Some(0));
    // A pipe can be read only once, and only from its beginning.
    #[cfg(unix)]
    for text in [game.to_string(), format!("{game}; {}\n\n{game}", "a long remark ".repeat(10_000))] {
        let build = ["book", "build", "/dev/stdin", "-o", "pipe.book", "--min-plies", "1", "--force"];
        assert_eq!(run(&build, &text).1, run(&["book", "build", "-", "-o", "p.book", "--min-plies", "1", "--force"], &text).1);
    }
    // The numbers of games are those in the file, although it is read in pieces.
    let many = format!("{}{broken}", game.repeat(30_000));
    std::fs::write(folder.path().join("many.pgn"), &many).unwrap();
    std::fs::write(folder.path().join("kings.pgn"), many.replace("9/9 w", "4k4/9/9/9/9/9/9/9/9/4K4 w")).unwrap();
    for (arguments, file) in [
        (&["book", "build", "many.pgn", "-o", "m.book", "--min-plies", "1"][..], "many.pgn"),
        (&["book", "variety", "many.pgn"], "many.pgn"),
        (&["book", "variety", "kings.pgn"], "kings.pgn"),
    ] {
        let (status, _, error) = run(arguments, "");
        assert!(status == Some(1) && error.contains(&format!("the first: {file}: game 30001: ")), "{error}");
    }
    // Nor does a missing file cost the games of the others.
    std::fs::write(folder.path().join("good.pgn"), game).unwrap();
    for arguments in [
        &["book", "build", "none.pgn", "good.pgn", "-o", "c.book", "--min-plies", "1"][..],
        &["book", "variety", "none.pgn", "good.pgn"],
    ] {
        let (status, output, error) = run(arguments, "");
        assert!(
            status == Some(1) && output.starts_with("games 1 ") && error.contains("the first: none.pgn: "),
            "{arguments:?}: {output}{error}"
        );
    }
    // Nor does a book that cannot be read.
    std::fs::write(folder.path().join("bad.wxf"), "C3.5\n").unwrap();
    let (status, output, error) = run(&["book", "build", "bad.wxf", "good.pgn", "-o", "e.book", "--min-plies", "1"], "");
    assert!(status == Some(1) && output.starts_with("games 1 ") && error.contains("the first: bad.wxf:1: "), "{output}{error}");
    // A game that repeats a move has played it once.
    let repeated = "[Red \"A\"]\n\n1. h0g2 h9g7 2. g2h0 g7h9 3. h0g2 h9g7 4. c3c4 *\n\n";
    let build = ["book", "build", "-", "-o", "d.book", "--min-plies", "1"];
    assert_eq!(run(&build, repeated), (Some(0), "games 1 positions 4 moves 5\n".into(), String::new()));
    let (status, _, error) = run(&[&build[..], &["--force", "--min-games", "2"]].concat(), repeated);
    assert!(status == Some(1) && error.contains("d.book"), "{error}");
}

#[test]
fn errors_are_one_line_with_file_and_position() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.wxf");
    std::fs::write(&bad, "C2.5\n  H8+7\n  C3.5\n").unwrap();
    for command in ["check", "export"] {
        let error = run(&["book", command, text(&bad)]).unwrap_err();
        assert!(error.contains("bad.wxf:3: 'C3.5': there is no black cannon on file 3") && !error.contains('\n'), "{error}");
    }
    std::fs::write(&bad, b"C2.5 \xff\n").unwrap();
    let error = run(&["book", "check", text(&bad)]).unwrap_err();
    assert!(error.contains("bad.wxf: byte 5: not UTF-8"), "{error}");
    let cut = folder.path().join("cut.book");
    std::fs::write(&cut, b"chuhebk\n\x01\0\0\0").unwrap();
    let error = run(&["book", "check", text(&cut)]).unwrap_err();
    assert!(error.contains("cut.book: byte 12: expected more"), "{error}");
    assert!(run(&["book", "probe", "--fen", "nonsense"]).unwrap_err().contains("--fen"));
}

/// Maximum loss in centipawns of a move of the built-in book against the best, by `book/check.tsv`.
const MAX_LOSS: i32 = 60;

/// Depth in plies to which every move was searched.
const LEAST_DEPTH: i32 = 14;

#[test]
fn every_move_of_the_book_was_searched_and_none_loses_much() {
    let table = std::fs::read_to_string(repository().join("book/check.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [fen, mv, loss, depth] = fields.as_slice() else { panic!("not four fields: {line}") };
        let board = *Position::from_fen(fen).unwrap_or_else(|error| panic!("{line}: {error}")).board();
        let loss: i32 = loss.parse().unwrap_or_else(|_| panic!("no number: {line}"));
        assert!(loss <= MAX_LOSS, "{line}");
        assert!(depth.parse::<i32>().is_ok_and(|depth| depth >= LEAST_DEPTH), "{line}");
        (board.key().min(board.mirrored_key()), mv.to_string())
    });
    let searched: HashSet<(u64, String)> = rows.collect();
    let visited = book::walk(&Book::Builtin, 1000, &mut |reached| {
        let key = reached.board.key().min(reached.board.mirrored_key());
        for found in reached.moves {
            let forms = [found.mv, found.mv.mirrored()].map(|mv| (key, mv.to_string()));
            let is_searched = forms.iter().any(|form| searched.contains(form));
            assert!(is_searched, "{} in {} is not in book/check.tsv", found.mv, reached.board.to_fen());
        }
        Ok::<(), book::BookError>(())
    });
    visited.unwrap();
}

#[test]
fn the_documented_size_of_the_book_is_correct() {
    let (mut positions, mut ends, mut longest) = (0, 0, 0);
    let mut short = Vec::new();
    let visited = book::walk(&Book::Builtin, 1000, &mut |reached| {
        if reached.moves.is_empty() {
            ends += 1;
            if reached.ply < 12 {
                short.push((reached.ply, reached.board.to_fen()));
            }
            longest = longest.max(reached.ply);
        } else {
            positions += 1;
        }
        Ok::<(), book::BookError>(())
    });
    visited.unwrap();
    assert!(positions >= 6000 && ends >= 300, "{positions} positions, {ends} lines");
    assert!(longest <= 24, "{longest} plies");
    assert_eq!(short, [], "lines end before 12 plies");
}

fn book_lines(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.contains(" book move ")).count()
}

#[test]
fn uci_plays_book_moves_with_the_option() {
    let mut client = Client::uci();
    client.send("position startpos moves h2e2 h9g7");
    assert_eq!(book_lines(&client.go("go depth 1")), 0);
    client.send("setoption name OwnBook value true");
    let lines = client.go("go depth 1");
    assert_eq!(book_lines(&lines), 1, "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("info string opening ") && line.ends_with("中炮")), "{lines:?}");
    // Requests for an analysis are not answered from a book.
    for request in ["go depth 1 searchmoves a0a1", "go mate 1 depth 1"] {
        assert_eq!(book_lines(&client.go(request)), 0, "{request}");
    }
    client.send("setoption name MultiPV value 2");
    assert_eq!(book_lines(&client.go("go depth 1")), 0);
    client.send("setoption name MultiPV value 1");
    client.send("setoption name Book Depth value 2");
    assert_eq!(book_lines(&client.go("go depth 1")), 0);
    client.send("setoption name Book Depth value 3");
    assert_eq!(book_lines(&client.go("go depth 1")), 1);
    for request in ["go infinite", "go", "go draw"] {
        client.send(request);
        let lines = client.ask("stop", "bestmove");
        assert!(book_lines(&lines) == 0 && lines.iter().any(|line| line.contains(" pv ")), "{request}: {lines:?}");
    }
    client.send("go infinite");
    client.assert_none("bestmove", Duration::from_millis(100));
    assert_eq!(book_lines(&client.ask("stop", "bestmove")), 0);
}

#[test]
fn weighted_play_varies_and_the_best_move_does_not() {
    let mut client = Client::uci();
    client.send("setoption name OwnBook value true");
    let mut seen = HashSet::new();
    for _ in 0..60 {
        client.send("position startpos");
        seen.insert(client.best("go movetime 1000"));
    }
    assert!(seen.len() > 2, "{seen:?}");
    client.send("setoption name Book Mode value best");
    for _ in 0..10 {
        assert_eq!(client.best("go movetime 1000"), "h2e2");
    }
}

#[test]
fn a_pondering_answer_waits() {
    let mut client = Client::uci();
    client.send("setoption name OwnBook value true");
    for end in ["ponderhit", "stop"] {
        client.send("position startpos moves h2e2");
        client.send("go ponder wtime 60000 btime 60000");
        client.assert_none("bestmove", Duration::from_millis(100));
        client.ask(end, "bestmove");
        client.assert_silent();
    }
}

#[test]
fn ucci_uses_its_book_by_default_and_obeys_bans() {
    let mut client = Client::start();
    let greeting = client.ask("ucci", "ucciok");
    for line in ["option usebook type check default true", "option bookfiles type string default <embedded>"] {
        assert!(greeting.iter().any(|sent| sent == line), "{greeting:?}");
    }
    client.send("setoption bookmode best");
    client.send("position startpos");
    let lines = client.go("go depth 1");
    assert!(lines.iter().any(|line| line.starts_with("info message book move h2e2 weight ")), "{lines:?}");
    client.send("banmoves h2e2");
    assert_ne!(client.best("go depth 1"), "h2e2");
    // A draw offered in the opening is not accepted by a book move.
    assert!(!client.go("go draw depth 1").last().unwrap().contains("draw"));
    client.send("setoption usebook false");
    client.send("position startpos");
    assert_eq!(book_lines(&client.go("go depth 1")), 0);
}

#[test]
fn several_files_in_order_and_a_damaged_one_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        text(&path).to_string()
    };
    let first = file("first.wxf", b"P7+1 P3+1\n");
    let second = file("second book.wxf", b"C2.5 H8+7\nR1+2*7\n");
    let broken = file("broken.book", b"chuhebk\nnonsense");
    let mut client = Client::uci();
    client.send("setoption name OwnBook value true");
    client.send("setoption name Book Mode value best");
    client.send(&format!("setoption name Book File value {broken};{first}; {second}"));
    client.send("position startpos");
    let lines = client.go("go depth 1");
    assert!(lines.iter().any(|line| line.starts_with("info string book ") && line.contains("broken.book: byte 8")), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove g3g4"), "{lines:?}");
    client.send("position startpos moves h2e2");
    let lines = client.go("go depth 1");
    assert_eq!(lines.last().unwrap(), "bestmove h9g7");
    assert!(!lines.iter().any(|line| line.contains("broken")), "reported once: {lines:?}");
    client.send(&format!("setoption name Book File value {broken}"));
    assert_eq!(book_lines(&client.go("go depth 1")), 0);
    client.send("position startpos");
    for nothing in ["setoption name Book File value", "setoption name Book File value <empty>", "setoption name Book File"] {
        client.send(nothing);
        assert_eq!(book_lines(&client.go("go depth 1")), 0, "{nothing}");
    }
    client.send("setoption name Book File value <embedded>");
    assert_eq!(client.best("go depth 1"), "h2e2");
    client.send("quit");
    client.wait(PATIENCE);
}

#[test]
fn a_book_is_read_before_readyok_and_again_after_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.wxf");
    let mut client = Client::uci();
    client.send("setoption name OwnBook value true");
    client.send(&format!("setoption name Book File value {}", text(&path)));
    for (source, best) in [("P7+1\n", "g3g4"), ("C2.5*20\n", "h2e2")] {
        std::fs::write(&path, source).unwrap();
        client.pending();
        // The file is not needed any more: reading it takes no time from the clock.
        std::fs::remove_file(&path).unwrap();
        assert_eq!(client.best("go depth 1"), best);
    }
}

/// The moves and weights of a book in a position, sorted.
fn known(book: &Book, fen: &str) -> BTreeMap<String, u32> {
    let position = Position::from_fen(fen).unwrap();
    book.moves(position.board()).unwrap().into_iter().map(|found| (found.mv.to_string(), found.weight)).collect()
}

#[test]
fn book_dat_of_elephant_eye_as_its_own_program_reads_it() {
    let Some(folder) = samples() else { return };
    let book = Book::open(&folder.join("BOOK.DAT")).unwrap();
    let expected = std::fs::read_to_string(folder.join("BOOK-expected.tsv")).unwrap();
    let mut checked = 0;
    for line in expected.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let moves = fields.get(3).copied().unwrap_or_default().split_whitespace();
        let moves = moves.filter_map(|text| {
            let (mv, weight) = text.strip_suffix(')')?.split_once('(')?;
            Some((mv.to_string(), weight.parse().ok()?))
        });
        assert_eq!(known(&book, fields[0]), moves.collect::<BTreeMap<String, u32>>(), "{line}");
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn obk_and_xqb_books_answer_as_expected() {
    let Some(folder) = samples() else { return };
    let book = Book::open(&folder.join("synthetic.obk")).unwrap();
    let expected = std::fs::read_to_string(folder.join("synthetic-obk-expected.tsv")).unwrap();
    let mut checked = 0;
    for line in expected.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let known = known(&book, fields[0]).get(fields[2]).copied();
        if fields[7] == "1" {
            // The position's mirror image may have the same move with a higher weight.
            assert!(known.is_some_and(|weight| weight >= fields[3].parse().unwrap()), "{line}: {known:?}");
        } else {
            let mirrored = Move::from_uci(fields[2]).unwrap().mirrored();
            assert!(known.is_none() || expected.contains(&mirrored.to_string()), "{line}: {known:?}");
        }
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
    let book = Book::open(&folder.join("xqbook-author-sample.xqb")).unwrap();
    let start = Position::startpos();
    let mut reached = 0;
    for &mv in &start.board().legal_moves() {
        reached += book.moves(&start.board().after(mv)).unwrap().len();
    }
    assert!(reached + book.moves(start.board()).unwrap().len() >= 2);
}

#[test]
fn the_name_of_an_opening_is_that_of_the_last_named_position() {
    let mut game = Position::startpos();
    let name = |game: &Position| book::opening_of(game).map(|name| name.english.clone());
    assert_eq!(name(&game), None);
    for text in "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7".split(' ') {
        game.make(Move::from_uci(text).unwrap());
    }
    assert_eq!(name(&game).as_deref(), Some("Central Cannon against Screen Horses"));
    for text in "a0a1 a9a8 a1a0 a8a9".split(' ') {
        game.make(Move::from_uci(text).unwrap());
    }
    assert_eq!(name(&game).as_deref(), Some("Central Cannon against Screen Horses"));
}

#[test]
fn books_of_other_programs_are_built_converted_and_edited() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().expect("paths of tests are UTF-8").to_string();
    let source = file("own.wxf");
    std::fs::write(&source, "C2.5*60 \"Central Cannon\" \"中炮\"  # mine\n  H8+7*60\n  C8.5*30\nP7+1*35\n").unwrap();
    let probe = |book: &str, moves: &[&str]| {
        let line = if moves.is_empty() { vec![] } else { [&["--moves"][..], moves].concat() };
        run(&[&["book", "probe", "--book", book][..], &line].concat()).unwrap()
    };
    let expected = probe(&source, &["h2e2"]);
    assert_eq!(expected.lines().count(), 2, "{expected}");
    for name in ["own.book", "own.obk", "own.xqb", "BOOK.DAT", "copy.wxf"] {
        let (built, converted) = (file(name), file(&format!("converted-{name}")));
        assert_eq!(run(&["book", "build", &source, "-o", &built]).unwrap(), "games 0 positions 2 moves 4", "{name}");
        assert_eq!(probe(&built, &["h2e2"]), expected, "{name}");
        assert_eq!(run(&["book", "convert", &built, "-o", &converted]).unwrap(), "positions 2 moves 4", "{name}");
        assert_eq!(probe(&converted, &["h2e2"]), expected, "{name}");
        let edited = run(&["book", "edit", &built, "--moves", "h2e2", "--set", "b9c7=70", "--remove", "h7e7"]).unwrap();
        let moves: Vec<&str> = edited.lines().map(|line| &line[..14]).collect();
        assert_eq!(moves, ["b9c7 weight 70", "h9g7 weight 60"], "{name}");
        assert_eq!(probe(&built, &["h2e2"]), edited, "{name}");
        // Writing another file does not change the first.
        let before = std::fs::read(&converted).unwrap();
        let other = file(&format!("other-{name}"));
        run(&["book", "edit", &converted, "--set", "h0g2=1", "-o", &other]).unwrap();
        assert!(std::fs::read(&converted).unwrap() == before && probe(&other, &[]).contains("h0g2 weight 1 "), "{name}");
    }
    assert!(std::fs::read_to_string(&source).unwrap().contains("# mine"));
    for (arguments, problem) in [
        (&["book", "convert", &source, "-o", "x.doc"][..], "names no format of books"),
        (&["book", "edit", &source], "nothing to change"),
        (&["book", "edit", &source, "--set", "h2e2"], "h2e2=50"),
        (&["book", "edit", &source, "--set", "h2e2=5", "-o", "x.obk"], "another format of books"),
        (&["book", "edit", &source, "--set", "h2e2=5", "-o", "x.txt"], "another format of books"),
        (&["book", "edit", &source, "--remove", "h2h9"], "is not in the book"),
    ] {
        assert!(run(arguments).unwrap_err().contains(problem), "{arguments:?}");
    }
}

#[test]
fn a_move_that_loses_by_repetition_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("checks.wxf");
    std::fs::write(&book, "start 5k3/7R1/9/9/9/9/9/9/9/4K4 w - - 0 1\nR2+1*50 K6+1 R2-1*50\n").unwrap();
    let fen = "5k3/9/7R1/9/9/9/9/9/9/4K4 w";
    let cycle = ["h8h9", "f9f8", "h9h8", "f8f9"];
    let line: Vec<&str> = ["h7h9", "f9f8", "h9h8", "f8f9"].into_iter().chain(cycle.into_iter().cycle()).take(16).collect();
    let marks = |plies: usize| {
        let arguments = [&["book", "probe", "--book", text(&book), "--fen", fen, "--moves"][..], &line[..plies]].concat();
        run(&arguments).unwrap()
    };
    assert!(marks(2).contains("h9h8 weight 50") && !marks(2).contains("unplayed"), "{}", marks(2));
    assert!((5..16).any(|plies| marks(plies).contains("unplayed loses")));
    // The engine does not play it and gives the reason.
    let mut client = Client::uci();
    client.send("setoption name OwnBook value true");
    client.send(&format!("setoption name Book File value {}", text(&book)));
    let lost = (5..16).find(|&plies| marks(plies).contains("unplayed loses")).expect("seen above");
    client.send(&format!("position fen {fen} moves {}", line[..lost].join(" ")));
    let lines = client.go("go depth 1");
    let why = format!("info string book move {} not played: it loses by the rules of repetition", line[lost]);
    assert!(lines.contains(&why) && !lines.last().expect("a move").ends_with(line[lost]), "{lines:?}");
}
