//! `PUSH`: readings at a period. [C4]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::{LONGEST_PERIOD_MS, bad, number};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "PUSH",
    parameters: "<robot> <period_ms>|off [selection]...",
    verb: Verb::Sense,
    summary: "sends sensors at a period, without being asked",
    details: &[ROBOT, "Each comes as a STATE block. A new PUSH for the same robot replaces the last one."],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut words = call.words()?;
    let robot = words.robot(call)?;
    let period = words.next("period_ms")?;
    if period == "off" && words.is_empty() {
        let (shown, place) = call.find(&robot)?;
        call.session().end_push(shown.frame.robots[place].identity.number);
        return call.answer(Reply::ok());
    }
    let period_ms = number("period_ms", &period)?;
    if !(1.0..=LONGEST_PERIOD_MS).contains(&period_ms) {
        return Err(bad("period_ms", period_ms, "between 1 and 3600000, or off").into());
    }
    let selection = words.selection()?;
    let (shown, place, selected) = call.select(&robot, &selection)?;
    let (number, now_us) = (shown.frame.robots[place].identity.number, call.push_clock_us(&shown));
    let reply = call.session().begin_push(number, selected, (period_ms * 1000.0) as u64, now_us);
    call.answer(reply)
}
