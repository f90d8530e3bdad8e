//! `chuhe diagram`: draws a position as SVG or PNG.

use super::Failure;
use super::files::{Force, Sink, is_standard_stream};
use super::output::note;
use super::values::one_of;
use crate::board::{Position, SetupError};
use crate::notation::{LineReader, ReadError, System, SystemChoice};
use crate::records::{Records, Setup};
use crate::report::{ArrowKind, Diagram as Drawing, Edges, PieceStyle};
use crate::types::{Color, Move, Piece, PieceType, Square, counted};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `chuhe diagram`.
#[derive(Args, Debug)]
pub struct Diagram {
    /// Position to draw, legal or not (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// Game record to take the position from
    #[arg(long, conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// Number of the game in the file, from 1
    #[arg(long, requires = "file", conflicts_with = "fen", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Number of plies to play, 0 for the start of the game (default: all)
    #[arg(long, requires = "file", conflicts_with = "fen")]
    ply: Option<usize>,
    /// Moves played from the position, in any notation; the last one is marked
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Move to mark as the last one without playing it, in any notation
    #[arg(long, conflicts_with = "moves", value_name = "MOVE")]
    last_move: Option<String>,
    /// Moves to draw as solid arrows, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    arrow: Vec<String>,
    /// Moves to draw as dashed arrows, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    dashed_arrow: Vec<String>,
    /// Notation of the moves, or auto (default: UCI coordinates, otherwise detected)
    #[arg(long, value_name = "SYS", value_parser = one_of::<SystemChoice>(SystemChoice::ids()))]
    from: Option<SystemChoice>,
    /// Piece style
    #[arg(long, default_value_t, value_parser = one_of::<PieceStyle>(PieceStyle::NAMES))]
    pieces: PieceStyle,
    /// Put Black's side at the bottom
    #[arg(long)]
    flip: bool,
    /// Labels along the edges: the files as players count them (一 to 九 at Red's edge, 1 to 9 at Black's), or the points a0 to i9
    #[arg(long, default_value_t, value_parser = one_of::<Edges>(Edges::NAMES))]
    edges: Edges,
    /// No labels along the edges
    #[arg(long, conflicts_with = "edges")]
    no_coordinates: bool,
    /// File to write, .svg or .png; `-` writes SVG to standard output
    #[arg(short, long)]
    output: PathBuf,
    /// Width of a PNG in pixels (default: 1152)
    #[arg(long, value_parser = clap::value_parser!(u32).range(16..=16_384))]
    width: Option<u32>,
    #[command(flatten)]
    force: Force,
}

/// An image format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

impl Type {
    fn of(path: &Path) -> Result<Type, Failure> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match extension.as_str() {
            _ if is_standard_stream(path) => Ok(Type::Svg),
            "svg" => Ok(Type::Svg),
            #[cfg(feature = "png")]
            "png" => Ok(Type::Png),
            _ => {
                let known = if cfg!(feature = "png") { ".svg or .png" } else { ".svg" };
                Err(format!("{}: drawings of this type are not written, expected {known}", path.display()).into())
            }
        }
    }
}

/// The position to draw, with the last move if one was played.
struct Scene {
    setup: Setup,
    last_move: Option<Move>,
}

impl Diagram {
    pub(super) fn run(self) -> Result<(), Failure> {
        let kind = Type::of(&self.output)?;
        if kind == Type::Svg && self.width.is_some() {
            return Err(Failure::Usage("--width: only for PNG, expected an output that ends with .png".into()));
        }
        let mut scene = self.scene()?;
        if !self.moves.is_empty() {
            let start = scene.setup.position().map_err(Failure::at("--moves"))?;
            let line = self.reader().read(start, &super::without_result(&self.moves)).map_err(Failure::at("--moves"))?;
            scene = Scene { setup: Setup::from_position(&line.position), last_move: line.position.moves().last() };
        }
        if let Some(text) = &self.last_move {
            scene.last_move = Some(self.read_last_move(&scene.setup, text)?);
        }
        let mut arrows = self.arrows("--arrow", &scene.setup, &self.arrow, ArrowKind::Better)?;
        arrows.extend(self.arrows("--dashed-arrow", &scene.setup, &self.dashed_arrow, ArrowKind::Played)?);
        let drawing = Drawing {
            setup: &scene.setup,
            last_move: scene.last_move,
            arrows,
            style: self.pieces,
            flipped: self.flip,
            edges: if self.no_coordinates { Edges::None } else { self.edges },
        };
        let bytes = match kind {
            Type::Svg => drawing.svg().into_bytes(),
            #[cfg(feature = "png")]
            Type::Png => drawing.png(self.width.unwrap_or(1152)).map_err(Failure::at(self.output.display()))?,
        };
        let inputs: Vec<PathBuf> = self.file.iter().cloned().collect();
        let mut sink = Sink::open(&self.output, &inputs, self.force)?;
        sink.bytes(&bytes)?;
        sink.finish()
    }

    /// The position given by `--fen` or `--file`.
    fn scene(&self) -> Result<Scene, Failure> {
        let Some(path) = &self.file else {
            let setup = match &self.fen {
                None => Setup::standard(),
                Some(fen) => Setup::from_fen(fen).map_err(Failure::at("--fen"))?,
            };
            return Ok(Scene { setup, last_move: None });
        };
        let place = format!("{}: game {}", path.display(), self.game);
        let mut games = 0;
        for record in Records::open(path, None)? {
            games += 1;
            if games < self.game {
                continue;
            }
            let record = record.map_err(|error| format!("{}: {error}", path.display()))?;
            let plies = record.plies();
            let ply = self.ply.unwrap_or(plies);
            if let Some(fault) = record.main_line_fault().filter(|_| self.ply.is_none()) {
                note(format_args!("{place}: {fault}"));
            }
            if ply > plies {
                let fault = record.main_line_fault().map(|fault| format!("; {fault}")).unwrap_or_default();
                return Err(format!("{place}: has {}, expected --ply 0 to {plies}{fault}", counted(plies, "ply")).into());
            }
            if ply == 0 {
                return Ok(Scene { setup: record.start.clone(), last_move: None });
            }
            let node = record.main_line().nth(ply - 1).unwrap_or(record.root());
            let position: Position = record.position(node).map_err(|error| format!("{place}: {error}"))?;
            return Ok(Scene { setup: Setup::from_position(&position), last_move: record.mv(node) });
        }
        if games == 0 {
            return Err(Failure::at(path.display())("no game in the file"));
        }
        Err(format!("{place}: the file has {}, expected --game 1 to {games}", counted(games, "game")).into())
    }

    fn reader(&self) -> LineReader {
        self.from.map_or_else(LineReader::default, LineReader::new).with_diagrams()
    }

    /// Parses a move given as two points, which may be drawn even if it is illegal.
    fn read_points(&self, text: &str) -> Option<Move> {
        let are_points = matches!(self.from, None | Some(SystemChoice::Auto | SystemChoice::Only(System::Uci | System::Iccs)));
        Move::from_uci(&text.replacen('-', "", 1)).ok().filter(|_| are_points)
    }

    /// Parses the move to mark: one that can have led to the position, otherwise one that is legal in it.
    fn read_last_move(&self, setup: &Setup, text: &str) -> Result<Move, Failure> {
        const OPTION: &str = "--last-move";
        if let Some(mv) = self.read_points(text) {
            return Ok(mv);
        }
        for mover in [!setup.side, setup.side] {
            match self.origins(setup, mover, text)[..] {
                [] => {}
                [mv] => return Ok(mv),
                [one, other, ..] => {
                    let fault = format!("'{}' can be {one} or {other}, expected one of these", text.escape_debug());
                    return Err(Failure::at(OPTION)(fault));
                }
            }
        }
        self.read_arrow(setup, text).map_err(Failure::at(OPTION))
    }

    /// The moves of a side that match the text and can have led to this position: those without a capture, or else those with one, since a
    /// cannon captures where it could not move.
    fn origins(&self, setup: &Setup, mover: Color, text: &str) -> Vec<Move> {
        let reader = self.reader();
        let fits = |mv: &Move, captured: Option<Piece>| {
            let mut before = of_side(setup, mover);
            let piece = before.put(mv.to(), captured);
            before.put(mv.from(), piece);
            before.position().is_ok_and(|position| reader.read_move(&position, text).as_ref() == Ok(mv))
        };
        let is_movers = |square: &Square| setup.piece_on(*square).is_some_and(|piece| piece.color() == mover);
        let is_empty = |square: &Square| setup.piece_on(*square).is_none();
        let moves: Vec<Move> = Square::all()
            .filter(is_movers)
            .flat_map(|to| Square::all().filter(is_empty).map(move |from| Move::new(from, to)))
            .collect();
        let quiet: Vec<Move> = moves.iter().copied().filter(|mv| fits(mv, None)).collect();
        if !quiet.is_empty() {
            return quiet;
        }
        let kinds = || PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::King);
        moves.into_iter().filter(|mv| kinds().any(|kind| fits(mv, Some(Piece::new(!mover, kind))))).collect()
    }

    /// Parses the move of an arrow. Arrows may show illegal moves given as two points, and moves of either side.
    fn read_arrow(&self, setup: &Setup, text: &str) -> Result<Move, ArrowError> {
        if let Some(mv) = self.read_points(text) {
            return Ok(mv);
        }
        let reader = self.reader();
        let own = reader.read_move(&setup.position()?, text);
        let other = || of_side(setup, !setup.side).position().ok().and_then(|position| reader.read_move(&position, text).ok());
        Ok(own.or_else(|error| other().ok_or(error))?)
    }

    fn arrows(&self, option: &str, setup: &Setup, texts: &[String], kind: ArrowKind) -> Result<Vec<(Move, ArrowKind)>, Failure> {
        let read = |text: &String| self.read_arrow(setup, text).map(|mv| (mv, kind)).map_err(Failure::at(option));
        texts.iter().map(read).collect()
    }
}

/// The setup with the given side to move.
fn of_side(setup: &Setup, side: Color) -> Setup {
    let mut setup = setup.clone();
    setup.side = side;
    setup
}

/// The reason a move cannot be drawn.
#[derive(Debug, thiserror::Error)]
enum ArrowError {
    /// The setup is not a position with legal moves, so only two points can be parsed.
    #[error("only two points such as h2e2 can be read as a move, since the position is invalid: {0}")]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Move(#[from] ReadError),
}
