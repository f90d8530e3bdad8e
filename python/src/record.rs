//! Game records of all formats, as trees of moves.

use crate::board::Board;
use crate::{error, file_error, system_error, word};
use chuhe::notation;
use chuhe::records::{self, Format, NodeId, PgnOptions, RecordResult, Setup};
use chuhe::system::is_device;
use chuhe::types::{Move, counted};
use pyo3::exceptions::PyFileExistsError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// One game: tags, a start position, and a tree of moves with comments.
#[pyclass(module = "chuhe")]
pub struct Record {
    pub record: records::Record,
}

/// A node in the tree of a record: the position after a move, or the start.
#[pyclass(frozen, module = "chuhe")]
pub struct Node {
    record: Py<Record>,
    id: NodeId,
}

/// The games of a file, one after another.
#[pyclass(frozen, module = "chuhe")]
pub struct Records(Mutex<records::Records>);

/// A node of a pickled record: its depth, move, comment and annotations.
type Pickled = (usize, Option<String>, String, Vec<i64>);

/// The state of a pickled record apart from its start position: result, tags, nodes in the order of `walk`, and warnings.
type State = (String, Vec<(String, String)>, Vec<Pickled>, Vec<String>);

const DAMAGED: &str = "a pickled record is damaged";
const REMOVED: &str = "this move was removed from its record";

/// Checks the number of a PGN annotation.
fn glyph(number: i64) -> PyResult<u8> {
    u8::try_from(number).map_err(|_| error(format!("annotation {number}: expected 0 to 255")))
}

fn format(name: Option<&str>) -> PyResult<Option<Format>> {
    name.map(word).transpose()
}

/// A file, given by its path or by its contents.
#[derive(FromPyObject)]
pub enum Source {
    #[pyo3(transparent)]
    Bytes(Vec<u8>),
    #[pyo3(transparent)]
    Path(PathBuf),
}

/// The name of a player in a tag, `None` for a placeholder such as `?` or `NN`.
#[pyfunction]
pub fn _player_name(tag: &str) -> Option<String> {
    records::player_name(tag)
}

#[pymethods]
impl Records {
    /// The games of a file, given by its path or contents. By default the format is detected from name and contents.
    #[new]
    #[pyo3(signature = (source, format = None))]
    fn new(py: Python<'_>, source: Source, format: Option<&str>) -> PyResult<Records> {
        let format = self::format(format)?;
        let records = match source {
            Source::Bytes(bytes) => py.detach(|| records::Records::new(bytes, format)).map_err(error)?,
            Source::Path(path) => {
                py.detach(|| records::Records::open(&path, format)).map_err(|fault| file_error(&path, fault))?
            }
        };
        Ok(Records(Mutex::new(records)))
    }

    fn __iter__(slf: PyRef<'_, Records>) -> PyRef<'_, Records> {
        slf
    }

    /// The next game. A game that cannot be read raises, and the next call continues after it.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        let next = py.detach(|| self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next());
        next.transpose().map(|record| record.map(|record| Record { record })).map_err(error)
    }
}

impl Record {
    fn node(slf: &Bound<'_, Record>, id: NodeId) -> Node {
        Node { record: slf.clone().unbind(), id }
    }

    /// Options for text formats; the defaults are those suitable for the encoding.
    fn options(notation: Option<&str>, encoding: &str, line_ends: Option<&str>) -> PyResult<PgnOptions> {
        let defaults = PgnOptions::default().in_encoding(word(encoding)?);
        let asked = notation.map(word::<notation::System>).transpose()?;
        if let Some(system) = asked.filter(|system| system.pgn().is_none()) {
            let expected: Vec<&str> = notation::System::all_of_pgn().map(notation::System::id).collect();
            return Err(error(format!("notation '{system}': not used in records, expected {}", expected.join(", "))));
        }
        Ok(PgnOptions {
            notation: asked.unwrap_or(defaults.notation),
            line_ends: line_ends.map_or(Ok(defaults.line_ends), word)?,
            ..defaults
        })
    }
}

#[pymethods]
impl Record {
    /// A record without moves, from the position of a FEN (default: the start position).
    #[new]
    #[pyo3(signature = (fen = None))]
    fn new(fen: Option<&str>) -> PyResult<Record> {
        let setup = match fen {
            Some(fen) => Setup::from_fen(fen).map_err(error)?,
            None => Setup::standard(),
        };
        Ok(Record { record: records::Record::new(setup) })
    }

    /// The start position as FEN.
    #[getter]
    fn fen(&self) -> String {
        self.record.start.to_fen()
    }

    /// Tags by name, in the order of the file.
    #[getter]
    fn tags(&self) -> Vec<(String, String)> {
        self.record.tags().map(|(name, value)| (name.into(), value.into())).collect()
    }

    /// The value of a tag.
    fn tag(&self, name: &str) -> Option<String> {
        self.record.tag(name).map(Into::into)
    }

    /// Sets a tag. The result is the attribute `result`, and the start position is given to the constructor: as tags they would be lost when
    /// the record is written.
    fn set_tag(&mut self, name: &str, value: String) -> PyResult<()> {
        let other = [("Result", "the attribute result"), ("FEN", "Record(fen)")];
        if let Some((tag, expected)) = other.into_iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            return Err(error(format!("tag {tag}: not stored as a tag, expected {expected}")));
        }
        self.record.set_tag(name, value);
        Ok(())
    }

    /// Removes all tags of a name, and returns whether there were any.
    fn remove_tag(&mut self, name: &str) -> bool {
        self.record.remove_tag(name)
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.result.token()
    }

    #[setter]
    fn set_result(&mut self, token: &str) -> PyResult<()> {
        self.record.result = RecordResult::from_token(token)
            .ok_or_else(|| error(format!("result '{}', expected 1-0, 0-1, 1/2-1/2 or *", token.escape_debug())))?;
        Ok(())
    }

    /// Warnings about errors in the file, one line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.record.warnings()
    }

    /// Plies of the main line.
    #[getter]
    fn plies(&self) -> usize {
        self.record.plies()
    }

    /// The moves of the main line in a notation.
    #[pyo3(signature = (system = "uci"))]
    fn moves(&self, system: &str) -> PyResult<Vec<String>> {
        let system = word(system)?;
        let moves: Vec<Move> = self.record.moves().collect();
        // Libraries hold empty boards under the headings of their chapters.
        if moves.is_empty() {
            return Ok(Vec::new());
        }
        let start = self.record.start.diagram_board().map_err(error)?;
        Ok(notation::write_line(system, &start, &moves))
    }

    /// The board after this many plies of the main line (default: at its end).
    #[pyo3(signature = (ply = None))]
    fn board(&self, ply: Option<i64>) -> PyResult<Board> {
        let record = &self.record;
        let node = match ply {
            Some(0) => Some(record.root()),
            // A negative number is an error like one that is too large.
            Some(ply) => usize::try_from(ply).ok().and_then(|ply| record.main_line().nth(ply - 1)),
            None => Some(record.main_line().last().unwrap_or(record.root())),
        };
        let node = node.ok_or_else(|| error(format!("ply {}: the main line has {}", ply.unwrap_or(0), record.plies())))?;
        Ok(Board { position: record.position(node).map_err(error)? })
    }

    /// The start of the tree.
    #[getter]
    fn root(slf: &Bound<'_, Record>) -> PyResult<Node> {
        let id = slf.try_borrow()?.record.root();
        Ok(Record::node(slf, id))
    }

    /// The nodes of the main line, without the start.
    fn main_line(slf: &Bound<'_, Record>) -> PyResult<Vec<Node>> {
        let ids: Vec<NodeId> = slf.try_borrow()?.record.main_line().collect();
        Ok(ids.into_iter().map(|id| Record::node(slf, id)).collect())
    }

    /// The nodes of the main line, without the start.
    fn __iter__<'py>(slf: &Bound<'py, Record>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(slf.py(), Record::main_line(slf)?)?.try_iter()
    }

    /// Every node with its depth, beginning with the start at depth 0; variations follow the move that they replace.
    fn walk(slf: &Bound<'_, Record>) -> PyResult<Vec<(usize, Node)>> {
        let ids: Vec<(usize, NodeId)> = slf.try_borrow()?.record.walk().collect();
        Ok(ids.into_iter().map(|(depth, id)| (depth, Record::node(slf, id))).collect())
    }

    /// The record in a format, and a description of what the format cannot store; empty if nothing is lost.
    #[pyo3(signature = (format = "pgn", notation = None, encoding = "utf-8", line_ends = None))]
    fn to_bytes(
        &self,
        format: &str,
        notation: Option<&str>,
        encoding: &str,
        line_ends: Option<&str>,
    ) -> PyResult<(Vec<u8>, String)> {
        let options = Record::options(notation, encoding, line_ends)?;
        let (bytes, losses) = records::write(&self.record, word(format)?, &options).map_err(error)?;
        Ok((bytes, losses.to_string()))
    }

    /// Writes the record to a file, by default in the format of its extension, and returns a description of what is lost. An existing file is
    /// replaced only with `overwrite`, and atomically; it keeps its permissions, and a link stays a link.
    #[pyo3(signature = (path, format = None, notation = None, encoding = "utf-8", line_ends = None, overwrite = false))]
    #[allow(clippy::too_many_arguments)]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        notation: Option<&str>,
        encoding: &str,
        line_ends: Option<&str>,
        overwrite: bool,
    ) -> PyResult<String> {
        let format = match self::format(format)?.or_else(|| Format::of_path(&path)) {
            Some(format) => format,
            None => {
                let expected = format!("the extension names no format, expected {}, or format", Format::written_ids());
                return Err(error(format!("{}: {expected}", path.display())));
            }
        };
        let options = Record::options(notation, encoding, line_ends)?;
        let (bytes, losses) = records::write(&self.record, format, &options).map_err(error)?;
        let failed = |fault: std::io::Error| system_error(&path, &fault);
        if is_device(&path) {
            let write = || File::options().write(true).open(&path)?.write_all(&bytes);
            return py.detach(write).map(|()| losses.to_string()).map_err(failed);
        }
        // A link stays, and its target is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.clone());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
        let mut builder = tempfile::Builder::new();
        // The usual permissions of a new file, instead of the private ones of a temporary file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder).map_err(failed)?;
        // Only if they differ: where all files have the same, as on FAT, the system may refuse to set them.
        if let Ok(data) = target.metadata()
            && data.is_file()
            && file.as_file().metadata().map_err(failed)?.permissions() != data.permissions()
        {
            file.as_file().set_permissions(data.permissions()).map_err(failed)?;
        }
        file.write_all(&bytes).map_err(failed)?;
        // Otherwise a power failure could leave an empty file in place of the old one.
        file.as_file().sync_all().map_err(failed)?;
        let placed = if overwrite { file.persist(&target) } else { file.persist_noclobber(&target) };
        match placed {
            Ok(_) => Ok(losses.to_string()),
            Err(fault) if fault.error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(PyFileExistsError::new_err((17, "exists already, expected overwrite=True", path.into_os_string())))
            }
            Err(fault) => Err(system_error(&path, &fault.error)),
        }
    }

    /// An independent copy of the record. Existing nodes still belong to the original.
    fn copy(&self) -> Record {
        Record { record: self.record.clone() }
    }

    fn __copy__(&self) -> Record {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Record {
        self.copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Record>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>, State)> {
        let record = &slf.try_borrow()?.record;
        let state = |depth, id| {
            let mv = record.mv(id).map(|mv| mv.to_string());
            (depth, mv, record.comment(id).to_string(), record.glyphs(id).iter().map(|&glyph| glyph.into()).collect())
        };
        let tags = record.tags().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let nodes = record.walk().map(|(depth, id)| state(depth, id)).collect();
        let start = (record.start.to_fen(),).into_pyobject(slf.py())?;
        Ok((slf.get_type().into_any(), start, (record.result.token().into(), tags, nodes, record.warnings())))
    }

    /// Restores the state returned by `__reduce__` into a new record with the same start position.
    fn __setstate__(&mut self, state: State) -> PyResult<()> {
        let (result, tags, nodes, warnings) = state;
        let mut record = records::Record::new(self.record.start.clone());
        record.result = RecordResult::from_token(&result).ok_or_else(|| error(DAMAGED))?;
        tags.iter().for_each(|(name, value)| record.add_tag(name, value));
        // The line from the start to the last node read.
        let mut line = vec![record.root()];
        for (depth, mv, comment, glyphs) in nodes {
            let id = match mv {
                Some(mv) => {
                    let parent = depth.checked_sub(1).and_then(|depth| line.get(depth)).ok_or_else(|| error(DAMAGED))?;
                    record.add(*parent, Move::from_uci(&mv).map_err(error)?).map_err(error)?
                }
                None => record.root(),
            };
            line.truncate(depth);
            line.push(id);
            record.append_comment(id, &comment);
            record.set_glyphs(id, &glyphs.into_iter().map(glyph).collect::<PyResult<Vec<u8>>>()?);
        }
        warnings.into_iter().for_each(|warning| record.warn(warning));
        self.record = record;
        Ok(())
    }

    /// Two records are equal if their tags, start, result, moves, comments and annotations are.
    fn __eq__(slf: &Bound<'_, Record>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Record>() else { return Ok(false) };
        Ok(slf.try_borrow()?.record == other.try_borrow()?.record)
    }

    fn __repr__(&self) -> String {
        let player = |name| self.record.tag(name).unwrap_or("?").to_string();
        format!(
            "Record('{}' - '{}', {}, {})",
            player("Red"),
            player("Black"),
            counted(self.record.plies(), "ply"),
            self.record.result.token()
        )
    }
}

impl Node {
    /// Borrows the record; fails if this move was removed from it.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<PyRef<'py, Record>> {
        let record = self.record.bind(py).try_borrow()?;
        if record.record.contains(self.id) { Ok(record) } else { Err(error(REMOVED)) }
    }

    /// Borrows the record mutably; fails if this move was removed from it.
    fn write<'py>(&self, py: Python<'py>) -> PyResult<PyRefMut<'py, Record>> {
        let record = self.record.bind(py).try_borrow_mut()?;
        if record.record.contains(self.id) { Ok(record) } else { Err(error(REMOVED)) }
    }

    /// Another node of the same record.
    fn other(&self, py: Python<'_>, id: NodeId) -> Node {
        Node { record: self.record.clone_ref(py), id }
    }
}

#[pymethods]
impl Node {
    /// The node at an index in the `walk` of a record; 0 is the start.
    #[new]
    fn new(record: Bound<'_, Record>, place: usize) -> PyResult<Node> {
        let (found, moves) = {
            let tree = &record.try_borrow()?.record;
            (tree.walk().nth(place), tree.moves_in_tree())
        };
        let (_, id) = found.ok_or_else(|| error(format!("node {place}: the record has {}", counted(moves, "move"))))?;
        Ok(Record::node(&record, id))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Node>) -> PyResult<Bound<'py, PyTuple>> {
        let node = slf.get();
        let place = node.read(slf.py())?.record.walk().position(|(_, id)| id == node.id).ok_or_else(|| error(REMOVED))?;
        (slf.get_type(), (node.record.clone_ref(slf.py()), place)).into_pyobject(slf.py())
    }

    /// The following nodes, by the first move of each, up to the end of the line.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let ids: Vec<NodeId> = {
            let record = &self.read(py)?.record;
            std::iter::successors(record.next(self.id), |&id| record.next(id)).collect()
        };
        PyList::new(py, ids.into_iter().map(|id| self.other(py, id)))?.try_iter()
    }

    /// The move that leads here, `None` at the start.
    #[getter]
    fn mv(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.read(py)?.record.mv(self.id).map(|mv| mv.to_string()))
    }

    /// The move in a notation, `None` at the start.
    #[pyo3(signature = (system = "chinese"))]
    fn text(&self, py: Python<'_>, system: &str) -> PyResult<Option<String>> {
        let record = &self.read(py)?.record;
        let (Some(mv), Some(parent)) = (record.mv(self.id), record.parent(self.id)) else { return Ok(None) };
        let before = record.position(parent).map_err(error)?;
        Ok(Some(notation::write(word(system)?, before.board(), mv)))
    }

    /// The record to which the node belongs.
    #[getter]
    fn record(&self, py: Python<'_>) -> Py<Record> {
        self.record.clone_ref(py)
    }

    /// Whether the move was removed from its record. All other operations on such a node raise.
    #[getter]
    fn is_removed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(!self.record.bind(py).try_borrow()?.record.contains(self.id))
    }

    /// The preceding node, `None` at the start.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Node>> {
        Ok(self.read(py)?.record.parent(self.id).map(|id| self.other(py, id)))
    }

    /// The node after the first move from here, `None` at the end of a line.
    #[getter]
    fn next(&self, py: Python<'_>) -> PyResult<Option<Node>> {
        Ok(self.read(py)?.record.next(self.id).map(|id| self.other(py, id)))
    }

    /// The nodes after each move from here, the main move first.
    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Node>> {
        let ids: Vec<NodeId> = self.read(py)?.record.children(self.id).collect();
        Ok(ids.into_iter().map(|id| self.other(py, id)).collect())
    }

    /// The comment, or an empty string. Setting it replaces the old one.
    #[getter]
    fn comment(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.read(py)?.record.comment(self.id).into())
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.write(py)?.record.set_comment(self.id, text);
        Ok(())
    }

    /// Appends to the comment.
    fn add_comment(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.write(py)?.record.append_comment(self.id, text);
        Ok(())
    }

    /// PGN annotation numbers (NAGs), at most four. Setting them replaces the old ones.
    #[getter]
    fn glyphs(&self, py: Python<'_>) -> PyResult<Vec<u16>> {
        Ok(self.read(py)?.record.glyphs(self.id).iter().map(|&glyph| glyph.into()).collect())
    }

    #[setter]
    fn set_glyphs(&self, py: Python<'_>, glyphs: Vec<i64>) -> PyResult<()> {
        let glyphs = glyphs.into_iter().map(self::glyph).collect::<PyResult<Vec<u8>>>()?;
        self.write(py)?.record.set_glyphs(self.id, &glyphs);
        Ok(())
    }

    /// Adds an annotation number; beyond the fourth it becomes part of the comment.
    fn add_glyph(&self, py: Python<'_>, glyph: i64) -> PyResult<()> {
        let glyph = self::glyph(glyph)?;
        self.write(py)?.record.add_glyph(self.id, glyph);
        Ok(())
    }

    /// The board at this node.
    fn board(&self, py: Python<'_>) -> PyResult<Board> {
        Ok(Board { position: self.read(py)?.record.position(self.id).map_err(error)? })
    }

    /// Adds a move in any notation after this node, and returns its node, which may already exist.
    #[pyo3(signature = (text, system = "auto"))]
    fn add(&self, py: Python<'_>, text: &str, system: &str) -> PyResult<Node> {
        let position = self.board(py)?.position;
        let mv = Board::reader(system)?.read_move(&position, text).map_err(error)?;
        let record = &mut self.write(py)?.record;
        let known = record.children(self.id).find(|&child| record.mv(child) == Some(mv));
        let id = match known {
            Some(id) => id,
            None => record.add(self.id, mv).map_err(error)?,
        };
        Ok(self.other(py, id))
    }

    /// Removes this move and everything after it from the record, and returns the number of removed moves. At the start, all moves are
    /// removed.
    fn remove(&self, py: Python<'_>) -> PyResult<usize> {
        let record = &mut self.write(py)?.record;
        if self.id != record.root() {
            return Ok(record.remove(self.id));
        }
        let children: Vec<NodeId> = record.children(self.id).collect();
        Ok(children.into_iter().map(|child| record.remove(child)).sum())
    }

    /// Moves this variation one place towards the main line; false if it is already the first.
    fn promote(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.write(py)?.record.promote(self.id))
    }

    /// Moves this variation one place away from the main line; false if it is already the last.
    fn demote(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.write(py)?.record.demote(self.id))
    }

    /// Makes the line from the start to this node the main line.
    fn promote_to_main(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py)?.record.promote_to_main(self.id);
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| other.get().id == self.id && other.get().record.is(&self.record))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        (self.record.as_ptr() as usize, self.id).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let record = &self.record.bind(py).try_borrow()?.record;
        Ok(match record.mv(self.id) {
            Some(mv) => format!("Node('{mv}')"),
            None if self.id == record.root() => "Node(start)".into(),
            None => "Node(removed)".into(),
        })
    }
}
