//! Reading of single moves in the notation of a file.

use crate::board::{Board, kind_of_letter};
use crate::notation::{self, PgnForm, ReadError, System};
use crate::types::{Move, PieceType, Square};

/// The notation of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// A xiangqi notation.
    System(System),
    /// Chess-like algebraic notation, `Che2`, with the number of the lowest rank: 0 in WinBoard, 1 in pychess.
    Chesslike(i32),
}

/// Styles to try for a text without Chinese characters, the most reliable first: xiangqi notations, then chess-like notation.
fn western() -> impl Iterator<Item = Style> {
    let systems = System::all_of_pgn().filter(|system| system.pgn() != Some(PgnForm::Characters)).map(Style::System);
    systems.chain([Style::Chesslike(0), Style::Chesslike(1)])
}

pub(super) fn is_chinese(text: &str) -> bool {
    text.chars().any(is_ideograph)
}

pub(super) fn is_ideograph(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

/// The value of the `Format` tag. `None` for Chinese characters, which programs expect without the tag.
pub(super) fn format_tag(system: System) -> Option<&'static str> {
    match system.pgn() {
        Some(PgnForm::Characters) => None,
        Some(PgnForm::Coordinates) => Some("ICCS"),
        Some(PgnForm::CoordinatesFromOne) => Some("UCI10"),
        Some(PgnForm::Vietnamese) => Some("VIETNAMESE"),
        Some(PgnForm::Western) | None => Some("WXF"),
    }
}

/// What is known so far about the notation of a game.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Dialect {
    /// The style of the previous move, or of the `Format` tag.
    pub(super) style: Option<Style>,
    /// Whether the sign of sideways moves in the game is `=` rather than `.`; determined on demand.
    equals: Option<bool>,
    /// Whether the game is from a site that counts the ranks of chess-like notation from 1.
    is_from_one: bool,
    /// Whether the ranks of the moves so far count from 1; none before the first move with a rank.
    has_ranks_from_one: Option<bool>,
}

impl Dialect {
    /// The dialect for a value of the `Format` tag. It is only tried first, since many files have a wrong value.
    pub(super) fn of_format(value: &str) -> Dialect {
        let is_named = |system: &System| format_tag(*system).is_some_and(|name| name.eq_ignore_ascii_case(value.trim()));
        let system = [System::Iccs, System::Uci10, System::Wxf, System::Vietnamese].into_iter().find(is_named);
        Dialect { style: system.map(Style::System), ..Dialect::default() }
    }

    /// Takes the value of the tag `Variant` into account: pychess, which counts ranks from 1, writes it with a capital letter, WinBoard without.
    pub(super) fn set_variant(&mut self, value: Option<&str>) {
        self.is_from_one = value == Some("Xiangqi");
    }
}

/// Signs in the moves of an entire game that differ between notations.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Signs {
    /// The first sign of a sideways move in Latin notation, `=` or `.`.
    pub(super) sideways: Option<char>,
    /// Whether the game has the retreat sign `/`, which only Vietnamese notation uses.
    pub(super) slash: bool,
    /// Whether the game has a rank 0, which exists only if ranks count from 0.
    pub(super) zero: bool,
    /// Whether the game has a rank 10, which exists only if ranks count from 1.
    pub(super) ten: bool,
}

/// Reads a move. The style of the previous moves is tried first, since a single move can be ambiguous, and the dialect is updated to the
/// style of this move. `signs` scans the game and is called only if necessary.
pub(super) fn read(board: &Board, text: &str, dialect: &mut Dialect, signs: impl Fn() -> Signs) -> Option<Move> {
    if is_chinese(text) {
        // Chinese characters are unambiguous and don't affect the style of other moves.
        let read = |text: &str| notation::read(System::Chinese, board, text).ok();
        return read(text).or_else(|| Some(notation::without_check(text)).filter(|bare| *bare != text).and_then(read));
    }
    let text = without_signs(text);
    let attempt = |style: Style| match style {
        Style::System(system) => notation::read(system, board, text).ok(),
        Style::Chesslike(lowest) => read_chesslike(board, text, lowest),
    };
    const VIETNAMESE: Style = Style::System(System::Vietnamese);
    // Don't read an illegal move in another notation as a Vietnamese move, or as another move by counting the ranks differently.
    let is_numbered_so = |style: Style| match (dialect.has_ranks_from_one, counts_from_one(style)) {
        (Some(before), Some(from_one)) => before == from_one,
        _ => true,
    };
    let is_open = |style: &Style| {
        is_numbered_so(*style) && (*style != VIETNAMESE || dialect.style.is_none() || notation::is_vietnamese(text))
    };
    let candidates = dialect.style.iter().copied().chain(western().filter(is_open));
    let (mut found, mut mv) = candidates.into_iter().find_map(|style| attempt(style).map(|mv| (style, mv)))?;
    // The first move can be valid in both, for example as a cannon advancing and a pawn moving sideways.
    if dialect.style.is_none()
        && let Some(otherwise) = attempt(VIETNAMESE).filter(|otherwise| *otherwise != mv && signs().slash)
    {
        (found, mv) = (VIETNAMESE, otherwise);
    }
    if dialect.style.is_none()
        && let Some(from_one) = with_ranks_from_one(found)
        && let Some(otherwise) = attempt(from_one).filter(|otherwise| *otherwise != mv)
    {
        let is_from_one = match signs() {
            Signs { zero: false, ten: false, .. } => dialect.is_from_one && matches!(found, Style::Chesslike(_)),
            Signs { zero, ten, .. } => ten && !zero,
        };
        if is_from_one {
            (found, mv) = (from_one, otherwise);
        }
    }
    // The style of the previous moves does not decide the meaning of a pawn's digits, since most moves read alike in both systems.
    if let Some(other) = twin(found).map(Style::System)
        && let Some(otherwise) = attempt(other).filter(|otherwise| *otherwise != mv)
    {
        let equals = *dialect.equals.get_or_insert_with(|| signs().sideways != Some('.'));
        if is_of_2018(board, text, mv, otherwise, found, equals) != (found == Style::System(System::Wxr)) {
            (found, mv) = (other, otherwise);
        }
    }
    dialect.style = Some(found);
    dialect.has_ranks_from_one = counts_from_one(found).or(dialect.has_ranks_from_one);
    Some(mv)
}

/// Whether a style counts the ranks from 1. None if it has no ranks.
fn counts_from_one(style: Style) -> Option<bool> {
    match style {
        Style::Chesslike(lowest) => Some(lowest == 1),
        Style::System(System::Iccs | System::Uci) => Some(false),
        Style::System(System::Uci10) => Some(true),
        Style::System(_) => None,
    }
}

/// The style that differs from this one only in counting the ranks from 1 instead of 0.
fn with_ranks_from_one(style: Style) -> Option<Style> {
    match style {
        Style::Chesslike(0) => Some(Style::Chesslike(1)),
        Style::System(System::Iccs | System::Uci) => Some(Style::System(System::Uci10)),
        _ => None,
    }
}

/// Strips the signs of check and mate, `+`, `++` and `#`. Chess-like notation and WXF files have them, and some programs write them after any move.
fn without_signs(text: &str) -> &str {
    text.trim_end_matches(['+', '#'])
}

/// The other one of two systems that differ only in tandem pawns.
fn twin(style: Style) -> Option<System> {
    match style {
        Style::System(System::Wxf | System::Tandem) => Some(System::Wxr),
        Style::System(System::Wxr) => Some(System::Wxf),
        _ => None,
    }
}

/// Whether a text that the two systems read differently follows the 2018 rules: if only that system writes it like this, or if both do
/// and the game uses the sign `=`.
fn is_of_2018(board: &Board, text: &str, mv: Move, otherwise: Move, found: Style, equals: bool) -> bool {
    let (of_2018, of_1999) = if found == Style::System(System::Wxr) { (mv, otherwise) } else { (otherwise, mv) };
    let is_written = |system, mv| notation::write(system, board, mv).eq_ignore_ascii_case(text);
    match (is_written(System::Wxr, of_2018), is_written(System::Wxf, of_1999)) {
        (written, other) if written != other => written,
        // Neither system writes full-width digits. A sign for the place of a pawn among four belongs to the beginner's system.
        (written, _) => {
            equals && (written || text.chars().filter(|letter| !letter.is_whitespace()).take(2).all(char::is_numeric))
        }
    }
}

/// The reason that a text with the form of a move is not a legal move in this position.
pub(super) fn why_not(board: &Board, text: &str, style: Option<Style>) -> Option<ReadError> {
    let (whole, text) = (text, without_signs(text));
    let error = match style {
        _ if is_chinese(text) => notation::read(System::Chinese, board, whole).err(),
        Some(Style::System(system)) => notation::read(system, board, text).err(),
        Some(Style::Chesslike(_)) => None,
        None => notation::read_auto(board, text).err(),
    };
    error.filter(|error| !matches!(error, ReadError::NotThisNotation { .. })).or_else(|| {
        let lowest = match style {
            Some(Style::Chesslike(lowest)) => [lowest, lowest],
            _ => [0, 1],
        };
        let candidates = lowest.into_iter().map(|lowest| chesslike(board, text, lowest));
        let candidates = candidates.flatten().find(|candidates| candidates.len() > 1)?;
        Some(ReadError::Ambiguous { text: whole.to_string(), candidates })
    })
}

fn read_chesslike(board: &Board, text: &str, lowest: i32) -> Option<Move> {
    match chesslike(board, text, lowest)?[..] {
        [mv] => Some(mv),
        _ => None,
    }
}

/// The legal moves that match a text such as `Che2`, `Cxe6`, `Ege7` or `axa3`: piece, origin file or rank if necessary, `x`, destination.
/// `None` if the text does not have this form.
fn chesslike(board: &Board, text: &str, lowest: i32) -> Option<Vec<Move>> {
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
    let fitting = moves.iter().copied().filter(|mv| {
        mv.to() == to
            && board.piece_on(mv.from()).is_some_and(|piece| piece.kind() == kind)
            && origin_file.is_none_or(|file| mv.from().file() as i32 == file)
            && origin_rank.is_none_or(|rank| mv.from().rank() as i32 == rank)
    });
    Some(fitting.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::records::pgn::words::tests::{game, line};

    #[test]
    fn every_style_reads_the_same_move() {
        let start = Position::startpos();
        for text in ["炮二平五", "C2.5", "C2=5", "Ｃ２＝５", "H2-E2", "h2e2", "h3e3", "Che2", "Che3", "h2e2+", "C2=5+", "C2.5++"]
        {
            let mv = read(start.board(), text, &mut Dialect::default(), Signs::default);
            assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Some("h2e2"), "{text}");
        }
        for text in ["Ce2", "1-0", "", "x", "Cxxe2", "Che99", "Che", "炮二平六七", "Zhe2", "é2"] {
            assert_eq!(read(start.board(), text, &mut Dialect::default(), Signs::default), None, "{text}");
        }
    }

    #[test]
    fn the_style_of_a_game_is_kept() {
        let mut position = Position::startpos();
        let mut dialect = Dialect::default();
        for text in ["h3e3", "h10g8", "b3b4"] {
            let mv = read(position.board(), text, &mut dialect, Signs::default).unwrap();
            position.make(mv);
        }
        // b3b4 also has the form of a move with ranks from 0, but there is no piece on b3.
        assert_eq!(dialect.style, Some(Style::System(System::Uci10)));
        assert_eq!(position.moves().last().map(|mv| mv.to_string()).as_deref(), Some("b2b3"));
    }

    #[test]
    fn an_ambiguous_move_is_reported_with_its_candidates() {
        for text in ["Ce2", "Ce3", "Ce2+"] {
            let record = game(&format!("[Red \"A\"]\n1. {text} Hg7 *"));
            let warnings = record.warnings().join("\n");
            assert!(warnings.contains(&format!("'{text}' is ambiguous, it can be b2e2 or h2e2")), "{warnings}");
        }
        let record = game("1. Che2 Hbg7 *");
        assert!(!record.warnings().join("").contains("ambiguous"));
    }

    #[test]
    fn the_ranks_of_the_game_decide_whether_they_count_from_0_or_1() {
        let pychess = "[Variant \"Xiangqi\"]\n\n";
        let winboard = "[Variant \"xiangqi\"]\n\n";
        for (tags, text, expected) in [
            ("", "1. Ch5 Hg8 2. Hg3 Rh10 3. Rh1 Hc8", "h2h4 h9g7 h0g2 i9h9 i0h0 b9c7"),
            (pychess, "1. Ch5 Hg8 2. Hg3 Rh10+ 3. Rh1 Hc8", "h2h4 h9g7 h0g2 i9h9 i0h0 b9c7"),
            (pychess, "1. Ch4 Hg7 2. Hg2 Rh9 3. Rh0 Hc7", "h2h4 h9g7 h0g2 i9h9 i0h0 b9c7"),
            ("", "1. Ch4 Hg7 2. Hg2 Rh9 3. Rh0 Hc7", "h2h4 h9g7 h0g2 i9h9 i0h0 b9c7"),
            // Only the tag decides.
            (pychess, "1. Ch5 Hg8", "h2h4 h9g7"),
            (winboard, "1. Ch5 Hg7", "h2h5 h9g7"),
            ("", "1. Ch5 Hg7", "h2h5 h9g7"),
            // The tag says nothing about coordinates.
            ("[FEN \"3k5/9/9/9/9/9/4R4/4R4/9/5K3 w\"]\n", "1. e3f3 d10d9", "e2f2 d9d8"),
            ("[FEN \"3k5/9/9/9/9/9/4R4/4R4/9/5K3 w\"]\n[Variant \"Xiangqi\"]\n", "1. e3f3 d9d8", "e3f3 d9d8"),
            ("[FEN \"3k5/9/9/9/9/9/9/4R4/9/4K4 w\"]\n[Variant \"Xiangqi\"]\n", "1. Re8 Kd9", "e2e7 d9d8"),
        ] {
            let record = game(&format!("{tags}{text}\n"));
            assert_eq!((line(&record).as_str(), record.warnings()), (expected, vec![]), "{tags}{text}");
        }
    }

    #[test]
    fn an_illegal_move_is_not_read_with_other_ranks() {
        for text in ["1. h2e2 h9g7 2. h1g3 i9h9", "1. h3e3 h10g8 2. h0g2 i10h10", "1. Hg2 Hg7 2. Ch4 Cb9"] {
            let record = game(&format!("{text} *"));
            assert!(record.main_line_fault().is_some(), "{text}: {}", line(&record));
        }
        assert_eq!(line(&game("[Format \"ICCS\"]\n\n1. h3e3 h10g8 2. h1g3 *")), "h2e2 h9g7 h0g2");
    }

    #[test]
    fn an_evaluation_is_not_a_sign_of_check() {
        for (text, warnings) in [("1. C2=5+ H8+7++", 0), ("1. C2=5+- H8+7+=", 2), ("1. h2e2+/- h9g7", 1)] {
            let record = game(text);
            assert_eq!((line(&record).as_str(), record.warnings().len()), ("h2e2 h9g7", warnings), "{:?}", record.warnings());
        }
    }

    #[test]
    fn vietnamese_games_are_distinguished_from_others() {
        let start = "[FEN \"3k5/9/9/9/6P2/9/9/9/6C2/4K4 w\"]\n";
        for (text, expected) in [
            ("1. P2-5 M8.7 2. M2.3 X9-8 3. X1-2 M2.3 4. B7.1 P8/1", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 h7h8"),
            ("[Format \"WXF\"]\n1. P2-5 M8.7 2. M2.3", "h2e2 h9g7 h0g2"),
            ("1. P2-5 M8.7 2. M2.3 X9-8 3. X1-2 C7.1", "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5"),
            ("1. C2.5 H8+7 2. H2+3 C8/1", "h2e2 h9g7 h0g2"),
            (&format!("{start}1. P3.3 Tg4.1 2. P3/2"), "g1g4 d9d8 g4g2"),
            (&format!("{start}1. P3.4 K4+1"), "g5f5 d9d8"),
        ] {
            let record = game(text);
            assert_eq!(line(&record), expected, "{text}: {:?}", record.warnings());
        }
        // Both readings are legal; the rest of the game decides.
        let both = "[FEN \"3k5/9/6P2/9/9/9/9/9/6C2/4K4 w\"]\n";
        assert_eq!(line(&game(&format!("{both}1. P3.4 Tg4.1 2. P3/1"))), "g1g5 d9d8 g5g4");
        assert_eq!(line(&game(&format!("{both}1. P3.4 K4+1"))), "g7f7 d9d8");
        // An illegal move in another notation remains an error.
        assert_eq!(line(&game("1. C2.5 H8+7 2. P2.3 *")), "h2e2 h9g7");
    }
}
