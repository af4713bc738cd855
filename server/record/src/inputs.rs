//! All inputs since the beginning, packed: what comes in at every step for hours takes megabytes, and these lie in a file without a name,
//! so that a server that runs for days takes no more memory than after a minute.

use crate::input::TimedInput;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Inputs are packed when they take this much.
const OPEN_BYTES: usize = 256 << 10;

/// Inputs in the order in which they came, in bounded space.
pub(crate) struct Inputs {
    packs: Vec<Pack>,
    /// Size of all packs, bytes.
    packed_bytes: usize,
    /// Gone with the process, however it ends. Without one, packs stay in memory.
    file: Option<File>,
    open: Vec<TimedInput>,
    open_bytes: usize,
    count: usize,
    most_bytes: usize,
}

/// Inputs that follow each other, as JSON under zstd with its checksum.
enum Pack {
    InFile { offset: u64, length: usize },
    InMemory(Vec<u8>),
}

impl Inputs {
    /// Takes no more when they take this much, packed.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            packs: Vec::new(),
            packed_bytes: 0,
            file: None,
            open: Vec::new(),
            open_bytes: 0,
            count: 0,
            most_bytes,
        }
    }

    /// Number of inputs.
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

    /// All of them; an error ends what can be had.
    pub fn iter(&self) -> impl Iterator<Item = io::Result<TimedInput>> {
        let packed = self.packs.iter().flat_map(|pack| match self.unpack(pack) {
            Ok(inputs) => inputs.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        });
        packed.chain(self.open.iter().cloned().map(Ok))
    }

    fn pack(&mut self) {
        // What cannot be packed, which does not happen, stays as it is.
        if let Ok(packed) = packed(&self.open) {
            self.packed_bytes += packed.len();
            let pack = self.put_into_file(&packed).unwrap_or(Pack::InMemory(packed));
            self.packs.push(pack);
            self.open = Vec::new();
            self.open_bytes = 0;
        }
    }

    /// Fails where there is no folder for such files, or the disk is full; then the next pack tries again.
    fn put_into_file(&mut self, packed: &[u8]) -> io::Result<Pack> {
        let mut file = match &self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        let offset = file.seek(SeekFrom::End(0))?;
        file.write_all(packed)?;
        Ok(Pack::InFile { offset, length: packed.len() })
    }

    fn unpack(&self, pack: &Pack) -> io::Result<Vec<TimedInput>> {
        match pack {
            Pack::InMemory(packed) => unpacked(packed),
            Pack::InFile { offset, length } => {
                let mut file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
                let mut packed = vec![0; *length];
                file.seek(SeekFrom::Start(*offset))?;
                file.read_exact(&mut packed)?;
                unpacked(&packed)
            }
        }
    }
}

fn packed(inputs: &[TimedInput]) -> io::Result<Vec<u8>> {
    // The fastest level: it is done beside the recording.
    let mut packer = zstd::Encoder::new(Vec::new(), 1)?;
    packer.include_checksum(true)?;
    serde_json::to_writer(&mut packer, inputs)?;
    packer.finish()
}

fn unpacked(packed: &[u8]) -> io::Result<Vec<TimedInput>> {
    Ok(serde_json::from_slice(&zstd::decode_all(packed)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

    fn many(most_bytes: usize) -> Inputs {
        let mut inputs = Inputs::new(most_bytes);
        (0..20_000).for_each(|tick| assert!(inputs.push(TimedInput { tick, input: Input::Seek(tick) })));
        inputs
    }

    /// What is packed lies in a file, and comes out as it went in.
    #[test]
    fn packs_lie_in_a_file() {
        let inputs = many(1 << 30);
        assert!(inputs.packs.len() > 1);
        assert!(inputs.packs.iter().all(|pack| matches!(pack, Pack::InFile { .. })));
        let ticks: Vec<_> = inputs.iter().map(|input| input.unwrap().tick).collect();
        assert_eq!(ticks, (0..20_000).collect::<Vec<_>>());
    }

    /// What has been damaged is an error, never another history.
    #[test]
    fn a_flipped_bit_is_an_error() {
        let inputs = many(1 << 30);
        let mut file = inputs.file.as_ref().unwrap();
        let mut flip = |at| {
            let mut byte = [0];
            file.seek(SeekFrom::Start(at)).unwrap();
            file.read_exact(&mut byte).unwrap();
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&[byte[0] ^ 0x10]).unwrap();
        };
        for at in (0..inputs.packed_bytes as u64).step_by(997) {
            flip(at);
            assert!(inputs.iter().any(|input| input.is_err()), "byte {at}");
            flip(at);
        }
        assert!(inputs.iter().all(|input| input.is_ok()));
    }
}
