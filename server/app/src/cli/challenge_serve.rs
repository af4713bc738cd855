//! `touchline challenge serve`: the page of challenges, for who sits at this machine. (CH8)

use super::challenge::files_in;
use super::challenge_desk::{ChallengeDesk, Offer, Shared};
use super::challenge_keys;
use super::challenge_options::DeskOptions;
use super::challenge_replay::Replays;
use super::places::Places;
use super::{Failure, PluginOptions, addresses, data, service, shipped, text};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use touchline_gate::Role;

pub fn serve(options: &DeskOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let read = Places::find(plugins)?.files();
    let mut offers = Vec::new();
    for file in files_in(&options.place.folder())? {
        let spec = touchline_config::load_challenge(&file, &read, host.as_ref())?;
        offers.push(Offer {
            name: spec.name,
            title: spec.title,
            file,
            attempts: spec.attempts,
            runs: spec.runs,
            seed: spec.seed,
            max_s: spec.max_secs,
            truth: spec.truth,
        });
    }
    let replays = Replays::new(words_of(plugins));
    let competition = options.competition.as_deref();
    let desk = ChallengeDesk::new((host, read), offers, competition, options.recordings.clone(), replays)?;
    let (key, keys) = challenge_keys::draw(Role::Operator)?;
    let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = tokio.block_on(async {
        // Who gives orders starts programs here: this machine alone, and with a key, as what it starts is here too.
        addresses::check(&options.studio, "--studio", false).await?;
        let listener = addresses::bind(&options.studio, "--studio").await?;
        let url = challenge_keys::address(&format!("http://{}", listener.local_addr()?), &key);
        let stop = service::stop_signal()?;
        let mut out = if options.ready_json { data() } else { text() };
        match options.ready_json {
            true => writeln!(out, "{}", json!({ "event": "ready", "studio": url }))?,
            false => writeln!(out, "challenges {url}")?,
        }
        out.flush()?;
        drop(out);
        touchline_studio::serve_desk(listener, Arc::new(Shared(Arc::clone(&desk))), keys, stop).await;
        Ok(())
    });
    desk.close();
    tokio.shutdown_timeout(service::LONGEST_END);
    served
}

/// The same choice of plugins for another `touchline`.
fn words_of(plugins: &PluginOptions) -> Vec<String> {
    let folder = |word: &str, folder: &Path| {
        // It may be started elsewhere.
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        [word.to_owned(), folder.display().to_string()]
    };
    let PluginOptions { plugins, worlds, robots, .. } = plugins;
    let plugins = plugins.iter().flat_map(|path| folder("--plugins", path));
    let worlds = worlds.iter().flat_map(|path| folder("--worlds-dir", path));
    let robots = robots.iter().flat_map(|path| folder("--robots", path));
    plugins.chain(worlds).chain(robots).collect()
}
