//! Joining and leaving.

use crate::border::{optional_text, put, text};
use crate::robot::{Robot, TouchlineRobot};
use crate::status::{Failure, TouchlineStatus, forget, guard, on_client, remember_while_open};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use touchline_client::{Client, Role, Selection, Term};

/// A robot of one's own in a running world. Made by `touchline_connect`, ended by `touchline_close`.
///
/// Several threads may use one client at the same time.
pub struct TouchlineClient {
    /// Unique in this process: by it the messages of errors are kept.
    pub(crate) id: u64,
    pub(crate) client: Client,
    robot: Robot,
}

/// What a client may do.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchlineRole {
    /// Drives its own robot.
    Player = 0,
    /// Also controls the world. Where the server asks for a key, that says what the client is.
    Operator = 1,
}

/// Who joins, with what. `touchline_options_init` fills in what is said in brackets.
#[repr(C)]
#[derive(Debug)]
pub struct TouchlineOptions {
    /// The size of this struct in the program's header: set by `touchline_options_init`.
    pub struct_size: usize,
    /// `host:port` of the message board (127.0.0.1:7050).
    pub address: *const c_char,
    /// The robot's name, unique in the world: 1 to 32 of `A-Z a-z 0-9 _ - .` (`robot`).
    pub name: *const c_char,
    /// The robot's team (NULL: none).
    pub team: *const c_char,
    /// Path of the robot file. One of these three must be given.
    pub robot_file: *const c_char,
    /// The robot file's text.
    pub robot_text: *const c_char,
    /// One of the server's own robot files, such as `pioneer`.
    pub robot_named: *const c_char,
    /// A `TouchlineRole` (player).
    pub role: i32,
    /// How many rounds of clock synchronisation are made (8).
    pub clock_rounds: u32,
    /// The key, where the server asks for one (NULL: `TOUCHLINE_KEY` of the environment).
    pub key: *const c_char,
    /// Which sensors are read, with blanks between: `camera laser.180DegreeScan feature=ball type=laser` (NULL: all).
    pub selection: *const c_char,
    /// How often the sensors are read, milliseconds (100). 0: only by `touchline_read_sensors`.
    pub cycle_ms: u32,
    /// How long connecting, or any answer, may take, milliseconds (5000); `touchline_step` has more for each step.
    pub timeout_ms: u32,
    /// Whether the server sends the sensors unasked, once in each cycle (false: the client asks).
    pub push: bool,
    /// Whether the robot starts at the pose below (false: at a free place).
    pub has_pose: bool,
    /// Metres, in the world.
    pub x_m: f64,
    /// Metres, in the world.
    pub y_m: f64,
    /// Radians, counter-clockwise, in the world.
    pub theta_rad: f64,
}

impl Default for TouchlineOptions {
    fn default() -> Self {
        let none = std::ptr::null();
        Self {
            struct_size: size_of::<Self>(),
            address: c"127.0.0.1:7050".as_ptr(),
            name: c"robot".as_ptr(),
            team: none,
            robot_file: none,
            robot_text: none,
            robot_named: none,
            role: TouchlineRole::Player as i32,
            clock_rounds: 8,
            key: none,
            selection: none,
            cycle_ms: 100,
            timeout_ms: 5000,
            push: false,
            has_pose: false,
            x_m: 0.0,
            y_m: 0.0,
            theta_rad: 0.0,
        }
    }
}

/// How the clocks were synchronised while connecting.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TouchlineClock {
    /// The client's clock minus the server's, seconds: already added to all stamps.
    pub offset_s: f64,
    /// The way there and back of the best round, seconds: the offset is wrong by half of it at most.
    pub delay_s: f64,
}

/// Fills in the options that are usual. Call it as `touchline_options_init(&options, sizeof options)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_options_init(
    options: *mut TouchlineOptions,
    struct_size: usize,
) -> TouchlineStatus {
    guard(0, || {
        if options.is_null() {
            return Err(Failure::null("options"));
        }
        let usual = TouchlineOptions { struct_size: known_size(struct_size)?, ..TouchlineOptions::default() };
        // SAFETY: the caller's struct has `struct_size` bytes, and no more are written.
        unsafe { copy_bytes(&raw const usual, options, usual.struct_size) };
        Ok(())
    })
}

/// How much of a program's struct this library knows: an older program's is shorter, a newer one's longer.
fn known_size(struct_size: usize) -> Result<usize, Failure> {
    if !(size_of::<usize>()..=4096).contains(&struct_size) {
        let message = "options.struct_size is not set: call touchline_options_init(&options, sizeof options)";
        return Err(Failure::new(TouchlineStatus::BadArgument, message));
    }
    Ok(struct_size.min(size_of::<TouchlineOptions>()))
}

/// # Safety
/// Both have so many bytes, and are not the same.
unsafe fn copy_bytes(from: *const TouchlineOptions, to: *mut TouchlineOptions, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), bytes) };
}

/// Connects, agrees on the version, synchronises the clocks, makes the robot, and begins to read its sensors.
///
/// `*client` is then the caller's, who ends it by `touchline_close`. If this fails it is NULL, and
/// `touchline_last_error(NULL)` says why; a robot file that is wrong is told with all its problems.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_connect(
    options: *const TouchlineOptions,
    client: Option<&mut MaybeUninit<*mut TouchlineClient>>,
) -> TouchlineStatus {
    guard(0, || {
        let client = client.ok_or_else(|| Failure::null("client"))?;
        client.write(std::ptr::null_mut());
        if options.is_null() {
            return Err(Failure::null("options"));
        }
        let mut given = TouchlineOptions::default();
        // SAFETY: every version of the struct begins with its size, and has so many bytes.
        unsafe {
            let size = known_size((&raw const (*options).struct_size).read())?;
            copy_bytes(options, &raw mut given, size);
        }
        // SAFETY: the options' texts are NULL or end in NUL, and live as long as this call.
        let joined = unsafe { connect(&given) }?;
        client.write(Box::into_raw(Box::new(joined)));
        Ok(())
    })
}

/// # Safety
/// The texts are NULL or end in NUL.
unsafe fn connect(options: &TouchlineOptions) -> Result<TouchlineClient, Failure> {
    let bad = |message: String| Failure::new(TouchlineStatus::BadArgument, message);
    let mut builder = Client::builder()
        .cycle(Duration::from_millis(options.cycle_ms.into()))
        // A socket has no time limit of nothing.
        .timeout(Duration::from_millis(options.timeout_ms.max(1).into()))
        .clock_rounds(options.clock_rounds)
        .push(options.push);
    // SAFETY: the caller's promise, for all of them.
    let (address, name, team, file, source, named, key, selection) = unsafe {
        (
            text(options.address, "options.address")?,
            text(options.name, "options.name")?,
            optional_text(options.team, "options.team")?,
            optional_text(options.robot_file, "options.robot_file")?,
            optional_text(options.robot_text, "options.robot_text")?,
            optional_text(options.robot_named, "options.robot_named")?,
            optional_text(options.key, "options.key")?,
            optional_text(options.selection, "options.selection")?,
        )
    };
    builder = builder.name(name);
    if let Some(team) = team {
        builder = builder.team(team);
    }
    builder = match (file, source, named) {
        (Some(file), None, None) => builder.robot_file(file),
        (None, Some(source), None) => builder.robot_text(source),
        (None, None, Some(named)) => builder.robot_named(named),
        (None, None, None) => builder,
        _ => return Err(bad("give one of robot_file, robot_text and robot_named, not several".into())),
    };
    let role = match options.role {
        role if role == TouchlineRole::Player as i32 => Role::Player,
        role if role == TouchlineRole::Operator as i32 => Role::Operator,
        role => {
            return Err(bad(format!(
                "options.role is {role}; allowed are TOUCHLINE_ROLE_PLAYER and _OPERATOR"
            )));
        }
    };
    builder = builder.role(role);
    if let Some(key) = key {
        builder = builder.key(key);
    }
    if options.has_pose {
        let pose = [options.x_m, options.y_m, options.theta_rad];
        if pose.iter().any(|number| !number.is_finite()) {
            return Err(bad(format!("the pose {pose:?} is not finite")));
        }
        let [x_m, y_m, theta_rad] = pose;
        builder = builder.pose(x_m, y_m, theta_rad);
    }
    if let Some(selection) = selection {
        let term = |word| Term::from_word(word).ok_or_else(|| bad(format!("options.selection: \"{word}\"")));
        let terms: Vec<Term> = selection.split_whitespace().map(term).collect::<Result<_, _>>()?;
        if !terms.is_empty() {
            builder = builder.selection(Selection { terms });
        }
    }
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let client = builder.connect(address)?;
    let robot = Robot::new(&client);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    remember_while_open(id);
    Ok(TouchlineClient { id, client, robot })
}

/// Ends the connection, and the robot goes. The client, its description and its texts are gone with it; sensors that
/// were read live on. NULL is nothing.
///
/// No other thread may be within a call with this client: wake it by `touchline_disconnect` and join it first.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_close(client: Option<Box<TouchlineClient>>) {
    let id = client.as_ref().map_or(0, |client| client.id);
    guard(id, || {
        drop(client);
        Ok(())
    });
    if id != 0 {
        forget(id);
    }
}

/// Ends the connection, but not the client: calls of other threads that wait return at once with
/// `TOUCHLINE_STATUS_CLOSED`, and so does every call after this.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_disconnect(client: Option<&TouchlineClient>) -> TouchlineStatus {
    on_client(client, |client| {
        client.client.disconnect();
        Ok(())
    })
}

/// The robot's number, and what its motion commands, sensors and manipulators mean. NULL if the client is NULL.
///
/// It does not change, and lives as long as the client.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_robot(client: Option<&TouchlineClient>) -> Option<&TouchlineRobot> {
    client.map(|client| client.robot.table())
}

/// The client's clock, seconds: all stamps are on it. 0 if the client is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_now_s(client: Option<&TouchlineClient>) -> f64 {
    client.map_or(0.0, |client| client.client.now_secs())
}

/// How the clocks were synchronised.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_clock(
    client: Option<&TouchlineClient>,
    clock: Option<&mut MaybeUninit<TouchlineClock>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        let best = client.client.clock();
        let secs = |us: i64| us as f64 * 1e-6;
        put(clock, "clock", TouchlineClock { offset_s: secs(best.offset_us), delay_s: secs(best.delay_us) })
    })
}
