//! `touchline run --expect 'score.blue >= 1'`: what must be so at the end, compared, and told to people and to programs that read JUnit's XML.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use touchline_plugin_api::view::ObjectKind;
use touchline_sim::{EventKind, World};

/// The numbers that expectations are about, by name.
pub type Facts = BTreeMap<String, f64>;

/// A comparison of two values, each a number or the name of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    text: String,
    left: Operand,
    comparison: Comparison,
    right: Operand,
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Number(f64),
    Fact(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    AtLeast,
    AtMost,
    Equal,
    Unequal,
    More,
    Less,
}

/// The longer ones first: `>=` begins with `>`.
const COMPARISONS: [(&str, Comparison); 6] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    (">", Comparison::More),
    ("<", Comparison::Less),
];

/// What became of an expectation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Text of the expectation.
    pub expectation: String,
    /// The value on the left.
    pub left: f64,
    /// The value on the right.
    pub right: f64,
    /// Whether the expectation is met.
    pub met: bool,
}

impl Expectation {
    /// Reads `VALUE COMPARISON VALUE`.
    ///
    /// # Errors
    /// What an expectation is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            "VALUE, one of >= <= == != > <, VALUE; a value is a number or a name such as score.blue, \
             as in 'score.blue >= 1'"
                .to_owned()
        };
        let found = text.char_indices().find_map(|(at, _)| {
            let here = |(sign, _): &&(&str, Comparison)| text[at..].starts_with(sign);
            COMPARISONS.iter().find(here).map(|(sign, comparison)| (at, sign.len(), *comparison))
        });
        let (at, length, comparison) = found.ok_or_else(wrong)?;
        let operand = |text: &str| -> Result<Operand, String> {
            let text = text.trim();
            if let Ok(number) = text.parse::<f64>() {
                return if number.is_finite() { Ok(Operand::Number(number)) } else { Err(wrong()) };
            }
            let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            let named = !text.is_empty() && text.chars().all(is_name);
            if named { Ok(Operand::Fact(text.to_owned())) } else { Err(wrong()) }
        };
        let (left, right) = (operand(&text[..at])?, operand(&text[at + length..])?);
        Ok(Self { text: text.trim().to_owned(), left, comparison, right })
    }

    /// Compares.
    ///
    /// # Errors
    /// When there is no such fact: the nearest name, and all names.
    pub fn judge(&self, facts: &Facts) -> Result<Verdict, String> {
        let (left, right) = (self.left.value(facts)?, self.right.value(facts)?);
        let met = match self.comparison {
            Comparison::AtLeast => left >= right,
            Comparison::AtMost => left <= right,
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::More => left > right,
            Comparison::Less => left < right,
        };
        Ok(Verdict { expectation: self.text.clone(), left, right, met })
    }
}

impl Operand {
    fn value(&self, facts: &Facts) -> Result<f64, String> {
        let name = match self {
            Self::Number(number) => return Ok(*number),
            Self::Fact(name) => name,
        };
        facts.get(name).copied().ok_or_else(|| {
            let names = facts.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("--expect: this world has no value \"{name}\"\n  hint     there are: {names}")
        })
    }
}

/// How often each kind of event came.
#[derive(Clone, Debug, Default)]
pub struct EventCounts {
    /// Plugins that failed and were stopped.
    pub faults: u64,
    contacts: u64,
    goals: u64,
}

impl EventCounts {
    /// Adds one event to the counts.
    pub fn add(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Fault { .. } => self.faults += 1,
            EventKind::Contact { .. } => self.contacts += 1,
            EventKind::Game { kind, .. } if kind == "goal" => self.goals += 1,
            _ => {}
        }
    }
}

/// All that can be expected of a world as it stands, and of what has happened in it.
pub fn facts(world: &World, events: &EventCounts) -> Facts {
    let (frame, scenario) = (world.frame(), world.scenario());
    let mut facts = Facts::new();
    let mut fact = |name: String, value: f64| facts.insert(name, value);
    fact("steps".into(), frame.step as f64);
    fact("sim_seconds".into(), frame.time_secs);
    fact("faults".into(), events.faults as f64);
    fact("contacts".into(), events.contacts as f64);
    fact("goals".into(), events.goals as f64);
    for (team, state) in scenario.teams.iter().zip(&world.game().teams) {
        fact(format!("score.{}", team.name), state.score as f64);
    }
    let balls = frame.objects.iter().filter(|object| object.kind() == ObjectKind::Ball);
    for ball in balls {
        let speed = (ball.twist.x_m_s * ball.twist.x_m_s + ball.twist.y_m_s * ball.twist.y_m_s).sqrt();
        let values = [("x_m", ball.pose.x_m), ("y_m", ball.pose.y_m), ("speed_m_s", speed)];
        values.into_iter().for_each(|(name, value)| {
            fact(format!("ball.{}.{name}", ball.number), value);
        });
    }
    for robot in &frame.robots {
        let twist = robot.twist;
        let speed = (twist.x_m_s * twist.x_m_s + twist.y_m_s * twist.y_m_s).sqrt();
        let pose = robot.pose;
        let values =
            [("x_m", pose.x_m), ("y_m", pose.y_m), ("theta_rad", pose.theta_rad), ("speed_m_s", speed)];
        values.into_iter().for_each(|(name, value)| {
            fact(format!("robot.{}.{name}", robot.identity.name), value);
        });
    }
    facts
}

/// The verdicts in the format that JUnit made common: a suite for the world, a case for each expectation, and one for its plugins.
pub fn junit(world: &str, secs: f64, faults: &[String], verdicts: &[Verdict]) -> String {
    let failed = verdicts.iter().filter(|verdict| !verdict.met).count() + usize::from(!faults.is_empty());
    let (world, tests) = (escaped(world), verdicts.len() + 1);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites tests=\"{tests}\" failures=\"{failed}\" time=\"{secs:.3}\">");
    let _ = writeln!(
        text,
        "  <testsuite name=\"{world}\" tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" skipped=\"0\" time=\"{secs:.3}\">"
    );
    let mut case = |name: &str, failure: Option<String>| {
        let head = format!("    <testcase classname=\"{world}\" name=\"{}\" time=\"0\"", escaped(name));
        let _ = match failure {
            None => writeln!(text, "{head}/>"),
            Some(message) => {
                writeln!(text, "{head}>\n      <failure message=\"{}\"/>\n    </testcase>", escaped(&message))
            }
        };
    };
    case("no plugin fails", (!faults.is_empty()).then(|| faults.join("; ")));
    for verdict in verdicts {
        case(
            &verdict.expectation,
            (!verdict.met).then(|| format!("{} against {}", verdict.left, verdict.right)),
        );
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Text between quotes; XML 1.0 has no place for other control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        [("score.blue", 2.0), ("score.yellow", 1.0), ("robot.blue-1.x_m", -0.5)]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }

    #[test]
    fn numbers_and_facts_are_compared() {
        for (text, met) in [
            ("score.blue >= 2", true),
            ("score.blue>2", false),
            ("score.blue <= 2", true),
            ("score.blue != 2", false),
            ("score.blue == 2.0", true),
            ("score.yellow < score.blue", true),
            (" -1 < robot.blue-1.x_m ", true),
            ("robot.blue-1.x_m > -5e-1", false),
        ] {
            assert_eq!(Expectation::parse(text).unwrap().judge(&facts()).unwrap().met, met, "{text}");
        }
    }

    #[test]
    fn what_is_no_expectation_is_refused() {
        for text in
            ["", "score.blue", "score.blue => 1", "score blue > 1", "> 1", "a > nan", "a >", "a > b > c"]
        {
            assert!(Expectation::parse(text).is_err(), "{text}");
        }
        let unknown = Expectation::parse("score.blu > 1").unwrap().judge(&facts()).unwrap_err();
        assert!(
            unknown.contains("\"score.blu\"") && unknown.contains("score.blue, score.yellow"),
            "{unknown}"
        );
    }

    #[test]
    fn junit_counts_and_escapes() {
        let verdicts = [Verdict { expectation: "a < 1".into(), left: 2.0, right: 1.0, met: false }];
        let text = junit("x&y", 1.5, &[], &verdicts);
        assert!(text.contains("tests=\"2\" failures=\"1\"") && text.contains("name=\"a &lt; 1\""), "{text}");
        assert!(text.contains("message=\"2 against 1\"") && text.contains("x&amp;y"), "{text}");
    }
}
