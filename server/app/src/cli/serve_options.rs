//! What can be said of a world or recording that is served.

use super::option_values::{picture_size, replay_speed, seconds, seed, speed};
use super::players::PlayerOptions;
use super::priority::PriorityWish;
use super::soccer::Monitors;
use clap::Args;
use std::path::PathBuf;
use touchline_gate::Speed;
use touchline_record::SensorChoice;
use touchline_soccer::service::PATIENCE;

/// Where the services listen.
#[derive(Clone, Debug, Args)]
pub struct ServiceOptions {
    /// Where the message board listens; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7050")]
    pub board: String,
    /// Where the studio page is served; `off` for no page
    #[arg(long, value_name = "ADDR|off", default_value = "127.0.0.1:7051")]
    pub studio: String,
    /// Where Foxglove and Lichtblick can watch ("Foxglove WebSocket"), and any web page that is open on this machine
    #[arg(long, value_name = "ADDR")]
    pub foxglove: Option<String>,
    /// Print one line of JSON when everything is listening: {"event":"ready","board":"…","studio":"…","priority":"…"}, and "foxglove" and "keys" if asked for
    #[arg(long)]
    pub ready_json: bool,
    /// The keys by which clients and pages are let in (`touchline key` makes them); needed where other machines reach an address
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// What is asked of the system for the world's thread while it runs by the clock; what was got is in the ready line and in STATUS
    #[arg(long, value_name = "PRIORITY", default_value = "auto")]
    pub priority: PriorityWish,
    /// No keys: everybody on this machine is trusted, as without --keys
    #[arg(long, conflicts_with = "keys")]
    pub open: bool,
}

/// Options of `replay`.
#[derive(Debug, Args)]
pub struct ReplayOptions {
    /// The recording, or a game log of the RoboCup Soccer Server (.rcg)
    pub log: PathBuf,
    /// Where it is served.
    #[command(flatten)]
    pub service: ServiceOptions,
    /// What runs beside it.
    #[command(flatten)]
    pub players: PlayerOptions,
    /// Recorded seconds a second, or `max`; a negative factor runs backwards
    #[arg(long, value_name = "FACTOR|max", default_value = "1", value_parser = replay_speed)]
    pub speed: Speed,
    /// A film in place of a page.
    #[command(flatten)]
    pub video: VideoOptions,
    /// The folder of the recordings that can be opened from the page or the board in place of this one; by default that of the file
    #[arg(long, value_name = "DIR", conflicts_with = "video")]
    pub recordings: Option<PathBuf>,
    /// What the process before has left to this one
    #[arg(long, hide = true, require_equals = true, value_name = "FILE")]
    pub handover: Option<PathBuf>,
    /// What a client has opened in place of the recording
    #[arg(long, hide = true, require_equals = true, value_name = "FILE")]
    pub opened: Option<PathBuf>,
}

/// What `replay --video` makes.
#[derive(Debug, Args)]
pub struct VideoOptions {
    /// Write a film of it, and serve nothing: field, robots, names, score and time. It is drawn without a browser; the program ffmpeg, which must be
    /// installed, packs it. `--speed` holds for it too
    #[arg(long, value_name = "OUT.mp4|OUT.webm")]
    pub video: Option<PathBuf>,
    /// The film's size, pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", requires = "video", value_parser = picture_size)]
    pub video_size: (u32, u32),
    /// Pictures a second
    #[arg(long, value_name = "N", default_value_t = 30, requires = "video", value_parser = clap::value_parser!(u32).range(1..=240))]
    pub video_rate: u32,
    /// Recorded second at which the film begins
    #[arg(long, value_name = "SECONDS", default_value = "0", requires = "video", value_parser = seconds)]
    pub video_from: f64,
    /// Recorded second at which it ends; by default where the recording does
    #[arg(long, value_name = "SECONDS", requires = "video", value_parser = seconds)]
    pub video_to: Option<f64>,
    /// Draw what these sensors say too: ROBOT/SENSOR with * for all, such as '*/laser'; may be given several times, or several with commas. Scans,
    /// sonars, sightings and field lines are drawn where the sensor was when it took them
    #[arg(long, value_name = "ROBOT/SENSOR", requires = "video", value_delimiter = ',')]
    pub video_sensors: Vec<SensorChoice>,
}

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// The world file, or the name of a world that came with the program
    pub world: PathBuf,
    /// How it is served.
    #[command(flatten)]
    pub live: LiveOptions,
}

/// How a world is served.
#[derive(Clone, Debug, Args)]
pub struct LiveOptions {
    /// Where it is served.
    #[command(flatten)]
    pub service: ServiceOptions,
    /// Simulated seconds a second, `max` for as fast as possible, `lockstep` for a step only when told
    #[arg(long, value_name = "FACTOR|max|lockstep", default_value = "1", value_parser = speed)]
    pub speed: Speed,
    /// The seed of all randomness, in place of the world file's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// A folder of files that clients may name where a player plugin opens one, such as ONNX models, beside the folders of the world file and
    /// of the robot files; may be given several times
    #[arg(long, value_name = "DIR")]
    pub models: Vec<PathBuf>,
    /// Open the RoboCup Soccer Server's UDP ports too, for its players, coaches, trainers and monitors: those of the world's parameters on
    /// this machine (6000, 6001, 6002), or this one and the two behind it; port 0 takes free ones
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub soccer: Option<String>,
    /// Where steps wait for the clients (the world's parameter synch_mode), make none before so many players have come: then the same clients play the
    /// same game each time
    #[arg(long, value_name = "N", default_value_t = 0, requires = "soccer", value_parser = clap::value_parser!(u8).range(0..=22))]
    pub soccer_players: u8,
    /// Where steps wait for the clients: how long one may think, milliseconds; then the game goes on without it, and after 21 such cycles it is sent away
    #[arg(long, value_name = "MS", default_value_t = PATIENCE.as_millis() as u32, requires = "soccer", value_parser = clap::value_parser!(u32).range(1..=600_000))]
    pub soccer_patience_ms: u32,
    /// What the Soccer Server's monitors may do; by default command as the human referee, with --keys watch
    #[arg(long, value_name = "watch|command", requires = "soccer")]
    pub soccer_monitors: Option<Monitors>,
    /// With --keys: open the Soccer Server's ports all the same. Its protocol knows no keys: whoever reaches them may play, coach and watch
    #[arg(long, requires_all = ["soccer", "keys"])]
    pub soccer_without_keys: bool,
    /// A file of parameters of the Soccer Server, such as its server.conf or player.conf: what it says stands before the world file; may be given
    /// several times
    #[arg(long, value_name = "FILE", requires = "soccer")]
    pub soccer_conf: Vec<PathBuf>,
    /// Write the game's logs as the Soccer Server does: NAME.rcg and NAME.rcl, which must not be there yet
    #[arg(long, value_name = "NAME", requires = "soccer")]
    pub soccer_logs: Option<PathBuf>,
    /// Record everything from the first step on
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Sensors whose readings are recorded ten times a simulated second: ROBOT/SENSOR, each a name or *
    #[arg(long, value_name = "ROBOT/SENSOR,…", value_delimiter = ',')]
    pub record_sensors: Vec<SensorChoice>,
    /// Bring the recording to the disk each second (fsync), so that it is there when the power has gone
    #[arg(long)]
    pub record_sync: bool,
    /// Start the world anew, at the tick that it has come to, whenever a file that it was made of has changed: the libraries of its plugins, the
    /// world file, robot files, models; what came in until then comes in again. A recording goes on in a new file
    #[arg(long, conflicts_with = "soccer")]
    pub watch: bool,
    /// Load everything, and end: whether it would start
    #[arg(long, hide = true)]
    pub rehearse: bool,
    /// What the process before has left to this one
    #[arg(long, hide = true, require_equals = true, value_name = "FILE")]
    pub handover: Option<PathBuf>,
    /// What a client has opened in place of the world
    #[arg(long, hide = true, require_equals = true, value_name = "FILE")]
    pub opened: Option<PathBuf>,
    /// The folder of recordings that are made, and opened, from the page or the board; by default here
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub recordings: PathBuf,
}
