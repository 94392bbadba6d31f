//! Where memory comes from: large memory in large pages, small memory from mimalloc.
//!
//! A crawl jumps about in arrays of many megabytes. With memory pages of four kilobytes nearly every
//! jump needs a new address translation, which costs more than the jump itself, above all in a
//! virtual machine. Where the system offers larger pages on request (Linux), they are asked for.
//!
//! Reading a page takes hundreds of small pieces of memory, which mimalloc hands out in a fraction of
//! the system's time: a tenth of what a page costs.

use std::alloc::{GlobalAlloc, Layout, System};

use libmimalloc_sys::mi_free;

/// Large memory from the system in large pages, small memory from mimalloc.
pub struct LargePages;

/// What is smaller gains nothing from large pages.
const LARGE: usize = 4 << 20;

// SAFETY: everything is done by one of two allocators, by the size alone, so that memory goes back to
// where it came from; advice does not change what memory holds.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() < LARGE {
            // SAFETY: the caller keeps the contract, which is the same.
            return unsafe { small::alloc(layout) };
        }
        // SAFETY: as above.
        advise(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() < LARGE {
            // SAFETY: as above.
            return unsafe { small::alloc_zeroed(layout) };
        }
        // SAFETY: as above.
        advise(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if layout.size() < LARGE {
            // SAFETY: as above.
            return unsafe { mi_free(pointer.cast()) };
        }
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.size() < LARGE && size < LARGE {
            // SAFETY: as above.
            return unsafe { small::realloc(pointer, layout, size) };
        }
        if layout.size() < LARGE || size < LARGE {
            // SAFETY: as above.
            return unsafe { self.moved(pointer, layout, size) };
        }
        // SAFETY: as above.
        advise(unsafe { System.realloc(pointer, layout, size) }, size)
    }
}

/// Small memory. The crate mimalloc names the alignment every time, which takes half as many instructions again as not to: all
/// memory is aligned as nearly everything wants it.
mod small {
    use std::alloc::Layout;
    use std::mem::align_of;

    use libmimalloc_sys::{
        mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
    };

    fn is_usual(layout: Layout) -> bool {
        layout.align() <= align_of::<usize>()
    }

    pub unsafe fn alloc(layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe {
            match is_usual(layout) {
                true => mi_malloc(layout.size()).cast(),
                false => mi_malloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            match is_usual(layout) {
                true => mi_zalloc(layout.size()).cast(),
                false => mi_zalloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    pub unsafe fn realloc(pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            match is_usual(layout) {
                true => mi_realloc(pointer.cast(), size).cast(),
                false => mi_realloc_aligned(pointer.cast(), size, layout.align()).cast(),
            }
        }
    }
}

impl LargePages {
    /// Memory of another size with the same in it, from the other of the two.
    ///
    /// # Safety
    /// As that of [`GlobalAlloc::realloc`].
    unsafe fn moved(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller says that this is a layout.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the new memory is another than the old, and both are as long as what is copied.
        unsafe {
            let new = self.alloc(wanted);
            if !new.is_null() {
                new.copy_from_nonoverlapping(pointer, layout.size().min(size));
                self.dealloc(pointer, layout);
            }
            new
        }
    }
}

#[cfg(target_os = "linux")]
fn advise(pointer: *mut u8, size: usize) -> *mut u8 {
    if !pointer.is_null() {
        // Advice is given for whole memory pages, so the parts of pages at both ends are left out.
        let start = (pointer as usize).next_multiple_of(4096);
        let end = (pointer as usize + size) & !4095;
        // SAFETY: the range lies within what was just allocated. If the system refuses, nothing is lost.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
    pointer
}

#[cfg(not(target_os = "linux"))]
fn advise(pointer: *mut u8, _: usize) -> *mut u8 {
    pointer
}

/// Has the system map large memory by itself, always: left alone, it comes to take it from a heap, in which an array that
/// grows is copied and leaves a hole behind. A crawl of a million pages held 40 MB of holes. What is mapped grows without being copied.
pub fn map_large_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: a setting of the allocator, which takes its own lock. If it refuses, nothing is lost.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE as libc::c_int);
    }
}

/// The most memory this process ever had in use, where the system tells (Linux).
pub fn peak_resident() -> Option<u64> {
    status_line("VmHWM:")
}

/// The memory this process has in use now, where the system tells.
pub fn resident() -> Option<u64> {
    status_line("VmRSS:")
}

fn status_line(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_keeps_what_is_in_it_while_it_grows_and_shrinks() {
        let sizes = [1000, LARGE - 1, LARGE, 3 * LARGE, LARGE / 2, 2 * LARGE, 10];
        let layout = |size: usize| Layout::from_size_align(size, 16).expect("a layout");
        // SAFETY: every layout is the one that the memory was last given, and only what was written is read.
        unsafe {
            let mut pointer = LargePages.alloc_zeroed(layout(sizes[0]));
            pointer.add(9).write(7);
            for pair in sizes.windows(2) {
                pointer = LargePages.realloc(pointer, layout(pair[0]), pair[1]);
                assert!(!pointer.is_null());
                assert_eq!((pointer.read(), pointer.add(9).read()), (0, 7));
                pointer.add(pair[1] - 1).write(7);
            }
            LargePages.dealloc(pointer, layout(sizes[sizes.len() - 1]));
        }
    }
}
