//! A plugin in C or C++: a CMake project that has all it needs, the interface's headers among it.

use super::{Language, type_name};
use touchline_plugin_api::plugin::PluginKind;

/// What the author does next.
pub const NEXT: &[&str] = &[
    "cmake -B build",
    "cmake --build build",
    "ctest --test-dir build",
    "touchline check --contract build/{{library}}",
];

const CMAKE: &str = include_str!("templates/CMakeLists.txt.txt");
const README: &str = include_str!("templates/README.c.md.txt");

macro_rules! headers {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../../../plugin-api/include/touchline/", $name)))),*]
    };
}

/// The interface, as this program was built with it.
const HEADERS: &[(&str, &str)] = headers![
    "plugin.h",
    "helpers.h",
    "geometry.h",
    "json.h",
    "noise.h",
    "orders.h",
    "orders.hpp",
    "params.h",
    "rays.h",
    "sensor.h",
    "view.h",
    "testing.h",
    "testing.hpp",
    "steps.h",
    "plugin.hpp"
];

/// All files of the new project, by their paths in its folder.
pub fn files(kind: PluginKind, name: &str, language: Language) -> Vec<(String, String)> {
    let extension = if language == Language::C { "c" } else { "cpp" };
    let (source, contract, own) = templates(kind, language);
    let library = format!("{kind}_{}", name.replace('-', "_"));
    let templates = [
        ("CMakeLists.txt".to_owned(), CMAKE),
        ("README.md".to_owned(), README),
        (format!("src/{library}.{extension}"), source),
        (format!("tests/contract.{extension}"), contract),
        (format!("tests/{}.{extension}", own_tests(kind)), own),
    ];
    let written =
        templates.into_iter().map(|(file, template)| (file, filled(template, kind, name, language)));
    let headers =
        HEADERS.iter().map(|(file, text)| (format!("include/touchline/{file}"), (*text).to_owned()));
    written.chain(headers).collect()
}

/// The plugin's source, that of the test of its contract, and that of its own tests.
fn templates(kind: PluginKind, language: Language) -> (&'static str, &'static str, &'static str) {
    macro_rules! template {
        ($name:literal) => {
            if language == Language::C {
                include_str!(concat!("templates/c/", $name, ".c.txt"))
            } else {
                include_str!(concat!("templates/cpp/", $name, ".cpp.txt"))
            }
        };
    }
    let (source, own) = match kind {
        PluginKind::Motion => (template!("motion"), template!("motion_steps")),
        PluginKind::Sensor => (template!("sensor"), template!("readings")),
        PluginKind::Player => (template!("player"), template!("player_steps")),
        PluginKind::Referee => (template!("referee"), template!("referee_steps")),
    };
    (source, template!("contract"), own)
}

/// What the program of the author's own tests is called.
fn own_tests(kind: PluginKind) -> &'static str {
    if kind == PluginKind::Sensor { "readings" } else { "steps" }
}

/// The name of the built library's file.
pub fn library(kind: PluginKind, name: &str) -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}{kind}_{}{DLL_SUFFIX}", name.replace('-', "_"))
}

fn filled(template: &str, kind: PluginKind, name: &str, language: Language) -> String {
    let is_c = language == Language::C;
    let standard = if is_c { ("C", 11) } else { ("CXX", 17) };
    let standard = format!(
        "set(CMAKE_{0}_STANDARD {1})\nset(CMAKE_{0}_STANDARD_REQUIRED ON)\nset(CMAKE_{0}_EXTENSIONS OFF)\n\
         set(CMAKE_{0}_VISIBILITY_PRESET hidden)",
        standard.0, standard.1
    );
    let params = match kind {
        PluginKind::Motion => "\"max_speed_m_s\": 2.0",
        PluginKind::Sensor => "\"sigma_rad\": 0.1",
        PluginKind::Player => "\"speed_m_s\": 1.0",
        PluginKind::Referee => "",
    };
    // In C the parameters stand in a string, in C++ in a raw one.
    let params = if is_c { params.replace('"', "\\\"") } else { params.to_owned() };
    template
        .replace("{{library}}", &library(kind, name))
        .replace("{{tests}}", &format!("contract {}", own_tests(kind)))
        .replace("{{kind}}", kind.as_str())
        .replace("{{name}}", name)
        .replace("{{snake}}", &name.replace('-', "_"))
        .replace("{{Type}}", &type_name(kind, name))
        .replace("{{ext}}", if is_c { "c" } else { "cpp" })
        .replace("{{LANGUAGE}}", if is_c { "C" } else { "CXX" })
        .replace("{{header}}", if is_c { "plugin.h and helpers.h" } else { "plugin.hpp and plugin.h" })
        .replace("{{standard}}", &standard)
        .replace("{{test_params}}", params.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every header of the interface is handed out, and no place in a template is left open.
    #[test]
    fn projects_are_complete() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin-api/include/touchline");
        let files_there = std::fs::read_dir(folder).map(Iterator::count).unwrap_or_default();
        assert_eq!(HEADERS.len(), files_there);
        for kind in PluginKind::ALL {
            for language in [Language::C, Language::Cpp] {
                for (file, text) in files(kind, "wheel-slip", language) {
                    let own = !file.starts_with("include/");
                    assert!(
                        !own || !["{{kind", "{{name", "{{T", "{{s", "{{ext", "{{test", "{{header", "{{L"]
                            .iter()
                            .any(|open| text.contains(open)),
                        "{file}: {text}"
                    );
                }
            }
        }
    }
}
