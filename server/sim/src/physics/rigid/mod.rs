//! Robots among each other and the fixtures: the only folder that knows the physics library. (W4)
//!
//! The library is told each robot's place and velocity before a step, and asked afterwards what contacts made of them. Who had no
//! contact goes where its plan says, in `f64`; if nobody can have one ([`super::apart`]), the library is not asked at all. Balls are not in
//! it: see [`super::impacts`].
//!
//! The library improves its tree of bounding boxes a little in every step, which is two fifths of its time in a match. In a
//! small world the tree stays good enough by itself, so there it is left alone ([`MANY_COLLIDERS`]).
//!
//! # Invariants
//! - A clone continues bit by bit like its original: all sets are cloned, the pipeline holds only work space.
//! - Nothing iterates over a hash map.

mod collider;
mod library_loop;
mod owners;
mod passages;
mod pressed;
mod rebound;

pub use library_loop::LibraryLoop;

use super::apart::nearing_m;
use super::bars::Bars;
use super::body::RobotBody;
use super::impacts::Fixtures;
use super::journey::{Inertia, Passage};
use super::place::Place;
use super::shape::Vec2;
use super::{Owner, Touch};
use crate::scenario::{Fixture, RobotSpec, Surface};
use collider::with_mass;
use owners::{OwnSurfaces, TouchCollector, owner};
use passages::{carried, chord, is_changed, is_elsewhere};
use rapier2d::geometry::BvhOptimizationStrategy;
use rapier2d::prelude::*;
use touchline_plugin_api::geometry::Pose2;

/// From so many colliders on, the library's tree of bounding boxes is improved in every step.
///
/// Measured with robots of three colliders that mix for five minutes: 95 colliders step in 11 us with a tree that is left
/// alone and in 14.5 us with one that is improved, 300 in 75 us and in 42 us.
const MANY_COLLIDERS: usize = 128;

/// A robot's body in the library, with the colliders of each state of each manipulator.
#[derive(Clone, Debug)]
struct Handles {
    body: RigidBodyHandle,
    manipulators: Vec<Vec<Vec<ColliderHandle>>>,
}

/// All bodies of the library. Robots are given by their places in the physics' list.
#[derive(Clone)]
pub struct Rigid {
    handles: Vec<Handles>,
    fixtures: Vec<ColliderHandle>,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    ccd: CCDSolver,
    surface: Surface,
    bars: Bars,
    /// Whether the tree of bounding boxes is improved in every step.
    improves_tree: bool,
}

/// What the library reuses from step to step, and which no step depends on.
pub struct Pipeline {
    library: PhysicsPipeline,
    /// With which velocities each robot went into the step.
    told: Vec<(Vector, Real)>,
    rebound: rebound::Space,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self { library: pipeline_that_met_a_joint(), told: Vec::new(), rebound: Default::default() }
    }
}

/// A pipeline that has room for a joint.
///
/// Worlds have no joints, and yet the library clears its lists of them in every step. A list that never had anything in it is at no
/// real address, and to clear no bytes there takes some processors a hundred times as long as elsewhere: a fiftieth of a
/// step of the match.
fn pipeline_that_met_a_joint() -> PhysicsPipeline {
    let mut pipeline = PhysicsPipeline::new();
    let (mut bodies, mut joints) = (RigidBodySet::new(), ImpulseJointSet::new());
    let [one, other] = [(); 2].map(|()| bodies.insert(RigidBodyBuilder::dynamic().additional_mass(1.0)));
    joints.insert(one, other, FixedJointBuilder::new(), true);
    pipeline.step(
        Vector::ZERO,
        &IntegrationParameters::default(),
        &mut IslandManager::new(),
        &mut DefaultBroadPhase::new(),
        &mut NarrowPhase::new(),
        &mut bodies,
        &mut ColliderSet::new(),
        &mut joints,
        &mut MultibodyJointSet::new(),
        &mut CCDSolver::new(),
        &(),
        &(),
    );
    pipeline
}

impl Rigid {
    pub fn new(dt_secs: f64, surface: Surface, fixtures: &[Fixture]) -> Self {
        let mut rigid = Self {
            handles: Vec::new(),
            fixtures: Vec::new(),
            parameters: parameters(dt_secs),
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::with_optimization_strategy(BvhOptimizationStrategy::None),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            ccd: CCDSolver::new(),
            surface,
            bars: Bars::new(fixtures),
            improves_tree: false,
        };
        for (number, fixture) in (0..).zip(fixtures).filter(|(_, fixture)| fixture.solid) {
            let collider = rigid.collider(&fixture.primitive, Owner::Fixture(number));
            rigid.fixtures.push(rigid.colliders.insert(collider));
        }
        rigid.watch_size();
        rigid
    }

    fn watch_size(&mut self) {
        if self.colliders.len() >= MANY_COLLIDERS && !self.improves_tree {
            self.improve_tree();
        }
    }

    /// Begins a tree that the library improves in every step, as it does by default; all contacts stay.
    fn improve_tree(&mut self) {
        self.broad_phase = DefaultBroadPhase::new();
        self.improves_tree = true;
        // The new tree learns of those that moved.
        for (_, collider) in self.colliders.iter_mut() {
            collider.set_position(*collider.position());
        }
    }

    pub fn add_robot(&mut self, index: usize, number: u32, spec: &RobotSpec, place: &Place) -> Inertia {
        let owner = Owner::Robot(number);
        let body = RigidBodyBuilder::dynamic().pose(pose_at(place)).can_sleep(false);
        let id = self.bodies.insert(body);
        let area: f64 = spec.body.iter().map(|primitive| primitive.outline.area_m2()).sum();
        for primitive in &spec.body {
            let collider = with_mass(self.collider(primitive, owner), primitive, spec.mass_kg / area);
            self.colliders.insert_with_parent(collider, id, &mut self.bodies);
        }
        let mut manipulators = Vec::new();
        for manipulator in &spec.manipulators {
            let mut states = Vec::new();
            for (index, state) in manipulator.states.iter().enumerate() {
                let mut handles = Vec::new();
                for primitive in &state.shapes {
                    // Without mass, so that switching does not move the centre of mass.
                    let collider = self.collider(primitive, owner).density(0.0).enabled(index == 0);
                    handles.push(self.colliders.insert_with_parent(collider, id, &mut self.bodies));
                }
                states.push(handles);
            }
            manipulators.push(states);
        }
        self.watch_size();
        let body = &mut self.bodies[id];
        body.recompute_mass_properties_from_colliders(&self.colliders);
        let properties = body.mass_properties().local_mprops;
        self.handles.insert(index, Handles { body: id, manipulators });
        Inertia {
            per_mass: f64::from(properties.inv_mass),
            per_moment: f64::from(properties.inv_principal_inertia),
            centre: from_vector(properties.local_com),
        }
    }

    pub fn remove_robot(&mut self, index: usize) {
        self.bodies.remove(
            self.handles.remove(index).body,
            &mut self.islands,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            true,
        );
    }

    /// Puts the colliders of one state of a manipulator in place of another's.
    pub fn switch_manipulator(&mut self, index: usize, manipulator: usize, from: usize, to: usize) {
        let states = &self.handles[index].manipulators[manipulator];
        for (state, enabled) in [(from, false), (to, true)] {
            for &handle in &states[state] {
                if let Some(collider) = self.colliders.get_mut(handle) {
                    collider.set_enabled(enabled);
                }
            }
        }
    }

    /// Carries the robots through a step: where each one goes of what it wants, as far as contacts let it. Appends the touches in
    /// a fixed order.
    pub fn carry(
        &mut self,
        pipeline: &mut Pipeline,
        robots: &[RobotBody],
        fixtures: &Fixtures,
        passages: &mut Vec<Passage>,
        touches: &mut Vec<Touch>,
        step_secs: f64,
    ) {
        passages.clear();
        passages.extend(robots.iter().map(|robot| robot.passage(step_secs)));
        let nearing_m = nearing_m(robots, passages, fixtures, step_secs);
        if nearing_m.is_none() && !self.is_touched() {
            return;
        }
        let dt_secs = self.parameters.dt;
        pipeline.told.clear();
        for ((robot, handles), passage) in robots.iter().zip(&self.handles).zip(&*passages) {
            let body = &mut self.bodies[handles.body];
            let (velocity, turn) = chord(passage, robot.inertia.centre, dt_secs);
            pipeline.told.push((velocity, turn));
            if is_elsewhere(body, &robot.place) {
                body.set_position(pose_at(&robot.place), false);
            }
            body.set_linvel(velocity, false);
            body.set_angvel(turn, false);
        }
        // As far as two can come nearer in this step: the library brakes them to touch.
        self.parameters.normalized_prediction_distance = SLACK_M + 1.2 * nearing_m.unwrap_or(0.0) as Real;
        self.step(pipeline, touches);
        let mut is_hindered = false;
        for (index, told) in pipeline.told.iter().enumerate() {
            let body = &self.bodies[self.handles[index].body];
            if (body.linvel(), body.angvel()) != *told {
                let (planned, robot) = (passages[index], &robots[index]);
                is_hindered |= is_changed(*told, body);
                passages[index] = carried(body, robot, *told, planned, step_secs);
            }
        }
        if is_hindered {
            let Pipeline { told, rebound, .. } = pipeline;
            self.find_pressed(robots, told, &mut rebound.pressed);
            let energy = |index: usize| self.energy(index, &robots[index].inertia, &told[index]);
            rebound.give_back(robots, fixtures, passages, step_secs, energy);
        }
    }

    /// Finds who may touch whom at this moment, each pair once, in a fixed order: of a robot and a fixture the robot first.
    pub fn find_near(&self, pairs: &mut Vec<[Owner; 2]>) {
        let near = self.narrow_phase.contact_pairs().filter(|pair| pair.has_any_active_contact());
        // A collider that is gone belonged to a removed robot.
        pairs.extend(near.filter_map(|pair| {
            let (one, other) = (self.colliders.get(pair.collider1)?, self.colliders.get(pair.collider2)?);
            let (one, other) = (owner(one), owner(other));
            Some([one.max(other), one.min(other)])
        }));
        pairs.sort_unstable();
        pairs.dedup();
    }

    /// Whether somebody touched something when the library was asked last: it has to tell of the end of that.
    fn is_touched(&self) -> bool {
        self.narrow_phase.contact_pairs().any(ContactPair::has_any_active_contact)
    }

    fn step(&mut self, pipeline: &mut Pipeline, touches: &mut Vec<Touch>) {
        let collector = TouchCollector::default();
        pipeline.library.step(
            Vector::ZERO,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.ccd,
            &OwnSurfaces,
            &collector,
        );
        let start = touches.len();
        touches.append(&mut collector.touches.into_inner());
        touches[start..].sort_unstable();
    }
}

/// Robots so near touch, metres.
const SLACK_M: Real = 0.0002;

/// The library's settings, but for two: one iteration is as good as more for discs and hulls that push each other
/// (`server/sim/tests/contacts.rs`), and cheaper; and it looks no farther ahead than it has to.
fn parameters(dt_secs: f64) -> IntegrationParameters {
    IntegrationParameters {
        dt: dt_secs as Real,
        num_solver_iterations: 1,
        warmstart_coefficient: 0.0,
        normalized_prediction_distance: SLACK_M,
        ..IntegrationParameters::default()
    }
}

fn to_vector([x, y]: Vec2) -> Vector {
    Vector::new(x as Real, y as Real)
}

fn from_vector(vector: Vector) -> Vec2 {
    [f64::from(vector.x), f64::from(vector.y)]
}

fn isometry(pose: Pose2) -> Pose {
    pose_at(&Place::new(pose))
}

fn pose_at(place: &Place) -> Pose {
    let (im, re) = (place.heading.0 as Real, place.heading.1 as Real);
    Pose::from_parts(to_vector(place.origin()), Rotation { re, im })
}
