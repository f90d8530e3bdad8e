use super::*;
use crate::board::{Board, Position};
use crate::types::{Color, Piece};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::sync::Arc;

/// Random test data.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    fn numbers(&mut self, count: usize, limit: i16) -> Vec<i16> {
        (0..count).map(|_| self.below(2 * limit as usize + 1) as i16 - limit).collect()
    }
}

/// A network of random numbers within these limits.
fn network(width: Width, seed: u64, feature_limit: i16, output_limit: i16) -> Network {
    let mut random = Random::new(seed);
    let units = width.units();
    Network::new(Parameters {
        description: "random numbers".into(),
        scale: 400,
        width,
        hidden_biases: random.numbers(units, feature_limit),
        feature_weights: random.numbers(INPUTS * units, feature_limit),
        output_weights: random.numbers(OUTPUT_BUCKETS * 2 * units, output_limit),
        output_biases: (0..OUTPUT_BUCKETS).map(|_| random.below(36_000) as i32 - 18_000).collect(),
    })
    .expect("all within the limits")
}

/// A network with numbers like those of a trained one: little clipping, small evaluations.
fn tame_network() -> Network {
    network(Width::W256, 3, 60, 48)
}

/// Boards of random games of at most `plies` plies.
fn random_boards(seed: u64, games: usize, plies: usize) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut boards = vec![];
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..plies {
            boards.push(*position.board());
            let moves = position.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
        }
    }
    boards
}

#[test]
fn every_reachable_square_of_a_piece_is_one_feature() {
    for perspective in Color::ALL {
        for mirror in [false, true] {
            let mut seen = HashSet::new();
            for piece in Piece::all() {
                for square in crate::board::zone(piece) {
                    let own_king = piece == Piece::new(perspective, crate::types::PieceType::King);
                    if own_king && (if mirror { square.mirrored() } else { square }).file() > 4 {
                        continue;
                    }
                    let number = feature(perspective, mirror, piece, square) as usize;
                    assert!(number < INPUTS && seen.insert(number), "{piece:?} on {square}");
                    assert_eq!(feature(!perspective, mirror, piece.recolored(), square.flipped()) as usize, number);
                    assert_eq!(feature(perspective, !mirror, piece, square.mirrored()) as usize, number);
                }
            }
            assert_eq!(seen.len(), INPUTS);
        }
    }
}

#[test]
fn mirrored_and_recoloured_positions_have_the_same_value() {
    let network = tame_network();
    let boards = random_boards(11, 40, 150);
    let mut central = 0;
    for board in &boards {
        let value = network.evaluate(board);
        assert_eq!(network.evaluate(&board.mirrored()), value, "{board:?}");
        assert_eq!(network.evaluate(&board.color_flipped()), value, "{board:?}");
        assert_eq!(network.evaluate(&board.mirrored().color_flipped()), value, "{board:?}");
        central += Color::ALL.iter().all(|&color| board.king(color).file() == 4) as u32;
    }
    // The tie-break rule was exercised, and the values differ.
    assert!(central > 500, "{central} boards with both kings in the middle");
    let values: HashSet<i32> = boards.iter().map(|board| network.evaluate(board)).collect();
    assert!(values.len() > 100);
}

#[test]
fn a_balance_of_zero_means_symmetry() {
    for board in random_boards(5, 60, 120) {
        if Color::ALL.iter().all(|&color| board.king(color).file() == 4) {
            assert_eq!(Balance::of(&board) == Balance::default(), board == board.mirrored(), "{board:?}");
        }
    }
}

#[test]
fn incremental_accumulators_equal_fresh_ones_on_random_walks() {
    // Every instruction set with one width, every width with the fastest set, and weights of both sizes.
    let sets = Simd::ALL.into_iter().filter(|simd| simd.is_available()).map(|simd| (Width::W256, simd));
    for (width, simd) in sets.chain(Width::ALL.map(|width| (width, Simd::best()))) {
        let eight = network(width, 3, 60, 48).with_simd(simd);
        let network = Arc::new(if width == Width::W768 { eight.with_sixteen_bits() } else { eight });
        let mut random = Random::new(77);
        let mut accumulators = Accumulators::new(network.clone(), Position::startpos().board());
        for _ in 0..20 {
            let mut position = Position::startpos();
            accumulators.reset(position.board());
            for _ in 0..400 {
                let moves = position.board().legal_moves();
                // Up and down the tree like a search, with occasional null moves and evaluations.
                if moves.is_empty() || random.below(5) < 2 {
                    position.unmake();
                    accumulators.pop();
                } else if random.below(12) == 0 && !position.in_check() {
                    position.make_null();
                    accumulators.push(position.state());
                } else {
                    position.make(moves[random.below(moves.len())]);
                    accumulators.push(position.state());
                }
                if random.below(3) == 0 {
                    assert_eq!(accumulators.evaluate(position.board()), network.evaluate(position.board()), "{width:?} {simd:?}");
                }
            }
        }
        let (refreshes, updates) = accumulators.work();
        assert!(refreshes > 100 && updates > 100, "{refreshes} refreshes, {updates} updates");
    }
}

#[test]
fn lines_longer_than_the_initial_capacity_work() {
    let network = Arc::new(network(Width::W512, 3, 60, 48));
    let mut position = Position::startpos();
    let mut accumulators = Accumulators::new(network.clone(), position.board());
    let mut random = Random::new(5);
    while position.plies() < 400 {
        let moves = position.board().legal_moves();
        if moves.is_empty() {
            position = Position::startpos();
            accumulators.reset(position.board());
            continue;
        }
        position.make(moves[random.below(moves.len())]);
        accumulators.push(position.state());
    }
    assert_eq!(accumulators.evaluate(position.board()), network.evaluate(position.board()));
    accumulators.pop();
    position.unmake();
    assert_eq!(accumulators.evaluate(position.board()), network.evaluate(position.board()));
}

fn changed<const W: usize>(network: &Network, added: &[u16], removed: &[u16]) -> Vec<i16> {
    let mut out = [0; W];
    let (base, _) = network.hidden_biases().as_chunks();
    network.change::<W>(&base[0], added, removed, &mut out);
    out.to_vec()
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let limits = [(60, 48), (EIGHT_BIT_LIMIT, OUTPUT_WEIGHT_LIMIT), (FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT)];
    for (width, (feature_limit, output_limit)) in Width::ALL.into_iter().flat_map(|width| limits.map(|limits| (width, limits))) {
        let scalar = network(width, 9, feature_limit, output_limit).with_simd(Simd::Scalar);
        let bits = scalar.weight_bits();
        assert_eq!(bits == 8, feature_limit <= EIGHT_BIT_LIMIT);
        // Each weight size against itself, and eight-bit weights against the same in sixteen bits.
        for (simd, kind) in Simd::ALL.into_iter().flat_map(|simd| [(simd, bits), (simd, 16)]) {
            if !simd.is_available() {
                println!("skipped: this processor has no {simd:?}");
                continue;
            }
            let vector = scalar.clone().with_simd(simd);
            let vector = if kind == 16 { vector.with_sixteen_bits() } else { vector };
            assert_eq!((vector.simd(), vector.weight_bits()), (simd, kind));
            assert!(vector.parameters() == scalar.parameters());
            for board in random_boards(21, 2, 100) {
                let features: Vec<u16> = board.pieces().map(|(piece, at)| feature(Color::Black, true, piece, at)).collect();
                let features: Vec<u16> = features.into_iter().filter(|&number| (number as usize) < INPUTS).collect();
                let (added, removed) = features.split_at(features.len() * 2 / 3);
                let rows =
                    [&scalar, &vector].map(|network| architecture::at_width!(width, W => changed::<W>(network, added, removed)));
                assert_eq!(rows[0], rows[1], "{width:?} {simd:?} {kind}");
                assert_eq!(scalar.evaluate(&board), vector.evaluate(&board), "{width:?} {simd:?} {kind}");
            }
        }
    }
}

#[test]
fn the_largest_weights_decide_the_weight_size() {
    let at = |weight| {
        let mut parameters = tame_network().parameters();
        parameters.feature_weights[700] = weight;
        let network = Network::new(parameters.clone()).expect("all within the limits");
        assert!(network.parameters() == parameters);
        network.weight_bits()
    };
    assert_eq!([at(127), at(-127), at(128), at(-128)], [8, 8, 16, 16]);
}

#[test]
fn the_largest_sums_do_not_overflow() {
    // Every unit at the upper clipping limit, every weight at its limit.
    fn largest_sum<const W: usize>(simd: Simd) -> i64 {
        let weights = [OUTPUT_WEIGHT_LIMIT; W];
        simd.activate([&[i16::MAX; W], &[FEATURE_WEIGHT_LIMIT; W]], [&weights, &weights])
    }
    for width in Width::ALL {
        let mut parameters = network(width, 3, 60, 48).parameters();
        parameters.hidden_biases.fill(FEATURE_WEIGHT_LIMIT);
        parameters.feature_weights.fill(FEATURE_WEIGHT_LIMIT);
        parameters.output_weights.fill(OUTPUT_WEIGHT_LIMIT);
        let network = Network::new(parameters).expect("all within the limits");
        let expected = 2 * width.units() as i64 * LARGEST_SQUARE as i64 * OUTPUT_WEIGHT_LIMIT as i64;
        for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
            assert_eq!(architecture::at_width!(width, W => largest_sum::<W>(simd)), expected, "{width:?} {simd:?}");
            let value = network.clone().with_simd(simd).evaluate(Position::startpos().board());
            assert_eq!(value, VALUE_LIMIT);
        }
    }
}

#[test]
fn a_contribution_is_the_difference_of_value_without_the_piece() {
    let network = tame_network();
    let board = *Position::startpos().board();
    assert_eq!(network.contribution(&board, board.king(Color::Red)), None);
    let middle = "e4".parse().expect("a point");
    assert_eq!(network.contribution(&board, middle), None);
    let whole: Vec<i32> = board.pieces().filter_map(|(_, square)| network.contribution(&board, square)).collect();
    assert_eq!(whole.len(), 30);
    assert!(whole.iter().any(|&part| part != 0));
}

#[test]
fn the_bucket_follows_the_major_pieces() {
    let of = |fen| bucket(&Board::from_fen(fen).expect("a legal board"));
    assert_eq!(of(crate::board::START_FEN), OUTPUT_BUCKETS - 1);
    assert_eq!(of("3k5/9/9/9/9/9/9/9/9/4K4 w"), 0);
    assert_eq!(of("3k5/9/9/9/9/9/9/9/4R4/4K4 w"), 0);
    assert_eq!(of("3k5/9/9/9/r8/9/9/9/4R4/4K4 w"), 1);
}

#[test]
fn files_round_trip() {
    for width in Width::ALL {
        let network = network(width, 3, 60, 48);
        let bytes = network.to_bytes();
        let read = Network::from_bytes(&bytes).expect("what was just written");
        assert_eq!(read.width(), width);
        assert_eq!(read.parameters(), network.parameters());
        assert_eq!(read.checksum().to_le_bytes(), bytes[bytes.len() - 4..]);
    }
}

#[test]
fn the_hashes_of_existing_files_do_not_change() {
    // The first networks of 256 and 512 units were written with these hashes.
    assert_eq!(architecture_hash(Width::W256), 0x0caf_e06c_ccdb_0c58);
    assert_eq!(architecture_hash(Width::W512), 0x74c0_5dad_97fd_e31d);
}

#[test]
fn every_mismatch_is_reported_by_name() {
    let bytes = tame_network().to_bytes();
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        Network::from_bytes(&changed).expect_err("an invalid network").to_string()
    };
    let length = bytes.len();
    assert_eq!(error(&|b| b[0] = b'C'), "not a network file, expected it to begin with 'chuhenet'");
    assert_eq!(error(&|b| b[8] = 2), "network file version 2, expected 1");
    assert!(error(&|b| b[12] ^= 1).starts_with("network architecture "));
    assert_eq!(error(&|b| b.truncate(length - 1)), format!("network file of {} bytes, expected {length}", length - 1));
    assert_eq!(error(&|b| b.push(0)), format!("network file of {} bytes, expected {length}", length + 1));
    assert_eq!(error(&|b| b.truncate(20)), format!("network file of 20 bytes, expected {}", length - 14));
    assert_eq!(error(&|b| b[26] = 9), "network description, expected at most 65536 bytes of UTF-8");
    assert!(error(&|b| b[5000] ^= 1).contains("checksum"));
    let mut parameters = tame_network().parameters();
    parameters.feature_weights[5] = 993;
    assert_eq!(
        Network::new(parameters).expect_err("a weight too large").to_string(),
        "network has a feature weight of 993, expected at most 992 in absolute value"
    );
    let mut parameters = tame_network().parameters();
    parameters.output_biases.pop();
    assert_eq!(Network::new(parameters).expect_err("a bias missing").to_string(), "network has 7 output biases, expected 8");
}

/// A bounded version of the fuzz target `network`.
#[test]
fn damaged_files_are_rejected_without_a_panic() {
    let bytes = tame_network().to_bytes();
    let mut random = Random::new(123);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..=random.below(3) {
            let at = if random.below(2) == 0 { random.below(60) } else { random.below(damaged.len()) };
            damaged[at] ^= 1 << random.below(8);
        }
        if random.below(3) == 0 {
            damaged.truncate(random.below(bytes.len()));
        }
        // With a correct checksum the damage reaches the later checks.
        if random.below(2) == 0 && damaged.len() > 4 {
            let end = damaged.len() - 4;
            let crc = crc32fast::hash(&damaged[..end]);
            damaged[end..].copy_from_slice(&crc.to_le_bytes());
        }
        if damaged != bytes
            && let Ok(network) = Network::from_bytes(&damaged)
        {
            network.evaluate(Position::startpos().board());
        }
    }
}

#[test]
fn pawns_on_unreachable_squares_are_evaluated_consistently() {
    // Pawns of both sides behind their starting rank and on files between, as in diagrams of rule books.
    let board = Board::from_diagram("3k1p2p/4p4/1p7/9/9/9/9/P2P4R/7P1/1P2K3P w").unwrap_or_else(|error| panic!("{error}"));
    let network = Arc::clone(Network::builtin());
    assert_eq!(network.evaluate(&board), network.evaluate(&board.mirrored()));
    assert_eq!(network.evaluate(&board), network.evaluate(&board.color_flipped()));
    let mut position = Position::new(board, 0, 1);
    let mut accumulators = Accumulators::new(network.clone(), &board);
    for _ in 0..12 {
        assert_eq!(accumulators.evaluate(position.board()), network.evaluate(position.board()));
        let Some(&mv) = position.board().legal_moves().first() else { break };
        position.make(mv);
        accumulators.push(position.state());
    }
}

#[cfg(feature = "network")]
#[test]
fn only_the_first_provided_network_counts() {
    // The same network, since other tests run in parallel.
    let carried = Arc::clone(Network::builtin());
    assert!(provide((*carried).clone()));
    assert!(!Arc::ptr_eq(Network::builtin(), &carried) && Network::builtin().parameters() == carried.parameters());
    let provided = Arc::clone(Network::builtin());
    assert!(!provide(Network::material()));
    assert!(Arc::ptr_eq(Network::builtin(), &provided));
}
