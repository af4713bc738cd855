//! What may be done with each kind of world is asked in one place. [B1, W6]

use crate::common::{TestFactory, empty_scenario};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use touchline_gate::{Control, Gate, RequestError, Speed, Wish};
use touchline_record::Header;
use touchline_runtime::recorder::{self, Options};
use touchline_runtime::world_loop::{self, Evaluation, Live, Plan, Running};
use touchline_sim::{Action, World};

fn world() -> World {
    World::new(empty_scenario(), Arc::new(TestFactory)).unwrap()
}

fn evaluation(may_read_truth: bool) -> (Gate, Running) {
    let plan = Plan {
        worlds: vec![world()],
        episodes: 1,
        seed_of: None,
        recorder: None,
        participants: vec![vec![1], vec![2]],
        end_of: Box::new(|_| None),
    };
    let evaluation = Evaluation::new(plan, sync_channel(1).0);
    world_loop::start_evaluation(evaluation, Arc::new(TestFactory), may_read_truth).unwrap()
}

#[test]
fn who_is_measured_drives_senses_and_steps_for_himself() {
    let (first, running) = evaluation(false);
    let second = first.of_participant(1);
    let drive = Action::SetForward(1, 0.3);
    assert_eq!(first.permit(Wish::Change(&drive)), Ok(()));
    assert_eq!(second.permit(Wish::Change(&drive)), Err(RequestError::Evaluated));
    assert_eq!(first.permit(Wish::Sense(1)), Ok(()));
    assert_eq!(second.permit(Wish::Sense(1)), Err(RequestError::OthersSensors));
    assert_eq!(first.permit(Wish::Truth), Err(RequestError::Truth));
    assert_eq!(first.permit(Wish::Control(Control::Step(1))), Ok(()));
    for wish in [Wish::Control(Control::Pause), Wish::Look, Wish::Seek, Wish::Record] {
        assert_eq!(first.permit(wish), Err(RequestError::Evaluated), "{wish:?}");
    }
    running.stop();
    let (open, running) = evaluation(true);
    assert_eq!(open.permit(Wish::Truth), Ok(()));
    running.stop();
}

#[test]
fn in_a_live_world_all_may_be_asked_for() {
    let world = world();
    let folder = std::env::temp_dir();
    let header = Header::new(world.scenario().clone(), &[], String::new());
    let (producer, recorder, recording) = recorder::start(&world, header, Options::live(folder)).unwrap();
    let live = Live::new(world, producer);
    let (gate, running) = world_loop::start(live, recorder, Arc::new(TestFactory), Speed::Lockstep).unwrap();
    for wish in
        [Wish::Change(&Action::Reset), Wish::Sense(1), Wish::Truth, Wish::Look, Wish::Seek, Wish::Record]
    {
        assert_eq!(gate.permit(wish), Ok(()), "{wish:?}");
    }
    assert!(!gate.is_replay() && gate.divergence().is_none() && gate.recording().is_some());
    running.stop();
    recording.finish().unwrap();
}
