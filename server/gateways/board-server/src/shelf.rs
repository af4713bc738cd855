//! What a server can show in place of what it shows: worlds and recordings by their names. Where they are is its own matter.

use std::fmt;

/// Worlds and recordings that can be opened. Its functions may take long, and are called where that holds up nobody.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// Names of all that can be opened now, each kind sorted.
    fn titles(&self) -> Vec<Title>;
    /// Opens one of the titles: the server ends, and comes back with it.
    ///
    /// # Errors
    /// Why not, in words; what is shown goes on then.
    fn open(&self, title: &Title) -> Result<(), String>;
}

/// A world or a recording by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// What it is.
    pub kind: TitleKind,
    /// What it is called: no path.
    pub name: String,
}

/// What can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleKind {
    /// A world, which begins at its first step.
    World,
    /// A recording, which is replayed.
    Recording,
}

impl TitleKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::World, Self::Recording];

    /// Lower-case word, as in `OPEN`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Recording => "recording",
        }
    }
}
