//! What is heard, by the words of that server's manual.

use super::*;
use std::f64::consts::FRAC_PI_2;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::radio::{Inbox, MessageRecord};
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

/// A message of a robot: its number, its team, its shirt, its words.
type Said = (u32, u32, u32, &'static str);

/// Robot 0, of the left team, from cycle to cycle.
struct Listener {
    sensor: Hear,
    data: Vec<f64>,
    state: Encoded<Memory>,
    step: u64,
}

impl Listener {
    fn new(params: HearParams) -> Self {
        let setup = SensorSetup { team: Some(0), ..sensor_setup() };
        let sensor = Hear::new(params, &setup).unwrap();
        let data = sensor.data().iter().map(|datum| datum.initial).collect();
        Self { data, state: sensor.initial_state(), sensor, step: 0 }
    }

    /// Hears too that somebody has spoken.
    fn noticing(self) -> Self {
        self.with("own-partial", 1.0).with("other-partial", 1.0)
    }

    fn with(mut self, datum: &str, value: f64) -> Self {
        let place = self.sensor.data().iter().position(|other| other.name == datum).unwrap();
        self.data[place] = value;
        self
    }

    /// A cycle in which this was said by players.
    fn hear(&mut self, said: &[Said]) -> &[Row] {
        let record = |&(from, from_team, from_shirt, text): &Said| {
            (MessageRecord { from, from_team, from_shirt, ..MessageRecord::default() }, text)
        };
        self.hear_records(&said.iter().map(record).collect::<Vec<_>>())
    }

    fn hear_records(&mut self, said: &[(MessageRecord, &str)]) -> &[Row] {
        let (mut records, mut text) = (Vec::new(), String::new());
        for (record, words) in said {
            records.push(MessageRecord { start: text.len() as u32, len: words.len() as u32, ..*record });
            text.push_str(words);
        }
        self.step += 1;
        let input = AdvanceInput {
            dt_secs: 0.1,
            displacement: Pose2::ORIGIN,
            twist: Twist2::ZERO,
            pose: Pose2::ORIGIN,
            motion_data: &[],
            data: &self.data,
            inbox: Inbox { records: &records, text: text.as_bytes() },
            noise: NoiseKey::for_owner(1, "ears").at_step(self.step),
        };
        self.sensor.advance(&mut self.state, &input).unwrap();
        &self.state.0.heard
    }

    fn read(&self, world: &FakeWorld) -> impl Fn(&str) -> Vec<f64> + use<> {
        let input =
            SensorInput { data: &self.data, motion_data: &[], ..world.sensor_input(0, Mount::default()) };
        let feature = self.sensor.layout().features.remove(0);
        let mut quantised = vec![0; feature.len()];
        self.sensor.generate(&self.state, &input, &mut quantised).unwrap();
        move |name| {
            let (start, field) = feature.field(name).unwrap();
            quantised[start..start + field.len()].iter().map(|&count| field.decode(count)).collect()
        }
    }
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Hear>("{}");
    check_sensor::<Hear>(r#"{"messages": 2, "text_bytes": 3}"#);
}

/// Of two mates and two opponents that speak at once, one of each is heard; of the others, that a mate with its number and an opponent have spoken.
#[test]
fn one_of_each_team_is_heard_and_of_others_that_they_have_spoken() {
    let crowd = [(1, 0, 1, "one"), (2, 0, 2, "two"), (11, 1, 0, "ten"), (12, 1, 1, "six")];
    let mut listener = Listener::new(HearParams::default());
    assert!(
        listener.hear(&crowd).iter().all(|row| row.text.is_some()),
        "of others only who asks for it hears"
    );
    assert_eq!(listener.hear(&crowd).len(), 2);
    let mut listener = Listener::new(HearParams::default()).noticing();
    let heard = listener.hear(&crowd);
    let whole: Vec<_> = heard.iter().filter(|row| row.text.is_some()).collect();
    let spoken: Vec<_> = heard.iter().filter(|row| row.text.is_none()).collect();
    assert_eq!((whole.len(), spoken.len()), (2, 2));
    for rows in [whole, spoken] {
        assert_eq!(rows.iter().filter(|row| row.whose == Whose::Mate && row.unum.is_some()).count(), 1);
        assert_eq!(rows.iter().filter(|row| row.whose == Whose::Opponent && row.unum.is_none()).count(), 1);
    }
    // The ears are free again in the next cycle, and forget.
    assert_eq!(listener.hear(&[(1, 0, 1, "again")])[0].text.as_deref(), Some("again"));
    assert!(listener.hear(&[]).is_empty());
}

/// Who is listened to is heard, whoever else speaks.
#[test]
fn attention_chooses_a_mate_or_an_opponent() {
    let crowd: Vec<Said> = (1..8).map(|number| (number, 0, number, "mate")).collect();
    let mut listener = Listener::new(HearParams::default()).with("attention", 5.0);
    for _ in 0..20 {
        let heard = listener.hear(&crowd).iter().find(|row| row.text.is_some()).cloned().unwrap();
        assert_eq!((heard.from, heard.unum), (5, Some(5)));
    }
    let crowd: Vec<Said> = (11..18).map(|number| (number, 1, number - 11, "opponent")).collect();
    let mut listener = Listener::new(HearParams::default()).with("attention", -3.0);
    for _ in 0..20 {
        assert_eq!(listener.hear(&crowd).iter().find(|row| row.text.is_some()).unwrap().from, 14);
    }
}

#[test]
fn shut_ears_hear_nothing_of_that_kind() {
    let both: [Said; 2] = [(1, 0, 1, "ours"), (11, 1, 0, "theirs")];
    let texts = |mut listener: Listener| -> Vec<String> {
        listener.hear(&both).iter().filter_map(|row| row.text.clone()).collect()
    };
    assert_eq!(texts(Listener::new(HearParams::default()).with("other-complete", 0.0)), ["ours"]);
    assert_eq!(texts(Listener::new(HearParams::default()).with("own-complete", 0.0)), ["theirs"]);
    let mut deaf = Listener::new(HearParams::default()).with("own-complete", 0.0);
    assert!(deaf.hear(&[(1, 0, 1, "ours")]).is_empty());
}

/// Coach and referee are heard beside all others; the other team's coach is not.
#[test]
fn the_own_coach_is_always_heard() {
    let of = |sender: Sender, from_team| MessageRecord {
        sender: sender as u32,
        from_team,
        ..MessageRecord::default()
    };
    let player = MessageRecord { from: 1, from_team: 0, from_shirt: 1, ..MessageRecord::default() };
    let mut listener = Listener::new(HearParams { text_bytes: 20, ..HearParams::default() });
    let heard = listener.hear_records(&[
        (player, "player"),
        (of(Sender::TeamPlayer, 0), "coach"),
        (of(Sender::TeamPlayer, 1), "their coach"),
        (of(Sender::Referee, NONE), "referee"),
    ]);
    let told: Vec<_> = heard.iter().map(|row| (row.whose as u32, row.text.as_deref().unwrap())).collect();
    assert_eq!(told, [(3, "coach"), (4, "referee"), (1, "player")]);
}

/// A reading has the direction from the body at the time of the reading in whole degrees, cut off; texts end where they are cut.
#[test]
fn a_reading_tells_direction_and_bytes() {
    let world = FakeWorld::new()
        .robot(Pose2::new(0.0, 0.0, FRAC_PI_2), 0)
        .robot(Pose2::new(10.0, 10.0 * libm::tan(10.7f64.to_radians()), 0.0), 0);
    let mut listener = Listener::new(HearParams { text_bytes: 4, ..HearParams::default() });
    listener.hear(&[(1, 0, 2, "nächste")]);
    let heard = listener.read(&world);
    assert_eq!((heard("heard")[0], heard("sender")[0], heard("unum")[0]), (2.0, 1.0, 2.0));
    assert!((heard("direction")[0] - (-79f64).to_radians()).abs() < 1e-9, "{}", heard("direction")[0]);
    assert_eq!(heard("text")[..4], [110.0, 195.0, 164.0, 99.0]);
    assert_eq!(
        (heard("heard")[1], heard("unum")[1], heard("direction")[1]),
        (0.0, f64::INFINITY, f64::INFINITY)
    );
}

/// The seldom case: 22 speak, and a reading has room for three. What was said is there.
#[test]
fn words_find_a_row_before_what_was_only_noticed() {
    let mates = (1..11).map(|number| (number, 0, number, "mate"));
    let crowd: Vec<Said> = mates.chain((11..22).map(|number| (number, 1, number - 11, "opponent"))).collect();
    let mut listener = Listener::new(HearParams { messages: 3, ..HearParams::default() }).noticing();
    let heard = listener.hear(&crowd);
    assert_eq!(heard.len(), 3);
    assert_eq!(heard.iter().filter(|row| row.text.is_some()).count(), 2);
}

#[test]
fn every_wrong_parameter_is_named() {
    let params = HearParams { messages: 0, text_bytes: 5000, ..HearParams::default() };
    let error = Hear::new(params, &sensor_setup()).err().unwrap();
    let names: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(names, ["/messages", "/text_bytes"]);
}
