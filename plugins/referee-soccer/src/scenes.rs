//! A game as a player's own team sees it: what the decisions of `touchline-soccer-team` are made from.

use crate::game::{Game, Player};
use touchline_soccer_team::{Frame, Mover, Play, Scene};

/// What a player knows, exactly.
pub fn scene<'a>(game: &'a Game<'_>, player: &'a Player<'_>) -> Scene<'a> {
    let (server, seat) = (&game.law.server, player.seat());
    let frame = Frame::of(seat.side());
    let mover = |other: &Player<'_>| mover(other, frame);
    let others = || game.present().filter(|other| other.seat() != seat);
    let ball = Mover {
        place: frame.turn(game.ball.place),
        velocity: frame.turn(game.ball.velocity),
        heading_rad: 0.0,
    };
    Scene {
        is_goalie: player.is_goalie(),
        neck_rad: player.neck_rad,
        stamina: player.stamina.stamina,
        obeys: !player.is_done,
        may_catch: player.catch_ban == 0,
        mates: others()
            .filter(|other| other.side() == seat.side())
            .map(|mate| (mate.seat().unum(), mover(mate)))
            .collect(),
        opponents: others().filter(|other| other.side() != seat.side()).map(mover).collect(),
        play: Play::of(game.mode(), seat.side()),
        penalty_kicks: game.team(seat.side()).penalties_scored + game.team(seat.side()).penalties_missed,
        ..Scene::new(server, player.player_type, seat.unum(), mover(player), ball)
    }
}

/// A body in a team's frame.
pub fn mover(player: &Player<'_>, frame: Frame) -> Mover {
    Mover {
        place: frame.turn(player.place),
        velocity: frame.turn(player.velocity),
        heading_rad: frame.turn_angle(player.heading_rad),
    }
}
