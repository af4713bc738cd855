//! Who the client is, and what it may be.

use super::Session;
use crate::commands::Command;
use crate::door::{Door, Shut};
use touchline_board::{PROTOCOL_VERSION, Reply};
use touchline_gate::{Pass, Reach, Role, Verb};

/// After so many wrong keys a connection ends.
const WRONG_KEYS: u32 = 3;

/// What the client says of itself.
pub(crate) struct Greeting {
    pub version: u32,
    pub name: String,
    /// What it would like to be.
    pub role: Option<Role>,
    pub key: Option<String>,
}

impl Session {
    /// The client says who it is; the answer to `HELLO`.
    ///
    /// # Errors
    /// When it speaks another version, which ends the connection, or may not be what it wants to be.
    pub(crate) fn introduce(&mut self, greeting: Greeting, now_us: u64) -> Result<Reply, Reply> {
        let Greeting { version, name, role, key } = greeting;
        if version != PROTOCOL_VERSION {
            let message = format!("this server speaks version {PROTOCOL_VERSION} only");
            self.leaving = true;
            return Err(Reply::error("board/version", message).with("supported", PROTOCOL_VERSION));
        }
        let pass = match (&self.config.door, key) {
            (Door::Open, None) => at_desk(role.unwrap_or(Role::Player))?,
            (Door::Open | Door::Inside(_), Some(_)) => {
                return Err(Reply::error("board/key", "no key is asked for here; leave key= out"));
            }
            (Door::Inside(pass), None) => pass.clone(),
            (Door::Keys(_), None) if self.pass.is_none() => return Err(key_needed()),
            (Door::Keys(_), key) => self.unlock(key.as_deref(), now_us)?,
        };
        if let Some(role) = role.filter(|role| *role != pass.role) {
            let message = format!("your key is that of a {}, not of a {role}; leave role= out", pass.role);
            return Err(Reply::error("board/role", message).with("needs", role.as_str()));
        }
        // Nobody calls himself as another's key is called.
        self.name = match &pass.name {
            Some(key) if **key != *name => format!("{key}/{name}"),
            _ => name,
        };
        let reply = Reply::ok().with("version", version).with("name", &self.name);
        let reply = reply.with("role", pass.role.as_str());
        self.pass = Some(pass);
        Ok(reply)
    }

    /// What a key opens. A connection has one key, for what it has made belongs to that.
    fn unlock(&mut self, key: Option<&str>, now_us: u64) -> Result<Pass, Reply> {
        let Door::Keys(lock) = &self.config.door else { return Err(key_needed()) };
        let Some(key) = key else { return self.pass.clone().ok_or_else(key_needed) };
        match (lock.open(key, self.config.peer, now_us), &self.pass) {
            (Ok(pass), Some(before)) if pass != *before => {
                let message = "this connection has shown another key; take a connection for each";
                Err(Reply::error("board/key", message))
            }
            (Ok(pass), _) => Ok(pass),
            (Err(Shut::Wrong), _) => {
                self.wrong_keys += 1;
                self.leaving |= self.wrong_keys >= WRONG_KEYS;
                Err(Reply::error("board/key", "this key opens nothing here"))
            }
            (Err(Shut::Wait { secs }), _) => {
                self.leaving = true;
                let message = "too many wrong keys came from your address, and this one opens nothing either";
                Err(Reply::error("board/too-many-tries", message).with("wait_s", secs))
            }
        }
    }

    /// Whether the client may give this command, to whatever robot.
    pub(super) fn check_role(&self, command: &Command) -> Result<(), Reply> {
        let Some(pass) = &self.pass else {
            if command.verb == Verb::Greet {
                return Ok(());
            }
            if let Door::Keys(lock) = &self.config.door {
                lock.knock();
            }
            return Err(key_needed());
        };
        if pass.reach(command.verb) != Reach::Nothing {
            return Ok(());
        }
        let (role, word) = (pass.role, command.word);
        // At a desk the least that is enough can be asked for.
        let at_desk = Pass::at_desk(Role::Player).reach(command.verb) != Reach::Nothing;
        let (needed, message) = match self.config.door {
            Door::Open => {
                let wanted = if at_desk { Role::Player } else { Role::Operator };
                let hint = format!("HELLO 1 <your name> role={wanted}");
                (wanted, format!("{word} is for the {wanted}, you are {role}: {hint}"))
            }
            Door::Keys(_) | Door::Inside(_) => {
                let may = Role::ALL.into_iter().filter(|role| role.reach(command.verb) == Reach::All);
                let may = may.map(Role::as_str).collect::<Vec<_>>().join(", ");
                (Role::Operator, format!("{word} is for {may}; your key is that of a {role}"))
            }
        };
        Err(Reply::error("board/role", message).with("needs", needed.as_str()))
    }

    /// Whether the client has shown what is asked of it first: a line that is a command, and a key where there are keys.
    pub(crate) fn is_introduced(&self) -> bool {
        self.has_spoken && self.pass.is_some()
    }

    /// Ends the connection of one who has shown nothing of that for too long.
    pub(crate) fn close_silent(&mut self) {
        let what = if self.pass.is_some() { "command" } else { "key" };
        let timeout_s = self.config.limits.table.first_line_s;
        self.close("board/silent", &format!("no {what} came within {timeout_s} s (limits.first_line_s)"));
    }
}

/// What a client may be where all are trusted: not a team, which nobody could tell from another.
fn at_desk(role: Role) -> Result<Pass, Reply> {
    match role {
        Role::Team => {
            let message = "a team is known by its key, and this server has no keys; be player or operator";
            Err(Reply::error("board/role", message).with("needs", role.as_str()))
        }
        role => Ok(Pass::at_desk(role)),
    }
}

fn key_needed() -> Reply {
    Reply::error("board/key-needed", "this server asks for a key: HELLO 1 <your name> key=<key>")
}
