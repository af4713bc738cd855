//! A server without a world: a gate with a hand-made Frame behind it, for tests of the protocol and of clients.
//!
//! Time stands at step 120. There is one robot from the beginning, `blue-1`; all robots are the same small one. The commands are the
//! real ones; what reaches the world does no more than a test of the protocol needs.

mod frame;
mod plugins;
mod stand_in;

pub use frame::description;
pub use plugins::{CAMERA, LASER};

use crate::Board;
use crate::files::Files;
use crate::lobby::Seat;
use crate::session::{Session, SessionConfig};
use crate::talk::Talk;
use crate::view::View;
use parking_lot::Mutex;
use stand_in::StandIn;
use std::sync::{Arc, OnceLock};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use touchline_gate::Speed;
use touchline_sim::Action;

/// The world that is none, and one client's connection to it.
pub struct FakeServer {
    talk: Talk,
    actions: Arc<Mutex<Vec<Action>>>,
    _seat: Option<Seat>,
}

impl FakeServer {
    /// A client has just connected, and the one state was just published.
    pub fn new(config: SessionConfig, now_us: u64) -> Self {
        let actions = Arc::default();
        let board = board(now_us, Arc::clone(&actions));
        let seat = board.lobby.enter([127, 0, 0, 1].into()).ok();
        // A page's pushes go by the clock that the test says.
        let view = View::of(watch::channel(None).1);
        let talk = Talk::new(board, Session::new(config), "127.0.0.1:50000".into(), view);
        Self { talk, actions, _seat: seat }
    }

    /// The client's session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.talk.session
    }

    #[cfg(test)]
    pub(crate) fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    /// Carries out all commands of the session, and sends the pushes that are due.
    pub fn serve(&mut self, now_us: u64) {
        self.answer(now_us);
        self.talk.push(now_us);
    }

    /// Carries out all commands of the session.
    pub fn answer(&mut self, now_us: u64) {
        while self.talk.take_commands(now_us) || !self.talk.is_idle() {
            while !self.talk.is_idle() {
                let done = runtime().block_on(self.talk.under_way.next());
                self.talk.conclude(done);
            }
        }
    }

    /// What has reached the world so far.
    pub fn actions(&self) -> Vec<Action> {
        self.actions.lock().clone()
    }
}

/// A board before the world that is none.
fn board(now_us: u64, actions: Arc<Mutex<Vec<Action>>>) -> Arc<Board> {
    let (board, stand_in) = still_board(now_us, actions);
    std::thread::spawn(move || stand_in.run());
    board
}

/// The same, but nothing is answered before the test lets the stand-in do it.
fn still_board(now_us: u64, actions: Arc<Mutex<Vec<Action>>>) -> (Arc<Board>, StandIn) {
    let (frame, scenario) = (frame::frame(), Arc::new(frame::scenario()));
    let (plugins, mode, speed) = (Arc::new(plugins::Plugins), Arc::new(stand_in::Mode), Speed::Factor(1.0));
    let (gate, end, _) = touchline_gate::open(frame.clone(), speed, scenario, plugins, mode, 1);
    let stand_in = StandIn::new(frame, end, now_us, actions);
    (Arc::new(Board::new(gate, Files::new(Arc::new(plugins::Files)), None)), stand_in)
}

#[cfg(test)]
pub(crate) fn quiet_board() -> Arc<Board> {
    board(0, Arc::default())
}

#[cfg(test)]
pub(crate) fn held_board() -> (Arc<Board>, StandIn) {
    still_board(0, Arc::default())
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        runtime.unwrap_or_else(|error| unreachable!("a test's machine has threads to give: {error}"))
    })
}
