//! What was lost is told, wherever a recording is cut, saved or read. [W7]

use crate::played::{header, lively, new_world, play, read, write};
use mcap::Summary;
use std::io::Cursor;
use touchline_record::{Gap, Item, Log, LogWriter, Rerun, Ring, copy};

/// A recording in which the poses from one tick to another are missing, and the file says so.
fn with_gap(gap: Gap) -> Vec<u8> {
    let mut items: Vec<Item> = Vec::new();
    for item in play(120, lively).items {
        let is_lost = (gap.from..gap.to).contains(&item.tick()) && !matches!(item, Item::Input(_));
        if item.tick() == gap.to && matches!(item, Item::Poses(_)) {
            items.push(Item::Gap(gap));
        }
        if !is_lost {
            items.push(item);
        }
    }
    write(&items, vec![])
}

fn cut(bytes: &[u8], from: u64, to: u64) -> Log {
    read(&copy(bytes, from..=to, Cursor::new(Vec::new())).unwrap().into_inner())
}

/// A part has the rest of a gap that it begins or ends in, and knows of inputs that were lost before it.
#[test]
fn a_part_has_the_gaps_that_concern_it() {
    let gap = Gap { from: 50, to: 70, inputs_lost: false };
    let bytes = with_gap(gap);
    for (from, to, left) in [
        (0, 120, Some((50, 70))),
        (60, 120, Some((60, 70))),
        (0, 59, Some((50, 60))),
        (55, 64, Some((55, 65))),
        (69, 120, Some((69, 70))),
        (70, 120, None),
        (80, 120, None),
        (0, 49, None),
    ] {
        let part = cut(&bytes, from, to);
        let left = left.map(|(from, to)| Gap { from, to, inputs_lost: false });
        assert_eq!(part.gaps, Vec::from_iter(left), "{from} to {to}");
        assert_eq!(part.oldest(), from, "{from} to {to}");
        let lacks: u64 = part.without_digest().iter().map(|(from, to)| to - from).sum();
        let reached = left.map_or(0, |gap| gap.to.min(part.newest + 1) - gap.from);
        assert_eq!(lacks, reached, "{from} to {to}");
        assert_eq!(Rerun::new(new_world(), 100).compare(&part, |_| {}), None, "{from} to {to}");
    }
    let bytes = with_gap(Gap { inputs_lost: true, ..gap });
    for (from, to, left) in [(60, 120, Some((60, 70))), (80, 120, Some((80, 80))), (0, 49, None)] {
        let left = left.map(|(from, to)| Gap { from, to, inputs_lost: true });
        assert_eq!(cut(&bytes, from, to).gaps, Vec::from_iter(left), "{from} to {to}");
    }
}

/// A recording that lacks its beginning, or all of it, is not one of which all could be compared.
#[test]
fn what_is_missing_before_the_first_poses_is_counted() {
    let log = read(&with_gap(Gap { from: 0, to: 50, inputs_lost: false }));
    assert_eq!((log.oldest(), log.without_digest()), (0, vec![(0, 50)]));
    let inputs = play(120, lively).items.into_iter().filter(|item| matches!(item, Item::Input(_)));
    let log = read(&write(&inputs.collect::<Vec<_>>(), vec![]));
    assert_eq!(log.without_digest(), [(0, log.newest + 1)]);
    let whole = read(&write(&play(120, lively).items, vec![]));
    assert_eq!(whole.without_digest(), []);
}

/// Inputs that were lost on the way to the recorder are missing in every file that is saved later, also when the gap itself is long gone.
#[test]
fn inputs_that_never_came_are_told_for_ever() {
    let mut ring = Ring::new(60, 10 << 20);
    for item in play(250, lively).items {
        if item.tick() == 30 && matches!(item, Item::Poses(_)) {
            ring.push(Item::Gap(Gap { from: 30, to: 31, inputs_lost: true }));
        }
        ring.push(item);
    }
    let log = read(&ring.save(Cursor::new(Vec::new()), header(), vec![]).unwrap().into_inner());
    assert_eq!(log.gaps, [Gap { from: 30, to: 30, inputs_lost: true }]);
    assert!(log.inputs.iter().all(|input| input.tick <= 30), "behind one that is missing no other is of use");
    // The gap has no poses to name as lost: the file begins where its own do.
    assert!(log.oldest() >= 190 && log.without_digest().is_empty(), "{}", log.oldest());
}

/// A file that is saved later says where it begins, as a part that was cut out does, also where only its stamps can tell.
#[test]
fn what_is_saved_later_is_stamped_with_its_own_beginning() {
    let mut ring = Ring::new(60, 10 << 20);
    play(250, lively).items.into_iter().for_each(|item| ring.push(item));
    let saved = ring.save(Cursor::new(Vec::new()), header(), vec![]).unwrap().into_inner();
    // `RECORD start` goes on with it.
    let mut writer = LogWriter::new(Cursor::new(Vec::new()), header(), vec![]).unwrap();
    ring.copy_to(&mut writer).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(saved, bytes);
    let log = read(&bytes);
    assert!(log.inputs[0].tick < log.oldest(), "inputs are from the first step on");
    let stats = Summary::read(&bytes).unwrap().unwrap().stats.unwrap();
    assert_eq!(stats.message_start_time, log.header.nanoseconds(log.oldest()));
}

/// A gap in words: the last step is one that was lost.
#[test]
fn a_gap_is_told_by_its_own_steps() {
    let told = |from, to, inputs_lost| Gap { from, to, inputs_lost }.to_string();
    assert_eq!(told(5, 12, false), "steps 5 to 11: poses were lost");
    assert_eq!(told(5, 12, true), "steps 5 to 11: poses were lost, inputs too, perhaps");
    assert_eq!(told(5, 6, false), "step 5: its poses were lost");
    assert_eq!(told(5, 5, true), "from step 5 on: inputs were lost, perhaps");
}

/// A part without a state, which says names, calls the world's robots as its file does.
#[test]
fn a_short_part_knows_its_robots() {
    let whole = read(&write(&play(120, lively).items, vec![]));
    let part = cut(&write(&play(120, lively).items, vec![]), 93, 94);
    let objects = &part.blocks[0].block.objects;
    let robots = part.header.scenario.robots.len() as u32;
    let mut of_the_world =
        objects.iter().filter(|object| object.is_robot && object.number < robots).peekable();
    assert!(of_the_world.peek().is_some());
    for &object in of_the_world {
        assert_eq!(part.object_name(object), whole.object_name(object));
    }
}
