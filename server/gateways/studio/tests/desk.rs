//! The desk of challenges answers who sits at this machine and has its key, and nobody else. (CH8)

use crate::page::raw;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use touchline_gate::{Keys, Pass, Role, digest};
use touchline_studio::{Desk, serve_desk};

/// The desk's key, as a header.
const KEY: &str = "Authorization: Bearer the-desks-own-key-of-these-tests\r\n";

fn keys() -> Keys {
    let key = KEY.trim().rsplit(' ').next().unwrap();
    Keys::new([(digest(key), Pass::at_desk(Role::Operator))])
}

/// Its state is the number 7; it keeps what it is ordered, and refuses what begins with `no`. What begins with `slow` ends when it is told.
#[derive(Default)]
struct Fake {
    ordered: Mutex<Vec<String>>,
    may_end: (Mutex<bool>, Condvar),
}

impl Desk for Fake {
    fn state(&self, known: u64) -> Option<String> {
        (known != 7).then(|| r#"{"number":7}"#.into())
    }

    fn order(&self, order: &str) -> Result<String, String> {
        self.ordered.lock().unwrap().push(order.into());
        if order.starts_with("slow") {
            let (may_end, told) = &self.may_end;
            drop(told.wait_while(may_end.lock().unwrap(), |may_end| !*may_end).unwrap());
            self.ordered.lock().unwrap().push("slow has ended".into());
        }
        if order.starts_with("no") { Err("not that".into()) } else { Ok("{}".into()) }
    }

    fn show(&self, what: &str) -> Result<String, String> {
        Ok(format!("shown: {what}"))
    }
}

/// The first line of the answer, and its last one.
async fn ask(address: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> (String, String) {
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    );
    let answer = raw(address, &request).await;
    let first = answer.lines().next().unwrap_or_default().to_owned();
    (first, answer.lines().last().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn who_sits_here_is_answered_and_no_other_page() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let desk = Arc::new(Fake::default());
    let served = tokio::spawn(serve_desk(listener, desk.clone(), keys(), async move {
        let _ = stopped.await;
    }));
    let host = format!("Host: {address}\r\n{KEY}");
    let json = format!("{host}Content-Type: application/json\r\n");
    let state = |path: &'static str| ask(address, "GET", path, &host, "");
    assert_eq!(state("/challenges/state").await.1, r#"{"number":7}"#);
    assert_eq!(state("/challenges/state?known=6").await.1, r#"{"number":7}"#);
    assert!(state("/challenges/state?known=7").await.0.contains("204"));
    assert!(state("/").await.1.contains("</html>"));
    assert!(state("/nothing").await.0.contains("404"));

    let order = |headers: String, body: &'static str| async move {
        ask(address, "POST", "/challenges/order", &headers, body).await
    };
    assert_eq!(order(json.clone(), "play").await.1, "{}");
    let (first, last) = order(json.clone(), "no").await;
    assert!(first.contains("422") && last == "not that", "{first} {last}");
    let origin = format!("{json}Origin: http://{address}\r\n");
    assert_eq!(order(origin, "by our page").await.1, "{}");
    for (headers, code) in [
        (host.clone(), "415"),
        (format!("{host}Content-Type: text/plain\r\n"), "415"),
        (format!("{json}Origin: http://evil.example\r\n"), "403"),
        (format!("{json}Origin: null\r\n"), "403"),
        (format!("{json}X-Forwarded-For: 192.0.2.1\r\n"), "403"),
        (json.replace("127.0.0.1", "evil.example"), "403"),
    ] {
        let (first, _) = order(headers.clone(), "from elsewhere").await;
        assert!(first.contains(code), "{headers}: {first}");
        let (first, _) = ask(address, "POST", "/challenges/show", &headers, "to elsewhere").await;
        assert!(first.contains(code), "{headers}: {first}");
    }
    assert_eq!(*desk.ordered.lock().unwrap(), ["play", "no", "by our page"]);
    stop.send(()).unwrap();
    served.await.unwrap();
}

/// Programs that are played sit at this machine too: to who shows no key nothing is told and shown, and nothing of what he orders is done. The page's own files
/// are no secret: they ask for the key.
#[tokio::test]
async fn who_has_no_key_neither_sees_nor_orders() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let desk = Arc::new(Fake::default());
    let served = tokio::spawn(serve_desk(listener, desk.clone(), keys(), std::future::pending()));
    let host = format!("Host: {address}\r\n");
    let json = format!("{host}Content-Type: application/json\r\n");
    for shown in [
        "",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer another-key-of-thirty-two-letters\r\n",
        &KEY.replace("the-", "The-"),
        &KEY.replace("tests", "test"),
        &KEY.replace("Bearer ", ""),
    ] {
        for (method, path) in [
            ("GET", "state"),
            ("GET", "state?known=7"),
            ("POST", "order"),
            ("POST", "show"),
            ("GET", "order"),
            ("GET", "nothing"),
        ] {
            let headers = format!("{json}{shown}");
            let (first, last) = ask(address, method, &format!("/challenges/{path}"), &headers, "play").await;
            assert!(first.contains("403") && last.contains("program has printed"), "{path}: {first} {last}");
        }
        // Written otherwise it is no other way in.
        for path in ["//challenges/state", "/%63hallenges/state", "/x/../challenges/state"] {
            assert!(
                ask(address, "GET", path, &format!("{host}{shown}"), "").await.0.contains("404"),
                "{path}"
            );
        }
        assert!(ask(address, "GET", "/", &format!("{host}{shown}"), "").await.1.contains("</html>"));
    }
    assert!(desk.ordered.lock().unwrap().is_empty());
    assert_eq!(ask(address, "POST", "/challenges/order", &format!("{json}{KEY}"), "play").await.1, "{}");
    served.abort();
}

/// An order that takes long is not overtaken: what the next one finds is what that has left.
#[tokio::test]
async fn orders_are_carried_out_one_after_the_other() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let desk = Arc::new(Fake::default());
    let served = tokio::spawn(serve_desk(listener, desk.clone(), keys(), std::future::pending()));
    let json = format!("Host: {address}\r\n{KEY}Content-Type: application/json\r\n");
    let send = |body: &'static str| {
        let json = json.clone();
        tokio::spawn(async move { ask(address, "POST", "/challenges/order", &json, body).await })
    };
    let slow = send("slow");
    while desk.ordered.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let next = send("next");
    // The next one has long come when so many questions, asked after it, are answered.
    for _ in 0..100 {
        let (_, state) = ask(address, "GET", "/challenges/state", &json, "").await;
        assert_eq!(state, r#"{"number":7}"#, "who asks for the state does not wait");
    }
    let (_, shown) = ask(address, "POST", "/challenges/show", &json, "a run").await;
    assert_eq!(shown, "shown: a run", "nor who looks at something");
    *desk.may_end.0.lock().unwrap() = true;
    desk.may_end.1.notify_all();
    assert_eq!((slow.await.unwrap().1, next.await.unwrap().1), ("{}".into(), "{}".into()));
    assert_eq!(*desk.ordered.lock().unwrap(), ["slow", "slow has ended", "next"]);
    served.abort();
}

/// An order goes on when the page that has sent it goes away, and is not overtaken then either.
#[tokio::test]
async fn an_order_whose_page_has_gone_is_not_overtaken() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let desk = Arc::new(Fake::default());
    let served = tokio::spawn(serve_desk(listener, desk.clone(), keys(), std::future::pending()));
    let json = format!("Host: {address}\r\n{KEY}Content-Type: application/json\r\n");
    let mut page = TcpStream::connect(address).await.unwrap();
    let order = format!("POST /challenges/order HTTP/1.1\r\n{json}Content-Length: 4\r\n\r\nslow");
    page.write_all(order.as_bytes()).await.unwrap();
    while desk.ordered.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    drop(page);
    let ask_state = async || {
        for _ in 0..100 {
            ask(address, "GET", "/challenges/state", &json, "").await;
        }
    };
    // It has long been seen that the page has gone, and then that another order has come.
    ask_state().await;
    let sent = json.clone();
    let next = tokio::spawn(async move { ask(address, "POST", "/challenges/order", &sent, "next").await });
    ask_state().await;
    *desk.may_end.0.lock().unwrap() = true;
    desk.may_end.1.notify_all();
    assert_eq!(next.await.unwrap().1, "{}");
    assert_eq!(*desk.ordered.lock().unwrap(), ["slow", "slow has ended", "next"]);
    served.abort();
}

/// Connections that announce an order and never send it, as many as there are places, keep nobody out.
#[tokio::test]
async fn who_does_not_send_its_order_gives_way() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let desk = Arc::new(Fake::default());
    let served = tokio::spawn(serve_desk(listener, desk.clone(), keys(), std::future::pending()));
    let json = format!("Host: {address}\r\n{KEY}Content-Type: application/json\r\n");
    let mut silent = Vec::new();
    for _ in 0..64 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!("POST /challenges/order HTTP/1.1\r\n{json}Content-Length: 100\r\n\r\n{{");
        stream.write_all(head.as_bytes()).await.unwrap();
        silent.push(stream);
    }
    let (_, state) = ask(address, "GET", "/challenges/state", &json, "").await;
    assert_eq!(state, r#"{"number":7}"#);
    assert_eq!(ask(address, "POST", "/challenges/order", &json, "play").await.1, "{}");
    assert_eq!(*desk.ordered.lock().unwrap(), ["play"]);
    served.abort();
}
