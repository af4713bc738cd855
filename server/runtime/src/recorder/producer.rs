//! What the loop tells the recorder: copies into a bounded queue, and what becomes of those that find no place.

use super::{Losses, Wake};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError};
use touchline_record::{Capture, DigestsItem, Entry, Gap, Input, Item, PosesItem, Tick, TimedInput};
use touchline_sim::{Command, Outcome, World};

/// Commands that wait for a place; when there are more, their inputs are lost as well.
const WAITING_COMMANDS: usize = 65_536;
/// Digests that wait for a place: 32 MB, 11 hours at a hundred steps a second.
const WAITING_DIGESTS: usize = 1 << 22;
/// Most digests in one item.
const DIGESTS: usize = 4096;

/// The loop's end of the recorder.
pub struct Producer {
    capture: Capture,
    sink: Sink,
    /// The recorder has nothing to do: what was gathered so far shall come.
    is_wanted: Arc<AtomicBool>,
    /// Where the space of what was written comes back.
    spares: Receiver<Item>,
}

impl Producer {
    pub(super) fn new(
        capture: Capture,
        (queue, waits): (SyncSender<Wake>, bool),
        losses: Arc<Losses>,
        is_wanted: Arc<AtomicBool>,
        spares: Receiver<Item>,
    ) -> Self {
        Self { capture, sink: Sink::new(queue, waits, losses), is_wanted, spares }
    }

    pub(super) fn begin(&mut self, world: &World) {
        self.capture.begin(world, &mut |entry| self.sink.put(entry));
    }

    /// Whether the world waits for the recorder when that cannot keep up; gives how it was before.
    pub(crate) fn wait(&mut self, waits: bool) -> bool {
        std::mem::replace(&mut self.sink.waits, waits)
    }

    /// How many steps were made.
    pub fn tick(&self) -> Tick {
        self.capture.tick()
    }

    /// See [`Capture::stepped`].
    pub fn stepped(&mut self, commands: &[Command], outcomes: &[Outcome], world: &World) {
        if self.capture.lacks_space()
            && let Ok(item) = self.spares.try_recv()
        {
            self.capture.reuse(item);
        }
        self.capture.stepped(commands, outcomes, world, &mut |entry| self.sink.put(entry));
        if self.is_wanted.load(Ordering::Relaxed) {
            self.is_wanted.store(false, Ordering::Relaxed);
            self.capture.hand_over(&mut |entry| self.sink.put(entry));
        }
    }

    /// See [`Capture::applied`].
    pub fn applied(&mut self, commands: &[Command], outcomes: &[Outcome], world: &World) {
        self.capture.applied(commands, outcomes, world, &mut |entry| self.sink.put(entry));
    }

    /// See [`Capture::sought`].
    pub fn sought(&mut self, to: Tick, world: &World) {
        self.capture.sought(to, world, &mut |entry| self.sink.put(entry));
    }
}

impl Drop for Producer {
    fn drop(&mut self) {
        self.capture.hand_over(&mut |entry| self.sink.put(entry));
        self.sink.finish();
    }
}

struct Sink {
    queue: SyncSender<Wake>,
    waits: bool,
    /// Inputs, digests, and keyframes behind a seek: they are kept until there is a place again.
    backlog: VecDeque<Entry>,
    waiting_commands: usize,
    waiting_digests: usize,
    gap: Option<Gap>,
    /// Counts what is lost, for all to see.
    losses: Arc<Losses>,
    /// The first tick that was not counted yet.
    counted: Tick,
}

impl Sink {
    fn new(queue: SyncSender<Wake>, waits: bool, losses: Arc<Losses>) -> Self {
        Self {
            queue,
            waits,
            backlog: VecDeque::new(),
            waiting_commands: 0,
            waiting_digests: 0,
            gap: None,
            losses,
            counted: 0,
        }
    }

    fn put(&mut self, entry: Entry) {
        if self.waits {
            // A thread that has ended has said why.
            let _ = self.queue.send(Wake::Entry(entry));
            return;
        }
        if self.backlog.is_empty() && self.gap.is_none() {
            if let Err(TrySendError::Full(Wake::Entry(entry))) = self.queue.try_send(Wake::Entry(entry)) {
                self.lose(entry);
            }
            return;
        }
        self.lose(entry);
        self.catch_up();
    }

    /// Keeps what must not be lost, and remembers what is.
    fn lose(&mut self, entry: Entry) {
        let (from, tick) = match &entry {
            Entry::Item(item) => (item.tick(), item.newest()),
            Entry::Key(tick, _) => (*tick, *tick),
        };
        let gap = self.gap.get_or_insert(Gap { from, to: tick, inputs_lost: false });
        gap.to = tick;
        match entry {
            Entry::Item(Item::Poses(poses)) => self.thin(&poses),
            Entry::Item(Item::Input(input)) => self.keep(input),
            // A keyframe must follow a seek, and only then one follows an input at once.
            Entry::Key(..) if matches!(self.backlog.back(), Some(Entry::Item(Item::Input(input))) if input.tick == tick) =>
            {
                self.backlog.push_back(entry);
            }
            _ => {}
        }
    }

    /// Keeps of poses what a rerun is compared with.
    fn thin(&mut self, poses: &PosesItem) {
        // Of a tick at which time stood there may be several.
        let first = poses.tick.max(self.counted);
        self.losses.poses.fetch_add((poses.newest() + 1).saturating_sub(first), Ordering::Relaxed);
        self.counted = self.counted.max(poses.newest() + 1);
        for (index, &digest) in poses.digests.iter().enumerate() {
            let (tick, step) = (poses.tick + index as u64, poses.step + index as u64);
            if self.waiting_digests >= WAITING_DIGESTS {
                self.losses.digests.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            self.waiting_digests += 1;
            if let Some(Entry::Item(Item::Digests(last))) = self.backlog.back_mut()
                && last.digests.len() < DIGESTS
                && last.extend(tick, step, poses.run, digest)
            {
                continue;
            }
            let item = DigestsItem { tick, step, run: poses.run, digests: vec![digest] };
            self.backlog.push_back(Entry::Item(Item::Digests(item)));
        }
    }

    fn keep(&mut self, input: TimedInput) {
        let count = commands(&input);
        let is_lost = self.waiting_commands + count > WAITING_COMMANDS;
        if let (true, Some(gap)) = (is_lost, &mut self.gap) {
            self.losses.inputs.fetch_add(1, Ordering::Relaxed);
            gap.inputs_lost = true;
            return;
        }
        self.waiting_commands += count;
        self.backlog.push_back(Entry::Item(Item::Input(input)));
    }

    /// Hands over what was kept. No step is held up any more, so it may wait.
    fn finish(&mut self) {
        let gap = self.gap.take().map(|gap| Entry::Item(Item::Gap(Gap { to: gap.to + 1, ..gap })));
        for entry in self.backlog.drain(..).chain(gap) {
            // A thread that has ended has said why.
            let _ = self.queue.send(Wake::Entry(entry));
        }
    }

    fn catch_up(&mut self) {
        while let Some(entry) = self.backlog.pop_front() {
            let (commands, digests) = match &entry {
                Entry::Item(Item::Input(input)) => (commands(input), 0),
                Entry::Item(Item::Digests(digests)) => (0, digests.digests.len()),
                _ => (0, 0),
            };
            if let Err(TrySendError::Full(Wake::Entry(entry))) = self.queue.try_send(Wake::Entry(entry)) {
                self.backlog.push_front(entry);
                return;
            }
            self.waiting_commands -= commands;
            self.waiting_digests -= digests;
        }
        let Some(mut gap) = self.gap else { return };
        gap.to += 1;
        if self.queue.try_send(Wake::Entry(Entry::Item(Item::Gap(gap)))).is_ok() {
            self.gap = None;
        }
    }
}

/// How many commands an input is; a seek is as good as one.
fn commands(input: &TimedInput) -> usize {
    match &input.input {
        Input::Step(commands) | Input::Apply(commands) => commands.len(),
        Input::Seek(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;
    use touchline_record::{Input, PosesItem, TimedInput};

    fn poses(tick: Tick) -> Entry {
        let poses = PosesItem { tick, step: tick, digests: vec![0], ..PosesItem::default() };
        Entry::Item(Item::Poses(poses))
    }

    fn input(tick: Tick) -> Entry {
        Entry::Item(Item::Input(TimedInput { tick, input: Input::Seek(tick) }))
    }

    fn sink(places: usize) -> (Sink, Receiver<Wake>) {
        let (queue, wakes) = sync_channel(places);
        (Sink::new(queue, false, Arc::default()), wakes)
    }

    /// What is in the queue: `p7` poses, `d3-7` digests, `i7` an input, `g3-7` a gap.
    fn drain(queue: &Receiver<Wake>) -> Vec<String> {
        queue.try_iter().map(name).collect()
    }

    fn name(wake: Wake) -> String {
        match wake {
            Wake::Entry(Entry::Item(Item::Poses(poses))) => format!("p{}", poses.tick),
            Wake::Entry(Entry::Item(Item::Input(input))) => format!("i{}", input.tick),
            Wake::Entry(Entry::Item(Item::Digests(digests))) => {
                format!("d{}-{}", digests.tick, digests.newest())
            }
            Wake::Entry(Entry::Item(Item::Gap(gap))) => {
                format!("g{}-{}{}", gap.from, gap.to, if gap.inputs_lost { "!" } else { "" })
            }
            _ => "?".into(),
        }
    }

    /// I3: nothing waits for a full queue; poses are lost and counted; their digests and inputs come later, in their order.
    #[test]
    fn a_full_queue_loses_poses_and_keeps_digests_and_inputs() {
        let (mut sink, wakes) = sink(4);
        (1..=4).for_each(|tick| sink.put(poses(tick)));
        (5..=8).for_each(|tick| sink.put(poses(tick)));
        sink.put(input(8));
        sink.put(poses(9));
        sink.put(poses(10));
        assert_eq!(drain(&wakes), ["p1", "p2", "p3", "p4"]);
        // The next entry finds places again: first what was kept, and as soon as there is room the gap.
        sink.put(poses(11));
        assert_eq!(drain(&wakes), ["d5-8", "i8", "d9-11", "g5-12"]);
        sink.put(poses(12));
        assert_eq!(drain(&wakes), ["p12"]);
        assert_eq!(sink.losses.poses.load(Ordering::Relaxed), 7);
        assert_eq!((sink.waiting_commands, sink.waiting_digests), (0, 0));
    }

    /// A world that ends while the recorder is behind hands over all that was kept.
    #[test]
    fn what_was_kept_is_handed_over_at_the_end() {
        let (mut sink, wakes) = sink(2);
        let taken = std::thread::scope(|scope| {
            (1..=6).for_each(|tick| sink.put(poses(tick)));
            sink.put(input(6));
            scope.spawn(move || {
                sink.finish();
            });
            let mut taken = Vec::new();
            while let Ok(wake) = wakes.recv() {
                taken.push(name(wake));
            }
            taken
        });
        assert_eq!(taken, ["p1", "p2", "d3-6", "i6", "g3-7"]);
    }

    /// Digests are kept as long as there is memory for a bounded number, and counted from there on.
    #[test]
    fn digests_are_bounded_and_counted() {
        let (mut sink, wakes) = sink(1);
        sink.put(poses(0));
        sink.waiting_digests = WAITING_DIGESTS - 2;
        (1..=5).for_each(|tick| sink.put(poses(tick)));
        assert_eq!(sink.losses.digests.load(Ordering::Relaxed), 3);
        drop(wakes);
    }

    /// Not even inputs are kept without end; the gap says if some were lost.
    #[test]
    fn too_many_inputs_are_lost_and_said_to_be() {
        let (mut sink, wakes) = sink(WAITING_COMMANDS + 8);
        (0..WAITING_COMMANDS as Tick + 8).for_each(|tick| sink.put(poses(tick)));
        let first = WAITING_COMMANDS as Tick + 8;
        (first..first + WAITING_COMMANDS as Tick + 3).for_each(|tick| sink.put(input(tick)));
        let last = first + WAITING_COMMANDS as Tick + 3;
        drain(&wakes);
        sink.put(poses(last));
        let taken = drain(&wakes);
        assert_eq!(taken.len(), WAITING_COMMANDS + 2, "inputs, the last digest, the gap");
        assert_eq!(taken.last(), Some(&format!("g{first}-{}!", last + 1)));
        assert_eq!(sink.losses.inputs.load(Ordering::Relaxed), 3);
    }
}
