//! Graphs imported, exported and imported again.

use std::fs;
use std::path::{Path, PathBuf};

use dsi_bitstream::prelude::BE;
use langur_crawl::PageId;
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};
use langur_webgraph::{export, import};
use webgraph::prelude::{BvGraphSeq, SequentialLabeling, check_offsets};

/// A graph of the LAW, where it is at hand.
fn cnr_2000() -> Option<PathBuf> {
    let basename =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graphs/cnr-2000");
    let there = basename.with_extension("graph").exists();
    if !there {
        println!("skipped: there is no {}", basename.display());
    }
    there.then_some(basename)
}

/// The pages of the crawl log that each page links to, in ascending order.
fn adjacency(space: &Space) -> Vec<Vec<u32>> {
    let targets = space.link_targets.as_slice();
    let sorted = |ends: &[u64]| {
        let links = &targets[ends[0] as usize..ends[1] as usize];
        let known = |target: &u32| (*target as usize) < space.pages();
        let mut list: Vec<u32> = links.iter().copied().filter(known).collect();
        list.sort_unstable();
        list
    };
    space.link_offsets.as_slice().windows(2).map(sorted).collect()
}

fn urls(space: &Space) -> Vec<String> {
    (0..space.pages() as u32).map(|page| space.url(PageId(page))).collect()
}

/// The same by webgraph's own loader, less links of pages to themselves.
fn adjacency_by_webgraph(basename: &Path) -> Vec<Vec<u32>> {
    let graph = BvGraphSeq::with_basename(basename).endianness::<BE>().load().expect("loadable");
    let mut lists = graph.iter();
    let list = |node: usize| {
        let list = lists.next_successors().expect("a node").iter();
        list.filter(|&&target| target != node).map(|&target| target as u32).collect()
    };
    (0..graph.num_nodes()).map(list).collect()
}

#[test]
fn a_graph_of_the_law_survives_import_and_export() {
    let Some(basename) = cnr_2000() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| scratch.path().join(name);

    let clock = std::time::Instant::now();
    let imported = import(&basename, &at("first"), false).expect("imported");
    println!("import: {:?}", clock.elapsed());
    let space = Space::open(&at("first")).expect("a web space");
    assert_eq!((space.pages(), imported.nodes, imported.arcs), (325_557, 325_557, 3_216_152));
    let links = space.manifest().counts.links;
    assert_eq!(links + imported.dropped.to_itself + imported.dropped.repeated, 3_216_152);
    assert_eq!(imported.dropped.repeated, 0);
    assert_eq!(space.url(PageId(123)), "http://cnr-2000.invalid/000123");
    assert_eq!(space.manifest().seeds, [0]);
    let lists = adjacency(&space);
    assert!(lists == adjacency_by_webgraph(&basename));

    let clock = std::time::Instant::now();
    let exported = export(&space, &at("graph"), false).expect("exported");
    println!("export: {:?}", clock.elapsed());
    assert_eq!((exported.nodes, exported.arcs), (325_557, links));
    assert!(lists == adjacency_by_webgraph(&at("graph/graph")));

    let again = import(&at("graph/graph.graph"), &at("second"), false).expect("imported");
    assert_eq!(again.dropped.to_itself + again.dropped.repeated, 0);
    let second = Space::open(&at("second")).expect("a web space");
    assert!(lists == adjacency(&second));
    assert!(urls(&space) == urls(&second));
}

#[test]
fn a_synthetic_web_survives_export_and_import() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| scratch.path().join(name);
    let preset = Preset::load("thai-2004").expect("a preset");
    let what = Synthesis { preset, pages: 2_000, seed: 42, threads: 1 };
    synthesise(&what, &at("space"), false, |_| {}).expect("made");
    let space = Space::open(&at("space")).expect("a web space");

    let exported = export(&space, &at("graph"), false).expect("exported");
    let basename = at("graph/graph");
    let graph = BvGraphSeq::with_basename(&basename).endianness::<BE>().load().expect("loadable");
    assert!(check_offsets(&graph, &basename).expect("offsets"));
    import(&basename, &at("again"), false).expect("imported");
    let again = Space::open(&at("again")).expect("a web space");
    assert_eq!(again.pages(), space.pages());
    assert_eq!(again.manifest().counts.links, exported.arcs);
    assert_eq!(urls(&again), urls(&space));
    assert_eq!(adjacency(&again), adjacency(&space));

    export(&space, &at("twin"), false).expect("exported");
    for ending in ["graph", "properties", "offsets", "urls"] {
        let read =
            |folder| fs::read(at(folder).join("graph").with_extension(ending)).expect(ending);
        assert!(read("graph") == read("twin"), "{ending} differs");
    }
}

/// The Laboratory for Web Algorithmics publishes of cnr-2000 that its largest strongly connected
/// component has 112,023 pages (34.41%). Degrees are counted once more by webgraph's own loader.
#[test]
fn a_graph_of_the_law_has_the_components_that_are_published() {
    let Some(basename) = cnr_2000() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    import(&basename, &scratch.path().join("cnr"), false).expect("imported");
    let space = Space::open(&scratch.path().join("cnr")).expect("the web space");
    let graph = langur_graph::Graph::of(&space);
    let components = langur_graph::Components::of(&graph);
    assert_eq!(components.largest, 112_023);
    let tie = components.bow_tie;
    let parts = [tie.into, tie.out, tie.tubes, tie.tendrils, tie.disconnected];
    assert_eq!(tie.lscc + parts.iter().sum::<u64>(), 325_557);

    let lists = adjacency_by_webgraph(&basename);
    let mut into = vec![0_u64; lists.len()];
    lists.iter().flatten().for_each(|&target| into[target as usize] += 1);
    let (counted_out, counted_in) = langur_graph::degrees(&graph);
    assert_eq!(Some(counted_in.max), into.iter().copied().max());
    assert_eq!(counted_in.zero, into.iter().filter(|&&links| links == 0).count() as u64);
    assert_eq!(Some(counted_out.max), lists.iter().map(|list| list.len() as u64).max());
    assert_eq!(counted_out.zero, lists.iter().filter(|list| list.is_empty()).count() as u64);
    into.sort_unstable();
    assert_eq!(counted_in.median, into[(into.len() - 1) / 2]);
}
