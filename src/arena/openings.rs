//! Where games begin: a file, or random moves that a short search finds balanced.

use crate::board::Position;
use crate::search::{Limits, Score, Settings};
use crate::threads::Pool;
use std::path::Path;

/// How random openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Random {
    /// The seed; the same one gives the same openings.
    pub seed: u64,
    /// Fewest random plies; every second opening has one more, so that both sides get to begin.
    pub plies: usize,
    /// When an opening counts as balanced.
    pub balance: Balance,
}

/// When a position counts as balanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Largest score, either way, in centipawns.
    pub centipawns: i32,
    /// Nodes of the search that scores it.
    pub nodes: u64,
}

/// A source of openings; every number gives one, the same each time.
#[derive(Clone, Debug)]
pub enum Openings {
    /// Positions of a file, in their order and then from the start again.
    List(Vec<Position>),
    /// Random ones.
    Random(Random),
}

/// Tries to find a balanced opening before the most balanced one of all tries is taken.
const TRIES: usize = 200;

impl Openings {
    /// Reads a file of FENs or EPDs, one a line, each perhaps with ` moves ` and moves behind; `#` begins a comment, and
    /// what follows a `;` is not looked at.
    ///
    /// # Errors
    /// A sentence that names the file, the line and what is wrong.
    pub fn read(path: &Path) -> Result<Openings, String> {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split(['#', ';']).next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let at = |error: String| format!("{name} line {}: {error}", number + 1);
            let (fen, moves) = line.split_once(" moves ").unwrap_or((line, ""));
            let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
            let text = crate::protocol::PositionText { fen: Some(fen.to_string()), moves };
            match text.read() {
                Ok((position, None)) if !position.board().legal_moves().is_empty() => list.push(position),
                Ok((_, None)) => return Err(at("the side to move has no move".into())),
                Ok((_, Some(error))) | Err(error) => return Err(at(error.to_string())),
            }
        }
        if list.is_empty() { Err(format!("{name}: no position, expected one FEN a line")) } else { Ok(Openings::List(list)) }
    }

    /// The opening with this number.
    pub fn get(&self, number: usize) -> Position {
        match self {
            Openings::List(list) => list.get(number % list.len().max(1)).cloned().unwrap_or_default(),
            Openings::Random(random) => random.get(number),
        }
    }
}

impl Random {
    fn get(&self, number: usize) -> Position {
        let mut dice = Dice(self.seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut best: Option<(u32, Position)> = None;
        for _ in 0..TRIES {
            let Some(position) = walk(&mut dice, self.plies + number % 2) else { continue };
            // A fresh pool each time: what an opening scores must not depend on the ones before.
            let mut pool = Pool::new(1, 1);
            let limits = Limits { nodes: Some(self.balance.nodes), ..Limits::none() };
            let outcome = pool.search(&position, &limits, &Settings::default(), &mut ());
            let Score::Centipawns(value) = outcome.score else { continue };
            if value.abs() <= self.balance.centipawns {
                return position;
            }
            if best.as_ref().is_none_or(|(least, _)| value.unsigned_abs() < *least) {
                best = Some((value.unsigned_abs(), position));
            }
        }
        best.map(|(_, position)| position).unwrap_or_default()
    }
}

/// Random legal moves from the start; none when they ended the game or gave check.
fn walk(dice: &mut Dice, plies: usize) -> Option<Position> {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.board().legal_moves();
        let mv = *moves.get(dice.below(moves.len()))?;
        position.make(mv);
    }
    (!position.in_check() && !position.board().legal_moves().is_empty()).then_some(position)
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to one less than `limit`; 0 for a limit of 0.
    fn below(&mut self, limit: usize) -> usize {
        ((self.next() as u128 * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_depend_on_seed_and_number_alone() {
        let random = Random { seed: 7, plies: 6, balance: Balance { centipawns: 100, nodes: 200 } };
        let fens = |random: Random| -> Vec<String> { (0..4).map(|n| Openings::Random(random).get(n).to_fen()).collect() };
        let first = fens(random);
        assert_eq!(first, fens(random));
        assert_ne!(first, fens(Random { seed: 8, ..random }));
        assert_eq!(Openings::Random(random).get(3).plies(), 7);
        assert!(first[0].contains(" w ") && first[1].contains(" b "));
    }

    #[test]
    fn files() {
        let path = std::env::temp_dir().join(format!("chuhe-openings-{}.epd", std::process::id()));
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Openings::read(&path)
        };
        let start = crate::board::START_FEN;
        let openings = read(&format!("# two\n\n{start}\n{start} moves h2e2 h9g7 ; id 1\n")).unwrap();
        assert_eq!((openings.get(0).plies(), openings.get(1).plies(), openings.get(2).plies()), (0, 2, 0));
        for (text, place) in [("", "no position"), ("9/9 w", "line 1"), (&format!("{start}\n{start} moves a0a9"), "line 2")] {
            let error = read(text).unwrap_err();
            assert!(error.contains(place), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(Openings::read(&path).is_err());
    }
}
