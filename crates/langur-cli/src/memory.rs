//! Large memory in large pages.
//!
//! A crawl jumps about in arrays of many megabytes. With memory pages of four kilobytes nearly every
//! jump needs a new address translation, which costs more than the jump itself, above all in a
//! virtual machine. Where the system offers larger pages on request (Linux), they are asked for.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, asking for large pages where it pays.
pub struct LargePages;

/// Smaller ones gain nothing.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

// SAFETY: everything is done by the system's allocator; advice does not change what memory holds.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        advise(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        advise(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        advise(unsafe { System.realloc(pointer, layout, size) }, size)
    }
}

#[cfg(target_os = "linux")]
fn advise(pointer: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !pointer.is_null() {
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
