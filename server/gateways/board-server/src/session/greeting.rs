//! Who the client is, and what it may be.

use super::Session;
use touchline_board::{PROTOCOL_VERSION, Reply, Role};

impl Session {
    /// The client says who it is; the answer to `HELLO`.
    ///
    /// # Errors
    /// When it speaks another version, which ends the connection, or may not be what it wants to be.
    pub(crate) fn introduce(
        &mut self,
        version: u32,
        name: String,
        role: Role,
        token: Option<&str>,
    ) -> Result<Reply, Reply> {
        if version != PROTOCOL_VERSION {
            let message = format!("this server speaks version {PROTOCOL_VERSION} only");
            self.leaving = true;
            return Err(Reply::error("board/version", message).with("supported", PROTOCOL_VERSION));
        }
        if role == Role::Operator && !self.config.peer_is_loopback {
            let known = self.config.operator_token.as_deref();
            if !known.zip(token).is_some_and(|(a, b)| equal_in_constant_time(a, b)) {
                let message = match known {
                    Some(_) => "an operator from another machine needs the server's token: token=<token>",
                    None => {
                        "this server has no token for operators from other machines; it is started with --operator-token"
                    }
                };
                return Err(Reply::error("board/token", message));
            }
        }
        self.name = name;
        self.role = role;
        Ok(Reply::ok().with("version", version).with("name", &self.name).with("role", role.as_str()))
    }
}

fn equal_in_constant_time(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}
