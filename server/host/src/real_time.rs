//! The real-time class of a thread.

use std::io;

/// Puts a thread of this process into the real-time class (`SCHED_RR`, its lowest priority), or takes it out; what the thread starts is not in it.
///
/// # Errors
/// When the system does not allow it, or has no such class.
#[cfg(target_os = "linux")]
pub fn set_real_time(thread: i32, is_real_time: bool) -> io::Result<()> {
    let (class, sched_priority) =
        if is_real_time { (libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, 1) } else { (libc::SCHED_OTHER, 0) };
    let parameters = libc::sched_param { sched_priority };
    // SAFETY: the record lives as long as the call.
    let result = unsafe { libc::sched_setscheduler(thread, class, &raw const parameters) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Elsewhere there is none that could be asked for in this way.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn set_real_time(_: i32, _: bool) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
