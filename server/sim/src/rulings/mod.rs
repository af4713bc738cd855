//! Rulings: what referees order by a word, one file each. (G1)
//!
//! A file has its word, what it is made with, and what it does to the world. Nothing else knows it: the contract carries any word
//! ([`Order::Rule`](touchline_plugin_api::orders::Order::Rule)), in every language.

mod spawn_ball;
mod spawn_robot;

use crate::brief;
use crate::world::World;
use serde::de::DeserializeOwned;
use touchline_plugin_api::plugin::Fault;

/// What a referee can order by its word.
struct Ruling {
    word: &'static str,
    /// What it does with its arguments, JSON; the text says what is wrong with them.
    run: fn(&mut World, &str) -> Result<(), String>,
}

const ALL: &[Ruling] = &[
    // In the order of the alphabet.
    spawn_ball::RULING,
    spawn_robot::RULING,
];

impl World {
    pub(crate) fn rule(&mut self, word: &str, args: &str) -> Result<(), Fault> {
        let Some(ruling) = ALL.iter().find(|ruling| ruling.word == word) else {
            let words: Vec<&str> = ALL.iter().map(|ruling| ruling.word).collect();
            let word = brief::word(word);
            return Err(Fault::BadOutput(format!("no ruling \"{word}\"; there are {}", words.join(", "))));
        };
        (ruling.run)(self, args).map_err(|problem| Fault::BadOutput(format!("{word}: {problem}")))
    }
}

/// Reads what a ruling is made with.
fn read<T: DeserializeOwned>(args: &str) -> Result<T, String> {
    serde_json::from_str(args).map_err(|error| error.to_string())
}
