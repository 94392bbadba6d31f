//! Gzip members that are decoded at once, which is faster than piece by piece.

use std::ptr::NonNull;

use libdeflate_sys as sys;

/// No deflate data is more than so many times as long when decoded.
const MOST: usize = 1032;

/// Decodes one member after the other into the same memory, since new memory would have to be cleared for each.
pub(crate) struct Whole {
    /// The crate libdeflater hides how many bytes a member took, and with that what lies behind it.
    decompressor: NonNull<sys::libdeflate_decompressor>,
    room: Vec<u8>,
}

// SAFETY: nobody else has the decompressor, and it does not care which thread uses it.
unsafe impl Send for Whole {}

impl Whole {
    pub fn new() -> Whole {
        // SAFETY: it may be asked for at any time.
        let decompressor = unsafe { sys::libdeflate_alloc_decompressor() };
        let decompressor = NonNull::new(decompressor).expect("there is memory for a decompressor");
        Whole { decompressor, room: Vec::new() }
    }

    /// The content of these bytes, if they are one member, whole and good, and nothing else, of at most so many bytes when
    /// decoded. Its last bytes say how many.
    pub fn decode(&mut self, member: &[u8], longest: usize) -> Option<&[u8]> {
        let length = u32::from_le_bytes(*member.last_chunk()?) as usize;
        if length > longest.min(member.len().saturating_mul(MOST)) {
            return None;
        }
        if self.room.len() < length {
            self.room.resize(length, 0);
        }
        let room = &mut self.room[..length];
        let (mut taken, mut made) = (0, 0);
        // SAFETY: it reads `member` and writes into `room`, both of the lengths given, and says in the last two what it did.
        let result = unsafe {
            sys::libdeflate_gzip_decompress_ex(
                self.decompressor.as_ptr(),
                member.as_ptr().cast(),
                member.len(),
                room.as_mut_ptr().cast(),
                room.len(),
                &raw mut taken,
                &raw mut made,
            )
        };
        let is_good = result == sys::libdeflate_result_LIBDEFLATE_SUCCESS;
        (is_good && taken == member.len() && made == length).then_some(&*room)
    }

    /// What was decoded last, and whatever lies behind it.
    pub fn decoded(&self) -> &[u8] {
        &self.room
    }

    /// Gives memory back beyond so many bytes.
    pub fn shrink(&mut self, kept: usize) {
        self.room.truncate(kept);
        self.room.shrink_to(kept);
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        // SAFETY: it came from there, and nobody uses it any more.
        unsafe { sys::libdeflate_free_decompressor(self.decompressor.as_ptr()) };
    }
}
