//! `DESCRIBE`: what a robot's numbers mean. [C7]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::{Reply, View, describe};
use touchline_gate::Verb;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_sim::RobotIdentity;

pub(super) const COMMAND: Command = Command {
    word: "DESCRIBE",
    parameters: "<robot>",
    verb: Verb::Sense,
    summary: "what a robot's motion commands, sensors and manipulators mean",
    details: &[ROBOT, "An integer n of a sensor's field stands for n * scale, in the field's unit."],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let robot = call.only_robot()?;
    let (shown, place) = call.described(&robot)?;
    let identity = &shown.frame.robots[place].identity;
    let team = identity.description.team.and_then(|team| call.gate().team_name(team));
    call.answer(description_reply(identity, team, &call.gate().factory().descriptions()))
}

/// The answer to `DESCRIBE` for a robot: of the team `team`, its sensors' plugins being among `plugins`.
pub fn description_reply(
    identity: &RobotIdentity,
    team: Option<&str>,
    plugins: &[PluginDescription],
) -> Reply {
    // A plugin's defaults hold where the robot file says nothing, also where they are "none".
    let default = |plugin: &str, key: &str| {
        let mut sensors = plugins.iter().filter(|known| known.kind == PluginKind::Sensor);
        sensors
            .find(|known| known.name == plugin)?
            .params_schema
            .get("properties")?
            .get(key)?
            .get("default")?
            .as_f64()
    };
    let view = |sensor: usize| {
        let spec = identity.spec.sensors.get(sensor);
        let number = |key: &str| {
            let choice = &spec?.choice;
            choice.params.get(key).map_or_else(|| default(&choice.plugin, key), serde_json::Value::as_f64)
        };
        let timing = spec.map(|spec| spec.timing).unwrap_or_default();
        View {
            field_of_view_rad: number("field_of_view_rad"),
            range_max_m: number("range_max_m"),
            rate_hz: timing.rate_hz,
            delay_s: (timing.delay_secs > 0.0).then_some(timing.delay_secs),
        }
    };
    let kicks = |manipulator: usize, state: usize| {
        let spec = identity.spec.manipulators.get(manipulator);
        spec.and_then(|spec| spec.states.get(state)).is_some_and(|state| state.kick.is_some())
    };
    describe(identity.number, team, &identity.description, view, kicks)
}
