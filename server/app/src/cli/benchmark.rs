//! `touchline benchmark`: scores that can be compared, and the lists of starts that they begin with. (B1)

use super::benchmark_options::{Benchmark, GoalkeeperOptions, StartsOptions};
use super::{Failure, shipped};
use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use touchline_batch::BatchError;
use touchline_benchmark::conditions::{Attacker, Conditions};
use touchline_benchmark::keeper::{Keeper, nearest};
use touchline_benchmark::play::{Played, Task, play};
use touchline_benchmark::report::Report;
use touchline_benchmark::score::Row;
use touchline_benchmark::starts;
use touchline_host::{AttemptResult, Host};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

pub fn benchmark(what: &Benchmark, plugins: &[PathBuf]) -> Result<(), Failure> {
    match what {
        Benchmark::Goalkeeper(options) => goalkeeper(options, plugins),
        Benchmark::Starts(options) => draw_starts(options, plugins),
    }
}

fn goalkeeper(options: &GoalkeeperOptions, plugins: &[PathBuf]) -> Result<(), Failure> {
    let (attacker, host) = attacker(options, plugins)?;
    let conditions = Conditions::new(options.set_up, &*host)?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let stop = stop_at_signal()?;
    let progress = progress(options.episodes * options.levels.0.len() as u64);
    let (mut rows, mut fault): (Vec<Row>, _) = (Vec::new(), None);
    let mut details = options.details.as_deref().map(Details::create).transpose()?;
    for &keeper in &options.levels.0 {
        if stop.load(Ordering::Relaxed) || fault.is_some() {
            break;
        }
        progress.set_message(keeper.to_string());
        let task = Task {
            scenario: conditions.scenario(keeper, &attacker),
            attacker: &attacker,
            episodes: options.episodes as usize,
            seed: options.seed,
            threads: options.threads,
        };
        let played = play(task, Arc::clone(&host) as _, &stop, || progress.inc(1)).map_err(batch_failure)?;
        // A plugin that failed plays on without a driver or rules: that is no result.
        fault = played.iter().enumerate().find_map(|(episode, played)| {
            let fault = played.as_ref()?.fault.as_ref()?;
            Some(format!("{keeper}, episode {episode}: {fault}"))
        });
        if let Some(details) = &mut details {
            details.add(keeper, &played, conditions.starts())?;
        }
        let is_played = played.iter().any(Option::is_some);
        if fault.is_none() && is_played {
            rows.push(Row::of(keeper, &played, conditions.dt_secs()));
        }
    }
    progress.finish_and_clear();
    if let Some(control) = rows.iter().find(|row| row.keeper == Keeper::None.to_string()).cloned() {
        rows.iter_mut().filter(|row| row.keeper != control.keeper).for_each(|row| row.compare(&control));
    }
    let report = Report {
        benchmark: "goalkeeper",
        version: env!("CARGO_PKG_VERSION"),
        digest: conditions.digest(options.episodes, options.seed),
        policy: options.policy.clone(),
        set_up: options.set_up,
        episodes: options.episodes,
        seed: options.seed,
        plugins: conditions.plugins.clone(),
        rows,
        interrupted: stop.load(Ordering::Relaxed),
        wall_seconds: wall.elapsed().as_secs_f64(),
        cpu_seconds: cpu.elapsed().as_secs_f64(),
    };
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{}", serde_json::to_string(&report).map_err(std::io::Error::from)?)?;
    } else {
        write!(out, "{}", report.table())?;
    }
    out.flush()?;
    fault.map_or(Ok(()), |fault| Err(Failure::Plugin(fault)))
}

/// Who attacks, and the plugins, among them one that was named by its file.
fn attacker(options: &GoalkeeperOptions, plugins: &[PathBuf]) -> Result<(Attacker, Arc<Host>), Failure> {
    let policy = options.policy.as_str();
    let is_file = policy.contains(['/', '\\']) || policy.ends_with(std::env::consts::DLL_SUFFIX);
    let params = options.params.clone().unwrap_or_else(|| match policy {
        // It takes its time to aim; the rest is as in a match.
        "scripted" => serde_json::json!({ "shot_error_m": 0.08, "speed_fraction": 0.7 }),
        _ => serde_json::json!({}),
    });
    let player =
        |plugin: &str, host| (Attacker::Player(PluginChoice { plugin: plugin.into(), params }), host);
    if policy == "random" {
        return Ok((Attacker::Random, shipped::load_plugins(plugins)));
    }
    if is_file {
        let path = Path::new(policy);
        let attempt = Host::check_file(path);
        let AttemptResult::Loaded(description) = &attempt.result else {
            return Err(Failure::Plugin(attempt.to_string()));
        };
        if description.kind != PluginKind::Player {
            let (kind, name) = (description.kind, &description.name);
            return Err(Failure::Plugin(format!(
                "{policy} is the {kind} plugin \"{name}\"; a player is needed"
            )));
        }
        let mut folders = vec![path.parent().unwrap_or(Path::new("")).to_owned()];
        if folders[0].as_os_str().is_empty() {
            folders[0] = PathBuf::from(".");
        }
        folders.extend_from_slice(plugins);
        return Ok(player(&description.name, shipped::load_plugins(&folders)));
    }
    let host = shipped::load_plugins(plugins);
    let plugin = if policy == "scripted" { "striker" } else { policy };
    let known = host.descriptions();
    let names =
        || known.iter().filter(|found| found.kind == PluginKind::Player).map(|found| found.name.as_str());
    if names().any(|name| name == plugin) {
        return Ok(player(plugin, host));
    }
    let words = ["random", "scripted"];
    let hint = nearest(policy, words.into_iter().chain(names()));
    let hint = hint.map(|name| format!("\n  hint     did you mean {name}?")).unwrap_or_default();
    let players: Vec<&str> = names().collect();
    Err(Failure::Plugin(format!(
        "no policy \"{policy}\": it is random, scripted, a player plugin's name ({}) or its file{hint}",
        players.join(", ")
    )))
}

/// A table of all episodes.
struct Details {
    path: PathBuf,
    file: std::fs::File,
}

impl Details {
    fn create(path: &Path) -> Result<Self, Failure> {
        let failure = |error| Failure::Resource(format!("{}: cannot be written: {error}", path.display()));
        let file = std::fs::File::create(path).map_err(failure)?;
        let mut details = Self { path: path.to_owned(), file };
        details.write("keeper,episode,start,seed,outcome,steps\n")?;
        Ok(details)
    }

    fn add(&mut self, keeper: Keeper, played: &[Option<Played>], starts: usize) -> Result<(), Failure> {
        let mut text = String::new();
        for (episode, played) in played.iter().enumerate() {
            if let Some(Played { outcome, steps, seed, .. }) = played {
                let start = episode % starts.max(1);
                text += &format!("{keeper},{episode},{start},{seed},{outcome},{steps}\n");
            }
        }
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let failure =
            |error| Failure::Resource(format!("{}: cannot be written: {error}", self.path.display()));
        self.file.write_all(text.as_bytes()).map_err(failure)
    }
}

pub(super) fn batch_failure(error: BatchError) -> Failure {
    match error {
        BatchError::World(error) => error.into(),
        BatchError::Threads(_) => Failure::Resource(error.to_string()),
        _ => Failure::Configuration(error.to_string()),
    }
}

/// Becomes true at SIGINT or SIGTERM; a second one ends the program at once.
fn stop_at_signal() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signal = runtime.block_on(async { super::service::stop_signal() })?;
    // It ends with the program.
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        runtime.block_on(signal);
        told.store(true, Ordering::Relaxed);
        runtime.block_on(async {
            let _ = tokio::signal::ctrl_c().await;
        });
        std::process::exit(130);
    })?;
    Ok(stop)
}

/// On stderr, if people look at it.
fn progress(episodes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(episodes);
    let style = "{msg:12} {wide_bar} {human_pos}/{human_len} episodes, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn draw_starts(options: &StartsOptions, plugins: &[PathBuf]) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins);
    let scenario = shipped::load_scenario(&options.world, None, &host)?;
    let name = scenario.name.clone();
    let list = starts::draw(scenario, Arc::clone(&host) as _, options.count, options.seed)?;
    let list = list.ok_or_else(|| {
        let hint = "it needs a table [episode] with [[episode.start]], see docs/episodes.md";
        Failure::Configuration(format!("world \"{name}\" draws no starts\n  hint     {hint}"))
    })?;
    std::io::stdout().lock().write_all(list.as_bytes())?;
    Ok(())
}
