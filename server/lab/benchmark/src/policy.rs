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
use touchline_skills::localisation::table;

/// What a policy's word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy<'a> {
    /// `random`
    Random,
    /// A player plugin's name; `scripted` is the player striker.
    Plugin(&'a str),
    /// Library file of a player plugin.
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

/// A player's parameters: those that the word stands for, and over them those that are given.
fn params_of(word: &str, given: Option<Value>) -> Value {
    let mut params = match word {
        // It takes its time to aim; the rest is as in a match.
        "scripted" => json!({ "shot_error_m": 0.08, "speed_fraction": 0.7 }),
        _ => json!({}),
    };
    match (params.as_object_mut(), given) {
        (Some(params), Some(Value::Object(given))) => params.extend(given),
        // The plugin's own schema says what is wrong with it.
        (_, Some(given)) => return given,
        (_, None) => {}
    }
    params
}

/// Who attacks, as a word asks for it, and the plugins; a library file that it names is one of them, under that name.
///
/// # Errors
/// That there is no such player, which there are, and what may have been meant; or that it takes no parameters.
pub fn attacker(
    word: &str,
    params: Option<Value>,
    host: Arc<Host>,
) -> Result<(Attacker, Arc<Roster>), String> {
    let policy = Policy::read(word);
    if params.is_some() && !matches!(policy, Policy::Plugin(_) | Policy::File(_)) {
        return Err(format!("policy \"{word}\" takes no parameters: only player plugins do"));
    }
    let params = || params_of(word, params);
    let (attacker, files) = match policy {
        Policy::Random => (Attacker::Random, Vec::new()),
        Policy::Remote => (Attacker::Remote, Vec::new()),
        Policy::Learned(model) => (Attacker::Learned(model.to_owned()), Vec::new()),
        Policy::Plugin(name) => (player(word, name, params(), &*host)?, Vec::new()),
        Policy::File(path) => {
            let choice = PluginChoice::new(word, params());
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

/// [`identity`] as a number that reports can bear.
pub fn digest(attacker: &Attacker, plugins: &Roster) -> String {
    format!("{:016x}", table::digest(identity(attacker, plugins).as_bytes()))
}

/// A player's parameters, complete but for its own defaults; none of what takes none.
pub fn params(attacker: &Attacker) -> Option<Value> {
    match attacker {
        Attacker::Player(choice) => Some(choice.params.clone()),
        Attacker::Random | Attacker::Remote | Attacker::Learned(_) => None,
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
        return Ok(Attacker::Player(PluginChoice::new(plugin, params)));
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

    /// B1: what is given is laid over what the word stands for, and is not dropped in silence.
    #[test]
    fn parameters_are_laid_over_the_words_own() {
        let given = |params| params_of("scripted", Some(params));
        assert_eq!(params_of("scripted", None), given(json!({})));
        assert_eq!(
            given(json!({ "shot_error_m": 0.5 })),
            json!({ "shot_error_m": 0.5, "speed_fraction": 0.7 })
        );
        assert_eq!(params_of("striker", Some(json!({ "a": 1 }))), json!({ "a": 1 }));
        for word in ["random", "tcp", "onnx:a"] {
            let refused = attacker(word, Some(json!({})), Arc::new(Host::default()));
            assert!(refused.is_err_and(|text| text.contains("takes no parameters")), "{word}");
        }
    }
}
