//! `RESUME`: lets simulated time go on. [W6]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Role;
use touchline_gate::Control;

pub(super) const COMMAND: Command = Command {
    word: "RESUME",
    parameters: "",
    role: Role::Operator,
    summary: "lets simulated time go on",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    call.begin(Control::Resume)
}
