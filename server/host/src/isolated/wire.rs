//! A call as bytes: what is asked for, and how its blocks lie in the shared memory.

use super::memory::{FIRST, MEMORY_BYTES, Memory};
use touchline_plugin_api::abi::{Block, ReplyBlock, Room, Span, Visit, Visitor};

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
    rooms: Rooms,
}

/// The caller's rooms, in the order in which they are shown.
#[derive(Clone, Copy, Debug, Default)]
struct Rooms {
    list: [Lent; 4],
    len: usize,
}

/// One room of the caller's.
#[derive(Clone, Copy, Debug, Default)]
struct Lent {
    address: usize,
    cap: u64,
    place: usize,
    guard: usize,
}

/// So many bytes behind a room are to stay as they were.
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
    /// Its spans are valid, and so are its rooms as far as they have elements.
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
    unsafe fn records<T>(&mut self, source: *const T, len: u64, room: u64) -> usize {
        let Some(place) = self.place::<T>(room.max(len)) else { return 0 };
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
    fn span<T: bytemuck::Pod>(&mut self, span: &mut Span<T>) {
        if span.ptr.is_null() {
            span.len = 0;
        }
        // SAFETY: whoever packs promises that spans are valid.
        let place = unsafe { self.records(span.ptr, span.len, 0) };
        span.ptr = std::ptr::without_provenance(place);
    }

    fn room<T: bytemuck::Pod>(&mut self, room: &mut Room<T>) {
        // SAFETY: whoever packs promises that the room's elements are valid.
        let place = unsafe { self.records(room.ptr, room.len, room.cap) };
        // SAFETY: it is a constant.
        let guard = unsafe { self.records(GUARD.as_ptr(), GUARD.len() as u64, 0) };
        self.rooms.list[self.rooms.len] =
            Lent { address: room.ptr.expose_provenance(), cap: room.cap, place, guard };
        self.rooms.len += 1;
        room.ptr = std::ptr::without_provenance_mut(place);
    }
}

/// Where the two blocks of a call lie, and what was lent for the answer.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub input: usize,
    pub output: usize,
    rooms: Rooms,
}

/// Puts a call into the memory; `None` if it is too large for it.
///
/// # Safety
/// Spans and rooms of the blocks are valid.
pub unsafe fn pack<I: Visit + Copy, O: Visit + Copy>(
    memory: &Memory,
    input: &I,
    output: &O,
) -> Option<Packed> {
    let mut pack = Pack { memory, next: FIRST, is_full: false, rooms: Rooms::default() };
    // SAFETY: the caller's promise.
    let (input, output) = unsafe { (pack.put(input)?, pack.put(output)?) };
    Some(Packed { input, output, rooms: pack.rooms })
}

/// Places become pointers again, in the plugin's process.
struct Unpack<'a>(&'a Memory);

impl Visitor for Unpack<'_> {
    fn span<T: bytemuck::Pod>(&mut self, span: &mut Span<T>) {
        span.ptr = self.0.at::<u8>(span.ptr.addr()).cast();
    }

    fn room<T: bytemuck::Pod>(&mut self, room: &mut Room<T>) {
        room.ptr = self.0.at::<u8>(room.ptr.addr()).cast();
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

/// Copies what was written into the caller's rooms.
struct Fetch<'a> {
    memory: &'a Memory,
    rooms: Rooms,
    next: usize,
    /// How many records the first room has that was not kept to.
    overrun: Option<u64>,
}

impl Visitor for Fetch<'_> {
    fn span<T: bytemuck::Pod>(&mut self, _: &mut Span<T>) {}

    fn room<T: bytemuck::Pod>(&mut self, room: &mut Room<T>) {
        let Lent { address, cap, place, guard } = self.rooms.list[self.next];
        self.next += 1;
        room.ptr = std::ptr::with_exposed_provenance_mut(address);
        room.cap = cap;
        // SAFETY: it lies in the memory, and any byte will do.
        if unsafe { self.memory.at::<[u8; GUARD.len()]>(guard).read_volatile() } != GUARD {
            self.overrun.get_or_insert(cap);
        }
        // What says more than there is room for is refused by who asked.
        let len = room.len.min(cap) as usize;
        if len > 0 {
            // SAFETY: the place has room for `cap` records of plain data, and so has the caller's room.
            unsafe { std::ptr::copy_nonoverlapping(self.memory.at::<u8>(place).cast(), room.ptr, len) };
        }
    }
}

/// Takes an answer out of the memory into the caller's block and its rooms.
///
/// # Errors
/// When more was written than one of the rooms takes: so many records would have been right.
///
/// # Safety
/// The block was put there by [`pack`], with this result; its rooms are valid.
pub unsafe fn fetch<O: Block + ReplyBlock + Visit + Copy>(
    memory: &Memory,
    packed: &Packed,
    output: &mut O,
) -> Result<(), u64> {
    // SAFETY: the memory has a block there, and every bit of one may be anything: numbers and addresses, of which none is used.
    let mut answer = unsafe { memory.at::<O>(packed.output).read_volatile() };
    let mut fetch = Fetch { memory, rooms: packed.rooms, next: 0, overrun: None };
    answer.visit(&mut fetch);
    *output = answer;
    fetch.overrun.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::abi::{Create, Head, StateReply, Text};

    fn create<'a>(params: &'a [u8], setup: &'a [u8]) -> Create {
        Create { head: Head::of::<Create>(), params: Span::of(params), setup: Span::of(setup) }
    }

    /// P1: a call goes through bytes and comes back: spans, contents of rooms, what was written, and nothing else of the caller's memory.
    #[test]
    fn a_call_goes_through_bytes_and_back() {
        let memory = Memory::new().unwrap();
        let mut state = Vec::with_capacity(32);
        state.extend_from_slice(b"before");
        let mut message = Vec::with_capacity(8);
        let mut output = StateReply {
            head: Head::of::<StateReply>(),
            message: Room::of(&mut message),
            state: Room::of(&mut state),
        };
        let input = create(b"{\"a\":1}", b"");
        // SAFETY: spans and rooms are of vectors that live.
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
            let text = Room { cap, ..Room::NONE };
            let output = Text { head: Head::of::<Text>(), message: Room::NONE, text };
            // SAFETY: no span and no room has an element.
            assert!(unsafe { pack(&memory, &input, &output) }.is_none());
        }
    }
}
