//! All inputs since the beginning, packed: what comes in at every step for hours takes megabytes.

use crate::input::TimedInput;

/// Inputs are packed when they take this much.
const OPEN_BYTES: usize = 256 << 10;

/// Inputs in the order in which they came, in bounded memory.
pub(crate) struct Inputs {
    packed: Vec<Vec<u8>>,
    /// Of all that are packed.
    packed_bytes: usize,
    open: Vec<TimedInput>,
    open_bytes: usize,
    count: usize,
    most_bytes: usize,
}

impl Inputs {
    /// Takes no more when this much memory is used.
    pub fn new(most_bytes: usize) -> Self {
        Self { packed: Vec::new(), packed_bytes: 0, open: Vec::new(), open_bytes: 0, count: 0, most_bytes }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Takes one, if there is a place for it.
    pub fn push(&mut self, input: TimedInput) -> bool {
        if self.packed_bytes + self.open_bytes >= self.most_bytes {
            return false;
        }
        self.open_bytes += input.memory_bytes();
        self.open.push(input);
        self.count += 1;
        if self.open_bytes >= OPEN_BYTES {
            self.pack();
        }
        true
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = TimedInput> {
        self.packed.iter().flat_map(|packed| unpack(packed)).chain(self.open.iter().cloned())
    }

    fn pack(&mut self) {
        let packed = serde_json::to_vec(&self.open).and_then(|text| {
            // The fastest level: it is done beside the recording.
            zstd::encode_all(&text[..], 1).map_err(serde_json::Error::io)
        });
        // What cannot be packed, which does not happen, stays as it is.
        if let Ok(packed) = packed {
            self.packed_bytes += packed.len();
            self.packed.push(packed);
            self.open = Vec::new();
            self.open_bytes = 0;
        }
    }
}

/// What was packed here comes out again.
fn unpack(packed: &[u8]) -> Vec<TimedInput> {
    let text = zstd::decode_all(packed).unwrap_or_else(|error| unreachable!("{error}"));
    serde_json::from_slice(&text).unwrap_or_else(|error| unreachable!("{error}"))
}
