//! `touchline soccer`: one game of two teams' start scripts, as fast as they answer.

use super::option_values::seed;
use super::places::Places;
use super::process::Process;
use super::service::{LONGEST_END, stop_signal};
use super::soccer::{Monitors, Wish};
use super::soccer_log::result;
use super::{Failure, PluginOptions, print, serve, shipped, soccer, soccer_params};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use touchline_gate::{Gate, Speed};
use touchline_runtime::recorder::{self, Options};
use touchline_runtime::world_loop::{self, Live};
use touchline_sim::Scenario;
use touchline_soccer::service::{Ended, Ports, Served};
use touchline_soccer::sessions::Port;
use touchline_soccer::statistics::Statistics;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::params::ParamError;

/// While players are awaited, it is looked so often whether a start script has failed.
const LOOK: Duration = Duration::from_millis(50);

/// Options of `soccer`.
#[derive(Debug, Args)]
pub struct SoccerOptions {
    /// How the left team is started; a line for the shell, in which {host}, {port} and {coach-port} stand for the team's own ports, {trainer-port} for the server's
    #[arg(long, value_name = "CMD")]
    pub left: String,
    /// How the right team is started
    #[arg(long, value_name = "CMD")]
    pub right: String,
    /// The world file, or the name of a world that came with the program
    #[arg(long, value_name = "WORLD", default_value = "soccer")]
    pub world: PathBuf,
    /// The seed of all randomness, the players' types among it, in place of the world file's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// A file of parameters of that server, such as its server.conf or player.conf: what it says stands before the world file; may be given
    /// several times
    #[arg(long, value_name = "FILE")]
    pub conf: Vec<PathBuf>,
    /// Parameters of the game by their names, such as server::half_time=60; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Where monitors come, and behind it the trainer; by default the world's ports on this machine, port 0 takes free ones
    #[arg(long, value_name = "HOST:PORT", default_value = "")]
    pub address: String,
    /// The game begins when so many players have come
    #[arg(long, value_name = "N", default_value_t = 22, value_parser = clap::value_parser!(u8).range(1..=22))]
    pub players_awaited: u8,
    /// How long they may take, seconds
    #[arg(long, value_name = "SECS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub wait_secs: u32,
    /// What monitors may do
    #[arg(long, value_name = "watch|command", default_value = "watch")]
    pub monitors: Monitors,
    /// How long a client may think, milliseconds; then the game goes on without it, and after 21 such cycles it is sent away
    #[arg(long, value_name = "MS", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=600_000))]
    pub patience_ms: u32,
    /// Play in real time, as on stage, and not as fast as the teams answer
    #[arg(long)]
    pub real_time: bool,
    /// Write the game's logs here: NAME.rcg and NAME.rcl, which must not be there yet
    #[arg(long, value_name = "NAME")]
    pub logs: Option<PathBuf>,
    /// Record everything from the first step on
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How a game went, as it is printed.
#[derive(Serialize)]
struct Outcome {
    teams: [String; 2],
    score: [u32; 2],
    /// Penalties that went in, if there was a shoot-out.
    penalties: Option<[u32; 2]>,
    cycle: u32,
    mode: String,
    /// Whether it was stopped before its end.
    interrupted: bool,
    /// Cycles in which a client was not done in time: without any, the same teams play the same game again.
    missed_cycles: u32,
    seed: u64,
    /// Of the world in the step that ended the game.
    state_hash: String,
    statistics: Statistics,
    logs: Option<[PathBuf; 2]>,
    recording: Option<PathBuf>,
}

/// Plays one game.
pub fn play(options: &SoccerOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let file = places.world(&options.world)?;
    let scenario = with_parameters(shipped::load_scenario(&file, options.seed, &host, &places)?, options)?;
    let wish = Wish {
        option: "--address",
        word: &options.address,
        players: options.players_awaited,
        monitors: options.monitors,
        patience: Duration::from_millis(options.patience_ms.into()),
    };
    let mut plan = soccer::plan(&wish, &scenario, &host)?;
    let places = options.logs.as_deref().map(|name| soccer::log_places(name, &scenario)).transpose()?;
    let logs = places.clone().map(|places| places.map(|place| place.path));
    let (progress, has_come) = watch::channel(Ended::default());
    (plan.logs, plan.options.progress) = (places, Some(progress));
    let seed = scenario.seed;
    let header = serve::header(&scenario, host.as_ref());
    let world = shipped::new_world(&file, scenario, &host)?;
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (ended, recorded) = tokio.block_on(async {
        let stop = stop_signal()?;
        let ports = plan.open().await?.with_team_ports()?;
        let (producer, recorder, recording) = recorder::start(
            &world,
            header,
            Options {
                file: options.record.clone(),
                folder: PathBuf::from("."),
                sensors: Vec::new(),
                keeps_past: false,
                waits: true,
                syncs: false,
                stream: None,
            },
        )?;
        let speed = if options.real_time { Speed::Factor(1.0) } else { Speed::Lockstep };
        let (gate, running) =
            world_loop::start(Live::new(world, producer), recorder, Arc::clone(&host) as _, speed)?;
        let ended = follow(ports, plan, &gate, options, has_come, stop).await;
        tokio::task::spawn_blocking(move || running.stop()).await.map_err(std::io::Error::from)?;
        Ok::<_, Failure>((ended, recording))
    })?;
    tokio.shutdown_timeout(LONGEST_END);
    let recorded = recorded.finish().map_err(Failure::from);
    let (served, interrupted) = ended?;
    let logs = logs.filter(|_| served.has_logs);
    let written = Failure::any([soccer::all_written(&served), recorded]);
    let Ended { teams, scores, penalties, cycle, mode, missed_cycles, state_hash, statistics, .. } =
        served.game;
    let outcome = Outcome {
        teams,
        score: scores,
        penalties,
        cycle,
        mode,
        interrupted,
        missed_cycles,
        seed,
        state_hash: format!("{state_hash:016x}"),
        statistics,
        logs,
        recording: options.record.clone(),
    };
    print(options.json, &outcome, |out| {
        let result = result(&outcome.teams, outcome.score, outcome.penalties);
        writeln!(out, "{result}   cycle {}, {}, seed {seed}", outcome.cycle, outcome.mode)?;
        writeln!(out, "{statistics}")?;
        if outcome.interrupted {
            writeln!(out, "stopped before its end")?;
        }
        if outcome.missed_cycles > 0 {
            writeln!(out, "in {} cycles a client was not done in time", outcome.missed_cycles)?;
        }
        Ok(())
    })?;
    let stopped = match interrupted {
        true => Err(Failure::Interrupted(format!("stopped in cycle {cycle}, before the game's end"))),
        false => Ok(()),
    };
    // The game was played all the same.
    Failure::any([written, stopped])
}

/// The scenario with the game's parameters: it begins and ends by itself, and steps wait for the teams.
fn with_parameters(mut scenario: Scenario, options: &SoccerOptions) -> Result<Scenario, Failure> {
    soccer_params::change(&mut scenario, |params| {
        soccer_params::read_conf(params, &options.conf)?;
        params.server.auto_mode = true;
        params.server.synch_mode = !options.real_time;
        if let Some(seed) = options.seed {
            params.player.random_seed = (seed & 0x7fff_ffff) as i32;
        }
        for assignment in &options.set {
            let wrong = |error: ParamError| Failure::Configuration(format!("--set {assignment}: {error}"));
            let (name, value) = assignment.split_once('=').ok_or_else(|| {
                Failure::Configuration(format!(
                    "--set {assignment}: expected NAME=VALUE, such as server::half_time=60"
                ))
            })?;
            params.set(name.trim(), value.trim()).map_err(wrong)?;
        }
        Ok(())
    })?;
    Ok(scenario)
}

/// A team's start script.
struct Team {
    side: Side,
    /// As it was given.
    line: String,
    process: Process,
}

impl Team {
    /// Starts it with the ports that are its own.
    fn start(side: Side, line: &str, ports: &Ports) -> Result<Self, Failure> {
        let (players, coach) = (ports.address(Port::Team(side))?, ports.address(Port::TeamCoach(side))?);
        let command = line
            .replace("{host}", &players.ip().to_string())
            .replace("{port}", &players.port().to_string())
            .replace("{trainer-port}", &ports.address(Port::Trainer)?.port().to_string())
            .replace("{coach-port}", &coach.port().to_string());
        let words = ["/bin/sh".to_owned(), "-c".to_owned(), command];
        let process = Process::start(&words, Path::new("."), &[]).map_err(Failure::Plugin)?;
        Ok(Self { side, line: line.to_owned(), process })
    }

    /// How the script has failed, if it has; one that has ended well may have left its players playing.
    fn failure(&mut self) -> Option<ExitStatus> {
        self.process.ended().filter(|status| !status.success())
    }

    /// Ends it, and gives what it has said last.
    fn last_words(&mut self) -> String {
        self.process.end(Duration::ZERO);
        let words = self.process.last_words();
        let words = if words.is_empty() { "nothing" } else { &words };
        format!("the {} team's start script says: {words}", self.side.word())
    }
}

/// Starts the teams, and follows the game to its end; tells whether it was stopped before.
async fn follow(
    ports: Ports,
    plan: soccer::Plan,
    gate: &Gate,
    options: &SoccerOptions,
    has_come: watch::Receiver<Ended>,
    stop: impl Future<Output = ()>,
) -> Result<(Served, bool), Failure> {
    let start = |side, line| Team::start(side, line, &ports);
    let mut teams = [start(Side::Left, &options.left)?, start(Side::Right, &options.right)?];
    let (end, ending) = oneshot::channel::<()>();
    let shutdown = async {
        let _ = ending.await;
    };
    let mut game =
        std::pin::pin!(touchline_soccer::service::spawn(ports, gate.clone(), plan.options, shutdown)?);
    let mut stop = std::pin::pin!(stop);
    let come = tokio::select! {
        () = &mut stop => Err(Failure::Interrupted("stopped before the game began".into())),
        come = all_come(&mut teams, has_come, options) => come,
    };
    if let Err(why) = come {
        drop(end);
        // It is on a thread of its own, which takes away the logs of no game before the program ends.
        let _ = game.await;
        return Err(why);
    }
    let (ended, is_stopped) = tokio::select! {
        ended = &mut game => (ended, false),
        () = &mut stop => {
            let _ = end.send(());
            (game.await, true)
        }
    };
    drop(teams);
    Ok((ended?, is_stopped))
}

/// Waits for the players.
///
/// # Errors
/// When a start script fails before, or they take too long.
async fn all_come(
    teams: &mut [Team; 2],
    mut has_come: watch::Receiver<Ended>,
    options: &SoccerOptions,
) -> Result<(), Failure> {
    let awaited = usize::from(options.players_awaited);
    let too_late = tokio::time::sleep(Duration::from_secs(options.wait_secs.into()));
    let mut too_late = std::pin::pin!(too_late);
    loop {
        tokio::select! {
            // A game that ends before it has begun says itself why.
            _ = has_come.wait_for(|game| game.players >= awaited) => return Ok(()),
            () = &mut too_late => break,
            () = tokio::time::sleep(LOOK) => {}
        }
        for team in &mut *teams {
            let Some(status) = team.failure() else { continue };
            let (side, line) = (team.side.word(), &team.line);
            let how = format!("the {side} team's start script has failed, {status}: {line}");
            return Err(Failure::Plugin(format!("{how}\n{}", team.last_words())));
        }
    }
    let players = has_come.borrow().players;
    let how = format!("{players} of {awaited} players have come in {} s", options.wait_secs);
    let [left, right] = teams.each_mut().map(Team::last_words);
    Err(Failure::Plugin(format!("{how}\n{left}\n{right}")))
}
