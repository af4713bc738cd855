//! `touchline new-challenge`: a folder with a challenge that can be played as it is. (CH11)

use crate::cli::{Failure, text};
use crate::new_folder::NewFolder;
use std::io::Write;
use std::path::Path;
use touchline_config::shell_word;

/// The files; `NAME` in names and texts is the challenge's name.
const FILES: [(&str, &str); 4] = [
    ("NAME.toml", include_str!("new_challenge/challenge.toml.txt")),
    ("world.toml", include_str!("new_challenge/world.toml.txt")),
    ("robot.toml", include_str!("new_challenge/robot.toml.txt")),
    ("startChallengePlayer.sh", include_str!("new_challenge/start.sh.txt")),
];

/// Makes the folder `<dir>/<name>`.
///
/// # Errors
/// When the folder exists or cannot be written.
pub fn create(name: &str, dir: Option<&Path>) -> Result<(), Failure> {
    let parent = dir.unwrap_or(Path::new("."));
    let folder = parent.join(name);
    let made = NewFolder::make(&folder)?;
    for (file, text) in FILES {
        let path = made.write(&file.replace("NAME", name), text.replace("NAME", name))?;
        #[cfg(unix)]
        if file.ends_with(".sh") {
            use std::os::unix::fs::PermissionsExt;
            let runs = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, runs).map_err(|error| crate::new_folder::wrong(&path, &error))?;
        }
    }
    made.keep();
    let file = shell_word(&folder.join(format!("{name}.toml")));
    let script = shell_word(&folder.join("startChallengePlayer.sh"));
    let mut out = text();
    writeln!(
        out,
        "{} is made; next:\n  touchline challenge run {file}\n  touchline challenge run {file} --script {script}",
        folder.display()
    )?;
    Ok(())
}
