//! What to try when a value does not fit: the nearest one that does, or where its meaning is explained.

use crate::schema::Schema;
use serde_json::Value;

impl Schema {
    /// The nearest value that a rule allows, in words; `None` if only its owner could say.
    ///
    /// A number that is written as a text, or with a fraction where none may be, is taken for what it looks like.
    pub(crate) fn nearest_allowed(&self, rule: &Value, value: &Value) -> Option<String> {
        let rule = self.resolve(rule);
        let takes = |kind: &str| match rule.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
            Some(one) => one == kind,
            None => false,
        };
        if !takes("number") && !takes("integer") {
            return None;
        }
        let meant = match value {
            Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite())?,
            value => value.as_f64()?,
        };
        let limit = |key: &str| rule.get(key).and_then(Value::as_f64);
        if let Some(low) = limit("exclusiveMinimum").filter(|low| meant <= *low) {
            return Some(format!("take more than {low}"));
        }
        if let Some(high) = limit("exclusiveMaximum").filter(|high| meant >= *high) {
            return Some(format!("take less than {high}"));
        }
        let whole = if takes("number") { meant } else { meant.round() };
        let nearest = limit("maximum").map_or(whole, |high| whole.min(high));
        let nearest = limit("minimum").map_or(nearest, |low| nearest.max(low));
        if value.is_string() {
            return Some(format!("write {nearest}, without quotes"));
        }
        (nearest != meant).then(|| format!("the nearest allowed value is {nearest}"))
    }
}

/// Where a plugin's parameters are explained.
pub(crate) fn explained(plugin: &str) -> String {
    format!("`touchline plugins {plugin}` explains each parameter")
}
