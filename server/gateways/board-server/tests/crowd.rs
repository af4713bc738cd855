//! Many clients from one seed: they connect, order, stall, vanish and look back, in an order that the seed draws, at the real service,
//! gate, loop and recorder, over streams in memory. (I2, I3)
//!
//! What changes the world is waited for, so a seed is one story. What does not change it (spectators who flood, never read, vanish in the
//! middle of a line, look at the past) is not waited for: its threads interleave as they like, and it must make no difference.
//! `TOUCHLINE_CROWD=3000` tells so many stories, `TOUCHLINE_CROWD_SEED=7` that one alone.

use crate::common::pass;
use crate::crowd_script::{Act, Script};
use crate::world_common::{TestFactory, busy_scenario};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::watch;
use tokio::time::timeout;
use touchline_board_server::{BoardConfig, BoardService};
use touchline_gate::{Gate, Pass, RequestError, Role, Speed};
use touchline_record::poses::digest;
use touchline_record::{Header, Log, Rerun};
use touchline_runtime::recorder::{self, Options, Recording};
use touchline_runtime::world_loop::{self, Live, Running};
use touchline_sim::{Frame, World};

/// Names the one story that shall be told, word by word.
const ALONE: &str = "TOUCHLINE_CROWD_SEED";
/// Stories that are told without a word; a debug build tells them in some seconds.
const STORIES: u64 = 60;
/// Who has waited so long for an answer waits in vain.
const TIMEOUT: Duration = Duration::from_secs(300);
/// What a watcher who reads nothing asks, again and again: far more than the buffers between hold.
const FLOOD: &str = "GET robot-0 *\nLIST\nMOTION robot-1\nEVENTS\nPUSH robot-1 1 *\nHEAR robot-2\nTIMELINE\n\x01\nGET robot-3 probe\n";

/// One end of a connection.
struct Guest {
    lines: BufReader<ReadHalf<DuplexStream>>,
    out: WriteHalf<DuplexStream>,
    _looked: watch::Sender<Option<Arc<Frame>>>,
    asked: u64,
    /// By which the world knows it, once it has taken a robot over.
    number: Option<u64>,
}

impl Guest {
    fn enter(service: &BoardService, name: String, pass: Pass) -> Self {
        let (looked, looks) = watch::channel(None);
        let stream = service.open(name, [127, 0, 0, 1].into(), Some(pass), looks);
        let (reader, out) = tokio::io::split(stream);
        Self { lines: BufReader::new(reader), out, _looked: looked, asked: 0, number: None }
    }

    /// Gives a command, and waits until it is answered.
    async fn ask(&mut self, command: &str) -> String {
        self.asked += 1;
        let tag = format!("#{} ", self.asked);
        let answered = async {
            self.out.write_all(format!("{tag}{command}\n").as_bytes()).await.unwrap();
            let mut line = String::new();
            while !line.starts_with(&tag) {
                line.clear();
                assert!(self.lines.read_line(&mut line).await.unwrap() > 0, "the server has hung up");
            }
            line[tag.len()..].trim_end().to_owned()
        };
        let answer = timeout(TIMEOUT, answered).await;
        answer.unwrap_or_else(|_| panic!("I3: nobody has answered {command} for five minutes"))
    }

    /// Says as much as goes through now, and waits for nothing.
    async fn shout(&mut self, text: &str) {
        let _ = timeout(Duration::ZERO, self.out.write_all(text.as_bytes())).await;
    }

    /// Reads what is there, but not more than a little.
    async fn sip(&mut self) {
        let mut little = [0; 700];
        let _ = timeout(Duration::ZERO, self.lines.read(&mut little)).await;
    }
}

/// A world that is served, with all who are there.
struct Served {
    service: BoardService,
    gate: Gate,
    running: Running,
    recording: Recording,
    desk: Guest,
    guests: BTreeMap<usize, Guest>,
    /// The poses at each tick, as they were last.
    seen: BTreeMap<u64, u64>,
}

/// What a story came to.
#[derive(Debug, PartialEq)]
struct End {
    state_hash: u64,
    poses: BTreeMap<u64, u64>,
    answers: Vec<String>,
}

fn served(folder: &Path) -> Served {
    let world = World::new(busy_scenario(), Arc::new(TestFactory)).unwrap();
    let header = Header::new(world.scenario().clone(), &[], String::new());
    let options = Options { file: Some(folder.join("crowd.mcap")), ..Options::live(folder.to_owned()) };
    let (producer, recorder, recording) = recorder::start(&world, header, options).unwrap();
    let live = Live::new(world, producer);
    let (gate, running) = world_loop::start(live, recorder, Arc::new(TestFactory), Speed::Lockstep).unwrap();
    let service = BoardService::new(gate.clone(), BoardConfig::default());
    let desk = Guest::enter(&service, "desk".into(), pass(Role::Operator, None, None));
    let seen = BTreeMap::from([(0, digest(&gate.newest().frame.objects))]);
    Served { service, gate, running, recording, desk, guests: BTreeMap::new(), seen }
}

impl Served {
    /// Does it; gives what was answered, if the world may have changed.
    async fn carry_out(&mut self, act: &Act) -> Option<String> {
        let answer = match act {
            Act::Enter { guest, role, team } => {
                let pass = pass(*role, *team, None);
                self.guests.insert(*guest, Guest::enter(&self.service, format!("guest-{guest}"), pass));
                None
            }
            Act::Desk(command) => Some(self.desk.ask(command).await),
            Act::Seek(back) => {
                let now = self.gate.newest().status.tick;
                Some(self.seek(now.saturating_sub(*back)).await)
            }
            Act::Order { guest, command } => {
                let guest = self.guests.get_mut(guest)?;
                let answer = guest.ask(command).await;
                if let Some(robot) = command.strip_prefix("TAKE ")
                    && answer.starts_with("OK")
                {
                    guest.number = self.gate.newest().robot_named(robot).and_then(|robot| robot.taken_by);
                }
                Some(answer)
            }
            Act::Flood(guest) => {
                self.guests.get_mut(guest)?.shout(&FLOOD.repeat(20)).await;
                None
            }
            Act::Sip(guest) => {
                self.guests.get_mut(guest)?.sip().await;
                None
            }
            Act::Vanish { guest, last_words } => {
                let mut guest = self.guests.remove(guest)?;
                guest.shout(last_words).await;
                let number = guest.number;
                drop(guest);
                self.is_gone(number).await;
                None
            }
            Act::LookBack(back) => {
                self.look_back(*back).await;
                None
            }
        };
        self.only_guests_hold_robots();
        let newest = self.gate.newest();
        self.seen.insert(newest.status.tick, digest(&newest.frame.objects));
        answer
    }

    /// Goes on from a tick of the past; the recorder may need a while until it has come so far.
    async fn seek(&mut self, to: u64) -> String {
        loop {
            let answer = self.desk.ask(&format!("SEEK {to}")).await;
            if answer.starts_with("OK") || to < self.gate.ticks().0 {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Who has gone holds no robot.
    async fn is_gone(&self, number: Option<u64>) {
        let Some(number) = number else { return };
        let mut published = self.gate.watch();
        let free = published
            .wait_for(|published| published.frame.robots.iter().all(|robot| robot.taken_by != Some(number)));
        let freed = timeout(TIMEOUT, free).await;
        assert!(freed.is_ok_and(|freed| freed.is_ok()), "who has vanished still holds a robot");
    }

    /// Also behind a seek to a tick when somebody held one who has gone since.
    fn only_guests_hold_robots(&self) {
        for robot in &self.gate.newest().frame.robots {
            let is_there = |number| self.guests.values().any(|guest| guest.number == Some(number));
            assert!(robot.taken_by.is_none_or(is_there), "{} is held by a ghost", robot.identity.name);
        }
    }

    /// I2: the past is what was, bit by bit, whoever looks at it.
    async fn look_back(&self, back: u64) {
        let newest = self.gate.ticks().1.min(self.gate.newest().status.tick);
        let Some((&tick, &poses)) = self.seen.range(..newest.saturating_sub(back)).next_back() else {
            return;
        };
        match self.gate.frame_at(tick).await {
            Ok(frame) => assert_eq!(digest(&frame.objects), poses, "another past at tick {tick}"),
            Err(RequestError::Record(_)) => {}
            Err(error) => panic!("tick {tick}: {error}"),
        }
    }

    /// Everybody goes; the recording is closed, and is the world that was.
    async fn end(mut self, folder: &Path) -> (u64, BTreeMap<u64, u64>) {
        while let Some((_, guest)) = self.guests.pop_first() {
            let number = guest.number;
            drop(guest);
            self.is_gone(number).await;
        }
        // What stands until the next step is carried out.
        self.desk.ask("STEP 1").await;
        assert!(self.gate.refused() == 0, "I3: a request was turned away, for the loop did not come to it");
        let lost = self.gate.recording().unwrap_or_default();
        assert_eq!((lost.lost_inputs, lost.lost_digests), (0, 0));
        let state_hash = self.gate.newest().status.state_hash;
        self.running.stop();
        self.recording.finish().unwrap();
        let log = Log::read_whole(std::fs::File::open(folder.join("crowd.mcap")).unwrap()).unwrap();
        assert!(log.without_digest().is_empty());
        let mut rerun =
            Rerun::new(World::new(log.header.scenario.clone(), Arc::new(TestFactory)).unwrap(), 100);
        assert_eq!(rerun.compare(&log, |_| {}), None, "I2: the recording, run again, is another world");
        assert_eq!(rerun.world().state_hash(), state_hash, "I2: it ends otherwise");
        (state_hash, self.seen)
    }
}

/// Tells a story; `with_watchers`, or without all that must make no difference.
fn tell(script: &Script, with_watchers: bool) -> End {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    runtime.block_on(async {
        let mut served = served(folder.path());
        let mut answers = Vec::new();
        for act in script.acts.iter().filter(|act| with_watchers || script.matters(act)) {
            let answer = served.carry_out(act).await;
            if number(ALONE).is_some() {
                eprintln!("{act:?}: {}", answer.as_deref().unwrap_or_default());
            }
            answers.extend(answer);
        }
        let (state_hash, poses) = served.end(folder.path()).await;
        End { state_hash, poses, answers }
    })
}

/// Says how a story is told again that has gone wrong.
struct Told(u64);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let again = "cargo test -p touchline-board-server --test suite -- crowd::";
            eprintln!("story {0} went wrong; again: TOUCHLINE_CROWD_SEED={0} {again}", self.0);
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap())
}

/// I2, I3: whoever watches, stalls or vanishes changes nothing for those who play; each recording is its world.
#[test]
fn a_crowd_changes_nothing_that_it_may_not() {
    let alone = number(ALONE);
    let seeds = alone.map_or(0..number("TOUCHLINE_CROWD").unwrap_or(STORIES), |seed| seed..seed + 1);
    let mut watched = 0;
    for seed in seeds {
        let _told = Told(seed);
        let script = Script::draw(seed);
        watched += script.acts.iter().filter(|act| !script.matters(act)).count();
        let [quiet, crowded] = [false, true].map(|with_watchers| tell(&script, with_watchers));
        assert_eq!(quiet.answers, crowded.answers, "who plays was answered otherwise");
        assert_eq!(quiet.poses, crowded.poses, "the world went another way");
        assert_eq!(quiet.state_hash, crowded.state_hash, "the world ends otherwise");
    }
    assert!(watched > 0);
}
