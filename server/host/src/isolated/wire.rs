//! A call as bytes: what is asked for, and how its blocks lie in the shared memory.

use super::memory::{FIRST, MEMORY_BYTES, Memory};
use touchline_plugin_api::abi::{Block, Buffer, ReplyBlock, Slice, Visit, Visitor};

/// What can be asked for: the table's functions, and what comes before there is a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Call {
    /// Loads a library: its path comes as parameters, and what became of it goes as JSON.
    Load = 1,
    /// Loads a library and makes an instance on trial.
    Try,
    /// Makes the instance that later calls go to.
    Create,
    /// Destroys the instance.
    Destroy,
    /// See the [`Table`](touchline_plugin_api::abi::Table), as for all that follow.
    InitialState,
    AdvanceMotion,
    AdvanceSensor,
    Generate,
    Act,
    Prepare,
    Judge,
}

impl Call {
    const ALL: [Self; 11] = [
        Self::Load,
        Self::Try,
        Self::Create,
        Self::Destroy,
        Self::InitialState,
        Self::AdvanceMotion,
        Self::AdvanceSensor,
        Self::Generate,
        Self::Act,
        Self::Prepare,
        Self::Judge,
    ];

    /// The call of a number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as u32 == number)
    }
}

/// Where the parts of a call are put, one behind the other; pointers become places.
struct Pack<'a> {
    memory: &'a Memory,
    next: usize,
    is_full: bool,
    buffers: Buffers,
}

/// The caller's buffers, in the order in which they are shown.
#[derive(Clone, Copy, Debug, Default)]
struct Buffers {
    list: [Lent; 4],
    len: usize,
}

/// One buffer of the caller's.
#[derive(Clone, Copy, Debug, Default)]
struct Lent {
    address: usize,
    cap: u64,
    place: usize,
    guard: usize,
}

/// So many bytes behind a buffer are to stay as they were.
const GUARD: [u8; 64] = [0xa5; 64];

impl Pack<'_> {
    /// The next place for so many records.
    fn place<T>(&mut self, count: u64) -> Option<usize> {
        let start = self.next.next_multiple_of(align_of::<T>());
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(size_of::<T>()));
        let end = bytes.and_then(|bytes| start.checked_add(bytes)).filter(|&end| end <= MEMORY_BYTES);
        self.is_full |= end.is_none();
        self.next = end?;
        Some(start)
    }

    /// Puts a block there, with all that it lends; gives its place.
    ///
    /// # Safety
    /// Its slices are valid, and so are its buffers as far as they have elements.
    unsafe fn put<B: Visit + Copy>(&mut self, block: &B) -> Option<usize> {
        let place = self.place::<B>(1)?;
        let mut copy = *block;
        copy.visit(self);
        // SAFETY: there is room for it at that place.
        unsafe { self.memory.at::<B>(place).write(copy) };
        (!self.is_full).then_some(place)
    }

    /// Copies records to a place with room for more.
    ///
    /// # Safety
    /// So many records can be read at the source.
    unsafe fn records<T>(&mut self, source: *const T, len: u64, buffer: u64) -> usize {
        let Some(place) = self.place::<T>(buffer.max(len)) else { return 0 };
        if len > 0 {
            // SAFETY: the caller's promise; the place has room for them.
            unsafe {
                std::ptr::copy_nonoverlapping(source, self.memory.at::<u8>(place).cast(), len as usize)
            };
        }
        place
    }
}

impl Visitor for Pack<'_> {
    fn slice<T: bytemuck::Pod>(&mut self, slice: &mut Slice<T>) {
        if slice.ptr.is_null() {
            slice.len = 0;
        }
        // SAFETY: whoever packs promises that slices are valid.
        let place = unsafe { self.records(slice.ptr, slice.len, 0) };
        slice.ptr = std::ptr::without_provenance(place);
    }

    fn buffer<T: bytemuck::Pod>(&mut self, buffer: &mut Buffer<T>) {
        // SAFETY: whoever packs promises that the buffer's elements are valid.
        let place = unsafe { self.records(buffer.ptr, buffer.len, buffer.cap) };
        // SAFETY: it is a constant.
        let guard = unsafe { self.records(GUARD.as_ptr(), GUARD.len() as u64, 0) };
        self.buffers.list[self.buffers.len] =
            Lent { address: buffer.ptr.expose_provenance(), cap: buffer.cap, place, guard };
        self.buffers.len += 1;
        buffer.ptr = std::ptr::without_provenance_mut(place);
    }
}

/// Where the two blocks of a call lie, and what was lent for the answer.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub input: usize,
    pub output: usize,
    buffers: Buffers,
}

/// Puts a call into the memory; `None` if it is too large for it.
///
/// # Safety
/// Slices and buffers of the blocks are valid.
pub unsafe fn pack<I: Visit + Copy, O: Visit + Copy>(
    memory: &Memory,
    input: &I,
    output: &O,
) -> Option<Packed> {
    let mut pack = Pack { memory, next: FIRST, is_full: false, buffers: Buffers::default() };
    // SAFETY: the caller's promise.
    let (input, output) = unsafe { (pack.put(input)?, pack.put(output)?) };
    Some(Packed { input, output, buffers: pack.buffers })
}

/// Places become pointers again, in the plugin's process.
struct Unpack<'a>(&'a Memory);

impl Visitor for Unpack<'_> {
    fn slice<T: bytemuck::Pod>(&mut self, slice: &mut Slice<T>) {
        slice.ptr = self.0.at::<u8>(slice.ptr.addr()).cast();
    }

    fn buffer<T: bytemuck::Pod>(&mut self, buffer: &mut Buffer<T>) {
        buffer.ptr = self.0.at::<u8>(buffer.ptr.addr()).cast();
    }
}

/// A block that the server put there, as the plugin's process reads it.
///
/// # Safety
/// A block of this type was put at the place by [`pack`], and nobody else uses it.
pub unsafe fn unpack<B: Visit>(memory: &Memory, place: usize) -> *mut B {
    let block = memory.at::<B>(place);
    // SAFETY: the caller's promise.
    unsafe { (*block).visit(&mut Unpack(memory)) };
    block
}

/// Copies what was written into the caller's buffers.
struct Fetch<'a> {
    memory: &'a Memory,
    buffers: Buffers,
    next: usize,
    /// How many records the first buffer has that was not kept to.
    overrun: Option<u64>,
}

impl Visitor for Fetch<'_> {
    fn slice<T: bytemuck::Pod>(&mut self, _: &mut Slice<T>) {}

    fn buffer<T: bytemuck::Pod>(&mut self, buffer: &mut Buffer<T>) {
        let Lent { address, cap, place, guard } = self.buffers.list[self.next];
        self.next += 1;
        buffer.ptr = std::ptr::with_exposed_provenance_mut(address);
        buffer.cap = cap;
        // SAFETY: it lies in the memory, and any byte will do.
        if unsafe { self.memory.at::<[u8; GUARD.len()]>(guard).read_volatile() } != GUARD {
            self.overrun.get_or_insert(cap);
        }
        // What says more than there is room for is refused by who asked.
        let len = buffer.len.min(cap) as usize;
        if len > 0 {
            // SAFETY: the place has room for `cap` records of plain data, and so has the caller's buffer.
            unsafe { std::ptr::copy_nonoverlapping(self.memory.at::<u8>(place).cast(), buffer.ptr, len) };
        }
    }
}

/// Takes an answer out of the memory into the caller's block and its buffers.
///
/// # Errors
/// When more was written than one of the buffers takes: so many records would have been right.
///
/// # Safety
/// The block was put there by [`pack`], with this result; its buffers are valid.
pub unsafe fn fetch<O: Block + ReplyBlock + Visit + Copy>(
    memory: &Memory,
    packed: &Packed,
    output: &mut O,
) -> Result<(), u64> {
    // SAFETY: the memory has a block there, and every bit of one may be anything: numbers and addresses, of which none is used.
    let mut answer = unsafe { memory.at::<O>(packed.output).read_volatile() };
    let mut fetch = Fetch { memory, buffers: packed.buffers, next: 0, overrun: None };
    answer.visit(&mut fetch);
    *output = answer;
    fetch.overrun.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::abi::{Create, Head, StateReply, Text};

    fn create<'a>(params: &'a [u8], setup: &'a [u8]) -> Create {
        Create { head: Head::of::<Create>(), params: Slice::of(params), setup: Slice::of(setup) }
    }

    /// P1: a call goes through bytes and comes back: slices, contents of buffers, what was written, and nothing else of the caller's memory.
    #[test]
    fn a_call_goes_through_bytes_and_back() {
        let memory = Memory::new().unwrap();
        let mut state = Vec::with_capacity(32);
        state.extend_from_slice(b"before");
        let mut message = Vec::with_capacity(8);
        let mut output = StateReply {
            head: Head::of::<StateReply>(),
            message: Buffer::of(&mut message),
            state: Buffer::of(&mut state),
        };
        let input = create(b"{\"a\":1}", b"");
        // SAFETY: slices and buffers are of vectors that live.
        let packed = unsafe { pack(&memory, &input, &output) }.unwrap();
        // SAFETY: they were packed just now.
        let (asked, answer) = unsafe {
            (&*unpack::<Create>(&memory, packed.input), &mut *unpack::<StateReply>(&memory, packed.output))
        };
        // SAFETY: as above.
        unsafe {
            assert_eq!((asked.params.slice(), asked.setup.slice()), (&b"{\"a\":1}"[..], &b""[..]));
            assert_eq!(std::slice::from_raw_parts(answer.state.ptr, answer.state.len as usize), b"before");
            answer.state.ptr.copy_from_nonoverlapping(b"after it".as_ptr(), 8);
        }
        answer.state.len = 8;
        answer.state.cap = u64::MAX;
        answer.message.len = 9;
        // SAFETY: as above.
        assert_eq!(unsafe { fetch(&memory, &packed, &mut output) }, Ok(()));
        assert_eq!((output.state.len, output.state.cap, output.message.len), (8, state.capacity() as u64, 9));
        assert_eq!(output.state.ptr, state.as_mut_ptr());
        // SAFETY: so many were written.
        unsafe { state.set_len(8) };
        assert_eq!(state, b"after it");
        // SAFETY: the memory is much longer.
        unsafe { answer.state.ptr.add(state.capacity()).write(0) };
        // SAFETY: as above.
        assert_eq!(unsafe { fetch(&memory, &packed, &mut output) }, Err(state.capacity() as u64));
    }

    /// P1: what does not fit is refused, whatever it says of its size.
    #[test]
    fn a_call_that_is_too_large_is_refused() {
        let memory = Memory::new().unwrap();
        let input = create(b"", b"");
        for cap in [MEMORY_BYTES as u64, u64::MAX / 2, u64::MAX] {
            let text = Buffer { cap, ..Buffer::NONE };
            let output = Text { head: Head::of::<Text>(), message: Buffer::NONE, text };
            // SAFETY: no slice and no buffer has an element.
            assert!(unsafe { pack(&memory, &input, &output) }.is_none());
        }
    }
}
