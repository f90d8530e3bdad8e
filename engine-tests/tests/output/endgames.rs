//! `chuhe endgame` with families that cannot be built, and with files and folders that hold no tables.

use engine_tests::chuhe;
use std::path::Path;
use std::process::{Command, Output};

/// Three attackers and all defenders on both sides: terabytes.
const HUGE: &str = "RND-CD";

fn endgame(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split(' ').map(|argument| argument.replace('~', " "));
    Command::new(chuhe()).arg("endgame").args(arguments).current_dir(folder).output().expect("the program starts")
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    assert!(!text.contains("panicked"), "{text}");
    text.lines().map(|line| line.replace('\\', "/")).collect()
}

/// The lines on standard error, without those about memory.
fn errors(output: &Output) -> Vec<String> {
    lines(&output.stderr).into_iter().filter(|line| !line.ends_with(" MiB of memory")).collect()
}

#[test]
fn a_family_that_cannot_be_built_does_not_keep_the_others() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("out/C-C.egt")).unwrap();
    let built = endgame(folder.path(), &format!("build P-P C-C {HUGE} p-p NN- ~n-n~ -o out"));
    let errors = errors(&built);
    assert_eq!(built.status.code(), Some(1), "{errors:?}");
    let starts = ["chuhe: out/C-C.egt: ", "chuhe: C-C: out/C-C.egt: ", "chuhe: RND-CD: ", "chuhe: 2 of 5 families "];
    assert_eq!(errors.len(), starts.len(), "{errors:?}");
    assert!(errors.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{errors:?}");
    assert!(errors[2].contains("MiB of memory, expected at most"), "{errors:?}");
    let written = lines(&built.stdout);
    let families: Vec<&str> = written.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(families, ["P-P", "NN-", "N-N"]);
    // Once more, there is nothing to build but what failed.
    let again = endgame(folder.path(), "build P-P NN- N-N -o out");
    assert!(again.status.success() && lines(&again.stdout).iter().all(|line| line.ends_with("has it already")), "{again:?}");
    let other = endgame(folder.path(), "build P-P -o out --captures-from 10");
    assert!(lines(&other.stdout)[0].ends_with("--captures-from has no effect without --force"), "{other:?}");
    // The program must not keep open what it replaces: Windows would refuse it.
    let forced = endgame(folder.path(), "build P-P -o out --force");
    assert!(forced.status.success() && lines(&forced.stdout)[0].contains(" s to solve, "), "{forced:?}");
    // A single family costs a single line.
    let single = endgame(folder.path(), &format!("build {HUGE} -o empty"));
    assert_eq!((single.status.code(), lines(&single.stderr).len()), (Some(1), 1), "{single:?}");
}

#[test]
fn positions_are_probed_after_their_moves_or_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1";
    let probe = |text: &str| {
        let program = Command::new(chuhe()).args(["endgame", "probe", text]).current_dir(folder.path()).output();
        program.expect("the program starts")
    };
    for (text, position) in [
        (format!("{fen} moves a1a9"), "R3k4/9/9/9/9/9/9/9/9/3K5 b - - 1 1: "),
        ("4k4/9/9/9/9/9/9/9/R8/3K5 w; a title".to_string(), "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1: "),
    ] {
        let output = probe(&text);
        assert!(output.status.success() && lines(&output.stdout)[0].starts_with(position), "{text}: {output:?}");
    }
    // A capture comes in time, whatever the distance to the mate.
    let in_time = lines(&probe("4k4/9/9/9/9/9/9/3n5/9/3R1K3 w - - 118 100").stdout);
    assert!(in_time[0].ends_with(": win in 5") && in_time[1].trim() == "d0d2 win in 5", "{in_time:?}");
    let late = lines(&probe("4k4/9/9/9/9/9/9/3n5/9/3R1K3 w - - 119 100").stdout);
    assert_eq!(late[0].contains("beyond"), late[1].contains("beyond"), "{late:?}");
    // At the limit the game is drawn, whatever can be captured.
    let over = lines(&probe("4k4/9/9/9/9/9/9/3n5/9/3R1K3 w - - 120 100").stdout);
    assert!(over.iter().take(2).all(|line| line.ends_with(", beyond the natural limit")), "{over:?}");
    let over = lines(&probe("9/4k4/7R1/9/9/9/9/3K5/1n7/9 w - - 120 70").stdout);
    assert!(over.iter().all(|line| line.ends_with("win by repetition after 1, beyond the natural limit")), "{over:?}");
    let mated = lines(&probe("3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 130 90").stdout);
    assert!(mated[0].ends_with(": loss in 0"), "{mated:?}");
    // A win in time comes before quicker ones that the limit prevents.
    let ranked = lines(&probe("5ab2/9/4k4/5R3/9/9/9/9/3K5/9 w - - 117 90").stdout);
    let wins = ranked[1..].iter().filter(|line| line.contains(" win in "));
    let are_late: Vec<bool> = wins.map(|line| line.contains("beyond")).collect();
    assert!(!are_late[0] && are_late.contains(&true) && are_late.is_sorted(), "{ranked:?}");
    for (tail, part) in [(" moves zz", "'zz'"), (" xyz 7 8 9", "'xyz 7 8 9'")] {
        let output = probe(&format!("{fen}{tail}"));
        assert!(!output.status.success() && errors(&output)[0].contains(part), "{output:?}");
        // The position is refused, so nothing of it is kept or left out.
        assert!(!errors(&output)[0].contains(';'), "{output:?}");
    }
    let judged =
        Command::new(chuhe()).args(["judge", "--fen", &format!("{fen} moves a1a9")]).output().expect("the program starts");
    assert!(
        judged.status.code() != Some(0) && errors(&judged)[0].contains("--fen: FEN is followed by 'moves a1a9'"),
        "{judged:?}"
    );
}

#[test]
fn lists_are_read_as_by_other_commands() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("list.fen");
    let probe = |list: &[u8]| {
        std::fs::write(&path, list).expect("a list");
        let input = std::fs::File::open(&path).expect("the list");
        let output = Command::new(chuhe()).args(["endgame", "probe", "-"]).stdin(input).output().expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        lines(&output.stdout).into_iter().filter(|line| !line.starts_with(' ')).collect::<Vec<_>>()
    };
    // Carriage returns alone end lines too.
    let old = probe(b"# two\r3k5/9/9/9/9/9/9/9/8R/4K4 w\r\r4k4/9/9/9/9/9/9/9/R8/3K5 w\r");
    assert_eq!(old.len(), 2, "{old:?}");
    // 车一退一 in GBK.
    let chinese = probe(b"3k5/8R/9/9/9/9/9/9/9/4K4 w moves \xb3\xb5\xd2\xbb\xcd\xcb\xd2\xbb\r\n");
    assert!(chinese[0].starts_with("3k5/9/8R/9/9/9/9/9/9/4K4 b - - 1 1: "), "{chinese:?}");
}

#[test]
fn what_is_no_table_costs_a_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join("tables").join(name);
    let built = endgame(folder.path(), "build R-R R-C C-C P-P -o tables");
    assert!(built.status.success(), "{built:?}");
    let table = std::fs::read(path("R-R.egt")).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(path(name), bytes).unwrap();
    write("C-C.egt", &table[..table.len() / 2]);
    write("R-C.egt", &[&table[..2000], &[table[2000] ^ 1], &table[2001..]].concat());
    write("RC-.egt", b"rubbish");
    // Hidden files of macOS beside those that it copied.
    write("._R-R.egt", b"Mac OS X");
    write("N-N.egt", b"");
    write("N-C.egt", &table);
    write("any.egt", &table);
    write("RR-.egt", &[&table[..8], &[9], &table[9..]].concat());
    std::fs::create_dir(path("R-N.egt")).unwrap();
    let faults = [
        ("C-C.egt", "endgame table is damaged: it is cut off"),
        ("N-C.egt", "holds the family R-R, expected it in a file of that name"),
        ("N-N.egt", "not an endgame table, expected it to begin with 'chuheegt'"),
        ("R-C.egt", "endgame table is damaged: the checksum of a block does not match"),
        ("R-N.egt", "not a file, expected an endgame table"),
        ("RC-.egt", "not an endgame table, expected it to begin with 'chuheegt'"),
        ("RR-.egt", "endgame table of version 9, expected one from 1 to 4"),
        ("any.egt", "holds the family R-R, expected it in a file of that name"),
    ]
    .map(|(name, fault)| format!("chuhe: tables/{name}: {fault}"));
    // What can be used is used.
    for arguments in ["list --path tables --json", "probe 4k4/9/9/9/9/9/9/9/9/R2K5~w --path tables --json"] {
        let output = endgame(folder.path(), arguments);
        let ignored: Vec<String> = faults.iter().map(|fault| format!("{fault}; ignored")).collect();
        assert_eq!((output.status.code(), errors(&output)), (Some(0), ignored), "{arguments}");
        assert!(!lines(&output.stdout).is_empty());
    }
    // The others are verified, and the status says that some could not be.
    let other = lines(&endgame(folder.path(), "verify PP- --path tables").stdout);
    assert!(other[0].ends_with(" positions of the built-in table agree with their moves"), "{other:?}");
    let verified = endgame(folder.path(), "verify r-r P-P R-R --path tables");
    assert_eq!(verified.status.code(), Some(1));
    assert_eq!(errors(&verified)[..8], faults);
    assert_eq!(errors(&verified)[8..], ["chuhe: 8 of 10 tables could not be verified"]);
    assert!(lines(&verified.stdout).iter().all(|line| line.ends_with("agree with their moves")), "{verified:?}");
    assert_eq!(lines(&verified.stdout).len(), 2);
    // Arguments that name no family, folder or position.
    for (arguments, status, fault) in [
        ("verify NN-D", 1, "NN-D: no such table"),
        ("verify --path nowhere", 1, "nowhere: not a folder, expected one for endgame tables"),
        ("build P-P -o tables/P-P.egt", 1, "not a folder, expected one for endgame tables"),
        ("build KK-D -o out", 2, "'KK-D' is not a family of endgames, expected one like R-D"),
        ("build R~-D -o out", 2, "'R -D' is not a family of endgames"),
        (
            "build R-AA -o out",
            2,
            "'R-AA' is not a family of endgames, expected R-D: defenders that an attacker can take are written D",
        ),
        ("probe 9/9~w", 1, "position 1: "),
        (
            "probe tables/N-N.egt",
            1,
            "position 1: 'tables/N-N.egt' is a file, expected a position; - reads positions from standard input",
        ),
        ("atlas --path tables", 1, "cut off"),
    ] {
        let output = endgame(folder.path(), arguments);
        let found = lines(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {found:?}");
        assert!(output.stdout.is_empty() && found.iter().any(|line| line.contains(fault)), "{arguments}: {found:?}");
    }
    assert!(!folder.path().join("out").exists());
}
