//! The phrases of One Hundred Variations (百變象棋譜): `Pawn captures Chariot`, `Horse to Riverbank`, `Chariot advances for Check`,
//! in English or Chinese. Several legal moves can have the same phrase; the reader then reports all of them.

use super::Script;
use super::chinese::{self, Characters};
use super::components::{Direction, Edition, direction_and_ranks};
use super::error::Reason;
use super::text;
use super::western;
use crate::board::Board;
use crate::types::{Color, Move, Piece, PieceType};

/// The action of the piece. The writer uses the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Captures(PieceType),
    /// Moves to its own side's riverbank.
    ToRiverbank,
    Goes(Direction),
}

/// The effect on the opposing king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Quiet,
    Check,
    Mate,
}

/// A parsed phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sentence {
    kind: PieceType,
    action: Action,
    /// "to the centre": the destination is on the middle file. Accepted by the reader, never written.
    to_centre: bool,
    outcome: Outcome,
}

const MIDDLE_FILE: u8 = 4;

/// Piece names in English phrases.
const NAMES: [&str; PieceType::COUNT] = ["King", "Advisor", "Elephant", "Horse", "Chariot", "Cannon", "Pawn"];

fn action(board: &Board, piece: Piece, mv: Move) -> Action {
    if let Some(captured) = board.piece_on(mv.to()) {
        return Action::Captures(captured.kind());
    }
    let riverbank = if piece.color() == Color::Red { 4 } else { 5 };
    let goes_to_banks = matches!(piece.kind(), PieceType::Horse | PieceType::Rook | PieceType::Cannon);
    if goes_to_banks && mv.to().rank() == riverbank {
        return Action::ToRiverbank;
    }
    Action::Goes(direction_and_ranks(piece.color(), mv.from(), mv.to()).0)
}

fn outcome(board: &Board, mv: Move) -> Outcome {
    let next = board.after(mv);
    match next.in_check() {
        false => Outcome::Quiet,
        true if next.legal_moves().is_empty() => Outcome::Mate,
        true => Outcome::Check,
    }
}

/// Writes the phrase, followed by the move in the notation of the 2018 rules in brackets if `unambiguous` is set.
pub(super) fn write(board: &Board, mv: Move, script: Script, unambiguous: bool, out: &mut String) {
    let Some(piece) = board.piece_on(mv.from()) else { return };
    let (action, outcome) = (action(board, piece, mv), outcome(board, mv));
    match script {
        Script::English => write_english(piece, action, outcome, out),
        Script::Traditional => write_chinese(piece, action, outcome, Characters::Traditional, out),
        Script::Simplified => write_chinese(piece, action, outcome, Characters::Simplified, out),
    }
    if unambiguous {
        out.push_str(" (");
        western::write(Edition::Rules2018, board, mv, out);
        out.push(')');
    }
}

fn write_english(piece: Piece, action: Action, outcome: Outcome, out: &mut String) {
    out.push_str(NAMES[piece.kind().index()]);
    match action {
        Action::Captures(kind) => {
            out.push_str(" captures ");
            out.push_str(NAMES[kind.index()]);
        }
        Action::ToRiverbank => out.push_str(" to Riverbank"),
        Action::Goes(Direction::Advance) => out.push_str(" advances"),
        Action::Goes(Direction::Retreat) => out.push_str(" retreats"),
        Action::Goes(Direction::Traverse) => out.push_str(" traverses"),
    }
    out.push_str(match outcome {
        Outcome::Quiet => "",
        Outcome::Check => " for Check",
        Outcome::Mate => " for Mate",
    });
}

fn write_chinese(piece: Piece, action: Action, outcome: Outcome, characters: Characters, out: &mut String) {
    out.push(chinese::name(piece, characters));
    match action {
        Action::Captures(kind) => out.extend(['吃', chinese::name(Piece::new(!piece.color(), kind), characters)]),
        Action::ToRiverbank => out.push_str("至河沿"),
        Action::Goes(direction) => out.push(chinese::direction_name(direction, characters)),
    }
    out.push_str(match (outcome, characters) {
        (Outcome::Quiet, _) => "",
        (Outcome::Check, Characters::Traditional) => "照將",
        (Outcome::Check, Characters::Simplified) => "照将",
        (Outcome::Mate, Characters::Traditional) => "將死",
        (Outcome::Mate, Characters::Simplified) => "将死",
    });
}

/// Reads a phrase in English or Chinese, optionally followed by the move in the notation of the 2018 rules in brackets.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    const MAX_LENGTH: usize = 200;
    if text.len() > MAX_LENGTH {
        return Err(Reason::Form);
    }
    let (words, bracket) = match text.split_once(['(', '[', '（', '［', '【']) {
        Some((words, bracket)) => (words, Some(bracket.trim_end().trim_end_matches([')', ']', '）', '］', '】']))),
        None => (text, None),
    };
    let sentence = parse_english(words).or_else(|| parse_chinese(words)).ok_or(Reason::Form)?;
    let matching = matching(board, sentence);
    if let Some(bracket) = bracket {
        let mv = western::read(Edition::Rules2018, board, bracket)?;
        let fits = matching.contains(&mv);
        return if fits { Ok(mv) } else { Err(Reason::CannotMoveSo("the piece named in brackets".into())) };
    }
    match matching.as_slice() {
        [mv] => Ok(*mv),
        [] => Err(no_match(board, sentence)),
        _ => Err(Reason::Ambiguous(matching)),
    }
}

/// The legal moves that match the phrase. If the writer would produce this phrase for some moves, only those count; otherwise
/// the phrase need not mention a check, a capture or the riverbank.
fn matching(board: &Board, sentence: Sentence) -> Vec<Move> {
    let piece = Piece::new(board.side_to_move(), sentence.kind);
    let moves: Vec<Move> = board
        .legal_moves()
        .iter()
        .copied()
        .filter(|mv| board.piece_on(mv.from()) == Some(piece))
        .filter(|mv| !sentence.to_centre || mv.to().file() == MIDDLE_FILE)
        .collect();
    let strict = |mv: &&Move| action(board, piece, **mv) == sentence.action && outcome(board, **mv) == sentence.outcome;
    let strictly: Vec<Move> = moves.iter().filter(strict).copied().collect();
    if !strictly.is_empty() {
        return strictly;
    }
    moves
        .into_iter()
        .filter(|&mv| matches_action(board, piece, mv, sentence.action) && matches_outcome(sentence.outcome, outcome(board, mv)))
        .collect()
}

fn matches_action(board: &Board, piece: Piece, mv: Move, wanted: Action) -> bool {
    let written = action(board, piece, mv);
    written == wanted || wanted == Action::Goes(direction_and_ranks(piece.color(), mv.from(), mv.to()).0)
}

fn matches_outcome(wanted: Outcome, outcome: Outcome) -> bool {
    match wanted {
        Outcome::Quiet => true,
        Outcome::Check => outcome != Outcome::Quiet,
        Outcome::Mate => outcome == Outcome::Mate,
    }
}

/// The reason that no legal move matches.
fn no_match(board: &Board, sentence: Sentence) -> Reason {
    let color = board.side_to_move();
    let piece = Piece::new(color, sentence.kind);
    let name = sentence.kind;
    if board.count(piece) == 0 {
        return Reason::NoSuchPiece(format!("no {color} {name}"));
    }
    for from in board.squares_of(piece) {
        for to in board.moves_from(from, board.occupied()) & !board.color(color) {
            let mv = Move::new(from, to);
            if !board.is_legal(mv) && matches_action(board, piece, mv, sentence.action) && sentence.outcome == Outcome::Quiet {
                return Reason::LeavesKingInCheck(mv);
            }
        }
    }
    Reason::CannotMoveSo(format!("the {color} {name}"))
}

fn parse_english(text: &str) -> Option<Sentence> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let (words, outcome) = match words.as_slice() {
        [words @ .., "for", "check"] => (words, Outcome::Check),
        [words @ .., "for", "mate" | "checkmate"] => (words, Outcome::Mate),
        words => (words, Outcome::Quiet),
    };
    let (words, to_centre) = match words {
        [words @ .., "to", "the", "centre" | "center"] | [words @ .., "to", "centre" | "center"] => (words, true),
        words => (words, false),
    };
    let (kind, action) = match words {
        [piece, "captures" | "takes", captured] => (kind_of_word(piece)?, Action::Captures(kind_of_word(captured)?)),
        [piece, "to", "riverbank"] | [piece, "to", "the", "riverbank"] => (kind_of_word(piece)?, Action::ToRiverbank),
        [piece, verb] => (kind_of_word(piece)?, Action::Goes(direction_of_word(verb)?)),
        _ => return None,
    };
    Some(Sentence { kind, action, to_centre, outcome })
}

fn direction_of_word(word: &str) -> Option<Direction> {
    match word {
        "advances" | "advance" => Some(Direction::Advance),
        "retreats" | "retreat" => Some(Direction::Retreat),
        "traverses" | "traverse" => Some(Direction::Traverse),
        _ => None,
    }
}

fn kind_of_word(word: &str) -> Option<PieceType> {
    Some(match word {
        "king" | "general" => PieceType::King,
        "advisor" | "adviser" | "guard" | "mandarin" => PieceType::Advisor,
        "elephant" | "minister" | "bishop" => PieceType::Elephant,
        "horse" | "knight" => PieceType::Horse,
        "chariot" | "rook" => PieceType::Rook,
        "cannon" => PieceType::Cannon,
        "pawn" | "soldier" => PieceType::Pawn,
        _ => return None,
    })
}

fn parse_chinese(text: &str) -> Option<Sentence> {
    let symbols = text::symbols(text)?;
    let (&piece, rest) = symbols.split_first()?;
    let (rest, outcome) = match rest {
        [rest @ .., '照' | '叫', '將' | '将'] => (rest, Outcome::Check),
        [rest @ .., '將' | '将', '死'] | [rest @ .., '絕' | '绝', '殺' | '杀'] => (rest, Outcome::Mate),
        rest => (rest, Outcome::Quiet),
    };
    let action = match rest {
        ['吃', captured] => Action::Captures(text::kind_of_name(*captured)?),
        ['至' | '到', '河', '沿'] => Action::ToRiverbank,
        [direction @ ('進' | '进' | '退' | '平')] => Action::Goes(chinese::parse_direction(*direction)?),
        _ => return None,
    };
    Some(Sentence { kind: text::kind_of_name(piece)?, action, to_centre: false, outcome })
}
