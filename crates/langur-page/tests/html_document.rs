//! What is taken from a page.

use langur_page::decide;
use langur_page::html::{Document, Gateway, LinkKind, Region};
use langur_testkit::shared;
use proptest::prelude::*;

const PAGE: &str = r#"<!DOCTYPE html>
<html lang="th"><head><meta charset=TIS-620>
<title> A &amp; B
 c</title>
<base href="http://a.example/x/">
<meta name="Robots" content="noindex,nofollow"><meta name=description content="about &lt;it&gt;">
<meta http-equiv="refresh" content="5; url=next.html">
<meta property="og:locale" content="th_TH">
<link rel=canonical href="/one"><link rel="alternate" hreflang="en" href="/en/">
<link rel=stylesheet href="/s.css"><style>p { color: red }</style>
<script>document.write("<a href='no'>no</a>")</script></head>
<body><nav><ul><li><a href="/home">Home</a><li><a href="/shop" rel="NoFollow ugc">Shop</a></ul></nav>
<p>Before the <a href="one?a=1&amp;b=2#c" hreflang="de">first <b>link</b></a> and after.
<p lang="en">An <em>English</em> paragraph<br>in two lines.</p>
<a href="/img"><img src="i.png" alt="a picture"></a>
<map><area href="/area" alt="East"></map>
<iframe src="/inner"></iframe>
<noscript><a href="/plain">Plain</a></noscript>
<select><option>Afghanistan<option>Albania</select><div hidden>unseen</div>
<footer>&copy; 2004</footer></body></html>"#;

#[test]
fn links_come_in_order_with_what_they_say() {
    let page = Document::of(PAGE);
    let links: Vec<_> =
        page.links().iter().map(|link| (link.kind, page.href(link), page.anchor(link))).collect();
    assert_eq!(
        links,
        [
            (LinkKind::Refresh, "next.html", ""),
            (LinkKind::Head, "/en/", ""),
            (LinkKind::Anchor, "/home", "Home"),
            (LinkKind::Anchor, "/shop", "Shop"),
            (LinkKind::Anchor, "one?a=1&b=2#c", "first link"),
            (LinkKind::Anchor, "/img", "a picture"),
            (LinkKind::Area, "/area", "East"),
            (LinkKind::Iframe, "/inner", ""),
            (LinkKind::Anchor, "/plain", "Plain"),
        ]
    );
    let link = |href| page.links().iter().find(|link| page.href(link) == href).expect("a link");
    assert!(page.is_nofollow(link("/shop")) && !page.is_nofollow(link("/home")));
    assert_eq!(page.hreflang(link("one?a=1&b=2#c")), Some("de"));
    assert_eq!(page.hreflang(link("/en/")), Some("en"));
    assert_eq!(link("/home").region, Region::Navigation);
    assert_eq!(page.path(link("/shop")), "html/body/nav/ul/li");
    assert_eq!(page.path(link("one?a=1&b=2#c")), "html/body/p");
    assert_eq!(page.around(link("one?a=1&b=2#c"), 10), ("Before the", "and after."));
}

#[test]
fn anchors_that_are_not_shown_have_their_words_all_the_same() {
    let page = Document::of(
        "<svg><a href=1><text>North</text></a></svg><a href=2 aria-label=Menu><i></i></a>\
         <noscript><a href=3>one &amp; two</a></noscript>",
    );
    let anchors: Vec<_> = page.links().iter().map(|link| page.anchor(link)).collect();
    assert_eq!(anchors, ["North", "Menu", "one & two"]);
    assert_eq!(page.text(), "");
}

#[test]
fn the_body_may_declare_the_language_of_the_page() {
    assert_eq!(Document::of("<body lang=th><p>a").html_lang(), Some("th"));
    assert_eq!(Document::of("<html lang=th><body lang=en><p>a").html_lang(), Some("th"));
}

#[test]
fn the_head_is_read() {
    let page = Document::of(PAGE);
    assert_eq!(page.title(), "A & B c");
    assert_eq!(page.base(), Some("http://a.example/x/"));
    assert_eq!(page.canonical(), Some("/one"));
    assert_eq!(page.meta_charset(), Some("TIS-620"));
    assert_eq!(page.wishes().collect::<Vec<_>>(), [("Robots", "noindex,nofollow")]);
    assert_eq!(page.description(), Some("about <it>"));
    assert_eq!(page.html_lang(), Some("th"));
    assert_eq!(page.locale(), Some("th_TH"));
    let (refresh, url) = page.refresh().expect("a refresh");
    assert_eq!((refresh.after_s, url), (5, "next.html"));
    assert_eq!(page.images().collect::<Vec<_>>(), ["i.png"]);
}

#[test]
fn text_is_what_is_shown_a_block_a_line() {
    let page = Document::of(PAGE);
    assert_eq!(
        page.text(),
        "Home\nShop\nBefore the first link and after.\nAn English paragraph\nin two lines.\n© 2004"
    );
    let declared: Vec<_> = page.declared_languages().collect();
    let in_english = "An English paragraphin two lines.".len() as u64;
    assert_eq!(declared[1], ("en", in_english));
    assert_eq!(declared[0].0, "th");
}

#[test]
fn what_is_no_markup_to_xmp_and_plaintext_is_shown_as_it_is() {
    let page = "<p>See<xmp>if a < b && c &amp;\n<b>bold</b></xmp><script>var x</script><pre>a &lt; b<script src=x />var y</script></pre>\
                <plaintext>The <i>rest</i> of it";
    let document = Document::of(page);
    let lines: Vec<&str> = document.text().lines().collect();
    assert_eq!(lines, ["See", "if a < b && c &amp; <b>bold</b>", "a < b", "The <i>rest</i> of it"]);
}

#[test]
fn main_text_leaves_the_boilerplate_out() {
    let story = "The ship was cheered, the harbour cleared, merrily did we drop below the kirk, below \
                 the hill, below the lighthouse top, said the old man with the long grey beard. ";
    let page = Document::of(&format!(
        "<ul><li><a href=1>One</a><li><a href=2>Two</a></ul><h1>The voyage</h1>\
         <p>{story}</p><p>{story}<a href=3>more</a></p><footer>All rights reserved by all</footer>"
    ));
    let main = page.main_text();
    assert_eq!(main, format!("The voyage\n{story}\n{story}more").replace(" \n", "\n"));
}

#[test]
fn what_is_marked_as_code_and_reads_like_prose_is_prose() {
    for text in [
        "สวัสดีครับ วันนี้ฝนตกหนักทั่วประเทศไทย",
        "Gestern hat es den ganzen Tag geregnet, daher blieben wir zu Hause und lasen.",
    ] {
        for element in ["pre", "tt", "code"] {
            let page = format!("<{element}>{text}</{element}><a href=x>Next</a>");
            let document = Document::of(&page);
            assert!(document.prose().contains(text), "{page}");
        }
    }
    for code in ["make install", "for (i = 0; i < n; i++) { sum += values[i]; print(sum); }"] {
        assert!(!Document::of(&format!("<pre>{code}</pre>")).prose().contains(code), "{code}");
    }
}

#[test]
fn words_around_a_link_are_whole() {
    let document = Document::of(
        "<p>Internationalization considerations regarding documentation <a href=x>here</a> and \
         considerations regarding infrastructure",
    );
    let around = document.around(&document.links()[0], 5);
    assert_eq!(around, ("regarding documentation", "and considerations regarding"));
}

#[test]
fn code_is_text_but_no_prose() {
    let page =
        Document::of("<p>Call <code>f(x)</code> twice.<pre>let y = <b>f</b>(x);</pre><p>Done.");
    assert_eq!(page.text(), "Call f(x) twice.\nlet y = f(x);\nDone.");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&page.prose()), "Call twice. Done.");
}

#[test]
fn the_tags_are_kept_in_order() {
    let page = Document::of("<HTML><head><title>x</title></head><body><h1>a</h1><p>b<p>c<P>d");
    assert_eq!(page.tags().collect::<Vec<_>>().join(" "), "html head title body h1 p p p");
}

#[track_caller]
fn check_gateway(html: &str, expected: Option<Gateway>) {
    assert_eq!(Document::of(html).gateway(), expected);
}

#[test]
fn gateways_are_recognised() {
    check_gateway("<frameset><frame src=a><frame src=b></frameset>", Some(Gateway::Frames));
    check_gateway("<object><param name=movie value=intro.swf></object>", Some(Gateway::Flash));
    check_gateway("<script>swfobject.embedSWF('a.swf')</script>Enter", Some(Gateway::Flash));
    check_gateway("<img usemap='#m'><map name=m><area href=a></map>", Some(Gateway::ImageMap));
    check_gateway("<a href=home.map><img src=home.gif ismap></a>", Some(Gateway::ImageMap));
    let script = "<script>AC_FL_RunContent('src','intro','movie','intro');</script>";
    check_gateway(script, Some(Gateway::Flash));
    check_gateway("<body><iframe src=/main width='100%'></iframe>", Some(Gateway::Frames));
    check_gateway("<body>Soon.<iframe src=/count width=1 height=1></iframe>", None);
    check_gateway("<meta http-equiv=refresh content='0;url=/th/'>", Some(Gateway::Refresh));
    check_gateway("<meta http-equiv=refresh content=300>A page that reloads itself", None);
    let long = "word ".repeat(60);
    check_gateway(&format!("<embed src=banner.swf><p>{long}"), None);
    check_gateway("", None);
}

#[test]
fn gateways_say_little_around_what_they_are_made_of() {
    check_gateway(
        "<embed src=a.swf><a href=/in>Enter</a> <a href=f>Get Flash</a>",
        Some(Gateway::Flash),
    );
    let repeated = "<map><area href=/a><area href=/b><area href=/c></map>\
        <a href=/a>Products</a> <a href=/b>About us</a> <a href=/c>Contact</a>";
    check_gateway(repeated, Some(Gateway::ImageMap));
    let moved =
        "<meta http-equiv=refresh content='5;url=/new'><p>We have moved: <a href=/new>here</a>";
    check_gateway(moved, Some(Gateway::Refresh));
    let framed = "<meta http-equiv=refresh content='0;url=/new'>\
        <iframe src=/ad></iframe><a href=/new>We have moved</a>";
    check_gateway(framed, Some(Gateway::Refresh));
}

#[test]
fn ordinary_pages_with_a_film_a_map_or_a_frame_are_no_gateways() {
    let links = "<a href=/a>News</a> <a href=/b>Products</a> <a href=/c>Contact</a>";
    let video = "<h1>My video</h1><iframe src='https://www.youtube.com/embed/1'></iframe>";
    check_gateway(&format!("{video}<a href=/>Home page</a>"), None);
    check_gateway(&format!("{video}<p>Taken last summer by the sea."), None);
    let text = "<h1>Welcome</h1><p>We have sold garden tools since 1970.</p>";
    check_gateway(&format!("<embed src=banner.swf>{text}{links}"), None);
    let map = "<img usemap='#m'><map name=m><area href=/x></map>";
    check_gateway(&format!("{map}<h1>Welcome</h1>{links}"), None);
    check_gateway(&format!("<area href=/x>{}", links.repeat(3)), None);
    let late = "<meta http-equiv=refresh content='600;url=/'>";
    check_gateway(&format!("{late}<p>The scores, every ten minutes."), None);
}

#[test]
fn broken_pages_give_what_they_can() {
    let page = Document::of("<a href=/one>one<a href='/two>two</a><p>three");
    assert_eq!(page.links().len(), 1);
    assert_eq!(page.text(), "one");
    let page = Document::of("<table><tr><td><b>a</td><td></p></div>b</table>c</b></p><a href=x");
    assert_eq!(page.text(), "a\nb\nc");
    let page = Document::of("no markup at all < but > signs & such");
    assert_eq!(page.text(), "no markup at all < but > signs & such");
    // A head that is never closed does not hide the body.
    assert_eq!(Document::of("<head><title>t</title><body>shown").text(), "shown");
}

/// Ten megabytes of each take time in proportion: a square would not end within the day.
#[test]
fn nothing_is_quadratic() {
    let big = |piece: &str| piece.repeat(10_000_000 / piece.len());
    for piece in [
        "<div>",
        "<p><b>",
        "<a href=x>",
        "</p>",
        "<",
        "< ",
        "</",
        "<!--",
        "<a b=",
        "&",
        "&amp",
        "<li>",
        "</a></b>",
        "<table><tr><td>",
        "<span lang=th>",
        "<script><!--<script>",
        "\0",
        "<title>",
        "<x y='",
        "<b></i>",
        "<option>",
        "--",
        "<meta http-equiv=refresh content='1;url=x'>",
    ] {
        let page = big(piece);
        let text = decide(page.as_bytes(), None).decode(page.as_bytes());
        assert!(Document::of(&text).text().len() <= 10_000_000);
    }
    let languages: String = (0..200_000).map(|n| format!("<i lang=x{n}>y</i>")).collect();
    assert_eq!(Document::of(&languages).text().len(), 200_000);
}

#[test]
fn real_pages_have_text_and_links() {
    let Some(files) = shared::archive("webhosts/pages.tar.zst") else { return };
    let (mut pages, mut links, mut letters, mut empty) = (0, 0, 0, 0);
    for (_, bytes) in files.iter().filter(|(name, _)| name.starts_with("pages/")) {
        let page = Document::of(&String::from_utf8_lossy(bytes));
        pages += 1;
        links += page.links().len();
        letters += page.text().chars().count();
        empty += usize::from(page.text().is_empty());
    }
    println!("{pages} home pages, {links} links, {letters} letters, {empty} without text");
    assert!(empty * 50 < pages);
}

proptest! {
    #[test]
    fn any_text_is_taken_apart(html in "\\PC{0,200}") {
        Document::of(&html);
    }

    /// What links, text and blocks say is there stays within the page.
    #[test]
    fn markup_is_taken_apart(pieces in prop::collection::vec(prop::sample::select(vec![
        "<a href=x>", "</a>", "<p>", "text ", "<img alt=y>", "<li>", "<ul>", "</ul>", "&amp;", "<b lang=th>",
        "</b>", "<td>", "<table>", "</table>", "<title>", "</title>", "<body>", "<head>", "<div hidden>",
    ]), 0..60)) {
        let html = pieces.concat();
        let page = Document::of(&html);
        for link in page.links() {
            page.anchor(link);
            page.around(link, 5);
            page.path(link);
        }
        prop_assert!(page.text().len() <= html.len());
        prop_assert!(page.main_text().len() <= page.text().len());
    }
}

/// As browsers do: what does not belong in a head begins the body, and there is one head.
#[test]
fn a_head_that_is_not_closed_ends_where_the_body_begins() {
    for html in [
        "<html><head><title>t</title><div>shown</div>",
        "<head><meta charset=utf-8>shown",
        "<html><head><html><head><title>t</title></head><table><tr><td>shown</table>",
        "<head></head><head><p>shown",
        "<title>t</title><head><p>shown",
    ] {
        assert_eq!(Document::of(html).text(), "shown", "{html}");
    }
    let page = Document::of("<head><script>x</script><style>y</style><noscript>z</noscript><link>");
    assert_eq!(page.text(), "");
}

#[test]
fn what_is_for_readers_without_scripts_is_the_text_where_there_is_no_other() {
    let article = "<p>A long article that scripts would show.".repeat(20);
    let page = Document::of(&format!("<body><noscript>{article}</noscript><div id=app></div>"));
    assert!(page.text().starts_with("A long article that scripts would show.\nA long"));
    let asks = Document::of("<noscript>Turn scripts on.</noscript><div id=app></div>");
    assert_eq!(asks.text(), "");
    let beside =
        "<p>An article that is there for everybody to read, and no short one, either, it is.";
    let page = Document::of(&format!("{}<noscript>{article}</noscript>", beside.repeat(2)));
    assert!(!page.text().contains("scripts would"));
}

#[test]
fn a_link_that_is_not_closed_ends_with_its_cell() {
    let anchors = |html: &str| -> Vec<String> {
        let page = Document::of(html);
        page.links().iter().map(|link| page.anchor(link).to_owned()).collect()
    };
    let cells = "<table><tr><td><a href=1>News<td>Sport<tr><td><a href=2>More</table><p>rest";
    assert_eq!(anchors(cells), ["News", "More"]);
    assert_eq!(anchors("<a href=1><table><tr><td>in<td>it</table></a>out"), ["in\nit"]);
}

#[test]
fn an_image_says_more_of_a_link_than_its_tooltip() {
    let page = Document::of(
        "<a href=1 title=\"opens in a new window\"><img alt=Home></a><a href=2 title=More><img alt=''></a>",
    );
    let anchors: Vec<_> = page.links().iter().map(|link| page.anchor(link)).collect();
    assert_eq!(anchors, ["Home", "More"]);
}

#[test]
fn what_is_hidden_is_told_however_it_is_written() {
    let shown = |html: &str| Document::of(html).text().to_owned();
    assert_eq!(shown("<p STYLE=\"color: red; DISPLAY : NONE\">x</p>y"), "y");
    assert_eq!(shown("<p style=\"display: none!important\">x</p>y"), "y");
    assert_eq!(shown("<div style=\"visibility:hidden\">x</div>y"), "y");
    // Scripts show these.
    assert_eq!(shown("<body style=\"display:none\">x"), "x");
    assert_eq!(shown("<p style=\"display: block\">x"), "x");
}

#[test]
fn meta_may_have_spaces_around_its_charset() {
    let page =
        Document::of("<meta http-equiv=content-type content='text/html; charset = tis-620'>");
    assert_eq!(page.meta_charset(), Some("tis-620"));
}
