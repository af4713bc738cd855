//! `SAY`: the radio.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::{bad, text_error};
use touchline_gate::Verb;
use touchline_plugin_api::radio::Channel;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "SAY",
    parameters: "<robot> [channel=all|team] <text>",
    verb: Verb::Drive,
    summary: "says something by radio, to all others or to its own team",
    details: &[ROBOT, "A text that itself begins with channel= stands in quotes."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut scanner = call.scanner();
    let robot = call.next_robot(&mut scanner)?;
    let rest = scanner.rest().trim_start_matches([' ', '\t']);
    let mut channel = Channel::All;
    if let Some(after) = rest.strip_prefix("channel=") {
        let word = after.split([' ', '\t']).next().unwrap_or_default();
        let known = Channel::ALL.into_iter().find(|channel| channel.as_str() == word);
        channel = known.ok_or_else(|| bad("channel", word, "all or team"))?;
        // What was just looked at.
        let _ = scanner.next_word();
    }
    let text = scanner.rest_text().map_err(text_error)?;
    if text.is_empty() {
        return Err(call.missing("text").into());
    }
    let robot = call.number_of(&robot)?;
    call.begin(match channel {
        Channel::All => Action::Say(robot, text.into()),
        Channel::Team => Action::SayToTeam(robot, text.into()),
    })
}
