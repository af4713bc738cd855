//! What documents say about the code, and about each other.

use crate::all_is_well;
use crate::arrows::metadata;
use crate::tree::{Text, names, root, text, texts};
use std::collections::BTreeSet;
use std::path::Path;

/// The words between single backticks, outside code blocks.
pub fn in_backticks(markdown: &str) -> BTreeSet<&str> {
    let prose = markdown.split("```").step_by(2);
    prose.flat_map(|part| part.lines().flat_map(|line| line.split('`').skip(1).step_by(2))).collect()
}

/// Every relative link leads to a file.
#[test]
fn links_between_documents_resolve() {
    let mut problems = Vec::new();
    for file in texts().iter().filter(|file| file.is(&["md"])) {
        let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
        for target in links(&file.text) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !root().join(folder).join(path).exists() {
                problems.push(format!("{}: {target}", file.path));
            }
        }
    }
    all_is_well("a link leads nowhere", &problems);
}

/// The targets of a document's links that are not addresses in the net.
fn links(markdown: &str) -> Vec<&str> {
    let prose = markdown.split("```").step_by(2);
    let targets = prose.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    targets
        .map(|target| target.split(' ').next().unwrap_or_default())
        .filter(|t| !t.contains("://"))
        .collect()
}

/// A file, a test or a command's target that a document speaks of is there.
#[test]
fn what_documents_name_exists() {
    let mut problems = Vec::new();
    for file in texts().iter().filter(|file| file.is(&["md"])) {
        // A worked example's file is still to be written.
        let lines = file.text.lines().enumerate().filter(|(_, line)| !line.starts_with("+++ "));
        for (index, line) in lines {
            let words: Vec<&str> =
                line.split(|c: char| c.is_whitespace() || "`()[]{}|,;\"".contains(c)).collect();
            let missing_paths = words.iter().filter(|word| is_path(word) && !root().join(word).exists());
            problems.extend(missing_paths.map(|path| format!("{}:{}: no file {path}", file.path, index + 1)));
            // A line without cargo speaks of another program's options.
            let pairs = words.windows(2).filter(|_| words.contains(&"cargo"));
            for pair in pairs {
                if !is_target(pair[0], pair[1]) {
                    problems.push(format!("{}:{}: no such target: {}", file.path, index + 1, pair.join(" ")));
                }
            }
        }
    }
    let rust = || texts().iter().filter(|file| file.is(&["rs"]));
    for document in ["ARCHITECTURE.md", "docs/benchmarks.md", "docs/determinism.md"] {
        let words = in_backticks(text(document)).into_iter();
        let tests = words.filter(|word| is_function_name(word) && word.matches('_').count() > 1);
        let missing = tests.filter(|name| !rust().any(|file| file.text.contains(&format!("fn {name}("))));
        problems.extend(missing.map(|name| format!("{document}: no test {name}")));
    }
    all_is_well("a document speaks of what is not there", &problems);
}

/// Whether a word of a document is the path of something in the repository.
fn is_path(word: &str) -> bool {
    const TOP: [&str; 8] =
        ["server/", "plugin-api/", "plugins/", "clients/", "tests/", "docs/", "robots/", "worlds/"];
    TOP.iter().any(|top| word.strip_prefix(top).is_some_and(|rest| rest.len() > 1))
        && word.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c))
}

/// Whether a word of a document is written as functions are.
fn is_function_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Whether a pair such as `--bench rays` names a target of ours; any other pair does no harm.
fn is_target(option: &str, name: &str) -> bool {
    let kind = match option {
        "--bench" | "--example" | "--test" if !name.starts_with(['<', '-']) => &option[2..],
        "-p" | "--package" if name.starts_with("touchline") => "",
        _ => return true,
    };
    metadata().packages.iter().any(|package| {
        (kind.is_empty() && package.name.as_str() == name)
            || package.targets.iter().any(|t| t.name == name && t.kind.iter().any(|k| k.to_string() == kind))
    })
}

/// R1, P1: a plugin's README says what every parameter means.
#[test]
fn every_plugin_explains_its_parameters() {
    let mut problems = Vec::new();
    for name in names("plugins") {
        let folder = format!("plugins/{name}");
        if !root().join(&folder).is_dir() {
            continue;
        }
        let readme = texts().iter().find(|file| file.path == format!("{folder}/README.md"));
        let Some(readme) = readme else {
            problems.push(format!("{folder}: no README.md"));
            continue;
        };
        let explained = in_backticks(&readme.text);
        for file in texts().iter().filter(|file| file.is(&["rs"]) && file.within(&folder)) {
            let missing = parameters(file).into_iter().filter(|parameter| !explained.contains(parameter));
            problems.extend(missing.map(|parameter| format!("{folder}/README.md: nothing on `{parameter}`")));
        }
    }
    all_is_well("a plugin's README is incomplete", &problems);
}

/// The fields of all structs whose name ends in `Params`, as rustfmt writes them.
fn parameters(file: &Text) -> Vec<&str> {
    let mut fields = Vec::new();
    let mut inside = false;
    for (_, line) in file.code_lines() {
        let declares = line.contains("struct ") && line.trim_end().ends_with("Params {");
        inside = (inside || declares) && line != "}";
        let field = line.strip_prefix("    ").and_then(|line| line.split_once(": "));
        if let Some((name, _)) = field.filter(|_| inside) {
            let name = name.strip_prefix("pub ").unwrap_or(name);
            if name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
                fields.push(name);
            }
        }
    }
    fields
}

/// Every error code that a user can meet is explained in docs/errors.md, and no other.
#[test]
fn every_error_code_is_explained() {
    let explained: BTreeSet<&str> =
        in_backticks(text("docs/errors.md")).into_iter().filter(|word| is_code(word)).collect();
    let product = texts().iter().filter(|file| {
        let shipped =
            ["server/", "plugin-api/", "clients/rust/"].iter().any(|top| file.path.starts_with(top));
        let for_tests = ["/tests.rs", "/testing.rs", "/testing/", "/tests/"];
        let for_tests = for_tests.iter().any(|part| file.path.contains(part));
        file.is(&["rs"]) && shipped && file.path.contains("/src/") && !for_tests
    });
    let mut used = BTreeSet::new();
    let mut problems = Vec::new();
    for file in product {
        for (number, line) in file.code_lines() {
            for code in codes(line) {
                if used.insert(code) && !explained.contains(code) {
                    problems.push(format!("{}:{number}: `{code}` is not in docs/errors.md", file.path));
                }
            }
        }
    }
    let unused = explained.iter().filter(|code| !used.contains(*code));
    problems.extend(unused.map(|code| format!("docs/errors.md: `{code}` is nowhere in the code")));
    all_is_well("docs/errors.md and the code differ", &problems);
}

/// An id in a comment of the code is that of a requirement, or of an invariant.
#[test]
fn ids_in_comments_can_be_looked_up() {
    let is_id = |word: &&str| {
        let (letter, number) = word.split_at(word.len().min(1));
        letter.starts_with(|c: char| "WRPSMCGYLBI".contains(c))
            && (1..=2).contains(&number.len())
            && number.bytes().all(|b| b.is_ascii_digit())
    };
    let table =
        |document| text(document).lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    let listed: BTreeSet<&str> =
        table("docs/requirements.md").chain(table("ARCHITECTURE.md")).filter(is_id).collect();
    let mut problems = Vec::new();
    for file in texts().iter().filter(|file| file.is(&["rs"])) {
        for (index, line) in file.text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let words = comment.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '`')));
            // The standard of C is none.
            for id in words.filter(is_id).filter(|id| *id != "C11" && !listed.contains(id)) {
                problems.push(format!("{}:{}: {id} is not in docs/requirements.md", file.path, index + 1));
            }
        }
    }
    assert!(listed.len() > 50, "{listed:?}");
    all_is_well("an id that nobody can look up", &problems);
}

/// The areas of error codes: who found the error.
const AREAS: [&str; 7] = ["config", "plugin", "board", "sim", "world", "record", "program"];

fn is_code(word: &str) -> bool {
    let Some((area, slug)) = word.split_once('/') else { return false };
    AREAS.contains(&area)
        && slug.starts_with(|c: char| c.is_ascii_lowercase())
        && slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The error codes in a line's strings.
fn codes(line: &str) -> impl Iterator<Item = &str> {
    let strings = line.split('"').skip(1).step_by(2);
    let words = strings.flat_map(|text| {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.')))
    });
    words.filter(|word| is_code(word))
}

/// The rules of this file, on examples.
#[test]
fn the_readers_of_documents_read() {
    assert_eq!(in_backticks("a `b` c\n```\n`d`\n```\n`e`"), ["b", "e"].into());
    assert_eq!(links("[a](b.md#c) [d](https://e.f) ![g](h/i.png \"j\")"), ["b.md#c", "h/i.png"]);
    let found: Vec<&str> =
        codes(r#"f("config/no-file", "ERR board/line-too-long limit", "server/config/x")"#).collect();
    assert_eq!(found, ["config/no-file", "board/line-too-long"]);
    let text = "pub struct XParams {\n    /// A: b.\n    #[serde(default)]\n    pub range_m: f64,\n}\n    other: 1,\n";
    let file = Text { path: "x.rs".into(), text: text.into() };
    assert_eq!(parameters(&file), ["range_m"]);
}

/// docs/testing.md says of every stage of `cargo verify` what it proves, and of none that there is not.
#[test]
fn every_stage_is_explained() {
    let stages = text("tests/xtask/src/stages/mod.rs");
    let made = ["Stage::early(", "Stage::late(", "Stage::beside("];
    let names: BTreeSet<&str> = made
        .iter()
        .flat_map(|made| stages.split(made).skip(1))
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
        .collect();
    let page = text("docs/testing.md");
    let table = page.split("## What proves what").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows =
        table.unwrap_or_default().lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let rows: BTreeSet<&str> = rows.collect();
    assert!(names.len() > 15, "{names:?}");
    assert_eq!(rows, names, "docs/testing.md and the stages of `cargo verify` differ");
}
