//! How a page is let in: where there are keys, once it has shown one.

use super::{End, clip, say};
use crate::entrance::{Entrance, WRONG_KEYS};
use crate::message::{FromPage, ToPage};
use crate::{Context, Peer};
use axum::extract::ws::{Message, WebSocket, close_code};
use tokio::time::timeout;

/// Lets a page in; nothing of the world is sent before, and it gives way to who comes.
pub(super) async fn enter(socket: &mut WebSocket, peer: &Peer, context: &Context) -> Result<Entrance, End> {
    if !context.source.is_locked() {
        return Ok(Entrance::at_desk(peer));
    }
    let mut stop = context.stop.clone();
    // Anybody can ask for a key, and never show it.
    peer.place.rests();
    let ask = async {
        let mut reason = None;
        for _ in 0..WRONG_KEYS {
            say(socket, &ToPage::Key { reason: reason.as_deref() }, context.limits.unread).await?;
            let key = loop {
                match socket.recv().await {
                    Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                        Ok(FromPage::Key(key)) => break key,
                        _ => return Err(End::Closed(close_code::POLICY, "a key is asked for first".into())),
                    },
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => return Err(End::Gone),
                }
            };
            match Entrance::by_key(&*context.source, &key, peer.ip()) {
                Ok(entrance) => return Ok(entrance),
                Err(why) => reason = Some(why),
            }
        }
        Err(End::Closed(close_code::POLICY, clip(reason.unwrap_or_default())))
    };
    let entrance = tokio::select! {
        entered = timeout(context.limits.header, ask) => {
            entered.unwrap_or_else(|_| Err(End::Closed(close_code::AWAY, "no key came in time".into())))
        }
        () = peer.place.gives_way() => Err(gave_way()),
        _ = stop.changed() => Err(End::Closed(close_code::AWAY, "the server stops".into())),
    }?;
    if !peer.place.asks() {
        return Err(gave_way());
    }
    if entrance.only_looks_on() && !peer.place.looks_on() {
        let full = "so many look on that the other places are kept for those who command";
        return Err(End::Closed(close_code::AWAY, full.into()));
    }
    Ok(entrance)
}

fn gave_way() -> End {
    End::Closed(close_code::AWAY, "the server is full, and this page has shown no key".into())
}
