use super::*;
use chuhe::board::Position;
use proptest::prelude::*;
use std::io::Cursor;

/// A game of legal moves chosen by the given bytes; every byte is one ply.
fn game_of(id: u64, choices: &[(u8, Option<i16>)], kind: u8) -> Game {
    let mut start = Position::startpos();
    if kind & 1 != 0 {
        // Any position of a game may be the start.
        for n in 0..kind as usize {
            let moves = start.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            start.make(moves[(n * 7 + kind as usize) % moves.len()]);
        }
        start = Position::new(*start.board(), kind as u16, 1);
    }
    let mut board = *start.board();
    let mut plies = Vec::new();
    let mut variations = Vec::new();
    for &(choice, score) in choices {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Some plies have variations of one to three moves.
        for number in 0..choice as usize % 4 {
            let (mut after, mut line) = (board, Vec::new());
            for step in 0..=number {
                let moves = after.legal_moves();
                if !moves.is_empty() {
                    line.push(moves[(choice as usize * 5 + step) % moves.len()]);
                    after = after.after(line[step]);
                }
            }
            let score = score.unwrap_or_default().clamp(-MAX_SCORE, MAX_SCORE);
            variations.push(Variation { ply: plies.len(), moves: line, score });
        }
        let mv = moves[choice as usize % moves.len()];
        plies.push(Ply { mv, score: score.map(|score| score.clamp(-MAX_SCORE, MAX_SCORE)) });
        board = board.after(mv);
    }
    let won = [Won::Red, Won::Nobody, Won::Black][kind as usize % 3];
    Game { id, start, won, ending: Ending::ALL[kind as usize % 7], plies, variations }
}

fn choices() -> impl Strategy<Value = Vec<(u8, Option<i16>)>> {
    prop::collection::vec((any::<u8>(), prop::option::weighted(0.8, any::<i16>())), 0..120)
}

fn file_of(games: &[Game], description: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games");
    let mut writer = Writer::create(&path, &FileHeader { description: description.into() }).expect("a new file");
    for (number, game) in games.iter().enumerate() {
        writer.push(game).expect("room on the disk");
        if number % 3 == 2 {
            writer.flush().expect("room on the disk");
        }
    }
    writer.finish().expect("room on the disk");
    std::fs::read(&path).expect("the file just written")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn games_round_trip(id in any::<u64>(), choices in choices(), kind in 0..60u8) {
        let game = game_of(id, &choices, kind);
        let mut bytes = Vec::new();
        let labels = game.write(&mut bytes);
        prop_assert_eq!(labels as usize, game.labels());
        prop_assert_eq!(Game::read(&bytes).expect("what was just written"), game);
    }

    #[test]
    fn variations_are_replayed_from_their_plies(choices in choices(), kind in 0..60u8) {
        let game = game_of(0, &choices, kind);
        let mut boards = Vec::new();
        game.replay(|position, _| boards.push(*position.board()));
        let mut seen = 0;
        game.replay_variations(|position, variation| {
            let expected = variation.moves.iter().fold(boards[variation.ply], |board, &mv| board.after(mv));
            assert_eq!(*position.board(), expected);
            assert_eq!(*variation, game.variations[seen]);
            seen += 1;
        });
        prop_assert_eq!(seen, game.variations.len());
    }

    #[test]
    fn boards_round_trip(choices in choices(), kind in 0..60u8) {
        game_of(0, &choices, kind).replay(|position, _| {
            let mut bytes = Vec::new();
            pack_board(position.board(), &mut bytes);
            assert_eq!(unpack_board(&bytes).expect("what was just written"), *position.board());
        });
    }

    #[test]
    fn a_truncated_file_keeps_its_complete_blocks_and_can_be_resumed(cut in 0.0..1.0f64, kinds in prop::collection::vec(0..60u8, 4..12)) {
        let games: Vec<Game> = kinds.iter().enumerate().map(|(id, &kind)| game_of(id as u64, &[(kind, Some(5)); 20], kind)).collect();
        let bytes = file_of(&games, "cut");
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games");
        std::fs::write(&path, &bytes[..(bytes.len() as f64 * cut) as usize]).expect("room on the disk");
        let header = FileHeader { description: "cut".into() };
        let mut seen = Vec::new();
        let (mut writer, _) = Writer::resume(&path, &header, |game| seen.push(game.id)).expect("a torn file of this run");
        prop_assert_eq!(&seen, &(0..seen.len() as u64).collect::<Vec<_>>());
        prop_assert!(seen.len() % 3 == 0 || seen.len() == games.len());
        for game in &games[seen.len()..] {
            writer.push(game).expect("room on the disk");
        }
        writer.finish().expect("room on the disk");
        let read: Vec<Game> = Reader::open(&path).expect("a whole file").map(|game| game.expect("a whole game")).collect();
        prop_assert_eq!(read, games);
    }

    #[test]
    fn a_single_wrong_byte_is_detected(at in 0.0..1.0f64, change in 1..=255u8, kinds in prop::collection::vec(0..60u8, 1..6)) {
        let games: Vec<Game> = kinds.iter().map(|&kind| game_of(1, &[(kind, Some(-7)); 30], kind)).collect();
        let mut bytes = file_of(&games, "one wrong byte");
        let place = ((bytes.len() - 1) as f64 * at) as usize;
        bytes[place] ^= change;
        let failed = match Reader::new(Cursor::new(&bytes)) {
            Err(_) => true,
            Ok(mut reader) => reader.any(|game| game.is_err()),
        };
        prop_assert!(failed, "byte {} changed by {}", place, change);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        crate::fuzzing::record_bytes(&bytes);
    }
}

/// A bounded run of the fuzz target: bytes close to valid ones reach deeper than random ones.
#[test]
fn damaged_games_are_read_without_a_panic() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    for round in 0..2000u32 {
        let kind = random.random_range(0..60);
        let choices: Vec<(u8, Option<i16>)> = (0..20).map(|_| (random.random(), Some(random.random_range(-500..500)))).collect();
        let mut bytes = Vec::new();
        game_of(round as u64, &choices, kind).write(&mut bytes);
        for _ in 0..random.random_range(0..4) {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random();
        }
        bytes.truncate(random.random_range(0..=bytes.len()));
        crate::fuzzing::record_bytes(&bytes);
    }
}

#[test]
fn a_score_of_i32_min_is_rejected() {
    // Id 0, a win of Red by mate or stalemate, one ply: the first move, and the label of -2^31, which has no absolute value.
    let mut bytes = vec![0, 0, 1, 0];
    bytes::put_varint(&mut bytes, 1 + u32::MAX as u64);
    let error = Game::read(&bytes).unwrap_err().to_string();
    assert!(error.contains("a score of at most 30000"), "{error}");
}

#[test]
fn errors_name_the_offset_and_what_was_expected() {
    let read = |bytes: &[u8]| Reader::new(Cursor::new(bytes.to_vec())).err().map(|error| error.to_string());
    assert_eq!(read(b"PK\x03\x04").as_deref(), Some("not a record file, expected it to begin with 'chuhegms'"));
    let mut other = FileHeader { description: "x".into() }.to_bytes();
    other[8] = 9;
    assert_eq!(read(&other).as_deref(), Some("record format version 9, expected 1"));
    // id 0, kind 0, one ply with move index 200: the start position has 44 moves.
    let error = Game::read(&[0, 0, 1, 200, 0]).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("byte 3: expected an index below the number of legal moves"));
}

#[test]
fn a_damaged_block_loses_only_its_own_games() {
    let games: Vec<Game> = (0..12).map(|id| game_of(id, &[(id as u8, Some(5)); 20], 4)).collect();
    let bytes = file_of(&games, "damage");
    let starts: Vec<usize> = (0..bytes.len() - 4).filter(|&at| &bytes[at..at + 4] == b"CBLK").collect();
    assert_eq!(starts.len(), 4);
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games");
    let header = FileHeader { description: "damage".into() };
    // In the payload, in the checksum, in the length (which then reaches beyond the end of the file), in the magic.
    for (at, change) in [(30, 1), (17, 0x80), (6, 0x0f), (2, 0xff)] {
        let mut damaged = bytes.clone();
        damaged[starts[1] + at] ^= change;
        // And an incomplete block at the end.
        damaged.extend_from_slice(&bytes[starts[0]..starts[0] + 33]);
        std::fs::write(&path, &damaged).expect("room on the disk");
        let errors = Reader::open(&path).expect("a header").filter_map(Result::err).count();
        assert_eq!(errors, 2, "byte {at}");
        let mut seen = Vec::new();
        let (mut writer, repair) = Writer::resume(&path, &header, |game| seen.push(game.id)).expect("its own file");
        assert_eq!(seen, [0, 1, 2, 6, 7, 8, 9, 10, 11], "byte {at}");
        assert_eq!((repair.bytes_cut, repair.damaged.len()), (33, 1), "byte {at}");
        games[3..6].iter().for_each(|game| writer.push(game).expect("room on the disk"));
        writer.finish().expect("room on the disk");
        // No damage is left, which would be an error of `join`.
        let read: Vec<u64> = Reader::open(&path).expect("a header").map(|game| game.expect("a whole game").id).collect();
        assert_eq!(read, [0, 1, 2, 6, 7, 8, 9, 10, 11, 3, 4, 5], "byte {at}");
    }
}

#[test]
fn a_file_has_only_one_writer() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games");
    let header = FileHeader { description: "one".into() };
    let mut first = Writer::create(&path, &header).expect("a new file");
    assert!(matches!(Writer::resume(&path, &header, |_| ()), Err(RecordError::Locked)));
    assert!(matches!(Writer::create(&path, &header), Err(RecordError::Locked)));
    first.push(&game_of(0, &[(1, None)], 0)).expect("room on the disk");
    first.finish().expect("room on the disk");
    let mut seen = 0;
    assert!(Writer::resume(&path, &header, |_| seen += 1).is_ok());
    assert_eq!(seen, 1);
}

#[test]
fn another_run_is_not_continued() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games");
    std::fs::write(&path, file_of(&[game_of(0, &[(1, None)], 0)], "seed 1")).expect("room on the disk");
    assert!(Writer::resume(&path, &FileHeader { description: "seed 2".into() }, |_| ()).is_err());
}

#[test]
fn a_position_takes_less_than_three_bytes() {
    // Scores that change gradually, as in real games.
    let choices: Vec<(u8, Option<i16>)> =
        (0..100i32).map(|n| ((n * 37 % 251) as u8, Some(((n * 29 % 60) * if n % 2 == 0 { 1 } else { -1 }) as i16))).collect();
    let games: Vec<Game> = (0..200).map(|id| Game { variations: Vec::new(), ..game_of(id, &choices, 2) }).collect();
    let labels: usize = games.iter().map(Game::labels).sum();
    let per_position = file_of(&games, "size").len() as f64 / labels as f64;
    assert!(per_position < 3.0, "{per_position} bytes a position");
}
