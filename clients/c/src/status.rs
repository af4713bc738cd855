//! How a call ended, and why.

use crate::client::TouchlineClient;
use crate::sensors::TouchlineSensors;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use touchline_client::{Error, Term};

/// How a call ended. `touchline_last_error` says in words what went wrong.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchlineStatus {
    /// All is well.
    Ok = 0,
    /// A pointer that must be there is NULL.
    NullArgument = 1,
    /// A text is not UTF-8 or has line ends in it, or a number is not allowed.
    BadArgument = 2,
    /// No server answers at the address.
    NoServer = 3,
    /// What answers is no Touchline server, or speaks another version.
    Protocol = 4,
    /// The robot file cannot be read.
    RobotFile = 5,
    /// The server refused the command: `touchline_last_error_code` is its code.
    Refused = 6,
    /// The connection has ended.
    Closed = 7,
    /// Nothing came in time.
    Timeout = 8,
    /// The robot has no such sensor, feature or field; the message lists what there is.
    NotFound = 9,
    /// The sensor was not read yet, was not selected, or has failed.
    NoReading = 10,
    /// The feature's integers are not what this data object is made of.
    WrongFormat = 11,
    /// The array is too small; the length that it needs was written.
    TooSmall = 12,
    /// A mistake in the library itself.
    Internal = 13,
}

/// Why a call failed.
#[derive(Clone, Debug)]
pub struct Failure {
    status: TouchlineStatus,
    code: String,
    message: String,
}

impl Failure {
    pub fn new(status: TouchlineStatus, message: impl Into<String>) -> Self {
        Self { status, code: String::new(), message: message.into() }
    }

    pub fn null(name: &str) -> Self {
        Self::new(TouchlineStatus::NullArgument, format!("{name} is NULL"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Connect { .. } => TouchlineStatus::NoServer,
            Error::RobotFile { .. } => TouchlineStatus::RobotFile,
            Error::NotOurServer(_) | Error::Protocol(_) => TouchlineStatus::Protocol,
            Error::Refused { .. } => TouchlineStatus::Refused,
            Error::Connection(io) if io.kind() == std::io::ErrorKind::WouldBlock => TouchlineStatus::Timeout,
            Error::Connection(_) | Error::Closed(_) => TouchlineStatus::Closed,
            Error::Timeout(_) => TouchlineStatus::Timeout,
            Error::NotFound(_) | Error::UnknownTurn(_) => TouchlineStatus::NotFound,
            Error::NoReading(_) => TouchlineStatus::NoReading,
            Error::Data(_) => TouchlineStatus::WrongFormat,
            Error::NoRobot | Error::BadText(_) => TouchlineStatus::BadArgument,
            _ => TouchlineStatus::Internal,
        };
        let message = match &error {
            Error::NoRobot => "no robot is given: set robot_file, robot_text or robot_named".into(),
            Error::NotFound(missing) => {
                let (query, there) = (Term::Query(missing.query.clone()), missing.features.join(", "));
                format!("no sensor gives {query}; this robot has {there}")
            }
            error => error.to_string(),
        };
        let code = if let Error::Refused { code, .. } = error { code } else { String::new() };
        Self { status, code, message }
    }
}

/// The last failure of one handle in one thread.
struct Last {
    client: u64,
    code: CString,
    message: CString,
}

/// So many handles are kept in mind in each thread, and all clients that are not closed beside them.
const REMEMBERED: usize = 64;

thread_local! {
    static LAST: RefCell<Vec<Last>> = const { RefCell::new(Vec::new()) };
}

/// The clients that are not closed: the texts of their failures may still be looked at.
static OPEN: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

fn open_clients() -> MutexGuard<'static, BTreeSet<u64>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A client has come: what it fails in is remembered until it is closed.
pub fn remember_while_open(client: u64) {
    open_clients().insert(client);
}

/// A text for C: it ends before the first NUL.
pub fn c_text(text: &str) -> CString {
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

fn remember(client: u64, failure: &Failure) {
    let last = Last { client, code: c_text(&failure.code), message: c_text(&failure.message) };
    // A thread that is ending has no memory any more.
    let _ = LAST.try_with(|list| {
        let mut list = list.borrow_mut();
        list.retain(|last| last.client != client);
        if list.len() >= REMEMBERED {
            // What has no client (0) is always there.
            let open = open_clients();
            let oldest = list.iter().position(|last| last.client != 0 && !open.contains(&last.client));
            if let Some(oldest) = oldest {
                list.remove(oldest);
            }
        }
        list.push(last);
    });
}

/// A client has gone: its message is no longer asked for.
pub fn forget(client: u64) {
    open_clients().remove(&client);
    let _ = LAST.try_with(|list| list.borrow_mut().retain(|last| last.client != client));
}

fn recall(client: u64, part: fn(&Last) -> &CString) -> *const c_char {
    let found = LAST.try_with(|list| {
        let list = list.borrow();
        list.iter().find(|last| last.client == client).map(|last| part(last).as_ptr())
    });
    found.ok().flatten().unwrap_or(c"".as_ptr())
}

/// Runs the body of a function: a failure is kept for `touchline_last_error`, a panic becomes one.
pub fn guard(client: u64, body: impl FnOnce() -> Result<(), Failure>) -> TouchlineStatus {
    // What a panic leaves half done is not seen again: bodies write to outputs only when all is well.
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason");
        Err(Failure::new(TouchlineStatus::Internal, format!("a mistake in the library: {text}")))
    });
    match result {
        Ok(()) => TouchlineStatus::Ok,
        Err(failure) => {
            remember(client, &failure);
            failure.status
        }
    }
}

/// [`guard`] for a function that has a client.
pub fn on_client(
    client: Option<&TouchlineClient>,
    body: impl FnOnce(&TouchlineClient) -> Result<(), Failure>,
) -> TouchlineStatus {
    guard(client.map_or(0, |client| client.id), || body(client.ok_or_else(|| Failure::null("client"))?))
}

/// What went wrong in the last call that failed, of this thread, with this client: for people. An empty text if none
/// did.
///
/// With NULL: in the last call that had no client, such as `touchline_connect`, or one that was given NULL. The text
/// lives until the next such call fails in this thread, or the client is closed. A wrong robot file is told with all
/// its problems, one in each line.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_last_error(client: Option<&TouchlineClient>) -> *const c_char {
    recall(client.map_or(0, |client| client.id), |last| &last.message)
}

/// The code with which the server refused, such as `sim/wrong-dimensions`; empty if the last failure was another one.
///
/// Lives as long as the text of `touchline_last_error`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_last_error_code(client: Option<&TouchlineClient>) -> *const c_char {
    recall(client.map_or(0, |client| client.id), |last| &last.code)
}

/// The message of a client's last failure.
pub fn last_error_of(client: u64) -> *const c_char {
    recall(client, |last| &last.message)
}

/// `touchline_last_error` of the client from which the sensors are, though it may be closed. Once it is, a thread keeps
/// the text of its next failure until calls with 64 other handles have failed in it.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_sensors_last_error(sensors: Option<&TouchlineSensors>) -> *const c_char {
    recall(sensors.map_or(0, |sensors| sensors.client), |last| &last.message)
}

/// A status in words, such as `no server`. Lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_status_text(status: i32) -> *const c_char {
    const TEXTS: [&std::ffi::CStr; 14] = [
        c"ok",
        c"a pointer is NULL",
        c"bad argument",
        c"no server",
        c"no Touchline server of this version",
        c"the robot file cannot be read",
        c"refused by the server",
        c"the connection has ended",
        c"nothing came in time",
        c"not found",
        c"no reading",
        c"another format",
        c"the array is too small",
        c"a mistake in the library",
    ];
    usize::try_from(status).ok().and_then(|status| TEXTS.get(status)).unwrap_or(&c"unknown status").as_ptr()
}
