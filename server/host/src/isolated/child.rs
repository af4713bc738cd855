//! The process of an isolated plugin, from the inside: takes calls out of the shared memory, one after the other.

use super::confine::confine;
use super::memory::{Memory, READY};
use super::process::MEMORY_FILE;
use super::wire::{Call, unpack};
use crate::attempt::AttemptResult;
use crate::load::load;
use crate::registry::Host;
use std::ffi::OsString;
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use touchline_plugin_api::abi::{Block, Create, Instance, ReplyBlock, Table, Text, Visit, status};

/// The first argument by which a program is told that it is one of these.
pub const WORD: &str = "isolated-plugin";

/// Takes calls until the server ends, if this program was started for that; `None` if it was not.
///
/// Has to come first in `main`, before any thread.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == WORD).then(|| match begin(arguments) {
        Ok(memory) => serve(&memory),
        Err(reason) => {
            eprintln!("{WORD}: {reason}; the server starts this for plugins that are kept apart, it is not for hands");
            ExitCode::from(2)
        }
    })
}

fn begin(mut arguments: impl Iterator<Item = OsString>) -> Result<Memory, String> {
    let bytes = arguments.next().and_then(|text| text.to_str()?.parse().ok());
    let bytes: u64 = bytes.ok_or("the bytes of memory are not there")?;
    let readable: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    // SAFETY: nobody else in this process has the number yet; one that is not open is refused by the next call.
    let file = unsafe { OwnedFd::from_raw_fd(MEMORY_FILE) };
    let memory = Memory::of(file).map_err(|error| format!("no shared memory: {error}"))?;
    confine(bytes, &readable).map_err(|error| format!("cannot confine itself: {error}"))?;
    Ok(memory)
}

/// What was loaded, and the one instance.
struct Loaded {
    table: Option<&'static Table>,
    instance: *const Instance,
}

fn serve(memory: &Memory) -> ! {
    let mut loaded = Loaded { table: None, instance: std::ptr::null() };
    memory.head().reply.ring(READY);
    let mut number = 0;
    loop {
        // Without a limit: who ends it is the server.
        let Some(next) = memory.head().request.wait(number, None) else { continue };
        number = next;
        let status = answer(memory, &mut loaded);
        memory.head().status.store(status as u32, Relaxed);
        memory.head().reply.ring(number);
    }
}

fn answer(memory: &Memory, loaded: &mut Loaded) -> i32 {
    let head = memory.head();
    let Some(call) = Call::of(head.call.load(Relaxed)) else { return status::UNSUPPORTED };
    let (input, output) = (head.input_at.load(Relaxed) as usize, head.output_at.load(Relaxed) as usize);
    if let Call::Load | Call::Try = call {
        // SAFETY: the server packed blocks of these types for this call.
        return unsafe { load_library(memory, call, input, output, loaded) };
    }
    let Some(table) = loaded.table else { return status::UNSUPPORTED };
    let run = Run { memory, input, output, instance: loaded.instance };
    // SAFETY: the server packed blocks of the types that the function takes; the table passed all checks.
    unsafe {
        match call {
            Call::Load | Call::Try => status::UNSUPPORTED,
            Call::Create => {
                let status = run.call(table.create);
                loaded.instance = (*memory.at::<touchline_plugin_api::abi::Created>(output)).instance;
                status
            }
            // There is nothing to end if it was never made.
            Call::Destroy if loaded.instance.is_null() => status::OK,
            Call::Destroy => run.call(table.destroy),
            Call::InitialState => run.call(table.initial_state),
            Call::AdvanceMotion => run.call(table.advance_motion),
            Call::AdvanceSensor => run.call(table.advance_sensor),
            Call::Generate => run.call(table.generate),
            Call::Act => run.call(table.act),
            Call::Prepare => run.call(table.prepare),
            Call::Judge => run.call(table.judge),
        }
    }
}

struct Run<'a> {
    memory: &'a Memory,
    input: usize,
    output: usize,
    instance: *const Instance,
}

impl Run<'_> {
    /// # Safety
    /// The server packed blocks of these types, and the function keeps the promises of [`Table`].
    unsafe fn call<I: Block + Visit, O: ReplyBlock + Visit>(
        &self,
        function: unsafe extern "C" fn(*const Instance, *const I, *mut O) -> i32,
    ) -> i32 {
        // SAFETY: the caller's promise.
        unsafe {
            let input = unpack::<I>(self.memory, self.input);
            let output = unpack::<O>(self.memory, self.output);
            function(self.instance, input, output)
        }
    }
}

/// # Safety
/// The server packed a [`Create`] and a [`Text`] at these places.
unsafe fn load_library(memory: &Memory, call: Call, input: usize, output: usize, loaded: &mut Loaded) -> i32 {
    // SAFETY: the caller's promise.
    let (input, output) =
        unsafe { (&*unpack::<Create>(memory, input), &mut *unpack::<Text>(memory, output)) };
    // SAFETY: the slice was unpacked.
    let path = String::from_utf8_lossy(unsafe { input.params.slice() }).into_owned();
    let path = Path::new(&path);
    let result = match call {
        Call::Try => Host::check_file(path).result,
        _ => match load(path) {
            Ok(Some(plugin)) => {
                loaded.table = Some(plugin.table);
                AttemptResult::Loaded(plugin.description)
            }
            Ok(None) => AttemptResult::NotAPlugin,
            Err(refusal) => AttemptResult::Refused(refusal),
        },
    };
    let json = serde_json::to_vec(&result).unwrap_or_default();
    output.text.needed = json.len() as u64;
    if output.text.cap < output.text.needed {
        return status::BUFFER_TOO_SMALL;
    }
    output.text.len = output.text.needed;
    // SAFETY: there is room for them.
    unsafe { std::ptr::copy_nonoverlapping(json.as_ptr(), output.text.ptr, json.len()) };
    status::OK
}
