//! Large memory in large pages.
//!
//! A crawl jumps about in arrays of many megabytes. With memory pages of four kilobytes nearly every
//! jump needs a new address translation, which costs more than the jump itself, above all in a
//! virtual machine. Where the system offers larger pages on request (Linux), they are asked for.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, asking for large pages where it pays.
pub struct LargePages;

/// Smaller allocations gain nothing.
const LARGE: usize = 1 << 20;
/// The size of a large page, to which large allocations are fitted so that they consist of nothing else.
const PAGE: usize = 2 << 20;

/// What is asked of the system for a layout.
fn fitted(layout: Layout) -> Layout {
    if !cfg!(target_os = "linux") || layout.size() < LARGE {
        return layout;
    }
    let size = layout.size().next_multiple_of(PAGE);
    Layout::from_size_align(size, layout.align().max(PAGE)).unwrap_or(layout)
}

// SAFETY: everything is done by the system's allocator. Memory is always given back with the layout it
// was asked for with, since `fitted` depends on the layout alone; and what is asked for is at least as
// large and as aligned as the caller wants. Advice does not change what memory holds.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let fitted = fitted(layout);
        // SAFETY: the size is not zero, since the caller's is not.
        advise(unsafe { System.alloc(fitted) }, fitted.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let fitted = fitted(layout);
        // SAFETY: as above.
        advise(unsafe { System.alloc_zeroed(fitted) }, fitted.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: it was asked for with this layout.
        unsafe { System.dealloc(pointer, fitted(layout)) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is sound with this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let (old, new) = (fitted(layout), fitted(wanted));
        if old == new {
            return pointer;
        }
        if old == layout && new == wanted {
            // SAFETY: the caller keeps the contract, which is the same.
            return unsafe { System.realloc(pointer, layout, size) };
        }
        // SAFETY: as for `alloc` and `dealloc`; the two pieces of memory do not overlap, and both hold
        // at least what is copied.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(pointer, moved, layout.size().min(size));
                self.dealloc(pointer, layout);
            }
            moved
        }
    }
}

#[cfg(target_os = "linux")]
fn advise(pointer: *mut u8, size: usize) -> *mut u8 {
    if size >= PAGE && !pointer.is_null() {
        // SAFETY: the range is what was just allocated. If the system refuses, nothing is lost.
        unsafe { libc::madvise(pointer.cast(), size, libc::MADV_HUGEPAGE) };
    }
    pointer
}

#[cfg(not(target_os = "linux"))]
fn advise(pointer: *mut u8, _: usize) -> *mut u8 {
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_keeps_what_it_holds_as_it_grows_and_shrinks() {
        let sizes = [10, LARGE - 1, LARGE, PAGE, PAGE + 1, 3 * PAGE, PAGE, LARGE - 1, 20];
        let layout = |size| Layout::from_size_align(size, 8).expect("a layout");
        // SAFETY: every piece is given back with its layout, and only what is held is looked at.
        unsafe {
            let mut pointer = LargePages.alloc(layout(sizes[0]));
            pointer.write_bytes(7, sizes[0]);
            for pair in sizes.windows(2) {
                pointer = LargePages.realloc(pointer, layout(pair[0]), pair[1]);
                let held = std::slice::from_raw_parts(pointer, pair[0].min(pair[1]));
                assert!(held.iter().all(|&byte| byte == 7), "{pair:?}");
                pointer.write_bytes(7, pair[1]);
            }
            LargePages.dealloc(pointer, layout(20));
            let zeroed = LargePages.alloc_zeroed(layout(PAGE + 5));
            assert!(std::slice::from_raw_parts(zeroed, PAGE + 5).iter().all(|&byte| byte == 0));
            LargePages.dealloc(zeroed, layout(PAGE + 5));
        }
    }
}
