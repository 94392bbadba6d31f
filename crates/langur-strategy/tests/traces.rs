//! Golden traces on toy webs.

use langur_frontier::{Keep, Order, Policy};
use langur_testkit::toy;

/// See `langur_testkit::toy` for how a web is written.
#[track_caller]
fn check(strategy: &str, web: &str, order: &str) {
    assert_eq!(toy(web).crawl(strategy), order);
}

#[track_caller]
fn check_with(policy: Policy, strategy: &str, web: &str, order: &str) {
    assert_eq!(toy(web).crawl_with(strategy, Order::Fifo, policy), order);
}

#[track_caller]
fn check_by_topic(strategy: &str, web: &str, order: &str) {
    assert_eq!(toy(web).by_topic().crawl(strategy), order);
}

#[test]
fn breadth_first_goes_level_by_level_in_document_order() {
    check("breadth-first", "A -> b, c; b -> d; c -> E; d -> A", "A b c d E");
}

#[test]
fn depth_first_follows_the_page_visited_last() {
    check("depth-first", "A -> b, c; b -> d, e; d -> f; c -> e", "A b d f e c");
}

#[test]
fn depth_first_comes_back_to_a_page_by_the_deeper_way() {
    check("depth-first", "A -> b, c, d; b -> d", "A b d c");
}

#[test]
fn best_first_with_yes_and_no_is_soft_focused() {
    let web = "A -> b, C; b -> d, E; C -> F, g; F -> h; g -> I";
    check("best-first", web, &toy(web).crawl("soft-focused"));
}

#[test]
fn hard_focused_stops_at_irrelevant_pages() {
    check("hard-focused", "A -> b, C; b -> D; C -> E", "A b C E");
}

#[test]
fn soft_focused_keeps_the_links_of_irrelevant_pages_for_later() {
    check("soft-focused", "A -> b, C; b -> D; C -> e -> f; C -> G", "A b C e G D f");
}

#[test]
fn the_page_a_redirect_sends_to_takes_its_place() {
    // b is irrelevant and r redirects: E is reached on r's lead, so it goes before d.
    check("soft-focused", "A -> b, r^; b -> d; r -> E", "A b r E d");
    check("hard-focused", "A -> r^ -> b -> C", "A r b");
    check("limited-distance(n=1)", "A -> b -> r^ -> c -> D", "A b r c");
}

#[test]
fn lswc_follows_no_redirect_to_a_server_it_gave_up() {
    check("lswc(s=1,t=5)", "A -> x.b, y.r^; y.r -> x.c", "A x.b y.r");
    check("lswc(s=2,t=5)", "A -> x.b, y.r^; y.r -> x.c", "A x.b y.r x.c");
}

#[test]
fn a_waiting_page_moves_to_the_better_tier_or_keeps_its_first_lead() {
    let web = "A -> b, C; b -> d, e; C -> e";
    check("soft-focused", web, "A b C e d");
    check_with(Policy { keep: Keep::First, reopen: false }, "soft-focused", web, "A b C d e");
}

#[test]
fn limited_distance_crosses_n_irrelevant_pages_in_a_row_and_no_more() {
    check("limited-distance(n=2)", "A -> b -> c -> d -> e; c -> F", "A b c d F");
    check("limited-distance(n=0)", "A -> b -> c -> d -> e; c -> F", "A b");
    check("limited-distance(n=1)", "A -> b -> c -> d -> e; c -> F", "A b c");
}

#[test]
fn limited_distance_read_strictly_crosses_one_less() {
    check("limited-distance(n=1,strict)", "A -> b, C; b -> D; C -> e", "A b C e");
    check("limited-distance(n=2,strict)", "A -> b -> c -> d", "A b c");
}

#[test]
fn prioritized_limited_distance_takes_the_nearest_first() {
    check(
        "limited-distance(n=2,prioritized)",
        "A -> b -> c -> d; A -> C -> E; b -> f",
        "A b C E c f d",
    );
}

#[test]
fn a_shorter_way_found_later_lets_the_crawl_go_further_only_while_the_page_waits() {
    // d is reached over three irrelevant pages first, and from E directly afterwards.
    let web = "A -> b -> c -> d -> G; A -> x -> E; c -> y; E -> d";
    check("limited-distance(n=2,prioritized)", web, "A b x c E d G y");
    check("limited-distance(n=2)", web, "A b x c E d y");
}

#[test]
fn reopening_considers_the_links_of_a_visited_page_again_without_another_visit() {
    // c is visited at distance 2 and met again from F at distance 0.
    let web = "A -> b -> c -> d -> E; b -> g; c -> F -> c";
    let reopen = Policy { keep: Keep::Better, reopen: true };
    check("limited-distance(n=1,prioritized)", web, "A b c g");
    check("limited-distance(n=2,prioritized)", web, "A b c g d F");
    check_with(reopen, "limited-distance(n=2,prioritized)", web, "A b c g d F E");
}

#[test]
fn lswc_promotes_the_waiting_pages_of_a_server_that_turns_relevant() {
    // y's pages wait from an irrelevant page until y.D is found.
    check(
        "lswc(s=3,t=5)",
        "x.A -> x.b; x.A -> z.q, y.D; x.b -> y.p1, y.p2; z.q -> z.r; x.A -> w.s",
        "x.A x.b z.q y.D y.p1 y.p2 w.s z.r",
    );
}

#[test]
fn lswc_discards_the_waiting_pages_of_a_server_after_s_downloads_without_a_relevant_one() {
    check("lswc(s=2,t=5)", "x.A -> y.a, y.b, y.c, y.d, z.E", "x.A y.a y.b z.E");
    check("lswc(s=1,t=5)", "x.A -> y.a, y.b, z.E; z.E -> y.f", "x.A y.a z.E");
}

#[test]
fn lswc_counts_only_html_towards_s_unless_told() {
    check("lswc(s=1,t=5)", "x.A -> y.a!, y.B, y.c", "x.A y.a y.B y.c");
    check("lswc(s=1,t=5,count=all)", "x.A -> y.a!, y.B, y.c", "x.A y.a");
}

#[test]
fn lswc_goes_no_further_than_t_from_a_relevant_page() {
    // A direct link is at distance 1, as in Fig. 1 of the paper.
    check("lswc(s=9,t=1)", "x.A -> y.b -> y.c -> y.d", "x.A y.b");
    check("lswc(s=9,t=2)", "x.A -> y.b -> y.c -> y.d", "x.A y.b y.c");
    check("lswc(s=9,t=1,distance_origin=0)", "x.A -> y.b -> y.c -> y.d", "x.A y.b y.c");
    check("lswc(s=9,t=0)", "x.A -> x.B", "x.A");
}

#[test]
fn lswc_raises_links_reached_through_a_relevant_and_then_an_english_page() {
    let web = "x.A -> y.b, z.c*, u.d; y.b -> v.e; z.c -> w.f";
    check("lswc(s=9,t=5)", web, "x.A y.b z.c u.d w.f v.e");
    check("lswc(s=9,t=5,english_step=false)", web, "x.A y.b z.c u.d v.e w.f");
}

#[test]
fn the_english_step_needs_a_relevant_page_before_and_a_seed_has_none() {
    check("lswc(s=9,t=5)", "x.a* -> y.b; x.a -> z.c* -> w.f; y.b -> v.e", "x.a y.b z.c v.e w.f");
}

#[test]
fn lswc_can_revive_and_demote_servers() {
    let web = "x.A -> y.a, z.B; z.B -> y.C -> y.d";
    check("lswc(s=1,t=5)", web, "x.A y.a z.B");
    check("lswc(s=1,t=5,revive)", web, "x.A y.a z.B y.C y.d");
    let web = "x.A -> x.b, x.c, x.d, x.E";
    check("lswc(s=2,t=5)", web, "x.A x.b x.c x.d x.E");
    check("lswc(s=2,t=5,demote)", web, "x.A x.b x.c");
}

#[test]
fn perfect_visits_only_what_leads_to_relevant_pages() {
    check("perfect", "a -> b -> c; a -> d -> E -> f; b -> g", "a d E");
    // E hangs on b in the breadth-first tree, so c is not wanted although it links to E too.
    check("perfect", "a -> b, c; b -> E; c -> E", "a b E");
}

#[test]
fn server_filter_drops_links_to_servers_known_not_to_be_relevant() {
    let web = "x.A -> y.b, z.C; y.b -> w.D; z.C -> y.E, v.f; v.f -> u.G";
    check("server-filter(aggressive)", web, "x.A y.b z.C v.f w.D u.G");
    check("server-filter(conservative)", web, "x.A y.b z.C v.f");
}

#[test]
fn server_filter_takes_a_share_as_the_mark_of_a_relevant_server() {
    let web = "x.A -> x.b, x.c; x.c -> x.D";
    check("server-filter(conservative)", web, "x.A x.b x.c x.D");
    check("server-filter(conservative,theta=0.5)", web, "x.A x.b x.c");
}

#[test]
fn server_filter_can_go_by_top_level_domain_as_retold() {
    check(
        "server-filter(filter=tld)",
        "com.A -> th.b, com.C; th.b -> th.D; com.C -> th.E",
        "com.A th.b th.D",
    );
}

#[test]
fn directory_filter_tells_directories_of_one_server_apart() {
    check(
        "directory-filter",
        "x.t/A -> x.e/b; x.t/A -> x.t/C; x.e/b -> x.e/D; x.t/C -> x.e/E",
        "x.t/A x.e/b x.t/C",
    );
    check(
        "server-filter",
        "x.t/A -> x.e/b; x.t/A -> x.t/C; x.e/b -> x.e/D; x.t/C -> x.e/E",
        "x.t/A x.e/b x.t/C x.e/E x.e/D",
    );
}

#[test]
fn tld_anchor_follows_the_own_domains_and_anchors_in_the_language() {
    let web = "com.A -> com.b, th.c; com.A -th> com.d; com.A -en> com.E; th.c -> com.F";
    check("tld-anchor", web, "com.A th.c com.d");
    check("tld-anchor(abstain=follow)", web, "com.A com.b th.c com.d com.F");
    check("tld-anchor(tlds=com)", web, "com.A com.b com.d com.E");
}

#[test]
fn what_is_not_html_has_no_links_and_what_is_missing_is_no_visit() {
    check("breadth-first", "A -> b!, ?c, D; b -> E", "A b D");
}

#[test]
fn best_first_goes_by_the_score_of_the_page_that_links() {
    check_by_topic(
        "best-first",
        "a=0.5 -> b=0.2, c=0.9, d=0.3; b -> e; c -> f; d -> g=0.7; g -> h",
        "a b c f d g h e",
    );
}

#[test]
fn fish_puts_the_links_of_relevant_pages_first_and_of_others_in_the_middle() {
    check("fish", "A -> b, C; b -> d; C -> e; d -> F", "A b C e d F");
}

#[test]
fn fish_takes_a_few_links_of_a_page_and_half_as_many_more_of_a_relevant_one() {
    // Of A three links go to the front, of c two to the middle; all others wait at the end.
    check("fish(width=2)", "A -> b, c, d, e, f; c -> g, h, i, j", "A b c d g h e f i j");
}

#[test]
fn fish_prefers_links_to_other_hosts() {
    let web = "x.A -> x.b, x.c, y.d, z.e";
    check("fish(width=1)", web, "x.A y.d z.e x.b x.c");
    check("fish(width=1,prefer=document)", web, "x.A x.b x.c y.d z.e");
}

#[test]
fn links_to_fetched_pages_do_not_count_among_those_that_fish_chooses() {
    check("fish(width=1)", "A -> b, c; b -> A, d, e; c -> f", "A b c d f e");
}

#[test]
fn fish_ends_a_branch_after_so_many_irrelevant_pages() {
    let web = "A -> b -> c -> d -> E; A -> g; g -> h; h -> i";
    check("fish(depth=1,exhausted=drop)", web, "A b g c h");
    check("fish(depth=1)", web, "A b g c h d i E");
    check("fish(depth=0,exhausted=drop)", web, "A b g");
}

#[test]
fn fish_keeps_the_greater_depth_of_a_page_that_is_listed_twice() {
    // d is listed from c at depth 0 and then from x at depth 1, with the same score.
    let web = "A -> b, y; b -> c; c -> d; y -> X; X -> x; x -> d; d -> e -> f";
    check("fish(depth=2,exhausted=drop)", web, "A b y c X x d e");
}

#[test]
fn shark_scores_links_by_page_anchor_and_context() {
    // Half of half of 0.8 is inherited by all: b by its anchor, d by the words around it.
    check_by_topic("shark", "a=0.8 -> c; a -0.5> b; a -0/0.9> d; a -0.1> e", "a b e d c");
    check_by_topic("shark(gamma=1)", "a=0.8 -> c; a -0.5> b; a -0/0.9> d", "a c b d");
}

#[test]
fn what_shark_inherits_fades_from_page_to_page() {
    // c passes on half of what it inherited from a; g starts anew with its own score.
    check_by_topic(
        "shark(gamma=1)",
        "a=0.8 -> b=0, c=0; b -> d=0; c -> g=0.3; d -> e; g -> f",
        "a b c d g f e",
    );
    // A page that is not relevant has a score all the same, unless told otherwise.
    let web = "a=0.8 -> b=0.1, c=0.3; b -> d; c -> e";
    check_by_topic("shark(gamma=1)", web, "a b c e d");
    check_by_topic("shark(gamma=1,inherit=above-threshold)", web, "a b c d e");
}

#[test]
fn shark_ends_a_branch_as_fish_does() {
    let web = "a=0.8 -> b=0 -> c=0 -> d=0; a -> g=0; g -1> h";
    check_by_topic("shark(depth=1,exhausted=drop)", web, "a b g h c");
    check_by_topic("shark(depth=1)", web, "a b g h c d");
}

#[test]
fn shark_takes_an_anchor_in_the_language_for_a_relevant_one() {
    check("shark", "A -> b, c; A -th> d; A -en> e", "A d b c e");
}

#[test]
fn opic_fetches_the_page_with_the_most_cash() {
    // d gets a third from b and a half of a third from c, e only the latter; without a virtual page.
    let web = "a -> b, c, f; c -> d, e; b -> d; f -> g";
    check("opic(nutch)", web, "a b c d f g e");
    // The virtual page takes half of what b passes on, and a third of what c does.
    check("opic", web, "a b c f d g e");
}

#[test]
fn opic_adds_cash_to_pages_that_wait() {
    // e is found last and by three pages.
    check("opic(nutch)", "a -> b, c, d; b -> x, y, e; c -> e, z; d -> e", "a b c d e z x y");
}

#[test]
fn opic_follows_no_more_links_of_a_page_than_it_may() {
    check("opic(max_links=2)", "a -> b, c, d; b -> d", "a b c d");
    check("opic(max_links=2)", "a -> b, c, d", "a b c");
}

#[test]
fn a_redirect_hands_on_its_cash() {
    check("opic(nutch)", "a -> b, r^; b -> c, d; r -> E -> f", "a b r E f c d");
}

#[test]
fn pvalue_prefers_links_of_pages_with_many_links_to_pages_that_few_link_to() {
    // From A, b, c and D have value 2; from D, with two links, e has 1 and b would have 0.
    check("pvalue", "A -> b, c, D; b -> x; D -> e, b", "A b c D e");
    check("pvalue(all)", "A -> b, c, D; b -> x; D -> e, f, g, h; c -> i", "A b c D e f g h x i");
}
