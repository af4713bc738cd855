//! S6: contract, parameters, noise.

use super::*;
use touchline_plugin_testing::check_sensor;

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Camera>("{}");
    check_sensor::<Camera>(
        r#"{"width": 80, "height": 60, "pitch_rad": 1.5708, "samples": 3, "sigma_rgb": 9.0}"#,
    );
    check_sensor::<Camera>(
        r#"{"projection": "omnidirectional", "width": 90, "height": 80, "range_max_m": 4.0, "feature": "mirror"}"#,
    );
    check_sensor::<Camera>(r#"{"width": 1, "height": 1, "field_of_view_rad": 3.0}"#);
}

fn wrong(params: ImageParams, z_m: f64) -> Vec<String> {
    let mut setup = sensor_setup();
    setup.mount.z_m = z_m;
    let error = Camera::new(params, &setup).err().unwrap();
    error.problems.into_iter().map(|problem| problem.to_string()).collect()
}

/// An image of 100,000 x 100,000 pixels is refused before anything is made.
#[test]
fn every_wrong_parameter_is_named() {
    let problems = wrong(
        ImageParams {
            projection: Projection::Perspective,
            width: 100_000,
            height: 100_000,
            field_of_view_rad: Some(f64::NAN),
            pitch_rad: Some(2.0),
            range_max_m: Some(-1.0),
            samples: 0,
            floor_colour: "green".into(),
            sky_colour: "#+12345".into(),
            sigma_rgb: -1.0,
            feature: String::new(),
        },
        0.2,
    );
    let expected = [
        "width: 100000 pixels; it must be from 1 to 1920",
        "height: 100000 pixels; it must be from 1 to 1080",
        "samples: 0; it must be from 1 to 4",
        "field_of_view_rad: NaN rad; it must be from 0.010 to 3.000",
        "pitch_rad: 2 rad; it must be from -1.572 to 1.572",
        "range_max_m: only for the projection omnidirectional; leave it out",
        "range_max_m: -1 m; it must be from 0.010 to 1000.000",
        "floor_colour: \"green\"; it must be like \"#4a9a5f\"",
        "sky_colour: \"#+12345\"; it must be like \"#4a9a5f\"",
        "sigma_rgb: -1; it must be from 0 to 255",
        "feature: empty; leave it out for \"image\"",
    ];
    assert_eq!(problems, expected);
}

#[test]
fn what_belongs_to_the_other_projection_is_refused() {
    let params = ImageParams { pitch_rad: Some(0.1), ..mirror(10, 10) };
    assert_eq!(wrong(params, 0.2), ["pitch_rad: only for the projection perspective; leave it out"]);
}

#[test]
fn a_camera_is_above_the_floor() {
    let message = |z_m: f64| format!("mounted at z_m = {z_m} m; the camera must be above the floor");
    assert_eq!(wrong(mirror(10, 10), 0.0), [message(0.0)]);
    assert_eq!(wrong(pinhole(10, 10), -0.1), [message(-0.1)]);
}

/// The largest image that is allowed is not too large for the border of plugins.
#[test]
fn the_largest_image_is_made() {
    let largest = camera(mirror(params::MAX_WIDTH, params::MAX_HEIGHT));
    assert_eq!(largest.layout().len(), 1920 * 1080);
    assert_eq!(largest.layout().features[0].fields[0].shape, [1080, 1920]);
}

/// A pixel of 3 x 3 samples is the mean of the nine pixels of an image that is three times as fine.
#[test]
fn samples_are_averaged() {
    let world = FakeWorld::f2000().robot(Pose2::new(0.3, 0.2, 0.1), NONE).ball([1.0, 0.2], [0.0; 2]);
    for [coarse, fine] in [[mirror(40, 30), mirror(120, 90)], [pinhole(40, 30), pinhole(120, 90)]] {
        let mean = image(&ImageParams { samples: 3, ..coarse }, &world, 0.5);
        let fine = image(&fine, &world, 0.5);
        for (at, &pixel) in mean.pixels.iter().enumerate() {
            let (column, row) = (3 * (at % 40), 3 * (at / 40));
            let level = |shift: u32| {
                let parts = (0..9).map(|i| fine.pixel(column + i % 3, row + i / 3).unwrap() >> shift & 0xff);
                (f64::from(parts.sum::<u32>()) / 9.0).round() as u32
            };
            assert_eq!(pixel, level(16) << 16 | level(8) << 8 | level(0), "pixel {at}");
        }
    }
}

/// Mean and variance of 3 x 57,600 levels, within five standard errors of sigma^2 plus that of rounding; the
/// colours of a pixel have nothing in common.
#[test]
fn the_noise_has_the_variance_that_it_claims() {
    let sigma_rgb = 12.0;
    let grey = || String::from("#808080");
    let params = ImageParams { floor_colour: grey(), sky_colour: grey(), sigma_rgb, ..pinhole(160, 120) };
    let errors: Vec<[f64; 3]> = (0..3)
        .flat_map(|step| image(&params, &alone().at(step, 0.0), 0.2).pixels)
        .map(|pixel| [16, 8, 0].map(|shift| f64::from(pixel >> shift & 0xff) - 128.0))
        .collect();
    let n = errors.len() as f64;
    let mean_of = |value: &dyn Fn(&[f64; 3]) -> f64| errors.iter().map(value).sum::<f64>() / n;
    let expected = sigma_rgb * sigma_rgb + 1.0 / 12.0;
    for colour in 0..3 {
        let mean = mean_of(&|e| e[colour]);
        assert!(mean.abs() < 5.0 * (expected / n).sqrt(), "mean {mean}");
        let variance = mean_of(&|e| e[colour] * e[colour]);
        assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
        let common = mean_of(&|e| e[colour] * e[(colour + 1) % 3]) / expected;
        assert!(common.abs() < 5.0 / n.sqrt(), "correlation {common}");
    }
    let other = errors.iter().zip(&errors[160 * 120..]).filter(|(a, b)| a == b).count();
    assert!(other < 1000, "each step has noise of its own");
}

/// Light is cut off at black and white, not wrapped.
#[test]
fn noise_does_not_wrap() {
    let params = ImageParams {
        floor_colour: "#ffffff".into(),
        sky_colour: "#000000".into(),
        sigma_rgb: 20.0,
        ..pinhole(40, 40)
    };
    let image = image(&params, &alone(), 0.2);
    let levels = |rows: std::ops::Range<usize>| {
        let pixels = image.pixels[rows.start * 40..rows.end * 40].to_vec();
        Image { width: 40, height: rows.len(), pixels }.to_rgb()
    };
    assert!(levels(0..20).iter().all(|&level| level < 120));
    assert!(levels(20..40).iter().all(|&level| level > 135));
}
