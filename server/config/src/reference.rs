//! The configuration reference, docs/configuration.md: written from the types, so that it cannot be wrong about them.

use crate::report::CODES;
use crate::schema::{Schema, range_words, type_words};
use serde_json::Value;
use std::collections::BTreeSet;

/// The text of `docs/configuration.md`.
///
/// `cargo run -p touchline-config --example reference > docs/configuration.md` writes it; a test compares.
pub fn reference_markdown() -> String {
    let mut text = String::from(HEAD);
    let files = [
        ("Robot files", crate::robot_rules()),
        ("World files", crate::world_rules()),
        ("Tournament files", crate::tournament_rules()),
        ("Challenge files", crate::challenge_rules()),
        ("Competition files", crate::competition_rules()),
        ("Keys files", crate::keys_rules()),
    ];
    for (title, schema) in files {
        text.push_str(&format!("\n## {title}\n"));
        let Ok(schema) = Schema::new(schema) else { continue };
        let mut seen = BTreeSet::new();
        table(&schema, schema.root(), "", &mut seen, &mut text);
    }
    text.push_str("\n## Codes of errors\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in CODES {
        text.push_str(&format!("| `{code}` | {meaning} |\n"));
    }
    text
}

const HEAD: &str = "\
# Configuration

Generated from the types of `server/config`; do not edit. To write it anew:
`cargo run -p touchline-config --example reference > docs/configuration.md`

Robot, world, tournament, challenge, competition and keys files are [TOML](https://toml.io). All numbers are in SI units and radians, and finite; x is forward, y is left,
angles count counter-clockwise, and the world's origin is the middle of the field. A key that is not listed here is an
error. All errors of a file are reported at once, each with its line and column; `touchline check FILE...` finds them without running anything.

A plugin's own parameters (`params`) are described by the plugin: `touchline plugins` lists them.

Files name other files relative to themselves. `include` takes parts: their `[[…]]` lists come before the file's own,
tables are merged, and a key that both set is taken from the file that includes. Two parts must not set the same key. An entry
of a `[[…]]` list that has the `id` or `name` of one of a part's changes that one, key by key: a whole robot file can be
included and one of its sensors changed, as `robots/pioneer-perfect.toml` does.
A robot file that a client sends to the server can include the server's own parts only, named from the folder `robots`.

`touchline check` takes a file without `model` (a robot's) or `name` (a world's) for a part, and checks its keys and their values; what is
missing, and what plugins take, it checks in the files that include it. But a file with `body`, `motion` and `mass_kg` is a robot, and
a file with robots and fixtures is a world, unless it lies in `parts`: in a folder of this name every file is a part, but one that has its name itself. A competition
file has the ending `.csv`, or teams with a `script` or a `plugin`; a keys file has a `key`.

## Time of sensors and commands

By default every reading shows the world as it is at the step in which it is asked for, and a command takes effect with the next step and
stands until the next one. Robots are slower; the robot file says how much:

```toml
[motion]
plugin = \"differential\"
command_delay_s = 0.1
command_hold_s = 2.0

[[sensor]]
id = \"camera\"
plugin = \"camera\"
rate_hz = 30.0
delay_s = 0.08
```

Sample k of a sensor is taken in the first step that is not before `phase_s + k / rate_hz`, counted from the beginning of the episode, or of
the world; a sensor that is faster than the physics samples in every step. It can be read in the first step that is not earlier than
`delay_s` after it, and is read until the next one has arrived, always with the stamp of the sample: the world, the robot, the noise and
what the sensor remembers are those of the sample's step. What is placed elsewhere between two samples shows in the next one. Before the first
sample has arrived there is no reading: `NONE` on the message board, nothing for players, as of a sensor that was stopped, and -1 in
observations. Unlike a sensor that fails, it gives readings later. It works for every sensor alike: plugins know nothing of it.

A sensor that gives several values at once samples them at once. Sonars that fire one after the other are a sensor each, with the same
`rate_hz` and rising `phase_s`: `robots/parts/sonar-sequence.toml`.

Commands arrive `command_delay_s` later, in the order in which they were given: those for the drive and those for manipulators, since
they go over the same line. `command_hold_s` counts from the arrival of the last command for the drive; then that command is zero, and
manipulators stay as they are. Whoever takes a robot over, or gives it back, stops it at once, and what was on its way is lost.

`touchline check` says of each robot what its sensors cost: readings and numbers per second, the processor's time for a reading, measured on
the spot, and its share of real time. A reading that nobody asks for costs nothing, and of a sample at most 16384 integers long the first who asks pays
for all; a sensor with a rate or a delay costs a copy of the world's shapes for each step with samples.
`robots/pioneer-timed.toml` is an example with numbers from data sheets.

## Necks, coaches and the radio

A sensor with `follows = \"neck-angle\"` is turned by that motion datum: an angle in radians that its robot's motion model publishes, added to the heading of
the mount, whose place stays. What a sensor lets be set, such as the width of a camera's view (`view_width_limits_rad`), is set by the robot's player, or by
`SET` on the message board. `robots/necked.toml` and `worlds/neck.toml` are examples.

A `[[team.player]]` belongs to a team and drives no robot: a coach, a trainer. It may give a robot of its team another player; the robot goes on as it
is. With `trainer = true` it may also put robots and balls somewhere. `worlds/coach.toml` is an example.

The radio has the channel `all` and one for each team, `team`, which nobody else hears. With a capacity a channel carries the first messages of a step and
loses the rest, which is counted. With `bearing = true` who hears a robot is told in which direction it is, in its own frame.
";

/// Writes one table's keys, then the tables that are in it.
fn table(schema: &Schema, rule: &Value, path: &str, seen: &mut BTreeSet<String>, text: &mut String) {
    let Some(properties) = rule.get("properties").and_then(Value::as_object) else { return };
    let description = rule.get("description").and_then(Value::as_str).unwrap_or_default();
    let heading = if path.is_empty() { String::new() } else { format!("\n### `{path}`\n") };
    text.push_str(&format!(
        "{heading}\n{}\n\n| key | type | default | meaning |\n|---|---|---|---|\n",
        one_line(description)
    ));
    let required: BTreeSet<&str> = rule
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut keys: Vec<&String> = properties.keys().collect();
    keys.sort_by_key(|key| (!required.contains(key.as_str()), key.as_str()));
    let mut inner = Vec::new();
    for key in keys {
        let property = &properties[key];
        let target = choice(schema, property);
        let default = match (required.contains(key.as_str()), property.get("default")) {
            (true, _) => "needed".into(),
            (false, Some(default)) if !default.is_null() => format!("`{default}`"),
            (false, _) => "optional".into(),
        };
        let item = target.get("items").map(|items| choice(schema, items));
        let is_list = item.is_some_and(|item| item.get("properties").is_some());
        let kind = match (schema.words(target), is_list, target.get("properties").is_some()) {
            (words, _, _) if !words.is_empty() => {
                words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
            }
            (_, true, _) => format!("list of tables `[[{key}]]`"),
            (_, _, true) => format!("table `{key}`"),
            _ => type_words(target),
        };
        let range = range_words(target, key).map(|range| format!("; {range}")).unwrap_or_default();
        let meaning = property.get("description").or_else(|| target.get("description"));
        let meaning = one_line(meaning.and_then(Value::as_str).unwrap_or_default());
        text.push_str(&format!("| `{key}` | {kind}{range} | {default} | {meaning} |\n"));
        let table_path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match item {
            Some(item) if is_list => inner.push((table_path, item)),
            _ if target.get("properties").is_some() => inner.push((table_path, target)),
            _ => {}
        }
    }
    for (path, rule) in inner {
        let title =
            rule.get("title").or_else(|| rule.get("description")).and_then(Value::as_str).unwrap_or_default();
        let names: Vec<&String> =
            rule.get("properties").and_then(Value::as_object).into_iter().flat_map(|p| p.keys()).collect();
        if seen.insert(format!("{title} {names:?}")) {
            table(schema, rule, &path, seen, text);
        } else {
            text.push_str(&format!("\n### `{path}`\n\nThe same keys as above: {}\n", one_line(title)));
        }
    }
}

/// What a property's schema refers to; of a table that may be left out, the table.
fn choice<'a>(schema: &'a Schema, rule: &'a Value) -> &'a Value {
    let rule = schema.resolve(rule);
    let branches = rule.get("anyOf").and_then(Value::as_array);
    let branch = branches.and_then(|branches| branches.iter().find(|branch| branch.get("$ref").is_some()));
    branch.map_or(rule, |branch| schema.resolve(branch))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
