//! Line input: with editing and history on a terminal, plain lines from a script.

use crate::commands::Failure;
use crate::commands::output::Output;
use crate::records::decode;
use crate::system::handle_interrupts;
use crossbeam::channel::{Receiver, Sender, unbounded};
use rustyline::DefaultEditor;
use rustyline::config::Config;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An input event.
pub enum Event {
    /// A line was typed.
    Line(String),
    /// Standard input has ended, or the user has interrupted the program.
    End,
    /// Standard input cannot be read.
    Failed(io::Error),
}

/// Reads lines in a separate thread, so that interrupts are handled while it waits.
pub struct Input {
    events: Receiver<Event>,
    is_interrupted: Arc<AtomicBool>,
    /// Prompts for the line editor, which displays them itself; none without an editor.
    prompts: Option<Sender<String>>,
    /// The initial terminal settings.
    #[cfg(unix)]
    terminal: Option<rustix::termios::Termios>,
}

/// Whether to use the line editor: on a terminal, in an encoding that the editor supports.
fn is_edited() -> bool {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    let locale = names.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_ascii_lowercase();
    // Without a locale, input is ASCII, or UTF-8 in practice.
    let is_plain = locale.is_empty() || locale == "c" || locale == "posix";
    is_terminal && (cfg!(windows) || is_plain || locale.contains("utf-8") || locale.contains("utf8"))
}

impl Input {
    /// Starts listening to standard input and interrupts. An interrupt sets `is_interrupted` and calls `on_interrupt`, which stops the work
    /// between two inputs.
    pub fn open(is_interrupted: Arc<AtomicBool>, on_interrupt: impl Fn() + Send + 'static) -> Input {
        let (sender, events) = unbounded();
        let (interrupted, sent) = (Arc::clone(&is_interrupted), sender.clone());
        handle_interrupts(move || {
            interrupted.store(true, Ordering::SeqCst);
            on_interrupt();
            let _ = sent.send(Event::End);
        });
        // A pasted game has one move per line; bracketed paste would join them into one line.
        let config = Config::builder().auto_add_history(true).bracketed_paste(false).build();
        let editor = if is_edited() { DefaultEditor::with_config(config).ok() } else { None };
        #[cfg(unix)]
        let terminal = editor.as_ref().and_then(|_| rustix::termios::tcgetattr(io::stdin()).ok());
        let prompts = match editor {
            Some(editor) => {
                let (asked, prompts) = unbounded();
                std::thread::spawn(move || edit(editor, &prompts, &sender));
                Some(asked)
            }
            None => {
                std::thread::spawn(move || read(&sender));
                None
            }
        };
        Input {
            events,
            is_interrupted,
            prompts,
            #[cfg(unix)]
            terminal,
        }
    }

    /// Prompts for the next line.
    ///
    /// # Errors
    /// If the prompt cannot be written.
    pub fn ask(&self, prompt: &str, output: &mut Output) -> Result<Event, Failure> {
        match &self.prompts {
            Some(prompts) => {
                output.flush()?;
                let _ = prompts.send(prompt.to_string());
            }
            None => {
                write!(output, "{prompt}")?;
                output.flush()?;
            }
        }
        let event = self.events.recv().unwrap_or(Event::End);
        // Lines typed ahead of an interrupt are not executed.
        Ok(if self.is_interrupted.load(Ordering::SeqCst) { Event::End } else { event })
    }
}

#[cfg(unix)]
impl Drop for Input {
    /// Restores the terminal, because a signal can end the program while the editor is in raw mode.
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(terminal) = &self.terminal {
            let _ = tcsetattr(io::stdin(), OptionalActions::Drain, terminal);
        }
    }
}

/// Reads a line for each prompt.
fn edit(mut editor: DefaultEditor, prompts: &Receiver<String>, events: &Sender<Event>) {
    for prompt in prompts {
        let event = loop {
            match editor.readline(&prompt) {
                Ok(line) => break Event::Line(line.trim().to_string()),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => break Event::End,
                // The window was resized, or the program was resumed after a stop.
                Err(ReadlineError::Signal(_)) => {}
                Err(error) => break Event::Failed(io::Error::other(error)),
            }
        };
        let is_last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || is_last {
            break;
        }
    }
}

/// Reads all lines of standard input.
fn read(events: &Sender<Event>) {
    let mut lines = io::stdin().lock().split(b'\n');
    loop {
        let event = match lines.next() {
            Some(Ok(line)) => Event::Line(decode(&line).trim().to_string()),
            Some(Err(error)) => Event::Failed(error),
            None => Event::End,
        };
        let is_last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || is_last {
            break;
        }
    }
}
