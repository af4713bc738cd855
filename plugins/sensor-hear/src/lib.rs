//! What a player of the RoboCup Soccer Server hears: one message of each team a cycle, and that others have spoken. \[P3\]
//!
//! Who hears what is decided by the function that the server's protocol uses ([`touchline_soccer_law::hearing`]); what reaches the ears at all is the
//! world's radio. Chance is keyed by robot and step. A player does not hear itself.

#![forbid(unsafe_code)]

mod layout;
mod params;

pub use params::HearParams;

use layout::Rows;
use serde::{Deserialize, Serialize};
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::radio::{Heard as Message, Sender};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorDatum, SensorInput, SensorSetup};
use touchline_plugin_api::state::Encoded;
use touchline_plugin_api::view::NONE;
use touchline_soccer_law::face::{Side, TEAM_SIZE};
use touchline_soccer_law::hearing::{EarPart, Ears, Heard, take_next};

/// The sensor.
pub struct Hear {
    params: HearParams,
    /// `None` for a robot of no team: it hears nothing.
    side: Option<Side>,
    layout: Layout,
    rows: Rows,
}

/// What was heard in the last cycle, and what the ears still have room for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    capacity: [i32; 2],
    heard: Vec<Row>,
}

/// One message, as it is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the robot that spoke; [`NONE`] for who is none.
    from: u32,
    whose: Whose,
    /// 1 to 11, where it is told.
    unum: Option<u32>,
    /// `None`: that somebody has spoken.
    text: Option<String>,
}

/// Who speaks, to one who hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Whose {
    Mate = 1,
    Opponent = 2,
    Coach = 3,
    Referee = 4,
}

/// A player, as ears tell it from others.
type Player = (Side, Option<u32>);

impl Sensor for Hear {
    const NAME: &'static str = "hear";
    const SUMMARY: &'static str = "What a player of the RoboCup Soccer Server hears.";
    const TYPE: &'static str = "soccer-hearing";
    const SERVES_ALL: bool = true;
    type Params = HearParams;
    type State = Encoded<Memory>;

    fn new(params: HearParams, setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let feature = layout::feature(&params);
        let rows = Rows::of(&feature)?;
        let side = setup.team.and_then(Side::of_team);
        Ok(Self { params, side, layout: Layout { features: vec![feature] }, rows })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn data(&self) -> Vec<SensorDatum> {
        let team = TEAM_SIZE as f64;
        let datum = |name: &str, initial, [min, max]: [f64; 2]| SensorDatum {
            name: name.into(),
            unit: "1".into(),
            initial,
            min,
            max,
        };
        let switch = |name, initial| datum(name, initial, [0.0, 1.0]);
        // As the ears of who plays over the network begin.
        vec![
            datum("attention", 0.0, [-team, team]),
            switch("own-complete", 1.0),
            switch("own-partial", 0.0),
            switch("other-complete", 1.0),
            switch("other-partial", 0.0),
        ]
    }

    fn initial_state(&self) -> Encoded<Memory> {
        Encoded(Memory { capacity: [self.params.server.hear_max; 2], heard: Vec::new() })
    }

    fn advance(&self, state: &mut Encoded<Memory>, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        let &[attention, own_complete, own_partial, other_complete, other_partial] = input.data else {
            return Err(Fault::new("expected the data of the description"));
        };
        let memory = &mut state.0;
        memory.heard.clear();
        let Some(side) = self.side else { return Ok(()) };
        let server = &self.params.server;
        let mut ears = Ears::new(server);
        ears.capacity = memory.capacity;
        for (of, [complete, partial]) in
            [(side, [own_complete, own_partial]), (side.opposite(), [other_complete, other_partial])]
        {
            ears.set(complete >= 0.5, Some(of), Some(EarPart::Complete));
            ears.set(partial >= 0.5, Some(of), Some(EarPart::Partial));
        }
        ears.recover(server);
        let mut waiting =
            self.sort(&input.inbox.messages().collect::<Vec<_>>(), side, &ears, &mut memory.heard);
        let attention = listened_to(attention, side);
        let mut noise = input.noise.stream();
        while let Some((from, message)) = take_next(&mut waiting, attention.as_ref(), &mut noise) {
            if let Some(heard) = ears.hear(side, from.0, server) {
                memory.heard.push(self.row(side, from, &message, heard));
            }
        }
        // What was said comes before that something was said, so that it finds a row.
        memory.heard.sort_by_key(|row| row.text.is_none());
        memory.heard.truncate(self.params.messages as usize);
        memory.capacity = ears.capacity;
        Ok(())
    }

    fn generate(
        &self,
        state: &Encoded<Memory>,
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        self.rows.clear(quantised);
        for (place, row) in state.0.heard.iter().enumerate() {
            let told = row.text.is_some() && row.from != NONE;
            let direction_rad = if told { bearing_rad(row.from, input) } else { None };
            self.rows.write(quantised, place, row, direction_rad);
        }
        Ok(())
    }
}

impl Hear {
    /// What ears have to choose among; coaches and the referee are heard whatever else is said.
    fn sort<'a>(
        &self,
        messages: &[Message<'a>],
        side: Side,
        ears: &Ears,
        heard: &mut Vec<Row>,
    ) -> Vec<(Player, Message<'a>)> {
        let mut waiting = Vec::new();
        for message in messages {
            let from = message.from_team.and_then(Side::of_team);
            match (message.sender, from) {
                (Sender::Referee, _) => heard.push(self.loud(Whose::Referee, message)),
                (Sender::TeamPlayer, Some(from)) if from == side => {
                    heard.push(self.loud(Whose::Coach, message));
                }
                (Sender::Robot, Some(from)) if ears.listen_to(from) => {
                    waiting.push(((from, message.from_shirt), *message));
                }
                _ => {}
            }
        }
        waiting
    }

    fn loud(&self, whose: Whose, message: &Message<'_>) -> Row {
        Row { from: NONE, whose, unum: None, text: Some(self.cut(message.text)) }
    }

    /// Of an opponent it is not told who it is, nor where one is whose words are not heard.
    fn row(&self, side: Side, (from, unum): Player, message: &Message<'_>, heard: Heard) -> Row {
        let (whose, unum) = if from == side { (Whose::Mate, unum) } else { (Whose::Opponent, None) };
        let text = (heard == Heard::Whole).then(|| self.cut(message.text));
        Row { from: message.from, whose, unum, text }
    }

    fn cut(&self, text: &str) -> String {
        let end = (0..=self.params.text_bytes as usize).rev().find(|&end| text.is_char_boundary(end));
        text.get(..end.unwrap_or(0)).unwrap_or(text).to_owned()
    }
}

/// Whom the datum names: a mate by its number, an opponent by its number below zero.
fn listened_to(attention: f64, side: Side) -> Option<Player> {
    let number = libm::rint(attention);
    let of = if number > 0.0 { side } else { side.opposite() };
    (number != 0.0).then_some((of, Some(number.abs() as u32)))
}

/// Where somebody is now, from the robot's body, radians; `None` if it has gone.
fn bearing_rad(from: u32, input: &SensorInput<'_>) -> Option<f64> {
    let speaker = input.view.robots().find(|robot| robot.number == from)?;
    let (dx, dy) = (speaker.pose.x_m - input.robot_pose.x_m, speaker.pose.y_m - input.robot_pose.y_m);
    let (sin, cos) = sin_cos(input.robot_pose.theta_rad);
    Some(libm::atan2(cos * dy - sin * dx, cos * dx + sin * dy))
}

touchline_plugin_api::export_sensor!(Hear);

#[cfg(test)]
mod tests;
