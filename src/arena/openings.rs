//! Openings: from a file, or random moves to a position that a short search evaluates as balanced.

use super::error::OpeningsError;
use crate::board::Position;
use crate::records::Records;
use crate::rules::{Language, Rules, Verdict};
use crate::search::{Limits, Score, Settings};
use crate::threads::Pool;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::path::Path;
use std::sync::Arc;

/// Settings for random openings.
#[derive(Clone, Debug)]
pub struct RandomOpenings {
    /// The seed; the same seed gives the same openings.
    pub seed: u64,
    /// Minimum number of random plies; every second opening has one more, so that each side moves first equally often.
    pub plies: usize,
    /// The condition for a balanced opening.
    pub balance: Balance,
    /// Positions from which the random moves start, chosen at random; the start position if empty.
    pub starts: Arc<[Position]>,
}

/// The condition for a balanced position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Maximum absolute score in centipawns.
    pub centipawns: i32,
    /// Nodes of the search that scores it.
    pub nodes: u64,
}

/// A source of openings, which are reproducible by number.
#[derive(Clone, Debug)]
pub enum Openings {
    /// The positions of a file in order, repeated cyclically; shared, since each takes several kilobytes.
    List(Arc<[Position]>),
    /// Random openings.
    Random(RandomOpenings),
}

/// Number of attempts to find a balanced opening; after that the most balanced one is used.
const TRIES: usize = 200;

impl Openings {
    /// Reads openings from a file: FENs or EPDs, one per line, optionally followed by ` moves ` and moves, or game records in any
    /// readable format, of whose main lines the first `plies` plies are played, or all. By the rules of the match they must not be over.
    /// `warn` is called with what the reader has left out or understood in another way.
    ///
    /// # Errors
    /// If the file or one of its openings is not usable.
    pub fn read(
        path: &Path,
        plies: Option<usize>,
        rules: &Rules,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<Position>, OpeningsError> {
        let at = |place: String, problem: String| OpeningsError::Opening { path: path.into(), place, problem };
        let mut list = Vec::new();
        let mut records = Records::open(path, None)?;
        while let Some(record) = records.next() {
            let record = record.map_err(|error| OpeningsError::Record { path: path.into(), error })?;
            let place = || records.line().map_or_else(|| format!("opening {}", list.len() + 1), |line| format!("line {line}"));
            // Records may have diagrams that cannot occur in a game, but engines need not support them.
            let start = Position::from_fen(&record.start.to_fen());
            let mut position = start.map_err(|error| at(place(), error.to_string()))?;
            let wanted = plies.unwrap_or(usize::MAX);
            record.moves().take(wanted).for_each(|mv| position.make(mv));
            if let Some(fault) = record.main_line_fault().filter(|_| position.plies() < wanted) {
                return Err(at(place(), fault.into()));
            }
            let ruling = rules.ruling(&position);
            if matches!(ruling.verdict, Verdict::Final(_)) {
                let (place, reason) = (place(), ruling.summary(Language::English));
                return Err(OpeningsError::Over { path: path.into(), place, reason });
            }
            // A fault of the main line here lies behind the plies that are played.
            for warning in record.warnings().iter().filter(|warning| record.main_line_fault() != Some(warning.as_str())) {
                warn(format!("{}: {}: {warning}", path.display(), place()));
            }
            list.push(position);
        }
        if list.is_empty() { Err(OpeningsError::Empty(path.into())) } else { Ok(list) }
    }

    /// Distinguishes lists with the same name; 0 for random openings.
    pub fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        if let Openings::List(list) = self {
            for position in list.iter() {
                sum.update(position.initial().to_fen().as_bytes());
                position.moves().for_each(|mv| sum.update(&[mv.from().index() as u8, mv.to().index() as u8]));
            }
        }
        sum.finalize()
    }

    /// The opening with this number.
    pub fn get(&self, number: usize) -> Position {
        match self {
            Openings::List(list) => list.get(number % list.len().max(1)).cloned().unwrap_or_default(),
            Openings::Random(random) => random.get(number),
        }
    }
}

impl RandomOpenings {
    fn get(&self, number: usize) -> Position {
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut best: Option<(u32, Position)> = None;
        for _ in 0..TRIES {
            let Some(position) = self.walk(&mut rng, self.plies + number % 2) else { continue };
            // A new pool each time, as the score of an opening must not depend on earlier ones.
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
        best.map(|(_, position)| position).or_else(|| self.starts.first().cloned()).unwrap_or_default()
    }

    /// Plays random legal moves from a start position; `None` if they ended the game or gave check.
    fn walk(&self, rng: &mut Xoshiro256PlusPlus, plies: usize) -> Option<Position> {
        let mut position = match self.starts.len() {
            0 => Position::startpos(),
            count => self.starts[below(rng, count)].clone(),
        };
        for _ in 0..plies {
            let moves = position.board().legal_moves();
            let mv = *moves.get(below(rng, moves.len()))?;
            position.make(mv);
        }
        (!position.in_check() && Rules::default().game_result(&position).is_none()).then_some(position)
    }
}

/// A random number below `limit`; 0 for a limit of 0.
fn below(rng: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    ((rng.next_u64() as u128 * limit as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::NaturalLimit;
    use std::collections::HashSet;

    #[test]
    fn random_openings_depend_on_seed_and_number_only() {
        let random =
            RandomOpenings { seed: 7, plies: 6, balance: Balance { centipawns: 100, nodes: 200 }, starts: Arc::default() };
        let fens = |random: &RandomOpenings| -> Vec<String> { (0..4).map(|n| random.get(n).to_fen()).collect() };
        let first = fens(&random);
        assert_eq!(first, fens(&random));
        assert_ne!(first, fens(&RandomOpenings { seed: 8, ..random.clone() }));
        assert_eq!(Openings::Random(random.clone()).get(3).plies(), 7);
        let mut start = Position::startpos();
        start.make(crate::types::Move::from_uci("h2e2").unwrap());
        let from_there = RandomOpenings { starts: [start].into(), ..random };
        assert!(from_there.get(0).moves().next().is_some_and(|mv| mv.to_string() == "h2e2"));
        assert_eq!(from_there.get(0).plies(), 7);
        assert!(first[0].contains(" w ") && first[1].contains(" b "));
    }

    #[test]
    fn random_openings_are_different() {
        // With a narrow balance, walks are often rejected; the next one must not be that of a later opening.
        let balance = Balance { centipawns: 30, nodes: 1 };
        for seed in 0..2 {
            let random = RandomOpenings { seed, plies: 8, balance, starts: Arc::default() };
            let fens: HashSet<String> = (0..60).map(|number| random.get(number).to_fen()).collect();
            assert_eq!(fens.len(), 60, "seed {seed}");
        }
    }

    #[test]
    fn files() {
        let path = std::env::temp_dir().join(format!("chuhe-openings-{}.epd", std::process::id()));
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Openings::read(&path, None, &Rules::default(), &mut |_| ()).map(|list| Openings::List(list.into()))
        };
        let start = crate::board::START_FEN;
        let openings = read(&format!("# two\n\n{start}\n{start} moves h2e2 h9g7 ; id 1\n")).unwrap();
        assert_eq!((openings.get(0).plies(), openings.get(1).plies(), openings.get(2).plies()), (0, 2, 0));
        let (Openings::List(list), Openings::List(copy)) = (&openings, openings.clone()) else { panic!("a list") };
        assert!(Arc::ptr_eq(list, &copy));
        for (text, place) in [("", "no position"), ("9/9 w", "line 1"), (&format!("{start}\n{start} moves a0a9"), "line 2")] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(place), "{error}");
        }
        let mate = "3k1R3/5R3/9/9/9/9/9/9/9/4K4 b";
        assert!(read(mate).unwrap_err().to_string().contains("line 1: the game is over here ("));
        let late = "3k5/4a4/9/9/9/9/9/9/4R4/4K4 w - - 130 90";
        let error = read(late).unwrap_err().to_string();
        assert!(error.contains("the game is over here (") && error.contains("130 plies"), "{error}");
        let unlimited = Rules { natural_limit: NaturalLimit::NONE, ..Rules::default() };
        assert_eq!(Openings::read(&path, None, &unlimited, &mut |_| ()).unwrap().len(), 1);
        let game = "[Game \"Chinese Chess\"]\n[Format \"ICCS\"]\n\n1. H2-E2 H9-G7 2. H0-G2 *\n";
        std::fs::remove_file(&path).unwrap();
        assert!(Openings::read(&path, None, &Rules::default(), &mut |_| ()).is_err());
        let path = path.with_extension("pgn");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Openings::read(&path, None, &Rules::default(), &mut |_| ()).map(|list| Openings::List(list.into()))
        };
        assert_eq!(read(game).unwrap().get(0).plies(), 3);
        assert_eq!(Openings::read(&path, Some(2), &Rules::default(), &mut |_| ()).unwrap()[0].plies(), 2);
        let mut warnings = Vec::new();
        std::fs::write(&path, "1.炮二平五 马8进7\n2.马二进三 车9平8\n\n1.车一平二 卒7进1\n").unwrap();
        Openings::read(&path, None, &Rules::default(), &mut |warning| warnings.push(warning)).unwrap();
        assert!(warnings.len() == 1 && warnings[0].contains("the move number goes back from 2 to 1"), "{warnings:?}");
        let broken = game.replace("H0-G2", "A0-A9");
        assert!(read(&broken).is_err());
        assert_eq!(Openings::read(&path, Some(2), &Rules::default(), &mut |_| ()).unwrap()[0].plies(), 2);
        std::fs::remove_file(&path).unwrap();
    }
}
