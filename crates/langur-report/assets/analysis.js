// ------------------------------------------------------------------------- analysis of a web space

function showAnalyses() {
  fill("analyses", (report.analyses ?? []).filter(Boolean).map(analysisSection));
}

function analysisSection(analysis) {
  const { parts, draw: drawAll } = analysisParts(analysis, `${analysis.space} · ${analysis.target}`);
  const element = make("section", { class: "analysis" },
    make("p", { class: "eyebrow" }, `${analysis.space} · ${analysis.target}`),
    make("h1", { class: "finding" }, ...analysisFinding(analysis)),
    make("p", { class: "lede" }, ...analysisLede(analysis)),
    ...parts);
  return { element, draw: drawAll };
}

/** What makes focused crawling possible at all: that relevant pages lead to relevant pages. */
function analysisFinding({ locality, relevant, ok_html: html }) {
  const [inside, outside] = [locality?.from_relevant?.all?.share, locality?.from_irrelevant?.all?.share];
  if (inside == null || outside == null) return [`${percent(share(relevant, html) ?? 0)} of the OK HTML pages are relevant.`];
  return [`Of the links of relevant pages ${percent(inside)} lead to relevant pages; of those of other pages ${percent(outside)}.`];
}

function analysisLede({ space, pages, ok_html: html, links, relevant, target, labels, components }) {
  const lscc = components?.bow_tie?.lscc;
  return [`${space} has ${grouped(pages)} pages and ${grouped(links)} links. ${grouped(html)} pages are OK HTML, and ` +
    `${grouped(relevant)} of them (${percent(share(relevant, html) ?? 0)}) are relevant to ${target}` +
    `${labels ? `, as labelled by ${labels}` : ""}.` +
    (lscc == null ? "" : ` The largest strongly connected component holds ${percent(share(lscc, pages) ?? 0)} of the pages.`)];
}

/** Tables and figures of an analysis, of which any may be missing. */
function analysisParts(analysis, label) {
  const figures = [];
  const block = (figure) => {
    figures.push(figure);
    return figure.element;
  };
  const pair = (...members) => (members.length ? [make("div", { class: "figures pairs" }, ...members.map(block))] : []);
  const parts = [
    ...(analysis.language_by_tld ? languageTable(analysis, label) : []),
    ...(analysis.locality ? localityTable(analysis, label) : []),
    ...pair(...(analysis.distances ? [distanceFigure(analysis, label)] : []), ...(analysis.degrees ? [degreeFigure(analysis, label)] : [])),
    ...pair(...(analysis.hosts ? [hostSizeFigure(analysis, label), hostShareFigure(analysis, label)] : [])),
    ...(analysis.components?.bow_tie ? [make("div", { class: "figures" }, block(bowTieFigure(analysis, label)))] : []),
    ...(analysis.degrees ? degreeTable(analysis, label) : []),
    ...(analysis.hosts?.largest?.length ? largestHosts(analysis, label) : []),
  ];
  return { parts, draw: () => figures.forEach((figure) => figure.draw()) };
}

// ---------------------------------------------------------------------------------------- tables

function languageTable(analysis, label) {
  const { tlds, rows, totals, total } = analysis.language_by_tld;
  const wanted = String(analysis.target).replace(/^lang:/, "");
  const most = Math.max(...rows.flatMap((row) => row.counts), 1);
  const domain = (tld) => (/^(other|none|unknown)$/.test(tld) ? tld : `.${tld}`);
  const cell = (count) => {
    const made = numberCell(count, grouped);
    made.append(make("span", { class: "interval" }, percent(share(count, total) ?? 0)));
    made.classList.add("heat");
    // The square root, so that what is small beside the largest is still seen to be something.
    made.style.setProperty("--heat", `${Math.round(30 * Math.sqrt(count / most))}%`);
    return made;
  };
  const table = make("table", { class: "figures-table crossed" },
    make("thead", {}, make("tr", {}, textHead("Language"), ...[...tlds.map(domain), "All", "Share"].map((title) => textHead(title, { class: "number" })))),
    make("tbody", {}, ...rows.map((row) => make("tr", { class: row.language === wanted ? "wanted" : "" },
      make("th", { scope: "row" }, row.language, ...(row.language === wanted ? [make("span", { class: "badge" }, "target")] : [])),
      ...row.counts.map(cell), numberCell(row.total, grouped), numberCell(row.share ?? share(row.total, total), percent)))),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "All"),
      ...(totals ?? []).map((count) => numberCell(count, grouped)), numberCell(total, grouped), numberCell(1, percent))));
  return tableBlock({
    key: "language-by-tld", title: "Languages and domains", label, table,
    note: "OK HTML pages by language and top-level domain, and their share of all; Table 2 of Somboonviwat et al. (2006). The stronger the tint, the more pages.",
    rows: () => [["language", ...tlds, "total", "share"], ...rows.map((row) => [row.language, ...row.counts, row.total, row.share]), ["all", ...(totals ?? []), total, 1]],
  });
}

function localityTable(analysis, label) {
  const kinds = { all: "all links", same_domain: "same", other_domain: "other", same_host: "same", other_host: "other" };
  const froms = { from_relevant: "relevant pages", from_irrelevant: "other pages" };
  const { locality } = analysis;
  const cell = (entry) => {
    const made = numberCell(entry?.share, percent);
    if (entry) made.append(make("span", { class: "interval" }, `${grouped(entry.to_relevant)} of ${grouped(entry.links)}`));
    return made;
  };
  const spanner = (title) => make("th", { scope: "colgroup", colspan: 2, class: "spanner" }, make("span", {}, title));
  const table = make("table", { class: "figures-table" },
    make("thead", {},
      make("tr", {}, textHead("Links of", { rowspan: 2 }), textHead("All", { rowspan: 2, class: "number" }), spanner("Top-level domain"), spanner("Host")),
      make("tr", {}, ...Object.values(kinds).slice(1).map((title) => textHead(title, { class: "number" })))),
    make("tbody", {}, ...Object.entries(froms).filter(([from]) => locality[from]).map(([from, name]) => make("tr", {},
      make("th", { scope: "row" }, name), ...Object.keys(kinds).map((kind) => cell(locality[from][kind]))))));
  return tableBlock({
    key: "locality", title: "Locality of links", label, table,
    note: "The share of links that lead to relevant pages, by where they come from and whether they stay; Table 3 of Somboonviwat et al. (2006).",
    rows: () => [["from", "kind", "links", "to relevant", "share"], ...Object.keys(froms).filter((from) => locality[from]).flatMap((from) =>
      Object.keys(kinds).filter((kind) => locality[from][kind]).map((kind) => {
        const { links, to_relevant: to, share: part } = locality[from][kind];
        return [from, kind, links, to, part];
      }))],
  });
}

function degreeTable({ degrees, pages }, label) {
  const columns = { mean: "Mean", median: "Median", max: "Largest", zero: "None" };
  const sides = [["out", "links out"], ["in", "links in"]].filter(([side]) => degrees[side]);
  const table = make("table", { class: "figures-table" },
    make("thead", {}, make("tr", {}, textHead("Links of a page"), ...Object.values(columns).map((title) => textHead(title, { class: "number" })))),
    make("tbody", {}, ...sides.map(([side, name]) => make("tr", {}, make("th", { scope: "row" }, name),
      ...["mean", "median", "max"].map((column) => numberCell(degrees[side][column], (value) => measure(value, ""))),
      numberCell(degrees[side].zero, (zero) => `${grouped(zero)} pages, ${percent(share(zero, pages) ?? 0)}`)))));
  return tableBlock({
    key: "degrees", title: "Degrees", label, table,
    rows: () => [["side", ...Object.keys(columns)], ...sides.map(([side]) => [side, ...Object.keys(columns).map((column) => degrees[side][column])])],
  });
}

function largestHosts({ hosts, pages }, label) {
  const table = make("table", { class: "figures-table" },
    make("thead", {}, make("tr", {}, textHead("Host"), ...["Pages", "Of all pages", "Relevant", "Relevant share"].map((title) => textHead(title, { class: "number" })))),
    make("tbody", {}, ...hosts.largest.map((host) => make("tr", {}, make("th", { scope: "row" }, host.host),
      numberCell(host.pages, grouped), numberCell(share(host.pages, pages), percent),
      numberCell(host.relevant, grouped), numberCell(share(host.relevant, host.pages), percent)))));
  return tableBlock({
    key: "largest-hosts", title: "Largest hosts", label, table,
    rows: () => [["host", "pages", "relevant"], ...hosts.largest.map((host) => [host.host, host.pages, host.relevant])],
  });
}

// --------------------------------------------------------------------------------------- figures

function distanceFigure({ distances, relevant }, label) {
  const groups = distances.pages.map((pages, i) => ({ label: String(i + 1), values: [pages] }));
  if (distances.never != null) groups.push({ label: "never", values: [distances.never], apart: true });
  const spec = {
    title: "Distances", series: [{ name: "relevant pages", colour: "var(--hue-0)" }], groups, log: true, words: compact,
    axis: "relevant pages", xTitle: "links from the nearest other relevant page",
  };
  const direct = share(distances.pages[0] ?? 0, relevant);
  return frameBlock({
    key: "distances", title: "Distances between relevant pages", label,
    explain: () => "Links from the nearest other relevant page; figure 1 of Somboonviwat et al. (2006)." +
      (direct === null ? "" : ` ${percent(direct)} are linked from one directly.`),
    paint: (size, heading) => drawBars(spec, size, heading),
    rows: () => [["distance", "pages"], ...groups.map((group) => [group.label, ...group.values])],
  });
}

/** Pages to a degree, not to a range: ranges double, and counts in them would hide the slope. */
function degreeFigure({ degrees }, label) {
  const sides = [["out", "links out", "var(--hue-0)", "square"], ["in", "links in", "var(--hue-1)", "circle"]].filter(([side]) => degrees[side]?.histogram?.length);
  const largest = Math.max(2, ...sides.flatMap(([side]) => degrees[side].histogram.map(({ to }) => to)));
  const axis = {
    key: "degree", title: "links", log: true, whole: [1, largest], first: 1, tick: compact,
    words: (links) => `${measure(Number(links.toPrecision(3)), "")} links`,
  };
  const figure = {
    key: "degrees", title: "Degree distribution", percent: false, dots: true, alwaysLog: true,
    words: (value) => measure(Number(value.toPrecision(3)), ""),
    axis: () => "pages of each degree",
    explain: () => "How many pages have so many links; the mean of each doubling range.",
    xAxis: () => axis,
    curves: () => sides.map(([side, name, colour, marker]) => {
      const ranges = degrees[side].histogram.filter(({ pages }) => pages > 0);
      return curveOf({ strategy: name, style: { colour, dash: "", marker, turn: 0 } }, axis,
        ranges.map(({ from, to }) => Math.sqrt(from * to)), { mean: ranges.map(({ from, to, pages }) => pages / (to - from + 1)) });
    }),
    rows: () => [["side", "from", "to", "pages"], ...sides.flatMap(([side]) => degrees[side].histogram.map(({ from, to, pages }) => [side, from, to, pages]))],
  };
  return figureBlock({ label }, figure);
}

function hostSizeFigure({ hosts }, label) {
  const words = ({ from }) => compact(from);
  return hostFigure({
    key: "hosts-by-size", title: "Hosts by size", label, ranges: hosts.by_size, words, columns: ["hosts", "pages"],
    xTitle: "pages on a host, at least", explain: `${grouped(hosts.count)} hosts: how many are of a size, and how many of the pages are on them.`,
  });
}

function hostShareFigure({ hosts }, label) {
  const words = ({ from, to }) => (from === to ? percentWhole(from) : `≤${percentWhole(to)}`);
  return hostFigure({
    key: "hosts-by-share", title: "Hosts by share of relevant pages", label, ranges: hosts.by_share, words, columns: ["hosts", "pages", "relevant"],
    xTitle: "relevant share of a host’s OK HTML pages", explain: "How many hosts are relevant to such a share, and what they hold of all pages and of the relevant ones.",
  });
}

function hostFigure({ key, title, label, ranges, words, columns, xTitle, explain }) {
  const names = { hosts: "hosts", pages: "pages", relevant: "relevant pages" };
  const colours = { hosts: "var(--hue-0)", pages: "var(--hue-4)", relevant: "var(--hue-2)" };
  const sums = columns.map((column) => ranges.reduce((sum, range) => sum + (range[column] ?? 0), 0));
  const spec = {
    title, axis: "share of all hosts and of all pages", xTitle, percent: true, words: percent,
    series: columns.map((column) => ({ name: names[column], colour: colours[column] })),
    groups: ranges.map((range) => ({ label: words(range), values: columns.map((column, i) => share(range[column] ?? 0, sums[i]) ?? 0) })),
  };
  return frameBlock({
    key, title, label, explain: () => explain,
    paint: (size, heading) => drawBars(spec, size, heading),
    rows: () => [["from", "to", ...columns], ...ranges.map((range) => [range.from, range.to, ...columns.map((column) => range[column])])],
  });
}

function percentWhole(value) {
  return `${Math.round(value * 100)}%`;
}

function bowTieFigure({ components }, label) {
  const tie = components.bow_tie;
  return frameBlock({
    key: "bow-tie", title: "Bow tie", label,
    explain: () => "IN leads into the largest strongly connected component (LSCC), which leads to OUT; tubes pass it by, tendrils hang from IN and lead to OUT; " +
      `as figure 1 of Gogar (2015). ${components.count == null ? "" : `${grouped(components.count)} strongly connected components in all. `}The strip shows the true proportions.`,
    heightFor: (width) => (width < 560 ? 440 : 410),
    paint: (size, heading) => drawBowTie(tie, size, heading),
    rows: () => [["part", "pages"], ...bowTieParts(tie).map((part) => [part.name, part.pages])],
  });
}
