//! One client, from his first message to his last.

use crate::Context;
use crate::message::{self, FromClient, Level, Subscription};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::timeout;
use touchline_record::{ChannelInfo, Encoder, Item, Outlet, SensorChoice, Stream, WriteError};

/// Reason for the end of a session.
enum End {
    /// The client went, or the network did.
    Gone,
    /// We end it, for this reason.
    Closed(u16, &'static str),
}

/// What an encoder makes for this client.
#[derive(Default)]
struct Mail {
    channels: Vec<ChannelInfo>,
    /// The client's number for each topic that he wants.
    wanted: BTreeMap<String, u32>,
    out: Vec<Vec<u8>>,
}

impl Outlet for Mail {
    fn open(&mut self, channel: &ChannelInfo) -> Result<u16, WriteError> {
        let id = u16::try_from(self.channels.len());
        let id = id.map_err(|_| std::io::Error::other("more channels than there are numbers"))?;
        self.channels.push(channel.clone());
        Ok(id)
    }

    fn wants(&self, channel: u16) -> bool {
        self.subscription(channel).is_some()
    }

    fn message(&mut self, channel: u16, stamp: u64, bytes: &[u8]) -> Result<(), WriteError> {
        if let Some(subscription) = self.subscription(channel) {
            self.out.push(message::data(subscription, stamp, bytes));
        }
        Ok(())
    }
}

impl Mail {
    fn subscription(&self, channel: u16) -> Option<u32> {
        self.wanted.get(&self.channels.get(usize::from(channel))?.topic).copied()
    }

    /// The channel that the client knows by this number.
    fn channel(&self, id: u32) -> Option<&ChannelInfo> {
        self.channels.get((id as usize).checked_sub(1)?).filter(|channel| is_shown(channel))
    }
}

/// Tools read nothing but the JSON.
fn is_shown(channel: &ChannelInfo) -> bool {
    channel.encoding == "json"
}

struct Session {
    socket: WebSocket,
    stream: Stream,
    items: Receiver<Arc<Item>>,
    encoder: Encoder<Mail>,
    /// The state and the Frame that were encoded last: what a new subscription begins with.
    state: Option<Arc<Item>>,
    frame: Option<Arc<Item>>,
    /// How many channels the client knows.
    advertised: usize,
    /// The time that he was told last.
    told_time: Option<u64>,
    unread: Duration,
}

pub(super) async fn run(socket: WebSocket, context: Context) {
    let Context { stream, limits, mut stop, .. } = context;
    let (latest, items) = stream.listen();
    let Ok(encoder) = encoder(&stream, Mail::default()) else { return };
    let mut session = Session {
        socket,
        items,
        encoder,
        stream,
        state: None,
        frame: None,
        advertised: 0,
        told_time: None,
        unread: limits.unread,
    };
    let first = [latest.state, latest.frame].into_iter().flatten().collect();
    let end = tokio::select! {
        end = session.serve(first) => end,
        _ = stop.changed() => End::Closed(close_code::AWAY, "the server stops"),
    };
    if let End::Closed(code, reason) = end {
        tracing::debug!(reason, "foxglove: connection closed");
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(Duration::from_secs(1).min(limits.unread), session.socket.send(close)).await;
    }
}

/// All sensors of all robots: each client chooses by what he subscribes to.
fn encoder(stream: &Stream, mail: Mail) -> Result<Encoder<Mail>, WriteError> {
    let all = SensorChoice { robot: "*".into(), sensor: "*".into() };
    Encoder::new(mail, stream.header().clone(), vec![all])
}

/// Tells a server that was started anew from one that was reached again.
fn session_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_millis().to_string()
    })
}

impl Session {
    async fn serve(&mut self, first: Vec<Arc<Item>>) -> End {
        match self.talk(first).await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn talk(&mut self, first: Vec<Arc<Item>>) -> Result<std::convert::Infallible, End> {
        self.say(message::server_info(self.stream.header(), session_id())).await?;
        for item in first {
            self.see(item).await?;
        }
        self.advertise().await?;
        loop {
            tokio::select! {
                heard = self.socket.recv() => match heard {
                    Some(Ok(heard)) => self.heard(heard).await?,
                    Some(Err(_)) | None => return Err(End::Gone),
                },
                item = self.items.recv() => match item {
                    Ok(item) => self.take(item).await?,
                    Err(RecvError::Lagged(missed)) => self.catch_up(missed).await?,
                    Err(RecvError::Closed) => return Err(End::Closed(close_code::AWAY, "the server stops")),
                },
            }
        }
    }

    /// Sends of what happened what the client wants.
    async fn take(&mut self, item: Arc<Item>) -> Result<(), End> {
        self.see(item).await?;
        self.advertise().await?;
        let out = std::mem::take(&mut self.encoder.outlet().out);
        self.send_all(out).await
    }

    /// Encodes what happened, and tells the time.
    async fn see(&mut self, item: Arc<Item>) -> Result<(), End> {
        encode(&mut self.encoder, &item)?;
        match *item {
            Item::State(_) => {
                self.tell_time(&item).await?;
                self.state = Some(item);
            }
            Item::Frame(..) => self.frame = Some(item),
            Item::Input(_) | Item::Gap(_) | Item::Poses(_) | Item::Digests(_) => {}
        }
        Ok(())
    }

    /// Too slow: goes on with what is true now.
    async fn catch_up(&mut self, missed: u64) -> Result<(), End> {
        let (latest, items) = self.stream.listen();
        self.items = items;
        let text = format!("{missed} ticks were left out: this connection is too slow");
        self.say(message::status(Level::Warning, "slow", &text)).await?;
        for item in [latest.state, latest.frame].into_iter().flatten() {
            self.take(item).await?;
        }
        Ok(())
    }

    async fn heard(&mut self, heard: Message) -> Result<(), End> {
        match heard {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(FromClient::Subscribe { subscriptions }) => self.subscribe(&subscriptions).await,
                Ok(FromClient::Unsubscribe { subscription_ids }) => {
                    self.encoder.outlet().wanted.retain(|_, id| !subscription_ids.contains(id));
                    Ok(())
                }
                Ok(FromClient::Other) => {
                    self.refuse("this server only shows: it can subscribe and unsubscribe").await
                }
                Err(error) => self.refuse(&format!("this is not understood: {error}")).await,
            },
            Message::Binary(_) => self.refuse("this server only shows: nothing can be published").await,
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => Ok(()),
        }
    }

    /// What changes seldom is sent at once, as it stands.
    async fn subscribe(&mut self, subscriptions: &[Subscription]) -> Result<(), End> {
        let mut new = BTreeMap::new();
        for &Subscription { id, channel_id } in subscriptions {
            let mail = self.encoder.outlet();
            let Some(channel) = mail.channel(channel_id) else {
                self.refuse(&format!("there is no channel {channel_id}")).await?;
                continue;
            };
            let topic = channel.topic.clone();
            let is_taken = |(known, other): (&String, &u32)| *known == topic || *other == id;
            if mail.wanted.iter().chain(&new).any(is_taken) {
                self.refuse(&format!("{topic} is subscribed, or subscription {id} is taken")).await?;
                continue;
            }
            new.insert(topic, id);
        }
        let Ok(mut fresh) = encoder(&self.stream, Mail { wanted: new.clone(), ..Mail::default() }) else {
            return Ok(());
        };
        for item in [&self.state, &self.frame].into_iter().flatten() {
            encode(&mut fresh, item)?;
        }
        self.encoder.outlet().wanted.extend(new);
        self.send_all(fresh.into_outlet().out).await
    }

    async fn refuse(&mut self, why: &str) -> Result<(), End> {
        self.say(message::status(Level::Error, "request", why)).await
    }

    /// Names the channels that are new.
    async fn advertise(&mut self) -> Result<(), End> {
        let channels = &self.encoder.outlet().channels;
        if channels.len() == self.advertised {
            return Ok(());
        }
        let numbered = (1..).zip(channels).skip(self.advertised).filter(|(_, channel)| is_shown(channel));
        let text = message::advertise(numbered);
        self.advertised = channels.len();
        self.say(text).await
    }

    async fn tell_time(&mut self, item: &Item) -> Result<(), End> {
        let stamp = self.stream.header().nanoseconds(item.tick());
        if self.told_time.replace(stamp) == Some(stamp) {
            return Ok(());
        }
        self.send(Message::binary(message::time(stamp))).await
    }

    async fn send_all(&mut self, frames: Vec<Vec<u8>>) -> Result<(), End> {
        for frame in frames {
            self.send(Message::binary(frame)).await?;
        }
        Ok(())
    }

    async fn say(&mut self, text: String) -> Result<(), End> {
        self.send(Message::text(text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(self.unread, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => Err(End::Closed(close_code::POLICY, "the client does not read what it is sent")),
        }
    }
}

/// Readings and pictures are made here; other connections go on meanwhile.
fn encode(encoder: &mut Encoder<Mail>, item: &Item) -> Result<(), End> {
    let written = match item {
        Item::Frame(..) => tokio::task::block_in_place(|| encoder.write(item)),
        _ => encoder.write(item),
    };
    written.map_err(|error| {
        tracing::warn!(%error, "foxglove: a connection ends");
        End::Closed(close_code::ERROR, "there are too many channels")
    })
}
