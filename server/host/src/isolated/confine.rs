//! What a process takes from itself before it loads a library: files, network, other processes, memory without end.
//!
//! Whatever the library then does, the system refuses it: Landlock the files and the network, a filter of the system's calls
//! everything that computing does not need. A call that is not in the list comes back with "not permitted".

use super::memory::{MEMORY_BYTES, succeeded};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where the system keeps the libraries that a library needs.
const SYSTEM: &[&str] =
    &["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/nix/store"];

/// Takes everything from this process that a plugin does not need.
pub fn confine(memory_bytes: u64, readable: &[PathBuf]) -> Result<(), String> {
    // SAFETY: numbers alone; the memory's file is mapped, and none else is needed but the three standard ones.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
    limit(libc::RLIMIT_AS, in_use() + memory_bytes).map_err(|error| error.to_string())?;
    limit(libc::RLIMIT_CORE, 0).map_err(|error| error.to_string())?;
    limit(libc::RLIMIT_NOFILE, 64).map_err(|error| error.to_string())?;
    restrict_files(readable).map_err(|error| error.to_string())?;
    filter_calls().map_err(|error| error.to_string())
}

fn limit(what: libc::__rlimit_resource_t, at_most: u64) -> std::io::Result<()> {
    let limit = libc::rlimit { rlim_cur: at_most, rlim_max: at_most };
    // SAFETY: the record lives as long as the call.
    succeeded(unsafe { libc::setrlimit(what, &raw const limit) })
}

/// The addresses that this process uses already, bytes.
fn in_use() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    pages.map_or(MEMORY_BYTES as u64, |pages| pages * 4096)
}

/// Files can be read where libraries are, and nothing can be written; no socket is bound or connected; nobody else gets a signal.
fn restrict_files(readable: &[PathBuf]) -> Result<(), landlock::RulesetError> {
    let abi = ABI::V6;
    let library_path = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let searched = std::env::split_paths(&library_path).filter(|path| path.is_absolute());
    let paths: Vec<PathBuf> =
        SYSTEM.iter().map(PathBuf::from).chain(searched).chain(readable.iter().cloned()).collect();
    // A path that is not there opens nothing.
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(paths, AccessFs::from_read(abi)))?
        .restrict_self()?;
    Ok(())
}

/// Whether this system can keep files from a process.
pub fn keeps_files() -> bool {
    let hard = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    hard.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create).is_ok()
}

/// What computing needs: memory, time, the way to a library, and an end. No thread, no process, no socket, nothing that writes.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getcpu,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_uname,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_close,
    libc::SYS_read,
    libc::SYS_pread64,
    libc::SYS_readv,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    // To the three standard files, which are nowhere.
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Those that only some machines have.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[libc::c_long] =
    &[libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink, libc::SYS_time];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[libc::c_long] = &[];

fn filter_calls() -> Result<(), seccompiler::Error> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(ALLOWED_HERE).map(|&call| (call, Vec::new())).collect();
    // It may send a signal to itself, which is how it gives up.
    let itself =
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, std::process::id().into())?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![itself])?]);
    // To read. Landlock says which files; a system without it must not let this process write into the server's memory (/proc/PID/mem).
    let reads_by = |flags: u8| -> Result<_, seccompiler::Error> {
        let writing = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) as u64;
        let reads =
            SeccompCondition::new(flags, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(writing), 0)?;
        Ok(vec![SeccompRule::new(vec![reads])?])
    };
    rules.insert(libc::SYS_openat, reads_by(2)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, reads_by(1)?);
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, refuse, SeccompAction::Allow, std::env::consts::ARCH.try_into()?)?;
    let program: BpfProgram = filter.try_into()?;
    seccompiler::apply_filter(&program)
}
