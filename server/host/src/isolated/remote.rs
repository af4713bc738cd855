//! A plugin in a process of its own, as the server calls it: a table whose functions carry each call over. [P1]

use super::jail::Jail;
use super::memory::{Memory, READY};
use super::pause::Pause;
use super::process::Process;
use super::wire::{Call, fetch, pack};
use super::{Keep, load_again};
use crate::attempt::{AttemptResult, Refusal};
use crate::call::{Function, bad, call, done, enlarge, lend, take};
use crate::handle::make;
use crate::library::Library;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use touchline_plugin_api::abi::{
    Act, Block, Buffer, Create, Created, Generate, Head, INTERFACE_VERSION, Instance, Judge, MotionAdvance,
    MotionReply, Nothing, OrdersReply, Prepare, QuantisedReply, Reply, ReplyBlock, SensorAdvance, Slice,
    StateReply, Table, Text, Visit, status,
};
use touchline_plugin_api::plugin::Fault;

/// The functions of a plugin that runs in a process of its own, for an instance that is a [`Remote`].
///
/// Its kind counts for nothing: no library has this table.
static TABLE: Table = Table {
    interface_version: INTERFACE_VERSION,
    kind: 0,
    unwinds: 1,
    // What comes from there may be anything.
    checked_by_caller: 1,
    describe: unsupported,
    create,
    destroy,
    initial_state: carry::<{ Call::InitialState as u32 }, false, Nothing, StateReply>,
    advance_motion: carry::<{ Call::AdvanceMotion as u32 }, false, MotionAdvance, MotionReply>,
    advance_sensor: carry::<{ Call::AdvanceSensor as u32 }, false, SensorAdvance, StateReply>,
    generate: carry::<{ Call::Generate as u32 }, false, Generate, QuantisedReply>,
    act: carry::<{ Call::Act as u32 }, false, Act, OrdersReply>,
    prepare: carry::<{ Call::Prepare as u32 }, false, Prepare, OrdersReply>,
    judge: carry::<{ Call::Judge as u32 }, false, Judge, OrdersReply>,
};

/// How long the server sleeps before it looks whether the process still lives.
const LOOK_PERIOD: Duration = Duration::from_millis(20);

/// Loading a library and making an instance may take so long, also on a machine that is busy.
const LONGEST_START: Duration = Duration::from_secs(30);

/// A process, and what is needed for another in its place. Calls are made one after the other.
pub struct Remote {
    jail: Jail,
    readable: Vec<PathBuf>,
    /// None before there is an instance: what ends the process then is told, and not tried again.
    made: Arc<OnceLock<Made>>,
    line: Mutex<(Line, Pause)>,
}

/// What an instance was made of, and what it said of itself.
struct Made {
    library: Arc<Library>,
    params: Vec<u8>,
    setup: Vec<u8>,
    json: Vec<u8>,
}

/// One process, and the memory that is shared with it.
struct Line {
    memory: Memory,
    process: Process,
    /// The number of the last call.
    number: u32,
    patience: Patience,
    /// Why it gives no more answers.
    end: Option<String>,
}

/// How long a call may take, with the calls that repeat it because its outputs did not fit.
struct Patience {
    longest_call: Duration,
    /// The call that is to be repeated, and how long it has taken so far.
    begun: Option<(u32, Duration)>,
}

impl Patience {
    fn new(longest_call: Duration) -> Self {
        Self { longest_call, begun: None }
    }

    /// How long a call may take in all.
    fn limit(&self, call: u32) -> Duration {
        let is_step = !matches!(Call::of(call), Some(Call::Load | Call::Try | Call::Create));
        if is_step { self.longest_call } else { self.longest_call.max(LONGEST_START) }
    }

    /// How long it has taken before this time.
    fn spent(&self, call: u32) -> Duration {
        self.begun.filter(|(of, _)| *of == call).map_or(Duration::ZERO, |(_, spent)| spent)
    }

    /// Takes note of an answer that came after so long.
    fn answered(&mut self, call: u32, status: i32, took: Duration) {
        // A reading is not, and the next may be for somebody else.
        let is_repeated = status == status::BUFFER_TOO_SMALL && call != Call::Generate as u32;
        self.begun = is_repeated.then(|| (call, self.spent(call) + took));
    }
}

/// The process is in another folder than the server.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Remote {
    /// Starts a process that may read these files and folders, beside what every library needs.
    pub fn start(jail: &Jail, readable: &[PathBuf]) -> std::io::Result<Self> {
        let memory = Memory::new()?;
        let readable: Vec<PathBuf> = readable.iter().map(|path| absolute(path)).collect();
        let process = Process::start(jail, &memory, &readable)?;
        let patience = Patience::new(jail.limits.longest_call);
        let mut line = Line { memory, process, number: READY, patience, end: None };
        // Nothing of a library has run before it says so: what fails until then is this machine's doing.
        line.await_answer(0, Call::Load as u32).map_err(std::io::Error::other)?;
        let line = Mutex::new((line, Pause::default()));
        Ok(Self { jail: jail.clone(), readable, made: Arc::default(), line })
    }

    /// Loads a library there (`Call::Load`), or makes an instance on trial as well (`Call::Try`); says what became of it.
    pub fn load(&self, what: Call, path: &Path) -> AttemptResult {
        let path = absolute(path);
        let Some(path) = path.to_str() else {
            return AttemptResult::Refused(Refusal::Unreadable("its path is not UTF-8".into()));
        };
        let failed = |fault: Fault| AttemptResult::Refused(Refusal::FailedOnTrial(fault.to_string()));
        match self.ask(what, path.as_bytes()) {
            Ok(json) => serde_json::from_slice(&json).unwrap_or_else(|error| failed(bad(error.to_string()))),
            Err(fault) => failed(fault),
        }
    }

    fn ask(&self, what: Call, text: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut json = Vec::with_capacity(64 * 1024);
        let input = Create { head: Head::of::<Create>(), params: Slice::of(text), setup: Slice::of(&[]) };
        let mut reply =
            Text { head: Head::of::<Text>(), message: Buffer::NONE, text: lend(&TABLE, &mut json) };
        let refit = |reply: &mut Text| enlarge(&TABLE, &mut json, &mut reply.text);
        let function = match what {
            Call::Try => carry::<{ Call::Try as u32 }, false, Create, Text>,
            _ => carry::<{ Call::Load as u32 }, false, Create, Text>,
        };
        // SAFETY: the instance is this one, and the buffer is a vector's memory.
        unsafe {
            done(call(function, self.as_instance(), &input, &mut reply, refit))?;
            take(&TABLE, &mut json, &reply.text)?;
        }
        Ok(json)
    }

    /// Takes note of what an instance is made of when it has been; with another process another is made of the same.
    pub fn keeper(&self, library: Arc<Library>) -> Keep {
        let made = Arc::clone(&self.made);
        Box::new(move |params, setup, json| {
            let [params, setup, json] = [params, setup, json].map(<[u8]>::to_vec);
            let _ = made.set(Made { library, params, setup, json });
        })
    }

    /// The same instance in a new process. All calls are pure, so it goes on where the other ended.
    fn renewed(&self, made: &Made) -> Result<Line, String> {
        let remote = load_again(&self.jail, &self.readable, &made.library)?;
        let instance = remote.as_instance().cast_mut();
        // SAFETY: the table's functions take this instance, and it lives here.
        let again = unsafe { make(remote.table(), instance, &made.params, &made.setup) };
        let (_, json) = again.map_err(|error| error.to_string())?;
        if json != made.json {
            return Err("made of the same once more, it says other things of itself".into());
        }
        Ok(remote.line.into_inner().0)
    }

    /// Makes a call; on failure says why there is no answer. If the process ended in a call before, it is made in a new one.
    ///
    /// # Safety
    /// Slices and buffers of the blocks are valid.
    unsafe fn call<I, O>(
        &self,
        call: u32,
        is_for_watcher: bool,
        input: &I,
        output: &mut O,
    ) -> Result<i32, String>
    where
        I: Block + Visit + Copy,
        O: ReplyBlock + Visit + Copy,
    {
        let (line, pause) = &mut *self.line.lock();
        // No clock decides for the world: what ended in the call of another is renewed for its own.
        if is_for_watcher {
            pause.let_in(Instant::now())?;
        }
        let begun = is_for_watcher.then(Instant::now);
        let renewed = match self.made.get().filter(|_| line.end.is_some()) {
            Some(made) => self.renewed(made).map(|new| *line = new),
            None => Ok(()),
        };
        // SAFETY: the caller's promise.
        let answer = renewed.and_then(|()| unsafe { line.call(call, input, output) });
        if let (Err(why), Some(begun), true) = (&answer, begun, line.end.is_some()) {
            pause.begin(why, begun, Instant::now());
        }
        answer
    }

    /// The table's `generate` for those who look on.
    pub fn generate_for_watchers(&self) -> Function<Generate, QuantisedReply> {
        carry::<{ Call::Generate as u32 }, true, Generate, QuantisedReply>
    }

    /// The functions that take it as their instance.
    pub fn table(&self) -> &'static Table {
        &TABLE
    }

    /// As the functions take it; `destroy` is the last that may.
    pub fn into_instance(self) -> *mut Instance {
        Box::into_raw(Box::new(self)).cast()
    }

    fn as_instance(&self) -> *const Instance {
        std::ptr::from_ref(self).cast()
    }

    /// Whether its process still answers.
    pub fn is_alive(&self) -> bool {
        self.line.lock().0.end.is_none()
    }
}

impl Line {
    /// Makes a call; on failure says why there is no answer.
    ///
    /// # Safety
    /// Slices and buffers of the blocks are valid.
    unsafe fn call<I, O>(&mut self, call: u32, input: &I, output: &mut O) -> Result<i32, String>
    where
        I: Block + Visit + Copy,
        O: ReplyBlock + Visit + Copy,
    {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        // SAFETY: the caller's promise.
        let packed = unsafe { pack(&self.memory, input, output) };
        let packed = packed
            .ok_or("what it is to read and to write is too much for the memory that is shared with it")?;
        let head = self.memory.head();
        use std::sync::atomic::Ordering::Relaxed;
        head.call.store(call, Relaxed);
        head.input_at.store(packed.input as u32, Relaxed);
        head.output_at.store(packed.output as u32, Relaxed);
        let before = self.number;
        self.number = before.wrapping_add(1);
        let begun = Instant::now();
        head.request.ring(self.number);
        if let Err(end) = self.await_answer(before, call) {
            self.process.end();
            self.end = Some(end.clone());
            return Err(end);
        }
        let status = self.memory.head().status.load(Relaxed);
        self.patience.answered(call, status as i32, begun.elapsed());
        // SAFETY: it was packed just now.
        match unsafe { fetch(&self.memory, &packed, output) } {
            Ok(()) => Ok(status as i32),
            Err(buffer) => Err(format!(
                "it writes past the end of its buffer, which is {buffer} records: look at `cap` first"
            )),
        }
    }

    fn await_answer(&mut self, before: u32, call: u32) -> Result<(), String> {
        let begun = Instant::now();
        let (limit, spent) = (self.patience.limit(call), self.patience.spent(call));
        loop {
            if let Some(number) = self.memory.head().reply.wait(before, Some(Instant::now() + LOOK_PERIOD)) {
                return if number == self.number {
                    Ok(())
                } else {
                    Err("its process answers what it was not asked: it was ended".into())
                };
            }
            if let Some(how) = self.process.has_ended() {
                return Err(format!("its process ended: {how}"));
            }
            if spent + begun.elapsed() >= limit {
                let limit = limit.as_millis();
                return Err(format!("it did not return within {limit} ms: its process was ended"));
            }
        }
    }
}

/// # Safety
/// As [`Table`] says, for an instance that is a [`Remote`].
unsafe extern "C" fn carry<const CALL: u32, const IS_FOR_WATCHER: bool, I, O>(
    instance: *const Instance,
    input: *const I,
    output: *mut O,
) -> i32
where
    I: Block + Visit + Copy,
    O: ReplyBlock + Visit + Copy,
{
    // SAFETY: the caller's promise.
    let (remote, input, output) = unsafe { (&*instance.cast::<Remote>(), &*input, &mut *output) };
    // SAFETY: likewise.
    match unsafe { remote.call(CALL, IS_FOR_WATCHER, input, output) } {
        Ok(status) => status,
        Err(why) => {
            say(output.message(), &why);
            status::FAULT
        }
    }
}

/// Makes the instance in the process; what it is there is not told here.
unsafe extern "C" fn create(instance: *const Instance, input: *const Create, output: *mut Created) -> i32 {
    // SAFETY: as `Table` says.
    let status = unsafe { carry::<{ Call::Create as u32 }, false, Create, Created>(instance, input, output) };
    // SAFETY: likewise.
    unsafe {
        (*output).instance = if status == status::OK { instance.cast_mut() } else { std::ptr::null_mut() }
    };
    status
}

/// Ends the instance, and its process with it.
unsafe extern "C" fn destroy(instance: *const Instance, input: *const Nothing, output: *mut Reply) -> i32 {
    // SAFETY: as `Table` says; it was made by `Box::into_raw`, and nobody uses it any more.
    unsafe {
        let is_alive = (*instance.cast::<Remote>()).is_alive();
        let end = carry::<{ Call::Destroy as u32 }, false, Nothing, Reply>;
        // That it is gone was said before.
        let status = if is_alive { end(instance, input, output) } else { status::OK };
        drop(Box::from_raw(instance.cast_mut().cast::<Remote>()));
        status
    }
}

unsafe extern "C" fn unsupported<I, O>(_: *const Instance, _: *const I, _: *mut O) -> i32 {
    status::UNSUPPORTED
}

/// Writes as much of a text as there is room for.
fn say(buffer: &mut Buffer<u8>, text: &str) {
    let end = text.floor_char_boundary(buffer.cap as usize);
    // SAFETY: the buffer has `cap` places.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.ptr, end) };
    buffer.len = end as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P1: a call that is repeated for more room has what the calls before have left it; the next one has all its time again.
    #[test]
    fn repeated_calls_share_their_time() {
        const ACT: u32 = Call::Act as u32;
        const CREATE: u32 = Call::Create as u32;
        let secs = Duration::from_secs_f64;
        let mut patience = Patience::new(secs(2.0));
        assert_eq!((patience.limit(ACT), patience.limit(CREATE)), (secs(2.0), LONGEST_START));
        for repeat in 1..=3 {
            patience.answered(ACT, status::BUFFER_TOO_SMALL, secs(0.5));
            assert_eq!(patience.spent(ACT), secs(0.5 * f64::from(repeat)));
        }
        assert_eq!(patience.spent(CREATE), Duration::ZERO);
        patience.answered(ACT, status::OK, secs(0.4));
        assert_eq!(patience.spent(ACT), Duration::ZERO);
    }
}
