//! What a world file comes to once nothing is wrong with it.

use super::{RobotFiles, team_index};
use crate::files::{self, WorldFile};
use crate::{physics, robot, shapes, team_players};
use std::path::PathBuf;
use touchline_plugin_api::flight::Vertical;
use touchline_sim::scenario::{
    BallPlacement, BallSpec, Fixture, GRAVITY_M_S2, PlayerChoice, Primitive, Radio, RobotPlacement, Scenario,
    Sliding, Surface, Team,
};

/// A fixture's shape and place.
pub(super) fn fixture_primitive(fixture: &files::Fixture) -> Primitive {
    shapes::primitive(&fixture.outline(), if fixture.solid { [0.0, 0.5] } else { [0.0, 0.0] })
}

/// The scenario of a file with which nothing is wrong.
pub(super) fn scenario(
    file: &WorldFile,
    teams: &[String],
    paths: &[Option<PathBuf>],
    robots: &RobotFiles,
) -> Scenario {
    let team = |name: &Option<String>| name.as_ref().and_then(|name| team_index(teams, name));
    let spec = |path: &Option<PathBuf>| Some(robots.by_path.get(path.as_ref()?)?.as_ref()?.spec.clone());
    Scenario {
        name: file.name.clone(),
        seed: file.seed,
        dt_secs: file.dt_s,
        physics: physics::law_of(&file.physics),
        gravity_m_s2: file.physics.gravity_m_s2.unwrap_or(GRAVITY_M_S2),
        surface: shapes::with_rules(
            Surface::new(file.surface.friction, file.surface.restitution),
            file.surface.friction_rule,
            file.surface.restitution_rule,
        ),
        teams: file
            .team
            .iter()
            .map(|team| Team {
                name: team.name.clone(),
                colour: shapes::colour(&team.colour),
                players: team.player.iter().map(team_players::spec).collect(),
            })
            .collect(),
        fixtures: file.fixture.iter().map(|fixture| fixture_of(fixture, team(&fixture.team))).collect(),
        balls: file.ball.iter().map(ball).collect(),
        robots: file
            .robot
            .iter()
            .zip(paths)
            .filter_map(|(robot, path)| {
                Some(RobotPlacement {
                    name: robot.name.clone(),
                    team: team(&robot.team),
                    spec: spec(path)?,
                    pose: robot.pose,
                    player: robot.player.as_ref().map(|player| PlayerChoice {
                        choice: robot::choice(&player.plugin, &player.params, player.isolate),
                        period_secs: 1.0 / player.rate_hz,
                    }),
                })
            })
            .collect(),
        referee: file
            .referee
            .as_ref()
            .map(|referee| robot::choice(&referee.plugin, &referee.params, referee.isolate)),
        radio: Radio {
            range_m: file.radio.range_m.unwrap_or(f64::INFINITY),
            loss: file.radio.loss,
            max_bytes: file.radio.max_bytes,
            all_capacity: file.radio.all_capacity,
            team_capacity: file.radio.team_capacity,
            bearing: file.radio.bearing,
        },
        episode: None,
        limits: file.limits.unwrap_or_default(),
    }
}

/// A fixture as the world has it.
pub(super) fn fixture_of(fixture: &files::Fixture, team: Option<u32>) -> Fixture {
    Fixture {
        name: fixture.name.clone(),
        primitive: fixture_primitive(fixture),
        role: fixture.role,
        solid: fixture.solid,
        team,
    }
}

fn ball(ball: &files::Ball) -> BallPlacement {
    BallPlacement {
        ball: BallSpec {
            radius_m: ball.radius_m,
            mass_kg: ball.mass_kg,
            rolling_resistance_m_s2: ball.rolling_resistance_m_s2,
            drag_per_m: ball.drag_per_m,
            sliding: ball.sliding.as_ref().map(|sliding| Sliding {
                deceleration_m_s2: sliding.deceleration_m_s2,
                inertia_factor: sliding.inertia_factor,
            }),
            bounce: ball.bounce,
            colour: shapes::colour(&ball.colour),
            surface: shapes::surface(ball.surface()),
        },
        position: [ball.x_m, ball.y_m],
        velocity: ball.velocity_m_s,
        vertical: Vertical { z_m: ball.z_m, speed_m_s: ball.rising_m_s },
    }
}
