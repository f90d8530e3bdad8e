//! Finds puzzles in games and writes them as they are found.

use super::output::{PuzzleFile, State, combined, complete, state_path};
use super::{Interrupt, Puzzles};
use crate::commands::Failure;
use crate::commands::analyze::{Item, read_all};
use crate::commands::inputs::expand;
use crate::commands::output::{Output, note};
use crate::commands::pipeline::in_order;
use crate::commands::progress;
use crate::puzzles::{Finder, Game, Puzzle, Source};
use crate::types::{Color, counted};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The result of a game or line.
enum Done {
    /// The puzzles, and the warnings of the reader.
    Puzzles(Vec<Puzzle>, Vec<String>),
    Fault(String),
}

/// The CRC-32 of a game or line: its place in the file, its start and its moves. The name of the file may change.
fn crc_of(input: &Input) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    if let Ok((game, _)) = input {
        crc.update(format!("{} {} {}", game.source.game, game.source.ply, game.start.to_fen()).as_bytes());
        game.moves.iter().for_each(|mv| crc.update(mv.to_string().as_bytes()));
    }
    crc.finalize()
}

/// A game or line, and the warnings of the reader, or its error.
type Input = Result<(Game, Vec<String>), String>;

pub fn run(arguments: &Puzzles) -> Result<(), Failure> {
    let Some(path) = &arguments.output else { return Err(Failure::Usage("-o: expected a file to write".into())) };
    let state = state_path(path);
    if arguments.resume
        && let Some(puzzles) = complete(path)?
    {
        note(format_args!("{}: is complete, expected an interrupted run to resume; nothing is read", path.display()));
        let mut output = Output::new();
        writeln!(output, "puzzles {puzzles}")?;
        return output.finish();
    }
    let named = expand(&arguments.files, arguments.from_format.is_some(), &[path, &state]);
    let inputs: Vec<PathBuf> = named.iter().flatten().chain(&arguments.files).cloned().collect();
    let network = crate::nnue::Network::builtin_name();
    let new = State::new(arguments.nodes(), arguments.hash(), network);
    let mut file = PuzzleFile::open(path, new, arguments.resume, &inputs, arguments.force)?;
    let interrupt = Interrupt::listen();
    let (bar, done) = (progress::count("games"), file.done());
    bar.set_position(done as u64);
    let read = Arc::new(AtomicUsize::new(0));
    let is_other = Arc::new(AtomicBool::new(false));
    let (format, count, differs, expected) = (arguments.from_format, Arc::clone(&read), Arc::clone(&is_other), file.inputs());
    let produce = move |give: &mut dyn FnMut((u32, Input)) -> bool| {
        let mut inputs = 0;
        read_all(&named, format, &mut |item| {
            let Some(item) = game_of(item) else { return true };
            let crc = crc_of(&item);
            // Items of an earlier run are skipped.
            let number = count.fetch_add(1, Ordering::SeqCst) + 1;
            if number > done {
                return give((crc, item));
            }
            inputs = combined(inputs, crc);
            differs.store(number == done && expected.is_some_and(|expected| expected != inputs), Ordering::SeqCst);
            !differs.load(Ordering::SeqCst)
        });
    };
    let worker = || {
        let mut finder = Finder::new(arguments.nodes(), arguments.hash());
        interrupt.controls.lock().push(finder.control());
        let interrupt = interrupt.clone();
        move |(crc, game): (u32, Input)| match game {
            Ok(_) if interrupt.is_stopped() => None,
            Ok((game, warnings)) => {
                finder.find(&game, &|| interrupt.is_stopped()).map(|puzzles| (crc, Done::Puzzles(puzzles, warnings)))
            }
            Err(fault) => Some((crc, Done::Fault(fault))),
        }
    };
    let is_complete = in_order(arguments.jobs as usize, &interrupt.stopped, produce, worker, |(crc, result)| {
        match result {
            Done::Puzzles(puzzles, warnings) => {
                warnings.iter().for_each(|warning| bar.suspend(|| note(warning)));
                file.add(crc, &puzzles)?;
            }
            Done::Fault(fault) => {
                bar.suspend(|| note(&fault));
                file.skip(crc, fault);
            }
        }
        bar.inc(1);
        bar.set_message(format!(", {}", counted(file.puzzles, "puzzle")));
        Ok(())
    })?;
    bar.finish_and_clear();
    if !is_complete {
        return interrupted(file, path);
    }
    check_games(path, is_other.load(Ordering::SeqCst), read.load(Ordering::SeqCst), done)?;
    finish(file)
}

/// Whether the first `done` of the games that were read are those of the interrupted run.
fn check_games(path: &Path, is_other: bool, read: usize, done: usize) -> Result<(), Failure> {
    if is_other {
        return Err(format!("{}: was begun with other games, expected the same files in the same order", path.display()).into());
    }
    if read < done {
        return Err(format!(
            "{}: was begun with {}, now there are {read}, expected the same files",
            path.display(),
            counted(done, "game")
        )
        .into());
    }
    Ok(())
}

/// Stores the progress of an interrupted run, and says how to continue it.
fn interrupted(mut file: PuzzleFile, path: &Path) -> Result<(), Failure> {
    file.save()?;
    let (games, path) = (file.done(), path.display());
    Err(match file.is_begun {
        true => format!("interrupted after {}, continue with --resume and the same arguments: {path}", counted(games, "game")),
        false => format!("interrupted before the first game: {path} is not written"),
    }
    .into())
}

/// Completes the file and prints the summary.
fn finish(file: PuzzleFile) -> Result<(), Failure> {
    let (faults, first_fault) = file.faults();
    // Unreadable inputs are not counted as games.
    let summary = format!("games {} puzzles {}", file.done() - faults, file.puzzles);
    // The file is complete even if the summary cannot be printed.
    file.finish(first_fault.is_none())?;
    let mut output = Output::new();
    writeln!(output, "{summary}")?;
    output.finish()?;
    match first_fault {
        Some(first) => Err(format!("{} failed, the first: {first}", counted(faults, "input")).into()),
        None => Ok(()),
    }
}

/// The game or line of an item, or its error; none for the positions of a game, which follow as a whole with its end.
fn game_of(item: Item) -> Option<Input> {
    match item {
        Item::Fault { origin, error } => Some(Err(format!("{origin}: {error}"))),
        Item::Position { origin, .. } if origin.game.is_some() => None,
        Item::Position { origin, position } => {
            let warnings = origin.warnings.iter().map(|warning| format!("{origin}: {warning}")).collect();
            let source = Source { file: origin.file, game: origin.line.unwrap_or(1), ply: position.plies(), ..Source::default() };
            Some(Ok((Game { source, start: *position.board(), moves: Vec::new() }, warnings)))
        }
        Item::GameEnd { origin, record } => {
            let warnings = record.warnings().iter().map(|warning| format!("{origin}: {warning}")).collect();
            let [red, black] = [Color::Red, Color::Black].map(|side| record.player(side).unwrap_or_default());
            let source = Source { file: origin.file, game: origin.game.unwrap_or(1), ply: 0, red, black };
            let start = record.position(record.root()).ok()?;
            Some(Ok((Game { source, start: *start.board(), moves: record.moves().collect() }, warnings)))
        }
    }
}
