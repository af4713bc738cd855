//! `touchline log verify`: whether a recording, or each of a folder, is what its world gives when it is run again. (W7)

use super::log::{cut_off, read_log, recordings_in};
use super::players::{self, PlayerOptions};
use super::replay::other_plugins;
use super::{Failure, PluginOptions, print, shipped, signals, text};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use touchline_host::Host;
use touchline_record::{Difference, Log, Rerun};
use touchline_sim::World;

/// The bar is moved after so many ticks.
const TICKS_SHOWN: u64 = 256;

/// A recording that was run again.
struct Verified {
    log: Log,
    rerun: Rerun,
    compared: u64,
    difference: Option<Difference>,
    /// Plugins that are here in another version, or not at all.
    other: Vec<String>,
}

/// Verifies a recording, or all of a folder one after the other.
pub fn verify(
    path: &Path,
    as_json: bool,
    options: &PlayerOptions,
    plugins: &PluginOptions,
) -> Result<(), Failure> {
    let Some(recordings) = recordings_in(path)? else {
        let log = read_log(path)?;
        let verified = run(log, options, &shipped::load_plugins(plugins)?)?;
        print(as_json, &verified.json(), |out| verified.write(out))?;
        return if verified.is_sound() { Ok(()) } else { Err(Failure::Check) };
    };
    let host = shipped::load_plugins(plugins)?;
    let (mut results, mut unsound, mut unreadable) = (Vec::new(), 0, 0);
    for file in &recordings {
        // One that is broken is no reason to leave out the others.
        let verified = read_log(file).and_then(|log| run(log, options, &host));
        let mut result = match &verified {
            Ok(verified) => {
                unsound += u32::from(!verified.is_sound());
                verified.json()
            }
            Err(failure) => {
                unreadable += 1;
                json!({ "same": false, "sound": false, "error": failure.to_string() })
            }
        };
        result["file"] = file.display().to_string().into();
        if !as_json {
            let mut out = text();
            write!(out, "{}: ", file.display())?;
            match &verified {
                Ok(verified) => verified.write(&mut out)?,
                Err(failure) => writeln!(out, "{}", failure.to_string().trim_end())?,
            }
            out.flush()?;
        }
        results.push(result);
    }
    let sound = recordings.len() as u32 - unsound - unreadable;
    let all = json!({ "same": sound, "other": unsound, "unreadable": unreadable, "recordings": results });
    print(as_json, &all, |out| {
        writeln!(
            out,
            "{} recordings: {sound} the same, {unsound} not, {unreadable} unreadable",
            recordings.len()
        )
    })?;
    if unsound + unreadable == 0 { Ok(()) } else { Err(Failure::Check) }
}

fn run(log: Log, options: &PlayerOptions, host: &Arc<Host>) -> Result<Verified, Failure> {
    let shadows = players::shadows(options, &log, host)?;
    let world = World::with_shadows(log.header.scenario.clone(), Arc::clone(host) as _, shadows)?;
    players::check(&world)?;
    let mut rerun = Rerun::new(world, u64::MAX);
    let mut compared = 0_u64;
    let progress = signals::progress(log.newest, "ticks");
    let difference = rerun.compare(&log, |_| {
        compared += 1;
        if compared.is_multiple_of(TICKS_SHOWN) {
            progress.set_position(compared);
        }
    });
    progress.finish_and_clear();
    let other = other_plugins(&log.header, host);
    Ok(Verified { log, rerun, compared, difference, other })
}

impl Verified {
    /// Whether all of it could be compared, and was the same.
    fn is_sound(&self) -> bool {
        let is_same =
            self.difference.is_none() && self.rerun.shadows().iter().all(touchline_record::Shadow::is_same);
        is_same && self.log.without_digest().is_empty() && cut_off(&self.log).is_none()
    }

    /// The tick from which on inputs were lost.
    fn lost_from(&self) -> Option<u64> {
        self.log.gaps.iter().filter(|gap| gap.inputs_lost).map(|gap| gap.from).min()
    }

    fn json(&self) -> Value {
        let difference = self.difference;
        json!({
            "same": difference.is_none(), "sound": self.is_sound(), "compared": self.compared,
            "first_difference_step": difference.map(|difference| difference.step),
            "first_difference_tick": difference.map(|difference| difference.tick),
            "other_plugins": self.other, "inputs_lost": self.lost_from().is_some(),
            "not_compared": self.log.without_digest().iter().map(|(from, to)| to - from).sum::<u64>(),
            "cut_off": cut_off(&self.log),
            "state_hash": format!("{:016x}", self.rerun.world().state_hash()), "players": self.rerun.shadows(),
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { log, rerun, compared, difference, other } = self;
        if difference.is_none() {
            let hash = rerun.world().state_hash();
            writeln!(out, "{compared} ticks are the same, bit by bit; state {hash:016x}")?;
        }
        // What lies behind a difference was not compared anyway.
        let reached = difference.map_or(u64::MAX, |difference| difference.tick);
        for (from, to) in log.without_digest().iter().filter(|(from, _)| *from < reached) {
            let (count, last) = (to - from, to - 1);
            writeln!(
                out,
                "{count} ticks, {from} to {last}, could not be compared: nothing of them is in the file"
            )?;
        }
        if let Some(cut_off) = cut_off(log) {
            writeln!(out, "cut off {cut_off}; what came behind could not be compared")?;
        }
        players::print(rerun.shadows(), log.header.scenario.dt_secs, out)?;
        let Some(Difference { step, tick }) = *difference else { return Ok(()) };
        let secs = tick as f64 * log.header.scenario.dt_secs;
        writeln!(out, "step {step} is the first that differs (tick {tick}, {secs:.2} s)")?;
        if let Some(from) = self.lost_from() {
            writeln!(
                out,
                "  inputs were lost in the gap from step {from} on: behind it the world cannot be run again"
            )?;
        }
        other.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        if other.is_empty() && self.lost_from().is_none() {
            writeln!(
                out,
                "  the plugins have the same versions: one of them was changed, or is not deterministic"
            )?;
        }
        Ok(())
    }
}
