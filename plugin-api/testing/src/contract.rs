//! Rules that all four kinds of plugin share, and how a broken one is told.

use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use touchline_plugin_api::instance::read_params;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, Params, SetupError};
use touchline_plugin_api::state::State;

/// A rule that a plugin breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule, as a sentence.
    pub rule: String,
    /// Where and how it was broken.
    pub detail: String,
}

impl Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {}", self.rule, self.detail)
    }
}

/// Panics with all that is broken, for the one-line checks.
#[track_caller]
pub(super) fn verdict(kind: &str, name: &str, violations: &[Violation]) {
    if !violations.is_empty() {
        let list: String = violations.iter().map(|violation| format!("\n  {violation}")).collect();
        panic!("{kind} plugin \"{name}\" breaks {} rule(s):{list}", violations.len());
    }
}

const NO_ERROR: &str = "legal input gives no error";
const BAD_OUTPUT: &str = "its output is finite, and what it promised";
const NO_PANIC: &str = "no legal input makes it panic";

/// What was found so far. Each rule is reported once, where it was broken first.
#[derive(Default)]
pub(super) struct Report {
    pub violations: Vec<Violation>,
}

impl Report {
    pub fn require(&mut self, rule: &str, holds: bool, detail: impl FnOnce() -> String) {
        if !holds && self.violations.iter().all(|violation| violation.rule != rule) {
            self.violations.push(Violation { rule: rule.into(), detail: detail() });
        }
    }

    /// Runs what must neither panic nor fail. `place` says what it is.
    pub fn run<R, E: Display>(&mut self, place: &str, call: impl FnOnce() -> Result<R, E>) -> Option<R> {
        let result = self.caught(place, call)?;
        result.map_err(|error| self.require(NO_ERROR, false, || format!("{place}: {error}"))).ok()
    }

    /// Runs a call of an instance, which must neither panic nor fail, and give what it promised.
    pub fn call<R>(&mut self, place: &str, call: impl FnOnce() -> Result<R, Fault>) -> Option<R> {
        let rule = |fault: &Fault| match fault {
            // A plugin in Rust finds it on its own side of the border, over which it comes as a text.
            Fault::Reported(text) if text.starts_with("bad output: ") => BAD_OUTPUT,
            Fault::Reported(_) => NO_ERROR,
            Fault::Panicked(_) => NO_PANIC,
            Fault::BadOutput(_) => BAD_OUTPUT,
        };
        let result = self.caught(place, call)?;
        result.map_err(|fault| self.require(rule(&fault), false, || format!("{place}: {fault}"))).ok()
    }

    fn caught<R, E>(&mut self, place: &str, call: impl FnOnce() -> Result<R, E>) -> Option<Result<R, E>> {
        match catch_unwind(AssertUnwindSafe(call)) {
            Ok(result) => Some(result),
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(ToString::to_string);
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
                let text = text.unwrap_or_else(|| "a panic without a text".into());
                self.require(NO_PANIC, false, || format!("{place}: {text}"));
                None
            }
        }
    }

    /// The rules about name, summary and parameters; gives the parameters if they can be read.
    pub fn params<P: Params>(&mut self, name: &str, summary: &str, text: &str) -> Option<serde_json::Value> {
        self.description(name, summary, &schemars::schema_for!(P).to_value());
        let params = self.object(text)?;
        self.run("reading the parameters", || read_params::<P>(&params).map(drop))?;
        self.refuses_unknown(&params, |params| {
            let read = read_params::<P>(params).map(drop);
            read.err().ok_or_else(|| "put #[serde(deny_unknown_fields)] on the parameters".into())
        });
        Some(params)
    }

    /// The rules about what a plugin says of itself.
    pub fn description(&mut self, name: &str, summary: &str, schema: &serde_json::Value) {
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        self.require(
            "the name is one word of a-z, 0-9 and -",
            !name.is_empty() && name.chars().all(is_word),
            || format!("{name:?}"),
        );
        let is_line = !summary.trim().is_empty() && !summary.contains('\n');
        self.require("the summary is one line", is_line, || format!("{summary:?}"));
        self.schema(schema);
    }

    /// Parses the parameters that the test itself was given, a JSON object.
    pub fn object(&mut self, text: &str) -> Option<serde_json::Value> {
        let parsed = serde_json::from_str::<serde_json::Map<_, _>>(text);
        let object = self.run("reading the test's own parameters as a JSON object", || parsed)?;
        Some(serde_json::Value::Object(object))
    }

    /// `refusal` gives why the parameters are refused, or what is to be done if they are not.
    pub fn refuses_unknown(
        &mut self,
        params: &serde_json::Value,
        refusal: impl FnOnce(&serde_json::Value) -> Result<SetupError, String>,
    ) {
        let mut foreign = params.clone();
        foreign["no_such_parameter"] = 0.into();
        if let Err(hint) = refusal(&foreign) {
            self.require("unknown parameters are refused", false, || {
                format!("\"no_such_parameter\" was accepted; {hint}")
            });
        }
    }

    fn schema(&mut self, schema: &serde_json::Value) {
        let closed = schema.get("additionalProperties") == Some(&serde_json::Value::Bool(false));
        self.require("the schema refuses unknown parameters", closed, || {
            "\"additionalProperties\" is not false; derive JsonSchema together with deny_unknown_fields"
                .into()
        });
        let properties = schema.get("properties").and_then(|properties| properties.as_object());
        for (name, property) in properties.into_iter().flatten() {
            let described =
                property.get("description").and_then(|text| text.as_str()).is_some_and(|t| !t.is_empty());
            self.require("every parameter is described", described, || {
                format!("{name} has no doc comment; say what it means, and its unit")
            });
        }
    }

    /// The state before the first call.
    pub fn initial<S>(&mut self, call: impl FnOnce() -> Result<S, Fault>) -> Option<S> {
        self.call("the initial state", call)
    }

    /// The bytes with which both instances begin.
    pub fn same_beginning<S: State>(&mut self, [first, second]: &[S; 2]) -> Option<Vec<u8>> {
        let [first, second] =
            [self.saved("the initial state", first)?, self.saved("the initial state", second)?];
        let rule = "two instances are the same";
        self.require(rule, first == second, || "their initial states differ".into());
        Some(first)
    }

    /// The bytes of a state, which must come back as the same bytes.
    pub fn saved<S: State>(&mut self, place: &str, state: &S) -> Option<Vec<u8>> {
        let bytes = |state: &S| {
            let mut bytes = Vec::new();
            state.save(&mut bytes).map(|()| bytes)
        };
        let first = self.run(place, || bytes(state))?;
        let again = self.run(place, || bytes(&S::load(&first)?))?;
        self.require("a state comes back as it was saved", first == again, || {
            format!("{place}: {} bytes became {} other bytes", first.len(), again.len())
        });
        Some(first)
    }
}

/// Makes two instances of the same parameters.
pub(super) fn made<T, E: Display>(report: &mut Report, make: impl Fn() -> Result<T, E>) -> Option<[T; 2]> {
    Some([report.run("making an instance", &make)?, report.run("making a second instance", &make)?])
}

/// Equal to the bit, so that a NaN equals itself.
pub(super) fn same_orders(a: &Orders, b: &Orders) -> bool {
    let bytes = |orders: &Orders| bytemuck::cast_slice::<_, u8>(&orders.records).to_vec();
    bytes(a) == bytes(b) && a.text == b.text
}
