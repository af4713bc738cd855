//! Localisation over a robot's container: data objects that are learned, and a robot that is followed. (L1-L3)

use super::perception::{Expected, Eyes, Lesson, Perception, PerceptionError};
use super::table::{Grid, Learner, Part, PerceptionTable, Purpose, Slots};
use super::*;
use touchline_kit::data::{
    BallSighting, Compass, DataObject, FieldPose, GoalSighting, GoalSightings, LaserScan, LineCrossings,
    Odometry, PostSightings, Sighting, Sonar,
};
use touchline_kit::rays::{FanTable, cast_fan};
use touchline_plugin_api::container::{FeatureHandle, Mount, Reading, SensorCatalogue, SensorDescription};
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{MotionDatum, MotionDescription};
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_plugin_api::view::{NONE, Role};
use touchline_plugin_testing::FakeWorld;

const AREA: Area = Area { low: [-6.0, -3.0], high: [6.0, 3.0] };
const GOALS: [[f64; 2]; 2] = [[-5.0, 0.0], [5.0, 0.0]];
const BEAMS: usize = 24;
const LASER: Mount = Mount { x_m: 0.1, y_m: 0.0, z_m: 0.3, theta_rad: 0.0 };
const TURNED: Mount = Mount { x_m: 0.0, y_m: 0.0, z_m: 0.6, theta_rad: 0.5 };
const LEARNED: [&str; 5] = ["goals", "posts", "270DegreeScan", "compass", "pose"];

fn catalogue() -> SensorCatalogue {
    let sensor = |id: &str, mount, features: Vec<Feature>| SensorDescription {
        id: id.into(),
        model: String::new(),
        sensor_type: id.into(),
        plugin: id.into(),
        mount,
        layout: Layout { features },
        ..SensorDescription::default()
    };
    SensorCatalogue {
        sensors: vec![
            sensor("odometry", Mount::default(), vec![Odometry::feature(&MotionDescription::default())]),
            sensor(
                "camera",
                TURNED,
                vec![BallSighting::feature(), GoalSightings::feature(2), PostSightings::feature(8)],
            ),
            sensor("laser", LASER, vec![LaserScan::feature("270DegreeScan", BEAMS as u32)]),
            sensor("compass", TURNED, vec![Compass::feature()]),
            sensor("software", Mount::default(), vec![FieldPose::feature()]),
        ],
    }
}

/// The same, with the camera on a neck.
fn necked_catalogue() -> SensorCatalogue {
    let mut catalogue = catalogue();
    let data = vec![MotionDatum::new("neck-angle", "rad")];
    let motion = MotionDescription { data, ..MotionDescription::default() };
    catalogue.sensors[0].layout.features = vec![Odometry::feature(&motion)];
    catalogue.sensors[1].follows = Some("neck-angle".into());
    catalogue
}

/// A robot's sensors, and what they see.
struct Scene {
    catalogue: SensorCatalogue,
    world: FakeWorld,
    fan: FanTable,
    /// How far the neck turns the camera, if there is one.
    neck_rad: Option<f64>,
}

impl Scene {
    fn new() -> Self {
        let fan = FanTable::new(-2.3, 0.2, BEAMS).unwrap();
        Self { catalogue: catalogue(), world: FakeWorld::f2000(), fan, neck_rad: None }
    }

    fn with_neck(neck_rad: f64) -> Self {
        Self { catalogue: necked_catalogue(), neck_rad: Some(neck_rad), ..Self::new() }
    }
}

/// All readings at a pose, as integers.
struct Container<'a> {
    catalogue: &'a SensorCatalogue,
    quantised: Vec<Vec<Vec<u32>>>,
}

impl<'a> Container<'a> {
    fn new(scene: &'a Scene, pose: Pose2, odometry: Pose2, noise: &mut Noise) -> Self {
        let catalogue = &scene.catalogue;
        let empty = |sensor: &SensorDescription| {
            sensor.layout.features.iter().map(|feature| vec![0; feature.len()]).collect()
        };
        let quantised = catalogue.sensors.iter().map(empty).collect();
        let mut container = Self { catalogue, quantised };
        let neck = Pose2::new(0.0, 0.0, scene.neck_rad.unwrap_or_default());
        let camera = pose.compose(TURNED.pose()).compose(neck);
        let see = |place: [f64; 2], noise: &mut Noise| {
            let distance_m = camera.distance_m(Pose2::new(place[0], place[1], 0.0));
            let bearing_rad = camera.bearing_rad(place);
            (bearing_rad.abs() < 1.2).then(|| Sighting {
                distance_m: distance_m * (1.0 + noise.gaussian(0.03)),
                bearing_rad: bearing_rad + noise.gaussian(0.01),
            })
        };
        let goals =
            GOALS.map(|goal| GoalSighting { centre: see(goal, noise), ..GoalSighting::default() }).to_vec();
        let view = scene.world.view();
        let posts = view.landmarks(Role::Pole).filter_map(|post| see([post.x_m, post.y_m], noise)).collect();
        let mut ranges_m = vec![0.0; BEAMS];
        cast_fan(&view, pose.compose(LASER.pose()), &scene.fan, 8.0, 0.3, NONE, &mut ranges_m);
        ranges_m.iter_mut().for_each(|range_m| *range_m += noise.gaussian(0.02));
        let scan = LaserScan { angle_min_rad: -2.3, angle_step_rad: 0.2, ranges_m };
        let heading_rad = wrap_angle(pose.theta_rad + TURNED.theta_rad + noise.gaussian(0.02));
        let motion_data = scene.neck_rad.into_iter().collect();
        container.put(0, 0, &Odometry { pose: odometry, motion_data, ..Odometry::default() });
        container.put(1, 0, &BallSighting::default());
        container.put(1, 1, &GoalSightings { goals });
        container.put(1, 2, &PostSightings { posts });
        container.put(2, 0, &scan);
        container.put(3, 0, &Compass { heading_rad });
        container.put(4, 0, &FieldPose { pose: Some(pose) });
        container
    }

    fn put(&mut self, sensor: usize, feature: usize, object: &impl DataObject) {
        let format = self.catalogue.feature(FeatureHandle { sensor, feature });
        object.encode(format, &mut self.quantised[sensor][feature]).unwrap();
    }

    fn get(&self, handle: FeatureHandle) -> Option<Reading<'_>> {
        let quantised = self.quantised.get(handle.sensor)?.get(handle.feature)?;
        Some(Reading { feature: self.catalogue.feature(handle), quantised, stamp_secs: 0.0 })
    }

    fn decode<T: DataObject>(&self, sensor: usize, feature: usize) -> T {
        self.get(FeatureHandle { sensor, feature }).unwrap().decode().unwrap()
    }
}

fn table(features: &[&str]) -> PerceptionTable {
    let scene = Scene::new();
    let eyes = Eyes::new(&scene.catalogue, features).unwrap();
    let grid = Grid { area: AREA, cell_m: 0.5, headings: 24 };
    let mut learner = Learner::new(grid, eyes.features().cloned().collect(), 0..grid.len(), 3).unwrap();
    for cell in 0..grid.len() {
        let key = NoiseKey::for_owner(5, "learn").at_step(cell as u64);
        learner.learn_cell(|pose, purpose, seen| {
            let number = match purpose {
                Purpose::Learn(number) => u64::from(number),
                Purpose::HoldOut(number) => 1 << 32 | u64::from(number),
            };
            let container = Container::new(&scene, pose, pose, &mut key.split(number).stream());
            seen.copy_from_slice(&eyes.look(|handle| container.get(handle)).unwrap().seen);
        });
    }
    Learner::finish(vec![learner], 1).unwrap()
}

/// L1: each data object has probabilities in (0, 1] of its own, greater where it was read; -1 where nothing is expected.
#[test]
fn data_objects_say_how_probable_they_are() {
    let table = table(&LEARNED);
    let eyes = Eyes::for_table(&catalogue(), &table).unwrap();
    let kinds: Vec<Slots> =
        eyes.features().flat_map(|feature| &feature.parts).map(|part| part.kind).collect();
    assert_eq!(
        kinds,
        [Slots::Labelled, Slots::Alike, Slots::Ranges, Slots::Directions, Slots::Labelled, Slots::Directions],
        "five features, the last of which is a place and a direction"
    );
    let here = Pose2::new(1.2, -0.7, 0.4);
    let elsewhere = Pose2::new(-2.2, 1.4, -1.3);
    let scene = Scene::new();
    let container = Container::new(&scene, here, here, &mut NoiseKey::for_owner(2, "look").stream());
    let formats: Vec<&Feature> = eyes.handles().map(|handle| scene.catalogue.feature(handle)).collect();
    let expected = |feature: usize, mount: Mount| Expected {
        table: &table,
        feature,
        format: formats[feature],
        mount: mount.pose(),
    };
    fn compared<T: Perception>(object: T, expected: &Expected<'_>, poses: &Samples) -> Vec<f64> {
        let all = object.probabilities(expected, poses).unwrap();
        // One pose at a time it is the same.
        for (pose, &probability) in poses.iter().zip(&all) {
            assert_eq!(object.probability(expected, pose).unwrap(), probability);
            assert!(probability == -1.0 || (probability > 0.0 && probability <= 1.0), "{probability}");
        }
        all
    }
    // The last looks away from both goals; the very last is outside of the grid.
    let away = Pose2::new(-4.7, 2.9, 1.6);
    let poses = [here, elsewhere, away, Pose2::new(9.0, 0.0, 0.0)].into_iter().collect();
    let by_feature = [
        compared(container.decode::<GoalSightings>(1, 1), &expected(0, TURNED), &poses),
        compared(container.decode::<PostSightings>(1, 2), &expected(1, TURNED), &poses),
        compared(container.decode::<LaserScan>(2, 0), &expected(2, LASER), &poses),
        compared(container.decode::<Compass>(3, 0), &expected(3, TURNED), &poses),
        compared(container.decode::<FieldPose>(4, 0), &expected(4, Mount::default()), &poses),
    ];
    for (feature, probabilities) in LEARNED.iter().zip(&by_feature) {
        assert!(probabilities[0] > 100.0 * probabilities[1], "{feature}: {probabilities:?}");
        assert_eq!(probabilities[3], -1.0, "{feature} outside");
    }
    assert_eq!(by_feature[0][2], -1.0, "no goal is expected in the corner");
    let together = table.probabilities(&poses, &eyes.look(|handle| container.get(handle)).unwrap().seen);
    assert!(together[0] > 0.0 && together[1] < 1e-20, "{together:?}");
}

fn perceived<T: Perception>(object: &T, format: &Feature, mount: Pose2, slots: usize) -> Vec<Option<Seen>> {
    let mut seen = vec![None; slots];
    object.learn_probability(format, Lesson { mount, seen: &mut seen }).unwrap();
    seen
}

/// What a robot with this one feature makes of it.
fn parts(feature: Feature) -> Vec<Part> {
    let mut catalogue = catalogue();
    let name = feature.name.clone();
    catalogue.sensors[0].layout.features = vec![feature];
    let eyes = Eyes::new(&catalogue, &[name]).unwrap();
    eyes.features().flat_map(|feature| feature.parts.clone()).collect()
}

/// L1: by hand, what the slots of each kind of data are, and that a reading without an echo fills none.
#[test]
fn slots_are_points_and_ranges_of_the_robot() {
    let mount = Pose2::new(0.2, 0.1, std::f64::consts::FRAC_PI_2);
    let angle = |seen: Option<Seen>| {
        seen.map(|seen| touchline_plugin_api::geometry::atan2(seen.point[1], seen.point[0]))
    };
    let compass = Compass { heading_rad: 1.0 };
    let north = perceived(&compass, &Compass::feature(), Pose2::new(0.0, 0.0, 0.25), 1);
    assert!((angle(north[0]).unwrap() + 0.75).abs() < 1e-4, "{north:?}");
    let posts = PostSightings { posts: vec![Sighting { distance_m: 2.0, bearing_rad: 0.0 }] };
    let seen = perceived(&posts, &PostSightings::feature(2), mount, 2);
    // Ahead of a sensor that looks to the left.
    let [x, y] = seen[0].unwrap().point;
    assert!((x - 0.2).abs() < 1e-9 && (y - 2.1).abs() < 1e-9 && seen[1].is_none());
    let mut ranges_m = vec![3.0; 24];
    (ranges_m[0], ranges_m[2]) = (f64::INFINITY, f64::NEG_INFINITY);
    let scan = LaserScan { ranges_m, ..LaserScan::default() };
    let seen = perceived(&scan, &LaserScan::feature("scan", 24), mount, 12);
    assert_eq!((seen[0], seen[1], seen[2].map(|seen| seen.distance_m)), (None, None, Some(3.0)));
    let ranges = |slots| vec![Part { slots, kind: Slots::Ranges }];
    assert_eq!(parts(LaserScan::feature("scan", 361)), ranges(12));
    assert_eq!(parts(Sonar::feature(8)), ranges(8));
    assert_eq!(parts(LineCrossings::feature(72, 3)), ranges(12));
    let lines = LineCrossings { distances_m: vec![vec![1.0, 2.0], vec![]], ..LineCrossings::default() };
    let seen = perceived(&lines, &LineCrossings::feature(2, 3), mount, 2);
    assert_eq!(seen, [Some(Seen::range(1.0)), None]);
    assert_eq!(perceived(&FieldPose { pose: None }, &FieldPose::feature(), mount, 2), [None; 2]);
    let pose = FieldPose { pose: Some(Pose2::new(1.0, 2.0, 0.5)) };
    let seen = perceived(&pose, &FieldPose::feature(), mount, 2);
    assert!(
        (angle(seen[1]).unwrap() + 0.5).abs() < 1e-4
            && (seen[0].unwrap().distance_m - 5_f64.sqrt()).abs() < 1e-3
    );
    assert!(
        PostSightings::default()
            .learn_probability(&Compass::feature(), Lesson { mount, seen: &mut [] })
            .is_err()
    );
}

/// L1: a feature that nobody has heard of is learned by what its layout says, and read as it says.
#[test]
fn any_feature_is_learned_whose_layout_says_what_it_is() {
    let angle = |name: &str, shape: &[u32]| Field::signed(name, "rad", 1e-4, shape);
    let length = |name: &str, shape: &[u32]| Field::unsigned(name, "m", 1e-3, shape);
    let place = |name: &str, shape: &[u32]| Field::signed(name, "m", 1e-3, shape);
    let count = || Field::unsigned("count", "1", 1.0, &[]);
    let one = |feature: Feature| parts(feature)[0];
    let is = |slots, kind| Part { slots, kind };
    let lamps = Feature::new("lamps", vec![length("how_far", &[3]), angle("where", &[3])]);
    assert_eq!(one(lamps.clone()), is(3, Slots::Labelled));
    let trees = Feature::new("trees", vec![count(), place("east", &[5]), place("north", &[5])]);
    assert_eq!(one(trees), is(5, Slots::Alike));
    assert_eq!(one(Feature::new("whiskers", vec![length("bend", &[4])])), is(4, Slots::Ranges));
    assert_eq!(one(Feature::new("sun", vec![angle("azimuth", &[])])), is(1, Slots::Directions));
    let gps = Feature::new("gps", vec![place("x", &[]), place("y", &[]), angle("theta", &[])]);
    assert_eq!(parts(gps), [is(1, Slots::Labelled), is(1, Slots::Directions)]);
    // What says nothing of a place: speeds, pictures, numbers, a bumper.
    let speeds = vec![place("x", &[]), place("y", &[]), Field::signed("v", "m/s", 1e-3, &[])];
    for feature in [
        Feature::new("slip", speeds),
        Feature::new("picture", vec![Field::unsigned("pixels", "rgb", 1.0, &[4, 4])]),
        Feature::new("battery", vec![Field::unsigned("charge", "1", 1e-3, &[])]),
        touchline_kit::data::Bumper::feature(4),
    ] {
        let mut catalogue = catalogue();
        let name = feature.name.clone();
        catalogue.sensors[0].layout.features = vec![feature];
        assert!(matches!(Eyes::new(&catalogue, &[name]), Err(PerceptionError::CannotBeLearned { .. })));
    }
    // Lamps at known places: learned from their quantised readings, the true pose is the likeliest of many.
    let mut catalogue = catalogue();
    catalogue.sensors[1].layout.features = vec![lamps];
    let eyes = Eyes::new(&catalogue, &["lamps"]).unwrap();
    let handle = eyes.handles().next().unwrap();
    let look = |pose: Pose2, noise: &mut Noise| {
        let camera = pose.compose(TURNED.pose());
        let mut quantised = vec![0; 6];
        for (lamp, at) in [[-6.0, 1.0], [2.0, 3.0], [5.0, -2.0]].into_iter().enumerate() {
            let far_m = camera.distance_m(Pose2::new(at[0], at[1], 0.0)) + noise.gaussian(0.05);
            quantised[lamp] = (1000.0 * far_m) as u32;
            let off_rad = camera.bearing_rad(at) + noise.gaussian(0.02);
            quantised[3 + lamp] = (1e4 * off_rad).round() as i32 as u32;
        }
        let feature = catalogue.feature(handle);
        eyes.look(|_| Some(Reading { feature, quantised: &quantised, stamp_secs: 0.0 })).unwrap().seen
    };
    let grid = Grid { area: AREA, cell_m: 0.5, headings: 12 };
    let mut learner = Learner::new(grid, eyes.features().cloned().collect(), 0..grid.len(), 3).unwrap();
    let mut noise = NoiseKey::for_owner(6, "lamps").stream();
    for _ in 0..grid.len() {
        learner.learn_cell(|pose, _, seen| seen.copy_from_slice(&look(pose, &mut noise)));
    }
    let table = Learner::finish(vec![learner], 1).unwrap();
    let truth = Pose2::new(1.3, 0.4, -2.0);
    let seen = look(truth, &mut noise);
    let right = table.probability(truth, &seen);
    for k in 0..500 {
        let (x_m, y_m) = (noise.uniform(-6.0, 6.0), noise.uniform(-3.0, 3.0));
        let other = Pose2::new(x_m, y_m, noise.uniform(-3.0, 3.0));
        let is_near =
            other.distance_m(truth) < 0.5 && wrap_angle(other.theta_rad - truth.theta_rad).abs() < 0.2;
        assert!(is_near || table.probability(other, &seen) < right, "{k}: {other:?}");
    }
}

/// L1: what moves is not learned, and another robot's table is refused.
#[test]
fn what_cannot_be_learned_is_said() {
    let error = Eyes::new(&catalogue(), &["ball"]).unwrap_err();
    assert!(error.to_string().contains("goals, posts, 270DegreeScan, compass, pose"), "{error}");
    assert!(matches!(Eyes::new(&catalogue(), &["sonar"]), Err(PerceptionError::NotFound(_))));
    let mut other = catalogue();
    other.sensors[1].layout.features[2] = PostSightings::feature(4);
    let error = Eyes::for_table(&other, &table(&["posts"])).unwrap_err();
    assert!(error.to_string().contains("another robot"), "{error}");
}

/// Follows a robot round the field, of which nothing is given but its container.
fn follow(localiser: Localiser, name: &str) -> (Localiser, f64, f64) {
    follow_in(&Scene::new(), localiser, name)
}

fn follow_in(scene: &Scene, mut localiser: Localiser, name: &str) -> (Localiser, f64, f64) {
    let mut noise = NoiseKey::for_owner(9, name).stream();
    let (mut truth, mut odometry) = (Pose2::new(-2.0, 1.0, 2.0), Pose2::ORIGIN);
    let (mut error_m, mut error_rad) = (f64::INFINITY, f64::INFINITY);
    for step in 0..150 {
        let driven = Pose2::new(0.06, 0.0, if step % 40 < 25 { 0.08 } else { -0.03 });
        truth = truth.compose(driven);
        odometry = odometry.compose(driven);
        let container = Container::new(scene, truth, odometry, &mut noise);
        let estimate = localiser.update(|handle| container.get(handle)).unwrap();
        error_m = estimate.pose.distance_m(truth);
        error_rad = wrap_angle(estimate.pose.theta_rad - truth.theta_rad).abs();
    }
    (localiser, error_m, error_rad)
}

/// L3: it finds the robot by a table, and by a map, from the container alone; a second time it does the same.
#[test]
fn a_robot_is_found_from_its_container() {
    let all = table(&["goals", "posts", "270DegreeScan"]);
    let by_table = || Localiser::with_table(&catalogue(), all.clone(), BeliefParams::default(), 3).unwrap();
    let (once, error_m, error_rad) = follow(by_table(), "table");
    assert!(error_m < 0.2 && error_rad < 0.15, "{error_m} {error_rad}");
    assert_eq!(once.belief(), follow(by_table(), "table").0.belief());
    let map = map();
    let by_map = Localiser::with_map(&catalogue(), &map, BeliefParams::default(), 3).unwrap();
    let (mut found, error_m, error_rad) = follow(by_map, "map");
    assert!(error_m < 0.2 && error_rad < 0.15, "{error_m} {error_rad}");
    assert!(found.estimate().share > 0.5);
    found.start_anywhere();
    assert!(found.estimate().share < 0.3, "it forgets");
    let pose = Pose2::new(1.0, 1.0, 1.0);
    found.start_around(pose, 0.05, 0.05);
    assert!(found.estimate().pose.distance_m(pose) < 0.1);
}

/// L3, S: what a camera on a neck sees is where the neck has turned it; with the neck straight it is as without one, bit by bit.
#[test]
fn a_robot_is_found_however_its_neck_is_turned() {
    let localiser = |catalogue: &SensorCatalogue| {
        Localiser::with_map(catalogue, &map(), BeliefParams::default(), 3).unwrap()
    };
    for neck_rad in [1.0, -2.0] {
        let scene = Scene::with_neck(neck_rad);
        let (_, error_m, error_rad) = follow_in(&scene, localiser(&scene.catalogue), "neck");
        assert!(error_m < 0.25 && error_rad < 0.15, "{neck_rad}: {error_m} {error_rad}");
    }
    let straight = Scene::with_neck(0.0);
    let (with_neck, ..) = follow_in(&straight, localiser(&straight.catalogue), "straight");
    assert_eq!(with_neck.belief(), follow(localiser(&catalogue()), "straight").0.belief());
}

/// L1, S: a table was learned with the neck straight: of a turned sensor it is told nothing; a neck of which no odometry tells is refused by its name.
#[test]
fn a_table_is_not_asked_about_a_turned_sensor() {
    let names = ["goals", "270DegreeScan"];
    let look = |scene: &Scene| {
        let pose = Pose2::new(1.0, 0.5, 0.5);
        let container = Container::new(scene, pose, pose, &mut NoiseKey::for_owner(2, "look").stream());
        let eyes = Eyes::new(&scene.catalogue, &names).unwrap();
        eyes.look(|handle| container.get(handle)).unwrap().is_read
    };
    assert_eq!(look(&Scene::with_neck(0.0)), [true, true]);
    assert_eq!(look(&Scene::with_neck(1.0)), [false, true]);
    let mut catalogue = necked_catalogue();
    catalogue.sensors[0].layout.features = vec![Odometry::feature(&MotionDescription::default())];
    let error = Eyes::new(&catalogue, &names).unwrap_err().to_string();
    assert!(error.contains("\"camera\" follows \"neck-angle\""), "{error}");
}

fn map() -> LandmarkMap {
    let world = FakeWorld::f2000();
    let posts = world.view().landmarks(Role::Pole).map(|post| [post.x_m, post.y_m]).collect();
    let noise =
        SightingNoise { sigma_bearing_rad: 0.02, sigma_distance_relative: 0.05, sigma_distance_m: 0.05 };
    LandmarkMap { area: AREA, goals: GOALS.to_vec(), posts, noise }
}

/// L3: bad input is said, and changes nothing.
#[test]
fn what_a_localiser_cannot_do_is_said() {
    let params = BeliefParams::default();
    let mut blind = catalogue();
    blind.sensors.remove(0);
    assert!(Localiser::with_map(&blind, &map(), params, 1).unwrap_err().to_string().contains("odometry"));
    let empty = LandmarkMap { area: Area { low: [0.0; 2], high: [0.0; 2] }, ..map() };
    assert!(Localiser::with_map(&catalogue(), &empty, params, 1).is_err());
    let nowhere = LandmarkMap { goals: vec![[f64::NAN, 0.0]], ..map() };
    assert!(Localiser::with_map(&catalogue(), &nowhere, params, 1).is_err());
    let nothing = LandmarkMap { goals: vec![], posts: vec![], ..map() };
    assert!(Localiser::with_map(&catalogue(), &nothing, params, 1).is_err());
    let mut localiser = Localiser::with_map(&catalogue(), &map(), params, 1).unwrap();
    let before = localiser.belief().clone();
    assert_eq!(localiser.update(|_| None).unwrap_err(), LocaliserError::NoOdometry);
    assert_eq!(*localiser.belief(), before);
    let many = BeliefParams { samples: 1 << 40, ..params };
    assert!(Localiser::with_map(&catalogue(), &map(), many, 1).is_err());
}
