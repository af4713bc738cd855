//! The keepers of keepaway as an agent's task: what the left team's players do, by the option that the agent has chosen.

use crate::game::{Game, Player};
use crate::memory::Seat;
use crate::scenes::scene;
use touchline_plugin_api::referee::CommandRecord;
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::face::{BodyCommand, Side};
use touchline_soccer_team::keepaway::{Choice, keeper};

/// The keepers' commands; none where nobody chooses.
pub fn commands(game: &Game<'_>, commands: &[CommandRecord]) -> Vec<(Seat, BodyCommand)> {
    let law = game.law;
    let is_on = law.server.keepaway && law.keepaway.chooser > 0 && game.mode() == PlayMode::PLAY_ON;
    let chooser = Seat::new(Side::Left, law.keepaway.chooser);
    let Some(robot) = game.player(chooser).filter(|_| is_on).map(|player| player.memory.robot) else {
        return Vec::new();
    };
    let record = commands.iter().find(|record| record.robot == robot);
    let choice = Choice::of_option(record.map_or(-1.0, |record| record.values[BodyCommand::OPTION]));
    let half_m = [law.server.keepaway_length / 2.0, law.server.keepaway_width / 2.0];
    let keepers = game.present().filter(|player| player.side() == Side::Left);
    let command = |player: &Player<'_>| (player.seat(), keeper(&scene(game, player), half_m, choice));
    keepers.map(command).collect()
}
