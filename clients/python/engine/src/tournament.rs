//! Tournaments by matches: a match is a pure function of the file and its number.

use crate::{WorldError, world};
use parking_lot::Mutex;
use pyo3::exceptions::{PyIndexError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchline_config::Disk;
use touchline_tournament::journal::{Journal, JournalError};
use touchline_tournament::report::Report;
use touchline_tournament::{MatchResult, PlayError, Tournament};

/// So often somebody looks whether Ctrl-C was pressed.
const LOOK_FOR_SIGNALS: Duration = Duration::from_millis(50);

/// A tournament file.
#[pyclass(module = "touchline._engine", name = "Tournament")]
pub struct PyTournament {
    tournament: Tournament,
    results: BTreeMap<u64, MatchResult>,
    journal: Option<Journal>,
}

#[pymethods]
impl PyTournament {
    #[new]
    #[pyo3(signature = (file, pairs, folders))]
    fn new(py: Python<'_>, file: PathBuf, pairs: Option<u32>, folders: Vec<PathBuf>) -> PyResult<Self> {
        let host = py.detach(|| world::plugins(folders))?;
        let tournament = py.detach(|| Tournament::load(&file, &Disk, host));
        let mut tournament = tournament.map_err(|report| WorldError::new_err(report.to_string()))?;
        if let Some((entrant, _)) = tournament.programs().next() {
            return Err(WorldError::new_err(PlayError::NoPrograms(entrant.to_owned()).to_string()));
        }
        tournament.set_pairs(pairs.unwrap_or(tournament.pairs()));
        Ok(Self { tournament, results: BTreeMap::new(), journal: None })
    }

    /// Stands for all conditions.
    fn digest(&self) -> String {
        self.tournament.digest()
    }

    /// How many matches it has.
    #[getter]
    fn matches(&self) -> u64 {
        self.tournament.matches()
    }

    /// How many of them are finished.
    #[getter]
    fn played(&self) -> usize {
        self.results.len()
    }

    /// Keeps results in this file from now on, and takes those that are in it.
    fn open(&mut self, path: PathBuf) -> PyResult<()> {
        let (journal, results) = Journal::open(&path, &self.tournament).map_err(|error| match error {
            JournalError::Io { .. } | JournalError::InUse(_) => PyOSError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })?;
        (self.journal, self.results) = (Some(journal), results);
        Ok(())
    }

    /// Closes the file.
    fn close(&mut self) {
        self.journal = None;
    }

    /// The numbers of the matches that are not finished.
    fn missing(&self) -> Vec<u64> {
        (0..self.tournament.matches()).filter(|number| !self.results.contains_key(number)).collect()
    }

    /// Plays these matches. Gives what was finished, a line of JSON each in the order of their numbers, and the exception of a
    /// signal that came meanwhile.
    fn play(
        &self,
        py: Python<'_>,
        numbers: Vec<u64>,
        threads: usize,
    ) -> PyResult<(Vec<String>, Option<PyErr>)> {
        let finished = Mutex::new(BTreeMap::new());
        let (stop, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
        let (played, signal) = py.detach(|| {
            std::thread::scope(|scope| {
                let main = std::thread::current();
                let (tournament, finished, stop, is_over) = (&self.tournament, &finished, &stop, &is_over);
                let work = scope.spawn(move || {
                    let keep = |result: MatchResult| {
                        let line = serde_json::to_string(&result)?;
                        finished.lock().insert(result.number, line);
                        Ok(())
                    };
                    let played = tournament.play_all(&numbers, threads, stop, keep);
                    is_over.store(true, Ordering::Release);
                    main.unpark();
                    played
                });
                // Python hears signals on this thread alone.
                let mut signal = None;
                while !is_over.load(Ordering::Acquire) && !work.is_finished() {
                    std::thread::park_timeout(LOOK_FOR_SIGNALS);
                    if signal.is_none()
                        && let Err(error) = Python::attach(|py| py.check_signals())
                    {
                        signal = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                (work.join(), signal)
            })
        });
        let played = played.map_err(|_| PyRuntimeError::new_err("a match could not be played"))?;
        played.map_err(|error| match error {
            PlayError::NoSuchMatch(_) => PyIndexError::new_err(error.to_string()),
            _ => WorldError::new_err(error.to_string()),
        })?;
        let finished = finished.into_inner();
        Ok((finished.into_values().collect(), signal))
    }

    /// Takes finished matches, and writes them to the file.
    fn add(&mut self, lines: Vec<String>) -> PyResult<()> {
        for line in lines {
            let result: MatchResult =
                serde_json::from_str(&line).map_err(|error| PyValueError::new_err(error.to_string()))?;
            if let Some(journal) = &mut self.journal {
                journal.add(&result)?;
            }
            self.results.insert(result.number, result);
        }
        Ok(())
    }

    /// The report as JSON, and as a table for people.
    fn report(&self, interrupted: bool, wall_seconds: f64, cpu_seconds: f64) -> PyResult<(String, String)> {
        let mut report = Report::of(&self.tournament, &self.results);
        report.interrupted = interrupted && report.played < report.matches;
        (report.wall_seconds, report.cpu_seconds) = (wall_seconds, cpu_seconds);
        let json =
            serde_json::to_string(&report).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok((json, report.table()))
    }
}
