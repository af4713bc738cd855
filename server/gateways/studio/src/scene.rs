//! What one page knows, and what it still has to be told.
//!
//! A page may miss Frames, but never a robot, a score or an event: each Frame that is shown is compared with what the
//! page was told before. Shapes are those of the Frame, so what is drawn is what collides.

use crate::message::{
    Colour, EventInfo, GameInfo, ObjectInfo, OutlineInfo, RestartInfo, ShapeInfo, TeamInfo, ToPage, WORLD_ID,
    object_id,
};
use crate::shadows::KnownShadows;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{NONE, Object, ObjectKind, Role, Shape, ShapeKind};
use touchline_sim::{Event, EventKind, Frame, RobotFrame, RobotIdentity, Scenario, is_for_programs};

/// State that one page was sent last.
#[derive(Default)]
pub(crate) struct Scene {
    objects: BTreeMap<u32, Known>,
    /// What each robot published when the page was told last.
    annotations: BTreeMap<u32, Arc<BTreeMap<String, String>>>,
    /// What the page was told of players that run beside recorded ones.
    shadows: KnownShadows,
    game: Option<GameInfo>,
    last_event: Option<u64>,
}

/// If any of this changes, the object is sent again.
struct Known {
    run: u64,
    colour: u32,
    team: u32,
    robot: Option<KnownRobot>,
}

struct KnownRobot {
    identity: Arc<RobotIdentity>,
    manipulator_states: Vec<u32>,
    player: Option<String>,
    taken: bool,
    fault: Option<Arc<str>>,
}

impl Scene {
    /// The objects that are new, changed or gone; `None` if there are none.
    pub(crate) fn objects<'a>(&mut self, frame: &'a Frame) -> Option<ToPage<'a>> {
        let mut robots = vec![None; frame.objects.len()];
        for robot in &frame.robots {
            if let Some(place) = robots.get_mut(robot.object as usize) {
                *place = Some(robot);
            }
        }
        let mut put = Vec::new();
        let mut present = BTreeSet::new();
        for (object, robot) in frame.objects.iter().zip(robots) {
            let Some(id) = object_id(object) else { continue };
            present.insert(id);
            if !self.objects.get(&id).is_some_and(|known| known.still_holds(frame, object, robot)) {
                put.push(object_info(frame, object, robot, id));
                self.objects.insert(id, Known::new(frame, object, robot));
            }
        }
        let gone: Vec<u32> = self.objects.keys().filter(|id| !present.contains(id)).copied().collect();
        self.objects.retain(|id, _| present.contains(id));
        // The page forgets with a robot what it publishes: if it comes back before anything else is told, all is told anew.
        for id in &gone {
            self.annotations.remove(id);
            self.shadows.forget(*id);
        }
        (!put.is_empty() || !gone.is_empty()).then_some(ToPage::Objects { put, gone })
    }

    /// What robots publish about themselves, and the referee of the world, of those where it changed.
    pub(crate) fn annotations<'a>(&mut self, frame: &'a Frame) -> Vec<ToPage<'a>> {
        let mut messages = Vec::new();
        let of_robots = frame.robots.iter().map(|robot| (robot.identity.number, &robot.annotations));
        for (id, annotations) in of_robots.chain([(WORLD_ID, &frame.annotations)]) {
            let known = self.annotations.get(&id);
            // Nothing is published by most, and most of the time nothing new.
            let is_new = known.map_or(!annotations.is_empty(), |known| !Arc::ptr_eq(known, annotations));
            if is_new {
                // The simulation takes JSON only.
                let value = |(key, value): (&'a String, &'a String)| {
                    Some((key.as_str(), serde_json::from_str(value).ok()?))
                };
                messages
                    .push(ToPage::Annotations { id, values: annotations.iter().filter_map(value).collect() });
                self.annotations.insert(id, Arc::clone(annotations));
            }
        }
        self.annotations.retain(|&id, _| id == WORLD_ID || frame.robot(id).is_some());
        self.shadows.tell(frame, &mut messages);
        messages
    }

    /// The game, if it changed.
    pub(crate) fn game(&mut self, frame: &Frame) -> Option<ToPage<'static>> {
        let game = &frame.game;
        let is_paid = frame.robots.iter().any(|robot| robot.reward != 0.0);
        let reward = |robot: &RobotFrame| (robot.identity.number, robot.reward);
        let info = GameInfo {
            score: game.teams.iter().map(|team| team.score).collect(),
            phase: game.phase_name().into(),
            restart: game.restart_name().map(|(kind, team)| RestartInfo { kind: kind.into(), team }),
            values: game.values().map(|(name, value)| (name.into(), value)).collect(),
            rewards: if is_paid { frame.robots.iter().map(reward).collect() } else { BTreeMap::new() },
            episode: game.episode,
        };
        let changed = self.game.as_ref() != Some(&info);
        self.game = Some(info.clone());
        changed.then_some(ToPage::Game(info))
    }

    /// The events that the page has not seen. Contacts are left out: there are many, and they show in the picture.
    pub(crate) fn events(&mut self, frame: &Frame, scenario: &Scenario) -> Option<ToPage<'static>> {
        let newest = frame.events.last().map(|event| event.number);
        // Numbers that begin again belong to another run.
        let seen = self.last_event.filter(|seen| newest.is_some_and(|newest| newest >= *seen));
        self.last_event = newest;
        let events: Vec<EventInfo> = frame
            .events
            .iter()
            .filter(|event| seen.is_none_or(|seen| event.number > seen))
            .filter_map(|event| event_info(event, scenario))
            .collect();
        (!events.is_empty()).then_some(ToPage::Events { events })
    }
}

impl Known {
    fn new(frame: &Frame, object: &Object, robot: Option<&RobotFrame>) -> Self {
        let robot = robot.map(|robot| KnownRobot {
            identity: robot.identity.clone(),
            manipulator_states: robot.manipulators.iter().map(|manipulator| manipulator.state).collect(),
            player: robot.player.clone(),
            taken: robot.taken_by.is_some(),
            fault: robot.fault.clone(),
        });
        Self { run: frame.run, colour: object.colour, team: object.team, robot }
    }

    fn still_holds(&self, frame: &Frame, object: &Object, robot: Option<&RobotFrame>) -> bool {
        let same_robot = match (&self.robot, robot) {
            (None, None) => true,
            (Some(known), Some(robot)) => {
                Arc::ptr_eq(&known.identity, &robot.identity)
                    && known.manipulator_states.iter().eq(robot.manipulators.iter().map(|now| &now.state))
                    && known.player == robot.player
                    && known.taken == robot.taken_by.is_some()
                    && known.fault == robot.fault
            }
            _ => false,
        };
        same_robot && (self.run, self.colour, self.team) == (frame.run, object.colour, object.team)
    }
}

pub(crate) fn teams(scenario: &Scenario) -> Vec<TeamInfo<'_>> {
    scenario.teams.iter().map(|team| TeamInfo { name: &team.name, colour: Colour(team.colour) }).collect()
}

/// The shapes that do not move, in the world frame.
pub(crate) fn fixtures(frame: &Frame) -> Vec<ShapeInfo> {
    let fixtures = frame.objects.iter().filter(|object| object.kind() == ObjectKind::Fixtures);
    fixtures.flat_map(|object| shapes(frame, object, Pose2::ORIGIN)).collect()
}

fn object_info<'a>(frame: &Frame, object: &Object, robot: Option<&'a RobotFrame>, id: u32) -> ObjectInfo<'a> {
    ObjectInfo {
        id,
        kind: object.kind(),
        name: match robot {
            Some(robot) => robot.identity.name.clone(),
            None => format!("ball-{}", object.number),
        },
        team: index(object.team),
        colour: Colour(object.colour),
        radius: object.radius_m as f32,
        shapes: shapes(frame, object, object.pose),
        model: robot.map(|robot| robot.identity.spec.model.as_str()),
        player: robot.and_then(|robot| robot.player.as_deref()),
        taken: robot.is_some_and(|robot| robot.taken_by.is_some()),
        fault: robot.and_then(|robot| robot.fault.as_deref()),
    }
}

/// An object's shapes in the frame `origin`.
fn shapes(frame: &Frame, object: &Object, origin: Pose2) -> Vec<ShapeInfo> {
    frame
        .view()
        .shapes_of(object)
        .iter()
        .map(|shape| shape_info(shape, origin, object.vertical.z_m))
        .collect()
}

fn shape_info(shape: &Shape, origin: Pose2, z_m: f64) -> ShapeInfo {
    let place = origin.relative(Pose2::new(shape.x_m, shape.y_m, shape.sin.atan2(shape.cos)));
    let (x, y, angle) = (place.x_m as f32, place.y_m as f32, place.theta_rad as f32);
    let half = [shape.half_x_m as f32, shape.half_y_m as f32];
    let outline = match shape.kind() {
        ShapeKind::Rectangle => OutlineInfo::Rectangle { x, y, angle, half },
        ShapeKind::Ellipse => OutlineInfo::Ellipse { x, y, angle, half },
        ShapeKind::Triangle => {
            let corners = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c];
            let corners = corners.map(|corner| origin.point_to_inner(corner).map(|number| number as f32));
            OutlineInfo::Triangle { corners }
        }
    };
    ShapeInfo {
        outline,
        colour: Colour(shape.colour),
        role: role_name(shape),
        solid: shape.solid != 0,
        team: index(shape.team),
        z: [(shape.z_bottom_m - z_m) as f32, (shape.z_top_m - z_m) as f32],
    }
}

fn role_name(shape: &Shape) -> &'static str {
    let names = [
        (Role::Wall, "wall"),
        (Role::Goal, "goal"),
        (Role::Pole, "pole"),
        (Role::Line, "line"),
        (Role::Marker, "marker"),
        (Role::Area, "area"),
    ];
    names.iter().find(|(role, _)| shape.has_role(*role)).map_or("none", |(_, name)| name)
}

fn index(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

fn event_info(event: &Event, scenario: &Scenario) -> Option<EventInfo> {
    let text = match &event.kind {
        EventKind::Contact { .. } => return None,
        EventKind::Game { kind, .. } if is_for_programs(kind) => return None,
        EventKind::Game { kind, team, text } => {
            let team = team.and_then(|team| scenario.teams.get(team as usize));
            let whose = team.map(|team| format!(" for {}", team.name)).unwrap_or_default();
            let what = kind[..1].to_ascii_uppercase() + &kind[1..].replace('-', " ");
            let more = if text.is_empty() { String::new() } else { format!(": {text}") };
            format!("{what}{whose}{more}")
        }
        EventKind::Measure { name, value, unit } => format!("{name}: {value} {unit}").trim_end().into(),
        EventKind::Fault { owner, plugin, message } => format!("{owner}: {plugin} stopped: {message}"),
        EventKind::PlayerExchanged { name, plugin, .. } => format!("{name} has the player {plugin} now"),
        EventKind::RobotAdded { name, .. } => format!("{name} appeared"),
        EventKind::RobotRemoved { name, .. } => format!("{name} left"),
        EventKind::Announcement(text) => text.clone(),
    };
    Some(EventInfo { number: event.number, step: event.step, kind: event.kind.word().into(), text })
}
