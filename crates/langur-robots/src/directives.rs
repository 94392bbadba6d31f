//! What a page asks of who reads it.

/// What must not be done with a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// It is not to be found in an index.
    pub noindex: bool,
    /// Its links are not to be followed.
    pub nofollow: bool,
    /// No copy is to be shown.
    pub noarchive: bool,
}

/// Reads the directives of a page: of its `meta` elements, name and content, and of its `X-Robots-Tag`
/// headers. Those for robots in general and for this product add up, as Google has it; those for
/// others count for nothing.
pub fn directives<'a>(
    meta: impl Iterator<Item = (&'a str, &'a str)>,
    headers: impl Iterator<Item = &'a str>,
    product: &str,
) -> Directives {
    let mut directives = Directives::default();
    for (name, content) in meta {
        let name = name.trim();
        if name.eq_ignore_ascii_case("robots") || is(name, product) {
            words(content).for_each(|word| directives.add(word));
        }
    }
    for header in headers {
        directives.add_header(header, product);
    }
    directives
}

impl Directives {
    /// A name in a header, `name: a, b`, stands before the directives it has, and several headers can
    /// be joined into one: a name counts until the next. Directives that have a value themselves look
    /// the same (`unavailable_after: …`), so those are known.
    fn add_header(&mut self, header: &str, product: &str) {
        let mut for_us = true;
        for part in header.split(',') {
            let word = match part.split_once(':') {
                Some((name, _)) if has_value(name.trim()) => continue,
                Some((name, word)) => {
                    for_us = is(name.trim(), product);
                    word
                }
                None => part,
            };
            if for_us {
                words(word).for_each(|word| self.add(word));
            }
        }
    }

    fn add(&mut self, word: &str) {
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        self.noindex |= is("noindex") || is("none");
        self.nofollow |= is("nofollow") || is("none");
        self.noarchive |= is("noarchive");
    }
}

fn is(name: &str, product: &str) -> bool {
    !product.is_empty() && name.eq_ignore_ascii_case(product)
}

fn has_value(name: &str) -> bool {
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Commas should separate them, and blanks often do.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(meta: &[(&str, &str)], headers: &[&str], expected: &str) {
        let found = directives(meta.iter().copied(), headers.iter().copied(), "langur");
        let names = [
            (found.noindex, "noindex"),
            (found.nofollow, "nofollow"),
            (found.noarchive, "noarchive"),
        ];
        let found: Vec<&str> = names.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn meta_elements_for_robots_and_for_us_add_up() {
        check(&[("Robots", "NoIndex, follow"), (" LANGUR ", "nofollow")], &[], "noindex nofollow");
        check(&[("robots", "none")], &[], "noindex nofollow");
        check(&[("robots", "noarchive nofollow")], &[], "nofollow noarchive");
        check(&[("googlebot", "none"), ("description", "noindex")], &[], "");
    }

    #[test]
    fn headers_can_be_for_one_client() {
        check(&[], &["noindex, nofollow"], "noindex nofollow");
        check(&[], &["langur: noindex", "otherbot: nofollow"], "noindex");
        check(
            &[],
            &["noarchive, otherbot: noindex, nofollow, Langur: nofollow"],
            "nofollow noarchive",
        );
        check(&[], &["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], "noindex");
    }

    #[test]
    fn a_client_without_a_name_is_not_named() {
        let found = directives([("", "none")].into_iter(), [": none"].into_iter(), "");
        assert_eq!(found, Directives::default());
    }
}
