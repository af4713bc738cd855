//! What is said when a plugin's code ends the program: by a crash, by `abort`, by `exit`. (P1)

use crate::calls::label_of_this_thread;

/// Ends the program at once: no destructor runs, of a library either, which may hang.
pub fn exit_at_once(code: i32) -> ! {
    // SAFETY: it takes any number, and does not return.
    unsafe { libc::_exit(code) }
}

/// Whether the program was started to outlive its terminal, as `nohup` does.
#[cfg(unix)]
pub fn hang_up_is_ignored() -> bool {
    static IGNORED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    // Asked before anybody has taken the signal for himself.
    *IGNORED.get_or_init(|| {
        // SAFETY: a `sigaction` of zeros is a valid one, and nothing is set.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let is_known = libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut action) == 0;
            is_known && action.sa_sigaction == libc::SIG_IGN
        }
    })
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub fn hang_up_is_ignored() -> bool {
    true
}

/// The exit code of a program that was ended by `exit` within a plugin's call.
#[cfg(unix)]
const PLUGIN_FAILED: i32 = 5;

/// From now on a crash within a plugin's call names the plugin on stderr, and so does a plugin that calls `exit`, which then is a failure.
///
/// A process that is ended by `_exit` or by `kill -9` says nothing.
#[cfg(unix)]
pub fn name_plugins_that_crash() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
        unix::tell_at(signal);
    }
    // SAFETY: the function takes and gives nothing.
    unsafe { libc::atexit(unix::at_exit) };
}

/// Elsewhere crashes are told by the system alone.
#[cfg(not(unix))]
pub fn name_plugins_that_crash() {}

/// A signal that ends a program, in words.
#[cfg(unix)]
pub(crate) fn signal_name(signal: libc::c_int) -> &'static str {
    match signal {
        libc::SIGSEGV => "SIGSEGV (memory that is not its own, or a stack that overflowed)",
        libc::SIGBUS => "SIGBUS (memory that is not there)",
        libc::SIGILL => "SIGILL (no instruction of this processor)",
        libc::SIGFPE => "SIGFPE (a division of integers by zero)",
        libc::SIGABRT => "SIGABRT (it gave up by itself)",
        libc::SIGKILL => "SIGKILL (it was ended from outside, or the system had no memory left)",
        _ => "a signal",
    }
}

#[cfg(unix)]
mod unix {
    use super::{PLUGIN_FAILED, label_of_this_thread, signal_name};
    use std::sync::atomic::{AtomicPtr, Ordering};

    /// What was to be done at a signal before: the library's own handler tells of a stack that overflowed.
    static BEFORE: [AtomicPtr<libc::sigaction>; 32] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 32];

    pub fn tell_at(signal: libc::c_int) {
        // SAFETY: a `sigaction` of zeros is a valid one; the pointers are to memory of our own.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut before: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = handle;
            action.sa_sigaction = handler as usize;
            // On a stack of its own, if the thread has one: its own may be what overflowed.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
            if libc::sigaction(signal, &raw const action, &raw mut before) == 0 {
                let before = Box::into_raw(Box::new(before));
                BEFORE[signal as usize & 31].store(before, Ordering::Release);
            }
        }
    }

    extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        if let Some(label) = label_of_this_thread() {
            tell(&[label, " crashed the program: ", signal_name(signal)]);
        }
        // As before from now on: where the handler returns to, the same happens again, and an abort is asked for anew.
        let before = BEFORE[signal as usize & 31].load(Ordering::Acquire);
        // SAFETY: it was stored by `tell_at`, or is null, which changes nothing; the system gave `info`.
        unsafe {
            libc::sigaction(signal, before, std::ptr::null_mut());
            let is_sent = (*info).si_code <= 0;
            if is_sent || signal == libc::SIGABRT {
                libc::raise(signal);
            }
        }
    }

    pub extern "C" fn at_exit() {
        if let Some(label) = label_of_this_thread() {
            tell(&[label, " ended the program by exit(): a plugin must return"]);
            super::exit_at_once(PLUGIN_FAILED);
        }
    }

    /// Writes to stderr with nothing but the system's own call.
    fn tell(parts: &[&str]) {
        for part in parts.iter().chain(&["\n"]) {
            // SAFETY: the bytes are the text's own.
            unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
        }
    }
}
