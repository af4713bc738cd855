//! Memory that the caller of a function lends: slices to read, buffers to write.

use abi_stable::StableAbi;

/// Records that the caller lends for reading.
#[repr(C)]
#[derive(Debug, StableAbi)]
pub struct Slice<T> {
    /// The first; may be dangling or null if there is none.
    pub ptr: *const T,
    /// How many; 64 bits wherever the plugin runs.
    pub len: u64,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<T> {}

impl<T> Slice<T> {
    /// Lends a slice; it must outlive the span.
    pub const fn of(slice: &[T]) -> Self {
        Self { ptr: slice.as_ptr(), len: slice.len() as u64 }
    }

    /// The records.
    ///
    /// # Safety
    /// They are valid for `'a`.
    pub unsafe fn slice<'a>(self) -> &'a [T] {
        if self.len == 0 || self.ptr.is_null() {
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len as usize) }
    }
}

/// Buffer that the caller lends for an output.
#[repr(C)]
#[derive(Debug, StableAbi)]
pub struct Buffer<T> {
    /// The first place; may be dangling or null if there is none.
    pub ptr: *mut T,
    /// How many are there: before a call a state's length, after it what was written.
    pub len: u64,
    /// How many there is room for.
    pub cap: u64,
    /// How many there must be room for; counts only with [`super::status::BUFFER_TOO_SMALL`].
    pub needed: u64,
}

impl<T> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Buffer<T> {}

impl<T> Buffer<T> {
    /// A buffer without memory.
    pub const NONE: Self = Self { ptr: std::ptr::null_mut(), len: 0, cap: 0, needed: 0 };

    /// Lends all the memory of a vector; its elements are the input.
    pub fn of(vec: &mut Vec<T>) -> Self {
        Self { ptr: vec.as_mut_ptr(), len: vec.len() as u64, cap: vec.capacity() as u64, needed: 0 }
    }

    /// Lends memory that need not be initialised.
    pub fn of_uninit(memory: &mut [std::mem::MaybeUninit<T>]) -> Self {
        Self { ptr: memory.as_mut_ptr().cast(), len: 0, cap: memory.len() as u64, needed: 0 }
    }
}
