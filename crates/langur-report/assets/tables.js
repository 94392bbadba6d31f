// --------------------------------------------------------------------------------------- tables

/** `better` says which end of a column is to be wished for, so that the best can be set in bold. */
function resultColumns(run) {
  const levels = [...new Set(run.results.flatMap((result) => Object.keys(result.pages_at_coverage)))].sort((a, b) => a - b);
  return [
    { key: "fetched", title: "Fetched", value: (r) => r.fetched, format: grouped },
    { key: "ok_html", title: "OK\u00a0HTML", value: (r) => r.ok_html, format: grouped },
    { key: "relevant", title: "Relevant", value: (r) => r.relevant, format: grouped, better: "high" },
    { key: "harvest", title: "all", spanner: "Harvest", value: (r) => r.harvest, format: percent, better: "high" },
    { key: "harvest_html", title: "HTML", spanner: "Harvest", value: (r) => r.harvest_html, format: percent, better: "high" },
    { key: "coverage", title: "Coverage", value: (r) => r.coverage, format: percent, better: "high" },
    ...levels.map((level) => ({
      key: `at ${level}`, title: `${level}%`, spanner: "Fetched at coverage",
      value: (r) => r.pages_at_coverage[level] ?? null, format: grouped, better: "low",
    })),
    { key: "area", title: "area", spanner: "Under the curve", value: (r) => r.area, format: threeDigits, better: "high" },
    { key: "area_share", title: "of best oracle", spanner: "Under the curve", value: (r) => r.area_share, format: percent, better: "high" },
    ...relevancyColumns(run.results),
    // The bound is no crawl: it has no queue and asks no host.
    { key: "max_queue", title: "Largest queue", value: (r) => (isBound(r) ? null : r.max_queue || null), format: grouped, better: "low" },
    { key: "relevant_hosts", title: "Relevant hosts", value: (r) => (isBound(r) ? null : r.relevant_hosts), format: grouped, better: "high" },
  ].filter((column) => column.key !== "area_share" || run.results.some((result) => result.area_share != null));
}

function resultsTable(run) {
  return sortableTable({
    key: "results", title: "Results", label: run.label, results: run.results, columns: resultColumns(run), order: byMerit,
    note: "Bold: the best of a column, oracles apart. Area: the area under the coverage curve, 1 at most; of best oracle: " +
      "as a share of the largest area of an oracle. A dash: never reached.",
  });
}

/** A table of strategies that sorts by any column, with its heading. `order` ranks those that are equal. */
function sortableTable({ key, title, note, label, results, columns, order = () => 0 }) {
  const table = make("table", { class: `figures-table results ${key}` });
  const fill = () => table.replaceChildren(sortableHeads(key, columns, fill), sortableBody(key, results, columns, order));
  fill();
  return tableBlock({ key, title, note, label, table, rows: () => columnRows(results, columns) });
}

/** A heading, what there is to say, and a table that can be saved. */
function tableBlock({ key, title, note, label, table, rows }) {
  return [
    make("div", { class: "table-head" }, make("h2", {}, title),
      make("div", { class: "controls figure-tools" }, saveButton("CSV", () => saveCsv(`${fileStem(label)}-${key}`, rows())))),
    ...(note ? [make("p", { class: "note" }, note)] : []),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, table),
  ];
}

function columnRows(results, columns) {
  const heads = columns.flatMap((column) => (column.interval ? [column.key, `${column.key} low`, `${column.key} high`] : [column.key]));
  const cells = (result) => columns.flatMap((column) =>
    (column.interval ? [column.value(result), ...(column.interval(result) ?? [null, null])] : [column.value(result)]));
  return [["strategy", "kind", ...heads], ...results.map((result) => [result.strategy, kindOf(result), ...cells(result)])];
}

function sortableHeads(key, columns, fill) {
  const sortableHead = (column, again, attributes) => headThatSorts(key, column, again, attributes);
  const rows = columns.some((column) => column.spanner) ? 2 : 1;
  const name = { key: "strategy", title: "Strategy" };
  const top = make("tr", {}, sortableHead(name, fill, { rowspan: rows }));
  const below = make("tr", {});
  for (const column of columns) {
    if (!column.spanner) {
      top.append(sortableHead(column, fill, { rowspan: rows, class: "number" }));
      continue;
    }
    const spanned = columns.filter((other) => other.spanner === column.spanner);
    if (spanned[0] === column) {
      top.append(make("th", { scope: "colgroup", colspan: spanned.length, class: "spanner" }, make("span", {}, column.spanner)));
    }
    below.append(sortableHead(column, fill, { class: "number" }));
  }
  return make("thead", {}, top, ...(rows > 1 ? [below] : []));
}

/** The first click on a column brings its best value up, or the largest where none is best. */
function headThatSorts(key, column, fill, attributes) {
  const sort = view.sort[key] ?? {};
  const button = make("button", { type: "button", class: "sorter", "data-column": column.key }, column.title);
  button.addEventListener("click", () => {
    const again = sort.column === column.key;
    const largestFirst = column.key !== "strategy" && column.better !== "low";
    view.sort[key] = { column: column.key, descending: again ? !sort.descending : largestFirst };
    const table = button.closest("table");
    fill();
    table.querySelector(`[data-column="${CSS.escape(column.key)}"]`).focus();
  });
  const head = make("th", { scope: "col", ...attributes }, button);
  if (sort.column === column.key) head.setAttribute("aria-sort", sort.descending ? "descending" : "ascending");
  return head;
}

function sortableBody(key, results, columns, order) {
  const best = new Map(columns.map((column) => [column, bestValue(results, column)]));
  const rows = sortedResults(key, results, columns, order).map((result) => make("tr", {},
    nameHead(result),
    ...columns.map((column) => {
      const cell = numberCell(column.value(result), column.format, column.interval?.(result));
      cell.classList.toggle("best", !result.oracle && best.get(column) !== null && column.value(result) === best.get(column));
      return cell;
    })));
  return make("tbody", {}, ...rows);
}

function nameHead(result) {
  return make("th", { scope: "row" }, make("span", { class: "name" },
    lineSample(result), make("span", {}, strategyName(result), ...kindBadge(result))));
}

/** The best value of a column among strategies that are no oracles; null where nothing stands out. */
function bestValue(results, { value, better }) {
  const values = results.filter((result) => !result.oracle).map(value).filter((one) => one != null);
  if (!better || new Set(values).size < 2) return null;
  return better === "high" ? Math.max(...values) : Math.min(...values);
}

/** Empty cells stay at the end in either direction; equal ones by merit. */
function sortedResults(table, results, columns, order) {
  const { column: key, descending } = view.sort[table] ?? {};
  const direction = descending ? -1 : 1;
  const ranked = results.toSorted(order);
  if (key === "strategy") return ranked.sort((a, b) => direction * a.strategy.localeCompare(b.strategy, "en", { numeric: true }));
  const column = columns.find((one) => one.key === key);
  if (!column) return ranked;
  return ranked.sort((a, b) => {
    const [left, right] = [column.value(a) ?? null, column.value(b) ?? null];
    if (left === null || right === null) return (left === null) - (right === null);
    return direction * (left - right);
  });
}

function statisticsTable(statistics) {
  if (!statistics.length) return [];
  const groups = Map.groupBy(statistics, (statistic) => statistic.group ?? "");
  const bodies = [...groups].map(([group, members]) => make("tbody", {},
    ...(group ? [make("tr", { class: "group" }, make("th", { colspan: 4, scope: "rowgroup" }, group))] : []),
    ...members.map(statisticRow)));
  const head = make("tr", {}, make("th", { scope: "col" }, "Statistic"),
    ...["Target", "Generated", "Relative difference"].map((title) => make("th", { scope: "col", class: "number" }, title)));
  return [
    make("h2", {}, "The synthetic web against its model"),
    make("p", { class: "note" }, "What the generator was asked for, and what the web space came out as."),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Target and generated statistics" },
      make("table", { class: "figures-table statistics" }, make("thead", {}, head), ...bodies)),
  ];
}

function statisticRow({ name, target, generated, unit }) {
  const measured = (value) => measure(value, unit);
  return make("tr", {},
    make("th", { scope: "row" }, name),
    numberCell(target, measured),
    numberCell(generated, measured),
    numberCell(target ? (generated - target) / target : null, signedPercent));
}

function spaceFacts({ space, target, labels, seeds }) {
  return factList("Web space", [
    ["Name", space.name], ["Provenance", space.provenance],
    ["Pages", grouped(space.pages)], ["Links", grouped(space.links)], ["Hosts", grouped(space.hosts)],
    ["OK HTML", grouped(space.ok_html)], ["Relevant", grouped(space.relevant)],
    ["Target", target], ["Labels", labels], ["Seeds", grouped(seeds)],
  ]);
}

function switchFacts({ switches }) {
  return factList("Switches", Object.entries(switches ?? {}).map(([name, setting]) => [name.replaceAll("_", " "), String(setting)]));
}

function factList(title, facts) {
  const rows = facts.filter(([, value]) => value != null && value !== "")
    .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  return make("section", {}, make("h2", {}, title), make("dl", {}, ...rows));
}

/** A number, and under it the interval it lies in, if one is known. */
function numberCell(value, format, interval = null) {
  const cell = make("td", { class: "number" }, value == null ? "–" : format(value));
  if (value != null && interval) cell.append(make("span", { class: "interval" }, interval.map(format).join("–")));
  return cell;
}

function textHead(title, attributes = {}) {
  return make("th", { scope: "col", ...attributes }, title);
}
