//! Two stages at once: those that ask the release build wait much of their time, and leave a core to those that build and test in debug mode.
//!
//! What is said keeps the order of the list: a stage beside is told in its turn, when those before it are over. On one core there is one lane.

use crate::report::{Finished, Report};
use crate::stages::{Lane, Stage};
use std::sync::mpsc;

/// Runs the stages, and tells of each in turn that it begins and how it has ended. `run` is also told whether the build went well.
pub fn in_order(
    stages: &[&'static Stage],
    cores: usize,
    run: impl Fn(&Stage, bool) -> Finished + Sync,
    mut begins: impl FnMut(usize, &str),
    mut ends: impl FnMut(Finished),
) {
    std::thread::scope(|scope| {
        let (mut built, mut aside) = (true, None);
        for (position, stage) in stages.iter().enumerate() {
            begins(position, stage.name);
            let finished = match &aside {
                Some(results) if stage.lane == Lane::Beside => next(results, stage),
                _ => run(stage, built),
            };
            let has_failed = finished.report.tally.failed > 0;
            ends(finished);
            built &= !(stage.is_build && has_failed);
            if stage.lane == Lane::Opens && cores > 1 {
                let (tell, results) = mpsc::sync_channel(stages.len());
                let run = &run;
                scope.spawn(move || {
                    for stage in stages[position..].iter().filter(|stage| stage.lane == Lane::Beside) {
                        // Nobody hears it when the other side has panicked: then this is over as well.
                        let _ = tell.send(run(stage, built));
                    }
                });
                aside = Some(results);
            }
        }
    });
}

fn next(results: &mpsc::Receiver<Finished>, stage: &Stage) -> Finished {
    results.recv().unwrap_or_else(|_| {
        let report = Report::failed("the thread of the stages beside has panicked; see above".into());
        Finished { name: stage.name, secs: 0.0, report }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::{Mode, STAGES};
    use std::sync::{Barrier, Mutex};

    fn usual() -> Vec<&'static Stage> {
        STAGES.iter().filter(|stage| stage.modes.contains(&Mode::Usual)).collect()
    }

    fn ended(stage: &Stage, report: Report) -> Finished {
        Finished { name: stage.name, secs: 0.0, report }
    }

    /// What was run, in the order in which it began, and what was told, in its order.
    fn run_on(cores: usize, act: impl Fn(&Stage) -> Report + Sync) -> (Vec<(String, bool)>, Vec<String>) {
        let (run, mut told) = (Mutex::new(Vec::new()), Vec::new());
        in_order(
            &usual(),
            cores,
            |stage, built| {
                run.lock().unwrap().push((stage.name.to_owned(), built));
                ended(stage, act(stage))
            },
            |_, _| (),
            |finished| told.push(finished.name.to_owned()),
        );
        (run.into_inner().unwrap(), told)
    }

    fn names(stages: &[&Stage]) -> Vec<String> {
        stages.iter().map(|stage| stage.name.to_owned()).collect()
    }

    #[test]
    fn two_stages_go_on_at_once_and_are_told_in_the_order_of_the_list() {
        // Neither would end without the other.
        let meet = Barrier::new(2);
        let (_, told) = run_on(2, |stage| {
            if ["system", "python"].contains(&stage.name) {
                meet.wait();
            }
            Report::done()
        });
        assert_eq!(told, names(&usual()));
    }

    #[test]
    fn on_one_core_one_follows_the_other() {
        let (run, told) = run_on(1, |_| Report::done());
        assert_eq!(run.into_iter().map(|(name, _)| name).collect::<Vec<_>>(), names(&usual()));
        assert_eq!(told, names(&usual()));
    }

    #[test]
    fn nothing_beside_begins_before_its_build_or_is_run_twice() {
        let (run, _) = run_on(2, |_| Report::done());
        let opened = run.iter().position(|(name, _)| name == "release").unwrap();
        for stage in usual().iter().filter(|stage| stage.lane == Lane::Beside) {
            assert!(run.iter().position(|(name, _)| name == stage.name) > Some(opened), "{}", stage.name);
        }
        assert_eq!(run.len(), usual().len());
    }

    #[test]
    fn both_lanes_know_that_the_build_failed() {
        let fails =
            |stage: &Stage| if stage.name == "build" { Report::failed("no".into()) } else { Report::done() };
        for cores in [1, 2] {
            let (run, _) = run_on(cores, fails);
            let behind = run.iter().position(|(name, _)| name == "build").unwrap() + 1;
            assert!(run[..behind].iter().all(|(_, built)| *built));
            assert!(run[behind..].iter().all(|(_, built)| !*built), "{run:?}");
        }
    }
}
