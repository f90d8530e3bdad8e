//! Compares the built-in endgame tables with a plain forward search that shares no code with the solver: it uses the board's move generator, no
//! table, no position index and no retrograde steps.

use chuhe::board::{Board, Setup, zone};
use chuhe::endgame::{Defenders, EndgameResult, Family, Tables};
use chuhe::types::{Color, Piece, PieceType, Square};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;

/// Whether the side to move can force mate or stalemate in at most this many plies.
fn wins_within(board: &Board, plies: u16) -> bool {
    plies > 0 && board.legal_moves().into_iter().any(|mv| loses_within(&board.after(mv), plies - 1))
}

/// Whether the side to move is mated or stalemated by force in at most this many plies.
fn loses_within(board: &Board, plies: u16) -> bool {
    if plies == 0 {
        return !board.has_legal_move();
    }
    board.legal_moves().into_iter().all(|mv| wins_within(&board.after(mv), plies - 1))
}

/// A random legal position of a family, with random colours and mirroring.
fn random_position(family: &Family, random: &mut Random) -> Option<Board> {
    let mut setup = Setup::empty();
    setup.side = *Color::ALL.choose(random)?;
    let first = *Color::ALL.choose(random)?;
    for (side, color) in family.sides().iter().zip([first, !first]) {
        let (advisors, elephants) = match side.defenders {
            Defenders::Any => (random.random_range(0..3), random.random_range(0..3)),
            Defenders::Exactly { advisors, elephants } => (advisors, elephants),
        };
        let defenders = [(PieceType::Advisor, advisors), (PieceType::Elephant, elephants)];
        let defenders = defenders.into_iter().flat_map(|(kind, count)| (0..count).map(move |_| kind));
        for kind in [PieceType::King].into_iter().chain(defenders).chain(side.attackers.iter().copied()) {
            let piece = Piece::new(color, kind);
            let points: Vec<Square> = zone(piece).into_iter().filter(|&point| setup.piece_on(point).is_none()).collect();
            setup.put(*points.choose(random)?, Some(piece));
        }
    }
    setup.board().ok()
}

/// The number of positions to compare and the maximum search depths in plies.
struct Depth {
    positions: usize,
    decided: u16,
    drawn: u16,
}

/// Compares random positions of a family: positions decided in few plies must agree exactly, for the others the search must
/// find no result. Returns the numbers of both.
fn compare(tables: &Tables, family: &Family, depth: &Depth) -> (usize, usize) {
    let mut random = Random::seed_from_u64(44);
    let (mut decided, mut others) = (0, 0);
    for tried in 0..depth.positions * 100 {
        if decided + others >= depth.positions {
            break;
        }
        let Some(board) = random_position(family, &mut random) else { continue };
        let outcome = tables.probe(&board).unwrap_or_else(|| panic!("{family}: {}", board.to_fen()));
        let fen = board.to_fen();
        if outcome.result == EndgameResult::Draw || outcome.by_repetition || outcome.plies > depth.decided {
            // Half of the positions are decided ones, unless these are rare.
            if others >= depth.positions / 2 && tried < depth.positions * 20 {
                continue;
            }
            let found = wins_within(&board, depth.drawn) || (0..=depth.drawn).any(|plies| loses_within(&board, plies));
            assert!(!found, "{fen}: a result within {} plies, the table has {outcome:?}", depth.drawn);
            others += 1;
        } else {
            let within = |plies| match outcome.result {
                EndgameResult::Win => wins_within(&board, plies),
                _ => loses_within(&board, plies),
            };
            assert!(within(outcome.plies), "{fen}: {outcome:?}");
            assert!(outcome.plies < 2 || !within(outcome.plies - 2), "{fen}: {outcome:?} could be shorter");
            decided += 1;
        }
    }
    (decided, others)
}

fn compare_all(tables: &Tables, depth: &Depth) {
    let families: Vec<Family> = tables.families().cloned().collect();
    assert!(families.len() >= 3);
    for family in families {
        let (decided, others) = compare(tables, &family, depth);
        println!("{family}: {decided} decided and {others} other positions agree");
        assert!(decided + others >= depth.positions * 9 / 10, "{family}: only {decided} and {others}");
    }
}

#[test]
fn tables_agree_with_a_forward_search() {
    compare_all(Tables::builtin(), &Depth { positions: 2000, decided: 3, drawn: 2 });
}

#[test]
#[ignore = "takes minutes"]
fn tables_agree_with_a_deep_forward_search() {
    compare_all(Tables::builtin(), &Depth { positions: 4000, decided: 6, drawn: 4 });
}

/// The tables of a folder: `ENDGAMES=DIR cargo test -p engine-tests --test rules tables_of_a_folder -- --ignored --nocapture`.
#[test]
#[ignore = "reads the folder that ENDGAMES names"]
fn tables_of_a_folder_agree_with_a_forward_search() {
    let folder = std::env::var_os("ENDGAMES").expect("ENDGAMES names a folder of tables");
    let tables = Tables::open(folder.as_ref()).unwrap_or_else(|error| panic!("{error}"));
    compare_all(&tables, &Depth { positions: 2000, decided: 3, drawn: 2 });
}
