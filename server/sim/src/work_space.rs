//! What a step works in, and what no step depends on.

use crate::physics::{self, Touch};
use crate::shadow::Comparison;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{ManipulatorStatus, MessageRecord, ReadingSpan};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::referee::ContactRecord;

/// What is used again from step to step.
#[derive(Default)]
pub(crate) struct Scratch {
    pub touches: Vec<Touch>,
    pub contacts: Vec<ContactRecord>,
    pub orders: Orders,
    pub counts: Vec<u32>,
    pub spans: Vec<ReadingSpan>,
    pub manipulators: Vec<ManipulatorStatus>,
    pub inbox: Vec<MessageRecord>,
    pub inbox_text: Vec<u8>,
    pub faults: Vec<(usize, String, Fault)>,
    pub shadow_orders: Orders,
    pub comparisons: Vec<Arc<Comparison>>,
}

/// The memory that a step works in, and that no step depends on. Worlds that are stepped one after the other can share one: it
/// then stays in the processor's cache, and each world's own part of the memory is smaller.
#[derive(Default)]
pub struct WorkSpace {
    scratch: Scratch,
    physics: physics::WorkSpace,
}

impl World {
    /// Steps from now on in another work space than before; called again with the same, it gives that back.
    pub fn swap_work_space(&mut self, space: &mut WorkSpace) {
        std::mem::swap(&mut self.scratch, &mut space.scratch);
        self.state.physics.swap_work_space(&mut space.physics);
    }
}
