//! The last seconds, always in memory, to be saved when something has happened. [mechanism 7]

use crate::input::Tick;
use crate::inputs::Inputs;
use crate::log::{Gap, Header, Item};
use crate::sensor_choice::SensorChoice;
use crate::writer::{LogWriter, WriteError};
use std::collections::VecDeque;
use std::io::{self, Seek, Write};

/// Keeps the newest items, and all inputs.
pub struct Ring {
    kept: Tick,
    /// Each with how many inputs had come before it.
    items: VecDeque<(usize, Item)>,
    inputs: Inputs,
    /// Where the first inputs were lost, here or on the way here.
    lost: Option<Gap>,
    /// Number of inputs that found no place.
    lost_inputs: u64,
}

impl Ring {
    /// Keeps this many ticks, and inputs since the beginning in so many bytes of a file without a name.
    pub fn new(kept: Tick, most_input_bytes: usize) -> Self {
        let inputs = Inputs::new(most_input_bytes);
        Self { kept, items: VecDeque::new(), inputs, lost: None, lost_inputs: 0 }
    }

    /// How many inputs found no place.
    pub fn lost_inputs(&self) -> u64 {
        self.lost_inputs
    }

    /// Takes an item; the oldest go.
    pub fn push(&mut self, item: Item) {
        let newest = item.newest();
        match item {
            // Behind one that is missing no other is of use.
            Item::Input(input) => {
                if self.lost.is_some() || !self.inputs.push(input) {
                    self.lose_inputs(newest);
                    self.lost_inputs += 1;
                }
            }
            item => {
                if let Item::Gap(Gap { from, inputs_lost: true, .. }) = item {
                    self.lose_inputs(from);
                }
                self.items.push_back((self.inputs.len(), item));
            }
        }
        while self.items.front().is_some_and(|(_, item)| item.newest() + self.kept < newest) {
            self.items.pop_front();
        }
    }

    fn lose_inputs(&mut self, tick: Tick) {
        self.lost.get_or_insert(Gap { from: tick, to: tick, inputs_lost: true });
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
        self.copy_to(&mut writer)?;
        writer.finish()
    }

    /// Writes what is kept as the beginning of a log.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn copy_to<W: Write + Seek>(&self, writer: &mut LogWriter<W>) -> Result<(), WriteError> {
        writer.begins_at(self.items.front().map_or(0, |(_, item)| item.tick()));
        self.each(|item| writer.write(item))
    }

    /// Everything that is kept, in the order in which it came: inputs since the beginning, the rest of the last seconds.
    ///
    /// # Errors
    /// Those of `see`, at once; or the inputs cannot be read again.
    pub fn each<E: From<io::Error>>(&self, mut see: impl FnMut(&Item) -> Result<(), E>) -> Result<(), E> {
        let mut seen = 0;
        let mut inputs = self.inputs.iter();
        let see_input =
            |input: io::Result<_>, see: &mut dyn FnMut(&Item) -> Result<(), E>| see(&Item::Input(input?));
        for (inputs_before, item) in &self.items {
            inputs.by_ref().take(*inputs_before - seen).try_for_each(|input| see_input(input, &mut see))?;
            seen = *inputs_before;
            see(item)?;
        }
        inputs.try_for_each(|input| see_input(input, &mut see))?;
        self.lost.map_or(Ok(()), |lost| see(&Item::Gap(lost)))
    }
}
