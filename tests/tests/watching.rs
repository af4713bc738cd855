//! `serve --watch`: a world that starts anew with what its author has just built. (P8, W7)

#![cfg(unix)]

use crate::client::Client;
use crate::plugins_c::compile;
use crate::program::{Server, run};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const ROBOT: &str = "model = \"r\"\nmass_kg = 5.0\ntraction_m_s2 = 1000\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\n\
                     [motion]\nplugin = \"geared\"\n[[sensor]]\nid = \"truth\"\nplugin = \"truth\"\n";
const WORLD: &str = "name = \"w\"\ndt_s = 0.01\n[[robot]]\nname = \"r\"\nfile = \"r.toml\"\npose = { x_m = 0.0, y_m = -3.0 }\n";
const STOWAWAY: &str = "[[robot]]\nname = \"s\"\nfile = \"r.toml\"\npose = { y_m = 2.0 }\n";

struct Author {
    folder: TempDir,
    server: Server,
}

impl Author {
    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Builds the motion model with another gear; it appears at once, as by a linker that renames what it has made.
    fn builds(&self, gear: u32) {
        let built = compile(&self.folder, "new", "geared.c", &[&format!("-DGEAR={gear}")]);
        fs::rename(built, self.path("libs/geared.so")).unwrap();
    }

    /// Waits for the world, at the same address, and a client of it.
    fn returns(&mut self, told: &mut Client) -> Client {
        self.server.wait_for_restart();
        assert_eq!(self.server.ready["board"], self.server.board.to_string(), "where it was");
        let close = std::iter::from_fn(|| told.message()).last().expect("a last word").head;
        assert_eq!(close, "CLOSE board/stopping \"the world starts anew: connect again\"");
        Client::operator(&self.server)
    }
}

/// How far the robot has come, millimetres.
fn x_mm(client: &mut Client) -> i64 {
    let state = client.ok("GET r truth");
    let x = state.line("DATA truth ").split(' ').nth(4).and_then(|word| word.parse::<i64>().ok());
    x.unwrap_or_else(|| panic!("{state:?}")) / 100
}

/// P8: the tick stays, and what came in comes in again; a file that is wrong changes nothing.
#[test]
fn a_world_goes_on_with_the_library_that_was_built_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let path = |file: &str| folder.path().join(file).display().to_string();
    fs::create_dir(path("libs")).unwrap();
    fs::write(path("r.toml"), ROBOT).unwrap();
    fs::write(path("w.toml"), WORLD).unwrap();
    fs::rename(compile(&folder, "new", "geared.c", &["-DGEAR=1"]), path("libs/geared.so")).unwrap();
    let (libs, record) = (path("libs"), path("match.mcap"));
    let options = ["--watch", "--speed", "lockstep", "--plugins", &libs, "--record", &record];
    let server = Server::start(path("w.toml"), &options);
    let mut author = Author { folder, server };
    let mut desk = Client::operator(&author.server);
    let mut guest = Client::connect(&author.server);
    guest.upload("ROBOT guest", ROBOT);
    desk.ok("FORWARD r 0.5");
    desk.ok("STEP 100");
    assert_eq!(x_mm(&mut desk), 500);
    desk.ok("SEEK 60");
    desk.ok("STEP 20");
    assert_eq!(x_mm(&mut desk), 400);

    // The same inputs, as the new library takes them; whoever has gone has taken his robot with him.
    author.builds(2);
    let mut desk = author.returns(&mut desk);
    assert_eq!(desk.ok("STATUS").number("step"), 80);
    assert_eq!((x_mm(&mut desk), desk.robots().len()), (800, 1));
    desk.ok("STEP 20");
    assert_eq!(x_mm(&mut desk), 1000);
    desk.ok("SEEK 10");
    assert_eq!(x_mm(&mut desk), 100, "its past is that of the new library");
    desk.ok("STEP 90");

    // What cannot start disturbs nobody.
    fs::write(author.path("w.toml"), WORLD.replace("dt_s", "dt_z")).unwrap();
    while !author.server.said().contains("the old one goes on") {
        desk.ok("STATUS");
    }
    // What is wrong with it follows, as it is told at a start: a hint has a line of its own.
    while !author.server.said().lines().any(|line| line.trim_start().starts_with("hint")) {
        desk.ok("STATUS");
    }
    assert!(author.server.said().contains("dt_z"), "{}", author.server.said());
    assert_eq!(desk.ok("STATUS").number("step"), 100);

    // A robot's file, while the world stands; then a world whose inputs would mean another robot.
    fs::write(author.path("r.toml"), ROBOT.replace("radius_m = 0.2", "radius_m = 0.3")).unwrap();
    fs::write(author.path("w.toml"), WORLD).unwrap();
    let mut desk = author.returns(&mut desk);
    assert_eq!((desk.ok("STATUS").number("step"), x_mm(&mut desk)), (100, 1000));
    fs::write(author.path("w.toml"), WORLD.to_owned() + STOWAWAY).unwrap();
    let mut desk = author.returns(&mut desk);
    assert_eq!((desk.ok("STATUS").number("step"), desk.robots().len()), (0, 2));
    assert!(author.server.said().contains("the world has other robots now"), "{}", author.server.said());

    let folder = author.folder;
    let ended = author.server.end_by("TERM");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let verified = |file: &str| {
        let file = folder.path().join(file).display().to_string();
        run(["log", "verify", &file, "--plugins", &libs]).code
    };
    // Each recording is whole; of the first one the library is another now.
    assert_eq!(["match-2.mcap", "match-3.mcap", "match-4.mcap"].map(verified), [Some(0); 3]);
    assert_eq!(verified("match.mcap"), Some(1));
}
