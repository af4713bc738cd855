//! `touchline new-challenge`: a folder with a challenge that can be played as it is. (CH11)

use crate::cli::Failure;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

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
    let wrong = |path: &Path, error: io::Error| {
        let is_there = error.kind() == io::ErrorKind::AlreadyExists;
        let hint = if is_there {
            "\n  hint     nothing was changed; take another name or another folder"
        } else {
            ""
        };
        Failure::Resource(format!("{}: {error}{hint}", path.display()))
    };
    fs::create_dir_all(parent).map_err(|error| wrong(parent, error))?;
    fs::create_dir(&folder).map_err(|error| wrong(&folder, error))?;
    for (file, text) in FILES {
        let path = folder.join(file.replace("NAME", name));
        fs::write(&path, text.replace("NAME", name)).map_err(|error| wrong(&path, error))?;
        #[cfg(unix)]
        if file.ends_with(".sh") {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
                .map_err(|error| wrong(&path, error))?;
        }
    }
    let folder = folder.display();
    writeln!(
        io::stdout(),
        "{folder} is made; next:\n  touchline challenge run {folder}/{name}.toml\n  touchline challenge run {folder}/{name}.toml --script {folder}/startChallengePlayer.sh"
    )?;
    Ok(())
}
