//! `HEAR`: radio messages, numbered.

use super::{Command, ROBOT, Run, tidy};
use crate::call::{Begun, Call, Refused};
use crate::params::bad;
use touchline_board::Reply;
use touchline_gate::Verb;
use touchline_sim::Message;

pub(super) const COMMAND: Command = Command {
    word: "HEAR",
    parameters: "<robot> [since=<number>] [said=1]",
    verb: Verb::Sense,
    summary: "the radio messages that a robot heard, or, with said=1, those that it said",
    details: &[
        ROBOT,
        "Give the next= of the last answer as since= of the next question, and you miss nothing.",
        "dropped= counts what was lost on its channels because there was more than they carry.",
    ],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&["since", "said"])?;
    let robot = params.robot(call)?;
    let since = params.since()?;
    let said = match params.field("said").as_deref() {
        None | Some("0") => false,
        Some("1") => true,
        Some(other) => return Err(bad("said", other, "0 or 1").into()),
    };
    params.end()?;
    let (shown, place) = call.sensed(&robot)?;
    let robot = shown.frame.robots[place].identity.number;
    let fits = |message: &Message| {
        if said { message.from == robot } else { message.heard_by.binary_search(&robot).is_ok() }
    };
    let team = shown.frame.robots[place].identity.description.team;
    let mut reply = Reply::block()
        .with("next", shown.frame.next_message)
        .with("dropped", shown.frame.messages_dropped.heard_by(team));
    for message in shown.frame.messages.iter().filter(|message| message.number >= since && fits(message)) {
        reply.push("MESSAGE", |line| {
            line.word(message.number)
                .field("step", message.step)
                .field("from", message.from)
                .field("name", &message.from_name)
                .field("channel", message.channel.as_str())
                .some("bearing_rad", message.bearing_rad(robot).map(tidy))
                .quoted(&message.text)
        });
    }
    call.answer(reply)
}
