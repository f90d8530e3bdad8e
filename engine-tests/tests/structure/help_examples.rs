//! Every example of every help text works: it is run unchanged, in a folder with the files that it names.

#![cfg(unix)]

use super::documents::{Scratch, last_lines, text_of};
use engine_tests::repository;
use std::fs;

/// Examples that run until they are stopped, play games for hours, measure for minutes or need the npm package: only their arguments are
/// parsed.
const ONLY_CHECKED: [&str; 4] = ["chuhe serve", "chuhe match", "chuhe bench 16", "chuhe site"];

/// The lines after `Examples:` that begin with a command, without the remarks after several blanks.
fn examples(help: &str) -> Vec<String> {
    let Some((_, examples)) = help.split_once("\nExamples:\n") else { return Vec::new() };
    let lines = examples.lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| line.trim().split("     ").next().unwrap_or_default().to_string()).collect()
}

#[test]
fn every_example_of_every_help_text_works() {
    let scratch = Scratch::new("help examples");
    let folder = scratch.folder();
    let home = folder.join("home");
    for below in [
        "home/.local/share/bash-completion/completions",
        "home/.zfunc",
        "home/.config/fish/completions",
        "home/.config/elvish",
        "games",
        "old-games",
    ] {
        fs::create_dir_all(folder.join(below)).expect("own folder");
    }
    let copy = |from: &str, to: &str| fs::copy(folder.join(from), folder.join(to)).expect("own files");
    copy("games.pgn", "tournament.pgn");
    fs::write(folder.join("games/one.pgn"), "[Red \"Hu Ronghua\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n").expect("own file");
    copy("game.xqf", "old-games/one.xqf");
    copy("game.xqf", "van-co.xqf");
    copy("positions.fen", "openings.epd");
    let long = format!("[Result \"*\"]\n\n{} *\n", "h0g2 h9g7 g2h0 g7h9 ".repeat(20));
    fs::write(folder.join("long.pgn"), long).expect("own file");
    assert!(scratch.shell("chuhe convert long.pgn long.xqf && mv game.xqf short.xqf", false).status.success());
    fs::copy(repository().join("book/pawn.wxf"), folder.join("lines.wxf")).expect("the book has a source");
    // The reader of manual pages may not be installed.
    fs::write(folder.join("bin/man"), "#!/bin/sh\ncat\n").expect("own file");
    assert!(scratch.shell("chmod +x bin/man", false).status.success());
    let below = |command: &str| -> Vec<String> {
        let help = text_of(&scratch.shell(&format!("chuhe {command} --help"), false));
        help.lines()
            .skip_while(|line| *line != "Commands:")
            .skip(1)
            .take_while(|line| !line.is_empty())
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help")
            .map(|name| format!("{command} {name}").trim_start().to_string())
            .collect()
    };
    let mut commands = vec![String::new()];
    for command in below("") {
        let inner = below(&command);
        commands.push(command);
        commands.extend(inner);
    }
    assert!(commands.len() > 30, "{commands:?}");
    let mut faults = Vec::new();
    let mut run = 0;
    for command in &commands {
        let help = text_of(&scratch.shell(&format!("chuhe {command} --help"), false));
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{help}");
        // A game of normal length if the example names a ply, a short one if every position is searched.
        copy(if ["diagram", "judge"].contains(&command.as_str()) { "long.xqf" } else { "short.xqf" }, "game.xqf");
        for example in examples {
            let only_check = ONLY_CHECKED.iter().any(|start| example.starts_with(start));
            // Outputs of several examples, which no example reads.
            let _ = fs::remove_file(folder.join("game.pgn"));
            let script = format!("export HOME='{}' PROFILE='{}/profile'\n{example}", home.display(), home.display());
            let output = scratch.shell(&script, only_check);
            if !output.status.success() {
                faults.push(format!("{example}: {}\n{}", output.status, last_lines(&text_of(&output))));
            }
            run += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(run > 90, "only {run} examples were found");
}
