//! Training on the terminal: the user types moves, the program replies with the longest defence.

use super::Puzzles;
use super::output::read;
use crate::board::Position;
use crate::commands::Failure;
use crate::commands::output::{Output, note};
use crate::commands::play::board::{Look, draw};
use crate::commands::play::input::{Event, Input};
use crate::commands::play::name;
use crate::notation::{self, LineReader, System};
use crate::puzzles::{Puzzle, builtin};
use crate::records::NodeId;
use crate::types::{Color, Move, counted};
use std::collections::VecDeque;
use std::sync::Arc;

/// The help text.
const HELP: &str = "A move in any notation (h2e2, C2=5, 炮二平五), or
  hint             show the piece to move, then the move
  solution         show the main line; the puzzle will be repeated
  next             skip to another puzzle; this one will be repeated
  board            draw the board again
  flip             turn the board
  help             show this list
  quit             end the program";

/// Number of other puzzles before a failed one is repeated.
const PAUSE: usize = 5;

/// How a puzzle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Solved without help or a wrong move.
    Clean,
    /// Solved with help or after a wrong move, or given up.
    Failed,
    /// The user quit.
    Quit,
}

/// A puzzle being solved.
struct Attempt<'a> {
    puzzle: &'a Puzzle,
    position: Position,
    node: NodeId,
    hints: u32,
    is_clean: bool,
}

struct Trainer {
    look: Look,
    notation: System,
    output: Output,
    input: Input,
}

pub fn run(arguments: &Puzzles) -> Result<(), Failure> {
    let mut queue: VecDeque<Puzzle> = VecDeque::new();
    let (lowest, highest) = (arguments.min_rating.unwrap_or(0), arguments.max_rating.unwrap_or(u16::MAX));
    let is_wanted = |puzzle: &Puzzle| {
        (lowest..=highest).contains(&puzzle.rating) && arguments.tag.is_none_or(|tag| puzzle.themes.contains(&tag))
    };
    for path in &arguments.files {
        read(path, &mut |puzzle| {
            match puzzle {
                Ok(puzzle) => queue.extend(Some(puzzle).filter(is_wanted)),
                Err(fault) => note(format_args!("{}: {fault}", path.display())),
            }
            Ok(())
        })?;
    }
    if arguments.files.is_empty() {
        queue.extend(builtin().filter(is_wanted));
    }
    if queue.is_empty() {
        let is_selection = arguments.tag.is_some() || arguments.min_rating.is_some() || arguments.max_rating.is_some();
        let fault = if is_selection { "no puzzle, expected some with this tag and rating" } else { "no puzzle in the files" };
        return Err(fault.into());
    }
    let look = Look::here(arguments.pieces, false);
    let mut trainer =
        Trainer { look, notation: arguments.notation, output: Output::streaming(), input: Input::open(Arc::default(), || {}) };
    writeln!(trainer.output, "{}. Type help for a list of commands.", counted(queue.len(), "puzzle"))?;
    let (mut solved, mut failed) = (0, 0);
    while let Some(puzzle) = queue.pop_front() {
        match trainer.train(&puzzle)? {
            Ending::Clean => solved += 1,
            Ending::Failed => {
                failed += 1;
                queue.insert(PAUSE.min(queue.len()), puzzle);
            }
            Ending::Quit => break,
        }
    }
    writeln!(trainer.output, "solved {solved} failed {failed}")?;
    trainer.output.finish()
}

impl Trainer {
    fn train(&mut self, puzzle: &Puzzle) -> Result<Ending, Failure> {
        let position = Position::new(puzzle.board, 0, 1);
        let mut attempt = Attempt { puzzle, position, node: puzzle.solution.root(), hints: 0, is_clean: true };
        self.look.flipped = puzzle.board.side_to_move() == Color::Black;
        self.show(&attempt)?;
        writeln!(self.output, "{}: {}. Rating {}.", name(puzzle.board.side_to_move()), puzzle.goal.text(), puzzle.rating)?;
        loop {
            let prompt = format!("{} to move> ", name(attempt.position.side_to_move()));
            let line = match self.input.ask(&prompt, &mut self.output)? {
                Event::Line(line) => line,
                Event::Failed(error) => return Err(Failure::at("standard input")(error)),
                Event::End => {
                    writeln!(self.output)?;
                    return Ok(Ending::Quit);
                }
            };
            match line.to_ascii_lowercase().as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Ending::Quit),
                "help" => writeln!(self.output, "{HELP}")?,
                "board" => self.show(&attempt)?,
                "flip" => {
                    self.look.flipped = !self.look.flipped;
                    self.show(&attempt)?;
                }
                "hint" => self.hint(&mut attempt)?,
                "solution" => {
                    let line = puzzle.main_line();
                    writeln!(self.output, "{}", notation::write_line(self.notation, &puzzle.board, &line).join(" "))?;
                    return Ok(Ending::Failed);
                }
                "next" => return Ok(Ending::Failed),
                _ => {
                    if let Some(ending) = self.play(&mut attempt, &line)? {
                        return Ok(ending);
                    }
                }
            }
        }
    }

    /// Plays a move of the solver and the reply; returns the ending after the last move.
    fn play(&mut self, attempt: &mut Attempt<'_>, text: &str) -> Result<Option<Ending>, Failure> {
        let reader = LineReader::default().with_first(self.notation);
        let mv = match reader.read_move(&attempt.position, text) {
            Ok(mv) => mv,
            Err(error) => {
                writeln!(self.output, "{error}; help lists the commands")?;
                return Ok(None);
            }
        };
        let Puzzle { solution, .. } = attempt.puzzle;
        let Some(node) = solution.children(attempt.node).find(|&child| solution.mv(child) == Some(mv)) else {
            attempt.is_clean = false;
            let text = self.text(attempt, mv);
            writeln!(self.output, "{text} is not the solution; try again.")?;
            return Ok(None);
        };
        attempt.hints = 0;
        attempt.position.make(mv);
        attempt.node = node;
        let Some((reply, answer)) = attempt.puzzle.defence(node).and_then(|id| Some((id, solution.mv(id)?))) else {
            self.show(attempt)?;
            let tags: Vec<&str> = attempt.puzzle.themes.iter().map(|theme| theme.name()).collect();
            let how = if attempt.is_clean { "Solved." } else { "Solved; the puzzle will be repeated." };
            writeln!(self.output, "{how} {}", tags.join(" "))?;
            return Ok(Some(if attempt.is_clean { Ending::Clean } else { Ending::Failed }));
        };
        let text = self.text(attempt, answer);
        let mover = name(attempt.position.side_to_move());
        attempt.position.make(answer);
        attempt.node = reply;
        self.show(attempt)?;
        writeln!(self.output, "Right. {mover}: {text} ({answer})")?;
        Ok(None)
    }

    /// Shows the piece first, then the move.
    fn hint(&mut self, attempt: &mut Attempt<'_>) -> Result<(), Failure> {
        attempt.is_clean = false;
        attempt.hints += 1;
        let next = attempt.puzzle.solution.next(attempt.node).and_then(|id| attempt.puzzle.solution.mv(id));
        match next {
            Some(mv) if attempt.hints == 1 => writeln!(self.output, "hint: the piece on {}", mv.from()),
            Some(mv) => {
                let text = self.text(attempt, mv);
                writeln!(self.output, "hint: {text} ({mv})")
            }
            None => Ok(()),
        }
    }

    fn text(&self, attempt: &Attempt<'_>, mv: Move) -> String {
        notation::write(self.notation, attempt.position.board(), mv)
    }

    fn show(&mut self, attempt: &Attempt<'_>) -> Result<(), Failure> {
        let text = draw(attempt.position.board(), attempt.position.moves().last(), self.look);
        write!(self.output, "\n{text}")
    }
}
