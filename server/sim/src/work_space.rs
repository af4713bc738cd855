//! What a step works in, and what no step depends on.

use crate::command::RobotNumber;
use crate::events::Message;
use crate::physics::{self, Touch};
use crate::shadow::Comparison;
use crate::view::Placed;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{DataRecord, ManipulatorStatus, ReadingSpan};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::radio::MessageRecord;
use touchline_plugin_api::referee::{ContactRecord, WaypointRecord};
use touchline_plugin_api::view::NONE;

/// What is used again from step to step.
#[derive(Default)]
pub(crate) struct Scratch {
    pub touches: Vec<Touch>,
    pub contacts: Vec<ContactRecord>,
    pub waypoints: Vec<WaypointRecord>,
    /// What the referee is told of the robots' motion data.
    pub referee_data: Vec<DataRecord>,
    pub orders: Orders,
    pub game: GameState,
    pub quantised: Vec<u32>,
    pub spans: Vec<ReadingSpan>,
    pub manipulators: Vec<ManipulatorStatus>,
    pub inbox: Vec<MessageRecord>,
    pub inbox_text: Vec<u8>,
    pub faults: Vec<(usize, String, Fault)>,
    pub shadow_orders: Orders,
    pub comparisons: Vec<Arc<Comparison>>,
}

impl Scratch {
    /// Lays the messages out that wait for a player, and empties its inbox; `robot` is its robot's number.
    pub fn fill_inbox(&mut self, robot: RobotNumber, inbox: &mut Vec<Arc<Message>>) {
        self.inbox.clear();
        self.inbox_text.clear();
        for message in inbox.drain(..) {
            let start = self.inbox_text.len() as u32;
            self.inbox_text.extend_from_slice(message.text.as_bytes());
            self.inbox.push(MessageRecord {
                from: message.from,
                start,
                len: message.text.len() as u32,
                channel: message.channel as u32,
                sender: message.sender as u32,
                from_team: message.from_team.unwrap_or(NONE),
                from_shirt: message.from_shirt.unwrap_or(NONE),
                reserved: 0,
                bearing_rad: message.bearing_rad(robot).unwrap_or(f64::INFINITY),
            });
        }
    }
}

/// The memory that a step works in, and that no step depends on. Worlds that are stepped one after the other can share one: it
/// then stays in the processor's cache, and each world's own part of the memory is smaller.
#[derive(Default)]
pub struct WorkSpace {
    scratch: Box<Scratch>,
    physics: physics::WorkPlace,
    placed: Option<Placed>,
}

impl World {
    /// Steps from now on in another work space than before; called again with the same, it gives that back.
    pub fn swap_work_space(&mut self, space: &mut WorkSpace) {
        std::mem::swap(&mut self.scratch, &mut space.scratch);
        self.state.physics.swap_work_space(&mut space.physics);
        self.state.view.swap_placed(&mut space.placed);
    }
}
