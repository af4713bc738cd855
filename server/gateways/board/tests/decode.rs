//! Every client makes the same values of the same integers: the cases in tests/conformance/decode. [P4, C7]

use std::fs;
use std::path::Path;
use touchline_board::{FormattedSensor, read_data_line};
use touchline_plugin_api::container::Reading;
use touchline_plugin_api::layout::{Feature, Layout};

fn number(value: &serde_json::Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap(),
    }
}

#[test]
fn integers_mean_what_the_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/conformance/decode");
    let mut cases = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let case: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let feature: Feature = serde_json::from_value(case["feature"].clone()).unwrap();
        let line = case["data"].as_str().unwrap();
        let mut quantised = Vec::new();
        let data = read_data_line(line.as_bytes(), &mut quantised).unwrap();
        assert_eq!(data.stamp_us, case["stamp_us"].as_i64().unwrap(), "{path:?}");
        assert_eq!(quantised.len(), feature.len(), "{path:?}");
        let reading = Reading { feature: &feature, quantised: &quantised, stamp_secs: 0.0 };
        for field in &feature.fields {
            let want: Vec<f64> = case["values"][&field.name].as_array().unwrap().iter().map(number).collect();
            let got: Vec<f64> = reading.field(&field.name).unwrap().collect();
            assert_eq!(got.len(), want.len(), "{path:?} {}", field.name);
            let equal = |(got, want): (&f64, &f64)| got == want || (got - want).abs() <= 1e-9 * want.abs();
            assert!(got.iter().zip(&want).all(equal), "{path:?} {}: {got:?}", field.name);
        }
        // And the server writes this very line.
        let sensor = FormattedSensor::new(&Layout { features: vec![feature.clone()] }, &quantised);
        let (len, bytes) = sensor.all();
        let tail = format!("{len}{}", String::from_utf8_lossy(bytes));
        assert!(line.ends_with(&format!(" {} {tail}", data.stamp_us)), "{path:?}: {tail}");
        cases += 1;
    }
    assert!(cases >= 5, "{cases} cases");
}
