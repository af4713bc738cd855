//! The bodies that agents decide for: a high-level action becomes the command by which our team would do it.

use crate::game::Game;
use crate::memory::Seat;
use crate::scenes::{mover, scene};
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::referee::CommandRecord;
use touchline_soccer_law::face::{AgentCommand, BodyCommand, HighLevel};
use touchline_soccer_team::Frame;
use touchline_soccer_team::half_field::act;

const AGENT: usize = AgentCommand::DIMENSIONS.len();
const BODY: usize = BodyCommand::DIMENSIONS.len();

/// What a record says of a body, and its neck's turn; which form it has is told by its length. `None` for a command of another model.
pub fn command(game: &Game<'_>, seat: Seat, record: &CommandRecord) -> Option<(BodyCommand, f64)> {
    let numbers: &[f64; MAX_DIMENSIONS] = &record.values;
    match record.len as usize {
        BODY => numbers.first_chunk().map(BodyCommand::from_numbers),
        AGENT => {
            let (decided, turn_neck_rad) = numbers.first_chunk().map(AgentCommand::from_numbers)?;
            let command = match decided {
                AgentCommand::Body(command) => command,
                AgentCommand::High(action, target) => high_level(game, seat, action, target),
            };
            Some((command, turn_neck_rad))
        }
        _ => None,
    }
}

/// A target is a uniform number, as sensors tell it.
fn high_level(game: &Game<'_>, seat: Seat, action: HighLevel, target: u32) -> BodyCommand {
    let Some(player) = game.player(seat).filter(|_| action != HighLevel::None) else {
        return BodyCommand::None;
    };
    let of = if action == HighLevel::Mark { seat.side().opposite() } else { seat.side() };
    let frame = Frame::of(seat.side());
    let target = game.present().find(|other| other.seat() == Seat::new(of, target));
    let target = target.filter(|other| other.seat() != seat).map(|other| mover(other, frame));
    act(&scene(game, player), action, target)
}
