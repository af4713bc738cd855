//! Looks from outside whether the world goes on, names the plugin that keeps it from that, and ends the program where it cannot end by itself. (P1)

use super::output::note;
use super::priority::Keeper;
use super::service::stop_signal;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use touchline_gate::Gate;
use touchline_host::{calls_in_progress, exit_at_once};

/// No call may take longer without being told of.
const TIMEOUT: Duration = Duration::from_secs(2);
const LOOK_PERIOD: Duration = Duration::from_millis(250);
/// The recorder has so long to end its file.
const LONGEST_CLOSE: Duration = Duration::from_secs(10);
/// The name of the thread that steps the world.
const WORLD_THREAD: &str = "world";

/// The exit code of a program that was ended by a second signal.
const ENDED_BY_SIGNAL: i32 = 130;
/// The exit code of a program that a plugin kept from its end.
const PLUGIN_FAILED: i32 = 5;

/// Watches until the program ends.
///
/// # Errors
/// When the system has no thread to give, or no signals.
pub fn watch(gate: Gate, priority: Keeper) -> std::io::Result<()> {
    let watched = gate.clone();
    std::thread::Builder::new().name("watchdog".into()).spawn(move || look(&watched, &priority))?;
    let (listening, is_listening) = sync_channel(1);
    std::thread::Builder::new().name("signals".into()).spawn(move || match listen() {
        Ok((runtime, signal)) => {
            let _ = listening.send(Ok(()));
            runtime.block_on(async {
                signal.await;
                end(&gate).await;
            });
        }
        Err(error) => {
            let _ = listening.send(Err(error));
        }
    })?;
    is_listening.recv().map_err(std::io::Error::other)?
}

/// The first signal, and a runtime of its own to wait for it: the program's other one may be what hangs.
fn listen() -> std::io::Result<(Runtime, impl Future<Output = ()>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signal = runtime.block_on(async { stop_signal() })?;
    Ok((runtime, signal))
}

fn look(gate: &Gate, priority: &Keeper) {
    let mut others = Others::default();
    loop {
        std::thread::sleep(LOOK_PERIOD);
        let busy = gate.busy_for();
        let was_stalled = gate.stall().is_some();
        if busy >= TIMEOUT {
            let stall = stall(gate, busy);
            if !was_stalled {
                tracing::error!("the world stands still: {stall}");
            }
            gate.set_stall(Some(stall));
        } else if was_stalled {
            gate.set_stall(None);
            tracing::warn!("the world goes on");
        }
        others.look();
        priority.look();
    }
}

/// What keeps the loop, in words.
fn stall(gate: &Gate, busy: Duration) -> Arc<str> {
    let (step, secs) = (gate.newest().frame.step + 1, busy.as_secs());
    let call = calls_in_progress().into_iter().find(|call| call.thread == WORLD_THREAD);
    match call {
        Some(call) => format!("{} has not returned for {secs} s, in step {step}", call.label),
        None => format!("step {step} has taken {secs} s so far, and no plugin is being called"),
    }
    .into()
}

/// Calls that other threads make, such as for a reading that a client asked for.
#[derive(Default)]
struct Others {
    /// By thread and number: since when, and whether it was told.
    seen: BTreeMap<(String, u64), (Instant, bool)>,
}

impl Others {
    fn look(&mut self) {
        let calls = calls_in_progress();
        let now = Instant::now();
        let mut seen = BTreeMap::new();
        for call in calls.into_iter().filter(|call| call.thread != WORLD_THREAD) {
            let key = (call.thread, call.number);
            let (since, mut is_told) = self.seen.get(&key).copied().unwrap_or((now, false));
            if !is_told && now.duration_since(since) >= TIMEOUT {
                tracing::error!(
                    "{} has not returned for {} s: who asked waits",
                    call.label,
                    TIMEOUT.as_secs()
                );
                is_told = true;
            }
            seen.insert(key, (since, is_told));
        }
        self.seen = seen;
    }
}

/// After the first signal: ends the program at a second one, or if the world stands still, with the recording closed.
async fn end(gate: &Gate) {
    let stands_still = async {
        while gate.stall().is_none() {
            tokio::time::sleep(LOOK_PERIOD).await;
        }
        // What ends by itself after all is better.
        tokio::time::sleep(LOOK_PERIOD).await;
    };
    let second = async {
        match stop_signal() {
            Ok(signal) => signal.await,
            Err(_) => std::future::pending().await,
        }
    };
    let code = tokio::select! {
        () = stands_still => PLUGIN_FAILED,
        () = second => ENDED_BY_SIGNAL,
    };
    let stall = gate.stall().map_or_else(|| "ended by a second signal".into(), |stall| stall.to_string());
    let recording = match tokio::time::timeout(LONGEST_CLOSE, gate.close_recording()).await {
        Ok(Ok(file)) => format!("; the recording {} is whole up to there", file.display()),
        Ok(Err(_)) => String::new(),
        Err(_) => {
            "; the recording could not be closed: `touchline log recover` brings back what is there".into()
        }
    };
    note(&format!("{stall}: the program is ended without it{recording}"));
    exit_at_once(code)
}
