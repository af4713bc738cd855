//! Instances behind the border as the simulation's instances.

use crate::call::{Function, GuardedReading, bad, enlarge, lend, past_the_reading, take};
use crate::check_answer;
use crate::handle::{Door, Handle, NoInstance, described, on_state, take_orders};
use crate::times::Identity;
use std::cell::Cell;
use touchline_plugin_api::abi::{
    Act, Buffer, GameView, Generate, Head, Judge, MotionAdvance, MotionReply, Prepare, QuantisedReply,
    SensorAdvance, SensorText, Slice, StateReply, View,
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
            command: Slice::of(input.command),
            data: Slice::of(input.data),
            achieved: input.achieved,
            twist: input.twist,
            noise: input.noise,
        };
        let mut reply = MotionReply {
            head: Head::of::<MotionReply>(),
            message: Buffer::NONE,
            state: Buffer::NONE,
            output: MotionOutput::default(),
        };
        on_state(self.handle.table, state, |state| {
            reply.state = lend(self.handle.table, state);
            let refit = |reply: &mut MotionReply| enlarge(self.handle.table, state, &mut reply.state);
            // SAFETY: the slices are borrowed, the buffer is the vector's memory.
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

    /// Says whose it is from now on, to who looks on.
    pub fn belongs_to(&mut self, owner: String) {
        self.handle.belongs_to(owner);
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

    fn serves_all(&self) -> bool {
        self.text.serves_all
    }

    fn is_deaf(&self) -> bool {
        self.text.deaf
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
            motion_data: Slice::of(input.motion_data),
            data: Slice::of(input.data),
            inbox_records: Slice::of(input.inbox.records),
            inbox_text: Slice::of(input.inbox.text),
            noise: input.noise,
        };
        on_state(self.handle.table, state, |state| {
            let mut reply = StateReply {
                head: Head::of::<StateReply>(),
                message: Buffer::NONE,
                state: lend(self.handle.table, state),
            };
            let refit = |reply: &mut StateReply| enlarge(self.handle.table, state, &mut reply.state);
            // SAFETY: the slices are borrowed, the buffer is the vector's memory.
            unsafe {
                self.handle.call(self.handle.table.advance_sensor, &input, &mut reply, refit)?;
                take(self.handle.table, state, &reply.state)
            }
        })
    }

    #[inline]
    fn generate(&self, state: &[u8], input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        self.generate_by(self.handle.table.generate, state, input, quantised)
    }

    fn generate_for_watcher(
        &self,
        state: &[u8],
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        self.generate_by(self.handle.for_watchers, state, input, quantised)
    }
}

thread_local! {
    // Where sensors write that nobody else guards.
    static SCRATCH: Cell<GuardedReading> = const { Cell::new(GuardedReading::NEW) };
}

impl Sensor {
    #[inline]
    fn generate_by(
        &self,
        function: Function<Generate, QuantisedReply>,
        state: &[u8],
        input: &SensorInput<'_>,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
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
            motion_data: Slice::of(input.motion_data),
            data: Slice::of(input.data),
            noise: input.noise,
            state: Slice::of(state),
        };
        if self.handle.table.checked_by_caller != 0 {
            return self.read_guarded(function, &input, quantised);
        }
        let len = expected as u64;
        let buffer = Buffer { ptr: quantised.as_mut_ptr(), len, cap: len, needed: 0 };
        // SAFETY: the buffer is a slice that comes filled with zeros.
        unsafe { self.read(function, &input, buffer) }
    }

    /// Reads into a buffer with a guard, then copies.
    #[inline(never)]
    fn read_guarded(
        &self,
        function: Function<Generate, QuantisedReply>,
        input: &Generate,
        quantised: &mut [u32],
    ) -> Result<(), Fault> {
        let mut scratch = SCRATCH.take();
        // SAFETY: the slices are borrowed, the buffer is the scratch's memory, which lives as long as the call.
        unsafe { self.read(function, input, scratch.lend(self.quantised)) }?;
        // Behind a call that failed the guard may be broken: the scratch was then dropped.
        let is_kept_to = scratch.take(quantised);
        SCRATCH.set(scratch);
        // A result that is made here need not be copied, which costs as much as a tenth of a small sensor's reading.
        if is_kept_to { Ok(()) } else { Err(past_the_reading(self.quantised)) }
    }

    /// # Safety
    /// Slices and buffer are valid; the buffer holds zeros, one for each integer of the layout.
    #[inline]
    unsafe fn read(
        &self,
        function: Function<Generate, QuantisedReply>,
        input: &Generate,
        buffer: Buffer<u32>,
    ) -> Result<(), Fault> {
        let expected = self.quantised;
        let mut reply =
            QuantisedReply { head: Head::of::<QuantisedReply>(), message: Buffer::NONE, quantised: buffer };
        let wrong = |given: u64| {
            bad(format!(
                "it gives {given} integers; its layout has {expected}: leave `quantised.len` as it came"
            ))
        };
        let refit = |_: &mut QuantisedReply| {
            Err(bad("it returned TL_BUFFER_TOO_SMALL; a sensor's reading never needs more room"))
        };
        // SAFETY: the caller's promise.
        unsafe { self.handle.call(function, input, &mut reply, refit) }?;
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
            spans: Slice::of(input.readings.spans),
            quantised: Slice::of(input.readings.quantised),
            manipulators: Slice::of(input.manipulators),
            inbox_records: Slice::of(input.inbox.records),
            inbox_text: Slice::of(input.inbox.text),
            motion_data: Slice::of(input.motion_data),
            game: GameView::of(&input.game),
            view: View::of(&input.view),
            noise: input.noise,
        };
        // SAFETY: the slices are borrowed.
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
            commands: Slice::of(input.commands),
            kicks: Slice::of(input.kicks),
            motion_data: Slice::of(input.motion_data),
            game: GameView::of(&input.game),
            noise: input.noise,
        };
        // SAFETY: the slices are borrowed.
        unsafe { take_orders(&self.handle, self.handle.table.prepare, &input, state, orders) }
    }

    fn judge(&self, state: &mut Vec<u8>, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let input = Judge {
            head: Head::of::<Judge>(),
            dt_secs: input.dt_secs,
            view: View::of(&input.view),
            contacts: Slice::of(input.contacts),
            waypoints: Slice::of(input.waypoints),
            motion_data: Slice::of(input.motion_data),
            game: GameView::of(&input.game),
            commands: Slice::of(input.commands.as_bytes()),
            noise: input.noise,
        };
        // SAFETY: the slices are borrowed.
        unsafe { take_orders(&self.handle, self.handle.table.judge, &input, state, orders) }
    }
}
