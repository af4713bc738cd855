//! What the loop tells the recorder: copies into a bounded queue, and what becomes of those that find no place.

use super::Wake;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError};
use touchline_record::{Gap, Item, Moment, Note, Tape};
use touchline_sim::{Command, Outcome, World};

/// Inputs that wait for a place; when there are more, they are lost as well.
const BACKLOG: usize = 65_536;

/// The loop's end of the recorder.
pub struct Feed {
    tape: Tape,
    sink: Sink,
    /// The recorder has nothing to do: what was gathered so far shall come.
    is_wanted: Arc<AtomicBool>,
    /// Where the space of what was written comes back.
    spares: Receiver<Item>,
}

impl Feed {
    pub(super) fn new(
        tape: Tape,
        (queue, waits): (SyncSender<Wake>, bool),
        lost: Arc<AtomicU64>,
        is_wanted: Arc<AtomicBool>,
        spares: Receiver<Item>,
    ) -> Self {
        Self { tape, sink: Sink::new(queue, waits, lost), is_wanted, spares }
    }

    pub(super) fn begin(&mut self, world: &World) {
        self.tape.begin(world, &mut |note| self.sink.put(note));
    }

    /// How many steps were made.
    pub fn moment(&self) -> Moment {
        self.tape.moment()
    }

    /// See [`Tape::stepped`].
    pub fn stepped(&mut self, commands: &[Command], outcomes: &[Outcome], world: &World) {
        if self.tape.lacks_space()
            && let Ok(item) = self.spares.try_recv()
        {
            self.tape.reuse(item);
        }
        self.tape.stepped(commands, outcomes, world, &mut |note| self.sink.put(note));
        if self.is_wanted.load(Ordering::Relaxed) {
            self.is_wanted.store(false, Ordering::Relaxed);
            self.tape.hand_over(&mut |note| self.sink.put(note));
        }
    }

    /// See [`Tape::applied`].
    pub fn applied(&mut self, commands: &[Command], outcomes: &[Outcome], world: &World) {
        self.tape.applied(commands, outcomes, world, &mut |note| self.sink.put(note));
    }

    /// See [`Tape::jumped`].
    pub fn jumped(&mut self, to: Moment, world: &World) {
        self.tape.jumped(to, world, &mut |note| self.sink.put(note));
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.tape.hand_over(&mut |note| self.sink.put(note));
    }
}

struct Sink {
    queue: SyncSender<Wake>,
    waits: bool,
    /// Inputs, and key moments behind a jump: they are kept until there is a place again.
    backlog: VecDeque<Note>,
    gap: Option<Gap>,
    /// Counts the moments whose poses are lost, for all to see.
    lost: Arc<AtomicU64>,
    /// The first moment that was not counted yet.
    counted: Moment,
}

impl Sink {
    fn new(queue: SyncSender<Wake>, waits: bool, lost: Arc<AtomicU64>) -> Self {
        Self { queue, waits, backlog: VecDeque::new(), gap: None, lost, counted: 0 }
    }

    fn put(&mut self, note: Note) {
        if self.waits {
            // A thread that has ended has said why.
            let _ = self.queue.send(Wake::Note(note));
            return;
        }
        if self.backlog.is_empty() && self.gap.is_none() {
            if let Err(TrySendError::Full(Wake::Note(note))) = self.queue.try_send(Wake::Note(note)) {
                self.lose(note);
            }
            return;
        }
        self.lose(note);
        self.catch_up();
    }

    /// Keeps what must not be lost, and remembers what is.
    fn lose(&mut self, note: Note) {
        let (from, moment) = match &note {
            Note::Item(item) => (item.moment(), item.newest()),
            Note::Key(moment, _) => (*moment, *moment),
        };
        let gap = self.gap.get_or_insert(Gap { from, to: moment, inputs_lost: false });
        gap.to = moment;
        if let Note::Item(Item::Poses(poses)) = &note {
            // Of a moment at which time stood there may be several.
            let first = poses.moment.max(self.counted);
            self.lost.fetch_add((moment + 1).saturating_sub(first), Ordering::Relaxed);
            self.counted = self.counted.max(moment + 1);
        }
        match &note {
            Note::Item(Item::Input(_)) if self.backlog.len() < BACKLOG => self.backlog.push_back(note),
            Note::Item(Item::Input(_)) => gap.inputs_lost = true,
            // A key moment must follow a jump, and only then one follows an input at once.
            Note::Key(..) if matches!(self.backlog.back(), Some(Note::Item(Item::Input(input))) if input.moment == moment) =>
            {
                self.backlog.push_back(note);
            }
            _ => {}
        }
    }

    fn catch_up(&mut self) {
        while let Some(note) = self.backlog.pop_front() {
            if let Err(TrySendError::Full(Wake::Note(note))) = self.queue.try_send(Wake::Note(note)) {
                self.backlog.push_front(note);
                return;
            }
        }
        let Some(mut gap) = self.gap else { return };
        gap.to += 1;
        if self.queue.try_send(Wake::Note(Note::Item(Item::Gap(gap)))).is_ok() {
            self.gap = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;
    use touchline_record::{Input, PosesItem, TimedInput};

    fn poses(moment: Moment) -> Note {
        Note::Item(Item::Poses(PosesItem { moment, step: moment, run: 0, moments: 1, objects: Vec::new() }))
    }

    fn input(moment: Moment) -> Note {
        Note::Item(Item::Input(TimedInput { moment, input: Input::Jump(moment) }))
    }

    fn sink(places: usize) -> (Sink, Receiver<Wake>) {
        let (queue, wakes) = sync_channel(places);
        (Sink::new(queue, false, Arc::default()), wakes)
    }

    /// What is in the queue: `p7` poses, `i7` an input, `g3-7` a gap.
    fn drain(queue: &Receiver<Wake>) -> Vec<String> {
        let name = |wake| match wake {
            Wake::Note(Note::Item(Item::Poses(poses))) => format!("p{}", poses.moment),
            Wake::Note(Note::Item(Item::Input(input))) => format!("i{}", input.moment),
            Wake::Note(Note::Item(Item::Gap(gap))) => {
                format!("g{}-{}{}", gap.from, gap.to, if gap.inputs_lost { "!" } else { "" })
            }
            _ => "?".into(),
        };
        queue.try_iter().map(name).collect()
    }

    /// I3: nothing waits for a full queue; poses are lost and counted, inputs come later, in their order.
    #[test]
    fn a_full_queue_loses_poses_and_keeps_inputs() {
        let (mut sink, wakes) = sink(4);
        (1..=4).for_each(|moment| sink.put(poses(moment)));
        for moment in 5..=9 {
            sink.put(poses(moment));
            sink.put(input(moment));
        }
        assert_eq!(drain(&wakes), ["p1", "p2", "p3", "p4"]);
        // The next note finds places again: first what was kept, and as soon as there is room the gap.
        sink.put(poses(10));
        assert_eq!(drain(&wakes), ["i5", "i6", "i7", "i8"]);
        sink.put(poses(11));
        assert_eq!(drain(&wakes), ["i9", "g5-12"]);
        sink.put(poses(12));
        assert_eq!(drain(&wakes), ["p12"]);
        assert_eq!(sink.lost.load(Ordering::Relaxed), 7);
    }

    /// Not even inputs are kept without end; the gap says if some were lost.
    #[test]
    fn too_many_inputs_are_lost_and_said_to_be() {
        let (mut sink, wakes) = sink(BACKLOG + 8);
        (0..BACKLOG as Moment + 8).for_each(|moment| sink.put(poses(moment)));
        let first = BACKLOG as Moment + 8;
        (first..first + BACKLOG as Moment + 3).for_each(|moment| sink.put(input(moment)));
        let last = first + BACKLOG as Moment + 3;
        drain(&wakes);
        sink.put(poses(last));
        let taken = drain(&wakes);
        assert_eq!(taken.len(), BACKLOG + 1);
        assert_eq!(taken.last(), Some(&format!("g{first}-{}!", last + 1)));
    }
}
