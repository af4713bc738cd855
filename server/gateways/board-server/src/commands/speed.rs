//! `SPEED`: how fast time goes. [W6]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::{BadLine, bad};
use touchline_gate::{Control, Speed, Verb};

pub(super) const COMMAND: Command = Command {
    word: "SPEED",
    parameters: "<factor>|max|lockstep",
    verb: Verb::Speed,
    summary: "sets how fast simulated time goes",
    details: &["A recording runs backwards with a factor below 0."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let speed = speed(&params.text("speed")?)?;
    params.end()?;
    call.begin(Control::Speed(speed))
}

fn speed(word: &str) -> Result<Speed, BadLine> {
    match word {
        "max" => Ok(Speed::Max),
        "lockstep" => Ok(Speed::Lockstep),
        word => match word.parse::<f64>() {
            Ok(factor) if factor.is_finite() && factor != 0.0 => Ok(Speed::Factor(factor)),
            _ => Err(bad("speed", word, "a number other than 0, max or lockstep")),
        },
    }
}
