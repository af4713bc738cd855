//! A player behind the table's functions.

use super::{PluginCrate, common_functions, create, give_orders, json, stored, table};
use crate::abi::guard::{drop_instance, filled, guarded, instance};
use crate::abi::spare::SpareOrders;
use crate::abi::{
    Act, Create, Created, Instance, Nothing, OrdersReply, Reply, StateReply, Table, Text, status,
};
use crate::container::SensorCatalogue;
use crate::instance::{InProcess, PlayerInstance, with_saved};
use crate::player::{Player, PlayerInput, PlayerSetup, Readings};
use crate::plugin::{Fault, PluginDescription, PluginKind};
use crate::radio::Inbox;
use crate::state::State;
use std::marker::PhantomData;

/// The table of a player plugin.
pub struct PlayerDoor<T, C>(PhantomData<(T, C)>);

/// A player, with the catalogue that its setup told.
struct PlayerBox<T> {
    player: InProcess<T, Vec<usize>>,
    catalogue: SensorCatalogue,
    orders: SpareOrders,
}

impl<T: Player> PlayerBox<T> {
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.player.initial_state()
    }
}

common_functions!(PlayerDoor, Player, PluginKind::Player, PlayerBox<T>);

impl<T: Player, C: PluginCrate> PlayerDoor<T, C> {
    /// Functions by which the server calls the player.
    pub const TABLE: Table = Table {
        act: Self::act,
        ..table::<C>(PluginKind::Player, Self::describe, Self::create, Self::destroy, Self::initial_state)
    };

    unsafe extern "C" fn create(_: *const Instance, input: *const Create, output: *mut Created) -> i32 {
        // SAFETY: as `Table` promises.
        unsafe {
            guarded(input, output, |input, output| {
                create(input, output, |params, setup: &PlayerSetup| {
                    let player = InProcess::<T, Vec<usize>>::player(params, setup)?;
                    let description = json(player.wanted_sensors());
                    let catalogue = setup.robot.sensors.clone();
                    Ok((PlayerBox { player, catalogue, orders: SpareOrders::new() }, description))
                })
            })
        }
    }

    unsafe extern "C" fn act(this: *const Instance, input: *const Act, output: *mut OrdersReply) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<PlayerBox<T>>(this)?;
                let input = PlayerInput {
                    robot: input.robot,
                    elapsed_secs: input.elapsed_secs,
                    readings: Readings {
                        catalogue: &this.catalogue,
                        spans: input.spans.slice(),
                        quantised: input.quantised.slice(),
                        stamp_secs: input.stamp_secs,
                    },
                    manipulators: input.manipulators.slice(),
                    inbox: Inbox { records: input.inbox_records.slice(), text: input.inbox_text.slice() },
                    motion_data: input.motion_data.slice(),
                    game: input.game.game(),
                    view: input.view.view(),
                    noise: input.noise,
                };
                let mut state = T::State::load(stored(&output.state))?;
                let mut orders = this.orders.lend();
                this.player.plugin.sense_and_act(&mut state, &input, &mut orders)?;
                orders.check()?;
                with_saved(state, |bytes| give_orders(output, bytes, &orders))
            })
        }
    }
}
