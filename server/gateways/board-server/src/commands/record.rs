//! `RECORD`: recordings begin, end, and are saved.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::bad;
use touchline_gate::{RecordOrder, Request, Verb};

pub(super) const COMMAND: Command = Command {
    word: "RECORD",
    parameters: "start|stop|save [name]",
    verb: Verb::Record,
    summary: "begins or ends a recording, or saves the last 20 s as one",
    details: &["The file is made where the server was told to; without a name it gets one."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let word = params.text("what")?;
    let order = match word.to_ascii_lowercase().as_str() {
        "start" => RecordOrder::Start,
        "stop" => RecordOrder::Stop,
        "save" => RecordOrder::Save,
        _ => return Err(bad("what", &word, "start, stop or save").into()),
    };
    let name = if order == RecordOrder::Stop { None } else { params.next() };
    params.end()?;
    call.begin(Request::Record { order, name })
}
