//! `RESUME`: lets simulated time go on. [W6]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::{Control, Verb};

pub(super) const COMMAND: Command = Command {
    word: "RESUME",
    parameters: "",
    verb: Verb::Pause,
    summary: "lets simulated time go on",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    call.begin(Control::Resume)
}
