//! Search criteria, as options of `search` and `export`.

use super::LibraryFile;
use crate::board::Setup;
use crate::commands::{Failure, read_position};
use crate::library::{Dates, ExactPosition, Hit, Library, Material, Pattern, Query, Range};
use crate::records::RecordResult;
use clap::Args;
use std::collections::HashSet;

/// Criteria; a game must meet all of them.
#[derive(Args, Debug)]
pub(super) struct Criteria {
    #[command(flatten)]
    pub(super) library: LibraryFile,
    /// Games that reach this position (after --moves, if given); a FEN without a side to move matches both
    #[arg(long, help_heading = "Criteria")]
    fen: Option<String>,
    /// Games that reach the position after these moves, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVE", help_heading = "Criteria")]
    moves: Vec<String>,
    /// Games that reach a position matching this pattern: a FEN in which ? is any square, X or x any piece of Red or Black, * the rest of
    /// a rank; or pieces with squares, such as 'Ce2 ne7 -e5' (- for an empty square), optionally with w or b for the side to move
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, help_heading = "Criteria")]
    pattern: Option<String>,
    /// Games that reach this material, without kings: RN-CCA, or R-D with any advisors and elephants; either colour may have the first part
    #[arg(long, value_name = "PIECES", allow_hyphen_values = true, help_heading = "Criteria")]
    material: Option<Material>,
    /// Do not match mirror images of the position or pattern
    #[arg(long, help_heading = "Criteria")]
    no_mirror: bool,
    /// A player of either colour; part of the name suffices, as for all names; may be given twice
    #[arg(long, value_name = "NAME", help_heading = "Criteria")]
    player: Vec<String>,
    /// The player of Red
    #[arg(long, value_name = "NAME", help_heading = "Criteria")]
    red: Option<String>,
    /// The player of Black
    #[arg(long, value_name = "NAME", help_heading = "Criteria")]
    black: Option<String>,
    /// The event
    #[arg(long, value_name = "NAME", help_heading = "Criteria")]
    event: Option<String>,
    /// The site
    #[arg(long, value_name = "NAME", help_heading = "Criteria")]
    site: Option<String>,
    /// The opening, as named by the record or otherwise by the built-in book
    #[arg(long, value_name = "NAME", help_heading = "Criteria")]
    opening: Option<String>,
    /// A year, month or day, or a range: 1989, 1989-07, 1980..1989, 2006-01-13..
    #[arg(long, value_name = "DATES", help_heading = "Criteria")]
    date: Option<Dates>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *; may be given twice
    #[arg(long, value_parser = result, help_heading = "Criteria")]
    result: Vec<RecordResult>,
    /// Plies of the game: 80, 30..80, ..40
    #[arg(long, value_name = "RANGE", help_heading = "Criteria")]
    plies: Option<Range>,
    /// Part of a comment
    #[arg(long, value_name = "TEXT", help_heading = "Criteria")]
    comment: Option<String>,
    /// Games with these numbers, regardless of all other criteria
    #[arg(long, num_args = 1.., value_name = "NUMBER", help_heading = "Criteria")]
    game: Vec<u32>,
}

fn result(token: &str) -> Result<RecordResult, String> {
    RecordResult::from_token(token).ok_or_else(|| "expected 1-0, 0-1, 1/2-1/2 or *".into())
}

impl Criteria {
    fn query(&self) -> Result<Query, Failure> {
        let position = match (&self.fen, self.moves.is_empty()) {
            (None, true) => None,
            // Diagrams without kings can be searched for too, although no move can be played in them.
            (Some(fen), true) => Some(ExactPosition::from_fen(fen, !self.no_mirror).map_err(Failure::at("--fen"))?),
            (fen, false) => {
                let position = read_position(fen.as_deref(), &self.moves)?;
                let side = Some(position.side_to_move());
                let found = ExactPosition::new(&Setup::from_position(&position), side, !self.no_mirror);
                Some(found.map_err(Failure::at("--moves"))?)
            }
        };
        let pattern = self.pattern.as_ref().map(|text| Pattern::new(text, !self.no_mirror));
        Ok(Query {
            position,
            pattern: pattern.transpose().map_err(Failure::at("--pattern"))?,
            material: self.material.clone(),
            players: self.player.clone(),
            red: self.red.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            opening: self.opening.clone(),
            dates: self.date,
            results: self.result.clone(),
            plies: self.plies,
            comment: self.comment.clone(),
        })
    }

    /// Opens the library and returns it with the games that meet the criteria.
    pub(super) fn search(&self) -> Result<(Library, Vec<Hit>), Failure> {
        let query = self.query()?;
        let library = self.library.open()?;
        let hits = if self.game.is_empty() {
            library.search(&query)?
        } else {
            self.numbers(&library)?.into_iter().map(|game| Hit { game, ply: None, mirrored: false }).collect()
        };
        Ok((library, hits))
    }

    /// Opens the library and returns it with the numbers of all records that meet the criteria, including variants.
    pub(super) fn records(&self) -> Result<(Library, Vec<u32>), Failure> {
        let query = self.query()?;
        let library = self.library.open()?;
        let records = if self.game.is_empty() { library.records(&query)? } else { self.numbers(&library)? };
        Ok((library, records))
    }

    /// The numbers given, each once.
    fn numbers(&self, library: &Library) -> Result<Vec<u32>, Failure> {
        let mut seen = HashSet::new();
        let numbers: Vec<u32> = self.game.iter().copied().filter(|&game| seen.insert(game)).collect();
        numbers.iter().try_for_each(|&game| library.check_number(game))?;
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{Arguments, run};
    use clap::Parser;

    /// The arguments as a command of their own.
    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        criteria: Criteria,
    }

    #[test]
    fn numbers_are_checked_and_used_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("games.pgn"), "[Red \"A\"]\n\n1. h2e2 *\n\n[Red \"B\"]\n\n1. h2e2 *\n").unwrap();
        let add = ["chuhe", "library", "add", &path("games.pgn"), "--library", &path("l")].map(String::from);
        run(Arguments::parse_from(add)).unwrap();
        let criteria = |numbers: &[&str]| {
            let library = path("l");
            let words = [&["x", "--library", &library, "--game"], numbers].concat();
            Command::parse_from(words).criteria
        };
        let games =
            |numbers: &[&str]| criteria(numbers).search().map(|(_, hits)| hits.iter().map(|hit| hit.game).collect::<Vec<_>>());
        assert_eq!(games(&["2", "1", "2"]).unwrap(), [2, 1]);
        assert_eq!(criteria(&["1", "1"]).records().unwrap().1, [1]);
        for wrong in ["0", "3"] {
            let error = games(&["1", wrong]).unwrap_err().to_string();
            assert!(error.contains(&format!("no game {wrong}, expected 1 to 2")), "{error}");
        }
    }
}
