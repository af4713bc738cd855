//! `touchline connect`: a client by hand. On a terminal lines are edited, remembered and completed; in a pipe they are just sent and shown.

mod screen;
mod words;

use super::Failure;
use super::output::{data_or_terminal, is_its};
use clap::Args;
use screen::Screen;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use touchline_gate::Role;
use touchline_plugin_api::player::is_robot_name;
use words::{Answers, Vocabulary};

/// Where a board listens if nobody says otherwise.
const PORT: u16 = 7050;
/// The name of who says a key or a role, and no name.
const UNNAMED: &str = "hand";
/// Where a key is looked for, as the clients do.
const KEY_VARIABLE: &str = "TOUCHLINE_KEY";

/// Options of `connect`.
#[derive(Debug, Args)]
pub struct ConnectOptions {
    /// Where the message board listens: HOST:PORT, or HOST
    #[arg(value_name = "ADDRESS", default_value = "127.0.0.1:7050")]
    address: String,
    /// The key that lets you in, where the server asks for one; TOUCHLINE_KEY of the environment if not given, which other accounts of this
    /// machine do not see, as they see a command's words
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// What the server calls you: 1 to 32 letters, digits, _, - and dots; your address if not given, or "hand" with a key or a role
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
    /// What you are, where there are no keys: spectator, monitor, player, trainer, referee or operator; a player if not given
    #[arg(long, value_name = "ROLE", conflicts_with = "key", value_parser = role)]
    role: Option<Role>,
}

fn role(word: &str) -> Result<Role, String> {
    let all = || Role::ALL.map(Role::as_str).join(", ");
    Role::from_word(word).ok_or_else(|| format!("one of {}", all()))
}

/// The name, if the board takes it for one.
fn name(name: &str) -> Result<String, String> {
    let is_name = name.len() <= 32 && is_robot_name(name);
    let allowed = "1 to 32 of A-Z a-z 0-9 _ - . and neither a number, dots alone, nor me";
    if is_name { Ok(name.into()) } else { Err(allowed.into()) }
}

impl ConnectOptions {
    /// The first line, if there is something to be said of oneself.
    fn hello(&self) -> Option<String> {
        let name = self.name.as_deref().unwrap_or(UNNAMED);
        let of_environment = || std::env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty());
        let key = self.key.clone().or_else(|| self.role.is_none().then(of_environment).flatten());
        match (key, &self.role) {
            (Some(key), _) => Some(format!("HELLO 1 {name} key={key}")),
            (None, Some(role)) => Some(format!("HELLO 1 {name} role={role}")),
            (None, None) => self.name.as_ref().map(|name| format!("HELLO 1 {name}")),
        }
    }
}

pub fn connect(options: &ConnectOptions) -> Result<(), Failure> {
    let stream = open(&options.address)?;
    let lost = |error: std::io::Error| Failure::Resource(format!("{}: {error}", options.address));
    let mut server = stream.try_clone().map_err(lost)?;
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if let Some(hello) = options.hello() {
        send(&mut server, &hello).map_err(lost)?;
    }
    if on_terminal {
        return by_hand(stream, server, page(&options.address)).map_err(lost);
    }
    match piped(stream, server, lost)? {
        true => Err(Failure::Resource(page(&options.address))),
        false => Ok(()),
    }
}

fn open(address: &str) -> Result<TcpStream, Failure> {
    let with_port = match address.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => address.to_owned(),
        _ => format!("{address}:{PORT}"),
    };
    TcpStream::connect(&with_port).map_err(|error| {
        let hint = "is a server running there? `touchline demo` starts one, which listens on 127.0.0.1:7050";
        Failure::Resource(format!("{with_port}: {error}\n  hint     {hint}"))
    })
}

fn send(server: &mut TcpStream, line: &str) -> std::io::Result<()> {
    server.write_all(format!("{line}\n").as_bytes())
}

/// How a server of web pages begins its answer to what it does not understand; no message board says so.
const OF_PAGE: &str = "HTTP/";

fn page(address: &str) -> String {
    let what = format!("{address}: a web page is served there, and no message board");
    let hint = format!(
        "this looks like the studio's port, which is for a browser; the board has another one ({PORT} if nobody chose): the server says both when it starts"
    );
    format!("{what}\n  hint     {hint}")
}

/// Sends what comes in and shows what comes back, until both have ended; says whether it is a web page that answers.
fn piped(
    stream: TcpStream,
    mut server: TcpStream,
    lost: impl Fn(std::io::Error) -> Failure,
) -> Result<bool, Failure> {
    let shown = std::thread::spawn(move || -> std::io::Result<bool> {
        let (mut stream, mut out) = (BufReader::new(stream), data_or_terminal());
        if stream.fill_buf()?.starts_with(OF_PAGE.as_bytes()) {
            return Ok(true);
        }
        std::io::copy(&mut stream, &mut out)?;
        out.flush().map(|()| false)
    });
    for line in std::io::stdin().lock().lines() {
        // A server that has gone is told of by what it said last, which is shown.
        if send(&mut server, &line.map_err(&lost)?).is_err() {
            break;
        }
    }
    // After the last answer the server closes; so the other thread ends.
    let _ = send(&mut server, "BYE");
    match shown.join().unwrap_or(Ok(false)) {
        Err(error) if is_its(&error) => Err(error.into()),
        shown => shown.map_err(lost),
    }
}

/// A line at a time from the terminal's editor; what the server says is shown above it as it comes.
/// A web page that answers in the board's place is told by `page`, and ends the program.
fn by_hand(stream: TcpStream, mut server: TcpStream, page: String) -> std::io::Result<()> {
    let vocabulary = Arc::new(Vocabulary::default());
    let mut screen = Screen::open(Arc::clone(&vocabulary))?;
    let (mut printer, mut asking) = (screen.printer()?, server.try_clone()?);
    let end = screen.end()?;
    let reader = std::thread::spawn(move || {
        let mut answers = Answers::new(vocabulary);
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        loop {
            line.clear();
            match stream.read_line(&mut line) {
                Ok(length) if length > 0 => {}
                _ => break,
            }
            if line.starts_with(OF_PAGE) {
                end.leave(Some(&page));
            }
            if let Some(shown) = answers.take(line.trim_end_matches(['\r', '\n'])) {
                printer.show(shown);
            }
            for question in answers.questions() {
                let _ = send(&mut asking, &question);
            }
        }
        printer.show("The connection has ended.");
        // The editor waits for a key that need not come.
        end.leave(None);
    });
    while let Some(line) = screen.line()? {
        if !line.trim().is_empty() {
            send(&mut server, &line)?;
        }
        if line.trim().eq_ignore_ascii_case("BYE") {
            break;
        }
    }
    let _ = send(&mut server, "BYE");
    let _ = server.shutdown(Shutdown::Write);
    let _ = reader.join();
    Ok(())
}
