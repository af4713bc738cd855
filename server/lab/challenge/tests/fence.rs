//! A player plugin drives its robot, and does nothing else. (CH4)

use std::sync::Arc;
use touchline_challenge::fence::{Fence, Fenced};
use touchline_plugin_api::container::SensorCatalogue;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::{PlayerInput, PlayerSetup, Readings};
use touchline_plugin_api::plugin::{Fault, PluginDescription};
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::view::{Object, WorldView};
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// Places the ball, drives as many m/s as it sees objects, places its robot, and lets it go.
struct Cheat;

impl PlayerInstance for Cheat {
    fn wanted_sensors(&self) -> &[usize] {
        &[]
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    fn sense_and_act(
        &self,
        _: &mut Vec<u8>,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        orders.place_ball(0, [0.0; 2], [0.0; 2]);
        orders.drive_twist(Twist2::new(input.view.objects.len() as f64, 0.0, 0.0));
        orders.place_robot(0, Pose2::ORIGIN);
        orders.say("hello");
        orders.end();
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn descriptions(&self) -> Vec<PluginDescription> {
        Vec::new()
    }

    fn player(&self, _: &PluginChoice, _: &PlayerSetup) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        Ok(Arc::new(Cheat))
    }
}

/// What a cheat of this team orders, and what is counted.
fn ordered(team: u32, may_see: bool) -> (Vec<&'static str>, f64, Vec<(String, u64)>) {
    let fence = Arc::new(Fence::new(may_see));
    let factory = Fenced::new(Arc::new(Factory), Arc::clone(&fence));
    let mut setup = PlayerSetup::default();
    setup.robot.team = Some(team);
    let player = factory.player(&PluginChoice::new("cheat", serde_json::Value::Null), &setup).unwrap();
    let (object, catalogue) = (zeroed(), SensorCatalogue::default());
    let objects = [object, object];
    let game = GameState::default();
    let input = PlayerInput {
        robot: 0,
        elapsed_secs: 0.0,
        readings: Readings { catalogue: &catalogue, spans: &[], quantised: &[], stamp_secs: 0.0 },
        manipulators: &[],
        inbox: Inbox { records: &[], text: &[] },
        motion_data: &[],
        game: game.view(),
        view: WorldView::new(1, 0.0, &objects, &[]),
        noise: NoiseSeed::new(1).key(NoiseOwner::new("cheat"), 1),
    };
    let mut orders = Orders::default();
    player.sense_and_act(&mut Vec::new(), &input, &mut orders).unwrap();
    let mut speed_m_s = 0.0;
    let words = orders.iter().map(|order| match order.unwrap() {
        Order::PlaceBall { .. } => "place-ball",
        Order::PlaceRobot { .. } => "place-robot",
        Order::DriveTwist(twist) => {
            speed_m_s = twist.x_m_s;
            "drive"
        }
        Order::Say { text: "hello", .. } => "say",
        Order::End => "end",
        other => panic!("{other:?}"),
    });
    (words.collect(), speed_m_s, fence.refused().into_iter().collect())
}

fn zeroed() -> Object {
    bytemuck::Zeroable::zeroed()
}

/// CH4: what places is taken out and counted, wherever it stands; the rest is as it was given.
#[test]
fn a_team_places_nothing() {
    let (words, _, refused) = ordered(0, true);
    assert_eq!(words, ["drive", "say"]);
    let once = |what: &str| (what.to_owned(), 1);
    assert_eq!(refused, [once("end"), once("place-ball"), once("place-robot")]);
}

/// CH4: the world's own players are not behind the fence.
#[test]
fn others_are_as_they_were() {
    let (words, speed_m_s, refused) = ordered(1, false);
    assert_eq!(words, ["place-ball", "drive", "place-robot", "say", "end"]);
    assert_eq!((speed_m_s, refused.len()), (2.0, 0));
}

/// CH4: where the truth is hidden a team sees an empty world.
#[test]
fn the_truth_can_be_hidden() {
    assert_eq!(ordered(0, true).1, 2.0);
    assert_eq!(ordered(0, false).1, 0.0);
}
