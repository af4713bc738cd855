//! Files of parameters as that server writes and reads them: `server::half_time = 300` in a line, `#` before what is no parameter.

use super::{ParamError, SoccerParams};

/// A line of a file of parameters that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ConfError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: ConfProblem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfProblem {
    /// It is no assignment.
    #[error("expected `server::NAME = VALUE` or `player::NAME = VALUE`, got `{0}`")]
    Form(String),
    /// The parameter cannot be set so.
    #[error(transparent)]
    Param(#[from] ParamError),
}

impl SoccerParams {
    /// Sets what the lines of such a file say, the later line of two for one parameter.
    ///
    /// # Errors
    /// Every line that cannot be used; the others are set.
    pub fn read_conf(&mut self, text: &str) -> Result<(), Vec<ConfError>> {
        let mut errors = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = without_comment(line).trim();
            if line.is_empty() {
                continue;
            }
            let set = match line.split_once('=') {
                Some((name, value)) => self.set(name.trim(), value.trim()).map_err(ConfProblem::from),
                None => Err(ConfProblem::Form(line.to_owned())),
            };
            errors.extend(set.err().map(|problem| ConfError { line: index + 1, problem }));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// What stands before a `#` that is not between quotation marks.
fn without_comment(line: &str) -> &str {
    let mut quoted_by = None;
    let comment = line.char_indices().find(|(_, letter)| {
        match quoted_by {
            Some(mark) if mark == *letter => quoted_by = None,
            None if ['"', '\''].contains(letter) => quoted_by = Some(*letter),
            Some(_) | None => {}
        }
        *letter == '#' && quoted_by.is_none()
    });
    comment.map_or(line, |(at, _)| &line[..at])
}
