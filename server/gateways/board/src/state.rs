//! Sensor readings on the wire: one block, one step. [C4, C5]
//!
//! ```text
//! OK GET robot=3 step=120 sim_us=1200000 stamp_us=88123456 lines=1
//! DATA laser 88123456 361 812 811 …
//! DATA camera 88083456 2 2000 4294964796
//! NONE sonar
//! ```
//! A push has the head `STATE` in place of `OK GET`.

use crate::quantised::{FormattedSensor, ParseQuantisedError, parse_quantised};
use crate::reply::{Reply, Value, notice};
use crate::text::{is_bare, write_quoted, write_text};
use std::io::Write;

/// The readings of one robot at one step, as one client gets them.
#[derive(Clone, Debug)]
pub struct StateReply {
    robot: u32,
    step: u64,
    sim_us: u64,
    stamp_us: i64,
    body: Vec<u8>,
    lines: usize,
}

impl StateReply {
    /// `sim_us` is simulated time, `stamp_us` the same instant in the client's clock.
    pub fn new(robot: u32, step: u64, sim_us: u64, stamp_us: i64) -> Self {
        Self { robot, step, sim_us, stamp_us, body: Vec::new(), lines: 0 }
    }

    /// Stamp of the state in the client's clock, microseconds.
    pub fn stamp_us(&self) -> i64 {
        self.stamp_us
    }

    /// Appends a whole sensor, whose reading was taken so long before this step in simulated time.
    pub fn sensor(&mut self, id: &str, sensor: &FormattedSensor, age_us: u64) {
        let (len, bytes) = sensor.all();
        self.data(id, None, len, bytes, age_us);
    }

    /// Appends one feature of a sensor; nothing if the sensor has no such feature.
    pub fn feature(&mut self, id: &str, name: &str, sensor: &FormattedSensor, feature: usize, age_us: u64) {
        if let Some((len, bytes)) = sensor.feature(feature) {
            self.data(id, Some(name), len, bytes, age_us);
        }
    }

    /// Says that a sensor has nothing to be read yet, in place of its data.
    pub fn nothing(&mut self, id: &str) {
        self.body.extend_from_slice(b"NONE ");
        write_text(id, &mut self.body);
        self.end_line();
    }

    /// Says that a sensor has failed, in place of its data.
    pub fn fault(&mut self, id: &str, message: &str) {
        self.body.extend_from_slice(b"FAULT ");
        write_text(id, &mut self.body);
        self.body.push(b' ');
        write_quoted(message, &mut self.body);
        self.end_line();
    }

    fn data(&mut self, id: &str, feature: Option<&str>, len: usize, bytes: &[u8], age_us: u64) {
        let stamp_us = self.stamp_us.saturating_sub_unsigned(age_us);
        self.body.reserve(id.len() + bytes.len() + 64);
        self.body.extend_from_slice(b"DATA ");
        // Names are plain words by the rules of files; what is none by some other way does not end the line.
        match feature {
            None => write_text(id, &mut self.body),
            Some(feature) if is_bare(id) && is_bare(feature) => {
                self.body.extend_from_slice(id.as_bytes());
                self.body.push(b'.');
                self.body.extend_from_slice(feature.as_bytes());
            }
            Some(feature) => write_quoted(&format!("{id}.{feature}"), &mut self.body),
        }
        // Writing to a Vec cannot fail.
        let _ = write!(self.body, " {stamp_us} {len}");
        self.body.extend_from_slice(bytes);
        self.end_line();
    }

    fn end_line(&mut self) {
        self.body.push(b'\n');
        self.lines += 1;
    }

    fn fields(&self) -> [(&'static str, Value<'static>); 4] {
        [
            ("robot", self.robot.into()),
            ("step", self.step.into()),
            ("sim_us", self.sim_us.into()),
            ("stamp_us", self.stamp_us.into()),
        ]
    }

    /// As the answer to `GET`.
    pub fn into_reply(self) -> Reply {
        let reply = self.fields().into_iter().fold(Reply::ok(), |reply, (key, value)| reply.with(key, value));
        Reply { body: self.body, lines: Some(self.lines), ..reply }
    }

    /// Appends it as it is pushed.
    pub fn write_push(self, out: &mut Vec<u8>) {
        notice("STATE", out, |line| {
            let line = self.fields().into_iter().fold(line, |line, (key, value)| line.field(key, value));
            line.field("lines", self.lines)
        });
        out.extend_from_slice(&self.body);
    }
}

/// A `DATA` line, read; the integers are appended to the caller's array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataLine<'a> {
    /// `sensor` or `sensor.feature`, as it stands.
    pub name: &'a str,
    /// In the client's clock, microseconds.
    pub stamp_us: i64,
    /// Number of integers that were appended.
    pub len: usize,
}

/// Reads a `DATA` line without its end.
///
/// # Errors
/// When it is none, or its integers are not as many as it says.
pub fn read_data_line<'a>(
    line: &'a [u8],
    quantised: &mut Vec<u32>,
) -> Result<DataLine<'a>, crate::ProtocolError> {
    let bad = || crate::ProtocolError::BadData(String::from_utf8_lossy(&line[..line.len().min(60)]).into());
    let mut rest = line.strip_prefix(b"DATA ").ok_or_else(bad)?;
    let mut word = || {
        let end = rest.iter().position(|&b| b == b' ').unwrap_or(rest.len());
        let word = std::str::from_utf8(&rest[..end]).ok();
        rest = rest.get(end + 1..).unwrap_or_default();
        word
    };
    let name = word().ok_or_else(bad)?;
    let stamp_us = word().and_then(|word| word.parse().ok()).ok_or_else(bad)?;
    let len = word().and_then(|word| word.parse().ok()).ok_or_else(bad)?;
    let before = quantised.len();
    parse_quantised(rest, quantised).map_err(|_: ParseQuantisedError| bad())?;
    if quantised.len() - before == len { Ok(DataLine { name, stamp_us, len }) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::layout::{Feature, Field, Layout};

    #[test]
    fn data_lines_are_written_and_read() {
        let layout =
            Layout { features: vec![Feature::new("scan", vec![Field::unsigned("n", "m", 0.001, &[3])])] };
        let sensor = FormattedSensor::new(&layout, &[1, 20, u32::MAX]);
        let mut state = StateReply::new(3, 12, 120_000, -5);
        state.sensor("laser", &sensor, 0);
        state.feature("laser", "scan", &sensor, 0, 40_000);
        state.feature("laser", "none", &sensor, 1, 0);
        state.nothing("sonar");
        state.fault("cam", "panicked: \"x\"");
        let mut out = Vec::new();
        state.write_push(&mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "STATE robot=3 step=12 sim_us=120000 stamp_us=-5 lines=4\nDATA laser -5 3 1 20 4294967295\n\
             DATA laser.scan -40005 3 1 20 4294967295\nNONE sonar\nFAULT cam \"panicked: \\\"x\\\"\"\n"
        );
        let mut quantised = Vec::new();
        let line = text.lines().nth(2).unwrap();
        let read = read_data_line(line.as_bytes(), &mut quantised).unwrap();
        assert_eq!((read.name, read.stamp_us, quantised), ("laser.scan", -40_005, vec![1, 20, u32::MAX]));
        for bad in ["DATA", "DATA a", "DATA a 1 2 3", "DATA a x 0", "DATA a 1 1 -3", "STATE a 1 0", ""] {
            assert!(read_data_line(bad.as_bytes(), &mut Vec::new()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_name_with_a_line_end_stays_in_its_line() {
        let layout =
            Layout { features: vec![Feature::new("scan", vec![Field::unsigned("n", "m", 0.001, &[3])])] };
        let sensor = FormattedSensor::new(&layout, &[1, 2, 3]);
        let evil = "x\r\nOK PAUSE\r\n\u{1b}]0;title\u{7}";
        let mut state = StateReply::new(0, 1, 0, 0);
        state.sensor(evil, &sensor, 0);
        state.feature(evil, "scan", &sensor, 0, 0);
        state.feature("laser", evil, &sensor, 0, 0);
        state.nothing(evil);
        state.fault(evil, "broken");
        let mut out = Vec::new();
        state.write_push(&mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches('\n').count(), 1 + 5, "{text}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        let mut words = text.lines().map(|line| line.split(' ').next().unwrap_or_default());
        assert!(words.all(|word| ["STATE", "DATA", "NONE", "FAULT"].contains(&word)), "{text}");
    }
}
