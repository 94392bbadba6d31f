//! How a crawler did, by its request log.
