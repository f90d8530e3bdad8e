//! Verifies puzzles.

use super::output::{PuzzleFile, State, read};
use super::{Interrupt, Puzzles};
use crate::commands::Failure;
use crate::commands::output::{Output, note};
use crate::commands::pipeline::in_order;
use crate::commands::progress;
use crate::puzzles::{Finding, Puzzle, Verifier};
use crate::types::counted;
use serde::Serialize;
use std::collections::HashSet;

/// A checked puzzle in JSON output.
#[derive(Serialize)]
struct Checked {
    file: String,
    number: usize,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    solution: u16,
    other: u16,
    nodes: u64,
}

/// A puzzle of a file, or the error of reading it.
struct Task {
    file: String,
    number: usize,
    puzzle: Result<Puzzle, String>,
}

pub fn run(arguments: &Puzzles) -> Result<(), Failure> {
    // Everything is read first, so that a bad file is reported at once.
    let mut tasks = Vec::new();
    for path in &arguments.files {
        let mut number = 0;
        read(path, &mut |puzzle| {
            number += 1;
            tasks.push(Task { file: path.display().to_string(), number, puzzle });
            Ok(())
        })?;
        if number == 0 {
            // A search that found nothing writes such a file.
            note(format_args!("{}: no puzzle in the file", path.display()));
        }
    }
    let mut kept = match &arguments.output {
        None => None,
        Some(path) => {
            let network = crate::nnue::Network::builtin_name();
            let new = State::new(arguments.nodes(), arguments.hash(), network);
            Some((path, PuzzleFile::open(path, new, false, &arguments.files, arguments.force)?.without_state()))
        }
    };
    let interrupt = Interrupt::listen();
    let bar = progress::bar(tasks.len() as u64, "puzzles");
    let mut report = Report::new(arguments.json);
    let worker = || {
        let stopping = interrupt.clone();
        let mut verifier = Verifier::new(arguments.nodes(), arguments.hash()).stopped_by(move || stopping.is_stopped());
        interrupt.controls.lock().push(verifier.control());
        let interrupt = interrupt.clone();
        move |task: Task| {
            let finding = match &task.puzzle {
                _ if interrupt.is_stopped() => return None,
                Ok(puzzle) => verifier.check(puzzle),
                Err(fault) => Finding { fault: Some(fault.clone()), ..Finding::default() },
            };
            (!interrupt.is_stopped()).then_some((task, finding))
        }
    };
    let produce = move |give: &mut dyn FnMut(Task) -> bool| {
        let _ = tasks.into_iter().all(give);
    };
    let ran = in_order(arguments.jobs as usize, &interrupt.stopped, produce, worker, |(task, finding)| {
        bar.inc(1);
        let holds = bar.suspend(|| report.add(&task, finding))?;
        match (holds, task.puzzle, &mut kept) {
            // A verified file is never resumed, so its inputs need not be recognised.
            (true, Ok(puzzle), Some((_, file))) => file.add(0, &[puzzle]),
            _ => Ok(()),
        }
    });
    bar.finish_and_clear();
    // Also after an interrupt or an error, what has been verified so far is in the file.
    let written = match kept {
        Some((path, file)) if file.is_begun => {
            let written = format!("; {} has the {} that hold", path.display(), file.puzzles);
            file.finish(false).map(|()| written)
        }
        Some(_) => {
            note("no puzzle holds; the output is not written");
            Ok(String::new())
        }
        None => Ok(String::new()),
    };
    let is_complete = ran?;
    let written = written?;
    if !is_complete {
        return Err(format!("interrupted after {}{written}", counted(report.holding + report.failing, "puzzle")).into());
    }
    report.finish()
}

/// Output and the counts for its last line.
struct Report {
    json: bool,
    output: Output,
    /// Positions of the puzzles that hold so far.
    seen: HashSet<u64>,
    holding: usize,
    failing: usize,
    /// The lowest expected score of a verified solution, and the highest of another move.
    lowest: u16,
    highest: u16,
}

impl Report {
    fn new(json: bool) -> Report {
        Report { json, output: Output::streaming(), seen: HashSet::new(), holding: 0, failing: 0, lowest: 1000, highest: 0 }
    }

    /// Prints the finding for a puzzle, and returns whether it holds.
    fn add(&mut self, task: &Task, mut finding: Finding) -> Result<bool, Failure> {
        // A puzzle that fails does not keep a correct one of the same position out of the output.
        if finding.fault.is_none() && task.puzzle.as_ref().is_ok_and(|puzzle| !self.seen.insert(puzzle.identity())) {
            finding.fault = Some("the position is that of an earlier puzzle".into());
        }
        let holds = finding.fault.is_none();
        if holds {
            self.holding += 1;
            (self.lowest, self.highest) = (self.lowest.min(finding.solution), self.highest.max(finding.other));
        } else {
            self.failing += 1;
        }
        if self.json {
            let Finding { fault, solution, other, nodes } = finding;
            let checked = Checked { file: task.file.clone(), number: task.number, holds, fault, solution, other, nodes };
            self.output.json(&checked)?;
        } else if let Some(fault) = &finding.fault {
            writeln!(self.output, "{}: puzzle {}: {fault}", task.file, task.number)?;
        }
        Ok(holds)
    }

    fn finish(mut self) -> Result<(), Failure> {
        let (holding, failing) = (self.holding, self.failing);
        if !self.json {
            write!(self.output, "puzzles {} hold {holding} fail {failing}", holding + failing)?;
            match holding {
                0 => writeln!(self.output)?,
                _ => writeln!(self.output, " lowest solution {} highest other {}", self.lowest, self.highest)?,
            }
        }
        self.output.finish()?;
        if failing > 0 { Err(format!("{failing} of {} failed", counted(holding + failing, "puzzle")).into()) } else { Ok(()) }
    }
}
