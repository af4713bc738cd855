//! Plugins in processes of their own, for code that nobody knows: what ends, hangs or breaks there costs that instance, and nothing else. [P1]
//!
//! Each instance has one process and some memory that it shares with the server. A call is packed into the memory, with all that its blocks
//! lend ([`wire`]); the process is rung ([`memory`]), unpacks it, makes it, and rings back. To the rest of the server it is a plugin with a
//! [table](remote::TABLE) as any other. A process that has ended costs the call in which it did; the next one has a new process, for an
//! instance remembers nothing. Before it loads the library the process takes from itself what the library shall not have
//! ([`confine`]).

#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod jail;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod pause;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod remote;
mod trial;
#[cfg(target_os = "linux")]
mod wire;

#[cfg(target_os = "linux")]
pub use child::run_if_asked;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Call, Remote, run_if_asked};
pub use jail::{Isolation, Jail, Limits, Which};
#[cfg(target_os = "linux")]
pub use remote::Remote;
pub use trial::{load_again, no_process, try_all, try_one};
#[cfg(target_os = "linux")]
pub use wire::Call;

/// Says once if this system leaves open to isolated plugins what they should not have.
pub fn tell_what_stays_open() {
    #[cfg(target_os = "linux")]
    {
        static TOLD: std::sync::Once = std::sync::Once::new();
        TOLD.call_once(|| {
            if !confine::keeps_files() {
                tracing::warn!(
                    "plugins in processes of their own can read every file that this program can: this system has no Landlock (Linux 5.13, switched on)"
                );
            }
        });
    }
}

/// Takes the parameters, the setup and the description of the instance that was made.
pub type Keep = Box<dyn FnOnce(&[u8], &[u8], &[u8])>;
