//! Damaged recordings: an error, or exactly what was recorded; never anything else. [mechanism 7]

use crate::common::*;
use crate::played::{header, lively, play};
use crate::replay::Drawn;
use mcap::MAGIC;
use std::io::Cursor;
use std::sync::{Arc, OnceLock};
use touchline_record::compare_series::Series;
use touchline_record::{
    CopyError, Ending, Item, Log, LogWriter, MAX_CHUNK_BYTES, ReadError, Recovered, Rerun, copy, export,
    recover, series,
};
use touchline_sim::World;

const TOPIC: &str = "/touchline/state";
const CASES: u64 = 300;

/// A recording of some chunks, closed or not.
fn recorded(is_closed: bool) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let mut writer = LogWriter::new(&mut out, header(), vec![]).unwrap();
    for item in &play(200, lively).items {
        writer.write(item).unwrap();
        if matches!(item, Item::State(..)) {
            writer.flush().unwrap();
        }
    }
    if is_closed {
        writer.finish().unwrap();
    } else {
        // A writer that is dropped closes its file; a process that is killed does not.
        writer.flush().unwrap();
        std::mem::forget(writer);
    }
    out.into_inner()
}

fn closed() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| recorded(true))
}

/// A bit flipped, the end cut off, or a block zeroed; what was done, and where.
fn damaged(bytes: &[u8], seed: u64) -> (Vec<u8>, String) {
    let mut drawn = Drawn(seed);
    let mut bytes = bytes.to_vec();
    let at = drawn.below(bytes.len());
    match drawn.below(4) {
        0 => {
            bytes.truncate(at);
            (bytes, format!("seed {seed}: cut off at {at}"))
        }
        1 => {
            let end = (at + 1 + drawn.below(600)).min(bytes.len());
            bytes[at..end].fill(0);
            (bytes, format!("seed {seed}: zeros from {at} to {end}"))
        }
        _ => {
            bytes[at] ^= 1 << drawn.below(8);
            (bytes, format!("seed {seed}: a bit of byte {at}"))
        }
    }
}

fn verify(bytes: &[u8]) -> Result<u64, String> {
    let log = Log::read_whole(bytes).map_err(|error| error.to_string())?;
    let mut compared = 0;
    let world = World::new(busy_scenario(), Arc::new(TestFactory)).unwrap();
    match Rerun::new(world, 1000).compare(&log, |_| compared += 1) {
        None => Ok(compared),
        Some(difference) => panic!("a damaged recording was read: {difference:?}"),
    }
}

fn poses(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let log = Log::read_whole(bytes).map_err(|error| error.to_string())?;
    let mut table = Vec::new();
    export::poses_csv(&log, &mut table).unwrap();
    Ok(table)
}

/// Nothing of a table is written before all of it is known to be right.
fn states(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut table = Vec::new();
    let made = export::topic_csv(bytes, TOPIC, &mut table).map_err(|error| error.to_string());
    assert!(made.is_ok() || table.is_empty());
    made.map(|()| table)
}

fn numbers(bytes: &[u8]) -> Result<Series, String> {
    series::of_topic(bytes, TOPIC).map_err(|error| error.to_string())
}

fn part(bytes: &[u8]) -> Result<Vec<u8>, String> {
    copy(bytes, 50..=120, Cursor::new(Vec::new())).map(Cursor::into_inner).map_err(|error| error.to_string())
}

/// Whatever byte is wrong, wherever the file ends, what is made of it is what was made of the whole one, or an
/// error with its place.
#[test]
fn damage_is_an_error_or_nothing_comes_of_it() {
    let whole = (
        verify(closed()).unwrap(),
        poses(closed()).unwrap(),
        states(closed()).unwrap(),
        numbers(closed()).unwrap(),
        part(closed()).unwrap(),
    );
    assert!(whole.0 > 200 && whole.1.len() > 10_000 && whole.2.len() > 1000);
    let mut refused = 0;
    for seed in 0..CASES {
        let (bytes, what) = damaged(closed(), seed);
        if bytes == closed() {
            continue;
        }
        fn same<T: PartialEq>(made: Result<T, String>, whole: &T, what: &str) -> usize {
            match made {
                Ok(made) => {
                    assert!(made == *whole, "{what}: something else came of it");
                    0
                }
                Err(error) => {
                    let is_placed =
                        ["byte", "message", "no MCAP", "head"].iter().any(|word| error.contains(word));
                    assert!(is_placed, "{what}: {error}");
                    1
                }
            }
        }
        let errors = same(verify(&bytes), &whole.0, &what)
            + same(poses(&bytes), &whole.1, &what)
            + same(states(&bytes), &whole.2, &what)
            + same(numbers(&bytes), &whole.3, &what)
            + same(part(&bytes), &whole.4, &what);
        refused += usize::from(errors == 5);
    }
    assert!(refused as u64 > CASES * 9 / 10, "{refused}");
}

/// Of a file that was never closed, only a beginning is shown, and it is said to be no more than that.
#[test]
fn damage_in_a_file_that_was_not_closed_is_never_shown() {
    let bytes = recorded(false);
    let whole = Log::read(&bytes[..]).unwrap();
    assert!(matches!(whole.ending, Ending::CutOff { .. }));
    for seed in 0..CASES {
        let (bytes, what) = damaged(&bytes, seed);
        let Ok(log) = Log::read(&bytes[..]) else { continue };
        assert!(matches!(log.ending, Ending::CutOff { .. }), "{what}");
        assert!(whole.inputs.starts_with(&log.inputs), "{what}");
        assert!(whole.events.starts_with(&log.events), "{what}");
        let blocks = |log: &Log| log.blocks.iter().map(|logged| logged.block.clone()).collect::<Vec<_>>();
        assert!(blocks(&whole).starts_with(&blocks(&log)), "{what}");
        assert!(Log::read_whole(&bytes[..]).is_err(), "{what}");
    }
}

/// A chunk of zeros says that there is nothing in it, and the checksum of nothing is zero: it is damage all the same.
#[test]
fn a_chunk_of_zeros_is_no_empty_chunk() {
    const CHUNK: u8 = 6;
    for is_closed in [true, false] {
        let bytes = recorded(is_closed);
        let (mut at, mut chunks) = (8, 0);
        while at + 9 <= bytes.len() {
            let length = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().unwrap()) as usize;
            let body = at + 9..at + 9 + length;
            at = body.end;
            if bytes[body.start - 9] == CHUNK {
                let mut damaged = bytes.clone();
                damaged[body.clone()].fill(0);
                assert!(Log::read_whole(&damaged[..]).is_err());
                let (_, recovered) = recovered(&damaged).unwrap();
                assert!(!recovered.holes.is_empty(), "the chunk at {}", body.start);
                if let Ok(log) = Log::read(&damaged[..]) {
                    assert!(matches!(log.ending, Ending::CutOff { at_byte, .. } if at_byte < at as u64));
                }
                chunks += 1;
            }
        }
        assert!(chunks > 5, "{chunks}");
    }
}

fn recovered(bytes: &[u8]) -> Result<(Log, Recovered), CopyError> {
    let (out, recovered) = recover(Cursor::new(bytes), Cursor::new(Vec::new()))?;
    Ok((Log::read_whole(&out.into_inner()[..]).unwrap(), recovered))
}

/// An index between the chunks that claims to be 4 kB longer than it is swallows none of them.
#[test]
fn a_longer_index_swallows_no_chunk() {
    const INDEX: u8 = 7;
    let bytes = closed();
    let (_, undamaged) = recovered(bytes).unwrap();
    let (mut at, mut indexes) = (8, 0);
    while at + 9 <= bytes.len() {
        let length = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().unwrap()) as usize;
        if bytes[at] == INDEX && length & 4096 == 0 {
            indexes += 1;
            if indexes % 7 == 0 {
                let mut damaged = bytes.to_vec();
                damaged[at + 2] ^= 0x10;
                assert!(Log::read_whole(&damaged[..]).is_err(), "the index at {at}");
                let (_, recovered) = recovered(&damaged).unwrap();
                assert_eq!(recovered.chunks, undamaged.chunks, "the index at {at}");
            }
        }
        at += 9 + length;
    }
    assert!(indexes > 30, "{indexes}");
}

/// An index and a message begin alike, and differ in one bit of their kind: what was an index is no message that nobody wrote.
#[test]
fn an_index_does_not_become_a_message() {
    const INDEX: u8 = 7;
    const MESSAGE: u8 = 5;
    let bytes = closed();
    let (whole, undamaged) = recovered(bytes).unwrap();
    let (mut at, mut indexes) = (8, 0);
    while at + 9 <= bytes.len() {
        let length = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().unwrap()) as usize;
        if bytes[at] == INDEX {
            indexes += 1;
            let mut damaged = bytes.to_vec();
            damaged[at] = MESSAGE;
            assert!(Log::read_whole(&damaged[..]).is_err(), "the index at {at}");
            let (log, recovered) = recovered(&damaged).unwrap();
            assert_eq!(recovered.chunks, undamaged.chunks, "the index at {at}");
            assert_eq!(recovered.holes.len(), 1, "the index at {at}");
            assert!(log.inputs == whole.inputs && log.events == whole.events, "the index at {at}");
        }
        at += 9 + length;
    }
    assert!(indexes > 30, "{indexes}");
}

/// What is whole is kept on both sides of the damage; what is missing is named; and what is kept can be run again, if no input is
/// among what was lost.
#[test]
fn what_is_whole_on_both_sides_is_recovered() {
    for is_closed in [true, false] {
        let bytes = recorded(is_closed);
        let (whole, undamaged) = recovered(&bytes).unwrap();
        assert_eq!(undamaged.holes.len(), usize::from(!is_closed));
        let steps = |log: &Log| log.blocks.iter().map(|logged| logged.block.digests.len()).sum::<usize>();
        let (mut gaps, mut run_across) = (0, 0);
        for seed in 0..CASES / 3 {
            // One bit: so at most one chunk is not whole.
            let mut drawn = Drawn(seed);
            let (at, bit) = (drawn.below(bytes.len()), drawn.below(8));
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            let (log, recovered) = match recovered(&bytes) {
                Ok(recovered) => recovered,
                // The head stands there only once until a file is closed.
                Err(CopyError::Read(ReadError::NoHead { .. })) if !is_closed => continue,
                Err(CopyError::Read(ReadError::NotMcap)) if at < MAGIC.len() => continue,
                Err(error) => panic!("byte {at}: {error}"),
            };
            assert!(recovered.chunks + 1 >= undamaged.chunks, "byte {at}: {recovered:?}");
            let missing = steps(&whole) - steps(&log);
            assert!(missing <= 12, "byte {at}: {missing} steps");
            // What was lost is named, and nothing else.
            let is_named = recovered.lost_messages.contains_key("/touchline/poses");
            assert!(missing == 0 || is_named || log.newest < whole.newest, "byte {at}: {recovered:?}");
            let named: u64 = recovered.gaps.iter().map(|gap| gap.to - gap.from).sum();
            assert!(named <= missing as u64, "byte {at}: {recovered:?}");
            assert_eq!(log.gaps, recovered.gaps);
            gaps += usize::from(missing > 0);
            let world = World::new(busy_scenario(), Arc::new(TestFactory)).unwrap();
            let difference = Rerun::new(world, 1000).compare(&log, |_| {});
            let lost_from = log.gaps.iter().find(|gap| gap.inputs_lost).map(|gap| gap.from);
            match (difference, lost_from) {
                (None, _) => run_across += usize::from(missing > 0),
                (Some(difference), Some(from)) => assert!(difference.tick >= from, "byte {at}"),
                (Some(difference), None) => panic!("byte {at}: {difference:?}, {recovered:?}"),
            }
        }
        assert!(gaps > 15 && run_across > 8, "{gaps} {run_across}");
    }
}

/// Every message of every topic is in the copy or counted as lost, sensors' too, wherever a closed file is damaged.
#[test]
fn no_message_is_lost_without_a_word() {
    let mut writer =
        LogWriter::new(Cursor::new(Vec::new()), header(), vec!["*/probe".parse().unwrap()]).unwrap();
    for item in &play(200, lively).items {
        writer.write(item).unwrap();
        if matches!(item, Item::State(..)) {
            writer.flush().unwrap();
        }
    }
    let bytes = writer.finish().unwrap().into_inner();
    let whole = Log::read_whole(&bytes[..]).unwrap();
    let is_sensor = |topic: &str| topic.starts_with("/sensors/");
    assert!(whole.topics.iter().any(|(topic, messages)| is_sensor(topic) && *messages > 5));
    let (copy, undamaged) = recovered(&bytes).unwrap();
    assert_eq!((&copy.topics, undamaged.lost_messages.len()), (&whole.topics, 0));
    let mut lost_readings = 0;
    for seed in 0..CASES / 3 {
        let mut drawn = Drawn(seed);
        let mut damaged = bytes.clone();
        damaged[drawn.below(bytes.len())] ^= 1 << drawn.below(8);
        let Ok((copy, recovered)) = recovered(&damaged) else { continue };
        // What is lost up to the end is told by its bytes: the numbers of messages stand behind it.
        if recovered.holes.iter().any(|hole| hole.to_byte.is_none()) {
            continue;
        }
        for (topic, messages) in &whole.topics {
            let kept =
                copy.topics.iter().find(|(kept, _)| kept == topic).map_or(0, |(_, messages)| *messages);
            let lost = recovered.lost_messages.get(topic).copied().unwrap_or(0);
            // A gap that the copy names is a message more.
            let named = if topic == "/touchline/gaps" { recovered.gaps.len() as u64 } else { 0 };
            assert_eq!(kept + lost, messages + named, "{topic}, seed {seed}: {recovered:?}");
            lost_readings += if is_sensor(topic) { lost } else { 0 };
        }
    }
    assert!(lost_readings > 20, "{lost_readings}");
}

/// A chunk's record, packed: `content` unpacks to `size` bytes, or says so.
fn chunk(content: &[u8], size: u64) -> Vec<u8> {
    let packed = zstd::bulk::compress(content, 3).unwrap();
    let mut body = [0_u64.to_le_bytes(), 0_u64.to_le_bytes(), size.to_le_bytes()].concat();
    body.extend(crc32fast::hash(content).to_le_bytes());
    body.extend([&4_u32.to_le_bytes()[..], b"zstd", &(packed.len() as u64).to_le_bytes(), &packed].concat());
    [&[6][..], &(body.len() as u64).to_le_bytes(), &body].concat()
}

/// A small file that unpacks to gigabytes is refused after a small part of them.
#[test]
fn a_small_file_does_not_become_a_large_one() {
    let whole = closed();
    let first_chunk = chunk_places(whole)[0];
    let mut message = vec![0_u8; 8 << 20];
    message[0] = 5;
    message[1..9].copy_from_slice(&((8_u64 << 20) - 9).to_le_bytes());
    // A channel of that number, so that the messages are read.
    let mut content = vec![4, 0, 0, 0, 0, 0, 0, 0, 0];
    let channel =
        [&[0, 0, 0, 0][..], &3_u32.to_le_bytes(), b"/no", &4_u32.to_le_bytes(), b"json", &[0; 4]].concat();
    content[1] = channel.len() as u8;
    content.extend([&channel, &message].into_iter().flatten());
    let packed = chunk(&content, content.len() as u64);
    let bomb = [&whole[..first_chunk], &packed.repeat(1024)[..]].concat();
    assert!(bomb.len() < 2 << 20, "{}", bomb.len());
    let recovered = recover(Cursor::new(&bomb), Cursor::new(Vec::new())).map(|(_, recovered)| recovered);
    assert!(matches!(recovered, Err(CopyError::Read(ReadError::TooLarge(_)))), "{recovered:?}");
    assert!(matches!(Log::read(&bomb[..]), Err(ReadError::TooLarge(_))));
    let error = series::of_topic(&bomb[..], TOPIC).unwrap_err().to_string();
    assert!(error.contains("would unpack to"), "{error}");
    for size in [MAX_CHUNK_BYTES + 1, u64::MAX] {
        let liar = [&whole[..first_chunk], &chunk(&message, size)].concat();
        let error = series::of_topic(&liar[..], TOPIC).unwrap_err().to_string();
        assert!(error.contains("cannot be"), "{error}");
    }
    // What says too little is damaged: no more is unpacked than it says.
    let liar = [&whole[..first_chunk], &chunk(&message, 1000)].concat();
    let error = Log::read(&liar[..]).unwrap_err().to_string();
    assert!(error.contains("more than it says"), "{error}");
}

/// A cut recording, behind which every few bytes a chunk seems to begin that reaches to the end, is given up after a bounded search.
#[test]
fn what_looks_like_chunks_everywhere_is_not_searched_for_ever() {
    let whole = closed();
    let places = chunk_places(whole);
    let head_of = |left: usize| {
        let packed = (left - 53) as u64;
        let mut head = [&[6][..], &(packed + 44).to_le_bytes(), &[0; 16], &1000_u64.to_le_bytes()].concat();
        head.extend(
            [&1_u32.to_le_bytes()[..], &4_u32.to_le_bytes(), b"zstd", &packed.to_le_bytes()].concat(),
        );
        // What zstd's content begins with.
        [&head[..], b"\x28\xb5\x2f\xfd"].concat()
    };
    let of = |heads: usize| {
        let fields = head_of(53).len();
        let heads: Vec<u8> = (1..=heads).rev().flat_map(|left| head_of(left * fields)).collect();
        [&whole[..places[1]], &heads].concat()
    };
    let endless = recover(Cursor::new(of(4000)), Cursor::new(Vec::new())).map(|(_, recovered)| recovered);
    assert!(matches!(endless, Err(CopyError::Read(ReadError::Endless { .. }))), "{endless:?}");
    // A few are only damage, and what is whole behind them is kept.
    let few = [&of(20)[..], &whole[places[2]..]].concat();
    let (_, recovered) = recovered(&few).unwrap();
    assert_eq!(recovered.chunks as usize, places.len() - 1, "{recovered:?}");
}

/// What is unpacked in search of whole chunks counts as well if it turns out to be damaged.
#[test]
fn chunks_that_are_unpacked_in_vain_are_counted() {
    let whole = closed();
    let first_chunk = chunk_places(whole)[0];
    let mut damaged = chunk(&vec![0_u8; 8 << 20], 8 << 20);
    // Its checksum.
    damaged[9 + 24] ^= 1;
    let bomb = [&whole[..first_chunk], &damaged.repeat(1024)[..]].concat();
    let recovered = recover(Cursor::new(&bomb), Cursor::new(Vec::new())).map(|(_, recovered)| recovered);
    assert!(matches!(recovered, Err(CopyError::Read(ReadError::TooLarge(_)))), "{recovered:?}");
}

/// Where the chunks of a file are.
fn chunk_places(bytes: &[u8]) -> Vec<usize> {
    let (mut at, mut places) = (MAGIC.len(), Vec::new());
    while let Some(head) = bytes.get(at..at + 9) {
        if head[0] == 6 {
            places.push(at);
        }
        at += 9 + u64::from_le_bytes(head[1..].try_into().unwrap()) as usize;
    }
    places
}

/// Records that are shorter than their fields are damage, and no panic.
#[test]
fn short_records_are_damage() {
    for opcode in 1..=15_u8 {
        for length in [0_usize, 1, 3, 7, 15, 19, 20, 23, 27, 31, 40] {
            for filling in [0, 1, 0xff] {
                let body = vec![filling; length];
                let bytes = [MAGIC, &[opcode][..], &(length as u64).to_le_bytes(), &body].concat();
                assert!(Log::read(&bytes[..]).is_err());
                let mut inside = vec![opcode];
                inside.extend((length as u64).to_le_bytes());
                inside.extend(&body);
                let bytes = [MAGIC, &chunk(&inside, inside.len() as u64)].concat();
                assert!(Log::read(&bytes[..]).is_err());
            }
        }
    }
}
