//! Endgames with few pieces: the scores of the search agree with the tables, and it plays the endgames out correctly.

use chuhe::board::{Board, Position};
use chuhe::endgame::{EndgameResult, Outcome, Tables};
use chuhe::rules::{GameResult, NaturalLimit, Rules, Verdict};
use chuhe::search::{Info, Limits, Report, Score, Settings};
use chuhe::threads::Pool;
use chuhe::types::{Color, Move};
use engine_tests::client::Client;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;

/// Attackers with built-in tables: the letter in a FEN.
const ATTACKERS: [char; 3] = ['R', 'N', 'P'];
/// Points of advisors and of elephants on Black's side: file and rank from 0.
const ADVISORS: [(usize, usize); 5] = [(3, 9), (5, 9), (4, 8), (3, 7), (5, 7)];
const ELEPHANTS: [(usize, usize); 7] = [(2, 9), (6, 9), (0, 7), (4, 7), (8, 7), (2, 5), (6, 5)];

/// A random position of a king and one attacker against a king with `advisors` and `elephants`.
fn position(random: &mut Random, attacker: char, advisors: usize, elephants: usize, to_move: char) -> Board {
    loop {
        let mut board = [[None; 9]; 10];
        let mut put = |(file, rank): (usize, usize), piece: char| board[rank][file].replace(piece).is_none();
        let mut fits = put((random.random_range(3..6), random.random_range(0..3)), 'K');
        fits &= put((random.random_range(3..6), random.random_range(7..10)), 'k');
        fits &= put((random.random_range(0..9), random.random_range(0..10)), attacker);
        for _ in 0..advisors {
            fits &= put(*ADVISORS.choose(random).expect("some"), 'a');
        }
        for _ in 0..elephants {
            fits &= put(*ELEPHANTS.choose(random).expect("some"), 'b');
        }
        let rows = board.iter().rev().map(|row| {
            row.iter().fold(String::new(), |mut text, piece| {
                match (piece, text.chars().last().and_then(|last| last.to_digit(10))) {
                    (Some(piece), _) => text.push(*piece),
                    (None, Some(blanks)) => {
                        text.pop();
                        text.push_str(&(blanks + 1).to_string());
                    }
                    (None, None) => text.push('1'),
                }
                text
            })
        });
        let fen = format!("{} {to_move}", rows.collect::<Vec<_>>().join("/"));
        let Some(board) = Board::from_fen(&fen).ok().filter(|_| fits) else { continue };
        if Position::from_fen(&fen).is_ok() && board.has_legal_move() && Tables::builtin().probe(&board).is_some() {
            return board;
        }
    }
}

fn outcome(board: &Board) -> Outcome {
    Tables::builtin().probe(board).expect("a table has the position")
}

fn search(pool: &mut Pool, position: &Position, nodes: u64) -> (Move, Score, Option<Info>) {
    #[derive(Default)]
    struct Last(Option<Info>);
    impl Report for Last {
        fn line(&mut self, info: &Info) {
            self.0 = Some(info.clone());
        }
    }
    let mut last = Last::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::none() };
    let found = pool.search(position, &limits, &Settings::default(), &mut last);
    (found.best.expect("a legal move"), found.score, last.0)
}

#[test]
fn scores_are_those_of_the_tables() {
    let mut random = Random::seed_from_u64(1);
    let mut pool = Pool::new(1, 1);
    let mut draws = 0;
    for attacker in ATTACKERS {
        for number in 0..40 {
            let board = position(&mut random, attacker, number % 3, number / 3 % 3, if number % 2 == 0 { 'w' } else { 'b' });
            let exact = outcome(&board);
            pool.clear();
            let (_, score, info) = search(&mut pool, &Position::new(board, 0, 1), 2000);
            let fen = board.to_fen();
            match exact.result {
                EndgameResult::Draw => {
                    draws += 1;
                    assert!(matches!(score, Score::Centipawns(-20..=20)), "{fen}: {score:?}");
                }
                _ if exact.by_repetition => continue,
                EndgameResult::Win => assert_eq!(score, Score::Mate((exact.plies as i32 + 1) / 2), "{fen}"),
                EndgameResult::Loss => assert_eq!(score, Score::Mate(-(exact.plies as i32 / 2)), "{fen}"),
            }
            let info = info.expect("a line");
            assert!(info.tbhits > 0, "{fen}");
            if exact.result != EndgameResult::Draw {
                // The complete line to the mate is shown, and it is legal.
                assert_eq!(info.pv.len(), exact.plies as usize, "{fen}");
                let mut line = board;
                for &mv in &info.pv {
                    assert!(line.is_legal(mv), "{fen}: {mv}");
                    line = line.after(mv);
                }
                assert!(!line.has_legal_move(), "{fen}");
            }
        }
    }
    assert!(draws >= 20, "{draws} drawn positions");
}

/// Plays a position out, with the engine for the side that has a win or a draw to keep, against the longest resistance or random moves. Returns
/// the loser, if any.
fn play_out(pool: &mut Pool, random: &mut Random, mut game: Position, engine: Color, resists: bool) -> Option<Color> {
    let rules = Rules::default();
    // A drawn game need not be played to the natural limit.
    for _ in 0..if outcome(game.board()).result == EndgameResult::Draw { 60 } else { 300 } {
        if !game.board().has_legal_move() {
            return Some(game.side_to_move());
        }
        match rules.verdict(&game) {
            Verdict::Final(GameResult::Draw) => return None,
            Verdict::Final(GameResult::Loses(color)) => return Some(color),
            _ => {}
        }
        let mv = if game.side_to_move() == engine {
            search(pool, &game, 300).0
        } else if resists {
            let replies = Tables::builtin().probe_moves(game.board());
            let resistance = |next: &Option<Outcome>| match next {
                Some(next) if next.result == EndgameResult::Win => next.plies as i32,
                _ => i32::MAX,
            };
            let most = replies.iter().map(|(_, next)| resistance(next)).max().expect("a legal move");
            let best: Vec<Move> = replies.iter().filter(|(_, next)| resistance(next) == most).map(|(mv, _)| *mv).collect();
            *best.choose(random).expect("some")
        } else {
            *game.board().legal_moves().choose(random).expect("a legal move")
        };
        game.make(mv);
    }
    None
}

fn play_outs(count: usize) {
    let mut random = Random::seed_from_u64(2);
    let mut pool = Pool::new(1, 1);
    for attacker in ATTACKERS {
        let (mut won, mut drawn) = (0, 0);
        // Half of the positions have all defenders, which are the hard ones.
        while won < count || drawn < count {
            let [advisors, elephants] =
                if random.random() { [2, 2] } else { [random.random_range(0..3), random.random_range(0..3)] };
            let to_move = if random.random() { 'w' } else { 'b' };
            let board = position(&mut random, attacker, advisors, elephants, to_move);
            let exact = outcome(&board);
            let resists = random.random();
            let red_wins =
                exact.result == if board.side_to_move() == Color::Red { EndgameResult::Win } else { EndgameResult::Loss };
            match exact.result {
                EndgameResult::Draw if drawn < count => {
                    drawn += 1;
                    let lost = play_out(&mut pool, &mut random, Position::new(board, 0, 1), Color::Black, resists);
                    assert_ne!(lost, Some(Color::Black), "{}", board.to_fen());
                }
                EndgameResult::Win | EndgameResult::Loss if red_wins && won < count => {
                    won += 1;
                    let lost = play_out(&mut pool, &mut random, Position::new(board, 0, 1), Color::Red, resists);
                    assert_eq!(lost, Some(Color::Black), "{}", board.to_fen());
                }
                _ => {}
            }
        }
    }
}

#[test]
fn won_positions_are_won_and_drawn_ones_held() {
    play_outs(200);
}

/// The position after these moves.
fn after(fen: &str, moves: &str) -> Position {
    let mut game = Position::from_fen(fen).expect("a position");
    moves.split_whitespace().for_each(|text| game.make(Move::from_uci(text).expect("a move")));
    game
}

/// The tables have a draw after every move of the rook, but after one of them the opponent completes a perpetual chase.
#[test]
fn a_draw_of_the_tables_is_not_lost_by_repetition() {
    let fen = "4k4/4a4/3ab3b/9/2R6/9/9/9/9/3K5 w";
    let chase = "c5e5 e7c9 e5c5 c9e7 c5e5 e7c9";
    let lost = after(fen, &format!("{chase} e5c5 c9e7"));
    assert_eq!(Rules::default().verdict(&lost), Verdict::Final(GameResult::Loses(Color::Red)));
    let (mv, score, _) = search(&mut Pool::new(1, 1), &after(fen, chase), 3000);
    assert_ne!(mv.to_string(), "e5c5");
    assert_eq!(score, Score::Centipawns(0));
    // The opponent plays the move, and thereby wins.
    let (mv, score, _) = search(&mut Pool::new(1, 1), &after(fen, &format!("{chase} e5c5")), 3000);
    assert_eq!((mv.to_string().as_str(), score), ("c9e7", Score::Mate(1)));
}

/// In a drawn endgame the engine neither gives its last attacker away nor ends the game while the opponent may err.
#[test]
fn a_drawn_endgame_is_played_on() {
    let mut pool = Pool::new(1, 1);
    for fen in ["3ak4/4a4/4b4/9/2b6/9/9/9/2RK5/9 w", "3ak4/4a4/1R2b4/9/6b2/9/9/3K5/9/9 w", "5kb2/4a4/3a3R1/9/6b2/9/9/9/3K5/9 w"] {
        let game = after(fen, "");
        assert_eq!(outcome(game.board()).result, EndgameResult::Draw, "{fen}");
        let next = game.board().after(search(&mut pool, &game, 3000).0);
        assert!(next.legal_moves().into_iter().all(|reply| !next.is_capture(reply)), "{fen}");
    }
    let moves = "h1c1 c9e7 c1c7 d9d8 c7c0 d8d9 c0c7 d9d8 c7c0 d8d9";
    let mut game = after("2bk1ab2/4a4/9/9/9/9/9/9/7R1/4K4 w", moves);
    let (mv, ..) = search(&mut pool, &game, 3000);
    game.make(mv);
    assert_eq!(Rules::default().game_result(&game), None, "{mv}");
    // A side that cannot win takes the last attacker.
    for fen in ["3ak4/4a4/b3b4/9/2R6/9/9/9/9/3K5 b", "4ka3/4a4/b3b4/9/2R6/9/9/9/9/3K5 b"] {
        let game = after(fen, "");
        let next = game.board().after(search(&mut pool, &game, 3000).0);
        assert!(!next.has_attackers(Color::Red), "{fen}");
    }
}

#[test]
fn a_win_that_the_natural_limit_may_take_is_searched() {
    let mut pool = Pool::new(1, 1);
    let score = |pool: &mut Pool, fen: &str| {
        pool.clear();
        search(pool, &Position::from_fen(fen).expect("a position"), 5000).1
    };
    // Mate in one counts on the last ply before the limit too.
    assert_eq!(score(&mut pool, "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 90"), Score::Mate(1));
    // Mate in four plies with two plies left before the limit, and nothing to capture.
    let board = Board::from_fen("5k3/9/9/9/9/9/9/9/9/R3K4 b").expect("a board");
    assert_eq!((outcome(&board).result, outcome(&board).plies), (EndgameResult::Loss, 4));
    assert_eq!(score(&mut pool, "5k3/9/9/9/9/9/9/9/9/R3K4 b - - 116 90"), Score::Mate(-2));
    let late = score(&mut pool, "5k3/9/9/9/9/9/9/9/9/R3K4 b - - 118 90");
    assert!(matches!(late, Score::Centipawns(-1..=1)), "{late:?}");
}

#[test]
fn a_win_is_certain_if_a_capture_is_in_time() {
    let mut random = Random::seed_from_u64(3);
    let mut pool = Pool::new(1, 1);
    let limit = NaturalLimit::STANDARD;
    // Positions with Red to win, and the plies to mate and to the next capture.
    for (fen, plies, to_capture) in [
        ("3a1ab2/3k5/4b4/2R6/9/9/9/9/9/5K3 w", 27, 3),
        ("2b2ab2/4a4/4k4/9/9/R8/9/3K5/9/9 w", 23, 3),
        ("2ba1a3/3k5/9/9/2b6/9/9/9/9/5K2R w", 29, 5),
        ("6b2/4a4/3ak4/9/2b6/9/9/3K5/R8/9 b", 34, 6),
        ("4k4/8R/3a4b/9/2b6/9/9/9/9/5K3 b", 30, 10),
    ] {
        let exact = outcome(&Board::from_fen(fen).expect("a board"));
        assert_eq!((exact.plies, exact.to_capture), (plies, Some(to_capture)), "{fen}");
        // With just enough plies for the capture, the mate comes too late for a mate score; with one ply less nothing is certain.
        assert!(exact.is_certain(120 - to_capture, limit) && !exact.is_mate_in_time(120 - to_capture, limit));
        assert!(!exact.is_certain(121 - to_capture, limit));
        let late = Position::from_fen(&format!("{fen} - - {} 90", 120 - to_capture)).expect("a position");
        pool.clear();
        let (_, score, _) = search(&mut pool, &late, 3000);
        let wins = late.side_to_move() == Color::Red;
        assert!(
            matches!(score, Score::Centipawns(28_001..) if wins) || matches!(score, Score::Centipawns(..-28_000) if !wins),
            "{fen}: {score:?}"
        );
        for resists in [true, false] {
            assert_eq!(play_out(&mut pool, &mut random, late.clone(), Color::Red, resists), Some(Color::Black), "{fen}");
        }
    }
}

#[test]
fn no_result_of_the_tables_remains_after_they_are_switched_off() {
    // Captures lead to tables.
    let position = "position fen 2bak4/4a4/4b3P/9/9/9/9/9/4R4/4K4 w - - 0 1";
    let off = "setoption name Use Endgames value false";
    let search = |client: &mut Client| -> Vec<String> {
        let lines = client.go("go depth 3");
        let reports = lines.iter().filter(|line| line.starts_with("info depth"));
        reports.map(|line| line.split(" nps").next().unwrap_or_default().to_string()).collect()
    };
    let (mut fresh, mut used) = (Client::uci(), Client::uci());
    fresh.send(off);
    fresh.send(position);
    used.send(position);
    used.go("go nodes 20000");
    used.send(off);
    assert_eq!(search(&mut used), search(&mut fresh));
}

#[test]
fn tables_are_switched_off_and_named_by_options_of_both_protocols() {
    let drawn = "position fen 2bak4/4a4/4b4/9/9/9/9/9/R8/4K4 w - - 0 1";
    for (off, on, path) in [
        ("setoption name Use Endgames value false", "setoption name Use Endgames value true", "setoption name EndgamePath value"),
        ("setoption useegtb false", "setoption useegtb true", "setoption egtbpaths"),
    ] {
        let mut client = if on.contains("name") { Client::uci() } else { Client::ucci() };
        client.send(drawn);
        client.send(off);
        let lines = client.go("go nodes 3000");
        assert!(lines.iter().filter(|line| line.starts_with("info depth")).count() > 1, "{lines:?}");
        client.send(on);
        let lines = client.go("go nodes 3000");
        assert_eq!(lines.iter().filter(|line| line.starts_with("info depth")).count(), 1, "{lines:?}");
        // Unusable files are reported, and the search continues without them.
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("RR-D.egt"), b"no table").expect("a file");
        client.send(&format!("{path} {};/nowhere/at/all", folder.path().display()));
        let said = client.pending();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("RR-D.egt") && said[1].contains("/nowhere/at/all"), "{said:?}");
        assert_eq!(client.go("go nodes 3000").iter().filter(|line| line.starts_with("info depth")).count(), 1);
    }
}
