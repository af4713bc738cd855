//! `cargo xtask c-functions`: the page of all functions that a program in C can call, made from the headers.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What is read, in this order: a title, and the folder of the headers.
const PARTS: [(&str, &str); 2] =
    [("Plugins", "plugin-api/include/touchline"), ("Clients", "clients/c/include/touchline")];

const HEAD: &str = "\
# C functions

Every function and function-like macro of the C headers, with the first sentence of what its header says. This page is made by `cargo xtask c-functions >
docs/c-functions.md`; a test holds it to the headers. C++ has classes over them: `plugin.hpp`, `orders.hpp`, `testing.hpp`, `client.hpp`, `localisation.hpp`.
[plugins.md](plugins.md#in-c) shows how plugins use them, [the client's README](../clients/c/README.md) how clients do.
";

/// A function or macro as a header has it.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    signature: String,
    /// The first sentence of its comment; empty if it has none.
    says: String,
}

/// The whole page.
///
/// # Errors
/// When a header cannot be read.
pub fn page(root: &Path) -> Result<String, String> {
    let mut page = HEAD.to_owned();
    for (title, folder) in PARTS {
        let _ = write!(page, "\n## {title}\n");
        let folder = root.join(folder);
        let unreadable = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))?;
        let mut headers: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        headers.retain(|path| path.extension().is_some_and(|ending| ending == "h"));
        headers.sort();
        for header in headers {
            let functions =
                functions(&fs::read_to_string(&header).map_err(|error| unreadable(&header, error))?);
            if functions.is_empty() {
                continue;
            }
            let name = header.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let _ = write!(page, "\n### `{name}`\n\n| function | what it does |\n|---|---|\n");
            for Function { signature, says } in functions {
                let _ = writeln!(page, "| `{signature}` | {says} |");
            }
        }
    }
    Ok(page)
}

/// The functions of a header, in its order.
fn functions(header: &str) -> Vec<Function> {
    let (mut found, mut comment) = (Vec::new(), String::new());
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("#ifdef __cplusplus") {
            skip_cplusplus(&mut lines);
            comment.clear();
        } else if line.starts_with("/*") {
            comment = line.to_owned();
            while !comment.contains("*/") {
                let Some(line) = lines.next() else { break };
                comment = format!("{comment} {}", line.trim().trim_start_matches("* "));
            }
        } else if let Some(said) = line.strip_prefix("///") {
            comment = format!("{comment}{said}\n");
        } else if begins_function(line) {
            let mut signature = line.to_owned();
            while !signature.contains([';', '{']) && !line.starts_with("#define") {
                let Some(line) = lines.next() else { break };
                signature = format!("{signature} {}", line.trim());
            }
            found.push(Function { signature: tidied(&signature), says: first_sentence(&comment) });
            comment.clear();
        } else {
            comment.clear();
        }
    }
    found
}

/// Skips what is for C++ alone: its classes, and the lines around `extern "C"`.
fn skip_cplusplus<'a>(lines: &mut impl Iterator<Item = &'a str>) {
    let mut depth = 1;
    while depth > 0
        && let Some(line) = lines.next()
    {
        match line.split_whitespace().next() {
            Some("#if" | "#ifdef" | "#ifndef") => depth += 1,
            Some("#endif") => depth -= 1,
            _ => {}
        }
    }
}

fn begins_function(line: &str) -> bool {
    let is_inline = line.starts_with("static inline ");
    let is_macro = line.strip_prefix("#define ").is_some_and(|rest| {
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .next()
            .is_some_and(|name| rest[name.len()..].starts_with('('))
    });
    let is_prototype = line.starts_with(|c: char| c.is_ascii_alphabetic())
        && !line.starts_with("typedef")
        && !line.starts_with("static")
        && line
            .split('(')
            .next()
            .is_some_and(|before| before.contains(" touchline_") || before.contains("*touchline_"))
        && line.contains('(');
    is_inline || is_macro || is_prototype
}

/// Without what only the compiler needs, on one line.
fn tidied(signature: &str) -> String {
    let signature = match signature.strip_prefix("#define ") {
        Some(define) => define.split_inclusive(')').next().unwrap_or(define),
        None => signature.split(['{', ';']).next().unwrap_or(signature),
    };
    let signature = signature.trim_start_matches("static inline ").trim_start_matches("TL_EXPORT ");
    signature.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn first_sentence(comment: &str) -> String {
    let text = comment.replace("/*", " ").replace("*/", " ");
    let text = text.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].trim().replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// P6: the page has every function that the headers have.
    #[test]
    fn the_page_is_up_to_date() {
        let on_disk = fs::read_to_string(root().join("docs/c-functions.md")).unwrap_or_default();
        assert!(
            on_disk == page(&root()).unwrap(),
            "docs/c-functions.md is out of date:\ncargo xtask c-functions > docs/c-functions.md"
        );
    }

    /// Counted in another way: no function of a header is missed, and each says what it does or has a name that does.
    #[test]
    fn no_function_is_missed() {
        let page = page(&root()).unwrap();
        for (_, folder) in PARTS {
            for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
                let text = fs::read_to_string(entry.path()).unwrap();
                if entry.path().extension().is_none_or(|ending| ending != "h") {
                    continue;
                }
                let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '(');
                for word in words.filter(|word| word.starts_with("touchline_") && word.contains('(')) {
                    let name = word.split('(').next().unwrap_or_default();
                    assert!(page.contains(&format!("{name}(")), "{}: {name}", entry.path().display());
                }
                for line in text.lines().filter_map(|line| line.strip_prefix("static inline ")) {
                    let name = line
                        .split('(')
                        .next()
                        .and_then(|before| before.split([' ', '*']).next_back())
                        .unwrap_or_default();
                    assert!(page.contains(&format!("{name}(")), "{}: {name}", entry.path().display());
                }
            }
        }
    }

    #[test]
    fn a_header_is_read() {
        let header = "/* One. Two. */\nstatic inline int tl_a(int x,\n                       int y) {\n    return 0;\n}\n\n\
                      static inline void tl_b(void) {}\n/* A macro. */\n#define TL_C(a, b) \\\n    ((a) | (b))\n\
                      #ifdef __cplusplus\n// no\nstatic inline void tl_no(void) {}\n#endif\n\
                      /// Says a | b.\n///\n/// More.\nTouchlineStatus touchline_d(int x,\n    int y);\n";
        let function =
            |signature: &str, says: &str| Function { signature: signature.into(), says: says.into() };
        assert_eq!(
            functions(header),
            [
                function("int tl_a(int x, int y)", "One."),
                function("void tl_b(void)", ""),
                function("TL_C(a, b)", "A macro."),
                function("TouchlineStatus touchline_d(int x, int y)", "Says a \\| b."),
            ]
        );
    }
}
