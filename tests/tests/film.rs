//! `replay --video`: films of recordings and game logs, read by another program (ffmpeg).

use crate::program::{command, outcome, run};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A room of 6 x 3 m, whose ends are red and blue, and a ball that rolls from one side to the other.
const WORLD: &str = r##"
name = "alley"
dt_s = 0.01
[[fixture]]
shape = "rectangle"
role = "wall"
x_m = -3.0
length_m = 0.2
width_m = 3.0
z_m = [0.0, 0.5]
colour = "#ff0000"
[[fixture]]
shape = "rectangle"
role = "wall"
x_m = 3.0
length_m = 0.2
width_m = 3.0
z_m = [0.0, 0.5]
colour = "#0000ff"
[[ball]]
radius_m = 0.15
mass_kg = 0.4
x_m = -1.5
y_m = 0.5
velocity_m_s = [1.2, -0.4]
colour = "#ffff00"
"##;
/// Colours in that world: red, green, blue.
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const YELLOW: [u8; 3] = [255, 255, 0];
const SIZE: (usize, usize) = (640, 360);

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Films a recording with these options.
    fn film(&self, of: &str, name: &str, options: &[&str]) -> String {
        let film = self.path(name);
        let size = format!("{}x{}", SIZE.0, SIZE.1);
        let made = run([&["replay", of, "--video", &film, "--video-size", &size], options].concat());
        assert_eq!(made.code, Some(0), "{made:?}");
        film
    }

    fn recorded(&self) -> String {
        fs::write(self.path("alley.toml"), WORLD).unwrap();
        let (world, recording) = (self.path("alley.toml"), self.path("alley.mcap"));
        let ran = run(["run", &world, "--for", "2", "--record", &recording]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        recording
    }
}

/// What ffprobe says of a film's stream.
fn probed(film: &str, entry: &str) -> String {
    let of = format!("stream={entry}");
    let mut probe = Command::new("ffprobe");
    probe.args(["-v", "error", "-count_frames", "-show_entries", &of, "-of", "csv=p=0", film]);
    outcome(&mut probe).stdout.trim().trim_end_matches(',').to_owned()
}

/// All pictures of a film, three bytes for each pixel.
fn pictures(film: &str) -> Vec<Vec<u8>> {
    let mut decode = Command::new("ffmpeg");
    decode.args(["-v", "error", "-nostdin", "-i", film, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"]);
    let decoded = decode.output().unwrap();
    assert!(decoded.status.success(), "{decoded:?}");
    decoded.stdout.chunks(SIZE.0 * SIZE.1 * 3).map(<[u8]>::to_vec).collect()
}

/// The middle of all pixels of about this colour below the head.
fn middle(picture: &[u8], colour: [u8; 3]) -> [f64; 2] {
    let is_near = |pixel: &[u8]| pixel.iter().zip(colour).all(|(&a, b)| a.abs_diff(b) < 70);
    let below_head = SIZE.0 * (SIZE.1 / 12);
    let found: Vec<usize> = picture
        .chunks(3)
        .enumerate()
        .skip(below_head)
        .filter(|(_, pixel)| is_near(pixel))
        .map(|(at, _)| at)
        .collect();
    assert!(!found.is_empty(), "nothing has the colour {colour:?}");
    let mean = |of: &dyn Fn(usize) -> usize| {
        found.iter().map(|&at| of(at) as f64 + 0.5).sum::<f64>() / found.len() as f64
    };
    [mean(&|at| at % SIZE.0), mean(&|at| at / SIZE.0)]
}

/// Where the ball is on a picture, metres: the walls' middles tell the scale.
fn ball(picture: &[u8]) -> [f64; 2] {
    let ([left, y0], [right, _], [x, y]) =
        (middle(picture, RED), middle(picture, BLUE), middle(picture, YELLOW));
    let scale = (right - left) / 6.0;
    [(x - left) / scale - 3.0, (y0 - y) / scale]
}

/// Where the table of a recording has the ball at each tick.
fn recorded_ball(recording: &str) -> Vec<[f64; 2]> {
    let table = run(["log", "csv", recording]).stdout;
    let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[3] == "ball-0");
    rows.map(|row| [row[4].parse().unwrap(), row[5].parse().unwrap()]).collect()
}

/// Pictures are of simulated time, and show everything where it was.
#[test]
fn a_film_shows_what_was_recorded() {
    let folder = Folder::new();
    let recording = folder.recorded();
    let places = recorded_ball(&recording);
    for (name, codec) in [("a.mp4", "h264"), ("a.webm", "vp9")] {
        let film = folder.film(&recording, name, &["--video-rate", "20"]);
        assert_eq!(probed(&film, "codec_name"), codec);
        assert_eq!(probed(&film, "width,height,r_frame_rate,nb_read_frames"), "640,360,20/1,41");
        for (index, picture) in pictures(&film).iter().enumerate() {
            let (seen, was) = (ball(picture), places[5 * index]);
            let off = (seen[0] - was[0]).hypot(seen[1] - was[1]);
            assert!(off < 0.03, "{name}, picture {index}: at {seen:?}, was at {was:?}");
        }
    }
    let part = folder.film(
        &recording,
        "b.mp4",
        &["--speed", "2", "--video-rate", "10", "--video-from", "0.5", "--video-to", "1.5"],
    );
    let part = pictures(&part);
    assert_eq!(part.len(), 6, "a second at twice the speed, its first and last moment");
    let (seen, was) = (ball(&part[5]), places[150]);
    assert!((seen[0] - was[0]).abs() < 0.03, "at {seen:?}, was at {was:?}");
}

/// A robot that stands in the alley and sees its front half, but for what is behind a block.
const EYE: &str = r##"
model = "eye"
mass_kg = 10.0
colour = "#202020"
[motion]
plugin = "differential"
[motion.params]
max_speed_m_s = 1.0
max_turn_rad_s = 2.0
[[body]]
shape = "circle"
radius_m = 0.2
z_m = [0.0, 0.4]
[[sensor]]
id = "laser"
plugin = "laser"
mount = { z_m = 0.3 }
params = { beams = 361, range_max_m = 8.0, sigma_m = 0.0 }
"##;
/// The eye's place, and half the height of the block whose nearer side is at [`BLOCK_X_M`].
const EYE_X_M: f64 = -1.5;
const BLOCK_X_M: f64 = 0.3;
const BLOCK_HALF_M: f64 = 0.25;

/// Whether the eye's laser reaches a place on the floor; `None` near the edges of what it reaches, and where its robot and name are.
fn is_lit(x_m: f64, y_m: f64) -> Option<bool> {
    let ahead = x_m - EYE_X_M;
    let shadow_half = BLOCK_HALF_M * ahead / (BLOCK_X_M - EYE_X_M);
    let is_sure = ahead.abs() > 0.5
        && (x_m - BLOCK_X_M).abs() > 0.1
        && (y_m.abs() - shadow_half).abs() > 0.1
        && x_m.abs() < 2.75;
    let is_shadowed = x_m > BLOCK_X_M && y_m.abs() < shadow_half;
    is_sure.then_some(ahead > 0.0 && !is_shadowed)
}

/// What a laser reaches is tinted, and nothing else: behind a block, and behind the robot, the film is the one without sensors.
#[test]
fn a_film_shows_what_chosen_sensors_said() {
    let folder = Folder::new();
    fs::write(folder.path("eye.toml"), EYE).unwrap();
    let block = format!(
        "[[fixture]]\nshape = \"rectangle\"\nrole = \"wall\"\nx_m = {}\nlength_m = 0.4\nwidth_m = {}\nz_m = [0.0, 0.5]\ncolour = \"#808080\"\n",
        BLOCK_X_M + 0.2,
        2.0 * BLOCK_HALF_M
    );
    let robot = format!("[[robot]]\nname = \"eye\"\nfile = \"eye.toml\"\npose = {{ x_m = {EYE_X_M} }}\n");
    let walls = WORLD.split("[[ball]]").next().unwrap();
    fs::write(folder.path("eyed.toml"), format!("{walls}{block}{robot}")).unwrap();
    let (world, recording) = (folder.path("eyed.toml"), folder.path("eyed.mcap"));
    let ran = run(["run", &world, "--for", "0.5", "--record", &recording]);
    assert_eq!(ran.code, Some(0), "{ran:?}");

    let plain = pictures(&folder.film(&recording, "plain.mp4", &[]));
    let shown = pictures(&folder.film(&recording, "shown.mp4", &["--video-sensors", "*/laser"]));
    let (plain, shown) = (plain.last().unwrap(), shown.last().unwrap());
    let ([left, middle_y], [right, _]) = (middle(plain, RED), middle(plain, BLUE));
    let scale = (right - left) / 6.0;
    let tint = |x_m: f64, y_m: f64| {
        let (x, y) = (left + (x_m + 3.0) * scale, middle_y - y_m * scale);
        let at = 3 * (y as usize * SIZE.0 + x as usize);
        // The beams are blue: it grows against red.
        let blueness = |picture: &[u8]| i32::from(picture[at + 2]) - i32::from(picture[at]);
        blueness(shown) - blueness(plain)
    };
    let mut seen = [0, 0];
    for (column, row) in (-27..=27).flat_map(|column| (-13..=13).map(move |row| (column, row))) {
        let (x_m, y_m) = (f64::from(column) / 10.0, f64::from(row) / 10.0);
        let Some(is_lit) = is_lit(x_m, y_m) else { continue };
        assert_eq!(tint(x_m, y_m) > 12, is_lit, "at {x_m}, {y_m}: {}", tint(x_m, y_m));
        seen[usize::from(is_lit)] += 1;
    }
    assert!(seen[0] > 200 && seen[1] > 500, "{seen:?}");

    let failed =
        run(["replay", &recording, "--video", &folder.path("no.mp4"), "--video-sensors", "eye/nose"]);
    assert_eq!(failed.code, Some(3), "{failed:?}");
    assert!(
        failed.stderr.contains("--video-sensors eye/nose: no robot") && failed.stderr.contains("eye/laser"),
        "{failed:?}"
    );
    let failed = run(["replay", &recording, "--video-sensors", "*/laser"]);
    assert_eq!(failed.code, Some(2), "{failed:?}");
}

/// A game log of the Soccer Server is filmed as a recording is.
#[test]
fn a_game_log_is_filmed() {
    let folder = Folder::new();
    fs::write(folder.path("game.rcg"), crate::soccer_log::GAME).unwrap();
    let film = folder.film(&folder.path("game.rcg"), "game.webm", &["--video-rate", "10"]);
    let pictures = pictures(&film);
    assert_eq!(pictures.len(), 4, "before the first cycle, and three");
    // In the second cycle the ball lies at the goal's line, in the others at the middle of the field.
    let differs = |a: &[u8], b: &[u8], x: usize| {
        let at = |picture: &[u8]| -> Vec<u8> {
            let rows = picture.chunks(3 * SIZE.0).skip(SIZE.1 / 2);
            rows.take(40).flat_map(|row| row[3 * (x - 15)..3 * (x + 15)].to_vec()).collect()
        };
        at(a).iter().zip(at(b)).filter(|&(a, b)| a.abs_diff(b) > 60).count()
    };
    assert!(differs(&pictures[1], &pictures[2], SIZE.0 / 2) > 0, "the ball has left the middle");
    assert_eq!(differs(&pictures[1], &pictures[3], SIZE.0 / 2), 0, "and is there again");
}

/// A film whose maker is ended is no film: ffmpeg would end it well, and it would look whole.
#[cfg(target_os = "linux")]
#[test]
fn who_is_ended_leaves_no_film() {
    let folder = Folder::new();
    let recording = folder.recorded();
    let film = folder.path("a.mp4");
    // Slow enough not to be done before.
    let options = ["--video-size", "3840x2160", "--video-rate", "240"];
    let mut making =
        command([&["replay", &recording, "--video", &film], &options[..]].concat()).spawn().unwrap();
    let part = folder.path(&format!(".a.mp4.{}.part", making.id()));
    while fs::metadata(&part).map_or(0, |part| part.len()) == 0 {
        assert_eq!(making.try_wait().unwrap(), None, "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(!fs::exists(&film).unwrap(), "it has its name before it is whole");
    making.kill().unwrap();
    making.wait().unwrap();
    // ffmpeg ends the part, which is in nobody's way.
    assert!(!fs::exists(&film).unwrap());
    folder.film(&recording, "a.mp4", &[]);
}

/// What cannot be done is said, with what to do, and leaves no file behind.
#[test]
fn what_cannot_be_filmed_is_told() {
    let folder = Folder::new();
    let recording = folder.recorded();
    let film = |name: &str, options: &[&str]| {
        run([&["replay", &recording, "--video", &folder.path(name)], options].concat())
    };
    let cases: [(&str, &[&str], i32, &str); 5] = [
        ("a.avi", &[], 3, "a film is an .mp4 (H.264) or a .webm (VP9)\n  hint "),
        ("a.mp4", &["--speed", "-1"], 3, "a film runs forwards\n  hint "),
        ("a.mp4", &["--video-from", "9"], 3, "the recording has 0.00 s to 2.00 s"),
        (
            "a.mp4",
            &["--video-from", "1.5", "--video-to", "0.5"],
            3,
            "--video-from 1.5 lies behind --video-to 0.5",
        ),
        ("a.mp4", &["--video-size", "99x101"], 2, "even numbers"),
    ];
    for (name, options, code, says) in cases {
        let failed = film(name, options);
        assert_eq!(failed.code, Some(code), "{failed:?}");
        assert!(failed.stderr.contains(says), "{failed:?}");
        assert!(!fs::exists(folder.path(name)).unwrap(), "{name} {options:?}");
    }
    fs::write(folder.path("mine.mp4"), "mine").unwrap();
    let failed = film("mine.mp4", &[]);
    assert_eq!(failed.code, Some(4), "{failed:?}");
    assert_eq!(fs::read_to_string(folder.path("mine.mp4")).unwrap(), "mine");

    let mut without = command(["replay", &recording, "--video", &folder.path("a.mp4")]);
    // The helper's own program has to be found.
    let bare = folder.0.path().join("bin");
    fs::create_dir(&bare).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/usr/bin/env", bare.join("env")).unwrap();
    let failed = outcome(without.env("PATH", &bare));
    assert_eq!(failed.code, Some(4), "{failed:?}");
    assert!(
        failed.stderr.contains("no program ffmpeg") && failed.stderr.contains("apt-get install ffmpeg"),
        "{failed:?}"
    );
    assert!(!fs::exists(folder.path("a.mp4")).unwrap());
}
