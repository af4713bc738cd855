//! Memory that a call of an instance leaves to the next one.

use crate::orders::Orders;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A list with more room than this is not kept, records and bytes of text.
const MOST_KEPT: usize = 4096;
/// Orders and bytes of text for which a list has room from the start: it need not grow for what most calls order.
const FIRST_ROOM: usize = 64;

/// A list of orders without any, which one call at a time works in; another that comes meanwhile makes its own.
pub(super) struct SpareOrders(AtomicPtr<Orders>);

impl SpareOrders {
    pub(super) const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// An empty list; its memory comes back here when it is dropped, by a panic as well.
    pub(super) fn lend(&self) -> LentOrders<'_> {
        let kept = self.0.swap(null_mut(), Ordering::Acquire);
        let orders = if kept.is_null() {
            let (records, text) = (Vec::with_capacity(FIRST_ROOM), Vec::with_capacity(FIRST_ROOM));
            Box::into_raw(Box::new(Orders { records, text }))
        } else {
            kept
        };
        LentOrders { orders, home: self }
    }
}

impl Drop for SpareOrders {
    fn drop(&mut self) {
        let kept = *self.0.get_mut();
        if !kept.is_null() {
            // SAFETY: `lend` made it, and whoever had it has given it back.
            drop(unsafe { Box::from_raw(kept) });
        }
    }
}

/// A borrowed list of orders, which goes back to `home` when it is dropped.
pub(super) struct LentOrders<'a> {
    orders: *mut Orders,
    home: &'a SpareOrders,
}

impl Deref for LentOrders<'_> {
    type Target = Orders;

    fn deref(&self) -> &Orders {
        // SAFETY: a box that belongs to this loan alone.
        unsafe { &*self.orders }
    }
}

impl DerefMut for LentOrders<'_> {
    fn deref_mut(&mut self) -> &mut Orders {
        // SAFETY: likewise.
        unsafe { &mut *self.orders }
    }
}

impl Drop for LentOrders<'_> {
    fn drop(&mut self) {
        self.clear();
        let is_kept = self.records.capacity().max(self.text.capacity()) <= MOST_KEPT;
        let left = if is_kept { self.home.0.swap(self.orders, Ordering::AcqRel) } else { self.orders };
        if !left.is_null() {
            // SAFETY: `lend` made it, and nobody knows of it any more.
            drop(unsafe { Box::from_raw(left) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One after the other they have the same memory, two at a time each their own, and none sees what another ordered.
    #[test]
    fn a_loan_begins_empty_and_goes_back() {
        let spare = SpareOrders::new();
        let mut first = spare.lend();
        first.reward(1, 2.0);
        let memory = first.records.as_ptr();
        let second = spare.lend();
        assert!(second.records.is_empty() && second.records.as_ptr() != memory);
        drop(second);
        drop(first);
        let third = spare.lend();
        assert!(third.records.is_empty() && third.text.is_empty());
        assert_eq!(third.records.as_ptr(), memory);
    }

    #[test]
    fn a_list_that_grew_far_is_not_kept() {
        let spare = SpareOrders::new();
        let mut grown = spare.lend();
        (0..=MOST_KEPT).for_each(|_| grown.end());
        drop(grown);
        assert!(spare.lend().records.capacity() <= MOST_KEPT);
    }

    #[test]
    fn a_panic_gives_it_back() {
        let spare = SpareOrders::new();
        let ordered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut orders = spare.lend();
            orders.end();
            panic!("in the middle");
        }));
        assert!(ordered.is_err() && spare.lend().records.is_empty());
    }
}
