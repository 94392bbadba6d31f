//! Names of hosts, shared.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The name of a host, with the port if it is not the scheme's own. Most links of a page stay on its host, and share its
/// name: copying one takes no memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostName(Arc<str>);

impl HostName {
    /// Whether both are the same name in memory, too, which is told at once.
    pub fn is_shared_with(&self, other: &HostName) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for HostName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for HostName {
    fn from(name: T) -> HostName {
        HostName(name.into())
    }
}

impl PartialEq<str> for HostName {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for HostName {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Names that were met on a page, so that its links share them.
#[derive(Clone, Debug, Default)]
pub(super) struct HostNames {
    names: Vec<HostName>,
}

impl HostNames {
    /// A page links to few hosts; where there are more, the first come round again.
    const MOST: usize = 16;

    /// The name, shared if it was met before.
    pub fn share(&mut self, name: &str) -> HostName {
        if let Some(known) = self.names.iter().find(|known| *known == name) {
            return known.clone();
        }
        let name = HostName::from(name);
        if self.names.len() == Self::MOST {
            self.names.clear();
        }
        self.names.push(name.clone());
        name
    }
}
