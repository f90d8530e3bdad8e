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

pub(super) fn is_chinese(text: &str) -> bool {
    text.chars().any(is_ideograph)
}

pub(super) fn is_ideograph(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

/// The value of the tag `Format`; none for Chinese characters, which is what programs expect without it.
pub(super) fn format_tag(system: System) -> Option<&'static str> {
    match system.pgn() {
        Some(PgnForm::Characters) => None,
        Some(PgnForm::Coordinates) => Some("ICCS"),
        Some(PgnForm::CoordinatesFromOne) => Some("UCI10"),
        Some(PgnForm::Vietnamese) => Some("VIETNAMESE"),
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
        let system = [System::Iccs, System::Uci10, System::Wxf, System::Vietnamese].into_iter().find(is_named);
        Dialect { style: system.map(Style::System), equals: None }
    }
}

/// Signs of the moves of a whole game.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Signs {
    /// The first sideways sign of the Latin notations, `=` or `.`.
    pub(super) sideways: Option<char>,
    /// Whether a piece goes back by `/`, as only Vietnamese texts write it.
    pub(super) slash: bool,
}

/// Reads a move. The style of the moves before is tried first, and becomes that of this one, since single moves can be
/// read in two ways. `signs` looks through the game; it is asked seldom.
pub(super) fn read(board: &Board, text: &str, dialect: &mut Dialect, signs: impl Fn() -> Signs) -> Option<Move> {
    if is_chinese(text) {
        // Characters are unmistakable, so they leave the style of the other moves alone.
        return notation::read(System::Chinese, board, text).ok();
    }
    // A sign of check or mate belongs to the letters of chess, but some programs put it after coordinates too.
    let bare = text.trim_end_matches(['+', '#']);
    let attempt = |style: Style| match style {
        Style::System(system @ (System::Iccs | System::Uci | System::Uci10)) => notation::read(system, board, bare).ok(),
        Style::System(system) => notation::read(system, board, text).ok(),
        Style::Chesslike(lowest) => read_chesslike(board, bare, lowest),
    };
    const VIETNAMESE: Style = Style::System(System::Vietnamese);
    // A slip in another notation is not to become a Vietnamese move.
    let is_open = |style: &Style| *style != VIETNAMESE || dialect.style.is_none() || notation::is_vietnamese(text);
    let candidates = dialect.style.iter().copied().chain(western().filter(is_open));
    let (mut found, mut mv) = candidates.into_iter().find_map(|style| attempt(style).map(|mv| (style, mv)))?;
    // The first move can be one of both, such as a cannon's advance and a pawn's step sideways.
    if dialect.style.is_none()
        && let Some(otherwise) = attempt(VIETNAMESE).filter(|otherwise| *otherwise != mv && signs().slash)
    {
        (found, mv) = (VIETNAMESE, otherwise);
    }
    // The first sign of a game must not decide what a pawn's digits mean: most moves read alike in both.
    if let Some(other) = twin(found).map(Style::System)
        && let Some(otherwise) = attempt(other).filter(|otherwise| *otherwise != mv)
    {
        let equals = *dialect.equals.get_or_insert_with(|| signs().sideways != Some('.'));
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
        _ if is_chinese(text) => notation::read(System::Chinese, board, text).err(),
        Some(Style::System(system)) => notation::read(system, board, text).err(),
        Some(Style::Chesslike(_)) => None,
        None => notation::read_auto(board, text).err(),
    };
    error.filter(|error| !matches!(error, ReadError::NotThisNotation { .. })).or_else(|| {
        let lowest = match style {
            Some(Style::Chesslike(lowest)) => [lowest, lowest],
            _ => [0, 1],
        };
        let candidates = lowest.into_iter().map(|lowest| chesslike(board, text.trim_end_matches(['+', '#']), lowest));
        let candidates = candidates.flatten().find(|candidates| candidates.len() > 1)?;
        Some(ReadError::Ambiguous { text: text.to_string(), candidates })
    })
}

fn read_chesslike(board: &Board, text: &str, lowest: i32) -> Option<Move> {
    match chesslike(board, text, lowest)?[..] {
        [mv] => Some(mv),
        _ => None,
    }
}

/// The legal moves that `Che2`, `Cxe6`, `Ege7`, `axa3` can mean: piece, what distinguishes it from others, `x`, goal. None when the text
/// has another form.
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
        for text in ["炮二平五", "C2.5", "C2=5", "Ｃ２＝５", "H2-E2", "h2e2", "h3e3", "Che2", "Che3", "h2e2+"] {
            let mv = read(start.board(), text, &mut Dialect::default(), Signs::default);
            assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Some("h2e2"), "{text}");
        }
        for text in ["Ce2", "1-0", "", "x", "Cxxe2", "Che99", "Che", "炮二平六七", "Zhe2", "é2"] {
            assert_eq!(read(start.board(), text, &mut Dialect::default(), Signs::default), None, "{text}");
        }
    }

    #[test]
    fn a_style_once_seen_is_kept() {
        let mut position = Position::startpos();
        let mut dialect = Dialect::default();
        for text in ["h3e3", "h10g8", "b3b4"] {
            let mv = read(position.board(), text, &mut dialect, Signs::default).unwrap();
            position.make(mv);
        }
        // b3b4 would also be a move in the commoner squares, were there a piece.
        assert_eq!(dialect.style, Some(Style::System(System::Uci10)));
        assert_eq!(position.moves().last().map(|mv| mv.to_string()).as_deref(), Some("b2b3"));
    }

    #[test]
    fn an_ambiguous_move_is_called_so_with_the_moves() {
        for text in ["Ce2", "Ce3", "Ce2+"] {
            let record = game(&format!("[Red \"A\"]\n1. {text} Hg7 *"));
            let warnings = record.warnings().join("\n");
            assert!(warnings.contains(&format!("'{text}' is ambiguous, it can be b2e2 or h2e2")), "{warnings}");
        }
        let record = game("1. Che2 Hbg7 *");
        assert!(!record.warnings().join("").contains("ambiguous"));
    }

    #[test]
    fn vietnamese_games_are_distinguished_from_others() {
        let start = "[FEN \"3k5/9/9/9/6P2/9/9/9/6C2/4K4 w\"]\n";
        for (text, expected) in [
            ("1. P2-5 M8.7 2. M2.3 X9-8 3. X1-2 M2.3 4. B7.1 P8/1", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 h7h8"),
            ("[Format \"WXF\"]\n1. P2-5 M8.7 2. M2.3", "h2e2 h9g7 h0g2"),
            (&format!("{start}1. P3.3 Tg4.1 2. P3/2"), "g1g4 d9d8 g4g2"),
            (&format!("{start}1. P3.4 K4+1"), "g5f5 d9d8"),
        ] {
            let record = game(text);
            assert_eq!(line(&record), expected, "{text}: {:?}", record.warnings());
        }
        // Both are legal: the game decides.
        let both = "[FEN \"3k5/9/6P2/9/9/9/9/9/6C2/4K4 w\"]\n";
        assert_eq!(line(&game(&format!("{both}1. P3.4 Tg4.1 2. P3/1"))), "g1g5 d9d8 g5g4");
        assert_eq!(line(&game(&format!("{both}1. P3.4 K4+1"))), "g7f7 d9d8");
        // A slip in another notation stays one.
        assert_eq!(line(&game("1. C2.5 H8+7 2. P2.3 *")), "h2e2 h9g7");
    }
}
