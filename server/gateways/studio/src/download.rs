//! A recording that was made here, as a file for who may make some.

use crate::entrance::check_bearer;
use crate::{Context, Peer};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use std::fs::File;
use std::io::{self, Read};
use std::pin::Pin;
use std::task;
use tokio::sync::mpsc;
use touchline_gate::Verb;

/// So much is read at a time, bytes.
const PART_BYTES: usize = 65_536;
/// Parts that wait to be sent.
const PARTS: usize = 4;

/// Sends a complete recording by the name that `RECORD` has answered; no other file can be named.
pub(crate) async fn recording(
    State(context): State<Context>,
    Extension(peer): Extension<Peer>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Err(why) = check_bearer(&*context.source, &headers, &peer, Verb::Record) {
        return (StatusCode::FORBIDDEN, format!("{why}\n")).into_response();
    }
    let opened = context.source.recorded(&name).map(|path| {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        io::Result::Ok((file, bytes))
    });
    let (file, bytes) = match opened {
        Some(Ok(opened)) => opened,
        Some(Err(error)) => return (StatusCode::GONE, format!("{error}\n")).into_response(),
        None => return (StatusCode::NOT_FOUND, "no such recording was made here\n").into_response(),
    };
    let kind = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
        (header::CONTENT_LENGTH, bytes.into()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (kind, Body::new(Parts::of(file.take(bytes)))).into_response()
}

/// A file that is read while it is sent, by a thread of its own.
struct Parts(mpsc::Receiver<io::Result<Bytes>>);

impl Parts {
    fn of(mut file: impl Read + Send + 'static) -> Self {
        let (send, parts) = mpsc::channel(PARTS);
        tokio::task::spawn_blocking(move || {
            let mut part = vec![0; PART_BYTES];
            loop {
                let read = match file.read(&mut part) {
                    Ok(0) => return,
                    Ok(bytes) => Ok(Bytes::copy_from_slice(&part[..bytes])),
                    Err(error) => Err(error),
                };
                let is_last = read.is_err();
                // Who has asked may be gone.
                if send.blocking_send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Self(parts)
    }
}

impl HttpBody for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> task::Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data)))
    }
}
