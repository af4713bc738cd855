//! The last seconds, always in memory, to be saved when something has happened. [mechanism 7]

use crate::encoder::SensorChoice;
use crate::input::Moment;
use crate::log::{Gap, Header, Item};
use crate::writer::{LogWriter, WriteError};
use std::collections::VecDeque;
use std::io::{Seek, Write};

/// Keeps the newest items, and all inputs.
pub struct Ring {
    kept: Moment,
    /// Each with how many inputs had come before it.
    items: VecDeque<(usize, Item)>,
    inputs: Vec<Item>,
    input_limit: usize,
    /// The moments between which inputs found no place any more.
    lost: Option<Gap>,
}

impl Ring {
    /// Keeps this many moments, and at most so many inputs since the beginning.
    pub fn new(kept: Moment, input_limit: usize) -> Self {
        Self { kept, items: VecDeque::new(), inputs: Vec::new(), input_limit, lost: None }
    }

    /// Takes an item; the oldest go.
    pub fn push(&mut self, item: Item) {
        let newest = item.newest();
        match item {
            Item::Input(_) if self.inputs.len() >= self.input_limit => {
                let lost = self.lost.get_or_insert(Gap { from: newest, to: newest, inputs_lost: true });
                lost.to = newest;
            }
            Item::Input(_) => self.inputs.push(item),
            item => self.items.push_back((self.inputs.len(), item)),
        }
        while self.items.front().is_some_and(|(_, item)| item.newest() + self.kept < newest) {
            self.items.pop_front();
        }
    }

    /// Writes what is kept as a log. With all inputs since the beginning in it, the whole past can be run again from it.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn save<W: Write + Seek>(
        &self,
        out: W,
        header: Header,
        chosen: Vec<SensorChoice>,
    ) -> Result<W, WriteError> {
        let mut writer = LogWriter::new(out, header, chosen)?;
        self.each(|item| writer.write(item))?;
        writer.finish()
    }

    /// Everything that is kept, in the order in which it came: inputs since the beginning, the rest of the last seconds.
    ///
    /// # Errors
    /// Those of `see`, at once.
    pub fn each<E>(&self, mut see: impl FnMut(&Item) -> Result<(), E>) -> Result<(), E> {
        let mut seen = 0;
        for (inputs_before, item) in &self.items {
            self.inputs[seen..*inputs_before].iter().try_for_each(&mut see)?;
            seen = *inputs_before;
            see(item)?;
        }
        self.inputs[seen..].iter().try_for_each(&mut see)?;
        self.lost.map_or(Ok(()), |lost| see(&Item::Gap(lost)))
    }
}
