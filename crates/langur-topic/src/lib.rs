//! How much a page is about a topic.
