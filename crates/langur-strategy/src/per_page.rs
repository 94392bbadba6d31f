//! Something remembered of every page.

use langur_crawl::PageId;

/// A value for every page, grown as pages are found; the default until something is written.
#[derive(Default)]
pub(crate) struct PerPage<T>(Vec<T>);

impl<T: Copy + Default> PerPage<T> {
    #[inline]
    pub fn get(&self, page: PageId) -> T {
        self.0.get(page.0 as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub fn at(&mut self, page: PageId) -> &mut T {
        let index = page.0 as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, T::default());
        }
        &mut self.0[index]
    }
}
