//! `ANNOTATE`: drawings and values that a client publishes. [mechanism 6]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::text_error;
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "ANNOTATE",
    parameters: "<robot> <key> <json>",
    verb: Verb::Drive,
    summary: "publishes a drawing or a value about a robot",
    details: &[ROBOT, "It replaces the last one under this key; the JSON value takes the rest of the line."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut scanner = call.scanner();
    let robot = call.next_robot(&mut scanner)?;
    let key = scanner.next_word().map_err(text_error)?.ok_or_else(|| call.missing("key"))?;
    let (key, value) = (key.text.into(), scanner.rest().to_owned());
    if value.is_empty() {
        return Err(call.missing("json").into());
    }
    let (published, place) = call.find_now(&robot)?;
    let robot = published.frame.robots[place].identity.number;
    call.begin(Action::Annotate { robot, key, value })
}
