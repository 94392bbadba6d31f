//! Pages that are only a way in, and what they are known by.

use memchr::memmem;

use super::document::Gateway;
use super::extract::hides;
use super::tokenizer::Attribute;

/// What gateways are known by.
#[derive(Default)]
pub struct Signs {
    /// Frames that the page is made of.
    pub frames: bool,
    /// A map of an image.
    pub map: bool,
    flash: bool,
    /// A frame inside the page that can be seen.
    inner_frame: bool,
}

impl Signs {
    /// A frame inside the page. Counters of visitors come in frames that nobody sees.
    pub fn see_inner_frame(&mut self, attributes: &[Attribute]) {
        self.inner_frame |= !attributes.iter().any(is_tiny);
    }

    /// An object with these attributes, or a part of one.
    pub fn see_object(&mut self, attributes: &[Attribute]) {
        self.flash |= attributes.iter().any(|attribute| {
            has(attribute.value, ".swf") || has(attribute.value, "shockwave-flash")
        });
    }

    /// A script: a film by its name, or by the call of Adobe's own script, which leaves the ending out.
    pub fn see_script(&mut self, script: &str) {
        self.flash |= has(script, ".swf") || has(script, "AC_FL_RunContent");
    }

    /// What kind of gateway the page is, if it is one: `sent_on` by its head, or with few words of its own.
    pub fn gateway(&self, sent_on: bool, has_few_words: impl FnOnce() -> bool) -> Option<Gateway> {
        let sign = if self.frames {
            return Some(Gateway::Frames);
        } else if self.flash {
            Gateway::Flash
        } else if self.map {
            Gateway::ImageMap
        } else if self.inner_frame {
            Gateway::Frames
        } else if sent_on {
            Gateway::Refresh
        } else {
            return None;
        };
        has_few_words().then_some(sign)
    }
}

fn has(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

fn is_tiny(attribute: &Attribute) -> bool {
    let is = |name: &str| attribute.name.eq_ignore_ascii_case(name);
    ((is("width") || is("height")) && matches!(attribute.value.trim(), "0" | "1" | "0px" | "1px"))
        || hides(attribute)
}
