//! Memory that the server shares with one plugin's process, and how each wakes the other.
//!
//! The plugin's process may write anything at any time: the server copies what it reads once, and looks at the copy.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// All of it, bytes: three outputs of the largest size and what they are made from. A page that nobody touches costs nothing.
pub const MEMORY_BYTES: usize = 256 << 20;
/// Where calls begin, behind the head.
pub const FIRST: usize = 256;

/// Head of the shared memory, read and written by both processes.
#[repr(C, align(64))]
pub struct Head {
    /// The number of the call that is asked for.
    pub request: Bell,
    /// The number of the call that was answered last.
    pub reply: Bell,
    /// What is asked for: a [`super::wire::Call`].
    pub call: AtomicU32,
    /// What came of it: one of the interface's statuses.
    pub status: AtomicU32,
    /// Where the input block lies, bytes from the memory's beginning.
    pub input_at: AtomicU32,
    /// Where the output block lies.
    pub output_at: AtomicU32,
}

const _: () = assert!(size_of::<Head>() <= FIRST);

/// A number that one side counts up and the other waits for.
#[repr(C, align(64))]
pub struct Bell {
    number: AtomicU32,
    /// Whether somebody sleeps until it changes.
    is_awaited: AtomicU32,
}

/// The number of the answer to no call: the process is confined, and waits for the first.
pub const READY: u32 = 1;

/// How often who waits looks before it sleeps: about as long as a short call takes.
const LOOKS: u32 = 400;

impl Bell {
    /// Counts up to `number`, and wakes who waits for that.
    pub fn ring(&self, number: u32) {
        self.number.store(number, Ordering::SeqCst);
        if self.is_awaited.load(Ordering::SeqCst) != 0 {
            // SAFETY: the address is that of a word in memory of our own; waking changes none.
            unsafe { libc::syscall(libc::SYS_futex, self.number.as_ptr(), libc::FUTEX_WAKE, 1) };
        }
    }

    /// Waits until the number is another than `before`, at most until `deadline`; gives the number then.
    pub fn wait(&self, before: u32, deadline: Option<Instant>) -> Option<u32> {
        for _ in 0..LOOKS {
            let number = self.number.load(Ordering::Acquire);
            if number != before {
                return Some(number);
            }
            std::hint::spin_loop();
        }
        self.is_awaited.store(1, Ordering::SeqCst);
        let number = loop {
            let number = self.number.load(Ordering::SeqCst);
            if number != before {
                break Some(number);
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                break None;
            }
            self.sleep(before, left);
        };
        self.is_awaited.store(0, Ordering::SeqCst);
        number
    }

    fn sleep(&self, before: u32, at_most: Option<Duration>) {
        let time = at_most.map(|time| libc::timespec {
            tv_sec: time.as_secs() as libc::time_t,
            tv_nsec: time.subsec_nanos().into(),
        });
        let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the address is that of a word in memory of our own, and the time is none or lives as long as the call.
        unsafe { libc::syscall(libc::SYS_futex, self.number.as_ptr(), libc::FUTEX_WAIT, before, time) };
    }
}

/// The memory, as one of the two processes sees it.
pub struct Memory {
    base: NonNull<u8>,
    file: OwnedFd,
}

// SAFETY: it is as any memory; who uses it when is agreed by the bells.
unsafe impl Send for Memory {}

impl Memory {
    /// New memory, full of zeros, that nobody can make shorter.
    pub fn new() -> io::Result<Self> {
        // SAFETY: the name ends with a zero; what is returned is looked at.
        let file =
            unsafe { libc::memfd_create(c"touchline".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was opened just now, and belongs to nobody else.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        // SAFETY: the file is open.
        succeeded(unsafe { libc::ftruncate(file.as_raw_fd(), MEMORY_BYTES as libc::off_t) })?;
        // A file that was made shorter would end who reads there.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: the file is open.
        succeeded(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) })?;
        Self::of(file)
    }

    /// The memory behind a file.
    pub fn of(file: OwnedFd) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the system chooses the place; what is returned is looked at.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), MEMORY_BYTES, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("no memory"))?;
        Ok(Self { base, file })
    }

    /// The file, for the other process.
    pub fn file(&self) -> &OwnedFd {
        &self.file
    }

    pub fn head(&self) -> &Head {
        // SAFETY: it lies at the beginning, is made of atomic numbers, and any bytes are such.
        unsafe { self.base.cast::<Head>().as_ref() }
    }

    /// The address of a place.
    ///
    /// # Panics
    /// When the place does not lie in the memory, which the caller has looked at.
    pub fn at<T>(&self, place: usize) -> *mut T {
        assert!(place <= MEMORY_BYTES - size_of::<T>(), "a place outside of the shared memory");
        // SAFETY: it lies in the memory.
        unsafe { self.base.as_ptr().add(place).cast() }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was mapped by `of`, and nobody can use it any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), MEMORY_BYTES) };
    }
}

/// The system's error, if it reports one.
pub fn succeeded(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
