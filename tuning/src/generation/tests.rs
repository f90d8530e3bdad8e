use super::*;

/// A generation that takes seconds: both players use the network that counts material.
const SMALL: &str = "name = 'small'\nseed = 3\nteacher = 'material'\n\
    [selfplay]\ngames = 24\nnodes = 60\nhash = 1\n\
    [recipe]\nhidden = 256\n[recipe.filter]\nvalidation_percent = 20\n\
    [recipe.schedule]\nbatch = 64\nround = 4\nrounds = 3\nwarmup = 2\n\
    [compare]\nagainst = ['material']\npairs = 3\nnodes = 60\n";

fn options(output: &Path) -> Options {
    Options { output: output.into(), threads: 2, memory: 1 << 24, only: None, engine: "test".into() }
}

/// The network of the generation in this folder.
fn network(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("small/small/network.nnue")).expect("the generation's network")
}

#[test]
fn a_generation_resumes_and_can_be_shared_between_machines() {
    let small = Generation::parse(SMALL).expect("a sound generation");
    let whole = tempfile::tempdir().expect("a folder for the test");
    run(&small, &options(whole.path())).expect("nothing is missing");
    let folder = whole.path().join("small");
    let report = std::fs::read_to_string(folder.join("report.md")).expect("a report");
    assert!(report.contains("games 24 ") && report.contains("| material | 60 | 6 |"), "{report}");
    for picture in ["scores.svg", "pieces.svg", "points.svg", "small/losses.svg"] {
        assert!(std::fs::read_to_string(folder.join(picture)).is_ok_and(|text| text.contains("<svg")), "{picture}");
    }
    assert!(!folder.join("unique").exists());
    // No step is repeated.
    let time = |name: &str| folder.join(name).metadata().and_then(|data| data.modified()).expect("a file");
    let before = [time("data"), time("small/checkpoint")];
    run(&small, &options(whole.path())).expect("nothing is missing");
    assert_eq!([time("data"), time("small/checkpoint")], before);
    // Two machines play a part each, and a third one the rest; the order of games within files differs.
    let shared = tempfile::tempdir().expect("a folder for the test");
    for only in [0..7, 7..15] {
        run(&small, &Options { only: Some(only), ..options(shared.path()) }).expect("nothing is missing");
    }
    assert!(!shared.path().join("small/data").exists());
    run(&small, &options(shared.path())).expect("nothing is missing");
    let numbers = |folder: &Path| {
        let games = crate::datasets::tests::read(&folder.join("small/data"));
        let mut numbers: Vec<u64> = games.iter().map(|game| game.id).collect();
        numbers.sort();
        numbers
    };
    assert_eq!(numbers(shared.path()), numbers(whole.path()));
    assert!(chuhe::nnue::Network::from_bytes(&network(shared.path())).is_ok());
    // Games of another engine are rejected.
    let other = Options { engine: "another".into(), ..options(shared.path()) };
    assert!(matches!(run(&small, &other), Err(GenerationError::OtherPlan { .. })));
}

#[test]
fn errors_name_the_mistake() {
    let error = |text: &str| Generation::parse(text).expect_err("a mistake").to_string();
    assert!(error("name = 'a'\nseed = 1\n[selfplay]\ngame = 3\n").starts_with("line 4: unknown field `game`"));
    assert_eq!(error("name = 'a'\nseed = 1\n[recipe]\nhidden = 300\n"), "hidden: expected 256, 512, 768 or 1024");
    assert!(error("name = 'a'\nseed = 1\n[recipe]\nwidth = 300\n").contains("unknown field `width`"));
    assert_eq!(error("name = '../a'\nseed = 1\n"), "name: expected letters, digits, '-', '_' and '.'");
}
