// The report's figures and tables, drawn from the JSON in #data.
//
// A chart is a pure function of a run, a figure, the view and a size (`drawChart`): the screen, the
// printer and the saved SVG call it with different sizes. What the reader can change is all in
// `view`; every change ends in a redraw. Text from the data only ever becomes text nodes.

countErrors();

const report = JSON.parse(document.getElementById("data").textContent);

const view = {
  run: 0,
  hidden: new Set(), // names of strategies, so that they stay hidden in the next run
  xScale: "linear", // or "log"
  basis: "fetched", // what harvest divides by: "fetched" or "ok_html"
  zoom: null, // [from, to] in pages crawled
  sort: { column: "at 90", descending: false },
};

const FIGURES = [
  {
    key: "harvest",
    title: "Harvest rate",
    percent: true,
    axis: () => (view.basis === "fetched" ? "relevant ÷ fetched" : "relevant ÷ OK HTML"),
    explain: () =>
      `The share of relevant pages among the ${view.basis === "fetched" ? "pages" : "OK HTML pages"} fetched so far.`,
    value: (run, curve, i) => share(curve.relevant[i], curve[view.basis][i]),
  },
  {
    key: "coverage",
    title: "Coverage",
    percent: true,
    axis: () => "share of the relevant pages found",
    explain: (run) => `The share found so far of the ${grouped(run.space.relevant)} relevant pages in the web space.`,
    value: (run, curve, i) => share(curve.relevant[i], run.space.relevant),
  },
  {
    key: "queue",
    title: "Queue size",
    percent: false,
    axis: () => "pages waiting",
    // A sampled queue would cut off its peaks, and the table's largest queue would not be in the figure.
    explain: () => "Pages found and not yet fetched; the largest number since the previous point.",
    value: (run, curve, i) => curve.queue_max[i],
  },
];

const PRINT_SIZE = { width: 680, height: 266 }; // 180 mm, what A4 leaves between its margins
const SAVED_SIZE = { width: 1040, height: 460 };
const LABEL_HEIGHT = 15;
const GOAL = "90"; // the coverage, in percent, by which strategies are compared

const lineStyles = assignLineStyles();
let sections = [];
let printing = false;
let clips = 0; // clip paths need an id of their own in the whole document

start();

// ---------------------------------------------------------------------------------------- start

function start() {
  obeyHash();
  document.title = report.title;
  document.getElementById("brand").replaceChildren(report.title, make("small", {}, `version ${report.version}`));
  showThemeButton();
  showColophon();
  showOverview();
  showRun(view.run);
  window.addEventListener("beforeprint", () => showAllForPrint());
  window.addEventListener("afterprint", () => showAgainOnScreen());
  document.documentElement.dataset.ready = "yes";
}

/** `#dark`, `#light`, `#log` and `#run=2` (from 1), joined by `&`, open the report in that state. */
function obeyHash() {
  for (const word of location.hash.slice(1).split("&")) {
    if (word === "dark" || word === "light") document.documentElement.dataset.theme = word;
    if (word === "log") view.xScale = "log";
    const run = /^run=(\d+)$/.exec(word);
    if (run) view.run = clamp(Number(run[1]) - 1, 0, report.runs.length - 1);
  }
}

/** Errors are counted on the root element, where a test can see them. */
function countErrors() {
  const root = document.documentElement;
  root.dataset.errors = "0";
  const count = () => (root.dataset.errors = String(Number(root.dataset.errors) + 1));
  window.addEventListener("error", count);
  window.addEventListener("unhandledrejection", count);
  const say = console.error;
  console.error = (...words) => {
    count();
    say.apply(console, words);
  };
}

function showThemeButton() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const label = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  prefersDark.addEventListener("change", label);
  label();
}

function showColophon() {
  document.getElementById("colophon").append(
    make("p", {}, "Harvest rate: relevant pages ÷ pages fetched. Coverage: relevant pages fetched ÷ relevant pages in the web space. " +
      "An oracle uses what it has not fetched: it bounds what a strategy can do and cannot be run on the live web."),
    make("p", {}, "The three figures are those of Somboonviwat, Tamura and Kitsuregawa (2005), figures 3 to 7."),
  );
}

// ----------------------------------------------------------------------------------------- runs

function showRun(index) {
  view.run = index;
  view.zoom = null;
  sections = report.runs.length ? [runSection(report.runs[index])] : [];
  document.getElementById("runs").replaceChildren(...sections.map((section) => section.element));
  redraw();
  markChosenRun();
}

function redraw() {
  for (const section of sections) section.draw();
}

/** One run from its finding to its manifest. Charts need their width, so they are drawn once attached. */
function runSection(run) {
  const legend = legendOf(run);
  const figures = FIGURES.map((figure) => figureBlock(run, figure));
  const results = resultsTable(run);
  const element = make("section", { class: "run" },
    make("p", { class: "eyebrow" }, run.label),
    make("h1", { class: "finding" }, ...finding(run)),
    make("p", { class: "lede" }, ...lede(run)),
    make("div", {}, // the legend sticks to the top within this, not over the tables
      make("div", { class: "panel" }, controls(), legend.element),
      make("div", { class: "figures" }, ...figures.map((figure) => figure.element))),
    ...results,
    make("div", { class: "facts" }, spaceFacts(run), switchFacts(run)),
    ...statisticsTable(run.statistics ?? []),
    make("details", {},
      make("summary", {}, "Manifest"),
      make("pre", {}, JSON.stringify(run.manifest ?? {}, null, 2))),
  );
  const draw = () => {
    legend.draw();
    for (const figure of figures) figure.draw();
  };
  return { element, draw };
}

/** On paper nothing can be chosen or unfolded, so every run and every manifest is there. */
function showAllForPrint() {
  printing = true;
  sections = report.runs.map(runSection);
  document.getElementById("runs").replaceChildren(...sections.map((section) => section.element));
  for (const details of document.querySelectorAll("details")) details.open = true;
  redraw();
}

function showAgainOnScreen() {
  printing = false;
  const zoom = view.zoom;
  showRun(view.run);
  view.zoom = zoom;
  redraw();
}

function showOverview() {
  if (report.runs.length < 2) return;
  const rows = report.runs.map((run, index) => {
    const { best, baseline } = rivals(run);
    const open = make("button", { type: "button" }, run.label);
    open.addEventListener("click", () => showRun(index));
    return make("tr", {},
      make("th", { scope: "row" }, open),
      make("td", {}, best ? make("span", { class: "strategy" }, best.strategy) : "–"),
      numberCell(best && atGoal(best), grouped),
      numberCell(baseline && atGoal(baseline), grouped),
      numberCell(best?.coverage, percent));
  });
  const titles = ["Best strategy", `Fetched at ${GOAL}%`, "Breadth-first", "Coverage"];
  const head = make("tr", {},
    make("th", { scope: "col" }, "Run"),
    ...titles.map((title, i) => make("th", { scope: "col", class: i ? "number" : "" }, title)));
  const overview = document.getElementById("overview");
  overview.append(
    make("p", { class: "eyebrow" }, `${report.runs.length} runs`),
    make("div", { class: "scroll overview", tabindex: "0", role: "region", "aria-label": "Runs" },
      make("table", { class: "figures-table" }, make("thead", {}, head), make("tbody", {}, ...rows))),
  );
  overview.hidden = false;
}

function markChosenRun() {
  document.querySelectorAll("#overview tbody tr").forEach((row, index) => {
    row.classList.toggle("chosen", index === view.run);
    row.querySelector("button").setAttribute("aria-current", String(index === view.run));
  });
}

// -------------------------------------------------------------------------------------- finding

/** The strategies a crawler could use, the best of them, and the one everything is compared with. */
function rivals(run) {
  const usable = run.results.filter((result) => !result.oracle).sort(byMerit);
  return { usable, best: usable[0], baseline: usable.find(isBaseline) };
}

/** Fewest fetches at the goal first; those that never reach it after all others, by coverage. */
function byMerit(a, b) {
  const [atA, atB] = [atGoal(a) ?? Infinity, atGoal(b) ?? Infinity];
  if (atA !== atB) return atA - atB;
  return b.coverage - a.coverage || a.fetched - b.fetched;
}

function atGoal(result) {
  return result.pages_at_coverage[GOAL] ?? null;
}

function isBaseline(result) {
  return result.strategy.startsWith("breadth-first");
}

function strategyName(result) {
  return make("span", { class: "strategy" }, result.strategy);
}

/** The headline: what the data say, also when that is little. */
function finding(run) {
  const { usable, best, baseline } = rivals(run);
  if (!best) return ["No strategy but oracles was run."];
  const other = best === baseline ? usable[1] : baseline;
  return atGoal(best) === null ? furthest(best, other) : soonest(best, other);
}

function soonest(best, other) {
  const [needs, otherNeeds] = twoCounts(atGoal(best), other && atGoal(other));
  const start = [strategyName(best), ` finds ${GOAL}% of the relevant pages after ${needs} fetches`];
  if (!other) return [...start, "."];
  if (otherNeeds === null) return [...start, "; ", strategyName(other), ` ends at ${percent(other.coverage)}.`];
  const asMany = atGoal(best) === atGoal(other) ? "just as many" : otherNeeds;
  return [...start, "; ", strategyName(other), ` needs ${asMany}.`];
}

function furthest(best, other) {
  const [fetched, otherFetched] = twoCounts(best.fetched, other?.fetched);
  const start = [strategyName(best), ` finds ${percent(best.coverage)} of the relevant pages in ${fetched} fetches`];
  if (!other) return [...start, "."];
  return [...start, "; ", strategyName(other), ` finds ${percent(other.coverage)} in ${otherFetched}.`];
}

/** Short forms of two counts, unless short they would look equal and are not. */
function twoCounts(a, b) {
  const format = a !== b && b != null && compact(a) === compact(b) ? grouped : compact;
  return [format(a), b == null ? null : format(b)];
}

function lede(run) {
  const { space } = run;
  const sentences = [
    `${space.name} has ${grouped(space.pages)} pages, ${grouped(space.ok_html)} of them OK HTML and ` +
      `${grouped(space.relevant)} relevant to ${run.target} (${percent(share(space.relevant, space.ok_html) ?? 0)} of the OK HTML). ` +
      `${run.results.length} ${run.results.length === 1 ? "strategy" : "strategies"} crawled it from ` +
      `${grouped(run.seeds)} ${run.seeds === 1 ? "seed" : "seeds"}.`,
  ];
  const oracle = run.results.filter((result) => result.oracle && atGoal(result) !== null).sort(byMerit)[0];
  if (oracle) sentences.push(` The oracle ${oracle.strategy} needs ${compact(atGoal(oracle))} fetches for ${GOAL}%.`);
  return sentences;
}

// --------------------------------------------------------------------------- controls and legend

function controls() {
  const row = make("div", { class: "controls" });
  if (report.runs.length > 1) row.append(make("label", {}, "Run", runSelect()));
  row.append(make("span", { class: "labelled" }, "Pages crawled",
    choice("Scale of the axis", { linear: "linear", log: "log" }, view.xScale, (scale) => {
      view.xScale = scale;
      redraw();
    })));
  const showAll = make("button", { type: "button", class: "quiet show-all" }, "Show all strategies");
  showAll.addEventListener("click", () => {
    view.hidden.clear();
    redraw();
  });
  row.append(showAll, resetZoomButton());
  return row;
}

function runSelect() {
  const select = make("select", {}, ...report.runs.map((run, index) => make("option", { value: index }, run.label)));
  select.value = view.run;
  select.addEventListener("change", () => {
    showRun(Number(select.value));
    document.querySelector(".controls select").focus();
  });
  return select;
}

function resetZoomButton() {
  const button = make("button", { type: "button", class: "quiet reset-zoom" }, "Reset zoom");
  button.addEventListener("click", () => zoomTo(null));
  return button;
}

function zoomTo(range) {
  view.zoom = range;
  redraw();
}

/** A few exclusive buttons in a row. `options` maps values to words. */
function choice(label, options, chosen, choose) {
  const buttons = Object.entries(options).map(([value, words]) => {
    const button = make("button", { type: "button", "aria-pressed": String(value === chosen) }, words);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(value);
    });
    return button;
  });
  return make("span", { class: "choice", role: "group", "aria-label": label }, ...buttons);
}

function legendOf(run) {
  const entries = run.results.map((result) => legendEntry(run, result));
  const element = make("ul", { class: "legend", "aria-label": "Strategies" },
    ...entries.map((button) => make("li", {}, button)));
  const draw = () => {
    run.results.forEach((result, i) => entries[i].setAttribute("aria-pressed", String(isShown(result))));
    const panel = element.closest(".panel");
    panel.querySelector(".show-all").hidden = !run.results.some((result) => !isShown(result));
    panel.querySelector(".reset-zoom").hidden = view.zoom === null;
  };
  return { element, draw };
}

/** A double click is also two clicks, which undo each other; so the two gestures do not get in each other's way. */
function legendEntry(run, result) {
  const button = make("button", { type: "button", title: "click: hide or show · double click or shift: only this one" },
    lineSample(result), make("span", { class: "strategy" }, result.strategy), ...oracleBadge(result));
  button.addEventListener("click", (event) => {
    if (event.shiftKey) showOnly(run, result);
    else toggle(result);
  });
  button.addEventListener("dblclick", () => showOnly(run, result));
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => emphasise(result.strategy));
  for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => emphasise(null));
  return button;
}

function isShown(result) {
  return !view.hidden.has(result.strategy);
}

function toggle(result) {
  if (!view.hidden.delete(result.strategy)) view.hidden.add(result.strategy);
  redraw();
}

/** Only this strategy; or all again, if it was the only one already. */
function showOnly(run, chosen) {
  const others = run.results.filter((result) => result !== chosen);
  const alone = isShown(chosen) && !others.some(isShown);
  view.hidden = new Set(alone ? [] : others.map((result) => result.strategy));
  redraw();
}

function emphasise(strategy) {
  const fade = strategy !== null && !view.hidden.has(strategy);
  for (const part of document.querySelectorAll(".chart [data-strategy]")) {
    part.classList.toggle("faded", fade && part.dataset.strategy !== strategy);
  }
}

// ---------------------------------------------------------------------------------- line styles

/**
 * One line style per strategy name, the same in every figure and every run. Breadth-first is grey,
 * the ground the others stand out from. Oracles are ink and dashed, and nothing else is dashed. The
 * rest take the hues in turn, and a marker for every time the hues come round again.
 */
function assignLineStyles() {
  const styles = new Map();
  let coloured = 0;
  let oracles = 0;
  for (const result of report.runs.flatMap((run) => run.results)) {
    if (styles.has(result.strategy)) continue;
    if (result.oracle) {
      styles.set(result.strategy, { colour: "var(--ink)", dash: oracles++ % 2 ? "oracle second" : "oracle", marker: "", turn: 0 });
    } else if (result.strategy === "breadth-first") {
      styles.set(result.strategy, { colour: "var(--baseline)", dash: "", marker: "", turn: 0 });
    } else {
      const marker = ["", "circle", "square", "triangle"][Math.floor(coloured / 7) % 4];
      styles.set(result.strategy, { colour: `var(--hue-${coloured % 7})`, dash: "", marker, turn: coloured % 7 });
      coloured++;
    }
  }
  return styles;
}

function colourOf(result) {
  return `--series: ${lineStyles.get(result.strategy).colour}`;
}

function markerPath(shape, x, y) {
  const outlines = {
    circle: "m-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z",
    square: "m-2.7,-2.7h5.4v5.4h-5.4z",
    triangle: "m0,-3.4l3.2,5.8h-6.4z",
  };
  return `M${round(x)},${round(y)}${outlines[shape]}`;
}

/** A short piece of a strategy's line, for legends and tables. */
function lineSample(result) {
  const svg = draw("svg", { class: "sample", width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true", style: colourOf(result) });
  appendLineSample(svg, result, 0, 22, 5);
  return svg;
}

function appendLineSample(parent, result, from, to, y) {
  const { dash, marker } = lineStyles.get(result.strategy);
  parent.append(draw("path", { class: `stroke-sample ${dash}`, d: `M${from},${y}H${to}` }));
  if (marker) parent.append(draw("path", { class: "marker", d: markerPath(marker, (from + to) / 2, y) }));
}

function oracleBadge(result) {
  return result.oracle ? [make("span", { class: "badge" }, "oracle")] : [];
}

// --------------------------------------------------------------------------------------- curves

/** A strategy's curve in a figure, as points where the figure has a value. */
function curveOf(run, figure, result) {
  const x = [];
  const y = [];
  result.curve.fetched.forEach((fetched, i) => {
    const value = figure.value(run, result.curve, i);
    // Before the first fetch there is no rate, and on a logarithmic axis no place either.
    if (value === null || (fetched === 0 && view.xScale === "log")) return;
    x.push(fetched);
    y.push(value);
  });
  return { result, x, y, end: x.length ? x[x.length - 1] : null };
}

/** The curve's height over `x`: between two points on the line as it is drawn; null where there is none. */
function heightAt(curve, x) {
  if (curve.end === null || x < curve.x[0] || x > curve.end) return null;
  const i = firstIndexFrom(curve.x, x);
  if (curve.x[i] === x) return curve.y[i];
  const [before, after] = [bend(curve.x[i - 1]), bend(curve.x[i])];
  const along = (bend(x) - before) / (after - before);
  return curve.y[i - 1] + along * (curve.y[i] - curve.y[i - 1]);
}

/** The first index of ascending `values` that holds at least `bound`. */
function firstIndexFrom(values, bound) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The curve's last visible point, and whether the crawl ended there rather than the window. */
function lastPoint(curve, [from, to]) {
  if (curve.end === null || curve.end < from) return null;
  const x = Math.min(curve.end, to);
  return { x, y: heightAt(curve, x), ended: curve.end < to - (to - from) * 0.004 };
}

function meanHeight(curve) {
  return curve.y.reduce((sum, y) => sum + y, 0) / Math.max(1, curve.y.length);
}

// --------------------------------------------------------------------------------------- scales

function wholeRange(run) {
  const ends = run.results.map((result) => result.curve.fetched.at(-1) ?? 0);
  return [0, Math.max(1, ...ends)];
}

/** The window on the x axis. A logarithmic axis begins at the first point sampled, not at zero. */
function xWindow(run) {
  const [from, to] = view.zoom ?? wholeRange(run);
  if (view.xScale === "linear") return [from, to];
  const firsts = run.results.map((result) => result.curve.fetched.find((fetched) => fetched > 0) ?? to);
  return [Math.max(from, Math.min(...firsts, to / 10)), to];
}

/** What the x axis is straight in: pages, or their logarithm. */
function bend(x) {
  return view.xScale === "log" ? Math.log10(x) : x;
}

function unbend(x) {
  return view.xScale === "log" ? 10 ** x : x;
}

function xScaleFor([from, to], left, width) {
  const span = bend(to) - bend(from) || 1;
  return {
    place: (x) => left + ((bend(x) - bend(from)) / span) * width,
    read: (pixel) => unbend(bend(from) + ((pixel - left) / width) * span),
    ticks: view.xScale === "log" ? logTicks(from, to) : linearTicks(from, to, width / 85),
  };
}

/** From zero to a round number above what is visible. */
function yScaleFor(curves, figure, window, top, height) {
  const highest = highestIn(curves, window) || (figure.percent ? 1 : 10);
  const step = niceStep(highest, height / 45);
  const roof = Math.ceil(highest / step - 1e-9) * step;
  return {
    place: (y) => top + height - (y / roof) * height,
    ticks: multiples(step, 0, roof),
  };
}

/**
 * The highest value inside the window. A rate over the first few fetches is noise, near 0 or 100%
 * by chance; on a linear axis it has no width, so it does not decide the height either.
 */
function highestIn(curves, [from, to]) {
  const start = view.xScale === "linear" ? from + (to - from) * 0.005 : from;
  let highest = 0;
  for (const curve of curves) {
    for (let i = firstIndexFrom(curve.x, start); i < curve.x.length && curve.x[i] <= to; i++) {
      highest = Math.max(highest, curve.y[i]);
    }
    highest = Math.max(highest, heightAt(curve, start) ?? 0, heightAt(curve, to) ?? 0);
  }
  return highest;
}

function niceStep(span, count) {
  const rough = span / Math.max(2, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 2.5, 5, 10].find((factor) => power * factor >= rough * 0.999);
}

function linearTicks(from, to, count) {
  return multiples(niceStep(to - from, count), from, to);
}

function multiples(step, from, to) {
  const found = [];
  const last = Math.floor(to / step + 1e-9);
  // Adding 0 makes a plain zero of a negative one, which would be written "-0".
  for (let i = Math.ceil(from / step - 1e-9); i <= last; i++) found.push(i * step + 0);
  return found;
}

/** Powers of ten; also twice and five times, if there would be fewer than four. */
function logTicks(from, to) {
  const ticks = [];
  const factors = Math.log10(to / from) < 4 ? [1, 2, 5] : [1];
  for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) {
    ticks.push(...factors.map((factor) => factor * power).filter((tick) => tick >= from * 0.999 && tick <= to));
  }
  return ticks;
}

// --------------------------------------------------------------------------------------- charts

/** Draws one figure of one run. Returns the SVG and what is needed to answer the pointer. */
function drawChart(run, figure, size, heading = "") {
  const curves = run.results.map((result) => curveOf(run, figure, result));
  const shown = curves.filter((curve) => isShown(curve.result));
  const gutter = gutterWidth(shown, size);
  const top = heading ? 58 : 30;
  const box = { left: 46, top, width: size.width - 46 - gutter, height: size.height - top - 42 };
  const window = xWindow(run);
  const x = xScaleFor(window, box.left, box.width);
  const y = yScaleFor(shown, figure, window, box.top, box.height);
  const chart = { run, figure, size, box, window, x, y, curves, shown };

  const title = `${figure.title} against pages crawled, ${run.label}`;
  chart.svg = draw("svg", {
    class: "chart", role: "img", "aria-label": `${title}. ${spokenEnds(chart)}`,
    width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}`,
  });
  chart.svg.append(draw("title", {}, title));
  if (heading) chart.svg.append(draw("text", { class: "heading", x: 0, y: 16 }, heading));
  appendAxes(chart);
  appendCurves(chart);
  appendLabels(chart, gutter);
  return chart;
}

/** What a reader who cannot see the curves most wants to know: where they end. */
function spokenEnds({ figure, shown, window }) {
  const ends = shown
    .map((curve) => ({ name: curve.result.strategy, last: lastPoint(curve, window) }))
    .filter((end) => end.last)
    .sort((a, b) => b.last.y - a.last.y)
    .map(({ name, last }) => `${name} ${valueWords(figure, last.y)} at ${grouped(Math.round(last.x))} pages`);
  return ends.length ? `At the right end: ${ends.join("; ")}.` : "No strategy is shown.";
}

function appendAxes({ svg, box, x, y, figure }) {
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const axes = draw("g", {});
  for (const tick of y.ticks) {
    const at = round(y.place(tick));
    if (tick > 0) axes.append(draw("path", { class: "gridline", d: `M${box.left},${at}H${right}` }));
    axes.append(draw("text", { x: box.left - 8, y: at, dy: "0.35em", "text-anchor": "end" }, tickWords(figure, tick)));
  }
  for (const tick of x.ticks) {
    const at = round(x.place(tick));
    axes.append(draw("path", { class: "axis", d: `M${at},${bottom}v5` }));
    axes.append(draw("text", { x: at, y: bottom + 19, "text-anchor": "middle" }, compact(tick)));
  }
  axes.append(
    draw("path", { class: "axis", d: `M${box.left},${bottom}H${right}` }),
    draw("text", { x: 0, y: box.top - 16 }, figure.axis()),
    draw("text", { x: right, y: bottom + 37, "text-anchor": "end" }, "pages crawled"),
  );
  svg.append(axes);
}

function appendCurves(chart) {
  const { svg, box, figure, curves } = chart;
  // Room for the thickness of a line that runs along the edge.
  const clip = draw("clipPath", { id: `clip-${++clips}` },
    draw("rect", { x: box.left - 1, y: box.top - 2, width: box.width + 2, height: box.height + 4 }));
  const lines = draw("g", { "clip-path": `url(#clip-${clips})` });
  // The strategies listed first are drawn last: on top of the others.
  for (const curve of curves.toReversed()) {
    const { result } = curve;
    const classes = ["curve", lineStyles.get(result.strategy).dash, isShown(result) ? "" : "off"].filter(Boolean);
    lines.append(draw("path", {
      class: classes.join(" "), d: curvePath(chart, curve), style: colourOf(result),
      "data-strategy": result.strategy, "data-figure": figure.key,
    }));
    if (isShown(result)) lines.append(...curveMarks(chart, curve));
  }
  svg.append(draw("defs", {}, clip), lines);
}

/** The points inside the window and one more on either side. */
function curvePath({ x, y, window }, curve) {
  const from = Math.max(0, firstIndexFrom(curve.x, window[0]) - 1);
  const to = firstIndexFrom(curve.x, window[1]) + 1;
  // A logarithmic axis has no place for what lies before its beginning.
  const place = (value) => x.place(Math.max(value, view.xScale === "log" ? window[0] : value));
  const points = curve.x.slice(from, to).map((value, i) => `${round(place(value))},${round(y.place(curve.y[from + i]))}`);
  return points.length ? `M${points.join("L")}` : "";
}

/** Markers at even distances, shifted from strategy to strategy so that they do not meet; and a dot where a crawl ended. */
function curveMarks({ box, window, x, y }, curve) {
  const { marker, turn } = lineStyles.get(curve.result.strategy);
  const common = { style: colourOf(curve.result), "data-strategy": curve.result.strategy };
  const marks = [];
  const spacing = box.width / 7;
  for (let at = box.left + spacing * (0.2 + turn / 9); marker && at < box.left + box.width; at += spacing) {
    const height = heightAt(curve, x.read(at));
    if (height !== null) marks.push(draw("path", { class: "marker", d: markerPath(marker, at, y.place(height)), ...common }));
  }
  const last = lastPoint(curve, window);
  if (last?.ended) {
    marks.push(draw("circle", { class: "curve-end", r: 3.2, cx: round(x.place(last.x)), cy: round(y.place(last.y)), ...common }));
  }
  return marks;
}

// ----------------------------------------------------------------------------------- end labels

/** Room for the longest name on the right; none on a small screen, where the legend has to do. */
function gutterWidth(shown, size) {
  if (size.width < 620) return 14;
  const longest = Math.max(0, ...shown.map((curve) => textWidth(curve.result.strategy)));
  return Math.min(longest + 46, size.width * 0.34);
}

/** Names at the ends of the lines: beside the end of a crawl that stopped early if there is room, else in the gutter. */
function appendLabels(chart, gutter) {
  if (gutter < 40) return;
  const ends = chart.shown
    .map((curve) => ({ curve, last: lastPoint(curve, chart.window) }))
    .filter((end) => end.last)
    .map((end) => ({ ...end, x: chart.x.place(end.last.x), y: chart.y.place(end.last.y) }));
  const taken = [];
  const inside = ends.filter((end) => end.last.ended && placeInside(chart, end, taken));
  appendGutterLabels(chart, ends.filter((end) => !inside.includes(end)));
}

/** Tries the places around the end of a line; writes the name into the first that nothing else crosses. */
function placeInside(chart, end, taken) {
  const name = end.curve.result.strategy;
  const width = textWidth(name);
  const candidates = [[8, 0], [8, -11], [8, 12], [-width / 2, -14], [-width / 2, 15]]
    .map(([dx, dy]) => ({ left: end.x + dx, middle: end.y + dy, width }));
  const free = candidates.find((place) => isFree(chart, place, taken));
  if (!free) return false;
  taken.push(free);
  chart.svg.append(draw("text", {
    class: "end-label", x: round(free.left), y: round(free.middle), dy: "0.35em", "data-strategy": name,
  }, name));
  return true;
}

function isFree({ box, shown, x, y }, place, taken) {
  const [left, right] = [place.left - 2, place.left + place.width + 2];
  const [top, bottom] = [place.middle - LABEL_HEIGHT / 2, place.middle + LABEL_HEIGHT / 2];
  const within = left >= box.left && right <= box.left + box.width && top >= box.top && bottom <= box.top + box.height;
  const meets = (other) => Math.abs(other.middle - place.middle) < LABEL_HEIGHT &&
    left < other.left + other.width && other.left < right;
  return within && !taken.some(meets) && !shown.some((curve) => crosses(curve, { left, right, top, bottom }, x, y));
}

/** Whether a curve passes through a rectangle: it may also jump through it between two steps. */
function crosses(curve, { left, right, top, bottom }, x, y) {
  let before = null;
  for (let at = left; at <= right; at += 4) {
    const height = heightAt(curve, x.read(at));
    const now = height === null ? null : y.place(height);
    if (now !== null && Math.min(now, before ?? now) < bottom && Math.max(now, before ?? now) > top) return true;
    before = now;
  }
  return false;
}

/**
 * Names in the gutter, as near to their lines as the others let them. Lines that end together, as
 * all do that crawl the whole web, are listed in the order in which they ran.
 */
function appendGutterLabels({ svg, box, size }, ends) {
  const levelOf = (end) => Math.round(end.y / 8);
  ends.sort((a, b) => levelOf(a) - levelOf(b) || meanHeight(b.curve) - meanHeight(a.curve));
  const [top, bottom] = [box.top - 8, box.top + box.height + 16];
  const gap = Math.min(LABEL_HEIGHT, (bottom - top) / ends.length);
  // Names on top of each other help nobody; the legend has them all.
  if (gap < 11) return;
  const right = box.left + box.width;
  const places = spreadApart(ends.map((end) => end.y), gap, top, bottom);
  ends.forEach((end, i) => {
    const { result } = end.curve;
    const at = round(places[i]);
    const label = draw("g", { "data-strategy": result.strategy, style: colourOf(result) });
    if (!end.last.ended) {
      label.append(draw("path", { class: "leader", d: `M${right},${round(end.y)}C${right + 8},${round(end.y)} ${right + 6},${at} ${right + 14},${at}` }));
    }
    appendLineSample(label, result, right + 14, right + 32, at);
    const name = shortened(result.strategy, size.width - right - 40);
    label.append(draw("text", { class: "end-label", x: right + 38, y: at, dy: "0.35em" }, name));
    svg.append(label);
  });
}

/**
 * Positions nearest to those wanted (ascending), in the same order and at least `gap` apart:
 * isotonic regression by pooling neighbours, after taking the gaps out.
 */
function spreadApart(wanted, gap, top, bottom) {
  const pools = [];
  wanted.forEach((position, i) => {
    pools.push({ sum: position - i * gap, count: 1 });
    const mean = (pool) => pool.sum / pool.count;
    while (pools.length > 1 && mean(pools.at(-2)) > mean(pools.at(-1))) {
      const last = pools.pop();
      pools.at(-1).sum += last.sum;
      pools.at(-1).count += last.count;
    }
  });
  const lowest = bottom - (wanted.length - 1) * gap;
  const packed = pools.flatMap((pool) => Array(pool.count).fill(clamp(pool.sum / pool.count, Math.min(top, lowest), lowest)));
  return packed.map((position, i) => position + i * gap);
}

function textWidth(text) {
  textWidth.pen ??= document.createElement("canvas").getContext("2d");
  textWidth.pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return textWidth.pen.measureText(text).width;
}

function shortened(name, width) {
  if (textWidth(name) <= width) return name;
  let kept = name.length;
  while (kept > 1 && textWidth(`${name.slice(0, kept)}…`) > width) kept--;
  return `${name.slice(0, kept)}…`;
}

// ------------------------------------------------------------------------------ figures on screen

/** A figure with its caption, its buttons, its chart and what happens under the pointer. */
function figureBlock(run, figure) {
  const plot = make("div", { class: "plot" });
  const text = make("p", { class: "figure-text" });
  const tools = make("div", { class: "controls figure-tools" });
  const element = make("figure", {},
    make("figcaption", {}, make("div", {}, make("h2", { class: "figure-title" }, figure.title), text), tools),
    plot);
  const drawAll = () => {
    text.textContent = figure.explain(run);
    const chart = drawChart(run, figure, printing ? PRINT_SIZE : sizeOnScreen(plot));
    plot.replaceChildren(chart.svg);
    if (!printing) plot.append(...pointerLayers(chart));
  };
  if (figure.key === "harvest") tools.append(basisChoice(drawAll));
  tools.append(saveButton("SVG", () => saveSvg(run, figure)), saveButton("CSV", () => saveCsv(run, figure)));
  redrawOnNewWidth(plot, drawAll);
  return { element, draw: drawAll };
}

function sizeOnScreen(plot) {
  const width = Math.max(280, plot.clientWidth);
  return { width, height: Math.round(clamp(width * 0.42, 290, 450)) };
}

function basisChoice(drawAll) {
  return choice("Harvest over", { fetched: "all fetches", ok_html: "OK HTML" }, view.basis, (basis) => {
    view.basis = basis;
    drawAll();
  });
}

function redrawOnNewWidth(plot, drawAll) {
  let width = null;
  new ResizeObserver(() => {
    const changed = width !== null && width !== plot.clientWidth;
    width = plot.clientWidth;
    if (changed && !printing) drawAll();
  }).observe(plot);
}

/** The crosshair, the readout, and zooming by dragging. */
function pointerLayers(chart) {
  const { box, size } = chart;
  const pointer = make("div", { class: "pointer" });
  Object.assign(pointer.style, {
    left: share100(box.left, size.width), width: share100(box.width, size.width),
    top: share100(box.top, size.height), height: share100(box.height, size.height),
  });
  const readout = make("div", { class: "readout", hidden: "" });
  const overlay = draw("g", {});
  chart.svg.append(overlay);
  let dragFrom = null;

  const inChart = (event) => {
    const frame = chart.svg.getBoundingClientRect();
    const scale = size.width / frame.width;
    return {
      x: clamp((event.clientX - frame.left) * scale, box.left, box.left + box.width),
      y: (event.clientY - frame.top) * scale,
    };
  };
  const clear = () => {
    overlay.replaceChildren();
    readout.hidden = true;
  };
  pointer.addEventListener("pointerdown", (event) => {
    dragFrom = inChart(event).x;
    pointer.setPointerCapture(event.pointerId);
    showReading(chart, inChart(event), overlay, readout);
  });
  pointer.addEventListener("pointermove", (event) => {
    const at = inChart(event);
    showReading(chart, at, overlay, readout);
    if (dragFrom !== null) overlay.prepend(selection(box, dragFrom, at.x));
  });
  pointer.addEventListener("pointerup", (event) => {
    const range = dragFrom === null ? null : [dragFrom, inChart(event).x].sort((a, b) => a - b);
    dragFrom = null;
    // Less is a click with an unsteady hand.
    if (range && range[1] - range[0] > 8) zoomTo(range.map((pixel) => Math.max(0, chart.x.read(pixel))));
  });
  pointer.addEventListener("pointercancel", () => {
    dragFrom = null;
    clear();
  });
  pointer.addEventListener("pointerleave", clear);
  pointer.addEventListener("dblclick", () => zoomTo(null));
  return [pointer, readout];
}

function selection(box, from, to) {
  return draw("rect", { class: "selection", x: Math.min(from, to), width: Math.abs(to - from), y: box.top, height: box.height });
}

function showReading(chart, at, overlay, readout) {
  const { box, figure, shown } = chart;
  const pages = chart.x.read(at.x);
  const readings = shown.map((curve) => readingAt(chart, curve, pages)).filter(Boolean).sort((a, b) => b.value - a.value);
  overlay.replaceChildren(draw("path", { class: "crosshair", d: `M${round(at.x)},${box.top}v${box.height}` }));
  for (const reading of readings.filter((one) => !one.ended)) {
    overlay.append(draw("circle", { class: "reading", r: 3.4, cx: round(at.x), cy: round(reading.y), style: colourOf(reading.result) }));
  }
  const running = readings.filter((reading) => !reading.ended);
  const nearest = running.toSorted((a, b) => Math.abs(a.y - at.y) - Math.abs(b.y - at.y))[0];
  readout.replaceChildren(make("table", {},
    make("caption", {}, `${grouped(Math.round(pages))} pages crawled`),
    make("tbody", {}, ...readings.map((reading) => readingRow(figure, reading, reading === nearest)))));
  readout.hidden = readings.length === 0;
  const leftHalf = at.x < box.left + box.width / 2;
  readout.style.left = share100(at.x + (leftHalf ? 16 : -16), chart.size.width);
  readout.style.transform = leftHalf ? "none" : "translateX(-100%)";
}

/** A curve's value at the crosshair; past its end the value it ended with. */
function readingAt({ y }, { result, ...curve }, pages) {
  if (curve.end === null || pages < curve.x[0]) return null;
  const ended = pages > curve.end;
  const value = ended ? curve.y.at(-1) : heightAt(curve, pages);
  return { result, value, ended, y: y.place(value) };
}

function readingRow(figure, { result, value, ended }, nearest) {
  const classes = [ended ? "ended" : "", nearest ? "nearest" : ""].filter(Boolean).join(" ");
  return make("tr", { class: classes },
    make("td", {}, lineSample(result)),
    make("td", {}, result.strategy + (ended ? ` (ended at ${compact(result.fetched)})` : "")),
    make("td", { class: "number" }, valueWords(figure, value)));
}

// --------------------------------------------------------------------------------------- saving

function saveButton(format, save) {
  const button = make("button", { type: "button", class: "quiet", title: `Save this figure as ${format}` }, format);
  button.addEventListener("click", save);
  return button;
}

/** The figure as a file of its own: drawn anew in light colours at a fixed size, with every style written into it. */
function saveSvg(run, figure) {
  const studio = make("div", { class: "studio" });
  document.body.append(studio);
  const { svg } = drawChart(run, figure, SAVED_SIZE, `${figure.title}, ${run.label}`);
  studio.append(svg);
  frame(svg, 20);
  for (const hidden of svg.querySelectorAll(".off")) hidden.remove();
  inlineStyles(svg);
  studio.remove();
  save(`${fileStem(run, figure)}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(svg));
}

/** White paper under the chart, and a margin around it. */
function frame(svg, margin) {
  const [width, height] = [SAVED_SIZE.width + 2 * margin, SAVED_SIZE.height + 2 * margin];
  svg.setAttribute("viewBox", `${-margin} ${-margin} ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.prepend(draw("rect", { x: -margin, y: -margin, width, height, fill: "white" }));
}

/** All styles are read before any is written, since parts inherit their colour from the group around them. */
function inlineStyles(svg) {
  const lines = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity"];
  const letters = ["fill", "font-family", "font-size", "font-weight"];
  const read = [...svg.querySelectorAll("path, circle, text")].map((part) => {
    const computed = getComputedStyle(part);
    const properties = part.tagName === "text" ? letters : lines;
    return { part, values: properties.map((property) => [property, computed.getPropertyValue(property)]) };
  });
  for (const styled of svg.querySelectorAll("[style]")) styled.removeAttribute("style");
  for (const { part, values } of read) {
    for (const [property, value] of values) part.setAttribute(property, value);
  }
}

function saveCsv(run, figure) {
  const columns = {
    harvest: ["fetched", "ok_html", "relevant", "harvest", "harvest_html"],
    coverage: ["fetched", "relevant", "coverage"],
    queue: ["fetched", "queue", "queue_max"],
  }[figure.key];
  const derived = {
    harvest: (curve, i) => sixDigits(share(curve.relevant[i], curve.fetched[i])),
    harvest_html: (curve, i) => sixDigits(share(curve.relevant[i], curve.ok_html[i])),
    coverage: (curve, i) => sixDigits(share(curve.relevant[i], run.space.relevant)),
  };
  const rows = run.results.flatMap(({ strategy, oracle, curve }) => curve.fetched.map((_, i) =>
    [strategy, oracle, ...columns.map((column) => (derived[column] ? derived[column](curve, i) : curve[column][i]))]));
  const lines = [["strategy", "oracle", ...columns], ...rows].map((row) => row.map(csvField).join(","));
  save(`${fileStem(run, figure)}.csv`, "text/csv", `${lines.join("\n")}\n`);
}

function sixDigits(value) {
  return value === null ? null : Number(value.toPrecision(6));
}

function csvField(value) {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function fileStem(run, figure) {
  const label = run.label.replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-|-$/g, "");
  return `${label}-${figure.key}`;
}

function save(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  // The browser reads the address after this function has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

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
    { key: "area", title: "Area", value: (r) => r.area, format: (area) => area.toFixed(3), better: "high" },
    { key: "max_queue", title: "Largest queue", value: (r) => r.max_queue, format: grouped, better: "low" },
    { key: "relevant_hosts", title: "Relevant hosts", value: (r) => r.relevant_hosts, format: grouped, better: "high" },
  ];
}

function resultsTable(run) {
  const columns = resultColumns(run);
  const table = make("table", { class: "figures-table results" });
  const fill = () => table.replaceChildren(resultsHead(columns, fill), resultsBody(run, columns));
  fill();
  return [
    make("h2", {}, "Results"),
    make("p", { class: "note" }, "Bold: the best of a column, oracles apart. Area: the area under the coverage curve, 1 at most. A dash: never reached."),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Results" }, table),
  ];
}

function resultsHead(columns, fill) {
  const name = { key: "strategy", title: "Strategy" };
  const top = make("tr", {}, sortableHead(name, fill, { rowspan: 2 }));
  const below = make("tr", {});
  for (const column of columns) {
    if (!column.spanner) {
      top.append(sortableHead(column, fill, { rowspan: 2, class: "number" }));
      continue;
    }
    const spanned = columns.filter((other) => other.spanner === column.spanner);
    if (spanned[0] === column) {
      top.append(make("th", { scope: "colgroup", colspan: spanned.length, class: "spanner" }, make("span", {}, column.spanner)));
    }
    below.append(sortableHead(column, fill, { class: "number" }));
  }
  return make("thead", {}, top, below);
}

/** The first click on a column brings its best value up, or the largest where none is best. */
function sortableHead(column, fill, attributes) {
  const { sort } = view;
  const button = make("button", { type: "button", class: "sorter", "data-column": column.key }, column.title);
  button.addEventListener("click", () => {
    const again = sort.column === column.key;
    const largestFirst = column.key !== "strategy" && column.better !== "low";
    view.sort = { column: column.key, descending: again ? !sort.descending : largestFirst };
    const table = button.closest("table");
    fill();
    table.querySelector(`[data-column="${CSS.escape(column.key)}"]`).focus();
  });
  const head = make("th", { scope: "col", ...attributes }, button);
  if (sort.column === column.key) head.setAttribute("aria-sort", sort.descending ? "descending" : "ascending");
  return head;
}

function resultsBody(run, columns) {
  const best = new Map(columns.map((column) => [column, bestValue(run, column)]));
  const rows = sortedResults(run, columns).map((result) => make("tr", {},
    make("th", { scope: "row" }, make("span", { class: "name" },
      lineSample(result), make("span", {}, strategyName(result), ...oracleBadge(result)))),
    ...columns.map((column) => {
      const cell = numberCell(column.value(result), column.format);
      cell.classList.toggle("best", !result.oracle && best.get(column) !== null && column.value(result) === best.get(column));
      return cell;
    })));
  return make("tbody", {}, ...rows);
}

/** The best value of a column among strategies that are no oracles; null where nothing stands out. */
function bestValue(run, { value, better }) {
  const values = run.results.filter((result) => !result.oracle).map(value).filter((one) => one != null);
  if (!better || new Set(values).size < 2) return null;
  return better === "high" ? Math.max(...values) : Math.min(...values);
}

/** Empty cells stay at the end in either direction; equal ones by merit. */
function sortedResults(run, columns) {
  const { column: key, descending } = view.sort;
  const direction = descending ? -1 : 1;
  const ranked = run.results.toSorted(byMerit);
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

function numberCell(value, format) {
  return make("td", { class: "number" }, value == null ? "–" : format(value));
}

// -------------------------------------------------------------------------------------- numbers

/** 1,234,567 */
function grouped(value) {
  return value == null ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** 1.23M, 182k, 9,870: three digits are enough for an axis and a headline. */
function compact(value) {
  const digits = (scaled) => String(Number(scaled.toPrecision(3)));
  if (value >= 999_500_000) return `${digits(value / 1e9)}G`;
  if (value >= 999_500) return `${digits(value / 1e6)}M`;
  if (value >= 10_000 || (value >= 1000 && value % 1000 === 0)) return `${digits(value / 1e3)}k`;
  return grouped(value);
}

/** 12.3%; more digits where one would say nothing. */
function percent(value) {
  const hundredths = value * 100;
  const digits = hundredths !== 0 && Math.abs(hundredths) < 1 ? 2 : 1;
  return `${hundredths.toFixed(digits)}%`;
}

function signedPercent(value) {
  if (Math.abs(value) < 0.00005) return "0%";
  return `${value > 0 ? "+" : "−"}${percent(Math.abs(value))}`;
}

function measure(value, unit) {
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? { maximumFractionDigits: 1 } : { maximumSignificantDigits: 4 };
  const number = value.toLocaleString("en-US", digits);
  if (!unit) return number;
  return unit === "%" ? `${number}%` : `${number}\u202f${unit}`;
}

function tickWords(figure, tick) {
  return figure.percent ? `${Number((tick * 100).toPrecision(3))}%` : compact(tick);
}

function valueWords(figure, value) {
  return figure.percent ? percent(value) : grouped(Math.round(value));
}

/** A quotient, or null where there is nothing to divide by. */
function share(part, whole) {
  return whole > 0 ? part / whole : null;
}

function share100(part, whole) {
  return `${(100 * part) / whole}%`;
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/** A tenth of a pixel is as fine as a screen or a printer shows. */
function round(pixels) {
  return Math.round(pixels * 10) / 10;
}

// ------------------------------------------------------------------------------------- elements

/** An HTML element. Children that are strings become text, so nothing in the data is ever markup. */
function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function draw(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}
