//! Who lets others run, and how long a connection waits for whom.

use super::*;
use crate::door::{Door, Lock};
use crate::testing::{held_board, quiet_board};
use tokio::io::DuplexStream;
use touchline_gate::{Keys, Pass, Role, digest};

/// Who has let others run is found by another thread if the next task of its own does not return.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_lets_others_run_is_not_lost_behind_one_that_hangs() {
    let turns = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let count = || turns.load(std::sync::atomic::Ordering::Relaxed);
    let others: Vec<_> = (0..3)
        .map(|_| {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move {
                loop {
                    turns.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let_others_run().await;
                }
            })
        })
        .collect();
    for round in 0..200 {
        let turns = Arc::clone(&turns);
        let hangs = tokio::spawn(async move {
            let before = turns.load(std::sync::atomic::Ordering::Relaxed);
            let began = std::time::Instant::now();
            while turns.load(std::sync::atomic::Ordering::Relaxed) < before + 1000 {
                assert!(began.elapsed() < Duration::from_secs(60), "round {round}: nobody else runs");
                std::hint::spin_loop();
            }
        });
        hangs.await.unwrap();
    }
    assert!(count() > 200_000);
    others.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A client of a board over a wire, and what it was sent when the connection had ended.
async fn ended(door: Door, client: impl AsyncFnOnce(&mut DuplexStream)) -> (String, Duration) {
    let (mut theirs, ours) = tokio::io::duplex(4096);
    let board = quiet_board();
    let config = SessionConfig { door, ..board.session_config([127, 0, 0, 1].into()) };
    let began = Instant::now();
    let serve = async {
        let (mut reader, mut writer) = tokio::io::split(ours);
        let peer = "127.0.0.1:50000".to_owned();
        let seat = board.lobby.enter(config.peer).unwrap();
        let bounds = Some(Bounds::new(&config.limits, seat));
        run(board, &mut reader, &mut writer, config, peer, View::of_now(), bounds).await;
        began.elapsed()
    };
    let talk = async {
        client(&mut theirs).await;
        let mut said = String::new();
        let _ = theirs.read_to_string(&mut said).await;
        said
    };
    let (lasted, said) = tokio::join!(serve, talk);
    (said, lasted)
}

const KEY: &str = "a-key-that-is-long-enough-and-right";

fn locked() -> Door {
    Door::Keys(Arc::new(Lock::new(Keys::new([(digest(KEY), Pass::at_desk(Role::Monitor))]))))
}

/// Who says nothing that is a command within 30 s gives way, whatever else he sends. (The clock is the test's.)
#[tokio::test(start_paused = true)]
async fn the_first_line_is_waited_for_and_not_for_ever() {
    let (said, lasted) = ended(Door::Open, async |_| {}).await;
    assert!(
        said.ends_with("CLOSE board/silent \"no command came within 30 s (limits.first_line_s)\"\n"),
        "{said}"
    );
    assert!((30..35).contains(&lasted.as_secs()), "{lasted:?}");
    let (said, lasted) = ended(Door::Open, async |theirs| {
        for _ in 0..20 {
            let _ = theirs.write_all(b"x\n").await;
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    })
    .await;
    assert!(said.contains("CLOSE board/silent"), "{said}");
    assert!(lasted.as_secs() < 35, "{lasted:?}");
    // Where there are keys a command is not enough.
    let help = async |theirs: &mut DuplexStream| theirs.write_all(b"HELP HELP\n").await.unwrap();
    let (said, _) = ended(locked(), help).await;
    assert!(
        said.ends_with("CLOSE board/silent \"no key came within 30 s (limits.first_line_s)\"\n"),
        "{said}"
    );
}

/// C7: what was begun long before the server stops is still answered, and then comes the end.
#[tokio::test(start_paused = true)]
async fn what_takes_long_is_answered_before_the_end() {
    let (mut theirs, ours) = tokio::io::duplex(4096);
    let (board, mut world) = held_board();
    let config = board.session_config([127, 0, 0, 1].into());
    let serve = async {
        let (mut reader, mut writer) = tokio::io::split(ours);
        let peer = "127.0.0.1:50000".to_owned();
        run(Arc::clone(&board), &mut reader, &mut writer, config, peer, View::of_now(), None).await;
    };
    let talk = async {
        theirs.write_all(b"HELLO 1 desk role=operator\nPAUSE\n").await.unwrap();
        // The world takes its time.
        tokio::time::sleep(Duration::from_secs(3)).await;
        board.signals.send_modify(|signals| signals.stopping = true);
        tokio::time::sleep(LAST_ANSWERS / 2).await;
        world.take_all();
        // Who leaves gives his robots back.
        tokio::time::sleep(LAST_ANSWERS).await;
        world.take_all();
        let mut said = String::new();
        let _ = theirs.read_to_string(&mut said).await;
        said
    };
    let ((), said) = tokio::join!(serve, talk);
    let (before, end) = said.split_once("CLOSE board/stopping ").unwrap_or_else(|| panic!("{said}"));
    assert!(before.ends_with("OK PAUSE\n") && end.lines().count() == 1, "{said}");
}

/// When the board is full, a silent client is told that it gives way, and does not keep its place by not reading.
#[tokio::test(start_paused = true)]
async fn a_silent_client_gives_way() {
    let (mut theirs, ours) = tokio::io::duplex(4096);
    let board = quiet_board();
    let config = board.session_config([127, 0, 0, 1].into());
    let enter = || board.lobby.enter(config.peer).unwrap();
    let bounds = Some(Bounds::new(&config.limits, enter()));
    let most = config.limits.table.connections as usize;
    let others: Vec<Seat> = (1..most).map(|_| enter()).collect();
    let come = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        enter()
    };
    let serve = async {
        let (mut reader, mut writer) = tokio::io::split(ours);
        let peer = "127.0.0.1:50000".to_owned();
        let config = config.clone();
        run(Arc::clone(&board), &mut reader, &mut writer, config, peer, View::of_now(), bounds).await;
    };
    let (came, ()) = tokio::join!(come, serve);
    assert_eq!(board.connections(), most);
    let mut said = String::new();
    let _ = theirs.read_to_string(&mut said).await;
    assert!(said.contains("\nCLOSE board/gives-way "), "{said}");
    drop((others, came));
}

/// Who sends more lines than are taken at once is served later, not sent away and not forgotten.
#[tokio::test(start_paused = true)]
async fn a_flood_is_taken_at_its_pace() {
    let (said, _) = ended(Door::Open, async |theirs| {
        theirs.write_all(b"STATUS\n").await.unwrap();
        theirs.write_all(&b"\n".repeat(130_000)).await.unwrap();
        theirs.write_all(b"BYE\n").await.unwrap();
    })
    .await;
    assert!(said.ends_with("OK BYE\n"), "{said}");
}

/// A line that comes byte by byte is read ever more seldom, one that comes in three pieces at once, and both are taken.
#[tokio::test(start_paused = true)]
async fn pieces_of_a_line_are_read_seldom() {
    let begin = Instant::now();
    let mut pieces = Pieces::default();
    let mut pause_ms = |bytes: &[u8]| {
        pieces.came(bytes, begin);
        pieces.read_at.map_or(0, |at| (at - begin).as_millis())
    };
    let pauses: Vec<_> = (0..12).map(|_| pause_ms(b"GET ")).collect();
    assert_eq!(pauses, [0, 0, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64]);
    assert_eq!([pause_ms(b"me *\nGET"), pause_ms(b" me"), pause_ms(b" *")], [0, 0, 0]);

    let (said, lasted) = ended(Door::Open, async |theirs| {
        for byte in b"STATUS\nBYE\n" {
            theirs.write_all(&[*byte]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    assert!(said.contains("OK STATUS ") && said.ends_with("OK BYE\n"), "{said}");
    assert!(lasted < LINGER + Duration::from_millis(200), "{lasted:?}");
}

/// Who has spoken may be silent for as long as he likes.
#[tokio::test(start_paused = true)]
async fn who_has_spoken_is_not_sent_away() {
    for (door, line) in
        [(Door::Open, "STATUS\n"), (locked(), "HELLO 1 m key=a-key-that-is-long-enough-and-right\n")]
    {
        let (said, lasted) = ended(door, async |theirs| {
            theirs.write_all(line.as_bytes()).await.unwrap();
            tokio::time::sleep(Duration::from_secs(3600)).await;
            theirs.write_all(b"BYE\n").await.unwrap();
        })
        .await;
        assert!(said.ends_with("OK BYE\n"), "{said}");
        assert!(lasted.as_secs() >= 3600, "{lasted:?}");
    }
}

/// A page of whoever has shown a key with this name.
fn page_of(board: &Arc<Board>, key: &str) -> DuplexStream {
    let pass = Pass { name: Some(key.into()), ..Pass::at_desk(Role::Monitor) };
    let (_, looked) = tokio::sync::watch::channel(None);
    let service = crate::BoardService(Arc::clone(board));
    service.open("a page".into(), [127, 0, 0, 1].into(), Some(pass), looked)
}

/// Reads until this has come; gives all that has.
async fn heard(page: &mut DuplexStream, end: &str) -> String {
    let mut said = String::new();
    while !said.contains(end) {
        let mut bytes = [0; 4096];
        let read = timeout(Duration::from_secs(20), page.read(&mut bytes)).await.expect(end).unwrap();
        assert!(read > 0, "{said}");
        said.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
    }
    said
}

/// I3: a key's share of the time for readings is that of its pages too: another page of that key waits, and one of another key does not.
#[tokio::test]
async fn pages_share_what_their_key_may_use() {
    let board = quiet_board();
    // The first reading takes an hour.
    let looks = std::sync::atomic::AtomicU64::new(0);
    let clock = move || looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed).min(1) * 3_600_000_000;
    assert!(board.clock.set(Box::new(clock)).is_ok());
    let [mut first, mut second] = ["one", "one"].map(|key| page_of(&board, key));
    let mut other = page_of(&board, "another");
    for page in [&mut first, &mut second, &mut other] {
        page.write_all(b"STATUS\n").await.unwrap();
        heard(page, "OK STATUS").await;
    }
    first.write_all(b"GET blue-1 *\n").await.unwrap();
    heard(&mut first, "OK GET").await;
    second.write_all(b"#late HELP\n").await.unwrap();
    for _ in 0..20 {
        other.write_all(b"#now HELP\n").await.unwrap();
        heard(&mut other, "#now OK HELP").await;
    }
    let mut bytes = [0; 4096];
    let early = timeout(Duration::from_millis(20), second.read(&mut bytes)).await;
    let said = early.map(|read| String::from_utf8_lossy(&bytes[..read.unwrap()]).into_owned());
    assert!(!said.is_ok_and(|said| said.contains("#late")), "its key has used up more than its share");
}

/// Pages are connections of their key: there are no more of both together than may come, and who leaves makes room.
#[tokio::test]
async fn one_key_does_not_fill_the_board_by_pages() {
    let board = quiet_board();
    let (key, most) = (Arc::from("one"), board.gate.scenario().limits.connections_of_address);
    let client = board.lobby.join_key(&key).map_err(|(code, _)| code).unwrap();
    let mut pages: Vec<_> = (1..most).map(|_| page_of(&board, "one")).collect();
    for page in &mut pages {
        heard(page, "TOUCHLINE").await;
    }
    heard(&mut page_of(&board, "one"), "CLOSE board/too-many-of-key ").await;
    heard(&mut page_of(&board, "another"), "TOUCHLINE").await;
    drop((client, pages));
    let empties = async {
        while !board.lobby.has_no_keys() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(60), empties).await.expect("who has gone makes room");
}
