//! The words of a world file's table `[episode]`: what an agent observes and decides, as numbers. (Y1)
//!
//! Whoever decides by numbers uses the same code: the batch engine in which policies learn, and the player that plays a learned
//! policy. So a policy sees the very same numbers in both. The words are explained in `docs/episodes.md`.
//!
//! # Invariants
//! - Words that begin with `truth.` read the [`WorldView`](touchline_plugin_api::view::WorldView) and nothing else; words with a slash read the
//!   sensor container and nothing else.

mod act;
mod observation;
mod observe;

pub use act::{Actor, AgentAction};
pub use observe::{NOTHING, Observer, Scene, Senses};

/// A word that says nothing here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\": {reason}")]
pub struct WordError {
    /// The word that is wrong, as it was given.
    pub word: String,
    /// Why not, and what there is.
    pub reason: String,
}

#[cfg(test)]
mod tests;
