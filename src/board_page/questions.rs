//! Answers to questions, which depend on the question alone: a client gets the same answer after a reconnection, from a second page
//! and after a restart of the server.

use super::document::{position_of, setup_of};
use super::error::RequestError;
use super::host::Host;
use super::limits::ARROWS;
use super::message::{
    Answer, AskBook, AskDraw, AskPosition, AskRead, BookForm, DrawingForm, EndgameForm, EndgameMove, ExactForm, LoopMove,
    Move as MoveForm, Name, PositionForm, Question, RulingForm, Saved, SetupFault, SetupForm,
};
use super::saving;
use super::{explorer, reader};
use crate::board::{Board, Position, Setup, SetupError};
use crate::book::{self, Change, Opening};
use crate::endgame::{Outcome, Tables};
use crate::notation::{LineReader, Notation};
use crate::puzzles;
use crate::records::RecordProblem;
use crate::report::{ArrowKind, Diagram, verdict_name};
use crate::rules::{Cause, Language, Rules, Ruling, Verdict, Wording};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// Answers a question.
///
/// # Errors
/// When the question is invalid, or refers to a resource that `host` lacks or cannot read.
pub fn answer(question: Question, host: &dyn Host) -> Result<Answer, RequestError> {
    match question {
        Question::Position(ask) => Ok(Answer::Position(Box::new(position_form(&ask, host)?))),
        Question::Read(ask) => read(&ask),
        Question::Open(ask) => Ok(Answer::Opened(Box::new(reader::open(&ask, host)?))),
        Question::Names(ask) => Ok(Answer::Names(ask.tree.names(ask.notation.0)?)),
        Question::Lines(ask) => Ok(Answer::Lines(explorer::lines(&ask, host)?)),
        Question::Explore(ask) => Ok(Answer::Explored(explorer::explore(&ask, host)?)),
        Question::Puzzles(ask) => puzzles(reader::bytes_of(&ask.source, host)?),
        Question::Book(ask) => edit_book(&ask, host),
        Question::Save(ask) => Ok(Answer::Saved(saving::save(&ask, host)?)),
        Question::Draw(ask) => Ok(Answer::Saved(draw(&ask)?)),
        Question::Report(ask) => Ok(Answer::Saved(saving::report(&ask)?)),
        Question::Setup(ask) => Ok(Answer::Setup(setup(&ask.fen))),
    }
}

/// Whether the engine can search a position. Composed diagrams can have pawns on squares for which the search has no tables.
pub fn is_searchable(position: &Position) -> bool {
    Setup::from_board(position.board()).board().is_ok()
}

fn position_form(ask: &AskPosition, host: &dyn Host) -> Result<PositionForm, RequestError> {
    let position = position_of(&ask.line)?;
    let board = position.board();
    let notation = Notation::new(ask.notation.0);
    let rules = Rules { set: ask.rules.0, ..Rules::default() };
    let ruling = rules.ruling(&position);
    Ok(PositionForm {
        fen: position.to_fen(),
        side: position.side_to_move().to_string(),
        check: position.in_check(),
        legal: board.legal_moves().iter().map(|&mv| MoveForm::named(&notation, board, mv)).collect(),
        ruling: ruling_form(&ruling, &notation, ask.language.0),
        book: book_moves(&position, &rules, &notation, host)?,
        endgame: endgame(board, &notation),
        opening: book::opening_of(&position).map(name),
        searchable: is_searchable(&position),
    })
}

/// The book moves of a position, by descending weight.
fn book_moves(position: &Position, rules: &Rules, notation: &Notation, host: &dyn Host) -> Result<Vec<BookForm>, RequestError> {
    let board = position.board();
    let forms = host.book_moves(board)?.into_iter().map(|found| BookForm {
        mv: MoveForm::named(notation, board, found.mv),
        weight: found.weight,
        unplayed: book::objection(position, rules, found.mv).map(book::Objection::name),
        opening: book::builtin().opening(&board.after(found.mv)).map(name),
    });
    Ok(forms.collect())
}

/// Changes a move of the book.
fn edit_book(ask: &AskBook, host: &dyn Host) -> Result<Answer, RequestError> {
    let position = position_of(&ask.line)?;
    let mv = Move::from_uci(&ask.mv).ok().filter(|&mv| position.board().is_legal(mv));
    let mv =
        mv.ok_or_else(|| RequestError::Move { number: ask.line.moves.len() + 1, text: ask.mv.chars().take(20).collect() })?;
    host.edit_book(position.board(), Change { mv, weight: ask.weight })?;
    let rules = Rules { set: ask.rules.0, ..Rules::default() };
    Ok(Answer::Book(book_moves(&position, &rules, &Notation::new(ask.notation.0), host)?))
}

/// Probes the endgame tables for a position and its moves.
fn endgame(board: &Board, notation: &Notation) -> Option<EndgameForm> {
    let tables = Tables::builtin();
    let outcome = tables.probe(board)?;
    let exact = |outcome: Outcome| ExactForm {
        result: outcome.result.name(),
        plies: outcome.distance(),
        by_repetition: outcome.by_repetition,
    };
    let moves = tables.ranked_moves(board).into_iter();
    let moves =
        moves.map(|(mv, outcome)| EndgameMove { mv: MoveForm::named(notation, board, mv), exact: outcome.map(exact) }).collect();
    Some(EndgameForm { exact: exact(outcome), moves })
}

fn name(opening: &Opening) -> Name {
    Name { en: opening.english.clone(), zh: opening.chinese.clone() }
}

fn ruling_form(ruling: &Ruling, notation: &Notation, language: Language) -> RulingForm {
    let write = |board: &Board, mv: Move| notation.write(board, mv);
    let wording = Wording { language, write: &write };
    let (cause, moves) = match &ruling.cause {
        Cause::Ongoing => ("ongoing", Vec::new()),
        Cause::Checkmate(_) => ("checkmate", Vec::new()),
        Cause::Stalemate(_) => ("stalemate", Vec::new()),
        Cause::NaturalLimit(_) => ("natural_limit", Vec::new()),
        Cause::BareMaterial => ("bare_material", Vec::new()),
        Cause::Repetition(repetition) => {
            let numbered = repetition.moves.iter().zip(repetition.first_ply..);
            let moves = numbered.map(|(report, ply)| LoopMove { ply, mv: report.mv.to_string(), text: report.text(wording) });
            ("repetition", moves.collect())
        }
    };
    let provisional = match ruling.verdict {
        Verdict::Provisional(result) => Some(verdict_name(Verdict::Final(result))),
        Verdict::None | Verdict::Final(_) => None,
    };
    let lines = if ruling.cause == Cause::Ongoing { Vec::new() } else { ruling.lines(wording) };
    RulingForm { verdict: verdict_name(ruling.verdict), provisional, cause, lines, moves }
}

fn read(ask: &AskRead) -> Result<Answer, RequestError> {
    let position = position_of(&ask.line)?;
    let board = *position.board();
    // The notation of the page takes precedence for a text that is a move in several notations.
    let reader = LineReader::default().with_first(ask.notation.0);
    let line = reader.read(position.clone(), &[ask.text.as_str()])?;
    let moves: Vec<Move> = line.position.moves().skip(position.plies()).collect();
    let texts = Notation::new(ask.notation.0).write_line(&board, &moves);
    let moves = moves.iter().zip(texts).map(|(mv, text)| MoveForm { mv: mv.to_string(), text }).collect();
    Ok(Answer::Read { moves })
}

/// Reads puzzles, and reports the first few errors.
fn puzzles(bytes: Vec<u8>) -> Result<Answer, RequestError> {
    const FAULTS: usize = 5;
    let (mut puzzles, mut faults) = (Vec::new(), Vec::new());
    for puzzle in puzzles::text::read(bytes) {
        match puzzle {
            Ok(puzzle) => puzzles.push(puzzle.to_json()),
            Err(fault) if faults.len() < FAULTS => faults.push(fault),
            Err(_) => {}
        }
    }
    Ok(Answer::Puzzles { puzzles, faults })
}

fn draw(ask: &AskDraw) -> Result<Saved, RequestError> {
    let (setup, last_move) = match ask.line.moves.last() {
        None => (setup_of(&ask.line)?, None),
        Some(last) => (Setup::from_position(&position_of(&ask.line)?), Move::from_uci(last).ok()),
    };
    if ask.arrows.len() > ARROWS {
        return Err(RequestError::Range { name: "arrows", asked: ask.arrows.len() as u64, min: 0, max: ARROWS as u64 });
    }
    let arrow = |(number, text): (usize, &String)| {
        let fault = |_| RequestError::Arrow { number, text: text.chars().take(20).collect() };
        Move::from_uci(text).map(|mv| (mv, ArrowKind::Better)).map_err(fault)
    };
    let diagram = Diagram {
        last_move,
        arrows: (1..).zip(&ask.arrows).map(arrow).collect::<Result<_, _>>()?,
        style: ask.pieces.0,
        flipped: ask.flipped,
        ..Diagram::new(&setup)
    };
    match ask.format {
        DrawingForm::Svg => Ok(saving::file("position.svg", "image/svg+xml", diagram.svg().as_bytes(), None)),
        #[cfg(feature = "png")]
        DrawingForm::Png => {
            /// In pixels; sharp in print and on every screen.
            const WIDTH: u32 = 1152;
            let bytes = diagram.png(WIDTH).map_err(|error| RequestError::Drawing(error.to_string()))?;
            Ok(saving::file("position.png", "image/png", &bytes, None))
        }
        #[cfg(not(feature = "png"))]
        DrawingForm::Png => Err(RequestError::Drawing("this build draws no PNG".into())),
    }
}

/// Collects every reason why a position is not legal, not just the first.
fn setup(fen: &str) -> SetupForm {
    let setup = match Setup::from_fen(fen) {
        Ok(setup) => setup,
        Err(error) => {
            let message_chinese = Some(RecordProblem::from(error.clone()).text(Language::Chinese));
            let fault = SetupFault { kind: "text", piece: None, at: None, message: error.to_string(), message_chinese };
            return SetupForm { fen: None, playable: false, searchable: false, faults: vec![fault] };
        }
    };
    let mut faults = kings(&setup);
    let mut rest = setup.clone();
    // Removing a misplaced piece reveals the next error; each iteration removes one of at most 90 pieces.
    while let Err(error) = rest.board() {
        let fault = fault_of(error);
        match error {
            SetupError::Misplaced { at, .. } | SetupError::TooMany { at, .. } => drop(rest.put(at, None)),
            SetupError::NoKing(_) | SetupError::KingsFacing { .. } | SetupError::KingCapturable { .. } => {
                faults.extend((fault.kind != "no_king").then_some(fault));
                break;
            }
        }
        // `kings` has already reported a second king, with the squares of both.
        faults.extend((fault.kind != "too_many" || !matches!(fault.piece, Some('K' | 'k'))).then_some(fault));
    }
    SetupForm { fen: Some(setup.to_fen()), playable: setup.position().is_ok(), searchable: setup.board().is_ok(), faults }
}

/// A fault for each side without exactly one king.
fn kings(setup: &Setup) -> Vec<SetupFault> {
    let fault = |color: Color| {
        let king = Piece::new(color, PieceType::King);
        let places: Vec<Square> = setup.pieces().filter(|(piece, _)| *piece == king).map(|(_, at)| at).collect();
        let (kind, message) = match places.as_slice() {
            [] => ("no_king", format!("no {color} king, expected exactly one")),
            [_] => return None,
            [first, second, ..] => ("many_kings", format!("{color} kings on {first} and {second}, expected exactly one")),
        };
        let at = places.get(1).map(ToString::to_string);
        Some(SetupFault { kind, piece: Some(king.fen_letter()), at, message, message_chinese: None })
    };
    Color::ALL.into_iter().filter_map(fault).collect()
}

fn fault_of(error: SetupError) -> SetupFault {
    let (kind, piece, at) = match error {
        SetupError::TooMany { at, piece } => ("too_many", piece, Some(at)),
        SetupError::NoKing(color) => ("no_king", Piece::new(color, PieceType::King), None),
        SetupError::Misplaced { at, piece } => ("misplaced", piece, Some(at)),
        SetupError::KingsFacing { at, color } => ("kings_facing", Piece::new(color, PieceType::King), Some(at)),
        SetupError::KingCapturable { at, color } => ("king_capturable", Piece::new(color, PieceType::King), Some(at)),
    };
    let at = at.map(|at| at.to_string());
    SetupFault { kind, piece: Some(piece.fen_letter()), at, message: error.to_string(), message_chinese: None }
}

#[cfg(test)]
mod tests {
    use super::super::host::EmptyHost;
    use super::super::message::Ask;
    use super::*;
    use serde_json::{Value, json};

    fn ask(value: Value) -> Value {
        let answer = match serde_json::from_value(value) {
            Ok(Ask::Question(question)) => answer(question, &EmptyHost),
            Ok(other) => panic!("no question: {other:?}"),
            Err(error) => Err(RequestError::from(error)),
        };
        serde_json::to_value(Answer::from(answer)).unwrap()
    }

    #[test]
    fn a_position_has_names_and_book_moves() {
        let found = &ask(json!({"position": {"line": {"moves": ["h2e2"]}, "notation": "wxr"}}))["position"];
        assert_eq!(
            (&found["side"], &found["check"], found["legal"].as_array().unwrap().len()),
            (&"black".into(), &false.into(), 45)
        );
        assert_eq!(
            found["book"][0],
            json!({"move": "h9g7", "text": "H8+7", "weight": 60, "unplayed": null, "opening": found["book"][0]["opening"]})
        );
        assert!(found["opening"]["en"].is_string() && found["searchable"] == true, "{found}");
        assert_eq!(found["ruling"]["cause"], "ongoing");
    }

    #[test]
    fn an_endgame_has_the_exact_result_of_every_move() {
        let found = |start: &str| ask(json!({"position": {"line": {"start": start}, "notation": "wxr"}}))["position"].clone();
        let endgame = &found("3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w")["endgame"];
        assert_eq!(
            (&endgame["result"], &endgame["plies"], &endgame["by_repetition"]),
            (&"win".into(), &17.into(), &false.into())
        );
        let best = json!({"move": "e1e7", "text": "R5+6", "result": "win", "plies": 17, "by_repetition": false});
        assert_eq!((&endgame["moves"][0], &endgame["moves"][1]["result"]), (&best, &"draw".into()));
        assert!(endgame["moves"][1]["plies"].is_null());
        assert!(found(crate::board::START_FEN)["endgame"].is_null());
    }

    #[test]
    fn a_repetition_is_explained_move_by_move() {
        let fen = "5k3/7R1/9/9/9/9/9/9/9/4K4 w";
        let moves: Vec<&str> = "h8h9 f9f8 h9h8 f8f9".split(' ').cycle().take(8).collect();
        let ask =
            |moves: &[&str]| ask(json!({"position": {"line": {"start": fen, "moves": moves}}}))["position"]["ruling"].clone();
        let ruling = ask(&moves);
        assert_eq!((&ruling["verdict"], &ruling["cause"]), (&"red-loses".into(), &"repetition".into()));
        assert_eq!((&ruling["moves"][0]["ply"], ruling["moves"].as_array().unwrap().len()), (&1.into(), 8));
        assert!(ruling["moves"][0]["text"].as_str().unwrap().contains("check"), "{ruling}");
        assert_eq!(ask(&moves[..4])["provisional"], "red-loses");
    }

    #[test]
    fn typed_moves_are_read_in_any_notation() {
        let read = |text: &str| ask(json!({"read": {"line": {}, "text": text, "notation": "wxf"}}));
        let moves = json!([{"move": "h2e2", "text": "C2.5"}, {"move": "h9g7", "text": "H8+7"}]);
        assert_eq!(read("炮二平五 马8进7")["read"]["moves"], moves);
        assert!(read("xyz")["error"]["message"].as_str().unwrap().contains("'xyz'"));
    }

    #[test]
    fn puzzles_are_read_from_json_and_pgn() {
        let puzzle = puzzles::builtin().next().unwrap();
        let pgn = String::from_utf8(puzzle.to_pgn(&crate::records::PgnOptions::default()).unwrap()).unwrap();
        for text in [format!("{}\n{{}}\n", puzzle.to_json()), format!("{pgn}\n[Red \"A\"]\n\n1. C2=5 *\n")] {
            let found = &ask(json!({"puzzles": {"source": {"text": text}}}))["puzzles"];
            let read: Value = serde_json::from_str(found["puzzles"][0].as_str().unwrap()).unwrap();
            let expected: Value = serde_json::from_str(&puzzle.to_json()).unwrap();
            assert_eq!((&read["solution"], &read["variations"]), (&expected["solution"], &expected["variations"]));
            assert_eq!(
                (found["puzzles"].as_array().unwrap().len(), found["faults"].as_array().unwrap().len()),
                (1, 1),
                "{found}"
            );
        }
    }

    #[test]
    fn every_fault_of_a_position_is_reported() {
        let faults = |fen: &str| setup(fen).faults.into_iter().map(|fault| (fault.kind, fault.at)).collect::<Vec<_>>();
        assert!(faults(crate::board::START_FEN).is_empty());
        let at = |text: &str| Some(text.to_string());
        assert_eq!(faults("9/9/9/9/9/9/9/9/9/A3K3A w"), [("no_king", None), ("misplaced", at("a0")), ("misplaced", at("i0"))]);
        assert_eq!(faults("3kk4/9/9/9/9/9/9/9/9/3K5 w"), [("many_kings", at("e9")), ("kings_facing", at("d9"))]);
        assert_eq!(faults("nonsense")[0].0, "text");
        let pawn = setup("3k5/9/9/9/9/9/9/9/9/P3K4 w");
        assert!(pawn.playable && !pawn.searchable && pawn.faults[0].kind == "misplaced");
    }

    #[test]
    fn drawings_are_files() {
        let drawn = ask(json!({"draw": {"line": {"moves": ["h2e2"]}, "format": "svg"}}));
        assert_eq!(drawn["saved"]["mime"], "image/svg+xml");
        for (arrows, part) in [(vec!["h2e2", "炮"], "arrow 2: '炮'"), (vec!["h2e2"; 21], "arrows 21, expected 0 to 20")] {
            let fault = &ask(json!({"draw": {"line": {}, "arrows": arrows}}))["error"]["message"];
            assert!(fault.as_str().unwrap().contains(part), "{fault}");
        }
        assert!(ask(json!({"draw": {"line": {"start": "9/9/9/9/9/9/9/9/9/9 w"}}}))["saved"]["bytes"].is_string());
    }

    #[test]
    fn unknown_names_are_rejected_with_the_known_ones() {
        let fault = |value| ask(value)["error"]["message"].as_str().unwrap_or_default().to_string();
        assert!(fault(json!({"none": {}})).contains("expected one of `position`, `read`"));
        assert!(fault(json!({"read": {"x": 1}})).contains("expected one of `line`, `text`, `notation`"));
        assert!(fault(json!({"names": {"tree": {"start": ""}, "notation": "x"}})).contains("unknown notation 'x'"));
    }
}
