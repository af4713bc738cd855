//! Rigid bodies in the plane: the only file that knows the physics library. (W4)
//!
//! Robots are dynamic bodies whose drive pulls their velocity towards what the motion model wants, with no more
//! force than its tyres can bring to the ground; so a blocked robot pushes, and does not move. Balls slow down
//! by rolling and by air, half before and half after the library's step, which makes the way that they roll
//! exact to second order in the step.
//!
//! The library improves its tree of bounding boxes a little in every step, which is two fifths of its time in a match. In a
//! small world the tree stays good enough by itself, so there it is left alone ([`MANY_COLLIDERS`]).
//!
//! # Invariants
//! - A clone continues bit by bit like its original: all sets are cloned, the pipeline holds only work space.
//! - Nothing iterates over a hash map.
//!
//! # Units
//! SI outside, as everywhere; the library calculates in `f32`.

use crate::scenario::{BallSpec, Fixture, Outline, Primitive, RobotSpec, Surface};
use rapier2d::geometry::BvhOptimizationStrategy;
use rapier2d::parry::query::intersection_test;
use rapier2d::prelude::*;
use std::sync::Mutex;
use touchline_plugin_api::geometry::{Pose2, Twist2, atan2, wrap_angle};

/// Above these speeds a wish is no motion but a mistake of its author.
pub const MAX_SPEED_M_S: f64 = 50.0;
/// See [`MAX_SPEED_M_S`].
pub const MAX_TURN_RAD_S: f64 = 100.0;

/// From so many colliders on, the library's tree of bounding boxes is improved in every step.
///
/// Measured with robots of three colliders that mix for five minutes: 95 colliders step in 11 us with a tree that is left
/// alone and in 14.5 us with one that is improved, 300 in 75 us and in 42 us.
const MANY_COLLIDERS: usize = 128;

/// Whose a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The world's.
    Fixtures,
    /// The ball of this number.
    Ball(u32),
    /// The robot of this number.
    Robot(u32),
}

impl Owner {
    fn code(self) -> u128 {
        match self {
            Self::Fixtures => 0,
            Self::Ball(number) => (1 << 32) | u128::from(number),
            Self::Robot(number) => (2 << 32) | u128::from(number),
        }
    }

    fn from_code(code: u128) -> Self {
        let number = (code & 0xffff_ffff) as u32;
        match code >> 32 {
            0 => Self::Fixtures,
            1 => Self::Ball(number),
            _ => Self::Robot(number),
        }
    }
}

/// Two owners began or ceased to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// The lesser.
    pub a: Owner,
    /// The greater.
    pub b: Owner,
    /// Whether they began.
    pub began: bool,
}

/// A body of the physics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyId(RigidBodyHandle);

/// A robot's body, with the colliders of each state of each manipulator.
#[derive(Clone, Debug)]
pub struct RobotBody {
    /// The body.
    pub id: BodyId,
    manipulators: Vec<Vec<Vec<ColliderHandle>>>,
}

/// All bodies.
#[derive(Clone)]
pub struct Physics {
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    ccd: CCDSolver,
    work_space: WorkSpace,
    surface: Surface,
    /// Whether the tree of bounding boxes is improved in every step.
    improves_tree: bool,
}

/// What the library reuses from step to step, and which no step depends on: made by the first step, and not cloned.
#[derive(Default)]
pub struct WorkSpace(Option<Box<PhysicsPipeline>>);

impl Clone for WorkSpace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl WorkSpace {
    fn pipeline(&mut self) -> &mut PhysicsPipeline {
        self.0.get_or_insert_with(|| Box::new(pipeline_that_met_a_joint()))
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

impl Physics {
    pub fn new(dt_secs: f64, surface: Surface, fixtures: &[Fixture]) -> Self {
        let mut physics = Self {
            parameters: parameters(dt_secs),
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::with_optimization_strategy(BvhOptimizationStrategy::None),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            ccd: CCDSolver::new(),
            work_space: WorkSpace::default(),
            surface,
            improves_tree: false,
        };
        for fixture in fixtures.iter().filter(|fixture| fixture.solid) {
            let collider = physics.collider(&fixture.primitive).user_data(Owner::Fixtures.code());
            physics.colliders.insert(collider);
        }
        physics.watch_size();
        physics
    }

    /// Works from now on in another space than before.
    pub fn swap_work_space(&mut self, space: &mut WorkSpace) {
        std::mem::swap(&mut self.work_space, space);
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

    pub fn add_ball(
        &mut self,
        number: u32,
        ball: &BallSpec,
        position: [f64; 2],
        velocity: [f64; 2],
    ) -> BodyId {
        let code = Owner::Ball(number).code();
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(position))
            .linvel(vector(velocity))
            .can_sleep(false)
            .ccd_enabled(true)
            .user_data(code);
        let surface = ball.surface.unwrap_or(self.surface);
        let collider = with_surface(ColliderBuilder::ball(ball.radius_m as Real), surface)
            .mass(ball.mass_kg as Real)
            .active_events(ActiveEvents::COLLISION_EVENTS)
            .user_data(code);
        let id = self.bodies.insert(body);
        self.colliders.insert_with_parent(collider, id, &mut self.bodies);
        BodyId(id)
    }

    pub fn add_robot(&mut self, number: u32, spec: &RobotSpec, pose: Pose2) -> RobotBody {
        let code = Owner::Robot(number).code();
        let body = RigidBodyBuilder::dynamic().pose(isometry(pose)).can_sleep(false).user_data(code);
        let id = self.bodies.insert(body);
        let area: f64 = spec.body.iter().map(|primitive| area_m2(&primitive.outline)).sum();
        for primitive in &spec.body {
            let collider = self
                .collider(primitive)
                .density((spec.mass_kg / area) as Real)
                .active_events(ActiveEvents::COLLISION_EVENTS)
                .user_data(code);
            self.colliders.insert_with_parent(collider, id, &mut self.bodies);
        }
        let mut manipulators = Vec::new();
        for manipulator in &spec.manipulators {
            let mut states = Vec::new();
            for (index, state) in manipulator.states.iter().enumerate() {
                let mut handles = Vec::new();
                for primitive in &state.shapes {
                    // Without mass, so that switching does not move the centre of mass.
                    let collider = self
                        .collider(primitive)
                        .density(0.0)
                        .enabled(index == 0)
                        .active_events(ActiveEvents::COLLISION_EVENTS)
                        .user_data(code);
                    handles.push(self.colliders.insert_with_parent(collider, id, &mut self.bodies));
                }
                states.push(handles);
            }
            manipulators.push(states);
        }
        self.watch_size();
        RobotBody { id: BodyId(id), manipulators }
    }

    pub fn remove(&mut self, id: BodyId) {
        self.bodies.remove(
            id.0,
            &mut self.islands,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            true,
        );
    }

    /// Puts the colliders of one state of a manipulator in place of another's.
    pub fn switch_manipulator(&mut self, body: &RobotBody, manipulator: usize, from: usize, to: usize) {
        let states = &body.manipulators[manipulator];
        for (state, enabled) in [(from, false), (to, true)] {
            for &handle in &states[state] {
                if let Some(collider) = self.colliders.get_mut(handle) {
                    collider.set_enabled(enabled);
                }
            }
        }
    }

    pub fn pose(&self, id: BodyId) -> Pose2 {
        pose(&self.bodies[id.0])
    }

    /// The velocity in the world frame.
    pub fn twist(&self, id: BodyId) -> Twist2 {
        twist(&self.bodies[id.0])
    }

    /// The pose, its heading's sine and cosine as the library keeps them, and the velocity in the world frame.
    pub fn place_and_twist(&self, id: BodyId) -> (Pose2, (f64, f64), Twist2) {
        let body = &self.bodies[id.0];
        let rotation = body.rotation();
        (pose(body), (f64::from(rotation.im), f64::from(rotation.re)), twist(body))
    }

    /// Puts a body somewhere, with a velocity in the world frame.
    pub fn place(&mut self, id: BodyId, pose: Pose2, twist: Twist2) {
        let body = &mut self.bodies[id.0];
        body.set_position(isometry(pose), true);
        body.set_linvel(vector([twist.x_m_s, twist.y_m_s]), true);
        body.set_angvel(twist.turn_rad_s as Real, true);
    }

    pub fn set_velocity(&mut self, id: BodyId, velocity: [f64; 2]) {
        self.bodies[id.0].set_linvel(vector(velocity), true);
    }

    /// Pulls a robot's velocity (world frame) towards `wanted`, with bounded force and torque.
    pub fn drive(&mut self, id: BodyId, wanted: Twist2, traction_m_s2: f64, radius_m: f64) {
        let dt_secs = f64::from(self.parameters.dt);
        let body = &mut self.bodies[id.0];
        let now = body.linvel();
        let (dx, dy) = (wanted.x_m_s - f64::from(now.x), wanted.y_m_s - f64::from(now.y));
        let (change, most) = (dx * dx + dy * dy, traction_m_s2 * dt_secs);
        let velocity = if change > most * most {
            let share = most / change.sqrt();
            [f64::from(now.x) + share * dx, f64::from(now.y) + share * dy]
        } else {
            [wanted.x_m_s, wanted.y_m_s]
        };
        body.set_linvel(vector(velocity), true);
        // A disc whose rim has the tyres' grip: torque m a r on the inertia m r^2 / 2.
        let most = 2.0 * traction_m_s2 / radius_m * dt_secs;
        let turn = f64::from(body.angvel());
        body.set_angvel((turn + (wanted.turn_rad_s - turn).clamp(-most, most)) as Real, true);
    }

    /// The velocity of a body's centre of mass in the world frame, m/s.
    pub fn velocity(&self, id: BodyId) -> [f64; 2] {
        let velocity = self.bodies[id.0].linvel();
        [f64::from(velocity.x), f64::from(velocity.y)]
    }

    /// Takes this from a body's rate of turn, at most to rest, rad/s.
    pub fn slow_spin(&mut self, id: BodyId, by_rad_s: f64) {
        let spin = f64::from(self.bodies[id.0].angvel());
        if spin != 0.0 {
            let slowed = (spin.abs() - by_rad_s).max(0.0);
            self.bodies[id.0].set_angvel((slowed * spin.signum()) as Real, true);
        }
    }

    /// Pulls a ball with bounded force to a point that moves with a robot; the robot feels the same force. (R5)
    ///
    /// The ball takes over the robot's velocity at that point, and a tenth of the way there in each hundredth of a second.
    pub fn hold(&mut self, ball: BodyId, robot: BodyId, point: [f64; 2], force_n: f64) {
        const APPROACH_SECS: f64 = 0.1;
        let dt_secs = f64::from(self.parameters.dt);
        let (held, holder) = (&self.bodies[ball.0], &self.bodies[robot.0]);
        let at = held.translation();
        let carried = holder.velocity_at_point(vector(point));
        let wanted = [
            f64::from(carried.x) + (point[0] - f64::from(at.x)) / APPROACH_SECS,
            f64::from(carried.y) + (point[1] - f64::from(at.y)) / APPROACH_SECS,
        ];
        let now = held.linvel();
        let (dx, dy) = (wanted[0] - f64::from(now.x), wanted[1] - f64::from(now.y));
        let mass_kg = f64::from(held.mass());
        let share = (force_n / mass_kg * dt_secs / (dx * dx + dy * dy).sqrt()).min(1.0);
        // No difference at all: nothing to do, and nothing to divide by.
        if !share.is_finite() {
            return;
        }
        let impulse = vector([share * dx * mass_kg, share * dy * mass_kg]);
        let place = Vector::new(at.x, at.y);
        self.bodies[ball.0].apply_impulse(impulse, true);
        self.bodies[robot.0].apply_impulse_at_point(-impulse, place, true);
    }

    /// Advances all bodies, and appends the touches of this step in a fixed order.
    pub fn step(&mut self, touches: &mut Vec<Touch>) {
        let collector = TouchCollector::default();
        self.work_space.pipeline().step(
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
            &(),
            &collector,
        );
        let start = touches.len();
        touches.append(&mut collector.touches.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
        touches[start..].sort_unstable();
    }

    /// Whose body a robot would overlap at `pose`, leaving out itself.
    pub fn overlap(&self, spec: &RobotSpec, pose: Pose2, itself: Option<u32>) -> Option<Owner> {
        let itself = itself.map(|number| Owner::Robot(number).code());
        let at = isometry(pose);
        let first_states = spec.manipulators.iter().filter_map(|m| m.states.first()).flat_map(|s| &s.shapes);
        spec.body.iter().chain(first_states).find_map(|primitive| {
            let (shape, local) = outline_shape(primitive);
            let place = at * local;
            self.colliders
                .iter()
                .filter(|(_, collider)| collider.is_enabled() && Some(collider.user_data) != itself)
                .find(|(_, other)| {
                    let other_place = match (other.parent(), other.position_wrt_parent()) {
                        (Some(parent), Some(local)) => *self.bodies[parent].position() * *local,
                        _ => *other.position(),
                    };
                    intersection_test(&place, &*shape, &other_place, other.shape()).unwrap_or(false)
                })
                .map(|(_, other)| Owner::from_code(other.user_data))
        })
    }

    fn collider(&self, primitive: &Primitive) -> ColliderBuilder {
        let (shape, place) = outline_shape(primitive);
        with_surface(ColliderBuilder::new(shape), primitive.surface.unwrap_or(self.surface)).position(place)
    }
}

/// The physics of a world alone, for benchmarks: the library as it comes, and robots that keep their velocities.
#[doc(hidden)]
pub struct BarePhysics {
    physics: Physics,
    pipeline: PhysicsPipeline,
    robots: Vec<(RigidBodyHandle, Vector, Real)>,
}

impl BarePhysics {
    pub(crate) fn new(
        physics: &Physics,
        robots: impl Iterator<Item = BodyId>,
        library_settings: bool,
    ) -> Self {
        let keep = |BodyId(id): BodyId| {
            let body = &physics.bodies[id];
            (id, body.linvel(), body.angvel())
        };
        let robots = robots.map(keep).collect();
        let mut physics = physics.clone();
        if !physics.improves_tree {
            physics.improve_tree();
        }
        if library_settings {
            physics.parameters =
                IntegrationParameters { dt: physics.parameters.dt, ..IntegrationParameters::default() };
        }
        let mut bare = Self { robots, physics, pipeline: PhysicsPipeline::new() };
        // A tree that has just begun is worse than one that was improved for a while; in that while nothing moves.
        let dt_secs = std::mem::replace(&mut bare.physics.parameters.dt, 1e-6);
        for _ in 0..32 {
            bare.step();
        }
        bare.physics.parameters.dt = dt_secs;
        bare
    }

    /// Sets the robots' velocities and steps.
    pub fn step(&mut self) {
        for &(id, velocity, turn) in &self.robots {
            let body = &mut self.physics.bodies[id];
            body.set_linvel(velocity, true);
            body.set_angvel(turn, true);
        }
        let physics = &mut self.physics;
        self.pipeline.step(
            Vector::ZERO,
            &physics.parameters,
            &mut physics.islands,
            &mut physics.broad_phase,
            &mut physics.narrow_phase,
            &mut physics.bodies,
            &mut physics.colliders,
            &mut physics.impulse_joints,
            &mut physics.multibody_joints,
            &mut physics.ccd,
            &(),
            &(),
        );
    }
}

/// The library's settings, but for two.
///
/// It lets bodies bounce up to the prediction distance before they touch, and takes that gap over the length of a
/// solver iteration from the speed after the impact. With its defaults (2 mm, four iterations) a ball may lose 0.8 m/s
/// of what restitution gives it; with these at most 0.02 m/s. One iteration is as good as eight for discs and hulls that
/// push each other (`server/sim/tests/laws.rs`), and cheaper.
fn parameters(dt_secs: f64) -> IntegrationParameters {
    IntegrationParameters {
        dt: dt_secs as Real,
        num_solver_iterations: 1,
        normalized_prediction_distance: 0.0002,
        ..IntegrationParameters::default()
    }
}

fn with_surface(collider: ColliderBuilder, surface: Surface) -> ColliderBuilder {
    collider
        .friction(surface.friction as Real)
        .restitution(surface.restitution as Real)
        .restitution_combine_rule(CoefficientCombineRule::Max)
}

fn outline_shape(primitive: &Primitive) -> (SharedShape, Pose) {
    let shape = match primitive.outline {
        Outline::Rectangle { length_m, width_m } => {
            SharedShape::cuboid(length_m as Real / 2.0, width_m as Real / 2.0)
        }
        Outline::Ellipse { length_m, width_m } if length_m == width_m => {
            SharedShape::ball(length_m as Real / 2.0)
        }
        Outline::Ellipse { length_m, width_m } => ellipse(length_m / 2.0, width_m / 2.0),
        Outline::Triangle { corners } => {
            SharedShape::triangle(vector(corners[0]), vector(corners[1]), vector(corners[2]))
        }
    };
    (shape, isometry(primitive.pose))
}

/// The library has no ellipse: 32 corners on the ellipse, off by less than half a percent of the radius.
fn ellipse(half_x_m: f64, half_y_m: f64) -> SharedShape {
    let corners: Vec<Vector> = (0..32)
        .map(|i| {
            let (sin, cos) = libm::sincos(f64::from(i) * std::f64::consts::TAU / 32.0);
            vector([half_x_m * cos, half_y_m * sin])
        })
        .collect();
    SharedShape::convex_polyline(corners).unwrap_or_else(|| SharedShape::ball(half_x_m.max(half_y_m) as Real))
}

pub fn area_m2(outline: &Outline) -> f64 {
    match *outline {
        Outline::Rectangle { length_m, width_m } => length_m * width_m,
        Outline::Ellipse { length_m, width_m } => std::f64::consts::PI * length_m * width_m / 4.0,
        Outline::Triangle { corners: [a, b, c] } => {
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / 2.0
        }
    }
}

fn pose(body: &RigidBody) -> Pose2 {
    let position = body.position();
    Pose2::new(
        f64::from(position.translation.x),
        f64::from(position.translation.y),
        atan2(f64::from(position.rotation.im), f64::from(position.rotation.re)),
    )
}

fn twist(body: &RigidBody) -> Twist2 {
    let velocity = body.linvel();
    Twist2::new(f64::from(velocity.x), f64::from(velocity.y), f64::from(body.angvel()))
}

fn vector([x, y]: [f64; 2]) -> Vector {
    Vector::new(x as Real, y as Real)
}

fn isometry(pose: Pose2) -> Pose {
    Pose::new(vector([pose.x_m, pose.y_m]), wrap_angle(pose.theta_rad) as Real)
}

/// The library tells of pairs of colliders in the order in which it finds them, through a shared reference.
#[derive(Default)]
struct TouchCollector {
    touches: Mutex<Vec<Touch>>,
}

impl EventHandler for TouchCollector {
    fn handle_collision_event(
        &self,
        _bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        _contact_pair: Option<&ContactPair>,
    ) {
        let owner = |handle| colliders.get(handle).map(|collider| Owner::from_code(collider.user_data));
        // A collider that is gone belonged to a removed robot, of which nobody needs to hear.
        let (Some(one), Some(other)) = (owner(event.collider1()), owner(event.collider2())) else { return };
        let touch = Touch { a: one.min(other), b: one.max(other), began: event.started() };
        if let Ok(mut touches) = self.touches.lock() {
            touches.push(touch);
        }
    }

    fn handle_contact_force_event(
        &self,
        _dt: Real,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _contact_pair: &ContactPair,
        _total_force_magnitude: Real,
    ) {
    }
}
