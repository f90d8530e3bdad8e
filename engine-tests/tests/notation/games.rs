//! Complete real games in the notation of their files, converted to ICCS and back and through every other notation.
//!
//! `data/notation-games.tsv` has the moves of some games (game, notation, first and last position, moves); if the sample
//! files exist next to the repository, all their games are read too.

use chuhe::board::{Board, Position};
use chuhe::notation::{Notation, System, read_line, read_line_auto, write_line};
use chuhe::types::Move;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const GAMES: &str = include_str!("../../data/notation-games.tsv");

struct Game {
    /// File and number, for messages.
    name: String,
    start: Board,
    texts: Vec<String>,
}

/// Reads a game in its notation, detects the notation, and converts the game through all notations and back. Returns the moves.
fn check_game(game: &Game, system: System) -> Vec<Move> {
    let name = &game.name;
    let moves = read_line(system, &game.start, &game.texts).unwrap_or_else(|error| panic!("{name}: {error}"));
    let detected = read_line_auto(&game.start, &game.texts).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(detected.systems.contains(&system), "{name}: taken for {:?}", detected.systems);
    assert_eq!(detected.moves, moves, "{name}");
    let iccs = write_line(System::Iccs, &game.start, &moves);
    assert_eq!(read_line(System::Iccs, &game.start, &iccs), Ok(moves.clone()), "{name}");
    for other in System::ALL {
        let notation = Notation { unambiguous: true, ..Notation::new(other) };
        let line = notation.write_line(&game.start, &moves);
        assert_eq!(notation.read_line(&game.start, &line), Ok(moves.clone()), "{name} in {other}");
    }
    moves
}

/// Checks that the writer reproduces the text of the file, if the text has the canonical form.
fn check_texts(game: &Game, system: System, moves: &[Move]) {
    let written = write_line(system, &game.start, moves);
    let differences: Vec<(&String, &String)> = written.iter().zip(&game.texts).filter(|(ours, theirs)| ours != theirs).collect();
    println!("{}: {} plies, {} written otherwise", game.name, moves.len(), differences.len());
    if matches!(system, System::ChineseSimplified | System::Iccs | System::Uci) {
        assert!(differences.is_empty(), "{}: {differences:?}", game.name);
    }
}

/// Board and side of the position after the moves.
fn final_fen(start: &Board, moves: &[Move]) -> String {
    moves.iter().fold(*start, |board, &mv| board.after(mv)).to_fen()
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn games_of_the_suite_convert() {
    let mut plies = 0;
    let mut known: HashMap<&str, Vec<Move>> = HashMap::new();
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let [name, system, start, last, moves] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("columns of {line}") };
        let system: System = system.parse().unwrap_or_else(|error| panic!("{error}"));
        let texts: Vec<String> = moves.split(' ').map(str::to_string).collect();
        let game = Game { name: format!("{name} in {system}"), start: board(start), texts };
        let moves = check_game(&game, system);
        assert_eq!(final_fen(&game.start, &moves), last, "{}", game.name);
        check_texts(&game, system, &moves);
        plies += moves.len();
        // The same game in another notation has the same moves.
        assert_eq!(*known.entry(name).or_insert_with(|| moves.clone()), moves, "{}", game.name);
    }
    assert!(plies > 900, "only {plies} plies");
}

/// The folder with the sample files, next to the repository or next to its parent folder.
fn samples() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["../../shared/samples", "../../../shared/samples"].iter().map(|path| root.join(path)).find(|path| path.is_dir())
}

/// The games of a PGN text: main lines without comments, variations, numbers and results.
fn games_of(name: &str, text: &str) -> Vec<Game> {
    let mut games: Vec<(Option<String>, Vec<String>)> = Vec::new();
    let (mut comment, mut variation) = (0u32, 0u32);
    let mut over = true;
    for line in text.trim_start_matches('\u{feff}').lines() {
        if comment == 0 && line.starts_with('[') {
            if games.last().is_none_or(|game| !game.1.is_empty()) {
                games.push((None, Vec::new()));
                over = false;
            }
            if let (Some(fen), Some(game)) = (line.strip_prefix("[FEN \""), games.last_mut()) {
                game.0 = fen.split('"').next().map(str::to_string);
            }
            continue;
        }
        let spaced: String = line.chars().flat_map(|c| if "{}()".contains(c) { vec![' ', c, ' '] } else { vec![c] }).collect();
        for word in spaced.split_whitespace() {
            match word {
                "{" => comment += 1,
                "}" => comment = comment.saturating_sub(1),
                "(" if comment == 0 => variation += 1,
                ")" if comment == 0 => variation = variation.saturating_sub(1),
                _ if comment > 0 || variation > 0 => {}
                "*" | "1-0" | "0-1" | "1/2-1/2" => over = true,
                _ if over || word.starts_with("==") => over = true,
                _ if word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit()) => {}
                _ => {
                    if let Some(game) = games.last_mut() {
                        game.1.push(word.to_string());
                    }
                }
            }
        }
    }
    games
        .into_iter()
        .enumerate()
        .map(|(index, (fen, texts))| Game {
            name: format!("{name} {}", index + 1),
            start: fen.map_or(*Position::startpos().board(), |fen| board(&fen)),
            texts,
        })
        .collect()
}

fn decode(name: &str, bytes: &[u8]) -> String {
    let encoding = match name {
        _ if name.contains("gbk") => encoding_rs::GBK,
        _ if name.contains("big5") => encoding_rs::BIG5,
        _ => encoding_rs::UTF_8,
    };
    encoding.decode(bytes).0.into_owned()
}

#[test]
fn sample_games_convert() {
    let Some(samples) = samples() else {
        println!("skipped: no sample files beside the repository");
        return;
    };
    let read = |path: PathBuf| std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let expected = decode("expected", &read(samples.join("expected.tsv")));
    let (mut games, mut plies) = (0, 0);
    let mut files: HashMap<String, Vec<Game>> = HashMap::new();
    for row in expected.lines().filter(|row| row.starts_with("pgn/")) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, number, length, start, last] = columns[..5] else { panic!("columns of {row}") };
        let file_games =
            files.entry(file.to_string()).or_insert_with(|| games_of(file, &decode(file, &read(samples.join(file)))));
        let game = &file_games[number.parse::<usize>().map_or(0, |number| number - 1)];
        let system = match file {
            _ if file.contains("iccs") => System::Iccs,
            _ if file.contains("uci") => System::Uci,
            _ if file.contains("wxf") => System::Wxf,
            _ if file.contains("big5") => System::Chinese,
            _ => System::ChineseSimplified,
        };
        let moves = check_game(game, system);
        assert_eq!(game.start.to_fen(), start, "{}", game.name);
        assert_eq!(final_fen(&game.start, &moves), last, "{}", game.name);
        assert_eq!(moves.len().to_string(), length, "{}", game.name);
        games += 1;
        plies += moves.len();
    }
    println!("{games} games, {plies} plies");
    assert!(games > 50);
}
