use super::*;
use crate::datasets::tests::random_file;
use chuhe::board::Position;
use chuhe::nnue::{OUTPUT_BUCKETS, Width};
use indicatif::ProgressBar;
use rand::{RngExt, SeedableRng};
use std::path::PathBuf;

/// Positions of random games with random scores and results.
pub(crate) fn random_samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut samples = Vec::new();
    let mut position = Position::startpos();
    while samples.len() < count {
        let moves = position.board().legal_moves();
        if moves.is_empty() || position.plies() > 100 {
            position = Position::startpos();
            continue;
        }
        position.make(moves[random.random_range(0..moves.len())]);
        samples.push(Sample::new(position.board(), random.random_range(-600..600), random.random_range(0..3)));
    }
    samples
}

fn small_recipe(data: Vec<PathBuf>) -> Recipe {
    let text = "name = 'small'\nseed = 5\n[filter]\nvalidation_percent = 20\n\
        [target]\nresult_share = 0.3\n[start]\ndeviation = 0.118\n\
        [schedule]\nbatch = 64\nround = 6\nrounds = 4\nwarmup = 3\nshards = 3\nwindow = 1000\n";
    Recipe { data, ..Recipe::parse(text).expect("a short recipe") }
}

#[test]
fn an_interrupted_run_gives_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let recipe = small_recipe(vec![random_file(folder.path(), "games", 80, 1)]);
    let bar = ProgressBar::hidden();
    let mut whole = Trainer::new(&recipe, 2, None).expect("good data");
    whole.run(4, &bar, |_, _| Ok(())).expect("good data");
    let mut first = Trainer::new(&recipe, 1, None).expect("good data");
    first.run(2, &bar, |_, _| Ok(())).expect("good data");
    let bytes = first.checkpoint().to_bytes();
    let read = Checkpoint::from_bytes(&bytes).expect("what was just written");
    assert!(&read == first.checkpoint());
    let mut second = Trainer::new(&recipe, 3, Some(read)).expect("its own checkpoint");
    second.run(4, &bar, |_, _| Ok(())).expect("good data");
    assert!(second.checkpoint().model == whole.checkpoint().model);
    assert!(second.checkpoint().optimizer == whole.checkpoint().optimizer);
    // Another recipe does not continue from it.
    let other = Recipe { hidden: 512, ..recipe };
    assert!(Trainer::new(&other, 1, Some(first.checkpoint().clone())).is_err());
}

#[test]
fn damaged_checkpoints_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let recipe = small_recipe(vec![random_file(folder.path(), "games", 20, 1)]);
    let bytes = Trainer::new(&recipe, 1, None).expect("good data").checkpoint().to_bytes();
    for at in [0, 8, 12, 20, 40, 60, 100_000, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
    }
    assert!(Checkpoint::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    assert!(Checkpoint::from_bytes(b"").is_err());
}

#[test]
fn a_run_learns_and_writes_a_network_that_the_engine_loads() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut recipe = small_recipe(vec![random_file(folder.path(), "games", 200, 1)]);
    recipe.schedule.round = 40;
    recipe.schedule.rate_start = 3e-3;
    let options = Options { output: folder.path().to_path_buf(), threads: 2, stop_after: None, restart: false };
    let history = train(&recipe, &options).expect("good data");
    let run = folder.path().join("small");
    let network = std::fs::read(run.join("network.nnue")).expect("the run's network");
    let network = chuhe::nnue::Network::from_bytes(&network).expect("a network of this architecture");
    let checkpoint = std::fs::read(run.join("checkpoint")).expect("the run's checkpoint");
    let checkpoint = Checkpoint::from_bytes(&checkpoint).expect("what was just written");
    assert_eq!(checkpoint.history, history);
    assert_eq!(history.len(), 4);
    assert!(history[3].loss < 0.9 * history[0].loss, "{history:?}");
    let boards: Vec<_> = [Position::startpos()].iter().map(|position| *position.board()).collect();
    let error = measure_quantisation(&checkpoint.model, &network, &recipe, &boards);
    assert!(error.largest < 12.0, "{error:?}");
    assert!(std::fs::read_to_string(run.join("losses.svg")).is_ok_and(|picture| picture.contains("<svg")));
    assert_eq!(Recipe::read(&run.join("recipe.toml")).expect("its own recipe"), recipe);
}

#[test]
fn a_run_that_ends_while_it_saves_repeats_the_round() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let recipe = small_recipe(vec![random_file(folder.path(), "games", 80, 1)]);
    let options = Options { output: folder.path().to_path_buf(), threads: 2, stop_after: None, restart: false };
    // The network cannot be written.
    let network = folder.path().join("small/network.nnue");
    std::fs::create_dir_all(network.join("folder")).expect("room on the disk");
    assert!(matches!(train(&recipe, &options), Err(TrainingError::Io { .. })));
    std::fs::remove_dir_all(&network).expect("the folder just made");
    assert_eq!(train(&recipe, &Options { stop_after: Some(1), ..options.clone() }).expect("good data").len(), 1);
    assert!(network.is_file());
    // A restart that ends before its first round leaves nothing to continue from.
    train(&recipe, &Options { stop_after: Some(0), restart: true, ..options }).expect("good data");
    assert!(!folder.path().join("small/checkpoint").exists());
}

#[test]
fn feature_weights_are_clipped_to_the_limit_of_the_recipe() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut recipe = small_recipe(vec![random_file(folder.path(), "games", 80, 1)]);
    // Beyond the limit from the start.
    recipe.start.deviation = 0.6;
    let weights = |limit| {
        let mut recipe = recipe.clone();
        recipe.optimizer.feature_limit = limit;
        let mut trainer = Trainer::new(&recipe, 1, None).expect("good data");
        let first = quantise(&trainer.checkpoint().model, &recipe, recipe.target.scale, String::new()).expect("first weights");
        trainer.run(1, &ProgressBar::hidden(), |_, _| Ok(())).expect("good data");
        let model = &trainer.checkpoint().model;
        let features = &model.parameters[..model.layout().hidden_biases()];
        // The model itself stays within the limit, not only the quantised network.
        assert!(features.iter().all(|weight| (weight * 255.0).abs() <= limit as f32 + 0.01));
        let network = quantise(model, &recipe, recipe.target.scale, String::new()).expect("a network");
        [first, network].map(|network| network.parameters().feature_weights)
    };
    for weights in weights(127) {
        assert!(weights.iter().all(|weight| (-127..=127).contains(weight)) && weights.contains(&127) && weights.contains(&-127));
    }
    assert!(weights(992)[1].iter().any(|weight| weight.abs() > 127));
}

#[test]
fn a_network_is_calibrated_to_the_results_of_games() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut recipe = small_recipe(vec![random_file(folder.path(), "games", 80, 1)]);
    let trained = |recipe: &Recipe| {
        let options = Options { output: folder.path().to_path_buf(), threads: 2, stop_after: None, restart: true };
        train(recipe, &options).expect("good data");
        chuhe::nnue::Network::read(&folder.path().join("small/network.nnue")).expect("the run's network").parameters()
    };
    let plain = trained(&recipe);
    recipe.target.calibrate = true;
    let calibrated = trained(&recipe);
    assert!(plain.feature_weights == calibrated.feature_weights && plain.output_weights == calibrated.output_weights);
    assert_eq!(plain.scale, 400);
    // The results of these games are random: the smaller the evaluation, the better it predicts them.
    assert!((100..110).contains(&calibrated.scale), "{}", calibrated.scale);
    // The mean evaluation is proportional to the scale.
    recipe.target.calibrate = false;
    let scales = [20, 40].map(|mean| {
        recipe.target.mean = mean;
        let scaled = trained(&recipe);
        assert!(plain.output_weights == scaled.output_weights);
        scaled.scale
    });
    assert!(scales[1].abs_diff(2 * scales[0]) <= 1 && scales[0] != 400, "{scales:?}");
}

#[test]
fn a_single_bucket_is_used_for_all_phases() {
    let recipe = Recipe { output_buckets: 1, ..small_recipe(vec![]) };
    let model = Model::new(Width::W256, 2, 0.1);
    let network = quantise(&model, &recipe, recipe.target.scale, String::new()).expect("first weights");
    let weights = network.parameters().output_weights;
    let sets: Vec<&[i16]> = weights.chunks(weights.len() / OUTPUT_BUCKETS).collect();
    assert!(sets.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_network_is_trained_further_from_its_weights() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut recipe = small_recipe(vec![random_file(folder.path(), "games", 20, 1)]);
    let trainer = Trainer::new(&recipe, 1, None).expect("good data");
    let network = quantise(&trainer.checkpoint().model, &recipe, recipe.target.scale, "first".into()).expect("a network");
    let file = folder.path().join("first.nnue");
    std::fs::write(&file, network.to_bytes()).expect("room for a network");
    recipe.start.network = Some(file.display().to_string());
    let further = Trainer::new(&recipe, 1, None).expect("a network of the same width");
    let again = quantise(&further.checkpoint().model, &recipe, recipe.target.scale, "first".into()).expect("a network");
    assert!(again.parameters() == network.parameters());
    assert_ne!(recipe.fingerprint(), small_recipe(recipe.data.clone()).fingerprint());
    // Another scale gives the same evaluations in other units.
    recipe.target.scale = 250;
    let model = Model::of_network(&network, 250);
    for sample in random_samples(20, 3) {
        let difference = model.output(&sample) * 250.0 - further.checkpoint().model.output(&sample) * 400.0;
        assert!(difference.abs() < 0.1, "{difference}");
    }
    recipe.hidden = 512;
    let error = Trainer::new(&recipe, 1, None).err().expect("another width");
    assert!(error.to_string().ends_with("first.nnue has 256 hidden units, but the recipe has 512"), "{error}");
    recipe.start.network = Some("nowhere.nnue".into());
    assert!(Trainer::new(&recipe, 1, None).err().expect("no file").to_string().starts_with("start.network: "));
}
