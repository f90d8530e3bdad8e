//! Typical real-world records with their expected results, in `chuhe convert` and the other commands.

use engine_tests::PLAIN_TEXT;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder with these files, in which the program is run.
struct TestFolder {
    folder: TempDir,
}

impl TestFolder {
    fn new<B: AsRef<[u8]>>(files: &[(&str, B)]) -> TestFolder {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        TestFolder { folder }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(engine_tests::chuhe());
        command.args(arguments).current_dir(self.folder.path()).env("LC_ALL", "C").output().unwrap()
    }
}

/// Standard output and standard error of `chuhe convert NAME -`, in UTF-8 on every system.
fn convert(name: &str, bytes: impl AsRef<[u8]>, arguments: &[&str]) -> (String, String) {
    let output = TestFolder::new(&[(name, bytes)]).run(&[&["convert", name, "-"], PLAIN_TEXT, arguments].concat());
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A line with an illegal move keeps the moves before it, and every failing line is reported.
#[test]
fn a_list_keeps_the_moves_before_an_illegal_one() {
    let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7 h0g2 i9h9 a0a9 b9c7";
    let (pgn, messages) = convert("lines.fen", format!("{line}\n{line}\n"), &["--notation", "uci"]);
    assert_eq!(pgn.matches("1. h2e2 h9g7 2. h0g2 i9h9 *").count(), 2, "{pgn}");
    for number in [1, 2] {
        let part = format!("lines.fen: line {number}: move 5 (round 3, red): 'a0a9': the red rook on a0 cannot make that move");
        assert!(messages.contains(&part), "{messages}");
    }
    assert!(messages.ends_with("games 2 plies 8\n"), "{messages}");
}

/// A file as downloaded may be compressed, under the name of the compression or of a record.
#[test]
fn compressed_files_are_named() {
    for (name, bytes, compression) in [
        ("games.zip", &b"PK\x03\x04\x14\0\0\0\x08\0[DhtmlXQ]"[..], "zip"),
        ("game.xqf.gz", b"\x1f\x8b\x08\0\0\0\0\0", "gzip"),
        ("games.pgn", b"\xfd7zXZ\0\0", "xz"),
        ("games.rar", b"Rar!\x1a\x07\x01\0", "rar"),
        ("games.txt", b"7z\xbc\xaf\x27\x1c\0", "7z"),
    ] {
        let folder = TestFolder::new(&[(name, bytes)]);
        for command in [&["convert", name, "-"][..], &["analyze", "--json", name], &["judge", "--file", name]] {
            let output = folder.run(command);
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            let expected = format!("{name}: compressed with {compression}, expected a record; unpack it first\n");
            assert!(output.status.code() == Some(1) && messages.ends_with(&expected), "{command:?}: {messages}");
        }
    }
    let folder = TestFolder::new(&[("in/a.zip", "PK"), ("in/b.RAR", "Rar!"), ("in/c.pgn", "1. h2e2 *\n")]);
    let skipped = "in/a.zip and 1 other file: skipped, since they are compressed; unpack them first\n";
    for command in [&["convert", "in", "out"][..], &["analyze", "--json", "--depth", "1", "in"], &["judge", "in"]] {
        let output = folder.run(command);
        let messages = String::from_utf8_lossy(&output.stderr).replace('\\', "/");
        assert!(output.status.success() && messages.contains(skipped), "{command:?}: {messages}");
    }
    assert!(convert("text.pgn", "{BZh} 1. h2e2 *\n", &[]).1.ends_with("games 1 plies 1\n"));
}

/// Lists, commands and the protocol use the same FEN reader.
#[test]
fn fens_are_read_leniently_everywhere() {
    let board = "3k5/9/9/9/9/9/9/9/4R4/4K4";
    let list = format!("{board}[]_w_-_-_0_1\n{board}[-] w - - 0 1\n{board}%20w\n\"{board} red - - 0 1\"\n{board}/ w\n");
    let (fens, messages) = convert("handed-out.fen", &list, &["--to-format", "fen"]);
    assert_eq!(fens, format!("{board} w - - 0 1\n").repeat(5), "{messages}");
    for line in list.lines() {
        let output = TestFolder::new::<&str>(&[]).run(&["perft", "1", "--fen", line]);
        assert!(output.status.success(), "{line}: {output:?}");
    }
    // Facing kings: a list keeps the position, with a warning.
    let (fens, messages) = convert("facing.fen", "3k5/9/9/9/9/9/9/9/4R4/3K5[] w\n", &["--to-format", "fen"]);
    assert_eq!(fens, "3k5/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1\n");
    assert!(
        messages.contains("this position cannot occur in a game: FEN row 1 column 4: the kings face each other"),
        "{messages}"
    );
    let (_, messages) = convert("chinese.fen", "3帥5/9/9/9/9/9/9/9/4R4/3K5 w\n", &[]);
    assert!(messages.contains("line 1: FEN row 1 column 4: unknown letter '帥'"), "{messages}");
}

/// A record file of XieXie or PlayOK: headings, moves with lower case for Black, or a position alone.
#[test]
fn wxf_records_are_read_and_written() {
    let game = "FORMAT\tWXF\nGAME\tClub evening, round 2\nRED\tRed One ; 2100 ;;\nBLACK\tBlack One ; 2050 ;;\nRESULT\t1-0\nDATE\t2024-05-06\n\
        EVENT\tClub evening\nSTART{\n 1. C2.5 h8+7   2. H2+3 r9.8\n 3. R1.2 c8+4   4. P3+1 p3+1 }END\n";
    let position = "FORMAT\tWXF\nGAME\t\nRED\t;;;\nBLACK\t;;;\nDATE\t2024-01-01\nFEN\t4ka3/4a4/4e1h2/9/9/2C6/9/4E4/9/4KA1R1 b\n\nSTART{\n}END\n";
    for name in ["game.wxf", "game.txt", "game"] {
        let (pgn, messages) = convert(name, game, &["--notation", "uci"]);
        for part in [
            "[Event \"Club evening\"]",
            "[Date \"2024-05-06\"]",
            "[Red \"Red One\"]",
            "[RedElo \"2100\"]",
            "[Black \"Black One\"]",
            "[BlackElo \"2050\"]",
            "[Title \"Club evening, round 2\"]",
            "[Result \"1-0\"]",
            "1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 h7h3 4. g3g4 c6c5 1-0",
        ] {
            assert!(pgn.contains(part), "{name}: {part}: {pgn}");
        }
        assert_eq!(messages, "games 1 plies 8\n");
    }
    let (fen, messages) = convert("position.wxf", position, &["--to-format", "fen"]);
    assert_eq!(
        (fen.as_str(), messages.contains("games 1 plies 0")),
        ("4ka3/4a4/4b1n2/9/9/2C6/9/4B4/9/4KA1R1 b - - 0 1\n", true),
        "{messages}"
    );
    // A round trip, and both games in one file.
    let both = format!("{game}\n{position}");
    let (wxf, messages) = convert("both.txt", &both, &["--to-format", "wxf"]);
    assert!(
        messages.ends_with("games 2 plies 8\n") && wxf.contains("\nFEN\t4ka3/4a4/4e1h2/9/9/2C6/9/4E4/9/4KA1R1 b\n"),
        "{messages}{wxf}"
    );
    let (again, _) = convert("again", &wxf, &["--to-format", "wxf"]);
    assert_eq!(again, wxf);
}

/// JSON looks like a comment of PGN.
#[test]
fn a_comment_alone_is_no_game() {
    let (pgn, messages) = convert("games.pgn", "{\"games\":[{\"moves\":\"h2e2 h9g7\"}]}\n", &[]);
    assert!(pgn.is_empty() && messages.starts_with("chuhe: games.pgn, byte 0: no game, expected tags"), "{messages}{pgn}");
}

const MOVES: &str = "7747706279678070";

/// Pages of dpxq have their moves in a script, or the main line under the name of a variation: four plies each.
#[test]
fn moves_are_found_anywhere_in_pages() {
    for (name, text) in [
        (
            "nested.html",
            format!(
                "<html><script>var DhtmlXQ_movelist = '[DhtmlXQ_movelist]{MOVES}[/DhtmlXQ_movelist]';</script><body>[DhtmlXQHTML][DhtmlXQ_title]page one[/DhtmlXQ_title][DhtmlXQ_red]r[/DhtmlXQ_red][/DhtmlXQHTML]</body></html>"
            ),
        ),
        (
            "segmented.html",
            format!(
                "<html><body>[DhtmlXQHTML][DhtmlXQ_title]page two[/DhtmlXQ_title][/DhtmlXQHTML]<script>var DhtmlXQ_movelist='[0_1_0]{MOVES}[/0_1_0]';</script></body></html>"
            ),
        ),
        ("variation.ubb", format!("[DhtmlXQ]\n[DhtmlXQ_move_0_1_0]{MOVES}[/DhtmlXQ_move_0_1_0]\n[/DhtmlXQ]\n")),
        ("dhj.ubb", format!("[DHJHtmlXQ]\n[DHJHtmlXQ_movelist]{MOVES}[/DHJHtmlXQ_movelist]\n[/DHJHtmlXQ]\n")),
        ("numbers.ubb", "[DHJHtmlXQ]\n[DHJHtmlXQ_34]7242796770628979[/DHJHtmlXQ_34]\n[/DHJHtmlXQ]\n".to_string()),
    ] {
        let (pgn, messages) = convert(name, &text, &["--notation", "uci"]);
        assert!(messages.ends_with("games 1 plies 4\n") && pgn.contains("1. h2e2 h9g7 2. "), "{name}: {messages}{pgn}");
    }
    let (_, messages) = convert("empty.html", "<html>[DhtmlXQHTML][DhtmlXQ_title]a[/DhtmlXQ_title][/DhtmlXQHTML]</html>", &[]);
    assert!(messages.contains("empty.html: game 1: there is no list of moves"), "{messages}");
}

/// Games without moves, such as diagrams, are complete.
#[test]
fn a_game_without_moves_has_no_warning_in_any_format() {
    for start in ["", "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 b\"]\n"] {
        for name in ["game.ubb", "game.html", "game.cbr", "game.cbf", "game.xqf", "game.wxf", "game.txq", "game.pgn"] {
            let folder = TestFolder::new(&[("own.pgn", format!("[Red \"A\"]\n[Black \"B\"]\n{start}\n*\n"))]);
            for (command, messages) in [(["convert", "own.pgn", name], ""), (["convert", name, "-"], "games 1 plies 0\n")] {
                assert_eq!(String::from_utf8_lossy(&folder.run(&command).stderr), messages, "{command:?}");
            }
        }
    }
}

/// The format of a file is detected by its content, whatever its name.
#[test]
fn the_format_is_detected_by_content() {
    let pgn = "[Red \"A\"]\n\n1. C2=5 H8+7 *\n";
    for name in ["game.txt", "game.dat", "game.md", "game.fen", "game.xqf", "game"] {
        assert!(convert(name, pgn, &[]).1.ends_with("games 1 plies 2\n"), "{name}");
    }
    // A text longer than 1024 bytes that begins like XQF.
    let notes = format!("XQ notes on a game\n{}\n{pgn}", "a remark\n".repeat(200));
    for name in ["notes.txt", "notes.pgn", "notes"] {
        assert!(convert(name, &notes, &[]).1.ends_with("games 1 plies 2\n"), "{name}");
    }
    for (name, text) in [
        ("README", format!("XQ notes on a game\n{}", "a remark\n".repeat(200))),
        ("README.xqf", format!("XQ\n{}", "a remark\n".repeat(200))),
        ("requires.txt", "[requires]\nfmt/10\n".to_string()),
        ("shopping.txt", "1. Buy milk\n2. Buy bread\n".to_string()),
    ] {
        // This is reported in one line.
        let (written, messages) = convert(name, &text, &[]);
        assert_eq!((written.as_str(), messages.matches("chuhe: ").count()), ("", 1), "{name}: {messages}");
        assert!(messages.contains("no game") || messages.contains("not an XQF file"), "{name}: {messages}");
    }
    // All commands agree.
    let scratch = TestFolder::new(&[("game.txt", pgn)]);
    assert!(String::from_utf8_lossy(&scratch.run(&["judge", "game.txt"]).stdout).contains("verdict"));
    let drawn = scratch.run(&["diagram", "--file", "game.txt", "-o", "-"]);
    assert!(drawn.status.success(), "{drawn:?}");
    let analysed = scratch.run(&["analyze", "game.txt", "--nodes", "10"]);
    assert_eq!(
        String::from_utf8_lossy(&analysed.stdout).lines().filter(|line| line.contains("\"bestmove\"")).count(),
        3,
        "{analysed:?}"
    );
    let built = scratch.run(&["book", "build", "game.txt", "-o", "x.book", "--min-games", "1", "--min-plies", "1"]);
    assert!(built.status.success(), "{built:?}");
}

/// Text files without a record are skipped in folders.
#[test]
fn files_without_a_record_are_skipped_in_folders() {
    let scratch = TestFolder::new(&[
        ("shelf/a.txt", "[Red \"A\"]\n\n1. C2=5 *\n"),
        ("shelf/b.txt", "红方：甲\n\n1. 炮二平五 马8进7\n"),
        ("shelf/requires.txt", "[requires]\nfmt/10\n"),
        ("shelf/shopping.txt", "1. Buy milk\n"),
        ("shelf/XQ.txt", "XQ notes\n"),
        ("shelf/page.html", "<html>1. C2=5</html>\n"),
    ]);
    let output = scratch.run(&["convert", "shelf", "out"]);
    assert_eq!(
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()),
        (true, "games 2 plies 3\n".into()),
        "{output:?}"
    );
}

/// Links to files in a folder are followed.
#[cfg(unix)]
#[test]
fn links_to_files_are_converted() {
    let scratch = TestFolder::new(&[("game.pgn", "1. h2e2 *\n"), ("shelf/a.pgn", "1. b2e2 *\n")]);
    let folder = scratch.folder.path();
    std::os::unix::fs::symlink("../game.pgn", folder.join("shelf/link.pgn")).unwrap();
    std::os::unix::fs::symlink("..", folder.join("shelf/up")).unwrap();
    let output = scratch.run(&["convert", "shelf", "out"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "games 2 plies 2\n", "{output:?}");
}

/// The result that a variation leads to is a comment, and repeated tags are reported.
#[test]
fn nothing_is_dropped_without_a_message() {
    let (pgn, _) = convert("v.pgn", "1. h2e2 h9g7 (1... b9c7 2. h0g2 1-0) 2. h0g2 (2. b0c2 红胜) *\n", &["--notation", "uci"]);
    assert!(pgn.contains("(1... b9c7 2. h0g2 {1-0}) 2. h0g2 (2. b0c2 {红胜}) *"), "{pgn}");
    let (pgn, messages) =
        convert("d.pgn", "[Event \"e\"]\n[Event \"f\"]\n[Note \"a\"]\n[Note \"b\"]\n[Red \"\"]\n\n1. h2e2 *\n", &[]);
    assert!(pgn.contains("[Event \"e\"]") && pgn.contains("[Note \"b\"]"), "{pgn}");
    assert!(messages.contains("the tag Event has two values; the first one counts"), "{messages}");
}

/// Titles in Big5, without the same title in GBK.
#[test]
fn titles_of_lists_are_read_in_both_encodings() {
    for title in [&b"\xb9\xef\xad\xb1\xaf\xba"[..], b"\xb6\xd4\xc3\xe6\xd0\xa6"] {
        let (pgn, _) = convert("t.epd", [b"4k4/9/9/9/9/9/9/9/9/3K5 w ; ", title, b"\n"].concat(), &[]);
        assert!(pgn.contains("[Title \"對面笑\"]") || pgn.contains("[Title \"对面笑\"]"), "{pgn}");
    }
}

/// A text with headings is one game with its names, and the moves need no blanks between them.
#[test]
fn texts_with_headings_are_one_game_each() {
    let head = "标题: 杯赛\n结果: 红胜\n红方: 甲   黑方: 乙\n\n";
    for moves in [
        "1. 炮二平五 马8进7 2. 马二进三",
        "1.炮二平五 马8进7。2.马二进三",
        "炮二平五，马8进7，马二进三",
        "h2e2,h9g7,h0g2",
        "着法：1. C2.5 H8+7 2. H2+3",
        "1.h2e2h9g72.h0g2",
    ] {
        let text = format!("{head}{moves}\n");
        let (pgn, messages) = convert("loose.txt", text.repeat(2), &["--notation", "uci"]);
        assert!(messages.ends_with("games 2 plies 6\n"), "{moves}: {messages}{pgn}");
        for part in ["[Title \"杯赛\"]", "[Red \"甲\"]", "[Black \"乙\"]", "[Result \"1-0\"]", "1. h2e2 h9g7 2. h0g2 1-0"] {
            assert_eq!(pgn.matches(part).count(), 2, "{moves}: {part}: {pgn}");
        }
        let (_, messages) = convert("bare.txt", moves, &[]);
        assert!(messages.ends_with("games 1 plies 3\n"), "{moves}: {messages}");
    }
    // An export of 象棋桥, with the position among the headings.
    let text = "标题：甲 胜 乙\n分类：\n轮次：第01轮\n红方：甲\n红队：东马\n黑方：乙\nECCO：A30 飞相对左过宫炮\n结果：红胜\n\
        FEN ：3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1\n\n1. 车五进三 将４进１\n";
    let (pgn, messages) = convert("bridge.txt", text, &["--notation", "uci"]);
    assert!(messages.ends_with("games 1 plies 2\n"), "{messages}");
    for part in
        ["[Round \"第01轮\"]", "[RedTeam \"东马\"]", "[ECCO \"A30 飞相对左过宫炮\"]", "[Result \"1-0\"]", "1. e1e4 d9d8 1-0"]
    {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    let (pgn, messages) = convert("three.txt", "1.兵七进一炮2平32.兵三进一", &["--notation", "uci"]);
    assert!(messages.ends_with("games 1 plies 3\n") && pgn.contains("1. c3c4 b7c7 2. g3g4"), "{messages}{pgn}");
}

/// Blanks before tags do not swallow a game, and a tag may continue on the next line.
#[test]
fn tags_are_read_after_blanks_and_across_lines() {
    for blank in [" ", "\t", "\u{3000}", "\u{feff}", "\u{a0} "] {
        let game = |red: &str| format!("{blank}[Red \"{red}\"]\n{blank}[Black \"x\"]\n\n1. C2=5 H8+7\n\n");
        let (pgn, messages) = convert("blanks.pgn", game("A") + &game("B"), &[]);
        assert!(messages.ends_with("games 2 plies 4\n") && pgn.contains("[Red \"B\"]"), "{blank:?}: {messages}{pgn}");
    }
    let text = "[Event \"a name that\ngoes on\"]\n[Red\n\"r\"]\n[Opening \"the last tag\r\ngoes on too\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 *\n";
    let (pgn, messages) = convert("two-lines.pgn", text, &[]);
    assert!(messages.ends_with("games 1 plies 4\n"), "{messages}");
    for part in ["[Event \"a name that goes on\"]", "[Red \"r\"]", "[Opening \"the last tag goes on too\"]"] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
}

/// The first move determines the side to move.
#[test]
fn a_wrong_side_in_the_fen_is_corrected_by_the_first_move() {
    for (fen, moves, expected) in [
        ("3k5/9/9/9/9/9/9/9/1r7/4K4 w - - 0 1", "1. ... R2+1 2. K5+1 *", "b - - 0 1"),
        ("3k5/9/9/9/9/9/9/9/1r7/4K4 w - - 0 1", "1. b1b0 e0e1 *", "b - - 0 1"),
        ("3k5/9/9/9/9/9/9/7R1/1r7/4K4 w - - 0 1", "1... R2.3 2. K5.4 *", "b - - 0 1"),
        ("3k5/9/9/9/9/9/9/9/1r7/4K4 b - - 0 1", "1. K5.4 R2.3 *", "w - - 0 1"),
    ] {
        let (pgn, messages) = convert("side.pgn", format!("[FEN \"{fen}\"]\n\n{moves}\n"), &[]);
        assert!(
            messages.ends_with("games 1 plies 2\n") && pgn.contains(expected) && messages.contains("the FEN has the other side"),
            "{moves}: {messages}{pgn}"
        );
    }
    let (_, messages) = convert("side.pgn", "[FEN \"3k5/9/9/9/9/9/9/9/1r7/4K4 b - - 0 1\"]\n\n1. R2.3 K5.4 *\n", &[]);
    assert_eq!(messages, "games 1 plies 2\n");
}

/// XQF written with another code page.
#[test]
fn the_encoding_of_the_input_can_be_named() {
    let scratch = TestFolder::new(&[("game.pgn", "[Red \"A\"]\n\n1. C2=5 *\n")]);
    assert!(scratch.run(&["convert", "game.pgn", "game.xqf"]).status.success());
    let path = scratch.folder.path().join("game.xqf");
    let mut bytes = std::fs::read(&path).unwrap();
    // The name of Red, with its length before it: Vơ Đức in windows-1258.
    bytes[0x130..0x137].copy_from_slice(b"\x06V\xf5 \xd0\xfdc");
    std::fs::write(&path, bytes).unwrap();
    let pgn = scratch.run(&[&["convert", "game.xqf", "-", "--input-encoding", "windows-1258"], PLAIN_TEXT].concat());
    assert!(String::from_utf8_lossy(&pgn.stdout).contains("[Red \"Vơ Đưc\"]"), "{pgn:?}");
    let refused = scratch.run(&["convert", "game.xqf", "-", "--input-encoding", "cp9"]);
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("unknown encoding 'cp9'"),
        "{refused:?}"
    );
}

/// Converting a folder and back restores the original names.
#[test]
fn names_are_restored_by_a_round_trip() {
    let scratch = TestFolder::new(&[("a/x.pgn", "1. C2=5 *\n"), ("a/y.txt", "1. C2=5 *\n")]);
    let names = |folder: &str| {
        let mut names: Vec<String> = std::fs::read_dir(scratch.folder.path().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    for (from, to, format, expected) in [
        ("a", "b", "xqf", ["x.pgn.xqf", "y.txt.xqf"]),
        ("b", "c", "pgn", ["x.pgn", "y.txt.xqf.pgn"]),
        ("c", "d", "xqf", ["x.pgn.xqf", "y.txt.xqf"]),
        ("d", "e", "pgn", ["x.pgn", "y.txt.xqf.pgn"]),
    ] {
        let output = scratch.run(&["convert", from, to, "--to-format", format]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(names(to), expected);
    }
    // If two files would get the same name, both keep their own.
    let scratch = TestFolder::new(&[("a/x.xqf.pgn", "1. C2=5 *\n"), ("a/x.pgn", "1. C2=5 H8+7 *\n")]);
    assert!(scratch.run(&["convert", "a/x.pgn", "a/x.xqf"]).status.success());
    let output = scratch.run(&["convert", "a", "b", "--to-format", "xqf"]);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout) == "games 3 plies 5\n", "{output:?}");
}

/// All failures of a file are counted, and printed with --all-errors.
#[test]
fn all_failures_can_be_seen() {
    let list = "9/9 w\n".repeat(30);
    let (_, messages) = convert("bad.fen", &list, &[]);
    assert_eq!(
        (messages.matches("FEN has 2 rows").count(), messages.contains("10 more failures, which --all-errors prints")),
        (20, true),
        "{messages}"
    );
    let (_, messages) = convert("bad.fen", &list, &["--all-errors"]);
    assert_eq!((messages.matches("FEN has 2 rows").count(), messages.contains("not shown")), (30, false), "{messages}");
}

/// A comment beyond the limit is truncated, which is reported in one line, and the game continues.
#[test]
fn an_overlong_comment_is_truncated() {
    let text = format!(
        "[Red \"A\"]\n\n1. C2=5 {{{}}} H8+7 {{kept}} 2. H2+3 *\n\n[Red \"B\"]\n\n1. C2=5 *\n",
        "a long remark ".repeat(1_400_000)
    );
    let (pgn, messages) = convert("long.pgn", &text, &[]);
    assert!(pgn.len() > 16 << 20 && pgn.len() < text.len() && pgn.contains("[Red \"B\"]"));
    let part = "game 1: the comment after ply 1 is truncated, the comments of a game have at most 16 MiB\n";
    assert!(messages.contains(part) && messages.ends_with("games 2 plies 4\n"), "{messages}");
}
