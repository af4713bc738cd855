//! What commands have in common that compute for long: a way to be stopped, and a bar that shows how far they are.

use super::Failure;
use indicatif::{ProgressBar, ProgressBarIter, ProgressFinish, ProgressStyle};
use std::fs::File;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Becomes true at SIGINT or SIGTERM; a second one ends the program at once.
pub fn stop_at_signal() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signal = runtime.block_on(async { super::service::stop_signal() })?;
    // It ends with the program.
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        runtime.block_on(signal);
        told.store(true, Ordering::Relaxed);
        runtime.block_on(async {
            let _ = tokio::signal::ctrl_c().await;
        });
        std::process::exit(130);
    })?;
    Ok(stop)
}

/// On stderr, if people look at it.
pub fn progress(length: u64, of: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    let style = format!("{{msg:12}} {{wide_bar}} {{human_pos}}/{{human_len}} {of}, {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// As [`progress`], with a table below, which is the bar's message.
pub fn progress_with_table(length: u64, of: &str) -> ProgressBar {
    let bar = progress(length, of);
    let style = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {of}, {{eta}} left\n{{msg}}");
    bar.set_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A file, with a bar on stderr of how far it has been read, if people look at it.
pub fn reading(file: File) -> ProgressBarIter<File> {
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(length) } else { ProgressBar::hidden() };
    let style = "reading {wide_bar} {bytes}/{total_bytes}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.with_finish(ProgressFinish::AndClear).wrap_read(file)
}

/// A number of threads on the command line.
pub fn threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|threads| *threads <= 1024).ok_or_else(|| "a number from 0 to 1024".into())
}
