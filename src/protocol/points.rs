//! Moves as clients write them: with ranks 0 to 9, as Pikafish and UCCI have them, or 1 to 10, as Fairy-Stockfish has them.

use crate::board::{FenError, Position};
use crate::notation::{LineReader, Notation, PositionText, ReadError, System, SystemChoice};
use crate::types::{Move, Square};

/// How the ranks of a point are counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ranks {
    /// From 0 to 9: `h2e2`.
    #[default]
    FromZero,
    /// From 1 to 10: `h3e3`.
    FromOne,
}

impl Ranks {
    /// Values of the option, in the order of the variants.
    pub const OPTION_VALUES: [(&'static str, &'static [&'static str]); 2] = [("0-9", &["0", "uci"]), ("1-10", &["1", "uci10"])];

    /// The counting of a row of [`Ranks::OPTION_VALUES`].
    pub fn of_option_value(row: usize) -> Ranks {
        if row == 0 { Ranks::FromZero } else { Ranks::FromOne }
    }

    /// Writes a move.
    pub fn write(self, mv: Move) -> String {
        let point = |square: Square| format!("{}{}", (b'a' + square.file()) as char, square.rank() + self as u8);
        point(mv.from()) + &point(mv.to())
    }

    fn other(self) -> Ranks {
        Ranks::of_option_value(1 - self as usize)
    }

    fn system(self) -> System {
        [System::Uci, System::Uci10][self as usize]
    }

    /// Whether a system is coordinates with the other counting.
    fn excludes(self, system: System) -> bool {
        match self {
            Ranks::FromZero => system == System::Uci10,
            Ranks::FromOne => matches!(system, System::Uci | System::Iccs),
        }
    }
}

/// Whether a list of moves names the tenth rank, which there is in one counting only.
pub fn names_rank_ten(texts: &[String]) -> bool {
    texts.iter().any(|text| is_move_with_rank_ten(text.as_bytes()))
}

fn is_move_with_rank_ten(text: &[u8]) -> bool {
    let (mut rest, mut has_ten) = (text, false);
    for _ in 0..2 {
        rest = match rest {
            [b'a'..=b'i' | b'A'..=b'I', b'1', b'0', rest @ ..] => {
                has_ten = true;
                rest
            }
            [b'a'..=b'i' | b'A'..=b'I', b'1'..=b'9', rest @ ..] => rest,
            _ => return false,
        };
    }
    has_ten && rest.is_empty()
}

/// The position, and what is wrong with the first move that cannot be played, if there is one; it and all moves after it are
/// dropped. Moves may be in any notation.
///
/// Coordinates are read with one counting of ranks from the first move to the last: from 1 where the list names rank 10, or where
/// all of it is legal so and not with ranks from 0; where both can be, as `ranks` says.
///
/// # Errors
/// What is wrong with the FEN.
pub fn read_position(text: &PositionText, ranks: Ranks) -> Result<(Position, Option<PositionError>), PositionError> {
    let has_ten = names_rank_ten(&text.moves);
    let ranks = if has_ten { Ranks::FromOne } else { ranks };
    // Clients write coordinates; only where those explain nothing are the other systems worth trying.
    let coordinates = |ranks: Ranks| LineReader::new(SystemChoice::Only(ranks.system()));
    let start = text.start(&coordinates(ranks))?;
    let (line, fault) = coordinates(ranks).read_prefix(start.clone(), &text.moves);
    let position = line.position;
    let Some(fault) = fault else { return Ok((position, None)) };
    // A slip is not taken for another counting: all moves must be legal so.
    let other = || coordinates(ranks.other()).read(start.clone(), &text.moves).ok().filter(|_| !has_ten);
    let any = || LineReader::default().read(start.clone(), &text.moves).ok();
    let is_foreign = matches!(fault.error, ReadError::NotThisNotation { .. });
    if let Some(line) = other().or_else(|| any().filter(|_| is_foreign)) {
        return Ok((line.position, None));
    }
    let typed = text.moves.get(fault.number - 1).into_iter().flat_map(|text| text.chars().take(20)).collect();
    let fen = position.to_fen();
    Ok((position, Some(PositionError::Move { number: fault.number, text: typed, fen })))
}

/// The legal moves among these texts, which may be in any notation; coordinates are read with one counting of ranks, as by
/// [`read_position`].
pub fn read_moves(position: &Position, texts: &[String], ranks: Ranks) -> Vec<Move> {
    // More than any position has moves, so that a line of rubbish costs little.
    const MOST: usize = 1000;
    let texts = &texts[..texts.len().min(MOST)];
    let is_legal = |ranks: Ranks| {
        let reader = LineReader::new(SystemChoice::Only(ranks.system()));
        texts.iter().any(|text| reader.read_move(position, text).is_ok())
    };
    let ranks = match ranks {
        _ if names_rank_ten(texts) => Ranks::FromOne,
        ranks if !is_legal(ranks) && is_legal(ranks.other()) => ranks.other(),
        ranks => ranks,
    };
    let notations = System::all().filter(|&system| !ranks.excludes(system)).map(Notation::new).collect();
    let reader = LineReader { first: vec![ranks.system()], notations, diagrams: false };
    texts.iter().filter_map(|text| reader.read_move(position, text).ok()).collect()
}

/// What is wrong with a position and its moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The FEN is not valid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is malformed or not legal.
    #[error("move {number} of the list: '{text}' is not legal in {fen}; it and the rest are ignored")]
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// The move as it was typed, cut to twenty characters.
        text: String,
        /// The position in which it was to be played.
        fen: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, ranks: Ranks) -> (String, Option<PositionError>) {
        let (position, error) = read_position(&PositionText::parse_line(line), ranks).unwrap();
        (position.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "), error)
    }

    #[test]
    fn moves_behind_an_illegal_one_are_dropped() {
        let (moves, error) = read("startpos moves h2e2 h9g7 a0a9 h0g2", Ranks::FromZero);
        assert_eq!(moves, "h2e2 h9g7");
        assert!(error.unwrap().to_string().starts_with("move 3 of the list: 'a0a9'"));
        assert!(read_position(&PositionText { fen: Some("9/9".into()), moves: vec![] }, Ranks::FromZero).is_err());
    }

    #[test]
    fn a_list_is_read_with_one_counting_of_ranks() {
        // A rook that can go from a1 to a2 in both countings, and what follows.
        let rook = "fen 3k5/9/9/9/9/9/9/R8/R8/4K4 w moves";
        for (line, ranks, moves) in [
            ("startpos moves h3e3", Ranks::FromZero, "h2e2"),
            ("startpos moves h3e3 h10g8 h1g3", Ranks::FromZero, "h2e2 h9g7 h0g2"),
            ("startpos moves H3E3 a10a9", Ranks::FromZero, "h2e2 a9a8"),
            ("startpos moves h2e2", Ranks::FromOne, "h2e2"),
            (&format!("{rook} a3b3"), Ranks::FromZero, "a2b2"),
            (&format!("{rook} a2b2"), Ranks::FromZero, "a2b2"),
            (&format!("{rook} a2b2"), Ranks::FromOne, "a1b1"),
            (&format!("{rook} a2b2 d10d9"), Ranks::FromZero, "a1b1 d9d8"),
            (&format!("{rook} a2b2 d9d8"), Ranks::FromOne, "a2b2 d9d8"),
        ] {
            assert_eq!(read(line, ranks), (moves.to_string(), None), "{line} {ranks:?}");
        }
    }

    #[test]
    fn a_slip_is_not_taken_for_the_other_counting() {
        for (line, moves, number) in [
            ("startpos moves h2e2 h3e3", "h2e2", 2),
            ("startpos moves h3e3 h9g7", "", 1),
            ("startpos moves h3e3 h10g8 h2e2", "h2e2 h9g7", 3),
        ] {
            let (read, error) = read(line, Ranks::FromZero);
            assert_eq!(read, moves, "{line}");
            assert!(matches!(error, Some(PositionError::Move { number: at, .. }) if at == number), "{line}: {error:?}");
        }
    }

    #[test]
    fn moves_of_a_list_share_their_counting() {
        let read = |texts: &[&str], ranks| {
            let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
            let moves = read_moves(&Position::startpos(), &texts, ranks);
            moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read(&["h2e2", "H0G2", "a0a9", "b0c2"], Ranks::FromZero), "h2e2 h0g2 b0c2");
        assert_eq!(read(&["h3e3", "h1g3", "C2=5"], Ranks::FromZero), "h2e2 h0g2 h2e2");
        assert_eq!(read(&["h3e3", "h2e2"], Ranks::FromZero), "h2e2");
        assert_eq!(read(&["h3h10", "a4a5", "h2e2"], Ranks::FromZero), "h2h9 a3a4");
        assert_eq!(read(&["h2e2"], Ranks::FromOne), "h2e2");
        assert_eq!(read(&["rubbish"], Ranks::FromZero), "");
    }

    #[test]
    fn both_countings_are_written() {
        let mv = Move::from_uci("a9i0").unwrap();
        assert_eq!([Ranks::FromZero, Ranks::FromOne].map(|ranks| ranks.write(mv)), ["a9i0", "a10i1"]);
    }

    #[test]
    fn rank_ten_is_named_by_moves_only() {
        let names = |text: &str| names_rank_ten(&[text.to_string()]);
        assert!(names("a10a9") && names("a9a10") && names("I10H10"));
        assert!(!names("a1a0") && !names("10") && !names("a10") && !names("a10a9x") && !names("j10a9") && !names("a1a9"));
    }
}
