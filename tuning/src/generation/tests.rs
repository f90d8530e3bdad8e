use super::*;

/// A generation that takes seconds: both players use the network that counts material.
const SMALL: &str = "name = 'small'\nseed = 3\nteacher = 'material'\n\
    [selfplay]\ngames = 24\nnodes = 60\nhash = 1\n\
    [recipe]\nhidden = 256\n[recipe.filter]\nvalidation_percent = 20\n\
    [recipe.schedule]\nbatch = 64\nround = 4\nrounds = 3\nwarmup = 2\n\
    [compare]\nagainst = ['material']\npairs = 3\nnodes = 60\n";

fn options(output: &Path) -> Options {
    Options { output: output.into(), threads: 2, only: None, engine: "test".into() }
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
    // No step is repeated.
    let time = || folder.join("small/checkpoint").metadata().and_then(|data| data.modified()).expect("a file");
    let before = time();
    run(&small, &options(whole.path())).expect("nothing is missing");
    assert_eq!(time(), before);
    // Two machines play a part each, and a third one the rest; the order of games within files differs.
    let shared = tempfile::tempdir().expect("a folder for the test");
    for only in [0..7, 7..15] {
        run(&small, &Options { only: Some(only), ..options(shared.path()) }).expect("nothing is missing");
    }
    assert!(!shared.path().join("small/small").exists());
    run(&small, &options(shared.path())).expect("nothing is missing");
    let numbers = |folder: &Path, files: &[&str]| {
        let games = files.iter().flat_map(|file| crate::datasets::tests::read(&folder.join("small").join(file)));
        let mut numbers: Vec<u64> = games.map(|game| game.id).collect();
        numbers.sort();
        numbers
    };
    let all = numbers(whole.path(), &["games-here"]);
    assert_eq!(numbers(shared.path(), &["games-0-7", "games-7-15", "games-here"]), all);
    let recipe = std::fs::read_to_string(shared.path().join("small/small/recipe.toml")).expect("a recipe");
    assert!(["games-0-7", "games-7-15", "games-here"].iter().all(|file| recipe.contains(file)), "{recipe}");
    assert!(chuhe::nnue::Network::from_bytes(&network(shared.path())).is_ok());
    // Games of another engine are rejected.
    let other = Options { engine: "another".into(), ..options(shared.path()) };
    assert!(matches!(run(&small, &other), Err(GenerationError::OtherPlan { .. })));
}

#[test]
fn an_interrupted_restart_does_not_continue_the_earlier_training() {
    let output = tempfile::tempdir().expect("a folder for the test");
    let small = Generation::parse(SMALL).expect("a sound generation");
    run(&small, &options(output.path())).expect("nothing is missing");
    let before = network(output.path());
    // The training on more games ends before its first round, since the recipe can't be written.
    let more = Generation::parse(&SMALL.replace("games = 24", "games = 40")).expect("a sound generation");
    let recipe = output.path().join("small/small/recipe.toml");
    std::fs::remove_file(&recipe).expect("a recipe");
    std::fs::create_dir_all(recipe.join("folder")).expect("room on the disk");
    assert!(matches!(run(&more, &options(output.path())), Err(GenerationError::Training(_))));
    std::fs::remove_dir_all(&recipe).expect("the folder just made");
    run(&more, &options(output.path())).expect("nothing is missing");
    assert!(network(output.path()) != before);
}

#[test]
fn a_start_network_of_another_width_is_an_error_before_the_games() {
    let output = tempfile::tempdir().expect("a folder for the test");
    // Neither the built-in network nor the one that counts material is so wide.
    let wide = SMALL.replace("hidden = 256\n", "hidden = 1024\nstart = { network = 'embedded' }\n");
    let wide = Generation::parse(&wide).expect("a sound generation");
    assert!(matches!(run(&wide, &options(output.path())), Err(GenerationError::Training(_))));
    assert!(!output.path().join("small/games-here").exists());
}

#[test]
fn missing_inputs_of_later_steps_are_errors_before_the_games() {
    let output = tempfile::tempdir().expect("a folder for the test");
    let opponent = SMALL.replace("against = ['material']", "against = ['missing.nnue']");
    let opponent = Generation::parse(&opponent).expect("a sound generation");
    assert!(matches!(run(&opponent, &options(output.path())), Err(GenerationError::Network(_))));
    let older = Generation::parse(&format!("older = ['missing']\n{SMALL}")).expect("a sound generation");
    assert!(matches!(run(&older, &options(output.path())), Err(GenerationError::Dataset(_))));
    assert!(!output.path().join("small/games-here").exists());
}

#[test]
fn the_name_of_a_generation_may_begin_like_a_file_of_games() {
    let output = tempfile::tempdir().expect("a folder for the test");
    let games = Generation::parse(&SMALL.replace("name = 'small'", "name = 'games-1'")).expect("a sound generation");
    for _ in 0..2 {
        run(&games, &options(output.path())).expect("nothing is missing");
    }
}

#[test]
fn in_a_series_each_network_plays_for_the_next() {
    let text = SMALL.replace("hidden = 256\n", "hidden = 256\nstart = { network = 'teacher' }\ntarget = { calibrate = true }\n");
    let series = Generation::parse(&format!("{text}[series]\ngenerations = 3\nreplay = 1\n")).expect("a sound series");
    let output = tempfile::tempdir().expect("a folder for the test");
    run(&series, &options(output.path())).expect("nothing is missing");
    let path = |number: usize, name: &str| output.path().join(format!("small-{number}")).join(name);
    let teacher = |number: usize| {
        let games = crate::datasets::Games::open(&path(number, "games-here")).expect("games");
        let plan: SelfPlayPlan = serde_json::from_str(games.description()).expect("a plan");
        (plan.evaluation, plan.seed)
    };
    let network = |number: usize| {
        let file = path(number, &format!("small-{number}/network.nnue"));
        chuhe::nnue::Network::read(&file).expect("a network")
    };
    let name = |network: &chuhe::nnue::Network| format!("network {:08x}", network.checksum());
    assert_eq!(teacher(1), (name(&chuhe::nnue::Network::material()), 3));
    assert_eq!([teacher(2), teacher(3)], [(name(&network(1)), 4), (name(&network(2)), 5)]);
    // The third is trained on the games of the second too, and continues from its weights, not from the random ones of the first.
    let recipe = |number: usize| std::fs::read_to_string(path(number, &format!("small-{number}/recipe.toml"))).expect("a recipe");
    let is_data = |number: usize, of: usize| recipe(number).contains(&format!("small-{of}/games-here"));
    assert!(is_data(2, 1) && is_data(2, 2) && !is_data(3, 1) && is_data(3, 2) && is_data(3, 3));
    assert!(!recipe(1).contains("network") && recipe(3).contains("small-2/small-2/network.nnue"), "{}", recipe(3));
    // No step is repeated.
    let time = || path(3, "small-3/checkpoint").metadata().and_then(|data| data.modified()).expect("a file");
    let before = time();
    run(&series, &options(output.path())).expect("nothing is missing");
    assert_eq!(time(), before);
    let only = Options { only: Some(0..3), ..options(output.path()) };
    assert!(matches!(run(&series, &only), Err(GenerationError::SharedSeries)));
    // Another recipe does not replace a network that has played the games of the next generation.
    let kept = network(1).checksum();
    let text = text.replace("rounds = 3\n", "rounds = 4\n");
    let changed = Generation::parse(&format!("{text}[series]\ngenerations = 3\nreplay = 1\n")).expect("a sound series");
    assert!(matches!(run(&changed, &options(output.path())), Err(GenerationError::Played { .. })));
    assert_eq!(network(1).checksum(), kept);
    for number in [2, 3] {
        std::fs::remove_dir_all(output.path().join(format!("small-{number}"))).expect("a generation's folder");
    }
    run(&changed, &options(output.path())).expect("nothing is missing");
    assert_ne!(network(1).checksum(), kept);
}

#[test]
fn a_start_network_that_was_replaced_is_noticed() {
    let output = tempfile::tempdir().expect("a folder for the test");
    let start = output.path().join("start.nnue");
    let text = format!("hidden = 256\nstart = {{ network = '{}' }}\n", start.display());
    let further = Generation::parse(&SMALL.replace("hidden = 256\n", &text)).expect("a sound generation");
    let trained = |scale: i32| {
        let parameters = chuhe::nnue::Parameters { scale, ..chuhe::nnue::Network::material().parameters() };
        let first = chuhe::nnue::Network::new(parameters).expect("a scale within the limits");
        std::fs::write(&start, first.to_bytes()).expect("room on the disk");
        run(&further, &options(output.path())).expect("nothing is missing");
        network(output.path())
    };
    let before = trained(256);
    assert!(trained(256) == before);
    assert!(trained(128) != before);
}

#[test]
fn errors_name_the_mistake() {
    let error = |text: &str| Generation::parse(text).expect_err("a mistake").to_string();
    assert!(error("name = 'a'\nseed = 1\n[selfplay]\ngame = 3\n").starts_with("line 4: unknown field `game`"));
    assert_eq!(error("name = 'a'\nseed = 1\n[recipe]\nhidden = 300\n"), "hidden: expected 256, 512, 768 or 1024");
    assert!(error("name = 'a'\nseed = 1\n[recipe]\nwidth = 300\n").starts_with("recipe, 'width = 300': unknown field `width`"));
    let typed = error("name = 'a'\nseed = 1\n[recipe.schedule]\n\n\nbatch = true\n");
    assert!(typed.starts_with("recipe, 'batch = true': invalid type"), "{typed}");
    assert_eq!(error("name = '../a'\nseed = 1\n"), "name: expected letters, digits, '-', '_' and '.'");
}

#[test]
fn the_files_from_nothing_are_sound_and_each_starts_from_the_one_before() {
    let mut teachers = vec![String::from("material")];
    for text in [
        include_str!("../../generations/zero.toml"),
        include_str!("../../generations/early.toml"),
        include_str!("../../generations/middle.toml"),
        include_str!("../../generations/late.toml"),
        include_str!("../../generations/large.toml"),
        include_str!("../../generations/final.toml"),
        include_str!("../../generations/shallow.toml"),
    ] {
        let generation = Generation::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert!(teachers.contains(&generation.teacher), "{}: {}", generation.name, generation.teacher);
        let members = generation.members(Path::new("generations"));
        teachers = members.iter().map(|member| format!("generations/{0}/{0}/network.nnue", member.name)).collect();
    }
}
