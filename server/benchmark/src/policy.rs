//! Who attacks, as it is written: on the command line and in Python the same.

use crate::conditions::Attacker;
use crate::keeper::nearest;
use serde_json::{Value, json};
use std::path::Path;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;

/// What a policy's word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy<'a> {
    /// `random`
    Random,
    /// A player plugin's name; `scripted` is the player striker.
    Plugin(&'a str),
    /// A player plugin's file.
    File(&'a Path),
    /// `onnx:FILE`, or a file that ends so: a learned policy.
    Learned(&'a Path),
    /// `tcp`: a program over the message board.
    Remote,
}

impl<'a> Policy<'a> {
    /// Reads the word; whether there is such a plugin or file is not looked at.
    pub fn read(word: &'a str) -> Self {
        let model = word.strip_prefix("onnx:").or_else(|| word.ends_with(".onnx").then_some(word));
        let is_file = word.contains(['/', '\\']) || word.ends_with(std::env::consts::DLL_SUFFIX);
        match word {
            _ if model.is_some() => Self::Learned(Path::new(model.unwrap_or_default())),
            "tcp" => Self::Remote,
            "random" => Self::Random,
            "scripted" => Self::Plugin("striker"),
            _ if is_file => Self::File(Path::new(word)),
            _ => Self::Plugin(word),
        }
    }
}

/// The parameters of a player that is given none.
pub fn default_params(word: &str) -> Value {
    match word {
        // It takes its time to aim; the rest is as in a match.
        "scripted" => json!({ "shot_error_m": 0.08, "speed_fraction": 0.7 }),
        _ => json!({}),
    }
}

/// The attacker whom a plugin drives. `word` is how it was asked for.
///
/// # Errors
/// That there is no such player, which there are, and what may have been meant.
pub fn player(
    word: &str,
    plugin: &str,
    params: Value,
    factory: &dyn PluginFactory,
) -> Result<Attacker, String> {
    let known = factory.descriptions();
    let players: Vec<&str> = known
        .iter()
        .filter(|found| found.kind == PluginKind::Player)
        .map(|found| found.name.as_str())
        .collect();
    if players.contains(&plugin) {
        return Ok(Attacker::Player(PluginChoice { plugin: plugin.into(), params }));
    }
    let words = ["random", "scripted"].into_iter().chain(players.iter().copied());
    let hint = nearest(word, words).map(|name| format!("\n  hint     did you mean {name}?"));
    Err(format!(
        "no policy \"{word}\": it is random, scripted, onnx:FILE, tcp, a player plugin's name ({}) or its file{}",
        players.join(", "),
        hint.unwrap_or_default()
    ))
}

/// Whether what a file holds can attack.
///
/// # Errors
/// What it is instead.
pub fn is_player(word: &str, found: &PluginDescription) -> Result<(), String> {
    if found.kind == PluginKind::Player {
        return Ok(());
    }
    Err(format!("{word} is the {} plugin \"{}\"; a player is needed", found.kind, found.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        assert_eq!(Policy::read("random"), Policy::Random);
        assert_eq!(Policy::read("scripted"), Policy::Plugin("striker"));
        assert_eq!(Policy::read("wanderer"), Policy::Plugin("wanderer"));
        assert_eq!(Policy::read("onnx:a/b"), Policy::Learned(Path::new("a/b")));
        assert_eq!(Policy::read("a/b.onnx"), Policy::Learned(Path::new("a/b.onnx")));
        assert_eq!(Policy::read("tcp"), Policy::Remote);
        assert_eq!(Policy::read("./my/player"), Policy::File(Path::new("./my/player")));
        let library = format!("libmine{}", std::env::consts::DLL_SUFFIX);
        assert_eq!(Policy::read(&library), Policy::File(Path::new(&library)));
    }
}
