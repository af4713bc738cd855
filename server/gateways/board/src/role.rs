//! What a client says that it is, at a server that asks for no key.

use std::fmt;

/// What a client may do. Each role may do all that those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Reads, and commands nothing.
    Monitor,
    /// Drives the robots that it made.
    Player,
    /// Uses every command, such as pause, reset and placing objects.
    Operator,
}

impl Role {
    /// All roles, the least first.
    pub const ALL: [Self; 3] = [Self::Monitor, Self::Player, Self::Operator];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monitor => "monitor",
            Self::Player => "player",
            Self::Operator => "operator",
        }
    }

    /// The role of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
