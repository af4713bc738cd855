//! Against whom: the keeper's policies and their levels, and how a choice of them is written.

use serde_json::json;
use std::fmt;
use touchline_sim::scenario::PlayerChoice;

/// The keeper's policies, from the easiest on.
pub const POLICIES: [&str; 6] = ["still", "random", "pattern", "block", "intercept", "mixed"];
/// The levels of each, from easy to expert.
pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=5;

/// A keeper, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// The control: an empty goal.
    None,
    /// A policy at a level.
    Policy(&'static str, u32),
}

impl Keeper {
    /// The control and every policy at every level.
    pub fn all() -> Vec<Self> {
        let each = |policy| LEVELS.map(move |level| Self::Policy(policy, level));
        std::iter::once(Self::None).chain(POLICIES.into_iter().flat_map(each)).collect()
    }

    /// Reads a list such as `block-2,intercept-3`; `all` is all, `none` the control, `block` the five levels of a policy.
    ///
    /// # Errors
    /// Which word is no keeper, what there is, and what may have been meant.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let mut keepers = Vec::new();
        for word in text.split(',').map(str::trim) {
            let found: Vec<Self> = Self::all()
                .into_iter()
                .filter(|keeper| match keeper {
                    Self::Policy(policy, _) => word == "all" || word == *policy || word == keeper.to_string(),
                    Self::None => word == "all" || word == "none",
                })
                .collect();
            if found.is_empty() {
                return Err(Self::unknown(word));
            }
            keepers.extend(found);
        }
        let mut unique = Vec::new();
        keepers.retain(|keeper| {
            let is_new = !unique.contains(keeper);
            unique.push(*keeper);
            is_new
        });
        Ok(keepers)
    }

    fn unknown(word: &str) -> String {
        let mut names: Vec<String> = Self::all().iter().map(ToString::to_string).collect();
        names.extend(POLICIES.map(str::to_owned));
        let nearest = nearest(word, names.iter().map(String::as_str));
        let hint = nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        let policies = POLICIES.join(", ");
        format!("no level \"{word}\": it is all, none, or POLICY-LEVEL with {policies} and 1 to 5{hint}")
    }

    /// The keeper's player: that of the world file with another policy and level.
    pub fn player(self, of_file: &PlayerChoice) -> Option<PlayerChoice> {
        let Self::Policy(policy, level) = self else { return None };
        let mut player = of_file.clone();
        if let Some(params) = player.choice.params.as_object_mut() {
            params.insert("policy".into(), json!(policy));
            params.insert("level".into(), json!(level));
        }
        Some(player)
    }
}

impl fmt::Display for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Policy(policy, level) => write!(f, "{policy}-{level}"),
        }
    }
}

/// The candidate that is most like the word, if any is alike.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        Keeper::parse_list(text).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(list("block-2, intercept-3,block-2"), ["block-2", "intercept-3"]);
        assert_eq!(list("none,still-1"), ["none", "still-1"]);
        assert_eq!(list("mixed"), ["mixed-1", "mixed-2", "mixed-3", "mixed-4", "mixed-5"]);
        assert_eq!(list("all").len(), 31);
        assert_eq!(list("block-5,all").len(), 31);
    }

    #[test]
    fn a_wrong_word_is_answered_with_the_nearest() {
        for (wrong, hint) in
            [("blok-2", "block-2?"), ("intercept", ""), ("block-6", "block-"), ("", "it is all")]
        {
            if let Err(message) = Keeper::parse_list(wrong) {
                assert!(message.contains(hint), "{message}");
            } else {
                assert_eq!(wrong, "intercept");
            }
        }
    }
}
