//! No log is given twice: what a model is tested on it has not learned from, and nothing counts twice.

use crate::error::LogError;
use std::collections::BTreeMap;

/// Refuses a log that is there twice, under one name or two; `logs` are the file and the digest of each, those of the test among them.
///
/// # Errors
/// Which two are the same.
pub fn refuse_twice<'a>(logs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), LogError> {
    let mut seen = BTreeMap::new();
    for (file, digest) in logs {
        if let Some(first) = seen.insert(digest, file) {
            return Err(LogError::new("program/log-twice", file, None, "the log is given twice")
                .got(format!("the same bytes as {first} ({digest})"))
                .allowed("each log once: to learn from, or for the test")
                .hint("leave one of both out"));
        }
    }
    Ok(())
}
