//! Where a robot finds room: whom it would overlap, and the free place nearest to the centre.

use crate::command::{CommandError, RobotNumber};
use crate::physics::Owner;
use crate::scenario::RobotSpec;
use crate::world::World;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::view::Shape;

/// How far the rings are apart on which a free place is looked for, metres.
const RING_M: f64 = 0.5;
/// How far from the centre a place is looked for where no fixture bounds the world, metres.
const OPEN_M: f64 = 10.0;

impl World {
    /// An error that names whom a robot would overlap there, leaving out itself.
    pub(crate) fn check_room(
        &self,
        name: &str,
        spec: &RobotSpec,
        pose: Pose2,
        itself: Option<RobotNumber>,
    ) -> Result<(), CommandError> {
        match self.overlap(spec, pose, itself) {
            None => Ok(()),
            Some(owner) => Err(CommandError::NoRoom {
                name: name.into(),
                x_m: pose.x_m,
                y_m: pose.y_m,
                other: self.owner_name(owner),
            }),
        }
    }

    /// Whose body a robot would overlap, leaving out itself.
    pub(crate) fn overlap(
        &self,
        spec: &RobotSpec,
        pose: Pose2,
        itself: Option<RobotNumber>,
    ) -> Option<Owner> {
        self.state.physics.overlap(spec, pose, itself, &self.state.balls)
    }

    /// The free place nearest to the centre, on rings half a metre apart, where the fixtures leave it.
    pub(crate) fn free_place(&self, name: &str, spec: &RobotSpec) -> Result<Pose2, CommandError> {
        self.free_place_after(name, spec, &mut 0)
    }

    /// The same without those places that an earlier search of a robot of this kind has found not to be free; it counts on.
    pub(crate) fn free_place_after(
        &self,
        name: &str,
        spec: &RobotSpec,
        searched: &mut usize,
    ) -> Result<Pose2, CommandError> {
        let area = free_area(self.state.view.fixtures());
        let within = |value: f64, [low, high]: [f64; 2]| value > low && value < high;
        let places = (2..40).flat_map(|ring| (0..ring * 6).map(move |place| (ring, place)));
        for (ring, place) in places.skip(*searched) {
            let (sin, cos) = sin_cos(f64::from(place) * std::f64::consts::TAU / f64::from(ring * 6));
            let radius_m = f64::from(ring) * RING_M;
            let pose = Pose2::new(radius_m * cos, radius_m * sin, 0.0);
            if within(pose.x_m, area[0])
                && within(pose.y_m, area[1])
                && self.overlap(spec, pose, None).is_none()
            {
                return Ok(pose);
            }
            *searched += 1;
        }
        Err(CommandError::WorldIsFull(name.into()))
    }
}

/// Where a robot may be put: along x and y, from and to. The fixtures away from the centre bound the world on their
/// side, a side without one is open: one wall is no room, and neither is a post.
fn free_area(shapes: &[Shape]) -> [[f64; 2]; 2] {
    let ends = |places: [f64; 2], at: f64| [places[0].min(at), places[1].max(at)];
    let extent = shapes.iter().fold([[0.0; 2]; 2], |[x, y], shape| [ends(x, shape.x_m), ends(y, shape.y_m)]);
    // Within the first ring there is no place at all: that is a thing in the middle.
    let is_room = extent.iter().flatten().any(|side: &f64| side.abs() > 2.0 * RING_M);
    let end = |side: f64, open: f64| if is_room && side.abs() > RING_M { side } else { open };
    extent.map(|[low, high]| [end(low, -OPEN_M).max(-OPEN_M), end(high, OPEN_M).min(OPEN_M)])
}
