//! A value against a JSON Schema: all that does not fit, at its place, in words.
//!
//! The same function checks a file against the schema of its own type and a plugin's parameters against the schema that
//! the plugin gives. [`Schema::check`] is the entry point.

use crate::document::{At, Document, child, lower_first, split, unescape};
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;
use std::collections::BTreeSet;

/// A JSON Schema, ready to be used.
pub(crate) struct Schema {
    schema: Value,
    validator: Validator,
}

/// One thing that does not fit, before it has words.
struct Misfit<'a> {
    /// From the value that is checked.
    pointer: String,
    keyword: &'a Kind,
    /// The schema that holds the keyword.
    rule: &'a Value,
}

impl Schema {
    /// Makes it from JSON.
    ///
    /// # Errors
    /// When it is no JSON Schema.
    pub(crate) fn new(schema: Value) -> Result<Self, String> {
        let validator = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
        Ok(Self { schema, validator })
    }

    /// The JSON Schema, as it was given.
    pub(crate) fn root(&self) -> &Value {
        &self.schema
    }

    /// Reports everything at or below `base` that does not fit.
    pub(crate) fn check(&self, document: &mut Document, base: &str) {
        self.check_but(document, base, |_, _| false);
    }

    /// Reports everything in a part that does not fit, but what is missing where the file that includes it can bring it.
    pub(crate) fn check_part(&self, document: &mut Document) {
        self.check_but(document, "", |document, misfit| {
            matches!(misfit.keyword, Kind::Required { .. }) && document.can_be_completed(&misfit.pointer)
        });
    }

    fn check_but(
        &self,
        document: &mut Document,
        base: &str,
        is_forgiven: impl Fn(&Document, &Misfit<'_>) -> bool,
    ) {
        let Some(value) = document.value.pointer(base).cloned() else { return };
        let errors: Vec<_> = self.validator.iter_errors(&value).collect();
        let mut misfits = Vec::new();
        for error in &errors {
            self.collect(error, &mut misfits);
        }
        // A mistyped key is one mistake, not an unknown and a missing one.
        let mut mistyped = BTreeSet::new();
        for misfit in &misfits {
            let pointer = format!("{base}{}", misfit.pointer);
            let (Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected }) =
                misfit.keyword
            else {
                continue;
            };
            let known = keys(misfit.rule);
            for key in unexpected {
                let is_known =
                    |(old, now): &&(&str, &str)| *old == key && known.iter().any(|known| known == now);
                let renamed = RENAMED.iter().find(is_known).map(|(_, now)| *now);
                let nearest = renamed.or_else(|| nearest(key, known.iter().map(String::as_str)));
                let place = child(&pointer, key);
                let problem = document.report(&place, At::Key, "config/unknown-key", unknown(&place));
                problem.allowed = Some(known.join(", "));
                problem.hint = match renamed {
                    Some(now) => Some(format!("it is called \"{now}\" now")),
                    None => nearest.map(|nearest| format!("did you mean \"{nearest}\"?")),
                };
                document.forgive(&place);
                document.remove(&place);
                mistyped.extend(nearest.map(|nearest| child(&pointer, nearest)));
            }
        }
        for misfit in misfits {
            if is_forgiven(document, &misfit) {
                continue;
            }
            let pointer = format!("{base}{}", misfit.pointer);
            self.say(document, &pointer, &misfit, &mistyped);
        }
    }

    /// Flattens choices: of several alternatives the one that the user most likely meant.
    fn collect<'a>(&'a self, error: &'a ValidationError<'_>, misfits: &mut Vec<Misfit<'a>>) {
        if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind() {
            let at_choice = |inner: &ValidationError<'_>| inner.instance_path() == error.instance_path();
            let is_null = |branch: &&Vec<ValidationError<'_>>| {
                branch.len() == 1 && self.rule(&branch[0]).get("type").is_some_and(|kind| kind == "null")
            };
            // How badly a branch misses: not the tag, not even the type.
            let distance = |branch: &&Vec<ValidationError<'_>>| {
                let is_tag = |inner: &&ValidationError<'_>| {
                    matches!(inner.kind(), Kind::Constant { .. } | Kind::Enum { .. })
                        || matches!(inner.kind(), Kind::Type { .. }) && at_choice(inner)
                };
                (branch.iter().filter(is_tag).count(), branch.len())
            };
            let branches: Vec<_> = context.iter().filter(|branch| !is_null(branch)).collect();
            let is_word = |branch: &&Vec<ValidationError<'_>>| {
                branch.iter().all(|inner| {
                    at_choice(inner)
                        && matches!(
                            inner.kind(),
                            Kind::Constant { .. } | Kind::Enum { .. } | Kind::Type { .. }
                        )
                })
            };
            let is_choice_of_words = branches.len() > 1 && branches.iter().all(is_word);
            if let (false, Some(branch)) = (is_choice_of_words, branches.iter().copied().min_by_key(distance))
            {
                for inner in branch {
                    self.collect(inner, misfits);
                }
                return;
            }
        }
        misfits.push(Misfit {
            pointer: error.instance_path().as_str().to_owned(),
            keyword: error.kind(),
            rule: self.rule(error),
        });
    }

    fn rule(&self, error: &ValidationError<'_>) -> &Value {
        self.schema.pointer(split(error.schema_path().as_str()).0).unwrap_or(&Value::Null)
    }

    fn say(&self, document: &mut Document, pointer: &str, misfit: &Misfit<'_>, mistyped: &BTreeSet<String>) {
        let name = path_in_item(pointer);
        let allowed = || Some(self.allowed(misfit.rule, &name));
        let value = document.value.pointer(pointer);
        let nearest_allowed = value.and_then(|value| self.nearest_allowed(misfit.rule, value));
        match misfit.keyword {
            Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => {}
            Kind::Required { property } => {
                let key = property.as_str().unwrap_or_default();
                let missing = child(pointer, key);
                if mistyped.contains(&missing) {
                    document.spoil(pointer);
                    return;
                }
                let rule = misfit.rule.get("properties").and_then(|properties| properties.get(key));
                let what = format!("\"{}\" is missing", path_in_item(&missing));
                let allowed = rule.map(|rule| self.allowed(rule, key));
                let is_list = rule.is_some_and(|rule| self.is_list_of_tables(self.resolve(rule)));
                let problem = document.report(&missing, At::Key, "config/missing-key", what);
                problem.got = None;
                problem.allowed = allowed;
                problem.hint = is_list.then(|| format!("add a table [[{}]]", header(&missing)));
            }
            _ if document.is_bad(pointer) => {}
            Kind::Type { .. } => {
                let problem = document.report(
                    pointer,
                    At::Value,
                    "config/wrong-type",
                    format!("\"{name}\" is of the wrong type"),
                );
                problem.allowed = allowed();
                problem.hint = nearest_allowed;
            }
            Kind::Constant { .. } | Kind::Enum { .. } | Kind::OneOfNotValid { .. } | Kind::AnyOf { .. } => {
                let value = document.value.pointer(pointer).cloned().unwrap_or_default();
                let words = self.words(misfit.rule);
                let what = match &value {
                    Value::String(text) => format!("\"{name}\" does not know \"{text}\""),
                    _ => format!("\"{name}\" is of the wrong type"),
                };
                let nearest = value.as_str().and_then(|text| nearest(text, words.iter().map(String::as_str)));
                let code = if value.is_string() { "config/unknown-value" } else { "config/wrong-type" };
                let problem = document.report(pointer, At::Value, code, what);
                problem.allowed = allowed();
                problem.hint = nearest.map(|nearest| format!("did you mean \"{nearest}\"?"));
            }
            _ => {
                let what = match misfit.keyword {
                    Kind::MinItems { limit: 1 } | Kind::MinProperties { limit: 1 } => {
                        format!("\"{name}\" is empty")
                    }
                    Kind::MinItems { limit } | Kind::MinProperties { limit } => {
                        format!("\"{name}\" has fewer than {limit} entries")
                    }
                    Kind::MaxItems { limit } | Kind::MaxProperties { limit } => {
                        format!("\"{name}\" has more than {limit} entries")
                    }
                    Kind::AdditionalItems { limit } => format!("\"{name}\" has more than {limit} entries"),
                    Kind::Pattern { .. } | Kind::Format { .. } => {
                        format!("\"{name}\" is not written as it must be")
                    }
                    _ => format!("\"{name}\" is outside what is allowed"),
                };
                let is_list = self.is_list_of_tables(misfit.rule);
                let lacks_entries = matches!(misfit.keyword, Kind::MinItems { .. });
                let in_degrees = meant_in_degrees(&name, document.value.pointer(pointer));
                let problem = document.report(pointer, At::Value, "config/out-of-range", what);
                problem.allowed = allowed();
                problem.hint = (is_list && lacks_entries)
                    .then(|| format!("write [[{}]] in its place", header(pointer)))
                    .or(in_degrees)
                    .or(nearest_allowed);
            }
        }
    }

    fn is_list_of_tables(&self, rule: &Value) -> bool {
        let item = rule.get("items").map(|rule| self.resolve(rule));
        item.is_some_and(|rule| rule.get("properties").is_some())
    }

    pub(crate) fn resolve<'a>(&'a self, rule: &'a Value) -> &'a Value {
        let target = rule.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        target.and_then(|target| self.schema.pointer(target)).unwrap_or(rule)
    }

    /// The words that a choice of words knows.
    pub(crate) fn words(&self, rule: &Value) -> Vec<String> {
        let rule = self.resolve(rule);
        let mut words = Vec::new();
        words.extend(rule.get("const").and_then(Value::as_str).map(str::to_owned));
        let list = |key: &str| rule.get(key).and_then(Value::as_array).into_iter().flatten();
        words.extend(list("enum").filter_map(Value::as_str).map(str::to_owned));
        words.extend(list("oneOf").chain(list("anyOf")).flat_map(|choice| self.words(choice)));
        words
    }

    /// The rule in words: what type, in which range, and what it means.
    pub(crate) fn allowed(&self, rule: &Value, name: &str) -> String {
        let words = self.words(rule);
        let resolved = self.resolve(rule);
        let mut text = if words.is_empty() {
            type_words(resolved)
        } else {
            words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
        };
        if let Some(range) = range_words(resolved, split(&name.replace('.', "/")).1) {
            text = if text.is_empty() { range } else { format!("{text}, {range}") };
        }
        let description = rule.get("description").or_else(|| resolved.get("description"));
        if let Some(sentence) = description.and_then(Value::as_str).and_then(first_sentence) {
            text = if text.is_empty() { sentence } else { format!("{text}: {sentence}") };
        }
        text
    }
}

/// Keys that had another name before.
const RENAMED: [(&str, &str); 3] = [
    ("patience_s", "order_timeout_s"),
    ("start_patience_s", "start_timeout_s"),
    ("patience_secs", "stuck_after_secs"),
];

fn unknown(pointer: &str) -> String {
    format!("unknown key \"{}\"", path_in_item(pointer))
}

/// The names of an object's keys, sorted.
fn keys(rule: &Value) -> Vec<String> {
    let properties = rule.get("properties").and_then(Value::as_object);
    let mut keys: Vec<_> = properties.into_iter().flat_map(|properties| properties.keys().cloned()).collect();
    keys.sort_unstable();
    keys
}

/// A pointer as the user would say it, from the innermost list item on: `params.range_max_m`.
fn path_in_item(pointer: &str) -> String {
    let segments: Vec<_> = pointer.split('/').skip(1).map(unescape).collect();
    // An item of a list of numbers belongs to the list's name.
    let named = segments.iter().rposition(|segment| segment.parse::<usize>().is_err()).unwrap_or(0);
    let start =
        segments[..named].iter().rposition(|segment| segment.parse::<usize>().is_ok()).map_or(0, |i| i + 1);
    let mut path = String::new();
    for segment in segments.get(start..).unwrap_or_default() {
        match segment.parse::<usize>() {
            Ok(index) => path.push_str(&format!("[{index}]")),
            Err(_) if path.is_empty() => path.push_str(segment),
            Err(_) => path.push_str(&format!(".{segment}")),
        }
    }
    path
}

/// The words between the brackets of a table's header, such as `manipulator.state` for `/manipulator/0/state`.
fn header(pointer: &str) -> String {
    let keys: Vec<&str> = pointer.split('/').skip(1).filter(|key| key.parse::<usize>().is_err()).collect();
    keys.join(".")
}

/// TOML's words for the types that are allowed.
pub(crate) fn type_words(rule: &Value) -> String {
    let word = |kind: &Value| match kind.as_str() {
        Some("string") => Some("a string"),
        Some("number") => Some("a number"),
        Some("integer") => Some("an integer"),
        Some("boolean") => Some("true or false"),
        Some("array") => Some("a list"),
        Some("object") => Some("a table"),
        _ => None,
    };
    match rule.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(word).collect::<Vec<_>>().join(" or "),
        Some(kind) => word(kind).unwrap_or_default().into(),
        None => String::new(),
    }
}

/// A number's, a list's or a text's limits.
pub(crate) fn range_words(rule: &Value, name: &str) -> Option<String> {
    // 1000, not 1000.0.
    let number = |key: &str| rule.get(key).and_then(Value::as_f64);
    let low = number("minimum").map(|limit| format!("{limit} <= "));
    let low = low.or_else(|| number("exclusiveMinimum").map(|limit| format!("{limit} < ")));
    let high = number("maximum").map(|limit| format!(" <= {limit}"));
    let high = high.or_else(|| number("exclusiveMaximum").map(|limit| format!(" < {limit}")));
    if low.is_some() || high.is_some() {
        return Some(format!("{}{name}{}", low.unwrap_or_default(), high.unwrap_or_default()));
    }
    let span = |low: Option<f64>, high: Option<f64>, what: &str| match (low, high) {
        (Some(low), Some(high)) if low == high => Some(format!("{low} {what}")),
        (Some(low), Some(high)) => Some(format!("{low} to {high} {what}")),
        (Some(low), None) => Some(format!("at least {low} {what}")),
        (None, Some(high)) => Some(format!("at most {high} {what}")),
        (None, None) => None,
    };
    if let Some(pattern) = rule.get("pattern").and_then(Value::as_str) {
        return Some(match pattern {
            crate::files::SENSOR_ID => "1 to 64 letters (a-z, A-Z), digits, \"_\" or \"-\"".into(),
            crate::files::NAME => "1 to 64 letters (a-z, A-Z), digits, \"_\", \".\" or \"-\"".into(),
            crate::files::COLOUR => "\"#rrggbb\" with hexadecimal digits".into(),
            other => format!("as the pattern {other}"),
        });
    }
    span(number("minItems"), number("maxItems"), "entries")
        .or_else(|| span(number("minLength"), number("maxLength"), "characters"))
}

/// What somebody is told who wrote an angle of more than a whole turn.
fn meant_in_degrees(name: &str, value: Option<&Value>) -> Option<String> {
    let angle = value.and_then(Value::as_f64).filter(|angle| angle.abs() > std::f64::consts::TAU)?;
    name.ends_with("_rad").then(|| in_degrees(angle))
}

/// The hint for an angle of more than a whole turn.
pub(crate) fn in_degrees(angle: f64) -> String {
    format!("angles are in radians: {angle} degrees are {:.4}", angle.to_radians())
}

/// The first sentence of a description, as a clause.
pub(crate) fn first_sentence(text: &str) -> Option<String> {
    let text = text.split("\n\n").next()?.replace('\n', " ");
    let sentence = text.split(". ").next()?.trim().trim_end_matches('.');
    (!sentence.is_empty()).then(|| lower_first(sentence))
}

/// The candidate that is most like the word, if any is alike.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
