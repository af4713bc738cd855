//! The view of a player: what its sight gives, in the wire's form.

use super::shared::Shared;
use crate::state::{Body, Who};
use crate::wire::body::{cut_degrees, round_degrees};
use crate::wire::see::{self, Seen, What};
use touchline_soccer_law::face::state;
use touchline_soccer_law::pitch::Landmark;
use touchline_soccer_law::sight::{Known, Sighting, Target, Viewer};

/// The things' numbers, for their chance: landmarks from 0, then the ball, then players.
const BALL: u64 = 1000;
const FIRST_PLAYER: u64 = 1001;
/// The landmarks beyond the field's own are known from this version on; they come last, and stand farther out than the lines.
const OUTER_SINCE: u32 = 4;

/// `see` for a player's client.
pub fn see(who: Who, version: u32, shared: &Shared) -> String {
    let mut text = String::with_capacity(2048);
    see::see(&mut text, version, shared.state.time, seen(who, version, shared));
    text
}

fn seen(who: Who, version: u32, shared: &Shared) -> Vec<Seen<'_>> {
    let (state, config) = (&shared.state, &shared.config);
    let server = &config.params.server;
    let (own, aware) = (state.body(who), &shared.aware[who.place()]);
    let Some(kind) = config.types.get(own.kind).or_else(|| config.types.first()) else { return Vec::new() };
    let viewer = Viewer {
        pos: own.motion.pos,
        vel: own.motion.vel,
        face_rad: own.face_rad(),
        view_angle_rad: aware.view.angle_rad,
        is_high: aware.view.is_high,
        is_gaussian: aware.view.is_gaussian,
        focus: if version >= 18 { focus(own, aware.focus_point) } else { own.motion.pos },
        has_lengths: version >= 18,
        kind,
        noise: shared.noise("see", who),
    };
    let degrees =
        |angle_rad: f64| if version < 7 { cut_degrees(angle_rad) } else { round_degrees(angle_rad) };
    let plain = |what, sighting: Sighting| Seen {
        what,
        dist: sighting.dist,
        dir_deg: degrees(sighting.dir_rad),
        change: sighting.change,
        body_head: sighting.body_head_rad.map(|angles| angles.map(degrees)),
        point_dir: sighting.arm_rad.map(degrees),
        mark: None,
    };
    let thing = |short, sighting: Sighting| {
        let close = sighting.known == Known::Close;
        plain(if close { What::CloseThing(short) } else { What::Thing(short) }, sighting)
    };
    let mut all = Vec::with_capacity(64);
    for (number, landmark) in config.landmarks.iter().enumerate() {
        if version >= OUTER_SINCE || !is_outer(landmark) {
            let [x, y] = landmark.place;
            // Ours has y up.
            let sighting = viewer.landmark([x, if y == 0.0 { 0.0 } else { -y }], number as u64, server);
            all.extend(sighting.map(|sighting| thing(landmark.name, sighting)));
        }
    }
    let ball =
        Target { pos: state.ball.pos, vel: state.ball.vel, body_rad: 0.0, face_rad: 0.0, arm_rad: None };
    all.extend(viewer.ball(&ball, BALL, server).map(|sighting| thing("b", sighting)));
    for (other, body) in state.enabled().filter(|(other, _)| *other != who) {
        let target = Target {
            pos: body.motion.pos,
            vel: body.motion.vel,
            body_rad: body.body_rad,
            face_rad: body.face_rad(),
            arm_rad: shared.aware[other.place()].arm.direction_rad(body),
        };
        let Some(sighting) = viewer.player(&target, FIRST_PLAYER + other.place() as u64, server) else {
            continue;
        };
        let team = shared.names.told(other.side, Some(who.side));
        // Goalkeepers are told as such in the short names, from version 6 on.
        let is_goalie = version >= 6 && body.is(state::GOALIE);
        let what = match sighting.known {
            Known::Close => What::ClosePlayer,
            Known::Somebody => What::Somebody,
            Known::Team => What::OfTeam(team),
            Known::Whole => What::Player(team, other, is_goalie),
        };
        let has_mark = aware.view.is_high && matches!(sighting.known, Known::Team | Known::Whole);
        let mark = if has_mark { body.mark() } else { None };
        all.push(Seen { mark, ..plain(what, sighting) });
    }
    let lines = viewer.lines(server).into_iter();
    all.extend(lines.map(|(letter, sighting)| thing(line_name(letter), sighting)));
    all
}

/// The place on which the eyes are focused.
fn focus(body: &Body, [dist, dir_rad]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = libm::sincos(body.face_rad() + dir_rad);
    let [x, y] = body.motion.pos;
    [x + dist * cos, y + dist * sin]
}

fn is_outer(landmark: &Landmark) -> bool {
    let [x, y] = landmark.place;
    x.abs() > touchline_soccer_law::pitch::HALF_LENGTH_M
        || y.abs() > touchline_soccer_law::pitch::HALF_WIDTH_M
}

fn line_name(letter: char) -> &'static str {
    match letter {
        'l' => "l l",
        'r' => "l r",
        't' => "l t",
        _ => "l b",
    }
}
