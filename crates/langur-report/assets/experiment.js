// ------------------------------------------------------------------------------------ experiments

function experimentGroups() {
  return report.experiment?.groups ?? [];
}

function showExperiment() {
  const { experiment } = report;
  if (!experiment) return;
  const sweeps = (experiment.sweeps ?? []).map((sweep) => figureBlock({ ...sweep, label: sweep.group ?? experiment.name }, sweepFigure(sweep)));
  const tornados = (experiment.tornado ?? []).filter(({ base, bars }) => base != null && bars?.length).map((tornado) => tornadoFigure(tornado, experiment.name));
  const titled = (title, note, blocks, kind = "") => (blocks.length
    ? [make("h2", {}, title), make("p", { class: "note" }, note), make("div", { class: `figures pairs ${kind}` }, ...blocks.map((block) => block.element))] : []);
  document.getElementById("experiment").append(
    make("p", { class: "eyebrow" }, `Experiment ${experiment.name}`),
    make("h1", { class: "finding" }, experimentFinding(experiment)),
    make("p", { class: "lede" }, experimentLede(experiment)),
    ...outcomesTable(experiment),
    make("div", { id: "groups" }),
    ...titled("Sweeps", "One factor changed, all others as they were. Bands: the interval of the mean.", sweeps),
    ...titled("What moves the outcomes", "Each bar is the outcome with one setting changed to a lower and a higher value. " +
      "The widest moves it most. Shaded: what was published.", tornados, "tornados"),
  );
  sections.experiment = [...sweeps, ...tornados];
  for (const section of sections.experiment) section.draw();
  if (experimentGroups().length) showGroup(view.group);
}

/** The headline: how many of the published outcomes came out again. */
function experimentFinding({ name, outcomes = [] }) {
  const counted = outcomes.filter((outcome) => outcome.verdict !== "not run");
  if (!counted.length) return name;
  const count = (verdict) => counted.filter((outcome) => outcome.verdict === verdict).length;
  const rest = [["missed", count("miss")], ["mixed", count("mixed")]].filter(([, n]) => n).map(([word, n]) => `${n} ${n === 1 ? "is" : "are"} ${word}`);
  const hits = `${count("hit")} of ${counted.length} published outcomes ${count("hit") === 1 ? "is" : "are"} reproduced`;
  return `${[hits, ...rest].join("; ")}.`;
}

function experimentLede({ about }) {
  return about ?? "";
}

// --------------------------------------------------------------------------------------- outcomes

function outcomesTable({ name, outcomes = [] }) {
  if (!outcomes.length) return [];
  const titles = ["Outcome", "Published", "Measured", "Expected", "Ours", "", "", "Verdict"];
  const table = make("table", { class: "figures-table outcomes" },
    make("thead", {}, make("tr", {}, ...titles.map((title, i) => textHead(title, { class: i === 3 || i === 4 ? "number" : "" })))),
    ...outcomes.map(outcomeRows));
  return tableBlock({
    key: "outcomes", title: "Published outcomes", label: name, table,
    note: "Ours: the mean and its interval. The strip shows the interval and the mean, over the range expected, shaded. What stands beside decides nothing.",
    rows: () => [
      ["id", "says", "published", "source", "verdict", "note",
        "measure", "expected low", "expected high", "mean", "low", "high", "n", "full scale", "unit", "decides", "measure verdict"],
      ...outcomes.flatMap((outcome) => (outcome.measures?.length ? outcome.measures : [{}]).map((one) => [
        outcome.id, outcome.says, outcome.published, outcome.source, outcome.verdict, outcome.note,
        one.what, ...(one.expected ?? [null, null]), one.mean, one.low, one.high, one.n, one.full_scale, one.unit, one.decides, one.verdict])),
    ],
  });
}

/** One outcome: what was published on the left, and beside it a row for each thing measured. */
function outcomeRows(outcome) {
  const measures = outcome.measures?.length ? outcome.measures : [null];
  const span = { rowspan: measures.length };
  const says = make("th", { scope: "rowgroup", class: "says", ...span },
    make("span", { class: "outcome-id" }, outcome.id), make("span", { class: "outcome-says" }, outcome.says,
      ...(outcome.note ? [make("span", { class: "outcome-note" }, outcome.note)] : [])));
  const published = make("td", { class: "published", ...span }, outcome.published ?? "–",
    ...(outcome.source ? [make("span", { class: "source" }, outcome.source)] : []));
  const verdict = make("td", { class: "overall", ...span }, verdictMark(outcome.verdict));
  const rows = measures.map((one, i) => make("tr", {},
    ...(i ? [] : [says, published]),
    ...(one ? measureCells(one) : [make("td", { colspan: 4 }, "–")]),
    // A verdict of each measure, where there is more than one to agree or disagree.
    make("td", { class: "each" }, one && measures.length > 1 ? (one.decides === false ? "beside" : verdictWords(one.verdict)) : ""),
    ...(i ? [] : [verdict])));
  return make("tbody", { class: "outcome" }, ...rows);
}

function measureCells(one) {
  const format = unitFormat(one.unit);
  const ours = numberCell(one.mean, format, one.low == null ? null : [one.low, one.high]);
  if (one.n) ours.append(make("span", { class: "interval" }, `n = ${one.n}`));
  if (one.full_scale != null) ours.append(make("span", { class: "interval" }, `full scale ${format(one.full_scale)}`));
  return [
    make("td", { class: "what" }, one.what ?? ""),
    make("td", { class: "number" }, expectedWords(one.expected, one.unit)),
    ours,
    make("td", { class: "strip" }, rangeStrip(one)),
  ];
}

function unitFormat(unit) {
  const points = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${(Math.abs(value) * 100).toFixed(1)} points`;
  const formats = { share: percent, points, count: rounded, ratio: (value) => String(Number(value.toPrecision(3))) };
  return (value) => (value == null ? "–" : (formats[unit] ?? formats.ratio)(value));
}

/** Expectations are round numbers, and are written so. */
function expectedWords(expected, unit) {
  const [low, high] = expected ?? [null, null];
  const format = unit === "share" ? (value) => `${Number((value * 100).toPrecision(4))}%` : unitFormat(unit);
  if (low == null && high == null) return "–";
  if (low == null) return `≤ ${format(high)}`;
  if (high == null) return `≥ ${format(low)}`;
  return `${format(low)}–${format(high)}`;
}

/** By shape and word as well as by colour. */
function verdictMark(verdict) {
  const kind = ["hit", "miss", "mixed"].includes(verdict) ? verdict : "none";
  return make("span", { class: `verdict verdict-${kind}` }, verdictWords(verdict));
}

function verdictWords(verdict) {
  const signs = { hit: "✓", miss: "✗", mixed: "◐" };
  return `${signs[verdict] ?? "–"}\u00a0${verdict ?? "not run"}`;
}

/** The mean and its interval over the range expected, on a scale of their own. */
function rangeStrip({ expected, mean, low, high }) {
  const [width, height] = [120, 22];
  const svg = draw("svg", { class: "chart range", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  if (mean == null) return svg;
  const [from, to] = expected ?? [null, null];
  const ends = [from, to, mean, low ?? mean, high ?? mean].filter((value) => value != null);
  const span = Math.max(...ends) - Math.min(...ends) || Math.abs(mean) || 1;
  const [least, most] = [Math.min(...ends) - span * 0.25, Math.max(...ends) + span * 0.25];
  const place = (value) => round(clamp((value - least) / (most - least), 0, 1) * (width - 8) + 4);
  const middle = height / 2;
  const [left, right] = [from == null ? 4 : place(from), to == null ? width - 4 : place(to)];
  if (from != null || to != null) svg.append(draw("rect", { class: "expected", x: left, y: 2, width: Math.max(1.5, right - left), height: height - 4 }));
  svg.append(
    draw("path", { class: "gridline", d: `M4,${middle}H${width - 4}` }),
    draw("path", { class: "whisker", d: `M${place(low ?? mean)},${middle}H${place(high ?? mean)}` }),
    draw("circle", { class: "mean", cx: place(mean), cy: middle, r: 3.6 }));
  return svg;
}

// ----------------------------------------------------------------------------------------- groups

function showGroup(index) {
  view.group = index;
  view.zoom = null;
  fill("groups", experimentGroups().slice(index, index + 1).map(groupSection));
}

/** One setting of everything but the strategies: curves with bands, means, and who beats whom. */
function groupSection(group) {
  const legend = legendOf(group);
  const figures = FIGURES.filter((figure) => group.results.some((result) => result.curve?.[figure.key]))
    .map((figure) => figureBlock(group, groupFigure(figure)));
  const element = make("section", { class: "group-section" },
    make("h2", {}, `Curves of ${group.label}`),
    make("p", { class: "note" }, groupWords(group)),
    make("div", {},
      make("div", { class: "panel" }, groupControls(), presetRow(group), legend.element),
      make("div", { class: "figures" }, ...figures.map((figure) => figure.element))),
    ...metricsTable(group),
    ...comparisonsTable(group));
  const drawAll = () => {
    legend.draw();
    for (const figure of figures) figure.draw();
  };
  return { element, draw: drawAll };
}

function groupWords({ cells, pages, web, target, labels, switches }) {
  const settings = Object.entries(switches ?? {}).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", ");
  return [
    cells ? `The mean of ${grouped(cells)} crawls${pages ? ` of ${grouped(pages)} pages` : ""}; bands: the interval of the mean.` : "",
    [web, target, labels].filter(Boolean).join(", ") + (settings ? `; ${settings}.` : "."),
  ].filter(Boolean).join(" ");
}

function groupControls() {
  const row = make("div", { class: "controls" });
  const groups = experimentGroups();
  if (groups.length > 1) row.append(make("label", {}, "Group", sectionSelect("groups", groups, view.group, showGroup)));
  row.append(scaleChoice(), resetZoomButton());
  return row;
}

/** The figure of a run, with means for values and a band around them. */
function groupFigure(figure) {
  const measured = () => (figure.key === "harvest" && view.basis === "ok_html" ? "harvest_html" : figure.key);
  return {
    ...figure,
    explain: () => ({
      harvest: `The share of relevant pages among the ${view.basis === "ok_html" ? "OK HTML pages" : "pages"} fetched so far.`,
      coverage: "The share of the relevant pages found so far.",
      queue: "Pages found and not yet fetched.",
    })[figure.key],
    xAxis: (group) => ({ ...runAxis({ results: group.results.filter((result) => result.curve) }, "fetched"), key: "fetched by groups" }),
    curves: (group, axis) => group.results.map((result) => curveOf(result, axis, result.curve?.fetched ?? [], result.curve?.[measured()])),
    rows: (group) => [["strategy", "kind", "fetched", "mean", "low", "high"], ...group.results.flatMap((result) => {
      const { mean, low, high } = result.curve?.[measured()] ?? {};
      return (mean ?? []).map((value, i) => [result.strategy, kindOf(result), result.curve.fetched[i], value, low?.[i], high?.[i]]);
    })],
  };
}

function metricsTable(group) {
  const known = [
    { key: "fetched", title: "Fetched", format: rounded },
    { key: "coverage", title: "Coverage", format: percent, better: "high" },
    { key: "harvest", title: "all", spanner: "Harvest", format: percent, better: "high" },
    { key: "harvest_html", title: "HTML", spanner: "Harvest", format: percent, better: "high" },
    { key: "area", title: "area", spanner: "Under the curve", format: threeDigits, better: "high" },
    { key: "area_share", title: "of best oracle", spanner: "Under the curve", format: percent, better: "high" },
    { key: "max_queue", title: "Largest queue", format: rounded, better: "low" },
  ];
  const columns = known.filter(({ key }) => group.results.some((result) => result.metrics?.[key])).map((column) => {
    const metric = (result) => (isBound(result) && column.key === "max_queue" ? null : result.metrics?.[column.key]);
    return {
      ...column,
      value: (result) => metric(result)?.mean ?? null,
      interval: (result) => (metric(result)?.low == null ? null : [metric(result).low, metric(result).high]),
    };
  });
  if (!columns.length) return [];
  return sortableTable({
    key: "metrics", title: "Means", label: group.label, results: group.results, columns,
    note: "Under each mean its interval. Bold: the best of a column, oracles apart.",
  });
}

function rounded(value) {
  return grouped(Math.round(value));
}

function comparisonsTable(group) {
  const comparisons = group.comparisons ?? [];
  if (!comparisons.length) return [];
  const furthest = Math.max(...comparisons.flatMap(({ difference: { mean, low, high } }) => [mean, low ?? mean, high ?? mean].map(Math.abs)), 1e-9);
  const named = (strategy) => {
    const result = group.results.find((one) => one.strategy === strategy);
    return result ? [make("span", { class: "name" }, lineSample(result), make("span", {}, strategyName(result), ...kindBadge(result)))] : [strategy];
  };
  const titles = [["Strategy"], ["Against"], ["Fetches", "number"], ["Difference in coverage", "number"], [""], ["Better in", "number"]];
  const table = make("table", { class: "figures-table comparisons" },
    make("thead", {}, make("tr", {}, ...titles.map(([title, kind = ""]) => textHead(title, { class: kind })))),
    make("tbody", {}, ...comparisons.map(({ strategy, against, budget, difference, wins, n }) => make("tr", {},
      make("th", { scope: "row" }, ...named(strategy)),
      make("td", {}, ...named(against)),
      numberCell(budget, rounded),
      differenceCell(difference),
      make("td", { class: "strip" }, differenceStrip(difference, furthest)),
      make("td", { class: "number" }, `${wins} of ${n}`)))));
  return tableBlock({
    key: "comparisons", title: "Paired comparisons", label: group.label, table,
    note: "On the same web, from the same seeds and after the same number of fetches: the difference in coverage in percentage " +
      "points, and in how many of the crawls it was positive. An interval across the line: no difference shown.",
    rows: () => [["strategy", "against", "budget", "difference", "low", "high", "wins", "n"],
      ...comparisons.map(({ strategy, against, budget, difference, wins, n }) => [strategy, against, budget, difference.mean, difference.low, difference.high, wins, n])],
  });
}

/** Signs make "–" between two numbers hard to read. */
function differenceCell({ mean, low, high }) {
  const cell = numberCell(mean, points);
  if (low != null) cell.append(make("span", { class: "interval" }, `${points(low)} to ${points(high)}`));
  return cell;
}

/** +12.3, in percentage points */
function points(value) {
  const digits = (Math.abs(value) * 100).toFixed(1);
  if (Number(digits) === 0) return "0.0";
  return `${value > 0 ? "+" : "−"}${digits}`;
}

/** The difference beside zero; all of a table on one scale. */
function differenceStrip({ mean, low, high }, furthest) {
  const [width, height] = [150, 22];
  const place = (value) => round(width / 2 + (value / furthest) * (width / 2 - 6));
  const middle = height / 2;
  return draw("svg", { class: "chart range", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    draw("path", { class: "axis", d: `M${width / 2},0v${height}` }),
    draw("path", { class: "whisker", d: `M${place(low ?? mean)},${middle}H${place(high ?? mean)}` }),
    draw("circle", { class: "mean", cx: place(mean), cy: middle, r: 3.6 }));
}

// ----------------------------------------------------------------------------------------- sweeps

/** Settings that are no numbers stand side by side in their order. */
function sweepFigure(sweep) {
  const numbers = sweep.values.map((value) => (typeof value === "number" ? value : Number.NaN));
  const numeric = numbers.every(Number.isFinite);
  const places = numeric ? numbers : sweep.values.map((_, i) => i);
  const setting = (place) => (numeric ? String(Number(place.toPrecision(3))) : String(sweep.values[Math.round(place)] ?? ""));
  const factor = sweep.factor.replaceAll("_", " ");
  const whole = [Math.min(...places), Math.max(...places)];
  const axis = {
    key: `sweep ${sweep.factor} ${sweep.group}`, title: factor, log: false, first: places[0], tick: setting,
    whole: whole[0] < whole[1] ? whole : [whole[0] - 1, whole[1] + 1],
    words: (place) => `${factor} ${setting(place)}`,
    ticksFor: (from, to, count) => settingTicks(places, from, to, count),
  };
  const measured = () => (sweep.strategies.some((result) => result[view.measure]) ? view.measure : "coverage");
  const both = ["coverage", "area"].every((measure) => sweep.strategies.some((result) => result[measure]));
  return {
    key: `sweep-${sweep.factor}`, title: `Sweep of ${factor}`, dots: true,
    get percent() { return measured() === "coverage"; },
    words: (value) => (measured() === "coverage" ? percent(value) : threeDigits(value)),
    axis: () => (measured() === "coverage" ? "coverage at the end" : "area under the coverage curve"),
    explain: () => sweep.group ?? "",
    choose: both ? ["What sweeps show", "measure", { coverage: "coverage", area: "area" }] : undefined,
    xAxis: () => axis,
    curves: () => sweep.strategies.map((result) => curveOf(result, axis, places, result[measured()])),
    rows: () => [["strategy", "kind", "factor", "value", "measure", "mean", "low", "high"], ...sweep.strategies.flatMap((result) =>
      ["coverage", "area"].filter((measure) => result[measure]).flatMap((measure) => sweep.values.map((value, i) =>
        [result.strategy, kindOf(result), sweep.factor, value, measure, result[measure].mean[i], result[measure].low?.[i], result[measure].high?.[i]])))],
  };
}

/** The settings that were tried, as many as there is room for. */
function settingTicks(places, from, to, count) {
  const apart = ((to - from) * 0.5) / count;
  const ticks = [];
  for (const place of places.toSorted((a, b) => a - b)) {
    if (place >= from && place <= to && (!ticks.length || place - ticks.at(-1) >= apart)) ticks.push(place);
  }
  return ticks;
}

// ---------------------------------------------------------------------------------------- tornado

function tornadoFigure(tornado, label) {
  const format = unitFormat(tornado.unit);
  return frameBlock({
    key: `tornado-${fileStem(`${tornado.outcome} ${tornado.what}`)}`, title: `${tornado.outcome}: ${tornado.what}`, label,
    explain: () => `As it was ${format(tornado.base)}; expected ${expectedWords(tornado.expected, tornado.unit)}.`,
    heightFor: () => 86 + 30 * tornado.bars.length,
    paint: (size, heading) => drawTornado(tornado, size, heading),
    rows: () => [["factor", "setting", "value"], ["base", "", tornado.base],
      ...tornado.bars.flatMap((bar) => [[bar.factor, bar.low_setting, bar.low], [bar.factor, bar.high_setting, bar.high]])],
  });
}

/** Bars from the base value to what the outcome becomes; the settings stand at their ends. */
function drawTornado({ what, unit, base, expected, bars }, size, heading = "") {
  const format = unitFormat(unit);
  const top = heading ? 72 : 44;
  const height = size.height + (heading ? 28 : 0);
  const rowHeight = 30;
  const names = Math.min(size.width * 0.36, Math.max(...bars.map((bar) => textWidth(bar.factor.replaceAll("_", " "))), 40) + 14);
  const settings = Math.max(...bars.flatMap((bar) => [textWidth(bar.low_setting), textWidth(bar.high_setting)]), 20) + 10;
  const box = { left: names + settings, top, width: size.width - names - 2 * settings, height: bars.length * rowHeight };
  const ends = [base, ...(expected ?? []), ...bars.flatMap((bar) => [bar.low, bar.high])].filter((value) => value != null);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const span = most - least || Math.abs(base) || 1;
  const [from, to] = [least - span * 0.03, most + span * 0.03];
  const place = (value) => round(box.left + ((value - from) / (to - from)) * box.width);
  const bottom = box.top + box.height;
  const svg = draw("svg", {
    class: "chart tornado", role: "img", width: size.width, height, viewBox: `0 0 ${size.width} ${height}`,
    "aria-label": `${what}, ${format(base)} as it was. ${bars.map((bar) =>
      `${bar.factor} ${bar.low_setting}: ${format(bar.low)}, ${bar.high_setting}: ${format(bar.high)}`).join("; ")}.`,
  });
  if (heading) svg.append(draw("text", { class: "heading", x: 0, y: 16 }, heading));
  if (expected?.some((value) => value != null)) {
    const [left, right] = [place(expected[0] ?? from), place(expected[1] ?? to)];
    svg.append(draw("rect", { class: "expected", x: left, y: box.top - 6, width: Math.max(2, right - left), height: box.height + 6 }));
  }
  for (const tick of linearTicks(from, to, box.width / 75)) {
    svg.append(draw("path", { class: "axis", d: `M${place(tick)},${bottom}v5` }),
      draw("text", { x: place(tick), y: bottom + 19, "text-anchor": "middle" }, unit === "ratio" ? compactTick(tick) : tickWords({ percent: true }, tick)));
  }
  bars.forEach((bar, i) => appendTornadoBar(svg, bar, { middle: box.top + (i + 0.5) * rowHeight, place, base, names, format }));
  svg.append(
    draw("path", { class: "axis", d: `M${box.left},${bottom}H${box.left + box.width}` }),
    draw("path", { class: "base-line", d: `M${place(base)},${box.top - 6}V${bottom}` }),
    draw("text", { x: place(base), y: box.top - 12, "text-anchor": "middle", class: "end-label" }, format(base)),
    swatches([{ name: "lower setting", colour: "var(--hue-5)" }, { name: "higher setting", colour: "var(--hue-1)" }], 0, heading ? 42 : 12));
  return { svg };
}

function compactTick(tick) {
  return Math.abs(tick) >= 1000 ? compact(tick) : String(Number(tick.toPrecision(3)));
}

/** Two settings that move the outcome the same way lie under each other, or one would hide the other. */
function appendTornadoBar(svg, bar, { middle, place, base, names, format }) {
  const sameSide = (bar.low - base) * (bar.high - base) > 0;
  const halves = [
    { value: bar.low, setting: bar.low_setting, colour: "var(--hue-5)", y: sameSide ? middle - 11 : middle - 9 },
    { value: bar.high, setting: bar.high_setting, colour: "var(--hue-1)", y: sameSide ? middle : middle - 9 },
  ];
  const height = sameSide ? 11 : 18;
  svg.append(draw("text", { class: "end-label", x: 0, y: middle, dy: "0.35em" }, shortened(bar.factor.replaceAll("_", " "), names - 10)));
  halves.forEach((half, i) => {
    if (half.value == null) return;
    const [left, right] = [place(half.value), place(base)].sort((a, b) => a - b);
    // One that moves nothing is labelled on the side its fellow leaves free.
    const leftwards = half.value === base ? halves[1 - i].value > base : half.value < base;
    svg.append(
      draw("rect", { class: "bar", style: `--series: ${half.colour}`, x: left, y: half.y, width: round(Math.max(0.5, right - left)), height },
        draw("title", {}, `${bar.factor} ${half.setting}: ${format(half.value)}`)),
      draw("text", {
        class: sameSide ? "setting small" : "setting", x: leftwards ? left - 5 : right + 5, y: half.y + height / 2, dy: "0.35em",
        "text-anchor": leftwards ? "end" : "start",
      }, half.setting));
  });
}
