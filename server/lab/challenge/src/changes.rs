//! A challenge under other conditions than its file says: another seed, other distances. Its digest is another one, so results are never mixed up. (CH8)

use crate::load::Challenge;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use touchline_config::Parameter;
use touchline_plugin_api::plugin::PluginKind;

/// The referee is told these of each attempt by the challenge.
const NUMBERS: [&str; 2] = ["attempt", "attempts"];
/// The greatest seed that programs of all languages read as it is written.
const MAX_SEED: u64 = (1 << 53) - 1;
/// What an attempt takes at most, whatever is said, simulated seconds.
const MAX_SECS: f64 = 86_400.0;
/// A run has so many attempts at most.
const MAX_ATTEMPTS: u32 = 1000;

/// What is other than in the file; nothing, by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    /// What the seeds of all attempts are made from.
    pub seed: Option<u64>,
    /// How many attempts make a run.
    pub attempts: Option<u32>,
    /// How long an attempt takes at most, simulated seconds.
    pub max_s: Option<f64>,
    /// Numbers of the referee, by name.
    pub referee: BTreeMap<String, f64>,
}

impl Changes {
    /// Whether everything is as the file says.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A number that can be changed, as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Its name, with the unit in it.
    pub name: String,
    /// Whether it is the referee's; else it is the challenge's own.
    pub is_referees: bool,
    /// What it is: as the file says, or changed.
    pub value: f64,
    /// The lowest value, if there is one.
    pub min: Option<f64>,
    /// The highest value, if there is one.
    pub max: Option<f64>,
    /// Whether it is a whole number.
    pub is_whole: bool,
    /// What it means, for people.
    pub meaning: String,
}

/// Something cannot be changed so.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum ChangeError {
    /// Nothing of this name can be changed.
    #[error("{name}: nothing of this challenge that can be changed\n  allowed  {allowed}")]
    Unknown {
        /// What was to be changed.
        name: String,
        /// All that can be.
        allowed: String,
    },
    /// A number is out of its range, or not whole.
    #[error("{name}: not a number that it can be\n  got      {got}\n  allowed  {allowed}")]
    Value {
        /// What was to be changed.
        name: String,
        /// To what.
        got: f64,
        /// The range, in words.
        allowed: String,
    },
}

impl Challenge {
    /// All numbers that can be changed, as they are.
    pub fn settings(&self) -> Vec<Setting> {
        let spec = self.spec();
        let own = |name: &str, value: f64, (min, max): (f64, f64), is_whole: bool, meaning: &str| Setting {
            name: name.into(),
            is_referees: false,
            value,
            min: Some(min),
            max: Some(max),
            is_whole,
            meaning: meaning.into(),
        };
        let seed = (0.0, MAX_SEED as f64);
        let mut settings = vec![
            own("seed", spec.seed as f64, seed, true, "What the starts of all attempts are drawn from."),
            own(
                "max_s",
                spec.max_secs,
                (0.0, MAX_SECS),
                false,
                "How long an attempt takes at most, simulated.",
            ),
        ];
        let parameters = self.referee_parameters();
        // A referee that is not told which attempt it is has one.
        if NUMBERS.iter().all(|number| parameters.iter().any(|parameter| parameter.name == *number)) {
            let most = (1.0, f64::from(MAX_ATTEMPTS));
            let meaning = "How many attempts make a run.";
            settings.push(own("attempts", f64::from(spec.attempts), most, true, meaning));
        }
        let referee = spec.scenario.referee.as_ref();
        settings.extend(parameters.into_iter().filter_map(|parameter| {
            let is_number = ["a number", "an integer"].contains(&&*parameter.kind);
            let given = referee.and_then(|referee| referee.params.get(&parameter.name));
            let value = given.or(parameter.default.as_ref()).and_then(Value::as_f64);
            Some(Setting {
                is_whole: is_whole(&parameter),
                value: value.filter(|_| is_number && !NUMBERS.contains(&&*parameter.name))?,
                name: parameter.name,
                is_referees: true,
                min: parameter.min,
                max: parameter.max,
                meaning: parameter.meaning,
            })
        }));
        settings
    }

    /// Plays under other conditions than the file says. Whether the referee takes them all together is found when a team is made.
    ///
    /// # Errors
    /// When something is not there to be changed, or not to this; nothing is changed then.
    pub fn change(&mut self, changes: &Changes) -> Result<(), ChangeError> {
        let settings = self.settings();
        let own = [
            ("seed", changes.seed.map(|seed| seed as f64)),
            ("attempts", changes.attempts.map(f64::from)),
            ("max_s", changes.max_s),
        ];
        let own = own.into_iter().filter_map(|(name, value)| Some((name, false, value?)));
        let referees = changes.referee.iter().map(|(name, value)| (name.as_str(), true, *value));
        for (name, is_referees, value) in own.chain(referees) {
            check(&settings, name, is_referees, value)?;
        }
        let spec = self.spec_mut();
        spec.seed = changes.seed.unwrap_or(spec.seed);
        spec.attempts = changes.attempts.unwrap_or(spec.attempts);
        spec.max_secs = changes.max_s.unwrap_or(spec.max_secs);
        if let Some(referee) = &mut spec.scenario.referee {
            if !referee.params.is_object() {
                referee.params = Value::Object(serde_json::Map::new());
            }
            for (name, value) in &changes.referee {
                let is_whole = settings.iter().any(|setting| setting.name == *name && setting.is_whole);
                referee.params[name.as_str()] = as_json(*value, is_whole);
            }
        }
        self.set_conditions();
        Ok(())
    }

    /// The names of the referee's parameters that are whole numbers.
    pub(crate) fn whole_parameters(&self) -> BTreeSet<String> {
        let whole = self.referee_parameters().into_iter().filter(is_whole);
        whole.map(|parameter| parameter.name).collect()
    }

    fn referee_parameters(&self) -> Vec<Parameter> {
        let Some(referee) = &self.spec().scenario.referee else { return Vec::new() };
        let described = self.factory().descriptions();
        let plugin = described
            .iter()
            .find(|plugin| plugin.kind == PluginKind::Referee && *plugin.name == *referee.plugin);
        plugin.map(|plugin| touchline_config::parameters(&plugin.params_schema)).unwrap_or_default()
    }
}

fn is_whole(parameter: &Parameter) -> bool {
    parameter.kind == "an integer"
}

/// A parameter as its plugin takes it: one that counts reads no 3.0.
pub(crate) fn as_json(value: f64, is_whole: bool) -> Value {
    if is_whole { (value as i64).into() } else { value.into() }
}

fn check(settings: &[Setting], name: &str, is_referees: bool, value: f64) -> Result<(), ChangeError> {
    let known = settings.iter().find(|setting| setting.name == name && setting.is_referees == is_referees);
    let Some(setting) = known else {
        let allowed = settings.iter().map(|setting| setting.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(ChangeError::Unknown { name: name.into(), allowed });
    };
    let (min, max) = (setting.min.unwrap_or(f64::MIN), setting.max.unwrap_or(f64::MAX));
    let is_fit = (min..=max).contains(&value) && (!setting.is_whole || value.fract() == 0.0);
    // An attempt of no time would be none.
    if is_fit && (name, is_referees, value) != ("max_s", false, 0.0) {
        return Ok(());
    }
    let allowed = [
        setting.is_whole.then(|| "a whole number".to_owned()),
        setting.min.map(|min| format!("{} {min}", if name == "max_s" { "above" } else { "from" })),
        setting.max.map(|max| format!("up to {max}")),
    ];
    let allowed = allowed.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let allowed = if allowed.is_empty() { "a number".into() } else { allowed };
    Err(ChangeError::Value { name: name.into(), got: value, allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &str, is_whole: bool) -> Setting {
        let (min, max) = (Some(0.0), Some(3.0));
        Setting {
            name: name.into(),
            is_referees: false,
            value: 1.0,
            min,
            max,
            is_whole,
            meaning: String::new(),
        }
    }

    /// CH8: what is out of range, not whole, no number or nobody's is refused with what is allowed.
    #[test]
    fn a_number_is_held_to_its_range() {
        let settings = [setting("max_s", false), setting("kicks", true)];
        let said =
            |name: &str, value: f64| check(&settings, name, false, value).map_err(|why| why.to_string());
        assert_eq!(said("max_s", 3.0), Ok(()));
        assert_eq!(said("kicks", 0.0), Ok(()));
        for (name, value) in [
            ("max_s", 0.0),
            ("max_s", 3.1),
            ("max_s", f64::NAN),
            ("kicks", -1.0),
            ("kicks", 1.5),
            ("kicks", f64::INFINITY),
        ] {
            let why = said(name, value).unwrap_err();
            assert!(why.contains(name) && why.contains("up to 3"), "{why}");
        }
        assert!(said("speed", 1.0).unwrap_err().contains("allowed  max_s, kicks"));
        assert!(check(&settings, "kicks", true, 1.0).is_err(), "the referee has none");
    }
}
