//! Recordings of what is played here without a server: attempts of challenges, matches of tournaments.

use super::serve;
use std::fs;
use std::path::{Path, PathBuf};
use touchline_runtime::recorder::{self, Producer, Recording};
use touchline_sim::{PluginFactory, World};

/// Begins the recording of a world before its first step; the world waits for the disk when it must.
///
/// # Errors
/// When the file cannot be begun.
pub fn start(
    world: &World,
    plugins: &dyn PluginFactory,
    file: PathBuf,
) -> Result<(Producer, Recording), String> {
    // What is there is of one that was not finished, or of one before.
    let _ = fs::remove_file(&file);
    let options = recorder::Options {
        file: Some(file),
        folder: PathBuf::new(),
        sensors: Vec::new(),
        keeps_past: false,
        waits: true,
        syncs: false,
        stream: None,
    };
    let header = serve::header(world.scenario(), plugins);
    let (producer, _, thread) = recorder::start(world, header, options).map_err(|error| error.to_string())?;
    Ok((producer, thread))
}

/// A step of a world in which nobody but its players plays.
pub fn step(world: &mut World, producer: Option<&mut Producer>) {
    let outcomes = world.step(&[]);
    if let Some(producer) = producer {
        producer.stepped(&[], &outcomes, world);
    }
}

/// Such as `kick-team_a-run0.mcap` in the folder: what a file's name cannot have is `_`.
pub fn file(folder: &Path, words: &[&str]) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = words.join("-").chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    folder.join(format!("{name}.mcap"))
}
