//! Robot files: those of the server by name, and those that clients send. [C2, R1]
//!
//! Reading and parsing is done beside the connections' threads, by a few at a time.

use crate::Board;
use crate::errors::request_error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_board::{NamedRow, Problem, Reply, RobotSource};
use touchline_config::{Report, ShippedParts, parse_robot, read_text};
use touchline_sim::PluginFactory;
use touchline_sim::scenario::RobotSpec;

impl Board {
    /// The robot that a file describes.
    pub(crate) async fn robot_spec(
        self: &Arc<Self>,
        name: String,
        source: RobotSource,
    ) -> Result<Arc<RobotSpec>, Reply> {
        let board = Arc::clone(self);
        self.beside(move || {
            let folder = board.config.robots_dir.as_deref();
            read_robot(folder, &name, source, &**board.gate.factory())
        })
        .await
    }

    /// Answers `FILES`.
    pub(crate) async fn files(self: &Arc<Self>) -> Reply {
        let folder = self.config.robots_dir.clone();
        match self.beside(move || Ok(list(folder.as_deref()))).await {
            Ok(files) => {
                touchline_board::files(files.iter().map(|(name, summary)| NamedRow { name, summary }))
            }
            Err(reply) => reply,
        }
    }

    /// Does what takes long, or waits for the disk, without holding up a connection.
    async fn beside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Reply> + Send + 'static,
    ) -> Result<T, Reply> {
        let stopping = |_| request_error(&touchline_gate::RequestError::Stopping);
        let _permit = self.file_work.acquire().await.map_err(|_| stopping(()))?;
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
            tracing::error!(%error, "board: reading a robot file failed");
            Err(Reply::error("plugin/failed", "the server could not read the robot file; its log says why"))
        })
    }
}

fn read_robot(
    folder: Option<&Path>,
    name: &str,
    source: RobotSource,
    factory: &dyn PluginFactory,
) -> Result<Arc<RobotSpec>, Reply> {
    let (path, text) = match source {
        RobotSource::Text(text) => (PathBuf::from(format!("{name}.toml")), text),
        RobotSource::File(file) => shipped(folder, &file)?,
    };
    // Without a folder there is nothing that a file could include.
    let parts = ShippedParts::new(folder.unwrap_or(Path::new("")));
    match folder {
        Some(_) => parse_robot(&text, &path, &parts, factory),
        None => parse_robot(&text, &path, &touchline_config::Memory::default(), factory),
    }
    .map(Arc::new)
    .map_err(|report| refused(&report, &path, folder))
}

/// One of the server's robot files; its name is a plain word, with or without `.toml`.
fn shipped(folder: Option<&Path>, file: &str) -> Result<(PathBuf, String), Reply> {
    let stem = file.strip_suffix(".toml").unwrap_or(file);
    let is_word = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let path = folder
        .filter(|_| !stem.is_empty() && is_word(stem))
        .map(|folder| folder.join(format!("{stem}.toml")));
    let read = path.and_then(|path| Some((read_text(&path).ok()?, path)));
    read.map(|(text, path)| (path, text)).ok_or_else(|| {
        let names: Vec<String> = list(folder).into_iter().map(|(name, _)| name).collect();
        let known = match names.is_empty() {
            true => "this server has none; start it with --robots DIR".into(),
            false => names.join(", "),
        };
        Reply::error("board/no-such-file", format!("no robot file \"{file}\"; {known}")).with("file", file)
    })
}

/// The server's robot files by name, with the first line of their opening comments.
fn list(folder: Option<&Path>) -> Vec<(String, String)> {
    let Some(entries) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else { return Vec::new() };
    let mut files: Vec<(String, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?.strip_suffix(".toml")?.to_owned();
            let text = read_text(&entry.path()).ok()?;
            let comment = text.lines().next().and_then(|line| line.strip_prefix('#')).unwrap_or_default();
            Some((name, comment.trim().to_owned()))
        })
        .collect();
    files.sort_unstable();
    files
}

/// All that is wrong with a file, a line each; where the server keeps its files is nobody's business.
fn refused(report: &Report, path: &Path, folder: Option<&Path>) -> Reply {
    let inside = |file: &Path| {
        let file = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        file.display().to_string()
    };
    let problems: Vec<Problem> = report
        .problems
        .iter()
        .map(|problem| Problem {
            file: (problem.file != path).then(|| inside(&problem.file)),
            line: Some(problem.line),
            column: Some(problem.column),
            code: problem.code.into(),
            message: problem.what.clone(),
            got: problem.got.clone(),
            allowed: problem.allowed.clone(),
            hint: problem.hint.clone(),
        })
        .collect();
    let count = problems.len();
    let plural = if count == 1 { "" } else { "s" };
    Reply::problems("config/bad-file", format!("the robot file has {count} problem{plural}"), &problems)
}
