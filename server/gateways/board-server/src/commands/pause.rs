//! `PAUSE`: stops simulated time. [W6]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::{Control, Verb};

pub(super) const COMMAND: Command = Command {
    word: "PAUSE",
    parameters: "",
    verb: Verb::Pause,
    summary: "stops simulated time",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    call.begin(Control::Pause)
}
