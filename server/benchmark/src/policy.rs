//! Who attacks, as it is written: on the command line and in Python the same.

use crate::conditions::{Attacker, learned};
use crate::keeper::{Keeper, nearest};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use touchline_host::{Host, Roster};
use touchline_plugin_api::plugin::PluginKind;
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
fn default_params(word: &str) -> Value {
    match word {
        // It takes its time to aim; the rest is as in a match.
        "scripted" => json!({ "shot_error_m": 0.08, "speed_fraction": 0.7 }),
        _ => json!({}),
    }
}

/// Who attacks, as a word asks for it, and the plugins; a library file that it names is one of them, under that name.
///
/// # Errors
/// That there is no such player, which there are, and what may have been meant.
pub fn attacker(
    word: &str,
    params: Option<Value>,
    host: Arc<Host>,
) -> Result<(Attacker, Arc<Roster>), String> {
    let params = || params.unwrap_or_else(|| default_params(word));
    let (attacker, files) = match Policy::read(word) {
        Policy::Random => (Attacker::Random, Vec::new()),
        Policy::Remote => (Attacker::Remote, Vec::new()),
        Policy::Learned(model) => (Attacker::Learned(model.to_owned()), Vec::new()),
        Policy::Plugin(name) => (player(word, name, params(), &*host)?, Vec::new()),
        Policy::File(path) => {
            let choice = PluginChoice { plugin: word.into(), params: params() };
            (Attacker::Player(choice), vec![(word.to_owned(), path.to_owned())])
        }
    };
    let is_file = !files.is_empty();
    let plugins = Roster::new(host, files);
    if is_file {
        let found = plugins.library(word)?;
        if found.kind != PluginKind::Player {
            return Err(format!(
                "{word} is the {} plugin \"{}\"; a player is needed",
                found.kind, found.name
            ));
        }
    }
    Ok((attacker, Arc::new(plugins)))
}

/// A text for all that an attacker's decisions depend on: two with the same are the same attacker.
pub fn identity(attacker: &Attacker, plugins: &Roster) -> String {
    let of = |choice: &PluginChoice| plugins.identity(PluginKind::Player, choice).unwrap_or_default().1;
    match attacker {
        Attacker::Random => "random".into(),
        Attacker::Remote => "tcp".into(),
        Attacker::Player(choice) => of(choice),
        Attacker::Learned(model) => of(&learned(model, &[], Keeper::None)),
    }
}

/// The attacker whom a plugin of this name drives.
fn player(word: &str, plugin: &str, params: Value, factory: &dyn PluginFactory) -> Result<Attacker, String> {
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
