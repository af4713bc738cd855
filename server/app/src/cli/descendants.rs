//! All descendants of a process, and their end. (B1, CH10)

use rustix::process::{Pid, Signal, kill_process};
use std::fs;

/// Stops all descendants, parents first, so that none of them starts another; then kills them. How many there were.
pub fn end_once(of: Pid) -> usize {
    let mut found = children(of);
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        let _ = kill_process(pid, Signal::STOP);
        found.extend(children(pid));
        next += 1;
    }
    for &pid in &found {
        let _ = kill_process(pid, Signal::KILL);
    }
    found.len()
}

/// Children of all threads of a process. The dead ones whom nobody has counted out are among them.
fn children(of: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{of}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let ids = |list: String| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<i32>>();
    lists.flat_map(ids).filter_map(Pid::from_raw).collect()
}
