//! Plays the scans of a CARMEN log through the data object of laser scans, and says how many ranges it changes. (P4, S4)
//!
//! ```sh
//! zcat fr079.log.gz | cargo run -p touchline-kit --example carmen
//! ```
//!
//! A row is `FLASER n r1 ... rn x y theta ...`, ranges in metres, beams from right to left over 180 degrees. A range is changed
//! if it comes back further off than half of the last decimal place that the log gives.

use std::error::Error;
use std::f64::consts::PI;
use std::io::{BufRead, Write};
use touchline_kit::data::{DataObject, LaserScan};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut scans, mut ranges, mut changed, mut largest_m) = (0u64, 0u64, 0u64, 0.0f64);
    let mut decimals = 0;
    for (number, line) in (1..).zip(std::io::stdin().lock().lines()) {
        let line = line?;
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("FLASER") {
            continue;
        }
        let bad = |what: &str| format!("line {number}: {what}");
        let count: u32 =
            words.next().and_then(|n| n.parse().ok()).ok_or_else(|| bad("no number of beams"))?;
        let texts: Vec<&str> = words.by_ref().take(count as usize).collect();
        if count == 0 || texts.len() != count as usize {
            return Err(bad("fewer ranges than beams").into());
        }
        let parsed: Result<Vec<f64>, _> = texts.iter().map(|text| text.parse::<f64>()).collect();
        let ranges_m = parsed.map_err(|error| bad(&error.to_string()))?;
        let step = PI / f64::from(if count % 2 == 1 && count > 1 { count - 1 } else { count });
        let scan = LaserScan { angle_min_rad: -PI / 2.0, angle_step_rad: step, ranges_m };
        let feature = LaserScan::feature("180DegreeScan", count);
        let mut quantised = vec![0; feature.len()];
        scan.encode(&feature, &mut quantised)?;
        let read = LaserScan::decode(&feature, &quantised)?;
        for ((text, before), after) in texts.iter().zip(&scan.ranges_m).zip(&read.ranges_m) {
            let places = text.split_once('.').map_or(0, |(_, places)| places.len());
            let half_place = (0..places).fold(0.5, |unit: f64, _| unit / 10.0);
            let error_m = (before - after).abs();
            decimals = decimals.max(places);
            largest_m = largest_m.max(error_m);
            // The comparison is in decimal places: binary fractions are off by less than a billionth.
            changed += u64::from(error_m > half_place + 1e-9);
        }
        scans += 1;
        ranges += u64::from(count);
    }
    let mut out = std::io::stdout();
    writeln!(out, "{scans} scans, {ranges} ranges with up to {decimals} decimal places")?;
    writeln!(out, "changed: {changed}; largest error {largest_m:e} m")?;
    Ok(())
}
