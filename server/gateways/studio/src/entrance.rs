//! Who may see what on the page: by a key, or at a desk by where he sits.

use crate::{Peer, Source};
use axum::http::{HeaderMap, header};
use std::net::IpAddr;
use touchline_gate::{Pass, Reach, Role, Verb};

/// After so many wrong keys a page is sent away.
pub(crate) const WRONG_KEYS: u32 = 3;

/// What a page may see and do.
#[derive(Clone)]
pub(crate) struct Entrance {
    /// Its key's, or that of a desk.
    pass: Pass,
    /// Whether it may be whatever it says to the board.
    is_trusted: bool,
}

impl Entrance {
    /// Without keys: who sits at this machine is trusted, and all others look on.
    pub fn at_desk(peer: &Peer) -> Self {
        let is_trusted = peer.ip().is_loopback();
        let role = if is_trusted { Role::Operator } else { Role::Monitor };
        Self { pass: Pass::at_desk(role), is_trusted }
    }

    /// By a key. The page shows where everything is.
    ///
    /// # Errors
    /// When it opens nothing, or the truth is closed to it.
    pub fn by_key(source: &dyn Source, key: &str, from: IpAddr) -> Result<Self, String> {
        let pass = source.unlock(key, from)?;
        match pass.reach(Verb::See) {
            Reach::All => Ok(Self { pass, is_trusted: false }),
            Reach::Own | Reach::Nothing => Err(format!(
                "this key is that of a {}: its programs connect to the message board; the page shows where everything is, which is closed to it",
                pass.role
            )),
        }
    }

    /// Where there is no board, all look on.
    pub fn looking_on(&mut self) {
        self.pass = Pass::at_desk(Role::Monitor);
    }

    pub fn role(&self) -> Role {
        self.pass.role
    }

    /// The pass under which the page speaks to the board; none if it is trusted.
    pub fn pass(&self) -> Option<Pass> {
        (!self.is_trusted).then(|| self.pass.clone())
    }

    /// Whether it can command nothing at all: not even time.
    pub fn only_looks_on(&self) -> bool {
        self.pass.reach(Verb::Pause) == Reach::Nothing
    }

    /// Whether it may know where on the server's machine files are.
    pub fn sees_paths(&self) -> bool {
        self.is_trusted || self.pass.reach(Verb::Record) != Reach::Nothing
    }

    /// Whether it is shown what robots publish about themselves: that is their teams' business.
    pub fn sees_thoughts(&self) -> bool {
        self.pass.reach(Verb::Sense) == Reach::All
    }

    /// Whether it may look at the past.
    pub fn sees_past(&self) -> bool {
        self.pass.reach(Verb::Past) == Reach::All
    }
}

/// Whether a request without a page may do this to everything: by its key, or at a desk by where it comes from.
///
/// # Errors
/// Why not, in words.
pub(crate) fn check_bearer(
    source: &dyn Source,
    headers: &HeaderMap,
    peer: &Peer,
    verb: Verb,
) -> Result<(), String> {
    let pass = if source.is_locked() {
        let key = bearer(headers).ok_or("this server asks for a key: Authorization: Bearer <key>")?;
        source.unlock(key, peer.ip())?
    } else {
        Entrance::at_desk(peer).pass
    };
    match (pass.reach(verb), verb) {
        (Reach::All, _) => Ok(()),
        (_, Verb::Sense) => Err("this key does not see all".into()),
        _ => Err(format!("this is not for a {}", pass.role)),
    }
}

/// The key that a request shows.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::trim)
}
