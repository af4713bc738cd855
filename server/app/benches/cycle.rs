//! What a team of clients in lockstep costs the server, and what one command costs it.
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p touchline --bench cycle -- [PROGRAM [CYCLES]]
//! ```
//!
//! `PROGRAM` (this build's `touchline`) serves `worlds/f2000.toml` in lockstep, in a process of its own whose processor time is read from `/proc`.
//!
//! 1. 22 clients, `CYCLES` (6000) times: each drives its robot and asks for camera and odometry in one write, and waits for both answers; then an
//!    operator orders a step.
//! 2. Commands in one stream, and one after the other.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const CLIENTS: usize = 22;
/// Of the kernel's clock in `/proc/<pid>/stat`, seconds.
const TICK_S: f64 = 0.01;

fn main() -> std::process::ExitCode {
    match measure() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = root.join("target/release/touchline").display().to_string();
    let program = arguments.first().unwrap_or(&own);
    let cycles: usize = arguments.get(1).map_or(Ok(6000), |count| count.parse())?;

    let server = Server::start(program, &root)?;
    let mut clients = (0..CLIENTS).map(|_| Client::new(&server.board)).collect::<Result<Vec<_>>>()?;
    for (number, client) in clients.iter_mut().enumerate() {
        client.ask(&format!("ROBOT r{number} file=pioneer\n"))?;
    }
    let mut operator = Client::new(&server.board)?;
    operator.ask("HELLO 1 bench role=operator\n")?;
    let (cpu_s, mut cycle_us) = (server.cpu_s()?, Vec::with_capacity(cycles));
    for cycle in 0..cycles {
        let began = Instant::now();
        for (number, client) in clients.iter_mut().enumerate() {
            let turn = (cycle + number) % 7;
            // One write, and so one packet: `write!` would send each part of the line by itself.
            let request = format!("TWIST me 0.{turn} 0 0.{turn}\nGET me camera odometry\n");
            client.writer.write_all(request.as_bytes())?;
        }
        for client in &mut clients {
            client.answer()?;
            client.answer()?;
        }
        operator.ask("STEP 1\n")?;
        cycle_us.push(began.elapsed().as_secs_f64() * 1e6);
    }
    let cpu_s = server.cpu_s()? - cpu_s;
    cycle_us.sort_by(f64::total_cmp);
    println!(
        "{CLIENTS} clients, {cycles} cycles: {cpu_s:.2} CPU-s of the server, {:.1} us a client and cycle; a cycle {:.0} us (median), {:.0} us (99 %)",
        cpu_s * 1e6 / (cycles * CLIENTS) as f64,
        cycle_us[cycles / 2],
        cycle_us[cycles * 99 / 100]
    );

    let count = cycles * 10;
    let client = &mut clients[0];
    let cpu_s = server.cpu_s()?;
    for _ in 0..count / 500 {
        client.writer.write_all("TWIST me 0.1 0 0.2\n".repeat(500).as_bytes())?;
        for _ in 0..500 {
            client.answer()?;
        }
    }
    println!("commands in streams of 500: {:.1} us", (server.cpu_s()? - cpu_s) * 1e6 / count as f64);
    let cpu_s = server.cpu_s()?;
    for _ in 0..count {
        client.ask("TWIST me 0.1 0 0.2\n")?;
    }
    println!("commands one after the other: {:.1} us", (server.cpu_s()? - cpu_s) * 1e6 / count as f64);
    Ok(())
}

struct Server {
    process: Child,
    board: String,
}

impl Server {
    fn start(program: &str, root: &Path) -> Result<Self> {
        let mut process = Command::new(program)
            .current_dir(root)
            .args(["serve", "worlds/f2000.toml", "--board", "127.0.0.1:0", "--studio", "off"])
            .args(["--speed", "lockstep", "--ready-json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let ready: serde_json::Value = serde_json::from_str(&line)?;
        let board = ready["board"].as_str().ok_or("the ready line names no board")?.to_owned();
        Ok(Self { process, board })
    }

    /// Of all its threads.
    fn cpu_s(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        let fields = stat.rsplit(')').next().ok_or("no end of the name")?;
        let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
        Ok(ticks.iter().sum::<f64>() * TICK_S)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Client {
    writer: TcpStream,
    reader: BufReader<TcpStream>,
    line: String,
}

impl Client {
    /// Past the greeting.
    fn new(board: &str) -> Result<Self> {
        let writer = TcpStream::connect(board)?;
        writer.set_nodelay(true)?;
        let mut client = Self { reader: BufReader::new(writer.try_clone()?), writer, line: String::new() };
        client.read()?;
        Ok(client)
    }

    fn ask(&mut self, request: &str) -> Result<()> {
        self.writer.write_all(request.as_bytes())?;
        self.answer()
    }

    /// Reads a whole answer.
    fn answer(&mut self) -> Result<()> {
        self.read()?;
        if !self.line.starts_with("OK") {
            return Err(self.line.clone().into());
        }
        let more = self.line.split_once(" lines=").and_then(|(_, rest)| rest.split_whitespace().next());
        for _ in 0..more.map_or(Ok(0), str::parse::<usize>)? {
            self.read()?;
        }
        Ok(())
    }

    fn read(&mut self) -> Result<()> {
        self.line.clear();
        if self.reader.read_line(&mut self.line)? == 0 { Err("the server has gone".into()) } else { Ok(()) }
    }
}
