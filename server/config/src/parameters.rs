//! A plugin's parameters as a list, from their JSON Schema: for tables, forms and questions on the board.

use crate::schema::{Schema, range_words, type_words};
use serde_json::Value;

/// One parameter of a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, with the unit in it.
    pub name: String,
    /// What it takes, in words: `a number`, `a list`.
    pub kind: String,
    /// The words to choose from, if it is a choice.
    pub choices: Vec<String>,
    /// Its range in words, such as `0 <= sigma_m <= 1`.
    pub range: Option<String>,
    /// The lowest value, if there is one; a limit that is not reached counts as well.
    pub min: Option<f64>,
    /// The highest value, likewise.
    pub max: Option<f64>,
    /// What it is when it is not given; `None` has to be given, or is nothing.
    pub default: Option<Value>,
    /// Whether it has to be given.
    pub is_needed: bool,
    /// Description of the parameter, for people.
    pub meaning: String,
}

/// The parameters of a schema, in the order of their names.
pub fn parameters(schema: &Value) -> Vec<Parameter> {
    let Ok(schema) = Schema::new(schema.clone()) else { return Vec::new() };
    let root = schema.root();
    let needed = |name: &str| {
        let list = root.get("required").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|needed| needed == name))
    };
    let properties = root.get("properties").and_then(Value::as_object).into_iter().flatten();
    let parameter = |(name, rule): (&String, &Value)| {
        let target = schema.resolve(rule);
        let limit = |keys: [&str; 2]| keys.iter().find_map(|key| target.get(*key).and_then(Value::as_f64));
        let meaning = rule.get("description").or_else(|| target.get("description"));
        Parameter {
            name: name.clone(),
            kind: type_words(target),
            choices: schema.words(rule),
            range: range_words(target, name),
            min: limit(["minimum", "exclusiveMinimum"]),
            max: limit(["maximum", "exclusiveMaximum"]),
            default: rule.get("default").filter(|default| !default.is_null()).cloned(),
            is_needed: needed(name),
            meaning: meaning
                .and_then(Value::as_str)
                .unwrap_or_default()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
        }
    };
    properties.map(parameter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(schemars::JsonSchema, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum Policy {
        /// Stands.
        #[allow(dead_code, reason = "only its name counts")]
        Still,
        /// Moves.
        Block,
    }

    #[derive(schemars::JsonSchema, serde::Serialize)]
    #[serde(default)]
    struct Params {
        /// How fast, m/s.
        #[schemars(range(min = 0.0, max = 3.0))]
        speed_m_s: f64,
        /// What it does.
        policy: Policy,
    }

    impl Default for Params {
        fn default() -> Self {
            Self { speed_m_s: 1.0, policy: Policy::Block }
        }
    }

    /// P1: what a parameter is, means and may be.
    #[test]
    fn parameters_are_listed_with_range_default_and_meaning() {
        let listed = parameters(&schemars::schema_for!(Params).to_value());
        let [policy, speed] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!((speed.min, speed.max, &speed.default), (Some(0.0), Some(3.0), &Some(1.0.into())));
        assert_eq!((speed.meaning.as_str(), speed.is_needed), ("How fast, m/s.", false));
        assert_eq!(policy.choices, ["still", "block"]);
        assert_eq!(policy.default, Some("block".into()));
    }
}
