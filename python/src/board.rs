//! Positions and moves.

use crate::ruling::{Ruling, rules};
use crate::{error, word};
use chuhe::board::{Level, Position};
use chuhe::notation::{self, LineReader, PositionText, SystemChoice};
use chuhe::records::Setup;
use chuhe::report::{ArrowKind, Diagram};
use chuhe::rules::Verdict;
use chuhe::types::{Color, Move, Square};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// Largest depth of `perft`; twelve plies already take weeks.
const DEEPEST: u32 = 12;
/// Depth of the parts of `perft` between which Ctrl-C is noticed: each takes some milliseconds.
const PART: u32 = 4;

/// A position with the moves that led to it. Moves are strings such as `h2e2`.
#[pyclass(module = "chuhe", from_py_object)]
#[derive(Clone)]
pub struct Board {
    pub position: Position,
}

/// Converts a move directly to a Python string, without an intermediate Rust `String`.
fn python_move<'py>(py: Python<'py>, mv: Move) -> Bound<'py, PyString> {
    let mut text = [0; 4];
    for (at, square) in [mv.from(), mv.to()].into_iter().enumerate() {
        text[2 * at] = b'a' + square.file();
        text[2 * at + 1] = b'0' + square.rank();
    }
    PyString::new(py, std::str::from_utf8(&text).unwrap_or_default())
}

/// `perft` with the GIL released, in parts.
fn count_leaves(py: Python<'_>, board: &chuhe::board::Board, depth: u32) -> PyResult<u64> {
    if depth > PART {
        return board.legal_moves().iter().map(|&mv| count_leaves(py, &board.after(mv), depth - 1)).sum();
    }
    py.check_signals()?;
    Ok(py.detach(|| board.perft(depth, false, Level::best())))
}

impl Board {
    /// Parses a legal move of this position.
    pub fn legal(&self, text: &str) -> PyResult<Move> {
        let mv = Move::from_uci(text).map_err(error)?;
        if self.position.board().is_legal(mv) {
            Ok(mv)
        } else {
            Err(error(format!("move '{mv}': not legal in {}", self.position.to_fen())))
        }
    }

    /// A reader for one notation or for all; `auto` always reads the package's own form of moves, such as `g4f4`, as such.
    pub fn reader(system: &str) -> PyResult<LineReader> {
        Ok(match word::<SystemChoice>(system)? {
            SystemChoice::Auto => LineReader::default(),
            only => LineReader::new(only),
        })
    }
}

#[pymethods]
impl Board {
    /// The position of a FEN (default: the start position), after moves played from it in any notation. Composed diagrams are accepted, as by
    /// most commands; the boards of records may contain them, and are pickled as FEN and moves.
    #[new]
    #[pyo3(signature = (fen = None, moves = Vec::new(), system = "auto"))]
    fn new(fen: Option<String>, moves: Vec<String>, system: &str) -> PyResult<Board> {
        let line = PositionText { fen, moves }.read(&Board::reader(system)?.with_diagrams()).map_err(error)?;
        Ok(Board { position: line.position })
    }

    /// The FEN of the position, including its counters.
    fn fen(&self) -> String {
        self.position.to_fen()
    }

    /// The side to move: `red` or `black`.
    #[getter]
    fn turn(&self) -> &'static str {
        if self.position.side_to_move() == Color::Red { "red" } else { "black" }
    }

    /// Plies played since the start of this game.
    #[getter]
    fn ply(&self) -> usize {
        self.position.plies()
    }

    /// The full move number of the FEN.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.position.fullmove()
    }

    /// Plies without a capture, as counted for the natural limit.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position.clock()
    }

    /// A hash key, the same for equal positions.
    #[getter]
    fn key(&self) -> u64 {
        self.position.board().key()
    }

    /// The moves played since the start of this game.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.position.moves().map(|mv| python_move(py, mv)).collect::<Vec<_>>())
    }

    /// The board at the start of this game.
    fn root(&self) -> Board {
        Board { position: self.position.initial() }
    }

    /// All legal moves.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let moves = self.position.board().legal_moves();
        PyList::new(py, moves.iter().map(|&mv| python_move(py, mv)).collect::<Vec<_>>())
    }

    /// The number of legal moves.
    fn count_legal_moves(&self) -> u32 {
        self.position.board().count_legal_moves()
    }

    /// Whether a move is legal; also false if the text is not a move.
    fn is_legal(&self, mv: &str) -> bool {
        self.legal(mv).is_ok()
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position.in_check()
    }

    /// Whether a legal move is a capture.
    fn is_capture(&self, mv: &str) -> PyResult<bool> {
        Ok(self.position.board().is_capture(self.legal(mv)?))
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: &str) -> PyResult<bool> {
        Ok(self.position.board().gives_check(self.legal(mv)?))
    }

    /// Plays a legal move.
    fn push(&mut self, mv: &str) -> PyResult<()> {
        let mv = self.legal(mv)?;
        self.position.make(mv);
        Ok(())
    }

    /// Takes the last move back and returns it.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        if self.position.plies() == 0 {
            return Err(PyIndexError::new_err("no move was played on this board"));
        }
        let mv = self.position.state().last_move;
        self.position.unmake();
        Ok(python_move(py, mv))
    }

    /// The last move, `None` at the start.
    fn peek<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        (self.position.plies() > 0).then(|| python_move(py, self.position.state().last_move))
    }

    /// Reads a move of this position in a notation; `auto` detects the notation.
    #[pyo3(signature = (text, system = "auto"))]
    fn parse<'py>(&self, py: Python<'py>, text: &str, system: &str) -> PyResult<Bound<'py, PyString>> {
        Ok(python_move(py, Board::reader(system)?.read_move(&self.position, text).map_err(error)?))
    }

    /// Plays a move given in a notation, and returns it.
    #[pyo3(signature = (text, system = "auto"))]
    fn push_text<'py>(&mut self, py: Python<'py>, text: &str, system: &str) -> PyResult<Bound<'py, PyString>> {
        let mv = Board::reader(system)?.read_move(&self.position, text).map_err(error)?;
        self.position.make(mv);
        Ok(python_move(py, mv))
    }

    /// Writes a legal move of this position in a notation.
    #[pyo3(signature = (mv, system = "chinese"))]
    fn write(&self, mv: &str, system: &str) -> PyResult<String> {
        Ok(notation::write(word(system)?, self.position.board(), self.legal(mv)?))
    }

    /// The moves played since the start of this game, in a notation.
    #[pyo3(signature = (system = "chinese"))]
    fn line(&self, system: &str) -> PyResult<Vec<String>> {
        let moves: Vec<Move> = self.position.moves().collect();
        Ok(notation::write_line(word(system)?, self.position.initial().board(), &moves))
    }

    /// The ruling on the position, with reasons.
    #[pyo3(name = "ruling", signature = (rules = "world"))]
    fn ruling_by(&self, rules: &str) -> PyResult<Ruling> {
        Ok(Ruling(self::rules(rules)?.ruling(&self.position)))
    }

    /// Whether the game is over by mate, stalemate or the rules.
    #[pyo3(signature = (rules = "world"))]
    fn is_over(&self, rules: &str) -> PyResult<bool> {
        Ok(matches!(self::rules(rules)?.ruling(&self.position).verdict, Verdict::Final(_)))
    }

    /// The FEN letter of the piece on a point, `None` if it is empty.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let square: Square = word(square)?;
        Ok(self.position.board().piece_on(square).map(|piece| piece.fen_letter()))
    }

    /// All pieces: a dictionary of points to FEN letters.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for (piece, square) in self.position.board().pieces() {
            pieces.set_item(square.to_string(), piece.fen_letter())?;
        }
        Ok(pieces)
    }

    /// The mirror image of the position, without its history.
    fn mirrored(&self) -> Board {
        let position = &self.position;
        Board { position: Position::new(position.board().mirrored(), position.clock(), position.fullmove()) }
    }

    /// The position with colours exchanged, without its history.
    fn color_flipped(&self) -> Board {
        let position = &self.position;
        Board { position: Position::new(position.board().color_flipped(), position.clock(), position.fullmove()) }
    }

    /// The English and Chinese name of the opening, from the built-in book.
    fn opening(&self) -> Option<(String, String)> {
        chuhe::book::opening_of(&self.position).map(|name| (name.english.clone(), name.chinese.clone()))
    }

    /// The number of leaf nodes of the tree of legal moves at this depth in plies.
    fn perft(slf: &Bound<'_, Board>, depth: i64) -> PyResult<u64> {
        let known = u32::try_from(depth).ok().filter(|&depth| depth <= DEEPEST);
        let depth = known.ok_or_else(|| error(format!("perft {depth}: expected 0 to {DEEPEST} plies")))?;
        // Copied because other threads may use the board meanwhile.
        let board = *slf.try_borrow()?.position.board();
        count_leaves(slf.py(), &board, depth)
    }

    /// A drawing of the board. `arrows` are pairs of a move and `better` or `played`; `style` is `characters`, `simplified` or
    /// `letters`; `edges` is `files`, `points` or `none`.
    #[pyo3(signature = (arrows = Vec::new(), style = "characters", flipped = false, edges = "files", last_move = true))]
    fn svg(&self, arrows: Vec<(String, String)>, style: &str, flipped: bool, edges: &str, last_move: bool) -> PyResult<String> {
        let setup = Setup::from_position(&self.position);
        let mut diagram = Diagram::new(&setup);
        for (mv, kind) in arrows {
            let kind = match kind.as_str() {
                "better" => ArrowKind::Better,
                "played" => ArrowKind::Played,
                _ => return Err(error(format!("unknown kind of arrow '{}', expected better or played", kind.escape_debug()))),
            };
            diagram.arrows.push((Move::from_uci(&mv).map_err(error)?, kind));
        }
        diagram.style = style.parse().map_err(error)?;
        diagram.edges = edges.parse().map_err(error)?;
        diagram.flipped = flipped;
        diagram.last_move = (last_move && self.position.plies() > 0).then(|| self.position.state().last_move);
        Ok(diagram.svg())
    }

    /// The drawing shown by notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(Vec::new(), "characters", false, "files", true)
    }

    /// An independent copy of the board and its game.
    fn copy(&self) -> Board {
        self.clone()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Board>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let board = slf.borrow();
        let start = board.position.initial().to_fen();
        let arguments = (start, board.moves(py)?, "uci").into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments))
    }

    /// Two boards are equal if their pieces and side to move are.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Board>().is_ok_and(|other| other.borrow().position.board() == self.position.board())
    }

    fn __str__(&self) -> String {
        let board = self.position.board();
        let mut text = String::new();
        for rank in (0..10).rev() {
            for file in 0..9 {
                let piece = Square::at(file, rank).and_then(|square| board.piece_on(square));
                text.push(piece.map_or('.', |piece| piece.fen_letter()));
                text.push(if file < 8 { ' ' } else { '\n' });
            }
        }
        text.pop();
        text
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.position.to_fen())
    }
}
