//! The words that a line can be completed to: asked of the server beside what the user asks, and kept from him.

use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::Arc;
use touchline_board::Message;

/// Marks our own questions, whose answers are not shown.
const TAG: &str = "completion";
/// Of so many makes of robots the sensors are asked.
const MODELS: usize = 16;

/// What a line can be completed to.
#[derive(Debug, Default)]
pub struct Vocabulary(Mutex<Words>);

#[derive(Debug, Default)]
struct Words {
    commands: BTreeSet<String>,
    robots: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl Vocabulary {
    /// The word before the end of `line` begins at this byte, and can be each of these.
    pub fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let words = self.0.lock();
        let start = line.rfind([' ', '=', '.']).map_or(0, |blank| blank + 1);
        let (before, begun) = line.split_at(start);
        let is_command = before.trim().is_empty() || before.trim().eq_ignore_ascii_case("help");
        let matching = |known: &BTreeSet<String>| -> Vec<String> {
            let fits = known
                .iter()
                .filter(|word| word.get(..begun.len()).is_some_and(|head| head.eq_ignore_ascii_case(begun)));
            fits.cloned().collect()
        };
        match is_command {
            // Most commands go on with a name.
            true if before.is_empty() => {
                (start, matching(&words.commands).into_iter().map(|word| word + " ").collect())
            }
            true => (start, matching(&words.commands)),
            false => (start, [matching(&words.robots), matching(&words.others)].concat()),
        }
    }
}

/// Sorts the server's lines: those for the user, and those that teach words.
pub struct Answers {
    vocabulary: Arc<Vocabulary>,
    open: Open,
    described: BTreeSet<String>,
    questions: Vec<String>,
}

/// The answer whose lines are coming.
#[derive(Default)]
struct Open {
    lines: usize,
    command: String,
    is_ours: bool,
}

impl Answers {
    /// Answers of a connection on which nothing was received.
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        Self { vocabulary, open: Open::default(), described: BTreeSet::new(), questions: Vec::new() }
    }

    /// Takes a line without its end; gives it back if the user shall see it.
    pub fn take<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let is_ours = if self.open.lines > 0 {
            self.open.lines -= 1;
            self.learn(line);
            self.open.is_ours
        } else {
            self.begin(line)
        };
        (!is_ours).then_some(line)
    }

    /// What is to be asked now.
    pub fn questions(&mut self) -> Vec<String> {
        std::mem::take(&mut self.questions)
    }

    fn ask(&mut self, question: &str) {
        self.questions.push(format!("#{TAG} {question}"));
    }

    /// A head; whether it answers a question of ours.
    fn begin(&mut self, line: &str) -> bool {
        let Ok(head) = Message::read(line) else { return false };
        let is_ours = head.tag.as_deref() == Some(TAG);
        let command = head.words.first().cloned().unwrap_or_default();
        match (head.word.as_str(), command.as_str()) {
            ("TOUCHLINE", _) | ("OK", "HELLO") => {
                ["HELP", "FILES", "LIST"].into_iter().for_each(|question| self.ask(question));
            }
            ("OK", "ROBOT" | "REMOVE" | "START" | "RESET") | ("GONE", _) => self.ask("LIST"),
            ("OK", "LIST") => self.vocabulary.0.lock().robots.clear(),
            _ => {}
        }
        self.open = Open { lines: head.number("lines").unwrap_or(0), command, is_ours };
        is_ours
    }

    /// A line of a block.
    fn learn(&mut self, line: &str) {
        let Ok(said) = Message::read(line) else { return };
        let mut words = self.vocabulary.0.lock();
        match (self.open.command.as_str(), said.word.as_str(), said.words.as_slice()) {
            ("HELP", command, _) if self.open.is_ours => {
                words.commands.insert(command.to_owned());
            }
            ("LIST", "ROBOT", [_, name, ..]) => {
                words.robots.insert(name.clone());
                drop(words);
                let model = said.field("model").unwrap_or_default().to_owned();
                if self.described.len() < MODELS && self.described.insert(model) {
                    self.ask(&format!("DESCRIBE {name}"));
                }
            }
            ("FILES" | "PLAYERS", _, [name, ..])
            | ("DESCRIBE", "SENSOR" | "FEATURE" | "MANIPULATOR", [name, ..]) => {
                words.others.insert(name.clone());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_learned_and_not_shown() {
        let vocabulary = Arc::new(Vocabulary::default());
        let mut answers = Answers::new(Arc::clone(&vocabulary));
        assert_eq!(answers.take("TOUCHLINE 1 0.1.0"), Some("TOUCHLINE 1 0.1.0"));
        assert_eq!(answers.questions(), ["#completion HELP", "#completion FILES", "#completion LIST"]);
        let heard = [
            "#completion OK HELP lines=2",
            "FORWARD <robot> <m/s>  drives",
            "FILES  lists",
            "#completion OK FILES lines=1",
            "FILE pioneer \"two wheels\"",
            "#completion OK LIST lines=1",
            "ROBOT 1 blue-1 model=pioneer",
        ];
        assert!(heard.iter().all(|line| answers.take(line).is_none()));
        assert_eq!(answers.questions(), ["#completion DESCRIBE blue-1"]);
        for shown in [
            "OK STATUS world=f2000",
            "OK GET robot=1 lines=1",
            "DATA laser 1 1 7",
            "ERR board/unknown-command \"x\"",
        ] {
            assert_eq!(answers.take(shown), Some(shown));
        }
        assert!(answers.take("#completion OK DESCRIBE lines=1").is_none());
        assert!(answers.take("SENSOR laser model=LMS200").is_none());
        let complete = |line| vocabulary.complete(line);
        assert_eq!(complete("f"), (0, vec!["FILES ".to_owned(), "FORWARD ".to_owned()]));
        assert_eq!(complete("help for"), (5, vec!["FORWARD".to_owned()]));
        assert_eq!(complete("GET b"), (4, vec!["blue-1".to_owned()]));
        assert_eq!(complete("GET blue-1 la"), (11, vec!["laser".to_owned()]));
        assert_eq!(complete("ROBOT rosie file=p"), (17, vec!["pioneer".to_owned()]));
        assert_eq!(complete("é"), (0, vec![]));
    }
}
