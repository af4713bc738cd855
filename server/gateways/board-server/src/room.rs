//! Room for long readings: what one reply may have, and what all connections together may have under way.

use crate::session::Limits;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use touchline_board::Reply;

/// So many integers all connections together may be sent in long replies at a time: four of the largest images. Until one is sent it takes
/// about 50 bytes for each.
const UNDER_WAY: usize = 1 << 23;

/// Shared by all connections.
pub(crate) struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNDER_WAY)))
    }
}

/// The part of the room that one connection's unsent replies take.
#[derive(Default)]
pub(crate) struct Taken(Option<OwnedSemaphorePermit>);

impl Taken {
    /// Takes room for a reading of so many integers; short ones need none.
    pub fn take(&mut self, room: &Room, integers: usize) -> Result<(), Reply> {
        if integers < crate::readings::LARGE {
            return Ok(());
        }
        // More than there is room for at all is as much as there is no room for now.
        let integers = u32::try_from(integers).unwrap_or(u32::MAX);
        let permit = Arc::clone(&room.0).try_acquire_many_owned(integers).map_err(|_| {
            let message = "too many long replies are under way to all clients; ask again, or for less";
            Reply::error("board/too-much", message).with("got", integers).with("limit", UNDER_WAY)
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
    let limit = limits.reply_integers;
    if integers <= limit {
        return Ok(());
    }
    let message = format!(
        "these sensors give {integers} integers; a reply has at most {limit}: read one after the other"
    );
    Err(Reply::error("board/too-much", message).with("got", integers).with("limit", limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who does not read his images takes the room of others' images, and no more than there is; short replies need none.
    #[test]
    fn long_replies_have_room_together() {
        let (room, mut others) = (Room::default(), Vec::new());
        let image = UNDER_WAY / 4;
        for _ in 0..4 {
            let mut taken = Taken::default();
            taken.take(&room, image).unwrap();
            others.push(taken);
        }
        let mut taken = Taken::default();
        assert!(taken.take(&room, image).unwrap_err().is_error());
        assert!(taken.take(&room, usize::MAX).unwrap_err().is_error());
        taken.take(&room, 361).unwrap();
        others[0].free();
        taken.take(&room, image).unwrap();
        drop(others);
        taken.take(&room, 2 * image).unwrap();
        taken.take(&room, image).unwrap();
        assert!(taken.take(&room, image).unwrap_err().is_error(), "what it has taken is one sum");
        drop(taken);
        Taken::default().take(&room, UNDER_WAY).unwrap();
    }
}
