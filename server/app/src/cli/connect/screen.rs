//! The terminal: an editor for lines with history and completion, and a printer that writes above it.

use super::super::output::note;
use super::words::Vocabulary;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use touchline_config::shown;

/// Lines are edited behind this.
const PROMPT: &str = "> ";
/// Most lines that the history keeps.
const LINES_KEPT: usize = 1000;

/// The editor.
pub struct Screen {
    editor: Editor<Completion, FileHistory>,
    history: Option<PathBuf>,
}

/// Shows lines while another one is edited.
pub struct Printer(Box<dyn ExternalPrinter + Send>);

/// Leaves the program while a line is edited.
pub struct End(Termios);

struct Completion(Arc<Vocabulary>);

impl Screen {
    /// The terminal of this process.
    pub fn open(vocabulary: Arc<Vocabulary>) -> io::Result<Self> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(LINES_KEPT)
            .map_err(io::Error::other)?
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Completion(vocabulary)));
        let history = history_file();
        if let Some(file) = &history {
            // There is none at first.
            let _ = editor.load_history(file);
        }
        Ok(Self { editor, history })
    }

    /// What writes above the line that is edited.
    pub fn printer(&mut self) -> io::Result<Printer> {
        let printer = self.editor.create_external_printer().map_err(io::Error::other)?;
        Ok(Printer(Box::new(printer)))
    }

    /// What ends the program with the terminal as it was; asked for before the first line is edited.
    pub fn end(&self) -> io::Result<End> {
        Ok(End(tcgetattr(io::stdin())?))
    }

    /// The next line; none at the end (Ctrl-D). Ctrl-C begins a new line.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        loop {
            match self.editor.readline(PROMPT) {
                Ok(line) => {
                    self.remember(&line);
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    /// Keys are not for a file that others may read.
    fn remember(&mut self, line: &str) {
        if line.trim().is_empty() || line.contains("key=") {
            return;
        }
        let _ = self.editor.add_history_entry(line);
        if let Some(file) = &self.history {
            // Without a history everything works.
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = self.editor.save_history(file);
        }
    }
}

impl Printer {
    /// Writes a line.
    pub fn show(&mut self, line: &str) {
        // Nobody may be looking any more.
        let _ = self.0.print(format!("{}\n", shown(line)));
    }
}

impl End {
    /// Ends the program; with what went wrong, if something did.
    pub fn leave(self, wrong: Option<&str>) -> ! {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        // Nobody may be looking any more.
        let _ = writeln!(io::stdout());
        if let Some(wrong) = wrong {
            note(wrong);
        }
        // As `Failure::Resource`: the reader's thread has nobody to give it to.
        std::process::exit(if wrong.is_some() { 4 } else { 0 })
    }
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0.complete(&line[..at]))
    }
}

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Hinter for Completion {
    type Hint = String;
}
impl Validator for Completion {}

/// `touchline/history` where programs keep what they remember.
fn history_file() -> Option<PathBuf> {
    let folder =
        |variable: &str| std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("touchline/history"))
}
