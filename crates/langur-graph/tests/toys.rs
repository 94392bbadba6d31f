//! Analyses of webs small enough to count by hand.

use std::fs;

use langur_crawl::Language;
use langur_graph::{BowTie, Components, Graph, Ratio, analyze, degrees, distances};
use langur_sim::Space;
use langur_sim::exchange::{Sources, import};

/// `0>1 1>2` are links; there are as many pages as the largest number says.
struct Toy {
    offsets: Vec<u64>,
    targets: Vec<u32>,
}

fn toy(text: &str) -> Toy {
    let links: Vec<(u32, u32)> = text
        .split_whitespace()
        .map(|link| {
            let (from, to) = link.split_once('>').expect("a link");
            (from.parse().expect("a page"), to.parse().expect("a page"))
        })
        .collect();
    let pages = links.iter().map(|&(from, to)| from.max(to)).max().expect("a link") + 1;
    let of = |page| links.iter().filter(move |(from, _)| *from == page).map(|(_, to)| *to);
    let targets: Vec<u32> = (0..pages).flat_map(of).collect();
    let ends = (0..pages).map(|page| links.iter().filter(|(from, _)| *from <= page).count() as u64);
    Toy { offsets: [0].into_iter().chain(ends).collect(), targets }
}

impl Toy {
    fn graph(&self) -> Graph<'_> {
        Graph::new(&self.offsets, &self.targets)
    }
}

fn flags(pages: &str) -> Vec<bool> {
    pages.chars().map(|page| page == 'R').collect()
}

#[test]
fn components_and_the_bow_tie() {
    // 0 1 2 are a circle; 3 and 4 lead to it, it leads to 5; 3>6>5 passes it by; 3>7 hangs on IN and
    // 8>5 on OUT; 9 hangs on 7; 10>11 is on its own.
    let web = toy("0>1 1>2 2>0 3>0 4>3 2>5 3>6 6>5 3>7 8>5 9>7 10>11");
    let found = Components::of(&web.graph());
    assert_eq!((found.count, found.largest), (10, 3));
    let expected = BowTie { lscc: 3, into: 2, out: 1, tubes: 1, tendrils: 3, disconnected: 2 };
    assert_eq!(found.bow_tie, expected);
}

#[test]
fn a_circle_of_many_pages_does_not_exhaust_the_stack() {
    let pages = 1_000_000_u32;
    let (offsets, targets) =
        ((0..=u64::from(pages)).collect(), (0..pages).map(|page| (page + 1) % pages).collect());
    let found = Components::of(&Toy { offsets, targets }.graph());
    assert_eq!((found.count, found.largest), (1, u64::from(pages)));
}

#[test]
fn distances_between_nearest_relevant_pages() {
    // R0 -> R1 -> i2 -> R3, and i2 -> i4 -> R5; nothing relevant leads to R0.
    let web = toy("0>1 1>2 2>3 2>4 4>5");
    let found = distances(&web.graph(), &flags("RRiRiR"));
    assert_eq!((found.pages, found.never), (vec![1, 1, 1], 1));
}

#[test]
fn a_page_is_not_its_own_neighbour() {
    // i1 leads R0 back to itself, and R3 to R0 in three links by way of i2.
    let web = toy("0>1 1>0 3>2 2>1");
    let found = distances(&web.graph(), &flags("RiiR"));
    assert_eq!((found.pages, found.never), (vec![0, 0, 1], 1));
}

#[test]
fn degrees_both_ways() {
    let web = toy("0>1 0>2 0>3 1>3 2>3");
    let (out, into) = degrees(&web.graph());
    assert_eq!((out.mean, out.median, out.max, out.zero), (1.25, 1, 3, 1));
    assert_eq!((into.mean, into.median, into.max, into.zero), (1.25, 1, 3, 1));
    let bins: Vec<_> = out.histogram.iter().map(|bin| (bin.from, bin.to, bin.pages)).collect();
    assert_eq!(bins, [(1, 1, 2), (2, 3, 1)]);
}

/// Two hosts of one domain and a third elsewhere; the last page is not OK HTML, whatever its language.
const PAGES: &str = "id,url,language,status\n\
    a,http://www.x.co.th/,th,200\n\
    b,http://www.x.co.th/b,en,200\n\
    c,http://m.x.co.th/,th,200\n\
    d,http://y.com/,,200\n\
    e,http://y.com/e,th,404\n";
const LINKS: &str = "source,target\na,b\na,c\na,d\nb,a\nd,a\nd,c\n";

fn space(folder: &std::path::Path) -> Space {
    let sources = Sources {
        pages: folder.join("pages.csv"),
        links: vec![folder.join("links.csv")],
        ..Sources::default()
    };
    fs::write(&sources.pages, PAGES).expect("writable");
    fs::write(&sources.links[0], LINKS).expect("writable");
    import(&sources, &folder.join("space"), true).expect("a sound import");
    Space::open(&folder.join("space")).expect("the web space")
}

#[test]
fn a_web_space_of_five_pages() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = space(scratch.path());
    let found = analyze(&space, &[Language::parse("th").expect("a tag")], 0);
    assert_eq!((found.pages, found.ok_html, found.links, found.relevant), (5, 4, 6, 2));

    let table = &found.language_by_tld;
    assert_eq!(table.tlds, ["th", "com"]);
    let rows: Vec<_> =
        table.rows.iter().map(|row| (row.language.as_str(), row.counts.as_slice())).collect();
    assert_eq!(rows, [("th", &[2, 0][..]), ("en", &[1, 0]), ("unknown", &[0, 2])]);
    assert_eq!((table.totals.clone(), table.total), (vec![3, 2], 5));

    let ratio = |links, to_relevant, share| Ratio { links, to_relevant, share };
    let from = found.locality.from_relevant;
    assert_eq!(from.all, ratio(3, 1, 1.0 / 3.0)); // a>b a>c a>d
    assert_eq!((from.same_host, from.other_host), (ratio(1, 0, 0.0), ratio(2, 1, 0.5)));
    assert_eq!((from.same_domain, from.other_domain), (ratio(2, 1, 0.5), ratio(1, 0, 0.0)));
    let from = found.locality.from_irrelevant;
    assert_eq!((from.all, from.same_host), (ratio(3, 3, 1.0), ratio(1, 1, 1.0))); // b>a d>a d>c

    // c is linked from a; the nearest other relevant page to a is none, for c leads nowhere.
    assert_eq!((found.distances.pages.clone(), found.distances.never), (vec![1], 1));
    assert_eq!(found.components.largest, 3, "a b d");
    assert_eq!(found.components.bow_tie.out, 1, "c");
    assert_eq!(found.components.bow_tie.disconnected, 1, "e");

    let hosts = &found.hosts;
    assert_eq!(hosts.count, 3);
    let sizes: Vec<_> = hosts.by_size.iter().map(|bin| (bin.hosts, bin.pages)).collect();
    assert_eq!(sizes, [(1, 1), (2, 4)]);
    let shares: Vec<_> = hosts.by_share.iter().map(|bin| bin.hosts).collect();
    assert_eq!(shares, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "none on y.com, half on www, all on m");
    assert_eq!((hosts.largest[0].pages, hosts.largest[0].relevant), (2, 0));
}
