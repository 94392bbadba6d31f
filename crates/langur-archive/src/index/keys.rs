//! Which captures are wanted.

/// Which captures are wanted, by their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys<'a> {
    /// Those of one key: of one URL.
    Exact(&'a str),
    /// Those whose key begins so: `com,example)/` is a host, `com,example` a domain (and its
    /// neighbours `com,example2`).
    Prefix(&'a str),
}

impl Keys<'_> {
    /// The lines of a sorted index that have such keys: from this one to before that one. A key ends
    /// at the first space, and an exclamation mark is what comes after a space.
    pub(super) fn lines(self) -> (Vec<u8>, Vec<u8>) {
        match self {
            Keys::Exact(key) => (format!("{key} ").into_bytes(), format!("{key}!").into_bytes()),
            Keys::Prefix(prefix) => (prefix.as_bytes().to_vec(), after(prefix.as_bytes())),
        }
    }

    /// Whether some of them may lie between these two, both included.
    pub(super) fn may_lie_between(self, least: &[u8], greatest: &[u8]) -> bool {
        match self {
            Keys::Exact(key) => least <= key.as_bytes() && key.as_bytes() <= greatest,
            Keys::Prefix(prefix) => {
                greatest >= prefix.as_bytes() && least < after(prefix.as_bytes()).as_slice()
            }
        }
    }

    /// Whether this key is one of them.
    pub(super) fn contains(self, key: &str) -> bool {
        match self {
            Keys::Exact(wanted) => key == wanted,
            Keys::Prefix(prefix) => key.starts_with(prefix),
        }
    }
}

/// The least bytes that are greater than all that begin with these.
fn after(prefix: &[u8]) -> Vec<u8> {
    let mut after = prefix.to_vec();
    while let Some(last) = after.pop() {
        if last < u8::MAX {
            after.push(last + 1);
            return after;
        }
    }
    // Everything begins with nothing. No line of text comes after this byte.
    vec![u8::MAX]
}
