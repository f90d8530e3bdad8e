//! The text of one move in whatever notation a file has it.

use crate::board::{Board, kind_of_letter};
use crate::notation::{self, PgnForm, ReadError, System};
use crate::types::{Move, PieceType, Square};

/// How a file writes its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// One of the notations of the game.
    System(System),
    /// Letters as in chess, `Che2`, with the number of the lowest rank: 0 in WinBoard, 1 in pychess.
    Chesslike(i32),
}

/// What a text that is not in Chinese characters is tried as, the more certain first: the notations of the game, then the
/// letters of chess.
fn western() -> impl Iterator<Item = Style> {
    let systems = System::all_of_pgn().filter(|system| system.pgn() != Some(PgnForm::Characters)).map(Style::System);
    systems.chain([Style::Chesslike(0), Style::Chesslike(1)])
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

/// The value of the tag `Format`; none for Chinese characters, which is what programs expect without it.
pub(super) fn format_tag(system: System) -> Option<&'static str> {
    match system.pgn() {
        Some(PgnForm::Characters) => None,
        Some(PgnForm::Coordinates) => Some("ICCS"),
        Some(PgnForm::CoordinatesFromOne) => Some("UCI10"),
        Some(PgnForm::Western) | None => Some("WXF"),
    }
}

/// How the moves of a game are written, as far as it is known.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Dialect {
    /// The style of the move before, or the one that the tag `Format` names.
    pub(super) style: Option<Style>,
    /// Whether the game goes sideways by `=` (true) or by `.`, when that was looked for.
    equals: Option<bool>,
}

impl Dialect {
    /// What a value of the tag `Format` says. It is only tried first, since many files have a wrong one.
    pub(super) fn of_format(value: &str) -> Dialect {
        let is_named = |system: &System| format_tag(*system).is_some_and(|name| name.eq_ignore_ascii_case(value.trim()));
        let system = [System::Iccs, System::Uci10, System::Wxf].into_iter().find(is_named);
        Dialect { style: system.map(Style::System), equals: None }
    }
}

/// Reads a move. The style of the moves before is tried first, and becomes that of this one, since single moves can be
/// read in two ways. `sign` finds the first sideways sign of the game, `=` or `.`; it is asked seldom and once.
pub(super) fn read(board: &Board, text: &str, dialect: &mut Dialect, sign: impl FnOnce() -> Option<char>) -> Option<Move> {
    if is_chinese(text) {
        // Characters are unmistakable, so they leave the style of the other moves alone.
        return notation::read(System::Chinese, board, text).ok();
    }
    // A sign of check or mate belongs to the letters of chess, but some programs put it behind coordinates too.
    let bare = text.trim_end_matches(['+', '#']);
    let attempt = |style: Style| match style {
        Style::System(system @ (System::Iccs | System::Uci | System::Uci10)) => notation::read(system, board, bare).ok(),
        Style::System(system) => notation::read(system, board, text).ok(),
        Style::Chesslike(lowest) => read_chesslike(board, bare, lowest),
    };
    let candidates = dialect.style.iter().copied().chain(western());
    let (mut found, mut mv) = candidates.into_iter().find_map(|style| attempt(style).map(|mv| (style, mv)))?;
    // The first sign of a game must not decide what a pawn's digits mean: most moves read alike in both.
    if let Some(other) = twin(found).map(Style::System)
        && let Some(otherwise) = attempt(other).filter(|otherwise| *otherwise != mv)
    {
        let equals = *dialect.equals.get_or_insert_with(|| sign() != Some('.'));
        if is_of_2018(board, text, mv, otherwise, found, equals) != (found == Style::System(System::Wxr)) {
            (found, mv) = (other, otherwise);
        }
    }
    dialect.style = Some(found);
    Some(mv)
}

/// The other of the two systems that write alike but for tandem pawns.
fn twin(style: Style) -> Option<System> {
    match style {
        Style::System(System::Wxf | System::Tandem) => Some(System::Wxr),
        Style::System(System::Wxr) => Some(System::Wxf),
        _ => None,
    }
}

/// Whether a text that the two systems read differently is one of the rules of 2018: if only that system writes it so, or if
/// both do and the game has their sign.
fn is_of_2018(board: &Board, text: &str, mv: Move, otherwise: Move, found: Style, equals: bool) -> bool {
    let (of_2018, of_1999) = if found == Style::System(System::Wxr) { (mv, otherwise) } else { (otherwise, mv) };
    let is_written = |system, mv| notation::write(system, board, mv).eq_ignore_ascii_case(text);
    match (is_written(System::Wxr, of_2018), is_written(System::Wxf, of_1999)) {
        (written, other) if written != other => written,
        // Digits in full width are written by neither. A sign for the place of a pawn among four is the beginner's.
        (written, _) => {
            equals && (written || text.chars().filter(|letter| !letter.is_whitespace()).take(2).all(char::is_numeric))
        }
    }
}

/// Why a text is no move here, when it has the form of one.
pub(super) fn why_not(board: &Board, text: &str, style: Option<Style>) -> Option<ReadError> {
    let error = match style {
        _ if is_chinese(text) => notation::read(System::Chinese, board, text).err()?,
        Some(Style::System(system)) => notation::read(system, board, text).err()?,
        Some(Style::Chesslike(_)) => return None,
        None => notation::read_auto(board, text).err()?,
    };
    (!matches!(error, ReadError::NotThisNotation { .. })).then_some(error)
}

/// Reads `Che2`, `Cxe6`, `Ege7`, `axa3`: piece, what tells it from others, `x`, goal.
fn read_chesslike(board: &Board, text: &str, lowest: i32) -> Option<Move> {
    if !text.is_ascii() || text.len() > 8 {
        return None;
    }
    let first = text.chars().next()?;
    let (kind, rest) = if first.is_ascii_uppercase() { (kind_of_letter(first)?, &text[1..]) } else { (PieceType::Pawn, text) };
    let rest = rest.replacen('x', "", 1);
    let goal_at = rest.rfind(|letter: char| letter.is_ascii_lowercase())?;
    let (origin, goal) = rest.split_at(goal_at);
    let file = |letter: char| ('a'..='i').contains(&letter).then(|| (letter as u8 - b'a') as i32);
    let rank = |digits: &str| digits.parse::<u8>().ok().map(|rank| rank as i32 - lowest);
    let to = Square::at(file(goal.chars().next()?)?, rank(&goal[1..])?)?;
    let origin_file = match origin.chars().next().filter(char::is_ascii_lowercase) {
        Some(letter) => Some(file(letter)?),
        None => None,
    };
    let digits = origin.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let origin_rank = if digits.is_empty() { None } else { Some(rank(digits)?) };
    let moves = board.legal_moves();
    let mut fitting = moves.iter().copied().filter(|mv| {
        mv.to() == to
            && board.piece_on(mv.from()).is_some_and(|piece| piece.kind() == kind)
            && origin_file.is_none_or(|file| mv.from().file() as i32 == file)
            && origin_rank.is_none_or(|rank| mv.from().rank() as i32 == rank)
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn every_style_reads_the_same_move() {
        let start = Position::startpos();
        for text in ["炮二平五", "C2.5", "C2=5", "Ｃ２＝５", "H2-E2", "h2e2", "h3e3", "Che2", "Che3", "h2e2+"] {
            let mv = read(start.board(), text, &mut Dialect::default(), || None);
            assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Some("h2e2"), "{text}");
        }
        for text in ["Ce2", "1-0", "", "x", "Cxxe2", "Che99", "Che", "炮二平六七", "Zhe2", "é2"] {
            assert_eq!(read(start.board(), text, &mut Dialect::default(), || None), None, "{text}");
        }
    }

    #[test]
    fn a_style_once_seen_is_kept() {
        let mut position = Position::startpos();
        let mut dialect = Dialect::default();
        for text in ["h3e3", "h10g8", "b3b4"] {
            let mv = read(position.board(), text, &mut dialect, || None).unwrap();
            position.make(mv);
        }
        // b3b4 would also be a move in the commoner squares, were there a piece.
        assert_eq!(dialect.style, Some(Style::System(System::Uci10)));
        assert_eq!(position.moves().last().map(|mv| mv.to_string()).as_deref(), Some("b2b3"));
    }
}
