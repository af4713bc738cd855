//! A page that sends anything, over a real socket: the server goes on with it, or ends the connection; none of its tasks panics. (I6)
//!
//! What the fuzz target `studio` asks, and what is asked here of its corpus.

use crate::frames::{frame, scenario};
use crate::studio_fake::Fake;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_studio::{Limits, Recording, Speed, Status, serve_with};

/// Ends a message of the script.
const END: u8 = 0xff;

/// The name of the threads that serve.
const THREADS: &str = "fuzzed-studio";
/// A task that panics ends quietly: this tells of it.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

struct Server {
    runtime: Runtime,
    open: SocketAddr,
    locked: SocketAddr,
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() == Some(THREADS) {
                HAS_PANICKED.store(true, Ordering::Relaxed);
            }
            print(panic);
        }));
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name(THREADS).enable_all().build().unwrap();
        let (open, locked) = runtime.block_on(async { (service(false).await, service(true).await) });
        Server { runtime, open, locked }
    })
}

async fn service(is_locked: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let status = Status {
        paused: false,
        speed: Speed::Factor(1.0),
        real_time_factor: 1.0,
        late_ms: 0.0,
        tick: 1,
        oldest: 0,
        newest: 1,
        replay: false,
        recording: false,
        departs: None,
        episode: None,
    };
    let fake = Arc::new(Fake {
        scenario: Arc::new(scenario()),
        frame: Mutex::new(Arc::new(frame(1))),
        status: Mutex::new(status),
        recording: Mutex::new(Recording::default()),
        said: Arc::default(),
        is_locked,
    });
    let patient = Duration::from_secs(600);
    let limits = Limits { header: patient, unread: patient, ..Limits::default() };
    tokio::spawn(serve_with(listener, fake, limits, std::future::pending()));
    address
}

/// The first byte says whether there are keys, and whether the page keeps to the protocol of WebSockets; then messages, each with a byte
/// for its kind before it.
pub fn page(script: &[u8]) {
    let Some((&first, rest)) = script.split_first() else { return };
    let server = server();
    let address = if first & 1 != 0 { server.locked } else { server.open };
    server.runtime.block_on(async {
        let request = format!("ws://{address}/ws").into_client_request().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut page, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        if first & 2 != 0 {
            // No frames at all, but any bytes: whoever speaks so may be hung up on.
            let _ = page.get_mut().write_all(rest).await;
            return;
        }
        for message in rest.split(|&byte| byte == END) {
            let Some((&kind, said)) = message.split_first() else { continue };
            let short = said.get(..said.len().min(125)).unwrap_or_default().to_vec();
            let message = match kind % 8 {
                5 => Message::Ping(short.into()),
                6 => Message::Binary(short.into()),
                7 => Message::Pong(short.into()),
                _ => Message::text(String::from_utf8_lossy(&said[..said.len().min(4096)]).into_owned()),
            };
            if page.send(message).await.is_err() || !goes_on(&mut page).await {
                return;
            }
        }
    });
    assert!(!HAS_PANICKED.load(Ordering::Relaxed), "a task of the studio panicked");
}

/// Whether the session is still there, when it has come to what was said last.
async fn goes_on(page: &mut WebSocketStream<TcpStream>) -> bool {
    let word = b"are you there";
    if page.send(Message::Ping(word[..].into())).await.is_err() {
        return false;
    }
    while let Some(Ok(message)) = page.next().await {
        match message {
            Message::Pong(answer) if answer[..] == word[..] => return true,
            Message::Close(_) => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    fn script(first: u8, messages: &[&str]) -> Vec<u8> {
        let said = messages.iter().flat_map(|message| [&[0][..], message.as_bytes(), &[END]].concat());
        [first].into_iter().chain(said).collect()
    }

    #[test]
    fn a_thousand_mutants_of_pages_do_no_harm() {
        let made = vec![
            script(
                0,
                &["{\"ack\":1}", "STATUS", "{\"look\":1}", "{\"look\":null}", "{\"look\":99}", "{\"ack\":2}"],
            ),
            script(0, &["HELLO 1 a\nPAUSE", "FLOOD", "{\"ack\":0}"]),
            script(0, &["{\"key\":\"operator\"}"]),
            script(1, &["{\"key\":\"none\"}", "{\"key\":\"spectator\"}", "{\"look\":1}", "{\"ack\":1}"]),
            script(1, &["{\"key\":\"a\"}", "{\"key\":\"b\"}", "{\"key\":\"c\"}", "{\"key\":\"d\"}"]),
            [&[0, 5, 1, 2, END, 7][..], &[0; 8], &[END, 6, 1]].concat(),
            vec![2, 0x81, 0x85, 1, 2, 3, 4, 0x68, 0x67, 0x6f, 0x68, 0x6e, 0x88, 0x80, 1, 2, 3, 4],
        ];
        replay("studio", made, page);
    }
}
