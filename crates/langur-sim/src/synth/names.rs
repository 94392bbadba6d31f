//! Host names and paths that look like real ones.

use super::random::Random;

/// No two rows of syllables run together alike: only "su" begins another one, and nothing begins with
/// what could follow the "k".
const SYLLABLES: [&str; 32] = [
    "sa", "nu", "ko", "mi", "tha", "ra", "chai", "pan", "lo", "win", "net", "sri", "ban", "kit",
    "mon", "dee", "lek", "noi", "pha", "suk", "ya", "ta", "wat", "bo", "ri", "na", "kan", "pim",
    "tong", "su", "ma", "po",
];

const SUBDOMAINS: [&str; 16] = [
    "board", "mail", "news", "shop", "web", "photo", "club", "game", "home", "member", "music",
    "office", "search", "service", "support", "travel",
];

/// In ascending order.
const DIRECTORIES: [&str; 48] = [
    "about", "album", "archive", "article", "bbs", "board", "books", "calendar", "cards",
    "catalog", "chat", "club", "contact", "content", "data", "dept", "doc", "download", "event",
    "faq", "file", "forum", "gallery", "game", "guest", "help", "history", "horo", "image",
    "index", "info", "job", "lesson", "link", "map", "member", "music", "news", "order", "photo",
    "product", "profile", "report", "service", "story", "topic", "travel", "webboard",
];

/// A name that no other number gives: the number in syllables, after a shuffle that keeps
/// neighbouring numbers apart.
pub(crate) fn domain_label(number: usize) -> String {
    // Multiplying by an odd number permutes the numbers below a power of two.
    let bits = 25;
    let shuffled = number.wrapping_mul(11_400_714_785) & ((1 << bits) - 1) | number >> bits << bits;
    let (mut rest, mut label) = (shuffled, String::new());
    loop {
        label.push_str(SYLLABLES[rest % 32]);
        rest /= 32;
        if rest == 0 {
            break;
        }
    }
    label
}

/// What stands before the domain in the name of its `i`th host.
pub(crate) fn host_prefix(i: usize, random: &mut Random) -> String {
    match i {
        0 if random.chance(0.8) => "www.".to_owned(),
        0 => String::new(),
        i if i <= SUBDOMAINS.len() => format!("{}.", SUBDOMAINS[i - 1]),
        i => format!("s{i}."),
    }
}

/// The public suffixes under which domains of a top-level domain are registered.
pub(crate) fn suffixes(tld: &str) -> Vec<String> {
    let second_level: &[&str] = match tld {
        "th" => &["co", "ac", "or", "go"],
        "jp" => &["co", "ne", "or", "ac"],
        _ => return vec![tld.to_owned()],
    };
    second_level.iter().map(|second| format!("{second}.{tld}")).collect()
}

/// Writes the path of the `place`th page of a directory; pages, and directories, come out in
/// ascending order. Odd and even numbers keep missing pages and others apart.
pub(crate) fn path(into: &mut Vec<u8>, directory: u32, directories: u32, file: File) {
    into.push(b'/');
    if directory == 0 {
        return;
    }
    let (place, count) = (directory as usize - 1, directories as usize - 1);
    let words = DIRECTORIES.len();
    if count <= words {
        into.extend_from_slice(DIRECTORIES[place * words / count].as_bytes());
    } else {
        let each = count.div_ceil(words);
        into.extend_from_slice(DIRECTORIES[place / each].as_bytes());
        if place % each > 0 {
            digits(into, place % each, width(each));
        }
    }
    into.push(b'/');
    if let File::Numbered { number, extension } = file {
        digits(into, number as usize, 6);
        into.extend_from_slice(extension.as_bytes());
    }
}

/// What is in a directory.
#[derive(Clone, Copy)]
pub(crate) enum File {
    /// The directory itself.
    Index,
    /// A file with a number.
    Numbered { number: u32, extension: &'static str },
}

fn width(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

fn digits(into: &mut Vec<u8>, number: usize, width: usize) {
    let mut buffer = [b'0'; 20];
    let (mut rest, mut at) = (number, buffer.len());
    while rest > 0 {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    into.extend_from_slice(&buffer[at.min(buffer.len() - width)..]);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn domain_labels_differ() {
        let labels: HashSet<_> = (0..200_000).map(domain_label).collect();
        assert_eq!(labels.len(), 200_000);
    }

    #[test]
    fn paths_ascend() {
        assert!(DIRECTORIES.is_sorted());
        for directories in [2, 3, 40, 49, 50, 500, 5000] {
            let mut last = b"/".to_vec();
            for directory in 1..directories {
                for number in 0..3 {
                    let file = if number == 0 {
                        File::Index
                    } else {
                        File::Numbered { number, extension: ".html" }
                    };
                    let mut next = Vec::new();
                    path(&mut next, directory, directories, file);
                    assert!(
                        last < next,
                        "{} {}",
                        String::from_utf8_lossy(&last),
                        String::from_utf8_lossy(&next)
                    );
                    last = next;
                }
            }
        }
    }
}
