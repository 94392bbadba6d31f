//! Files in a folder, behind HTTP or in S3-compatible storage, read by range.
