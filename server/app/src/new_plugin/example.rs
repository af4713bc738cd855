//! A robot and a world that use the new plugin: what its author looks at first.

use touchline_plugin_api::plugin::PluginKind;

const ROOM: &str = include_str!("templates/room.toml.txt");

/// The files, by their paths in the project's folder.
pub fn files(kind: PluginKind, name: &str) -> Vec<(String, String)> {
    let robot = robot(kind, name);
    let file = if robot.is_some() { "robot.toml" } else { "pioneer" };
    let player = match kind {
        PluginKind::Player => format!("player = {{ plugin = \"{name}\", rate_hz = 30 }}\n"),
        // Somebody has to move, for there to be something to see.
        _ => "player = { plugin = \"wanderer\", rate_hz = 20 }\n".into(),
    };
    // What has been made a motion model for need not be driven as the shipped player does; and a wanderer wants a laser or sonars.
    let player = if kind == PluginKind::Motion { String::new() } else { player };
    let referee = match kind {
        PluginKind::Referee => format!("\n[referee]\nplugin = \"{name}\"\n"),
        _ => String::new(),
    };
    let world =
        ROOM.replace("{{robot}}", file).replace("{{player}}", &player).replace("{{referee}}", &referee);
    let world = ("try/world.toml".to_owned(), world);
    robot.map(|text| ("try/robot.toml".to_owned(), text)).into_iter().chain([world]).collect()
}

/// A robot that has the plugin; none for players and referees, which take one that came with Touchline.
fn robot(kind: PluginKind, name: &str) -> Option<String> {
    match kind {
        PluginKind::Motion => Some(format!(
            "# A round robot that moves by the new plugin.\n\nmodel = \"tester\"\nmass_kg = 10.0\n\n\
             [motion]\nplugin = \"{name}\"\n\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\n"
        )),
        PluginKind::Sensor => Some(format!(
            "# The Pioneer that came with Touchline, and the new sensor on it.\n\ninclude = [\"pioneer.toml\"]\n\n\
             model = \"tester\"\n\n[[sensor]]\nid = \"mine\"\nplugin = \"{name}\"\nmount = {{ x_m = 0.1 }}\n"
        )),
        PluginKind::Player | PluginKind::Referee => None,
    }
}
