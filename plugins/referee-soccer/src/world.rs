//! Between the world and a game: what is loaded before the law is applied, and what is ordered after it.

use crate::game::{Ball, Game, Loaded, Player, Said};
use crate::law::Law;
use crate::memory::{Body, Memory, Player as Remembered, Seat, SeatType};
use crate::vector::{Vector, length, scale};
use touchline_plugin_api::game::Game as Told;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};
use touchline_plugin_api::motion::MAX_MOTION_DATA;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::DataRecord;
use touchline_plugin_api::view::{Object, WorldView};
use touchline_soccer_law::body::Stamina;
use touchline_soccer_law::face::{Datum, Side, Value, event, phase_of_mode, state};

/// What the world takes: nothing may be put farther away, metres, or be faster, m/s.
const MOST_M: f64 = 900.0;
const MOST_M_S: f64 = 49.0;

/// What the referee is shown.
pub struct Shown<'a> {
    pub view: WorldView<'a>,
    pub motion_data: &'a [DataRecord],
    pub noise: NoiseKey,
    pub game: Told<'a>,
}

/// Makes a game of what the world shows; there is none without a ball.
pub fn load<'a>(law: &'a Law, memory: &'a mut Memory, shown: &Shown<'_>) -> Option<Game<'a>> {
    let ball = shown.view.balls().next()?;
    let ball = Ball { place: place_of(ball), velocity: velocity_of(law, ball), accel: [0.0; 2] };
    let players = load_players(law, memory, shown);
    if memory.has_begun {
        // An operator may have set it.
        for (team, told) in memory.teams.iter_mut().zip(shown.game.teams) {
            team.score = told.score;
        }
    }
    for player in &players {
        memory.teams[player.side().team() as usize].has_come = true;
    }
    // Who leaves lets go of the ball.
    memory.catcher = memory.catcher.filter(|seat| players.iter().any(|player| player.seat() == *seat));
    let chance = shown.noise.split(300).stream();
    Some(Game { law, memory, ball, loaded_ball: ball, players, said: Vec::new(), noise: shown.noise, chance })
}

fn place_of(object: &Object) -> Vector {
    [object.pose.x_m, object.pose.y_m]
}

/// Metres a cycle.
fn velocity_of(law: &Law, object: &Object) -> Vector {
    [object.twist.x_m_s * law.cycle_secs, object.twist.y_m_s * law.cycle_secs]
}

/// Robots of both teams, by their seats; who finds none is not a player.
fn load_players<'a>(law: &'a Law, memory: &mut Memory, shown: &Shown<'_>) -> Vec<Player<'a>> {
    // Data come in the order of the robots.
    let all = (0..).zip(shown.view.robots());
    let robots: Vec<(usize, &Object, Side)> =
        all.filter_map(|(place, robot)| Some((place, robot, Side::of_team(robot.team)?))).collect();
    let mut remembered = std::mem::take(&mut memory.players);
    let is_there = |player: &Remembered| robots.iter().any(|(_, robot, _)| robot.number == player.robot);
    memory.absent.extend(remembered.extract_if(.., |player| !is_there(player)));
    let mut players: Vec<Player<'a>> = Vec::with_capacity(robots.len());
    let no_data = DataRecord { values: [f64::NAN; MAX_MOTION_DATA], ..DataRecord::default() };
    for (place, robot, side) in robots {
        let data = shown.motion_data.get(place).filter(|data| data.robot == robot.number);
        let data = data.unwrap_or(&no_data);
        let known = remembered.iter().find(|player| player.robot == robot.number).cloned();
        let player = known.or_else(|| {
            let seats = Seat::of(side);
            let is_free = |seat: &Seat| remembered.iter().all(|player| player.seat != *seat);
            let is_open = |seat: &Seat| is_free(seat) && !memory.sent_off.contains(seat);
            let wanted = data.values[Datum::Unum.index()];
            let own = seats.iter().copied().find(|seat| f64::from(seat.unum()) == wanted).filter(is_free);
            let seat = own.or_else(|| seats.into_iter().find(is_open))?;
            let absent = memory.absent.iter().position(|player| player.seat == seat);
            let body = absent.and_then(|place| memory.absent.swap_remove(place).body);
            let player = Remembered {
                seat,
                robot: robot.number,
                dashes: 0,
                since_dash: 2,
                moves_since_catch: 0,
                body,
                aim: place_of(robot),
                velocity: [0.0; 2],
            };
            if memory.type_of(seat).is_none() {
                memory.types.push(SeatType { seat, id: 0, is_given: false });
            }
            remembered.push(player.clone());
            Some(player)
        });
        players.extend(player.map(|player| load_player(law, memory, robot, data, player)));
    }
    if !players.is_sorted_by_key(Player::seat) {
        players.sort_by_key(Player::seat);
    }
    players
}

fn load_player<'a>(
    law: &'a Law,
    memory: &mut Memory,
    robot: &Object,
    data: &DataRecord,
    remembered: Remembered,
) -> Player<'a> {
    let type_id = memory.type_of(remembered.seat).map_or(0, |seat_type| seat_type.id);
    let player_type = &law.types[usize::from(type_id).min(law.types.len() - 1)];
    let value = |datum: Datum| Some(data.values[datum.index()]).filter(|value| value.is_finite());
    let whole = |datum: Datum| value(datum).unwrap_or(0.0) as i32;
    let state = whole(Datum::State) as u32;
    let is_new = state & state::STAND == 0;
    // Who comes back is as it has left.
    let left = remembered.body.filter(|_| is_new);
    let stamina = match left.map(|body| body.strength) {
        Some(Some([stamina, effort, recovery, capacity])) => Stamina { stamina, effort, recovery, capacity },
        Some(None) => Stamina::full(&law.server, player_type),
        None if is_new => Stamina::full(&law.server, player_type),
        None => Stamina {
            stamina: value(Datum::Stamina).unwrap_or_default(),
            effort: value(Datum::Effort).unwrap_or_default(),
            recovery: value(Datum::Recovery).unwrap_or_default(),
            capacity: value(Datum::Capacity).unwrap_or_default(),
        },
    };
    let heading_rad = robot.pose.theta_rad;
    let (place, velocity) = (place_of(robot), velocity_of(law, robot));
    Player {
        place,
        velocity,
        accel: [0.0; 2],
        heading_rad,
        new_heading_rad: heading_rad,
        neck_rad: value(Datum::Neck).unwrap_or_default(),
        stamina,
        type_id,
        player_type,
        state: state | state::STAND | left.map_or(0, |body| body.cards),
        tackle_cycles: left.map_or_else(|| whole(Datum::TackleCycles), |body| body.tackle_cycles),
        foul_cycles: left.map_or_else(|| whole(Datum::FoulCycles), |body| body.foul_cycles),
        catch_ban: left.map_or_else(|| whole(Datum::CatchBan), |body| body.catch_ban),
        is_done: false,
        legs: None,
        is_gone: memory.sent_off.contains(&remembered.seat),
        memory: remembered,
        loaded: Loaded { place, heading_rad, velocity, data: data.values },
    }
}

/// How the bodies are told to move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Before the physics: by velocity and turn of the coming step.
    Coming,
    /// After it: where they are put is where they are.
    Done,
}

/// Orders all that differs from what was loaded, and remembers the rest.
pub fn store(game: Game<'_>, motion: Motion, told: &Told<'_>, orders: &mut Orders) {
    let Game { law, memory, mut ball, loaded_ball, players, said, .. } = game;
    memory.players.clear();
    for player in players {
        let remembered = Remembered { body: Some(body_of(&player)), ..player.memory.clone() };
        if player.is_gone {
            orders.remove_robot(remembered.robot);
            memory.absent.push(remembered);
            continue;
        }
        store_player(law, &player, motion, orders);
        memory.players.push(remembered);
    }
    ball.place = held(ball.place);
    if (ball.place, ball.velocity) != (loaded_ball.place, loaded_ball.velocity) {
        orders.place_ball(0, ball.place, m_s(law, ball.velocity));
    }
    tell(said, (motion == Motion::Done).then_some([memory.time, memory.stoppage]), orders);
    store_game(law, memory, told, orders);
}

/// Tells what was said. Behind words that were said before the clock came to what it shows after the step stands what it showed then; before the
/// physics that is not known yet.
fn tell(said: Vec<Said>, shown: Option<[i64; 2]>, orders: &mut Orders) {
    let say_when = |[time, stoppage]: [i64; 2], orders: &mut Orders| {
        orders.event(event::SAID_AT, None, &format!("{time} {stoppage}"));
    };
    let mut last: Option<[i64; 2]> = None;
    for said in said {
        match said {
            Said::Word(word, clock) => {
                if let Some(other) = last.replace(clock).filter(|last| *last != clock) {
                    say_when(other, orders);
                }
                orders.announce(&word);
            }
            Said::Event { kind, side, text } => orders.event(kind, Some(side.team()), &text),
            Said::Reward { robot, value } => orders.reward(robot, value),
            Said::EpisodeEnd(outcome) => orders.end_episode(outcome),
        }
    }
    if let Some(clock) = last.filter(|last| shown != Some(*last)) {
        say_when(clock, orders);
    }
}

/// What stays of a player.
fn body_of(player: &Player<'_>) -> Body {
    let Stamina { stamina, effort, recovery, capacity } = player.stamina;
    Body {
        strength: Some([stamina, effort, recovery, capacity]),
        tackle_cycles: player.tackle_cycles,
        foul_cycles: player.foul_cycles,
        catch_ban: player.catch_ban,
        cards: player.state & (state::YELLOW_CARD | state::RED_CARD),
    }
}

fn store_player(law: &Law, player: &Player<'_>, motion: Motion, orders: &mut Orders) {
    let robot = player.memory.robot;
    let loaded = &player.loaded;
    let place = held(player.place);
    let (sin, cos) = sin_cos(player.heading_rad);
    let in_body = |[x, y]: Vector| [cos * x + sin * y, cos * y - sin * x];
    let velocity = m_s(law, player.velocity);
    let is_put = place != loaded.place
        || player.heading_rad != loaded.heading_rad
        || (motion == Motion::Done && player.velocity != loaded.velocity);
    if is_put {
        let [x_m_s, y_m_s] = in_body(velocity);
        let pose = Pose2::new(place[0], place[1], player.heading_rad);
        orders.place_moving_robot(robot, pose, Twist2::new(x_m_s, y_m_s, 0.0));
    }
    let mut data = loaded.data;
    let mut set = |datum: Datum, value: f64| data[datum.index()] = value;
    set(Datum::Stamina, player.stamina.stamina);
    set(Datum::Effort, player.stamina.effort);
    set(Datum::Recovery, player.stamina.recovery);
    set(Datum::Capacity, player.stamina.capacity);
    set(Datum::Neck, player.neck_rad);
    set(Datum::Decay, player.player_type.player_decay);
    set(Datum::PlayerType, f64::from(player.type_id));
    set(Datum::Unum, f64::from(player.seat().unum()));
    set(Datum::State, f64::from(player.state));
    set(Datum::TackleCycles, f64::from(player.tackle_cycles));
    set(Datum::FoulCycles, f64::from(player.foul_cycles));
    set(Datum::CatchBan, f64::from(player.catch_ban));
    if motion == Motion::Coming {
        let [x_m_s, y_m_s] = in_body(velocity);
        set(Datum::VelocityX, x_m_s);
        set(Datum::VelocityY, y_m_s);
        set(Datum::Turn, wrap_angle(player.new_heading_rad - player.heading_rad));
    }
    for datum in Datum::ALL {
        let index = datum.index();
        // Bits, not values: a robot without the datum has NaN there, and cannot be set.
        if data[index] != loaded.data[index] && !loaded.data[index].is_nan() {
            orders.set_datum(robot, index as u32, data[index]);
        }
    }
}

fn store_game(law: &Law, memory: &Memory, told: &Told<'_>, orders: &mut Orders) {
    let mut state = told.to_state();
    state.phase = phase_of_mode(memory.mode);
    state.clock_secs = memory.time as f64 * law.cycle_secs;
    for (team, remembered) in state.teams.iter_mut().zip(&memory.teams) {
        team.score = remembered.score;
    }
    let [left, right] = &memory.teams;
    for (value, number) in [
        (Value::Stoppage, memory.stoppage as f64),
        (Value::PenaltyScoreLeft, f64::from(left.penalties_scored)),
        (Value::PenaltyMissLeft, f64::from(left.penalties_missed)),
        (Value::PenaltyScoreRight, f64::from(right.penalties_scored)),
        (Value::PenaltyMissRight, f64::from(right.penalties_missed)),
        (Value::Catcher, memory.catcher.map_or(0.0, |seat| seat.index() as f64 + 1.0)),
    ] {
        if let Some(place) = state.values.get_mut(value.index()) {
            *place = number;
        }
    }
    if state.view() != *told {
        orders.set_game(&state);
    }
}

fn m_s(law: &Law, velocity: Vector) -> Vector {
    let velocity = scale(velocity, 1.0 / law.cycle_secs);
    let speed = length(velocity);
    if speed > MOST_M_S { scale(velocity, MOST_M_S / speed) } else { velocity }
}

fn held(place: Vector) -> Vector {
    place.map(|part| part.clamp(-MOST_M, MOST_M))
}
