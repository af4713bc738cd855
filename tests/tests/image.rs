//! Rendered images over the message board of the built server. [S6, C4]

use crate::client::{Answer, Client};
use crate::program::Server;

/// A camera of the largest image that there may be.
const ROBOT: &str = r##"model = "image"
mass_kg = 10.0
colour = "#ffffff"
[motion]
plugin = "differential"
[[body]]
shape = "ellipse"
length_m = 0.4
width_m = 0.4
[[sensor]]
id = "image"
model = "image"
plugin = "image"
mount = { z_m = 0.6 }
params = { width = 1920, height = 1080 }
"##;

fn upload(client: &mut Client, text: &str) -> Answer {
    client.send(format!("ROBOT eye lines={}\n{text}", text.lines().count()));
    client.answer()
}

/// The largest image is one reply of 19 megabytes, and its client may ask for the next.
#[test]
fn a_large_image_is_one_reply() {
    let server = Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep"]);
    let mut client = Client::connect(&server);
    assert!(upload(&mut client, ROBOT).head.starts_with("OK ROBOT "));
    client.send("GET me image\nGET me image\n");
    for _ in 0..2 {
        let state = client.answer();
        let pixels: Vec<&str> = state.line("DATA image ").split(' ').skip(4).collect();
        assert_eq!(pixels.len(), 1920 * 1080);
        assert_eq!(pixels[0], 0xb4_bf_ca.to_string(), "the sky");
    }
    client.ok("STATUS");
}

/// An image of 10,000 million pixels is refused in words, with its place in the file, before anything is made.
#[test]
fn an_image_that_is_too_large_is_refused() {
    let server = Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep"]);
    let mut client = Client::connect(&server);
    let huge = ROBOT.replace("width = 1920, height = 1080", "width = 100_000, height = 100_000");
    let refused = upload(&mut client, &huge);
    assert!(refused.head.starts_with("ERR config/bad-file lines=2 "), "{refused:?}");
    for [name, most] in [["width", "1920"], ["height", "1080"]] {
        let hint = format!("hint=\"the nearest allowed value is {most}\"");
        let tells = |line: &&String| {
            [name, most, "100_000", "line=15", hint.as_str()].iter().all(|part| line.contains(part))
        };
        assert!(refused.lines.iter().any(|line| tells(&line)), "{refused:?}");
    }
    assert!(upload(&mut client, ROBOT).head.starts_with("OK ROBOT "));
}
