//! The elements that mean something to a crawler.

/// An element by its name; what is not told apart is `Other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tag {
    Other,
    A,
    Address,
    Area,
    Article,
    Aside,
    Base,
    Block,
    Body,
    Br,
    Canvas,
    Cell,
    Code,
    Div,
    Embed,
    Footer,
    Frame,
    Frameset,
    Head,
    Header,
    Heading,
    Hidden,
    Html,
    Iframe,
    Img,
    Item,
    Link,
    List,
    Main,
    Map,
    Meta,
    Nav,
    Noscript,
    Object,
    Option,
    P,
    Param,
    Pre,
    Row,
    Select,
    Table,
    Term,
    Textarea,
    Title,
    Void,
}

impl Tag {
    /// The tag with this name, in whatever case.
    pub fn of(name: &str) -> Tag {
        let mut lower = [0; 10];
        let Some(lower) = lower.get_mut(..name.len()) else { return Tag::Other };
        for (lower, byte) in lower.iter_mut().zip(name.bytes()) {
            *lower = byte.to_ascii_lowercase();
        }
        Tag::named(lower)
    }

    /// The tag with this name, in lower case.
    pub fn named(name: &[u8]) -> Tag {
        match name {
            b"a" => Tag::A,
            b"address" => Tag::Address,
            b"area" => Tag::Area,
            b"article" => Tag::Article,
            b"aside" => Tag::Aside,
            b"base" => Tag::Base,
            b"blockquote" | b"center" | b"details" | b"dialog" | b"fieldset" | b"figcaption"
            | b"figure" | b"form" | b"hgroup" | b"legend" | b"section" | b"summary"
            | b"caption" => Tag::Block,
            b"body" => Tag::Body,
            b"br" | b"hr" => Tag::Br,
            b"canvas" => Tag::Canvas,
            b"td" | b"th" => Tag::Cell,
            b"code" | b"samp" | b"kbd" | b"var" | b"tt" => Tag::Code,
            b"div" => Tag::Div,
            b"embed" => Tag::Embed,
            b"footer" => Tag::Footer,
            b"frame" => Tag::Frame,
            b"frameset" => Tag::Frameset,
            b"head" => Tag::Head,
            b"header" => Tag::Header,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Tag::Heading,
            b"script" | b"style" | b"template" | b"noembed" | b"svg" | b"math" | b"datalist" => {
                Tag::Hidden
            }
            b"html" => Tag::Html,
            b"iframe" => Tag::Iframe,
            b"img" | b"image" => Tag::Img,
            b"li" => Tag::Item,
            b"link" => Tag::Link,
            b"ul" | b"ol" | b"dl" | b"menu" | b"dir" => Tag::List,
            b"main" => Tag::Main,
            b"map" => Tag::Map,
            b"meta" => Tag::Meta,
            b"nav" => Tag::Nav,
            b"noscript" => Tag::Noscript,
            b"object" | b"applet" => Tag::Object,
            b"option" | b"optgroup" => Tag::Option,
            b"p" => Tag::P,
            b"param" => Tag::Param,
            b"pre" | b"xmp" | b"listing" | b"plaintext" => Tag::Pre,
            b"tr" => Tag::Row,
            b"select" => Tag::Select,
            b"table" => Tag::Table,
            b"dt" | b"dd" => Tag::Term,
            b"textarea" => Tag::Textarea,
            b"title" => Tag::Title,
            b"input" | b"col" | b"source" | b"track" | b"wbr" | b"basefont" | b"bgsound"
            | b"keygen" => Tag::Void,
            _ => Tag::Other,
        }
    }

    /// Has neither content nor an end tag.
    pub fn is_void(self) -> bool {
        use Tag::*;
        matches!(self, Area | Base | Br | Embed | Frame | Img | Link | Meta | Param | Void)
    }

    /// Begins a new line and so a new block of text.
    pub fn is_block(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Address
                | Article
                | Aside
                | Block
                | Body
                | Br
                | Cell
                | Div
                | Footer
                | Frameset
                | Head
                | Header
                | Heading
                | Html
                | Item
                | List
                | Main
                | Nav
                | Option
                | P
                | Pre
                | Row
                | Select
                | Table
                | Term
                | Textarea
                | Title
        )
    }

    /// May stand in the head, or is outside of it.
    pub fn is_of_head(self) -> bool {
        use Tag::*;
        matches!(self, Base | Head | Hidden | Html | Link | Meta | Noscript | Title | Void)
    }

    /// What stands in it is not shown, or not as text of the page.
    pub fn is_hidden(self) -> bool {
        use Tag::*;
        matches!(self, Canvas | Head | Hidden | Iframe | Noscript | Select | Textarea | Title)
    }

    /// What stands in it is for machines, whatever language the page is in.
    pub fn is_code(self) -> bool {
        matches!(self, Tag::Code | Tag::Pre)
    }

    /// An end tag does not reach out of these.
    pub fn is_wall(self) -> bool {
        matches!(self, Tag::Cell | Tag::Table | Tag::Body | Tag::Html)
    }

    /// The elements that a start tag of this one closes, and those at which it stops to look.
    pub fn closes(self) -> Option<(Tag, &'static [Tag])> {
        const CELLS: &[Tag] = &[Tag::Table, Tag::Row];
        const ROWS: &[Tag] = &[Tag::Table];
        const ITEMS: &[Tag] = &[Tag::List, Tag::Cell];
        const SELECTS: &[Tag] = &[Tag::Select];
        const BLOCKS: &[Tag] = &[Tag::Cell, Tag::Div, Tag::Item, Tag::Block, Tag::Noscript];
        match self {
            Tag::Item | Tag::Term => Some((self, ITEMS)),
            Tag::Cell => Some((self, CELLS)),
            Tag::Row => Some((self, ROWS)),
            Tag::Option => Some((self, SELECTS)),
            Tag::Br => None,
            tag if tag.is_block() => Some((Tag::P, BLOCKS)),
            _ => None,
        }
    }

    /// As it stands in a path.
    pub fn name(self) -> &'static str {
        use Tag::*;
        match self {
            Other | Void | Hidden => "*",
            A => "a",
            Address => "address",
            Area => "area",
            Article => "article",
            Aside => "aside",
            Base => "base",
            Block => "block",
            Body => "body",
            Br => "br",
            Canvas => "canvas",
            Cell => "td",
            Code => "code",
            Div => "div",
            Embed => "embed",
            Footer => "footer",
            Frame => "frame",
            Frameset => "frameset",
            Head => "head",
            Header => "header",
            Heading => "h",
            Html => "html",
            Iframe => "iframe",
            Img => "img",
            Item => "li",
            Link => "link",
            List => "ul",
            Main => "main",
            Map => "map",
            Meta => "meta",
            Nav => "nav",
            Noscript => "noscript",
            Object => "object",
            Option => "option",
            P => "p",
            Param => "param",
            Pre => "pre",
            Row => "tr",
            Select => "select",
            Table => "table",
            Term => "dd",
            Textarea => "textarea",
            Title => "title",
        }
    }
}

/// The part of the page that something stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Region {
    /// Nothing is said of it.
    #[default]
    Body,
    /// `main` or `article`.
    Main,
    /// `nav`, or a list that calls itself a menu.
    Navigation,
    /// `header`
    Header,
    /// `footer`
    Footer,
    /// `aside`
    Aside,
}

impl Region {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Region::Body => "body",
            Region::Main => "main",
            Region::Navigation => "navigation",
            Region::Header => "header",
            Region::Footer => "footer",
            Region::Aside => "aside",
        }
    }

    /// The region that begins with this tag, if one does.
    pub fn of(tag: Tag) -> Option<Region> {
        match tag {
            Tag::Main | Tag::Article => Some(Region::Main),
            Tag::Nav => Some(Region::Navigation),
            Tag::Header => Some(Region::Header),
            Tag::Footer => Some(Region::Footer),
            Tag::Aside => Some(Region::Aside),
            _ => None,
        }
    }
}
