//! Who may ask for what, and what becomes of a client's robots. [C2, Y2]

use crate::common::{TestFactory, disc_robot, empty_scenario};
use std::path::PathBuf;
use std::sync::Arc;
use touchline_gate::{
    Bookmark, Client, Control, Gate, Later, LoopStatus, Mode, Pass, RecordOrder, Reply, Request,
    RequestError, Role, Speed, Stopper, Wake, Wish, open, ready,
};
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::{Action, Frame, World};

/// Everything is permitted but a look at the past.
struct Plain;

impl Mode for Plain {
    fn permit(&self, _: usize, wish: Wish<'_>) -> Result<(), RequestError> {
        if let Wish::Look = wish { Err(RequestError::Evaluated) } else { Ok(()) }
    }
    fn ticks(&self, now: u64) -> (u64, u64) {
        (now, now)
    }
    fn bookmarks(&self) -> Later<Vec<Bookmark>> {
        ready(Ok(Vec::new()))
    }
    fn frame_at(&self, _: u64) -> Later<Arc<Frame>> {
        unreachable!("no look is permitted")
    }
    fn state_at(&self, _: u64) -> Later<Option<Box<World>>> {
        ready(Ok(None))
    }
    fn record(&self, _: RecordOrder, _: Option<String>) -> Later<PathBuf> {
        ready(Ok("match.mcap".into()))
    }
}

/// A world that stands, and carries out at once what comes.
fn world() -> (Gate, Stopper) {
    let factory = Arc::new(TestFactory);
    let mut world = World::new(empty_scenario(), factory.clone()).unwrap();
    let scenario = Arc::new(world.scenario().clone());
    let (gate, end, stopper) = open(world.frame(), Speed::Lockstep, scenario, factory, Arc::new(Plain), 1);
    std::thread::spawn(move || {
        while let Ok(wake) = end.wakes.recv() {
            end.taken(&wake);
            match wake {
                Wake::Command { command, answer } => {
                    let outcome = world.apply(&[command]).remove(0);
                    end.publish(world.frame(), LoopStatus::new(Speed::Lockstep), end.now());
                    let _ = answer.send(outcome.result);
                }
                Wake::Control { done, .. } => drop(done.send(())),
                Wake::Seek { done, .. } => drop(done.send(Ok(()))),
                Wake::Stop => return,
            }
        }
    });
    (gate, stopper)
}

fn robot(name: &str) -> Request {
    let (name, spec) = (name.into(), Arc::new(disc_robot()));
    Request::Act(Action::AddRobot { name, team: None, spec, pose: Some(Pose2::ORIGIN), player: None })
}

async fn ask(client: &mut Client, request: Request) -> Result<Reply, RequestError> {
    client.execute(request)?.reply.wait().await
}

#[tokio::test]
async fn a_robot_is_its_makers() {
    let (gate, stopper) = world();
    let (mut maker, mut other) = (
        gate.client(Pass::at_desk(Role::Player), "maker"),
        gate.client(Pass::at_desk(Role::Player), "other"),
    );
    let Ok(Reply::Made(number)) = ask(&mut maker, robot("r")).await else { panic!("no robot") };
    assert_eq!((gate.robot_named("r"), gate.maker(number).as_deref()), (Some(number), Some("maker")));
    let drive = || Request::Act(Action::SetForward(number, 0.3));
    assert_eq!(ask(&mut maker, drive()).await, Ok(Reply::Done));
    assert_eq!(ask(&mut other, drive()).await, Err(RequestError::NotYours(number)));
    // An operator takes it over: others are told by whom, until he gives it back.
    other.introduce(&Pass::at_desk(Role::Operator), "boss");
    assert_eq!(ask(&mut other, Request::Act(Action::TakeRobot(number))).await, Ok(Reply::Done));
    let newest = gate.newest();
    let taken = newest.frame.robot(number).unwrap();
    assert_eq!(gate.taker(taken).as_deref(), Some("boss"));
    other.leave().await;
    assert_eq!(gate.newest().frame.robot(number).unwrap().taken_by, None);
    // Who leaves takes his robots with him.
    maker.leave().await;
    assert!(gate.newest().frame.robots.is_empty());
    assert_eq!(gate.maker(number), None);
    assert!(stopper.stop());
}

#[tokio::test]
async fn the_role_is_asked_before_the_mode_and_the_mode_before_the_loop() {
    let (gate, stopper) = world();
    let mut client = gate.client(Pass::at_desk(Role::Monitor), "c");
    let refused = Err(RequestError::Role(Role::Monitor));
    assert_eq!(ask(&mut client, Request::Control(Control::Pause)).await, refused);
    assert_eq!(ask(&mut client, Request::Seek(0)).await, refused);
    let record = || Request::Record { order: RecordOrder::Start, name: None };
    assert_eq!(ask(&mut client, record()).await, refused);
    client.introduce(&Pass::at_desk(Role::Operator), "o");
    assert_eq!(ask(&mut client, record()).await, Ok(Reply::Recorded("match.mcap".into())));
    assert_eq!(
        ask(&mut client, Request::Control(Control::Step(1))).await,
        Ok(Reply::Stepped { step: 0, episode: 0 })
    );
    assert_eq!(gate.frame_at(0).await.err(), Some(RequestError::Evaluated));
    assert!(stopper.stop());
    // The loop is gone: nobody waits for it.
    gate.ended().await;
    assert_eq!(ask(&mut client, Request::Control(Control::Pause)).await, Err(RequestError::Stopping));
}

/// A robot that another has removed counts no longer.
#[tokio::test]
async fn what_is_gone_is_nobodys() {
    let (gate, _stopper) = world();
    let (mut maker, mut boss) =
        (gate.client(Pass::at_desk(Role::Player), "m"), gate.client(Pass::at_desk(Role::Operator), "b"));
    let Ok(Reply::Made(number)) = ask(&mut maker, robot("r")).await else { panic!("no robot") };
    maker.forget_gone();
    assert_eq!(maker.robots(), [number]);
    let remove = Request::Act(Action::RemoveRobot(number));
    assert_eq!(ask(&mut boss, remove).await, Ok(Reply::Removed(number)));
    assert_eq!(maker.robots(), [0; 0]);
}
