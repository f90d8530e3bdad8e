//! `eval`, and `EvalFile` with valid, damaged and missing files.

use chuhe::nnue::Network;
use engine_tests::client::Client;
use std::path::PathBuf;

/// A file in the folder for tests.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the folder for tests can be written");
    path
}

fn score(client: &mut Client) -> String {
    client.send("position startpos");
    client.send("eval");
    client.pending().pop().unwrap_or_default()
}

#[test]
fn eval_shows_every_piece_the_score_and_the_chances() {
    let mut client = Client::uci();
    client.send("position startpos");
    client.send("eval");
    let lines = client.pending();
    // Ten ranks of two lines each, the file letters, the description, the score twice.
    assert_eq!(lines.len(), 10 * 2 + 4, "{lines:?}");
    let contributions = |line: &String| line.split_whitespace().filter(|word| word.parse::<i32>().is_ok()).count();
    // Nine pieces minus the king on the back rank, two cannons, five pawns.
    assert_eq!([1, 5, 7, 13, 15, 19].map(|at| contributions(&lines[at])), [8, 2, 5, 5, 2, 8]);
    assert!(lines[23].contains(" for Red, wdl "), "{}", lines[23]);
    // As Pikafish writes it: the third word is the score in pawns from Red's view.
    let words: Vec<&str> = lines[22].split_whitespace().collect();
    let score: f64 = words[2].parse().expect("a number");
    assert_eq!((words[0], words[1], words[3..].join(" ").as_str()), ("Final", "evaluation", "(white side)"));
    assert!(lines[23].contains(&format!(" {:.0} for Red", score * 100.0)), "{lines:?}");
}

#[test]
fn a_network_file_is_read_and_the_built_in_one_comes_back() {
    let mut client = Client::uci();
    let built_in = score(&mut client);
    let mut other = Network::builtin().parameters().clone();
    other.description = "Worth half\nas much.".into();
    other.scale /= 2;
    let other = Network::new(other).expect("half of a sound scale is sound");
    let path = file("half.nnue", &other.to_bytes());
    let lines = client.ask(&format!("setoption name EvalFile value {}", path.display()), "info");
    assert_eq!(lines.last().map(String::as_str), Some("info string network: Worth half as much."));
    assert_ne!(score(&mut client), built_in);
    client.send("setoption name EvalFile value <empty>");
    client.ask("isready", "readyok");
    assert_eq!(score(&mut client), built_in);
}

#[test]
fn invalid_networks_are_rejected_and_play_continues() {
    let sound = Network::builtin().to_bytes();
    let mut damaged = sound.clone();
    damaged[5000] ^= 1;
    let mut architecture = sound.clone();
    architecture[12] ^= 1;
    for (name, bytes, complaint) in [
        ("empty.nnue", &[][..], "not a network file"),
        ("short.nnue", &sound[..sound.len() - 1], "expected"),
        ("damaged.nnue", &damaged, "checksum"),
        ("architecture.nnue", &architecture, "architecture"),
    ] {
        let mut client = Client::ucci();
        let built_in = score(&mut client);
        let path = file(name, bytes);
        let lines = client.ask(&format!("setoption evalfile {}", path.display()), "info");
        let answer = lines.last().cloned().unwrap_or_default();
        assert!(answer.contains(name) && answer.contains(complaint) && answer.contains("is kept"), "{answer}");
        assert_eq!(score(&mut client), built_in);
        assert!(client.ask("go nodes 1000", "bestmove").len() > 1);
    }
    let mut client = Client::uci();
    let lines = client.ask("setoption name EvalFile value no/such/file", "info");
    assert!(lines.last().is_some_and(|line| line.contains("no/such/file")), "{lines:?}");
}
