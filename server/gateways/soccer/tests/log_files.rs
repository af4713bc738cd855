//! The files of a game's logs: none takes another's place.

use std::fs;
use std::path::{Path, PathBuf};
use touchline_soccer::service::{LogPlace, Logs};
use touchline_soccer::sessions::Piece;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn places(folder: &Path) -> [LogPlace; 2] {
    ["game.rcg", "game.rcl"].map(|name| LogPlace { path: folder.join(name), compression: 0 })
}

/// The logs of the game before stay as they are, and a refused beginning leaves nothing of its own.
#[test]
fn no_log_takes_the_place_of_another() {
    let folder = folder("logs-stay");
    let [game, commands] = places(&folder);
    for (old, new) in [(&game.path, &commands.path), (&commands.path, &game.path)] {
        fs::write(old, "of the game before").unwrap();
        let refused = Logs::create(&places(&folder)).unwrap_err().to_string();
        assert!(refused.starts_with(&old.display().to_string()), "{refused}");
        assert!(
            refused.contains("there is such a file already; remove it, or take another name"),
            "{refused}"
        );
        assert_eq!(fs::read_to_string(old).unwrap(), "of the game before");
        assert!(!new.exists(), "{} was begun", new.display());
        fs::remove_file(old).unwrap();
    }
}

/// A game that has not begun leaves no logs, whatever was written before; one that has leaves both, also where nothing was said, and where it is
/// not finished.
#[test]
fn logs_without_a_game_are_removed() {
    let folder = folder("logs-of-none");
    let [game, commands] = places(&folder);
    let head = Piece::Game(b"ULG6\n".to_vec());
    drop(Logs::create(&places(&folder)).unwrap());
    assert!(!game.path.exists() && !commands.path.exists());
    let mut packed = places(&folder);
    packed[0].compression = 6;
    for places in [&places(&folder), &packed] {
        let mut logs = Logs::create(places).unwrap();
        logs.write(&head);
        logs.write(&Piece::Commands("0,0\tRecv Reds_1: (init Reds (version 18))\n".into()));
        assert!(logs.finish().is_empty());
        assert!(!game.path.exists() && !commands.path.exists());
    }
    let begun = || {
        let mut logs = Logs::create(&places(&folder)).unwrap();
        logs.write(&head);
        logs.keep();
        logs
    };
    drop(begun());
    assert!(game.path.exists() && commands.path.exists());
    fs::remove_file(&game.path).and_then(|()| fs::remove_file(&commands.path)).unwrap();
    assert!(begun().finish().is_empty());
    assert_eq!(fs::read(&game.path).unwrap(), b"ULG6\n");
    assert_eq!(fs::read(&commands.path).unwrap(), b"");
}

/// What is no file stays: it was there before, and holds nothing that would be in the way.
#[cfg(unix)]
#[test]
fn a_device_is_never_removed() {
    let folder = folder("logs-to-a-device");
    let [game, commands] = places(&folder);
    std::os::unix::fs::symlink("/dev/null", &game.path).unwrap();
    let mut logs = Logs::create(&places(&folder)).unwrap();
    logs.write(&Piece::Game(b"ULG6\n".to_vec()));
    assert!(logs.finish().is_empty());
    assert!(game.path.is_symlink() && !commands.path.exists());
}
