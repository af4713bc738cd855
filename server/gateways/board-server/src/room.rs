//! Room for long readings: what one reply may have, and what all connections together may have under way.

use crate::session::Limits;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use touchline_board::Reply;

/// Limit on the integers in long replies, shared by all connections.
pub(crate) struct Room {
    free: Arc<Semaphore>,
    integers: u32,
}

impl Room {
    /// For so many integers in long replies.
    pub fn new(integers: u32) -> Self {
        let places = (integers as usize).min(Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(places)), integers }
    }
}

/// The part of the room that one connection's unsent replies take.
#[derive(Default)]
pub(crate) struct Taken(Option<OwnedSemaphorePermit>);

impl Taken {
    /// Takes room for a reading of so many integers.
    pub fn take(&mut self, room: &Room, integers: usize) -> Result<(), Reply> {
        // More than there is room for at all is as much as there is no room for now.
        let integers = u32::try_from(integers).unwrap_or(u32::MAX);
        let permit = Arc::clone(&room.free).try_acquire_many_owned(integers).map_err(|_| {
            let message = "too many long replies are under way to all clients: limits.replies_integers; ask again, or for less";
            Reply::error("board/no-room", message).with("got", integers).with("limit", room.integers)
        })?;
        match &mut self.0 {
            Some(taken) => taken.merge(permit),
            None => self.0 = Some(permit),
        }
        Ok(())
    }

    /// What was taken for is sent, but for a rest that counts as short.
    pub fn free(&mut self) {
        self.0 = None;
    }
}

/// Whether one reply may have so many integers.
pub(crate) fn check_reply(integers: usize, limits: &Limits) -> Result<(), Reply> {
    let limit = limits.table.reply_integers;
    if integers <= limit as usize {
        return Ok(());
    }
    let message = format!(
        "these sensors give {integers} integers; limits.reply_integers is {limit}: read one after the other"
    );
    Err(Reply::error("board/too-much", message).with("got", integers).with("limit", limit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Door;
    use crate::session::SessionConfig;
    use crate::testing::FakeServer;

    const UNDER_WAY: usize = 1 << 23;

    /// Who does not read his images takes the room of others' images, and no more than there is.
    #[test]
    fn long_replies_have_room_together() {
        let (room, mut others) = (Room::new(UNDER_WAY as u32), Vec::new());
        let image = UNDER_WAY / 4;
        for _ in 0..4 {
            let mut taken = Taken::default();
            taken.take(&room, image).unwrap();
            others.push(taken);
        }
        let mut taken = Taken::default();
        assert!(taken.take(&room, image).unwrap_err().is_error());
        assert!(taken.take(&room, usize::MAX).unwrap_err().is_error());
        others[0].free();
        taken.take(&room, image).unwrap();
        drop(others);
        taken.take(&room, 2 * image).unwrap();
        taken.take(&room, image).unwrap();
        assert!(taken.take(&room, image).unwrap_err().is_error(), "what it has taken is one sum");
        drop(taken);
        Taken::default().take(&room, UNDER_WAY).unwrap();
    }

    /// Without room a question is refused and a push is left out; short readings need none; what is sent gives its room back.
    #[test]
    fn a_reading_without_room_is_not_generated() {
        let limits = Limits { long_integers: 8, output_bytes: 0, ..Limits::default() };
        let from = [127, 0, 0, 1].into();
        let config = SessionConfig { limits, door: Door::Open, peer: from, server_version: "1".into() };
        let mut server = FakeServer::new(config, 0);
        let board = Arc::clone(&server.talk().board);
        let mut asked = |lines: &str, now_us| {
            let unread = server.session().output().len();
            server.session().consume_output(unread);
            server.session().receive(lines.as_bytes(), now_us);
            server.serve(now_us);
            String::from_utf8(server.session().output().to_vec()).unwrap()
        };
        let mut others = Taken::default();
        others.take(&board.room, UNDER_WAY).unwrap();
        assert!(asked("GET blue-1 *\n", 0).starts_with("ERR board/no-room got=9 "));
        assert!(asked("GET blue-1 laser\n", 0).starts_with("OK GET "));
        assert!(asked("PUSH blue-1 10 *\n", 0).starts_with("OK PUSH "));
        assert_eq!(asked("", 20_000), "");
        others.free();
        assert!(asked("", 40_000).starts_with("STATE "));
        assert!(others.take(&board.room, UNDER_WAY).is_err(), "it is not sent yet");
        assert!(asked("GET blue-1 laser\n", 40_000).starts_with("OK GET "));
        others.take(&board.room, UNDER_WAY).unwrap();
    }
}
