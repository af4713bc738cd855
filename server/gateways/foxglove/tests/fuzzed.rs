//! A tool that watches and sends anything, over a real socket: the server goes on with it. (I6)
//!
//! What the fuzz target `foxglove` asks, and what is asked here of its corpus. A session that panics ends its connection, which fails
//! here.

use crate::frames::{frame, scenario};
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_foxglove::{Limits, serve};
use touchline_record::{Header, Stream};

/// Ends a message of the script.
const END: u8 = 0xff;

fn server() -> &'static (Runtime, SocketAddr) {
    static SERVER: OnceLock<(Runtime, SocketAddr)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = runtime.block_on(async {
            let stream = Stream::new(Header::new(scenario(), &[], String::new()));
            stream.tell_frame(0, frame(0));
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let patient = Duration::from_secs(600);
            let limits = Limits { header: patient, unread: patient, ..Limits::default() };
            tokio::spawn(serve(listener, stream, limits, None, std::future::pending()));
            address
        });
        (runtime, address)
    })
}

/// Messages, each with a byte for its kind before it.
pub fn watcher(script: &[u8]) {
    let (runtime, address) = server();
    runtime.block_on(async {
        let mut request = format!("ws://{address}").into_client_request().unwrap();
        request.headers_mut().insert("Sec-WebSocket-Protocol", "foxglove.sdk.v1".parse().unwrap());
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut watcher, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        for message in script.split(|&byte| byte == END) {
            let Some((&kind, said)) = message.split_first() else { continue };
            let short = said.get(..said.len().min(125)).unwrap_or_default().to_vec();
            let message = match kind % 8 {
                6 => Message::Binary(short.into()),
                7 => Message::Ping(short.into()),
                _ => Message::text(String::from_utf8_lossy(&said[..said.len().min(4096)]).into_owned()),
            };
            watcher.send(message).await.unwrap();
            is_still_there(&mut watcher).await;
        }
    });
}

/// Whatever was said, the session goes on.
async fn is_still_there(watcher: &mut WebSocketStream<TcpStream>) {
    let word = b"are you there";
    watcher.send(Message::Ping(word[..].into())).await.unwrap();
    loop {
        match watcher.next().await {
            Some(Ok(Message::Pong(answer))) if answer[..] == word[..] => return,
            Some(Ok(_)) => {}
            gone => panic!("the connection ended: {gone:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    #[test]
    fn a_thousand_mutants_of_watchers_do_no_harm() {
        let script = |messages: &[&str]| -> Vec<u8> {
            messages.iter().flat_map(|message| [&[0][..], message.as_bytes(), &[END]].concat()).collect()
        };
        let subscribe =
            r#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":2,"channelId":3}]}"#;
        let unsubscribe = r#"{"op":"unsubscribe","subscriptionIds":[1,7]}"#;
        let other = r#"{"op":"getParameters","parameterNames":[]}"#;
        let made = vec![
            script(&[subscribe, subscribe, unsubscribe, subscribe]),
            script(&[
                other,
                "[]",
                "x",
                r#"{"op":"subscribe","subscriptions":[{"id":4294967295,"channelId":0}]}"#,
            ]),
            vec![6, 1, 2, 3, END, 7, 9, END, 0, b'{'],
        ];
        replay("foxglove", made, watcher);
    }
}
