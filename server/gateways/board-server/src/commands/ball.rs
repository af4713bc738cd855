//! `BALL`: a ball is put somewhere.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_plugin_api::flight::Vertical;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "BALL",
    parameters: "<number> <x m> <y m> [<vx m/s> <vy m/s>] [z=<m>] [vz=<m/s>]",
    verb: Verb::Place,
    summary: "puts a ball somewhere",
    details: &["z is the height of its lowest point above the floor, vz how fast it rises; 0 if not given."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&["z", "vz"])?;
    let ball = params.integer("number")?;
    let position = params.numbers(["x m", "y m"])?;
    let velocity = if params.has_more() { params.numbers(["vx m/s", "vy m/s"])? } else { [0.0; 2] };
    let (z_m, speed_m_s) = (params.number_field("z")?, params.number_field("vz")?);
    params.end()?;
    let vertical = Vertical { z_m: z_m.unwrap_or_default(), speed_m_s: speed_m_s.unwrap_or_default() };
    call.begin(Action::PlaceBall { ball, position, velocity, vertical })
}
