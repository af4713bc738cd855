//! Instances behind the border as the simulation's instances.

use crate::call::{GuardedReading, bad, enlarge, lend, past_the_reading, take};
use crate::check_answer;
use crate::handle::{Door, Handle, NoInstance, described, on_state, take_orders};
use crate::times::Identity;
use std::cell::Cell;
use touchline_plugin_api::abi::{
    Act, GameView, Generate, Head, Judge, MotionAdvance, MotionReply, Prepare, QuantisedReply, Room,
    SensorAdvance, SensorText, Span, StateReply, View,
};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{MotionDescription, MotionInput, MotionOutput};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::PlayerInput;
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::referee::{PrepareInput, RefereeInput};
use touchline_plugin_api::sensor::{AdvanceInput, SensorDatum, SensorInput};

/// A motion model of a loaded library.
pub struct Motion {
    handle: Handle,
    description: MotionDescription,
    /// How many data it publishes.
    data: usize,
}

impl Motion {
    /// # Safety
    /// The functions of the door's table keep the promises of [`Table`](touchline_plugin_api::abi::Table).
    pub unsafe fn create(
        door: &Door<'_>,
        identity: Identity,
        params: &[u8],
        setup: &[u8],
    ) -> Result<Self, NoInstance> {
        // SAFETY: the caller's promise.
        let (handle, json) = unsafe { Handle::create(door, identity, params, setup) }?;
        let description = described(&json)?;
        check_answer::motion(&description).map_err(NoInstance::Failed)?;
        let data = description.data.len();
        Ok(Self { handle, description, data })
    }
}

impl MotionInstance for Motion {
    fn description(&self) -> &MotionDescription {
        &self.description
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.handle.initial_state()
    }

    fn advance_into(
        &self,
        state: &mut Vec<u8>,
        input: &MotionInput<'_>,
        output: &mut MotionOutput,
    ) -> Result<(), Fault> {
        let input = MotionAdvance {
            head: Head::of::<MotionAdvance>(),
            dt_secs: input.dt_secs,
            command: Span::of(input.command),
            data: Span::of(input.data),
            achieved: input.achieved,
            twist: input.twist,
            noise: input.noise,
        };
        let mut reply = MotionReply {
            head: Head::of::<MotionReply>(),
            message: Room::NONE,
            state: Room::NONE,
            output: MotionOutput::default(),
        };
        on_state(self.handle.table, state, |state| {
            reply.state = lend(self.handle.table, state);
            let refit = |reply: &mut MotionReply| enlarge(self.handle.table, state, &mut reply.state);
            // SAFETY: the spans are slices, the room is the vector's memory.
            unsafe {
                self.handle.call(self.handle.table.advance_motion, &input, &mut reply, refit)?;
                take(self.handle.table, state, &reply.state)?;
            }
            if self.handle.table.checked_by_caller != 0 {
                reply.output.check(self.data)?;
            }
            Ok(())
        })?;
        (output.twist, output.end_twist) = (reply.output.twist, reply.output.end_twist);
        for (place, datum) in output.data.iter_mut().zip(reply.output.data).take(self.data) {
            *place = datum;
        }
        Ok(())
    }
}

/// A sensor of a loaded library.
pub struct Sensor {
    handle: Handle,
    text: SensorText,
    quantised: usize,
}

impl Sensor {
    /// # Safety
    /// The functions of the door's table keep the promises of [`Table`](touchline_plugin_api::abi::Table).
    pub unsafe fn create(
        door: &Door<'_>,
        identity: Identity,
        params: &[u8],
        setup: &[u8],
    ) -> Result<Self, NoInstance> {
        // SAFETY: the caller's promise.
        let (handle, json) = unsafe { Handle::create(door, identity, params, setup) }?;
        let text: SensorText = described(&json)
            .map_err(|error| check_answer::unreadable_layout(&json).map_or(error, NoInstance::Failed))?;
        let quantised = check_answer::layout(&text.layout, handle.table.checked_by_caller != 0)
            .map_err(NoInstance::Failed)?;
        check_answer::sensor_data(&text.data).map_err(NoInstance::Failed)?;
        Ok(Self { handle, text, quantised })
    }
}

impl SensorInstance for Sensor {
    fn sensor_type(&self) -> &str {
        &self.text.sensor_type
    }

    fn layout(&self) -> &Layout {
        &self.text.layout
    }

    fn data(&self) -> &[SensorDatum] {
        &self.text.data
    }

    fn is_stateless(&self) -> bool {
        self.text.stateless
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.handle.initial_state()
    }

    fn advance(&self, state: &mut Vec<u8>, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        let input = SensorAdvance {
            head: Head::of::<SensorAdvance>(),
            dt_secs: input.dt_secs,
            displacement: input.displacement,
            twist: input.twist,
            pose: input.pose,
            motion_data: Span::of(input.motion_data),
            data: Span::of(input.data),
            noise: input.noise,
        };
        on_state(self.handle.table, state, |state| {
            let mut reply = StateReply {
                head: Head::of::<StateReply>(),
                message: Room::NONE,
                state: lend(self.handle.table, state),
            };
            let refit = |reply: &mut StateReply| enlarge(self.handle.table, state, &mut reply.state);
            // SAFETY: the spans are slices, the room is the vector's memory.
            unsafe {
                self.handle.call(self.handle.table.advance_sensor, &input, &mut reply, refit)?;
                take(self.handle.table, state, &reply.state)
            }
        })
    }

    fn generate(&self, state: &[u8], input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let expected = self.quantised;
        if quantised.len() != expected {
            return Err(Fault::new(format!(
                "asked for {} integers; its layout has {expected}",
                quantised.len()
            )));
        }
        let input = Generate {
            head: Head::of::<Generate>(),
            view: View::of(&input.view),
            robot: input.robot,
            robot_object: input.robot_object,
            robot_pose: input.robot_pose,
            robot_twist: input.robot_twist,
            sensor_pose: input.sensor_pose,
            sensor_z_m: input.sensor_z_m,
            motion_data: Span::of(input.motion_data),
            data: Span::of(input.data),
            noise: input.noise,
            state: Span::of(state),
        };
        if self.handle.table.checked_by_caller != 0 {
            return self.read_guarded(&input, quantised);
        }
        let len = expected as u64;
        let room = Room { ptr: quantised.as_mut_ptr(), len, cap: len, needed: 0 };
        // SAFETY: the room is a slice that comes filled with zeros.
        unsafe { self.read(&input, room) }
    }
}

thread_local! {
    // Where sensors write that nobody else guards.
    static SCRATCH: Cell<GuardedReading> = const { Cell::new(GuardedReading::NEW) };
}

impl Sensor {
    /// Reads into a room with a guard, then copies.
    #[inline(never)]
    fn read_guarded(&self, input: &Generate, quantised: &mut [u32]) -> Result<(), Fault> {
        let mut scratch = SCRATCH.take();
        // SAFETY: the spans are slices, the room is the scratch's memory, which lives as long as the call.
        unsafe { self.read(input, scratch.lend(self.quantised)) }?;
        // Behind a call that failed the guard may be broken: the scratch was then dropped.
        let is_kept_to = scratch.take(quantised);
        SCRATCH.set(scratch);
        // A result that is made here need not be copied, which costs as much as a tenth of a small sensor's reading.
        if is_kept_to { Ok(()) } else { Err(past_the_reading(self.quantised)) }
    }

    /// # Safety
    /// Spans and room are valid; the room holds zeros, one for each integer of the layout.
    #[inline]
    unsafe fn read(&self, input: &Generate, room: Room<u32>) -> Result<(), Fault> {
        let expected = self.quantised;
        let mut reply =
            QuantisedReply { head: Head::of::<QuantisedReply>(), message: Room::NONE, quantised: room };
        let wrong = |given: u64| {
            bad(format!(
                "it gives {given} integers; its layout has {expected}: leave `quantised.len` as it came"
            ))
        };
        let refit = |_: &mut QuantisedReply| {
            Err(bad("it returned TL_MORE_ROOM; a sensor's reading never needs more room"))
        };
        // SAFETY: the caller's promise.
        unsafe { self.handle.call(self.handle.table.generate, input, &mut reply, refit) }?;
        if reply.quantised.len == expected as u64 { Ok(()) } else { Err(wrong(reply.quantised.len)) }
    }
}

/// A player of a loaded library.
pub struct Player {
    handle: Handle,
    wanted: Vec<usize>,
}

impl Player {
    /// `sensors` is how many the robot has.
    ///
    /// # Safety
    /// The functions of the door's table keep the promises of [`Table`](touchline_plugin_api::abi::Table).
    pub unsafe fn create(
        door: &Door<'_>,
        identity: Identity,
        params: &[u8],
        setup: &[u8],
        sensors: usize,
    ) -> Result<Self, NoInstance> {
        // SAFETY: the caller's promise.
        let (handle, json) = unsafe { Handle::create(door, identity, params, setup) }?;
        let wanted: Vec<usize> = described(&json)?;
        check_answer::wanted(&wanted, sensors).map_err(NoInstance::Failed)?;
        Ok(Self { handle, wanted })
    }
}

impl PlayerInstance for Player {
    fn wanted_sensors(&self) -> &[usize] {
        &self.wanted
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.handle.initial_state()
    }

    fn sense_and_act(
        &self,
        state: &mut Vec<u8>,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let input = Act {
            head: Head::of::<Act>(),
            robot: input.robot,
            reserved: 0,
            elapsed_secs: input.elapsed_secs,
            stamp_secs: input.readings.stamp_secs,
            spans: Span::of(input.readings.spans),
            quantised: Span::of(input.readings.quantised),
            manipulators: Span::of(input.manipulators),
            inbox_records: Span::of(input.inbox.records),
            inbox_text: Span::of(input.inbox.text),
            motion_data: Span::of(input.motion_data),
            game: GameView::of(&input.game),
            view: View::of(&input.view),
            noise: input.noise,
        };
        // SAFETY: the spans are slices.
        unsafe { take_orders(&self.handle, self.handle.table.act, &input, state, orders) }
    }
}

/// A referee of a loaded library.
pub struct Referee {
    handle: Handle,
    description: GameDescription,
}

impl Referee {
    /// # Safety
    /// The functions of the door's table keep the promises of [`Table`](touchline_plugin_api::abi::Table).
    pub unsafe fn create(
        door: &Door<'_>,
        identity: Identity,
        params: &[u8],
        setup: &[u8],
    ) -> Result<Self, NoInstance> {
        // SAFETY: the caller's promise.
        let (handle, json) = unsafe { Handle::create(door, identity, params, setup) }?;
        // One that says nothing of the game knows one phase.
        let description: Option<GameDescription> = described(&json)?;
        let description = description.unwrap_or_default();
        check_answer::game(&description).map_err(NoInstance::Failed)?;
        Ok(Self { handle, description })
    }
}

impl RefereeInstance for Referee {
    fn description(&self) -> &GameDescription {
        &self.description
    }

    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.handle.initial_state()
    }

    fn prepare(
        &self,
        state: &mut Vec<u8>,
        input: &PrepareInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let input = Prepare {
            head: Head::of::<Prepare>(),
            dt_secs: input.dt_secs,
            view: View::of(&input.view),
            commands: Span::of(input.commands),
            kicks: Span::of(input.kicks),
            motion_data: Span::of(input.motion_data),
            game: GameView::of(&input.game),
            noise: input.noise,
        };
        // SAFETY: the spans are slices.
        unsafe { take_orders(&self.handle, self.handle.table.prepare, &input, state, orders) }
    }

    fn judge(&self, state: &mut Vec<u8>, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let input = Judge {
            head: Head::of::<Judge>(),
            dt_secs: input.dt_secs,
            view: View::of(&input.view),
            contacts: Span::of(input.contacts),
            motion_data: Span::of(input.motion_data),
            game: GameView::of(&input.game),
            commands: Span::of(input.commands.as_bytes()),
            noise: input.noise,
        };
        // SAFETY: the spans are slices.
        unsafe { take_orders(&self.handle, self.handle.table.judge, &input, state, orders) }
    }
}
