//! What the human referee, trainers and coaches say: one line each.

use crate::collisions::collide;
use crate::game::{Game, Said};
use crate::memory::Seat;
use crate::rules;
use crate::vector::scale;
use touchline_soccer_law::face::{BadCommand, Card, RefereeCommand, event, state};
use touchline_soccer_law::{PlayMode, SidedMode};

/// Does what a line says.
///
/// # Errors
/// What is wrong with it.
pub fn obey(game: &mut Game<'_>, line: &str) -> Result<(), BadCommand> {
    match line.parse()? {
        RefereeCommand::Start => rules::kick_off(game),
        RefereeCommand::Mode(mode) => game.change_mode(mode),
        RefereeCommand::Foul { side, place } => {
            if !game.mode().is_shoot_out() {
                game.say(format!("foul_{}", side.opposite().letter()));
                let mode = PlayMode::of(SidedMode::FreeKick, side);
                game.place_ball_in(mode, Some(side), rules::truncate_to_pitch(place));
                game.place_players_in_field();
                game.memory.catcher = None;
            }
        }
        RefereeCommand::Drop { place } => rules::drop_ball(game, rules::truncate_to_pitch(place)),
        RefereeCommand::Goalie { side, unum } => {
            let is_taken = game.present().any(|player| player.side() == side && player.is_goalie());
            let player = game.player_mut(Seat::new(side, unum)).filter(|_| !is_taken);
            if let Some(player) = player {
                player.state |= state::GOALIE;
                let text = unum.to_string();
                game.said.push(Said::Event { kind: event::GOALIE, side, text });
            }
        }
        RefereeCommand::PlayerType { side, unum, player_type } => {
            if let Ok(player_type) = u16::try_from(player_type) {
                game.substitute(Seat::new(side, unum), player_type);
            }
        }
        RefereeCommand::Card { side, unum, card } => {
            game.show_card(Seat::new(side, unum), card == Card::Red);
        }
        RefereeCommand::Discard { side, unum } => game.send_away(Seat::new(side, unum)),
        RefereeCommand::Move { side, unum, place, theta_rad, velocity } => {
            let cycle_secs = game.law.cycle_secs;
            if let Some(player) = game.player_mut(Seat::new(side, unum)) {
                player.place = place;
                if let Some(theta_rad) = theta_rad {
                    (player.heading_rad, player.new_heading_rad) = (theta_rad, theta_rad);
                }
                if let Some(velocity) = velocity {
                    player.velocity = scale(velocity, cycle_secs);
                }
                collide(game);
            }
        }
        RefereeCommand::Ball { place, velocity } => {
            game.memory.catcher = None;
            game.ball.place = place;
            (game.ball.velocity, game.ball.accel) = (scale(velocity, game.law.cycle_secs), [0.0; 2]);
        }
        RefereeCommand::Recover => game.recover_all(),
    }
    Ok(())
}
