//! The C headers, as cbindgen writes them from the Rust sources. One header for each subject.

use std::path::Path;

/// What stands at the head of `base.h`.
const RULES: &str = "\
// The rules of all functions of libtouchline_client:
//
// - They return TOUCHLINE_STATUS_OK or say how they failed; touchline_last_error says why, for each handle and thread.
// - No exception, no panic and no signal comes out of them. A pointer that must not be NULL is checked.
// - Texts are UTF-8 and end in NUL. What a function is given it does not keep; what it gives belongs to the handle it
//   came from, unless it says that it is the caller's.
// - Any thread may call any function with any handle at any time, but no handle may be used after its end
//   (touchline_close, touchline_..._free), nor be ended twice.
// - SI units and radians; x forward, y left, counter-clockwise. In the world the origin is the field's centre.
";

struct Header {
    name: &'static str,
    about: &'static str,
    includes: &'static [&'static str],
    /// Types that are declared, and known to no reader.
    opaque: &'static [(&'static str, &'static str)],
    /// Types that are mentioned by no function.
    also: &'static [&'static str],
    sources: &'static [&'static str],
}

const HEADERS: [Header; 5] = [
    Header {
        name: "base.h",
        about: "How a call ended, and why.",
        includes: &["<stdbool.h>", "<stddef.h>", "<stdint.h>"],
        opaque: &[
            (
                "TouchlineClient",
                "A robot of one's own in a running world: touchline_connect to touchline_close.",
            ),
            (
                "TouchlineSensors",
                "All its sensors at one and the same step, unchanging; may outlive the client.",
            ),
            ("TouchlineMessages", "Radio messages that it heard."),
            ("TouchlineAnswer", "The server's answer to touchline_ask."),
            (
                "TouchlineLocaliser",
                "Follows the robot: touchline_localiser_new in localisation.h; may outlive the client.",
            ),
        ],
        also: &["TouchlineStatus"],
        sources: &["status"],
    },
    Header {
        name: "robot.h",
        about: "What a robot is made of, and what its numbers mean: touchline_robot in client.h.",
        includes: &["\"base.h\""],
        opaque: &[],
        also: &["TouchlineRobot"],
        sources: &["robot"],
    },
    Header {
        name: "sensors.h",
        about: "The sensors at one step: features are found by what they are, and read as integers, in units, or typed.",
        includes: &["\"base.h\""],
        opaque: &[],
        also: &[],
        sources: &["sensors", "data", "measured", "filled"],
    },
    Header {
        name: "client.h",
        about: "A robot's client: all of libtouchline_client but localisation.h.",
        includes: &["\"base.h\"", "\"robot.h\"", "\"sensors.h\""],
        opaque: &[],
        also: &["TouchlineRole", "TouchlineFrame"],
        sources: &["client", "drive", "radio", "annotate", "operator", "answer"],
    },
    Header {
        name: "localisation.h",
        about: "Where am I: Monte Carlo localisation from the client's own sensors.",
        includes: &["\"client.h\""],
        opaque: &[],
        also: &[],
        sources: &["localise"],
    },
];

/// Name and text of every header.
///
/// # Panics
/// If the sources or `cbindgen.toml` cannot be read.
pub fn headers() -> Vec<(&'static str, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let every_opaque: Vec<String> =
        HEADERS.iter().flat_map(|header| header.opaque).map(|(name, _)| (*name).to_owned()).collect();
    let write = |header: &Header| {
        let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
        let guard = format!("TOUCHLINE_{}", header.name.to_uppercase().replace('.', "_"));
        let mut head = format!("// {}\n//\n// Written by cbindgen from the Rust sources: ", header.about);
        head += "`cargo run -p touchline-client-c --example headers`.\n";
        if header.name == "base.h" {
            head = format!("{head}//\n{RULES}");
        }
        config.header = Some(head.trim_end().to_owned());
        config.include_guard = Some(guard);
        let includes = header.includes.iter().map(|include| format!("#include {include}\n"));
        let declare = |(name, about): &(&str, &str)| format!("/// {about}\ntypedef struct {name} {name};\n");
        let opaque = header.opaque.iter().map(declare);
        let opaque: String = opaque.collect();
        let blank = if opaque.is_empty() { "" } else { "\n" };
        let declared = format!("{}{blank}{opaque}", includes.collect::<String>());
        config.after_includes = Some(declared.trim_end().to_owned());
        config.export.exclude = every_opaque.clone();
        config.export.include = header.also.iter().map(|&name| name.to_owned()).collect();
        let mut builder = cbindgen::Builder::new().with_config(config);
        for source in header.sources {
            builder = builder.with_src(root.join(format!("src/{source}.rs")));
        }
        let mut bytes = Vec::new();
        builder.generate().expect("the sources are parsed").write(&mut bytes);
        (header.name, String::from_utf8(bytes).expect("a header is text"))
    };
    HEADERS.iter().map(write).collect()
}
