//! What plugins say, and what is said of them, is kept in part: no text of theirs fills the memory. (P6, G1)

use crate::common::teams::coach;
use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{InProcess, PlayerInstance, RefereeInstance};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::*;
use touchline_sim::{EventKind, MakeError, PluginFactory, World};

/// As long as a text of the tests is, bytes.
const LONG: usize = 1 << 20;
/// So much is kept of a fault's text, with its plugin's name, bytes.
const MOST_OF_FAULT: usize = 1300;
/// So much is kept of what a referee says, bytes.
const MOST_OF_TEXT: usize = 65_536;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Way {
    way: String,
}

/// Says too much, in the way that it is told to.
struct Wordy(Way);

fn long(of: &str) -> String {
    of.repeat(LONG / of.len())
}

fn say(way: &str, orders: &mut Orders) -> Result<(), Fault> {
    match way {
        "key" => orders.annotate(&long("\u{1}"), &serde_json::json!(1)),
        "value" => orders.annotate("key", &serde_json::json!(long("x"))),
        "reported" => return Err(Fault::new(long("é"))),
        "rule" => orders.rule(&long("x"), &serde_json::json!(1)),
        "ruling" => orders.rule("spawn-ball", &serde_json::json!({ long("x"): 1 })),
        "event" => orders.event(&long("X"), None, ""),
        "measure" => orders.measure(&long("X"), 1.0, "m"),
        "exchange" => orders.exchange_player(0, &long("x"), &serde_json::json!({}), None),
        "announce" => orders.announce(&long("é")),
        "event text" => orders.event("data-long", None, &long("x")),
        "unit" => orders.measure("way", 1.0, &long("m")),
        "tell" => orders.tell(0, &long("x")),
        other => return Err(Fault::new(format!("unknown way: {other}"))),
    }
    Ok(())
}

impl Player for Wordy {
    const NAME: &'static str = "wordy";
    const SUMMARY: &'static str = "says too much";
    type Params = Way;
    type State = Stateless;
    fn new(way: Way, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self(way))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![]
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        _: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        say(&self.0.way, orders)
    }
}

impl Referee for Wordy {
    const NAME: &'static str = "wordy";
    const SUMMARY: &'static str = "says too much";
    type Params = Way;
    type State = Stateless;
    fn new(way: Way, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(way))
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, _: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        say(&self.0.way, orders)
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }
    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        if choice.plugin != "wordy" {
            return TestFactory.player(choice, setup);
        }
        Ok(Arc::new(InProcess::<Wordy, _>::player(&choice.params, setup).unwrap()))
    }
    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Wordy, _>::referee(&choice.params, setup).unwrap()))
    }
}

fn wordy(way: &str) -> PluginChoice {
    PluginChoice::new("wordy", serde_json::json!({ "way": way }))
}

fn player(way: &str) -> PlayerChoice {
    PlayerChoice { choice: wordy(way), period_secs: 0.01 }
}

/// A robot after two steps of such a world.
fn stepped(change: impl FnOnce(&mut Scenario)) -> World {
    let spec = Arc::new(disc_robot());
    let robot =
        RobotPlacement { name: "r".into(), team: Some(0), spec, pose: Some(Pose2::ORIGIN), player: None };
    let mut scenario = Scenario { robots: vec![robot], ..empty_scenario() };
    change(&mut scenario);
    let mut world = World::new(scenario, Arc::new(Factory)).unwrap();
    (0..2).for_each(|_| drop(world.step(&[])));
    world
}

fn fault(world: &World) -> String {
    let mut faults = world.events().filter_map(|event| match &event.kind {
        EventKind::Fault { message, .. } => Some(message.clone()),
        _ => None,
    });
    faults.next_back().expect("it is stopped")
}

/// P6: the text of a robot's player is cut, in the event and where the robot is looked at; who reads it still learns what was wrong.
#[test]
fn what_is_kept_of_a_players_fault_is_bounded() {
    for (way, tells) in [
        ("key", "control characters"),
        ("value", "at most 8192 bytes"),
        ("reported", "éé"),
        ("rule", "only a referee"),
    ] {
        let world = stepped(|scenario| scenario.robots[0].player = Some(player(way)));
        let message = fault(&world);
        assert!(message.len() <= MOST_OF_FAULT, "{way}: {} bytes", message.len());
        assert!(message.contains(tells), "{way}: {message}");
        let shown = world.frame().robots[0].fault.clone().unwrap();
        assert!(
            shown.len() <= MOST_OF_FAULT && shown.starts_with("player \"wordy\": "),
            "{way}: {} bytes",
            shown.len()
        );
    }
}

/// P6: the same of a team's player.
#[test]
fn what_is_kept_of_a_coachs_fault_is_bounded() {
    for (way, tells) in [("rule", "cannot order"), ("reported", "éé"), ("exchange", "no player to exchange")]
    {
        let player =
            TeamPlayer { player: player(way), ..coach("boss", Sees::Nothing, serde_json::json!({})) };
        let world = stepped(|scenario| scenario.teams[0].players = vec![player]);
        let (message, shown) = (fault(&world), world.frame().team_players[0].fault.clone().unwrap());
        assert!(
            message.len() <= MOST_OF_FAULT && shown.len() <= MOST_OF_FAULT,
            "{way}: {} bytes",
            message.len()
        );
        assert!(message.contains(tells), "{way}: {message}");
    }
}

/// P6: the same of a referee.
#[test]
fn what_is_kept_of_a_referees_fault_is_bounded() {
    let ways = [
        ("key", "control characters"),
        ("reported", "éé"),
        ("rule", "there are spawn-ball"),
        ("ruling", "unknown field"),
        ("event", "allowed are 1 to 64"),
        ("measure", "allowed are 1 to 64"),
        ("exchange", "there are"),
    ];
    for (way, tells) in ways {
        let world = stepped(|scenario| {
            scenario.referee = Some(wordy(way));
            scenario.robots[0].player = Some(PlayerChoice {
                choice: PluginChoice::new("wordy", serde_json::json!({ "way": "reported" })),
                period_secs: 10.0,
            });
        });
        let message = fault(&world);
        assert!(message.len() <= MOST_OF_FAULT, "{way}: {} bytes", message.len());
        assert!(message.contains(tells), "{way}: {message}");
    }
}

/// G1: what a referee says is kept in part: its beginning, cut where a character ends.
#[test]
fn what_is_kept_of_a_referees_words_is_bounded() {
    for way in ["announce", "event text", "unit", "tell"] {
        let world = stepped(|scenario| scenario.referee = Some(wordy(way)));
        let texts = world.events().filter_map(|event| match &event.kind {
            EventKind::Announcement(text) | EventKind::Game { text, .. } => Some(text.clone()),
            EventKind::Measure { unit, .. } => Some(unit.clone()),
            _ => None,
        });
        let frame = world.frame();
        let told = frame.messages.iter().map(|message| message.text.clone());
        let texts: Vec<String> = texts.chain(told).collect();
        assert_eq!(texts.len(), 2, "{way}: one in each step");
        for text in texts {
            let is_kept = (MOST_OF_TEXT - 8..=MOST_OF_TEXT).contains(&text.len());
            assert!(is_kept, "{way}: {} bytes", text.len());
        }
    }
}
