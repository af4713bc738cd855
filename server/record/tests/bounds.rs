//! What is kept in memory is bounded, and what is thinned is counted and can be verified. [mechanism 7]

use crate::played::{command, header, lively, new_world, play, read, write};
use std::io::Cursor;
use touchline_plugin_api::geometry::Twist2;
use touchline_record::{DigestsItem, Gap, Input, Item, Log, Rerun, Ring, TimedInput, Timeline};
use touchline_sim::Action;

/// The last seconds, saved, hold the whole past as inputs, so they can be run again from the first step on.
#[test]
fn the_last_seconds_are_a_log() {
    let played = play(250, lively);
    let mut ring = Ring::new(60, 10 << 20);
    played.items.iter().for_each(|item| ring.push(item.clone()));
    let bytes = ring.save(Cursor::new(Vec::new()), header(), vec![]).unwrap().into_inner();
    let log = read(&bytes);
    assert_eq!(log.newest, 250);
    assert!(log.blocks[0].block.tick >= 190, "{}", log.blocks[0].block.tick);
    let mut rerun = Rerun::new(new_world(), 100);
    assert_eq!(rerun.compare(&log, |_| {}), None);
}

/// With more inputs than are kept, what is saved says that it cannot be run again, and from where on.
#[test]
fn inputs_that_were_not_kept_are_a_gap() {
    let played = play(250, lively);
    let input = |item: &Item| if let Item::Input(input) = item { Some(input.memory_bytes()) } else { None };
    let two = played.items.iter().filter_map(input).take(2).sum();
    let mut ring = Ring::new(60, two);
    played.items.iter().for_each(|item| ring.push(item.clone()));
    let bytes = ring.save(Cursor::new(Vec::new()), header(), vec![]).unwrap().into_inner();
    assert_eq!(read(&bytes).gaps, [Gap { from: 60, to: 60, inputs_lost: true }]);
    let inputs = played.items.iter().filter(|item| matches!(item, Item::Input(_))).count();
    assert_eq!((read(&bytes).inputs.len(), ring.lost_inputs()), (2, inputs as u64 - 2));
}

/// A flood of commands for a long time takes little memory, comes back as it was, and ends at the limit.
#[test]
fn a_flood_of_inputs_is_kept_in_bounded_memory() {
    let flood = |tick: u64| {
        let twist = |sequence| {
            command(sequence, Action::SetTwist(0, Twist2 { x_m_s: 0.1 * tick as f64, ..Twist2::ZERO }))
        };
        TimedInput { tick, input: Input::Step((0..200).map(twist).collect()) }
    };
    let mut ring = Ring::new(60, 1 << 20);
    let mut unpacked = 0;
    let mut ticks = 0;
    while ring.lost_inputs() == 0 {
        unpacked += flood(ticks).memory_bytes();
        ring.push(Item::Input(flood(ticks)));
        ticks += 1;
    }
    assert!(unpacked > 10 << 20, "ten times as much as it may take: {unpacked}");
    let mut kept = 0;
    ring.each(|item| {
        if let Item::Input(input) = item {
            assert_eq!(*input, flood(kept));
            kept += 1;
        }
        Ok::<(), std::io::Error>(())
    })
    .unwrap();
    assert_eq!(kept + ring.lost_inputs(), ticks);
}

/// The same for winding back: what can be had is less, and nothing grows without end.
#[test]
fn a_flood_of_inputs_shortens_what_can_be_wound_back() {
    let mut timeline = Timeline::new(new_world(), 300);
    for tick in 1..=200 {
        let text = Action::Say(0, "x".repeat(10_000));
        timeline.push(TimedInput { tick, input: Input::Step(vec![command(tick, text)]) });
        timeline.key(tick, new_world());
        timeline.forget_old_inputs(200_000);
    }
    assert!((180..190).contains(&timeline.oldest()), "{}", timeline.oldest());
    assert_eq!(timeline.newest(), 200);
}

/// Ticks whose poses were lost are verified by their digests.
#[test]
fn digests_alone_are_enough_to_verify() {
    let played = play(120, lively);
    let thinned = |item: &Item| match item {
        Item::Poses(poses) if (50..70).contains(&poses.tick) => {
            let digests = poses.digests.clone();
            Item::Digests(DigestsItem { tick: poses.tick, step: poses.step, run: poses.run, digests })
        }
        item => item.clone(),
    };
    let mut items: Vec<Item> = played.items.iter().map(thinned).collect();
    let whole = read(&write(&played.items, vec![]));
    let log = read(&write(&items, vec![]));
    assert_eq!(log.without_digest(), []);
    let compared = |log: &Log| {
        let mut compared = 0;
        let difference = Rerun::new(new_world(), 100).compare(log, |_| compared += 1);
        (difference, compared)
    };
    assert_eq!(compared(&log), compared(&whole));
    assert_eq!(
        log.sample_at(60).map(|(block, index)| block.tick + index as u64),
        Some(49),
        "the last that can be seen"
    );
    // One that is wrong is found.
    let wrong = items.iter_mut().find_map(|item| match item {
        Item::Digests(digests) if digests.tick > 60 => Some(digests),
        _ => None,
    });
    wrong.unwrap().digests[0] ^= 1;
    assert_eq!(compared(&read(&write(&items, vec![]))).0.unwrap().tick, 61);
}
