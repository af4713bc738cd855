//! What the message board costs above bare tokio, and what its clients cost the loop.
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p touchline --bench board -- [SECONDS] [PULL_SECONDS]
//! ```
//!
//! 1. Round trips of "all features of a robot with a 361-beam laser" (`GET <robot> *`) against those of an echo server
//!    that answers each request line with as many bytes; with 1, 8 and 64 clients on the loopback, in turns of half a
//!    second, `SECONDS` (12) each. The f2000 world runs in real time all the while, and both servers share one tokio
//!    runtime, as the program has it.
//! 2. 64 clients pull the same at 50 Hz for `PULL_SECONDS` (60): how many steps began more than 2 ms late.
//!
//! The clients have a thread of their own and do the same work in both cases: count line ends.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use touchline_board_server::{BoardConfig, BoardService};
use touchline_gate::{Gate, LoopStatus, Speed};
use touchline_host::Host;
use touchline_record::Header;
use touchline_runtime::recorder;
use touchline_runtime::world_loop::{self, Live};
use touchline_sim::World;

const CLIENTS: [usize; 3] = [1, 8, 64];
const TURN: Duration = Duration::from_millis(500);
const PULLERS: usize = 64;
const PULL_PERIOD: Duration = Duration::from_millis(20);

fn main() -> std::process::ExitCode {
    match measure() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<f64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let seconds = arguments.first().copied().unwrap_or(12.0);
    let pull = Duration::from_secs_f64(arguments.get(1).copied().unwrap_or(60.0));

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let host = Arc::new(Host::scan(&[plugin_folder()]));
    let scenario = touchline_config::load_world(&root.join("worlds/f2000.toml"), host.as_ref())
        .map_err(|report| format!("{report}\nbuild all first: cargo build --release --workspace"))?;
    let world = World::new(scenario, Arc::clone(&host) as _)?;
    let header = Header::new(world.scenario().clone(), &[], String::new());
    let (producer, recorder, _recording) =
        recorder::start(&world, header, recorder::Options::live(".".into()))?;
    let (runtime, running) =
        world_loop::start(Live::new(world, producer), recorder, host, Speed::Factor(1.0))?;

    let servers =
        tokio::runtime::Builder::new_multi_thread().worker_threads(workers()).enable_all().build()?;
    let clients = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (robot, beams) = robot_with_laser(&runtime).ok_or("no robot of this world has a laser")?;
    let board = listen(&servers)?;
    let address = board.local_addr()?;
    let service = BoardService::new(runtime.clone(), BoardConfig::default());
    servers.spawn(service.serve(board, std::future::pending()));
    let request = format!("GET {robot} *\n");
    let answer = clients.block_on(sample(address, &request))?;
    let lines = answer.iter().filter(|&&byte| byte == b'\n').count();
    let echo = listen(&servers)?;
    let echo_address = echo.local_addr()?;
    servers.spawn(serve_echo(echo, answer.clone().into()));
    println!(
        "{} byte request, {} byte answer in {lines} lines, {beams} beams; {} workers",
        request.len(),
        answer.len(),
        workers()
    );

    println!(
        "clients | echo p50 us  p99 us | board p50 us  p99 us | p50 ratio  p99 ratio | board requests/s"
    );
    for count in CLIENTS {
        let turns = (seconds / 2.0 / TURN.as_secs_f64()).ceil() as usize;
        let (mut echo, mut board) = (Vec::new(), Vec::new());
        for _ in 0..turns {
            for (address, times) in [(echo_address, &mut echo), (address, &mut board)] {
                times.extend(clients.block_on(round_trips(address, &request, lines, count))?);
            }
        }
        let rate = board.len() as f64 / (turns as f64 * TURN.as_secs_f64());
        let [e50, e99] = percentiles(&mut echo);
        let [b50, b99] = percentiles(&mut board);
        println!(
            "{count:7} | {e50:11.1} {e99:7.1} | {b50:12.1} {b99:7.1} | {:9.2} {:10.2} | {rate:9.0}",
            b50 / e50,
            b99 / e99
        );
    }

    let before = runtime.newest().status;
    std::thread::sleep(pull.min(Duration::from_secs(5)));
    let alone = runtime.newest().status;
    let mut times = clients.block_on(pullers(address, &request, lines, pull))?;
    let after = runtime.newest().status;
    let share = |from: LoopStatus, to: LoopStatus| {
        let (late, steps) = (to.late_steps - from.late_steps, to.timed_steps - from.timed_steps);
        format!(
            "{late} of {steps} steps more than 2 ms late ({:.3} in 1000)",
            1e3 * late as f64 / steps.max(1) as f64
        )
    };
    println!("nobody pulls: {}", share(before, alone));
    println!("{PULLERS} clients pull at 50 Hz: {}", share(alone, after));
    let [p50, p99] = percentiles(&mut times);
    println!("  {} pulls, round trip p50 {p50:.1} us, p99 {p99:.1} us", times.len());
    running.stop();
    Ok(())
}

/// As many as the program has: `TOUCHLINE_BENCH_WORKERS` tries others.
fn workers() -> usize {
    let given = std::env::var("TOUCHLINE_BENCH_WORKERS").ok().and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from))
}

/// Where cargo puts the plugins: beside the folder of this program.
fn plugin_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.ancestors().nth(2).unwrap_or(Path::new(".")).to_owned()
}

fn robot_with_laser(runtime: &Gate) -> Option<(u32, usize)> {
    let published = runtime.newest();
    published.frame.robots.iter().find_map(|robot| {
        let sensors = &robot.identity.description.sensors.sensors;
        let laser = sensors.iter().find(|sensor| sensor.sensor_type == "laser")?;
        Some((robot.identity.number, laser.layout.len()))
    })
}

fn listen(servers: &tokio::runtime::Runtime) -> std::io::Result<TcpListener> {
    servers.block_on(TcpListener::bind(("127.0.0.1", 0)))
}

/// Answers every line with the same bytes.
async fn serve_echo(listener: TcpListener, answer: Arc<[u8]>) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let answer = Arc::clone(&answer);
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let mut buffer = [0; 8192];
            while let Ok(read) = stream.read(&mut buffer).await {
                let lines = buffer[..read].iter().filter(|&&byte| byte == b'\n').count();
                for _ in 0..lines {
                    if stream.write_all(&answer).await.is_err() {
                        return;
                    }
                }
                if read == 0 {
                    return;
                }
            }
        });
    }
}

struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    async fn connect(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; 65_536] })
    }

    /// Sends the request, and reads that many lines.
    async fn round_trip(&mut self, request: &str, mut lines: usize) -> std::io::Result<Duration> {
        let start = Instant::now();
        self.stream.write_all(request.as_bytes()).await?;
        while lines > 0 {
            let read = self.stream.read(&mut self.buffer).await?;
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            lines = lines.saturating_sub(self.buffer[..read].iter().filter(|&&byte| byte == b'\n').count());
        }
        Ok(start.elapsed())
    }
}

/// One answer of the board, without the greeting.
async fn sample(address: SocketAddr, request: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(format!("{request}BYE\n").as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    let greeting = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let answer = &bytes[greeting..];
    Ok(answer.strip_suffix(b"OK BYE\n").unwrap_or(answer).to_vec())
}

/// All clients ask as fast as they are answered, for one turn.
async fn round_trips(
    address: SocketAddr,
    request: &str,
    lines: usize,
    count: usize,
) -> std::io::Result<Vec<Duration>> {
    let end = Instant::now() + TURN;
    let mut clients = Vec::new();
    for _ in 0..count {
        clients.push(Client::connect(address).await?);
    }
    let request = Arc::<str>::from(request);
    let asking = clients.into_iter().map(|client| (client, Arc::clone(&request)));
    let asking = asking.map(|(mut client, request)| async move {
        // The greeting of the board, and the first request, come before the measurement.
        let greeting = usize::from(client.is_greeted().await?);
        client.round_trip(&request, lines + greeting).await?;
        let mut times = Vec::new();
        while Instant::now() < end {
            times.push(client.round_trip(&request, lines).await?);
        }
        Ok(times)
    });
    all(asking).await
}

/// Runs all at once, each as a task.
async fn all(
    tasks: impl Iterator<Item = impl Future<Output = std::io::Result<Vec<Duration>>> + Send + 'static>,
) -> std::io::Result<Vec<Duration>> {
    let tasks: JoinSet<_> = tasks.collect();
    let times: std::io::Result<Vec<_>> = tasks.join_all().await.into_iter().collect();
    Ok(times?.into_iter().flatten().collect())
}

impl Client {
    /// Only the board greets: nobody else sends before being asked.
    async fn is_greeted(&self) -> std::io::Result<bool> {
        let mut byte = [0];
        let greeting = tokio::time::timeout(Duration::from_millis(50), self.stream.peek(&mut byte));
        greeting.await.map_or(Ok(false), |peeked| peeked.map(|_| true))
    }
}

/// Each client asks every 20 ms, the clients evenly spread over that time.
async fn pullers(
    address: SocketAddr,
    request: &str,
    lines: usize,
    time: Duration,
) -> std::io::Result<Vec<Duration>> {
    let start = tokio::time::Instant::now();
    let request = Arc::<str>::from(request);
    let asking =
        (0..PULLERS).map(|number| (number, Arc::clone(&request))).map(|(number, request)| async move {
            let mut client = Client::connect(address).await?;
            client.round_trip(&request, lines + 1).await?;
            let first = start + PULL_PERIOD * number as u32 / PULLERS as u32;
            let mut ticks = tokio::time::interval_at(first, PULL_PERIOD);
            ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
            let mut times = Vec::new();
            while start.elapsed() < time {
                ticks.tick().await;
                times.push(client.round_trip(&request, lines).await?);
            }
            Ok(times)
        });
    all(asking).await
}

/// Median and 99th percentile, microseconds.
fn percentiles(times: &mut [Duration]) -> [f64; 2] {
    times.sort_unstable();
    let at = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times.get(place.min(times.len().saturating_sub(1))).map_or(f64::NAN, |time| time.as_secs_f64() * 1e6)
    };
    [at(0.5), at(0.99)]
}
