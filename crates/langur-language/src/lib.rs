//! Which language a page, an anchor or a URL is in.
