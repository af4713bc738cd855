//! Heights in the log: balls that fly, and logs of before.

use crate::played::{header, lively, play, read, write};
use std::io::Cursor;
use touchline_record::{Header, Log, LogWriter};

/// SL10: how high a ball was is in the log, to a tenth of a millimetre, and in the table; another tool sees it above the floor.
#[test]
fn a_flight_is_in_the_log() {
    let played = play(230, lively);
    let bytes = write(&played.items, vec![]);
    let log = read(&bytes);
    let height_m = |tick| {
        let (block, index) = log.sample_at(tick).unwrap();
        assert!(!block.objects[0].is_robot);
        touchline_record::poses::height_m(block.places()[index * block.objects.len()])
    };
    assert_eq!(height_m(100), 0.0);
    let expected = |secs: f64| 0.3 + 2.0 * secs - 9.81 / 2.0 * secs * secs;
    for (tick, secs) in [(115, 0.05), (119, 0.09), (170, 0.05), (178, 0.13)] {
        assert!((height_m(tick) - expected(secs)).abs() <= 0.6e-4, "{tick}: {}", height_m(tick));
    }
    let mut table = Vec::new();
    touchline_record::export::poses_csv(&log, &mut table).unwrap();
    let mut rows = csv::Reader::from_reader(&table[..]);
    let of_ball = |row: &csv::StringRecord| &row[0] == "178" && &row[3] == "ball-0";
    let row = rows.records().map(Result::unwrap).find(of_ball).unwrap();
    assert_eq!(row[7], *format!("{:.4}", height_m(178)));
    let mut table = Vec::new();
    touchline_record::export::topic_csv(&bytes[..], "/tf", &mut table).unwrap();
    let mut rows = csv::Reader::from_reader(&table[..]);
    let place = rows.headers().unwrap().iter().position(|name| name == "transforms.0.translation.z").unwrap();
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| &row[0] == "1.700000").unwrap();
    assert!((row[place].parse::<f64>().unwrap() - height_m(170)).abs() < 1e-4);
}

/// A log of before balls had a height is refused, by its number.
#[test]
fn a_log_of_format_1_is_refused() {
    let mut header = serde_json::to_value(header()).unwrap();
    header["format"] = 1.into();
    let header: Header = serde_json::from_value(header).unwrap();
    let writer = LogWriter::new(Cursor::new(Vec::new()), header, vec![]).unwrap();
    let error = Log::read(&writer.finish().unwrap().into_inner()[..]).unwrap_err().to_string();
    assert!(error.starts_with("this log has format 1, of an earlier touchline"), "{error}");
}
