//! Tensors that are stored in a file: their types, and the bytes that may lie in a second file.

use super::message;
use super::shape::Shape;
use super::tensor::{Data, Tensor};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// What ONNX files call the types of numbers.
pub mod kind {
    pub const FLOAT32: i64 = 1;
    pub const UINT8: i64 = 2;
    pub const INT8: i64 = 3;
    pub const UINT16: i64 = 4;
    pub const INT16: i64 = 5;
    pub const INT32: i64 = 6;
    pub const INT64: i64 = 7;
    pub const BOOL: i64 = 9;
    pub const FLOAT16: i64 = 10;
    pub const FLOAT64: i64 = 11;
    pub const UINT32: i64 = 12;
}

/// `data_location` of tensors whose numbers are in another file.
const EXTERNAL: i32 = 1;

/// All weights of a network may take so much memory, bytes. The same part of a file may stand for many tensors, and a byte of it for a
/// number of eight.
const MAX_DECODED_BYTES: u64 = 1 << 28;

/// The files beside a model in which weights may lie, and what all weights may take.
pub struct Beside {
    folder: Option<PathBuf>,
    /// What was read already, by the file's name.
    files: BTreeMap<String, Vec<u8>>,
    /// How much may still be read, bytes.
    left_bytes: u64,
    /// How much memory tensors may still take, bytes.
    left_decoded_bytes: u64,
}

impl Beside {
    /// Files of `folder`, of `max_bytes` together.
    pub fn new(folder: Option<&Path>, max_bytes: u64) -> Self {
        Self {
            folder: folder.map(Path::to_owned),
            files: BTreeMap::new(),
            left_bytes: max_bytes,
            left_decoded_bytes: MAX_DECODED_BYTES,
        }
    }

    /// The bytes of a tensor, if it has any; what they become is counted before it is made.
    fn raw<'a>(&'a mut self, stored: &'a message::Tensor) -> Result<Option<&'a [u8]>, String> {
        let kind = i64::from(stored.data_type);
        if stored.data_location != EXTERNAL {
            let raw = stored.raw_data.as_deref();
            let count = raw.map_or(listed(stored), |raw| raw.len() / stored_bytes(kind));
            spend(&mut self.left_decoded_bytes, kind, count)?;
            return Ok(raw);
        }
        let (location, range) = self.place(&stored.external_data)?;
        let raw = self.files.get(location).and_then(|file| file.get(range)).unwrap_or_default();
        spend(&mut self.left_decoded_bytes, kind, raw.len() / stored_bytes(kind))?;
        Ok(Some(raw))
    }

    /// In which file a tensor lies, which is read now if it was not, and where in it.
    fn place<'a>(&mut self, entries: &'a [message::Entry]) -> Result<(&'a str, Range<usize>), String> {
        let entry =
            |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str());
        let number = |key: &str| match entry(key) {
            Some(text) => text.parse().map(Some).map_err(|_| format!("its {key} is no number: \"{text}\"")),
            None => Ok(None),
        };
        let location = entry("location").ok_or("it lies in a file that is not named")?;
        let begin: usize = number("offset")?.unwrap_or(0);
        let length: Option<usize> = number("length")?;
        if !self.files.contains_key(location) {
            let bytes = self.read(location)?;
            self.files.insert(location.to_owned(), bytes);
        }
        let bytes = self.files.get(location).map_or(0, Vec::len);
        let end = length.map_or(Some(bytes), |length| begin.checked_add(length));
        match end.filter(|&end| begin <= end && end <= bytes) {
            Some(end) => Ok((location, begin..end)),
            None => Err(format!("it lies in \"{location}\" beyond the end, which is at {bytes} bytes")),
        }
    }

    fn read(&mut self, location: &str) -> Result<Vec<u8>, String> {
        let mut parts = Path::new(location).components();
        let (Some(folder), Some(Component::Normal(name)), None) = (&self.folder, parts.next(), parts.next())
        else {
            return Err(format!("it lies in \"{location}\", which is no file in the model's own folder"));
        };
        let (path, wrong) =
            (folder.join(name), |what: &str| format!("it lies in \"{location}\", which {what}"));
        let metadata =
            std::fs::metadata(&path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
        if !metadata.is_file() {
            return Err(wrong("is not a regular file"));
        }
        if !lies_in(folder, &path) {
            return Err(wrong("is a link out of the model's own folder"));
        }
        self.left_bytes = self
            .left_bytes
            .checked_sub(metadata.len())
            .ok_or_else(|| wrong(&format!("has {} bytes, which is too much", metadata.len())))?;
        #[expect(
            clippy::disallowed_methods,
            reason = "once, when the player is made: what it decides depends on what was read"
        )]
        std::fs::read(&path).map_err(|error| wrong(&format!("cannot be read: {error}")))
    }
}

/// Whether a file is one of the folder also where it is a link. Who asks whether a model is still the same looks at no other files.
fn lies_in(folder: &Path, file: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(file).zip(real(folder)).is_some_and(|(file, folder)| file.parent() == Some(&folder))
}

/// The numbers of a tensor.
///
/// # Errors
/// When its type is not known, its numbers do not fill its shape, or all weights up to here take too much memory.
pub fn tensor(stored: &message::Tensor, beside: &mut Beside) -> Result<Tensor, String> {
    let shape = Shape::from_file(&stored.dims)?;
    let raw = beside.raw(stored)?;
    let integers = || stored.int32_data.iter().map(|&number| i64::from(number));
    let data = match i64::from(stored.data_type) {
        kind::FLOAT32 => Data::Floats(match raw {
            Some(raw) => numbers(raw, f32::from_le_bytes)?,
            None => stored.float_data.clone(),
        }),
        kind::FLOAT64 => Data::Floats(match raw {
            Some(raw) => numbers(raw, |bytes| f64::from_le_bytes(bytes) as f32)?,
            None => stored.double_data.iter().map(|&number| number as f32).collect(),
        }),
        kind::FLOAT16 => Data::Floats(match raw {
            Some(raw) => numbers(raw, |bytes| from_half(u16::from_le_bytes(bytes)))?,
            None => stored.int32_data.iter().map(|&bits| from_half(bits as u16)).collect(),
        }),
        kind::BOOL => Data::Bools(match raw {
            Some(raw) => raw.iter().map(|&byte| byte != 0).collect(),
            None => integers().map(|number| number != 0).collect(),
        }),
        kind::INT64 => Data::Integers(match raw {
            Some(raw) => numbers(raw, i64::from_le_bytes)?,
            None => stored.int64_data.clone(),
        }),
        kind::UINT32 => Data::Integers(match raw {
            Some(raw) => numbers(raw, |bytes| u32::from_le_bytes(bytes).into())?,
            None => stored.uint64_data.iter().map(|&number| i64::from(number as u32)).collect(),
        }),
        narrow => Data::Integers(match (narrow, raw) {
            (kind::INT32, Some(raw)) => numbers(raw, |bytes| i32::from_le_bytes(bytes).into())?,
            (kind::INT16, Some(raw)) => numbers(raw, |bytes| i16::from_le_bytes(bytes).into())?,
            (kind::UINT16, Some(raw)) => numbers(raw, |bytes| u16::from_le_bytes(bytes).into())?,
            (kind::INT8, Some(raw)) => numbers(raw, |bytes| i8::from_le_bytes(bytes).into())?,
            (kind::UINT8, Some(raw)) => numbers(raw, |bytes| u8::from_le_bytes(bytes).into())?,
            (kind::INT32 | kind::INT16 | kind::UINT16 | kind::INT8 | kind::UINT8, None) => {
                integers().collect()
            }
            (other, _) => return Err(unknown(other)),
        }),
    };
    Tensor::new(shape, data)
}

/// How many numbers stand one by one in a file.
fn listed(stored: &message::Tensor) -> usize {
    let message::Tensor { float_data, double_data, int32_data, int64_data, uint64_data, .. } = stored;
    float_data.len() + double_data.len() + int32_data.len() + int64_data.len() + uint64_data.len()
}

/// What a number takes in a file, bytes.
fn stored_bytes(kind: i64) -> usize {
    match kind {
        kind::FLOAT64 | kind::INT64 => 8,
        kind::FLOAT32 | kind::INT32 | kind::UINT32 => 4,
        kind::FLOAT16 | kind::INT16 | kind::UINT16 => 2,
        _ => 1,
    }
}

fn spend(left_bytes: &mut u64, kind: i64, count: usize) -> Result<(), String> {
    let each = match kind {
        kind::FLOAT16 | kind::FLOAT32 | kind::FLOAT64 => 4,
        kind::BOOL => 1,
        _ => 8,
    };
    let left = left_bytes.checked_sub((count as u64).saturating_mul(each));
    *left_bytes = left.ok_or_else(|| {
        format!("with it all weights take more than {MAX_DECODED_BYTES} bytes, which is too much")
    })?;
    Ok(())
}

/// Says that a type of numbers is not known.
pub fn unknown(kind: i64) -> String {
    format!(
        "its numbers are of a type that is not known ({kind} in the file): float32, float64, float16, int64, int32, int16, int8, uint8, \
         uint16, uint32 and bool are"
    )
}

fn numbers<const N: usize, T>(raw: &[u8], read: impl Fn([u8; N]) -> T) -> Result<Vec<T>, String> {
    let (whole, rest) = raw.as_chunks::<N>();
    if !rest.is_empty() {
        return Err(format!("{} bytes are no numbers of {N} bytes each", raw.len()));
    }
    Ok(whole.iter().map(|&bytes| read(bytes)).collect())
}

/// A number of 16 bits: a sign, 5 bits of exponent, 10 bits behind the point.
fn from_half(bits: u16) -> f32 {
    const SMALLEST: f32 = 1.0 / (1 << 24) as f32;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction as f32 * SMALLEST,
        31 => f32::from_bits(0x7f80_0000 | fraction << 13),
        // The two count their exponents from 15 and from 127.
        _ => f32::from_bits((exponent + 127 - 15) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}
