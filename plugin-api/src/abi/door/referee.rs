//! A referee behind the table's functions.

use super::{PluginCrate, common_functions, create, give_orders, json, stored, table};
use crate::abi::guard::{drop_instance, filled, guarded, instance};
use crate::abi::spare::SpareOrders;
use crate::abi::{
    Create, Created, Instance, Judge, Nothing, OrdersReply, Prepare, Reply, StateReply, Table, Text, status,
};
use crate::game::GameDescription;
use crate::instance::{InProcess, RefereeInstance, with_saved};
use crate::plugin::{Fault, PluginDescription, PluginKind};
use crate::referee::{PrepareInput, Referee, RefereeInput};
use crate::state::State;
use std::marker::PhantomData;

/// The table of a referee plugin.
pub struct RefereeDoor<T, C>(PhantomData<(T, C)>);

/// A referee, with memory for its orders.
struct RefereeBox<T> {
    referee: InProcess<T, GameDescription>,
    orders: SpareOrders,
}

impl<T: Referee> RefereeBox<T> {
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.referee.initial_state()
    }
}

common_functions!(RefereeDoor, Referee, PluginKind::Referee, RefereeBox<T>);

impl<T: Referee, C: PluginCrate> RefereeDoor<T, C> {
    /// Functions by which the server calls the referee.
    pub const TABLE: Table = Table {
        prepare: Self::prepare,
        judge: Self::judge,
        ..table::<C>(PluginKind::Referee, Self::describe, Self::create, Self::destroy, Self::initial_state)
    };

    unsafe extern "C" fn create(_: *const Instance, input: *const Create, output: *mut Created) -> i32 {
        // SAFETY: as `Table` promises.
        unsafe {
            guarded(input, output, |input, output| {
                create(input, output, |params, setup| {
                    let referee = InProcess::<T, GameDescription>::referee(params, setup)?;
                    let description = json(referee.description());
                    Ok((RefereeBox { referee, orders: SpareOrders::new() }, description))
                })
            })
        }
    }

    unsafe extern "C" fn prepare(
        this: *const Instance,
        input: *const Prepare,
        output: *mut OrdersReply,
    ) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<RefereeBox<T>>(this)?;
                let input = PrepareInput {
                    dt_secs: input.dt_secs,
                    view: input.view.view(),
                    commands: input.commands.slice(),
                    kicks: input.kicks.slice(),
                    motion_data: input.motion_data.slice(),
                    game: input.game.game(),
                    noise: input.noise,
                };
                let mut state = T::State::load(stored(&output.state))?;
                let mut orders = this.orders.lend();
                this.referee.plugin.prepare(&mut state, &input, &mut orders)?;
                orders.check()?;
                with_saved(state, |bytes| give_orders(output, bytes, &orders))
            })
        }
    }

    unsafe extern "C" fn judge(this: *const Instance, input: *const Judge, output: *mut OrdersReply) -> i32 {
        // SAFETY: as `Table` promises; `create` made it of this type.
        unsafe {
            guarded(input, output, |input, output| {
                let this = instance::<RefereeBox<T>>(this)?;
                let input = RefereeInput {
                    dt_secs: input.dt_secs,
                    view: input.view.view(),
                    contacts: input.contacts.slice(),
                    waypoints: input.waypoints.slice(),
                    motion_data: input.motion_data.slice(),
                    game: input.game.game(),
                    commands: std::str::from_utf8(input.commands.slice())
                        .map_err(|_| Fault::new("the commands are not UTF-8"))?,
                    noise: input.noise,
                };
                let mut state = T::State::load(stored(&output.state))?;
                let mut orders = this.orders.lend();
                this.referee.plugin.judge(&mut state, &input, &mut orders)?;
                orders.check()?;
                with_saved(state, |bytes| give_orders(output, bytes, &orders))
            })
        }
    }
}
