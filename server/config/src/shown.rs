//! Text of strangers for people: what would command a terminal, or turn a line round, is written as an escape.

use std::path::Path;

/// Whether a terminal would obey this character, or show others in another order for it.
pub fn is_command(letter: char) -> bool {
    let turns = matches!(
        letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || letter.is_control()
}

/// As a part of a line: it cannot begin another one.
pub fn shown(text: &str) -> String {
    escaped(text, is_command)
}

/// As a text of several lines, whose ends and tabs stay.
pub fn shown_lines(text: &str) -> String {
    escaped(text, |letter| is_command(letter) && !matches!(letter, '\n' | '\t'))
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_escaped(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// A path as one word of a shell's line, in quotes if it needs them.
pub fn shell_word(path: &Path) -> String {
    let word = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if word.chars().all(is_plain) && !word.is_empty() && !word.starts_with('-') {
        return word;
    }
    // A path that begins with a hyphen would be an option.
    let here = if word.starts_with('-') { "./" } else { "" };
    format!("'{here}{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::{shell_word, shown, shown_lines};
    use std::path::Path;

    #[test]
    fn what_commands_a_terminal_is_shown() {
        let title = "a\u{1b}]0;mine\u{7}\u{9b}2J\r\n\tb";
        assert_eq!(shown(title), r"a\u{1b}]0;mine\u{7}\u{9b}2J\r\n\tb");
        assert_eq!(shown_lines(title), "a\\u{1b}]0;mine\\u{7}\\u{9b}2J\\r\n\tb");
        for turns in ["\u{202e}", "\u{2066}", "\u{200f}", "\u{61c}", "\u{2028}"] {
            assert_eq!(shown(turns), turns.escape_default().to_string());
        }
        let harmless = "Tîm A \"1\" \\ 日本 🤖";
        assert_eq!((shown(harmless).as_str(), shown_lines(harmless).as_str()), (harmless, harmless));
    }

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        for (path, word) in [
            ("../sensor-a", "../sensor-a"),
            ("neu er/sensor-a", "'neu er/sensor-a'"),
            ("it's", "'it'\\''s'"),
            ("-x", "'./-x'"),
            ("$HOME", "'$HOME'"),
            ("für/a", "für/a"),
        ] {
            assert_eq!(shell_word(Path::new(path)), word);
        }
    }
}
