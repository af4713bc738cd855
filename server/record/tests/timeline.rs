//! The past of a running world: any tick of it is reached from a keyframe. [W7, mechanism 7]

use crate::played::*;
use touchline_record::{Item, Rerun, Timeline};

/// The keys that are kept while the world runs reach every tick as a rerun does.
#[test]
fn a_live_world_is_wound_back_bit_by_bit() {
    let played = play(250, lively);
    let mut timeline = Timeline::new(new_world(), 1000);
    let mut keys = played.keys.into_iter().skip(1).peekable();
    for item in &played.items {
        match item {
            Item::Input(input) => timeline.push(input.clone()),
            item => timeline.reached(item.tick()),
        }
        if let Item::Poses(poses) = item {
            // In the order in which the capture gives them: a key stands behind the poses, or, after a seek, before.
            while let Some((tick, world)) = keys.next_if(|(tick, _)| *tick == poses.tick) {
                timeline.key(tick, world);
            }
        }
    }
    for (tick, &hash) in played.hashes.iter().enumerate() {
        assert_eq!(timeline.world_at(tick as u64).unwrap().state_hash(), hash, "tick {tick}");
    }
}

/// A world that is somewhere on the timeline goes to any other tick, forwards, back and over seeks, as if it had come from the key.
#[test]
fn a_world_is_advanced_to_any_tick() {
    let played = play(250, lively);
    let log = read(&write(&played.items, vec![]));
    let mut rerun = Rerun::new(new_world(), 25);
    assert_eq!(rerun.compare(&log, |_| {}), None);
    let timeline = rerun.into_timeline();
    let (mut world, mut here) = (timeline.world_at(0).unwrap(), 0);
    for tick in [1, 2, 59, 60, 61, 119, 120, 121, 149, 150, 151, 100, 179, 180, 181, 250, 0, 180, 249] {
        timeline.advance(&mut world, here, tick).unwrap();
        assert_eq!(world.state_hash(), played.hashes[tick as usize], "{here} to {tick}");
        here = tick;
    }
    assert!(timeline.advance(&mut world, here, 251).is_err());
    assert_eq!(world.state_hash(), played.hashes[here as usize], "it stays where it was");
}

/// Only so many keyframes are kept; what lies before is refused with what can be had.
#[test]
fn an_old_tick_is_no_longer_kept() {
    let mut timeline = Timeline::new(new_world(), 3);
    let mut world = new_world();
    for tick in 1..=100 {
        world.step(&[]);
        timeline.reached(tick);
        if tick % 10 == 0 {
            timeline.key(tick, world.fork());
        }
    }
    let refused = timeline.way_to(79).err().unwrap();
    assert_eq!((refused.oldest, refused.newest), (80, 100));
    assert!(timeline.way_to(101).is_err());
    assert_eq!(timeline.world_at(95).unwrap().step_count(), 95);
}
