//! The keepers of keepaway as an agent's task: what the left team's players do, by the option that the agent has chosen.

use crate::game::{Game, Player};
use crate::memory::Seat;
use touchline_plugin_api::referee::CommandRecord;
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::face::{BodyCommand, Side};
use touchline_soccer_team::keepaway::{Choice, keeper};
use touchline_soccer_team::{Mover, Play, Scene};

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
    let opponents: Vec<Mover> =
        game.present().filter(|player| player.side() == Side::Right).map(mover).collect();
    let ball = Mover { place: game.ball.place, velocity: game.ball.velocity, heading_rad: 0.0 };
    let keepers = game.present().filter(|player| player.side() == Side::Left);
    let command = |player: &Player<'_>| {
        let seat = player.seat();
        let mates = game.present().filter(|mate| mate.side() == Side::Left && mate.seat() != seat);
        let scene = Scene {
            neck_rad: player.neck_rad,
            stamina: player.stamina.stamina,
            obeys: !player.is_done,
            mates: mates.map(|mate| (mate.seat().unum(), mover(mate))).collect(),
            opponents: opponents.clone(),
            play: Play::On,
            ..Scene::new(&law.server, player.player_type, seat.unum(), mover(player), ball)
        };
        (seat, keeper(&scene, half_m, choice))
    };
    keepers.map(command).collect()
}

fn mover(player: &Player<'_>) -> Mover {
    Mover { place: player.place, velocity: player.velocity, heading_rad: player.heading_rad }
}
