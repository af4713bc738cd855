//! What the loop tells the recorder: copies into a bounded queue, and what becomes of those that find no place.

use super::Wake;
use std::collections::VecDeque;
use std::sync::mpsc::{SyncSender, TrySendError};
use touchline_record::{Gap, Item, Moment, Note, Tape};
use touchline_sim::{Command, Outcome, World};

/// Inputs that wait for a place; when there are more, they are lost as well.
const BACKLOG: usize = 65_536;

/// The loop's end of the recorder.
pub struct Feed {
    tape: Tape,
    sink: Sink,
}

impl Feed {
    pub(super) fn new(tape: Tape, queue: SyncSender<Wake>, waits: bool) -> Self {
        Self { tape, sink: Sink { queue, waits, backlog: VecDeque::new(), gap: None } }
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
        self.tape.stepped(commands, outcomes, world, &mut |note| self.sink.put(note));
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

struct Sink {
    queue: SyncSender<Wake>,
    waits: bool,
    /// Inputs, and key moments behind a jump: they are kept until there is a place again.
    backlog: VecDeque<Note>,
    gap: Option<Gap>,
}

impl Sink {
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
        let moment = match &note {
            Note::Item(item) => item.moment(),
            Note::Key(moment, _) => *moment,
        };
        let gap = self.gap.get_or_insert(Gap { from: moment, to: moment, inputs_lost: false });
        gap.to = moment;
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
            // The number goes the same way; if it finds no place, the next gap tells of it.
            let _ = self.queue.try_send(Wake::Lost(gap.to - gap.from));
        }
    }
}
