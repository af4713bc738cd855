//! Parameters of every type, described and read by the headers.

use super::{compile, folder};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use touchline_plugin_api::plugin::{PluginDescription, PluginKind, SetupError};

/// P7: the description is one that the server reads, and wrong parameters are all named at once, with value and range.
#[test]
fn parameters_are_described_and_read() {
    let program = folder("params").join("params").display().to_string();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/params.cpp").display().to_string();
    // What is read behind the end of a text is otherwise seen by chance alone.
    compile("c++", &["-std=c++17", "-O1", "-fsanitize=address", &source, "-o", &program]);
    let mut running = Command::new(&program);
    // The leak detector cannot run where processes may not be traced.
    running.env("ASAN_OPTIONS", "detect_leaks=0");
    let mut running = running.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let too_long = format!(r#"{{"range_m":1,"label":"{}","{}":1}}"#, "x".repeat(64), "y".repeat(100));
    let lines = [
        r#"{"range_m":2.5,"label":"a \"b\" \\ ü","beams":7,"inverted":true}"#,
        r#"{"opening_rad":9,"beams":2.5,"inverted":1,"label":5,"rnge_m":1}"#,
        r#"{"range_m":1,"beams":13}"#,
        &too_long,
    ];
    running.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let said: Vec<&str> = text.lines().collect();

    let description: PluginDescription = serde_json::from_str(said[0]).unwrap();
    assert_eq!((description.name.as_str(), description.kind), ("everything", PluginKind::Referee));
    assert_eq!(
        (description.version.as_str(), description.summary.as_str()),
        ("1.2.3", "Has \\ \"all\" types: ü")
    );
    let schema = &description.params_schema;
    assert_eq!(schema["required"], serde_json::json!(["range_m"]));
    let properties = serde_json::json!({
        "opening_rad": {
            "description": "An angle, radians.", "type": "number", "minimum": 0.01, "maximum": 3, "default": 0.26
        },
        "range_m": { "description": "A distance, metres.", "type": "number", "minimum": 0.1 },
        "beams": { "description": "How many.", "type": "integer", "minimum": 1, "maximum": 1000, "default": 15 },
        "inverted": { "description": "Whether it is the other way round.", "type": "boolean", "default": false },
        "label": { "description": "A text.", "type": "string", "default": "say \"ah\"\n" },
    });
    assert_eq!(schema["properties"], properties);

    assert_eq!(said[1], "0.26000000000000001|2.5|7|1|a \"b\" \\ ü");
    let error: SetupError = serde_json::from_str(said[2]).unwrap();
    assert_eq!(
        error.to_string(),
        "opening_rad: is 9; allowed are 0.01 to 3; range_m: is missing; it has no default; \
         beams: is 2.5; it must be a whole number; inverted: must be true or false; \
         label: must be a text of at most 63 bytes; rnge_m: there is no such parameter"
    );
    let error: SetupError = serde_json::from_str(said[5]).unwrap();
    assert_eq!(error, SetupError::param("beams", "must not be 13"));
    let error: SetupError = serde_json::from_str(said[6]).unwrap();
    assert_eq!(error.to_string(), "label: must be a text of at most 63 bytes; ?: there is no such parameter");
}
