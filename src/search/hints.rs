//! Hints to the processor and the system about memory. They change how fast it is, never what is in it;
//! the crate's only unsafe code is here.

use std::mem::size_of_val;

/// Asks the processor to fetch the cache line of `word` before it is needed.
#[inline]
pub fn prefetch<T>(word: &T) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: prefetching has no architectural effect, and SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

/// Asks the system to back memory that has not been touched yet with huge pages. A large table in
/// small ones costs a fault for nearly every entry of a short search, and threads wait for each
/// other in the system while they fault.
pub fn want_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
        let start = memory.as_ptr().addr();
        let first = start.next_multiple_of(PAGE);
        let end = (start + size_of_val(memory)) / PAGE * PAGE;
        if first < end {
            let pages = memory.as_ptr().cast_mut().cast::<u8>().wrapping_add(first - start);
            // SAFETY: the pages lie within `memory`, and this advice leaves their content alone.
            let advised = unsafe { madvise(pages.cast(), end - first, Advice::LinuxHugepage) };
            if let Err(error) = advised {
                log::debug!("no huge pages: {error}");
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
